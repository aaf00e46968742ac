//! Checks SPF, DKIM, DMARC and ARC of incoming mail, with `mail-auth` (`spec/mail.md` 2).
//!
//! All records whose names are known from the beginning (the policies of the author's domain and of its parent domains,
//! the keys of the signatures) are queried side by side, within one time limit; the checks are then made on the
//! answers. So a slow name server can never hide the policy of another's domain, and a message never waits for longer
//! than [`LOOKUPS_MAX`], whatever it makes the server look up.
//!
//! **Whose address is it?** SPF is about the address of the client. A front server (`--trusted-relay`, and every client
//! of LMTP) is not the sender, so SPF is not evaluated and DMARC rests on DKIM. A program of this machine has no
//! address that a policy could mean: from loopback only a pass counts (its domain names the address on purpose), any
//! other result becomes `none`. A front server on loopback should be named, or it counts as such a program.
//!
//! **Who is the author?** Everybody in From. Authors of several domains are each checked: the strictest policy of those
//! that fail counts for the membership test, but the message is not refused (RFC 9989 exempts it).
//!
//! **No answer.** A temporary error refuses nothing. If an unknown policy decides whether From is trusted, the message
//! is deferred (451) and comes again; from this machine it is trusted, since no other server is in between. To accept
//! it instead would open every members-only list to attackers who can silence the DNS.

mod body;
mod cache;
mod health;
mod results;

use std::collections::HashSet;
use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;
use std::time::Duration;

use mail_auth::common::crypto::Algorithm;
use mail_auth::common::resolver::ToFqdn;
use mail_auth::common::verify::{DomainKey, VerifySignature as _};
use mail_auth::dmarc::Dmarc;
use mail_auth::dmarc::verify::DmarcParameters;
use mail_auth::spf::Spf;
use mail_auth::spf::verify::SpfParameters;
use mail_auth::{
    ArcOutput, AuthenticatedMessage, DkimOutput, DmarcOutput, DmarcResult, DnsError, Error,
    MessageAuthenticator, Parameters, SpfOutput, SpfResult,
};
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::dns::{DnsOptions, MxError, Resolver};
use crate::config::Config;
use crate::mail;
use crate::mail::envelope::{DsnOptions, Envelope, Origin, ReversePath};
use crate::mail::mime::HEADER_BYTES_MAX;
use crate::mail::seal::ARC_SETS_MAX;
use crate::model::{Authentication, Cidr, DmarcPolicy};
use cache::{Asked, TxtCache};
use health::Health;
use results::{Results, mail_from};

/// How long all look-ups of one message may take together.
const LOOKUPS_MAX: Duration = Duration::from_secs(5);
/// How long the check may take whether signatures are of the author's organisation, once the records are known.
const ALIGNMENT_MAX: Duration = Duration::from_secs(2);
/// How long one query to one server may take; it is repeated.
const QUESTION_MAX: Duration = Duration::from_millis(1500);
/// DKIM signatures that are checked.
const SIGNATURES_MAX: usize = 10;
/// Fields that a signature may cover: verifying walks over the header as many times.
const SIGNED_FIELDS_MAX: usize = 200;
/// Messages of this size and more are hashed on a thread where other tasks do not wait.
const HASH_INLINE_BYTES_MAX: usize = 256 * 1024;

/// Verifies senders. Cloning is cheap, and clones share their caches.
#[derive(Clone)]
pub struct Verifier(Arc<Shared>);

struct Shared {
    dns: MessageAuthenticator,
    cache: TxtCache,
    health: Health,
    hostname: String,
    trusted_relays: Vec<Cidr>,
}

impl std::fmt::Debug for Verifier {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "Verifier of {}", self.0.hostname)
    }
}

/// A record that must be looked up for a message.
struct Question {
    /// The name, with its final dot.
    name: Box<str>,
    kind: Kind,
}

enum Kind {
    Policy,
    Key,
}

/// The meaning of a client's address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Client {
    /// The sender's own address, or that of a server on its behalf.
    Sender,
    /// One of the operator's front servers.
    Relay,
    /// A program on this machine.
    Local,
}

impl Verifier {
    /// Verifies with the resolver of `config`, and begins to check whether the resolver answers.
    pub fn new(config: &Config) -> Result<Verifier, MxError> {
        let options = DnsOptions { question_timeout: QUESTION_MAX, ..DnsOptions::new(config) };
        let resolver = Resolver::new(&options)?.into_inner();
        let health = Health::new(resolver.clone());
        health.doubt();
        Ok(Verifier(Arc::new(Shared {
            dns: MessageAuthenticator(resolver),
            cache: TxtCache::default(),
            health,
            hostname: config.hostname.clone(),
            trusted_relays: config.trusted_relays.clone(),
        })))
    }

    /// Checks a message as it was received, before anything is put in front of it. `is_fronted` says that the client
    /// can only be a front server, as with LMTP. Returns the results, and the domains that are proven to have sent it.
    pub async fn verify(
        &self,
        envelope: &Envelope,
        raw: &[u8],
        is_fronted: bool,
    ) -> (Authentication, Vec<String>) {
        let client = if is_fronted { Client::Relay } else { self.client(envelope.client) };
        if HEADER_BYTES_MAX < mail::split(raw).0.len() {
            // It is refused as soon as it is parsed.
            return (Authentication { is_local: false, ..Authentication::unchecked() }, Vec::new());
        }
        let authors = mail::author_domains(raw);
        let raw = &mail::with_sound_header(raw);
        let message = parse(raw);
        let unanswered = self.gather(questions(&authors, message.as_ref())).await;
        let asked = Asked { cache: &self.0.cache, unanswered };
        let nobody = AuthenticatedMessage::default();
        let message = message.as_ref().unwrap_or(&nobody);
        let (spf, dkim, arc) = tokio::join!(
            Box::pin(self.spf(envelope, client)),
            Box::pin(self.dkim(message, &asked)),
            Box::pin(self.arc(message, &asked)),
        );
        let mut results = Results::new(client == Client::Local, authors.len() == 1);
        if client == Client::Sender || spf.result() == SpfResult::Pass {
            results.take_spf(&spf, envelope);
        }
        results.take_dkim(&dkim);
        results.take_arc(&arc);
        for author in &authors {
            let dmarc = Box::pin(self.dmarc(author, &dkim, mail_from(envelope), &spf, &asked)).await;
            results.take_dmarc(author, dmarc.as_ref());
        }
        results.finish()
    }

    /// Checks a message that did not come from a client, like one from a front server: DMARC rests on its signatures.
    pub(super) async fn verify_offline(&self, raw: &[u8]) -> Authentication {
        let envelope = Envelope {
            client: IpAddr::V4(Ipv4Addr::LOCALHOST),
            helo: String::new(),
            tls: false,
            reverse_path: ReversePath::Empty,
            recipients: Vec::new(),
            smtputf8: false,
            requires_tls: false,
            authentication: Authentication::unchecked(),
            dsn_options: DsnOptions::default(),
            origin: Origin::Relay,
            proven_domains: Vec::new(),
            size_bytes: raw.len() as u64,
        };
        self.verify(&envelope, raw, true).await.0
    }

    /// The DMARC policy of a domain.
    pub(super) async fn policy(&self, domain: &str) -> DmarcPolicy {
        let Ok(domain) = idna::domain_to_ascii(domain) else { return DmarcPolicy::Absent };
        let domain = domain.as_str();
        let questions = policy_names(domain).into_iter().map(|name| Question { name, kind: Kind::Policy });
        let unanswered = self.gather(questions.collect()).await;
        let asked = Asked { cache: &self.0.cache, unanswered };
        let dmarc = self.dmarc(domain, &[], "", &SpfOutput::default(), &asked).await;
        dmarc.map_or(DmarcPolicy::Unknown, |dmarc| results::policy(&dmarc))
    }

    /// Whether the DNS has ever answered.
    pub(super) fn has_answered(&self) -> bool {
        self.0.health.has_answered()
    }

    fn client(&self, address: IpAddr) -> Client {
        if self.0.trusted_relays.iter().any(|network| network.contains(address)) {
            Client::Relay
        } else if address.is_loopback() {
            Client::Local
        } else {
            Client::Sender
        }
    }

    /// Looks up the records that are not cached; returns the names without an answer.
    async fn gather(&self, questions: Vec<Question>) -> HashSet<Box<str>> {
        let mut unanswered = HashSet::new();
        let mut lookups = JoinSet::new();
        let is_down = self.0.health.is_down();
        for question in questions {
            if self.0.cache.knows(&question.name) || !unanswered.insert(question.name.clone()) || is_down {
                continue;
            }
            let shared = Arc::clone(&self.0);
            lookups.spawn(async move { (Box::pin(shared.ask(&question)).await, question.name) });
        }
        let gathering = async {
            while let Some(Ok((is_answered, name))) = lookups.join_next().await {
                if is_answered {
                    unanswered.remove(&name);
                }
            }
        };
        tokio::select! {
            _ = timeout(LOOKUPS_MAX, gathering) => {}
            () = self.0.health.down() => {}
        }
        if !unanswered.is_empty() {
            self.0.health.doubt();
        }
        unanswered
    }

    async fn spf(&self, envelope: &Envelope, client: Client) -> SpfOutput {
        let Shared { dns, cache, health, hostname, .. } = &*self.0;
        let unanswered = || SpfOutput::default().with_result(SpfResult::TempError);
        let Envelope { client: address, helo, .. } = envelope;
        let sender = match &envelope.reverse_path {
            _ if client == Client::Relay => return SpfOutput::default(),
            _ if health.is_down() => return unanswered(),
            ReversePath::Empty => String::new(),
            ReversePath::Address(address) => format!("{}@{}", address.local(), address.domain()),
            ReversePath::Other(path) => path.clone(),
        };
        let parameters = if sender.is_empty() {
            SpfParameters::verify_ehlo(*address, helo, hostname)
        } else {
            SpfParameters::verify_mail_from(*address, helo, hostname, &sender)
        };
        let check = async {
            // Most names have a record, or none for all messages of the next minute.
            let domain = mail_from(envelope);
            let name = domain.to_fqdn();
            if let Err(error) = dns.txt_lookup::<Spf>(&*name, Some(cache)).await {
                self.0.note(&name, error);
            }
            dns.check_host(Parameters::new(parameters).with_txt_cache(cache)).await
        };
        tokio::select! {
            checked = timeout(LOOKUPS_MAX, check) => checked.unwrap_or_else(|_| unanswered()),
            () = health.down() => unanswered(),
        }
    }

    async fn dkim<'x>(
        &self,
        message: &'x AuthenticatedMessage<'x>,
        asked: &'x Asked<'_>,
    ) -> Vec<DkimOutput<'x>> {
        if message.dkim_headers.is_empty() && !message.has_dkim_errors {
            return Vec::new();
        }
        let parameters = Parameters::new(message).with_txt_cache(asked);
        // Every key is cached by now; a query may remain for whether one domain may sign for another.
        timeout(ALIGNMENT_MAX, self.0.dns.verify_dkim(parameters)).await.unwrap_or_default()
    }

    async fn arc<'x>(&self, message: &'x AuthenticatedMessage<'x>, asked: &'x Asked<'_>) -> ArcOutput<'x> {
        if message.as_headers.is_empty() {
            return ArcOutput::default();
        }
        let parameters = Parameters::new(message).with_txt_cache(asked);
        timeout(ALIGNMENT_MAX, self.0.dns.verify_arc(parameters)).await.unwrap_or_default()
    }

    /// DMARC for one author's domain; `None` if its policy could not be found out.
    async fn dmarc(
        &self,
        author: &str,
        dkim: &[DkimOutput<'_>],
        mail_from: &str,
        spf: &SpfOutput,
        asked: &Asked<'_>,
    ) -> Option<DmarcOutput> {
        if policy_names(author).iter().any(|name| asked.unanswered.contains(name)) {
            return None;
        }
        let message = AuthenticatedMessage { from: vec![format!("author@{author}")], ..Default::default() };
        let evaluate = async |dkim: &[DkimOutput<'_>], spf: &SpfOutput| {
            let parameters = Parameters::new(DmarcParameters::new(&message, dkim, mail_from, spf));
            self.0.dns.verify_dmarc(parameters.with_txt_cache(asked)).await
        };
        let policy = timeout(ALIGNMENT_MAX, evaluate(&[], &SpfOutput::default())).await.ok()?;
        if policy.dmarc_record().is_none() {
            return Some(policy);
        }
        let unanswered = || DmarcResult::TempError(Error::Dns(DnsError::Resolver(String::new())));
        let evaluated = timeout(ALIGNMENT_MAX, evaluate(dkim, spf)).await;
        Some(evaluated.unwrap_or_else(|_| policy.with_dkim_result(unanswered())))
    }
}

impl Shared {
    /// Looks up a record, so that it is in the cache; returns whether there was an answer.
    async fn ask(&self, question: &Question) -> bool {
        let Question { name, kind } = question;
        let cache = Some(&self.cache);
        let answer = match kind {
            Kind::Policy => self.dns.txt_lookup::<Dmarc>(&**name, cache).await.map(drop),
            Kind::Key => self.dns.txt_lookup::<DomainKey>(&**name, cache).await.map(drop),
        };
        let is_answered = answer.map_or_else(|error| self.note(name, error), |()| true);
        if is_answered {
            self.health.note_answer();
        }
        is_answered
    }

    /// Caches that there is no record; returns whether the error was an answer.
    fn note(&self, name: &str, error: Error) -> bool {
        match error {
            Error::Dns(DnsError::Resolver(_)) => {
                self.health.doubt();
                false
            }
            Error::Dns(DnsError::RecordNotFound(_)) => {
                self.cache.note_absent(name, error);
                true
            }
            // An unusable record is in the cache already, and a name that cannot be queried needs no entry.
            _ => true,
        }
    }
}

/// The message as `mail-auth` parses it; `None` if it has no signature, so that nothing needs to be hashed.
fn parse(raw: &[u8]) -> Option<AuthenticatedMessage<'_>> {
    if !mail::has_signature(raw) {
        return None;
    }
    let mut message = if raw.len() < HASH_INLINE_BYTES_MAX {
        AuthenticatedMessage::parse(raw)
    } else {
        tokio::task::block_in_place(|| AuthenticatedMessage::parse(raw))
    }?;
    body::correct(&mut message);
    message.dkim_headers.retain(|signature| is_sound(signature.header.a, &signature.header.h));
    message.dkim_headers.truncate(SIGNATURES_MAX);
    message.ams_headers.retain(|signature| is_sound(signature.header.a, &signature.header.h));
    message.as_headers.truncate(ARC_SETS_MAX);
    Some(message)
}

/// Whether a signature can prove anything: From must be signed (RFC 6376 5.4), or the signature is about another text,
/// and SHA-1 counts for nothing (RFC 8301 3.1).
fn is_sound(algorithm: Algorithm, fields: &[String]) -> bool {
    let has_from = || fields.iter().any(|name| name.eq_ignore_ascii_case("from"));
    algorithm != Algorithm::RsaSha1 && fields.len() <= SIGNED_FIELDS_MAX && has_from()
}

/// All records that are known to be needed.
fn questions(authors: &[String], message: Option<&AuthenticatedMessage<'_>>) -> Vec<Question> {
    let policies = authors.iter().flat_map(|author| policy_names(author));
    let mut questions: Vec<Question> = policies.map(|name| Question { name, kind: Kind::Policy }).collect();
    if let Some(message) = message {
        let keys = message.dkim_headers.iter().map(|signature| signature.header.domain_key());
        let chain =
            message.ams_headers.iter().take(ARC_SETS_MAX).map(|signature| signature.header.domain_key());
        let seals = message.as_headers.iter().map(|seal| seal.header.domain_key());
        let names = keys.chain(chain).chain(seals).map(|name| name.to_fqdn().into_owned().into_boxed_str());
        questions.extend(names.map(|name| Question { name, kind: Kind::Key }));
    }
    questions
}

/// The names at which the policy of a domain may be: its own name and its parents' (RFC 9989 4.10).
fn policy_names(domain: &str) -> Vec<Box<str>> {
    let labels: Vec<&str> = domain.split('.').filter(|label| !label.is_empty()).collect();
    let mut names = Vec::new();
    if labels.len() < 2 {
        return names;
    }
    let mut count = labels.len();
    loop {
        names.push(format!("_dmarc.{}.", labels[labels.len() - count..].join(".")).into_boxed_str());
        match count {
            1 => return names,
            8.. => count = 7,
            _ => count -= 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_signature_with_sha_1_or_without_from_is_no_signature() {
        let signatures = |algorithm: &str, fields: &str| {
            let raw = format!(
                "DKIM-Signature: v=1; a={algorithm}; d=x.example; s=s; h={fields}; bh=eA==; b=eA==\r\nFrom: a@x.example\r\n\r\n"
            );
            parse(raw.as_bytes()).map_or(0, |message| message.dkim_headers.len())
        };
        assert_eq!(signatures("rsa-sha256", "to:From"), 1);
        assert_eq!(signatures("rsa-sha1", "from"), 0);
        assert_eq!(signatures("rsa-sha256", "to:subject"), 0);
    }

    #[test]
    fn a_policy_is_looked_for_at_eight_names_at_most() {
        let names = |domain: &str| policy_names(domain).join(" ");
        assert_eq!(names("lists.example.org"), "_dmarc.lists.example.org. _dmarc.example.org. _dmarc.org.");
        assert_eq!(names("localhost"), "");
        assert_eq!(policy_names("a.b.c.d.e.f.g.h.i.j").len(), 8);
        assert_eq!(&*policy_names("a.b.c.d.e.f.g.h.i.j")[1], "_dmarc.d.e.f.g.h.i.j.");
    }
}
