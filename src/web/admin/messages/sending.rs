//! Sends what an administrator wrote, or keeps it until it is due, in one job: exactly once for a form, and not in the
//! place of a message that was sent, taken back or changed by somebody else meanwhile.

use super::compose_draft::{self, Written};
use crate::clock::Timestamp;
use crate::model::{AccountId, AdminId, ListId};
use crate::ops::archive::compose_drafts;
use crate::ops::archive::messages::{self, Post};
use crate::ops::archive::scheduled::{self, NewScheduled, Seen, Stale};
use crate::ops::server::saved_answers::{self, Repeatable};
use crate::ops::{OpContext, OpError};
use crate::secret::{sha256, sha256_text};
use crate::store::WriteTx;
use crate::web::context::Context;
use crate::web::error::PageError;

/// A message with its form, as it is sent or kept.
pub(super) struct Sending {
    list: ListId,
    post: Post,
    due: Option<Timestamp>,
    written: Written,
    /// The message that waits and is changed.
    seen: Option<Seen>,
    /// The form as a call that may be repeated.
    call: Option<Repeatable>,
    form: Option<(AccountId, AdminId, u64)>,
}

/// What became of a message.
pub(super) enum Sent {
    /// It did this, now or when it was sent before.
    Done(Vec<u8>),
    /// The message that it changes is not the one that its writer saw.
    Stale(Stale),
}

impl Sending {
    /// The message of the form.
    pub(super) fn of(
        context: &Context,
        list: ListId,
        post: Post,
        due: Option<Timestamp>,
    ) -> Result<Sending, PageError> {
        Ok(Sending {
            list,
            post,
            due,
            written: compose_draft::written(context)?,
            seen: compose_draft::seen(context),
            call: repeatable(context)?,
            form: compose_draft::form_of(context, context.form.get("key"))?,
        })
    }

    /// Sends the message, or keeps it until it is due.
    pub(super) fn carry_out(self, tx: &mut WriteTx<'_>, by: &OpContext) -> Result<Sent, OpError> {
        let Sending { list, post, due, written, seen, call, form } = self;
        // Of two that came at the same moment, the second finds what the first did.
        if let Some(call) = &call
            && let Some(done) = saved_answers::answer(tx, call)?
        {
            return Ok(Sent::Done(done));
        }
        let changed = match seen.map(|seen| scheduled::check(tx, &by.caller, seen)).transpose()? {
            Some(Err(stale)) => return Ok(Sent::Stale(stale)),
            Some(Ok(message)) => Some(message),
            None => None,
        };
        let done = if let Some(due) = due {
            let Written { fields, known, staying, files } = written;
            let files = compose_drafts::files_of(tx, known, &staying, files)?;
            let new = NewScheduled { list, post, due, fields, files };
            match seen {
                Some(seen) => {
                    if let Err(stale) = scheduled::replace(tx, &by.caller, seen, new, by.now)? {
                        return Ok(Sent::Stale(stale));
                    }
                }
                None => {
                    scheduled::schedule(tx, &by.caller, new, by.now)?;
                }
            }
            b"scheduled".to_vec()
        } else {
            let routing = by.mail_context.config.routing();
            let (message, _) = messages::send(tx, &by.caller, list, post, routing, by.now)?;
            if let Some(changed) = &changed {
                scheduled::drop(tx, changed)?;
            }
            message.id.to_string().into_bytes()
        };
        if let Some(call) = &call {
            saved_answers::keep(tx, call, &done, by.now)?;
        }
        if let Some((account, admin, form)) = form {
            compose_drafts::drop(tx, account, admin, form)?;
        }
        Ok(Sent::Done(done))
    }
}

/// The form as a call that may be repeated; `None` if it has no key, or nobody sends it.
pub(super) fn repeatable(context: &Context) -> Result<Option<Repeatable>, PageError> {
    let caller = context.administrator()?;
    let key = context.form.get("key");
    let Some(admin) = caller.actor().kind.admin().filter(|_| !key.is_empty() && key.len() <= 100) else {
        return Ok(None);
    };
    let fields: Vec<(&str, &str)> =
        context.form.without("csrf").filter(|(name, _)| *name != "contact" && *name != "action").collect();
    let files: Vec<(&str, [u8; 32])> =
        context.form.files("file").map(|file| (&*file.name, sha256(&file.bytes))).collect();
    let request = sha256_text(format_args!("compose {fields:?} {files:?}"));
    Ok(Some(Repeatable { account: caller.account, admin, key: format!("page {key}"), request }))
}
