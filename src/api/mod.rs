//! The HTTP API, `/api/2/`: the only module that knows its JSON.
//!
//! Every request goes the same way, in the order of `spec/api.md` 9: path ([`route`]), method, body form
//! ([`body`]), who asks ([`auth`]); then a resource's module parses the parameters, calls one operation in one
//! snapshot or one write job, and shows the result. Each resource has a file of the document's name. A handler
//! never decides what may happen: permissions, objects, values that need other records, and conflicts are
//! `ops`. Errors become an answer in [`error`] alone.
//!
//! Bounded reads run where they are: handing them to another thread costs more than they do. Reads whose size
//! a caller decides, such as the members of a large list, go to the blocking pool.

mod accounts;
mod admins;
mod aliases;
mod auth;
mod batch;
mod body;
mod cache;
mod contacts;
mod deliveries;
mod describe;
mod emails;
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
use crate::model::{AccountDomain, DomainClaim, Permission};
use crate::ops::domains::dns::DnsStatuses;
use crate::ops::lists as lists_ops;
use crate::ops::paging::skipped;
use crate::ops::server::saved_answers::Repeatable;
use crate::ops::{Core, OpContext, OpError, PageRequest};
use crate::store::{ReadTx, StoreError, WriteTx};
use auth::{Keys, Principal};
use body::Reading;
use cache::Answers;
use error::ApiError;
use operation::{BodyKind, Operation, ResponseKind};
use params::Params;
use rate::Rate;
use route::{Found, Resource, Target, Verb};
use view::Answer;

/// The type of every answer.
const JSON: HeaderValue = HeaderValue::from_static("application/json");
/// Caches keep no answer.
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
/// Browsers take the type of an answer for what it is.
const NO_SNIFF: HeaderValue = HeaderValue::from_static("nosniff");
/// Names the parameters that were not understood.
const IGNORED: HeaderName = HeaderName::from_static("x-ignored-parameters");
/// Rows that one read may walk on the spot.
const ROWS_INLINE_MAX: u64 = 5000;

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

/// What a GET asks for, its parameters read and checked.
trait GetRequest: Send {
    /// The answer, and how many objects it shows.
    fn answer(&self, tx: &ReadTx, principal: &Principal) -> Result<Answer, ApiError>;

    /// Whether it may walk so many rows that other requests should not wait for it.
    fn is_long(&self, tx: &ReadTx, principal: &Principal) -> Result<bool, StoreError>;

    /// The domains whose standing in the DNS the answer shows.
    fn domains(&self, _: &ReadTx, _: &Principal) -> Result<Vec<AccountDomain>, ApiError> {
        Ok(Vec::new())
    }

    /// The domains of the answer that wait for their proof, which is looked for first.
    fn claims(&self, _: &ReadTx, _: &Principal) -> Result<Vec<DomainClaim>, ApiError> {
        Ok(Vec::new())
    }

    /// Takes the standing of those domains, which is looked up while no snapshot is held.
    fn set_dns(&mut self, _: DnsStatuses) {}

    /// Takes what the answer shows of the running server, and not of the data.
    fn set_runtime(&mut self, _: &Core) {}

    /// What kind of answer it has.
    fn kind(&self) -> Kind {
        Kind::Kept
    }
}

/// The kinds of answers to a GET.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// JSON that stays true as long as nothing of the account changes.
    Kept,
    /// JSON that also changes with what an account's generation does not count.
    Fresh,
    /// A message as it is.
    Mail,
}

/// One call that writes.
struct WriteRequest<'call> {
    core: &'call Core,
    principal: &'call Arc<Principal>,
    params: &'call mut Params,
    /// What it costs: one object is counted already.
    rate: &'call Rate<'call>,
    /// Set where the call has an `Idempotency-Key`.
    repeatable: Option<&'call Repeatable>,
}

impl WriteRequest<'_> {
    /// Carries out an operation of whoever calls: see [`Core::perform`].
    async fn perform<T, F>(&self, operation: F) -> Result<T, OpError>
    where
        T: Send + 'static,
        F: FnOnce(&mut WriteTx<'_>, &OpContext) -> Result<T, OpError> + Send + 'static,
    {
        self.core.perform(&self.principal.caller, operation).await
    }

    /// Carries out an operation that makes room: see [`Core::perform_reserved`].
    async fn perform_reserved<T, F>(&self, operation: F) -> Result<T, OpError>
    where
        T: Send + 'static,
        F: FnOnce(&mut WriteTx<'_>, &OpContext) -> Result<T, OpError> + Send + 'static,
    {
        self.core.perform_reserved(&self.principal.caller, operation).await
    }
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
            return view::object(&describe::EntryView::new(&self.core.base_url), None).map(success);
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
            idempotency::keep(core, &principal.caller, call.clone(), answer).await?;
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

/// Tells a question what its answer shows beside the data.
async fn inform(core: &Core, question: &mut dyn GetRequest, principal: &Principal) -> Result<(), ApiError> {
    let claims = question.claims(&core.store.read()?, principal)?;
    core.check_claims(claims).await;
    let domains = question.domains(&core.store.read()?, principal)?;
    if !domains.is_empty() {
        question.set_dns(core.dns.statuses(&domains).await);
    }
    question.set_runtime(core);
    Ok(())
}

/// What a GET asks for.
fn question(target: &Target<'_>, params: &mut Params) -> Result<Box<dyn GetRequest>, ApiError> {
    let object = target.object.as_deref();
    match target.resource {
        Resource::Contacts => Ok(Box::new(contacts::question(object, params)?)),
        // They only take POST, or are answered without a question.
        Resource::ContactBatch
        | Resource::ListSimulation
        | Resource::Entry
        | Resource::Docs
        | Resource::Document => Err(ApiError::method(&target.allow())),
        Resource::Emails => Ok(Box::new(emails::question(target, params)?)),
        Resource::Membership => Ok(Box::new(membership::question(object, params)?)),
        Resource::Lists => Ok(Box::new(lists::question(object, params)?)),
        Resource::Messages => Ok(Box::new(messages::question(object, params)?)),
        Resource::Aliases => Ok(Box::new(aliases::question(object, params)?)),
        Resource::Pending => Ok(Box::new(pending::question(object, params)?)),
        Resource::Held => Ok(Box::new(held::question(object, params)?)),
        Resource::MessageRaw => Ok(Box::new(messages::raw(object)?)),
        Resource::MessageDeliveries => Ok(Box::new(deliveries::question(object, params)?)),
        Resource::Admins => Ok(Box::new(admins::question(object, params)?)),
        Resource::Accounts => Ok(Box::new(accounts::question(object, params)?)),
    }
}

async fn write(verb: Verb, target: &Target<'_>, writing: WriteRequest<'_>) -> Result<Bytes, ApiError> {
    let object = target.object.as_deref();
    match (target.resource, verb, object) {
        (Resource::ContactBatch, Verb::Post, None) => batch::create(writing).await,
        (Resource::Contacts, Verb::Post, None) => contacts::create(writing).await,
        (Resource::Contacts, Verb::Put, Some(name)) => contacts::update(writing, name).await,
        (Resource::Contacts, Verb::Delete, Some(name)) => contacts::delete(writing, name).await,
        (Resource::Emails, Verb::Post, None) => emails::create(writing).await,
        (Resource::Emails, Verb::Put, Some(name)) => emails::update(writing, name).await,
        (Resource::Emails, Verb::Delete, Some(name)) => emails::delete(writing, name).await,
        (Resource::Membership, Verb::Post, None) => membership::create(writing).await,
        (Resource::Membership, Verb::Put, Some(name)) => membership::update(writing, name).await,
        (Resource::Membership, Verb::Delete, Some(name)) => membership::delete(writing, name).await,
        (Resource::Lists, Verb::Post, None) => lists::create(writing).await,
        (Resource::Lists, Verb::Put, Some(name)) => lists::update(writing, name).await,
        (Resource::Lists, Verb::Delete, Some(name)) => lists::delete(writing, name).await,
        (Resource::ListSimulation, Verb::Post, Some(name)) => simulate::create(writing, name).await,
        (Resource::Messages, Verb::Post, None) => messages::create(writing).await,
        (Resource::Messages, Verb::Delete, Some(name)) => messages::delete(writing, name).await,
        (Resource::Admins, Verb::Post, None) => admins::create(writing).await,
        (Resource::Admins, Verb::Put, Some(name)) => admins::update(writing, name).await,
        (Resource::Admins, Verb::Delete, Some(name)) => admins::delete(writing, name).await,
        (Resource::Aliases, Verb::Post, None) => aliases::create(writing).await,
        (Resource::Aliases, Verb::Put, Some(name)) => aliases::update(writing, name).await,
        (Resource::Aliases, Verb::Delete, Some(name)) => aliases::delete(writing, name).await,
        (Resource::Pending, Verb::Put, Some(name)) => pending::update(writing, name).await,
        (Resource::Held, Verb::Put, Some(name)) => held::update(writing, name).await,
        (Resource::Accounts, Verb::Post, None) => accounts::create(writing).await,
        (Resource::Accounts, Verb::Put, Some(name)) => accounts::update(writing, name).await,
        (Resource::Accounts, Verb::Delete, Some(name)) => accounts::delete(writing, name).await,
        (_, Verb::Get | Verb::Post | Verb::Put | Verb::Delete, _) => Err(ApiError::method(&target.allow())),
    }
}

/// Whether a listing is made of everything that a limited key sees, of which there may be much.
fn is_gathered(tx: &ReadTx, principal: &Principal) -> Result<bool, StoreError> {
    let is_limited = principal.caller.limits.lists().is_some();
    Ok(is_limited && ROWS_INLINE_MAX < lists_ops::memberships_of_account(tx, &principal.caller)?)
}

/// Whether a window lies so deep that its rows should be stepped over elsewhere.
fn is_deep(window: PageRequest) -> bool {
    match window {
        PageRequest::All | PageRequest::After { after: _, limit: _ } => false,
        PageRequest::Page { page, limit } => ROWS_INLINE_MAX < skipped(page, limit),
    }
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
