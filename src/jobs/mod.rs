//! The scheduler: expands posts into batches, claims what is due, has it delivered, writes what was answered.
//!
//! It also does, once a minute, what time alone makes due; and in the pauses of the mail, it makes new messages
//! findable.
//!
//! One loop owns the state and decides; the work runs in tasks that report back as events. At any moment at
//! most one expansion and one turn are under way, and none of them ever awaits a network peer inside a write
//! job. A turn writes what was answered and claims what is due in one commit, with whatever gathered since the
//! last one. Deliveries run beside them, as many as there is room for, in all and per destination.

mod author;
mod breaker;
mod copies;
mod deliver;
mod letters;
mod search;
mod servers;
mod sts;
mod tell;
mod unsettled;
mod upkeep;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::clock::Timestamp;
use crate::config::{BATCHES_IN_FLIGHT_MAX, DRAIN, Routing};
use crate::model::{Batch, BatchId, Destination};
use crate::ops::outbound::{self, AttemptEnd, EXPAND_MEMBERS, Expansion, Room, Settlement};
use crate::ops::{Core, OpError};
use crate::store::{ReadTx, StoreError};
use deliver::Courier;
use search::Search;
use unsettled::Unsettled;

/// Batches claimed for each connection that a destination may have: one that is being sent and one that is
/// ready when it ends, so that no connection waits for the disk.
const CLAIMED_PER_CONNECTION: usize = 2;
/// Posts that one step of the expansion takes up, where their lists are small.
const EXPAND_POSTS: usize = 64;
/// Batches made due by one job at the start.
const RECOVER_BATCHES: usize = 256;
/// Batches given back to their domains by one job: each may become as many as it has recipients.
const REROUTE_BATCHES: usize = 32;
/// How often it is looked for what time alone has made due.
const UPKEEP_EVERY: Duration = Duration::from_mins(1);
/// Longest sleep; a clock that was set meanwhile is noticed after it.
const SLEEP_MAX: Duration = Duration::from_mins(1);

/// The running scheduler. Dropping it leaves it running; [`stop`](Scheduler::stop) ends it.
#[derive(Debug)]
pub struct Scheduler {
    commands: mpsc::UnboundedSender<Command>,
    task: JoinHandle<()>,
}

#[derive(Debug)]
enum Command {
    /// Answer when nothing is due and nothing is under way.
    Settle(oneshot::Sender<()>),
    /// Answer when a search finds every message.
    FinishSearch(oneshot::Sender<()>),
    /// Begin nothing new, and end when what is in flight has been written.
    Stop,
}

/// What a task reports.
#[derive(Debug)]
enum Event {
    /// A page of a fan-out is in batches; whether there was one.
    Expanded(Result<bool, StoreError>),
    /// A turn is over.
    Turned(Turned),
    /// A batch's attempt is over.
    Over(BatchId, Destination, AttemptEnd),
    /// A step of the upkeep is done; whether there may be more to do.
    Kept(Result<bool, StoreError>),
    /// The words of some messages are written; whether there may be more.
    Indexed(Result<bool, StoreError>),
}

/// What came of a turn.
#[derive(Debug)]
struct Turned {
    settled: Result<(), StoreError>,
    /// None where nothing was to be claimed.
    claimed: Option<Result<Claimed, StoreError>>,
}

#[derive(Debug)]
struct Claimed {
    /// What may be sent now.
    batches: Vec<Batch>,
    /// When the earliest batch is due that was left.
    next_due: Option<Timestamp>,
}

/// Makes due what the last process left in flight, and gives its domains what waited for relays that are no
/// more; then starts the loop.
pub async fn spawn(core: Core) -> Result<Scheduler, StoreError> {
    let now = core.now();
    while core.store.write(move |tx| outbound::recover(tx, now, RECOVER_BATCHES)).await? {}
    if core.config.routing() == Routing::Mx {
        while core.store.write(move |tx| outbound::leave_relays(tx, now, REROUTE_BATCHES)).await? {}
    }
    let (commands, received) = mpsc::unbounded_channel();
    let scheduler = Loop::new(core, received)?;
    let task = tokio::spawn(scheduler.run());
    Ok(Scheduler { commands, task })
}

impl Scheduler {
    /// Waits until nothing is due and nothing is under way: every post accepted before this call has then
    /// been tried for every member. A scheduler that has stopped is settled.
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
            // An error means that the loop ended, which settles it.
            let _ = answered.await;
        }
    }

    /// Lets what is in flight end, for [`DRAIN`] at most, and writes what was answered. What was not stays
    /// claimed, and is due at the next start.
    pub async fn stop(mut self) {
        let _ = self.commands.send(Command::Stop);
        if tokio::time::timeout(DRAIN, &mut self.task).await.is_err() {
            tracing::warn!("Deliveries were still under way at the stop; they go on at the next start");
            self.task.abort();
        }
    }
}

/// The state of the scheduler, owned by its loop.
struct Loop {
    core: Core,
    courier: Arc<Courier>,
    routing: Routing,
    commands: mpsc::UnboundedReceiver<Command>,
    events: mpsc::UnboundedReceiver<Event>,
    reports: mpsc::UnboundedSender<Event>,
    /// Whether there may be a fan-out to expand.
    maybe_fan_out: bool,
    /// Whether there may be a due batch with room for it.
    maybe_due: bool,
    /// When the earliest batch is due that the last claim left. Whatever may make one due earlier sets
    /// `maybe_due`, and the next claim looks again.
    next_due: Option<Timestamp>,
    expanding: bool,
    turning: bool,
    keeping: bool,
    /// When the next step of the upkeep begins.
    next_upkeep: Timestamp,
    claimed: HashMap<Destination, usize>,
    in_flight: usize,
    unsettled: Arc<Unsettled>,
    waiting: Vec<oneshot::Sender<()>>,
    search: Search,
    waiting_for_search: Vec<oneshot::Sender<()>>,
    stopping: bool,
}

impl Loop {
    fn new(core: Core, commands: mpsc::UnboundedReceiver<Command>) -> Result<Loop, StoreError> {
        let (reports, events) = mpsc::unbounded_channel();
        Ok(Loop {
            courier: Arc::new(Courier::new(core.clone())?),
            routing: core.config.routing(),
            core,
            commands,
            events,
            reports,
            maybe_fan_out: true,
            maybe_due: true,
            next_due: None,
            expanding: false,
            turning: false,
            keeping: false,
            next_upkeep: Timestamp::default(),
            claimed: HashMap::new(),
            in_flight: 0,
            unsettled: Arc::default(),
            waiting: Vec::new(),
            search: Search::new(),
            waiting_for_search: Vec::new(),
            stopping: false,
        })
    }

    async fn run(mut self) {
        let mut events = Vec::new();
        loop {
            self.begin_what_can_begin();
            if self.is_quiet() {
                answer_all(&mut self.waiting);
                if self.stopping && !self.search.is_running() {
                    return self.courier.close().await;
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
                command = self.commands.recv() => self.obey(command),
                () = self.core.wake.notified() => self.look_again(),
                () = self.unsettled.ripen(), if !self.turning => {}
                () = tokio::time::sleep(sleep) => self.wake_up(),
            }
        }
    }

    fn look_again(&mut self) {
        self.maybe_fan_out = true;
        self.maybe_due = true;
        self.search.look_again();
    }

    /// The time for something has come, or the longest sleep is over.
    fn wake_up(&mut self) {
        self.maybe_fan_out = true;
        self.maybe_due = true;
        if self.search.is_done() {
            self.search.look_again();
        }
    }

    fn obey(&mut self, command: Option<Command>) {
        match command {
            Some(Command::Settle(answer)) => {
                self.look_again();
                self.waiting.push(answer);
            }
            Some(Command::FinishSearch(answer)) => {
                self.search.hurry();
                self.waiting_for_search.push(answer);
            }
            Some(Command::Stop) | None => {
                self.stopping = true;
                self.courier.stop();
            }
        }
    }

    fn is_quiet(&self) -> bool {
        let busy = self.expanding || self.turning || self.keeping || 0 < self.in_flight;
        let more = !self.stopping && (self.maybe_fan_out || self.maybe_due);
        !busy && !more && self.unsettled.is_empty()
    }

    /// How long nothing will have to be done.
    fn sleep(&self) -> Duration {
        if self.stopping {
            return SLEEP_MAX;
        }
        self.search.wait().unwrap_or(SLEEP_MAX).min(self.sleep_until_due())
    }

    /// How long nothing will be due. With a clock that is moved by hand, whoever moves it rings the bell.
    fn sleep_until_due(&self) -> Duration {
        if self.core.clock.is_manual() {
            return SLEEP_MAX;
        }
        let now = self.core.now();
        match self.next_due {
            // Due and left, for want of room: the end of a delivery makes room.
            Some(due) if due <= now => SLEEP_MAX,
            Some(due) => due.since(now).min(SLEEP_MAX),
            None => SLEEP_MAX,
        }
    }

    fn begin_what_can_begin(&mut self) {
        if !self.turning {
            self.begin_turn();
        }
        if self.stopping {
            return;
        }
        if !self.expanding && self.maybe_fan_out {
            self.begin_expansion();
        }
        if !self.keeping && self.next_upkeep <= self.core.now() {
            self.begin_upkeep();
        }
        if self.search.wait() == Some(Duration::ZERO) {
            self.begin_indexing();
        }
    }

    /// Writes what was answered, once enough of it has gathered or nothing more will come, and claims what is
    /// due where there is room.
    fn begin_turn(&mut self) {
        let nothing_more = self.in_flight == 0;
        let is_time = self.unsettled.time_left().is_some_and(|left| nothing_more || left.is_zero());
        let settlements = if is_time { self.unsettled.take() } else { Vec::new() };
        // An attempt that ended leaves room, and may have left its batch due. Where there is no room, the next
        // end makes some.
        self.maybe_due |= settlements.iter().any(|settlement| settlement.end.is_some());
        let has_room = !self.stopping && self.in_flight < BATCHES_IN_FLIGHT_MAX;
        let room = (std::mem::take(&mut self.maybe_due) && has_room).then(|| self.room());
        if settlements.is_empty() && room.is_none() {
            return;
        }
        self.turning = true;
        let (core, reports) = (self.core.clone(), self.reports.clone());
        tokio::spawn(async move {
            let _ = reports.send(Event::Turned(turn(&core, settlements, room).await));
        });
    }

    fn room(&self) -> Room {
        let config = &self.core.config;
        Room {
            batches: BATCHES_IN_FLIGHT_MAX - self.in_flight,
            claimed: self.claimed.clone(),
            relay_max: config.connections_to_relay * CLAIMED_PER_CONNECTION,
            domain_max: config.connections_per_domain * CLAIMED_PER_CONNECTION,
        }
    }

    fn begin_expansion(&mut self) {
        self.expanding = true;
        self.maybe_fan_out = false;
        let (core, reports, routing) = (self.core.clone(), self.reports.clone(), self.routing);
        tokio::spawn(async move {
            let expanded = expand_next_posts(&core, routing).await;
            let _ = reports.send(Event::Expanded(expanded));
        });
    }

    fn begin_upkeep(&mut self) {
        self.keeping = true;
        self.next_upkeep = self.core.now() + UPKEEP_EVERY;
        let (core, reports) = (self.core.clone(), self.reports.clone());
        tokio::spawn(async move {
            let _ = reports.send(Event::Kept(upkeep::step(&core).await));
        });
    }

    fn begin_indexing(&mut self) {
        self.search.begin();
        let (core, reports) = (self.core.clone(), self.reports.clone());
        tokio::spawn(async move {
            let _ = reports.send(Event::Indexed(search::step(&core).await));
        });
    }

    fn note(&mut self, event: Event) {
        match event {
            Event::Indexed(indexed) => {
                self.search.end(logged("read the words of new messages", indexed).unwrap_or(false));
            }
            Event::Kept(kept) => {
                self.keeping = false;
                if logged("do the upkeep", kept).unwrap_or(false) {
                    self.next_upkeep = Timestamp::default();
                    // It may have written letters.
                    self.look_again();
                }
            }
            Event::Expanded(expanded) => {
                self.expanding = false;
                if logged("expand a post", expanded).unwrap_or(false) {
                    self.look_again();
                }
            }
            Event::Turned(Turned { settled, claimed }) => {
                self.turning = false;
                let _ = logged("write what was delivered", settled);
                let Some(claimed) = claimed.and_then(|claimed| logged("claim deliveries", claimed)) else {
                    return;
                };
                self.next_due = claimed.next_due;
                for batch in claimed.batches {
                    self.begin_delivery(batch);
                }
            }
            Event::Over(batch, destination, end) => {
                self.unsettled.note_end(batch, end);
                self.in_flight -= 1;
                if let Some(claimed) = self.claimed.get_mut(&destination) {
                    *claimed -= 1;
                    if *claimed == 0 {
                        self.claimed.remove(&destination);
                    }
                }
            }
        }
    }

    fn begin_delivery(&mut self, batch: Batch) {
        self.in_flight += 1;
        *self.claimed.entry(batch.destination.clone()).or_default() += 1;
        let (courier, reports) = (self.courier.clone(), self.reports.clone());
        let unsettled = self.unsettled.clone();
        tokio::spawn(async move {
            let (id, destination) = (batch.id, batch.destination.clone());
            let delivery = tokio::spawn(async move {
                let mut report = |outcome| unsettled.note(id, outcome);
                courier.deliver(&batch, &mut report).await
            });
            let end = delivery.await.unwrap_or_else(|error| {
                tracing::error!(batch.id = id.0, error = %error, "Delivery {id} failed inside the server");
                AttemptEnd::Broken
            });
            let _ = reports.send(Event::Over(id, destination, end));
        });
    }
}

/// Writes what was answered, and claims what is due, where there is room: two jobs, so that neither can take
/// the other back, and one commit.
async fn turn(core: &Core, settlements: Vec<Settlement>, room: Option<Room>) -> Turned {
    let (office, now) = (core.office(), core.now());
    if settlements.is_empty() {
        let claimed = match room {
            Some(room) => Some(claim_if_due(core, room, now).await),
            None => None,
        };
        return Turned { settled: Ok(()), claimed };
    }
    let settling = core.store.submit(move |tx| outbound::settle(tx, &settlements, &office, now)).await;
    let claimed = match room {
        Some(room) => Some(claim(core, room, now).await),
        None => None,
    };
    Turned { settled: settling.await, claimed }
}

/// Claims, unless nothing is due: a claim that finds nothing would cost a commit of its own.
async fn claim_if_due(core: &Core, room: Room, now: Timestamp) -> Result<Claimed, StoreError> {
    let next_due = outbound::next_due(&core.store.read()?)?;
    if next_due.is_none_or(|due| now < due) {
        return Ok(Claimed { batches: Vec::new(), next_due });
    }
    claim(core, room, now).await
}

async fn claim(core: &Core, room: Room, now: Timestamp) -> Result<Claimed, StoreError> {
    let batches = core.store.write(move |tx| outbound::claim(tx, room, now)).await?;
    Ok(Claimed { batches, next_due: outbound::next_due(&core.store.read()?)? })
}

/// Puts the next members of the oldest waiting posts into batches; says whether there were any posts.
async fn expand_next_posts(core: &Core, routing: Routing) -> Result<bool, StoreError> {
    let store = core.store.clone();
    let reading = tokio::task::spawn_blocking(move || next_expansions(&store.read()?, routing));
    let expansions = reading.await.map_err(|_| StoreError::Panicked)??;
    if expansions.is_empty() {
        return Ok(false);
    }
    let now = core.now();
    let put = core.store.write(move |tx| {
        expansions.into_iter().try_for_each(|expansion| outbound::put_batches(tx, expansion, now))
    });
    put.await?;
    Ok(true)
}

/// The next page of the oldest post; where that is short, of those behind it too: they share a commit.
fn next_expansions(tx: &ReadTx, routing: Routing) -> Result<Vec<Expansion>, StoreError> {
    let (mut expansions, mut members) = (Vec::new(), 0);
    for fan_out in outbound::next_fan_outs(tx, EXPAND_POSTS)? {
        let expansion = outbound::expand(tx, fan_out, routing)?;
        members += expansion.members;
        expansions.push(expansion);
        if EXPAND_MEMBERS <= members {
            break;
        }
    }
    Ok(expansions)
}

/// Tells everybody who waits, some of whom may have given up.
fn answer_all(waiting: &mut Vec<oneshot::Sender<()>>) {
    for waiting in waiting.drain(..) {
        let _ = waiting.send(());
    }
}

/// The value, or nothing and a line in the log. A store that is broken for good ends the process elsewhere.
fn logged<T, E: Into<OpError>>(what: &str, result: Result<T, E>) -> Option<T> {
    result.map_err(|error| tracing::error!(error = %error.into(), "The scheduler could not {what}")).ok()
}
