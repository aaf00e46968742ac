//! The form in which a digest is delivered: the mail that was built, with the fields, fronter and footer of the list.

use super::build::{kept, rebuild};
use crate::config::Delivery;
use crate::mail::digest::{ComposedDigest, digest_form};
use crate::mail::{ContentAuthor, ParseError, RewriteContext};
use crate::model::{Digest, Links, List};
use crate::ops::archive::shown::RewriteFacts;
use crate::ops::delivery::outgoing::Outgoing;
use crate::store::{self, Read, StoreError};

/// The reason why a digest cannot be delivered.
#[derive(Debug, thiserror::Error)]
pub enum DigestError {
    /// The digest, its list or its account is gone.
    #[error("the digest is gone")]
    Gone,
    /// The data file failed.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// Its bytes cannot be parsed any more.
    #[error("{0}")]
    Unreadable(#[from] ParseError),
}

/// The form of a digest. With [`Delivery::Batched`] members share copies, whose links lead to the list's own pages,
/// unless fronter or footer have something personal.
pub fn outgoing_digest(
    tx: &impl Read,
    digest: &Digest,
    links: &Links,
    delivery: Delivery,
) -> Result<Outgoing, DigestError> {
    let list: List = tx.get(digest.list.0)?.ok_or(DigestError::Gone)?;
    let facts = RewriteFacts::of(tx, &list, digest.id)?.ok_or(DigestError::Gone)?;
    let ComposedDigest { raw, posts } = mail(tx, digest, links)?;
    let names = facts.names();
    // What the list does to messages was done to each of them.
    let list = List { strip_attachments: false, truncate: None, ..list };
    let context = |batched| RewriteContext {
        batched,
        author: ContentAuthor::Digest,
        ..facts.context(&list, links, true, (digest.id, digest.made), (&names, &[]))
    };
    let make = |batched| digest_form(&raw, posts.clone(), &context(batched));
    let shared = match delivery {
        Delivery::Batched => Some(make(true)?).filter(|shared| !shared.has_personal_content()),
        Delivery::Individual => None,
    };
    let is_batched = shared.is_some();
    let shared = match shared {
        Some(shared) => shared,
        None => make(false)?,
    };
    let RewriteFacts { domain, fields, .. } = facts;
    Ok(Outgoing { shared, signer: domain.clone(), domain, fields, is_batched })
}

/// The mail that was built, or one that is built now if a post was changed since.
fn mail(tx: &impl Read, digest: &Digest, links: &Links) -> Result<ComposedDigest, DigestError> {
    let Some(blob) = digest.blob else {
        return Ok(rebuild(tx, links, digest)?.ok_or(DigestError::Gone)?.mail);
    };
    let raw = tx.blob(store::BlobId(blob.0))?;
    let place = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX).min(raw.len());
    let (start, end) = (place(digest.posts_start), place(digest.posts_end));
    Ok(ComposedDigest { raw, posts: start..end.max(start) })
}

/// A number that changes with what the mail of a digest is made of.
pub fn version(tx: &impl Read, digest: &Digest) -> Result<u64, StoreError> {
    if let Some(blob) = digest.blob {
        return Ok(blob.0);
    }
    // A new content of a message is a new blob, and blobs are never renumbered.
    let mut version = 0_u64;
    for message in kept(tx, &digest.messages)? {
        version = version.wrapping_mul(31).wrapping_add(message.id.0 ^ message.blob.0.rotate_left(32));
    }
    Ok(version)
}
