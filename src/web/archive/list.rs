//! The newest threads of a list, and its months, as the page of the list shows them.

use super::access::OpenArchive;
use super::face::Face;
use super::show::Shower;
use crate::clock::Timestamp;
use crate::locale::{self, text};
use crate::model::MessageId;
use crate::ops::archive::browse::{self, Position, ThreadRow};
use crate::ops::archive::months::{self, Month, Year};
use crate::ops::archive::threads::Activity;
use crate::store::ReadTx;
use crate::web::context::Context;
use crate::web::error::PageError;

/// Threads on one page.
const PAGE_THREADS: usize = 50;
/// The height of the lowest bar of a month, in tenths.
const LEAST_HEIGHT: u64 = 10;
/// Years whose months are shown; of earlier ones, the years alone.
const YEARS_SHOWN: usize = 2;

/// The archive on the page of its list.
pub(in crate::web) struct ArchiveView {
    /// The threads of this page.
    pub(in crate::web) threads: Vec<ThreadView>,
    /// The paths of the pages with newer and with older threads.
    pub(in crate::web) newer: Option<String>,
    pub(in crate::web) older: Option<String>,
    /// The last years, month by month.
    pub(in crate::web) years: Vec<YearView>,
    /// Earlier years, each with the path of one of its months.
    pub(in crate::web) earlier: Vec<(u64, String)>,
    /// The form to search the archive.
    pub(in crate::web) search: Option<SearchView>,
    /// The path of the feed.
    pub(in crate::web) feed: String,
}

/// A thread in a listing.
pub(in crate::web) struct ThreadView {
    pub(in crate::web) href: String,
    pub(in crate::web) subject: String,
    /// The people who wrote to it, and the number of its messages.
    pub(in crate::web) facts: Vec<String>,
    /// When the newest message came: for people, exactly, and for machines.
    pub(in crate::web) time: String,
    pub(in crate::web) exactly: String,
    pub(in crate::web) datetime: String,
    /// The picture of the author who began it.
    pub(in crate::web) face: Face,
    pub(in crate::web) first_words: String,
    pub(in crate::web) is_closed: bool,
}

/// The months of a year.
pub(in crate::web) struct YearView {
    pub(in crate::web) year: u64,
    pub(in crate::web) months: Vec<MonthView>,
}

/// A month with a bar that shows how much was written in it.
pub(in crate::web) struct MonthView {
    pub(in crate::web) href: String,
    pub(in crate::web) short: String,
    pub(in crate::web) long: String,
    pub(in crate::web) count: String,
    /// The place and the height of the bar in a picture that is 40 high.
    pub(in crate::web) top: String,
    pub(in crate::web) height: String,
    pub(in crate::web) is_current: bool,
    pub(in crate::web) is_empty: bool,
}

/// The form to search an archive.
pub(in crate::web) struct SearchView {
    pub(in crate::web) action: String,
    /// The hint in the field before anything is written.
    pub(in crate::web) hint: String,
}

impl ArchiveView {
    /// The archive of a list, from the thread on that the address names.
    pub(in crate::web) fn of(
        context: &Context,
        tx: &ReadTx,
        archive: &OpenArchive,
        shower: &Shower<'_>,
    ) -> Result<ArchiveView, PageError> {
        let position = match (context.query.get("after"), context.query.get("before")) {
            ("", "") => Position::First,
            ("", before) => Position::Before(parse_place(before)?),
            (after, _) => Position::After(parse_place(after)?),
        };
        let page = browse::threads(tx, &archive.list, position, PAGE_THREADS)?;
        let mut threads = Vec::with_capacity(page.rows.len());
        for row in &page.rows {
            threads.push(thread_view(tx, shower, row)?);
        }
        let to =
            |which: &str, place: Activity| archive.href(context, &format!("?{which}={}", written(place)));
        let years = months::years(tx, &archive.list, &shower.locale.zone)?;
        let most = months::most(&years);
        let earlier = years.iter().skip(YEARS_SHOWN);
        let earlier = earlier.map(|year| (year.year, month_path(context, archive, year.last_month())));
        Ok(ArchiveView {
            threads,
            newer: page.newer.map(|place| to("before", place)),
            older: page.older.map(|place| to("after", place)),
            earlier: earlier.collect(),
            years: years
                .iter()
                .take(YEARS_SHOWN)
                .map(|year| year_view(context, archive, year, None, most))
                .collect(),
            search: search_view(context, tx, archive)?,
            feed: archive.href(context, "feed.atom"),
        })
    }
}

/// The form to search an archive; `None` if it has no message.
pub(in crate::web) fn search_view(
    context: &Context,
    tx: &ReadTx,
    archive: &OpenArchive,
) -> Result<Option<SearchView>, PageError> {
    let (language, count) = (context.language, browse::count(tx, &archive.list)?);
    let number = locale::number(language, count);
    Ok((0 < count).then(|| SearchView {
        action: archive.href(context, "search/"),
        hint: text!(language, "archive-search-hint", count = count, number = number),
    }))
}

fn thread_view(tx: &ReadTx, shower: &Shower<'_>, row: &ThreadRow) -> Result<ThreadView, PageError> {
    let language = shower.context.language;
    let ThreadRow { thread, first, others, is_cut } = row;
    let by = shower.author(first);
    let who = match (others, is_cut) {
        (0, false) => by,
        (others, false) => text!(language, "archive-by-and-others", name = by, count = *others),
        (_, true) => text!(language, "archive-by-and-many", name = by),
    };
    let number = locale::number(language, thread.messages);
    Ok(ThreadView {
        href: shower.archive.href(shower.context, &format!("threads/{}/", thread.id)),
        subject: shower.subject(tx, first)?,
        facts: vec![who, text!(language, "archive-messages", count = thread.messages, number = number)],
        time: shower.locale.near(thread.last, shower.context.core.now()),
        exactly: shower.locale.moment(thread.last),
        datetime: thread.last.rfc3339(),
        face: shower.face(first),
        first_words: shower.first_words(tx, first)?,
        is_closed: thread.closed,
    })
}

/// The months of a year up to the present one; `current` is the one whose page this is, and a month with `most` messages
/// has the highest bar.
pub(in crate::web) fn year_view(
    context: &Context,
    archive: &OpenArchive,
    year: &Year,
    current: Option<Month>,
    most: u64,
) -> YearView {
    let present = Month::of(context.core.now(), &context.locale().zone);
    let month = |(at, count): (usize, &u64)| {
        let month = Month::new(year.year, at as u64 + 1);
        if present < month && *count == 0 {
            return None;
        }
        // In tenths; a month with messages has a bar that can be seen.
        let height = (count * 400).div_ceil(most.max(1)).min(400);
        let height = if *count == 0 { 0 } else { height.max(LEAST_HEIGHT) };
        let written = |tenths: u64| format!("{}.{}", tenths / 10, tenths % 10);
        Some(MonthView {
            href: month_path(context, archive, month),
            short: text!(context.language, "archive-month-short", month = month.number()),
            long: month_name(context, month),
            count: locale::number(context.language, *count),
            top: written(400 - height),
            height: written(height),
            is_current: current == Some(month),
            is_empty: *count == 0,
        })
    };
    YearView { year: year.year, months: year.months.iter().enumerate().filter_map(month).collect() }
}

/// A month in words: "November 2026".
pub(in crate::web) fn month_name(context: &Context, month: Month) -> String {
    let year = month.year().to_string();
    text!(context.language, "archive-month", month = month.number(), year = year)
}

/// The path of the page of a month.
pub(in crate::web) fn month_path(context: &Context, archive: &OpenArchive, month: Month) -> String {
    archive.href(context, &format!("months/{month}/"))
}

/// A place in the order of time as addresses have it: the milliseconds, and the number.
pub(in crate::web) fn written((time, id): (Timestamp, MessageId)) -> String {
    format!("{}-{id}", time.key())
}

/// Reads what [`written`] writes.
pub(in crate::web) fn parse_place(text: &str) -> Result<(Timestamp, MessageId), PageError> {
    let parse = || {
        let (time, id) = text.split_once('-')?;
        Some((Timestamp::from_ms(time.parse().ok()?), MessageId(id.parse().ok()?)))
    };
    parse().ok_or(PageError::NotFound)
}
