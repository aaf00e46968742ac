//! Records as earlier versions stored them, and what makes them those of the next version.
//!
//! A struct here never changes: `tests/fixtures/records/` has stored forms of its version, and a test reads them with
//! it. It may be made of types of `model` for as long as these keep their form.

use serde::{Deserialize, Serialize};

use crate::store::OldRecord;

/// Accounts before they had a language.
pub(super) mod account_v1 {
    use super::{Deserialize, OldRecord, Serialize};
    use crate::clock::Timestamp;
    use crate::model::account::{NotifyApproval, Subscriptions};
    use crate::model::{AccountId, CustomField, CustomFieldId, Language};

    #[derive(Debug, Serialize, Deserialize)]
    pub(in crate::migrate) struct Account {
        id: AccountId,
        name: String,
        description: String,
        created: Timestamp,
        settings: AccountSettings,
        ccid_enabled: bool,
        contacts_max: u64,
        custom_fields: Vec<CustomField>,
        fields_made: u32,
        leaving_fields: Vec<CustomFieldId>,
    }

    #[derive(Debug, Serialize, Deserialize)]
    struct AccountSettings {
        confirmation_message: Option<String>,
        confirmation_subject: Option<String>,
        welcome_message: Option<String>,
        send_welcome_message_confirmation: bool,
        send_welcome_message_contacts: bool,
        timezone: String,
        custom_image: Option<String>,
        notify_approval: NotifyApproval,
        subscriptions: Subscriptions,
        unsubscriptions: Subscriptions,
        unsubscribe_confirm: bool,
        list_delegation: bool,
        restrict_contact: Vec<String>,
        restrict_contact_subscription: Vec<String>,
        require_list_approval: bool,
    }

    impl OldRecord for Account {
        const TABLE: &'static str = "account";
        const VERSION: u8 = 1;
    }

    impl From<Account> for crate::model::Account {
        fn from(old: Account) -> crate::model::Account {
            crate::model::Account {
                id: old.id,
                name: old.name,
                description: old.description,
                created: old.created,
                settings: old.settings.into(),
                ccid_enabled: old.ccid_enabled,
                contacts_max: old.contacts_max,
                custom_fields: old.custom_fields,
                fields_made: old.fields_made,
                leaving_fields: old.leaving_fields,
            }
        }
    }

    impl From<AccountSettings> for crate::model::AccountSettings {
        fn from(old: AccountSettings) -> crate::model::AccountSettings {
            crate::model::AccountSettings {
                confirmation_message: old.confirmation_message,
                confirmation_subject: old.confirmation_subject,
                welcome_message: old.welcome_message,
                send_welcome_message_confirmation: old.send_welcome_message_confirmation,
                send_welcome_message_contacts: old.send_welcome_message_contacts,
                timezone: old.timezone,
                custom_image: old.custom_image,
                notify_approval: old.notify_approval,
                subscriptions: old.subscriptions,
                unsubscriptions: old.unsubscriptions,
                unsubscribe_confirm: old.unsubscribe_confirm,
                list_delegation: old.list_delegation,
                restrict_contact: old.restrict_contact,
                restrict_contact_subscription: old.restrict_contact_subscription,
                require_list_approval: old.require_list_approval,
                // What its members and moderators have read so far.
                language: Language::English,
            }
        }
    }
}
