//! The form in which a digest is delivered: the mail that was built, with the fields, fronter and footer of the list.

use crate::config::Delivery;
use crate::mail::digest::digest_form;
use crate::mail::{ContentAuthor, ParseError, RewriteContext};
use crate::model::{Account, CustomField, CustomFieldId, Digest, Links, List};
use crate::ops::archive::messages::list_address;
use crate::ops::delivery::outgoing::Outgoing;
use crate::ops::domains::main_domain;
use crate::ops::people::requests;
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
    let account: Account = tx.get(list.account.0)?.ok_or(DigestError::Gone)?;
    let raw = tx.blob(store::BlobId(digest.blob.ok_or(DigestError::Gone)?.0))?;
    let place = |offset: u64| usize::try_from(offset).unwrap_or(usize::MAX).min(raw.len());
    let (start, end) = (place(digest.posts_start), place(digest.posts_end));
    let posts = start..end.max(start);
    let domain = main_domain(tx, list.account)?;
    let names_of = |field: &CustomField| {
        let names = field.identifier.iter().chain([&field.name]);
        names.map(|name| (field.id, name.clone())).collect::<Vec<_>>()
    };
    let fields: Vec<(CustomFieldId, String)> = account.custom_fields.iter().flat_map(names_of).collect();
    let names: Vec<&str> = fields.iter().map(|(_, name)| name.as_str()).collect();
    // What the list does to messages was done to each of them.
    let frame_list = List { strip_attachments: false, truncate: None, ..list.clone() };
    let address = list_address(&list, &domain);
    let context = |batched| RewriteContext {
        list: &frame_list,
        list_address: &address,
        account: &account.name,
        links,
        message: digest.id,
        rewrite_from: false,
        from_is_ours: true,
        batched,
        custom_fields: &names,
        author: ContentAuthor::Digest,
        subscriptions: requests::subscriptions(&account, &list),
        unsubscriptions: requests::unsubscriptions(&account, &list),
        language: account.settings.language,
        accepted: digest.made,
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
    Ok(Outgoing { shared, signer: domain.clone(), domain, fields, is_batched })
}
