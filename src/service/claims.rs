//! Asks the DNS for the proof of domains that accounts claim; see [`claims`](crate::ops::domains::claims).

use crate::model::{Domain, DomainClaim};
use crate::net::dns_checker::RecordKind;
use crate::ops::domains::claims::{OwnNames, ProofRecords, decide, host_of, proof_name, prove};
use crate::ops::domains::new_dkim_keys;
use crate::ops::{Caller, OpError, domains};
use crate::service::Core;
use crate::store::StoreError;

/// Characters of the random part of a verification text.
const TOKEN_CHARS: usize = 32;

impl Core {
    /// This server's own names.
    #[must_use]
    pub fn own_names(&self) -> OwnNames {
        let host = host_of(self.links.base_url());
        let names = [Some(self.config.hostname.as_str()), host].into_iter().flatten();
        OwnNames::new(
            names.filter_map(|name| Domain::parse(name).ok()).map(|name| domains::kept_name(&name)).collect(),
        )
    }

    /// A text by which an account proves a domain.
    #[must_use]
    pub fn new_verification(&self) -> String {
        format!("crier-{}", self.secrets.token(TOKEN_CHARS))
    }

    /// Asks the DNS for proof of a claim, and gives its account the domain if it is there; returns whether it is.
    pub async fn check_claim(&self, claim: &DomainClaim) -> Result<bool, OpError> {
        let Some(records) = self.proof_records(&claim.name).await else { return Ok(false) };
        let own = self.own_names();
        if decide(&self.store.read()?, claim, &records, &own)?.is_none() {
            return Ok(false);
        }
        // Making keys takes long, so it happens only after a proof is found, and outside of the write job.
        let keys = tokio::task::spawn_blocking(new_dkim_keys).await.map_err(|_| StoreError::Panicked)?;
        let id = claim.id;
        self.perform(&Caller::of_server(), move |tx, by| prove(tx, id, (&records, &own), keys, by.now)).await
    }

    /// Checks claims in parallel, when somebody looks at them; returns whether any was proven. Failures are only
    /// logged, since the background check follows.
    pub async fn check_claims(&self, claims: Vec<DomainClaim>) -> bool {
        let mut checks = tokio::task::JoinSet::new();
        for claim in claims {
            let core = self.clone();
            checks.spawn(async move { core.check_claim(&claim).await });
        }
        let mut is_any = false;
        for checked in checks.join_all().await {
            match checked {
                Ok(is_proven) => is_any |= is_proven,
                Err(error) => tracing::warn!(error = %error, "The proof of a domain could not be kept"),
            }
        }
        is_any
    }

    /// The same for somebody who has just published a record: what was looked up before is forgotten.
    pub async fn check_claims_anew(&self, claims: Vec<DomainClaim>) -> bool {
        for claim in &claims {
            self.dns.forget(RecordKind::Txt, &proof_name(&claim.name));
            self.dns.forget(RecordKind::Mx, claim.name.as_str());
        }
        self.check_claims(claims).await
    }

    /// The records that may prove a domain; `None` if the DNS did not answer. Nothing is decided without the TXT
    /// records, since one of them may protect the present holder.
    async fn proof_records(&self, name: &Domain) -> Option<ProofRecords> {
        let text_name = proof_name(name);
        let (texts, exchangers) = tokio::join!(
            self.dns.find(RecordKind::Txt, &text_name),
            self.dns.find(RecordKind::Mx, name.as_str())
        );
        let hostname = &self.config.hostname;
        let names_us = |mx: &String| {
            let host = mx.rsplit(' ').next().unwrap_or_default();
            // A machine without a name of its own shares its name with many others.
            hostname.contains('.') && host.eq_ignore_ascii_case(hostname)
        };
        let has_mx = exchangers.unwrap_or_default().iter().any(names_us);
        let texts = texts?.iter().map(|text| text.trim().to_owned()).collect();
        Some(ProofRecords { has_mx, texts })
    }
}
