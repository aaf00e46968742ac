//! Applies refusals, reports and complaints to the state of addresses.
//!
//! This server's own deliveries are evaluated as they are settled. Reports arrive by mail at the envelope sender of one
//! copy, whose signed token names the batch and the place in it. Either way the signal advances the bounce state of
//! [`model::bounce`](crate::model::bounce), and the trace of the copy keeps the answer.
//!
//! If several members share a copy, all of them know its token. A report to it then counts for a member only if it
//! comes from the provider that took that member's copy ([`Reporter`]).

use crate::clock::Timestamp;
use crate::locale::text;
use crate::mail;
use crate::mail::bounce::{Bounced, Complaint, Fate, Report};
use crate::mail::envelope::{Envelope, ReversePath};
use crate::mail::notice::indented;
use crate::mail::{Button, Wording};
use crate::model::bounce::PROBE_EVERY;
use crate::model::event::{EventDraft, EventType, Remains};
use crate::model::{
    Account, AccountId, ActorKind, AlertKind, AlertLine, Answer, AuditAction, Batch, BatchId, BounceEffect,
    BounceSignal, Concern, Contact, ContactId, Destination, Diagnosis, Email, EmailAddress, EmailId,
    FailureKind, Language, OptOutWay, PauseCause, Payload, ProbeStep, Recipient, RecipientState,
    SystemMailKind, Weight,
};
use crate::ops::accounts::alerts;
use crate::ops::audit::{self, Note};
use crate::ops::context::MailContext;
use crate::ops::delivery::outbound::Outcome;
use crate::ops::delivery::provider_blocks::organisation;
use crate::ops::locales;
use crate::ops::notices::system_mails::{self, NewNotice};
use crate::ops::overdue::{overdue_rows, rows_after};
use crate::ops::people::opt_outs;
use crate::ops::{Caller, OpError};
use crate::schema::EMAIL_BY_PROBE;
use crate::secret::Purpose;
use crate::store::{Read, ReadTx, StoreError, WriteTx};

/// The text in front of a report's kind, if a complaint is the reason for a pause.
const REPORT_OF_KIND: &str = "a report of the kind ";

/// Applies the outcome of a delivery to the recipient's address. A delivered copy costs nothing here, unless there was
/// evidence against its address when it was made.
pub(in crate::ops) fn take_outcome(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    batch: &Batch,
    outcome: &Outcome,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(sign) = sign_of_outcome(outcome, &batch.destination) else { return Ok(()) };
    let reason = outcome.reply.as_deref().unwrap_or_default();
    note(tx, mail_context, &batch.recipients[outcome.place], sign, reason, now)
}

fn sign_of_outcome(outcome: &Outcome, destination: &Destination) -> Option<BounceSignal> {
    match outcome.state {
        RecipientState::Delivered if outcome.is_suspect => Some(match destination {
            Destination::Relay => BounceSignal::Relayed,
            Destination::Domain(_) => BounceSignal::Delivered,
        }),
        RecipientState::Deferred | RecipientState::Failed => sign_of_failure(outcome.diagnosis.as_ref()?),
        RecipientState::Delivered
        | RecipientState::Queued
        | RecipientState::Skipped
        | RecipientState::Moved { .. } => None,
    }
}

fn sign_of_failure(diagnosis: &Diagnosis) -> Option<BounceSignal> {
    match (diagnosis.kind, diagnosis.weight) {
        (_, Weight::Nothing) | (FailureKind::Policy | FailureKind::Unclassified, _) => None,
        (FailureKind::Dead, Weight::Certain) => Some(BounceSignal::Refused),
        (FailureKind::Dead, Weight::Counts) => Some(BounceSignal::Reported),
        (FailureKind::Temporary, Weight::Counts | Weight::Certain) => Some(BounceSignal::Soft),
    }
}

/// The server that sent a report, as far as that is proven.
#[derive(Debug, Clone, Copy)]
pub(in crate::ops) struct Reporter<'a> {
    /// The domains that SPF and DKIM prove.
    proven_domains: &'a [String],
    /// Whether its envelope sender is a machine's. A person's proves nothing: people share their provider's domain.
    is_machine: bool,
}

impl<'a> Reporter<'a> {
    /// The reporter of a mail.
    pub(in crate::ops) fn of(envelope: &'a Envelope) -> Reporter<'a> {
        let is_machine = match &envelope.reverse_path {
            ReversePath::Empty => true,
            ReversePath::Address(sender) => mail::is_mail_system(sender),
            ReversePath::Other(_) => false,
        };
        Reporter { proven_domains: &envelope.proven_domains, is_machine }
    }

    /// Whether the reporter is the provider that took the copy of `batch.recipients[place]`: a proven domain belongs to
    /// the recipient's organisation, or to that of the server that took the copy.
    fn took_copy(&self, batch: &Batch, place: usize) -> bool {
        let address = batch.recipients[place].address.folded();
        let (_, domain) = address.rsplit_once('@').unwrap_or_default();
        let remote = batch.remote(place).unwrap_or_default().trim_end_matches('.').to_lowercase();
        let providers = [organisation(domain), organisation(&remote)];
        self.proven_domains.iter().any(|proven| providers.contains(&organisation(proven)))
    }
}

/// Takes a report that came to the envelope sender of one copy. Other recipients in it are ignored: the token proves
/// this one alone. If the token is that of a whole batch, the report's own words name the recipient.
pub(in crate::ops) fn take_report(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    (id, place): (BatchId, usize),
    reporter: &Reporter<'_>,
    report: &Report,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(batch) = tx.get::<Batch>(id.0)? else { return Ok(()) };
    match report {
        Report::Deliveries(bounced) => {
            let is_shared = batch.recipients.get(place).is_none();
            for (place, bounced) in placed(&batch, place, bounced) {
                let Some((batch, place)) = find_copy(tx, (id, place))? else { continue };
                if is_shared && !(reporter.is_machine && reporter.took_copy(&batch, place)) {
                    tell_disbelieved(tx, mail_context, &batch, place, &bounced.words, now)?;
                } else {
                    take_bounce(tx, mail_context, (batch, place), bounced, now)?;
                }
            }
        }
        Report::Complaint(complaint) => {
            take_complaint(tx, mail_context, (&batch, place), reporter, complaint, now)?;
        }
        Report::Nothing => {
            tracing::info!(
                batch.id = id.0,
                "A mail to the sender of delivery {id} is no report, and is dropped"
            );
        }
    }
    Ok(())
}

/// Whether a report says that a copy failed whose own answer is not settled yet. Taken now, the report would be
/// overwritten by that answer.
pub(in crate::ops) fn is_too_early(
    tx: &impl Read,
    (id, place): (BatchId, usize),
    report: &Report,
) -> Result<bool, StoreError> {
    let (Report::Deliveries(bounced), Some(batch)) = (report, tx.get::<Batch>(id.0)?) else {
        return Ok(false);
    };
    for (place, bounced) in placed(&batch, place, bounced) {
        let copy = find_copy(tx, (id, place))?;
        let is_under_way =
            copy.is_some_and(|(batch, place)| batch.claimed && batch.recipients[place].state.is_waiting());
        if is_under_way && bounced.fate == Fate::Failed {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The recipients of a batch that a report is about.
fn placed<'r>(batch: &Batch, place: usize, bounced: &'r [Bounced]) -> Vec<(usize, &'r Bounced)> {
    let names = |bounced: &Bounced, recipient: &Recipient| {
        bounced.recipients.iter().any(|address| is_same(address, &recipient.address))
    };
    if let Some(recipient) = batch.recipients.get(place) {
        let own = bounced.iter().find(|bounced| names(bounced, recipient));
        return own.or_else(|| bounced.first()).map(|bounced| (place, bounced)).into_iter().collect();
    }
    // The address that this server wrote to comes first; the one that it was forwarded to may be another member's.
    let place_of = |bounced: &Bounced| {
        let place = |address: &EmailAddress| {
            batch.recipients.iter().position(|recipient| is_same(&recipient.address, address))
        };
        bounced.recipients.iter().find_map(place)
    };
    bounced.iter().filter_map(|bounced| Some((place_of(bounced)?, bounced))).collect()
}

/// Whether two addresses are the same but for case, which many systems change in what they report.
fn is_same(one: &EmailAddress, other: &EmailAddress) -> bool {
    one.folded() == other.folded()
}

/// The batch that has the copy of a place now, and its place there.
fn find_copy(tx: &impl Read, (id, place): (BatchId, usize)) -> Result<Option<(Batch, usize)>, StoreError> {
    let Some(batch) = tx.get::<Batch>(id.0)? else { return Ok(None) };
    match batch.recipients.get(place).map(|recipient| recipient.state) {
        Some(RecipientState::Moved { batch, place }) => find_copy(tx, (batch, usize::from(place))),
        Some(_) => Ok(Some((batch, place))),
        None => Ok(None),
    }
}

/// Applies one reported failure. One copy counts once: a report that is sent again changes nothing.
fn take_bounce(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    (mut batch, place): (Batch, usize),
    bounced: &Bounced,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Bounced { recipients: _, fate, diagnosis, remote, words } = bounced;
    let is_news = batch.recipients[place].state == RecipientState::Delivered;
    tracing::info!(
        batch.id = batch.id.0,
        batch.place = place,
        bounce.kind = diagnosis.kind.word(),
        bounce.status = diagnosis.status.map(tracing::field::display),
        "A report on delivery {}: {words}",
        batch.id
    );
    if *fate == Fate::Delayed || !is_news {
        return Ok(());
    }
    let answer =
        Answer { state: RecipientState::Failed, remote: remote.as_deref(), reply: Some(words.as_str()) };
    batch.amend(place, answer, now);
    tx.put(&batch)?;
    tell(tx, &batch, place, EventType::BounceReceived);
    let sign = match sign_of_failure(diagnosis) {
        // Even a report with a permanent failure is a report: two are needed.
        Some(BounceSignal::Refused) => Some(BounceSignal::Reported),
        Some(BounceSignal::Soft) => Some(BounceSignal::Returned),
        sign => sign,
    };
    sign.map_or(Ok(()), |sign| note(tx, mail_context, &batch.recipients[place], sign, words, now))
}

fn take_complaint(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    (batch, place): (&Batch, usize),
    reporter: &Reporter<'_>,
    complaint: &Complaint,
    now: Timestamp,
) -> Result<(), StoreError> {
    let reason = format!("{REPORT_OF_KIND}{}", complaint.kind);
    if let Some(recipient) = batch.recipients.get(place) {
        tell(tx, batch, place, EventType::ComplaintReceived);
        return note(tx, mail_context, recipient, BounceSignal::Complaint, &reason, now);
    }
    let named = |recipient: &Recipient| {
        complaint.recipients.iter().any(|address| is_same(address, &recipient.address))
    };
    let Some(place) = batch.recipients.iter().position(named) else { return Ok(()) };
    let Some((batch, place)) = find_copy(tx, (batch.id, place))? else { return Ok(()) };
    if reporter.took_copy(&batch, place) {
        tell(tx, &batch, place, EventType::ComplaintReceived);
        note(tx, mail_context, &batch.recipients[place], BounceSignal::Complaint, &reason, now)
    } else {
        tell_disbelieved(tx, mail_context, &batch, place, &reason, now)
    }
}

/// Tells programs of a report on a copy of a post.
fn tell(tx: &mut WriteTx<'_>, batch: &Batch, place: usize, kind: EventType) {
    let (Payload::Post { message, list }, Some(recipient)) = (batch.payload, batch.recipients.get(place))
    else {
        return;
    };
    let place = u32::try_from(place).unwrap_or(u32::MAX);
    let draft = EventDraft::new(batch.account, kind, message.0);
    let remains = Remains::Copy { batch: batch.id, place };
    tx.note(EventDraft { contact: Some(recipient.contact), list: Some(list), remains, ..draft });
}

/// Alerts administrators to a report on a shared copy that any member who shares it could have written.
fn tell_disbelieved(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    batch: &Batch,
    place: usize,
    words: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Recipient { address, contact, .. } = &batch.recipients[place];
    tracing::info!(
        batch.id = batch.id.0,
        batch.place = place,
        "A report on delivery {} does not come from the provider of {address}, and is not believed",
        batch.id
    );
    let language = locales::locale(tx, batch.account)?.language;
    let (address, words) = (address.as_str(), heard(language, words));
    let text = text!(language, "alert-line-report", address = address, words = words);
    let line = AlertLine { text, concern: Concern::Contact(*contact) };
    alerts::tell(tx, mail_context, batch.account, AlertKind::UnprovenReport, line, now)
}

/// Takes a complaint that came to `postmaster@` or `abuse@`. The message that it returns has this server's token in its
/// envelope sender or `CFBL-Address`; without a token, a complaint proves nothing.
pub(in crate::ops) fn take_complaint_by_its_token(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    account: AccountId,
    reporter: &Reporter<'_>,
    report: &Report,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Report::Complaint(complaint) = report else { return Ok(()) };
    for sender in &complaint.senders {
        let token = sender.local().split_once('+').filter(|(name, _)| name.eq_ignore_ascii_case("bounces"));
        let Some([batch, place]) =
            token.and_then(|(_, token)| mail_context.signer.open(Purpose::Bounce, token))
        else {
            continue;
        };
        let Some(batch) = tx.get::<Batch>(batch)?.filter(|batch| batch.account == account) else { continue };
        let place = usize::try_from(place).unwrap_or(usize::MAX);
        take_complaint(tx, mail_context, (&batch, place), reporter, complaint, now)?;
    }
    Ok(())
}

/// Notes a signal about a recipient's address, if the address has not been changed since.
fn note(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    recipient: &Recipient,
    sign: BounceSignal,
    reason: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    let is_unchanged = |email: &Email| email.address == recipient.address;
    let Some(mut email) = tx.get::<Email>(recipient.email.0)?.filter(is_unchanged) else { return Ok(()) };
    if sign == BounceSignal::Complaint
        && let Some(contact) = tx.get::<Contact>(email.contact.0)?
    {
        // Whoever finds the mail unwanted is put on no further list either.
        opt_outs::note_contact(tx, &contact, None, OptOutWay::Complaint, now)?;
    }
    match email.note(sign, reason, now) {
        BounceEffect::Nothing => return Ok(()),
        BounceEffect::Changed => {}
        BounceEffect::Paused(cause) => {
            tracing::info!(email.id = email.id.0, "Mail to an address is paused: {}: {reason}", cause.word());
            tell_paused(tx, mail_context, &email, cause, reason, now)?;
        }
        BounceEffect::Restored => {
            tracing::info!(email.id = email.id.0, "An address that was paused takes mail again");
        }
    }
    tx.put(&email)
}

/// The words of a server or a report as people read them: a server's answer, or the kind of a report.
fn heard(language: Language, reason: &str) -> String {
    match reason.strip_prefix(REPORT_OF_KIND) {
        Some(kind) => text!(language, "complaint-words", kind = kind),
        None => reason.to_owned(),
    }
}

fn tell_paused(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    email: &Email,
    cause: PauseCause,
    reason: &str,
    now: Timestamp,
) -> Result<(), StoreError> {
    let kind = match cause {
        PauseCause::Dead | PauseCause::Soft => AlertKind::Bounce,
        PauseCause::Complaint => AlertKind::Complaint,
    };
    let language = locales::locale(tx, email.account)?.language;
    let (address, words) = (email.address.as_str(), heard(language, reason));
    let text = match cause {
        PauseCause::Dead => text!(language, "alert-line-dead", address = address, words = words),
        PauseCause::Soft => text!(language, "alert-line-soft", address = address, words = words),
        PauseCause::Complaint => text!(language, "alert-line-complaint", address = address, words = words),
    };
    let line = AlertLine { text, concern: Concern::Contact(email.contact) };
    alerts::tell(tx, mail_context, email.account, kind, line, now)
}

/// Probes, restores or gives up the addresses whose next step is due.
pub(in crate::ops) fn advance(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    now: Timestamp,
    limit: usize,
) -> Result<(), StoreError> {
    for id in overdue_rows(tx, &EMAIL_BY_PROBE, now, limit)? {
        let Some(mut email) = tx.get::<Email>(id)? else { continue };
        let rung = email.advance(now);
        tx.put(&email)?;
        match rung {
            Some(ProbeStep::Probe) => probe(tx, mail_context, &email, now)?,
            Some(ProbeStep::Restored) => {
                tracing::info!(email.id = id, "A probe did not come back: the address takes mail again");
            }
            Some(ProbeStep::GivenUp) => {
                tracing::info!(email.id = id, "No probe arrived: the address is given up");
            }
            None => {}
        }
    }
    Ok(())
}

/// Whether a probe is due later than any wait allows, which happens only after a clock was set back.
pub(in crate::ops) fn is_any_probe_too_late(tx: &ReadTx, now: Timestamp) -> Result<bool, StoreError> {
    Ok(tx.first_row(&EMAIL_BY_PROBE, &rows_after(now + PROBE_EVERY))?.is_some())
}

/// Reschedules probes that are due too late, counting their wait from now.
pub(in crate::ops) fn clamp_due(
    tx: &mut WriteTx<'_>,
    now: Timestamp,
    limit: usize,
) -> Result<(), StoreError> {
    for id in tx.ids(&EMAIL_BY_PROBE, &rows_after(now + PROBE_EVERY), limit)? {
        let Some(mut email) = tx.get::<Email>(id)? else { continue };
        if let Some(pause) = email.evidence.as_mut().and_then(|evidence| evidence.pause.as_mut()) {
            pause.next_probe = Some(now + PROBE_EVERY);
        }
        tx.put(&email)?;
    }
    Ok(())
}

/// Sends a probe to a paused address, to find out whether it takes mail again.
fn probe(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    email: &Email,
    now: Timestamp,
) -> Result<(), StoreError> {
    // The account was deleted, and the rest of its records is being removed.
    let Some(account) = tx.get::<Account>(email.account.0)? else { return Ok(()) };
    let token = mail_context.signer.token(Purpose::Resume, [email.id.0, email.contact.0]);
    let reason = email.evidence.as_ref().map_or("", |evidence| evidence.reason.as_str());
    let language = account.settings.language;
    let words = indented(&heard(language, reason));
    let link = mail_context.links.of(tx, account.id)?.resume(&token);
    let text = text!(language, "probe-text", account = &account.name, words = words, link = &link) + "\n";
    let button = Button::new(link, text!(language, "mail-button-resume"));
    let notice = NewNotice {
        kind: SystemMailKind::Probe,
        from_phrase: &account.name,
        from_local: "postmaster",
        to: &email.address,
        reply_to: None,
        subject: &text!(language, "probe-subject"),
        text: &text,
        buttons: &[button],
        wording: Wording::BuiltIn,
        in_reply_to: None,
    };
    let recipient = Recipient {
        contact: email.contact,
        email: email.id,
        ..Recipient::of_system_mail(email.address.clone(), now)
    };
    system_mails::write_to(tx, mail_context, account.id, &notice, recipient, now)?;
    Ok(())
}

/// The address in a link to resume delivery; `None` if it is gone, or belongs to another contact now.
pub fn find_paused(tx: &impl Read, email: EmailId, contact: ContactId) -> Result<Option<Email>, StoreError> {
    Ok(tx.get::<Email>(email.0)?.filter(|email| email.contact == contact))
}

/// Resumes delivery to an address because its reader confirmed that mail arrives. A pause that an administrator or the
/// reader made stays. Calling it again changes nothing.
pub fn resume(tx: &mut WriteTx<'_>, caller: &Caller, email: EmailId, now: Timestamp) -> Result<(), OpError> {
    let ActorKind::Member(contact) = caller.actor().kind else { return Ok(()) };
    let Some(mut email) = find_paused(tx, email, contact)? else { return Ok(()) };
    caller.require_over(email.contact)?;
    if email.evidence.as_ref().is_none_or(|evidence| evidence.pause.is_none()) {
        return Ok(());
    }
    email.restore();
    tx.put(&email)?;
    let resumed = Note::new(AuditAction::EmailResumed, email.id.0).about(email.contact);
    audit::note(tx, caller, resumed, now)?;
    Ok(())
}
