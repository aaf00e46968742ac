//! `crier import mbox`: imports the messages of another archive into that of a list.
//!
//! Sources are looked at before the first message is stored, so that a wrong name costs nothing. Messages are handed
//! over in frames, of which a few are in progress at a time. Nobody is mailed, and a message that is there already is
//! not stored again: an import that was cut short is finished by running it again.

use std::collections::{HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use clap::Args;
use clap::builder::BoolishValueParser;
use serde::Serialize;

use super::common::CommonArgs;
use super::old_pages::{OldUrlArgs, message_id};
use super::progress::Progress;
use super::report::ImportReport;
use super::sources::{Found, Source, Sources};
use super::words::{REJECTS_TOLD, SPEED_TOLD_FROM, cut_short, rate, refusal_of};
use crate::cli::manage::{AccountArgs, say_json};
use crate::cli::terminal::{say, tell};
use crate::cli::values::Problems;
use crate::cli::{Absent, DataArgs, Failure, File, open_file, told, unexpected, unreachable};
use crate::clock::Timestamp;
use crate::control::Reply;
use crate::control::import::FRAMES_MAX;
use crate::control::import::mail_carrier::MailCarrier;
use crate::control::import::mails::{
    BYTES_PER_STEP, BYTES_UNDER_WAY_MAX, MESSAGES_PER_STEP, MailFrame, MailHead, MailRemark, MailsDone,
    MailsReply, MailsRequest,
};
use crate::mail::mbox::{Quoting, Separator, hyperkitty};

pub(super) const AFTER_HELP: &str = "\
A SOURCE is an mbox file (also those of Groups.io and HyperKitty), a text archive of pipermail, a Maildir, a single \
message, a folder of these, or a zip of them such as that of Google Takeout; files may be compressed with gzip. - is \
standard input.

The folder of a group in a Takeout has the group's address as its name; of several, --group says which. Threads are \
those of Google, and those that were locked are closed.

HyperKitty rebuilds messages from its database: references, copies to others and HTML are missing. The mailbox that \
Mailman itself keeps (archives/…/LIST.mbox) has everything, and is better. --undo-at puts back the @ that HyperKitty \
up to 1.3.9 writes as (a).

Messages keep their bytes, their dates, their Message-IDs and their threads, and replies find their parents wherever \
these stand. Nobody is mailed. A message whose Message-ID the list has already is skipped, so an import that was cut \
short is finished by running it again. One that cannot be taken is printed with its place, and the others are \
imported; the exit code is 1 then.";

/// Bytes of a message in which its Message-ID is looked for where messages are only counted.
const HEAD_BYTES_MAX: usize = 64 << 10;

const QUOTING_HELP: &str = "How lines that begin with From are quoted in the files: mboxrd (any number of > loses one), \
    mboxo (only >From loses it) or none";

/// The flags of `import mbox` as they are typed.
#[derive(Debug, Args)]
pub(in crate::cli) struct MboxArgs {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    account: AccountArgs,
    /// Files and folders to import; - for standard input
    #[arg(value_name = "SOURCE", required = true)]
    sources: Vec<PathBuf>,
    /// List whose archive takes the messages
    #[arg(long, env = "CRIER_LIST", value_name = "LIST")]
    list: String,
    #[arg(long, env = "CRIER_QUOTING", value_name = "WORD", default_value = "mboxrd", help = QUOTING_HELP)]
    quoting: String,
    /// Group whose archive is taken of a Google Takeout that has several
    #[arg(long, env = "CRIER_GROUP", value_name = "ADDRESS")]
    group: Option<String>,
    /// Write the @ of addresses again where (a) stands for it, as in archives of Mailman 3
    #[arg(long, env = "CRIER_UNDO_AT", value_parser = BoolishValueParser::new())]
    undo_at: bool,
    #[command(flatten)]
    old_urls: OldUrlArgs,
    /// Check every message and keep nothing
    #[arg(long, env = "CRIER_DRY_RUN", value_parser = BoolishValueParser::new())]
    dry_run: bool,
    /// Write the messages that were refused, skipped or mended to this CSV file, each with the reason
    #[arg(long, env = "CRIER_REPORT", value_name = "FILE")]
    report: Option<PathBuf>,
    /// Print the numbers as one JSON object
    #[arg(long, env = "CRIER_JSON", value_parser = BoolishValueParser::new())]
    json: bool,
}

impl MboxArgs {
    /// The flags that import sources into a list, without any that this command alone has.
    pub(super) fn of(common: CommonArgs, sources: Vec<PathBuf>, list: String) -> MboxArgs {
        let CommonArgs { data, account, dry_run, report, json } = common;
        let quoting = "mboxrd".to_owned();
        MboxArgs {
            data,
            account,
            sources,
            list,
            quoting,
            group: None,
            undo_at: false,
            old_urls: OldUrlArgs::default(),
            dry_run,
            report,
            json,
        }
    }
}

/// The results of an import.
#[derive(Debug, Default, Serialize)]
struct Summary {
    created: u64,
    skipped: u64,
    rejected: u64,
    /// Messages that are among the created and for which a date or a Message-ID was made up.
    mended: u64,
    /// Replies that came before what they reply to, and were put under it.
    joined: u64,
    /// Lines that may begin a message, but were taken for text of the one before.
    doubtful: u64,
    /// Messages that `HyperKitty` rebuilt, so that parts of them are missing.
    rebuilt: u64,
    /// Messages in which (a) stands for @ in addresses.
    without_at: u64,
    dry_run: bool,
    /// The times of the oldest and the newest message that was created (RFC 3339).
    first: Option<String>,
    last: Option<String>,
    seconds: f64,
    messages_per_second: f64,
}

/// Runs the command.
pub(super) fn run(args: MboxArgs) -> Result<ExitCode, Failure> {
    let MboxArgs { data, account, sources, list, quoting, group, undo_at, old_urls, dry_run, report, json } =
        args;
    let mut problems = Problems::default();
    let read =
        |text: &str| Quoting::from_word(text).ok_or_else(|| "must be mboxrd, mboxo or none".to_owned());
    let Some(quoting) = problems.read("--quoting", &quoting, read) else { return Err(problems.into()) };
    let mut found = Sources::find(&sources);
    found.keep_group(group.as_deref());
    if !found.problems.is_empty() {
        return Err(Failure::Failed(found.problems.join("\n")));
    }
    old_urls.note(&data, &account, &list, dry_run)?;
    let started = Instant::now();
    let request = MailsRequest { account: account.name(), list, dry_run, is_dated: false };
    let carrier = begin(&data.data, &request)?;
    let report = report.map(|path| ImportReport::create(&path)).transpose()?;
    let mut run = Run::begin(carrier, report, found.size_bytes());
    run.summary.dry_run = dry_run;
    run.undo_at = undo_at;
    let done = run.all(&found, quoting);
    let Run { carrier, report, mut summary, span_ms, progress, undo_at: _, frame: _, under_way: _ } = run;
    progress.finish();
    carrier.finish();
    report.map_or(Ok(()), ImportReport::finish)?;
    done?;
    let time = |ms| Timestamp::from_ms(ms).rfc3339();
    (summary.first, summary.last) =
        (span_ms.map(|(first, _)| time(first)), span_ms.map(|(_, last)| time(last)));
    print(summary, started.elapsed(), json)
}

/// Brings the mailboxes of an export in, and answers how many messages were created, skipped and refused. What is to be
/// told of single messages goes into the report, if there is one.
pub(super) fn take(
    carrier: MailCarrier,
    found: &Sources,
    quoting: Quoting,
    report: &mut Option<ImportReport>,
) -> Result<[u64; 3], Failure> {
    let mut run = Run::begin(carrier, report.take(), found.size_bytes());
    let done = run.all(found, quoting);
    run.progress.finish();
    *report = run.report;
    done?;
    let Summary { created, skipped, rejected, .. } = run.summary;
    Ok([created, skipped, rejected])
}

/// An import of messages that come one by one.
pub(super) struct Taking {
    run: Run,
    source: String,
}

impl Taking {
    /// Begins it for messages of a source; what is to be told of single ones goes into the report, if there is one.
    pub(super) fn begin(carrier: MailCarrier, source: &str, report: &mut Option<ImportReport>) -> Taking {
        let mut run = Run::begin(carrier, report.take(), None);
        run.frame.head.is_new_source = true;
        Taking { run, source: source.to_owned() }
    }

    /// Takes a message.
    pub(super) fn add(&mut self, place: String, separator: Separator, bytes: &[u8]) -> Result<(), Failure> {
        let Summary { created, skipped, .. } = self.run.summary;
        self.run.progress.at(0, created + skipped);
        self.run.add(&self.source, place, separator, bytes)
    }

    /// Counts a message that cannot be had.
    pub(super) fn refuse(&mut self, place: &str, reason: &str) -> Result<(), Failure> {
        self.run.refuse(&self.source, place, reason)
    }

    /// Ends it, gives the report back, and answers how many messages were created, skipped and refused.
    pub(super) fn end(mut self, report: &mut Option<ImportReport>) -> Result<[u64; 3], Failure> {
        let done = self.run.send().and_then(|()| self.run.end());
        let Run { summary, progress, report: filled, .. } = self.run;
        progress.finish();
        *report = filled;
        done?;
        let Summary { created, skipped, rejected, .. } = summary;
        Ok([created, skipped, rejected])
    }
}

/// How many messages of mailboxes an import into an empty archive would create, skip since their Message-ID was there
/// before, and refuse.
pub(super) fn count(found: &Sources, quoting: Quoting) -> Result<[u64; 3], Failure> {
    let mut counts = [0; 3];
    let mut seen: HashSet<u64> = HashSet::new();
    for source in &found.all {
        source.read(quoting, &mut |found, _| {
            match found {
                Found::Mail { bytes, .. } => {
                    let head = &bytes[..bytes.len().min(HEAD_BYTES_MAX)];
                    let id = message_id(&String::from_utf8_lossy(head));
                    let is_new = id.is_none_or(|id| {
                        let mut hasher = DefaultHasher::new();
                        id.hash(&mut hasher);
                        seen.insert(hasher.finish())
                    });
                    counts[usize::from(!is_new)] += 1;
                }
                Found::Bad { .. } => counts[2] += 1,
                Found::Doubtful { .. } => {}
            }
            Ok(())
        })?;
    }
    Ok(counts)
}

fn print(mut summary: Summary, took: Duration, json: bool) -> Result<ExitCode, Failure> {
    summary.seconds = took.as_secs_f64();
    summary.messages_per_second = rate(summary.created + summary.skipped, took);
    let code = if summary.rejected == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE };
    if json {
        say_json(&summary)?;
        return Ok(code);
    }
    let Summary { created, skipped, rejected, mended, joined, doubtful, rebuilt, without_at, .. } = &summary;
    let Summary { dry_run, first, last, .. } = &summary;
    let kept = if *dry_run { "; nothing was kept: a dry run" } else { "" };
    say(format_args!("{created} created, {skipped} skipped, {rejected} refused{kept}"));
    if let (Some(first), Some(last)) = (first, last) {
        say(format_args!("They are of {first} to {last}"));
    }
    if 0 < *mended {
        say(format_args!("{mended} had no sound date or no Message-ID; --report FILE names them"));
    }
    if 0 < *joined {
        say(format_args!("{joined} replies came before what they reply to, and are under it now"));
    }
    if 0 < *rebuilt {
        say(format_args!(
            "{rebuilt} were rebuilt by HyperKitty: references, copies to others and HTML are missing, and threads go by \
             In-Reply-To alone. The mailbox of Mailman itself has everything; import that one if you can"
        ));
    }
    if 0 < *without_at {
        say(format_args!("In {without_at} of them (a) stands for @ in addresses: --undo-at puts it back"));
    }
    if 0 < *doubtful {
        say(format_args!(
            "{doubtful} lines may begin a message and were taken for text of the one before; --report FILE names them"
        ));
    }
    if 0 < *skipped {
        say("The skipped messages have a Message-ID that the list has already");
    }
    // The speed of a small import means nothing.
    if SPEED_TOLD_FROM <= created + skipped {
        say(format_args!(
            "{} messages a second, {:.1} s in all",
            summary.messages_per_second, summary.seconds
        ));
    }
    Ok(code)
}

/// Begins an import at the server that runs on the data folder, else on the store itself.
fn begin(data_dir: &Path, request: &MailsRequest) -> Result<MailCarrier, Failure> {
    let begun = MailCarrier::to_server(data_dir, request).map_err(|error| unreachable(data_dir, &error))?;
    let begun = if let Some(begun) = begun {
        begun
    } else {
        let File { host, runtime } = open_file(data_dir, Absent::Refuse)?;
        MailCarrier::to_file(&host, request, runtime).inspect_err(|_| host.core.store.close_blocking())
    };
    let (carrier, notes) = begun.map_err(|refusal| refusal_of(*refusal))?;
    notes.iter().for_each(tell);
    Ok(carrier)
}

/// Messages that are sent together, and where they stand.
#[derive(Debug, Default)]
struct Frame {
    head: MailFrame,
    bytes: Vec<u8>,
    /// The source and the place of each message.
    places: Vec<(String, String)>,
}

/// An import in progress.
struct Run {
    carrier: MailCarrier,
    report: Option<ImportReport>,
    summary: Summary,
    /// Whether the signs of addresses are put back.
    undo_at: bool,
    span_ms: Option<(i64, i64)>,
    /// The frame that is being filled.
    frame: Frame,
    /// The places and sizes of frames that are not answered yet, the earliest first.
    under_way: VecDeque<(Vec<(String, String)>, usize)>,
    progress: Progress,
}

impl Run {
    /// Begins an import of so many bytes, if that is known.
    fn begin(carrier: MailCarrier, report: Option<ImportReport>, size_bytes: Option<u64>) -> Run {
        Run {
            carrier,
            report,
            summary: Summary::default(),
            undo_at: false,
            span_ms: None,
            frame: Frame::default(),
            under_way: VecDeque::new(),
            progress: Progress::start("messages", size_bytes),
        }
    }

    fn all(&mut self, found: &Sources, quoting: Quoting) -> Result<(), Failure> {
        for (path, reason) in &found.passed_over {
            let name = path.display().to_string();
            self.progress.tell(&format!("{name} is passed over: {reason}"));
            self.note([&name, "", "passed over", reason])?;
        }
        let mut before = 0;
        for source in &found.all {
            self.source(source, quoting, before)?;
            before += source.size_bytes();
        }
        self.end()
    }

    /// Waits for all answers, and has the replies put into their threads.
    fn end(&mut self) -> Result<(), Failure> {
        while !self.under_way.is_empty() {
            self.receive()?;
        }
        self.progress.turn_to("putting replies into their threads");
        let progress = &self.progress;
        let ended = self.carrier.end(&mut |text| progress.tell(&text)).map_err(cut_short)?;
        match told(ended)? {
            Reply::MailsDone(MailsDone { joined }) => self.summary.joined = joined,
            other => return Err(unexpected(&other)),
        }
        Ok(())
    }

    fn source(&mut self, source: &Source, quoting: Quoting, before_bytes: u64) -> Result<(), Failure> {
        let name = source.name();
        self.frame.head.is_new_source = true;
        let mut seen = 0_u64;
        source.read(quoting, &mut |found, position_bytes| {
            seen += 1;
            match found {
                Found::Mail { place, separator, bytes } => self.add(&name, place, separator, &bytes)?,
                Found::Bad { place, reason } => self.refuse(&name, &place, &reason)?,
                Found::Doubtful { place } => self.doubt(&name, &place)?,
            }
            self.progress.at(before_bytes + position_bytes, self.summary.created + self.summary.skipped);
            Ok(())
        })?;
        if seen == 0 {
            self.progress.tell(&format!("{name} has no messages"));
            self.note([&name, "", "empty", "it has no messages"])?;
        }
        self.send()
    }

    fn add(
        &mut self,
        source: &str,
        place: String,
        separator: Separator,
        bytes: &[u8],
    ) -> Result<(), Failure> {
        let is_rebuilt = hyperkitty::is_rebuilt(bytes);
        let is_without_at = is_rebuilt && hyperkitty::has_replaced_signs(bytes);
        self.summary.rebuilt += u64::from(is_rebuilt);
        self.summary.without_at += u64::from(is_without_at && !self.undo_at);
        let mended = if is_rebuilt && self.undo_at { Some(hyperkitty::with_signs(bytes)) } else { None };
        let bytes = mended.as_deref().unwrap_or(bytes);
        let is_full = MESSAGES_PER_STEP <= self.frame.head.mails.len()
            || BYTES_PER_STEP < self.frame.bytes.len() + bytes.len();
        if is_full {
            self.send()?;
        }
        let Separator { sender, time } = separator;
        let delivered_ms = time.map(Timestamp::ms);
        self.frame.head.mails.push(MailHead { size_bytes: bytes.len(), delivered_ms, sender });
        self.frame.bytes.extend_from_slice(bytes);
        self.frame.places.push((source.to_owned(), place));
        Ok(())
    }

    /// Sends the frame, after waiting for others if too much is in progress.
    fn send(&mut self) -> Result<(), Failure> {
        if self.frame.head.mails.is_empty() {
            return Ok(());
        }
        let Frame { head, bytes, places } = std::mem::take(&mut self.frame);
        let under_way_bytes =
            |run: &Run| run.under_way.iter().map(|(_, size_bytes)| size_bytes).sum::<usize>();
        while !self.under_way.is_empty()
            && (self.under_way.len() == FRAMES_MAX
                || BYTES_UNDER_WAY_MAX < under_way_bytes(self) + bytes.len())
        {
            self.receive()?;
        }
        self.under_way.push_back((places, bytes.len()));
        self.carrier.send(head, bytes).map_err(cut_short)
    }

    fn receive(&mut self) -> Result<(), Failure> {
        let reply = match told(self.carrier.receive().map_err(cut_short)?)? {
            Reply::Mails(reply) => reply,
            other => return Err(unexpected(&other)),
        };
        let (places, _) = self.under_way.pop_front().unwrap_or_default();
        let MailsReply { created, skipped, rejected: _, remarks, span_ms } = reply;
        self.summary.created += created;
        self.summary.skipped += skipped;
        let spans = self.span_ms.into_iter().chain(span_ms);
        self.span_ms = spans.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)));
        for (number, remark, text) in remarks {
            let (source, place) = places.get(number).cloned().unwrap_or_default();
            match remark {
                MailRemark::Known => self.note([&source, &place, "skipped", &text])?,
                MailRemark::Refused => self.refuse(&source, &place, &text)?,
                MailRemark::Mended => {
                    self.summary.mended += 1;
                    self.note([&source, &place, "mended", &text])?;
                }
            }
        }
        Ok(())
    }

    fn refuse(&mut self, source: &str, place: &str, reason: &str) -> Result<(), Failure> {
        self.summary.rejected += 1;
        if self.summary.rejected <= REJECTS_TOLD {
            self.progress.tell(&format!("{source}, {place}: {reason}"));
        } else if self.summary.rejected == REJECTS_TOLD + 1 {
            self.progress.tell("further refused messages are counted only; --report FILE names all of them");
        }
        self.note([source, place, "refused", reason])
    }

    fn doubt(&mut self, source: &str, place: &str) -> Result<(), Failure> {
        self.summary.doubtful += 1;
        let reason = "this line begins with From and a header seems to follow: it was taken for text, since no empty \
                      line and no date say that a message begins";
        self.note([source, place, "doubtful", reason])
    }

    fn note(&mut self, cells: [&str; 4]) -> Result<(), Failure> {
        self.report.as_mut().map_or(Ok(()), |report| report.add(cells))
    }
}
