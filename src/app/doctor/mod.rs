//! Examines a server and its machine: ports, DNS, TLS, relays, clock, disk, permissions, backups, ordered certificates,
//! reverse name. It says what is wrong and how to mend it, and changes nothing.
//!
//! A running server is examined from outside, with the settings that it tells; of a stopped one, with the settings that
//! it would start with.

mod clock;
mod files;
mod network;
mod subject;

use std::sync::Arc;

use crate::clock::Clock;
use crate::control::publish::PublishedReply;
use crate::control::standing::{Finding, StandingReply};
use crate::net::desk::Desk;

pub use subject::{Check, Subject};

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
