//! The page of one message for administrators: its text, what became of its copies, and why somebody did not get it.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use super::index::{list_name, subject_of};
use crate::locale::{self, text};
use crate::model::{
    EmailAddress, Language, List, Message, MessageId, Permission, RecipientState, Worded as _,
};
use crate::ops::archive::redaction::Change;
use crate::ops::archive::{messages, shown};
use crate::ops::delivery::deliveries::Delivery;
use crate::ops::delivery::figures::{Overview, overview};
use crate::ops::delivery::why_not::{AddressReason, why_not, why_not_address};
use crate::ops::moderation::{self, Published, senders};
use crate::ops::people::contacts::{self, ContactFilter};
use crate::ops::{OpError, PageRequest, lists};
use crate::store::ReadTx;
use crate::web::admin::approvals::held::body_of;
use crate::web::admin::parts::listing::ROWS_PER_PAGE;
use crate::web::admin::parts::trace;
use crate::web::admin::parts::undo::{self, UndoView};
use crate::web::archive::show::BodyView;
use crate::web::context::{Context, blocking};
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;
use crate::web::reading::Quotes;

/// People that a search for somebody's copy shows.
const PEOPLE_MAX: usize = 10;

#[derive(Template)]
#[template(path = "admin_message.html", config = "src/web/askama.toml")]
struct MessagePage {
    frame: Frame,
    csrf: String,
    problems: FieldProblems,
    told: Option<String>,
    undo: Option<UndoView>,
    back: String,
    title: String,
    from: String,
    list: String,
    time: String,
    size: String,
    /// Who approved it, when and why it had to be, as a sentence.
    approved: Option<String>,
    /// The path of the message in the archive of its list.
    archive: String,
    body: BodyView,
    figures: Vec<Figure>,
    total: u64,
    /// What is said of the digest for which it waits.
    digest: Option<String>,
    rows: Vec<CopyRow>,
    before: Option<String>,
    after: Option<String>,
    /// The search, and its results.
    who: String,
    people: Option<Vec<Answer>>,
    deletes: bool,
    /// What is said of the sender, whom whoever decides about messages may stop.
    stop: Option<StopView>,
}

/// The button that stops a sender.
struct StopView {
    hint: String,
    /// Whether the list refuses the sender already.
    is_stopped: bool,
}

/// The number of copies in one state, with the link to them.
struct Figure {
    words: String,
    count: u64,
    href: String,
    class: &'static str,
    is_current: bool,
}

/// One copy.
struct CopyRow {
    address: String,
    state: String,
    class: &'static str,
    sentence: String,
}

/// The answer about one address.
struct Answer {
    address: String,
    sentence: String,
}

/// The number in the path.
fn number(context: &Context) -> Result<MessageId, PageError> {
    context.param("id").parse().map(MessageId).map_err(|_| PageError::NotFound)
}

/// `GET /admin/messages/{id}/`
pub(in crate::web) async fn page(context: Arc<Context>) -> PageResult {
    show_later(&context, StatusCode::OK, FieldProblems::default()).await
}

async fn show_later(context: &Arc<Context>, status: StatusCode, problems: FieldProblems) -> PageResult {
    let message = messages::get(&context.read()?, context.administrator()?, number(context)?)?;
    let memory = context.reading(message.size_bytes).await?;
    blocking(context, move |context| {
        let _memory = memory;
        show(context, &message, status, problems)
    })
    .await
}

fn state_words(language: Language, state: RecipientState) -> (String, &'static str) {
    match state {
        RecipientState::Queued => (text!(language, "desk-state-queued"), ""),
        RecipientState::Deferred => (text!(language, "desk-state-deferred"), "warn"),
        RecipientState::Delivered => (text!(language, "desk-state-delivered"), "good"),
        RecipientState::Failed => (text!(language, "desk-state-failed"), "bad"),
        RecipientState::Skipped | RecipientState::Moved { .. } => (text!(language, "desk-state-skipped"), ""),
    }
}

fn show(context: &Context, message: &Message, status: StatusCode, problems: FieldProblems) -> PageResult {
    let (locale, language) = (context.locale(), context.language);
    let tx = context.read()?;
    let caller = context.administrator()?;
    let list = lists::of_id(&tx, message.list)?.ok_or(PageError::NotFound)?;
    let links = context.core.links.of(&tx, message.account)?;
    let mail = shown::mail(&tx, &links, &list, message)?.ok_or(PageError::NotFound)?;
    let wanted = context.query.get("state");
    let state = RecipientState::ALL.iter().copied().find(|state| state.word() == wanted);
    let page = context.query.get("page").parse::<u64>().ok().filter(|page| 0 < *page).unwrap_or(1);
    let limit = u64::try_from(ROWS_PER_PAGE).unwrap_or(u64::MAX);
    let skipped = (page - 1).saturating_mul(limit);
    let at = (&*context.core.pauses, context.core.now());
    let Overview { figures, rows, digest } =
        overview(&tx, caller, message.id, state, (skipped, ROWS_PER_PAGE), at)?;
    let matching = state.map_or(figures.total(), |state| figures.of(state));
    let to = |page: u64| {
        let state = state.map(|state| format!("&state={}", state.word())).unwrap_or_default();
        format!("?page={page}{state}#copies")
    };
    let figure = |state: &RecipientState| {
        let (words, class) = state_words(language, *state);
        let href = format!("?state={}#copies", state.word());
        Figure { words, count: figures.of(*state), href, class, is_current: state.word() == wanted }
    };
    let archive = context.href(&format!("/lists/{}/messages/{}/", list.name, message.id));
    let who = context.query.get("who").trim();
    let people = (!who.is_empty()).then(|| people(context, &tx, message, who)).transpose()?;
    let stop =
        caller.holds(Permission::ApproveMessages).then(|| stop_view(language, &list, message)).flatten();
    let shown = MessagePage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        problems,
        told: told(context, &list, message),
        undo: UndoView::read(context, &tx)?,
        stop,
        back: context.href("/admin/messages/"),
        title: subject_of(context.language, &message.subject),
        from: moderation::notices::display(&message.from_phrase, &message.from_address),
        list: list_name(&tx, message.list)?,
        time: locale.moment(message.time),
        size: locale::size(language, message.size_bytes),
        approved: approved(context, &tx, message)?,
        body: body_of(context, &mail, &archive, Quotes::Fitting),
        archive,
        figures: RecipientState::ALL.iter().map(figure).collect(),
        total: figures.total(),
        digest: digest
            .map(|due| text!(language, "desk-copies-digest", time = locale.near(due, context.core.now()))),
        rows: rows.iter().map(|delivery| copy_row(context, delivery)).collect(),
        before: (1 < page).then(|| to(page - 1)),
        after: (page.saturating_mul(limit) < matching).then(|| to(page + 1)),
        who: who.to_owned(),
        people,
        deletes: caller.holds(Permission::ApproveMessages),
    };
    context.html(status, &shown)
}

/// The last action, in words.
fn told(context: &Context, list: &List, message: &Message) -> Option<String> {
    let language = context.language;
    match context.query.get("done") {
        "send" => Some(text!(language, "desk-message-sent")),
        "stop" => {
            let (sender, list) = (message.from_address.as_str(), list.name.as_str());
            Some(text!(language, "desk-banned-sender", sender = sender, list = list))
        }
        _ => None,
    }
}

/// What is said of the sender of a message; `None` if nobody could be banned.
fn stop_view(language: Language, list: &List, message: &Message) -> Option<StopView> {
    let address = EmailAddress::parse(&message.from_address).ok()?;
    if !senders::can_be_stopped(list, &address) {
        return None;
    }
    let is_stopped = senders::is_banned(list, &address);
    let (sender, list) = (address.as_str(), list.name.as_str());
    let hint = if is_stopped {
        text!(language, "desk-stopped", sender = sender, list = list)
    } else {
        text!(language, "desk-stop-hint", sender = sender, list = list)
    };
    Some(StopView { hint, is_stopped })
}

/// Who approved the message, if it had to be approved.
fn approved(context: &Context, tx: &ReadTx, message: &Message) -> Result<Option<String>, PageError> {
    let Published { accepted, decided, by, reason } = moderation::published(tx, message)?;
    let (Some(by), Some(reason)) = (by, reason) else { return Ok(None) };
    let locale = context.locale();
    Ok(Some(text!(
        context.language,
        "desk-message-approved",
        by = by,
        received = locale.moment(accepted),
        time = locale.moment(decided),
        reason = reason.told(context.language)
    )))
}

fn copy_row(context: &Context, delivery: &Delivery) -> CopyRow {
    let locale = context.locale();
    let (state, class) = state_words(context.language, delivery.state);
    CopyRow {
        address: delivery.email.to_string(),
        state,
        class,
        sentence: trace::of_delivery(&locale, delivery),
    }
}

/// The answers about everybody whom a search finds: an address, or words of names and addresses.
fn people(context: &Context, tx: &ReadTx, message: &Message, who: &str) -> Result<Vec<Answer>, PageError> {
    let caller = context.administrator()?;
    let at = (&*context.core.pauses, context.core.now());
    let locale = context.locale();
    if let Ok(address) = EmailAddress::parse(who) {
        let reasons = why_not_address(tx, caller, message.id, &address, at)?;
        let answers = reasons.iter().map(|reason| answer(&locale, reason, who));
        return Ok(answers.collect());
    }
    let filter = ContactFilter { search: Some(who.to_owned()), ..ContactFilter::default() };
    let window = PageRequest::Page { page: 1, limit: PEOPLE_MAX };
    let mut answers = Vec::new();
    for detail in contacts::list(tx, caller, &filter, window)?.rows {
        let name = detail.contact.name();
        let first = detail.emails.first().map(|email| email.address.to_string()).unwrap_or_default();
        let name = if name.is_empty() { first } else { name };
        let reasons = why_not(tx, caller, message.id, detail.contact.id, at)?;
        answers.extend(reasons.iter().map(|reason| answer(&locale, reason, &name)));
    }
    Ok(answers)
}

fn answer(locale: &locale::Locale, reason: &AddressReason, name: &str) -> Answer {
    let address = reason.address.as_ref().map_or_else(|| name.to_owned(), ToString::to_string);
    Answer { address, sentence: trace::sentence(locale, reason) }
}

/// `POST /admin/messages/{id}/`: `action` is `delete`, which takes the message out of the archive, or `stop`, which bans
/// its sender from the list.
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    let id = number(&context)?;
    let caller = context.administrator()?;
    let list = {
        let tx = context.read()?;
        let message = messages::get(&tx, caller, id)?;
        lists::of_id(&tx, message.list)?.ok_or(PageError::NotFound)?
    };
    if context.form.get("action") == "stop" {
        let stopping = context.core.perform(caller, move |tx, by| senders::stop(tx, &by.caller, id, by.now));
        return match stopping.await {
            Ok((_, action)) => {
                let undo = undo::field(action);
                Ok(context.see_other(&format!("/admin/messages/{id}/?done=stop{undo}")))
            }
            Err(OpError::Invalid { .. }) => {
                let problems = FieldProblems::one("stop", text!(context.language, "desk-no-sender"));
                show_later(&context, StatusCode::BAD_REQUEST, problems).await
            }
            Err(error) => Err(error.into()),
        };
    }
    if context.form.get("action") != "delete" {
        let problems = FieldProblems::one("delete", text!(context.language, "problem-no-button"));
        return show_later(&context, StatusCode::BAD_REQUEST, problems).await;
    }
    match context.core.change_message(caller, &list, id, Change::TakeOut).await {
        Ok(_) => Ok(context.see_other("/admin/messages/?done=delete")),
        Err(OpError::Conflict { .. }) => Err(PageError::Conflict),
        Err(error) => Err(error.into()),
    }
}
