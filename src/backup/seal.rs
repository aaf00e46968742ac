//! Protects the objects of a target: every change is noticed, and with a key nobody else reads them.
//!
//! An object is bound to its name, so that one is never taken for another. Without a key the checksum finds damage, not
//! malice; with one, objects are encrypted (AES-256-GCM), and the hashes by which chunks are known are keyed, so that
//! they give nothing away.

use std::fmt;

use aws_lc_rs::aead::{self, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::{digest, hmac};

use crate::secret::Secrets;

/// A hash of content.
pub(super) type Hash = [u8; 32];

/// Bytes of the key from which all others are made.
pub(super) const KEY_BYTES: usize = 32;

/// The way in which the objects of a target are protected.
#[expect(clippy::large_enum_variant, reason = "there is one for a backup")]
pub(super) enum Seal {
    /// By a checksum.
    Checksum,
    /// By encryption.
    Key { encryption: Box<LessSafeKey>, hashes: hmac::Key, secrets: Secrets },
}

impl fmt::Debug for Seal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Seal::Checksum => "Seal(checksum)",
            Seal::Key { .. } => "Seal(key)",
        })
    }
}

impl Seal {
    /// Encrypts with keys that are made of `key`.
    pub(super) fn keyed(key: &[u8; KEY_BYTES], secrets: &Secrets) -> Seal {
        let unbound = UnboundKey::new(&aead::AES_256_GCM, &derived(key, b"encryption of backups"));
        let encryption = LessSafeKey::new(unbound.expect("the hash has the length of a key"));
        let hashes = hmac::Key::new(hmac::HMAC_SHA256, &derived(key, b"hashes of chunks"));
        Seal::Key { encryption: Box::new(encryption), hashes, secrets: secrets.clone() }
    }

    /// The hash by which content is known in the target.
    pub(super) fn hash(&self, content: &[u8]) -> Hash {
        match self {
            Seal::Checksum => crate::secret::sha256(content),
            Seal::Key { hashes, .. } => sized(hmac::sign(hashes, content).as_ref()),
        }
    }

    /// The bytes of an object with this content.
    pub(super) fn close(&self, name: &str, mut content: Vec<u8>) -> Vec<u8> {
        match self {
            Seal::Checksum => {
                let checksum = checksum(name, &content);
                content.extend_from_slice(&checksum);
                content
            }
            Seal::Key { encryption, secrets, .. } => {
                let mut nonce = [0; aead::NONCE_LEN];
                secrets.fill(&mut nonce);
                let about = Aad::from(name.as_bytes());
                let tag = encryption.seal_in_place_separate_tag(
                    Nonce::assume_unique_for_key(nonce),
                    about,
                    &mut content,
                );
                content.extend_from_slice(
                    tag.expect("an object is shorter than what the cipher takes").as_ref(),
                );
                content.extend_from_slice(&nonce);
                content
            }
        }
    }

    /// The content of an object; `None` if its bytes are not those that were written under this name.
    pub(super) fn open(&self, name: &str, mut bytes: Vec<u8>) -> Option<Vec<u8>> {
        match self {
            Seal::Checksum => {
                let end = bytes.len().checked_sub(digest::SHA256_OUTPUT_LEN)?;
                let is_whole = checksum(name, &bytes[..end]) == bytes[end..];
                bytes.truncate(end);
                is_whole.then_some(bytes)
            }
            Seal::Key { encryption, .. } => {
                let end = bytes.len().checked_sub(aead::NONCE_LEN)?;
                let nonce = Nonce::try_assume_unique_for_key(&bytes[end..]).ok()?;
                bytes.truncate(end);
                let length =
                    encryption.open_in_place(nonce, Aad::from(name.as_bytes()), &mut bytes).ok()?.len();
                bytes.truncate(length);
                Some(bytes)
            }
        }
    }
}

/// A value from which a key is recognised, and which does not give it away.
pub(super) fn fingerprint(key: &[u8; KEY_BYTES]) -> Hash {
    derived(key, b"fingerprint of the key")
}

fn derived(key: &[u8; KEY_BYTES], label: &[u8]) -> Hash {
    sized(hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), label).as_ref())
}

fn checksum(name: &str, content: &[u8]) -> Hash {
    let mut hashing = digest::Context::new(&digest::SHA256);
    hashing.update(&(name.len() as u64).to_le_bytes());
    hashing.update(name.as_bytes());
    hashing.update(content);
    sized(hashing.finish().as_ref())
}

fn sized(bytes: &[u8]) -> Hash {
    let mut hash = [0; digest::SHA256_OUTPUT_LEN];
    hash.copy_from_slice(bytes);
    hash
}
