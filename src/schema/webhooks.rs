//! Tables and indexes of webhooks, of how far each has heard, and of what was sent to it.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::of;
use crate::model::{Webhook, WebhookLog, WebhookState};
use crate::store::{Entity, Index};

impl Entity for Webhook {
    const TABLE: &'static str = "webhook";
    const INDEXES: &'static [&'static Index<Webhook>] = &[&WEBHOOK_BY_ACCOUNT];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        self.account.0
    }
}

impl HasLife for Webhook {
    const LIFE: Life<Webhook> = Life {
        with_account: WithAccount::AtOnce(&WEBHOOK_BY_ACCOUNT),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::GoesLast(|_| true),
        in_time: InTime::Kept,
        in_download: InDownload::NotOfAPerson,
    };
}

/// The webhooks of an account.
pub static WEBHOOK_BY_ACCOUNT: Index<Webhook> =
    Index::multi("webhook.by_account", |hook| vec![of(hook.account)]);

impl Entity for WebhookState {
    const TABLE: &'static str = "webhook_state";
    const INDEXES: &'static [&'static Index<WebhookState>] = &[&WEBHOOK_STATE_BY_ACCOUNT];

    fn id(&self) -> u64 {
        self.hook.0
    }

    fn scope(&self) -> u64 {
        // Answers that show it are not kept.
        0
    }
}

impl HasLife for WebhookState {
    const LIFE: Life<WebhookState> = Life {
        with_account: WithAccount::AtOnce(&WEBHOOK_STATE_BY_ACCOUNT),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::GoesLast(|_| true),
        in_time: InTime::Kept,
        in_download: InDownload::NotOfAPerson,
    };
}

/// The states of the webhooks of an account.
pub static WEBHOOK_STATE_BY_ACCOUNT: Index<WebhookState> =
    Index::multi("webhook_state.by_account", |state| vec![of(state.account)]);

impl Entity for WebhookLog {
    const TABLE: &'static str = "webhook_log";
    const INDEXES: &'static [&'static Index<WebhookLog>] = &[&WEBHOOK_LOG_BY_HOOK];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // Answers that show it are not kept.
        0
    }
}

impl HasLife for WebhookLog {
    const LIFE: Life<WebhookLog> = Life {
        with_account: WithAccount::InSteps(&[&WEBHOOK_LOG_BY_HOOK]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::Goes,
        in_time: InTime::ByUpkeep("events after 30 days"),
        in_download: InDownload::NotOfAPerson,
    };
}

/// What was sent to a webhook, in its order.
pub static WEBHOOK_LOG_BY_HOOK: Index<WebhookLog> =
    Index::multi("webhook_log.by_hook", |log| vec![of(log.account).u64(log.hook.0)]);
