//! Events, which tell programs what happened, oldest first: `/events/`, and as a stream (`Accept: text/event-stream`).
//!
//! `dispatch` calls it for listings, and the router for streams; `jobs` has it make the bodies of webhooks ([`Bodies`]). The
//! data of an event is its object as the API shows it now, by the same code and within the same limits; of one that is gone,
//! what the event kept.

use std::fmt::Write as _;

use axum::body::Bytes;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::auth::Principal;
use super::error::ApiError;
use super::operation::{Operation, ResponseKind};
use super::request::{GetRequest, Kind};
use super::shape::{Shaped, View as _, Word, view};
use super::view::{self, Answer, CountIs, Rfc3339, Unpaged};
use super::{accounts, admins, contacts, emails, held, lists, membership};
use crate::clock::Timestamp;
use crate::http::reference::Shape;
use crate::model::event::{EventActor, EventObject, Remains, Stage};
use crate::model::{
    AccountDomain, ActorRole, AdminId, Batch, ContactId, Event, EventType, List, ListId, Message, Via,
    WebhookId,
};
use crate::ops::events::{self as ops, Walk};
use crate::ops::{Page, PageRequest, paging};
use crate::params::Params;
use crate::params::parse::word;
use crate::service::events::EventBodies;
use crate::store::{Read as _, ReadTx, StoreError};

/// Events that are counted one by one at most, where not all of an account are shown.
const COUNTED_MAX: u64 = 10_000;
/// Bytes of the body of a webhook at most.
const BODY_BYTES_MAX: usize = 20_000;

/// `/events/`
pub(super) const ALL: &[Operation] = &[Operation::get(
    "Lists what happened, oldest first; with Accept: text/event-stream it follows what happens, from Last-Event-ID on",
    ResponseKind::Listing(EventView::object),
)
.about(&[("type", "Only these types.")])];

/// `GET /events/`
pub(super) struct GetParams {
    types: Vec<EventType>,
    window: PageRequest,
    fields: Option<Vec<String>>,
}

pub(super) fn get_params(params: &mut Params) -> Result<GetParams, ApiError> {
    let types = params.parsed_names("type", word::<EventType>()).unwrap_or_default();
    let window = view::window(params, Unpaged::FirstPage);
    let fields = view::fields(params);
    ApiError::check(params.take_problems())?;
    Ok(GetParams { types, window, fields })
}

impl GetRequest for GetParams {
    fn answer(&self, tx: &ReadTx, principal: &Principal) -> Result<Answer, ApiError> {
        let caller = &principal.caller;
        let types = ops::visible_types(caller, &self.types);
        let (mut skipped, limit, after) = match self.window {
            PageRequest::All => (0, usize::MAX, 0),
            PageRequest::Page { page, limit } => (paging::skipped(page, limit), limit, 0),
            PageRequest::After { after, limit } => (0, limit, after),
        };
        let mut walk = Walk::new(caller.account, &types, after);
        let mut rows = Vec::new();
        while rows.len() < limit
            && let Some(event) = walk.next(tx)?
        {
            if !ops::is_visible(tx, caller, &event)? {
                continue;
            }
            if 0 < skipped {
                skipped -= 1;
            } else if let Some(shown) = Shown::new(tx, principal, event)? {
                rows.push(shown);
            }
        }
        let (count, count_is) = if ops::sees_all(caller) {
            (ops::count(tx, caller.account, &types)?, CountIs::Exact)
        } else {
            counted(tx, principal, &types)?
        };
        view::listing_of(&Page { rows, count }, count_is, self.window, self.fields.as_deref(), EventView::of)
    }

    fn is_long(&self, _: &ReadTx, principal: &Principal) -> Result<bool, StoreError> {
        Ok(!ops::sees_all(&principal.caller) || !matches!(self.window, PageRequest::After { .. }))
    }

    fn kind(&self) -> Kind {
        Kind::Fresh
    }
}

/// The number of events that a caller sees who does not see all, up to a limit.
fn counted(tx: &ReadTx, principal: &Principal, types: &[EventType]) -> Result<(u64, CountIs), StoreError> {
    let mut walk = Walk::new(principal.caller.account, types, 0);
    let (mut count, mut looked_at) = (0, 0);
    while let Some(event) = walk.next(tx)? {
        looked_at += 1;
        if COUNTED_MAX < looked_at {
            return Ok((count, CountIs::Minimum));
        }
        count += u64::from(ops::is_visible(tx, &principal.caller, &event)?);
    }
    Ok((count, CountIs::Exact))
}

/// The next events behind one that a stream shows, at most `limit`, as the text of the stream; with the number of the last
/// that was looked at.
pub(super) fn streamed(
    tx: &ReadTx,
    principal: &Principal,
    wanted: &[EventType],
    after: u64,
    limit: usize,
) -> Result<(String, u64, bool), ApiError> {
    let types = ops::visible_types(&principal.caller, wanted);
    let mut walk = Walk::new(principal.caller.account, &types, after);
    let (mut text, mut last) = (String::new(), after);
    for _ in 0..limit {
        let Some(event) = walk.next(tx)? else { return Ok((text, last, false)) };
        last = event.id.0;
        if !ops::is_visible(tx, &principal.caller, &event)? {
            continue;
        }
        let kind = event.kind.word();
        if let Some(shown) = Shown::new(tx, principal, event)? {
            let data = view::value(&EventView::of(&shown))?;
            // Writing to a text cannot fail.
            let _ = write!(text, "id: {last}\nevent: {kind}\ndata: {data}\n\n");
        }
    }
    Ok((text, last, true))
}

/// The types that a stream asks for, and the position that its address names.
pub(super) fn stream_params(params: &mut Params) -> Result<(Vec<EventType>, Option<u64>), ApiError> {
    let GetParams { types, window, fields: _ } = get_params(params)?;
    let after = match window {
        PageRequest::After { after, limit: _ } => Some(after),
        PageRequest::All | PageRequest::Page { .. } => None,
    };
    Ok((types, after))
}

/// An event with its object.
pub(super) struct Shown {
    event: Event,
    data: Map<String, Value>,
}

impl Shown {
    /// `None` if the caller may not see the object.
    fn new(tx: &ReadTx, principal: &Principal, event: Event) -> Result<Option<Shown>, ApiError> {
        let found = if event.kind.stage() == Stage::Deleted {
            None
        } else {
            match object(tx, principal, &event) {
                Ok(found) => found,
                Err(error) if error.status() == 403 => return Ok(None),
                Err(error) if error.status() == 404 => None,
                Err(error) => return Err(error),
            }
        };
        let data = match found {
            Some(data) => data,
            None => remains(tx, &event)?,
        };
        Ok(Some(Shown { event, data }))
    }
}

/// The JSON of an answer as an object.
fn object_of(answer: &Answer) -> Option<Map<String, Value>> {
    serde_json::from_slice(&answer.body).ok()
}

/// The object of an event as the API shows it; `None` if it is gone.
fn object(tx: &ReadTx, principal: &Principal, event: &Event) -> Result<Option<Map<String, Value>>, ApiError> {
    let id = event.object.to_string();
    let mut params = Params::default();
    let answer = match event.kind.object() {
        EventObject::Contact => {
            let name = if principal.account.ccid_enabled { format!("~{id}") } else { id };
            contacts::get_params(Some(&name), &mut params)?.answer(tx, principal)
        }
        EventObject::Email => emails::get_params(&id, &mut params)?.answer(tx, principal),
        EventObject::Membership => membership::get_params(Some(&id), &mut params)?.answer(tx, principal),
        EventObject::List => match list_name(tx, event.list)? {
            Some(name) => lists::without_members(tx, principal, &name),
            None => return Ok(None),
        },
        EventObject::Message => return message(tx, event),
        EventObject::Held => held::without_text(tx, principal, event.object),
        EventObject::Delivery => return delivery(tx, event),
        EventObject::Admin => admins::get_params(Some(&id), &mut params)?.answer(tx, principal),
        EventObject::Account => accounts::get_params(Some(&id), &mut params)?.answer(tx, principal),
        EventObject::Domain => {
            let domain = tx.get::<AccountDomain>(event.object)?;
            return Ok(domain
                .map(|domain| members(json!({ "id": domain.id.0, "name": domain.name, "verified": true }))));
        }
    }?;
    let mut data = object_of(&answer);
    if let Some(data) = &mut data {
        let left_out: &[&str] = match event.kind.object() {
            EventObject::List => &["contacts"],
            EventObject::Held => &["content_plain"],
            // What the DNS says of them is looked up by those who ask.
            EventObject::Account => &["domains"],
            EventObject::Contact
            | EventObject::Email
            | EventObject::Membership
            | EventObject::Message
            | EventObject::Delivery
            | EventObject::Admin
            | EventObject::Domain => &[],
        };
        leave_out(data, left_out);
    }
    Ok(data)
}

/// Takes members away, and names them in `truncated`.
fn leave_out(data: &mut Map<String, Value>, names: &[&str]) {
    for name in names {
        data.remove(*name);
        let truncated = data.entry("truncated").or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(truncated) = truncated {
            truncated.push(Value::from(*name));
        }
    }
}

fn members(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}

fn list_name(tx: &ReadTx, list: Option<ListId>) -> Result<Option<String>, StoreError> {
    let Some(list) = list else { return Ok(None) };
    Ok(tx.get::<List>(list.0)?.map(|list| list.name.to_string()))
}

/// A message without its contents.
fn message(tx: &ReadTx, event: &Event) -> Result<Option<Map<String, Value>>, ApiError> {
    let Some(message) = tx.get::<Message>(event.object)?.filter(|message| !message.deleted) else {
        return Ok(None);
    };
    let mut data = members(json!({
        "id": message.id.0,
        "subject": message.subject,
        "from_phrase": message.from_phrase,
        "from_address": message.from_address,
        "list": list_name(tx, Some(message.list))?,
        "time": message.time.ms() / 1000,
        "datetime": message.time.rfc3339(),
        "message_id": message.message_id,
        "thread_id": message.thread.0,
        "parent": message.parent.map(|parent| parent.0),
    }));
    leave_out(&mut data, &["content_plain", "content_html"]);
    Ok(Some(data))
}

/// A recipient's copy: what is known of its delivery.
fn delivery(tx: &ReadTx, event: &Event) -> Result<Option<Map<String, Value>>, ApiError> {
    let Remains::Copy { batch, place } = &event.remains else { return Ok(None) };
    let mut data = members(json!({
        "email": "",
        "contact": event.contact.map(|contact| contact.0),
        "message": event.object,
        "list": list_name(tx, event.list)?,
    }));
    let batch = tx.get::<Batch>(batch.0)?;
    let place = usize::try_from(*place).unwrap_or(usize::MAX);
    if let Some(batch) = &batch
        && let Some(recipient) = batch.recipients.get(place)
    {
        let reply = |place: Option<u16>| place.and_then(|place| batch.replies.get(usize::from(place)));
        let state = crate::model::Worded::word(recipient.state);
        data.extend(members(json!({
            "email": recipient.address,
            "state": state,
            "attempts": recipient.attempts,
            "time": recipient.time.rfc3339(),
            "accepted": batch.accepted.rfc3339(),
            "queued": batch.queued.rfc3339(),
            "remote": reply(recipient.remote),
            "reply": reply(recipient.reply),
        })));
    }
    Ok(Some(data))
}

/// What an event kept of an object that is gone.
fn remains(tx: &ReadTx, event: &Event) -> Result<Map<String, Value>, StoreError> {
    let mut data = members(json!({ "id": event.object }));
    match &event.remains {
        Remains::None | Remains::Copy { .. } => {}
        Remains::Name(name) => {
            let member = match event.kind.object() {
                EventObject::Admin => "username",
                EventObject::Contact
                | EventObject::Email
                | EventObject::Membership
                | EventObject::List
                | EventObject::Message
                | EventObject::Held
                | EventObject::Delivery
                | EventObject::Account
                | EventObject::Domain => "name",
            };
            data.insert(member.to_owned(), Value::from(name.as_str()));
        }
        Remains::Contact { ccid, firstname, surname, emails } => data.extend(members(json!({
            "ccid": ccid, "firstname": firstname, "surname": surname,
            "emails": emails.iter().map(|email| json!({ "email": email })).collect::<Vec<_>>(),
        }))),
        Remains::Membership { digest } => {
            data.insert(
                "digest".to_owned(),
                digest.map_or(Value::Null, |digest| Value::from(u8::from(digest))),
            );
        }
    }
    if event.kind.object() != EventObject::Contact
        && let Some(ContactId(contact)) = event.contact
    {
        data.insert("contact".to_owned(), Value::from(contact));
    }
    if event.kind.object() != EventObject::List
        && let Some(list) = list_name(tx, event.list)?
    {
        data.insert("list".to_owned(), Value::from(list));
    }
    Ok(data)
}

/// An object of any kind.
pub(super) struct AnyObject<'a>(&'a Map<String, Value>);

impl Serialize for AnyObject<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl Shaped for AnyObject<'_> {
    fn shape() -> Shape {
        Shape::Map(Box::new(Shape::Either(Vec::new())))
    }
}

view! {
    /// Something that happened.
    struct EventView<'a> as "Event" {
        /// Service identifier; later events have higher ones.
        id: u64,
        /// What happened, and to what kind of object.
        r#type: Word<EventType>,
        /// When it happened.
        timestamp: Rfc3339,
        /// The actor.
        actor: EventActorView,
        /// The object as the API shows it at the time of reading; of one that is gone, what is kept of it. Members that are
        /// left out are named in its member truncated.
        data: AnyObject<'a>,
    }
}

view! {
    /// The actor of an event.
    pub(super) struct EventActorView as "EventActor" {
        /// An administrator (a person or a key), a contact, the operator, or the server.
        kind: Word<ActorRole>,
        /// Service identifier of an administrator or contact; null of others.
        id: Option<u64>,
        /// The way by which it was caused.
        via: Word<Via>,
    }
}

impl<'a> EventView<'a> {
    fn of(shown: &'a Shown) -> EventView<'a> {
        let Shown { event, data } = shown;
        // No `..`: a new field is shown or left out on purpose.
        let Event { id, account: _, kind, time, actor, via, object: _, contact: _, list: _, remains: _ } =
            event;
        let (role, actor) = match actor {
            EventActor::System => (ActorRole::System, None),
            EventActor::Operator => (ActorRole::Operator, None),
            EventActor::Admin(AdminId(id)) => (ActorRole::Administrator, Some(*id)),
            EventActor::Contact(contact) => (ActorRole::Contact, contact.map(|contact| contact.0)),
        };
        EventView {
            id: id.0,
            r#type: Word(*kind),
            timestamp: Rfc3339(*time),
            actor: EventActorView { kind: Word(role), id: actor, via: Word(*via) },
            data: AnyObject(data),
        }
    }
}

/// Makes the bodies of webhooks.
#[derive(Debug, Clone, Copy)]
pub struct Bodies;

impl EventBodies for Bodies {
    fn body(&self, tx: &ReadTx, event: Event) -> Result<Option<String>, StoreError> {
        let Ok(principal) = Principal::operator(tx, event.account) else { return Ok(None) };
        let shown = match Shown::new(tx, &principal, event) {
            Ok(Some(shown)) => shown,
            Ok(None) => return Ok(None),
            Err(_) => {
                tracing::error!("An event cannot be shown to a webhook");
                return Ok(None);
            }
        };
        Ok(Some(fitting(shown)))
    }

    fn test(&self, hook: WebhookId, now: Timestamp) -> String {
        json!({ "type": "webhook.test", "timestamp": now.rfc3339(), "data": { "webhook": hook.0 } })
            .to_string()
    }
}

/// The JSON of an event that is short enough: its longest members are left out first.
fn fitting(mut shown: Shown) -> String {
    loop {
        let text = serde_json::to_string(&EventView::of(&shown)).unwrap_or_default();
        if text.len() < BODY_BYTES_MAX {
            return text;
        }
        let length = |value: &Value| value.to_string().len();
        let others = shown.data.iter().filter(|(name, _)| name.as_str() != "truncated");
        let longest = others.max_by_key(|(_, value)| length(value)).map(|(name, _)| name.clone());
        match longest {
            Some(name) => leave_out(&mut shown.data, &[&name]),
            None => shown.data.clear(),
        }
    }
}

/// The answer of a stream before its events: how long a client waits until it connects again.
pub(super) const STREAM_BEGIN: &[u8] = b"retry: 5000\n\n";
/// What keeps a stream open on which nothing happens.
pub(super) const STREAM_COMMENT: Bytes = Bytes::from_static(b": nothing new\n\n");
