//! Table and indexes of the people who opted out.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::of;
use crate::model::OptOut;
use crate::store::{Entity, Index};

impl Entity for OptOut {
    const TABLE: &'static str = "opt_out";
    const INDEXES: &'static [&'static Index<OptOut>] =
        &[&OPT_OUT_BY_ADDRESS, &OPT_OUT_BY_CONTACT, &OPT_OUT_BY_LIST];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for OptOut {
    const LIFE: Life<OptOut> = Life {
        with_account: WithAccount::InSteps(&[&OPT_OUT_BY_LIST]),
        with_contact: WithContact::ByOperation(
            "a person who left is not put back when an import makes the contact again: the hash of the address stays",
        ),
        with_list: WithList::Goes(&OPT_OUT_BY_LIST),
        with_move: WithMove::Goes,
        in_time: InTime::Kept,
        in_download: InDownload::As("opted_out"),
    };
}

/// The records of an address, by its hash: is anybody who is being added among them?
pub static OPT_OUT_BY_ADDRESS: Index<OptOut> = Index::multi("opt_out.by_address", |opt_out| {
    opt_out.addresses.iter().map(|hash| of(opt_out.account).bytes(hash)).collect()
});

/// The records of a contact, whose addresses may have changed since.
pub static OPT_OUT_BY_CONTACT: Index<OptOut> = Index::multi("opt_out.by_contact", |opt_out| {
    opt_out.contact.iter().map(|contact| of(opt_out.account).u64(contact.0)).collect()
});

/// The records of a list, which go with it; those of the whole account stand under 0.
pub static OPT_OUT_BY_LIST: Index<OptOut> = Index::multi("opt_out.by_list", |opt_out| {
    vec![of(opt_out.account).u64(opt_out.list.map_or(0, |list| list.0))]
});
