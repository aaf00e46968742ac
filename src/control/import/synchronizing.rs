//! The server's side of an import that makes the members of a list those of a file.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use crate::control::error::CommandError;
use crate::model::{AccountId, ContactId, EmailAddress, List};
use crate::ops::Caller;
use crate::ops::OpError;
use crate::ops::people::imports::{Row, Standing};
use crate::ops::people::synchronizing::{self, Unnamed};
use crate::schema::LIST_BY_NAME;
use crate::service::Core;
use crate::store::{Key, Read};

/// One in so many members may leave at once, unless it is forced.
const LEAVE_ONE_IN: usize = 5;
/// Members who leave in one job.
const LEAVE_PER_STEP: usize = 500;

/// How far it has come.
#[derive(Debug)]
pub(super) struct Synchronizing {
    list: List,
    is_forced: bool,
    /// The addresses of people whom the file names as members.
    named: HashSet<String>,
    leaving: VecDeque<ContactId>,
}

impl Synchronizing {
    /// Begins for the only list that was named.
    pub(super) fn begin(
        tx: &impl Read,
        account: AccountId,
        lists: &[String],
        is_forced: bool,
    ) -> Result<Synchronizing, CommandError> {
        let [name] = lists else {
            return Err(CommandError::Told(
                "--sync needs one --list, whose members become those of the file".to_owned(),
            ));
        };
        let found = tx.find(&LIST_BY_NAME, &Key::new().u64(account.0).text(&name.to_ascii_lowercase()))?;
        let list = found.ok_or(OpError::NotFound { what: "list" })?;
        Ok(Synchronizing { list, is_forced, named: HashSet::new(), leaving: VecDeque::new() })
    }

    /// Remembers whom a row names. Somebody of whom it says that they are no member there is none here either; a state
    /// that is not known takes nobody out.
    pub(super) fn look(&mut self, row: &Row) {
        match row.standing {
            Standing::OptedOut { .. } | Standing::Cleaned { .. } | Standing::Unconfirmed { .. } => return,
            Standing::Active | Standing::Paused | Standing::Bouncing { .. } | Standing::Unknown { .. } => {}
        }
        let addresses = row.contact.emails.iter().flatten().filter_map(|email| email.address.as_ref());
        self.named.extend(addresses.map(EmailAddress::folded));
    }

    /// Finds who leaves, or says that these are too many.
    pub(super) async fn decide(&mut self, core: &Core) -> Result<(), String> {
        let (core, list, named) = (core.clone(), self.list.clone(), std::mem::take(&mut self.named));
        let work = move || synchronizing::unnamed(&core.store.read()?, &list, &named);
        let found = tokio::task::spawn_blocking(work).await.map_err(|error| error.to_string())?;
        let Unnamed { contacts, members } = found.map_err(|error| error.to_string())?;
        if !self.is_forced && members < contacts.len() * LEAVE_ONE_IN {
            return Err(format!(
                "{} of the {members} members of {} are not in the file, which is more than a fifth: nothing was \
                 changed; --force takes them out",
                contacts.len(),
                self.list.name
            ));
        }
        self.leaving = contacts.into();
        Ok(())
    }

    /// Has some of those leave; returns how many did, 0 when all have.
    pub(super) async fn leave(
        &mut self,
        core: &Core,
        caller: &Arc<Caller>,
        is_dry_run: bool,
    ) -> Result<u64, String> {
        // Somebody may have left by themselves in the meantime.
        while !self.leaving.is_empty() {
            let part: Vec<ContactId> = self.leaving.drain(..LEAVE_PER_STEP.min(self.leaving.len())).collect();
            if is_dry_run {
                return Ok(u64::try_from(part.len()).unwrap_or(u64::MAX));
            }
            let list = self.list.clone();
            let job = core
                .perform(caller, move |tx, by| synchronizing::take_out(tx, &by.caller, &list, &part, by.now));
            let left: Result<u64, OpError> = job.await;
            match left.map_err(|error| error.to_string())? {
                0 => {}
                left => return Ok(left),
            }
        }
        Ok(0)
    }
}
