//! Tells prose from text whose columns matter: tables, drawings, code.

/// Lines of prose that a program broke are at least this long.
const FULL_CHARS_MIN: usize = 55;
/// Longest line of text that was broken by a program.
const FULL_CHARS_MAX: usize = 90;

/// Whether the columns of these lines matter, so that each character must have the same width.
pub(super) fn is_fixed(lines: &[&str]) -> bool {
    let is_code =
        !lines.is_empty() && lines.iter().all(|line| line.starts_with("    ") || line.starts_with('\t'));
    let rules = lines.iter().filter(|line| is_rule(line)).count();
    let columns = lines.iter().filter(|line| has_columns(line)).count();
    let is_armoured = lines.first().is_some_and(|line| line.starts_with("-----BEGIN PGP "));
    let is_summary = lines.first().is_some_and(|line| is_stat(line));
    is_armoured
        || is_summary
        || (1 < lines.len() && is_code)
        || (2 <= columns && lines.len() <= columns * 2)
        || (rules != 0 && 1 < lines.len() && columns + rules >= 2)
}

/// Whether a line is of a summary of changed files: ` src/lib.rs | 2 +-`.
pub(super) fn is_stat(line: &str) -> bool {
    let count =
        line.strip_prefix(' ').and_then(|line| line.split_once(" | ")).map(|(_, count)| count.trim_start());
    count.is_some_and(|count| count.starts_with(|c: char| c.is_ascii_digit()) || count.starts_with("Bin "))
}

/// Whether a line draws: a border of a table, or boxes.
fn is_rule(line: &str) -> bool {
    let line = line.trim();
    let is_border = line.len() >= 4
        && line.contains("--")
        && line.starts_with(['+', '|'])
        && line.chars().all(|c| "+-|=: ".contains(c));
    is_border || line.chars().any(|c| matches!(c, '\u{2500}'..='\u{259f}'))
}

/// Whether a line has columns: wide gaps between words, or bars.
fn has_columns(line: &str) -> bool {
    let line = line.trim_end();
    let content = line.trim_start();
    if content.contains('\t') || is_rule(line) {
        return true;
    }
    let is_row = content.len() >= 3 && content.starts_with('|') && content.ends_with('|');
    let is_stat = line.starts_with(' ') && content.contains(" | ");
    is_row || is_stat || has_gap(content)
}

/// Whether there is a gap of three blanks, or one of two that does not follow the end of a sentence.
fn has_gap(content: &str) -> bool {
    content.match_indices("  ").any(|(at, _)| {
        let before = content[..at].chars().next_back();
        let behind = content[at + 2..].chars().next();
        let ends_sentence = before.is_some_and(|c| ".?!:;,)*-\"”’ ".contains(c));
        behind == Some(' ') && before != Some(' ')
            || (!ends_sentence && before.is_some() && behind.is_some_and(|c| c != ' '))
    })
}

/// Whether the end of each line was put there by a program that breaks lines, so that a narrow page may join it with
/// the next one. The last is never.
pub(super) fn soft_breaks(lines: &[&str]) -> Vec<bool> {
    let widths: Vec<usize> = lines.iter().map(|line| line.chars().count()).collect();
    let longest = widths.iter().copied().max().unwrap_or_default();
    let is_prose = (FULL_CHARS_MIN..=FULL_CHARS_MAX).contains(&longest);
    (0..lines.len())
        .map(|at| {
            let Some(next) = lines.get(at + 1) else { return false };
            let word = next.split(' ').next().unwrap_or_default().chars().count();
            // A person who ended the line would have had room for the next word.
            is_prose
                && FULL_CHARS_MIN <= widths[at]
                && longest < widths[at] + 1 + word + 3
                && next.starts_with(|c: char| c.is_alphanumeric() || "(\"“„«'¿¡".contains(c))
                && !is_item(next)
        })
        .collect()
}

/// Whether a line begins an item of a list.
fn is_item(line: &str) -> bool {
    let word = line.split(' ').next().unwrap_or_default();
    let number = word.strip_suffix(['.', ')', ':']).unwrap_or_default();
    word.starts_with(['-', '*', '•', '–'])
        || (!number.is_empty()
            && number.len() <= 3
            && number.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && number.bytes().any(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: bool) {
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(is_fixed(&lines), expected, "{text}");
    }

    #[test]
    fn tables_drawings_and_code_are_told_from_prose() {
        check("Name      Price\nScores    12.00\nCake       3.50", true);
        check("+----+----+\n| a  | b  |\n+----+----+", true);
        check("| a | b |\n| c | d |", true);
        check("    fn main() {\n    }", true);
        check("┌──┐\n│  │\n└──┘", true);
        check(" src/main.rs | 3 ++-\n 1 file changed, 2 insertions(+)\n lib.rs | 2 +-", true);
        check("I said so.  And again.\nTwo blanks.  After a sentence.", false);
        check("Hello all,\nthe tuner comes.", false);
        check("- one\n- two\n  more of it", false);
        check("    One line that begins inside.", false);
    }

    #[test]
    fn only_ends_that_a_program_put_there_are_soft() {
        let prose = "the organ tuner can only come on Wednesday, so this week we sing on\n\
                     Thursday at half past seven instead. Same place, same cake. Please come\n\
                     by the side door.\nAda";
        assert_eq!(soft_breaks(&prose.lines().collect::<Vec<_>>()), [true, true, false, false]);
        let list = "this is a rather long line that goes on and on up to here, and more than\n- item";
        assert_eq!(soft_breaks(&list.lines().collect::<Vec<_>>()), [false, false]);
        assert_eq!(soft_breaks(&["Chapel Lane 3", "12345 Alder Bay"]), [false, false]);
    }
}
