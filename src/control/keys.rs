//! Commands about keys, and about the link by which a person chooses a password.

use axum::http::Method;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::execute::Host;
use super::objects::{ADMINS, CommandError, NOT_FOUND, Scope, api, no_object, path_of, title};
use super::{KeyCreate, KeyReply, Reply, operator_of, parse_expiry};
use crate::api::operator::Call;
use crate::clock::Timestamp;
use crate::model::{AccountId, Admin, ApiKey};
use crate::ops::accounts::admins::manage::{self as admins_ops, AdminInput, KEY_API};
use crate::ops::accounts::admins::{self, expiry_after, invite};
use crate::ops::{Caller, OpError, Problem};
use crate::secret;
use crate::store::{Read, StoreError};

/// `crier admin link`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AdminLinkRequest {
    /// Whose administrator it is.
    pub scope: Scope,
    /// Number or address of the administrator.
    pub admin: String,
    /// What the link begins with; the running server's where unset.
    pub base_url: Option<String>,
}

/// `crier key list`, `show` and `renew`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeysRequest {
    /// Whose keys.
    pub scope: Scope,
    /// Number of one key's holder; none for all.
    pub id: Option<String>,
    /// What is done.
    pub action: KeyAction,
}

/// What is done with keys.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyAction {
    /// Shows one, or all.
    #[default]
    Show,
    /// Makes a new key in place of the one that somebody has.
    Renew {
        /// Months until it expires, if it does.
        expiry_months: Option<String>,
    },
}

/// A [`KeysRequest`] whose values have been checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    scope: Scope,
    id: Option<String>,
    action: Wanted,
}

/// A [`KeyAction`] whose values have been checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Show,
    /// A new key that expires after so many months, if it does.
    Renew(Option<u8>),
}

impl KeysRequest {
    pub(super) fn parse(self) -> Result<Keys, Vec<Problem>> {
        let KeysRequest { scope, id, action } = self;
        let mut problems = Vec::new();
        let action = match action {
            KeyAction::Show => Wanted::Show,
            KeyAction::Renew { expiry_months } => Wanted::Renew(parse_expiry(&mut problems, expiry_months)),
        };
        if problems.is_empty() { Ok(Keys { scope, id, action }) } else { Err(problems) }
    }
}

/// Makes the holder of a key, and its key.
pub(super) fn create_key(host: &Host, input: KeyCreate) -> Result<Reply, CommandError> {
    let KeyCreate { scope, description, permissions, limit_lists, limit_metadata, cidr, expiry_months } =
        input;
    let key = host.core.secrets.api_key();
    let hash = secret::sha256(key.as_bytes());
    let expiry = expiry_months.map(|months| expiry_after(host.core.now(), months));
    let caller = operator_of(scope.find(&host.core.store.read()?)?);
    let made = host.core.perform_blocking(&caller, move |tx, by| {
        let input = AdminInput {
            api: Some(KEY_API),
            description: Some(description),
            permissions: Some(permissions),
            cidr: Some(cidr),
            limit_lists: Some(limit_lists),
            limit_metadata: Some(limit_metadata),
            ..AdminInput::default()
        };
        let admin = admins_ops::create(tx, &by.caller, input, &by.mail_context, by.now)?.admin;
        admins_ops::get_key(tx, &by.caller, &admin.id.to_string(), hash, expiry, by.now)
    });
    let made: ApiKey = made.map_err(|error: OpError| error)?;
    Ok(Reply::Key(KeyReply { id: made.admin.0, api_key: key, expiry: expiry.map(Timestamp::rfc3339) }))
}

/// Shows keys, or gives a holder a new one.
pub(super) fn keys(host: &Host, request: Keys) -> Result<Reply, CommandError> {
    let Keys { scope, id: name, action } = request;
    let id = scope.find(&host.core.store.read()?)?;
    if let Some(name) = name {
        let holder = holder(host, id, &name)?;
        return match action {
            Wanted::Renew(months) => renew_key(host, id, &name, months),
            Wanted::Show => Ok(Reply::Answer { answer: with_key(host, id, holder)? }),
        };
    }
    let call = Call { method: Method::GET, path: path_of(ADMINS, None), params: Map::new() };
    let mut answer = api(host, id, call)?;
    let rows = answer["data"].as_array_mut().map(std::mem::take).unwrap_or_default();
    let rows = rows.into_iter().filter(|admin| admin["api"] == KEY_API);
    let rows: Vec<Value> = rows.map(|admin| with_key(host, id, admin)).collect::<Result<_, _>>()?;
    answer["count"] = rows.len().into();
    answer["limit"] = rows.len().into();
    answer["data"] = rows.into();
    Ok(Reply::Answer { answer })
}

/// The holder of a key, which must not be a person.
fn holder(host: &Host, account: AccountId, name: &str) -> Result<Value, CommandError> {
    let call = Call { method: Method::GET, path: path_of(ADMINS, Some(name)), params: Map::new() };
    let admin = api(host, account, call).map_err(|refusal| match refusal.status {
        NOT_FOUND => no_object(host, account, ADMINS, name),
        _ => CommandError::Call(refusal),
    })?;
    if admin["api"] == KEY_API {
        return Ok(admin);
    }
    Err(CommandError::Told(format!(
        "administrator {} is a person and no key; crier key list shows the keys, crier admin manages people",
        title(&admin)
    )))
}

/// The link by which a person chooses a password.
pub(super) fn admin_link(host: &Host, request: AdminLinkRequest) -> Result<Reply, CommandError> {
    let AdminLinkRequest { scope, admin: name, base_url } = request;
    let tx = host.core.store.read()?;
    let id = scope.find(&tx)?;
    let admin = match admins_ops::get(&tx, &Caller::operator(id), &name) {
        Ok(detail) => detail.admin,
        Err(OpError::NotFound { what: _ }) => return Err(no_object(host, id, ADMINS, &name)),
        Err(error) => return Err(error.into()),
    };
    if admin.password_hash.is_some() {
        let text = format!("administrator {name} has chosen a password already: a link works only once");
        return Err(CommandError::Told(text));
    }
    let link = link_of(host, &tx, &admin, base_url.as_deref())?;
    let none = || format!("administrator {name} is the holder of a key: it signs in without a password");
    Ok(Reply::AdminLink { link: link.ok_or_else(|| CommandError::Told(none()))? })
}

/// The link by which `admin` chooses a password: on `base_url`, else where the running server is, else on the
/// domain of the lists. `None` for the holder of a key.
pub(super) fn link_of(
    host: &Host,
    tx: &impl Read,
    admin: &Admin,
    base_url: Option<&str>,
) -> Result<Option<String>, StoreError> {
    let Host { core, hostname: _ } = host;
    let base_url = base_url.map(|url| url.trim().trim_end_matches('/'));
    let base_url = base_url.unwrap_or(&core.base_url);
    let invitation = invite::link(tx, &core.signer, base_url, admin, core.now())?;
    Ok(invitation.map(|invitation| invitation.url))
}

fn renew_key(host: &Host, account: AccountId, name: &str, months: Option<u8>) -> Result<Reply, CommandError> {
    let key = host.core.secrets.api_key();
    let hash = secret::sha256(key.as_bytes());
    let expiry = months.map(|months| expiry_after(host.core.now(), months));
    let wanted = name.to_owned();
    let done = host.core.perform_blocking(&operator_of(account), move |tx, by| {
        admins_ops::get_key(tx, &by.caller, &wanted, hash, expiry, by.now)
    });
    match done {
        Ok(made) => {
            let expiry = expiry.map(Timestamp::rfc3339);
            Ok(Reply::Key(KeyReply { id: made.admin.0, api_key: key, expiry }))
        }
        Err(error) => Err(error.into()),
    }
}

/// The holder of a key with what is kept of the key itself.
fn with_key(host: &Host, account: AccountId, mut admin: Value) -> Result<Value, StoreError> {
    let Some(id) = admin["id"].as_u64() else { return Ok(admin) };
    let key = admins::key_of(&host.core.store.read()?, account, id)?;
    admin["expiry"] = key.as_ref().and_then(|key| key.expiry).map(Timestamp::rfc3339).into();
    admin["created"] = key.map(|key| key.created.rfc3339()).into();
    Ok(admin)
}
