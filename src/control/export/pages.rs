//! Exports for pages, on which administrators take an account or a list along.

use super::Exporter;
use crate::control::error::CommandError;
use crate::control::host::Host;
use crate::control::protocol::Reply;
use crate::model::{Account, AccountId};
use crate::ops::OpError;
use crate::service::Core;
use crate::service::exports::{Export, ExportMaker, Piece};
use crate::store::Read as _;

/// Makes the exports that pages hand out.
#[derive(Debug)]
pub struct Exports;

impl ExportMaker<Core> for Exports {
    fn begin(&self, core: &Core, account: AccountId, list: Option<&str>) -> Result<Box<dyn Export>, OpError> {
        let found: Option<Account> = core.store.read()?.get(account.0)?;
        let account = found.ok_or(OpError::NotFound { what: "account" })?;
        Ok(Box::new(Exporter::new(&Host::stopped(core.clone()), account, list)?))
    }
}

impl Export for Exporter {
    fn next(&mut self) -> Result<Option<Piece>, String> {
        let told = |error: CommandError| match Reply::from(error) {
            Reply::Failed { text } | Reply::Missing { text } => text,
            other => format!("{other:?}"),
        };
        self.next_piece().map_err(told)
    }
}
