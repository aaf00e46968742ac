//! Validates DNS answers by their signatures, from the root down (DNSSEC).
//!
//! Most domains are not signed, some resolvers remove the signatures from their answers, and some name servers fail at
//! the queries that validation needs. None of that may delay mail, so an answer that cannot be validated counts against
//! a zone only if the zone is proven to be signed.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use hickory_resolver::TokioResolver;
use hickory_resolver::lookup::Lookup;
use hickory_resolver::net::{DnsError, NetError};
use hickory_resolver::proto::dnssec::Proof;
use hickory_resolver::proto::rr::{Name, RData, RecordType};
use tokio::time::{Instant, timeout};

use super::dane::Dane;

/// How long all queries about one server or domain may take together.
const PROOF_MAX: Duration = Duration::from_secs(15);
/// How long the root may take to answer.
const ROOT_MAX: Duration = Duration::from_secs(10);
/// How long it is remembered whether validation works.
const SOUND_FOR: Duration = Duration::from_hours(1);
/// How long the results for a server are kept.
const KEPT_FOR_MAX: Duration = Duration::from_mins(5);
/// Servers and domains that are kept; beyond this number, all are deleted.
const KEPT_MAX: usize = 10_000;

/// The result of validating an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Proven<T> {
    /// Proven: this is the zone's own data.
    Secure(T),
    /// Neither proven nor disproven.
    Insecure,
    /// Disproven: the zone is signed, and the signatures do not match.
    Broken,
}

/// Results by name, with the time until which each is valid.
type Kept<T> = Mutex<HashMap<Name, (T, Instant)>>;

/// The result of one query.
enum Answer {
    /// The records, validated.
    Secure(Lookup),
    /// There is no such record, which is proven if the zone is signed.
    Nothing,
    /// The records exist, unvalidated.
    Insecure,
    /// There is no answer, or none that can be trusted.
    Failed,
}

/// Makes validated queries.
pub(super) struct Validator {
    resolver: TokioResolver,
    /// A resolver without validation: it finds where a zone begins.
    plain: TokioResolver,
    /// Whether the DNS server passes signatures on.
    is_sound: Kept<bool>,
    has_warned: AtomicBool,
    exchangers: Kept<Proven<Vec<(u16, String)>>>,
    certificates: Kept<Dane>,
}

impl Validator {
    /// A validator that queries by `resolver`, which validates, and by `plain`, which does not.
    pub(super) fn new(resolver: TokioResolver, plain: TokioResolver) -> Arc<Validator> {
        Arc::new(Validator {
            resolver,
            plain,
            is_sound: Mutex::default(),
            has_warned: AtomicBool::new(false),
            exchangers: Mutex::default(),
            certificates: Mutex::default(),
        })
    }

    /// The preferences and names of a domain's mail servers; empty if it names none.
    pub(super) async fn exchangers(&self, domain: &Name) -> Proven<Vec<(u16, String)>> {
        if !self.is_sound().await {
            return Proven::Insecure;
        }
        let finding = async {
            match self.ask(domain, RecordType::MX).await {
                Answer::Secure(lookup) => (Proven::Secure(mx_records(&lookup)), life(&lookup)),
                // The address of the host will show whether this is proven: the zone is signed or it is not.
                Answer::Nothing => (Proven::Secure(Vec::new()), KEPT_FOR_MAX),
                Answer::Failed if self.is_signed(domain).await => (Proven::Broken, Duration::ZERO),
                Answer::Insecure | Answer::Failed => (Proven::Insecure, KEPT_FOR_MAX),
            }
        };
        recall(&self.exchangers, domain, finding, Proven::Insecure).await
    }

    /// The DANE records for the certificate of `host` at `port`.
    pub(super) async fn certificates(&self, host: &Name, port: u16) -> Dane {
        let finding = async {
            // Only a signed zone is queried: other name servers may fail at the query (RFC 7672 2.2.2).
            match self.address_proof(host).await {
                Proven::Secure(()) => {}
                Proven::Insecure => return (Dane::Absent, KEPT_FOR_MAX),
                Proven::Broken => return (Dane::Broken, Duration::ZERO),
            }
            let Ok(name) = Name::from_ascii(format!("_{port}._tcp.{host}")) else {
                return (Dane::Absent, KEPT_FOR_MAX);
            };
            match self.ask(&name, RecordType::TLSA).await {
                Answer::Secure(lookup) => (dane_in(&lookup), life(&lookup)),
                Answer::Nothing | Answer::Insecure => (Dane::Absent, KEPT_FOR_MAX),
                Answer::Failed => (Dane::Broken, Duration::ZERO),
            }
        };
        recall(&self.certificates, host, finding, Dane::Absent).await
    }

    async fn address_proof(&self, host: &Name) -> Proven<()> {
        for kind in [RecordType::A, RecordType::AAAA] {
            match self.ask(host, kind).await {
                Answer::Secure(_) => return Proven::Secure(()),
                Answer::Nothing => {}
                Answer::Failed if self.is_signed(host).await => return Proven::Broken,
                Answer::Insecure | Answer::Failed => return Proven::Insecure,
            }
        }
        Proven::Insecure
    }

    /// Whether the zone of a name is proven to be signed: by its parent or, for the root, by its own key.
    async fn is_signed(&self, name: &Name) -> bool {
        let zone = match self.plain.lookup(name.clone(), RecordType::SOA).await {
            Ok(lookup) => {
                let mut tops =
                    lookup.answers().iter().filter(|record| record.record_type() == RecordType::SOA);
                tops.next().map(|top| top.name.clone())
            }
            Err(NetError::Dns(DnsError::NoRecordsFound(none))) => none.soa.map(|top| top.name.clone()),
            Err(_) => None,
        };
        match zone {
            None => false,
            Some(zone) if zone.is_root() => true,
            Some(zone) => matches!(self.ask(&zone, RecordType::DS).await, Answer::Secure(_)),
        }
    }

    /// Whether validation works here. The root is signed, so if its answer has no signature, the signature was removed.
    async fn is_sound(&self) -> bool {
        let asking = async {
            let (validated, plain) = tokio::join!(
                timeout(ROOT_MAX, self.resolver.lookup(Name::root(), RecordType::SOA)),
                timeout(ROOT_MAX, self.plain.lookup(Name::root(), RecordType::SOA)),
            );
            match validated {
                Ok(Ok(lookup)) if is_secure(&lookup) => (true, SOUND_FOR),
                Ok(Ok(_) | Err(NetError::Dns(DnsError::DnssecBogus | DnsError::Nsec { .. }))) => {
                    if !self.has_warned.swap(true, Ordering::Relaxed) {
                        tracing::warn!(
                            "The DNS server passes no DNSSEC signatures on: what domains say in the DNS of their \
                             mail servers' certificates (DANE) counts only with one that does"
                        );
                    }
                    (false, SOUND_FOR)
                }
                // Queries that validation needs are not answered, others are.
                Ok(Err(_)) | Err(_) if matches!(plain, Ok(Ok(_))) => (false, KEPT_FOR_MAX),
                // No answer at all: that says nothing about signatures, and may be over with the next query, which must
                // not be treated as if there were no signatures.
                Ok(Err(_)) | Err(_) => (false, Duration::ZERO),
            }
        };
        recall(&self.is_sound, &Name::root(), asking, false).await
    }

    async fn ask(&self, name: &Name, kind: RecordType) -> Answer {
        match self.resolver.lookup(name.clone(), kind).await {
            Ok(lookup) if is_secure(&lookup) => Answer::Secure(lookup),
            Ok(_) => Answer::Insecure,
            Err(error) if error.is_no_records_found() => Answer::Nothing,
            // Proven by more work than anybody should do, which does not count (RFC 9276 3.2).
            Err(NetError::Dns(DnsError::Nsec { proof: Proof::Insecure | Proof::Indeterminate, .. })) => {
                Answer::Insecure
            }
            Err(_) => Answer::Failed,
        }
    }
}

/// The value kept under `name`, else the one that `finding` finds; `otherwise` if that takes too long.
async fn recall<T: Clone>(
    kept: &Kept<T>,
    name: &Name,
    finding: impl Future<Output = (T, Duration)>,
    otherwise: T,
) -> T {
    let lock = || kept.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((known, until)) = lock().get(name)
        && Instant::now() < *until
    {
        return known.clone();
    }
    let (found, life) = timeout(PROOF_MAX, finding).await.unwrap_or((otherwise, KEPT_FOR_MAX));
    let mut kept = lock();
    if KEPT_MAX <= kept.len() {
        kept.clear();
    }
    kept.insert(name.clone(), (found.clone(), Instant::now() + life));
    found
}

/// Whether everything in an answer is validated, including the aliases on the way.
fn is_secure(lookup: &Lookup) -> bool {
    let mut records = lookup.answers().iter().filter(|record| record.record_type() != RecordType::RRSIG);
    let is_empty = lookup.answers().is_empty();
    !is_empty && records.all(|record| record.proof == Proof::Secure)
}

fn dane_in(lookup: &Lookup) -> Dane {
    Dane::of(lookup.answers().iter().filter_map(|record| match &record.data {
        RData::TLSA(tlsa) => Some(tlsa),
        _ => None,
    }))
}

/// How long an answer may be kept.
fn life(lookup: &Lookup) -> Duration {
    let shortest = lookup.answers().iter().map(|record| record.ttl).min().unwrap_or(0);
    Duration::from_secs(shortest.into()).min(KEPT_FOR_MAX)
}

/// The preferences and names in an answer.
pub(super) fn mx_records(lookup: &Lookup) -> Vec<(u16, String)> {
    let records = lookup.answers().iter().filter_map(|record| match &record.data {
        RData::MX(mx) => Some((mx.preference, mx.exchange.to_ascii())),
        _ => None,
    });
    records.collect()
}
