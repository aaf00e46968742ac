//! The scheduler's work in the data file: records outcomes, claims batches, and makes a destination's waiting batches
//! due or gives them up.
//!
//! The scheduler's loop calls it. Nothing here awaits the network.

use std::sync::Arc;
use std::time::Duration;

use super::destinations::Destinations;
use super::search;
use crate::clock::Timestamp;
use crate::config::RETRIES_END;
use crate::model::{Batch, Destination};
use crate::ops::archive::indexing;
use crate::ops::delivery::outbound::{self, ClockJump, Settlement};
use crate::ops::queue::due::{self, Found, Round};
use crate::service::Core;
use crate::store::StoreError;

/// Batches of a destination that one job makes due or gives up.
const BATCHES_PER_CHANGE: usize = 256;

/// Batches that one job makes due after a start.
const RECOVER_BATCHES: usize = 256;
/// Batches that one job moves between relay and domains: each may become as many batches as it has recipients.
const REROUTE_BATCHES: usize = 32;

/// The result of a tick.
#[derive(Debug)]
pub(super) struct Ticked {
    /// The result of recording outcomes; `None` if there were none.
    pub(super) settled: Option<Result<(), Unwritten>>,
    /// The position of the round over the destinations, and the claimed batches; `None` if the tick did not look for
    /// any.
    pub(super) looked: Option<(Round, Result<Claimed, StoreError>)>,
}

/// Outcomes that could not be written.
#[derive(Debug)]
pub(super) struct Unwritten {
    pub(super) error: StoreError,
    pub(super) settlements: Arc<[Settlement]>,
}

#[derive(Debug)]
pub(super) struct Claimed {
    /// The batches to be sent now.
    pub(super) batches: Vec<Batch>,
    /// Whether there was room for more, and not every destination was visited.
    pub(super) is_more: bool,
    /// When the next batch is due that is not due yet.
    pub(super) next_due: Option<Timestamp>,
    /// When there may be more room even if no attempt ends, by [`Clock::steady`](crate::clock::Clock::steady).
    pub(super) next_room: Option<Duration>,
}

/// Records outcomes, and claims due batches for which there is room: two jobs, so that neither can undo the other. All
/// reads happen before, so that the jobs are submitted together and share a commit. While posts come in a few at a time,
/// a third job writes their words for the search, which would else be a commit of its own.
pub(super) async fn tick(
    core: &Core,
    destinations: &Destinations,
    settlements: Vec<Settlement>,
    jump: ClockJump,
    round: Option<Round>,
) -> Ticked {
    let (mail_context, now) = (core.mail_context(), core.now());
    let found = round.map(|mut round| {
        let found = find(core, destinations, &mut round, now);
        (round, found)
    });
    let is_claiming = found.as_ref().is_some_and(|(_, found)| is_any(found));
    let words = if settlements.is_empty() && !is_claiming { None } else { search::few_words(core).await };
    let settling = if settlements.is_empty() {
        None
    } else {
        let settlements: Arc<[Settlement]> = settlements.into();
        let written = Arc::clone(&settlements);
        let settling = core
            .store
            .submit_reserved(move |tx| outbound::settle(tx, &written, &mail_context, jump, now))
            .await;
        Some((settling, settlements))
    };
    let indexing = match words {
        Some(words) => Some(core.store.submit(move |tx| indexing::write_few(tx, words)).await),
        None => None,
    };
    let looked = match found {
        None => None,
        Some((round, found)) => Some((round, claim(core, found, now).await)),
    };
    let settled = match settling {
        Some((settling, settlements)) => {
            Some(settling.await.map_err(|error| Unwritten { error, settlements }))
        }
        None => None,
    };
    if let Some(indexing) = indexing {
        // What could not be written is left to a step of the search, which says what is wrong.
        let _: Result<(), StoreError> = indexing.await;
    }
    Ticked { settled, looked }
}

/// Whether any batches were found.
fn is_any(found: &Result<(Found, Option<Duration>), StoreError>) -> bool {
    found.as_ref().is_ok_and(|(found, _)| !found.batches.is_empty())
}

/// Claims the batches that were found.
async fn claim(
    core: &Core,
    found: Result<(Found, Option<Duration>), StoreError>,
    now: Timestamp,
) -> Result<Claimed, StoreError> {
    let (Found { batches, is_more }, next_room) = found?;
    let mut claimed = Vec::new();
    if !batches.is_empty() {
        claimed = core.store.write_reserved(move |tx| due::claim(tx, &batches, now)).await?;
    }
    let next_due = due::next_due_after(&core.store.read()?, now)?;
    Ok(Claimed { batches: claimed, is_more, next_due, next_room })
}

/// Finds due batches, and when there may be more room. It only reads, as it mostly finds nothing.
fn find(
    core: &Core,
    destinations: &Destinations,
    round: &mut Round,
    now: Timestamp,
) -> Result<(Found, Option<Duration>), StoreError> {
    let tx = core.store.read()?;
    if due::next_due(&tx)?.is_none_or(|due| now < due) {
        return Ok((Found::default(), None));
    }
    let mut room = destinations.room();
    let found = due::find(&tx, round, &mut room, now)?;
    Ok((found, room.next()))
}

/// Makes claimed batches due at once that are not being sent: after a start, or after a claim that may or may not have
/// been written. Moves batches that wait for the other routing, by relays or straight to domains.
pub(super) async fn recover(core: &Core) -> Result<(), StoreError> {
    let (now, routing) = (core.now(), core.config.routing());
    while core.store.write_reserved(move |tx| outbound::recover(tx, now, RECOVER_BATCHES)).await? {}
    while core.store.write_reserved(move |tx| outbound::reroute(tx, routing, now, REROUTE_BATCHES)).await? {}
    Ok(())
}

/// Makes the batches due that could not reach a destination, as it now accepts mail.
pub(super) async fn requeue(core: &Core, destination: &Destination) -> Result<(), StoreError> {
    while due::is_any_unreached(&core.store.read()?, destination)? {
        let (destination, now) = (destination.clone(), core.now());
        core.store.write_reserved(move |tx| due::requeue(tx, &destination, now, BATCHES_PER_CHANGE)).await?;
    }
    Ok(())
}

/// Gives up the batches that have waited for five days without an attempt, as their destination is long unreachable.
pub(super) async fn give_up(
    core: &Core,
    destination: &Destination,
    reason: &str,
    jump: ClockJump,
) -> Result<(), StoreError> {
    loop {
        let (destination, reason, now) = (destination.clone(), reason.to_owned(), core.now());
        let overdue = now.before(RETRIES_END + jump.by);
        let given_up = core.store.write_reserved(move |tx| {
            due::give_up_overdue(tx, &destination, overdue, &reason, now, BATCHES_PER_CHANGE)
        });
        if given_up.await? < BATCHES_PER_CHANGE {
            return Ok(());
        }
    }
}
