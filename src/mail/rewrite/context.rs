//! The facts beside a message on which its transformation depends, and what follows from them for any message.

use crate::clock::Timestamp;
use crate::model::account::Subscriptions;
use crate::model::address::LOCAL_BYTES_MAX;
use crate::model::list::OriginalSenderMode;
use crate::model::{EmailAddress, Language, Links, List, MessageId, Place};

use crate::mail::parse::Inbound;

/// Who wrote the content of a message, as far as its merge tags depend on it (`spec/mail.md` 11).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContentAuthor<'a> {
    /// A member or a stranger. Tags show the reader's own name and address and what the list is called, in text
    /// alone.
    Sender,
    /// The holder of a key, over the API. Tags show everything but the custom fields that are hidden from the key.
    Key {
        /// Names that `${…}` may have.
        custom_fields: &'a [&'a str],
    },
    /// The server itself, in a digest, which has no page of its own. What others wrote in it is escaped already.
    Digest,
}

/// The facts beside the message on which the transformation depends.
#[derive(Debug, Clone, Copy)]
pub struct RewriteContext<'a> {
    /// The list that the message was posted to.
    pub list: &'a List,
    /// `L@D` with the account's main domain.
    pub list_address: &'a EmailAddress,
    /// Name of the account.
    pub account: &'a str,
    /// The links of the account.
    pub links: &'a Links,
    /// Identifies the message in permalinks.
    pub message: MessageId,
    /// Whether From is rewritten although the list does not always do so.
    pub rewrite_from: bool,
    /// Whether the author's address belongs to a domain that this account signs for.
    pub from_is_ours: bool,
    /// Whether several members share one copy: nothing is personal, and no link acts at one click.
    pub batched: bool,
    /// Names that `${…}` may have in fronters and footers.
    pub custom_fields: &'a [&'a str],
    /// Who wrote the content, which decides what merge tags in it show.
    pub author: ContentAuthor<'a>,
    /// How people join the list on their own.
    pub subscriptions: Subscriptions,
    /// How members leave it on their own.
    pub unsubscriptions: Subscriptions,
    /// The language of the account, for what stands in the place of removed text.
    pub language: Language,
    /// When the message was accepted.
    pub accepted: Timestamp,
}

impl RewriteContext<'_> {
    /// The list's domain in the form of DNS, so that headers stay ASCII.
    pub(super) fn domain(&self) -> String {
        ascii(self.list_address.domain())
    }

    /// `L@D`, ASCII.
    pub(super) fn address(&self) -> String {
        format!("{}@{}", self.list_address.local(), self.domain())
    }

    /// `L-suffix@D`.
    pub(super) fn address_for(&self, suffix: &str) -> String {
        format!("{}-{suffix}@{}", self.list_address.local(), self.domain())
    }

    /// The link to the first of these addresses for requests that the list has: its name may leave no room for one.
    pub(super) fn mailto(&self, place: Place, suffixes: &[&str]) -> Option<String> {
        let has_room = |suffix: &&&str| self.list_address.local().len() + 1 + suffix.len() <= LOCAL_BYTES_MAX;
        let suffix = suffixes.iter().find(has_room).filter(|_| place.answers())?;
        Some(format!("mailto:{}", self.address_for(suffix)))
    }

    /// Where people join: by the page of the list, and by mail.
    pub(super) fn ways_to_join(&self) -> Vec<String> {
        if self.subscriptions == Subscriptions::Closed {
            return Vec::new();
        }
        let mailto = self.mailto(Place::SubscribeAddress, &["subscribe", "join"]);
        self.links.join(self.list).into_iter().chain(mailto).collect()
    }

    /// Where members of a shared copy leave: by the page of the list, and by mail. Where they do not leave on their own,
    /// their mail goes to those who look after the list.
    pub(super) fn ways_to_leave(&self) -> Vec<String> {
        let owner = || format!("mailto:{}?subject=unsubscribe", self.address_for("owner"));
        if self.unsubscriptions == Subscriptions::Closed {
            return vec![owner()];
        }
        let mailto = self.mailto(Place::UnsubscribeAddress, &["unsubscribe", "leave"]).unwrap_or_else(owner);
        self.links.leave(self.list).into_iter().chain([mailto]).collect()
    }

    /// The `List-Id` without description.
    pub(super) fn list_id(&self) -> String {
        list_id(self.list, &self.domain())
    }

    /// The page on which the message can be read.
    pub(super) fn permalink(&self) -> Option<String> {
        match self.author {
            ContentAuthor::Sender | ContentAuthor::Key { .. } => self.links.message(self.list, self.message),
            ContentAuthor::Digest => None,
        }
    }

    /// Whether merge tags in the content are filled in.
    pub(super) fn fills_merge_tags(&self) -> bool {
        self.list.merge_tags_enabled || self.author == ContentAuthor::Digest
    }

    /// Whether the link for leaving acts at one click; without TLS it may not say so (RFC 8058 3.1).
    pub(super) fn is_one_click(&self) -> bool {
        !self.batched && self.links.are_secure()
    }

    /// Whether From is rewritten; an address of a domain that we sign for never is.
    pub(super) fn rewrites_from(&self, inbound: &Inbound) -> bool {
        let is_list = |address: &EmailAddress| address.folded() == self.list_address.folded();
        (self.list.rewrite_sender || self.rewrite_from)
            && !self.from_is_ours
            && !inbound.from.as_ref().is_some_and(|from| is_list(&from.address))
    }

    /// Whether the author's address may stand in no header at all.
    pub(super) fn hides_author(&self, inbound: &Inbound) -> bool {
        self.list.original_sender_mode == OriginalSenderMode::Hide && self.rewrites_from(inbound)
    }
}

/// The Message-ID, without angle brackets, of a message that came without one: the same in every copy, and as
/// the archive knows it.
#[must_use]
pub fn made_message_id(message: MessageId, accepted: Timestamp, domain: &str) -> String {
    format!("{message}.{}@{}", accepted.ms(), ascii(domain))
}

/// A domain in the form of DNS.
fn ascii(domain: &str) -> String {
    idna::domain_to_ascii(domain).unwrap_or_else(|_| domain.to_owned())
}

/// `name.domain`: what identifies a list in `List-Id`.
#[must_use]
pub fn list_id(list: &List, domain: &str) -> String {
    format!("{}.{domain}", list.name).to_ascii_lowercase()
}
