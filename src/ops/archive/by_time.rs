//! Walks the messages of lists in the order of time, the newest first, as one sequence.

use std::ops::ControlFlow;

use crate::model::{ListId, Message};
use crate::ops::Caller;
use crate::ops::archive::postings::Place;
use crate::schema::{MESSAGE_BY_TIME, archive_of};
use crate::store::{IndexRange, Key, Read, StoreError};

/// Messages of a list whose places are read at a time.
const PLACES_PER_PAGE: usize = 64;

/// The place of a position that the API was given: an id, of a message or of none.
pub(super) fn place_of_position(tx: &impl Read, after: u64) -> Result<Place, StoreError> {
    // Where there is no message, the position is behind the one that was stored before.
    let Some(id) = tx.last_id::<Message>(after)? else { return Ok((0, 0)) };
    let message = tx.get::<Message>(id)?;
    Ok(message.map_or((0, 0), |message| (message.time.key(), after)))
}

/// The messages of lists in the order of time, the newest first.
pub(super) struct ByTime {
    lists: Vec<OfList>,
}

/// The messages of one list in the order of time.
struct OfList {
    key: Key,
    /// The next places, the last first; with none, more are to be read behind this one.
    places: Vec<Place>,
    behind: Option<Place>,
    is_at_end: bool,
}

impl ByTime {
    /// Begins behind a place, or with the newest message.
    pub(super) fn new(caller: &Caller, lists: &[ListId], behind: Option<Place>) -> ByTime {
        let of_list = |list: &ListId| OfList {
            key: archive_of(caller.account, *list),
            places: Vec::new(),
            behind,
            is_at_end: false,
        };
        ByTime { lists: lists.iter().map(of_list).collect() }
    }

    /// The place of the next message.
    pub(super) fn next(&mut self, tx: &impl Read) -> Result<Option<Place>, StoreError> {
        let mut newest: Option<(Place, usize)> = None;
        for (number, list) in self.lists.iter_mut().enumerate() {
            newest = newest.max(list.peek(tx)?.map(|place| (place, number)));
        }
        Ok(newest.and_then(|(_, number)| self.lists[number].places.pop()))
    }
}

impl OfList {
    fn peek(&mut self, tx: &impl Read) -> Result<Option<Place>, StoreError> {
        if self.places.is_empty() && !self.is_at_end {
            self.read(tx)?;
        }
        Ok(self.places.last().copied())
    }

    fn read(&mut self, tx: &impl Read) -> Result<(), StoreError> {
        let mut range = IndexRange::prefix(self.key.clone()).backward();
        if let Some((time, id)) = self.behind {
            range = range.after(self.key.clone().u64(time).u64(id));
        }
        let at = self.key.as_bytes().len();
        tx.scan(&MESSAGE_BY_TIME, &range, |row, id| {
            let time = row.get(at..at + size_of::<u64>()).and_then(|time| time.try_into().ok());
            self.places.push((time.map_or(0, u64::from_be_bytes), id));
            if self.places.len() < PLACES_PER_PAGE {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        })?;
        self.is_at_end = self.places.len() < PLACES_PER_PAGE;
        self.behind = self.places.last().copied();
        self.places.reverse();
        Ok(())
    }
}
