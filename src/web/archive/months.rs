//! The page of a month of an archive: its messages in the order of time, and the bars of its year.

use askama::Template;

use super::access;
use super::face::Face;
use super::list::{self, SearchView, YearView};
use super::page::{self, ArchiveHead};
use super::show::Shower;
use crate::locale::{self, text};
use crate::ops::archive::months::{self, Moment, Month, Position};
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};
use crate::web::frame::Frame;

/// Messages on one page.
const PAGE_MESSAGES: usize = 100;

#[derive(Template)]
#[template(path = "archive_month.html", config = "src/web/askama.toml")]
struct MonthPage {
    frame: Frame,
    archive: ArchiveHead,
    search: Option<SearchView>,
    title: String,
    /// How many messages the month has.
    count: String,
    rows: Vec<Row>,
    /// The paths of the pages of the month before and behind this one.
    earlier: Option<String>,
    later: Option<String>,
    /// The months with messages before and behind this one: their paths and names.
    previous: Option<(String, String)>,
    next: Option<(String, String)>,
    year: YearView,
    /// The other years, each with the path of one of its months.
    years: Vec<(u64, String)>,
    /// The path of the month as a mailbox file.
    mbox: Option<String>,
}

/// A message of the month.
struct Row {
    /// The path of the message in its thread.
    href: String,
    subject: String,
    by: String,
    /// The path of the message itself.
    permalink: String,
    time: String,
    exactly: String,
    datetime: String,
    face: Face,
}

/// `GET /lists/{name}/months/{month}/`
pub(in crate::web) fn page(context: &Context) -> PageResult {
    let tx = context.read()?;
    let archive = access::open(context, &tx)?;
    let month = Month::parse(context.param("month")).ok_or(PageError::NotFound)?;
    let position = match (context.query.get("after"), context.query.get("before")) {
        ("", "") => Position::First,
        ("", before) => Position::Before(list::parse_place(before)?),
        (after, _) => Position::After(list::parse_place(after)?),
    };
    let zone = context.locale().zone;
    let found = months::page(&tx, &archive.list, month, &zone, position, PAGE_MESSAGES)?;
    let years = months::years(&tx, &archive.list, &zone)?;
    let of_year = years.iter().find(|year| year.year == month.year());
    let in_month = |year: &months::Year| year.months[usize::try_from(month.number() - 1).unwrap_or(0)];
    let count = of_year.map_or(0, in_month);
    let of_year = of_year.filter(|_| 0 < count).ok_or(PageError::NotFound)?;
    let shower = Shower::new(context, &tx, &archive)?;
    let mut rows = Vec::with_capacity(found.messages.len());
    for message in &found.messages {
        rows.push(Row {
            href: shower.thread_href_of(&tx, message)?,
            subject: shower.subject(&tx, message)?,
            by: shower.author(message),
            permalink: archive.href(context, &format!("messages/{}/", message.id)),
            time: shower.locale.near(message.time, context.core.now()),
            exactly: shower.locale.moment(message.time),
            datetime: message.time.rfc3339(),
            face: shower.face(message),
        });
    }
    let all: Vec<Month> = years.iter().flat_map(months::Year::with_messages).collect();
    let name = |month: Month| (list::month_path(context, &archive, month), list::month_name(context, month));
    let path = list::month_path(context, &archive, month);
    let to = |which: &str, place: Moment| format!("{path}?{which}={}", list::written(place));
    let language = context.language;
    let page = MonthPage {
        frame: Frame::of(context),
        archive: ArchiveHead::of(context, &archive, &shower.links, &canonical(context, month)),
        search: list::search_view(context, &tx, &archive)?,
        title: list::month_name(context, month),
        count: text!(language, "archive-messages", count = count, number = locale::number(language, count)),
        rows,
        earlier: found.previous.map(|place| to("before", place)),
        later: found.next.map(|place| to("after", place)),
        previous: all.iter().copied().filter(|other| *other < month).max().map(name),
        next: all.iter().copied().filter(|other| month < *other).min().map(name),
        year: list::year_view(context, &archive, of_year, Some(month), months::most(&years)),
        years: years
            .iter()
            .filter(|year| year.year != month.year())
            .map(|year| (year.year, list::month_path(context, &archive, year.last_month())))
            .collect(),
        mbox: archive.shows_addresses.then(|| archive.href(context, &format!("{month}.mbox.gz"))),
    };
    drop(tx);
    page::show(context, &archive, &page)
}

/// The path of this page below the list's, without what does not change it.
fn canonical(context: &Context, month: Month) -> String {
    let after = context.query.get("after");
    if after.is_empty() { format!("months/{month}/") } else { format!("months/{month}/?after={after}") }
}
