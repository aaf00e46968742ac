//! `crier queue …`: shows and changes the queue of deliveries.
//!
//! The work is done by `control::queue`; this module parses flags and prints replies.

use std::process::ExitCode;

use clap::builder::BoolishValueParser;
use clap::{ArgGroup, Args, Subcommand};

use super::{CommonArgs, YesArgs, request, say_json};
use crate::cli::show;
use crate::cli::terminal::say;
use crate::cli::{Failure, unexpected};
use crate::control::queue::{ChangedReply, QueueAction, QueueReply, QueueRequest, Which};
use crate::control::{Reply, Request};
use crate::ops::delivery::queue_view::{
    AttemptView, BatchDetail, BatchView, DecisionView, DestinationView, QueuePage, QueueSummary,
    RestoredView, StateView,
};

/// Shown at the end of `crier queue --help`.
const AFTER_HELP: &str = "\
What waits stands in batches: up to 64 recipients of one message, or of one mail of the server
itself, at one destination. A destination is the recipients' domain, or relay where all mail goes
to relays. A batch is

  waiting      due at the time shown; retried for 5 days after temporary failures
  in_flight    being sent right now
  held         by you, or since a restore: not attempted until you release it, and never given up
  quarantined  because the server itself failed on its message; see below

A temporary failure is tried again after 5, 15 and 30 minutes, 1 and 2 hours, then every 4 hours. The 5 days
run on while a batch is held: one released after them has one more attempt. What is quarantined is among the
held messages: approve it there to send on, or reject it.

A destination of which no server can be reached is left alone, longer each time (a relay for 1, 2,
then 5 min, a domain for 5, 15, then 30 min), and then tried with one batch. Nothing for it is due
before that; retry has it tried at once.

A batch in flight is not interrupted: hold and drop act on what waits when its attempt ends.

On a server that was restored from a backup, what waited in the backup is held, since it may have been
sent after it; new mail flows. Release with --all lets everything go that was held, also what is in no
batch yet: posts and digests on their way, messages that are sent at a time.";

/// `crier queue …`
#[derive(Debug, Subcommand)]
#[command(after_help = AFTER_HELP)]
pub(in crate::cli) enum QueueCommand {
    /// List what waits to be delivered, or sum it up by destination
    List(ListArgs),
    /// Show a batch: every recipient, and what their servers said at each attempt
    Show(ShowArgs),
    /// Have batches attempted now rather than when they are due; where nobody answers, one is tried, and the rest follow
    /// when somebody does
    Retry(ChangeArgs),
    /// Keep batches from being attempted until they are released
    Hold(ChangeArgs),
    /// Let held batches go on, beginning now
    Release(ChangeArgs),
    /// Give up what waits: it is never sent, and its trace says so; no address counts as bouncing for it
    Drop(DropArgs),
}

/// Which batches are meant.
#[derive(Debug, Args)]
struct FilterArgs {
    /// Only what is sent for this account
    #[arg(long, env = "CRIER_ACCOUNT", value_name = "NAME")]
    account: Option<String>,
    /// Only posts to this list: its name or its address
    #[arg(long, env = "CRIER_LIST", value_name = "LIST")]
    list: Option<String>,
    /// Only what goes to this domain, or `relay`
    #[arg(long, env = "CRIER_DESTINATION", value_name = "DOMAIN")]
    destination: Option<String>,
    /// Only copies of this message, by its number in the API
    #[arg(long, env = "CRIER_MESSAGE", value_name = "ID")]
    message: Option<String>,
}

impl FilterArgs {
    fn which(self, ids: Vec<String>) -> Which {
        let FilterArgs { account, list, destination, message } = self;
        Which { ids, account, list, destination, message }
    }
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ListArgs {
    #[command(flatten)]
    common: CommonArgs,
    #[command(flatten)]
    filter: FilterArgs,
    /// Show how much waits for each destination instead, the most first
    #[arg(
        long,
        env = "CRIER_SUMMARY",
        value_parser = BoolishValueParser::new(),
        conflicts_with_all = ["account", "list", "destination", "message", "after"]
    )]
    summary: bool,
    /// Batches, or destinations, to list, up to 1000
    #[arg(long, env = "CRIER_LIMIT", value_name = "N", default_value = "100")]
    limit: String,
    /// Go on behind this batch: the last one that was listed
    #[arg(long, env = "CRIER_AFTER", value_name = "ID")]
    after: Option<String>,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ShowArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// Its number, from crier queue list
    #[arg(value_name = "ID")]
    id: String,
}

#[derive(Debug, Args)]
#[command(group(
    ArgGroup::new("which")
        .args(["ids", "account", "list", "destination", "message", "all"])
        .required(true)
        .multiple(true)
))]
pub(in crate::cli) struct ChangeArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// Their numbers, from crier queue list
    #[arg(
        value_name = "ID",
        conflicts_with_all = ["account", "list", "destination", "message", "all"]
    )]
    ids: Vec<String>,
    #[command(flatten)]
    filter: FilterArgs,
    /// Everything that waits
    #[arg(
        long,
        env = "CRIER_ALL",
        value_parser = BoolishValueParser::new(),
        conflicts_with_all = ["account", "list", "destination", "message"]
    )]
    all: bool,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct DropArgs {
    #[command(flatten)]
    change: ChangeArgs,
    #[command(flatten)]
    yes: YesArgs,
}

/// Runs the command.
pub(in crate::cli) fn run(command: QueueCommand) -> Result<ExitCode, Failure> {
    match command {
        QueueCommand::List(args) => list(args),
        QueueCommand::Show(ShowArgs { common, id }) => {
            let which = Which { ids: vec![id], ..Which::default() };
            match queue(&common, QueueAction::Show, which)? {
                QueueReply::Batch(batch) => print(&common, &batch),
                other => Err(unexpected(&Reply::Queue { answer: other })),
            }
        }
        QueueCommand::Retry(args) => change(args, QueueAction::Retry, "made due now"),
        QueueCommand::Hold(args) => change(args, QueueAction::Hold, "held"),
        QueueCommand::Release(args) => change(args, QueueAction::Release, "released"),
        QueueCommand::Drop(DropArgs { change: args, yes }) => {
            let what = match args.ids.as_slice() {
                [] if args.all => "everything that waits".to_owned(),
                [] => "everything that waits and is meant".to_owned(),
                [id] => format!("what waits in batch {id}"),
                ids => format!("what waits in {} batches", ids.len()),
            };
            yes.confirm(&format!("Give up {what}? Those recipients never get it."))?;
            change(args, QueueAction::Drop, "dropped")
        }
    }
}

fn queue(common: &CommonArgs, action: QueueAction, which: Which) -> Result<QueueReply, Failure> {
    match request(common, &Request::Queue(QueueRequest { action, which }))? {
        Reply::Queue { answer } => Ok(answer),
        other => Err(unexpected(&other)),
    }
}

fn list(args: ListArgs) -> Result<ExitCode, Failure> {
    let ListArgs { common, filter, summary, limit, after } = args;
    let action = if summary { QueueAction::Sum { limit } } else { QueueAction::List { after, limit } };
    match queue(&common, action, filter.which(Vec::new()))? {
        QueueReply::List(page) if common.json => say_json(&page),
        QueueReply::List(page) => {
            print_page(&page);
            Ok(ExitCode::SUCCESS)
        }
        QueueReply::Sum(sum) if common.json => say_json(&sum),
        QueueReply::Sum(sum) => {
            print_sum(&sum);
            Ok(ExitCode::SUCCESS)
        }
        other => Err(unexpected(&Reply::Queue { answer: other })),
    }
}

/// Words the content of a batch for people.
fn payload(batch: &BatchView) -> String {
    if let Some(digest) = batch.digest {
        let list = batch.list.as_deref().map(|list| format!("{list}, ")).unwrap_or_default();
        return format!("{list}digest {digest}");
    }
    match (&batch.list, batch.message, &batch.system_mail) {
        (Some(list), Some(message), _) => format!("{list}, message {message}"),
        (None, Some(message), _) => format!("message {message}"),
        (_, None, Some(kind)) => format!("{kind} mail"),
        (_, None, None) => "a mail".to_owned(),
    }
}

/// Says how old the queue is, if it came from a backup.
fn tell_restored(restored: Option<&RestoredView>) {
    if let Some(RestoredView { point, age_seconds }) = restored {
        say(format_args!(
            "This queue came from a backup of {point}, {} ago: what waited then is held, since it may have been sent after \
             the backup. Look through it, then: crier queue release --all\n",
            ago(*age_seconds)
        ));
    }
}

/// Words an age in the largest unit that fits twice.
fn ago(seconds: u64) -> String {
    const UNITS: [(u64, &str); 3] = [(24 * 3600, "days"), (3600, "hours"), (60, "minutes")];
    let unit = UNITS.iter().find(|(unit, _)| 2 * unit <= seconds);
    unit.map_or_else(|| format!("{seconds} seconds"), |(unit, name)| format!("{} {name}", seconds / unit))
}

fn print_page(page: &QueuePage) {
    tell_restored(page.restored.as_ref());
    let row = |batch: &BatchView| {
        vec![
            batch.id.to_string(),
            batch.state.clone().unwrap_or_default(),
            batch.destination.clone(),
            batch.waiting.to_string(),
            batch.attempts.to_string(),
            batch.due.clone().unwrap_or_default(),
            batch.account.clone(),
            payload(batch),
            batch.unreachable.clone().or_else(|| batch.reply.clone()).unwrap_or_default(),
        ]
    };
    let columns =
        ["id", "state", "destination", "waiting", "attempts", "due", "account", "what", "last reply"];
    let rows: Vec<Vec<String>> = page.data.iter().map(row).collect();
    show::table(&columns, &rows, "Nothing waits");
    if let Some(next) = page.next {
        say(format_args!("\nThere is more: --after {next} goes on, --summary sums it up by destination"));
    }
}

fn print_sum(sum: &QueueSummary) {
    tell_restored(sum.restored.as_ref());
    let row = |row: &DestinationView| {
        let DestinationView { destination, batches, waiting, held, due, unreachable } = row;
        let (due, unreachable) = (due.clone().unwrap_or_default(), unreachable.clone().unwrap_or_default());
        vec![
            destination.clone(),
            waiting.to_string(),
            batches.to_string(),
            held.to_string(),
            due,
            unreachable,
        ]
    };
    let rows: Vec<Vec<String>> = sum.data.iter().map(row).collect();
    let columns = ["destination", "waiting", "batches", "held", "next due", "not reached"];
    show::table(&columns, &rows, "Nothing waits");
    if rows.is_empty() {
        return;
    }
    let told = sum.states.iter().filter(|state| 0 < state.batches).map(|state| {
        let StateView { state, batches: _, waiting } = state;
        format!("{waiting} {}", state.replace('_', " "))
    });
    if rows.len() < sum.destinations {
        say(format_args!("\nThe first {} of {} destinations", rows.len(), sum.destinations));
    }
    say(format_args!("\nRecipients: {}", told.collect::<Vec<_>>().join(", ")));
}

fn print(common: &CommonArgs, shown: &BatchDetail) -> Result<ExitCode, Failure> {
    if common.json {
        return say_json(shown);
    }
    let BatchDetail { batch, subject, from, decided, queued, recipients } = shown;
    let line = |name: &str, text: &str| {
        if !text.is_empty() {
            say(format_args!("{name:<12} {text}"));
        }
    };
    line("batch", &batch.id.to_string());
    line("account", &batch.account);
    line("what", &payload(batch));
    line("subject", subject.as_deref().unwrap_or_default());
    line("from", from.as_deref().unwrap_or_default());
    line("destination", &batch.destination);
    line("state", batch.state.as_deref().unwrap_or("settled: no copy waits"));
    line("accepted", &batch.accepted);
    line("decided", &decided.as_ref().map(decision).unwrap_or_default());
    line("queued", queued);
    line("attempts", &batch.attempts.to_string());
    line("due", batch.due.as_deref().unwrap_or_default());
    line("not reached", batch.unreachable.as_deref().unwrap_or_default());
    for recipient in recipients {
        say(format_args!("\n{}: {}", recipient.email, recipient.state));
        for AttemptView { time, state, times, remote, reply } in &recipient.trace {
            let times = if 1 < *times { format!(" ({times} times)") } else { String::new() };
            let remote = remote.as_deref().map(|remote| format!(" by {remote}")).unwrap_or_default();
            let reply = reply.as_deref().map(|reply| format!(": {reply}")).unwrap_or_default();
            say(format_args!("  {time}  {state}{times}{remote}{reply}"));
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Words the decision to publish a message.
fn decision(decided: &DecisionView) -> String {
    let DecisionView { time, by, reason } = decided;
    let Some(by) = by else { return format!("{time}  published") };
    let reason = reason.as_deref().map(|reason| format!(", held because {reason}")).unwrap_or_default();
    format!("{time}  approved by {by}{reason}")
}

/// Has batches changed and prints the result; fails if a named batch stays as it is.
fn change(args: ChangeArgs, action: QueueAction, done: &str) -> Result<ExitCode, Failure> {
    let ChangeArgs { common, ids, filter, all } = args;
    let is_retry = action == QueueAction::Retry;
    let reply = match queue(&common, action, filter.which(ids))? {
        QueueReply::Changed(reply) => reply,
        other => return Err(unexpected(&Reply::Queue { answer: other })),
    };
    let ChangedReply { changed, later, unchanged } = &reply;
    // A retry of a batch that is being attempted is no failure.
    let in_flight = |reason: &str| is_retry && reason.starts_with("is in flight");
    let is_refused = unchanged.iter().any(|row| row.id.is_some() && !in_flight(&row.reason));
    if common.json {
        say_json(&reply)?;
    } else {
        if *changed + *later == 0 && unchanged.is_empty() {
            say(if all {
                "Nothing waits"
            } else {
                "Nothing that waits matches: crier queue list shows what waits"
            });
        }
        if 0 < *changed {
            say(format_args!("{} {done}", batches(*changed)));
        }
        if 0 < *later {
            say(format_args!("{} in flight: {done} when the attempt ends", batches(*later)));
        }
        for row in unchanged {
            match row.id {
                Some(id) => say(format_args!("batch {id} {}", row.reason)),
                None => say(format_args!("{} left as it was: it {}", batches(row.batches), row.reason)),
            }
        }
    }
    Ok(if is_refused { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn batches(number: u64) -> String {
    format!("{number} batch{}", if number == 1 { "" } else { "es" })
}
