//! The page that lists a member's sessions and ends them: one, all, or the present one. Administrators have them on
//! their own page (`me_admin`). Nobody sees a session of anybody else.

use std::sync::Arc;

use askama::Template;
use axum::http::header;
use axum::response::Response;

use super::context::Context;
use super::error::{PageError, PageResult};
use super::form::FieldProblems;
use super::frame::Frame;
use crate::locale::{Locale, text};
use crate::model::{AuditAction, Session, SessionId};
use crate::ops::audit::{self, Note};
use crate::ops::{OpContext, sessions};
use crate::store::{StoreError, WriteTx};

#[derive(Template)]
#[template(path = "devices.html", config = "src/web/askama.toml")]
struct DevicesPage {
    frame: Frame,
    csrf: String,
    action: String,
    problems: FieldProblems,
    is_revoked: bool,
    devices: Vec<DeviceRow>,
}

/// One session of the person.
pub(super) struct DeviceRow {
    pub(super) id: u64,
    /// The browser and its system; blank if the `User-Agent` named neither.
    pub(super) device: String,
    pub(super) place: String,
    pub(super) last_use: String,
    pub(super) made: String,
    pub(super) until: String,
    pub(super) is_this: bool,
}

/// `GET /members/devices/`
pub(super) fn page(context: &Context) -> PageResult {
    let is_revoked = context.query.get("done") == "revoke";
    context.show(&devices(context, is_revoked, FieldProblems::default())?)
}

/// `POST /members/devices/`: what [`act_on_sessions`] does.
pub(super) async fn act(context: Arc<Context>) -> PageResult {
    if let Some(response) = act_on_sessions(&context).await? {
        return Ok(response);
    }
    let problem = text!(context.language, "problem-no-button");
    let page = devices(&context, false, FieldProblems::one("devices", problem))?;
    context.html(axum::http::StatusCode::BAD_REQUEST, &page)
}

/// Ends sessions of the person who is signed in: `action=signout`, `signout-all`, or `revoke` with the `id` of a
/// session; `None` for any other action.
pub(super) async fn act_on_sessions(context: &Context) -> Result<Option<Response>, PageError> {
    let session = context.session()?.clone();
    let (core, path, caller) = (&context.core, &context.path, context.person()?);
    match context.form.get("action") {
        "signout" => {
            let own = session.clone();
            core.perform_reserved(&caller, move |tx, by| revoke(tx, by, &own, own.id)).await?;
            Ok(Some(signed_out(context, &session)))
        }
        "signout-all" => {
            let (account, person) = (session.account, session.person);
            core.perform_reserved(&caller, move |tx, by| {
                let ended = sessions::revoke_all(tx, account, person, None)?;
                let note = Note::new(AuditAction::SessionEnded, 0).detail(&format!("{ended} sessions"));
                audit::note(tx, &by.caller, note, by.now)
            })
            .await?;
            Ok(Some(signed_out(context, &session)))
        }
        "revoke" => {
            let id = SessionId(context.form.get("id").parse().map_err(|_| PageError::BadRequest)?);
            let own = session.clone();
            if !core.perform_reserved(&caller, move |tx, by| revoke(tx, by, &own, id)).await? {
                return Err(PageError::NotFound);
            }
            if id == session.id {
                return Ok(Some(signed_out(context, &session)));
            }
            Ok(Some(context.see_other(&format!("{path}?done=revoke"))))
        }
        _ => Ok(None),
    }
}

/// Ends a session of the person whose present session is `own`; returns whether it was that person's.
fn revoke(tx: &mut WriteTx<'_>, by: &OpContext, own: &Session, id: SessionId) -> Result<bool, StoreError> {
    let is_theirs = sessions::revoke(tx, own, id)?;
    if is_theirs {
        audit::note(tx, &by.caller, Note::new(AuditAction::SessionEnded, id.0), by.now)?;
    }
    Ok(is_theirs)
}

fn signed_out(context: &Context, session: &Session) -> Response {
    let mut response = context.see_other("/?done=signout");
    response.headers_mut().append(header::SET_COOKIE, context.clear_session(session));
    response
}

fn devices(context: &Context, is_revoked: bool, problems: FieldProblems) -> Result<DevicesPage, PageError> {
    Ok(DevicesPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(&context.path),
        problems,
        is_revoked,
        devices: rows(context)?,
    })
}

/// The sessions of the person who is signed in.
pub(super) fn rows(context: &Context) -> Result<Vec<DeviceRow>, PageError> {
    let (session, locale) = (context.session()?, context.locale());
    let found = sessions::list(&context.read()?, session, context.core.now())?;
    Ok(found.iter().map(|found| row(&locale, found, found.id == session.id)).collect())
}

fn row(locale: &Locale, session: &Session, is_this: bool) -> DeviceRow {
    DeviceRow {
        id: session.id.0,
        device: session.device.clone(),
        place: session.client.map(|client| client.to_string()).unwrap_or_default(),
        last_use: locale.moment(session.last_use),
        made: locale.moment(session.made),
        until: locale.moment(session.due()),
        is_this,
    }
}
