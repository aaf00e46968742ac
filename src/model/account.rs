//! Accounts (the tenants), their settings and their domains.
//!
//! `ops::accounts` writes these records. Every other record belongs to one account, except those of the whole server.

mod fields;

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use super::fields::{Plain, Setting, record};
use super::{AccountId, Domain, DomainId, Language, words};
use crate::clock::Timestamp;

pub use fields::Topic;
pub(crate) use fields::account_fields;

/// Contacts an account may have unless its operator says otherwise (`spec/api.md` 3).
pub const CONTACTS_MAX_DEFAULT: u64 = 10_000;
/// Objects an hour that an account may read or change, as a multiple of its address book (seed, "Limits").
const OBJECTS_PER_CONTACT: u64 = 3;

/// A tenant: everything else belongs to one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// Service identifier.
    pub id: AccountId,
    /// Unique on the server, with the characters of a list name.
    pub name: String,
    /// Free text.
    pub description: String,
    /// When it was made.
    pub created: Timestamp,
    /// The settings that its administrators make through the API.
    pub settings: AccountSettings,
    /// Whether custom identifiers name contacts in API calls.
    pub ccid_enabled: bool,
    /// Size of the address book, in contacts; also the base of the rate ceiling.
    pub contacts_max: u64,
    /// The custom fields that its contacts have beside the built-in ones.
    pub custom_fields: Vec<CustomField>,
    /// The number of custom fields ever created, which is the number of the newest one.
    pub fields_made: u32,
    /// Deleted custom fields of which contacts may still have values.
    pub leaving_fields: Vec<CustomFieldId>,
}

impl Account {
    /// An account with the document's defaults.
    #[must_use]
    pub fn new(id: AccountId, name: String, created: Timestamp) -> Account {
        Account {
            id,
            name,
            description: String::new(),
            created,
            settings: AccountSettings::default(),
            ccid_enabled: false,
            contacts_max: CONTACTS_MAX_DEFAULT,
            custom_fields: Vec::new(),
            fields_made: 0,
            leaving_fields: Vec::new(),
        }
    }

    /// The account's name as people see it: its description if there is one, else its name.
    #[must_use]
    pub fn title(&self) -> &str {
        if self.description.is_empty() { &self.name } else { &self.description }
    }

    /// What the audit log tells of it: its names, and its settings.
    #[must_use]
    pub fn told(&self) -> Vec<Setting<'_, Topic>> {
        let text = |text| Plain::Text(Cow::Borrowed(text));
        let setting = |name, value| Setting { name, topic: Topic::Texts, value };
        let mut told =
            vec![setting("name", text(&self.name)), setting("description", text(&self.description))];
        told.extend(self.settings.values());
        told
    }

    /// Objects that it may read or change in an hour.
    #[must_use]
    pub fn objects_per_hour(&self) -> u64 {
        self.contacts_max.saturating_mul(OBJECTS_PER_CONTACT)
    }
}

/// The deletion of an account, kept until everything that belonged to it is deleted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountDeletion {
    /// The account; its record, and with it its name, is gone already.
    pub account: AccountId,
    /// When it was deleted.
    pub since: Timestamp,
}

account_fields! { record
    /// The settings of an account (seed, "Account").
    AccountSettings, SettingsChanges
}

impl Default for AccountSettings {
    /// The defaults of `spec/api.md` 9.
    fn default() -> AccountSettings {
        AccountSettings::new()
    }
}

words! {
    /// When administrators are told of messages that wait for approval.
    NotifyApproval {
        /// Never.
        None = "none",
        /// At each message.
        Each = "each",
        /// Once a day.
        Daily = "daily",
    }
}

words! {
    /// How people join or leave a list on their own.
    Subscriptions {
        /// They can, once they have confirmed.
        Open = "open",
        /// They can, once they have confirmed and an administrator has approved.
        OpenConfirm = "open+confirm",
        /// They cannot.
        Closed = "closed",
    }
}

/// Identifies a custom field within its account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct CustomFieldId(pub u32);

/// A field of an account's contacts beside the built-in ones.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CustomField {
    /// Never reused within the account.
    pub id: CustomFieldId,
    /// Its full name.
    pub name: String,
    /// The identifier by which API calls name it, if it has one.
    pub identifier: Option<String>,
}

impl CustomField {
    /// The key of the field in API objects: its identifier if defined, otherwise its name.
    #[must_use]
    pub fn key(&self) -> &str {
        self.identifier.as_deref().unwrap_or(&self.name)
    }
}

/// A domain whose mail an account receives and signs for.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccountDomain {
    /// Service identifier.
    pub id: DomainId,
    /// The account it belongs to.
    pub account: AccountId,
    /// Its name, unique on the server.
    pub name: Domain,
    /// Whether list addresses are made with it; true for exactly one domain of an account.
    pub is_main: bool,
    /// Whether links lead to it.
    pub is_web: bool,
    /// The keys that sign its mail.
    pub dkim: DkimKeys,
    /// Keys that replace `dkim` once their records are published.
    pub next_keys: Option<NextKeys>,
    /// Keys that were in use until lately, the oldest first: mail signed with them may still be under way.
    pub old_keys: Vec<OldKeys>,
    /// When it was made.
    pub created: Timestamp,
}

impl AccountDomain {
    /// A domain with its first keys.
    #[must_use]
    pub fn new(
        id: DomainId,
        account: AccountId,
        name: Domain,
        dkim: DkimKeys,
        created: Timestamp,
    ) -> AccountDomain {
        AccountDomain {
            id,
            account,
            name,
            is_main: false,
            is_web: false,
            dkim,
            next_keys: None,
            old_keys: Vec::new(),
            created,
        }
    }
}

/// Keys whose records the operator is to publish.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NextKeys {
    /// The keys, under a selector that was never used before.
    pub keys: DkimKeys,
    /// When they were made.
    pub made: Timestamp,
    /// When the DNS is asked for their records next.
    pub look: Timestamp,
}

/// Keys that sign nothing any more.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OldKeys {
    /// The keys.
    pub keys: DkimKeys,
    /// When their records may be removed from the DNS; the keys are deleted then.
    pub until: Timestamp,
}

/// The private keys of a domain and the selector under which their public halves are published.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DkimKeys {
    /// Label below `_domainkey` of the RSA key; the Ed25519 key's has `-ed` behind it.
    pub selector: String,
    /// RSA-2048 as PKCS#8 DER.
    #[serde(with = "serde_bytes")]
    pub rsa_pkcs8: Vec<u8>,
    /// Ed25519 as PKCS#8 DER.
    #[serde(with = "serde_bytes")]
    pub ed25519_pkcs8: Vec<u8>,
}

impl std::fmt::Debug for DkimKeys {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "DkimKeys({})", self.selector)
    }
}

impl std::fmt::Debug for AccountDomain {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "AccountDomain({}, {})", self.id, self.name)
    }
}
