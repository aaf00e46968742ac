//! The server that is examined, and the result of a check.

use std::path::Path;

use crate::config::Config;
use crate::control::settings::{Listening, SettingsReply};
use crate::control::standing::StandingReply;

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Check {
    /// The subject of the check, in one word.
    pub check: &'static str,
    /// Whether nothing is wrong.
    pub ok: bool,
    /// The fault and how to mend it; else the finding, or why there is none.
    pub message: String,
}

impl Check {
    /// Makes a result: `faults` are all that is wrong, `note` is said if there are none.
    #[must_use]
    pub fn of(check: &'static str, faults: &[String], note: impl Into<String>) -> Check {
        let ok = faults.is_empty();
        Check { check, ok, message: if ok { note.into() } else { faults.join("\n") } }
    }
}

/// The server to examine.
#[derive(Debug, Clone)]
pub struct Subject {
    /// Its settings.
    pub config: Config,
    /// Its listeners, if it runs.
    pub listeners: Option<Vec<Listening>>,
    /// Whether the operator gave it a certificate.
    pub has_certificate: bool,
    /// Whether mail programs submit mail to it.
    pub has_submission: bool,
    /// The user that runs it, if it runs.
    pub user: Option<u32>,
    /// The server to compare the clock with.
    pub time_server: Option<String>,
    /// How things stand with what it does by itself, if that is known.
    pub standing: Option<StandingReply>,
}

impl Subject {
    /// A server that runs with these settings.
    #[must_use]
    pub fn running(settings: &SettingsReply, data_dir: &Path, time_server: Option<String>) -> Subject {
        Subject {
            config: settings.config(data_dir),
            listeners: Some(settings.listeners.clone()),
            has_certificate: settings.has_certificate(),
            has_submission: settings.has_submission(),
            user: settings.user,
            time_server,
            standing: Some(settings.standing().clone()),
        }
    }

    /// A server that would start with this configuration.
    #[must_use]
    pub fn stopped(config: Config, time_server: Option<String>) -> Subject {
        let (has_certificate, has_submission) =
            (config.tls.has_certificate(), config.submission_listen.is_some());
        Subject {
            config,
            listeners: None,
            has_certificate,
            has_submission,
            user: None,
            time_server,
            standing: None,
        }
    }
}
