//! The steps from each schema of the data file to the next.
//!
//! A new table or a new version of a record is a row of [`MIGRATIONS`] that has nothing to do. A row that was released
//! never changes.

use crate::clock::Timestamp;
use crate::model::{Account, Banner, Message, TakenOut, Thread};
use crate::store::{Read as _, StoreError, WriteTx};

/// One step from a schema to the next.
pub(super) struct Migration {
    /// The schema number that it leads to.
    pub(super) to: u32,
    /// Its description, for the log.
    pub(super) name: &'static str,
    pub(super) work: Work,
}

/// The action of a migration.
pub(super) enum Work {
    /// Everything in one commit.
    AtOnce(fn(&mut WriteTx<'_>) -> Result<(), StoreError>),
    /// Something is made of the records of an entity, some in each commit.
    Steps(&'static Derivation),
    /// All rows move into the table that they share, some in each commit.
    SharedRows,
}

/// How something is made of the records of an entity.
pub(super) struct Derivation {
    /// The entity's name, which is its table's.
    pub(super) table: &'static str,
    /// Does the next records behind an id; returns how many they were, and the last one's id: `None` behind the last.
    pub(super) step: fn(&mut WriteTx<'_>, u64) -> Result<Option<Derived>, StoreError>,
}

/// The number of the records that a step did, and the id of the last one.
pub(super) type Derived = (u64, u64);

/// Archives have threads.
static THREADS_OF_MESSAGES: Derivation = Derivation { table: "message", step: note_threads };
/// Messages whose threads one step notes.
const MESSAGES_PER_STEP: usize = 2000;

/// The schema that this program reads and writes: the last one that a step leads to.
pub const SCHEMA: u32 = MIGRATIONS[MIGRATIONS.len() - 1].to;

/// The work of a step that only keeps older programs away: from records of a new version, which they cannot read, and
/// from new tables, whose rows they would not maintain.
const NOTHING: Work = Work::AtOnce(|_| Ok(()));

/// Every step since schema 1, in order.
pub(super) const MIGRATIONS: &[Migration] = &[
    Migration { to: 2, name: "all numbers are in one table", work: Work::AtOnce(put_numbers_into_one_table) },
    // A table is created when it is first written.
    Migration {
        to: 3,
        name: "tables were added, and some have plainer names",
        work: Work::AtOnce(rename_tables),
    },
    Migration { to: 4, name: "accounts have a language", work: NOTHING },
    // Again for new tables, and for memberships that are paused, which an older program cannot read.
    Migration {
        to: 5,
        name: "people join, leave and look after themselves, and accounts have banners",
        work: Work::AtOnce(note_banners),
    },
    Migration { to: 6, name: "archives have threads", work: Work::Steps(&THREADS_OF_MESSAGES) },
    Migration { to: 7, name: "administrators and applications sign in", work: NOTHING },
    // For new tables, too.
    Migration {
        to: 8,
        name: "who opted out is remembered, and a commit writes fewer pages",
        work: Work::SharedRows,
    },
    Migration {
        to: 9,
        name: "why messages wait is kept as facts, and lists say how many messages of new members are held",
        work: NOTHING,
    },
    // An older program would not read the log.
    Migration {
        to: 10,
        name: "administrators undo what they did, members see what is new, small commits go into a log",
        work: NOTHING,
    },
    Migration { to: 11, name: "addresses of earlier servers lead on", work: NOTHING },
    // An older program would not delete the values with their entries, nor tell what it changes.
    Migration {
        to: 12,
        name: "values before and after in the audit log; events and webhooks",
        work: NOTHING,
    },
];

/// Names of numbers that had tables of their own in schema 1.
const NUMBERS_OF_SCHEMA_1: &[&str] = &[
    "sequence",
    "blob.references",
    "account.count",
    "admin.count",
    "contact.count",
    "list.count",
    "alias.count",
    "membership.count",
    "membership.count_by_list",
    "message.count",
    "message.count_by_list",
    "held.count",
    "pending.count",
    "replay.count",
    "fan_out.count",
    "batch.count",
    "batch.copies",
    "batch.count_at",
    "batch.copies_at",
];

/// A table that was renamed.
struct RenamedTable {
    old: &'static str,
    new: &'static str,
    /// The tables of its indexes under their old names: the rebuild makes new ones.
    indexes: &'static [&'static str],
    /// The old names of its counts.
    counts: &'static [&'static str],
}

const RENAMED_IN_SCHEMA_3: &[RenamedTable] = &[
    RenamedTable {
        old: "letter",
        new: "system_mail",
        indexes: &["letter.by_account", "letter.by_due"],
        counts: &[],
    },
    RenamedTable { old: "known", new: "seen_mail", indexes: &["known.by_mail", "known.by_due"], counts: &[] },
    RenamedTable {
        old: "replay",
        new: "saved_answer",
        indexes: &["replay.by_key", "replay.by_admin", "replay.by_due"],
        counts: &["replay.count"],
    },
    RenamedTable {
        old: "holdback",
        new: "provider_block",
        indexes: &["holdback.by_message", "holdback.by_due"],
        counts: &[],
    },
    RenamedTable { old: "removal", new: "account_deletion", indexes: &[], counts: &[] },
    RenamedTable {
        old: "summary",
        new: "moderation_digest",
        indexes: &["summary.by_account", "summary.by_due"],
        counts: &[],
    },
];

/// Indexes that were renamed and are otherwise unchanged.
const INDEXES_RENAMED_IN_SCHEMA_3: &[&str] = &["batch.by_letter", "domain.by_look"];

/// Notes the threads of the next messages behind an id.
fn note_threads(tx: &mut WriteTx<'_>, after: u64) -> Result<Option<Derived>, StoreError> {
    let page: Vec<Message> = tx.all(after, MESSAGES_PER_STEP)?;
    for message in page.iter().filter(|message| !message.deleted) {
        let mut thread = tx.get::<Thread>(message.thread.0)?.unwrap_or_else(|| Thread::of(message));
        thread.add(message);
        tx.put(&thread)?;
    }
    // What was taken out before was kept whole.
    for message in page.iter().filter(|message| message.deleted) {
        tx.put(&TakenOut::of(message))?;
    }
    Ok(page.last().map(|last| (page.len() as u64, last.id.0)))
}

/// Notes the images that accounts named before a server fetched them; they are due at once.
fn note_banners(tx: &mut WriteTx<'_>) -> Result<(), StoreError> {
    for Account { id, settings, .. } in tx.all::<Account>(0, usize::MAX)? {
        if let Some(url) = settings.custom_image {
            tx.put(&Banner::new(id, url, Timestamp::from_ms(0)))?;
        }
    }
    Ok(())
}

fn put_numbers_into_one_table(tx: &mut WriteTx<'_>) -> Result<(), StoreError> {
    tx.adopt_numbers(NUMBERS_OF_SCHEMA_1)
}

fn rename_tables(tx: &mut WriteTx<'_>) -> Result<(), StoreError> {
    for RenamedTable { old, new, indexes, counts } in RENAMED_IN_SCHEMA_3 {
        tx.rename_entity(old, new, indexes, counts)?;
    }
    tx.remove_index_tables(INDEXES_RENAMED_IN_SCHEMA_3)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_leads_one_further() {
        let led_to: Vec<u32> = MIGRATIONS.iter().map(|migration| migration.to).collect();
        assert_eq!(led_to, (2..=SCHEMA).collect::<Vec<_>>());
    }
}
