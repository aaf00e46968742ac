//! Tracks destinations for the scheduler: which may be claimed now and how many batches of each, so that none slows
//! another.
//!
//! The state lives in memory alone and is learned anew after a start. A destination is *healthy* once one of its
//! servers accepted a copy, until none can be reached. Healthy ones share [`BATCHES_IN_FLIGHT_MAX`] places. All others,
//! and attempts that have taken longer than [`SLOW_AFTER`], share [`BATCHES_ON_TRIAL_MAX`] places of their own: however
//! many domains are dead or stall, those that accept mail keep their places, and no attempt keeps one for long
//! ([`ServerTimeBudget`](super::server_time::ServerTimeBudget)).
//!
//! A destination that could not be reached is left alone for a while, longer each time, and then tried with a single
//! batch; its other waiting batches are not touched. Connections and rate are counted by provider
//! ([`ConnectionLimiter`]), since one provider often serves many domains.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::connection_limiter::ConnectionLimiter;
use crate::clock::Clock;
use crate::config::{BATCHES_IN_FLIGHT_MAX, BATCHES_ON_TRIAL_MAX, Config, Rate};
use crate::model::{BatchId, Destination};
use crate::ops::queue::due::Room;

/// Batches claimed for each connection that a provider may have: one being sent, and one ready when it ends, so that no
/// connection waits for the disk.
const CLAIMED_PER_CONNECTION: usize = 2;
/// Batches claimed for a destination whose health is unknown.
const CLAIMED_AT_FIRST: usize = 2;
/// How long an attempt counts as making progress.
const SLOW_AFTER: Duration = Duration::from_secs(10);
/// Attempts in a row without a reachable server after which a healthy destination is left alone: a single one may have
/// met a limit of connections, or one failed server of several.
const MISSES_MAX: u32 = 3;
/// Destinations and providers remembered before unneeded ones are deleted.
const KNOWN_MAX: usize = 4096;

/// The result of an attempt as far as it is about the destination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum AttemptReport {
    /// Nothing about the destination: the attempt ended for this server's own reasons.
    Nothing,
    /// A server replied, and accepted more copies than it deferred.
    Answered,
    /// A server deferred more copies than it accepted.
    Deferred,
    /// No server accepts mail now, for this reason.
    Unavailable(String),
    /// The rate limit is used up; copies may be sent again after this time.
    Paced(Duration),
}

/// The consequence of an attempt for the waiting batches of its destination.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum DestinationChange {
    /// No consequence.
    None,
    /// The destination accepts mail, which was not known before.
    Healthy,
    /// It could not be reached, for this reason, after so many tries in a row, and is left alone for this time.
    Dead { reason: String, tries: u32, pause: Duration },
}

/// The state of all destinations and providers.
pub(super) struct Destinations {
    clock: Clock,
    relay: Limits,
    domain: Limits,
    state: Mutex<DestinationTable>,
}

#[derive(Clone, Copy)]
struct Limits {
    connections: usize,
    rate: Option<Rate>,
}

#[derive(Default)]
struct DestinationTable {
    destinations: HashMap<Destination, DestinationState>,
    providers: HashMap<Arc<str>, Provider>,
    attempts: HashMap<BatchId, InFlightAttempt>,
    /// The number of destinations or providers at which unneeded ones are deleted.
    sweep_at: usize,
}

/// One destination. Times are those of [`Clock::steady`].
#[derive(Default)]
struct DestinationState {
    /// The provider that serves it, once known.
    provider: Option<Arc<str>>,
    claimed: usize,
    is_healthy: bool,
    /// Whether it became healthy since the last reported consequence.
    is_newly_healthy: bool,
    /// Attempts in a row that reached no server, since the last pause.
    misses: u32,
    /// Pauses in a row.
    pauses: u32,
    /// Pauses in all.
    epoch: u32,
    /// When it may be claimed again.
    opens: Duration,
}

struct Provider {
    limiter: Arc<ConnectionLimiter>,
    claimed: usize,
    opens: Duration,
}

/// An attempt under way.
struct InFlightAttempt {
    destination: Destination,
    /// The provider under which it is counted.
    provider: Option<Arc<str>>,
    since: Duration,
    is_trial: bool,
    /// The destination's `epoch` at its start: reports from before a pause are ignored after it.
    epoch: u32,
}

/// How long an unreachable destination is left alone after so many tries in a row. Relays have shorter pauses: they are
/// the operator's own, all mail waits for them, and they are back soon.
fn pause(destination: &Destination, tries: u32) -> Duration {
    let minutes: &[u64] = match destination {
        Destination::Relay => &[1, 2, 5],
        Destination::Domain(_) => &[5, 15, 30],
    };
    let step = usize::try_from(tries.saturating_sub(1)).unwrap_or(usize::MAX);
    Duration::from_mins(minutes[step.min(minutes.len() - 1)])
}

impl Destinations {
    pub(super) fn new(config: &Config, clock: Clock) -> Destinations {
        Destinations {
            clock,
            relay: Limits { connections: config.connections_to_relay, rate: config.rate_to_relay },
            domain: Limits { connections: config.connections_per_domain, rate: config.rate_per_domain },
            state: Mutex::default(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, DestinationTable> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The places for batches that may be claimed now.
    pub(super) fn room(&self) -> Places<'_> {
        let now = self.clock.steady();
        let mut places = Places {
            destinations: self,
            now,
            in_flight: 0,
            on_trial: 0,
            slow_at: None,
            opens: None,
            taken: HashMap::new(),
        };
        for attempt in self.lock().attempts.values() {
            let slow_at = attempt.since + SLOW_AFTER;
            if attempt.is_trial || slow_at <= now {
                places.on_trial += 1;
            } else {
                places.in_flight += 1;
                places.slow_at = Some(earliest(places.slow_at, slow_at));
            }
        }
        places
    }

    /// Notes that a claimed batch is about to be sent.
    pub(super) fn begin(&self, batch: BatchId, destination: &Destination) {
        let now = self.clock.steady();
        let mut state = self.lock();
        state.sweep(now);
        let entry = state.destinations.entry(destination.clone()).or_default();
        entry.claimed += 1;
        let attempt = InFlightAttempt {
            destination: destination.clone(),
            provider: entry.provider.clone(),
            since: now,
            is_trial: !entry.is_healthy,
            epoch: entry.epoch,
        };
        if let Some(provider) = attempt.provider.as_ref().and_then(|name| state.providers.get_mut(name)) {
            provider.claimed += 1;
        }
        state.attempts.insert(batch, attempt);
    }

    /// Returns the connection limiter of a batch's provider, whose name is known now; `None` if the batch must wait for
    /// another claim. Relays have an empty name.
    pub(super) fn enter(&self, batch: BatchId, provider: &str) -> Option<Arc<ConnectionLimiter>> {
        let mut state = self.lock();
        let name = state.provider(provider, || {
            let Limits { connections, rate } = if provider.is_empty() { self.relay } else { self.domain };
            ConnectionLimiter::new(connections, rate, &self.clock)
        });
        let DestinationTable { destinations, providers, attempts, .. } = &mut *state;
        let attempt = attempts.get_mut(&batch)?;
        destinations.get_mut(&attempt.destination)?.provider = Some(name.clone());
        let entered = providers.get_mut(&name)?;
        let limiter = entered.limiter.clone();
        if attempt.provider.as_ref() != Some(&name) {
            if limiter.connections() * CLAIMED_PER_CONNECTION <= entered.claimed {
                return None;
            }
            entered.claimed += 1;
            if let Some(left) = attempt.provider.replace(name) {
                state.leave(&left);
            }
        }
        Some(limiter)
    }

    /// Whether a batch may begin: its destination has not been found unreachable since the claim.
    pub(super) fn is_open(&self, batch: BatchId) -> bool {
        let now = self.clock.steady();
        let state = self.lock();
        let Some(attempt) = state.attempts.get(&batch) else { return false };
        let entry = state.destinations.get(&attempt.destination);
        entry.is_some_and(|entry| entry.epoch == attempt.epoch && entry.opens <= now)
    }

    /// Notes accepted copies of a batch; returns whether more batches may be claimed.
    pub(super) fn took(&self, batch: BatchId) -> bool {
        let mut state = self.lock();
        let DestinationTable { destinations, providers, attempts, .. } = &mut *state;
        let Some(attempt) = attempts.get_mut(&batch) else { return false };
        let Some(entry) =
            destinations.get_mut(&attempt.destination).filter(|entry| entry.epoch == attempt.epoch)
        else {
            return false;
        };
        let was_healthy = entry.is_healthy;
        entry.prove();
        attempt.is_trial = false;
        let provider = attempt.provider.as_ref().and_then(|name| providers.get(name));
        provider.is_some_and(|provider| provider.limiter.grow()) || !was_healthy
    }

    /// Notes the end of an attempt, which makes room for another.
    pub(super) fn end(&self, batch: BatchId) {
        let mut state = self.lock();
        let Some(attempt) = state.attempts.remove(&batch) else { return };
        if let Some(name) = &attempt.provider {
            state.leave(name);
        }
        if let Some(entry) = state.destinations.get_mut(&attempt.destination) {
            entry.claimed -= 1;
        }
    }

    /// Learns from an attempt. Must be called before the attempt returns its connection permit, so that no other
    /// attempt uses the permit to find out the same in vain.
    pub(super) fn learn(&self, batch: BatchId, report: AttemptReport) -> DestinationChange {
        let now = self.clock.steady();
        let mut state = self.lock();
        let DestinationTable { destinations, providers, attempts, .. } = &mut *state;
        let Some(attempt) = attempts.get(&batch) else { return DestinationChange::None };
        let mut provider = attempt.provider.as_ref().and_then(|name| providers.get_mut(name));
        let Some(entry) = destinations.get_mut(&attempt.destination) else { return DestinationChange::None };
        if let (AttemptReport::Paced(rest), Some(provider)) = (&report, provider.as_mut()) {
            provider.opens = now + *rest;
        }
        if entry.epoch != attempt.epoch {
            return DestinationChange::None;
        }
        match report {
            AttemptReport::Nothing | AttemptReport::Paced(_) => {}
            AttemptReport::Answered => entry.prove(),
            AttemptReport::Deferred => {
                shrink(provider);
                entry.prove();
            }
            AttemptReport::Unavailable(reason) => {
                shrink(provider);
                if let Some((tries, pause)) = entry.miss(&attempt.destination, now) {
                    return DestinationChange::Dead { reason, tries, pause };
                }
            }
        }
        if std::mem::take(&mut entry.is_newly_healthy) {
            DestinationChange::Healthy
        } else {
            DestinationChange::None
        }
    }

    /// Ends the pauses of all destinations.
    pub(super) fn open_all(&self) {
        self.lock().destinations.values_mut().for_each(|entry| entry.opens = Duration::ZERO);
    }
}

impl DestinationTable {
    /// The shared name of a provider, which is added if it is new.
    fn provider(&mut self, name: &str, limiter: impl FnOnce() -> ConnectionLimiter) -> Arc<str> {
        if let Some((name, _)) = self.providers.get_key_value(name) {
            return name.clone();
        }
        let name: Arc<str> = Arc::from(name);
        let provider = Provider { limiter: Arc::new(limiter()), claimed: 0, opens: Duration::ZERO };
        self.providers.insert(name.clone(), provider);
        name
    }

    fn leave(&mut self, provider: &str) {
        if let Some(provider) = self.providers.get_mut(provider) {
            provider.claimed -= 1;
        }
    }

    /// Deletes entries that can be learned again without harm, once there are many.
    fn sweep(&mut self, now: Duration) {
        let known = |state: &DestinationTable| state.destinations.len() + state.providers.len();
        if known(self) < self.sweep_at.max(KNOWN_MAX) {
            return;
        }
        self.destinations.retain(|_, entry| 0 < entry.claimed || now < entry.opens);
        let destinations = &self.destinations;
        let is_named =
            |name: &Arc<str>| destinations.values().any(|entry| entry.provider.as_ref() == Some(name));
        self.providers.retain(|name, provider| 0 < provider.claimed || is_named(name));
        self.sweep_at = 2 * known(self);
    }
}

impl DestinationState {
    /// Notes that a server replied.
    fn prove(&mut self) {
        self.is_newly_healthy |= !self.is_healthy;
        (self.is_healthy, self.misses, self.pauses, self.opens) = (true, 0, 0, Duration::ZERO);
    }

    /// Notes that no server was reached; if this begins a pause, returns the number of tries in a row and the pause's
    /// length.
    fn miss(&mut self, destination: &Destination, now: Duration) -> Option<(u32, Duration)> {
        self.misses += 1;
        if self.is_healthy && self.misses < MISSES_MAX {
            return None;
        }
        (self.is_healthy, self.is_newly_healthy, self.misses) = (false, false, 0);
        self.pauses = self.pauses.saturating_add(1);
        self.epoch = self.epoch.wrapping_add(1);
        let pause = pause(destination, self.pauses);
        self.opens = now + pause;
        Some((self.pauses, pause))
    }
}

fn shrink(provider: Option<&mut Provider>) {
    if let Some(provider) = provider {
        provider.limiter.shrink();
    }
}

fn earliest(known: Option<Duration>, other: Duration) -> Duration {
    known.map_or(other, |known| known.min(other))
}

/// The places that may be filled at one moment, while batches are being chosen.
pub(super) struct Places<'a> {
    destinations: &'a Destinations,
    now: Duration,
    in_flight: usize,
    on_trial: usize,
    /// When the first attempt in flight counts as slow.
    slow_at: Option<Duration>,
    /// The earliest end of a pause among the destinations asked for.
    opens: Option<Duration>,
    /// Batches chosen so far, by provider.
    taken: HashMap<Arc<str>, usize>,
}

impl Places<'_> {
    /// When there may be more room even if no attempt ends.
    pub(super) fn next(&self) -> Option<Duration> {
        let slow_at = self.slow_at.filter(|_| BATCHES_IN_FLIGHT_MAX <= self.in_flight);
        [self.opens, slow_at].into_iter().flatten().min()
    }

    /// Free places for healthy destinations, or for the others.
    fn left(&self, is_healthy: bool) -> usize {
        let all = BATCHES_IN_FLIGHT_MAX + BATCHES_ON_TRIAL_MAX;
        let left = all.saturating_sub(self.in_flight + self.on_trial);
        let own = if is_healthy {
            BATCHES_IN_FLIGHT_MAX.saturating_sub(self.in_flight)
        } else {
            BATCHES_ON_TRIAL_MAX.saturating_sub(self.on_trial)
        };
        own.min(left)
    }
}

impl Room for Places<'_> {
    fn is_full(&self) -> bool {
        self.left(true) == 0 && self.left(false) == 0
    }

    fn places(&mut self, destination: &Destination) -> usize {
        let state = self.destinations.lock();
        let Some(entry) = state.destinations.get(destination) else {
            return self.left(false).min(CLAIMED_AT_FIRST);
        };
        let provider = entry.provider.as_ref().and_then(|name| state.providers.get_key_value(name));
        let opens = entry.opens.max(provider.map_or(Duration::ZERO, |(_, provider)| provider.opens));
        if self.now < opens {
            self.opens = Some(earliest(self.opens, opens));
            return 0;
        }
        let places = provider.map_or(usize::MAX, |(name, provider)| {
            let taken = self.taken.get(name).copied().unwrap_or(0);
            let limit = provider.limiter.connections() * CLAIMED_PER_CONNECTION;
            limit.saturating_sub(provider.claimed + taken)
        });
        let own = match (entry.is_healthy, entry.pauses) {
            (true, _) => usize::MAX,
            (false, 0) => CLAIMED_AT_FIRST.saturating_sub(entry.claimed),
            (false, _) => 1_usize.saturating_sub(entry.claimed),
        };
        places.min(own).min(self.left(entry.is_healthy))
    }

    fn take(&mut self, destination: &Destination, batches: usize) {
        let state = self.destinations.lock();
        let entry = state.destinations.get(destination);
        let count = if entry.is_some_and(|entry| entry.is_healthy) {
            &mut self.in_flight
        } else {
            &mut self.on_trial
        };
        *count += batches;
        if let Some(name) = entry.and_then(|entry| entry.provider.as_ref()) {
            *self.taken.entry(name.clone()).or_default() += batches;
        }
    }
}
