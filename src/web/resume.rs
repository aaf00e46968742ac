//! The page on which the recipient of a probe confirms that mail arrives again, reached by the link in the probe.
//!
//! The token in the link is the proof, so the form needs no session and no CSRF token. GET never changes anything.

use std::sync::Arc;

use askama::Template;

use super::context::Context;
use super::error::{PageError, PageResult};
use super::frame::Frame;
use super::leaving::person;
use super::onward::{self, Onward};
use crate::locale::text;
use crate::model::{ContactId, Email, EmailId};
use crate::ops::delivery::bounces;
use crate::secret::Purpose;

#[derive(Template)]
#[template(path = "resume.html", config = "src/web/askama.toml")]
struct ResumePage {
    frame: Frame,
    address: String,
    is_paused: bool,
    /// Whether the form was just sent.
    is_done: bool,
    /// Where to go on.
    onward: Vec<Onward>,
}

/// `GET /resume/{token}/`: changes nothing.
pub(super) fn resume_page(context: &Context) -> PageResult {
    let (email, contact) = open_resume(context)?;
    show_resume(context, &paused(context, email, contact)?, false)
}

/// `POST /resume/{token}/`: the recipient of a probe confirms that mail arrives.
pub(super) async fn resume(context: Arc<Context>) -> PageResult {
    let (email, contact) = open_resume(&context)?;
    paused(&context, email, contact)?;
    let caller = person(&context, contact)?;
    context
        .core
        .perform_reserved(&caller, move |tx, by| bounces::resume(tx, &by.caller, email, by.now))
        .await?;
    show_resume(&context, &paused(&context, email, contact)?, true)
}

fn show_resume(context: &Context, email: &Email, is_done: bool) -> PageResult {
    let address = email.address.as_str().to_owned();
    let (frame, is_paused) = (Frame::of(context), email.paused);
    let onward = vec![onward::to_own_lists(context)];
    context.show(&ResumePage { frame, address, is_paused, is_done, onward })
}

/// The address in a link to resume delivery, if the link belongs to this site.
fn paused(context: &Context, email: EmailId, contact: ContactId) -> Result<Email, PageError> {
    let tx = context.read()?;
    let email = bounces::find_paused(&tx, email, contact)?.ok_or(PageError::DeadLink)?;
    context.check_link(&tx, email.account)?;
    Ok(email)
}

fn open_resume(context: &Context) -> Result<(EmailId, ContactId), PageError> {
    let [email, contact] =
        context.core.signer.open(Purpose::Resume, context.token()).ok_or(PageError::DeadLink)?;
    Ok((EmailId(email), ContactId(contact)))
}
