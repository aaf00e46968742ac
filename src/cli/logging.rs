//! Sets the log up: lines for people on a terminal, otherwise JSON, always on standard error.
//!
//! `crier serve` and `crier demo` call it.

use std::io::{self, IsTerminal as _};

use clap::Args;
pub(super) use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{Layer as _, fmt};

use super::values::Problems;

/// How the server logs.
#[derive(Debug, Args)]
pub(super) struct LogArgs {
    /// Form of the log lines on standard error: text or json [default: text on a terminal, else json]
    #[arg(long, env = "CRIER_LOG_FORMAT", value_name = "FORMAT", help_heading = "Logs")]
    log_format: Option<String>,
    /// Least level that is logged: error, warn, info, debug or trace [default: info; warn in a demo]
    #[arg(long, env = "CRIER_LOG_LEVEL", value_name = "LEVEL", help_heading = "Logs")]
    log_level: Option<String>,
}

/// The checked settings of the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Logging {
    json: bool,
    level: LevelFilter,
}

impl LogArgs {
    /// Checks the flags; `level` applies if none was given.
    pub(super) fn parse(&self, level: LevelFilter, problems: &mut Problems) -> Option<Logging> {
        let json = match self.log_format.as_deref() {
            None | Some("") => Some(!io::stderr().is_terminal()),
            Some(text) => problems.read("--log-format", text, |text| match text {
                "text" => Ok(false),
                "json" => Ok(true),
                _ => Err("must be text or json".to_owned()),
            }),
        };
        let level = match self.log_level.as_deref() {
            None | Some("") => Some(level),
            Some(text) => problems.read("--log-level", text, |text| {
                text.parse().map_err(|_| "must be error, warn, info, debug or trace".to_owned())
            }),
        };
        Some(Logging { json: json?, level: level? })
    }
}

impl Logging {
    /// Begins to log; of other packages only warnings and errors.
    pub(super) fn start(self) {
        let filter = Targets::new()
            .with_default(self.level.min(LevelFilter::WARN))
            // It warns of every zone that is not signed; `smtp::dnssec` decides what that means for mail.
            .with_target("hickory_net::dnssec", self.level.min(LevelFilter::ERROR))
            .with_target("crier", self.level);
        let lines = fmt::layer().with_writer(io::stderr);
        let registry = tracing_subscriber::registry();
        // A second start in one process, by a test for example, keeps the first.
        let _ = if self.json {
            registry.with(lines.json().flatten_event(true).with_filter(filter)).try_init()
        } else {
            let colours = io::stderr().is_terminal();
            registry.with(lines.with_target(false).with_ansi(colours).with_filter(filter)).try_init()
        };
    }
}
