//! The first page about the server, for its administrators: its figures, and what was done lately.

use std::sync::Arc;

use askama::Template;

use crate::clock::Timestamp;
use crate::locale::text;
use crate::model::{AccountId, QueueState};
use crate::ops::accounts::{self, suspension};
use crate::ops::audit::log::{self, AuditFilter};
use crate::ops::delivery::queue_view;
use crate::ops::{Caller, OpError};
use crate::store::ReadTx;
use crate::web::admin::account::audit::{self, Row};
use crate::web::admin::parts::health::{self, Todo};
use crate::web::context::{Context, blocking};
use crate::web::error::{PageError, PageResult};
use crate::web::frame::Frame;

/// Entries of the log that the page shows.
const ENTRIES: usize = 20;
/// Destinations that the page shows.
const DESTINATIONS: usize = 10;

#[derive(Template)]
#[template(path = "admin_server.html", config = "src/web/askama.toml")]
struct ServerPage {
    frame: Frame,
    /// What needs somebody.
    todo: Vec<Todo>,
    /// What is well, in a sentence.
    well: String,
    facts: Vec<(String, String)>,
    accounts: String,
    keys: String,
    queue: String,
    destinations: Vec<Destination>,
    rows: Vec<Row>,
}

/// Copies that wait for one destination.
struct Destination {
    name: String,
    waiting: u64,
    /// Why it cannot be reached; blank if it can.
    unreachable: String,
}

/// The administrator as the actor of what is done to the server, and to none of its accounts.
pub(super) fn of_server(context: &Context) -> Result<Arc<Caller>, PageError> {
    Ok(Arc::new(context.administrator()?.at(AccountId::SERVER)))
}

/// `GET /admin/server/`
pub(in crate::web) async fn page(context: Arc<Context>) -> PageResult {
    blocking(&context, show).await
}

/// The words for a state of the queue.
pub(super) fn state_words(context: &Context, state: &str) -> String {
    let language = context.language;
    match QueueState::from_word(state) {
        Some(QueueState::Waiting) => text!(language, "desk-queue-waiting"),
        Some(QueueState::InFlight) => text!(language, "desk-queue-in-flight"),
        Some(QueueState::Held) => text!(language, "desk-queue-held"),
        Some(QueueState::Quarantined) => text!(language, "desk-queue-quarantined"),
        None => text!(language, "desk-queue-settled"),
    }
}

fn show(context: &Context) -> PageResult {
    let tx = context.read()?;
    let language = context.language;
    let accounts = accounts::all(&tx)?;
    let mut suspended = 0_u64;
    for account in &accounts {
        suspended += u64::from(suspension::of(&tx, account.id)?.is_some());
    }
    let summary = queue_view::summary(&tx, (&context.core.pauses, context.core.now()), DESTINATIONS)?;
    let number = |number: u64| crate::locale::number(language, number);
    let mut facts = vec![
        (text!(language, "desk-server-version"), env!("CARGO_PKG_VERSION").to_owned()),
        (text!(language, "desk-server-since"), since(context)),
        (text!(language, "desk-accounts"), number(accounts.len() as u64)),
        (text!(language, "desk-server-suspended"), number(suspended)),
    ];
    // Mail that is set aside or stopped is told of where there is some.
    let is_told =
        |state: &&queue_view::StateView| 0 < state.waiting || state.state == QueueState::Waiting.word();
    let states = summary.states.iter().filter(is_told);
    facts.extend(states.map(|state| {
        let name = text!(language, "desk-server-copies", state = state_words(context, &state.state));
        (name, number(state.waiting))
    }));
    let server = health::of_server(context, &tx)?;
    let destinations = summary.data.into_iter().map(|row| Destination {
        name: row.destination,
        waiting: row.waiting,
        unreachable: row.unreachable.unwrap_or_default(),
    });
    let page = ServerPage {
        frame: Frame::of(context),
        well: health::well_words(language, &server.well, server.todo.is_empty()),
        todo: server.todo,
        facts,
        accounts: context.href("/admin/server/accounts/"),
        keys: context.href("/admin/server/keys/"),
        queue: context.href("/admin/server/queue/"),
        destinations: destinations.collect(),
        rows: entries(context, &tx)?,
    };
    context.show(&page)
}

/// When the server started.
fn since(context: &Context) -> String {
    let seconds = context.core.metrics.standing.start_seconds.get([]);
    let started = Timestamp::from_ms(i64::try_from(seconds).unwrap_or(0).saturating_mul(1000));
    context.locale().moment(started)
}

/// The latest changes of the server; none for an administrator who may not read that.
fn entries(context: &Context, tx: &ReadTx) -> Result<Vec<Row>, PageError> {
    let caller = of_server(context)?;
    match log::entries(tx, &caller, &AuditFilter::default(), None, ENTRIES) {
        Ok(entries) => Ok(entries.into_iter().map(|shown| audit::row(context, shown)).collect()),
        Err(OpError::Forbidden { .. } | OpError::Limited { .. }) => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}
