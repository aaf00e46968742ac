//! Says in the reader's language what the API says in English: what is wrong with a value that was typed.
//!
//! Operations and readers of parameters word each problem once, for the API. The English catalogue has the same
//! sentences, so that a page recognises them, and shows the one of its language in their place. A sentence that is not in
//! the catalogue stays English.

use std::sync::LazyLock;

use crate::locale::text;
use crate::model::Language;

/// Stands for a value when the English sentence is taken apart: no text of a problem has it.
const HOLE: &str = "\u{1}";

/// Colons that a sentence may have in it, and one in front of it.
const COLONS_MAX: usize = 3;

/// A sentence with places for values, which come in the same order as in English.
struct Phrase {
    values: usize,
    say: fn(Language, &[&str]) -> String,
}

const fn phrase(values: usize, say: fn(Language, &[&str]) -> String) -> Phrase {
    Phrase { values, say }
}

/// All sentences; of two that fit, the earlier one is taken.
const PHRASES: &[Phrase] = &[
    phrase(0, |language, _| text!(language, "wrong-text")),
    phrase(0, |language, _| text!(language, "wrong-control")),
    phrase(0, |language, _| text!(language, "wrong-bool")),
    phrase(0, |language, _| text!(language, "wrong-array")),
    phrase(2, |language, values| text!(language, "wrong-whole-between", min = values[0], max = values[1])),
    phrase(1, |language, values| text!(language, "wrong-whole-least", min = values[0])),
    phrase(1, |language, values| text!(language, "wrong-one-of", words = values[0])),
    phrase(1, |language, values| text!(language, "wrong-chars", max = values[0])),
    phrase(0, |language, _| text!(language, "wrong-line")),
    phrase(1, |language, values| text!(language, "wrong-printable", max = values[0])),
    phrase(1, |language, values| text!(language, "wrong-between-chars", max = values[0])),
    phrase(0, |language, _| text!(language, "wrong-timezone")),
    phrase(0, |language, _| text!(language, "wrong-image")),
    phrase(0, |language, _| text!(language, "wrong-image-private")),
    phrase(0, |language, _| text!(language, "wrong-network")),
    phrase(1, |language, values| text!(language, "wrong-networks", max = values[0])),
    phrase(1, |language, values| text!(language, "wrong-patterns", max = values[0])),
    phrase(0, |language, _| text!(language, "wrong-months")),
    phrase(0, |language, _| text!(language, "wrong-needed")),
    phrase(0, |language, _| text!(language, "wrong-name-needed")),
    phrase(0, |language, _| text!(language, "wrong-name-form")),
    phrase(0, |language, _| text!(language, "wrong-name-reserved")),
    phrase(0, |language, _| text!(language, "wrong-address-needed")),
    phrase(0, |language, _| text!(language, "wrong-address-example")),
    phrase(0, |language, _| text!(language, "wrong-address-form")),
    phrase(0, |language, _| text!(language, "wrong-address-character")),
    phrase(0, |language, _| text!(language, "wrong-address-domain")),
    phrase(0, |language, _| text!(language, "wrong-address-length")),
    phrase(0, |language, _| text!(language, "wrong-addresses-one")),
    phrase(0, |language, _| text!(language, "wrong-addresses-stay")),
    phrase(1, |language, values| text!(language, "wrong-addresses-contact", max = values[0])),
    phrase(1, |language, values| text!(language, "wrong-addresses-room", max = values[0])),
    phrase(1, |language, values| text!(language, "wrong-destinations", max = values[0])),
    phrase(1, |language, values| text!(language, "wrong-taken-server", name = values[0])),
    phrase(1, |language, values| text!(language, "wrong-taken-alias", name = values[0])),
    phrase(2, |language, values| text!(language, "wrong-taken-by", name = values[0], by = values[1])),
    phrase(1, |language, values| text!(language, "wrong-taken", name = values[0])),
    phrase(1, |language, values| text!(language, "wrong-own-name", name = values[0])),
    phrase(2, |language, values| text!(language, "wrong-one-word", name = values[0], example = values[1])),
    phrase(1, |language, values| text!(language, "wrong-above-below", name = values[0])),
    phrase(1, |language, values| text!(language, "wrong-twice", name = values[0])),
    phrase(1, |language, values| text!(language, "wrong-domains", max = values[0])),
    phrase(0, |language, _| text!(language, "wrong-domains-main")),
    phrase(0, |language, _| text!(language, "wrong-domains-changed")),
    phrase(1, |language, values| text!(language, "wrong-claims", max = values[0])),
    phrase(1, |language, values| text!(language, "wrong-fields", max = values[0])),
    phrase(1, |language, values| text!(language, "wrong-field-own", name = values[0])),
    phrase(1, |language, values| text!(language, "wrong-field-there", name = values[0])),
    phrase(1, |language, values| text!(language, "wrong-no-list", name = values[0])),
    phrase(1, |language, values| text!(language, "wrong-no-field", name = values[0])),
    phrase(1, |language, values| text!(language, "wrong-no-provider", name = values[0])),
    phrase(1, |language, values| text!(language, "wrong-member-already", name = values[0])),
    phrase(1, |language, values| text!(language, "wrong-no-pattern", address = values[0])),
    phrase(2, |language, values| {
        text!(language, "wrong-leads-back", address = values[0], source = values[1])
    }),
    phrase(0, |language, _| text!(language, "wrong-last-head")),
    phrase(0, |language, _| text!(language, "wrong-person-needed")),
    phrase(0, |language, _| text!(language, "wrong-right-needed")),
    phrase(1, |language, values| text!(language, "wrong-cannot-give", right = values[0])),
    phrase(0, |language, _| text!(language, "wrong-cannot-change")),
    phrase(0, |language, _| text!(language, "wrong-limited-list")),
    phrase(0, |language, _| text!(language, "wrong-app-needed")),
    phrase(0, |language, _| text!(language, "wrong-app-back")),
    phrase(0, |language, _| text!(language, "wrong-app-absolute")),
    phrase(1, |language, values| text!(language, "wrong-scheduled", max = values[0])),
];

/// The literal parts of each English sentence.
static PARTS: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    let parts = |phrase: &Phrase| {
        let english = (phrase.say)(Language::English, &vec![HOLE; phrase.values]);
        english.split(HOLE).map(str::to_owned).collect()
    };
    PHRASES.iter().map(parts).collect()
});

/// The problem in a language. What stands in front of a colon, such as the one of several addresses, stays.
pub(super) fn say(language: Language, problem: &str) -> String {
    if language == Language::English {
        return problem.to_owned();
    }
    if let Some(said) = whole(language, problem) {
        return said;
    }
    // The text in front may be anything, and long.
    let mut colons = problem.rmatch_indices(": ").take(COLONS_MAX);
    let said = colons.find_map(|(at, colon)| {
        let (about, rest) = (&problem[..at], &problem[at + colon.len()..]);
        whole(language, rest).map(|said| text!(language, "set-problem", label = about, problem = said))
    });
    said.unwrap_or_else(|| problem.to_owned())
}

fn whole(language: Language, problem: &str) -> Option<String> {
    PHRASES.iter().zip(PARTS.iter()).find_map(|(phrase, parts)| {
        let values = values(problem, parts)?;
        Some((phrase.say)(language, &values))
    })
}

/// The values between the parts of a sentence, if it is that sentence.
fn values<'a>(problem: &'a str, parts: &[String]) -> Option<Vec<&'a str>> {
    let (first, others) = parts.split_first()?;
    let mut rest = problem.strip_prefix(first.as_str())?;
    let mut values = Vec::new();
    for (number, part) in others.iter().enumerate() {
        let is_last = number + 1 == others.len();
        let end = if is_last { rest.len().checked_sub(part.len())? } else { rest.find(part.as_str())? };
        if end == 0 || !rest.get(end..)?.starts_with(part.as_str()) {
            return None;
        }
        values.push(&rest[..end]);
        rest = &rest[end + part.len()..];
    }
    rest.is_empty().then_some(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(problem: &str, expected: &str) {
        assert_eq!(say(Language::German, problem), expected);
        assert_eq!(say(Language::English, problem), problem);
    }

    #[test]
    fn problems_are_said_in_the_readers_language() {
        check("is needed", "wird gebraucht");
        check("must be a whole number from 1 to 9", "muss eine ganze Zahl von 1 bis 9 sein");
        check(
            "news@example.org is taken by a list or an alias",
            "news@example.org ist schon eine Liste oder ein Alias",
        );
        check("news is taken by alias 7", "news ist schon vergeben: alias 7");
        check("news is taken", "news ist schon vergeben");
        check("ada@: has a domain that is not valid", "ada@: hat eine Domain, die es so nicht geben kann");
        check("ada: b: is needed", "ada: b: wird gebraucht");
        check(&format!("{}is needed", "a: ".repeat(1000)), &format!("{}wird gebraucht", "a: ".repeat(1000)));
    }

    #[test]
    fn what_is_not_known_stays() {
        for problem in
            ["", ": ", "is neededs", " is taken", "must be a whole number from  to ", "ünknown: \u{1}"]
        {
            check(problem, problem);
        }
    }

    #[test]
    fn no_sentence_hides_a_later_one() {
        for (number, phrase) in PHRASES.iter().enumerate() {
            let values: Vec<String> = (0..phrase.values).map(|value| format!("v{value}")).collect();
            let values: Vec<&str> = values.iter().map(String::as_str).collect();
            let english = (phrase.say)(Language::English, &values);
            let first = PARTS.iter().position(|parts| self::values(&english, parts).is_some());
            assert_eq!(first, Some(number), "{english}");
        }
    }
}
