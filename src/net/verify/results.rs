//! Gathers the results of a message's checks: the record that is kept with it, and its text for
//! `Authentication-Results` (RFC 8601).
//!
//! The verifier fills it in; nothing here asks the DNS.

use mail_auth::dkim::{DkimError, Signature};
use mail_auth::dmarc::Policy;
use mail_auth::{ArcOutput, DkimOutput, DkimResult, DmarcOutput, DmarcResult, SpfOutput, SpfResult};

use crate::mail::envelope::{Envelope, ReversePath};
use crate::model::{Authentication, CheckResult, DmarcPolicy};

/// Longest value that is copied from a message.
const VALUE_CHARS_MAX: usize = 100;

/// The results so far.
pub(super) struct Results {
    found: Authentication,
    proven_domains: Vec<String>,
    texts: Vec<String>,
    has_dmarc: bool,
}

impl Results {
    pub(super) fn new(is_local: bool, has_one_author_domain: bool) -> Results {
        let found = Authentication {
            is_local,
            has_one_author_domain,
            policy: DmarcPolicy::Absent,
            ..Authentication::unchecked()
        };
        Results { found, proven_domains: Vec::new(), texts: Vec::new(), has_dmarc: false }
    }

    pub(super) fn take_spf(&mut self, spf: &SpfOutput, envelope: &Envelope) {
        self.found.spf = match spf.result() {
            SpfResult::Pass => CheckResult::Pass,
            SpfResult::Fail => CheckResult::Fail,
            SpfResult::SoftFail => CheckResult::SoftFail,
            SpfResult::Neutral => CheckResult::Neutral,
            SpfResult::TempError => CheckResult::TempError,
            SpfResult::PermError => CheckResult::PermError,
            SpfResult::None => CheckResult::None,
        };
        if self.found.spf == CheckResult::Pass {
            self.take_proven(mail_from(envelope));
        }
        let (property, result) = (spf_property(envelope), self.found.spf.word());
        self.texts.push(format!("spf={result} {property}={}", value(mail_from(envelope))));
    }

    pub(super) fn take_dkim(&mut self, outputs: &[DkimOutput<'_>]) {
        for output in outputs {
            let (result, reason) = of_signature(output.result());
            if let (CheckResult::Pass, Some(signature)) = (result, output.signature()) {
                self.take_proven(&signature.d);
            }
            if rank(result) < rank(self.found.dkim) {
                self.found.dkim = result;
            }
            let signer = |signature: &Signature| {
                format!(" header.d={} header.s={}", value(&signature.d), value(&signature.s))
            };
            let signer = output.signature().map(signer).unwrap_or_default();
            self.texts.push(format!("dkim={}{reason}{signer}", result.word()));
        }
    }

    fn take_proven(&mut self, domain: &str) {
        let domain = idna::domain_to_ascii(domain.trim_end_matches('.'));
        self.proven_domains.extend(domain.ok().filter(|domain| !self.proven_domains.contains(domain)));
    }

    pub(super) fn take_arc(&mut self, output: &ArcOutput<'_>) {
        let (result, reason) = of_signature(output.result());
        self.found.arc = result;
        if result != CheckResult::None {
            self.texts.push(format!("arc={}{reason}", result.word()));
        }
    }

    /// Adds the result for one author's domain; `None` if its policy could not be found out.
    pub(super) fn take_dmarc(&mut self, author: &str, output: Option<&DmarcOutput>) {
        let (result, policy) = match output {
            None => (CheckResult::TempError, DmarcPolicy::Unknown),
            Some(output) => (dmarc_result(output), policy(output)),
        };
        let asks = match policy {
            DmarcPolicy::None | DmarcPolicy::Quarantine | DmarcPolicy::Reject => {
                format!(" (p={})", policy.word())
            }
            DmarcPolicy::Unknown | DmarcPolicy::Absent => String::new(),
        };
        self.texts.push(format!("dmarc={}{asks} header.from={}", result.word(), value(author)));
        let is_first = !std::mem::replace(&mut self.has_dmarc, true);
        if is_first {
            self.found.is_signed_by_author =
                output.is_some_and(|output| *output.dkim_result() == DmarcResult::Pass);
        }
        if is_first || weight(result, policy) > weight(self.found.dmarc, self.found.policy) {
            (self.found.dmarc, self.found.policy) = (result, policy);
        }
    }

    /// The results, and the domains that are proven to have sent the message.
    pub(super) fn finish(mut self) -> (Authentication, Vec<String>) {
        self.found.results = if self.texts.is_empty() { "none".to_owned() } else { self.texts.join("; ") };
        (self.found, self.proven_domains)
    }
}

fn spf_property(envelope: &Envelope) -> &'static str {
    match envelope.reverse_path {
        ReversePath::Empty => "smtp.helo",
        _ => "smtp.mailfrom",
    }
}

/// The policy of a domain; if it could not be found out, it is unknown and not absent.
pub(super) fn policy(output: &DmarcOutput) -> DmarcPolicy {
    match (output.dmarc_record(), output.policy()) {
        (None, _) if matches!(output.result(), DmarcResult::TempError(_)) => DmarcPolicy::Unknown,
        (None, _) => DmarcPolicy::Absent,
        (Some(_), Policy::Reject) => DmarcPolicy::Reject,
        (Some(_), Policy::Quarantine) => DmarcPolicy::Quarantine,
        (Some(_), Policy::None | Policy::Unspecified) => DmarcPolicy::None,
    }
}

fn dmarc_result(output: &DmarcOutput) -> CheckResult {
    match output.result() {
        DmarcResult::Pass => CheckResult::Pass,
        DmarcResult::Fail(_) => CheckResult::Fail,
        DmarcResult::TempError(_) => CheckResult::TempError,
        DmarcResult::PermError(_) => CheckResult::PermError,
        DmarcResult::None => CheckResult::None,
    }
}

/// The weight of one of several authors: a failing one counts before a passing one, a strict policy before a lenient
/// one.
fn weight(result: CheckResult, policy: DmarcPolicy) -> (bool, DmarcPolicy) {
    (result != CheckResult::Pass && (policy.is_enforced() || policy == DmarcPolicy::Unknown), policy)
}

/// The rank of one of several signatures: the best comes first.
fn rank(result: CheckResult) -> u8 {
    match result {
        CheckResult::Pass => 0,
        CheckResult::TempError => 1,
        CheckResult::Fail | CheckResult::SoftFail => 2,
        CheckResult::PermError => 3,
        CheckResult::Neutral => 4,
        CheckResult::None => 5,
    }
}

/// The result of a signature, with the reason as a comment.
fn of_signature(result: &DkimResult) -> (CheckResult, String) {
    let because = |error: &mail_auth::Error| format!(" ({})", comment(&error.to_string()));
    match result {
        DkimResult::Pass => (CheckResult::Pass, String::new()),
        // A body that is not the signed one is a failure (RFC 8601 2.7.1); neutral is what cannot be checked.
        DkimResult::Neutral(error @ mail_auth::Error::Dkim(DkimError::FailedBodyHashMatch)) => {
            (CheckResult::Fail, because(error))
        }
        DkimResult::Neutral(error) => (CheckResult::Neutral, because(error)),
        DkimResult::Fail(error) => (CheckResult::Fail, because(error)),
        DkimResult::PermError(error) => (CheckResult::PermError, because(error)),
        DkimResult::TempError(error) => (CheckResult::TempError, because(error)),
        DkimResult::None => (CheckResult::None, String::new()),
    }
}

/// A value chosen by the sender, without any character that could end it.
fn value(text: &str) -> String {
    let safe = |c: char| if c.is_ascii_alphanumeric() || "-._".contains(c) { c } else { '?' };
    text.chars().take(VALUE_CHARS_MAX).map(safe).collect()
}

fn comment(text: &str) -> String {
    let safe = |c: &char| c.is_ascii_alphanumeric() || " -._".contains(*c);
    text.chars().filter(safe).take(VALUE_CHARS_MAX).collect()
}

/// The domain that SPF checks: the envelope sender's, or the client's name if the sender is empty.
pub(super) fn mail_from(envelope: &Envelope) -> &str {
    match &envelope.reverse_path {
        ReversePath::Empty => &envelope.helo,
        ReversePath::Address(address) => address.domain(),
        ReversePath::Other(path) => path.rsplit_once('@').map_or(&envelope.helo, |(_, domain)| domain),
    }
}
