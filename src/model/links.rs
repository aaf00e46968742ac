//! The links to the pages of an account, and what links and header fields may name at all.
//!
//! Every link of a page or a mail is made here. `ops::domains::links` decides what the links of an account begin with.

use std::fmt;
use std::sync::Arc;

use super::{ContactId, Domain, List, MessageId};

/// A page or an address that a link or a header field of a mail can name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// The page of a list.
    List,
    /// The form by which people join and leave a list.
    Join,
    /// A thread in the archive of a list.
    Thread,
    /// A message in the archive of a list.
    Message,
    /// The page on which a request is confirmed.
    Confirm,
    /// The page on which members manage themselves.
    Members,
    /// `L-help@D`.
    HelpAddress,
    /// `L-subscribe@D`.
    SubscribeAddress,
    /// `L-unsubscribe@D`.
    UnsubscribeAddress,
}

impl Place {
    /// Every place.
    pub const ALL: [Place; 9] = [
        Place::List,
        Place::Join,
        Place::Thread,
        Place::Message,
        Place::Confirm,
        Place::Members,
        Place::HelpAddress,
        Place::SubscribeAddress,
        Place::UnsubscribeAddress,
    ];

    /// Whether the server answers there. Mail names no other place: what cannot be made a link of is left out. Whoever
    /// builds one of these says `true` here, and every mail names it from then on.
    #[must_use]
    pub const fn answers(self) -> bool {
        match self {
            Place::List
            | Place::Join
            | Place::Thread
            | Place::Message
            | Place::Confirm
            | Place::Members
            | Place::HelpAddress
            | Place::SubscribeAddress
            | Place::UnsubscribeAddress => true,
        }
    }
}

/// Makes the links to the pages of one account. It is made once for a batch, a system mail or a page; clones are cheap.
#[derive(Clone, PartialEq, Eq)]
pub struct Links {
    /// `https://lists.example.org` or `https://example.net/~account`, without a slash at the end.
    base: Arc<str>,
    /// The base, and what else the personal links of the account begin with in mail that was sent before.
    known: Arc<[String]>,
}

impl fmt::Debug for Links {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Links({})", self.base)
    }
}

impl Links {
    /// Links that begin with `base`, which has no slash at its end. Those of mail that was sent before begin with one of
    /// `earlier`.
    #[must_use]
    pub fn new(base: String, earlier: impl IntoIterator<Item = String>) -> Links {
        let mut known = vec![base.clone()];
        for other in earlier {
            if !known.contains(&other) {
                known.push(other);
            }
        }
        Links { base: base.into(), known: known.into() }
    }

    /// Links to pages at the host of a domain, over TLS.
    #[must_use]
    pub fn base_at(domain: &Domain) -> String {
        format!("https://{}", domain.as_str())
    }

    /// The beginning of the links, without a slash at the end.
    #[must_use]
    pub fn base(&self) -> &str {
        &self.base
    }

    /// The beginnings of the account's personal links, today's first: in mail that is quoted, they are taken out.
    #[must_use]
    pub fn known_bases(&self) -> &[String] {
        &self.known
    }

    /// Whether the links are of HTTPS.
    #[must_use]
    pub fn are_secure(&self) -> bool {
        self.base.get(.."https://".len()).is_some_and(|scheme| scheme.eq_ignore_ascii_case("https://"))
    }

    /// Where a member leaves a list.
    #[must_use]
    pub fn unsubscribe(&self, token: &str) -> String {
        self.with_token("unsubscribe", token)
    }

    /// Where a moderator decides about a message.
    #[must_use]
    pub fn moderate(&self, token: &str) -> String {
        self.with_token("moderate", token)
    }

    /// Where an administrator chooses a password.
    #[must_use]
    pub fn password(&self, token: &str) -> String {
        self.with_token("password", token)
    }

    /// Where an administrator asks for a link to choose another password.
    #[must_use]
    pub fn forgotten(&self) -> String {
        format!("{}/login/forgotten/", self.base())
    }

    /// Where an administrator unlocks the address after wrong passwords.
    #[must_use]
    pub fn unlock(&self, token: &str) -> String {
        self.with_token("login/unlock", token)
    }

    /// An administrator's page of a person.
    #[must_use]
    pub fn person(&self, contact: ContactId) -> String {
        format!("{}/admin/people/{contact}/", self.base())
    }

    /// Where the reader of a probe says that mail arrives.
    #[must_use]
    pub fn resume(&self, token: &str) -> String {
        self.with_token("resume", token)
    }

    /// Where a request is confirmed; `None` as long as there is no such page.
    #[must_use]
    pub fn confirm(&self, token: &str) -> Option<String> {
        Place::Confirm.answers().then(|| self.with_token("confirm", token))
    }

    /// Where members manage themselves; `None` as long as there is no such page.
    #[must_use]
    pub fn members(&self) -> Option<String> {
        Place::Members.answers().then(|| format!("{}/members/", self.base))
    }

    /// Where a member signs in by a mailed link.
    #[must_use]
    pub fn sign_in(&self, token: &str) -> String {
        self.with_token("members/in", token)
    }

    /// The page of a list; `None` as long as there is no such page.
    #[must_use]
    pub fn list(&self, list: &List) -> Option<String> {
        Place::List.answers().then(|| self.below_list(list, format_args!("")))
    }

    /// Where people join and leave a list; `None` as long as there is no such page.
    #[must_use]
    pub fn join(&self, list: &List) -> Option<String> {
        Place::Join.answers().then(|| self.below_list(list, format_args!("join/")))
    }

    /// Where people leave a list without a link of their own; `None` as long as there is no such page.
    #[must_use]
    pub fn leave(&self, list: &List) -> Option<String> {
        Place::Join.answers().then(|| self.below_list(list, format_args!("join/?action=unsubscribe")))
    }

    /// The archive of a list, which is on its page; `None` if it has none, and as long as pages show no threads.
    #[must_use]
    pub fn archive(&self, list: &List) -> Option<String> {
        let is_there = Place::Thread.answers() && list.archive_enabled;
        self.list(list).filter(|_| is_there)
    }

    /// A thread in the archive of a list, by its first message; `None` where [`archive`](Links::archive) is.
    #[must_use]
    pub fn thread(&self, list: &List, thread: MessageId) -> Option<String> {
        let is_there = Place::Thread.answers() && list.archive_enabled;
        is_there.then(|| self.below_list(list, format_args!("threads/{thread}/")))
    }

    /// The permalink of a message; `None` where [`archive`](Links::archive) is.
    #[must_use]
    pub fn message(&self, list: &List, message: MessageId) -> Option<String> {
        let is_there = Place::Message.answers() && list.archive_enabled;
        is_there.then(|| self.below_list(list, format_args!("messages/{message}/")))
    }

    fn with_token(&self, page: &str, token: &str) -> String {
        format!("{}/{page}/{token}/", self.base)
    }

    fn below_list(&self, list: &List, path: fmt::Arguments<'_>) -> String {
        format!("{}/lists/{}/{path}", self.base, list.name)
    }
}
