//! Reads what people ask of an archive: `tea "at five" -milk from:ada subject:cake after:2026-11 has:attachment`.
//!
//! A query is a list of conditions, all of which a message must meet. For a query that cannot be understood,
//! [`QueryError`] says what is wrong; the page of the search has the words for it.

use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::clock::Timestamp;
use crate::model::MessageId;
use crate::model::terms::{Fields, each_word, folded_address, is_hangul, is_unspaced, is_unspaced_letter};

/// Longest query, in characters.
pub const QUERY_CHARS_MAX: usize = 500;
/// Conditions of one query, at most.
pub const CONDITIONS_MAX: usize = 32;
/// Words of one condition, at most.
const WORDS_MAX: usize = 32;

/// The operators that there are, as they are written.
pub const OPERATORS: &[&str] = &["from", "subject", "before", "after", "has", "thread"];
/// Operators of other programs, which are told of instead of being taken for words.
const OTHER_OPERATORS: &[&str] = &[
    "author",
    "bcc",
    "body",
    "cc",
    "date",
    "filename",
    "in",
    "is",
    "label",
    "larger",
    "list",
    "newer",
    "newer_than",
    "older",
    "older_than",
    "sender",
    "since",
    "size",
    "smaller",
    "text",
    "to",
    "until",
];

/// A question to an archive.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Query {
    conditions: Vec<Condition>,
}

/// A test that a message must pass, or must not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Condition {
    /// Whether it must not.
    pub is_negated: bool,
    /// The test.
    pub test: Test,
}

/// A test of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Test {
    /// It has all of these words.
    Words {
        /// Folded words, at least one.
        words: Vec<String>,
        /// Which of them are beginnings of words.
        beginnings: Beginnings,
        /// The parts of the message that are looked at; each word may be in another of them.
        fields: Fields,
    },
    /// It has these words one behind the other, within one part.
    Phrase {
        /// Folded words, at least two.
        words: Vec<String>,
        /// The parts of the message that are looked at.
        fields: Fields,
    },
    /// Its sender has this folded address.
    Sender(String),
    /// It is older.
    Before(Timestamp),
    /// It is of this moment or later.
    Since(Timestamp),
    /// It has files.
    Attachment,
    /// It is in the thread that begins with this message.
    Thread(MessageId),
}

/// Which words of a condition are beginnings of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beginnings {
    /// None: all are whole words.
    None,
    /// The last, behind which a star stood.
    Last,
    /// All.
    All,
}

impl Beginnings {
    /// Which words of a phrase are beginnings: a single letter at the end of a writing without blanks, behind which
    /// others may stand.
    #[must_use]
    pub fn of_phrase(words: &[String]) -> Beginnings {
        let is_open = words.last().is_some_and(|last| is_unspaced_letter(last));
        if is_open { Beginnings::Last } else { Beginnings::None }
    }

    /// Whether the word at this place, of so many, is a beginning.
    #[must_use]
    pub fn has(self, place: usize, words: usize) -> bool {
        match self {
            Beginnings::None => false,
            Beginnings::Last => place + 1 == words,
            Beginnings::All => true,
        }
    }
}

/// The reason why a query cannot be understood.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    /// There is none.
    #[error("nothing is asked")]
    Empty,
    /// It is too long.
    #[error("a query has at most {QUERY_CHARS_MAX} characters")]
    TooLong,
    /// It has too many conditions, or too many words in one.
    #[error("a query has at most {CONDITIONS_MAX} parts")]
    TooMany,
    /// A phrase begins and does not end.
    #[error("a quotation mark is missing at the end of a phrase")]
    OpenQuote,
    /// Nothing follows an operator.
    #[error("nothing follows {operator}:")]
    NoValue {
        /// The operator.
        operator: &'static str,
    },
    /// The value is no day, month or year.
    #[error("{value} is no day: {operator}: takes 2026, 2026-11 or 2026-11-20")]
    NoDate {
        /// The operator.
        operator: &'static str,
        /// The text as it was written.
        value: String,
    },
    /// `has:` is followed by something else than `attachment`.
    #[error("has:{value} cannot be asked: only has:attachment")]
    UnknownMark {
        /// The text as it was written.
        value: String,
    },
    /// The value of `thread:` is no number.
    #[error("{value} is no thread: thread: takes the number of one")]
    NoThread {
        /// The text as it was written.
        value: String,
    },
    /// There is no such operator.
    #[error("{name}: cannot be asked")]
    UnknownOperator {
        /// The text as it was written.
        name: String,
    },
}

impl Query {
    /// Reads a query, whose days are those of a zone.
    ///
    /// # Errors
    /// If it cannot be understood.
    pub fn parse(text: &str, zone: &TimeZone) -> Result<Query, QueryError> {
        if QUERY_CHARS_MAX < text.chars().count() {
            return Err(QueryError::TooLong);
        }
        let mut query = Query::default();
        for piece in pieces(text)? {
            if let Some(condition) = piece.condition(zone)? {
                query.conditions.push(condition);
            }
        }
        if CONDITIONS_MAX < query.conditions.len() {
            return Err(QueryError::TooMany);
        }
        if query.conditions.is_empty() { Err(QueryError::Empty) } else { Ok(query) }
    }

    /// Asks for messages that have, for each word of a text, a word that begins with it.
    #[must_use]
    pub fn of_beginnings(text: &str) -> Query {
        let mut words = words_of(text);
        words.sort_unstable();
        words.dedup();
        // A word that begins with another finds no less.
        let all = words.clone();
        words.retain(|word| !all.iter().any(|longer| longer != word && longer.starts_with(word.as_str())));
        let mut query = Query::default();
        if !words.is_empty() {
            query = query.and(Test::Words { words, beginnings: Beginnings::All, fields: Fields::ANY });
        }
        query
    }

    /// The same query with one more condition.
    #[must_use]
    pub fn and(mut self, test: Test) -> Query {
        self.conditions.push(Condition { is_negated: false, test });
        self
    }

    /// The same query with the last of its words as the beginning of a word, and that word; `None` if it has none, or
    /// asks for words that begin with it already.
    #[must_use]
    pub fn with_last_as_beginning(&self) -> Option<(Query, String)> {
        let mut query = self.clone();
        let Test::Words { words, beginnings, fields: _ } = &mut query.conditions[self.last_words()?].test
        else {
            return None;
        };
        if *beginnings != Beginnings::None {
            return None;
        }
        *beginnings = Beginnings::Last;
        let word = words.last()?.clone();
        Some((query, word))
    }

    /// The same query without the last of its words, and that word; `None` if no other words are asked for.
    #[must_use]
    pub fn without_last(&self) -> Option<(Query, String)> {
        let at = self.last_words()?;
        let mut query = self.clone();
        let Condition { test: Test::Words { words, .. }, .. } = query.conditions.remove(at) else {
            return None;
        };
        let asks_words = |condition: &Condition| {
            !condition.is_negated && matches!(condition.test, Test::Words { .. } | Test::Phrase { .. })
        };
        query.conditions.iter().any(asks_words).then(|| (query, words.join(" ")))
    }

    /// The place of the last condition of words that may stand anywhere.
    fn last_words(&self) -> Option<usize> {
        let is_it = |condition: &Condition| {
            !condition.is_negated
                && matches!(condition.test, Test::Words { fields, .. } if fields == Fields::ANY)
        };
        self.conditions.iter().rposition(is_it)
    }

    /// The whole words that messages must have anywhere, each once.
    #[must_use]
    pub fn whole_words(&self) -> Vec<&str> {
        let mut found: Vec<&str> = Vec::new();
        for condition in self.conditions.iter().filter(|condition| !condition.is_negated) {
            if let Test::Words { words, beginnings: Beginnings::None, fields } = &condition.test
                && *fields == Fields::ANY
            {
                found.extend(words.iter().map(String::as_str));
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The same query with another word in the place of one.
    #[must_use]
    pub fn with_word(mut self, word: &str, instead: &str) -> Query {
        for condition in self.conditions.iter_mut().filter(|condition| !condition.is_negated) {
            if let Test::Words { words, .. } = &mut condition.test {
                words
                    .iter_mut()
                    .filter(|known| known.as_str() == word)
                    .for_each(|known| instead.clone_into(known));
            }
        }
        self
    }

    /// The conditions that messages must meet. Every message meets a query without any.
    #[must_use]
    pub fn conditions(&self) -> &[Condition] {
        &self.conditions
    }

    /// The folded words and beginnings of words that pages mark in what was found: a word of a text is marked if it is
    /// one of the first, or begins with one of the second.
    #[must_use]
    pub fn marked(&self) -> (Vec<String>, Vec<String>) {
        let (mut whole, mut beginnings) = (Vec::new(), Vec::new());
        for condition in self.conditions.iter().filter(|condition| !condition.is_negated) {
            let (words, begins) = match &condition.test {
                Test::Words { words, beginnings: begins, fields: _ } => (words, *begins),
                Test::Phrase { words, fields: _ } => (words, Beginnings::of_phrase(words)),
                Test::Sender(_) | Test::Before(_) | Test::Since(_) | Test::Attachment | Test::Thread(_) => {
                    continue;
                }
            };
            for (place, word) in words.iter().enumerate() {
                let marked = if begins.has(place, words.len()) { &mut beginnings } else { &mut whole };
                marked.push(word.clone());
            }
        }
        (whole, beginnings)
    }
}

/// A query as it was written, with another word in the place of one, which is folded.
#[must_use]
pub fn rewritten(text: &str, word: &str, instead: &str) -> String {
    let mut written = String::with_capacity(text.len() + instead.len());
    let mut rest = text;
    while !rest.is_empty() {
        let is_word = rest.starts_with(char::is_alphanumeric);
        let end = rest.find(|c: char| c.is_alphanumeric() != is_word).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(end);
        let is_it = is_word && words_of(piece).as_slice() == [word];
        written.push_str(if is_it { instead } else { piece });
        rest = behind;
    }
    written
}

/// The words of a text, in order and folded. Where it ends in a writing without blanks, its last letter is no word of
/// its own: in what is searched, other letters may follow.
fn words_of(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    each_word(text, |word, _| {
        words.push(word.to_owned());
        true
    });
    if let [.., pair, last] = words.as_slice()
        && is_unspaced_letter(last)
        && pair.starts_with(is_unspaced)
        && !is_unspaced_letter(pair)
    {
        words.pop();
    }
    words
}

/// A part of a query, as it is written.
#[derive(Debug, Default)]
struct Piece {
    is_negated: bool,
    /// The text before a colon, where one stands before the value.
    operator: Option<String>,
    value: String,
    is_quoted: bool,
}

/// Takes a query apart at blanks outside of quotation marks.
fn pieces(text: &str) -> Result<Vec<Piece>, QueryError> {
    let mut pieces = Vec::new();
    let mut rest = text.trim_start();
    while !rest.is_empty() {
        let mut piece = Piece::default();
        if let Some(behind) = rest.strip_prefix('-').filter(|behind| !behind.starts_with(char::is_whitespace))
        {
            piece.is_negated = true;
            rest = behind;
        }
        let plain = &rest[..rest.find(|c: char| c.is_whitespace() || is_quote(c)).unwrap_or(rest.len())];
        if let Some((operator, _)) = plain.split_once(':').filter(|(name, _)| is_name(name)) {
            piece.operator = Some(operator.to_lowercase());
            rest = &rest[operator.len() + 1..];
        }
        if rest.starts_with(is_quote) {
            let (value, behind) = quoted(rest).ok_or(QueryError::OpenQuote)?;
            (piece.value, piece.is_quoted, rest) = (value.to_owned(), true, behind);
        } else {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            (piece.value, rest) = (rest[..end].to_owned(), &rest[end..]);
        }
        pieces.push(piece);
        rest = rest.trim_start();
    }
    Ok(pieces)
}

/// Whether a phrase can begin or end with this character: telephones write the curved ones.
fn is_quote(c: char) -> bool {
    matches!(c, '"' | '\u{201c}' | '\u{201d}' | '\u{201e}' | '\u{ab}' | '\u{bb}')
}

/// Whether a text before a colon can be an operator.
fn is_name(text: &str) -> bool {
    let name = text.to_lowercase();
    OPERATORS.contains(&name.as_str()) || OTHER_OPERATORS.contains(&name.as_str())
}

/// The text in the quotation marks with which a text begins, and what follows them.
fn quoted(text: &str) -> Option<(&str, &str)> {
    let mut chars = text.chars();
    chars.next()?;
    let inside = chars.as_str();
    let end = inside.find(is_quote)?;
    let behind = inside[end..].chars().next().map_or(0, char::len_utf8);
    Some((&inside[..end], &inside[end + behind..]))
}

impl Piece {
    /// The condition that it asks for; `None` if it has no word, as a dash that stands alone.
    fn condition(&self, zone: &TimeZone) -> Result<Option<Condition>, QueryError> {
        let test = match self.operator.as_deref() {
            None => self.words(Fields::ANY)?,
            Some(name) => {
                let Some(operator) = OPERATORS.iter().find(|operator| **operator == name) else {
                    return Err(QueryError::UnknownOperator { name: name.to_owned() });
                };
                Some(self.asked(operator, zone)?)
            }
        };
        Ok(test.map(|test| Condition { is_negated: self.is_negated, test }))
    }

    fn asked(&self, operator: &'static str, zone: &TimeZone) -> Result<Test, QueryError> {
        let value = self.value.trim();
        if value.is_empty() {
            return Err(QueryError::NoValue { operator });
        }
        let date = || {
            first_moment(value, zone).ok_or_else(|| QueryError::NoDate { operator, value: value.to_owned() })
        };
        let words = |fields| self.words(fields)?.ok_or(QueryError::NoValue { operator });
        match operator {
            "from" if is_address(value) => Ok(Test::Sender(folded_address(value))),
            "from" => words(Fields::SENDER),
            "subject" => words(Fields::SUBJECT),
            "before" => Ok(Test::Before(date()?)),
            "after" => Ok(Test::Since(date()?)),
            "has" => match value.to_lowercase().as_str() {
                "attachment" | "attachments" => Ok(Test::Attachment),
                _ => Err(QueryError::UnknownMark { value: value.to_owned() }),
            },
            _ => {
                let thread = value.parse().ok().filter(|id| 0 < *id).map(MessageId);
                let thread = thread.ok_or_else(|| QueryError::NoThread { value: value.to_owned() });
                Ok(Test::Thread(thread?))
            }
        }
    }

    fn words(&self, fields: Fields) -> Result<Option<Test>, QueryError> {
        let words = words_of(&self.value);
        if WORDS_MAX < words.len() {
            return Err(QueryError::TooMany);
        }
        let is_beginning =
            self.value.strip_suffix('*').is_some_and(|text| text.ends_with(char::is_alphanumeric));
        // Letters of a writing without blanks stand as they are written.
        let is_phrase = self.is_quoted || words.iter().any(|word| word.starts_with(is_unspaced));
        Ok(match (words.is_empty(), is_phrase && 1 < words.len()) {
            (true, _) => None,
            (false, true) => Some(Test::Phrase { words, fields }),
            (false, false) => {
                let is_beginning = is_beginning && !self.is_quoted;
                let beginnings = match is_beginning {
                    true => Beginnings::Last,
                    false if self.is_quoted => Beginnings::of_phrase(&words),
                    // A Korean word that is found without its particle is one with any.
                    false if words.iter().all(|word| is_hangul(word)) => Beginnings::All,
                    false if words.last().is_some_and(|word| is_hangul(word)) => Beginnings::Last,
                    false => Beginnings::of_phrase(&words),
                };
                Some(Test::Words { words, beginnings, fields })
            }
        })
    }
}

/// Whether a text has an `@` within it.
fn is_address(text: &str) -> bool {
    text.split_once('@').is_some_and(|(local, domain)| !local.is_empty() && !domain.is_empty())
}

/// The first moment of a day, a month or a year in a zone.
fn first_moment(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    let text = text.replace('/', "-");
    let mut parts = text.split('-');
    let mut part = |digits: std::ops::RangeInclusive<usize>| match parts.next() {
        None => Some(None),
        Some(part) if digits.contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit()) => {
            part.parse::<i16>().ok().map(Some)
        }
        Some(_) => None,
    };
    let (year, month, day) = (part(4..=4)??, part(1..=2)?, part(1..=2)?);
    if parts.next().is_some() {
        return None;
    }
    let small = |number: Option<i16>| i8::try_from(number.unwrap_or(1)).ok();
    let date = Date::new(year, small(month)?, small(day)?).ok()?;
    let start = date.to_zoned(zone.clone()).ok()?;
    Some(Timestamp::from_ms(start.timestamp().as_millisecond()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let query = Query::parse(text, &TimeZone::UTC).unwrap_or_else(|error| panic!("{text}: {error}"));
        let shown: Vec<String> = query.conditions.iter().map(show).collect();
        assert_eq!(shown, expected, "{text}");
    }

    fn show(condition: &Condition) -> String {
        let not = if condition.is_negated { "not " } else { "" };
        let of = |fields: &Fields| match *fields {
            Fields::ANY => "",
            Fields::SENDER => "sender ",
            _ => "subject ",
        };
        let test = match &condition.test {
            Test::Words { words, beginnings, fields } => {
                let star = if *beginnings == Beginnings::Last { "*" } else { "" };
                format!("{}{}{star}", of(fields), words.join(" "))
            }
            Test::Phrase { words, fields } => format!("{}'{}'", of(fields), words.join(" ")),
            Test::Sender(address) => format!("<{address}>"),
            Test::Before(time) => format!("before {time}"),
            Test::Since(time) => format!("since {time}"),
            Test::Attachment => "attachment".to_owned(),
            Test::Thread(thread) => format!("thread {thread}"),
        };
        format!("{not}{test}")
    }

    #[track_caller]
    fn refused(text: &str, expected: &QueryError) {
        assert_eq!(Query::parse(text, &TimeZone::UTC).as_ref(), Err(expected), "{text}");
    }

    #[test]
    fn words_are_folded_and_phrases_are_quoted() {
        check("Tea  CAFÉ", &["tea", "cafe"]);
        check("\"at  Five\" tea", &["'at five'", "tea"]);
        check("“at five” „tea“", &["'at five'", "tea"]);
        check("e-mail rust*", &["e mail", "rust*"]);
        check("- -- tea & cake", &["tea", "cake"]);
        check("Re:zero http://x.org/a 12:30", &["re zero", "http x org a", "12 30"]);
    }

    #[test]
    fn writing_without_blanks_is_asked_for_as_pairs_that_stand_together() {
        check("東京", &["東京"]);
        check("東京都 tea", &["'東京 京都'", "tea"]);
        check("都", &["都*"]);
        check("-第2回", &["not '第 2 回'"]);
        check("subject:\"東京 tower\"", &["subject '東京 京 tower'"]);
        check("ประชุม tea", &["'ปร ระ ะช ชม'", "tea"]);
    }

    #[test]
    fn korean_words_are_asked_for_as_beginnings() {
        let beginnings = |text: &str| match Query::parse(text, &TimeZone::UTC).unwrap().conditions[0].test {
            Test::Words { beginnings, .. } => beginnings,
            _ => panic!("{text}"),
        };
        assert_eq!(beginnings("서울"), Beginnings::All);
        assert_eq!(beginnings("e-메일"), Beginnings::Last);
        assert_eq!(beginnings("\"서울\""), Beginnings::None);
        assert_eq!(beginnings("tea"), Beginnings::None);
    }

    #[test]
    fn a_dash_says_what_must_not_be() {
        check("tea -milk -\"at five\" -from:ada", &["tea", "not milk", "not 'at five'", "not sender ada"]);
        check("-milk", &["not milk"]);
    }

    #[test]
    fn operators_ask_for_parts_days_files_and_threads() {
        check(
            "from:Ada subject:\"tea time\" FROM:\"Ada L\"",
            &["sender ada", "subject 'tea time'", "sender 'ada l'"],
        );
        check("from:Ada@X.org from:@x.org", &["<ada@x.org>", "sender x org"]);
        check(
            "before:2026-11-20 after:2026-02 after:2025",
            &["before 2026-11-20T00:00:00Z", "since 2026-02-01T00:00:00Z", "since 2025-01-01T00:00:00Z"],
        );
        check(
            "before:2026/1/2 has:Attachment thread:12",
            &["before 2026-01-02T00:00:00Z", "attachment", "thread 12"],
        );
    }

    #[test]
    fn a_wrong_query_says_what_is_wrong() {
        refused("", &QueryError::Empty);
        refused(" -- \"\"", &QueryError::Empty);
        refused("tea \"at five", &QueryError::OpenQuote);
        refused("from:", &QueryError::NoValue { operator: "from" });
        refused("subject:--", &QueryError::NoValue { operator: "subject" });
        refused("to:ada", &QueryError::UnknownOperator { name: "to".to_owned() });
        refused("has:cats", &QueryError::UnknownMark { value: "cats".to_owned() });
        refused("thread:x", &QueryError::NoThread { value: "x".to_owned() });
        for value in ["yesterday", "2026-13", "2026-02-30", "26-1-1", "2026-1-1-1", "1", "+026"] {
            let value = value.to_owned();
            refused(&format!("after:{value}"), &QueryError::NoDate { operator: "after", value });
        }
        refused(&"a ".repeat(QUERY_CHARS_MAX), &QueryError::TooLong);
        refused(&"a ".repeat(CONDITIONS_MAX + 1), &QueryError::TooMany);
    }

    #[test]
    fn a_query_that_finds_nothing_is_asked_with_less() {
        let parse = |text: &str| Query::parse(text, &TimeZone::UTC).unwrap();
        let show = |query: &Query| query.conditions.iter().map(show).collect::<Vec<_>>().join(", ");
        for (text, as_beginning, without) in [
            ("Hear my pray", Some("hear, my, pray*"), Some("hear, my")),
            ("purcel", Some("purcel*"), None),
            ("tea* -milk after:2026", None, None),
            ("tea from:ada", Some("tea*, sender ada"), Some("sender ada")),
            ("\"at five\" tea", Some("'at five', tea*"), Some("'at five'")),
            ("\"at five\"", None, None),
            ("tea has:attachment", Some("tea*, attachment"), None),
        ] {
            let query = parse(text);
            let found = query.with_last_as_beginning().map(|(query, _)| show(&query));
            assert_eq!(found.as_deref(), as_beginning, "{text}");
            assert_eq!(query.without_last().map(|(query, _)| show(&query)).as_deref(), without, "{text}");
        }
        assert_eq!(parse("tea -milk cake* from:ada tea \"at five\"").whole_words(), ["tea"]);
        assert_eq!(show(&parse("tee -tee tee").with_word("tee", "tea")), "tea, not tee, tea");
        assert_eq!(
            rewritten("Purcel: \"my purcel\" -x PURCÉL's", "purcel", "Purcell"),
            "Purcell: \"my Purcell\" -x Purcell's"
        );
    }

    #[test]
    fn a_word_of_a_question_that_begins_another_asks_for_nothing_more() {
        let query = Query::of_beginnings("a ada adam b");
        let words = vec!["adam".to_owned(), "b".to_owned()];
        let expected = Test::Words { words, beginnings: Beginnings::All, fields: Fields::ANY };
        assert_eq!(query, Query::default().and(expected));
        assert_eq!(Query::of_beginnings(" - "), Query::default());
    }
}
