//! Whose objects a command is about: of which account, however the command names it.

use serde::{Deserialize, Serialize};

use super::error::CommandError;
use super::host::find_account;
use super::values::parse_domain;
use crate::model::{Account, AccountDomain, AccountId, Domain};
use crate::ops::accounts::claims;
use crate::ops::posting::simulate;
use crate::ops::{OpError, domains};
use crate::store::Read;

/// Names that an error tells.
const NAMES_TOLD: usize = 10;

/// Whose objects a command is about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Those of the server's only account.
    #[default]
    Only,
    /// Those of the account of this name.
    Account(String),
    /// Those of the account that has this domain.
    Domain(String),
    /// Those of the account that has the list of this name or address.
    List(String),
    /// Those of the whole server.
    Server,
}

impl Scope {
    /// The account that is meant, [`AccountId::SERVER`] for the whole server.
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

/// The account that has a domain, else the only one that claims it.
fn owner_of(tx: &impl Read, name: &str) -> Result<AccountId, CommandError> {
    let mut problems = Vec::new();
    let Some(name) = &parse_domain(&mut problems, name) else {
        return Err(OpError::Invalid { problems }.into());
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
