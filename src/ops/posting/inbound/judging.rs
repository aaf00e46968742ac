//! What lists say of a received message: their patterns, outside of the writer, and then all their rules.

use std::collections::HashMap;
use std::sync::Arc;

use super::{Envelope, Route};
use crate::clock::Timestamp;
use crate::mail::pattern::Unjudged;
use crate::mail::policy::Posting;
use crate::mail::taboo::TabooText;
use crate::mail::{self, HoldReason, Inbound, SenderFacts};
use crate::model::{AccountId, Alias, List, ListId};
use crate::ops::archive::messages::find_by_message_id;
use crate::ops::lists::aliases;
use crate::ops::patterns::Turn;
use crate::ops::{Core, domains, moderation};
use crate::schema::{EMAIL_BY_ADDRESS, MEMBERSHIP_BY_CONTACT};
use crate::store::{Key, Read, StoreError};

/// What the taboo patterns of lists say of one message.
#[derive(Debug, Default)]
pub(super) struct Judgement {
    /// Of the lists that have patterns.
    lists: HashMap<ListId, ListJudgement>,
    /// Whether there is no time to judge once more: a list whose patterns were changed meanwhile holds the message.
    pub(super) is_final: bool,
}

#[derive(Debug)]
struct ListJudgement {
    taboo_headers: Vec<String>,
    taboo_body: Vec<String>,
    found: Option<HoldReason>,
}

/// Holds what could not be judged.
const UNJUDGED: HoldReason = HoldReason::Unjudged(Unjudged::OutOfTime);

impl Judgement {
    /// What the patterns of a list say.
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

/// The patterns of a list are others than those that were judged.
#[derive(Debug)]
pub(super) struct Outdated;

impl Core {
    /// Judges a message by the patterns of every list that it goes to, each account by itself.
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

    /// Judges a message by the patterns of lists of one account.
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

/// The lists with patterns that a message goes to.
fn lists_with_patterns(tx: &impl Read, envelope: &Envelope) -> Result<Vec<List>, StoreError> {
    let mut ids = Vec::new();
    for (_, route) in &envelope.recipients {
        match route {
            Route::List { list, limit_bytes: _ } => ids.push(*list),
            Route::Alias(alias) => {
                let Some(alias) = tx.get::<Alias>(alias.0)? else { continue };
                // One that leads to too much is refused.
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

/// What is known of a message as it arrives at a list.
#[derive(Debug, Clone, Copy)]
pub(in crate::ops) struct Arriving<'a> {
    /// The message.
    pub(in crate::ops) inbound: &'a Inbound,
    /// Its size as it was handed over.
    pub(in crate::ops) size_bytes: u64,
    /// Whether its envelope sender is empty.
    pub(in crate::ops) has_empty_sender: bool,
    /// Whether From can be believed.
    pub(in crate::ops) from_is_proven: bool,
    /// The reason to hold it that the list's patterns give.
    pub(in crate::ops) taboo: Option<&'a HoldReason>,
    /// When it arrives.
    pub(in crate::ops) now: Timestamp,
}

/// Lays a message before a judge, with everything that the rules of a list ask about.
pub(in crate::ops) fn judge<T>(
    tx: &impl Read,
    list: &List,
    arriving: &Arriving<'_>,
    judge: impl FnOnce(&Posting<'_>) -> T,
) -> Result<T, StoreError> {
    let domain = domains::main_domain(tx, list.account)?;
    Ok(judge(&Posting {
        list,
        list_id: &mail::list_id(list, domain.name.as_str()),
        taboo: arriving.taboo,
        standing: &standing(tx, list, arriving)?,
        message: arriving.inbound,
        size_bytes: arriving.size_bytes,
    }))
}

/// What the data file knows of the sender and of the message's past.
fn standing(tx: &impl Read, list: &List, arriving: &Arriving<'_>) -> Result<SenderFacts, StoreError> {
    let Arriving { inbound, has_empty_sender, from_is_proven, .. } = *arriving;
    Ok(SenderFacts {
        is_member_of_restricted_lists: is_member_of_any(tx, list, inbound)?,
        from_is_proven,
        is_duplicate: is_duplicate(tx, list, arriving)?,
        has_empty_sender,
    })
}

/// Whether the list has published the message, or has it among those that are held.
fn is_duplicate(tx: &impl Read, list: &List, arriving: &Arriving<'_>) -> Result<bool, StoreError> {
    let Arriving { inbound, from_is_proven, now, .. } = *arriving;
    let Some(message_id) = &inbound.message_id else { return Ok(false) };
    let published = find_by_message_id(tx, list, message_id)?;
    if published.is_some_and(|message| message.is_known(now)) {
        return Ok(true);
    }
    let from = inbound.from.as_ref().map_or("", |from| from.address.as_str());
    moderation::was_held(tx, list, message_id, from, from_is_proven, now)
}

/// Whether the author is a member of one of the lists in `restrict_post_lists`.
fn is_member_of_any(tx: &impl Read, list: &List, inbound: &Inbound) -> Result<bool, StoreError> {
    let Some(from) = &inbound.from else { return Ok(false) };
    let account = Key::new().u64(list.account.0);
    let Some(email) = tx.find(&EMAIL_BY_ADDRESS, &account.clone().text(&from.address.folded()))? else {
        return Ok(false);
    };
    for restricted in &list.restrict_post_lists {
        let key = account.clone().u64(email.contact.0).u64(restricted.0);
        if tx.find_id(&MEMBERSHIP_BY_CONTACT, &key)?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}
