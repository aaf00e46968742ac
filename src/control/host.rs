//! The context of a command: the store, open in this process, and the names of the server that runs on it.
//!
//! `socket` and `cli` make a [`Host`] for `execute`.

use std::sync::Arc;

use tokio::sync::watch;

use super::settings::Listening;
use crate::clock::Timestamp;
use crate::model::{Account, AccountId};
use crate::ops::domains::records::ServerNames;
use crate::ops::{Caller, OpError, Wrong, accounts};
use crate::service::Core;
use crate::store::{Read, StoreError};

/// Most names of accounts in an error.
const ACCOUNTS_TOLD: usize = 10;

/// The open store, with the facts that commands need beside it.
#[derive(Debug, Clone)]
pub struct Host {
    /// The state that the parts of a server share.
    pub core: Core,
    /// The running server's name, if one runs.
    pub hostname: Option<String>,
    /// When it started, if one runs.
    pub started: Option<Timestamp>,
    /// Its listeners.
    pub listeners: Vec<Listening>,
    /// Becomes true when it stops, if one runs.
    pub stop: Option<watch::Receiver<bool>>,
}

impl Host {
    /// The store of a stopped server.
    #[must_use]
    pub fn stopped(core: Core) -> Host {
        Host { core, hostname: None, started: None, listeners: Vec::new(), stop: None }
    }

    /// A server that has started just now, listens there, and stops when `stop` becomes true.
    #[must_use]
    pub fn running(core: &Core, listeners: Vec<Listening>, stop: watch::Receiver<bool>) -> Host {
        let hostname = Some(core.config.hostname.clone());
        Host { core: core.clone(), hostname, started: Some(core.now()), listeners, stop: Some(stop) }
    }
}

/// The operator as caller, acting in `account`, or for the whole server.
pub(super) fn operator_of(account: AccountId) -> Arc<Caller> {
    Arc::new(Caller::operator(account))
}

/// The names to which DNS records must point: those of the running server, else of the one that ran last.
pub(super) fn server_names(host: &Host) -> Result<ServerNames, StoreError> {
    match &host.hostname {
        Some(_) => Ok(ServerNames::of(&host.core.config, host.core.links.base_url())),
        None => ServerNames::last_known(&host.core.store.read()?),
    }
}

/// Finds the account that a command names; the server's only one if it names none.
pub(super) fn find_account(tx: &impl Read, name: Option<&str>) -> Result<Account, OpError> {
    if let Some(name) = name
        && let Some(account) = accounts::find_by_name(tx, name)?
    {
        return Ok(account);
    }
    let mut known: Vec<Account> = tx.all(0, ACCOUNTS_TOLD + 1)?;
    if name.is_none() && known.len() == 1 {
        return Ok(known.remove(0));
    }
    let more = if ACCOUNTS_TOLD < known.len() { ", …" } else { "" };
    let names: Vec<String> = known.into_iter().take(ACCOUNTS_TOLD).map(|account| account.name).collect();
    let (is_none, names) = (names.is_empty(), names.join(", ") + more);
    let problem = match name {
        _ if is_none => Wrong::NoAccountYet,
        None => Wrong::SeveralAccounts { names },
        Some(name) => Wrong::NoAccount { name: name.to_owned(), names },
    };
    Err(OpError::invalid("account", problem))
}
