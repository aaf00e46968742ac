//! The page of the link that asks the owner of an address to confirm a request: to join or leave lists, and other
//! changes.
//!
//! The token in the link is the proof. Opening the page changes nothing, since link checkers follow every link; its
//! button carries the request out, and signs the person in where nobody is: who reads the mail of an address may act as
//! its member. The form carries a CSRF token for that alone, so that nobody signs a visitor in as somebody else. A link
//! that was used, or that is too old, says so, and signs nobody in.

use std::sync::Arc;

use askama::Template;
use axum::http::{StatusCode, header};

use super::context::Context;
use super::cookies::session_cookie;
use super::error::{PageError, PageResult};
use super::frame::Frame;
use super::onward::{self, Onward};
use super::paths;
use crate::locale::text;
use crate::model::account::Subscriptions;
use crate::model::{Account, Confirmation, Contact, List, RequestedChange, Session, Via};
use crate::ops::people::requests::{self, Opened, Outcome, State};
use crate::ops::people::sign_in::NewBrowser;
use crate::ops::people::welcome;
use crate::ops::{Caller, OpError, lists, sessions};
use crate::store::StoreError;

#[derive(Template)]
#[template(path = "confirm.html", config = "src/web/askama.toml")]
struct ConfirmPage {
    frame: Frame,
    csrf: String,
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
    /// Whether the person was signed in with it.
    is_signed_in: bool,
    /// Where to go on.
    onward: Vec<Onward>,
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
    let (token, token_hash) = sessions::new_token(&context.core.secrets);
    // A browser in which somebody is signed in stays that person's.
    let is_free = context.signed_in().is_none() && context.is_csrf_right();
    let browser = (is_free && context.site.account == Some(confirmation.account))
        .then(|| NewBrowser { device: context.device().clone(), token_hash });
    match context.core.confirm_request(&caller, confirmation.id, browser).await {
        Ok((outcomes, session)) => {
            let begun = session.map(|session| (session, token));
            show_done(&context, account, &confirmation, (&changes, &outcomes), begun)
        }
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
        [Change { asked: RequestedChange::ReplaceAddress { .. }, title, .. }] => {
            facts.push((text!(language, "confirm-site"), title.clone()));
            (text!(language, "confirm-title-replace"), text!(language, "confirm-button-replace"))
        }
        _ => (text!(language, "confirm-title"), text!(language, "confirm-button")),
    };
    facts.push((text!(language, "confirm-address"), request.address.as_str().to_owned()));
    context.show(&ConfirmPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
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
            RequestedChange::ReplaceAddress { .. } => text!(language, "confirm-next-replace"),
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
        is_signed_in: false,
        onward: vec![onward::to_own_lists(context)],
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
        is_signed_in: false,
        onward: Vec::new(),
        again: again(context, request)?,
        request_id: Some(context.request_id.clone()),
    };
    context.html(StatusCode::GONE, &page)
}

/// The page about what was done, with the session that began with it and its token.
fn show_done(
    context: &Context,
    account: &Account,
    request: &Confirmation,
    (changes, outcomes): (&[Change<'_>], &[Outcome]),
    begun: Option<(Session, String)>,
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
    let welcome = if outcomes.iter().copied().any(is_member) {
        welcome::of_account(&context.read()?, account, &request.address, context.core.now())?
    } else {
        None
    };
    let paragraphs = welcome.unwrap_or_default();
    let paragraphs = paragraphs.split("\n\n").map(str::trim).filter(|text| !text.is_empty());
    let page = ConfirmedPage {
        frame: match &begun {
            Some((_, token)) => Frame::of_new_member(context, token),
            None => Frame::of(context),
        },
        title,
        lede,
        results,
        welcome: paragraphs.map(str::to_owned).collect(),
        is_done: true,
        is_signed_in: begun.is_some(),
        onward: onward_of(context, (changes, outcomes), begun.as_ref().map(|(session, _)| session))?,
        again: None,
        request_id: None,
    };
    let mut response = context.show(&page)?;
    if let Some((session, token)) = begun {
        let core = &context.core;
        let cookie = session_cookie(core.links.base_url(), &session, &token, core.now());
        response.headers_mut().append(header::SET_COOKIE, cookie);
    }
    Ok(response)
}

/// Whether the person belongs to the list of a change now.
fn is_member(outcome: Outcome) -> bool {
    matches!(outcome, Outcome::Joined | Outcome::AlreadyMember)
}

/// Where somebody goes on who has confirmed: to the lists that were joined, and to those that are the person's.
fn onward_of(
    context: &Context,
    (changes, outcomes): (&[Change<'_>], &[Outcome]),
    begun: Option<&Session>,
) -> Result<Vec<Onward>, PageError> {
    let tx = context.read()?;
    let person: Option<Contact> = match begun.or(context.member()) {
        Some(session) => sessions::member_of(&tx, session)?,
        None => None,
    };
    let mut links = Vec::new();
    for (change, _) in changes.iter().zip(outcomes).filter(|(_, outcome)| is_member(**outcome)) {
        if let Some(list) = &change.list {
            links.extend(onward::of_list(context, &tx, list, person.as_ref())?);
        }
    }
    links.push(onward::to_own_lists(context));
    Ok(links)
}
