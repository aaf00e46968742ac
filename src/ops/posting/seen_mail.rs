//! Mail that comes again because its sender never heard that it was taken.
//!
//! A list knows its posts by their own records. What is passed on, and what goes back with a notice, is remembered
//! here, in the job that does it.

use crate::clock::Timestamp;
use crate::mail::Inbound;
use crate::model::{AccountId, DedupScope, SeenMail, SeenMailId};
use crate::schema::{SEEN_MAIL_BY_MAIL, seen_mail_key};
use crate::secret::sha256;
use crate::store::{Key, Read, StoreError, WriteTx};

/// Whether a mail was taken here before; one without a Message-ID never was.
pub(in crate::ops) fn is_known(
    tx: &impl Read,
    account: AccountId,
    taker: DedupScope,
    inbound: &Inbound,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let Some(message_id) = &inbound.message_id else { return Ok(false) };
    let mail = identity(message_id, inbound);
    let known = tx.find(&SEEN_MAIL_BY_MAIL, &seen_mail_key(account, taker, &mail))?;
    Ok(known.is_some_and(|known| now < known.due()))
}

/// Whether a mail has not been taken here before, as far as is known. From now on it is known; one without a
/// Message-ID never is.
pub(in crate::ops) fn is_new(
    tx: &mut WriteTx<'_>,
    account: AccountId,
    taker: DedupScope,
    inbound: &Inbound,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let Some(message_id) = &inbound.message_id else { return Ok(true) };
    let mail = identity(message_id, inbound);
    let id = match tx.find(&SEEN_MAIL_BY_MAIL, &seen_mail_key(account, taker, &mail))? {
        Some(known) if now < known.due() => return Ok(false),
        // Its time is over, and it was not swept yet.
        Some(known) => known.id,
        None => SeenMailId(tx.next_id::<SeenMail>()?),
    };
    tx.put(&SeenMail { id, account, taker, mail, time: now })?;
    Ok(true)
}

/// What tells a mail from every other, however often it comes. There are programs that give all their mail the same
/// Message-ID, and nobody decides about what is passed on: so the rest of what its author wrote must agree.
fn identity(message_id: &str, inbound: &Inbound) -> [u8; 32] {
    let from = inbound.from.as_ref().map(|from| from.address.folded()).unwrap_or_default();
    let date = inbound.date.map_or(0, Timestamp::key);
    sha256(Key::new().text(message_id).text(&from).u64(date).text(&inbound.subject).as_bytes())
}
