//! Leads requests at the hosts on which other servers had the lists of accounts to the accounts' own pages. Nothing else
//! answers there: neither the API nor a page.
//!
//! No visitor is signed in there, so an address in an archive that is not for everybody leads to the same address of the
//! account's own host, whatever it names; there it is decided what the visitor gets to see.

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::head::{authority_of, moved};
use crate::ops::archive::access;
use crate::ops::archive::old_links::{self, Asked, Found, Lead};
use crate::ops::domains::old_names;
use crate::service::Core;
use crate::store::StoreError;

/// A layer around everything that this server answers.
pub async fn lead_on(State(core): State<Core>, request: Request, next: Next) -> Response {
    match location(&core, request.uri(), request.headers()) {
        Ok(None) => next.run(request).await,
        Ok(Some(location)) => moved(&location),
        Err(error) => {
            tracing::error!(error = %error, "An old host could not be looked up");
            StatusCode::SERVICE_UNAVAILABLE.into_response()
        }
    }
}

/// Whether a request is at a host from which requests are led on.
#[must_use]
pub fn is_old_host(core: &Core, uri: &Uri, headers: &HeaderMap) -> bool {
    let name = old_names::named(&core.config, authority_of(uri, headers));
    let find = |name| core.store.read().and_then(|tx| old_names::find(&tx, &name));
    name.is_some_and(|name| matches!(find(name), Ok(Some(_))))
}

/// Where a request leads; `None` if its host is no old one.
fn location(core: &Core, uri: &Uri, headers: &HeaderMap) -> Result<Option<String>, StoreError> {
    let host = old_names::named(&core.config, authority_of(uri, headers));
    let Some(host) = host else { return Ok(None) };
    let tx = core.store.read()?;
    let Some(name) = old_names::find(&tx, &host)? else { return Ok(None) };
    let links = core.links.of(&tx, name.account)?;
    let asked = Asked { host: Some(name.host.as_str()), path: uri.path(), query: uri.query() };
    let path = match old_links::lead(&tx, name.account, &asked)? {
        Some(Lead::Page(page)) if page.starts_with('/') => page,
        Some(Lead::Page(url)) => return Ok(Some(url)),
        Some(Lead::Archive { list, page }) => {
            let list = access::find_list(&tx, name.account, &list)?.filter(access::is_public);
            let found = list.as_ref().map(|list| old_links::in_archive(&tx, list, &page)).transpose()?;
            match (list, found) {
                (Some(list), Some(Found::At(below))) => format!("/lists/{}/{below}", list.name),
                _ => as_asked(uri),
            }
        }
        None => as_asked(uri),
    };
    Ok(Some(format!("{}{path}", links.base())))
}

fn as_asked(uri: &Uri) -> String {
    let query = uri.query().map(|query| format!("?{query}")).unwrap_or_default();
    format!("{}{query}", uri.path())
}
