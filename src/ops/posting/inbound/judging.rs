//! The results of the taboo patterns of lists for a received message. They were found outside of the writer
//! (`service::judge`), and hold as long as the patterns are the same.

use std::collections::HashMap;

use crate::mail::HoldReason;
use crate::mail::envelope::{Envelope, Route};
use crate::mail::pattern::Unjudged;
use crate::model::{Alias, List, ListId};
use crate::ops::lists::aliases;
use crate::store::{Read, StoreError};

/// The results of the lists' taboo patterns for one message.
#[derive(Debug, Default)]
pub(crate) struct Judgement {
    /// The results, for lists that have patterns.
    pub(crate) lists: HashMap<ListId, ListJudgement>,
    /// Whether there is no time for another try: a list whose patterns were changed meanwhile holds the message.
    pub(crate) is_final: bool,
}

/// The result of one list's patterns, and the patterns that were matched.
#[derive(Debug)]
pub(crate) struct ListJudgement {
    pub(crate) taboo_headers: Vec<String>,
    pub(crate) taboo_body: Vec<String>,
    pub(crate) found: Option<HoldReason>,
}

/// Holds a message that could not be matched in time.
pub(crate) const UNJUDGED: HoldReason = HoldReason::Unjudged(Unjudged::OutOfTime);

impl Judgement {
    /// The reason to hold the message that a list's patterns give, if any.
    pub(super) fn of(&self, list: &List) -> Result<Option<&HoldReason>, Outdated> {
        if list.taboo_headers.is_empty() && list.taboo_body.is_empty() {
            return Ok(None);
        }
        let judged = self.lists.get(&list.id).filter(|judged| {
            judged.taboo_headers == list.taboo_headers && judged.taboo_body == list.taboo_body
        });
        match judged {
            Some(judged) => Ok(judged.found.as_ref()),
            None if self.is_final => Ok(Some(&UNJUDGED)),
            None => Err(Outdated),
        }
    }
}

/// The list's patterns were changed after they were matched.
#[derive(Debug)]
pub(super) struct Outdated;

/// The lists with patterns to which a message goes.
pub(crate) fn lists_with_patterns(tx: &impl Read, envelope: &Envelope) -> Result<Vec<List>, StoreError> {
    let mut ids = Vec::new();
    for (_, route) in &envelope.recipients {
        match route {
            Route::List { list, limit_bytes: _ } => ids.push(*list),
            Route::Alias(alias) => {
                let Some(alias) = tx.get::<Alias>(alias.0)? else { continue };
                // An alias that leads to too many addresses is refused later.
                ids.extend(aliases::targets(tx, &alias)?.map(|targets| targets.lists).unwrap_or_default());
            }
            _ => {}
        }
    }
    let mut lists = Vec::new();
    for id in ids {
        let list = tx.get::<List>(id.0)?;
        lists.extend(list.filter(|list| !list.taboo_headers.is_empty() || !list.taboo_body.is_empty()));
    }
    Ok(lists)
}
