//! The decisions on what waited, told to people: who decided, and when. Held messages and requests are told alike.

use crate::clock::Timestamp;
use crate::locale::text;
use crate::model::{Admin, Decider, Decision, Language};
use crate::ops::{TooLate, Waiting};
use crate::store::{Read, StoreError};

/// The author and the time of a decision.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DecisionFacts {
    /// The name of the author; `None` if nobody decided in time.
    pub by: Option<String>,
    /// The time.
    pub time: Timestamp,
}

/// The facts of a decision; `None` if there is none yet.
pub(in crate::ops) fn facts(
    tx: &impl Read,
    language: Language,
    decision: Option<&Decision>,
) -> Result<Option<DecisionFacts>, StoreError> {
    let Some(Decision { time, by, reason: _ }) = decision else { return Ok(None) };
    Ok(Some(DecisionFacts { by: name_of(tx, language, by)?, time: *time }))
}

/// The problem of the second of two who decide: the decision on `what`, which is `state`, with its author and time.
pub(in crate::ops) fn told_already(
    tx: &impl Read,
    what: Waiting,
    state: &'static str,
    decision: Option<&Decision>,
) -> Result<TooLate, StoreError> {
    let facts = facts(tx, Language::English, decision)?;
    Ok(TooLate { what, state, decided: facts.map(|DecisionFacts { by, time }| (by, time)) })
}

/// The name of a decision's author; `None` if nobody decided in time.
pub(in crate::ops) fn name_of(
    tx: &impl Read,
    language: Language,
    by: &Decider,
) -> Result<Option<String>, StoreError> {
    Ok(Some(match by {
        Decider::Time => return Ok(None),
        Decider::Operator => text!(language, "decider-operator"),
        Decider::Moderator(address) => address.to_string(),
        Decider::Admin(id) => match tx.get::<Admin>(id.0)? {
            Some(Admin { username: Some(username), .. }) => username.to_string(),
            Some(admin) if !admin.description.is_empty() => admin.description,
            _ => text!(language, "decider-administrator", number = id.to_string()),
        },
    }))
}
