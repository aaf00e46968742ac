//! The page on which a signed-in member writes to a list or replies to a message.
//!
//! What is written is decided as mail is ([`writing`]): the answer says whether the list has it, whether it waits, or
//! why it is refused, and then the form comes back filled in. A form that is sent after the session has ended is kept
//! ([`drafts`]) and comes back after signing in. Buttons quote the message that is answered, or the parts of it that
//! are chosen, and show what would be sent; they need no script.

use std::pin::Pin;
use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use crate::locale::text;
use crate::mail::reading::hide_addresses;
use crate::model::{Contact, ContactId, Draft, EmailAddress, List, Message, MessageId, Place};
use crate::ops::archive::access::{self, Reader};
use crate::ops::archive::browse;
use crate::ops::lists::directory;
use crate::ops::moderation::notices::display;
use crate::ops::people::drafts::{self, NewDraft};
use crate::ops::posting::inbound::Refusal;
use crate::ops::posting::writing::{self, NewWriting, SUBJECT_CHARS_MAX};
use crate::ops::sessions;
use crate::service::write::Written;
use crate::store::ReadTx;
use crate::web::context::{self, Context};
use crate::web::error::{PageError, PageResult};
use crate::web::form::{FieldProblems, Form};
use crate::web::frame::Frame;
use crate::web::heading::heading_and_text;

#[derive(Template)]
#[template(path = "archive_write.html", config = "src/web/askama.toml")]
struct WritePage {
    frame: Frame,
    csrf: String,
    key: String,
    action: String,
    /// The name of the list, and the path of its page.
    list: String,
    list_page: String,
    heading: String,
    problems: FieldProblems,
    /// Whether what is in the form was kept from a session that had ended.
    is_draft: bool,
    senders: Vec<Sender>,
    subject: String,
    content: String,
    /// The message that is answered.
    reply: Option<Replied>,
    /// The text as it would be sent.
    preview: Option<String>,
}

/// An address under which the member may write.
struct Sender {
    address: String,
    /// The name of the member with the address, as mail has it.
    words: String,
    is_chosen: bool,
}

/// The message that is answered.
struct Replied {
    id: MessageId,
    author: String,
    subject: String,
    time: String,
    /// The path of its page, if there is one.
    page: Option<String>,
    /// The paragraphs of it that can be quoted.
    paragraphs: Vec<String>,
}

#[derive(Template)]
#[template(path = "archive_written.html", config = "src/web/askama.toml")]
struct WrittenPage {
    frame: Frame,
    title: String,
    lede: String,
    /// Why it waits.
    reason: Option<String>,
    /// The path of the message, if the member may read the archive.
    message: Option<String>,
    list: String,
    list_page: String,
}

/// The values that the form is filled in with.
#[derive(Default)]
struct Filled {
    from: String,
    subject: String,
    content: String,
}

impl Filled {
    fn of(form: &Form) -> Filled {
        let of = |name: &str| form.get(name).replace("\r\n", "\n");
        Filled { from: of("from_address"), subject: of("subject"), content: of("content_plain") }
    }
}

/// The member who writes, and the list.
struct Writer {
    list: List,
    contact: Contact,
    reader: Reader,
    senders: Vec<EmailAddress>,
    /// Whether the member sees addresses in the archive.
    shows_addresses: bool,
}

impl Writer {
    /// A text of a message, with the addresses in it hidden from members who may not see them.
    fn words(&self, text: &str) -> String {
        if self.shows_addresses { text.to_owned() } else { hide_addresses(text) }
    }
}

/// `GET /lists/{name}/write/`: `reply` is the message that is answered, and `quote` has its text in the form.
pub(in crate::web) async fn page(context: Arc<Context>) -> PageResult {
    let answered = {
        let tx = context.read()?;
        let writer = writer(&context, &tx)?;
        opening(&context, &tx, &writer)?.1
    };
    with_memory(&context, answered.as_ref(), show_page).await
}

/// Answers on a thread where it blocks no other request, with the memory to read the message that is answered.
async fn with_memory(
    context: &Arc<Context>,
    answered: Option<&Message>,
    answer: impl FnOnce(&Context) -> PageResult + Send + 'static,
) -> PageResult {
    let memory = context.reading(answered.map_or(0, |message| message.size_bytes)).await?;
    context::blocking(context, move |context| {
        let _memory = memory;
        answer(context)
    })
    .await
}

/// The first content of the form: a draft that was kept, and the message that is answered.
fn opening(
    context: &Context,
    tx: &ReadTx,
    writer: &Writer,
) -> Result<(Option<Draft>, Option<Message>), PageError> {
    let draft = drafts::find(tx, writer.list.account, writer.contact.id, writer.list.id)?;
    let asked = reply_of(&context.query)?;
    // A draft is of one message; the form of another message begins anew.
    let draft = draft.filter(|draft| asked.is_none() || draft.reply == asked);
    let reply = match asked.or(draft.as_ref().and_then(|draft| draft.reply)) {
        Some(id) if asked.is_some() => Some(writing::replied(tx, &writer.list, &writer.reader, id)?),
        // The message of a draft may have been taken out meanwhile.
        Some(id) => writing::replied(tx, &writer.list, &writer.reader, id).ok(),
        None => None,
    };
    Ok((draft, reply))
}

fn show_page(context: &Context) -> PageResult {
    let tx = context.read()?;
    let writer = writer(context, &tx)?;
    let (draft, reply) = opening(context, &tx, &writer)?;
    let is_draft = draft.is_some();
    let filled = draft.map(|draft| Filled { from: draft.from, subject: draft.subject, content: draft.text });
    let shown = form(context, &tx, &writer, reply.as_ref(), filled.unwrap_or_default())?;
    let mut shown = WritePage { is_draft, ..shown };
    if let (false, Some(message), Some(reply)) = (is_draft, &reply, &shown.reply) {
        shown.subject = writing::reply_subject(&writer.words(&message.subject));
        if context.query.has("quote") {
            shown.content = quote(context, &tx, message, reply)?;
        }
    }
    context.show(&shown)
}

/// `POST /lists/{name}/write/`: sends it; `action` may be `preview`, or `quote`, which quotes the paragraphs that `part`
/// names by their numbers, else all of them.
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    let filled = Filled::of(&context.form);
    let (writer, reply) = writer_and_reply(&context)?;
    match (context.form.get("action"), &reply) {
        ("quote", Some(message)) => return with_memory(&context, Some(message), show_quoted).await,
        ("" | "send" | "preview", _) => {}
        _ => return Err(PageError::BadRequest),
    }
    let problems = problems(&context, &writer, &filled);
    if !problems.all().is_empty() {
        return show_again(&context, reply, StatusCode::BAD_REQUEST, problems).await;
    }
    if context.form.get("action") == "preview" {
        return show_again(&context, reply, StatusCode::OK, problems).await;
    }
    send(&context, writer, reply, filled).await
}

/// Who writes to the list that the form names, and the message that is answered.
fn writer_and_reply(context: &Context) -> Result<(Writer, Option<Message>), PageError> {
    let tx = context.read()?;
    let writer = writer(context, &tx)?;
    let named = context.form.get("list");
    if !named.is_empty() && !named.eq_ignore_ascii_case(writer.list.name.as_str()) {
        return Err(PageError::BadRequest);
    }
    let reply = match reply_of(&context.form)? {
        Some(id) => Some(writing::replied(&tx, &writer.list, &writer.reader, id)?),
        None => None,
    };
    Ok((writer, reply))
}

/// The form once more, with its problems, or else with the text as it would be sent.
async fn show_again(
    context: &Arc<Context>,
    reply: Option<Message>,
    status: StatusCode,
    problems: FieldProblems,
) -> PageResult {
    let answered = reply.clone();
    with_memory(context, answered.as_ref(), move |context| {
        let tx = context.read()?;
        let filled = Filled::of(&context.form);
        let preview = problems.all().is_empty().then(|| filled.content.clone());
        let shown = form(context, &tx, &writer(context, &tx)?, reply.as_ref(), filled)?;
        context.html(status, &WritePage { problems, preview, ..shown })
    })
    .await
}

/// The form once more, with what is quoted of the message that is answered below what was written.
fn show_quoted(context: &Context) -> PageResult {
    let filled = Filled::of(&context.form);
    let tx = context.read()?;
    let writer = writer(context, &tx)?;
    let id = reply_of(&context.form)?.ok_or(PageError::BadRequest)?;
    let message = writing::replied(&tx, &writer.list, &writer.reader, id)?;
    let mut shown = form(context, &tx, &writer, Some(&message), filled)?;
    let quoted = shown.reply.as_ref().map(|reply| quote(context, &tx, &message, reply)).transpose()?;
    let gap = if shown.content.trim().is_empty() { "" } else { "\n\n" };
    shown.content = format!("{}{gap}{}", shown.content.trim_end(), quoted.unwrap_or_default());
    context.show(&shown)
}

/// Keeps the form of a member whose session has ended, and whose form says who that was.
pub(in crate::web) fn keep(context: &Context) -> Pin<Box<dyn Future<Output = ()> + Send + '_>> {
    Box::pin(async move {
        let signer = &context.core.signer;
        let Some(contact) = drafts::contact_of(signer, context.form.get("key")) else { return };
        if let Err(error) = keep_for(context, contact).await {
            tracing::warn!(
                error = ?error,
                "What was written when a session had ended is not kept"
            );
        }
    })
}

async fn keep_for(context: &Context, contact: ContactId) -> Result<(), PageError> {
    let account = context.site_account()?.id;
    let list = context.param("name").to_owned();
    let Filled { from, subject, content } = Filled::of(&context.form);
    let draft = NewDraft { list, reply: reply_of(&context.form)?, from, subject, text: content };
    let caller = context.caller();
    let keeping = context.core.perform(&caller, move |tx, by| {
        drafts::keep(tx, account, contact, draft, by.now) //
    });
    Ok(keeping.await?)
}

/// The list of the path, for the member who is signed in. A list that the member may not know of is not found.
fn writer(context: &Context, tx: &ReadTx) -> Result<Writer, PageError> {
    let reader = context.reader(tx)?;
    let found = directory::find(tx, context.site_account()?, context.param("name"), &reader)?;
    let list = found.ok_or(PageError::NotFound)?.list;
    let contact = sessions::member_of(tx, context.session()?)?.ok_or(PageError::SignInNeeded)?;
    let senders = writing::senders(tx, &contact)?;
    let shows_addresses = access::shows_addresses(tx, &list, &reader)?;
    Ok(Writer { list, contact, reader, senders, shows_addresses })
}

/// The title of the list.
fn title_of(list: &List) -> String {
    heading_and_text(&list.description).0.unwrap_or_else(|| list.name.to_string())
}

/// The message that a form or a query names as answered.
fn reply_of(form: &Form) -> Result<Option<MessageId>, PageError> {
    match form.get("reply") {
        "" => Ok(None),
        id => id.parse().map(|id| Some(MessageId(id))).map_err(|_| PageError::NotFound),
    }
}

/// The chosen paragraphs of a message, else all of them, below a line that says whose they are.
fn quote(context: &Context, tx: &ReadTx, message: &Message, reply: &Replied) -> Result<String, PageError> {
    let language = context.account.as_ref().map_or(context.language, |account| account.settings.language);
    let time = writing::quoted_time(tx, message)?;
    let head = text!(language, "writing-quote-head", author = reply.author.as_str(), time = time);
    let is_chosen = |number: usize| context.form.all("part").any(|part| part.parse() == Ok(number));
    let all = || reply.paragraphs.iter().map(String::as_str);
    let mut chosen: Vec<&str> =
        all().enumerate().filter(|(number, _)| is_chosen(*number)).map(|(_, paragraph)| paragraph).collect();
    if chosen.is_empty() {
        chosen = all().collect();
    }
    Ok(format!("{head}\n{}\n", writing::quoted(&chosen)))
}

fn author_of(context: &Context, writer: &Writer, message: &Message) -> String {
    if browse::hides_author(&writer.list, message) {
        return writer.list.title().to_owned();
    }
    match (message.from_phrase.trim(), message.from_address.as_str()) {
        ("", "") => text!(context.language, "writing-nobody"),
        ("", address) => writer.words(address),
        (phrase, _) => writer.words(phrase),
    }
}

/// The problems of the form.
fn problems(context: &Context, writer: &Writer, filled: &Filled) -> FieldProblems {
    let language = context.language;
    let mut problems = FieldProblems::default();
    if !filled.from.is_empty() && sender_of(writer, filled).is_none() {
        problems.add("from_address", text!(language, "writing-from-wrong"));
    }
    let subject = filled.subject.trim();
    if subject.is_empty() {
        problems.add("subject", text!(language, "writing-subject-missing"));
    } else if SUBJECT_CHARS_MAX < subject.chars().count() {
        problems.add("subject", text!(language, "writing-subject-long", count = SUBJECT_CHARS_MAX));
    }
    if filled.content.trim().is_empty() {
        problems.add("content_plain", text!(language, "writing-content-missing"));
    }
    problems
}

/// The chosen address; the member's first one if none was chosen.
fn sender_of<'p>(writer: &'p Writer, filled: &Filled) -> Option<&'p EmailAddress> {
    let is_chosen = |address: &&EmailAddress| {
        filled.from.is_empty() || address.as_str().eq_ignore_ascii_case(filled.from.trim())
    };
    writer.senders.iter().find(is_chosen)
}

async fn send(context: &Arc<Context>, writer: Writer, reply: Option<Message>, filled: Filled) -> PageResult {
    let core = &context.core;
    let from = sender_of(&writer, &filled).cloned().ok_or(PageError::NotFound)?;
    let key = context.form.get("key");
    let is_own = drafts::contact_of(&core.signer, key) == Some(writer.contact.id);
    // A form without its key cannot be recognised when it is sent twice.
    let key =
        if is_own { key.to_owned() } else { drafts::key(&core.signer, &core.secrets, writer.contact.id) };
    let writing = NewWriting {
        list: writer.list.id,
        from,
        subject: filled.subject.clone(),
        text: filled.content.clone(),
        reply: reply.as_ref().map(|reply| (reply.id, writer.reader.clone())),
        key,
    };
    let written = core.write_to_list(&context.person()?, writing).await?;
    let language = context.language;
    let (title, lede, reason, message) = match written {
        Written::Published(id) => {
            (text!(language, "writing-sent"), text!(language, "writing-sent-next"), None, Some(id))
        }
        Written::Held(reason) => {
            let reason = reason.map(|reason| reason.told(language));
            (text!(language, "writing-held"), text!(language, "writing-held-next"), reason, None)
        }
        Written::Refused(refusal) => {
            let (status, problem) = told(context, refusal)?;
            let problems = FieldProblems::one("content_plain", problem);
            return show_again(context, reply, status, problems).await;
        }
    };
    let (account, contact, list) = (writer.list.account, writer.contact.id, writer.list.id);
    core.perform(&context.caller(), move |tx, _| drafts::drop(tx, account, contact, list)).await?;
    let is_readable = access::may_read(&context.read()?, &writer.list, &writer.reader)?;
    let message = message.filter(|_| is_readable && Place::Message.answers());
    context.show(&WrittenPage {
        frame: Frame::of(context),
        title,
        lede,
        reason,
        message: message.map(|id| format!("{}messages/{id}/", context.list_path(&writer.list))),
        list: title_of(&writer.list),
        list_page: context.list_path(&writer.list),
    })
}

/// Why a message is refused, with the status of the page.
fn told(context: &Context, refusal: Refusal) -> Result<(StatusCode, String), PageError> {
    let language = context.language;
    Ok(match refusal {
        Refusal::Rejected(reason) => {
            let reason = reason.told(language);
            (StatusCode::FORBIDDEN, text!(language, "writing-refused", reason = reason))
        }
        Refusal::TooLarge { limit_bytes } => {
            let size = crate::locale::size(language, limit_bytes);
            (StatusCode::PAYLOAD_TOO_LARGE, text!(language, "writing-too-large", size = size))
        }
        Refusal::TooManyHeld(_) => (StatusCode::TOO_MANY_REQUESTS, text!(language, "writing-too-many-held")),
        Refusal::Malformed(_) => (StatusCode::BAD_REQUEST, text!(language, "writing-malformed")),
        Refusal::DiskFull | Refusal::DiskFails => return Err(PageError::Outage),
        Refusal::NoSuchRecipient => return Err(PageError::NotFound),
        other => return Err(PageError::Internal(other.reason())),
    })
}

fn form(
    context: &Context,
    tx: &ReadTx,
    writer: &Writer,
    answered: Option<&Message>,
    filled: Filled,
) -> Result<WritePage, PageError> {
    let Writer { list, contact, reader, senders, shows_addresses: _ } = writer;
    let chosen = sender_of(writer, &filled).or(senders.first()).cloned();
    let name = contact.name();
    let sender = |address: &EmailAddress| Sender {
        address: address.to_string(),
        words: display(&name, address.as_str()),
        is_chosen: Some(address) == chosen.as_ref(),
    };
    let list_page = context.list_path(list);
    let links = context.core.links.of(tx, list.account)?;
    let replied = |message: &Message| -> Result<Replied, PageError> {
        Ok(Replied {
            id: message.id,
            author: author_of(context, writer, message),
            subject: writer.words(&message.subject),
            time: context.locale().moment(message.time),
            page: Place::Message.answers().then(|| format!("{list_page}messages/{}/", message.id)),
            paragraphs: writing::paragraphs(tx, &links, list, reader, message)?,
        })
    };
    let reply = answered.map(replied).transpose()?;
    let language = context.language;
    let core = &context.core;
    Ok(WritePage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        key: drafts::key(&core.signer, &core.secrets, contact.id),
        action: context.href(&context.path),
        heading: match &reply {
            Some(_) => text!(language, "writing-reply-title", list = title_of(list)),
            None => text!(language, "writing-title", list = title_of(list)),
        },
        list: list.name.to_string(),
        list_page,
        problems: FieldProblems::default(),
        is_draft: false,
        senders: senders.iter().map(sender).collect(),
        subject: filled.subject,
        content: filled.content,
        reply,
        preview: None,
    })
}
