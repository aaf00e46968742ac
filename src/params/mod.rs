//! Parameters of a call of the API, from any of the three kinds of body or from the query, and fields of a form of a
//! page, which have the same names: both set an object by the same readers, one file for each kind of object.
//!
//! [`Params`] reads one field after the other as the type that the document gives it, records every problem, and
//! knows at the end which parameters nobody read.
//!
//! The same readers make the description of the API: given [`Params::recording`], which is empty, they find nothing
//! and leave a record of the names that they read and of the values that they accept.

pub(crate) mod accounts;
pub(crate) mod admins;
pub(crate) mod aliases;
pub mod columns;
pub(crate) mod contacts;
mod decisions;
pub(crate) mod emails;
mod fields;
pub(crate) mod left_behind;
pub(crate) mod lists;
pub(crate) mod membership;
pub(crate) mod messages;
pub mod objects;
pub mod origins;
pub(crate) mod parse;
pub(crate) mod pasted;
pub mod people;
pub(crate) mod shape;
pub mod sheet;
pub(crate) mod webhooks;

use std::collections::{BTreeSet, HashMap};

use axum::body::Bytes;
use serde_json::Value;

use self::parse::{Parse, line};
use crate::http::reference::{Field, Shape};
use crate::ops::{Change, OpError, Problems, Wrong};
use crate::service::passwords::HashError;
use crate::store::StoreError;

/// Most patterns of a field.
const PATTERNS_MAX: usize = 100;
/// Longest pattern, in characters.
const PATTERN_CHARS_MAX: usize = 1000;
/// Most different parameters of one call: more than all fields of any object.
pub(crate) const PARAMS_MAX: usize = 250;

/// The reason why an object cannot be read from parameters.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReadError {
    /// The caller may not set it, or the store failed.
    #[error(transparent)]
    Op(#[from] OpError),
    /// A password cannot be hashed, or a key not made, at the moment.
    #[error(transparent)]
    Hash(#[from] HashError),
}

impl From<StoreError> for ReadError {
    fn from(error: StoreError) -> ReadError {
        ReadError::Op(error.into())
    }
}

/// The parameters of one call.
#[derive(Debug)]
pub(crate) struct Params {
    entries: Vec<Entry>,
    /// The parameters of each row of a batch; `None` for a row without valid ones.
    rows: Vec<Option<Params>>,
    /// The body, if it is a message and not parameters.
    mail: Option<Bytes>,
    problems: Problems,
    /// The fields that were read, if they are recorded.
    asked: Vec<Field>,
    records: bool,
}

impl Default for Params {
    fn default() -> Params {
        // Debug builds record every call, and compare it with its description: see `WriteRequest::check_asked`.
        let records = cfg!(debug_assertions);
        let (entries, rows, problems) = (Vec::new(), Vec::new(), Problems::default());
        Params { entries, rows, mail: None, problems, asked: Vec::new(), records }
    }
}

#[derive(Debug)]
struct Entry {
    name: String,
    given: Given,
    is_known: bool,
}

/// A value as it came.
#[derive(Debug)]
enum Given {
    /// From a form: at least one, in order.
    Texts(Vec<String>),
    /// From JSON.
    Json(Value),
}

/// More than [`PARAMS_MAX`] parameters.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct TooMany;

impl Params {
    /// The parameters of a form: a name that stands there twice, or as `name[]`, has several values.
    pub(crate) fn from_pairs(pairs: Vec<(String, String)>) -> Result<Params, TooMany> {
        let mut entries: Vec<Entry> = Vec::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        for (mut name, value) in pairs {
            if name.ends_with("[]") {
                name.truncate(name.len() - 2);
            }
            match places.get(&name).and_then(|place| entries.get_mut(*place)).map(|entry| &mut entry.given) {
                Some(Given::Texts(texts)) => texts.push(value),
                Some(Given::Json(_)) | None => {
                    places.insert(name.clone(), entries.len());
                    entries.push(Entry { name, given: Given::Texts(vec![value]), is_known: false });
                }
            }
            if PARAMS_MAX < entries.len() {
                return Err(TooMany);
            }
        }
        Ok(Params { entries, ..Params::default() })
    }

    /// The parameters of a JSON object.
    pub(crate) fn from_object(object: serde_json::Map<String, Value>) -> Result<Params, TooMany> {
        if PARAMS_MAX < object.len() {
            return Err(TooMany);
        }
        let entry = |(name, value)| Entry { name, given: Given::Json(value), is_known: false };
        Ok(Params { entries: object.into_iter().map(entry).collect(), ..Params::default() })
    }

    /// The parameters of a batch.
    pub(crate) fn of_rows(rows: Vec<Option<Params>>) -> Params {
        Params { rows, ..Params::default() }
    }

    /// The same parameters beside a body that is a message.
    pub(crate) fn with_mail(self, mail: Bytes) -> Params {
        Params { mail: Some(mail), ..self }
    }

    /// The body, where it is a message.
    pub(crate) fn take_mail(&mut self) -> Option<Bytes> {
        self.mail.take()
    }

    /// The rows of a batch.
    pub(crate) fn take_rows(&mut self) -> Vec<Option<Params>> {
        std::mem::take(&mut self.rows)
    }

    /// Adds names that nobody read in the rows of a batch.
    pub(crate) fn add_ignored(&mut self, names: BTreeSet<String>) {
        for name in names.into_iter().take(PARAMS_MAX) {
            let given = Given::Texts(Vec::new());
            self.entries.push(Entry { name, given, is_known: false });
        }
    }

    /// Empty parameters that record every field that is read from them.
    pub(crate) fn recording() -> Params {
        Params { records: true, ..Params::default() }
    }

    /// The fields that were read, each once and in order.
    pub(crate) fn into_asked(self) -> Vec<Field> {
        self.asked
    }

    /// The names of the fields that were read; empty unless they are recorded.
    pub(crate) fn asked(&self) -> impl Iterator<Item = &str> {
        self.asked.iter().map(|field| field.name.as_str())
    }

    fn record(&mut self, name: &str, shape: impl FnOnce() -> Shape) {
        if self.records && !self.asked.iter().any(|field| field.name == name) {
            let (name, about) = (name.to_owned(), String::new());
            self.asked.push(Field { name, shape: shape(), about, is_required: false });
        }
    }

    fn take(&mut self, name: &str) -> Option<Given> {
        let entry = self.entries.iter_mut().find(|entry| entry.name == name)?;
        if entry.is_known {
            return None;
        }
        entry.is_known = true;
        Some(std::mem::replace(&mut entry.given, Given::Texts(Vec::new())))
    }

    /// Skips read-only fields, so that a client can send back an object as it read it.
    pub(crate) fn read_only(&mut self, names: &[&str]) {
        for entry in &mut self.entries {
            entry.is_known |= names.contains(&entry.name.as_str());
        }
    }

    /// Records a problem with a field.
    pub(crate) fn problem(&mut self, name: &str, problem: impl Into<Wrong>) {
        self.problems.add(name, problem);
    }

    /// Returns the problems of the fields that have been read.
    pub(crate) fn take_problems(&mut self) -> Problems {
        std::mem::take(&mut self.problems)
    }

    /// The parameters that nobody read.
    pub(crate) fn ignored(&self) -> impl Iterator<Item = &str> {
        self.entries.iter().filter(|entry| !entry.is_known).map(|entry| entry.name.as_str())
    }

    /// Reads one text, of several lines perhaps; null is a blank one.
    pub(crate) fn text(&mut self, name: &str) -> Option<String> {
        self.record(name, || Shape::TEXT);
        self.take_text(name)
    }

    fn take_text(&mut self, name: &str) -> Option<String> {
        let given = self.take(name)?;
        let text = match given {
            Given::Texts(mut texts) => Some(texts.pop().unwrap_or_default()),
            Given::Json(value) => {
                let text = plain(value).map_err(|NotPlain| self.problem(name, Wrong::NotText));
                text.ok().map(Option::unwrap_or_default)
            }
        };
        text.filter(|text| {
            let is_odd = text.contains(|c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\r'));
            if is_odd {
                self.problem(name, Wrong::ControlCharacter);
            }
            !is_odd
        })
    }

    /// Reads one text that may be undefined: null and blank are.
    pub(crate) fn nullable_text(&mut self, name: &str) -> Change<Option<String>> {
        self.record(name, || Shape::TEXT.or_null());
        self.take_text(name).map(|text| Some(text).filter(|text| !text.is_empty()))
    }

    /// Reads a boolean: `0`, blank, `false`, `no` and `off` are false, the rest is true.
    pub(crate) fn boolean(&mut self, name: &str) -> Option<bool> {
        self.record(name, || Shape::Truth);
        if let Some(Given::Json(Value::Array(_) | Value::Object(_))) = self.peek(name) {
            self.take(name);
            self.problem(name, Wrong::NotTruth);
            return None;
        }
        self.take_text(name).map(|text| is_true(&text))
    }

    fn peek(&self, name: &str) -> Option<&Given> {
        self.entries.iter().find(|entry| entry.name == name && !entry.is_known).map(|entry| &entry.given)
    }

    /// Reads one value that `parse` makes of a text.
    pub(crate) fn parsed<P: Parse>(&mut self, name: &str, parse: P) -> Option<P::Value> {
        self.record(name, || parse.shape());
        let text = self.take_text(name)?;
        parse.parse(&text).map_err(|problem| self.problem(name, problem)).ok()
    }

    /// The same, but null and blank mean undefined.
    pub(crate) fn nullable<P: Parse>(&mut self, name: &str, parse: P) -> Change<Option<P::Value>> {
        self.record(name, || parse.shape().or_null());
        match self.nullable_text(name)? {
            None => Some(None),
            Some(text) => parse.parse(&text).map_err(|problem| self.problem(name, problem)).ok().map(Some),
        }
    }

    /// Reads an array of texts; one blank value is the empty array, and so is null.
    pub(crate) fn texts(&mut self, name: &str) -> Option<Vec<String>> {
        self.record(name, || Shape::many(Shape::TEXT));
        let texts = match self.take(name)? {
            Given::Texts(texts) => Ok(texts),
            Given::Json(Value::Array(values)) => values.into_iter().map(plain_or_blank).collect(),
            Given::Json(value) => plain_or_blank(value).map(|text| vec![text]),
        };
        let mut texts = texts.map_err(|NotPlain| self.problem(name, Wrong::NotTexts)).ok()?;
        if let [only] = texts.as_slice()
            && only.is_empty()
        {
            texts.clear();
        }
        Some(texts)
    }

    /// Reads regular expressions as texts. [`Core::check_patterns`](crate::service::Core::check_patterns) finds out later,
    /// in the blocking pool, whether they compile.
    pub(crate) fn patterns(&mut self, name: &str) -> Option<Vec<String>> {
        let patterns = self.parsed_texts(name, line(PATTERN_CHARS_MAX))?;
        if PATTERNS_MAX < patterns.len() {
            self.problem(name, Wrong::TooManyPatterns { max: PATTERNS_MAX });
            return None;
        }
        Some(patterns)
    }

    /// Reads an array of names, which may also be one value with commas between them.
    pub(crate) fn names(&mut self, name: &str) -> Option<Vec<String>> {
        self.texts(name).map(|texts| texts.iter().flat_map(|text| split_names(text)).collect())
    }

    /// Reads an array of texts, each with `parse`.
    pub(crate) fn parsed_texts<P: Parse>(&mut self, name: &str, parse: P) -> Option<Vec<P::Value>> {
        self.record(name, || Shape::many(parse.shape()));
        let texts = self.texts(name)?;
        self.parse_each(name, &texts, parse)
    }

    /// The same, but several may also be one value with commas between them.
    pub(crate) fn parsed_names<P: Parse>(&mut self, name: &str, parse: P) -> Option<Vec<P::Value>> {
        self.record(name, || Shape::many(parse.shape()));
        let names = self.names(name)?;
        self.parse_each(name, &names, parse)
    }

    /// The same, described as `shape`.
    pub(crate) fn parsed_names_as<P: Parse>(
        &mut self,
        name: &str,
        shape: Shape,
        parse: P,
    ) -> Option<Vec<P::Value>> {
        self.record(name, || shape);
        self.parsed_names(name, parse)
    }

    fn parse_each<P: Parse>(&mut self, name: &str, texts: &[String], parse: P) -> Option<Vec<P::Value>> {
        let mut values = Vec::with_capacity(texts.len());
        for text in texts {
            match parse.parse(text) {
                Ok(value) => values.push(value),
                Err(problem) => {
                    self.problem(name, Wrong::about(text, problem));
                    return None;
                }
            }
        }
        Some(values)
    }

    /// Reads an array of texts, or in JSON of objects, in any mixture. `reader` reads one such object, and so
    /// determines its fields.
    pub(crate) fn items<T>(
        &mut self,
        name: &str,
        text: impl FnOnce() -> Shape,
        reader: fn(&mut Params) -> T,
    ) -> Option<Vec<Item>> {
        self.record(name, || {
            let mut object = Params::recording();
            reader(&mut object);
            Shape::many(Shape::Either(vec![text(), Shape::Fields(object.into_asked())]))
        });
        if let Some(Given::Json(Value::Array(values))) = self.peek(name)
            && values.iter().any(Value::is_object)
        {
            let Some(Given::Json(Value::Array(values))) = self.take(name) else { return None };
            let item = |value| match value {
                Value::Object(object) => {
                    Params::from_object(object).map(Item::Object).map_err(|TooMany| NotPlain)
                }
                other => plain_or_blank(other).map(Item::Text),
            };
            let items: Result<Vec<Item>, NotPlain> = values.into_iter().map(item).collect();
            return items.map_err(|NotPlain| self.problem(name, Wrong::NotTextsOrObjects)).ok();
        }
        self.texts(name).map(|texts| texts.into_iter().map(Item::Text).collect())
    }
}

/// One element of an array that may hold texts and objects.
#[derive(Debug)]
pub(crate) enum Item {
    /// A text.
    Text(String),
    /// The fields of an object.
    Object(Params),
}

/// Splits a text at its commas into names.
pub(crate) fn split_names(text: &str) -> impl Iterator<Item = String> {
    text.split(',').map(str::trim).filter(|name| !name.is_empty()).map(str::to_owned)
}

struct NotPlain;

/// Converts a JSON value to the text that a form would hold; `None` for null.
fn plain(value: Value) -> Result<Option<String>, NotPlain> {
    match value {
        Value::Null => Ok(None),
        Value::Bool(value) => Ok(Some(value.to_string())),
        Value::Number(number) => Ok(Some(number.to_string())),
        Value::String(text) => Ok(Some(text)),
        Value::Array(_) | Value::Object(_) => Err(NotPlain),
    }
}

fn plain_or_blank(value: Value) -> Result<String, NotPlain> {
    plain(value).map(Option::unwrap_or_default)
}

/// Reads a boolean of a form or of the API: `0`, blank, `false`, `no` and `off` are false, the rest is true.
pub(crate) fn is_true(text: &str) -> bool {
    !["", "0", "false", "no", "off"].iter().any(|word| text.trim().eq_ignore_ascii_case(word))
}

/// Renders names as the value of `X-Ignored-Parameters`: percent-encoded, separated by commas; `None` if there are
/// none.
pub(crate) fn ignored_header<'a>(names: impl Iterator<Item = &'a str>) -> Option<String> {
    /// Characters that are percent-encoded: all but letters, digits and these, which a header field's value may hold.
    /// The comma separates names, so it is encoded too.
    const PLAIN: &percent_encoding::AsciiSet = &percent_encoding::NON_ALPHANUMERIC
        .remove(b'-')
        .remove(b'_')
        .remove(b'.')
        .remove(b'~')
        .remove(b'[')
        .remove(b']');
    let names: BTreeSet<&str> = names.collect();
    let mut text = String::new();
    for name in names {
        if HEADER_BYTES_MAX < text.len() + name.len() {
            break;
        }
        if !text.is_empty() {
            text.push(',');
        }
        text.extend(percent_encoding::utf8_percent_encode(name, PLAIN));
    }
    Some(text).filter(|text| !text.is_empty())
}

/// Longest value of the header; further names are left out, because clients and proxies refuse large headers.
const HEADER_BYTES_MAX: usize = 2000;

#[cfg(test)]
mod tests {
    use super::parse::{integer, word};
    use super::*;
    use crate::model::HeldAction;

    fn form(pairs: &[(&str, &str)]) -> Params {
        let pairs = pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        Params::from_pairs(pairs.collect()).unwrap()
    }

    fn json(text: &str) -> Params {
        Params::from_object(serde_json::from_str(text).unwrap()).unwrap()
    }

    #[test]
    fn the_documents_booleans_are_read_from_forms_and_json_alike() {
        for text in ["0", "", "false", "No", "OFF", "False"] {
            assert_eq!(form(&[("b", text)]).boolean("b"), Some(false), "{text:?}");
        }
        for text in ["1", "true", "yes", "on", "x", "2"] {
            assert_eq!(form(&[("b", text)]).boolean("b"), Some(true), "{text:?}");
        }
        for (text, expected) in [("true", true), ("false", false), ("1", true), ("0", false), ("null", false)]
        {
            assert_eq!(json(&format!(r#"{{"b": {text}}}"#)).boolean("b"), Some(expected), "{text}");
        }
        let mut params = json(r#"{"b": []}"#);
        assert_eq!(params.boolean("b"), None);
        assert!(params.take_problems().names("b"));
        assert_eq!(form(&[]).boolean("b"), None);
    }

    #[test]
    fn an_array_comes_from_repeated_keys_brackets_or_json() {
        let expected = Some(vec!["x".to_owned(), "y".to_owned()]);
        assert_eq!(form(&[("a", "x"), ("a", "y")]).texts("a"), expected);
        assert_eq!(form(&[("a[]", "x"), ("a[]", "y")]).texts("a"), expected);
        assert_eq!(form(&[("a", "x"), ("a[]", "y")]).texts("a"), expected);
        assert_eq!(json(r#"{"a": ["x", "y"]}"#).texts("a"), expected);
        assert_eq!(form(&[("a", "x, y")]).names("a"), expected);
        assert_eq!(json(r#"{"a": ["x,y"]}"#).names("a"), expected);
    }

    #[test]
    fn one_blank_value_is_the_empty_array() {
        assert_eq!(form(&[("a", "")]).texts("a"), Some(Vec::new()));
        assert_eq!(json(r#"{"a": null}"#).texts("a"), Some(Vec::new()));
        assert_eq!(json(r#"{"a": []}"#).texts("a"), Some(Vec::new()));
        assert_eq!(json(r#"{"a": ""}"#).texts("a"), Some(Vec::new()));
        assert_eq!(form(&[]).texts("a"), None);
    }

    #[test]
    fn null_and_blank_are_undefined_for_a_nullable_field() {
        assert_eq!(json(r#"{"a": null}"#).nullable_text("a"), Some(None));
        assert_eq!(form(&[("a", "")]).nullable_text("a"), Some(None));
        assert_eq!(form(&[("a", "x")]).nullable_text("a"), Some(Some("x".to_owned())));
        assert_eq!(form(&[]).nullable_text("a"), None);
    }

    #[test]
    fn what_nobody_asked_for_is_ignored_and_named() {
        let mut params = form(&[("name", "x"), ("é,", "1"), ("id", "5"), ("zz", "1")]);
        params.text("name");
        params.read_only(&["id"]);
        assert_eq!(ignored_header(params.ignored()).as_deref(), Some("zz,%C3%A9%2C"));
        assert_eq!(ignored_header([].into_iter()), None);
    }

    #[test]
    fn every_wrong_field_is_noted() {
        let mut params = json(r#"{"n": "x", "w": "purple", "t": {}, "l": [[]]}"#);
        assert_eq!(params.parsed("n", integer::<u8>(1, 9)), None);
        assert_eq!(params.parsed("w", word::<HeldAction>()), None);
        assert_eq!(params.text("t"), None);
        assert_eq!(params.texts("l"), None);
        let problems: Vec<String> =
            params.take_problems().iter().map(|p| format!("{}: {}", p.field, p.problem)).collect();
        assert_eq!(
            problems,
            [
                "n: must be a whole number from 1 to 9",
                "w: must be one of approve, reject, discard",
                "t: must be a text",
                "l: must be an array of texts",
            ]
        );
    }

    #[test]
    fn texts_and_objects_may_be_mixed_in_one_array() {
        let items = json(r#"{"e": ["a", {"email": "b"}]}"#).items("e", || Shape::TEXT, |_| ()).unwrap();
        assert!(matches!(items.as_slice(), [Item::Text(text), Item::Object(_)] if text == "a"));
    }

    #[test]
    fn what_is_asked_for_is_recorded_with_its_shape() {
        let mut params = Params::recording();
        params.parsed("n", integer::<u8>(1, 9));
        params.nullable("w", word::<HeldAction>());
        params.items("e", || Shape::TEXT, |object| object.boolean("b"));
        params.text("n");
        let asked = params.into_asked();
        let names: Vec<&str> = asked.iter().map(|field| field.name.as_str()).collect();
        assert_eq!(names, ["n", "w", "e"]);
        assert_eq!(asked[0].shape, Shape::Whole { min: 1, max: Some(9) });
        let words = Shape::Word(vec!["approve", "reject", "discard"]);
        assert_eq!(asked[1].shape, words.or_null());
        let Shape::Many { of, max: None } = &asked[2].shape else { panic!("{asked:?}") };
        assert!(matches!(&**of, Shape::Either(shapes) if shapes.len() == 2), "{of:?}");
    }

    #[test]
    fn a_call_with_too_many_parameters_is_refused() {
        let pairs = (0..=PARAMS_MAX).map(|n| (n.to_string(), String::new())).collect();
        assert!(Params::from_pairs(pairs).is_err());
    }
}
