//! Table and indexes of the MTA-STS policies of other domains.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use crate::model::StsPolicy;
use crate::store::{Entity, Index, Key};

impl Entity for StsPolicy {
    const TABLE: &'static str = "sts_policy";
    const INDEXES: &'static [&'static Index<StsPolicy>] = &[&STS_POLICY_BY_DOMAIN, &STS_POLICY_BY_DUE];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for StsPolicy {
    const LIFE: Life<StsPolicy> = Life {
        with_account: WithAccount::Stays("it is of a domain to which mail is sent"),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::Stays("it is of a domain to which mail is sent"),
        in_time: InTime::Forgotten("policies of other domains", &STS_POLICY_BY_DUE),
        in_download: InDownload::NotOfAPerson,
    };
}

/// A domain has one policy; read by the server itself.
pub static STS_POLICY_BY_DOMAIN: Index<StsPolicy> =
    Index::unique("sts_policy.by_domain", |policy| vec![Key::new().text(&policy.domain)]);

/// Expired policies to delete, the earliest first; read by the server itself.
pub static STS_POLICY_BY_DUE: Index<StsPolicy> =
    Index::multi("sts_policy.by_due", |policy| vec![Key::new().u64(policy.due().key())]);
