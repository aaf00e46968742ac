//! Finds what members took, single messages or digests, when a post was accepted.
//!
//! The expansion of posts and that of digests ask here, so that each address of a member is in one of the two and in one
//! alone, whatever was switched meanwhile. The order of numbers decides, and no clock (`model::digest`).

use std::collections::HashMap;

use crate::model::digest::{Switched, Taken, TakenSettings};
use crate::model::{AccountId, DigestSwitch, Email, Membership, MessageId};
use crate::schema::{DIGEST_SWITCH_BY_ACCOUNT, DIGEST_SWITCH_OF, digest_switch_of};
use crate::store::{IndexRange, Key, Read, StoreError};

/// The settings that memberships and addresses had before they were changed.
#[derive(Debug, Default)]
pub(in crate::ops) struct Switches(HashMap<Switched, Vec<DigestSwitch>>);

impl Switches {
    /// Those of some memberships and addresses since the post `first` was accepted. Mostly nobody of the account has
    /// changed anything since, which one look tells.
    pub(in crate::ops) fn since(
        tx: &impl Read,
        account: AccountId,
        first: MessageId,
        of: impl Iterator<Item = Switched>,
    ) -> Result<Switches, StoreError> {
        let mut known = HashMap::new();
        let all = IndexRange::prefix(Key::new().u64(account.0)).after_id(first.0);
        if tx.first_row(&DIGEST_SWITCH_BY_ACCOUNT, &all)?.is_none() {
            return Ok(Switches(known));
        }
        for switched in of {
            let later = IndexRange::prefix(digest_switch_of(account, switched)).after_id(first.0);
            let switches = tx.page(&DIGEST_SWITCH_OF, &later, usize::MAX)?;
            if !switches.is_empty() {
                known.insert(switched, switches);
            }
        }
        Ok(Switches(known))
    }

    /// The form in which a member took mail at an address when a post was accepted.
    pub(in crate::ops) fn taken(&self, membership: &Membership, email: &Email, post: MessageId) -> Taken {
        let now = (TakenSettings::of_membership(membership), TakenSettings::of_email(email));
        let of_membership = self.settings(Switched::Membership(membership.id), post, now.0);
        Taken::of(of_membership, self.settings(Switched::Email(email.id), post, now.1))
    }

    /// Whether a membership or an address has switched since.
    pub(in crate::ops) fn has(&self, membership: &Membership, email: &Email) -> bool {
        !self.0.is_empty()
            && (self.0.contains_key(&Switched::Membership(membership.id))
                || self.0.contains_key(&Switched::Email(email.id)))
    }

    /// The settings at the time of a post: those before the first change behind it.
    fn settings(&self, of: Switched, post: MessageId, now: TakenSettings) -> TakenSettings {
        let switches = self.0.get(&of).map_or(&[][..], Vec::as_slice);
        let next = switches.iter().find(|switch| post < switch.at);
        next.map_or(now, |switch| TakenSettings { digest: switch.digest, paused: switch.paused })
    }
}
