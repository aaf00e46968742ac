//! Published messages: `/messages/` and `/messages/{id}/raw/`.
//!
//! `dispatch` calls it. A POST composes a mail and publishes it with `ops::archive`.

use std::sync::Arc;

use axum::body::Bytes;

use super::auth::Principal;
use super::error::ApiError;
use super::operation::{Operation, ResponseKind};
use super::request::{GetRequest, Kind, WriteRequest, is_deep};
use super::shape::{View as _, view};
use super::view::{self, Answer, CountIs, Rfc3339, StoredMail, Unpaged, search_text, wants};
use crate::clock::Timestamp;
use crate::mail::Content;
use crate::model::{List, Message, MessageId, Permission};
use crate::ops::archive::messages::{self as ops};
use crate::ops::archive::{self, MessageFilter, MessagePage};
use crate::ops::people::contacts::parse_id;
use crate::ops::{OpError, Page, PageRequest, Problems, Wrong, lists};
use crate::params::Params;
use crate::params::messages::{compose, fields, input};
use crate::store::{self, ReadTx, StoreError};

/// Bytes of the messages of a listing that shows contents; a single message may be larger.
const CONTENTS_BYTES_MAX: u64 = 64 << 20;
/// Characters of the random part of a Message-ID.
const TOKEN_CHARS: usize = 24;

/// `/messages/`
pub(super) const ALL: &[Operation] = &[
    Operation::get("Lists messages, newest first", ResponseKind::Listing(MessageView::object)).about(&[
        ("list", "Those of the list of this name."),
        ("thread", "Those of the thread of this identifier."),
        ("from", "Those whose sender's name or address has this text."),
        ("subject", "Those whose subject has this text."),
        ("since", "Those from this moment on, in RFC 3339 or seconds since 1970."),
        ("search", "Words, each of which begins a word of the subject, the sender or the text."),
        ("until", "Those before this moment, in RFC 3339 or seconds since 1970."),
    ]),
    Operation::post("Sends a message to a list", fields, ResponseKind::One(MessageView::object))
        .required(&["list"])
        .about(&[
            (
                "content_plain",
                "Its text; made from the HTML where that alone is given. One of the two is needed.",
            ),
            ("content_html", "Its HTML; made from the text where that alone is given."),
            ("from_phrase", "Name of the sender; null for the list's."),
            ("from_address", "Address of the sender; null for the list's."),
        ]),
];
/// `/messages/{id}/`
pub(super) const ONE: &[Operation] = &[
    Operation::get("Shows a message", ResponseKind::One(MessageView::object)),
    Operation::delete("Takes a message out of the archive"),
];
/// `/messages/{id}/raw/`
pub(super) const RAW: &[Operation] = &[Operation::get("Shows a message as it was sent", ResponseKind::Mail)];

/// `GET /messages/` or `GET /messages/{id}/`
pub(super) struct GetParams {
    what: What,
    fields: Option<Vec<String>>,
    /// The page, if its contents are to be read.
    found: Option<MessagePage>,
}

enum What {
    One(String),
    Page { list: Option<String>, filter: MessageFilter, window: PageRequest },
}

/// `GET /messages/{id}/raw/`
pub(super) struct Raw(MessageId);

/// A message with all data that its object shows.
struct Detail {
    message: Message,
    list: String,
    content: Content,
}

pub(super) fn get_params(object: Option<&str>, params: &mut Params) -> Result<GetParams, ApiError> {
    let what = if let Some(name) = object {
        What::One(name.to_owned())
    } else {
        let list = params.nullable_text("list").flatten();
        let filter = filter(params);
        What::Page { list, filter, window: view::window(params, Unpaged::FirstPage) }
    };
    let fields = view::fields(params);
    ApiError::check(params.take_problems())?;
    Ok(GetParams { what, fields, found: None })
}

pub(super) fn raw(object: Option<&str>) -> Result<Raw, ApiError> {
    Ok(Raw(parse_message_id(object.unwrap_or_default())?))
}

fn filter(params: &mut Params) -> MessageFilter {
    let thread =
        params.nullable("thread", |text: &str| parse_id(text).map(MessageId).ok_or(Wrong::ThreadForm));
    MessageFilter {
        // The list's name is looked up in the snapshot.
        list: None,
        thread: thread.flatten(),
        from: params.nullable_text("from").flatten(),
        subject: params.nullable_text("subject").flatten(),
        since: params.nullable("since", moment).flatten(),
        until: params.nullable("until", moment).flatten(),
        search: params.parsed("search", search_text).filter(|search| !search.is_empty()),
    }
}

/// Reads RFC 3339 or Unix seconds.
fn moment(text: &str) -> Result<Timestamp, Wrong> {
    let secs = text.parse::<i64>().ok().and_then(|secs| secs.checked_mul(1000)).map(Timestamp::from_ms);
    let moment = secs.or_else(|| Timestamp::parse_rfc3339(text));
    moment.ok_or(Wrong::Instant)
}

impl GetRequest for Raw {
    fn answer(&self, tx: &ReadTx, principal: &Principal) -> Result<Answer, ApiError> {
        let message = ops::get(tx, &principal.caller, self.0)?;
        let blob = store::BlobId(message.blob.0);
        Ok(Answer::stored(StoredMail { blob, length: store::Read::blob_length(tx, blob)? }))
    }

    fn is_long(&self, _: &ReadTx, _: &Principal) -> Result<bool, StoreError> {
        Ok(false)
    }

    fn kind(&self) -> Kind {
        Kind::Mail
    }
}

impl GetParams {
    fn wants_content(&self) -> bool {
        let fields = self.fields.as_deref();
        wants(fields, "content_plain") || wants(fields, "content_html")
    }

    /// The page of a listing: the one that was found for the reading of its contents, without what was taken out since.
    fn page(&self, tx: &ReadTx, principal: &Principal) -> Result<MessagePage, ApiError> {
        let What::Page { list, filter, window } = &self.what else { return Ok(MessagePage::default()) };
        if let Some(found) = &self.found {
            let ids: Vec<u64> = found.rows.iter().map(|message| message.id.0).collect();
            let rows = store::Read::records::<Message>(tx, &ids)?.into_iter().flatten();
            let rows = rows.filter(|message| !message.deleted).collect();
            return Ok(MessagePage { rows, ..*found });
        }
        let caller = &principal.caller;
        let list = list.as_deref().map(|name| lists::id_of(tx, caller, name)).transpose()?;
        Ok(archive::list(tx, caller, &MessageFilter { list, ..filter.clone() }, *window)?)
    }

    fn detail(&self, tx: &ReadTx, message: Message) -> Result<Detail, OpError> {
        let content = if self.wants_content() { ops::content(tx, &message)? } else { Content::default() };
        Ok(Detail { list: list_name(tx, &message)?, message, content })
    }
}

impl GetRequest for GetParams {
    fn answer(&self, tx: &ReadTx, principal: &Principal) -> Result<Answer, ApiError> {
        let (caller, fields) = (&principal.caller, self.fields.as_deref());
        match &self.what {
            What::One(name) => {
                let message = ops::get(tx, caller, parse_message_id(name)?)?;
                view::object(&MessageView::new(&self.detail(tx, message)?), fields).map(Answer::one)
            }
            What::Page { window, .. } => {
                let MessagePage { rows, count, count_is_minimum } = self.page(tx, principal)?;
                let count_is = if count_is_minimum { CountIs::Minimum } else { CountIs::Exact };
                let rows = rows.into_iter().map(|message| self.detail(tx, message));
                let page = Page { rows: rows.collect::<Result<Vec<_>, _>>()?, count };
                view::listing_of(&page, count_is, *window, fields, MessageView::new)
            }
        }
    }

    fn is_search(&self) -> bool {
        matches!(&self.what, What::Page { filter, .. } if filter.search.is_some())
    }

    fn reads_mail(&self) -> bool {
        self.wants_content()
    }

    fn find_mail(&mut self, tx: &ReadTx, principal: &Principal) -> Result<u64, ApiError> {
        if let What::One(name) = &self.what {
            return Ok(ops::get(tx, &principal.caller, parse_message_id(name)?)?.size_bytes);
        }
        let found = self.page(tx, principal)?;
        let sizes = || found.rows.iter().map(|message| message.size_bytes);
        let (largest, all) = (sizes().max().unwrap_or(0), sizes().sum::<u64>());
        if 1 < found.rows.len() && CONTENTS_BYTES_MAX < all {
            let mut problems = Problems::default();
            problems.add("limit", Wrong::ContentsTooLarge);
            ApiError::check(problems)?;
        }
        self.found = Some(found);
        // One message after the other is read, and the contents of all are kept.
        Ok(largest.max(all / 2))
    }

    fn is_long(&self, _: &ReadTx, principal: &Principal) -> Result<bool, StoreError> {
        // Contents are extracted from whole messages, which can be megabytes.
        Ok(match self.what {
            What::One(_) => self.wants_content(),
            What::Page { list: _, ref filter, window } => {
                let is_limited = principal.caller.limits.lists().is_some();
                self.wants_content() || is_limited || filter.walks() || is_deep(window)
            }
        })
    }
}

pub(super) fn parse_message_id(name: &str) -> Result<MessageId, OpError> {
    parse_id(name).map(MessageId).ok_or(OpError::NotFound { what: "message" })
}

fn list_name(tx: &impl store::Read, message: &Message) -> Result<String, StoreError> {
    let list = tx.get::<List>(message.list.0)?;
    Ok(list.map(|list| list.name.as_str().to_owned()).unwrap_or_default())
}

/// `POST /messages/`
pub(super) async fn create(call: WriteRequest<'_>) -> Result<Bytes, ApiError> {
    let (core, principal) = (call.core, call.principal);
    principal.caller.require(Permission::SendMessages)?;
    let (new, problems) = input(call.params);
    let (token, now) = (core.secrets.token(TOKEN_CHARS), core.now());
    let (store, author) = (core.store.clone(), Arc::clone(&principal.caller));
    // A message is composed outside of the write job, for which others wait, and in the blocking pool.
    let composed = tokio::task::spawn_blocking(move || -> Result<_, OpError> {
        let (list, post) = compose(&store.read()?, &author, new, problems, &token, now)?;
        let content = ops::content_of(&post)?;
        Ok((list, post, content))
    });
    let (list, post, content) = composed.await.map_err(|_| ApiError::internal())??;
    let show = |(message, list): &(Message, List)| {
        let detail = Detail { message: message.clone(), list: list.name.as_str().to_owned(), content };
        view::object(&MessageView::new(&detail), None)
    };
    call.once(
        move |tx, by| ops::send(tx, &by.caller, list, post, by.mail_context.config.routing(), by.now),
        show,
    )
    .await
}

/// `DELETE /messages/{id}/`
pub(super) async fn delete(call: WriteRequest<'_>, name: &str) -> Result<Bytes, ApiError> {
    // A missing permission is reported before a missing message.
    call.principal.caller.require(Permission::ApproveMessages)?;
    let id = parse_message_id(name)?;
    call.perform_reserved(move |tx, by| ops::delete(tx, &by.caller, id, by.now)).await?;
    Ok(view::deleted())
}

view! {
    /// A message that was posted to a list.
    struct MessageView<'a> as "Message" {
        /// Service identifier; newer messages have higher ones. Read-only.
        id: u64,
        /// Subject.
        subject: &'a str,
        /// Name of the sender.
        from_phrase: &'a str,
        /// Address of the sender.
        from_address: &'a str,
        /// Name of the list.
        list: &'a str,
        /// When it was sent, in seconds since 1970. Read-only.
        time: i64,
        /// When it was sent. Read-only.
        datetime: Rfc3339,
        /// The Message-ID of the mail. Read-only.
        message_id: &'a str,
        /// Identifier of the first message of its thread. Read-only.
        thread_id: u64,
        /// Its text; of a complex message a simplified version. Null where it has none.
        content_plain: Option<&'a str>,
        /// Its HTML; of a complex message a simplified version. Null where it has none.
        content_html: Option<&'a str>,
        /// Identifier of the message that it replies to; null where it replies to none.
        parent: Option<u64>,
        /// Changes that the list made to the message for its members, in words; null where they are not known.
        /// Read-only.
        changes: Option<Vec<String>>,
    }
}

impl<'a> MessageView<'a> {
    fn new(detail: &'a Detail) -> MessageView<'a> {
        let Detail { message, list: list_name, content } = detail;
        // No `..`: a new field is shown or left out on purpose.
        let Message {
            id,
            account: _,
            list: _,
            subject,
            from_phrase,
            from_address,
            time,
            message_id,
            thread,
            parent,
            blob: _,
            size_bytes: _,
            deleted: _,
            changes,
            authentication: _,
            requires_tls: _,
        } = message;
        MessageView {
            id: id.0,
            subject,
            from_phrase,
            from_address,
            list: list_name,
            time: time.secs(),
            datetime: Rfc3339(*time),
            message_id,
            thread_id: thread.0,
            content_plain: content.plain.as_deref(),
            content_html: content.html.as_deref(),
            parent: parent.map(|parent| parent.0),
            changes: changes.as_ref().map(|changes| changes.iter().map(ToString::to_string).collect()),
        }
    }
}
