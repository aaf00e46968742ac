//! Checks the addresses of web domains and of old hosts in the DNS; [`ServerLinks`](crate::ops::domains::links::ServerLinks) keeps which
//! are right.

use std::sync::Arc;

use crate::model::{AccountDomain, Domain};
use crate::net::dns_checker::{DnsStatus, RecordKind};
use crate::ops::domains::links::LOOKS_PER_STEP;
use crate::service::Core;
use crate::store::StoreError;

impl Core {
    /// Checks the addresses of as many of them as one step may; returns whether more may be due.
    pub async fn look_at_web_domains(&self) -> Result<bool, StoreError> {
        let now = self.now();
        let due = self.links.due(&self.store.read()?, now)?;
        let statuses = self.dns.statuses(&due).await;
        let mut is_news = false;
        for AccountDomain { name, .. } in &due {
            let is_right = match statuses.get(name) {
                Some(DnsStatus { a: true, .. }) => Some(true),
                // A DNS that does not answer proves nothing: the last result stays.
                _ => self.has_records(name).await.then_some(false),
            };
            is_news |= self.links.note(name, is_right, now);
        }
        if is_news {
            let links = Arc::clone(&self.links);
            self.store.write_reserved(move |tx| links.remember(tx)).await?;
        }
        Ok(due.len() == LOOKS_PER_STEP)
    }

    /// Whether the DNS answers for the addresses of a name, even if it answers that there are none.
    async fn has_records(&self, name: &Domain) -> bool {
        let (v4, v6) = (
            self.dns.find(RecordKind::A, name.as_str()).await,
            self.dns.find(RecordKind::Aaaa, name.as_str()).await,
        );
        v4.is_some() && v6.is_some()
    }
}
