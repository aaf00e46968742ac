//! OAuth 2.0: applications, what people allowed them, and their access tokens; and whom providers of identities know.
//!
//! `ops::oauth` writes applications, grants and tokens, `ops::accounts::providers` the subjects of providers. Secrets,
//! codes and tokens are stored as hashes alone.

use std::collections::BTreeSet;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{
    AccountId, AdminId, OauthClientId, OauthGrantId, OauthTokenId, Permission, ProviderSubjectId, words,
};
use crate::clock::Timestamp;

/// How long a code works (`spec/api.md` 3).
pub const OAUTH_CODE_WORKS_FOR: Duration = Duration::from_mins(1);
/// How long an access token works.
pub const OAUTH_ACCESS_WORKS_FOR: Duration = Duration::from_hours(1);
/// How long a refresh token works.
pub const OAUTH_REFRESH_WORKS_FOR: Duration = Duration::from_hours(90 * 24);

words! {
    /// A scope: what a person can allow an application.
    OauthScope {
        /// To read, and nothing else.
        Read = "read",
        /// [`Permission::ManageMembers`].
        ManageMembers = "manage_members",
        /// [`Permission::ManageSettings`].
        ManageSettings = "manage_settings",
        /// [`Permission::ApproveMessages`].
        ApproveMessages = "approve_messages",
        /// [`Permission::SendMessages`].
        SendMessages = "send_messages",
        /// [`Permission::AccountAdmin`].
        AccountAdmin = "account_admin",
    }
}

impl OauthScope {
    /// The permission that an application gets; `None` if it only reads.
    #[must_use]
    pub fn permission(self) -> Option<Permission> {
        match self {
            OauthScope::Read => None,
            OauthScope::ManageMembers => Some(Permission::ManageMembers),
            OauthScope::ManageSettings => Some(Permission::ManageSettings),
            OauthScope::ApproveMessages => Some(Permission::ApproveMessages),
            OauthScope::SendMessages => Some(Permission::SendMessages),
            OauthScope::AccountAdmin => Some(Permission::AccountAdmin),
        }
    }
}

/// An application that the operator made known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OauthClient {
    /// Service identifier.
    pub id: OauthClientId,
    /// The identifier by which the application names itself.
    pub client_id: String,
    /// Its name, as people see it.
    pub name: String,
    /// The addresses to which browsers may be sent back.
    pub redirect_uris: Vec<String>,
    /// SHA-256 of its secret; `None` for a public one, which cannot keep a secret.
    pub secret_hash: Option<[u8; 32]>,
    /// When it was made.
    pub created: Timestamp,
}

/// The one-time code of a grant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OauthCode {
    /// SHA-256 of the code.
    pub hash: [u8; 32],
    /// The address to which the browser was sent back with it.
    pub redirect_uri: String,
    /// The challenge of PKCE (RFC 7636, `S256`).
    pub challenge: Option<String>,
    /// When it stops working.
    pub expiry: Timestamp,
    /// Whether it was used.
    pub is_used: bool,
}

/// The refresh token of a grant. Its text has two halves: one that all refresh tokens of the grant share, and one that
/// changes with each use. A token with the right first half and a wrong second one is an old one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OauthRefresh {
    /// SHA-256 of the half that stays.
    pub family_hash: [u8; 32],
    /// SHA-256 of the half that changes.
    pub current_hash: [u8; 32],
    /// When it stops working.
    pub expiry: Timestamp,
}

/// A person's permission for an application: the family of all tokens that follow from one consent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OauthGrant {
    /// Service identifier.
    pub id: OauthGrantId,
    /// The account of the person; [`AccountId::SERVER`] for a global administrator.
    pub account: AccountId,
    /// The person.
    pub admin: AdminId,
    /// The application.
    pub client: OauthClientId,
    /// The scopes that were allowed.
    pub scopes: BTreeSet<OauthScope>,
    /// The code that the application got.
    pub code: OauthCode,
    /// The refresh token; `None` until the code is used.
    pub refresh: Option<OauthRefresh>,
    /// When it was allowed.
    pub created: Timestamp,
    /// When the application last got tokens.
    pub last_use: Timestamp,
}

impl OauthGrant {
    /// When it ends unless it is used before.
    #[must_use]
    pub fn due(&self) -> Timestamp {
        self.refresh.as_ref().map_or(self.code.expiry, |refresh| refresh.expiry)
    }
}

/// The proof that a person gave the password, or came anew from its provider, shortly before it allowed an application
/// `account_admin`. Without one, which is so for grants that are older than this record, the application makes nobody
/// powerful: no keys and no administrators.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OauthProof {
    /// The grant.
    pub grant: OauthGrantId,
    /// The account of the grant.
    pub account: AccountId,
    /// When the person proved the identity.
    pub proven: Timestamp,
}

/// An access token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OauthToken {
    /// Service identifier.
    pub id: OauthTokenId,
    /// The account of its grant.
    pub account: AccountId,
    /// Its grant.
    pub grant: OauthGrantId,
    /// SHA-256 of the token.
    pub hash: [u8; 32],
    /// The scopes of the grant, or some of them.
    pub scopes: BTreeSet<OauthScope>,
    /// When it stops working.
    pub expiry: Timestamp,
}

/// The person whom a provider of identities knows by a subject. It is bound at the first sign-in, and alone counts from
/// then on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderSubject {
    /// Service identifier.
    pub id: ProviderSubjectId,
    /// The account of the person; [`AccountId::SERVER`] for a global administrator.
    pub account: AccountId,
    /// The person.
    pub admin: AdminId,
    /// The issuer: the provider's own name for itself.
    pub issuer: String,
    /// The provider's name for the person.
    pub subject: String,
    /// When it was bound.
    pub since: Timestamp,
}
