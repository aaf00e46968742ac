//! What a command works on: the data file, open in this process, and what is known of the server that runs on it.

use std::sync::Arc;

use crate::model::{Account, AccountId};
use crate::ops::accounts::records::ServerNames;
use crate::ops::{Caller, Core, OpError, accounts};
use crate::store::{Read, StoreError};

/// Names of accounts that an error tells.
const ACCOUNTS_TOLD: usize = 10;

/// The data file and what commands need beside it.
#[derive(Debug, Clone)]
pub struct Host {
    /// What the parts of the server share.
    pub core: Core,
    /// The running server's name, where one runs.
    pub hostname: Option<String>,
}

/// The operator, who acts in `account`, or for the whole server.
pub(super) fn operator_of(account: AccountId) -> Arc<Caller> {
    Arc::new(Caller::operator(account))
}

/// What the records have to name: of the server that runs, else of the one that ran last.
pub(super) fn server_names(host: &Host) -> Result<ServerNames, StoreError> {
    match &host.hostname {
        Some(_) => Ok(ServerNames::of(&host.core.config, &host.core.base_url)),
        None => ServerNames::last_known(&host.core.store.read()?),
    }
}

/// The account that a command names; the only one of the server where it names none.
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
    let names = names.join(", ");
    let problem = match name {
        _ if names.is_empty() => "there is no account yet: run crier setup first".to_owned(),
        None => format!("this server has several accounts: name one of {names}{more} with --account"),
        Some(name) => format!("there is no account {name:?}; there is {names}{more}"),
    };
    Err(OpError::invalid("account", problem))
}
