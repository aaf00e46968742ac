//! Tells search engines which pages there are: a map of the public archives of an account, and where it is.

use std::fmt::Write as _;
use std::sync::Arc;

use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Response};

use super::download::number;
use super::feed::escape;
use crate::model::{List, ListId};
use crate::ops::archive::months::Month;
use crate::ops::archive::sitemap::{self, FILES_MAX, MapFile};
use crate::web::context::{Context, blocking};
use crate::web::error::{PageError, PageResult};

/// The file that has the pages of the lists themselves.
const LISTS_FILE: &str = "lists.xml";

/// `GET /robots.txt`
pub(in crate::web) fn robots(context: &Context) -> PageResult {
    let mut text = String::from("User-agent: *\n");
    for folder in ["/members/", "/admin/", "/api/"] {
        let _ = writeln!(text, "Disallow: {}", context.href(folder));
    }
    let tx = context.read()?;
    if let Some(account) = &context.account
        && !sitemap::lists(&tx, account.id, 1)?.is_empty()
    {
        let links = context.core.links.of(&tx, account.id)?;
        let _ = writeln!(text, "\nSitemap: {}/sitemap.xml", links.base());
    }
    Ok(([(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"))], text)
        .into_response())
}

/// `GET /sitemap.xml`: the files of the map.
pub(in crate::web) async fn index(context: Arc<Context>) -> PageResult {
    blocking(&context, |context| {
        let account = context.site_account()?;
        let tx = context.read()?;
        let files = sitemap::files(&tx, account.id, &context.locale().zone)?;
        if sitemap::lists(&tx, account.id, 1)?.is_empty() {
            return Err(PageError::NotFound);
        }
        let base = context.core.links.of(&tx, account.id)?.base().to_owned();
        drop(tx);
        let of_months = files.iter().map(|file| format!("{base}/sitemap/{}", name_of(file)));
        let all = std::iter::once(format!("{base}/sitemap/{LISTS_FILE}")).chain(of_months).take(FILES_MAX);
        Ok(xml("sitemapindex", "sitemap", all))
    })
    .await
}

/// `GET /sitemap/{file}`: the pages of lists, or of a month of one.
pub(in crate::web) async fn file(context: Arc<Context>) -> PageResult {
    blocking(&context, |context| {
        let account = context.site_account()?;
        let tx = context.read()?;
        let base = context.core.links.of(&tx, account.id)?.base().to_owned();
        let page = |list: &List| format!("{base}/lists/{}/", list.name);
        if context.param("file") == LISTS_FILE {
            let lists = sitemap::lists(&tx, account.id, FILES_MAX)?;
            if lists.is_empty() {
                return Err(PageError::NotFound);
            }
            return Ok(xml("urlset", "url", lists.iter().map(page)));
        }
        let file = file_of(context.param("file"))?;
        let list = sitemap::list(&tx, account.id, file.list)?.ok_or(PageError::NotFound)?;
        let threads = sitemap::threads(&tx, &list, file, &context.locale().zone)?;
        let page = page(&list);
        let month = (file.part == 0).then(|| format!("{page}months/{}/", file.month));
        let threads = threads.iter().map(|thread| format!("{page}threads/{thread}/"));
        Ok(xml("urlset", "url", month.into_iter().chain(threads)))
    })
    .await
}

/// The name of a file of the map: `12-2026-11-0.xml`.
fn name_of(file: &MapFile) -> String {
    let MapFile { list, month, part } = file;
    format!("{list}-{month}-{part}.xml")
}

fn file_of(name: &str) -> Result<MapFile, PageError> {
    let (list, rest) =
        name.strip_suffix(".xml").and_then(|name| name.split_once('-')).ok_or(PageError::NotFound)?;
    let (month, part) = rest.rsplit_once('-').ok_or(PageError::NotFound)?;
    let month = Month::parse(month).ok_or(PageError::NotFound)?;
    Ok(MapFile { list: ListId(number(list)?), month, part: number(part)? })
}

/// A file of the map, as the protocol of sitemaps (sitemaps.org) has it.
fn xml(root: &str, element: &str, addresses: impl Iterator<Item = String>) -> Response {
    let mut xml = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<{root} xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">\n"
    );
    for address in addresses {
        let _ = write!(xml, "<{element}><loc>");
        escape(&address, &mut xml);
        let _ = writeln!(xml, "</loc></{element}>");
    }
    let _ = writeln!(xml, "</{root}>");
    let kind = HeaderValue::from_static("application/xml; charset=utf-8");
    let cache = HeaderValue::from_static("public, max-age=3600");
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, cache)], xml).into_response()
}
