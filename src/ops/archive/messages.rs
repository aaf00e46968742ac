//! Publishes posts, reads published messages, and takes them out of the archive. The API, moderation and received mail
//! publish here; copies for members are made elsewhere, from the queue.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use crate::clock::Timestamp;
use crate::config::Routing;
use crate::mail::{self, Attachment, Content, Inbound, NewPost};
use crate::model::{
    AccountDomain, ApiContent, AuditAction, Authentication, BlobId, Change, CustomFieldId, EmailAddress,
    List, ListId, Message, MessageId, MissingParents, Permission, TakenOut,
};
use crate::ops::archive::by_time::{ByTime, place_of_position};
use crate::ops::archive::{indexing, placing, threads};
use crate::ops::audit::{self, Note};
use crate::ops::paging::skipped;
use crate::ops::people::memberships;
use crate::ops::people::own::addresses;
use crate::ops::queue::fan_out;
use crate::ops::{Caller, OpError, Page, PageRequest, Problems, Wrong, domains};
use crate::schema::{
    MESSAGE_BY_ACCOUNT, MESSAGE_BY_MESSAGE_ID, MESSAGE_BY_TIME, MESSAGE_COUNT, MESSAGE_COUNT_BY_LIST,
    archive_of,
};
use crate::store::{self, IndexRange, Key, Read, StoreError, WriteTx};

/// Addresses whose pause has ended that are resumed in the job of a post; the upkeep resumes the others.
const PAUSES_ENDED_MAX: usize = 1024;

/// Words after which a job takes no further message out of the archive: each is a row of an index.
pub(in crate::ops) const WORDS_PER_STEP: usize = 20_000;

/// A post that was let pass, with everything that publishing stores.
#[derive(Debug)]
pub struct Post {
    /// Its bytes.
    pub raw: Raw,
    /// Decoded subject.
    pub subject: String,
    /// Name in the From header.
    pub from_phrase: String,
    /// Address in the From header.
    pub from_address: String,
    /// Message-ID without angle brackets, where the message has one.
    pub message_id: Option<String>,
    /// Message-IDs that it replies to, the nearest first.
    pub references: Vec<String>,
    /// The results of checking its sender; `None` for a post that did not come by mail.
    pub authentication: Option<Authentication>,
    /// Whether it came under REQUIRETLS (RFC 8689).
    pub requires_tls: bool,
    /// The author of the merge tags in its content.
    pub merge_tags: MergeTags,
}

/// The author of a post's merge tags, which decides what they may show (`spec/mail.md` 11).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MergeTags {
    /// The sender of the mail.
    OfSender,
    /// The holder of a key, who posted it over the API.
    OfKey {
        /// The custom fields that exist for the key; `None` for all.
        fields: Option<BTreeSet<CustomFieldId>>,
    },
}

impl Post {
    /// The post of a mail whose bytes are stored in `blob`.
    #[must_use]
    pub fn of_mail(
        inbound: &Inbound,
        blob: BlobId,
        authentication: Authentication,
        requires_tls: bool,
    ) -> Post {
        let from = inbound.from.as_ref();
        Post {
            raw: Raw::Stored { blob, size_bytes: inbound.raw.len() as u64 },
            subject: inbound.subject.clone(),
            from_phrase: from.map(|from| from.name.clone()).unwrap_or_default(),
            from_address: from.map(|from| from.address.as_str().to_owned()).unwrap_or_default(),
            message_id: inbound.message_id.clone(),
            references: ancestors(inbound),
            authentication: Some(authentication),
            requires_tls,
            merge_tags: MergeTags::OfSender,
        }
    }
}

/// The Message-IDs that a message replies to, the nearest first.
pub(in crate::ops) fn ancestors(inbound: &Inbound) -> Vec<String> {
    let nearest = inbound.in_reply_to.iter().cloned();
    let others =
        inbound.references.iter().rev().filter(|id| Some(*id) != inbound.in_reply_to.as_ref()).cloned();
    nearest.chain(others).collect()
}

/// The bytes of a post: still to be stored, or stored already by another list's post or as a held message.
#[derive(Debug)]
pub enum Raw {
    /// Bytes that are not stored yet.
    Bytes(Vec<u8>),
    /// A stored blob of `size_bytes`.
    Stored {
        /// The blob.
        blob: BlobId,
        /// Its length.
        size_bytes: u64,
    },
}

/// Stores a post, places it in its thread and queues it for every present member.
pub fn publish(
    tx: &mut WriteTx,
    list: &List,
    post: Post,
    routing: Routing,
    now: Timestamp,
) -> Result<Message, StoreError> {
    let Post {
        raw,
        subject,
        from_phrase,
        from_address,
        message_id,
        references,
        authentication,
        requires_tls,
        merge_tags,
    } = post;
    let id = MessageId(tx.next_id::<Message>()?);
    let message_id = match message_id {
        Some(message_id) => message_id,
        None => mail::made_message_id(id, now, domains::main_domain(tx, list.account)?.name.as_str()),
    };
    let mut ancestors = placing::ancestors(tx, list, &message_id, references)?;
    let thread = placing::thread(tx, list, (id, &message_id), &mut ancestors)?;
    let (blob, size_bytes) = match raw {
        Raw::Bytes(bytes) => (BlobId(tx.put_blob(&bytes)?.0), bytes.len() as u64),
        Raw::Stored { blob, size_bytes } => (blob, size_bytes),
    };
    let message = Message {
        id,
        account: list.account,
        list: list.id,
        subject,
        from_phrase,
        from_address,
        time: now,
        message_id,
        thread,
        parent: ancestors.nearest.as_ref().map(|parent| parent.id),
        blob,
        size_bytes,
        deleted: false,
        changes: None,
        authentication,
        requires_tls,
    };
    tx.put(&message)?;
    threads::added(tx, &message)?;
    let message = placing::settle(tx, list, message, ancestors)?;
    if let MergeTags::OfKey { fields } = merge_tags {
        tx.put(&ApiContent { message: id, account: list.account, fields })?;
    }
    // Whoever has paused mail until a day gets what comes on it, even before the upkeep has looked.
    addresses::resume_due(tx, message.time, PAUSES_ENDED_MAX)?;
    fan_out::enqueue(tx, &message, routing)?;
    Ok(message)
}

/// Changes that lists made to messages for their members, until a commit records them: the next one that is made
/// anyway, which is that of the first outcomes. Until then a crash loses no more than the note, and the message is
/// rendered again.
#[derive(Debug, Default)]
pub struct UnrecordedChanges(Mutex<Vec<(MessageId, Vec<Change>)>>);

impl UnrecordedChanges {
    /// Adds those of a message.
    pub fn note(&self, message: MessageId, changes: Vec<Change>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push((message, changes));
    }

    /// Records all of them in a commit.
    pub fn record(&self, tx: &mut WriteTx<'_>) -> Result<(), StoreError> {
        let noted = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        noted.into_iter().try_for_each(|(message, changes)| record_changes(tx, message, changes))
    }
}

/// Records the changes that the list made to a message for its members.
fn record_changes(tx: &mut WriteTx, id: MessageId, changes: Vec<Change>) -> Result<(), StoreError> {
    let Some(mut message) = tx.get::<Message>(id.0)? else { return Ok(()) };
    let changes = Some(changes);
    if message.changes != changes {
        message.changes = changes;
        tx.put(&message)?;
    }
    Ok(())
}

/// The message of the list that a mail replies to.
pub(in crate::ops) fn parent_of(
    tx: &impl Read,
    list: &List,
    inbound: &Inbound,
) -> Result<Option<Message>, StoreError> {
    for message_id in ancestors(inbound) {
        if let Some(parent) = find_by_message_id(tx, list, &message_id)? {
            return Ok(Some(parent));
        }
    }
    Ok(None)
}

/// The newest message of the list with this Message-ID, even if it was taken out of the archive.
pub fn find_by_message_id(
    tx: &impl Read,
    list: &List,
    message_id: &str,
) -> Result<Option<Message>, StoreError> {
    let key = Key::new().u64(list.account.0).u64(list.id.0).text(message_id);
    let ids = tx.ids(&MESSAGE_BY_MESSAGE_ID, &IndexRange::prefix(key).backward(), 1)?;
    ids.first().map_or(Ok(None), |id| tx.get(*id))
}

/// The newest messages of the list with this Message-ID, even if they were taken out of the archive.
pub(in crate::ops) fn find_all_by_message_id(
    tx: &impl Read,
    list: &List,
    message_id: &str,
    limit: usize,
) -> Result<Vec<Message>, StoreError> {
    let key = Key::new().u64(list.account.0).u64(list.id.0).text(message_id);
    tx.page(&MESSAGE_BY_MESSAGE_ID, &IndexRange::prefix(key).backward(), limit)
}

/// A message as `POST /messages/` describes it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NewMessage {
    /// Name of the list.
    pub list: String,
    /// Subject.
    pub subject: String,
    /// Sender name; the list's title if unset.
    pub from_phrase: Option<String>,
    /// Sender address; the list's if unset.
    pub from_address: Option<EmailAddress>,
    /// Plain text.
    pub content_plain: Option<String>,
    /// HTML.
    pub content_html: Option<String>,
    /// The message this replies to.
    pub parent: Option<MessageId>,
    /// Its files.
    pub attachments: Vec<Attachment>,
}

/// The largest message that a list takes, in bytes; `None` if the caller knows no list of this name.
///
/// # Errors
/// If the store fails.
pub fn maxlength_bytes(tx: &impl Read, caller: &Caller, list: &str) -> Result<Option<u64>, OpError> {
    match memberships::list_named(tx, caller, list) {
        Ok(list) => Ok(Some(list.maxlength_bytes())),
        Err(OpError::NotFound { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Writes the mail of an API message. Reads only, so that it can run outside the write job.
///
/// `token` makes its Message-ID unique.
pub fn compose(
    tx: &impl Read,
    caller: &Caller,
    new: NewMessage,
    token: &str,
    now: Timestamp,
) -> Result<(ListId, Post), OpError> {
    caller.require(Permission::SendMessages)?;
    let list = memberships::list_named(tx, caller, &new.list)?;
    let mut problems = Problems::default();
    if list.pending {
        problems.add("list", Wrong::TakesNoMail);
    }
    let merge_tags = merge_tags_of(caller, &new);
    if new.content_plain.is_none() && new.content_html.is_none() {
        problems.add("content_plain", Wrong::ContentNeeded);
    }
    let parent = new.parent.map_or(Ok(None), |id| tx.get::<Message>(id.0))?;
    let parent = parent.filter(|message| message.list == list.id && !message.deleted);
    if new.parent.is_some() && parent.is_none() {
        problems.add("parent", Wrong::NoParent);
    }
    problems.into_result()?;
    let domain = domains::main_domain(tx, list.account)?;
    let message_id = format!("{token}@{}", domain.name);
    let from_phrase = new.from_phrase.unwrap_or_else(|| list.title().to_owned());
    let from_address = match new.from_address {
        Some(address) => address,
        None => list_address(&list, &domain),
    };
    let references: Vec<String> = parent.into_iter().map(|message| message.message_id).collect();
    let raw = mail::compose_post(&NewPost {
        message_id: &message_id,
        now,
        from_phrase: &from_phrase,
        from_address: &from_address,
        list_address: &list_address(&list, &domain),
        subject: &new.subject,
        content_plain: new.content_plain.as_deref(),
        content_html: new.content_html.as_deref(),
        in_reply_to: references.first().map(String::as_str),
        references: &references,
        attachments: &new.attachments,
    });
    if list.maxlength_bytes() < raw.len() as u64 {
        return Err(OpError::TooLarge { limit_bytes: list.maxlength_bytes() });
    }
    let post = Post {
        raw: Raw::Bytes(raw),
        subject: new.subject,
        from_phrase,
        from_address: from_address.as_str().to_owned(),
        message_id: Some(message_id),
        references,
        authentication: None,
        requires_tls: false,
        merge_tags,
    };
    Ok((list.id, post))
}

/// The author of an API message's merge tags. A text without a dollar sign has none, so no limits are recorded.
fn merge_tags_of(caller: &Caller, new: &NewMessage) -> MergeTags {
    let texts = [Some(&new.subject), new.content_plain.as_ref(), new.content_html.as_ref()];
    if texts.into_iter().flatten().any(|text| text.contains('$')) {
        MergeTags::OfKey { fields: caller.limits.fields().cloned() }
    } else {
        MergeTags::OfSender
    }
}

/// Sends a composed message to its list, overriding posting restrictions (seed, "Messages").
pub fn send(
    tx: &mut WriteTx,
    caller: &Caller,
    list: ListId,
    post: Post,
    routing: Routing,
    now: Timestamp,
) -> Result<(Message, List), OpError> {
    caller.require(Permission::SendMessages)?;
    let list: List = tx
        .get(list.0)?
        .filter(|list: &List| caller.sees_list(list))
        .ok_or(OpError::NotFound { what: "list" })?;
    let message = publish(tx, &list, post, routing, now)?;
    let sent = Note::new(AuditAction::MessagePublished, message.id.0).named(&message.subject);
    audit::note(tx, caller, sent.detail(list.name.as_str()), now)?;
    Ok((message, list))
}

/// The address that posts to `list` go to.
///
/// # Panics
/// Never: a list name is a valid local part, and a stored domain a valid domain.
#[must_use]
pub fn list_address(list: &List, domain: &AccountDomain) -> EmailAddress {
    EmailAddress::parse(&format!("{}@{}", list.name, domain.name)).expect("list names are local parts")
}

/// One message of the archive.
pub fn get(tx: &impl Read, caller: &Caller, id: MessageId) -> Result<Message, OpError> {
    caller.require_read()?;
    tx.get::<Message>(id.0)?
        .filter(|message| caller.sees_message(message) && !message.deleted)
        .ok_or(OpError::NotFound { what: "message" })
}

/// The text and HTML of a message, simplified as the seed requires.
pub fn content(tx: &impl Read, message: &Message) -> Result<Content, OpError> {
    Ok(stored_mail(tx, message.blob)?.content())
}

/// The mail in a blob. It may be imported, and then be odd in ways that no accepted mail is.
pub(in crate::ops) fn stored_mail(tx: &impl Read, blob: BlobId) -> Result<Inbound, StoreError> {
    Ok(mail::parse_leniently(tx.blob(store::BlobId(blob.0))?))
}

/// The same of a post that is not published yet; empty if its bytes are stored already.
pub fn content_of(post: &Post) -> Result<Content, OpError> {
    match &post.raw {
        Raw::Bytes(bytes) => {
            let inbound =
                mail::parse(bytes.as_slice()).map_err(|error| StoreError::corrupt("post", error))?;
            Ok(inbound.content())
        }
        Raw::Stored { blob: _, size_bytes: _ } => Ok(Content::default()),
    }
}

/// The bytes of a message as they were received or written.
pub fn raw(tx: &impl Read, message: &Message) -> Result<Vec<u8>, StoreError> {
    tx.blob(store::BlobId(message.blob.0))
}

/// The archive of the account, or of one list: newest first.
pub fn list(
    tx: &impl Read,
    caller: &Caller,
    of: Option<ListId>,
    window: PageRequest,
) -> Result<Page<Message>, OpError> {
    caller.require_read()?;
    if let (None, Some(_)) = (of, caller.limits.lists()) {
        return Ok(of_limits(tx, caller, window)?);
    }
    let account = Key::new().u64(caller.account.0);
    let (index, count, key) = match of {
        Some(list) => (&MESSAGE_BY_TIME, &MESSAGE_COUNT_BY_LIST, account.u64(list.0)),
        None => (&MESSAGE_BY_ACCOUNT, &MESSAGE_COUNT, account),
    };
    let total = tx.count(count, &key)?;
    let range = IndexRange::prefix(key.clone()).backward();
    let ids = match window {
        PageRequest::After { after, limit } => {
            let (time, id) = place_of_position(tx, after)?;
            tx.ids(index, &range.after(key.u64(time).u64(id)), limit)?
        }
        PageRequest::All | PageRequest::Page { .. } => crate::ops::window_ids(tx, index, range, window)?,
    };
    let rows = crate::ops::records(tx, &ids)?;
    Ok(Page { rows, count: total })
}

/// The archive of the lists that a limited caller sees: newest first.
fn of_limits(tx: &impl Read, caller: &Caller, window: PageRequest) -> Result<Page<Message>, StoreError> {
    let lists: Vec<ListId> = caller.limits.lists().into_iter().flatten().copied().collect();
    let mut count = 0;
    for list in &lists {
        count += tx.count(&MESSAGE_COUNT_BY_LIST, &archive_of(caller.account, *list))?;
    }
    let (behind, before, limit) = match window {
        PageRequest::All => (None, 0, usize::MAX),
        PageRequest::Page { page, limit } => (None, skipped(page, limit), limit),
        PageRequest::After { after, limit } => (Some(place_of_position(tx, after)?), 0, limit),
    };
    let mut places = ByTime::new(caller, &lists, behind);
    for _ in 0..before.min(count) {
        places.next(tx)?;
    }
    let mut ids = Vec::new();
    while ids.len() < limit
        && let Some((_, id)) = places.next(tx)?
    {
        ids.push(id);
    }
    Ok(Page { rows: crate::ops::records(tx, &ids)?, count })
}

/// Takes a message out of the archive. Deliveries in progress continue, and replies keep their thread.
pub fn delete(tx: &mut WriteTx, caller: &Caller, id: MessageId, now: Timestamp) -> Result<(), OpError> {
    caller.require(Permission::ApproveMessages)?;
    let message = get(tx, caller, id)?;
    let deleted = Note::new(AuditAction::MessageDeleted, id.0).named(&message.subject);
    take_out(tx, message)?;
    audit::note(tx, caller, deleted, now)?;
    Ok(())
}

/// Takes a message out of the archive and its search index; returns the number of its words.
fn take_out(tx: &mut WriteTx, mut message: Message) -> Result<usize, StoreError> {
    message.deleted = true;
    tx.put(&message)?;
    tx.put(&TakenOut::of(&message))?;
    threads::removed(tx, &message)?;
    tx.delete::<MissingParents>(message.id.0)?;
    indexing::forget(tx, message.id)
}

/// Takes the messages of a list out of the archive (`spec/api.md` 5), at most `limit` in one call, and fewer if they
/// have many words; returns whether any may be left.
pub fn delete_of_list(tx: &mut WriteTx, list: &List, limit: usize) -> Result<bool, StoreError> {
    let key = Key::new().u64(list.account.0).u64(list.id.0);
    indexing::forget_list(tx, list)?;
    let ids = tx.ids(&MESSAGE_BY_TIME, &IndexRange::prefix(key), limit)?;
    let is_full = ids.len() == limit;
    let mut words = 0;
    for id in ids {
        if WORDS_PER_STEP <= words {
            return Ok(true);
        }
        if let Some(message) = tx.get::<Message>(id)? {
            words += take_out(tx, message)?;
        }
    }
    // Behind the last message, the threads that were closed are left.
    Ok(is_full || threads::delete_of_list(tx, list, limit)?)
}
