//! The kinds with which lists begin: what each sets beyond the defaults of a call of the API. The page of new lists,
//! `crier list create` and `crier setup` begin lists by one of them.
//!
//! Nothing of a kind is open to the world: people ask to join, and members alone read the archive.

use crate::locale::text;
use crate::model::account::Subscriptions;
use crate::model::list::{ListChanges, Memberview, WhoWrites};
use crate::model::{EmailAddress, Language, Moderate, words};

words! {
    /// A kind of lists.
    ListKind {
        /// The people named write, and answers go to them alone.
        Announcements = "announcements",
        /// Members write to each other.
        Discussion = "discussion",
        /// Members write to each other, and each message waits for approval.
        Moderated = "moderated",
        /// The people who are added write to each other, and nobody else finds the list.
        Private = "private",
    }
}

/// The facts about a new list that no kind says.
#[derive(Debug, Clone)]
pub struct Beginning {
    /// The language of the account, in which the text below messages is written.
    pub language: Language,
    /// The address of the list; `None` if its name makes none, which is refused by itself.
    pub address: Option<EmailAddress>,
    /// Those who write announcements.
    pub writers: Vec<EmailAddress>,
}

impl ListKind {
    /// The kind of a list where nobody names one.
    pub const USUAL: ListKind = ListKind::Discussion;

    /// The settings of a new list of this kind.
    #[must_use]
    pub fn changes(self, beginning: Beginning) -> ListChanges {
        let Beginning { language, address, writers } = beginning;
        let shared = ListChanges {
            message_footer: Some(format!("-- \n{}", text!(language, "list-footer"))),
            subscriptions: Some(Some(Subscriptions::OpenConfirm)),
            send_hold_message: Some(true),
            send_reject_message: Some(true),
            archive_protected: Some(true),
            archive_memberview: Some(true),
            ..ListChanges::default()
        };
        let who = |who| Some(Moderate::of(who, false));
        match self {
            ListKind::Announcements => ListChanges {
                moderate: who(WhoWrites::Addresses),
                restrict_post_allowed_emails: Some(writers),
                hold_replies: Some(true),
                hold_automated: Some(true),
                ..shared
            },
            ListKind::Discussion => ListChanges {
                moderate: who(WhoWrites::Members),
                reply_to: Some(address),
                hold_automated: Some(true),
                ..shared
            },
            ListKind::Moderated => ListChanges {
                moderate: who(WhoWrites::ApprovedMembers),
                reply_to: Some(address),
                hold_automated: Some(true),
                ..shared
            },
            ListKind::Private => ListChanges {
                moderate: who(WhoWrites::Members),
                reply_to: Some(address),
                subscriptions: Some(Some(Subscriptions::Closed)),
                memberview: Some(Some(Memberview::WithEmail)),
                archive_index_noshow: Some(true),
                ..shared
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::template::Template;

    #[test]
    fn the_text_below_messages_has_known_variables_in_every_language() {
        for language in Language::ALL {
            let beginning = Beginning { language: *language, address: None, writers: Vec::new() };
            let footer = ListKind::USUAL.changes(beginning).message_footer.unwrap();
            assert!(Template::parse(&footer, &[]).is_ok(), "{footer}");
            for variable in ["$LIST", "$UNSUBSCRIBE", "$ARCHIVE"] {
                assert!(footer.contains(variable), "{footer}");
            }
            assert!(footer.starts_with("-- \n") && footer.lines().count() == 4, "{footer}");
        }
    }
}
