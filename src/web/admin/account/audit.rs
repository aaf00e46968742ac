//! The audit log of an account: who did what, when, from where and by which way.

use std::sync::Arc;

use askama::Template;

use super::changes;
use crate::clock::Timestamp;
use crate::locale::text;
use crate::model::{AdminId, AuditAction, AuditObject, Language, Via};
use crate::ops::accounts::admins;
use crate::ops::audit::log::{self, AuditFilter, ShownEntry};
use crate::ops::{Caller, OpError, undo};
use crate::store::ReadTx;
use crate::web::admin::parts::audit_words::{action_words, object_words};
use crate::web::admin::parts::csv;
use crate::web::admin::parts::listing::{Asked, Listing, ListingView, ROWS_PER_PAGE};
use crate::web::context::{Context, blocking};
use crate::web::error::{PageError, PageResult};
use crate::web::frame::Frame;

const WHAT: Listing =
    Listing { filters: &["via", "action", "object", "admin", "since", "until"], sorts: &["-time"] };
/// The columns of the CSV file (`spec/signin.md`).
const COLUMNS: [&str; 7] = ["time", "actor", "via", "client", "action", "object", "detail"];
/// Rows of a CSV file that are read in one snapshot.
const CSV_ROWS: usize = 500;

#[derive(Template)]
#[template(path = "admin_audit.html", config = "src/web/askama.toml")]
struct AuditPage {
    frame: Frame,
    listing: ListingView,
    rows: Vec<Row>,
}

/// An entry.
pub(in crate::web::admin) struct Row {
    pub(in crate::web::admin) time: String,
    pub(in crate::web::admin) datetime: String,
    pub(in crate::web::admin) actor: String,
    pub(in crate::web::admin) via: String,
    pub(in crate::web::admin) client: String,
    /// The action in words, and its code in the API.
    pub(in crate::web::admin) action: String,
    pub(in crate::web::admin) action_code: &'static str,
    pub(in crate::web::admin) object: String,
    pub(in crate::web::admin) detail: String,
    /// The settings that it changed, with their values before and afterwards.
    pub(in crate::web::admin) changes: Vec<String>,
}

/// `GET /admin/audit/`
pub(in crate::web) async fn page(context: Arc<Context>) -> PageResult {
    let asked = WHAT.read(&context)?;
    if asked.is_csv {
        return file(&context, &asked).await;
    }
    blocking(&context, move |context| show(context, &asked)).await
}

/// The words for a way.
pub(in crate::web::admin) fn via_words(language: Language, via: Via) -> String {
    match via {
        Via::Page => text!(language, "desk-via-page"),
        Via::Api => text!(language, "desk-via-api"),
        Via::Mail => text!(language, "desk-via-mail"),
        Via::Link => text!(language, "desk-via-link"),
        Via::Command => text!(language, "desk-via-command"),
        Via::Server => text!(language, "desk-via-server"),
    }
}

/// The filter in the address. A value that is none of the choices finds nothing.
fn filter(context: &Context, asked: &Asked) -> Result<AuditFilter, PageError> {
    let word = |name: &str| Some(asked.filter(name)).filter(|word| !word.is_empty());
    let via = word("via").map(|word| Via::from_word(word).ok_or(PageError::BadRequest)).transpose()?;
    let action = word("action").map(|word| AuditAction::from_word(word).ok_or(PageError::BadRequest));
    let object = word("object").map(|word| AuditObject::from_word(word).ok_or(PageError::BadRequest));
    let admin = word("admin").map(|id| id.parse().map(AdminId).map_err(|_| PageError::BadRequest));
    let zone = &context.locale().zone;
    let day = |name: &str, later: i64| {
        word(name).map(|text| log::day_start(text, later, zone).ok_or(PageError::BadRequest)).transpose()
    };
    Ok(AuditFilter {
        admin: admin.transpose()?,
        action: action.transpose()?,
        object: object.transpose()?,
        object_id: None,
        since: day("since", 0)?,
        // The last day is within.
        before: day("until", 1)?,
        via,
    })
}

fn show(context: &Context, asked: &Asked) -> PageResult {
    let tx = context.read()?;
    let caller = context.administrator()?;
    let language = context.language;
    let filter = filter(context, asked)?;
    let after = asked_after(asked);
    let entries = log::entries(&tx, caller, &filter, after, ROWS_PER_PAGE)?;
    let mut listing = asked.view_by_number(context, 0);
    let last = entries.last().filter(|_| entries.len() == ROWS_PER_PAGE).map(|shown| shown.entry.id);
    listing.after = last.map(|last| asked.query(&[("after", &last.to_string())]));
    let via = Via::ALL.iter().map(|via| (via.word().to_owned(), via_words(language, *via)));
    let all = || text!(language, "desk-audit-all");
    listing.filters.push(asked.filter_view("via", text!(language, "desk-audit-via"), all(), via));
    let actions =
        AuditAction::ALL.iter().map(|action| (action.word().to_owned(), action_words(language, *action)));
    listing.filters.push(asked.filter_view(
        "action",
        text!(language, "desk-audit-action"),
        all(),
        in_order(actions),
    ));
    let objects =
        AuditObject::ALL.iter().map(|object| (object.word().to_owned(), object_words(language, *object)));
    listing.filters.push(asked.filter_view(
        "object",
        text!(language, "desk-audit-object"),
        all(),
        in_order(objects),
    ));
    let admins = admins::of_account(&tx, Some(caller.account))?.into_iter().map(|admin| {
        let name = admin.username.as_ref().map(ToString::to_string);
        let name = name.or(Some(admin.description).filter(|description| !description.is_empty()));
        (admin.id.to_string(), name.unwrap_or_else(|| text!(language, "audit-nameless")))
    });
    listing.filters.push(asked.filter_view("admin", text!(language, "desk-audit-actor"), all(), admins));
    listing.filters.push(asked.day_view("since", text!(language, "desk-audit-since")));
    listing.filters.push(asked.day_view("until", text!(language, "desk-audit-until")));
    let mut rows = Vec::new();
    for mut shown in entries {
        // Until it can no longer be undone, what was deleted keeps its name.
        if shown.object.is_empty()
            && let Some((_, name)) = undo::of_entry(&tx, caller, &shown.entry, context.core.now())?
        {
            shown.object = name;
        }
        rows.push(row(context, shown));
    }
    context.show(&AuditPage { frame: Frame::of(context), listing, rows })
}

/// The choices of a filter in the order of their words, which differs from language to language.
fn in_order(choices: impl Iterator<Item = (String, String)>) -> Vec<(String, String)> {
    let mut choices: Vec<(String, String)> = choices.collect();
    choices.sort_by_cached_key(|(_, words)| words.to_lowercase());
    choices
}

/// The position behind which the page begins.
fn asked_after(asked: &Asked) -> Option<u64> {
    match asked.start {
        crate::ops::paging::Start::After(after) => Some(after),
        _ => None,
    }
}

/// An entry as pages show it.
pub(in crate::web::admin) fn row(context: &Context, shown: ShownEntry) -> Row {
    let changes = changes::all(context.language, &shown);
    let ShownEntry { entry, actor, object, person: _, changes: _ } = shown;
    let time: Timestamp = entry.time();
    let language = context.language;
    Row {
        time: context.locale().moment(time),
        datetime: time.rfc3339(),
        actor,
        via: via_words(language, entry.actor.via),
        client: entry.actor.client.map(|client| client.to_string()).unwrap_or_default(),
        action: action_words(language, entry.action),
        action_code: entry.action.word(),
        object: if object.is_empty() { object_words(language, entry.action.object()) } else { object },
        detail: entry.detail,
        changes,
    }
}

/// The log as a CSV file, which is read a part at a time.
async fn file(context: &Arc<Context>, asked: &Asked) -> PageResult {
    let caller: Arc<Caller> = Arc::clone(context.administrator()?);
    let filter = filter(context, asked)?;
    // Whoever may not read the log gets no file of it, and nothing is noted.
    log::entries(&context.read()?, &caller, &filter, None, 0)?;
    csv::note_export(context, "audit", "").await?;
    let (mut after, mut is_done) = (None, false);
    let next = move |tx: &ReadTx| -> Result<Option<Vec<Vec<String>>>, OpError> {
        if is_done {
            return Ok(None);
        }
        let entries = log::entries(tx, &caller, &filter, after, CSV_ROWS)?;
        is_done = entries.len() < CSV_ROWS;
        after = entries.last().map(|shown| shown.entry.id.0);
        let rows = entries.into_iter().map(|ShownEntry { entry, actor, object, person: _, changes: _ }| {
            let client = entry.actor.client.map(|client| client.to_string()).unwrap_or_default();
            vec![
                entry.time().rfc3339(),
                actor,
                entry.actor.via.word().to_owned(),
                client,
                entry.action.word().to_owned(),
                object,
                entry.detail,
            ]
        });
        Ok(Some(rows.collect()))
    };
    Ok(csv::streamed(context, "audit", &COLUMNS, next))
}
