//! Makes DKIM signatures (RFC 6376, RFC 8463) for outgoing messages.
//!
//! Every copy to every member is signed, so keys are read once and nothing is parsed per call except the covered header
//! fields; what remains is the cost of the RSA operation. Written with aws-lc-rs because `mail-auth` reads the system's
//! clock for the time stamp, which is an argument here.

mod body;

use aws_lc_rs::digest::{Context, Digest, SHA256};
use aws_lc_rs::encoding::{AsDer, PublicKeyX509Der};
use aws_lc_rs::signature::{Ed25519KeyPair, KeyPair, RSA_PKCS1_SHA256, RsaKeyPair};

use super::header;
use crate::clock::Timestamp;
use crate::model::DkimKeys;

pub(crate) use body::BodyHasher;
pub use body::{BodyHash, body_hash};

/// The fields that are covered if a message has them. `From` occurs twice: a second one that is added on the way breaks
/// the signature.
pub(super) const SIGNED: [&str; 25] = [
    "From",
    "From",
    "Reply-To",
    "Subject",
    "Date",
    "Message-ID",
    "To",
    "Cc",
    "In-Reply-To",
    "References",
    "Sender",
    "MIME-Version",
    "Content-Type",
    "Content-Transfer-Encoding",
    "List-Id",
    "List-Post",
    "List-Help",
    "List-Owner",
    "List-Subscribe",
    "List-Unsubscribe",
    "List-Unsubscribe-Post",
    "List-Archive",
    "Archived-At",
    "Feedback-ID",
    "CFBL-Address",
];
/// Characters of base64 on one line of the signature.
const SIGNATURE_LINE_CHARS: usize = 72;

/// The reason why keys cannot sign.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DkimSignerError {
    /// The RSA key is no PKCS#8 key.
    #[error("the RSA key cannot be read")]
    Rsa,
    /// The Ed25519 key is no PKCS#8 key.
    #[error("the Ed25519 key cannot be read")]
    Ed25519,
}

/// The keys of one domain, ready to sign.
#[derive(Debug)]
pub struct DkimSigner {
    domain: String,
    rsa: (String, RsaKeyPair),
    ed25519: Option<(String, Ed25519KeyPair)>,
}

impl DkimSigner {
    /// Reads the keys of `domain` (A-label form). The Ed25519 signature, which many verifiers still ignore, is the
    /// second one and optional.
    pub fn new(domain: &str, keys: &DkimKeys, with_ed25519: bool) -> Result<DkimSigner, DkimSignerError> {
        let rsa = RsaKeyPair::from_pkcs8(&keys.rsa_pkcs8).map_err(|_| DkimSignerError::Rsa)?;
        let ed25519 = if with_ed25519 {
            let key =
                Ed25519KeyPair::from_pkcs8(&keys.ed25519_pkcs8).map_err(|_| DkimSignerError::Ed25519)?;
            Some((ed25519_selector(&keys.selector), key))
        } else {
            None
        };
        Ok(DkimSigner { domain: domain.to_owned(), rsa: (keys.selector.clone(), rsa), ed25519 })
    }

    /// Appends the `DKIM-Signature` fields that go in front of `message` to `out`.
    ///
    /// # Panics
    /// Never: a key that could be read can sign.
    pub fn sign(&self, message: &[u8], now: Timestamp, out: &mut Vec<u8>) {
        let (head, body) = super::split(message);
        self.sign_with(head, &body_hash(body), now, out);
    }

    /// Like [`sign`](DkimSigner::sign), for copies with the same body, which is hashed once.
    ///
    /// # Panics
    /// Never: a key that could be read can sign.
    pub fn sign_with(&self, head: &[u8], body_hash: &BodyHash, now: Timestamp, out: &mut Vec<u8>) {
        let covered = Covered::of(head, &SIGNED);
        let (selector, key) = &self.rsa;
        self.sign_one("rsa-sha256", selector, (&covered, body_hash), now, out, |digest| {
            rsa_signature(key, digest).expect("a key that was read can sign")
        });
        if let Some((selector, key)) = &self.ed25519 {
            self.sign_one("ed25519-sha256", selector, (&covered, body_hash), now, out, |digest| {
                key.sign(digest.as_ref()).as_ref().to_vec()
            });
        }
    }

    fn sign_one(
        &self,
        algorithm: &str,
        selector: &str,
        (covered, body_hash): (&Covered, &BodyHash),
        now: Timestamp,
        out: &mut Vec<u8>,
        make: impl FnOnce(&Digest) -> Vec<u8>,
    ) {
        let start = out.len();
        let (domain, time, body_hash) = (&self.domain, now.secs(), body_hash.base64());
        let head = format!(
            "DKIM-Signature: v=1; a={algorithm}; c=relaxed/relaxed;\r\n\td={domain}; s={selector};\r\n\tt={time}; bh={body_hash};\r\n\th="
        );
        out.extend_from_slice(head.as_bytes());
        covered.write_names(out);
        out.push(b';');
        let signature = make(&covered.digest(out, start));
        write_signature(out, &signature);
    }
}

/// An RSA signature of a digest; `None` if the key cannot sign.
pub(super) fn rsa_signature(key: &RsaKeyPair, digest: &Digest) -> Option<Vec<u8>> {
    let mut signature = vec![0; key.public_modulus_len()];
    key.sign_digest(&RSA_PKCS1_SHA256, digest, &mut signature).ok()?;
    Some(signature)
}

/// Completes a field with its signature.
pub(super) fn write_signature(out: &mut Vec<u8>, signature: &[u8]) {
    let signature = data_encoding::BASE64.encode(signature);
    for (index, line) in signature.as_bytes().chunks(SIGNATURE_LINE_CHARS).enumerate() {
        if index != 0 {
            out.extend_from_slice(b"\r\n\t");
        }
        out.extend_from_slice(line);
    }
    out.extend_from_slice(b"\r\n");
}

/// The selector of the Ed25519 key, beside the RSA key's.
#[must_use]
pub fn ed25519_selector(selector: &str) -> String {
    format!("{selector}-ed")
}

/// The TXT records that publish the keys, each with its selector and text.
pub fn dns_records(keys: &DkimKeys) -> Result<Vec<(String, String)>, DkimSignerError> {
    let rsa = RsaKeyPair::from_pkcs8(&keys.rsa_pkcs8).map_err(|_| DkimSignerError::Rsa)?;
    let rsa_public: PublicKeyX509Der<'_> = rsa.public_key().as_der().map_err(|_| DkimSignerError::Rsa)?;
    let ed25519 = Ed25519KeyPair::from_pkcs8(&keys.ed25519_pkcs8).map_err(|_| DkimSignerError::Ed25519)?;
    let base64 = |bytes: &[u8]| data_encoding::BASE64.encode(bytes);
    Ok(vec![
        (keys.selector.clone(), format!("v=DKIM1; k=rsa; p={}", base64(rsa_public.as_ref()))),
        (
            ed25519_selector(&keys.selector),
            format!("v=DKIM1; k=ed25519; p={}", base64(ed25519.public_key().as_ref())),
        ),
    ])
}

/// The public key of a TXT record (RFC 6376 3.6.1), without blanks; `None` if there is none, or it was revoked.
#[must_use]
pub fn public_key_of(record: &[u8]) -> Option<String> {
    let text: String = String::from_utf8_lossy(record).chars().filter(|c| !c.is_ascii_whitespace()).collect();
    text.split(';').find_map(|tag| tag.strip_prefix("p=")).filter(|key| !key.is_empty()).map(str::to_owned)
}

/// The covered fields of one message, hashed up to the signature's own field.
pub(super) struct Covered {
    context: Context,
    /// The names in the order of hashing, each as often as it is covered.
    names: Vec<&'static str>,
}

impl Covered {
    /// Covers the fields of these names.
    pub(super) fn of(head: &[u8], signed: &[&'static str]) -> Covered {
        let fields: Vec<(Option<usize>, header::Field<'_>)> = header::fields(head)
            .map(|field| (signed.iter().position(|name| field.is(name)), field))
            .collect();
        let mut context = Context::new(&SHA256);
        let mut canonical = Vec::with_capacity(head.len());
        let mut names = Vec::with_capacity(signed.len());
        for (index, name) in signed.iter().enumerate() {
            // The first occurrence of a name stands for the last field of that name in the message, and so on; the
            // second From covers the absence of another.
            if index != 0 && signed[index - 1] == *name {
                names.push(*name);
                continue;
            }
            for (_, field) in fields.iter().rev().filter(|(signed, _)| *signed == Some(index)) {
                canonical_field(field.raw, &mut canonical);
                names.push(*name);
            }
        }
        context.update(&canonical);
        Covered { context, names }
    }

    /// Covers bytes that were hashed already, and no field of a message.
    pub(super) fn behind(context: Context) -> Covered {
        Covered { context, names: Vec::new() }
    }

    /// Appends the signature's tag to its own field, which begins at `start` of `out`, and hashes that field.
    pub(super) fn digest(&self, out: &mut Vec<u8>, start: usize) -> Digest {
        out.extend_from_slice(b"\r\n\tb=");
        let mut context = self.context.clone();
        let mut canonical = Vec::with_capacity(out.len() - start);
        canonical_field(&out[start..], &mut canonical);
        // The signature's own field is hashed without its line end.
        context.update(canonical.strip_suffix(b"\r\n").unwrap_or(&canonical));
        context.finish()
    }

    pub(super) fn write_names(&self, out: &mut Vec<u8>) {
        let mut column = 3;
        for (index, name) in self.names.iter().enumerate() {
            if index != 0 {
                out.push(b':');
            }
            if SIGNATURE_LINE_CHARS < column + name.len() {
                out.extend_from_slice(b"\r\n\t");
                column = 1;
            }
            out.extend_from_slice(name.as_bytes());
            column += name.len() + 1;
        }
    }
}

/// A header field in relaxed canonical form (RFC 6376 3.4.2), with its line end.
pub(super) fn canonical_field(raw: &[u8], out: &mut Vec<u8>) {
    let colon = raw.iter().position(|byte| *byte == b':').unwrap_or(raw.len());
    out.extend(raw[..colon].trim_ascii_end().iter().map(u8::to_ascii_lowercase));
    out.push(b':');
    let start = out.len();
    let mut pending = false;
    for &byte in raw.get(colon + 1..).unwrap_or_default() {
        match byte {
            b'\r' | b'\n' => {}
            b' ' | b'\t' => pending = true,
            _ => {
                if pending && start < out.len() {
                    out.push(b' ');
                }
                pending = false;
                out.push(byte);
            }
        }
    }
    out.extend_from_slice(b"\r\n");
}

#[cfg(test)]
mod tests;
