//! The scheduler: expands posts into batches, claims what is due, has it delivered, writes what was answered.
//!
//! It also does, once a minute, what time alone makes due; and in the pauses of the mail, it makes new messages
//! findable.
//!
//! One loop owns the state and decides; the work runs in tasks that report back as events. At any moment at
//! most one expansion, one claim and one settling are under way, so each shares its commit with whatever
//! gathered meanwhile, and none of them ever awaits a network peer inside a write job. Deliveries run beside
//! them, as many as there is room for, in all and per destination.

mod copies;
mod deliver;
mod letters;
mod search;
mod tell;
mod upkeep;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;

use crate::clock::Timestamp;
use crate::config::{BATCHES_IN_FLIGHT_MAX, DRAIN, Routing};
use crate::model::{Batch, BatchId, Destination};
use crate::ops::outbound::{self, AttemptEnd, EXPAND_MEMBERS, Expansion, Outcome, Room, Settlement};
use crate::ops::{Core, OpError};
use crate::store::{ReadTx, StoreError};
use deliver::Courier;
use search::Search;

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
    /// These batches may be sent, and then nothing is due before that.
    Claimed(Result<(Vec<Batch>, Option<Timestamp>), StoreError>),
    /// Some copies of a batch were answered.
    Answered(BatchId, Outcome),
    /// A batch's attempt is over.
    Over(BatchId, Destination, AttemptEnd),
    /// What was answered is written; whether an attempt was over, so that a batch may be due again.
    Settled(Result<(), StoreError>, bool),
    /// A step of the upkeep is done; whether there may be more to do.
    Kept(Result<bool, StoreError>),
    /// The words of some messages are written; whether there may be more.
    Indexed(Result<bool, StoreError>),
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
    let scheduler = Loop::new(core, received);
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
    claiming: bool,
    settling: bool,
    keeping: bool,
    /// When the next step of the upkeep begins.
    next_upkeep: Timestamp,
    claimed: HashMap<Destination, usize>,
    in_flight: usize,
    unsettled: Vec<Settlement>,
    waiting: Vec<oneshot::Sender<()>>,
    search: Search,
    waiting_for_search: Vec<oneshot::Sender<()>>,
    stopping: bool,
}

impl Loop {
    fn new(core: Core, commands: mpsc::UnboundedReceiver<Command>) -> Loop {
        let (reports, events) = mpsc::unbounded_channel();
        Loop {
            courier: Arc::new(Courier::new(core.clone())),
            routing: core.config.routing(),
            core,
            commands,
            events,
            reports,
            maybe_fan_out: true,
            maybe_due: true,
            next_due: None,
            expanding: false,
            claiming: false,
            settling: false,
            keeping: false,
            next_upkeep: Timestamp::default(),
            claimed: HashMap::new(),
            in_flight: 0,
            unsettled: Vec::new(),
            waiting: Vec::new(),
            search: Search::new(),
            waiting_for_search: Vec::new(),
            stopping: false,
        }
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
        let busy = self.expanding || self.claiming || self.settling || self.keeping || 0 < self.in_flight;
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
        if !self.settling && !self.unsettled.is_empty() {
            self.begin_settling();
        }
        if self.stopping {
            return;
        }
        if !self.claiming && self.maybe_due && self.in_flight < BATCHES_IN_FLIGHT_MAX {
            self.begin_claim();
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

    fn begin_settling(&mut self) {
        self.settling = true;
        let settlements = std::mem::take(&mut self.unsettled);
        let (core, reports) = (self.core.clone(), self.reports.clone());
        let is_any_over = settlements.iter().any(|settlement| settlement.end.is_some());
        tokio::spawn(async move {
            let now = core.now();
            let settled = core.store.write(move |tx| outbound::settle(tx, &settlements, now)).await;
            let _ = reports.send(Event::Settled(settled, is_any_over));
        });
    }

    fn begin_claim(&mut self) {
        self.claiming = true;
        self.maybe_due = false;
        let config = &self.core.config;
        let room = Room {
            batches: BATCHES_IN_FLIGHT_MAX - self.in_flight,
            claimed: self.claimed.clone(),
            relay_max: config.connections_to_relay * CLAIMED_PER_CONNECTION,
            domain_max: config.connections_per_domain * CLAIMED_PER_CONNECTION,
        };
        let (core, reports) = (self.core.clone(), self.reports.clone());
        tokio::spawn(async move {
            let claimed = claim_what_is_due(&core, room).await;
            let _ = reports.send(Event::Claimed(claimed));
        });
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
            Event::Claimed(claimed) => {
                self.claiming = false;
                let (batches, next_due) = logged("claim deliveries", claimed).unwrap_or_default();
                self.next_due = next_due;
                for batch in batches {
                    self.begin_delivery(batch);
                }
            }
            Event::Answered(batch, outcome) => self.unsettled_of(batch).outcomes.push(outcome),
            Event::Over(batch, destination, end) => {
                self.unsettled_of(batch).end = Some(end);
                self.in_flight -= 1;
                if let Some(claimed) = self.claimed.get_mut(&destination) {
                    *claimed -= 1;
                    if *claimed == 0 {
                        self.claimed.remove(&destination);
                    }
                }
                self.maybe_due = true;
            }
            Event::Settled(settled, is_any_over) => {
                self.settling = false;
                self.maybe_due |= is_any_over;
                let _ = logged("write what was delivered", settled);
            }
        }
    }

    fn unsettled_of(&mut self, batch: BatchId) -> &mut Settlement {
        // A handful at a time: as many as there are connections.
        let place = self.unsettled.iter().position(|settlement| settlement.batch == batch);
        let place = place.unwrap_or_else(|| {
            self.unsettled.push(Settlement { batch, outcomes: Vec::new(), end: None });
            self.unsettled.len() - 1
        });
        &mut self.unsettled[place]
    }

    fn begin_delivery(&mut self, batch: Batch) {
        self.in_flight += 1;
        *self.claimed.entry(batch.destination.clone()).or_default() += 1;
        let (courier, reports) = (self.courier.clone(), self.reports.clone());
        tokio::spawn(async move {
            let (id, destination) = (batch.id, batch.destination.clone());
            let report = reports.clone();
            let delivery = tokio::spawn(async move {
                let mut report = |outcome| {
                    let _ = report.send(Event::Answered(id, outcome));
                };
                courier.deliver(&batch, &mut report).await
            });
            let end = delivery.await.unwrap_or_else(|error| {
                tracing::error!(batch.id = id.0, error = %error, "Delivery {id} failed inside the server");
                AttemptEnd::Done
            });
            let _ = reports.send(Event::Over(id, destination, end));
        });
    }
}

/// Claims what there is room for; also says when the earliest batch is due that was left.
async fn claim_what_is_due(core: &Core, room: Room) -> Result<(Vec<Batch>, Option<Timestamp>), StoreError> {
    let now = core.now();
    let due = outbound::next_due(&core.store.read()?)?;
    if due.is_none_or(|due| now < due) {
        // A claim that finds nothing would cost a commit.
        return Ok((Vec::new(), due));
    }
    let batches = core.store.write(move |tx| outbound::claim(tx, room, now)).await?;
    Ok((batches, outbound::next_due(&core.store.read()?)?))
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
