//! People with everything that is known of them, as they are taken out of an account and put into another: states,
//! evidence and opt-outs, with names and texts in place of numbers of this server.
//!
//! Whoever is put back is put back as he was, and nobody is mailed. A contact that is there already stays as it is, so
//! putting the same people back again changes nothing.

pub mod merging;
pub mod taking;

use std::collections::BTreeMap;
use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::model::contact::JoinWay;
use crate::model::{
    Account, BounceState, Consent, Contact, ContactId, Email, EmailPause, Joined, List, ListId, Membership,
    OptOut,
};
use crate::ops::people::contacts::emails_of;
use crate::ops::people::opt_outs;
use crate::schema::{CONSENT_BY_ADDRESS, CONTACT_BY_ACCOUNT, MEMBERSHIP_BY_CONTACT, MEMBERSHIP_BY_LIST};
use crate::store::{IndexRange, Key, Read, StoreError};

/// A person.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WholeContact {
    /// Custom identifier.
    pub ccid: Option<String>,
    /// First name.
    pub firstname: String,
    /// Surname.
    pub surname: String,
    /// Notes.
    pub notes: String,
    /// When the contact was made (RFC 3339), as all times here.
    pub created: String,
    /// Values of custom fields, by the full names of the fields.
    pub fields: BTreeMap<String, String>,
    /// The addresses, the first one before the others.
    pub addresses: Vec<WholeAddress>,
    /// The lists of which the person is a member, oldest first.
    pub memberships: Vec<WholeMembership>,
    /// The evidence that the person asked to join.
    pub consents: Vec<WholeConsent>,
    /// The lists whose mail the person does not want.
    pub opted_out: Vec<WholeOptOut>,
}

/// An address.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WholeAddress {
    /// The address itself.
    pub email: String,
    /// Whether it gets daily digests.
    pub digest: bool,
    /// Whether it gets no mail for now.
    pub paused: bool,
    /// When a pause ends that the person set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub paused_until: Option<String>,
    /// Whether its owner confirmed it.
    pub confirmed: bool,
    /// Custom identifier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ceid: Option<String>,
    /// Signs that mail to it fails or is unwanted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bounces: Option<WholeBounces>,
}

/// The signs that mail to an address fails or is unwanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WholeBounces {
    /// The reply or report behind the last sign.
    pub reason: String,
    /// When it was first reported that the address does not exist.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reported: Option<String>,
    /// When a series of temporary failures began, and when it failed last.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failing: Option<(String, String)>,
    /// The pause to which the signs led.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pause: Option<WholePause>,
}

/// A pause that a server made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WholePause {
    /// When it began.
    pub since: String,
    /// Its cause, in words.
    pub cause: String,
    /// The number of probes that were sent.
    pub probes: u8,
    /// Whether the last probe was taken, and no report has come back.
    pub is_probe_out: bool,
    /// When the next step is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next_probe: Option<String>,
}

/// When, from where and how something was done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WholeStep {
    /// When.
    pub time: String,
    /// From which network address, if a network was involved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<IpAddr>,
    /// How: `api`, `command`, `web` or `mail`.
    pub way: String,
}

/// A membership.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WholeMembership {
    /// Name of the list.
    pub list: String,
    /// Overrides the digest setting of the addresses.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<bool>,
    /// Whether the member gets no copies.
    pub paused: bool,
    /// How the person joined.
    pub joined: WholeStep,
}

/// The evidence that the owner of an address asked to join a list, and confirmed that.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WholeConsent {
    /// The address.
    pub email: String,
    /// Name of the list.
    pub list: String,
    /// The name that the request gave.
    pub name: String,
    /// The digest setting that was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub digest: Option<bool>,
    /// How it was asked for.
    pub requested: WholeStep,
    /// How it was confirmed.
    pub confirmed: WholeStep,
    /// The words that the person agreed to.
    pub agreed: String,
}

/// What a person opted out of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WholeOptOut {
    /// Name of the list; none for every list of the account.
    pub list: Option<String>,
    /// When.
    pub time: String,
    /// How.
    pub way: String,
}

/// The next people of an account by their numbers, or of a list by the age of their memberships, beyond `after`;
/// with what comes after them as `after`. Of a list, only what concerns that list is told.
///
/// # Errors
/// If the store fails.
pub fn page(
    tx: &impl Read,
    account: &Account,
    list: Option<&List>,
    after: u64,
    limit: usize,
) -> Result<(Vec<WholeContact>, Option<u64>), StoreError> {
    let of_account = Key::new().u64(account.id.0);
    let (ids, contacts): (Vec<u64>, Vec<u64>) = match list {
        None => {
            let ids = tx.ids(&CONTACT_BY_ACCOUNT, &IndexRange::prefix(of_account).after_id(after), limit)?;
            (ids.clone(), ids)
        }
        Some(list) => {
            let of_list = IndexRange::prefix(of_account.u64(list.id.0)).after_id(after);
            let members: Vec<Membership> = tx.page(&MEMBERSHIP_BY_LIST, &of_list, limit)?;
            members.iter().map(|member| (member.id.0, member.contact.0)).unzip()
        }
    };
    let mut reading = Reading { tx, account, only: list.map(|list| list.id), lists: BTreeMap::new() };
    let mut found = Vec::with_capacity(contacts.len());
    for id in contacts {
        found.extend(reading.contact(ContactId(id))?);
    }
    Ok((found, ids.last().copied()))
}

/// The word of a way to join.
fn way_word(way: JoinWay) -> &'static str {
    match way {
        JoinWay::Api => "api",
        JoinWay::Command => "command",
        JoinWay::Web => "web",
        JoinWay::Mail => "mail",
    }
}

fn step(joined: &Joined) -> WholeStep {
    let Joined { when, from, way } = joined;
    WholeStep { time: when.rfc3339(), from: *from, way: way_word(*way).to_owned() }
}

/// Reads people, and the names of lists once each.
struct Reading<'a, T> {
    tx: &'a T,
    account: &'a Account,
    only: Option<ListId>,
    lists: BTreeMap<u64, Option<String>>,
}

impl<T: Read> Reading<'_, T> {
    /// The name of a list; `None` if it is gone, or is not asked for.
    fn list(&mut self, id: ListId) -> Result<Option<String>, StoreError> {
        if self.only.is_some_and(|only| only != id) {
            return Ok(None);
        }
        if let Some(known) = self.lists.get(&id.0) {
            return Ok(known.clone());
        }
        let name = self.tx.get::<List>(id.0)?.map(|list| list.name.to_string());
        self.lists.insert(id.0, name.clone());
        Ok(name)
    }

    fn contact(&mut self, id: ContactId) -> Result<Option<WholeContact>, StoreError> {
        let Some(contact) = self.tx.get::<Contact>(id.0)? else { return Ok(None) };
        let emails = emails_of(self.tx, &contact)?;
        let (memberships, consents) = (self.memberships(&contact)?, self.consents(&emails)?);
        let opted_out = self.opt_outs(&contact)?;
        let addresses = emails.iter().map(|email| self.address(email)).collect::<Result<_, StoreError>>()?;
        let fields = &self.account.custom_fields;
        let named = |(id, value): (_, String)| {
            let field = fields.iter().find(|field| field.id == id)?;
            Some((field.name.clone(), value))
        };
        // No `..`: a new field is told or left out on purpose.
        let Contact { id: _, account: _, ccid, firstname, surname, notes, custom, created } = contact;
        Ok(Some(WholeContact {
            ccid,
            firstname,
            surname,
            notes,
            created: created.rfc3339(),
            fields: custom.into_iter().filter_map(named).collect(),
            addresses,
            memberships,
            consents,
            opted_out,
        }))
    }

    fn address(&self, email: &Email) -> Result<WholeAddress, StoreError> {
        let Email { id, account: _, contact: _, address, digest, paused, confirmed, ceid, evidence } = email;
        let pause: Option<EmailPause> = self.tx.get(id.0)?;
        Ok(WholeAddress {
            email: address.to_string(),
            digest: *digest,
            paused: *paused,
            paused_until: pause.map(|pause| pause.until.rfc3339()),
            confirmed: *confirmed,
            ceid: ceid.clone(),
            bounces: evidence.as_ref().map(bounces),
        })
    }

    fn memberships(&mut self, contact: &Contact) -> Result<Vec<WholeMembership>, StoreError> {
        let of_contact = Key::new().u64(contact.account.0).u64(contact.id.0);
        let mut found: Vec<Membership> =
            self.tx.page(&MEMBERSHIP_BY_CONTACT, &of_contact.into(), usize::MAX)?;
        found.sort_unstable_by_key(|membership| membership.id);
        let mut told = Vec::with_capacity(found.len());
        for Membership { id: _, account: _, contact: _, list, digest, paused, joined } in found {
            if let Some(list) = self.list(list)? {
                told.push(WholeMembership { list, digest, paused, joined: step(&joined) });
            }
        }
        Ok(told)
    }

    fn consents(&mut self, emails: &[Email]) -> Result<Vec<WholeConsent>, StoreError> {
        let mut told = Vec::new();
        for email in emails {
            let of_address = Key::new().u64(email.account.0).text(&email.address.folded());
            let mut found: Vec<Consent> =
                self.tx.page(&CONSENT_BY_ADDRESS, &of_address.into(), usize::MAX)?;
            found.sort_unstable_by_key(|consent| consent.id);
            for consent in found {
                let Consent { id: _, account: _, address, list, name, digest, requested, confirmed, agreed } =
                    consent;
                let Some(list) = self.list(list)? else { continue };
                let (requested, confirmed) = (step(&requested), step(&confirmed));
                let email = address.to_string();
                told.push(WholeConsent { email, list, name, digest, requested, confirmed, agreed });
            }
        }
        Ok(told)
    }

    fn opt_outs(&mut self, contact: &Contact) -> Result<Vec<WholeOptOut>, StoreError> {
        let mut told = Vec::new();
        for OptOut { id: _, account: _, list, contact: _, addresses: _, way, time } in
            opt_outs::of_contact(self.tx, contact)?
        {
            let list = match list {
                None => None,
                Some(id) => match self.list(id)? {
                    None => continue,
                    name => name,
                },
            };
            told.push(WholeOptOut { list, time: time.rfc3339(), way: way.word().to_owned() });
        }
        Ok(told)
    }
}

fn bounces(state: &BounceState) -> WholeBounces {
    let BounceState { reported, soft, reason, pause } = state;
    let time = Timestamp::rfc3339;
    WholeBounces {
        reason: reason.clone(),
        reported: reported.map(time),
        failing: soft.map(|span| (time(span.since), time(span.last))),
        pause: pause.as_ref().map(|pause| WholePause {
            since: time(pause.since),
            cause: pause.cause.word().to_owned(),
            probes: pause.probes,
            is_probe_out: pause.is_probe_out,
            next_probe: pause.next_probe.map(time),
        }),
    }
}
