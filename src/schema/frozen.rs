//! Records as earlier versions stored them, and what makes them those of the newest version.
//!
//! A struct here never changes: `tests/fixtures/records/` has stored forms of its version, and a test reads them with
//! it. It may be made of types of `model` for as long as these keep their form. A version to which the next one only
//! appended fields needs none ([`Older::without`](crate::store::Older::without)).

/// Accounts before they had a language.
pub(super) mod account_v1 {
    use serde::{Deserialize, Serialize};

    use crate::clock::Timestamp;
    use crate::model::account::{NotifyApproval, Subscriptions};
    use crate::model::{AccountId, CustomField, CustomFieldId, Language};
    use crate::store::OldRecord;

    #[derive(Debug, Serialize, Deserialize)]
    pub(crate) struct Account {
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
        type Newest = crate::model::Account;

        fn newest(self) -> crate::model::Account {
            crate::model::Account {
                id: self.id,
                name: self.name,
                description: self.description,
                created: self.created,
                settings: self.settings.newest(),
                ccid_enabled: self.ccid_enabled,
                contacts_max: self.contacts_max,
                custom_fields: self.custom_fields,
                fields_made: self.fields_made,
                leaving_fields: self.leaving_fields,
            }
        }
    }

    impl AccountSettings {
        fn newest(self) -> crate::model::AccountSettings {
            crate::model::AccountSettings {
                confirmation_message: self.confirmation_message,
                confirmation_subject: self.confirmation_subject,
                welcome_message: self.welcome_message,
                send_welcome_message_confirmation: self.send_welcome_message_confirmation,
                send_welcome_message_contacts: self.send_welcome_message_contacts,
                timezone: self.timezone,
                custom_image: self.custom_image,
                notify_approval: self.notify_approval,
                subscriptions: self.subscriptions,
                unsubscriptions: self.unsubscriptions,
                unsubscribe_confirm: self.unsubscribe_confirm,
                list_delegation: self.list_delegation,
                restrict_contact: self.restrict_contact,
                restrict_contact_subscription: self.restrict_contact_subscription,
                require_list_approval: self.require_list_approval,
                // What its members and moderators have read so far.
                language: Language::English,
            }
        }
    }
}

/// Imports when they kept a sentence about what stopped them.
pub(super) mod import_v1 {
    use std::net::IpAddr;

    use serde::{Deserialize, Serialize};

    use crate::clock::Timestamp;
    use crate::model::import::ImportSheet;
    use crate::model::{AccountId, AdminId, AuditId, ImportId, ImportState, ImportTrouble};
    use crate::store::OldRecord;

    #[derive(Debug, Serialize, Deserialize)]
    pub(crate) struct Import {
        id: ImportId,
        account: AccountId,
        admin: AdminId,
        client: Option<IpAddr>,
        sheet: ImportSheet,
        columns: Vec<String>,
        lists: Vec<String>,
        updates: bool,
        state: ImportState,
        trouble: String,
        run: u32,
        done: u64,
        created: u64,
        updated: u64,
        unchanged: u64,
        refused: u64,
        made: Timestamp,
        changed: Timestamp,
        noted: Option<AuditId>,
    }

    impl OldRecord for Import {
        type Newest = crate::model::Import;

        fn newest(self) -> crate::model::Import {
            crate::model::Import {
                id: self.id,
                account: self.account,
                admin: self.admin,
                client: self.client,
                sheet: self.sheet,
                columns: self.columns,
                lists: self.lists,
                updates: self.updates,
                state: self.state,
                trouble: (!self.trouble.is_empty()).then_some(ImportTrouble::Written(self.trouble)),
                run: self.run,
                done: self.done,
                created: self.created,
                updated: self.updated,
                unchanged: self.unchanged,
                refused: self.refused,
                made: self.made,
                changed: self.changed,
                noted: self.noted,
            }
        }
    }
}

/// Refused rows when they kept the reason as a sentence.
pub(super) mod refused_row_v1 {
    use serde::{Deserialize, Serialize};

    use crate::model::{AccountId, ImportId, RefusedRowId, RowRefusal};
    use crate::store::OldRecord;

    #[derive(Debug, Serialize, Deserialize)]
    pub(crate) struct RefusedRow {
        id: RefusedRowId,
        account: AccountId,
        import: ImportId,
        row: u64,
        cells: Vec<String>,
        reason: String,
    }

    impl OldRecord for RefusedRow {
        type Newest = crate::model::RefusedRow;

        fn newest(self) -> crate::model::RefusedRow {
            crate::model::RefusedRow {
                id: self.id,
                account: self.account,
                import: self.import,
                row: self.row,
                cells: self.cells,
                reason: RowRefusal::Written(self.reason),
            }
        }
    }
}

/// Held messages when they kept the reason as a sentence.
pub(super) mod held_v1 {
    use serde::{Deserialize, Serialize};

    use crate::clock::Timestamp;
    use crate::model::{
        AccountId, Authentication, BlobId, Decision, EmailAddress, HeldId, HeldReason, HeldState, ListId,
        MessageId,
    };
    use crate::store::OldRecord;

    #[derive(Debug, Serialize, Deserialize)]
    pub(crate) struct Held {
        id: HeldId,
        account: AccountId,
        list: ListId,
        from: String,
        from_phrase: String,
        message_id: Option<String>,
        reverse_path: Option<EmailAddress>,
        subject: String,
        received: Timestamp,
        blob: BlobId,
        size_bytes: u64,
        reason: String,
        authentication: Authentication,
        state: HeldState,
        decision: Option<Decision>,
        advised: Vec<u64>,
        quarantined: Option<MessageId>,
        requires_tls: bool,
    }

    impl OldRecord for Held {
        type Newest = crate::model::Held;

        fn newest(self) -> crate::model::Held {
            crate::model::Held {
                id: self.id,
                account: self.account,
                list: self.list,
                from: self.from,
                from_phrase: self.from_phrase,
                message_id: self.message_id,
                reverse_path: self.reverse_path,
                subject: self.subject,
                received: self.received,
                blob: self.blob,
                size_bytes: self.size_bytes,
                reason: HeldReason::of_sentence(self.reason),
                authentication: self.authentication,
                state: self.state,
                decision: self.decision,
                advised: self.advised,
                quarantined: self.quarantined,
                requires_tls: self.requires_tls,
            }
        }
    }
}
