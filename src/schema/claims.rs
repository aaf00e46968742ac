//! Tables and indexes of claimed domains and their proofs, and the index that finds the domains below a domain.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
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

impl HasLife for DomainClaim {
    const LIFE: Life<DomainClaim> = Life {
        with_account: WithAccount::AtOnce(&DOMAIN_CLAIM_BY_ACCOUNT),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::GoesLast(|_| true),
        in_time: InTime::Kept,
        in_download: InDownload::NotOfAPerson,
    };
}

/// The claims of an account, which can claim a name once.
pub static DOMAIN_CLAIM_BY_ACCOUNT: Index<DomainClaim> =
    Index::unique("domain_claim.by_account", |claim| vec![of(claim.account).text(claim.name.as_str())]);

/// All claims of a name; read by the server itself.
pub static DOMAIN_CLAIM_BY_NAME: Index<DomainClaim> =
    Index::multi("domain_claim.by_name", |claim| vec![Key::new().text(claim.name.as_str())]);

/// Claims by the time when the DNS is next asked for the proof, the earliest first; read by the server itself.
pub static DOMAIN_CLAIM_BY_NEXT_CHECK: Index<DomainClaim> =
    Index::multi("domain_claim.by_next_check", |claim| vec![Key::new().u64(claim.next_check.key())]);

impl Entity for DomainProof {
    const TABLE: &'static str = "domain_proof";
    // The record has its domain's number, and is deleted with the domain.
    const INDEXES: &'static [&'static Index<DomainProof>] = &[];

    fn id(&self) -> u64 {
        self.domain.0
    }

    fn scope(&self) -> u64 {
        self.account.0
    }
}

impl HasLife for DomainProof {
    const LIFE: Life<DomainProof> = Life {
        with_account: WithAccount::ByOperation("it goes with its domain"),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::GoesLast(|_| true),
        in_time: InTime::Kept,
        in_download: InDownload::NotOfAPerson,
    };
}

/// The domains by their labels from the last to the first, so that the domains below another are one range; read by the
/// server itself.
pub static DOMAIN_BY_ZONE: Index<AccountDomain> =
    Index::multi("domain.by_zone", |domain| vec![Key::new().text(&zone(&domain.name))]);

/// The prefix of the [`DOMAIN_BY_ZONE`] keys of a domain and of those below it.
#[must_use]
pub fn below(name: &Domain) -> Key {
    Key::new().text_prefix(&zone(name))
}

/// `org.example.lists.` for `lists.example.org`.
fn zone(name: &Domain) -> String {
    name.as_str().rsplit('.').flat_map(|label| [label, "."]).collect()
}
