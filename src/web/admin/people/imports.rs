//! Importing people: a file or pasted text, what its columns mean, what would happen, and the task that takes it in.
//!
//! What was sent is kept with the account for a day, so that the pages behind it need not send it again. Nothing changes
//! before the button that says so.

use std::collections::BTreeSet;
use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use super::import_sheet::{self, CHARSETS};
use super::index::{PATH as PEOPLE, list_names};
use crate::locale::{number, text};
use crate::model::import::ImportSheet;
use crate::model::{Account, CustomField, Import, ImportId, ImportState, ImportTrouble, Language, UndoId};
use crate::ops::people::contacts;
use crate::ops::people::import_tasks::{self as ops, Choices, NewImport};
use crate::ops::people::imports::Outcome;
use crate::ops::people::refusals::{Refusal, say_kept};
use crate::ops::{Caller, OpContext, OpError, Said as _};
use crate::params::columns::REASON_COLUMN;
use crate::params::objects;
use crate::params::people::SHEETS;
use crate::params::sheet::{self, COLUMNS_MAX, OtherFile, SEPARATORS};
use crate::service::rows::stored::{Reading, SheetReader as _, rehearse};
use crate::store::{StoreError, WriteTx};
use crate::web::admin::parts::csv;
use crate::web::admin::parts::undo::UndoView;
use crate::web::assets;
use crate::web::context::{Context, blocking};
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;

/// Its path.
const PATH: &str = "/admin/people/import/";
/// The largest form: well over a hundred thousand rows, and within what one client may have in memory.
pub(in crate::web) const FORM_BYTES_MAX: usize = 20 << 20;
/// Rows that an import may have.
const ROWS_MAX: usize = 200_000;
/// Refused rows, and other rows, that a preview shows.
const SHOWN_MAX: usize = 20;
/// Rows that are looked at at a time.
const ROWS_AT_A_TIME: usize = 1000;
/// Refused rows in one part of a file.
const FILE_PART: usize = 1000;

#[derive(Template)]
#[template(path = "admin_import.html", config = "src/web/askama.toml")]
struct ImportPage {
    frame: Frame,
    csrf: String,
    action: String,
    problems: FieldProblems,
    people: String,
    pasted: String,
    charsets: &'static [&'static str],
    separators: Vec<(String, String)>,
    earlier: Vec<EarlierRow>,
}

/// An import that was begun.
struct EarlierRow {
    href: String,
    name: String,
    words: String,
}

#[derive(Template)]
#[template(path = "admin_import_preview.html", config = "src/web/askama.toml")]
struct PreviewPage {
    frame: Frame,
    csrf: String,
    action: String,
    problems: FieldProblems,
    people: String,
    imports: String,
    about: String,
    columns: Vec<ColumnChoice>,
    lists: Vec<(String, bool)>,
    updates: bool,
    overrides_opt_out: bool,
    /// Whether the rows put nobody on a list.
    is_without_list: bool,
    /// That it is too large to be undone; blank if it is not.
    for_good: String,
    /// The page on which fields of people are made.
    custom_fields: Option<String>,
    /// The outcome that it would have; `None` while a problem keeps it from being found out.
    would: Option<Would>,
}

/// The field that a column fills.
struct ColumnChoice {
    id: String,
    head: String,
    example: String,
    options: Vec<(String, String, bool)>,
}

/// The results that the rows would have.
#[derive(Default)]
struct Would {
    created: u64,
    updated: u64,
    unchanged: u64,
    refused: u64,
    /// Those of them that are refused because the person opted out.
    opted_out: u64,
    bad: Vec<RowShown>,
    good: Vec<RowShown>,
}

struct RowShown {
    row: u64,
    cells: String,
    /// Why it is refused, or what it leads to.
    words: String,
}

#[derive(Template)]
#[template(path = "admin_import_task.html", config = "src/web/askama.toml")]
struct TaskPage {
    frame: Frame,
    csrf: String,
    action: String,
    problems: FieldProblems,
    people: String,
    imports: String,
    title: String,
    state: &'static str,
    trouble: String,
    done: u64,
    rows: u64,
    progress: String,
    created: String,
    updated: String,
    unchanged: String,
    refused: u64,
    refused_words: String,
    opted_out: u64,
    rejects: String,
    undo: Option<UndoView>,
}

/// `GET /admin/people/import/`
pub(in crate::web) fn page(context: &Context) -> PageResult {
    context.show(&form(context, FieldProblems::default())?)
}

fn form(context: &Context, problems: FieldProblems) -> Result<ImportPage, PageError> {
    let language = context.language;
    let earlier = ops::list(&context.core.store.read()?, context.administrator()?)?;
    let earlier = earlier.iter().map(|import| EarlierRow {
        href: context.href(&path_of(import.id)),
        name: name_of(language, import),
        words: state_words(context, import),
    });
    let separators =
        SEPARATORS.map(|separator| (separator.to_string(), separator_words(language, separator)));
    Ok(ImportPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(PATH),
        people: context.href(PEOPLE),
        pasted: context.form.get("csv").to_owned(),
        charsets: &CHARSETS,
        separators: separators.to_vec(),
        earlier: earlier.collect(),
        problems,
    })
}

fn path_of(id: ImportId) -> String {
    format!("{PATH}{id}/")
}

fn name_of(language: Language, import: &Import) -> String {
    if import.sheet.name.is_empty() { text!(language, "import-pasted") } else { import.sheet.name.clone() }
}

fn separator_words(language: Language, separator: char) -> String {
    match separator {
        ';' => text!(language, "import-semicolons"),
        '\t' => text!(language, "import-tabs"),
        '|' => text!(language, "import-bars"),
        _ => text!(language, "import-commas"),
    }
}

/// How far an import has come, in words.
fn state_words(context: &Context, import: &Import) -> String {
    let (language, day) = (context.language, context.locale().moment(import.changed));
    match import.state {
        ImportState::Draft => text!(language, "import-state-draft", time = day),
        ImportState::Running => text!(language, "import-state-running", time = day),
        ImportState::Stopped => text!(language, "import-state-stopped", time = day),
        ImportState::Done => text!(language, "import-state-done", time = day),
    }
}

/// `POST /admin/people/import/`: `file` or `csv`, with `action=preview`.
pub(in crate::web) async fn send(context: Arc<Context>) -> PageResult {
    let language = context.language;
    let refused = |field: &'static str, problem: String| {
        context.html(StatusCode::BAD_REQUEST, &form(&context, FieldProblems::one(field, problem))?)
    };
    if context.form.get("action") != "preview" {
        return refused("file", text!(language, "problem-no-button"));
    }
    let file = context.form.files("file").find(|file| !file.bytes.is_empty());
    match file.and_then(|file| sheet::other_file(&file.bytes)) {
        Some(OtherFile::Workbook) => return refused("file", text!(language, "import-workbook")),
        Some(OtherFile::Cards) => return refused("file", text!(language, "import-cards")),
        None => {}
    }
    let (name, (text, charset)) = if let Some(file) = file {
        (file.name.clone(), import_sheet::decode(&file.bytes, context.form.get("charset")))
    } else {
        let pasted = context.form.get("csv");
        let text = import_sheet::sheet_of(pasted).unwrap_or_else(|| pasted.to_owned());
        (String::new(), (text, "UTF-8".to_owned()))
    };
    let text = if objects::is_json(text.as_bytes()) {
        match objects::as_csv(&text) {
            Ok(csv) => csv,
            Err(_) => return refused("file", text!(language, "import-json-broken")),
        }
    } else {
        text
    };
    let start = sheet::start_of(&text);
    let text = text.get(start.skipped_bytes..).unwrap_or_default().to_owned();
    let chosen = context.form.get("separator").chars().next().filter(|chosen| SEPARATORS.contains(chosen));
    let separator = chosen.unwrap_or(start.separator);
    let caller = Arc::clone(context.administrator()?);
    let account = contacts::account_of(&context.core.store.read()?, &caller)?;
    let reading = tokio::task::spawn_blocking(move || {
        let first: Option<Vec<String>> = sheet::rows(&text, separator).next();
        let count = sheet::rows(&text, separator).take(ROWS_MAX + 2).count();
        (text, first, count)
    });
    let (text, first, count) = reading.await.map_err(|error| PageError::Internal(error.to_string()))?;
    let Some(first) = first else { return refused("file", text!(language, "import-empty")) };
    let has_head = import_sheet::is_head(&first);
    let rows = count - usize::from(has_head);
    if rows == 0 {
        return refused("file", text!(language, "import-head-alone"));
    }
    if ROWS_MAX < rows || COLUMNS_MAX < first.len() {
        let (rows, columns) = (number(language, ROWS_MAX as u64), COLUMNS_MAX);
        return refused("file", text!(language, "import-too-large", rows = rows, columns = columns));
    }
    let columns = import_sheet::guess(&first, has_head, &account.custom_fields);
    let rows = u64::try_from(rows).unwrap_or(u64::MAX);
    let sheet = ImportSheet { name: cut(&name), text: None, separator, has_head, charset, rows };
    let new = NewImport { sheet, text, columns };
    // Nothing of it is taken in yet, and it goes by itself: the audit log has the import once it begins.
    let keep = move |tx: &mut WriteTx<'_>, by: &OpContext| ops::keep(tx, &caller, new, by.now);
    let import = context.core.perform(&Caller::of_server(), keep).await?;
    preview(&context, import, StatusCode::OK, FieldProblems::default()).await
}

/// The name of a file as it is kept: without the folders that some browsers send.
fn cut(name: &str) -> String {
    name.rsplit(['/', '\\']).next().unwrap_or_default().chars().filter(|c| !c.is_control()).take(80).collect()
}

/// The import in the path.
fn find(context: &Context) -> Result<Import, PageError> {
    let id = contacts::parse_id(context.param("id")).map(ImportId).ok_or(PageError::NotFound)?;
    Ok(ops::get(&context.core.store.read()?, context.administrator()?, id)?)
}

/// `GET /admin/people/import/{id}/`: what would happen, or how far it has come.
pub(in crate::web) async fn task(context: Arc<Context>) -> PageResult {
    let import = find(&context)?;
    if import.state == ImportState::Draft {
        return preview(&context, import, StatusCode::OK, FieldProblems::default()).await;
    }
    context.show(&progress(&context, &import, FieldProblems::default())?).map(assets::with_script)
}

/// `POST /admin/people/import/{id}/`: `action=preview` looks again with other columns, `import` begins, `stop` and
/// `continue` do what they say.
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    let import = find(&context)?;
    let (core, id, caller) = (&context.core, import.id, context.administrator()?);
    let done: Result<(), OpError> = match context.form.get("action") {
        "preview" if import.state == ImportState::Draft => {
            let import = with_choices(&context, import);
            return preview(&context, import, StatusCode::OK, FieldProblems::default()).await;
        }
        "import" => {
            let import = with_choices(&context, import);
            if !import.columns.iter().any(|column| column == "emails") {
                let problem = text!(context.language, "import-no-emails");
                let problems = FieldProblems::one("column-0", problem);
                return preview(&context, import, StatusCode::BAD_REQUEST, problems).await;
            }
            let Import { columns, lists, updates, .. } = import;
            let overrides_opt_out = context.form.has("override_opt_out");
            let choices = Choices { columns, lists, updates, overrides_opt_out };
            core.begin_import(caller, SHEETS, id, choices).await
        }
        "stop" => core.stop_import(caller, id).await,
        "continue" => core.continue_import(caller, SHEETS, id).await,
        _ => {
            let problems = FieldProblems::one("import", text!(context.language, "problem-no-button"));
            if import.state == ImportState::Draft {
                return preview(&context, import, StatusCode::BAD_REQUEST, problems).await;
            }
            let page = progress(&context, &import, problems)?;
            return context.html(StatusCode::BAD_REQUEST, &page).map(assets::with_script);
        }
    };
    match done {
        Ok(()) => Ok(context.see_other(&path_of(id))),
        Err(OpError::Conflict { problem, .. }) => {
            let problems = FieldProblems::one("import", problem.say(context.language));
            let page = progress(&context, &find(&context)?, problems)?;
            context.html(StatusCode::CONFLICT, &page).map(assets::with_script)
        }
        Err(error) => Err(error.into()),
    }
}

/// The import as the form wants it.
fn with_choices(context: &Context, import: Import) -> Import {
    let form = &context.form;
    let column = |(place, known): (usize, &String)| {
        let name = format!("column-{place}");
        // What somebody decided elsewhere is never left out.
        let is_fixed = import_sheet::is_decision(known);
        if !is_fixed && form.has(&name) { form.get(&name).to_owned() } else { known.clone() }
    };
    Import {
        columns: import.columns.iter().enumerate().map(column).collect(),
        lists: form.all("list").filter(|list| !list.is_empty()).map(str::to_owned).collect(),
        updates: form.get("existing") == "update",
        ..import
    }
}

/// Shows what would happen.
async fn preview(
    context: &Arc<Context>,
    import: Import,
    status: StatusCode,
    problems: FieldProblems,
) -> PageResult {
    let caller = Arc::clone(context.administrator()?);
    let (core, language) = (&context.core, context.language);
    let account = contacts::account_of(&core.store.read()?, &caller)?;
    let kept = import.clone();
    let store = core.store.clone();
    let reading = tokio::task::spawn_blocking(move || -> Result<String, StoreError> {
        ops::text(&store.read()?, &kept)
    });
    let text = reading.await.map_err(|error| PageError::Internal(error.to_string()))??;
    // Rows are read part by part: many cells take far more memory than their text.
    let mut rows = sheet::rows(&text, import.sheet.separator).peekable();
    let head = if import.sheet.has_head { rows.next().unwrap_or_default() } else { Vec::new() };
    let example = rows.peek().cloned().unwrap_or_default();
    let overrides_opt_out = context.form.has("override_opt_out");
    let reading = Reading::new(account.clone(), &import, overrides_opt_out);
    let would = look(context, &caller, &reading, rows).await?;
    let columns = import.columns.iter().enumerate().map(|(place, chosen)| {
        let head = head.get(place).filter(|head| !head.is_empty()).cloned();
        ColumnChoice {
            id: format!("column-{place}"),
            head: head.map_or_else(
                || text!(language, "import-column", number = place + 1),
                |head| import_sheet::shown(&head),
            ),
            example: example.get(place).map(|cell| import_sheet::shown(cell)).unwrap_or_default(),
            options: options(language, &account, chosen),
        }
    });
    let names = list_names(context, &core.store.read()?)?;
    let has_lists = import.columns.iter().any(|column| column == "lists");
    let lists = names.into_iter().map(|name| (name.clone(), import.lists.contains(&name))).collect();
    let about = text!(
        language,
        "import-about",
        name = name_of(language, &import),
        rows = import.sheet.rows,
        separator = separator_words(language, import.sheet.separator),
        charset = &import.sheet.charset
    );
    let page = PreviewPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(&path_of(import.id)),
        people: context.href(PEOPLE),
        imports: context.href(PATH),
        about,
        columns: columns.collect(),
        lists,
        updates: import.updates,
        overrides_opt_out,
        is_without_list: import.lists.is_empty() && !has_lists,
        for_good: if import.is_undoable() { String::new() } else { text!(language, "import-for-good") },
        custom_fields: context.offered("/admin/settings/fields/"),
        would: Some(would),
        problems,
    };
    context.html(status, &page)
}

/// The fields that a column may fill.
fn options(language: Language, account: &Account, chosen: &str) -> Vec<(String, String, bool)> {
    if import_sheet::is_decision(chosen) {
        return vec![(chosen.to_owned(), text!(language, "import-decides"), true)];
    }
    let mut options = vec![
        (String::new(), text!(language, "import-leave-out")),
        ("emails".to_owned(), text!(language, "import-emails")),
        ("name".to_owned(), text!(language, "import-name")),
        ("firstname".to_owned(), text!(language, "me-firstname")),
        ("surname".to_owned(), text!(language, "me-surname")),
        ("lists".to_owned(), text!(language, "import-lists")),
        ("ccid".to_owned(), text!(language, "admin-person-ccid")),
        ("notes".to_owned(), text!(language, "admin-person-notes")),
    ];
    let special = match chosen {
        "attributes" => Some(text!(language, "import-attributes")),
        "other-name" => Some(text!(language, "import-name")),
        "joined-at" => Some(text!(language, "import-joined-at")),
        part if part.starts_with("joined-part-") => Some(text!(language, "import-joined-at")),
        "joined-from" => Some(text!(language, "import-joined-from")),
        _ => None,
    };
    options.extend(special.map(|words| (chosen.to_owned(), words)));
    let custom = |field: &CustomField| (field.key().to_owned(), field.name.clone());
    options.extend(account.custom_fields.iter().map(custom));
    options.into_iter().map(|(value, words)| (value.clone(), words, value == chosen)).collect()
}

/// The cells of a row as a page repeats them.
fn shown_cells(cells: &[String]) -> String {
    cells.iter().map(|cell| import_sheet::shown(cell)).collect::<Vec<_>>().join(" · ")
}

/// The name that a problem has for a field: that of the column that the field is offered for.
fn label_of(language: Language, account: &Account, field: &str) -> Option<String> {
    let mut columns = options(language, account, "").into_iter();
    columns.find(|(name, ..)| name == field).map(|(_, label, _)| label)
}

/// Why a row is refused.
fn refusal_words(context: &Context, account: &Account, refusal: &Refusal) -> String {
    let label = |field: &str| label_of(context.language, account, field);
    import_sheet::shown(&refusal.say(&context.locale(), label))
}

/// Why an import stopped by itself; blank if it did not.
fn trouble_words(language: Language, trouble: Option<&ImportTrouble>) -> String {
    match trouble {
        None => String::new(),
        Some(ImportTrouble::Written(sentence)) => sentence.clone(),
        Some(ImportTrouble::NoAdmin) => text!(language, "import-trouble-no-admin"),
        Some(ImportTrouble::NotSaved) => text!(language, "import-trouble-not-saved"),
    }
}

/// Looks at every row, and changes nothing.
async fn look(
    context: &Context,
    caller: &Caller,
    reading: &Reading,
    mut rows: impl Iterator<Item = Vec<String>> + Send,
) -> Result<Would, PageError> {
    let (mut would, mut seen) = (Would::default(), BTreeSet::new());
    let mut place = 0;
    loop {
        let part: Vec<Vec<String>> = rows.by_ref().take(ROWS_AT_A_TIME).collect();
        if part.is_empty() {
            return Ok(would);
        }
        let people = SHEETS.people(reading, &part);
        let found = rehearse(&context.core, caller, reading, people, &mut seen).await?;
        for (cells, found) in part.iter().zip(found) {
            place += 1;
            let shown = |words: String| RowShown { row: place, cells: shown_cells(cells), words };
            let outcome = match found {
                Ok(outcome) => outcome,
                Err(refusal) => {
                    would.refused += 1;
                    would.opted_out += u64::from(refusal.has_opted_out());
                    if would.bad.len() < SHOWN_MAX {
                        would.bad.push(shown(refusal_words(context, &reading.account, &refusal)));
                    }
                    continue;
                }
            };
            let words = match outcome {
                Outcome::Created => {
                    would.created += 1;
                    text!(context.language, "import-new")
                }
                Outcome::Updated => {
                    would.updated += 1;
                    text!(context.language, "import-changed")
                }
                Outcome::Skipped => {
                    would.unchanged += 1;
                    continue;
                }
                Outcome::OptedOut { .. } => continue,
            };
            if would.good.len() < SHOWN_MAX {
                would.good.push(shown(words));
            }
        }
        // Others get their turn between the parts of a long file.
        tokio::task::yield_now().await;
    }
}

fn progress(context: &Context, import: &Import, problems: FieldProblems) -> Result<TaskPage, PageError> {
    let language = context.language;
    let tx = context.core.store.read()?;
    let opted_out = ops::opted_out(&tx, import.id)?;
    let is_over = !matches!(import.state, ImportState::Draft | ImportState::Running);
    let undo = if is_over { UndoView::find(context, &tx, UndoId::of_import(import.id))? } else { None };
    let name = name_of(language, import);
    let title = match import.state {
        ImportState::Draft | ImportState::Running => text!(language, "import-title-running", name = name),
        ImportState::Stopped => text!(language, "import-title-stopped", name = name),
        ImportState::Done => text!(language, "import-title-done", name = name),
    };
    let (done, rows) = (import.done, import.sheet.rows);
    let shown = |count: u64| number(language, count);
    Ok(TaskPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(&path_of(import.id)),
        people: newest_people(context, import),
        imports: context.href(PATH),
        title,
        state: match import.state {
            ImportState::Draft | ImportState::Running => "running",
            ImportState::Stopped => "stopped",
            ImportState::Done => "done",
        },
        trouble: trouble_words(language, import.trouble.as_ref()),
        done,
        rows,
        progress: text!(language, "import-progress", done = shown(done), rows = shown(rows)),
        created: shown(import.created),
        updated: shown(import.updated),
        unchanged: shown(import.unchanged),
        refused: import.refused,
        refused_words: shown(import.refused),
        opted_out,
        rejects: context.href(&format!("{}refused/", path_of(import.id))),
        undo,
        problems,
    })
}

/// The listing of people with the newest first, of the list that they were put on if it is one.
fn newest_people(context: &Context, import: &Import) -> String {
    let people = context.offered(PEOPLE).unwrap_or_default();
    match (import.state, import.lists.as_slice()) {
        (ImportState::Done, [list]) => format!("{people}?list={list}&sort=-since"),
        (ImportState::Done, _) => format!("{people}?sort=-since"),
        _ => people,
    }
}

/// `GET /admin/people/import/{id}/refused/`: the refused rows as they came, with the reason in the last column.
pub(in crate::web) async fn refused(context: Arc<Context>) -> PageResult {
    let import = find(&context)?;
    csv::note_export(&context, "refused rows", &import.sheet.name).await?;
    blocking(&context, move |context| {
        let mut head: Vec<String> = import.columns.clone();
        for (place, name) in head.iter_mut().enumerate().filter(|(_, name)| name.is_empty()) {
            *name = format!("column {}", place + 1);
        }
        head.push(REASON_COLUMN.to_owned());
        let width = import.columns.len();
        let (language, locale) = (context.language, context.locale());
        let account = contacts::account_of(&context.core.store.read()?, context.administrator()?)?;
        let head: Vec<&str> = head.iter().map(String::as_str).collect();
        let mut after = 0;
        Ok(csv::streamed(context, "refused", &head, move |tx| -> Result<_, StoreError> {
            let part = ops::refused(tx, &import, after, FILE_PART)?;
            let Some(last) = part.last() else { return Ok(None) };
            after = last.id.0;
            let row = |row: &crate::model::RefusedRow| {
                // The reason stands in its own column, however many cells the row has.
                let mut cells: Vec<String> = row.cells.iter().take(width).cloned().collect();
                cells.resize(width, String::new());
                let label = |field: &str| label_of(language, &account, field);
                cells.push(import_sheet::shown(&say_kept(&row.reason, &locale, label)));
                cells
            };
            Ok(Some(part.iter().map(row).collect()))
        }))
    })
    .await
}
