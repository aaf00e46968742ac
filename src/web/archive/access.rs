//! Opens the archive that a page is about, or says why not.
//!
//! A visitor who may not read an archive is answered the same whatever the path names. If the visitor may see the page
//! of the list, the answer is that the archive is for members, with the ways in ([`super::closed`]); otherwise that
//! there is nothing here, and, where a password opens the archive, where it is asked for.

use super::closed::{self, password_path};
use crate::model::{Account, List};
use crate::ops::archive::access::{self, Reader};
use crate::ops::lists::directory;
use crate::store::ReadTx;
use crate::web::context::Context;
use crate::web::error::{ClosedArchive, PageError};
use crate::web::paths::with_next;

/// An archive that the visitor may read.
pub(in crate::web) struct OpenArchive {
    /// The account of the list.
    pub(in crate::web) account: Account,
    /// The list.
    pub(in crate::web) list: List,
    /// The visitor.
    pub(in crate::web) reader: Reader,
    /// Whether the visitor sees addresses.
    pub(in crate::web) shows_addresses: bool,
    /// Whether everybody may read the archive.
    pub(in crate::web) is_public: bool,
}

impl OpenArchive {
    /// A path below the page of the list, as browsers must request it.
    pub(in crate::web) fn href(&self, context: &Context, path: &str) -> String {
        context.href(&format!("/lists/{}/{path}", self.list.name))
    }
}

/// Opens the archive of the list that the path names as `{name}`. Every page of an archive calls it before it reads
/// anything else.
pub(in crate::web) fn open(context: &Context, tx: &ReadTx) -> Result<OpenArchive, PageError> {
    let account = context.site_account()?.clone();
    let name = context.param("name");
    let list = access::find_list(tx, account.id, name)?.ok_or(PageError::NotFound)?;
    let is_canonical = list.name.as_str() == name;
    let Some(opened) = open_list(context, tx, account, list.clone())? else {
        return Err(refusal(context, tx, &list)?);
    };
    if is_canonical { Ok(opened) } else { Err(PageError::Moved(renamed(context, &list))) }
}

/// Opens the archive of the list that another server's address names, under any name that it had. It answers a visitor
/// who may not read it as [`open`] does.
pub(in crate::web) fn open_named(
    context: &Context,
    tx: &ReadTx,
    name: &str,
) -> Result<OpenArchive, PageError> {
    let account = context.site_account()?.clone();
    let list = access::find_list(tx, account.id, name)?.ok_or(PageError::NotFound)?;
    let opened = open_list(context, tx, account, list.clone())?;
    opened.map_or_else(|| Err(refusal(context, tx, &list)?), Ok)
}

/// The archive of a list, if the visitor may read it.
pub(in crate::web) fn open_list(
    context: &Context,
    tx: &ReadTx,
    account: Account,
    list: List,
) -> Result<Option<OpenArchive>, PageError> {
    let reader = context.reader(tx)?;
    if !access::may_read(tx, &list, &reader)? {
        return Ok(None);
    }
    let shows_addresses = access::shows_addresses(tx, &list, &reader)?;
    let is_public = access::is_public(&list);
    Ok(Some(OpenArchive { account, list, reader, shows_addresses, is_public }))
}

/// The answer to a visitor who may not read the archive of a list.
fn refusal(context: &Context, tx: &ReadTx, list: &List) -> Result<PageError, PageError> {
    let reader = context.reader(tx)?;
    let knows_list = directory::find(tx, context.site_account()?, list.name.as_str(), &reader)?.is_some();
    if knows_list && access::opens_to_some(list) {
        return Ok(PageError::MembersArchive(Box::new(ClosedArchive::of(context, list))));
    }
    let password = access::asks_password(list)
        .then(|| with_next(&password_path(context, list), &closed::asked_for(context)));
    Ok(PageError::ClosedArchive { password })
}

/// The requested path and query, below the present name of the list.
fn renamed(context: &Context, list: &List) -> String {
    // `/lists/NAME/rest`
    let rest = context.path.splitn(4, '/').nth(3).unwrap_or_default();
    let query = context.raw_query.as_ref().map(|query| format!("?{query}")).unwrap_or_default();
    context.href(&format!("/lists/{}/{rest}{query}", list.name))
}
