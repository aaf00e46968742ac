//! The catalogues of texts: complete in every language, used, and called with the values that they take.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use crier::locale::{Value, lookup, texts_of};
use crier::model::Language;
use fluent_bundle::{FluentArgs, FluentBundle, FluentResource};
use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement, VariantKey};
use fluent_syntax::parser;

/// Characters of a line that every mail program shows as one (RFC 5322 2.1.1).
const MAIL_LINE_CHARS_MAX: usize = 78;

/// The categories of plural forms that Unicode knows.
const CATEGORIES: [&str; 6] = ["zero", "one", "two", "few", "many", "other"];

/// A choice by a variable: its variants, each with the variables that it shows and whether it has a digit in it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Choice {
    variable: String,
    variants: Vec<(String, BTreeSet<String>, bool)>,
}

/// What one text says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Facts {
    variables: BTreeSet<String>,
    /// Other texts that it is made of.
    parts: BTreeSet<String>,
    choices: Vec<Choice>,
    has_digit: bool,
}

impl Facts {
    fn read(pattern: &Pattern<&str>) -> Facts {
        let mut facts = Facts::default();
        for element in &pattern.elements {
            match element {
                PatternElement::TextElement { value } => {
                    facts.has_digit |= value.contains(|c: char| c.is_ascii_digit());
                }
                PatternElement::Placeable { expression: Expression::Inline(inline) } => {
                    facts.add_inline(inline);
                }
                PatternElement::Placeable { expression: Expression::Select { selector, variants } } => {
                    facts.add_inline(selector);
                    let InlineExpression::VariableReference { id } = selector else {
                        panic!("a choice by something else than a variable: {selector:?}");
                    };
                    let mut choice = Choice { variable: id.name.to_owned(), variants: Vec::new() };
                    for variant in variants {
                        let (VariantKey::Identifier { name } | VariantKey::NumberLiteral { value: name }) =
                            variant.key;
                        let of_variant = Facts::read(&variant.value);
                        choice.variants.push((
                            name.to_owned(),
                            of_variant.variables.clone(),
                            of_variant.has_digit,
                        ));
                        facts.variables.extend(of_variant.variables);
                        facts.parts.extend(of_variant.parts);
                        facts.choices.extend(of_variant.choices);
                    }
                    facts.choices.push(choice);
                }
            }
        }
        facts
    }

    fn add_inline(&mut self, inline: &InlineExpression<&str>) {
        match inline {
            InlineExpression::VariableReference { id } => {
                self.variables.insert(id.name.to_owned());
            }
            InlineExpression::MessageReference { id, attribute: None } => {
                self.parts.insert(id.name.to_owned());
            }
            InlineExpression::TermReference { id, attribute: None, arguments: None } => {
                self.parts.insert(format!("-{}", id.name));
            }
            InlineExpression::StringLiteral { .. } => {}
            InlineExpression::Placeable { expression } => match expression.as_ref() {
                Expression::Inline(inline) => self.add_inline(inline),
                Expression::Select { .. } => panic!("a choice in braces of its own"),
            },
            other => panic!("texts are made of values and texts alone: {other:?}"),
        }
    }
}

/// The texts of a language by their keys; a term has a hyphen before its name.
type Catalogue = BTreeMap<String, Facts>;

/// Reads the files of a language, with everything that is wrong with them.
fn read(texts: &[&str], problems: &mut Vec<String>) -> Catalogue {
    let mut catalogue = Catalogue::new();
    for text in texts {
        let resource =
            parser::parse(*text).unwrap_or_else(|(resource, errors)| {
                problems.extend(errors.iter().map(|error| {
                    format!("{error:?} in {:?}", &text[error.slice.clone().unwrap_or_default()])
                }));
                resource
            });
        for entry in &resource.body {
            let (key, pattern) = match entry {
                Entry::Message(message) if message.attributes.is_empty() => {
                    (message.id.name.to_owned(), message.value.as_ref())
                }
                Entry::Term(term) => (format!("-{}", term.id.name), Some(&term.value)),
                Entry::Message(message) => {
                    problems.push(format!("{} has attributes, which nothing shows", message.id.name));
                    continue;
                }
                _ => continue,
            };
            let Some(pattern) = pattern else {
                problems.push(format!("{key} is empty"));
                continue;
            };
            if catalogue.insert(key.clone(), Facts::read(pattern)).is_some() {
                problems.push(format!("{key} is there twice"));
            }
        }
    }
    // A text that is made of others takes their values too.
    let own = catalogue.clone();
    for (key, facts) in &mut catalogue {
        let mut open: Vec<&String> = own[key].parts.iter().collect();
        let mut seen = BTreeSet::new();
        while let Some(part) = open.pop().filter(|part| seen.insert((*part).clone())) {
            match own.get(part) {
                Some(of_part) => {
                    facts.variables.extend(of_part.variables.iter().cloned());
                    open.extend(&of_part.parts);
                }
                None => problems.push(format!("{key} is made of {part}, which does not exist")),
            }
        }
    }
    catalogue
}

/// The categories that whole numbers have in a language.
fn categories(tag: &str) -> BTreeSet<String> {
    let variants: Vec<String> = CATEGORIES[..5].iter().map(|name| format!("\n    [{name}] {name}")).collect();
    let variants = variants.concat();
    let text = format!("form = {{ $n ->{variants}\n   *[other] other\n}}\n");
    let mut bundle = FluentBundle::new(vec![tag.parse().unwrap()]);
    bundle.add_resource(FluentResource::try_new(text).unwrap()).unwrap();
    let pattern = bundle.get_message("form").unwrap().value().unwrap();
    let form = |n: u32| {
        let mut args = FluentArgs::new();
        args.set("n", n);
        bundle.format_pattern(pattern, Some(&args), &mut Vec::new()).into_owned()
    };
    (0..=1000).map(form).collect()
}

/// Whether a category of a language has more numbers than one, so that its text must show the number.
fn is_ambiguous(tag: &str, category: &str) -> bool {
    category != "one" || ["fr", "pt"].contains(&tag)
}

/// What is wrong with the plural forms of a text.
fn plural_problems(tag: &str, key: &str, facts: &Facts) -> Vec<String> {
    let mut problems = Vec::new();
    for Choice { variable, variants } in &facts.choices {
        let names: BTreeSet<String> = variants.iter().map(|(name, ..)| name.clone()).collect();
        if !names.iter().any(|name| CATEGORIES[..5].contains(&name.as_str())) {
            continue;
        }
        let forms: BTreeSet<String> =
            names.iter().filter(|name| CATEGORIES.contains(&name.as_str())).cloned().collect();
        if forms != categories(tag) {
            problems.push(format!(
                "{tag}: {key} has the plural forms {forms:?} of ${variable}, not {:?}",
                categories(tag)
            ));
        }
        for (name, shown, has_digit) in variants {
            if CATEGORIES.contains(&name.as_str())
                && *has_digit
                && !shown.contains(variable)
                && is_ambiguous(tag, name)
            {
                problems.push(format!("{tag}: {key} writes a number for all numbers of the form {name}"));
            }
        }
    }
    problems
}

/// What is wrong with the catalogues of several languages, the first of which the others are held against.
fn problems_between(languages: &[(&str, Catalogue)]) -> Vec<String> {
    let mut problems = Vec::new();
    let (_, first) = &languages[0];
    for (tag, catalogue) in languages {
        for (key, facts) in catalogue {
            problems.extend(plural_problems(tag, key, facts));
            match first.get(key) {
                // A language has the terms that it needs.
                None if key.starts_with('-') => {}
                None => problems.push(format!("{tag}: {key} is not in the other languages")),
                Some(of_first) if facts.variables != of_first.variables => {
                    problems.push(format!(
                        "{tag}: {key} has {:?}, not {:?}",
                        facts.variables, of_first.variables
                    ));
                }
                Some(_) => {}
            }
        }
        let missing = first.keys().filter(|key| !key.starts_with('-') && !catalogue.contains_key(*key));
        problems.extend(missing.map(|key| format!("{tag}: {key} is missing")));
    }
    problems
}

/// One place of the sources that shows a text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Use {
    key: String,
    variables: BTreeSet<String>,
}

/// The parts between the commas of a call's arguments, up to its closing parenthesis.
fn arguments(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut begin, mut in_text, mut is_escaped) = (Vec::new(), 0, 0, false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' if in_text => is_escaped = true,
            '"' => in_text = !in_text,
            _ if in_text => {}
            ')' if depth == 0 => {
                parts.push(text[begin..at].trim());
                break;
            }
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[begin..at].trim());
                begin = at + 1;
            }
            _ => {}
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

/// The calls of `text!` in a source or a template.
fn uses(text: &str) -> Vec<Use> {
    const CALL: &str = "text!(";
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let calls = text.match_indices(CALL).filter(|(at, _)| !text[..*at].ends_with(is_word));
    let read = |(at, _): (usize, &str)| {
        let parts = arguments(&text[at + CALL.len()..]);
        let name = |part: &&str| part.split('=').next().unwrap_or_default().trim().to_owned();
        Some(Use {
            key: parts.get(1)?.trim_matches('"').to_owned(),
            variables: parts[2..].iter().map(name).collect(),
        })
    };
    // The macro of the table of problems shows the texts of its rows.
    let calls = calls.filter_map(read).filter(|call| !call.key.starts_with('$'));
    calls.chain(text.lines().filter_map(row)).chain(settings(text)).collect()
}

/// The texts of the rows of a table of settings: the label and the help of each row, such as
/// `name: Type = default, by boolean(), in Topic, on group 1;`.
fn settings(text: &str) -> Vec<Use> {
    let Some((prefix, rows)) = text.split_once(" texts \"").and_then(|(_, table)| table.split_once('"'))
    else {
        return Vec::new();
    };
    let is_row = |row: &&str| row.contains(" by ") && row.contains(" on ");
    let name = |row: &str| row.split(':').next()?.split_whitespace().last().map(str::to_owned);
    let names = rows.split(';').filter(is_row).filter_map(name);
    let texts = names.flat_map(|name| [format!("{prefix}{name}"), format!("{prefix}{name}-help")]);
    texts.map(|key| Use { key, variables: BTreeSet::new() }).collect()
}

/// The text of a row of the table of problems, such as `TooLong { max: usize } = "key", "English";`.
fn row(line: &str) -> Option<Use> {
    let (variant, texts) = line.trim().split_once(" = \"")?;
    let (key, english) = texts.split_once("\", \"")?;
    let (name, facts) = variant.split_once(" { ").unwrap_or((variant, ""));
    let is_name =
        name.starts_with(|c: char| c.is_ascii_uppercase()) && name.chars().all(char::is_alphanumeric);
    let name_of = |fact: &str| fact.split(':').next().unwrap_or_default().trim().to_owned();
    let facts = facts.trim_end_matches(" }").split(',').map(name_of).filter(|fact| !fact.is_empty());
    let is_row = is_name && english.ends_with("\";");
    is_row.then(|| Use { key: key.to_owned(), variables: facts.collect() })
}

/// What is wrong with the calls of the sources.
fn problems_of_calls(catalogue: &Catalogue, sources: &[(String, String)]) -> Vec<String> {
    let mut problems = Vec::new();
    let mut used: BTreeSet<String> = BTreeSet::new();
    for (path, text) in sources {
        for Use { key, variables } in uses(text) {
            match catalogue.get(&key) {
                None => problems.push(format!("{path}: there is no text {key}")),
                Some(facts) if facts.variables != variables => {
                    problems.push(format!("{path}: {key} takes {:?}, not {variables:?}", facts.variables));
                }
                Some(_) => {}
            }
            used.insert(key);
        }
    }
    let parts: BTreeSet<&String> = catalogue.values().flat_map(|facts| &facts.parts).collect();
    let unused = catalogue.keys().filter(|key| !used.contains(*key) && !parts.contains(key));
    problems.extend(unused.map(|key| format!("nothing shows {key}")));
    problems
}

/// The sources of the program, without comments and tests, and its templates.
fn sources() -> Vec<(String, String)> {
    let mut folders: Vec<PathBuf> = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut sources = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let name = path.display().to_string();
            let extension = path.extension().unwrap_or_default().to_string_lossy().into_owned();
            if path.is_dir() {
                folders.push(path);
            } else if extension == "rs" && !name.ends_with("/tests.rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let product = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
                let lines = product.lines().filter(|line| !line.trim_start().starts_with("//"));
                sources.push((name, lines.collect::<Vec<_>>().join("\n")));
            } else if ["html", "txt"].contains(&extension.as_str()) {
                sources.push((name, std::fs::read_to_string(&path).unwrap()));
            }
        }
    }
    sources
}

#[test]
fn every_text_is_there_in_every_language_and_shown_with_its_values() {
    let mut problems = Vec::new();
    let catalogues: Vec<(&str, Catalogue)> = Language::ALL
        .iter()
        .map(|language| (language.word(), read(texts_of(*language), &mut problems)))
        .collect();
    problems.extend(problems_between(&catalogues));
    problems.extend(problems_of_calls(&catalogues[0].1, &sources()));
    assert!(problems.is_empty(), "\n{}\n", problems.join("\n"));
}

#[test]
fn every_text_can_be_shown_with_any_number() {
    let mut problems = Vec::new();
    for language in Language::ALL {
        let catalogue = read(texts_of(*language), &mut problems);
        for (key, facts) in catalogue.iter().filter(|(key, _)| !key.starts_with('-')) {
            for number in [0, 1, 2, 5, 1_000_000_i64] {
                let names: Vec<&'static str> =
                    facts.variables.iter().map(|name| &*name.clone().leak()).collect();
                let values: Vec<_> = names.iter().map(|name| (*name, Value::from(number))).collect();
                let shown = lookup(*language, key, &values);
                assert!(
                    !shown.contains(['{', '\u{2068}', '\u{2069}']),
                    "{}: {key}: {shown}",
                    language.word()
                );
                assert!(shown != *key && shown == shown.trim_end(), "{}: {key}: {shown:?}", language.word());
            }
        }
    }
}

#[test]
fn lines_of_mails_are_short() {
    for (language, text) in
        Language::ALL.iter().flat_map(|language| texts_of(*language).iter().map(move |text| (language, text)))
    {
        for line in
            text.lines().filter_map(|line| line.strip_prefix("    ")).filter(|line| !line.starts_with('['))
        {
            assert!(
                !line.starts_with(' ') || !line.trim_start().starts_with('{'),
                "loses its spaces: {line}"
            );
            assert!(line.chars().count() <= MAIL_LINE_CHARS_MAX, "{}: {line}", language.word());
        }
    }
}

/// What the tests find of two languages and a source.
#[track_caller]
fn check(english: &str, other: (&str, &str), source: &str, expected: &[&str]) {
    let mut problems = Vec::new();
    let catalogues = [("en", read(&[english], &mut problems)), (other.0, read(&[other.1], &mut problems))];
    problems.extend(problems_between(&catalogues));
    problems.extend(problems_of_calls(&catalogues[0].1, &[("x.rs".to_owned(), source.to_owned())]));
    assert_eq!(problems, expected);
}

#[test]
fn a_text_that_is_missing_unused_or_has_other_values_is_found() {
    let source = r#"text!(language, "a", b = f(1, ","), c = text!(l, "d"))"#;
    let english = "a = { $b } { $c }\nd = D\n";
    check(english, ("de", "a = { $c }{ $b }\nd = D\n"), source, &[]);
    check(english, ("de", "a = { $c }{ $b }\n"), source, &["de: d is missing"]);
    check(
        english,
        ("de", "a = { $b }\nd = D\ne = E\n"),
        source,
        &[r#"de: a has {"b"}, not {"b", "c"}"#, "de: e is not in the other languages"],
    );
    check(
        "a = { $b }\nf = { d }\nd = D\n",
        ("de", "a = { $b }\nf = { d }\nd = D\n"),
        source,
        &[r#"x.rs: a takes {"b"}, not {"b", "c"}"#, "nothing shows f"],
    );
    check(
        "",
        ("de", ""),
        r#"{{ text!(self.language, "x") }} context!(l, "y")"#,
        &["x.rs: there is no text x"],
    );
    check("a = A\na = B\n", ("de", "a = A\n"), r#"text!(l, "a")"#, &["a is there twice"]);
    let row = r#"    TooLong { max: usize, of: String } = "a", "is longer than {max} in {of}";"#;
    check("a = { $max } { $of }\n", ("de", "a = { $of }{ $max }\n"), row, &[]);
    check("a = A\n", ("de", "a = A\n"), row, &[r#"x.rs: a takes {}, not {"max", "of"}"#]);
    let rows = "new() texts \"s-\" kept { id: Id = id; } \
        set { a: bool = f(), by g(x), in T, on d 1; b: A::B = c,\n  by g(), in T, on d 2; }";
    check(
        "s-a = A\ns-a-help = B\ns-b = C\n",
        ("de", "s-a = A\ns-a-help = B\ns-b = C\n"),
        rows,
        &["x.rs: there is no text s-b-help"],
    );
    check("", ("de", ""), r#"Gone = "b", "is gone";"#, &["x.rs: there is no text b"]);
}

#[test]
fn plural_forms_that_a_language_lacks_or_writes_wrongly_are_found() {
    let source = r#"text!(l, "a", n = 1)"#;
    let english = "a = { $n ->\n    [one] 1 day\n   *[other] { $n } days\n}\n";
    check(english, ("de", "a = { $n ->\n    [one] 1 Tag\n   *[other] { $n } Tage\n}\n"), source, &[]);
    check(
        english,
        ("pl", "a = { $n ->\n    [one] 1 dzień\n   *[other] { $n } dni\n}\n"),
        source,
        &[r#"pl: a has the plural forms {"one", "other"} of $n, not {"few", "many", "one"}"#],
    );
    check(
        english,
        ("fr", "a = { $n ->\n    [one] 1 jour\n   *[other] { $n } jours\n}\n"),
        source,
        &["fr: a writes a number for all numbers of the form one"],
    );
}

/// The words that texts of a language do not have, by the second table of `src/locale/terms.md`, in lower case.
fn banned_words(terms: &str, language: &str) -> Vec<String> {
    let (_, table) = terms.split_once("## Words that no text has").expect("the table is there");
    let rows = table.lines().map(|line| line.split('|').map(str::trim).collect::<Vec<_>>());
    let of_language = rows.filter(|row| row.get(1) == Some(&language));
    of_language.flat_map(|row| row[2].split(", ").map(str::to_lowercase).collect::<Vec<_>>()).collect()
}

/// The lines of texts without comments, keys and values.
fn prose(text: &str) -> impl Iterator<Item = String> {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.map(|line| {
        let value =
            if line.starts_with(' ') { line } else { line.split_once('=').map_or("", |(_, value)| value) };
        value
            .split('{')
            .map(|part| part.rsplit('}').next().unwrap_or_default())
            .collect::<String>()
            .to_lowercase()
    })
}

/// Whether a line has a word, or one that begins so if the word ends with a star.
fn has_word(line: &str, word: &str) -> bool {
    let (word, is_prefix) = word.strip_suffix('*').map_or((word, false), |word| (word, true));
    let is_letter = |c: Option<char>| c.is_some_and(char::is_alphabetic);
    line.match_indices(word).any(|(at, _)| {
        let ends = is_prefix || !is_letter(line[at + word.len()..].chars().next());
        ends && !is_letter(line[..at].chars().next_back())
    })
}

#[test]
fn texts_name_each_thing_by_the_word_that_their_language_has_for_it() {
    let terms =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("src/locale/terms.md")).unwrap();
    let names = [
        (Language::English, "English"),
        (Language::German, "German"),
        (Language::French, "French"),
        (Language::Spanish, "Spanish"),
    ];
    let mut problems = Vec::new();
    for (language, name) in names {
        let banned = banned_words(&terms, name);
        assert!(!banned.is_empty(), "{name} has rows");
        for line in texts_of(language).iter().flat_map(|text| prose(text)) {
            let found = banned.iter().filter(|word| has_word(&line, word));
            problems.extend(found.map(|word| format!("{name} has {word}: {line}")));
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

#[test]
fn a_word_is_found_whole_or_by_its_beginning() {
    assert!(has_word("ein knopf am ende", "knopf*") && has_word("die knöpfe, knopfdruck", "knopf*"));
    assert!(!has_word("druckknopf", "knopf*") && !has_word("fils de", "fil"));
    assert!(has_word("un fil.", "fil"));
    let lines: Vec<String> =
        prose("# Knopf\nkey-knopf = Der { $knopf } hier\n   *[other] Knopf { $x }s\n").collect();
    assert_eq!(lines, [" der  hier", "   *[other] knopf s"]);
}
