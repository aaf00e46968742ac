//! The settings of accounts: one row for each. How to read a row, and all that is made of it, stands in
//! [`model::fields`](crate::model::fields).

use crate::model::fields::topics;

topics! {
    /// The topics of the settings of accounts.
    Topic {
        /// Texts of mails to members.
        Texts,
        /// Everything else.
        Settings,
    }
}

/// Hands the settings of accounts to a macro, in the order of the record and of the API's object.
macro_rules! account_fields {
    ($then:ident $($args:tt)*) => {
        $then! {
            [$($args)*]
            new()
            texts "set-acc-"
            topics Topic
            kept {}
            set {
                /// Text of the mails that ask for a confirmation; null for the built-in one.
                confirmation_message: Option<String> = None,
                    by nullable_text(), in Texts, on welcome 2 .lines(6);
                /// Subject of those mails; null for the built-in one.
                confirmation_subject: Option<String> = None, by nullable_text(), in Texts, on welcome 1;
                /// Text that a member is shown after confirming its address; null for the built-in text.
                welcome_message: Option<String> = None, by nullable_text(), in Texts, on welcome 3 .lines(6);
                /// Whether the welcome message is mailed when an address is confirmed.
                send_welcome_message_confirmation: bool = false, by boolean(), in Texts, on welcome 4;
                /// Whether the welcome message is mailed to a contact as soon as it is added.
                send_welcome_message_contacts: bool = false, by boolean(), in Texts, on welcome 5;
                /// Timezone, by its IANA name.
                timezone: String = "UTC".to_owned(),
                    by parsed(timezone), in Settings, on identity 4 .suggested(zones);
                /// Address of an image that is shown on pages; null for none. Not in grouped systems.
                custom_image: Option<String> = None, by image(), in Settings, on identity 5;
                /// How administrators are notified of messages and requests that wait for approval.
                notify_approval: NotifyApproval = NotifyApproval::Each,
                    by parsed(word()), in Settings, on admins 1 .choices(NOTICES);
                /// Whether people may join lists on their own, or with approval; lists may override it.
                subscriptions: Subscriptions = Subscriptions::Open,
                    by parsed(word()), in Settings, on joining 1 .choices(JOINING);
                /// Whether people may leave lists on their own, or after a confirmation; lists may override it.
                unsubscriptions: Subscriptions = Subscriptions::Open,
                    by parsed(word()), in Settings, on joining 2 .choices(LEAVING);
                /// Whether leaving by a link has to be confirmed.
                unsubscribe_confirm: bool = false, by boolean(), in Settings, on joining 3;
                /// Whether administrators of a list may give others access to it.
                list_delegation: bool = false, by boolean(), in Settings, on admins 2;
                /// Regular expressions; an address that none of them matches is refused. Each may compile to 256 KiB,
                /// and all of an account to 4 MiB.
                restrict_contact: Vec<String> = Vec::new(), by patterns(), in Settings, on joining 4;
                /// The same as `restrict_contact`, for addresses whose holders ask to join.
                restrict_contact_subscription: Vec<String> = Vec::new(),
                    by patterns(), in Settings, on joining 5;
                /// Whether new lists wait for approval.
                require_list_approval: bool = false, by boolean(), in Settings, on admins 3;
                /// The language of its mails and pages; visitors of pages may choose another.
                language: Language = Language::English,
                    by parsed(word()), in Settings, on identity 3 .choices(LANGUAGES);
            }
        }
    };
}
pub(crate) use account_fields;
