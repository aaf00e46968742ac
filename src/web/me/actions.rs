//! Carries out the forms of a member's first page: each verb is one operation of `ops::people::own`.

use std::sync::Arc;

use axum::http::StatusCode;

use super::overview::{self, Told, UNTIL_ID, address_id, digest_id, field_id, list_id};
use super::sign_in::{problem_of_address, too_many};
use crate::clock::Timestamp;
use crate::locale::text;
use crate::model::{EmailAddress, EmailId, ListId};
use crate::ops::patterns::Permit;
use crate::ops::people::memberships::MemberSettings;
use crate::ops::people::own::addresses::{self, Added, Beside, Changed};
use crate::ops::people::own::lists;
use crate::ops::people::own::{self, NameField, NameInput, NameProblem, TextProblem};
use crate::ops::people::requests::Outcome;
use crate::ops::people::subscribe::{self, Leaving, Place, Standing};
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;

/// The result of a form: what was done, or what is wrong with it.
type Done = Result<Told, FieldProblems>;

/// `POST /members/` by a member.
pub(super) async fn act(context: Arc<Context>) -> PageResult {
    let done = match context.form.get("action") {
        _ if context.form.has("firstname") || context.form.has("surname") => set_name(&context).await?,
        verb @ ("pause" | "resume") if !context.form.has("address") => be_away(&context, verb).await?,
        verb @ ("first" | "remove" | "pause" | "resume") => change_address(&context, verb).await?,
        "add" => add_address(&context, Beside::All).await?,
        "move" => add_address(&context, Beside::InPlaceOf(email_of(&context)?)).await?,
        "join" => join(&context).await?,
        "leave" => leave(&context).await?,
        "rejoin" => rejoin(&context).await?,
        "" if context.form.has("address") => set_address_digest(&context).await?,
        "" if context.form.has("list") => set_list(&context).await?,
        _ => Err(FieldProblems::one("lists", text!(context.language, "problem-no-button"))),
    };
    match done {
        Ok(told) => context.show(&overview::page(&context, Some(told), FieldProblems::default())?),
        Err(problems) => context.html(StatusCode::BAD_REQUEST, &overview::page(&context, None, problems)?),
    }
}

fn told(text: String) -> Told {
    Told { text, undo: None }
}

/// The address that a form is about.
fn email_of(context: &Context) -> Result<EmailId, PageError> {
    context.form.get("address").parse().map(EmailId).map_err(|_| PageError::NotFound)
}

/// The list that a form is about.
fn list_of(context: &Context) -> Result<ListId, PageError> {
    context.form.get("list").parse().map(ListId).map_err(|_| PageError::NotFound)
}

async fn set_name(context: &Context) -> Result<Done, PageError> {
    let caller = context.person()?;
    let me = own::me(&context.read()?, &caller)?;
    let form = &context.form;
    let sent = |name: &str| form.has(name).then(|| form.get(name).to_owned());
    let custom = me.fields.iter().filter_map(|field| Some((field.id, sent(field.key())?)));
    let input =
        NameInput { firstname: sent("firstname"), surname: sent("surname"), custom: custom.collect() };
    let changed = context.core.perform(&caller, move |tx, by| own::set_name(tx, by, input)).await?;
    let language = context.language;
    let Err(found) = changed else { return Ok(Ok(told(text!(language, "me-done-name")))) };
    let mut problems = FieldProblems::default();
    for NameProblem { field, problem } in found {
        let id = match field {
            NameField::FirstName => "firstname".to_owned(),
            NameField::Surname => "surname".to_owned(),
            NameField::Custom(id) => {
                me.fields.iter().find(|field| field.id == id).map(field_id).unwrap_or_default()
            }
        };
        let words = match problem {
            TextProblem::TooLong { chars_max } => text!(language, "me-too-long", count = chars_max),
            TextProblem::Unprintable => text!(language, "me-unprintable"),
        };
        problems.add(id, words);
    }
    Ok(Err(problems))
}

/// `add` and `move`: the owner of the address confirms first. The answer is the same whether somebody has it or not.
async fn add_address(context: &Context, beside: Beside) -> Result<Done, PageError> {
    let (caller, language) = (context.person()?, context.language);
    let typed = context.form.get("email").trim();
    let Ok(address) = EmailAddress::parse(typed) else {
        return Ok(Err(FieldProblems::one("email", problem_of_address(language, typed))));
    };
    let text = address.to_string();
    if context.core.may_add_address(caller.account, &address).await? != Permit::Granted {
        return Ok(Err(FieldProblems::one("email", text!(language, "join-email-refused"))));
    }
    let adding = context.core.perform(&caller, move |tx, by| {
        addresses::ask_to_add(tx, by, address, beside) //
    });
    match adding.await? {
        Added::Asked => Ok(Ok(told(match beside {
            Beside::All => text!(language, "me-done-add", address = text),
            Beside::InPlaceOf(_) => text!(language, "me-done-move", address = text),
        }))),
        Added::OwnAlready => Ok(Err(FieldProblems::one("email", text!(language, "me-own-already")))),
        Added::TooMany(until) => Err(too_many(context, until)),
    }
}

/// `join`: the member's address is confirmed already.
async fn join(context: &Context) -> Result<Done, PageError> {
    let (list, caller, language) = (list_of(context)?, context.person()?, context.language);
    let core = &context.core;
    let address = lists::joining_address(&context.read()?, &caller)?;
    let title = place_of(context, list)?.list.title().to_owned();
    if core.may_join_further(caller.account, &address).await? != Permit::Granted {
        return Ok(Err(FieldProblems::one(
            "open",
            text!(language, "me-join-refused", address = &address.to_string()),
        )));
    }
    match core.perform(&caller, move |tx, by| lists::join(tx, by, list, &address)).await? {
        Outcome::Joined | Outcome::AlreadyMember => {
            Ok(Ok(told(text!(language, "me-done-join", list = title))))
        }
        Outcome::WaitsForApproval => Ok(Ok(told(text!(language, "me-done-join-waits", list = title)))),
        _ => Err(PageError::NotFound),
    }
}

/// The end of a pause that the form asks for: a day in `until`, or none.
fn until_of(context: &Context) -> Result<Result<Option<Timestamp>, FieldProblems>, PageError> {
    let day = context.form.get("until").trim();
    if day.is_empty() {
        return Ok(Ok(None));
    }
    let me = own::me(&context.read()?, &*context.person()?)?;
    let end = addresses::end_of_pause(&me.account, day, context.core.now());
    let wrong = || FieldProblems::one(UNTIL_ID, text!(context.language, "me-until-wrong"));
    Ok(end.map(Some).ok_or_else(wrong))
}

/// `pause` and `resume` of no address: the member goes away until a day, and comes back.
async fn be_away(context: &Context, verb: &str) -> Result<Done, PageError> {
    let (caller, language, core) = (context.person()?, context.language, &context.core);
    if verb == "resume" {
        core.perform(&caller, addresses::come_back).await?;
        return Ok(Ok(told(text!(language, "me-done-back"))));
    }
    let until = match until_of(context)? {
        Ok(until) => until,
        Err(problems) => return Ok(Err(problems)),
    };
    match core.perform_reserved(&caller, move |tx, by| addresses::go_away(tx, by, until)).await? {
        Changed::PausedByServer => {
            Ok(Err(FieldProblems::one("addresses", text!(language, "me-paused-already"))))
        }
        Changed::Done | Changed::LastAddress => Ok(Ok(told(match until {
            Some(until) => text!(language, "me-done-away-until", day = context.locale().day(until)),
            None => text!(language, "me-done-away"),
        }))),
    }
}

/// `first`, `remove`, `pause` and `resume`.
async fn change_address(context: &Context, verb: &str) -> Result<Done, PageError> {
    let (email, caller, language) = (email_of(context)?, context.person()?, context.language);
    let address = own_address(context, email)?;
    let until = match until_of(context)? {
        Ok(until) => until,
        Err(problems) if verb == "pause" => return Ok(Err(problems)),
        Err(_) => None,
    };
    let core = &context.core;
    let changed = match verb {
        "first" => core.perform(&caller, move |tx, by| addresses::put_first(tx, by, email)).await?,
        "remove" => core.perform_reserved(&caller, move |tx, by| addresses::remove(tx, by, email)).await?,
        "pause" => {
            core.perform_reserved(&caller, move |tx, by| addresses::pause(tx, by, email, until)).await?
        }
        _ => core.perform(&caller, move |tx, by| addresses::resume(tx, by, email)).await?,
    };
    Ok(match changed {
        Changed::Done => Ok(told(match (verb, until) {
            ("first", _) => text!(language, "me-done-first", address = address),
            ("remove", _) => text!(language, "me-done-remove", address = address),
            ("pause", Some(until)) => {
                text!(language, "me-done-pause-until", address = address, day = context.locale().day(until))
            }
            ("pause", None) => text!(language, "me-done-pause", address = address),
            _ => text!(language, "me-done-resume", address = address),
        })),
        Changed::LastAddress => {
            Err(FieldProblems::one(address_id(email.0), text!(language, "me-last-address")))
        }
        Changed::PausedByServer => {
            Err(FieldProblems::one(address_id(email.0), text!(language, "me-paused-already")))
        }
    })
}

/// The text of an address of the member.
fn own_address(context: &Context, id: EmailId) -> Result<String, PageError> {
    let tx = context.read()?;
    let caller = context.person()?;
    let me = own::me(&tx, &caller)?;
    let mut own = addresses::list(&tx, &me.contact)?.into_iter();
    let found = own.find(|own| own.email.id == id).ok_or(PageError::NotFound)?;
    Ok(found.email.address.to_string())
}

/// The box for daily digests of an address.
async fn set_address_digest(context: &Context) -> Result<Done, PageError> {
    let (email, caller, language) = (email_of(context)?, context.person()?, context.language);
    let address = own_address(context, email)?;
    let digest = !context.form.get("digest").is_empty();
    let core = &context.core;
    core.perform(&caller, move |tx, by| addresses::set_digest(tx, by, email, digest)).await?;
    Ok(Ok(told(if digest {
        text!(language, "me-done-digest", address = address)
    } else {
        text!(language, "me-done-single", address = address)
    })))
}

/// How the messages of a list come: one choice, `digest`, which is `none` for nothing; or `digest` with the box `paused`.
async fn set_list(context: &Context) -> Result<Done, PageError> {
    let (list, caller, language) = (list_of(context)?, context.person()?, context.language);
    let digest = match context.form.get("digest") {
        "" => Some(None),
        "0" => Some(Some(false)),
        "1" => Some(Some(true)),
        // What is set beside the pause is how mail comes after it.
        "none" => None,
        _ => return Ok(Err(FieldProblems::one(digest_id(list.0), text!(language, "me-digest-wrong")))),
    };
    let paused = digest.is_none() || !context.form.get("paused").is_empty();
    let settings = MemberSettings { digest, paused: Some(paused) };
    let set = context.core.perform(&caller, move |tx, by| lists::set(tx, by, list, settings)).await?;
    let list = set.title();
    Ok(Ok(told(match (paused, digest.flatten()) {
        (true, _) => text!(language, "me-done-how-none", list = list),
        (false, Some(true)) => text!(language, "me-done-how-digest", list = list),
        (false, Some(false)) => text!(language, "me-done-how-single", list = list),
        (false, None) => text!(language, "me-done-list", list = list),
    })))
}

async fn leave(context: &Context) -> Result<Done, PageError> {
    let (list, caller, language) = (list_of(context)?, context.person()?, context.language);
    let title = place_of(context, list)?.list.title().to_owned();
    let asking = context.core.perform_reserved(&caller, move |tx, by| {
        subscribe::ask_to_leave(tx, &by.caller, list, by.now) //
    });
    match asking.await? {
        Leaving::Left => {
            let undo = (place_of(context, list)?.standing == Standing::Left).then_some(list);
            Ok(Ok(Told { text: text!(language, "goodbye-title", list = title), undo }))
        }
        Leaving::Waits => Ok(Ok(told(text!(language, "me-done-leave-waits", list = title)))),
        Leaving::NoMember => Err(PageError::NotFound),
        Leaving::Closed => Ok(Err(FieldProblems::one(list_id(list.0), text!(language, "me-leave-closed")))),
    }
}

async fn rejoin(context: &Context) -> Result<Done, PageError> {
    let (list, caller, language) = (list_of(context)?, context.person()?, context.language);
    let title = place_of(context, list)?.list.title().to_owned();
    let undoing = context.core.perform(&caller, move |tx, by| {
        subscribe::undo_leave(tx, &by.caller, list, by.now) //
    });
    match undoing.await? {
        Standing::Member | Standing::Waiting => {
            Ok(Ok(told(text!(language, "welcome-back-title", list = title))))
        }
        Standing::Left | Standing::Gone => Err(PageError::NotFound),
    }
}

/// The list of a form, with the member's standing there.
fn place_of(context: &Context, list: ListId) -> Result<Place, PageError> {
    let (tx, caller) = (context.read()?, context.person()?);
    let me = own::me(&tx, &caller)?;
    let place = subscribe::place(&tx, me.contact.id, list, context.core.now())?;
    place.ok_or(PageError::NotFound)
}
