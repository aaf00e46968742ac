//! The queue of deliveries for administrators of the server, as `crier queue` shows and changes it.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use super::overview::{of_server, state_words};
use crate::locale::text;
use crate::model::{AuditAction, BatchId, Destination, Domain, Permission};
use crate::ops::accounts::manage::require_global;
use crate::ops::audit::{self, Note};
use crate::ops::delivery::queue_view::{self, BatchView, RELAY};
use crate::ops::queue::{self, Change, Effect, Filter, Scope, restored};
use crate::web::admin::parts::listing::selected;
use crate::web::context::{Context, blocking};
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;

/// Batches on a page.
const ROWS: usize = 50;
const PATH: &str = "/admin/server/queue/";

#[derive(Template)]
#[template(path = "admin_queue.html", config = "src/web/askama.toml")]
struct QueuePage {
    frame: Frame,
    csrf: String,
    problems: FieldProblems,
    told: Option<String>,
    server: String,
    destination: String,
    restored: Option<String>,
    rows: Vec<Row>,
    /// Whether the administrator may change the queue.
    may_change: bool,
    after: Option<String>,
}

/// A batch.
struct Row {
    id: u64,
    destination: String,
    what: String,
    state: String,
    waiting: u64,
    attempts: u32,
    due: String,
    reply: String,
}

/// `GET /admin/server/queue/`
pub(in crate::web) async fn page(context: Arc<Context>) -> PageResult {
    blocking(&context, |context| {
        let count = context.query.get("count").parse::<u64>().unwrap_or(0);
        let told = (context.query.get("done") == "changed")
            .then(|| text!(context.language, "desk-queue-changed", count = count));
        show(context, StatusCode::OK, FieldProblems::default(), told)
    })
    .await
}

/// The destination that the address asks for.
fn wanted(context: &Context) -> Option<Destination> {
    match context.query.get("destination").trim() {
        "" => None,
        word if word.eq_ignore_ascii_case(RELAY) => Some(Destination::Relay),
        // No batch goes to what is no domain.
        name => Some(Domain::parse(name).map_or_else(
            |_| Destination::Domain(name.to_owned()),
            |domain| Destination::Domain(domain.to_string()),
        )),
    }
}

fn show(context: &Context, status: StatusCode, problems: FieldProblems, told: Option<String>) -> PageResult {
    let tx = context.read()?;
    require_global(context.administrator()?)?;
    let filter = Filter { scope: Scope::Server, destination: wanted(context) };
    let after = context.query.get("after").parse().ok().map(BatchId);
    let page = queue_view::page(&tx, (&context.core.pauses, context.core.now()), &filter, after, ROWS)?;
    let restored = restored::find(&tx)?.map(|queue| {
        let moment = context.locale().moment(queue.point);
        text!(context.language, "desk-queue-restored", time = moment)
    });
    let destination = context.query.get("destination").trim().to_owned();
    let encoded =
        percent_encoding::utf8_percent_encode(&destination, percent_encoding::NON_ALPHANUMERIC).to_string();
    let shown = QueuePage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        problems,
        told,
        server: context.href("/admin/server/"),
        restored,
        rows: page.data.into_iter().map(|batch| row(context, batch)).collect(),
        may_change: context.administrator()?.holds(Permission::AccountAdmin),
        after: page.next.map(|next| format!("?after={next}&destination={encoded}")),
        destination,
    };
    context.html(status, &shown)
}

fn row(context: &Context, batch: BatchView) -> Row {
    let list = batch.list.unwrap_or_default();
    let what = batch.system_mail.unwrap_or(list);
    let moment = |text: String| {
        crate::clock::Timestamp::parse_rfc3339(&text).map_or(text, |time| context.locale().moment(time))
    };
    Row {
        id: batch.id,
        destination: batch.destination,
        what: format!("{} · {what}", batch.account),
        state: state_words(context, &batch.state.unwrap_or_default()),
        waiting: batch.waiting,
        attempts: batch.attempts,
        due: batch.due.map(moment).unwrap_or_default(),
        reply: batch.unreachable.or(batch.reply).unwrap_or_default(),
    }
}

/// `POST /admin/server/queue/`: retries, holds, releases or deletes what is selected.
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    let refuse = async |problem: String| {
        let problems = FieldProblems::one("buttons", problem);
        blocking(&context, |context| show(context, StatusCode::BAD_REQUEST, problems, None)).await
    };
    let (word, change) = match context.form.get("action") {
        "retry" => ("retry", Change::Retry),
        "hold" => ("hold", Change::Hold),
        "release" => ("release", Change::Release),
        "delete" => ("drop", Change::Drop),
        _ => return refuse(text!(context.language, "problem-no-button")).await,
    };
    let ids: Vec<BatchId> = selected(&context)?.into_iter().map(BatchId).collect();
    if ids.is_empty() {
        return refuse(text!(context.language, "desk-select-first")).await;
    }
    let caller = of_server(&context)?;
    let changing = context.core.perform_reserved(&caller, move |tx, by| -> Result<usize, PageError> {
        require_global(&by.caller)?;
        by.caller.require(Permission::AccountAdmin)?;
        let mut changed = Vec::new();
        for id in ids {
            if matches!(queue::change(tx, id, change, by.now)?, Effect::Done | Effect::AtTheEnd) {
                changed.push(id);
            }
        }
        if tx.has_changes() {
            let only = if let [BatchId(id)] = changed[..] { id } else { 0 };
            let detail = format!("{word}: {} batches", changed.len());
            let note = Note::new(AuditAction::QueueUpdated, only).detail(&detail);
            audit::note(tx, &by.caller, note, by.now)?;
        }
        Ok(changed.len())
    });
    let count = changing.await?;
    context.core.retry_now.notify_one();
    Ok(context.see_other(&format!("{PATH}?done=changed&count={count}")))
}
