//! The hosts under which other servers had the lists of accounts before. A request there is led on to the account's own
//! pages; `ops::archive::old_links` says where.

use super::sites::{self, Host, OwnHost, host_in};
use super::{check_domain, find as find_domain, kept_name};
use crate::clock::Timestamp;
use crate::config::Config;
use crate::model::{AccountId, AuditAction, Domain, OldName, OldNameId, Permission};
use crate::ops::audit::{self, Note};
use crate::ops::{Caller, OpError, Wrong};
use crate::schema::{OLD_NAME_BY_ACCOUNT, OLD_NAME_BY_HOST, old_host};
use crate::store::{Key, Read, StoreError, WriteTx};

/// The host that a request names, if it may be an old one: a name that is not this server's own. `authority` is the host in
/// the request, with or without a port.
#[must_use]
pub fn named(config: &Config, authority: Option<&str>) -> Option<Domain> {
    let host = authority.and_then(host_in)?;
    let is_own = OwnHost::of(config).is(&host);
    match host {
        Host::Name(name) if !is_own => Some(name),
        Host::Name(_) | Host::Address(_) => None,
    }
}

/// The old host of this name in A-label form, even if it has pages of its own.
pub fn find_known(tx: &impl Read, name: &Domain) -> Result<Option<OldName>, StoreError> {
    tx.find(&OLD_NAME_BY_HOST, &old_host(name))
}

/// The old host of this name; `None` if it is none, or has pages of its own.
pub fn find(tx: &impl Read, name: &Domain) -> Result<Option<OldName>, StoreError> {
    let Some(found) = find_known(tx, name)? else { return Ok(None) };
    Ok((!sites::is_web_domain(tx, name)?).then_some(found))
}

/// The name of the host in a request, without its port; `None` for an address, and for none.
#[must_use]
pub fn host_name(authority: &str) -> Option<Domain> {
    match host_in(authority)? {
        Host::Name(name) => Some(name),
        Host::Address(_) => None,
    }
}

/// Whether requests at this host are led on.
pub fn is_old_name(tx: &impl Read, name: &Domain) -> Result<bool, StoreError> {
    tx.exists(&OLD_NAME_BY_HOST, &old_host(&kept_name(name)))
}

/// The old hosts of an account, oldest first.
pub fn of_account(tx: &impl Read, account: AccountId) -> Result<Vec<OldName>, StoreError> {
    tx.page(&OLD_NAME_BY_ACCOUNT, &Key::new().u64(account.0).into(), usize::MAX)
}

/// Has requests at a host led on to the account. Returns whether that is news.
pub fn add(tx: &mut WriteTx<'_>, caller: &Caller, host: &Domain, now: Timestamp) -> Result<bool, OpError> {
    caller.require(Permission::AccountAdmin)?;
    let (account, host) = (caller.account, kept_name(host));
    check_domain(&host).map_err(|wrong| OpError::invalid("url", wrong))?;
    let taken = || OpError::conflict("url", Wrong::TakenOnServer { name: host.clone() });
    if find_domain(tx, &host)?.is_some_and(|domain| domain.account != account) {
        return Err(taken());
    }
    match find_known(tx, &host)? {
        Some(known) if known.account == account => return Ok(false),
        Some(_) => return Err(taken()),
        None => {}
    }
    let id = OldNameId(tx.next_id::<OldName>()?);
    tx.put(&OldName { id, account, host: host.clone(), since: now })?;
    note(tx, caller, &host, "old host", now)?;
    Ok(true)
}

/// No longer leads requests at a host on. Returns whether they were.
pub fn remove(tx: &mut WriteTx<'_>, caller: &Caller, host: &Domain, now: Timestamp) -> Result<bool, OpError> {
    caller.require(Permission::AccountAdmin)?;
    let host = kept_name(host);
    let Some(known) = find_known(tx, &host)?.filter(|known| known.account == caller.account) else {
        return Ok(false);
    };
    tx.delete::<OldName>(known.id.0)?;
    note(tx, caller, &host, "old host deleted", now)?;
    Ok(true)
}

fn note(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    host: &Domain,
    detail: &str,
    now: Timestamp,
) -> Result<(), OpError> {
    let changed =
        Note::new(AuditAction::AccountUpdated, caller.account.0).named(host.as_str()).detail(detail);
    audit::note(tx, caller, changed, now)?;
    Ok(())
}
