//! From a published post to what became of every copy.
//!
//! A post is one [`FanOut`] row. [`expand`] reads a page of members from a snapshot, outside the writer;
//! [`put_batches`] turns it into [`Batch`] rows and moves the row's cursor in one job, so that a crash repeats
//! or skips nobody. [`due`](crate::ops::queue::due) claims batches, and [`settle`] writes what was answered.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use crate::clock::Timestamp;
use crate::config::{Routing, retries_ended};
use crate::model::message::BATCH_RECIPIENTS_MAX;
use crate::model::{
    AccountId, Answer, Batch, BatchId, ContactId, Destination, Diagnosis, Email, EmailAddress, FanOut,
    FanOutId, List, Membership, MembershipId, Message, MessageId, Order, Payload, Recipient, RecipientState,
    SystemMail,
};
use crate::ops::delivery::bounces;
use crate::ops::moderation::quarantine;
use crate::ops::notices::system_mails::MailContext;
use crate::ops::people::contacts::of_contacts;
use crate::ops::queue;
use crate::ops::server::metric_labels;
use crate::schema::{
    BATCH_CLAIMED, BATCH_WAITING, EMAIL_BY_CONTACT, MEMBERSHIP_BY_LIST, MEMBERSHIP_COUNT_BY_LIST,
};
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

/// Members that one step of a fan-out reads and puts into batches.
pub const EXPAND_MEMBERS: usize = 1024;
/// Members of a list whose posts are put into batches by the job that accepts them: reading them keeps the
/// writer no longer than a second commit would.
const EXPAND_AT_ONCE_MAX: u64 = 16;
/// Crashes after which a batch that was in flight waits its retry time (`spec/mail.md` 11).
const CRASHES_MAX: u8 = 3;

/// Queues a message for the members that its list has at this moment. A list of a few members is put into
/// batches at once; the others' turn comes outside of the writer.
pub fn enqueue(tx: &mut WriteTx, message: &Message, routing: Routing) -> Result<(), StoreError> {
    let members = Key::new().u64(message.account.0).u64(message.list.0);
    let newest = tx.ids(&MEMBERSHIP_BY_LIST, &IndexRange::prefix(members.clone()).backward(), 1)?;
    let Some(last) = newest.first().copied() else { return Ok(()) };
    let fan_out = FanOut {
        id: FanOutId(tx.next_id::<FanOut>()?),
        account: message.account,
        message: message.id,
        list: message.list,
        cursor: 0,
        last,
        accepted: message.time,
    };
    if EXPAND_AT_ONCE_MAX < tx.count(&MEMBERSHIP_COUNT_BY_LIST, &members)? {
        return tx.put(&fan_out);
    }
    let Expansion { fan_out, cursor: _, members: _, recipients } = expand(tx, fan_out, routing)?;
    put_recipients(tx, &Origin::of_fan_out(&fan_out), recipients, message.time)
}

/// The oldest posts that are not wholly in batches yet, at most `limit`.
pub fn next_fan_outs(tx: &impl Read, limit: usize) -> Result<Vec<FanOut>, StoreError> {
    tx.all::<FanOut>(0, limit)
}

/// One page of members of a fan-out, as recipients by destination.
#[derive(Debug)]
pub struct Expansion {
    fan_out: FanOut,
    cursor: u64,
    /// Members that were read: some have no address that takes mail, some have several.
    pub(crate) members: usize,
    recipients: Vec<(Destination, Recipient)>,
}

/// Reads the next page of members of `fan_out`: every address that is not paused of members that were there
/// when the post was accepted.
pub fn expand(tx: &impl Read, fan_out: FanOut, routing: Routing) -> Result<Expansion, StoreError> {
    let list = Key::new().u64(fan_out.account.0).u64(fan_out.list.0);
    let range = IndexRange::prefix(list).after_id(fan_out.cursor);
    let page = tx.ids(&MEMBERSHIP_BY_LIST, &range, EXPAND_MEMBERS)?;
    let members = page.len();
    let mut recipients = Vec::with_capacity(members);
    let mut cursor = fan_out.last;
    if page.len() == EXPAND_MEMBERS
        && let Some(last) = page.last()
    {
        cursor = *last;
    }
    let end = page.partition_point(|id| *id <= fan_out.last);
    let memberships: Vec<Membership> = tx.records(&page[..end])?.into_iter().flatten().collect();
    let contacts: Vec<u64> = memberships.iter().map(|membership| membership.contact.0).collect();
    let emails = of_contacts(tx, &EMAIL_BY_CONTACT, fan_out.account, &contacts, |email| email.contact)?;
    for (membership, emails) in memberships.iter().zip(emails) {
        for email in emails.into_iter().filter(|email: &Email| !email.paused) {
            recipients.push(recipient(membership.id, membership.contact, email, fan_out.accepted, routing));
        }
    }
    Ok(Expansion { cursor: cursor.min(fan_out.last), fan_out, members, recipients })
}

/// How many copies a post to the list would make now.
pub fn count_recipients(tx: &impl Read, list: &List, now: Timestamp) -> Result<u64, StoreError> {
    // Expanded as a real one is, under numbers that nothing has.
    let mut fan_out = FanOut {
        id: FanOutId(0),
        account: list.account,
        message: MessageId(0),
        list: list.id,
        cursor: 0,
        last: u64::MAX,
        accepted: now,
    };
    let mut count = 0;
    while fan_out.cursor < fan_out.last {
        let page = expand(tx, fan_out, Routing::Relay)?;
        count += page.recipients.len() as u64;
        fan_out = FanOut { cursor: page.cursor, ..page.fan_out };
    }
    Ok(count)
}

fn recipient(
    membership: MembershipId,
    contact: ContactId,
    email: Email,
    accepted: Timestamp,
    routing: Routing,
) -> (Destination, Recipient) {
    let destination = destination(&email.address, routing);
    let state = RecipientState::Queued;
    let Email { id, address, .. } = email;
    let recipient = Recipient {
        membership,
        contact,
        email: id,
        address,
        state,
        time: accepted,
        attempts: 0,
        remote: None,
        reply: None,
        earlier: Vec::new(),
    };
    (destination, recipient)
}

fn destination(address: &EmailAddress, routing: Routing) -> Destination {
    match routing {
        Routing::Relay => Destination::Relay,
        Routing::Mx => Destination::Domain(address.domain().to_owned()),
    }
}

/// Writes the batches of a page and moves the cursor; drops the fan-out behind its last page. A page that was
/// written already is left alone.
pub fn put_batches(tx: &mut WriteTx, expansion: Expansion, now: Timestamp) -> Result<(), StoreError> {
    let Expansion { fan_out, cursor, members: _, recipients } = expansion;
    let current = tx.get::<FanOut>(fan_out.id.0)?;
    if current.as_ref() != Some(&fan_out) {
        return Ok(());
    }
    put_recipients(tx, &Origin::of_fan_out(&fan_out), recipients, now)?;
    if fan_out.last <= cursor {
        tx.delete::<FanOut>(fan_out.id.0)?;
    } else {
        tx.put(&FanOut { cursor, ..fan_out })?;
    }
    Ok(())
}

/// Writes recipients as batches that are due now, by destination in the order of their first recipients.
fn put_recipients(
    tx: &mut WriteTx,
    origin: &Origin,
    recipients: Vec<(Destination, Recipient)>,
    now: Timestamp,
) -> Result<(), StoreError> {
    for (destination, mut rest) in by_destination(recipients) {
        while !rest.is_empty() {
            let tail = rest.split_off(rest.len().min(BATCH_RECIPIENTS_MAX));
            let recipients = std::mem::replace(&mut rest, tail);
            put_batch(tx, origin, destination.clone(), recipients, now)?;
        }
    }
    Ok(())
}

/// Sorts by destination, in the order of their first.
fn by_destination<T>(all: impl IntoIterator<Item = (Destination, T)>) -> Vec<(Destination, Vec<T>)> {
    let mut groups: Vec<(Destination, Vec<T>)> = Vec::new();
    let mut known: HashMap<Destination, usize> = HashMap::new();
    for (destination, item) in all {
        let group = *known.entry(destination).or_insert_with_key(|destination| {
            groups.push((destination.clone(), Vec::new()));
            groups.len() - 1
        });
        groups[group].1.push(item);
    }
    groups
}

/// What all batches of one post or letter share.
struct Origin {
    account: AccountId,
    payload: Payload,
    accepted: Timestamp,
    /// What the operator has ordered of them.
    order: Option<Order>,
    /// Whether a moderator decides about them.
    is_parked: bool,
    /// The texts that their recipients refer to.
    replies: Vec<String>,
}

impl Origin {
    fn of_fan_out(fan_out: &FanOut) -> Origin {
        let FanOut { account, message, list, accepted, .. } = *fan_out;
        Origin::new(account, Payload::Post { message, list }, accepted)
    }

    fn of(batch: &Batch) -> Origin {
        let Batch { account, payload, accepted, order, .. } = *batch;
        Origin {
            account,
            payload,
            accepted,
            order,
            is_parked: batch.is_parked(),
            replies: batch.replies.clone(),
        }
    }

    fn new(account: AccountId, payload: Payload, accepted: Timestamp) -> Origin {
        Origin { account, payload, accepted, order: None, is_parked: false, replies: Vec::new() }
    }
}

/// Queues a letter for its recipients, due at once.
pub(in crate::ops) fn enqueue_letter(
    tx: &mut WriteTx,
    system_mail: &SystemMail,
    recipients: Vec<Recipient>,
    routing: Routing,
) -> Result<(), StoreError> {
    let SystemMail { id, account, created: accepted, .. } = *system_mail;
    let origin = Origin::new(account, Payload::SystemMail(id), accepted);
    let recipients =
        recipients.into_iter().map(|recipient| (destination(&recipient.address, routing), recipient));
    put_recipients(tx, &origin, recipients.collect(), system_mail.created)
}

fn put_batch(
    tx: &mut WriteTx,
    origin: &Origin,
    destination: Destination,
    recipients: Vec<Recipient>,
    now: Timestamp,
) -> Result<BatchId, StoreError> {
    assert!(recipients.len() <= BATCH_RECIPIENTS_MAX, "a batch past its limit");
    let Origin { account, payload, accepted, order, is_parked, ref replies } = *origin;
    let id = BatchId(tx.next_id::<Batch>()?);
    // Recipients that were regrouped go on where they were.
    let attempts = recipients.iter().map(|recipient| recipient.attempts).max().unwrap_or(0);
    tx.put(&Batch {
        id,
        account,
        payload,
        destination,
        due: (!is_parked).then_some(now),
        attempts,
        claimed: false,
        unreached: false,
        crashes: 0,
        failures: 0,
        accepted,
        queued: now,
        order,
        recipients,
        replies: replies.clone(),
    })?;
    Ok(id)
}

/// What became of one copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    /// The recipient's place in its batch.
    pub place: usize,
    /// What became of its copy.
    pub state: RecipientState,
    /// The server that was asked; none where none was reached.
    pub remote: Option<Arc<str>>,
    /// The remote server's words, or ours where none was reached.
    pub reply: Option<String>,
    /// What a copy that was not taken says of the address; none where it is no news of that.
    pub diagnosis: Option<Diagnosis>,
    /// Whether something spoke against the address when the copy was made: its delivery is news then.
    pub is_suspect: bool,
}

impl Outcome {
    /// An outcome that says nothing of the address.
    #[must_use]
    pub fn of_ours(place: usize, state: RecipientState, reply: Option<String>) -> Outcome {
        Outcome { place, state, remote: None, reply, diagnosis: None, is_suspect: false }
    }
}

/// News of one batch.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settlement {
    /// Which.
    pub batch: BatchId,
    /// What became of some of its copies.
    pub outcomes: Vec<Outcome>,
    /// How the attempt ended, once it has.
    pub end: Option<AttemptEnd>,
}

/// How an attempt at a batch ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttemptEnd {
    /// Every copy had its try: who still waits, waits for the next attempt.
    Done,
    /// No server took mail: who still waits, waits for the next attempt, or until one is reached.
    Unreached,
    /// Copies were not begun, because the server stops or the destination gets no more for now: the attempt goes on
    /// with them as soon as it may.
    Interrupted,
    /// The server itself failed to make or send a copy.
    Broken,
}

/// How far the clock was set forward while the server ran. Nothing that was accepted before is older for it: by the
/// word of a clock alone, no copy is given up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ClockJump {
    /// In all.
    pub by: Duration,
    /// The time of day after the last time.
    pub until: Timestamp,
}

impl ClockJump {
    /// When something was accepted, as the clock is now.
    #[must_use]
    pub fn shift(self, accepted: Timestamp) -> Timestamp {
        if accepted < self.until { accepted + self.by } else { accepted }
    }
}

/// Writes what was answered. A batch whose attempt is over stays due if a copy still waits, unless its time
/// is up; otherwise it leaves the queue and only its record remains.
pub fn settle(
    tx: &mut WriteTx,
    settlements: &[Settlement],
    mail_context: &MailContext,
    leap: ClockJump,
    now: Timestamp,
) -> Result<(), StoreError> {
    for Settlement { batch, outcomes, end } in settlements {
        let Some(mut batch) = tx.get::<Batch>(batch.0)? else { continue };
        for outcome in outcomes {
            let Outcome { place, state, remote, reply, .. } = outcome;
            let answer = Answer { state: *state, remote: remote.as_deref(), reply: reply.as_deref() };
            batch.record(*place, answer, now);
            bounces::take_outcome(tx, mail_context, &batch, outcome, now)?;
        }
        if let Some(end) = end {
            batch.claimed = false;
            batch.crashes = 0;
            match end {
                _ if batch.order == Some(Order::Drop) => queue::drop_copies(&mut batch, now),
                AttemptEnd::Interrupted => {
                    batch.due = Some(now);
                    batch.attempts = batch.attempts.saturating_sub(1);
                }
                AttemptEnd::Done | AttemptEnd::Unreached | AttemptEnd::Broken
                    if batch.order.is_none() && retries_ended(leap.shift(batch.accepted), now) =>
                {
                    let copies = batch.count_waiting();
                    give_up(&mut batch, now);
                    let destination = metric_labels::destination(&batch.destination);
                    mail_context.metrics.sending.copies.add([destination, "expired"], copies);
                }
                AttemptEnd::Done => batch.failures = 0,
                AttemptEnd::Unreached => (batch.failures, batch.unreached) = (0, true),
                AttemptEnd::Broken => quarantine::count_failure(tx, &mut batch, mail_context, now)?,
            }
            if !batch.is_waiting() {
                (batch.due, batch.order) = (None, None);
            }
        }
        tx.put(&batch)?;
    }
    Ok(())
}

/// Ends the retries of every copy that still waits, keeping the remote server's last words.
pub(in crate::ops) fn give_up(batch: &mut Batch, now: Timestamp) {
    for recipient in batch.recipients.iter_mut().filter(|recipient| recipient.state.is_waiting()) {
        recipient.state = RecipientState::Failed;
        recipient.time = now;
    }
}

/// Makes what was in flight when the server last ended due at once, at most `limit` batches a call; says
/// whether more may be left. Their settled copies stay settled: only what was in flight is sent again.
pub fn recover(tx: &mut WriteTx, now: Timestamp, limit: usize) -> Result<bool, StoreError> {
    let ids = tx.ids(&BATCH_CLAIMED, &IndexRange::prefix(Key::new()), limit)?;
    for id in &ids {
        let Some(mut batch) = tx.get::<Batch>(*id)? else { continue };
        batch.claimed = false;
        batch.crashes = batch.crashes.saturating_add(1);
        if batch.order == Some(Order::Drop) {
            queue::drop_copies(&mut batch, now);
        } else if batch.crashes < CRASHES_MAX {
            batch.due = Some(now);
        } else {
            tracing::warn!(
                batch.id = batch.id.0,
                batch.payload = %batch.payload,
                "Delivery {} was in flight in {} crashes and waits its retry time",
                batch.id,
                batch.crashes
            );
        }
        tx.put(&batch)?;
    }
    Ok(ids.len() == limit)
}

/// Moves what was queued for the other way out to the one that the server takes now: from relays to the domains of the
/// recipients, or back; at most `limit` batches a call, and says whether more may be left.
pub fn reroute(tx: &mut WriteTx, routing: Routing, now: Timestamp, limit: usize) -> Result<bool, StoreError> {
    let relay = Key::new().text(Destination::Relay.key());
    let other = match routing {
        Routing::Mx => IndexRange::prefix(relay),
        // The form of the relay comes before those of all domains.
        Routing::Relay => IndexRange::prefix(Key::new()).after(relay),
    };
    // What is held or put aside moves too, and stays what it is.
    let ids = tx.ids(&BATCH_WAITING, &other, limit)?;
    for id in &ids {
        let Some(batch) = tx.get::<Batch>(*id)? else { continue };
        regroup(tx, batch, routing, now)?;
    }
    Ok(ids.len() == limit)
}

/// Moves what waits in a batch to batches of its new destinations. The places stay: a report may come to any envelope sender
/// that has left.
fn regroup(tx: &mut WriteTx, mut batch: Batch, routing: Routing, now: Timestamp) -> Result<(), StoreError> {
    let is_waiting = |place: &usize| batch.recipients[*place].state.is_waiting();
    let waiting: Vec<usize> = (0..batch.recipients.len()).filter(is_waiting).collect();
    let origin = Origin::of(&batch);
    let new_of = |place: &usize| destination(&batch.recipients[*place].address, routing);
    let mut moves = Vec::with_capacity(waiting.len());
    for (destination, places) in by_destination(waiting.iter().map(|place| (new_of(place), *place))) {
        let recipients = places.iter().map(|place| batch.recipients[*place].clone()).collect();
        let batch = put_batch(tx, &origin, destination, recipients, now)?;
        moves.extend(places.into_iter().zip((0..).map(move |place| RecipientState::Moved { batch, place })));
    }
    for (place, state) in moves {
        let recipient = &mut batch.recipients[place];
        // What was answered goes along.
        (recipient.state, recipient.time) = (state, now);
        (recipient.remote, recipient.reply, recipient.earlier) = (None, None, Vec::new());
    }
    (batch.due, batch.order) = (None, None);
    tx.put(&batch)
}
