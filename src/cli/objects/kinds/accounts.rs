//! The tables of `crier admin`, `crier key` and `crier account`.

use crate::cli::objects::kind::{Action, Kind, Owner, PLAIN, Subcommand, Way, fields_of, word};
use crate::http::reference::{Field, Reference, Shape};
use crate::model::AccountSettings;
use crate::model::account::Topic;

const PERMISSION_HELP: &str = "What it may do: account_admin, manage_settings, manage_members, \
    approve_messages or send_messages; may be repeated [default: everything]";
const NOTIFICATION_HELP: &str = "What is mailed to it: held_message, pending_member, pending_list, \
    member_joined, member_left, bounce, complaint, delivery_problem or security; may be repeated, '' for none";
const LIMIT_LIST_HELP: &str =
    "List outside of which it may do nothing; may be repeated, '' for none [default: all lists]";
const LIMIT_FIELD_HELP: &str =
    "Custom field beside which it sees no other; may be repeated, '' for none [default: all fields]";

pub(super) const ADMINS: Kind = Kind {
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
    subcommands: &[
        Subcommand::create(
            "Make somebody an administrator; programs get a key with crier key create",
            &[
                "crier admin create bob@example.org --permission approve_messages",
                "crier admin create eve@example.org --limit-list news",
            ],
        ),
        Subcommand::list("List the administrators: people, and the holders of keys", &["crier admin list"]),
        Subcommand::show("Show everything about an administrator", &["crier admin show bob@example.org"]),
        Subcommand::set(
            "Change an administrator; what is not named stays as it is",
            &["crier admin set bob@example.org --notification held_message"],
        ),
        Subcommand::delete("Delete an administrator", &["crier admin delete bob@example.org"]),
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
    words: &[
        word("username", "", "", "The person's address from now on"),
        word("permissions", "permission", "PERMISSION", PERMISSION_HELP),
        word("notifications", "notification", "NOTIFICATION", NOTIFICATION_HELP),
        word("limit_lists", "limit-list", "LIST", LIMIT_LIST_HELP),
        word("limit_metadata", "limit-field", "FIELD", LIMIT_FIELD_HELP),
        word(
            "welcome_email",
            "",
            "",
            "Whether the person is mailed the link to choose a password [default: true]",
        ),
    ],
    columns: &["id", "username", "description", "firstname", "surname", "permissions"],
    first: &["id", "username", "description", "firstname", "surname", "permissions"],
    none: "There is no administrator",
    change: "--permission or --firstname",
    ..PLAIN
};

/// The fields of a key's permissions and limits.
const RIGHTS: &[&str] =
    &["description", "cidr", "expiry_months", "permissions", "limit_lists", "limit_metadata"];

pub(super) const KEYS: Kind = Kind {
    command: "key",
    about: "Make, list, change and revoke API keys, with which programs use an account",
    section: "admins",
    noun: "key",
    owner: Owner::AccountOrServer,
    object_help: "Its number, from crier key list",
    subcommands: &[
        Subcommand {
            fixed: &[("api", "2")],
            ..Subcommand::create(
                "Make an API key and print it; it is shown only this once",
                &[
                    "crier key create --description 'our web site' --permission manage_members",
                    "crier key create --limit-list news --expiry-months 12",
                ],
            )
            .only(RIGHTS)
        },
        Subcommand::list(
            "List the keys: what each is for and may do, but never the key itself",
            &["crier key list"],
        )
        .only(&[]),
        Subcommand::show("Show everything about a key but the key itself", &["crier key show 2"]),
        Subcommand::set(
            "Change what a key may do; what is not named stays as it is",
            &["crier key set 2 --cidr 192.0.2.0/24"],
        )
        .only(&["description", "cidr", "permissions", "limit_lists", "limit_metadata"]),
        Subcommand::giving(
            "renew",
            &[("get_key", "1")],
            "Replace a key by a new one and print it; the old one stops working at once",
            &["crier key renew 2"],
        )
        .only(&["expiry_months"]),
        Subcommand::delete("Make a key stop working for good", &["crier key revoke 2"]).named("revoke"),
    ],
    words: &[
        word("description", "", "", "What the key is for, in your words"),
        word(
            "cidr",
            "",
            "CIDR",
            "Network from which the key may be used, such as 192.0.2.0/24; may be repeated, '' for anywhere \
             [default: anywhere]",
        ),
        word(
            "expiry_months",
            "",
            "N",
            "Months until the new key stops working: 1, 3, 6 or 12 [default: it never does]",
        ),
        word("permissions", "permission", "PERMISSION", PERMISSION_HELP),
        word("limit_lists", "limit-list", "LIST", LIMIT_LIST_HELP),
        word("limit_metadata", "limit-field", "FIELD", LIMIT_FIELD_HELP),
    ],
    // The API creates a key's holder and the key itself by two calls.
    more: |subcommand, reference| match subcommand.action {
        Action::Create => fields_of(reference, "PUT", "admins/{id}/", &["expiry_months"]),
        _ => Vec::new(),
    },
    way: Way::Keys,
    columns: &["id", "description", "created", "expiry", "cidr", "permissions"],
    first: &["id", "description", "created", "expiry", "cidr", "permissions"],
    none: "There is no key; crier key create makes one",
    change: "--permission or --cidr",
    ..PLAIN
};

pub(super) const ACCOUNTS: Kind = Kind {
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
    subcommands: &[
        Subcommand::create(
            "Make one more account on this server, with its domain and first administrator",
            &["crier account create club --domain lists.club.org --admin ada@club.org"],
        ),
        Subcommand::list("List the accounts", &["crier account list"]),
        Subcommand::show(
            "Show everything about an account",
            &["crier account show", "crier account show club"],
        ),
        Subcommand::set(
            "Change an account; what is not named stays as it is",
            &["crier account set --timezone Europe/Berlin", "crier account set club --contacts-max 50000"],
        ),
        Subcommand::delete(
            "Delete an account with its lists, members and archives",
            &["crier account delete club"],
        ),
    ],
    hidden: &["domains"],
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
    heading,
    more: account_fields,
    columns: &["id", "name", "description", "administrator", "contacts", "contacts_max"],
    first: &["id", "name", "description", "administrator", "domains", "contacts"],
    none: "There is no account yet; crier setup makes the first one",
    change: "--contacts-max or --timezone",
    ..PLAIN
};

/// The heading of a setting by its topic.
fn heading(field: &str) -> Option<&'static str> {
    AccountSettings::topic_of(field).map(|topic| match topic {
        Topic::Texts => "Texts",
        Topic::Settings => "Settings",
    })
}

/// Fields of an account that only the operator sets.
fn account_fields(subcommand: &Subcommand, _: &Reference) -> Vec<Field> {
    if !matches!(subcommand.action, Action::Create | Action::Set) {
        return Vec::new();
    }
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
