//! Reads the audit log, newest entries first. The API and the command line list it; nothing here writes.
//!
//! Each filter has an index in the order of time. Several filters are combined by walking their indexes side by side,
//! each seeking to the position of the others.

use jiff::civil::Date;
use jiff::tz::TimeZone;

use crate::clock::Timestamp;
use crate::model::audit::ValueChange;
use crate::model::{
    ActorKind, AdminId, AuditAction, AuditEntry, AuditId, AuditObject, AuditValues, Contact, ContactId,
    Email, Permission, Via,
};
use crate::ops::{Caller, OpError, Page, PageRequest, paging, records};
use crate::schema::{
    AUDIT_BY_ACTION, AUDIT_BY_ADMIN, AUDIT_BY_OBJECT, AUDIT_COUNT, EMAIL_BY_CONTACT, audit_action,
    audit_object,
};
use crate::store::{Index, IndexRange, Key, Read, StoreError};

/// Rows that a walk reads of an index at first.
const BLOCK_MIN: usize = 2;
/// Rows that it reads at a time after a while.
const BLOCK_MAX: usize = 1024;

/// The filters of a listing; an entry must pass all of them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AuditFilter {
    /// Changes by this administrator.
    pub admin: Option<AdminId>,
    /// Changes with this action.
    pub action: Option<AuditAction>,
    /// Changes of this kind of object.
    pub object: Option<AuditObject>,
    /// Changes of the object with this number, of that kind.
    pub object_id: Option<u64>,
    /// Changes at this time or later.
    pub since: Option<Timestamp>,
    /// Changes before this time.
    pub before: Option<Timestamp>,
    /// Changes by this way.
    pub via: Option<Via>,
}

/// An entry with the names that it does not store itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownEntry {
    /// The entry.
    pub entry: AuditEntry,
    /// The name of the actor; blank for a deleted contact.
    pub actor: String,
    /// The name of the object; blank for a deleted contact.
    pub object: String,
    /// The name of the contact that it is about, or its address; blank where there is none, or no longer.
    pub person: String,
    /// The settings that it changed, with their values before and afterwards.
    pub changes: Vec<ValueChange>,
}

/// The log of the caller's account, or of the server.
pub fn list(
    tx: &impl Read,
    caller: &Caller,
    filter: &AuditFilter,
    window: PageRequest,
) -> Result<Page<ShownEntry>, OpError> {
    require_reader(caller)?;
    let (skipped, limit, after) = match window {
        PageRequest::All => (0, usize::MAX, None),
        PageRequest::Page { page, limit } => (paging::skipped(page, limit), limit, None),
        PageRequest::After { after, limit } => (0, limit, Some(after)),
    };
    let rows = walked(tx, caller, filter, (skipped, limit), after)?;
    Ok(Page { rows, count: count(tx, caller, filter)? })
}

/// The same without their number: at most `limit` entries behind the one with the number `after`.
///
/// # Errors
/// `Forbidden` without `account_admin`; `Limited` for a caller who is limited to some lists or fields.
pub fn entries(
    tx: &impl Read,
    caller: &Caller,
    filter: &AuditFilter,
    after: Option<u64>,
    limit: usize,
) -> Result<Vec<ShownEntry>, OpError> {
    require_reader(caller)?;
    walked(tx, caller, filter, (0, limit), after)
}

fn require_reader(caller: &Caller) -> Result<(), OpError> {
    caller.require(Permission::AccountAdmin)?;
    // Entries concern every list, and name custom fields.
    caller.require_all_lists("reading the audit log")?;
    if caller.limits.hide_fields() {
        return Err(OpError::Limited { what: "reading the audit log" });
    }
    Ok(())
}

fn walked(
    tx: &impl Read,
    caller: &Caller,
    filter: &AuditFilter,
    (skipped, limit): (u64, usize),
    after: Option<u64>,
) -> Result<Vec<ShownEntry>, OpError> {
    let mut walk = Walk::new(caller, filter);
    let mut ids = Vec::new();
    let mut max = filter.newest();
    if let Some(after) = after {
        let Some(below) = after.checked_sub(1) else { return Ok(Vec::new()) };
        max = max.min(below);
    }
    let mut seen = 0;
    while ids.len() < limit
        && let Some(id) = walk.next(tx, max)?
    {
        if filter.takes(tx, id)? {
            if skipped <= seen {
                ids.push(id);
            }
            seen += 1;
        }
        let Some(next) = id.checked_sub(1) else { break };
        max = next;
    }
    let entries: Vec<AuditEntry> = records(tx, &ids)?;
    Ok(entries.into_iter().map(|entry| shown(tx, entry)).collect::<Result<Vec<_>, _>>()?)
}

/// The beginning of a day, `YYYY-MM-DD`, in a time zone, or of one `later` days after it; `None` if the text is no day.
#[must_use]
pub fn day_start(text: &str, later: i64, zone: &TimeZone) -> Option<Timestamp> {
    let day: Date = text.trim().parse().ok()?;
    let day = day.checked_add(jiff::Span::new().try_days(later).ok()?).ok()?;
    let start = day.to_zoned(zone.clone()).ok()?;
    Some(Timestamp::from_ms(start.timestamp().as_millisecond()))
}

/// The number of entries that pass the filters.
fn count(tx: &impl Read, caller: &Caller, filter: &AuditFilter) -> Result<u64, StoreError> {
    if *filter == AuditFilter::default() {
        return tx.count(&AUDIT_COUNT, &Key::new().u64(caller.account.0));
    }
    let mut walk = Walk::new(caller, filter);
    let (mut count, mut max) = (0, filter.newest());
    while let Some(id) = walk.next(tx, max)? {
        count += u64::from(filter.takes(tx, id)?);
        let Some(next) = id.checked_sub(1) else { break };
        max = next;
    }
    Ok(count)
}

impl AuditFilter {
    /// Whether an entry that the indexes find passes what they do not know.
    fn takes(&self, tx: &impl Read, id: u64) -> Result<bool, StoreError> {
        let Some(via) = self.via else { return Ok(true) };
        Ok(tx.get::<AuditEntry>(id)?.is_some_and(|entry| entry.actor.via == via))
    }

    /// The highest number that an entry can have.
    fn newest(&self) -> u64 {
        self.before.map_or(u64::MAX, |before| AuditId::first_at(before).0.saturating_sub(1))
    }

    /// The lowest number that an entry can have.
    fn oldest(&self) -> u64 {
        self.since.map_or(0, |since| AuditId::first_at(since).0)
    }
}

/// The rows of one key of an index, newest first, read in growing blocks: a look at a few entries stays a look, and a
/// walk over many costs a seek for each block instead of each row.
struct Stream {
    index: &'static Index<AuditEntry>,
    key: Key,
    /// The rows that were read and not passed yet, the newest last.
    read: Vec<u64>,
    /// Rows of the next block.
    block: usize,
    is_at_end: bool,
}

impl Stream {
    fn new(index: &'static Index<AuditEntry>, key: Key) -> Stream {
        Stream { index, key, read: Vec::new(), block: BLOCK_MIN, is_at_end: false }
    }

    /// The newest row whose number is at most `max`, which never grows from call to call.
    fn at_most(&mut self, tx: &impl Read, max: u64) -> Result<Option<u64>, StoreError> {
        while self.read.pop_if(|id| max < *id).is_some() {}
        if self.read.is_empty() && !self.is_at_end {
            let range = IndexRange::prefix(self.key.clone()).backward().from(self.key.clone().u64(max));
            self.read = tx.ids(self.index, &range, self.block)?;
            self.read.reverse();
            self.is_at_end = self.read.len() < self.block;
            self.block = BLOCK_MAX.min(2 * self.block);
        }
        Ok(self.read.last().copied())
    }
}

/// Walks the entries that pass a filter.
struct Walk {
    /// An entry must be in one of these.
    any: Vec<Stream>,
    /// And an entry must be in each of these.
    each: Vec<Stream>,
    oldest: u64,
}

impl Walk {
    fn new(caller: &Caller, filter: &AuditFilter) -> Walk {
        let account = || Key::new().u64(caller.account.0);
        let mut each = Vec::new();
        if let (Some(kind), Some(id)) = (filter.object, filter.object_id) {
            each.push(Stream::new(&AUDIT_BY_OBJECT, account().u64(audit_object(kind)).u64(id)));
        }
        if let Some(AdminId(admin)) = filter.admin {
            each.push(Stream::new(&AUDIT_BY_ADMIN, account().u64(admin)));
        }
        let kind = filter.object.filter(|_| filter.object_id.is_none());
        let is_wanted = |action: &&AuditAction| {
            filter.action.is_none_or(|wanted| wanted == **action)
                && kind.is_none_or(|kind| kind == action.object())
        };
        let all = each.is_empty() || filter.action.is_some() || kind.is_some();
        let actions = AuditAction::ALL.iter().filter(|_| all).filter(is_wanted);
        let stream =
            |action: &AuditAction| Stream::new(&AUDIT_BY_ACTION, account().u64(audit_action(*action)));
        let mut any: Vec<Stream> = actions.map(stream).collect();
        if !all {
            any.extend(each.pop());
        }
        Walk { any, each, oldest: filter.oldest() }
    }

    /// The newest entry whose number is at most `max`, which never grows from call to call.
    fn next(&mut self, tx: &impl Read, max: u64) -> Result<Option<u64>, StoreError> {
        let mut max = max;
        'candidate: loop {
            let mut newest = None;
            for stream in &mut self.any {
                newest = newest.max(stream.at_most(tx, max)?);
            }
            let Some(candidate) = newest.filter(|id| self.oldest <= *id) else { return Ok(None) };
            for stream in &mut self.each {
                match stream.at_most(tx, candidate)? {
                    None => return Ok(None),
                    Some(id) if id < candidate => {
                        max = id;
                        continue 'candidate;
                    }
                    Some(_) => {}
                }
            }
            return Ok(Some(candidate));
        }
    }
}

/// An entry with the names that are looked up for it.
fn shown(tx: &impl Read, entry: AuditEntry) -> Result<ShownEntry, StoreError> {
    let actor = match entry.actor.kind {
        ActorKind::Member(contact) => address_of(tx, contact)?,
        _ => entry.actor_name.clone(),
    };
    let email = match entry.action.object() {
        AuditObject::Email => tx.get::<Email>(entry.object)?.filter(|email| email.account == entry.account),
        _ => None,
    };
    let object = match (email, entry.contact) {
        (Some(email), _) => email.address.to_string(),
        (None, Some(contact)) if entry.object_name.is_empty() => address_of(tx, contact)?,
        (None, _) => entry.object_name.clone(),
    };
    let person = entry.contact.map_or(Ok(String::new()), |contact| person(tx, contact))?;
    let changes = match entry.action {
        AuditAction::ListUpdated | AuditAction::AccountUpdated => tx.get::<AuditValues>(entry.id.0)?,
        _ => None,
    };
    let changes = changes.map(|values| values.changes).unwrap_or_default();
    Ok(ShownEntry { entry, actor, object, person, changes })
}

/// The name of a contact, or its first address; blank where it is gone.
fn person(tx: &impl Read, contact: ContactId) -> Result<String, StoreError> {
    let name = tx.get::<Contact>(contact.0)?.map(|contact| contact.name()).unwrap_or_default();
    if name.is_empty() { address_of(tx, contact) } else { Ok(name) }
}

/// The first address of a contact; blank where it is gone.
fn address_of(tx: &impl Read, contact: ContactId) -> Result<String, StoreError> {
    let Some(Contact { account, .. }) = tx.get::<Contact>(contact.0)? else { return Ok(String::new()) };
    let key = Key::new().u64(account.0).u64(contact.0);
    let first: Option<Email> = tx.page(&EMAIL_BY_CONTACT, &key.into(), 1)?.pop();
    Ok(first.map(|email| email.address.to_string()).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{AccountId, Actor, Via};
    use crate::store::{Store, StoreOptions};

    const ACCOUNT: AccountId = AccountId(1);
    /// More than a walk reads at a time, of each kind.
    const ENTRIES: u64 = 5000;

    fn entry(number: u64) -> AuditEntry {
        let action = [AuditAction::ListUpdated, AuditAction::ListDeleted, AuditAction::AliasCreated];
        AuditEntry {
            id: AuditId(number * 7 + 1),
            account: ACCOUNT,
            actor: Actor { kind: ActorKind::Admin(AdminId(number % 2)), via: Via::Api, client: None },
            actor_name: String::new(),
            action: action[usize::try_from(number * number % 3).unwrap()],
            object: number % 500 / 499 + 1,
            object_name: String::new(),
            contact: None,
            detail: String::new(),
        }
    }

    #[test]
    fn a_filter_shows_what_a_look_at_every_entry_shows() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("x.redb"), StoreOptions::default()).unwrap();
        store.write_blocking(|tx| (0..ENTRIES).try_for_each(|number| tx.put(&entry(number)))).unwrap();
        let (tx, caller) = (store.read().unwrap(), Caller::operator(ACCOUNT));
        let list = AuditFilter { object: Some(AuditObject::List), ..AuditFilter::default() };
        for filter in [
            AuditFilter::default(),
            list.clone(),
            AuditFilter { object_id: Some(2), ..list.clone() },
            AuditFilter { admin: Some(AdminId(1)), object_id: Some(2), ..list.clone() },
            AuditFilter { admin: Some(AdminId(0)), action: Some(AuditAction::ListDeleted), ..list },
            AuditFilter { admin: Some(AdminId(2)), ..AuditFilter::default() },
        ] {
            let passes = |entry: &AuditEntry| {
                filter.admin.is_none_or(|admin| entry.actor.kind == ActorKind::Admin(admin))
                    && filter.action.is_none_or(|action| action == entry.action)
                    && filter.object.is_none_or(|object| object == entry.action.object())
                    && filter.object_id.is_none_or(|id| id == entry.object)
            };
            let expected: Vec<u64> =
                (0..ENTRIES).rev().map(entry).filter(passes).map(|entry| entry.id.0).collect();
            let all = super::list(&tx, &caller, &filter, PageRequest::All).unwrap();
            assert_eq!(all.count, expected.len() as u64, "{filter:?}");
            assert!(all.rows.iter().map(|row| row.entry.id.0).eq(expected.iter().copied()), "{filter:?}");
            let second =
                super::list(&tx, &caller, &filter, PageRequest::Page { page: 2, limit: 10 }).unwrap();
            let ids = second.rows.iter().map(|row| row.entry.id.0);
            assert!(ids.eq(expected.iter().copied().skip(10).take(10)), "{filter:?}");
        }
    }
}
