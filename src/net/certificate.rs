//! Checks the server's own TLS certificate: its validity period and its names.
//!
//! Faults are reported, and nothing is refused. A server goes on using an expired certificate: clients that encrypt
//! opportunistically, which is most of mail (RFC 7435), accept any, while without STARTTLS they would send unencrypted,
//! and clients that verify would hold their mail back all the same.

use std::fmt;
use std::time::Duration;

use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use webpki::{EndEntityCert, Error, KeyUsage};

use super::tls::PROVIDER;
use crate::clock::Timestamp;

/// How long before its end a certificate is reported, at most: programs that renew do so weeks before it.
const NOTICE_MAX: Duration = Duration::from_hours(14 * 24);

/// A present or imminent fault of the server's own certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// It is not valid yet.
    NotYetValid {
        /// When it becomes valid.
        from: Timestamp,
    },
    /// It has expired.
    Expired {
        /// When it expired.
        at: Timestamp,
    },
    /// It expires soon: in less than 14 days, or in less than a quarter of its life.
    ExpiresSoon {
        /// When it expires.
        at: Timestamp,
    },
    /// It is for other names.
    OtherName {
        /// The names that it is for.
        names: Vec<String>,
        /// The server's own name.
        hostname: String,
    },
    /// Its dates or names cannot be read.
    Unreadable(String),
}

impl Fault {
    /// Whether clients that verify certificates refuse this one now.
    #[must_use]
    pub fn is_grave(&self) -> bool {
        match self {
            Fault::NotYetValid { .. } | Fault::Expired { .. } => true,
            Fault::ExpiresSoon { .. } | Fault::OtherName { .. } | Fault::Unreadable(_) => false,
        }
    }
}

impl Fault {
    /// What is said of the certificate of `subject`.
    #[must_use]
    pub fn of(&self, subject: &str) -> String {
        const REFUSED: &str = "servers that verify it (MTA-STS, DANE) and mail programs refuse it";
        match self {
            Fault::NotYetValid { from } => {
                format!("The certificate of {subject} is not valid before {from}: {REFUSED}")
            }
            Fault::Expired { at } => format!("The certificate of {subject} expired at {at}: {REFUSED}"),
            Fault::ExpiresSoon { at } => {
                format!("The certificate of {subject} expires at {at} and is not renewed yet")
            }
            Fault::OtherName { names, hostname } if names.is_empty() => {
                format!("The certificate of {subject} has no host name, not {hostname} either: {REFUSED}")
            }
            Fault::OtherName { names, hostname } => {
                let names = names.join(", ");
                format!("The certificate of {subject} is for {names}, not for {hostname}: {REFUSED}")
            }
            Fault::Unreadable(problem) => {
                format!("What the certificate of {subject} says of itself cannot be read: {problem}")
            }
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.of("mail's TLS"))
    }
}

/// The validity period of a certificate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Term {
    /// Its first second.
    pub from: Timestamp,
    /// Its last second.
    pub until: Timestamp,
}

impl Term {
    /// Reads it. Fails if the bytes are no certificate, or its times are before 1970 or make no sense.
    pub fn of(certificate: &CertificateDer<'_>) -> Result<Term, Fault> {
        let certificate = EndEntityCert::try_from(certificate).map_err(unreadable)?;
        // Only the verifier reads these fields. Asked about a time that they exclude, it returns them in its error
        // before it checks anything else.
        let at = |time_s| {
            let time = UnixTime::since_unix_epoch(Duration::from_secs(time_s));
            let algorithms = PROVIDER.signature_verification_algorithms.all;
            let usage = KeyUsage::server_auth();
            certificate.verify_for_usage(algorithms, &[], &[], time, usage, None, None).err()
        };
        let from = match at(0) {
            Some(Error::CertNotValidYet { not_before, .. }) => timestamp(not_before),
            Some(error @ (Error::BadDerTime | Error::InvalidCertValidity)) => return Err(unreadable(error)),
            // The certificate is valid from 1970 on.
            _ => Timestamp::default(),
        };
        match at(u64::MAX) {
            Some(Error::CertExpired { not_after, .. }) => Ok(Term { from, until: timestamp(not_after) }),
            other => Err(Fault::Unreadable(format!("its end is not told: {other:?}"))),
        }
    }

    /// How long before its end it is reported: one that is valid for some days is renewed some hours before its end.
    fn notice(&self) -> Duration {
        (self.until.since(self.from) / 4).min(NOTICE_MAX)
    }

    /// Its fault at `now`, or soon, if any.
    #[must_use]
    pub fn fault(&self, now: Timestamp) -> Option<Fault> {
        let Term { from, until } = *self;
        if now < from {
            Some(Fault::NotYetValid { from })
        } else if until < now {
            Some(Fault::Expired { at: until })
        } else if until.since(now) < self.notice() {
            Some(Fault::ExpiresSoon { at: until })
        } else {
            None
        }
    }
}

/// The fault of a certificate that is not for a server of this name.
#[must_use]
pub fn name_fault(certificate: &CertificateDer<'_>, hostname: &str) -> Option<Fault> {
    let certificate = match EndEntityCert::try_from(certificate) {
        Ok(certificate) => certificate,
        Err(error) => return Some(unreadable(error)),
    };
    let is_for_it = ServerName::try_from(hostname)
        .is_ok_and(|name| certificate.verify_is_valid_for_subject_name(&name).is_ok());
    let names = || certificate.valid_dns_names().map(str::to_owned).collect();
    (!is_for_it).then(|| Fault::OtherName { names: names(), hostname: hostname.to_owned() })
}

#[expect(clippy::needless_pass_by_value, reason = "it stands in map_err")]
fn unreadable(error: Error) -> Fault {
    Fault::Unreadable(error.to_string())
}

/// Converts a time of a certificate.
pub(crate) fn timestamp(time: UnixTime) -> Timestamp {
    Timestamp::from_ms(i64::try_from(time.as_secs()).unwrap_or(i64::MAX).saturating_mul(1000))
}

#[cfg(test)]
mod tests {
    use rcgen::{CertificateParams, KeyPair, date_time_ymd};

    use super::*;
    use crate::net::tls::{Certificates, self_signed};

    fn certificate(from: (i32, u8, u8), until: (i32, u8, u8), names: &[&str]) -> CertificateDer<'static> {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut params = CertificateParams::new(names).unwrap();
        params.not_before = date_time_ymd(from.0, from.1, from.2);
        params.not_after = date_time_ymd(until.0, until.1, until.2);
        params.self_signed(&KeyPair::generate().unwrap()).unwrap().der().clone()
    }

    #[track_caller]
    fn check(now: &str, expected: &str) {
        let term = Term::of(&certificate((2026, 3, 1), (2026, 5, 30), &["mx.example.org"])).unwrap();
        let fault = term.fault(Timestamp::parse_rfc3339(now).unwrap());
        assert_eq!(fault.map(|fault| fault.to_string()).unwrap_or_default(), expected, "{now}");
    }

    #[test]
    fn a_certificate_is_spoken_of_before_its_time_at_its_end_and_behind_it() {
        let refused = "servers that verify it (MTA-STS, DANE) and mail programs refuse it";
        let early = "The certificate of mail's TLS is not valid before 2026-03-01T00:00:00Z";
        check("2026-02-28T23:59:59Z", &format!("{early}: {refused}"));
        check("2026-03-01T00:00:00Z", "");
        check("2026-05-16T00:00:00Z", "");
        let soon = "The certificate of mail's TLS expires at 2026-05-30T00:00:00Z and is not renewed yet";
        check("2026-05-16T00:00:01Z", soon);
        check("2026-05-30T00:00:00Z", soon);
        let late = "The certificate of mail's TLS expired at 2026-05-30T00:00:00Z";
        check("2026-05-30T00:00:01Z", &format!("{late}: {refused}"));
    }

    #[test]
    fn a_certificate_of_some_days_is_spoken_of_at_a_quarter_of_its_life() {
        let term = Term::of(&certificate((2026, 3, 1), (2026, 3, 9), &["mx.example.org"])).unwrap();
        let fault = |now: &str| term.fault(Timestamp::parse_rfc3339(now).unwrap());
        assert_eq!(fault("2026-03-01T00:00:00Z"), None);
        assert_eq!(fault("2026-03-07T00:00:00Z"), None);
        assert_eq!(fault("2026-03-07T00:00:01Z"), Some(Fault::ExpiresSoon { at: term.until }));
    }

    #[test]
    fn any_time_that_a_certificate_may_have_is_read() {
        let until = |from, until| Term::of(&certificate(from, until, &[])).map(|term| term.until.rfc3339());
        assert_eq!(until((1971, 1, 1), (2049, 12, 31)).unwrap(), "2049-12-31T00:00:00Z");
        assert_eq!(until((1970, 1, 1), (2050, 1, 1)).unwrap(), "2050-01-01T00:00:00Z");
        assert_eq!(until((2026, 1, 1), (9999, 12, 30)).unwrap(), "9999-12-30T00:00:00Z");
        for (from, end) in [((1960, 1, 1), (2030, 1, 1)), ((2030, 1, 1), (2026, 1, 1))] {
            assert!(matches!(until(from, end), Err(Fault::Unreadable(_))), "{from:?}");
        }
        assert!(matches!(Term::of(&CertificateDer::from(&b"x"[..])), Err(Fault::Unreadable(_))));
    }

    #[test]
    fn a_certificate_for_other_names_is_spoken_of() {
        let check = |names: &[&str], expected: &str| {
            let fault = name_fault(&certificate((2026, 1, 1), (2027, 1, 1), names), "mx.example.org");
            let told = fault.map(|fault| fault.to_string()).unwrap_or_default();
            assert_eq!(told.split(':').next(), Some(expected), "{names:?}");
        };
        check(&["mx.example.org"], "");
        check(&["example.org", "*.example.org"], "");
        check(
            &["a.test", "b.test"],
            "The certificate of mail's TLS is for a.test, b.test, not for mx.example.org",
        );
        check(&[], "The certificate of mail's TLS has no host name, not mx.example.org either");
    }

    #[test]
    fn the_self_signed_certificate_never_has_to_be_renewed() {
        let own =
            Certificates::new(&self_signed("mx.example.org").unwrap()).unwrap().shown_for("mx.example.org");
        let term = Term::of(&own).unwrap();
        let centuries =
            |number: u64| Timestamp::from_ms(1_795_176_000_000) + Duration::from_hours(number * 876_600);
        assert_eq!((term.fault(centuries(0)), term.fault(centuries(20))), (None, None));
        assert_eq!(name_fault(&own, "mx.example.org"), None);
    }
}
