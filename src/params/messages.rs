//! Reads the fields of new messages, and composes them.

use super::Params;
use super::parse::{LINE_CHARS_MAX, SUBJECT_CHARS_MAX, line};
use crate::clock::Timestamp;
use crate::model::{EmailAddress, MessageId};
use crate::ops::archive::messages::{self as ops, NewMessage};
use crate::ops::people::contacts::parse_id;
use crate::ops::{Caller, OpError, Problems, Wrong};
use crate::store::ReadTx;

/// Composes the mail. A missing list is reported before wrong values, and all wrong values together.
pub(crate) fn compose(
    tx: &ReadTx,
    caller: &Caller,
    new: NewMessage,
    mut problems: Problems,
    token: &str,
    now: Timestamp,
) -> Result<(crate::model::ListId, ops::Post), OpError> {
    if new.list.is_empty() {
        problems.add("list", Wrong::ListNameNeeded);
        problems.into_result()?;
        return Err(OpError::NotFound { what: "list" });
    }
    match ops::compose(tx, caller, new, token, now) {
        Ok(composed) => problems.into_result().map(|()| composed),
        Err(OpError::Invalid { problems: more }) => {
            for problem in more {
                problems.add(&problem.field, problem.problem);
            }
            Err(problems.into_result().err().unwrap_or(OpError::Invalid { problems: Vec::new() }))
        }
        Err(other) => Err(other),
    }
}

pub(crate) fn fields(params: &mut Params) {
    input(params);
}

pub(crate) fn input(params: &mut Params) -> (NewMessage, Problems) {
    params.read_only(&["id", "time", "datetime", "message_id", "thread_id", "changes"]);
    let parent =
        params.nullable("parent", |text: &str| parse_id(text).map(MessageId).ok_or(Wrong::ParentForm));
    let new = NewMessage {
        list: params.text("list").unwrap_or_default(),
        subject: params.parsed("subject", line(SUBJECT_CHARS_MAX)).unwrap_or_default(),
        from_phrase: params.nullable("from_phrase", line(LINE_CHARS_MAX)).flatten(),
        from_address: params.nullable("from_address", EmailAddress::parse).flatten(),
        content_plain: params.nullable_text("content_plain").flatten(),
        content_html: params.nullable_text("content_html").flatten(),
        parent: parent.flatten(),
        attachments: Vec::new(),
    };
    let is_empty = new.content_plain.is_none() && new.content_html.is_none();
    if is_empty {
        params.problem("content_plain", Wrong::ContentNeeded);
    }
    (new, params.take_problems())
}
