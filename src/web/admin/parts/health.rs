//! The state of the server in words: what needs somebody, and what is well.

use std::time::Duration;

use crate::clock::Timestamp;
use crate::locale::{number, size, text};
use crate::model::{Language, Permission};
use crate::ops::accounts;
use crate::ops::delivery::queue_view;
use crate::ops::server::backups;
use crate::store::{Condition, ReadTx};
use crate::web::context::Context;
use crate::web::error::PageError;

/// Before its end, a certificate needs somebody.
const CERTIFICATE_WARN: Duration = Duration::from_hours(14 * 24);
/// Destinations of the queue that are looked at.
const DESTINATIONS_MAX: usize = 1000;

/// Something that needs somebody.
pub(in crate::web::admin) struct Todo {
    pub(in crate::web::admin) count: String,
    pub(in crate::web::admin) words: String,
    pub(in crate::web::admin) detail: String,
    pub(in crate::web::admin) href: Option<String>,
    pub(in crate::web::admin) is_bad: bool,
}

/// What is well, in a sentence.
pub(in crate::web::admin) fn well_words(language: Language, well: &[String], is_all: bool) -> String {
    let facts = well.join(", ");
    match (well.is_empty(), is_all) {
        (true, _) => String::new(),
        (false, true) => text!(language, "overview-well", facts = facts),
        (false, false) => text!(language, "overview-well-else", facts = facts),
    }
}

/// Whether the caller may know the state of the server: its administrators, and those of its only account.
pub(in crate::web::admin) fn is_shown(context: &Context, tx: &ReadTx) -> Result<bool, PageError> {
    let caller = context.administrator()?;
    let has_whole_account = caller.holds(Permission::AccountAdmin) && caller.limits.lists().is_none();
    Ok(caller.is_global || (has_whole_account && accounts::is_single(tx)?))
}

/// The state of the whole server: what needs somebody, and what is well.
#[derive(Default)]
pub(in crate::web::admin) struct OfServer {
    /// The matters that need somebody.
    pub(in crate::web::admin) todo: Vec<Todo>,
    /// The facts that are well.
    pub(in crate::web::admin) well: Vec<String>,
}

/// The state of the queue, the disk, the certificate and the backups.
pub(in crate::web::admin) fn of_server(context: &Context, tx: &ReadTx) -> Result<OfServer, PageError> {
    let (core, language, now) = (&context.core, context.language, context.core.now());
    let mut found = OfServer::default();
    let queue = queue_view::summary(tx, (&core.pauses, now), DESTINATIONS_MAX)?;
    let stuck = queue.data.iter().filter(|row| row.unreachable.is_some());
    let stuck: Vec<&str> = stuck.map(|row| row.destination.as_str()).collect();
    if stuck.is_empty() {
        let waiting = queue.states.iter().map(|view| view.waiting).sum::<u64>();
        found.well.push(match waiting {
            0 => text!(language, "overview-well-queue-empty"),
            count => text!(language, "overview-well-queue", count = count),
        });
    } else {
        found.todo.push(Todo {
            count: number(language, stuck.len() as u64),
            words: text!(language, "overview-stuck", count = stuck.len()),
            detail: stuck.iter().take(5).copied().collect::<Vec<_>>().join(", "),
            href: context.offered("/admin/server/queue/"),
            is_bad: true,
        });
    }
    let bad = |words: String, detail: String| {
        let href = context.offered("/admin/server/");
        Todo { count: "!".to_owned(), words, detail, href, is_bad: true }
    };
    match core.store.condition() {
        Condition::Healthy => found.well.push(text!(language, "overview-well-disk")),
        Condition::Full { free_bytes } => {
            let free = size(language, free_bytes);
            found.todo.push(bad(text!(language, "overview-disk-full", free = free), String::new()));
        }
        Condition::Failing { .. } => {
            found.todo.push(bad(text!(language, "overview-disk-failing"), String::new()));
        }
    }
    let until = core.metrics.receiving.certificate_expiry.get([]);
    let until =
        i64::try_from(until).ok().filter(|until| 0 < *until).map(|until| Timestamp::from_ms(until * 1000));
    if let Some(until) = until {
        let day = context.locale().day(until);
        if until < now + CERTIFICATE_WARN {
            found.todo.push(bad(text!(language, "overview-certificate", day = day), String::new()));
        } else {
            found.well.push(text!(language, "overview-well-certificate", day = day));
        }
    }
    if let Some(standing) = backups::find(tx)? {
        let newest = standing.newest.map(|newest| context.locale().near(newest, now));
        match newest {
            Some(time) if standing.failures == 0 => {
                found.well.push(text!(language, "overview-well-backup", time = time));
            }
            Some(time) => found.todo.push(bad(
                text!(language, "overview-backup-failed"),
                text!(language, "overview-backup-last", time = time),
            )),
            None => found.todo.push(bad(text!(language, "overview-backup-none"), String::new())),
        }
    }
    Ok(found)
}
