//! Accounts as objects that are read, created, changed and deleted: all accounts by global keys, and each account by
//! its own administrators. The API and the command line call it.
//!
//! A key of one account sees that account and no other, whichever number it asks for.

use std::collections::BTreeMap;

use super::{NewAccount, put};
use crate::clock::Timestamp;
use crate::mail::template::Template;
use crate::model::account::SettingsChanges;
use crate::model::list::check_name;
use crate::model::{
    Account, AccountDomain, AccountId, Admin, AuditAction, CustomField, DkimKeys, Domain, DomainClaim,
    DomainId, DomainProof, EmailAddress, List, ListName, Permission,
};
use crate::ops::accounts::account_deletion;
use crate::ops::accounts::admins::invite::invite;
use crate::ops::accounts::admins::manage::is_seen;
use crate::ops::accounts::admins::{self, FIRST_NOTIFICATIONS, Kind, NewAdmin};
use crate::ops::accounts::banners;
use crate::ops::audit::{self, Note, changed_fields};
use crate::ops::context::MailContext;
use crate::ops::domains::claims::{self, CLAIMS_MAX, OwnNames};
use crate::ops::domains::{FIRST_SELECTOR, put_domain};
use crate::ops::domains::{check_domain, kept_name};
use crate::ops::people::contacts;
use crate::ops::queue::digest_posts;
use crate::ops::{
    AnyOf, Caller, Change, OpError, Page, PageRequest, Problems, Wrong, domains, records, window_ids,
};
use crate::schema::{ACCOUNT_ALL, ACCOUNT_COUNT, CONTACT_COUNT, LIST_BY_ACCOUNT};
use crate::store::{Key, Read, StoreError, WriteTx};

/// Domains that an account may have.
pub const DOMAINS_MAX: usize = 50;
/// Largest address book that an account may be given.
pub const CONTACTS_MAX: u64 = 1_000_000_000;

/// An account with everything that its object shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AccountDetail {
    /// The record.
    pub account: Account,
    /// Names of its lists, as far as they exist for the caller.
    pub lists: Vec<ListName>,
    /// Its people who sign in, as far as they exist for the caller, oldest first.
    pub admins: Vec<Admin>,
    /// Its domains, oldest first.
    pub domains: Vec<AccountDomain>,
    /// The proofs of the domains that the account added itself.
    pub proofs: BTreeMap<DomainId, DomainProof>,
    /// The domains that it has not proven yet, oldest first.
    pub claims: Vec<DomainClaim>,
    /// How many contacts it has.
    pub contacts: u64,
}

/// A domain in a call that sets an account's domains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DomainInput {
    /// Its name.
    pub name: Domain,
    /// Whether list addresses use it.
    pub is_main: Change<bool>,
    /// Whether links lead to it.
    pub is_web: Change<bool>,
    /// `false` keeps a claim unproven where a call of the operator would otherwise turn it into a domain without proof.
    pub verified: Change<bool>,
}

impl DomainInput {
    /// A domain of which the call gives the name alone.
    #[must_use]
    pub fn named(name: Domain) -> DomainInput {
        DomainInput { name, is_main: None, is_web: None, verified: None }
    }
}

/// The preparation of a new domain, made outside of the write job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NewDomain {
    /// The operator adds it: these keys sign its mail at once.
    Made(DkimKeys),
    /// The account claims it, and proves it by publishing this text.
    Claimed(String),
}

/// The preparation of a call's new domains.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewDomains {
    /// The new domains, by name.
    pub bases: BTreeMap<Domain, NewDomain>,
    /// The names that no account can claim.
    pub own_names: OwnNames,
}

/// The account in a call; fields that it leaves out do not change.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AccountInput {
    /// Unique on the server.
    pub name: Change<String>,
    /// Free text.
    pub description: Change<String>,
    /// The first domain of a new account.
    pub domain: Change<Domain>,
    /// The first administrator of a new account.
    pub administrator: Change<EmailAddress>,
    /// The domains that the account shall have.
    pub domains: Change<Vec<DomainInput>>,
    /// The domains that the caller read before; the call is refused if the account has others now.
    pub seen_domains: Option<Vec<DomainInput>>,
    /// Settings.
    pub settings: SettingsChanges,
    /// Whether custom identifiers name contacts in API calls; only the operator sets it.
    pub ccid_enabled: Change<bool>,
    /// Size of the address book, from 1 to [`CONTACTS_MAX`]; only the operator sets it.
    pub contacts_max: Change<u64>,
    /// The problems found in the call's values.
    pub problems: Problems,
}

/// The account that a call names, if it exists for the caller.
fn get_record(tx: &impl Read, caller: &Caller, name: &str) -> Result<Account, OpError> {
    let id = contacts::parse_id(name).filter(|id| caller.is_global || *id == caller.account.0);
    let found = id.map_or(Ok(None), |id| tx.get::<Account>(id))?;
    found.ok_or(OpError::NotFound { what: "account" })
}

/// The caller, with `account` as the account it works in.
fn at(caller: &Caller, account: &Account) -> Caller {
    caller.at(account.id)
}

fn detail(tx: &impl Read, caller: &Caller, account: Account) -> Result<AccountDetail, StoreError> {
    let caller = at(caller, &account);
    let lists: Vec<List> = tx.page(&LIST_BY_ACCOUNT, &Key::new().u64(account.id.0).into(), usize::MAX)?;
    let lists = lists.into_iter().filter(|list| caller.sees_list(list)).map(|list| list.name).collect();
    let mut admins = admins::of_account(tx, Some(account.id))?;
    admins.retain(|admin| admin.api == 0 && is_seen(&caller, admin));
    let Holdings { domains, proofs, claims } = Holdings::of(tx, &account)?;
    let contacts = tx.count(&CONTACT_COUNT, &Key::new().u64(account.id.0))?;
    Ok(AccountDetail { account, lists, admins, domains, proofs, claims, contacts })
}

/// The domains of an account, and those that it has not proven yet.
struct Holdings {
    domains: Vec<AccountDomain>,
    proofs: BTreeMap<DomainId, DomainProof>,
    claims: Vec<DomainClaim>,
}

impl Holdings {
    fn of(tx: &impl Read, account: &Account) -> Result<Holdings, StoreError> {
        let domains = domains::of_account(tx, account.id)?;
        let mut proofs = BTreeMap::new();
        for domain in &domains {
            proofs.extend(claims::proof(tx, domain.id)?.map(|proof| (domain.id, proof)));
        }
        Ok(Holdings { domains, proofs, claims: claims::of_account(tx, account.id)? })
    }

    fn domain(&self, name: &Domain) -> Option<&AccountDomain> {
        self.domains.iter().find(|domain| domain.name == *name)
    }

    fn claim(&self, name: &Domain) -> Option<&DomainClaim> {
        self.claims.iter().find(|claim| claim.name == *name)
    }

    /// Whether the account still has exactly these domains.
    fn are(&self, seen: &[DomainInput]) -> bool {
        let domains = self.domains.iter().map(|AccountDomain { name, is_main, is_web, .. }| DomainInput {
            is_main: Some(*is_main),
            is_web: Some(*is_web),
            verified: Some(true),
            ..DomainInput::named(name.clone())
        });
        let claims = self.claims.iter().map(|claim| DomainInput {
            is_main: Some(false),
            is_web: Some(false),
            verified: Some(false),
            ..DomainInput::named(claim.name.clone())
        });
        let present: Vec<DomainInput> = domains.chain(claims).collect();
        present.len() == seen.len() && present.iter().all(|domain| seen.contains(domain))
    }

    /// Whether a domain of a call exists already, as a domain or as a claim that stays a claim.
    fn has(&self, name: &Domain, wanted: &DomainInput, is_operator: bool) -> bool {
        self.domain(name).is_some() || self.stays_claim(name, wanted, is_operator)
    }

    fn stays_claim(&self, name: &Domain, wanted: &DomainInput, is_operator: bool) -> bool {
        // A claim that was read and is written back unchanged must still need its proof.
        self.claim(name).is_some() && !(is_operator && wanted.verified != Some(false))
    }
}

/// One account. Any key may see its own.
pub fn get(tx: &impl Read, caller: &Caller, name: &str) -> Result<AccountDetail, OpError> {
    let account = get_readable(tx, caller, name)?;
    Ok(detail(tx, caller, account)?)
}

fn get_readable(tx: &impl Read, caller: &Caller, name: &str) -> Result<Account, OpError> {
    if caller.is_global {
        caller.require_read()?;
    }
    get_record(tx, caller, name)
}

/// The domains of one account, and those that it has not proven yet, oldest first.
pub fn domains_of(
    tx: &impl Read,
    caller: &Caller,
    name: &str,
) -> Result<(Vec<AccountDomain>, Vec<DomainClaim>), OpError> {
    let account = get_readable(tx, caller, name)?;
    Ok((domains::of_account(tx, account.id)?, claims::of_account(tx, account.id)?))
}

/// The patterns of `restrict_contact` and `restrict_contact_subscription` that an account has.
pub fn restrictions_of(
    tx: &impl Read,
    caller: &Caller,
    name: &str,
) -> Result<(Vec<String>, Vec<String>), OpError> {
    let settings = get_record(tx, caller, name)?.settings;
    Ok((settings.restrict_contact, settings.restrict_contact_subscription))
}

/// The accounts of the server, by id.
pub fn list(tx: &impl Read, caller: &Caller, window: PageRequest) -> Result<Page<AccountDetail>, OpError> {
    require_global(caller)?;
    caller.require_read()?;
    let ids = window_ids(tx, &ACCOUNT_ALL, Key::new().into(), window)?;
    let count = tx.count(&ACCOUNT_COUNT, &Key::new())?;
    let rows = records(tx, &ids)?.into_iter().map(|account| detail(tx, caller, account));
    Ok(Page { rows: rows.collect::<Result<Vec<_>, _>>()?, count })
}

/// Passes if the caller holds a global key.
pub fn require_global(caller: &Caller) -> Result<(), OpError> {
    if caller.is_global { Ok(()) } else { Err(OpError::NotGlobal) }
}

/// Creates an account with its first domain, whose mail `dkim` signs, and its first administrator, who is mailed the
/// link to choose a password.
pub fn create(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    input: AccountInput,
    dkim: DkimKeys,
    mail_context: &MailContext,
    now: Timestamp,
) -> Result<AccountDetail, OpError> {
    require_global(caller)?;
    caller.require(Permission::AccountAdmin)?;
    // An account begins with an administrator.
    caller.require_to_empower()?;
    let AccountInput {
        name,
        description,
        domain,
        administrator,
        domains: _,
        seen_domains: _,
        settings,
        ccid_enabled,
        contacts_max,
        mut problems,
    } = input;
    for (field, is_given) in
        [("name", name.is_some()), ("domain", domain.is_some()), ("administrator", administrator.is_some())]
    {
        if !is_given {
            problems.add(field, Wrong::Needed);
        }
    }
    if let Some(name) = &name {
        check_new_name(name, &mut problems);
    }
    check(&[], &settings, &mut problems);
    let (Some(name), Some(domain), Some(username)) = (name, domain, administrator) else {
        return Err(problems.into_result().err().unwrap_or(OpError::NotFound { what: "account" }));
    };
    problems.into_result()?;
    let description = description.unwrap_or_default();
    let ccid_enabled = ccid_enabled.unwrap_or(false);
    let input = NewAccount { name, description, domain, dkim, ccid_enabled };
    let (mut account, _) = super::create(tx, input, now)?;
    account.contacts_max = contacts_max.unwrap_or(account.contacts_max);
    settings.apply(&mut account.settings);
    put(tx, &account)?;
    banners::follow(tx, &account, now)?;
    let mut person = NewAdmin::new(Some(account.id), Kind::Person { username }, admins::all_grants());
    person.notifications = FIRST_NOTIFICATIONS.into();
    let person = admins::create(tx, person, now)?;
    invite(tx, mail_context, &person, now)?;
    let made = Note::new(AuditAction::AccountCreated, account.id.0).named(&account.name);
    audit::note(tx, &caller.at(AccountId::SERVER), made, now)?;
    Ok(detail(tx, caller, account)?)
}

/// The names among the domains of a call that the account does not have yet.
pub fn new_domains(
    tx: &impl Read,
    caller: &Caller,
    name: &str,
    input: &AccountInput,
) -> Result<Vec<Domain>, OpError> {
    require_change(caller)?;
    let account = get_record(tx, caller, name)?;
    let known = Holdings::of(tx, &account)?;
    let wanted = input.domains.iter().flatten().map(|domain| (kept_name(&domain.name), domain));
    let new = wanted.filter(|(name, domain)| !known.has(name, domain, caller.is_global));
    Ok(new.map(|(name, _)| name).collect())
}

fn require_change(caller: &Caller) -> Result<(), OpError> {
    caller.require(Permission::AccountAdmin)?;
    caller.require_all_lists("changing the account")
}

/// Changes an account; `new` has the preparation of its new domains.
pub fn update(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    name: &str,
    input: AccountInput,
    new: NewDomains,
    now: Timestamp,
) -> Result<AccountDetail, OpError> {
    require_change(caller)?;
    let mut account = get_record(tx, caller, name)?;
    let AccountInput {
        name,
        description,
        domain: _,
        administrator: _,
        domains,
        seen_domains,
        settings,
        ccid_enabled,
        contacts_max,
        mut problems,
    } = input;
    let before = account.clone();
    check(&account.custom_fields, &settings, &mut problems);
    if let Some(name) = name.filter(|name| *name != account.name) {
        check_new_name(&name, &mut problems);
        account.name = name;
    }
    account.description = description.unwrap_or(account.description);
    account.ccid_enabled = ccid_enabled.unwrap_or(account.ccid_enabled);
    account.contacts_max = contacts_max.unwrap_or(account.contacts_max);
    settings.apply(&mut account.settings);
    let current = Holdings::of(tx, &account)?;
    if seen_domains.is_some_and(|seen| !current.are(&seen)) {
        problems.add("seen_domains", Wrong::DomainsChanged);
    }
    let domains = domains.map(|wanted| settled(&current, wanted, caller.is_global, &mut problems));
    problems.into_result()?;
    let mut changed = changed_fields(&before, &account);
    changed.retain(|name| *name != "settings");
    changed.extend(changed_fields(&before.settings, &account.settings));
    if account != before {
        put(tx, &account)?;
        banners::follow(tx, &account, now)?;
    }
    if account.settings.timezone != before.settings.timezone {
        digest_posts::reschedule(tx, account.id, now)?;
    }
    if let Some(wanted) = domains {
        replace_domains(tx, &account, &current, wanted, new, now)?;
        if caller.is_global {
            vouch(tx, &account)?;
        }
        if tx.has_changed::<AccountDomain>()
            || tx.has_changed::<DomainClaim>()
            || tx.has_changed::<DomainProof>()
        {
            changed.push("domains");
        }
    }
    if !changed.is_empty() {
        let note = Note::new(AuditAction::AccountUpdated, account.id.0).named(&account.name);
        let noting = caller.at(account.id);
        let id = audit::note(tx, &noting, note.fields(&changed), now)?;
        audit::keep_values(tx, &noting, id, (&before.told(), &account.told()))?;
    }
    Ok(detail(tx, caller, account)?)
}

/// Stores an account as it was before a change that is undone.
pub(in crate::ops) fn put_back(
    tx: &mut WriteTx<'_>,
    present: &Account,
    restored: &Account,
    now: Timestamp,
) -> Result<(), OpError> {
    put(tx, restored)?;
    banners::follow(tx, restored, now)?;
    if present.settings.timezone != restored.settings.timezone {
        digest_posts::reschedule(tx, restored.id, now)?;
    }
    Ok(())
}

fn check_new_name(name: &str, problems: &mut Problems) {
    if let Err(problem) = check_name(name) {
        problems.add("name", problem);
    }
}

fn check(fields: &[CustomField], settings: &SettingsChanges, problems: &mut Problems) {
    let custom: Vec<&str> = fields
        .iter()
        .flat_map(|field| field.identifier.as_deref().into_iter().chain([&*field.name]))
        .collect();
    for (name, text) in [
        ("confirmation_message", &settings.confirmation_message),
        ("confirmation_subject", &settings.confirmation_subject),
        ("welcome_message", &settings.welcome_message),
    ] {
        if let Some(Some(text)) = text
            && let Err(problem) = Template::parse(text, &custom)
        {
            problems.add(name, problem);
        }
    }
}

/// A domain of a call with every choice made.
struct Settled {
    name: Domain,
    is_main: bool,
    is_web: bool,
    /// Whether it has to be proven before it can be used.
    is_claim: bool,
}

/// The domains of a call after every choice: one main domain and one web domain, each proven or added by the operator.
fn settled(
    current: &Holdings,
    wanted: Vec<DomainInput>,
    is_operator: bool,
    problems: &mut Problems,
) -> Vec<Settled> {
    if DOMAINS_MAX < wanted.len() {
        problems.add("domains", Wrong::TooManyDomains { max: DOMAINS_MAX });
        return Vec::new();
    }
    let says_main = wanted.iter().any(|domain| domain.is_main.is_some());
    let says_web = wanted.iter().any(|domain| domain.is_web == Some(true));
    let mut domains: Vec<Settled> = Vec::with_capacity(wanted.len());
    for input in wanted {
        let name = kept_name(&input.name);
        let known = current.domain(&name);
        if domains.iter().any(|domain| domain.name == name) {
            problems.add("domains", Wrong::Twice { name: name.clone() });
        }
        if !current.has(&name, &input, is_operator)
            && let Err(problem) = check_domain(&name)
        {
            problems.add("domains", problem);
        }
        let DomainInput { is_main, is_web, .. } = input;
        domains.push(Settled {
            is_main: is_main.unwrap_or(!says_main && known.is_some_and(|domain| domain.is_main)),
            is_web: is_web.unwrap_or(!says_web && known.is_some_and(|domain| domain.is_web)),
            is_claim: known.is_none() && (!is_operator || current.stays_claim(&name, &input, true)),
            name,
        });
    }
    if !says_main
        && domains.iter().all(|domain| !domain.is_main)
        && let Some(first) = domains.iter_mut().find(|domain| !domain.is_claim)
    {
        first.is_main = true;
    }
    if domains.iter().filter(|domain| domain.is_main).count() != 1 {
        problems.add("domains", Wrong::OneMainDomain);
    }
    if domains.iter().all(|domain| !domain.is_web) {
        for domain in domains.iter_mut().filter(|domain| !domain.is_claim) {
            domain.is_web = domain.is_main;
        }
    }
    if 1 < domains.iter().filter(|domain| domain.is_web).count() {
        problems.add("domains", Wrong::OneWebDomain);
    }
    check_claims(current, &domains, is_operator, problems);
    domains
}

/// Notes the roles that unproven domains cannot have, and the domains that an account cannot give up on its own.
fn check_claims(current: &Holdings, domains: &[Settled], is_operator: bool, problems: &mut Problems) {
    for domain in domains.iter().filter(|domain| domain.is_claim && (domain.is_main || domain.is_web)) {
        problems.add("domains", Wrong::DomainUnverified { name: domain.name.clone() });
    }
    let is_new = |domain: &&Settled| domain.is_claim && current.claim(&domain.name).is_none();
    let is_claim = |domain: &&Settled| domain.is_claim;
    if domains.iter().any(|domain| is_new(&domain)) && CLAIMS_MAX < domains.iter().filter(is_claim).count() {
        problems.add("domains", Wrong::TooManyClaims { max: CLAIMS_MAX });
    }
    // A proven domain can be lost to another account's proof; this one remains then.
    let is_made = |domain: &&AccountDomain| !current.proofs.contains_key(&domain.id);
    let made: Vec<&AccountDomain> = current.domains.iter().filter(is_made).collect();
    let stays = |domain: &&AccountDomain| domains.iter().any(|other| other.name == domain.name);
    if !is_operator && !made.is_empty() && !made.iter().any(stays) && !domains.is_empty() {
        let names = AnyOf(made.iter().map(|domain| domain.name.to_string()).collect());
        problems.add("domains", Wrong::MadeByOperator { names });
    }
}

fn replace_domains(
    tx: &mut WriteTx<'_>,
    account: &Account,
    current: &Holdings,
    wanted: Vec<Settled>,
    new: NewDomains,
    now: Timestamp,
) -> Result<(), OpError> {
    let NewDomains { mut bases, own_names } = new;
    let is_gone = |name: &Domain| wanted.iter().all(|other| other.name != *name);
    for gone in current.domains.iter().filter(|domain| is_gone(&domain.name)) {
        claims::delete_domain(tx, gone.id)?;
    }
    for claim in &current.claims {
        // A claim that the operator turns into a domain is no claim any more.
        if wanted.iter().all(|other| other.name != claim.name || !other.is_claim) {
            tx.delete::<DomainClaim>(claim.id.0)?;
        }
    }
    for Settled { name, is_main, is_web, is_claim } in wanted {
        if let Some(known) = current.domain(&name) {
            let domain = AccountDomain { is_main, is_web, ..known.clone() };
            if domain != *known {
                put_domain(tx, &domain, "domains")?;
            }
            continue;
        }
        if is_claim && current.claim(&name).is_some() {
            continue;
        }
        match bases.remove(&name) {
            Some(NewDomain::Made(dkim)) if !is_claim => {
                let id = DomainId(tx.next_id::<AccountDomain>()?);
                let domain =
                    AccountDomain { is_main, is_web, ..AccountDomain::new(id, account.id, name, dkim, now) };
                put_domain(tx, &domain, "domains")?;
            }
            Some(NewDomain::Claimed(verification)) if is_claim => {
                if let Some(problem) = claims::refusal(tx, account.id, &name, &own_names)? {
                    return Err(OpError::conflict("domains", problem));
                }
                claims::put(tx, (account.id, name), verification, now)?;
            }
            // Another call has changed the domain since this one was prepared.
            Some(_) | None => return Err(changing(&name)),
        }
    }
    Ok(())
}

/// Makes the main domain one that needs no proof, if the operator has left the account no other such domain.
fn vouch(tx: &mut WriteTx<'_>, account: &Account) -> Result<(), StoreError> {
    let Holdings { domains, proofs, claims: _ } = Holdings::of(tx, account)?;
    if domains.iter().all(|domain| proofs.contains_key(&domain.id))
        && let Some(main) = domains.iter().find(|domain| domain.is_main)
    {
        tx.delete::<DomainProof>(main.id.0)?;
    }
    Ok(())
}

fn changing(name: &Domain) -> OpError {
    OpError::conflict(
        "domains",
        Wrong::DomainChanging { name: name.clone(), selector: FIRST_SELECTOR.to_owned() },
    )
}

/// Deletes an account: at once for everybody who asks, and its records in the background.
pub fn delete(tx: &mut WriteTx<'_>, caller: &Caller, name: &str, now: Timestamp) -> Result<(), OpError> {
    require_global(caller)?;
    caller.require(Permission::AccountAdmin)?;
    let account = get_record(tx, caller, name)?;
    account_deletion::begin(tx, account.id, now)?;
    let deleted = Note::new(AuditAction::AccountDeleted, account.id.0).named(&account.name);
    audit::note(tx, &caller.at(AccountId::SERVER), deleted, now)?;
    Ok(())
}
