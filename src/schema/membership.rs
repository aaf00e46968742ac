//! The table of memberships, its indexes and counts.

use super::events;
use super::life::{
    HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove, contact_key,
};
use super::memberview::{MEMBERSHIP_COUNT_PAUSED, MEMBERSHIP_PAUSED};
use super::{digests, of};
use crate::model::Membership;
use crate::model::digest::{Switched, TakenSettings};
use crate::store::{Count, Entity, Index, StoreError, WriteTx};

impl Entity for Membership {
    const TABLE: &'static str = "membership";
    const INDEXES: &'static [&'static Index<Membership>] = &[
        &MEMBERSHIP_BY_ACCOUNT,
        &MEMBERSHIP_BY_LIST,
        &MEMBERSHIP_BY_CONTACT,
        &MEMBERSHIP_BY_LIST_CONTACT,
        &MEMBERSHIP_PAUSED,
    ];
    const COUNTS: &'static [&'static Count<Membership>] =
        &[&MEMBERSHIP_COUNT, &MEMBERSHIP_COUNT_BY_LIST, &MEMBERSHIP_COUNT_PAUSED];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        self.account.0
    }

    fn keep_of_change(
        tx: &mut WriteTx<'_>,
        old: &Membership,
        new: Option<&Membership>,
    ) -> Result<(), StoreError> {
        let (of, new) = (Switched::Membership(old.id), new.map(TakenSettings::of_membership));
        digests::note_switch(tx, old.account, of, TakenSettings::of_membership(old), new)
    }

    fn tell_of_change(tx: &mut WriteTx<'_>, old: Option<&Membership>, new: Option<&Membership>) {
        events::of_membership(tx, old, new);
    }
}

impl HasLife for Membership {
    const LIFE: Life<Membership> = Life {
        with_account: WithAccount::InSteps(&[&MEMBERSHIP_BY_ACCOUNT]),
        with_contact: WithContact::Goes(&MEMBERSHIP_BY_CONTACT, contact_key),
        with_list: WithList::Goes(&MEMBERSHIP_BY_LIST),
        with_move: WithMove::Goes,
        in_time: InTime::Kept,
        in_download: InDownload::As("memberships"),
    };
}

/// The memberships of an account by id.
pub static MEMBERSHIP_BY_ACCOUNT: Index<Membership> =
    Index::multi("membership.by_account", |membership| vec![of(membership.account)]);

/// The members of a list, in the order in which they joined: the order of a fan-out.
pub static MEMBERSHIP_BY_LIST: Index<Membership> =
    Index::multi("membership.by_list", |membership| vec![of(membership.account).u64(membership.list.0)]);

/// The lists of a contact; a contact is a member of a list at most once.
pub static MEMBERSHIP_BY_CONTACT: Index<Membership> = Index::unique("membership.by_contact", |membership| {
    vec![of(membership.account).u64(membership.contact.0).u64(membership.list.0)]
});

/// The contacts of a list by their ids, which the key itself holds: a list's `contacts`, and the contacts'
/// listing of one list.
pub static MEMBERSHIP_BY_LIST_CONTACT: Index<Membership> =
    Index::unique("membership.by_list_contact", |membership| {
        vec![of(membership.account).u64(membership.list.0).u64(membership.contact.0)]
    });

/// The `count` of the memberships' listing.
pub static MEMBERSHIP_COUNT: Count<Membership> =
    Count::new("membership.count", |membership| vec![of(membership.account)]);

/// The number of a list's members.
pub static MEMBERSHIP_COUNT_BY_LIST: Count<Membership> =
    Count::new("membership.count_by_list", |membership| vec![of(membership.account).u64(membership.list.0)]);
