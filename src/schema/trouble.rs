//! Tables and indexes of provider blocks and of alerts about delivery trouble.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
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
        // No API response shows it.
        0
    }
}

impl HasLife for ProviderBlock {
    const LIFE: Life<ProviderBlock> = Life {
        with_account: WithAccount::InSteps(&[&PROVIDER_BLOCK_BY_MESSAGE]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::Goes,
        in_time: InTime::Forgotten("mail held back from providers", &PROVIDER_BLOCK_BY_DUE),
        in_download: InDownload::NotOfAPerson,
    };
}

/// The block of a message at a provider: there is at most one.
pub static PROVIDER_BLOCK_BY_MESSAGE: Index<ProviderBlock> =
    Index::unique("provider_block.by_message", |holdback| {
        vec![of(holdback.account).u64(holdback.message.0).text(&holdback.provider)]
    });

/// Blocks to delete, the earliest first; read by the server itself.
pub static PROVIDER_BLOCK_BY_DUE: Index<ProviderBlock> =
    Index::multi("provider_block.by_due", |holdback| vec![Key::new().u64(holdback.due().key())]);

impl Entity for Alert {
    const TABLE: &'static str = "alert";
    const INDEXES: &'static [&'static Index<Alert>] = &[&ALERT_BY_ACCOUNT, &ALERT_BY_DUE];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for Alert {
    const LIFE: Life<Alert> = Life {
        with_account: WithAccount::InSteps(&[&ALERT_BY_ACCOUNT]),
        with_contact: WithContact::Stays(
            "each line is told to those who may see the contact, and one that is gone is seen by nobody",
        ),
        with_list: WithList::Stays(
            "each line is told to those who may see the list, and one that is gone is seen by nobody",
        ),
        with_move: WithMove::GoesLast(|_| true),
        in_time: InTime::ByUpkeep("alerts"),
        in_download: InDownload::Not("it is told to administrators, from what is in the file"),
    };
}

/// The number of a kind of event in keys.
#[must_use]
pub fn alert_kind(kind: AlertKind) -> u64 {
    match kind {
        AlertKind::Bounce => 0,
        AlertKind::Complaint => 1,
        AlertKind::DeliveryProblem => 2,
        AlertKind::UnprovenReport => 3,
        AlertKind::Webhook => 4,
    }
}

/// The alerts of an account by kind of event.
pub static ALERT_BY_ACCOUNT: Index<Alert> =
    Index::unique("alert.by_account", |alert| vec![of(alert.account).u64(alert_kind(alert.kind))]);

/// Alerts with events that wait to be told, the earliest first; read by the server itself.
pub static ALERT_BY_DUE: Index<Alert> = Index::multi("alert.by_due", |alert| {
    alert.due().into_iter().map(|due| Key::new().u64(due.key())).collect()
});
