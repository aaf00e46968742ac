//! The signatures and seals of copies, their conversion for servers that take ASCII alone, and where reports on a copy go.

use crate::clock::Timestamp;
use crate::mail::{self, ArcSealer, BodyHash, BodyHasher, DkimSigner, DkimSignerError, Personal, SealError};
use crate::model::{AccountDomain, Authentication, Batch, EmailAddress, MessageId};
use crate::ops::OpError;
use crate::ops::delivery::outgoing::Outgoing;
use crate::secret::Purpose;
use crate::service::Core;
use crate::smtp::send::outgoing::CopyBuffer;

/// Whether copies carry a second signature, for receivers that trust no RSA key of this size (RFC 8463).
const SIGN_ED25519: bool = true;

/// How the copies of a message are signed.
pub(super) struct Signing {
    signer: DkimSigner,
    body: Body,
    seal: Seal,
}

/// The hashes of bodies.
enum Body {
    /// All copies have the same body.
    Shared(BodyHash),
    /// Copies differ in some lines.
    Own(Box<BodyHasher>),
}

/// The ARC seal above the signatures of a copy whose post came with authentication results (`spec/mail.md` 6).
enum Seal {
    None,
    /// One seal for all copies, made once.
    Shared(Vec<u8>),
    /// A seal for each copy, which costs two more RSA operations.
    Own(ArcSealer),
}

impl Signing {
    /// Signs copies with the same body for a domain, if the server signs.
    pub(super) fn of(
        core: &Core,
        domain: &AccountDomain,
        shared_body: BodyHash,
    ) -> Result<Option<Signing>, DkimSignerError> {
        if !core.config.dkim_sign {
            return Ok(None);
        }
        let signer = DkimSigner::new(domain.name.as_str(), &domain.dkim, SIGN_ED25519)?;
        Ok(Some(Signing { signer, body: Body::Shared(shared_body), seal: Seal::None }))
    }

    /// Signs the copies of a post or a digest, and seals them if there are authentication results to pass on.
    pub(super) fn of_post(
        core: &Core,
        post: &Outgoing,
        authentication: Option<&Authentication>,
        id: MessageId,
    ) -> Result<Option<Signing>, DkimSignerError> {
        if !core.config.dkim_sign {
            return Ok(None);
        }
        let mut copy = Vec::new();
        let body_start = post.shared.render(&Personal::default(), &mut copy);
        let (head, body) = copy.split_at(body_start);
        let hash = mail::body_hash(body);
        let seal = Seal::of(core, post, authentication, id, (head, &hash));
        let signing = Signing::of(core, &post.signer, hash)?;
        let own = post.shared.body_hasher().map(|hasher| Body::Own(Box::new(hasher)));
        Ok(signing.map(|signing| Signing { seal, body: own.unwrap_or(signing.body), ..signing }))
    }

    /// Appends a copy to `out` whose body differs from those of all others, with its signature in front and no seal.
    pub(super) fn sign_alone(&self, copy: &[u8], body_start: usize, now: Timestamp, out: &mut Vec<u8>) {
        let (head, body) = copy.split_at(body_start);
        self.signer.sign_with(head, &mail::body_hash(body), now, out);
        out.extend_from_slice(copy);
    }

    /// Appends a copy to `out`, with its signatures in front.
    pub(super) fn sign(&self, copy: &[u8], body_start: usize, now: Timestamp, out: &mut Vec<u8>) {
        let (head, body) = copy.split_at(body_start);
        let own;
        let hash = match &self.body {
            Body::Shared(hash) => hash,
            Body::Own(hasher) => {
                own = hasher.hash(body);
                &own
            }
        };
        match &self.seal {
            Seal::None => {}
            Seal::Shared(seal) => out.extend_from_slice(seal),
            // The signer's first signature was made when it was created, to see whether it can be.
            Seal::Own(sealer) => out.extend(sealer.seal(head, hash, now).unwrap_or_default()),
        }
        self.signer.sign_with(head, hash, now, out);
        out.extend_from_slice(copy);
    }
}

/// Fills `buffer` with a copy for a server that takes ASCII alone, signed by `signer`. What cannot be converted is
/// noted, and the copy fails.
pub(super) fn fill_converted(copy: &[u8], signer: Option<&Signing>, now: Timestamp, buffer: &mut CopyBuffer) {
    let Some((converted, body_start)) = mail::seven_bit(copy) else {
        return buffer.set_fixed();
    };
    match signer {
        Some(signer) => signer.sign_alone(&converted, body_start, now, buffer.data_mut()),
        None => buffer.data_mut().extend_from_slice(&converted),
    }
}

impl Seal {
    /// Decides how the copies of a post are sealed; `sample` is one of them. If anything fails, they are sent without a
    /// seal.
    ///
    /// If copies contain something personal, each needs a seal of its own. That price is paid only for a proof that
    /// receivers lack: under one of this server's own addresses, its own signature is a proof.
    fn of(
        core: &Core,
        post: &Outgoing,
        authentication: Option<&Authentication>,
        id: MessageId,
        sample: (&[u8], &BodyHash),
    ) -> Seal {
        let Outgoing { shared, domain, .. } = post;
        let is_shared = !shared.has_personal_content();
        let authentication = match authentication {
            Some(found) if !shared.hides_author && (is_shared || shared.is_of_others) => found,
            _ => return Seal::None,
        };
        let (head, body_hash) = sample;
        let hostname = &core.config.hostname;
        let found = ArcSealer::of(domain.name.as_str(), &domain.dkim, hostname, authentication, head);
        let made = found.and_then(|sealer| {
            let Some(sealer) = sealer else { return Ok(Seal::None) };
            let seal = sealer.seal(head, body_hash, core.now())?;
            Ok(if is_shared { Seal::Shared(seal) } else { Seal::Own(sealer) })
        });
        made.unwrap_or_else(|error: SealError| {
            tracing::warn!(message.id = id.0, error = %error, "Message {id} is sent without an ARC seal: {error}");
            Seal::None
        })
    }
}

/// The address to which bounces of one copy go; with [`WHOLE_BATCH`](crate::model::message::WHOLE_BATCH) as the
/// place, those of a copy that several recipients share.
pub(super) fn bounces_to(
    core: &Core,
    batch: &Batch,
    place: usize,
    domain: &str,
) -> Result<EmailAddress, OpError> {
    let token = core.signer.token(Purpose::Bounce, [batch.id.0, place as u64]);
    EmailAddress::parse(&format!("bounces+{token}@{domain}"))
        .map_err(|error| OpError::invalid("domain", error))
}
