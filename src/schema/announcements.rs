//! Table and indexes of the news for administrators.

use super::life::{
    HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove, contact_key,
};
use super::of;
use crate::model::Announcement;
use crate::model::announcement::News;
use crate::store::{Entity, Index, Key};

impl Entity for Announcement {
    const TABLE: &'static str = "announcement";
    const INDEXES: &'static [&'static Index<Announcement>] =
        &[&ANNOUNCEMENT_BY_LIST, &ANNOUNCEMENT_BY_CONTACT, &ANNOUNCEMENT_PUT_OFF, &ANNOUNCEMENT_BY_DUE];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

impl HasLife for Announcement {
    const LIFE: Life<Announcement> = Life {
        with_account: WithAccount::InSteps(&[&ANNOUNCEMENT_BY_LIST]),
        with_contact: WithContact::Goes(&ANNOUNCEMENT_BY_CONTACT, contact_key),
        with_list: WithList::Stays("what happened is told without the list, and soon over"),
        with_move: WithMove::GoesLast(|_| true),
        in_time: InTime::ByUpkeep("news for administrators"),
        in_download: InDownload::Not("it is told to administrators, from what is in the file"),
    };
}

/// The news of a list, for deleting them with the account.
pub static ANNOUNCEMENT_BY_LIST: Index<Announcement> =
    Index::multi("announcement.by_list", |news| vec![of(news.account).u64(news.list.0)]);

/// The news of a contact, for deleting them with the contact.
pub static ANNOUNCEMENT_BY_CONTACT: Index<Announcement> =
    Index::multi("announcement.by_contact", |announcement| match announcement.news {
        News::Joined(contact) | News::Left(contact) | News::SaidWhy(contact) => {
            vec![of(announcement.account).u64(contact.0)]
        }
        News::Asked(_) => Vec::new(),
    });

/// The news of a list that wait for a summary, the oldest first.
pub static ANNOUNCEMENT_PUT_OFF: Index<Announcement> = Index::multi("announcement.put_off", |news| {
    if news.is_put_off { vec![of(news.account).u64(news.list.0)] } else { Vec::new() }
});

/// The news of all accounts by the time at which they are told.
pub static ANNOUNCEMENT_BY_DUE: Index<Announcement> =
    Index::multi("announcement.by_due", |news| vec![Key::new().u64(news.due.key())]);
