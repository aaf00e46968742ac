//! The table of accounts' figures over time.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use crate::model::AccountFigures;
use crate::store::{Count, Entity, Index, Key};

impl Entity for AccountFigures {
    const TABLE: &'static str = "account_figures";
    const INDEXES: &'static [&'static Index<AccountFigures>] = &[&FIGURES_BY_DUE];
    const COUNTS: &'static [&'static Count<AccountFigures>] = &[&FIGURES_COUNT];

    fn id(&self) -> u64 {
        self.account.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for AccountFigures {
    const LIFE: Life<AccountFigures> = Life {
        with_account: WithAccount::AtOnceByNumber,
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::GoesLast(|_| true),
        in_time: InTime::Kept,
        in_download: InDownload::NotOfAPerson,
    };
}

/// The accounts by the time when their figures are taken, the earliest first; read by the server itself.
pub static FIGURES_BY_DUE: Index<AccountFigures> =
    Index::multi("account_figures.by_due", |figures| vec![Key::new().u64(figures.due.key())]);

/// The number of accounts whose figures are taken.
pub static FIGURES_COUNT: Count<AccountFigures> = Count::new("account_figures.count", |_| vec![Key::new()]);
