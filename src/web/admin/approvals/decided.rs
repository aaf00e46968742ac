//! The sentences about what was decided on the page of approvals: which message, which sender, and what else waits of a
//! sender who was banned. They are made of the decided records, which the address of the page names by number.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::locale::text;
use crate::model::pending::{PendingKind, PendingState};
use crate::model::{Held, HeldAction, HeldId, HeldState, Language, Pending, PendingId};
use crate::ops::lists::pending as requests;
use crate::ops::moderation;
use crate::ops::moderation::notices::display;
use crate::ops::moderation::senders::PageAction;
use crate::ops::moderation::waiting::{self, HeldFilter};
use crate::ops::{Caller, OpError};
use crate::store::ReadTx;
use crate::web::admin::messages::index::{list_name, subject_of};
use crate::web::context::Context;
use crate::web::error::PageError;

/// Decisions that the address of the page names one by one.
const NAMED_MAX: usize = 25;

/// The things that wait on the page: messages, or requests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Held messages.
    Messages,
    /// Requests to join or to leave.
    People,
    /// New lists.
    Lists,
}

impl Kind {
    pub(super) fn of(word: &str) -> Kind {
        match word {
            "people" => Kind::People,
            "lists" => Kind::Lists,
            _ => Kind::Messages,
        }
    }

    pub(super) fn word(self) -> &'static str {
        match self {
            Kind::Messages => "messages",
            Kind::People => "people",
            Kind::Lists => "lists",
        }
    }

    /// The query of the page that shows them.
    pub(super) fn query(self) -> String {
        if self == Kind::Messages { String::new() } else { format!("?kind={}", self.word()) }
    }
}

/// The answer to a decision.
pub(super) struct Told {
    /// The decision.
    pub(super) words: String,
    /// Links to what else waits, each with its words.
    pub(super) more: Vec<(String, String)>,
}

impl Told {
    /// A sentence alone.
    pub(super) fn words(words: String) -> Told {
        Told { words, more: Vec::new() }
    }
}

/// Things of one kind that were decided in the same way.
pub(super) struct Decided {
    action: PageAction,
    kind: Kind,
    count: u64,
    ids: Vec<u64>,
}

impl Decided {
    pub(super) fn of(action: PageAction, kind: Kind, ids: Vec<u64>) -> Decided {
        Decided { action, kind, count: ids.len() as u64, ids }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The decision that the address of the page tells of, if it does.
    pub(super) fn read(context: &Context) -> Option<Decided> {
        let query = &context.query;
        let action = PageAction::from_word(query.get("done"))?;
        let ids: Vec<u64> = query.all("id").filter_map(|id| id.parse().ok()).take(NAMED_MAX).collect();
        let count = query.get("count").parse().unwrap_or(1);
        Some(Decided { action, kind: Kind::of(query.get("kind")), count, ids })
    }

    /// The query of the page that tells of it. What is not named needs no numbers.
    pub(super) fn query(&self) -> String {
        let Decided { action, kind, count, ids } = self;
        let is_named = *count == 1 || matches!(action, PageAction::Ban | PageAction::Allow);
        let mut query = format!("?done={}&count={count}", action.word());
        if *kind != Kind::Messages {
            query.extend(["&kind=", kind.word()]);
        }
        for id in ids.iter().filter(|_| is_named).take(NAMED_MAX) {
            query.extend(["&id=", &id.to_string()]);
        }
        query
    }

    /// The decisions, in sentences.
    pub(super) fn told(&self, context: &Context) -> Result<Told, PageError> {
        let language = context.language;
        let tx = context.read()?;
        let caller = context.administrator()?;
        if self.kind != Kind::Messages {
            return Ok(Told::words(self.requests_words(language, &tx, caller)?));
        }
        let mut messages = Vec::new();
        for id in &self.ids {
            // An address that was written by hand, or is old, tells of nothing that was not decided.
            let found = found(moderation::get(&tx, caller, HeldId(*id)))?;
            messages.extend(found.filter(|held| held.state == HeldState::from(self.action.decision())));
        }
        let mut sentences = vec![match messages.as_slice() {
            [held] if self.count == 1 => message_words(language, self.action.decision(), held),
            _ => count_words(language, self.action.decision(), self.count),
        }];
        let mut more = Vec::new();
        let mut told: Vec<(String, String)> = Vec::new();
        for held in messages {
            let about = (held.from.clone(), list_name(&tx, held.list)?);
            if !told.contains(&about) {
                let (sender, list) = (about.0.as_str(), about.1.as_str());
                match self.action {
                    PageAction::Ban => {
                        sentences.push(text!(language, "desk-banned-sender", sender = sender, list = list));
                        if told.iter().all(|(other, _)| other != sender) {
                            more.extend(more_of(context, &tx, caller, sender)?);
                        }
                    }
                    PageAction::Allow => {
                        sentences.push(text!(language, "desk-allowed-sender", sender = sender, list = list));
                    }
                    PageAction::Approve | PageAction::Reject | PageAction::Discard => {}
                }
                told.push(about);
            }
        }
        Ok(Told { words: sentences.join(" "), more })
    }

    fn requests_words(&self, language: Language, tx: &ReadTx, caller: &Caller) -> Result<String, PageError> {
        let decision = self.action.decision();
        let several = count_words(language, decision, self.count);
        let ([id], 1) = (self.ids.as_slice(), self.count) else { return Ok(several) };
        let found = found(requests::get(tx, caller, PendingId(*id)))?;
        let found = found.filter(|pending| pending.state == PendingState::from(decision));
        let Some(pending) = found else { return Ok(several) };
        let list = requests::list_name(tx, &pending)?;
        Ok(request_words(language, decision, &pending, &list))
    }
}

/// A record that is still there and may be seen.
pub(super) fn found<T>(result: Result<T, OpError>) -> Result<Option<T>, PageError> {
    match result {
        Ok(found) => Ok(Some(found)),
        Err(OpError::NotFound { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The link to the other messages of a sender that wait.
fn more_of(
    context: &Context,
    tx: &ReadTx,
    caller: &Caller,
    sender: &str,
) -> Result<Option<(String, String)>, PageError> {
    let filter = HeldFilter { from: sender.to_owned(), ..HeldFilter::default() };
    let count = waiting::found(tx, caller, &filter)?.len();
    let href = context.href("/admin/approvals/") + &sender_field("?", sender);
    let words = || text!(context.language, "desk-more-of-sender", count = count as u64, sender = sender);
    Ok((0 < count).then(|| (href, words())))
}

fn count_words(language: Language, decision: HeldAction, count: u64) -> String {
    match decision {
        HeldAction::Approve => text!(language, "desk-approved", count = count),
        HeldAction::Reject => text!(language, "desk-rejected", count = count),
        HeldAction::Discard => text!(language, "desk-discarded", count = count),
    }
}

fn message_words(language: Language, decision: HeldAction, held: &Held) -> String {
    let what = subject_of(language, &held.subject);
    let sender = display(&held.from_phrase, &held.from);
    match decision {
        HeldAction::Approve => text!(language, "desk-approved-message", what = what, sender = sender),
        HeldAction::Reject => text!(language, "desk-rejected-message", what = what, sender = sender),
        HeldAction::Discard => text!(language, "desk-discarded-message", what = what, sender = sender),
    }
}

fn request_words(language: Language, decision: HeldAction, pending: &Pending, list: &str) -> String {
    let who = pending.email.as_ref().map(ToString::to_string).unwrap_or_default();
    match (pending.kind, decision) {
        (PendingKind::Subscription, HeldAction::Approve) => {
            text!(language, "desk-approved-join", who = who, list = list)
        }
        (PendingKind::Unsubscription, HeldAction::Approve) => {
            text!(language, "desk-approved-leave", who = who, list = list)
        }
        (PendingKind::List, HeldAction::Approve) => text!(language, "desk-approved-list", list = list),
        (PendingKind::List, HeldAction::Reject) => text!(language, "desk-rejected-list", list = list),
        (PendingKind::List, HeldAction::Discard) => text!(language, "desk-discarded-list", list = list),
        (_, HeldAction::Reject) => text!(language, "desk-rejected-request", who = who, list = list),
        (_, HeldAction::Discard) => text!(language, "desk-discarded-request", who = who, list = list),
    }
}

/// The field of the address that names a sender, behind a mark.
pub(super) fn sender_field(mark: &str, sender: &str) -> String {
    format!("{mark}from={}", utf8_percent_encode(sender, NON_ALPHANUMERIC))
}
