//! Takes the rows of an import in, step by step, and goes on with it after a restart.
//!
//! A run ends when every row is done, when somebody stops it, when a later run has begun, or when it cannot go on. Rows
//! are looked at in the same way before anything is taken in ([`rehearse`]), with nothing written.

use std::collections::HashSet;
use std::sync::Arc;

use super::import_sheet::{rows, shown};
use crate::model::{Account, EmailAddress, Import, ImportId};
use crate::ops::people::contacts::ContactInput;
use crate::ops::people::import_tasks::{self, StepResult};
use crate::ops::people::imports::{self, Existing, Outcome, Row};
use crate::ops::{Caller, OpError, Wrong};
use crate::params::columns::{Column, pairs, row};
use crate::params::{Params, contacts as contact_params, emails as email_params};
use crate::service::Core;
use crate::store::StoreError;

/// Rows of a step.
const ROWS_PER_STEP: usize = 500;

/// How the rows of an import are read.
pub(super) struct Reading {
    account: Account,
    columns: Vec<Column>,
    lists: Vec<String>,
    existing: Existing,
    overrides_opt_out: bool,
}

impl Reading {
    /// The reading that an import's choices ask for.
    pub(super) fn new(account: Account, import: &Import, overrides_opt_out: bool) -> Reading {
        let Import { columns, lists, updates, .. } = import;
        let column =
            |word: &String| Column::from_word(word, &account.custom_fields).unwrap_or(Column::Ignored);
        Reading {
            columns: columns.iter().map(column).collect(),
            lists: lists.clone(),
            overrides_opt_out,
            existing: if *updates { Existing::Update } else { Existing::Skip },
            account,
        }
    }

    /// The account into which the rows are taken.
    pub(super) fn account(&self) -> &Account {
        &self.account
    }

    /// The contact in a row, or why there is none.
    fn input(&self, cells: &[String]) -> Result<Row, Wrong> {
        let (has, wanted) = (cells.len(), self.columns.len());
        if wanted < has && cells.iter().skip(wanted).any(|cell| !cell.is_empty()) {
            return Err(Wrong::TooManyCells { has, wanted });
        }
        let pairs = pairs(&self.columns, cells.to_vec(), &self.lists, &self.account.custom_fields);
        let mut params = Params::from_pairs(pairs).map_err(|_| Wrong::TooManyValues)?;
        let contact = contact_params::input(&mut params, &self.account);
        let overrides_opt_out = self.overrides_opt_out;
        Ok(row(&self.columns, cells, ContactInput { overrides_opt_out, ..contact }))
    }

    /// The contacts in some rows, with what the patterns of the account say of their addresses.
    async fn inputs(&self, core: &Core, caller: &Caller, rows: &[Vec<String>]) -> Vec<Result<Row, Wrong>> {
        let mut inputs: Vec<_> = rows.iter().map(|cells| self.input(cells)).collect();
        let addresses = inputs.iter_mut().flatten().flat_map(|row| row.contact.emails.iter_mut().flatten());
        email_params::judge(core, caller, &self.account, addresses).await;
        inputs
    }
}

/// The outcome that a row would have.
pub(super) enum Rehearsed {
    Would(Outcome),
    /// The row cannot be read.
    Unreadable(Wrong),
    Refused(OpError),
    /// Refused, because the person opted out where the row comes from.
    OptedOut(Option<Wrong>),
}

/// The outcomes that some rows would have. `seen` has the addresses of the rows before them.
pub(super) async fn rehearse(
    core: &Core,
    caller: &Caller,
    reading: &Reading,
    rows: &[Vec<String>],
    seen: &mut HashSet<String>,
) -> Result<Vec<Rehearsed>, StoreError> {
    let inputs = reading.inputs(core, caller, rows).await;
    let tx = core.store.read()?;
    let mut found = Vec::with_capacity(inputs.len());
    for input in inputs {
        let outcome = match &input {
            Err(problem) => Rehearsed::Unreadable(problem.clone()),
            Ok(row) => match imports::rehearse(&tx, caller, &reading.account, row, reading.existing) {
                Ok(Outcome::OptedOut) => Rehearsed::OptedOut(row.standing.refusal()),
                Ok(outcome) => Rehearsed::Would(outcome),
                Err(OpError::Store(error)) => return Err(error),
                Err(error) => Rehearsed::Refused(error),
            },
        };
        let addresses = input.iter().flat_map(|row| row.contact.emails.iter().flatten());
        let addresses: Vec<String> =
            addresses.filter_map(|email| email.address.as_ref()).map(EmailAddress::folded).collect();
        let is_repeated = addresses.iter().any(|address| seen.contains(address));
        found.push(match outcome {
            Rehearsed::Would(_) if is_repeated => Rehearsed::Would(Outcome::Skipped),
            outcome => outcome,
        });
        seen.extend(addresses);
    }
    Ok(found)
}

/// Goes on with the imports that a stop of the server interrupted.
pub fn resume(core: &Core) {
    let found = core.store.read().and_then(|tx| import_tasks::running(&tx));
    match found {
        Ok(imports) => {
            for import in imports {
                start(core, import.id, import.run);
            }
        }
        Err(error) => tracing::error!(error = %error, "Imports could not be continued"),
    }
}

/// Begins a run in the background.
pub(super) fn start(core: &Core, id: ImportId, run: u32) {
    let core = core.clone();
    tokio::spawn(async move {
        match take_in(&core, id, run).await {
            // A stop of the server closes the file; the next start goes on.
            Ok(()) | Err(StoreError::Closed) => {}
            Err(error) => {
                tracing::warn!(error = %error, import.id = id.0, "Import {id} is stopped by the disk");
                let trouble = Some("The server could not save anything. Please continue later.".to_owned());
                let (server, now) = (Caller::of_server(), core.now());
                let ended =
                    core.perform_reserved(&server, move |tx, _| import_tasks::end(tx, id, run, trouble, now));
                // Nothing more can be done: it still counts as running, and the next start goes on.
                let _: Result<(), StoreError> = ended.await;
            }
        }
    });
}

/// Takes in the rows that are not done yet.
async fn take_in(core: &Core, id: ImportId, run: u32) -> Result<(), StoreError> {
    let Some((import, ..)) = import_tasks::current(&core.store.read()?, id, run)? else { return Ok(()) };
    let text = import_tasks::text(&core.store.read()?, &import)?;
    let skipped = import.done.saturating_add(u64::from(import.sheet.has_head));
    let mut left = rows(&text, import.sheet.separator).skip(usize::try_from(skipped).unwrap_or(usize::MAX));
    let mut first = import.done + 1;
    loop {
        let part: Vec<Vec<String>> = left.by_ref().take(ROWS_PER_STEP).collect();
        let Some((import, account, caller)) = import_tasks::current(&core.store.read()?, id, run)? else {
            return Ok(());
        };
        let (server, now) = (Caller::of_server(), core.now());
        if part.is_empty() {
            return core
                .perform_reserved(&server, move |tx, _| import_tasks::end(tx, id, run, None, now))
                .await;
        }
        let Some(caller) = caller else {
            let trouble = Some("Whoever began this import is no longer an administrator.".to_owned());
            return core
                .perform_reserved(&server, move |tx, _| import_tasks::end(tx, id, run, trouble, now))
                .await;
        };
        let count = u64::try_from(part.len()).unwrap_or(0);
        let step = take_part(core, &import, account, Arc::new(caller), part, first).await?;
        first += count;
        let noted =
            core.perform_reserved(&server, move |tx, _| import_tasks::note_step(tx, id, run, step, now));
        if !noted.await? {
            return Ok(());
        }
    }
}

/// Takes in some rows, each in a job of its own; they share commits.
async fn take_part(
    core: &Core,
    import: &Import,
    account: Account,
    caller: Arc<Caller>,
    part: Vec<Vec<String>>,
    first: u64,
) -> Result<StepResult, StoreError> {
    let overrides = import_tasks::overrides_opt_out(&core.store.read()?, import.id)?;
    let reading = Reading::new(account, import, overrides);
    let inputs = reading.inputs(core, &caller, &part).await;
    // The audit log has one entry for all rows, so each row is carried out in the server's name.
    let server = Caller::of_server();
    let mut jobs = Vec::with_capacity(inputs.len());
    for input in inputs {
        jobs.push(match input {
            Err(problem) => Err(problem.to_string()),
            Ok(row) => {
                let (caller, existing) = (Arc::clone(&caller), reading.existing);
                let refusal = row.standing.refusal();
                let job = core.perform_in_order(&server, move |tx, by| {
                    imports::take(tx, &caller, row, existing, by.now)
                });
                Ok((refusal, job.await))
            }
        });
    }
    let mut step = StepResult { rows: u64::try_from(part.len()).unwrap_or(0), ..StepResult::default() };
    for ((job, cells), row) in jobs.into_iter().zip(part).zip(first..) {
        let reason = match job {
            Err(reason) => reason,
            Ok((refusal, job)) => match job.await {
                Ok(Outcome::Created) => {
                    step.created += 1;
                    continue;
                }
                Ok(Outcome::Updated) => {
                    step.updated += 1;
                    continue;
                }
                Ok(Outcome::Skipped) => {
                    step.unchanged += 1;
                    continue;
                }
                Ok(Outcome::OptedOut) => {
                    step.opted_out += 1;
                    refusal.map(|reason| reason.to_string()).unwrap_or_default()
                }
                Err(OpError::Store(error)) => return Err(error),
                Err(error) => {
                    step.opted_out += u64::from(matches!(error, OpError::OptedOut { .. }));
                    error.to_string()
                }
            },
        };
        let reason = shown(&reason);
        step.refused.push((row, cells, reason));
    }
    Ok(step)
}
