//! Imports of people that are kept with their text: looks at what would happen, takes their rows in step by step, and
//! goes on with them after a restart.
//!
//! A run ends when every row is done, when somebody stops it, when a later run has begun, or when it cannot go on. Each
//! step asks what the administrator may do at that moment, and notes how far the import has come, which a page shows
//! ([`import_tasks`]). How a text is read is the edge's business: it brings a [`SheetReader`].

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::sync::Arc;

use super::Keeping;
use super::people::{KnownRow, Taking, Work};
use crate::model::import::ImportSheet;
use crate::model::{Account, EmailAddress, Import, ImportId, ImportTrouble};
use crate::ops::people::import_tasks::{self, Choices, StepResult};
use crate::ops::people::imports::{self, Existing, Outcome, Row};
use crate::ops::people::refusals::Refusal;
use crate::ops::{Caller, OpError, Wrong};
use crate::service::Core;
use crate::store::StoreError;

/// Rows of a step.
const ROWS_PER_STEP: usize = 500;

/// How the rows of an import are to be read.
#[derive(Debug, Clone)]
pub struct Reading {
    /// The account into which they are taken.
    pub account: Account,
    /// For each column, the field that it fills; blank for none.
    pub columns: Vec<String>,
    /// Lists that everybody joins.
    pub lists: Vec<String>,
    /// Whether people are added who opted out of a list.
    pub overrides_opt_out: bool,
    /// The treatment of people who are there already.
    pub existing: Existing,
}

impl Reading {
    /// The reading that an import's choices ask for.
    #[must_use]
    pub fn new(account: Account, import: &Import, overrides_opt_out: bool) -> Reading {
        let Import { columns, lists, updates, .. } = import;
        let existing = if *updates { Existing::Update } else { Existing::Add };
        Reading { account, columns: columns.clone(), lists: lists.clone(), overrides_opt_out, existing }
    }
}

/// Reads the text of an import.
pub trait SheetReader: Debug + Send + Sync + 'static {
    /// The rows of a text, its first row among them.
    fn rows<'a>(
        &self,
        sheet: &ImportSheet,
        text: &'a str,
    ) -> Box<dyn Iterator<Item = Vec<String>> + Send + 'a>;

    /// The people in some rows, or why there is nobody in one.
    fn people(&self, reading: &Reading, rows: &[Vec<String>]) -> Vec<Result<Row, Wrong>>;
}

/// The outcome that each of some rows would have. `seen` has the addresses of the rows before them.
///
/// # Errors
/// If the store fails.
pub async fn rehearse(
    core: &Core,
    caller: &Caller,
    reading: &Reading,
    mut rows: Vec<Result<Row, Wrong>>,
    seen: &mut BTreeSet<String>,
) -> Result<Vec<Result<Outcome, Refusal>>, StoreError> {
    let addresses = rows.iter_mut().flatten().flat_map(|row| row.contact.emails.iter_mut().flatten());
    core.judge_inputs(caller, addresses).await;
    let tx = core.store.read()?;
    let mut found = Vec::with_capacity(rows.len());
    for row in rows {
        let outcome = match &row {
            Err(problem) => Err(Refusal::Unreadable(problem.clone())),
            Ok(row) => {
                match Outcome::of(imports::rehearse(&tx, caller, &reading.account, row, reading.existing)) {
                    Err(Refusal::Refused(OpError::Store(error))) => return Err(error),
                    outcome => outcome,
                }
            }
        };
        let addresses = row.iter().flat_map(|row| row.contact.emails.iter().flatten());
        let addresses: Vec<String> =
            addresses.filter_map(|email| email.address.as_ref()).map(EmailAddress::folded).collect();
        let is_repeated = addresses.iter().any(|address| seen.contains(address));
        found.push(outcome.map(|outcome| if is_repeated { Outcome::Skipped } else { outcome }));
        seen.extend(addresses);
    }
    Ok(found)
}

/// Goes on with the imports that a stop of the server interrupted.
pub fn resume(core: &Core, reader: &'static dyn SheetReader) {
    let found = core.store.read().and_then(|tx| import_tasks::running(&tx));
    match found {
        Ok(imports) => {
            for import in imports {
                core.start_import(reader, import.id, import.run);
            }
        }
        Err(error) => tracing::error!(error = %error, "Imports could not be continued"),
    }
}

impl Core {
    /// Begins an import that somebody looked at; its rows are taken in behind the answer.
    ///
    /// # Errors
    /// If it is no draft of the caller's.
    pub async fn begin_import(
        &self,
        caller: &Arc<Caller>,
        reader: &'static dyn SheetReader,
        id: ImportId,
        choices: Choices,
    ) -> Result<(), OpError> {
        let run = self
            .perform(caller, move |tx, by| import_tasks::begin(tx, &by.caller, id, choices, by.now))
            .await?;
        self.start_import(reader, id, run);
        Ok(())
    }

    /// Goes on with an import that was stopped.
    ///
    /// # Errors
    /// If it is not stopped, or none of the caller's.
    pub async fn continue_import(
        &self,
        caller: &Arc<Caller>,
        reader: &'static dyn SheetReader,
        id: ImportId,
    ) -> Result<(), OpError> {
        let run = self.perform(caller, move |tx, by| import_tasks::go_on(tx, &by.caller, id, by.now)).await?;
        self.start_import(reader, id, run);
        Ok(())
    }

    /// Stops an import behind the step that is under way.
    ///
    /// # Errors
    /// If it does not run, or is none of the caller's.
    pub async fn stop_import(&self, caller: &Arc<Caller>, id: ImportId) -> Result<(), OpError> {
        self.perform_reserved(caller, move |tx, by| import_tasks::stop(tx, &by.caller, id, by.now)).await
    }

    /// Begins a run in the background.
    fn start_import(&self, reader: &'static dyn SheetReader, id: ImportId, run: u32) {
        let core = self.clone();
        tokio::spawn(async move {
            match take_in(&core, reader, id, run).await {
                // A stop of the server closes the file; the next start goes on.
                Ok(()) | Err(StoreError::Closed) => {}
                Err(error) => {
                    tracing::warn!(error = %error, import.id = id.0, "Import {id} is stopped by the disk");
                    // Nothing more can be done: it still counts as running, and the next start goes on.
                    let _: Result<(), StoreError> = end(&core, id, run, Some(ImportTrouble::NotSaved)).await;
                }
            }
        });
    }
}

/// Ends a run, for a reason if not every row is done.
async fn end(core: &Core, id: ImportId, run: u32, trouble: Option<ImportTrouble>) -> Result<(), StoreError> {
    core.perform_reserved(&Caller::of_server(), move |tx, by| import_tasks::end(tx, id, run, trouble, by.now))
        .await
}

/// Takes in the rows that are not done yet.
async fn take_in(
    core: &Core,
    reader: &'static dyn SheetReader,
    id: ImportId,
    run: u32,
) -> Result<(), StoreError> {
    let Some((import, ..)) = import_tasks::current(&core.store.read()?, id, run)? else { return Ok(()) };
    let text = import_tasks::text(&core.store.read()?, &import)?;
    let skipped = import.done.saturating_add(u64::from(import.sheet.has_head));
    let mut left = reader.rows(&import.sheet, &text).skip(usize::try_from(skipped).unwrap_or(usize::MAX));
    let mut first = import.done + 1;
    loop {
        let part: Vec<Vec<String>> = left.by_ref().take(ROWS_PER_STEP).collect();
        let Some((import, account, caller)) = import_tasks::current(&core.store.read()?, id, run)? else {
            return Ok(());
        };
        if part.is_empty() {
            return end(core, id, run, None).await;
        }
        let Some(caller) = caller else { return end(core, id, run, Some(ImportTrouble::NoAdmin)).await };
        let overrides_opt_out = import_tasks::overrides_opt_out(&core.store.read()?, id)?;
        let reading = Reading::new(account, &import, overrides_opt_out);
        let count = u64::try_from(part.len()).unwrap_or(0);
        let people = reader.people(&reading, &part);
        let work = if import.is_undoable() { Work::TakeInFor(id) } else { Work::TakeIn };
        let taking = Taking { keeping: Keeping::Noted, existing: reading.existing, now: None, work };
        let step = take_part(core, &Arc::new(caller), taking, people, (part, first)).await?;
        first += count;
        let server = Caller::of_server();
        let noting =
            core.perform_reserved(&server, move |tx, by| import_tasks::note_step(tx, id, run, step, by.now));
        if !noting.await? {
            return Ok(());
        }
    }
}

/// Takes in some rows. The audit log has one entry for all rows of the import already.
async fn take_part(
    core: &Core,
    caller: &Arc<Caller>,
    taking: Taking,
    people: Vec<Result<Row, Wrong>>,
    (mut cells, first): (Vec<Vec<String>>, u64),
) -> Result<StepResult, StoreError> {
    let rows = people.into_iter().map(|row| row.map_err(KnownRow::Unreadable)).collect();
    let taken = core.take_people(caller, taking, rows).await;
    let taken = taken.await;
    if let Some(error) = taken.store_error() {
        return Err(error);
    }
    let rows = u64::try_from(cells.len()).unwrap_or(0);
    let refused = taken.refused.into_iter().map(|(place, refusal)| {
        let cells = cells.get_mut(place).map(std::mem::take).unwrap_or_default();
        (first + u64::try_from(place).unwrap_or(0), cells, refusal)
    });
    Ok(StepResult { rows, counts: taken.counts, refused: refused.collect() })
}
