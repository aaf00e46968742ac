//! The tables of `crier held` and `crier pending`.

use crate::cli::objects::kind::{Kind, PLAIN, Subcommand};

/// The field for the reason of a rejection, which the sender is told.
const REASON: &[&str] = &["reason"];

pub(super) const HELD: Kind = Kind {
    command: "held",
    about: "List the messages that wait for approval, and decide about them",
    section: "held",
    noun: "held message",
    object_help: "Number of the message, from crier held list",
    subcommands: &[
        Subcommand::list(
            "List the messages that wait, and why",
            &["crier held list", "crier held list --state approved"],
        ),
        Subcommand::show("Show a message that waits, with the beginning of its text", &["crier held show 3"]),
        Subcommand::giving(
            "approve",
            &[("action", "approve")],
            "Publish a message: it goes to the members of its list",
            &["crier held approve 3"],
        ),
        Subcommand::giving(
            "reject",
            &[("action", "reject")],
            "Send a message back to its sender",
            &["crier held reject 3 --reason 'Please write to office@example.org'"],
        )
        .only(REASON),
        Subcommand::giving(
            "discard",
            &[("action", "discard")],
            "Drop a message; nobody is told",
            &["crier held discard 3"],
        ),
    ],
    columns: &["id", "list", "from", "subject", "received", "reason"],
    first: &["id", "list", "from", "subject", "received", "size", "reason", "state"],
    none: "No message waits for approval",
    ..PLAIN
};

pub(super) const PENDING: Kind = Kind {
    command: "pending",
    about: "List the requests that wait for approval, to join, leave or make a list, and decide about them",
    section: "pending",
    noun: "request",
    object_help: "Number of the request, from crier pending list",
    subcommands: &[
        Subcommand::list("List the requests that wait", &["crier pending list"]),
        Subcommand::show("Show a request", &["crier pending show 3"]),
        Subcommand::giving(
            "approve",
            &[("action", "approve")],
            "Grant a request",
            &["crier pending approve 3"],
        ),
        Subcommand::giving(
            "reject",
            &[("action", "reject")],
            "Refuse a request, and tell the person",
            &["crier pending reject 3 --reason 'For members of the board'"],
        )
        .only(REASON),
        Subcommand::giving(
            "discard",
            &[("action", "discard")],
            "Drop a request; nobody is told",
            &["crier pending discard 3"],
        ),
    ],
    columns: &["id", "kind", "list", "email", "name", "requested"],
    first: &["id", "kind", "list", "email", "name", "requested", "state"],
    none: "No request waits for approval",
    ..PLAIN
};
