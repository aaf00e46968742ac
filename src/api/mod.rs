//! The HTTP API, `/api/2/`: the only module that knows its JSON.
//!
//! Every request is handled in the order of `spec/api.md` 9: path ([`route`]), method, form of the body ([`body`]),
//! authentication ([`auth`]). Then a resource's module ([`dispatch`]) parses the parameters, calls one operation in
//! one snapshot or one write job ([`request`]), and shows the result. Each resource has a file of the document's
//! name. A handler never decides what may happen: permissions, objects, values that need other records, and conflicts
//! are decided by `ops`. Errors become answers only in [`error`].
//!
//! Bounded reads run on the async thread: handing them to another thread costs more than they do. Reads whose size a
//! caller decides, such as the members of a large list, go to the blocking pool.

mod accounts;
mod admins;
mod aliases;
mod answers;
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
pub mod events;
mod follow;
mod form;
mod held;
mod idempotency;
mod json;
mod lists;
mod mail_file;
mod membership;
mod messages;
mod oauth;
mod openapi;
mod operation;
pub mod operator;
mod pending;
mod rate;
mod request;
mod route;
mod shape;
mod simulate;
mod view;
mod webhooks;

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
use crate::ops::lists as lists_ops;
use crate::params::Params;
use crate::service::Core;
use crate::service::memory::Owners;
use answers::{NO_SNIFF, NO_STORE, redirect, success};
use auth::{Keys, Principal};
use body::Reading;
use cache::Answers;
use dispatch::{get_request, write};
use error::ApiError;
use operation::{BodyKind, Operation, ResponseKind};
use rate::Rate;
use request::{GetRequest, Kind, WriteRequest, inform};
use route::{Found, Resource, Target, Verb};
use view::Answer;

/// Header that names the parameters that were not understood.
const IGNORED: HeaderName = HeaderName::from_static("x-ignored-parameters");
/// Renders the description of the API as a page, in answer to a request with this head.
pub type ReferencePage = fn(&Core, &Parts, &Reference) -> Response<Body>;

/// The routes of the API. `bodies` reads the bodies of requests; `page` renders the description that [`describe`]
/// makes.
pub fn router(core: Core, bodies: Bodies, page: ReferencePage) -> Router {
    let applications = oauth::router(core.clone(), bodies.clone());
    let (keys, answers, description) = (Arc::<Keys>::default(), Answers::default(), OnceLock::new());
    let api = Arc::new(Api { core, bodies, keys, answers, description, page });
    let answer = any(move |request: Request| {
        let api = Arc::clone(&api);
        async move { api.answer(request).await }
    });
    applications.route("/api", answer.clone()).route("/api/", answer.clone()).route("/api/{*path}", answer)
}

/// The description of the API as an `OpenAPI` document.
#[must_use]
pub fn document() -> String {
    openapi::document(&describe::reference()).to_string()
}

/// The description of every operation of the API, from which the command line makes commands too.
#[must_use]
pub fn reference() -> Reference {
    describe::reference()
}

/// State that all requests share.
struct Api {
    core: Core,
    bodies: Bodies,
    keys: Arc<Keys>,
    answers: Answers,
    /// The description of the API, made at the first request for it.
    description: OnceLock<Description>,
    page: ReferencePage,
}

/// The description of the API, for people and for programs.
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
        // Answers may be private to their caller, and a browser must never show one as a page.
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
            return view::object(&entry::EntryView::new(&self.core.links), None).map(success);
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
        if target.resource == Resource::Events && follow::is_wanted(&parts.headers) {
            return follow::begin((&self.core, &self.keys), parts, params, &principal, client);
        }
        let response = self.ask(parts, target, params, (&principal, client), &rate).await;
        Ok(rate.show(response.unwrap_or_else(ApiError::into_response)))
    }

    /// Answers a GET of an authenticated caller. One object is charged at first; the true number is known only with
    /// the answer.
    async fn ask(
        self: &Arc<Self>,
        parts: &Parts,
        target: &Target<'_>,
        mut params: Params,
        (principal, client): (&Arc<Principal>, IpAddr),
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
        // Must be read before the snapshot: see `cache`.
        let generation = self.core.store.generation(principal.account.id.0);
        if let Some(answer) = self.answers.get(principal, path, generation) {
            return counted(answer, rate).map(success);
        }
        let (kind, answer) = match get_request(target, &mut params) {
            Ok(request) => (request.kind(), self.read(request, principal, client).await),
            Err(error) => (Kind::Fresh, Err(error)),
        };
        let ignored = crate::params::ignored_header(params.ignored());
        if let (Kind::Kept, Ok(answer), None) = (kind, &answer, &ignored) {
            self.answers.keep(principal, path, generation, answer);
        }
        let stored = answer.as_ref().ok().and_then(|answer| answer.stored);
        let body = match answer {
            Ok(answer) => counted(answer, rate),
            Err(error) => {
                rate.give_back();
                Err(error)
            }
        };
        let mut response = respond_to(body);
        if let Some(stored) = stored.filter(|_| response.status() == StatusCode::OK) {
            mail_file::send(&self.core.store, stored, &mut response);
        }
        Ok(with_ignored(response, ignored))
    }

    async fn read(
        &self,
        mut request: Box<dyn GetRequest>,
        principal: &Arc<Principal>,
        client: IpAddr,
    ) -> Result<Answer, ApiError> {
        inform(&self.core, &mut *request, principal).await?;
        if let Some(body) = self.read_if_short(&*request, principal)? {
            return Ok(body);
        }
        let (memory, owners) = (&self.core.reading_memory, Owners::of(client, principal.account.id));
        let place = if request.is_search() { Some(memory.search(owners).await?) } else { None };
        let mut share = None;
        if request.reads_mail() {
            let (store, principal) = (self.core.store.clone(), Arc::clone(principal));
            let finding = tokio::task::spawn_blocking(move || {
                let size_bytes = request.find_mail(&store.read()?, &principal)?;
                Ok::<_, ApiError>((request, size_bytes))
            });
            let (found, size_bytes) = finding.await.map_err(|_| ApiError::internal())??;
            request = found;
            share = Some(memory.take(owners, size_bytes).await?);
        }
        let (store, principal) = (self.core.store.clone(), Arc::clone(principal));
        let read = tokio::task::spawn_blocking(move || {
            // Kept until the work ends, even if the client does not wait for it any more.
            let _shares = (place, share);
            request.answer(&store.read()?, &principal)
        });
        read.await.unwrap_or_else(|_| Err(ApiError::internal()))
    }

    fn read_if_short(
        &self,
        request: &dyn GetRequest,
        principal: &Principal,
    ) -> Result<Option<Answer>, ApiError> {
        let tx = self.core.store.read()?;
        if request.is_long(&tx, principal)? {
            return Ok(None);
        }
        request.answer(&tx, principal).map(Some)
    }

    /// The reader for the body of a call, with its largest size and the owner to whom its memory is charged.
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
        // The size limit depends on the caller, but mistakes of the body are reported before a missing key.
        let reading = self.reading(operation, parts, target, principal.as_ref(), client)?;
        // The memory of the body stays charged until the call is answered, because values made from it take memory,
        // too.
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
        let names = crate::params::ignored_header(query.ignored().chain(params.ignored()));
        Ok(rate.show(with_ignored(respond_to(body), names)))
    }
}

/// Returns the body of an answer if the account's hour has room for its objects.
fn counted(answer: Answer, rate: &Rate<'_>) -> Result<Bytes, ApiError> {
    let settled = rate.settle(answer.objects);
    settled.inspect_err(|_| rate.give_back()).map(|()| answer.body)
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
