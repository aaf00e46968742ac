//! Finds the site of every request for a page, once, before its path is routed.
//!
//! The [`Site`](crate::ops::domains::sites::Site) is stored in the extensions of the request, from which its
//! [`Context`](super::context::Context) takes it. The path that routes see is the one below the site's root. A host that
//! belongs to no account has no pages.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::Uri;
use axum::middleware::Next;
use axum::response::Response;

use super::assets;
use super::error::PageError;
use super::head::authority_of;
use super::serve::{Web, to_slash};
use crate::http::{TooManyRequests, check_client, client_addr};
use crate::ops::domains::sites::{self, OwnHost, Target};

/// A layer around all pages, as each account has them below its root.
pub(super) async fn find(State(web): State<Arc<Web>>, mut request: Request, next: Next) -> Response {
    if check_client(request.extensions()).is_err() {
        let retry_secs = TooManyRequests::RETRY_SECS;
        return web.refuse(&request.into_parts().0, PageError::TooMany { retry_secs });
    }
    let path = request.uri().path();
    if path.starts_with(assets::FOLDER) || path == assets::ICON {
        return next.run(request).await;
    }
    let authority = authority_of(request.uri(), request.headers());
    let client = client_addr(request.extensions());
    let target = web.core.store.read().and_then(|tx| {
        let target = sites::find(&tx, &OwnHost::of(&web.core.config), authority, path, client)?;
        Ok(target.map(|Target { site, path }| (site, path.to_owned())))
    });
    let (site, path) = match target {
        Ok(Some(target)) => target,
        Ok(None) => return web.refuse(&request.into_parts().0, PageError::UnknownHost),
        Err(error) => return web.refuse(&request.into_parts().0, error.into()),
    };
    if path.is_empty() {
        return to_slash("", request.uri());
    }
    if !site.root.is_empty() {
        let Some(uri) = below_root(&path, request.uri().query()) else {
            return web.refuse(&request.into_parts().0, PageError::UnknownHost);
        };
        *request.uri_mut() = uri;
    }
    request.extensions_mut().insert(site);
    next.run(request).await
}

fn below_root(path: &str, query: Option<&str>) -> Option<Uri> {
    let path = match query {
        Some(query) => format!("{path}?{query}"),
        None => path.to_owned(),
    };
    path.parse().ok()
}
