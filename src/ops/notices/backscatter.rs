//! Decides which envelope senders may get notices and reports. Otherwise this server would send signed mail to every
//! address that a spammer writes into MAIL FROM (`spec/mail.md` 11, "Backscatter").
//!
//! A sender that SPF or DMARC proves is told of each mail. A sender that they disprove is told nothing. If they decide
//! nothing, an address gets one notice a day, and the mail of one client causes about five an hour.

use std::net::IpAddr;

use crate::clock::Timestamp;
use crate::mail::Inbound;
use crate::mail::envelope::{Envelope, Origin};
use crate::model::{Authentication, CheckResult, EmailAddress};
use crate::ops::allowances::{self, Limit, NOTICES_FOR_CLIENT, NOTICES_TO_ADDRESS, Subject};
use crate::store::{Read, StoreError, WriteTx};

/// The evidence that a mail came from its envelope sender.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::ops) enum SenderProof {
    /// It is proven.
    Proven,
    /// It is neither proven nor disproven.
    AuthError,
    /// Its domain's policy disproves it.
    Disproven,
}

impl SenderProof {
    /// The evidence for `sender` by the checks of a mail; `author` is the address in From.
    pub(in crate::ops) fn of(
        authentication: &Authentication,
        sender: &EmailAddress,
        author: Option<&EmailAddress>,
    ) -> SenderProof {
        let Authentication { spf, dmarc, has_one_author_domain, .. } = authentication;
        if authentication.is_submitted() || *spf == CheckResult::Pass {
            return SenderProof::Proven;
        }
        let speaks_for_sender =
            *has_one_author_domain && author.is_some_and(|author| is_at_or_below(sender, author));
        if *dmarc == CheckResult::Pass && speaks_for_sender {
            return SenderProof::Proven;
        }
        match spf {
            CheckResult::Fail | CheckResult::SoftFail => SenderProof::Disproven,
            // Without SPF, as behind a front server, DMARC may fail only because SPF is missing.
            CheckResult::Neutral | CheckResult::PermError
                if *dmarc == CheckResult::Fail && speaks_for_sender =>
            {
                SenderProof::Disproven
            }
            CheckResult::Pass
            | CheckResult::None
            | CheckResult::Neutral
            | CheckResult::TempError
            | CheckResult::PermError => SenderProof::AuthError,
        }
    }

    /// The same for a mail as it arrives. Key holders and programs on this machine are believed.
    pub(in crate::ops) fn of_arrival(
        envelope: &Envelope,
        inbound: &Inbound,
        sender: &EmailAddress,
    ) -> SenderProof {
        match envelope.origin {
            Origin::Trusted => SenderProof::Proven,
            Origin::Client | Origin::Relay => {
                let author = inbound.from.as_ref().map(|from| &from.address);
                SenderProof::of(&envelope.authentication, sender, author)
            }
        }
    }
}

/// Whether the sender's domain is the author's or lies below it. A domain above it may have another owner, such as a
/// provider that gives names to customers.
fn is_at_or_below(sender: &EmailAddress, author: &EmailAddress) -> bool {
    let (sender, author) = (sender.folded(), author.folded());
    let domain = |address: &str| address.rsplit_once('@').map(|(_, domain)| domain.to_owned());
    let (Some(sender), Some(author)) = (domain(&sender), domain(&author)) else { return false };
    sender.strip_suffix(&author).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'))
}

/// The cause of a notice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Cause {
    /// The mail of a client.
    Client(IpAddr),
    /// A person's decision.
    Person,
    /// An event with a limit of its own.
    Limited(Limit, Subject),
}

/// The limits that a notice to an address counts against: none, unless the sender is neither proven nor disproven.
fn counted(to: &EmailAddress, proof: SenderProof, cause: &Cause) -> Vec<(Limit, Subject)> {
    if proof != SenderProof::AuthError {
        return Vec::new();
    }
    let mut counted = vec![(NOTICES_TO_ADDRESS, Subject::mailbox(to))];
    match cause {
        Cause::Client(client) => counted.push((NOTICES_FOR_CLIENT, Subject::client(*client))),
        Cause::Limited(limit, subject) => counted.push((*limit, subject.clone())),
        Cause::Person => {}
    }
    counted
}

/// Whether a notice or report may go to an envelope sender now.
pub(in crate::ops) fn is_allowed(
    tx: &impl Read,
    to: &EmailAddress,
    proof: SenderProof,
    cause: &Cause,
    now: Timestamp,
) -> Result<bool, StoreError> {
    if proof == SenderProof::Disproven {
        return Ok(false);
    }
    for (limit, subject) in counted(to, proof, cause) {
        if !allowances::is_left(tx, limit, &subject, now)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Whether a notice or report may go to an envelope sender now. If so, it is counted.
pub(in crate::ops) fn take(
    tx: &mut WriteTx<'_>,
    to: &EmailAddress,
    proof: SenderProof,
    cause: &Cause,
    now: Timestamp,
) -> Result<bool, StoreError> {
    // All limits are checked before any is counted.
    if !is_allowed(tx, to, proof, cause, now)? {
        return Ok(false);
    }
    for (limit, subject) in counted(to, proof, cause) {
        if allowances::take(tx, limit, &subject, now)?.is_err() {
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use CheckResult::{Fail, Neutral, None as Nothing, Pass, PermError, SoftFail, TempError};
    use SenderProof::{AuthError, Disproven, Proven};

    #[track_caller]
    fn check([spf, dmarc]: [CheckResult; 2], author: &str, expected: SenderProof) {
        let authentication = Authentication {
            spf,
            dmarc,
            is_local: false,
            results: "checked".to_owned(),
            ..Authentication::unchecked()
        };
        let address = |text| EmailAddress::parse(text).unwrap();
        let found = SenderProof::of(&authentication, &address("ann@mail.x.org"), Some(&address(author)));
        assert_eq!(found, expected, "{spf:?} {dmarc:?} {author}");
    }

    #[test]
    fn spf_of_the_sender_decides_and_dmarc_where_its_domain_is_the_authors() {
        for (spf, expected) in [
            (Pass, Proven),
            (Fail, Disproven),
            (SoftFail, Disproven),
            (Neutral, AuthError),
            (Nothing, AuthError),
            (TempError, AuthError),
            (PermError, AuthError),
        ] {
            check([spf, Nothing], "ann@mail.x.org", expected);
            check([spf, Pass], "ann@y.org", expected);
            check([spf, Pass], "ann@sub.mail.x.org", expected);
            check([spf, Pass], "ann@il.x.org", expected);
            check([spf, Pass], "ann@mail.x.org", Proven);
            check([spf, Pass], "ann@X.org", Proven);
        }
        for spf in [Neutral, PermError] {
            check([spf, Fail], "ann@mail.x.org", Disproven);
            check([spf, Fail], "ann@y.org", AuthError);
        }
        check([Nothing, Fail], "ann@mail.x.org", AuthError);
    }

    #[test]
    fn a_key_proves_the_sender_and_an_unchecked_mail_proves_nothing() {
        let sender = EmailAddress::parse("ann@x.org").unwrap();
        assert_eq!(SenderProof::of(&Authentication::submitted(), &sender, None), Proven);
        assert_eq!(SenderProof::of(&Authentication::unchecked(), &sender, None), AuthError);
    }
}
