//! Events: what happened in an account, for programs that follow it.
//!
//! `ops::events` writes them at the end of the job that caused them, of what the job's records and its notes for the audit
//! log say ([`EventDraft`]). An event names its object by its number and holds no values, but for what a deletion leaves
//! ([`Remains`]): programs get the object as it is when they read.

use serde::{Deserialize, Serialize};

use super::{
    AccountId, ActorKind, AdminId, AuditAction, BatchId, ContactId, EventId, ListId, Permission, Via, words,
};
use crate::clock::Timestamp;

words! {
    /// The types of events. The places of these are stored: a new one stands behind the others.
    EventType {
        /// A contact was made.
        ContactCreated = "contact.created",
        /// A contact or its addresses were changed.
        ContactUpdated = "contact.updated",
        /// A contact was deleted.
        ContactDeleted = "contact.deleted",
        /// An address gets no mail any more.
        EmailPaused = "email.paused",
        /// An address gets mail again.
        EmailResumed = "email.resumed",
        /// The reader of an address proved that it is theirs.
        EmailConfirmed = "email.confirmed",
        /// A contact joined a list.
        MembershipCreated = "membership.created",
        /// A membership was changed.
        MembershipUpdated = "membership.updated",
        /// A contact left a list.
        MembershipDeleted = "membership.deleted",
        /// A list was made.
        ListCreated = "list.created",
        /// A list was changed.
        ListUpdated = "list.updated",
        /// A list was deleted, and with it its memberships.
        ListDeleted = "list.deleted",
        /// A message is on its way to the members of a list.
        MessagePublished = "message.published",
        /// A message waits for approval.
        MessageHeld = "message.held",
        /// A held message was published.
        MessageApproved = "message.approved",
        /// A held message was sent back.
        MessageRejected = "message.rejected",
        /// A held message was dropped.
        MessageDiscarded = "message.discarded",
        /// A message was taken out of the archive.
        MessageDeleted = "message.deleted",
        /// A copy of a message could not be delivered.
        DeliveryFailed = "delivery.failed",
        /// A report came back that a copy was not delivered.
        BounceReceived = "bounce.received",
        /// A recipient complained about a copy.
        ComplaintReceived = "complaint.received",
        /// An administrator was made.
        AdminCreated = "admin.created",
        /// An administrator was changed, its key and password included.
        AdminUpdated = "admin.updated",
        /// An administrator was deleted.
        AdminDeleted = "admin.deleted",
        /// The settings of the account were changed.
        AccountUpdated = "account.updated",
        /// A domain was proven, or got other keys.
        DomainStatusChanged = "domain.status_changed",
    }
}

/// The kinds of objects that events are about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum EventObject {
    /// A contact.
    Contact,
    /// An address.
    Email,
    /// A membership.
    Membership,
    /// A list.
    List,
    /// A published message.
    Message,
    /// A held message.
    Held,
    /// A recipient's copy of a message.
    Delivery,
    /// An administrator.
    Admin,
    /// An account.
    Account,
    /// A domain.
    Domain,
}

/// What an event says of the existence of its object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// It is new.
    Created,
    /// It was changed.
    Updated,
    /// It is gone.
    Deleted,
    /// Something else.
    Other,
}

impl EventType {
    /// What it is about.
    #[must_use]
    pub fn object(self) -> EventObject {
        use EventType as T;
        match self {
            T::ContactCreated | T::ContactUpdated | T::ContactDeleted => EventObject::Contact,
            T::EmailPaused | T::EmailResumed | T::EmailConfirmed => EventObject::Email,
            T::MembershipCreated | T::MembershipUpdated | T::MembershipDeleted => EventObject::Membership,
            T::ListCreated | T::ListUpdated | T::ListDeleted => EventObject::List,
            T::MessagePublished | T::MessageDeleted => EventObject::Message,
            T::MessageHeld | T::MessageApproved | T::MessageRejected | T::MessageDiscarded => {
                EventObject::Held
            }
            T::DeliveryFailed | T::BounceReceived | T::ComplaintReceived => EventObject::Delivery,
            T::AdminCreated | T::AdminUpdated | T::AdminDeleted => EventObject::Admin,
            T::AccountUpdated => EventObject::Account,
            T::DomainStatusChanged => EventObject::Domain,
        }
    }

    /// What it says of the existence of its object. The object of `message.deleted` stays as the place of its replies.
    #[must_use]
    pub fn stage(self) -> Stage {
        use EventType as T;
        match self {
            T::ContactCreated | T::MembershipCreated | T::ListCreated | T::AdminCreated => Stage::Created,
            T::ContactUpdated
            | T::MembershipUpdated
            | T::ListUpdated
            | T::AdminUpdated
            | T::AccountUpdated => Stage::Updated,
            T::ContactDeleted | T::MembershipDeleted | T::ListDeleted | T::AdminDeleted => Stage::Deleted,
            T::EmailPaused
            | T::EmailResumed
            | T::EmailConfirmed
            | T::MessagePublished
            | T::MessageHeld
            | T::MessageApproved
            | T::MessageRejected
            | T::MessageDiscarded
            | T::MessageDeleted
            | T::DeliveryFailed
            | T::BounceReceived
            | T::ComplaintReceived
            | T::DomainStatusChanged => Stage::Other,
        }
    }

    /// The type of this stage for the same object; the type itself where there is none.
    #[must_use]
    pub fn at(self, stage: Stage) -> EventType {
        if self.stage() == stage {
            return self;
        }
        let same = |other: &EventType| other.object() == self.object() && other.stage() == stage;
        EventType::ALL.iter().copied().find(same).unwrap_or(self)
    }

    /// The permission without which it is not shown, where any of those that read is not enough.
    #[must_use]
    pub fn permission(self) -> Option<Permission> {
        (self.object() == EventObject::Held).then_some(Permission::ApproveMessages)
    }

    /// The event that tells the same as an action of the audit log; `None` where no program follows it, or where records
    /// tell it (addresses belong to their contact).
    #[must_use]
    pub fn of_action(action: AuditAction) -> Option<EventType> {
        use AuditAction as A;
        use EventType as T;
        Some(match action {
            A::ContactCreated => T::ContactCreated,
            A::ContactUpdated => T::ContactUpdated,
            A::ContactDeleted => T::ContactDeleted,
            A::EmailResumed => T::EmailResumed,
            A::MembershipCreated => T::MembershipCreated,
            A::MembershipUpdated => T::MembershipUpdated,
            A::MembershipDeleted => T::MembershipDeleted,
            A::ListCreated => T::ListCreated,
            A::ListUpdated => T::ListUpdated,
            A::ListDeleted => T::ListDeleted,
            A::MessagePublished => T::MessagePublished,
            A::MessageDeleted => T::MessageDeleted,
            A::MessageApproved => T::MessageApproved,
            A::MessageRejected => T::MessageRejected,
            A::MessageDiscarded => T::MessageDiscarded,
            A::AdminCreated => T::AdminCreated,
            A::AdminUpdated => T::AdminUpdated,
            A::AdminDeleted => T::AdminDeleted,
            A::AccountUpdated | A::FieldCreated | A::FieldUpdated | A::FieldDeleted => T::AccountUpdated,
            A::DomainUpdated => T::DomainStatusChanged,
            A::ContactImported
            | A::EmailCreated
            | A::EmailUpdated
            | A::EmailDeleted
            | A::AliasCreated
            | A::AliasUpdated
            | A::AliasDeleted
            | A::PendingApproved
            | A::PendingRejected
            | A::PendingDiscarded
            | A::AccountCreated
            | A::AccountDeleted
            | A::QueueUpdated
            | A::ServerUpdated
            | A::SessionEnded
            | A::PendingCreated
            | A::SessionStarted
            | A::MessageImported
            | A::MessageWritten
            | A::MessageRedacted
            | A::MessageRestored
            | A::ThreadClosed
            | A::ThreadOpened
            | A::Exported
            | A::SignIn
            | A::SignInFailed
            | A::MessageScheduled
            | A::MessageCanceled
            | A::MessageTested
            | A::AccountSuspended
            | A::AccountRestored
            | A::Grant
            | A::WebhookCreated
            | A::WebhookUpdated
            | A::WebhookDeleted => return None,
        })
    }
}

/// Who caused an event. Addresses of moderators and strangers are not kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum EventActor {
    /// The server itself, or somebody unknown.
    System,
    /// The operator.
    Operator,
    /// An administrator.
    Admin(AdminId),
    /// A contact, or a moderator of a list.
    Contact(Option<ContactId>),
}

impl From<&ActorKind> for EventActor {
    fn from(kind: &ActorKind) -> EventActor {
        match kind {
            ActorKind::Operator => EventActor::Operator,
            ActorKind::Admin(id) => EventActor::Admin(*id),
            ActorKind::Member(id) => EventActor::Contact(Some(*id)),
            ActorKind::Moderator(_) => EventActor::Contact(None),
            ActorKind::Anonymous | ActorKind::Server => EventActor::System,
        }
    }
}

/// What an event keeps of an object that cannot be looked up later.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Remains {
    /// Nothing.
    None,
    /// The name of a list or an administrator.
    Name(String),
    /// A contact that was deleted.
    Contact {
        /// Its custom identifier.
        ccid: Option<String>,
        /// Its first name.
        firstname: String,
        /// Its surname.
        surname: String,
        /// Its addresses.
        emails: Vec<String>,
    },
    /// How a member who left got the posts.
    Membership {
        /// As digests, where it was set.
        digest: Option<bool>,
    },
    /// A recipient's copy.
    Copy {
        /// The batch in which it was sent.
        batch: BatchId,
        /// Its place in it, where the address stands as long as nobody asks to be forgotten.
        place: u32,
    },
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Event {
    /// Service identifier: later events have higher ones.
    pub id: EventId,
    /// The account in which it happened.
    pub account: AccountId,
    /// Its type.
    pub kind: EventType,
    /// When it happened.
    pub time: Timestamp,
    /// Who caused it.
    pub actor: EventActor,
    /// The way by which it was caused.
    pub via: Via,
    /// The number of its object.
    pub object: u64,
    /// The contact that it is about.
    pub contact: Option<ContactId>,
    /// The list that it is about.
    pub list: Option<ListId>,
    /// What it keeps of its object.
    pub remains: Remains,
}

/// An event before the job that causes it ends: several of one object become one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventDraft {
    /// The account.
    pub account: AccountId,
    /// The type.
    pub kind: EventType,
    /// The number of the object.
    pub object: u64,
    /// The contact that it is about.
    pub contact: Option<ContactId>,
    /// The list that it is about.
    pub list: Option<ListId>,
    /// What is kept of the object.
    pub remains: Remains,
}

impl EventDraft {
    /// A draft about nothing but its object.
    #[must_use]
    pub fn new(account: AccountId, kind: EventType, object: u64) -> EventDraft {
        EventDraft { account, kind, object, contact: None, list: None, remains: Remains::None }
    }
}

/// A note that nothing of the people whom the job deletes may be kept: they asked to be forgotten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Forgotten;

/// Who acts in a job, and by which way; noted at the job's begin.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Acting {
    /// Who.
    pub actor: EventActor,
    /// By which way.
    pub via: Via,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::AuditObject;

    #[test]
    fn a_type_is_found_for_each_stage_of_its_object() {
        assert_eq!(EventType::ContactCreated.at(Stage::Deleted), EventType::ContactDeleted);
        assert_eq!(EventType::AdminUpdated.at(Stage::Created), EventType::AdminCreated);
        assert_eq!(EventType::MessageApproved.at(Stage::Other), EventType::MessageApproved);
        assert_eq!(EventType::AccountUpdated.at(Stage::Created), EventType::AccountUpdated);
    }

    #[test]
    fn an_action_with_the_word_of_a_type_tells_that_type() {
        for action in AuditAction::ALL {
            if let Some(same) = EventType::from_word(action.word()) {
                assert_eq!(EventType::of_action(*action), Some(same), "{action:?}");
            }
        }
        assert_eq!(AuditAction::MessageApproved.object(), AuditObject::Held);
    }
}
