//! Finds the account whose objects a command is about, by its name, a domain or a list.
//!
//! `calls` and `admin_link` call it. It only names the account; what may be done there is decided later.

use serde::{Deserialize, Serialize};

use super::error::CommandError;
use super::host::find_account;
use super::values::parse_domain;
use crate::model::{Account, AccountDomain, AccountId, Domain};
use crate::ops::domains::{self, claims};
use crate::ops::posting::simulate;
use crate::store::Read;

/// Most names in an error.
const NAMES_TOLD: usize = 10;

/// The account whose objects a command is about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// The server's only account.
    #[default]
    Only,
    /// The account with this name.
    Account(String),
    /// The account that has this domain.
    Domain(String),
    /// The account that has the list with this name or address.
    List(String),
    /// The whole server.
    Server,
}

impl Scope {
    /// Finds the account; returns [`AccountId::SERVER`] for the whole server.
    pub(super) fn find(&self, tx: &impl Read) -> Result<AccountId, CommandError> {
        match self {
            Scope::Only => Ok(find_account(tx, None)?.id),
            Scope::Account(name) => Ok(find_account(tx, Some(name))?.id),
            Scope::Domain(name) => owner_of(tx, name),
            Scope::List(name) => Ok(simulate::find_list(tx, name)?.account),
            Scope::Server => Ok(AccountId::SERVER),
        }
    }
}

/// Finds the account that has a domain, else the only one that claims it.
fn owner_of(tx: &impl Read, name: &str) -> Result<AccountId, CommandError> {
    let mut problems = Vec::new();
    let Some(name) = &parse_domain(&mut problems, name) else {
        return Err(CommandError::Invalid(problems));
    };
    if let Some(domain) = domains::find(tx, name)? {
        return Ok(domain.account);
    }
    match claims::of_name(tx, name, NAMES_TOLD)?.as_slice() {
        [] => Err(no_domain(tx, name)),
        [only] => Ok(only.account),
        several => {
            let accounts = several.iter().map(|claim| tx.get::<Account>(claim.account.0));
            let accounts: Vec<Option<Account>> = accounts.collect::<Result<_, _>>()?;
            let names: Vec<String> = accounts.into_iter().flatten().map(|account| account.name).collect();
            Err(CommandError::Told(format!(
                "no account has proven that {name} is its own, and several say so: {}; crier dns --domain {name} shows \
                 them, and crier domain add --account NAME {name} gives it to one",
                names.join(", ")
            )))
        }
    }
}

fn no_domain(tx: &impl Read, name: &Domain) -> CommandError {
    let known = tx.all::<AccountDomain>(0, NAMES_TOLD).unwrap_or_default();
    let names: Vec<String> = known.iter().map(|domain| domain.name.to_string()).collect();
    CommandError::Told(format!("there is no such domain {name}; this server has {}", names.join(", ")))
}
