//! The results of checking a message's sender as it came in: SPF, DKIM, DMARC and ARC.
//!
//! A record of plain values, kept with the message. The posting decision, the rewriting of From, the simulator and
//! moderators read it; none of them asks the DNS for it again.

use serde::{Deserialize, Serialize};

use super::words;

/// The `Authentication-Results` text of a message whose sender authenticated with an API key.
const SUBMITTED: &str = "auth=pass";

words! {
    /// The result of one check (RFC 8601 2.7).
    CheckResult {
        /// The check was not made, or there was nothing to check.
        None = "none",
        /// It passed.
        Pass = "pass",
        /// It failed.
        Fail = "fail",
        /// It failed, and the domain's owner is not sure (SPF alone).
        SoftFail = "softfail",
        /// The domain's owner states nothing, or the signature cannot be judged.
        Neutral = "neutral",
        /// The DNS gave no answer.
        TempError = "temperror",
        /// The published record cannot be used.
        PermError = "permerror",
    }
}

words! {
    /// The treatment that a domain asks of receivers for mail that fails DMARC.
    DmarcPolicy {
        /// It could not be found out.
        Unknown = "unknown",
        /// The domain publishes no policy.
        Absent = "absent",
        /// No treatment.
        None = "none",
        /// To treat it as suspicious.
        Quarantine = "quarantine",
        /// To refuse it.
        Reject = "reject",
    }
}

impl DmarcPolicy {
    /// Whether receivers are asked to act on a failure: "a policy" in the sense of `spec/mail.md` 11.
    #[must_use]
    pub fn is_enforced(self) -> bool {
        matches!(self, DmarcPolicy::Quarantine | DmarcPolicy::Reject)
    }
}

/// The results of the checks of one message.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Authentication {
    /// SPF of the envelope sender, or of the client's name if that is empty.
    pub spf: CheckResult,
    /// The best of its DKIM signatures.
    pub dkim: CheckResult,
    /// DMARC of the author's domain; of several authors, that of the one whose policy counts
    /// ([`policy`](Self::policy)).
    pub dmarc: CheckResult,
    /// The ARC chain of the servers that forwarded it before.
    pub arc: CheckResult,
    /// The policy of the author's domain; of several domains, the strictest of those that failed, else of all.
    pub policy: DmarcPolicy,
    /// Whether a valid DKIM signature is one of the author's own organisation.
    pub is_signed_by_author: bool,
    /// Whether all authors are of one domain: DMARC is defined for no other message (RFC 9989).
    pub has_one_author_domain: bool,
    /// Whether it came from a program of this machine. Such a message is trusted even if its author's policy is
    /// unknown.
    pub is_local: bool,
    /// The value of the `Authentication-Results` field with these results, on one line.
    pub results: String,
}

impl Authentication {
    /// Nothing was checked: local submission, or a server that verifies nobody.
    #[must_use]
    pub fn unchecked() -> Authentication {
        Authentication {
            spf: CheckResult::None,
            dkim: CheckResult::None,
            dmarc: CheckResult::None,
            arc: CheckResult::None,
            policy: DmarcPolicy::Unknown,
            is_signed_by_author: false,
            has_one_author_domain: true,
            is_local: true,
            results: String::new(),
        }
    }

    /// Its sender authenticated with a key that may post, and is trusted: submission (RFC 8601 2.7.4).
    #[must_use]
    pub fn submitted() -> Authentication {
        Authentication { results: SUBMITTED.to_owned(), ..Authentication::unchecked() }
    }

    /// Whether its sender authenticated with a key that may post.
    #[must_use]
    pub fn is_submitted(&self) -> bool {
        self.results == SUBMITTED
    }

    /// Whether it is proven that the author wrote it. Unlike [`proves_from`](Self::proves_from), the lack of a policy
    /// is not enough.
    #[must_use]
    pub fn has_proven_author(&self) -> bool {
        self.is_submitted() || (self.dmarc == CheckResult::Pass && self.has_one_author_domain)
    }

    /// Whether From can be trusted where membership depends on it: DMARC passed, that is SPF or DKIM in alignment with
    /// From, or the author's domain asks for no consequences (`spec/mail.md` 3 and 11).
    #[must_use]
    pub fn proves_from(&self) -> bool {
        match self.policy {
            DmarcPolicy::Quarantine | DmarcPolicy::Reject => self.dmarc == CheckResult::Pass,
            DmarcPolicy::Absent | DmarcPolicy::None => true,
            DmarcPolicy::Unknown => self.is_local,
        }
    }

    /// Whether From cannot be trusted only because an answer of the DNS is missing, so that another attempt may prove
    /// it.
    #[must_use]
    pub fn is_undecided(&self) -> bool {
        !self.proves_from() && self.dmarc == CheckResult::TempError
    }

    /// Whether the author's domain asks to refuse it (RFC 9989; a temporary error refuses nothing).
    #[must_use]
    pub fn is_refused(&self) -> bool {
        self.policy == DmarcPolicy::Reject && self.dmarc == CheckResult::Fail && self.has_one_author_domain
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn authentication(policy: DmarcPolicy, dmarc: CheckResult) -> Authentication {
        Authentication { policy, dmarc, is_local: false, ..Authentication::unchecked() }
    }

    /// Believed, undecided, refused.
    #[track_caller]
    fn check(policy: DmarcPolicy, dmarc: CheckResult, expected: [bool; 3]) {
        let found = authentication(policy, dmarc);
        assert_eq!([found.proves_from(), found.is_undecided(), found.is_refused()], expected);
    }

    #[test]
    fn an_author_is_believed_unless_the_domain_asks_for_proof_and_there_is_none() {
        for policy in [DmarcPolicy::Absent, DmarcPolicy::None] {
            for dmarc in CheckResult::ALL {
                check(policy, *dmarc, [true, false, false]);
            }
        }
        for policy in [DmarcPolicy::Quarantine, DmarcPolicy::Reject] {
            check(policy, CheckResult::Pass, [true, false, false]);
            check(policy, CheckResult::Fail, [false, false, policy == DmarcPolicy::Reject]);
            check(policy, CheckResult::TempError, [false, true, false]);
        }
    }

    #[test]
    fn an_unknown_policy_is_waited_for_unless_the_message_is_local() {
        check(DmarcPolicy::Unknown, CheckResult::TempError, [false, true, false]);
        let local =
            Authentication { is_local: true, ..authentication(DmarcPolicy::Unknown, CheckResult::TempError) };
        assert!(local.proves_from() && !local.is_undecided());
    }

    #[test]
    fn authors_of_several_domains_are_never_refused_and_have_to_prove_themselves() {
        let several = Authentication {
            has_one_author_domain: false,
            ..authentication(DmarcPolicy::Reject, CheckResult::Fail)
        };
        assert!(!several.is_refused() && !several.proves_from());
    }
}
