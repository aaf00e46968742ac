//! Carries a command out on an open store, in the running server or in the process of the command.
//!
//! `socket` calls it in a server, `cli` on the store of a stopped one. Values have been checked by
//! [`Request::parse`](super::Request::parse).

use super::error::CommandError;
use super::host::{Host, operator_of};
use super::import::put_back;
use super::protocol::{Command, Reply, VerifyReply};
use super::settings::SettingsReply;
use super::{
    admin_link, backup, calls, fields, moving, oauth_clients, old_links, publish, queue, setup, status,
    verify,
};
use crate::model::{AccountId, AuditAction};
use crate::ops::OpError;
use crate::ops::audit::{self, Note};
use crate::ops::notices::link_secrets::{self, Rotated};
use crate::schema::ENTITIES;
use crate::secret::LINK_SECRET_BYTES;

/// Carries `command` out. Blocks; `progress` gets the progress of long work.
///
/// # Panics
///
/// Outside of a runtime: the API's work is asynchronous.
pub fn execute(host: &Host, command: Command, progress: &mut dyn FnMut(String)) -> Reply {
    carry_out(host, command, progress).unwrap_or_else(Reply::from)
}

fn carry_out(host: &Host, command: Command, progress: &mut dyn FnMut(String)) -> Result<Reply, CommandError> {
    Ok(match command {
        Command::Setup(setup) => Reply::Setup(Box::new(setup::run(host, setup)?)),
        Command::Call(call) => Reply::Answer { answer: calls::run(host, call)? },
        Command::AdminLink(request) => Reply::AdminLink { link: admin_link::run(host, request)? },
        Command::AdminUnlock(request) => {
            Reply::AdminUnlocked { username: admin_link::unlock(host, request)? }
        }
        Command::Fields(request) => Reply::Fields { fields: fields::run(host, request, progress)? },
        Command::OauthClients(request) => Reply::OauthClients { clients: oauth_clients::run(host, request)? },
        Command::OldLinks(request) => Reply::OldLinks(Box::new(old_links::run(host, request, progress)?)),
        Command::Queue(request) => Reply::Queue { answer: queue::run(host, request, progress)? },
        Command::Publish(request) => Reply::Published { domains: publish::run(host, request, progress)? },
        Command::LinksRotate => rotate_links(host)?,
        Command::Backup(request) => Reply::BackedUp(backup::run(host, &request, progress)?),
        Command::MoveAccount(request) => Reply::AccountMoved(moving::run(host, request, progress)?),
        Command::PutBack(request) => Reply::PutBack(put_back::run(host, request)?),
        Command::Status => Reply::Status(Box::new(status::read(host)?)),
        Command::Settings => Reply::Settings(Box::new(SettingsReply::read(&host.core, &host.listeners)?)),
        Command::Verify => Reply::Verify(VerifyReply {
            entities: ENTITIES.len(),
            differences: verify::differences(&host.core.store.read()?, progress)?,
        }),
    })
}

/// Adds a new secret for signing links; a running server signs with it at once.
fn rotate_links(host: &Host) -> Result<Reply, OpError> {
    let mut new = [0; LINK_SECRET_BYTES];
    host.core.secrets.fill(&mut new);
    let Rotated { secrets, old_until } =
        host.core.perform_blocking(&operator_of(AccountId::SERVER), move |tx, by| {
            let rotated = Note::new(AuditAction::ServerUpdated, 0).detail("link secret");
            audit::note(tx, &by.caller, rotated, by.now)?;
            link_secrets::rotate(tx, new, by.now)
        })?;
    host.core.signer.install(&secrets);
    tracing::info!(
        "Links are signed with a new secret; those that were signed before work until {old_until}"
    );
    Ok(Reply::LinksRotated { old_links_until: old_until.rfc3339(), old_secrets: secrets.old_count() })
}
