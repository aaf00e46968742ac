//! Contacts, who are people and other readers with their addresses: `/contacts/`.
//!
//! `dispatch` calls it. It parses parameters, calls `ops::people` and shows the result.

use std::sync::Arc;

use axum::body::Bytes;
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::auth::Principal;
use super::emails::EmailView;
use super::error::ApiError;
use super::membership::{MembershipView, OVERRIDE};
use super::operation::{Operation, ResponseKind};
use super::request::{GetRequest, WriteRequest, is_deep, is_gathered};
use super::shape::{Shaped, View, add_field};
use super::view::{self, Answer, Rfc3339, Unpaged, search_text};
use crate::http::reference::{Field, Object, Shape};
use crate::model::{Account, Contact, Email};
use crate::ops::PageRequest;
use crate::ops::people::contacts::{self as ops, ContactDetail, ContactFilter, ContactInput};
use crate::params::Params;
use crate::params::contacts::{fields, input};
use crate::params::emails as email_params;
use crate::store::{ReadTx, StoreError};

/// `/contacts/`
pub(super) const ALL: &[Operation] = &[
    Operation::get("Lists contacts, by their identifiers", ResponseKind::Listing(ContactView::object)).about(&[
        ("search", "Words, each of which begins a word of the name, an address, the notes, the ccid or a custom field."),
        ("email", "The contact that has this address."),
        ("list", "The members of the list of this name."),
        ("ccid", "The contact of this custom identifier."),
    ]),
    Operation::post("Makes a contact", fields, ResponseKind::One(ContactView::object))
        .required(&["emails"])
        .about(&[OVERRIDE]),
];
/// `/contacts/{id}/`
pub(super) const ONE: &[Operation] = &[
    Operation::get("Shows a contact", ResponseKind::One(ContactView::object)),
    Operation::put(
        "Changes a contact; where custom identifiers name contacts, makes one that is not there",
        fields,
        ResponseKind::One(ContactView::object),
    )
    .about(&[OVERRIDE]),
    Operation::delete("Deletes a contact with its addresses and memberships"),
];

/// `GET /contacts/` or `GET /contacts/{id}/`
pub(super) struct GetParams {
    what: What,
    fields: Option<Vec<String>>,
}

enum What {
    One(String),
    Page(ContactFilter, PageRequest),
}

pub(super) fn get_params(object: Option<&str>, params: &mut Params) -> Result<GetParams, ApiError> {
    let what = if let Some(name) = object {
        What::One(name.to_owned())
    } else {
        let filter = ContactFilter {
            email: params.nullable_text("email").flatten(),
            search: params.parsed("search", search_text).filter(|search| !search.is_empty()),
            list: params.nullable_text("list").flatten(),
            ccid: params.nullable_text("ccid").flatten(),
        };
        What::Page(filter, view::window(params, Unpaged::FirstPage))
    };
    let fields = view::fields(params);
    ApiError::check(params.take_problems())?;
    Ok(GetParams { what, fields })
}

impl GetRequest for GetParams {
    fn answer(&self, tx: &ReadTx, principal: &Principal) -> Result<Answer, ApiError> {
        let account = &principal.account;
        let fields = self.fields.as_deref();
        match &self.what {
            What::One(name) => {
                let detail = ops::get(tx, &principal.caller, name)?;
                view::object(&ContactView { detail: &detail, account }, fields).map(Answer::one)
            }
            What::Page(filter, window) => {
                let page = ops::list(tx, &principal.caller, filter, *window)?;
                view::listing(&page, *window, fields, |detail| ContactView { detail, account })
            }
        }
    }

    fn is_long(&self, tx: &ReadTx, principal: &Principal) -> Result<bool, StoreError> {
        match &self.what {
            What::One(_) => Ok(false),
            // A search walks all its matches, because it counts them.
            What::Page(filter, window) => {
                Ok(filter.search.is_some() || is_deep(*window) || is_gathered(tx, principal)?)
            }
        }
    }
}

/// `POST /contacts/`
pub(super) async fn create(mut call: WriteRequest<'_>) -> Result<Bytes, ApiError> {
    let input = judged(&mut call).await;
    let viewer = Arc::clone(call.principal);
    let show =
        move |detail: &ContactDetail| view::object(&ContactView { detail, account: &viewer.account }, None);
    call.once(move |tx, by| ops::create(tx, &by.caller, input, by.now), show).await
}

/// `PUT /contacts/{id}/`
pub(super) async fn update(mut call: WriteRequest<'_>, name: &str) -> Result<Bytes, ApiError> {
    let input = judged(&mut call).await;
    let name = name.to_owned();
    let detail = call.perform(move |tx, by| ops::update(tx, &by.caller, &name, input, by.now)).await?;
    view::object(&ContactView { detail: &detail, account: &call.principal.account }, None)
}

/// The contact of a request, its addresses checked against the patterns of the account.
async fn judged(call: &mut WriteRequest<'_>) -> ContactInput {
    let (caller, account) = (&call.principal.caller, &call.principal.account);
    let mut input = input(call.params, account);
    email_params::judge(call.core, caller, account, input.emails.iter_mut().flatten()).await;
    input
}

/// `DELETE /contacts/{id}/`
pub(super) async fn delete(call: WriteRequest<'_>, name: &str) -> Result<Bytes, ApiError> {
    let name = name.to_owned();
    call.perform_reserved(move |tx, by| ops::delete(tx, &by.caller, &name, by.now)).await?;
    Ok(view::deleted())
}

/// A contact as JSON.
pub(super) struct ContactView<'a> {
    detail: &'a ContactDetail,
    account: &'a Account,
}

impl<'a> ContactView<'a> {
    pub(super) fn new(detail: &'a ContactDetail, account: &'a Account) -> ContactView<'a> {
        ContactView { detail, account }
    }
}

impl Shaped for ContactView<'_> {
    fn shape() -> Shape {
        Shape::Object("Contact")
    }

    fn fields() -> Vec<Field> {
        let mut fields = Vec::new();
        let to = &mut fields;
        add_field::<u64>(to, "id", "Service identifier of the contact.", "");
        let ccid = "Identifier of your own, unique: 1 to 64 characters; null where there is none.";
        add_field::<Option<&str>>(to, "ccid", ccid, "");
        add_field::<&str>(to, "firstname", "First name.", "");
        add_field::<&str>(to, "surname", "Surname.", "");
        add_field::<Rfc3339>(to, "created", "When it was made. Read-only.", "");
        add_field::<&str>(to, "description", "The name and the addresses. Read-only.", "");
        add_field::<&str>(to, "notes", "Any text.", "");
        let emails = "Its addresses, the first one first; in a call addresses or objects, in place of all that there were.";
        add_field::<Vec<EmailView<'_>>>(to, "emails", emails, "");
        let lists = "Its memberships; in a call names of lists or objects, in place of all that there were.";
        add_field::<Vec<MembershipView<'_>>>(to, "lists", lists, "");
        fields
    }
}

impl View for ContactView<'_> {
    fn object() -> Object {
        let about = "Somebody with one or more addresses, perhaps a member of lists. The account's custom \
                     fields are members too, under their identifiers or names.";
        Object { name: "Contact", about, fields: ContactView::fields(), has_custom: true }
    }
}

impl Serialize for ContactView<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let ContactDetail { contact, emails, members } = self.detail;
        // No `..`: a new field is shown or left out on purpose.
        let Contact { id, account: _, ccid, firstname, surname, notes, custom, created } = contact;
        let name = ops::name_of(self.account, contact);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("id", &id.0)?;
        map.serialize_entry("ccid", ccid)?;
        map.serialize_entry("firstname", firstname)?;
        map.serialize_entry("surname", surname)?;
        map.serialize_entry("created", &Rfc3339(*created))?;
        map.serialize_entry("description", &description(contact, emails))?;
        map.serialize_entry("notes", notes)?;
        map.serialize_key("emails")?;
        map.serialize_value(&Rows(emails, |email| EmailView::new(email, &name)))?;
        map.serialize_key("lists")?;
        map.serialize_value(&Rows(members, |member| MembershipView::new(member, &name)))?;
        for field in &self.account.custom_fields {
            let value = custom.get(&field.id).map_or("", String::as_str);
            map.serialize_entry(field.key(), value)?;
        }
        map.end()
    }
}

/// Serializes records one after the other, without an array of their views.
struct Rows<'a, T, F>(&'a [T], F);

impl<'a, T, V: Serialize, F: Fn(&'a T) -> V> Serialize for Rows<'a, T, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(&self.1))
    }
}

/// `Ada Lovelace <ada@x.org>, <ada@y.org>`, or without a name `ada@x.org, ada@y.org`.
fn description(contact: &Contact, emails: &[Email]) -> String {
    let mut text = contact.name();
    let is_nameless = text.is_empty();
    for (place, Email { address, .. }) in emails.iter().enumerate() {
        let separator = match (place, is_nameless) {
            (0, true) => "",
            (0, false) => " ",
            _ => ", ",
        };
        text.push_str(separator);
        if is_nameless {
            text.push_str(address.as_str());
        } else {
            text.push('<');
            text.push_str(address.as_str());
            text.push('>');
        }
    }
    text
}
