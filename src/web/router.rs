//! Makes the router of a table of pages: every path leads to [`serve`](super::serve), behind the layer that finds the site
//! ([`site`]).

use std::sync::Arc;

use axum::extract::Request;
use axum::response::Response;
use axum::routing::any;
use axum::{Router, middleware};

use super::serve::{PathParams, Web, to_slash};
use super::site;
use super::table::Route;
use crate::http::bodies::Bodies;
use crate::ops::domains::sites::Site;
use crate::service::Core;

/// The routes of a table, which every account has below its root, and the response for every other path: where it leads
/// if it is an address that another server had.
pub fn router_of(core: Core, bodies: Bodies, table: &'static [Route]) -> Router {
    let web = Arc::new(Web::new(core, bodies, table));
    let mut router = Router::new();
    let mut paths: Vec<&'static str> = table.iter().map(|route| route.page.path).collect();
    paths.sort_unstable();
    paths.dedup();
    for path in paths {
        let web = Arc::clone(&web);
        let answer = move |params: PathParams, request: Request| {
            let web = Arc::clone(&web);
            async move { web.answer(path, params, request).await }
        };
        router = router.route(path, any(answer));
    }
    for path in without_slash(table) {
        router = router.route(path, any(add_slash));
    }
    let nowhere = Arc::clone(&web);
    let router = router.fallback(move |request: Request| {
        let web = Arc::clone(&nowhere);
        async move { web.answer_elsewhere(request) }
    });
    Router::new().fallback_service(router).layer(middleware::from_fn_with_state(web, site::find))
}

/// The paths of the pages without the slash at their end.
fn without_slash(table: &'static [Route]) -> Vec<&'static str> {
    let stripped = table.iter().filter_map(|route| route.page.path.strip_suffix('/'));
    let mut paths: Vec<&str> = stripped.filter(|path| !path.is_empty()).collect();
    paths.sort_unstable();
    paths.dedup();
    paths.retain(|path| !table.iter().any(|route| route.page.path == *path));
    paths
}

/// Answers a path that lacks the slash at its end.
async fn add_slash(request: Request) -> Response {
    let root = request.extensions().get::<Site>().map(|site| site.root.as_str());
    to_slash(root.unwrap_or_default(), request.uri())
}
