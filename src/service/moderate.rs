//! Decisions of moderators: on held messages, by signed link, by reply and on pages, and on requests that wait for
//! approval.
//!
//! A message is parsed and an address matched against patterns outside of the writer; the decision itself is one job of
//! [`moderation`] or of [`pending`](crate::ops::lists::pending).

use std::net::IpAddr;
use std::sync::Arc;

use crate::mail::Inbound;
use crate::mail::envelope::{CaseId, ModerationToken};
use crate::model::pending::PendingKind;
use crate::model::{Held, HeldAction, HeldId, Pending, PendingId, UndoId, Via};
use crate::ops::audit::Step;
use crate::ops::lists::pending::{JudgedDecision, decide};
use crate::ops::moderation::moderators::advice::{self, Advice};
use crate::ops::moderation::moderators::{Case, Order, granted};
use crate::ops::moderation::senders::{PageAction, set_sender};
use crate::ops::moderation::{self, Choice, ModerationDecision};
use crate::ops::patterns::AddressJudgement;
use crate::ops::{Caller, OpError, Wrong};
use crate::service::Core;
use crate::store::{Read as _, StoreError};

/// Decisions that are handed to the writer before the first of them is waited for.
const DECIDED_TOGETHER: usize = 32;

/// How often a decision is tried again because patterns were changed at the same moment.
const TRIES_MAX: usize = 3;

impl Core {
    /// Carries out the decision of a moderation token's holder, who came by `source`. It is durable when this returns.
    pub async fn moderate(
        &self,
        moderation_token: ModerationToken,
        source: (Via, Option<IpAddr>),
        action: HeldAction,
        reason: Option<String>,
    ) -> Result<Case, OpError> {
        let id = match moderation_token.case {
            CaseId::Held(id) => id,
            CaseId::Pending(id) => {
                let caller = Arc::new(granted(&self.store.read()?, moderation_token, source)?.caller);
                let decided = self.decide_pending(&caller, id, action, reason).await?;
                return Ok(Case::Pending(Box::new(decided)));
            }
        };
        let choice = match action {
            HeldAction::Reject => Choice::Reject,
            HeldAction::Discard => Choice::Discard,
            // A message is parsed outside of the write job, so that others need not wait.
            HeldAction::Approve => {
                let store = self.store.clone();
                let parsing = tokio::task::spawn_blocking(move || -> Result<_, OpError> {
                    let tx = store.read()?;
                    let caller = granted(&tx, moderation_token, source)?.caller;
                    moderation::approval(&tx, &caller, id)
                });
                parsing.await.map_err(|_| StoreError::Panicked)??
            }
        };
        let caller = Arc::new(granted(&self.store.read()?, moderation_token, source)?.caller);
        // A decision ends a wait, so it is carried out while the disk is nearly full too, as by the API.
        let decided = self.perform_reserved(&caller, move |tx, act| {
            // The right to decide may have been lost meanwhile.
            let caller = granted(tx, moderation_token, source)?.caller;
            let decision_made = ModerationDecision { choice, reason };
            moderation::decide(tx, &caller, id, decision_made, &act.mail_context, act.now)
        });
        decided.await.map(|held| Case::Held(Box::new(held)))
    }

    /// Carries out a moderator's reply to the request to decide. Replies by machines are ignored.
    pub(super) async fn take_moderation_reply(
        &self,
        moderation_token: ModerationToken,
        inbound: &Inbound,
        client: IpAddr,
    ) -> Result<(), StoreError> {
        let case = moderation_token.case;
        if inbound.is_automated() {
            tracing::info!("An automatic answer to a request to decide on {case} is dropped");
            return Ok(());
        }
        let advice = match Order::of(&inbound.answer_lines()) {
            Order::Unknown => Advice::NotUnderstood,
            Order::Contradictory => Advice::Contradictory,
            Order::Decide(action, reason) => {
                match self.moderate(moderation_token, (Via::Mail, Some(client)), action, reason).await {
                    Ok(_) => return Ok(()),
                    Err(
                        error @ (OpError::Conflict { .. }
                        | OpError::Invalid { .. }
                        | OpError::AddressBookFull { .. }),
                    ) => Advice::NotDone(error),
                    Err(OpError::Store(error)) => return Err(error),
                    Err(error) => {
                        tracing::info!(error = %error, "A moderator's answer on {case} came too late");
                        return Ok(());
                    }
                }
            }
        };
        let about = inbound.message_id.clone();
        self.perform(&Caller::of_server(), move |tx, by| {
            advice::advise(tx, &by.mail_context, moderation_token, &advice, about.as_deref(), by.now)
        })
        .await
    }
}

impl Core {
    /// Decides a held message on behalf of `decider`; it is durable when this returns.
    ///
    /// # Errors
    /// As of [`moderation::decide`]; `Invalid` on `action` if the sender cannot be banned or allowed.
    pub async fn decide_held(
        &self,
        decider: &Arc<Caller>,
        id: HeldId,
        action: PageAction,
        reason: Option<String>,
    ) -> Result<Held, OpError> {
        self.submit_decision(decider, id, (action, None), reason).await?.await
    }

    /// Decides several held messages in their order, each by itself: what happens to one changes nothing for the others.
    /// Decisions share commits. Senders who are banned or allowed are the action of the number `undo`.
    pub async fn decide_many(
        &self,
        decider: &Arc<Caller>,
        ids: &[HeldId],
        (action, undo): (PageAction, Option<UndoId>),
        reason: Option<&str>,
    ) -> Vec<(HeldId, Result<Held, OpError>)> {
        let mut results = Vec::with_capacity(ids.len());
        for some in ids.chunks(DECIDED_TOGETHER) {
            let mut submitted = Vec::with_capacity(some.len());
            for id in some {
                let reason = reason.map(str::to_owned);
                submitted.push((*id, self.submit_decision(decider, *id, (action, undo), reason).await));
            }
            for (id, deciding) in submitted {
                results.push(match deciding {
                    Ok(deciding) => (id, deciding.await),
                    Err(error) => (id, Err(error)),
                });
            }
        }
        results
    }

    /// Hands a decision to the writer; the returned future resolves when it is durable.
    async fn submit_decision(
        &self,
        decider: &Arc<Caller>,
        id: HeldId,
        (action, undo): (PageAction, Option<UndoId>),
        reason: Option<String>,
    ) -> Result<impl Future<Output = Result<Held, OpError>> + use<>, OpError> {
        let choice = match action.decision() {
            HeldAction::Reject => Choice::Reject,
            HeldAction::Discard => Choice::Discard,
            // A message is parsed outside of the write job, for which others wait.
            HeldAction::Approve => {
                let (store, caller) = (self.store.clone(), Arc::clone(decider));
                let parsing =
                    tokio::task::spawn_blocking(move || moderation::approval(&store.read()?, &caller, id));
                parsing.await.map_err(|_| StoreError::Panicked)??
            }
        };
        // A decision ends a wait, so it is carried out while the disk is nearly full too.
        let deciding = self.perform_reserved_in_order(decider, move |tx, by| {
            let decision_made = ModerationDecision { choice, reason };
            let held = moderation::decide(tx, &by.caller, id, decision_made, &by.mail_context, by.now)?;
            match action {
                PageAction::Ban | PageAction::Allow => {
                    set_sender(tx, &by.caller, &held, (action, undo), by.now)?;
                }
                PageAction::Approve | PageAction::Reject | PageAction::Discard => {}
            }
            Ok(held)
        });
        Ok(deciding.await)
    }
}

impl Core {
    /// Decides a request on behalf of `decider` and carries it out, in as many write jobs as that takes. It is durable
    /// when this returns.
    pub async fn decide_pending(
        &self,
        decider: &Arc<Caller>,
        id: PendingId,
        action: HeldAction,
        reason: Option<String>,
    ) -> Result<Pending, OpError> {
        let mut step = Step::First;
        let mut tries = 0;
        loop {
            let judgement = self.judge_pending(id, action).await?;
            let decision = JudgedDecision { action, reason: reason.clone(), judgement };
            let caller = Arc::clone(decider);
            // Noted by the first step: what is left is the server's to finish.
            let performer = if step == Step::First { Arc::clone(decider) } else { Caller::of_server() };
            let job = self.perform(&performer, move |tx, by| {
                decide(tx, &caller, id, decision, step, &by.mail_context, by.now)
            });
            match job.await {
                Ok(Some(pending)) => return Ok(pending),
                Ok(None) => step = Step::Later,
                // The account's patterns were changed after they were matched.
                Err(OpError::Conflict { problem: Wrong::PatternsChanged, .. }) if tries < TRIES_MAX => {
                    tries += 1;
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// Whether the account takes the address of a request, which is matched outside of the writer.
    async fn judge_pending(&self, id: PendingId, action: HeldAction) -> Result<AddressJudgement, StoreError> {
        let pending = self.store.read()?.get::<Pending>(id.0)?;
        match pending {
            Some(Pending { kind: PendingKind::Subscription, account, email: Some(address), .. })
                if action == HeldAction::Approve =>
            {
                self.judge_new_address(account, &address).await
            }
            _ => Ok(AddressJudgement::default()),
        }
    }
}
