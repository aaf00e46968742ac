//! Replies to `confirm+TOKEN@D` that confirm a request. The token is the proof, as in the link; what the reply says
//! does not matter, unless a machine wrote it.
//!
//! The result is mailed once, to the address of the request.

use super::answer::folded;
use crate::locale::text;
use crate::mail::Wording;
use crate::model::{Account, Confirmation, List, RequestedChange, SystemMailKind};
use crate::ops::OpContext;
use crate::ops::allowances::{self, ANSWERS_TO_ADDRESS, Subject};
use crate::ops::locales::locale_of;
use crate::ops::notices::system_mails::{self, NewNotice, owner_local};
use crate::ops::people::requests::{self, Outcome};
use crate::store::{Read, StoreError, WriteTx};

/// Tells the owner of the address what happened.
pub(crate) fn tell(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    request: &Confirmation,
    outcomes: &[Outcome],
    about: Option<&str>,
) -> Result<(), StoreError> {
    let Some(account) = tx.get::<Account>(request.account.0)? else { return Ok(()) };
    let language = account.settings.language;
    let mut told = Vec::new();
    for (change, outcome) in request.changes.iter().zip(outcomes) {
        let list = match change.list() {
            Some(id) => tx.get::<List>(id.0)?,
            None => None,
        };
        let title = list.as_ref().map_or_else(|| account.title(), List::title);
        let (what, next) =
            requests::outcome_in_words(language, change, title, request.address.as_str(), *outcome);
        told.push(folded(&format!("{what}. {next}"), ""));
    }
    mail(tx, by, &account, request, &told.join("\n\n"), about)
}

/// Tells the owner of the address that the request is too old.
pub(crate) fn tell_expired(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    request: &Confirmation,
    about: Option<&str>,
) -> Result<(), StoreError> {
    let Some(account) = tx.get::<Account>(request.account.0)? else { return Ok(()) };
    let day = locale_of(&account).day(request.requested);
    let text = text!(account.settings.language, "command-expired", day = day);
    mail(tx, by, &account, request, &text, about)
}

fn mail(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    account: &Account,
    request: &Confirmation,
    text: &str,
    about: Option<&str>,
) -> Result<(), StoreError> {
    if allowances::take(tx, ANSWERS_TO_ADDRESS, &Subject::mailbox(&request.address), by.now)?.is_err() {
        return Ok(());
    }
    let list = match request.changes.iter().find_map(RequestedChange::list) {
        Some(id) => tx.get::<List>(id.0)?,
        None => None,
    };
    let title = list.as_ref().map_or_else(|| account.title(), List::title);
    let notice = NewNotice {
        kind: SystemMailKind::Answer,
        from_phrase: title,
        from_local: &list.as_ref().map_or_else(|| "postmaster".to_owned(), owner_local),
        to: &request.address,
        reply_to: None,
        subject: &text!(account.settings.language, "command-subject", list = title),
        text: &format!("{text}\n"),
        buttons: &[],
        wording: Wording::BuiltIn,
        in_reply_to: about,
    };
    system_mails::write(tx, &by.mail_context, account.id, &notice, by.now)
}
