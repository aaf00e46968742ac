//! Plain records and their rules: no I/O, no storage, no time of its own.
//!
//! Records are stored in the data file; the JSON types that `api` makes from them are separate. A change of a record's
//! fields is a new version of it (see `migrate`).

pub mod account;
pub mod actor;
pub mod address;
pub mod admin;
pub mod alert;
pub mod allowance;
pub mod announcement;
pub mod audit;
pub mod authentication;
pub mod banner;
pub mod bounce;
mod bounce_state;
pub mod compose_draft;
pub mod confirmation;
pub mod consent;
pub mod contact;
pub mod content;
pub mod departure;
pub mod digest;
pub mod domain_claim;
pub mod draft;
pub mod earlier_name;
pub mod erasure;
pub mod event;
pub mod fields;
pub mod figures;
pub mod hiding;
pub mod hold_reason;
pub mod import;
pub mod kept_month;
pub mod kept_problem;
pub mod kept_reasons;
pub mod language;
pub mod links;
pub mod list;
pub mod lockout;
pub mod member;
pub mod message;
pub mod missing_parents;
pub mod network;
pub mod oauth;
pub mod old_link;
pub mod old_place;
pub mod opt_out;
pub mod part_notes;
pub mod pending;
pub mod provider_block;
pub mod ranges;
pub mod recipient;
pub mod saved_answer;
pub mod scheduled;
pub mod sealed;
pub mod search;
pub mod second_factor;
pub mod seen_mail;
pub mod segment;
pub mod session;
pub mod sign_in;
pub mod sts;
pub mod suspension;
pub mod system_mail;
pub mod taken_out;
pub mod terms;
pub mod thread;
pub mod typed_form;
pub mod undo;
pub mod visit;
pub mod webhook;
pub mod welcome;

use serde::{Deserialize, Serialize};

pub use account::{
    Account, AccountDeletion, AccountDomain, AccountSettings, CustomField, CustomFieldId, DkimKeys, NextKeys,
    OldKeys,
};
pub use actor::{Actor, ActorKind, ActorRole, Via};
pub use address::{AddressError, Domain, EmailAddress};
pub use admin::{Admin, ApiKey, Cidr, Notification, Permission};
pub use alert::{Alert, AlertKind, AlertLine, Concern};
pub use allowance::Allowance;
pub use announcement::Announcement;
pub use audit::{AuditAction, AuditEntry, AuditObject, AuditValues};
pub use authentication::{Authentication, CheckResult, DmarcPolicy};
pub use banner::{Banner, BannerProblem};
pub use bounce::{
    BounceEffect, BounceSignal, BounceState, Diagnosis, FailureKind, PauseCause, ProbeStep, Status, Weight,
};
pub use compose_draft::{ComposeDraft, DraftFile};
pub use confirmation::{Confirmation, RequestedChange};
pub use consent::Consent;
pub use contact::{Contact, Email, Joined, Membership};
pub use content::ApiContent;
pub use departure::{Departure, LeaveWay};
pub use digest::{Digest, DigestFanOut, DigestPost, DigestSchedule, DigestSwitch};
pub use domain_claim::{DomainClaim, DomainProof, ProofWay};
pub use draft::Draft;
pub use earlier_name::EarlierName;
pub use erasure::Erasure;
pub use event::{Event, EventType};
pub use figures::AccountFigures;
pub use hold_reason::{HeldReason, HoldReason, Unjudged};
pub use import::{Import, ImportOptOuts, ImportState, ImportTrouble, RefusedRow, RowRefusal};
pub use kept_month::{KeptFile, KeptMonth};
pub use kept_reasons::KeptReasons;
pub use language::Language;
pub use links::{Links, Place};
pub use list::{Alias, List, ListName, Moderate};
pub use lockout::Lockout;
pub use member::{EmailPause, FirstEmail, MemberFields};
pub use message::{
    Batch, Change, Decider, Decision, Destination, FanOut, Held, HeldAction, HeldState, Message, Order,
    Payload, QueueState,
};
pub use missing_parents::MissingParents;
pub use oauth::{
    OauthClient, OauthCode, OauthGrant, OauthProof, OauthRefresh, OauthScope, OauthToken, ProviderSubject,
};
pub use old_link::{OldAddress, OldLink, OldName, OldTarget};
pub use opt_out::{OptOut, OptOutWay};
pub use part_notes::{HiddenText, PartEncoding, PartNote, PartNotes, TextCharset};
pub use pending::Pending;
pub use provider_block::ProviderBlock;
pub use recipient::{Answer, Attempt, Recipient, RecipientState};
pub use saved_answer::SavedAnswer;
pub use scheduled::ScheduledMessage;
pub use sealed::{Original, SealedOriginal};
pub use search::{MessageWords, Words};
pub use second_factor::{Factor, SecondFactor, SentCode, TotpSecret};
pub use seen_mail::{DedupScope, SeenMail};
pub use segment::{RecentTerms, Segment, SegmentState};
pub use session::{
    ADMIN_SESSION_IDLE_MAX, ADMIN_SESSION_MAX, MEMBER_SESSION_KEPT_MAX, MEMBER_SESSION_MAX, Person, Session,
};
pub use sign_in::{SIGN_IN_LINK_WORKS_FOR, SignInLink};
pub use sts::StsPolicy;
pub use suspension::Suspension;
pub use system_mail::{ReturnPath, SYSTEM_MAIL_KEPT_FOR, SystemMail, SystemMailKind};
pub use taken_out::TakenOut;
pub use thread::Thread;
pub use typed_form::TypedForm;
pub use undo::{Undo, UndoChange};
pub use visit::MemberVisit;
pub use webhook::{Webhook, WebhookDelivery, WebhookLog, WebhookOutcome, WebhookState};
pub use welcome::{Greeting, ModerationDigest, Welcome};

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident)*) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(pub u64);

        impl std::fmt::Display for $name {
            fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(out, "{}", self.0)
            }
        }
    )*};
}

ids! {
    /// Identifies an [`Account`].
    AccountId
    /// Identifies an [`AccountDomain`].
    DomainId
    /// Identifies a [`DomainClaim`].
    DomainClaimId
    /// Identifies an [`Admin`].
    AdminId
    /// Identifies an [`ApiKey`].
    ApiKeyId
    /// Identifies a [`Lockout`].
    LockoutId
    /// Identifies an [`Alert`].
    AlertId
    /// Identifies an [`Allowance`].
    AllowanceId
    /// Identifies an [`AuditEntry`]; it holds the time at which the entry was made.
    AuditId
    /// Identifies an [`Event`].
    EventId
    /// Identifies a [`Webhook`].
    WebhookId
    /// Identifies a [`WebhookLog`].
    WebhookLogId
    /// Identifies a [`Contact`].
    ContactId
    /// Identifies an [`Email`].
    EmailId
    /// Identifies a [`Membership`].
    MembershipId
    /// Identifies a [`List`].
    ListId
    /// Identifies an [`EarlierName`].
    EarlierNameId
    /// Identifies an [`OldName`].
    OldNameId
    /// Identifies an [`OldLink`].
    OldLinkId
    /// Identifies an [`Alias`].
    AliasId
    /// Identifies a [`Departure`].
    DepartureId
    /// Identifies a [`Confirmation`].
    ConfirmationId
    /// Identifies a [`Consent`].
    ConsentId
    /// Identifies a [`ProviderBlock`].
    ProviderBlockId
    /// Identifies a [`SeenMail`] record.
    SeenMailId
    /// Identifies a [`Segment`] of a search index.
    SegmentId
    /// Identifies a [`Session`].
    SessionId
    /// Identifies an [`Erasure`].
    ErasureId
    /// Identifies an [`OauthClient`].
    OauthClientId
    /// Identifies an [`OauthGrant`].
    OauthGrantId
    /// Identifies an [`OauthToken`].
    OauthTokenId
    /// Identifies a [`ProviderSubject`].
    ProviderSubjectId
    /// Identifies an [`OptOut`].
    OptOutId
    /// Identifies an [`Import`].
    ImportId
    /// Identifies a [`RefusedRow`].
    RefusedRowId
    /// Identifies a [`SignInLink`].
    SignInLinkId
    /// Identifies a [`Draft`].
    DraftId
    /// Identifies a [`ComposeDraft`].
    ComposeDraftId
    /// Identifies a [`TypedForm`].
    TypedFormId
    /// Identifies an [`Undo`] record, and the action of which it is the first.
    UndoId
    /// Identifies a [`SystemMail`].
    SystemMailId
    /// Identifies a [`Message`]; newer messages have higher numbers.
    MessageId
    /// Identifies a [`Held`] message.
    HeldId
    /// Identifies an [`Announcement`].
    AnnouncementId
    /// Identifies a [`Welcome`].
    WelcomeId
    /// Identifies a [`Pending`] request.
    PendingId
    /// Identifies a [`SavedAnswer`].
    SavedAnswerId
    /// Identifies a [`ScheduledMessage`].
    ScheduledMessageId
    /// Identifies an [`StsPolicy`].
    StsPolicyId
    /// Identifies a [`FanOut`].
    FanOutId
    /// Identifies a [`Batch`].
    BatchId
    /// Identifies the raw bytes of a message.
    BlobId
}

impl AccountId {
    /// The account of records that belong to the whole server, such as global administrators; no account has this id.
    pub const SERVER: AccountId = AccountId(0);
}

/// A value of fixed choices, each of which has a word in the API.
pub trait Worded: Copy + 'static {
    /// Every value, in the order of the document.
    const ALL: &'static [Self];

    /// The word of an unset value, where the API does not show it as null.
    const UNSET: Option<&'static str> = None;

    /// Its word in the API.
    fn word(self) -> &'static str;
}

/// Declares an enum of fixed choices, with the words of the API that stand for them, and after `or` the word of an
/// unset value where that is not null.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident $(or $unset:literal)? { $($(#[$variant_doc:meta])* $variant:ident = $word:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $name {
            $($(#[$variant_doc])* $variant),*
        }

        impl $name {
            /// Every value, in the order of the document.
            pub const ALL: &'static [$name] = &[$($name::$variant),*];

            /// Its word in the API.
            #[must_use]
            pub const fn word(self) -> &'static str {
                match self {
                    $($name::$variant => $word),*
                }
            }

            /// The value of a word in the API.
            #[must_use]
            pub fn from_word(word: &str) -> Option<$name> {
                match word {
                    $($word => Some($name::$variant),)*
                    _ => None,
                }
            }
        }

        impl $crate::model::Worded for $name {
            const ALL: &'static [$name] = $name::ALL;
            $(const UNSET: Option<&'static str> = Some($unset);)?

            fn word(self) -> &'static str {
                $name::word(self)
            }
        }

        impl $crate::model::fields::Value for $name {
            const UNSET: $crate::model::fields::Plain<'static> =
                $crate::model::fields::Plain::of_word(<$name as $crate::model::Worded>::UNSET);

            fn plain(&self) -> $crate::model::fields::Plain<'_> {
                $crate::model::fields::Plain::of_word(Some($name::word(*self)))
            }
        }
    };
}
pub(crate) use words;
