//! The months of an archive, in the zone in which its dates are shown: how many messages each has, and which.
//!
//! Messages are counted by months of UTC when they are stored. What a zone moves into another month stands within some
//! hours of the border between two, and is counted when somebody asks.

use std::fmt;
use std::ops::ControlFlow;

use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::clock::Timestamp;
use crate::model::{List, Message, MessageId};
use crate::schema::{MESSAGE_BY_TIME, MESSAGE_COUNT_BY_MONTH, archive_of};
use crate::store::{IndexRange, Read, StoreError};

/// Years of one archive that are counted, the newest first.
const YEARS_MAX: u64 = 150;

/// A month of a year.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Month(u64);

impl Month {
    /// The month of an instant in a zone.
    #[must_use]
    pub fn of(instant: Timestamp, zone: &TimeZone) -> Month {
        let date = instant.in_zone(zone.clone()).date();
        Month(u64::try_from(i32::from(date.year()) * 12 + i32::from(date.month()) - 1).unwrap_or(0))
    }

    /// A month of a year; the first one is 1.
    #[must_use]
    pub fn new(year: u64, month: u64) -> Month {
        Month(year * 12 + month - 1)
    }

    /// Reads `2026-11`; `None` for any other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Month> {
        let (year, month) = text.split_once('-')?;
        let is_written_right = (year.len(), month.len()) == (4, 2) && text.is_ascii();
        let (year, month) = (year.parse().ok()?, month.parse().ok()?);
        let digits = text.bytes().filter(u8::is_ascii_digit).count();
        (is_written_right && digits == 6 && (1..=12).contains(&month)).then(|| Month::new(year, month))
    }

    /// Its number, counted from the first month of the year 0.
    #[must_use]
    pub fn number_in_all(self) -> u64 {
        self.0
    }

    /// Its year.
    #[must_use]
    pub fn year(self) -> u64 {
        self.0 / 12
    }

    /// Its number in the year, from 1 to 12.
    #[must_use]
    pub fn number(self) -> u64 {
        self.0 % 12 + 1
    }

    /// The month before it.
    #[must_use]
    pub fn previous(self) -> Month {
        Month(self.0.saturating_sub(1))
    }

    /// The month behind it.
    #[must_use]
    pub fn next(self) -> Month {
        Month(self.0 + 1)
    }

    /// The instant at which it begins in a zone.
    #[must_use]
    pub fn start(self, zone: &TimeZone) -> Timestamp {
        let first = || {
            let (year, month) = (i16::try_from(self.year()).ok()?, i8::try_from(self.number()).ok()?);
            Date::new(year, month, 1).ok()?.to_zoned(zone.clone()).ok()
        };
        first()
            .map_or_else(Timestamp::default, |start| Timestamp::from_ms(start.timestamp().as_millisecond()))
    }
}

impl fmt::Display for Month {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:04}-{:02}", self.year(), self.number())
    }
}

/// How many messages each month of a year has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Year {
    /// The year.
    pub year: u64,
    /// The number of messages of its twelve months.
    pub months: [u64; 12],
}

impl Year {
    /// The last of its months that has messages.
    #[must_use]
    pub fn last_month(&self) -> Month {
        let last = self.months.iter().rposition(|count| 0 < *count).unwrap_or(11);
        Month::new(self.year, last as u64 + 1)
    }

    /// Those of its months that have messages.
    pub fn with_messages(&self) -> impl Iterator<Item = Month> {
        let with_messages = self.months.iter().enumerate().filter(|(_, count)| 0 < **count);
        with_messages.map(|(at, _)| Month::new(self.year, at as u64 + 1))
    }
}

/// The most messages that a month of these years has.
#[must_use]
pub fn most(years: &[Year]) -> u64 {
    years.iter().flat_map(|year| year.months).max().unwrap_or(0)
}

/// The number of messages of a month of the list's archive.
pub fn count(tx: &impl Read, list: &List, month: Month, zone: &TimeZone) -> Result<u64, StoreError> {
    let moved_in = moved(tx, list, month, zone)?;
    let moved_out = moved(tx, list, month.next(), zone)?;
    let of_utc = tx.count(&MESSAGE_COUNT_BY_MONTH, &archive_of(list.account, list.id).u64(month.0))?;
    Ok(of_utc.saturating_add_signed(moved_in.saturating_sub(moved_out)))
}

/// How many messages of the month before in UTC are of this month in a zone; of the other way round, less than nothing.
fn moved(tx: &impl Read, list: &List, month: Month, zone: &TimeZone) -> Result<i64, StoreError> {
    let key = archive_of(list.account, list.id);
    let (of_utc, of_zone) = (month.start(&TimeZone::UTC), month.start(zone));
    let moved_from = if of_zone < of_utc { month.previous() } else { month };
    if of_utc == of_zone || tx.count(&MESSAGE_COUNT_BY_MONTH, &key.clone().u64(moved_from.0))? == 0 {
        return Ok(0);
    }
    let (from, to) = (of_utc.min(of_zone), of_utc.max(of_zone));
    let end = key.clone().u64(to.key());
    let range = IndexRange::prefix(key.clone()).from(key.u64(from.key()));
    let mut messages = 0;
    tx.scan(&MESSAGE_BY_TIME, &range, |row, _| {
        if end.as_bytes() <= row {
            return ControlFlow::Break(());
        }
        messages += 1;
        ControlFlow::Continue(())
    })?;
    Ok(if of_zone < of_utc { messages } else { -messages })
}

/// The years in which the list's archive has messages, the newest first.
pub fn years(tx: &impl Read, list: &List, zone: &TimeZone) -> Result<Vec<Year>, StoreError> {
    let key = archive_of(list.account, list.id);
    let oldest = tx.page::<Message>(&MESSAGE_BY_TIME, &IndexRange::prefix(key.clone()), 1)?.pop();
    let newest = tx.page::<Message>(&MESSAGE_BY_TIME, &IndexRange::prefix(key.clone()).backward(), 1)?.pop();
    let (Some(oldest), Some(newest)) = (oldest, newest) else { return Ok(Vec::new()) };
    let (start, end) = (Month::of(oldest.time, zone).year(), Month::of(newest.time, zone).year());
    let mut years = Vec::new();
    for year in (start.max(end.saturating_sub(YEARS_MAX - 1))..=end).rev() {
        let mut months = [0; 12];
        for (at, count) in months.iter_mut().enumerate() {
            *count = self::count(tx, list, Month::new(year, at as u64 + 1), zone)?;
        }
        if months.iter().any(|count| 0 < *count) {
            years.push(Year { year, months });
        }
    }
    Ok(years)
}

/// The place of a message in the order of time.
pub type Moment = (Timestamp, MessageId);

/// The place of a page in a month.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Position {
    /// Its first page.
    First,
    /// The messages behind this place.
    After(Moment),
    /// The messages in front of this place.
    Before(Moment),
}

/// Some messages of a month.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MonthPage {
    /// The messages, the oldest first.
    pub messages: Vec<Message>,
    /// The place of the first one, if there are others in front of it.
    pub previous: Option<Moment>,
    /// The place of the last one, if there are others behind it.
    pub next: Option<Moment>,
}

/// Up to `limit` messages of a month. Every page costs the same.
pub fn page(
    tx: &impl Read,
    list: &List,
    month: Month,
    zone: &TimeZone,
    position: Position,
    limit: usize,
) -> Result<MonthPage, StoreError> {
    let mut messages = read(tx, list, month, zone, position, limit + 1)?;
    let is_more = limit < messages.len();
    messages.truncate(limit);
    if matches!(position, Position::Before(_)) {
        messages.reverse();
    }
    let place = |message: &Message| (message.time, message.id);
    let (top, bottom) = (messages.first().map(place), messages.last().map(place));
    let is_any =
        |position| -> Result<bool, StoreError> { Ok(!read(tx, list, month, zone, position, 1)?.is_empty()) };
    let (previous, next) = match (position, top, bottom) {
        (Position::Before(_), Some(top), Some(bottom)) => {
            (is_more.then_some(top), is_any(Position::After(bottom))?.then_some(bottom))
        }
        (_, Some(top), Some(bottom)) => {
            (is_any(Position::Before(top))?.then_some(top), is_more.then_some(bottom))
        }
        _ => (None, None),
    };
    Ok(MonthPage { messages, previous, next })
}

/// Up to `limit` messages of a month from a position on, in the direction of the position.
fn read(
    tx: &impl Read,
    list: &List,
    month: Month,
    zone: &TimeZone,
    position: Position,
    limit: usize,
) -> Result<Vec<Message>, StoreError> {
    let key = archive_of(list.account, list.id);
    let range = IndexRange::prefix(key.clone());
    let at = |(time, id): Moment| key.clone().u64(time.key()).u64(id.0);
    let range = match position {
        Position::First => range.from(key.clone().u64(month.start(zone).key())),
        Position::After(moment) => range.after(at(moment)),
        Position::Before(moment) => range.after(at(moment)).backward(),
    };
    let messages = tx.page::<Message>(&MESSAGE_BY_TIME, &range, limit)?;
    Ok(messages.into_iter().take_while(|message| Month::of(message.time, zone) == month).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_month_is_read_as_it_is_written() {
        let month = Month::parse("2026-11").unwrap();
        assert_eq!((month.year(), month.number(), month.to_string().as_str()), (2026, 11, "2026-11"));
        assert_eq!(month.next().next().to_string(), "2027-01");
        assert_eq!(Month::parse("2026-01").unwrap().previous().to_string(), "2025-12");
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        assert_eq!(Month::of(month.start(&zone), &zone), month);
        assert_eq!(Month::of(month.start(&zone), &TimeZone::UTC), month.previous());
        for text in ["", "2026", "2026-00", "2026-13", "2026-1", "26-11", "2026-+1", "2026-11-01", "x"] {
            assert_eq!(Month::parse(text), None, "{text}");
        }
    }
}
