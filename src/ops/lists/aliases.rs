//! Aliases: addresses of an account whose mail goes to other addresses. Received mail asks for their targets; the API
//! and the command line change them.
//!
//! Aliases and lists share their names, so an address has one meaning. No alias leads back to itself, however many
//! others lie between. A circle can only be closed by writing one of its aliases, so the check follows the alias that
//! is written.
//!
//! An alias leads to a limited number of addresses, counting all that its aliases lead to, so that one mail from a
//! stranger cannot become thousands.

use std::collections::HashSet;

use crate::clock::Timestamp;
use crate::model::list::NameError;
use crate::model::{
    AccountDomain, AccountId, Alias, AliasId, AuditAction, EmailAddress, ListId, ListName, Permission,
};
use crate::ops::audit::{self, Note, changed_fields};
use crate::ops::{Caller, Change, OpError, Page, PageRequest, Problems, Wrong, records, window_ids};
use crate::schema::{
    ALIAS_BY_ACCOUNT, ALIAS_BY_DESTINATION, ALIAS_BY_SOURCE, ALIAS_COUNT, DOMAIN_BY_ACCOUNT, DOMAIN_BY_NAME,
    LIST_BY_NAME,
};
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

/// Destinations that an alias may have (seed, "Limits").
pub const DESTINATIONS_MAX: usize = 20;

/// Addresses outside of the account's lists to which mail to an alias may be passed on, counting through other aliases.
pub const OUTSIDE_MAX: usize = 20;
/// Addresses that are followed from one alias: other aliases, lists and addresses outside.
pub const FOLLOWED_MAX: usize = 100;
/// Aliases leading to a written alias that are checked with it. Any others are checked when mail arrives.
const LEADING_MAX: usize = 50;

/// The reason why an alias leads to too many addresses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AliasTooLarge {
    /// Too many addresses outside of the account's lists.
    #[error("{}", Wrong::from(*self))]
    Outside,
    /// Too many addresses in total.
    #[error("{}", Wrong::from(*self))]
    Followed,
}

impl From<AliasTooLarge> for Wrong {
    fn from(too_large: AliasTooLarge) -> Wrong {
        match too_large {
            AliasTooLarge::Outside => Wrong::AliasOutside { max: OUTSIDE_MAX },
            AliasTooLarge::Followed => Wrong::AliasFollowed { max: FOLLOWED_MAX },
        }
    }
}

/// The alias in a call.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AliasInput {
    /// Its name.
    pub source: Change<ListName>,
    /// Where its mail goes.
    pub destination: Change<Vec<EmailAddress>>,
    /// The problems found in the call's values.
    pub problems: Problems,
}

/// The alias of an account with this name; case is ignored.
pub(crate) fn find(tx: &impl Read, account: AccountId, source: &str) -> Result<Option<Alias>, StoreError> {
    tx.find(&ALIAS_BY_SOURCE, &Key::new().u64(account.0).text(&source.to_ascii_lowercase()))
}

/// The alias of this name.
pub fn get(tx: &impl Read, caller: &Caller, source: &str) -> Result<Alias, OpError> {
    caller.require_read()?;
    caller.require_all_lists("using aliases")?;
    find(tx, caller.account, source)?.ok_or(OpError::NotFound { what: "alias" })
}

/// The aliases of an account, oldest first. Their objects show no id: a position is the number of aliases before it.
pub fn list(tx: &impl Read, caller: &Caller, window: PageRequest) -> Result<Page<Alias>, OpError> {
    caller.require_read()?;
    caller.require_all_lists("using aliases")?;
    let of_account = Key::new().u64(caller.account.0);
    let count = tx.count(&ALIAS_COUNT, &of_account)?;
    let range = IndexRange::prefix(of_account);
    let ids = match window {
        PageRequest::All | PageRequest::Page { .. } => window_ids(tx, &ALIAS_BY_ACCOUNT, range, window)?,
        PageRequest::After { after, limit } => {
            let before = usize::try_from(after).unwrap_or(usize::MAX);
            let mut ids = tx.ids(&ALIAS_BY_ACCOUNT, &range, before.saturating_add(limit))?;
            ids.drain(..before.min(ids.len()));
            ids
        }
    };
    Ok(Page { rows: records(tx, &ids)?, count })
}

/// Creates an alias.
pub fn create(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    input: AliasInput,
    now: Timestamp,
) -> Result<Alias, OpError> {
    caller.require(Permission::ManageSettings)?;
    caller.require_all_lists("using aliases")?;
    let AliasInput { source, destination, mut problems } = input;
    if source.is_none() {
        problems.add("source", NameError::Empty);
    }
    if destination.is_none() {
        problems.add("destination", Wrong::AddressNeeded);
    }
    let (Some(source), Some(destination)) = (source, destination) else {
        return Err(problems.into_result().err().unwrap_or(OpError::NotFound { what: "alias" }));
    };
    let id = AliasId(tx.next_id::<Alias>()?);
    let alias = checked(tx, Alias { id, account: caller.account, source, destination }, problems)?;
    put(tx, &alias)?;
    let made = Note::new(AuditAction::AliasCreated, alias.id.0).named(alias.source.as_str());
    audit::note(tx, caller, made, now)?;
    Ok(alias)
}

/// Changes an alias; its name may change too.
pub fn update(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    source: &str,
    input: AliasInput,
    now: Timestamp,
) -> Result<Alias, OpError> {
    caller.require(Permission::ManageSettings)?;
    caller.require_all_lists("using aliases")?;
    let mut alias = get(tx, caller, source)?;
    let AliasInput { source, destination, problems } = input;
    let before = alias.clone();
    alias.source = source.unwrap_or(alias.source);
    alias.destination = destination.unwrap_or(alias.destination);
    let alias = checked(tx, alias, problems)?;
    let changed = changed_fields(&before, &alias);
    if !changed.is_empty() {
        put(tx, &alias)?;
        let changed =
            Note::new(AuditAction::AliasUpdated, alias.id.0).named(alias.source.as_str()).fields(&changed);
        audit::note(tx, caller, changed, now)?;
    }
    Ok(alias)
}

/// Deletes an alias.
pub fn delete(tx: &mut WriteTx<'_>, caller: &Caller, source: &str, now: Timestamp) -> Result<(), OpError> {
    caller.require(Permission::ManageSettings)?;
    caller.require_all_lists("using aliases")?;
    let alias = get(tx, caller, source)?;
    tx.delete::<Alias>(alias.id.0)?;
    let deleted = Note::new(AuditAction::AliasDeleted, alias.id.0).named(alias.source.as_str());
    audit::note(tx, caller, deleted, now)?;
    Ok(())
}

/// The alias with each destination once, if its values are valid.
fn checked(tx: &impl Read, mut alias: Alias, mut problems: Problems) -> Result<Alias, OpError> {
    let mut known = HashSet::new();
    alias.destination.retain(|address| known.insert(address.folded()));
    if !problems.names("destination") {
        if alias.destination.is_empty() || DESTINATIONS_MAX < alias.destination.len() {
            problems.add("destination", Wrong::Destinations { max: DESTINATIONS_MAX });
        } else if let Err(too_large) = targets(tx, &alias)? {
            problems.add("destination", too_large);
        } else if let Some(address) = circle(tx, &alias)? {
            let (address, source) = (address.clone(), alias.source.clone());
            problems.add("destination", Wrong::LeadsBack { address, source });
        } else if let Some((leading, too_large)) = overfilled(tx, &alias)? {
            let problem = Box::new(too_large.into());
            problems.add("destination", Wrong::OtherAlias { leading, problem });
        }
    }
    problems.into_result()?;
    if find_list(tx, &alias)? {
        return Err(OpError::conflict("source", Wrong::TakenByList { name: alias.source }));
    }
    Ok(alias)
}

fn put(tx: &mut WriteTx<'_>, alias: &Alias) -> Result<(), OpError> {
    tx.put(alias).map_err(|error| match error {
        StoreError::Duplicate { index } if index == ALIAS_BY_SOURCE.name() => {
            OpError::conflict("source", Wrong::TakenByOtherAlias { name: alias.source.clone() })
        }
        other => other.into(),
    })
}

/// Whether a list of the account has the alias's name.
fn find_list(tx: &impl Read, alias: &Alias) -> Result<bool, StoreError> {
    tx.exists(&LIST_BY_NAME, &Key::new().u64(alias.account.0).text(&alias.source.folded()))
}

/// The destination of `alias` through which it leads back to itself, if there is one.
fn circle<'alias>(tx: &impl Read, alias: &'alias Alias) -> Result<Option<&'alias EmailAddress>, StoreError> {
    let mut seen = HashSet::new();
    for destination in &alias.destination {
        let mut waiting = vec![destination.clone()];
        while let Some(address) = waiting.pop() {
            let Some(name) = local_name(tx, alias.account, &address)? else { continue };
            if name == alias.source.folded() {
                return Ok(Some(destination));
            }
            if seen.insert(name.clone())
                && let Some(other) = find(tx, alias.account, &name)?.filter(|other| other.id != alias.id)
            {
                waiting.extend(other.destination);
            }
        }
    }
    Ok(None)
}

/// An alias that leads to `alias` and would lead to too many addresses with it; `alias` itself is within the limits.
fn overfilled(tx: &impl Read, alias: &Alias) -> Result<Option<(ListName, AliasTooLarge)>, StoreError> {
    let domains: Vec<AccountDomain> =
        tx.page(&DOMAIN_BY_ACCOUNT, &Key::new().u64(alias.account.0).into(), usize::MAX)?;
    let mut seen = HashSet::from([alias.id]);
    let mut waiting = vec![alias.source.folded()];
    while let Some(name) = waiting.pop() {
        for domain in &domains {
            let Ok(address) = EmailAddress::parse(&format!("{name}@{}", domain.name)) else { continue };
            let address = Key::new().u64(alias.account.0).text(&address.folded());
            for leading in tx.page(&ALIAS_BY_DESTINATION, &address.into(), LEADING_MAX)? {
                if LEADING_MAX < seen.len() {
                    return Ok(None);
                }
                if !seen.insert(leading.id) {
                    continue;
                }
                if let Err(too_large) = targets_with(tx, &leading, Some(alias))?
                    && targets(tx, &leading)?.is_ok()
                {
                    return Ok(Some((leading.source, too_large)));
                }
                waiting.push(leading.source.folded());
            }
        }
    }
    Ok(None)
}

/// The targets of mail to an alias, with all further aliases followed.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    /// Lists of the account that the mail is posted to.
    pub(crate) lists: Vec<ListId>,
    /// Addresses outside that the mail is passed on to.
    pub(crate) outside: Vec<EmailAddress>,
}

/// The targets of mail to an alias; an error if there are too many.
pub(crate) fn targets(tx: &impl Read, alias: &Alias) -> Result<Result<Targets, AliasTooLarge>, StoreError> {
    targets_with(tx, alias, None)
}

/// The same, as if `changed` were stored already.
fn targets_with(
    tx: &impl Read,
    alias: &Alias,
    changed: Option<&Alias>,
) -> Result<Result<Targets, AliasTooLarge>, StoreError> {
    let find = |name: &str| match changed {
        Some(changed) if changed.source.folded() == name => Ok(Some(changed.clone())),
        Some(changed) => Ok(find(tx, alias.account, name)?.filter(|found| found.id != changed.id)),
        None => find(tx, alias.account, name),
    };
    let mut targets = Targets::default();
    let mut seen = HashSet::from([alias.source.folded()]);
    let mut waiting = alias.destination.clone();
    while let Some(address) = waiting.pop() {
        if OUTSIDE_MAX < targets.outside.len() {
            return Ok(Err(AliasTooLarge::Outside));
        }
        if FOLLOWED_MAX < seen.len() {
            return Ok(Err(AliasTooLarge::Followed));
        }
        let Some(name) = local_name(tx, alias.account, &address)? else {
            if seen.insert(address.folded()) {
                targets.outside.push(address);
            }
            continue;
        };
        if !seen.insert(name.clone()) {
            continue;
        }
        if let Some(other) = find(&name)? {
            waiting.extend(other.destination);
        } else if let Some(list) = tx.find(&LIST_BY_NAME, &Key::new().u64(alias.account.0).text(&name))? {
            targets.lists.push(list.id);
        } else {
            // No list or alias has this name, or the address has a meaning of its own: the mail is queued like any
            // other.
            targets.outside.push(address);
        }
    }
    Ok(if OUTSIDE_MAX < targets.outside.len() { Err(AliasTooLarge::Outside) } else { Ok(targets) })
}

/// The local part of an address at one of the account's domains, in the form in which names are compared.
fn local_name(
    tx: &impl Read,
    account: AccountId,
    address: &EmailAddress,
) -> Result<Option<String>, StoreError> {
    let domain = tx.find(&DOMAIN_BY_NAME, &Key::new().text(address.domain()))?;
    let is_ours = domain.is_some_and(|domain| domain.account == account);
    Ok(is_ours.then(|| address.local().to_ascii_lowercase()))
}
