//! The page of one person: the record, the addresses with what became of them, the lists, what the person got and did
//! not get, the evidence; export and erasure. And the page on which somebody is added.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;
use axum::response::IntoResponse as _;

use super::index::{PATH, call_name, list_names, path_of, title_of};
use super::person_mail::MailAnswer;
use crate::http::chunks;
use crate::locale::text;
use crate::model::erasure::OwnPosts;
use crate::model::{
    Account, AccountId, Contact, ContactId, CustomField, EmailAddress, EmailId, Language, MembershipId,
    MessageId, Permission, UndoId,
};
use crate::ops::delivery::{lately, why_not};
use crate::ops::people::contacts::{self, ContactInput};
use crate::ops::people::memberships::{self, MembershipInput};
use crate::ops::people::{emails, erasure, person};
use crate::ops::undo::actions;
use crate::ops::{OpContext, OpError, Problems, how_opted_out};
use crate::params::{
    Params, contacts as contact_params, emails as email_params, membership as member_params,
};
use crate::store::{ReadTx, WriteTx};
use crate::web::admin::parts::csv;
use crate::web::admin::parts::undo::{self, UndoView};
use crate::web::admin::parts::words;
use crate::web::context::{Context, blocking};
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;
use crate::web::me::download;

/// Messages of which the page says what became of them.
const LATE_MESSAGES: usize = 10;
/// Members of a list up to which that is said at once: it takes a look at the copies of all of them.
const EXPLAINED_MEMBERS_MAX: u64 = 2000;

#[derive(Template)]
#[template(path = "admin_person.html", config = "src/web/askama.toml")]
struct PersonPage {
    frame: Frame,
    csrf: String,
    action: String,
    problems: FieldProblems,
    told: String,
    undo: Option<UndoView>,
    people: String,
    title: String,
    /// Whether the administrator manages members.
    manages: bool,
    /// Whether the administrator may change the record and the addresses.
    may_change: bool,
    /// Whether the administrator may take away everything that is kept.
    may_export: bool,
    since: String,
    fields: Vec<Field>,
    /// Whether mail reaches the person, and why not.
    mail: MailAnswer,
    addresses: Vec<AddressRow>,
    memberships: Vec<MembershipRow>,
    /// Lists of which the person opted out: when, and how.
    opted_out: Vec<String>,
    /// Lists that the person is not on.
    others: Vec<String>,
    messages: Vec<MessageRow>,
    explained: Option<Explained>,
    evidence: Vec<EvidenceRow>,
}

#[derive(Template)]
#[template(path = "admin_person_new.html", config = "src/web/askama.toml")]
struct NewPage {
    frame: Frame,
    csrf: String,
    action: String,
    problems: FieldProblems,
    people: String,
    fields: Vec<Field>,
    lists: Vec<ListChoice>,
}

/// A list that a new person may join.
struct ListChoice {
    name: String,
    is_chosen: bool,
}

/// A field of the record.
struct Field {
    name: String,
    label: String,
    hint: String,
    value: String,
    /// Rows of a field for several lines; 0 for a line.
    rows: usize,
}

struct AddressRow {
    id: u64,
    address: String,
    is_first: bool,
    is_paused: bool,
    digest: bool,
}

impl AddressRow {
    fn parts(&self) -> impl Iterator<Item = &str> {
        self.address.split_inclusive(['@', '.'])
    }
}

struct MembershipRow {
    id: u64,
    list: String,
    href: String,
    evidence: String,
    digest: Option<bool>,
    is_paused: bool,
}

struct MessageRow {
    subject: String,
    href: String,
    list: String,
    /// When it came, beside now, and exactly.
    time: String,
    exact: String,
    /// The class and the words of the badge; none where it is said only when asked.
    outcome: Option<(&'static str, String)>,
    explain: String,
}

/// The state of one message.
struct Explained {
    subject: String,
    sentences: Vec<String>,
}

struct EvidenceRow {
    list: String,
    address: String,
    requested: String,
    confirmed: String,
    agreed: String,
}

/// The contact in the path.
fn id_of(context: &Context) -> Result<ContactId, PageError> {
    contacts::parse_id(context.param("id")).map(ContactId).ok_or(PageError::NotFound)
}

/// `GET /admin/people/{id}/`
pub(in crate::web) async fn page(context: Arc<Context>) -> PageResult {
    blocking(&context, |context| context.show(&shown(context, FieldProblems::default())?)).await
}

fn shown(context: &Context, problems: FieldProblems) -> Result<PersonPage, PageError> {
    let (id, caller, language) = (id_of(context)?, context.administrator()?, context.language);
    let tx = context.read()?;
    let account = contacts::account_of(&tx, caller)?;
    let found = person::get(&tx, caller, &call_name(&account, id))?;
    let detail = &found.detail;
    let locale = context.locale();
    let manages = caller.holds(Permission::ManageMembers);
    let is_on = |name: &String| detail.members.iter().any(|member| member.list.as_str() == name);
    let addresses = detail.emails.iter().enumerate();
    let memberships = detail.members.iter().map(|member| MembershipRow {
        id: member.membership.id.0,
        list: member.list.to_string(),
        href: context.href(&format!("/admin/lists/{}/", member.list)),
        evidence: words::joined(&locale, &member.membership.joined),
        digest: member.membership.digest,
        is_paused: member.membership.paused,
    });
    let values = Values::of(&account, &detail.contact, &detail.emails);
    let undo = UndoView::read(context, &tx)?;
    Ok(PersonPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(&path_of(id)),
        told: if undo.is_some() { String::new() } else { told(context) },
        undo,
        people: context.href(PATH),
        title: title_of(detail),
        manages,
        may_change: manages && found.is_whole,
        may_export: manages && caller.limits.lists().is_none() && !caller.limits.hide_fields(),
        since: text!(language, "admin-person-since", day = locale.day(detail.contact.created)),
        fields: fields(context, &account, &values, !problems.all().is_empty() && is_record(context)),
        mail: MailAnswer::of(&locale, &found),
        addresses: addresses
            .map(|(place, email)| AddressRow {
                id: email.id.0,
                address: email.address.to_string(),
                is_first: place == 0 && 1 < detail.emails.len(),
                is_paused: email.paused,
                digest: email.digest,
            })
            .collect(),
        memberships: memberships.collect(),
        opted_out: found
            .opt_outs
            .iter()
            .map(|(list, opt_out)| {
                let list = list.as_ref().map(crate::model::ListName::as_str);
                how_opted_out(&locale, list, opt_out.way, opt_out.time)
            })
            .collect(),
        others: list_names(context, &tx)?.into_iter().filter(|name| !is_on(name)).collect(),
        messages: messages(context, &tx, id)?,
        explained: explained(context, &tx, id)?,
        evidence: found
            .consents
            .iter()
            .map(|(list, consent)| EvidenceRow {
                list: list.to_string(),
                address: consent.address.to_string(),
                requested: words::joined(&locale, &consent.requested),
                confirmed: words::joined(&locale, &consent.confirmed),
                agreed: consent.agreed.clone(),
            })
            .collect(),
        problems,
    })
}

/// The last action, which the query of the address names, in words.
fn told(context: &Context) -> String {
    let language = context.language;
    match context.query.get("done") {
        "new" => text!(language, "admin-person-done-new"),
        "save" => text!(language, "admin-person-done-save"),
        "email" => text!(language, "admin-person-done-email"),
        "resume" => text!(language, "admin-person-done-resume"),
        "membership" => text!(language, "admin-person-done-membership"),
        "join" => text!(language, "admin-person-done-join"),
        "leave" => text!(language, "admin-person-done-leave"),
        _ => String::new(),
    }
}

/// The newest messages of the person's lists, with what became of them.
fn messages(context: &Context, tx: &ReadTx, id: ContactId) -> Result<Vec<MessageRow>, PageError> {
    let (caller, locale) = (context.administrator()?, context.locale());
    let mut rows = Vec::new();
    for late in lately::messages(tx, caller, id, LATE_MESSAGES)? {
        let message = late.message.id;
        let outcome = if late.members <= EXPLAINED_MEMBERS_MAX {
            let now = (context.core.pauses.as_ref(), context.core.now());
            Some(words::outcome(locale.language, &why_not::why_not(tx, caller, message, id, now)?))
        } else {
            None
        };
        rows.push(MessageRow {
            subject: late.message.subject.clone(),
            href: context.href(&format!("/lists/{}/messages/{message}/", late.list)),
            list: late.list.to_string(),
            time: locale.near(late.message.time, context.core.now()),
            exact: locale.moment(late.message.time),
            outcome,
            explain: format!("?message={message}#why"),
        });
    }
    Ok(rows)
}

/// Why the person got the message that the address names, or did not.
fn explained(context: &Context, tx: &ReadTx, id: ContactId) -> Result<Option<Explained>, PageError> {
    let asked = context.query.get("message");
    if asked.is_empty() {
        return Ok(None);
    }
    let message = contacts::parse_id(asked).map(MessageId).ok_or(PageError::NotFound)?;
    let caller = context.administrator()?;
    let subject = crate::ops::archive::messages::get(tx, caller, message)?.subject;
    let now = (context.core.pauses.as_ref(), context.core.now());
    let reasons = why_not::why_not(tx, caller, message, id, now)?;
    let locale = context.locale();
    let sentences = reasons.iter().map(|reason| words::sentence(&locale, reason)).collect();
    Ok(Some(Explained { subject, sentences }))
}

/// The values of a record's fields.
#[derive(Default)]
struct Values(Vec<(String, String)>);

impl Values {
    fn of(account: &Account, contact: &Contact, emails: &[crate::model::Email]) -> Values {
        let addresses: Vec<&str> = emails.iter().map(|email| email.address.as_str()).collect();
        let mut values = vec![
            ("firstname".to_owned(), contact.firstname.clone()),
            ("surname".to_owned(), contact.surname.clone()),
            ("emails".to_owned(), addresses.join("\n")),
            ("ccid".to_owned(), contact.ccid.clone().unwrap_or_default()),
            ("notes".to_owned(), contact.notes.clone()),
        ];
        let custom = account.custom_fields.iter().map(|field| {
            (field.key().to_owned(), contact.custom.get(&field.id).cloned().unwrap_or_default())
        });
        values.extend(custom);
        Values(values)
    }

    fn get(&self, name: &str) -> String {
        let found = self.0.iter().find(|(field, _)| field == name);
        found.map(|(_, value)| value.clone()).unwrap_or_default()
    }
}

/// The fields of a record; `comes_back` if they are shown as they were sent.
fn fields(context: &Context, account: &Account, values: &Values, comes_back: bool) -> Vec<Field> {
    let language = context.language;
    let field = |name: &str, label: String, hint: String, rows: usize| Field {
        value: if comes_back && context.form.has(name) {
            context.form.get(name).to_owned()
        } else {
            values.get(name)
        },
        name: name.to_owned(),
        label,
        hint,
        rows,
    };
    let mut fields = vec![
        field("firstname", text!(language, "me-firstname"), String::new(), 0),
        field("surname", text!(language, "me-surname"), String::new(), 0),
        field(
            "emails",
            text!(language, "admin-person-emails"),
            text!(language, "admin-person-emails-hint"),
            2,
        ),
    ];
    for CustomField { id: _, name, identifier } in &account.custom_fields {
        let key = identifier.as_ref().unwrap_or(name);
        fields.push(field(key, name.clone(), String::new(), 0));
    }
    let hint = text!(language, "admin-person-ccid-hint");
    fields.push(field("ccid", text!(language, "admin-person-ccid"), hint, 0));
    let hint = text!(language, "admin-person-notes-hint");
    fields.push(field("notes", text!(language, "admin-person-notes"), hint, 3));
    fields
}

/// Whether a form is that of the record.
fn is_record(context: &Context) -> bool {
    ["firstname", "surname", "emails"].iter().any(|name| context.form.has(name))
}

/// The contact that a form describes, read as the API reads it: an array is a value a line.
fn input_of(context: &Context, account: &Account) -> Result<ContactInput, PageError> {
    let mut pairs = Vec::new();
    for (name, value) in context.form.without("csrf") {
        match name {
            "action" => {}
            "emails" | "lists" if context.form.all(name).count() == 1 => {
                let lines = value.lines().map(str::trim).filter(|line| !line.is_empty());
                let lines: Vec<&str> = lines.collect();
                // No line at all is an empty array.
                let lines = if lines.is_empty() { vec![""] } else { lines };
                pairs.extend(lines.into_iter().map(|line| (name.to_owned(), line.to_owned())));
            }
            _ => pairs.push((name.to_owned(), value.replace("\r\n", "\n"))),
        }
    }
    let mut params = Params::from_pairs(pairs).map_err(|_| PageError::BadRequest)?;
    Ok(contact_params::input(&mut params, account))
}

/// The label of a field that the form of the record does not have.
fn other_label(language: Language, name: &str) -> String {
    match name {
        "email" => text!(language, "admin-person-emails"),
        "list" | "lists" => text!(language, "import-lists"),
        other => other.to_owned(),
    }
}

/// The answer to a form that an operation refused: the page with the problems at their fields, or the error's page.
fn problems_of(
    context: &Context,
    account: &Account,
    error: OpError,
) -> Result<(StatusCode, FieldProblems), PageError> {
    let shown = fields(context, account, &Values::default(), false);
    let label = |name: &str| {
        let found = shown.iter().find(|field| field.name == name);
        found.map_or_else(|| other_label(context.language, name), |field| field.label.clone())
    };
    let language = context.language;
    match error {
        OpError::Invalid { problems } => {
            let mut found = FieldProblems::default();
            for problem in problems {
                let label = label(&problem.field);
                found.add_named(language, problem.field, label, &problem.problem);
            }
            Ok((StatusCode::BAD_REQUEST, found))
        }
        OpError::Conflict { field, problem } => {
            let mut found = FieldProblems::default();
            found.add_named(language, field, label(field), &problem);
            Ok((StatusCode::CONFLICT, found))
        }
        OpError::OptedOut { .. } | OpError::AddressBookFull { .. } => {
            let field = if matches!(error, OpError::OptedOut { .. }) { "list" } else { "emails" };
            let words = error.say(&context.locale(), |_| None);
            Ok((StatusCode::CONFLICT, FieldProblems::one(field, words)))
        }
        other => Err(other.into()),
    }
}

/// `POST /admin/people/{id}/`
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    let id = id_of(&context)?;
    let caller = Arc::clone(context.administrator()?);
    let account = contacts::account_of(&context.read()?, &caller)?;
    let name = call_name(&account, id);
    contacts::get(&context.read()?, &caller, &name)?;
    let form = &context.form;
    let done = match form.get("action") {
        "save" => save(&context, &account, name).await,
        "" if is_record(&context) => save(&context, &account, name).await,
        "email" => change_address(&context, id, None).await,
        "resume" => change_address(&context, id, Some(false)).await,
        "membership" => change_membership(&context, id).await,
        "join" => join(&context, name).await,
        "leave" => leave(&context, id).await,
        "delete" => {
            let job = move |tx: &mut WriteTx<'_>, by: &OpContext| {
                actions::delete_people(tx, &by.caller, &[id], by.now)
            };
            let undo = undo::field(context.core.perform_reserved(&caller, job).await?.action);
            return Ok(context.see_other(&format!("{PATH}?done=delete&count=1{undo}")));
        }
        "erase" => return erase(&context, id).await,
        _ => {
            let problems = FieldProblems::one("record", text!(context.language, "problem-no-button"));
            let page =
                move |context: &Context| context.html(StatusCode::BAD_REQUEST, &shown(context, problems)?);
            return blocking(&context, page).await;
        }
    };
    match done? {
        Ok((what, action)) => {
            let undo = undo::field(action);
            Ok(context.see_other(&format!("{}?done={what}{undo}", path_of(id))))
        }
        Err(error) => {
            let (status, problems) = problems_of(&context, &account, error)?;
            blocking(&context, move |context| context.html(status, &shown(context, problems)?)).await
        }
    }
}

/// The result of a form as a word of the address, with the number by which it is undone, or why it was refused.
type Done = Result<Result<(&'static str, Option<UndoId>), OpError>, PageError>;

async fn save(context: &Context, account: &Account, name: String) -> Done {
    let caller = context.administrator()?;
    let mut input = input_of(context, account)?;
    let addresses = input.emails.iter_mut().flatten();
    email_params::judge(&context.core, caller, account, addresses).await;
    let job = move |tx: &mut WriteTx<'_>, by: &OpContext| {
        contacts::update(tx, &by.caller, &name, input, by.now).map(|_| ())
    };
    Ok(context.core.perform(caller, job).await.map(|()| ("save", None)))
}

/// Changes the settings of an address, or lets it take mail again.
async fn change_address(context: &Context, id: ContactId, paused: Option<bool>) -> Done {
    let email = contacts::parse_id(context.form.get("email")).map(EmailId).ok_or(PageError::NotFound)?;
    let input = emails::EmailInput {
        digest: paused.is_none().then(|| context.form.has("digest")),
        paused: Some(paused.unwrap_or_else(|| context.form.has("paused"))),
        ..emails::EmailInput::default()
    };
    let job = move |tx: &mut WriteTx<'_>, by: &OpContext| -> Result<(), OpError> {
        let name = email.to_string();
        let account = contacts::account_of(tx, &by.caller)?;
        let of = call_name(&account, id);
        emails::update(tx, &by.caller, &name, Some(&of), input, Problems::default(), by.now).map(|_| ())
    };
    let what = if paused.is_some() { "resume" } else { "email" };
    Ok(context.core.perform(context.administrator()?, job).await.map(|()| (what, None)))
}

/// The membership that a form is about, if it is one of the person.
fn membership_of(context: &Context, id: ContactId) -> Result<MembershipId, PageError> {
    let id_sent = contacts::parse_id(context.form.get("membership")).ok_or(PageError::NotFound)?;
    let membership = MembershipId(id_sent);
    let is_its = memberships::is_of(&context.read()?, membership, id)?;
    if is_its { Ok(membership) } else { Err(PageError::NotFound) }
}

async fn change_membership(context: &Context, id: ContactId) -> Done {
    let membership = membership_of(context, id)?.to_string();
    let paused = if context.form.has("paused") { "1" } else { "0" };
    let pairs = [("digest", context.form.get("digest")), ("paused", paused)];
    let pairs = pairs.map(|(name, value)| (name.to_owned(), value.to_owned())).to_vec();
    let mut params = Params::from_pairs(pairs).map_err(|_| PageError::BadRequest)?;
    let input = member_params::input(&mut params);
    let job = move |tx: &mut WriteTx<'_>, by: &OpContext| {
        memberships::update(tx, &by.caller, &membership, input, by.now).map(|_| ())
    };
    Ok(context.core.perform(context.administrator()?, job).await.map(|()| ("membership", None)))
}

async fn join(context: &Context, name: String) -> Done {
    let list = context.form.get("list").to_owned();
    let input = MembershipInput {
        contact: Some(name),
        list: Some(list),
        overrides_opt_out: context.form.has("override_opt_out"),
        ..MembershipInput::default()
    };
    let job = move |tx: &mut WriteTx<'_>, by: &OpContext| {
        memberships::create(tx, &by.caller, input, by.now).map(|_| ())
    };
    Ok(context.core.perform(context.administrator()?, job).await.map(|()| ("join", None)))
}

async fn leave(context: &Context, id: ContactId) -> Done {
    let membership = membership_of(context, id)?;
    let job = move |tx: &mut WriteTx<'_>, by: &OpContext| {
        actions::remove_members(tx, &by.caller, &[membership], by.now)
    };
    let left = context.core.perform_reserved(context.administrator()?, job).await;
    Ok(left.map(|acted| ("leave", acted.action)))
}

/// `erase`: the person is forgotten; `posts` says whether what it wrote stays.
async fn erase(context: &Arc<Context>, id: ContactId) -> PageResult {
    let Some(posts) = OwnPosts::from_word(context.form.get("posts")) else {
        let problems = FieldProblems::one("posts", text!(context.language, "admin-person-erase-not-chosen"));
        return blocking(context, move |context| {
            context.html(StatusCode::BAD_REQUEST, &shown(context, problems)?)
        })
        .await;
    };
    let job = move |tx: &mut WriteTx<'_>, by: &OpContext| -> Result<(), OpError> {
        let account = contacts::account_of(tx, &by.caller)?;
        let found = person::get(tx, &by.caller, &call_name(&account, id))?;
        if !found.is_whole {
            return Err(OpError::Limited { what: "erasing somebody who is in other lists too" });
        }
        erasure::begin(tx, &by.caller, id, posts, by.now)
    };
    context.core.perform_reserved(context.administrator()?, job).await?;
    Ok(context.see_other(&format!("{PATH}?done=erase")))
}

/// `GET /admin/people/{id}/export/`: everything that is kept about the person; with `?format=mbox`, the posts.
pub(in crate::web) async fn export(context: Arc<Context>) -> PageResult {
    let id = id_of(&context)?;
    let format = context.query.get("format");
    if !["", "json", "mbox"].contains(&format) {
        return Err(PageError::BadRequest);
    }
    let (account, addresses) = account_and_addresses(&context, id)?;
    // What may not be read is refused before it is noted.
    let kept = blocking(&context, move |context| {
        let kept = person::everything(&context.read()?, context.administrator()?, id)?;
        let json = chunks::json_file(&kept).map_err(PageError::Internal)?;
        Ok(download::attached(json.into_response(), "application/json", "person.json"))
    })
    .await?;
    csv::note_export_of(&context, id, if format == "mbox" { "posts" } else { "record" }).await?;
    if format != "mbox" {
        return Ok(kept);
    }
    let posts = download::posts_of(&context, account, addresses).await?;
    Ok(download::attached(posts, "application/mbox", "posts.mbox"))
}

/// The account of a person, and the person's addresses.
fn account_and_addresses(
    context: &Context,
    id: ContactId,
) -> Result<(AccountId, Vec<EmailAddress>), PageError> {
    let caller = context.administrator()?;
    let tx = context.read()?;
    let account = contacts::account_of(&tx, caller)?;
    let detail = contacts::get(&tx, caller, &call_name(&account, id))?;
    Ok((account.id, detail.emails.iter().rev().map(|email| email.address.clone()).collect()))
}

/// `GET /admin/people/new/`
pub(in crate::web) async fn new_page(context: Arc<Context>) -> PageResult {
    blocking(&context, |context| context.show(&new_form(context, FieldProblems::default())?)).await
}

fn new_form(context: &Context, problems: FieldProblems) -> Result<NewPage, PageError> {
    let caller = context.administrator()?;
    let tx = context.read()?;
    let account = contacts::account_of(&tx, caller)?;
    let asked = context.query.get("list");
    let chosen = |name: &str| name == asked || context.form.all("lists").any(|list| list == name);
    Ok(NewPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(&context.path),
        people: context.href(PATH),
        fields: fields(context, &account, &Values::default(), true),
        lists: list_names(context, &tx)?
            .into_iter()
            .map(|name| ListChoice { is_chosen: chosen(&name), name })
            .collect(),
        problems,
    })
}

/// `POST /admin/people/new/`: the fields of a contact.
pub(in crate::web) async fn create(context: Arc<Context>) -> PageResult {
    let caller = Arc::clone(context.administrator()?);
    let account = contacts::account_of(&context.read()?, &caller)?;
    let mut input = input_of(&context, &account)?;
    email_params::judge(&context.core, &caller, &account, input.emails.iter_mut().flatten()).await;
    let job = move |tx: &mut WriteTx<'_>, by: &OpContext| {
        contacts::create(tx, &by.caller, input, by.now).map(|made| made.contact.id)
    };
    match context.core.perform(&caller, job).await {
        Ok(id) => Ok(context.see_other(&format!("{}?done=new", path_of(id)))),
        Err(error) => {
            let (status, problems) = problems_of(&context, &account, error)?;
            blocking(&context, move |context| context.html(status, &new_form(context, problems)?)).await
        }
    }
}
