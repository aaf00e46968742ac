//! The page with a form that somebody sent when the session had ended: what was typed, and buttons to send it now or to
//! throw it away. `serve` keeps such forms of every page of members and administrators; pages on which people write have
//! drafts of their own.

use std::sync::Arc;

use askama::Template;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::context::Context;
use super::error::{PageError, PageResult};
use super::form::Form;
use super::frame::Frame;
use super::page::{Authority, Page, Verb};
use crate::locale::text;
use crate::model::{AccountId, Language, Person, TypedForm, TypedFormId};
use crate::ops::server::typed_forms::{self, FIELDS_BYTES_MAX, NewTypedForm};
use crate::secret::SEAL_NONCE_BYTES;
use crate::web::admin::account::settings;
use crate::web::admin::lists::list_table::Part;
use crate::web::admin::parts::fields::label_in;

/// The names of fields that prove who somebody is, which are never kept.
const SECRETS: [&str; 4] = ["password", "code", "secret", "credential"];

#[derive(Template)]
#[template(path = "typed.html", config = "src/web/askama.toml")]
struct TypedPage {
    frame: Frame,
    csrf: String,
    /// The path to which the form is sent again.
    action: String,
    /// The number of the form, by which it is forgotten when it is sent.
    id: String,
    /// All fields of the form, in their order.
    fields: Vec<(String, String)>,
    /// Those that somebody typed or chose, each with the words of its page.
    shown: Vec<(String, String)>,
}

/// Keeps the form of somebody whose session has ended, if the form says who that is. `path` is where the form was sent.
/// Returns the path of the page on which it comes back.
pub(super) async fn keep(context: &Context, page: &Page, path: &str) -> Option<String> {
    let person = person_of(context, page)?;
    let fields = fields_of(&context.form)?;
    let mut nonce = [0; SEAL_NONCE_BYTES];
    context.core.secrets.fill(&mut nonce);
    let account = account_of(context);
    let form = NewTypedForm { account, person, path: path.to_owned(), fields, nonce };
    let caller = context.caller();
    let keeping = context.core.perform(&caller, move |tx, by| {
        typed_forms::keep(tx, &by.mail_context.signer, form, by.now) //
    });
    match keeping.await {
        Ok(id) => id.map(|id| match person {
            Person::Member(_) => format!("/members/typed/{id}/"),
            Person::Admin(_) => format!("/admin/typed/{id}/"),
        }),
        Err(error) => {
            tracing::warn!(error = ?error, "What was typed when a session had ended is not kept");
            None
        }
    }
}

/// The person to whom the form of a page was shown, if it is a page of such people.
fn person_of(context: &Context, page: &Page) -> Option<Person> {
    if page.verb != Verb::Act {
        return None;
    }
    let person = context.form_person()?;
    let is_theirs = match person {
        // The first page of members is also where they sign in.
        Person::Member(_) => matches!(page.authority, Authority::Member | Authority::Anyone),
        Person::Admin(_) => page.authority.is_administrators(),
    };
    is_theirs.then_some(person)
}

/// The fields of a form as the body of a request; `None` if there is nothing to keep, or what must not be kept.
fn fields_of(form: &Form) -> Option<Vec<u8>> {
    let fields: Vec<(&str, &str)> = form.without("csrf").collect();
    let is_secret = |name: &str| SECRETS.iter().any(|secret| name.to_ascii_lowercase().contains(secret));
    let is_typed = fields.iter().any(|(name, value)| *name != "action" && !value.trim().is_empty());
    if !is_typed || fields.iter().any(|(name, _)| is_secret(name)) {
        return None;
    }
    let encoded = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let pairs = fields.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value)));
    let body = pairs.collect::<Vec<_>>().join("&").into_bytes();
    (body.len() <= FIELDS_BYTES_MAX).then_some(body)
}

fn account_of(context: &Context) -> AccountId {
    context.site.account.unwrap_or(AccountId::SERVER)
}

/// The form that the path names, if it is that of the person who is signed in.
fn found(context: &Context) -> Result<(TypedForm, Form), PageError> {
    let id = context.param("id").parse().map(TypedFormId).map_err(|_| PageError::NotFound)?;
    let own = (account_of(context), context.session()?.person);
    let found = typed_forms::find(&context.read()?, &context.core.signer, own, (id, context.core.now()))?;
    let (form, fields) = found.ok_or(PageError::NotFound)?;
    Ok((form, Form::urlencoded(&fields)?))
}

/// `GET /admin/typed/{id}/` and `GET /members/typed/{id}/`
pub(super) fn page(context: &Context) -> PageResult {
    let (kept, form) = found(context)?;
    let fields: Vec<(String, String)> =
        form.without("csrf").map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let is_shown = |(name, value): &&(String, String)| name != "action" && !value.trim().is_empty();
    let language = context.language;
    let told = |(name, value): &(String, String)| Some((words_of(language, name)?, value.clone()));
    let shown = fields.iter().filter(is_shown).filter_map(told).collect();
    context.show(&TypedPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: kept.path,
        id: kept.id.to_string(),
        fields,
        shown,
    })
}

/// The field that names the kept form from which a form is sent.
const SENT_FROM: &str = "typed";

/// Forgets the kept form that was sent just now, if the form came from its page.
pub(super) async fn forget_sent(context: &Context) {
    let Ok(id) = context.form.get(SENT_FROM).parse().map(TypedFormId) else { return };
    let Ok(session) = context.session() else { return };
    let own = (account_of(context), session.person);
    let caller = context.caller();
    let forgetting = context.core.perform(&caller, move |tx, _| typed_forms::forget(tx, own, id));
    if let Err(error) = forgetting.await {
        tracing::warn!(error = ?error, "What was typed and is sent now stays kept for the rest of its day");
    }
}

/// Fields that carry no words of a person.
const SILENT: [&str; 9] = ["action", "id", "key", "kept", "newest", "parent", "scheduled", "changes", "one"];

/// The words for a field of a form; `None` for one in which nobody typed or chose anything. A field of settings has
/// the label of the page of settings.
fn words_of(language: Language, name: &str) -> Option<String> {
    if SILENT.contains(&name) {
        return None;
    }
    let tables = Part::ALL.iter().map(|part| part.table()).chain([settings::TABLE]);
    let label = tables.map(|table| label_in(&table, language, name)).find(|label| label != name);
    Some(label.unwrap_or_else(|| match name {
        "subject" => text!(language, "moderate-subject"),
        "content_plain" | "content_html" | "message" => text!(language, "desk-compose-text"),
        "list" | "lists" => text!(language, "approval-list"),
        "reason" => text!(language, "moderate-reason"),
        "email" | "emails" | "address" | "username" | "destination" => text!(language, "typed-addresses"),
        "source" | "name" | "firstname" | "surname" | "from_phrase" => text!(language, "typed-name"),
        _ => text!(language, "typed-field"),
    }))
}

/// `POST /admin/typed/{id}/` and `POST /members/typed/{id}/`: throws it away.
pub(super) async fn act(context: Arc<Context>) -> PageResult {
    let (kept, _) = found(&context)?;
    let own = (kept.account, kept.person);
    context.core.perform(&context.caller(), move |tx, _| typed_forms::forget(tx, own, kept.id)).await?;
    Ok(context.see_other(match kept.person {
        Person::Member(_) => "/members/",
        Person::Admin(_) => "/admin/",
    }))
}
