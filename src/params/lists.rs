//! Reads the settings of mailing lists.

use std::ops::{Deref, DerefMut};

use super::fields::reader;
use super::parse::{As, LINE_CHARS_MAX, Parse, as_it_is, integer, line, word};
use super::shape::Shaped as _;
use super::{Params, ReadError};
use crate::clock::Timestamp;
use crate::mail::template::Template;
use crate::model::list::{CLID_CHARS_MAX, MAXLENGTH_KB_MAX, Topic, list_fields};
use crate::model::{Account, AccountId, EmailAddress, ListId, ListName, Moderate, Permission};
use crate::ops::lists::{self as ops, ListChanges, ListInput};
use crate::ops::patterns::PatternField;
use crate::ops::{Caller, Change, Wrong};
use crate::service::Core;

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
    let Given { changes, restrict_post_lists, password } = read(params, account);
    let archive_password_hash = match password {
        None => None,
        Some(None) => Some(None),
        Some(Some(password)) => Some(Some(core.passwords.hash(&core.secrets, password).await?)),
    };
    let mut problems = params.take_problems();
    let fields = pattern_fields(core, caller, name, &changes)?;
    core.check_patterns(account.id, fields, &mut problems).await;
    Ok(ListInput { changes, restrict_post_lists, archive_password_hash, problems })
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

/// Records the fields that can be set.
pub(crate) fn fields(params: &mut Params) {
    read(params, &Account::new(AccountId::SERVER, String::new(), Timestamp::default()));
}

/// The values that a call gives.
struct Given {
    changes: ListChanges,
    restrict_post_lists: Change<Vec<String>>,
    /// The password of the archive, of which only a hash is stored.
    password: Change<Option<String>>,
}

/// Reads the settings of a list, topic by topic.
fn read(params: &mut Params, account: &Account) -> Given {
    params.read_only(&["id", "created", "contacts", "pending"]);
    let custom = custom_names(account);
    let mut reader = Reader { params, custom, restrict_post_lists: None };
    let (mut changes, mut password) = (ListChanges::default(), None);
    for topic in Topic::ALL {
        read_topic(&mut reader, *topic, &mut changes);
        if *topic == Topic::Archive {
            password = reader.nullable_text("archive_password");
        }
    }
    Given { changes, restrict_post_lists: reader.restrict_post_lists, password }
}

list_fields! { reader fn read_topic(Reader<'_>) -> ListChanges }

/// Reads parameters in the ways that the rows of lists name: those of [`Params`], and some of their own.
struct Reader<'a> {
    params: &'a mut Params,
    /// The names that `${…}` may use in templates.
    custom: Vec<&'a str>,
    restrict_post_lists: Change<Vec<String>>,
}

impl Deref for Reader<'_> {
    type Target = Params;

    fn deref(&self) -> &Params {
        self.params
    }
}

impl DerefMut for Reader<'_> {
    fn deref_mut(&mut self) -> &mut Params {
        self.params
    }
}

impl Reader<'_> {
    /// Reads a template.
    fn template(&mut self, name: &str) -> Change<String> {
        let custom = &self.custom;
        self.params.parsed(name, |text: &str| Template::parse(text, custom).map(|_| text.to_owned()))
    }

    /// Reads a template that may be undefined.
    fn nullable_template(&mut self, name: &str) -> Change<Option<String>> {
        let custom = &self.custom;
        self.params.nullable(name, |text: &str| Template::parse(text, custom).map(|_| text.to_owned()))
    }

    /// Reads a value that may be undefined, which one client program sends under another name.
    fn nullable_or<P: Parse>(&mut self, name: &str, other: &str, parse: P) -> Change<Option<P::Value>> {
        let value = self.nullable(name, parse);
        let by_other_name = self.nullable(other, parse);
        value.or(by_other_name)
    }

    /// Reads names of lists. Nothing changes by them alone: the operation looks the lists up.
    fn lists(&mut self, name: &str) -> Change<Vec<ListId>> {
        self.restrict_post_lists = self.params.parsed_names(name, As(ListName::shape, as_it_is));
        None
    }
}

/// Reads a combination of posting restrictions.
fn moderate(text: &str) -> Result<Moderate, Wrong> {
    let bits = integer(0, 31).parse(text)?;
    Moderate::from_bits(bits).map_err(Wrong::from)
}

/// The names that `${…}` may use in templates: identifiers and names of the account's custom fields.
pub(crate) fn custom_names(account: &Account) -> Vec<&str> {
    let fields = account.custom_fields.iter();
    fields.flat_map(|field| field.identifier.as_deref().into_iter().chain([field.name.as_str()])).collect()
}
