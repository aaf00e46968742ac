//! Answers to moderators whose mailed decision could not be carried out: with the earlier decision, or, once, with
//! instructions.

use super::{Case, ModerationGrant, moderation_grant};
use crate::clock::Timestamp;
use crate::locale::{Locale, text};
use crate::mail::Wording;
use crate::mail::envelope::ModerationToken;
use crate::model::pending::PendingState;
use crate::model::{HeldState, List, Pending, SystemMailKind, Via};
use crate::ops::allowances::{self, ADVICE, Subject};
use crate::ops::context::MailContext;
use crate::ops::decisions::DecisionFacts;
use crate::ops::lists::pending;
use crate::ops::notices::system_mails::{self, NewNotice};
use crate::ops::{OpError, domains, locales, moderation};
use crate::store::{Read, StoreError, WriteTx};

/// Why a moderator's answer decided nothing.
#[derive(Debug)]
pub(crate) enum Advice {
    /// It names no decision.
    NotUnderstood,
    /// It names two.
    Contradictory,
    /// It could not be carried out, such as after an earlier decision.
    NotDone(OpError),
}

/// Tells a moderator why an answer decided nothing, and what to write instead: once for each request.
pub(crate) fn advise(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    moderation_token: ModerationToken,
    advice: &Advice,
    about: Option<&str>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let source = (Via::Mail, None);
    let Some(ModerationGrant { mut case, list, address, .. }) =
        moderation_grant(tx, moderation_token, source)?
    else {
        return Ok(());
    };
    let token = moderation_token.token(&mail_context.signer);
    if !matches!(advice, Advice::NotDone(_))
        && !is_first_advice(tx, &mut case, moderation_token, &token, now)?
    {
        return Ok(());
    }
    let locale = locales::locale(tx, case.account())?;
    let language = locale.language;
    let Words { subject, mut text } = words(tx, &locale, &case, list.as_ref())?;
    text += "\n\n";
    text += &match advice {
        Advice::NotDone(error) => {
            let problem = decided(tx, &locale, &case)?.unwrap_or_else(|| error.say(&locale, |_| None));
            text!(language, "moderate-answer-unchanged", problem = problem)
        }
        Advice::NotUnderstood => {
            text!(language, "moderate-answer-unknown") + "\n\n" + &text!(language, "moderate-answer-words")
        }
        Advice::Contradictory => {
            text!(language, "moderate-answer-two") + "\n\n" + &text!(language, "moderate-answer-words")
        }
    };
    text.push('\n');
    let domain = domains::main_domain(tx, case.account())?;
    let reply_to = system_mails::confirm_address(&token, &domain)?;
    let owner = list.as_ref().map(system_mails::owner_local);
    let notice = NewNotice {
        kind: SystemMailKind::Answer,
        from_phrase: list.as_ref().map_or("", List::title),
        from_local: owner.as_deref().unwrap_or("postmaster"),
        to: &address,
        reply_to: Some(&reply_to).filter(|_| is_waiting(&case)),
        subject: &subject,
        text: &text,
        buttons: &[],
        wording: Wording::BuiltIn,
        in_reply_to: about,
    };
    system_mails::write(tx, mail_context, case.account(), &notice, now)
}

/// Notes that a moderator gets instructions; `false` if this moderator got them before.
fn is_first_advice(
    tx: &mut WriteTx<'_>,
    case: &mut Case,
    moderation_token: ModerationToken,
    token: &str,
    now: Timestamp,
) -> Result<bool, StoreError> {
    match case {
        Case::Held(held) if held.advised.contains(&moderation_token.moderator) => Ok(false),
        Case::Held(held) => {
            held.advised.push(moderation_token.moderator);
            tx.put(&**held)?;
            Ok(true)
        }
        Case::Pending(_) => Ok(allowances::take(tx, ADVICE, &Subject::token(token), now)?.is_ok()),
    }
}

fn is_waiting(case: &Case) -> bool {
    match case {
        Case::Held(held) => held.state == HeldState::Held,
        Case::Pending(pending) => pending.state == PendingState::Pending,
    }
}

/// The subject of an answer, and the first line of its text.
struct Words {
    subject: String,
    text: String,
}

fn words(tx: &impl Read, locale: &Locale, case: &Case, list: Option<&List>) -> Result<Words, StoreError> {
    let language = locale.language;
    match case {
        Case::Held(held) => {
            let list = list.map_or("", List::title);
            Ok(Words {
                subject: text!(language, "moderate-answer-subject", list = list, subject = &held.subject),
                text: text!(language, "moderate-answer-about", subject = &held.subject, list = list),
            })
        }
        Case::Pending(pending) => {
            let list = match list {
                Some(list) => list.title().to_owned(),
                None => pending::list_name(tx, pending)?,
            };
            Ok(Words {
                subject: text!(language, "approval-answer-subject", list = &list),
                text: text!(language, "approval-answer-about", list = &list),
            })
        }
    }
}

/// The decision with its author and time, as part of a sentence; `None` if there is none.
fn decided(tx: &impl Read, locale: &Locale, case: &Case) -> Result<Option<String>, StoreError> {
    match case {
        Case::Held(held) => moderation::decided(tx, locale, held),
        Case::Pending(pending) => decided_request(tx, locale, pending),
    }
}

fn decided_request(tx: &impl Read, locale: &Locale, pending: &Pending) -> Result<Option<String>, StoreError> {
    let language = locale.language;
    let Some(DecisionFacts { by: Some(by), time }) = pending::decision(tx, language, pending)? else {
        return Ok(None);
    };
    let time = locale.local_moment(time);
    Ok(match pending.state {
        PendingState::Pending => None,
        PendingState::Approved => Some(text!(language, "approval-decided-approved", by = by, time = time)),
        PendingState::Rejected => Some(text!(language, "approval-decided-rejected", by = by, time = time)),
        PendingState::Discarded => Some(text!(language, "approval-decided-discarded", by = by, time = time)),
    })
}
