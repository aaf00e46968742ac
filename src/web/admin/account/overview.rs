//! The first page of administrators: what needs them, the first steps of a new account, their lists, what is well, posts
//! and people over time, and what happened lately.

use std::sync::Arc;
use std::time::Duration;

use askama::Template;

use super::lately::{self, Line};
use crate::locale::{number, text};
use crate::model::figures::DayFigures;
use crate::model::{AccountDomain, Language, Permission};
use crate::ops::archive::months::Month;
use crate::ops::domains;
use crate::ops::server::overview::{self, FirstStep, ListFacts, MonthPosts, Overview, Waiting};
use crate::web::admin::parts::chart::{Chart, Kind, Point};
use crate::web::admin::parts::health::{self, Todo};
use crate::web::context::{Context, blocking};
use crate::web::error::{PageError, PageResult};
use crate::web::frame::Frame;

/// How long the DNS is waited for: the page says what else there is without it.
const DNS_WAIT: Duration = Duration::from_secs(2);
/// Points of the line, and the days between two of them once there are more.
const POINTS: usize = 12;

#[derive(Template)]
#[template(path = "admin_overview.html", config = "src/web/askama.toml")]
struct OverviewPage {
    frame: Frame,
    todo: Vec<Todo>,
    /// The first steps that are still to be taken: where, what and why.
    steps: Vec<(Option<String>, String, String)>,
    /// What is well, in a sentence; blank if nothing is known.
    well: String,
    lists: Vec<ListRow>,
    /// The page of all lists, if there are more.
    all_lists: Option<String>,
    charts: Vec<ChartPart>,
    lately: Vec<Line>,
    audit: Option<String>,
}

/// A list of the table.
struct ListRow {
    href: String,
    title: String,
    members: String,
    members_href: String,
    posts: String,
    /// The day of the newest post, with its exact time; none where there is no post.
    last: Option<(String, String)>,
    waiting: u64,
    waiting_href: String,
}

/// A chart with its table.
struct ChartPart {
    heading: String,
    chart: Chart,
    heads: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// `GET /admin/`
pub(in crate::web) async fn page(context: Arc<Context>) -> PageResult {
    let caller = context.administrator()?;
    if context.account.is_none() {
        // The server's own host is no account's: its administrators have pages of their own.
        let place = context.offered("/admin/server/").or_else(|| context.offered("/admin/me/"));
        return place.map(|href| context.lead_to(&href)).ok_or(PageError::NotFound);
    }
    if caller.require_read().is_err() {
        return context.offered("/admin/me/").map(|href| context.lead_to(&href)).ok_or(PageError::Forbidden);
    }
    let wrong = wrong_domains(&context).await?;
    blocking(&context, move |context| context.show(&shown(context, wrong.as_deref())?)).await
}

/// The domains of the account whose records are wrong in the DNS; `None` if that is not known, or not the caller's.
async fn wrong_domains(context: &Context) -> Result<Option<Vec<String>>, PageError> {
    let (core, caller) = (&context.core, context.administrator()?);
    if !caller.holds(Permission::AccountAdmin) || caller.limits.lists().is_some() || !core.dns.has_answered()
    {
        return Ok(None);
    }
    let domains: Vec<AccountDomain> = domains::of_account(&context.read()?, caller.account)?;
    let asking = tokio::time::timeout(DNS_WAIT, core.dns.statuses(&domains));
    let Ok(statuses) = asking.await else { return Ok(None) };
    let is_wrong = |domain: &&AccountDomain| {
        statuses.get(&domain.name).is_some_and(|status| !(status.mx && status.spf && status.dkim))
    };
    Ok(Some(domains.iter().filter(is_wrong).map(|domain| domain.name.to_string()).collect()))
}

fn shown(context: &Context, wrong: Option<&[String]>) -> Result<OverviewPage, PageError> {
    let (caller, now) = (context.administrator()?, context.core.now());
    let tx = context.read()?;
    let found = overview::of_account(&tx, caller, now)?;
    let (mut todo, mut well) = (todo(context, &found), Vec::new());
    match wrong {
        None => {}
        Some([]) => well.push(text!(context.language, "overview-well-dns")),
        Some(wrong) => todo.push(Todo {
            count: number(context.language, wrong.len() as u64),
            words: text!(context.language, "overview-dns", count = wrong.len()),
            detail: wrong.join(", "),
            href: context.offered("/admin/settings/domains/"),
            is_bad: true,
        }),
    }
    if health::is_shown(context, &tx)? {
        let server = health::of_server(context, &tx)?;
        todo.extend(server.todo);
        well.extend(server.well);
    }
    let mut charts = Vec::new();
    if found.posts.iter().any(|month| 0 < month.posts) {
        charts.push(posts_chart(context, &found.posts));
    }
    charts.extend(people_chart(context, &found.people));
    Ok(OverviewPage {
        frame: Frame::of(context),
        steps: steps(context, &found, wrong.is_some_and(|wrong| !wrong.is_empty())),
        well: health::well_words(context.language, &well, todo.is_empty()),
        todo,
        lists: found.lists.iter().map(|facts| list_row(context, facts)).collect(),
        all_lists: context.offered("/admin/lists/").filter(|_| found.has_more_lists),
        charts,
        lately: lately::lines(context, &tx)?,
        audit: context.offered("/admin/audit/"),
    })
}

/// The first steps of the account that are still to be taken: where, what and why.
fn steps(context: &Context, found: &Overview, is_dns_wrong: bool) -> Vec<(Option<String>, String, String)> {
    let language = context.language;
    let mut steps = Vec::new();
    // An account at work is told of its records above.
    if is_dns_wrong && found.steps.contains(&FirstStep::Message) {
        steps.push((
            context.offered("/admin/settings/domains/"),
            text!(language, "overview-step-dns"),
            text!(language, "overview-step-dns-hint"),
        ));
    }
    let step = |step: &FirstStep| match step {
        FirstStep::List => (
            context.offered("/admin/lists/new/"),
            text!(language, "overview-step-list"),
            text!(language, "overview-step-list-hint"),
        ),
        FirstStep::People => (
            context.offered("/admin/people/import/"),
            text!(language, "overview-step-people"),
            text!(language, "overview-step-people-hint"),
        ),
        FirstStep::Message => (
            context.offered("/admin/messages/new/"),
            text!(language, "overview-step-message"),
            text!(language, "overview-step-message-hint"),
        ),
        FirstStep::Helper => (
            context.offered("/admin/administrators/"),
            text!(language, "overview-step-helper"),
            text!(language, "overview-step-helper-hint"),
        ),
        FirstStep::Factor => (
            context.offered("/admin/me/"),
            text!(language, "overview-step-factor"),
            text!(language, "overview-step-factor-hint"),
        ),
    };
    steps.extend(found.steps.iter().map(step));
    steps
}

fn list_row(context: &Context, facts: &ListFacts) -> ListRow {
    let (language, locale, now) = (context.language, context.locale(), context.core.now());
    let ListFacts { list, members, posts, last, waiting } = facts;
    let path = context.href(&format!("/admin/lists/{}/", list.name));
    let members_href = format!("{path}members/");
    // Whoever may not change settings has no use for their page.
    let changes = context.administrator().is_ok_and(|caller| caller.holds(Permission::ManageSettings));
    ListRow {
        href: if changes { path } else { members_href.clone() },
        members_href,
        title: list.title().to_owned(),
        members: number(language, *members),
        posts: number(language, *posts),
        last: last.map(|last| (locale.near(last, now), locale.moment(last))),
        waiting: waiting.unwrap_or(0),
        waiting_href: context.href(&format!("/admin/approvals/?list={}", list.name)),
    }
}

/// The matters in the account that need somebody.
fn todo(context: &Context, found: &Overview) -> Vec<Todo> {
    let (language, locale, now) = (context.language, context.locale(), context.core.now());
    let mut todo = Vec::new();
    let mut waiting = |waiting: Option<Waiting>, words: fn(Language, u64) -> String| {
        let Some(Waiting { count, oldest }) = waiting else { return };
        todo.push(Todo {
            count: number(language, count),
            words: words(language, count),
            detail: text!(language, "overview-oldest", time = locale.near(oldest, now)),
            href: context.offered("/admin/approvals/"),
            is_bad: false,
        });
    };
    waiting(found.held, |language, count| text!(language, "overview-held", count = count));
    waiting(found.pending, |language, count| text!(language, "overview-pending", count = count));
    if 0 < found.bouncing {
        todo.push(Todo {
            count: number(language, found.bouncing),
            words: text!(language, "overview-bouncing", count = found.bouncing),
            detail: text!(language, "overview-bouncing-hint"),
            href: context.offered("/admin/people/").map(|href| format!("{href}?state=bouncing")),
            is_bad: false,
        });
    }
    todo
}

fn posts_chart(context: &Context, posts: &[MonthPosts]) -> ChartPart {
    let language = context.language;
    let points: Vec<Point> = posts
        .iter()
        .map(|month| Point { label: month_label(language, month.month), value: month.posts })
        .collect();
    let (least, most) = ends(&points);
    let rows = posts.iter().rev().map(|month| {
        let year = month.month.year().to_string();
        let name = text!(language, "archive-month", month = month.month.number(), year = year);
        vec![name, number(language, month.posts)]
    });
    ChartPart {
        heading: text!(language, "overview-posts"),
        chart: Chart::new(
            "posts",
            text!(language, "overview-posts-title", least = least, most = most),
            Kind::Bars,
            &points,
        ),
        heads: vec![text!(language, "overview-month"), text!(language, "overview-posts-count")],
        rows: rows.collect(),
    }
}

/// A month below a chart: "Nov", with its year where that begins.
fn month_label(language: Language, month: Month) -> String {
    let short = text!(language, "archive-month-short", month = month.number());
    if month.number() == 1 { format!("{short} {}", month.year()) } else { short }
}

/// The chart of people; one day makes no line.
fn people_chart(context: &Context, days: &[DayFigures]) -> Option<ChartPart> {
    let (language, locale) = (context.language, context.locale());
    let zone = || locale.zone.clone();
    // Of a day, the last figures count.
    let date = |day: &DayFigures| day.time.in_zone(zone()).date();
    let mut last_of_days: Vec<&DayFigures> = Vec::new();
    for day in days {
        if last_of_days.last().is_some_and(|last| date(last) == date(day)) {
            last_of_days.pop();
        }
        last_of_days.push(day);
    }
    if last_of_days.len() < 2 {
        return None;
    }
    // The newest day is always shown, and the others lie equally far apart.
    let apart = last_of_days.len().div_ceil(POINTS).max(1);
    let mut chosen: Vec<&DayFigures> = last_of_days.into_iter().rev().step_by(apart).collect();
    chosen.reverse();
    let points: Vec<Point> = chosen
        .iter()
        .map(|day| {
            let date = date(day);
            let month = text!(language, "archive-month-short", month = date.month());
            Point {
                label: text!(language, "archive-day-short", day = date.day(), month = month),
                value: day.people,
            }
        })
        .collect();
    let (least, most) = ends(&points);
    let rows = chosen.iter().rev().map(|day| {
        vec![locale.day(day.time), number(language, day.people), number(language, day.memberships)]
    });
    Some(ChartPart {
        heading: text!(language, "overview-people"),
        chart: Chart::new(
            "people",
            text!(language, "overview-people-title", least = least, most = most),
            Kind::Line,
            &points,
        ),
        heads: vec![
            text!(language, "overview-day"),
            text!(language, "nav-people"),
            text!(language, "overview-memberships"),
        ],
        rows: rows.collect(),
    })
}

/// The least and the greatest value.
fn ends(points: &[Point]) -> (u64, u64) {
    let values = || points.iter().map(|point| point.value);
    (values().min().unwrap_or(0), values().max().unwrap_or(0))
}
