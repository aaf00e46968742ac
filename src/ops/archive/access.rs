//! Decides who may read the archive of a list. It is the only place that does: pages of the archive, and whatever tells
//! that there is one, ask here.

use crate::model::{AccountId, Admin, ContactId, List, ListId};
use crate::ops::authority::limits_of;
use crate::ops::limits::Limits;
use crate::ops::people::memberships;
use crate::schema::MEMBERSHIP_BY_CONTACT;
use crate::store::{Key, Read, StoreError};

/// A visitor of pages, as far as archives are concerned. One browser can have a member's and an administrator's session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reader {
    /// The contact that is signed in.
    pub member: Option<ContactId>,
    /// The lists that the administrator who is signed in sees; unset if none is.
    pub admin: Option<Limits>,
    /// The lists whose archives the browser has opened with their present passwords.
    pub opened: Vec<ListId>,
}

impl Reader {
    /// The same reader, with the session of an administrator.
    #[must_use]
    pub fn with_admin(self, admin: &Admin) -> Reader {
        Reader { admin: Some(limits_of(admin)), ..self }
    }

    /// Whether an administrator looks who may see the list.
    #[must_use]
    pub fn administers(&self, list: &List) -> bool {
        self.admin.as_ref().is_some_and(|limits| limits.sees_list(list.id))
    }

    /// Whether a member of the list looks.
    pub fn is_member(&self, tx: &impl Read, list: &List) -> Result<bool, StoreError> {
        let Some(contact) = self.member else { return Ok(false) };
        let key = Key::new().u64(list.account.0).u64(contact.0).u64(list.id.0);
        tx.exists(&MEMBERSHIP_BY_CONTACT, &key)
    }
}

/// Whether the list has an archive that this reader may read.
pub fn may_read(tx: &impl Read, list: &List, reader: &Reader) -> Result<bool, StoreError> {
    if !is_there(list) {
        return Ok(false);
    }
    if !list.archive_protected || reader.administers(list) {
        return Ok(true);
    }
    if list.archive_password_hash.is_some() && reader.opened.contains(&list.id) {
        return Ok(true);
    }
    Ok(list.archive_memberview && reader.is_member(tx, list)?)
}

/// Whether everybody may read the archive of the list.
#[must_use]
pub fn is_public(list: &List) -> bool {
    is_there(list) && !list.archive_protected
}

/// Whether a password opens the archive of the list.
#[must_use]
pub fn asks_password(list: &List) -> bool {
    is_there(list) && list.archive_protected && list.archive_password_hash.is_some()
}

/// Whether the archive of the list is closed to strangers, but opens to members who sign in or by a password.
#[must_use]
pub fn opens_to_some(list: &List) -> bool {
    asks_password(list) || opens_to_members(list)
}

/// Whether the archive of the list is closed to strangers, but opens to members who sign in.
#[must_use]
pub fn opens_to_members(list: &List) -> bool {
    is_there(list) && list.archive_protected && list.archive_memberview
}

/// Whether this reader of the archive sees addresses: members of the list and its administrators do, also where the
/// list hides them from others.
pub fn shows_addresses(tx: &impl Read, list: &List, reader: &Reader) -> Result<bool, StoreError> {
    Ok(!list.archive_spammode || reader.administers(list) || reader.is_member(tx, list)?)
}

/// The list of an account with this name, in any case, or with this earlier name, which a page of its archive names.
pub fn find_list(tx: &impl Read, account: AccountId, name: &str) -> Result<Option<List>, StoreError> {
    memberships::find_list_known_as(tx, account, name)
}

/// Whether the list has an archive at all.
fn is_there(list: &List) -> bool {
    !list.pending && list.archive_enabled
}
