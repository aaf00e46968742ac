//! Where the addresses lead that the pages of a list had on another server. `web` asks for every request at an old host,
//! and for every path of an account's own host that no page has.
//!
//! A request costs some seeks, however large the archive is. `HyperKitty` names a message by a hash of its Message-ID. No
//! index of messages has that: it would cost every post a row, and posts that were made here have no old address. So the
//! import of an archive writes a row for each message that it stores ([`note_message`]), whether or not anybody has
//! said yet where the list was before, and [`note_messages`] does so for what was imported earlier. What no computation
//! tells, such as the numbers of pipermail and Sympa, [`note_pages`] keeps beside it.

use std::time::Duration;

use percent_encoding::percent_decode_str;

use crate::clock::Timestamp;
use crate::mail::subject::base_subject;
use crate::model::old_place::{self, ArchivePage, ListPage, OldList, OldPlace};
use crate::model::{
    AccountId, AuditAction, Domain, List, ListId, Message, MessageId, OldAddress, OldLink, OldLinkId,
    OldTarget, Permission,
};
use crate::ops::archive::browse;
use crate::ops::archive::messages::find_by_message_id;
use crate::ops::archive::months::Month;
use crate::ops::archive::threads::moving;
use crate::ops::audit::{self, Note};
use crate::ops::domains::{self, old_names};
use crate::ops::{Caller, OpError, Wrong};
use crate::schema::{
    MESSAGE_BY_MESSAGE_ID, MESSAGE_BY_TIME, MESSAGE_COUNT_BY_MONTH, OLD_LINK_BY_ADDRESS, archive_of,
    old_address,
};
use crate::secret::sha1;
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

/// Bytes of an address that is given by hand, and of where it leads.
pub const PAGE_BYTES_MAX: usize = 1000;
/// Pages that one write job notes.
pub const PAGES_PER_STEP: usize = 500;
/// Bytes of the Message-ID and of the subject that are kept of a message that is not there.
const MESSAGE_ID_BYTES_MAX: usize = 200;
const SUBJECT_BYTES_MAX: usize = 120;
/// Messages that are compared with a page that names none.
const COMPARED_MAX: usize = 2000;
/// How far the time on a page is from that of its message, at most: pages say the hour of some zone.
const ZONES: Duration = Duration::from_hours(15);
/// The difference is a multiple of this.
const ZONE_STEP_MS: i64 = 15 * 60 * 1000;

/// A request for an old address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asked<'request> {
    /// The host, without its port.
    pub host: Option<&'request str>,
    /// The path, as it was sent.
    pub path: &'request str,
    /// The query, as it was sent.
    pub query: Option<&'request str>,
}

/// Where an old address leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lead {
    /// To a path of the account's pages, or a URL; whoever may not see the page learns nothing by it.
    Page(String),
    /// Into an archive, which says who may read it.
    Archive {
        /// The name of the list.
        list: String,
        /// The page.
        page: ArchivePage,
    },
}

/// The place in an archive to which an old address leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// A path below the page of the list.
    At(String),
    /// The message was not brought along.
    Missing {
        /// Its subject; blank if nobody knows.
        subject: String,
        /// Its month, as `2015-04`.
        month: Option<String>,
    },
}

/// Where an old address of an account leads; `None` if it is none.
pub fn lead(tx: &impl Read, account: AccountId, asked: &Asked<'_>) -> Result<Option<Lead>, StoreError> {
    if let Some(page) = by_hand(tx, account, asked)? {
        return Ok(Some(Lead::Page(page)));
    }
    let Some(place) = old_place::read(asked.path) else { return Ok(None) };
    Ok(Some(match place {
        OldPlace::Home => Lead::Page("/".to_owned()),
        OldPlace::Members => Lead::Page("/members/".to_owned()),
        OldPlace::List { list: OldList::Name(list), page } => Lead::Page(path_of(&list, page)),
        OldPlace::List { list: OldList::Dotted(list), page } => {
            Lead::Page(path_of(&without_host(tx, account, &list)?, page))
        }
        OldPlace::Archive { list, page } => Lead::Archive { list, page },
    }))
}

/// The name of the list that the path of an old address means, if it means one.
pub fn list_of(tx: &impl Read, account: AccountId, path: &str) -> Result<Option<String>, StoreError> {
    Ok(match old_place::read(path) {
        Some(OldPlace::List { list: OldList::Name(list), .. } | OldPlace::Archive { list, .. }) => Some(list),
        Some(OldPlace::List { list: OldList::Dotted(list), .. }) => Some(without_host(tx, account, &list)?),
        Some(OldPlace::Home | OldPlace::Members) | None => None,
    })
}

/// The path of a page of a list. Nothing is looked up, so that the path tells nothing of lists that others may not know of.
fn path_of(list: &str, page: ListPage) -> String {
    match page {
        ListPage::First => format!("/lists/{list}/"),
        ListPage::Join => format!("/lists/{list}/join/"),
        ListPage::Leave => format!("/lists/{list}/join/?action=unsubscribe"),
        ListPage::Search => format!("/lists/{list}/search/"),
        ListPage::Feed => format!("/lists/{list}/feed.atom"),
        ListPage::Settings => format!("/admin/lists/{list}/"),
    }
}

/// The name of a list in `choir.lists.example.org`: what stands in front of a host of the account, else the first label.
fn without_host(tx: &impl Read, account: AccountId, dotted: &str) -> Result<String, StoreError> {
    for (end, _) in dotted.match_indices('.') {
        let (name, host) = (&dotted[..end], &dotted[end + 1..]);
        let Ok(host) = Domain::parse(host) else { continue };
        let host = domains::kept_name(&host);
        let is_old = old_names::find_known(tx, &host)?.is_some_and(|known| known.account == account);
        if is_old || domains::find(tx, &host)?.is_some_and(|domain| domain.account == account) {
            return Ok(name.to_owned());
        }
    }
    Ok(dotted.split('.').next().unwrap_or_default().to_owned())
}

/// Where an address leads that was given by hand: with its host or without it, with its query or without it.
fn by_hand(tx: &impl Read, account: AccountId, asked: &Asked<'_>) -> Result<Option<String>, StoreError> {
    let Asked { host, path, query } = *asked;
    for query in [query, None] {
        for host in [host, None] {
            let page = written(host.unwrap_or_default(), path, query);
            if PAGE_BYTES_MAX < page.len() {
                continue;
            }
            let key = old_address(account, None, &OldAddress::Page(page));
            let found = tx.find(&OLD_LINK_BY_ADDRESS, &key)?;
            if let Some(OldLink { target: OldTarget::Page(target), .. }) = found {
                return Ok(Some(target));
            }
        }
    }
    Ok(None)
}

/// The form in which an address is kept and looked up: decoded, without a slash at its end.
#[must_use]
pub fn written(host: &str, path: &str, query: Option<&str>) -> String {
    let path = percent_decode_str(path).decode_utf8_lossy();
    let path = path.trim_end_matches('/');
    let query = query.map(|query| format!("?{query}")).unwrap_or_default();
    format!("{}{}{query}", host.to_ascii_lowercase(), if path.is_empty() { "/" } else { path })
}

/// The place in the archive of a list, which the visitor may read, to which an old address leads.
pub fn in_archive(tx: &impl Read, list: &List, page: &ArchivePage) -> Result<Found, StoreError> {
    let at = |message: &Message| Found::At(format!("messages/{}/", message.id));
    match page {
        ArchivePage::Month(month) => {
            let has_any = month_with_messages(tx, list, Some(month))?;
            Ok(Found::At(has_any.map(|month| format!("months/{month}/")).unwrap_or_default()))
        }
        ArchivePage::Message { address, month } => Ok(match find_message(tx, list, address)? {
            Ok(message) => at(&message),
            Err(subject) => {
                Found::Missing { subject, month: month_with_messages(tx, list, month.as_deref())? }
            }
        }),
        ArchivePage::Thread(address) => Ok(match find_message(tx, list, address)? {
            Ok(message) => Found::At(format!("threads/{}/", moving::thread_of(tx, &message)?)),
            Err(subject) => Found::Missing { subject, month: None },
        }),
        ArchivePage::MessageId(message_id) => {
            let found = browse::by_message_id(tx, list, message_id)?;
            let missing = || Found::Missing { subject: String::new(), month: None };
            Ok(found.as_ref().map_or_else(missing, at))
        }
    }
}

/// The month, as `2015-04`, if the archive has messages of it.
fn month_with_messages(
    tx: &impl Read,
    list: &List,
    month: Option<&str>,
) -> Result<Option<String>, StoreError> {
    let Some(month) = month.and_then(Month::parse) else { return Ok(None) };
    let of_month = archive_of(list.account, list.id).u64(month.number_in_all());
    Ok((0 < tx.count(&MESSAGE_COUNT_BY_MONTH, &of_month)?).then(|| month.to_string()))
}

/// The message of an old address, or what is known of its subject if it is not there. One that was taken out is there:
/// its page says so.
fn find_message(
    tx: &impl Read,
    list: &List,
    address: &OldAddress,
) -> Result<Result<Message, String>, StoreError> {
    let key = old_address(list.account, Some(list.id), address);
    let found = tx.find(&OLD_LINK_BY_ADDRESS, &key)?;
    Ok(match found.map(|link| link.target) {
        Some(OldTarget::Message(id)) => browse::record(tx, list, id)?.ok_or_else(String::new),
        Some(OldTarget::Missing { message_id: Some(message_id), subject }) => {
            find_by_message_id(tx, list, &message_id)?.ok_or(subject)
        }
        Some(OldTarget::Missing { message_id: None, subject }) => Err(subject),
        Some(OldTarget::Page(_)) | None => Err(String::new()),
    })
}

/// Notes the hash by which `HyperKitty` names a message; returns whether it was unknown.
pub(in crate::ops) fn note_message(tx: &mut WriteTx<'_>, message: &Message) -> Result<bool, StoreError> {
    let address = OldAddress::MailHash(sha1(message.message_id.as_bytes()));
    put(tx, (message.account, Some(message.list)), address, OldTarget::Message(message.id))
}

/// Notes the hashes of the next messages of a list, those behind a Message-ID. Returns how many were unknown, and the last
/// one's Message-ID, or `None` when all are noted.
pub fn note_messages(
    tx: &mut WriteTx<'_>,
    list: &List,
    after: Option<&str>,
) -> Result<(u64, Option<String>), OpError> {
    let of_list = Key::new().u64(list.account.0).u64(list.id.0);
    let range = IndexRange::prefix(of_list.clone());
    let range = match after {
        Some(after) => range.after(of_list.text(after)),
        None => range,
    };
    let page: Vec<Message> = tx.page(&MESSAGE_BY_MESSAGE_ID, &range, PAGES_PER_STEP)?;
    let mut noted = 0;
    for message in page.iter().filter(|message| !message.message_id.is_empty()) {
        noted += u64::from(note_message(tx, message)?);
    }
    Ok((noted, page.into_iter().next_back().map(|last| last.message_id)))
}

/// Keeps where an address leads; returns whether it was unknown before.
fn put(
    tx: &mut WriteTx<'_>,
    (account, list): (AccountId, Option<ListId>),
    address: OldAddress,
    target: OldTarget,
) -> Result<bool, StoreError> {
    let known = tx.find_id(&OLD_LINK_BY_ADDRESS, &old_address(account, list, &address))?;
    let id = known.map_or_else(|| tx.next_id::<OldLink>(), Ok)?;
    tx.put(&OldLink { id: OldLinkId(id), account, list, address, target })?;
    Ok(known.is_none())
}

/// The facts on a page of an old archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageFacts {
    /// Its address.
    pub address: OldAddress,
    /// The Message-ID that it names, without angle brackets.
    pub message_id: Option<String>,
    /// The subject.
    pub subject: String,
    /// The name of the author.
    pub author: String,
    /// The address of the author; blank if the page has none.
    pub author_address: String,
    /// When it was written, by a clock of some zone, as if that were UTC.
    pub written: Option<Timestamp>,
}

/// How the message of a page was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Matched {
    /// By its Message-ID.
    ById,
    /// By its time, its subject and its author.
    ByFacts,
    /// It is not in the archive of the list.
    Missing,
}

/// Notes that the addresses of an old archive are being read.
pub fn begin(tx: &mut WriteTx<'_>, caller: &Caller, list: &List, now: Timestamp) -> Result<(), OpError> {
    caller.require(Permission::AccountAdmin)?;
    let begun = Note::new(AuditAction::ListUpdated, list.id.0).named(list.name.as_str());
    audit::note(tx, caller, begun.detail("old addresses"), now)?;
    Ok(())
}

/// A page of an old archive, and where it leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageLead {
    address: OldAddress,
    target: OldTarget,
    /// How its message was found.
    pub matched: Matched,
}

/// Finds where pages of an old archive lead, for [`note_pages`]: comparing a page that names no message reads many
/// messages, which a write job should not. What is not there is looked for again when somebody asks.
pub fn match_pages(tx: &impl Read, list: &List, pages: Vec<PageFacts>) -> Result<Vec<PageLead>, StoreError> {
    let mut leads = Vec::with_capacity(pages.len());
    for page in pages {
        let by_id = match &page.message_id {
            Some(message_id) => find_by_message_id(tx, list, message_id)?,
            None => None,
        };
        // One that was taken out is found as well: nobody reads more of it by its old address than by its new one.
        let (found, matched) = match by_id {
            Some(message) => (Some(message.id), Matched::ById),
            None => match find_by_facts(tx, list, &page)? {
                Some(id) => (Some(id), Matched::ByFacts),
                None => (None, Matched::Missing),
            },
        };
        let PageFacts { address, message_id, subject, .. } = page;
        let missing = || OldTarget::Missing {
            message_id: message_id.filter(|id| !id.is_empty() && id.len() <= MESSAGE_ID_BYTES_MAX),
            subject: cut(subject.trim()),
        };
        let target = found.map_or_else(missing, OldTarget::Message);
        leads.push(PageLead { address, target, matched });
    }
    Ok(leads)
}

/// Keeps where pages of an old archive lead, which [`begin`] has announced.
pub fn note_pages(tx: &mut WriteTx<'_>, list: &List, leads: Vec<PageLead>) -> Result<(), OpError> {
    let list: List = tx.get(list.id.0)?.ok_or(OpError::NotFound { what: "list" })?;
    for PageLead { address, target, matched: _ } in leads {
        put(tx, (list.account, Some(list.id)), address, target)?;
    }
    Ok(())
}

fn cut(subject: &str) -> String {
    let end = (0..=SUBJECT_BYTES_MAX.min(subject.len())).rev().find(|end| subject.is_char_boundary(*end));
    subject[..end.unwrap_or(0)].to_owned()
}

/// The message of a page that names no Message-ID of the list, by its time, its subject and its author.
fn find_by_facts(tx: &impl Read, list: &List, page: &PageFacts) -> Result<Option<MessageId>, StoreError> {
    // A Message-ID that the list does not have is that of another message.
    if page.message_id.is_some() {
        return Ok(None);
    }
    let Some(written) = page.written else { return Ok(None) };
    let archive = archive_of(list.account, list.id);
    let range = IndexRange::prefix(archive.clone()).from(archive.u64(written.before(ZONES).key()));
    let near: Vec<Message> = tx.page(&MESSAGE_BY_TIME, &range, COMPARED_MAX)?;
    let subject = compared(&page.subject, list);
    let is_it = |message: &&Message| {
        let apart_ms = message.time.ms() - written.ms();
        // Pages have no more than the second.
        let is_then = apart_ms.div_euclid(1000) * 1000 % ZONE_STEP_MS == 0;
        let is_theirs = message.from_phrase == page.author
            || message.from_address.eq_ignore_ascii_case(&page.author_address)
            || message.from_address.eq_ignore_ascii_case(&page.author);
        is_then && is_theirs && compared(&message.subject, list) == subject
    };
    let until = written + ZONES;
    let found = near.iter().take_while(|message| message.time <= until).filter(is_it);
    let nearest = found.min_by_key(|message| (message.time.ms() - written.ms()).abs());
    Ok(nearest.map(|message| message.id))
}

/// A subject without prefixes, as it is compared.
fn compared(subject: &str, list: &List) -> String {
    let prefix = list.subject_prefix.trim();
    let subject = if prefix.is_empty() { subject.to_owned() } else { subject.replace(prefix, " ") };
    let words = subject.split_whitespace().collect::<Vec<_>>().join(" ");
    base_subject(&words).text.to_lowercase()
}

/// The pages of a month of an archive of Sympa, whose numbers follow the order of the files in its folder `arctxt`:
/// `message_ids` has the Message-ID of each file in the order of their numbers.
#[must_use]
pub fn sympa_pages(month: &str, message_ids: Vec<Option<String>>) -> Vec<PageFacts> {
    let page = |(number, message_id): (u32, Option<String>)| PageFacts {
        address: OldAddress::Sympa { month: month.to_owned(), number },
        message_id,
        subject: String::new(),
        author: String::new(),
        author_address: String::new(),
        written: None,
    };
    (0..).zip(message_ids).map(page).collect()
}

/// Passes if an address may be given by hand.
pub fn check_by_hand(old: &str, new: &str) -> Result<(), OpError> {
    for (field, text) in [("old", old), ("new", new)] {
        if PAGE_BYTES_MAX < text.len() {
            return Err(OpError::invalid(field, Wrong::TooLong { max: PAGE_BYTES_MAX }));
        }
    }
    Ok(())
}

/// Has addresses lead elsewhere: each, in the form of [`written`], with where it leads. Returns how many were unknown before.
pub fn add_by_hand(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    links: Vec<(String, String)>,
    now: Timestamp,
) -> Result<u64, OpError> {
    caller.require(Permission::AccountAdmin)?;
    let (count, first) = (links.len(), links.first().map(|(old, _)| old.clone()).unwrap_or_default());
    let mut made = 0;
    for (old, new) in links {
        check_by_hand(&old, &new)?;
        let (old, new) = (OldAddress::Page(old), OldTarget::Page(new));
        made += u64::from(put(tx, (caller.account, None), old, new)?);
    }
    let detail = if count == 1 { "old address".to_owned() } else { format!("{count} old addresses") };
    note(tx, caller, &first, &detail, now)?;
    Ok(made)
}

/// Forgets an address that was given by hand; returns whether it was known.
pub fn delete_by_hand(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    old: &str,
    now: Timestamp,
) -> Result<bool, OpError> {
    caller.require(Permission::AccountAdmin)?;
    let page = OldAddress::Page(old.to_owned());
    let Some(id) = tx.find_id(&OLD_LINK_BY_ADDRESS, &old_address(caller.account, None, &page))? else {
        return Ok(false);
    };
    tx.delete::<OldLink>(id)?;
    note(tx, caller, old, "old address deleted", now)?;
    Ok(true)
}

fn note(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    old: &str,
    detail: &str,
    now: Timestamp,
) -> Result<(), OpError> {
    let changed = Note::new(AuditAction::AccountUpdated, caller.account.0).named(old).detail(detail);
    audit::note(tx, caller, changed, now)?;
    Ok(())
}

/// The next addresses of an account that were given by hand, those behind one, and where each leads.
pub fn given_by_hand(
    tx: &impl Read,
    account: AccountId,
    after: Option<&str>,
    limit: usize,
) -> Result<Vec<(String, String)>, StoreError> {
    let of_account = Key::new().u64(account.0).u64(0);
    let range = IndexRange::prefix(of_account);
    let range = match after {
        Some(after) => range.after(old_address(account, None, &OldAddress::Page(after.to_owned()))),
        None => range,
    };
    let links: Vec<OldLink> = tx.page(&OLD_LINK_BY_ADDRESS, &range, limit)?;
    let pair = |link: OldLink| match (link.address, link.target) {
        (OldAddress::Page(old), OldTarget::Page(new)) => Some((old, new)),
        _ => None,
    };
    Ok(links.into_iter().filter_map(pair).collect())
}
