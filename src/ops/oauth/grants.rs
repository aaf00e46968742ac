//! Grants: the permissions that people gave applications. A grant begins with a code, and ends with everything that followed from it.

use std::collections::BTreeSet;

use super::request::{AuthorizationRequest, scope_text};
use crate::clock::Timestamp;
use crate::model::oauth::OAUTH_CODE_WORKS_FOR;
use crate::model::{
    AccountId, ActorKind, Admin, AdminId, AuditAction, OauthClient, OauthClientId, OauthCode, OauthGrant,
    OauthGrantId, OauthProof, OauthScope, Permission,
};
use crate::ops::audit::{self, Note};
use crate::ops::authority::limits_of;
use crate::ops::overdue::overdue_rows;
use crate::ops::{Caller, OpError};
use crate::schema::{OAUTH_GRANT_BY_ADMIN, OAUTH_GRANT_BY_CLIENT, OAUTH_GRANT_BY_DUE, OAUTH_TOKEN_BY_GRANT};
use crate::secret::sha256;
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

/// Grants of one person for one application; one more ends the oldest.
const GRANTS_MAX: usize = 50;
/// Grants that are deleted with their application. Others are dead without it, and end with their time.
const GRANTS_ENDED_MAX: usize = 2000;

/// A grant, as people see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrantDetail {
    /// Identifies it.
    pub id: OauthGrantId,
    /// The name of the application.
    pub application: String,
    /// The scopes that were allowed.
    pub scopes: BTreeSet<OauthScope>,
    /// When it was allowed.
    pub made: Timestamp,
    /// When the application last got a token.
    pub last_use: Timestamp,
}

/// The scopes of a request that a person can give: those that the person holds.
#[must_use]
pub fn given(caller: &Caller, asked: &BTreeSet<OauthScope>) -> BTreeSet<OauthScope> {
    let is_held = |scope: &OauthScope| match scope.permission() {
        Some(permission) => caller.holds(permission),
        None => caller.require_read().is_ok(),
    };
    asked.iter().copied().filter(is_held).collect()
}

/// Keeps that the caller allows an application these scopes. The application gets the code whose SHA-256 is `code`.
/// `proven` is when the person last proved the identity, if that is recent enough for what is sensitive.
pub fn allow(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    request: AuthorizationRequest,
    code: [u8; 32],
    proven: Option<Timestamp>,
    now: Timestamp,
) -> Result<OauthGrant, OpError> {
    let ActorKind::Admin(id) = caller.actor().kind else {
        return Err(OpError::NotFound { what: "administrator" });
    };
    let admin: Admin = tx.get(id.0)?.ok_or(OpError::NotFound { what: "administrator" })?;
    let AuthorizationRequest { client, scopes, challenge, back } = request;
    let scopes = given(caller, &scopes);
    if scopes.is_empty() || tx.get::<OauthClient>(client.id.0)?.is_none() {
        return Err(OpError::NotFound { what: "application" });
    }
    end_oldest(tx, &admin, client.id)?;
    let grant = OauthGrant {
        id: OauthGrantId(tx.next_id::<OauthGrant>()?),
        account: admin.account_or_server(),
        admin: admin.id,
        client: client.id,
        scopes,
        code: OauthCode {
            hash: code,
            redirect_uri: back.redirect_uri,
            challenge,
            expiry: now + OAUTH_CODE_WORKS_FOR,
            is_used: false,
        },
        refresh: None,
        created: now,
        last_use: now,
    };
    tx.put(&grant)?;
    if let Some(proven) = proven.filter(|_| grant.scopes.contains(&OauthScope::AccountAdmin)) {
        tx.put(&OauthProof { grant: grant.id, account: grant.account, proven })?;
    }
    let note = Note::new(AuditAction::Grant, grant.id.0).named(&client.name);
    audit::note(tx, caller, note.detail(&scope_text(&grant.scopes)), now)?;
    Ok(grant)
}

/// The hash of a code.
#[must_use]
pub fn hash_of(code: &str) -> [u8; 32] {
    sha256(code.as_bytes())
}

/// Ends the oldest grants of a person for an application, so that there is room for one more.
fn end_oldest(tx: &mut WriteTx<'_>, admin: &Admin, client: OauthClientId) -> Result<(), StoreError> {
    let mut theirs = tx.page(&OAUTH_GRANT_BY_ADMIN, &of(admin.account_or_server(), admin.id), usize::MAX)?;
    theirs.retain(|grant| grant.client == client);
    let too_many = (theirs.len() + 1).saturating_sub(GRANTS_MAX);
    theirs.iter().take(too_many).try_for_each(|grant| end(tx, grant))
}

fn of(account: AccountId, admin: AdminId) -> IndexRange {
    IndexRange::prefix(Key::new().u64(account.0).u64(admin.0))
}

fn of_account_range(account: AccountId) -> IndexRange {
    IndexRange::prefix(Key::new().u64(account.0))
}

/// The grants of an administrator that applications use, newest first.
pub fn of_admin(
    tx: &impl Read,
    account: AccountId,
    admin: AdminId,
    now: Timestamp,
) -> Result<Vec<GrantDetail>, StoreError> {
    let grants = tx.page(&OAUTH_GRANT_BY_ADMIN, &of(account, admin), usize::MAX)?;
    let mut details = Vec::new();
    for grant in grants.into_iter().rev() {
        details.extend(detail(tx, grant, now)?);
    }
    Ok(details)
}

/// The grants of all administrators of an account, or of the global ones ([`AccountId::SERVER`]), with whoever gave
/// them.
pub fn of_account(
    tx: &impl Read,
    account: AccountId,
    now: Timestamp,
) -> Result<Vec<(Admin, GrantDetail)>, StoreError> {
    let grants = tx.page(&OAUTH_GRANT_BY_ADMIN, &of_account_range(account), usize::MAX)?;
    let mut details = Vec::new();
    for grant in grants {
        let Some(admin) = tx.get::<Admin>(grant.admin.0)? else { continue };
        details.extend(detail(tx, grant, now)?.map(|detail| (admin, detail)));
    }
    Ok(details)
}

/// A grant as people see it; `None` if no application uses it.
fn detail(tx: &impl Read, grant: OauthGrant, now: Timestamp) -> Result<Option<GrantDetail>, StoreError> {
    let is_used = grant.refresh.is_some() && now < grant.due();
    let Some(client) = tx.get::<OauthClient>(grant.client.0)?.filter(|_| is_used) else { return Ok(None) };
    let OauthGrant { id, scopes, created: made, last_use, .. } = grant;
    Ok(Some(GrantDetail { id, application: client.name, scopes, made, last_use }))
}

/// Takes a permission back: one's own, or with `account_admin` that of another administrator within one's limits.
pub fn revoke(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    id: OauthGrantId,
    now: Timestamp,
) -> Result<(), OpError> {
    let none = OpError::NotFound { what: "grant" };
    let Some(grant) = tx.get::<OauthGrant>(id.0)? else { return Err(none) };
    let admin: Option<Admin> = tx.get(grant.admin.0)?;
    let is_within = admin.is_some_and(|admin| caller.limits.contain(&limits_of(&admin)));
    let may = caller.is_admin(grant.admin)
        || grant.account == caller.account && caller.holds(Permission::AccountAdmin) && is_within;
    if !may {
        return Err(none);
    }
    let client: Option<OauthClient> = tx.get(grant.client.0)?;
    end(tx, &grant)?;
    let name = client.map(|client| client.name).unwrap_or_default();
    audit::note(tx, caller, Note::new(AuditAction::Grant, id.0).named(&name).detail("revoked"), now)?;
    Ok(())
}

/// Ends grants whose time is over.
pub(in crate::ops) fn end_due(tx: &mut WriteTx<'_>, now: Timestamp, limit: usize) -> Result<(), StoreError> {
    for id in overdue_rows(tx, &OAUTH_GRANT_BY_DUE, now, limit)? {
        if let Some(grant) = tx.get::<OauthGrant>(id)? {
            end(tx, &grant)?;
        }
    }
    Ok(())
}

/// Ends a grant with all that followed from it.
pub(super) fn end(tx: &mut WriteTx<'_>, grant: &OauthGrant) -> Result<(), StoreError> {
    tx.delete::<OauthProof>(grant.id.0)?;
    let tokens = IndexRange::prefix(Key::new().u64(grant.account.0).u64(grant.id.0));
    tx.delete_range(&OAUTH_TOKEN_BY_GRANT, &tokens, usize::MAX)?;
    tx.delete::<OauthGrant>(grant.id.0)?;
    Ok(())
}

/// Ends what an administrator allowed: the person is gone, or another reads mail at the address.
pub(in crate::ops) fn end_of_admin(tx: &mut WriteTx<'_>, admin: &Admin) -> Result<(), StoreError> {
    let theirs = tx.page(&OAUTH_GRANT_BY_ADMIN, &of(admin.account_or_server(), admin.id), usize::MAX)?;
    theirs.iter().try_for_each(|grant| end(tx, grant))
}

/// Ends what people allowed an application.
pub(super) fn end_of_client(tx: &mut WriteTx<'_>, client: OauthClientId) -> Result<(), StoreError> {
    let range = IndexRange::prefix(Key::new().u64(client.0));
    let theirs = tx.page(&OAUTH_GRANT_BY_CLIENT, &range, GRANTS_ENDED_MAX)?;
    theirs.iter().try_for_each(|grant| end(tx, grant))
}
