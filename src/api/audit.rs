//! The audit log, which records who changed what, newest first: `/audit/`.
//!
//! `dispatch` calls it. The log is only read here; operations write it.

use super::auth::Principal;
use super::error::ApiError;
use super::operation::{Operation, ResponseKind};
use super::request::GetRequest;
use super::shape::{Shaped as _, View as _, Word, view};
use super::view::{self, Answer, Rfc3339, Unpaged};
use crate::clock::Timestamp;
use crate::model::audit::{ToldValue, ValueChange};
use crate::model::{ActorKind, ActorRole, AdminId, AuditAction, AuditEntry, AuditObject, Via};
use crate::ops::audit::log::{self as ops, AuditFilter, ShownEntry};
use crate::ops::{PageRequest, Wrong};
use crate::params::Params;
use crate::params::parse::{As, integer, word};
use crate::store::{ReadTx, StoreError};

/// `/audit/`
pub(super) const ALL: &[Operation] = &[Operation::get(
    "Lists what was done, by whom, by which way and from where, newest first; a global key that names no account gets \
     what was done to the whole server",
    ResponseKind::Listing(EntryView::object),
)
.about(&[
    ("admin", "Only what the administrator of this number did."),
    ("action", "Only this action."),
    ("object", "Only what was done to this kind of object."),
    (
        "object_id",
        "Only what was done to the object of this number, of the kind that object names; of a contact also what was \
         done to its addresses and memberships.",
    ),
    ("since", "Only what was done at this time (RFC 3339) or later."),
    ("before", "Only what was done earlier than this (RFC 3339)."),
])];

/// `GET /audit/`
pub(super) struct GetParams {
    filter: AuditFilter,
    window: PageRequest,
    fields: Option<Vec<String>>,
}

pub(super) fn get_params(params: &mut Params) -> Result<GetParams, ApiError> {
    let time = As(Rfc3339::shape, |text: &str| Timestamp::parse_rfc3339(text.trim()).ok_or(Wrong::Time));
    let filter = AuditFilter {
        admin: params.parsed("admin", integer(1, u64::MAX)).map(AdminId),
        action: params.parsed("action", word::<AuditAction>()),
        object: params.parsed("object", word::<AuditObject>()),
        object_id: params.parsed("object_id", integer(1, u64::MAX)),
        since: params.parsed("since", time),
        before: params.parsed("before", time),
        via: None,
    };
    if filter.object_id.is_some() && filter.object.is_none() {
        params.problem("object", Wrong::ObjectKindNeeded);
    }
    let window = view::window(params, Unpaged::FirstPage);
    let fields = view::fields(params);
    ApiError::check(params.take_problems())?;
    Ok(GetParams { filter, window, fields })
}

impl GetRequest for GetParams {
    fn answer(&self, tx: &ReadTx, principal: &Principal) -> Result<Answer, ApiError> {
        let page = ops::list(tx, &principal.caller, &self.filter, self.window)?;
        view::listing(&page, self.window, self.fields.as_deref(), EntryView::of)
    }

    fn is_long(&self, _: &ReadTx, _: &Principal) -> Result<bool, StoreError> {
        // A listing walks all entries that pass its filter, because it counts them.
        Ok(true)
    }
}

view! {
    /// An action that was carried out. Entries cannot be changed.
    struct EntryView<'a> as "AuditEntry" {
        /// Service identifier; later entries have higher ones.
        id: u64,
        /// When it was done.
        time: Rfc3339,
        /// The actor.
        actor: ActorView<'a>,
        /// The way by which it was done.
        via: Word<Via>,
        /// The network address from which it was done; null where none was involved.
        client: Option<String>,
        /// The action.
        action: Word<AuditAction>,
        /// The object of the action.
        object: ObjectView<'a>,
        /// The names of the changed fields, or the number of rows; never values.
        detail: &'a str,
        /// The settings of a list or an account that were changed, with their values; of other changes none.
        changes: Vec<ValueView<'a>>,
    }
}

view! {
    /// A setting that was changed. A value is a text, null for none; of several texts it is their number.
    pub(super) struct ValueView<'a> as "AuditChange" {
        /// The name of the setting.
        field: &'a str,
        /// Its value before, or the beginning of it.
        before: Option<String>,
        /// Its value afterwards, or the beginning of it.
        after: Option<String>,
    }
}

view! {
    /// The actor of an entry.
    pub(super) struct ActorView<'a> as "Actor" {
        /// An administrator, a contact, a moderator of a list who is no administrator, somebody unknown, the operator at
        /// the command line, or the server itself.
        kind: Word<ActorRole>,
        /// Service identifier of an administrator or contact; null of others.
        id: Option<u64>,
        /// Its name at the time: an address, or the description of a key. Contacts have their present first address,
        /// blank once they are deleted.
        name: &'a str,
    }
}

view! {
    /// The object of an entry.
    pub(super) struct ObjectView<'a> as "ActedOn" {
        /// The kind of object.
        kind: Word<AuditObject>,
        /// Its service identifier; null where there are many or none.
        id: Option<u64>,
        /// Its name at the time; contacts, addresses and memberships have their present address, blank once they are
        /// deleted.
        name: &'a str,
    }
}

impl<'a> EntryView<'a> {
    fn of(shown: &'a ShownEntry) -> EntryView<'a> {
        // No `..`: a new field is shown or left out on purpose.
        let ShownEntry { entry, actor: actor_name, object: object_name, person: _, changes } = shown;
        let AuditEntry {
            id,
            account: _,
            actor,
            actor_name: _,
            action,
            object,
            object_name: _,
            contact: _,
            detail,
        } = entry;
        let actor_id = match &actor.kind {
            ActorKind::Admin(id) => Some(id.0),
            ActorKind::Member(id) => Some(id.0),
            ActorKind::Operator | ActorKind::Moderator(_) | ActorKind::Anonymous | ActorKind::Server => None,
        };
        EntryView {
            id: id.0,
            time: Rfc3339(id.time()),
            actor: ActorView { kind: Word(actor.kind.role()), id: actor_id, name: actor_name },
            via: Word(actor.via),
            client: actor.client.map(|client| client.to_string()),
            action: Word(*action),
            object: ObjectView {
                kind: Word(action.object()),
                id: Some(*object).filter(|id| *id != 0),
                name: object_name,
            },
            detail,
            changes: changes.iter().map(ValueView::of).collect(),
        }
    }
}

impl<'a> ValueView<'a> {
    fn of(change: &'a ValueChange) -> ValueView<'a> {
        let ValueChange { field, before, after } = change;
        ValueView { field, before: told(before), after: told(after) }
    }
}

fn told(value: &ToldValue) -> Option<String> {
    match value {
        ToldValue::None => None,
        ToldValue::Truth(truth) => Some(truth.to_string()),
        ToldValue::Number(number) | ToldValue::Several(number) => Some(number.to_string()),
        ToldValue::Text(text) => Some(text.clone()),
    }
}
