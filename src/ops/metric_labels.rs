//! Translates the terms of operations into the labels of [`metrics`](crate::metrics).

use crate::config::Routing;
use crate::metrics::{Metrics, Words};
use crate::model::{AlertKind, Destination, FailureKind, QueueState, SystemMailKind};

/// Metrics in which every label exists and nothing is counted yet.
#[must_use]
pub fn metrics() -> Metrics {
    Metrics::new(Words {
        queue_states: QueueState::ALL.iter().map(|state| state.word()).collect(),
        failures: FailureKind::ALL.iter().copied().map(failure).collect(),
        system_mails: SystemMailKind::ALL.iter().map(|kind| kind.word()).collect(),
        alerts: [AlertKind::Bounce, AlertKind::Complaint, AlertKind::DeliveryProblem].map(alert).to_vec(),
    })
}

/// The label of a destination's kind; never its domain.
#[must_use]
pub fn destination(destination: &Destination) -> &'static str {
    match destination {
        Destination::Relay => "relay",
        Destination::Domain(_) => "mx",
    }
}

/// The same for the route of all outgoing mail.
#[must_use]
pub fn routing(routing: Routing) -> &'static str {
    match routing {
        Routing::Relay => "relay",
        Routing::Mx => "mx",
    }
}

/// The label of a kind of failure.
#[must_use]
pub fn failure(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Dead => "dead",
        FailureKind::Temporary => "temporary",
        FailureKind::Policy => "policy",
        FailureKind::Unclassified => "unclassified",
    }
}

/// The label of an alert's subject.
#[must_use]
pub fn alert(kind: AlertKind) -> &'static str {
    kind.notification().word()
}
