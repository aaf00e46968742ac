//! What the DNS says for certain: answers that are validated by their signatures, from the root down (DNSSEC).
//!
//! Most domains are not signed, some resolvers take the signatures out of what they pass on, and some name servers
//! fail at the questions that validation needs. None of that may keep mail from anybody, so an answer that cannot
//! be validated is only held against a zone that is proven to be signed.

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

/// How long everything may take that is asked about one server or domain.
const PROOF_MAX: Duration = Duration::from_secs(15);
/// How long the root may take to answer.
const ROOT_MAX: Duration = Duration::from_secs(10);
/// How long it is remembered whether validation works.
const SOUND_FOR: Duration = Duration::from_hours(1);
/// How long it is remembered what was found out about a server.
const KEPT_FOR_MAX: Duration = Duration::from_mins(5);
/// Servers and domains that are remembered, after which all are forgotten.
const KEPT_MAX: usize = 10_000;

/// What is proven of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Proven<T> {
    /// That this is what the zone says.
    Secure(T),
    /// That nothing can be proven.
    Insecure,
    /// That it is not what the zone says: that is signed, and the signatures do not fit.
    Broken,
}

/// What was found out under a name, and until when it holds.
type Kept<T> = Mutex<HashMap<Name, (T, Instant)>>;

/// What an answer came to.
enum Answer {
    /// It is proven.
    Secure(Lookup),
    /// There is no such record, and that is proven where the zone is signed.
    Nothing,
    /// Nothing about it is proven.
    Insecure,
    /// There is none, or none that could be believed.
    Failed,
}

/// Asks for what can be validated.
pub(super) struct Validator {
    resolver: TokioResolver,
    /// One that believes what it is told: it tells where a zone begins.
    plain: TokioResolver,
    /// Whether the resolver passes signatures on at all.
    is_sound: Kept<bool>,
    has_warned: AtomicBool,
    exchangers: Kept<Proven<Vec<(u16, String)>>>,
    certificates: Kept<Dane>,
}

impl Validator {
    /// One that asks by `resolver`, which validates, and by `plain`, which does not.
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

    /// The preferences and names of a domain's mail servers; empty where it names none.
    pub(super) async fn exchangers(&self, domain: &Name) -> Proven<Vec<(u16, String)>> {
        if !self.is_sound().await {
            return Proven::Insecure;
        }
        let finding = async {
            match self.ask(domain, RecordType::MX).await {
                Answer::Secure(lookup) => (Proven::Secure(super::dns::mx_records(&lookup)), life(&lookup)),
                // Whether that is proven is what its address will show: the zone is signed or it is not.
                Answer::Nothing => (Proven::Secure(Vec::new()), KEPT_FOR_MAX),
                Answer::Failed if self.is_signed(domain).await => (Proven::Broken, Duration::ZERO),
                Answer::Insecure | Answer::Failed => (Proven::Insecure, KEPT_FOR_MAX),
            }
        };
        recall(&self.exchangers, domain, finding, Proven::Insecure).await
    }

    /// What the DNS says of the certificate of `host` at `port`.
    pub(super) async fn certificates(&self, host: &Name, port: u16) -> Dane {
        let finding = async {
            // Only a zone that is signed is asked: other name servers may fail at the question (RFC 7672 2.2.2).
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

    /// Whether the zone of a name is proven to be signed: by its parent, as the root is by being the root.
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

    /// Whether validation works here: the root is signed, so an answer without its signature was stripped of it.
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
                // What validation asks is not answered, and other questions are.
                Ok(Err(_)) | Err(_) if matches!(plain, Ok(Ok(_))) => (false, KEPT_FOR_MAX),
                // Nobody answers: that says nothing of signatures, and may be over with the next question, which must not
                // be taken for one about a world without them.
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

/// What is known under `name`, else what `finding` finds; `otherwise` where that takes too long.
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

/// Whether everything in an answer is proven, aliases on the way too.
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
