//! Keeps what a person typed into a form of any page that was sent when the session had ended, until the person has
//! signed in again: encrypted, for a day.
//!
//! Each form that a signed-in person gets carries a signed proof of whose it is. Who sends the form later proves by it
//! whose text it is, so nobody else can have anything kept, and the text is shown to that person alone. A person has a
//! few such forms; older ones make room for newer ones.

use crate::clock::Timestamp;
use crate::model::{AccountId, Admin, AdminId, Contact, ContactId, Person, TypedForm, TypedFormId};
use crate::schema::{TYPED_FORM_BY_ADMIN, TYPED_FORM_BY_MEMBER, typed_form_admin};
use crate::secret::{Purpose, SEAL_NONCE_BYTES, Signer};
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

/// Forms of one person in an account.
const FORMS_MAX: usize = 8;
/// Bytes of the fields of one form.
pub const FIELDS_BYTES_MAX: usize = 256 << 10;
/// The hours after which a form is no longer kept for somebody who is not signed in.
const FORM_LASTS_HOURS: u64 = 48;
/// Milliseconds of an hour. A proof tells its hour alone, so that a page which is shown again is the same.
const HOUR_MS: u64 = 3_600_000;

/// A form that was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewTypedForm {
    /// The account of the page.
    pub account: AccountId,
    /// The person to whom the form was shown.
    pub person: Person,
    /// The path of the page with its query.
    pub path: String,
    /// The fields, as the body of a request has them.
    pub fields: Vec<u8>,
    /// Random bytes for their encryption.
    pub nonce: [u8; SEAL_NONCE_BYTES],
}

/// The proof that a form which is made now is shown to this person.
#[must_use]
pub fn proof(signer: &Signer, person: Person, now: Timestamp) -> String {
    let number = match person {
        Person::Member(contact) => contact.0 << 1,
        Person::Admin(admin) => admin.0 << 1 | 1,
    };
    signer.token(Purpose::Typing, [number, now.key() / HOUR_MS])
}

/// The person to whom a form with this proof was shown; `None` if that is long ago.
#[must_use]
pub fn person_of(signer: &Signer, proof: &str, now: Timestamp) -> Option<Person> {
    let [number, made] = signer.open(Purpose::Typing, proof)?;
    if made + FORM_LASTS_HOURS < now.key() / HOUR_MS {
        return None;
    }
    let id = number >> 1;
    Some(if number & 1 == 0 { Person::Member(ContactId(id)) } else { Person::Admin(AdminId(id)) })
}

/// Whether a person exists, and belongs to the account.
fn is_there(tx: &impl Read, account: AccountId, person: Person) -> Result<bool, StoreError> {
    Ok(match person {
        Person::Member(contact) => {
            tx.get::<Contact>(contact.0)?.is_some_and(|contact| contact.account == account)
        }
        Person::Admin(admin) => {
            let admin: Option<Admin> = tx.get(admin.0)?;
            admin.is_some_and(|admin| admin.account.is_none_or(|own| own == account))
        }
    })
}

/// The words for which the fields of a form are encrypted.
fn about(id: TypedFormId) -> Vec<u8> {
    format!("typed form {id}").into_bytes()
}

/// Keeps a form; `None` if the person is gone, or the form is too large.
///
/// # Errors
/// If the store fails.
pub fn keep(
    tx: &mut WriteTx<'_>,
    signer: &Signer,
    form: NewTypedForm,
    now: Timestamp,
) -> Result<Option<TypedFormId>, StoreError> {
    let NewTypedForm { account, person, path, fields, nonce } = form;
    if FIELDS_BYTES_MAX < fields.len() || !is_there(tx, account, person)? {
        return Ok(None);
    }
    let mut kept = of_person(tx, account, person)?;
    kept.sort_by_key(|form| (form.kept, form.id.0));
    let too_many = (kept.len() + 1).saturating_sub(FORMS_MAX);
    for old in kept.into_iter().take(too_many) {
        tx.delete::<TypedForm>(old.id.0)?;
    }
    let id = TypedFormId(tx.next_id::<TypedForm>()?);
    let sealed = signer.seal(nonce, &about(id), fields);
    tx.put(&TypedForm { id, account, person, path, sealed, kept: now })?;
    Ok(Some(id))
}

fn of_person(tx: &impl Read, account: AccountId, person: Person) -> Result<Vec<TypedForm>, StoreError> {
    match person {
        Person::Member(contact) => {
            let key = Key::new().u64(account.0).u64(contact.0);
            tx.page(&TYPED_FORM_BY_MEMBER, &IndexRange::prefix(key), usize::MAX)
        }
        Person::Admin(admin) => {
            let key = typed_form_admin(account, admin.0);
            tx.page(&TYPED_FORM_BY_ADMIN, &IndexRange::prefix(key), usize::MAX)
        }
    }
}

/// A form of a person, with its fields; `None` if there is none, its day is over, or the secret that encrypted it is
/// gone.
///
/// # Errors
/// If the store fails.
pub fn find(
    tx: &impl Read,
    signer: &Signer,
    (account, person): (AccountId, Person),
    (id, now): (TypedFormId, Timestamp),
) -> Result<Option<(TypedForm, Vec<u8>)>, StoreError> {
    let form: Option<TypedForm> = tx.get(id.0)?;
    let is_its = |form: &TypedForm| form.account == account && form.person == person && now < form.due();
    let form = form.filter(is_its);
    Ok(form.and_then(|form| signer.unseal(&about(id), &form.sealed).map(|fields| (form, fields))))
}

/// Deletes a form of a person.
///
/// # Errors
/// If the store fails.
pub fn forget(
    tx: &mut WriteTx<'_>,
    (account, person): (AccountId, Person),
    id: TypedFormId,
) -> Result<(), StoreError> {
    let form: Option<TypedForm> = tx.get(id.0)?;
    if form.is_some_and(|form| form.account == account && form.person == person) {
        tx.delete::<TypedForm>(id.0)?;
    }
    Ok(())
}
