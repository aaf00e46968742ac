//! Reads a JSON text into [`Value`]s and counts them meanwhile: a value takes up to a hundred times the memory of its
//! text.
//!
//! `body` calls it. A text with too many values is refused before they take the memory.

use std::cell::Cell;
use std::fmt;

use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Number, Value};

/// Most values of one body, at any depth: a list can be sent back with all its members.
const VALUES_MAX: usize = 200_000;
/// Most objects and arrays among them.
const CONTAINERS_MAX: usize = 10_000;

/// Reads a whole text.
pub(super) fn parse(text: &[u8]) -> Result<Value, serde_json::Error> {
    let count = Count { values: Cell::new(0), containers: Cell::new(0) };
    let mut deserializer = serde_json::Deserializer::from_slice(text);
    let value = Counted(&count).deserialize(&mut deserializer)?;
    deserializer.end()?;
    Ok(value)
}

/// Values and containers read so far.
struct Count {
    values: Cell<usize>,
    containers: Cell<usize>,
}

/// Reads one value with everything inside of it.
#[derive(Clone, Copy)]
struct Counted<'count>(&'count Count);

impl Counted<'_> {
    fn one<E: Error>(self) -> Result<(), E> {
        let values = &self.0.values;
        values.set(values.get() + 1);
        if VALUES_MAX < values.get() {
            return Err(E::custom(format_args!("it has more than {VALUES_MAX} values")));
        }
        Ok(())
    }

    fn container<E: Error>(self) -> Result<(), E> {
        let containers = &self.0.containers;
        containers.set(containers.get() + 1);
        if CONTAINERS_MAX < containers.get() {
            return Err(E::custom(format_args!("it has more than {CONTAINERS_MAX} objects and arrays")));
        }
        Ok(())
    }
}

impl<'text> DeserializeSeed<'text> for Counted<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'text>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.one()?;
        deserializer.deserialize_any(self)
    }
}

impl<'text> Visitor<'text> for Counted<'_> {
    type Value = Value;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("any valid JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(Value::Bool(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(Value::Number(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(Number::from_f64(value).map_or(Value::Null, Value::Number))
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(Value::String(value.to_owned()))
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(Value::String(value))
    }

    fn visit_seq<A: SeqAccess<'text>>(self, mut elements: A) -> Result<Value, A::Error> {
        self.container()?;
        let mut values = Vec::new();
        while let Some(value) = elements.next_element_seed(self)? {
            values.push(value);
        }
        Ok(Value::Array(values))
    }

    fn visit_map<A: MapAccess<'text>>(self, mut entries: A) -> Result<Value, A::Error> {
        self.container()?;
        let mut map = Map::new();
        while let Some(name) = entries.next_key::<String>()? {
            map.insert(name, entries.next_value_seed(self)?);
        }
        Ok(Value::Object(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[track_caller]
    fn check_error(text: &str, expected: &str) {
        let error = parse(text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }

    #[test]
    fn values_are_counted_at_any_depth() {
        let array = |values: usize| format!("{{\"a\": [{}1]}}", "1,".repeat(values - 3));
        assert!(parse(array(VALUES_MAX).as_bytes()).is_ok());
        check_error(&array(VALUES_MAX + 1), "more than 200000 values");
        let objects = |count: usize| format!("[{}{{}}]", "{},".repeat(count - 2));
        assert!(parse(objects(CONTAINERS_MAX).as_bytes()).is_ok());
        check_error(&objects(CONTAINERS_MAX + 1), "more than 10000 objects and arrays");
        check_error(&"[".repeat(5000), "recursion limit");
    }

    #[test]
    fn what_is_wrong_is_said_with_its_place() {
        check_error("{\"a\": }", "line 1 column 7");
        check_error("{} {}", "trailing characters");
        check_error("", "EOF");
        assert!(parse(b"\"\xff\"").is_err(), "JSON is UTF-8");
    }

    proptest! {
        #[test]
        fn a_text_is_read_as_serde_json_reads_it(text in "[\\[\\]{},:\"a1.e\\- tnul\\\\]{0,40}") {
            let (ours, theirs) = (parse(text.as_bytes()), serde_json::from_str::<Value>(&text));
            prop_assert_eq!(ours.ok(), theirs.ok());
        }
    }
}
