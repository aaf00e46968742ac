//! The links by which somebody goes on from a page that has done what it was for: to read a list, to write to it, to the
//! lists that are one's own.

use super::context::Context;
use super::error::PageError;
use super::paths::MEMBERS;
use crate::locale::text;
use crate::model::{Contact, List};
use crate::ops::archive::access::{self, Reader};
use crate::ops::lists::writers;
use crate::store::ReadTx;

/// A link to another page.
pub(super) struct Onward {
    pub(super) href: String,
    pub(super) words: String,
}

/// The links of a list for a person, who is signed in, or for nobody known.
pub(super) fn of_list(
    context: &Context,
    tx: &ReadTx,
    list: &List,
    person: Option<&Contact>,
) -> Result<Vec<Onward>, PageError> {
    let reader = context.reader(tx)?;
    let reader = Reader { member: person.map(|person| person.id).or(reader.member), ..reader };
    let (language, path) = (context.language, context.list_path(list));
    let mut links = Vec::new();
    if access::may_read(tx, list, &reader)? {
        links.push(Onward { href: path.clone(), words: text!(language, "onward-read", list = list.title()) });
    }
    if let Some(person) = person
        && writers::takes_from(tx, list, person)?
    {
        let words = text!(language, "onward-write", list = list.title());
        links.push(Onward { href: format!("{path}write/"), words });
    }
    Ok(links)
}

/// The link to the lists of whoever is signed in; who is not gets the form for that there.
pub(super) fn to_own_lists(context: &Context) -> Onward {
    Onward { href: context.href(MEMBERS), words: text!(context.language, "onward-lists") }
}
