//! The members of a list: who they are and how they get its posts, new ones by their addresses, several of them removed:
//! `/admin/lists/{name}/members/`.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use super::head::{self, Head, Tab};
use super::index;
use super::loading::load;
use crate::locale::text;
use crate::model::{List, Membership, MembershipId, Permission, UndoId};
use crate::ops::OpError;
use crate::ops::paging::newest;
use crate::ops::people::adding::{Added, NewMember};
use crate::ops::people::browse::{self, PeopleFilter};
use crate::ops::people::contacts::ContactDetail;
use crate::ops::people::emails::EmailInput;
use crate::ops::people::memberships::MemberSettings;
use crate::ops::undo::actions::{self, Acted};
use crate::params::columns::split_name;
use crate::params::pasted::{self, Pasted};
use crate::service::rows::{Keeping, RowResult};
use crate::web::admin::parts::csv;
use crate::web::admin::parts::listing::{
    AT_ONCE_MAX, Asked, Listing, ListingView, SortHead, all_words, newest_shown, selected,
};
use crate::web::admin::parts::undo::{self, UndoView};
use crate::web::admin::people::index::{self as people, State};
use crate::web::assets;
use crate::web::context::{Context, blocking};
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;

/// Most people that one form adds.
const ADDED_MAX: usize = 1000;
/// Contacts that one part of a file reads.
const ROWS_PER_PART: usize = 500;

const LISTING: Listing = Listing { filters: &["state"], sorts: &["since", "name"] };

#[derive(Template)]
#[template(path = "admin_list_members.html", config = "src/web/askama.toml")]
struct MembersPage {
    frame: Frame,
    csrf: String,
    action: String,
    head: Head,
    problems: FieldProblems,
    told: Option<String>,
    undo: Option<UndoView>,
    listing: ListingView,
    /// How many there are, where that is known.
    count: Option<u64>,
    is_cut: bool,
    /// The words for an action on all members who are found; `None` where this page has them all.
    all: Option<String>,
    /// The number of the newest membership.
    newest: u64,
    since_head: SortHead,
    /// None where there are too many to sort them by name.
    name_head: Option<SortHead>,
    rows: Vec<Row>,
    may_change: bool,
    /// The people who were typed and not taken.
    emails: String,
    /// Whether one of them opted out, so that the page asks whether to add such people all the same.
    asks_override: bool,
}

struct Row {
    id: u64,
    name: String,
    addresses: Vec<String>,
    href: String,
    /// How posts of the list come, in words.
    how: String,
    /// Whether mail reaches the person.
    state: State,
    since: String,
}

/// `GET /admin/lists/{name}/members/`
pub(in crate::web) async fn page(context: Arc<Context>) -> PageResult {
    if LISTING.read(&context)?.is_csv {
        return file(&context).await;
    }
    blocking(&context, |context| {
        let told = told(context);
        show(context, StatusCode::OK, told, FieldProblems::default(), (String::new(), false))
    })
    .await
}

/// `POST /admin/lists/{name}/members/`
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    load(&context)?;
    context.administrator()?.require(Permission::ManageMembers)?;
    match context.form.get("action") {
        "remove" => remove(&context).await,
        "digest" => set_digest(&context).await,
        "" | "add" if context.form.has("emails") => add(&context).await,
        _ => {
            let words = text!(context.language, "problem-no-button");
            let problems = FieldProblems::one("emails", words);
            show(&context, StatusCode::BAD_REQUEST, None, problems, (String::new(), false))
        }
    }
}

fn told(context: &Context) -> Option<String> {
    let (language, query) = (context.language, &context.query);
    let number = |name: &str| query.get(name).parse::<u64>().unwrap_or(0);
    Some(match query.get("done") {
        "added" if number("known") == 0 => text!(language, "members-added", count = number("new")),
        "added" => {
            text!(language, "members-added-known", count = number("new"), known = number("known"))
        }
        "removed" => text!(language, "members-removed", count = number("count")),
        "digest" => text!(language, "members-digest-set", count = number("count")),
        _ => return None,
    })
}

/// The page of the members of a list.
fn path_of(list: &List) -> String {
    format!("{}members/", index::path_of(list.name.as_str()))
}

/// Adds the people of the form; nothing happens if a line is no address.
async fn add(context: &Context) -> PageResult {
    let language = context.language;
    let (detail, caller) = load(context)?;
    let typed = context.form.get("emails").replace("\r\n", "\n");
    let lines = pasted::people(&typed);
    let refuse = |words: String| {
        let problems = FieldProblems::one("emails", words);
        show(context, StatusCode::BAD_REQUEST, None, problems, (typed.clone(), false))
    };
    if lines.is_empty() {
        return refuse(text!(language, "members-none-typed"));
    }
    if ADDED_MAX < lines.len() {
        return refuse(text!(language, "members-too-many", count = ADDED_MAX));
    }
    let overrides_opt_out = context.form.has("override_opt_out");
    let digest = match context.form.get("digest") {
        "0" => Some(Some(false)),
        "1" => Some(Some(true)),
        _ => None,
    };
    let mut new = Vec::with_capacity(lines.len());
    for line in &lines {
        let Ok(address) = &line.address else {
            return refuse(text!(language, "members-wrong-line", line = &line.text));
        };
        let (firstname, surname) = split_name(&line.name);
        let email = EmailInput { address: Some(address.clone()), ..EmailInput::default() };
        let settings = MemberSettings { digest, ..MemberSettings::default() };
        new.push(NewMember { email, firstname, surname, settings, overrides_opt_out });
    }
    let name = detail.list.name.to_string();
    let rows = new.into_iter().map(Ok).collect();
    let action = undo::of_press(context);
    let added = context.core.submit_rows(caller, Keeping::EachNoted, rows, move |tx, caller, new, now| {
        actions::add_person(tx, caller, &name, new, action, now)
    });
    let done = added.await.await.rows.into_iter().map(RowResult::done).collect();
    say_added(context, &detail.list, action, &lines, done)
}

/// Leads back to the page if everybody is a member now; else shows who is not, and why.
fn say_added(
    context: &Context,
    list: &List,
    action: UndoId,
    lines: &[Pasted],
    done: Vec<Result<Added, OpError>>,
) -> PageResult {
    let language = context.language;
    let (mut added, mut known) = (0, 0);
    let (mut refused, mut kept, mut has_opted_out) = (FieldProblems::default(), Vec::new(), false);
    for (done, line) in done.into_iter().zip(lines) {
        match done {
            Ok(Added::Joined(_)) => added += 1,
            Ok(Added::MemberAlready(_)) => known += 1,
            Err(OpError::Store(error)) => return Err(error.into()),
            Err(error) => {
                has_opted_out |= matches!(error, OpError::OptedOut { .. });
                let words = error.say(&context.locale(), |_| None);
                refused.add("emails", text!(language, "set-problem", label = &line.text, problem = words));
                kept.push(line.text.as_str());
            }
        }
    }
    if kept.is_empty() {
        let path = path_of(list);
        let undo = undo::field((0 < added).then_some(action));
        return Ok(context.see_other(&format!("{path}?done=added&new={added}&known={known}{undo}")));
    }
    let told =
        (0 < added + known).then(|| text!(language, "members-added-known", count = added, known = known));
    show(context, StatusCode::BAD_REQUEST, told, refused, (kept.join("\n"), has_opted_out))
}

/// The selected memberships of the list, or all that the search and the filters find, at most as many as are changed at
/// once; those that ended meanwhile are left out.
fn chosen(context: &Context, list: &List) -> Result<Vec<MembershipId>, PageError> {
    let (caller, tx) = (context.administrator()?, context.core.store.read()?);
    if context.form.has("all") {
        let filter = filter_of(&LISTING.read(context)?, list);
        let found = browse::matching(&tx, caller, &filter, 0, AT_ONCE_MAX)?;
        let members = found.iter().flat_map(|detail| &detail.members);
        let newest = newest_shown(context)?;
        let ids = members.map(|member| &member.membership).filter(|membership| membership.list == list.id);
        return Ok(ids.map(|membership| membership.id).filter(|id| id.0 <= newest).collect());
    }
    Ok(actions::members_among(&tx, caller, list.id, &selected(context)?)?)
}

async fn remove(context: &Context) -> PageResult {
    let (detail, caller) = load(context)?;
    let ids = chosen(context, &detail.list)?;
    let job = context
        .core
        .perform_reserved(caller, move |tx, by| actions::remove_members(tx, &by.caller, &ids, by.now));
    none_or(context, &detail.list, job.await?, "removed")
}

async fn set_digest(context: &Context) -> PageResult {
    let (detail, caller) = load(context)?;
    let ids = chosen(context, &detail.list)?;
    let count = ids.len();
    let digest = match context.form.get("digest") {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    };
    let settings = MemberSettings { digest: Some(digest), ..MemberSettings::default() };
    let job = context
        .core
        .perform(caller, move |tx, by| actions::set_members(tx, &by.caller, &ids, settings, by.now));
    // Those who had it so already are told of as well.
    let acted = Acted { done: count, ..job.await? };
    none_or(context, &detail.list, acted, "digest")
}

/// Leads back to the page, which says what was done to how many.
fn none_or(context: &Context, list: &List, acted: Acted, done: &str) -> PageResult {
    let Acted { done: count, opted_out: _, action } = acted;
    if count == 0 {
        let problems = FieldProblems::one("members", text!(context.language, "members-none-selected"));
        return show(context, StatusCode::BAD_REQUEST, None, problems, (String::new(), false));
    }
    let undo = undo::field(action);
    Ok(context.see_other(&format!("{}?done={done}&count={count}{undo}", path_of(list))))
}

fn show(
    context: &Context,
    status: StatusCode,
    told: Option<String>,
    problems: FieldProblems,
    (emails, asks_override): (String, bool),
) -> PageResult {
    let language = context.language;
    let (detail, caller) = load(context)?;
    let list = &detail.list;
    let asked = LISTING.read(context)?;
    let filter = filter_of(&asked, list);
    let tx = context.core.store.read()?;
    let (mut listing, found) = people::found(context, &tx, &asked, &filter)?;
    let undo = UndoView::read(context, &tx)?;
    listing.search_label = text!(language, "members-search");
    listing.filters.push(people::state_filter(language, &asked));
    let is_few = found.count.is_some_and(|count| count <= browse::NAMED_MAX);
    let rows = found.page.rows.iter().filter_map(|contact| row(context, list, contact));
    let page = MembersPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(&path_of(list)),
        head: head::of(context, list, Tab::Members)?,
        problems,
        // Who was a member already is told beside the names of the others.
        told: told.filter(|_| undo.is_none() || !["", "0"].contains(&context.query.get("known"))),
        undo,
        all: all_words(language, found.count, &listing),
        newest: newest::<Membership>(&tx)?,
        rows: rows.collect(),
        listing,
        count: found.count,
        is_cut: found.is_cut,
        since_head: asked.head("since"),
        name_head: is_few.then(|| asked.head("name")),
        may_change: caller.holds(Permission::ManageMembers),
        emails,
        asks_override,
    };
    context.html(status, &page).map(assets::with_script)
}

/// The filter that the address asks for, among the members of a list.
fn filter_of(asked: &Asked, list: &List) -> PeopleFilter {
    PeopleFilter { list: Some(list.name.to_string()), ..people::filter_of(asked) }
}

fn row(context: &Context, list: &List, detail: &ContactDetail) -> Option<Row> {
    let language = context.language;
    let ContactDetail { contact, emails, members } = detail;
    let member = members.iter().find(|member| member.membership.list == list.id)?;
    let membership = &member.membership;
    let takes: Vec<bool> = emails.iter().filter(|email| !email.paused).map(|email| email.digest).collect();
    let how = match membership.digest {
        _ if membership.paused => text!(language, "admin-person-web-only"),
        _ if takes.is_empty() => String::new(),
        Some(true) => text!(language, "me-how-digest"),
        Some(false) => text!(language, "me-how-single"),
        None if takes.iter().all(|digest| *digest) => text!(language, "me-how-digest"),
        None if !takes.contains(&true) => text!(language, "me-how-single"),
        None => text!(language, "admin-person-how-address"),
    };
    Some(Row {
        id: membership.id.0,
        name: contact.name(),
        addresses: emails.iter().map(|email| email.address.to_string()).collect(),
        href: context.href(&format!("/admin/people/{}/", contact.id.0)),
        how,
        state: people::state(&context.locale(), detail),
        since: context.locale().day(membership.joined.when),
    })
}

/// The members as a CSV file.
async fn file(context: &Arc<Context>) -> PageResult {
    let (detail, caller) = load(context)?;
    let list = detail.list;
    csv::note_export(context, list.name.as_str(), "members").await?;
    let filter = filter_of(&LISTING.read(context)?, &list);
    let (caller, name) = (Arc::clone(caller), list.name.to_string());
    let mut after = 0;
    let head = ["email", "firstname", "surname", "digest", "paused"];
    Ok(csv::streamed(context, &format!("{name}-members"), &head, move |tx| {
        let found = browse::matching(tx, &caller, &filter, after, ROWS_PER_PART)?;
        let Some(end) = found.last() else { return Ok::<_, OpError>(None) };
        after = end.contact.id.0;
        let rows = found.iter().flat_map(|detail| {
            let ContactDetail { contact, emails, members } = detail;
            let member = members.iter().find(|member| member.membership.list == list.id);
            let digest = match member.and_then(|member| member.membership.digest) {
                None => "",
                Some(true) => "1",
                Some(false) => "0",
            };
            let is_paused = member.is_some_and(|member| member.membership.paused);
            emails.iter().map(move |email| {
                vec![
                    email.address.to_string(),
                    contact.firstname.clone(),
                    contact.surname.clone(),
                    digest.to_owned(),
                    is_paused.to_string(),
                ]
            })
        });
        Ok(Some(rows.collect()))
    }))
}
