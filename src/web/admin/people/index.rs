//! The address book: everybody, searched and filtered, with what is done with several at once, and the page on which
//! somebody is added. One person's page is in `person`.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use crate::locale::{Locale, text};
use crate::model::{Account, Contact, ContactId, Language, Permission};
use crate::ops::lists::{self, ListFilter, Members};
use crate::ops::paging::{Sought, newest};
use crate::ops::people::browse::{self, PausedBy, People, PeopleFilter};
use crate::ops::people::contacts::{self, ContactDetail};
use crate::ops::undo::actions::{self, Acted};
use crate::ops::{OpContext, OpError, PageRequest};
use crate::store::{ReadTx, WriteTx};
use crate::web::admin::parts::csv;
use crate::web::admin::parts::listing::{self, AT_ONCE_MAX, Asked, Filter, Listing, ListingView, SortHead};
use crate::web::admin::parts::undo::{self, UndoView};
use crate::web::admin::parts::words;
use crate::web::assets;
use crate::web::context::{Context, blocking};
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;

/// Its path.
pub(in crate::web) const PATH: &str = "/admin/people/";
const LISTING: Listing = Listing { filters: &["list", "state"], sorts: &["since", "name"] };
/// Lists among which the filter chooses.
const LISTS_MAX: usize = 500;
/// People in one part of a file.
const FILE_PART: usize = 500;
/// The columns of the file: fields of the API, behind which the custom fields follow.
const COLUMNS: &[&str] =
    &["id", "ccid", "firstname", "surname", "emails", "lists", "paused", "created", "notes"];

#[derive(Template)]
#[template(path = "admin_people.html", config = "src/web/askama.toml")]
struct PeoplePage {
    frame: Frame,
    csrf: String,
    problems: FieldProblems,
    /// The last action.
    told: String,
    undo: Option<UndoView>,
    listing: ListingView,
    /// How many there are, in words.
    caption: String,
    is_cut: bool,
    /// The words for an action on all people who are found; `None` where this page has them all.
    all: Option<String>,
    /// The number of the newest contact.
    newest: u64,
    rows: Vec<Row>,
    since: SortHead,
    /// None where there are too many to sort them by name.
    name: Option<SortHead>,
    /// Whether the administrator may change them.
    manages: bool,
    lists: Vec<String>,
    new: String,
    import: String,
}

/// One person.
struct Row {
    id: u64,
    href: String,
    /// The name; blank if there is none.
    name: String,
    address: String,
    /// How many more addresses there are.
    more: usize,
    lists: Vec<String>,
    state: State,
    since: String,
}

impl Row {
    fn parts(&self) -> impl Iterator<Item = &str> {
        self.address.split_inclusive(['@', '.'])
    }
}

/// Whether somebody gets mail, as a badge says it.
pub(in crate::web::admin) struct State {
    /// The class of the badge.
    pub(in crate::web::admin) class: &'static str,
    pub(in crate::web::admin) words: String,
}

/// `GET /admin/people/`
pub(in crate::web) async fn page(context: Arc<Context>) -> PageResult {
    let asked = LISTING.read(&context)?;
    if asked.is_csv {
        return file(&context, &asked).await;
    }
    blocking(&context, |context| context.show(&people(context, FieldProblems::default())?))
        .await
        .map(assets::with_script)
}

/// The filter by the state of people's addresses.
pub(in crate::web::admin) fn state_filter(language: Language, asked: &Asked) -> Filter {
    let states = [
        ("bouncing".to_owned(), text!(language, "admin-people-state-bouncing")),
        ("paused".to_owned(), text!(language, "admin-people-state-paused")),
    ];
    let (label, all) = (text!(language, "admin-people-state"), text!(language, "admin-people-state-all"));
    asked.filter_view("state", label, all, states)
}

/// The filter that the address asks for.
pub(in crate::web::admin) fn filter_of(asked: &Asked) -> PeopleFilter {
    PeopleFilter {
        search: asked.search.clone(),
        list: Some(asked.filter("list").to_owned()).filter(|list| !list.is_empty()),
        paused: match asked.filter("state") {
            "paused" => Some(PausedBy::Person),
            "bouncing" => Some(PausedBy::Server),
            _ => None,
        },
    }
}

/// The names of the lists that the administrator sees.
pub(in crate::web::admin) fn list_names(context: &Context, tx: &ReadTx) -> Result<Vec<String>, PageError> {
    let window = PageRequest::Page { page: 1, limit: LISTS_MAX };
    let found = lists::list(tx, context.administrator()?, &ListFilter::default(), Members::Skip, window)?;
    Ok(found.rows.iter().map(|list| list.list.name.to_string()).collect())
}

fn people(context: &Context, problems: FieldProblems) -> Result<PeoplePage, PageError> {
    let asked = LISTING.read(context)?;
    let (filter, caller, language) = (filter_of(&asked), context.administrator()?, context.language);
    let tx = context.read()?;
    let (mut view, found) = found(context, &tx, &asked, &filter)?;
    let names = list_names(context, &tx)?;
    view.search_label = text!(language, "admin-people-search");
    let choices = names.iter().map(|name| (name.clone(), name.clone()));
    let (label, all) = (text!(language, "admin-people-list"), text!(language, "admin-people-list-all"));
    view.filters.push(asked.filter_view("list", label, all, choices));
    view.filters.push(state_filter(language, &asked));
    let undo = UndoView::read(context, &tx)?;
    let is_few = found.count.is_some_and(|count| count <= browse::NAMED_MAX);
    Ok(PeoplePage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        problems,
        told: told(context, undo.is_some()),
        undo,
        caption: match found.count {
            Some(count) if view.is_narrowed => text!(language, "admin-people-found", count = count),
            Some(count) => text!(language, "admin-people-count", count = count),
            None => text!(language, "admin-people-some"),
        },
        is_cut: found.is_cut,
        all: listing::all_words(language, found.count, &view),
        newest: newest::<Contact>(&tx)?,
        rows: found.page.rows.iter().map(|detail| row(context, detail)).collect(),
        since: asked.head("since"),
        name: is_few.then(|| asked.head("name")),
        manages: caller.holds(Permission::ManageMembers),
        lists: names,
        new: context.href("/admin/people/new/"),
        import: context.href("/admin/people/import/"),
        listing: view,
    })
}

/// The page of people that is asked for, in the order of their names where they are few enough for that.
pub(in crate::web::admin) fn found(
    context: &Context,
    tx: &ReadTx,
    asked: &Asked,
    filter: &PeopleFilter,
) -> Result<(ListingView, People), PageError> {
    let caller = context.administrator()?;
    if asked.sort == "name"
        && let Some((rows, count)) =
            browse::page_by_name(tx, caller, filter, asked.window(), asked.is_descending)?
    {
        let view = asked.view_by_number(context, count);
        let page = Sought { rows, before: None, after: None };
        return Ok((view, People { page, count: Some(count), is_cut: false }));
    }
    let found = browse::page(tx, caller, filter, asked.seek())?;
    Ok((asked.view(context, &found.page), found))
}

/// The last action, which the query of the address names, in words; of one that can be undone, what is not said there.
fn told(context: &Context, is_undoable: bool) -> String {
    let count: u64 = context.query.get("count").parse().unwrap_or(0);
    let language = context.language;
    match context.query.get("done") {
        "add" if is_undoable => {
            let opted_out: u64 = context.query.get("opted-out").parse().unwrap_or(0);
            if opted_out == 0 {
                String::new()
            } else {
                text!(language, "admin-people-opted-out", count = opted_out)
            }
        }
        _ if is_undoable => String::new(),
        "delete" => text!(language, "admin-people-done-delete", count = count),
        "add" => {
            let opted_out: u64 = context.query.get("opted-out").parse().unwrap_or(0);
            let added = text!(language, "admin-people-done-add", count = count);
            match opted_out {
                0 => added,
                _ => format!("{added} {}", text!(language, "admin-people-opted-out", count = opted_out)),
            }
        }
        "remove" => text!(language, "admin-people-done-remove", count = count),
        "resume" => text!(language, "admin-people-done-resume", count = count),
        "erase" => text!(language, "admin-person-done-erase"),
        _ => String::new(),
    }
}

fn row(context: &Context, detail: &ContactDetail) -> Row {
    let ContactDetail { contact, emails, members } = detail;
    let locale = context.locale();
    Row {
        id: contact.id.0,
        href: context.href(&path_of(contact.id)),
        name: contact.name(),
        address: emails.first().map(|email| email.address.to_string()).unwrap_or_default(),
        more: emails.len().saturating_sub(1),
        lists: members.iter().map(|member| member.list.to_string()).collect(),
        state: state(&locale, detail),
        since: locale.day(contact.created),
    }
}

/// The path of a person's page.
pub(in crate::web::admin) fn path_of(contact: ContactId) -> String {
    format!("{PATH}{contact}/")
}

/// Whether somebody gets mail, and why not.
pub(in crate::web::admin) fn state(locale: &Locale, detail: &ContactDetail) -> State {
    let language = locale.language;
    let ContactDetail { contact: _, emails, members } = detail;
    let mut taking = emails.iter().filter(|email| !email.paused).peekable();
    if taking.peek().is_some() {
        let without: Vec<&str> = members
            .iter()
            .filter(|member| member.membership.paused)
            .map(|member| member.list.as_str())
            .collect();
        if !without.is_empty() {
            let words = text!(language, "admin-state-not-from", lists = without.join(", "));
            return State { class: "warn", words };
        }
        if taking.any(|email| email.evidence.is_some()) {
            return State { class: "warn", words: text!(language, "admin-state-trouble") };
        }
        return State { class: "good", words: text!(language, "admin-state-active") };
    }
    let pause = emails.iter().find_map(|email| email.evidence.as_ref()?.pause.as_ref());
    match pause {
        Some(pause) => State { class: "bad", words: words::cause(language, pause.cause) },
        None => State { class: "warn", words: text!(language, "admin-state-paused") },
    }
}

/// The name of a contact in calls, by its number.
pub(in crate::web::admin) fn call_name(account: &Account, contact: ContactId) -> String {
    if account.ccid_enabled { format!("~{contact}") } else { contact.to_string() }
}

/// The listing as a file: everybody who passes the filters.
async fn file(context: &Context, asked: &Asked) -> PageResult {
    let (filter, caller) = (filter_of(asked), Arc::clone(context.administrator()?));
    let account = contacts::account_of(&context.read()?, &caller)?;
    // What cannot be read is told before a file begins.
    browse::matching(&context.read()?, &caller, &filter, 0, 1)?;
    csv::note_export(context, "people", &described(asked)).await?;
    let mut head: Vec<&str> = COLUMNS.to_vec();
    let custom: Vec<String> = account.custom_fields.iter().map(|field| field.key().to_owned()).collect();
    head.extend(custom.iter().map(String::as_str));
    let mut after = Some(0);
    let fields = account.custom_fields.clone();
    Ok(csv::streamed(context, "people", &head, move |tx| -> Result<_, OpError> {
        let Some(from) = after else { return Ok(None) };
        let part = browse::matching(tx, &caller, &filter, from, FILE_PART)?;
        after = part.last().map(|detail| detail.contact.id.0).filter(|_| part.len() == FILE_PART);
        let cells = |detail: &ContactDetail| {
            let ContactDetail { contact, emails, members } = detail;
            let all = |texts: Vec<String>| texts.join(", ");
            let mut cells = vec![
                contact.id.to_string(),
                contact.ccid.clone().unwrap_or_default(),
                contact.firstname.clone(),
                contact.surname.clone(),
                all(emails.iter().map(|email| email.address.to_string()).collect()),
                all(members.iter().map(|member| member.list.to_string()).collect()),
                all(emails
                    .iter()
                    .filter(|email| email.paused)
                    .map(|email| email.address.to_string())
                    .collect()),
                contact.created.rfc3339(),
                contact.notes.clone(),
            ];
            cells.extend(
                fields.iter().map(|field| contact.custom.get(&field.id).cloned().unwrap_or_default()),
            );
            cells
        };
        Ok(Some(part.iter().map(cells).collect()))
    }))
}

/// Which people a file has, for the audit log: the names of the filters, and the list, but no words of a search.
fn described(asked: &Asked) -> String {
    let mut parts = Vec::new();
    if !asked.search.is_empty() {
        parts.push("search".to_owned());
    }
    for name in ["list", "state"] {
        let value = asked.filter(name);
        if !value.is_empty() {
            parts.push(format!("{name} {value}"));
        }
    }
    parts.join(", ")
}

/// `POST /admin/people/`: `id` of several people, and `action=delete`, `resume`, or `add` or `remove` with a `list`.
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    let language = context.language;
    let action = match context.form.get("action") {
        verb @ ("delete" | "resume" | "add" | "remove") => verb.to_owned(),
        _ => return refused(&context, "selected", text!(language, "problem-no-button")).await,
    };
    let ids = if context.form.has("all") { all_found(&context).await? } else { listing::selected(&context)? };
    if ids.is_empty() {
        return refused(&context, "selected", text!(language, "admin-people-none-selected")).await;
    }
    let list = context.form.get("list").to_owned();
    if list.is_empty() && ["add", "remove"].contains(&action.as_str()) {
        return refused(&context, "list", text!(language, "admin-people-no-list")).await;
    }
    let caller = Arc::clone(context.administrator()?);
    let (verb, ids) = (action.clone(), ids.into_iter().map(ContactId).collect::<Vec<_>>());
    let job = move |tx: &mut WriteTx<'_>, by: &OpContext| -> Result<Acted, OpError> {
        match verb.as_str() {
            "delete" => actions::delete_people(tx, &by.caller, &ids, by.now),
            "resume" => actions::resume(tx, &by.caller, &ids, by.now),
            "add" => actions::add_to_list(tx, &by.caller, &ids, &list, by.now),
            _ => actions::remove_from_list(tx, &by.caller, &ids, &list, by.now),
        }
    };
    let Acted { done, opted_out, action: undo } = if action == "delete" {
        context.core.perform_reserved(&caller, job).await?
    } else {
        context.core.perform(&caller, job).await?
    };
    let left_out = if opted_out == 0 { String::new() } else { format!("&opted-out={opted_out}") };
    let undo = undo::field(undo);
    Ok(context.see_other(&format!("{PATH}?done={action}&count={done}{left_out}{undo}")))
}

/// The people whom the search and the filters of the address find, at most as many as are changed at once.
async fn all_found(context: &Arc<Context>) -> Result<Vec<u64>, PageError> {
    blocking(context, |context| {
        let (filter, newest) = (filter_of(&LISTING.read(context)?), listing::newest_shown(context)?);
        let found = browse::matching(&context.read()?, context.administrator()?, &filter, 0, AT_ONCE_MAX)?;
        Ok(found.iter().map(|detail| detail.contact.id.0).filter(|id| *id <= newest).collect())
    })
    .await
}

async fn refused(context: &Arc<Context>, field: &'static str, problem: String) -> PageResult {
    blocking(context, move |context| {
        context.html(StatusCode::BAD_REQUEST, &people(context, FieldProblems::one(field, problem))?)
    })
    .await
    .map(assets::with_script)
}

/// The name that people read for a contact: the own one, else the first address.
pub(in crate::web::admin) fn title_of(detail: &ContactDetail) -> String {
    let name = detail.contact.name();
    let address = detail.emails.first().map(|email| email.address.to_string());
    if name.is_empty() { address.unwrap_or_default() } else { name }
}
