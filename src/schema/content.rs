//! Table and index of the records that permit API content to show personal data.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::of;
use crate::model::ApiContent;
use crate::store::{Entity, Index};

impl Entity for ApiContent {
    const TABLE: &'static str = "api_content";
    const INDEXES: &'static [&'static Index<ApiContent>] = &[&API_CONTENT_BY_ACCOUNT];

    fn id(&self) -> u64 {
        self.message.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for ApiContent {
    const LIFE: Life<ApiContent> = Life {
        with_account: WithAccount::InSteps(&[&API_CONTENT_BY_ACCOUNT]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::Goes,
        in_time: InTime::Kept,
        in_download: InDownload::Not("what people wrote to a list is in its archive"),
    };
}

/// The records of an account, for deleting them with the account.
pub static API_CONTENT_BY_ACCOUNT: Index<ApiContent> =
    Index::multi("api_content.by_account", |content| vec![of(content.account)]);
