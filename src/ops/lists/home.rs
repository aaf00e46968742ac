//! The lists of a member as the member's first page shows them: which can be read and written to, and what is new.

use crate::clock::Timestamp;
use crate::model::{Contact, List, Membership};
use crate::ops::archive::access::{self, Reader};
use crate::ops::archive::browse::{self, Newer};
use crate::ops::lists::writers;
use crate::ops::people::own::lists::{self, OwnList};
use crate::ops::sessions;
use crate::schema::MEMBERSHIP_BY_CONTACT;
use crate::store::{IndexRange, Key, Read, StoreError};

/// Lists of a member whose archives are searched together, at most.
const SEARCHED_MAX: usize = 200;

/// A list of a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HomeList {
    /// The list, and the membership.
    pub own: OwnList,
    /// The archive; `None` if the member may not read it.
    pub archive: Option<HomeArchive>,
    /// Whether the list takes what the member writes.
    pub takes_mail: bool,
}

/// The archive of a list, as far as the first page tells of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HomeArchive {
    /// The messages since the last visit.
    pub newer: Newer,
    /// When the newest message was written; `None` if there is none.
    pub last: Option<Timestamp>,
}

/// The lists of a member, in the order in which it joined them. `reader` is the browser's visitor.
///
/// # Errors
/// If the store fails.
pub fn lists(
    tx: &impl Read,
    contact: &Contact,
    reader: &Reader,
    now: Timestamp,
) -> Result<Vec<HomeList>, StoreError> {
    let since = sessions::new_since(tx, contact.id, now)?;
    let show = |own: OwnList| -> Result<HomeList, StoreError> {
        let archive = archive(tx, &own.list, reader, since)?;
        let takes_mail = writers::takes_from(tx, &own.list, contact)?;
        Ok(HomeList { own, archive, takes_mail })
    };
    lists::list(tx, contact, now)?.into_iter().map(show).collect()
}

/// The lists of a member whose archives it may read, in the order in which it joined them; of very many, the first.
///
/// # Errors
/// If the store fails.
pub fn readable(tx: &impl Read, contact: &Contact, reader: &Reader) -> Result<Vec<List>, StoreError> {
    let of_contact = IndexRange::prefix(Key::new().u64(contact.account.0).u64(contact.id.0));
    let mut memberships: Vec<Membership> = tx.page(&MEMBERSHIP_BY_CONTACT, &of_contact, SEARCHED_MAX)?;
    memberships.sort_unstable_by_key(|membership| membership.id);
    let mut lists = Vec::new();
    for membership in memberships {
        if let Some(list) = tx.get::<List>(membership.list.0)?
            && access::may_read(tx, &list, reader)?
        {
            lists.push(list);
        }
    }
    Ok(lists)
}

fn archive(
    tx: &impl Read,
    list: &List,
    reader: &Reader,
    since: Option<Timestamp>,
) -> Result<Option<HomeArchive>, StoreError> {
    if !access::may_read(tx, list, reader)? {
        return Ok(None);
    }
    let newest = browse::newest(tx, list)?.map(|message| message.time);
    let newer = match since {
        Some(since) if newest.is_some_and(|newest| since < newest) => browse::newer(tx, list, since)?,
        _ => Newer::default(),
    };
    Ok(Some(HomeArchive { newer, last: newest }))
}
