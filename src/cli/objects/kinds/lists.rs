//! The tables of `crier list` and `crier alias`.

use crate::cli::objects::kind::{Action, Kind, PLAIN, Subcommand, Way, word};
use crate::cli::objects::lists::{KIND, WHO_WRITES};
use crate::http::reference::{Field, Reference, Shape};
use crate::model::List;
use crate::model::list::{Topic, WhoWrites};
use crate::ops::lists::kinds::ListKind;

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
                "crier list create announce --kind announcements",
                "crier list create board --kind private",
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
                "crier list set news --who-writes members-approved --maxlength 5MB",
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
        word(KIND, "", "KIND", KIND_HELP),
        word(WHO_WRITES, "", "WHO", WHO_HELP),
        word(
            "maxlength",
            "",
            "SIZE",
            "Largest message: a number of KB, or with a unit such as 5MB; up to 51200 KB, which are 50MB",
        ),
        word(
            "truncate",
            "",
            "SIZE",
            "Size that messages are cut to: bytes, or with a unit such as 64KB; '' for none",
        ),
        word(
            "reply_to",
            "",
            "ADDRESS",
            "Where answers go: 'list' for the list itself, another address, or '' for the author",
        ),
        word(
            "moderate",
            "",
            "BITS",
            "The same as --who-writes for rare combinations, as a sum: 1 every message waits, 2 only those named by 4 or \
                8, 4 members of --restrict-post-lists, 8 --restrict-post-allowed-emails, 16 never \
                --restrict-post-banned-emails",
        ),
        word("clid", "", "", "Identifier of your own, unique, up to 48 characters; '' for none"),
        word("taboo_headers", "", "REGEX", ""),
        word("taboo_body", "", "REGEX", ""),
        word("restrict_post_lists", "", "LIST", ""),
    ],
    heading,
    more: words,
    way: Way::Lists,
    columns: &["name", "description", "subscriptions", "archive_enabled", "created"],
    first: &["name", "address", "description", "moderate"],
    none: "There is no list yet; crier list create NAME makes one",
    change: "--description or --subject-prefix",
    ..PLAIN
};

const KIND_HELP: &str = "What the list is for: announcements, discussion, moderated or private. All begin closed to the \
    world: people ask to join, and members alone read the archive; other flags change what follows from it [default: \
    discussion]";
const WHO_HELP: &str = "Who may write, in a word: everybody; members; members-approved, each of whose messages waits for \
    approval; addresses, those of --restrict-post-allowed-emails alone; \
    moderators, where every message waits; members-addresses, members and those addresses; or \
    members-addresses-approved, where each message of theirs waits";

/// Words that stand for several fields of the API.
fn words(subcommand: &Subcommand, _: &Reference) -> Vec<Field> {
    let field = |name: &str, words: Vec<&'static str>| Field {
        name: name.to_owned(),
        shape: Shape::Word(words),
        about: String::new(),
        is_required: false,
    };
    let who = || field(WHO_WRITES, WhoWrites::ALL.iter().map(|who| who.word()).collect());
    match subcommand.action {
        Action::Create => vec![field(KIND, ListKind::ALL.iter().map(|kind| kind.word()).collect()), who()],
        Action::Set => vec![who()],
        Action::List | Action::Show | Action::Delete => Vec::new(),
    }
}

/// The heading of a field by its topic.
fn heading(field: &str) -> Option<&'static str> {
    let topic = match field {
        "archive_password" => Some(Topic::Archive),
        WHO_WRITES => Some(Topic::Posting),
        field => List::topic_of(field),
    };
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
