//! Domains that wait for their proof, how others were proven, and which domains lie below others.

use super::of;
use crate::model::{AccountDomain, Domain, DomainClaim, DomainProof};
use crate::store::{Entity, Index, Key};

impl Entity for DomainClaim {
    const TABLE: &'static str = "domain_claim";
    const INDEXES: &'static [&'static Index<DomainClaim>] =
        &[&DOMAIN_CLAIM_BY_ACCOUNT, &DOMAIN_CLAIM_BY_NAME, &DOMAIN_CLAIM_BY_NEXT_CHECK];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        self.account.0
    }
}

/// The claims of an account; it claims a name once.
pub static DOMAIN_CLAIM_BY_ACCOUNT: Index<DomainClaim> =
    Index::unique("domain_claim.by_account", |claim| vec![of(claim.account).text(claim.name.as_str())]);

/// Who else claims a name; read by the server itself.
pub static DOMAIN_CLAIM_BY_NAME: Index<DomainClaim> =
    Index::multi("domain_claim.by_name", |claim| vec![Key::new().text(claim.name.as_str())]);

/// When the DNS is asked for a proof, the earliest first; read by the server itself.
pub static DOMAIN_CLAIM_BY_NEXT_CHECK: Index<DomainClaim> =
    Index::multi("domain_claim.by_next_check", |claim| vec![Key::new().u64(claim.next_check.key())]);

impl Entity for DomainProof {
    const TABLE: &'static str = "domain_proof";
    // It is kept under the number of its domain, and goes with it.
    const INDEXES: &'static [&'static Index<DomainProof>] = &[];

    fn id(&self) -> u64 {
        self.domain.0
    }

    fn scope(&self) -> u64 {
        self.account.0
    }
}

/// The domains by their labels from the last to the first, so that those below a domain are one range; read by the
/// server itself.
pub static DOMAIN_BY_ZONE: Index<AccountDomain> =
    Index::multi("domain.by_zone", |domain| vec![Key::new().text(&zone(&domain.name))]);

/// The beginning of the [`DOMAIN_BY_ZONE`] keys of a domain and of those below it.
#[must_use]
pub fn below(name: &Domain) -> Key {
    Key::new().text_prefix(&zone(name))
}

/// `org.example.lists.` for `lists.example.org`.
fn zone(name: &Domain) -> String {
    name.as_str().rsplit('.').flat_map(|label| [label, "."]).collect()
}
