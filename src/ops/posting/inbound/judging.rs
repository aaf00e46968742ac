//! Matches received messages against the taboo patterns of their lists, outside of the writer.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Envelope, Route};
use crate::mail::pattern::Unjudged;
use crate::mail::taboo::TabooText;
use crate::mail::{HoldReason, Inbound};
use crate::model::{AccountId, Alias, List, ListId};
use crate::ops::lists::aliases;
use crate::ops::patterns::Turn;
use crate::service::Core;
use crate::store::{Read, StoreError};

/// The results of the lists' taboo patterns for one message.
#[derive(Debug, Default)]
pub(super) struct Judgement {
    /// The results, for lists that have patterns.
    lists: HashMap<ListId, ListJudgement>,
    /// Whether there is no time for another try: a list whose patterns were changed meanwhile holds the message.
    pub(super) is_final: bool,
}

#[derive(Debug)]
struct ListJudgement {
    taboo_headers: Vec<String>,
    taboo_body: Vec<String>,
    found: Option<HoldReason>,
}

/// Holds a message that could not be matched in time.
const UNJUDGED: HoldReason = HoldReason::Unjudged(Unjudged::OutOfTime);

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

impl Core {
    /// Matches a message against the patterns of all its lists, each account separately.
    pub(super) async fn judge(
        &self,
        envelope: &Envelope,
        inbound: &Arc<Inbound>,
    ) -> Result<Judgement, StoreError> {
        let mut judgement = Judgement::default();
        let mut lists = lists_with_patterns(&self.store.read()?, envelope)?;
        lists.sort_unstable_by_key(|list| (list.account, list.id));
        lists.dedup_by_key(|list| list.id);
        for lists in lists.chunk_by(|one, other| one.account == other.account) {
            let account = lists.first().map_or(AccountId::SERVER, |list| list.account);
            judgement.lists.extend(self.judge_at(account, lists.to_vec(), inbound).await);
        }
        Ok(judgement)
    }

    /// Matches a message against the patterns of one account's lists.
    async fn judge_at(
        &self,
        account: AccountId,
        lists: Vec<List>,
        inbound: &Arc<Inbound>,
    ) -> Vec<(ListId, ListJudgement)> {
        let (judged, inbound) = (lists.clone(), Arc::clone(inbound));
        let judging = self.patterns.run(account, Turn::Mail, move |patterns| {
            let (judge, text) = (patterns.judge(), TabooText::new(&inbound));
            judged.iter().map(|list| judge.taboo(list, &text)).collect::<Vec<_>>()
        });
        let found = judging.await.unwrap_or_else(|| vec![Some(UNJUDGED); lists.len()]);
        let judgement = |(list, found): (List, Option<HoldReason>)| {
            let List { id, taboo_headers, taboo_body, .. } = list;
            (id, ListJudgement { taboo_headers, taboo_body, found })
        };
        lists.into_iter().zip(found).map(judgement).collect()
    }
}

/// The lists with patterns to which a message goes.
fn lists_with_patterns(tx: &impl Read, envelope: &Envelope) -> Result<Vec<List>, StoreError> {
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
