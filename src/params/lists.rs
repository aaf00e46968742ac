//! Reads the settings of mailing lists.

use super::parse::{As, LINE_CHARS_MAX, Parse as _, as_it_is, integer, line, word};
use super::shape::Shaped as _;
use super::{Params, ReadError};
use crate::clock::Timestamp;
use crate::mail::template::Template;
use crate::model::account::{NotifyApproval, Subscriptions};
use crate::model::list::{
    CLID_CHARS_MAX, MAXLENGTH_KB_MAX, Memberview, MessageRejections, OriginalSenderMode,
};
use crate::model::{Account, AccountId, EmailAddress, ListName, Moderate, Permission};
use crate::ops::lists::{self as ops, ListChanges, ListInput};
use crate::ops::patterns::PatternField;
use crate::ops::{Caller, Change, Wrong};
use crate::service::Core;

/// Most patterns of a taboo field.
const PATTERNS_MAX: usize = 100;

/// Longest pattern, in characters.
const PATTERN_CHARS_MAX: usize = 1000;

/// Reads the settings that a call gives for a new list, or for the list called `name`.
pub(crate) async fn input(
    core: &Core,
    caller: &Caller,
    account: &Account,
    params: &mut Params,
    name: Option<&str>,
) -> Result<ListInput, ReadError> {
    // Callers who may not change lists are refused before any password is hashed.
    caller.require(Permission::ManageSettings)?;
    let (mut changes, password) = read(params, account);
    if let Some(password) = password {
        changes.archive_password_hash = match password {
            None => Some(None),
            Some(password) => Some(Some(core.passwords.hash(&core.secrets, password).await?)),
        };
    }
    let restrict_post_lists = restrict_post_lists(params);
    let mut problems = params.take_problems();
    let fields = pattern_fields(core, caller, name, &changes)?;
    core.check_patterns(account.id, fields, &mut problems).await;
    Ok(ListInput { changes, restrict_post_lists, problems })
}

/// The patterns that a call sets, with those that the list has for the other fields.
fn pattern_fields(
    core: &Core,
    caller: &Caller,
    name: Option<&str>,
    changes: &ListChanges,
) -> Result<[PatternField; 2], ReadError> {
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

pub(crate) fn fields(params: &mut Params) {
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
        Moderate::from_bits(bits).map_err(Wrong::from)
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

/// Reads regular expressions as texts. [`Core::check_patterns`](crate::service::Core::check_patterns) finds out later, in
/// the blocking pool, whether they compile.
pub(crate) fn patterns(params: &mut Params, name: &str) -> Option<Vec<String>> {
    let patterns = params.parsed_texts(name, line(PATTERN_CHARS_MAX))?;
    if PATTERNS_MAX < patterns.len() {
        params.problem(name, Wrong::TooManyPatterns { max: PATTERNS_MAX });
        return None;
    }
    Some(patterns)
}

/// The names that `${…}` may use in templates: identifiers and names of the account's custom fields.
pub(crate) fn custom_names(account: &Account) -> Vec<&str> {
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
