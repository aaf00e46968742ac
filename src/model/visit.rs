//! When a member was at the pages last, so that a page can say what is new since then.
//!
//! `ops::sessions` writes it as a session begins and is used, exact to an hour.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{AccountId, ContactId};
use crate::clock::Timestamp;

/// How long after the last use of the pages another one begins a new visit.
const NEXT_VISIT_AFTER: Duration = Duration::from_hours(1);

/// The visits of a member; it has the number of the contact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MemberVisit {
    /// The member.
    pub contact: ContactId,
    /// Its account.
    pub account: AccountId,
    /// When the pages were used last.
    pub last: Timestamp,
    /// When they were used last in the visit before; `None` if there was none.
    pub before: Option<Timestamp>,
}

impl MemberVisit {
    /// The visits of a member who is at the pages for the first time.
    #[must_use]
    pub fn first(account: AccountId, contact: ContactId, now: Timestamp) -> MemberVisit {
        MemberVisit { contact, account, last: now, before: None }
    }

    /// The visits after a use of the pages at `now`.
    #[must_use]
    pub fn used(self, now: Timestamp) -> MemberVisit {
        let before = if self.is_over(now) { Some(self.last) } else { self.before };
        MemberVisit { before, last: self.last.max(now), ..self }
    }

    /// The moment from which on messages are new to a member who looks at `now`; `None` at the first visit.
    #[must_use]
    pub fn new_since(&self, now: Timestamp) -> Option<Timestamp> {
        if self.is_over(now) { Some(self.last) } else { self.before }
    }

    fn is_over(&self, now: Timestamp) -> bool {
        self.last + NEXT_VISIT_AFTER <= now
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_new_stays_new_for_a_visit() {
        let at = |hours: u64| Timestamp::from_ms(0) + Duration::from_hours(hours);
        let minutes = |count| Duration::from_mins(count);
        let visit = MemberVisit::first(AccountId(1), ContactId(2), at(10));
        assert_eq!((visit.new_since(at(10)), visit.new_since(at(30))), (None, Some(at(10))));
        let visit = visit.used(at(10) + minutes(59));
        assert_eq!(visit.new_since(at(11)), None);
        let visit = visit.used(at(30));
        assert_eq!(visit.new_since(at(30) + minutes(59)), Some(at(10) + minutes(59)));
        assert_eq!(visit.new_since(at(31)), Some(at(30)));
    }
}
