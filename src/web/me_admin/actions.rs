//! The actions of the forms on an administrator's own page.

use std::sync::Arc;

use axum::http::StatusCode;
use axum::response::Response;

use super::{OwnPage, PATH, own, own_path};
use crate::locale::text;
use crate::model::{OauthGrantId, SessionId};
use crate::ops::accounts::admins::invite;
use crate::ops::accounts::factors;
use crate::ops::oauth::grants;
use crate::web::context::Context;
use crate::web::devices;
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::login::again::{admin_of, is_proven};
use crate::web::login::code::{Unsent, send_text};
use crate::web::password;

/// Digits that a telephone number has in E.164, the country's included.
const NUMBER_DIGITS: std::ops::RangeInclusive<usize> = 8..=15;

/// `POST /admin/me/`, with `action` and the fields of its form.
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    match context.form.get("action") {
        "password" => change_password(&context).await,
        verb @ ("otp" | "sms" | "confirm" | "cancel" | "recovery" | "factor_off") => {
            match context.ask_again(&own_path(&context))? {
                Some(asked) => Ok(asked),
                None => factor(&context, verb).await,
            }
        }
        "revoke-grant" => revoke_grant(&context).await,
        _ => {
            if let Some(response) = devices::act_on_sessions(&context).await? {
                return Ok(response);
            }
            refuse(&context, "devices", text!(context.language, "problem-no-button"))
        }
    }
}

/// Takes back what the person has allowed an application.
async fn revoke_grant(context: &Context) -> PageResult {
    let id = OauthGrantId(context.form.get("id").parse().map_err(|_| PageError::BadRequest)?);
    let caller = context.person()?;
    // Whoever manages administrators takes back what others allowed on a page of theirs.
    let (core, admin) = (&context.core, admin_of(context)?);
    let own = grants::of_admin(&context.read()?, admin.account_or_server(), admin.id, core.now())?;
    if !own.iter().any(|grant| grant.id == id) {
        return Err(PageError::NotFound);
    }
    core.perform_reserved(&caller, move |tx, by| grants::revoke(tx, &by.caller, id, by.now)).await?;
    Ok(at(context, "?done=grant"))
}

async fn factor(context: &Arc<Context>, verb: &str) -> PageResult {
    let (core, caller) = (&context.core, context.person()?);
    let (admin, session) = (admin_of(context)?.id, context.session()?.id);
    match verb {
        "otp" => {
            let secret = factors::new_secret(&core.secrets);
            core.perform(&caller, move |tx, by| factors::begin_totp(tx, by, admin, secret)).await?;
            Ok(at(context, "#setup"))
        }
        "sms" => begin_phone(context).await,
        "confirm" => confirm(context, session).await,
        "cancel" => {
            core.perform(&caller, move |tx, by| factors::cancel(tx, by, admin)).await?;
            Ok(at(context, ""))
        }
        "recovery" => {
            let codes = factors::new_recovery_codes(&core.secrets);
            let stored = codes.clone();
            core.perform(&caller, move |tx, by| factors::renew_recovery(tx, by, admin, &stored)).await?;
            let done = text!(context.language, "own-recovery-done");
            context.show(&OwnPage { done, recovery: codes, ..own(context, FieldProblems::default())? })
        }
        _ => {
            core.perform(&caller, move |tx, by| factors::take_off(tx, by, admin, session)).await?;
            Ok(at(context, "?done=factor_off"))
        }
    }
}

/// Sends the browser to the page again.
fn at(context: &Context, rest: &str) -> Response {
    let path = own_path(context);
    let rest = if path == PATH { rest.to_owned() } else { rest.replacen('?', "&", 1) };
    context.see_other(&format!("{path}{rest}"))
}

/// Shows the page with the problem of a field.
fn refuse(context: &Context, field: &str, problem: String) -> PageResult {
    let page = own(context, FieldProblems::one(field, problem))?;
    context.html(StatusCode::BAD_REQUEST, &page)
}

/// Ends the set-up of a factor with its first code, and shows the recovery codes, once.
async fn confirm(context: &Context, session: SessionId) -> PageResult {
    let (core, admin) = (&context.core, admin_of(context)?.id);
    let codes = factors::new_recovery_codes(&core.secrets);
    let (typed, stored) = (context.form.get("code").to_owned(), codes.clone());
    let caller = context.person()?;
    let confirmed =
        core.perform(&caller, move |tx, by| factors::confirm(tx, by, admin, &typed, &stored, session));
    if !confirmed.await? {
        return refuse(context, "code", text!(context.language, "own-code-wrong"));
    }
    let done = text!(context.language, "own-factor-done");
    context.show(&OwnPage { done, recovery: codes, ..own(context, FieldProblems::default())? })
}

/// A telephone number in E.164 form; spaces, hyphens and brackets are left out.
fn number_of(typed: &str) -> Option<String> {
    let number: String = typed.chars().filter(|letter| !" -()/.\u{a0}".contains(*letter)).collect();
    let digits = number.strip_prefix('+')?;
    let is_number = NUMBER_DIGITS.contains(&digits.len())
        && digits.bytes().all(|byte| byte.is_ascii_digit())
        && !digits.starts_with('0');
    is_number.then_some(number)
}

async fn begin_phone(context: &Context) -> PageResult {
    if context.core.config.sms_webhook.is_none() {
        return Err(PageError::BadRequest);
    }
    let Some(number) = number_of(context.form.get("phone")) else {
        return refuse(context, "phone", text!(context.language, "own-phone-wrong"));
    };
    let (core, admin) = (&context.core, admin_of(context)?.id);
    let digits = factors::new_sent_code(&core.secrets);
    let (to, stored) = (number.clone(), digits.clone());
    let caller = context.person()?;
    let begun = core.perform(&caller, move |tx, by| factors::begin_phone(tx, by, admin, to, &stored));
    let sent = match begun.await? {
        Ok(()) => send_text(context, &number, &digits).await,
        Err(until) => Err(Unsent::NotBefore(until)),
    };
    match sent {
        Ok(()) => Ok(at(context, "#setup")),
        Err(unsent) => refuse(context, "phone", unsent.words(context)),
    }
}

async fn change_password(context: &Arc<Context>) -> PageResult {
    let admin = admin_of(context)?;
    let (present, new) = (context.form.get("password"), context.form.get("new_password").to_owned());
    if admin.authn_provider.is_some() {
        return Err(PageError::BadRequest);
    }
    if let Err(error) = invite::check_password(&new, admin.username.as_ref()) {
        return refuse(context, "new_password", password::words(error, context.language));
    }
    if present.is_empty() || !is_proven(context, &admin, present.to_owned()).await? {
        return refuse(context, "password", text!(context.language, "login-again-wrong"));
    }
    let (core, session) = (&context.core, context.session()?.id);
    let hash = core.passwords.hash(&core.secrets, new).await?;
    core.perform(&context.person()?, move |tx, by| factors::change_password(tx, by, admin.id, hash, session))
        .await?;
    Ok(at(context, "?done=password"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn telephone_numbers_are_read_in_international_form() {
        assert_eq!(number_of(" +49 (151) 123-456 78").as_deref(), Some("+4915112345678"));
        for wrong in ["", "0151 12345678", "+49", "+0151123456", "+49 151 CALL", "+4915112345678901"] {
            assert_eq!(number_of(wrong), None, "{wrong}");
        }
    }
}
