//! Authenticates requests by API key, sent as the user name of Basic authentication or as a Bearer token, and by the
//! access token of an application (OAuth), which is sent alike.
//!
//! Every request needs its key's holder, so [`Keys`] caches them: under the key's hash, never the key, together with
//! the generations of all data that the entry was made from. A change of the administrator, of its account or of the
//! key raises one of these numbers before the caller who made the change gets its answer; the key is then looked up
//! again. Expiry and networks depend on the moment and the client, and are checked for each request.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;
use std::sync::{Arc, PoisonError, RwLock};

use axum::http::{HeaderMap, StatusCode, header};

use super::error::ApiError;
use crate::clock::Timestamp;
use crate::model::{Account, AccountId, Admin, ApiKey, ApiKeyId, Cidr, OauthScope, Via};
use crate::ops::Caller;
use crate::ops::accounts::admins;
use crate::ops::oauth::tokens;
use crate::ops::people::contacts;
use crate::ops::server::key_uses::LastUse;
use crate::ops::server::usage::{self, Meter};
use crate::secret;
use crate::service::Core;
use crate::store::{Read, ReadTx};

/// Cached keys; if more are in use, the cache is emptied and filled anew.
const KEYS_MAX: usize = 10_000;
/// Longest credentials that are read, in bytes; a key has 32 characters.
const CREDENTIALS_BYTES_MAX: usize = 512;

/// The authenticated caller of a request, and the account that the request is about.
#[derive(Debug, Clone)]
pub(super) struct Principal {
    /// The caller as operations take it.
    pub(super) caller: Arc<Caller>,
    /// The account as it was when the key was looked up; it is current while its generation is unchanged. Blank if
    /// the request is about the whole server.
    pub(super) account: Arc<Account>,
    /// Counts the account's objects.
    pub(super) meter: Arc<Meter>,
    /// Objects that the account may read or change per hour.
    pub(super) limit: u64,
    /// The scope of the administrator: its account, or 0 for a global one.
    scope: u64,
    generations: Generations,
    /// For the token of an application, the generation of all applications.
    applications: Option<u64>,
    expiry: Option<Timestamp>,
    cidr: Vec<Cidr>,
    /// The last use of the key; `None` for the token of an application, whose grant notes it.
    last_use: Option<Arc<LastUse>>,
}

/// The scope of the records of applications, which belong to no account.
const APPLICATIONS: u64 = AccountId::SERVER.0;

/// The generations of the administrator's scope and of the account.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Generations([u64; 2]);

impl Generations {
    fn of(core: &Core, scope: u64, account: u64) -> Generations {
        Generations([core.store.generation(scope), core.store.generation(account)])
    }
}

impl Principal {
    /// Passes if the request names an account or its key belongs to one.
    pub(super) fn require_account(&self) -> Result<(), ApiError> {
        match self.caller.tenant() {
            Some(_) => Ok(()),
            None => Err(ApiError::bad_request("account_id is needed: this key is for all accounts")),
        }
    }

    /// The operator, who needs no key and whose calls are not counted.
    pub(super) fn operator(tx: &ReadTx, account: AccountId) -> Result<Principal, ApiError> {
        let caller = Caller::operator(account);
        let account = if account == AccountId::SERVER {
            Account::new(account, String::new(), Timestamp::default())
        } else {
            contacts::account_of(tx, &caller)?
        };
        Ok(Principal::uncounted(caller, account))
    }

    fn uncounted(caller: Caller, account: Account) -> Principal {
        Principal {
            scope: account.id.0,
            caller: Arc::new(caller),
            account: Arc::new(account),
            meter: Arc::default(),
            limit: u64::MAX,
            generations: Generations([0, 0]),
            applications: None,
            expiry: None,
            cidr: Vec::new(),
            last_use: None,
        }
    }

    /// The same principal with this client's address: cache entries are shared by all clients of a key.
    pub(super) fn of_client(&self, client: IpAddr) -> Principal {
        Principal { caller: Arc::new(self.caller.from_client(client)), ..self.clone() }
    }

    fn note_use(&self, core: &Core) {
        if let Some(last_use) = &self.last_use {
            last_use.note(core.now());
        }
    }

    fn still_stands(&self, core: &Core, client: IpAddr) -> bool {
        let inside = || self.cidr.is_empty() || self.cidr.iter().any(|cidr| cidr.contains(client));
        Generations::of(core, self.scope, self.account.id.0) == self.generations
            && self.applications.is_none_or(|known| core.store.generation(APPLICATIONS) == known)
            && self.expiry.is_none_or(|expiry| core.now() < expiry)
            && inside()
    }

    #[cfg(test)]
    pub(super) fn for_tests() -> Principal {
        let id = AccountId(1);
        Principal::uncounted(Caller::operator(id), Account::new(id, "test".to_owned(), Timestamp::default()))
    }
}

/// A key's hash and the account that the request names, 0 if it names none.
type Known = ([u8; 32], u64);

/// The cache of keys.
#[derive(Debug, Default)]
pub(super) struct Keys(RwLock<HashMap<Known, Arc<Principal>>>);

impl Keys {
    /// Authenticates a request. `account_id` is the parameter of that name, if there is one.
    pub(super) fn principal(
        &self,
        core: &Core,
        headers: &HeaderMap,
        client: IpAddr,
        account_id: Option<&str>,
    ) -> Result<Arc<Principal>, ApiError> {
        let key = key_of(headers).ok_or_else(ApiError::unauthenticated)?;
        if key.len() != secret::API_KEY_LEN && !tokens::is_access_token(&key) {
            return Err(ApiError::unauthenticated());
        }
        let hash = secret::sha256(key.as_bytes());
        let named = account_id.and_then(|text| text.parse().ok()).unwrap_or(0);
        let is_account_valid = account_id.is_none() || 0 < named;
        let known = self.0.read().unwrap_or_else(PoisonError::into_inner).get(&(hash, named)).cloned();
        if let Some(principal) = &known
            && is_account_valid
            && principal.still_stands(core, client)
        {
            principal.note_use(core);
            return Ok(Arc::clone(principal));
        }
        let scope = match known {
            Some(principal) => principal.scope,
            None => scope_of(core, &key, client)?,
        };
        let principal = look_up(core, &key, client, scope, account_id.map(|_| named))?;
        principal.note_use(core);
        let principal = Arc::new(principal);
        let mut keys = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if KEYS_MAX <= keys.len() {
            keys.clear();
        }
        keys.insert((hash, named), Arc::clone(&principal));
        Ok(principal)
    }
}

/// The administrator who is authenticated by a key, or for whom an application acts with a token.
struct Authenticated {
    admin: Admin,
    expiry: Option<Timestamp>,
    /// The key; `None` for a token.
    key: Option<ApiKeyId>,
    /// The scopes of a token, and whether its person proved the identity before it allowed them; `None` for a key.
    scopes: Option<(BTreeSet<OauthScope>, bool)>,
}

fn authenticated(core: &Core, tx: &ReadTx, key: &str, client: IpAddr) -> Result<Authenticated, ApiError> {
    let found = if tokens::is_access_token(key) {
        tokens::authenticate(tx, key, core.now())?.map(|acting| {
            let tokens::Acting { admin, scopes, is_proven, expiry } = acting;
            Authenticated { admin, expiry: Some(expiry), key: None, scopes: Some((scopes, is_proven)) }
        })
    } else {
        match admins::authenticate(tx, key, client, core.now())? {
            None => None,
            Some(admins::Authenticated { admin, key }) => {
                let expiry = tx.get::<ApiKey>(key.0)?.and_then(|key| key.expiry);
                Some(Authenticated { admin, expiry, key: Some(key), scopes: None })
            }
        }
    };
    found.ok_or_else(ApiError::unauthenticated)
}

/// Returns the scope of the key's administrator. The generations that vouch for an entry must be read before the
/// snapshot that it is made from, and the scope says which they are: so a new key is looked up twice.
fn scope_of(core: &Core, key: &str, client: IpAddr) -> Result<u64, ApiError> {
    let admin = authenticated(core, &core.store.read()?, key, client)?.admin;
    Ok(admin.account_or_server().0)
}

fn look_up(
    core: &Core,
    key: &str,
    client: IpAddr,
    scope: u64,
    named: Option<u64>,
) -> Result<Principal, ApiError> {
    let wanted = if scope == 0 { named.unwrap_or(0) } else { scope };
    let generations = Generations::of(core, scope, wanted);
    let applications = tokens::is_access_token(key).then(|| core.store.generation(APPLICATIONS));
    let tx = core.store.read()?;
    let Authenticated { admin, expiry, key: id_of_key, scopes } = authenticated(core, &tx, key, client)?;
    let id = match (admin.account, named) {
        (_, Some(0)) => return Err(ApiError::bad_request("account_id must be the number of an account")),
        (Some(own), Some(named)) if own.0 != named => {
            return Err(ApiError::new(StatusCode::FORBIDDEN, "This key is for another account"));
        }
        (Some(own), _) => own,
        (None, Some(named)) => AccountId(named),
        (None, None) => AccountId::SERVER,
    };
    let caller = Caller::admin(&admin, id, Via::Api, None);
    let caller = match scopes {
        Some((scopes, is_proven)) => caller.within(&scopes, is_proven),
        None => caller,
    };
    let account = if id == AccountId::SERVER {
        Account::new(id, String::new(), Timestamp::default())
    } else {
        contacts::account_of(&tx, &caller)?
    };
    let (meter, limit) = (core.usage.meter(id), usage::limit_of(&account));
    let (caller, account) = (Arc::new(caller), Arc::new(account));
    let cidr = admin.cidr;
    let last_use = id_of_key.map(|key| core.key_uses.of(key));
    Ok(Principal { caller, account, meter, limit, scope, generations, applications, expiry, cidr, last_use })
}

/// The key in the `Authorization` header.
fn key_of(headers: &HeaderMap) -> Option<Cow<'_, str>> {
    let value = headers.get(header::AUTHORIZATION)?.to_str().ok()?;
    let (scheme, credentials) = value.trim().split_once(' ')?;
    let credentials = credentials.trim();
    if CREDENTIALS_BYTES_MAX < credentials.len() {
        return None;
    }
    if scheme.eq_ignore_ascii_case("bearer") {
        return Some(Cow::Borrowed(credentials));
    }
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let pair = data_encoding::BASE64.decode(credentials.as_bytes()).ok()?;
    let end = pair.iter().position(|byte| *byte == b':').unwrap_or(pair.len());
    std::str::from_utf8(pair.get(..end)?).ok().map(|key| Cow::Owned(key.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[track_caller]
    fn check(authorization: &'static str, expected: Option<&str>) {
        let mut headers = HeaderMap::new();
        headers.insert(header::AUTHORIZATION, HeaderValue::from_static(authorization));
        assert_eq!(key_of(&headers).as_deref(), expected, "{authorization}");
    }

    #[test]
    fn a_key_is_a_bearer_or_the_user_name_of_basic() {
        check("Bearer abc", Some("abc"));
        check("bearer  abc ", Some("abc"));
        check("Basic YWJjOg==", Some("abc"));
        check("BASIC YWJjOnNlY3JldA==", Some("abc"));
        check("Basic YWJj", Some("abc"));
    }

    #[test]
    fn anything_else_is_no_key() {
        for text in ["", "abc", "Bearer", "Digest abc", "Basic !", "Basic YWJjOg"] {
            check(text, None);
        }
        assert_eq!(key_of(&HeaderMap::new()), None);
    }
}
