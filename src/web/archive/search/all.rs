//! Searches all archives that a member may read at once.

use std::collections::HashMap;
use std::sync::Arc;

use askama::Template;

use super::{Found, Help, Hit, answer_with, ask, help, hit, in_turn, problem};
use crate::locale::text;
use crate::model::list::OriginalSenderMode;
use crate::model::{List, ListId, Message};
use crate::ops::archive::access;
use crate::ops::archive::excerpt::Marks;
use crate::ops::archive::find::SearchScope;
use crate::ops::lists::home;
use crate::ops::sessions;
use crate::web::archive::access::OpenArchive;
use crate::web::archive::show::Shower;
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};
use crate::web::frame::Frame;
use crate::web::paths::{MEMBERS, SEARCH};

#[derive(Template)]
#[template(path = "search_all.html", config = "src/web/askama.toml")]
struct SearchAllPage {
    frame: Frame,
    /// The path of this page.
    action: String,
    /// The path of the member's lists.
    members: String,
    q: String,
    /// The words for what is wrong with the query; blank if nothing is.
    problem: String,
    /// The hits; `None` if nothing was asked.
    found: Option<Found>,
    help: Vec<Help>,
    /// How many lists are searched, in words.
    lists: String,
}

/// `GET /search/`
pub(in crate::web) async fn page(context: Arc<Context>) -> PageResult {
    in_turn(context, answer).await
}

fn answer(context: &Context) -> PageResult {
    let tx = context.read()?;
    let contact = sessions::member_of(&tx, context.session()?)?.ok_or(PageError::SignInNeeded)?;
    let account = context.site_account()?;
    let reader = context.reader(&tx)?;
    let lists = home::readable(&tx, &contact, &reader)?;
    let open = |list: List| -> Result<(ListId, OpenArchive), PageError> {
        let shows_addresses = access::shows_addresses(&tx, &list, &reader)?;
        let (account, is_public) = (account.clone(), access::is_public(&list));
        let id = list.id;
        Ok((id, OpenArchive { account, reader: reader.clone(), shows_addresses, is_public, list }))
    };
    let archives =
        lists.into_iter().map(open).collect::<Result<HashMap<ListId, OpenArchive>, PageError>>()?;
    let mut ids: Vec<ListId> = archives.keys().copied().collect();
    ids.sort_unstable();
    let hides = |id: &&ListId| {
        archives.get(*id).is_some_and(|open| open.list.original_sender_mode == OriginalSenderMode::Hide)
    };
    let hidden_authors: Vec<ListId> = ids.iter().filter(hides).copied().collect();
    // A member of a list sees its addresses.
    let shows_addresses = archives.values().all(|open| open.shows_addresses);
    let scope =
        SearchScope { account: account.id, lists: &ids, shows_addresses, hidden_authors: &hidden_authors };
    let show = |message: &Message, marks: &Marks| -> Result<Hit, PageError> {
        let open = archives.get(&message.list).ok_or(PageError::NotFound)?;
        let shower = Shower::new(context, &tx, open)?;
        let list = open.list.title().to_owned();
        Ok(Hit { list, ..hit(context, &tx, &shower, marks, message)? })
    };
    let q = context.query.get("q").trim().to_owned();
    let (found, error) = ask(context, &tx, &scope, &q, &show)?;
    let language = context.language;
    let page = SearchAllPage {
        frame: Frame::of(context),
        action: context.href(SEARCH),
        members: context.href(MEMBERS),
        problem: error.as_ref().map(|error| problem(language, error)).unwrap_or_default(),
        help: help(language, error.as_ref()),
        lists: text!(language, "search-all-lists", count = ids.len()),
        found,
        q,
    };
    answer_with(context, &page, error.is_some())
}
