//! Selects the language of a visitor: the one they chose, else the browser's, else the account's. Called for every
//! request of a page; reads no storage.

use crate::model::Language;

/// Ranges of an `Accept-Language` field that are read; the rest are ignored.
const RANGES_MAX: usize = 50;

/// The signs of the language that a visitor wants.
#[derive(Debug, Clone, Copy, Default)]
pub struct Preferences<'a> {
    /// The value of `?lang=` in the address.
    pub asked: Option<&'a str>,
    /// The visitor's earlier choice, from a cookie.
    pub kept: Option<&'a str>,
    /// The `Accept-Language` header field.
    pub accepted: Option<&'a str>,
}

/// The language of a page for this visitor, where `account` is the account's language.
#[must_use]
pub fn negotiate(preferences: Preferences<'_>, account: Language) -> Language {
    let Preferences { asked, kept, accepted } = preferences;
    asked
        .and_then(from_tag)
        .or_else(|| kept.and_then(from_tag))
        .or_else(|| accepted.and_then(|field| best_of(field, account)))
        .unwrap_or(account)
}

/// The language of a BCP 47 tag: `de-AT` is German.
#[must_use]
pub fn from_tag(tag: &str) -> Option<Language> {
    let primary = tag.trim().split(['-', '_']).next().unwrap_or_default();
    Language::from_word(&primary.to_ascii_lowercase())
}

/// The language of the range with the highest quality (RFC 9110 12.5.4), the first one among equals. `*` selects the
/// account's language, or another one if that is refused.
fn best_of(field: &str, account: Language) -> Option<Language> {
    let mut ranges: Vec<(&str, u16)> = field.split(',').take(RANGES_MAX).filter_map(range).collect();
    ranges.sort_by_key(|(_, quality)| std::cmp::Reverse(*quality));
    let is_refused = |language: Language| {
        ranges.iter().any(|(tag, quality)| *quality == 0 && tag.eq_ignore_ascii_case(language.word()))
    };
    let mut wanted = ranges.iter().filter(|(_, quality)| 0 < *quality);
    wanted.find_map(|(tag, _)| match *tag {
        "*" => [account].iter().chain(Language::ALL).copied().find(|language| !is_refused(*language)),
        tag => from_tag(tag),
    })
}

/// A range and its quality in thousandths; `None` if it is malformed.
fn range(text: &str) -> Option<(&str, u16)> {
    let mut parts = text.split(';').map(str::trim);
    let tag = parts.next().filter(|tag| !tag.is_empty())?;
    let quality = match parts.next() {
        None => 1000,
        Some(parameter) => {
            thousandths(parameter.strip_prefix("q=").or(parameter.strip_prefix("Q="))?.trim())?
        }
    };
    Some((tag, quality))
}

/// Parses a quality value (RFC 9110 12.4.2): `0.8` is 800.
fn thousandths(text: &str) -> Option<u16> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let whole: u16 = whole.parse().ok().filter(|whole| *whole <= 1)?;
    if 3 < fraction.len() || !fraction.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let fraction: u16 = format!("{fraction:0<3}").parse().ok()?;
    Some(whole * 1000 + fraction).filter(|quality| *quality <= 1000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(accepted: &str, expected: &str) {
        let preferences = Preferences { accepted: Some(accepted), ..Preferences::default() };
        assert_eq!(negotiate(preferences, Language::Spanish).word(), expected, "{accepted}");
    }

    #[test]
    fn the_browsers_first_language_that_exists_is_taken() {
        check("de", "de");
        check("de-AT", "de");
        check("DE-at;q=0.5, fr-CA;q=0.7", "fr");
        check("nl, de;q=0.8, en;q=0.9", "en");
        check("nl;q=1.000, fr;q=0.001", "fr");
        check("fr, de", "fr");
        check("den, fr;q=0.1", "fr");
    }

    #[test]
    fn any_language_is_the_accounts_and_what_is_refused_is_not_taken() {
        check("*", "es");
        check("nl, *;q=0.1", "es");
        check("es;q=0, *", "en");
        check("es;q=0, en;q=0, *;q=0.5", "de");
        check("en;q=0", "es");
    }

    #[test]
    fn what_is_malformed_is_left_out() {
        for field in ["", ",,", ";q=1", "de;q=x", "de;q=1.5", "de;q=0.1234", "de;x=1", "\u{1f600}"] {
            check(field, "es");
        }
        check("de;q=, fr", "fr");
        check(&"nl,".repeat(10_000), "es");
    }

    #[test]
    fn a_choice_counts_more_than_the_browser() {
        let all = Preferences { asked: Some("fr"), kept: Some("en"), accepted: Some("de") };
        assert_eq!(negotiate(all, Language::Spanish), Language::French);
        let kept = Preferences { asked: Some("tlh"), ..all };
        assert_eq!(negotiate(kept, Language::Spanish), Language::English);
        assert_eq!(negotiate(Preferences::default(), Language::Spanish), Language::Spanish);
    }
}
