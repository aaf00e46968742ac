//! Carries a command out on an open store, in the running server or in the process of the command.
//!
//! `socket` calls it in a server, `cli` on the store of a stopped one. Values have been checked by
//! [`Request::parse`](super::Request::parse).

use std::collections::BTreeSet;

use super::error::CommandError;
use super::host::{Host, operator_of};
use super::protocol::{Command, Reply, VerifyReply};
use super::{admin_link, calls, fields, publish, queue, setup};
use crate::model::{AccountId, AuditAction};
use crate::ops::OpError;
use crate::ops::archive::{indexing, threads};
use crate::ops::audit::{self, Note};
use crate::ops::notices::link_secrets::{self, Rotated};
use crate::schema::{BLOCK_TABLES, ENTITIES};
use crate::secret::LINK_SECRET_BYTES;
use crate::store::{self, EntityInfo, ReadTx, StoreError};

/// Kinds of records between two progress lines of a check.
const KINDS_PER_WORD: usize = 10;

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
        Command::Fields(request) => Reply::Fields { fields: fields::run(host, request, progress)? },
        Command::Queue(request) => Reply::Queue { answer: queue::run(host, request, progress)? },
        Command::Publish(request) => Reply::Published { domains: publish::run(host, request, progress)? },
        Command::LinksRotate => rotate_links(host)?,
        Command::Verify => verify(host, progress)?,
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

/// Recomputes every index row, count and reference from the records, and compares them with the stored ones.
fn verify(host: &Host, progress: &mut dyn FnMut(String)) -> Result<Reply, StoreError> {
    let tx = host.core.store.read()?;
    let mut differences = Vec::new();
    for (checked, entity) in ENTITIES.iter().enumerate() {
        if checked % KINDS_PER_WORD == 0 {
            progress(format!("Checking records: {checked} of {} kinds are done", ENTITIES.len()));
        }
        differences.extend((entity.check)(&tx)?.iter().map(ToString::to_string));
    }
    progress("Checking the bytes of messages".to_owned());
    differences.extend(store::check_shared(&tx, ENTITIES)?.iter().map(ToString::to_string));
    progress("Checking the search in the archive".to_owned());
    differences.extend(indexing::problems(&tx)?);
    differences.extend(threads::problems(&tx)?);
    differences.extend(unknown_tables(&tx)?);
    Ok(Reply::Verify(VerifyReply { entities: ENTITIES.len(), differences }))
}

/// Names the tables of the file that no entity of this program has.
fn unknown_tables(tx: &ReadTx) -> Result<Vec<String>, StoreError> {
    let mut known: BTreeSet<&str> = store::ENGINE_TABLES.iter().copied().collect();
    known.extend(ENTITIES.iter().flat_map(EntityInfo::tables));
    known.extend(BLOCK_TABLES.iter().map(|table| table.name()));
    let names = tx.table_names()?;
    let strays = names.iter().filter(|name| !known.contains(name.as_str()));
    Ok(strays.map(|name| format!("{name}: no entity has this table")).collect())
}
