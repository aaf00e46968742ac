//! What a kind of objects is that commands manage through the API: its command, subcommands, flags and columns. The tables
//! of all kinds are in [`kinds`](super::kinds).

use crate::http::reference::{Field, Reference};

/// Differences of a flag from its field of the API; blank texts change nothing.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wording {
    /// The field.
    pub(super) field: &'static str,
    /// The name of the flag.
    pub(super) flag: &'static str,
    /// The placeholder of its value in the help.
    pub(super) value: &'static str,
    /// The help text.
    pub(super) help: &'static str,
}

/// The actions of subcommands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Action {
    Create,
    List,
    Show,
    Set,
    Delete,
}

/// A subcommand, which makes one call of the API.
#[derive(Debug, Clone, Copy)]
pub(super) struct Subcommand {
    pub(super) action: Action,
    /// Its name, and an alias.
    pub(super) name: &'static str,
    pub(super) alias: Option<&'static str>,
    /// Its help text and examples.
    pub(super) about: &'static str,
    pub(super) examples: &'static [&'static str],
    /// The fields that are flags; all that are not hidden, if unset.
    pub(super) only: Option<&'static [&'static str]>,
    /// Fields that this subcommand sets, with their values.
    pub(super) fixed: &'static [(&'static str, &'static str)],
}

impl Subcommand {
    const fn new(
        action: Action,
        name: &'static str,
        about: &'static str,
        examples: &'static [&'static str],
    ) -> Subcommand {
        Subcommand { action, name, alias: None, about, examples, only: None, fixed: &[] }
    }

    pub(super) const fn create(about: &'static str, examples: &'static [&'static str]) -> Subcommand {
        Subcommand::new(Action::Create, "create", about, examples)
    }

    pub(super) const fn list(about: &'static str, examples: &'static [&'static str]) -> Subcommand {
        Subcommand::new(Action::List, "list", about, examples)
    }

    pub(super) const fn show(about: &'static str, examples: &'static [&'static str]) -> Subcommand {
        Subcommand::new(Action::Show, "show", about, examples)
    }

    pub(super) const fn set(about: &'static str, examples: &'static [&'static str]) -> Subcommand {
        Subcommand::new(Action::Set, "set", about, examples)
    }

    pub(super) const fn delete(about: &'static str, examples: &'static [&'static str]) -> Subcommand {
        Subcommand::new(Action::Delete, "delete", about, examples)
    }

    /// The same by another name; the usual one becomes an alias.
    pub(super) const fn named(self, name: &'static str) -> Subcommand {
        Subcommand { alias: Some(self.name), name, ..self }
    }

    /// The same with flags for these fields only.
    pub(super) const fn only(self, fields: &'static [&'static str]) -> Subcommand {
        Subcommand { only: Some(fields), ..self }
    }

    /// A subcommand that changes an object to fixed values.
    pub(super) const fn giving(
        name: &'static str,
        fixed: &'static [(&'static str, &'static str)],
        about: &'static str,
        examples: &'static [&'static str],
    ) -> Subcommand {
        let subcommand = Subcommand::new(Action::Set, name, about, examples);
        Subcommand { fixed, only: Some(&[]), ..subcommand }
    }
}

/// The owners of a kind's objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Owner {
    /// An account.
    Account,
    /// An account, or the whole server.
    AccountOrServer,
    /// The server, whose accounts they are.
    Server,
}

/// The ways in which people name an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    /// The same name as in the API's paths.
    AsPaths,
    /// An address of the contact, or the name in the API's paths.
    Contact,
    /// The address, which is the object itself.
    Address,
}

/// How the subcommands of a kind are carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// As those of most kinds.
    Plainly,
    /// People name members by addresses, which are looked up.
    Members,
    /// A key has a call of its own.
    Keys,
    /// Lists take words for numbers, and begin by a kind.
    Lists,
}

/// A kind of objects.
#[derive(Debug)]
pub(in crate::cli) struct Kind {
    /// The name of the command.
    pub(super) command: &'static str,
    /// The help text of the command.
    pub(super) about: &'static str,
    /// The kind's section of the API.
    pub(super) section: &'static str,
    /// The noun for one object.
    pub(super) noun: &'static str,
    /// The owner of the objects.
    pub(super) owner: Owner,
    /// Whether the first argument is the list to which the objects belong.
    pub(super) is_of_list: bool,
    /// The field of a new object that is an argument without a flag, and its help; blank for none.
    pub(super) title: &'static str,
    pub(super) title_value: &'static str,
    pub(super) title_help: &'static str,
    /// The naming of existing objects, and its help.
    pub(super) naming: Naming,
    pub(super) object_value: &'static str,
    pub(super) object_help: &'static str,
    /// The subcommands.
    pub(super) subcommands: &'static [Subcommand],
    /// Fields that are not offered as flags.
    pub(super) hidden: &'static [&'static str],
    /// Fields whose values are read from files.
    pub(super) secrets: &'static [&'static str],
    /// Flags that differ from their fields.
    pub(super) words: &'static [Wording],
    /// The heading below which a field's flag stands in the help, if it does not come first.
    pub(super) heading: fn(&str) -> Option<&'static str>,
    /// Further fields that the described call does not have.
    pub(super) more: fn(&Subcommand, &Reference) -> Vec<Field>,
    /// How a subcommand is carried out.
    pub(super) way: Way,
    /// The members that are columns of a table.
    pub(super) columns: &'static [&'static str],
    /// The members of a single object that are shown first.
    pub(super) first: &'static [&'static str],
    /// The text that is printed in place of an empty table.
    pub(super) none: &'static str,
    /// An example of a flag for a change.
    pub(super) change: &'static str,
}

/// Defaults that most kinds share.
pub(super) const PLAIN: Kind = Kind {
    command: "",
    about: "",
    section: "",
    noun: "",
    owner: Owner::Account,
    is_of_list: false,
    title: "",
    title_value: "",
    title_help: "",
    naming: Naming::AsPaths,
    object_value: "ID",
    object_help: "",
    subcommands: &[],
    hidden: &[],
    secrets: &[],
    words: &[],
    heading: |_| None,
    more: |_, _| Vec::new(),
    way: Way::Plainly,
    columns: &[],
    first: &[],
    none: "",
    change: "",
};

/// A flag that differs from its field.
pub(super) const fn word(
    field: &'static str,
    flag: &'static str,
    value: &'static str,
    help: &'static str,
) -> Wording {
    Wording { field, flag, value, help }
}

/// The described fields of a call, but only those of these names.
pub(super) fn fields_of(reference: &Reference, method: &str, path: &str, names: &[&str]) -> Vec<Field> {
    let call = |operation: &&crate::http::reference::Operation| {
        operation.method == method && operation.path.strip_prefix("/api/2/") == Some(path)
    };
    let body = reference.operations.iter().find(call).and_then(|operation| operation.body.as_ref());
    let fields = body.map(|body| body.fields.as_slice()).unwrap_or_default();
    fields.iter().filter(|field| names.contains(&field.name.as_str())).cloned().collect()
}
