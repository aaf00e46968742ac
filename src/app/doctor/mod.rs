//! Examines a server and its machine: ports, DNS, TLS, relays, clock, disk, permissions, backups, ordered certificates,
//! reverse name. It says what is wrong and how to mend it, and changes nothing.
//!
//! A running server is examined from outside, with the settings that it tells; of a stopped one, with the settings that
//! it would start with.

mod clock;
mod files;
mod network;

use std::path::Path;
use std::sync::Arc;

use crate::clock::Clock;
use crate::config::Config;
use crate::control::publish::PublishedReply;
use crate::control::settings::{Listening, SettingsReply};
use crate::control::standing::{Finding, StandingReply};
use crate::net::desk::Desk;

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

/// Examines a server. `domains` are the records of its domains as they were found; the error says why they were not.
pub async fn examine(
    subject: &Subject,
    domains: Result<Vec<PublishedReply>, String>,
    clock: &Clock,
) -> Vec<Check> {
    let desk = Arc::new(Desk::new(&subject.config, clock.clone(), None));
    let (ports, tls, relay, reverse_name, time) = tokio::join!(
        network::ports(subject),
        network::tls(subject, clock),
        network::relay(subject),
        network::reverse_name(subject, desk.as_ref()),
        clock::clock(subject, clock),
    );
    vec![
        ports,
        network::dns(domains),
        tls,
        relay,
        time,
        files::disk(subject),
        files::permissions(subject),
        own(subject, "backup", |standing| &standing.backup),
        own(subject, "acme", |standing| &standing.acme),
        reverse_name,
    ]
}

/// The result about something that the server does by itself.
fn own(subject: &Subject, check: &'static str, of: fn(&StandingReply) -> &Finding) -> Check {
    match subject.standing.as_ref().map(of) {
        Some(Finding { faults, note }) => Check::of(check, faults, note),
        None => Check::of(check, &[], "not known: the data file was not read"),
    }
}
