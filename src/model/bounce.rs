//! Why mail does not arrive: the codes of other servers, and what they say of an address.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::words;

/// An enhanced status code (RFC 3463), such as `5.1.1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Status {
    /// 2 for a success, 4 for a failure that may pass, 5 for one that stays.
    pub class: u8,
    /// What it is about: 1 addresses, 2 mailboxes, 3 systems, 4 the network, 5 the protocol, 6 content, 7 policy.
    pub subject: u16,
    /// What of it.
    pub detail: u16,
}

impl Status {
    /// A code by its three numbers.
    #[must_use]
    pub const fn new(class: u8, subject: u16, detail: u16) -> Status {
        Status { class, subject, detail }
    }

    /// Reads `5.1.1`; anything else is none.
    #[must_use]
    pub fn parse(text: &str) -> Option<Status> {
        let mut parts = text.split('.');
        let class = parts.next().filter(|class| matches!(*class, "2" | "4" | "5"))?.parse().ok()?;
        let mut number = || {
            let part = parts.next()?;
            let is_number = (1..=3).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
            if is_number { part.parse().ok() } else { None }
        };
        let (subject, detail) = (number()?, number()?);
        if parts.next().is_none() { Some(Status { class, subject, detail }) } else { None }
    }
}

impl fmt::Display for Status {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}.{}.{}", self.class, self.subject, self.detail)
    }
}

words! {
    /// What a failure says of the address (`spec/mail.md` 9).
    FailureKind {
        /// Nobody reads mail there.
        Dead = "dead address",
        /// The mailbox is full, or the way to it is broken for now; also what nobody can tell.
        Temporary = "full or temporary",
        /// The message or its sender is not wanted, or the message is too large: nothing about the address.
        Policy = "policy or reputation",
    }
}

/// What is made of one failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Diagnosis {
    /// What it says of the address.
    pub kind: FailureKind,
    /// The code on which that rests; none where there was none, and the words decided.
    pub status: Option<Status>,
}

impl Diagnosis {
    /// Whether one such refusal in our own delivery is enough to pause the address: 5.1.1, 5.1.2, 5.1.10 and
    /// 5.2.1 (`spec/mail.md` 9).
    #[must_use]
    pub fn is_certain(&self) -> bool {
        const CERTAIN: [Status; 4] =
            [Status::new(5, 1, 1), Status::new(5, 1, 2), Status::new(5, 1, 10), Status::new(5, 2, 1)];
        self.kind == FailureKind::Dead && self.status.is_some_and(|status| CERTAIN.contains(&status))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_has_a_class_and_two_numbers() {
        assert_eq!(Status::parse("5.1.10"), Some(Status::new(5, 1, 10)));
        for text in ["", "5", "5.1", "5.1.", "5.1.1.1", "3.1.1", "5.1.1000", "5.+1.1", "5.1.1 ", "55.1.1"] {
            assert_eq!(Status::parse(text), None, "{text}");
        }
    }

    #[test]
    fn four_codes_are_certain_where_nothing_speaks_against_them() {
        let diagnosis = |kind, code| Diagnosis { kind, status: Status::parse(code) };
        for code in ["5.1.1", "5.1.2", "5.1.10", "5.2.1"] {
            assert!(diagnosis(FailureKind::Dead, code).is_certain(), "{code}");
            assert!(!diagnosis(FailureKind::Policy, code).is_certain(), "{code}");
        }
        for code in ["4.1.1", "5.1.6", ""] {
            assert!(!diagnosis(FailureKind::Dead, code).is_certain(), "{code}");
        }
    }
}
