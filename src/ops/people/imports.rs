//! Imports contacts row by row: each row is taken whole or not at all.
//!
//! A row with an address or custom identifier that the account has already refers to that contact. The caller chooses
//! how such rows are treated. With any choice, importing the same rows again changes nothing, so an interrupted import
//! is completed by running it again.

use std::collections::BTreeSet;

use crate::clock::Timestamp;
use crate::model::{
    Account, AccountId, BounceSignal, Contact, ContactId, Email, EmailAddress, ListName, Permission, words,
};
use crate::ops::people::contacts::{
    self, ContactInput, account_of, create_in, emails_of, members_of, update_record,
};
use crate::ops::people::emails::{self, EmailInput};
use crate::ops::people::memberships::{self, Member, MemberInput, MemberSettings, Wanted};
use crate::ops::people::opt_outs::{self, Added};
use crate::ops::people::refusals::Refusal;
use crate::ops::people::subscribe;
use crate::ops::{Caller, OpError, Problems, Wrong};
use crate::schema::{CONTACT_BY_CCID, EMAIL_BY_ADDRESS, LIST_BY_NAME};
use crate::store::{Key, Read, StoreError, WriteTx};

words! {
    /// How a row for an existing contact is treated.
    Existing {
        /// The contact does not change.
        Skip = "skip",
        /// The contact takes over the values in the row; addresses and lists are added to those it has.
        Update = "update",
        /// The row is refused.
        Fail = "fail",
        /// The contact keeps what it has; it gets the values that it lacks, and the addresses and lists in the row.
        Add = "add",
    }
}

/// What the source of a row says of mail to its person.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Standing {
    /// Nothing against it.
    #[default]
    Active,
    /// The person gets no mail for now.
    Paused,
    /// Mail to the address fails.
    Bouncing {
        /// The column and its value.
        said: String,
    },
    /// The person never confirmed, or is not subscribed there either.
    Unconfirmed {
        /// The column and its value.
        said: String,
    },
    /// The value is not known.
    Unknown {
        /// The column and its value.
        said: String,
    },
    /// The other system took the address out because mail to it failed.
    Cleaned {
        /// The column and its value.
        said: String,
    },
    /// The person opted out there.
    OptedOut {
        /// The column and its value.
        said: String,
    },
}

impl Standing {
    /// Grows with what a standing says against mail.
    #[must_use]
    pub fn gravity(&self) -> u8 {
        match self {
            Standing::Active => 0,
            Standing::Paused => 1,
            Standing::Bouncing { .. } => 2,
            Standing::Unconfirmed { .. } => 3,
            Standing::Unknown { .. } => 4,
            Standing::Cleaned { .. } => 5,
            Standing::OptedOut { .. } => 6,
        }
    }

    /// Why a row of this standing adds nobody; `None` if it may.
    #[must_use]
    pub fn refusal(&self) -> Option<Wrong> {
        match self {
            Standing::Active | Standing::Paused | Standing::Bouncing { .. } => None,
            Standing::Unconfirmed { said } => Some(Wrong::RowUnconfirmed { said: said.clone() }),
            Standing::Unknown { said } => Some(Wrong::RowUnknown { said: said.clone() }),
            Standing::Cleaned { said } => Some(Wrong::RowCleaned { said: said.clone() }),
            Standing::OptedOut { said } => Some(Wrong::RowOptedOut { said: said.clone() }),
        }
    }
}

/// A row: the contact, and what its source says of mail to it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Row {
    /// The contact.
    pub contact: ContactInput,
    /// What its source says.
    pub standing: Standing,
}

/// The result of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// A contact was created.
    Created,
    /// An existing contact was changed.
    Updated,
    /// Nothing had to be changed.
    Skipped,
    /// The person opted out where the row comes from: nobody is added, and that is noted.
    OptedOut {
        /// The column and its value.
        said: String,
    },
}

impl Outcome {
    /// The outcome of a row, if it was not refused.
    pub fn of(row: Result<Outcome, OpError>) -> Result<Outcome, Refusal> {
        match row {
            Ok(Outcome::OptedOut { said }) => Err(Refusal::OptedOut(Wrong::RowOptedOut { said })),
            Ok(outcome) => Ok(outcome),
            Err(error) => Err(Refusal::Refused(error)),
        }
    }
}

/// The numbers of rows by their results.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    /// People who were added.
    pub created: u64,
    /// People who were changed.
    pub updated: u64,
    /// Rows that changed nothing.
    pub unchanged: u64,
    /// Rows that were refused.
    pub refused: u64,
    /// Those of them whose person opted out.
    pub opted_out: u64,
}

impl Counts {
    /// Counts a row; returns why it was refused, if it was.
    pub fn add(&mut self, row: Result<Outcome, Refusal>) -> Option<Refusal> {
        match row {
            Ok(Outcome::Created) => self.created += 1,
            Ok(Outcome::Updated) => self.updated += 1,
            Ok(Outcome::Skipped) => self.unchanged += 1,
            Ok(Outcome::OptedOut { said }) => {
                return self.add(Err(Refusal::OptedOut(Wrong::RowOptedOut { said })));
            }
            Err(refusal) => {
                self.refused += 1;
                self.opted_out += u64::from(refusal.has_opted_out());
                return Some(refusal);
            }
        }
        None
    }

    /// The numbers as the audit log has them.
    #[must_use]
    pub fn detail(&self) -> String {
        let Counts { created, updated, unchanged, refused, opted_out: _ } = self;
        format!("{created} made, {updated} changed, {unchanged} skipped, {refused} refused")
    }
}

/// Imports one contact.
pub fn take(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    row: Row,
    existing: Existing,
    now: Timestamp,
) -> Result<Outcome, OpError> {
    caller.require(Permission::ManageMembers)?;
    let account = account_of(tx, caller)?;
    let Row { contact: mut input, standing } = row;
    match &standing {
        Standing::Active => {}
        Standing::Paused => pause(&mut input),
        Standing::Bouncing { said } => {
            return take_bouncing(tx, caller, &account, input, (existing, said), now);
        }
        Standing::OptedOut { said } => {
            keep_out(tx, caller, &account, &input, now)?;
            return Ok(Outcome::OptedOut { said: said.clone() });
        }
        Standing::Unconfirmed { .. } | Standing::Unknown { .. } | Standing::Cleaned { .. } => {
            if let Some(reason) = standing.refusal() {
                return Err(OpError::invalid("emails", reason));
            }
        }
    }
    take_contact(tx, caller, &account, input, existing, now)
}

/// Has a row's person get no mail for now: of the lists of the row, or at all if it names none.
fn pause(input: &mut ContactInput) {
    match input.lists.as_deref_mut() {
        Some(lists) if !lists.is_empty() => {
            for list in lists {
                list.settings.paused = Some(true);
            }
        }
        _ => {
            for email in input.emails.iter_mut().flatten() {
                email.paused = Some(true);
            }
        }
    }
}

/// Imports a contact whose new addresses fail where it comes from: they are paused like others at which mail fails, so
/// that probes find out.
fn take_bouncing(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    account: &Account,
    input: ContactInput,
    (existing, said): (Existing, &str),
    now: Timestamp,
) -> Result<Outcome, OpError> {
    let of_address = |address: &EmailAddress| Key::new().u64(account.id.0).text(&address.folded());
    let addresses: Vec<EmailAddress> =
        input.emails.iter().flatten().filter_map(|email| email.address.clone()).collect();
    let mut new = Vec::with_capacity(addresses.len());
    for address in addresses {
        if !tx.exists(&EMAIL_BY_ADDRESS, &of_address(&address))? {
            new.push(address);
        }
    }
    let outcome = take_contact(tx, caller, account, input, existing, now)?;
    for address in new {
        let email: Option<Email> = tx.find(&EMAIL_BY_ADDRESS, &of_address(&address))?;
        if let Some(mut email) = email {
            email.note(BounceSignal::Refused, said, now);
            tx.put(&email)?;
        }
    }
    Ok(outcome)
}

/// Notes that the person of a row opted out where it comes from: of the lists of the row, or of all if it names none.
/// Members of a list stay, since they joined it here. Returns whether anything was noted that was not before, and a list
/// of which the person is a member.
fn keep_out(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    account: &Account,
    input: &ContactInput,
    now: Timestamp,
) -> Result<(bool, Option<ListName>), OpError> {
    input.problems.clone().into_result()?;
    let contact = known(tx, account, input)?;
    let mut problems = Problems::default();
    let lists = memberships::resolve(tx, caller, input.lists.clone().unwrap_or_default(), &mut problems)?;
    problems.into_result()?;
    let addresses = addresses_of(input);
    let id = contact.as_ref().map(|contact| contact.id);
    let person = Added { account: account.id, contact: id, addresses: &addresses };
    let is_member = |tx: &WriteTx<'_>, list| match &contact {
        Some(contact) => subscribe::find_member(tx, contact, list).map(|found| found.is_some()),
        None => Ok(false),
    };
    let (mut is_noted, mut member_of) = (false, None);
    if lists.is_empty() && caller.limits.lists().is_none() {
        is_noted |= opt_outs::note_imported(tx, person, None, now)?;
    }
    for wanted in lists {
        if is_member(tx, wanted.list.id)? {
            member_of = Some(wanted.list.name);
        } else {
            is_noted |= opt_outs::note_imported(tx, person, Some(wanted.list.id), now)?;
        }
    }
    Ok((is_noted, member_of))
}

/// Takes a row of a file of people who opted out elsewhere: nobody is added, and no later import adds them to the lists
/// of the row, or to any if it names none. `Created` if that is new, `Skipped` if it was noted already.
///
/// # Errors
/// `Conflict` if the person is a member of one of the lists, and stays one.
pub fn take_opted_out(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    row: Row,
    now: Timestamp,
) -> Result<Outcome, OpError> {
    caller.require(Permission::ManageMembers)?;
    let account = account_of(tx, caller)?;
    let Row { contact: input, standing: _ } = row;
    if addresses_of(&input).is_empty() {
        input.problems.into_result()?;
        return Err(OpError::invalid("emails", Wrong::OneAddressNeeded));
    }
    match keep_out(tx, caller, &account, &input, now)? {
        (_, Some(list)) => Err(OpError::conflict("emails", Wrong::MemberAlready { list })),
        (true, None) => Ok(Outcome::Created),
        (false, None) => Ok(Outcome::Skipped),
    }
}

fn addresses_of(input: &ContactInput) -> Vec<EmailAddress> {
    input.emails.iter().flatten().filter_map(|email| email.address.clone()).collect()
}

fn take_contact(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    account: &Account,
    input: ContactInput,
    existing: Existing,
    now: Timestamp,
) -> Result<Outcome, OpError> {
    let Some(contact) = known(tx, account, &input)? else {
        create_in(tx, caller, account, input, now)?;
        return Ok(Outcome::Created);
    };
    input.problems.clone().into_result()?;
    match existing {
        Existing::Skip => Ok(Outcome::Skipped),
        Existing::Fail => Err(OpError::conflict("emails", Wrong::ContactThere { id: contact.id })),
        Existing::Update => update(tx, caller, account, contact, input, now),
        Existing::Add => {
            let missing = without_known(input, &contact);
            update(tx, caller, account, contact, missing, now)
        }
    }
}

/// A row less the values that its contact has already.
fn without_known(input: ContactInput, contact: &Contact) -> ContactInput {
    let missing = |new: Option<String>, old: &str| new.filter(|_| old.trim().is_empty());
    let has = |field| contact.custom.get(&field).is_some_and(|value| !value.is_empty());
    ContactInput {
        ccid: input.ccid.filter(|_| contact.ccid.is_none()),
        firstname: missing(input.firstname, &contact.firstname),
        surname: missing(input.surname, &contact.surname),
        notes: missing(input.notes, &contact.notes),
        custom: input.custom.into_iter().filter(|(field, _)| !has(*field)).collect(),
        ..input
    }
}

/// The outcome that importing a contact would have; nothing is written. The contact may still be refused later, if
/// somebody changes the address book in between.
pub fn rehearse(
    tx: &impl Read,
    caller: &Caller,
    account: &Account,
    row: &Row,
    existing: Existing,
) -> Result<Outcome, OpError> {
    caller.require(Permission::ManageMembers)?;
    let Row { contact: input, standing } = row;
    if let Standing::OptedOut { said } = standing {
        return Ok(Outcome::OptedOut { said: said.clone() });
    }
    if let Some(reason) = standing.refusal() {
        return Err(OpError::invalid("emails", reason));
    }
    let contact = known(tx, account, input)?;
    let mut problems = input.problems.clone();
    let wanted = input.emails.clone().unwrap_or_default();
    if contact.is_none() && wanted.is_empty() {
        problems.add("emails", Wrong::OneAddressNeeded);
    }
    let lists = input.lists.clone().unwrap_or_default();
    let resolved = memberships::resolve(tx, caller, lists.clone(), &mut problems)?;
    if contact.is_none() && resolved.is_empty() && caller.limits.lists().is_some() {
        problems.add("lists", Wrong::OwnListNeeded);
    }
    let current = match &contact {
        Some(contact) => emails_of(tx, contact)?,
        None => Vec::new(),
    };
    emails::check(account, &current, &wanted, &mut problems)?;
    problems.into_result()?;
    if contact.is_none() || matches!(existing, Existing::Update | Existing::Add) {
        let members = match &contact {
            Some(contact) => members_of(tx, caller, contact)?,
            None => Vec::new(),
        };
        require_in(tx, account, (contact.as_ref(), &members), (input, &resolved))?;
    }
    let Some(contact) = contact else { return Ok(Outcome::Created) };
    match existing {
        Existing::Skip => return Ok(Outcome::Skipped),
        Existing::Fail => {
            return Err(OpError::conflict("emails", Wrong::ContactThere { id: contact.id }));
        }
        Existing::Update | Existing::Add => {}
    }
    let input =
        &if existing == Existing::Add { without_known(input.clone(), &contact) } else { input.clone() };
    let members = members_of(tx, caller, &contact)?;
    let text = |new: &Option<String>, old: &String| new.as_ref().is_some_and(|new| new != old);
    let is_known = |wanted: &EmailInput| {
        let folded = wanted.address.as_ref().map(EmailAddress::folded);
        current.iter().any(|email| Some(email.address.folded()) == folded)
    };
    let is_on = |wanted: &MemberInput| {
        members.iter().any(|member| member.list.as_str().eq_ignore_ascii_case(&wanted.list))
    };
    let changes = text(&input.firstname, &contact.firstname)
        || text(&input.surname, &contact.surname)
        || text(&input.notes, &contact.notes)
        || input.ccid.as_ref().is_some_and(|ccid| *ccid != contact.ccid)
        || input
            .custom
            .iter()
            .any(|(field, value)| contact.custom.get(field).map_or("", String::as_str) != value)
        || !wanted.iter().all(is_known)
        || !lists.iter().all(is_on);
    Ok(if changes { Outcome::Updated } else { Outcome::Skipped })
}

/// Passes if a row puts nobody on a list of which the person opted out.
fn require_in(
    tx: &impl Read,
    account: &Account,
    (contact, members): (Option<&Contact>, &[Member]),
    (input, lists): (&ContactInput, &[Wanted]),
) -> Result<(), OpError> {
    let is_in = |list| members.iter().any(|member| member.membership.list == list);
    if input.overrides_opt_out || lists.iter().all(|wanted| is_in(wanted.list.id)) {
        return Ok(());
    }
    let mut addresses = addresses_of(input);
    if let Some(contact) = contact {
        addresses.extend(opt_outs::addresses_of(tx, contact)?);
    }
    let person =
        Added { account: account.id, contact: contact.map(|contact| contact.id), addresses: &addresses };
    for wanted in lists.iter().filter(|wanted| !is_in(wanted.list.id)) {
        opt_outs::require_none(tx, person, &wanted.list)?;
    }
    Ok(())
}

/// The existing contact that a row refers to, if there is one.
pub(in crate::ops) fn known(
    tx: &impl Read,
    account: &Account,
    input: &ContactInput,
) -> Result<Option<Contact>, OpError> {
    let of_account = || Key::new().u64(account.id.0);
    let mut ids = BTreeSet::new();
    for address in input.emails.iter().flatten().filter_map(|email| email.address.as_ref()) {
        let email = tx.find(&EMAIL_BY_ADDRESS, &of_account().text(&address.folded()))?;
        ids.extend(email.map(|email| email.contact.0));
    }
    if let Some(Some(ccid)) = &input.ccid {
        ids.extend(tx.find_id(&CONTACT_BY_CCID, &of_account().text(ccid))?);
    }
    let mut ids = ids.into_iter();
    match (ids.next(), ids.next()) {
        (None, _) => Ok(None),
        (Some(id), None) => {
            let missing =
                || StoreError::corrupt("contact", format_args!("{id} is in an index and not there"));
            Ok(Some(tx.get::<Contact>(id)?.ok_or_else(missing)?))
        }
        (Some(one), Some(other)) => {
            let (one, other) = (ContactId(one), ContactId(other));
            Err(OpError::invalid("emails", Wrong::DifferentContacts { one, other }))
        }
    }
}

fn update(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    account: &Account,
    contact: Contact,
    mut input: ContactInput,
    now: Timestamp,
) -> Result<Outcome, OpError> {
    let (emails, members) = (emails_of(tx, &contact)?, members_of(tx, caller, &contact)?);
    if let Some(wanted) = &mut input.emails {
        let is_known = |wanted: &EmailInput| {
            let folded = wanted.address.as_ref().map(EmailAddress::folded);
            emails.iter().any(|email| Some(email.address.folded()) == folded)
        };
        wanted.retain(|wanted| !is_known(wanted));
        wanted.splice(
            0..0,
            emails.iter().map(|email| EmailInput { id: Some(email.id), ..EmailInput::default() }),
        );
    }
    if let Some(wanted) = &mut input.lists {
        let stay = members
            .iter()
            .map(|member| MemberInput { list: member.list.to_string(), settings: MemberSettings::default() });
        wanted.splice(0..0, stay);
    }
    let before = contacts::ContactDetail { contact: contact.clone(), emails, members };
    let after = update_record(tx, caller, account, contact, input, now)?;
    Ok(if after == before { Outcome::Skipped } else { Outcome::Updated })
}

/// Passes if an account has a list of this name.
pub fn check_list(tx: &impl Read, account: AccountId, name: &str) -> Result<(), OpError> {
    match tx.find_id(&LIST_BY_NAME, &Key::new().u64(account.0).text(&name.to_ascii_lowercase()))? {
        Some(_) => Ok(()),
        None => Err(OpError::invalid("list", Wrong::NamesNoList { name: name.to_owned() })),
    }
}
