//! Compares pattern matching with a second engine, and checks its limits.

use std::cell::Cell;

use proptest::prelude::*;

use super::*;

fn compile(texts: &[&str]) -> PatternSet {
    let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    PatternPair::compile(&texts, &[]).first
}

#[track_caller]
fn check(pattern: &str, text: &str, expected: bool) {
    let compiled = Pattern::compile(pattern).unwrap();
    let budget = Budget::new(&|| false);
    let found = compiled.is_match(&mut None, text, budget);
    assert_eq!(found, Ok(expected), "{pattern:?} in {text:?}");
    // The slow engine gives the same result.
    assert_eq!(
        compiled.simulate(text.as_bytes(), 0, budget),
        Ok(expected),
        "{pattern:?} in {text:?}, simulated"
    );
}

fn error(texts: &[&str]) -> Option<PatternError> {
    let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
    PatternPair::check(std::iter::empty(), [("x", texts.as_slice())].into_iter())
        .pop()
        .map(|(_, _, error)| error)
}

#[test]
fn a_pattern_is_found_anywhere_in_any_case() {
    check("casino", "my CASINO now", true);
    check("casino", "cas ino", false);
    check("^a.c$", "xx\nabc", false);
    check("(?m)^a.c$", "xx\nABC\nyy", true);
    check("", "", true);
    check("$", "abc", true);
    check("grüße", "Liebe GRÜSSE, GRÜßE", true);
}

#[test]
fn word_boundaries_are_found_in_text_of_any_script() {
    check(r"\bcasino\b", "Grüße vom Casino!", true);
    check(r"\bcasino\b", "Grüße vom Casinoß", false);
    check(r"\bцена\b", "какая ЦЕНА?", true);
    check(r"\Bина\b", "цена цина", true);
    check(r"\b\w+ß$", "ein Gruß", true);
}

#[test]
fn a_pattern_that_compiles_to_much_is_refused() {
    assert_eq!(error(&[r"a(?-u:[\x00-\x7f]){10000}c"]), Some(PatternError::TooLarge));
    assert_eq!(error(&[r"(\w{500}){500}"]), Some(PatternError::TooLarge));
    assert_eq!(error(&[r"\b[\w.]+@\w{1,9}\.example\.(com|org)\b"]), None);
    assert!(
        matches!(error(&["[a"]), Some(PatternError::Syntax(text)) if text == "error: unclosed character class")
    );
}

#[test]
fn the_patterns_of_a_list_share_a_limit() {
    let large = r"(?-u:[a-z]){3000}";
    let many = vec![large; 100];
    assert_eq!(error(&many), Some(PatternError::TooManyLarge));
    assert_eq!(error(&[large]), None);
    let texts: Vec<String> = many.iter().map(|text| (*text).to_owned()).collect();
    let more = ["x".to_owned()];
    let wrong = PatternPair::check(texts.iter(), [("new", more.as_slice())].into_iter());
    assert_eq!(wrong, [], "a small one has its place beside those that were accepted earlier");
    let pair = PatternPair::compile(&texts, &[]);
    assert!(pair.size_bytes < PATTERNS_BYTES_MAX + PATTERNS_BYTES_MAX / 4, "{}", pair.size_bytes);
}

#[test]
fn of_patterns_that_cannot_be_judged_others_still_match() {
    let large = r"a(?-u:[\x00-\x7f]){10000}c";
    let set = compile(&["(", large, "casino"]);
    let mut matcher = set.matcher(Budget::new(&|| false));
    assert_eq!(matcher.find("the Casino"), Ok(Some("casino")));
    assert_eq!(matcher.find("nothing"), Err(Unjudged::TooLarge));
}

#[test]
fn a_search_ends_with_its_budget_in_either_engine() {
    let text = "a".repeat(100_000) + "ü";
    for pattern in [r"a(?-u:[\x00-\x7f]){2000}c", r"\ba(?:a|b|ü){500}\b\bc"] {
        let pattern = Pattern::compile(pattern).unwrap();
        let looks = Cell::new(0);
        let is_over = || {
            looks.set(looks.get() + 1);
            10 < looks.get()
        };
        let budget = Budget::new(&is_over);
        assert_eq!(pattern.is_match(&mut None, &text, budget), Err(Unjudged::OutOfTime));
        looks.set(0);
        assert_eq!(pattern.simulate(text.as_bytes(), 0, budget), Err(Unjudged::OutOfTime));
    }
}

/// Parts from which patterns are built.
fn pattern() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "b",
        "ü",
        "ab",
        ".",
        r"\w",
        r"\b",
        r"\B",
        r"(?-u:\b)",
        r"\d",
        "^",
        "$",
        "(?m:^)",
        "(?m:$)",
        "[ab]",
        "[^a]",
        "(a|bü)",
        "(?:ab)?",
        "a*",
        "b+",
        ".{2}",
        " ",
        r"\n",
        r"\s",
        "(?i-u:A)",
        "k",
        "|",
        "(?R:$)",
        r"\b{start}",
        r"\b{end-half}",
    ]);
    prop::collection::vec(piece, 0..6).prop_map(|pieces| pieces.concat())
}

/// Parts from which texts are built.
fn text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a", "b", "ü", "A", "K", "\u{212a}", " ", "\n", "\r\n", "1", "_", "ß", "日",
    ]);
    prop::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn the_engines_agree_with_the_crate_regex(pattern in pattern(), text in text()) {
        let known = regex::RegexBuilder::new(&pattern).case_insensitive(true).build();
        let compiled = Pattern::compile(&pattern);
        prop_assert_eq!(known.is_ok(), compiled.is_ok(), "{}", &pattern);
        if let (Ok(known), Ok(compiled)) = (known, compiled) {
            let expected = Ok(known.is_match(&text));
            let budget = Budget::new(&|| false);
            prop_assert_eq!(compiled.is_match(&mut None, &text, budget), expected, "{} in {:?}", &pattern, &text);
            prop_assert_eq!(compiled.simulate(text.as_bytes(), 0, budget), expected, "{} in {:?}", &pattern, &text);
        }
    }
}
