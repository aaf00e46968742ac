//! The page of an administrator about itself: the password, the second factor, the sessions and the applications that
//! it has allowed. Nobody else's are shown or changed here.
//!
//! Changes of the factor ask for the password again where it was given a while ago; a new password takes the present
//! one. Keys and recovery codes are shown once, in the answer to the form that made them.

pub(super) mod actions;
mod qr;

use askama::Template;

use super::context::Context;
use super::devices::{self, DeviceRow};
use super::error::{PageError, PageResult};
use super::form::FieldProblems;
use super::frame::Frame;
use super::heading::title_of;
use super::login::again::admin_of;
use super::login::code::end_of;
use super::oauth::scope_words;
use super::paths::{self, next_path, with_next};
use crate::locale::text;
use crate::model::{Admin, Factor, SecondFactor};
use crate::ops::accounts::admins::invite::PASSWORD_CHARS_MIN;
use crate::ops::accounts::factors;
use crate::ops::oauth::grants::{self, GrantDetail};
use qr::Picture;

/// The path of the page.
const PATH: &str = paths::OWN_PAGE;

/// The path of the page below the root of the site. It keeps the path of the page, `next`, that led here because
/// something is missing.
fn own_path(context: &Context) -> String {
    with_next(PATH, &next_path(context.query.get("next")))
}

#[derive(Template)]
#[template(path = "me_admin.html", config = "src/web/askama.toml")]
struct OwnPage {
    frame: Frame,
    csrf: String,
    action: String,
    problems: FieldProblems,
    /// The page to go on with, once nothing is missing for it; blank if there is none.
    next: String,
    /// The last action, as a sentence; blank if there is none.
    done: String,
    username: String,
    /// Whether the person has a password here, and none at a provider.
    has_password: bool,
    chars_min: usize,
    factor: FactorView,
    setup: Option<SetupView>,
    /// Recovery codes that were just made.
    recovery: Vec<String>,
    /// The number that the person typed.
    phone: String,
    devices: Vec<DeviceRow>,
    /// The applications that the person has allowed something.
    grants: Vec<GrantRow>,
}

/// An application that the person has allowed something.
struct GrantRow {
    id: u64,
    application: String,
    /// Its rights, as a list of words.
    scopes: Vec<String>,
    made: String,
    last_use: String,
}

/// The factor that is asked for.
struct FactorView {
    /// The words for it; blank if there is none.
    words: String,
    /// Whether somebody asks the person to set one up.
    is_asked: bool,
    recovery_left: usize,
    has_sms: bool,
}

/// A factor that is being set up.
struct SetupView {
    /// The QR code of an authenticator app's key.
    picture: Option<Picture>,
    /// The key as letters; blank for a telephone.
    letters: String,
    /// The number to which a code was sent; blank for an authenticator app.
    number: String,
}

/// `GET /admin/me/`
pub(super) fn page(context: &Context) -> PageResult {
    let language = context.language;
    let done = match context.query.get("done") {
        "revoke" => text!(language, "devices-revoked"),
        "password" => text!(language, "own-password-done"),
        "factor_off" => text!(language, "own-factor-off-done"),
        "grant" => text!(language, "own-grant-done"),
        _ => String::new(),
    };
    context.show(&OwnPage { done, ..own(context, FieldProblems::default())? })
}

/// The page with the problems of a form.
fn own(context: &Context, problems: FieldProblems) -> Result<OwnPage, PageError> {
    let admin = admin_of(context)?;
    let row = factors::find(&context.read()?, &admin)?;
    let factor = factor_view(context, &admin, &row);
    let next = if factor.is_asked { String::new() } else { next_path(context.query.get("next")) };
    Ok(OwnPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(&own_path(context)),
        problems,
        next,
        done: String::new(),
        username: admin.username.as_ref().map(ToString::to_string).unwrap_or_default(),
        has_password: admin.authn_provider.is_none(),
        chars_min: PASSWORD_CHARS_MIN,
        setup: setup_view(context, &admin, &row),
        factor,
        recovery: Vec::new(),
        phone: context.form.get("phone").trim().to_owned(),
        devices: devices::rows(context)?,
        grants: grant_rows(context, &admin)?,
    })
}

fn grant_rows(context: &Context, admin: &Admin) -> Result<Vec<GrantRow>, PageError> {
    let (tx, locale) = (context.read()?, context.locale());
    let found = grants::of_admin(&tx, admin.account_or_server(), admin.id, context.core.now())?;
    let row = |grant: GrantDetail| GrantRow {
        id: grant.id.0,
        application: grant.application,
        scopes: grant.scopes.iter().map(|scope| scope_words(context.language, *scope)).collect(),
        made: locale.moment(grant.made),
        last_use: locale.moment(grant.last_use),
    };
    Ok(found.into_iter().map(row).collect())
}

fn factor_view(context: &Context, admin: &Admin, row: &SecondFactor) -> FactorView {
    let language = context.language;
    let words = match &row.factor {
        Some(Factor::Totp(_)) => text!(language, "own-factor-otp"),
        Some(Factor::Phone(number)) => text!(language, "own-factor-sms", digits = end_of(number)),
        None => String::new(),
    };
    FactorView {
        words,
        is_asked: row.factor.is_none() && admin.mfa_type.is_some(),
        recovery_left: row.recovery.len(),
        has_sms: context.core.config.sms_webhook.is_some(),
    }
}

fn setup_view(context: &Context, admin: &Admin, row: &SecondFactor) -> Option<SetupView> {
    let view = match row.setup.as_ref()? {
        Factor::Totp(secret) => {
            let username = admin.username.as_ref().map(ToString::to_string).unwrap_or_default();
            let issuer = context.account.as_ref().map(title_of);
            let issuer = issuer.as_deref().unwrap_or("Crier");
            let picture = qr::picture(&qr::uri(*secret, issuer, &username));
            SetupView { picture, letters: qr::letters(*secret), number: String::new() }
        }
        Factor::Phone(number) => SetupView { picture: None, letters: String::new(), number: number.clone() },
    };
    Some(view)
}
