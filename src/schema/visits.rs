//! Table and index of when members were at the pages last.

use super::life::{HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove};
use super::of;
use crate::model::MemberVisit;
use crate::store::{Entity, Index};

impl Entity for MemberVisit {
    const TABLE: &'static str = "member_visit";
    const INDEXES: &'static [&'static Index<MemberVisit>] = &[&MEMBER_VISIT_BY_ACCOUNT];

    fn id(&self) -> u64 {
        self.contact.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for MemberVisit {
    const LIFE: Life<MemberVisit> = Life {
        with_account: WithAccount::InSteps(&[&MEMBER_VISIT_BY_ACCOUNT]),
        with_contact: WithContact::GoesByNumber,
        with_list: WithList::NamesNone,
        with_move: WithMove::Goes,
        in_time: InTime::Kept,
        in_download: InDownload::As("visit"),
    };
}

/// The visits of the members of an account, which are deleted with it.
pub static MEMBER_VISIT_BY_ACCOUNT: Index<MemberVisit> =
    Index::multi("member_visit.by_account", |visit| vec![of(visit.account)]);
