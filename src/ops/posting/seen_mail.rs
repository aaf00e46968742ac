//! Recognises mail that is sent again because its sender never got the reply.
//!
//! A list recognises its posts by their own records. Mail that is passed on, and mail that is sent back with a notice,
//! is remembered here, in the same job. Rows are forgotten after some time by the upkeep.

use crate::clock::Timestamp;
use crate::mail::Inbound;
use crate::model::{AccountId, DedupScope, SeenMail, SeenMailId};
use crate::schema::{SEEN_MAIL_BY_MAIL, seen_mail_key};
use crate::secret::sha256;
use crate::store::{Key, Read, StoreError, WriteTx};

/// Whether a mail was taken before; `false` for one without a Message-ID.
pub(in crate::ops) fn is_known(
    tx: &impl Read,
    account: AccountId,
    scope: DedupScope,
    inbound: &Inbound,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let Some(message_id) = &inbound.message_id else { return Ok(false) };
    let mail = identity(message_id, inbound);
    let known = tx.find(&SEEN_MAIL_BY_MAIL, &seen_mail_key(account, scope, &mail))?;
    Ok(known.is_some_and(|known| now < known.due()))
}

/// Remembers a mail; returns whether it was not known before. One without a Message-ID is always new.
pub(in crate::ops) fn is_new(
    tx: &mut WriteTx<'_>,
    account: AccountId,
    scope: DedupScope,
    inbound: &Inbound,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let Some(message_id) = &inbound.message_id else { return Ok(true) };
    let mail = identity(message_id, inbound);
    let id = match tx.find(&SEEN_MAIL_BY_MAIL, &seen_mail_key(account, scope, &mail))? {
        Some(known) if now < known.due() => return Ok(false),
        // Its time is over, but the upkeep has not deleted it yet.
        Some(known) => known.id,
        None => SeenMailId(tx.next_id::<SeenMail>()?),
    };
    tx.put(&SeenMail { id, account, taker: scope, mail, time: now })?;
    Ok(true)
}

/// A hash that identifies a mail however often it arrives. Some programs give all their mail the same Message-ID, and
/// no moderator sees mail that is passed on, so the rest of the author's text must agree too.
fn identity(message_id: &str, inbound: &Inbound) -> [u8; 32] {
    let from = inbound.from.as_ref().map(|from| from.address.folded()).unwrap_or_default();
    let date = inbound.date.map_or(0, Timestamp::key);
    sha256(Key::new().text(message_id).text(&from).u64(date).text(&inbound.subject).as_bytes())
}
