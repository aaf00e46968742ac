//! Mailing lists and their settings: `/lists/`.
//!
//! `dispatch` calls it. It parses parameters, hashes the archive's password, calls `ops::lists` and shows the result.

use std::sync::Arc;

use super::auth::Principal;
use super::error::ApiError;
use super::operation::{Operation, ResponseKind};
use super::request::{GetRequest, ROWS_INLINE_MAX, WriteRequest, is_deep};
use super::shape::{View as _, Word, WordOrBlank, view};
use super::view::{self, Answer, Rfc3339, Unpaged, search_text, wants};
use crate::model::account::{NotifyApproval, Subscriptions};
use crate::model::list::{Memberview, MessageRejections, OriginalSenderMode};
use crate::model::{EmailAddress, List, ListName, Moderate};
use crate::ops::audit::Step;
use crate::ops::lists::{self as ops, Deletion, ListDetail, ListFilter, Members};
use crate::ops::people::contacts::ContactName;
use crate::ops::{Caller, OpContext, PageRequest};
use crate::params::Params;
use crate::params::lists::{fields, input};
use crate::store::{ReadTx, StoreError, WriteTx};
use axum::body::Bytes;

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
pub(super) struct GetParams {
    what: What,
    members: Members,
    fields: Option<Vec<String>>,
}

enum What {
    One(String),
    Page(ListFilter, PageRequest),
}

pub(super) fn get_params(object: Option<&str>, params: &mut Params) -> Result<GetParams, ApiError> {
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
    Ok(GetParams { what, members, fields })
}

impl GetRequest for GetParams {
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
    let (caller, account) = (&call.principal.caller, &call.principal.account);
    let input = input(call.core, caller, account, &mut *call.params, None).await?;
    let show = |detail: &ListDetail| view::object(&ListView::new(detail), None);
    call.once(move |tx, by| ops::create(tx, &by.caller, input, by.now), show).await
}

/// `PUT /lists/{name}/`
pub(super) async fn update(call: WriteRequest<'_>, name: &str) -> Result<Bytes, ApiError> {
    let (store, caller) = (call.core.store.clone(), Arc::clone(&call.principal.caller));
    let name = name.to_owned();
    let account = &call.principal.account;
    let input = input(call.core, &caller, account, &mut *call.params, Some(&name)).await?;
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
