//! Makes the copies of one batch: checks who still gets one, and renders its bytes.
//!
//! Nothing is stored per copy. The [`Form`] of a message or system mail is made once and shared by all its batches; a
//! copy is rendered and signed when the connection has room for it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::OnceCell;

use super::author_policy::{AuthorPolicy, author_policy};
use super::recipient_lookup::RecipientLookup;
use super::signing::{Signing, bounces_to, fill_converted};
use super::system_mails::SystemMailForm;
use super::tls_requirement::TlsRequirement;
use super::unsendable::Unsendable;
use crate::mail::{self, Personal, SharedForm};
use crate::model::message::WHOLE_BATCH;
use crate::model::{Batch, CustomFieldId, Digest, EmailId, Links, List, ListId, Message, MessageId, Payload};
use crate::ops::OpError;
use crate::ops::delivery::outgoing::{DmarcExposure, Outgoing, outgoing};
use crate::ops::digests::outgoing::{outgoing_digest, version};
use crate::secret::Purpose;
use crate::service::Core;
use crate::smtp::send::outgoing::CopyBuffer;
use crate::store::{BlobId, Read, StoreError};

/// Forms kept for the next batch of the same message.
const FORMS_MAX: usize = 32;
/// How long a form is kept that was made although the DNS gave no answer.
const UNCERTAIN_FOR: Duration = Duration::from_mins(1);
/// The part of a payload that all copies share.
pub(super) enum Form {
    Post(Box<PostForm>),
    SystemMail(Box<SystemMailForm>),
}

/// The part that all copies of one post or digest share.
pub(super) struct PostForm {
    shared: SharedForm,
    /// Whether the members of one domain can share a copy.
    is_batched: bool,
    signer: Option<Signing>,
    /// Main domain of the account.
    domain: String,
    /// Names and identifiers of custom fields, as templates use them.
    fields: Vec<(CustomFieldId, String)>,
    tls: TlsRequirement,
    /// The links of the account.
    links: Links,
    /// The page on which members manage themselves, if there is one.
    members: Option<String>,
}

type Slot = Arc<OnceCell<Kept>>;
/// The content that a form is made of: a post can be written anew while copies of it, or of its digest, wait.
type FormKey = (Payload, Option<u64>);

/// A form in the cache.
struct Kept {
    form: Arc<Form>,
    /// When it must be made again, by the steady clock, if ever.
    until: Option<Duration>,
}

/// The forms of the messages being sent, each made once however many batches ask for it.
#[derive(Default)]
pub(super) struct Forms(Mutex<VecDeque<(FormKey, Slot)>>);

impl Forms {
    /// The form of a batch's payload.
    pub(super) async fn get(&self, core: &Core, batch: &Batch) -> Result<Arc<Form>, Unsendable> {
        let slot = self.slot((batch.payload, version_of(core, batch.payload)?), core.clock.steady());
        let make = || async {
            let (making_core, payload) = (core.clone(), batch.payload);
            let AuthorPolicy { exposure, is_certain } = match payload {
                Payload::Post { message, list: _ } => author_policy(core, message).await?,
                Payload::SystemMail(_) | Payload::Digest { .. } => AuthorPolicy::FREE,
            };
            let until = (!is_certain).then(|| core.clock.steady() + UNCERTAIN_FOR);
            let making = tokio::task::spawn_blocking(move || Form::make(&making_core, payload, exposure));
            let form = making.await.map_err(|error| Unsendable::Panicked(error.to_string()))??;
            if let (Form::Post(post), Payload::Post { message, list: _ }) = (&form, payload) {
                // They share the commit of the first outcomes.
                core.unrecorded_changes.note(message, post.shared.changes.clone());
            }
            Ok::<_, Unsendable>(Kept { form: Arc::new(form), until })
        };
        slot.get_or_try_init(make).await.map(|kept| kept.form.clone())
    }

    fn slot(&self, key: FormKey, now: Duration) -> Slot {
        let mut forms = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_over = |slot: &Slot| slot.get().and_then(|kept| kept.until).is_some_and(|until| until <= now);
        forms.retain(|(_, slot)| !is_over(slot));
        if let Some((_, slot)) = forms.iter().find(|(known, _)| *known == key) {
            return slot.clone();
        }
        if FORMS_MAX <= forms.len() {
            forms.pop_front();
        }
        let slot = Slot::default();
        forms.push_back((key, slot.clone()));
        slot
    }
}

/// A number that changes with the bytes of a post or a digest.
fn version_of(core: &Core, payload: Payload) -> Result<Option<u64>, StoreError> {
    match payload {
        Payload::Post { message, list: _ } => {
            Ok(core.store.read()?.get::<Message>(message.0)?.map(|message| message.blob.0))
        }
        Payload::Digest { digest, list: _ } => {
            let tx = core.store.read()?;
            tx.get::<Digest>(digest.0)?.map(|digest| version(&tx, &digest)).transpose()
        }
        Payload::SystemMail(_) => Ok(None),
    }
}

impl Form {
    /// The TLS that the message demands.
    pub(super) fn tls(&self) -> TlsRequirement {
        match self {
            Form::Post(form) => form.tls,
            Form::SystemMail(form) => form.tls,
        }
    }

    fn make(core: &Core, payload: Payload, exposure: DmarcExposure) -> Result<Form, Unsendable> {
        match payload {
            Payload::Post { message, list: _ } => {
                PostForm::make(core, message, exposure).map(|form| Form::Post(Box::new(form)))
            }
            Payload::Digest { digest, list: _ } => {
                PostForm::of_digest(core, digest).map(|form| Form::Post(Box::new(form)))
            }
            Payload::SystemMail(system_mail) => {
                SystemMailForm::make(core, system_mail).map(|form| Form::SystemMail(Box::new(form)))
            }
        }
    }
}

impl PostForm {
    fn make(core: &Core, id: MessageId, exposure: DmarcExposure) -> Result<PostForm, Unsendable> {
        let tx = core.store.read()?;
        let message: Message = tx.get(id.0)?.ok_or(Unsendable::ListGone)?;
        let list: List = tx.get(message.list.0)?.ok_or(Unsendable::ListGone)?;
        let inbound = mail::parse(tx.blob(BlobId(message.blob.0))?)?;
        let post = (message.id, message.time);
        let links = core.links.of(&tx, list.account)?;
        let made = outgoing(&tx, &list, &inbound, post, exposure, &links, core.config.delivery)?;
        let made = made.ok_or(Unsendable::ListGone)?;
        let tls = TlsRequirement::of(message.requires_tls, &inbound.raw);
        let signer = Signing::of_post(core, &made, message.authentication.as_ref(), message.id)?;
        Ok(PostForm::of(made, signer, tls, links))
    }

    fn of_digest(core: &Core, id: MessageId) -> Result<PostForm, Unsendable> {
        let tx = core.store.read()?;
        let digest: Digest = tx.get(id.0)?.ok_or(Unsendable::DigestGone)?;
        let links = core.links.of(&tx, digest.account)?;
        let made = outgoing_digest(&tx, &digest, &links, core.config.delivery)?;
        let tls = if digest.requires_tls { TlsRequirement::Required } else { TlsRequirement::of(false, &[]) };
        let signer = Signing::of_post(core, &made, None, id)?;
        Ok(PostForm::of(made, signer, tls, links))
    }

    fn of(made: Outgoing, signer: Option<Signing>, tls: TlsRequirement, links: Links) -> PostForm {
        let Outgoing { shared, domain, signer: _, fields, is_batched } = made;
        let domain = domain.name.as_str().to_owned();
        let members = links.members();
        PostForm { shared, is_batched, signer, domain, fields, tls, links, members }
    }
}

/// Makes the copies of one batch, one after another.
pub(super) struct Copies<'a> {
    core: &'a Core,
    form: &'a Form,
    lookup: RecipientLookup,
    rendered: Vec<u8>,
    /// Whether there is evidence against the address of the last copy, so that its delivery must be noted.
    pub(super) is_suspect: bool,
}

impl<'a> Copies<'a> {
    pub(super) fn new(core: &'a Core, form: &'a Form) -> Copies<'a> {
        Copies { core, form, lookup: RecipientLookup::default(), rendered: Vec::new(), is_suspect: false }
    }

    /// Fills `buffer` with the copy of a recipient; returns false if the member left or paused meanwhile.
    pub(super) fn render(
        &mut self,
        place: usize,
        batch: &Batch,
        buffer: &mut CopyBuffer,
    ) -> Result<bool, OpError> {
        if self.form.tls() == TlsRequirement::Required {
            buffer.require_tls();
        }
        match (self.form, batch.payload) {
            (Form::Post(form), Payload::Post { list, .. } | Payload::Digest { list, .. }) => {
                self.render_post(form, list, place, batch, buffer)
            }
            (Form::SystemMail(form), _) => {
                // System mails need no membership; bounces of an address still in the address book are handled by
                // probes.
                self.is_suspect = batch.recipients[place].email != EmailId(0);
                form.render(self.core, place, batch, buffer)?;
                Ok(true)
            }
            (Form::Post(_), Payload::SystemMail(_)) => unreachable!("a form is found by its payload"),
        }
    }

    fn render_post(
        &mut self,
        form: &PostForm,
        list: ListId,
        place: usize,
        batch: &Batch,
        buffer: &mut CopyBuffer,
    ) -> Result<bool, OpError> {
        let Some((contact, email)) = self.lookup.take(&self.core.store, batch, place)? else {
            return Ok(false);
        };
        let recipient = &batch.recipients[place];
        self.is_suspect = email.evidence.is_some();
        if form.is_batched {
            let sender = bounces_to(self.core, batch, WHOLE_BATCH, &form.domain)?;
            let nobody = Personal { envelope_sender: sender.as_str(), ..Personal::default() };
            buffer.set_envelope(Some(&sender), &recipient.address);
            self.fill(form, &nobody, buffer);
            return Ok(true);
        }
        let PostForm { domain, fields, links, members, .. } = form;
        let signing = &self.core.signer;
        let envelope_sender = bounces_to(self.core, batch, place, domain)?;
        let token = signing.token(Purpose::Unsubscribe, [contact.id.0, list.0]);
        let unsubscribe_url = links.unsubscribe(&token);
        let custom: Vec<(&str, &str)> = fields
            .iter()
            .map(|(id, name)| (name.as_str(), contact.custom.get(id).map_or("", String::as_str)))
            .collect();
        let personal = Personal {
            email: recipient.address.as_str(),
            first_name: &contact.firstname,
            surname: &contact.surname,
            unsubscribe_url: &unsubscribe_url,
            unsubscribe_mailto: &format!("mailto:confirm+{token}@{domain}"),
            manage_url: members.as_ref().unwrap_or(&unsubscribe_url),
            envelope_sender: envelope_sender.as_str(),
            custom: &custom,
        };
        buffer.set_envelope(Some(&envelope_sender), &recipient.address);
        self.fill(form, &personal, buffer);
        Ok(true)
    }

    /// Renders and signs a copy.
    fn fill(&mut self, form: &PostForm, personal: &Personal<'_>, buffer: &mut CopyBuffer) {
        if form.signer.is_none() && !buffer.is_for_ascii() {
            form.shared.render(personal, buffer.data_mut());
            return;
        }
        self.rendered.clear();
        let body_start = form.shared.render(personal, &mut self.rendered);
        if buffer.is_for_ascii() && !self.rendered.is_ascii() {
            fill_converted(&self.rendered, form.signer.as_ref(), self.core.now(), buffer);
            return;
        }
        match &form.signer {
            Some(signer) => {
                signer.sign(&self.rendered, body_start, self.core.now(), buffer.data_mut());
            }
            None => buffer.data_mut().extend_from_slice(&self.rendered),
        }
    }

    /// Whether one copy serves several recipients.
    pub(super) fn are_shared(&self) -> bool {
        matches!(self.form, Form::Post(form) if form.is_batched)
    }

    /// Adds another recipient to the copy in `buffer`; returns false if the member left or paused meanwhile.
    pub(super) fn share(
        &mut self,
        place: usize,
        batch: &Batch,
        buffer: &mut CopyBuffer,
    ) -> Result<bool, OpError> {
        let Some((_, email)) = self.lookup.take(&self.core.store, batch, place)? else { return Ok(false) };
        self.is_suspect = email.evidence.is_some();
        buffer.add_recipient(&batch.recipients[place].address);
        Ok(true)
    }
}
