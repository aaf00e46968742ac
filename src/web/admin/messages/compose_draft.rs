//! The draft of the page on which an administrator writes: its files and fields stay through a preview, problems, the end
//! of the session and a restart.

use std::pin::Pin;

use crate::locale::{self, text};
use crate::mail::Attachment;
use crate::model::{AccountId, AdminId, ComposeDraft, DraftFile, ScheduledMessage, ScheduledMessageId};
use crate::ops::archive::compose_drafts::{self as drafts, NewComposeDraft};
use crate::ops::archive::scheduled::{self, Seen};
use crate::store::{ReadTx, StoreError};
use crate::web::context::Context;
use crate::web::error::PageError;
use crate::web::form::FieldProblems;

/// The largest form, with its files, in bytes.
pub(in crate::web) const FORM_BYTES_MAX: usize = 32 << 20;
/// Files of one message.
pub(super) const FILES_MAX: usize = 20;
/// The fields of the form that are the message's own, by the names of the API.
pub(super) const FIELDS: [&str; 7] =
    ["list", "subject", "from_phrase", "from_address", "content_plain", "content_html", "parent"];
/// The fields of the form that say how it is sent, and what it changes.
const OTHERS: [&str; 5] = ["format", "contact", "send_at", "scheduled", "changes"];

/// A file that goes with the message.
pub(super) struct KeptFile {
    pub(super) hash: String,
    pub(super) name: String,
    pub(super) size: String,
}

/// Another draft.
pub(super) struct OtherDraft {
    pub(super) key: String,
    pub(super) href: String,
    pub(super) subject: String,
    pub(super) list: String,
    /// The number of its files.
    pub(super) files: usize,
    pub(super) kept: String,
}

/// The administrator who is signed in, with the account of the page.
fn own(context: &Context) -> Result<Option<(AccountId, AdminId)>, PageError> {
    let caller = context.administrator()?;
    Ok(caller.actor().kind.admin().map(|admin| (caller.account, admin)))
}

/// The key of a new form.
pub(super) fn new_key(context: &Context) -> Result<String, PageError> {
    let core = &context.core;
    Ok(match own(context)? {
        Some((_, admin)) => {
            drafts::key(&core.signer, admin, drafts::new_form(&core.secrets, core.now())) //
        }
        None => String::new(),
    })
}

/// The number of the form with this key, if it is the administrator's own.
pub(super) fn form_of(context: &Context, key: &str) -> Result<Option<(AccountId, AdminId, u64)>, PageError> {
    let Some((account, admin)) = own(context)? else { return Ok(None) };
    let found = drafts::form_of(&context.core.signer, key);
    Ok(found.filter(|(known, _)| *known == admin).map(|(_, form)| (account, admin, form)))
}

/// The draft with this key.
pub(super) fn of_key(context: &Context, tx: &ReadTx, key: &str) -> Result<Option<ComposeDraft>, PageError> {
    let Some((account, admin, form)) = form_of(context, key)? else { return Ok(None) };
    Ok(drafts::find(tx, account, admin, form)?)
}

/// The draft or the message from which a page gets its form.
pub(super) enum Opened {
    /// A draft, by its key.
    Draft(String, ComposeDraft),
    /// A message that waits to be sent.
    Scheduled(Box<ScheduledMessage>),
}

/// What the page begins with: the message or the draft that the query names, else a draft whose sender had to sign in
/// again.
pub(super) fn opening(context: &Context, tx: &ReadTx) -> Result<Option<Opened>, PageError> {
    if context.query.has("scheduled") {
        let message = scheduled_of(context, tx, context.query.get("scheduled"))?;
        let message = message.filter(|message| !message.fields.is_empty()).ok_or(PageError::NotFound)?;
        return Ok(Some(Opened::Scheduled(Box::new(message))));
    }
    let named = context.query.get("key");
    if let Some(draft) = of_key(context, tx, named)? {
        return Ok(Some(Opened::Draft(named.to_owned(), draft)));
    }
    let (Some((account, admin)), false) = (own(context)?, context.query.has("parent")) else {
        return Ok(None);
    };
    let lost = drafts::list(tx, account, admin)?.into_iter().find(|draft| draft.is_lost);
    let opened =
        |draft: ComposeDraft| Opened::Draft(drafts::key(&context.core.signer, admin, draft.form), draft);
    Ok(lost.map(opened))
}

/// The message that waits to be sent and has this number.
pub(super) fn scheduled_of(
    context: &Context,
    tx: &ReadTx,
    number: &str,
) -> Result<Option<ScheduledMessage>, PageError> {
    let Ok(id) = number.parse().map(ScheduledMessageId) else { return Ok(None) };
    Ok(scheduled::find(tx, context.administrator()?, id)?)
}

/// The message that the form changes, as its writer saw it.
pub(super) fn seen(context: &Context) -> Option<Seen> {
    let id = context.form.get("scheduled").parse().ok()?;
    // A form that does not say which version it changes changes none.
    let changes = context.form.get("changes").parse().unwrap_or(u64::MAX);
    Some(Seen { id: ScheduledMessageId(id), changes })
}

/// The value of a field of a draft.
pub(super) fn value<'d>(fields: &'d [(String, String)], field: &str) -> &'d str {
    fields.iter().find(|(name, _)| name == field).map_or("", |(_, value)| value)
}

/// Files as the page lists them.
pub(super) fn files(context: &Context, files: &[DraftFile]) -> Vec<KeptFile> {
    let file = |file: &DraftFile| KeptFile {
        hash: file.hash.clone(),
        name: file.name.clone(),
        size: locale::size(context.language, file.size_bytes),
    };
    files.iter().map(file).collect()
}

/// The drafts of the administrator, but for the one with this key.
pub(super) fn others(context: &Context, tx: &ReadTx, key: &str) -> Result<Vec<OtherDraft>, PageError> {
    let Some((account, admin)) = own(context)? else { return Ok(Vec::new()) };
    let shown = form_of(context, key)?.map(|(_, _, form)| form);
    let others = drafts::list(tx, account, admin)?.into_iter().filter(|draft| Some(draft.form) != shown);
    let other = |draft: ComposeDraft| {
        let subject = value(&draft.fields, "subject").trim();
        let key = drafts::key(&context.core.signer, admin, draft.form);
        OtherDraft {
            list: value(&draft.fields, "list").to_owned(),
            files: draft.files.len(),
            href: context.href(&format!("/admin/messages/new/?key={key}")),
            subject: match subject {
                "" => text!(context.language, "desk-compose-draft-untitled"),
                subject => subject.to_owned(),
            },
            kept: context.locale().moment(draft.kept),
            key,
        }
    };
    Ok(others.map(other).collect())
}

/// The hashes of the files that the form keeps.
fn staying(context: &Context) -> Vec<String> {
    let removed = context.form.get("remove");
    let kept = context.form.all("kept").filter(|hash| *hash != removed);
    kept.take(FILES_MAX).map(str::to_owned).collect()
}

/// The files that were chosen in the form.
fn chosen(context: &Context) -> Vec<Attachment> {
    let attachment = |file: &crate::web::form::FormFile| Attachment {
        name: crate::web::archive::file_name(&file.name),
        media_type: file.media_type.clone(),
        bytes: file.bytes.to_vec(),
    };
    context.form.files("file").map(attachment).collect()
}

/// The files that go with the message: those of the draft, and those that were chosen now.
pub(super) fn attachments(
    context: &Context,
    tx: &ReadTx,
    problems: &mut FieldProblems,
) -> Result<Vec<Attachment>, PageError> {
    let language = context.language;
    let known = known_files(context, tx)?;
    let (mut files, mut hashes, mut bytes) = (Vec::new(), Vec::new(), 0);
    for hash in staying(context) {
        let Some(file) = known.iter().find(|file| file.hash == hash) else {
            problems.add("file", text!(language, "desk-compose-files-gone"));
            return Ok(files);
        };
        bytes += file.size_bytes;
        files.push(drafts::attachment(tx, file)?);
        hashes.push(hash);
    }
    for file in chosen(context) {
        // The same file, chosen once more, goes once.
        if !hashes.contains(&drafts::hash_of(&file)) {
            bytes += file.bytes.len() as u64;
            files.push(file);
        }
    }
    if FILES_MAX < files.len() {
        problems.add("file", text!(language, "desk-compose-files-many", count = FILES_MAX));
    } else if FORM_BYTES_MAX as u64 <= bytes {
        let size = locale::size(language, FORM_BYTES_MAX as u64);
        problems.add("file", text!(language, "desk-compose-files-large", size = size));
    }
    Ok(files)
}

/// The files that the form may keep.
fn known_files(context: &Context, tx: &ReadTx) -> Result<Vec<DraftFile>, PageError> {
    let Some((account, _)) = own(context)? else { return Ok(Vec::new()) };
    let draft = of_key(context, tx, context.form.get("key"))?;
    Ok(drafts::known_files(tx, account, draft.as_ref(), seen(context).map(|seen| seen.id))?)
}

/// The fields of the form that are kept.
fn fields(context: &Context) -> Vec<(String, String)> {
    let field = |name: &&str| {
        let value = context.form.get(name).replace("\r\n", "\n");
        ((*name).to_owned(), value)
    };
    FIELDS.iter().chain(&OTHERS).map(field).collect()
}

/// A form as it is kept with a message that is sent later.
pub(super) struct Written {
    pub(super) fields: Vec<(String, String)>,
    /// The files that it may keep, and the names of those that it keeps.
    pub(super) known: Vec<DraftFile>,
    pub(super) staying: Vec<String>,
    pub(super) files: Vec<Attachment>,
}

/// The form, with what is to be kept of it.
pub(super) fn written(context: &Context) -> Result<Written, PageError> {
    let known = known_files(context, &context.read()?)?;
    let mut fields = fields(context);
    // The message has these itself.
    fields.retain(|(name, _)| !["send_at", "scheduled", "changes"].contains(&name.as_str()));
    Ok(Written { fields, known, staying: staying(context), files: chosen(context) })
}

/// Keeps the form with its files. Returns whether every file that was chosen in it is kept; what is larger than a message
/// to the list may be is not.
pub(super) async fn remember(context: &Context, bytes_max: u64) -> bool {
    let has_files = context.form.files("file").next().is_some();
    let Ok(Some(form)) = form_of(context, context.form.get("key")) else { return !has_files };
    match keep_form(context, form, false, bytes_max).await {
        Ok(are_kept) => are_kept,
        Err(error) => {
            tracing::warn!(error = ?error, "The draft of a message is not kept");
            !has_files
        }
    }
}

/// Keeps the form of an administrator whose session has ended, and whose form says who that was.
pub(in crate::web) fn keep_lost(context: &Context) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
    Box::pin(async move {
        let Some((account, admin, form)) = writer(context) else { return };
        if let Err(error) = keep_form(context, (account, admin, form), true, FORM_BYTES_MAX as u64).await {
            tracing::warn!(error = ?error, "What was written when a session had ended is not kept");
        }
    })
}

/// Whether the address of the form says who it was shown to, so that it is read although nobody is signed in.
pub(in crate::web) fn knows_writer(context: &Context) -> bool {
    let key = context.query.get("key");
    drafts::form_of(&context.core.signer, key).is_some_and(|form| may_keep(context, form).is_some())
}

/// The administrator of a form that was sent without a session, if its message may be kept.
fn writer(context: &Context) -> Option<(AccountId, AdminId, u64)> {
    let form = drafts::form_of(&context.core.signer, context.form.get("key"))?;
    may_keep(context, form)
}

fn may_keep(context: &Context, form: (AdminId, u64)) -> Option<(AccountId, AdminId, u64)> {
    let account = context.site.account?;
    let core = &context.core;
    let may = context.read().and_then(|tx| drafts::may_keep(&tx, account, form, core.now()));
    may.is_ok_and(|may| may).then_some((account, form.0, form.1))
}

async fn keep_form(
    context: &Context,
    (account, admin, form): (AccountId, AdminId, u64),
    is_lost: bool,
    bytes_max: u64,
) -> Result<bool, StoreError> {
    let (fields, staying, mut files) = (fields(context), staying(context), chosen(context));
    let scheduled = seen(context).map(|seen| seen.id);
    let known = {
        let tx = context.read()?;
        let draft = drafts::find(&tx, account, admin, form)?;
        drafts::known_files(&tx, account, draft.as_ref(), scheduled)?
    };
    let stay = known.iter().filter(|file| staying.contains(&file.hash));
    let mut bytes: u64 = stay.map(|file| file.size_bytes).sum();
    bytes += files.iter().map(|file| file.bytes.len() as u64).sum::<u64>();
    // In a mail, three bytes are four characters.
    let are_kept = staying.len() + files.len() <= FILES_MAX && bytes / 3 * 4 <= bytes_max;
    if !are_kept {
        files.clear();
    }
    let draft = NewComposeDraft { account, admin, form, fields, staying, files, scheduled, is_lost };
    let caller = context.caller();
    context.core.perform(&caller, move |tx, by| drafts::keep(tx, draft, by.now)).await?;
    Ok(are_kept)
}

/// Deletes the draft of the form.
pub(super) async fn discard(context: &Context) -> Result<(), PageError> {
    if let Some((account, admin, form)) = form_of(context, context.form.get("key"))? {
        let caller = context.caller();
        context.core.perform(&caller, move |tx, _| drafts::drop(tx, account, admin, form)).await?;
    }
    Ok(())
}
