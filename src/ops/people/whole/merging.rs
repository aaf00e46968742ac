//! Merges people of other list servers into an address book: whoever is not there is made, and whoever is there gets the
//! memberships that are missing, and keeps everything else.
//!
//! Nobody is mailed. Each membership is judged by itself: that somebody left one list does not keep the person off
//! another. Merging the same people again changes nothing.

use super::WholeContact;
use super::taking::{Checked, Member, known, make};
use crate::clock::Timestamp;
use crate::model::{
    Account, Consent, ConsentId, Contact, EmailAddress, Membership, MembershipId, OptOut, Permission,
};
use crate::ops::people::contacts::{account_of, check_room};
use crate::ops::people::memberships::find_list_of;
use crate::ops::people::opt_outs::{self, Added};
use crate::ops::people::{requests, subscribe};
use crate::ops::{Caller, OpError, Wrong};
use crate::schema::EMAIL_BY_ADDRESS;
use crate::store::{Key, Read, StoreError, WriteTx};

/// The result for a person.
#[derive(Debug, Default)]
pub struct Merged {
    /// Whether the contact was made.
    pub is_new: bool,
    /// Memberships that were made.
    pub joined: u64,
    /// Memberships that were there already.
    pub there: u64,
    /// Why the person was not put on lists.
    pub refused: Vec<OpError>,
}

/// The result for an address that is kept off a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeptOut {
    /// It is noted now.
    Noted,
    /// It was noted before.
    Known,
    /// The person is a member here, and stays one.
    Member,
}

/// Checks a person, and says what merging would lead to. Lists and fields in `coming` count as being there.
///
/// # Errors
/// If the person cannot be taken at all.
pub fn rehearse(
    tx: &impl Read,
    caller: &Caller,
    whole: &WholeContact,
    coming: (&[String], &[String]),
    (overrides, now): (bool, Timestamp),
) -> Result<Merged, OpError> {
    caller.require(Permission::ManageMembers)?;
    let account = account_of(tx, caller)?;
    let checked = Checked::new(tx, &account, whole, coming, now)?;
    let mut plan = Plan::new(tx, &account, &checked, overrides)?;
    // Nobody is on a list that is not there, but somebody may have opted out of all lists.
    for membership in &whole.memberships {
        if find_list_of(tx, account.id, &membership.list)?.is_none() {
            match plan.opted_out_of_all.as_ref().filter(|_| !overrides) {
                Some(OptOut { way, time, .. }) => {
                    let list = membership.list.clone();
                    plan.merged.refused.push(OpError::OptedOut { list, way: *way, time: *time });
                }
                None => plan.merged.joined += 1,
            }
        }
    }
    plan.merged.is_new = plan.contact.is_none() && 0 < plan.merged.joined;
    Ok(plan.merged)
}

/// Takes a person in. The audit log has the call in which it happens, see [`begin`](super::taking::begin).
///
/// # Errors
/// If the person cannot be taken at all; then nothing was written.
pub fn take(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    whole: &WholeContact,
    overrides: bool,
    now: Timestamp,
) -> Result<Merged, OpError> {
    caller.require(Permission::ManageMembers)?;
    let account = account_of(tx, caller)?;
    let checked = Checked::new(tx, &account, whole, (&[], &[]), now)?;
    let Plan { contact, joins, mut merged, opted_out_of_all: _ } =
        Plan::new(tx, &account, &checked, overrides)?;
    if joins.is_empty() {
        return Ok(merged);
    }
    // A pause of the address is not taken over where the address is there already, so it is one of the membership then.
    let is_held = contact.is_some() && checked.emails.iter().any(|(_, until)| until.is_some());
    let contact = if let Some(contact) = contact {
        contact
    } else {
        check_room(tx, &account)?;
        merged.is_new = true;
        make(tx, &account, whole, &checked)?
    };
    for (list, digest, paused, joined) in joins {
        if overrides {
            opt_outs::let_in(tx, &contact, list, true)?;
        }
        let id = MembershipId(tx.next_id::<Membership>()?);
        tx.put(&Membership {
            id,
            account: account.id,
            contact: contact.id,
            list: list.id,
            digest: *digest,
            paused: *paused || is_held,
            joined: joined.clone(),
        })?;
        for consent in checked.consents.iter().filter(|consent| consent.list == list.id) {
            if requests::consent(tx, list, &consent.address)?.is_none() {
                let id = ConsentId(tx.next_id::<Consent>()?);
                tx.put(&Consent { id, account: account.id, ..consent.clone() })?;
            }
        }
    }
    Ok(merged)
}

/// What merging a person leads to.
struct Plan<'a> {
    contact: Option<Contact>,
    joins: Vec<&'a Member>,
    merged: Merged,
    opted_out_of_all: Option<OptOut>,
}

impl<'a> Plan<'a> {
    fn new(
        tx: &impl Read,
        account: &Account,
        checked: &'a Checked,
        overrides: bool,
    ) -> Result<Plan<'a>, OpError> {
        let contact = known(tx, account, checked)?;
        let mut addresses: Vec<EmailAddress> = checked.names.clone();
        if let Some(contact) = &contact {
            addresses.extend(opt_outs::addresses_of(tx, contact)?);
        }
        let id = contact.as_ref().map(|contact| contact.id);
        let person = Added { account: account.id, contact: id, addresses: &addresses };
        let (mut joins, mut merged) = (Vec::new(), Merged::default());
        for member in &checked.memberships {
            let (list, ..) = member;
            let is_member = match &contact {
                Some(contact) => subscribe::find_member(tx, contact, list.id)?.is_some(),
                None => false,
            };
            if is_member {
                merged.there += 1;
                continue;
            }
            match opt_outs::require_none(tx, person, list) {
                Err(refusal @ OpError::OptedOut { .. }) if !overrides => merged.refused.push(refusal),
                Err(OpError::OptedOut { .. }) | Ok(()) => {
                    merged.joined += 1;
                    joins.push(member);
                }
                Err(error) => return Err(error),
            }
        }
        let opted_out_of_all =
            opt_outs::of_person(tx, person)?.into_iter().find(|opt_out| opt_out.list.is_none());
        Ok(Plan { contact, joins, merged, opted_out_of_all })
    }
}

/// The list of a name and the person of an address, to keep that person off it.
fn kept_out(
    tx: &impl Read,
    account: &Account,
    email: &str,
) -> Result<(EmailAddress, Option<Contact>), OpError> {
    let address = EmailAddress::parse(email).map_err(|error| OpError::invalid("emails", error))?;
    let of_address = Key::new().u64(account.id.0).text(&address.folded());
    let email: Option<crate::model::Email> = tx.find(&EMAIL_BY_ADDRESS, &of_address)?;
    let contact = email.map_or(Ok::<_, StoreError>(None), |email| tx.get(email.contact.0))?;
    Ok((address, contact))
}

/// Says what keeping an address off a list would lead to. A list in `coming` counts as being there.
///
/// # Errors
/// If the address or the list cannot be meant.
pub fn rehearse_keeping_out(
    tx: &impl Read,
    caller: &Caller,
    (email, name): (&str, &str),
    coming: &[String],
) -> Result<KeptOut, OpError> {
    caller.require(Permission::ManageMembers)?;
    let account = account_of(tx, caller)?;
    let (address, contact) = kept_out(tx, &account, email)?;
    let Some(list) = find_list_of(tx, account.id, name)? else {
        if coming.iter().any(|coming| coming.eq_ignore_ascii_case(name)) {
            return Ok(KeptOut::Noted);
        }
        return Err(OpError::invalid("lists", Wrong::NoList { name: name.to_owned() }));
    };
    if let Some(contact) = &contact
        && subscribe::find_member(tx, contact, list.id)?.is_some()
    {
        return Ok(KeptOut::Member);
    }
    let id = contact.map(|contact| contact.id);
    let person = Added { account: account.id, contact: id, addresses: &[address] };
    let is_known = opt_outs::of_person(tx, person)?.iter().any(|opt_out| opt_out.list == Some(list.id));
    Ok(if is_known { KeptOut::Known } else { KeptOut::Noted })
}

/// Notes that the person of an address opted out of a list elsewhere, at `time`.
///
/// # Errors
/// If the address or the list cannot be meant.
pub fn keep_out(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    (email, name): (&str, &str),
    time: Timestamp,
) -> Result<KeptOut, OpError> {
    caller.require(Permission::ManageMembers)?;
    let account = account_of(tx, caller)?;
    let (address, contact) = kept_out(tx, &account, email)?;
    let no_list = || OpError::invalid("lists", Wrong::NoList { name: name.to_owned() });
    let list = find_list_of(tx, account.id, name)?.ok_or_else(no_list)?;
    if let Some(contact) = &contact
        && subscribe::find_member(tx, contact, list.id)?.is_some()
    {
        return Ok(KeptOut::Member);
    }
    let id = contact.map(|contact| contact.id);
    let person = Added { account: account.id, contact: id, addresses: &[address] };
    let is_new = opt_outs::note_imported(tx, person, Some(list.id), time)?;
    Ok(if is_new { KeptOut::Noted } else { KeptOut::Known })
}
