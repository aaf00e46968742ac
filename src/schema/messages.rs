//! Tables, indexes and counts of published messages.

use super::erasure::MESSAGE_BY_AUTHOR;
use super::events;
use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::of;
use super::threads::archive_of;
use crate::model::{Message, MessageWords};
use crate::store::{BlobId, Count, Entity, Index, Key, WriteTx};

impl Entity for Message {
    const TABLE: &'static str = "message";
    const INDEXES: &'static [&'static Index<Message>] = &[
        &MESSAGE_BY_ACCOUNT,
        &MESSAGE_BY_TIME,
        &MESSAGE_BY_THREAD,
        &MESSAGE_BY_MESSAGE_ID,
        &MESSAGE_BY_AUTHOR,
    ];
    const COUNTS: &'static [&'static Count<Message>] =
        &[&MESSAGE_COUNT, &MESSAGE_COUNT_BY_LIST, &MESSAGE_COUNT_BY_MONTH];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        self.account.0
    }

    fn blobs(&self) -> Vec<BlobId> {
        vec![BlobId(self.blob.0)]
    }

    fn renumber_blobs(&mut self, renumber: &mut dyn FnMut(u64) -> u64) {
        self.blob.0 = renumber(self.blob.0);
    }

    fn tell_of_change(tx: &mut WriteTx<'_>, old: Option<&Message>, new: Option<&Message>) {
        events::of_message(tx, old, new);
    }
}

impl HasLife for Message {
    const LIFE: Life<Message> = Life {
        with_account: WithAccount::ByOperation("it goes with its words in the search index"),
        with_contact: WithContact::NamesNone,
        with_list: WithList::ByOperation("its bytes are given back, and its words leave the search index"),
        with_move: WithMove::Goes,
        in_time: InTime::Kept,
        in_download: InDownload::Not("what people wrote to a list is in its archive"),
    };
}

/// The key of a message that is in the archive; empty for one that was removed.
fn unless_deleted(message: &Message, key: Key) -> Vec<Key> {
    if message.deleted { Vec::new() } else { vec![key] }
}

/// The messages of an account by their time, read backwards.
pub static MESSAGE_BY_ACCOUNT: Index<Message> = Index::multi("message.by_account", |message| {
    unless_deleted(message, of(message.account).u64(message.time.key()))
});

/// The messages of a list by their time, read backwards. Imported messages have older times than messages that were
/// stored before them.
pub static MESSAGE_BY_TIME: Index<Message> = Index::multi("message.by_time", |message| {
    unless_deleted(message, archive_of(message.account, message.list).u64(message.time.key()))
});

/// The replies of a thread by their time, read backwards. The first message gives the thread its number and has no row:
/// most threads have no other message, and thus no rows.
pub static MESSAGE_BY_THREAD: Index<Message> = Index::multi("message.by_thread", |message| {
    let replies = unless_deleted(message, of(message.account).u64(message.thread.0).u64(message.time.key()));
    replies.into_iter().filter(|_| message.id != message.thread).collect()
});

/// Messages by Message-ID: finds duplicates and the parents of replies. A deleted message counts: it was published.
pub static MESSAGE_BY_MESSAGE_ID: Index<Message> = Index::multi("message.by_message_id", |message| {
    vec![of(message.account).u64(message.list.0).text(&message.message_id)]
});

/// The `count` of the messages' listing.
pub static MESSAGE_COUNT: Count<Message> =
    Count::new("message.count", |message| unless_deleted(message, of(message.account)));

/// The number of a list's messages.
pub static MESSAGE_COUNT_BY_LIST: Count<Message> = Count::new("message.count_by_list", |message| {
    unless_deleted(message, of(message.account).u64(message.list.0))
});

/// The number of a list's messages in each month of UTC ([`Timestamp::month`](crate::clock::Timestamp::month)).
pub static MESSAGE_COUNT_BY_MONTH: Count<Message> = Count::new("message.count_by_month", |message| {
    unless_deleted(message, archive_of(message.account, message.list).u64(message.time.month()))
});

impl Entity for MessageWords {
    const TABLE: &'static str = "message_words";
    const INDEXES: &'static [&'static Index<MessageWords>] = &[&MESSAGE_BY_WORD];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        self.account.0
    }
}

impl HasLife for MessageWords {
    const LIFE: Life<MessageWords> = Life {
        with_account: WithAccount::ByOperation("they go with their message"),
        with_contact: WithContact::NamesNone,
        with_list: WithList::ByOperation("they go with their message"),
        with_move: WithMove::Goes,
        in_time: InTime::Kept,
        in_download: InDownload::Not("what people wrote to a list is in its archive"),
    };
}

/// The rows of an older form of the search in archives, which go as messages are indexed anew.
pub static MESSAGE_BY_WORD: Index<MessageWords> = Index::multi("message_words.by_word", |words| {
    words.iter().map(|word| of(words.account).u64(words.list.0).text(word)).collect()
});
