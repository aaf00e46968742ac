//! Mailing lists, their settings and aliases.
//!
//! `ops::lists` writes these records; posting, delivery and the archive read the settings. Names are parsed here;
//! addresses and permissions are checked elsewhere.

mod fields;

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::account::{NotifyApproval, Subscriptions};
use super::fields::{Plain, Value, record};
use super::{AccountId, AliasId, EmailAddress, ListId, words};
use crate::clock::Timestamp;

pub use fields::Topic;
pub(crate) use fields::list_fields;

/// Longest list, alias or account name in characters (seed, "Limits").
pub const NAME_CHARS_MAX: usize = 64;
/// Longest custom list identifier in characters.
pub const CLID_CHARS_MAX: usize = 48;
/// Largest message that a list may take, in KB of 1024 bytes.
pub const MAXLENGTH_KB_MAX: u32 = 51_200;
/// The limit of a new list, in KB of 1024 bytes.
pub const MAXLENGTH_KB_DEFAULT: u32 = 4096;
/// Local parts with a fixed meaning, which no list may have (`spec/api.md` 5).
const RESERVED_NAMES: [&str; 7] =
    ["postmaster", "abuse", "mailer-daemon", "root", "noreply", "bounces", "confirm"];

/// The reason why a text is no name of a list, an alias or an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// The text is empty.
    #[error("a name is needed")]
    Empty,
    /// Longer than [`NAME_CHARS_MAX`].
    #[error("must have at most 64 characters")]
    Length,
    /// A character beyond the four kinds, or a period where an address could not have one.
    #[error(
        "may have letters a-z, digits, underscores, periods and hyphens, and no period first, last or twice"
    )]
    Character,
    /// One of the names that are reserved on every mail system.
    #[error("is reserved: every mail server needs this name for itself; choose another one")]
    Reserved,
}

/// The name of a list or alias: the local part of its address.
///
/// Invariant: 1 to 64 of `[0-9A-Za-z_.-]`, dots only between others (it is a local part), not reserved.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ListName(String);

impl ListName {
    /// Reads a name; its case is kept, and is ignored when names are compared.
    pub fn parse(text: &str) -> Result<ListName, NameError> {
        check_name(text)?;
        if RESERVED_NAMES.contains(&text.to_ascii_lowercase().as_str()) {
            return Err(NameError::Reserved);
        }
        Ok(ListName(text.to_owned()))
    }

    /// The name as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The form in which names are compared.
    #[must_use]
    pub fn folded(&self) -> String {
        self.0.to_ascii_lowercase()
    }
}

impl fmt::Display for ListName {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl Value for ListName {
    fn plain(&self) -> Plain<'_> {
        Plain::Text(Cow::Borrowed(&self.0))
    }
}

/// A list is named by its name, which whoever shows it looks up; this is its number.
impl Value for ListId {
    fn plain(&self) -> Plain<'_> {
        Plain::Number(self.0)
    }
}

/// The rules that names of lists, aliases and accounts share.
pub fn check_name(text: &str) -> Result<(), NameError> {
    if text.is_empty() {
        return Err(NameError::Empty);
    }
    if NAME_CHARS_MAX < text.chars().count() {
        return Err(NameError::Length);
    }
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    if !text.chars().all(allowed) || text.split('.').any(str::is_empty) {
        return Err(NameError::Character);
    }
    Ok(())
}

/// The senders who may post: bits that can be combined (`spec/api.md` 5).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moderate(u8);

/// The reason why a number is no combination of posting restrictions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ModerateError {
    /// Bits beyond the five.
    #[error("must be from 0 to 31")]
    Range,
    /// 2 without 4 or 8 lets nobody post; 4 or 8 without 2 restricts nothing.
    #[error("2 (only specific senders) needs 4 (members of lists) or 8 (allowed addresses), and they need 2")]
    Combination,
}

impl Moderate {
    /// Every message is held for approval.
    pub const HOLD_ALL: u8 = 1;
    /// Only specific senders may post.
    pub const SPECIFIC_SENDERS: u8 = 2;
    /// Namely members of the lists in `restrict_post_lists`.
    pub const LISTS: u8 = 4;
    /// Namely the addresses in `restrict_post_allowed_emails`.
    pub const ALLOWED_EMAILS: u8 = 8;
    /// Addresses in `restrict_post_banned_emails` are refused.
    pub const BANNED_EMAILS: u8 = 16;

    /// Checks a combination of bits.
    pub fn from_bits(bits: u8) -> Result<Moderate, ModerateError> {
        if 31 < bits {
            return Err(ModerateError::Range);
        }
        let names_senders = bits & (Moderate::LISTS | Moderate::ALLOWED_EMAILS) != 0;
        if (bits & Moderate::SPECIFIC_SENDERS != 0) != names_senders {
            return Err(ModerateError::Combination);
        }
        Ok(Moderate(bits))
    }

    /// The number that the API shows.
    #[must_use]
    pub fn bits(self) -> u8 {
        self.0
    }

    /// Whether `bit` is part of the combination.
    #[must_use]
    pub fn has(self, bit: u8) -> bool {
        self.0 & bit != 0
    }
}

words! {
    /// The usual answers to who may write to a list, each of which stands for bits of [`Moderate`].
    WhoWrites {
        /// Everybody.
        Everybody = "everybody",
        /// Members of the list.
        Members = "members",
        /// Members of the list, and each message waits for approval.
        ApprovedMembers = "members-approved",
        /// The addresses in `restrict_post_allowed_emails`.
        Addresses = "addresses",
        /// Nobody without approval.
        Moderators = "moderators",
        /// Members of the list, and the addresses in `restrict_post_allowed_emails`.
        MembersAndAddresses = "members-addresses",
        /// The same, and each message waits for approval.
        ApprovedMembersAndAddresses = "members-addresses-approved",
    }
}

impl WhoWrites {
    const fn bits(self) -> u8 {
        match self {
            WhoWrites::Everybody => 0,
            WhoWrites::Members => Moderate::SPECIFIC_SENDERS | Moderate::LISTS,
            WhoWrites::ApprovedMembers => Moderate::HOLD_ALL | Moderate::SPECIFIC_SENDERS | Moderate::LISTS,
            WhoWrites::Addresses => Moderate::SPECIFIC_SENDERS | Moderate::ALLOWED_EMAILS,
            WhoWrites::Moderators => Moderate::HOLD_ALL,
            WhoWrites::MembersAndAddresses => {
                Moderate::SPECIFIC_SENDERS | Moderate::LISTS | Moderate::ALLOWED_EMAILS
            }
            WhoWrites::ApprovedMembersAndAddresses => {
                Moderate::HOLD_ALL | WhoWrites::MembersAndAddresses.bits()
            }
        }
    }
}

impl Moderate {
    /// The bits of an answer; `is_banning` refuses the banned addresses besides.
    #[must_use]
    pub const fn of(who: WhoWrites, is_banning: bool) -> Moderate {
        Moderate(who.bits()).banning(is_banning)
    }

    /// The same, with or without the refusal of the banned addresses.
    #[must_use]
    pub const fn banning(self, is_banning: bool) -> Moderate {
        let others = self.0 & !Moderate::BANNED_EMAILS;
        Moderate(if is_banning { others | Moderate::BANNED_EMAILS } else { others })
    }
}

impl Value for Moderate {
    fn plain(&self) -> Plain<'_> {
        Plain::Number(u64::from(self.0))
    }
}

words! {
    /// The treatment of a message that the posting restrictions forbid.
    MessageRejections {
        /// It is held for approval.
        Hold = "hold",
        /// It is sent back.
        Reject = "reject",
        /// It is dropped silently.
        Discard = "discard",
    }
}

words! {
    /// Where the author is named when From is rewritten.
    OriginalSenderMode {
        /// In Reply-To.
        ReplyTo = "reply_to",
        /// In Cc.
        Cc = "cc",
        /// In a line at the top of the text.
        Notice = "notice",
        /// Nowhere.
        Hide = "hide",
    }
}

words! {
    /// The other members that a member can view, and how much of them.
    Memberview or "" {
        /// Names of this list's members.
        NoEmail = "noemail",
        /// Names and addresses of this list's members.
        WithEmail = "withemail",
        /// Names of all members.
        AllNoEmail = "all-noemail",
        /// Names and addresses of all members.
        AllWithEmail = "all-withemail",
    }
}

list_fields! { record
    /// A mailing list with its settings, under the names of the API's document.
    List, ListChanges
}

impl List {
    /// Largest message in bytes.
    #[must_use]
    pub fn maxlength_bytes(&self) -> u64 {
        u64::from(self.maxlength) * 1024
    }

    /// Who may write, if one of the usual answers says it; `None` for any other combination of bits and lists.
    #[must_use]
    pub fn who_writes(&self) -> Option<WhoWrites> {
        let bits = self.moderate.banning(false);
        let is_own = self.restrict_post_lists == [self.id];
        let known = WhoWrites::ALL.iter().copied().find(|who| who.bits() == bits.0);
        known.filter(|_| is_own || !bits.has(Moderate::LISTS))
    }

    /// The list's name as people see it: its description if there is one, else its name.
    #[must_use]
    pub fn title(&self) -> &str {
        if self.description.is_empty() { self.name.as_str() } else { &self.description }
    }
}

/// An address that forwards to other addresses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alias {
    /// Service identifier.
    pub id: AliasId,
    /// The account it belongs to.
    pub account: AccountId,
    /// Its local part.
    pub source: ListName,
    /// The 1 to 20 addresses that its mail goes to.
    pub destination: Vec<EmailAddress>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_the_characters_of_the_document() {
        for text in ["news", "News-2.b_c", "a", &"x".repeat(64)] {
            assert_eq!(ListName::parse(text).map(|name| name.0), Ok(text.to_owned()));
        }
        assert_eq!(ListName::parse(""), Err(NameError::Empty));
        assert_eq!(ListName::parse(&"x".repeat(65)), Err(NameError::Length));
        for text in ["a b", "a@b", "é", "a+b", ".a", "a.", "a..b", "a/b"] {
            assert_eq!(ListName::parse(text), Err(NameError::Character), "{text}");
        }
    }

    #[test]
    fn reserved_names_are_refused_in_any_case() {
        for text in RESERVED_NAMES {
            assert_eq!(ListName::parse(&text.to_uppercase()), Err(NameError::Reserved));
        }
    }

    #[test]
    fn the_usual_answers_are_combinations_and_leave_banned_addresses_banned() {
        for who in WhoWrites::ALL {
            for is_banning in [false, true] {
                let moderate = Moderate::of(*who, is_banning);
                assert_eq!(Moderate::from_bits(moderate.bits()), Ok(moderate), "{who:?}");
                assert_eq!(moderate.has(Moderate::BANNED_EMAILS), is_banning, "{who:?}");
                let name = ListName::parse("news").unwrap();
                let mut list = List::new(ListId(7), AccountId::SERVER, name, Timestamp::default());
                list.moderate = moderate;
                assert_eq!(list.who_writes(), Some(*who));
                list.restrict_post_lists = vec![ListId(7), ListId(8)];
                let is_of_lists = moderate.has(Moderate::LISTS);
                assert_eq!(list.who_writes(), Some(*who).filter(|_| !is_of_lists), "other lists: {who:?}");
            }
        }
    }

    #[test]
    fn posting_restrictions_combine_as_the_document_says() {
        for bits in 0..=u8::MAX {
            let specific = bits & 0b10 != 0;
            let named = bits & 0b1100 != 0;
            let expected = match bits {
                32.. => Err(ModerateError::Range),
                _ if specific != named => Err(ModerateError::Combination),
                _ => Ok(bits),
            };
            assert_eq!(Moderate::from_bits(bits).map(Moderate::bits), expected, "{bits}");
        }
    }
}
