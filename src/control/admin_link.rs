//! The link by which an administrator chooses a password, so that no mail is needed.

use serde::{Deserialize, Serialize};

use super::error::CommandError;
use super::host::Host;
use super::scope::Scope;
use super::values::{note, parse_base_url};
use crate::model::Admin;
use crate::ops::accounts::admins::{invite, manage};
use crate::ops::{Caller, Problem};
use crate::store::{Read, StoreError};

/// `crier admin link`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdminLinkRequest {
    /// Whose administrator it is.
    pub scope: Scope,
    /// Number or address of the administrator.
    pub admin: String,
    /// What the link begins with; the running server's where unset.
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

/// The link by which a person chooses a password.
pub(super) fn run(host: &Host, request: AdminLinkRequest) -> Result<String, CommandError> {
    let AdminLinkRequest { scope, admin: name, base_url } = request;
    let tx = host.core.store.read()?;
    let admin = manage::get(&tx, &Caller::operator(scope.find(&tx)?), &name)?.admin;
    if admin.password_hash.is_some() {
        let text = format!("administrator {name} has chosen a password already: a link works only once");
        return Err(CommandError::Told(text));
    }
    let link = link_of(host, &tx, &admin, base_url.as_deref())?;
    let none = || format!("administrator {name} is the holder of a key: it signs in without a password");
    link.ok_or_else(|| CommandError::Told(none()))
}

/// The link by which `admin` chooses a password: on `base_url`, else where the running server is, else on the
/// domain of the lists. `None` for the holder of a key.
pub(super) fn link_of(
    host: &Host,
    tx: &impl Read,
    admin: &Admin,
    base_url: Option<&str>,
) -> Result<Option<String>, StoreError> {
    let Host { core, hostname: _ } = host;
    let base_url = base_url.map(|url| url.trim().trim_end_matches('/'));
    let base_url = base_url.unwrap_or(&core.base_url);
    let invitation = invite::link(tx, &core.signer, base_url, admin, core.now())?;
    Ok(invitation.map(|invitation| invitation.url))
}
