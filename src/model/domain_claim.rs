//! Domains that an account claims as its own, and how the DNS proved them (`spec/api.md` 7, "Proof of a domain").
//!
//! `ops::accounts` writes both records and decides on proofs.

use serde::{Deserialize, Serialize};

use super::{AccountDomain, AccountId, DkimKeys, Domain, DomainClaimId, DomainId};
use crate::clock::Timestamp;

/// A domain that an account has added for itself and that is not proven yet.
///
/// It takes no mail and signs nothing, since it is no [`AccountDomain`]. Several accounts may
/// claim one name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DomainClaim {
    /// Service identifier.
    pub id: DomainClaimId,
    /// The account that claims the domain.
    pub account: AccountId,
    /// Its name in A-label form.
    pub name: Domain,
    /// The text that proves the claim as a TXT record of `_crier.` and the name.
    pub verification: String,
    /// When it was made.
    pub created: Timestamp,
    /// How often the DNS was asked automatically.
    pub checks: u32,
    /// When the DNS is asked next.
    pub next_check: Timestamp,
}

impl DomainClaim {
    /// The domain as it would be once proven, without keys: for checking its records in the DNS.
    #[must_use]
    pub fn unsigned(&self) -> AccountDomain {
        let keys = DkimKeys { selector: String::new(), rsa_pkcs8: Vec::new(), ed25519_pkcs8: Vec::new() };
        AccountDomain::new(DomainId(0), self.account, self.name.clone(), keys, self.created)
    }
}

/// How a domain that its account added was proven. A domain without such a record was created by the operator, and
/// needs no proof.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DomainProof {
    /// The domain.
    pub domain: DomainId,
    /// Its account.
    pub account: AccountId,
    /// The text of its TXT record.
    pub verification: String,
    /// The kind of record that proved it.
    pub way: ProofWay,
    /// When the record was seen.
    pub proven: Timestamp,
}

/// The ways to prove a domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum ProofWay {
    /// An MX record that names this server.
    Mx,
    /// The TXT record with the account's text.
    Txt,
}
