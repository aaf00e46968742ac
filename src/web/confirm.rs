//! The page of the link that asks the owner of an address to confirm a request: to join or leave lists, and other
//! changes.
//!
//! The token in the link is the proof. Opening the page changes nothing, since link checkers follow every link; its
//! button carries the request out. A link that was used, or that is too old, says so.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use super::context::Context;
use super::error::{PageError, PageResult};
use super::frame::Frame;
use super::paths;
use crate::locale::text;
use crate::model::account::Subscriptions;
use crate::model::{Account, Confirmation, List, RequestedChange, Via};
use crate::ops::people::requests::{self, Opened, Outcome, State};
use crate::ops::people::welcome;
use crate::ops::{Caller, OpError, lists};
use crate::store::StoreError;

#[derive(Template)]
#[template(path = "confirm.html", config = "src/web/askama.toml")]
struct ConfirmPage {
    frame: Frame,
    title: String,
    asked: String,
    /// The facts: what each is, and its value.
    facts: Vec<(String, String)>,
    /// The changes, if the request has several.
    changes: Vec<String>,
    button: String,
    next: Vec<String>,
    not_you: String,
}

#[derive(Template)]
#[template(path = "confirmed.html", config = "src/web/askama.toml")]
struct ConfirmedPage {
    frame: Frame,
    title: String,
    lede: String,
    /// The results, if the request had several changes.
    results: Vec<String>,
    /// The paragraphs of the account's welcome message.
    welcome: Vec<String>,
    /// Whether the button was just pressed.
    is_done: bool,
    /// Where the same can be asked for again, if the time of the request is over.
    again: Option<String>,
    /// The number of the request of the page, where something went wrong.
    request_id: Option<String>,
}

/// A change, with the title of its list, or of the account if it is about none.
struct Change<'a> {
    asked: &'a RequestedChange,
    list: Option<List>,
    title: String,
}

/// `GET /confirm/{token}/`: changes nothing.
pub(super) fn confirm_page(context: &Context) -> PageResult {
    let Opened { confirmation, state } = open(context)?;
    match state {
        State::Waiting => show(context, &confirmation),
        State::Used => show_used(context, &confirmation),
        State::Expired => show_expired(context, &confirmation),
    }
}

/// `POST /confirm/{token}/`: carries the request out.
pub(super) async fn confirm(context: Arc<Context>) -> PageResult {
    let Opened { confirmation, state } = open(&context)?;
    if state != State::Waiting {
        return confirm_page(&context);
    }
    let account = account(&context)?;
    // The list may be gone once the request is carried out.
    let changes = changes_of(&context, account, &confirmation)?;
    let caller = Arc::new(Caller::anonymous(account.id, Via::Link, Some(context.site.client)));
    match context.core.confirm_request(&caller, confirmation.id).await {
        Ok(outcomes) => show_done(&context, account, &confirmation, &changes, &outcomes),
        // Somebody pressed the button twice.
        Err(OpError::Conflict { .. }) => confirm_page(&context),
        Err(error) => Err(error.into()),
    }
}

/// The request of the link, if it belongs to this site.
fn open(context: &Context) -> Result<Opened, PageError> {
    let core = &context.core;
    let opened = requests::open(&context.read()?, &core.signer, context.token(), core.now())?;
    let is_here = context.site.answers_for(Some(opened.confirmation.account));
    if is_here { Ok(opened) } else { Err(PageError::DeadLink) }
}

fn account(context: &Context) -> Result<&Account, PageError> {
    context.account.as_ref().ok_or(PageError::DeadLink)
}

fn changes_of<'a>(
    context: &Context,
    account: &Account,
    request: &'a Confirmation,
) -> Result<Vec<Change<'a>>, StoreError> {
    let tx = context.read()?;
    let mut changes = Vec::with_capacity(request.changes.len());
    for change in &request.changes {
        let list = match change.list() {
            Some(id) => lists::of_id(&tx, id)?,
            None => None,
        };
        let title = list.as_ref().map_or_else(|| account.title(), List::title).to_owned();
        changes.push(Change { asked: change, list, title });
    }
    Ok(changes)
}

fn show(context: &Context, request: &Confirmation) -> PageResult {
    let (account, language, locale) = (account(context)?, context.language, context.locale());
    let changes = changes_of(context, account, request)?;
    let words = |change: &Change<'_>| requests::change_in_words(language, change.asked, &change.title);
    let mut facts = Vec::new();
    let (title, button) = match changes.as_slice() {
        [Change { asked: RequestedChange::Join { digest, .. }, title, .. }] => {
            let mail = match digest {
                Some(true) => Some(text!(language, "confirm-mail-digest")),
                Some(false) => Some(text!(language, "confirm-mail-singly")),
                None => None,
            };
            facts.push((text!(language, "confirm-list"), title.clone()));
            facts.extend(mail.map(|mail| (text!(language, "confirm-mail"), mail)));
            (text!(language, "confirm-title-join", list = title), text!(language, "confirm-button-join"))
        }
        [Change { asked: RequestedChange::Leave { .. }, title, .. }] => {
            facts.push((text!(language, "confirm-list"), title.clone()));
            (text!(language, "confirm-title-leave", list = title), text!(language, "confirm-button-leave"))
        }
        _ => (text!(language, "confirm-title"), text!(language, "confirm-button")),
    };
    facts.push((text!(language, "confirm-address"), request.address.as_str().to_owned()));
    context.show(&ConfirmPage {
        frame: Frame::of(context),
        title,
        asked: text!(language, "confirm-asked", time = locale.moment(request.requested)),
        changes: if facts.len() == 1 { changes.iter().map(words).collect() } else { Vec::new() },
        facts,
        button,
        next: what_follows(context, account, &changes),
        not_you: text!(language, "confirm-not-you", day = locale.day(request.ends())),
    })
}

/// The consequences of pressing the button: for each change, with its list if there are several.
fn what_follows(context: &Context, account: &Account, changes: &[Change<'_>]) -> Vec<String> {
    let language = context.language;
    let mut sentences: Vec<String> = Vec::new();
    for Change { asked: change, list, title } in changes {
        let needs_approval = |how: fn(&Account, &List) -> Subscriptions| {
            list.as_ref().is_some_and(|list| how(account, list) == Subscriptions::OpenConfirm)
        };
        let sentence = match change {
            RequestedChange::Join { .. } if needs_approval(requests::subscriptions) => {
                text!(language, "confirm-next-approval")
            }
            RequestedChange::Leave { .. } if needs_approval(requests::unsubscriptions) => {
                text!(language, "confirm-next-approval")
            }
            RequestedChange::Join { .. } => text!(language, "confirm-next-join"),
            RequestedChange::Leave { .. }
            | RequestedChange::Digest { .. }
            | RequestedChange::Pause
            | RequestedChange::Resume
            | RequestedChange::AddAddress { .. } => text!(language, "confirm-next-other"),
        };
        sentences.push(if changes.len() == 1 { sentence } else { format!("{title}: {sentence}") });
    }
    sentences
}

fn show_used(context: &Context, request: &Confirmation) -> PageResult {
    let language = context.language;
    let time = context.locale().moment(request.done.unwrap_or(request.requested));
    context.show(&ConfirmedPage {
        frame: Frame::of(context),
        title: text!(language, "confirm-used-title"),
        lede: text!(language, "confirm-used", time = time),
        results: Vec::new(),
        welcome: Vec::new(),
        is_done: false,
        again: None,
        request_id: None,
    })
}

/// Where the changes of a request can be asked for again: the form of its list, or that of several; `None` for changes
/// of a member's own pages, which are behind signing in.
fn again(context: &Context, request: &Confirmation) -> Result<Option<String>, PageError> {
    let account = account(context)?;
    let changes = changes_of(context, account, request)?;
    let action = match changes.first().map(|change| change.asked) {
        Some(RequestedChange::Join { .. }) => "",
        Some(RequestedChange::Leave { .. }) => "?action=unsubscribe",
        _ => return Ok(Some(context.href(paths::MEMBERS))),
    };
    let path = match changes.as_slice() {
        [Change { list: Some(list), .. }] => format!("/lists/{}/join/{action}", list.name),
        _ => format!("/join/{action}"),
    };
    Ok(Some(context.href(&path)))
}

fn show_expired(context: &Context, request: &Confirmation) -> PageResult {
    let language = context.language;
    let day = context.locale().day(request.requested);
    tracing::info!(http.status = 410, page = "confirm", client = %context.site.client, "A page answered 410");
    let page = ConfirmedPage {
        frame: Frame::of(context),
        title: text!(language, "confirm-expired-title"),
        lede: text!(language, "confirm-expired", day = day),
        results: vec![text!(language, "confirm-expired-next")],
        welcome: Vec::new(),
        is_done: false,
        again: again(context, request)?,
        request_id: Some(context.request_id.clone()),
    };
    context.html(StatusCode::GONE, &page)
}

fn show_done(
    context: &Context,
    account: &Account,
    request: &Confirmation,
    changes: &[Change<'_>],
    outcomes: &[Outcome],
) -> PageResult {
    let told: Vec<(String, String)> = changes
        .iter()
        .zip(outcomes)
        .map(|(Change { asked: change, title, .. }, outcome)| {
            let address = request.address.as_str();
            requests::outcome_in_words(context.language, change, title, address, *outcome)
        })
        .collect();
    let (title, lede, results) = match told.as_slice() {
        [(title, next)] => (title.clone(), next.clone(), Vec::new()),
        several => {
            let results = several.iter().map(|(title, next)| format!("{title}. {next}")).collect();
            (text!(context.language, "confirm-done"), String::new(), results)
        }
    };
    let is_member = |outcome: &Outcome| matches!(outcome, Outcome::Joined | Outcome::AlreadyMember);
    let welcome = if outcomes.iter().any(is_member) {
        welcome::of_account(&context.read()?, account, &request.address, context.core.now())?
    } else {
        None
    };
    let paragraphs = welcome.unwrap_or_default();
    let paragraphs = paragraphs.split("\n\n").map(str::trim).filter(|text| !text.is_empty());
    context.show(&ConfirmedPage {
        frame: Frame::of(context),
        title,
        lede,
        results,
        welcome: paragraphs.map(str::to_owned).collect(),
        is_done: true,
        again: None,
        request_id: None,
    })
}
