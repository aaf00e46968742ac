//! The MTA-STS policies of other domains, stored for as long as each policy says (RFC 8461 5.1). Fetching them is
//! `net`'s work.

use crate::clock::Timestamp;
use crate::model::sts::StsRules;
use crate::model::{StsPolicy, StsPolicyId};
use crate::schema::STS_POLICY_BY_DOMAIN;
use crate::store::{Key, Read, StoreError, WriteTx};

/// The stored policy of a domain, if it has not expired.
pub fn find(tx: &impl Read, domain: &str, now: Timestamp) -> Result<Option<StsPolicy>, StoreError> {
    let policy = tx.find(&STS_POLICY_BY_DOMAIN, &Key::new().text(domain))?;
    Ok(policy.filter(|policy: &StsPolicy| policy.holds(now)))
}

/// Stores the policy that was fetched for a domain, in place of the earlier one.
pub fn keep(
    tx: &mut WriteTx<'_>,
    domain: &str,
    version: &str,
    rules: StsRules,
    now: Timestamp,
) -> Result<StsPolicy, StoreError> {
    let known = tx.find_id(&STS_POLICY_BY_DOMAIN, &Key::new().text(domain))?;
    let id = match known {
        Some(id) => id,
        None => tx.next_id::<StsPolicy>()?,
    };
    let (domain, version) = (domain.to_owned(), version.to_owned());
    let policy = StsPolicy { id: StsPolicyId(id), domain, version, rules, fetched: now };
    tx.put(&policy)?;
    Ok(policy)
}
