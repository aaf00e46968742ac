//! Makes the link by which an administrator chooses a password, so that no mail is needed, and ends the lock of an
//! administrator's address.
//!
//! `crier admin link` and `crier setup` call it. The link works once; making it signs nobody in and changes nothing: an
//! administrator who has a password keeps it until the link is used.

use serde::{Deserialize, Serialize};

use super::error::CommandError;
use super::host::{Host, operator_of};
use super::scope::Scope;
use super::values::{Problem, note, parse_base_url};
use crate::model::Admin;
use crate::ops::Caller;
use crate::ops::accounts::admins::{invite, manage};
use crate::ops::accounts::sign_in::lockout;
use crate::ops::domains::links::ServerLinks;
use crate::store::{Read, StoreError};

/// `crier admin link`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdminLinkRequest {
    /// The account of the administrator, or the whole server.
    pub scope: Scope,
    /// Number or address of the administrator.
    pub admin: String,
    /// The base of the link; the running server's if unset.
    pub base_url: Option<String>,
}

impl AdminLinkRequest {
    pub(super) fn parse(self) -> Result<AdminLinkRequest, Vec<Problem>> {
        let AdminLinkRequest { scope, admin, base_url } = self;
        let mut problems = Vec::new();
        let base_url = base_url.and_then(|url| note(&mut problems, "base-url", parse_base_url(&url)));
        if problems.is_empty() { Ok(AdminLinkRequest { scope, admin, base_url }) } else { Err(problems) }
    }
}

/// `crier admin unlock`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdminUnlockRequest {
    /// The account of the administrator, or the whole server.
    pub scope: Scope,
    /// Number or address of the administrator.
    pub admin: String,
}

/// Carries `crier admin unlock` out and returns the address.
pub(super) fn unlock(host: &Host, request: AdminUnlockRequest) -> Result<String, CommandError> {
    let AdminUnlockRequest { scope, admin: name } = request;
    let (account, admin) = {
        let tx = host.core.store.read()?;
        let account = scope.find(&tx)?;
        (account, manage::get(&tx, &Caller::operator(account), &name)?.admin)
    };
    let Some(username) = admin.username.clone() else {
        let text = format!("administrator {name} is the holder of a key: it signs in without a password");
        return Err(CommandError::Told(text));
    };
    host.core.perform_blocking(&operator_of(account), move |tx, by| {
        lockout::unlock_for(tx, &by.caller, &admin, by.now)
    })?;
    Ok(username.to_string())
}

/// Carries `crier admin link` out and returns the link.
pub(super) fn run(host: &Host, request: AdminLinkRequest) -> Result<String, CommandError> {
    let AdminLinkRequest { scope, admin: name, base_url } = request;
    let tx = host.core.store.read()?;
    let admin = manage::get(&tx, &Caller::operator(scope.find(&tx)?), &name)?.admin;
    let link = link_of(host, &tx, &admin, base_url.as_deref())?;
    let none = || format!("administrator {name} is the holder of a key: it signs in without a password");
    link.ok_or_else(|| CommandError::Told(none()))
}

/// Makes the link by which `admin` chooses a password: on `base_url`, else on the running server's base, else on the
/// domain of the lists. `None` for the holder of a key.
pub(super) fn link_of(
    host: &Host,
    tx: &impl Read,
    admin: &Admin,
    base_url: Option<&str>,
) -> Result<Option<String>, StoreError> {
    let Host { core, .. } = host;
    let named = base_url.map(|url| ServerLinks::at(url.trim().trim_end_matches('/').to_owned()));
    let links = named.as_ref().unwrap_or(&core.links);
    let expiry = core.now() + invite::LINK_WORKS_FOR;
    let invitation = invite::link(tx, &core.signer, links, admin, expiry)?;
    Ok(invitation.map(|invitation| invitation.url))
}
