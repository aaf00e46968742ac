//! Makes one attempt at one batch: finds a server, sends every copy that waits, reports each outcome.
//!
//! A server's reply is final for this attempt. A copy without a reply keeps its state and is sent again when the batch
//! is next due: nobody can know whether it arrived. Nothing is written to the data file here; the scheduler records the
//! reported outcomes.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::breaker::Breaker;
use super::connection_limiter::{ConnectionLimiter, Permit};
use super::copies::{Copies, Form, Forms};
use super::destinations::{AttemptReport, DestinationChange, Destinations};
use super::failure::Failure;
use super::server_time::ServerTimeBudget;
use super::servers::{Found, Server, Servers};
use super::tell::{AttemptStats, Outages};
use super::tls_requirement::TlsRequirement;
use crate::clock::Timestamp;
use crate::config::Routing;
use crate::mail::bounce::{diagnose, diagnose_sender};
use crate::model::{Batch, Destination, FailureKind, RecipientState};
use crate::ops::delivery::outbound::{AttemptEnd, Outcome};
use crate::ops::delivery::provider_blocks::organisation;
use crate::ops::{OpError, metric_labels};
use crate::service::Core;
use crate::smtp::send::client::{ClientConfig, ConnectError, Connection, ConnectionLost, connect};
use crate::smtp::send::outgoing::{CopyBuffer, Outgoing, ReplyOutcome, is_international};
use crate::smtp::send::pool::{Pool, PoolLimits};
use crate::store::StoreError;

/// Accepted copies of one attempt that make a round; for each round a destination may be allowed another connection.
const COPIES_PER_ROUND: usize = 16;
/// How long after a delivery the network counts as healthy.
const NETWORK_SOUND_FOR: Duration = Duration::from_hours(1);
/// Recipients that share one transaction at most, unless the server announces a limit: half of what every server must
/// accept (RFC 5321 4.5.3.1.8).
const SHARING_MAX: usize = 50;
/// Servers that an attempt tries at least, however long the first took (RFC 5321 5.1).
const SERVERS_MIN: u32 = 2;
/// Longest text of a remote server that is kept, in characters.
const REPLY_CHARS_MAX: usize = 200;

/// Sends batches.
pub(super) struct DeliveryWorker {
    core: Core,
    forms: Forms,
    pool: Pool,
    servers: Servers,
    client: ClientConfig,
    destinations: Arc<Destinations>,
    outages: Outages,
    breaker: Arc<Breaker>,
    /// When a server last accepted a copy.
    last_delivery_ms: AtomicI64,
    is_stopping: AtomicBool,
    /// The same as `is_stopping`, for tasks that wait for it.
    stop: watch::Sender<bool>,
}

/// Receives the outcomes of copies.
pub(super) type Report<'a> = &'a mut (dyn FnMut(Outcome) + Send);

impl DeliveryWorker {
    pub(super) fn new(core: Core, destinations: Arc<Destinations>) -> Result<DeliveryWorker, StoreError> {
        let config = core.config.clone();
        Ok(DeliveryWorker {
            breaker: Arc::new(Breaker::load(&core)?),
            forms: Forms::default(),
            pool: Pool::new(PoolLimits::default()),
            servers: Servers::new(core.clone()),
            client: ClientConfig::of(&config),
            destinations,
            outages: Outages::default(),
            last_delivery_ms: AtomicI64::new(i64::MIN),
            is_stopping: AtomicBool::new(false),
            stop: watch::Sender::new(false),
            core,
        })
    }

    /// Ends all pooled connections with QUIT.
    pub(super) async fn close(&self) {
        self.pool.close().await;
    }

    /// Starts no further copy from now on; copies under way may finish.
    pub(super) fn stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
        self.stop.send_replace(true);
    }

    /// Resolves when no copy may start any more.
    async fn stopped(&self) {
        // The sender is this worker's own and lives as long.
        let _ = self.stop.subscribe().wait_for(|stop| *stop).await;
    }

    fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::Relaxed)
    }

    /// Whether mail has lately reached any destination, so that a domain that it does not reach is itself at fault. A
    /// fault of a relay never counts against the recipient.
    fn is_network_sound(&self, destination: &Destination) -> bool {
        let last = Timestamp::from_ms(self.last_delivery_ms.load(Ordering::Relaxed));
        match destination {
            Destination::Relay => false,
            Destination::Domain(_) => self.core.now().since(last) < NETWORK_SOUND_FOR,
        }
    }

    /// Makes one attempt at a batch; returns how it ended, and what that means for the destination's waiting batches.
    pub(super) async fn deliver(&self, batch: &Batch, report: Report<'_>) -> (AttemptEnd, DestinationChange) {
        let begun = Instant::now();
        let mut attempt = Attempt::new(batch);
        let mut stats = AttemptStats::default();
        let mut counted = |outcome: Outcome| {
            stats.count(&outcome);
            report(outcome);
        };
        let failure = self.attempt(batch, &mut attempt, &mut counted).await.err();
        // Copies that an outage or a stop kept back are due again as soon as that can be written.
        if matches!(failure, Some(Failure::Outage(_))) || (failure.is_some() && self.is_stopping()) {
            return (AttemptEnd::Interrupted, DestinationChange::None);
        }
        if let Some(failure) = &failure {
            match failure {
                Failure::Ours(reason) | Failure::Unreachable(reason) => {
                    self.outages.begin(&batch.destination, reason);
                }
                Failure::Permanent(_) | Failure::Outage(_) => {}
                Failure::Broken(_) => attempt.is_broken = true,
            }
            attempt.fail_all(failure, self.is_network_sound(&batch.destination), &mut counted);
        }
        for check in attempt.checks.drain(..) {
            // A check that failed has logged it.
            let _ = check.await;
        }
        if stats.has_delivered() {
            self.outages.end(&batch.destination);
            self.last_delivery_ms.store(self.core.now().ms(), Ordering::Relaxed);
        }
        stats.tell(batch);
        let end = attempt.end(failure.as_ref());
        let hour = self.core.now().hour();
        stats.measure(&self.core.metrics.sending, &batch.destination, end, begun.elapsed(), hour);
        (end, self.destinations.learn(batch.id, attempt.report_of(failure, &stats)))
    }

    async fn attempt(
        &self,
        batch: &Batch,
        attempt: &mut Attempt<'_>,
        report: Report<'_>,
    ) -> Result<(), Failure> {
        let form = self.forms.get(&self.core, batch).await?;
        let found = self.servers.of(&batch.destination, form.tls()).await?;
        // The first server stands for all: a domain has one provider.
        let provider =
            found.servers.first().and_then(|server| self.organisation(&server.name)).unwrap_or_default();
        let Some(limiter) = self.destinations.enter(batch.id, provider) else { return Ok(()) };
        attempt.permit = tokio::select! {
            permit = limiter.open() => Some(permit),
            () = self.stopped() => return Ok(()),
        };
        let _counted =
            self.core.metrics.sending.connections.hold([metric_labels::destination(&batch.destination)]);
        if self.is_stopping() || !self.destinations.is_open(batch.id) {
            return Ok(());
        }
        attempt.limiter = Some(limiter);
        self.try_servers(found, &form, attempt, report).await
    }

    /// Sends the waiting copies to the first server that accepts mail. Opens further connections for the unsent ones,
    /// as long as each connection gets something done.
    async fn try_servers(
        &self,
        found: Found,
        form: &Form,
        attempt: &mut Attempt<'_>,
        report: Report<'_>,
    ) -> Result<(), Failure> {
        let Found { servers, mut trouble } = found;
        let (clock, limit) = (&self.core.clock, self.core.config.patience.server_time);
        let budget_of_all = ServerTimeBudget::begin(clock, SERVERS_MIN * limit);
        for server in &servers {
            if budget_of_all.is_stalled() {
                break;
            }
            let mut budget = ServerTimeBudget::begin(clock, limit);
            loop {
                let (mut connection, is_fresh) = match self.connect(server, form.tls()).await {
                    Ok(connected) => connected,
                    Err(failure) => {
                        Failure::add(&mut trouble, failure);
                        break;
                    }
                };
                let (unsent_before, taken_before) = (attempt.unsent.len(), attempt.taken);
                let Err(error) = attempt.send(self, server, form, &mut connection, &mut budget, report).await
                else {
                    let goes_on = connection.is_used_up() && !attempt.unsent.is_empty() && !budget.is_over();
                    self.pool.put(&server.pooled_as, connection);
                    if goes_on {
                        continue;
                    }
                    return Ok(());
                };
                let (has_tried, has_taken) =
                    (attempt.unsent.len() < unsent_before, taken_before < attempt.taken);
                let is_done_with = match &error {
                    // The server would stall again.
                    ConnectionLost::TimedOut | ConnectionLost::Stalled => true,
                    // The server asks to be left alone or, after some copies, for another connection.
                    ConnectionLost::Refused(_) => is_fresh && !has_taken,
                    // An idle connection may have been closed while it was idle, which says nothing of the server.
                    ConnectionLost::Network(_) | ConnectionLost::NotSmtp => is_fresh && !has_tried,
                };
                attempt.is_turned_away |= matches!(error, ConnectionLost::Refused(_));
                let failure = Failure::Unreachable(format!("{}: {error}", server.name));
                if attempt.unsent.is_empty() {
                    // A server that stalled has not replied about the last copies either.
                    return if is_done_with && !has_taken { Err(failure) } else { Ok(()) };
                }
                Failure::add(&mut trouble, failure);
                if is_done_with {
                    break;
                }
            }
        }
        let nobody = || Failure::Unreachable("there is no server to connect to".to_owned());
        Err(trouble.unwrap_or_else(nobody))
    }

    async fn connect(&self, server: &Server, tls: TlsRequirement) -> Result<(Connection, bool), Failure> {
        let idle = self.pool.get(&server.pooled_as);
        let is_fresh = idle.is_none();
        let connection = if let Some(connection) = idle {
            connection
        } else {
            let limit = self.core.config.patience.server_time;
            let connecting = timeout(limit, Box::pin(connect(&server.target, &self.client)));
            let connected = tokio::select! {
                connected = connecting => connected.unwrap_or(Err(ConnectError::TimedOut)),
                () = self.stopped() => return Err(Failure::Ours("the server stops".to_owned())),
            };
            let outcome = if connected.is_ok() { "made" } else { "failed" };
            let to = metric_labels::routing(self.core.config.routing());
            self.core.metrics.sending.connects.count([to, outcome]);
            connected.map_err(|error| server.failure(&error, tls))?
        };
        match server.refusal(connection.peer(), tls) {
            Some(failure) => {
                // Other mail can use the connection.
                self.pool.put(&server.pooled_as, connection);
                Err(failure)
            }
            None => Ok((connection, is_fresh)),
        }
    }

    /// The organisation that runs a server, if mail goes straight to the servers of domains: one provider serves many
    /// domains. Behind a relay only the recipient's domain is known.
    fn organisation<'n>(&self, server: &'n str) -> Option<&'n str> {
        match self.core.config.routing() {
            Routing::Relay => None,
            Routing::Mx => Some(organisation(server)),
        }
    }
}

/// The state of one attempt at a batch, with the recipients whose copies are still to be sent.
struct Attempt<'a> {
    batch: &'a Batch,
    /// The places in the batch of recipients without a sent copy.
    unsent: VecDeque<usize>,
    /// Whether this server failed to make a copy.
    is_broken: bool,
    /// Whether the disk failed while a copy was made: the copy is due as soon as the disk works.
    is_postponed: bool,
    /// Whether a server ended a session on its own (421).
    is_turned_away: bool,
    /// The number of accepted copies.
    taken: usize,
    /// The connection limiter of the provider, once the provider is known.
    limiter: Option<Arc<ConnectionLimiter>>,
    /// The permit for its connection, held until the attempt is over.
    permit: Option<Permit>,
    /// How long the remaining copies must wait for the rate limit, if it is used up.
    rest: Option<Duration>,
    /// Running checks of providers that refuse the message.
    checks: Vec<JoinHandle<()>>,
}

impl<'a> Attempt<'a> {
    /// Recipients that were already tried in an interrupted part of this attempt wait for the next attempt. Each
    /// attempt begins with another recipient, so that one whose copy makes the server break off does not stop the same
    /// others for ever.
    fn new(batch: &'a Batch) -> Attempt<'a> {
        let recipients = batch.recipients.iter().enumerate();
        let unsent = recipients
            .filter(|(_, recipient)| recipient.state.is_waiting() && recipient.attempts < batch.attempts);
        let mut unsent: VecDeque<usize> = unsent.map(|(place, _)| place).collect();
        unsent.rotate_left(earlier_attempts(batch) as usize % unsent.len().max(1));
        Attempt {
            batch,
            unsent,
            is_broken: false,
            is_postponed: false,
            is_turned_away: false,
            taken: 0,
            limiter: None,
            permit: None,
            rest: None,
            checks: Vec::new(),
        }
    }

    fn end(&self, failure: Option<&Failure>) -> AttemptEnd {
        match failure {
            // An attempt that was told to send no more copies ends without an error, and leaves some unsent.
            _ if !self.unsent.is_empty() || self.is_postponed => AttemptEnd::Interrupted,
            _ if self.is_broken => AttemptEnd::Broken,
            Some(Failure::Unreachable(_)) => AttemptEnd::Unreached,
            Some(Failure::Ours(_) | Failure::Outage(_) | Failure::Permanent(_) | Failure::Broken(_))
            | None => AttemptEnd::Done,
        }
    }

    fn report_of(&self, failure: Option<Failure>, stats: &AttemptStats) -> AttemptReport {
        match (failure, self.rest) {
            (Some(Failure::Unreachable(reason)), _) => AttemptReport::Unavailable(reason),
            (Some(Failure::Ours(_) | Failure::Outage(_) | Failure::Permanent(_) | Failure::Broken(_)), _) => {
                AttemptReport::Nothing
            }
            (None, Some(rest)) => AttemptReport::Paced(rest),
            (None, None) if !stats.has_answers() => AttemptReport::Nothing,
            (None, None) if self.is_turned_away || stats.is_put_off() => AttemptReport::Deferred,
            (None, None) => AttemptReport::Answered,
        }
    }

    /// Sends over one connection. If it breaks, copies that were not begun wait again, except for one that may be the
    /// cause. That copy and the ones under way are reported as deferred: nobody can know whether those arrived.
    async fn send(
        &mut self,
        worker: &DeliveryWorker,
        server: &Server,
        form: &Form,
        connection: &mut Connection,
        budget: &mut ServerTimeBudget,
        report: Report<'_>,
    ) -> Result<(), ConnectionLost> {
        let recipients_max = connection.peer().limits.recipients_max.unwrap_or(SHARING_MAX);
        // Recipients that share a copy share its fate: if it keeps failing, fewer and fewer share one.
        let sharing_max = SHARING_MAX.checked_shr(earlier_attempts(self.batch)).unwrap_or(0).max(1);
        let mut sending = Transaction {
            worker,
            sharing_max: recipients_max.min(sharing_max),
            remote: &server.name,
            batch: self.batch,
            unsent: &mut self.unsent,
            is_broken: &mut self.is_broken,
            is_postponed: &mut self.is_postponed,
            taken: &mut self.taken,
            limiter: self.limiter.as_deref(),
            budget,
            rest: &mut self.rest,
            checks: &mut self.checks,
            organisation: worker.organisation(&server.name),
            copies: Copies::new(&worker.core, form),
            report,
            handed_out: Vec::new(),
            named: Vec::new(),
        };
        let sent = connection.send_all(&mut sending).await;
        if let Err(error) = &sent {
            sending.take_back(&format!("no reply arrived: {error}"));
        }
        sent
    }

    /// Reports every waiting recipient as deferred or failed.
    fn fail_all(&mut self, failure: &Failure, is_network_sound: bool, report: Report<'_>) {
        let (state, text, diagnosis) = failure.outcome(is_network_sound);
        for place in self.unsent.drain(..) {
            report(Outcome { diagnosis, ..Outcome::of_ours(place, state, Some(clip(text.to_owned()))) });
        }
    }
}

/// Sends copies of one batch over one connection.
struct Transaction<'s> {
    worker: &'s DeliveryWorker,
    remote: &'s Arc<str>,
    batch: &'s Batch,
    unsent: &'s mut VecDeque<usize>,
    is_broken: &'s mut bool,
    is_postponed: &'s mut bool,
    taken: &'s mut usize,
    limiter: Option<&'s ConnectionLimiter>,
    budget: &'s mut ServerTimeBudget,
    rest: &'s mut Option<Duration>,
    checks: &'s mut Vec<JoinHandle<()>>,
    /// The organisation of the server; `None` if the provider is known by the recipients' domain.
    organisation: Option<&'s str>,
    copies: Copies<'s>,
    /// Recipients that may share one transaction.
    sharing_max: usize,
    report: Report<'s>,
    /// The copies given to the connection, by its numbers.
    handed_out: Vec<SentCopy>,
    /// The recipients of those copies, copy by copy.
    named: Vec<CopyRecipient>,
}

/// A copy that was given to the connection.
struct SentCopy {
    /// The position of its first recipient in `named`.
    start: usize,
    stage: Stage,
}

/// A recipient of a copy that was given to the connection.
#[derive(Debug, Clone, Copy)]
struct CopyRecipient {
    place: usize,
    /// Whether there is evidence against the address.
    is_suspect: bool,
    /// Whether the server refused this recipient, so that the copy goes to the others alone.
    is_refused: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Rendered,
    Asked,
    UnderWay,
    Answered,
}

impl Outgoing for Transaction<'_> {
    fn next(&mut self, buffer: &mut CopyBuffer) -> bool {
        while !self.worker.is_stopping()
            && !self.budget.is_over()
            && let Some(place) = self.unsent.pop_front()
        {
            if let Some(rate_limit) = self.limiter.and_then(|limiter| limiter.rate_limit.as_ref())
                && self.held_back(place).is_none()
                && let Err(rest) = rate_limit.take()
            {
                self.unsent.push_front(place);
                *self.rest = Some(rest);
                return false;
            }
            let start = self.named.len();
            if self.name(place, |copies, batch| copies.render(place, batch, buffer)) {
                self.handed_out.push(SentCopy { start, stage: Stage::Rendered });
                if self.copies.are_shared() {
                    self.share(place, buffer);
                }
                return true;
            }
        }
        false
    }

    fn is_stalled(&self) -> bool {
        self.budget.is_stalled()
    }

    fn asked(&mut self, index: usize) {
        self.handed_out[index].stage = Stage::Asked;
    }

    fn begun(&mut self, index: usize) {
        self.handed_out[index].stage = Stage::UnderWay;
    }

    fn refused(&mut self, index: usize, recipient: usize, outcome: ReplyOutcome) {
        let named = &mut self.named[self.handed_out[index].start + recipient];
        named.is_refused = true;
        let named = *named;
        if 0 < recipient && is_one_too_many(&outcome) {
            self.unsent.push_back(named.place);
        } else {
            self.tell(&[named], outcome);
        }
    }

    fn answered(&mut self, index: usize, outcome: ReplyOutcome) {
        self.budget.note_answer();
        self.handed_out[index].stage = Stage::Answered;
        let named = self.named_in(index);
        self.tell(&named, outcome);
    }
}

impl Transaction<'_> {
    /// Makes a recipient one of the next copy; reports the reason and returns false if it gets none.
    fn name(
        &mut self,
        place: usize,
        make: impl FnOnce(&mut Copies<'_>, &Batch) -> Result<bool, OpError>,
    ) -> bool {
        if let Some(reason) = self.held_back(place) {
            (self.report)(Outcome::of_ours(place, RecipientState::Deferred, Some(clip(reason))));
            return false;
        }
        let not_sent = match make(&mut self.copies, self.batch) {
            Ok(true) => {
                let is_suspect = self.copies.is_suspect;
                self.named.push(CopyRecipient { place, is_suspect, is_refused: false });
                return true;
            }
            Ok(false) => Outcome::of_ours(place, RecipientState::Skipped, None),
            Err(OpError::Store(outage)) if outage.is_outage() => {
                *self.is_postponed = true;
                return false;
            }
            Err(error) => {
                tracing::error!(error = %error, batch.id = self.batch.id.0, "A copy could not be made");
                *self.is_broken = true;
                Outcome::of_ours(place, RecipientState::Deferred, Some(clip(error.to_string())))
            }
        };
        (self.report)(not_sent);
        false
    }

    /// Adds other recipients of the same domain to the copy made for `first`.
    fn share(&mut self, first: usize, buffer: &mut CopyBuffer) {
        let batch = self.batch;
        let address_of = |place: usize| &batch.recipients[place].address;
        if is_international(address_of(first)) {
            return;
        }
        let mut room = self.sharing_max - 1;
        for place in std::mem::take(self.unsent) {
            let address = address_of(place);
            let is_like_first = address.domain() == address_of(first).domain() && !is_international(address);
            if room == 0 || !is_like_first {
                self.unsent.push_back(place);
            } else if self.name(place, |copies, batch| copies.share(place, batch, buffer)) {
                room -= 1;
            }
        }
    }

    /// The recipients of a copy, without those that the server refused individually.
    fn named_in(&self, index: usize) -> Vec<CopyRecipient> {
        let end = self.handed_out.get(index + 1).map_or(self.named.len(), |next| next.start);
        let named = &self.named[self.handed_out[index].start..end];
        named.iter().filter(|named| !named.is_refused).copied().collect()
    }

    /// Reports a server's reply for some recipients.
    fn tell(&mut self, named: &[CopyRecipient], outcome: ReplyOutcome) {
        let (state, reply) = match outcome {
            ReplyOutcome::Delivered(reply) => (RecipientState::Delivered, reply),
            ReplyOutcome::Deferred(reply) => (RecipientState::Deferred, reply),
            ReplyOutcome::Failed(reply) => (RecipientState::Failed, reply),
        };
        let is_about_sender = reply.is_about_sender;
        let words = reply.to_string();
        let diagnose =
            |words: &str| if is_about_sender { diagnose_sender(words) } else { diagnose(None, words) };
        let diagnosis = (state != RecipientState::Delivered).then(|| diagnose(&words));
        if state == RecipientState::Delivered {
            self.count_taken(named.len());
        }
        let is_policy = diagnosis.is_some_and(|found| found.kind == FailureKind::Policy);
        if state == RecipientState::Failed && is_policy {
            for named in named {
                self.count_refusal(named.place, &words);
            }
        }
        let words = clip(words);
        for CopyRecipient { place, is_suspect, is_refused: _ } in named.iter().copied() {
            let (remote, reply) = (Some(Arc::clone(self.remote)), Some(words.clone()));
            (self.report)(Outcome { place, state, remote, reply, diagnosis, is_suspect });
        }
    }

    /// Counts accepted copies. The first one shows that the destination accepts mail, and each round may add a
    /// connection.
    fn count_taken(&mut self, copies: usize) {
        let rounds = |taken: usize| taken.div_ceil(COPIES_PER_ROUND);
        let before = rounds(*self.taken);
        *self.taken += copies;
        if before < rounds(*self.taken) && self.worker.destinations.took(self.batch.id) {
            self.worker.core.wake.notify_one();
        }
    }

    /// The provider that accepts or refuses a recipient's mail.
    fn provider(&self, place: usize) -> &str {
        self.organisation.unwrap_or_else(|| self.batch.recipients[place].address.domain())
    }

    /// The reason why a copy is held back from its provider, if it is. System mails never are: each concerns only its
    /// recipients.
    fn held_back(&self, place: usize) -> Option<String> {
        let sent = self.batch.payload.to_members()?;
        self.worker.breaker.held_back(sent, self.provider(place))
    }

    /// Counts a refusal that was not about the recipient.
    fn count_refusal(&mut self, place: usize, words: &str) {
        let Some(message) = self.batch.payload.to_members() else { return };
        let DeliveryWorker { breaker, core, .. } = self.worker;
        let suspicion = breaker.count(self.batch.account, message, self.provider(place), words);
        if let Some(suspicion) = suspicion {
            self.checks.push(suspicion.look_into(core.clone(), Arc::clone(breaker)));
        }
    }

    /// Leaves a recipient to the next attempt, for a reason that did not come from the server.
    fn defer(&mut self, place: usize, reason: &str) {
        let outcome = Outcome::of_ours(place, RecipientState::Deferred, Some(clip(reason.to_owned())));
        (self.report)(Outcome { remote: Some(Arc::clone(self.remote)), ..outcome });
    }

    /// Puts copies back that were not begun. If the server had replied to other copies, the copy that it was being
    /// asked about when the connection broke may be the cause: that one waits for the next attempt, so that it delays
    /// nobody behind it.
    fn take_back(&mut self, reason: &str) {
        let is_blamed = self.handed_out.iter().any(|copy| copy.stage == Stage::Answered);
        for index in (0..self.handed_out.len()).rev() {
            let stage = self.handed_out[index].stage;
            for CopyRecipient { place, .. } in self.named_in(index).into_iter().rev() {
                match stage {
                    Stage::Answered => {}
                    Stage::UnderWay => self.defer(place, reason),
                    Stage::Asked if is_blamed => self.defer(place, reason),
                    Stage::Asked | Stage::Rendered => self.unsent.push_front(place),
                }
            }
        }
    }
}

/// The number of attempts at a batch before this one.
fn earlier_attempts(batch: &Batch) -> u32 {
    batch.attempts.saturating_sub(1)
}

/// Whether a server accepts no more recipients in this transaction (RFC 5321 4.5.3.1.10): the others go into the next
/// one.
fn is_one_too_many(outcome: &ReplyOutcome) -> bool {
    let ReplyOutcome::Deferred(reply) = outcome else { return false };
    let says_so = || reply.text.to_ascii_lowercase().contains("too many recipients");
    reply.code == 452 && (reply.enhanced == [4, 5, 3] || says_so())
}

/// Cuts a remote text to the length that is kept.
fn clip(mut text: String) -> String {
    if let Some((end, _)) = text.char_indices().nth(REPLY_CHARS_MAX) {
        text.truncate(end);
    }
    text
}
