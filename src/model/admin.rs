//! Administrators, their permissions and their keys.
//!
//! `ops::accounts` writes these records. Neither passwords nor keys are stored, only their hashes.

use std::collections::BTreeSet;
use std::fmt;
use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use super::{AccountId, AdminId, ApiKeyId, CustomFieldId, EmailAddress, ListId, words};
use crate::clock::Timestamp;

words! {
    /// A permission of an administrator (`spec/api.md` 3).
    Permission {
        /// Account settings, administrators, and the next four.
        AccountAdmin = "account_admin",
        /// Lists, aliases and their settings.
        ManageSettings = "manage_settings",
        /// Contacts, emails and memberships.
        ManageMembers = "manage_members",
        /// Held messages and pending members.
        ApproveMessages = "approve_messages",
        /// Sending messages.
        SendMessages = "send_messages",
        /// Activates `limit_metadata`.
        LimitMetadata = "limit_metadata",
        /// Activates `limit_lists`.
        LimitLists = "limit_lists",
    }
}

words! {
    /// An event of which an administrator can be told by mail.
    Notification {
        /// A message waits for approval.
        HeldMessage = "held_message",
        /// A person waits for approval.
        PendingMember = "pending_member",
        /// A list waits for approval.
        PendingList = "pending_list",
        /// Somebody joined.
        MemberJoined = "member_joined",
        /// Somebody left.
        MemberLeft = "member_left",
        /// An address bounced.
        Bounce = "bounce",
        /// A member complained.
        Complaint = "complaint",
        /// Mail cannot be delivered.
        DeliveryProblem = "delivery_problem",
        /// A sign-in or key needs attention.
        Security = "security",
    }
}

words! {
    /// The second factor of a person's sign-in.
    MfaType {
        /// A time-based code (RFC 6238).
        Otp = "otp",
        /// A code sent to a telephone.
        Sms = "sms",
    }
}

/// A person or a program that administers an account, or the whole server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Admin {
    /// Service identifier.
    pub id: AdminId,
    /// The account; `None` for a global administrator.
    pub account: Option<AccountId>,
    /// The address of a person; `None` for a program's key.
    pub username: Option<EmailAddress>,
    /// The purpose of the key (version 2 keys only).
    pub description: String,
    /// First name.
    pub firstname: String,
    /// Surname.
    pub surname: String,
    /// Argon2id hash of a person's password, once chosen.
    pub password_hash: Option<String>,
    /// Networks from which the key may be used; anywhere when empty.
    pub cidr: Vec<Cidr>,
    /// Whether the account's image is shown for this administrator.
    pub custom_image: bool,
    /// Second factor.
    pub mfa_type: Option<MfaType>,
    /// The API version the administrator is for: 0 or 2.
    pub api: u8,
    /// Name of the provider by which this person signs in.
    pub authn_provider: Option<String>,
    /// The events that are mailed to this administrator.
    pub notifications: BTreeSet<Notification>,
    /// The permissions of this administrator.
    pub permissions: BTreeSet<Permission>,
    /// Custom fields it is limited to, while [`Permission::LimitMetadata`] is set.
    pub limit_metadata: Vec<CustomFieldId>,
    /// Lists it is limited to, while [`Permission::LimitLists`] is set.
    pub limit_lists: Vec<ListId>,
    /// When it was made.
    pub created: Timestamp,
}

impl Admin {
    /// An administrator without an address, a name, permissions or limits.
    #[must_use]
    pub fn new(id: AdminId, account: Option<AccountId>, api: u8, created: Timestamp) -> Admin {
        Admin {
            id,
            account,
            username: None,
            description: String::new(),
            firstname: String::new(),
            surname: String::new(),
            password_hash: None,
            cidr: Vec::new(),
            custom_image: false,
            mfa_type: None,
            api,
            authn_provider: None,
            notifications: BTreeSet::new(),
            permissions: BTreeSet::new(),
            limit_metadata: Vec::new(),
            limit_lists: Vec::new(),
            created,
        }
    }

    /// The account; [`AccountId::SERVER`] for a global administrator.
    #[must_use]
    pub fn account_or_server(&self) -> AccountId {
        self.account.unwrap_or(AccountId::SERVER)
    }
}

/// The stored half of an API key: its hash, never the key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ApiKey {
    /// Service identifier.
    pub id: ApiKeyId,
    /// The administrator it acts as.
    pub admin: AdminId,
    /// That administrator's account; `None` for a global key.
    pub account: Option<AccountId>,
    /// SHA-256 of the key.
    pub hash: [u8; 32],
    /// When it stops working.
    pub expiry: Option<Timestamp>,
    /// When it was made.
    pub created: Timestamp,
}

/// The error for a text that is no network.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("must be an address or a network such as 192.0.2.0/24 or 2001:db8::/32")]
pub struct CidrError;

/// A network of IPv4 or IPv6 addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cidr {
    network: IpAddr,
    prefix_bits: u8,
}

impl Cidr {
    /// Reads `192.0.2.0/24`, `2001:db8::/32` or a single address.
    pub fn parse(text: &str) -> Result<Cidr, CidrError> {
        let (address, prefix) = match text.trim().split_once('/') {
            Some((address, prefix)) => (address, Some(prefix)),
            None => (text.trim(), None),
        };
        let network: IpAddr = address.parse().map_err(|_| CidrError)?;
        let bits_max = if network.is_ipv4() { 32 } else { 128 };
        let prefix_bits = match prefix {
            Some(digits) if digits.bytes().all(|byte| byte.is_ascii_digit()) => {
                digits.parse().map_err(|_| CidrError)?
            }
            Some(_) => return Err(CidrError),
            None => bits_max,
        };
        if bits_max < prefix_bits { Err(CidrError) } else { Ok(Cidr { network, prefix_bits }) }
    }

    /// Whether `address` lies in the network; an IPv4 address mapped into IPv6 counts as IPv4.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        match (self.network, address.to_canonical()) {
            (IpAddr::V4(network), IpAddr::V4(address)) => {
                let shift = 32 - u32::from(self.prefix_bits);
                let mask = u32::MAX.checked_shl(shift).unwrap_or(0);
                u32::from(network) & mask == u32::from(address) & mask
            }
            (IpAddr::V6(network), IpAddr::V6(address)) => {
                let shift = 128 - u32::from(self.prefix_bits);
                let mask = u128::MAX.checked_shl(shift).unwrap_or(0);
                u128::from(network) & mask == u128::from(address) & mask
            }
            _ => false,
        }
    }
}

impl fmt::Display for Cidr {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}/{}", self.network, self.prefix_bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(network: &str, address: &str, expected: bool) {
        let network = Cidr::parse(network).unwrap();
        assert_eq!(network.contains(address.parse().unwrap()), expected, "{address} in {network}");
    }

    #[test]
    fn a_network_contains_the_addresses_of_its_prefix() {
        check("192.0.2.0/24", "192.0.2.255", true);
        check("192.0.2.0/24", "192.0.3.0", false);
        check("192.0.2.7", "192.0.2.7", true);
        check("0.0.0.0/0", "203.0.113.9", true);
        check("2001:db8::/32", "2001:db8:1::1", true);
        check("::/0", "2001:db8::1", true);
        check("2001:db8::/32", "192.0.2.1", false);
        check("192.0.2.0/24", "::ffff:192.0.2.9", true);
    }

    #[test]
    fn what_is_no_network_is_refused() {
        for text in ["", "x", "192.0.2.0/33", "2001:db8::/129", "192.0.2.0/", "192.0.2.0/+8", "192.0.2/24"] {
            assert_eq!(Cidr::parse(text), Err(CidrError), "{text}");
        }
    }
}
