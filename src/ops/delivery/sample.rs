//! Shows a message that is not sent yet: as a member would get it, and by mail to the administrator who writes it.

use crate::clock::Timestamp;
use crate::config::Delivery;
use crate::mail::{self, Personal};
use crate::model::{ApiContent, Contact, EmailAddress, Links, List, ListId, MessageId};
use crate::ops::archive::messages::{MergeTags, Post, Raw};
use crate::ops::archive::shown::RewriteFacts;
use crate::ops::delivery::outgoing::{DmarcExposure, outgoing_of};
use crate::store::{Read, StoreError};

/// The number of a message that is not published: no message has it.
const NO_MESSAGE: MessageId = MessageId(u64::MAX);
/// What stands in the place of a token in personal links, which lead nowhere.
const TOKEN: &str = "preview";

/// A post of an administrator as a member would get it; `None` if the account or the list is gone. Without a contact,
/// nothing is known of the reader but the address.
///
/// # Errors
/// If the store fails, or the bytes of the post are no mail.
pub fn copy_for(
    tx: &impl Read,
    links: &Links,
    list: ListId,
    post: &Post,
    (contact, address): (Option<&Contact>, &EmailAddress),
    now: Timestamp,
) -> Result<Option<Vec<u8>>, StoreError> {
    let Raw::Bytes(raw) = &post.raw else { return Ok(None) };
    let Some(list) = tx.get::<List>(list.0)? else { return Ok(None) };
    let inbound = mail::parse(raw.as_slice()).map_err(|error| StoreError::corrupt("post", error))?;
    let Some(facts) = RewriteFacts::of(tx, &list, NO_MESSAGE)? else { return Ok(None) };
    let content = match &post.merge_tags {
        MergeTags::OfKey { fields } => {
            let fields = fields.clone();
            Some(ApiContent { message: NO_MESSAGE, account: list.account, fields })
        }
        MergeTags::OfSender => None,
    };
    let facts = facts.with_content(content);
    let (post, own) = ((NO_MESSAGE, now), Delivery::Individual);
    let made = outgoing_of(facts, &list, &inbound, post, DmarcExposure::Free, links, own);
    let value = |id| contact.and_then(|contact| contact.custom.get(id)).map_or("", String::as_str);
    let custom: Vec<(&str, &str)> = made.fields.iter().map(|(id, name)| (name.as_str(), value(id))).collect();
    let domain = &made.domain.name;
    let unsubscribe_url = links.unsubscribe(TOKEN);
    let members = links.members();
    let personal = Personal {
        email: address.as_str(),
        first_name: contact.map_or("", |contact| &contact.firstname),
        surname: contact.map_or("", |contact| &contact.surname),
        unsubscribe_url: &unsubscribe_url,
        unsubscribe_mailto: &format!("mailto:confirm+{TOKEN}@{domain}"),
        manage_url: members.as_ref().unwrap_or(&unsubscribe_url),
        envelope_sender: &format!("bounces+{TOKEN}@{domain}"),
        custom: &custom,
    };
    let mut copy = Vec::new();
    made.shared.render(&personal, &mut copy);
    Ok(Some(copy))
}
