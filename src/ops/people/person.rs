//! Facts about one person that administrators read beside the record itself: until when addresses are paused, and the evidence
//! that the person wanted to join; and everything that is kept, for a file.

use crate::clock::Timestamp;
use crate::model::{Consent, ContactId, EmailPause, List, ListName, OptOut};
use crate::ops::people::contacts::{self, ContactDetail};
use crate::ops::people::download::{self, Kept};
use crate::ops::people::opt_outs;
use crate::ops::{Caller, OpError};
use crate::schema::CONSENT_BY_ADDRESS;
use crate::store::{IndexRange, Key, Read};

/// Pieces of evidence of one address that are shown.
const CONSENTS_MAX: usize = 100;

/// A person, as administrators read it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The contact with its addresses and memberships.
    pub detail: ContactDetail,
    /// For each address, when it takes mail again, if somebody paused it until a day.
    pub until: Vec<Option<Timestamp>>,
    /// The evidence, with the name of its list.
    pub consents: Vec<(ListName, Consent)>,
    /// What the person opted out of, with the name of the list; none for the whole account.
    pub opt_outs: Vec<(Option<ListName>, OptOut)>,
    /// Whether the caller may change the contact and its addresses: it is in no list that the caller does not see.
    pub is_whole: bool,
}

/// A person, by the name of its contact in calls.
///
/// # Errors
/// If there is none for the caller.
pub fn get(tx: &impl Read, caller: &Caller, name: &str) -> Result<Person, OpError> {
    let detail = contacts::get(tx, caller, name)?;
    let (mut until, mut consents) = (Vec::new(), Vec::new());
    for email in &detail.emails {
        let pause: Option<EmailPause> = if email.paused { tx.get(email.id.0)? } else { None };
        until.push(pause.map(|pause| pause.until));
        let of_address = Key::new().u64(caller.account.0).text(&email.address.folded());
        for consent in tx.page(&CONSENT_BY_ADDRESS, &IndexRange::prefix(of_address), CONSENTS_MAX)? {
            let list = tx.get::<List>(consent.list.0)?.filter(|list| caller.sees_list(list));
            consents.extend(list.map(|list| (list.name, consent)));
        }
    }
    let mut opt_outs = Vec::new();
    for opt_out in opt_outs::of_contact(tx, &detail.contact)? {
        match opt_out.list {
            None => opt_outs.push((None, opt_out)),
            Some(list) => {
                let list = tx.get::<List>(list.0)?.filter(|list| caller.sees_list(list));
                opt_outs.extend(list.map(|list| (Some(list.name), opt_out)));
            }
        }
    }
    let is_whole = caller.require_whole(tx, detail.contact.id).is_ok();
    Ok(Person { detail, until, consents, opt_outs, is_whole })
}

/// Everything that is kept about a person, for whoever manages members and sees all of it.
///
/// # Errors
/// If there is none for the caller, or the caller sees not all of it.
pub fn everything(tx: &impl Read, caller: &Caller, contact: ContactId) -> Result<Kept, OpError> {
    caller.require_over(contact)?;
    caller.require_all_lists("exporting what is kept about somebody")?;
    if caller.limits.hide_fields() {
        return Err(OpError::Limited { what: "exporting what is kept about somebody" });
    }
    download::everything(tx, contact)
}
