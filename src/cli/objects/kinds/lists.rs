//! The tables of `crier list` and `crier alias`.

use crate::cli::objects::kind::{Kind, PLAIN, Subcommand, word};
use crate::model::List;
use crate::model::list::Topic;

pub(super) const LISTS: Kind = Kind {
    command: "list",
    about: "Make, list, change and delete mailing lists",
    section: "lists",
    noun: "list",
    title: "name",
    title_value: "NAME",
    title_help: "What stands before the @ of its address: up to 64 letters, digits, and . _ -",
    object_value: "LIST",
    object_help: "Name of the list",
    subcommands: &[
        Subcommand::create(
            "Make a mailing list",
            &[
                "crier list create news --description 'News of our club'",
                "crier list create announce --moderate 10 --restrict-post-allowed-emails you@example.org",
                "crier list create board --subscriptions closed --archive-protected true",
            ],
        ),
        Subcommand::list(
            "List the mailing lists",
            &["crier list list", "crier list list --search club --json"],
        ),
        Subcommand::show(
            "Show all settings of a list, and how many members it has",
            &["crier list show news"],
        ),
        Subcommand::set(
            "Change settings of a list; those that are not named stay as they are",
            &[
                "crier list set news --subject-prefix '[news]' --reply-to office@example.org",
                "crier list set news --reply-to ''",
            ],
        ),
        Subcommand::delete(
            "Delete a list with its memberships, held messages and archive",
            &["crier list delete news"],
        ),
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
    heading,
    columns: &["name", "description", "subscriptions", "archive_enabled", "created"],
    first: &["name", "address", "description", "moderate"],
    none: "There is no list yet; crier list create NAME makes one",
    change: "--description or --subject-prefix",
    ..PLAIN
};

/// The heading of a field by its topic.
fn heading(field: &str) -> Option<&'static str> {
    let topic = if field == "archive_password" { Some(Topic::Archive) } else { List::topic_of(field) };
    match topic? {
        Topic::Identity => None,
        Topic::Moderator | Topic::Size | Topic::Posting | Topic::Holding | Topic::Patterns | Topic::Lists => {
            Some("Who may post")
        }
        Topic::Members => Some("Who may join, leave and see"),
        Topic::Footers | Topic::Content => Some("What becomes of messages"),
        Topic::Mails | Topic::Sending => Some("Mails to members and senders"),
        Topic::Archive => Some("Archive"),
    }
}

pub(super) const ALIASES: Kind = Kind {
    command: "alias",
    about: "Make, list, change and delete aliases: further addresses, whose mail goes elsewhere",
    section: "aliases",
    noun: "alias",
    title: "source",
    title_value: "ALIAS",
    title_help: "What stands before the @ of the address: up to 64 letters, digits, and . _ -",
    object_value: "ALIAS",
    object_help: "What stands before the @ of the alias",
    subcommands: &[
        Subcommand::create(
            "Make an alias: mail to it goes to other addresses",
            &["crier alias create office --destination ada@example.org --destination bob@example.org"],
        ),
        Subcommand::list("List the aliases", &["crier alias list"]),
        Subcommand::show("Show where the mail of an alias goes", &["crier alias show office"]),
        Subcommand::set(
            "Change an alias; what is not named stays as it is",
            &["crier alias set office --destination eve@example.org"],
        ),
        Subcommand::delete(
            "Delete an alias: mail to it is refused from then on",
            &["crier alias delete office"],
        ),
    ],
    words: &[
        word("source", "rename", "ALIAS", "What stands before the @ from now on"),
        word(
            "destination",
            "",
            "EMAIL",
            "Where its mail goes: 1 to 20 addresses, which may be lists and aliases of the account; may be \
             repeated, and crier alias set needs all of them",
        ),
    ],
    columns: &["source", "destination"],
    first: &["source", "destination"],
    none: "There is no alias yet; crier alias create makes one",
    change: "--destination",
    ..PLAIN
};
