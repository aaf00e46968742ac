//! Reads what the author of an answer wrote, above or below the mail that is answered: a moderator's decision.
//!
//! Quotes are passed over with the line in front of them that says whose words they are, so that a quoted word is never
//! taken for the author's; nor is what may be the rest of a quoted line that a program broke. Where a mail is quoted
//! without marks, nothing behind it is read.

use super::commands::ends_text;
use super::parse::Inbound;
use super::reading::attribution_lines;

/// Lines of a text that are read.
const LINES_MAX: usize = 500;
/// Words of the longest greeting, names included.
const GREETING_WORDS_MAX: usize = 6;
/// The words that greetings begin with, in the languages of the interface.
const GREETINGS: [&str; 22] = [
    "hi",
    "hello",
    "hey",
    "dear",
    "good",
    "hallo",
    "moin",
    "servus",
    "liebe",
    "lieber",
    "liebes",
    "guten",
    "sehr",
    "bonjour",
    "bonsoir",
    "salut",
    "cher",
    "chère",
    "hola",
    "buenos",
    "buenas",
    "estimados",
];
/// Characters of the shortest lines that programs break.
const BROKEN_CHARS_MIN: usize = 60;
/// Characters without a width, which some programs set in front of a text.
const INVISIBLE: [char; 5] = ['\u{feff}', '\u{200b}', '\u{200c}', '\u{200d}', '\u{2060}'];

/// Whether a text marks the lines that it quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quotes {
    /// Each line begins with a mark.
    Marked,
    /// They were taken out already; the lines in front of them were not.
    TakenOut,
}

/// A line of an answer that is its author's own and no greeting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerLine {
    /// Its text, without blanks around it.
    pub text: String,
    /// Whether it is the first one above the quotes, between two of them, or below them.
    pub is_first: bool,
}

impl Inbound {
    /// The lines of an answer that are its author's own words, above, between and below what is quoted.
    #[must_use]
    pub fn answer_lines(&self) -> Vec<AnswerLine> {
        let (text, is_plain) = self.unquoted_text();
        let quotes = if is_plain { Quotes::Marked } else { Quotes::TakenOut };
        let OwnLines { lines, begins, .. } = own_lines(&text, quotes);
        let mut is_first = true;
        let mut answer = Vec::new();
        for (place, line) in lines.into_iter().enumerate() {
            is_first |= begins.contains(&place);
            if !is_greeting(line) {
                answer.push(AnswerLine { text: line.to_owned(), is_first });
                is_first = false;
            }
        }
        answer
    }
}

/// The lines that the author of a text wrote.
struct OwnLines<'t> {
    lines: Vec<&'t str>,
    /// The places of lines behind a quote.
    begins: Vec<usize>,
    /// Lines directly behind the last quote, which may be the rest of its last line.
    doubtful: Vec<&'t str>,
}

impl OwnLines<'_> {
    /// Takes out the line at the end that introduces a quote, if there is one behind `paragraph`. Returns whether there
    /// was.
    fn drop_attribution(&mut self, paragraph: usize) -> bool {
        let count = attribution_lines(&self.lines[paragraph..]);
        self.lines.truncate(self.lines.len() - count);
        count != 0
    }

    /// The same, where doubtful lines are the author's if there are no others.
    fn settled(mut self) -> Self {
        if self.lines.iter().all(|line| is_greeting(line)) && !self.doubtful.is_empty() {
            self.begins = vec![0];
            self.lines = std::mem::take(&mut self.doubtful);
        }
        self
    }
}

/// Whether a line without a mark may be the rest of the marked one in front of it: whether both were too long together.
fn may_be_broken(marked: &str, rest: &str) -> bool {
    let word = rest.split_whitespace().next().unwrap_or_default();
    BROKEN_CHARS_MIN < marked.chars().count() + 1 + word.chars().count()
}

fn own_lines(text: &str, quotes: Quotes) -> OwnLines<'_> {
    let mut own = OwnLines { lines: Vec::new(), begins: Vec::new(), doubtful: Vec::new() };
    // Where the paragraph begins that may introduce a quote.
    let mut paragraph = 0;
    let mut is_gap = false;
    // The marked line directly in front, and whether its rest is being passed over.
    let mut marked = None;
    let mut is_rest = false;
    let lines = text.lines().take(LINES_MAX).map(|line| line.trim().trim_matches(INVISIBLE).trim());
    for line in lines.take_while(|line| !ends_text(line)) {
        if line.is_empty() {
            is_gap = true;
            is_rest = false;
            marked = None;
        } else if line.starts_with(['>', '|']) {
            own.drop_attribution(paragraph);
            own.doubtful.clear();
            is_rest = false;
            marked = Some(line);
            paragraph = own.lines.len();
            own.begins.push(paragraph);
        } else if is_rest || marked.take().is_some_and(|marked| may_be_broken(marked, line)) {
            is_rest = true;
            own.doubtful.push(line);
        } else {
            if std::mem::take(&mut is_gap) {
                if attribution_lines(&own.lines[paragraph..]) != 0 {
                    break;
                }
                paragraph = own.lines.len();
            }
            own.lines.push(line);
            if quotes == Quotes::TakenOut && own.drop_attribution(paragraph) {
                paragraph = paragraph.min(own.lines.len());
                own.begins.push(own.lines.len());
            }
        }
    }
    // A line that introduces a quote is none of the author's words, even where the quote is missing.
    own.drop_attribution(paragraph);
    own.settled()
}

/// Whether a line only greets somebody.
fn is_greeting(line: &str) -> bool {
    let words: Vec<String> = line
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .take(GREETING_WORDS_MAX + 1)
        .map(str::to_lowercase)
        .collect();
    let begins = words.first().is_some_and(|word| GREETINGS.contains(&word.as_str()));
    begins && words.len() <= GREETING_WORDS_MAX
}

#[cfg(test)]
mod tests {
    use crate::mail::parse;

    fn first_of(message: Vec<u8>) -> Option<String> {
        parse(message).unwrap().answer_lines().into_iter().next().map(|line| line.text)
    }

    #[test]
    fn the_first_lines_above_and_below_a_quote_are_told_from_the_others() {
        let body = "From: a@x.org\n\nHi,\nthanks.\nLater.\n\nOn 26 Nov 2026, news <n@x.org> wrote:\n> reject\n\n\
                    Hello Ruth,\napprove\nBye\n";
        let lines = parse(body.replace('\n', "\r\n").into_bytes()).unwrap().answer_lines();
        let lines: Vec<(&str, bool)> = lines.iter().map(|line| (line.text.as_str(), line.is_first)).collect();
        assert_eq!(lines, [("thanks.", true), ("Later.", false), ("approve", true), ("Bye", false)]);
    }

    #[track_caller]
    fn check(body: &str, expected: Option<&str>) {
        let message = format!("From: a@x.org\n\n{body}").replace('\n', "\r\n").into_bytes();
        assert_eq!(first_of(message).as_deref(), expected, "{body}");
    }

    #[track_caller]
    fn check_html(html: &str, expected: Option<&str>) {
        let message = format!("From: a@x.org\r\nContent-Type: text/html\r\n\r\n{html}\r\n").into_bytes();
        assert_eq!(first_of(message).as_deref(), expected, "{html}");
    }

    #[test]
    fn the_first_own_line_stands_above_or_below_the_quote() {
        check("\n> discard\n  Approve  \nreject", Some("Approve"));
        check("> approve\n>discard\n\n", None);
        check("Am 26.11.26 um 21:18 schrieb news:\n> reject\n> or discard\n\napprove\n", Some("approve"));
        check(
            "On Thu, 26 Nov 2026 at 21:18, news\n<news@x.org> wrote:\n\n> reject\n\ndiscard\n",
            Some("discard"),
        );
        check("approve\n\nOn Thu, 26 Nov 2026, news <news@x.org> wrote:\n> reject\n", Some("approve"));
        check(
            "Le jeu. 26 nov. 2026 à 21:18, news <n@x.org> a écrit :\n> rejeter\n\nApprouver\n",
            Some("Approuver"),
        );
    }

    #[test]
    fn greetings_and_invisible_letters_are_passed_over() {
        check("Hi,\n\napprove\n", Some("approve"));
        check("Hallo Ruth,\nfreigeben\n", Some("freigeben"));
        check("Bonjour à tous !\n\napprouver", Some("approuver"));
        check("\u{feff}approve", Some("approve"));
        check(
            "Hello, this is a question about the post that waits",
            Some("Hello, this is a question about the post that waits"),
        );
    }

    #[test]
    fn the_rest_of_a_quoted_line_is_not_the_authors() {
        let long = "a".repeat(66);
        let wrote = "On Thu, 26 Nov 2026, news <n@x.org> wrote:";
        check(&format!("Later.\n\n{wrote}\n> > {long}\napprove\n> > rest\n"), Some("Later."));
        check(&format!("{wrote}\n> > {long}\napprove\n> > rest\n\nLater.\n"), Some("Later."));
        check(&format!("{wrote}\n> > {long}\napprove\nmore\n\nLater.\n"), Some("Later."));
        check(&format!("{wrote}\n> > a\n{long}\napprove\n\nLater.\n"), Some("Later."));
        check(&format!("{wrote}\n> > {long}\napprove\n> > rest\n"), None);
        // Whoever writes directly below a quote is understood.
        check(&format!("{wrote}\n> > {long}\napprove\n"), Some("approve"));
        check(&format!("{wrote}\n> > short\napprove\n\nThanks\n"), Some("approve"));
    }

    #[test]
    fn what_is_quoted_without_marks_is_not_read() {
        check("On Thu, 26 Nov 2026, news <news@x.org> wrote:\n\nreject\n", None);
        check("-----Original Message-----\nFrom: news@x.org\n\nreject\n", None);
        check("-- \napprove\n", None);
    }

    #[test]
    fn html_is_read_without_its_quotes() {
        check_html(
            "<div>Am 26.11.26 um 21:18 schrieb news:</div><blockquote>reject</blockquote><p>approve</p>",
            Some("approve"),
        );
        check_html("<p>Hi,</p><p><b>Approve</b></p><blockquote>reject</blockquote>", Some("Approve"));
        check_html("<blockquote>approve</blockquote>", None);
    }
}
