//! Limits how often something happens for one address, client or list within an hour or a day.
//!
//! [`take`] counts in the job that does the thing, so the count is as durable as the thing and survives a restart. A
//! refused request writes nothing. A row expires with its hour or day, and the upkeep deletes it.

use std::net::IpAddr;
use std::time::Duration;

use crate::clock::Timestamp;
use crate::model::allowance::Purpose;
use crate::model::network::host_network;
use crate::model::{AccountId, AdminId, Allowance, AllowanceId, EmailAddress, ListId};
use crate::schema::{ALLOWANCE_BY_SUBJECT, allowance_subject};
use crate::secret::sha256;
use crate::store::{Key, Read, StoreError, WriteTx};

const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);

/// A limit on how often something happens for one subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Limit {
    purpose: Purpose,
    times_max: u32,
    per: Duration,
}

/// Notices and reports to one unproven envelope sender (`spec/mail.md` 11, "Backscatter").
pub(in crate::ops) const NOTICES_TO_ADDRESS: Limit =
    Limit { purpose: Purpose::NoticeToAddress, times_max: 1, per: DAY };
/// Notices and reports to unproven envelope senders because of one client's mail.
pub(crate) const NOTICES_FOR_CLIENT: Limit =
    Limit { purpose: Purpose::NoticeForClient, times_max: 5, per: HOUR };
/// Notices to unproven senders about messages of one list that nobody decided on; the clients are not known any more.
pub(in crate::ops) const NOTICES_OF_EXPIRY: Limit =
    Limit { purpose: Purpose::NoticeOfExpiry, times_max: 5, per: HOUR };
/// Requests to one list's moderators to decide about single messages.
pub(in crate::ops) const REQUESTS_TO_MODERATORS: Limit =
    Limit { purpose: Purpose::RequestToModerators, times_max: 20, per: HOUR };
/// Mail from one client to `postmaster`, `abuse` and owners of lists.
pub(in crate::ops) const ROLE_MAIL: Limit = Limit { purpose: Purpose::RoleMail, times_max: 100, per: DAY };
/// Links to sign in, to one address of an account (`spec/web.md` 2, 9); confirmations do not count, nor do requests that
/// send nothing. The last one of a day works until the next may be sent.
pub(in crate::ops) const SIGN_IN_MAILS_A_MINUTE: Limit =
    Limit { purpose: Purpose::SignInMailOfMinute, times_max: 1, per: MINUTE };
/// The same within a day.
pub(in crate::ops) const SIGN_IN_MAILS_A_DAY: Limit =
    Limit { purpose: Purpose::SignInMailOfDay, times_max: 5, per: DAY };

/// Mails that ask the owner of an address to confirm one kind of change of one list.
pub(in crate::ops) const CONFIRMATIONS_OF_CHANGE: Limit =
    Limit { purpose: Purpose::ConfirmationOfChange, times_max: 1, per: DAY };
/// Mails that ask the owner of an address to confirm anything.
pub(in crate::ops) const CONFIRMATIONS_TO_ADDRESS: Limit =
    Limit { purpose: Purpose::ConfirmationToAddress, times_max: 5, per: DAY };
/// Answers to mail with commands, and to replies that confirm a request, to one address.
pub(in crate::ops) const ANSWERS_TO_ADDRESS: Limit =
    Limit { purpose: Purpose::AnswerToAddress, times_max: 10, per: DAY };
/// Requests of one client that cause mail to addresses that it names.
pub(in crate::ops) const REQUESTS_OF_CLIENT: Limit =
    Limit { purpose: Purpose::RequestOfClient, times_max: 120, per: HOUR };

/// Mails to administrators about single members who joined or left one list.
pub(in crate::ops) const NEWS_OF_MEMBERS: Limit = Limit { purpose: Purpose::News, times_max: 20, per: HOUR };
/// Answers to one moderator who decides about one request by mail and is not understood.
pub(in crate::ops) const ADVICE: Limit = Limit { purpose: Purpose::Advice, times_max: 1, per: DAY };

/// Passwords that one client tries on one archive.
pub(in crate::ops) const ARCHIVE_PASSWORDS: Limit =
    Limit { purpose: Purpose::ArchivePassword, times_max: 10, per: HOUR };

/// Wrong passwords and codes of administrators from one client.
pub(in crate::ops) const SIGN_IN_ERRORS: Limit =
    Limit { purpose: Purpose::SignInError, times_max: 20, per: MINUTE };
/// Links to choose a forgotten password, to one administrator. The last one works until the next may be sent.
pub(in crate::ops) const PASSWORD_MAILS: Limit =
    Limit { purpose: Purpose::PasswordMail, times_max: 5, per: DAY };
/// Mails to one administrator that tell that the address is locked. The link of the last one works until the next may
/// be sent.
pub(in crate::ops) const LOCK_MAILS: Limit = Limit { purpose: Purpose::LockMail, times_max: 5, per: DAY };
/// Codes by text message for one administrator.
pub(in crate::ops) const TEXT_MESSAGES: Limit =
    Limit { purpose: Purpose::TextMessage, times_max: 10, per: HOUR };

/// Notes in the audit log of mails that one list discarded.
pub(in crate::ops) const DISCARD_NOTES: Limit =
    Limit { purpose: Purpose::DiscardNote, times_max: 50, per: DAY };

/// The subject of a limit: a hash of the address, client or list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Subject([u8; 32]);

impl Subject {
    /// An address; case is ignored.
    pub(in crate::ops) fn address(address: &EmailAddress) -> Subject {
        Subject::of(&Key::new().text(&address.folded()))
    }

    /// The mailbox of an address, where mail to strangers is limited: what follows a `+` in its local part is a tag that
    /// whoever writes the address chooses, so all tags count together.
    pub(in crate::ops) fn mailbox(address: &EmailAddress) -> Subject {
        Subject::of(&Key::new().text(&untagged(address)))
    }

    /// An address in an account: somebody of another account may have the same.
    pub(in crate::ops) fn address_in(account: AccountId, address: &EmailAddress) -> Subject {
        Subject::of(&Key::new().u64(account.0).text(&address.folded()))
    }

    /// A client by its address; an IPv6 client by its /64, which is what one host is given.
    pub(in crate::ops) fn client(client: IpAddr) -> Subject {
        Subject::of(&client_key(client))
    }

    /// An envelope sender behind a front server, which hides the client that the mail came from. Empty senders behind
    /// one front server count together.
    pub(crate) fn sender_behind(relay: IpAddr, sender: &str) -> Subject {
        Subject::of(&client_key(relay).text(&sender.to_lowercase()))
    }

    /// An administrator.
    pub(in crate::ops) fn admin(admin: AdminId) -> Subject {
        Subject::of(&Key::new().u64(admin.0))
    }

    /// The hash.
    pub(in crate::ops) fn hash(&self) -> [u8; 32] {
        self.0
    }

    /// A list.
    pub(in crate::ops) fn list(list: ListId) -> Subject {
        Subject::of(&Key::new().u64(list.0))
    }

    /// One kind of change of a list for the mailbox of an address.
    pub(in crate::ops) fn change(address: &EmailAddress, list: ListId, kind: u8) -> Subject {
        Subject::of(&Key::new().text(&untagged(address)).u64(list.0).u8(kind))
    }

    /// A client that asks for a list.
    pub(in crate::ops) fn client_of_list(client: IpAddr, list: ListId) -> Subject {
        Subject::of(&client_key(client).u64(list.0))
    }

    /// A signed token of a link.
    pub(in crate::ops) fn token(token: &str) -> Subject {
        Subject::of(&Key::new().text(token))
    }

    fn of(key: &Key) -> Subject {
        Subject(sha256(key.as_bytes()))
    }
}

/// An address as addresses are compared, without the tag of its local part.
fn untagged(address: &EmailAddress) -> String {
    let folded = address.folded();
    let Some((local, domain)) = folded.rsplit_once('@') else { return folded };
    match local.split_once('+') {
        Some((mailbox, _)) if !mailbox.is_empty() => format!("{mailbox}@{domain}"),
        _ => folded,
    }
}

fn client_key(client: IpAddr) -> Key {
    match host_network(client) {
        IpAddr::V4(address) => Key::new().u8(4).bytes(&address.octets()),
        IpAddr::V6(address) => Key::new().u8(6).bytes(&address.octets()[..8]),
    }
}

/// The count of a subject if its time is not over, and the row's id if there is a row.
fn find(
    tx: &impl Read,
    limit: Limit,
    subject: &Subject,
    now: Timestamp,
) -> Result<(Option<AllowanceId>, Option<Allowance>), StoreError> {
    let row = tx.find(&ALLOWANCE_BY_SUBJECT, &allowance_subject(limit.purpose, &subject.0))?;
    let id = row.as_ref().map(|row| row.id);
    Ok((id, row.filter(|row| row.counts(limit.per, now))))
}

/// Whether the limit allows once more.
pub(in crate::ops) fn is_left(
    tx: &impl Read,
    limit: Limit,
    subject: &Subject,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let (_, row) = find(tx, limit, subject, now)?;
    Ok(row.is_none_or(|row| row.used < limit.times_max))
}

/// When a limit that is used up allows again; `None` if it allows once more now.
pub(in crate::ops) fn used_up_until(
    tx: &impl Read,
    limit: Limit,
    subject: &Subject,
    now: Timestamp,
) -> Result<Option<Timestamp>, StoreError> {
    let (_, row) = find(tx, limit, subject, now)?;
    Ok(row.filter(|row| limit.times_max <= row.used).map(|row| row.until))
}

/// Counts once if the limit allows it; otherwise counts nothing and returns the time at which it allows it again.
pub(in crate::ops) fn take(
    tx: &mut WriteTx<'_>,
    limit: Limit,
    subject: &Subject,
    now: Timestamp,
) -> Result<Result<(), Timestamp>, StoreError> {
    Ok(take_and_look(tx, limit, subject, now)?.map(drop))
}

/// The same; if that was the last time, returns when the limit allows it again.
pub(in crate::ops) fn take_and_look(
    tx: &mut WriteTx<'_>,
    limit: Limit,
    subject: &Subject,
    now: Timestamp,
) -> Result<Result<Option<Timestamp>, Timestamp>, StoreError> {
    let (id, row) = find(tx, limit, subject, now)?;
    let (until, used) = row.map_or((now + limit.per, 0), |row| (row.until, row.used));
    if limit.times_max <= used {
        return Ok(Err(until));
    }
    let id = id.map_or_else(|| tx.next_id::<Allowance>().map(AllowanceId), Ok)?;
    tx.put(&Allowance { id, purpose: limit.purpose, subject: subject.0, until, used: used + 1 })?;
    Ok(Ok((limit.times_max <= used + 1).then_some(until)))
}

/// Takes a count back: what was counted turned out to be nothing to limit.
pub(in crate::ops) fn give_back(
    tx: &mut WriteTx<'_>,
    limit: Limit,
    subject: &Subject,
    now: Timestamp,
) -> Result<(), StoreError> {
    let (_, row) = find(tx, limit, subject, now)?;
    if let Some(row) = row {
        tx.put(&Allowance { used: row.used.saturating_sub(1), ..row })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_of_one_network_of_ipv6_are_one_client() {
        let client = |text: &str| Subject::client(text.parse().unwrap());
        assert_eq!(client("2001:db8:1:2::1"), client("2001:db8:1:2:ffff::9"));
        assert_ne!(client("2001:db8:1:2::1"), client("2001:db8:1:3::1"));
        assert_ne!(client("192.0.2.1"), client("192.0.2.2"));
        assert_eq!(client("192.0.2.1"), client("::ffff:192.0.2.1"));
    }

    #[test]
    fn an_address_is_the_same_in_any_case() {
        let address = |text: &str| Subject::address(&EmailAddress::parse(text).unwrap());
        assert_eq!(address("Ann@x.org"), address("ann@X.ORG"));
        assert_ne!(address("ann@x.org"), address("bob@x.org"));
    }
}
