//! Matches received messages against the taboo patterns of their lists, and checks new patterns, outside of the writer.

use std::sync::Arc;

use crate::mail::envelope::Envelope;
use crate::mail::pattern::PatternPair;
use crate::mail::taboo::TabooText;
use crate::mail::{HoldReason, Inbound};
use crate::model::{AccountId, List, ListId};
use crate::ops::patterns::PatternField;
use crate::ops::posting::inbound::judging::{Judgement, ListJudgement, UNJUDGED, lists_with_patterns};
use crate::ops::{Problems, Wrong};
use crate::service::Core;
use crate::service::patterns::Turn;
use crate::store::StoreError;

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

    /// Notes the problems of new patterns of a list or an account. They are compiled on a blocking thread.
    pub async fn check_patterns(
        &self,
        account: AccountId,
        fields: [PatternField; 2],
        problems: &mut Problems,
    ) {
        if fields.iter().all(|field| field.new.as_ref().is_none_or(Vec::is_empty)) {
            return;
        }
        let checking = self.patterns.run(account, Turn::Call, move |_| {
            let unchanged = fields.iter().filter(|field| field.new.is_none()).flat_map(|field| &field.old);
            let new = fields.iter().filter_map(|field| Some((field.name, field.new.as_deref()?)));
            PatternPair::check(unchanged, new)
        });
        match checking.await {
            Some(wrong) => wrong.into_iter().for_each(|(field, text, error)| {
                problems.add(field, Wrong::about(text, error));
            }),
            None => problems.add("patterns", Wrong::PatternsUnread),
        }
    }
}
