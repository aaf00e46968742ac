//! Looks up which recipients of a batch still get a copy.
//!
//! A member who left or paused a moment ago gets none, so membership is checked before each copy. As long as no record
//! of the account changes, the answer cannot change: the recipients of a batch are looked up together, which costs a
//! third as much, and those still to be sent are looked up again after a commit that changed something.

use std::collections::VecDeque;

use crate::model::{Batch, Contact, Email, Membership, Recipient};
use crate::store::{Read as _, Store, StoreError};

/// The contact and the address of a recipient; `None` if it gets no copy.
type Found = Option<(Contact, Email)>;

/// The looked-up recipients of one batch.
#[derive(Default)]
pub(super) struct RecipientLookup {
    /// The account's generation before the look-up.
    generation: u64,
    found: VecDeque<(usize, Found)>,
}

impl RecipientLookup {
    /// Returns the contact and the address of the recipient at `place` if it is still a member who takes the list's mail,
    /// and its address still takes mail. No snapshot is open when this returns: the caller awaits the network next.
    pub(super) fn take(&mut self, store: &Store, batch: &Batch, place: usize) -> Result<Found, StoreError> {
        // Read before the snapshot: a commit in between that the snapshot lacks makes the next call look up again.
        let generation = store.generation(batch.account.0);
        if self.generation == generation {
            while let Some((at, found)) = self.found.pop_front() {
                if at == place {
                    return Ok(found);
                }
            }
        }
        let waiting = (place..).zip(&batch.recipients[place..]);
        let waiting = waiting.filter(|(at, recipient)| *at == place || recipient.state.is_waiting());
        let (places, recipients): (Vec<usize>, Vec<&Recipient>) = waiting.unzip();
        self.found = places.into_iter().zip(look_up(store, &recipients)?).collect();
        self.generation = generation;
        Ok(self.found.pop_front().and_then(|(_, found)| found))
    }
}

fn look_up(store: &Store, recipients: &[&Recipient]) -> Result<Vec<Found>, StoreError> {
    let tx = store.read()?;
    let ids =
        |id: fn(&Recipient) -> u64| recipients.iter().map(|recipient| id(recipient)).collect::<Vec<u64>>();
    let memberships = tx.records::<Membership>(&ids(|recipient| recipient.membership.0))?;
    let emails = tx.records::<Email>(&ids(|recipient| recipient.email.0))?;
    let contacts = tx.records::<Contact>(&ids(|recipient| recipient.contact.0))?;
    let found = recipients.iter().zip(memberships).zip(emails).zip(contacts);
    let found = found.map(|(((recipient, membership), email), contact)| {
        membership.filter(|membership| !membership.paused)?;
        let email = email.filter(|email| !email.paused && email.address == recipient.address)?;
        Some((contact?, email))
    });
    Ok(found.collect())
}
