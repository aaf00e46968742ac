//! Says at a glance how a server is: what it holds, what waits, what was sent, what is wrong, what to do next.
//!
//! Every figure is a count, or a bounded number of rows, so that it costs the same on a large server.

use serde::{Deserialize, Serialize};

use super::error::CommandError;
use super::host::Host;
use super::settings::Listening;
use super::standing::StandingReply;
use crate::clock::Timestamp;
use crate::model::pending::PendingState;
use crate::model::{Account, HeldState, QueueState};
use crate::ops::delivery::queue_view::{self, DestinationView};
use crate::ops::queue::{self, Filter};
use crate::ops::{Caller, PageRequest, lists, moderation};
use crate::schema::{CONTACT_COUNT, LIST_COUNT, MEMBERSHIP_COUNT};
use crate::store::{Condition, Key, Read as _};

/// Destinations that are named.
const DESTINATIONS: usize = 5;
/// Batches among which the oldest is looked for.
const BATCHES: usize = 1000;
/// Days before its end from which the certificate is spoken of.
const CERTIFICATE_DAYS: u64 = 14;
const DAY_S: u64 = 86_400;

/// How a server is.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct StatusReply {
    /// The version of the program.
    pub version: String,
    /// The server's name, if one runs.
    pub hostname: Option<String>,
    /// Since when it runs (RFC 3339), if it does.
    pub running_since: Option<String>,
    /// Its listeners.
    pub listeners: Vec<Listening>,
    /// Accounts.
    pub accounts: u64,
    /// Lists.
    pub lists: u64,
    /// People in address books.
    pub contacts: u64,
    /// Memberships in lists.
    pub memberships: u64,
    /// Copies that wait to be sent.
    pub waiting: u64,
    /// Those of them that are held.
    pub on_hold: u64,
    /// When the oldest of them was queued (RFC 3339).
    pub waiting_since: Option<String>,
    /// For whom they wait, the most first.
    pub destinations: Vec<DestinationView>,
    /// Copies that other servers took in the last 24 hours, or since the start; `None` if no server runs.
    pub sent_last_day: Option<u64>,
    /// Messages that wait for approval.
    pub held_messages: u64,
    /// Requests that wait for approval.
    pub pending_requests: u64,
    /// When the newest backup was made (RFC 3339), if the server makes any by itself.
    pub newest_backup: Option<String>,
    /// The fault.
    pub faults: Vec<String>,
    /// The next step.
    pub next: Vec<String>,
}

/// Reads the status of a server, or of the file of a stopped one.
pub(super) fn read(host: &Host) -> Result<StatusReply, CommandError> {
    let core = &host.core;
    let tx = core.store.read()?;
    let mut status = StatusReply {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        hostname: host.hostname.clone(),
        running_since: host.started.map(Timestamp::rfc3339),
        listeners: host.listeners.clone(),
        ..StatusReply::default()
    };
    for account in tx.all::<Account>(0, usize::MAX)? {
        let key = Key::new().u64(account.id.0);
        status.accounts += 1;
        status.lists += tx.count(&LIST_COUNT, &key)?;
        status.contacts += tx.count(&CONTACT_COUNT, &key)?;
        status.memberships += tx.count(&MEMBERSHIP_COUNT, &key)?;
        let operator = Caller::operator(account.id);
        let first = || PageRequest::Page { page: 1, limit: 1 };
        status.held_messages += moderation::list(&tx, &operator, HeldState::Held, first())?.count;
        status.pending_requests +=
            lists::pending::list(&tx, &operator, PendingState::Pending, first())?.count;
    }
    let summary = queue_view::summary(&tx, (&core.pauses, core.now()), usize::MAX)?;
    let in_state = |state: QueueState| {
        summary.states.iter().filter(|view| view.state == state.word()).map(|view| view.waiting).sum::<u64>()
    };
    status.on_hold = in_state(QueueState::Held);
    status.waiting = summary.states.iter().map(|view| view.waiting).sum();
    let quarantined = in_state(QueueState::Quarantined);
    let batches = queue::list(&tx, &Filter::default(), None, BATCHES)?;
    // Of more, the oldest may be among those that were not read.
    let oldest = batches.iter().map(|batch| batch.queued).min().filter(|_| batches.len() < BATCHES);
    status.waiting_since = oldest.map(Timestamp::rfc3339);
    status.destinations = summary.data;
    let standing = StandingReply::read(&tx, core)?;
    drop(tx);
    if host.started.is_some() {
        status.sent_last_day = Some(core.metrics.sending.delivered_lately.sum(core.now().hour()));
    }
    status.faults = faults(host, &status, quarantined);
    status.faults.extend([standing.backup.faults, standing.acme.faults].concat());
    status.newest_backup = standing.newest_backup;
    status.next = next(&status);
    status.destinations.truncate(DESTINATIONS);
    Ok(status)
}

/// Names what is wrong.
fn faults(host: &Host, status: &StatusReply, quarantined: u64) -> Vec<String> {
    let core = &host.core;
    let mut faults = Vec::new();
    match core.store.condition() {
        Condition::Healthy => {}
        Condition::Full { .. } => {
            faults.push("the disk is full: new mail and changes are refused".to_owned());
        }
        Condition::Failing { .. } => faults.push("the data file cannot be written".to_owned()),
    }
    for destination in &status.destinations {
        if let Some(reason) = &destination.unreachable {
            let (name, waiting) = (&destination.destination, copies(destination.waiting));
            faults.push(format!("{name} cannot be reached, for which {waiting}: {reason}"));
        }
    }
    if quarantined != 0 {
        faults.push(format!(
            "{quarantined} copies are in quarantine, since the server failed on their message"
        ));
    }
    let until_s = core.metrics.receiving.certificate_expiry.get([]);
    let now_s = u64::try_from(core.now().secs()).unwrap_or_default();
    if host.started.is_some() && until_s != 0 && until_s < now_s + CERTIFICATE_DAYS * DAY_S {
        let until = Timestamp::from_ms(i64::try_from(until_s).unwrap_or(i64::MAX).saturating_mul(1000));
        let word = if until_s < now_s { "expired" } else { "expires" };
        faults.push(format!("the certificate of mail's TLS {word} at {until}"));
    }
    faults
}

/// How many copies wait, in words.
fn copies(count: u64) -> String {
    if count == 1 { "1 copy waits".to_owned() } else { format!("{count} copies wait") }
}

/// Says what to do next.
fn next(status: &StatusReply) -> Vec<String> {
    let mut next = Vec::new();
    let mut add = |wanted: bool, words: &str| next.extend(wanted.then(|| words.to_owned()));
    add(status.accounts == 0, "crier setup makes the first account");
    add(0 < status.accounts && status.lists == 0, "crier list create makes the first list");
    add(status.running_since.is_none(), "crier serve, or systemctl start crier, starts the server");
    add(0 < status.held_messages, "crier held list shows the messages that wait for approval");
    add(0 < status.pending_requests, "crier pending list shows the requests that wait for approval");
    add(0 < status.on_hold, "crier queue release --all sends what is on hold");
    let is_stuck = status.destinations.iter().any(|destination| destination.unreachable.is_some());
    add(is_stuck, "crier queue list shows what the other servers said");
    add(!status.faults.is_empty(), "crier doctor says what is wrong and how to mend it");
    next
}
