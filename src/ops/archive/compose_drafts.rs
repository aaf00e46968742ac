//! Keeps what an administrator writes to a list until it is sent: the fields of the form and its files, for a day.
//!
//! The form has a signed key, which names the administrator and the form. Who sends the form after the session has ended
//! proves by it whose message it is, so nobody else can have anything kept; such a draft comes back after signing in. An
//! administrator has a few drafts, and so many bytes of files; older drafts make room for newer ones.

use std::time::Duration;

use data_encoding::HEXLOWER;

use crate::clock::Timestamp;
use crate::mail::Attachment;
use crate::model::{
    AccountId, Admin, AdminId, BlobId, ComposeDraft, ComposeDraftId, DraftFile, Permission, ScheduledMessage,
    ScheduledMessageId,
};
use crate::ops::authority::holds;
use crate::ops::overdue::overdue_rows;
use crate::schema::{COMPOSE_DRAFT_BY_ADMIN, COMPOSE_DRAFT_BY_DUE};
use crate::secret::{Purpose, Secrets, Signer, sha256, sha256_text};
use crate::store::{self, IndexRange, Key, Read, StoreError, WriteTx};

/// Drafts of one administrator.
const DRAFTS_MAX: usize = 8;
/// Bytes of the files of one administrator's drafts.
const FILES_BYTES_MAX: u64 = 64 << 20;
/// Bytes of the value of a field.
const VALUE_BYTES_MAX: usize = 1 << 20;
/// Bytes of the hash that names a file.
const HASH_BYTES: usize = 16;
/// Bits of a form's number that are random; the others are the second in which it was made.
const RANDOM_BITS: u32 = 24;
/// How long after a form was made its message is kept for somebody who is not signed in.
const FORM_LASTS: Duration = Duration::from_hours(48);

/// A form that an administrator sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewComposeDraft {
    /// The account.
    pub account: AccountId,
    /// The administrator.
    pub admin: AdminId,
    /// The number of the form.
    pub form: u64,
    /// The fields with their values.
    pub fields: Vec<(String, String)>,
    /// The hashes of the files that stay.
    pub staying: Vec<String>,
    /// The new files.
    pub files: Vec<Attachment>,
    /// The message that it changes, which is to be sent at a time.
    pub scheduled: Option<ScheduledMessageId>,
    /// Whether the session of the administrator has ended.
    pub is_lost: bool,
}

/// The number of a new form.
#[must_use]
pub fn new_form(secrets: &Secrets, now: Timestamp) -> u64 {
    let mut random = [0; 8];
    secrets.fill(&mut random);
    let seconds = u64::try_from(now.ms() / 1000).unwrap_or(0);
    (seconds << RANDOM_BITS) | (u64::from_be_bytes(random) >> (u64::BITS - RANDOM_BITS))
}

/// The key of a form that is shown to an administrator.
#[must_use]
pub fn key(signer: &Signer, admin: AdminId, form: u64) -> String {
    signer.token(Purpose::Composing, [admin.0, form])
}

/// The administrator to whom the form with this key was shown, and the number of the form.
#[must_use]
pub fn form_of(signer: &Signer, key: &str) -> Option<(AdminId, u64)> {
    signer.open(Purpose::Composing, key).map(|[admin, form]| (AdminId(admin), form))
}

/// Whether the message of a form is kept for an administrator who is not signed in.
///
/// # Errors
/// If the store fails.
pub fn may_keep(
    tx: &impl Read,
    account: AccountId,
    (admin, form): (AdminId, u64),
    now: Timestamp,
) -> Result<bool, StoreError> {
    let made = Timestamp::from_ms(i64::try_from((form >> RANDOM_BITS) * 1000).unwrap_or(i64::MAX));
    if made + FORM_LASTS < now {
        return Ok(false);
    }
    writes_in(tx, account, admin)
}

/// Whether an administrator exists who may send messages in this account.
fn writes_in(tx: &impl Read, account: AccountId, admin: AdminId) -> Result<bool, StoreError> {
    let admin: Option<Admin> = tx.get(admin.0)?;
    Ok(admin.is_some_and(|admin| {
        admin.account.is_none_or(|own| own == account) && holds(&admin, Permission::SendMessages)
    }))
}

/// The name of a file in its draft, which two files with the same name and content share.
#[must_use]
pub fn hash_of(file: &Attachment) -> String {
    let content = HEXLOWER.encode(&sha256(&file.bytes));
    let whole = sha256_text(format_args!("{:?} {:?} {content}", file.name, file.media_type));
    HEXLOWER.encode(&whole[..HASH_BYTES])
}

/// Keeps a draft in place of the last one of its form; nothing if the administrator may no longer write.
///
/// # Errors
/// If the store fails.
pub fn keep(tx: &mut WriteTx<'_>, draft: NewComposeDraft, now: Timestamp) -> Result<(), StoreError> {
    let NewComposeDraft { account, admin, form, fields, staying, files: new, scheduled, is_lost } = draft;
    if !writes_in(tx, account, admin)? {
        return Ok(());
    }
    let known = find(tx, account, admin, form)?;
    let files = known_files(tx, account, known.as_ref(), scheduled)?;
    let files = files_of(tx, files, &staying, new)?;
    let cut = |(name, value): (String, String)| {
        let end = value.floor_char_boundary(VALUE_BYTES_MAX);
        (name, value[..end].to_owned())
    };
    let id = match known {
        Some(draft) => draft.id,
        None => ComposeDraftId(tx.next_id::<ComposeDraft>()?),
    };
    let fields = fields.into_iter().map(cut).collect();
    let draft = ComposeDraft { id, account, admin, form, fields, files, is_lost, kept: now };
    tx.put(&draft)?;
    make_room(tx, &draft)
}

/// The files that a form may keep: those of its draft, and of the message that it changes.
///
/// # Errors
/// If the store fails.
pub fn known_files(
    tx: &impl Read,
    account: AccountId,
    draft: Option<&ComposeDraft>,
    scheduled: Option<ScheduledMessageId>,
) -> Result<Vec<DraftFile>, StoreError> {
    let mut files = draft.map(|draft| draft.files.clone()).unwrap_or_default();
    let scheduled = match scheduled {
        Some(id) => tx.get::<ScheduledMessage>(id.0)?.filter(|message| message.account == account),
        None => None,
    };
    for file in scheduled.into_iter().flat_map(|message| message.files) {
        if files.iter().all(|known| known.hash != file.hash) {
            files.push(file);
        }
    }
    Ok(files)
}

/// The files of a form: of the known ones those that stay, and the new ones, which are stored.
///
/// # Errors
/// If the store fails.
pub fn files_of(
    tx: &mut WriteTx<'_>,
    known: Vec<DraftFile>,
    staying: &[String],
    new: Vec<Attachment>,
) -> Result<Vec<DraftFile>, StoreError> {
    let mut files = known;
    files.retain(|file| staying.contains(&file.hash));
    for file in new {
        let hash = hash_of(&file);
        if files.iter().any(|known| known.hash == hash) {
            continue;
        }
        let blob = BlobId(tx.put_blob(&file.bytes)?.0);
        let Attachment { name, media_type, bytes } = file;
        files.push(DraftFile { hash, name, media_type, size_bytes: bytes.len() as u64, blob });
    }
    Ok(files)
}

/// Deletes the oldest other drafts of an administrator that are too many, or whose files are too large together.
fn make_room(tx: &mut WriteTx<'_>, draft: &ComposeDraft) -> Result<(), StoreError> {
    let mut bytes = size_bytes(draft);
    let others = of_admin(tx, draft.admin)?.into_iter().filter(|other| other.id != draft.id);
    for (place, other) in others.enumerate() {
        bytes += size_bytes(&other);
        if DRAFTS_MAX <= place + 1 || FILES_BYTES_MAX < bytes {
            tx.delete::<ComposeDraft>(other.id.0)?;
        }
    }
    Ok(())
}

fn size_bytes(draft: &ComposeDraft) -> u64 {
    draft.files.iter().map(|file| file.size_bytes).sum()
}

/// The drafts of an administrator in every account, the newest first.
fn of_admin(tx: &impl Read, admin: AdminId) -> Result<Vec<ComposeDraft>, StoreError> {
    let theirs = IndexRange::prefix(Key::new().u64(admin.0));
    let mut drafts: Vec<ComposeDraft> = tx.page(&COMPOSE_DRAFT_BY_ADMIN, &theirs, usize::MAX)?;
    drafts.sort_by_key(|draft| std::cmp::Reverse((draft.kept, draft.id.0)));
    Ok(drafts)
}

/// The drafts of an administrator in an account, the newest first.
///
/// # Errors
/// If the store fails.
pub fn list(tx: &impl Read, account: AccountId, admin: AdminId) -> Result<Vec<ComposeDraft>, StoreError> {
    let mut drafts = of_admin(tx, admin)?;
    drafts.retain(|draft| draft.account == account);
    Ok(drafts)
}

/// The draft of a form.
///
/// # Errors
/// If the store fails.
pub fn find(
    tx: &impl Read,
    account: AccountId,
    admin: AdminId,
    form: u64,
) -> Result<Option<ComposeDraft>, StoreError> {
    let found: Option<ComposeDraft> = tx.find(&COMPOSE_DRAFT_BY_ADMIN, &Key::new().u64(admin.0).u64(form))?;
    Ok(found.filter(|draft| draft.account == account))
}

/// A file of a draft as it goes with a message.
///
/// # Errors
/// If the store fails.
pub fn attachment(tx: &impl Read, file: &DraftFile) -> Result<Attachment, StoreError> {
    let bytes = tx.blob(store::BlobId(file.blob.0))?;
    Ok(Attachment { name: file.name.clone(), media_type: file.media_type.clone(), bytes })
}

/// Deletes the draft of a form.
///
/// # Errors
/// If the store fails.
pub fn drop(tx: &mut WriteTx<'_>, account: AccountId, admin: AdminId, form: u64) -> Result<(), StoreError> {
    if let Some(draft) = find(tx, account, admin, form)? {
        tx.delete::<ComposeDraft>(draft.id.0)?;
    }
    Ok(())
}

/// Deletes the drafts of an administrator.
pub(in crate::ops) fn forget(tx: &mut WriteTx<'_>, admin: AdminId) -> Result<(), StoreError> {
    let theirs = IndexRange::prefix(Key::new().u64(admin.0));
    tx.delete_range(&COMPOSE_DRAFT_BY_ADMIN, &theirs, usize::MAX)?;
    Ok(())
}

/// Deletes at most `limit` drafts whose time is over.
pub(in crate::ops) fn expire(tx: &mut WriteTx<'_>, now: Timestamp, limit: usize) -> Result<(), StoreError> {
    for id in overdue_rows(tx, &COMPOSE_DRAFT_BY_DUE, now, limit)? {
        tx.delete::<ComposeDraft>(id)?;
    }
    Ok(())
}
