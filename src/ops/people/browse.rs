//! Pages of the address book, as administrators read it: all contacts, or those that a search and filters leave.
//!
//! A page begins at a position and reads a bounded number of rows, so it costs the same however many contacts there are
//! and wherever it begins. A search among very many says so and looks at the first of them; [`matching`] finds all, for
//! files.

use std::cell::Cell;

use crate::model::{AccountId, Contact, ContactId, List, ListId, Words};
use crate::ops::paging::{self, Seek, Sought, seek, seek_among};
use crate::ops::people::contacts::{self, ContactDetail};
use crate::ops::people::{contact_search, memberships};
use crate::ops::search::gather;
use crate::ops::{Caller, OpError, PageRequest};
use crate::schema::{
    CONTACT_BY_ACCOUNT, CONTACT_BY_WORD, CONTACT_COUNT, EMAIL_BY_WORD, EMAIL_COUNT_PAUSED, EMAIL_PAUSED,
    MEMBERSHIP_BY_CONTACT, MEMBERSHIP_BY_LIST_CONTACT, MEMBERSHIP_COUNT_BY_LIST, paused_by,
};
use crate::store::{IndexRange, Key, KeyReader, Read, StoreError};

/// Index rows of a word, or of a filter, that one page looks at.
const ROWS_MAX: usize = 20_000;
/// Contacts whose records one page looks at to find those that it shows.
const CHECKS_MAX: u32 = 5000;
/// Contacts that are put in the order of their names: no index has that order, so their records are read.
pub const NAMED_MAX: u64 = 2000;

/// Why no mail goes to an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PausedBy {
    /// Somebody paused it.
    Person,
    /// The server paused it, since its mail came back or its reader complained.
    Server,
}

/// The contacts that are asked for; one must pass all of these.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PeopleFilter {
    /// For every word of this text they have a word that begins with it.
    pub search: String,
    /// They are members of the list of this name.
    pub list: Option<String>,
    /// They have an address that is paused.
    pub paused: Option<PausedBy>,
}

/// One page of contacts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct People {
    /// The contacts.
    pub page: Sought<ContactDetail>,
    /// How many there are on all pages, where that is known.
    pub count: Option<u64>,
    /// Whether so many match that not all were looked at.
    pub is_cut: bool,
}

/// The contacts among whom a page looks.
enum Among {
    Rows(Rows),
    /// These, in ascending order.
    These(Vec<u64>),
}

/// Contacts with rows in an index.
enum Rows {
    All,
    OfList(ListId),
    Paused(PausedBy),
}

impl Rows {
    /// A page of them, and their number where an index counts them.
    fn seek(
        &self,
        tx: &impl Read,
        account: AccountId,
        asked: Seek,
    ) -> Result<(Sought<u64>, Option<u64>), StoreError> {
        let of_account = Key::new().u64(account.0);
        Ok(match self {
            Rows::All => {
                let count = Some(tx.count(&CONTACT_COUNT, &of_account)?);
                (seek(tx, &CONTACT_BY_ACCOUNT, &of_account, asked, count, |_, id| Some(id))?, count)
            }
            Rows::OfList(list) => {
                let of_list = of_account.u64(list.0);
                let count = Some(tx.count(&MEMBERSHIP_COUNT_BY_LIST, &of_list)?);
                let contact = |key: &[u8], _| memberships::contact_in_key(key).map(|contact| contact.0);
                (seek(tx, &MEMBERSHIP_BY_LIST_CONTACT, &of_list, asked, count, contact)?, count)
            }
            Rows::Paused(by) => {
                let paused = of_account.u8(paused_by(*by == PausedBy::Server));
                (seek(tx, &EMAIL_PAUSED, &paused, asked, None, |key, _| contact_of_paused(key))?, None)
            }
        })
    }
}

/// A page of contacts, in the order in which they were made.
pub fn page(tx: &impl Read, caller: &Caller, filter: &PeopleFilter, asked: Seek) -> Result<People, OpError> {
    caller.require_read()?;
    let list = filter.list.as_deref();
    let list = list.map(|name| memberships::list_named(tx, caller, name)).transpose()?;
    let question = Words::of_question(&filter.search);
    let (among, is_known, mut is_cut) = among(tx, caller, filter, list.as_ref(), &question)?;
    let (positions, count) = match among {
        Among::Rows(rows) => rows.seek(tx, caller.account, asked)?,
        Among::These(ids) => {
            let checks = Cell::new(0);
            let found = seek_among(&ids, asked, |id| {
                if is_known {
                    return Ok(true);
                }
                checks.set(checks.get() + 1);
                if CHECKS_MAX < checks.get() {
                    return Ok(false);
                }
                passes(tx, caller, id, filter, list.as_ref(), &question)
            })?;
            is_cut |= CHECKS_MAX < checks.get();
            let count = u64::try_from(ids.len()).ok().filter(|_| is_known && !is_cut);
            (found, count)
        }
    };
    Ok(People { page: with_details(tx, caller, positions, asked.is_descending)?, count, is_cut })
}

/// A page of contacts in the order of their names, if they are few enough for that.
pub fn page_by_name(
    tx: &impl Read,
    caller: &Caller,
    filter: &PeopleFilter,
    window: PageRequest,
    is_descending: bool,
) -> Result<Option<(Vec<ContactDetail>, u64)>, OpError> {
    let Some(ids) = matching_up_to(tx, caller, filter, NAMED_MAX)? else { return Ok(None) };
    let count = u64::try_from(ids.len()).unwrap_or(u64::MAX);
    let contacts = tx.records::<Contact>(&ids)?.into_iter().flatten();
    let mut named: Vec<(String, u64)> = contacts.map(|contact| (name_key(&contact), contact.id.0)).collect();
    named.sort_unstable();
    if is_descending {
        named.reverse();
    }
    let shown: Vec<u64> =
        paging::window_of(named, window, |(_, id)| *id).into_iter().map(|(_, id)| id).collect();
    let mut ascending = shown.clone();
    ascending.sort_unstable();
    let mut rows = contacts::details(tx, caller, &ascending)?;
    rows.sort_by_key(|row| shown.iter().position(|id| *id == row.contact.id.0));
    Ok(Some((rows, count)))
}

/// The order of a contact among others: by surname, and behind them all who has no name.
fn name_key(contact: &Contact) -> String {
    let (first, sur) = (contact.firstname.trim().to_lowercase(), contact.surname.trim().to_lowercase());
    match (first.as_str(), sur.as_str()) {
        ("", "") => "\u{10ffff}".to_owned(),
        (_, "") => first,
        _ => format!("{sur}\u{1}{first}"),
    }
}

/// The ids of all contacts that pass a filter, in order, if they are at most `most`.
fn matching_up_to(
    tx: &impl Read,
    caller: &Caller,
    filter: &PeopleFilter,
    most: u64,
) -> Result<Option<Vec<u64>>, OpError> {
    let limit = usize::try_from(most).unwrap_or(usize::MAX).saturating_add(1);
    let asked = Seek { start: paging::Start::First, is_descending: false, limit };
    caller.require_read()?;
    let list = filter.list.as_deref();
    let list = list.map(|name| memberships::list_named(tx, caller, name)).transpose()?;
    let question = Words::of_question(&filter.search);
    let (among, is_known, is_cut) = among(tx, caller, filter, list.as_ref(), &question)?;
    let ids = match among {
        Among::Rows(rows) => rows.seek(tx, caller.account, asked)?.0.rows,
        Among::These(ids) if is_known => ids,
        Among::These(ids) if limit < ids.len() => return Ok(None),
        Among::These(mut ids) => {
            let mut passing = Vec::with_capacity(ids.len());
            for id in ids.drain(..) {
                if passes(tx, caller, id, filter, list.as_ref(), &question)? {
                    passing.push(id);
                }
            }
            passing
        }
    };
    Ok(Some(ids).filter(|ids| ids.len() < limit && !is_cut))
}

/// The ids of all contacts that pass a filter and whose ids are above `after`, in order, at most `limit`. A file reads
/// them part by part.
pub fn matching(
    tx: &impl Read,
    caller: &Caller,
    filter: &PeopleFilter,
    after: u64,
    limit: usize,
) -> Result<Vec<ContactDetail>, OpError> {
    caller.require_read()?;
    let list = filter.list.as_deref();
    let list = list.map(|name| memberships::list_named(tx, caller, name)).transpose()?;
    let question = Words::of_question(&filter.search);
    let asked = Seek { start: paging::Start::After(after), is_descending: false, limit };
    let page_of = |rows: Rows, asked| Ok::<_, StoreError>(rows.seek(tx, caller.account, asked)?.0.rows);
    let narrowed = !question.is_empty() || (filter.paused.is_some() && list.is_some());
    let ids = match (&list, filter.paused) {
        _ if !question.is_empty() || (list.is_none() && caller.limits.lists().is_some()) => {
            let (ids, is_sure) = if question.is_empty() {
                (contacts::of_limits(tx, caller, PageRequest::All)?.rows, true)
            } else {
                contact_search::candidates(tx, caller, &question)?
            };
            // A file reads part by part: only the candidates of this part are looked at.
            let left = if is_sure { Words::default() } else { question };
            seek_among(&ids, asked, |id| passes(tx, caller, id, filter, list.as_ref(), &left))?.rows
        }
        (Some(list), None) => page_of(Rows::OfList(list.id), asked)?,
        (_, Some(by)) => {
            let all = Seek { limit: if narrowed { usize::MAX } else { limit }, ..asked };
            let ids = page_of(Rows::Paused(by), all)?;
            seek_among(&ids, asked, |id| passes(tx, caller, id, filter, list.as_ref(), &question))?.rows
        }
        (None, None) => page_of(Rows::All, asked)?,
    };
    Ok(contacts::details(tx, caller, &ids)?)
}

/// The number of an account's addresses that are paused for a reason.
pub fn count_paused(tx: &impl Read, caller: &Caller, by: PausedBy) -> Result<u64, StoreError> {
    let key = Key::new().u64(caller.account.0).u8(paused_by(by == PausedBy::Server));
    tx.count(&EMAIL_COUNT_PAUSED, &key)
}

/// The contacts among whom those that pass are found, whether all of them do, and whether there are more.
fn among(
    tx: &impl Read,
    caller: &Caller,
    filter: &PeopleFilter,
    list: Option<&List>,
    question: &Words,
) -> Result<(Among, bool, bool), OpError> {
    let is_limited = caller.limits.lists().is_some();
    if !question.is_empty() {
        let (ids, is_sure, is_cut) = with_words(tx, caller, question)?;
        let is_known = is_sure
            && list.is_none()
            && filter.paused.is_none()
            && !is_limited
            && !caller.limits.hide_fields();
        return Ok((Among::These(ids), is_known, is_cut));
    }
    Ok(match (list, filter.paused) {
        (Some(list), None) => (Among::Rows(Rows::OfList(list.id)), true, false),
        (None, None) if is_limited => {
            (Among::These(contacts::of_limits(tx, caller, PageRequest::All)?.rows), true, false)
        }
        (None, None) => (Among::Rows(Rows::All), true, false),
        (None, Some(by)) if !is_limited => (Among::Rows(Rows::Paused(by)), true, false),
        (_, Some(by)) => {
            let asked = Seek { start: paging::Start::First, is_descending: false, limit: ROWS_MAX };
            let (found, _) = Rows::Paused(by).seek(tx, caller.account, asked)?;
            let is_cut = found.after.is_some();
            (Among::These(found.rows), false, is_cut)
        }
    })
}

/// Contacts with the words of a search, in order; whether they have all of them, and whether there may be more.
fn with_words(
    tx: &impl Read,
    caller: &Caller,
    question: &Words,
) -> Result<(Vec<u64>, bool, bool), StoreError> {
    let (mut whole, mut cut): (Option<Vec<u64>>, Option<Vec<u64>>) = (None, None);
    let (mut words, mut unsure) = (0, 0);
    for word in question.iter() {
        let range = IndexRange::prefix(Key::new().u64(caller.account.0).text_prefix(word));
        let mut ids = Vec::new();
        let mut is_whole = gather(tx, &CONTACT_BY_WORD, &range, ROWS_MAX, &mut ids, |_, id| Some(id))?;
        is_whole &= gather(tx, &EMAIL_BY_WORD, &range, ROWS_MAX, &mut ids, |key, _| {
            contact_search::contact_in_key(key)
        })?;
        ids.sort_unstable();
        ids.dedup();
        words += 1;
        if is_whole {
            let found = match whole.take() {
                Some(mut found) => {
                    found.retain(|id| ids.binary_search(id).is_ok());
                    found
                }
                None => ids,
            };
            whole = Some(found);
        } else {
            unsure += 1;
            cut.get_or_insert(ids);
        }
    }
    Ok(match whole {
        Some(ids) => (ids, unsure == 0, false),
        None => (cut.unwrap_or_default(), words == 1, true),
    })
}

/// Whether a contact passes a filter.
fn passes(
    tx: &impl Read,
    caller: &Caller,
    id: u64,
    filter: &PeopleFilter,
    list: Option<&List>,
    question: &Words,
) -> Result<bool, StoreError> {
    let of_contact = Key::new().u64(caller.account.0).u64(id);
    match list {
        Some(list) if !tx.exists(&MEMBERSHIP_BY_CONTACT, &of_contact.u64(list.id.0))? => return Ok(false),
        None if !caller.sees_contact(tx, ContactId(id))? => return Ok(false),
        _ => {}
    }
    if let Some(by) = filter.paused {
        let paused = Key::new().u64(caller.account.0).u8(paused_by(by == PausedBy::Server)).u64(id);
        if tx.first_row(&EMAIL_PAUSED, &IndexRange::prefix(paused))?.is_none() {
            return Ok(false);
        }
    }
    if question.is_empty() { Ok(true) } else { contact_search::answers(tx, caller, id, question) }
}

/// The contact in a key of [`EMAIL_PAUSED`].
fn contact_of_paused(key: &[u8]) -> Option<u64> {
    let mut parts = KeyReader::new(key);
    parts.u64()?;
    parts.u8()?;
    parts.u64()
}

fn with_details(
    tx: &impl Read,
    caller: &Caller,
    positions: Sought<u64>,
    is_descending: bool,
) -> Result<Sought<ContactDetail>, StoreError> {
    let mut ids = positions.rows.clone();
    if is_descending {
        ids.reverse();
    }
    let mut rows = contacts::details(tx, caller, &ids)?;
    if is_descending {
        rows.reverse();
    }
    Ok(positions.with_rows(rows))
}
