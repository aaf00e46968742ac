//! The audit log: who did what to what.
//!
//! An entry and its values hold no secret, no message and no name of a contact: contacts stand in it by their numbers, and are
//! named when it is shown, so that the log forgets whoever is deleted.

use serde::{Deserialize, Serialize};

use super::fields::Plain;
use super::{AccountId, Actor, AuditId, ContactId, words};
use crate::clock::Timestamp;

words! {
    /// What was done. The places of these are stored: a new one stands behind the others.
    AuditAction {
        /// A contact was made.
        ContactCreated = "contact.created",
        /// A contact was changed, or what belongs to it.
        ContactUpdated = "contact.updated",
        /// A contact was deleted.
        ContactDeleted = "contact.deleted",
        /// Many contacts came in one call.
        ContactImported = "contact.imported",
        /// A contact got another address.
        EmailCreated = "email.created",
        /// An address was changed.
        EmailUpdated = "email.updated",
        /// An address was deleted.
        EmailDeleted = "email.deleted",
        /// The reader of a paused address had mail sent to it again.
        EmailResumed = "email.resumed",
        /// A contact was put into a list, or came back.
        MembershipCreated = "membership.created",
        /// A membership was changed.
        MembershipUpdated = "membership.updated",
        /// A contact was taken out of a list, or left.
        MembershipDeleted = "membership.deleted",
        /// A list was made.
        ListCreated = "list.created",
        /// A list was changed.
        ListUpdated = "list.updated",
        /// A list was deleted.
        ListDeleted = "list.deleted",
        /// An alias was made.
        AliasCreated = "alias.created",
        /// An alias was changed.
        AliasUpdated = "alias.updated",
        /// An alias was deleted.
        AliasDeleted = "alias.deleted",
        /// A message was sent to a list, past its rules.
        MessagePublished = "message.published",
        /// A message was taken out of the archive.
        MessageDeleted = "message.deleted",
        /// A held message was published.
        MessageApproved = "message.approved",
        /// A held message was sent back.
        MessageRejected = "message.rejected",
        /// A held message was dropped.
        MessageDiscarded = "message.discarded",
        /// A request was granted.
        PendingApproved = "pending.approved",
        /// A request was refused.
        PendingRejected = "pending.rejected",
        /// A request was dropped.
        PendingDiscarded = "pending.discarded",
        /// An administrator was made.
        AdminCreated = "admin.created",
        /// An administrator was changed, its key and its password included.
        AdminUpdated = "admin.updated",
        /// An administrator was deleted.
        AdminDeleted = "admin.deleted",
        /// An account was made.
        AccountCreated = "account.created",
        /// An account was changed, its domains included.
        AccountUpdated = "account.updated",
        /// An account was deleted.
        AccountDeleted = "account.deleted",
        /// A custom field was made.
        FieldCreated = "field.created",
        /// A custom field was renamed.
        FieldUpdated = "field.updated",
        /// A custom field was deleted with its values.
        FieldDeleted = "field.deleted",
        /// A domain got new keys, or signs with them.
        DomainUpdated = "domain.updated",
        /// What waits to be delivered was held, released, tried again or dropped.
        QueueUpdated = "queue.updated",
        /// Something of the whole server was changed.
        ServerUpdated = "server.updated",
        /// Somebody signed out, or ended one of their sessions.
        SessionEnded = "session.ended",
        /// Somebody asked for what an administrator has to approve.
        PendingCreated = "pending.created",
        /// Somebody signed in.
        SessionStarted = "session.started",
        /// Messages of another archive came in.
        MessageImported = "message.imported",
        /// A member wrote to a list on its pages.
        MessageWritten = "message.written",
        /// Words were taken out of a message.
        MessageRedacted = "message.redacted",
        /// A message that was taken out or redacted became what it was.
        MessageRestored = "message.restored",
        /// A thread was closed: replies wait for approval.
        ThreadClosed = "thread.closed",
        /// A closed thread was opened again.
        ThreadOpened = "thread.opened",
        /// Data about people was taken away in bulk.
        Exported = "export",
        /// An administrator signed in.
        SignIn = "sign_in",
        /// Somebody tried to sign in as an administrator with a wrong password or code.
        SignInFailed = "sign_in.failed",
        /// A message was written that is sent at a time.
        MessageScheduled = "message.scheduled",
        /// A message that was to be sent at a time was taken back.
        MessageCanceled = "message.canceled",
        /// A message was sent to its author alone, to look at.
        MessageTested = "message.tested",
        /// An account was suspended.
        AccountSuspended = "account.suspended",
        /// An account that was suspended, or was to be deleted, works again.
        AccountRestored = "account.restored",
        /// Somebody allowed an application something, or took that back.
        Grant = "grant",
        /// A webhook was made.
        WebhookCreated = "webhook.created",
        /// A webhook was changed, its secret included.
        WebhookUpdated = "webhook.updated",
        /// A webhook was deleted.
        WebhookDeleted = "webhook.deleted",
    }
}

words! {
    /// The kinds of things to which something is done: the first word of an action, but for messages that wait.
    /// The places of these are stored.
    AuditObject {
        /// A contact.
        Contact = "contact",
        /// An address of a contact.
        Email = "email",
        /// A membership.
        Membership = "membership",
        /// A list.
        List = "list",
        /// An alias.
        Alias = "alias",
        /// A published message.
        Message = "message",
        /// A held message.
        Held = "held",
        /// A request that waits.
        Pending = "pending",
        /// An administrator.
        Admin = "admin",
        /// An account.
        Account = "account",
        /// A custom field.
        Field = "field",
        /// A domain.
        Domain = "domain",
        /// A batch of copies that waits to be delivered.
        Queue = "queue",
        /// The whole server.
        Server = "server",
        /// A session of somebody who is signed in.
        Session = "session",
        /// A thread, by its first message.
        Thread = "thread",
        /// A file that somebody took away.
        Export = "export",
        /// The permissions that a person gave an application.
        Grant = "grant",
        /// An address to which events are sent.
        Webhook = "webhook",
    }
}

impl AuditAction {
    /// What it is done to.
    #[must_use]
    pub fn object(self) -> AuditObject {
        match self {
            AuditAction::ContactCreated
            | AuditAction::ContactUpdated
            | AuditAction::ContactDeleted
            | AuditAction::ContactImported => AuditObject::Contact,
            AuditAction::EmailCreated
            | AuditAction::EmailUpdated
            | AuditAction::EmailDeleted
            | AuditAction::EmailResumed => AuditObject::Email,
            AuditAction::MembershipCreated
            | AuditAction::MembershipUpdated
            | AuditAction::MembershipDeleted => AuditObject::Membership,
            AuditAction::ListCreated | AuditAction::ListUpdated | AuditAction::ListDeleted => {
                AuditObject::List
            }
            AuditAction::AliasCreated | AuditAction::AliasUpdated | AuditAction::AliasDeleted => {
                AuditObject::Alias
            }
            AuditAction::MessagePublished
            | AuditAction::MessageDeleted
            | AuditAction::MessageImported
            | AuditAction::MessageWritten
            | AuditAction::MessageRedacted
            | AuditAction::MessageRestored
            | AuditAction::MessageScheduled
            | AuditAction::MessageCanceled
            | AuditAction::MessageTested => AuditObject::Message,
            AuditAction::ThreadClosed | AuditAction::ThreadOpened => AuditObject::Thread,
            AuditAction::MessageApproved | AuditAction::MessageRejected | AuditAction::MessageDiscarded => {
                AuditObject::Held
            }
            AuditAction::PendingCreated
            | AuditAction::PendingApproved
            | AuditAction::PendingRejected
            | AuditAction::PendingDiscarded => AuditObject::Pending,
            AuditAction::AdminCreated
            | AuditAction::AdminUpdated
            | AuditAction::AdminDeleted
            | AuditAction::SignIn
            | AuditAction::SignInFailed => AuditObject::Admin,
            AuditAction::AccountCreated
            | AuditAction::AccountUpdated
            | AuditAction::AccountDeleted
            | AuditAction::AccountSuspended
            | AuditAction::AccountRestored => AuditObject::Account,
            AuditAction::FieldCreated | AuditAction::FieldUpdated | AuditAction::FieldDeleted => {
                AuditObject::Field
            }
            AuditAction::DomainUpdated => AuditObject::Domain,
            AuditAction::QueueUpdated => AuditObject::Queue,
            AuditAction::ServerUpdated => AuditObject::Server,
            AuditAction::Grant => AuditObject::Grant,
            AuditAction::WebhookCreated | AuditAction::WebhookUpdated | AuditAction::WebhookDeleted => {
                AuditObject::Webhook
            }
            AuditAction::SessionEnded | AuditAction::SessionStarted => AuditObject::Session,
            AuditAction::Exported => AuditObject::Export,
        }
    }
}

/// One thing that somebody did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditEntry {
    /// Service identifier, which holds the time: later entries have higher numbers.
    pub id: AuditId,
    /// The account in which it was done; [`AccountId::SERVER`] where it was done to the whole server.
    pub account: AccountId,
    /// Who did it.
    pub actor: Actor,
    /// What people called the actor then; blank for a contact.
    pub actor_name: String,
    /// What was done.
    pub action: AuditAction,
    /// The number of what it was done to; 0 where there are many, or there is none.
    pub object: u64,
    /// What people called it then; blank where it is a contact or belongs to one.
    pub object_name: String,
    /// The contact that it is about.
    pub contact: Option<ContactId>,
    /// The names of the fields that were changed, or how many things were: no values.
    pub detail: String,
}

impl AuditEntry {
    /// When it was done.
    #[must_use]
    pub fn time(&self) -> Timestamp {
        self.id.time()
    }
}

/// Longest value that is kept of a setting, in characters: enough for a line.
pub const VALUE_CHARS_MAX: usize = 120;

/// The settings that a change of a list or an account changed, with their values before and afterwards. It goes with the
/// entry of the audit log of the same number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditValues {
    /// The entry.
    pub id: AuditId,
    /// Its account.
    pub account: AccountId,
    /// The settings.
    pub changes: Vec<ValueChange>,
}

/// A setting that was changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ValueChange {
    /// The name of the setting.
    pub field: String,
    /// Its value before.
    pub before: ToldValue,
    /// Its value afterwards.
    pub after: ToldValue,
}

/// The value of a setting as the audit log keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum ToldValue {
    /// There is none.
    None,
    /// True or false.
    Truth(bool),
    /// A whole number.
    Number(u64),
    /// A text, or its beginning: at most [`VALUE_CHARS_MAX`] characters.
    Text(String),
    /// How many texts there are. The texts themselves can be addresses of people, which the log does not keep.
    Several(u64),
}

impl ToldValue {
    /// What is kept of a value.
    #[must_use]
    pub fn of(value: &Plain<'_>) -> ToldValue {
        match value {
            Plain::Null => ToldValue::None,
            Plain::Truth(truth) => ToldValue::Truth(*truth),
            Plain::Number(number) => ToldValue::Number(*number),
            Plain::Text(text) if text.is_empty() => ToldValue::None,
            Plain::Text(text) if text.chars().count() <= VALUE_CHARS_MAX => ToldValue::Text(text.to_string()),
            Plain::Text(text) => {
                let begin: String = text.chars().take(VALUE_CHARS_MAX - 1).collect();
                ToldValue::Text(begin + "…")
            }
            Plain::Texts(texts) => ToldValue::Several(texts.len() as u64),
        }
    }
}

/// Bits of a number that tell apart what was done within one millisecond. With the time above them, numbers stay exact
/// in programs that keep them as floating point for two hundred years.
const PLACE_BITS: u32 = 10;

impl AuditId {
    /// The first number of the millisecond of `time`.
    #[must_use]
    pub fn first_at(time: Timestamp) -> AuditId {
        AuditId(u64::try_from(time.ms()).unwrap_or(0) << PLACE_BITS)
    }

    /// The last number of the same millisecond.
    #[must_use]
    pub fn last_of_its_millisecond(self) -> AuditId {
        AuditId(self.0 | ((1 << PLACE_BITS) - 1))
    }

    /// The time in it.
    #[must_use]
    pub fn time(self) -> Timestamp {
        Timestamp::from_ms(i64::try_from(self.0 >> PLACE_BITS).unwrap_or(i64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_entries_hold_their_time_and_follow_its_order() {
        let (now, later) = (Timestamp::from_ms(1_800_000_000_123), Timestamp::from_ms(1_800_000_000_124));
        let first = AuditId::first_at(now);
        let last = first.last_of_its_millisecond();
        assert_eq!((first.time(), last.time()), (now, now));
        assert!(first < last && last < AuditId::first_at(later));
        assert_eq!(last.0 - first.0, 1023);
        assert!(AuditId::first_at(Timestamp::from_ms(4_000_000_000_000)).0 < 1 << 53);
        assert_eq!(AuditId::first_at(Timestamp::from_ms(-1)).0, 0);
    }
}
