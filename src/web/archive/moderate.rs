//! The moderators' buttons on the pages of an archive: they take a message out, take words out of it, restore it, close
//! a thread and open it again.
//!
//! A moderator is an administrator who approves messages of the list, or a signed-in member one of whose confirmed
//! addresses is the list's moderator. Nobody else sees the buttons, and a form that somebody else sends is refused.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use super::access::{self, OpenArchive};
use crate::locale::text;
use crate::model::{EmailAddress, List, MessageId, Permission, Via};
use crate::ops::archive::redaction::{self, Change, Changed, WORD_CHARS_MAX, WORDS_MAX};
use crate::ops::archive::{browse, closing};
use crate::ops::authority::holds_for;
use crate::ops::moderation::senders;
use crate::ops::people::own::addresses;
use crate::ops::{Caller, OpError, sessions};
use crate::store::ReadTx;
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;

/// The moderator's buttons on a page: the values of `archive_moderator.html`.
pub(in crate::web) struct ModeratorView {
    pub(in crate::web) csrf: String,
    /// The path to which the buttons send.
    pub(in crate::web) action: String,
    /// Whether the page is about one message.
    pub(in crate::web) is_message: bool,
    pub(in crate::web) is_closed: bool,
    /// Until when the original of the message can be restored, where the visitor may do that.
    pub(in crate::web) restore_until: Option<String>,
    /// What follows from stopping the sender of the message; `None` where nobody can be stopped, or is already.
    pub(in crate::web) stop: Option<String>,
}

/// The answer to a button, and the page in place of a message that was taken out for those who may restore it.
#[derive(Template)]
#[template(path = "archive_moderated.html", config = "src/web/askama.toml")]
struct ModeratedPage {
    frame: Frame,
    title: String,
    lede: String,
    /// Whether a button was just pressed.
    is_done: bool,
    problems: FieldProblems,
    /// The words to take out, as they were typed.
    words: String,
    /// The path of what the button was about, or of the list where that is gone.
    back: String,
    moderator: Option<ModeratorView>,
    /// Whether the message is not in the archive now.
    is_gone: bool,
    list: String,
    list_page: String,
}

/// The visitor as a moderator of the list; `None` if the visitor is none.
fn moderator(context: &Context, tx: &ReadTx, list: &List) -> Result<Option<Arc<Caller>>, PageError> {
    let client = Some(context.site.client);
    if let Some(session) = context.admin()
        && let Some(admin) = sessions::admin_of(tx, session)?
        && holds_for(&admin, Permission::ApproveMessages, list.id)
    {
        return Ok(Some(Arc::new(Caller::admin(&admin, list.account, Via::Page, client))));
    }
    let (Some(session), Some(moderator)) = (context.member(), &list.moderator) else { return Ok(None) };
    let contact = sessions::member_of(tx, session)?;
    let Some(contact) = contact.filter(|contact| contact.account == list.account) else { return Ok(None) };
    let own = addresses::list(tx, &contact)?;
    let is_own =
        own.iter().any(|own| own.email.confirmed && own.email.address.folded() == moderator.folded());
    let caller = || Caller::moderator(list, moderator.clone(), Via::Page, client);
    Ok(is_own.then(|| Arc::new(caller())))
}

/// The moderator's buttons for a thread, or for one of its messages; `None` if the visitor is no moderator.
pub(in crate::web) fn view(
    context: &Context,
    tx: &ReadTx,
    archive: &OpenArchive,
    thread: MessageId,
    message: Option<MessageId>,
) -> Result<Option<ModeratorView>, PageError> {
    let Some(caller) = moderator(context, tx, &archive.list)? else { return Ok(None) };
    let sealed = match message.filter(|_| caller.holds(Permission::AccountAdmin)) {
        Some(id) => redaction::sealed(tx, &archive.list, id, context.core.now())?,
        None => None,
    };
    let path = match message {
        Some(id) => format!("messages/{id}/"),
        None => format!("threads/{thread}/"),
    };
    Ok(Some(ModeratorView {
        csrf: context.csrf(),
        action: archive.href(context, &path),
        is_message: message.is_some(),
        is_closed: browse::is_closed(tx, thread)?,
        restore_until: sealed.map(|sealed| context.locale().day(sealed.due())),
        stop: message.map(|id| stop_words(context, tx, archive, id)).transpose()?.flatten(),
    }))
}

/// What follows from stopping the sender of a message, if that is possible and not done yet.
fn stop_words(
    context: &Context,
    tx: &ReadTx,
    archive: &OpenArchive,
    id: MessageId,
) -> Result<Option<String>, PageError> {
    let found = browse::record(tx, &archive.list, id)?;
    let address = found.and_then(|message| EmailAddress::parse(&message.from_address).ok());
    let can_be_stopped = |address: &EmailAddress| {
        senders::can_be_stopped(&archive.list, address) && !senders::is_banned(&archive.list, address)
    };
    Ok(address.filter(can_be_stopped).map(|address| {
        let (sender, list) = (address.as_str(), archive.list.name.as_str());
        text!(context.language, "desk-stop-hint", sender = sender, list = list)
    }))
}

/// The page in place of a message that was taken out, for those who may restore it; `None` for everybody else.
pub(in crate::web) fn gone(
    context: &Context,
    tx: &ReadTx,
    archive: &OpenArchive,
    id: MessageId,
) -> Result<Option<PageResult>, PageError> {
    let found = browse::record(tx, &archive.list, id)?;
    let Some(message) = found.filter(|message| message.deleted) else { return Ok(None) };
    let Some(moderator) = view(context, tx, archive, message.thread, Some(id))? else { return Ok(None) };
    if moderator.restore_until.is_none() {
        return Ok(None);
    }
    let page = ModeratedPage {
        title: text!(context.language, "moderator-gone"),
        lede: text!(context.language, "moderator-gone-next"),
        is_gone: true,
        ..page_of(context, archive, Some(moderator))
    };
    Ok(Some(context.html(StatusCode::NOT_FOUND, &page)))
}

fn page_of(context: &Context, archive: &OpenArchive, moderator: Option<ModeratorView>) -> ModeratedPage {
    let back = moderator.as_ref().map(|moderator| moderator.action.clone());
    ModeratedPage {
        frame: Frame::of(context),
        title: String::new(),
        lede: String::new(),
        is_done: false,
        problems: FieldProblems::default(),
        words: String::new(),
        back: back.unwrap_or_else(|| archive.href(context, "")),
        moderator,
        is_gone: false,
        list: archive.list.name.to_string(),
        list_page: archive.href(context, ""),
    }
}

/// The thread or message that a form is about, and the moderator who sent it.
struct Case {
    archive: OpenArchive,
    caller: Arc<Caller>,
    id: MessageId,
}

fn case(context: &Context) -> Result<Case, PageError> {
    let tx = context.read()?;
    let archive = access::open(context, &tx)?;
    let id = context.param("id").parse().map(MessageId).map_err(|_| PageError::NotFound)?;
    let caller = moderator(context, &tx, &archive.list)?.ok_or(PageError::Forbidden)?;
    Ok(Case { archive, caller, id })
}

/// `POST /lists/{name}/threads/{id}/`: `action` is `close` or `open`.
pub(in crate::web) async fn thread(context: Arc<Context>) -> PageResult {
    let case = case(&context)?;
    match context.form.get("action") {
        action @ ("close" | "open") => set_closed(&context, &case, case.id, action == "close").await,
        _ => refused(&context, &case, case.id, None),
    }
}

/// `POST /lists/{name}/messages/{id}/`: `action` is `delete`, `redact` with `words`, `restore`, `stop`, `close` or `open`.
pub(in crate::web) async fn message(context: Arc<Context>) -> PageResult {
    let case = case(&context)?;
    let found = browse::record(&context.read()?, &case.archive.list, case.id)?;
    let thread = found.ok_or(PageError::NotFound)?.thread;
    let change = match context.form.get("action") {
        action @ ("close" | "open") => return set_closed(&context, &case, thread, action == "close").await,
        "stop" => return stop(&context, &case, thread).await,
        "delete" => Change::TakeOut,
        "redact" => match words(&context) {
            Ok(words) => Change::Redact(words),
            Err(problem) => return wrong(&context, &case, thread, problem),
        },
        "restore" => Change::Restore,
        _ => return refused(&context, &case, thread, Some(case.id)),
    };
    let core = &context.core;
    let done = core.change_message(&case.caller, &case.archive.list, case.id, change.clone()).await;
    let changed = match done {
        Err(OpError::NotFound { .. }) if matches!(change, Change::Restore) => {
            return Err(PageError::NotFound);
        }
        done => done?,
    };
    let language = context.language;
    let (title, lede) = match (changed, &change) {
        (Changed::NothingFound, _) => {
            let problem = text!(language, "moderator-no-words");
            return wrong(&context, &case, thread, problem);
        }
        (Changed::Unreadable, _) => return lost(&context, &case),
        (Changed::Done, Change::TakeOut) => {
            (text!(language, "moderator-deleted"), text!(language, "moderator-deleted-next"))
        }
        (Changed::Done, Change::Redact(_)) => {
            (text!(language, "moderator-redacted"), text!(language, "moderator-redacted-next"))
        }
        (Changed::Done, Change::Restore) => {
            (text!(language, "moderator-restored"), text!(language, "moderator-restored-next"))
        }
    };
    let is_gone = change == Change::TakeOut;
    let tx = context.read()?;
    let moderator = view(&context, &tx, &case.archive, thread, Some(case.id))?;
    let shown = page_of(&context, &case.archive, moderator);
    context.show(&ModeratedPage { title, lede, is_done: true, is_gone, ..shown })
}

async fn set_closed(context: &Context, case: &Case, thread: MessageId, closed: bool) -> PageResult {
    let list = case.archive.list.clone();
    let setting = context.core.perform(&case.caller, move |tx, by| {
        closing::set(tx, &by.caller, &list, thread, closed, by.now) //
    });
    setting.await?;
    let language = context.language;
    let (title, lede) = if closed {
        (text!(language, "moderator-closed"), text!(language, "moderator-closed-next"))
    } else {
        (text!(language, "moderator-opened"), text!(language, "moderator-opened-next"))
    };
    let tx = context.read()?;
    let moderator = view(context, &tx, &case.archive, thread, None)?;
    let shown = page_of(context, &case.archive, moderator);
    context.show(&ModeratedPage { title, lede, is_done: true, ..shown })
}

/// Bans the sender of the message from the list.
async fn stop(context: &Context, case: &Case, thread: MessageId) -> PageResult {
    let (id, language) = (case.id, context.language);
    let stopping =
        context.core.perform(&case.caller, move |tx, by| senders::stop(tx, &by.caller, id, by.now));
    let sender = match stopping.await {
        Ok((sender, _)) => sender,
        Err(OpError::Invalid { .. }) => return refused(context, case, thread, Some(id)),
        Err(error) => return Err(error.into()),
    };
    let (title, list) = (text!(language, "moderator-stopped"), case.archive.list.name.as_str());
    let lede = text!(language, "desk-banned-sender", sender = sender.as_str(), list = list);
    let tx = context.read()?;
    let moderator = view(context, &tx, &case.archive, thread, Some(id))?;
    let shown = page_of(context, &case.archive, moderator);
    context.show(&ModeratedPage { title, lede, is_done: true, ..shown })
}

/// The page after a form without a button.
fn refused(context: &Context, case: &Case, thread: MessageId, message: Option<MessageId>) -> PageResult {
    let tx = context.read()?;
    let moderator = view(context, &tx, &case.archive, thread, message)?;
    let problem = text!(context.language, "problem-no-button");
    let page = ModeratedPage {
        title: text!(context.language, "moderator-title"),
        problems: FieldProblems::one("moderator", problem),
        ..page_of(context, &case.archive, moderator)
    };
    context.html(StatusCode::BAD_REQUEST, &page)
}

/// The words of the form, or what is wrong with them.
fn words(context: &Context) -> Result<Vec<String>, String> {
    let language = context.language;
    match redaction::words_of(context.form.get("words")) {
        None => Err(text!(language, "moderator-words-many", words = WORDS_MAX, chars = WORD_CHARS_MAX)),
        Some(words) if words.is_empty() => Err(text!(language, "moderator-words-missing")),
        Some(words) => Ok(words),
    }
}

/// The page after an original that cannot be opened any more.
fn lost(context: &Context, case: &Case) -> PageResult {
    let page = ModeratedPage {
        title: text!(context.language, "moderator-title"),
        lede: text!(context.language, "moderator-sealed-lost"),
        is_gone: true,
        ..page_of(context, &case.archive, None)
    };
    context.html(StatusCode::CONFLICT, &page)
}

/// The page after words that cannot be taken out of the message.
fn wrong(context: &Context, case: &Case, thread: MessageId, problem: String) -> PageResult {
    let tx = context.read()?;
    let moderator = view(context, &tx, &case.archive, thread, Some(case.id))?;
    let page = ModeratedPage {
        title: text!(context.language, "moderator-title"),
        problems: FieldProblems::one("words", problem),
        words: context.form.get("words").to_owned(),
        ..page_of(context, &case.archive, moderator)
    };
    context.html(StatusCode::BAD_REQUEST, &page)
}
