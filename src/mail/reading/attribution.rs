//! Finds the line that programs put in front of a quote: "On Monday, Ada wrote:".

/// Lines of one attribution.
const LINES_MAX: usize = 3;
/// Bytes of one attribution.
const BYTES_MAX: usize = 400;
/// Characters of a name that is shown.
const NAME_CHARS_MAX: usize = 60;
/// The verbs of attributions.
const VERBS: [&str; 24] = [
    "wrote",
    "writes",
    "said",
    "schrieb",
    "schrieben",
    "hat geschrieben",
    "a écrit",
    "écrivait",
    "escribió",
    "ha escrit",
    "ha scritto",
    "scrisse",
    "schreef",
    "escreveu",
    "skrev",
    "kirjoitti",
    "napisał(a)",
    "napisał",
    "napsal",
    "пишет",
    "написал",
    "писал",
    "写道",
    "のメール",
];
/// Words that attributions begin with.
const OPENERS: [&str; 16] = [
    "On ",
    "Am ",
    "Le ",
    "El ",
    "Il ",
    "Op ",
    "Em ",
    "Den ",
    "W dniu ",
    "Dne ",
    "Dnia ",
    "At ",
    "In ",
    "Quoting ",
    "Zitat von ",
    "* ",
];

/// A line that says who wrote what follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Attribution {
    /// How many of the last lines it is.
    pub(super) lines: usize,
    /// Its words.
    pub(super) text: String,
    /// The name of the author, if it can be told.
    pub(super) author: Option<String>,
}

/// The attribution at the end of `lines`, which stand in front of a quote.
pub(super) fn at_end(lines: &[&str]) -> Option<Attribution> {
    let last = lines.last()?.trim_end();
    if !last.ends_with([':', '：']) {
        return None;
    }
    let whole = lines.len() <= LINES_MAX;
    (1..=lines.len().min(LINES_MAX)).find_map(|count| {
        let text = lines[lines.len() - count..].iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
        // An address at the beginning of a line belongs to the name in the line before.
        if text.starts_with('<') && count < lines.len().min(LINES_MAX) {
            return None;
        }
        let verb = VERBS.iter().find_map(|verb| Some((text.rfind(verb)?, *verb)));
        // A name, an address and a colon right in front of a quote need no verb.
        let verb = verb.or_else(|| Some((text.rfind('<').filter(|at| text[*at..].contains('@'))?, "")))?;
        let begins = OPENERS.iter().any(|opener| text.starts_with(opener)) || text.contains('<');
        let is_whole = begins || (whole && count == lines.len());
        (is_whole && text.len() <= BYTES_MAX).then(|| Attribution {
            lines: count,
            author: author(&text, verb),
            text,
        })
    })
}

/// The name in an attribution, which stands in front of the verb or behind it.
fn author(text: &str, (at, verb): (usize, &str)) -> Option<String> {
    let behind = text[at + verb.len()..].trim_end_matches([':', '：']);
    let behind = if verb.is_empty() { "" } else { behind };
    name(behind).or_else(|| name(&text[..at]))
}

/// The name at the end of `text`, behind a date and in front of an address.
fn name(text: &str) -> Option<String> {
    let begins = OPENERS.iter().any(|opener| text.starts_with(opener));
    let text = text.trim().trim_end_matches([':', ',', '(']).trim_end();
    let text = match text.rfind(['<', '[', '(']) {
        Some(at) if text[at..].contains('@') || text.ends_with(['>', ']', ')']) => text[..at].trim_end(),
        _ => text,
    };
    // Behind the last digit, there is the rest of a time and the name.
    let digits = text.rfind(|c: char| c.is_ascii_digit()).map_or(0, |at| at + 1);
    let rest = text[digits..].trim_start_matches(['年', '月', '日', ')', ':', '.', '。']);
    let rest = rest.trim_start();
    let rest = ["AM", "PM", "am", "pm", "a.m.", "p.m.", "Uhr", "h"].iter().fold(rest, |rest, word| {
        let behind = rest.strip_prefix(word);
        behind.filter(|behind| behind.starts_with([' ', ','])).unwrap_or(rest)
    });
    let rest = match rest.rsplit_once(", ") {
        Some((before, name)) if before.len() < 24 && (digits != 0 || begins) => name,
        _ => rest,
    };
    let name = OPENERS.iter().fold(rest, |rest, opener| rest.strip_prefix(opener).unwrap_or(rest));
    let name = name.trim_matches(|c: char| c.is_whitespace() || ",.(\"'“”*_–-".contains(c));
    let is_name = name.chars().any(char::is_alphabetic)
        && name.chars().count() <= NAME_CHARS_MAX
        && !name.contains(['@', '/', '<', '>', '+']);
    is_name.then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, lines: usize, author: Option<&str>) {
        let found = at_end(&text.lines().collect::<Vec<_>>()).unwrap_or_else(|| panic!("{text}"));
        assert_eq!((found.lines, found.author.as_deref()), (lines, author), "{text}");
    }

    #[test]
    fn names_are_found_as_programs_of_many_languages_write_them() {
        check(
            "On Mon, 16 Nov 2026 at 19:48, Marta Lindqvist <marta@x.org> wrote:",
            1,
            Some("Marta Lindqvist"),
        );
        check("On Mon, Nov 16, 2026 at 7:48 PM Kofi Asante <k@x.org>\nwrote:", 2, Some("Kofi Asante"));
        check("Am 16.11.2026 um 19:48 schrieb Kofi Asante:", 1, Some("Kofi Asante"));
        check("Am Mo., 16. Nov. 2026 um 19:48 Uhr schrieb Kofi Asante <k@x.org>:", 1, Some("Kofi Asante"));
        check("Le lun. 16 nov. 2026 à 19:48, Anaïs <a@x.org> a écrit :", 1, Some("Anaïs"));
        check("El lun, 16 nov 2026 a las 19:48, Inés (<i@x.org>) escribió:", 1, Some("Inés"));
        check("Text before.\nAda wrote on the board, and\nOn 16/11/2026 19:48, ada@x.org wrote:", 1, None);
        check("Bob Farrow <bob@x.org> writes:", 1, Some("Bob Farrow"));
        check("2026年11月16日(月) 19:48 佐藤 花子 <h@x.org>:", 1, Some("佐藤 花子"));
        check("2026年11月16日(月) 19:48 田中 太郎 <t@x.org>のメール:", 1, Some("田中 太郎"));
    }

    #[test]
    fn other_sentences_are_none() {
        for text in ["We will do:", "He wrote a letter.", "a\nb\nc\nShe wrote to me, as follows:", ""] {
            assert_eq!(at_end(&text.lines().collect::<Vec<_>>()), None, "{text}");
        }
    }
}
