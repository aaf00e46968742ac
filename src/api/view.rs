//! Shared forms of answers: the envelope of listings, the selection of `fields`, and the forms of names and instants.
//!
//! The resources' modules make their answers with it. It never reads the store.

use std::io;

use axum::body::Bytes;
use serde::ser::{Serialize, Serializer};
use serde_json::Value;

use super::error::ApiError;
pub(super) use super::shape::Rfc3339;
use super::shape::view;
use crate::ops::people::contacts::ContactName;
use crate::ops::{Page, PageRequest, Wrong};
use crate::params::Params;
use crate::params::parse::integer;
use crate::store::BlobId;

/// Rows of a page if the call names no limit.
const LIMIT_DEFAULT: usize = 100;
/// Most rows of a page.
const LIMIT_MAX: u64 = 1000;

/// Longest search text, in characters.
const SEARCH_CHARS_MAX: usize = 200;

/// Shows a contact's name: a number, or the custom identifier.
impl Serialize for ContactName {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            ContactName::Id(id) => serializer.serialize_u64(id.0),
            ContactName::Custom(ccid) => serializer.serialize_str(ccid),
        }
    }
}

/// An answer that shows objects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    /// Its JSON.
    pub(super) body: Bytes,
    /// The number of objects that it shows, for which the account is charged.
    pub(super) objects: u64,
    /// The stored message that is the answer, in place of a body.
    pub(super) stored: Option<StoredMail>,
}

/// The bytes of a message, which are read while they are sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct StoredMail {
    pub(super) blob: BlobId,
    pub(super) length: u64,
}

impl Answer {
    /// An answer that shows one object.
    pub(super) fn one(body: Bytes) -> Answer {
        Answer { body, objects: 1, stored: None }
    }

    /// An answer that is a message.
    pub(super) fn stored(mail: StoredMail) -> Answer {
        Answer { body: Bytes::new(), objects: 1, stored: Some(mail) }
    }
}

/// The extent of a listing if the call names neither a page nor a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Unpaged {
    /// Its first page.
    FirstPage,
    /// All of it.
    Everything,
}

/// Reads the names of the members that the caller wants; `None` for all of them.
pub(super) fn fields(params: &mut Params) -> Option<Vec<String>> {
    params.names("fields").filter(|names| !names.is_empty())
}

/// Whether the caller wants this member.
pub(super) fn wants(fields: Option<&[String]>, name: &str) -> bool {
    fields.is_none_or(|fields| fields.iter().any(|field| field == name))
}

/// Reads a search text.
pub(super) fn search_text(text: &str) -> Result<String, Wrong> {
    if text.chars().count() <= SEARCH_CHARS_MAX {
        Ok(text.to_owned())
    } else {
        Err(Wrong::SearchTooLong { max: SEARCH_CHARS_MAX })
    }
}

/// Reads the part of a listing that `page`, `limit` and `after` select.
pub(super) fn window(params: &mut Params, unpaged: Unpaged) -> PageRequest {
    let page = params.parsed("page", integer(1, u64::MAX));
    let limit = params.parsed("limit", integer(1, LIMIT_MAX));
    let after = params.parsed("after", integer(0, u64::MAX));
    if page.is_some() && after.is_some() {
        params.problem("after", Wrong::PageOrAfter);
    }
    if page.is_none() && limit.is_none() && after.is_none() && unpaged == Unpaged::Everything {
        return PageRequest::All;
    }
    let limit = limit.unwrap_or(LIMIT_DEFAULT);
    match after {
        Some(after) => PageRequest::After { after, limit },
        None => PageRequest::Page { page: page.unwrap_or(1), limit },
    }
}

/// Makes an answer that shows one object.
pub(super) fn object(view: &impl Serialize, fields: Option<&[String]>) -> Result<Bytes, ApiError> {
    match fields {
        None => json(view),
        Some(fields) => json(&only(view, fields)?),
    }
}

#[derive(serde::Serialize)]
struct ListingBody<T> {
    data: Vec<T>,
    count: u64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    count_is_minimum: bool,
    page: u64,
    limit: u64,
}

/// Whether a listing's count is exact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CountIs {
    /// There are so many.
    Exact,
    /// There may be more.
    Minimum,
}

/// Makes an answer that shows part of a listing.
pub(super) fn listing<'rows, T, V: Serialize>(
    rows: &'rows Page<T>,
    window: PageRequest,
    fields: Option<&[String]>,
    view: impl Fn(&'rows T) -> V,
) -> Result<Answer, ApiError> {
    listing_of(rows, CountIs::Exact, window, fields, view)
}

/// The same, where the count may be a minimum.
pub(super) fn listing_of<'rows, T, V: Serialize>(
    rows: &'rows Page<T>,
    count_is: CountIs,
    window: PageRequest,
    fields: Option<&[String]>,
    view: impl Fn(&'rows T) -> V,
) -> Result<Answer, ApiError> {
    let count_is_minimum = count_is == CountIs::Minimum;
    let shown = |limit: usize| u64::try_from(limit).unwrap_or(u64::MAX);
    let (page, limit) = match window {
        PageRequest::All => (1, shown(rows.rows.len())),
        PageRequest::Page { page, limit } => (page, shown(limit)),
        PageRequest::After { after: _, limit } => (1, shown(limit)),
    };
    let count = rows.count;
    let body = match fields {
        None => {
            let data = rows.rows.iter().map(view).collect();
            json(&ListingBody { data, count, count_is_minimum, page, limit })
        }
        Some(fields) => {
            let data = rows.rows.iter().map(|row| only(&view(row), fields));
            let data = data.collect::<Result<Vec<Value>, _>>()?;
            json(&ListingBody { data, count, count_is_minimum, page, limit })
        }
    }?;
    Ok(Answer { body, objects: shown(rows.rows.len()), stored: None })
}

view! {
    /// The answer to a deletion.
    pub(super) struct Deleted as "Deleted" {
        /// Always true.
        success: bool,
    }
}

/// Makes the answer to a deletion.
pub(super) fn deleted() -> Bytes {
    json(&Deleted { success: true }).unwrap_or_default()
}

/// Renders an object as a part of an answer.
pub(super) fn value(view: &impl Serialize) -> Result<Value, ApiError> {
    serde_json::to_value(view).map_err(|error| unwritable(&error))
}

fn only(view: &impl Serialize, fields: &[String]) -> Result<Value, ApiError> {
    let mut value = serde_json::to_value(view).map_err(|error| unwritable(&error))?;
    if let Value::Object(members) = &mut value {
        members.retain(|name, _| fields.contains(name));
    }
    Ok(value)
}

fn json(view: &impl Serialize) -> Result<Bytes, ApiError> {
    let mut text = Text(Vec::with_capacity(128));
    serde_json::to_writer(&mut text, view).map_err(|error| unwritable(&error))?;
    Ok(Bytes::from(text.0))
}

/// Takes the text of an answer. Most pieces of JSON are a single character, for which no memory is to be copied by a call.
struct Text(Vec<u8>);

impl io::Write for Text {
    #[inline]
    fn write(&mut self, piece: &[u8]) -> io::Result<usize> {
        io::Write::write_all(self, piece).map(|()| piece.len())
    }

    #[inline]
    fn write_all(&mut self, piece: &[u8]) -> io::Result<()> {
        match piece {
            [octet] => self.0.push(*octet),
            _ => self.0.extend_from_slice(piece),
        }
        Ok(())
    }

    #[inline]
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn unwritable(error: &serde_json::Error) -> ApiError {
    tracing::error!(error = %error, "An answer cannot be written as JSON");
    ApiError::internal()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(query: &str, expected: Result<PageRequest, &str>) {
        let mut params = super::super::body::query(query).unwrap();
        let window = window(&mut params, Unpaged::Everything);
        let problems: Vec<String> = params.take_problems().iter().map(|p| p.field.clone()).collect();
        match expected {
            Ok(expected) => assert_eq!((window, problems), (expected, Vec::new()), "{query}"),
            Err(field) => assert_eq!(problems, [field], "{query}"),
        }
    }

    #[test]
    fn a_window_is_a_page_or_what_follows_a_position() {
        check("", Ok(PageRequest::All));
        check("page=2", Ok(PageRequest::Page { page: 2, limit: 100 }));
        check("limit=1000", Ok(PageRequest::Page { page: 1, limit: 1000 }));
        check("after=7&limit=5", Ok(PageRequest::After { after: 7, limit: 5 }));
        check("after=0", Ok(PageRequest::After { after: 0, limit: 100 }));
    }

    #[test]
    fn what_is_outside_the_limits_is_refused() {
        check("page=0", Err("page"));
        check("page=-1", Err("page"));
        check("page=x", Err("page"));
        check("limit=0", Err("limit"));
        check("limit=1001", Err("limit"));
        check("limit=", Err("limit"));
        check("after=1&page=2", Err("after"));
    }
}
