//! The copies of one batch: who still gets one, and its bytes.
//!
//! Nothing is stored per copy. The [`Form`] of a message is made once and shared by all its batches; a copy is
//! rendered and signed when the connection has room for it.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::OnceCell;

use crate::clock::Timestamp;
use crate::mail::{self, BodyHash, DkimSigner, Personal, RewriteContext, SharedForm};
use crate::model::{
    Account, Batch, Contact, CustomFieldId, Email, EmailAddress, List, Membership, Message, MessageId,
    Recipient,
};
use crate::ops::accounts::main_domain;
use crate::ops::messages::list_address;
use crate::ops::{Core, OpError};
use crate::secret::Purpose;
use crate::smtp::outgoing::CopyBuffer;
use crate::store::{BlobId, Read, StoreError};

/// Forms that are kept for the next batch of the same message.
const FORMS_MAX: usize = 32;
/// Whether copies carry a second signature, for receivers that trust no RSA key of this size (RFC 8463).
const SIGN_ED25519: bool = true;

/// What all copies of one message share.
pub(super) struct Form {
    shared: SharedForm,
    signer: Option<Signing>,
    /// Main domain of the account.
    domain: String,
    /// Names of custom fields, as templates use them.
    fields: Vec<(CustomFieldId, String)>,
}

/// How the copies of a message are signed.
struct Signing {
    signer: DkimSigner,
    /// The hash of the body, where all copies have the same.
    shared_body: Option<BodyHash>,
}

impl Signing {
    /// Appends a copy to `out`, its signatures in front.
    fn sign(&self, copy: &[u8], body_start: usize, now: Timestamp, out: &mut Vec<u8>) {
        let (head, body) = copy.split_at(body_start);
        match &self.shared_body {
            Some(hash) => self.signer.sign_with(head, hash, now, out),
            None => self.signer.sign_with(head, &mail::body_hash(body), now, out),
        }
        out.extend_from_slice(copy);
    }
}

/// Why a message cannot be sent at all.
#[derive(Debug, Clone, thiserror::Error)]
pub(super) enum Unsendable {
    /// Its list was deleted.
    #[error("the list was deleted before this copy was sent")]
    ListGone,
    /// The data file failed; the copies wait for their next attempt.
    #[error("{0}")]
    Store(#[from] StoreError),
    /// Its bytes cannot be read any more.
    #[error("the message cannot be read: {0}")]
    Unreadable(#[from] mail::ParseError),
    /// The keys of the domain cannot be used.
    #[error("the DKIM keys of the domain cannot be used: {0}")]
    Keys(#[from] mail::DkimSignerError),
}

type Slot = Arc<OnceCell<Arc<Form>>>;

/// The forms of the messages that are being sent, each made once however many batches ask for it.
#[derive(Default)]
pub(super) struct Forms(Mutex<VecDeque<(MessageId, Slot)>>);

impl Forms {
    /// The form of a batch's message.
    pub(super) async fn get(&self, core: &Core, batch: &Batch) -> Result<Arc<Form>, Unsendable> {
        let slot = self.slot(batch.message);
        let make = || async {
            let (core, message) = (core.clone(), batch.message);
            let making = tokio::task::spawn_blocking(move || Form::make(&core, message));
            making.await.map_err(|_| StoreError::Panicked)?.map(Arc::new)
        };
        slot.get_or_try_init(make).await.cloned()
    }

    fn slot(&self, message: MessageId) -> Slot {
        let mut forms = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, slot)) = forms.iter().find(|(known, _)| *known == message) {
            return slot.clone();
        }
        if FORMS_MAX <= forms.len() {
            forms.pop_front();
        }
        let slot = Slot::default();
        forms.push_back((message, slot.clone()));
        slot
    }
}

impl Form {
    fn make(core: &Core, id: MessageId) -> Result<Form, Unsendable> {
        let tx = core.store.read()?;
        let message: Message = tx.get(id.0)?.ok_or(Unsendable::ListGone)?;
        let list: List = tx.get(message.list.0)?.ok_or(Unsendable::ListGone)?;
        let account: Account = tx.get(list.account.0)?.ok_or(Unsendable::ListGone)?;
        let domain = main_domain(&tx, list.account)?;
        let inbound = mail::parse(tx.blob(BlobId(message.blob.0))?)?;
        let fields: Vec<(CustomFieldId, String)> =
            account.custom_fields.iter().map(|field| (field.id, field.name.clone())).collect();
        let names: Vec<&str> = fields.iter().map(|(_, name)| name.as_str()).collect();
        let from = inbound.from.as_ref().map(|from| from.address.domain());
        let shared = mail::rewrite(
            &inbound,
            &RewriteContext {
                list: &list,
                list_address: &list_address(&list, &domain),
                account: &account.name,
                base_url: &core.base_url,
                message: message.id,
                rewrite_from: false,
                from_is_ours: from == Some(domain.name.as_str()),
                batched: false,
                custom_fields: &names,
                accepted: message.time,
            },
        );
        let signer = if core.config.dkim_sign {
            let signer = DkimSigner::new(domain.name.as_str(), &domain.dkim, SIGN_ED25519)?;
            Some(Signing { signer, shared_body: shared_body(&shared) })
        } else {
            None
        };
        let domain = domain.name.as_str().to_owned();
        Ok(Form { shared, signer, domain, fields })
    }
}

/// The hash of the body that all copies have, unless it is personal.
fn shared_body(shared: &SharedForm) -> Option<BodyHash> {
    if shared.has_personal_body() {
        return None;
    }
    let mut copy = Vec::new();
    let body_start = shared.render(&Personal::default(), &mut copy);
    Some(mail::body_hash(&copy[body_start..]))
}

/// Makes the copies of one batch, one after another.
pub(super) struct Copies<'a> {
    core: &'a Core,
    form: &'a Form,
    rendered: Vec<u8>,
}

impl<'a> Copies<'a> {
    pub(super) fn new(core: &'a Core, form: &'a Form) -> Copies<'a> {
        Copies { core, form, rendered: Vec::new() }
    }

    /// Fills `buffer` with the copy of a recipient; false if its member left or paused meanwhile.
    pub(super) fn render(
        &mut self,
        place: usize,
        batch: &Batch,
        buffer: &mut CopyBuffer,
    ) -> Result<bool, OpError> {
        let recipient = &batch.recipients[place];
        let Some(contact) = self.find_wanted(recipient)? else { return Ok(false) };
        let Form { shared, signer, domain, fields } = self.form;
        let signing = &self.core.signer;
        let bounce = signing.token(Purpose::Bounce, [batch.id.0, place as u64]);
        let envelope_sender = EmailAddress::parse(&format!("bounces+{bounce}@{domain}"))
            .map_err(|error| OpError::invalid("domain", error))?;
        let token = signing.token(Purpose::Unsubscribe, [contact.id.0, batch.list.0]);
        let unsubscribe_url = format!("{}/unsubscribe/{token}/", self.core.base_url);
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
            // Where members manage themselves, until there is a page with more on it.
            manage_url: &unsubscribe_url,
            envelope_sender: envelope_sender.as_str(),
            custom: &custom,
        };
        buffer.set_envelope(Some(&envelope_sender), &recipient.address);
        match signer {
            Some(signer) => {
                self.rendered.clear();
                let body_start = shared.render(&personal, &mut self.rendered);
                signer.sign(&self.rendered, body_start, self.core.now(), buffer.data_mut());
            }
            None => {
                shared.render(&personal, buffer.data_mut());
            }
        }
        Ok(true)
    }

    /// The contact of a recipient that is still a member and whose address still takes mail. Looked up anew
    /// for each copy: a snapshot is not held while the network is awaited.
    fn find_wanted(&self, recipient: &Recipient) -> Result<Option<Contact>, StoreError> {
        let tx = self.core.store.read()?;
        if tx.get::<Membership>(recipient.membership.0)?.is_none() {
            return Ok(None);
        }
        let email = tx.get::<Email>(recipient.email.0)?;
        let takes_mail = email.is_some_and(|email| !email.paused && email.address == recipient.address);
        if takes_mail { tx.get(recipient.contact.0) } else { Ok(None) }
    }
}
