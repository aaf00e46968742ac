//! The page on which a member leaves a list by the link in every copy, and undoes that.
//!
//! The token in the link is the proof, so the forms need no session and no CSRF token: mail programs send the form for
//! their users (RFC 8058), without cookies. A mail program's `List-Unsubscribe=One-Click`, which may be
//! `multipart/form-data` (RFC 8058 3.2), leaves every list at once. The buttons of the page do as the list's
//! `unsubscriptions` say. A form with neither is refused, since programs that follow links may send one. GET never
//! changes anything.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use super::context::Context;
use super::error::{PageError, PageResult};
use super::form::FieldProblems;
use super::frame::Frame;
use super::onward::{self, Onward};
use crate::locale::text;
use crate::model::account::Subscriptions;
use crate::model::departure::REASON_CHARS_MAX;
use crate::model::{ContactId, ListId, Via};
use crate::ops::Caller;
use crate::ops::people::subscribe::{self, Leaving, Place, Standing};
use crate::ops::sessions;
use crate::secret::Purpose;

#[derive(Template)]
#[template(path = "unsubscribe.html", config = "src/web/askama.toml")]
struct UnsubscribePage {
    frame: Frame,
    problems: FieldProblems,
    list: String,
    /// The beginning and the domain of the person's address: who passes a link on should see whose it is.
    address: Option<String>,
    /// Whether somebody has to approve that the person leaves.
    needs_approval: bool,
    /// Whether the form confirms one that was sent before.
    is_second: bool,
}

/// A page that tells something and has no form.
#[derive(Template)]
#[template(path = "leaving_told.html", config = "src/web/askama.toml")]
struct ToldPage {
    frame: Frame,
    title: String,
    text: String,
    /// Whether it tells what the visitor has just done.
    is_done: bool,
    /// Where to go on.
    onward: Vec<Onward>,
}

#[derive(Template)]
#[template(path = "goodbye.html", config = "src/web/askama.toml")]
struct GoodbyePage {
    frame: Frame,
    problems: FieldProblems,
    list: String,
    can_undo: bool,
    can_say_why: bool,
    reason: String,
    reason_chars_max: usize,
    /// Whether the visitor has just said why.
    is_reason_kept: bool,
}

/// The place of a link, with the values for its pages.
struct Visit {
    contact: ContactId,
    list: ListId,
    title: String,
    place: Place,
}

/// `GET /unsubscribe/{token}/`: changes nothing, since link checkers follow every link.
pub(super) fn unsubscribe_page(context: &Context) -> PageResult {
    let visit = visit(context)?;
    match visit.place.standing {
        Standing::Member => show_form(context, &visit, FieldProblems::default(), false),
        // The list may ask for no approval any more.
        Standing::Waiting if visit.place.unsubscriptions == Subscriptions::Open => {
            show_form(context, &visit, FieldProblems::default(), false)
        }
        Standing::Waiting => show_waiting(context, &visit, false),
        Standing::Left => show_goodbye(context, &visit),
        Standing::Gone => show_not_member(context, &visit, StatusCode::OK),
    }
}

/// `POST /unsubscribe/{token}/`: leaves the list, undoes that with `action=rejoin`, or takes the reason.
pub(super) async fn unsubscribe(context: Arc<Context>) -> PageResult {
    let visit = visit(&context)?;
    let form = &context.form;
    if form.get("List-Unsubscribe").eq_ignore_ascii_case("One-Click") {
        return leave_at_once(&context, &visit).await;
    }
    match form.get("action") {
        "leave" => leave(&context, &visit).await,
        "rejoin" => rejoin(&context, &visit).await,
        _ if form.has("reason") => take_reason(&context, &visit).await,
        _ if matches!(visit.place.standing, Standing::Member | Standing::Waiting) => {
            let problems = FieldProblems::one("buttons", text!(context.language, "problem-no-button"));
            show_form(&context, &visit, problems, false)
        }
        _ => Err(PageError::BadRequest),
    }
}

/// The one-click form of a mail program, which no setting stops.
async fn leave_at_once(context: &Context, visit: &Visit) -> PageResult {
    let (caller, list) = (person(context, visit.contact)?, visit.list);
    let leaving =
        context.core.perform_reserved(&caller, move |tx, by| subscribe::leave(tx, &by.caller, list, by.now));
    leaving.await?;
    show_goodbye(context, visit)
}

/// The button of the page.
async fn leave(context: &Context, visit: &Visit) -> PageResult {
    let Place { standing, unsubscriptions, asks_twice, .. } = visit.place;
    if standing == Standing::Member {
        if unsubscriptions == Subscriptions::Closed {
            return show_closed(context, visit);
        }
        if asks_twice && context.form.get("confirm").is_empty() {
            return show_form(context, visit, FieldProblems::default(), true);
        }
    }
    let (caller, list) = (person(context, visit.contact)?, visit.list);
    let asking = context
        .core
        .perform_reserved(&caller, move |tx, by| subscribe::ask_to_leave(tx, &by.caller, list, by.now));
    match asking.await? {
        Leaving::Left | Leaving::NoMember => show_goodbye(context, visit),
        Leaving::Waits => show_waiting(context, visit, true),
        Leaving::Closed => show_closed(context, visit),
    }
}

async fn rejoin(context: &Context, visit: &Visit) -> PageResult {
    let (caller, list) = (person(context, visit.contact)?, visit.list);
    let undoing =
        context.core.perform(&caller, move |tx, by| subscribe::undo_leave(tx, &by.caller, list, by.now));
    match undoing.await? {
        Standing::Member | Standing::Waiting => {
            let title = text!(context.language, "welcome-back-title", list = &visit.title);
            let text = text!(context.language, "welcome-back-next");
            // A link of a copy goes along when the mail is passed on, so it signs nobody in.
            let (tx, member) = (context.read()?, context.member());
            let person = match member {
                Some(session) => sessions::member_of(&tx, session)?,
                None => None,
            };
            let mut onward = onward::of_list(context, &tx, &visit.place.list, person.as_ref())?;
            onward.push(onward::to_own_lists(context));
            context.show(&ToldPage { frame: Frame::of(context), title, text, is_done: true, onward })
        }
        Standing::Left | Standing::Gone => show_not_member(context, visit, StatusCode::GONE),
    }
}

/// The form in which somebody who left says why.
async fn take_reason(context: &Context, visit: &Visit) -> PageResult {
    // Browsers send a line break as two characters and count it as one.
    let reason = context.form.get("reason").trim().replace("\r\n", "\n");
    let language = context.language;
    if REASON_CHARS_MAX < reason.chars().count() {
        let problem = text!(language, "leave-reason-too-long", count = REASON_CHARS_MAX);
        let page = GoodbyePage { reason, ..goodbye(context, visit)? };
        let page = GoodbyePage { problems: FieldProblems::one("reason", problem), ..page };
        return context.html(StatusCode::BAD_REQUEST, &page);
    }
    let is_given = !reason.is_empty();
    let (caller, list) = (person(context, visit.contact)?, visit.list);
    let keeping = context
        .core
        .perform(&caller, move |tx, by| subscribe::give_reason(tx, &by.caller, list, &reason, by.now));
    if !keeping.await? {
        return Err(PageError::BadRequest);
    }
    context.show(&GoodbyePage { is_reason_kept: is_given, ..goodbye(context, visit)? })
}

/// The form by which a member leaves: the first, the one that confirms it, or one that was sent without a button.
fn show_form(context: &Context, visit: &Visit, problems: FieldProblems, is_second: bool) -> PageResult {
    if visit.place.unsubscriptions == Subscriptions::Closed {
        return show_closed(context, visit);
    }
    let status = if problems.all().is_empty() { StatusCode::OK } else { StatusCode::BAD_REQUEST };
    let page = UnsubscribePage {
        frame: Frame::of(context),
        problems,
        list: visit.title.clone(),
        address: subscribe::masked_address(&context.read()?, visit.contact)?,
        needs_approval: visit.place.unsubscriptions == Subscriptions::OpenConfirm,
        is_second,
    };
    context.html(status, &page)
}

/// The page of a list that does not let its members leave on their own.
fn show_closed(context: &Context, visit: &Visit) -> PageResult {
    let title = text!(context.language, "leave-closed-title", list = &visit.title);
    let text = text!(context.language, "leave-closed-next");
    let page = ToldPage { frame: Frame::of(context), title, text, is_done: false, onward: Vec::new() };
    context.html(StatusCode::NOT_FOUND, &page)
}

fn show_waiting(context: &Context, visit: &Visit, is_done: bool) -> PageResult {
    let title = text!(context.language, "leave-waits-title", list = &visit.title);
    let text = text!(context.language, "leave-waits-next");
    let onward = vec![onward::to_own_lists(context)];
    context.show(&ToldPage { frame: Frame::of(context), title, text, is_done, onward })
}

fn show_not_member(context: &Context, visit: &Visit, status: StatusCode) -> PageResult {
    let title = text!(context.language, "not-a-member-title", list = &visit.title);
    let text = text!(context.language, "not-a-member-next");
    let onward = vec![onward::to_own_lists(context)];
    context.html(status, &ToldPage { frame: Frame::of(context), title, text, is_done: false, onward })
}

fn show_goodbye(context: &Context, visit: &Visit) -> PageResult {
    context.show(&goodbye(context, visit)?)
}

/// The page of somebody who left.
fn goodbye(context: &Context, visit: &Visit) -> Result<GoodbyePage, PageError> {
    let Visit { contact, list, title, .. } = visit;
    let now = subscribe::place(&context.read()?, *contact, *list, context.core.now())?;
    Ok(GoodbyePage {
        frame: Frame::of(context),
        problems: FieldProblems::default(),
        list: title.clone(),
        can_undo: now.as_ref().is_some_and(|now| now.standing == Standing::Left),
        can_say_why: now.is_some_and(|now| now.has_left),
        reason: String::new(),
        reason_chars_max: REASON_CHARS_MAX,
        is_reason_kept: false,
    })
}

/// The list and the person of the link, if it belongs to this site.
fn visit(context: &Context) -> Result<Visit, PageError> {
    let [contact, list] =
        context.core.signer.open(Purpose::Unsubscribe, context.token()).ok_or(PageError::DeadLink)?;
    let (contact, list) = (ContactId(contact), ListId(list));
    let tx = context.read()?;
    let place = subscribe::place(&tx, contact, list, context.core.now())?.ok_or(PageError::DeadLink)?;
    context.check_link(&tx, place.list.account)?;
    Ok(Visit { contact, list, title: place.list.title().to_owned(), place })
}

/// The contact of a link as the caller of operations.
pub(super) fn person(context: &Context, contact: ContactId) -> Result<Arc<Caller>, PageError> {
    let source = (Via::Link, Some(context.site.client));
    let found = subscribe::person(&context.read()?, contact, source)?;
    found.map(Arc::new).ok_or(PageError::DeadLink)
}
