//! Expands a digest into batches for the members of its list, a page at a time.
//!
//! [`read_page`] reads members from a snapshot, outside of the writer, and finds the posts that each address takes in a
//! digest: what it took when each was accepted decides. [`put_page`] turns the page into batches and moves the cursor in
//! one job, so that a crash repeats or skips nobody.

use std::collections::BTreeMap;

use super::build::{Built, kept};
use crate::clock::Timestamp;
use crate::config::Routing;
use crate::model::digest::{AcceptedPost, Edition, Switched, Taken, TakenSettings};
use crate::model::{
    BlobId, Destination, Digest, DigestFanOut, Email, Membership, Message, MessageId, Payload, Recipient,
};
use crate::ops::by_contact::of_contacts;
use crate::ops::queue::enqueue::{BatchOrigin, put_recipients};
use crate::ops::queue::fan_out::{EXPAND_MEMBERS, recipient};
use crate::ops::queue::restored;
use crate::ops::queue::takers::Switches;
use crate::schema::{EMAIL_BY_CONTACT, MEMBERSHIP_BY_LIST};
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

/// Digests that one page may need and that are not yet built: each is kept in memory until it is written.
const BUILT_PER_PAGE: usize = 4;

/// Places of posts in a fan-out, in order.
type Places = Vec<u32>;

/// One page of a digest's members: recipients by the posts that they get.
#[derive(Debug)]
pub struct DigestPage {
    fan_out: DigestFanOut,
    cursor: u64,
    groups: BTreeMap<Places, Vec<(Destination, Recipient)>>,
}

/// The oldest digest that is not fully expanded and not held.
pub fn next(tx: &impl Read) -> Result<Option<DigestFanOut>, StoreError> {
    Ok(tx.all::<DigestFanOut>(restored::bounds(tx)?.digest_fan_out, 1)?.pop())
}

/// Reads the next page of members: every address that takes digests and is not paused.
pub fn read_page(tx: &impl Read, fan_out: DigestFanOut, routing: Routing) -> Result<DigestPage, StoreError> {
    let last = fan_out.last();
    let of_list = Key::new().u64(fan_out.account.0).u64(fan_out.list.0);
    let mut ids =
        tx.ids(&MEMBERSHIP_BY_LIST, &IndexRange::prefix(of_list).after_id(fan_out.cursor), EXPAND_MEMBERS)?;
    let is_full = ids.len() == EXPAND_MEMBERS;
    ids.truncate(ids.partition_point(|id| *id <= last));
    let mut cursor = ids.last().copied().filter(|_| is_full).unwrap_or(last);
    let memberships: Vec<Membership> = tx.records(&ids)?.into_iter().flatten().collect();
    let contacts: Vec<u64> = memberships.iter().map(|membership| membership.contact.0).collect();
    let emails: Vec<Vec<Email>> =
        of_contacts(tx, &EMAIL_BY_CONTACT, fan_out.account, &contacts, |email| email.contact)?;
    let settings = memberships
        .iter()
        .map(|membership| Switched::Membership(membership.id))
        .chain(emails.iter().flatten().map(|email| Switched::Email(email.id)));
    let switches = Switches::since(tx, fan_out.account, fan_out.first_post(), settings)?;
    let mut groups: BTreeMap<Places, Vec<(Destination, Recipient)>> = BTreeMap::new();
    let (mut before, mut built) = (fan_out.cursor, 0);
    for (membership, emails) in memberships.iter().zip(emails) {
        let id = membership.id.0;
        let of_member = recipients(&fan_out, membership, emails, &switches, routing);
        let is_new = |places: &Places| !groups.contains_key(places) && !fan_out.has(places);
        let more = of_member.iter().filter(|(places, _)| is_new(places)).count();
        if 0 < built && BUILT_PER_PAGE < built + more {
            cursor = before;
            break;
        }
        built += more;
        for (places, recipient) in of_member {
            groups.entry(places).or_default().push(recipient);
        }
        before = id;
    }
    Ok(DigestPage { fan_out, cursor, groups })
}

/// The addresses of a member that get a digest, each with its posts.
fn recipients(
    fan_out: &DigestFanOut,
    membership: &Membership,
    emails: Vec<Email>,
    switches: &Switches,
    routing: Routing,
) -> Vec<(Places, (Destination, Recipient))> {
    if membership.paused {
        return Vec::new();
    }
    let mut found = Vec::new();
    for email in emails.into_iter().filter(|email| !email.paused) {
        let places = places(fan_out, membership, &email, switches);
        if !places.is_empty() {
            let made = recipient(membership.id, membership.contact, email, fan_out.made, routing);
            found.push((places, made));
        }
    }
    found
}

/// The places of the posts that an address gets.
fn places(fan_out: &DigestFanOut, membership: &Membership, email: &Email, switches: &Switches) -> Places {
    let has_switched = switches.has(membership, email);
    let now = Taken::of(TakenSettings::of_membership(membership), TakenSettings::of_email(email));
    if !has_switched && now != Taken::Digest {
        return Vec::new();
    }
    let is_taken = |post: &AcceptedPost| {
        membership.id <= post.last_membership
            && email.id <= post.last_email
            && (!has_switched || switches.taken(membership, email, post.message) == Taken::Digest)
    };
    let numbered = (0_u32..).zip(&fan_out.posts);
    numbered.filter(|(_, post)| is_taken(post)).map(|(place, _)| place).collect()
}

impl DigestPage {
    /// The digests that its recipients get and that are not built yet, by the places of their posts.
    #[must_use]
    pub fn missing(&self) -> Vec<Vec<u32>> {
        self.groups.keys().filter(|places| !self.fan_out.has(places)).cloned().collect()
    }

    /// The digest that is expanded.
    #[must_use]
    pub fn fan_out(&self) -> &DigestFanOut {
        &self.fan_out
    }
}

/// Writes the digests that were built for a page and the batches of the page, and moves the cursor; removes the fan-out
/// after its last page. A page that was written already is skipped.
pub fn put_page(
    tx: &mut WriteTx<'_>,
    page: DigestPage,
    built: Vec<(Vec<u32>, Option<Built>)>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let DigestPage { mut fan_out, cursor, groups } = page;
    if tx.get::<DigestFanOut>(fan_out.id.0)?.as_ref() != Some(&fan_out) {
        return Ok(());
    }
    for (places, built) in built {
        let digest = built.map(|built| put_digest(tx, &fan_out, built)).transpose()?;
        fan_out.editions.push(Edition { places, digest });
    }
    for (places, recipients) in groups {
        let edition = fan_out.editions.iter().find(|edition| edition.places == places);
        // Nothing is left of posts that were all taken out of the archive.
        let Some(digest) = edition.and_then(|edition| edition.digest) else { continue };
        let payload = Payload::Digest { digest, list: fan_out.list };
        put_recipients(tx, &BatchOrigin::new(fan_out.account, payload, fan_out.made), recipients, now)?;
    }
    if fan_out.last() <= cursor {
        return tx.delete::<DigestFanOut>(fan_out.id.0).map(drop);
    }
    fan_out.cursor = cursor;
    tx.put(&fan_out)
}

fn put_digest(tx: &mut WriteTx<'_>, fan_out: &DigestFanOut, built: Built) -> Result<MessageId, StoreError> {
    let id = MessageId(tx.next_id::<Message>()?);
    let messages: Vec<MessageId> = built.messages.iter().map(|(message, _)| *message).collect();
    // A moderator may have changed one of the posts while it was built.
    let now = kept(tx, &messages)?;
    let is_current = now.iter().map(|message| (message.id, message.blob)).eq(built.messages.iter().copied());
    let blob = if is_current { Some(BlobId(tx.put_blob(&built.mail.raw)?.0)) } else { None };
    tx.put(&Digest {
        id,
        account: fan_out.account,
        list: fan_out.list,
        day: fan_out.day,
        made: fan_out.made,
        messages,
        blob,
        posts_start: built.mail.posts.start as u64,
        posts_end: built.mail.posts.end as u64,
        subject: built.subject,
        requires_tls: built.requires_tls,
        check: Digest::first_check(fan_out.made),
    })?;
    Ok(id)
}
