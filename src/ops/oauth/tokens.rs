//! Gives applications tokens for codes and refresh tokens, and tells whose an access token is.
//!
//! A code works once, and each use of a refresh token makes a new one. Whoever uses either again has stolen it, or was
//! stolen from: everything that followed from the grant ends. That is a change, so a refusal is a value here, and no
//! error that would undo it.

use std::collections::BTreeSet;

use data_encoding::BASE64URL_NOPAD;

use super::grants::{end, hash_of};
use crate::clock::Timestamp;
use crate::model::oauth::{OAUTH_ACCESS_WORKS_FOR, OAUTH_REFRESH_WORKS_FOR};
use crate::model::{
    Admin, OauthClient, OauthGrant, OauthProof, OauthRefresh, OauthScope, OauthToken, OauthTokenId,
    Suspension,
};
use crate::schema::{OAUTH_GRANT_BY_CODE, OAUTH_GRANT_BY_FAMILY, OAUTH_TOKEN_BY_GRANT, OAUTH_TOKEN_BY_HASH};
use crate::secret::{Secrets, sha256};
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

/// The beginning of an access token, which no key has.
const ACCESS_PREFIX: &str = "cat_";
/// The beginning of a refresh token.
const REFRESH_PREFIX: &str = "crt_";
/// Characters of a code, of an access token behind its prefix, and of each half of a refresh token: 256 bits.
const SECRET_LEN: usize = 43;
/// Access tokens of a grant that work at a time; one more ends the oldest.
const ACCESS_TOKENS_MAX: usize = 10;
/// The lengths of a verifier (RFC 7636 4.1).
const VERIFIER_CHARS: std::ops::RangeInclusive<usize> = 43..=128;

/// A new code.
#[must_use]
pub fn new_code(secrets: &Secrets) -> String {
    secrets.token(SECRET_LEN)
}

/// Whether a text has the form of an access token.
#[must_use]
pub fn is_access_token(text: &str) -> bool {
    text.len() == ACCESS_PREFIX.len() + SECRET_LEN && text.starts_with(ACCESS_PREFIX)
}

/// The random parts of tokens to be given.
#[derive(Clone)]
pub struct NewSecrets {
    access: String,
    family: String,
    current: String,
}

impl NewSecrets {
    /// Draws them.
    #[must_use]
    pub fn draw(secrets: &Secrets) -> NewSecrets {
        let token = || secrets.token(SECRET_LEN);
        NewSecrets { access: format!("{ACCESS_PREFIX}{}", token()), family: token(), current: token() }
    }
}

/// Tokens that an application gets.
#[derive(Clone, PartialEq, Eq)]
pub struct Given {
    /// The access token.
    pub access: String,
    /// The refresh token.
    pub refresh: String,
    /// The scopes of the access token.
    pub scopes: BTreeSet<OauthScope>,
}

/// The reason why an application gets no tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refused {
    /// The code or the refresh token does not work; why is told to those who made the application.
    Grant(&'static str),
    /// It asks for more than the person allowed.
    Scope,
}

/// The request of an application that has a code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CodeRequest {
    /// The code.
    pub code: String,
    /// The address to which the browser was sent back with it.
    pub redirect_uri: String,
    /// The verifier of PKCE; blank if it has none.
    pub verifier: String,
}

/// Gives an application tokens for a code.
pub fn exchange(
    tx: &mut WriteTx<'_>,
    client: &OauthClient,
    request: &CodeRequest,
    new: NewSecrets,
    now: Timestamp,
) -> Result<Result<Given, Refused>, StoreError> {
    let found = tx.find(&OAUTH_GRANT_BY_CODE, &Key::new().bytes(&hash_of(&request.code)))?;
    let Some(mut grant) = found.filter(|grant: &OauthGrant| grant.client == client.id) else {
        return Ok(Err(Refused::Grant("There is no such code")));
    };
    if !has_person(tx, &grant)? {
        return Ok(Err(Refused::Grant("There is no such code")));
    }
    if grant.code.is_used {
        end(tx, &grant)?;
        return Ok(Err(Refused::Grant("The code was used before: all its tokens have ended")));
    }
    if grant.code.expiry <= now {
        return Ok(Err(Refused::Grant("The code is too old")));
    }
    if grant.code.redirect_uri != request.redirect_uri {
        return Ok(Err(Refused::Grant("redirect_uri is not the one of the code")));
    }
    if let Err(why) = check_verifier(grant.code.challenge.as_deref(), &request.verifier) {
        return Ok(Err(Refused::Grant(why)));
    }
    grant.code.is_used = true;
    let (family, scopes) = (new.family.clone(), grant.scopes.clone());
    give(tx, grant, scopes, &family, new, now).map(Ok)
}

/// Whether the person of a grant is still there: what belongs to a deleted account goes in steps.
fn has_person(tx: &impl Read, grant: &OauthGrant) -> Result<bool, StoreError> {
    Ok(tx.get::<Admin>(grant.admin.0)?.is_some())
}

/// Whether a verifier is the one of a challenge (RFC 7636 4.6).
fn check_verifier(challenge: Option<&str>, verifier: &str) -> Result<(), &'static str> {
    match (challenge, verifier) {
        (None, "") => Ok(()),
        (None, _) => Err("code_verifier is given, and there was no code_challenge"),
        (Some(_), "") => Err("code_verifier is missing"),
        (Some(challenge), verifier) => {
            let is_long_enough = VERIFIER_CHARS.contains(&verifier.len());
            let is_right = BASE64URL_NOPAD.encode(&sha256(verifier.as_bytes())) == challenge;
            if is_long_enough && is_right {
                Ok(())
            } else {
                Err("code_verifier is not the one of the code_challenge")
            }
        }
    }
}

/// Gives an application new tokens for a refresh token. `scopes` are those it asks for, if not all.
pub fn refresh(
    tx: &mut WriteTx<'_>,
    client: &OauthClient,
    token: &str,
    scopes: Option<BTreeSet<OauthScope>>,
    new: NewSecrets,
    now: Timestamp,
) -> Result<Result<Given, Refused>, StoreError> {
    let unknown = Ok(Err(Refused::Grant("There is no such refresh token")));
    let Some((grant, is_current)) = of_refresh_token(tx, token)? else { return unknown };
    let Some(family) = halves(token).map(|(family, _)| family.to_owned()) else { return unknown };
    if grant.client != client.id {
        return unknown;
    }
    if grant.due() <= now {
        return Ok(Err(Refused::Grant("The refresh token is too old")));
    }
    if !has_person(tx, &grant)? {
        return unknown;
    }
    if !is_current {
        end(tx, &grant)?;
        return Ok(Err(Refused::Grant("The refresh token was used before: all its tokens have ended")));
    }
    let scopes = scopes.unwrap_or_else(|| grant.scopes.clone());
    if !scopes.is_subset(&grant.scopes) {
        return Ok(Err(Refused::Scope));
    }
    give(tx, grant, scopes, &family, new, now).map(Ok)
}

fn give(
    tx: &mut WriteTx<'_>,
    mut grant: OauthGrant,
    scopes: BTreeSet<OauthScope>,
    family: &str,
    new: NewSecrets,
    now: Timestamp,
) -> Result<Given, StoreError> {
    let of_grant = IndexRange::prefix(Key::new().u64(grant.account.0).u64(grant.id.0));
    let earlier = tx.ids(&OAUTH_TOKEN_BY_GRANT, &of_grant, usize::MAX)?.len();
    tx.delete_range(&OAUTH_TOKEN_BY_GRANT, &of_grant, (earlier + 1).saturating_sub(ACCESS_TOKENS_MAX))?;
    grant.refresh = Some(OauthRefresh {
        family_hash: sha256(family.as_bytes()),
        current_hash: sha256(new.current.as_bytes()),
        expiry: now + OAUTH_REFRESH_WORKS_FOR,
    });
    grant.last_use = now;
    tx.put(&grant)?;
    let id = OauthTokenId(tx.next_id::<OauthToken>()?);
    tx.put(&OauthToken {
        id,
        account: grant.account,
        grant: grant.id,
        hash: sha256(new.access.as_bytes()),
        scopes: scopes.clone(),
        expiry: now + OAUTH_ACCESS_WORKS_FOR,
    })?;
    let refresh = format!("{REFRESH_PREFIX}{family}{}", new.current);
    Ok(Given { access: new.access, refresh, scopes })
}

/// The two halves of a refresh token.
fn halves(token: &str) -> Option<(&str, &str)> {
    let rest =
        token.strip_prefix(REFRESH_PREFIX).filter(|rest| rest.len() == 2 * SECRET_LEN && rest.is_ascii())?;
    Some(rest.split_at(SECRET_LEN))
}

/// The grant of a refresh token, and whether the token is its present one.
fn of_refresh_token(tx: &impl Read, token: &str) -> Result<Option<(OauthGrant, bool)>, StoreError> {
    let Some((family, current)) = halves(token) else { return Ok(None) };
    let found = tx.find(&OAUTH_GRANT_BY_FAMILY, &Key::new().bytes(&sha256(family.as_bytes())))?;
    Ok(found.map(|grant: OauthGrant| {
        let hash = grant.refresh.as_ref().map(|refresh| refresh.current_hash);
        let is_current = hash == Some(sha256(current.as_bytes()));
        (grant, is_current)
    }))
}

/// Ends a token of an application (RFC 7009): a refresh token with all that followed from the grant. `false` if the
/// application has no such token.
pub fn revoke(tx: &mut WriteTx<'_>, client: &OauthClient, token: &str) -> Result<bool, StoreError> {
    if let Some((grant, _)) = of_refresh_token(tx, token)?.filter(|(grant, _)| grant.client == client.id) {
        end(tx, &grant)?;
        return Ok(true);
    }
    let Some(token) = find(tx, token)? else { return Ok(false) };
    let grant: Option<OauthGrant> = tx.get(token.grant.0)?;
    let is_its = grant.is_some_and(|grant| grant.client == client.id);
    if is_its {
        tx.delete::<OauthToken>(token.id.0)?;
    }
    Ok(is_its)
}

fn find(tx: &impl Read, token: &str) -> Result<Option<OauthToken>, StoreError> {
    if !is_access_token(token) {
        return Ok(None);
    }
    tx.find(&OAUTH_TOKEN_BY_HASH, &Key::new().bytes(&sha256(token.as_bytes())))
}

/// The person for whom an application acts, and what it may do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Acting {
    /// The person, with the permissions and limits of this moment.
    pub admin: Admin,
    /// The scopes of the access token.
    pub scopes: BTreeSet<OauthScope>,
    /// Whether the person proved the identity before it allowed `account_admin`.
    pub is_proven: bool,
    /// When the token stops working.
    pub expiry: Timestamp,
}

/// The person of an access token; `None` if the token is unknown, has ended or was taken back, or the account is
/// suspended.
pub fn authenticate(tx: &impl Read, token: &str, now: Timestamp) -> Result<Option<Acting>, StoreError> {
    let Some(token) = find(tx, token)?.filter(|token| now < token.expiry) else { return Ok(None) };
    let Some(grant) = tx.get::<OauthGrant>(token.grant.0)? else { return Ok(None) };
    if tx.get::<OauthClient>(grant.client.0)?.is_none() {
        return Ok(None);
    }
    if tx.get::<Suspension>(grant.account.0)?.is_some() {
        return Ok(None);
    }
    let admin: Option<Admin> = tx.get(grant.admin.0)?;
    let is_proven = tx.get::<OauthProof>(grant.id.0)?.is_some();
    let OauthToken { scopes, expiry, .. } = token;
    Ok(admin.map(|admin| Acting { admin, scopes, is_proven, expiry }))
}
