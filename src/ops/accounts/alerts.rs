//! Alerts to administrators about deliveries, by mail and at a limited rate.
//!
//! The first event of a kind is reported at once; those that follow within an hour are reported together at its end. An
//! administrator is never told of anything outside of its limits.

use crate::clock::Timestamp;
use crate::locale::text;
use crate::mail::Wording;
use crate::model::alert::{Alert, AlertKind, AlertLine, Concern};
use crate::model::{Account, AccountId, Admin, AlertId, Language, SystemMailKind, Via};
use crate::ops::accounts::admins;
use crate::ops::context::MailContext;
use crate::ops::notices::system_mails::{self, NewNotice};
use crate::ops::overdue::overdue_rows;
use crate::ops::{Caller, metric_labels};
use crate::schema::{ALERT_BY_ACCOUNT, ALERT_BY_DUE, alert_kind};
use crate::store::{Key, Read, StoreError, WriteTx};

/// Reports an event to the administrators of an account, at once or with those that follow.
pub(in crate::ops) fn tell(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    account: AccountId,
    kind: AlertKind,
    line: AlertLine,
    now: Timestamp,
) -> Result<(), StoreError> {
    let key = Key::new().u64(account.0).u64(alert_kind(kind));
    let known = tx.find(&ALERT_BY_ACCOUNT, &key)?;
    if let Some(mut alert) = known.clone().filter(|alert| !alert.is_fresh(now)) {
        alert.wait(line);
        return tx.put(&alert);
    }
    let id = known.map_or_else(|| tx.next_id::<Alert>().map(AlertId), |alert| Ok(alert.id))?;
    let mut alert = Alert { id, account, kind, told: now, waiting: vec![line], left_out: 0 };
    write(tx, mail_context, &alert, now)?;
    alert.waiting.clear();
    tx.put(&alert)
}

/// Reports the events whose hour is over.
pub(in crate::ops) fn tell_due(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    now: Timestamp,
    limit: usize,
) -> Result<(), StoreError> {
    for id in overdue_rows(tx, &ALERT_BY_DUE, now, limit)? {
        let Some(mut alert) = tx.get::<Alert>(id)? else { continue };
        if tx.get::<Account>(alert.account.0)?.is_some() {
            write(tx, mail_context, &alert, now)?;
        }
        alert.told = now;
        alert.waiting.clear();
        alert.left_out = 0;
        tx.put(&alert)?;
    }
    Ok(())
}

/// Writes to every administrator who wants this kind of alert, with the events that exist for it.
fn write(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    alert: &Alert,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(account) = tx.get::<Account>(alert.account.0)? else { return Ok(()) };
    let wanted = alert.kind.notification();
    for admin in admins::of_account(tx, Some(account.id))? {
        let Some(address) = admin.username.as_ref().filter(|_| admin.notifications.contains(&wanted)) else {
            continue;
        };
        let lines = visible(tx, &admin, alert)?;
        if lines.is_empty() {
            continue;
        }
        mail_context.metrics.sending.alerts.count([metric_labels::alert(alert.kind)]);
        let notice = NewNotice {
            kind: SystemMailKind::Problem,
            from_phrase: &account.name,
            from_local: "postmaster",
            to: address,
            reply_to: None,
            subject: &subject(alert.kind, account.settings.language),
            text: &text(&lines, alert, account.settings.language),
            buttons: &[],
            wording: Wording::BuiltIn,
            in_reply_to: None,
        };
        system_mails::write(tx, mail_context, account.id, &notice, now)?;
    }
    Ok(())
}

/// The lines of an alert about what exists for an administrator.
fn visible<'a>(tx: &impl Read, admin: &Admin, alert: &'a Alert) -> Result<Vec<&'a str>, StoreError> {
    let caller = Caller::admin(admin, alert.account, Via::Server, None);
    let mut lines = Vec::new();
    for AlertLine { text, concern } in &alert.waiting {
        let is_seen = match *concern {
            Concern::Contact(contact) => caller.sees_contact(tx, contact)?,
            Concern::List(list) => caller.limits.sees_list(list),
        };
        if is_seen {
            lines.push(text.as_str());
        }
    }
    Ok(lines)
}

fn subject(kind: AlertKind, language: Language) -> String {
    match kind {
        AlertKind::Bounce => text!(language, "alert-bounce-subject"),
        AlertKind::Complaint => text!(language, "alert-complaint-subject"),
        AlertKind::DeliveryProblem => text!(language, "alert-provider-subject"),
        AlertKind::UnprovenReport => text!(language, "alert-report-subject"),
    }
}

fn text(lines: &[&str], alert: &Alert, language: Language) -> String {
    let mut text = match alert.kind {
        AlertKind::Bounce => text!(language, "alert-bounce-text"),
        AlertKind::Complaint => text!(language, "alert-complaint-text"),
        AlertKind::DeliveryProblem => text!(language, "alert-provider-text"),
        AlertKind::UnprovenReport => text!(language, "alert-report-text"),
    };
    text.push_str("\n\n");
    for line in lines {
        text.extend(["    ", line, "\n"]);
    }
    if 0 < alert.left_out {
        text.extend(["\n", &text!(language, "alert-more", count = alert.left_out), "\n"]);
    }
    text
}
