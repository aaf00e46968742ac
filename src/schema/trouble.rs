//! What goes wrong with deliveries, and who was told of it.

use super::of;
use crate::model::alert::AlertKind;
use crate::model::{Alert, ProviderBlock};
use crate::store::{Entity, Index, Key};

impl Entity for ProviderBlock {
    const TABLE: &'static str = "provider_block";
    const INDEXES: &'static [&'static Index<ProviderBlock>] =
        &[&PROVIDER_BLOCK_BY_MESSAGE, &PROVIDER_BLOCK_BY_DUE];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // Nothing that an answer shows changes with it.
        0
    }
}

/// A message is held back from a provider once.
pub static PROVIDER_BLOCK_BY_MESSAGE: Index<ProviderBlock> =
    Index::unique("provider_block.by_message", |holdback| {
        vec![of(holdback.account).u64(holdback.message.0).text(&holdback.provider)]
    });

/// What is to be forgotten, the earliest first; read by the server itself.
pub static PROVIDER_BLOCK_BY_DUE: Index<ProviderBlock> =
    Index::multi("provider_block.by_due", |holdback| vec![Key::new().u64(holdback.due().key())]);

impl Entity for Alert {
    const TABLE: &'static str = "alert";
    const INDEXES: &'static [&'static Index<Alert>] = &[&ALERT_BY_ACCOUNT, &ALERT_BY_DUE];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // Nothing that an answer shows changes with it.
        0
    }
}

/// How a matter stands in keys.
#[must_use]
pub fn alert_kind(kind: AlertKind) -> u64 {
    match kind {
        AlertKind::Bounce => 0,
        AlertKind::Complaint => 1,
        AlertKind::DeliveryProblem => 2,
        AlertKind::UnprovenReport => 3,
    }
}

/// What the administrators of an account were told of a matter.
pub static ALERT_BY_ACCOUNT: Index<Alert> =
    Index::unique("alert.by_account", |alert| vec![of(alert.account).u64(alert_kind(alert.kind))]);

/// What waits to be told, the earliest first; read by the server itself.
pub static ALERT_BY_DUE: Index<Alert> = Index::multi("alert.by_due", |alert| {
    alert.due().into_iter().map(|due| Key::new().u64(due.key())).collect()
});
