//! Writes text as `format=flowed` (RFC 3676): lines that readers may join to paragraphs and break where they like.
//!
//! [`compose`](super::compose) calls it for what members write on the pages. Text that stands in one line for each
//! paragraph, as forms send it, is broken at blanks; quotes keep their depth, and nothing is lost.

/// Characters of a line, with its marks of quoting, before it is broken.
const LINE_CHARS: usize = 72;
/// The line above a signature, which is never joined with another.
const SIGNATURE: &str = "-- ";

/// The text with lines of at most about 72 characters that end in CRLF.
#[must_use]
pub(super) fn flowed(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    for line in text.trim_end_matches('\n').split('\n') {
        let (depth, content) = unquoted(line);
        if depth == 0 && content == SIGNATURE {
            out.push_str("-- \r\n");
            continue;
        }
        // A blank at the end would join the line with the next.
        write_line(&mut out, depth, content.trim_end());
    }
    out
}

/// The depth of quoting of a line, and the text behind its marks.
fn unquoted(line: &str) -> (usize, &str) {
    let (mut depth, mut rest) = (0, line);
    loop {
        let bare = if depth == 0 { rest } else { rest.strip_prefix(' ').unwrap_or(rest) };
        match bare.strip_prefix('>') {
            Some(behind) => (depth, rest) = (depth + 1, behind),
            None => return (depth, if depth == 0 { rest } else { bare }),
        }
    }
}

/// Writes one line of text as lines that flow.
fn write_line(out: &mut String, depth: usize, content: &str) {
    let room = LINE_CHARS.saturating_sub(depth + 1).max(LINE_CHARS / 2);
    let mut rest = content;
    loop {
        let line = first_line(rest, room);
        out.extend(std::iter::repeat_n('>', depth));
        // What begins like this would be read as something else without a blank before it (RFC 3676 4.4).
        let is_stuffed =
            depth != 0 && !line.is_empty() || line.starts_with([' ', '>']) || line.starts_with("From ");
        if is_stuffed {
            out.push(' ');
        }
        out.push_str(line);
        out.push_str("\r\n");
        rest = &rest[line.len()..];
        if rest.is_empty() {
            return;
        }
    }
}

/// The beginning of a text that stands on one line, with the blank at which it is broken.
fn first_line(text: &str, room: usize) -> &str {
    let mut last = None;
    let mut is_indent = true;
    for (chars, (at, c)) in text.char_indices().enumerate() {
        if room <= chars
            && let Some(end) = last
        {
            return &text[..end];
        }
        if c == ' ' && !is_indent && !text[at + 1..].starts_with(' ') && &text[..=at] != SIGNATURE {
            last = Some(at + 1);
        }
        is_indent &= c == ' ';
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        assert_eq!(flowed(text), expected, "{text:?}");
    }

    /// The text as a reader joins it (RFC 3676 4).
    fn read(text: &str) -> String {
        let mut out = String::new();
        let mut open: Option<usize> = None;
        for line in text.split_terminator("\r\n") {
            let depth = line.bytes().take_while(|byte| *byte == b'>').count();
            let content = line[depth..].strip_prefix(' ').unwrap_or(&line[depth..]);
            if open != Some(depth) {
                out.extend(std::iter::repeat_n('>', depth));
            }
            out.push_str(content);
            if content.ends_with(' ') && content != "-- " {
                open = Some(depth);
            } else {
                out.push('\n');
                open = None;
            }
        }
        out
    }

    #[test]
    fn long_lines_are_broken_at_blanks_and_read_as_they_were() {
        let long = "The organ tuner can only come on Wednesday, so this week we sing on Thursday at half past seven.";
        let written = flowed(long);
        assert_eq!(written.matches("\r\n").count(), 2, "{written}");
        assert!(written.lines().all(|line| line.chars().count() <= LINE_CHARS + 1), "{written}");
        assert_eq!(read(&written), format!("{long}\n"));
        let quoted = format!(">> {long}\n> short\n\n{long}");
        assert_eq!(read(&flowed(&quoted)), format!(">>{long}\n>short\n\n{long}\n"));
        let word = "x".repeat(300);
        check(&word, &format!("{word}\r\n"));
    }

    #[test]
    fn what_would_be_read_as_something_else_is_stuffed() {
        check("From here\n  code\nend  ", " From here\r\n   code\r\nend\r\n");
        check("> > deep\n>no blank\n>", ">> deep\r\n> no blank\r\n>\r\n");
        check("Yours\r\n-- \r\nAda\r\n\r\n", "Yours\r\n-- \r\nAda\r\n");
        check("", "\r\n");
    }

    #[test]
    fn any_text_reads_as_it_was_but_for_blanks_at_line_ends() {
        let words =
            ["a", " ", "  ", ">", "From ", "-- ", "\n", "wörter", "日本語のテキスト", "x".repeat(80).leak()];
        let mut seed = 7_u64;
        for _ in 0..2000 {
            let mut text = String::new();
            for _ in 0..40 {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                text.push_str(words[usize::try_from(seed >> 33).unwrap() % words.len()]);
            }
            let plain = |line: &str| {
                let (depth, content) = unquoted(line);
                let content = if depth == 0 && content == SIGNATURE { content } else { content.trim_end() };
                format!("{}{content}\n", ">".repeat(depth))
            };
            let expected: String = text.trim_end_matches('\n').split('\n').map(plain).collect();
            assert_eq!(read(&flowed(&text)), expected, "{text:?}");
        }
    }
}
