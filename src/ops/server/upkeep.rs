//! The table of work that becomes due by time alone: expiring, forgetting, and mail that is sent later. The upkeep job
//! runs each kind in bounded steps, so that it never holds up the writer for long. What is done in a step is decided by
//! the module that owns the records; what is only deleted when its time is over is declared by its entity
//! ([`InTime::Forgotten`](crate::schema::InTime::Forgotten)).

use std::convert::Infallible;

use crate::clock::Timestamp;
use crate::ops::accounts::{account_deletion, alerts, suspension};
use crate::ops::archive::{compose_drafts, emptying, redaction, scheduled};
use crate::ops::context::MailContext;
use crate::ops::delivery::bounces;
use crate::ops::digests::begin;
use crate::ops::domains::rotation;
use crate::ops::events;
use crate::ops::moderation;
use crate::ops::moderation::{announcements, moderation_digests};
use crate::ops::notices::{link_secrets, system_mails};
use crate::ops::oauth::grants;
use crate::ops::overdue::overdue_rows;
use crate::ops::people::import_tasks;
use crate::ops::people::own::addresses;
use crate::ops::people::welcome;
use crate::ops::queue::{digest_posts, due};
use crate::ops::server::{erasure, figures};
use crate::schema::{
    ALERT_BY_DUE, COMPOSE_DRAFT_BY_DUE, DIGEST_BY_CHECK, DIGEST_SCHEDULE_BY_DUE, DOMAIN_BY_KEYS_END,
    EMAIL_BY_PROBE, EMAIL_PAUSE_BY_DUE, ERASURE_BY_DUE, EntityVisitor, HELD_BY_DUE, HasLife, IMPORT_BY_DUE,
    MODERATION_DIGEST_BY_DUE, OAUTH_GRANT_BY_DUE, SEALED_ORIGINAL_BY_DUE, SUSPENSION_BY_DUE,
    SYSTEM_MAIL_BY_DUE, TAKEN_OUT_BY_DUE, visit_entities,
};
use crate::store::{Entity, Index, ReadTx, StoreError, WriteTx};

/// Rows that one step of a kind changes.
const ROWS_PER_STEP: usize = 256;
/// Messages, of any size, that one step empties.
const MESSAGES_PER_STEP: usize = 16;
/// Alerts that one step writes; each is a mail to every administrator of an account.
const ALERTS_PER_STEP: usize = 16;
/// Events that one step tells administrators of; each is a mail to some of them.
const NEWS_PER_STEP: usize = 64;
/// Digests that one step begins, each with up to some thousand posts, or looks at, with all their batches.
const DIGESTS_PER_STEP: usize = 4;
/// Imports that one step forgets, each with thousands of rows perhaps.
const IMPORTS_PER_STEP: usize = 4;
/// Digests for moderators that one step writes; each shows up to a hundred messages.
const SUMMARIES_PER_STEP: usize = 8;

/// One kind of work. Each runs in jobs of its own, so a failure in one kind delays no other.
#[derive(Clone, Copy)]
pub struct Kind {
    /// The name in the log.
    pub name: &'static str,
    /// Whether the work ends something that cannot be restored. Such work pauses while the clock may be wrong.
    pub ends: bool,
    /// Returns whether there is work of this kind.
    pub is_due: fn(&ReadTx, Timestamp) -> Result<bool, StoreError>,
    /// Does a bounded part of the due work.
    pub step: fn(&mut WriteTx<'_>, &MailContext, Timestamp) -> Result<(), StoreError>,
}

/// Every kind of work that becomes due by time: the records that are only deleted, then the operations. A step ends where
/// the disk is full, so what frees room comes before what writes.
#[must_use]
pub fn kinds() -> Vec<Kind> {
    let mut kinds = Kinds(Vec::new());
    let Ok(()) = visit_entities(&mut kinds);
    kinds.0.extend(OPERATIONS);
    kinds.0
}

struct Kinds(Vec<Kind>);

impl EntityVisitor for Kinds {
    type Error = Infallible;

    fn visit<E: HasLife>(&mut self) -> Result<(), Infallible> {
        self.0.extend(E::LIFE.in_time.forgotten().map(|(name, _)| Kind {
            name,
            ends: true,
            is_due: |tx, now| match E::LIFE.in_time.forgotten() {
                Some((_, by_time)) => any_due(tx, by_time, now),
                None => Ok(false),
            },
            step: |tx, _, now| match E::LIFE.in_time.forgotten() {
                Some((_, by_time)) => forget(tx, by_time, now),
                None => Ok(()),
            },
        }));
        Ok(())
    }
}

/// The kinds for which more is needed than to delete records.
const OPERATIONS: [Kind; 27] = [
    Kind {
        name: "held messages",
        ends: true,
        is_due: |tx, now| any_due(tx, &HELD_BY_DUE, now),
        step: |tx, mail_context, now| moderation::expire(tx, mail_context, now, ROWS_PER_STEP),
    },
    Kind {
        name: "system mail",
        ends: true,
        is_due: |tx, now| any_due(tx, &SYSTEM_MAIL_BY_DUE, now),
        step: |tx, _, now| system_mails::expire(tx, now, ROWS_PER_STEP),
    },
    Kind {
        name: "deliveries that wait for a clock that was set back",
        ends: false,
        is_due: due::is_any_too_late,
        step: |tx, _, now| due::clamp_due(tx, now, ROWS_PER_STEP),
    },
    Kind {
        name: "probes of paused addresses",
        ends: true,
        is_due: |tx, now| any_due(tx, &EMAIL_BY_PROBE, now),
        step: |tx, mail_context, now| bounces::advance(tx, mail_context, now, ROWS_PER_STEP),
    },
    Kind {
        name: "probes that wait for a clock that was set back",
        ends: false,
        is_due: bounces::is_any_probe_too_late,
        step: |tx, _, now| bounces::clamp_due(tx, now, ROWS_PER_STEP),
    },
    Kind {
        name: "daily summaries that wait for a clock that was set back",
        ends: false,
        is_due: moderation_digests::is_any_too_late,
        step: |tx, _, now| moderation_digests::clamp_due(tx, now, SUMMARIES_PER_STEP),
    },
    Kind {
        name: "alerts",
        ends: false,
        is_due: |tx, now| any_due(tx, &ALERT_BY_DUE, now),
        step: |tx, mail_context, now| alerts::tell_due(tx, mail_context, now, ALERTS_PER_STEP),
    },
    Kind {
        name: "what people allowed applications",
        ends: true,
        is_due: |tx, now| any_due(tx, &OAUTH_GRANT_BY_DUE, now),
        step: |tx, _, now| grants::end_due(tx, now, ROWS_PER_STEP),
    },
    Kind {
        name: "addresses paused until a day",
        ends: true,
        is_due: |tx, now| any_due(tx, &EMAIL_PAUSE_BY_DUE, now),
        step: |tx, _, now| addresses::resume_due(tx, now, ROWS_PER_STEP),
    },
    Kind {
        name: "messages taken out of archives",
        ends: true,
        is_due: |tx, now| any_due(tx, &TAKEN_OUT_BY_DUE, now),
        step: |tx, _, now| emptying::empty_due(tx, now, MESSAGES_PER_STEP),
    },
    Kind {
        name: "drafts of administrators",
        ends: true,
        is_due: |tx, now| any_due(tx, &COMPOSE_DRAFT_BY_DUE, now),
        step: |tx, _, now| compose_drafts::expire(tx, now, MESSAGES_PER_STEP),
    },
    Kind {
        name: "originals of messages taken out or redacted",
        ends: true,
        is_due: |tx, now| any_due(tx, &SEALED_ORIGINAL_BY_DUE, now),
        step: |tx, _, now| redaction::expire(tx, now, MESSAGES_PER_STEP),
    },
    Kind {
        name: "people who are erased",
        ends: true,
        is_due: |tx, now| any_due(tx, &ERASURE_BY_DUE, now),
        step: |tx, _, now| erasure::step(tx, now),
    },
    Kind {
        name: "old keys of domains",
        ends: true,
        is_due: |tx, now| any_due(tx, &DOMAIN_BY_KEYS_END, now),
        step: |tx, _, now| rotation::forget_old(tx, now, ROWS_PER_STEP),
    },
    Kind {
        name: "old secrets of links",
        ends: true,
        is_due: |tx, now| link_secrets::is_any_ended(tx, now),
        step: |tx, mail_context, now| link_secrets::forget_ended(tx, &mail_context.signer, now),
    },
    Kind {
        name: "daily summaries",
        ends: false,
        is_due: |tx, now| any_due(tx, &MODERATION_DIGEST_BY_DUE, now),
        step: |tx, mail_context, now| {
            moderation_digests::write_due(tx, mail_context, now, SUMMARIES_PER_STEP)
        },
    },
    Kind {
        name: "digests",
        ends: false,
        is_due: |tx, now| any_due(tx, &DIGEST_SCHEDULE_BY_DUE, now),
        step: |tx, _, now| begin::begin_due(tx, now, DIGESTS_PER_STEP),
    },
    Kind {
        name: "digests that wait for a clock that was set back",
        ends: false,
        is_due: digest_posts::is_any_too_late,
        step: |tx, _, now| digest_posts::clamp_due(tx, now, ROWS_PER_STEP),
    },
    Kind {
        name: "digests that were sent",
        ends: true,
        is_due: |tx, now| any_due(tx, &DIGEST_BY_CHECK, now),
        step: |tx, _, now| begin::check_old(tx, now, DIGESTS_PER_STEP),
    },
    Kind {
        name: "earlier settings of members",
        ends: false,
        is_due: |tx, _| begin::is_any_switch_over(tx),
        step: |tx, _, _| begin::forget_switches(tx, ROWS_PER_STEP),
    },
    Kind {
        name: "news for administrators",
        ends: false,
        is_due: announcements::is_due,
        step: |tx, mail_context, now| announcements::write_due(tx, mail_context, now, NEWS_PER_STEP),
    },
    Kind {
        name: "messages that are sent at a time",
        ends: false,
        is_due: |tx, now| scheduled::is_any_due(tx, now),
        step: |tx, mail_context, now| {
            scheduled::send_due(tx, mail_context.config.routing(), now, MESSAGES_PER_STEP)
        },
    },
    Kind {
        name: "deleted accounts and their records",
        ends: true,
        is_due: |tx, now| Ok(any_due(tx, &SUSPENSION_BY_DUE, now)? || account_deletion::is_any_under_way(tx)?),
        step: |tx, _, now| {
            suspension::delete_due(tx, now, 1)?;
            account_deletion::step(tx).map(drop)
        },
    },
    Kind {
        name: "welcome messages",
        ends: false,
        is_due: |tx, _| welcome::is_due(tx),
        step: |tx, mail_context, now| welcome::write_due(tx, mail_context, now, ROWS_PER_STEP),
    },
    Kind {
        name: "imports of people",
        ends: true,
        is_due: |tx, now| any_due(tx, &IMPORT_BY_DUE, now),
        step: |tx, _, now| import_tasks::expire(tx, now, IMPORTS_PER_STEP),
    },
    Kind {
        name: "events after 30 days",
        ends: true,
        is_due: events::is_any_over,
        step: |tx, _, now| events::expire(tx, now, ROWS_PER_STEP),
    },
    Kind {
        name: "figures of accounts",
        ends: false,
        is_due: |tx, now| figures::is_due(tx, now),
        step: |tx, _, now| figures::take(tx, now, ROWS_PER_STEP),
    },
];

fn any_due<E: Entity>(tx: &ReadTx, by_time: &Index<E>, now: Timestamp) -> Result<bool, StoreError> {
    Ok(!overdue_rows(tx, by_time, now, 1)?.is_empty())
}

/// Deletes records whose time is over.
fn forget<E: Entity>(tx: &mut WriteTx<'_>, by_time: &Index<E>, now: Timestamp) -> Result<(), StoreError> {
    for id in overdue_rows(tx, by_time, now, ROWS_PER_STEP)? {
        tx.delete::<E>(id)?;
    }
    Ok(())
}
