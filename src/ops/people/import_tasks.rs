//! Imports of people as tasks: kept while somebody looks at what would happen, then taken in step by step.
//!
//! Each row is an operation of [`imports`](super::imports), with what the administrator may do at that moment. A
//! step notes how far the import has come and which rows were refused, so that a start of the server goes on behind it;
//! the few rows between that and a crash are looked at again, and change nothing the second time.

use crate::clock::Timestamp;
use crate::model::import::ImportSheet;
use crate::model::{
    Account, ActorKind, Admin, AdminId, AuditAction, BlobId, Import, ImportId, ImportOptOuts, ImportState,
    ImportTrouble, Permission, RefusedRow, RefusedRowId, Via,
};
use crate::ops::audit::{self, Note};
use crate::ops::overdue::overdue_rows;
use crate::ops::people::imports::Counts;
use crate::ops::people::refusals::Refusal;
use crate::ops::{Caller, OpError, Wrong};
use crate::schema::{IMPORT_BY_ACCOUNT, IMPORT_BY_DUE, IMPORT_RUNNING, REFUSED_ROW_BY_IMPORT};
use crate::store::{self, IndexRange, Key, Read, StoreError, WriteTx};

/// Imports of an account that are kept; the oldest ones that do not run make room.
pub const IMPORTS_MAX: usize = 20;

/// A file that somebody sent, before any row is imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewImport {
    /// How it is to be read.
    pub sheet: ImportSheet,
    /// Its text.
    pub text: String,
    /// For each column, the field that it fills.
    pub columns: Vec<String>,
}

/// The choices of the person who begins an import.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Choices {
    /// For each column, the field that it fills; blank for none.
    pub columns: Vec<String>,
    /// Lists that everybody joins.
    pub lists: Vec<String>,
    /// Whether people who are there already take over what the rows say; else they get what they lack alone.
    pub updates: bool,
    /// Whether people are added who opted out of a list.
    pub overrides_opt_out: bool,
}

/// The results of some rows.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StepResult {
    /// Rows that were looked at.
    pub rows: u64,
    /// How many had which result.
    pub counts: Counts,
    /// The refused rows: their places, their cells and why.
    pub refused: Vec<(u64, Vec<String>, Refusal)>,
}

/// Keeps what somebody sent, so that the person can look at what would happen.
///
/// # Errors
/// If the caller is no administrator who manages members.
pub fn keep(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    new: NewImport,
    now: Timestamp,
) -> Result<Import, OpError> {
    caller.require(Permission::ManageMembers)?;
    let ActorKind::Admin(admin) = caller.actor().kind else {
        return Err(OpError::Forbidden { permission: Permission::ManageMembers });
    };
    make_room(tx, caller)?;
    let NewImport { sheet, text, columns } = new;
    let blob = BlobId(tx.put_blob(text.as_bytes())?.0);
    let import = Import {
        id: ImportId(tx.next_id::<Import>()?),
        account: caller.account,
        admin,
        client: caller.actor().client,
        sheet: ImportSheet { text: Some(blob), ..sheet },
        columns,
        lists: Vec::new(),
        updates: false,
        state: ImportState::Draft,
        trouble: None,
        run: 0,
        done: 0,
        created: 0,
        updated: 0,
        unchanged: 0,
        refused: 0,
        made: now,
        changed: now,
        noted: None,
    };
    tx.put(&import)?;
    Ok(import)
}

/// Forgets the oldest imports of an account if it has too many.
fn make_room(tx: &mut WriteTx<'_>, caller: &Caller) -> Result<(), StoreError> {
    let of_account = IndexRange::prefix(Key::new().u64(caller.account.0));
    let kept: Vec<Import> = tx.page(&IMPORT_BY_ACCOUNT, &of_account, usize::MAX)?;
    let over = (kept.len() + 1).saturating_sub(IMPORTS_MAX);
    for old in kept.into_iter().filter(|import| import.state != ImportState::Running).take(over) {
        if !forget(tx, &old)? {
            // It is due at once, and the upkeep forgets the rest.
            tx.put(&Import { changed: Timestamp::default(), ..old })?;
        }
    }
    Ok(())
}

/// An import of the caller's account. Who is limited to lists sees its own alone.
///
/// # Errors
/// If there is none for the caller.
pub fn get(tx: &impl Read, caller: &Caller, id: ImportId) -> Result<Import, OpError> {
    caller.require(Permission::ManageMembers)?;
    let found = tx.get::<Import>(id.0)?.filter(|import| is_seen(caller, import));
    found.ok_or(OpError::NotFound { what: "import" })
}

fn is_seen(caller: &Caller, import: &Import) -> bool {
    let is_whole = caller.limits.lists().is_none() && !caller.limits.hide_fields();
    import.account == caller.account && (is_whole || caller.is_admin(import.admin))
}

/// The imports of the caller's account that were begun, the newest first.
///
/// # Errors
/// If the caller does not manage members.
pub fn list(tx: &impl Read, caller: &Caller) -> Result<Vec<Import>, OpError> {
    caller.require(Permission::ManageMembers)?;
    let of_account = IndexRange::prefix(Key::new().u64(caller.account.0)).backward();
    let mut found: Vec<Import> = tx.page(&IMPORT_BY_ACCOUNT, &of_account, usize::MAX)?;
    found.retain(|import| is_seen(caller, import) && import.state != ImportState::Draft);
    Ok(found)
}

/// The text of an import.
///
/// # Errors
/// If the store fails, or the text is gone.
pub fn text(tx: &impl Read, import: &Import) -> Result<String, StoreError> {
    let gone = || StoreError::corrupt("import", format_args!("{} has no text", import.id));
    let blob = import.sheet.text.ok_or_else(gone)?;
    String::from_utf8(tx.blob(store::BlobId(blob.0))?).map_err(|_| gone())
}

/// Begins an import, with one entry in the audit log for all its rows; returns its run.
///
/// # Errors
/// If it is no draft of the caller's.
pub fn begin(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    id: ImportId,
    choices: Choices,
    now: Timestamp,
) -> Result<u32, OpError> {
    let mut import = get(tx, caller, id)?;
    if import.state != ImportState::Draft {
        return Err(OpError::conflict("action", Wrong::ImportBegun));
    }
    let Choices { columns, lists, updates, overrides_opt_out } = choices;
    if overrides_opt_out {
        let account = import.account;
        tx.put(&ImportOptOuts { import: id, account, is_overridden: true, refused: 0 })?;
    }
    let note = Note::new(AuditAction::ContactImported, 0).named(&import.sheet.name);
    let noted = audit::note(tx, caller, note.detail(&format!("{} rows", import.sheet.rows)), now)?;
    (import.columns, import.lists, import.updates) = (columns, lists, updates);
    import.noted = Some(noted);
    run(tx, import, now)
}

/// Goes on with an import that was stopped; returns its run.
///
/// # Errors
/// If it is not stopped.
pub fn go_on(tx: &mut WriteTx<'_>, caller: &Caller, id: ImportId, now: Timestamp) -> Result<u32, OpError> {
    let import = get(tx, caller, id)?;
    if import.state != ImportState::Stopped {
        return Err(OpError::conflict("action", Wrong::ImportNotStopped));
    }
    let note = Note::new(AuditAction::ContactImported, 0).named(&import.sheet.name).detail("continued");
    audit::note(tx, caller, note, now)?;
    run(tx, import, now)
}

fn run(tx: &mut WriteTx<'_>, import: Import, now: Timestamp) -> Result<u32, OpError> {
    let run = import.run + 1;
    tx.put(&Import { state: ImportState::Running, run, changed: now, trouble: None, ..import })?;
    Ok(run)
}

/// Stops an import behind the step that is under way.
///
/// # Errors
/// If it does not run.
pub fn stop(tx: &mut WriteTx<'_>, caller: &Caller, id: ImportId, now: Timestamp) -> Result<(), OpError> {
    let import = get(tx, caller, id)?;
    if import.state != ImportState::Running {
        return Err(OpError::conflict("action", Wrong::ImportNotRunning));
    }
    let note = Note::new(AuditAction::ContactImported, 0).named(&import.sheet.name).detail("stopped");
    audit::note(tx, caller, note, now)?;
    tx.put(&Import { state: ImportState::Stopped, changed: now, ..import })?;
    Ok(())
}

/// Imports that run, which a start of the server continues.
///
/// # Errors
/// If the store fails.
pub fn running(tx: &impl Read) -> Result<Vec<Import>, StoreError> {
    tx.page(&IMPORT_RUNNING, &IndexRange::prefix(Key::new()), usize::MAX)
}

/// An import that is in this run still, with its account and whoever acts in it now; `None` if the run is over.
///
/// # Errors
/// If the store fails.
pub fn current(
    tx: &impl Read,
    id: ImportId,
    run: u32,
) -> Result<Option<(Import, Account, Option<Caller>)>, StoreError> {
    let is_its = |import: &Import| import.run == run && import.state == ImportState::Running;
    let Some(import) = tx.get::<Import>(id.0)?.filter(is_its) else { return Ok(None) };
    let Some(account) = tx.get::<Account>(import.account.0)? else { return Ok(None) };
    let AdminId(admin) = import.admin;
    // A global administrator acts in any account; another one in its own.
    let admin = tx.get::<Admin>(admin)?.filter(|admin| admin.account.is_none_or(|own| own == account.id));
    let caller = admin.map(|admin| Caller::admin(&admin, account.id, Via::Page, import.client));
    Ok(Some((import, account, caller)))
}

/// Notes the results of a step. Returns whether the run goes on.
///
/// # Errors
/// If the store fails.
pub fn note_step(
    tx: &mut WriteTx<'_>,
    id: ImportId,
    run: u32,
    step: StepResult,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let Some(mut import) = tx.get::<Import>(id.0)?.filter(|import| import.run == run) else {
        return Ok(false);
    };
    let StepResult { rows, counts, refused } = step;
    if 0 < counts.opted_out {
        let account = import.account;
        let known: Option<ImportOptOuts> = tx.get(id.0)?;
        let known = known.unwrap_or(ImportOptOuts { import: id, account, is_overridden: false, refused: 0 });
        tx.put(&ImportOptOuts { refused: known.refused + counts.opted_out, ..known })?;
    }
    import.done += rows;
    import.created += counts.created;
    import.updated += counts.updated;
    import.unchanged += counts.unchanged;
    import.refused += counts.refused;
    import.changed = now;
    for (row, cells, refusal) in refused {
        let reason = refusal.keep();
        let id = RefusedRowId(tx.next_id::<RefusedRow>()?);
        tx.put(&RefusedRow { id, account: import.account, import: import.id, row, cells, reason })?;
    }
    let goes_on = import.state == ImportState::Running;
    settle(tx, &import)?;
    tx.put(&import)?;
    Ok(goes_on)
}

/// Ends a run: every row is done, or the run cannot go on for the reason in `trouble`.
///
/// # Errors
/// If the store fails.
pub fn end(
    tx: &mut WriteTx<'_>,
    id: ImportId,
    run: u32,
    trouble: Option<ImportTrouble>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let is_its = |import: &Import| import.run == run && import.state == ImportState::Running;
    let Some(mut import) = tx.get::<Import>(id.0)?.filter(is_its) else { return Ok(()) };
    match trouble {
        None => {
            import.state = ImportState::Done;
            import.sheet.text = None;
        }
        Some(trouble) => {
            import.state = ImportState::Stopped;
            import.trouble = Some(trouble);
        }
    }
    import.changed = now;
    settle(tx, &import)?;
    tx.put(&import)
}

/// Writes the counts into the entry of the audit log.
fn settle(tx: &mut WriteTx<'_>, import: &Import) -> Result<(), StoreError> {
    let Some(noted) = import.noted else { return Ok(()) };
    let Import { created, updated, unchanged, refused, .. } = *import;
    let counts = Counts { created, updated, unchanged, refused, opted_out: 0 };
    audit::settle(tx, noted, &counts.detail())
}

/// Whether an import adds people who opted out of a list.
///
/// # Errors
/// If the store fails.
pub fn overrides_opt_out(tx: &impl Read, id: ImportId) -> Result<bool, StoreError> {
    Ok(tx.get::<ImportOptOuts>(id.0)?.is_some_and(|opt_outs| opt_outs.is_overridden))
}

/// The rows that an import has refused because the person opted out.
///
/// # Errors
/// If the store fails.
pub fn opted_out(tx: &impl Read, id: ImportId) -> Result<u64, StoreError> {
    Ok(tx.get::<ImportOptOuts>(id.0)?.map_or(0, |opt_outs| opt_outs.refused))
}

/// The refused rows of an import behind a position, in the order of the file.
///
/// # Errors
/// If the store fails.
pub fn refused(
    tx: &impl Read,
    import: &Import,
    after: u64,
    limit: usize,
) -> Result<Vec<RefusedRow>, StoreError> {
    let of_import = Key::new().u64(import.account.0).u64(import.id.0);
    tx.page(&REFUSED_ROW_BY_IMPORT, &IndexRange::prefix(of_import).after_id(after), limit)
}

/// Forgets an import. Very many refused rows go in several steps, the import with the last of them; returns whether it is
/// gone.
fn forget(tx: &mut WriteTx<'_>, import: &Import) -> Result<bool, StoreError> {
    let of_import = Key::new().u64(import.account.0).u64(import.id.0).into();
    let is_last = tx.delete_range(&REFUSED_ROW_BY_IMPORT, &of_import, REFUSED_PER_STEP)? < REFUSED_PER_STEP;
    if is_last {
        tx.delete::<ImportOptOuts>(import.id.0)?;
        tx.delete::<Import>(import.id.0)?;
    }
    Ok(is_last)
}

/// Forgets imports whose time is over, at most `limit`.
pub(in crate::ops) fn expire(tx: &mut WriteTx<'_>, now: Timestamp, limit: usize) -> Result<(), StoreError> {
    for id in overdue_rows(tx, &IMPORT_BY_DUE, now, limit)? {
        let Some(import) = tx.get::<Import>(id)? else { continue };
        if !forget(tx, &import)? {
            break;
        }
    }
    Ok(())
}

/// Refused rows that one step forgets.
const REFUSED_PER_STEP: usize = 5000;
