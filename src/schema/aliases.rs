//! Table, indexes and counts of aliases.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::of;
use crate::model::Alias;
use crate::store::{Count, Entity, Index};

impl Entity for Alias {
    const TABLE: &'static str = "alias";
    const INDEXES: &'static [&'static Index<Alias>] =
        &[&ALIAS_BY_SOURCE, &ALIAS_BY_ACCOUNT, &ALIAS_BY_DESTINATION];
    const COUNTS: &'static [&'static Count<Alias>] = &[&ALIAS_COUNT];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        self.account.0
    }
}

impl HasLife for Alias {
    const LIFE: Life<Alias> = Life {
        with_account: WithAccount::InSteps(&[&ALIAS_BY_SOURCE]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::Goes,
        in_time: InTime::Kept,
        in_download: InDownload::NotOfAPerson,
    };
}

/// Alias names are unique in an account, with case folded; `ops` keeps them distinct from list names.
pub static ALIAS_BY_SOURCE: Index<Alias> =
    Index::unique("alias.by_source", |alias| vec![of(alias.account).text(&alias.source.folded())]);

/// The aliases of an account.
pub static ALIAS_BY_ACCOUNT: Index<Alias> = Index::multi("alias.by_account", |alias| vec![of(alias.account)]);

/// The aliases that forward to an address.
pub static ALIAS_BY_DESTINATION: Index<Alias> = Index::multi("alias.by_destination", |alias| {
    alias.destination.iter().map(|address| of(alias.account).text(&address.folded())).collect()
});

/// The `count` of the aliases' listing.
pub static ALIAS_COUNT: Count<Alias> = Count::new("alias.count", |alias| vec![of(alias.account)]);
