//! Finds what plain text is made of: paragraphs, quotes, signatures, patches, and text whose columns matter.
//! Markdown is not guessed.

use super::attribution::{self, Attribution};
use super::diff::{self, DiffLine};
use super::flowed::{self, Flow, Line};
use super::layout;

/// Underscores of the line in front of a list's footer.
const FOOTER_RULE_CHARS_MIN: usize = 30;
/// Lines of a footer behind such a line.
const FOOTER_LINES_MAX: usize = 12;
/// Marks of a line over a signature, and lines of the signature.
const SIGNATURE_RULE_CHARS_MIN: usize = 10;
const SIGNATURE_LINES_MAX: usize = 8;
/// Lines behind a rule, in which the header of an original message must begin.
const ORIGINAL_LINES_MAX: usize = 3;

/// A stretch of plain text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Block {
    /// Lines of prose, each with whether a narrow page may join it with the next.
    Paragraph(Vec<(String, bool)>),
    /// Lines whose columns matter.
    Fixed(Vec<String>),
    /// A patch.
    Diff(Vec<DiffLine>),
    /// A quote of somebody else.
    Quote(Quote),
    /// The signature of the author, or the footer of a list.
    Signature(Vec<String>),
}

/// A quote in plain text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Quote {
    /// The line in front of it that says whose words it has.
    pub attribution: Option<String>,
    /// The name of the author.
    pub author: Option<String>,
    /// The number of its lines.
    pub lines: usize,
    /// The blocks that it is made of.
    pub blocks: Vec<Block>,
}

/// The blocks of a text.
pub(super) fn of_text(text: &str, flow: Flow) -> Vec<Block> {
    let lines = flowed::lines(text, flow);
    Reader { lines: &lines, at: 0, depth: 0, blocks: Vec::new() }.read()
}

struct Reader<'a> {
    lines: &'a [Line],
    at: usize,
    /// The depth of quotes that is read; all lines are at least as deep.
    depth: usize,
    blocks: Vec<Block>,
}

impl Reader<'_> {
    fn read(mut self) -> Vec<Block> {
        while let Some(line) = self.lines.get(self.at) {
            if self.depth < line.depth {
                self.quote();
            } else if line.text.trim().is_empty() {
                self.at += 1;
            } else if self.begins_signature(line) {
                self.signature();
            } else if self.depth == 0 && self.begins_original() {
                self.original();
            } else if !self.patch() {
                self.paragraph();
            }
        }
        self.blocks
    }

    fn rest(&self) -> &[Line] {
        &self.lines[self.at..]
    }

    /// The lines from here on that are quoted no deeper.
    fn own_texts(&self) -> impl Iterator<Item = &str> + Clone {
        self.rest().iter().take_while(|line| line.depth == self.depth).map(|line| line.text.as_str())
    }

    /// Reads lines that are quoted deeper, with empty lines between them.
    fn quote(&mut self) {
        let attribution = self.take_attribution();
        let (mut end, mut last) = (self.at, self.at);
        while let Some(line) =
            self.lines.get(end).filter(|line| self.depth < line.depth || line.text.is_empty())
        {
            end += 1;
            last = if self.depth < line.depth { end } else { last };
        }
        let inner: Vec<Line> = self.lines[self.at..last]
            .iter()
            .map(|line| Line { depth: line.depth.max(self.depth + 1), ..line.clone() })
            .collect();
        self.at = last;
        let count = inner.iter().filter(|line| !line.text.trim().is_empty()).count();
        if count == 0 && attribution.is_none() {
            return;
        }
        let blocks = Reader { lines: &inner, at: 0, depth: self.depth + 1, blocks: Vec::new() }.read();
        self.push_quote(attribution, count, blocks);
    }

    fn push_quote(&mut self, attribution: Option<Attribution>, lines: usize, blocks: Vec<Block>) {
        let author = attribution.as_ref().and_then(|attribution| attribution.author.clone());
        let attribution = attribution.map(|attribution| attribution.text);
        self.blocks.push(Block::Quote(Quote { attribution, author, lines, blocks }));
    }

    /// Takes the attribution off the paragraph before.
    fn take_attribution(&mut self) -> Option<Attribution> {
        let Some(Block::Paragraph(lines)) = self.blocks.last_mut() else { return None };
        let texts: Vec<&str> = lines.iter().map(|(text, _)| text.as_str()).collect();
        let found = attribution::at_end(&texts)?;
        lines.truncate(lines.len() - found.lines);
        if lines.is_empty() {
            self.blocks.pop();
        }
        Some(found)
    }

    fn begins_signature(&self, line: &Line) -> bool {
        if matches!(line.text.as_str(), "-- " | "--") {
            return true;
        }
        let is_of = |mark: u8| line.text.bytes().all(|byte| byte == mark);
        let is_rule = FOOTER_RULE_CHARS_MIN <= line.text.len() && is_of(b'_');
        // A line under a title stands right below it.
        let stands_apart = self.at != 0 && self.lines[self.at - 1].text.is_empty();
        let is_line =
            SIGNATURE_RULE_CHARS_MIN <= line.text.len() && (is_of(b'-') || is_of(b'=')) && stands_apart;
        let room = if is_rule { FOOTER_LINES_MAX } else { SIGNATURE_LINES_MAX };
        let left = self.rest();
        (is_rule || is_line)
            && (2..=room).contains(&left.len())
            && (is_rule || left.iter().all(|line| line.depth == self.depth && !line.text.is_empty()))
            && !self.begins_original()
    }

    /// Reads a signature up to the end, or to what is quoted below it.
    fn signature(&mut self) {
        let mut lines: Vec<String> = Vec::new();
        while let Some(line) = self.lines.get(self.at).filter(|line| line.depth == self.depth) {
            let is_begun = !lines.is_empty();
            if is_begun && self.begins_original() {
                break;
            }
            let starts_paragraph = lines.last().is_none_or(String::is_empty);
            if is_begun && starts_paragraph && !line.text.is_empty() && self.is_attribution_ahead() {
                break;
            }
            lines.push(line.text.clone());
            self.at += 1;
        }
        while lines.last().is_some_and(|last| last.trim().is_empty()) {
            lines.pop();
        }
        self.blocks.push(Block::Signature(lines));
    }

    /// Whether the next lines name the author of a quote behind them.
    fn is_attribution_ahead(&self) -> bool {
        let texts: Vec<&str> = self.own_texts().take(4).take_while(|text| !text.is_empty()).collect();
        let behind = self.rest()[texts.len()..].iter().find(|line| !line.text.is_empty());
        behind.is_some_and(|line| self.depth < line.depth) && attribution::at_end(&texts).is_some()
    }

    /// Whether a message begins here that a program put below the answer, under a rule and with a header of its own.
    fn begins_original(&self) -> bool {
        let mut texts = self.own_texts();
        let rule = texts.next().unwrap_or_default().trim();
        let dashes = rule.trim_matches('-').trim();
        let is_titled =
            rule.starts_with("-----") && rule.ends_with("-----") && (5..40).contains(&dashes.len());
        let is_rule = 20 <= rule.len() && rule.bytes().all(|byte| byte == b'_');
        let is_forward = ["orward", "eiterge", "ransf", "eenvi"].iter().any(|word| dashes.contains(word));
        let is_letters = dashes.chars().all(|c| c.is_alphabetic() || matches!(c, ' ' | '\'' | '’'));
        let mut near = texts.filter(|text| !text.trim().is_empty()).take(ORIGINAL_LINES_MAX);
        ((is_titled && is_letters && !is_forward) || is_rule)
            && near.next().is_some_and(is_header_field)
            && near.any(is_header_field)
    }

    /// Reads an original message below the answer, up to the end.
    fn original(&mut self) {
        let end = self.rest().len();
        let texts: Vec<&str> =
            self.own_texts().skip(1).filter(|text| !text.trim().is_empty()).take(1).collect();
        let author = texts.first().and_then(|text| text.split_once(':')).map(|(_, from)| {
            from.split(['<', '[', '(']).next().unwrap_or_default().trim().trim_matches('"').to_owned()
        });
        let author = author.filter(|author| !author.is_empty() && author.len() < 80 && !author.contains('@'));
        let inner: Vec<Line> =
            self.rest()[1..].iter().map(|line| Line { depth: line.depth + 1, ..line.clone() }).collect();
        self.at += end;
        let lines = inner.iter().filter(|line| !line.text.trim().is_empty()).count();
        let blocks = Reader { lines: &inner, at: 0, depth: 1, blocks: Vec::new() }.read();
        self.blocks.push(Block::Quote(Quote { attribution: None, author, lines, blocks }));
    }

    /// Reads a patch, if one begins here.
    fn patch(&mut self) -> bool {
        let length = diff::length(self.own_texts());
        if length == 0 {
            return false;
        }
        let lines = self.rest()[..length].iter().map(|line| line.text.clone());
        let lines = diff::read(lines);
        self.blocks.push(Block::Diff(lines));
        self.at += length;
        true
    }

    /// Reads lines up to an empty one, or one that is something else.
    fn paragraph(&mut self) {
        let start = self.at;
        while let Some(line) = self.lines.get(self.at) {
            let is_over = line.depth != self.depth || line.text.trim().is_empty();
            let is_other = start < self.at
                && (self.begins_signature(line)
                    || (self.depth == 0 && self.begins_original())
                    || (layout::is_stat(&line.text) && !layout::is_stat(&self.lines[start].text))
                    || (line.text.starts_with(['d', '-', '@', 'I']) && diff::length(self.own_texts()) != 0));
            if is_over || is_other {
                break;
            }
            self.at += 1;
        }
        let lines = &self.lines[start..self.at];
        let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
        let is_joined = lines.iter().any(|line| line.is_joined);
        if !is_joined && layout::is_fixed(&texts) {
            let is_next = start != 0 && self.lines[start - 1].text.is_empty();
            match self.blocks.last_mut() {
                // Tables have empty lines between their parts.
                Some(Block::Fixed(last)) if is_next => {
                    last.push(String::new());
                    last.extend(texts.into_iter().map(str::to_owned));
                }
                _ => self.blocks.push(Block::Fixed(texts.into_iter().map(str::to_owned).collect())),
            }
            return;
        }
        let soft = if is_joined { vec![false; texts.len()] } else { layout::soft_breaks(&texts) };
        self.blocks.push(Block::Paragraph(texts.into_iter().map(str::to_owned).zip(soft).collect()));
    }
}

/// Whether a line looks like `From: Ada`, perhaps in bold, in any language.
fn is_header_field(line: &str) -> bool {
    let line = line.trim().trim_start_matches('*');
    let Some((name, value)) = line.split_once([':', '：']) else { return false };
    let name = name.trim_end_matches(['*', ' ', '\u{a0}']);
    !value.trim().is_empty()
        && !name.is_empty()
        && name.chars().count() <= 16
        && name.chars().all(|c| c.is_alphabetic() || c == ' ')
        && name.chars().filter(|c| *c == ' ').count() <= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The blocks in short: kinds, and in brackets what they hold.
    fn outline(blocks: &[Block]) -> String {
        let words: Vec<String> = blocks
            .iter()
            .map(|block| match block {
                Block::Paragraph(lines) => format!("p{}", lines.len()),
                Block::Fixed(lines) => format!("fixed{}", lines.len()),
                Block::Diff(lines) => format!("diff{}", lines.len()),
                Block::Signature(lines) => format!("sig{}", lines.len()),
                Block::Quote(quote) => {
                    let author = quote.author.as_deref().unwrap_or_default();
                    format!("quote{}({author}: {})", quote.lines, outline(&quote.blocks))
                }
            })
            .collect();
        words.join(" ")
    }

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(outline(&of_text(text, Flow::Fixed)), expected, "{text}");
    }

    #[test]
    fn an_answer_is_paragraphs_quotes_and_a_signature() {
        check(
            "Hi,\n\nyes.\n\nOn Monday, Ada wrote:\n> a\n>\n> b\n\n-- \nBob\nx",
            "p1 p1 quote2(Ada: p1 p1) sig3",
        );
        check("> a\n>> b\n> c\nd", "quote3(: p1 quote1(: p1) p1) p1");
        check("yes\n-- \nBob\n\nAm 1.2.2026 schrieb Ada:\n> a", "p1 sig2 quote1(Ada: p1)");
        check("a\n> \n>\nb", "p1 p1");
        check("a\n\n----------------\nTaro\nChoir", "p1 sig3");
        check("Title\n-----------\ntext", "p3");
    }

    #[test]
    fn an_original_below_an_answer_is_a_quote() {
        check(
            "Yes.\n\n-----Original Message-----\nFrom: Ada Lee <a@x.org>\nSent: Monday\nSubject: x\n\nNo?",
            "p1 quote4(Ada Lee: p3 p1)",
        );
        check("________________________________\nVon: Ada\nGesendet: Montag\n\nx", "quote3(Ada: p2 p1)");
        check("---------- Forwarded message ---------\nFrom: Ada\nDate: x\n\nx", "p3 p1");
        check("text\n______________________________________\nthe list\nhttps://x.org/", "p1 sig3");
    }

    #[test]
    fn patches_and_tables_keep_their_columns() {
        check(
            "A patch.\n---\n x | 2 +-\n 1 file changed\n\ndiff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n-- \n2.39",
            "p2 fixed2 diff6 sig2",
        );
        check("a   b\nc   d\n\ne   f\ng   h\n\nprose", "fixed5 p1");
    }

    #[test]
    fn hostile_text_is_read_in_time() {
        for line in [
            ">",
            "> > >\n",
            "-- \n",
            "________________________________\n",
            "@@ -1,1 +1,1 @@\n",
            "--- a\n",
            "diff --git \n",
            "On x wrote:\n",
            "a  b\n",
        ] {
            let text = line.repeat(200_000 / line.len());
            assert!(!outline(&of_text(&text, Flow::Fixed)).is_empty() || line.starts_with('>'));
        }
    }
}
