//! Expands a published post into batches for the members of its list.
//!
//! A post is one [`FanOut`] row. [`expand`] reads a page of members from a snapshot, outside the writer;
//! [`put_batches`] turns it into [`Batch`](crate::model::Batch) rows and moves the row's cursor in one job, so that a
//! crash repeats or skips nobody.
//!
//! Members who took digests when the post was accepted get no copy: the post waits for the next digest
//! ([`digest_posts`]).

use crate::clock::Timestamp;
use crate::config::Routing;
use crate::model::digest::{Switched, Taken};
use crate::model::event::{EventDraft, EventType};
use crate::model::{
    ContactId, Destination, Email, FanOut, FanOutId, List, Membership, MembershipId, Message, MessageId,
    Recipient, RecipientState,
};
use crate::ops::by_contact::of_contacts;
use crate::ops::queue::digest_posts;
use crate::ops::queue::enqueue::{BatchOrigin, destination, put_recipients};
use crate::ops::queue::restored;
use crate::ops::queue::takers::Switches;
use crate::schema::{EMAIL_BY_CONTACT, MEMBERSHIP_BY_LIST, MEMBERSHIP_COUNT_BY_LIST};
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};
/// Members that one step of a fan-out reads and puts into batches.
pub const EXPAND_MEMBERS: usize = 1024;

/// Members of a list whose posts are expanded in the job that accepts them: reading so few keeps the writer no longer
/// than a second commit would.
const EXPAND_AT_ONCE_MAX: u64 = 16;

/// Queues a message for the members that its list has now. A post to a few members is expanded at once, and any other
/// outside of the writer.
pub fn enqueue(tx: &mut WriteTx, message: &Message, routing: Routing) -> Result<(), StoreError> {
    // Archives that come in are not published anew, and so do not come here.
    let draft = EventDraft::new(message.account, EventType::MessagePublished, message.id.0);
    tx.note(EventDraft { list: Some(message.list), ..draft });
    let members = Key::new().u64(message.account.0).u64(message.list.0);
    let newest = tx.ids(&MEMBERSHIP_BY_LIST, &IndexRange::prefix(members.clone()).backward(), 1)?;
    let Some(last) = newest.first().copied() else { return Ok(()) };
    let fan_out = FanOut {
        id: FanOutId(tx.next_id::<FanOut>()?),
        account: message.account,
        message: message.id,
        list: message.list,
        cursor: 0,
        last,
        accepted: message.time,
    };
    if EXPAND_AT_ONCE_MAX < tx.count(&MEMBERSHIP_COUNT_BY_LIST, &members)? {
        return tx.put(&fan_out);
    }
    let expansion = expand(tx, fan_out, routing)?;
    let Expansion { fan_out, cursor: _, members: _, recipients, in_digest, paused: _ } = expansion;
    if 0 < in_digest {
        digest_posts::note_page(tx, &fan_out, true, true, message.time)?;
    }
    put_recipients(tx, &BatchOrigin::of_fan_out(&fan_out), recipients, message.time)
}

/// Lets nobody else get a message: neither a copy that is not yet in a batch, nor in the next digest.
pub(in crate::ops) fn stop(tx: &mut WriteTx, message: MessageId) -> Result<(), StoreError> {
    // Fan-outs that are under way are few.
    for fan_out in tx.all::<FanOut>(0, usize::MAX)? {
        if fan_out.message == message {
            tx.delete::<FanOut>(fan_out.id.0)?;
        }
    }
    digest_posts::forget(tx, message)
}

/// The oldest posts that are not fully expanded and not held, at most `limit`.
pub fn next_fan_outs(tx: &impl Read, limit: usize) -> Result<Vec<FanOut>, StoreError> {
    tx.all::<FanOut>(restored::bounds(tx)?.fan_out, limit)
}

/// One page of a fan-out's members, as recipients by destination.
#[derive(Debug)]
pub struct Expansion {
    fan_out: FanOut,
    cursor: u64,
    /// Members that were read: some have no address that takes mail, others have several.
    pub(crate) members: usize,
    recipients: Vec<(Destination, Recipient)>,
    /// Addresses of those members that get the post in a digest.
    in_digest: usize,
    /// Addresses of those members that get no copy, since they or the membership are paused.
    paused: usize,
}

/// Reads the next page of members of `fan_out`: every address that is not paused, of members who were there when the
/// post was accepted, took single messages then, and have not paused the list.
pub fn expand(tx: &impl Read, fan_out: FanOut, routing: Routing) -> Result<Expansion, StoreError> {
    let list = Key::new().u64(fan_out.account.0).u64(fan_out.list.0);
    let range = IndexRange::prefix(list).after_id(fan_out.cursor);
    let page = tx.ids(&MEMBERSHIP_BY_LIST, &range, EXPAND_MEMBERS)?;
    let members = page.len();
    let mut recipients = Vec::with_capacity(members);
    let mut cursor = fan_out.last;
    if page.len() == EXPAND_MEMBERS
        && let Some(last) = page.last()
    {
        cursor = *last;
    }
    let end = page.partition_point(|id| *id <= fan_out.last);
    let memberships: Vec<Membership> = tx.records(&page[..end])?.into_iter().flatten().collect();
    let contacts: Vec<u64> = memberships.iter().map(|membership| membership.contact.0).collect();
    let emails = of_contacts(tx, &EMAIL_BY_CONTACT, fan_out.account, &contacts, |email| email.contact)?;
    let settings = memberships
        .iter()
        .map(|membership| Switched::Membership(membership.id))
        .chain(emails.iter().flatten().map(|email: &Email| Switched::Email(email.id)));
    let switches = Switches::since(tx, fan_out.account, fan_out.message, settings)?;
    let (mut in_digest, mut paused) = (0, 0);
    for (membership, emails) in memberships.iter().zip(emails) {
        for email in emails {
            match switches.taken(membership, &email, fan_out.message) {
                Taken::Digest => in_digest += 1,
                Taken::Single if !membership.paused && !email.paused => {
                    let (id, contact) = (membership.id, membership.contact);
                    recipients.push(recipient(id, contact, email, fan_out.accepted, routing));
                }
                Taken::Single | Taken::Nothing => paused += 1,
            }
        }
    }
    Ok(Expansion { cursor: cursor.min(fan_out.last), fan_out, members, recipients, in_digest, paused })
}

/// The number of addresses that a post reaches.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reach {
    /// Addresses that get it, singly or in a digest.
    pub recipients: u64,
    /// Addresses that get none, since they are paused or the membership of their contact is.
    pub paused: u64,
}

/// The number of addresses that a post to the list would reach now.
pub fn reach(tx: &impl Read, list: &List, now: Timestamp) -> Result<Reach, StoreError> {
    // Expanded like a real post, under numbers that no record has: nobody has switched since.
    let mut fan_out = FanOut {
        id: FanOutId(0),
        account: list.account,
        message: MessageId(u64::MAX),
        list: list.id,
        cursor: 0,
        last: u64::MAX,
        accepted: now,
    };
    let mut reach = Reach::default();
    while fan_out.cursor < fan_out.last {
        let page = expand(tx, fan_out, Routing::Relay)?;
        reach.recipients += (page.recipients.len() + page.in_digest) as u64;
        reach.paused += page.paused as u64;
        fan_out = FanOut { cursor: page.cursor, ..page.fan_out };
    }
    Ok(reach)
}

pub(in crate::ops) fn recipient(
    membership: MembershipId,
    contact: ContactId,
    email: Email,
    accepted: Timestamp,
    routing: Routing,
) -> (Destination, Recipient) {
    let destination = destination(&email.address, routing);
    let state = RecipientState::Queued;
    let Email { id, address, .. } = email;
    let recipient = Recipient {
        membership,
        contact,
        email: id,
        address,
        state,
        time: accepted,
        attempts: 0,
        remote: None,
        reply: None,
        earlier: Vec::new(),
    };
    (destination, recipient)
}

/// Writes the batches of a page and moves the cursor; removes the fan-out after its last page. A page that was written
/// already is skipped.
pub fn put_batches(tx: &mut WriteTx, expansion: Expansion, now: Timestamp) -> Result<(), StoreError> {
    let Expansion { fan_out, cursor, members: _, recipients, in_digest, paused: _ } = expansion;
    let current = tx.get::<FanOut>(fan_out.id.0)?;
    if current.as_ref() != Some(&fan_out) {
        return Ok(());
    }
    put_recipients(tx, &BatchOrigin::of_fan_out(&fan_out), recipients, now)?;
    digest_posts::note_page(tx, &fan_out, 0 < in_digest, fan_out.last <= cursor, now)?;
    if fan_out.last <= cursor {
        tx.delete::<FanOut>(fan_out.id.0)?;
    } else {
        tx.put(&FanOut { cursor, ..fan_out })?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{AccountId, DigestPost, DigestSchedule, ListId};
    use crate::store::{Store, StoreOptions};

    #[test]
    fn a_message_that_is_stopped_waits_for_no_digest() {
        let store =
            Store::open_with_backend(redb::backends::InMemoryBackend::new(), &StoreOptions::default())
                .unwrap();
        let now = Timestamp::from_ms(1);
        let under_way = move |number| FanOut {
            id: FanOutId(number),
            account: AccountId(1),
            message: MessageId(number),
            list: ListId(1),
            cursor: 0,
            last: 5000,
            accepted: now,
        };
        let done = store.write_blocking(move |tx| {
            for fan_out in [under_way(1), under_way(2)] {
                tx.put(&fan_out)?;
                // Somebody on the first page takes digests, and there are more pages.
                digest_posts::note_page(tx, &fan_out, true, false, now)?;
            }
            stop(tx, MessageId(1))
        });
        done.unwrap();
        let tx = store.read().unwrap();
        assert_eq!(next_fan_outs(&tx, 9).unwrap(), [under_way(2)]);
        let waiting = tx.all::<DigestPost>(0, 9).unwrap();
        assert_eq!(waiting.iter().map(|post| post.post.message).collect::<Vec<_>>(), [MessageId(2)]);
        assert_eq!(tx.all::<DigestSchedule>(0, 9).unwrap(), []);
    }
}
