//! The pages of members' links: leaving a list by the link in every copy, undoing that, and confirming that mail
//! arrives again.
//!
//! The token in the link is the proof, so the forms need no session and no CSRF token: mail programs send the form for
//! their users (RFC 8058), without cookies. A mail program's `List-Unsubscribe=One-Click` has no `action`, may be
//! `multipart/form-data` (RFC 8058 3.2), and leaves the list. GET never changes anything.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use super::context::Context;
use super::error::PageError;
use super::frame::Frame;
use super::table::PageResult;
use crate::locale::text;
use crate::model::{ContactId, Email, EmailId, ListId, Via};
use crate::ops::Caller;
use crate::ops::delivery::bounces;
use crate::ops::people::subscribe::{self, Place, Standing};
use crate::secret::Purpose;

#[derive(Template)]
#[template(path = "unsubscribe.html", config = "src/web/askama.toml")]
struct UnsubscribePage {
    frame: Frame,
    list: String,
}

#[derive(Template)]
#[template(path = "goodbye.html", config = "src/web/askama.toml")]
struct GoodbyePage {
    frame: Frame,
    list: String,
    can_undo: bool,
}

#[derive(Template)]
#[template(path = "not_a_member.html", config = "src/web/askama.toml")]
struct NotMemberPage {
    frame: Frame,
    list: String,
}

#[derive(Template)]
#[template(path = "welcome_back.html", config = "src/web/askama.toml")]
struct WelcomeBackPage {
    frame: Frame,
    list: String,
}

#[derive(Template)]
#[template(path = "resume.html", config = "src/web/askama.toml")]
struct ResumePage {
    frame: Frame,
    address: String,
    is_paused: bool,
    /// Whether the form was just sent.
    is_done: bool,
}

/// `GET /unsubscribe/{token}/`: changes nothing, since link checkers follow every link.
pub(super) fn unsubscribe_page(context: &Context) -> PageResult {
    let (contact, list) = open(context)?;
    let Place { list, standing } = place(context, contact, list)?;
    let (frame, list) = (Frame::of(context), list.title().to_owned());
    match standing {
        Standing::Member => context.show(&UnsubscribePage { frame, list }),
        Standing::Left => context.show(&GoodbyePage { frame, list, can_undo: true }),
        Standing::Gone => context.show(&NotMemberPage { frame, list }),
    }
}

/// `POST /unsubscribe/{token}/`: leaves the list at once, or undoes that with `action=rejoin`.
pub(super) async fn unsubscribe(context: Arc<Context>) -> PageResult {
    let (contact, list) = open(&context)?;
    let core = &context.core;
    let title = place(&context, contact, list)?.list.title().to_owned();
    let caller = person(&context, contact)?;
    let frame = Frame::of(&context);
    if context.form.get("action") == "rejoin" {
        let undone =
            core.perform(&caller, move |tx, by| subscribe::undo_leave(tx, &by.caller, list, by.now)).await?;
        return match undone {
            Standing::Member => context.show(&WelcomeBackPage { frame, list: title }),
            Standing::Left | Standing::Gone => {
                context.html(StatusCode::GONE, &NotMemberPage { frame, list: title })
            }
        };
    }
    core.perform_reserved(&caller, move |tx, by| subscribe::leave(tx, &by.caller, list, by.now)).await?;
    let place = subscribe::place(&core.store.read()?, contact, list, core.now())?;
    let can_undo = place.is_some_and(|place| place.standing == Standing::Left);
    context.show(&GoodbyePage { frame, list: title, can_undo })
}

/// `GET /resume/{token}/`: changes nothing.
pub(super) fn resume_page(context: &Context) -> PageResult {
    let (email, contact) = open_resume(context)?;
    show_resume(context, &paused(context, email, contact)?, false)
}

/// `POST /resume/{token}/`: the recipient of a probe confirms that mail arrives.
pub(super) async fn resume(context: Arc<Context>) -> PageResult {
    let (email, contact) = open_resume(&context)?;
    paused(&context, email, contact)?;
    let caller = person(&context, contact)?;
    context
        .core
        .perform_reserved(&caller, move |tx, by| bounces::resume(tx, &by.caller, email, by.now))
        .await?;
    show_resume(&context, &paused(&context, email, contact)?, true)
}

fn show_resume(context: &Context, email: &Email, is_done: bool) -> PageResult {
    let address = email.address.as_str().to_owned();
    let (frame, is_paused) = (Frame::of(context), email.paused);
    context.show(&ResumePage { frame, address, is_paused, is_done })
}

/// The address in a link to resume delivery, if the link belongs to this site.
fn paused(context: &Context, email: EmailId, contact: ContactId) -> Result<Email, PageError> {
    let email = bounces::find_paused(&context.core.store.read()?, email, contact)?;
    email.filter(|email| context.site.answers_for(Some(email.account))).ok_or(PageError::DeadLink)
}

/// The state of a contact in the list of a link, if the link belongs to this site.
fn place(context: &Context, contact: ContactId, list: ListId) -> Result<Place, PageError> {
    let place = subscribe::place(&context.core.store.read()?, contact, list, context.core.now())?;
    place.filter(|place| context.site.answers_for(Some(place.list.account))).ok_or(PageError::DeadLink)
}

fn open_resume(context: &Context) -> Result<(EmailId, ContactId), PageError> {
    let [email, contact] =
        context.core.signer.open(Purpose::Resume, context.token()).ok_or(PageError::DeadLink)?;
    Ok((EmailId(email), ContactId(contact)))
}

fn open(context: &Context) -> Result<(ContactId, ListId), PageError> {
    let [contact, list] =
        context.core.signer.open(Purpose::Unsubscribe, context.token()).ok_or(PageError::DeadLink)?;
    Ok((ContactId(contact), ListId(list)))
}

/// The contact of a link as the caller of operations.
fn person(context: &Context, contact: ContactId) -> Result<Arc<Caller>, PageError> {
    let source = (Via::Link, Some(context.site.client));
    let found = subscribe::person(&context.core.store.read()?, contact, source)?;
    found.map(Arc::new).ok_or(PageError::DeadLink)
}
