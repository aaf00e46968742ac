//! The kinds of objects that commands manage through the API: what each command is called, which fields are
//! flags, and what a person reads.
//!
//! Nothing here repeats what the API says of a field, unless a command line needs other words.

use super::flags::Wording;
use crate::http::reference::{Field, Shape};

/// What a command does with an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    Create,
    List,
    Show,
    Set,
    Delete,
}

impl Action {
    pub(super) const ALL: [Action; 5] =
        [Action::Create, Action::List, Action::Show, Action::Set, Action::Delete];

    /// The subcommand.
    pub(super) fn word(self) -> &'static str {
        match self {
            Action::Create => "create",
            Action::List => "list",
            Action::Show => "show",
            Action::Set => "set",
            Action::Delete => "delete",
        }
    }
}

/// What the objects of a kind belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// An account.
    Account,
    /// An account, or the whole server.
    AccountOrServer,
    /// The server: they are its accounts.
    Server,
}

/// A kind of objects.
#[derive(Debug)]
pub(in crate::cli) struct Kind {
    /// The command.
    pub(super) command: &'static str,
    /// What it is for.
    pub(super) about: &'static str,
    /// The kind's section of the API.
    pub(super) section: &'static str,
    /// What one object is called.
    pub(super) noun: &'static str,
    /// What the objects belong to.
    pub(super) owner: Owner,
    /// The field of a new object that is an argument without a flag, and its help.
    pub(super) title: &'static str,
    pub(super) title_value: &'static str,
    pub(super) title_help: &'static str,
    /// What names an object that is there, and its help.
    pub(super) object_value: &'static str,
    pub(super) object_help: &'static str,
    /// What each subcommand does, in the order of [`Action::ALL`].
    pub(super) abouts: [&'static str; 5],
    /// Fields that are not offered as flags.
    pub(super) hidden: &'static [&'static str],
    /// Fields whose values are read from files.
    pub(super) secrets: &'static [&'static str],
    /// Flags that differ from their fields.
    pub(super) words: &'static [Wording],
    /// Groups of flags.
    pub(super) headings: &'static [(&'static str, &'static [&'static str])],
    /// Fields that only the operator's calls take.
    pub(super) operators: fn() -> Vec<Field>,
    /// The members of a table.
    pub(super) columns: &'static [&'static str],
    /// The members that are shown first.
    pub(super) first: &'static [&'static str],
    /// What is printed in place of an empty table.
    pub(super) none: &'static str,
    /// An example of a flag that changes something.
    pub(super) change: &'static str,
}

const fn word(field: &'static str, flag: &'static str, value: &'static str, help: &'static str) -> Wording {
    Wording { field, flag, value, help }
}

/// Every kind, in the order of the help.
pub(in crate::cli) const KINDS: &[Kind] = &[LISTS, CONTACTS, ADMINS, ACCOUNTS];

const LISTS: Kind = Kind {
    command: "list",
    about: "Make, list, change and delete mailing lists",
    section: "lists",
    noun: "list",
    owner: Owner::Account,
    title: "name",
    title_value: "NAME",
    title_help: "What stands before the @ of its address: up to 64 letters, digits, and . _ -",
    object_value: "LIST",
    object_help: "Name of the list",
    abouts: [
        "Make a mailing list",
        "List the mailing lists",
        "Show all settings of a list, and how many members it has",
        "Change settings of a list; those that are not named stay as they are",
        "Delete a list with its memberships, held messages and archive",
    ],
    hidden: &["subs_memberview"],
    secrets: &["archive_password"],
    words: &[
        word("name", "rename", "NAME", "Its name from now on; mail to the old address is refused then"),
        word("clid", "", "", "Identifier of your own, unique, up to 48 characters; '' for none"),
        word("taboo_headers", "", "REGEX", ""),
        word("taboo_body", "", "REGEX", ""),
        word("restrict_post_lists", "", "LIST", ""),
    ],
    headings: &[
        (
            "Who may post",
            &[
                "moderate",
                "moderator",
                "message_rejections",
                "notify_approval",
                "hold_automated",
                "hold_replies",
                "restrict_post_allowed_emails",
                "restrict_post_banned_emails",
                "restrict_post_lists",
                "taboo_headers",
                "taboo_body",
                "maxlength",
            ],
        ),
        ("Who may join, leave and see", &["memberview", "subscriptions", "unsubscriptions"]),
        (
            "What becomes of messages",
            &[
                "truncate",
                "subject_prefix",
                "reply_to",
                "strip_attachments",
                "rewrite_sender",
                "original_sender_mode",
                "message_footer",
                "message_footer_html",
                "message_fronter",
                "message_fronter_html",
                "merge_tags_enabled",
                "merge_tags_default_name",
            ],
        ),
        (
            "Mails to members and senders",
            &[
                "welcome_message",
                "welcome_message_subject",
                "confirmation_subject",
                "confirmation_message",
                "hold_message",
                "hold_subject",
                "reject_message",
                "reject_subject",
                "send_hold_message",
                "send_reject_message",
            ],
        ),
        (
            "Archive",
            &[
                "archive_enabled",
                "archive_spammode",
                "archive_protected",
                "archive_memberview",
                "archive_index_noshow",
                "archive_password",
            ],
        ),
    ],
    operators: Vec::new,
    columns: &["name", "description", "subscriptions", "archive_enabled", "created"],
    first: &["name", "description"],
    none: "There is no list yet; crier list create NAME makes one",
    change: "--description or --subject-prefix",
};

const CONTACTS: Kind = Kind {
    command: "contact",
    about: "Make, list, change and delete contacts: the people in an account's address book",
    section: "contacts",
    noun: "contact",
    owner: Owner::Account,
    title: "emails",
    title_value: "EMAIL",
    title_help: "The person's address; several are allowed",
    object_value: "CONTACT",
    object_help: "One of the contact's addresses, or its identifier",
    abouts: [
        "Add somebody to the address book, and to lists",
        "List contacts, or find some",
        "Show everything about a contact",
        "Change a contact; what is not named stays as it is",
        "Delete a contact with its addresses and memberships",
    ],
    hidden: &[],
    secrets: &[],
    words: &[
        word("emails", "email", "EMAIL", "All its addresses from now on; may be repeated"),
        word(
            "lists",
            "list",
            "LIST",
            "A list that it is a member of, in place of all that there were; may be repeated",
        ),
        word("list", "list", "LIST", "Only the members of this list"),
        word("ccid", "", "", "Identifier of your own, unique: 1 to 64 characters; '' for none"),
        word(
            "search",
            "",
            "WORDS",
            "Words that begin words of the name, an address, the notes or a custom field",
        ),
    ],
    headings: &[],
    operators: Vec::new,
    columns: &["id", "firstname", "surname", "emails", "lists"],
    first: &["id", "firstname", "surname", "emails", "lists"],
    none: "There is no such contact",
    change: "--firstname or --email",
};

const ADMINS: Kind = Kind {
    command: "admin",
    about: "Make, list, change and delete administrators: the people who manage an account",
    section: "admins",
    noun: "administrator",
    owner: Owner::AccountOrServer,
    title: "username",
    title_value: "EMAIL",
    title_help: "The person's address",
    object_value: "ADMIN",
    object_help: "Address or number of the administrator",
    abouts: [
        "Make somebody an administrator; programs get a key with crier key create",
        "List the administrators: people, and the holders of keys",
        "Show everything about an administrator",
        "Change an administrator; what is not named stays as it is",
        "Delete an administrator",
    ],
    hidden: &[
        "api",
        "authn_provider",
        "custom_image",
        "mfa_type",
        "cidr",
        "description",
        "get_key",
        "expiry_months",
    ],
    secrets: &[],
    words: &[
        word("username", "", "", "The person's address from now on"),
        word("permissions", "permission", "PERMISSION", super::PERMISSION_HELP),
        word("notifications", "notification", "NOTIFICATION", super::NOTIFICATION_HELP),
        word("limit_lists", "limit-list", "LIST", super::LIMIT_LIST_HELP),
        word("limit_metadata", "limit-field", "FIELD", super::LIMIT_FIELD_HELP),
        word(
            "welcome_email",
            "",
            "",
            "Whether the person is mailed the link to choose a password [default: true]",
        ),
    ],
    headings: &[],
    operators: Vec::new,
    columns: &["id", "username", "description", "firstname", "surname", "permissions"],
    first: &["id", "username", "description", "firstname", "surname", "permissions"],
    none: "There is no administrator",
    change: "--permission or --firstname",
};

const ACCOUNTS: Kind = Kind {
    command: "account",
    about: "Make, list, change and delete accounts: the organizations on this server",
    section: "accounts",
    noun: "account",
    owner: Owner::Server,
    title: "name",
    title_value: "NAME",
    title_help: "Name of the account, unique on this server, such as example",
    object_value: "NAME",
    object_help: "Name of the account",
    abouts: [
        "Make one more account on this server, with its domain and first administrator",
        "List the accounts",
        "Show everything about an account",
        "Change an account; what is not named stays as it is",
        "Delete an account with its lists, members and archives",
    ],
    hidden: &["domains"],
    secrets: &[],
    words: &[
        word("name", "rename", "NAME", "Its name from now on"),
        word("description", "", "", "What the account is, in your words"),
        word("domain", "", "DOMAIN", "Domain of its lists' addresses, such as lists.example.org"),
        word("administrator", "admin", "EMAIL", "Address of its first administrator, who gets the notices"),
        word("timezone", "", "ZONE", "IANA name of the time zone, such as Europe/Berlin"),
        word("custom_image", "", "URL", "Web address of an image that pages show; '' for none"),
        word("restrict_contact", "", "REGEX", ""),
        word("restrict_contact_subscription", "", "REGEX", ""),
    ],
    headings: &[
        (
            "Settings",
            &[
                "timezone",
                "subscriptions",
                "unsubscriptions",
                "unsubscribe_confirm",
                "notify_approval",
                "require_list_approval",
                "list_delegation",
                "restrict_contact",
                "restrict_contact_subscription",
                "custom_image",
            ],
        ),
        (
            "Texts",
            &[
                "confirmation_subject",
                "confirmation_message",
                "welcome_message",
                "send_welcome_message_confirmation",
                "send_welcome_message_contacts",
            ],
        ),
    ],
    operators: account_fields,
    columns: &["id", "name", "description", "administrator", "contacts", "contacts_max"],
    first: &["id", "name", "description", "administrator", "domains", "contacts"],
    none: "There is no account yet; crier setup makes the first one",
    change: "--contacts-max or --timezone",
};

/// What the operator alone decides about an account.
fn account_fields() -> Vec<Field> {
    let field = |name: &str, shape, about: &str| Field {
        name: name.to_owned(),
        shape,
        about: about.to_owned(),
        is_required: false,
    };
    vec![
        field("ccid", Shape::Truth, "Whether custom identifiers name contacts in API calls."),
        field(
            "contacts_max",
            Shape::Whole { min: 1, max: None },
            "Contacts that the address book may have; an hour's API calls may touch three times as many objects.",
        ),
    ]
}
