//! The page with everything that waits for a decision: held messages, people who want to join or leave, new lists.
//!
//! Several are decided at once. What somebody else decided first stays, and the answer says who that was. A small script
//! takes keys; everything works without it.

use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::http::StatusCode;

use super::decided::{Decided, Kind, Told, found};
use super::sender::{self, SenderWords};
use crate::locale::{self, text};
use crate::mail::reason::ReasonKind;
use crate::model::pending::PendingKind;
use crate::model::{Held, HeldAction, HeldId, HeldState, Language, Pending, PendingId, Permission, UndoId};
use crate::ops::lists;
use crate::ops::lists::pending::{self as requests, RequestsOf};
use crate::ops::moderation;
use crate::ops::moderation::moderators::{REASON_CHARS_MAX, reason_of};
use crate::ops::moderation::senders::{self, DECIDED_AT_ONCE_MAX, PageAction};
use crate::ops::moderation::waiting::{self, HeldFilter};
use crate::ops::paging::{Start, newest, window_of};
use crate::ops::{OpError, Page, PageRequest};
use crate::store::ReadTx;
use crate::web::admin::lists::head::{self, Head, Tab as ListTab};
use crate::web::admin::messages::index::{list_name, subject_of};
use crate::web::admin::parts::listing::{Asked, Listing, ListingView, newest_shown, selected};
use crate::web::admin::parts::undo::{self, UndoView};
use crate::web::admin::people::index::list_names;
use crate::web::context::{Context, blocking};
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;
use crate::web::moderation::held_already;
use crate::web::{approval, assets};

/// Held messages, and requests, on a page.
const ROWS_PER_PAGE: usize = 25;
/// Larger messages are not shown in the listing, but on their own pages.
const PREVIEW_BYTES_MAX: u64 = 256 << 10;

#[derive(Template)]
#[template(path = "admin_approvals.html", config = "src/web/askama.toml")]
struct ApprovalsPage {
    frame: Frame,
    csrf: String,
    problems: FieldProblems,
    /// The last action.
    told: Option<Told>,
    undo: Option<UndoView>,
    /// The head of the list to which the page is narrowed.
    head: Option<Head>,
    listing: ListingView,
    /// The part of a sender's address that the messages are narrowed to.
    from: String,
    /// The words for a decision on all messages of the filter; `None` where one page has them all.
    all: Option<String>,
    /// The number of the newest held message.
    newest: u64,
    /// The kinds of things that wait, of which one is shown.
    tabs: Vec<Tab>,
    kind: Kind,
    held: Vec<HeldRow>,
    /// The requests of people, or for new lists.
    requests: Vec<RequestRow>,
    requests_pager: Pager,
    held_count: u64,
    reasons: Vec<String>,
    reason: String,
    reason_label: String,
    reason_chars_max: usize,
    /// Who reads the reason differs from list to list, so it is not said here.
    reason_hint: &'static str,
}

/// One kind of things that wait.
struct Tab {
    href: String,
    words: String,
    count: u64,
    is_current: bool,
}

/// The links to the neighbouring pages of one kind.
#[derive(Default)]
struct Pager {
    before: Option<String>,
    after: Option<String>,
}

impl Pager {
    /// The neighbours of a page of requests of a kind.
    fn of(kind: Kind, page: u64, count: u64) -> Pager {
        let limit = u64::try_from(ROWS_PER_PAGE).unwrap_or(u64::MAX);
        let to = |page: u64| format!("?kind={}&requests={page}", kind.word());
        Pager {
            before: (1 < page).then(|| to(page - 1)),
            after: (page.saturating_mul(limit) < count).then(|| to(page + 1)),
        }
    }
}

/// A held message in the listing.
struct HeldRow {
    id: u64,
    href: String,
    subject: String,
    from: String,
    list: String,
    /// When it came, beside now, and exactly.
    time: String,
    exact: String,
    datetime: String,
    size: String,
    sender: SenderWords,
    preview: Option<String>,
    is_selected: bool,
    /// The reason in the form of this message alone, if it came back.
    reason: String,
}

/// A request in the listing.
struct RequestRow {
    id: u64,
    title: String,
    address: String,
    name: String,
    facts: Vec<(String, String)>,
    time: String,
    exact: String,
    datetime: String,
    is_selected: bool,
    /// The reason in the form of this request alone, if it came back.
    reason: String,
}

/// `GET /admin/approvals/`
pub(in crate::web) async fn page(context: Arc<Context>) -> PageResult {
    // Reading messages must not block other requests.
    blocking(&context, |context| {
        let told = match context.query.get("done") {
            "forget" => Some(Told::words(text!(context.language, "desk-reason-forgotten"))),
            _ => Decided::read(context).map(|decided| decided.told(context)).transpose()?,
        };
        show(context, StatusCode::OK, FieldProblems::default(), told)
    })
    .await
}

/// The search and the filters of held messages; some are also parameters of `PUT /held/`.
const LISTING: Listing = Listing { filters: &["list", "from", "reason", "age"], sorts: &["received"] };

/// How long the messages of a filter have waited at least, by the words of the address.
const AGES: [(&str, Duration); 3] = [
    ("day", Duration::from_hours(24)),
    ("week", Duration::from_hours(7 * 24)),
    ("month", Duration::from_hours(30 * 24)),
];

/// The filter in the address; `None` if it names a list that does not exist for the administrator.
fn filter_of(context: &Context, tx: &ReadTx, asked: &Asked) -> Result<Option<HeldFilter>, PageError> {
    let list = match asked.filter("list") {
        "" => None,
        name => match found(lists::id_of(tx, context.administrator()?, name))? {
            Some(id) => Some(id),
            None => return Ok(None),
        },
    };
    let (reason, age) = (asked.filter("reason"), asked.filter("age"));
    let kind = ReasonKind::from_word(reason);
    let least = AGES.iter().find(|(word, _)| *word == age);
    // A word that the page does not know finds nothing: what is decided of all that is found is not decided of everything.
    if (!reason.is_empty() && kind.is_none()) || (!age.is_empty() && least.is_none()) {
        return Ok(None);
    }
    Ok(Some(HeldFilter {
        list,
        from: asked.filter("from").to_owned(),
        search: asked.search.clone(),
        reason: kind,
        before: least.map(|(_, age)| context.core.now().before(*age)),
    }))
}

/// The held messages that a page shows.
struct HeldPart {
    rows: Vec<HeldRow>,
    count: u64,
}

/// The page of held messages that is asked for; without its rows on the page of another kind.
fn held_part(context: &Context, tx: &ReadTx, asked: &Asked, is_shown: bool) -> Result<HeldPart, PageError> {
    let caller = context.administrator()?;
    let page = if let Start::Page(page) = asked.start { page } else { 1 };
    let window = PageRequest::Page { page, limit: ROWS_PER_PAGE };
    if !is_shown {
        let first = PageRequest::Page { page: 1, limit: 1 };
        let count = moderation::list(tx, caller, HeldState::Held, first)?.count;
        return Ok(HeldPart { rows: Vec::new(), count });
    }
    let filter = filter_of(context, tx, asked)?;
    let Page { rows, count } = match &filter {
        Some(filter) if filter.is_blank() => moderation::list(tx, caller, HeldState::Held, window)?,
        Some(filter) => {
            let all = waiting::found(tx, caller, filter)?;
            let count = all.len() as u64;
            Page { rows: window_of(all, window, |held| held.id.0), count }
        }
        None => Page { rows: Vec::new(), count: 0 },
    };
    let rows = rows.into_iter().map(|held| held_row(context, tx, &held)).collect::<Result<_, PageError>>()?;
    Ok(HeldPart { rows, count })
}

/// The neighbours of a page of held messages, of `count` in all.
fn held_pager(asked: &Asked, count: u64) -> Pager {
    let page = if let Start::Page(page) = asked.start { page } else { 1 };
    let to = |page: u64| asked.query(&[("page", &page.to_string())]);
    let shown = page.saturating_mul(u64::try_from(ROWS_PER_PAGE).unwrap_or(u64::MAX));
    Pager { before: (1 < page).then(|| to(page - 1)), after: (shown < count).then(|| to(page + 1)) }
}

/// The words for a decision on all messages of the filter, unless this page has them all.
fn all_words(language: Language, count: u64, shown: usize) -> Option<String> {
    let most = u64::try_from(DECIDED_AT_ONCE_MAX).unwrap_or(u64::MAX);
    let is_more = u64::try_from(shown).unwrap_or(u64::MAX) < count;
    is_more.then(|| {
        if count <= most {
            text!(language, "desk-all-found", count = count)
        } else {
            text!(language, "desk-first-found", count = count, most = most)
        }
    })
}

/// The search and the filters of held messages.
fn listing_view(context: &Context, tx: &ReadTx, asked: &Asked, count: u64) -> Result<ListingView, PageError> {
    let language = context.language;
    let mut listing = asked.view_by_number(context, count);
    listing.search_label = text!(language, "desk-held-search");
    let names = list_names(context, tx)?.into_iter().map(|name| (name.clone(), name));
    let (label, all) = (text!(language, "approval-list"), text!(language, "desk-all-lists"));
    listing.filters.push(asked.filter_view("list", label, all, names));
    let (label, all) = (text!(language, "desk-held-reason"), text!(language, "desk-all-reasons"));
    let reasons = ReasonKind::ALL.map(|kind| (kind.word().to_owned(), kind.told(language)));
    listing.filters.push(asked.filter_view("reason", label, all, reasons));
    let (label, all) = (text!(language, "desk-held-age"), text!(language, "desk-any-age"));
    let [day, week, month] = AGES.map(|(word, _)| word.to_owned());
    let ages = [
        (day, text!(language, "desk-older-day")),
        (week, text!(language, "desk-older-week")),
        (month, text!(language, "desk-older-month")),
    ];
    listing.filters.push(asked.filter_view("age", label, all, ages));
    listing.csv = String::new();
    Ok(listing)
}

fn show(context: &Context, status: StatusCode, problems: FieldProblems, told: Option<Told>) -> PageResult {
    let tx = context.read()?;
    let caller = context.administrator()?;
    let kind = kind_of(context);
    let asked = LISTING.read(context)?;
    let HeldPart { rows: held, count: held_count } = held_part(context, &tx, &asked, kind == Kind::Messages)?;
    let decides_lists = caller.holds(Permission::AccountAdmin);
    if kind == Kind::Lists && !decides_lists {
        return Err(PageError::Forbidden);
    }
    // Only those of the kind that is shown are read; of the others there is the number.
    let list_head = head::of_filter(context, &tx, asked.filter("list"), ListTab::Approvals)?;
    let list =
        if list_head.is_some() { Some(lists::id_of(&tx, caller, asked.filter("list"))?) } else { None };
    let people_count = match list {
        Some(list) => waiting::requests_of_list(&tx, caller.account, list)?,
        None => waiting::requests_of(&tx, caller, RequestsOf::People)?,
    };
    let lists_count = if decides_lists { waiting::requests_of(&tx, caller, RequestsOf::Lists)? } else { 0 };
    let mut shown = match kind {
        Kind::Messages => Vec::new(),
        Kind::People => requests::waiting(&tx, caller, RequestsOf::People)?,
        Kind::Lists => requests::waiting(&tx, caller, RequestsOf::Lists)?,
    };
    shown.retain(|pending| list.is_none_or(|list| pending.list == list));
    let number = |name: &str| context.query.get(name).parse::<u64>().ok().filter(|page| 0 < *page);
    let page = number("requests").unwrap_or(1);
    let requests_pager = match kind {
        Kind::Messages => held_pager(&asked, held_count),
        Kind::People | Kind::Lists => Pager::of(kind, page, shown.len() as u64),
    };
    let shown = window_of(shown, PageRequest::Page { page, limit: ROWS_PER_PAGE }, |pending| pending.id.0);
    let rows = shown.iter().map(|pending| request_row(context, &tx, pending));
    let waiting = Counts { messages: held_count, people: people_count, lists: lists_count };
    let page = ApprovalsPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        problems,
        told,
        undo: UndoView::read(context, &tx)?,
        listing: listing_view(context, &tx, &asked, held_count)?,
        from: asked.filter("from").to_owned(),
        all: all_words(context.language, held_count, held.len()),
        newest: newest::<Held>(&tx)?,
        tabs: tabs(context, kind, waiting, (decides_lists, list_head.as_ref())),
        head: list_head,
        kind,
        held,
        requests: rows.collect::<Result<_, _>>()?,
        requests_pager,
        held_count,
        reasons: senders::kept_reasons(&tx, caller)?,
        reason: context.form.get("reason").to_owned(),
        reason_label: text!(context.language, "desk-reason-all"),
        reason_chars_max: REASON_CHARS_MAX,
        reason_hint: "",
    };
    context.html(status, &page).map(assets::with_script)
}

/// The kind of things that the page is about: that of the form, else that of the address.
fn kind_of(context: &Context) -> Kind {
    let form = &context.form;
    Kind::of(if form.is_empty() { context.query.get("kind") } else { form.get("kind") })
}

/// How many things of each kind wait.
#[derive(Debug, Clone, Copy)]
struct Counts {
    messages: u64,
    people: u64,
    lists: u64,
}

fn tabs(
    context: &Context,
    current: Kind,
    counts: Counts,
    (decides_lists, of_list): (bool, Option<&Head>),
) -> Vec<Tab> {
    let language = context.language;
    let query = |kind: Kind| match (of_list, kind) {
        (None, kind) => kind.query(),
        (Some(head), Kind::Messages) => format!("?list={}", head.name),
        (Some(head), kind) => format!("{}&list={}", kind.query(), head.name),
    };
    let Counts { messages, people, lists } = counts;
    let tab = |kind: Kind, words: String, count: u64| Tab {
        href: context.href(&format!("/admin/approvals/{}", query(kind))),
        words,
        count,
        is_current: kind == current,
    };
    let mut tabs = vec![
        tab(Kind::Messages, text!(language, "desk-held-messages"), messages),
        tab(Kind::People, text!(language, "desk-people-waiting"), people),
    ];
    // A new list is none of another list's.
    if decides_lists && of_list.is_none() {
        tabs.push(tab(Kind::Lists, text!(language, "desk-lists-waiting"), lists));
    }
    tabs
}

fn held_row(context: &Context, tx: &ReadTx, held: &Held) -> Result<HeldRow, PageError> {
    let list = list_name(tx, held.list)?;
    let is_small = held.size_bytes <= PREVIEW_BYTES_MAX;
    let preview = if is_small { moderation::preview(tx, held)? } else { None };
    let id = held.id.0;
    let sender = sender::of(context, tx, held, &list)?;
    Ok(HeldRow {
        id,
        href: context.href(&format!("/admin/approvals/{id}/")),
        subject: subject_of(context.language, &held.subject),
        from: moderation::notices::display(&held.from_phrase, &held.from),
        list,
        time: context.locale().near(held.received, context.core.now()),
        exact: context.locale().moment(held.received),
        datetime: held.received.rfc3339(),
        size: locale::size(context.language, held.size_bytes),
        sender,
        preview,
        is_selected: is_selected(context, Kind::Messages, id),
        reason: context.form.get(&format!("reason-{id}")).to_owned(),
    })
}

/// Whether the form that comes back had selected this. All messages of one sender are selected at first.
fn is_selected(context: &Context, kind: Kind, id: u64) -> bool {
    if context.form.is_empty() {
        return kind == Kind::Messages && !context.query.get("from").is_empty();
    }
    let id = id.to_string();
    Kind::of(context.form.get("kind")) == kind && context.form.all("id").any(|other| other == id)
}

fn request_row(context: &Context, tx: &ReadTx, pending: &Pending) -> Result<RequestRow, PageError> {
    let language = context.language;
    let list = requests::list_name(tx, pending)?;
    let (title, kind) = match pending.kind {
        PendingKind::Subscription => (text!(language, "approval-join-title", list = &list), Kind::People),
        PendingKind::Unsubscription => (text!(language, "approval-leave-title", list = &list), Kind::People),
        PendingKind::List => (text!(language, "approval-list-title", list = &list), Kind::Lists),
    };
    Ok(RequestRow {
        id: pending.id.0,
        title,
        address: pending.email.as_ref().map(|address| address.as_str().to_owned()).unwrap_or_default(),
        name: pending.name.clone(),
        facts: approval::evidence_facts(context, tx, pending)?,
        time: context.locale().near(pending.requested, context.core.now()),
        exact: context.locale().moment(pending.requested),
        datetime: pending.requested.rfc3339(),
        is_selected: is_selected(context, kind, pending.id.0),
        reason: context.form.get(&format!("reason-{}", pending.id)).to_owned(),
    })
}

/// `POST /admin/approvals/`: decides about what is selected, or about the one whose own button was pressed.
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    let language = context.language;
    if context.form.get("action") == "forget" {
        return forget_reason(&context).await;
    }
    // The buttons of one message are named for it: `approve-17`.
    let (word, ids) = match context.form.get("one").split_once('-') {
        Some((word, id)) => (word, vec![id.parse().map_err(|_| PageError::BadRequest)?]),
        None if context.form.has("all") => (context.form.get("action"), all_found(&context).await?),
        None => (context.form.get("action"), selected(&context)?),
    };
    let kind = Kind::of(context.form.get("kind"));
    let action = PageAction::from_word(word);
    let is_known = match kind {
        Kind::Messages => action.is_some(),
        Kind::People | Kind::Lists => HeldAction::from_word(word).is_some(),
    };
    let Some(action) = action.filter(|_| is_known) else {
        return refuse(&context, "buttons", text!(language, "problem-no-button")).await;
    };
    if ids.is_empty() {
        return refuse(&context, "buttons", text!(language, "desk-select-first")).await;
    }
    let outcome = match kind {
        Kind::Messages => decide_messages(&context, &ids, action).await?,
        Kind::People | Kind::Lists => decide_requests(&context, &ids, action.decision()).await?,
    };
    finish(&context, action, kind, outcome).await
}

/// The messages of the filter in the address, at most as many as are decided at once.
async fn all_found(context: &Arc<Context>) -> Result<Vec<u64>, PageError> {
    if Kind::of(context.form.get("kind")) != Kind::Messages {
        return Err(PageError::BadRequest);
    }
    blocking(context, |context| {
        let tx = context.read()?;
        let asked = LISTING.read(context)?;
        let Some(filter) = filter_of(context, &tx, &asked)? else { return Ok(Vec::new()) };
        let newest = newest_shown(context)?;
        let found = waiting::found(&tx, context.administrator()?, &filter)?;
        let ids = found.into_iter().map(|held| held.id.0).filter(|id| *id <= newest);
        Ok(ids.take(DECIDED_AT_ONCE_MAX).collect())
    })
    .await
}

/// The result of decisions on several things.
#[derive(Default)]
pub(in crate::web::admin) struct Outcome {
    /// Those that were decided.
    pub(in crate::web::admin) done: Vec<u64>,
    /// A sentence about each of the others.
    pub(in crate::web::admin) refused: Vec<String>,
    /// Whether somebody else had decided about one.
    pub(in crate::web::admin) is_conflict: bool,
    /// The action by which what was said of senders is undone.
    pub(in crate::web::admin) undo: Option<UndoId>,
}

impl Outcome {
    /// The status, and a problem of `field` for each that was not decided.
    pub(in crate::web::admin) fn refusal(self, field: &str) -> (StatusCode, FieldProblems) {
        let status = if self.is_conflict { StatusCode::CONFLICT } else { StatusCode::BAD_REQUEST };
        let mut problems = FieldProblems::default();
        for text in self.refused {
            problems.add(field, text);
        }
        (status, problems)
    }
}

/// Answers with what was done, or with what was not.
pub(super) async fn finish(
    context: &Arc<Context>,
    action: PageAction,
    kind: Kind,
    mut outcome: Outcome,
) -> PageResult {
    let decided = Decided::of(action, kind, std::mem::take(&mut outcome.done));
    if outcome.refused.is_empty() {
        // The search and the filters stay.
        let kept = LISTING.read(context)?.query(&[]);
        let kept = kept.strip_prefix('?').filter(|kept| !kept.is_empty());
        let kept = kept.map(|kept| format!("&{kept}")).unwrap_or_default();
        let undo = undo::field(outcome.undo);
        return Ok(context.see_other(&format!("/admin/approvals/{}{undo}{kept}", decided.query())));
    }
    let (status, problems) = outcome.refusal("buttons");
    blocking(context, move |context| {
        let told = if decided.is_empty() { None } else { Some(decided.told(context)?) };
        show(context, status, problems, told)
    })
    .await
}

async fn refuse(context: &Arc<Context>, field: &'static str, problem: String) -> PageResult {
    let problems = FieldProblems::one(field, problem);
    blocking(context, move |context| show(context, StatusCode::BAD_REQUEST, problems, None)).await
}

/// The reason that the form gives: the words beside the one thing that it is about, else its own words, else the kept
/// ones that were chosen. Those that are to be kept are.
async fn reason(context: &Arc<Context>, ids: &[u64]) -> Result<Option<String>, PageError> {
    let beside = match ids {
        [id] if context.form.has("one") => context.form.get(&format!("reason-{id}")),
        _ => "",
    };
    let own = if beside.trim().is_empty() { context.form.get("reason") } else { beside };
    let own = own.split_whitespace().collect::<Vec<_>>().join(" ");
    let words = if own.is_empty() { context.form.get("answer").to_owned() } else { own };
    let reason = reason_of(&words);
    if let Some(reason) = reason.clone()
        && context.form.has("keep")
    {
        let keeping = context
            .core
            .perform(context.administrator()?, move |tx, by| {
                senders::keep_reason(tx, &by.caller, &reason, by.now)
            })
            .await;
        keeping?;
    }
    Ok(reason)
}

async fn forget_reason(context: &Arc<Context>) -> PageResult {
    let reason = context.form.get("answer").to_owned();
    let caller = context.administrator()?;
    context
        .core
        .perform(caller, move |tx, by| senders::forget_reason(tx, &by.caller, &reason, by.now))
        .await?;
    Ok(context.see_other("/admin/approvals/?done=forget"))
}

/// Decides about held messages, one after the other.
pub(in crate::web::admin) async fn decide_messages(
    context: &Arc<Context>,
    ids: &[u64],
    action: PageAction,
) -> Result<Outcome, PageError> {
    let caller = context.administrator()?;
    let reason = if action == PageAction::Reject { reason(context, ids).await? } else { None };
    let mut outcome = Outcome::default();
    let held: Vec<HeldId> = ids.iter().copied().map(HeldId).collect();
    let undo = match action {
        PageAction::Ban | PageAction::Allow => Some(undo::of_press(context)),
        PageAction::Approve | PageAction::Reject | PageAction::Discard => None,
    };
    outcome.undo = undo;
    for (id, decided) in context.core.decide_many(caller, &held, (action, undo), reason.as_deref()).await {
        let refused = match decided {
            Ok(_) => {
                outcome.done.push(id.0);
                continue;
            }
            Err(OpError::Conflict { .. }) => {
                outcome.is_conflict = true;
                let tx = context.read()?;
                let held = moderation::get(&tx, caller, id)?;
                let already = held_already(context, &tx, &held)?;
                let subject = subject_of(context.language, &held.subject);
                text!(context.language, "desk-decided-before", what = subject, already = already)
            }
            Err(OpError::Invalid { .. }) => text!(context.language, "desk-no-sender"),
            // One that is unknown alone is no page; among others, they count.
            Err(OpError::NotFound { .. }) if 1 < ids.len() => text!(context.language, "desk-gone"),
            Err(error) => return Err(error.into()),
        };
        outcome.refused.push(refused);
    }
    Ok(outcome)
}

/// Decides about requests, one after the other.
pub(in crate::web::admin) async fn decide_requests(
    context: &Arc<Context>,
    ids: &[u64],
    action: HeldAction,
) -> Result<Outcome, PageError> {
    let caller = context.administrator()?;
    let reason = if action == HeldAction::Reject { reason(context, ids).await? } else { None };
    let mut outcome = Outcome::default();
    for id in ids.iter().copied().map(PendingId) {
        let refused = match context.core.decide_pending(caller, id, action, reason.clone()).await {
            Ok(_) => {
                outcome.done.push(id.0);
                continue;
            }
            Err(OpError::Conflict { .. }) => {
                outcome.is_conflict = true;
                let tx = context.read()?;
                let pending = requests::get(&tx, caller, id)?;
                let already = approval::told_already(context, &tx, &pending)?;
                let (name, value) = approval::fact(context.language, &pending);
                let what = format!("{name}: {value}");
                text!(context.language, "desk-decided-before", what = what, already = already)
            }
            Err(OpError::Invalid { .. } | OpError::AddressBookFull { .. }) => {
                text!(context.language, "approval-impossible")
            }
            Err(OpError::NotFound { .. }) if 1 < ids.len() => text!(context.language, "desk-gone"),
            Err(error) => return Err(error.into()),
        };
        outcome.refused.push(refused);
    }
    Ok(outcome)
}
