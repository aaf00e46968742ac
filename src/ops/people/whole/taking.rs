//! Puts people back who were taken out of an account with everything that was known of them.

use std::collections::BTreeMap;
use std::time::Duration;

use super::{
    WholeAddress, WholeBounces, WholeConsent, WholeContact, WholeMembership, WholeOptOut, WholePause,
    WholeStep,
};
use crate::clock::Timestamp;
use crate::model::bounce::{Pause, SoftSpan};
use crate::model::contact::JoinWay;
use crate::model::{
    Account, AuditAction, AuditId, BounceState, Consent, ConsentId, Contact, ContactId, Email, EmailAddress,
    EmailId, EmailPause, Joined, List, ListId, Membership, MembershipId, OptOutWay, PauseCause, Permission,
};
use crate::ops::audit::{self, Note};
use crate::ops::people::contacts::{account_of, check_ccid, check_room};
use crate::ops::people::memberships::{find_list_of, list_named};
use crate::ops::people::opt_outs::{self, Added};
use crate::ops::people::subscribe;
use crate::ops::{Caller, OpError, Wrong};
use crate::schema::{CONTACT_BY_CCID, EMAIL_BY_ADDRESS};
use crate::store::{Key, Read, StoreError, WriteTx};

/// A probe that was due elsewhere is sent no earlier than this, so that putting somebody back mails nobody.
const FIRST_PROBE_AFTER: Duration = Duration::from_hours(24);

/// The result for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PutBack {
    /// The contact was made.
    Created,
    /// A contact with one of the addresses, or with the custom identifier, is there already.
    Known,
}

/// Notes in the audit log that people of a source are put back; their numbers follow by [`audit::settle`].
///
/// # Errors
/// If the caller does not manage members.
pub fn begin(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    source: &str,
    now: Timestamp,
) -> Result<AuditId, OpError> {
    caller.require(Permission::ManageMembers)?;
    let note = Note::new(AuditAction::ContactImported, 0).named(source);
    Ok(audit::note(tx, caller, note, now)?)
}

/// Gives a list that was made anew the time at which it was made where it comes from.
///
/// # Errors
/// If there is no such list for the caller.
pub fn date_list(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    name: &str,
    created: Timestamp,
    now: Timestamp,
) -> Result<(), OpError> {
    caller.require(Permission::ManageSettings)?;
    let list = list_named(tx, caller, name)?;
    let note = Note::new(AuditAction::ListUpdated, list.id.0).named(name).fields(&["created"]);
    tx.put(&List { created, ..list })?;
    audit::note(tx, caller, note, now)?;
    Ok(())
}

/// Checks a person, and says what putting it back would lead to. Lists in `coming` count as being there.
///
/// # Errors
/// If the person cannot be put back.
pub fn rehearse(
    tx: &impl Read,
    caller: &Caller,
    whole: &WholeContact,
    (coming_lists, coming_fields): (&[String], &[String]),
    now: Timestamp,
) -> Result<PutBack, OpError> {
    caller.require(Permission::ManageMembers)?;
    let account = account_of(tx, caller)?;
    let checked = Checked::new(tx, &account, whole, (coming_lists, coming_fields), now)?;
    if known(tx, &account, &checked)?.is_some() { Ok(PutBack::Known) } else { Ok(PutBack::Created) }
}

/// Puts a person back. The audit log has the call in which it happens, see [`begin`].
///
/// # Errors
/// If the person cannot be put back; then nothing was written.
pub fn put_back(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    whole: &WholeContact,
    now: Timestamp,
) -> Result<PutBack, OpError> {
    caller.require(Permission::ManageMembers)?;
    let account = account_of(tx, caller)?;
    let checked = Checked::new(tx, &account, whole, (&[], &[]), now)?;
    if let Some(contact) = known(tx, &account, &checked)? {
        note_opt_outs(tx, &contact, &checked)?;
        return Ok(PutBack::Known);
    }
    check_room(tx, &account)?;
    for (list, ..) in &checked.memberships {
        let person = Added { account: account.id, contact: None, addresses: &checked.names };
        opt_outs::require_none(tx, person, list)?;
    }
    let contact = make(tx, &account, whole, &checked)?;
    for (list, digest, paused, joined) in &checked.memberships {
        let id = MembershipId(tx.next_id::<Membership>()?);
        tx.put(&Membership {
            id,
            account: account.id,
            contact: contact.id,
            list: list.id,
            digest: *digest,
            paused: *paused,
            joined: joined.clone(),
        })?;
    }
    for consent in &checked.consents {
        let id = ConsentId(tx.next_id::<Consent>()?);
        tx.put(&Consent { id, account: account.id, ..consent.clone() })?;
    }
    note_opt_outs(tx, &contact, &checked)?;
    Ok(PutBack::Created)
}

/// Makes the contact of a person with its addresses.
pub(super) fn make(
    tx: &mut WriteTx<'_>,
    account: &Account,
    whole: &WholeContact,
    checked: &Checked,
) -> Result<Contact, StoreError> {
    let contact = Contact {
        id: ContactId(tx.next_id::<Contact>()?),
        account: account.id,
        ccid: whole.ccid.clone(),
        firstname: whole.firstname.clone(),
        surname: whole.surname.clone(),
        notes: whole.notes.clone(),
        custom: checked.custom.clone(),
        created: checked.created,
    };
    tx.put(&contact)?;
    for (email, until) in &checked.emails {
        let id = EmailId(tx.next_id::<Email>()?);
        tx.put(&Email { id, account: account.id, contact: contact.id, ..email.clone() })?;
        if let Some(until) = *until {
            tx.put(&EmailPause { email: id, account: account.id, until })?;
        }
    }
    Ok(contact)
}

/// Notes what a person opted out of elsewhere, but for lists that the person joined here, and for what is known here.
fn note_opt_outs(tx: &mut WriteTx<'_>, contact: &Contact, checked: &Checked) -> Result<(), StoreError> {
    if checked.opted_out.is_empty() {
        return Ok(());
    }
    let here = opt_outs::of_contact(tx, contact)?;
    for (list, way, time) in &checked.opted_out {
        let is_member = match list {
            Some(list) => subscribe::find_member(tx, contact, *list)?.is_some(),
            None => false,
        };
        if !is_member && !here.iter().any(|opt_out| opt_out.list == *list) {
            opt_outs::note_contact(tx, contact, *list, *way, *time)?;
        }
    }
    Ok(())
}

/// The contact that has one of the addresses, or the custom identifier.
pub(super) fn known(
    tx: &impl Read,
    account: &Account,
    checked: &Checked,
) -> Result<Option<Contact>, StoreError> {
    for address in &checked.names {
        let of_address = Key::new().u64(account.id.0).text(&address.folded());
        if let Some(email) = tx.find::<Email>(&EMAIL_BY_ADDRESS, &of_address)? {
            return tx.get(email.contact.0);
        }
    }
    match &checked.ccid {
        Some(ccid) => tx.find(&CONTACT_BY_CCID, &Key::new().u64(account.id.0).text(ccid)),
        None => Ok(None),
    }
}

/// A membership: the list, its digest setting, whether it is paused, and how it began.
pub(super) type Member = (List, Option<bool>, bool, Joined);

/// A person whose every value was read; numbers of what is made with it are still missing.
pub(super) struct Checked {
    created: Timestamp,
    ccid: Option<String>,
    custom: BTreeMap<crate::model::CustomFieldId, String>,
    pub(super) names: Vec<EmailAddress>,
    pub(super) emails: Vec<(Email, Option<Timestamp>)>,
    pub(super) memberships: Vec<Member>,
    pub(super) consents: Vec<Consent>,
    opted_out: Vec<(Option<ListId>, OptOutWay, Timestamp)>,
}

impl Checked {
    pub(super) fn new(
        tx: &impl Read,
        account: &Account,
        whole: &WholeContact,
        (coming_lists, coming_fields): (&[String], &[String]),
        now: Timestamp,
    ) -> Result<Checked, OpError> {
        let lists = Lists { tx, account, coming: coming_lists };
        if whole.addresses.is_empty() {
            return Err(OpError::invalid("emails", Wrong::OneAddressNeeded));
        }
        if let Some(ccid) = &whole.ccid {
            check_ccid(ccid).map_err(|wrong| OpError::invalid("ccid", wrong))?;
        }
        let emails: Vec<(Email, Option<Timestamp>)> =
            whole.addresses.iter().map(|address| email(address, now)).collect::<Result<_, OpError>>()?;
        let mut names: Vec<EmailAddress> = Vec::with_capacity(emails.len());
        for (email, _) in &emails {
            if names.iter().any(|known| known.folded() == email.address.folded()) {
                let name = email.address.to_string();
                return Err(OpError::invalid("emails", Wrong::Taken { name }));
            }
            names.push(email.address.clone());
        }
        Ok(Checked {
            created: time("created", &whole.created)?,
            ccid: whole.ccid.clone(),
            custom: custom(account, whole, coming_fields)?,
            names,
            emails,
            memberships: lists.memberships(whole)?,
            consents: lists.consents(whole)?,
            opted_out: lists.opted_out(whole)?,
        })
    }
}

/// The lists that a person names: those that are there, and those that would be made first.
struct Lists<'a, T> {
    tx: &'a T,
    account: &'a Account,
    coming: &'a [String],
}

impl<T: Read> Lists<'_, T> {
    /// The list of a name; `None` if it is not there yet.
    fn of(&self, name: &str) -> Result<Option<List>, OpError> {
        match find_list_of(self.tx, self.account.id, name)? {
            None if self.coming.iter().any(|coming| coming.eq_ignore_ascii_case(name)) => Ok(None),
            None => Err(OpError::invalid("lists", Wrong::NoList { name: name.to_owned() })),
            found => Ok(found),
        }
    }

    fn memberships(&self, whole: &WholeContact) -> Result<Vec<Member>, OpError> {
        let mut memberships: Vec<Member> = Vec::new();
        for WholeMembership { list, digest, paused, joined: step } in &whole.memberships {
            let joined = joined(step)?;
            if let Some(list) = self.of(list)?
                && !memberships.iter().any(|(known, ..)| known.id == list.id)
            {
                memberships.push((list, *digest, *paused, joined));
            }
        }
        Ok(memberships)
    }

    fn consents(&self, whole: &WholeContact) -> Result<Vec<Consent>, OpError> {
        let mut consents = Vec::new();
        for told in &whole.consents {
            let consent = consent(told)?;
            if let Some(list) = self.of(&told.list)? {
                consents.push(Consent { list: list.id, ..consent });
            }
        }
        Ok(consents)
    }

    fn opted_out(
        &self,
        whole: &WholeContact,
    ) -> Result<Vec<(Option<ListId>, OptOutWay, Timestamp)>, OpError> {
        let mut opted_out = Vec::new();
        for WholeOptOut { list, time: when, way } in &whole.opted_out {
            let way = OptOutWay::from_word(way).ok_or_else(|| unreadable("opted_out"))?;
            let when = time("opted_out", when)?;
            match list {
                None => opted_out.push((None, way, when)),
                Some(name) => opted_out.extend(self.of(name)?.map(|list| (Some(list.id), way, when))),
            }
        }
        Ok(opted_out)
    }
}

/// The values of custom fields, by the numbers of the fields here.
fn custom(
    account: &Account,
    whole: &WholeContact,
    coming: &[String],
) -> Result<BTreeMap<crate::model::CustomFieldId, String>, OpError> {
    let mut custom = BTreeMap::new();
    for (name, value) in whole.fields.iter().filter(|(_, value)| !value.is_empty()) {
        match account.custom_fields.iter().find(|field| field.name == *name) {
            Some(field) => drop(custom.insert(field.id, value.clone())),
            None if coming.contains(name) => {}
            None => return Err(OpError::invalid("fields", Wrong::NoField { name: name.clone() })),
        }
    }
    Ok(custom)
}

fn unreadable(field: &'static str) -> OpError {
    OpError::invalid(field, Wrong::NotAsExported)
}

fn time(field: &'static str, text: &str) -> Result<Timestamp, OpError> {
    Timestamp::parse_rfc3339(text).ok_or_else(|| unreadable(field))
}

fn address_of(text: &str) -> Result<EmailAddress, OpError> {
    EmailAddress::parse(text).map_err(|error| OpError::invalid("emails", error))
}

fn joined(step: &WholeStep) -> Result<Joined, OpError> {
    let WholeStep { time: when, from, way } = step;
    let way = match way.as_str() {
        "api" => JoinWay::Api,
        "command" => JoinWay::Command,
        "web" => JoinWay::Web,
        "mail" => JoinWay::Mail,
        _ => return Err(unreadable("memberships")),
    };
    Ok(Joined { when: time("memberships", when)?, from: *from, way })
}

fn consent(told: &WholeConsent) -> Result<Consent, OpError> {
    let WholeConsent { email, list: _, name, digest, requested, confirmed, agreed } = told;
    Ok(Consent {
        id: ConsentId(0),
        account: crate::model::AccountId::SERVER,
        address: address_of(email)?,
        list: ListId(0),
        name: name.clone(),
        digest: *digest,
        requested: joined(requested)?,
        confirmed: joined(confirmed)?,
        agreed: agreed.clone(),
    })
}

/// The record of an address, and until when it is paused.
fn email(told: &WholeAddress, now: Timestamp) -> Result<(Email, Option<Timestamp>), OpError> {
    let WholeAddress { email, digest, paused, paused_until, confirmed, ceid, bounces } = told;
    let until = paused_until.as_deref().map(|until| time("addresses", until)).transpose()?;
    let email = Email {
        id: EmailId(0),
        account: crate::model::AccountId::SERVER,
        contact: ContactId(0),
        address: address_of(email)?,
        digest: *digest,
        paused: *paused,
        confirmed: *confirmed,
        ceid: ceid.clone(),
        evidence: bounces.as_ref().map(|bounces| evidence(bounces, now)).transpose()?,
    };
    Ok((email, until.filter(|_| *paused)))
}

fn evidence(told: &WholeBounces, now: Timestamp) -> Result<BounceState, OpError> {
    let WholeBounces { reason, reported, failing, pause } = told;
    let time = |text: &String| time("addresses", text);
    let soft = match failing {
        Some((since, last)) => Some(SoftSpan { since: time(since)?, last: time(last)? }),
        None => None,
    };
    let pause = match pause {
        None => None,
        Some(WholePause { since, cause, probes, is_probe_out, next_probe }) => Some(Pause {
            since: time(since)?,
            cause: PauseCause::from_word(cause).ok_or_else(|| unreadable("addresses"))?,
            probes: *probes,
            is_probe_out: *is_probe_out,
            next_probe: next_probe
                .as_ref()
                .map(time)
                .transpose()?
                .map(|due| if due <= now { now + FIRST_PROBE_AFTER } else { due }),
        }),
    };
    Ok(BounceState {
        reported: reported.as_ref().map(time).transpose()?,
        soft,
        reason: reason.clone(),
        pause,
    })
}
