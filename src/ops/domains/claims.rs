//! Domains that accounts add for themselves: each is a claim until the DNS proves it. `service::claims` asks the DNS, for
//! the API, the command line and a background job.
//!
//! A claim is a record of its own and no [`AccountDomain`], so it takes no mail and signs nothing. Several accounts may
//! claim a name. An MX record that names this server proves a domain while only one account claims it; otherwise the
//! TXT record decides, since an MX record cannot tell accounts apart.
//!
//! The owner of a domain can always get it back: an account whose text is published in the DNS takes the domain over
//! from an account that proved it earlier and whose own text is not published. A domain that the operator added is
//! never taken over. Every account keeps one of those, so it never loses its last domain.

use std::time::Duration;

use super::put_domain;
use crate::clock::Timestamp;
use crate::model::{
    AccountDomain, AccountId, AuditAction, DkimKeys, Domain, DomainClaim, DomainClaimId, DomainId,
    DomainProof, ProofWay,
};
use crate::ops::audit::{self, Note};
use crate::ops::overdue::overdue_rows;
use crate::ops::{Caller, OpError, Wrong, domains};
use crate::schema::{
    DOMAIN_BY_ZONE, DOMAIN_CLAIM_BY_ACCOUNT, DOMAIN_CLAIM_BY_NAME, DOMAIN_CLAIM_BY_NEXT_CHECK, below,
};
use crate::store::{Key, Read, StoreError, WriteTx};

/// Claims that an account may have at a time.
pub const CLAIMS_MAX: usize = 20;
/// The label in front of a domain whose TXT record proves it.
const PROOF_LABEL: &str = "_crier";
/// Wait between the first background check of a claim and the second; it doubles with each further check.
const CHECK_AFTER: Duration = Duration::from_mins(1);
/// Longest wait between two background checks of a claim.
const CHECK_AFTER_MAX: Duration = Duration::from_hours(6);
/// Domains below another one that are looked at: more than two accounts can have together.
const RELATIVES_MAX: usize = 128;

/// The name of the TXT record that proves a domain.
#[must_use]
pub fn proof_name(domain: &Domain) -> String {
    format!("{PROOF_LABEL}.{domain}")
}

/// This server's own names, which no account can claim: `--hostname` and the host of `--base-url`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OwnNames(Vec<Domain>);

impl OwnNames {
    /// These names.
    #[must_use]
    pub fn new(names: Vec<Domain>) -> OwnNames {
        OwnNames(names)
    }

    fn contains(&self, name: &Domain) -> bool {
        self.0.contains(name)
    }
}

/// The records in the DNS that may prove a domain.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ProofRecords {
    /// Whether an MX record names this server.
    pub has_mx: bool,
    /// The values of the TXT records for proofs.
    pub texts: Vec<String>,
}

/// The claims of an account, oldest first.
pub fn of_account(tx: &impl Read, account: AccountId) -> Result<Vec<DomainClaim>, StoreError> {
    let mut claims: Vec<DomainClaim> =
        tx.page(&DOMAIN_CLAIM_BY_ACCOUNT, &Key::new().u64(account.0).into(), usize::MAX)?;
    claims.sort_by_key(|claim| claim.id);
    Ok(claims)
}

/// The claims of a name, oldest first, at most `limit`.
pub fn of_name(tx: &impl Read, name: &Domain, limit: usize) -> Result<Vec<DomainClaim>, StoreError> {
    tx.page(&DOMAIN_CLAIM_BY_NAME, &Key::new().text(domains::kept_name(name).as_str()).into(), limit)
}

/// The claims whose background check is due, at most `limit`.
pub fn due(tx: &impl Read, now: Timestamp, limit: usize) -> Result<Vec<DomainClaim>, StoreError> {
    let ids = overdue_rows(tx, &DOMAIN_CLAIM_BY_NEXT_CHECK, now, limit)?;
    Ok(ids.into_iter().map(|id| tx.get(id)).collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
}

/// The proof of a domain; `None` if the operator added it.
pub fn proof(tx: &impl Read, domain: DomainId) -> Result<Option<DomainProof>, StoreError> {
    tx.get(domain.0)
}

/// Stores a claim that [`refusal`] allows.
pub(in crate::ops) fn put(
    tx: &mut WriteTx<'_>,
    (account, name): (AccountId, Domain),
    verification: String,
    now: Timestamp,
) -> Result<(), OpError> {
    let id = DomainClaimId(tx.next_id::<DomainClaim>()?);
    let claim = DomainClaim { id, account, name, verification, created: now, checks: 0, next_check: now };
    Ok(tx.put(&claim)?)
}

/// Deletes a domain and the record of its proof.
pub fn delete_domain(tx: &mut WriteTx<'_>, id: DomainId) -> Result<(), StoreError> {
    tx.delete::<AccountDomain>(id.0)?;
    tx.delete::<DomainProof>(id.0)?;
    Ok(())
}

/// The reason why no proof can give an account this domain; `None` if one can.
pub fn refusal(
    tx: &impl Read,
    account: AccountId,
    name: &Domain,
    own: &OwnNames,
) -> Result<Option<Wrong>, StoreError> {
    if own.contains(name) {
        return Ok(Some(Wrong::OwnName { name: name.clone() }));
    }
    let holder = domains::find(tx, name)?.filter(|domain| domain.account != account);
    if let Some(holder) = &holder
        && proof(tx, holder.id)?.is_none()
    {
        return Ok(Some(Wrong::TakenOnServer { name: name.clone() }));
    }
    for relative in relatives(tx, name)?.into_iter().filter(|domain| domain.account != account) {
        // Domains that the name's present holder proved above or below it must not lock out the owner.
        let is_holders = holder.as_ref().is_some_and(|holder| holder.account == relative.account);
        if !(is_holders && proof(tx, relative.id)?.is_some()) {
            return Ok(Some(Wrong::AboveOrBelow { name: name.clone() }));
        }
    }
    Ok(None)
}

/// The domains above and below a name.
fn relatives(tx: &impl Read, name: &Domain) -> Result<Vec<AccountDomain>, StoreError> {
    let mut found: Vec<AccountDomain> = tx.page(&DOMAIN_BY_ZONE, &below(name).into(), RELATIVES_MAX)?;
    found.retain(|domain| domain.name != *name);
    let parents = name.as_str().match_indices('.').map(|(dot, _)| &name.as_str()[dot + 1..]);
    for parent in parents.filter_map(|parent| Domain::parse(parent).ok()) {
        found.extend(domains::find(tx, &parent)?);
    }
    Ok(found)
}

/// The proof of a claim in these records, if there is one.
pub(crate) fn decide(
    tx: &impl Read,
    claim: &DomainClaim,
    records: &ProofRecords,
    own: &OwnNames,
) -> Result<Option<ProofWay>, StoreError> {
    if refusal(tx, claim.account, &claim.name, own)?.is_some() {
        return Ok(None);
    }
    let has_text = records.texts.contains(&claim.verification);
    if let Some(holder) = domains::find(tx, &claim.name)? {
        let proof = proof(tx, holder.id)?;
        let holds = proof.is_none_or(|proof| records.texts.contains(&proof.verification));
        let is_last = heir(tx, &holder)?.is_none();
        return Ok((has_text && !holds && !is_last).then_some(ProofWay::Txt));
    }
    if has_text {
        return Ok(Some(ProofWay::Txt));
    }
    let is_alone = of_name(tx, &claim.name, 2)?.len() < 2;
    Ok((records.has_mx && is_alone).then_some(ProofWay::Mx))
}

/// The domain that replaces one that its account loses: one that the operator added, if there is any.
fn heir(tx: &impl Read, lost: &AccountDomain) -> Result<Option<AccountDomain>, StoreError> {
    let mut others = domains::of_account(tx, lost.account)?;
    others.retain(|domain| domain.id != lost.id);
    for domain in &others {
        if proof(tx, domain.id)?.is_none() {
            return Ok(Some(domain.clone()));
        }
    }
    Ok(others.into_iter().next())
}

/// Gives an account the domain that it claimed, if `records` still prove it; `keys` sign its mail. Returns whether they
/// do.
pub fn prove(
    tx: &mut WriteTx<'_>,
    id: DomainClaimId,
    (records, own): (&ProofRecords, &OwnNames),
    keys: DkimKeys,
    now: Timestamp,
) -> Result<bool, OpError> {
    let Some(claim) = tx.get::<DomainClaim>(id.0)? else { return Ok(false) };
    let Some(way) = decide(tx, &claim, records, own)? else { return Ok(false) };
    if let Some(lost) = domains::find(tx, &claim.name)? {
        take_away(tx, &lost, now)?;
    }
    tx.delete::<DomainClaim>(id.0)?;
    let DomainClaim { account, name, verification, .. } = claim;
    let id = DomainId(tx.next_id::<AccountDomain>()?);
    let domain = AccountDomain::new(id, account, name, keys, now);
    put_domain(tx, &domain, "domains")?;
    tx.put(&DomainProof { domain: id, account, verification, way, proven: now })?;
    let proven = Note::new(AuditAction::DomainUpdated, id.0).named(domain.name.as_str()).detail("verified");
    audit::note(tx, &Caller::server(account), proven, now)?;
    tracing::info!(
        account.id = account.0,
        domain.name = %domain.name,
        domain.proof = ?way,
        "The account {account} has proven that {} is its domain",
        domain.name
    );
    Ok(true)
}

/// Takes a proven domain from its account, which keeps a claim to it.
fn take_away(tx: &mut WriteTx<'_>, lost: &AccountDomain, now: Timestamp) -> Result<(), OpError> {
    let (Some(proof), Some(mut heir)) = (proof(tx, lost.id)?, heir(tx, lost)?) else {
        return Err(OpError::conflict("domains", Wrong::DomainStays { name: lost.name.clone() }));
    };
    delete_domain(tx, lost.id)?;
    if lost.is_main || lost.is_web {
        heir.is_main |= lost.is_main;
        heir.is_web |= lost.is_web;
        tx.put(&heir)?;
    }
    put(tx, (lost.account, lost.name.clone()), proof.verification, now)?;
    tracing::warn!(
        account.id = lost.account.0,
        domain.name = %lost.name,
        "The account {} has lost {}: the DNS has another account's proof for it and none of its own",
        lost.account,
        lost.name
    );
    Ok(())
}

/// Notes that the DNS did not prove a claim, and when to check again.
pub fn note_check(tx: &mut WriteTx<'_>, id: DomainClaimId, now: Timestamp) -> Result<(), OpError> {
    let Some(mut claim) = tx.get::<DomainClaim>(id.0)? else { return Ok(()) };
    claim.next_check = now + wait_after(claim.checks);
    claim.checks = claim.checks.saturating_add(1);
    Ok(tx.put(&claim)?)
}

fn wait_after(checks: u32) -> Duration {
    CHECK_AFTER.saturating_mul(1u32.checked_shl(checks).unwrap_or(u32::MAX)).min(CHECK_AFTER_MAX)
}

/// The host of a URL, without its port; `None` for an IP address.
#[must_use]
pub fn host_of(url: &str) -> Option<&str> {
    let authority = url.split_once("://")?.1.split('/').next()?;
    let host = authority.split(':').next()?;
    (!host.is_empty() && !authority.starts_with('[') && host.parse::<std::net::IpAddr>().is_err())
        .then_some(host)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_checked_less_and_less_often() {
        let minutes: Vec<u64> = (0..11).map(|checks| wait_after(checks).as_secs() / 60).collect();
        assert_eq!(minutes, [1, 2, 4, 8, 16, 32, 64, 128, 256, 360, 360]);
        assert_eq!(wait_after(u32::MAX), CHECK_AFTER_MAX);
    }

    #[test]
    fn the_host_of_a_url_is_a_name() {
        assert_eq!(host_of("https://lists.example.org/crier"), Some("lists.example.org"));
        assert_eq!(host_of("http://lists.example.org:8080"), Some("lists.example.org"));
        for address in ["http://127.0.0.1:8080", "http://[::1]:8080", "", "lists"] {
            assert_eq!(host_of(address), None, "{address}");
        }
    }
}
