//! Sets the log up: lines for people on a terminal; under systemd, entries of the journal with fields of their own;
//! otherwise JSON. Lines and JSON go to standard error.
//!
//! Each line has the ids of what it is about: of a request, of a connection of mail, of a delivery. `crier serve` and
//! `crier demo` call it.

use std::ffi::OsStr;
use std::io::{self, IsTerminal as _};

use clap::Args;
use tracing_journald::{Priority, PriorityMappings};
pub(super) use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer as _, Registry, fmt, reload};

use super::values::Problems;

/// How the server logs.
#[derive(Debug, Args)]
pub(super) struct LogArgs {
    /// Form of the log: text or json, lines on standard error; or journald, entries of systemd's journal with a field
    /// for each fact, such as `CRIER_REQUEST_ID` and `CRIER_MESSAGE_ID` [default: text on a terminal, journald where
    /// standard error is the journal's, else json]
    #[arg(long, env = "CRIER_LOG_FORMAT", value_name = "FORMAT", help_heading = "Logs")]
    log_format: Option<String>,
    /// Least level that is logged: error, warn, info, debug or trace [default: info; warn in a demo]
    #[arg(long, env = "CRIER_LOG_LEVEL", value_name = "LEVEL", help_heading = "Logs")]
    log_level: Option<String>,
}

/// The checked settings of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Logging {
    format: Format,
    level: LevelFilter,
}

/// The form of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Text,
    Json,
    Journald,
}

impl Format {
    fn parse(text: &str) -> Result<Format, String> {
        match text {
            "text" => Ok(Format::Text),
            "json" => Ok(Format::Json),
            "journald" => Ok(Format::Journald),
            _ => Err("must be text, json or journald".to_owned()),
        }
    }

    /// The one that suits whoever reads standard error.
    fn of_stderr() -> Format {
        if io::stderr().is_terminal() {
            return Format::Text;
        }
        let found = rustix::fs::fstat(io::stderr()).ok().map(|stat| (stat.st_dev, stat.st_ino));
        if is_journal(std::env::var_os("JOURNAL_STREAM").as_deref(), found) {
            Format::Journald
        } else {
            Format::Json
        }
    }
}

/// Whether the file with this device and inode is the stream that systemd connected to the journal (systemd.exec(5)). A
/// service that starts another program hands its variables on, but perhaps another standard error.
fn is_journal(stream: Option<&OsStr>, found: Option<(u64, u64)>) -> bool {
    let named = stream.and_then(OsStr::to_str).and_then(|stream| stream.split_once(':'));
    let named = named.and_then(|(device, inode)| Some((device.parse().ok()?, inode.parse().ok()?)));
    named.is_some() && named == found
}

impl LogArgs {
    /// Checks the flags; `level` applies if none was given.
    pub(super) fn parse(&self, level: LevelFilter, problems: &mut Problems) -> Option<Logging> {
        let format = match self.log_format.as_deref() {
            None | Some("") => Some(Format::of_stderr()),
            Some(text) => problems.read("--log-format", text, Format::parse),
        };
        let level = match self.log_level.as_deref() {
            None | Some("") => Some(level),
            Some(text) => problems.read("--log-level", text, parse_level),
        };
        Some(Logging { format: format?, level: level? })
    }
}

/// Reads the name of a level.
pub(super) fn parse_level(text: &str) -> Result<LevelFilter, String> {
    text.parse().map_err(|_| "must be error, warn, info, debug or trace".to_owned())
}

/// The layer that writes to systemd's journal.
fn journal() -> io::Result<tracing_journald::Layer> {
    let priorities = PriorityMappings {
        error: Priority::Error,
        warn: Priority::Warning,
        info: Priority::Informational,
        debug: Priority::Debug,
        trace: Priority::Debug,
    };
    let layer = tracing_journald::layer()?.with_syslog_identifier("crier".to_owned());
    Ok(layer.with_field_prefix(Some("CRIER".to_owned())).with_priority_mappings(priorities))
}

impl Logging {
    /// Begins to log; returns what changes the level.
    pub(super) fn start(self) -> LogLevel {
        let (filter, handle) = reload::Layer::new(filter(self.level));
        let lines = fmt::layer().with_writer(io::stderr);
        let registry = tracing_subscriber::registry();
        let (journal, problem) = match self.format {
            Format::Journald => {
                journal().map_or_else(|error| (None, Some(error)), |layer| (Some(layer), None))
            }
            Format::Text | Format::Json => (None, None),
        };
        // A second start in one process, by a test for example, keeps the first.
        let _ = if let Some(journal) = journal {
            registry.with(journal.with_filter(filter)).try_init()
        } else if self.format == Format::Text {
            let colours = io::stderr().is_terminal();
            registry.with(lines.with_target(false).with_ansi(colours).with_filter(filter)).try_init()
        } else {
            // The list of spans has the innermost one, too.
            let lines = lines.json().flatten_event(true).with_current_span(false);
            registry.with(lines.with_filter(filter)).try_init()
        };
        if let Some(error) = problem {
            tracing::warn!(error = %error, "The journal cannot be written to: the log is JSON on standard error");
        }
        LogLevel { handle, at_start: self.level }
    }
}

/// What is logged at a level: of other packages only warnings and errors.
fn filter(level: LevelFilter) -> Targets {
    Targets::new()
        .with_default(level.min(LevelFilter::WARN))
        // It warns of every zone that is not signed; `net::dnssec` decides what that means for mail.
        .with_target("hickory_net::dnssec", level.min(LevelFilter::ERROR))
        .with_target("crier", level)
}

/// The level of the running log.
#[derive(Debug)]
pub(super) struct LogLevel {
    handle: reload::Handle<Targets, Registry>,
    at_start: LevelFilter,
}

impl LogLevel {
    /// The level with which the log began.
    pub(super) fn at_start(&self) -> LevelFilter {
        self.at_start
    }

    /// Logs at another level from now on.
    pub(super) fn set(&self, level: LevelFilter) {
        // Fails only where the log has ended.
        let _ = self.handle.reload(filter(level));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_journal_is_known_by_the_file_that_systemd_names() {
        let check = |stream: Option<&str>, found| is_journal(stream.map(OsStr::new), found);
        assert!(check(Some("8:12"), Some((8, 12))));
        assert!(!check(Some("8:13"), Some((8, 12))), "a pipe in its place");
        assert!(!check(Some("8:12"), None) && !check(None, Some((8, 12))) && !check(None, None));
        assert!(!check(Some("8"), Some((8, 12))) && !check(Some("x:y"), None));
    }

    #[test]
    fn a_form_is_one_of_three() {
        assert_eq!(Format::parse("journald"), Ok(Format::Journald));
        assert_eq!(Format::parse("syslog").unwrap_err(), "must be text, json or journald");
    }
}
