//! Records the events of which administrators are to be told: who joined or left a list, and who asks for approval.
//!
//! Joining, leaving and asking call this in their own job; `ops::moderation::announcements` writes the mails.
//! Administrators are told of what people do themselves, of requests that another administrator approved, and of
//! single changes by another administrator or a program. Imports, calls with many contacts and the operator's commands
//! are not announced, since the administrator who makes them knows of them.

use crate::clock::Timestamp;
use crate::model::admin::Notification;
use crate::model::announcement::News;
use crate::model::{
    AccountId, ActorKind, Admin, AdminId, Announcement, AnnouncementId, ContactId, ListId, PendingId,
};
use crate::ops::Caller;
use crate::schema::ADMIN_BY_ACCOUNT;
use crate::store::{Key, Read, StoreError, WriteTx};

/// Records that a request waits for approval.
pub(in crate::ops) fn asked(
    tx: &mut WriteTx<'_>,
    (account, list): (AccountId, ListId),
    pending: PendingId,
    now: Timestamp,
) -> Result<(), StoreError> {
    put(tx, (account, list), News::Asked(pending), None, now)
}

/// Records that a contact became a member of a list.
pub(in crate::ops) fn joined(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    list: ListId,
    contact: ContactId,
    now: Timestamp,
) -> Result<(), StoreError> {
    note(tx, caller, list, News::Joined(contact), now)
}

/// Records that a member left a list, or was removed from it.
pub(in crate::ops) fn left(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    list: ListId,
    contact: ContactId,
    now: Timestamp,
) -> Result<(), StoreError> {
    note(tx, caller, list, News::Left(contact), now)
}

/// Records that a person who left a list said why.
pub(in crate::ops) fn said_why(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    list: ListId,
    contact: ContactId,
    now: Timestamp,
) -> Result<(), StoreError> {
    note(tx, caller, list, News::SaidWhy(contact), now)
}

/// The notification that an administrator must want, to be told of a change of members.
pub(in crate::ops) fn notification_of(news: News) -> Notification {
    match news {
        News::Asked(_) => Notification::PendingMember,
        News::Joined(_) => Notification::MemberJoined,
        News::Left(_) | News::SaidWhy(_) => Notification::MemberLeft,
    }
}

/// Records a change of members, if anybody wants to be told of it.
fn note(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    list: ListId,
    news: News,
    now: Timestamp,
) -> Result<(), StoreError> {
    let by = match caller.actor().kind {
        ActorKind::Operator | ActorKind::Server => return Ok(()),
        ActorKind::Admin(id) => Some(id),
        ActorKind::Member(_) | ActorKind::Moderator(_) | ActorKind::Anonymous => None,
    };
    let admins: Vec<Admin> =
        tx.page(&ADMIN_BY_ACCOUNT, &Key::new().u64(caller.account.0).into(), usize::MAX)?;
    let wanted = notification_of(news);
    // Nobody is told of what they did themselves.
    if !admins.iter().any(|admin| admin.notifications.contains(&wanted) && Some(admin.id) != by) {
        return Ok(());
    }
    put(tx, (caller.account, list), news, by, now)
}

fn put(
    tx: &mut WriteTx<'_>,
    (account, list): (AccountId, ListId),
    news: News,
    by: Option<AdminId>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let id = AnnouncementId(tx.next_id::<Announcement>()?);
    tx.put(&Announcement { id, account, list, news, by, time: now, due: now, is_put_off: false })
}
