//! Search in archives against a plain scan: 5,000 made-up messages, and random questions with every operator. Every page
//! must have the hits that the scan has, in the same order.
//!
//! The scan knows the words of a message because it made them; it splits no text and folds no letter.

use std::cmp::Reverse;
use std::time::Duration;

use crier::clock::Timestamp;
use crier::model::{AccountId, BlobId, List, ListId, Message, MessageId, Segment};
use crier::ops::archive::find::{Order, Position, SearchScope, find};
use crier::ops::archive::query::Query;
use crier::ops::archive::threads;
use crier::store::{Read as _, ReadTx, StoreError, WriteTx};

use crate::harness::TestApp;

const MESSAGES: usize = 5000;
const QUESTIONS: usize = 400;

/// Numbers that are the same in every run (`SplitMix64`).
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % end as u64).unwrap()
    }

    /// A small number much oftener than a large one.
    fn zipf(&mut self, end: usize) -> usize {
        let most = self.below(end) + 1;
        self.below(most).min(self.below(most))
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
}

/// A word as the scan knows it.
#[derive(Debug, Clone, PartialEq)]
struct Token {
    folded: String,
    is_hidden: bool,
}

/// A text as it is written, and its words.
#[derive(Debug, Clone, Default)]
struct Text {
    written: String,
    tokens: Vec<Token>,
}

impl Text {
    fn add(&mut self, between: &str, written: &str, folded: &str, is_hidden: bool) {
        if !self.written.is_empty() {
            self.written.push_str(between);
        }
        self.written.push_str(written);
        self.tokens.push(Token { folded: folded.to_owned(), is_hidden });
    }

    fn add_address(&mut self, between: &str, person: &Person) {
        self.add(between, person.local, person.local, false);
        self.add("@", person.host, person.host, true);
        self.add(".", "example", "example", true);
    }
}

struct Person {
    name: (&'static str, &'static str),
    local: &'static str,
    host: &'static str,
}

impl Person {
    fn address(&self) -> String {
        format!("{}@{}.example", self.local, self.host)
    }
}

const PEOPLE: &[Person] = &[
    Person { name: ("Ada Byron", "ada byron"), local: "ada", host: "engine" },
    Person { name: ("Zoë Łódz", "zoe lodz"), local: "zoe", host: "tea" },
    Person { name: ("Bob", "bob"), local: "bob7", host: "engine" },
    Person { name: ("ada tea", "ada tea"), local: "other", host: "w12" },
    Person { name: ("Юрий W7", "юрии w7"), local: "w3", host: "w1" },
    Person { name: ("Tea Time", "tea time"), local: "time", host: "tea" },
];

/// Words that are written in several ways, with the one form in which they are found.
const WRITTEN: &[(&[&str], &str)] = &[
    (&["tea", "Tea", "TEA"], "tea"),
    (&["time", "Time"], "time"),
    (&["café", "CAFÉ", "cafe\u{301}", "cafe"], "cafe"),
    (&["Straße", "strasse", "STRASSE"], "strasse"),
    (&["東京"], "東京"),
    (&["engine"], "engine"),
    (&["ada"], "ada"),
];

fn word(random: &mut Random) -> (String, String) {
    if random.chance(25) {
        let (written, folded) = random.pick(WRITTEN);
        return ((*random.pick(written)).to_owned(), (*folded).to_owned());
    }
    let number = random.zipf(600);
    let folded = format!("w{number}");
    let written = if random.chance(10) { folded.to_uppercase() } else { folded.clone() };
    (written, folded)
}

fn text(random: &mut Random, words: usize) -> Text {
    let mut text = Text::default();
    for _ in 0..words {
        let between = *random.pick(&[" ", " ", " ", ", ", "-", "\n", ". "]);
        if random.chance(2) {
            text.add_address(" ", random.pick(PEOPLE));
            text.written.push(' ');
        } else {
            let (written, folded) = word(random);
            text.add(between, &written, &folded, false);
        }
    }
    text
}

/// A message as the scan knows it.
#[derive(Debug, Clone)]
struct Known {
    id: u64,
    list: ListId,
    time: i64,
    thread: u64,
    address: String,
    subject: Text,
    phrase: Text,
    sender: Text,
    body: Text,
    has_file: bool,
    is_deleted: bool,
}

impl Known {
    fn raw(&self) -> Vec<u8> {
        let text = self.body.written.replace('\n', "\r\n");
        let start = "From: a@x.org\r\nSubject: s\r\nMIME-Version: 1.0\r\n";
        let plain = "Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n";
        if self.has_file {
            let file = "Content-Type: image/png\r\nContent-Disposition: attachment; filename=w1.png\r\n\r\nw2 tea";
            format!("{start}Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n{plain}{text}\r\n--b\r\n{file}\r\n--b--\r\n")
        } else {
            format!("{start}{plain}{text}\r\n")
        }
        .into_bytes()
    }

    /// Its words, in parts whose words stand one behind the other, each with what it counts.
    fn parts(&self) -> [(u32, &Text); 4] {
        [(4, &self.subject), (2, &self.phrase), (2, &self.sender), (1, &self.body)]
    }
}

/// A query, as the scan asks it.
#[derive(Debug, Clone)]
enum Test {
    Word { word: String, is_beginning: bool, part: Option<u32> },
    Phrase { words: Vec<String>, part: Option<u32> },
    Address(String),
    Before(i64),
    Since(i64),
    File,
    Thread(u64),
}

impl Test {
    fn is_met(&self, known: &Known, shows: bool) -> bool {
        let seen = |token: &&Token| shows || !token.is_hidden;
        let asked = |part: &Option<u32>| {
            let part = *part;
            known.parts().into_iter().filter(move |(of, _)| part.is_none_or(|part| part == *of))
        };
        match self {
            Test::Word { word, is_beginning, part } => asked(part).any(|(_, text)| {
                text.tokens.iter().filter(seen).any(|token| fits(token, word, *is_beginning))
            }),
            Test::Phrase { words, part } => asked(part).any(|(_, text)| {
                text.tokens.windows(words.len()).any(|window| {
                    let mut pairs = window.iter().zip(words);
                    pairs.all(|(token, word)| token.folded == *word && seen(&token))
                })
            }),
            Test::Address(address) => shows && known.address == *address,
            Test::Before(time) => known.time < *time,
            Test::Since(time) => *time <= known.time,
            Test::File => known.has_file,
            Test::Thread(thread) => known.thread == *thread,
        }
    }

    fn points(&self, known: &Known, shows: bool) -> u32 {
        let points = |word: &str, is_beginning: bool| {
            let parts = known.parts().into_iter();
            let found = parts.filter(|(_, text)| {
                let mut tokens = text.tokens.iter().filter(|token| shows || !token.is_hidden);
                tokens.any(|token| fits(token, word, is_beginning))
            });
            found.map(|(points, _)| points).max().unwrap_or(0)
        };
        match self {
            Test::Word { word, is_beginning, part: _ } => points(word, *is_beginning),
            Test::Phrase { words, part: _ } => words.iter().map(|word| points(word, false)).sum(),
            _ => 0,
        }
    }
}

fn fits(token: &Token, word: &str, is_beginning: bool) -> bool {
    if is_beginning { token.folded.starts_with(word) } else { token.folded == word }
}

/// A question as it is written, and as the scan asks it.
#[derive(Debug, Default)]
struct Question {
    written: Vec<String>,
    tests: Vec<(bool, Test)>,
}

fn question(random: &mut Random, known: &[Known]) -> Question {
    let mut question = Question::default();
    for _ in 0..=random.zipf(4) {
        let (written, test) = test(random, known);
        let is_negated = random.chance(20);
        question.written.push(if is_negated { format!("-{written}") } else { written });
        question.tests.push((is_negated, test));
    }
    question
}

fn test(random: &mut Random, known: &[Known]) -> (String, Test) {
    let (prefix, part) =
        *random.pick(&[("", None), ("", None), ("subject:", Some(4)), ("from:", Some(2)), ("", None)]);
    match random.below(12) {
        0..=3 => {
            let (written, folded) = word(random);
            (format!("{prefix}{written}"), Test::Word { word: folded, is_beginning: false, part })
        }
        4 => {
            let (_, folded) = word(random);
            let word: String = folded.chars().take(1 + random.below(3)).collect();
            (format!("{prefix}{word}*"), Test::Word { word, is_beginning: true, part })
        }
        5 | 6 => {
            let of = random.pick(known).parts()[random.below(4)].1;
            let (from, words) = (random.below(of.tokens.len()), 2 + random.below(2));
            let words: Vec<String> =
                of.tokens.iter().skip(from).take(words).map(|token| token.folded.clone()).collect();
            let written = format!("{prefix}\"{}\"", words.join(" "));
            match <[String; 1]>::try_from(words) {
                Ok([word]) => (written, Test::Word { word, is_beginning: false, part }),
                Err(words) => (written, Test::Phrase { words, part }),
            }
        }
        7 => {
            let address = random.pick(PEOPLE).address();
            (format!("from:{}", address.to_uppercase()), Test::Address(address))
        }
        8 => {
            let host = *random.pick(&["example", "engine", "w1"]);
            (format!("{prefix}{host}"), Test::Word { word: host.to_owned(), is_beginning: false, part })
        }
        9 => {
            let day = 1 + random.below(28);
            let month = 1 + random.below(12);
            let (written, test): (&str, fn(i64) -> Test) =
                if random.chance(50) { ("before", Test::Before) } else { ("after", Test::Since) };
            let date = format!("2025-{month:02}-{day:02}");
            let moment = Timestamp::parse_rfc3339(&format!("{date}T00:00:00Z")).unwrap();
            (format!("{written}:{date}"), test(moment.ms()))
        }
        10 => ("has:attachment".to_owned(), Test::File),
        _ => {
            let thread = random.pick(known).thread;
            (format!("thread:{thread}"), Test::Thread(thread))
        }
    }
}

/// The ids that a scan finds, in order.
fn scan(known: &[Known], question: &Question, lists: &[ListId], shows: bool, order: Order) -> Vec<u64> {
    let mut found: Vec<&Known> = known
        .iter()
        .filter(|known| !known.is_deleted && lists.contains(&known.list))
        .filter(|known| question.tests.iter().all(|(negated, test)| test.is_met(known, shows) != *negated))
        .collect();
    found.sort_by_key(|known| {
        let asked = question.tests.iter().filter(|(negated, _)| !negated && order == Order::Best);
        let points: u32 = asked.map(|(_, test)| test.points(known, shows)).sum();
        (Reverse(points), Reverse(known.time), Reverse(known.id))
    });
    found.iter().map(|known| known.id).collect()
}

/// Walks all pages of a search.
pub(crate) fn all_pages(
    tx: &ReadTx,
    scope: &SearchScope<'_>,
    query: &Query,
    order: Order,
    limit: usize,
) -> (Vec<u64>, u64, bool) {
    let mut ids = Vec::new();
    let mut position: Option<Position> = None;
    let (mut count, mut is_minimum) = (None, false);
    loop {
        let hits = find(tx, scope, query, order, position, limit).unwrap();
        assert!(hits.ids.len() <= limit);
        ids.extend(hits.ids.iter().map(|id| id.0));
        count.get_or_insert(hits.count);
        is_minimum |= hits.count_is_minimum;
        match hits.next {
            None => return (ids, count.unwrap_or(0), is_minimum),
            Some(next) => {
                assert_eq!(Position::parse(&next.render()), Some(next));
                position = Some(next);
            }
        }
    }
}

/// Stores a message as an import does.
fn store(tx: &mut WriteTx<'_>, account: AccountId, known: &mut Known) -> Result<(), StoreError> {
    let blob = tx.put_blob(&known.raw())?;
    let id = tx.next_id::<Message>()?;
    if known.thread == 0 {
        known.thread = id;
    }
    known.id = id;
    let message = Message {
        id: MessageId(id),
        account,
        list: known.list,
        subject: known.subject.written.clone(),
        from_phrase: known.phrase.written.clone(),
        from_address: known.address.clone(),
        time: Timestamp::from_ms(known.time),
        message_id: format!("{id}@example"),
        thread: MessageId(known.thread),
        parent: (known.thread != id).then_some(MessageId(known.thread)),
        blob: BlobId(blob.0),
        size_bytes: known.raw().len() as u64,
        deleted: false,
        changes: None,
        authentication: None,
        requires_tls: false,
    };
    tx.put(&message)?;
    threads::added(tx, &message)
}

fn message(random: &mut Random, known: &[Known], lists: &[ListId], time: i64) -> Known {
    let person = random.pick(PEOPLE);
    let list = *random.pick(lists);
    let mut of_person = Text { written: person.name.0.to_owned(), tokens: Vec::new() };
    of_person.tokens =
        person.name.1.split(' ').map(|word| Token { folded: word.to_owned(), is_hidden: false }).collect();
    let mut sender = Text::default();
    sender.add_address("", person);
    let subject_words = 1 + random.below(4);
    let body_words = 3 + random.below(30);
    let earlier = known.len().checked_sub(1).map(|last| &known[random.below(last + 1)]);
    let parent = earlier.filter(|earlier| earlier.list == list && random.chance(60));
    Known {
        id: 0,
        list,
        time,
        thread: parent.map_or(0, |parent| parent.thread),
        address: person.address(),
        subject: text(random, subject_words),
        phrase: of_person,
        sender,
        body: text(random, body_words),
        has_file: random.chance(5),
        is_deleted: false,
    }
}

/// Fills two lists: in small steps as mail comes, in large ones as imports do, with times in no order.
async fn fill(app: &TestApp, random: &mut Random, lists: &[ListId]) -> Vec<Known> {
    let account = AccountId(app.account_id());
    let start = Timestamp::parse_rfc3339("2025-01-01T00:00:00Z").unwrap().ms();
    let mut known: Vec<Known> = Vec::new();
    let mut live = start;
    while known.len() < MESSAGES {
        let is_import = random.chance(40);
        let step = if is_import { 1 + random.below(700) } else { 1 + random.below(60) };
        let mut new: Vec<Known> = Vec::new();
        for _ in 0..step.min(MESSAGES - known.len()) {
            live += i64::try_from(random.below(9_000_000)).unwrap();
            let span = usize::try_from(live - start + 1).unwrap();
            // Whole seconds, some of them the same.
            let old = start + i64::try_from(random.below(span) / 3_600_000 * 3_600_000).unwrap();
            let time = if is_import { old } else { live };
            new.push(message(random, &known, lists, time));
        }
        let stored = move |tx: &mut WriteTx<'_>| {
            new.iter_mut().try_for_each(|known| store(tx, account, known))?;
            Ok::<_, StoreError>(new)
        };
        known.extend(app.core().store.write(stored).await.unwrap());
        app.settle().await;
        if random.chance(50) {
            delete_some(app, random, &mut known).await;
        }
    }
    known
}

async fn delete_some(app: &TestApp, random: &mut Random, known: &mut [Known]) {
    for _ in 0..random.below(12) {
        let at = random.below(known.len());
        if !known[at].is_deleted {
            app.admin.delete(&format!("/api/2/messages/{}/", known[at].id)).await.good();
            known[at].is_deleted = true;
        }
    }
}

/// The ids of a listing of the API, page by page.
async fn listed(app: &TestApp, query: &str) -> Vec<u64> {
    let mut ids: Vec<u64> = Vec::new();
    let mut after = String::new();
    loop {
        let path = format!("/api/2/messages/?fields=id&limit=700&{query}{after}");
        let listing = app.admin.get(&path).await.good();
        let page: Vec<u64> =
            listing["data"].as_array().unwrap().iter().map(|row| row["id"].as_u64().unwrap()).collect();
        let Some(last) = page.last() else { return ids };
        after = format!("&after={last}");
        ids.extend(page);
    }
}

/// Listings of the API are in the order of time, too.
async fn check_listings(app: &TestApp, known: &[Known], lists: &[ListId]) {
    let beginning = |word: &str| Test::Word { word: word.to_owned(), is_beginning: true, part: None };
    let moment = |text: &str| Timestamp::parse_rfc3339(text).unwrap().ms();
    let since = Test::Since(moment("2025-03-01T00:00:00Z"));
    let until = Test::Before(moment("2025-06-01T00:00:01Z"));
    let span = "since=2025-03-01T00:00:00Z&until=2025-06-01T00:00:00Z";
    for (query, lists, tests) in [
        (String::new(), lists, vec![]),
        ("list=news".to_owned(), &lists[..1], vec![]),
        ("search=w1+tea".to_owned(), lists, vec![beginning("w1"), beginning("tea")]),
        ("search=exam&list=talk".to_owned(), &lists[1..], vec![beginning("exam")]),
        (span.to_owned(), lists, vec![since.clone(), until.clone()]),
        (format!("{span}&list=talk"), &lists[1..], vec![since.clone(), until.clone()]),
        (format!("{span}&search=caf"), lists, vec![since, until, beginning("caf")]),
        ("from=ada%40engine.example".to_owned(), lists, vec![Test::Address("ada@engine.example".to_owned())]),
    ] {
        let question =
            Question { written: Vec::new(), tests: tests.into_iter().map(|test| (false, test)).collect() };
        let expected = scan(known, &question, lists, true, Order::Newest);
        assert!(!expected.is_empty() && listed(app, &query).await == expected, "{query}");
    }
}

#[tokio::test]
async fn a_search_finds_what_a_plain_scan_finds_hit_for_hit() {
    let app = TestApp::start().await;
    app.clock.advance(Duration::from_hours(1));
    let mut lists = Vec::new();
    for name in ["news", "talk"] {
        app.list(name).create().await;
    }
    let store = app.core().store.clone();
    lists.extend(store.read().unwrap().all::<List>(0, 10).unwrap().iter().map(|list| list.id));
    let mut random = Random(7);
    let known = fill(&app, &mut random, &lists).await;
    let tx = store.read().unwrap();
    let segments: Vec<Segment> = tx.all(0, usize::MAX).unwrap();
    assert!(segments.iter().any(|segment| 1024 < segment.documents), "none was merged: {segments:?}");
    let (mut hits, mut none, mut exact) = (0, 0, 0);
    for _ in 0..QUESTIONS {
        let question = question(&mut random, &known);
        let written = question.written.join(" ");
        let shows = random.chance(50);
        let asked = *random.pick(&[&lists[..], &lists[..1], &lists[1..]]);
        let scope = SearchScope {
            account: AccountId(app.account_id()),
            lists: asked,
            shows_addresses: shows,
            hidden_authors: &[],
        };
        let query = Query::parse(&written, &jiff::tz::TimeZone::UTC)
            .unwrap_or_else(|error| panic!("{written}: {error}"));
        for order in [Order::Newest, Order::Best] {
            let expected = scan(&known, &question, asked, shows, order);
            let limit = 50 + random.below(1000);
            let (found, count, is_minimum) = all_pages(&tx, &scope, &query, order, limit);
            let what = format!("{written} shows {shows} lists {asked:?} {order:?}");
            if order == Order::Newest || !is_minimum {
                assert!(
                    found == expected,
                    "{what}: {} instead of {}\n{found:?}\n{expected:?}",
                    found.len(),
                    expected.len()
                );
            }
            if is_minimum {
                assert!(count <= expected.len() as u64, "{what}: {count} of {}", expected.len());
            } else {
                assert_eq!(count, expected.len() as u64, "{what}");
                exact += 1;
            }
            hits += found.len();
            none += usize::from(found.is_empty());
        }
    }
    drop(tx);
    check_listings(&app, &known, &lists).await;
    // The questions are worth asking.
    assert!(
        100_000 < hits && none < QUESTIONS && QUESTIONS < exact,
        "{hits} hits, {none} without, {exact} exact"
    );
}
