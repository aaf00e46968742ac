//! The scheduler: expands posts into batches, claims due batches, has them delivered, and records the outcomes.
//!
//! Once a minute it also does the work that is due by time alone and, in the pauses of the mail, indexes new messages
//! for search.
//!
//! One loop owns the state and decides; the work runs in tasks that report back as events. At most one expansion and
//! one tick run at any moment, and none of them ever awaits the network inside a write job. A tick records outcomes and
//! claims due batches in one commit, with all that has gathered since the last one. Deliveries run beside them, as many
//! as [`destinations`] have room for, so that no destination slows another.

mod author_policy;
mod banners;
mod breaker;
mod clock_jump;
mod connection_limiter;
mod copies;
mod deliver;
mod destinations;
mod digests;
mod failure;
mod posts;
mod recipient_lookup;
mod search;
mod server_time;
mod servers;
mod settlement_buffer;
mod signing;
mod steps;
mod sts;
mod system_mails;
mod tell;
mod tick;
mod tls_requirement;
mod unsendable;
mod upkeep;
mod webhooks;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::task::{AbortHandle, JoinHandle};
use tokio::time::Instant;
use tracing::Instrument as _;

use crate::clock::Timestamp;
use crate::config::Routing;
use crate::model::{Batch, BatchId, Destination};
use crate::ops::delivery::outbound::AttemptEnd;
use crate::ops::queue::due::Round;
use crate::ops::queue::pauses::Pause;
use crate::service::{Core, Shared};
use crate::store::StoreError;
use clock_jump::ClockMonitor;
use deliver::DeliveryWorker;
use destinations::{DestinationChange, Destinations};
use search::Search;
use settlement_buffer::SettlementBuffer;
use steps::Steps;
use tick::{Claimed, Ticked, Unwritten, give_up, recover, requeue, tick};

/// Tries in a row at an unreachable destination after which batches that have been due for five days are given up
/// without another try.
const TRIES_MIN: u32 = 12;
/// How long the scheduler may take after the drain has ended: QUIT to servers, and a last commit.
const FAREWELL_MAX: Duration = Duration::from_secs(5);
/// How often work that is due by time alone is looked for.
const UPKEEP_EVERY: Duration = Duration::from_mins(1);
/// How long no outcome is written after the disk refused a write, unless it is known to work again.
const OUTAGE_PAUSE: Duration = Duration::from_secs(1);
/// Longest sleep; a change of the clock is noticed after it.
const SLEEP_MAX: Duration = Duration::from_mins(1);

/// The running scheduler. Dropping it leaves it running; [`stop`](Scheduler::stop) ends it.
#[derive(Debug)]
pub struct Scheduler {
    commands: mpsc::UnboundedSender<Command>,
    task: JoinHandle<()>,
    /// Sends to webhooks.
    webhooks: JoinHandle<()>,
}

#[derive(Debug)]
enum Command {
    /// Reply when nothing is due and nothing is under way.
    Settle(oneshot::Sender<()>),
    /// Reply when every message can be found by search.
    FinishSearch(oneshot::Sender<()>),
    /// Begin nothing new, and end when the outcomes of all attempts are written, or cut them off at this time.
    Stop(Instant),
}

/// A report of a task.
#[derive(Debug)]
enum Event {
    /// A step of some work is done; whether there may be more to do.
    Stepped(Work, Result<bool, StoreError>),
    /// A tick is over.
    Ticked(Ticked),
    /// Claimed batches that are not being sent are due again.
    Recovered(Result<(), StoreError>),
    /// A batch's attempt is over.
    Over(BatchId, Destination, AttemptEnd, DestinationChange),
    /// The waiting batches of a destination were made due or given up.
    SeenTo(Result<(), StoreError>),
}

/// Work that is done in steps.
#[derive(Debug, Clone, Copy)]
enum Work {
    /// Putting the next page of a fan-out into batches.
    FanOut,
    /// Putting the next page of a digest into batches.
    Digest,
    /// The work that is due by time alone.
    Upkeep,
    /// Fetching banners.
    Banners,
    /// Indexing new messages for search.
    Search,
}

impl Work {
    /// Says in the log which work a failed step belongs to.
    const fn words(self) -> &'static str {
        match self {
            Work::FanOut => "expand a post",
            Work::Digest => "expand a digest",
            Work::Upkeep => "do the upkeep",
            Work::Banners => "fetch banners",
            Work::Search => "index new messages",
        }
    }
}

/// Makes due the batches that the last process left in flight, and moves batches that waited for the other routing, by
/// relays or straight to domains; then starts the loop. If the disk is full or fails, the loop does so when that is
/// over.
pub async fn spawn(core: Core) -> Result<Scheduler, StoreError> {
    let recovered = recover(&core).await;
    let (commands, received) = mpsc::unbounded_channel();
    let webhooks = webhooks::spawn(core.clone());
    let mut scheduler = Loop::new(core, received)?;
    match recovered {
        Err(error) if error.is_outage() => scheduler.is_doubtful = true,
        recovered => recovered?,
    }
    let task = tokio::spawn(scheduler.run());
    Ok(Scheduler { commands, task, webhooks })
}

impl Scheduler {
    /// Waits until nothing is due and nothing is under way: every post accepted before this call has then been tried
    /// for every member. A stopped scheduler counts as settled.
    pub async fn settle(&self) {
        self.ask(Command::Settle).await;
    }

    /// Waits until a search finds every message that was published before this call.
    pub async fn finish_search(&self) {
        self.ask(Command::FinishSearch).await;
    }

    async fn ask(&self, command: impl FnOnce(oneshot::Sender<()>) -> Command) {
        let (answer, answered) = oneshot::channel();
        if self.commands.send(command(answer)).is_ok() {
            // An error means that the loop has ended, so nothing is under way.
            let _ = answered.await;
        }
    }

    /// Lets attempts in flight end, for `drain` at most, and records their outcomes. The others are due at the next
    /// start.
    pub async fn stop(mut self, drain: Duration) {
        let deadline = Instant::now() + drain;
        let _ = self.commands.send(Command::Stop(deadline));
        // What was taken and is not written yet is sent once more at the next start.
        self.webhooks.abort();
        if tokio::time::timeout_at(deadline + FAREWELL_MAX, &mut self.task).await.is_err() {
            tracing::warn!("The scheduler did not end in time and is cut off");
            self.task.abort();
        }
    }
}

/// The state of the scheduler, owned by its loop.
struct Loop {
    core: Core,
    worker: Arc<DeliveryWorker>,
    destinations: Arc<Destinations>,
    routing: Routing,
    commands: mpsc::UnboundedReceiver<Command>,
    events: mpsc::UnboundedReceiver<Event>,
    reports: mpsc::UnboundedSender<Event>,
    fan_outs: Steps,
    digests: Steps,
    upkeep: Steps,
    banners: Steps,
    search: Search,
    /// When the next step of the upkeep begins, by the steady clock.
    next_upkeep: Duration,
    is_ticking: bool,
    /// Whether there may be a due batch with room for it.
    maybe_due: bool,
    /// Whether the only batches that may be due are those that the last tick did not reach.
    is_round_open: bool,
    /// The round over the destinations; `None` while a tick has it.
    round: Option<Round>,
    /// When the next batch is due that the last tick left. Any change that makes a batch due earlier sets `maybe_due`,
    /// and the next tick finds it.
    next_due: Option<Timestamp>,
    /// When there may be more room even if no attempt ends, by the steady clock.
    next_room: Option<Duration>,
    clock_monitor: ClockMonitor,
    in_flight: HashMap<BatchId, AbortHandle>,
    /// Destinations whose waiting batches are being made due or given up.
    seeing_to: usize,
    unsettled: Arc<SettlementBuffer>,
    /// While the disk is full or fails: when writing the outcomes is tried again.
    outage_until: Option<Instant>,
    /// Whether a claim failed: batches may be claimed without this loop knowing it.
    is_doubtful: bool,
    waiting: Vec<oneshot::Sender<()>>,
    waiting_for_search: Vec<oneshot::Sender<()>>,
    /// When attempts in flight are cut off, once a stop was requested.
    stopping: Option<Instant>,
    /// Whether they were cut off.
    is_cut_off: bool,
}

impl Loop {
    fn new(core: Core, commands: mpsc::UnboundedReceiver<Command>) -> Result<Loop, StoreError> {
        let (reports, events) = mpsc::unbounded_channel();
        let destinations = Arc::new(Destinations::new(&core.config, core.clock.clone()));
        Ok(Loop {
            worker: Arc::new(DeliveryWorker::new(core.clone(), destinations.clone())?),
            destinations,
            clock_monitor: ClockMonitor::new(&core.clock),
            routing: core.config.routing(),
            core,
            commands,
            events,
            reports,
            fan_outs: Steps::new(),
            digests: Steps::new(),
            upkeep: Steps::new(),
            banners: Steps::new(),
            search: Search::new(),
            next_upkeep: Duration::ZERO,
            is_ticking: false,
            maybe_due: true,
            is_round_open: false,
            round: Some(Round::default()),
            next_due: None,
            next_room: None,
            in_flight: HashMap::new(),
            seeing_to: 0,
            unsettled: Arc::default(),
            outage_until: None,
            is_doubtful: false,
            waiting: Vec::new(),
            waiting_for_search: Vec::new(),
            stopping: None,
            is_cut_off: false,
        })
    }

    async fn run(mut self) {
        let mut events = Vec::new();
        loop {
            self.begin_what_can_begin();
            if self.is_quiet() {
                answer_all(&mut self.waiting);
                if self.stopping.is_some() && !self.search.is_running() {
                    return self.worker.close().await;
                }
            }
            if self.search.is_done() {
                answer_all(&mut self.waiting_for_search);
            }
            let sleep = self.sleep();
            tokio::select! {
                biased;
                received = self.events.recv_many(&mut events, 1024) => {
                    assert!(0 < received, "the loop holds a sender of its own");
                    for event in events.drain(..) {
                        self.note(event);
                    }
                }
                command = self.commands.recv() => self.handle_command(command),
                () = self.core.wake.notified() => self.look_again(),
                () = self.core.banner_wanted.notified() => self.banners.look_again(),
                () = self.core.upkeep_wanted.notified() => self.next_upkeep = Duration::ZERO,
                () = self.core.retry_now.notified() => {
                    self.destinations.open_all();
                    self.core.pauses.end_all();
                    self.look_again();
                }
                () = self.unsettled.ripen(), if !self.is_ticking && self.outage_until.is_none() => {}
                () = tokio::time::sleep(sleep) => self.wake_up(),
                () = until(self.stopping), if !self.is_cut_off => self.cut_off(),
            }
        }
    }

    fn look_again(&mut self) {
        self.outage_until = None;
        self.fan_outs.look_again();
        self.digests.look_again();
        self.look_for_due();
        self.search.look_again();
    }

    /// Notes that any batch may be due, or that there may be room for one.
    fn look_for_due(&mut self) {
        self.maybe_due = true;
        self.is_round_open = false;
    }

    /// Wakes up at the end of a sleep: something may be due.
    fn wake_up(&mut self) {
        self.outage_until = None;
        self.fan_outs.look_again();
        self.digests.look_again();
        self.look_for_due();
        if self.search.is_done() {
            self.search.look_again();
        }
    }

    fn handle_command(&mut self, command: Option<Command>) {
        match command {
            Some(Command::Settle(answer)) => {
                self.banners.look_again();
                // Commands come first: what the upkeep was called for belongs to what is waited for.
                if std::pin::pin!(self.core.upkeep_wanted.notified()).enable() {
                    self.next_upkeep = Duration::ZERO;
                }
                self.look_again();
                self.waiting.push(answer);
            }
            Some(Command::FinishSearch(answer)) => {
                self.search.hurry();
                self.waiting_for_search.push(answer);
            }
            Some(Command::Stop(deadline)) => self.stop(deadline),
            None => self.stop(Instant::now()),
        }
    }

    fn stop(&mut self, deadline: Instant) {
        self.stopping = Some(deadline);
        self.worker.stop();
    }

    /// Ends the drain. Attempts that were cut off are repeated at the next start; that does not count as a crash.
    fn cut_off(&mut self) {
        self.is_cut_off = true;
        let in_flight = self.in_flight.len();
        tracing::warn!(
            "{in_flight} deliveries were still under way at the stop; they go on at the next start"
        );
        self.in_flight.values().for_each(AbortHandle::abort);
    }

    fn is_quiet(&self) -> bool {
        let is_in_flight = !self.in_flight.is_empty() || 0 < self.seeing_to;
        let mut stepping = [&self.fan_outs, &self.digests, &self.upkeep].into_iter();
        let busy = stepping.any(Steps::is_running) || self.is_ticking || is_in_flight;
        // A stop leaves what has not begun to the next start, and waits for no banner.
        let mut begun_later = [&self.fan_outs, &self.digests, &self.banners].into_iter();
        let is_more = begun_later.any(Steps::may_be_more) || self.banners.is_running() || self.maybe_due;
        let more = self.stopping.is_none() && is_more;
        !busy && !more && self.unsettled.is_empty()
    }

    /// How long there is nothing to do.
    fn sleep(&self) -> Duration {
        if self.stopping.is_some() {
            return SLEEP_MAX;
        }
        let outage =
            self.outage_until.map_or(SLEEP_MAX, |until| until.saturating_duration_since(Instant::now()));
        self.search.wait().unwrap_or(SLEEP_MAX).min(self.sleep_until_due()).min(outage)
    }

    /// How long no batch will be due for which there is room. With a clock that is moved by hand, the one who moves it
    /// wakes the scheduler.
    fn sleep_until_due(&self) -> Duration {
        let (clock, now) = (&self.core.clock, self.core.now());
        if clock.is_manual() {
            return SLEEP_MAX;
        }
        // Due batches without room wait for the end of an attempt, or until `next_room`.
        let due = self.next_due.filter(|due| now < *due).map_or(SLEEP_MAX, |due| due.since(now));
        let steady = clock.steady();
        let room = self.next_room.filter(|at| steady < *at).map_or(SLEEP_MAX, |at| at.saturating_sub(steady));
        // Timers have a resolution of a millisecond.
        due.min(room).min(SLEEP_MAX) + Duration::from_millis(1)
    }

    fn begin_what_can_begin(&mut self) {
        if !self.is_ticking {
            self.begin_tick();
        }
        if self.stopping.is_some() {
            return;
        }
        let (core, routing) = (&self.core, self.routing);
        if self.fan_outs.begin() {
            let core = core.clone();
            self.begin_step(Work::FanOut, async move { posts::step(&core, routing).await });
        }
        if self.digests.begin() {
            let core = core.clone();
            self.begin_step(Work::Digest, async move { digests::step(&core, routing).await });
        }
        self.begin_upkeep();
        if self.banners.begin() {
            let core = self.core.clone();
            self.begin_step(Work::Banners, async move { banners::step(&core).await });
        }
        if self.search.wait() == Some(Duration::ZERO) {
            self.search.begin();
            let core = self.core.clone();
            self.begin_step(Work::Search, async move { search::step(&core).await });
        }
    }

    fn begin_upkeep(&mut self) {
        let now = self.core.clock.steady();
        if self.next_upkeep <= now {
            self.upkeep.look_again();
        }
        if !self.upkeep.begin() {
            return;
        }
        self.next_upkeep = now + UPKEEP_EVERY;
        self.banners.look_again();
        let expiry_paused = self.clock_monitor.expiry_paused(&self.core.clock);
        let core = self.core.clone();
        self.begin_step(Work::Upkeep, async move { upkeep::step(&core, expiry_paused).await });
    }

    /// Runs a step as a task of its own, which reports its end.
    fn begin_step(&self, work: Work, step: impl Future<Output = Result<bool, StoreError>> + Send + 'static) {
        let reports = self.reports.clone();
        tokio::spawn(async move {
            let _ = reports.send(Event::Stepped(work, step.await));
        });
    }

    /// Records outcomes, once enough have gathered or no more will come, and claims due batches for which there is
    /// room.
    fn begin_tick(&mut self) {
        if self.outage_until.is_some() {
            return;
        }
        let nothing_more = self.in_flight.is_empty();
        if self.is_doubtful && nothing_more && self.unsettled.is_empty() && self.stopping.is_none() {
            // When it ends, due batches are looked for again.
            self.maybe_due = false;
            self.begin_recovery();
            return;
        }
        let is_time = self.unsettled.time_left().is_some_and(|left| nothing_more || left.is_zero());
        let settlements = if is_time { self.unsettled.take() } else { Vec::new() };
        // An ended attempt makes room.
        if settlements.iter().any(|settlement| settlement.end.is_some()) {
            self.look_for_due();
        }
        // A commit that follows soon claims the batches that are due by then, too.
        let is_gathering = !is_time && !self.unsettled.is_empty();
        let may_claim = self.stopping.is_none() && !self.is_doubtful && !is_gathering;
        let is_looking = self.maybe_due && may_claim;
        self.maybe_due &= is_gathering;
        let round = if is_looking { self.round.take() } else { None };
        if settlements.is_empty() && round.is_none() {
            return;
        }
        let round = round.map(|mut round| {
            if !std::mem::take(&mut self.is_round_open) {
                round.begin();
            }
            round
        });
        self.is_ticking = true;
        let jump = self.clock_monitor.look(&self.core.clock);
        let (core, destinations, reports) =
            (self.core.clone(), self.destinations.clone(), self.reports.clone());
        tokio::spawn(async move {
            let ticked = tick(&core, &destinations, settlements, jump, round).await;
            let _ = reports.send(Event::Ticked(ticked));
        });
    }

    /// Makes claimed batches due again, as none is being sent.
    fn begin_recovery(&mut self) {
        self.is_ticking = true;
        let (core, reports) = (self.core.clone(), self.reports.clone());
        tokio::spawn(async move {
            let _ = reports.send(Event::Recovered(recover(&core).await));
        });
    }

    fn note(&mut self, event: Event) {
        match event {
            Event::Stepped(work, stepped) => self.note_step(work, stepped),
            Event::Ticked(ticked) => self.note_tick(ticked),
            Event::Recovered(recovered) => {
                self.is_ticking = false;
                if logged("make claimed batches due again", recovered).is_some() {
                    self.is_doubtful = false;
                    self.look_again();
                } else {
                    self.outage_until = Some(Instant::now() + OUTAGE_PAUSE);
                }
            }
            Event::Over(batch, destination, end, change) => {
                self.unsettled.note_end(batch, end);
                self.in_flight.remove(&batch);
                self.destinations.end(batch);
                self.note_change(destination, change);
            }
            Event::SeenTo(seen_to) => {
                self.seeing_to -= 1;
                if logged("update the waiting batches of a destination", seen_to).is_some() {
                    self.look_for_due();
                }
            }
        }
    }

    fn note_step(&mut self, work: Work, stepped: Result<bool, StoreError>) {
        let is_more = logged(work.words(), stepped).unwrap_or(false);
        let steps = match work {
            Work::FanOut => &mut self.fan_outs,
            Work::Digest => &mut self.digests,
            Work::Upkeep => &mut self.upkeep,
            Work::Banners => return self.banners.end(is_more),
            Work::Search => return self.search.end(is_more),
        };
        steps.end(is_more);
        if is_more {
            // It may have made batches or system mails.
            self.look_again();
        }
    }

    fn note_change(&mut self, destination: Destination, change: DestinationChange) {
        let Shared { clock, pauses, .. } = &*self.core;
        match change {
            DestinationChange::Healthy => {
                pauses.end(&destination);
                self.update_waiting(destination, None);
            }
            DestinationChange::Dead { reason, tries, pause } => {
                let now = clock.now();
                let pause = Pause { until: now + pause, reason: reason.clone() };
                pauses.begin(destination.clone(), pause, now);
                if TRIES_MIN <= tries {
                    self.update_waiting(destination, Some(reason));
                }
            }
            DestinationChange::None => {}
        }
    }

    fn note_tick(&mut self, ticked: Ticked) {
        let Ticked { settled, looked } = ticked;
        self.is_ticking = false;
        if let Some(settled) = settled {
            // It may have made batches due that the tick beside it did not see.
            self.look_for_due();
            if let Err(unwritten) = settled {
                self.keep_unwritten(unwritten);
            }
        }
        let Some((round, claimed)) = looked else { return };
        self.round = Some(round);
        let Some(claimed) = logged("claim deliveries", claimed) else {
            self.is_doubtful = true;
            return;
        };
        let Claimed { batches, is_more, next_due, next_room } = claimed;
        self.next_due = next_due;
        // A tick that did not reach every destination knows nothing new about the others.
        let steady = self.core.clock.steady();
        let known = self.next_room.filter(|at| steady < *at);
        self.next_room = [known, next_room].into_iter().flatten().min();
        if is_more && !self.maybe_due {
            (self.maybe_due, self.is_round_open) = (true, true);
        }
        for batch in batches {
            self.begin_delivery(batch);
        }
    }

    /// Keeps outcomes that could not be written: they are written when the disk works again.
    fn keep_unwritten(&mut self, Unwritten { error, settlements }: Unwritten) {
        if !error.is_outage() || self.stopping.is_some() {
            let answers: usize = settlements.iter().map(|settlement| settlement.outcomes.len()).sum();
            tracing::error!(
                error = %error,
                "The scheduler could not record the outcomes of {answers} copies; they may be sent again"
            );
            return;
        }
        self.unsettled.give_back(&settlements);
        self.outage_until = Some(Instant::now() + OUTAGE_PAUSE);
    }

    /// Makes a destination's waiting batches due or gives them up, as a task of its own.
    fn update_waiting(&mut self, destination: Destination, given_up: Option<String>) {
        self.seeing_to += 1;
        let jump = self.clock_monitor.look(&self.core.clock);
        let (core, reports) = (self.core.clone(), self.reports.clone());
        tokio::spawn(async move {
            let seen_to = match given_up {
                None => requeue(&core, &destination).await,
                Some(reason) => give_up(&core, &destination, &reason, jump).await,
            };
            let _ = reports.send(Event::SeenTo(seen_to));
        });
    }

    fn begin_delivery(&mut self, batch: Batch) {
        self.destinations.begin(batch.id, &batch.destination);
        let (worker, reports) = (self.worker.clone(), self.reports.clone());
        let unsettled = self.unsettled.clone();
        let (id, destination) = (batch.id, batch.destination.clone());
        // Of the level that is always logged: a line of any level is to have it.
        let span = tracing::error_span!("delivery", batch.id = id.0, batch.payload = %batch.payload);
        let delivering = async move {
            let mut report = |outcome| unsettled.note(id, outcome);
            worker.deliver(&batch, &mut report).await
        };
        let delivery = tokio::spawn(delivering.instrument(span));
        self.in_flight.insert(id, delivery.abort_handle());
        tokio::spawn(async move {
            let (end, change) = delivery.await.unwrap_or_else(|error| {
                if error.is_cancelled() {
                    return (AttemptEnd::Interrupted, DestinationChange::None);
                }
                tracing::error!(batch.id = id.0, error = %error, "Delivery {id} failed inside the server");
                (AttemptEnd::Broken, DestinationChange::None)
            });
            let _ = reports.send(Event::Over(id, destination, end, change));
        });
    }
}

/// Resolves at that time; never if it is `None`.
async fn until(time: Option<Instant>) {
    match time {
        Some(time) => tokio::time::sleep_until(time).await,
        None => std::future::pending().await,
    }
}

/// Answers all callers that wait; some may have given up.
fn answer_all(waiting: &mut Vec<oneshot::Sender<()>>) {
    for waiting in waiting.drain(..) {
        let _ = waiting.send(());
    }
}

/// Returns the value, or logs the error and returns `None`. A store that failed for good ends the process elsewhere,
/// and one whose disk is full or fails has logged it.
fn logged<T>(what: &str, result: Result<T, StoreError>) -> Option<T> {
    let tell = |error: &StoreError| tracing::error!(error = %error, "The scheduler could not {what}");
    let tell_unless_known = |error: &StoreError| {
        if !error.is_outage() {
            tell(error);
        }
    };
    result.inspect_err(tell_unless_known).ok()
}
