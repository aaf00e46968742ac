//! Tables and indexes of the mail queue, in the orders in which the scheduler and the operator read it.

use super::events;
use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::of;
use crate::model::{Batch, FanOut, MessageId, Order, Payload, QueueState};
use crate::store::{Count, Entity, Index, Key, WriteTx};

impl Entity for FanOut {
    const TABLE: &'static str = "fan_out";
    // There are as many rows as posts being expanded, a handful: the table itself is the queue.
    const INDEXES: &'static [&'static Index<FanOut>] = &[];
    const COUNTS: &'static [&'static Count<FanOut>] = &[&FAN_OUT_COUNT];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for FanOut {
    const LIFE: Life<FanOut> = Life {
        with_account: WithAccount::ByOperation("they have no index: there is a handful"),
        with_contact: WithContact::NamesNone,
        with_list: WithList::Stays("what was accepted is delivered"),
        with_move: WithMove::GoesLast(|_| true),
        in_time: InTime::ByOperation("each ends when its post is in batches"),
        in_download: InDownload::NotOfAPerson,
    };
}

/// The number of posts that are not wholly in batches yet.
pub static FAN_OUT_COUNT: Count<FanOut> = Count::new("fan_out.count", |_| vec![Key::new()]);

impl Entity for Batch {
    const TABLE: &'static str = "batch";
    const INDEXES: &'static [&'static Index<Batch>] = &[
        &BATCH_BY_DUE,
        &BATCH_BY_DESTINATION,
        &BATCH_BY_MESSAGE,
        &BATCH_BY_SYSTEM_MAIL,
        &BATCH_CLAIMED,
        &BATCH_UNREACHED,
        &BATCH_WAITING,
        &BATCH_BY_END,
    ];
    const COUNTS: &'static [&'static Count<Batch>] =
        &[&BATCH_COUNT, &COPIES_COUNT, &BATCH_COUNT_AT, &COPIES_COUNT_AT];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // Responses about deliveries are not cached, and a fan-out must not empty the caches of its account.
        0
    }

    fn tell_of_change(tx: &mut WriteTx<'_>, old: Option<&Batch>, new: Option<&Batch>) {
        events::of_batch(tx, old, new);
    }
}

impl HasLife for Batch {
    const LIFE: Life<Batch> = Life {
        with_account: WithAccount::InSteps(&[&BATCH_BY_MESSAGE, &BATCH_BY_SYSTEM_MAIL]),
        with_contact: WithContact::Stays(
            "copies that are on their way are finished, and what became of them is kept as of any message",
        ),
        with_list: WithList::Stays("what was accepted is delivered"),
        with_move: WithMove::GoesLast(Batch::is_waiting),
        in_time: InTime::Forgotten("deliveries", &BATCH_BY_END),
        in_download: InDownload::Not("it says how copies were delivered, and is gone within days"),
    };
}

/// When a batch may be claimed; `None` while it is settled, claimed or held: an attempt that takes longer than the
/// retry time must not meet a second one.
fn claimable(batch: &Batch) -> Option<u64> {
    match batch.due {
        Some(due) if !batch.claimed && batch.order.is_none() => Some(due.key()),
        Some(_) | None => None,
    }
}

/// The batches by due time, the earliest first, from which the scheduler takes its next wake-up.
pub static BATCH_BY_DUE: Index<Batch> = Index::multi("batch.by_due", |batch| {
    claimable(batch).into_iter().map(|due| Key::new().u64(due)).collect()
});

/// The batches by destination, so that the scheduler skips a busy one in one step; the earliest due first within each.
pub static BATCH_BY_DESTINATION: Index<Batch> = Index::multi("batch.by_destination", |batch| {
    claimable(batch).into_iter().map(|due| Key::new().text(batch.destination.key()).u64(due)).collect()
});

/// The deliveries of a message or a digest, in order. The key ends with the number of the batch's own recipients, which
/// changes only when some are moved to another batch: the rows alone tell how many deliveries there are and where a
/// page begins, without reading the batches.
pub static BATCH_BY_MESSAGE: Index<Batch> = Index::multi("batch.by_message", |batch| {
    let key = |sent: MessageId| {
        let recipients = u8::try_from(batch.own_recipients().count()).unwrap_or(u8::MAX);
        of(batch.account).u64(sent.0).u64(batch.id.0).u8(recipients)
    };
    batch.payload.to_members().into_iter().map(key).collect()
});

/// The deliveries of a system mail.
pub static BATCH_BY_SYSTEM_MAIL: Index<Batch> =
    Index::multi("batch.by_system_mail", |batch| match batch.payload {
        Payload::SystemMail(system_mail) => vec![of(batch.account).u64(system_mail.0)],
        Payload::Post { .. } | Payload::Digest { .. } => Vec::new(),
    });

/// Batches with an attempt under way: due at once after a crash (`spec/mail.md` 11).
pub static BATCH_CLAIMED: Index<Batch> =
    Index::multi("batch.claimed", |batch| if batch.claimed { vec![Key::new()] } else { Vec::new() });

/// Batches that wait their retry time because no server of their destination could be reached: due at once when one is.
pub static BATCH_UNREACHED: Index<Batch> = Index::multi("batch.unreached", |batch| {
    let is_unreached = batch.unreached && claimable(batch).is_some();
    if is_unreached { vec![Key::new().text(batch.destination.key())] } else { Vec::new() }
});

/// The key of a batch among those that wait for one destination: by account, list and message or digest, or system mail.
/// No list has the number 0, which stands for a system mail.
#[must_use]
pub fn batch_place(batch: &Batch) -> Key {
    let place = Key::new().text(batch.destination.key()).u64(batch.account.0);
    match batch.payload {
        Payload::Post { message: sent, list } | Payload::Digest { digest: sent, list } => {
            place.u64(list.0).u64(sent.0)
        }
        Payload::SystemMail(system_mail) => place.u64(0).u64(system_mail.0),
    }
}

/// The waiting batches, whether due, in flight, held or quarantined: the operator's view of the queue. One index serves
/// every filter: the matching batches are adjacent within each destination.
pub static BATCH_WAITING: Index<Batch> =
    Index::multi(
        "batch.waiting",
        |batch| {
            if batch.is_waiting() { vec![batch_place(batch)] } else { Vec::new() }
        },
    );

/// The number of a payload's kind in keys.
#[must_use]
pub fn payload_kind(payload: &Payload) -> u8 {
    match payload {
        Payload::Post { .. } => 0,
        Payload::SystemMail(_) => 1,
        Payload::Digest { .. } => 2,
    }
}

/// The number of a state in keys.
#[must_use]
pub fn queue_state(state: QueueState) -> u8 {
    match state {
        QueueState::Waiting => 0,
        QueueState::InFlight => 1,
        QueueState::Held => 2,
        QueueState::Quarantined => 3,
    }
}

/// The key under which a batch is counted in the queue; `None` once it is settled.
fn counted(batch: &Batch) -> Option<Key> {
    batch.queue_state().map(|state| Key::new().u8(payload_kind(&batch.payload)).u8(queue_state(state)))
}

/// The key under which a batch is counted at its destination, separately if it is held.
fn counted_at(batch: &Batch) -> Option<Key> {
    let is_held = batch.order == Some(Order::Hold);
    batch.is_waiting().then(|| Key::new().text(batch.destination.key()).u8(u8::from(is_held)))
}

/// The number of batches in the queue, by kind of payload and state.
pub static BATCH_COUNT: Count<Batch> =
    Count::new("batch.count", |batch| counted(batch).into_iter().collect());

/// The number of copies that wait, by kind of payload and state of their batches.
pub static COPIES_COUNT: Count<Batch> = Count::sum("batch.copies", |batch| {
    counted(batch).into_iter().map(|key| (key, batch.count_waiting())).collect()
});

/// The number of batches in the queue, by destination.
pub static BATCH_COUNT_AT: Count<Batch> =
    Count::new("batch.count_at", |batch| counted_at(batch).into_iter().collect());

/// The number of copies that wait, by destination.
pub static COPIES_COUNT_AT: Count<Batch> = Count::sum("batch.copies_at", |batch| {
    counted_at(batch).into_iter().map(|key| (key, batch.count_waiting())).collect()
});

/// Settled batches of posts and digests to delete, the earliest first; a system mail's batches are deleted with it.
pub static BATCH_BY_END: Index<Batch> = Index::multi("batch.by_end", |batch| match batch.payload {
    Payload::Post { .. } | Payload::Digest { .. } => {
        batch.forgotten().into_iter().map(|time| Key::new().u64(time.key())).collect()
    }
    Payload::SystemMail(_) => Vec::new(),
});
