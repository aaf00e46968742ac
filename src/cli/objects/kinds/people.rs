//! The tables of `crier member`, `crier contact` and `crier email`.

use crate::cli::objects::kind::{Action, Kind, Naming, PLAIN, Subcommand, Way, fields_of, word};

pub(super) const CONTACTS: Kind = Kind {
    command: "contact",
    about: "Make, list, change and delete contacts: the people in an account's address book",
    section: "contacts",
    noun: "contact",
    title: "emails",
    title_value: "EMAIL",
    title_help: "The person's address; several are allowed",
    object_value: "CONTACT",
    object_help: "One of the contact's addresses, or its identifier",
    subcommands: &[
        Subcommand::create(
            "Add somebody to the address book, and to lists",
            &[
                "crier contact create ada@example.org --firstname Ada --list news",
                "crier contact create bob@example.org --custom-field 'Shoe size=43'",
            ],
        ),
        Subcommand::list(
            "List contacts, or find some",
            &["crier contact list --search ada", "crier contact list --list news"],
        ),
        Subcommand::show("Show everything about a contact", &["crier contact show ada@example.org"]),
        Subcommand::set(
            "Change a contact; what is not named stays as it is",
            &[
                "crier contact set ada@example.org --surname King",
                "crier contact set ada@example.org --email ada@example.com",
            ],
        ),
        Subcommand::delete(
            "Delete a contact with its addresses and memberships",
            &["crier contact delete ada@example.org"],
        ),
    ],
    naming: Naming::Contact,
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
    columns: &["id", "firstname", "surname", "emails", "lists"],
    first: &["id", "firstname", "surname", "emails", "lists"],
    none: "There is no such contact",
    change: "--firstname or --email",
    ..PLAIN
};

/// The help text for the digest setting of a membership.
const DIGEST_HELP: &str = "1 for a daily digest, 0 for every message, '' for what each address says";

pub(super) const MEMBERS: Kind = Kind {
    command: "member",
    about: "Add people to a list, list them, and take them off",
    section: "membership",
    noun: "membership",
    is_of_list: true,
    title: "contact",
    title_value: "EMAIL",
    title_help: "Address of somebody to add; several are allowed",
    object_value: "MEMBER",
    object_help: "One of the member's addresses, or the contact's identifier",
    subcommands: &[
        Subcommand::create(
            "Add people to a list; those who are no contacts yet become some",
            &[
                "crier member add news ada@example.org --firstname Ada --surname Lovelace",
                "crier member add news ada@example.org bob@example.org",
            ],
        )
        .named("add"),
        Subcommand::list(
            "List the members of a list",
            &[
                "crier member list news",
                "crier member list news --page 2",
                "crier member list news --paused true",
            ],
        ),
        Subcommand::show(
            "Show the membership of somebody on a list, and which addresses get its mail",
            &["crier member show news ada@example.org"],
        ),
        Subcommand::set(
            "Change how somebody gets the mail of a list",
            &[
                "crier member set news ada@example.org --digest 1",
                "crier member set news ada@example.org --paused true",
            ],
        ),
        Subcommand::delete(
            "Take somebody off a list; the contact stays",
            &["crier member remove news ada@example.org"],
        )
        .named("remove"),
    ],
    hidden: &["list", "contact", "email"],
    words: &[
        word("digest", "", "1|0", DIGEST_HELP),
        word("firstname", "", "NAME", "First name, for somebody who is no contact yet"),
        word("surname", "", "NAME", "Surname, for somebody who is no contact yet"),
    ],
    more: |subcommand, reference| match subcommand.action {
        Action::Create => fields_of(reference, "POST", "contacts/", &["firstname", "surname"]),
        _ => Vec::new(),
    },
    way: Way::Members,
    first: &["list", "contact", "id"],
    change: "--digest or --paused",
    ..PLAIN
};

pub(super) const EMAILS: Kind = Kind {
    command: "email",
    about: "Show and change single addresses of contacts: let mail go again to one that is paused",
    section: "emails",
    noun: "address",
    naming: Naming::Address,
    object_value: "EMAIL",
    object_help: "The address",
    subcommands: &[
        Subcommand::show(
            "Show an address: whether mail to it is paused, and why",
            &["crier email show ada@example.org"],
        ),
        Subcommand::set(
            "Change an address; what is not named stays as it is",
            &[
                "crier email set ada@example.org --paused false",
                "crier email set ada@example.org --digest true",
            ],
        ),
        Subcommand::delete(
            "Delete an address, and its contact if it has no other",
            &["crier email delete ada@example.org"],
        ),
    ],
    hidden: &["id", "contact"],
    words: &[word("email", "rename", "EMAIL", "The address from now on")],
    first: &["email", "contact", "paused"],
    change: "--paused or --digest",
    ..PLAIN
};
