//! What the scheduler knows of destinations: which may be claimed now and how much of each, so that none slows another.
//!
//! It lives in memory alone and is learned anew after a start. A destination is *sound* once one of its servers took a
//! copy, until none can be reached. Sound ones share [`BATCHES_IN_FLIGHT_MAX`] places. All others, and attempts that
//! have taken longer than [`SLOW_AFTER`], share [`BATCHES_ON_TRIAL_MAX`] of their own: however many domains are dead or
//! stall, those that take mail keep their places, and no attempt keeps one for long ([`ServerTimeBudget`](super::server_time::ServerTimeBudget)).
//! One that could not be reached is left alone for a while, longer each time, and then tried with a single batch; what
//! else waits for it is not touched. Connections and rate are counted by provider ([`ConnectionLimiter`]), since one often serves
//! many domains.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::connection_limiter::ConnectionLimiter;
use crate::clock::Clock;
use crate::config::{BATCHES_IN_FLIGHT_MAX, BATCHES_ON_TRIAL_MAX, Config, Rate};
use crate::model::{BatchId, Destination};
use crate::ops::queue::due::Room;

/// Batches claimed for each connection that a provider may have: one that is being sent and one that is ready when
/// it ends, so that no connection waits for the disk.
const CLAIMED_PER_CONNECTION: usize = 2;
/// Batches of a destination of which nothing is known.
const CLAIMED_AT_FIRST: usize = 2;
/// How long an attempt counts among those that get on.
const SLOW_AFTER: Duration = Duration::from_secs(10);
/// Attempts in a row that reach no server, after which a sound destination is left alone: one alone may have met a
/// limit of connections, or one server of several.
const MISSES_MAX: u32 = 3;
/// Destinations and providers that are remembered without need.
const KNOWN_MAX: usize = 4096;

/// What an attempt says of its destination.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum AttemptReport {
    /// Nothing: it ended for reasons of ours.
    Nothing,
    /// A server answered, and took more than it deferred.
    Answered,
    /// A server deferred more than it took.
    Deferred,
    /// No server takes mail now, for this reason.
    Unavailable(String),
    /// Copies may leave again after this time.
    Paced(Duration),
}

/// What the news of an attempt means for what waits for its destination.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum DestinationChange {
    /// Nothing.
    None,
    /// The destination takes mail, which was not known.
    Healthy,
    /// It could not be reached, for this reason, so many times in a row, and is left alone for this time.
    Dead { reason: String, tries: u32, pause: Duration },
}

/// All that is known.
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
    flights: HashMap<BatchId, InFlightAttempt>,
    /// How many lanes or providers there are when those without need are forgotten.
    sweep_at: usize,
}

/// One destination. Times are those of [`Clock::steady`].
#[derive(Default)]
struct DestinationState {
    /// Who serves it, once that is known.
    provider: Option<Arc<str>>,
    claimed: usize,
    is_healthy: bool,
    /// Whether that was learned since an attempt last told its news.
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
    gate: Arc<ConnectionLimiter>,
    claimed: usize,
    opens: Duration,
}

/// An attempt under way.
struct InFlightAttempt {
    destination: Destination,
    /// The provider among whose attempts it is counted.
    provider: Option<Arc<str>>,
    since: Duration,
    is_trial: bool,
    /// That of its destination when it began: news from before a pause are none behind it.
    epoch: u32,
}

/// How long a destination that cannot be reached is left alone, after so many tries in a row. A relay is the operator's
/// own, everything waits for it, and it is back soon.
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

    /// What may be claimed now.
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
        for flight in self.lock().flights.values() {
            let slow_at = flight.since + SLOW_AFTER;
            if flight.is_trial || slow_at <= now {
                places.on_trial += 1;
            } else {
                places.in_flight += 1;
                places.slow_at = Some(earliest(places.slow_at, slow_at));
            }
        }
        places
    }

    /// A claimed batch is going to be sent.
    pub(super) fn begin(&self, batch: BatchId, destination: &Destination) {
        let now = self.clock.steady();
        let mut state = self.lock();
        state.sweep(now);
        let lane = state.destinations.entry(destination.clone()).or_default();
        lane.claimed += 1;
        let flight = InFlightAttempt {
            destination: destination.clone(),
            provider: lane.provider.clone(),
            since: now,
            is_trial: !lane.is_healthy,
            epoch: lane.epoch,
        };
        if let Some(provider) = flight.provider.as_ref().and_then(|name| state.providers.get_mut(name)) {
            provider.claimed += 1;
        }
        state.flights.insert(batch, flight);
    }

    /// The gate of a batch's provider, whose name is known now; none where the batch has to wait for another claim. The
    /// relays have no name.
    pub(super) fn enter(&self, batch: BatchId, provider: &str) -> Option<Arc<ConnectionLimiter>> {
        let mut state = self.lock();
        let name = state.provider(provider, || {
            let Limits { connections, rate } = if provider.is_empty() { self.relay } else { self.domain };
            ConnectionLimiter::new(connections, rate, &self.clock)
        });
        let DestinationTable { destinations, providers, flights, .. } = &mut *state;
        let flight = flights.get_mut(&batch)?;
        destinations.get_mut(&flight.destination)?.provider = Some(name.clone());
        let entered = providers.get_mut(&name)?;
        let gate = entered.gate.clone();
        if flight.provider.as_ref() != Some(&name) {
            if gate.connections() * CLAIMED_PER_CONNECTION <= entered.claimed {
                return None;
            }
            entered.claimed += 1;
            if let Some(left) = flight.provider.replace(name) {
                state.leave(&left);
            }
        }
        Some(gate)
    }

    /// Whether a batch may begin: its destination has not been found dead since it was chosen.
    pub(super) fn is_open(&self, batch: BatchId) -> bool {
        let now = self.clock.steady();
        let state = self.lock();
        let Some(flight) = state.flights.get(&batch) else { return false };
        let lane = state.destinations.get(&flight.destination);
        lane.is_some_and(|lane| lane.epoch == flight.epoch && lane.opens <= now)
    }

    /// Copies of a batch were taken; says whether more may be claimed for it.
    pub(super) fn took(&self, batch: BatchId) -> bool {
        let mut state = self.lock();
        let DestinationTable { destinations, providers, flights, .. } = &mut *state;
        let Some(flight) = flights.get_mut(&batch) else { return false };
        let Some(lane) = destinations.get_mut(&flight.destination).filter(|lane| lane.epoch == flight.epoch)
        else {
            return false;
        };
        let was_sound = lane.is_healthy;
        lane.prove();
        flight.is_trial = false;
        let provider = flight.provider.as_ref().and_then(|name| providers.get(name));
        provider.is_some_and(|provider| provider.gate.grow()) || !was_sound
    }

    /// An attempt is over, and makes room for another.
    pub(super) fn end(&self, batch: BatchId) {
        let mut state = self.lock();
        let Some(flight) = state.flights.remove(&batch) else { return };
        if let Some(name) = &flight.provider {
            state.leave(name);
        }
        if let Some(lane) = state.destinations.get_mut(&flight.destination) {
            lane.claimed -= 1;
        }
    }

    /// Learns from an attempt. It is told before the attempt gives back its connection, so that nobody uses that one to
    /// ask the same in vain.
    pub(super) fn learn(&self, batch: BatchId, news: AttemptReport) -> DestinationChange {
        let now = self.clock.steady();
        let mut state = self.lock();
        let DestinationTable { destinations, providers, flights, .. } = &mut *state;
        let Some(flight) = flights.get(&batch) else { return DestinationChange::None };
        let mut provider = flight.provider.as_ref().and_then(|name| providers.get_mut(name));
        let Some(lane) = destinations.get_mut(&flight.destination) else { return DestinationChange::None };
        if let (AttemptReport::Paced(rest), Some(provider)) = (&news, provider.as_mut()) {
            provider.opens = now + *rest;
        }
        if lane.epoch != flight.epoch {
            return DestinationChange::None;
        }
        match news {
            AttemptReport::Nothing | AttemptReport::Paced(_) => {}
            AttemptReport::Answered => lane.prove(),
            AttemptReport::Deferred => {
                shrink(provider);
                lane.prove();
            }
            AttemptReport::Unavailable(reason) => {
                shrink(provider);
                if let Some((tries, pause)) = lane.miss(&flight.destination, now) {
                    return DestinationChange::Dead { reason, tries, pause };
                }
            }
        }
        if std::mem::take(&mut lane.is_newly_healthy) {
            DestinationChange::Healthy
        } else {
            DestinationChange::None
        }
    }

    /// Nobody is left alone any more.
    pub(super) fn open_all(&self) {
        self.lock().destinations.values_mut().for_each(|lane| lane.opens = Duration::ZERO);
    }
}

impl DestinationTable {
    /// The name of a provider that is among those known.
    fn provider(&mut self, name: &str, gate: impl FnOnce() -> ConnectionLimiter) -> Arc<str> {
        if let Some((name, _)) = self.providers.get_key_value(name) {
            return name.clone();
        }
        let name: Arc<str> = Arc::from(name);
        let provider = Provider { gate: Arc::new(gate()), claimed: 0, opens: Duration::ZERO };
        self.providers.insert(name.clone(), provider);
        name
    }

    fn leave(&mut self, provider: &str) {
        if let Some(provider) = self.providers.get_mut(provider) {
            provider.claimed -= 1;
        }
    }

    /// Forgets what would be learned again without harm, once there is much of it.
    fn sweep(&mut self, now: Duration) {
        let known = |state: &DestinationTable| state.destinations.len() + state.providers.len();
        if known(self) < self.sweep_at.max(KNOWN_MAX) {
            return;
        }
        self.destinations.retain(|_, lane| 0 < lane.claimed || now < lane.opens);
        let destinations = &self.destinations;
        let is_named =
            |name: &Arc<str>| destinations.values().any(|lane| lane.provider.as_ref() == Some(name));
        self.providers.retain(|name, provider| 0 < provider.claimed || is_named(name));
        self.sweep_at = 2 * known(self);
    }
}

impl DestinationState {
    /// A server answered.
    fn prove(&mut self) {
        self.is_newly_healthy |= !self.is_healthy;
        (self.is_healthy, self.misses, self.pauses, self.opens) = (true, 0, 0, Duration::ZERO);
    }

    /// No server was reached; says how often in a row, and for how long it is left alone, where it is for that.
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
        provider.gate.shrink();
    }
}

fn earliest(known: Option<Duration>, other: Duration) -> Duration {
    known.map_or(other, |known| known.min(other))
}

/// What may be claimed at one moment, while it is being chosen.
pub(super) struct Places<'a> {
    destinations: &'a Destinations,
    now: Duration,
    in_flight: usize,
    on_trial: usize,
    /// When the first of those in flight counts as slow.
    slow_at: Option<Duration>,
    /// When the first destination opens of those that were asked about and are left alone.
    opens: Option<Duration>,
    /// Batches that were chosen, by provider.
    taken: HashMap<Arc<str>, usize>,
}

impl Places<'_> {
    /// When there may be more room though nothing ends.
    pub(super) fn next(&self) -> Option<Duration> {
        let slow_at = self.slow_at.filter(|_| BATCHES_IN_FLIGHT_MAX <= self.in_flight);
        [self.opens, slow_at].into_iter().flatten().min()
    }

    /// Places of destinations in good standing, or of the others.
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
        let Some(lane) = state.destinations.get(destination) else {
            return self.left(false).min(CLAIMED_AT_FIRST);
        };
        let provider = lane.provider.as_ref().and_then(|name| state.providers.get_key_value(name));
        let opens = lane.opens.max(provider.map_or(Duration::ZERO, |(_, provider)| provider.opens));
        if self.now < opens {
            self.opens = Some(earliest(self.opens, opens));
            return 0;
        }
        let places = provider.map_or(usize::MAX, |(name, provider)| {
            let taken = self.taken.get(name).copied().unwrap_or(0);
            let limit = provider.gate.connections() * CLAIMED_PER_CONNECTION;
            limit.saturating_sub(provider.claimed + taken)
        });
        let own = match (lane.is_healthy, lane.pauses) {
            (true, _) => usize::MAX,
            (false, 0) => CLAIMED_AT_FIRST.saturating_sub(lane.claimed),
            (false, _) => 1_usize.saturating_sub(lane.claimed),
        };
        places.min(own).min(self.left(lane.is_healthy))
    }

    fn take(&mut self, destination: &Destination, batches: usize) {
        let state = self.destinations.lock();
        let lane = state.destinations.get(destination);
        let count =
            if lane.is_some_and(|lane| lane.is_healthy) { &mut self.in_flight } else { &mut self.on_trial };
        *count += batches;
        if let Some(name) = lane.and_then(|lane| lane.provider.as_ref()) {
            *self.taken.entry(name.clone()).or_default() += batches;
        }
    }
}
