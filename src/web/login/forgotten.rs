//! The page for administrators who have forgotten the password. Its answer is the same for every address.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use super::form::address_of;
use super::session::too_many;
use crate::locale::{self, text};
use crate::ops::accounts::admins::invite::FORGOTTEN_LINK_WORKS_FOR;
use crate::ops::accounts::sign_in::{self, forgotten};
use crate::web::context::Context;
use crate::web::error::PageResult;
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;
use crate::web::paths::{FORGOTTEN, LOGIN};

#[derive(Template)]
#[template(path = "login_forgotten.html", config = "src/web/askama.toml")]
struct ForgottenPage {
    frame: Frame,
    csrf: String,
    action: String,
    problems: FieldProblems,
    username: String,
    back: String,
}

#[derive(Template)]
#[template(path = "login_mailed.html", config = "src/web/askama.toml")]
struct MailedPage {
    frame: Frame,
    address: String,
    /// How long the link works, in words.
    time: String,
    again: String,
}

/// `GET /login/forgotten/`
pub(in crate::web) fn page(context: &Context) -> PageResult {
    context.show(&form(context, FieldProblems::default()))
}

/// `POST /login/forgotten/`, with `username`.
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    let address = match address_of(&context) {
        Ok(address) => address,
        Err(problem) => {
            let page = form(&context, FieldProblems::one("username", problem));
            return context.html(StatusCode::BAD_REQUEST, &page);
        }
    };
    let (site, asked) = (context.site.clone(), address.clone());
    let caller = sign_in::visitor(&context.site);
    let done = context.core.perform(&caller, move |tx, by| forgotten::ask(tx, by, &site, &asked)).await?;
    done.map_err(|until| too_many(&context, until))?;
    context.show(&MailedPage {
        frame: Frame::of(&context),
        address: address.to_string(),
        time: locale::duration(context.language, FORGOTTEN_LINK_WORKS_FOR),
        again: context.href(FORGOTTEN),
    })
}

fn form(context: &Context, problems: FieldProblems) -> ForgottenPage {
    ForgottenPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(FORGOTTEN),
        problems,
        username: context.form.get("username").trim().to_owned(),
        back: context.href(LOGIN),
    }
}
