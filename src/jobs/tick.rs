//! What the scheduler has done in the data file: answers are written, batches claimed, and what waits for a destination
//! is made due or given up on its news.

use std::sync::Arc;
use std::time::Duration;

use super::destinations::Destinations;
use crate::clock::Timestamp;
use crate::config::RETRIES_END;
use crate::model::{Batch, Destination};
use crate::ops::Core;
use crate::ops::delivery::outbound::{self, ClockJump, Settlement};
use crate::ops::queue::due::{self, Found, Round};
use crate::store::StoreError;

/// Batches of a destination that one job makes due, or gives up.
const BATCHES_PER_NEWS: usize = 256;

/// Batches made due by one job after a start.
const RECOVER_BATCHES: usize = 256;
/// Batches moved to another way out by one job: each may become as many as it has recipients.
const REROUTE_BATCHES: usize = 32;

/// What came of a turn.
#[derive(Debug)]
pub(super) struct Ticked {
    /// None where nothing was to be written.
    pub(super) settled: Option<Result<(), Unwritten>>,
    /// Where the round over the destinations stands, and what came of the look; none where nothing was looked for.
    pub(super) looked: Option<(Round, Result<Claimed, StoreError>)>,
}

/// What could not be written of what was answered.
#[derive(Debug)]
pub(super) struct Unwritten {
    pub(super) error: StoreError,
    pub(super) settlements: Arc<[Settlement]>,
}

#[derive(Debug)]
pub(super) struct Claimed {
    /// What may be sent now.
    pub(super) batches: Vec<Batch>,
    /// Whether there was room for more, and not every destination was visited.
    pub(super) is_more: bool,
    /// When the earliest batch is due that is not due yet.
    pub(super) next_due: Option<Timestamp>,
    /// When there may be more room though nothing ends, by [`Clock::steady`](crate::clock::Clock::steady).
    pub(super) next_room: Option<Duration>,
}

/// Writes what was answered, and claims what is due, where there is room: two jobs, so that neither can take
/// the other back. They are handed over together, behind everything that has to be read for them, so that they share a
/// commit.
pub(super) async fn tick(
    core: &Core,
    destinations: &Destinations,
    settlements: Vec<Settlement>,
    leap: ClockJump,
    round: Option<Round>,
) -> Ticked {
    let (mail_context, now) = (core.mail_context(), core.now());
    let found = round.map(|mut round| {
        let found = find(core, destinations, &mut round, now);
        (round, found)
    });
    let settling = if settlements.is_empty() {
        None
    } else {
        let settlements: Arc<[Settlement]> = settlements.into();
        let written = Arc::clone(&settlements);
        let settling = core
            .store
            .submit_reserved(move |tx| outbound::settle(tx, &written, &mail_context, leap, now))
            .await;
        Some((settling, settlements))
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
    Ticked { settled, looked }
}

/// Claims what was found.
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

/// Finds what is due, and when there may be more room: without a commit, as most looks find nothing.
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

/// Makes due at once what is claimed and not being sent: after a start, or after a claim of which nobody knows whether
/// it was written. Moves what waits for the other way out, by relays or straight to domains.
pub(super) async fn recover(core: &Core) -> Result<(), StoreError> {
    let (now, routing) = (core.now(), core.config.routing());
    while core.store.write_reserved(move |tx| outbound::recover(tx, now, RECOVER_BATCHES)).await? {}
    while core.store.write_reserved(move |tx| outbound::reroute(tx, routing, now, REROUTE_BATCHES)).await? {}
    Ok(())
}

/// A destination takes mail: what waits because it could not be reached is due.
pub(super) async fn requeue(core: &Core, destination: &Destination) -> Result<(), StoreError> {
    while due::is_any_unreached(&core.store.read()?, destination)? {
        let (destination, now) = (destination.clone(), core.now());
        core.store.write_reserved(move |tx| due::requeue(tx, &destination, now, BATCHES_PER_NEWS)).await?;
    }
    Ok(())
}

/// A destination has been dead for long: what has waited for five days and never had its turn is given up.
pub(super) async fn give_up(
    core: &Core,
    destination: &Destination,
    reason: &str,
    leap: ClockJump,
) -> Result<(), StoreError> {
    loop {
        let (destination, reason, now) = (destination.clone(), reason.to_owned(), core.now());
        let overdue = now.before(RETRIES_END + leap.by);
        let given_up = core.store.write_reserved(move |tx| {
            due::give_up_overdue(tx, &destination, overdue, &reason, now, BATCHES_PER_NEWS)
        });
        if given_up.await? < BATCHES_PER_NEWS {
            return Ok(());
        }
    }
}
