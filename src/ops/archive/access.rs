//! Decides who may read the archive of a list. It is the only place that does: pages of the archive, and whatever tells
//! that there is one, ask here.

use crate::model::{Admin, ContactId, List};
use crate::ops::authority::limits_of;
use crate::ops::limits::Limits;
use crate::schema::MEMBERSHIP_BY_CONTACT;
use crate::store::{Key, Read, StoreError};

/// A visitor of pages, as far as archives are concerned. One browser can have a member's and an administrator's session.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reader {
    /// The contact that is signed in.
    pub member: Option<ContactId>,
    /// The lists that the administrator who is signed in sees; unset if none is.
    pub admin: Option<Limits>,
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
    if list.pending || !list.archive_enabled {
        return Ok(false);
    }
    if !list.archive_protected || reader.administers(list) {
        return Ok(true);
    }
    Ok(list.archive_memberview && reader.is_member(tx, list)?)
}
