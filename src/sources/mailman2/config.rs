//! The attributes of a list of Mailman 2, as plain values.

use std::collections::{BTreeMap, HashMap};

use super::pickle::{Id, Pickles, Value};
use crate::mail::charset;

/// The character sets of Mailman's languages that are not Latin-1.
const CHARSETS: [(&str, &str); 27] = [
    ("ar", "utf-8"),
    ("cs", "iso-8859-2"),
    ("el", "iso-8859-7"),
    ("et", "iso-8859-15"),
    ("eu", "iso-8859-15"),
    ("fa", "utf-8"),
    ("gl", "utf-8"),
    ("he", "utf-8"),
    ("hr", "iso-8859-2"),
    ("hu", "iso-8859-2"),
    ("ja", "euc-jp"),
    ("ko", "euc-kr"),
    ("lt", "iso-8859-13"),
    ("pl", "iso-8859-2"),
    ("ro", "iso-8859-2"),
    ("ru", "koi8-r"),
    ("sk", "utf-8"),
    ("sl", "iso-8859-2"),
    ("sr", "utf-8"),
    ("tr", "iso-8859-9"),
    ("uk", "utf-8"),
    ("vi", "utf-8"),
    ("zh_CN", "utf-8"),
    ("zh_TW", "utf-8"),
    ("big5", "big5"),
    ("gb", "gb2312"),
    ("ast", "iso-8859-1"),
];
/// Characters of a value that people are shown.
const SHOWN_CHARS_MAX: usize = 60;

/// The attributes of a list.
pub(super) struct Config<'a> {
    pickles: &'a Pickles,
    attributes: BTreeMap<&'a [u8], Id>,
    charset: String,
}

impl<'a> Config<'a> {
    /// The attributes in a file; `None` if it has none of a list. `charset` is that of its texts if it is known.
    pub(super) fn new(pickles: &'a Pickles, charset: Option<&str>) -> Option<Config<'a>> {
        let mut attributes = BTreeMap::new();
        for root in &pickles.roots {
            let Value::Dict(pairs) = pickles.get(*root) else { continue };
            for (key, value) in pairs {
                match pickles.get(*key) {
                    Value::Bytes(name) => attributes.insert(&**name, *value),
                    Value::Text(name) => attributes.insert(name.as_bytes(), *value),
                    _ => None,
                };
            }
        }
        let has = |name: &str| attributes.contains_key(name.as_bytes());
        if !has("members") || !(has("real_name") || has("_internal_name") || has("user_options")) {
            return None;
        }
        let mut config = Config { pickles, attributes, charset: String::new() };
        let language = config.text("preferred_language");
        let known = CHARSETS.iter().find(|(name, _)| *name == language).map(|(_, charset)| *charset);
        charset.or(known).unwrap_or("iso-8859-1").clone_into(&mut config.charset);
        Some(config)
    }

    pub(super) fn get(&self, name: &str) -> Option<&'a Value> {
        self.attributes.get(name.as_bytes()).map(|id| self.pickles.get(*id))
    }

    /// A value as text; empty if it is none.
    fn text_of(&self, value: &Value) -> String {
        match value {
            Value::Text(text) => text.to_string(),
            Value::Bytes(bytes) => match std::str::from_utf8(bytes) {
                Ok(text) => text.to_owned(),
                Err(_) => charset::read_labelled(bytes, &self.charset).into_owned(),
            },
            _ => String::new(),
        }
    }

    pub(super) fn text(&self, name: &str) -> String {
        self.get(name).map(|value| self.text_of(value)).unwrap_or_default()
    }

    /// A number; `None` if there is none.
    pub(super) fn number(&self, name: &str) -> Option<i64> {
        self.get(name).and_then(number_of)
    }

    /// The texts in a list.
    pub(super) fn texts(&self, name: &str) -> Vec<String> {
        let texts = self.items(name).iter().map(|id| self.text_of(self.pickles.get(*id)).trim().to_owned());
        texts.filter(|text| !text.is_empty()).collect()
    }

    /// The items of a list.
    pub(super) fn items(&self, name: &str) -> &'a [Id] {
        match self.get(name) {
            Some(value) => parts(value),
            None => &[],
        }
    }

    /// The texts and numbers of a tuple in a list.
    pub(super) fn fields(&self, id: Id) -> (Vec<String>, Vec<Option<i64>>) {
        let values = parts(self.pickles.get(id)).iter().map(|id| self.pickles.get(*id));
        values.map(|value| (self.text_of(value), number_of(value))).unzip()
    }

    /// The entries of a dictionary by their keys, which are addresses in small letters.
    pub(super) fn by_address(&self, name: &str) -> HashMap<String, &'a Value> {
        let Some(Value::Dict(pairs)) = self.get(name) else { return HashMap::new() };
        let entry = |(key, value): &(Id, Id)| {
            (self.text_of(self.pickles.get(*key)).trim().to_lowercase(), self.pickles.get(*value))
        };
        pairs.iter().map(entry).collect()
    }

    /// The addresses of a dictionary of members, in their order, as people write them where that is known.
    pub(super) fn members(&self, name: &str) -> Vec<String> {
        let Some(Value::Dict(pairs)) = self.get(name) else { return Vec::new() };
        let address = |(key, value): &(Id, Id)| {
            let (key, written) =
                (self.text_of(self.pickles.get(*key)), self.text_of(self.pickles.get(*value)));
            if written.eq_ignore_ascii_case(&key) { written } else { key }
        };
        pairs.iter().map(address).collect()
    }

    pub(super) fn text_in(&self, entries: &HashMap<String, &Value>, address: &str) -> String {
        entries.get(address).map(|value| self.text_of(value)).unwrap_or_default()
    }

    /// The state of delivery of a value: a number, and since when in seconds.
    pub(super) fn status(&self, value: &Value) -> (i64, Option<f64>) {
        let (status, time) = match parts(value) {
            [status, time, ..] => (self.pickles.get(*status), Some(self.pickles.get(*time))),
            _ => (value, None),
        };
        #[expect(clippy::cast_precision_loss, reason = "seconds of these centuries are exact")]
        let time = time.and_then(|time| match time {
            Value::Float(seconds) => Some(*seconds),
            Value::Int(seconds) => Some(*seconds as f64),
            _ => None,
        });
        (number_of(status).unwrap_or(0), time)
    }

    /// A value for people to read, on one line.
    pub(super) fn shown(&self, name: &str) -> String {
        let text = match self.get(name) {
            None => "missing".to_owned(),
            Some(Value::None) => "None".to_owned(),
            Some(Value::Int(number)) => number.to_string(),
            Some(Value::Float(number)) => number.to_string(),
            Some(value @ (Value::Bytes(_) | Value::Text(_))) => {
                let text = self.text_of(value);
                format!("{:?}", text.split_whitespace().collect::<Vec<_>>().join(" "))
            }
            Some(Value::Dict(pairs)) => format!("{} entries", pairs.len()),
            Some(Value::List(_) | Value::Tuple(_)) => {
                let texts = self.texts(name);
                let count = self.items(name).len();
                if texts.len() == count {
                    format!("[{}]", texts.join(", "))
                } else {
                    format!("{count} entries")
                }
            }
            Some(Value::Class | Value::Object(_)) => "an object".to_owned(),
        };
        let mut shown: String = text.chars().take(SHOWN_CHARS_MAX).collect();
        if shown.len() < text.len() {
            shown.push('…');
        }
        shown
    }
}

fn parts(value: &Value) -> &[Id] {
    match value {
        Value::List(items) => items,
        Value::Tuple(items) => items,
        _ => &[],
    }
}

/// A number, also one that a form left as text.
pub(super) fn number_of(value: &Value) -> Option<i64> {
    match value {
        Value::Int(number) => Some(*number),
        #[expect(clippy::cast_possible_truncation, reason = "settings that are floats are small")]
        Value::Float(number) => Some(*number as i64),
        Value::Bytes(bytes) => std::str::from_utf8(bytes).ok()?.trim().parse().ok(),
        Value::Text(text) => text.trim().parse().ok(),
        _ => None,
    }
}
