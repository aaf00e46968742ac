//! Declares every table, index and count of the data file, and what each is for.
//!
//! Every key of a secondary index begins with the account, so that listings, limits and the deletion of an account are
//! ranges, and another account's row cannot be reached by mistake. Indexes that the server itself reads (by key hash,
//! by domain, by due time) say so. Only `store` writes the rows.

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
mod draft;
mod earlier_names;
mod erasure;
mod figures;
mod frozen;
mod held;
mod imports;
mod kept_month;
mod leaving;
mod member;
mod membership;
mod memberview;
mod missing_parents;
mod oauth;
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
mod taken_out;
mod threads;
mod trouble;

pub use aliases::{ALIAS_BY_ACCOUNT, ALIAS_BY_DESTINATION, ALIAS_BY_SOURCE, ALIAS_COUNT};
pub use allowance::{ALLOWANCE_BY_DUE, ALLOWANCE_BY_SUBJECT, allowance_subject};
pub use announcements::{
    ANNOUNCEMENT_BY_CONTACT, ANNOUNCEMENT_BY_DUE, ANNOUNCEMENT_BY_LIST, ANNOUNCEMENT_PUT_OFF,
};
pub use audit::{AUDIT_BY_ACTION, AUDIT_BY_ADMIN, AUDIT_BY_OBJECT, AUDIT_COUNT, audit_action, audit_object};
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
pub use draft::{DRAFT_BY_CONTACT, DRAFT_BY_DUE};
pub use earlier_names::{EARLIER_NAME_BY_LIST, EARLIER_NAME_BY_NAME};
pub use erasure::{ERASURE_BY_ACCOUNT, ERASURE_BY_DUE, MESSAGE_BY_AUTHOR, message_author};
pub use figures::{FIGURES_BY_DUE, FIGURES_COUNT};
pub use held::{
    HELD_BY_APPROVED, HELD_BY_DUE, HELD_BY_LIST, HELD_BY_MESSAGE_ID, HELD_BY_QUARANTINED, HELD_BY_STATE,
    HELD_COUNT, HELD_WAITING, HELD_WAITING_BY_SENDER, HELD_WAITING_COUNT, held_duplicate, held_sender,
    held_senders, held_state,
};
pub use imports::{
    IMPORT_BY_ACCOUNT, IMPORT_BY_DUE, IMPORT_OPT_OUTS_BY_ACCOUNT, IMPORT_RUNNING, REFUSED_ROW_BY_IMPORT,
};
pub use kept_month::KEPT_MONTH_BY_LIST;
pub use leaving::{DEPARTURE_BY_CONTACT, DEPARTURE_BY_DUE};
pub use member::{
    EMAIL_COUNT_PAUSED, EMAIL_PAUSE_BY_ACCOUNT, EMAIL_PAUSE_BY_DUE, EMAIL_PAUSED, FIRST_EMAIL_BY_ACCOUNT,
    paused_by,
};
pub use membership::{
    MEMBERSHIP_BY_ACCOUNT, MEMBERSHIP_BY_CONTACT, MEMBERSHIP_BY_LIST, MEMBERSHIP_BY_LIST_CONTACT,
    MEMBERSHIP_COUNT, MEMBERSHIP_COUNT_BY_LIST,
};
pub use memberview::{LIST_BY_MEMBERVIEW, MEMBERSHIP_COUNT_PAUSED, MEMBERSHIP_PAUSED, memberview_kind};
pub use missing_parents::{MISSING_PARENTS_BY_LIST, MISSING_PARENTS_BY_REFERENCE, missing_parent};
pub use oauth::{
    OAUTH_CLIENT_BY_CLIENT_ID, OAUTH_GRANT_BY_ADMIN, OAUTH_GRANT_BY_CLIENT, OAUTH_GRANT_BY_CODE,
    OAUTH_GRANT_BY_DUE, OAUTH_GRANT_BY_FAMILY, OAUTH_PROOF_BY_ACCOUNT, OAUTH_TOKEN_BY_DUE,
    OAUTH_TOKEN_BY_GRANT, OAUTH_TOKEN_BY_HASH, PROVIDER_SUBJECT_BY_ADMIN, PROVIDER_SUBJECT_BY_SUBJECT,
};
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
pub use taken_out::{TAKEN_OUT_BY_ACCOUNT, TAKEN_OUT_BY_DUE};
pub use threads::{THREAD_BY_ACTIVITY, THREAD_COUNT_BY_LIST, THREAD_WITHOUT_MESSAGES, archive_of};
pub use trouble::{
    ALERT_BY_ACCOUNT, ALERT_BY_DUE, PROVIDER_BLOCK_BY_DUE, PROVIDER_BLOCK_BY_MESSAGE, alert_kind,
};

use crate::model::digest::{Switched, TakenSettings};
use crate::model::{
    Account, AccountDeletion, AccountDomain, AccountFigures, AccountId, Admin, Alert, Alias, Allowance,
    Announcement, ApiContent, ApiKey, AuditEntry, Banner, Batch, ComposeDraft, Confirmation, Consent,
    Contact, Departure, Digest, DigestFanOut, DigestPost, DigestSchedule, DigestSwitch, DomainClaim,
    DomainProof, Draft, EarlierName, Email, EmailPause, Erasure, FanOut, FirstEmail, Greeting, Held, Import,
    ImportOptOuts, KeptMonth, KeptReasons, List, Lockout, MemberFields, Membership, Message, MessageWords,
    MissingParents, ModerationDigest, OauthClient, OauthGrant, OauthProof, OauthToken, OptOut, PartNotes,
    Pending, ProviderBlock, ProviderSubject, RecentTerms, RefusedRow, SavedAnswer, ScheduledMessage,
    SealedOriginal, SecondFactor, SeenMail, Segment, Session, SignInLink, StsPolicy, Suspension, SystemMail,
    TakenOut, Thread, Welcome, Words,
};
use crate::store::{BlobId, Count, Entity, EntityInfo, Index, Key, Older, StoreError, WriteTx};

/// All entities, in the order in which they are checked.
pub const ENTITIES: &[EntityInfo] = &[
    EntityInfo::of::<Account>(),
    EntityInfo::of::<AccountDeletion>(),
    EntityInfo::of::<MemberFields>(),
    EntityInfo::of::<AccountFigures>(),
    EntityInfo::of::<Banner>(),
    EntityInfo::of::<AccountDomain>(),
    EntityInfo::of::<DomainClaim>(),
    EntityInfo::of::<DomainProof>(),
    EntityInfo::of::<Admin>(),
    EntityInfo::of::<ApiKey>(),
    EntityInfo::of::<Contact>(),
    EntityInfo::of::<Email>(),
    EntityInfo::of::<FirstEmail>(),
    EntityInfo::of::<EmailPause>(),
    EntityInfo::of::<List>(),
    EntityInfo::of::<EarlierName>(),
    EntityInfo::of::<Alias>(),
    EntityInfo::of::<Membership>(),
    EntityInfo::of::<Import>(),
    EntityInfo::of::<RefusedRow>(),
    EntityInfo::of::<ImportOptOuts>(),
    EntityInfo::of::<Departure>(),
    EntityInfo::of::<OptOut>(),
    EntityInfo::of::<Confirmation>(),
    EntityInfo::of::<Consent>(),
    EntityInfo::of::<Erasure>(),
    EntityInfo::of::<Message>(),
    EntityInfo::of::<TakenOut>(),
    EntityInfo::of::<Thread>(),
    EntityInfo::of::<MissingParents>(),
    EntityInfo::of::<PartNotes>(),
    EntityInfo::of::<KeptMonth>(),
    EntityInfo::of::<ApiContent>(),
    EntityInfo::of::<MessageWords>(),
    EntityInfo::of::<Segment>(),
    EntityInfo::of::<RecentTerms>(),
    EntityInfo::of::<SealedOriginal>(),
    EntityInfo::of::<Held>(),
    EntityInfo::of::<SeenMail>(),
    EntityInfo::of::<Pending>(),
    EntityInfo::of::<KeptReasons>(),
    EntityInfo::of::<ScheduledMessage>(),
    EntityInfo::of::<Suspension>(),
    EntityInfo::of::<SavedAnswer>(),
    EntityInfo::of::<ProviderBlock>(),
    EntityInfo::of::<Alert>(),
    EntityInfo::of::<AuditEntry>(),
    EntityInfo::of::<Allowance>(),
    EntityInfo::of::<Session>(),
    EntityInfo::of::<SignInLink>(),
    EntityInfo::of::<Lockout>(),
    EntityInfo::of::<SecondFactor>(),
    EntityInfo::of::<Draft>(),
    EntityInfo::of::<ComposeDraft>(),
    EntityInfo::of::<OauthClient>(),
    EntityInfo::of::<OauthGrant>(),
    EntityInfo::of::<OauthProof>(),
    EntityInfo::of::<OauthToken>(),
    EntityInfo::of::<ProviderSubject>(),
    EntityInfo::of::<StsPolicy>(),
    EntityInfo::of::<SystemMail>(),
    EntityInfo::of::<Welcome>(),
    EntityInfo::of::<Greeting>(),
    EntityInfo::of::<Announcement>(),
    EntityInfo::of::<ModerationDigest>(),
    EntityInfo::of::<DigestPost>(),
    EntityInfo::of::<DigestSchedule>(),
    EntityInfo::of::<DigestSwitch>(),
    EntityInfo::of::<Digest>(),
    EntityInfo::of::<DigestFanOut>(),
    EntityInfo::of::<FanOut>(),
    EntityInfo::of::<Batch>(),
];

/// The name under which the file keeps the secret that signs links.
pub const META_SECRET: &str = "secret";
/// The name under which the file keeps the earlier secrets, each with its end.
pub const META_OLD_SECRETS: &str = "old_secrets";
/// The name under which the file keeps the salt of the hashes of addresses that opted out.
pub const META_OPT_OUT_SALT: &str = "opt_out_salt";
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

impl Entity for AccountDomain {
    const TABLE: &'static str = "domain";
    const INDEXES: &'static [&'static Index<AccountDomain>] =
        &[&DOMAIN_BY_NAME, &DOMAIN_BY_ACCOUNT, &DOMAIN_BY_ZONE, &DOMAIN_BY_NEXT_CHECK, &DOMAIN_BY_KEYS_END];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        self.account.0
    }
}

/// The domain of a name, which tells the account that mail is for; a domain belongs to one account of the server.
pub static DOMAIN_BY_NAME: Index<AccountDomain> =
    Index::unique("domain.by_name", |domain| vec![Key::new().text(domain.name.as_str())]);

/// The domains of an account.
pub static DOMAIN_BY_ACCOUNT: Index<AccountDomain> =
    Index::multi("domain.by_account", |domain| vec![of(domain.account)]);

/// The domains with new keys, by the time when the DNS is next asked for their records.
pub static DOMAIN_BY_NEXT_CHECK: Index<AccountDomain> = Index::multi("domain.by_next_check", |domain| {
    domain.next_keys.iter().map(|next| Key::new().u64(next.look.key())).collect()
});

/// The domains with old keys, by the time when the next of these keys are deleted.
pub static DOMAIN_BY_KEYS_END: Index<AccountDomain> = Index::multi("domain.by_keys_end", |domain| {
    let first = domain.old_keys.iter().map(|old| old.until).min();
    first.map(|until| Key::new().u64(until.key())).into_iter().collect()
});

impl Entity for Admin {
    const TABLE: &'static str = "admin";
    const INDEXES: &'static [&'static Index<Admin>] = &[&ADMIN_BY_ACCOUNT, &ADMIN_BY_USERNAME];
    const COUNTS: &'static [&'static Count<Admin>] = &[&ADMIN_COUNT];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        self.account_or_server().0
    }
}

/// The account part of an administrator's keys: 0 for a global one, since no account has that id.
fn admin_scope(admin: &Admin) -> Key {
    Key::new().u64(admin.scope())
}

/// The administrators of an account.
pub static ADMIN_BY_ACCOUNT: Index<Admin> =
    Index::multi("admin.by_account", |admin| vec![admin_scope(admin)]);

/// `GET /admins/{username}/`; a username is unique in its account.
pub static ADMIN_BY_USERNAME: Index<Admin> = Index::unique("admin.by_username", |admin| {
    admin.username.iter().map(|username| admin_scope(admin).text(&username.folded())).collect()
});

/// The `count` of the administrators' listing.
pub static ADMIN_COUNT: Count<Admin> = Count::new("admin.count", |admin| vec![admin_scope(admin)]);

impl Entity for ApiKey {
    const TABLE: &'static str = "api_key";
    const INDEXES: &'static [&'static Index<ApiKey>] = &[&API_KEY_BY_HASH, &API_KEY_BY_ADMIN];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        self.account.map_or(0, |account| account.0)
    }
}

/// The key of a hash, for authentication. A request brings nothing but the API key, so its hash is the whole key.
pub static API_KEY_BY_HASH: Index<ApiKey> =
    Index::unique("api_key.by_hash", |key| vec![Key::new().bytes(&key.hash)]);

/// The keys of an administrator, which `get_key` revokes.
pub static API_KEY_BY_ADMIN: Index<ApiKey> =
    Index::multi("api_key.by_admin", |key| vec![Key::new().u64(key.scope()).u64(key.admin.0)]);

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

impl Entity for Message {
    const TABLE: &'static str = "message";
    const INDEXES: &'static [&'static Index<Message>] = &[
        &MESSAGE_BY_ACCOUNT,
        &MESSAGE_BY_TIME,
        &MESSAGE_BY_THREAD,
        &MESSAGE_BY_MESSAGE_ID,
        &MESSAGE_BY_AUTHOR,
    ];
    const COUNTS: &'static [&'static Count<Message>] =
        &[&MESSAGE_COUNT, &MESSAGE_COUNT_BY_LIST, &MESSAGE_COUNT_BY_MONTH];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        self.account.0
    }

    fn blobs(&self) -> Vec<BlobId> {
        vec![BlobId(self.blob.0)]
    }
}

/// The key of a message that is in the archive; empty for one that was removed.
fn unless_deleted(message: &Message, key: Key) -> Vec<Key> {
    if message.deleted { Vec::new() } else { vec![key] }
}

/// The messages of an account by their time, read backwards.
pub static MESSAGE_BY_ACCOUNT: Index<Message> = Index::multi("message.by_account", |message| {
    unless_deleted(message, of(message.account).u64(message.time.key()))
});

/// The messages of a list by their time, read backwards. Imported messages have older times than messages that were
/// stored before them.
pub static MESSAGE_BY_TIME: Index<Message> = Index::multi("message.by_time", |message| {
    unless_deleted(message, archive_of(message.account, message.list).u64(message.time.key()))
});

/// The replies of a thread by their time, read backwards. The first message gives the thread its number and has no row:
/// most threads have no other message, and thus no rows.
pub static MESSAGE_BY_THREAD: Index<Message> = Index::multi("message.by_thread", |message| {
    let replies = unless_deleted(message, of(message.account).u64(message.thread.0).u64(message.time.key()));
    replies.into_iter().filter(|_| message.id != message.thread).collect()
});

/// Messages by Message-ID: finds duplicates and the parents of replies. A deleted message counts: it was published.
pub static MESSAGE_BY_MESSAGE_ID: Index<Message> = Index::multi("message.by_message_id", |message| {
    vec![of(message.account).u64(message.list.0).text(&message.message_id)]
});

/// The `count` of the messages' listing.
pub static MESSAGE_COUNT: Count<Message> =
    Count::new("message.count", |message| unless_deleted(message, of(message.account)));

/// The number of a list's messages.
pub static MESSAGE_COUNT_BY_LIST: Count<Message> = Count::new("message.count_by_list", |message| {
    unless_deleted(message, of(message.account).u64(message.list.0))
});

/// The number of a list's messages in each month of UTC ([`Timestamp::month`](crate::clock::Timestamp::month)).
pub static MESSAGE_COUNT_BY_MONTH: Count<Message> = Count::new("message.count_by_month", |message| {
    unless_deleted(message, archive_of(message.account, message.list).u64(message.time.month()))
});

impl Entity for MessageWords {
    const TABLE: &'static str = "message_words";
    const INDEXES: &'static [&'static Index<MessageWords>] = &[&MESSAGE_BY_WORD];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        self.account.0
    }
}

/// The rows of an older form of the search in archives, which go as messages are indexed anew.
pub static MESSAGE_BY_WORD: Index<MessageWords> = Index::multi("message_words.by_word", |words| {
    words.iter().map(|word| of(words.account).u64(words.list.0).text(word)).collect()
});

impl Entity for SavedAnswer {
    const TABLE: &'static str = "saved_answer";
    const INDEXES: &'static [&'static Index<SavedAnswer>] =
        &[&SAVED_ANSWER_BY_KEY, &SAVED_ANSWER_BY_ADMIN, &SAVED_ANSWER_BY_DUE];
    const COUNTS: &'static [&'static Count<SavedAnswer>] = &[&SAVED_ANSWER_COUNT];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No response to a GET shows it.
        0
    }

    fn blobs(&self) -> Vec<BlobId> {
        vec![BlobId(self.answer.0)]
    }
}

/// The saved response of an administrator's `Idempotency-Key`: a key stands for one call.
pub static SAVED_ANSWER_BY_KEY: Index<SavedAnswer> = Index::unique("saved_answer.by_key", |replay| {
    vec![of(replay.account).u64(replay.admin.0).text(&replay.key)]
});

/// The saved responses of an administrator, the oldest first.
pub static SAVED_ANSWER_BY_ADMIN: Index<SavedAnswer> =
    Index::multi("saved_answer.by_admin", |replay| vec![of(replay.account).u64(replay.admin.0)]);

/// Saved responses to delete, the earliest first; read by the server itself.
pub static SAVED_ANSWER_BY_DUE: Index<SavedAnswer> =
    Index::multi("saved_answer.by_due", |replay| vec![Key::new().u64(replay.due().key())]);

/// The number of saved responses of an administrator.
pub static SAVED_ANSWER_COUNT: Count<SavedAnswer> =
    Count::new("saved_answer.count", |replay| vec![of(replay.account).u64(replay.admin.0)]);

impl Entity for SystemMail {
    const TABLE: &'static str = "system_mail";
    const INDEXES: &'static [&'static Index<SystemMail>] = &[&SYSTEM_MAIL_BY_ACCOUNT, &SYSTEM_MAIL_BY_DUE];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }

    fn blobs(&self) -> Vec<BlobId> {
        vec![BlobId(self.blob.0)]
    }
}

/// The system mails of an account, for deleting them with the account.
pub static SYSTEM_MAIL_BY_ACCOUNT: Index<SystemMail> =
    Index::multi("system_mail.by_account", |system_mail| vec![of(system_mail.account)]);

/// System mails to delete, the earliest first; read by the server itself.
pub static SYSTEM_MAIL_BY_DUE: Index<SystemMail> =
    Index::multi("system_mail.by_due", |system_mail| vec![Key::new().u64(system_mail.kept_until.key())]);

impl Entity for Welcome {
    const TABLE: &'static str = "welcome";
    // The table itself is the queue: it is emptied as soon as there is time.
    const INDEXES: &'static [&'static Index<Welcome>] = &[&WELCOME_BY_ACCOUNT];

    fn id(&self) -> u64 {
        self.id.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

/// The welcome messages to be written for an account, for deleting them with the account.
pub static WELCOME_BY_ACCOUNT: Index<Welcome> =
    Index::multi("welcome.by_account", |welcome| vec![of(welcome.account)]);

impl Entity for ModerationDigest {
    const TABLE: &'static str = "moderation_digest";
    const INDEXES: &'static [&'static Index<ModerationDigest>] =
        &[&MODERATION_DIGEST_BY_ACCOUNT, &MODERATION_DIGEST_BY_DUE];

    fn id(&self) -> u64 {
        self.list.0
    }

    fn scope(&self) -> u64 {
        // No API response shows it.
        0
    }
}

/// The digests of an account, for deleting them with the account.
pub static MODERATION_DIGEST_BY_ACCOUNT: Index<ModerationDigest> =
    Index::multi("moderation_digest.by_account", |summary| vec![of(summary.account)]);

/// Digests to be written, the earliest first; read by the server itself.
pub static MODERATION_DIGEST_BY_DUE: Index<ModerationDigest> =
    Index::multi("moderation_digest.by_due", |summary| vec![Key::new().u64(summary.due.key())]);
