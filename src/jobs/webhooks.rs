//! Sends events to webhooks: each active hook has a task of its own, so that none slows another.
//!
//! A task reads the next events of its hook from a snapshot and sends them one after the other. What was taken is written
//! together with the position, a few times a second at most; what a crash loses of that is sent once more. A failed attempt
//! is written at once, with the time of the next.

use std::collections::HashMap;
use std::collections::VecDeque;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::model::{Event, EventId, Webhook, WebhookDelivery, WebhookId, WebhookState};
use crate::net::hooks::KeptConnection;
use crate::ops::Caller;
use crate::ops::webhooks::{self, Heard};
use crate::service::Core;
use crate::store::{Read as _, StoreError};

/// Events that are read at a time.
const EVENTS_PER_READ: usize = 64;
/// Deliveries that wait to be written at most, and how long the first of them waits.
const UNWRITTEN_MAX: usize = 128;
const UNWRITTEN_FOR: Duration = Duration::from_millis(250);
/// Longest wait for the next attempt before the clock is looked at anew: it may be set.
const SLEEP_MAX: Duration = Duration::from_secs(30);
/// The same for a clock that is moved by hand.
const MANUAL_SLEEP: Duration = Duration::from_millis(20);
/// How often hooks without a task are looked for.
const LOOK_EVERY: Duration = Duration::from_secs(5);
/// The wait after the store failed.
const OUTAGE_PAUSE: Duration = Duration::from_secs(1);

/// Starts the tasks of all hooks; they run until the handle is aborted.
pub(super) fn spawn(core: Core) -> JoinHandle<()> {
    tokio::spawn(watch(core))
}

/// Begins a task for each hook that is active and has none. A task ends when its hook is paused or deleted.
async fn watch(core: Core) {
    let mut tasks: HashMap<WebhookId, AbortOnDrop> = HashMap::new();
    loop {
        let changed = core.hooks_changed.notified();
        tasks.retain(|_, task| !task.0.is_finished());
        let active = core.store.read().and_then(|tx| webhooks::active(&tx));
        for id in active.unwrap_or_default() {
            tasks
                .entry(id)
                .or_insert_with(|| AbortOnDrop(tokio::spawn(HookTask::new(core.clone(), id).run())));
        }
        // A task may have ended just as its hook was made active again.
        tokio::select! {
            () = changed => {}
            () = tokio::time::sleep(LOOK_EVERY) => {}
        }
    }
}

struct AbortOnDrop(JoinHandle<()>);

impl Drop for AbortOnDrop {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// What a hook's task does next.
enum Step {
    /// Nothing more, ever.
    End,
    /// Nothing until there are further events.
    Idle,
    /// Nothing until this long from now.
    Wait(Duration),
    /// Sends an event.
    Send(Box<(Webhook, Event, Option<String>)>),
    /// Notes that nothing is left to send once more.
    Skip,
}

/// The task of one hook.
struct HookTask {
    core: Core,
    id: WebhookId,
    kept: Option<KeptConnection>,
    /// The hook as it was when `ahead` was read.
    hook: Option<Webhook>,
    /// Events that were read and not sent, with the end of their range if they are sent once more.
    ahead: VecDeque<Event>,
    range: Option<EventId>,
    /// Deliveries that are not written yet, and since when.
    unwritten: Vec<WebhookDelivery>,
    heard: Option<Heard>,
    since: Instant,
}

impl HookTask {
    fn new(core: Core, id: WebhookId) -> HookTask {
        HookTask {
            core,
            id,
            kept: None,
            hook: None,
            ahead: VecDeque::new(),
            range: None,
            unwritten: Vec::new(),
            heard: None,
            since: Instant::now(),
        }
    }

    async fn run(mut self) {
        let mut news = self.core.event_bell.follow();
        loop {
            news.borrow_and_update();
            // Before the hook is read, so that no change of it is missed.
            let core = self.core.clone();
            let changed = core.hooks_changed.notified();
            let step = match self.step() {
                Ok(step) => step,
                Err(error) => {
                    tracing::warn!(error = %error, webhook.id = self.id.0, "The events of a webhook cannot be read");
                    self.forget();
                    Step::Wait(OUTAGE_PAUSE)
                }
            };
            match step {
                Step::End => return self.write().await,
                Step::Skip => self.write().await,
                Step::Send(sending) => {
                    let (hook, event, body) = *sending;
                    self.send(&hook, event, body).await;
                }
                Step::Idle => {
                    if self.heard.is_some() {
                        self.write().await;
                        continue;
                    }
                    tokio::select! {
                        news = news.changed() => if news.is_err() { return },
                        () = changed => {}
                    }
                }
                Step::Wait(wait) => {
                    self.write().await;
                    tokio::select! {
                        () = tokio::time::sleep(wait) => {}
                        () = changed => {}
                    }
                }
            }
        }
    }

    fn step(&mut self) -> Result<Step, StoreError> {
        let tx = self.core.store.read()?;
        let Some(hook) = tx.get::<Webhook>(self.id.0)?.filter(|hook| hook.active) else {
            return Ok(Step::End);
        };
        if self.hook.as_ref() != Some(&hook) {
            self.ahead.clear();
        }
        if self.ahead.is_empty() {
            if self.heard.is_some() {
                // What is read next begins behind what is written.
                return Ok(Step::Skip);
            }
            let Some(state) = tx.get::<WebhookState>(self.id.0)? else { return Ok(Step::End) };
            if let Some(wait) = self.wait(&state) {
                return Ok(Step::Wait(wait));
            }
            let (events, range) = webhooks::next(&tx, &hook, &state, EVENTS_PER_READ)?;
            (self.ahead, self.range, self.hook) = (events.into(), range, Some(hook.clone()));
            if let (true, Some(until)) = (self.ahead.is_empty(), range) {
                self.heard = Some(Heard::Again { at: until, until });
                return Ok(Step::Skip);
            }
        }
        let Some(event) = self.ahead.pop_front() else { return Ok(Step::Idle) };
        let body = self.core.event_bodies.body(&tx, event.clone())?;
        Ok(Step::Send(Box::new((hook, event, body))))
    }

    /// How long to wait before the next attempt, if one failed; no longer than until the clock is looked at again.
    fn wait(&self, state: &WebhookState) -> Option<Duration> {
        let (now, next) = (self.core.now(), state.next_attempt?);
        if next <= now {
            return None;
        }
        let longest = if self.core.clock.is_manual() { MANUAL_SLEEP } else { SLEEP_MAX };
        Some(next.since(now).min(longest))
    }

    async fn send(&mut self, hook: &Webhook, event: Event, body: Option<String>) {
        let id = format!("msg_{}", event.id.0);
        let sent = match &body {
            Some(body) => self.core.send_to_hook(&mut self.kept, hook, &id, body).await,
            // Its account goes.
            None => Ok(0),
        };
        match sent {
            Ok(status) => {
                if self.heard.is_none() {
                    self.since = Instant::now();
                }
                self.heard = Some(match self.range {
                    Some(until) => Heard::Again { at: event.id, until },
                    None => Heard::UpTo(event.id),
                });
                let attempts = self.attempts().map_or(1, |attempts| attempts + 1);
                self.unwritten.push(WebhookDelivery {
                    event: event.id,
                    kind: event.kind,
                    time: self.core.now(),
                    attempts,
                    status: Some(status).filter(|status| *status != 0),
                    reply: String::new(),
                    is_delivered: true,
                });
                let is_old = UNWRITTEN_FOR <= self.since.elapsed();
                if UNWRITTEN_MAX <= self.unwritten.len() || is_old || 1 < attempts {
                    self.write().await;
                }
            }
            Err(failure) => {
                self.write().await;
                let mut jitter = [0];
                self.core.secrets.fill(&mut jitter);
                let (hook, now) = (self.id, self.core.now());
                let server = Caller::of_server();
                let written = self.core.perform_reserved(&server, move |tx, by| {
                    webhooks::fail(tx, &by.mail_context, (hook, &event), failure, jitter[0], now)
                });
                if let Err(error) = written.await {
                    tracing::warn!(error = %error, webhook.id = hook.0, "A failed attempt cannot be written");
                    tokio::time::sleep(OUTAGE_PAUSE).await;
                }
                self.forget();
            }
        }
    }

    /// Attempts that failed at the event that was sent just now: nothing waits to be written then.
    fn attempts(&self) -> Option<u32> {
        if !self.unwritten.is_empty() {
            return None;
        }
        let state = self.core.store.read().and_then(|tx| tx.get::<WebhookState>(self.id.0));
        state.ok().flatten().map(|state| state.attempts)
    }

    /// Reads everything anew.
    fn forget(&mut self) {
        self.ahead.clear();
        self.hook = None;
    }

    /// Writes what was taken; until it is written, nothing more is sent.
    async fn write(&mut self) {
        let Some(heard) = self.heard.take() else { return };
        let (entries, id) = (std::mem::take(&mut self.unwritten), self.id);
        loop {
            let (entries, now) = (entries.clone(), self.core.now());
            let written = self
                .core
                .perform_reserved(&Caller::of_server(), move |tx, _| {
                    webhooks::settle(tx, id, heard, &entries, now)
                })
                .await;
            match written {
                Ok(()) | Err(StoreError::Closed) => return,
                Err(error) => {
                    tracing::warn!(error = %error, webhook.id = id.0, "What a webhook took cannot be written");
                    tokio::time::sleep(OUTAGE_PAUSE).await;
                }
            }
        }
    }
}
