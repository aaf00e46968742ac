//! The page of one held message: all of it, safely, as its list would send it, with the buttons to decide.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use super::decided::Kind;
use super::index;
use super::sender::{self, SenderWords};
use crate::locale::{self, text};
use crate::mail::Inbound;
use crate::mail::reading::SHOWN_BYTES_MAX;
use crate::model::{Held, HeldId, HeldState, List};
use crate::ops::archive::{parts, shown};
use crate::ops::lists;
use crate::ops::moderation::moderators::REASON_CHARS_MAX;
use crate::ops::moderation::senders::{self, PageAction};
use crate::ops::moderation::{self, as_message};
use crate::store::ReadTx;
use crate::web::admin::messages::index::subject_of;
use crate::web::archive::part;
use crate::web::archive::show::{BodyView, file_view};
use crate::web::context::{Context, blocking};
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;
use crate::web::moderation::{held_already, reason_words};
use crate::web::reading::{Body, Quotes, ReadingOptions};

#[derive(Template)]
#[template(path = "admin_held.html", config = "src/web/askama.toml")]
struct HeldPage {
    frame: Frame,
    csrf: String,
    problems: FieldProblems,
    title: String,
    back: String,
    list: String,
    from: String,
    received: String,
    due: String,
    size: String,
    sender: SenderWords,
    body: Option<BodyView>,
    /// The decision, if there is one already.
    decided: Option<String>,
    reasons: Vec<String>,
    reason: String,
    reason_label: String,
    reason_chars_max: usize,
    reason_hint: String,
    next: String,
}

/// The number in the path.
fn number(context: &Context) -> Result<HeldId, PageError> {
    context.param("id").parse().map(HeldId).map_err(|_| PageError::NotFound)
}

/// `GET /admin/approvals/{id}/`
pub(in crate::web) async fn page(context: Arc<Context>) -> PageResult {
    show_later(&context, StatusCode::OK, FieldProblems::default()).await
}

/// Shows the page from a thread that may read a large message, in memory that all such pages share.
async fn show_later(context: &Arc<Context>, status: StatusCode, problems: FieldProblems) -> PageResult {
    let held = moderation::get(&context.read()?, context.administrator()?, number(context)?)?;
    let memory = context.reading(held.size_bytes).await?;
    blocking(context, move |context| {
        let _memory = memory;
        show(context, status, problems)
    })
    .await
}

fn show(context: &Context, status: StatusCode, problems: FieldProblems) -> PageResult {
    let (locale, language) = (context.locale(), context.language);
    let tx = context.read()?;
    let caller = context.administrator()?;
    let held = moderation::get(&tx, caller, number(context)?)?;
    let list = lists::of_id(&tx, held.list)?.ok_or(PageError::NotFound)?;
    let (reason_hint, next) = reason_words(language, &list, &held);
    let is_waiting = held.state == HeldState::Held;
    let decided = if is_waiting { None } else { Some(held_already(context, &tx, &held)?) };
    let page = HeldPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        problems,
        title: subject_of(language, &held.subject),
        back: context.href("/admin/approvals/"),
        list: list.name.to_string(),
        from: moderation::notices::display(&held.from_phrase, &held.from),
        received: locale.moment(held.received),
        due: locale.moment(held.due()),
        size: locale::size(language, held.size_bytes),
        sender: sender::of(context, &tx, &held, list.name.as_str())?,
        body: body(context, &tx, &list, &held)?,
        decided,
        reasons: senders::kept_reasons(&tx, caller)?,
        reason: context.form.get("reason").to_owned(),
        reason_label: text!(language, "moderate-reason"),
        reason_chars_max: REASON_CHARS_MAX,
        reason_hint,
        next,
    };
    context.html(status, &page)
}

/// The message as its list would send it; `None` if it cannot be read, which may be why it was put aside.
fn body(context: &Context, tx: &ReadTx, list: &List, held: &Held) -> Result<Option<BodyView>, PageError> {
    let links = context.core.links.of(tx, held.account)?;
    let reading = || shown::mail(tx, &links, list, &as_message(held));
    let Ok(read) = std::panic::catch_unwind(AssertUnwindSafe(reading)) else { return Ok(None) };
    let Some(mail) = read? else { return Ok(None) };
    let page = context.href(&format!("/admin/approvals/{}/", held.id));
    let showing = || body_of(context, &mail, &page, Quotes::Fitting);
    Ok(std::panic::catch_unwind(AssertUnwindSafe(showing)).ok())
}

/// The text and the files of a mail, whose parts are below the path of a page.
pub(in crate::web::admin) fn body_of(
    context: &Context,
    mail: &Inbound,
    page: &str,
    quotes: Quotes,
) -> BodyView {
    let part_href = |number: usize, name: &str| part::path(page, number, name);
    let body = Body::of(
        mail,
        &ReadingOptions {
            hides_addresses: false,
            remote_images: false,
            part_href: &part_href,
            raw_href: "",
            images_href: "",
            quotes,
            language: context.language,
            bytes_max: SHOWN_BYTES_MAX,
        },
    );
    let files = body.attachments.iter();
    let files = files.map(|part| file_view(context.language, part, part_href(part.number, &part.name)));
    BodyView { html: body.html, files: files.collect(), has_remote_images: body.has_remote_images }
}

/// `POST /admin/approvals/{id}/`
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    let id = number(&context)?;
    moderation::get(&context.read()?, context.administrator()?, id)?;
    let Some(action) = PageAction::from_word(context.form.get("action")) else {
        let problems = FieldProblems::one("buttons", text!(context.language, "problem-no-button"));
        return show_later(&context, StatusCode::BAD_REQUEST, problems).await;
    };
    let outcome = index::decide_messages(&context, &[id.0], action).await?;
    if outcome.refused.is_empty() {
        return index::finish(&context, action, Kind::Messages, outcome).await;
    }
    let (status, problems) = outcome.refusal("buttons");
    show_later(&context, status, problems).await
}

/// `GET /admin/approvals/{id}/parts/{part}/{file}`: a file of a held message.
pub(in crate::web) async fn file(context: Arc<Context>) -> PageResult {
    let id = number(&context)?;
    let held = moderation::get(&context.read()?, context.administrator()?, id)?;
    let memory = context.reading(held.size_bytes).await?;
    let part = blocking(&context, move |context| {
        let _memory = memory;
        let tx = context.read()?;
        let list = lists::of_id(&tx, held.list)?.ok_or(PageError::NotFound)?;
        let links = context.core.links.of(&tx, held.account)?;
        let number = context.param("part").parse().map_err(|_| PageError::NotFound)?;
        Ok(parts::find(&tx, &links, &list, &as_message(&held), number, true)?)
    });
    let part = part.await?;
    Ok(part::respond_privately(&context, part.ok_or(PageError::NotFound)?))
}
