//! Reads a published message as its members got it, less what is personal: texts and attachments as the list changes
//! them, links for one reader alone taken out, an author hidden whom the list hides, merge tags filled in for nobody.
//!
//! Pages, feeds, downloads and digests show messages by this alone. The rewriting is that of the copies
//! ([`mail::rewrite()`]); [`RewriteFacts`] are what it depends on for both.

use std::borrow::Cow;

use crate::clock::Timestamp;
use crate::mail::{self, ContentAuthor, Inbound, Personal, RewriteContext};
use crate::model::list::OriginalSenderMode;
use crate::model::{
    Account, AccountDomain, ApiContent, Change, CustomField, CustomFieldId, EmailAddress, Links, List,
    Message, MessageId,
};
use crate::ops::archive::messages::list_address;
use crate::ops::domains::{main_domain, of_account, signing_domain};
use crate::ops::people::requests;
use crate::secret::sha256;
use crate::store::{BlobId, Read, StoreError};

/// Fields for one reader or for programs that deliver, which no archive shows.
const PERSONAL_FIELDS: [&str; 5] =
    ["cfbl-address", "feedback-id", "list-unsubscribe", "list-unsubscribe-post", "precedence"];

/// The facts in the data file on which the rewriting of a list's posts depends.
#[derive(Debug)]
pub(in crate::ops) struct RewriteFacts {
    pub(in crate::ops) account: Account,
    /// Main domain of the account.
    pub(in crate::ops) domain: AccountDomain,
    /// All domains of the account.
    domains: Vec<AccountDomain>,
    /// Names and identifiers of custom fields, as templates use them.
    pub(in crate::ops) fields: Vec<(CustomFieldId, String)>,
    api_content: Option<ApiContent>,
    list_address: EmailAddress,
}

impl RewriteFacts {
    /// The facts about a post of a list; `None` if the account is gone.
    pub(in crate::ops) fn of(
        tx: &impl Read,
        list: &List,
        message: MessageId,
    ) -> Result<Option<RewriteFacts>, StoreError> {
        let Some(account) = tx.get::<Account>(list.account.0)? else { return Ok(None) };
        let domain = main_domain(tx, list.account)?;
        let names_of = |field: &CustomField| {
            let names = field.identifier.iter().chain([&field.name]);
            names.map(|name| (field.id, name.clone())).collect::<Vec<_>>()
        };
        Ok(Some(RewriteFacts {
            fields: account.custom_fields.iter().flat_map(names_of).collect(),
            account,
            domains: of_account(tx, list.account)?,
            api_content: tx.get(message.0)?,
            list_address: list_address(list, &domain),
            domain,
        }))
    }

    /// The same facts for a post of an administrator that is not published yet.
    #[must_use]
    pub(in crate::ops) fn with_content(self, api_content: Option<ApiContent>) -> RewriteFacts {
        RewriteFacts { api_content, ..self }
    }

    /// Names that templates of the list may have.
    pub(in crate::ops) fn names(&self) -> Vec<&str> {
        self.fields.iter().map(|(_, name)| name.as_str()).collect()
    }

    /// Names that the content of the post may have.
    pub(in crate::ops) fn content_names(&self) -> Vec<&str> {
        let is_shown =
            |field: CustomFieldId| self.api_content.as_ref().is_some_and(|content| content.shows(field));
        self.fields.iter().filter(|(field, _)| is_shown(*field)).map(|(_, name)| name.as_str()).collect()
    }

    /// The domain of the account whose key can sign for this author.
    pub(in crate::ops) fn signer_of(&self, inbound: &Inbound) -> Option<&AccountDomain> {
        let from = inbound.from.as_ref().map_or("", |from| from.address.as_str());
        signing_domain(&self.domains, from)
    }

    /// The context for rewriting a post that its author sent by mail or over the API: From stays as it is, and nobody
    /// shares copies. `from_is_ours`: whether [`signer_of`](RewriteFacts::signer_of) knows a domain for it. `names` and
    /// `content_names` are those above.
    pub(in crate::ops) fn context<'a>(
        &'a self,
        list: &'a List,
        links: &'a Links,
        from_is_ours: bool,
        (message, accepted): (MessageId, Timestamp),
        (names, content_names): (&'a [&'a str], &'a [&'a str]),
    ) -> RewriteContext<'a> {
        RewriteContext {
            list,
            list_address: &self.list_address,
            account: &self.account.name,
            links,
            message,
            rewrite_from: false,
            from_is_ours,
            batched: false,
            custom_fields: names,
            author: match &self.api_content {
                Some(_) => ContentAuthor::Key { custom_fields: content_names },
                None => ContentAuthor::Sender,
            },
            subscriptions: requests::subscriptions(&self.account, list),
            unsubscriptions: requests::unsubscriptions(&self.account, list),
            language: self.account.settings.language,
            accepted,
        }
    }
}

/// How much of what the list adds is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decoration {
    /// Nothing: neither prefix, fronter nor footer.
    Bare,
    /// Everything that members got.
    Whole,
}

/// A message of the archive as its members got it, less what is personal, and without what the list adds to each.
/// `links` are those of its account. `None` if its account is gone.
pub fn mail(
    tx: &impl Read,
    links: &Links,
    list: &List,
    message: &Message,
) -> Result<Option<Inbound>, StoreError> {
    mail_with(tx, links, list, message, Decoration::Bare)
}

/// The same, with the choice of what the list adds.
pub fn mail_with(
    tx: &impl Read,
    links: &Links,
    list: &List,
    message: &Message,
    decoration: Decoration,
) -> Result<Option<Inbound>, StoreError> {
    shown(tx, links, list, message, tx.blob(BlobId(message.blob.0))?, decoration)
}

/// The beginning of a message as [`mail()`] returns it, made of this many of its bytes: for excerpts.
pub fn beginning(
    tx: &impl Read,
    links: &Links,
    list: &List,
    message: &Message,
    bytes_max: u64,
) -> Result<Option<Inbound>, StoreError> {
    let bytes = tx.blob_range(BlobId(message.blob.0), 0..bytes_max)?;
    shown(tx, links, list, message, bytes, Decoration::Bare)
}

/// A hash of everything on which a shown message depends: its bytes, what was changed of it, and the
/// [settings](settings()). `None` if its account is gone.
pub(crate) fn fingerprint(
    tx: &impl Read,
    links: &Links,
    list: &List,
    message: &Message,
) -> Result<Option<[u8; 16]>, StoreError> {
    let Some(settings) = settings(tx, links, list)? else { return Ok(None) };
    let content = tx.get::<ApiContent>(message.id.0)?;
    let Message { id, time, blob, changes, .. } = message;
    let all = format!("{id:?} {time:?} {blob:?} {changes:?} {content:?} {settings:?}");
    Ok(sha256(all.as_bytes()).first_chunk().copied())
}

/// A hash of the settings by which the messages of a list are shown: those of the list and of its account, and this
/// program. `None` if the account is gone.
pub(in crate::ops) fn settings(
    tx: &impl Read,
    links: &Links,
    list: &List,
) -> Result<Option<[u8; 32]>, StoreError> {
    // No message has this number.
    let Some(facts) = RewriteFacts::of(tx, list, MessageId(u64::MAX))? else { return Ok(None) };
    let program = env!("CARGO_PKG_VERSION");
    Ok(Some(sha256(format!("{program} {links:?} {list:?} {facts:?}").as_bytes())))
}

fn shown(
    tx: &impl Read,
    links: &Links,
    list: &List,
    message: &Message,
    bytes: Vec<u8>,
    decoration: Decoration,
) -> Result<Option<Inbound>, StoreError> {
    let Some(facts) = RewriteFacts::of(tx, list, message.id)? else { return Ok(None) };
    let inbound = mail::parse_leniently(bytes);
    let list = match decoration {
        Decoration::Bare => Cow::Owned(undecorated(list)),
        Decoration::Whole => Cow::Borrowed(list),
    };
    let (names, content_names) = (facts.names(), facts.content_names());
    let from_is_ours = facts.signer_of(&inbound).is_some();
    let was_rewritten = match &message.changes {
        Some(changes) => changes.contains(&Change::FromRewritten),
        // Nobody got a copy yet: a list that hides its authors hides this one.
        None => true,
    };
    let context = RewriteContext {
        rewrite_from: was_rewritten && list.original_sender_mode == OriginalSenderMode::Hide,
        batched: true,
        ..facts.context(&list, links, from_is_ours, (message.id, message.time), (&names, &content_names))
    };
    let shared = mail::rewrite(&inbound, &context);
    let mut bytes = Vec::new();
    shared.render(&Personal::default(), &mut bytes);
    // A large message is held once more while its bytes are shared, and no longer twice.
    drop((shared, inbound));
    mail::drop_fields(&mut bytes, &PERSONAL_FIELDS);
    Ok(Some(mail::parse_leniently(bytes)))
}

/// A mail for a preview of what a list makes of it.
#[derive(Debug)]
pub enum Sample<'a> {
    /// A message of the list.
    Message(&'a Message),
    /// A mail that was never sent, and the present time.
    Made(Vec<u8>, Timestamp),
}

/// A mail as `reader` would get it from a list with these settings, which need not be stored. `None` if the account is
/// gone.
pub fn preview(
    tx: &impl Read,
    links: &Links,
    list: &List,
    sample: Sample<'_>,
    reader: &Personal<'_>,
) -> Result<Option<Inbound>, StoreError> {
    let (post, bytes) = match sample {
        Sample::Message(message) => ((message.id, message.time), tx.blob(BlobId(message.blob.0))?),
        Sample::Made(bytes, now) => ((MessageId(0), now), bytes),
    };
    let Some(facts) = RewriteFacts::of(tx, list, post.0)? else { return Ok(None) };
    let inbound = mail::parse_leniently(bytes);
    let (names, content_names) = (facts.names(), facts.content_names());
    let from_is_ours = facts.signer_of(&inbound).is_some();
    let context = facts.context(list, links, from_is_ours, post, (&names, &content_names));
    let shared = mail::rewrite(&inbound, &context);
    let mut bytes = Vec::new();
    shared.render(reader, &mut bytes);
    Ok(Some(mail::parse_leniently(bytes)))
}

/// The list without what it puts into each of its posts. From is rewritten only where that hides an author.
fn undecorated(list: &List) -> List {
    List {
        subject_prefix: String::new(),
        message_fronter: String::new(),
        message_fronter_html: String::new(),
        message_footer: String::new(),
        message_footer_html: String::new(),
        rewrite_sender: list.rewrite_sender && list.original_sender_mode == OriginalSenderMode::Hide,
        ..list.clone()
    }
}
