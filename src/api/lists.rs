//! Mailing lists and their settings: `/lists/`.
//!
//! `dispatch` calls it. It parses parameters, hashes the archive's password, calls `ops::lists` and shows the result.

use std::sync::Arc;

use super::auth::Principal;
use super::error::ApiError;
use super::operation::{Operation, ResponseKind};
use super::params::Params;
use super::parse::{As, LINE_CHARS_MAX, Parse as _, as_it_is, integer, line, word};
use super::request::{GetRequest, ROWS_INLINE_MAX, WriteRequest, is_deep};
use super::shape::{Shaped as _, View as _, Word, WordOrBlank, view};
use super::view::{self, Answer, Rfc3339, Unpaged, search_text, wants};
use crate::clock::Timestamp;
use crate::mail::template::Template;
use crate::model::account::{NotifyApproval, Subscriptions};
use crate::model::list::{
    CLID_CHARS_MAX, MAXLENGTH_KB_MAX, Memberview, MessageRejections, OriginalSenderMode,
};
use crate::model::{Account, AccountId, EmailAddress, List, ListName, Moderate, Permission};
use crate::ops::audit::Step;
use crate::ops::lists::{self as ops, Deletion, ListChanges, ListDetail, ListFilter, ListInput, Members};
use crate::ops::patterns::PatternField;
use crate::ops::people::contacts::ContactName;
use crate::ops::{Caller, Change, Core, OpContext, PageRequest};
use crate::store::{ReadTx, StoreError, WriteTx};
use axum::body::Bytes;

/// Most patterns of a taboo field.
const PATTERNS_MAX: usize = 100;
/// Longest pattern, in characters.
const PATTERN_CHARS_MAX: usize = 1000;

/// `/lists/`
pub(super) const ALL: &[Operation] = &[
    Operation::get(
        "Lists lists: all of them, or a page where one is asked for",
        ResponseKind::Listing(ListView::object),
    )
    .about(&[
        ("search", "Words, each of which begins a word of the name or the description."),
        ("name", "The list of this name."),
        ("clid", "The list of this custom identifier."),
    ]),
    Operation::post("Makes a list", fields, ResponseKind::One(ListView::object))
        .required(&["name"])
        .about(ABOUT),
];
/// `/lists/{name}/`
pub(super) const ONE: &[Operation] = &[
    Operation::get("Shows a list", ResponseKind::One(ListView::object)),
    Operation::put("Changes a list", fields, ResponseKind::One(ListView::object)).about(ABOUT),
    Operation::delete("Deletes a list with its memberships, held messages and archive"),
];
/// Descriptions of fields that calls may set and answers never show.
const ABOUT: &[(&str, &str)] = &[
    ("archive_password", "Opens protected archives; null or blank for none. Never shown."),
    ("subs_memberview", "The same as memberview."),
];

/// `GET /lists/` or `GET /lists/{name}/`
pub(super) struct Read {
    what: What,
    members: Members,
    fields: Option<Vec<String>>,
}

enum What {
    One(String),
    Page(ListFilter, PageRequest),
}

pub(super) fn question(object: Option<&str>, params: &mut Params) -> Result<Read, ApiError> {
    let what = if let Some(name) = object {
        What::One(name.to_owned())
    } else {
        let filter = ListFilter {
            name: params.nullable_text("name").flatten(),
            clid: params.nullable_text("clid").flatten(),
            search: params.parsed("search", search_text).filter(|search| !search.is_empty()),
        };
        What::Page(filter, view::window(params, Unpaged::Everything))
    };
    let fields = view::fields(params);
    let members = if wants(fields.as_deref(), "contacts") { Members::Show } else { Members::Skip };
    ApiError::check(params.take_problems())?;
    Ok(Read { what, members, fields })
}

impl GetRequest for Read {
    fn answer(&self, tx: &ReadTx, principal: &Principal) -> Result<Answer, ApiError> {
        let fields = self.fields.as_deref();
        match &self.what {
            What::One(name) => {
                let detail = ops::get(tx, &principal.caller, name, self.members)?;
                view::object(&ListView::new(&detail), fields).map(Answer::one)
            }
            What::Page(filter, window) => {
                let page = ops::list(tx, &principal.caller, filter, self.members, *window)?;
                view::listing(&page, *window, fields, ListView::new)
            }
        }
    }

    fn is_long(&self, tx: &ReadTx, principal: &Principal) -> Result<bool, StoreError> {
        if self.members == Members::Show
            && ROWS_INLINE_MAX < ops::memberships_of_account(tx, &principal.caller)?
        {
            return Ok(true);
        }
        match &self.what {
            What::Page(filter, window) if filter.search.is_some() || *window == PageRequest::All => {
                Ok(ROWS_INLINE_MAX < ops::lists_of_account(tx, &principal.caller)?)
            }
            What::Page(_, window) => Ok(is_deep(*window)),
            What::One(_) => Ok(false),
        }
    }
}

/// `POST /lists/`
pub(super) async fn create(call: WriteRequest<'_>) -> Result<Bytes, ApiError> {
    let input = input(WriteRequest { params: &mut *call.params, ..call }, None).await?;
    let show = |detail: &ListDetail| view::object(&ListView::new(detail), None);
    call.once(move |tx, by| ops::create(tx, &by.caller, input, by.now), show).await
}

/// `PUT /lists/{name}/`
pub(super) async fn update(call: WriteRequest<'_>, name: &str) -> Result<Bytes, ApiError> {
    let (store, caller) = (call.core.store.clone(), Arc::clone(&call.principal.caller));
    let name = name.to_owned();
    let input = input(WriteRequest { params: &mut *call.params, ..call }, Some(&name)).await?;
    let detail = call.perform(move |tx, by| ops::update(tx, &by.caller, &name, input, by.now)).await?;
    // A list can have many members: they are read in the blocking pool.
    let showing = tokio::task::spawn_blocking(move || -> Result<Bytes, ApiError> {
        let detail = ops::get(&store.read()?, &caller, detail.list.name.as_str(), Members::Show)?;
        view::object(&ListView::new(&detail), None)
    });
    showing.await.map_err(|_| ApiError::internal())?
}

/// `DELETE /lists/{name}/`
pub(super) async fn delete(call: WriteRequest<'_>, name: &str) -> Result<Bytes, ApiError> {
    let first = name.to_owned();
    let job =
        move |tx: &mut WriteTx<'_>, by: &OpContext| ops::delete(tx, &by.caller, &first, Step::First, by.now);
    let mut deletion = call.perform_reserved(job).await?;
    while deletion == Deletion::Unfinished {
        let (caller, name) = (Arc::clone(&call.principal.caller), name.to_owned());
        // Noted by the first step: what is left is the server's to finish.
        let job =
            move |tx: &mut WriteTx<'_>, by: &OpContext| ops::delete(tx, &caller, &name, Step::Later, by.now);
        deletion = call.core.perform_reserved(&Caller::of_server(), job).await?;
    }
    Ok(view::deleted())
}

/// Reads the settings that a call gives for a new list, or for the list called `name`.
async fn input(call: WriteRequest<'_>, name: Option<&str>) -> Result<ListInput, ApiError> {
    let WriteRequest { core, principal, params, rate: _, repeatable: _ } = call;
    // Callers who may not change lists are refused before any password is hashed.
    principal.caller.require(Permission::ManageSettings)?;
    let (mut changes, password) = read(params, &principal.account);
    if let Some(password) = password {
        changes.archive_password_hash = match password {
            None => Some(None),
            Some(password) => {
                let secrets = core.secrets.clone();
                // Hashing is slow on purpose, so it runs in the blocking pool.
                let hash = tokio::task::spawn_blocking(move || secrets.hash_password(&password)).await;
                Some(Some(hash.map_err(|_| ApiError::internal())?))
            }
        };
    }
    let restrict_post_lists = restrict_post_lists(params);
    let mut problems = params.take_problems();
    let fields = pattern_fields(core, &principal.caller, name, &changes)?;
    core.check_patterns(principal.account.id, fields, &mut problems).await;
    Ok(ListInput { changes, restrict_post_lists, problems })
}

/// The patterns that a call sets, with those that the list has for the other fields.
fn pattern_fields(
    core: &Core,
    caller: &Caller,
    name: Option<&str>,
    changes: &ListChanges,
) -> Result<[PatternField; 2], ApiError> {
    let (headers, body) = (changes.taboo_headers.clone(), changes.taboo_body.clone());
    let is_changed = headers.is_some() || body.is_some();
    let (old_headers, old_body) = match name {
        Some(name) if is_changed => ops::taboo_of(&core.store.read()?, caller, name)?,
        Some(_) | None => (Vec::new(), Vec::new()),
    };
    Ok([
        PatternField { name: "taboo_headers", new: headers, old: old_headers },
        PatternField { name: "taboo_body", new: body, old: old_body },
    ])
}

/// Reads the settings of a list and the password of its archive, of which only a hash is stored.
fn read(params: &mut Params, account: &Account) -> (ListChanges, Change<Option<String>>) {
    params.read_only(&["id", "created", "contacts", "pending"]);
    let mut changes = ListChanges::default();
    identity(params, &mut changes);
    content(params, &mut changes, account);
    membership(params, &mut changes);
    posting(params, &mut changes);
    notices(params, &mut changes, account);
    archive(params, &mut changes);
    (changes, params.nullable_text("archive_password"))
}

fn restrict_post_lists(params: &mut Params) -> Option<Vec<String>> {
    params.parsed_names("restrict_post_lists", As(ListName::shape, as_it_is))
}

fn fields(params: &mut Params) {
    read(params, &Account::new(AccountId::SERVER, String::new(), Timestamp::default()));
    restrict_post_lists(params);
}

fn identity(params: &mut Params, changes: &mut ListChanges) {
    changes.name = params.parsed("name", ListName::parse);
    changes.description = params.parsed("description", line(LINE_CHARS_MAX));
    changes.clid = params.nullable("clid", line(CLID_CHARS_MAX));
    changes.notes = params.text("notes");
    changes.moderator = params.nullable("moderator", EmailAddress::parse);
}

fn content(params: &mut Params, changes: &mut ListChanges, account: &Account) {
    let custom = custom_names(account);
    let mut template =
        |name| params.parsed(name, |text: &str| Template::parse(text, &custom).map(|_| text.to_owned()));
    changes.message_footer = template("message_footer");
    changes.message_footer_html = template("message_footer_html");
    changes.message_fronter = template("message_fronter");
    changes.message_fronter_html = template("message_fronter_html");
    changes.maxlength = params.parsed("maxlength", integer(1, u64::from(MAXLENGTH_KB_MAX)));
    changes.truncate = params.nullable("truncate", integer(1, u64::MAX));
    changes.subject_prefix = params.parsed("subject_prefix", line(LINE_CHARS_MAX));
    changes.reply_to = params.nullable("reply_to", EmailAddress::parse);
    changes.strip_attachments = params.boolean("strip_attachments");
    changes.rewrite_sender = params.boolean("rewrite_sender");
    changes.original_sender_mode = params.parsed("original_sender_mode", word::<OriginalSenderMode>());
    changes.merge_tags_enabled = params.boolean("merge_tags_enabled");
    changes.merge_tags_default_name = params.parsed("merge_tags_default_name", line(LINE_CHARS_MAX));
}

fn membership(params: &mut Params, changes: &mut ListChanges) {
    changes.memberview = params.nullable("memberview", word::<Memberview>());
    // A name under which one client program sends this setting.
    if let Some(memberview) = params.nullable("subs_memberview", word::<Memberview>()) {
        changes.memberview = changes.memberview.or(Some(memberview));
    }
    let subscriptions = || word::<Subscriptions>();
    changes.subscriptions = params.nullable("subscriptions", subscriptions());
    changes.unsubscriptions = params.nullable("unsubscriptions", subscriptions());
}

fn posting(params: &mut Params, changes: &mut ListChanges) {
    changes.moderate = params.parsed("moderate", |text: &str| {
        let bits = integer(0, 31).parse(text)?;
        Moderate::from_bits(bits).map_err(|error| error.to_string())
    });
    changes.message_rejections = params.parsed("message_rejections", word::<MessageRejections>());
    changes.notify_approval = params.nullable("notify_approval", word::<NotifyApproval>());
    changes.hold_automated = params.boolean("hold_automated");
    changes.hold_replies = params.boolean("hold_replies");
    changes.restrict_post_allowed_emails =
        params.parsed_texts("restrict_post_allowed_emails", EmailAddress::parse);
    changes.restrict_post_banned_emails =
        params.parsed_texts("restrict_post_banned_emails", EmailAddress::parse);
    changes.taboo_headers = patterns(params, "taboo_headers");
    changes.taboo_body = patterns(params, "taboo_body");
}

/// Reads regular expressions as texts. [`Core::check_patterns`](crate::ops::Core::check_patterns) finds out later, in
/// the blocking pool, whether they compile.
pub(super) fn patterns(params: &mut Params, name: &str) -> Option<Vec<String>> {
    let patterns = params.parsed_texts(name, line(PATTERN_CHARS_MAX))?;
    if PATTERNS_MAX < patterns.len() {
        params.problem(name, format_args!("may have at most {PATTERNS_MAX} patterns"));
        return None;
    }
    Some(patterns)
}

/// The names that `${…}` may use in templates: identifiers and names of the account's custom fields.
fn custom_names(account: &Account) -> Vec<&str> {
    let fields = account.custom_fields.iter();
    fields.flat_map(|field| field.identifier.as_deref().into_iter().chain([field.name.as_str()])).collect()
}

fn notices(params: &mut Params, changes: &mut ListChanges, account: &Account) {
    let custom = custom_names(account);
    let mut template =
        |name| params.nullable(name, |text: &str| Template::parse(text, &custom).map(|_| text.to_owned()));
    changes.welcome_message = template("welcome_message");
    changes.welcome_message_subject = template("welcome_message_subject");
    changes.confirmation_subject = template("confirmation_subject");
    changes.confirmation_message = template("confirmation_message");
    changes.hold_message = template("hold_message");
    changes.hold_subject = template("hold_subject");
    changes.reject_message = template("reject_message");
    changes.reject_subject = template("reject_subject");
    changes.send_hold_message = params.boolean("send_hold_message");
    changes.send_reject_message = params.boolean("send_reject_message");
}

fn archive(params: &mut Params, changes: &mut ListChanges) {
    changes.archive_enabled = params.boolean("archive_enabled");
    changes.archive_spammode = params.boolean("archive_spammode");
    changes.archive_protected = params.boolean("archive_protected");
    changes.archive_memberview = params.boolean("archive_memberview");
    changes.archive_index_noshow = params.boolean("archive_index_noshow");
}

view! {
    /// A mailing list and its settings.
    struct ListView<'a> as "List" {
        /// Service identifier.
        id: u64,
        /// Name: letters, digits, underscores, periods and hyphens, up to 64 of them. It is what stands before
        /// the @.
        name: &'a ListName,
        /// Topic of the list, on one line.
        description: &'a str,
        /// Identifier of your own, unique, up to 48 characters; null where there is none.
        clid: Option<&'a str>,
        /// Any text.
        notes: &'a str,
        /// When it was made. Read-only.
        created: Rfc3339,
        /// Whether it waits for approval, and takes no mail until then. Read-only.
        pending: bool,
        /// Identifiers of its members. Read-only.
        #[serde(skip_serializing_if = "Option::is_none")]
        contacts: Option<&'a [ContactName]>,
        /// Largest message in KB.
        maxlength: u32,
        /// Bytes that messages are cut to; null for none.
        truncate: Option<u64>,
        /// Text put before every subject.
        subject_prefix: &'a str,
        /// Address of somebody who approves messages in place of the administrators; null for nobody.
        moderator: Option<&'a EmailAddress>,
        /// Whether members may see each other, and with addresses; blank for not at all.
        memberview: WordOrBlank<Memberview>,
        /// Text below every message.
        message_footer: &'a str,
        /// HTML below every message.
        message_footer_html: &'a str,
        /// Text above every message.
        message_fronter: &'a str,
        /// HTML above every message.
        message_fronter_html: &'a str,
        /// Regular expressions, at most 100 of 1,000 characters; a message with a header line that one matches is
        /// held. Each may compile to 256 KiB, and all of a list to 4 MiB. What cannot be judged in 0.2 seconds is held.
        taboo_headers: &'a [String],
        /// The same for the text of a message: the first 1 MiB of its text parts, decoded; of HTML the source, and the
        /// text as a reader sees it. A message with more text is held.
        taboo_body: &'a [String],
        /// Where replies go; null for the sender.
        reply_to: Option<&'a EmailAddress>,
        /// Whether attachments are taken off.
        strip_attachments: bool,
        /// Whether people may join by themselves, or with approval; null for what the account says.
        subscriptions: Option<Word<Subscriptions>>,
        /// Whether people may leave by themselves; null for what the account says.
        unsubscriptions: Option<Word<Subscriptions>>,
        /// Whether the sender's address is always replaced by the list's, or only where it has to be.
        rewrite_sender: bool,
        /// Where the author goes when the sender's address is replaced.
        original_sender_mode: Word<OriginalSenderMode>,
        /// Whether messages of machines are held.
        hold_automated: bool,
        /// Whether replies to mail of the list are held.
        hold_replies: bool,
        /// Addresses that may post, where moderate has 2 and 8.
        restrict_post_allowed_emails: &'a [EmailAddress],
        /// Addresses that may not post, where moderate has 16.
        restrict_post_banned_emails: &'a [EmailAddress],
        /// Names of lists whose members may post, where moderate has 2 and 4.
        restrict_post_lists: &'a [ListName],
        /// Rules for who may post, the sum of: 0 everybody, 1 every message is held, 2 only specific senders, 4
        /// namely members of `restrict_post_lists`, 8 namely `restrict_post_allowed_emails`, 16 never
        /// `restrict_post_banned_emails`.
        moderate: Moderate,
        /// Treatment of messages that the restrictions forbid.
        message_rejections: Word<MessageRejections>,
        /// How administrators are notified of messages and requests that wait for approval; null for what the account
        /// says.
        notify_approval: Option<Word<NotifyApproval>>,
        /// Text of the mail to new members; null for the built-in one.
        welcome_message: Option<&'a str>,
        /// Subject of the mail to new members; null for the built-in one.
        welcome_message_subject: Option<&'a str>,
        /// Subject of the mails that ask for a confirmation; null for the built-in one.
        confirmation_subject: Option<&'a str>,
        /// Text of the mails that ask for a confirmation; null for the built-in one.
        confirmation_message: Option<&'a str>,
        /// Text of the mail to somebody whose message is held; null for the built-in one.
        hold_message: Option<&'a str>,
        /// Subject of the mail to somebody whose message is held; null for the built-in one. $SUBJECT is blank
        /// here: no stranger's words stand in it.
        hold_subject: Option<&'a str>,
        /// Whether the sender of a held message is mailed: one whom SPF or DMARC proves, others rarely.
        send_hold_message: bool,
        /// Text of the mail to somebody whose message is rejected; null for the built-in one.
        reject_message: Option<&'a str>,
        /// Subject of the mail to somebody whose message is rejected; null for the built-in one. $SUBJECT is
        /// blank here.
        reject_subject: Option<&'a str>,
        /// Whether the sender of a rejected message is mailed: one whom SPF or DMARC proves, others rarely.
        send_reject_message: bool,
        /// Whether merge tags work in contents and subjects.
        merge_tags_enabled: bool,
        /// Text used for the name of a member that has none.
        merge_tags_default_name: &'a str,
        /// Whether messages are archived.
        archive_enabled: bool,
        /// Whether archives hide addresses.
        archive_spammode: bool,
        /// Whether archives are closed to the public.
        archive_protected: bool,
        /// Whether members may read protected archives.
        archive_memberview: bool,
        /// Whether the public list of archives leaves this one out.
        archive_index_noshow: bool,
    }
}

impl<'a> ListView<'a> {
    #[expect(clippy::too_many_lines, reason = "one line for each field of the document")]
    fn new(detail: &'a ListDetail) -> ListView<'a> {
        // No `..`: a new field is shown or left out on purpose. The archive's password is never shown.
        let List {
            id,
            account: _,
            name,
            description,
            clid,
            notes,
            created,
            pending,
            maxlength,
            truncate,
            subject_prefix,
            moderator,
            memberview,
            message_footer,
            message_footer_html,
            message_fronter,
            message_fronter_html,
            taboo_headers,
            taboo_body,
            reply_to,
            strip_attachments,
            subscriptions,
            unsubscriptions,
            rewrite_sender,
            original_sender_mode,
            hold_automated,
            hold_replies,
            restrict_post_allowed_emails,
            restrict_post_banned_emails,
            restrict_post_lists: _,
            moderate,
            message_rejections,
            notify_approval,
            welcome_message,
            welcome_message_subject,
            confirmation_subject,
            confirmation_message,
            hold_message,
            hold_subject,
            send_hold_message,
            reject_message,
            reject_subject,
            send_reject_message,
            merge_tags_enabled,
            merge_tags_default_name,
            archive_enabled,
            archive_spammode,
            archive_protected,
            archive_password_hash: _,
            archive_memberview,
            archive_index_noshow,
        } = &detail.list;
        ListView {
            id: id.0,
            name,
            description,
            clid: clid.as_deref(),
            notes,
            created: Rfc3339(*created),
            pending: *pending,
            contacts: detail.contacts.as_deref(),
            maxlength: *maxlength,
            truncate: *truncate,
            subject_prefix,
            moderator: moderator.as_ref(),
            memberview: WordOrBlank(*memberview),
            message_footer,
            message_footer_html,
            message_fronter,
            message_fronter_html,
            taboo_headers,
            taboo_body,
            reply_to: reply_to.as_ref(),
            strip_attachments: *strip_attachments,
            subscriptions: subscriptions.map(Word),
            unsubscriptions: unsubscriptions.map(Word),
            rewrite_sender: *rewrite_sender,
            original_sender_mode: Word(*original_sender_mode),
            hold_automated: *hold_automated,
            hold_replies: *hold_replies,
            restrict_post_allowed_emails,
            restrict_post_banned_emails,
            restrict_post_lists: &detail.restrict_post_lists,
            moderate: *moderate,
            message_rejections: Word(*message_rejections),
            notify_approval: notify_approval.map(Word),
            welcome_message: welcome_message.as_deref(),
            welcome_message_subject: welcome_message_subject.as_deref(),
            confirmation_subject: confirmation_subject.as_deref(),
            confirmation_message: confirmation_message.as_deref(),
            hold_message: hold_message.as_deref(),
            hold_subject: hold_subject.as_deref(),
            send_hold_message: *send_hold_message,
            reject_message: reject_message.as_deref(),
            reject_subject: reject_subject.as_deref(),
            send_reject_message: *send_reject_message,
            merge_tags_enabled: *merge_tags_enabled,
            merge_tags_default_name,
            archive_enabled: *archive_enabled,
            archive_spammode: *archive_spammode,
            archive_protected: *archive_protected,
            archive_memberview: *archive_memberview,
            archive_index_noshow: *archive_index_noshow,
        }
    }
}
