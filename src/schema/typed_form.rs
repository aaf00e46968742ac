//! Table and indexes of the forms that people sent when their session had ended.

use super::life::{
    HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove, contact_key,
};
use super::of;
use crate::model::{AccountId, Person, TypedForm};
use crate::store::{Entity, Index, Key};

impl Entity for TypedForm {
    const TABLE: &'static str = "typed_form";
    const INDEXES: &'static [&'static Index<TypedForm>] =
        &[&TYPED_FORM_BY_MEMBER, &TYPED_FORM_BY_ADMIN, &TYPED_FORM_BY_DUE];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for TypedForm {
    const LIFE: Life<TypedForm> = Life {
        with_account: WithAccount::InSteps(&[&TYPED_FORM_BY_MEMBER, &TYPED_FORM_BY_ADMIN]),
        with_contact: WithContact::Goes(&TYPED_FORM_BY_MEMBER, contact_key),
        with_list: WithList::NamesNone,
        with_move: WithMove::Goes,
        in_time: InTime::Forgotten("typed forms", &TYPED_FORM_BY_DUE),
        in_download: InDownload::Not("it was not carried out, and is shown to its writer for a day"),
    };
}

/// The key of an administrator in [`TYPED_FORM_BY_ADMIN`].
#[must_use]
pub fn typed_form_admin(account: AccountId, admin: u64) -> Key {
    of(account).u64(admin)
}

/// The forms of a member.
pub static TYPED_FORM_BY_MEMBER: Index<TypedForm> =
    Index::multi("typed_form.by_member", |form| match form.person {
        Person::Member(contact) => vec![contact_key(form.account, contact)],
        Person::Admin(_) => Vec::new(),
    });

/// The forms of an administrator in an account.
pub static TYPED_FORM_BY_ADMIN: Index<TypedForm> =
    Index::multi("typed_form.by_admin", |form| match form.person {
        Person::Member(_) => Vec::new(),
        Person::Admin(admin) => vec![typed_form_admin(form.account, admin.0)],
    });

/// Forms to delete, the earliest first; read by the server itself.
pub static TYPED_FORM_BY_DUE: Index<TypedForm> =
    Index::multi("typed_form.by_due", |form| vec![Key::new().u64(form.due().key())]);
