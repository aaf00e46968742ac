//! `crier list create` and `crier list set`: they take words and sizes with units where the API takes numbers, and a new
//! list begins by its kind.

use std::borrow::Cow;
use std::process::ExitCode;

use serde_json::{Map, Value, json};

use super::calls::call;
use super::kind::Action;
use super::plain;
use super::target::Target;
use super::told;
use crate::cli::Failure;
use crate::cli::show::cell;
use crate::cli::values::{Problems, parse_kb, parse_size};
use crate::control::calls::Verb;
use crate::model::fields::Plain;
use crate::model::list::{ListChanges, WhoWrites};
use crate::model::{EmailAddress, Language, Moderate, Permission, Worded};
use crate::ops::lists::kinds::{Beginning, ListKind};

/// The flags that are no fields of the API.
pub(super) const KIND: &str = "kind";
pub(super) const WHO_WRITES: &str = "who_writes";

/// The fields that the answer to who writes stands for.
const MODERATE: &str = "moderate";
const LISTS: &str = "restrict_post_lists";
const BANNED: &str = "restrict_post_banned_emails";
const ALLOWED: &str = "restrict_post_allowed_emails";

/// The field with the address for answers, and the word for the list itself.
const REPLY_TO: &str = "reply_to";
const TO_LIST: &str = "list";

/// Runs a subcommand.
pub(super) fn run(target: &Target<'_>) -> Result<ExitCode, Failure> {
    match target.subcommand.action {
        Action::Create => create(target),
        Action::Set => set(target),
        Action::List | Action::Show | Action::Delete => plain::run(target),
    }
}

/// The values of the flags: fields of the API, and words that it does not know.
struct Given {
    params: Map<String, Value>,
    kind: Option<ListKind>,
    who: Option<WhoWrites>,
}

impl Given {
    fn read(target: &Target<'_>) -> Result<Given, Failure> {
        let mut params = target.params()?;
        let mut problems = Problems::default();
        let mut word_of = |name: &str| params.remove(name).map(|value| cell(&value));
        let (kind, who) = (word_of(KIND), word_of(WHO_WRITES));
        let kind = problems.read_option("--kind", kind.as_deref(), parse_word::<ListKind>);
        let who = problems.read_option("--who-writes", who.as_deref(), parse_word::<WhoWrites>);
        if who.is_some() && params.contains_key(MODERATE) {
            problems.note("--who-writes and --moderate say the same: give one of them".to_owned());
        }
        for (name, flag, parse) in [
            ("maxlength", "--maxlength", parse_kb as fn(&str) -> Result<u64, String>),
            ("truncate", "--truncate", parse_size as fn(&str) -> Result<u64, String>),
        ] {
            // '' is none.
            let text = params.get(name).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
            if let Some(size) = text.and_then(|text| problems.read(flag, text, parse)) {
                params.insert(name.to_owned(), size.into());
            }
        }
        if problems.is_empty() { Ok(Given { params, kind, who }) } else { Err(problems.into()) }
    }

    /// Whether answers are to go to the list itself, which is said by a word in place of its address.
    fn answers_to_list(&self) -> bool {
        self.params.get(REPLY_TO).and_then(Value::as_str).is_some_and(|to| to.trim() == TO_LIST)
    }

    /// Adds the fields that the answer to who writes stands for, for the list of this name. Addresses that are banned stay
    /// so, and such as are named now are banned from now on.
    fn answer(&mut self, who: WhoWrites, name: &str, is_banning: bool) {
        let names_some = |value: &Value| value.as_array().is_some_and(|all| all.iter().any(|one| one != ""));
        let is_banning = self.params.get(BANNED).map_or(is_banning, names_some);
        let moderate = Moderate::of(who, is_banning);
        self.params.insert(MODERATE.to_owned(), moderate.bits().into());
        if moderate.has(Moderate::LISTS) && !name.is_empty() {
            self.params.entry(LISTS).or_insert_with(|| json!([name]));
        }
    }
}

fn parse_word<T: Worded>(text: &str) -> Result<T, String> {
    let found = T::ALL.iter().copied().find(|value| value.word() == text.trim());
    found.ok_or_else(|| {
        let words: Vec<&str> = T::ALL.iter().map(|value| value.word()).collect();
        format!("must be one of {}", words.join(", "))
    })
}

/// Makes a list: the settings of its kind, and what other flags say in place of them.
fn create(target: &Target<'_>) -> Result<ExitCode, Failure> {
    let mut given = Given::read(target)?;
    let named = given.kind;
    let kind = named.unwrap_or(ListKind::USUAL);
    if let Some(who) = given.who {
        given.answer(who, "", false);
    }
    let name = target.argument("title");
    let beginning = beginning(target, kind, name, &given.params)?;
    let address = beginning.address.clone();
    let mut params = fields_of(&kind.changes(beginning));
    if given.answers_to_list() {
        // A name that makes no address is refused by itself.
        let own = address.map(|own| own.to_string()).unwrap_or_default();
        given.params.insert(REPLY_TO.to_owned(), own.into());
    }
    params.append(&mut given.params);
    params.insert("name".to_owned(), name.into());
    let made = target.call(Verb::Post, None, params)?;
    told::created(target, &made)?;
    if !target.common.json {
        told::begun(kind, named.is_some(), &made);
    }
    Ok(ExitCode::SUCCESS)
}

fn get(target: &Target<'_>, section: &str, fields: &[&str]) -> Result<Value, Failure> {
    call(&target.common, Verb::Get, &[section], &target.scope, &json!({"fields": fields}))
}

/// The domains and the language of the account.
fn account(target: &Target<'_>) -> Result<Value, Failure> {
    get(target, "accounts", &["domains", "language"])
}

/// The address of a list at the main domain of an account; `None` if its name makes none.
fn own_address(account: &Value, name: &str) -> Option<EmailAddress> {
    let mut domains = account["domains"].as_array().into_iter().flatten();
    let main = domains.find(|domain| domain["is_main"] == true).map(|domain| cell(&domain["name"]))?;
    EmailAddress::parse(&format!("{name}@{main}")).ok()
}

/// The facts of a new list: the language and the domain of its account, and who writes its announcements.
fn beginning(
    target: &Target<'_>,
    kind: ListKind,
    name: &str,
    given: &Map<String, Value>,
) -> Result<Beginning, Failure> {
    let account = account(target)?;
    let address = own_address(&account, name);
    let names_writers = given.contains_key(ALLOWED) || given.contains_key(MODERATE);
    let writers = if kind == ListKind::Announcements && !names_writers {
        // Whoever administers the account writes, as on the page whoever makes the list.
        let admins = get(target, "admins", &["username", "permissions"])?;
        let may_all = |admin: &&Value| {
            let mut permissions = admin["permissions"].as_array().into_iter().flatten();
            permissions.any(|permission| permission == Permission::AccountAdmin.word())
        };
        let rows = admins["data"].as_array().map(Vec::as_slice).unwrap_or_default();
        rows.iter()
            .filter(may_all)
            .filter_map(|admin| EmailAddress::parse(&cell(&admin["username"])).ok())
            .collect()
    } else {
        Vec::new()
    };
    let language = Language::from_word(&cell(&account["language"])).unwrap_or_default();
    Ok(Beginning { language, address, writers })
}

/// The settings of a kind as the parameters of a call.
fn fields_of(changes: &ListChanges) -> Map<String, Value> {
    let json = |value: Plain<'_>| match value {
        Plain::Null => Value::Null,
        Plain::Truth(truth) => truth.into(),
        Plain::Number(number) => number.into(),
        Plain::Text(text) => text.into_owned().into(),
        Plain::Texts(texts) => texts.into_iter().map(Cow::into_owned).collect(),
    };
    changes.given().into_iter().map(|setting| (setting.name.to_owned(), json(setting.value))).collect()
}

fn set(target: &Target<'_>) -> Result<ExitCode, Failure> {
    let mut given = Given::read(target)?;
    if given.params.is_empty() && given.who.is_none() {
        return Err(plain::nothing_to_change(target));
    }
    let name = target.argument("object");
    if let Some(who) = given.who {
        let fields = Map::from_iter([("fields".to_owned(), json!("moderate"))]);
        let list = target.call(Verb::Get, Some(name), fields)?;
        let bits = list[MODERATE].as_u64().unwrap_or(0);
        given.answer(who, name, bits & u64::from(Moderate::BANNED_EMAILS) != 0);
    }
    if given.answers_to_list() {
        let own = own_address(&account(target)?, name).map(|own| own.to_string()).unwrap_or_default();
        given.params.insert(REPLY_TO.to_owned(), own.into());
    }
    let answer = target.call(Verb::Put, Some(name), given.params)?;
    told::changed(target, &answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_word_is_answered_with_those_there_are() {
        assert_eq!(parse_word::<ListKind>("private"), Ok(ListKind::Private));
        let told = "must be one of everybody, members, members-approved, addresses, moderators, \
                    members-addresses, members-addresses-approved";
        assert_eq!(parse_word::<WhoWrites>("friends"), Err(told.to_owned()));
    }
}
