//! The form by which administrators sign in: for address and password, with the other ways.

use askama::Template;
use axum::http::StatusCode;

use super::providers::{self, ProviderButton};
use crate::locale::text;
use crate::model::EmailAddress;
use crate::web::context::Context;
use crate::web::error::PageResult;
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;
use crate::web::me::sign_in::problem_of_address;
use crate::web::paths::{FORGOTTEN, LOGIN, MEMBERS, next_path};

#[derive(Template)]
#[template(path = "login.html", config = "src/web/askama.toml")]
struct LoginPage {
    frame: Frame,
    csrf: String,
    action: String,
    problems: FieldProblems,
    /// The address that the visitor typed.
    username: String,
    next: String,
    providers: Vec<ProviderButton>,
    forgotten: String,
    members: String,
}

/// `GET /login/`, with `next`, the path of a page of this host.
pub(in crate::web) fn page(context: &Context) -> PageResult {
    let next = next_path(context.query.get("next"));
    context.show(&form(context, next, FieldProblems::default()))
}

/// The address in the form, or its problem.
pub(super) fn address_of(context: &Context) -> Result<EmailAddress, String> {
    let typed = context.form.get("username").trim();
    EmailAddress::parse(typed).map_err(|_| problem_of_address(context.language, typed))
}

/// Shows the form again, with what is wrong.
pub(super) fn wrong(context: &Context, next: String, problems: FieldProblems) -> PageResult {
    context.html(StatusCode::BAD_REQUEST, &form(context, next, problems))
}

fn form(context: &Context, next: String, problems: FieldProblems) -> LoginPage {
    LoginPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(LOGIN),
        problems,
        username: context.form.get("username").trim().to_owned(),
        providers: providers::buttons(context, &next),
        next,
        forgotten: context.href(FORGOTTEN),
        members: context.href(MEMBERS),
    }
}
