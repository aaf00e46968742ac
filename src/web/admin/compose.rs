//! The page on which an administrator writes to a list: text or simple formatting, files, a preview for a member, a test
//! to oneself, and sending now or at a time.
//!
//! The form carries a key of its own, under which its result is kept: the same form sent twice sends once, and one that
//! was changed since it was sent is refused. Files are never kept: whoever looks at a preview chooses them again, unless
//! the preview opened beside the form.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

use super::held::body_of;
use crate::clock::Timestamp;
use crate::locale::{self, text};
use crate::mail::formatting::html_of_formatted;
use crate::mail::{self, Attachment};
use crate::model::{Contact, EmailAddress, Language, ListId, Permission};
use crate::ops::archive::messages::{self, NewMessage, Post};
use crate::ops::archive::scheduled::{self, SendAt};
use crate::ops::delivery::sample;
use crate::ops::lists::{self, ListDetail, ListFilter, Members};
use crate::ops::people::contacts::{self, ContactFilter};
use crate::ops::server::saved_answers::{self, Repeatable};
use crate::ops::{Caller, OpError, PageRequest, Problems};
use crate::params::Params;
use crate::params::messages::{compose, input};
use crate::secret::{sha256, sha256_text};
use crate::store::{ReadTx, StoreError};
use crate::web::context::{Context, blocking};
use crate::web::error::PageError;
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;
use crate::web::reading::Quotes;
use crate::web::table::PageResult;

/// The largest form, with its files, in bytes.
pub(in crate::web) const FORM_BYTES_MAX: usize = 32 << 20;
/// Files of one message.
const FILES_MAX: usize = 20;
/// Characters of the key of a form, and of the random part of a Message-ID.
const TOKEN_CHARS: usize = 24;
/// Fields of a member's copy that lead to what a test does not have: a membership, and a place in the archive.
const OF_MEMBERS: [&str; 5] =
    ["archived-at", "cfbl-address", "feedback-id", "list-unsubscribe", "list-unsubscribe-post"];
/// The fields of the form that are the message's own, by the names of the API.
const FIELDS: [&str; 7] =
    ["list", "subject", "from_phrase", "from_address", "content_plain", "content_html", "parent"];

#[derive(Template)]
#[template(path = "admin_compose.html", config = "src/web/askama.toml")]
struct ComposePage {
    frame: Frame,
    csrf: String,
    key: String,
    back: String,
    action: String,
    problems: FieldProblems,
    told: Option<String>,
    preview: Option<Preview>,
    /// The lists: the name, whether it is chosen, and its members in words.
    lists: Vec<(String, bool, String)>,
    values: Values,
    /// The name of the time zone in which a time is meant.
    zone: String,
    files_max: String,
    /// Whether files came with the form, which a browser does not send again by itself.
    had_files: bool,
}

/// The form as it was sent.
#[derive(Default)]
struct Values {
    subject: String,
    from_phrase: String,
    from_address: String,
    content_plain: String,
    content_html: String,
    parent: String,
    contact: String,
    send_at: String,
    is_formatted: bool,
}

/// A message as a member would get it.
struct Preview {
    to: String,
    subject: String,
    html: String,
    files: Vec<(String, String)>,
}

/// `GET /admin/messages/new/`
pub(in crate::web) fn page(context: &Context) -> PageResult {
    let values = Values { parent: context.query.get("parent").to_owned(), ..Values::default() };
    let key = context.core.secrets.token(TOKEN_CHARS);
    let list = context.query.get("list");
    show(context, StatusCode::OK, Shown { key, values, list: list.to_owned(), ..Shown::default() })
}

/// The parts of the page.
#[derive(Default)]
struct Shown {
    key: String,
    list: String,
    values: Values,
    problems: FieldProblems,
    told: Option<String>,
    preview: Option<Preview>,
}

fn show(context: &Context, status: StatusCode, shown: Shown) -> PageResult {
    let Shown { key, list, values, problems, told, preview } = shown;
    let tx = context.core.store.read()?;
    let found =
        lists::list(&tx, context.administrator()?, &ListFilter::default(), Members::Skip, PageRequest::All)?;
    let choice = |detail: &ListDetail| -> Result<_, StoreError> {
        let name = detail.list.name.to_string();
        let is_chosen = name.eq_ignore_ascii_case(&list);
        let members = lists::member_count(&tx, &detail.list)?;
        Ok((name, is_chosen, text!(context.language, "members-count", count = members)))
    };
    let lists = found.rows.iter().map(choice).collect::<Result<_, _>>()?;
    let page = ComposePage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        key,
        back: context.href("/admin/messages/"),
        action: context.href("/admin/messages/new/"),
        problems,
        told,
        preview,
        lists,
        values,
        zone: context.account.as_ref().map(|account| account.settings.timezone.clone()).unwrap_or_default(),
        files_max: locale::size(context.language, FORM_BYTES_MAX as u64),
        had_files: context.form.files("file").next().is_some(),
    };
    context.html(status, &page)
}

/// The form that came, as it comes back.
fn again(context: &Context) -> Shown {
    let form = &context.form;
    let text = |name: &str| form.get(name).to_owned();
    let values = Values {
        subject: text("subject"),
        from_phrase: text("from_phrase"),
        from_address: text("from_address"),
        content_plain: text("content_plain"),
        content_html: text("content_html"),
        parent: text("parent"),
        contact: text("contact"),
        send_at: text("send_at"),
        is_formatted: form.get("format") == "simple",
    };
    // A form without a key was not made by this page; it gets one of its own.
    let key = Some(text("key")).filter(|key| !key.is_empty());
    let key = key.unwrap_or_else(|| context.core.secrets.token(TOKEN_CHARS));
    Shown { key, list: text("list"), values, ..Shown::default() }
}

/// The actions of the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Preview,
    Test,
    Send,
}

/// `POST /admin/messages/new/`
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    let language = context.language;
    let action = match context.form.get("action") {
        "preview" => Action::Preview,
        "test" => Action::Test,
        "send" => Action::Send,
        _ => {
            return refuse(
                &context,
                FieldProblems::one("buttons", text!(language, "problem-no-button")),
                StatusCode::BAD_REQUEST,
            );
        }
    };
    // A form that was sent already does not have to be valid again: a time may be over by now.
    if action == Action::Send
        && let Some(done) = sent_before(&context)?
    {
        return done;
    }
    let mut problems = FieldProblems::default();
    let due = match scheduled::due_of(context.form.get("send_at"), &context.locale().zone, context.core.now())
    {
        Ok(due) => due,
        Err(SendAt::Malformed) => {
            problems.add("send_at", text!(language, "desk-compose-time-wrong"));
            None
        }
        Err(SendAt::Past) => {
            problems.add("send_at", text!(language, "desk-compose-time-past"));
            None
        }
        Err(SendAt::TooFar) => {
            problems.add("send_at", text!(language, "desk-compose-time-far"));
            None
        }
    };
    let composing = blocking(&context, move |context| composed(context, due)).await?;
    let (list, post) = match composing {
        Ok(composed) => composed,
        Err(more) => {
            for problem in more.all() {
                problems.add(problem.field.clone(), problem.text.clone());
            }
            return refuse(&context, problems, StatusCode::BAD_REQUEST);
        }
    };
    if !problems.all().is_empty() {
        return refuse(&context, problems, StatusCode::BAD_REQUEST);
    }
    match action {
        Action::Send => send(&context, list, post, due).await,
        Action::Preview => blocking(&context, move |context| preview(context, list, &post)).await,
        Action::Test => test(&context, list, post).await,
    }
}

fn refuse(context: &Context, problems: FieldProblems, status: StatusCode) -> PageResult {
    show(context, status, Shown { problems, ..again(context) })
}

/// The message of the form, or what is wrong with it.
fn composed(
    context: &Context,
    due: Option<Timestamp>,
) -> Result<Result<(ListId, Post), FieldProblems>, PageError> {
    let language = context.language;
    let pairs = FIELDS.iter().filter(|name| context.form.has(name)).map(|name| {
        let value = context.form.get(name).replace("\r\n", "\n");
        ((*name).to_owned(), value)
    });
    let mut params = Params::from_pairs(pairs.collect()).map_err(|_| PageError::BadRequest)?;
    let (mut new, problems) = input(&mut params);
    let mut own = FieldProblems::default();
    match new.content_html.take().map(|html| ammonia::clean(&html)) {
        Some(html) if !html.trim().is_empty() => new.content_html = Some(html),
        _ if context.form.get("format") == "simple" => {
            new.content_html = new.content_plain.as_deref().map(html_of_formatted);
        }
        _ => {}
    }
    match attachments(context) {
        Some(files) => new.attachments = files,
        None => own.add("file", text!(language, "desk-compose-files-many", count = FILES_MAX)),
    }
    let (tx, caller) = (context.core.store.read()?, context.administrator()?);
    let token = context.core.secrets.token(TOKEN_CHARS);
    let now = due.unwrap_or_else(|| context.core.now());
    let done = read(&tx, caller, new, problems, (&token, now), language, &mut own)?;
    Ok(match done {
        Some(done) if own.all().is_empty() => Ok(done),
        _ => Err(own),
    })
}

/// Composes the mail; what is wrong with it is added to `own`.
fn read(
    tx: &ReadTx,
    caller: &Caller,
    new: NewMessage,
    problems: Problems,
    (token, now): (&str, Timestamp),
    language: Language,
    own: &mut FieldProblems,
) -> Result<Option<(ListId, Post)>, PageError> {
    match compose(tx, caller, new, problems, token, now) {
        Ok(done) => return Ok(Some(done)),
        Err(OpError::Invalid { problems }) => {
            for problem in problems {
                let label = match problem.field.as_str() {
                    "list" => text!(language, "approval-list"),
                    "subject" => text!(language, "moderate-subject"),
                    "content_plain" | "content_html" => text!(language, "desk-compose-text"),
                    "from_phrase" => text!(language, "desk-compose-from-phrase"),
                    "from_address" => text!(language, "desk-compose-from-address"),
                    other => other.to_owned(),
                };
                own.add_named(language, problem.field, label, &problem.problem);
            }
        }
        Err(OpError::NotFound { .. }) => own.add("list", text!(language, "desk-compose-no-list")),
        Err(OpError::TooLarge { limit_bytes }) => {
            let limit = locale::size(language, limit_bytes);
            own.add("file", text!(language, "desk-compose-too-large", size = limit));
        }
        Err(error) => return Err(error.into()),
    }
    Ok(None)
}

/// The files of the form; `None` if there are too many.
fn attachments(context: &Context) -> Option<Vec<Attachment>> {
    let files: Vec<Attachment> = context
        .form
        .files("file")
        .map(|file| Attachment {
            name: crate::web::archive::file_name(&file.name),
            media_type: file.media_type.clone(),
            bytes: file.bytes.to_vec(),
        })
        .collect();
    (files.len() <= FILES_MAX).then_some(files)
}

/// The member for whom the message is shown; `None` if nobody was chosen.
fn chosen(context: &Context, tx: &ReadTx) -> Result<Result<Option<Contact>, FieldProblems>, PageError> {
    let who = context.form.get("contact").trim();
    if who.is_empty() {
        return Ok(Ok(None));
    }
    let mut filter = ContactFilter::default();
    if who.contains('@') {
        filter.email = Some(who.to_owned());
    } else {
        filter.search = Some(who.to_owned());
    }
    let window = PageRequest::Page { page: 1, limit: 1 };
    let found = contacts::list(tx, context.administrator()?, &filter, window)?.rows.pop();
    let problem = || FieldProblems::one("contact", text!(context.language, "desk-compose-no-contact"));
    Ok(found.map(|detail| Some(detail.contact)).ok_or_else(problem))
}

/// The address to which a copy for a contact would go, and the contact; the administrator's own without one.
fn reader(context: &Context, tx: &ReadTx, contact: Option<&Contact>) -> Result<EmailAddress, PageError> {
    let first = match contact {
        Some(contact) => contacts::emails_of(tx, contact)?.into_iter().next().map(|email| email.address),
        None => own_address(context),
    };
    let nobody =
        || EmailAddress::parse("reader@example.org").map_err(|error| PageError::Internal(error.to_string()));
    first.map_or_else(nobody, Ok)
}

/// The address of the administrator.
fn own_address(context: &Context) -> Option<EmailAddress> {
    context.administrator().ok().and_then(|caller| EmailAddress::parse(caller.name()).ok())
}

/// The message as the chosen member would get it, with that member's address.
fn copy_of(
    context: &Context,
    list: ListId,
    post: &Post,
) -> Result<Result<(EmailAddress, Vec<u8>), FieldProblems>, PageError> {
    let tx = context.core.store.read()?;
    let contact = match chosen(context, &tx)? {
        Ok(contact) => contact,
        Err(problems) => return Ok(Err(problems)),
    };
    let address = reader(context, &tx, contact.as_ref())?;
    let links = context.core.links.of(&tx, context.administrator()?.account)?;
    let copy = sample::copy_for(&tx, &links, list, post, (contact.as_ref(), &address), context.core.now())?;
    Ok(Ok((address, copy.ok_or(PageError::NotFound)?)))
}

/// Shows the message as the chosen member would get it, above the form.
fn preview(context: &Context, list: ListId, post: &Post) -> PageResult {
    let (address, copy) = match copy_of(context, list, post)? {
        Ok(copy) => copy,
        Err(problems) => return refuse(context, problems, StatusCode::BAD_REQUEST),
    };
    let mail = mail::parse_leniently(copy);
    let body = body_of(context, &mail, "", Quotes::Fitting);
    let preview = Preview {
        to: address.to_string(),
        subject: mail.subject.clone(),
        html: body.html,
        files: body.files.into_iter().map(|file| (file.name, file.facts)).collect(),
    };
    show(context, StatusCode::OK, Shown { preview: Some(preview), ..again(context) })
}

/// Sends the message to its author, as the chosen member would get it.
async fn test(context: &Arc<Context>, list: ListId, post: Post) -> PageResult {
    let Some(to) = own_address(context) else {
        let problems = FieldProblems::one("buttons", text!(context.language, "desk-compose-no-address"));
        return refuse(context, problems, StatusCode::BAD_REQUEST);
    };
    let subject = post.subject.clone();
    let copying = blocking(context, move |context| {
        Ok(copy_of(context, list, &post)?.map(|(_, mut copy)| {
            mail::drop_fields(&mut copy, &OF_MEMBERS);
            copy
        }))
    });
    let copy = match copying.await? {
        Ok(copy) => copy,
        Err(problems) => return refuse(context, problems, StatusCode::BAD_REQUEST),
    };
    let told = text!(context.language, "desk-compose-tested", address = to.to_string());
    context.core.send_test(context.administrator()?, (copy, subject), to).await?;
    show(context, StatusCode::OK, Shown { told: Some(told), ..again(context) })
}

/// The form as a call that may be repeated; `None` if it has no key, or nobody sends it.
fn repeatable(context: &Context) -> Result<Option<Repeatable>, PageError> {
    let caller = context.administrator()?;
    let key = context.form.get("key");
    let Some(admin) = caller.actor().kind.admin().filter(|_| !key.is_empty() && key.len() <= 100) else {
        return Ok(None);
    };
    let fields: Vec<(&str, &str)> =
        context.form.without("csrf").filter(|(name, _)| *name != "contact" && *name != "action").collect();
    let files: Vec<(&str, [u8; 32])> =
        context.form.files("file").map(|file| (&*file.name, sha256(&file.bytes))).collect();
    let request = sha256_text(format_args!("compose {fields:?} {files:?}"));
    Ok(Some(Repeatable { account: caller.account, admin, key: format!("page {key}"), request }))
}

/// The answer to a form that was sent before; `None` if it was not.
fn sent_before(context: &Context) -> Result<Option<PageResult>, PageError> {
    let Some(call) = repeatable(context)? else { return Ok(None) };
    context.administrator()?.require(Permission::SendMessages)?;
    match saved_answers::answer(&context.core.store.read()?, &call) {
        Ok(Some(done)) => Ok(Some(Ok(lead(context, &done)))),
        Ok(None) => Ok(None),
        Err(OpError::Conflict { .. }) => Ok(Some(sent_already(context))),
        Err(error) => Err(error.into()),
    }
}

/// The answer to a form that was changed after it was sent.
fn sent_already(context: &Context) -> PageResult {
    let problems = FieldProblems::one("buttons", text!(context.language, "desk-compose-sent-already"));
    refuse(context, problems, StatusCode::CONFLICT)
}

/// Leads to the page that says what was done.
fn lead(context: &Context, done: &[u8]) -> Response {
    let path = match std::str::from_utf8(done) {
        Ok("scheduled") | Err(_) => "/admin/messages/?done=scheduled".to_owned(),
        Ok(id) => format!("/admin/messages/{id}/?done=send"),
    };
    context.see_other(&path)
}

/// Sends the message, or keeps it until it is due, exactly once for a form.
async fn send(context: &Arc<Context>, list: ListId, post: Post, due: Option<Timestamp>) -> PageResult {
    let call = repeatable(context)?;
    let caller = context.administrator()?;
    let sending = context.core.perform(caller, move |tx, by| -> Result<Vec<u8>, OpError> {
        // Of two that came at the same moment, the second finds what the first did.
        if let Some(call) = &call
            && let Some(done) = saved_answers::answer(tx, call)?
        {
            return Ok(done);
        }
        let routing = by.mail_context.config.routing();
        let done = if let Some(due) = due {
            scheduled::schedule(tx, &by.caller, list, post, due, by.now)?;
            b"scheduled".to_vec()
        } else {
            let (message, _) = messages::send(tx, &by.caller, list, post, routing, by.now)?;
            message.id.to_string().into_bytes()
        };
        if let Some(call) = &call {
            saved_answers::keep(tx, call, &done, by.now)?;
        }
        Ok(done)
    });
    match sending.await {
        Ok(done) => Ok(lead(context, &done)),
        Err(OpError::Conflict { field: "send_at", .. }) => {
            let problems = FieldProblems::one("send_at", text!(context.language, "desk-compose-too-many"));
            refuse(context, problems, StatusCode::CONFLICT)
        }
        Err(OpError::Conflict { .. }) => sent_already(context),
        Err(error) => Err(error.into()),
    }
}
