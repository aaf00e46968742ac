//! Stops a message at a provider that refuses too many of its copies (`spec/mail.md` 9). The delivery worker asks it
//! when copies are refused.
//!
//! A provider that refuses copies for reasons of policy or reputation will refuse the rest too, and every further copy
//! harms the sender's reputation. Beyond a share of the message, the rest of it is held back from that provider alone:
//! it stays deferred, as the trace shows, until its retries end. No member's address is blamed.
//!
//! A provider is the recipient's domain. If mail goes straight to the servers of domains it is the server's
//! organisation, since one provider serves many domains.

use std::collections::HashSet;
use std::ops::ControlFlow;

use crate::clock::Timestamp;
use crate::config::Routing;
use crate::locale::text;
use crate::model::{
    AccountId, AlertKind, AlertLine, Batch, Concern, Destination, Digest, List, Message, MessageId,
    ProviderBlock, ProviderBlockId,
};
use crate::ops::accounts::alerts;
use crate::ops::context::MailContext;
use crate::ops::locales;
use crate::schema::{BATCH_BY_MESSAGE, PROVIDER_BLOCK_BY_MESSAGE};
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

/// Refusals of one message by one provider that never stop it.
const REFUSALS_MIN: u64 = 10;
/// More refusals than one in this many copies stop the message: 5 % (`spec/mail.md` 9).
const COPIES_PER_REFUSAL: u64 = 20;

/// The most refusals by a provider of `copies` copies before the rest is held back.
#[must_use]
pub fn refusals_max(copies: u64) -> u64 {
    (copies / COPIES_PER_REFUSAL).max(REFUSALS_MIN - 1)
}

/// The organisation of a mail server: the last two labels of its name, or three under a country's second level
/// such as `co.uk`.
#[must_use]
pub fn organisation(host: &str) -> &str {
    let labels: Vec<&str> = host.rsplit('.').collect();
    let is_second_level = |top: &str, second: &str| top.len() == 2 && second.len() <= 3;
    let wanted = match labels.as_slice() {
        [top, second, ..] if is_second_level(top, second) => 3,
        _ => 2,
    };
    let length: usize = labels.iter().take(wanted).map(|label| label.len() + 1).sum();
    &host[host.len().saturating_sub(length.saturating_sub(1))..]
}

/// The number of a message's copies that are known to be for a provider: those at its domain, or at any domain that one
/// of its servers has answered for.
pub fn copies_of(
    tx: &impl Read,
    account: AccountId,
    message: MessageId,
    provider: &str,
    routing: Routing,
) -> Result<u64, StoreError> {
    let domains = match routing {
        Routing::Relay => HashSet::from([provider.to_owned()]),
        Routing::Mx => domains_at(tx, account, message, provider)?,
    };
    let mut copies = 0;
    each_batch(tx, account, message, |batch| {
        let recipients =
            batch.own_recipients().filter(|(_, recipient)| domains.contains(recipient.address.domain()));
        copies += u64::try_from(recipients.count()).unwrap_or(u64::MAX);
    })?;
    Ok(copies)
}

/// The recipients' domains for which a provider's servers have answered.
fn domains_at(
    tx: &impl Read,
    account: AccountId,
    message: MessageId,
    provider: &str,
) -> Result<HashSet<String>, StoreError> {
    let mut domains = HashSet::new();
    each_batch(tx, account, message, |batch| {
        let is_at = |place| batch.remote(place).is_some_and(|remote| organisation(remote) == provider);
        if let Destination::Domain(domain) = &batch.destination
            && (0..batch.recipients.len()).any(is_at)
        {
            domains.insert(domain.clone());
        }
    })?;
    Ok(domains)
}

fn each_batch(
    tx: &impl Read,
    account: AccountId,
    message: MessageId,
    mut visit: impl FnMut(&Batch),
) -> Result<(), StoreError> {
    let of_message = IndexRange::prefix(Key::new().u64(account.0).u64(message.0));
    let failed = tx.scan(&BATCH_BY_MESSAGE, &of_message, |_, id| match tx.get::<Batch>(id) {
        Ok(batch) => {
            batch.iter().for_each(&mut visit);
            ControlFlow::Continue(())
        }
        Err(error) => ControlFlow::Break(error),
    })?;
    failed.map_or(Ok(()), Err)
}

/// The refusals of a message by one provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refusals {
    /// The account of the list.
    pub account: AccountId,
    /// The message, or the digest.
    pub message: MessageId,
    /// The provider.
    pub provider: String,
    /// Copies that it refused.
    pub refused: u64,
    /// Copies that are known to be for it.
    pub copies: u64,
    /// Its last answer.
    pub reason: String,
}

/// Holds the rest of a message back from a provider, and alerts the administrators. Calling it again changes nothing.
pub fn hold_back(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    refusals: &Refusals,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Refusals { account, message, provider, refused, copies, reason } = refusals;
    let key = Key::new().u64(account.0).u64(message.0).text(provider);
    if tx.find_id(&PROVIDER_BLOCK_BY_MESSAGE, &key)?.is_some() {
        return Ok(());
    }
    let of_message = tx.get::<Message>(message.0)?.map(|message| (message.list, message.subject));
    let of_digest =
        || tx.get::<Digest>(message.0).map(|digest| Some((digest.as_ref()?.list, digest?.subject)));
    let found = if of_message.is_some() { of_message } else { of_digest()? };
    let Some((list, subject)) = found else { return Ok(()) };
    let Some(list) = tx.get::<List>(list.0)? else { return Ok(()) };
    let (provider, reason) = (provider.clone(), reason.clone());
    let text = text!(
        locales::locale(tx, *account)?.language,
        "alert-line-provider",
        provider = &provider,
        refused = *refused,
        copies = *copies,
        subject = &subject,
        list = list.title(),
        words = &reason,
    );
    let id = ProviderBlockId(tx.next_id::<ProviderBlock>()?);
    tx.put(&ProviderBlock { id, account: *account, message: *message, provider, since: now, reason })?;
    let line = AlertLine { text, concern: Concern::List(list.id) };
    alerts::tell(tx, mail_context, *account, AlertKind::DeliveryProblem, line, now)
}

/// All messages that are held back from a provider.
pub fn all(tx: &impl Read) -> Result<Vec<ProviderBlock>, StoreError> {
    tx.all::<ProviderBlock>(0, usize::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_provider_is_the_organisation_of_its_servers() {
        for (host, expected) in [
            ("gmail-smtp-in.l.mail.example", "mail.example"),
            ("mx.example.co.uk", "example.co.uk"),
            ("mx1.example.de", "example.de"),
            ("example.org", "example.org"),
            ("localhost", "localhost"),
            ("", ""),
        ] {
            assert_eq!(organisation(host), expected, "{host}");
        }
    }

    #[test]
    fn one_in_twenty_may_be_refused_and_nine_always() {
        assert_eq!([0, 10, 199, 200, 1000].map(refusals_max), [9, 9, 9, 10, 50]);
    }
}
