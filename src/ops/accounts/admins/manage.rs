//! Administrators as objects of an account or of the whole server: lists, creates, changes and deletes them. The API
//! and the command line call it.
//!
//! An application changes nobody here unless its person proved the identity before it allowed that.
//!
//! Nobody gains permissions here: a caller can give only those that it holds, and a limited caller sees and creates
//! only administrators within its own limits. Administrators outside of them are answered as if they did not exist.

use std::collections::BTreeSet;

use super::invite::invite;
use super::{KEY_API, keys_of, of_account, put};
use crate::clock::Timestamp;
use crate::model::admin::{MfaType, Notification};
use crate::model::{
    Account, AccountId, Admin, AdminId, ApiKey, AuditAction, Cidr, CustomField, CustomFieldId, EmailAddress,
    List, ListId, ListName, Permission, SecondFactor,
};
use crate::ops::accounts::factors::{self, FactorChange};
use crate::ops::accounts::providers;
use crate::ops::archive::compose_drafts;
use crate::ops::audit::{self, Note, changed_fields};
use crate::ops::authority::limits_of;
use crate::ops::context::MailContext;
use crate::ops::limits::Limits;
use crate::ops::oauth::grants;
use crate::ops::paging::window_of;
use crate::ops::people::{contacts, memberships};
use crate::ops::{
    Caller, Change, OpContext, OpError, Page, PageRequest, Problems, Wrong, records, sessions, window_ids,
};
use crate::schema::{
    ADMIN_BY_ACCOUNT, ADMIN_BY_USERNAME, ADMIN_COUNT, SCHEDULED_MESSAGE_BY_ADMIN, TYPED_FORM_BY_ADMIN,
    typed_form_admin,
};
use crate::store::{Key, Read, StoreError, WriteTx, is_stored_alike};

/// An administrator with everything that its object shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdminDetail {
    /// The record.
    pub admin: Admin,
    /// The keys of the custom fields it is limited to.
    pub limit_metadata: Vec<String>,
    /// The names of the lists it is limited to.
    pub limit_lists: Vec<ListName>,
}

/// The administrator in a call; fields that it leaves out do not change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AdminInput {
    /// API version: 0 for a person, 2 for the holder of a key.
    pub api: Change<u8>,
    /// The address of a person.
    pub username: Change<Option<EmailAddress>>,
    /// The purpose of a key.
    pub description: Change<String>,
    /// First name.
    pub firstname: Change<String>,
    /// Surname.
    pub surname: Change<String>,
    /// Networks from which a key may be used.
    pub cidr: Change<Vec<Cidr>>,
    /// Whether the account's image is shown.
    pub custom_image: Change<bool>,
    /// Second factor.
    pub mfa_type: Change<Option<MfaType>>,
    /// The provider by which a person signs in; no password then lets it in.
    pub authn_provider: Change<Option<String>>,
    /// The notifications it gets by mail.
    pub notifications: Change<BTreeSet<Notification>>,
    /// The permissions it has.
    pub permissions: Change<BTreeSet<Permission>>,
    /// Identifiers or names of the custom fields it is limited to.
    pub limit_metadata: Change<Vec<String>>,
    /// Names of the lists it is limited to.
    pub limit_lists: Change<Vec<String>>,
    /// Whether a new person, or one whose address changes, is mailed the link to choose a password; if unset, it is.
    pub welcome_email: Change<bool>,
    /// The problems found in the call's values.
    pub problems: Problems,
}

/// The account in which `caller` works; `None` for the whole server, which has no lists and no fields.
fn account_of(tx: &impl Read, caller: &Caller) -> Result<Option<Account>, OpError> {
    match caller.tenant() {
        None => Ok(None),
        Some(_) => contacts::account_of(tx, caller).map(Some),
    }
}

fn scope(caller: &Caller) -> Key {
    Key::new().u64(caller.account.0)
}

/// Whether `admin` exists for the caller: everybody sees itself, and an `account_admin` sees everybody within its
/// limits.
pub(in crate::ops) fn is_seen(caller: &Caller, admin: &Admin) -> bool {
    caller.is_admin(admin.id)
        || caller.holds(Permission::AccountAdmin) && caller.limits.contain(&limits_of(admin))
}

/// The administrator of this id or username, if it exists for the caller.
fn find(tx: &impl Read, caller: &Caller, name: &str) -> Result<Option<Admin>, StoreError> {
    let found = if name.contains('@') {
        match EmailAddress::parse(name) {
            Ok(username) => tx.find(&ADMIN_BY_USERNAME, &scope(caller).text(&username.folded()))?,
            Err(_) => None,
        }
    } else {
        contacts::parse_id(name).map_or(Ok(None), |id| tx.get::<Admin>(id))?
    };
    Ok(found.filter(|admin| admin.account == caller.tenant() && is_seen(caller, admin)))
}

fn get_record(tx: &impl Read, caller: &Caller, name: &str) -> Result<Admin, OpError> {
    find(tx, caller, name)?.ok_or(OpError::NotFound { what: "administrator" })
}

fn detail(tx: &impl Read, account: Option<&Account>, admin: Admin) -> Result<AdminDetail, StoreError> {
    let mut limit_lists = Vec::with_capacity(admin.limit_lists.len());
    for list in &admin.limit_lists {
        // Numbers are never used again, so the number of a deleted list refers to no list.
        limit_lists.extend(tx.get::<List>(list.0)?.map(|list| list.name));
    }
    let fields = account.map_or(&[][..], |account| &account.custom_fields);
    let key_of = |id: &CustomFieldId| fields.iter().find(|field| field.id == *id).map(CustomField::key);
    let limit_metadata = admin.limit_metadata.iter().filter_map(key_of).map(str::to_owned).collect();
    Ok(AdminDetail { admin, limit_metadata, limit_lists })
}

/// The administrator of this id or username.
pub fn get(tx: &impl Read, caller: &Caller, name: &str) -> Result<AdminDetail, OpError> {
    let Some(admin) = find(tx, caller, name)? else {
        // Only callers that may see other administrators learn whether one exists.
        caller.require(Permission::AccountAdmin)?;
        return Err(OpError::NotFound { what: "administrator" });
    };
    let account = account_of(tx, caller)?;
    Ok(detail(tx, account.as_ref(), admin)?)
}

/// The administrators that exist for the caller, by id.
pub fn list(tx: &impl Read, caller: &Caller, window: PageRequest) -> Result<Page<AdminDetail>, OpError> {
    let account = account_of(tx, caller)?;
    let sees_all = caller.holds(Permission::AccountAdmin) && caller.limits == Limits::default();
    let page = if sees_all {
        let ids = window_ids(tx, &ADMIN_BY_ACCOUNT, scope(caller).into(), window)?;
        Page { rows: records(tx, &ids)?, count: tx.count(&ADMIN_COUNT, &scope(caller))? }
    } else {
        let mut seen: Vec<Admin> = of_account(tx, caller.tenant())?;
        seen.retain(|admin| is_seen(caller, admin));
        let count = u64::try_from(seen.len()).unwrap_or(u64::MAX);
        Page { rows: window_of(seen, window, |admin| admin.id.0), count }
    };
    let rows = page.rows.into_iter().map(|admin| detail(tx, account.as_ref(), admin));
    Ok(Page { rows: rows.collect::<Result<Vec<_>, _>>()?, count: page.count })
}

/// Creates an administrator; a person is mailed the link to choose a password.
pub fn create(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    mut input: AdminInput,
    mail_context: &MailContext,
    now: Timestamp,
) -> Result<AdminDetail, OpError> {
    caller.require(Permission::AccountAdmin)?;
    caller.require_to_empower()?;
    let account = account_of(tx, caller)?;
    let has_username = input.username.as_ref().is_some_and(Option::is_some);
    if input.api != Some(KEY_API) && !has_username && !input.problems.names("username") {
        input.problems.add("username", Wrong::PersonOrKeyNeeded);
    }
    check_provider(mail_context, &mut input);
    let id = AdminId(tx.next_id::<Admin>()?);
    let admin = Admin::new(id, caller.tenant(), input.api.unwrap_or(0), now);
    let is_invited = input.welcome_email.unwrap_or(true);
    let admin = changed(tx, caller, account.as_ref(), admin, input)?;
    put(tx, &admin)?;
    audit::note(tx, caller, noted(AuditAction::AdminCreated, &admin), now)?;
    // Whoever signs in elsewhere chooses no password here.
    if is_invited && admin.authn_provider.is_none() {
        invite(tx, mail_context, &admin, now)?;
    }
    Ok(detail(tx, account.as_ref(), admin)?)
}

/// Changes an administrator. A person whose address is changed by another administrator loses the password, which the
/// reader of the old address chose, and is mailed the link to choose one at the new address.
pub fn update(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    name: &str,
    mut input: AdminInput,
    mail_context: &MailContext,
    now: Timestamp,
) -> Result<AdminDetail, OpError> {
    caller.require(Permission::AccountAdmin)?;
    caller.require_to_empower()?;
    let account = account_of(tx, caller)?;
    let before = get_record(tx, caller, name)?;
    if input.api.is_some_and(|api| api != before.api) {
        input.problems.add("api", Wrong::CannotChange);
    }
    if before.api == 0 && input.username == Some(None) {
        input.problems.add("username", Wrong::PersonKeepsAddress);
    }
    check_provider(mail_context, &mut input);
    let is_invited = input.welcome_email.unwrap_or(true);
    let takes_factor_off = takes_factor_off(tx, &before, &mut input)?;
    let mut after = changed(tx, caller, account.as_ref(), before.clone(), input)?;
    if takes_factor_off {
        tx.delete::<SecondFactor>(after.id.0)?;
        factors::tell(tx, mail_context, &before, FactorChange::TakenOff, now)?;
    }
    let is_renamed = is_renamed_by_another(caller, &before, &after);
    if is_renamed {
        // They belong to whoever reads the mail of the old address.
        after.password_hash = None;
        tx.delete::<SecondFactor>(after.id.0)?;
        after.mfa_type = None;
    }
    if !after.permissions.contains(&Permission::AccountAdmin) {
        keep_one(tx, &before)?;
    }
    if !is_stored_alike(&after, &before)? {
        put(tx, &after)?;
        let changed = changed_fields(&before, &after);
        audit::note(tx, caller, noted(AuditAction::AdminUpdated, &after).fields(&changed), now)?;
    }
    let is_limited_otherwise =
        after.limit_lists != before.limit_lists || after.limit_metadata != before.limit_metadata;
    let is_proven_otherwise = after.authn_provider != before.authn_provider;
    if is_renamed || is_proven_otherwise {
        providers::forget(tx, &after)?;
    }
    // The sessions belong to the former person, or have former permissions.
    let is_signed_in_otherwise = is_renamed || takes_factor_off || is_proven_otherwise;
    if is_signed_in_otherwise || after.permissions != before.permissions || is_limited_otherwise {
        sessions::end_of_admin(tx, &after)?;
    }
    // What an application may do follows the permissions; but the former person allowed it.
    if is_renamed {
        grants::end_of_admin(tx, &after)?;
    }
    if is_renamed && is_invited && after.authn_provider.is_none() {
        invite(tx, mail_context, &after, now)?;
    }
    Ok(detail(tx, account.as_ref(), after)?)
}

/// Whether a call takes the factor off that a person has set up. Another kind cannot be set from outside, since only the
/// person has its key; a person without a factor may be asked for one.
fn takes_factor_off(tx: &impl Read, before: &Admin, input: &mut AdminInput) -> Result<bool, StoreError> {
    let Some(real) = factors::kind_of(tx, before.id)? else { return Ok(false) };
    match input.mfa_type {
        Some(None) => Ok(true),
        Some(Some(kind)) if kind != real => {
            input.problems.add("mfa_type", Wrong::OtherFactor);
            Ok(false)
        }
        _ => Ok(false),
    }
}

/// Notes a problem if the call names a provider that is not configured.
fn check_provider(mail_context: &MailContext, input: &mut AdminInput) {
    let Some(Some(name)) = &input.authn_provider else { return };
    if !mail_context.config.oidc.iter().any(|provider| provider.name == *name) {
        input.problems.add("authn_provider", Wrong::NoProvider { name: name.clone() });
    }
}

/// Whether another administrator changes this one's address. A change of case is none.
fn is_renamed_by_another(caller: &Caller, before: &Admin, after: &Admin) -> bool {
    let address = |admin: &Admin| admin.username.as_ref().map(EmailAddress::folded);
    address(after) != address(before) && !caller.is_admin(before.id)
}

/// The administrator with the call's changes, if the caller may make them.
fn changed(
    tx: &impl Read,
    caller: &Caller,
    account: Option<&Account>,
    mut admin: Admin,
    input: AdminInput,
) -> Result<Admin, OpError> {
    let AdminInput {
        api: _,
        username,
        description,
        firstname,
        surname,
        cidr,
        custom_image,
        mfa_type,
        authn_provider,
        notifications,
        permissions,
        limit_metadata,
        limit_lists,
        // It concerns new administrators and new addresses alone.
        welcome_email: _,
        mut problems,
    } = input;
    if let Some(permissions) = permissions {
        for granted in permissions.difference(&admin.permissions) {
            caller.require_to_grant(*granted)?;
        }
        admin.permissions = permissions;
    }
    if admin.api == KEY_API {
        if username.as_ref().is_some_and(Option::is_some) {
            problems.add("username", Wrong::OfPeopleAlone);
        }
        if authn_provider.as_ref().is_some_and(Option::is_some) {
            problems.add("authn_provider", Wrong::OfPeopleAlone);
        }
    } else {
        if description.as_ref().is_some_and(|text| !text.is_empty()) {
            problems.add("description", Wrong::OfKeysAlone);
        }
        if cidr.as_ref().is_some_and(|networks| !networks.is_empty()) {
            problems.add("cidr", Wrong::OfKeysAlone);
        }
    }
    if let Some(names) = limit_lists {
        admin.limit_lists = limiting_lists(tx, caller, &names, &mut problems)?;
    }
    if let Some(names) = limit_metadata {
        admin.limit_metadata = limiting_fields(account, &names, &mut problems);
    }
    problems.into_result()?;
    admin.username = username.unwrap_or(admin.username);
    admin.description = description.unwrap_or(admin.description);
    admin.firstname = firstname.unwrap_or(admin.firstname);
    admin.surname = surname.unwrap_or(admin.surname);
    admin.cidr = cidr.unwrap_or(admin.cidr);
    admin.custom_image = custom_image.unwrap_or(admin.custom_image);
    admin.mfa_type = mfa_type.unwrap_or(admin.mfa_type);
    admin.authn_provider = authn_provider.unwrap_or(admin.authn_provider);
    admin.notifications = notifications.unwrap_or(admin.notifications);
    if caller.limits.contain(&limits_of(&admin)) {
        Ok(admin)
    } else {
        Err(OpError::Limited { what: "an administrator with wider limits than your own" })
    }
}

fn limiting_lists(
    tx: &impl Read,
    caller: &Caller,
    names: &[String],
    problems: &mut Problems,
) -> Result<Vec<ListId>, StoreError> {
    let mut ids = Vec::with_capacity(names.len());
    for name in names {
        let list = memberships::find_list(tx, caller, name)?;
        match list {
            None => problems.add("limit_lists", Wrong::NoList { name: name.clone() }),
            Some(list) if ids.contains(&list.id) => {}
            Some(list) => ids.push(list.id),
        }
    }
    Ok(ids)
}

fn limiting_fields(
    account: Option<&Account>,
    names: &[String],
    problems: &mut Problems,
) -> Vec<CustomFieldId> {
    let fields = account.map_or(&[][..], |account| &account.custom_fields);
    let mut ids = Vec::with_capacity(names.len());
    for name in names {
        let is_meant = |field: &&CustomField| field.key() == name || field.name == *name;
        match fields.iter().find(is_meant) {
            None => problems.add("limit_metadata", Wrong::NoField { name: name.clone() }),
            Some(field) if ids.contains(&field.id) => {}
            Some(field) => ids.push(field.id),
        }
    }
    ids
}

/// Refuses to remove the last administrator that can create others.
fn keep_one(tx: &impl Read, leaving: &Admin) -> Result<(), OpError> {
    let is_head = |admin: &Admin| admin.permissions.contains(&Permission::AccountAdmin);
    let others = of_account(tx, leaving.account)?;
    if !is_head(leaving) || others.iter().any(|admin| admin.id != leaving.id && is_head(admin)) {
        return Ok(());
    }
    Err(OpError::invalid("permissions", Wrong::LastHead))
}

/// Deletes an administrator with its keys.
pub fn delete(tx: &mut WriteTx<'_>, caller: &Caller, name: &str, now: Timestamp) -> Result<(), OpError> {
    caller.require(Permission::AccountAdmin)?;
    let admin = get_record(tx, caller, name)?;
    keep_one(tx, &admin)?;
    for key in keys_of(tx, &admin)? {
        tx.delete::<ApiKey>(key)?;
    }
    sessions::end_of_admin(tx, &admin)?;
    tx.delete::<SecondFactor>(admin.id.0)?;
    // What waits to be sent, or was typed, is the words of somebody who no longer speaks for the account.
    let scheduled = Key::new().u64(admin.id.0);
    tx.delete_range(&SCHEDULED_MESSAGE_BY_ADMIN, &scheduled.into(), usize::MAX)?;
    compose_drafts::forget(tx, admin.id)?;
    let typed = typed_form_admin(admin.account.unwrap_or(AccountId::SERVER), admin.id.0);
    tx.delete_range(&TYPED_FORM_BY_ADMIN, &typed.into(), usize::MAX)?;
    grants::end_of_admin(tx, &admin)?;
    providers::forget(tx, &admin)?;
    tx.delete::<Admin>(admin.id.0)?;
    audit::note(tx, caller, noted(AuditAction::AdminDeleted, &admin), now)?;
    Ok(())
}

/// Mails a person the link to choose a password once more.
pub fn invite_again(tx: &mut WriteTx<'_>, by: &OpContext, name: &str) -> Result<(), OpError> {
    by.caller.require(Permission::AccountAdmin)?;
    by.caller.require_to_empower()?;
    let admin = get_record(tx, &by.caller, name)?;
    if admin.username.is_none() {
        return Err(OpError::invalid("username", Wrong::PeopleInvited));
    }
    invite(tx, &by.mail_context, &admin, by.now)?;
    audit::note(tx, &by.caller, noted(AuditAction::AdminUpdated, &admin).detail("invitation"), by.now)?;
    Ok(())
}

/// Gives an administrator the key whose SHA-256 is `hash`, and revokes the earlier one.
pub fn get_key(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    name: &str,
    hash: [u8; 32],
    expiry: Option<Timestamp>,
    now: Timestamp,
) -> Result<ApiKey, OpError> {
    caller.require(Permission::AccountAdmin)?;
    caller.require_to_empower()?;
    let admin = get_record(tx, caller, name)?;
    if admin.api != KEY_API {
        return Err(OpError::invalid("get_key", Wrong::KeysAlone));
    }
    let key = super::create_key(tx, &admin, hash, expiry, now)?;
    audit::note(tx, caller, noted(AuditAction::AdminUpdated, &admin).detail("key"), now)?;
    Ok(key)
}

/// The audit log's note on an administrator: its address, or the purpose of its key.
pub(in crate::ops::accounts) fn noted(action: AuditAction, admin: &Admin) -> Note {
    let name = admin.username.as_ref().map_or(&*admin.description, EmailAddress::as_str);
    Note::new(action, admin.id.0).named(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Via;
    use crate::ops::accounts::admins::{Kind, NewAdmin, all_grants};
    use crate::store::{Store, StoreOptions};

    #[test]
    fn an_administrator_who_changes_its_own_address_keeps_its_password() {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("x.redb"), StoreOptions::default()).unwrap();
        let person = |address: &str| Kind::Person { username: EmailAddress::parse(address).unwrap() };
        let new = NewAdmin::new(Some(AccountId(1)), person("ada@example.org"), all_grants());
        let now = Timestamp::from_ms(1_800_000_000_000);
        let before =
            store.write_blocking(move |tx| crate::ops::accounts::admins::create(tx, new, now)).unwrap();
        let renamed =
            |address: &str| Admin { username: Some(EmailAddress::parse(address).unwrap()), ..before.clone() };
        let itself = Caller::admin(&before, AccountId(1), Via::Api, None);
        let other = Admin { id: AdminId(before.id.0 + 1), ..before.clone() };
        let another = Caller::admin(&other, AccountId(1), Via::Api, None);
        let eve = renamed("eve@example.org");
        assert!(!is_renamed_by_another(&itself, &before, &eve));
        assert!(is_renamed_by_another(&another, &before, &eve));
        assert!(is_renamed_by_another(&Caller::operator(AccountId(1)), &before, &eve));
        assert!(!is_renamed_by_another(&another, &before, &renamed("Ada@Example.org")));
    }
}
