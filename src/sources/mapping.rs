//! Collects what the settings of a list become, and what has no place here.

use serde_json::{Map, Value};

use super::{LeftBehind, MappedSetting};

/// Longest value of a setting that is shown, in characters.
const VALUE_CHARS_MAX: usize = 120;
/// Most different things of a list that are named.
const LEFT_MAX: usize = 1000;
/// Longest line that a setting of one line takes, in characters.
const LINE_CHARS_MAX: usize = 255;

/// The settings of a list while they are read.
#[derive(Debug, Default)]
pub(super) struct Mapping {
    pub(super) settings: Map<String, Value>,
    pub(super) rows: Vec<MappedSetting>,
    pub(super) left: Vec<LeftBehind>,
}

impl Mapping {
    /// Notes what a setting becomes, in words.
    pub(super) fn row(&mut self, setting: &str, value: &str, becomes: &str) {
        let value = shown(value);
        self.rows.push(MappedSetting { name: setting.to_owned(), value, becomes: becomes.to_owned() });
    }

    /// Sets a setting of a list here, for one of the source.
    pub(super) fn set(&mut self, setting: &str, value: &str, field: &str, becomes: impl Into<Value>) {
        let becomes = becomes.into();
        self.row(setting, value, &format!("{field}: {}", shown(&in_words(&becomes))));
        self.settings.insert(field.to_owned(), becomes);
    }

    /// Names a setting that has no place here, with what is done in its place.
    pub(super) fn leave(&mut self, setting: &str, value: &str, instead: &str) {
        self.row(setting, value, &format!("nothing: {instead}"));
        let value = shown(value);
        let what = if value.is_empty() { setting.to_owned() } else { format!("{setting}: {value}") };
        self.behind(&what, 0, instead);
    }

    /// Names something that has no place here and concerns some people.
    pub(super) fn behind(&mut self, what: &str, people: u64, instead: &str) {
        let what = shown(what);
        if let Some(known) = self.left.iter_mut().find(|left| left.what == what && left.instead == instead) {
            known.people += people;
        } else if self.left.len() < LEFT_MAX {
            self.left.push(LeftBehind { what, people, instead: instead.to_owned() });
        }
    }
}

/// A value in words.
fn in_words(value: &Value) -> String {
    match value {
        Value::Null => "none".to_owned(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(values) => values.iter().map(in_words).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// A text on one line, cut.
pub(super) fn shown(text: &str) -> String {
    let words = text.split(char::is_whitespace).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let line: String = words.chars().filter(|c| !c.is_control()).take(VALUE_CHARS_MAX).collect();
    if line.len() < words.len() { format!("{line}…") } else { line }
}

/// A text as a setting of one line takes it: without control characters, and cut.
pub(super) fn one_line(text: &str) -> String {
    let line: String = text.chars().filter(|c| !c.is_control()).collect();
    line.trim().chars().take(LINE_CHARS_MAX).collect::<String>().trim_end().to_owned()
}

/// A text as a template that has it literally.
pub(super) fn literal(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('$', "$$");
    text.trim_end().chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}

/// A size in bytes as the setting for it: in KB, within its range. Also whether it was beyond.
pub(super) fn kilobytes(bytes: u64) -> (u64, bool) {
    let wanted = bytes.div_ceil(1024);
    let max = u64::from(crate::model::list::MAXLENGTH_KB_MAX);
    (wanted.clamp(1, max), max < wanted)
}
