//! Lists and searches the other members whom a member may see: those of a list, or of all lists of the account, as the
//! `memberview` of the lists says.
//!
//! A page begins at a position and reads a bounded number of rows, so it costs the same however many members there are
//! and wherever it begins. A search looks at the names, and at addresses only where members see them, but at nothing
//! else of a contact. It too reads a bounded number of contacts.

use std::ops::ControlFlow;

use crate::model::list::Memberview;
use crate::model::{AccountId, Contact, ContactId, EmailAddress, List, Words};
use crate::ops::OpError;
use crate::ops::paging;
use crate::ops::people::contact_search;
use crate::ops::people::contacts::emails_of;
use crate::ops::people::memberships::{contact_in_key, find_list_of};
use crate::ops::search::gather;
use crate::schema::{
    CONTACT_BY_WORD, EMAIL_BY_WORD, LIST_BY_MEMBERVIEW, MEMBERSHIP_BY_CONTACT, MEMBERSHIP_BY_LIST_CONTACT,
    MEMBERSHIP_COUNT_BY_LIST, memberview_kind,
};
use crate::store::{IndexRange, Key, KeyReader, Read, StoreError};

/// People on one page.
pub const PEOPLE_PER_PAGE: usize = 50;
/// Rows of a word that a search reads. If more have its rarest word, only the first are looked at.
const CANDIDATES_MAX: usize = 10_000;
/// Words of a search that are compared to find the rarest; all must be answered.
const WORDS_COMPARED: usize = 8;

/// The members whom a member may see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VisibleMembers {
    account: AccountId,
    /// The list whose members they are; `None` for those of all lists.
    pub list: Option<List>,
    /// Whether their addresses are shown.
    pub with_email: bool,
}

/// A member as other members see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownMember {
    /// The contact.
    pub contact: ContactId,
    /// First name and surname; blank if neither is known.
    pub name: String,
    /// The first address, where members see addresses.
    pub address: Option<EmailAddress>,
}

/// One page of members, in the order in which they became contacts.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MembersPage {
    /// The members.
    pub rows: Vec<ShownMember>,
    /// The first of them, if there are others before it.
    pub before: Option<ContactId>,
    /// The last of them, if there are others behind it.
    pub after: Option<ContactId>,
}

/// One page of the members that a search found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FoundMembers {
    /// The members.
    pub rows: Vec<ShownMember>,
    /// Whether there is another page.
    pub is_more: bool,
    /// Whether so many have these words that not all were looked at.
    pub is_cut: bool,
}

/// The page of a listing that is requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PageStart {
    /// The first.
    First,
    /// The one behind a contact.
    After(ContactId),
    /// The one before a contact.
    Before(ContactId),
}

/// Which members' pages are offered to a member, read once for all of its lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offered {
    /// Whether members see those of all lists.
    all: bool,
}

impl Offered {
    /// The members' pages that are offered in an account.
    pub fn of(tx: &impl Read, account: AccountId) -> Result<Offered, StoreError> {
        Ok(Offered { all: all_members(tx, account)?.is_some() })
    }

    /// Whether a member of the list sees its other members.
    #[must_use]
    pub fn of_list(self, list: &List) -> bool {
        self.all || list.memberview.is_some()
    }

    /// Whether a person who is on so many lists sees the members of all lists.
    #[must_use]
    pub fn of_account(self, own_lists: usize) -> bool {
        self.all && 0 < own_lists
    }
}

/// The members whom the member `viewer` may see: those of the list of this name, or of all lists. An error if it may
/// see none of them, which looks as if there were no such list.
pub fn visible_members(
    tx: &impl Read,
    viewer: ContactId,
    list: Option<&str>,
) -> Result<VisibleMembers, OpError> {
    let nobody = || OpError::NotFound { what: "list" };
    let contact = tx.get::<Contact>(viewer.0)?.ok_or_else(nobody)?;
    let account = contact.account;
    let of_contact = Key::new().u64(account.0).u64(viewer.0);
    let all = all_members(tx, account)?;
    let Some(name) = list else {
        let is_member = tx.first_row(&MEMBERSHIP_BY_CONTACT, &IndexRange::prefix(of_contact))?.is_some();
        let with_email = all.filter(|_| is_member).ok_or_else(nobody)?;
        return Ok(VisibleMembers { account, list: None, with_email });
    };
    let list = find_list_of(tx, account, name)?.ok_or_else(nobody)?;
    if !tx.exists(&MEMBERSHIP_BY_CONTACT, &of_contact.u64(list.id.0))? {
        return Err(nobody());
    }
    let own = list.memberview.map(|view| view == Memberview::WithEmail);
    // Members who are shown to all members of the account are shown to those of the list too.
    let with_email = own.into_iter().chain(all).reduce(|own, all| own || all).ok_or_else(nobody)?;
    Ok(VisibleMembers { account, list: Some(list), with_email })
}

/// Whether members see those of all lists, and then whether with their addresses.
fn all_members(tx: &impl Read, account: AccountId) -> Result<Option<bool>, StoreError> {
    for view in [Memberview::AllWithEmail, Memberview::AllNoEmail] {
        if let Some(kind) = memberview_kind(view)
            && tx.exists(&LIST_BY_MEMBERVIEW, &Key::new().u64(account.0).u8(kind))?
        {
            return Ok(Some(view == Memberview::AllWithEmail));
        }
    }
    Ok(None)
}

/// A page of members.
pub fn list(tx: &impl Read, visible: &VisibleMembers, start: PageStart) -> Result<MembersPage, StoreError> {
    let (from, backward) = match start {
        PageStart::First => (None, false),
        PageStart::After(contact) => (Some(contact), false),
        PageStart::Before(contact) => (Some(contact), true),
    };
    let mut found = visible.next_contacts(tx, from, backward, PEOPLE_PER_PAGE + 1)?;
    let is_more = PEOPLE_PER_PAGE < found.len();
    found.truncate(PEOPLE_PER_PAGE);
    if backward {
        found.reverse();
    }
    // Where a page was left, there is the page that it was left for.
    let (is_before, is_after) = if backward { (is_more, from.is_some()) } else { (from.is_some(), is_more) };
    Ok(MembersPage {
        before: found.first().copied().filter(|_| is_before),
        after: found.last().copied().filter(|_| is_after),
        rows: visible.shown(tx, &found)?,
    })
}

/// A page, from 1, of the members whose name, or address where it is shown, has a word for each of `question`.
pub fn search(
    tx: &impl Read,
    visible: &VisibleMembers,
    question: &Words,
    page: u64,
) -> Result<FoundMembers, StoreError> {
    let (candidates, is_cut) = visible.candidates(tx, question)?;
    let mut skipped = usize::try_from(paging::skipped(page, PEOPLE_PER_PAGE)).unwrap_or(usize::MAX);
    let mut found = Vec::new();
    for contact in candidates {
        if !visible.answers(tx, contact, question)? || !visible.has(tx, contact)? {
            continue;
        }
        if 0 < skipped {
            skipped -= 1;
        } else if found.len() < PEOPLE_PER_PAGE {
            found.push(contact);
        } else {
            return Ok(FoundMembers { rows: visible.shown(tx, &found)?, is_more: true, is_cut: false });
        }
    }
    Ok(FoundMembers { rows: visible.shown(tx, &found)?, is_more: false, is_cut })
}

impl VisibleMembers {
    /// The next members by their numbers, each once; a seek for each.
    fn next_contacts(
        &self,
        tx: &impl Read,
        from: Option<ContactId>,
        backward: bool,
        limit: usize,
    ) -> Result<Vec<ContactId>, StoreError> {
        let of_account = Key::new().u64(self.account.0);
        let prefix = match &self.list {
            Some(list) => of_account.u64(list.id.0),
            None => of_account,
        };
        let mut range = IndexRange::prefix(prefix.clone());
        if backward {
            range = range.backward();
        }
        if let Some(from) = from {
            range = range.after(prefix.clone().u64(from.0));
        }
        let mut found = Vec::new();
        if self.list.is_some() {
            tx.scan(&MEMBERSHIP_BY_LIST_CONTACT, &range, |key, _| {
                found.extend(contact_in_key(key));
                if found.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            })?;
            return Ok(found);
        }
        while found.len() < limit {
            let row = tx.first_row(&MEMBERSHIP_BY_CONTACT, &range)?;
            let contact = row.and_then(|row| {
                let mut parts = KeyReader::new(row.key.as_bytes());
                parts.u64()?;
                parts.u64()
            });
            let Some(contact) = contact else { break };
            found.push(ContactId(contact));
            range = range.after(prefix.clone().u64(contact));
        }
        Ok(found)
    }

    /// Whether a contact is one of the members.
    fn has(&self, tx: &impl Read, contact: ContactId) -> Result<bool, StoreError> {
        let key = Key::new().u64(self.account.0).u64(contact.0);
        match &self.list {
            Some(list) => tx.exists(&MEMBERSHIP_BY_CONTACT, &key.u64(list.id.0)),
            None => Ok(tx.first_row(&MEMBERSHIP_BY_CONTACT, &IndexRange::prefix(key))?.is_some()),
        }
    }

    fn shown(&self, tx: &impl Read, contacts: &[ContactId]) -> Result<Vec<ShownMember>, StoreError> {
        let ids: Vec<u64> = contacts.iter().map(|contact| contact.0).collect();
        let mut shown = Vec::with_capacity(ids.len());
        for contact in tx.records::<Contact>(&ids)?.into_iter().flatten() {
            let emails = if self.with_email { emails_of(tx, &contact)? } else { Vec::new() };
            let address = emails.into_iter().next().map(|email| email.address);
            shown.push(ShownMember { contact: contact.id, name: contact.name(), address });
        }
        Ok(shown)
    }

    /// The contacts among whom a search looks, in their order: those that have its rarest word, or the members of the
    /// list if these are fewer; and whether there are more.
    fn candidates(&self, tx: &impl Read, question: &Words) -> Result<(Vec<ContactId>, bool), StoreError> {
        let mut rarest: Option<(Vec<u64>, bool)> = None;
        for word in question.iter().take(WORDS_COMPARED) {
            let range = IndexRange::prefix(Key::new().u64(self.account.0).text_prefix(word));
            let mut ids = Vec::new();
            let mut is_whole =
                gather(tx, &CONTACT_BY_WORD, &range, CANDIDATES_MAX, &mut ids, |_, id| Some(id))?;
            if self.with_email {
                is_whole &= gather(tx, &EMAIL_BY_WORD, &range, CANDIDATES_MAX, &mut ids, |key, _| {
                    contact_search::contact_in_key(key)
                })?;
            }
            if rarest.as_ref().is_none_or(|(fewest, _)| ids.len() < fewest.len()) {
                rarest = Some((ids, is_whole));
            }
        }
        let Some((mut ids, is_whole)) = rarest else { return Ok((Vec::new(), false)) };
        if let Some(list) = &self.list {
            let of_list = Key::new().u64(self.account.0).u64(list.id.0);
            let members = tx.count(&MEMBERSHIP_COUNT_BY_LIST, &of_list)?;
            if usize::try_from(members).is_ok_and(|members| members <= ids.len()) {
                return Ok((self.next_contacts(tx, None, false, usize::MAX)?, false));
            }
        }
        ids.sort_unstable();
        ids.dedup();
        Ok((ids.into_iter().map(ContactId).collect(), !is_whole))
    }

    /// Whether what members see of a contact has a word for each of `question`.
    fn answers(&self, tx: &impl Read, contact: ContactId, question: &Words) -> Result<bool, StoreError> {
        let Some(contact) = tx.get::<Contact>(contact.0)? else { return Ok(false) };
        let mut words = Words::of(&contact.firstname);
        words.extend(Words::of(&contact.surname));
        if self.with_email
            && let Some(email) = emails_of(tx, &contact)?.first()
        {
            words.extend(Words::of_email(email));
        }
        Ok(words.answer(question))
    }
}
