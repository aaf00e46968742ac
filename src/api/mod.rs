//! The HTTP API, `/api/2/`: the only module that knows its JSON.
//!
//! Every request goes the same way, in the order of `spec/api.md` 9: path ([`route`]), method, body form
//! ([`body`]), who asks ([`auth`]); then a resource's module ([`dispatch`]) parses the parameters, calls one operation
//! in one snapshot or one write job ([`request`]), and shows the result. Each resource has a file of the document's name. A handler
//! never decides what may happen: permissions, objects, values that need other records, and conflicts are
//! `ops`. Errors become an answer in [`error`] alone.
//!
//! Bounded reads run where they are: handing them to another thread costs more than they do. Reads whose size
//! a caller decides, such as the members of a large list, go to the blocking pool.

mod accounts;
mod admins;
mod aliases;
mod audit;
mod auth;
mod batch;
mod body;
mod cache;
mod contacts;
mod deliveries;
mod describe;
mod dispatch;
mod emails;
mod entry;
mod error;
mod form;
mod held;
mod idempotency;
mod json;
mod lists;
mod membership;
mod messages;
mod openapi;
mod operation;
pub mod operator;
mod params;
mod parse;
mod pending;
mod rate;
mod request;
mod route;
mod shape;
mod simulate;
mod view;

use std::net::IpAddr;
use std::sync::{Arc, OnceLock};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::Request;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Response, StatusCode, header};
use axum::routing::any;

use crate::http::bodies::{self, Bodies};
use crate::http::budget::Owner;
use crate::http::{self, reference::Reference};
use crate::model::Permission;
use crate::ops::Core;
use crate::ops::lists as lists_ops;
use auth::{Keys, Principal};
use body::Reading;
use cache::Answers;
use dispatch::{question, write};
use error::{ApiError, JSON};
use operation::{BodyKind, Operation, ResponseKind};
use params::Params;
use rate::Rate;
use request::{GetRequest, Kind, WriteRequest, inform};
use route::{Found, Resource, Target, Verb};
use view::Answer;

/// Caches keep no answer.
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
/// Browsers take the type of an answer for what it is.
const NO_SNIFF: HeaderValue = HeaderValue::from_static("nosniff");
/// Names the parameters that were not understood.
const IGNORED: HeaderName = HeaderName::from_static("x-ignored-parameters");
/// Shows what the API is to people, as the answer to a request with this head.
pub type ReferencePage = fn(&Core, &Parts, &Reference) -> Response<Body>;

/// The routes of the API. `bodies` reads what requests bring; `page` shows to people what [`describe`] says of it.
pub fn router(core: Core, bodies: Bodies, page: ReferencePage) -> Router {
    let (keys, answers, description) = (Keys::default(), Answers::default(), OnceLock::new());
    let api = Arc::new(Api { core, bodies, keys, answers, description, page });
    let answer = any(move |request: Request| {
        let api = Arc::clone(&api);
        async move { api.answer(request).await }
    });
    Router::new().route("/api", answer.clone()).route("/api/", answer.clone()).route("/api/{*path}", answer)
}

/// What the API is, as the `OpenAPI` document that it answers with.
#[must_use]
pub fn document() -> String {
    openapi::document(&describe::reference()).to_string()
}

/// Everything that can be asked of the API, from which commands are made too.
#[must_use]
pub fn reference() -> Reference {
    describe::reference()
}

/// What all requests share.
struct Api {
    core: Core,
    bodies: Bodies,
    keys: Keys,
    answers: Answers,
    /// What the API is; made when it is first asked for.
    description: OnceLock<Description>,
    page: ReferencePage,
}

/// What the API is, for people and for machines.
struct Description {
    reference: Reference,
    document: Bytes,
}

impl Api {
    async fn answer(self: Arc<Self>, request: Request) -> Response<Body> {
        let client = http::client_addr(request.extensions());
        let (parts, body) = request.into_parts();
        let answered = match http::check_client(&parts.extensions) {
            Ok(()) => self.respond(&parts, body, client).await,
            Err(refusal) => Err(refusal.into()),
        };
        let mut response = match answered {
            Ok(response) => response,
            Err(error) => error.into_response(),
        };
        // Answers hold what only their caller may see, and are never a page, whatever a browser makes of them.
        response.headers_mut().insert(header::CACHE_CONTROL, NO_STORE);
        response.headers_mut().insert(header::X_CONTENT_TYPE_OPTIONS, NO_SNIFF);
        tracing::debug!(
            http.method = %parts.method,
            http.path = parts.uri.path(),
            http.status = response.status().as_u16(),
            client = %client,
            "{} {} was answered",
            parts.method,
            parts.uri.path(),
        );
        response
    }

    async fn respond(
        self: &Arc<Self>,
        parts: &Parts,
        body: Body,
        client: IpAddr,
    ) -> Result<Response<Body>, ApiError> {
        let path = parts.uri.path();
        let target = match route::find(path) {
            Found::Target(target) => target,
            Found::WithoutSlash => return Ok(redirect(path, parts.uri.query())),
            Found::Nothing => return Err(ApiError::no_path()),
        };
        match target.operation(&parts.method) {
            None => Err(ApiError::method(&target.allow())),
            Some(operation) if operation.is_public() => self.describe(parts, operation),
            Some(Operation { verb: Verb::Get, .. }) => self.get(parts, &target, client).await,
            Some(operation) => self.change(operation, parts, &target, body, client).await,
        }
    }

    fn describe(&self, parts: &Parts, operation: &Operation) -> Result<Response<Body>, ApiError> {
        if let ResponseKind::Entry(_) = operation.gives {
            return view::object(&entry::EntryView::new(&self.core.base_url), None).map(success);
        }
        let Description { reference, document } = self.description.get_or_init(|| {
            let reference = describe::reference();
            Description { document: Bytes::from(openapi::document(&reference).to_string()), reference }
        });
        Ok(match operation.gives {
            ResponseKind::Page => (self.page)(&self.core, parts, reference),
            _ => success(document.clone()),
        })
    }

    fn principal(
        &self,
        parts: &Parts,
        target: &Target<'_>,
        query: &mut Params,
        client: IpAddr,
    ) -> Result<Arc<Principal>, ApiError> {
        let account_id = query.text("account_id");
        let found = self.keys.principal(&self.core, &parts.headers, client, account_id.as_deref());
        if found.as_ref().is_err_and(ApiError::is_unauthenticated) {
            self.core.auth_failures.count(client)?;
        }
        let principal = found?;
        if target.resource.needs_account() {
            principal.require_account()?;
        }
        Ok(principal)
    }

    async fn get(
        self: &Arc<Self>,
        parts: &Parts,
        target: &Target<'_>,
        client: IpAddr,
    ) -> Result<Response<Body>, ApiError> {
        let mut params = match parts.uri.query() {
            None => Params::default(),
            Some(query) => body::query(query)?,
        };
        let principal = self.principal(parts, target, &mut params, client)?;
        let rate = Rate::of(&principal, self.core.now());
        let response = self.ask(parts, target, params, &principal, &rate).await;
        Ok(rate.show(response.unwrap_or_else(ApiError::into_response)))
    }

    /// Answers a question whose asker is known. One object is counted at first: what the answer shows is only
    /// known with it.
    async fn ask(
        self: &Arc<Self>,
        parts: &Parts,
        target: &Target<'_>,
        mut params: Params,
        principal: &Arc<Principal>,
        rate: &Rate<'_>,
    ) -> Result<Response<Body>, ApiError> {
        rate.take(1)?;
        if !target.resource.shows_oneself()
            && let Err(error) = principal.caller.require_read()
        {
            rate.give_back();
            return Err(error.into());
        }
        let path = parts.uri.path_and_query().map_or("", |path| path.as_str());
        // Before the snapshot: see `cache`.
        let generation = self.core.store.generation(principal.account.id.0);
        if let Some(answer) = self.answers.get(principal, path, generation) {
            return counted(answer, rate).map(success);
        }
        let (kind, answer) = match question(target, &mut params) {
            Ok(question) => (question.kind(), self.read(question, principal).await),
            Err(error) => (Kind::Fresh, Err(error)),
        };
        let ignored = params::ignored_header(params.ignored());
        if let (Kind::Kept, Ok(answer), None) = (kind, &answer, &ignored) {
            self.answers.keep(principal, path, generation, answer);
        }
        let body = match answer {
            Ok(answer) => counted(answer, rate),
            Err(error) => {
                rate.give_back();
                Err(error)
            }
        };
        let mut response = respond_to(body);
        if kind == Kind::Mail && response.status() == StatusCode::OK {
            as_mail(&mut response);
        }
        Ok(with_ignored(response, ignored))
    }

    async fn read(
        &self,
        mut question: Box<dyn GetRequest>,
        principal: &Arc<Principal>,
    ) -> Result<Answer, ApiError> {
        inform(&self.core, &mut *question, principal).await?;
        if let Some(body) = self.read_if_short(&*question, principal)? {
            return Ok(body);
        }
        let store = self.core.store.clone();
        let principal = Arc::clone(principal);
        let read = tokio::task::spawn_blocking(move || question.answer(&store.read()?, &principal));
        read.await.unwrap_or_else(|_| Err(ApiError::internal()))
    }

    fn read_if_short(
        &self,
        question: &dyn GetRequest,
        principal: &Principal,
    ) -> Result<Option<Answer>, ApiError> {
        let tx = self.core.store.read()?;
        if question.is_long(&tx, principal)? {
            return Ok(None);
        }
        question.answer(&tx, principal).map(Some)
    }

    /// How much is read of the body of a call, and on whose account its memory goes.
    fn reading<'call>(
        &'call self,
        operation: &Operation,
        parts: &'call Parts,
        target: &Target<'_>,
        principal: Result<&'call Arc<Principal>, &'call ApiError>,
        client: IpAddr,
    ) -> Result<Reading<'call>, ApiError> {
        let (bodies, bytes_max) = (&self.bodies, body::BODY_BYTES_MAX);
        let principal = match principal {
            Ok(principal) => principal,
            Err(error) => {
                let (owner, bytes_max) = (bodies::stranger(client), bodies::STRANGER_BYTES_MAX);
                return Ok(Reading { bodies, parts, owner, bytes_max, refusal: Some(error) });
            }
        };
        let owner = Owner::Account(principal.account.id.0);
        let is_small = bodies::declared_bytes(&parts.headers).is_some_and(|bytes| bytes <= bytes_max);
        let caller = &principal.caller;
        let brings_message = match operation.takes {
            BodyKind::Mail(_) => simulate::is_allowed(caller),
            BodyKind::Fields(_) => {
                target.resource == Resource::Messages && caller.holds(Permission::SendMessages)
            }
            BodyKind::Rows(_) | BodyKind::Query | BodyKind::Nothing => false,
        };
        let bytes_max = if brings_message && !is_small {
            let maxlength = lists_ops::largest_maxlength(&self.core.store.read()?, caller)?;
            body::message_bytes_max(&parts.headers, maxlength)
        } else {
            bytes_max
        };
        Ok(Reading { bodies, parts, owner, bytes_max, refusal: None })
    }

    async fn change(
        self: &Arc<Self>,
        operation: &'static Operation,
        parts: &Parts,
        target: &Target<'_>,
        body: Body,
        client: IpAddr,
    ) -> Result<Response<Body>, ApiError> {
        let mut query = body::query(parts.uri.query().unwrap_or_default())?;
        let principal = self.principal(parts, target, &mut query, client);
        let verb = operation.verb;
        // What is read follows from who asks; the body's own mistakes are told first all the same.
        let reading = self.reading(operation, parts, target, principal.as_ref(), client)?;
        // The memory of the body counts until the call is answered: what is made of it takes some, too.
        let (mut params, _share) = match operation.takes {
            BodyKind::Rows(_) => reading.rows(body).await?,
            BodyKind::Mail(_) => reading.mail(body, &mut query).await?,
            BodyKind::Fields(_) => reading.params(body).await?,
            BodyKind::Query | BodyKind::Nothing => (Params::default(), None),
        };
        let principal = Arc::new(principal?.of_client(client));
        let rate = Rate::of(&principal, self.core.now());
        let repeatable = match verb {
            Verb::Post => {
                idempotency::repeatable(&parts.headers, parts.uri.path(), &principal, &mut params).await?
            }
            Verb::Get | Verb::Put | Verb::Delete => None,
        };
        if let Some(call) = &repeatable
            && let Some(answer) = idempotency::answered(&self.core, call)?
        {
            return Ok(rate.show(success(answer)));
        }
        let (core, repeatable) = (&self.core, repeatable.as_ref());
        let body = match rate.take(1) {
            Ok(()) => {
                let params = &mut params;
                let call = WriteRequest { core, principal: &principal, params, rate: &rate, repeatable };
                write(verb, target, call).await.inspect_err(|_| rate.give_back())
            }
            Err(error) => Err(error),
        };
        debug_assert!(describe::covers(operation, &params), "{} is read and not described", parts.uri.path());
        if let (Some(call), Ok(answer)) = (repeatable, &body) {
            idempotency::keep(core, call.clone(), answer).await?;
        }
        let names = params::ignored_header(query.ignored().chain(params.ignored()));
        Ok(rate.show(with_ignored(respond_to(body), names)))
    }
}

/// The body of an answer whose objects the account has left.
fn counted(answer: Answer, rate: &Rate<'_>) -> Result<Bytes, ApiError> {
    let settled = rate.settle(answer.objects);
    settled.inspect_err(|_| rate.give_back()).map(|()| answer.body)
}

fn success(body: Bytes) -> Response<Body> {
    let mut response = Response::new(Body::from(body));
    response.headers_mut().insert(header::CONTENT_TYPE, JSON);
    response
}

/// Makes browsers keep a message as a file: shown, it would be somebody else's page under our name.
fn as_mail(response: &mut Response<Body>) {
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("message/rfc822"));
    let disposition = HeaderValue::from_static("attachment; filename=\"message.eml\"");
    headers.insert(header::CONTENT_DISPOSITION, disposition);
}

fn respond_to(body: Result<Bytes, ApiError>) -> Response<Body> {
    match body {
        Ok(body) => success(body),
        Err(error) => error.into_response(),
    }
}

fn with_ignored(mut response: Response<Body>, names: Option<String>) -> Response<Body> {
    if let Some(value) = names.and_then(|names| HeaderValue::try_from(names).ok()) {
        response.headers_mut().insert(IGNORED, value);
    }
    response
}

/// To the same path with a slash. Method and body stay what they are.
fn redirect(path: &str, query: Option<&str>) -> Response<Body> {
    let location = match query {
        None => format!("{path}/"),
        Some(query) => format!("{path}/?{query}"),
    };
    let mut response =
        success(Bytes::from_static(br#"{"is_error":true,"message":"Paths end with a slash"}"#));
    *response.status_mut() = StatusCode::PERMANENT_REDIRECT;
    if let Ok(location) = HeaderValue::try_from(location) {
        response.headers_mut().insert(header::LOCATION, location);
    }
    response
}
