//! Reads people from JSON: an array of objects, objects one after the other, or an object with such an array inside, as
//! the answers of hosted services are.
//!
//! The text is split into its objects first, so that only one of them is a tree in memory at a time.

use std::collections::BTreeSet;
use std::ops::Range;

use serde_json::{Map, Value};

/// An object: the line on which it begins, and its cells.
type Row = (u64, Vec<String>);

/// Names of members of an object whose arrays are read.
const WRAPPERS: [&str; 5] = ["data", "members", "subscribers", "contacts", "results"];
/// Names of columns that are told apart.
const NAMES_MAX: usize = 1000;

/// The objects of a text.
#[derive(Debug)]
pub struct Objects {
    text: Vec<u8>,
    /// Where each object stands.
    places: std::vec::IntoIter<Range<usize>>,
    columns: Vec<String>,
    line: u64,
    counted: usize,
}

/// Whether a text begins as JSON does, and no CSV.
#[must_use]
pub fn is_json(beginning: &[u8]) -> bool {
    matches!(beginning.trim_ascii_start(), [b'[' | b'{', ..])
}

impl Objects {
    /// Finds the objects of a text, and the names of their members.
    ///
    /// # Errors
    /// In words, if the text is no JSON with objects.
    pub fn read(text: Vec<u8>) -> Result<Objects, String> {
        let places = places(&text)?;
        if places.is_empty() {
            return Err("this JSON has no objects with people in it".to_owned());
        }
        let mut names = BTreeSet::new();
        for place in &places {
            let Ok(object) = object(&text, place) else { continue };
            names.extend(object.into_iter().map(|(name, _)| name).filter(|name| !name.is_empty()));
            if NAMES_MAX < names.len() {
                return Err(format!("its objects have more than {NAMES_MAX} different members"));
            }
        }
        Ok(Objects {
            text,
            places: places.into_iter(),
            columns: names.into_iter().collect(),
            line: 1,
            counted: 0,
        })
    }

    /// The names of the objects' members.
    #[must_use]
    pub fn columns(&self) -> Vec<String> {
        self.columns.clone()
    }

    /// Where the last object began.
    #[must_use]
    pub fn position_bytes(&self) -> usize {
        self.counted
    }

    /// The next object as a row; or one that cannot be read, and why.
    pub fn next_row(&mut self) -> Option<Result<Row, (Row, String)>> {
        let place = self.places.next()?;
        let skipped = self.text.get(self.counted..place.start).unwrap_or_default();
        self.line += memchr::memchr_iter(b'\n', skipped).count() as u64;
        self.counted = place.start;
        Some(match object(&self.text, &place) {
            Ok(mut object) => {
                let cells = self.columns.iter().map(|name| object.remove(name).map(cell).unwrap_or_default());
                Ok((self.line, cells.collect()))
            }
            Err(error) => Err(((self.line, Vec::new()), format!("is no object that can be read: {error}"))),
        })
    }
}

/// A text in JSON as CSV with the names of columns, for the page; objects that cannot be read are rows with their text.
pub(crate) fn as_csv(text: &str) -> Result<String, String> {
    let mut objects = Objects::read(text.as_bytes().to_vec())?;
    let mut csv = csv::Writer::from_writer(Vec::new());
    let unwritten = |error: csv::Error| error.to_string();
    csv.write_record(objects.columns()).map_err(unwritten)?;
    while let Some(row) = objects.next_row() {
        let cells = match row {
            Ok((_, cells)) => cells,
            Err((_, reason)) => {
                let mut cells = vec![String::new(); objects.columns.len()];
                cells.iter_mut().take(1).for_each(|cell| cell.clone_from(&reason));
                cells
            }
        };
        csv.write_record(cells).map_err(unwritten)?;
    }
    let bytes = csv.into_inner().map_err(|error| error.to_string())?;
    String::from_utf8(bytes).map_err(|error| error.to_string())
}

fn object(text: &[u8], place: &Range<usize>) -> serde_json::Result<Map<String, Value>> {
    serde_json::from_slice(text.get(place.clone()).unwrap_or_default())
}

/// A value as the cell of a row.
fn cell(value: Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text,
        Value::Array(values) if values.iter().all(|value| !value.is_object() && !value.is_array()) => {
            values.into_iter().map(cell).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

/// Where the objects stand that are people.
fn places(text: &[u8]) -> Result<Vec<Range<usize>>, String> {
    let (mut at_top, mut wrapped) = (Vec::new(), Vec::new());
    // The places of what is open, and whether the objects in it are people.
    let mut open: Vec<(usize, u8, bool)> = Vec::new();
    let (mut is_text, mut is_escaped) = (false, false);
    for (at, byte) in text.iter().copied().enumerate() {
        if is_text {
            (is_text, is_escaped) = (byte != b'"' || is_escaped, byte == b'\\' && !is_escaped);
            continue;
        }
        match byte {
            b'"' => is_text = true,
            b'[' | b'{' => {
                let is_people = byte == b'['
                    && match open.as_slice() {
                        [] => true,
                        [(start, b'{', _)] => is_wrapper(text.get(*start..at).unwrap_or_default()),
                        _ => false,
                    };
                open.push((at, byte, is_people));
            }
            b']' | b'}' => {
                let Some((start, opener, _)) = open.pop() else { return Err(broken(at)) };
                if (opener == b'[') != (byte == b']') {
                    return Err(broken(at));
                }
                match open.as_slice() {
                    [] | [(_, _, true)] if opener == b'{' => at_top.push(start..at + 1),
                    [_, (_, _, true)] if opener == b'{' => wrapped.push(start..at + 1),
                    _ => {}
                }
            }
            _ => {}
        }
    }
    if !open.is_empty() || is_text {
        return Err("this JSON ends in the middle".to_owned());
    }
    Ok(if wrapped.is_empty() { at_top } else { wrapped })
}

/// Whether the text before an array names it as one of people.
fn is_wrapper(before: &[u8]) -> bool {
    let Some(name) = before.trim_ascii_end().strip_suffix(b":") else { return false };
    let name = name.trim_ascii_end();
    WRAPPERS.iter().any(|wrapper| name.ends_with(format!("\"{wrapper}\"").as_bytes()))
}

fn broken(at: usize) -> String {
    format!("this JSON is broken at byte {at}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let mut objects = Objects::read(text.as_bytes().to_vec()).unwrap();
        let mut seen = vec![objects.columns().join("|")];
        while let Some(row) = objects.next_row() {
            seen.push(match row {
                Ok((line, cells)) => format!("{line}: {}", cells.join("|")),
                Err(((line, _), _)) => format!("{line}!"),
            });
        }
        assert_eq!(seen, expected);
    }

    #[test]
    fn objects_are_read_in_each_form() {
        check(
            "[{\"b\": 1, \"a\": \"x\"},\n {\"a\": null, \"c\": [1, \"y\"]}]",
            &["a|b|c", "1: x|1|", "2: ||1, y"],
        );
        check("{\"a\": \"1\"}\n{\"a\": \"}\\\"\"}\n", &["a", "1: 1", "2: }\""]);
        check("{\"object\": \"list\", \"data\": [\n{\"a\": {\"k\": 1}}\n]}", &["a", "2: {\"k\":1}"]);
        check("[{\"a\": 1}, {\"a\": nonsense}]", &["a", "1: 1", "1!"]);
    }

    #[test]
    fn objects_are_the_same_as_csv() {
        let csv = as_csv("[{\"email\": \"a@x.org\", \"n\": \"1, 2\"}]");
        assert_eq!(csv.as_deref(), Ok("email,n\na@x.org,\"1, 2\"\n"));
    }

    #[test]
    fn broken_json_says_where() {
        let problem = |text: &str| match Objects::read(text.as_bytes().to_vec()) {
            Ok(_) => panic!("it is read"),
            Err(problem) => problem,
        };
        assert!(problem("[{\"a\": 1}").contains("ends in the middle"));
        assert!(problem("[{\"a\": 1]").contains("broken at byte 8"));
        assert!(problem("[1, 2]").contains("no objects"));
        assert!(problem(&"[".repeat(100_000)).contains("ends in the middle"));
    }

    #[test]
    fn damaged_json_is_read_or_refused() {
        const WHOLE: &[u8] =
            b"{\"data\": [{\"email\": \"a@x.org\", \"n\": [1, {\"k\": \"\\\"]}\"}]}, {\"email\": 2}]}";
        let mut random = 1_u64;
        let mut next = |below: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(random >> 33).unwrap() % below
        };
        let mut read = 0;
        for _ in 0..10_000 {
            let mut text = WHOLE.to_vec();
            for _ in 0..=next(4) {
                let at = next(text.len().max(1));
                if text.len() < 2 {
                    break;
                }
                match next(3) {
                    0 => text[at] = b"[]{}\",:\\\xff 0"[next(11)],
                    1 => drop(text.remove(at)),
                    _ => text.truncate(at.max(1)),
                }
            }
            let Ok(mut objects) = Objects::read(text) else { continue };
            while let Some(row) = objects.next_row() {
                read += u32::from(row.is_ok());
            }
        }
        assert!(1000 < read, "{read} objects of 20,000 were still whole");
    }
}
