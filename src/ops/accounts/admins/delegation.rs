//! People who look after a list: administrators who are limited to lists, and to this one among them. Where the account
//! allows it, each may invite others to the list and take them out, with no more rights than its own.
//!
//! Administrators of the whole account may do the same here for every list; everything else about administrators is in
//! [`manage`](super::manage).

use std::collections::BTreeSet;

use super::invite::invite;
use super::manage::noted;
use super::{FIRST_NOTIFICATIONS, Kind, NewAdmin, of_account, put};
use crate::clock::Timestamp;
use crate::model::{
    Account, Admin, AdminId, AuditAction, CustomFieldId, EmailAddress, List, ListId, Permission,
};
use crate::ops::audit;
use crate::ops::authority::{is_limit, limits_of};
use crate::ops::people::contacts::account_of;
use crate::ops::people::memberships::list_named;
use crate::ops::{Caller, OpContext, OpError, Problems, Right, Wrong, sessions};
use crate::schema::ADMIN_BY_USERNAME;
use crate::store::{Key, Read, StoreError, WriteTx};

/// Somebody who is asked to look after a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Invited {
    /// The person's address; `None` if it is missing or wrong.
    pub username: Option<EmailAddress>,
    /// First name.
    pub firstname: String,
    /// Surname.
    pub surname: String,
    /// The rights that a new administrator gets for the list.
    pub permissions: BTreeSet<Permission>,
    /// The problems found in the call's values.
    pub problems: Problems,
}

/// Whether the caller may say who looks after the lists that it sees.
#[must_use]
pub fn may_delegate(account: &Account, caller: &Caller) -> bool {
    let is_head = caller.holds(Permission::AccountAdmin);
    let is_of_lists = caller.limits.lists().is_some() && caller.require_read().is_ok();
    is_head || (account.settings.list_delegation && is_of_lists)
}

/// The rights that the caller may give: those that it holds, but never the account's.
#[must_use]
pub fn to_give(caller: &Caller) -> Vec<Permission> {
    let all = Permission::ALL.iter().copied();
    all.filter(|right| !is_limit(*right) && *right != Permission::AccountAdmin && caller.holds(*right))
        .collect()
}

fn require(tx: &impl Read, caller: &Caller, list: &str) -> Result<(Account, List), OpError> {
    let account = account_of(tx, caller)?;
    let list = list_named(tx, caller, list)?;
    caller.require_to_empower()?;
    if may_delegate(&account, caller) {
        Ok((account, list))
    } else {
        Err(OpError::Forbidden { permission: Permission::AccountAdmin })
    }
}

/// The people who look after a list, oldest first: administrators limited to lists of which it is one.
pub fn of_list(tx: &impl Read, list: &List) -> Result<Vec<Admin>, StoreError> {
    let mut admins = of_account(tx, Some(list.account))?;
    admins.retain(|admin| admin.api == 0 && looks_after(admin, list.id));
    Ok(admins)
}

fn looks_after(admin: &Admin, list: ListId) -> bool {
    admin.permissions.contains(&Permission::LimitLists) && admin.limit_lists.contains(&list)
}

/// Whether the caller holds every right of an administrator and sees every custom field that it sees.
fn covers(caller: &Caller, admin: &Admin) -> bool {
    let holds = |right: &Permission| is_limit(*right) || caller.holds(*right);
    let fields = limits_of(admin);
    let sees = match (caller.limits.fields(), fields.fields()) {
        (None, _) => true,
        (Some(own), Some(others)) => others.is_subset(own),
        (Some(_), None) => false,
    };
    admin.permissions.iter().all(holds) && sees
}

/// Has a person look after a list. A new administrator gets the rights that the call names and is mailed the link to
/// choose a password; one who looks after other lists keeps the rights that it has.
pub fn invite_to(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    list: &str,
    invited: Invited,
) -> Result<Admin, OpError> {
    let caller = &*by.caller;
    let (_, list) = require(tx, caller, list)?;
    let Invited { username, firstname, surname, permissions, mut problems } = invited;
    if username.is_none() && !problems.names("username") {
        problems.add("username", Wrong::PersonNeeded);
    }
    let allowed = to_give(caller);
    for right in permissions.iter().filter(|right| !allowed.contains(right)) {
        problems.add("permissions", Wrong::CannotGive { right: Right(*right) });
    }
    problems.into_result()?;
    let Some(username) = username else { return Err(OpError::invalid("username", Wrong::Needed)) };
    let key = Key::new().u64(list.account.0).text(&username.folded());
    match tx.find::<Admin>(&ADMIN_BY_USERNAME, &key)? {
        Some(known) => add_list(tx, caller, &list, known, by.now),
        None if permissions.is_empty() => Err(OpError::invalid("permissions", Wrong::RightNeeded)),
        None => {
            let person = NewAdmin { firstname, surname, ..new_admin(caller, &list, username, permissions) };
            let admin = super::create(tx, person, by.now)?;
            audit::note(tx, caller, noted(AuditAction::AdminCreated, &admin), by.now)?;
            invite(tx, &by.mail_context, &admin, by.now)?;
            Ok(admin)
        }
    }
}

/// A new administrator of one list, with the caller's own limits for custom fields.
fn new_admin(
    caller: &Caller,
    list: &List,
    username: EmailAddress,
    permissions: BTreeSet<Permission>,
) -> NewAdmin {
    let mut person = NewAdmin::new(Some(list.account), Kind::Person { username }, permissions);
    person.permissions.insert(Permission::LimitLists);
    person.limit_lists = vec![list.id];
    if let Some(fields) = caller.limits.fields() {
        person.permissions.insert(Permission::LimitMetadata);
        person.limit_metadata = fields.iter().copied().collect::<Vec<CustomFieldId>>();
    }
    person.notifications = FIRST_NOTIFICATIONS.into();
    person
}

/// Adds a list to those that an administrator looks after.
fn add_list(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    list: &List,
    mut admin: Admin,
    now: Timestamp,
) -> Result<Admin, OpError> {
    if looks_after(&admin, list.id) || !admin.permissions.contains(&Permission::LimitLists) {
        // Whoever is not limited to lists looks after all of them.
        return Err(OpError::conflict("username", Wrong::LooksAfter));
    }
    if !covers(caller, &admin) {
        return Err(OpError::conflict("username", Wrong::OtherRights));
    }
    admin.limit_lists.push(list.id);
    store(tx, caller, &admin, now)?;
    Ok(admin)
}

/// Takes a list from those that an administrator looks after. The administrator stays, with the lists that are left.
pub fn take_out(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    list: &str,
    id: AdminId,
    now: Timestamp,
) -> Result<Admin, OpError> {
    let (account, list) = require(tx, caller, list)?;
    let found = tx.get::<Admin>(id.0)?.filter(|admin| admin.account == Some(account.id));
    let mut admin = found
        .filter(|admin| admin.api == 0 && looks_after(admin, list.id))
        .ok_or(OpError::NotFound { what: "administrator" })?;
    if !covers(caller, &admin) {
        return Err(OpError::Forbidden { permission: Permission::AccountAdmin });
    }
    admin.limit_lists.retain(|other| *other != list.id);
    store(tx, caller, &admin, now)?;
    Ok(admin)
}

/// Stores an administrator with other lists; its sessions had the former ones.
fn store(tx: &mut WriteTx<'_>, caller: &Caller, admin: &Admin, now: Timestamp) -> Result<(), OpError> {
    put(tx, admin)?;
    sessions::end_of_admin(tx, admin)?;
    audit::note(tx, caller, noted(AuditAction::AdminUpdated, admin).fields(&["limit_lists"]), now)?;
    Ok(())
}
