//! "People who look after this list" on the page of a list: who they are, and what the reader may give others. `ops` decides
//! who may.

use crate::locale::text;
use crate::model::{Account, Admin, EmailAddress, Language, List, Permission};
use crate::ops::accounts::admins::delegation as ops;
use crate::ops::authority::is_limit;
use crate::store::ReadTx;
use crate::web::admin::account::administrator_table::{permission_choices, permission_words};
use crate::web::admin::parts::fields::Choice;
use crate::web::context::Context;
use crate::web::error::PageError;

/// The section of a list's page.
pub(super) struct Helpers {
    pub(super) people: Vec<Helper>,
    /// The rights that the reader may give: the word, its name, and whether it is ticked.
    pub(super) rights: Vec<(&'static str, String, bool)>,
    /// The values that were sent.
    pub(super) username: String,
    pub(super) firstname: String,
    pub(super) surname: String,
}

/// Somebody who looks after a list.
pub(super) struct Helper {
    pub(super) id: u64,
    pub(super) name: String,
    pub(super) address: String,
    /// The person's rights, in words.
    pub(super) rights: Vec<String>,
    pub(super) is_reader: bool,
}

/// The section, for readers who may delegate the list.
pub(super) fn view(
    context: &Context,
    tx: &ReadTx,
    account: &Account,
    list: &List,
) -> Result<Option<Helpers>, PageError> {
    let (caller, language) = (context.administrator()?, context.language);
    if !ops::may_delegate(account, caller) {
        return Ok(None);
    }
    let helper = |admin: Admin| Helper {
        id: admin.id.0,
        name: [&*admin.firstname, &*admin.surname].join(" ").trim().to_owned(),
        address: admin.username.as_ref().map(EmailAddress::to_string).unwrap_or_default(),
        rights: admin
            .permissions
            .iter()
            .filter(|right| !is_limit(**right))
            .map(|right| permission_words(language, *right))
            .collect(),
        is_reader: caller.is_admin(admin.id),
    };
    let is_sent = context.form.get("action") == "invite";
    let sent: Vec<&str> = context.form.all("permissions").collect();
    // Most who look after a list approve; more than that is given on purpose.
    let first = Permission::ApproveMessages.word();
    let is_on = |word: &str| if is_sent { sent.contains(&word) } else { word == first };
    let right = |choice: &Choice| (choice.value, (choice.label)(language), is_on(choice.value));
    let allowed = ops::to_give(caller);
    let is_allowed = |choice: &&Choice| allowed.iter().any(|right| right.word() == choice.value);
    let typed = |name: &str| if is_sent { context.form.get(name).to_owned() } else { String::new() };
    Ok(Some(Helpers {
        people: ops::of_list(tx, list)?.into_iter().map(helper).collect(),
        rights: permission_choices().iter().filter(is_allowed).map(right).collect(),
        username: typed("username"),
        firstname: typed("firstname"),
        surname: typed("surname"),
    }))
}

/// The message about a change that was just made.
pub(super) fn told(language: Language, word: &str) -> Option<String> {
    match word {
        "invited" => Some(text!(language, "helpers-invited")),
        "taken-out" => Some(text!(language, "helpers-taken-out")),
        _ => None,
    }
}
