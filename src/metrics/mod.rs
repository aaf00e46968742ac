//! Counts and measures the server's work, for monitoring.
//!
//! One [`Metrics`] is created at the start and passed along: nothing here is global. The code that does something
//! counts it, after it is durable where that matters; values that the data file holds are read when they are asked for.
//! No label has values that strangers choose: neither domains of recipients nor names of lists.

mod family;
mod lately;

use std::fmt;

use prometheus_client::encoding::text::encode;
use prometheus_client::registry::{Registry, Unit};

pub use family::{Counters, Gauges, Held, Histograms};
pub use lately::Lately;

/// The content type of the `/metrics` response.
pub const CONTENT_TYPE: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Where mail goes: to the operator's relays, or to the mail servers of domains.
pub const DESTINATIONS: [&str; 2] = ["relay", "mx"];
/// Outcomes of copies; `expired` are those whose retries ended.
const COPIES: [&str; 5] = ["delivered", "deferred", "failed", "skipped", "expired"];
/// Results of attempts.
const ENDS: [&str; 4] = ["done", "unreached", "interrupted", "broken"];
/// Kinds of payload.
pub const KINDS: [&str; 3] = ["post", "system_mail", "digest"];
/// Protocols by which mail comes in.
const PROTOCOLS: [&str; 3] = ["smtp", "lmtp", "submission"];
/// Outcomes of messages that were received whole.
const ARRIVALS: [&str; 17] = [
    "accepted",
    "no_recipient",
    "not_ours",
    "not_yours",
    "unproven",
    "exhausted",
    "too_large",
    "held_full",
    "too_many",
    "alias_too_large",
    "malformed",
    "rejected",
    "dmarc",
    "unverified",
    "disk_full",
    "disk_fails",
    "internal",
];
/// Decisions of lists.
const VERDICTS: [&str; 4] = ["post", "hold", "reject", "discard"];
/// Kinds of paths.
const ROUTES: [&str; 5] = ["api", "page", "asset", "health", "metrics"];
/// Status classes of HTTP responses.
const STATUSES: [&str; 5] = ["1xx", "2xx", "3xx", "4xx", "5xx"];

/// Bucket bounds in seconds, for work of this machine.
const SHORT: &[f64] = &[0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0];
/// Bucket bounds in seconds, for conversations with mail servers.
const LONG: &[f64] = &[0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0];
/// Bucket bounds for the jobs of one commit.
const JOBS: &[f64] = &[1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 512.0];

/// All metrics of the server.
pub struct Metrics {
    registry: Registry,
    /// Outgoing mail.
    pub sending: Sending,
    /// Incoming mail.
    pub receiving: Receiving,
    /// Certificates that the server orders itself.
    pub certificates: OrderedCertificates,
    /// HTTP requests.
    pub http: Http,
    /// The data file.
    pub store: StoreUse,
    /// Backups that the server makes by itself.
    pub backups: Backups,
    /// Values that are read when metrics are asked for.
    pub standing: Standing,
}

impl fmt::Debug for Metrics {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Metrics")
    }
}

/// Outgoing mail.
#[derive(Debug)]
pub struct Sending {
    /// Copies, by destination and outcome.
    pub copies: Counters<2>,
    /// Copies that servers took lately, for `crier status` alone.
    pub delivered_lately: Lately,
    /// Attempts at batches, by destination and result.
    pub attempts: Counters<2>,
    /// How long attempts took, by destination.
    pub attempt_seconds: Histograms<1>,
    /// Connections that are delivering now, by destination.
    pub connections: Gauges<1>,
    /// Attempts to connect, by destination and outcome.
    pub connects: Counters<2>,
    /// Failures of addresses, by source and kind.
    pub bounces: Counters<2>,
    /// Complaints of recipients.
    pub complaints: Counters<0>,
    /// System mails by kind.
    pub system_mails: Counters<1>,
    /// Alerts to administrators, by kind of event.
    pub alerts: Counters<1>,
}

/// Incoming mail.
#[derive(Debug)]
pub struct Receiving {
    /// Open connections, by protocol.
    pub connections: Gauges<1>,
    /// Connections, by protocol and whether they were admitted or refused.
    pub sessions: Counters<2>,
    /// Replies, by protocol and class.
    pub replies: Counters<2>,
    /// Messages, by protocol and outcome.
    pub messages: Counters<2>,
    /// Octets of messages that were received whole, by protocol.
    pub bytes: Counters<1>,
    /// Decisions of lists.
    pub decisions: Counters<1>,
    /// When the certificate of mail's TLS expires, in seconds since 1970.
    pub certificate_expiry: Gauges<0>,
}

/// Certificates that the server orders itself.
#[derive(Debug)]
pub struct OrderedCertificates {
    /// Names, by how things stand with them.
    pub names: Gauges<1>,
    /// Orders, by result.
    pub orders: Counters<1>,
}

/// HTTP requests.
#[derive(Debug)]
pub struct Http {
    /// Open connections.
    pub connections: Gauges<0>,
    /// Requests, by kind of path and status class.
    pub requests: Counters<2>,
    /// How long they took, by kind of path.
    pub request_seconds: Histograms<1>,
}

/// The data file.
#[derive(Debug)]
pub struct StoreUse {
    /// Committed jobs.
    pub jobs: Counters<0>,
    /// Jobs of one commit.
    pub commit_jobs: Histograms<0>,
    /// How long commits took, with their jobs.
    pub commit_seconds: Histograms<0>,
    /// The size of the file.
    pub file_bytes: Gauges<0>,
    /// The memory that its pages may take.
    pub cache_limit_bytes: Gauges<0>,
}

/// Backups that the server makes by itself.
#[derive(Debug)]
pub struct Backups {
    /// Backups, by whether they were made or failed.
    pub outcomes: Counters<1>,
    /// Bytes that they wrote to the target.
    pub sent_bytes: Counters<0>,
    /// How long they took.
    pub seconds: Histograms<0>,
    /// When the newest was made, in seconds since 1970; 0 if there is none.
    pub newest: Gauges<0>,
    /// How long ago that was, when metrics are asked for; 0 if there is none.
    pub age_seconds: Gauges<0>,
}

/// Values that are read when metrics are asked for.
#[derive(Debug)]
pub struct Standing {
    /// Batches, by kind of payload and state.
    pub batches: Gauges<2>,
    /// Copies waiting in them.
    pub copies: Gauges<2>,
    /// How long the earliest due batch has been due.
    pub oldest_due_seconds: Gauges<0>,
    /// Posts that are not wholly in batches yet.
    pub expansions: Gauges<0>,
    /// Memory of the process.
    pub memory_bytes: Gauges<0>,
    /// When the process started, in seconds since 1970.
    pub start_seconds: Gauges<0>,
}

/// The values of labels that other layers define.
#[derive(Debug)]
pub struct Words {
    /// States of batches.
    pub queue_states: Vec<&'static str>,
    /// Kinds of failures.
    pub failures: Vec<&'static str>,
    /// Kinds of system mails.
    pub system_mails: Vec<&'static str>,
    /// Kinds of events in alerts.
    pub alerts: Vec<&'static str>,
}

/// Registers families under `crier_…`, with their help texts.
struct Making(Registry);

impl Making {
    fn counters<const K: usize>(
        &mut self,
        name: &str,
        help: &str,
        labels: [family::Label; K],
    ) -> Counters<K> {
        let counters = Counters::new(labels);
        self.0.sub_registry_with_prefix("crier").register(name, help, counters.clone());
        counters
    }

    fn gauges<const K: usize>(&mut self, name: &str, help: &str, labels: [family::Label; K]) -> Gauges<K> {
        let gauges = Gauges::new(labels);
        self.0.sub_registry_with_prefix("crier").register(name, help, gauges.clone());
        gauges
    }

    fn histograms<const K: usize>(
        &mut self,
        name: &str,
        help: &str,
        labels: [family::Label; K],
        bounds: &'static [f64],
    ) -> Histograms<K> {
        let histograms = Histograms::new(labels, bounds);
        self.0.sub_registry_with_prefix("crier").register(name, help, histograms.clone());
        histograms
    }
}

impl Metrics {
    /// Metrics with nothing counted yet.
    #[must_use]
    pub fn new(words: Words) -> Metrics {
        let Words { queue_states, failures, system_mails, alerts } = words;
        let mut making = Making(Registry::default());
        let version = env!("CARGO_PKG_VERSION");
        making.gauges("build_info", "Version of Crier", [("version", vec![version])]).set([version], 1);
        let sending = Sending::new(&mut making, failures, system_mails, alerts);
        let receiving = Receiving::new(&mut making);
        let certificates = OrderedCertificates::new(&mut making);
        let http = Http::new(&mut making);
        let store = StoreUse::new(&mut making);
        let backups = Backups::new(&mut making);
        let standing = Standing::new(&mut making, &queue_states);
        Metrics { registry: making.0, sending, receiving, certificates, http, store, backups, standing }
    }

    /// All metrics as text in the `OpenMetrics` format, which Prometheus reads.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        let written = encode(&mut text, &self.registry);
        debug_assert!(written.is_ok(), "a string takes any text");
        text
    }
}

impl Sending {
    fn new(
        making: &mut Making,
        failures: Vec<&'static str>,
        system_mails: Vec<&'static str>,
        alerts: Vec<&'static str>,
    ) -> Sending {
        let destination = || ("destination", DESTINATIONS.to_vec());
        Sending {
            copies: making.counters(
                "delivery_copies",
                "Copies of posts and system mails by the outcome of an attempt or of the retries",
                [destination(), ("outcome", COPIES.to_vec())],
            ),
            delivered_lately: Lately::default(),
            attempts: making.counters(
                "delivery_attempts",
                "Attempts at batches of up to 64 copies by their results",
                [destination(), ("result", ENDS.to_vec())],
            ),
            attempt_seconds: making.histograms(
                "delivery_attempt_duration_seconds",
                "Duration of attempts at batches, including the wait for a connection",
                [destination()],
                LONG,
            ),
            connections: making.gauges(
                "delivery_connections",
                "Connections to other mail servers that are delivering",
                [destination()],
            ),
            connects: making.counters(
                "delivery_connection_attempts",
                "Attempts to connect to other mail servers",
                [destination(), ("outcome", vec!["made", "failed"])],
            ),
            bounces: making.counters(
                "bounces",
                "Copies that failed for good, by kind of failure; refused at delivery or reported later by mail",
                [("source", vec!["delivery", "report"]), ("kind", failures)],
            ),
            complaints: making.counters("complaints", "Complaints of recipients that came by mail", []),
            system_mails: making.counters(
                "system_mails",
                "Mails that the server wrote itself or forwarded, by kind",
                [("kind", system_mails)],
            ),
            alerts: making.counters("alerts", "Alerts written to administrators", [("kind", alerts)]),
        }
    }
}

impl Receiving {
    fn new(making: &mut Making) -> Receiving {
        let protocol = || ("protocol", PROTOCOLS.to_vec());
        Receiving {
            connections: making.gauges("smtp_connections", "Connections of mail clients", [protocol()]),
            sessions: making.counters(
                "smtp_sessions",
                "Connections of mail clients that were admitted, or refused for being too many",
                [protocol(), ("outcome", vec!["admitted", "refused"])],
            ),
            replies: making.counters(
                "smtp_replies",
                "Replies to mail clients by the class of their codes",
                [protocol(), ("class", vec!["2xx", "3xx", "4xx", "5xx"])],
            ),
            messages: making.counters(
                "messages_received",
                "Messages that were received whole, by outcome; in LMTP once for each recipient",
                [protocol(), ("outcome", ARRIVALS.to_vec())],
            ),
            bytes: making.counters(
                "messages_received_bytes",
                "Octets of messages that were accepted",
                [protocol()],
            ),
            decisions: making.counters(
                "messages_decided",
                "Messages that came by mail, by the decision of the list; refusals are counted in messages received",
                [("verdict", VERDICTS.to_vec())],
            ),
            certificate_expiry: making.gauges(
                "tls_certificate_expiry_timestamp_seconds",
                "When the certificate of mail's TLS expires, in seconds since 1970",
                [],
            ),
        }
    }
}

impl OrderedCertificates {
    fn new(making: &mut Making) -> OrderedCertificates {
        OrderedCertificates {
            names: making.gauges(
                "acme_names",
                "Names for which certificates are ordered: those that are wanted, that have one, and whose last order was \
                 refused",
                [("state", vec!["wanted", "held", "refused"])],
            ),
            orders: making.counters(
                "acme_orders",
                "Orders of certificates, by result",
                [("result", vec!["issued", "refused"])],
            ),
        }
    }
}

impl Http {
    fn new(making: &mut Making) -> Http {
        let route = || ("route", ROUTES.to_vec());
        Http {
            connections: making.gauges("http_connections", "Connections of HTTP clients", []),
            requests: making.counters(
                "http_requests",
                "Requests by kind of path and status class",
                [route(), ("status", STATUSES.to_vec())],
            ),
            request_seconds: making.histograms(
                "http_request_duration_seconds",
                "Time from a request to the beginning of its response",
                [route()],
                SHORT,
            ),
        }
    }

    /// Counts a request by its duration in seconds and its status.
    pub fn note(&self, route: &str, status: u16, seconds: f64) {
        let class = usize::from(status / 100).clamp(1, STATUSES.len());
        self.requests.count([route, STATUSES[class - 1]]);
        self.request_seconds.observe([route], seconds);
    }
}

impl StoreUse {
    fn new(making: &mut Making) -> StoreUse {
        StoreUse {
            jobs: making.counters("store_jobs", "Write jobs that were committed", []),
            commit_jobs: making.histograms("store_commit_jobs", "Write jobs of one commit", [], JOBS),
            commit_seconds: making.histograms(
                "store_commit_duration_seconds",
                "Duration of commits, including their jobs and the flush to the disk",
                [],
                SHORT,
            ),
            file_bytes: making.gauges("store_file_bytes", "Size of the data file", []),
            cache_limit_bytes: making.gauges(
                "store_cache_limit_bytes",
                "Memory that pages of the data file may take",
                [],
            ),
        }
    }
}

impl Backups {
    fn new(making: &mut Making) -> Backups {
        Backups {
            outcomes: making.counters(
                "backups",
                "Backups that the server made by itself, by outcome",
                [("outcome", vec!["made", "failed"])],
            ),
            sent_bytes: making.counters("backup_sent_bytes", "Bytes that backups wrote to their target", []),
            seconds: making.histograms("backup_duration_seconds", "Duration of backups", [], LONG),
            newest: making.gauges(
                "backup_newest_timestamp_seconds",
                "When the newest backup was made, in seconds since 1970; 0 if there is none",
                [],
            ),
            age_seconds: making.gauges(
                "backup_age_seconds",
                "How old the newest backup is; 0 if there is none",
                [],
            ),
        }
    }
}

impl Standing {
    fn new(making: &mut Making, states: &[&'static str]) -> Standing {
        let labels = || [("kind", KINDS.to_vec()), ("state", states.to_vec())];
        let standing = Standing {
            batches: making.gauges(
                "queue_batches",
                "Batches in the queue: up to 64 copies of one post, digest or system mail to one destination",
                labels(),
            ),
            copies: making.gauges("queue_copies", "Copies that wait in the batches of the queue", labels()),
            oldest_due_seconds: making.gauges(
                "queue_oldest_due_age_seconds",
                "How long the earliest due batch has been due without being begun",
                [],
            ),
            expansions: making.gauges(
                "queue_fanouts_pending",
                "Posts whose members are not all in the queue yet",
                [],
            ),
            memory_bytes: Gauges::new([]),
            start_seconds: Gauges::new([]),
        };
        // These two have the names that are common to all programs.
        let process = making.0.sub_registry_with_prefix("process");
        let bytes = (Unit::Bytes, standing.memory_bytes.clone());
        process.register_with_unit("resident_memory", "Memory of the process", bytes.0, bytes.1);
        let start = (Unit::Seconds, standing.start_seconds.clone());
        process.register_with_unit("start_time", "When the process started", start.0, start.1);
        standing
    }
}
