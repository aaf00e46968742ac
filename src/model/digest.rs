//! Digests: what waits for the next one, who took digests when a post was accepted, and the digests that were made.
//!
//! A post reaches each address of a member exactly once, singly or in a digest. What the address took when the post was
//! accepted decides, and "when" is a number and no time of day: messages, digests and changes of what somebody takes draw
//! their numbers from one sequence, that of [`Message`](super::Message), so that a clock that is set back changes nothing.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{AccountId, BlobId, Email, EmailId, FanOutId, ListId, Membership, MembershipId, MessageId};
use crate::clock::Timestamp;

/// How long a digest is kept, at least: longer than its copies are tried.
const KEPT_FOR: Duration = Duration::from_hours(36 * 24);
/// How often it is asked whether copies of a digest still wait, which need its bytes.
const WAITING_CHECKED_EVERY: Duration = Duration::from_hours(1);
/// How often it is asked whether there is still a trace of its copies.
const TRACE_CHECKED_EVERY: Duration = Duration::from_hours(24);

/// A post that the next digest of its list holds, since somebody took digests when it was accepted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DigestPost {
    /// The post, and those who may get it.
    pub post: AcceptedPost,
    /// The account of the list.
    pub account: AccountId,
    /// The list.
    pub list: ListId,
    /// Whether an address that takes digests has been found among the members.
    pub is_taken: bool,
    /// Whether all members have been looked at, so that the next digest may hold the post.
    pub is_ready: bool,
}

/// A post, with the newest membership at the moment it was accepted, and the newest address at the moment somebody was
/// found who takes it in a digest: later ones do not get it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct AcceptedPost {
    /// The post.
    pub message: MessageId,
    /// The newest membership of the list.
    pub last_membership: MembershipId,
    /// The newest address of the server.
    pub last_email: EmailId,
}

/// When the next digest of a list is made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DigestSchedule {
    /// The list.
    pub list: ListId,
    /// Its account.
    pub account: AccountId,
    /// When the next digest is due; `None` if nothing waits for it.
    pub due: Option<Timestamp>,
    /// The day of the last digest.
    pub last: Option<Day>,
}

/// A day in the time zone of an account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Day {
    /// The year.
    pub year: i16,
    /// The month, from 1.
    pub month: i8,
    /// The day of the month, from 1.
    pub day: i8,
}

impl fmt::Display for Day {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

/// A setting as it was before a change: whether somebody took digests, or mail at all.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DigestSwitch {
    /// When it changed: messages with lower numbers were accepted before.
    pub at: MessageId,
    /// The account.
    pub account: AccountId,
    /// Whose setting it is.
    pub of: Switched,
    /// The digest setting before the change.
    pub digest: Option<bool>,
    /// Whether it was paused before the change.
    pub paused: bool,
}

/// Whose digest setting it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Switched {
    /// A membership.
    Membership(MembershipId),
    /// An address.
    Email(EmailId),
}

/// The form in which a member takes the mail of a list at one address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Taken {
    /// Each message.
    Single,
    /// One mail a day with all messages.
    Digest,
    /// Nothing: the membership or the address is paused.
    Nothing,
}

/// The digest setting and the pause of a membership or an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TakenSettings {
    /// The digest setting; `None` leaves it to the address.
    pub digest: Option<bool>,
    /// Whether it is paused.
    pub paused: bool,
}

impl TakenSettings {
    /// Those of a membership.
    #[must_use]
    pub fn of_membership(membership: &Membership) -> TakenSettings {
        TakenSettings { digest: membership.digest, paused: membership.paused }
    }

    /// Those of an address.
    #[must_use]
    pub fn of_email(email: &Email) -> TakenSettings {
        TakenSettings { digest: Some(email.digest), paused: email.paused }
    }
}

impl Taken {
    /// The form of mail that a member takes at an address: the membership's setting, else that of the address.
    #[must_use]
    pub fn of(membership: TakenSettings, email: TakenSettings) -> Taken {
        match membership.digest.or(email.digest) {
            _ if membership.paused || email.paused => Taken::Nothing,
            Some(true) => Taken::Digest,
            Some(false) | None => Taken::Single,
        }
    }
}

/// A digest: some posts of a list in one mail.
///
/// An address that took digests all day gets the digest of the day. If members switched meanwhile, there is one more
/// digest of the day with exactly the posts that are theirs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Digest {
    /// Its number, which no message has.
    pub id: MessageId,
    /// The account of the list.
    pub account: AccountId,
    /// The list.
    pub list: ListId,
    /// The day, in the account's time zone.
    pub day: Day,
    /// When it was made.
    pub made: Timestamp,
    /// The posts in it, in order.
    pub messages: Vec<MessageId>,
    /// The mail before personal places and header fields of the list are put in; `None` once no copy waits, and after
    /// one of the posts was changed: a copy that still waits is made of what the posts are then.
    pub blob: Option<BlobId>,
    /// Where the posts themselves stand in the mail: all copies share these bytes.
    pub posts_start: u64,
    /// Where they end.
    pub posts_end: u64,
    /// Its subject, without the list's prefix.
    pub subject: String,
    /// Whether a copy went or goes under REQUIRETLS, because one of its posts came so (RFC 8689).
    pub requires_tls: bool,
    /// When it is next asked whether the digest is still needed.
    pub check: Timestamp,
}

impl Digest {
    /// The time at which a new digest is first looked at again.
    #[must_use]
    pub fn first_check(made: Timestamp) -> Timestamp {
        made + WAITING_CHECKED_EVERY
    }

    /// The time of the next look.
    #[must_use]
    pub fn next_check(now: Timestamp, is_waiting: bool) -> Timestamp {
        now + if is_waiting { WAITING_CHECKED_EVERY } else { TRACE_CHECKED_EVERY }
    }

    /// Whether it may be deleted if there is no trace of its copies any more.
    #[must_use]
    pub fn is_old(&self, now: Timestamp) -> bool {
        KEPT_FOR <= now.since(self.made)
    }
}

/// The progress of a list's digest of a day through its members. There is one for each list and day: the job that
/// makes it takes the posts out of those that wait.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DigestFanOut {
    /// Service identifier.
    pub id: FanOutId,
    /// The account of the list.
    pub account: AccountId,
    /// The list.
    pub list: ListId,
    /// The day, in the account's time zone.
    pub day: Day,
    /// When it was begun.
    pub made: Timestamp,
    /// The posts, in order.
    pub posts: Vec<AcceptedPost>,
    /// The digests made so far.
    pub editions: Vec<Edition>,
    /// The last membership that was looked at; 0 before the first.
    pub cursor: u64,
}

/// A digest of a fan-out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Edition {
    /// Places of its posts in the fan-out, in order.
    pub places: Vec<u32>,
    /// The digest; `None` if none of these posts is left.
    pub digest: Option<MessageId>,
}

impl DigestFanOut {
    /// The newest membership that gets any of the posts.
    #[must_use]
    pub fn last(&self) -> u64 {
        self.posts.iter().map(|post| post.last_membership.0).max().unwrap_or(0)
    }

    /// Whether the digest of the posts at these places was built.
    #[must_use]
    pub fn has(&self, places: &[u32]) -> bool {
        self.editions.iter().any(|edition| edition.places == places)
    }

    /// The oldest of the posts.
    #[must_use]
    pub fn first_post(&self) -> MessageId {
        self.posts.iter().map(|post| post.message).min().unwrap_or(MessageId(u64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_membership_decides_before_the_address_and_a_pause_before_both() {
        let settings = |digest, paused| TakenSettings { digest, paused };
        let address = |digest| settings(Some(digest), false);
        assert_eq!(Taken::of(settings(None, false), address(true)), Taken::Digest);
        assert_eq!(Taken::of(settings(None, false), address(false)), Taken::Single);
        assert_eq!(Taken::of(settings(Some(false), false), address(true)), Taken::Single);
        assert_eq!(Taken::of(settings(Some(true), false), address(false)), Taken::Digest);
        assert_eq!(Taken::of(settings(Some(true), true), address(true)), Taken::Nothing);
        assert_eq!(Taken::of(settings(Some(true), false), settings(Some(true), true)), Taken::Nothing);
    }
}
