//! Reads people from pasted text: lists of addresses as mail programs, spreadsheets and other servers write them.
//!
//! Commas, semicolons, blanks and ends of lines stand between people. Names may be quoted, have commas, or stand in
//! brackets behind the address. Whatever is neither a name nor an address is returned as such: nobody vanishes, and two
//! people never become one.

use crate::mail::reading::clean_name;
use crate::model::EmailAddress;

/// A part of a pasted text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Pasted {
    /// The name; blank if there is none.
    pub(crate) name: String,
    /// The address, or the text that is none.
    pub(crate) address: Result<EmailAddress, String>,
    /// The part as it can be read again.
    pub(crate) text: String,
}

/// The text without characters that nobody sees: marks of byte order, of direction and of width. Blanks of other widths
/// become common ones.
pub(crate) fn visible(text: &str) -> String {
    let plain = |c: char| match c {
        '\u{ad}'
        | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}'
        | '\u{feff}'
        | '\u{180e}' => None,
        '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{3000}' => Some(' '),
        c => Some(c),
    };
    text.chars().filter_map(plain).collect()
}

/// Reduces a column's name to its letters and digits in lower case, without accents: `E-mail 1 - Value` becomes
/// `email1value`.
pub(super) fn fold(name: &str) -> String {
    let plain = |c: char| match c {
        'á' | 'à' | 'â' | 'ä' | 'ã' => 'a',
        'é' | 'è' | 'ê' | 'ë' | 'ę' => 'e',
        'í' | 'ì' | 'î' | 'ï' => 'i',
        'ó' | 'ò' | 'ô' | 'ö' | 'õ' => 'o',
        'ú' | 'ù' | 'û' | 'ü' => 'u',
        'ç' | 'ć' => 'c',
        'ñ' | 'ń' => 'n',
        c => c,
    };
    name.chars().flat_map(char::to_lowercase).map(plain).filter(|c| c.is_alphanumeric()).collect()
}

/// The people in a text, in their order.
pub(crate) fn people(text: &str) -> Vec<Pasted> {
    let mut found = Vec::new();
    for part in parts(&visible(text)) {
        read_part(&part, &mut found);
    }
    found
}

/// Whether a text without names of columns is a list of people, and no sheet with a person in each row: a line names
/// several addresses, or one in a form that no cell has.
pub(crate) fn is_list(text: &str) -> bool {
    let is_bare = |line: &str| EmailAddress::parse(line.trim()).is_ok();
    visible(text).lines().any(|line| {
        let addresses = line.matches('@').count();
        let is_other = line.contains("mailto:") || line.contains('<') || has_name_behind(line);
        !is_bare(line) && (0 < addresses && is_other || 1 < addresses || ends_a_person(line))
    })
}

/// Whether a name in brackets stands behind an address.
fn has_name_behind(line: &str) -> bool {
    line.match_indices('(').any(|(at, _)| {
        let before = line[..at].split_whitespace().next_back().unwrap_or_default();
        before.contains('@') && !before.ends_with([',', ';'])
    })
}

/// Whether a line is an address with a separator behind it.
fn ends_a_person(line: &str) -> bool {
    line.trim().strip_suffix([',', ';']).is_some_and(|rest| EmailAddress::parse(rest.trim()).is_ok())
}

/// The parts of a text between separators outside of quotes and brackets. A part without an address before a comma
/// belongs to the next: `Weiß, Anna <a@x.org>`.
fn parts(text: &str) -> Vec<String> {
    let mut parts = Vec::new();
    for line in text.lines() {
        let mut part = String::new();
        let (mut is_quoted, mut is_bracketed) = (false, false);
        for (at, c) in line.char_indices() {
            match c {
                // A quote without its other end is a letter like others.
                '"' if is_quoted || line[at + 1..].contains('"') => is_quoted = !is_quoted,
                '<' | '(' if !is_quoted && line[at..].contains(['>', ')']) => is_bracketed = true,
                '>' | ')' if !is_quoted => is_bracketed = false,
                ';' | '；' if !is_quoted && !is_bracketed => {
                    parts.push(std::mem::take(&mut part));
                    continue;
                }
                ',' | '，' if !is_quoted && !is_bracketed && has_address(&part) => {
                    parts.push(std::mem::take(&mut part));
                    continue;
                }
                _ => {}
            }
            part.push(c);
        }
        parts.push(part);
    }
    parts.retain(|part| !part.trim().trim_matches([',', '\t']).trim().is_empty());
    parts
}

/// Whether a part has an address outside of quotes.
fn has_address(part: &str) -> bool {
    let mut is_quoted = false;
    part.chars().any(|c| {
        is_quoted ^= c == '"';
        c == '@' && !is_quoted
    })
}

/// The people of a part between separators: one, or several with blanks between them.
fn read_part(part: &str, found: &mut Vec<Pasted>) {
    let before = found.len();
    let mut rest = part.trim().trim_matches(',').trim();
    let mut name = String::new();
    while !rest.is_empty() {
        let (token, after) = token_of(rest);
        rest = after.trim_start();
        match token.chars().next() {
            Some('<') if token.ends_with('>') => {
                let address = token.trim_start_matches('<').trim_end_matches('>');
                add(found, &mut name, address);
            }
            // The name behind an address, as Mailman writes it.
            Some('(') if name.trim().is_empty() && before < found.len() => {
                let comment = token.trim_matches(['(', ')']);
                if let Some(last) = found.last_mut().filter(|last| last.name.is_empty()) {
                    last.name = name_of(comment);
                    last.text = text_of(&last.name, &last.text);
                }
            }
            // The same address as a name before itself, `a@x.org <a@x.org>`.
            _ if token.contains('@') && !token.starts_with('"') && !rest.starts_with('<') => {
                add(found, &mut name, token.trim_matches(['\'', ',']));
            }
            _ if token.contains('@') && rest.starts_with('<') && is_its_name(token, rest) => {}
            _ if token.contains('@') && rest.starts_with('<') && !token.starts_with('"') => {
                add(found, &mut name, token.trim_matches('\''));
            }
            _ => {
                name.push_str(token);
                name.push(' ');
            }
        }
    }
    let left = name.trim();
    if !left.is_empty() {
        let text = left.to_owned();
        found.push(Pasted { name: String::new(), address: Err(text.clone()), text });
    }
}

/// Whether a word is the address in the brackets behind it.
fn is_its_name(word: &str, brackets: &str) -> bool {
    let (bracketed, _) = token_of(brackets);
    bracketed.trim_matches(['<', '>']).eq_ignore_ascii_case(word.trim_matches(['"', '\'']))
}

/// The first word, quoted text, or bracketed text, and what stands behind it.
fn token_of(text: &str) -> (&str, &str) {
    let closed = |end: char| text[1..].find(end).map(|at| text.split_at(at + 2));
    let whole = match text.chars().next() {
        Some('"') => closed('"'),
        Some('<') => closed('>'),
        Some('(') => closed(')'),
        _ => None,
    };
    whole.unwrap_or_else(|| {
        let end = text.char_indices().skip(1).find(|(_, c)| c.is_whitespace() || *c == '<');
        text.split_at(end.map_or(text.len(), |(at, _)| at))
    })
}

fn add(found: &mut Vec<Pasted>, name: &mut String, address: &str) {
    let name = name_of(&std::mem::take(name));
    let address = address.trim();
    let address =
        address.strip_prefix("mailto:").or_else(|| address.strip_prefix("MAILTO:")).unwrap_or(address);
    let text = text_of(&name, address);
    if text.is_empty() {
        return;
    }
    let address = EmailAddress::parse(address).map_err(|_| address.to_owned());
    found.push(Pasted { name, address, text });
}

fn text_of(name: &str, address: &str) -> String {
    if name.is_empty() { address.to_owned() } else { format!("\"{name}\" <{address}>") }
}

/// A name without quotes and brackets.
fn name_of(text: &str) -> String {
    let bare: String = text.chars().filter(|c| !matches!(c, '"' | '\\' | '<' | '>')).collect();
    clean_name(bare.trim().trim_matches(['\'', ',']).trim())
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let shown = |pasted: Pasted| match pasted.address {
            Ok(address) => format!("{}|{address}", pasted.name),
            Err(text) => format!("!{text}"),
        };
        assert_eq!(people(text).into_iter().map(shown).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn lists_of_mail_programs_are_lists_of_people() {
        check(
            "i1@x.org, i2@x.org, Iris Three <i3@x.org>",
            &["|i1@x.org", "|i2@x.org", "Iris Three|i3@x.org"],
        );
        check(
            "\"Dr. Anna Weiß\" <a1@x.org>, Karl Groß <a2@x.org>",
            &["Dr. Anna Weiß|a1@x.org", "Karl Groß|a2@x.org"],
        );
        check(
            "Weiß, Anna <h1@x.org>; Groß, Karl <h2@x.org>; h3@x.org;",
            &["Weiß, Anna|h1@x.org", "Groß, Karl|h2@x.org", "|h3@x.org"],
        );
        check("\"Weiß, Anna\" <a@x.org>,\n b@x.org", &["Weiß, Anna|a@x.org", "|b@x.org"]);
        check("a@x.org b@x.org\tc@x.org;d@x.org", &["|a@x.org", "|b@x.org", "|c@x.org", "|d@x.org"]);
        check("A <a@x.org> B B <b@x.org>", &["A|a@x.org", "B B|b@x.org"]);
        check("a@x.org (Ada Lovelace), b@x.org", &["Ada Lovelace|a@x.org", "|b@x.org"]);
        check("a@x.org <a@x.org>, 'b@x.org'", &["|a@x.org", "|b@x.org"]);
        check("mailto:a@x.org; <mailto:b@x.org>", &["|a@x.org", "|b@x.org"]);
        check("\u{feff}\u{200b}a@x.org\u{a0}\u{200b}b@x.org\u{200f}", &["|a@x.org", "|b@x.org"]);
    }

    #[test]
    fn what_is_no_address_is_told_and_not_lost() {
        check("a@x.org, Ada", &["|a@x.org", "!Ada"]);
        check("Ada Lovelace", &["!Ada Lovelace"]);
        check("Ada <ada>", &["!ada"]);
        check("a@x.org; x@; b@x.org", &["|a@x.org", "!x@", "|b@x.org"]);
        check("", &[]);
        check(" ; , \n", &[]);
    }

    #[test]
    fn a_sheet_is_no_list() {
        assert!(!is_list("a@x.org,Ada,Lovelace\nb@x.org,Bob,\n"));
        assert!(!is_list("a@x.org\nb@x.org\n"));
        for list in ["a@x.org, b@x.org", "Weiß, Anna <a@x.org>;", "a@x.org (A)", "mailto:a@x.org", "a@x.org;"]
        {
            assert!(is_list(list), "{list}");
        }
    }

    proptest! {
        #[test]
        fn every_address_is_a_person_of_its_own_and_no_name_has_one(
            people_of in prop::collection::vec(("[a-z]{1,8}", "[A-Za-zß]{0,6}( [A-Za-zß]{1,6})?"), 1..6),
            separator in prop::sample::select(vec![", ", ";", "; ", "\n", ",\r\n "]),
        ) {
            let text: Vec<String> = people_of.iter().enumerate().map(|(at, (local, name))| match name.trim() {
                "" => format!("{local}{at}@x.org"),
                name if at % 2 == 0 => format!("\"{name}\" <{local}{at}@x.org>"),
                name => format!("{name} <{local}{at}@x.org>"),
            }).collect();
            let found = people(&text.join(separator));
            prop_assert_eq!(found.len(), people_of.len());
            for ((at, (local, name)), pasted) in people_of.iter().enumerate().zip(&found) {
                let address = format!("{local}{at}@x.org");
                prop_assert_eq!(pasted.address.as_ref().map(EmailAddress::as_str), Ok(address.as_str()));
                prop_assert_eq!(pasted.name.as_str(), name.trim());
            }
        }

        #[test]
        fn any_text_is_read(text in "[a-z@<>(),;\"' \\n]{0,40}") {
            for pasted in people(&text) {
                prop_assert!(!pasted.name.contains(['<', '>']), "{:?}", pasted);
                prop_assert!(!pasted.text.is_empty());
            }
        }
    }
}
