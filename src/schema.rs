//! Declares every table, index and count of the data file, what each is for, and what ends the records ([`Life`]).
//!
//! Every key of a secondary index begins with the account, so that listings, limits and the deletion of an account are
//! ranges, and another account's row cannot be reached by mistake. Indexes that the server itself reads (by key hash,
//! by domain, by due time) say so. Only `store` writes the rows.

mod admins;
mod aliases;
mod allowance;
mod announcements;
mod audit;
mod banner;
mod claims;
mod compose_draft;
mod content;
mod desk;
mod digests;
mod directory;
mod domains;
mod draft;
mod earlier_names;
mod erasure;
mod events;
mod figures;
mod frozen;
mod held;
mod imports;
mod kept_month;
mod leaving;
mod life;
mod member;
mod membership;
mod memberview;
mod messages;
mod missing_parents;
mod oauth;
mod old_links;
mod opt_outs;
mod part_notes;
mod pending;
mod queue;
mod requests;
mod sealed;
mod search;
mod security;
mod seen_mail;
mod sessions;
mod sign_in;
mod sign_in_guard;
mod system_mails;
mod taken_out;
mod threads;
mod trouble;
mod typed_form;
mod undo;
mod visits;
mod webhooks;

pub use admins::{ADMIN_BY_ACCOUNT, ADMIN_BY_USERNAME, ADMIN_COUNT, API_KEY_BY_ADMIN, API_KEY_BY_HASH};
pub use aliases::{ALIAS_BY_ACCOUNT, ALIAS_BY_DESTINATION, ALIAS_BY_SOURCE, ALIAS_COUNT};
pub use allowance::{ALLOWANCE_BY_DUE, ALLOWANCE_BY_SUBJECT, allowance_subject};
pub use announcements::{
    ANNOUNCEMENT_BY_CONTACT, ANNOUNCEMENT_BY_DUE, ANNOUNCEMENT_BY_LIST, ANNOUNCEMENT_PUT_OFF,
};
pub use audit::{
    AUDIT_BY_ACTION, AUDIT_BY_ADMIN, AUDIT_BY_OBJECT, AUDIT_COUNT, AUDIT_VALUES_BY_ACCOUNT, audit_action,
    audit_object,
};
pub use banner::BANNER_BY_DUE;
pub use claims::{
    DOMAIN_BY_ZONE, DOMAIN_CLAIM_BY_ACCOUNT, DOMAIN_CLAIM_BY_NAME, DOMAIN_CLAIM_BY_NEXT_CHECK, below,
};
pub use compose_draft::{COMPOSE_DRAFT_BY_ACCOUNT, COMPOSE_DRAFT_BY_ADMIN, COMPOSE_DRAFT_BY_DUE};
pub use content::API_CONTENT_BY_ACCOUNT;
pub use desk::{
    SCHEDULED_MESSAGE_BY_ADMIN, SCHEDULED_MESSAGE_BY_DUE, SCHEDULED_MESSAGE_BY_LIST, SUSPENSION_BY_DUE,
};
pub use digests::{
    DIGEST_BY_CHECK, DIGEST_BY_LIST, DIGEST_BY_MESSAGE, DIGEST_FAN_OUT_BY_DAY, DIGEST_POST_BY_LIST,
    DIGEST_SCHEDULE_BY_ACCOUNT, DIGEST_SCHEDULE_BY_DUE, DIGEST_SWITCH_BY_ACCOUNT, DIGEST_SWITCH_OF,
    digest_switch_of,
};
pub use directory::{LIST_IN_DIRECTORY, Listed};
pub use domains::{DOMAIN_BY_ACCOUNT, DOMAIN_BY_KEYS_END, DOMAIN_BY_NAME, DOMAIN_BY_NEXT_CHECK};
pub use draft::{DRAFT_BY_CONTACT, DRAFT_BY_DUE};
pub use earlier_names::{EARLIER_NAME_BY_LIST, EARLIER_NAME_BY_NAME};
pub use erasure::{ERASURE_BY_ACCOUNT, ERASURE_BY_DUE, MESSAGE_BY_AUTHOR, message_author};
pub use events::{EVENT_BY_TYPE, EVENT_COUNT, event_type};
pub use figures::{FIGURES_BY_DUE, FIGURES_COUNT};
pub use held::{
    HELD_BY_APPROVED, HELD_BY_DUE, HELD_BY_LIST, HELD_BY_MESSAGE_ID, HELD_BY_QUARANTINED, HELD_BY_STATE,
    HELD_COUNT, HELD_REFUSED_BY_SENDER, HELD_WAITING, HELD_WAITING_BY_SENDER, HELD_WAITING_COUNT,
    held_duplicate, held_refused, held_sender, held_senders, held_state,
};
pub use imports::{
    IMPORT_BY_ACCOUNT, IMPORT_BY_DUE, IMPORT_OPT_OUTS_BY_ACCOUNT, IMPORT_RUNNING, REFUSED_ROW_BY_IMPORT,
};
pub use kept_month::KEPT_MONTH_BY_LIST;
pub use leaving::{DEPARTURE_BY_CONTACT, DEPARTURE_BY_DUE};
pub use life::{
    EntityVisitor, HasLife, InDownload, InTime, Life, WithAccount, WithContact, WithList, WithMove,
};
pub use member::{
    EMAIL_COUNT_PAUSED, EMAIL_PAUSE_BY_ACCOUNT, EMAIL_PAUSE_BY_DUE, EMAIL_PAUSED, FIRST_EMAIL_BY_ACCOUNT,
    paused_by,
};
pub use membership::{
    MEMBERSHIP_BY_ACCOUNT, MEMBERSHIP_BY_CONTACT, MEMBERSHIP_BY_LIST, MEMBERSHIP_BY_LIST_CONTACT,
    MEMBERSHIP_COUNT, MEMBERSHIP_COUNT_BY_LIST,
};
pub use memberview::{LIST_BY_MEMBERVIEW, MEMBERSHIP_COUNT_PAUSED, MEMBERSHIP_PAUSED, memberview_kind};
pub use messages::{
    MESSAGE_BY_ACCOUNT, MESSAGE_BY_MESSAGE_ID, MESSAGE_BY_THREAD, MESSAGE_BY_TIME, MESSAGE_BY_WORD,
    MESSAGE_COUNT, MESSAGE_COUNT_BY_LIST, MESSAGE_COUNT_BY_MONTH,
};
pub use missing_parents::{MISSING_PARENTS_BY_LIST, MISSING_PARENTS_BY_REFERENCE, missing_parent};
pub use oauth::{
    OAUTH_CLIENT_BY_CLIENT_ID, OAUTH_GRANT_BY_ADMIN, OAUTH_GRANT_BY_CLIENT, OAUTH_GRANT_BY_CODE,
    OAUTH_GRANT_BY_DUE, OAUTH_GRANT_BY_FAMILY, OAUTH_PROOF_BY_ACCOUNT, OAUTH_TOKEN_BY_DUE,
    OAUTH_TOKEN_BY_GRANT, OAUTH_TOKEN_BY_HASH, PROVIDER_SUBJECT_BY_ADMIN, PROVIDER_SUBJECT_BY_SUBJECT,
};
pub use old_links::{OLD_LINK_BY_ADDRESS, OLD_NAME_BY_ACCOUNT, OLD_NAME_BY_HOST, old_address, old_host};
pub use opt_outs::{OPT_OUT_BY_ADDRESS, OPT_OUT_BY_CONTACT, OPT_OUT_BY_LIST};
pub use pending::{
    PENDING_BY_ADDRESS, PENDING_BY_DUE, PENDING_BY_LIST, PENDING_BY_STATE, PENDING_COUNT,
    PENDING_WAITING_COUNT, pending_state, pending_waiting,
};
pub use queue::{
    BATCH_BY_DESTINATION, BATCH_BY_DUE, BATCH_BY_END, BATCH_BY_MESSAGE, BATCH_BY_SYSTEM_MAIL, BATCH_CLAIMED,
    BATCH_COUNT, BATCH_COUNT_AT, BATCH_UNREACHED, BATCH_WAITING, COPIES_COUNT, COPIES_COUNT_AT,
    FAN_OUT_COUNT, batch_place, payload_kind, queue_state,
};
pub use requests::{
    CONFIRMATION_BY_ADDRESS, CONFIRMATION_BY_CONTACT, CONFIRMATION_BY_DUE, CONFIRMATION_BY_LIST,
    CONSENT_BY_ADDRESS, CONSENT_BY_LIST, GREETING_BY_ACCOUNT,
};
pub use sealed::{SEALED_ORIGINAL_BY_AUTHOR, SEALED_ORIGINAL_BY_DUE, sealed_author};
pub use search::{BLOCK_TABLES, RECENT_TERMS_BY_LIST, SEARCH_BLOCKS, SEGMENT_BY_LIST, SEGMENT_UNFINISHED};
pub use security::{STS_POLICY_BY_DOMAIN, STS_POLICY_BY_DUE};
pub use seen_mail::{SEEN_MAIL_BY_DUE, SEEN_MAIL_BY_MAIL, seen_mail_key};
pub use sessions::{SESSION_BY_DUE, SESSION_BY_PERSON, SESSION_BY_TOKEN, session_person};
pub use sign_in::{SIGN_IN_LINK_BY_CONTACT, SIGN_IN_LINK_BY_DUE, SIGN_IN_LINK_BY_TOKEN};
pub use sign_in_guard::{LOCKOUT_BY_DUE, LOCKOUT_BY_SUBJECT, SECOND_FACTOR_BY_ACCOUNT};
pub use system_mails::{
    MODERATION_DIGEST_BY_ACCOUNT, MODERATION_DIGEST_BY_DUE, SAVED_ANSWER_BY_ADMIN, SAVED_ANSWER_BY_DUE,
    SAVED_ANSWER_BY_KEY, SAVED_ANSWER_COUNT, SYSTEM_MAIL_BY_ACCOUNT, SYSTEM_MAIL_BY_DUE, WELCOME_BY_ACCOUNT,
};
pub use taken_out::{TAKEN_OUT_BY_ACCOUNT, TAKEN_OUT_BY_DUE};
pub use threads::{THREAD_BY_ACTIVITY, THREAD_COUNT_BY_LIST, THREAD_WITHOUT_MESSAGES, archive_of};
pub use trouble::{
    ALERT_BY_ACCOUNT, ALERT_BY_DUE, PROVIDER_BLOCK_BY_DUE, PROVIDER_BLOCK_BY_MESSAGE, alert_kind,
};
pub use typed_form::{TYPED_FORM_BY_ADMIN, TYPED_FORM_BY_DUE, TYPED_FORM_BY_MEMBER, typed_form_admin};
pub use undo::{
    UNDO_BY_ACTION, UNDO_BY_CONTACT, UNDO_BY_DELETED_EMAIL, UNDO_BY_DUE, UNDO_BY_OBJECT, undo_deleted_email,
    undo_object, undo_objects,
};
pub use visits::MEMBER_VISIT_BY_ACCOUNT;
pub use webhooks::{WEBHOOK_BY_ACCOUNT, WEBHOOK_LOG_BY_HOOK, WEBHOOK_STATE_BY_ACCOUNT};

use crate::model::digest::{Switched, TakenSettings};
use crate::model::{
    Account, AccountDeletion, AccountDomain, AccountFigures, AccountId, Admin, Alert, Alias, Allowance,
    Announcement, ApiContent, ApiKey, AuditEntry, AuditValues, Banner, Batch, ComposeDraft, Confirmation,
    Consent, Contact, Departure, Digest, DigestFanOut, DigestPost, DigestSchedule, DigestSwitch, DomainClaim,
    DomainProof, Draft, EarlierName, Email, EmailPause, Erasure, Event, FanOut, FirstEmail, Greeting, Held,
    Import, ImportOptOuts, KeptMonth, KeptReasons, List, Lockout, MemberFields, MemberVisit, Membership,
    Message, MessageWords, MissingParents, ModerationDigest, OauthClient, OauthGrant, OauthProof, OauthToken,
    OldLink, OldName, OptOut, PartNotes, Pending, ProviderBlock, ProviderSubject, RecentTerms, RefusedRow,
    SavedAnswer, ScheduledMessage, SealedOriginal, SecondFactor, SeenMail, Segment, Session, SignInLink,
    StsPolicy, Suspension, SystemMail, TakenOut, Thread, TypedForm, Undo, Webhook, WebhookLog, WebhookState,
    Welcome, Words,
};
use crate::store::{Count, Entity, EntityInfo, Index, Key, Older, StoreError, WriteTx, stored};

/// Lists the entities.
macro_rules! entities {
    ($($entity:ident,)*) => {
        /// All entities, in the order in which they are checked, and in which the records of a deleted account go: lists
        /// before all others, so that mail that is just arriving finds none, and nothing is added meanwhile.
        pub const ENTITIES: &[EntityInfo] = &[$(EntityInfo::of::<$entity>()),*];

        /// Visits all entities, in the same order.
        ///
        /// # Errors
        /// The first of a visit.
        pub fn visit_entities<V: EntityVisitor>(visitor: &mut V) -> Result<(), V::Error> {
            $(visitor.visit::<$entity>()?;)*
            Ok(())
        }
    };
}

entities! {
    Account,
    AccountDomain,
    DomainProof,
    DomainClaim,
    ApiKey,
    Admin,
    SecondFactor,
    MemberFields,
    Banner,
    AccountFigures,
    KeptReasons,
    Suspension,
    AccountDeletion,
    List,
    EarlierName,
    OldName,
    OldLink,
    Alias,
    Alert,
    AuditEntry,
    AuditValues,
    Event,
    Webhook,
    WebhookState,
    WebhookLog,
    ProviderBlock,
    SeenMail,
    Pending,
    Confirmation,
    Consent,
    SavedAnswer,
    Session,
    SignInLink,
    MemberVisit,
    OauthToken,
    OauthProof,
    OauthGrant,
    ProviderSubject,
    Draft,
    ComposeDraft,
    TypedForm,
    FanOut,
    Batch,
    SystemMail,
    Erasure,
    Welcome,
    Greeting,
    Announcement,
    ModerationDigest,
    DigestPost,
    DigestSchedule,
    DigestSwitch,
    DigestFanOut,
    Digest,
    Held,
    ScheduledMessage,
    Segment,
    SealedOriginal,
    Message,
    PartNotes,
    MessageWords,
    RecentTerms,
    Thread,
    MissingParents,
    KeptMonth,
    TakenOut,
    ApiContent,
    Membership,
    Departure,
    Undo,
    OptOut,
    FirstEmail,
    EmailPause,
    Email,
    Contact,
    RefusedRow,
    ImportOptOuts,
    Import,
    OauthClient,
    Allowance,
    Lockout,
    StsPolicy,
}

/// The name under which the file keeps the secret that signs links.
pub const META_SECRET: &str = "secret";
/// The name under which the file keeps the earlier secrets, each with its end.
pub const META_OLD_SECRETS: &str = "old_secrets";
/// The name under which the file keeps the salt of the hashes of addresses that opted out.
pub const META_OPT_OUT_SALT: &str = "opt_out_salt";
/// The name under which the file keeps the number of its schema.
pub const META_SCHEMA: &str = "schema";
/// The name under which the file keeps the number of an account that is being taken in from another server.
pub const META_ARRIVING: &str = "arriving";
/// The name under which a restored file keeps the time of its point and of its restoration, in milliseconds.
pub const META_RESTORED: &str = "restored";
/// The name under which the file keeps its identity for backups: the number of the server, and the key for targets that
/// are encrypted.
pub const META_BACKUP: &str = "backup";

fn of(account: AccountId) -> Key {
    Key::new().u64(account.0)
}

impl Entity for Account {
    const TABLE: &'static str = "account";
    const VERSION: u8 = 2;
    const OLDER: &'static [Older<Account>] = &[Older::of::<frozen::account_v1::Account>()];
    const INDEXES: &'static [&'static Index<Account>] = &[&ACCOUNT_BY_NAME, &ACCOUNT_ALL];
    const COUNTS: &'static [&'static Count<Account>] = &[&ACCOUNT_COUNT];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        self.id.0
    }

    fn tell_of_change(tx: &mut WriteTx<'_>, old: Option<&Account>, new: Option<&Account>) {
        events::of_account(tx, old, new);
    }
}

impl HasLife for Account {
    const LIFE: Life<Account> = Life {
        with_account: WithAccount::AtOnceByNumber,
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::GoesLast(|_| true),
        in_time: InTime::Kept,
        in_download: InDownload::As("account"),
    };
}

/// Account names are unique on the server, with case folded.
pub static ACCOUNT_BY_NAME: Index<Account> =
    Index::unique("account.by_name", |account| vec![Key::new().text(&account.name.to_ascii_lowercase())]);

/// The accounts of the server by id: the listing for global keys.
pub static ACCOUNT_ALL: Index<Account> = Index::multi("account.all", |_| vec![Key::new()]);

/// The `count` of the accounts' listing.
pub static ACCOUNT_COUNT: Count<Account> = Count::new("account.count", |_| vec![Key::new()]);

impl Entity for AccountDeletion {
    const TABLE: &'static str = "account_deletion";
    // There are as many rows as accounts being deleted, a handful: the table itself is the queue.
    const INDEXES: &'static [&'static Index<AccountDeletion>] = &[];

    fn id(&self) -> u64 {
        self.account.0
    }

    fn scope(&self) -> u64 {
        self.account.0
    }
}

impl HasLife for AccountDeletion {
    const LIFE: Life<AccountDeletion> = Life {
        with_account: WithAccount::ByOperation("the last step deletes it"),
        with_contact: WithContact::NamesNone,
        with_list: WithList::NamesNone,
        with_move: WithMove::Stays("it is what ends an account here"),
        in_time: InTime::ByUpkeep("deleted accounts and their records"),
        in_download: InDownload::NotOfAPerson,
    };
}

impl Entity for Contact {
    const TABLE: &'static str = "contact";
    const INDEXES: &'static [&'static Index<Contact>] =
        &[&CONTACT_BY_ACCOUNT, &CONTACT_BY_CCID, &CONTACT_BY_WORD];
    const COUNTS: &'static [&'static Count<Contact>] = &[&CONTACT_COUNT];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        self.account.0
    }

    fn tell_of_change(tx: &mut WriteTx<'_>, old: Option<&Contact>, new: Option<&Contact>) {
        events::of_contact(tx, old, new);
    }
}

impl HasLife for Contact {
    const LIFE: Life<Contact> = Life {
        with_account: WithAccount::InSteps(&[&CONTACT_BY_ACCOUNT]),
        with_contact: WithContact::GoesByNumber,
        with_list: WithList::NamesNone,
        with_move: WithMove::Goes,
        in_time: InTime::Kept,
        in_download: InDownload::As("contact"),
    };
}

/// The contacts of an account by id.
pub static CONTACT_BY_ACCOUNT: Index<Contact> =
    Index::multi("contact.by_account", |contact| vec![of(contact.account)]);

/// `GET /contacts/{ccid}/` and the 409 on a custom identifier that is taken.
pub static CONTACT_BY_CCID: Index<Contact> = Index::unique("contact.by_ccid", |contact| {
    contact.ccid.iter().map(|ccid| of(contact.account).text(ccid)).collect()
});

/// The contacts that have a word, read by the word's beginning: search.
///
/// A contact's words are in two indexes of the same form, since its addresses are records of their own: the words of
/// the contact record are here, those of its addresses in [`EMAIL_BY_WORD`]. Each record's rows change with it alone,
/// so that no operation on an address has to think of the contact's; a search reads both.
pub static CONTACT_BY_WORD: Index<Contact> = Index::multi("contact.by_word", |contact| {
    Words::of_contact(contact, |_| true).iter().map(|word| of(contact.account).text(word)).collect()
});

/// The `count` of the contacts' listing, and the size of the address book.
pub static CONTACT_COUNT: Count<Contact> = Count::new("contact.count", |contact| vec![of(contact.account)]);

impl Entity for Email {
    const TABLE: &'static str = "email";
    const INDEXES: &'static [&'static Index<Email>] =
        &[&EMAIL_BY_ADDRESS, &EMAIL_BY_CONTACT, &EMAIL_BY_WORD, &EMAIL_BY_PROBE, &EMAIL_PAUSED];
    const COUNTS: &'static [&'static Count<Email>] = &[&EMAIL_COUNT_PAUSED];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        self.account.0
    }

    fn keep_of_change(tx: &mut WriteTx<'_>, old: &Email, new: Option<&Email>) -> Result<(), StoreError> {
        let new = new.map(TakenSettings::of_email);
        digests::note_switch(tx, old.account, Switched::Email(old.id), TakenSettings::of_email(old), new)
    }

    fn tell_of_change(tx: &mut WriteTx<'_>, old: Option<&Email>, new: Option<&Email>) {
        events::of_email(tx, old, new);
    }
}

impl HasLife for Email {
    const LIFE: Life<Email> = Life {
        with_account: WithAccount::InSteps(&[&EMAIL_BY_CONTACT]),
        with_contact: WithContact::ByOperation(
            "each goes with what is kept under the address, such as requests",
        ),
        with_list: WithList::NamesNone,
        with_move: WithMove::GoesLast(|email| !EMAIL_BY_PROBE.rows(email).is_empty()),
        in_time: InTime::Kept,
        in_download: InDownload::As("addresses"),
    };
}

/// The address book: an address belongs to at most one contact of an account. Also finds the contact of a sender.
pub static EMAIL_BY_ADDRESS: Index<Email> =
    Index::unique("email.by_address", |email| vec![of(email.account).text(&email.address.folded())]);

/// The contacts one of whose addresses has a word, read by the word's beginning; the key itself holds the contact,
/// since a search looks for contacts. See [`CONTACT_BY_WORD`].
pub static EMAIL_BY_WORD: Index<Email> = Index::multi("email.by_word", |email| {
    Words::of_email(email).iter().map(|word| of(email.account).text(word).u64(email.contact.0)).collect()
});

/// The addresses of a contact, oldest first.
pub static EMAIL_BY_CONTACT: Index<Email> =
    Index::multi("email.by_contact", |email| vec![of(email.account).u64(email.contact.0)]);

/// The paused addresses whose next probe is due, the earliest first; read by the server itself.
pub static EMAIL_BY_PROBE: Index<Email> = Index::multi("email.by_probe", |email| {
    let pause = email.evidence.as_ref().and_then(|evidence| evidence.pause.as_ref());
    pause.and_then(|pause| pause.next_probe).into_iter().map(|due| Key::new().u64(due.key())).collect()
});

impl Entity for List {
    const TABLE: &'static str = "list";
    const VERSION: u8 = 2;
    // Nothing was held of new members before.
    const OLDER: &'static [Older<List>] = &[Older::without(|| stored(&0_u8))];
    const INDEXES: &'static [&'static Index<List>] = &[
        &LIST_BY_NAME,
        &LIST_BY_ACCOUNT,
        &LIST_BY_CLID,
        &LIST_BY_MAXLENGTH,
        &LIST_BY_MEMBERVIEW,
        &LIST_IN_DIRECTORY,
    ];
    const COUNTS: &'static [&'static Count<List>] = &[&LIST_COUNT];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        self.account.0
    }

    fn tell_of_change(tx: &mut WriteTx<'_>, old: Option<&List>, new: Option<&List>) {
        events::of_list(tx, old, new);
    }
}

impl HasLife for List {
    const LIFE: Life<List> = Life {
        with_account: WithAccount::InSteps(&[&LIST_BY_ACCOUNT]),
        with_contact: WithContact::NamesNone,
        with_list: WithList::GoesByNumber,
        with_move: WithMove::Goes,
        in_time: InTime::Kept,
        in_download: InDownload::As("memberships"),
    };
}

/// List names are unique in an account, with case folded.
pub static LIST_BY_NAME: Index<List> =
    Index::unique("list.by_name", |list| vec![of(list.account).text(&list.name.folded())]);

/// The lists of an account by id.
pub static LIST_BY_ACCOUNT: Index<List> = Index::multi("list.by_account", |list| vec![of(list.account)]);

/// A custom list identifier is unique in its account.
pub static LIST_BY_CLID: Index<List> =
    Index::unique("list.by_clid", |list| list.clid.iter().map(|clid| of(list.account).text(clid)).collect());

/// The lists of an account by the size of the messages that they take: the largest limits how much is read of a call
/// that brings a message.
pub static LIST_BY_MAXLENGTH: Index<List> =
    Index::multi("list.by_maxlength", |list| vec![of(list.account).u64(u64::from(list.maxlength))]);

/// The `count` of the lists' listing.
pub static LIST_COUNT: Count<List> = Count::new("list.count", |list| vec![of(list.account)]);
