//! Lines of plain text with the depth of their quotes; lines of `format=flowed` text joined into paragraphs
//! (RFC 3676).

/// Levels of quotes that are told apart; marks beyond them are text.
const DEPTH_MAX: usize = 12;

/// A line of text, or a paragraph that was joined from flowing lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    /// How many times it is quoted.
    pub(super) depth: usize,
    /// The text without its marks of quotes.
    pub(super) text: String,
    /// Whether it was joined from several lines.
    pub(super) is_joined: bool,
}

/// Whether lines flow, and how they are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Flow {
    /// Each line is one.
    Fixed,
    /// A line that ends with a blank goes on in the next one.
    Flowed {
        /// Whether that blank was put in by the sender's program (`DelSp`).
        drops_blank: bool,
    },
}

/// The lines of a text.
pub(super) fn lines(text: &str, flow: Flow) -> Vec<Line> {
    let text = text.strip_suffix('\n').unwrap_or(text);
    match flow {
        Flow::Fixed => fixed(text),
        Flow::Flowed { drops_blank } => flowed(text, drops_blank),
    }
}

fn fixed(text: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = text.split('\n').map(fixed_line).collect();
    for at in 0..lines.len() {
        // Programs that write mailboxes put a mark in front of this word.
        let is_alone = |other: Option<&Line>| other.is_none_or(|other| other.depth == 0);
        let is_escaped = lines[at].depth == 1 && lines[at].text.starts_with("From ");
        let before = at.checked_sub(1).and_then(|before| lines.get(before));
        if is_escaped && is_alone(before) && is_alone(lines.get(at + 1)) {
            lines[at].depth = 0;
        }
    }
    lines
}

fn fixed_line(line: &str) -> Line {
    let (mut depth, mut rest) = (0, line);
    while let Some(behind) = rest.strip_prefix('>').filter(|_| depth < DEPTH_MAX) {
        depth += 1;
        // One blank may stand between two marks.
        rest = match behind.strip_prefix(' ') {
            Some(next) if next.starts_with('>') => next,
            _ => behind,
        };
    }
    let text = if depth == 0 { rest } else { rest.strip_prefix(' ').unwrap_or(rest) };
    Line { depth, text: kept_end(text), is_joined: false }
}

/// A line without blanks at its end, but for the one of the signature's mark.
fn kept_end(text: &str) -> String {
    if text == "-- " { text.to_owned() } else { text.trim_end().to_owned() }
}

fn flowed(text: &str, drops_blank: bool) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    // Whether the last line goes on in the next.
    let mut is_open = false;
    for line in text.split('\n') {
        let marks = line.bytes().take_while(|byte| *byte == b'>').count();
        let rest = &line[marks..];
        let content = rest.strip_prefix(' ').unwrap_or(rest);
        let depth = marks.min(DEPTH_MAX);
        let is_mark = content == "-- ";
        let goes_on = content.ends_with(' ') && !is_mark;
        let content = if goes_on && drops_blank { &content[..content.len() - 1] } else { content };
        match lines.last_mut() {
            Some(last) if is_open && last.depth == depth && !is_mark => {
                last.text.push_str(content);
                last.is_joined = true;
            }
            _ => lines.push(Line { depth, text: content.to_owned(), is_joined: false }),
        }
        is_open = goes_on;
    }
    for line in &mut lines {
        line.text = kept_end(&line.text);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, flow: Flow, expected: &[(usize, &str)]) {
        let lines = lines(text, flow);
        let found: Vec<(usize, &str)> = lines.iter().map(|line| (line.depth, line.text.as_str())).collect();
        assert_eq!(found, expected);
    }

    const FLOWED: Flow = Flow::Flowed { drops_blank: false };

    #[test]
    fn flowing_lines_are_one_paragraph() {
        check("one \ntwo \nthree\nfour\n", FLOWED, &[(0, "one two three"), (0, "four")]);
        check("one \n\ntwo", FLOWED, &[(0, "one "), (0, "two")].map(|(d, t)| (d, t.trim_end())));
        check("日本 \n語", Flow::Flowed { drops_blank: true }, &[(0, "日本語")]);
        check(" >no quote\n From here", FLOWED, &[(0, ">no quote"), (0, "From here")]);
    }

    #[test]
    fn a_paragraph_ends_where_the_depth_of_quotes_changes_and_at_a_signature() {
        check("> one \n> two \n>> three \nfour", FLOWED, &[(1, "one two"), (2, "three"), (0, "four")]);
        check("one \n-- \nAda ", FLOWED, &[(0, "one"), (0, "-- "), (0, "Ada")]);
    }

    #[test]
    fn marks_of_quotes_may_have_blanks_between_them() {
        check("> > a\n>>b\n> c >d", Flow::Fixed, &[(2, "a"), (2, "b"), (1, "c >d")]);
        check(">From here on\nx", Flow::Fixed, &[(0, "From here on"), (0, "x")]);
        check("> a\n>From here", Flow::Fixed, &[(1, "a"), (1, "From here")]);
        check(&">".repeat(40), Flow::Fixed, &[(12, &">".repeat(28))]);
    }
}
