//! What plain HTTP answers while there is HTTPS: proofs for an authority that gives certificates, and what tells other
//! programs whether the server is well. All else is sent to HTTPS.
//!
//! A redirect leads to a host of this server alone, whatever host a request names, so that nobody uses it to lead people
//! elsewhere.

use std::sync::Arc;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::uri::PathAndQuery;
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Redirect, Response};
use tokio::sync::{Notify, watch};

use super::certificate::Keeper;
use super::sockets::Addresses;
use crate::acme::{Acme, CHALLENGE_PATH, Doors, Tokens};
use crate::http::is_secure;
use crate::ops::domains::sites::known_host;
use crate::service::Core;
use crate::web;

/// The port of HTTPS that URLs do not name.
const HTTPS_PORT: u16 = 443;
/// The paths that stay where other programs look for them.
const STAYING: [&str; 2] = ["/healthz", "/readyz"];

/// The state of plain HTTP.
#[derive(Clone)]
pub(super) struct Plain {
    core: Core,
    /// The port by which clients reach HTTPS; none if there is no HTTPS.
    https_port: Option<u16>,
    /// Where an authority finds this server.
    doors: Doors,
    /// The proofs that an authority may ask for; none if no certificates are ordered.
    tokens: Option<Arc<Tokens>>,
}

impl Plain {
    pub(super) fn new(core: &Core, addresses: &Addresses) -> Plain {
        // Where `--base-url` names HTTPS, its port is the one that the world sees, whichever this machine has for it.
        let public = core.config.base_url.as_deref().and_then(port_of_https);
        let https_port = addresses.https.map(|address| public.unwrap_or(address.port()));
        let doors = Doors { http: addresses.http.clone(), https: addresses.https };
        let tokens = core.config.tls.acme.as_ref().map(|_| Arc::default());
        Plain { core: core.clone(), https_port, doors, tokens }
    }

    /// The port by which clients reach HTTPS, if there is any.
    pub(super) fn https_port(&self) -> Option<u16> {
        self.https_port
    }

    /// Starts to order certificates, if the operator wants that; returns what wakes it.
    pub(super) fn order(
        &self,
        core: &Core,
        keeper: &Arc<Keeper>,
        stopping: &watch::Receiver<bool>,
    ) -> Option<Arc<Notify>> {
        let (acme, wake) = Acme::new(
            core.clone(),
            self.tokens.clone()?,
            self.doors.clone(),
            keeper.shown(),
            Arc::clone(keeper) as Arc<dyn crate::acme::Shelf>,
        )?;
        tokio::spawn(acme.run(stopping.clone()));
        Some(wake)
    }

    /// The answers of plain HTTP, of which the pages and the API are part only if there is no HTTPS.
    pub(super) fn around(&self, pages: Router) -> Router {
        if self.https_port.is_none() && self.tokens.is_none() {
            return pages;
        }
        pages.layer(middleware::from_fn_with_state(Arc::new(self.clone()), answer))
    }

    /// The pages and the API, with the proofs that an authority asks for.
    pub(super) fn answer_challenges(&self, pages: Router) -> Router {
        Plain { https_port: None, ..self.clone() }.around(pages)
    }

    /// The proof that a path asks for; `None` if it is no such path.
    fn proof(&self, path: &str) -> Option<Response> {
        let (tokens, token) = (self.tokens.as_ref()?, path.strip_prefix(CHALLENGE_PATH)?);
        Some(match tokens.find(token) {
            Some(proof) => ([(header::CONTENT_TYPE, "application/octet-stream")], proof).into_response(),
            None => (StatusCode::NOT_FOUND, "there is no such challenge\n").into_response(),
        })
    }

    /// Leads a request to the host that it names if that is one of this server's, else to the host of links; the same
    /// method again.
    fn redirect(&self, port: u16, uri: &Uri, headers: &HeaderMap) -> Option<Redirect> {
        let named = uri.authority().map(hyper::http::uri::Authority::as_str);
        let named = named.or_else(|| headers.get(header::HOST)?.to_str().ok());
        let core = &self.core;
        let known = named.and_then(|named| {
            let tx = core.store.read().ok()?;
            known_host(&tx, &core.config, named).ok()?
        });
        let path = uri.path_and_query().map_or("/", PathAndQuery::as_str);
        let port = if port == HTTPS_PORT { String::new() } else { format!(":{port}") };
        if let Some(host) = known {
            return Some(Redirect::permanent(&format!("https://{host}{port}{path}")));
        }
        // Browsers keep a permanent one, and this host may be one of this server's tomorrow.
        let base: Uri = core.links.base_url().parse().ok()?;
        Some(Redirect::temporary(&format!("https://{}{port}{path}", base.host()?)))
    }
}

async fn answer(State(plain): State<Arc<Plain>>, request: Request, next: Next) -> Response {
    if let Some(proof) = plain.proof(request.uri().path()) {
        return proof;
    }
    let stays = STAYING.contains(&request.uri().path()) || is_secure(request.extensions());
    // An old host may have no certificate yet; it is led on to HTTPS at once.
    let port = plain
        .https_port
        .filter(|_| !stays && !web::is_old_host(&plain.core, request.uri(), request.headers()));
    let Some(port) = port else { return next.run(request).await };
    match plain.redirect(port, request.uri(), request.headers()) {
        Some(redirect) => redirect.into_response(),
        None => (StatusCode::MISDIRECTED_REQUEST, "ask by HTTPS\n").into_response(),
    }
}

/// The port of a URL of HTTPS.
fn port_of_https(url: &str) -> Option<u16> {
    let uri: Uri = url.parse().ok()?;
    (uri.scheme_str() == Some("https")).then(|| uri.port_u16().unwrap_or(HTTPS_PORT))
}
