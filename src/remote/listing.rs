//! Listings of the API, page by page. Servers differ in what "not shown" means in their document: the envelope, how
//! many objects a page has, and whether `after` pages by position.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::{Map, Value};

use super::client::{Remote, RemoteError};

/// An object of the API.
pub type Object = Map<String, Value>;

/// Objects of a page at first: a power of two, since it is halved when a page is too large.
const PAGE_FIRST: u64 = 256;
/// Objects of a listing, beyond which the server is not believed.
const OBJECTS_MAX: u64 = 20_000_000;

/// How the next page is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Paging {
    /// By the last identifier, if the server turns out to heed it.
    Trying,
    /// By the last identifier.
    After,
    /// By the number of the page.
    Number,
}

/// A listing that is being read.
#[derive(Debug)]
pub struct Listing<'a> {
    remote: &'a Remote,
    path: String,
    query: String,
    limit: u64,
    paging: Paging,
    /// Objects that were read.
    seen: u64,
    /// The identifier of the last object that was read.
    last: Option<u64>,
    /// The first object of the last page.
    first: Option<Object>,
    is_done: bool,
}

impl<'a> Listing<'a> {
    /// A listing of the API, such as `contacts`, with filters.
    #[must_use]
    pub fn new(remote: &'a Remote, kind: &str, filters: &[(&str, &str)]) -> Listing<'a> {
        let query = filters.iter().fold(String::new(), |query, (name, value)| {
            format!("{query}&{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC))
        });
        Listing {
            remote,
            path: format!("/api/2/{kind}/"),
            query,
            limit: PAGE_FIRST,
            paging: Paging::Trying,
            seen: 0,
            last: None,
            first: None,
            is_done: false,
        }
    }

    /// The next page; `None` behind the last one.
    ///
    /// # Errors
    /// If the server does not answer as servers of the API do.
    pub async fn next(&mut self) -> Result<Option<Vec<Object>>, RemoteError> {
        while !self.is_done {
            let path = self.page();
            let answer = match self.remote.json(&path).await {
                Err(RemoteError::TooLarge { .. }) if 1 < self.limit => {
                    self.limit /= 2;
                    continue;
                }
                Err(error) if error.status() == Some(400) && self.is_trying() => {
                    self.paging = Paging::Number;
                    continue;
                }
                answer => answer?,
            };
            let count = answer.get("count").and_then(Value::as_u64);
            let objects = objects_of(answer).ok_or_else(|| RemoteError::Unreadable {
                path,
                reason: "there is no array of objects in it".to_owned(),
            })?;
            if self.repeats(&objects) {
                continue;
            }
            return Ok(self.take(objects, count));
        }
        Ok(None)
    }

    fn is_trying(&self) -> bool {
        self.paging == Paging::Trying && 0 < self.seen
    }

    fn page(&self) -> String {
        let Listing { path, query, limit, .. } = self;
        match (self.paging, self.last) {
            (Paging::Trying | Paging::After, Some(last)) if 0 < self.seen => {
                format!("{path}?limit={limit}&after={last}{query}")
            }
            _ => format!("{path}?limit={limit}&page={}{query}", self.seen / limit + 1),
        }
    }

    /// Whether a page is the one before once more: the server does not heed how it was asked for.
    fn repeats(&mut self, objects: &[Object]) -> bool {
        if objects.is_empty() || self.first.as_ref() != objects.first() {
            if self.is_trying() {
                self.paging = if self.last.is_some() { Paging::After } else { Paging::Number };
            }
            return false;
        }
        match self.paging {
            Paging::Trying => self.paging = Paging::Number,
            Paging::After | Paging::Number => self.is_done = true,
        }
        true
    }

    fn take(&mut self, objects: Vec<Object>, count: Option<u64>) -> Option<Vec<Object>> {
        let got = objects.len() as u64;
        if self.seen == 0 && got < self.limit {
            // Either that is all of them, or the server gives fewer than it was asked for.
            self.is_done = count == Some(got);
            self.limit = got.max(1);
        }
        self.seen += got;
        self.is_done |= got == 0 || OBJECTS_MAX < self.seen || self.limit < got;
        self.last = objects.last().and_then(|object| object.get("id")).and_then(Value::as_u64);
        self.first = objects.first().cloned();
        (got != 0).then_some(objects)
    }
}

/// The objects of an answer: of an array, of its member `data`, else of its only array.
fn objects_of(answer: Value) -> Option<Vec<Object>> {
    let array = match answer {
        Value::Array(array) => array,
        Value::Object(mut members) => {
            if let Some(Value::Array(array)) = members.remove("data") {
                array
            } else {
                let mut arrays = members.into_iter().filter_map(|(_, member)| match member {
                    Value::Array(array) => Some(array),
                    _ => None,
                });
                arrays.next().filter(|_| arrays.next().is_none())?
            }
        }
        _ => return None,
    };
    let objects = array.into_iter().filter_map(|value| match value {
        Value::Object(object) => Some(object),
        _ => None,
    });
    Some(objects.collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn check(answer: Value, expected: Option<usize>) {
        assert_eq!(objects_of(answer).map(|objects| objects.len()), expected);
    }

    #[test]
    fn the_objects_of_any_envelope_are_found() {
        check(json!([{"id": 1}]), Some(1));
        check(json!({"data": [{"id": 1}, {"id": 2}], "count": 2, "others": []}), Some(2));
        check(json!({"contacts": [{"id": 1}], "total": 1}), Some(1));
        check(json!({"contacts": [], "lists": []}), None);
        check(json!({"is_error": true}), None);
        check(json!("text"), None);
    }
}
