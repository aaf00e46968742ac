//! Settles a received message for each of its recipients in one job: has it decided about, and stores the results.
//!
//! `service::receive` calls it with a message that was parsed and matched against patterns outside of the writer. The
//! verdict for one recipient never affects another's.

pub(crate) mod commands;
pub(crate) mod judging;
mod refusal;
pub(crate) mod roles;
pub(crate) mod settled;

use judging::Judgement;
pub use refusal::{Refusal, result_label};
use settled::Settled;

use crate::clock::Timestamp;
use crate::mail::bounce::Report;
use crate::mail::envelope::{Envelope, Notify, Route};
use crate::mail::report::Action;
use crate::mail::{HoldReason, Inbound, RejectReason, Verdict};
use crate::model::{
    AccountId, Alias, AliasId, BlobId, ContactId, DedupScope, EmailAddress, Held, HeldId, HeldReason,
    HeldState, List, ListId, MessageId, Via,
};
use crate::ops::archive::messages::{Post, publish};
use crate::ops::context::MailContext;
use crate::ops::delivery::bounces;
use crate::ops::delivery::bounces::Reporter;
use crate::ops::lists::aliases::{self, Targets};
use crate::ops::moderation::notices::{self, SenderNotice};
use crate::ops::people::subscribe;
use crate::ops::posting::acceptance::{self, Acceptance, Decision, MailToList};
use crate::ops::posting::forward::ForwardedMail;
use crate::ops::posting::reports::{self, Taken};
use crate::ops::posting::seen_mail;
use crate::ops::{OpError, locales};
use crate::schema::{DOMAIN_BY_NAME, LIST_BY_NAME};
use crate::secret::Purpose;
use crate::store::{Key, Read, StoreError, WriteTx};

/// The reason why a write job that receives a message is undone.
pub(crate) enum Undone {
    /// The message is not taken.
    Refused(Refusal),
    /// Patterns were changed after they were matched.
    Outdated,
}

impl From<Refusal> for Undone {
    fn from(refusal: Refusal) -> Undone {
        Undone::Refused(refusal)
    }
}

impl From<StoreError> for Undone {
    fn from(error: StoreError) -> Undone {
        Undone::Refused(error.into())
    }
}

/// The list of an account that has this local part and takes mail.
pub(crate) fn find_list(tx: &impl Read, account: AccountId, local: &str) -> Result<Option<List>, StoreError> {
    let key = Key::new().u64(account.0).text(local);
    Ok(tx.find(&LIST_BY_NAME, &key)?.filter(|list| !list.pending))
}

/// The list that a name stands for in addresses such as `L-request`: its own, or that of an alias that leads to one list and
/// to nobody else. A list that came from another server keeps its earlier addresses by such an alias.
pub(crate) fn find_list_behind(
    tx: &impl Read,
    account: AccountId,
    name: &str,
) -> Result<Option<List>, StoreError> {
    if let Some(list) = find_list(tx, account, name)? {
        return Ok(Some(list));
    }
    let Some(alias) = aliases::find(tx, account, name)? else { return Ok(None) };
    let Ok(Targets { lists, outside }) = aliases::targets(tx, &alias)? else { return Ok(None) };
    match (lists.as_slice(), outside.as_slice()) {
        ([only], []) => Ok(tx.get::<List>(only.0)?.filter(|list| !list.pending)),
        _ => Ok(None),
    }
}

/// The results for a message.
pub(crate) struct Kept {
    /// The decisions of lists, in words.
    pub(crate) verdicts: Vec<&'static str>,
    /// The decisions of its lists.
    pub(crate) settled: Vec<Settled>,
    /// The reason why its sender must send it again for one of several recipients. The others have it, and will
    /// recognise it.
    pub(crate) put_off: Option<Refusal>,
}

/// Logs what a list decided. A post is told when it is durable, and goes by its id from then on: the line of a log costs
/// more than many a step of the job, and the writer has no time for it.
pub(crate) fn tell(
    envelope: &Envelope,
    inbound: &Inbound,
    list: &str,
    verdict: &Verdict,
    message: Option<MessageId>,
) {
    let from = inbound.from.as_ref().map_or("nobody", |from| from.address.as_str());
    tracing::info!(
        list.name = list,
        message.id = message.map(|message| message.0),
        message.message_id = inbound.message_id.as_deref(),
        message.bytes = inbound.raw.len(),
        client.address = %envelope.client,
        "A message from {from} to {list} was decided: {verdict}",
    );
}

/// Carries out the decisions for all recipients, each separately.
pub(crate) fn receive(
    tx: &mut WriteTx,
    envelope: &Envelope,
    inbound: &Inbound,
    report: &Report,
    judgement: &Judgement,
    mail_context: &MailContext,
    now: Timestamp,
) -> Result<Kept, Undone> {
    let mut taken = Vec::new();
    let mut distribution = Distribution {
        envelope,
        inbound,
        report,
        judgement,
        is_outdated: false,
        mail_context,
        now,
        stored: None,
        lists: Vec::new(),
        notify: Notify::DEFAULT,
        verdicts: Vec::new(),
        settled: Vec::new(),
        put_off: None,
        is_role_mail_admitted: None,
    };
    for (address, route) in &envelope.recipients {
        let done = distribution.at(tx, address, *route)?;
        if distribution.is_outdated {
            return Err(Undone::Outdated);
        }
        taken.extend(done.map(|(account, action)| Taken { address, account, action }));
    }
    let Distribution { verdicts, settled, put_off, .. } = distribution;
    let put_off = match put_off {
        // No recipient has it, so nothing is stored.
        Some(refusal) if taken.is_empty() && envelope.recipients.len() == 1 => return Err(refusal.into()),
        put_off => put_off,
    };
    reports::tell_delivered(tx, mail_context, envelope, inbound, &taken, now)?;
    Ok(Kept { verdicts, settled, put_off })
}

/// One message as it is settled for one recipient after another. Its bytes are stored once for all lists.
struct Distribution<'a> {
    envelope: &'a Envelope,
    inbound: &'a Inbound,
    /// The report in it, if it came to an address at which reports are read.
    report: &'a Report,
    /// The results of the lists' patterns.
    judgement: &'a Judgement,
    /// Whether a list's patterns were changed after they were matched: the whole job is undone then.
    is_outdated: bool,
    mail_context: &'a MailContext,
    now: Timestamp,
    stored: Option<BlobId>,
    /// The lists settled so far: mail to two addresses of one list is one post.
    lists: Vec<ListId>,
    /// The events that its sender wants to be told of for the present recipient.
    notify: Notify,
    /// The decisions of lists, in words.
    verdicts: Vec<&'static str>,
    /// The decisions of its lists.
    settled: Vec<Settled>,
    /// The reason why it must be sent again for one of several recipients.
    put_off: Option<Refusal>,
    /// Whether it may be passed on to role addresses, once that was asked.
    is_role_mail_admitted: Option<bool>,
}

impl Distribution<'_> {
    /// Settles one recipient. Returns the account and the action if that recipient has the message then.
    fn at(
        &mut self,
        tx: &mut WriteTx,
        address: &EmailAddress,
        route: Route,
    ) -> Result<Option<(AccountId, Action)>, Refusal> {
        self.notify = self.envelope.dsn_options.of(address);
        let passed_on = match route {
            Route::List { list, limit_bytes: _ } => {
                let is_only_recipient = self.envelope.recipients.len() == 1;
                let taken = self.at_list(tx, list, is_only_recipient)?;
                return Ok(taken.map(|account| (account, Action::Delivered)));
            }
            Route::Alias(alias) => self.at_alias(tx, address, alias)?,
            Route::Owner { list } => match tx.get::<List>(list.0)? {
                Some(list) if self.admits_role_mail(tx)? => {
                    let moderators = notices::moderators_of(tx, &list, None)?;
                    let to = moderators.into_iter().map(|moderator| moderator.address).collect();
                    self.pass_on(tx, address, list.account, DedupScope::Owner(list.id), to)?
                }
                Some(_) | None => None,
            },
            Route::Postmaster { account } => {
                let reporter = Reporter::of(self.envelope);
                bounces::take_complaint_by_its_token(
                    tx,
                    self.mail_context,
                    account,
                    &reporter,
                    self.report,
                    self.now,
                )?;
                if self.admits_role_mail(tx)? {
                    let to = notices::administrators(tx, account)?;
                    self.pass_on(tx, address, account, DedupScope::Postmaster, to)?
                } else {
                    None
                }
            }
            Route::Bounce { batch, place } if bounces::is_too_early(tx, (batch, place), self.report)? => {
                return Err(Refusal::TooEarly);
            }
            Route::Bounce { batch, place } => {
                let reporter = Reporter::of(self.envelope);
                bounces::take_report(
                    tx,
                    self.mail_context,
                    (batch, place),
                    &reporter,
                    self.report,
                    self.now,
                )?;
                None
            }
            Route::Unsubscribe { contact, list } => {
                self.leave(tx, address, contact, list)?;
                None
            }
            // Removed before: each is settled in a job of its own.
            Route::ModerationReply(_) | Route::Confirmation(_) | Route::Command { .. } => None,
        };
        Ok(passed_on.map(|account| (account, Action::Relayed)))
    }

    /// Has the person in the unsubscribe link `address` leave, as the list says. Without a membership there is nothing
    /// to do.
    fn leave(
        &self,
        tx: &mut WriteTx,
        address: &EmailAddress,
        contact: ContactId,
        list: ListId,
    ) -> Result<(), StoreError> {
        let source = (Via::Mail, Some(self.envelope.client));
        let Some(caller) = subscribe::person(tx, contact, source)? else { return Ok(()) };
        match subscribe::ask_to_leave(tx, &caller, list, self.now) {
            Err(OpError::Store(error)) => return Err(error),
            Err(error) => {
                tracing::info!(contact.id = contact.0, error = %error, "Nobody left by a mail to {address}");
            }
            Ok(outcome) => tracing::info!(
                list.id = list.0,
                contact.id = contact.0,
                "A mail to {address} asked to leave: {outcome:?}"
            ),
        }
        Ok(())
    }

    /// Makes the sender send the message again, since one recipient cannot take it now. Without a Message-ID the other
    /// recipients would not recognise it, so it is then deferred for all of them.
    fn put_off(&mut self, refusal: Refusal) -> Result<(), Refusal> {
        if self.inbound.message_id.is_none() {
            return Err(refusal);
        }
        self.put_off.get_or_insert(refusal);
        Ok(())
    }

    /// Passes the message on to the people behind an address; returns the account if anybody gets it.
    fn pass_on(
        &self,
        tx: &mut WriteTx,
        at: &EmailAddress,
        account: AccountId,
        scope: DedupScope,
        to: Vec<EmailAddress>,
    ) -> Result<Option<AccountId>, StoreError> {
        let forwarded = ForwardedMail { envelope: self.envelope, inbound: self.inbound, at, scope };
        Ok(forwarded.pass_on(tx, self.mail_context, account, to, self.now)?.then_some(account))
    }

    /// Settles an alias, which takes mail from anybody: its lists decide for themselves, and other targets get the mail
    /// unchanged.
    fn at_alias(
        &mut self,
        tx: &mut WriteTx,
        at: &EmailAddress,
        alias: AliasId,
    ) -> Result<Option<AccountId>, Refusal> {
        let Some(alias) = tx.get::<Alias>(alias.0)? else { return Ok(None) };
        let Targets { lists, outside } = match aliases::targets(tx, &alias)? {
            Ok(targets) => targets,
            // The alias was changed after RCPT.
            Err(too_large) if self.envelope.recipients.len() == 1 => {
                return Err(Refusal::AliasTooLarge(too_large));
            }
            Err(_) => return Ok(None),
        };
        let mut taken = None;
        for list in lists {
            taken = self.at_list(tx, list, false)?.or(taken);
        }
        if !outside.is_empty() {
            taken = self.pass_on(tx, at, alias.account, DedupScope::Alias(alias.id), outside)?.or(taken);
        }
        Ok(taken)
    }

    /// Settles a list; returns its account if the list has the message now.
    fn at_list(
        &mut self,
        tx: &mut WriteTx,
        id: ListId,
        is_only_recipient: bool,
    ) -> Result<Option<AccountId>, Refusal> {
        if self.lists.contains(&id) {
            return Ok(None);
        }
        self.lists.push(id);
        let Some(list) = tx.get::<List>(id.0)?.filter(|list| !list.pending) else {
            // The list was deleted between RCPT and here.
            return if is_only_recipient { Err(Refusal::NoSuchRecipient) } else { Ok(None) };
        };
        let Ok(taboo) = self.judgement.of(&list) else {
            self.is_outdated = true;
            return Ok(None);
        };
        let Decision { verdict, acceptance } = acceptance::at_list(tx, &list, &self.mail_to_list(taboo))?;
        if acceptance != Acceptance::Posted {
            tell(self.envelope, self.inbound, list.name.as_str(), &verdict, None);
        }
        if acceptance == Acceptance::Refused(Refusal::Unverified) {
            return Err(Refusal::Unverified);
        }
        self.verdicts.push(verdict.word());
        if acceptance != Acceptance::Posted {
            self.settled.push(Settled::new(&list, acceptance.clone(), None));
        }
        match acceptance {
            Acceptance::Posted => {
                let post = self.post(tx)?;
                let message = publish(tx, &list, post, self.mail_context.config.routing(), self.now)?;
                self.settled.push(Settled::new(&list, acceptance, Some(message.id)));
                Ok(Some(list.account))
            }
            Acceptance::Held(reason) => {
                self.hold(tx, &list, &reason)?;
                Ok(Some(list.account))
            }
            Acceptance::Returned(reason) => {
                self.send_back(tx, &list, &reason)?;
                Ok(None)
            }
            Acceptance::Refused(refusal @ Refusal::TooManyHeld(_)) => {
                self.put_off(refusal)?;
                Ok(None)
            }
            Acceptance::Refused(refusal) if is_only_recipient => Err(refusal),
            Acceptance::Discarded(reason) => {
                settled::note_discarded(tx, &list, self.inbound, &reason, self.now)?;
                Ok(None)
            }
            Acceptance::Refused(_) => Ok(None),
        }
    }

    /// Sends a message back with a notice, unless that was done when it arrived before.
    fn send_back(&self, tx: &mut WriteTx, list: &List, reason: &RejectReason) -> Result<(), StoreError> {
        let scope = DedupScope::Rejection(list.id);
        if !seen_mail::is_new(tx, list.account, scope, self.inbound, self.now)? {
            return Ok(());
        }
        let words = reason.told_to_sender(locales::locale(tx, list.account)?.language);
        if let Some(about) = acceptance::about(&self.mail_to_list(None), &words) {
            notices::tell_sender(tx, self.mail_context, list, SenderNotice::Rejected, &about, self.now)?;
        }
        Ok(())
    }

    /// The facts about the message, with the reason to hold it by the list's patterns.
    fn mail_to_list<'s>(&'s self, taboo: Option<&'s HoldReason>) -> MailToList<'s> {
        let Distribution { envelope, inbound, notify, now, .. } = *self;
        MailToList { envelope, inbound, notify, taboo, now }
    }

    /// Whether the envelope sender shows that this server wrote or passed on the message.
    fn is_own_system_mail(&self, tx: &impl Read) -> Result<bool, StoreError> {
        let sender = self.envelope.reverse_path.address();
        let token = sender.and_then(|sender| Some((sender, sender.local().strip_prefix("bounces+")?)));
        let Some((sender, token)) = token else { return Ok(false) };
        let is_signed = self.mail_context.signer.open(Purpose::Bounce, token).is_some();
        Ok(is_signed && tx.exists(&DOMAIN_BY_NAME, &Key::new().text(sender.domain()))?)
    }

    fn blob(&mut self, tx: &mut WriteTx) -> Result<BlobId, StoreError> {
        if let Some(blob) = self.stored {
            return Ok(blob);
        }
        let blob = BlobId(tx.put_blob(&self.inbound.raw)?.0);
        self.stored = Some(blob);
        Ok(blob)
    }

    fn post(&mut self, tx: &mut WriteTx) -> Result<Post, StoreError> {
        let Envelope { authentication, requires_tls, .. } = self.envelope;
        Ok(Post::of_mail(self.inbound, self.blob(tx)?, authentication.clone(), *requires_tls))
    }

    fn hold(&mut self, tx: &mut WriteTx, list: &List, reason: &HoldReason) -> Result<(), Refusal> {
        let blob = self.blob(tx)?;
        let from = self.inbound.from.as_ref();
        let told = reason.told_to_sender(locales::locale(tx, list.account)?.language);
        let about = acceptance::about(&self.mail_to_list(None), &told).filter(|_| !self.notify.is_never());
        let held = Held {
            id: HeldId(tx.next_id::<Held>()?),
            account: list.account,
            list: list.id,
            from: from.map(|from| from.address.as_str().to_owned()).unwrap_or_default(),
            from_phrase: from.map(|from| from.name.clone()).unwrap_or_default(),
            message_id: self.inbound.message_id.clone(),
            reverse_path: about.as_ref().map(|about| about.to.clone()),
            subject: self.inbound.subject.clone(),
            received: self.now,
            blob,
            size_bytes: self.inbound.raw.len() as u64,
            reason: HeldReason::Rules(reason.clone()),
            authentication: self.envelope.authentication.clone(),
            state: HeldState::Held,
            decision: None,
            advised: Vec::new(),
            quarantined: None,
            requires_tls: self.envelope.requires_tls,
        };
        tx.put(&held)?;
        if let Some(about) = &about {
            notices::tell_sender(tx, self.mail_context, list, SenderNotice::Held, about, self.now)?;
        }
        if self.is_own_system_mail(tx)? {
            // Two lists that moderate each other would ask each other for ever.
            return Ok(());
        }
        notices::ask_moderators(tx, self.mail_context, list, &held, self.inbound, self.now)?;
        Ok(())
    }
}
