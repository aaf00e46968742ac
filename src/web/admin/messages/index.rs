//! The archive as administrators see it: the messages of all their lists, newest first, and those that are sent later.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use super::compose_draft::{self, OtherDraft};
use crate::locale::text;
use crate::model::{Language, ListId, Message, Permission, ScheduledMessageId};
use crate::ops::archive::scheduled::{self, Scheduled};
use crate::ops::archive::{self, MessageFilter, MessagePage};
use crate::ops::lists::{self, ListFilter, Members};
use crate::ops::{Caller, OpError, PageRequest};
use crate::store::ReadTx;
use crate::web::admin::lists::head::{self, Head, Tab};
use crate::web::admin::parts::csv;
use crate::web::admin::parts::listing::{Asked, Listing, ListingView, ROWS_PER_PAGE};
use crate::web::context::{Context, blocking};
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;

const WHAT: Listing = Listing { filters: &["list", "from"], sorts: &["-time"] };
/// Rows of a CSV file that are read in one snapshot.
const CSV_ROWS: usize = 500;

#[derive(Template)]
#[template(path = "admin_messages.html", config = "src/web/askama.toml")]
struct MessagesPage {
    frame: Frame,
    csrf: String,
    problems: FieldProblems,
    told: Option<String>,
    /// The head of the list to which the page is narrowed.
    head: Option<Head>,
    /// The path of the page to write on, if the administrator may send.
    new: Option<String>,
    drafts: Vec<OtherDraft>,
    scheduled: Vec<ScheduledRow>,
    listing: ListingView,
    rows: Vec<Row>,
    /// How many there are, as a sentence.
    count: String,
}

/// A message that is sent later.
struct ScheduledRow {
    id: u64,
    /// The path of the page on which it is changed; `None` for who may not, and for one that an earlier version kept
    /// without its form.
    change: Option<String>,
    files: usize,
    subject: String,
    list: String,
    due: String,
    by: String,
    is_stopped: bool,
}

/// A message of the archive.
struct Row {
    href: String,
    subject: String,
    from: String,
    list: String,
    time: String,
    datetime: String,
}

/// `GET /admin/messages/`
pub(in crate::web) async fn page(context: Arc<Context>) -> PageResult {
    let asked = WHAT.read(&context)?;
    if asked.is_csv {
        return file(&context, &asked).await;
    }
    blocking(&context, move |context| show(context, &asked, StatusCode::OK, FieldProblems::default())).await
}

fn told(context: &Context) -> Option<String> {
    let language = context.language;
    Some(match context.query.get("done") {
        "send" => text!(language, "desk-message-sent"),
        "scheduled" => text!(language, "desk-message-scheduled"),
        "cancel" => text!(language, "desk-message-canceled"),
        "draft" => text!(language, "desk-draft-kept"),
        "discard" => text!(language, "desk-draft-discarded"),
        "gone" => text!(language, "desk-scheduled-gone"),
        "delete" => text!(language, "desk-message-deleted"),
        _ => return None,
    })
}

/// The lists that exist for the administrator: their names, which are also the values of the filter.
fn list_names(tx: &ReadTx, caller: &Caller) -> Result<Vec<String>, PageError> {
    let page = lists::list(tx, caller, &ListFilter::default(), Members::Skip, PageRequest::All)?;
    Ok(page.rows.into_iter().map(|detail| detail.list.name.to_string()).collect())
}

/// The filter that the address asks for; `None` if it names a list that does not exist for the administrator.
fn filter(tx: &ReadTx, caller: &Caller, asked: &Asked) -> Result<Option<MessageFilter>, PageError> {
    let name = asked.filter("list");
    let list = match name {
        "" => None,
        name => match lists::id_of(tx, caller, name) {
            Ok(id) => Some(id),
            Err(OpError::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(error.into()),
        },
    };
    let filled = |text: &str| Some(text.to_owned()).filter(|text| !text.is_empty());
    let (from, search) = (filled(asked.filter("from")), filled(&asked.search));
    Ok(Some(MessageFilter { list, from, search, ..MessageFilter::default() }))
}

fn show(context: &Context, asked: &Asked, status: StatusCode, problems: FieldProblems) -> PageResult {
    let tx = context.read()?;
    let caller = context.administrator()?;
    let language = context.language;
    let page = match filter(&tx, caller, asked)? {
        Some(filter) => archive::list(&tx, caller, &filter, asked.window())?,
        None => MessagePage { rows: Vec::new(), count: 0, count_is_minimum: false },
    };
    let mut listing = asked.view_by_number(context, page.count);
    // By position from the second page on, so that the depth of a page costs nothing.
    let last = page.rows.last().filter(|_| page.rows.len() == ROWS_PER_PAGE).map(|message| message.id);
    listing.after = last.map(|last| asked.query(&[("after", &last.to_string())]));
    listing.search_label = text!(language, "desk-messages-search");
    let names = list_names(&tx, caller)?.into_iter().map(|name| (name.clone(), name));
    let (label, all) = (text!(language, "approval-list"), text!(language, "desk-all-lists"));
    listing.filters.push(asked.filter_view("list", label, all, names));
    let sends = caller.holds(Permission::SendMessages);
    let rows = page.rows.iter().map(|message| row(context, &tx, message));
    let waiting = scheduled::list(&tx, caller)?;
    let head = head::of_filter(context, &tx, asked.filter("list"), Tab::Messages)?;
    let to_list = head.as_ref().map(|head| format!("?list={}", head.name)).unwrap_or_default();
    let drafts = if sends { compose_draft::others(context, &tx, "")? } else { Vec::new() };
    let shown = MessagesPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        problems,
        told: told(context),
        new: sends.then(|| context.href(&format!("/admin/messages/new/{to_list}"))),
        head,
        drafts,
        scheduled: waiting.into_iter().map(|scheduled| scheduled_row(context, scheduled, sends)).collect(),
        listing,
        rows: rows.collect::<Result<Vec<_>, PageError>>()?,
        count: if page.count_is_minimum {
            text!(language, "desk-messages-at-least", count = page.count)
        } else {
            text!(language, "desk-messages-count", count = page.count)
        },
    };
    context.html(status, &shown)
}

fn scheduled_row(context: &Context, scheduled: Scheduled, sends: bool) -> ScheduledRow {
    let Scheduled { message, list } = scheduled;
    ScheduledRow {
        id: message.id.0,
        change: Some(&message)
            .filter(|message| sends && !message.fields.is_empty())
            .map(|message| context.href(&format!("/admin/messages/new/?scheduled={}", message.id))),
        files: message.files.len(),
        subject: subject_of(context.language, &message.subject),
        list,
        due: context.locale().moment(message.due),
        by: message.admin_name,
        is_stopped: message.is_stopped,
    }
}

/// A subject, or the words for none.
pub(in crate::web::admin) fn subject_of(language: Language, subject: &str) -> String {
    let subject = subject.trim();
    if subject.is_empty() { text!(language, "archive-no-subject") } else { subject.to_owned() }
}

/// The name of a list; blank if it is gone.
pub(in crate::web::admin) fn list_name(tx: &ReadTx, list: ListId) -> Result<String, PageError> {
    Ok(lists::name_of(tx, list)?.unwrap_or_default())
}

fn row(context: &Context, tx: &ReadTx, message: &Message) -> Result<Row, PageError> {
    let name = message.from_phrase.trim();
    Ok(Row {
        href: context.href(&format!("/admin/messages/{}/", message.id)),
        subject: subject_of(context.language, &message.subject),
        from: if name.is_empty() { message.from_address.clone() } else { name.to_owned() },
        list: list_name(tx, message.list)?,
        time: context.locale().moment(message.time),
        datetime: message.time.rfc3339(),
    })
}

/// The messages as a CSV file, which is read a part at a time.
async fn file(context: &Arc<Context>, asked: &Asked) -> PageResult {
    let caller = Arc::clone(context.administrator()?);
    let filter = filter(&context.read()?, &caller, asked)?.ok_or(PageError::NotFound)?;
    csv::note_export(context, "messages", asked.filter("list")).await?;
    let mut after: Option<u64> = None;
    let mut is_done = false;
    let next = move |tx: &ReadTx| -> Result<Option<Vec<Vec<String>>>, OpError> {
        if is_done {
            return Ok(None);
        }
        let window = match after {
            Some(after) => PageRequest::After { after, limit: CSV_ROWS },
            None => PageRequest::Page { page: 1, limit: CSV_ROWS },
        };
        let page = archive::list(tx, &caller, &filter, window)?;
        is_done = page.rows.len() < CSV_ROWS;
        after = page.rows.last().map(|message| message.id.0);
        let mut rows = Vec::with_capacity(page.rows.len());
        for message in page.rows {
            let list = lists::name_of(tx, message.list)?.unwrap_or_default();
            rows.push(vec![
                message.id.to_string(),
                message.time.rfc3339(),
                list,
                message.from_phrase,
                message.from_address,
                message.subject,
                message.message_id,
            ]);
        }
        Ok(Some(rows))
    };
    let head = ["id", "datetime", "list", "from_phrase", "from_address", "subject", "message_id"];
    Ok(csv::streamed(context, "messages", &head, next))
}

/// `POST /admin/messages/`: sends a message now that is to be sent later, or takes it back; or throws a draft away.
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    let caller = context.administrator()?;
    let id = || context.form.get("id").parse().map(ScheduledMessageId).map_err(|_| PageError::NotFound);
    let done = match context.form.get("action") {
        "cancel" => {
            let id = id()?;
            let canceling =
                context.core.perform(caller, move |tx, by| scheduled::cancel(tx, &by.caller, id, by.now));
            canceling.await.map(|()| "/admin/messages/?done=cancel".to_owned())
        }
        "send" => {
            let id = id()?;
            let sending = context.core.perform(caller, move |tx, by| {
                let routing = by.mail_context.config.routing();
                scheduled::send_now(tx, &by.caller, id, routing, by.now)
            });
            sending.await.map(|message| format!("/admin/messages/{}/?done=send", message.id))
        }
        "discard" => {
            compose_draft::discard(&context).await?;
            Ok("/admin/messages/?done=discard".to_owned())
        }
        _ => {
            let problems = FieldProblems::one("scheduled", text!(context.language, "problem-no-button"));
            let asked = WHAT.read(&context)?;
            return blocking(&context, move |context| {
                show(context, &asked, StatusCode::BAD_REQUEST, problems)
            })
            .await;
        }
    };
    match done {
        Ok(path) => Ok(context.see_other(&path)),
        // It was sent or taken back meanwhile, or this is the second of two presses.
        Err(OpError::NotFound { .. }) => Ok(context.see_other("/admin/messages/?done=gone")),
        Err(error) => Err(error.into()),
    }
}
