//! Signs administrators in by what a provider of identities says of them.
//!
//! The first time, the address that the provider has proven names the person, and the provider's own name for the
//! person, its subject, is bound. From then on the subject alone counts: an address can become somebody else's. Only an
//! administrator whose `authn_provider` is this provider comes in by it.

use crate::model::{
    AccountId, Admin, AuditAction, EmailAddress, ProviderSubject, ProviderSubjectId, Session,
};
use crate::oidc::Identity;
use crate::ops::accounts::sign_in::{self, lockout};
use crate::ops::audit::{self, Note};
use crate::ops::domains::sites::Site;
use crate::ops::sessions::Device;
use crate::ops::{OpContext, OpError};
use crate::schema::{ADMIN_BY_USERNAME, PROVIDER_SUBJECT_BY_ADMIN, PROVIDER_SUBJECT_BY_SUBJECT};
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

/// Signs the person of an identity in; `None` if there is nobody whom it lets in here.
pub fn enter(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    site: &Site,
    provider: &str,
    identity: &Identity,
    device: Device,
    token_hash: [u8; 32],
) -> Result<Option<Session>, OpError> {
    for account in sign_in::accounts_of(tx, site)? {
        let Some(found) = find(tx, account, provider, identity)? else { continue };
        let (admin, is_bound) = found;
        if !is_bound {
            bind(tx, &admin, identity, by)?;
        }
        lockout::clear(tx, &admin)?;
        return sign_in::enter(tx, by, &admin, device, token_hash).map(Some);
    }
    let account = site.account.unwrap_or(AccountId::SERVER);
    let named = identity.verified_email.as_deref().unwrap_or_default();
    let note = Note::new(AuditAction::SignInFailed, 0).named(named).detail(provider);
    audit::note(tx, &by.caller.at(account), note, by.now)?;
    Ok(None)
}

/// The administrator of an identity in an account, and whether the identity is bound already.
fn find(
    tx: &impl Read,
    account: AccountId,
    provider: &str,
    identity: &Identity,
) -> Result<Option<(Admin, bool)>, StoreError> {
    let is_its = |admin: &Admin| admin.authn_provider.as_deref() == Some(provider);
    let key = Key::new().u64(account.0).text(&identity.issuer).text(&identity.subject);
    let known: Option<ProviderSubject> = tx.find(&PROVIDER_SUBJECT_BY_SUBJECT, &key)?;
    if let Some(known) = known {
        let admin: Option<Admin> = tx.get(known.admin.0)?;
        return Ok(admin.filter(is_its).map(|admin| (admin, true)));
    }
    let address = identity.verified_email.as_deref().and_then(|text| EmailAddress::parse(text).ok());
    let Some(address) = address else { return Ok(None) };
    let key = Key::new().u64(account.0).text(&address.folded());
    let admin: Option<Admin> = tx.find(&ADMIN_BY_USERNAME, &key)?;
    let Some(admin) = admin.filter(is_its) else { return Ok(None) };
    // Somebody else at the provider has that address now.
    let is_others = !tx.ids(&PROVIDER_SUBJECT_BY_ADMIN, &of(&admin), 1)?.is_empty();
    Ok((!is_others).then_some((admin, false)))
}

fn bind(tx: &mut WriteTx<'_>, admin: &Admin, identity: &Identity, by: &OpContext) -> Result<(), StoreError> {
    let id = ProviderSubjectId(tx.next_id::<ProviderSubject>()?);
    tx.put(&ProviderSubject {
        id,
        account: admin.account_or_server(),
        admin: admin.id,
        issuer: identity.issuer.clone(),
        subject: identity.subject.clone(),
        since: by.now,
    })
}

/// Unbinds an administrator from every provider: the person is gone or another, or signs in elsewhere.
pub fn forget(tx: &mut WriteTx<'_>, admin: &Admin) -> Result<(), StoreError> {
    tx.delete_range(&PROVIDER_SUBJECT_BY_ADMIN, &of(admin), usize::MAX).map(drop)
}

fn of(admin: &Admin) -> IndexRange {
    IndexRange::prefix(Key::new().u64(admin.account_or_server().0).u64(admin.id.0))
}
