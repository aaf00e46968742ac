//! Plain text as HTML: paragraphs that keep their lines, quotes that fold, patches, signatures.

use super::escape::escape;
use super::links;
use super::options::ReadingOptions as Options;
use crate::locale::{number, text};
use crate::mail::reading::{Block, DiffLine, Quote, hide_addresses};

/// Lines of a quote that is open while its reader reads the answer to it.
const OPEN_QUOTE_LINES_MAX: usize = 8;

/// Characters of a rule over a signature.
const RULE_CHARS_MAX: usize = 24;

/// Writes the blocks of a text.
pub(super) fn write(blocks: &[Block], options: &Options<'_>, out: &mut String) {
    let is_own = |block: &Block| !matches!(block, Block::Quote(_) | Block::Signature(_));
    let has_own = blocks.iter().any(is_own);
    for (at, block) in blocks.iter().enumerate() {
        match block {
            Block::Quote(quote) => {
                let is_answered = blocks[at + 1..].iter().any(is_own);
                let fits = !has_own || (is_answered && quote.lines <= OPEN_QUOTE_LINES_MAX);
                write_fold(quote, options.quotes.is_open(fits), options, out);
            }
            _ => write_block(block, options, out),
        }
    }
}

fn write_block(block: &Block, options: &Options<'_>, out: &mut String) {
    match block {
        Block::Paragraph(lines) => {
            out.push_str("<p class=\"lines\" dir=\"auto\">");
            for (at, (line, is_soft)) in lines.iter().enumerate() {
                write_line(line, options, out);
                if at + 1 < lines.len() {
                    out.push_str(if *is_soft { " <br class=\"soft\">" } else { "<br>" });
                }
            }
            out.push_str("</p>");
        }
        Block::Fixed(lines) => write_pre(lines, options, out),
        Block::Diff(lines) => {
            out.push_str("<pre class=\"diff\" tabindex=\"0\">");
            for line in lines {
                let (line, tag) = match line {
                    DiffLine::Head(line) => (line, "b"),
                    DiffLine::Added(line) => (line, "ins"),
                    DiffLine::Removed(line) => (line, "del"),
                    DiffLine::Same(line) => (line, ""),
                };
                if tag.is_empty() || line.is_empty() {
                    write_escaped(line, options, out);
                } else {
                    out.extend(["<", tag, ">"]);
                    write_escaped(line, options, out);
                    out.extend(["</", tag, ">"]);
                }
                out.push('\n');
            }
            out.push_str("</pre>");
        }
        Block::Quote(quote) => write_quote(quote, options, out),
        Block::Signature(lines) => {
            out.push_str("<p class=\"sig\" dir=\"auto\">");
            for (at, line) in lines.iter().enumerate() {
                if at != 0 {
                    out.push('\n');
                }
                // A rule is not broken, however narrow the page.
                let is_rule = RULE_CHARS_MAX < line.len() && line.bytes().all(|mark| b"_-=".contains(&mark));
                write_line(if is_rule { &line[..RULE_CHARS_MAX] } else { line }, options, out);
            }
            out.push_str("</p>");
        }
    }
}

/// Writes a quote that folds.
fn write_fold(quote: &Quote, is_open: bool, options: &Options<'_>, out: &mut String) {
    out.push_str(if is_open { "<details class=\"quote\" open>" } else { "<details class=\"quote\">" });
    out.push_str("<summary>");
    let count = u64::try_from(quote.lines).unwrap_or(u64::MAX);
    let shown = number(options.language, count);
    let words = match &quote.author {
        Some(author) => {
            text!(
                options.language,
                "reading-quoted-lines-from",
                count = count,
                number = shown,
                author = author
            )
        }
        None => text!(options.language, "reading-quoted-lines", count = count, number = shown),
    };
    write_escaped(&words, options, out);
    out.push_str("</summary>");
    write_quote(quote, options, out);
    out.push_str("</details>");
}

/// Writes a quote below the line that says whose words it has.
fn write_quote(quote: &Quote, options: &Options<'_>, out: &mut String) {
    if let Some(attribution) = &quote.attribution {
        out.push_str("<p class=\"attribution\" dir=\"auto\">");
        write_line(attribution, options, out);
        out.push_str("</p>");
    }
    out.push_str("<blockquote dir=\"auto\">");
    quote.blocks.iter().for_each(|block| write_block(block, options, out));
    out.push_str("</blockquote>");
}

fn write_pre(lines: &[String], options: &Options<'_>, out: &mut String) {
    // A line break right behind the tag would be left out.
    out.push_str("<pre tabindex=\"0\">");
    for (at, line) in lines.iter().enumerate() {
        if at != 0 {
            out.push('\n');
        }
        write_line(line, options, out);
    }
    out.push_str("</pre>");
}

/// One line, its addresses as links.
fn write_line(line: &str, options: &Options<'_>, out: &mut String) {
    if options.hides_addresses {
        links::write_text(&hide_addresses(line), true, out);
    } else {
        links::write_text(line, false, out);
    }
}

/// One line without links.
fn write_escaped(line: &str, options: &Options<'_>, out: &mut String) {
    if options.hides_addresses {
        escape(&hide_addresses(line), out);
    } else {
        escape(line, out);
    }
}
