//! Receives messages: has each recipient's address looked up, has the message decided about, and stores the results.
//!
//! The end of `DATA` calls [`Core::receive`], which parses outside the writer and settles
//! every recipient in one job ([`inbound`](crate::ops::posting::inbound)). When `receive` returns `Ok`,
//! every decision is durable.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use crate::mail::bounce::{self, Fate, Report};
use crate::mail::envelope::{Envelope, ReversePath, Route};
use crate::mail::{self, Inbound, ParseError, Verdict};
use crate::model::{AccountId, EmailAddress, ListId, Via};
use crate::ops::metric_labels::failure;
use crate::ops::moderation::quarantine::{self, Broken, TRIES_MAX};
use crate::ops::posting::acceptance::{self, Acceptance};
use crate::ops::posting::inbound::settled::{self, Settled};
use crate::ops::posting::inbound::{Kept, Refusal, Undone, receive, tell};
use crate::ops::{Caller, OpContext};
use crate::service::Core;
use crate::store::WriteTx;

/// Messages of at least this size are parsed on a blocking thread instead of a network task.
const PARSE_INLINE_BYTES_MAX: usize = 256 * 1024;

impl Core {
    /// Decides about a message for each of its recipients and stores the results, which are durable when it returns.
    pub async fn receive(&self, envelope: Envelope, raw: Vec<u8>) -> Result<(), Refusal> {
        self.receive_from(&sender(), envelope, raw).await.map(drop)
    }

    /// The same for a sender who is known by more than the envelope; returns what lists did with the message. A message
    /// on which the server itself failed is held by them, and they did nothing.
    pub(super) async fn receive_from(
        &self,
        by: &Arc<Caller>,
        mut envelope: Envelope,
        raw: Vec<u8>,
    ) -> Result<Vec<Settled>, Refusal> {
        if let Some(refusal) = acceptance::refusal_of_author(&envelope.authentication, envelope.routes()) {
            tracing::info!(
                client.address = %envelope.client,
                "A message was refused by the policy of its author's domain: {}",
                envelope.authentication.results
            );
            return Err(refusal);
        }
        let raw: Arc<[u8]> = raw.into();
        let is_only_read = envelope.routes().all(Route::is_only_read);
        let inbound = match parse(Arc::clone(&raw), is_only_read).await {
            Ok(parsed) => parsed.map_err(Refusal::Malformed)?,
            Err(trace) => {
                self.quarantine(&envelope, Broken::unread(raw, &envelope, trace)).await?;
                return Ok(Vec::new());
            }
        };
        acceptance::check_form(&inbound, envelope.routes())?;
        let inbound = Arc::new(inbound);
        for route in take_separate(&mut envelope.recipients) {
            self.take_separately(&envelope, &inbound, route).await?;
        }
        if envelope.recipients.is_empty() {
            return Ok(Vec::new());
        }
        self.keep(by, envelope, inbound).await
    }

    /// Settles a recipient in a job of its own.
    async fn take_separately(
        &self,
        envelope: &Envelope,
        inbound: &Arc<Inbound>,
        route: Route,
    ) -> Result<(), Refusal> {
        match route {
            // A report on a request to decide is no decision.
            Route::ModerationReply(_) if envelope.reverse_path == ReversePath::Empty => Ok(()),
            Route::ModerationReply(token) => {
                Ok(self.take_moderation_reply(token, inbound, envelope.client).await?)
            }
            Route::Confirmation(id) => self.take_confirmation(envelope, inbound, id).await,
            Route::Command { list, request } => self.take_commands(envelope, inbound, (list, request)).await,
            _ => Ok(()),
        }
    }

    /// Carries the decisions out; a message on which the server fails is quarantined after some tries.
    async fn keep(
        &self,
        by: &Arc<Caller>,
        envelope: Envelope,
        inbound: Arc<Inbound>,
    ) -> Result<Vec<Settled>, Refusal> {
        let report = Arc::new(report_in(&envelope, &inbound));
        let counted = Arc::clone(&report);
        let envelope = Arc::new(envelope);
        let mut trace = String::new();
        for attempt in 1..=TRIES_MAX {
            let mut judgement = self.judge(&envelope, &inbound).await?;
            judgement.is_final = attempt == TRIES_MAX;
            let (arrived, message, report) =
                (Arc::clone(&envelope), Arc::clone(&inbound), Arc::clone(&report));
            let job = move |tx: &mut WriteTx<'_>, by: &OpContext| {
                let kept = receive(tx, &arrived, &message, &report, &judgement, &by.mail_context, by.now)?;
                settled::note(tx, by, &message, &kept.settled)?;
                Ok(kept)
            };
            match self.perform(by, job).await {
                Err(Undone::Outdated) => {}
                Err(Undone::Refused(Refusal::Broken { trace: words })) => trace = words,
                Err(Undone::Refused(refusal)) => return Err(refusal),
                Ok(Kept { verdicts, settled, put_off }) => {
                    for list in settled.iter().filter(|list| list.acceptance == Acceptance::Posted) {
                        tell(&envelope, &inbound, &list.name, &Verdict::Post, list.message);
                    }
                    self.count_kept(&verdicts, counted.as_ref());
                    return put_off.map_or(Ok(settled), Err);
                }
            }
        }
        self.quarantine(&envelope, Broken::undecided(&inbound, &envelope, trace)).await?;
        Ok(Vec::new())
    }

    /// Holds a message that could not be decided about, in each of its lists. If it has other recipients too, nothing
    /// can be held for them: the sender has to try again.
    async fn quarantine(&self, envelope: &Envelope, broken: Broken) -> Result<(), Refusal> {
        let lists = envelope.recipients.iter().map(|(_, route)| match route {
            Route::List { list, limit_bytes: _ } => Some(*list),
            _ => None,
        });
        let Some(lists) = lists.collect::<Option<Vec<ListId>>>() else {
            return Err(Refusal::Broken { trace: broken.trace });
        };
        self.perform(&sender(), move |tx, by| {
            quarantine::hold_arrival(tx, &lists, &broken, &by.mail_context, by.now)
        })
        .await?;
        Ok(())
    }

    /// Counts the decisions of lists, and the report in a message.
    pub(super) fn count_kept(&self, verdicts: &[&'static str], report: &Report) {
        let metrics = &self.metrics;
        for verdict in verdicts {
            metrics.receiving.decisions.count([verdict]);
        }
        match report {
            Report::Deliveries(bounced) => {
                for bounced in bounced.iter().filter(|bounced| bounced.fate == Fate::Failed) {
                    let kind = failure(bounced.diagnosis.kind);
                    metrics.sending.bounces.count(["report", kind]);
                }
            }
            Report::Complaint(_) => metrics.sending.complaints.count([]),
            Report::Nothing => {}
        }
    }
}

/// The caller for mail whose sender is known only by its envelope.
fn sender() -> Arc<Caller> {
    Arc::new(Caller::anonymous(AccountId::SERVER, Via::Mail, None))
}

/// Parses a message; the error is the text of a panic in the parser. One that is only read may have any form.
async fn parse(raw: Arc<[u8]>, is_only_read: bool) -> Result<Result<Inbound, ParseError>, String> {
    let length = raw.len();
    let parsing = move || {
        let parsed = std::panic::catch_unwind(AssertUnwindSafe(|| {
            if is_only_read { Ok(mail::parse_leniently(raw)) } else { mail::parse(raw) }
        }));
        parsed.map_err(|_| "the parser failed".to_owned())
    };
    if length < PARSE_INLINE_BYTES_MAX {
        return parsing();
    }
    tokio::task::spawn_blocking(parsing).await.map_err(|error| error.to_string())?
}

/// The report in a message, if it came to an address at which reports are read.
fn report_in(envelope: &Envelope, inbound: &Inbound) -> Report {
    let is_at_token = envelope.routes().any(Route::is_only_read);
    if is_at_token || envelope.routes().any(|route| matches!(route, Route::Postmaster { .. })) {
        bounce::read(inbound, is_at_token)
    } else {
        Report::Nothing
    }
}

/// Removes from the recipients those that are settled in a job of their own: moderators' replies, replies that confirm a
/// request, and commands.
fn take_separate(recipients: &mut Vec<(EmailAddress, Route)>) -> Vec<Route> {
    let is_separate = |route: &Route| {
        matches!(route, Route::ModerationReply(_) | Route::Confirmation(_) | Route::Command { .. })
    };
    recipients.extract_if(.., |(_, route)| is_separate(route)).map(|(_, route)| route).collect()
}
