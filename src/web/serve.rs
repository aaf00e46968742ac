//! Takes every request for a page through the same steps: context, method, body, authority, CSRF token, handler,
//! response.
//!
//! Every failure in these steps, even a handler's panic, ends as a page of [`error_page`](super::error_page).

use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::Pin;
use std::sync::Arc;
use std::task::Poll;

use axum::body::Body;
use axum::extract::rejection::RawPathParamsRejection;
use axum::extract::{RawPathParams, Request};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, Uri, header};
use axum::response::{IntoResponse as _, Redirect, Response};

use super::context::{Context, Pages};
use super::error::{PageError, PageResult};
use super::form::Form;
use super::head::{SECURITY_HEADERS, authority_of};
use super::old_links;
use super::page::{Authority, Page, TEXT_BYTES_MAX, Verb};
use super::paths;
use super::table::{Route, pages_of};
use super::typed;
use crate::http::bodies::{self, Bodies, Expected, Received};
use crate::http::budget::Owner;
use crate::http::client_addr;
use crate::http::costly::{self, CostlyPages};
use crate::service::Core;

pub(super) type PathParams = Result<RawPathParams, RawPathParamsRejection>;

/// The state that all requests share.
pub(super) struct Web {
    pub(super) core: Core,
    bodies: Bodies,
    costly: CostlyPages,
    /// Listings as files, which last as long as their clients read them: other pages do not wait for those.
    exports: CostlyPages,
    pages: Pages,
    routes: &'static [Route],
}

/// The redirect to the path of a page with the slash at its end. A browser sends a form there again.
pub(super) fn to_slash(root: &str, uri: &Uri) -> Response {
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    let location = format!("{root}{}/{query}", uri.path());
    let mut response = Redirect::permanent(&location).into_response();
    response.headers_mut().extend(SECURITY_HEADERS);
    response
}

impl Web {
    /// Answers with the pages of a table.
    pub(super) fn new(core: Core, bodies: Bodies, routes: &'static [Route]) -> Web {
        Web {
            core,
            bodies,
            costly: CostlyPages::default(),
            exports: CostlyPages::default(),
            pages: pages_of(routes),
            routes,
        }
    }

    /// Answers a request for a page at a path of the table.
    pub(super) async fn answer(&self, path: &'static str, params: PathParams, request: Request) -> Response {
        let (parts, body) = request.into_parts();
        let mut context = Context::of_head(&self.core, &self.pages, &parts);
        let prepared = self.prepare(&mut context, path, params, &parts, body).await;
        let context = Arc::new(context);
        let result = match prepared {
            Ok(route) => {
                let longer = context.note_use().await;
                let result = guarded((route.handler)(Arc::clone(&context))).await;
                if result.as_ref().is_ok_and(|response| response.status().as_u16() < 400) {
                    typed::forget_sent(&context).await;
                }
                result.map(|response| keeping(longer, response))
            }
            Err(Stop::At(error)) => Err(error),
            Err(Stop::Elsewhere(response)) => Ok(response),
        };
        finish(&context, result)
    }

    /// Answers a path that no page has: it may be an address that another server had.
    pub(super) fn answer_elsewhere(&self, request: Request) -> Response {
        let (parts, _) = request.into_parts();
        let mut context = Context::of_head(&self.core, &self.pages, &parts);
        let loaded = context.load(&parts.headers).map_err(PageError::from);
        let host = authority_of(&parts.uri, &parts.headers);
        let result = loaded.and_then(|()| old_links::answer(&context, host));
        finish(&context, result)
    }

    /// Answers a request for which there is no page.
    pub(super) fn refuse(&self, parts: &Parts, error: PageError) -> Response {
        let mut context = Context::of_head(&self.core, &self.pages, parts);
        let error = match context.load(&parts.headers) {
            Ok(()) => error,
            Err(failure) => failure.into(),
        };
        finish(&context, Err(error))
    }

    /// Finds the page, and checks everything that its handler relies on.
    async fn prepare(
        &self,
        context: &mut Context,
        path: &'static str,
        params: PathParams,
        parts: &Parts,
        body: Body,
    ) -> Result<&'static Route, Stop> {
        context.load(&parts.headers).map_err(PageError::from)?;
        let params = params.map_err(|_| PageError::NotFound)?;
        let route = self.route(path, &parts.method)?;
        let page = &route.page;
        context.set_page(page, &params);
        if context.is_suspended && !opens_always(page) {
            return Err(PageError::Suspended.into());
        }
        if page.verb != Verb::Show {
            // A form with files is taken from whoever may send it alone.
            let is_theirs =
                context.holds(page.authority) || route.knows_writer.is_some_and(|knows| knows(context));
            let bytes_max = page.form_bytes_max.min(if is_theirs { usize::MAX } else { TEXT_BYTES_MAX });
            let Received { bytes, share } =
                self.read(parts, body, bytes_max).await.map_err(PageError::Body)?;
            context.set_form(Form::read(&parts.headers, bytes).await?, share);
        }
        let is_refused = page.verb == Verb::Act && !context.is_csrf_right();
        let kept = if is_refused || !context.holds(page.authority) {
            self.keep(context, parts, route, is_refused).await
        } else {
            None
        };
        if !context.is_signed_in_for(page.authority) {
            return Err(self.sign_in(context, parts, page, kept));
        }
        if page.authority.is_administrators()
            && context.needs_factor()
            && !WITHOUT_FACTOR.contains(&page.name)
        {
            return Err(Stop::Elsewhere(context.see_other(paths::OWN_PAGE)));
        }
        if !context.holds(page.authority) {
            return Err(PageError::Forbidden.into());
        }
        if page.authority.needs_account() && context.account.is_none() {
            return Err(PageError::NotFound.into());
        }
        if is_refused {
            return Err(match kept {
                // The form is of an earlier session, and its person may have to sign in again to see it.
                Some(kept) => Stop::Elsewhere(context.see_other(&kept)),
                None => PageError::Forged.into(),
            });
        }
        let is_export = page.is_export || (page.verb == Verb::Show && context.query.get("format") == "csv");
        if page.is_costly || is_export {
            let pages = if is_export { &self.exports } else { &self.costly };
            let permit = pages.take(&owners_of(context)).await;
            let permit = permit.ok_or(PageError::Busy { retry_secs: costly::RETRY_SECS })?;
            context.set_permit(permit);
        }
        Ok(route)
    }

    /// Keeps the form of somebody whose session has ended. Returns the path on which it comes back, if that is a page of
    /// its own.
    async fn keep(
        &self,
        context: &Context,
        parts: &Parts,
        route: &'static Route,
        is_refused: bool,
    ) -> Option<String> {
        if let Some(keep) = route.keep {
            keep(context).await;
            return None;
        }
        let person = context.session().ok().map(|session| session.person);
        let is_somebody_elses = person.is_some() && context.form_person() != person;
        // Whoever is signed in and may not open the page has typed in vain.
        if is_somebody_elses || (!is_refused && context.is_signed_in_for(route.page.authority)) {
            return None;
        }
        typed::keep(context, &route.page, &whole_path(context, parts)).await
    }

    fn route(&self, path: &str, method: &Method) -> Result<&'static Route, PageError> {
        // HEAD is GET without the body, which the connection leaves out.
        let method = if *method == Method::HEAD { &Method::GET } else { method };
        let mut at_path = self.routes.iter().filter(|route| route.page.path == path);
        at_path.find(|route| route.page.verb.method() == *method).ok_or_else(|| {
            let at_path = self.routes.iter().filter(|route| route.page.path == path);
            let methods =
                at_path.map(|route| if route.page.verb == Verb::Show { "GET, HEAD" } else { "POST" });
            PageError::NotAllowed { allow: methods.collect::<Vec<_>>().join(", ") }
        })
    }

    async fn read(&self, parts: &Parts, body: Body, bytes_max: usize) -> Result<Received, bodies::BodyError> {
        let owner = bodies::stranger(client_addr(&parts.extensions));
        let (headers, extensions) = (&parts.headers, &parts.extensions);
        let expected = Expected { headers, extensions, owner, bytes_max };
        self.bodies.read(expected, body).await
    }

    /// The path on which the visitor signs in, if the table has such a page.
    ///
    /// It leads on to the form that was kept, if one was.
    fn sign_in(&self, context: &Context, parts: &Parts, page: &Page, kept: Option<String>) -> Stop {
        let is_there = |path: &&str| self.pages.iter().any(|other| other.path == *path);
        let Some(path) = page.authority.sign_in_path().filter(is_there) else {
            return PageError::SignInNeeded.into();
        };
        let next = kept.map_or_else(|| whole_path(context, parts), |kept| context.href(&kept));
        Stop::Elsewhere(context.see_other(&paths::with_next(path, &next)))
    }
}

/// The path of a request with its query, as links have it.
fn whole_path(context: &Context, parts: &Parts) -> String {
    let query = parts.uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    format!("{}{query}", context.href(&context.path))
}

/// The client, and the account that it is at, whose costly pages are counted.
fn owners_of(context: &Context) -> Vec<Owner> {
    let account = context.site.account.map(|account| Owner::Account(account.0));
    account.into_iter().chain([bodies::stranger(context.site.client)]).collect()
}

/// The pages for administrators who have yet to set up a factor that is asked for.
const WITHOUT_FACTOR: [&str; 2] = ["me", "login-again"];

/// Whether a page opens at a site whose account is suspended: those by which an administrator of the server, whose only
/// account it may be, signs in and resumes it.
fn opens_always(page: &Page) -> bool {
    let is_to_sign_in = [paths::LOGIN, paths::OWN_PAGE].iter().any(|path| page.path.starts_with(path));
    page.authority == Authority::ServerAdministrator || page.name == "assets" || is_to_sign_in
}

/// The reason why a handler does not run.
enum Stop {
    At(PageError),
    Elsewhere(Response),
}

impl From<PageError> for Stop {
    fn from(error: PageError) -> Stop {
        Stop::At(error)
    }
}

/// Runs a handler; its panic becomes an error like any other.
async fn guarded(mut answering: Pin<Box<dyn Future<Output = PageResult> + Send>>) -> PageResult {
    poll_fn(|task| match catch_unwind(AssertUnwindSafe(|| answering.as_mut().poll(task))) {
        Ok(poll) => poll,
        Err(panic) => {
            let words = panic.downcast_ref::<&str>().map(ToString::to_string);
            let words = words.or_else(|| panic.downcast_ref::<String>().cloned());
            let reason = format!("a handler panicked: {}", words.unwrap_or_default());
            Poll::Ready(Err(PageError::Internal(reason)))
        }
    })
    .await
}

/// The response by which the browser keeps its session's cookie longer, unless the page sets that cookie itself: signing
/// out removes it.
fn keeping(longer: Option<HeaderValue>, mut response: Response) -> Response {
    let name_of =
        |cookie: &HeaderValue| cookie.as_bytes().split(|byte| *byte == b'=').next().map(<[u8]>::to_vec);
    if let Some(cookie) = longer {
        let mut set = response.headers().get_all(header::SET_COOKIE).iter();
        if !set.any(|other| name_of(other) == name_of(&cookie)) {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
    }
    response
}

/// The response with the header fields of every page; an error becomes its page.
pub(super) fn finish(context: &Context, result: PageResult) -> Response {
    let mut response = result.unwrap_or_else(|error| error.into_page(context));
    context.finish(&mut response);
    for (name, value) in SECURITY_HEADERS {
        response.headers_mut().entry(name).or_insert(value);
    }
    response
}
