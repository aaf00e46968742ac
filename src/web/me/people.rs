//! The other members, as far as members see one another: of all lists, or of one.

use std::sync::Arc;

use askama::Template;

use crate::locale::text;
use crate::model::{ContactId, Person, Words};
use crate::ops::people::memberview::{self, PageStart, ShownMember};
use crate::web::context::{Context, blocking};
use crate::web::error::{PageError, PageResult};
use crate::web::frame::Frame;

/// Characters of a search that are looked at.
const SEARCH_CHARS_MAX: usize = 200;

#[derive(Template)]
#[template(path = "people.html", config = "src/web/askama.toml")]
struct PeoplePage {
    frame: Frame,
    /// The list whose members they are; blank for those of all lists.
    list: String,
    search: String,
    action: String,
    with_email: bool,
    people: Vec<PersonRow>,
    is_cut: bool,
    /// The queries of the neighbouring pages.
    before: Option<String>,
    after: Option<String>,
}

/// One member.
struct PersonRow {
    name: String,
    address: String,
    is_self: bool,
}

/// `GET /members/people/` and `GET /members/lists/{name}/people/`
pub(in crate::web) async fn page(context: Arc<Context>) -> PageResult {
    blocking(&context, |context| context.show(&people(context)?)).await
}

fn people(context: &Context) -> Result<PeoplePage, PageError> {
    let Person::Member(viewer) = context.session()?.person else { return Err(PageError::SignInNeeded) };
    let name = Some(context.param("name")).filter(|name| !name.is_empty());
    let tx = context.read()?;
    let visible = memberview::visible_members(&tx, viewer, name)?;
    let search: String = context.query.get("search").trim().chars().take(SEARCH_CHARS_MAX).collect();
    let question = Words::of_question(&search);
    let (members, before, after, is_cut) = if search.is_empty() {
        let found = memberview::list(&tx, &visible, page_start(context)?)?;
        let before = found.before.map(|contact| format!("before={contact}"));
        (found.rows, before, found.after.map(|contact| format!("after={contact}")), false)
    } else {
        let page = context.query.get("page");
        let page: u64 = if page.is_empty() { 1 } else { page.parse().map_err(|_| PageError::BadRequest)? };
        let found = memberview::search(&tx, &visible, &question, page)?;
        let encoded = percent_encoding::utf8_percent_encode(&search, percent_encoding::NON_ALPHANUMERIC);
        let neighbour = |page: u64| format!("search={encoded}&page={page}");
        let before = (1 < page).then(|| neighbour(page - 1));
        (found.rows, before, found.is_more.then(|| neighbour(page + 1)), found.is_cut)
    };
    Ok(PeoplePage {
        frame: Frame::of(context),
        list: visible.list.map(|list| list.title().to_owned()).unwrap_or_default(),
        search,
        action: context.href(&context.path),
        with_email: visible.with_email,
        people: members.into_iter().map(|member| row(context, viewer, member)).collect(),
        is_cut,
        before,
        after,
    })
}

/// The page that a link of another page leads to.
fn page_start(context: &Context) -> Result<PageStart, PageError> {
    let read = |name: &str| {
        let text = Some(context.query.get(name)).filter(|text| !text.is_empty());
        text.map(|text| text.parse().map(ContactId).map_err(|_| PageError::BadRequest)).transpose()
    };
    Ok(match (read("after")?, read("before")?) {
        (Some(contact), _) => PageStart::After(contact),
        (None, Some(contact)) => PageStart::Before(contact),
        (None, None) => PageStart::First,
    })
}

fn row(context: &Context, viewer: ContactId, member: ShownMember) -> PersonRow {
    let ShownMember { contact, name, address } = member;
    let address = address.map(|address| address.as_str().to_owned()).unwrap_or_default();
    let name = match (name.is_empty(), address.is_empty()) {
        (true, true) => text!(context.language, "people-nameless"),
        _ => name,
    };
    PersonRow { name, address, is_self: contact == viewer }
}
