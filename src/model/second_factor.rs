//! The second factor of an administrator's sign-in, with its recovery codes.
//!
//! `ops::accounts::factors` writes these records. Recovery codes and codes that were sent are stored as hashes. The
//! secret of an authenticator app is stored as it is, since codes are computed from it, and never shown by `Debug`.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::admin::MfaType;
use super::{AccountId, AdminId};
use crate::clock::Timestamp;

/// How long a code that was sent by text message works.
pub const SENT_CODE_WORKS_FOR: Duration = Duration::from_mins(10);

/// The secret that a server shares with an authenticator app: 160 bits (RFC 4226 4).
#[derive(Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TotpSecret(pub [u8; 20]);

impl fmt::Debug for TotpSecret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("TotpSecret")
    }
}

/// A way to prove more than a password.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Factor {
    /// Codes of an authenticator app (RFC 6238).
    Totp(TotpSecret),
    /// Codes by text message, to this number in E.164 form.
    Phone(String),
}

impl Factor {
    /// Its name in the API.
    #[must_use]
    pub fn kind(&self) -> MfaType {
        match self {
            Factor::Totp(_) => MfaType::Otp,
            Factor::Phone(_) => MfaType::Sms,
        }
    }
}

/// A code that was sent by text message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SentCode {
    /// Its SHA-256.
    pub hash: [u8; 32],
    /// When it stops working.
    pub expiry: Timestamp,
    /// Whether it was sent to the number that is being set up.
    pub is_of_setup: bool,
}

/// The second factor of an administrator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondFactor {
    /// The administrator.
    pub admin: AdminId,
    /// Its account; [`AccountId::SERVER`] for a global administrator.
    pub account: AccountId,
    /// The factor that is asked for; `None` while the first one is being set up.
    pub factor: Option<Factor>,
    /// A factor that is being set up, and counts for nothing yet.
    pub setup: Option<Factor>,
    /// The step of time whose code was taken last: that code, and older ones, are refused.
    pub step_used: u64,
    /// The code that was sent last, unless it was used.
    pub sent: Option<SentCode>,
    /// SHA-256 of each recovery code that is left.
    pub recovery: Vec<[u8; 32]>,
}

impl SecondFactor {
    /// An administrator without a factor.
    #[must_use]
    pub fn none(admin: AdminId, account: AccountId) -> SecondFactor {
        SecondFactor {
            admin,
            account,
            factor: None,
            setup: None,
            step_used: 0,
            sent: None,
            recovery: Vec::new(),
        }
    }
}
