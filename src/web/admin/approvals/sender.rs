//! The words about the sender of a message that waits: a member or not, and what came from there before.

use crate::locale::{Locale, number, text};
use crate::mail::reason::ReasonKind;
use crate::model::{Held, Language};
use crate::ops::moderation::sender_facts::{self, COUNTED_MAX, SenderFacts, Standing};
use crate::store::ReadTx;
use crate::web::context::Context;
use crate::web::error::PageError;

/// The sender in words.
pub(super) struct SenderWords {
    /// Whether the sender is a member, for a badge.
    pub(super) badge: String,
    /// Whether the badge warns.
    pub(super) is_stranger: bool,
    /// Why the message waits: of the person, where the sender is the reason.
    pub(super) because: String,
    /// Earlier messages of the sender.
    pub(super) history: String,
}

/// The words about the sender of a held message.
pub(super) fn of(context: &Context, tx: &ReadTx, held: &Held, list: &str) -> Result<SenderWords, PageError> {
    let facts = sender_facts::of(tx, context.administrator()?, held)?;
    let locale = context.locale();
    Ok(SenderWords {
        badge: badge(locale.language, &facts.standing),
        is_stranger: facts.standing != Standing::Member,
        because: because(locale.language, held, list, &facts.standing),
        history: history(&locale, &facts),
    })
}

fn badge(language: Language, standing: &Standing) -> String {
    match standing {
        Standing::Member => text!(language, "desk-sender-member"),
        Standing::MemberAs(_) => text!(language, "desk-sender-other-address"),
        Standing::OtherPerson | Standing::Stranger => text!(language, "desk-sender-no-member"),
    }
}

/// Why a message waits. That its sender may not post is said of the person.
fn because(language: Language, held: &Held, list: &str, standing: &Standing) -> String {
    if ReasonKind::of(&held.reason) != Some(ReasonKind::SenderNotAllowed) {
        let reason = held.reason.told(language);
        return text!(language, "desk-held-reason-is", reason = reason);
    }
    match standing {
        Standing::Member => text!(language, "desk-sender-not-chosen", list = list),
        Standing::MemberAs(address) => text!(language, "desk-sender-as", address = address, list = list),
        Standing::OtherPerson => text!(language, "desk-sender-known", list = list),
        Standing::Stranger => text!(language, "desk-sender-stranger", list = list),
    }
}

fn history(locale: &Locale, facts: &SenderFacts) -> String {
    let language = locale.language;
    let SenderFacts { standing: _, posts, refused } = facts;
    let posted = match *posts {
        0 if *refused == 0 => return text!(language, "desk-history-first"),
        0 => text!(language, "desk-history-no-posts"),
        COUNTED_MAX => text!(language, "desk-history-many", count = number(language, COUNTED_MAX as u64)),
        count => text!(language, "desk-history-posts", count = count),
    };
    let refused = match *refused {
        0 => text!(language, "desk-history-none-refused"),
        count => text!(language, "desk-history-refused", count = count),
    };
    text!(language, "desk-history", posted = posted, refused = refused)
}
