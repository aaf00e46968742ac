//! The first page of administrators: what needs them, posts and people over time, and what happened lately.

use std::sync::Arc;
use std::time::Duration;

use askama::Template;

use crate::clock::Timestamp;
use crate::locale::{number, text};
use crate::model::figures::DayFigures;
use crate::model::{AccountDomain, AuditAction, AuditObject, Language, Permission};
use crate::ops::audit::log::{self, AuditFilter, ShownEntry};
use crate::ops::delivery::queue_view;
use crate::ops::server::overview::{self, MonthPosts, Overview, Waiting};
use crate::ops::{PageRequest, domains};
use crate::store::Condition;
use crate::web::admin::parts::audit_words;
use crate::web::admin::parts::chart::{Chart, Kind, Point};
use crate::web::context::{Context, blocking};
use crate::web::error::{PageError, PageResult};
use crate::web::frame::Frame;

/// How long the DNS is waited for: the page says what else there is without it.
const DNS_WAIT: Duration = Duration::from_secs(2);
/// Entries of the audit log.
const LATELY: usize = 10;
/// Points of the line, and the days between two of them once there are more.
const POINTS: usize = 12;
/// Before its end, a certificate needs somebody.
const CERTIFICATE_WARN: Duration = Duration::from_hours(14 * 24);
/// Destinations of the queue that are looked at.
const DESTINATIONS_MAX: usize = 1000;

#[derive(Template)]
#[template(path = "admin_overview.html", config = "src/web/askama.toml")]
struct OverviewPage {
    frame: Frame,
    todo: Vec<Todo>,
    charts: Vec<ChartPart>,
    lately: Vec<Entry>,
    audit: Option<String>,
}

/// Something that needs somebody.
struct Todo {
    count: String,
    words: String,
    detail: String,
    href: Option<String>,
    is_bad: bool,
}

/// A chart with its table.
struct ChartPart {
    heading: String,
    chart: Chart,
    heads: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// Something that happened.
struct Entry {
    machine: String,
    time: String,
    words: String,
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
    blocking(&context, move |context| context.show(&shown(context, &wrong)?)).await
}

/// The domains of the account whose records are wrong in the DNS, as far as the DNS answers in time.
async fn wrong_domains(context: &Context) -> Result<Vec<String>, PageError> {
    let (core, caller) = (&context.core, context.administrator()?);
    if !caller.holds(Permission::AccountAdmin) || caller.limits.lists().is_some() || !core.dns.has_answered()
    {
        return Ok(Vec::new());
    }
    let domains: Vec<AccountDomain> = domains::of_account(&context.read()?, caller.account)?;
    let asking = tokio::time::timeout(DNS_WAIT, core.dns.statuses(&domains));
    let Ok(statuses) = asking.await else { return Ok(Vec::new()) };
    let is_wrong = |domain: &&AccountDomain| {
        statuses.get(&domain.name).is_some_and(|status| !(status.mx && status.spf && status.dkim))
    };
    Ok(domains.iter().filter(is_wrong).map(|domain| domain.name.to_string()).collect())
}

fn shown(context: &Context, wrong: &[String]) -> Result<OverviewPage, PageError> {
    let (caller, now, language) = (context.administrator()?, context.core.now(), context.language);
    let tx = context.read()?;
    let found = overview::of_account(&tx, caller, now)?;
    let mut todo = todo(context, &found);
    if !wrong.is_empty() {
        todo.push(Todo {
            count: number(language, wrong.len() as u64),
            words: text!(language, "overview-dns", count = wrong.len()),
            detail: wrong.join(", "),
            href: context.offered("/admin/settings/domains/"),
            is_bad: true,
        });
    }
    if caller.is_global {
        todo.extend(of_server(context)?);
    }
    let mut charts = vec![posts_chart(context, &found.posts)];
    // One day makes no line.
    if 1 < found.people.len() {
        charts.push(people_chart(context, &found.people));
    }
    Ok(OverviewPage {
        frame: Frame::of(context),
        todo,
        charts,
        lately: lately(context)?,
        audit: context.offered("/admin/audit/"),
    })
}

/// The matters in the account that need somebody.
fn todo(context: &Context, found: &Overview) -> Vec<Todo> {
    let (language, locale) = (context.language, context.locale());
    let mut todo = Vec::new();
    let mut waiting = |waiting: Option<Waiting>, words: fn(Language, u64) -> String| {
        let Some(Waiting { count, oldest }) = waiting else { return };
        todo.push(Todo {
            count: number(language, count),
            words: words(language, count),
            detail: text!(language, "overview-oldest", time = locale.moment(oldest)),
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

/// The matters on the whole server that need somebody: the queue, the disk, the certificate.
fn of_server(context: &Context) -> Result<Vec<Todo>, PageError> {
    let (core, language) = (&context.core, context.language);
    let mut todo = Vec::new();
    let queue = queue_view::summary(&context.read()?, (&core.pauses, core.now()), DESTINATIONS_MAX)?;
    let stuck: Vec<&str> = queue
        .data
        .iter()
        .filter(|row| row.unreachable.is_some())
        .map(|row| row.destination.as_str())
        .collect();
    let one = || "!".to_owned();
    if !stuck.is_empty() {
        todo.push(Todo {
            count: number(language, stuck.len() as u64),
            words: text!(language, "overview-stuck", count = stuck.len()),
            detail: stuck.iter().take(5).copied().collect::<Vec<_>>().join(", "),
            href: context.offered("/admin/server/queue/"),
            is_bad: true,
        });
    }
    let disk = match core.store.condition() {
        Condition::Healthy => None,
        Condition::Full { free_bytes } => {
            Some(text!(language, "overview-disk-full", free = crate::locale::size(language, free_bytes)))
        }
        Condition::Failing { .. } => Some(text!(language, "overview-disk-failing")),
    };
    let server = || context.offered("/admin/server/");
    todo.extend(disk.map(|words| Todo {
        count: one(),
        words,
        detail: String::new(),
        href: server(),
        is_bad: true,
    }));
    let until = core.metrics.receiving.certificate_expiry.get([]);
    let until =
        i64::try_from(until).ok().filter(|until| 0 < *until).map(|until| Timestamp::from_ms(until * 1000));
    if let Some(until) = until.filter(|until| *until < core.now() + CERTIFICATE_WARN) {
        todo.push(Todo {
            count: one(),
            words: text!(language, "overview-certificate", day = context.locale().day(until)),
            detail: String::new(),
            href: server(),
            is_bad: true,
        });
    }
    Ok(todo)
}

fn posts_chart(context: &Context, posts: &[MonthPosts]) -> ChartPart {
    let language = context.language;
    let points: Vec<Point> = posts
        .iter()
        .map(|month| Point {
            label: format!("{}/{}", month.month.number(), month.month.year()),
            value: month.posts,
        })
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

fn people_chart(context: &Context, days: &[DayFigures]) -> ChartPart {
    let (language, locale) = (context.language, context.locale());
    // The newest day is always shown, and the others lie equally far apart.
    let apart = days.len().div_ceil(POINTS).max(1);
    let mut chosen: Vec<&DayFigures> = days.iter().rev().step_by(apart).collect();
    chosen.reverse();
    let zone = || locale.zone.clone();
    let points: Vec<Point> = chosen
        .iter()
        .map(|day| {
            let date = day.time.in_zone(zone()).date();
            Point { label: format!("{}.{}.", date.day(), date.month()), value: day.people }
        })
        .collect();
    let (least, most) = ends(&points);
    let rows = chosen.iter().rev().map(|day| {
        vec![locale.day(day.time), number(language, day.people), number(language, day.memberships)]
    });
    ChartPart {
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
    }
}

/// The least and the greatest value.
fn ends(points: &[Point]) -> (u64, u64) {
    let values = || points.iter().map(|point| point.value);
    (values().min().unwrap_or(0), values().max().unwrap_or(0))
}

/// The newest entries of the audit log, for whoever may read it.
fn lately(context: &Context) -> Result<Vec<Entry>, PageError> {
    let caller = context.administrator()?;
    let reads = caller.holds(Permission::AccountAdmin)
        && caller.limits.lists().is_none()
        && !caller.limits.hide_fields();
    if !reads {
        return Ok(Vec::new());
    }
    let tx = context.read()?;
    let window = PageRequest::Page { page: 1, limit: LATELY };
    let found = log::list(&tx, caller, &AuditFilter::default(), window)?;
    let locale = context.locale();
    let entry = |shown: &ShownEntry| Entry {
        machine: shown.entry.time().rfc3339(),
        time: locale.moment(shown.entry.time()),
        words: in_words(context.language, shown),
    };
    Ok(found.rows.iter().map(entry).collect())
}

/// An entry of the audit log as one line.
fn in_words(language: Language, shown: &ShownEntry) -> String {
    let actor = if shown.actor.is_empty() { text!(language, "lately-somebody") } else { shown.actor.clone() };
    let object = object_words(language, shown.entry.action.object());
    let Some(done) = done_words(language, shown.entry.action) else {
        let what = audit_words::action_words(language, shown.entry.action);
        let what = if shown.object.is_empty() { what } else { format!("{what} – {}", shown.object) };
        return text!(language, "audit-line", actor = actor, what = what);
    };
    if shown.object.is_empty() {
        return text!(language, "lately-line", actor = actor, object = object, done = done);
    }
    text!(language, "lately-line-of", actor = actor, object = object, name = &shown.object, done = done)
}

fn object_words(language: Language, object: AuditObject) -> String {
    match object {
        AuditObject::Contact => text!(language, "lately-contact"),
        AuditObject::Email => text!(language, "lately-email"),
        AuditObject::Membership => text!(language, "lately-membership"),
        AuditObject::List => text!(language, "lately-list"),
        AuditObject::Alias => text!(language, "lately-alias"),
        AuditObject::Message | AuditObject::Held => text!(language, "lately-message"),
        AuditObject::Thread => text!(language, "lately-thread"),
        AuditObject::Pending => text!(language, "lately-request"),
        AuditObject::Admin => text!(language, "lately-admin"),
        AuditObject::Account => text!(language, "lately-account"),
        AuditObject::Field => text!(language, "lately-field"),
        AuditObject::Domain => text!(language, "lately-domain"),
        AuditObject::Session => text!(language, "lately-session"),
        AuditObject::Export => text!(language, "lately-file"),
        _ => text!(language, "lately-server"),
    }
}

/// The action, as a verb that fits all kinds of things; `None` for what happens rarely.
fn done_words(language: Language, action: AuditAction) -> Option<String> {
    let word = action.word();
    Some(match word.rsplit('.').next().unwrap_or(word) {
        "created" => text!(language, "lately-created"),
        "updated" => text!(language, "lately-updated"),
        "deleted" => text!(language, "lately-deleted"),
        "imported" => text!(language, "lately-imported"),
        "published" | "written" => text!(language, "lately-published"),
        "approved" => text!(language, "lately-approved"),
        "rejected" => text!(language, "lately-rejected"),
        "discarded" => text!(language, "lately-discarded"),
        "started" | "sign_in" => text!(language, "lately-signed-in"),
        "ended" => text!(language, "lately-ended"),
        "export" => text!(language, "lately-exported"),
        _ => return None,
    })
}
