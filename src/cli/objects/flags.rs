//! Makes flags of the API's fields: one flag for each field that a call takes.
//!
//! The API's description gives each field's name, values and meaning. This module turns that into a flag with its
//! help, and the given flags back into the parameters of a call.

use std::path::Path;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches};
use serde_json::{Map, Value};

use super::kind::{Action, Kind, Wording};
use crate::cli::Failure;
use crate::cli::manage::COMMON;
use crate::cli::values::Problems;
use crate::http::reference::{Field, Shape};

/// The flag of custom fields, which are not in the description of the API.
const CUSTOM: &str = "custom-field";
/// Longest list of choices that is shown in place of a value's name.
const CHOICE_CHARS_MAX: usize = 30;

/// The flag of a field without its dashes.
pub(in crate::cli) fn flag_of(kind: &Kind, field: &str) -> String {
    if kind.secrets.contains(&field) {
        return format!("{}-file", field.replace('_', "-"));
    }
    match wording(kind, field).map(|wording| wording.flag) {
        None | Some("") => field.replace('_', "-"),
        Some(flag) => flag.to_owned(),
    }
}

fn wording<'kind>(kind: &'kind Kind, field: &str) -> Option<&'kind Wording> {
    kind.words.iter().find(|wording| wording.field == field)
}

/// Fields whose values are kept and change nothing in this version: their flags stand in no help.
const WITHOUT_EFFECT: [&str; 1] = ["hold_new"];

/// The flag of a field.
pub(super) fn flag(kind: &Kind, field: &Field, action: Action) -> Arg {
    let name: &'static str = flag_of(kind, &field.name).leak();
    let variable: &'static str = format!("CRIER_{}", name.to_ascii_uppercase().replace('-', "_")).leak();
    let value: &'static str = value_name(kind, field).leak();
    let arg = Arg::new(name)
        .long(name)
        .env(variable)
        .hide_env(true)
        .value_name(value)
        .help(help(kind, field, action));
    let arg = if is_many(&field.shape) { arg.action(ArgAction::Append) } else { arg };
    // A signature begins with two hyphens, and a number below the least one is told as such.
    let arg = arg.allow_hyphen_values(is_text(&field.shape)).allow_negative_numbers(true);
    let arg = arg.hide(WITHOUT_EFFECT.contains(&&*field.name));
    match (kind.heading)(&field.name) {
        Some(heading) => arg.help_heading(heading),
        None => arg,
    }
}

/// The flag of custom fields.
pub(super) fn custom_flag() -> Arg {
    let help = "Value of a custom field by its name or identifier; may be repeated";
    Arg::new(CUSTOM).long(CUSTOM).value_name("FIELD=VALUE").action(ArgAction::Append).help(help)
}

fn help(kind: &Kind, field: &Field, action: Action) -> String {
    let told = wording(kind, &field.name).map_or("", |wording| wording.help);
    if kind.secrets.contains(&field.name.as_str()) {
        return format!("File with the {}", field.name.replace('_', " "));
    }
    if !told.is_empty() {
        // A changed object keeps fields that are not named; a new object has no fields to remove.
        return match action {
            Action::Set => told.split(" [default: ").next().unwrap_or(told).to_owned(),
            Action::Create => told
                .replace(", '' for none [default", " [default")
                .replace(", '' for anywhere [default", " [default"),
            _ => told.to_owned(),
        };
    }
    // A command line has no null: a blank value replaces it.
    let text = field.about.replace("null for", "'' for").replace("null where", "'' where");
    let mut text = with_flags(kind, &text.replace("blank for", "'' for").replace(" Read-only.", ""));
    text.truncate(text.trim_end_matches('.').len());
    if let Some(words) = words(&field.shape)
        && CHOICE_CHARS_MAX < words.join("|").len()
    {
        text = format!("{text}; one of {}", words.join(", "));
    }
    if is_many(&field.shape) {
        text = format!("{text}; may be repeated, '' for none");
    }
    text
}

/// Replaces the names of the API's fields in a text by their flags.
fn with_flags(kind: &Kind, text: &str) -> String {
    let is_field = |word: &str| word.contains('_') && (kind.heading)(word).is_some();
    let words = text.split(' ').map(|word| {
        let name = word.trim_end_matches([',', '.', ';']);
        if is_field(name) {
            format!("--{}{}", flag_of(kind, name), &word[name.len()..])
        } else {
            word.to_owned()
        }
    });
    words.collect::<Vec<_>>().join(" ")
}

fn value_name(kind: &Kind, field: &Field) -> String {
    let told = wording(kind, &field.name).map_or("", |wording| wording.value);
    if kind.secrets.contains(&field.name.as_str()) {
        return "FILE".to_owned();
    }
    if told.is_empty() { value_of(&field.shape) } else { told.to_owned() }
}

fn value_of(shape: &Shape) -> String {
    match shape {
        Shape::Nullable(shape) | Shape::Many { of: shape, max: _ } | Shape::Map(shape) => value_of(shape),
        Shape::Either(shapes) => shapes.first().map(value_of).unwrap_or_default(),
        Shape::Truth => "true|false".to_owned(),
        Shape::Whole { .. } => "N".to_owned(),
        Shape::Number(numbers) => numbers.iter().map(u64::to_string).collect::<Vec<_>>().join("|"),
        Shape::Word(_) => match words(shape).map(|words| words.join("|")) {
            Some(choice) if choice.len() <= CHOICE_CHARS_MAX => choice,
            Some(_) | None => "WORD".to_owned(),
        },
        Shape::Text { format: Some("email"), .. } => "EMAIL".to_owned(),
        Shape::Text { format: Some("hostname"), .. } => "DOMAIN".to_owned(),
        Shape::Text { .. } | Shape::Object(_) | Shape::Fields(_) => "TEXT".to_owned(),
    }
}

/// The words among which a value is chosen.
fn words(shape: &Shape) -> Option<Vec<&'static str>> {
    match shape {
        Shape::Nullable(shape) | Shape::Many { of: shape, max: _ } => words(shape),
        Shape::Word(words) => Some(words.iter().copied().filter(|word| !word.is_empty()).collect()),
        _ => None,
    }
}

fn is_many(shape: &Shape) -> bool {
    match shape {
        Shape::Many { .. } => true,
        Shape::Nullable(shape) => is_many(shape),
        Shape::Either(shapes) => shapes.iter().any(is_many),
        _ => false,
    }
}

/// Whether a value may be any text, which may begin with a hyphen.
fn is_text(shape: &Shape) -> bool {
    match shape {
        Shape::Text { format, .. } => format.is_none(),
        Shape::Nullable(shape) | Shape::Many { of: shape, max: _ } => is_text(shape),
        Shape::Either(shapes) => shapes.iter().any(is_text),
        _ => false,
    }
}

fn is_truth(shape: &Shape) -> bool {
    match shape {
        Shape::Truth => true,
        Shape::Nullable(shape) => is_truth(shape),
        _ => false,
    }
}

/// Makes the parameters of a call from the given flags.
pub(super) fn params(
    kind: &Kind,
    fields: &[Field],
    matches: &ArgMatches,
) -> Result<Map<String, Value>, Failure> {
    let mut params = Map::new();
    let mut problems = Problems::default();
    for field in fields {
        let flag = flag_of(kind, &field.name);
        let Ok(Some(given)) = matches.try_get_many::<String>(&flag) else { continue };
        let mut texts: Vec<String> = given.cloned().collect();
        // An empty variable in the environment counts as absent.
        let is_blank = texts.iter().all(|text| text.trim().is_empty());
        if is_blank && matches.value_source(&flag) == Some(ValueSource::EnvVariable) {
            continue;
        }
        let name = format!("--{flag}");
        // A text may begin with hyphens, but one that is a flag of this command was meant as that.
        let is_flag = |text: &&String| {
            let other = text.strip_prefix("--").unwrap_or_default();
            COMMON.contains(&other) || fields.iter().any(|field| flag_of(kind, &field.name) == other)
        };
        if let Some(other) = texts.iter().find(is_flag) {
            problems.note(format!("{name} needs a value: what follows it is the flag {other}"));
            continue;
        }
        let value = if is_many(&field.shape) {
            Some(Value::from(texts))
        } else {
            let text = texts.pop().unwrap_or_default();
            if kind.secrets.contains(&field.name.as_str()) {
                problems.read(&name, &text, read_secret).map(Value::from)
            } else if is_truth(&field.shape) {
                problems.read(&name, &text, parse_truth).map(Value::from)
            } else {
                Some(Value::from(text))
            }
        };
        params.extend(value.map(|value| (field.name.clone(), value)));
    }
    if problems.is_empty() { Ok(params) } else { Err(problems.into()) }
}

fn parse_truth(text: &str) -> Result<bool, String> {
    match text.trim().to_ascii_lowercase().as_str() {
        "true" | "yes" | "on" => Ok(true),
        "false" | "no" | "off" => Ok(false),
        _ => Err("must be true or false".to_owned()),
    }
}

/// Reads the first line of a file. A secret is never an argument, because other users of the machine can see those.
fn read_secret(path: &str) -> Result<String, String> {
    let text = std::fs::read_to_string(Path::new(path));
    let text = text.map_err(|error| format!("must be a file that can be read ({error})"))?;
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

/// The given custom fields, by the names that were typed.
pub(super) fn custom(matches: &ArgMatches) -> Result<Vec<(String, String)>, Failure> {
    let Ok(Some(given)) = matches.try_get_many::<String>(CUSTOM) else { return Ok(Vec::new()) };
    let pair = |text: &String| {
        let right =
            || format!("--{CUSTOM} {text:?} must be a field, = and its value, such as 'Shoe size=38'");
        let (name, value) = text.split_once('=').ok_or_else(|| Failure::Usage(right()))?;
        Ok((name.trim().to_owned(), value.to_owned()))
    };
    given.map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::super::kinds::KINDS;
    use super::*;

    fn lists() -> &'static Kind {
        KINDS.iter().find(|kind| kind.section == "lists").unwrap()
    }

    fn field(name: &str, shape: Shape, about: &str) -> Field {
        Field { name: name.to_owned(), shape, about: about.to_owned(), is_required: false }
    }

    #[track_caller]
    fn check(field: &Field, expected: (&str, &str, &str)) {
        let arg = flag(lists(), field, Action::Set);
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        let value = arg.get_value_names().and_then(|names| names.first()).map(ToString::to_string);
        assert_eq!((arg.get_long().unwrap(), value.unwrap().as_str(), help.as_str()), expected);
    }

    #[test]
    fn a_flag_says_which_values_its_field_takes() {
        check(
            &field("x", Shape::Whole { min: 1, max: None }.or_null(), "Bytes; null for none."),
            ("x", "N", "Bytes; '' for none"),
        );
        let about = "Not restrict_post_lists, and so on.";
        check(&field("x", Shape::TEXT, about), ("x", "TEXT", "Not --restrict-post-lists, and so on"));
        check(&field("hold_replies", Shape::Truth, "Whether."), ("hold-replies", "true|false", "Whether"));
        check(&field("x", Shape::Word(vec!["a", "b", ""]), "Which."), ("x", "a|b", "Which"));
        check(
            &field("x", Shape::many(Shape::text_of("email")), "Who."),
            ("x", "EMAIL", "Who; may be repeated, '' for none"),
        );
        check(
            &field("archive_password", Shape::TEXT, "Secret."),
            ("archive-password-file", "FILE", "File with the archive password"),
        );
    }

    #[test]
    fn true_and_false_are_the_only_truths() {
        assert_eq!((parse_truth("True"), parse_truth("off")), (Ok(true), Ok(false)));
        assert!(parse_truth("maybe").is_err());
    }
}
