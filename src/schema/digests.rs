//! Tables and indexes of digests, and what is kept when somebody switches between digests and single messages.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::of;
use crate::model::digest::{Switched, TakenSettings};
use crate::model::{
    AccountId, Digest, DigestFanOut, DigestPost, DigestSchedule, DigestSwitch, FanOut, Message, MessageId,
};
use crate::store::{BlobId, Entity, Index, IndexRange, Key, Read as _, StoreError, WriteTx};

impl Entity for DigestPost {
    const TABLE: &'static str = "digest_post";
    const INDEXES: &'static [&'static Index<DigestPost>] = &[&DIGEST_POST_BY_LIST];

    fn id(&self) -> u64 {
        self.post.message.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for DigestPost {
    const LIFE: Life<DigestPost> = Life {
        with_account: WithAccount::InSteps(&[&DIGEST_POST_BY_LIST]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::Goes(&DIGEST_POST_BY_LIST),
        with_move: WithMove::Goes,
        in_time: InTime::ByUpkeep("digests"),
        in_download: InDownload::NotOfAPerson,
    };
}

/// The posts of a list that wait for its next digest, in order.
pub static DIGEST_POST_BY_LIST: Index<DigestPost> =
    Index::multi("digest_post.by_list", |post| vec![of(post.account).u64(post.list.0)]);

impl Entity for DigestSchedule {
    const TABLE: &'static str = "digest_schedule";
    const INDEXES: &'static [&'static Index<DigestSchedule>] =
        &[&DIGEST_SCHEDULE_BY_ACCOUNT, &DIGEST_SCHEDULE_BY_DUE];

    fn id(&self) -> u64 {
        self.list.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for DigestSchedule {
    const LIFE: Life<DigestSchedule> = Life {
        with_account: WithAccount::InSteps(&[&DIGEST_SCHEDULE_BY_ACCOUNT]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::GoesByNumber,
        with_move: WithMove::GoesLast(|_| true),
        in_time: InTime::Kept,
        in_download: InDownload::NotOfAPerson,
    };
}

/// The schedules of an account's lists.
pub static DIGEST_SCHEDULE_BY_ACCOUNT: Index<DigestSchedule> =
    Index::multi("digest_schedule.by_account", |schedule| vec![of(schedule.account)]);

/// Lists whose digest is due, the earliest first; read by the server itself.
pub static DIGEST_SCHEDULE_BY_DUE: Index<DigestSchedule> =
    Index::multi("digest_schedule.by_due", |schedule| {
        schedule.due.into_iter().map(|due| Key::new().u64(due.key())).collect()
    });

impl Entity for DigestSwitch {
    const TABLE: &'static str = "digest_switch";
    const INDEXES: &'static [&'static Index<DigestSwitch>] = &[&DIGEST_SWITCH_BY_ACCOUNT, &DIGEST_SWITCH_OF];

    fn id(&self) -> u64 {
        self.at.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for DigestSwitch {
    const LIFE: Life<DigestSwitch> = Life {
        with_account: WithAccount::InSteps(&[&DIGEST_SWITCH_BY_ACCOUNT]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::GoesLast(|_| true),
        in_time: InTime::ByUpkeep("earlier settings of members"),
        in_download: InDownload::Not("what a member took before a change is kept until the next digest"),
    };
}

/// The switches of an account, in order: most often there is none since a post was accepted.
pub static DIGEST_SWITCH_BY_ACCOUNT: Index<DigestSwitch> =
    Index::multi("digest_switch.by_account", |switch| vec![of(switch.account)]);

/// The switches of one membership or address, in order.
pub static DIGEST_SWITCH_OF: Index<DigestSwitch> =
    Index::multi("digest_switch.of", |switch| vec![digest_switch_of(switch.account, switch.of)]);

/// The key of the switches of one membership or address.
#[must_use]
pub fn digest_switch_of(account: AccountId, switched: Switched) -> Key {
    match switched {
        Switched::Membership(id) => of(account).u8(0).u64(id.0),
        Switched::Email(id) => of(account).u8(1).u64(id.0),
    }
}

/// Keeps what a membership or an address took before a change, as long as a post was accepted before it that is not yet
/// with everybody. `new` is `None` for one that was deleted, of which nothing is kept.
pub(super) fn note_switch(
    tx: &mut WriteTx<'_>,
    account: AccountId,
    switched: Switched,
    old: TakenSettings,
    new: Option<TakenSettings>,
) -> Result<(), StoreError> {
    if new.is_none() {
        let all = IndexRange::prefix(digest_switch_of(account, switched));
        for id in tx.ids(&DIGEST_SWITCH_OF, &all, usize::MAX)? {
            tx.delete::<DigestSwitch>(id)?;
        }
        return Ok(());
    }
    if new == Some(old) || !is_any_post_waiting(tx, account)? {
        return Ok(());
    }
    let at = MessageId(tx.next_id::<Message>()?);
    let TakenSettings { digest, paused } = old;
    tx.put(&DigestSwitch { at, account, of: switched, digest, paused })
}

/// Whether a post of the account is not yet with everybody. Posts that are being put into batches may be anybody's: they
/// are a handful.
fn is_any_post_waiting(tx: &WriteTx<'_>, account: AccountId) -> Result<bool, StoreError> {
    let in_digests = IndexRange::prefix(of(account));
    Ok(tx.first_row(&DIGEST_POST_BY_LIST, &in_digests)?.is_some()
        || tx.first_row(&DIGEST_FAN_OUT_BY_DAY, &in_digests)?.is_some()
        || !tx.all::<FanOut>(0, 1)?.is_empty())
}

impl Entity for Digest {
    const TABLE: &'static str = "digest";
    const INDEXES: &'static [&'static Index<Digest>] =
        &[&DIGEST_BY_LIST, &DIGEST_BY_MESSAGE, &DIGEST_BY_CHECK];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // Responses about deliveries are not cached.
        0
    }

    fn blobs(&self) -> Vec<BlobId> {
        self.blob.iter().map(|blob| BlobId(blob.0)).collect()
    }

    fn renumber_blobs(&mut self, renumber: &mut dyn FnMut(u64) -> u64) {
        if let Some(blob) = &mut self.blob {
            blob.0 = renumber(blob.0);
        }
    }
}

impl HasLife for Digest {
    const LIFE: Life<Digest> = Life {
        with_account: WithAccount::InSteps(&[&DIGEST_BY_LIST]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::Goes(&DIGEST_BY_LIST),
        with_move: WithMove::GoesLast(|_| true),
        in_time: InTime::ByUpkeep("digests that were sent"),
        in_download: InDownload::Not("what people wrote to a list is in its archive"),
    };
}

/// The digests of a list, in order.
pub static DIGEST_BY_LIST: Index<Digest> =
    Index::multi("digest.by_list", |digest| vec![of(digest.account).u64(digest.list.0)]);

/// The digests that hold a message.
pub static DIGEST_BY_MESSAGE: Index<Digest> = Index::multi("digest.by_message", |digest| {
    digest.messages.iter().map(|message| of(digest.account).u64(message.0)).collect()
});

/// Digests by the time at which it is asked whether they are still needed; read by the server itself.
pub static DIGEST_BY_CHECK: Index<Digest> =
    Index::multi("digest.by_check", |digest| vec![Key::new().u64(digest.check.key())]);

impl Entity for DigestFanOut {
    const TABLE: &'static str = "digest_fan_out";
    const INDEXES: &'static [&'static Index<DigestFanOut>] = &[&DIGEST_FAN_OUT_BY_DAY];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for DigestFanOut {
    const LIFE: Life<DigestFanOut> = Life {
        with_account: WithAccount::InSteps(&[&DIGEST_FAN_OUT_BY_DAY]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::Goes(&DIGEST_FAN_OUT_BY_DAY),
        with_move: WithMove::GoesLast(|_| true),
        in_time: InTime::ByOperation("each ends when its digest is in batches"),
        in_download: InDownload::NotOfAPerson,
    };
}

/// The digest of a list and day that is on its way to the members: there is at most one.
pub static DIGEST_FAN_OUT_BY_DAY: Index<DigestFanOut> = Index::unique("digest_fan_out.by_day", |fan_out| {
    let day = fan_out.day;
    let number = i64::from(day.year) * 10_000 + i64::from(day.month) * 100 + i64::from(day.day);
    vec![of(fan_out.account).u64(fan_out.list.0).u64(u64::try_from(number).unwrap_or(0))]
});
