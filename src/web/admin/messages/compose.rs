//! The page on which an administrator writes to a list: text or simple formatting, files, a preview for a member, a test
//! to oneself, and sending now or at a time.
//!
//! The form carries a key of its own, under which its result is kept: the same form sent twice sends once, and one that
//! was changed since it was sent is refused. Until then the form with its files is kept as a draft
//! ([`super::compose_draft`]).

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;
use axum::response::Response;

use super::compose_draft::{self, FIELDS, FORM_BYTES_MAX, KeptFile, Opened, OtherDraft};
use super::sending::{Sending, Sent, repeatable};
use crate::clock::Timestamp;
use crate::locale::{self, text};
use crate::mail;
use crate::mail::formatting::html_of_formatted;
use crate::model::{Contact, EmailAddress, Language, ListId, Permission, ScheduledMessage};
use crate::ops::archive::messages::{self, NewMessage, Post};
use crate::ops::archive::scheduled::{self, SendAt, Stale};
use crate::ops::delivery::sample;
use crate::ops::lists::{self, ListDetail, ListFilter, Members};
use crate::ops::people::contacts::{self, ContactFilter};
use crate::ops::server::saved_answers;
use crate::ops::{Caller, OpError, PageRequest, Problems, Wrong};
use crate::params::Params;
use crate::params::messages::{compose, input};
use crate::store::{ReadTx, StoreError};
use crate::web::admin::approvals::held::body_of;
use crate::web::context::{Context, blocking};
use crate::web::error::{PageError, PageResult};
use crate::web::form::{FieldProblems, Form};
use crate::web::frame::Frame;
use crate::web::reading::{Quotes, clean_own};

/// The longest text, plain or as HTML, in bytes.
const TEXT_BYTES_MAX: usize = 1 << 20;
/// The longest text with simple formatting, in bytes: reading it takes fifty times as much memory.
const FORMATTED_BYTES_MAX: usize = 512 << 10;
/// Characters of the random part of a Message-ID.
const TOKEN_CHARS: usize = 24;
/// Characters of the key of a form.
const KEY_CHARS_MAX: usize = 100;
/// Fields of a member's copy that lead to what a test does not have: a membership, and a place in the archive.
const OF_MEMBERS: [&str; 5] =
    ["archived-at", "cfbl-address", "feedback-id", "list-unsubscribe", "list-unsubscribe-post"];
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
    /// The page of a new list, for whoever makes lists.
    new_list: Option<String>,
    /// Whether a draft is kept, which can be thrown away.
    is_kept: bool,
    values: Values,
    /// The name of the time zone in which a time is meant.
    zone: String,
    files_max: String,
    /// The files that go with it.
    files: Vec<KeptFile>,
    /// Whether files came with the form and are not kept, so that they must be chosen again.
    lost_files: bool,
    /// Whether the form was kept when a session had ended.
    is_lost: bool,
    /// The other drafts of the administrator.
    drafts: Vec<OtherDraft>,
    /// When the message is sent that is changed, as a sentence; `None` for a new one, and one that no longer waits.
    waits: Option<String>,
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
    /// The message that waits and is changed, and how often it had been changed; blank for a new one.
    scheduled: String,
    changes: String,
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
    let opening = match compose_draft::opening(context, &context.read()?) {
        // The message was sent or taken back meanwhile.
        Err(PageError::NotFound) => return Ok(context.see_other("/admin/messages/?done=gone")),
        opening => opening?,
    };
    let of = |fields: &[(String, String)]| {
        let value = |name: &str| compose_draft::value(fields, name).to_owned();
        (value("list"), Values::of(&value))
    };
    match opening {
        Some(Opened::Draft(key, draft)) => {
            let ((list, values), is_lost) = (of(&draft.fields), draft.is_lost);
            return show(context, StatusCode::OK, Shown { key, list, values, is_lost, ..Shown::default() });
        }
        Some(Opened::Scheduled(message)) => {
            let (list, mut values) = of(&message.fields);
            values.send_at = scheduled::local_due(message.due, &context.locale().zone);
            (values.scheduled, values.changes) = (message.id.to_string(), message.changes.to_string());
            let key = compose_draft::new_key(context)?;
            return show(context, StatusCode::OK, Shown { key, list, values, ..Shown::default() });
        }
        None => {}
    }
    let values = Values { parent: context.query.get("parent").to_owned(), ..Values::default() };
    let (key, list) = (compose_draft::new_key(context)?, context.query.get("list").to_owned());
    show(context, StatusCode::OK, Shown { key, list, values, ..Shown::default() })
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
    lost_files: bool,
    is_lost: bool,
}

fn show(context: &Context, status: StatusCode, shown: Shown) -> PageResult {
    let Shown { key, list, values, problems, told, preview, lost_files, is_lost } = shown;
    let tx = context.read()?;
    let found =
        lists::list(&tx, context.administrator()?, &ListFilter::default(), Members::Skip, PageRequest::All)?;
    let choice = |detail: &ListDetail| -> Result<_, StoreError> {
        let name = detail.list.name.to_string();
        let is_chosen = name.eq_ignore_ascii_case(&list);
        let members = lists::member_count(&tx, &detail.list)?;
        Ok((name, is_chosen, text!(context.language, "members-count", count = members)))
    };
    let lists = found.rows.iter().map(choice).collect::<Result<_, _>>()?;
    let draft = compose_draft::of_key(context, &tx, &key)?;
    let scheduled = compose_draft::scheduled_of(context, &tx, &values.scheduled)?;
    let files = match (&draft, &scheduled) {
        (Some(draft), _) => &draft.files[..],
        (None, Some(message)) => &message.files[..],
        (None, None) => &[],
    };
    let waits = |message: &ScheduledMessage| {
        text!(context.language, "desk-compose-waits", time = context.locale().moment(message.due))
    };
    let page = ComposePage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        files: compose_draft::files(context, files),
        waits: scheduled.as_ref().map(waits),
        lost_files,
        is_lost,
        new_list: context.offered("/admin/lists/new/"),
        is_kept: draft.is_some(),
        drafts: compose_draft::others(context, &tx, &key)?,
        action: context.href(&format!("/admin/messages/new/?key={key}")),
        key,
        back: context.href("/admin/messages/"),
        problems,
        told,
        preview,
        lists,
        values,
        zone: context.account.as_ref().map(|account| account.settings.timezone.clone()).unwrap_or_default(),
        files_max: locale::size(context.language, FORM_BYTES_MAX as u64),
    };
    context.html(status, &page)
}

impl Values {
    /// The values of a form or a draft, by the names of its fields.
    fn of(text: &dyn Fn(&str) -> String) -> Values {
        Values {
            subject: text("subject"),
            from_phrase: text("from_phrase"),
            from_address: text("from_address"),
            content_plain: text("content_plain"),
            content_html: text("content_html"),
            parent: text("parent"),
            contact: text("contact"),
            send_at: text("send_at"),
            is_formatted: text("format") == "simple",
            scheduled: text("scheduled"),
            changes: text("changes"),
        }
    }
}

/// The form that came, as it comes back.
fn again(context: &Context) -> Result<Shown, PageError> {
    let form = &context.form;
    // A text that is too long is not sent back whole.
    let text = |name: &str| {
        let text = form.get(name);
        text[..text.floor_char_boundary(TEXT_BYTES_MAX)].to_owned()
    };
    // A form without a key was not made by this page; it gets one of its own.
    let key = match text("key") {
        key if key.is_empty() => compose_draft::new_key(context)?,
        key => key.chars().take(KEY_CHARS_MAX).filter(char::is_ascii_alphanumeric).collect(),
    };
    Ok(Shown { key, list: text("list"), values: Values::of(&text), ..Shown::default() })
}

/// The actions of the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Preview,
    Test,
    Send,
    Keep,
    Remove,
    Discard,
}

impl Action {
    fn of(form: &Form) -> Option<Action> {
        match form.get("action") {
            "preview" => Some(Action::Preview),
            "test" => Some(Action::Test),
            "send" => Some(Action::Send),
            "keep" => Some(Action::Keep),
            "discard" => Some(Action::Discard),
            "" if form.has("remove") => Some(Action::Remove),
            _ => None,
        }
    }
}

/// `POST /admin/messages/new/`
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    let language = context.language;
    let Some(action) = Action::of(&context.form) else {
        let problems = FieldProblems::one("buttons", text!(language, "problem-no-button"));
        return refuse(&context, problems, StatusCode::BAD_REQUEST).await;
    };
    match action {
        Action::Remove => return show_kept(&context, StatusCode::OK, again(&context)?).await,
        Action::Keep => return keep(&context).await,
        Action::Discard => {
            compose_draft::discard(&context).await?;
            return Ok(context.see_other("/admin/messages/"));
        }
        // A form that was sent already does not have to be valid again: a time may be over by now.
        Action::Send => {
            if let Some(done) = sent_before(&context)? {
                return match done {
                    SentBefore::Same(done) => Ok(lead(&context, &done)),
                    SentBefore::Changed => sent_already(&context),
                };
            }
            // What a message that was sent meanwhile had, such as its files, cannot be sent again.
            if let Some(stale) = stale(&context)? {
                return refuse_stale(&context, stale).await;
            }
        }
        Action::Preview | Action::Test => {}
    }
    let mut problems = FieldProblems::default();
    let due = due(&context, &mut problems);
    let composing = blocking(&context, move |context| composed(context, due)).await?;
    let (list, post) = match composing {
        Ok(composed) => composed,
        Err(more) => {
            for problem in more.all() {
                problems.add(problem.field.clone(), problem.text.clone());
            }
            return refuse(&context, problems, StatusCode::BAD_REQUEST).await;
        }
    };
    if !problems.all().is_empty() {
        return refuse(&context, problems, StatusCode::BAD_REQUEST).await;
    }
    match action {
        Action::Send => send(&context, list, post, due).await,
        Action::Test => test(&context, list, post).await,
        Action::Preview | Action::Keep | Action::Remove | Action::Discard => {
            preview(&context, list, post).await
        }
    }
}

/// Why the message that the form changes cannot be changed; `None` if it can, and for a new one.
fn stale(context: &Context) -> Result<Option<Stale>, PageError> {
    let Some(seen) = compose_draft::seen(context) else { return Ok(None) };
    Ok(scheduled::check(&context.read()?, context.administrator()?, seen)?.err())
}

/// When the message is to be sent; `None` for now, and if that is wrong.
fn due(context: &Context, problems: &mut FieldProblems) -> Option<Timestamp> {
    let language = context.language;
    let due = scheduled::due_of(context.form.get("send_at"), &context.locale().zone, context.core.now());
    let problem = match due {
        Ok(due) => return due,
        Err(SendAt::Malformed) => text!(language, "desk-compose-time-wrong"),
        Err(SendAt::Past) => text!(language, "desk-compose-time-past"),
        Err(SendAt::TooFar) => text!(language, "desk-compose-time-far"),
    };
    problems.add("send_at", problem);
    None
}

/// Says why a message that waits is not changed.
async fn refuse_stale(context: &Context, stale: Stale) -> PageResult {
    let problem = match stale {
        Stale::Gone => text!(context.language, "desk-compose-gone"),
        Stale::Changed => text!(context.language, "desk-compose-changed"),
    };
    refuse(context, FieldProblems::one("buttons", problem), StatusCode::CONFLICT).await
}

async fn refuse(context: &Context, problems: FieldProblems, status: StatusCode) -> PageResult {
    show_kept(context, status, Shown { problems, ..again(context)? }).await
}

/// Keeps the form with its files, and leads to the drafts.
async fn keep(context: &Context) -> PageResult {
    let bytes_max = bytes_max(context)?;
    if compose_draft::remember(context, bytes_max).await {
        return Ok(context.see_other("/admin/messages/?done=draft"));
    }
    show(context, StatusCode::BAD_REQUEST, Shown { lost_files: true, ..again(context)? })
}

/// The most bytes that a message to the list of the form may have.
fn bytes_max(context: &Context) -> Result<u64, PageError> {
    let tx = context.read()?;
    let of_list = messages::maxlength_bytes(&tx, context.administrator()?, context.form.get("list"))?;
    Ok(of_list.unwrap_or(u64::MAX).min(FORM_BYTES_MAX as u64))
}

/// Keeps the form with its files, and shows it.
async fn show_kept(context: &Context, status: StatusCode, shown: Shown) -> PageResult {
    let bytes_max = bytes_max(context)?;
    let lost_files = !compose_draft::remember(context, bytes_max).await;
    show(context, status, Shown { lost_files, ..shown })
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
    let is_formatted = context.form.get("format") == "simple";
    let limit = limit_bytes(context, &new.list, is_formatted)?;
    for (field, text) in [("content_plain", &new.content_plain), ("content_html", &new.content_html)] {
        if text.as_ref().is_some_and(|text| limit < text.len()) {
            let size = locale::size(language, limit as u64);
            own.add(field, text!(language, "desk-compose-text-long", size = size));
        }
    }
    if !own.all().is_empty() {
        return Ok(Err(own));
    }
    match new.content_html.take().map(|html| clean_own(&html)) {
        Some(None) => own.add("content_html", text!(language, "desk-compose-html-deep")),
        Some(Some(html)) if !html.trim().is_empty() => new.content_html = Some(html),
        _ if is_formatted => new.content_html = new.content_plain.as_deref().map(html_of_formatted),
        _ => {}
    }
    let (tx, caller) = (context.read()?, context.administrator()?);
    new.attachments = compose_draft::attachments(context, &tx, &mut own)?;
    let token = context.core.secrets.token(TOKEN_CHARS);
    let now = due.unwrap_or_else(|| context.core.now());
    let done = read(&tx, caller, new, problems, (&token, now), language, &mut own)?;
    Ok(match done {
        Some(done) if own.all().is_empty() => Ok(done),
        _ => Err(own),
    })
}

/// The most bytes of each text: what the list takes, and no more than is calculated in a moment.
fn limit_bytes(context: &Context, list: &str, is_formatted: bool) -> Result<usize, PageError> {
    let tx = context.read()?;
    let of_list = messages::maxlength_bytes(&tx, context.administrator()?, list)?;
    let of_list = of_list.and_then(|bytes| usize::try_from(bytes).ok()).unwrap_or(usize::MAX);
    Ok(of_list.min(if is_formatted { FORMATTED_BYTES_MAX } else { TEXT_BYTES_MAX }))
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
    let tx = context.read()?;
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
async fn preview(context: &Arc<Context>, list: ListId, post: Post) -> PageResult {
    let previewing = blocking(context, move |context| {
        let copy = copy_of(context, list, &post)?;
        Ok(copy.map(|(address, copy)| {
            let mail = mail::parse_leniently(copy);
            let body = body_of(context, &mail, "", Quotes::Fitting);
            let files = body.files.into_iter().map(|file| (file.name, file.facts)).collect();
            Preview { to: address.to_string(), subject: mail.subject.clone(), html: body.html, files }
        }))
    });
    match previewing.await? {
        Ok(preview) => {
            let shown = Shown { preview: Some(preview), ..again(context)? };
            show_kept(context, StatusCode::OK, shown).await
        }
        Err(problems) => refuse(context, problems, StatusCode::BAD_REQUEST).await,
    }
}

/// Sends the message to its author, as the chosen member would get it.
async fn test(context: &Arc<Context>, list: ListId, post: Post) -> PageResult {
    let Some(to) = own_address(context) else {
        let problems = FieldProblems::one("buttons", text!(context.language, "desk-compose-no-address"));
        return refuse(context, problems, StatusCode::BAD_REQUEST).await;
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
        Err(problems) => return refuse(context, problems, StatusCode::BAD_REQUEST).await,
    };
    let told = text!(context.language, "desk-compose-tested", address = to.to_string());
    context.core.send_test(context.administrator()?, (copy, subject), to).await?;
    show_kept(context, StatusCode::OK, Shown { told: Some(told), ..again(context)? }).await
}

/// A form that was sent before.
enum SentBefore {
    /// It is the same, and did this.
    Same(Vec<u8>),
    /// It was changed since.
    Changed,
}

/// The result of a form that was sent before; `None` if it was not.
fn sent_before(context: &Context) -> Result<Option<SentBefore>, PageError> {
    let Some(call) = repeatable(context)? else { return Ok(None) };
    context.administrator()?.require(Permission::SendMessages)?;
    match saved_answers::answer(&context.read()?, &call) {
        Ok(done) => Ok(done.map(SentBefore::Same)),
        Err(OpError::Conflict { .. }) => Ok(Some(SentBefore::Changed)),
        Err(error) => Err(error.into()),
    }
}

/// The answer to a form that was changed after it was sent.
fn sent_already(context: &Context) -> PageResult {
    let problems = FieldProblems::one("buttons", text!(context.language, "desk-compose-sent-already"));
    show(context, StatusCode::CONFLICT, Shown { problems, ..again(context)? })
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
    let sending = Sending::of(context, list, post, due)?;
    let caller = context.administrator()?;
    let sent = context.core.perform(caller, move |tx, by| sending.carry_out(tx, by)).await;
    match sent {
        Ok(Sent::Done(done)) => Ok(lead(context, &done)),
        Ok(Sent::Stale(stale)) => refuse_stale(context, stale).await,
        Err(OpError::Conflict { problem: Wrong::TooManyScheduled { .. }, .. }) => {
            let problems = FieldProblems::one("send_at", text!(context.language, "desk-compose-too-many"));
            refuse(context, problems, StatusCode::CONFLICT).await
        }
        Err(OpError::Conflict { .. }) => sent_already(context),
        Err(error) => Err(error.into()),
    }
}
