//! When an authority wants certificates to be renewed (ARI, RFC 9773): sooner than usual if it has to revoke them.
//!
//! What it says is kept in memory alone; a start asks again.

use std::collections::HashMap;
use std::time::Duration;

use instant_acme::{Account, CertificateIdentifier, Error};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;

use crate::clock::Timestamp;
use crate::ops::domains::certificates::Issued;
use crate::secret::Secrets;

/// The shortest and the longest time until the authority is asked again, whatever it wants (RFC 9773 4.3.2).
const ASK_AGAIN: [Duration; 2] = [Duration::from_mins(1), Duration::from_hours(24)];
/// When it is asked again that gave no answer.
const ASK_FAILED: Duration = Duration::from_hours(6);

/// What the authority says of each name's certificate.
#[derive(Debug, Default)]
pub(super) struct Advice {
    of: HashMap<String, Advised>,
    /// Whether it gives no advice at all.
    is_silent: bool,
}

/// What it says of one certificate.
#[derive(Debug)]
struct Advised {
    /// The certificate's last second, by which it is known from its successor.
    until: Timestamp,
    renew_at: Option<Timestamp>,
    ask_at: Timestamp,
}

impl Advice {
    fn of(&self, name: &str, issued: &Issued) -> Option<&Advised> {
        self.of.get(name).filter(|advised| advised.until == issued.until)
    }

    /// When a certificate is renewed: as the authority wants it, but not so late that it may end before.
    pub(super) fn renew_at(&self, name: &str, issued: &Issued) -> Timestamp {
        let wanted = self.of(name, issued).and_then(|advised| advised.renew_at);
        wanted.map_or_else(|| issued.renew_at(), |wanted| wanted.min(issued.renew_by()))
    }

    /// Whether it is time to ask about a certificate.
    pub(super) fn is_due(&self, name: &str, issued: &Issued, now: Timestamp) -> bool {
        !self.is_silent && self.of(name, issued).is_none_or(|advised| advised.ask_at <= now)
    }

    /// The certificate in the authority's words, if it gives advice about it: what an order is to replace.
    pub(super) fn replaced(&self, name: &str, issued: &Issued) -> Option<CertificateIdentifier<'static>> {
        self.of(name, issued)?.renew_at?;
        identifier(issued)
    }

    /// Asks about a certificate.
    pub(super) async fn ask(
        &mut self,
        account: &Account,
        (name, issued): (&str, &Issued),
        now: Timestamp,
        secrets: &Secrets,
    ) {
        let Some(identifier) = identifier(issued) else {
            return self.note(name, issued, None, now + ASK_FAILED);
        };
        match account.renewal_info(&identifier).await {
            Ok((info, again)) => {
                let time = |at: i64| Timestamp::from_ms(at.saturating_mul(1000));
                let window = info.suggested_window;
                let (start, end) = (time(window.start.unix_timestamp()), time(window.end.unix_timestamp()));
                // The moment once chosen stays while it lies in the window: a new one each time would come ever later.
                let chosen = self.of(name, issued).and_then(|advised| advised.renew_at);
                let chosen = chosen.filter(|chosen| start <= *chosen && *chosen <= end);
                let renew_at = chosen.unwrap_or_else(|| within(start, end, secrets));
                if renew_at < issued.renew_at() && self.renew_at(name, issued) != renew_at {
                    let why = info.explanation_url.map(|url| format!(": {url}")).unwrap_or_default();
                    tracing::info!(
                        domain.name = %name,
                        "The authority wants the certificate for {name} to be renewed between {start} and {end}{why}"
                    );
                }
                self.note(name, issued, Some(renew_at), now + again.clamp(ASK_AGAIN[0], ASK_AGAIN[1]));
            }
            Err(Error::Unsupported(_)) => self.is_silent = true,
            Err(error) => {
                tracing::debug!(
                    domain.name = %name, error = %error, "The authority did not say when to renew a certificate"
                );
                self.note(name, issued, None, now + ASK_FAILED);
            }
        }
    }

    /// Notes that the authority could not be asked about a certificate.
    pub(super) fn put_off(&mut self, name: &str, issued: &Issued, ask_at: Timestamp) {
        self.note(name, issued, None, ask_at);
    }

    fn note(&mut self, name: &str, issued: &Issued, renew_at: Option<Timestamp>, ask_at: Timestamp) {
        let renew_at = renew_at.or_else(|| self.of(name, issued)?.renew_at);
        self.of.insert(name.to_owned(), Advised { until: issued.until, renew_at, ask_at });
    }
}

/// A moment between two, chosen by chance.
fn within(start: Timestamp, end: Timestamp, secrets: &Secrets) -> Timestamp {
    let mut bytes = [0; 8];
    secrets.fill(&mut bytes);
    let length = u64::try_from(end.since(start).as_millis()).unwrap_or(u64::MAX);
    start + Duration::from_millis(u64::from_le_bytes(bytes) % (length.max(1)))
}

fn identifier(issued: &Issued) -> Option<CertificateIdentifier<'static>> {
    let certificate = CertificateDer::from_pem_slice(issued.chain.as_bytes()).ok()?;
    let identifier = CertificateIdentifier::try_from(&certificate).ok()?;
    Some(identifier.into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Timestamp {
        Timestamp::parse_rfc3339(text).unwrap()
    }

    #[test]
    fn a_certificate_is_renewed_as_the_authority_wants_and_in_time() {
        let (from, until) = (at("2026-01-01T00:00:00Z"), at("2026-04-01T00:00:00Z"));
        let issued = Issued { chain: String::new(), key: String::new(), from, until };
        let mut advice = Advice::default();
        let now = from;
        assert!(advice.is_due("a.example.org", &issued, now));
        assert_eq!(advice.renew_at("a.example.org", &issued), at("2026-03-02T00:00:00Z"));
        for (wanted, renewed) in [
            ("2026-01-02T00:00:00Z", "2026-01-02T00:00:00Z"),
            ("2026-03-10T00:00:00Z", "2026-03-10T00:00:00Z"),
            ("2027-01-01T00:00:00Z", "2026-03-20T18:00:00Z"),
        ] {
            advice.note("a.example.org", &issued, Some(at(wanted)), now + ASK_FAILED);
            assert_eq!(advice.renew_at("a.example.org", &issued), at(renewed));
        }
        advice.note("a.example.org", &issued, None, now + ASK_FAILED);
        assert_eq!(
            advice.renew_at("a.example.org", &issued),
            at("2026-03-20T18:00:00Z"),
            "what was said stays"
        );
        assert!(
            !advice.is_due("a.example.org", &issued, now) && advice.is_due("b.example.org", &issued, now)
        );
        assert!(advice.is_due("a.example.org", &issued, now + ASK_FAILED));
        let renewed = Issued { until: at("2026-06-01T00:00:00Z"), ..issued };
        assert!(advice.is_due("a.example.org", &renewed, now), "its successor is another certificate");
        assert_eq!(advice.renew_at("a.example.org", &renewed), renewed.renew_at());
    }

    #[test]
    fn a_moment_lies_in_its_window() {
        let (start, end) = (at("2026-01-01T00:00:00Z"), at("2026-01-02T00:00:00Z"));
        let secrets = Secrets::seeded(1);
        let moments: Vec<Timestamp> = (0..20).map(|_| within(start, end, &secrets)).collect();
        assert!(moments.iter().all(|moment| start <= *moment && *moment < end), "{moments:?}");
        assert!(moments.iter().any(|moment| *moment != moments[0]), "{moments:?}");
        assert_eq!(within(end, start, &secrets), end, "a window of nothing");
    }
}
