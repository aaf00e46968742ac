//! The table of the conversations in archives.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use crate::model::{AccountId, ListId, Thread};
use crate::store::{Count, Entity, Index, Key};

impl Entity for Thread {
    const TABLE: &'static str = "thread";
    const INDEXES: &'static [&'static Index<Thread>] = &[&THREAD_BY_ACTIVITY, &THREAD_WITHOUT_MESSAGES];
    const COUNTS: &'static [&'static Count<Thread>] = &[&THREAD_COUNT_BY_LIST];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        self.account.0
    }
}

impl HasLife for Thread {
    const LIFE: Life<Thread> = Life {
        with_account: WithAccount::InSteps(&[&THREAD_BY_ACTIVITY, &THREAD_WITHOUT_MESSAGES]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::ByOperation("it goes with its last message, or behind that if it was closed"),
        with_move: WithMove::Goes,
        in_time: InTime::Kept,
        in_download: InDownload::Not("what people wrote to a list is in its archive"),
    };
}

fn of_list(thread: &Thread) -> Key {
    Key::new().u64(thread.account.0).u64(thread.list.0)
}

/// The threads of a list that have messages in the archive, by the time of the newest one; read backwards.
pub static THREAD_BY_ACTIVITY: Index<Thread> = Index::multi("thread.by_activity", |thread| {
    let row = of_list(thread).u64(thread.last.key());
    (0 < thread.messages).then_some(row).into_iter().collect()
});

/// The threads of a list that have no message in the archive: a handful, which exist because they are closed.
pub static THREAD_WITHOUT_MESSAGES: Index<Thread> = Index::multi("thread.without_messages", |thread| {
    if thread.messages == 0 { vec![of_list(thread)] } else { Vec::new() }
});

/// The number of a list's threads that have messages in the archive.
pub static THREAD_COUNT_BY_LIST: Count<Thread> =
    Count::new(
        "thread.count_by_list",
        |thread| {
            if thread.messages == 0 { Vec::new() } else { vec![of_list(thread)] }
        },
    );

/// The key of a list in the indexes of threads and of messages by time, and in their counts.
#[must_use]
pub fn archive_of(account: AccountId, list: ListId) -> Key {
    Key::new().u64(account.0).u64(list.0)
}
