//! One order: the authority says how a name is to be proven, the server proves it, and gets a certificate.

use std::time::Duration;

use instant_acme::{
    Account, AuthorizationStatus, CertificateIdentifier, ChallengeType, Error, Identifier, NewOrder,
    OrderStatus, RetryPolicy,
};
use rcgen::{CertificateParams, CustomExtension, DistinguishedName, KeyPair};

use super::tokens::Tokens;
use crate::net::certificate::{Term, name_fault};
use crate::net::tls::{self, Certificates, PemPair};
use crate::ops::domains::certificates::Issued;

/// How long an order may take.
const ORDER_MAX: Duration = Duration::from_mins(3);
/// How long the authority may take for one of its steps.
const STEP_MAX: Duration = Duration::from_secs(80);

/// How a name is proven.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// By a file on port 80 (HTTP-01).
    Http,
    /// By a certificate on port 443 (TLS-ALPN-01, RFC 8737).
    Tls,
}

impl Way {
    /// The other one.
    pub(super) fn other(self) -> Way {
        match self {
            Way::Http => Way::Tls,
            Way::Tls => Way::Http,
        }
    }

    fn challenge(self) -> ChallengeType {
        match self {
            Way::Http => ChallengeType::Http01,
            Way::Tls => ChallengeType::TlsAlpn01,
        }
    }
}

/// An order for one name.
pub(super) struct Order<'a> {
    pub(super) name: &'a str,
    pub(super) way: Way,
    /// The key of the certificate before, PEM.
    pub(super) key: Option<&'a str>,
    /// That certificate, if the authority wants to know which one is replaced (ARI).
    pub(super) replaced: Option<CertificateIdentifier<'static>>,
    pub(super) tokens: &'a Tokens,
    pub(super) shown: &'a Certificates,
}

/// A proof that stands where the authority looks for it, until it is dropped.
struct Proof<'a> {
    order: &'a Order<'a>,
    token: String,
}

impl Drop for Proof<'_> {
    fn drop(&mut self) {
        self.order.tokens.set(&self.token, None);
        // Without a certificate there is nothing that could be wrong with it.
        let _ = self.order.shown.set_challenge(self.order.name, None);
    }
}

impl Order<'_> {
    /// Carries it out; the reason if there is no certificate.
    pub(super) async fn place(&self, account: &Account) -> Result<Issued, String> {
        let placed = tokio::time::timeout(ORDER_MAX, self.exchange(account));
        let pair = match Box::pin(placed).await {
            Ok(Ok(pair)) => pair,
            Ok(Err(reason)) => return Err(reason),
            Err(_) => return Err(format!("the order took more than {} s", ORDER_MAX.as_secs())),
        };
        let certificate =
            tls::check(&pair).map_err(|error| format!("what was issued is of no use: {error}"))?;
        if let Some(fault) = name_fault(&certificate, self.name) {
            return Err(fault.of(self.name));
        }
        let Term { from, until } = Term::of(&certificate).map_err(|fault| fault.of(self.name))?;
        let PemPair { chain, key } = pair;
        Ok(Issued { chain, key, from, until })
    }

    async fn exchange(&self, account: &Account) -> Result<PemPair, String> {
        let failed = |error: Error| words(&error);
        let names = [Identifier::Dns(self.name.to_owned())];
        let mut wanted = NewOrder::new(&names);
        if let Some(replaced) = &self.replaced {
            wanted = wanted.replaces(replaced.clone());
        }
        let mut order = account.new_order(&wanted).await.map_err(failed)?;
        let steps = RetryPolicy::new().timeout(STEP_MAX);
        // The proofs stand until the authority has decided.
        let mut proofs = Vec::new();
        let mut authorizations = order.authorizations();
        while let Some(authorization) = authorizations.next().await {
            let mut authorization = authorization.map_err(failed)?;
            match authorization.status {
                AuthorizationStatus::Valid => continue,
                AuthorizationStatus::Pending => {}
                other => return Err(format!("the authority's question is {other:?}")),
            }
            let way = self.way_among(
                &authorization.challenges.iter().map(|one| one.r#type.clone()).collect::<Vec<_>>(),
            );
            let way = way.ok_or("the authority asks neither by HTTP-01 nor by TLS-ALPN-01")?;
            let Some(mut challenge) = authorization.challenge(way.challenge()) else { continue };
            let answer = challenge.key_authorization();
            let proof = Proof { order: self, token: challenge.token.clone() };
            match way {
                Way::Http => self.tokens.set(&challenge.token, Some(answer.as_str().to_owned())),
                Way::Tls => {
                    let pair = self
                        .challenge_certificate(answer.digest().as_ref())
                        .map_err(|error| error.to_string())?;
                    self.shown.set_challenge(self.name, Some(&pair)).map_err(|error| error.to_string())?;
                }
            }
            proofs.push(proof);
            challenge.set_ready().await.map_err(failed)?;
        }
        let decided = order.poll_ready(&steps).await;
        drop(proofs);
        match decided {
            Ok(OrderStatus::Ready) => {}
            Ok(_) => return Err(refused_because(&mut order).await),
            Err(error) => return Err(words(&error)),
        }
        let key = match self.key.and_then(|pem| KeyPair::from_pem(pem).ok()) {
            Some(key) => key,
            None => KeyPair::generate().map_err(|error| error.to_string())?,
        };
        let mut wish =
            CertificateParams::new(vec![self.name.to_owned()]).map_err(|error| error.to_string())?;
        wish.distinguished_name = DistinguishedName::new();
        let request = wish.serialize_request(&key).map_err(|error| error.to_string())?;
        order.finalize_csr(request.der()).await.map_err(failed)?;
        let chain = order.poll_certificate(&steps).await.map_err(failed)?;
        Ok(PemPair { chain, key: key.serialize_pem() })
    }

    /// The way that is taken, of those that the authority offers.
    fn way_among(&self, offered: &[ChallengeType]) -> Option<Way> {
        [self.way, self.way.other()].into_iter().find(|way| offered.contains(&way.challenge()))
    }

    /// The certificate that proves the name by TLS: self-signed, with the authority's question in it.
    fn challenge_certificate(&self, digest: &[u8]) -> Result<PemPair, rcgen::Error> {
        let mut params = CertificateParams::new(vec![self.name.to_owned()])?;
        params.custom_extensions = vec![CustomExtension::new_acme_identifier(digest)];
        let key = KeyPair::generate()?;
        Ok(PemPair { chain: params.self_signed(&key)?.pem(), key: key.serialize_pem() })
    }
}

/// What the authority says of its question that was not answered as it should be.
async fn refused_because(order: &mut instant_acme::Order) -> String {
    let mut reasons = Vec::new();
    let mut authorizations = order.authorizations();
    while let Some(Ok(mut authorization)) = authorizations.next().await {
        let Ok(state) = authorization.refresh().await else { continue };
        reasons.extend(state.challenges.iter().filter_map(|challenge| challenge.error.as_ref()).map(problem));
    }
    if reasons.is_empty() {
        "the authority refused it and gives no reason".to_owned()
    } else {
        reasons.join("; ")
    }
}

/// The words of an error, for the operator.
pub(super) fn words(error: &Error) -> String {
    match error {
        Error::Api(told) => problem(told),
        other => other.to_string(),
    }
}

/// The words of the authority.
fn problem(problem: &instant_acme::Problem) -> String {
    let kind = problem.r#type.as_deref().unwrap_or_default();
    let kind = kind.rsplit(':').next().unwrap_or_default();
    let parts = problem.subproblems.iter().filter_map(|part| part.detail.as_deref());
    let detail: Vec<&str> = problem.detail.as_deref().into_iter().chain(parts).collect();
    match (detail.join("; "), kind) {
        (detail, "") => detail,
        (detail, kind) => format!("{detail} ({kind})"),
    }
}
