//! The authorization endpoint of OAuth: the page on which an administrator allows an application something, or not.
//!
//! A request with a mistake that its application is to know of goes back there before anybody signs in. The person is
//! asked each time, and for the password again where an application wants more than to read and the last proof is old. At the server's own host, where several accounts live, the person says first which one it is.

use std::collections::BTreeSet;
use std::sync::Arc;

use askama::Template;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::scope_words;
use crate::locale::text;
use crate::model::{AccountId, Admin, EmailAddress, OauthScope, Session, Via};
use crate::ops::accounts::{self, factors};
use crate::ops::domains::sites::root_of;
use crate::ops::oauth::request::{self, AuthorizationRequest, ClientError, Refusal};
use crate::ops::oauth::{grants, tokens};
use crate::ops::{Caller, OpError, lists};
use crate::store::ReadTx;
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;
use crate::web::login::again;
use crate::web::paths::{AGAIN, LOGIN, OWN_PAGE, with_next};

/// The field of the form by which a person says which account it is.
const ACCOUNT: &str = "account";
/// Lists that are named to a person who is confined to them.
const LISTS_NAMED: usize = 20;

#[derive(Template)]
#[template(path = "oauth_consent.html", config = "src/web/askama.toml")]
struct ConsentPage {
    frame: Frame,
    csrf: String,
    action: String,
    problems: FieldProblems,
    /// The application.
    application: String,
    /// Its host.
    host: String,
    /// The person.
    person: String,
    /// Where somebody else signs in.
    sign_in: String,
    could: Vec<String>,
    could_not: Vec<String>,
    /// The lists that the person is confined to.
    lists: Option<Vec<String>>,
}

#[derive(Template)]
#[template(path = "oauth_refused.html", config = "src/web/askama.toml")]
struct RefusedPage {
    frame: Frame,
    advice: String,
}

#[derive(Template)]
#[template(path = "oauth_account.html", config = "src/web/askama.toml")]
struct AccountPage {
    frame: Frame,
    application: String,
    problems: FieldProblems,
    /// The account as it was typed.
    account: String,
    /// The application's request, which comes along.
    hidden: Vec<(String, String)>,
    /// Where global administrators sign in.
    server: String,
}

/// The result of a request before the person decides.
enum Step {
    /// The person is asked.
    Ask(Box<Asked>),
    /// The browser is led elsewhere, or the request is refused.
    Elsewhere(Response),
}

/// A request and the person who decides about it.
struct Asked {
    request: AuthorizationRequest,
    session: Session,
    admin: Admin,
    caller: Arc<Caller>,
    scopes: BTreeSet<OauthScope>,
}

/// `GET /api/2/oauth/authorize/`
pub(in crate::web) fn page(context: &Context) -> PageResult {
    match look(context)? {
        Step::Elsewhere(response) => Ok(response),
        Step::Ask(asked) => shown(context, &asked, FieldProblems::default()),
    }
}

/// `POST /api/2/oauth/authorize/`: `action` is `allow` or `deny`. The application's request stands in the address, as
/// before.
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    let asked = match look(&context)? {
        Step::Elsewhere(response) => return Ok(response),
        Step::Ask(asked) => asked,
    };
    let Asked { request, session, caller, .. } = &*asked;
    let (back, proven) = (request.back.clone(), again::proof_of(session, context.core.now()));
    match context.form.get("action") {
        "allow" => {
            let (core, request, granted) =
                (&context.core, request.clone(), tokens::new_code(&context.core.secrets));
            let hash = grants::hash_of(&granted);
            let allowing = core
                .perform(caller, move |tx, by| grants::allow(tx, &by.caller, request, hash, proven, by.now));
            match allowing.await {
                Ok(_) => Ok(context.lead_to(&back.with_code(&granted))),
                // The person lost the permissions, or the application is gone, in this moment.
                Err(OpError::NotFound { .. }) => Ok(context.lead_to(&back.with_error(DENIED))),
                Err(error) => Err(error.into()),
            }
        }
        "deny" => Ok(context.lead_to(&back.with_error(DENIED))),
        _ => {
            let problem = text!(context.language, "problem-no-button");
            let mut page = shown(&context, &asked, FieldProblems::one("decision", problem))?;
            *page.status_mut() = StatusCode::BAD_REQUEST;
            Ok(page)
        }
    }
}

const DENIED: ClientError = ClientError::new("access_denied", "the person did not allow it");
const NOTHING_TO_GIVE: ClientError =
    ClientError::new("access_denied", "the person holds none of these permissions");

/// Reads the request, and finds the person.
fn look(context: &Context) -> Result<Step, PageError> {
    let without_lang = context.query.without("lang");
    let pairs: Vec<(String, String)> = without_lang
        .filter(|(name, _)| *name != ACCOUNT)
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect();
    let tx = context.read()?;
    let request = match request::read(&tx, &pairs, context.core.links.base_url())? {
        Ok(request) => request,
        Err(Refusal::Back(back, error)) => {
            return Ok(Step::Elsewhere(context.lead_to(&back.with_error(error))));
        }
        Err(Refusal::UnknownClient) => {
            return refused(context, text!(context.language, "oauth-unknown-client"));
        }
        Err(Refusal::WrongRedirect) => {
            return refused(context, text!(context.language, "oauth-wrong-redirect"));
        }
    };
    let Some((session, admin)) = context.admin_anywhere(&tx)? else {
        return sign_in(context, &tx, &request, &pairs).map(Step::Elsewhere);
    };
    // A factor that is asked for is set up before anything is allowed, as on administrators' pages.
    if factors::is_missing(&tx, &admin)? {
        let own = page_of(context, session.account, OWN_PAGE)?;
        // The page keeps the request, and offers to go on with it.
        return Ok(Step::Elsewhere(context.lead_to(&with_next(&own, &own_path(context, &pairs)))));
    }
    let caller = Caller::admin(&admin, session.account, Via::Page, Some(context.site.client));
    let scopes = grants::given(&caller, &request.scopes);
    if scopes.is_empty() {
        return Ok(Step::Elsewhere(context.lead_to(&request.back.with_error(NOTHING_TO_GIVE))));
    }
    // To deny takes no proof.
    let does_more = scopes.iter().any(|scope| *scope != OauthScope::Read);
    let is_denied = context.form.get("action") == "deny";
    if does_more && !is_denied && again::proof_of(&session, context.core.now()).is_none() {
        let path = page_of(context, session.account, AGAIN)?;
        return Ok(Step::Elsewhere(context.lead_to(&with_next(&path, &own_path(context, &pairs)))));
    }
    Ok(Step::Ask(Box::new(Asked { request, session, admin, caller: Arc::new(caller), scopes })))
}

fn refused(context: &Context, advice: String) -> Result<Step, PageError> {
    let page = RefusedPage { frame: Frame::of(context), advice };
    context.html(StatusCode::BAD_REQUEST, &page).map(Step::Elsewhere)
}

/// The path of this page with the application's request, as it is led back to.
fn own_path(context: &Context, pairs: &[(String, String)]) -> String {
    let encode = |text: &str| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    let query = pairs.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value)));
    format!("{}?{}", context.href(&context.path), query.collect::<Vec<_>>().join("&"))
}

/// Leads to the page where the person signs in: that of the site, or that of the account which the person names.
fn sign_in(
    context: &Context,
    tx: &ReadTx,
    request: &AuthorizationRequest,
    pairs: &[(String, String)],
) -> PageResult {
    let next = own_path(context, pairs);
    let server = with_next(&context.href(LOGIN), &next);
    if context.site.account.is_some() || !accounts::any(tx)? {
        return Ok(context.lead_to(&server));
    }
    let account = context.query.get(ACCOUNT).trim().to_owned();
    let mut problems = FieldProblems::default();
    if context.query.has(ACCOUNT) {
        if let Some(found) = accounts::find_by_name(tx, &account)? {
            return Ok(context.lead_to(&with_next(&format!("{}/login/", root_of(&found.name)), &next)));
        }
        problems.add(ACCOUNT, text!(context.language, "oauth-account-unknown"));
    }
    let status = if problems.all().is_empty() { StatusCode::OK } else { StatusCode::BAD_REQUEST };
    let page = AccountPage {
        frame: Frame::of(context),
        application: request.client.name.clone(),
        problems,
        account,
        hidden: pairs.to_vec(),
        server,
    };
    context.html(status, &page)
}

fn shown(context: &Context, asked: &Asked, problems: FieldProblems) -> PageResult {
    let Asked { request, session: _, admin, caller, scopes } = asked;
    let language = context.language;
    let pairs: Vec<(String, String)> =
        context.query.without("lang").map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    let action = own_path(context, &pairs);
    let is_whole = scopes.contains(&OauthScope::AccountAdmin);
    // Every scope reads, and whoever administers the account does the rest.
    let could = |scope: &OauthScope| *scope == OauthScope::Read || is_whole || scopes.contains(scope);
    let words = |scope: &OauthScope| scope_words(language, *scope);
    let mut could_not: Vec<String> =
        OauthScope::ALL.iter().filter(|scope| !could(scope)).map(words).collect();
    could_not.push(text!(language, "oauth-not-password"));
    let page = ConsentPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        sign_in: with_next(&page_of(context, caller.account, LOGIN)?, &action),
        action,
        problems,
        application: request.client.name.clone(),
        host: request.back.host(),
        person: admin.username.as_ref().map(EmailAddress::to_string).unwrap_or_default(),
        could: OauthScope::ALL.iter().filter(|scope| could(scope)).map(words).collect(),
        could_not,
        lists: lists_of(context, caller)?,
    };
    let mut response = context.show(&page)?;
    let policy = format!(
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action {} 'self'; base-uri 'none'; \
         frame-ancestors 'none'",
        request.back.origin(),
    );
    let policy = HeaderValue::from_str(&policy).map_err(|error| PageError::Internal(error.to_string()))?;
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    Ok(response)
}

/// The path of a page for the administrators of an account, or for global ones.
fn page_of(context: &Context, account: AccountId, path: &str) -> Result<String, PageError> {
    if context.site.account.is_none()
        && let Some(account) = accounts::of_id(&context.read()?, account)?
    {
        return Ok(format!("{}{path}", root_of(&account.name)));
    }
    Ok(context.href(path))
}

/// The names of the lists that the person is confined to.
fn lists_of(context: &Context, caller: &Caller) -> Result<Option<Vec<String>>, PageError> {
    let Some(lists) = caller.limits.lists() else { return Ok(None) };
    let tx = context.read()?;
    let mut names = Vec::new();
    for list in lists.iter().take(LISTS_NAMED) {
        names.extend(lists::name_of(&tx, *list)?);
    }
    Ok(Some(names))
}
