//! Shows the copy that a member would get of a list's newest message if the list had other texts above and below its
//! messages.

use std::sync::Arc;

use crate::locale::text;
use crate::mail::Personal;
use crate::model::{List, Message};
use crate::ops::PageRequest;
use crate::ops::archive::messages;
use crate::ops::archive::shown::{self as copies, Sample};
use crate::web::admin::approvals::held::body_of;
use crate::web::context::{Context, blocking};
use crate::web::error::PageError;
use crate::web::reading::Quotes;

/// The placeholder for a member's token in links.
const TOKEN: &str = "…";
/// The member of a preview.
const MEMBER: &str = "ada@example.org";

/// A message as a member would get it.
pub(super) struct Preview {
    pub(super) subject: String,
    pub(super) from: String,
    /// The text, as safe HTML.
    pub(super) html: String,
    /// Whether it is a message of the list, and not one that was made for the preview.
    pub(super) is_real: bool,
}

/// The newest message of `stored`, or one that is made up if it has none, as the list with the settings of `list` would
/// send it; `None` if the message is gone meanwhile.
pub(super) async fn shown(
    context: &Arc<Context>,
    stored: List,
    list: List,
) -> Result<Option<Preview>, PageError> {
    let newest = newest(context, &stored)?;
    let memory = context.reading(newest.as_ref().map_or(0, |message| message.size_bytes)).await?;
    blocking(context, move |context| {
        let _memory = memory;
        of(context, &stored, &list, newest.as_ref())
    })
    .await
}

fn newest(context: &Context, list: &List) -> Result<Option<Message>, PageError> {
    let newest = PageRequest::Page { page: 1, limit: 1 };
    let tx = context.read()?;
    Ok(messages::list(&tx, context.administrator()?, Some(list.id), newest)?.rows.pop())
}

fn of(
    context: &Context,
    stored: &List,
    list: &List,
    newest: Option<&Message>,
) -> Result<Option<Preview>, PageError> {
    let (core, language) = (&context.core, context.language);
    let tx = context.read()?;
    let links = core.links.of(&tx, stored.account)?;
    let page =
        |message: &Message| context.href(&format!("/lists/{}/messages/{}/", stored.name, message.id.0));
    let archived = newest.map(page).unwrap_or_default();
    let is_real = newest.is_some();
    let sample = if let Some(message) = newest {
        Sample::Message(message)
    } else {
        let words = [text!(language, "list-sample-subject"), text!(language, "list-sample-text")];
        Sample::Made(made(&words), core.now())
    };
    let unsubscribe_url = links.unsubscribe(TOKEN);
    let manage_url = links.members().unwrap_or_else(|| unsubscribe_url.clone());
    let reader = Personal {
        email: MEMBER,
        first_name: "Ada",
        surname: "Lovelace",
        unsubscribe_url: &unsubscribe_url,
        manage_url: &manage_url,
        ..Personal::default()
    };
    let Some(mail) = copies::preview(&tx, &links, list, sample, &reader)? else { return Ok(None) };
    let body = body_of(context, &mail, &archived, Quotes::Folded);
    let from = mail.from.as_ref().map(|from| match from.name.as_str() {
        "" => from.address.to_string(),
        name => format!("{name} <{}>", from.address),
    });
    let from = from.unwrap_or_default();
    Ok(Some(Preview { subject: mail.subject.clone(), from, html: body.html, is_real }))
}

/// A mail for a list that has none yet.
fn made([subject, text]: &[String; 2]) -> Vec<u8> {
    format!(
        "From: Grace Hopper <grace@example.org>\r\nSubject: {subject}\r\nMIME-Version: 1.0\r\n\
         Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n{text}\r\n"
    )
    .into_bytes()
}
