//! What operations count, in the words of [`metrics`](crate::metrics).

use crate::config::Routing;
use crate::metrics::{Metrics, Words};
use crate::model::{AlertKind, Destination, FailureKind, QueueState, SystemMailKind};

/// Nothing counted yet, of anything that can happen.
#[must_use]
pub fn metrics() -> Metrics {
    Metrics::new(Words {
        queue_states: QueueState::ALL.iter().map(|state| state.word()).collect(),
        failures: FailureKind::ALL.iter().copied().map(failure).collect(),
        system_mails: SystemMailKind::ALL.iter().map(|kind| kind.word()).collect(),
        alerts: [AlertKind::Bounce, AlertKind::Complaint, AlertKind::DeliveryProblem].map(alert).to_vec(),
    })
}

/// Where mail goes, without the domain.
#[must_use]
pub fn destination(destination: &Destination) -> &'static str {
    match destination {
        Destination::Relay => "relay",
        Destination::Domain(_) => "mx",
    }
}

/// The same of all mail that goes out.
#[must_use]
pub fn routing(routing: Routing) -> &'static str {
    match routing {
        Routing::Relay => "relay",
        Routing::Mx => "mx",
    }
}

/// A kind of failure.
#[must_use]
pub fn failure(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Dead => "dead",
        FailureKind::Temporary => "temporary",
        FailureKind::Policy => "policy",
    }
}

/// The matter of an alert.
#[must_use]
pub fn alert(kind: AlertKind) -> &'static str {
    kind.notification().word()
}
