//! One attempt at one batch: find a server, send every copy that waits, report each answer.
//!
//! What a server answered is final for this attempt. What it did not answer stays as it was, and is sent again
//! when the batch is next due: at that point nobody can know whether it arrived.

use std::collections::{HashMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

use super::breaker::Breaker;
use super::copies::{Copies, Form, Forms, Unsendable};
use super::servers::{Found, Server, Servers, TlsWish};
use super::tell::{Outages, Tally};
use crate::clock::Timestamp;
use crate::config::Routing;
use crate::mail::bounce::diagnose;
use crate::model::{Batch, Cargo, Destination, Diagnosis, FailureKind, RecipientState};
use crate::ops::holdbacks::organisation;
use crate::ops::outbound::{AttemptEnd, Outcome};
use crate::ops::{Core, OpError, measuring};
use crate::smtp::client::{ClientConfig, Connection, ConnectionLost, connect};
use crate::smtp::dns::MxError;
use crate::smtp::outgoing::{self, CopyBuffer, Outgoing, is_international};
use crate::smtp::pool::{Pool, PoolLimits};
use crate::store::StoreError;

/// Destinations whose connections are counted, before those that have none are forgotten.
const COUNTED_MAX: usize = 1024;
/// How long after a delivery the network counts as sound.
const NETWORK_SOUND_FOR: Duration = Duration::from_hours(1);
/// Recipients that share one transaction at most: half of what every server must take (RFC 5321 4.5.3.1.8).
const SHARING_MAX: usize = 50;
/// Longest text of a remote server that is kept, in characters.
const REPLY_CHARS_MAX: usize = 200;

/// Sends batches.
pub(super) struct Courier {
    core: Core,
    forms: Forms,
    pool: Pool,
    servers: Servers,
    client: ClientConfig,
    connections: Mutex<HashMap<Destination, Arc<Semaphore>>>,
    outages: Outages,
    breaker: Arc<Breaker>,
    /// When a server last took a copy.
    last_delivery_ms: AtomicI64,
    is_stopping: AtomicBool,
}

/// Takes what became of copies.
pub(super) type Report<'a> = &'a mut (dyn FnMut(Outcome) + Send);

/// Why no copy of a batch could be sent.
pub(super) enum Failure {
    /// The fault is ours, and another attempt may succeed.
    Ours(String),
    /// No server of the destination could be reached; another attempt may succeed.
    Unreachable(String),
    /// No attempt ever will.
    Permanent(String),
    /// The server failed by itself: after some attempts, the message is put aside.
    Broken(String),
}

impl Failure {
    /// Keeps what decides: as long as one server may take the message later, it is worth another attempt.
    pub(super) fn add(known: &mut Option<Failure>, new: Failure) {
        let is_final = matches!(new, Failure::Permanent(_));
        if !is_final || known.as_ref().is_none_or(|known| matches!(known, Failure::Permanent(_))) {
            *known = Some(new);
        }
    }

    /// What every recipient that waits is told, and what it says of their addresses. That a domain's servers
    /// cannot be reached says something only while others can be: the fault may be in our own network.
    fn outcome(&self, is_network_sound: bool) -> (RecipientState, &str, Option<Diagnosis>) {
        match self {
            Failure::Ours(text) | Failure::Broken(text) => (RecipientState::Deferred, text, None),
            Failure::Unreachable(text) => {
                let diagnosis = is_network_sound.then(|| diagnose(None, text));
                // The DNS decides what is for good; whatever a dead connection said is not.
                let is_soft = |diagnosis: &Diagnosis| diagnosis.kind == FailureKind::Temporary;
                (RecipientState::Deferred, text, diagnosis.filter(is_soft))
            }
            Failure::Permanent(text) => {
                let diagnosis = diagnose(None, text);
                (RecipientState::Failed, text, diagnosis.status.map(|_| diagnosis))
            }
        }
    }
}

impl Courier {
    pub(super) fn new(core: Core) -> Result<Courier, StoreError> {
        let config = core.config.clone();
        Ok(Courier {
            breaker: Arc::new(Breaker::load(&core)?),
            forms: Forms::default(),
            pool: Pool::new(PoolLimits::default()),
            servers: Servers::new(core.clone()),
            client: ClientConfig::of(&config),
            connections: Mutex::default(),
            outages: Outages::default(),
            last_delivery_ms: AtomicI64::new(i64::MIN),
            is_stopping: AtomicBool::new(false),
            core,
        })
    }

    /// Says goodbye to every server.
    pub(super) async fn close(&self) {
        self.pool.close().await;
    }

    /// Begins no copy from now on; those that were begun end in their own time.
    pub(super) fn stop(&self) {
        self.is_stopping.store(true, Ordering::Relaxed);
    }

    fn is_stopping(&self) -> bool {
        self.is_stopping.load(Ordering::Relaxed)
    }

    /// Whether mail has lately reached anybody, so that a domain that it does not reach is itself at fault. A
    /// relay's fault never is the recipient's.
    fn is_network_sound(&self, destination: &Destination) -> bool {
        let last = Timestamp::from_ms(self.last_delivery_ms.load(Ordering::Relaxed));
        match destination {
            Destination::Relay => false,
            Destination::Domain(_) => self.core.now().since(last) < NETWORK_SOUND_FOR,
        }
    }

    /// Makes one attempt at a batch.
    pub(super) async fn deliver(&self, batch: &Batch, report: Report<'_>) -> AttemptEnd {
        let begun = Instant::now();
        let mut waiting = Waiting::new(batch);
        let mut tally = Tally::default();
        let mut counted = |outcome: Outcome| {
            tally.count(&outcome);
            report(outcome);
        };
        if let Err(failure) = self.attempt(batch, &mut waiting, &mut counted).await {
            if self.is_stopping() {
                return AttemptEnd::Interrupted;
            }
            match &failure {
                Failure::Ours(reason) | Failure::Unreachable(reason) => {
                    self.outages.begin(&batch.destination, reason);
                }
                Failure::Permanent(_) => {}
                Failure::Broken(_) => waiting.is_broken = true,
            }
            waiting.fail_all(&failure, self.is_network_sound(&batch.destination), &mut counted);
        }
        for check in waiting.checks.drain(..) {
            // One that failed has said so.
            let _ = check.await;
        }
        if tally.has_delivered() {
            self.outages.end(&batch.destination);
            self.last_delivery_ms.store(self.core.now().ms(), Ordering::Relaxed);
        }
        tally.tell(batch);
        // A connection that was told of no more copies ends well, and leaves some.
        let end = match (waiting.unsent.is_empty(), waiting.is_broken) {
            (false, _) => AttemptEnd::Interrupted,
            (true, false) => AttemptEnd::Done,
            (true, true) => AttemptEnd::Broken,
        };
        tally.measure(&self.core.metrics.sending, &batch.destination, end, begun.elapsed());
        end
    }

    async fn attempt(
        &self,
        batch: &Batch,
        waiting: &mut Waiting<'_>,
        report: Report<'_>,
    ) -> Result<(), Failure> {
        let form = self.forms.get(&self.core, batch).await?;
        let connections = self.connections_to(&batch.destination);
        let _permit = connections.acquire().await;
        let _counted =
            self.core.metrics.sending.connections.hold([measuring::destination(&batch.destination)]);
        if self.is_stopping() {
            return Ok(());
        }
        let servers = self.servers.of(&batch.destination, form.tls()).await?;
        self.try_servers(servers, &form, waiting, report).await
    }

    /// Sends what waits to the first server that takes it, and on the next connection what that one left
    /// unsent, as long as each connection gets something done.
    async fn try_servers(
        &self,
        found: Found,
        form: &Form,
        waiting: &mut Waiting<'_>,
        report: Report<'_>,
    ) -> Result<(), Failure> {
        let Found { servers, mut trouble } = found;
        for server in &servers {
            loop {
                let (mut connection, is_fresh) = match self.connect(server, form.tls()).await {
                    Ok(connected) => connected,
                    Err(failure) => {
                        Failure::add(&mut trouble, failure);
                        break;
                    }
                };
                let unsent_before = waiting.unsent.len();
                match waiting.send(self, server, form, &mut connection, report).await {
                    Ok(()) => {
                        self.pool.put(&server.pooled_as, connection);
                        return Ok(());
                    }
                    Err(error) => {
                        Failure::add(&mut trouble, Failure::Unreachable(error.to_string()));
                    }
                }
                if waiting.unsent.is_empty() {
                    return Ok(());
                }
                // An idle connection may have been closed while it was idle, which says nothing of the server.
                if is_fresh && waiting.unsent.len() == unsent_before {
                    break;
                }
            }
        }
        let nobody = || Failure::Unreachable("there is no server to connect to".to_owned());
        Err(trouble.unwrap_or_else(nobody))
    }

    async fn connect(&self, server: &Server, wish: TlsWish) -> Result<(Connection, bool), Failure> {
        let idle = self.pool.get(&server.pooled_as);
        let is_fresh = idle.is_none();
        let connection = if let Some(connection) = idle {
            connection
        } else {
            let connecting = Box::pin(connect(&server.target, &self.client));
            let connected = connecting.await;
            let outcome = if connected.is_ok() { "made" } else { "failed" };
            let to = measuring::routing(self.core.config.routing());
            self.core.metrics.sending.connects.count([to, outcome]);
            connected.map_err(|error| server.failure(&error, wish))?
        };
        match server.refusal(connection.peer(), wish) {
            Some(failure) => {
                // Other mail can go by it.
                self.pool.put(&server.pooled_as, connection);
                Err(failure)
            }
            None => Ok((connection, is_fresh)),
        }
    }

    /// The permits of a destination: as many as it may have connections.
    fn connections_to(&self, destination: &Destination) -> Arc<Semaphore> {
        let config = &self.core.config;
        let limit = match destination {
            Destination::Relay => config.connections_to_relay,
            Destination::Domain(_) => config.connections_per_domain,
        };
        let mut counted = self.connections.lock().unwrap_or_else(PoisonError::into_inner);
        if COUNTED_MAX <= counted.len() {
            counted
                .retain(|_, permits| permits.available_permits() < limit || 1 < Arc::strong_count(permits));
        }
        counted.entry(destination.clone()).or_insert_with(|| Arc::new(Semaphore::new(limit))).clone()
    }

    /// Whose a server is, where mail goes straight to the servers of domains: one provider serves many. Behind a
    /// relay only the recipient's domain is known.
    fn organisation<'n>(&self, server: &'n str) -> Option<&'n str> {
        match self.core.config.routing() {
            Routing::Relay => None,
            Routing::Mx => Some(organisation(server)),
        }
    }
}

impl From<MxError> for Failure {
    fn from(error: MxError) -> Failure {
        match error {
            MxError::Permanent(reason) => Failure::Permanent(reason),
            MxError::Temporary(reason) => Failure::Unreachable(reason),
        }
    }
}

impl From<Unsendable> for Failure {
    fn from(error: Unsendable) -> Failure {
        match error {
            Unsendable::ListGone => Failure::Permanent(error.to_string()),
            // Faults on our side, which may be put right: nobody loses mail by them. Some are the message's.
            Unsendable::Unreadable(_)
            | Unsendable::Panicked(_)
            | Unsendable::Store(StoreError::Corrupt { .. } | StoreError::UnknownBlob { .. }) => {
                tracing::error!(error = %error, "A message could not be prepared for its members");
                Failure::Broken(error.to_string())
            }
            Unsendable::Store(_) | Unsendable::Keys(_) => {
                tracing::error!(error = %error, "A message could not be prepared for its members");
                Failure::Ours(error.to_string())
            }
        }
    }
}

/// The recipients of a batch whose copies have not left yet in this attempt.
struct Waiting<'a> {
    batch: &'a Batch,
    /// Their places in the batch.
    unsent: VecDeque<usize>,
    /// Whether a copy could not be made.
    is_broken: bool,
    /// What is being found out about providers that refuse the message.
    checks: Vec<JoinHandle<()>>,
}

impl<'a> Waiting<'a> {
    fn new(batch: &'a Batch) -> Waiting<'a> {
        let recipients = batch.recipients.iter().enumerate();
        let unsent = recipients.filter(|(_, recipient)| recipient.state.is_waiting()).map(|(place, _)| place);
        Waiting { batch, unsent: unsent.collect(), is_broken: false, checks: Vec::new() }
    }

    /// Sends over one connection. If it breaks, what had not begun to leave waits again, and what was under
    /// way is reported as deferred: nobody can know whether it arrived.
    async fn send(
        &mut self,
        courier: &Courier,
        server: &Server,
        form: &Form,
        connection: &mut Connection,
        report: Report<'_>,
    ) -> Result<(), ConnectionLost> {
        let mut sending = Sending {
            courier,
            remote: &server.name,
            batch: self.batch,
            unsent: &mut self.unsent,
            is_broken: &mut self.is_broken,
            checks: &mut self.checks,
            organisation: courier.organisation(&server.name),
            copies: Copies::new(&courier.core, form),
            report,
            handed_out: Vec::new(),
            named: Vec::new(),
        };
        let sent = connection.send_all(&mut sending).await;
        if let Err(error) = &sent {
            sending.take_back(&format!("the answer did not arrive: {error}"));
        }
        sent
    }

    /// Reports every recipient that waits as deferred or failed.
    fn fail_all(&mut self, failure: &Failure, is_network_sound: bool, report: Report<'_>) {
        let (state, text, diagnosis) = failure.outcome(is_network_sound);
        for place in self.unsent.drain(..) {
            report(Outcome { diagnosis, ..Outcome::of_ours(place, state, Some(clip(text))) });
        }
    }
}

/// What a connection sends of one batch.
struct Sending<'s> {
    courier: &'s Courier,
    remote: &'s Arc<str>,
    batch: &'s Batch,
    unsent: &'s mut VecDeque<usize>,
    is_broken: &'s mut bool,
    checks: &'s mut Vec<JoinHandle<()>>,
    /// Whose server it is, where the recipients' domain does not say who their provider is.
    organisation: Option<&'s str>,
    copies: Copies<'s>,
    report: Report<'s>,
    /// The copies by the numbers that the connection gives them.
    handed_out: Vec<HandedOut>,
    /// Who they are for, copy by copy.
    named: Vec<Named>,
}

/// A copy that a connection has.
struct HandedOut {
    /// Where its recipients begin among those who are named.
    start: usize,
    stage: Stage,
}

/// A recipient of a copy that a connection has.
#[derive(Debug, Clone, Copy)]
struct Named {
    place: usize,
    /// Whether something speaks against the address.
    is_suspect: bool,
    /// Whether the copy goes on without it.
    is_refused: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Rendered,
    UnderWay,
    Answered,
}

impl Outgoing for Sending<'_> {
    fn next(&mut self, buffer: &mut CopyBuffer) -> bool {
        while !self.courier.is_stopping()
            && let Some(place) = self.unsent.pop_front()
        {
            let start = self.named.len();
            if self.name(place, |copies, batch| copies.render(place, batch, buffer)) {
                self.handed_out.push(HandedOut { start, stage: Stage::Rendered });
                if self.copies.are_shared() {
                    self.share(place, buffer);
                }
                return true;
            }
        }
        false
    }

    fn begun(&mut self, index: usize) {
        self.handed_out[index].stage = Stage::UnderWay;
    }

    fn refused(&mut self, index: usize, recipient: usize, outcome: outgoing::Outcome) {
        let named = &mut self.named[self.handed_out[index].start + recipient];
        named.is_refused = true;
        let named = *named;
        if 0 < recipient && is_one_too_many(&outcome) {
            self.unsent.push_back(named.place);
        } else {
            self.tell(&[named], outcome);
        }
    }

    fn answered(&mut self, index: usize, outcome: outgoing::Outcome) {
        self.handed_out[index].stage = Stage::Answered;
        let named = self.named_in(index);
        self.tell(&named, outcome);
    }
}

impl Sending<'_> {
    /// Makes a recipient one of the next copy, or reports why not.
    fn name(
        &mut self,
        place: usize,
        make: impl FnOnce(&mut Copies<'_>, &Batch) -> Result<bool, OpError>,
    ) -> bool {
        if let Some(reason) = self.held_back(place) {
            (self.report)(Outcome::of_ours(place, RecipientState::Deferred, Some(clip(&reason))));
            return false;
        }
        let not_sent = match make(&mut self.copies, self.batch) {
            Ok(true) => {
                let is_suspect = self.copies.is_suspect;
                self.named.push(Named { place, is_suspect, is_refused: false });
                return true;
            }
            Ok(false) => Outcome::of_ours(place, RecipientState::Skipped, None),
            Err(error) => {
                tracing::error!(error = %error, batch.id = self.batch.id.0, "A copy could not be made");
                *self.is_broken = true;
                Outcome::of_ours(place, RecipientState::Deferred, Some(clip(&error.to_string())))
            }
        };
        (self.report)(not_sent);
        false
    }

    /// Lets others of the same domain share the copy that was made for `first`.
    fn share(&mut self, first: usize, buffer: &mut CopyBuffer) {
        let batch = self.batch;
        let address_of = |place: usize| &batch.recipients[place].address;
        if is_international(address_of(first)) {
            return;
        }
        let mut room = SHARING_MAX - 1;
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

    /// The recipients of a copy who were not refused by themselves.
    fn named_in(&self, index: usize) -> Vec<Named> {
        let end = self.handed_out.get(index + 1).map_or(self.named.len(), |next| next.start);
        let named = &self.named[self.handed_out[index].start..end];
        named.iter().filter(|named| !named.is_refused).copied().collect()
    }

    /// Reports what a server answered to some recipients.
    fn tell(&mut self, named: &[Named], outcome: outgoing::Outcome) {
        let (state, reply) = match outcome {
            outgoing::Outcome::Delivered(reply) => (RecipientState::Delivered, reply),
            outgoing::Outcome::Deferred(reply) => (RecipientState::Deferred, reply),
            outgoing::Outcome::Failed(reply) => (RecipientState::Failed, reply),
        };
        let words = reply.to_string();
        let diagnosis = (state != RecipientState::Delivered).then(|| diagnose(None, &words));
        let is_policy = diagnosis.is_some_and(|found| found.kind == FailureKind::Policy);
        for Named { place, is_suspect, is_refused: _ } in named.iter().copied() {
            if state == RecipientState::Failed && is_policy {
                self.count_refusal(place, &words);
            }
            let (remote, reply) = (Some(Arc::clone(self.remote)), Some(clip(&words)));
            (self.report)(Outcome { place, state, remote, reply, diagnosis, is_suspect });
        }
    }

    /// Who refuses or takes the mail of a recipient.
    fn provider(&self, place: usize) -> &str {
        self.organisation.unwrap_or_else(|| self.batch.recipients[place].address.domain())
    }

    /// Why a copy is not sent to its provider, if it is not. A letter concerns nobody but its recipients.
    fn held_back(&self, place: usize) -> Option<String> {
        match self.batch.cargo {
            Cargo::Post { message, list: _ } => self.courier.breaker.held_back(message, self.provider(place)),
            Cargo::Letter(_) => None,
        }
    }

    /// A provider refused a copy for reasons that are not the recipient's.
    fn count_refusal(&mut self, place: usize, words: &str) {
        let Cargo::Post { message, list: _ } = self.batch.cargo else { return };
        let Courier { breaker, core, .. } = self.courier;
        let suspicion = breaker.count(self.batch.account, message, self.provider(place), words);
        if let Some(suspicion) = suspicion {
            self.checks.push(suspicion.look_into(core.clone(), Arc::clone(breaker)));
        }
    }

    fn take_back(&mut self, reason: &str) {
        for index in (0..self.handed_out.len()).rev() {
            let stage = self.handed_out[index].stage;
            for Named { place, .. } in self.named_in(index).into_iter().rev() {
                match stage {
                    Stage::Rendered => self.unsent.push_front(place),
                    Stage::UnderWay => {
                        let remote = Some(Arc::clone(self.remote));
                        let outcome = Outcome::of_ours(place, RecipientState::Deferred, Some(clip(reason)));
                        (self.report)(Outcome { remote, ..outcome });
                    }
                    Stage::Answered => {}
                }
            }
        }
    }
}

/// Whether a server takes no more recipients in this transaction (RFC 5321 4.5.3.1.10): the next one is for the rest.
fn is_one_too_many(outcome: &outgoing::Outcome) -> bool {
    let outgoing::Outcome::Deferred(reply) = outcome else { return false };
    let says_so = || reply.text.to_ascii_lowercase().contains("too many recipients");
    reply.code == 452 && (reply.enhanced == [4, 5, 3] || says_so())
}

/// The beginning of a text that others chose.
fn clip(text: &str) -> String {
    text.chars().take(REPLY_CHARS_MAX).collect()
}
