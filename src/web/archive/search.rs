//! Searches the archive of a list: hits with the words marked, or what can be asked if a query cannot be understood.
//!
//! A query that finds nothing is asked with less ([`loosened`]), which the page says. [`all`] searches all archives that a
//! member may read.

pub(in crate::web) mod all;
mod loosened;

use std::sync::Arc;

use askama::Template;
use axum::http::{HeaderValue, StatusCode};

use super::access::{self, OpenArchive};
use super::download::segment;
use super::face::Face;
use super::page::ArchiveHead;
use super::show::Shower;
use crate::locale::{self, text};
use crate::model::list::OriginalSenderMode;
use crate::model::{Language, ListId, Message, MessageId};
use crate::ops::archive::excerpt::{Marks, Stretch};
use crate::ops::archive::find::{self, Hits, Order, Position, SearchScope};
use crate::ops::archive::query::{self, CONDITIONS_MAX, QUERY_CHARS_MAX, Query, QueryError};
use crate::ops::archive::spelling::{self, Correction};
use crate::ops::archive::{browse, parts};
use crate::store::ReadTx;
use crate::web::context::{Context, blocking};
use crate::web::error::{PageError, PageResult};
use crate::web::frame::Frame;
use crate::web::heading::heading_and_text;
use crate::web::paths::SEARCH;

/// Hits on a page.
const PAGE_HITS: usize = 20;
/// Pages before the present one to which one can turn back one by one; from there it is one step to the first.
const VIA_MAX: usize = 20;

#[derive(Template)]
#[template(path = "archive_search.html", config = "src/web/askama.toml")]
struct SearchPage {
    frame: Frame,
    archive: ArchiveHead,
    /// The name of the list as people read it.
    heading: String,
    /// The path of this page.
    action: String,
    q: String,
    /// The words for what is wrong with the query; blank if nothing is.
    problem: String,
    /// The hits; `None` if nothing was asked.
    found: Option<Found>,
    help: Vec<Help>,
    /// The path on which a visitor signs in to find addresses, if they are hidden.
    sign_in: Option<String>,
    /// The path on which a member asks the same of all its lists.
    all: Option<String>,
}

/// The hits of a search.
struct Found {
    /// How many messages, and in which order.
    count: String,
    /// In which words it was asked for less, since all of it finds nothing; blank if it was not.
    told: String,
    /// The query in words that the archive has, and its path.
    meant: Option<Meant>,
    is_empty: bool,
    orders: Vec<OrderLink>,
    hits: Vec<Hit>,
    previous: Option<String>,
    next: Option<String>,
}

/// A query as it was probably meant.
struct Meant {
    href: String,
    /// The sentence around the query.
    before: String,
    after: String,
    /// The query, with the letters marked that differ from what was typed.
    words: Vec<Stretch>,
}

struct OrderLink {
    href: String,
    words: String,
    is_current: bool,
}

struct Hit {
    href: String,
    id: MessageId,
    /// The list, where several are searched; blank elsewhere.
    list: String,
    face: Face,
    subject: Vec<Stretch>,
    author: Vec<Stretch>,
    /// When it was written: for people, exactly, and for machines.
    day: String,
    exactly: String,
    datetime: String,
    /// How many messages the thread has.
    thread: String,
    excerpt: Vec<Stretch>,
}

/// Something that can be asked.
struct Help {
    example: String,
    words: String,
    /// Whether the query was wrong about it.
    is_wanted: bool,
}

/// `GET /lists/{name}/search/`
pub(in crate::web) async fn page(context: Arc<Context>) -> PageResult {
    in_turn(context, answer).await
}

/// Makes the page of a search when there is room for one more.
async fn in_turn(context: Arc<Context>, answer: fn(&Context) -> PageResult) -> PageResult {
    let place = context.core.reading_memory.search(context.owners()).await?;
    blocking(&context, move |context| {
        // Kept until the work ends, even if the visitor does not wait for it any more.
        let _place = place;
        answer(context)
    })
    .await
}

fn answer(context: &Context) -> PageResult {
    let tx = context.read()?;
    let open = access::open(context, &tx)?;
    let shower = Shower::new(context, &tx, &open)?;
    let language = context.language;
    let q = context.query.get("q").trim().to_owned();
    let lists = [open.list.id];
    let scope = SearchScope {
        account: open.account.id,
        lists: &lists,
        shows_addresses: open.shows_addresses,
        hidden_authors: hidden_authors(&lists, open.list.original_sender_mode),
    };
    let show = |message: &Message, marks: &Marks| hit(context, &tx, &shower, marks, message);
    let (found, error) = ask(context, &tx, &scope, &q, &show)?;
    // What a search finds is no page that others should find.
    let archive =
        ArchiveHead { canonical: None, ..ArchiveHead::of(context, &open, &shower.links, "search/") };
    let (heading, _) = heading_and_text(&open.list.description);
    let page = SearchPage {
        frame: Frame::of(context),
        heading: heading.unwrap_or_else(|| open.list.name.to_string()),
        action: open.href(context, "search/"),
        problem: error.as_ref().map(|error| problem(language, error)).unwrap_or_default(),
        help: help(language, error.as_ref()),
        sign_in: archive.sign_in.clone(),
        all: context.member().is_some().then(|| format!("{}?q={}", context.href(SEARCH), segment(&q))),
        archive,
        found,
        q,
    };
    answer_with(context, &page, error.is_some())
}

/// A page of a search, which others should not find.
fn answer_with(context: &Context, page: &impl Template, is_wrong: bool) -> PageResult {
    let status = if is_wrong { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    let mut response = context.html(status, page)?;
    response.headers_mut().insert("x-robots-tag", HeaderValue::from_static("noindex"));
    Ok(response)
}

/// The list among these, if it hides its authors.
fn hidden_authors(list: &[ListId], mode: OriginalSenderMode) -> &[ListId] {
    if mode == OriginalSenderMode::Hide { list } else { &[] }
}

/// Shows a message that was found.
type Show<'a> = dyn Fn(&Message, &Marks) -> Result<Hit, PageError> + 'a;

/// The hits of a query as it was written, or what is wrong with it; neither if nothing is asked.
fn ask(
    context: &Context,
    tx: &ReadTx,
    scope: &SearchScope<'_>,
    q: &str,
    show: &Show<'_>,
) -> Result<(Option<Found>, Option<QueryError>), PageError> {
    if q.is_empty() {
        return Ok((None, None));
    }
    match Query::parse(q, &context.locale().zone) {
        Ok(query) => Ok((Some(search(context, tx, scope, (&query, q), show)?), None)),
        Err(error) => Ok((None, Some(error))),
    }
}

fn search(
    context: &Context,
    tx: &ReadTx,
    scope: &SearchScope<'_>,
    (query, q): (&Query, &str),
    show: &Show<'_>,
) -> Result<Found, PageError> {
    let language = context.language;
    let order = if context.query.get("order") == "best" { Order::Best } else { Order::Newest };
    let position = match context.query.get("after") {
        "" => None,
        text => Some(Position::parse(text).ok_or(PageError::BadRequest)?),
    };
    let asked = loosened::of(language, tx, scope, query)?;
    let Hits { ids, next, count, count_is_minimum } =
        find::find(tx, scope, &asked.query, order, position, PAGE_HITS)?;
    let marks = Marks::of(&asked.query);
    let mut hits = Vec::new();
    for id in ids {
        if let Some(message) = browse::message_of_lists(tx, scope.lists, id)? {
            hits.push(show(&message, &marks)?);
        }
    }
    let corrected = if asked.is_less { meant(tx, scope, (query, q), show)? } else { None };
    let turner = Turner::of(context, q, order);
    let order_link =
        |which, words| OrderLink { href: turner.first(which), words, is_current: which == order };
    Ok(Found {
        count: counted(language, count, count_is_minimum, order),
        told: asked.told,
        meant: corrected.map(|text| Meant::of(language, q, &text)),
        is_empty: hits.is_empty() && next.is_none(),
        orders: vec![
            order_link(Order::Newest, text!(language, "search-newest")),
            order_link(Order::Best, text!(language, "search-best")),
        ],
        hits,
        previous: turner.previous(),
        next: next.map(|next| turner.next(&next)),
    })
}

/// The query in words that the archive has, as it would be written.
fn meant(
    tx: &ReadTx,
    scope: &SearchScope<'_>,
    (query, q): (&Query, &str),
    show: &Show<'_>,
) -> Result<Option<String>, PageError> {
    let Some((corrected, corrections)) = spelling::corrected(tx, scope, query)? else { return Ok(None) };
    let first = find::find(tx, scope, &corrected, Order::Newest, None, 1)?.ids.pop();
    let message = match first {
        Some(id) => browse::message_of_lists(tx, scope.lists, id)?,
        None => None,
    };
    let hit = message.map(|message| show(&message, &Marks::of(&corrected))).transpose()?;
    let mut text = q.to_owned();
    for Correction { word, instead } in corrections {
        let written = hit.as_ref().and_then(|hit| as_written(hit, &instead));
        text = query::rewritten(&text, &word, &written.unwrap_or(instead));
    }
    Ok(Some(text))
}

impl Meant {
    fn of(language: Language, typed: &str, text: &str) -> Meant {
        const PLACE: &str = "\u{1}";
        let sentence = text!(language, "search-meant", words = PLACE);
        let (before, after) = sentence.split_once(PLACE).unwrap_or((&sentence, ""));
        Meant {
            href: format!("?q={}", segment(text)),
            before: before.to_owned(),
            after: after.to_owned(),
            words: changed_letters(typed, text),
        }
    }
}

/// A query with the letters marked by which its words differ from those that were typed. Case is no difference.
fn changed_letters(typed: &str, text: &str) -> Vec<Stretch> {
    let mut stretches = Vec::new();
    let mut add = |text: &str, is_marked| {
        if !text.is_empty() {
            stretches.push(Stretch { text: text.to_owned(), is_marked });
        }
    };
    let mut typed = typed.split_whitespace();
    for (place, word) in text.split_whitespace().enumerate() {
        let other: Vec<char> = typed.next().unwrap_or_default().chars().collect();
        let letters: Vec<char> = word.chars().collect();
        let is_same = |(one, other): &(&char, &char)| one.to_lowercase().eq(other.to_lowercase());
        let begin = letters.iter().zip(&other).take_while(is_same).count();
        let most = letters.len().min(other.len()) - begin;
        let end = letters.iter().rev().zip(other.iter().rev()).take(most).take_while(is_same).count();
        let part = |range: std::ops::Range<usize>| letters[range].iter().collect::<String>();
        if 0 < place {
            add(" ", false);
        }
        add(&part(0..begin), false);
        add(&part(begin..letters.len() - end), true);
        add(&part(letters.len() - end..letters.len()), false);
    }
    stretches
}

/// A folded word as a message that has it writes it.
fn as_written(hit: &Hit, word: &str) -> Option<String> {
    let stretches = hit.subject.iter().chain(&hit.author).chain(&hit.excerpt);
    let mut marked = stretches.filter(|stretch| stretch.is_marked).map(|stretch| &stretch.text);
    // Case and accents are what they may differ in, so that the number of their letters is the same.
    let is_it = |text: &&String| {
        let beginning = |text: &str| text.chars().next().map(char::to_lowercase).into_iter().flatten().next();
        text.chars().count() == word.chars().count() && beginning(text) == beginning(word)
    };
    marked.find(is_it).cloned()
}

/// Makes the links to other pages of a search. A page of hits knows where the next begins, and its link where those
/// before it began.
struct Turner<'a> {
    q: String,
    order: Order,
    after: &'a str,
    /// The positions behind which the pages before this one began, the first page aside.
    via: Vec<&'a str>,
}

impl<'a> Turner<'a> {
    fn of(context: &'a Context, q: &str, order: Order) -> Turner<'a> {
        let via = context.query.get("via").split('.').filter(|place| Position::parse(place).is_some());
        Turner { q: segment(q), order, after: context.query.get("after"), via: via.collect() }
    }

    fn first(&self, order: Order) -> String {
        let order = if order == Order::Best { "&order=best" } else { "" };
        format!("?q={}{order}", self.q)
    }

    fn to(&self, after: &str, via: &[&str]) -> String {
        let via = if via.is_empty() { String::new() } else { format!("&via={}", via.join(".")) };
        format!("{}&after={after}{via}", self.first(self.order))
    }

    fn next(&self, next: &Position) -> String {
        let mut via = self.via.clone();
        if !self.after.is_empty() {
            via.push(self.after);
        }
        let kept = via.len().saturating_sub(VIA_MAX);
        self.to(&next.render(), &via[kept..])
    }

    fn previous(&self) -> Option<String> {
        if self.after.is_empty() {
            return None;
        }
        Some(match self.via.split_last() {
            Some((last, before)) => self.to(last, before),
            None => self.first(self.order),
        })
    }
}

/// How many messages were found, in words.
fn counted(language: Language, count: u64, is_minimum: bool, order: Order) -> String {
    let number = locale::number(language, count);
    match (is_minimum, order) {
        (true, Order::Newest) => text!(language, "search-least-newest", number = number),
        (true, Order::Best) => text!(language, "search-least-best", number = number),
        (false, Order::Newest) => text!(language, "search-count-newest", count = count, number = number),
        (false, Order::Best) => text!(language, "search-count-best", count = count, number = number),
    }
}

fn hit(
    context: &Context,
    tx: &ReadTx,
    shower: &Shower<'_>,
    marks: &Marks,
    message: &Message,
) -> Result<Hit, PageError> {
    let open: &OpenArchive = shower.archive;
    let language = context.language;
    let count = u64::try_from(browse::length(tx, message.thread)?.max(1)).unwrap_or(u64::MAX);
    let text = parts::beginning(tx, &shower.links, &open.list, message)?;
    Ok(Hit {
        href: open.href(context, &format!("messages/{}/", message.id)),
        id: message.id,
        list: String::new(),
        face: shower.face(message),
        subject: marks.in_text(&shower.subject(tx, message)?),
        author: marks.in_text(&shower.author(message)),
        day: shower.locale.near(message.time, context.core.now()),
        exactly: shower.locale.moment(message.time),
        datetime: message.time.rfc3339(),
        thread: text!(language, "search-in-thread", count = count, number = locale::number(language, count)),
        excerpt: marks.excerpt(&shower.words(&text)),
    })
}

/// The words for what is wrong with a query.
fn problem(language: Language, error: &QueryError) -> String {
    match error {
        QueryError::Empty => text!(language, "search-wrong-empty"),
        QueryError::TooLong => {
            text!(language, "search-wrong-long", count = u64::try_from(QUERY_CHARS_MAX).unwrap_or(u64::MAX))
        }
        QueryError::TooMany => {
            text!(language, "search-wrong-many", count = u64::try_from(CONDITIONS_MAX).unwrap_or(u64::MAX))
        }
        QueryError::OpenQuote => text!(language, "search-wrong-quote"),
        QueryError::NoValue { operator } => {
            text!(language, "search-wrong-value", operator = format!("{operator}:"))
        }
        QueryError::NoDate { operator, value } => {
            text!(language, "search-wrong-date", operator = format!("{operator}:"), value = value)
        }
        QueryError::UnknownMark { value } => text!(language, "search-wrong-mark", value = value),
        QueryError::NoThread { value } => text!(language, "search-wrong-thread", value = value),
        QueryError::UnknownOperator { name } => {
            text!(language, "search-wrong-operator", operator = format!("{name}:"))
        }
    }
}

/// The conditions that can be asked, each with an example.
fn help(language: Language, error: Option<&QueryError>) -> Vec<Help> {
    let wanted = match error {
        Some(QueryError::OpenQuote) => "\"",
        Some(QueryError::NoValue { operator } | QueryError::NoDate { operator, value: _ }) => operator,
        Some(QueryError::UnknownMark { value: _ }) => "has",
        Some(QueryError::NoThread { value: _ }) => "thread",
        Some(
            QueryError::Empty
            | QueryError::TooLong
            | QueryError::TooMany
            | QueryError::UnknownOperator { .. },
        )
        | None => "-",
    };
    let help = |operator: &str, example: String, words: String| Help {
        example,
        words,
        is_wanted: operator == wanted,
    };
    vec![
        help("", text!(language, "search-example-words"), text!(language, "search-help-words")),
        help("\"", text!(language, "search-example-phrase"), text!(language, "search-help-phrase")),
        help("", text!(language, "search-example-begin"), text!(language, "search-help-begin")),
        help("", text!(language, "search-example-not"), text!(language, "search-help-not")),
        help("from", text!(language, "search-example-from"), text!(language, "search-help-from")),
        help("subject", text!(language, "search-example-subject"), text!(language, "search-help-subject")),
        help("after", "after:2026-09".to_owned(), text!(language, "search-help-after")),
        help("before", "before:2026-11-20".to_owned(), text!(language, "search-help-before")),
        help("has", "has:attachment".to_owned(), text!(language, "search-help-has")),
        help("thread", "thread:12".to_owned(), text!(language, "search-help-thread")),
    ]
}

#[cfg(test)]
mod tests {
    use super::changed_letters;

    #[track_caller]
    fn check(typed: &str, text: &str, expected: &str) {
        let told: String = changed_letters(typed, text)
            .into_iter()
            .map(|part| if part.is_marked { format!("[{}]", part.text) } else { part.text })
            .collect();
        assert_eq!(told, expected);
    }

    #[test]
    fn the_letters_that_were_changed_are_marked_and_no_others() {
        check("pursell", "Purcell", "Pur[c]ell");
        check("Purcell rehersals", "Purcell Rehearsals", "Purcell Rehe[a]rsals");
        check("scool", "school", "sc[h]ool");
        check("schoool", "school", "school");
        check("aa", "aaa", "aa[a]");
        check("x", "Ärger", "[Ärger]");
        check("", "", "");
    }
}
