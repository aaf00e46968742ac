//! Random values, keys, tokens and hashes. This is the only module that reads a random source.
//!
//! Keys and tokens are created here and hashed for storage, and the links that a server signs for one person are signed
//! and checked here. Nothing in this module stores or logs.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use argon2::Argon2;
use argon2::password_hash::{PasswordHash, PasswordHasher, PasswordVerifier, SaltString};
use aws_lc_rs::aead::{self, Aad, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::encoding::{AsDer, Pkcs8V1Der};
use aws_lc_rs::rand::{SecureRandom, SystemRandom};
use aws_lc_rs::rsa::KeySize;
use aws_lc_rs::signature::{Ed25519KeyPair, RsaKeyPair};
use aws_lc_rs::{digest, hmac};

/// Length of an API key in characters (`spec/api.md` 3).
pub const API_KEY_LEN: usize = 32;
/// The characters of keys and tokens: 62 of them, 5.95 bits each.
const ALPHABET: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// A source of secrets: the system's, or a seeded one whose tokens a test knows beforehand.
#[derive(Clone)]
pub struct Secrets(Source);

#[derive(Clone)]
enum Source {
    System(SystemRandom),
    Seeded(Arc<Mutex<[u8; 32]>>),
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Secrets")
    }
}

impl Secrets {
    /// The system's random source.
    #[must_use]
    pub fn system() -> Secrets {
        Secrets(Source::System(SystemRandom::new()))
    }

    /// A chain of hashes from `seed`: the same seed gives the same secrets in the same order.
    #[must_use]
    pub fn seeded(seed: u64) -> Secrets {
        Secrets(Source::Seeded(Arc::new(Mutex::new(sha256(&seed.to_be_bytes())))))
    }

    /// Fills `bytes`.
    ///
    /// # Panics
    /// If the system has no random bytes to give, which leaves nothing safe to do.
    pub fn fill(&self, bytes: &mut [u8]) {
        match &self.0 {
            Source::System(random) => random.fill(bytes).expect("the system gives random bytes"),
            Source::Seeded(state) => {
                let mut state = state.lock().expect("no holder of this lock panics");
                for chunk in bytes.chunks_mut(32) {
                    *state = sha256(&*state);
                    chunk.copy_from_slice(&sha256(&[&*state, b"out".as_slice()].concat())[..chunk.len()]);
                }
            }
        }
    }

    /// `length` characters of `[0-9A-Za-z]`, evenly distributed.
    #[must_use]
    pub fn token(&self, length: usize) -> String {
        let mut text = String::with_capacity(length);
        let mut bytes = [0u8; 64];
        while text.len() < length {
            self.fill(&mut bytes);
            // 248 = 4 * 62: larger bytes would favour the first characters.
            let fair = bytes.iter().filter(|byte| **byte < 248).map(|byte| ALPHABET[usize::from(*byte % 62)]);
            text.extend(fair.take(length - text.len()).map(char::from));
        }
        text
    }

    /// The Argon2id hash of a password that people choose, with its salt and costs (PHC string format). Takes tens of
    /// milliseconds on purpose.
    ///
    /// # Panics
    /// Never: Argon2 accepts these costs and this salt.
    #[must_use]
    pub fn hash_password(&self, password: &str) -> String {
        let mut salt = [0; 16];
        self.fill(&mut salt);
        let salt = SaltString::encode_b64(&salt).expect("16 bytes are a salt");
        let hash = Argon2::default().hash_password(password.as_bytes(), &salt);
        hash.expect("the default costs are valid").to_string()
    }

    /// `length` random digits, evenly distributed.
    #[must_use]
    pub fn digits(&self, length: usize) -> String {
        let mut text = String::with_capacity(length);
        let mut bytes = [0u8; 64];
        while text.len() < length {
            self.fill(&mut bytes);
            // 250 = 25 * 10: larger bytes would favour the first digits.
            let fair = bytes.iter().filter(|byte| **byte < 250).map(|byte| char::from(b'0' + byte % 10));
            text.extend(fair.take(length - text.len()));
        }
        text
    }

    /// A new API key.
    #[must_use]
    pub fn api_key(&self) -> String {
        self.token(API_KEY_LEN)
    }
}

/// Whether a password is the one of an Argon2 hash, as [`Secrets::hash_password`] writes it. Takes tens of milliseconds
/// on purpose; a text that is no such hash is the hash of no password.
#[must_use]
pub fn is_password_of(hash: &str, password: &str) -> bool {
    let hash = PasswordHash::new(hash);
    hash.is_ok_and(|hash| Argon2::default().verify_password(password.as_bytes(), &hash).is_ok())
}

/// Bytes of the salt of a key that is made of a passphrase.
pub const PASSPHRASE_SALT_BYTES: usize = 16;

/// A key that is made of a passphrase (Argon2id). Takes tens of milliseconds on purpose.
///
/// # Panics
/// Never: Argon2 accepts these costs, this salt and this length.
#[must_use]
pub fn passphrase_key(passphrase: &str, salt: &[u8; PASSPHRASE_SALT_BYTES]) -> [u8; 32] {
    let mut key = [0; 32];
    let made = Argon2::default().hash_password_into(passphrase.as_bytes(), salt, &mut key);
    made.expect("the default costs are valid");
    key
}

/// The code of an authenticator app for a step of time: HMAC-SHA-1, six digits (RFC 6238, RFC 4226 5.3).
#[must_use]
pub fn totp_code(secret: &[u8; 20], step: u64) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA1_FOR_LEGACY_USE_ONLY, secret);
    let tag = hmac::sign(&key, &step.to_be_bytes());
    let tag = tag.as_ref();
    let offset = usize::from(tag[tag.len() - 1] & 0xf);
    let number = tag[offset..offset + 4].iter().fold(0_u32, |number, byte| number << 8 | u32::from(*byte));
    format!("{:06}", (number & 0x7fff_ffff) % 1_000_000)
}

/// Whether an Argon2 hash has other costs, or is of another kind, than the hashes of [`Secrets::hash_password`].
#[must_use]
pub fn is_outdated(hash: &str) -> bool {
    PasswordHash::new(hash).is_ok_and(|hash| {
        let present = Argon2::default();
        let costs = argon2::Params::try_from(&hash).ok();
        let is_present = costs.is_some_and(|costs| {
            let now = present.params();
            (costs.m_cost(), costs.t_cost(), costs.p_cost()) == (now.m_cost(), now.t_cost(), now.p_cost())
        });
        !is_present || hash.algorithm != argon2::Algorithm::default().ident()
    })
}

/// A new RSA-2048 key as PKCS#8 DER, for DKIM.
///
/// # Panics
/// If the system has no random bytes to give, which leaves nothing safe to do.
#[must_use]
pub fn rsa_2048_key() -> Vec<u8> {
    let key = RsaKeyPair::generate(KeySize::Rsa2048).expect("the system gives random bytes");
    let der: Pkcs8V1Der<'_> = key.as_der().expect("a key that was made can be written");
    der.as_ref().to_vec()
}

/// A new Ed25519 key as PKCS#8 DER, for DKIM.
///
/// # Panics
/// If the system has no random bytes to give, which leaves nothing safe to do.
#[must_use]
pub fn ed25519_key() -> Vec<u8> {
    let key = Ed25519KeyPair::generate().expect("the system gives random bytes");
    key.to_pkcs8().expect("a key that was made can be written").as_ref().to_vec()
}

/// HMAC-SHA256 of bytes, in base64: the signature of a webhook.
#[must_use]
pub fn hmac_sha256_base64(key: &[u8], bytes: &[u8]) -> String {
    let key = hmac::Key::new(hmac::HMAC_SHA256, key);
    data_encoding::BASE64.encode(hmac::sign(&key, bytes).as_ref())
}

/// SHA-256 of `bytes`, as keys and tokens are stored (`spec/api.md` 3: a key has full entropy).
#[must_use]
pub fn sha256(bytes: &[u8]) -> [u8; 32] {
    let mut hash = [0; 32];
    hash.copy_from_slice(digest::digest(&digest::SHA256, bytes).as_ref());
    hash
}

/// SHA-1 of `bytes`. It proves nothing: others name messages by it.
#[must_use]
pub fn sha1(bytes: &[u8]) -> [u8; 20] {
    let mut hash = [0; 20];
    hash.copy_from_slice(digest::digest(&digest::SHA1_FOR_LEGACY_USE_ONLY, bytes).as_ref());
    hash
}

/// SHA-256 of a text that is never assembled: it could take many times the memory of its parts.
#[must_use]
pub fn sha256_text(text: fmt::Arguments<'_>) -> [u8; 32] {
    struct Hash(digest::Context);
    impl fmt::Write for Hash {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0.update(text.as_bytes());
            Ok(())
        }
    }
    let mut hash = Hash(digest::Context::new(&digest::SHA256));
    // Hashing never fails, and neither does formatting these texts.
    let _ = fmt::Write::write_fmt(&mut hash, text);
    let mut bytes = [0; 32];
    bytes.copy_from_slice(hash.0.finish().as_ref());
    bytes
}

/// Old secrets that a server keeps at most, for links that it signed with them.
pub const OLD_SECRETS_MAX: usize = 16;
/// Bytes of the secret that signs links.
pub const LINK_SECRET_BYTES: usize = 32;
/// Bytes of an old secret with its end, as they are stored.
const OLD_SECRET_BYTES: usize = 8 + LINK_SECRET_BYTES;

/// The secret that signs links, and earlier ones that are still accepted.
#[derive(Clone, PartialEq, Eq)]
pub struct LinkSecrets {
    current: [u8; LINK_SECRET_BYTES],
    /// Newest last.
    old: Vec<OldSecret>,
}

#[derive(Clone, PartialEq, Eq)]
struct OldSecret {
    secret: [u8; LINK_SECRET_BYTES],
    /// When it is no longer accepted, in milliseconds since 1970.
    until_ms: i64,
}

impl fmt::Debug for LinkSecrets {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "LinkSecrets({} old)", self.old.len())
    }
}

impl LinkSecrets {
    /// A secret that has no predecessors.
    #[must_use]
    pub fn new(current: [u8; LINK_SECRET_BYTES]) -> LinkSecrets {
        LinkSecrets { current, old: Vec::new() }
    }

    /// Reads the bytes returned by [`current_bytes`](Self::current_bytes) and [`old_bytes`](Self::old_bytes); `None` if
    /// the lengths are wrong.
    #[must_use]
    pub fn from_bytes(current: &[u8], old: &[u8]) -> Option<LinkSecrets> {
        let current = current.try_into().ok()?;
        let chunks = old.chunks_exact(OLD_SECRET_BYTES);
        if !chunks.remainder().is_empty() {
            return None;
        }
        let read = |chunk: &[u8]| {
            let (until, secret) = chunk.split_at_checked(8)?;
            let until_ms = i64::from_be_bytes(until.try_into().ok()?);
            Some(OldSecret { secret: secret.try_into().ok()?, until_ms })
        };
        Some(LinkSecrets { current, old: chunks.map(read).collect::<Option<_>>()? })
    }

    /// The secret that signs.
    #[must_use]
    pub fn current_bytes(&self) -> [u8; LINK_SECRET_BYTES] {
        self.current
    }

    /// Every old secret with the time until which it is accepted.
    #[must_use]
    pub fn old_bytes(&self) -> Vec<u8> {
        let bytes = |old: &OldSecret| [old.until_ms.to_be_bytes().as_slice(), &old.secret].concat();
        self.old.iter().flat_map(bytes).collect()
    }

    /// How many old secrets there are.
    #[must_use]
    pub fn old_count(&self) -> usize {
        self.old.len()
    }

    /// These secrets with a new one that signs: the present one is accepted until `until_ms`. `None` if there would be
    /// more than [`OLD_SECRETS_MAX`] old ones.
    #[must_use]
    pub fn rotated(&self, new: [u8; LINK_SECRET_BYTES], until_ms: i64) -> Option<LinkSecrets> {
        let mut old = self.old.clone();
        for endless in old.iter_mut().filter(|old| old.until_ms == i64::MAX) {
            endless.until_ms = until_ms;
        }
        old.push(OldSecret { secret: self.current, until_ms });
        (old.len() <= OLD_SECRETS_MAX).then_some(LinkSecrets { current: new, old })
    }

    /// These secrets, with those of another server accepted as well, whose account moved here: until they expire there,
    /// and the one that signs there until the secret is rotated here. `None` if there would be more than
    /// [`OLD_SECRETS_MAX`] old ones.
    #[must_use]
    pub fn accepting(&self, other: &LinkSecrets) -> Option<LinkSecrets> {
        let mut old = self.old.clone();
        let present = OldSecret { secret: other.current, until_ms: i64::MAX };
        for theirs in other.old.iter().chain([&present]) {
            let is_known = theirs.secret == self.current || old.iter().any(|own| own.secret == theirs.secret);
            if !is_known {
                // The newest is last, and there may be a newer one here already.
                old.insert(0, theirs.clone());
            }
        }
        (old.len() <= OLD_SECRETS_MAX).then_some(LinkSecrets { current: self.current, old })
    }

    /// These secrets without the expired old ones.
    #[must_use]
    pub fn without_ended(&self, now_ms: i64) -> LinkSecrets {
        let old = self.old.iter().filter(|old| now_ms < old.until_ms).cloned().collect();
        LinkSecrets { current: self.current, old }
    }

    /// Whether these are the secrets before `newer`.
    fn is_before(&self, newer: &LinkSecrets) -> bool {
        newer.old.iter().any(|old| old.secret == self.current)
    }
}

/// Signs the tokens of links and envelope senders, so that nothing about them needs to be stored. All clones sign with
/// the same secret, also after it was replaced.
#[derive(Clone)]
pub struct Signer(Arc<RwLock<SignerKeys>>);

/// The secrets as keys, which are computed once.
struct SignerKeys {
    secrets: LinkSecrets,
    current: hmac::Key,
    old: Vec<hmac::Key>,
}

impl SignerKeys {
    fn new(secrets: LinkSecrets) -> SignerKeys {
        let key = |secret: &[u8; LINK_SECRET_BYTES]| hmac::Key::new(hmac::HMAC_SHA256, secret);
        let old = secrets.old.iter().rev().map(|old| key(&old.secret)).collect();
        SignerKeys { current: key(&secrets.current), old, secrets }
    }
}

impl std::fmt::Debug for Signer {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Signer")
    }
}

/// The purpose of a token; a token for one purpose is invalid for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// `bounces+TOKEN@D`: one delivery and its recipient.
    Bounce,
    /// `/unsubscribe/TOKEN/`: one membership.
    Unsubscribe,
    /// `/moderate/TOKEN/` and `confirm+TOKEN@D`: one held message and one moderator.
    Moderate,
    /// `/moderate/TOKEN/` and `confirm+TOKEN@D`: one request that waits for approval and one moderator.
    Approve,
    /// `/password/TOKEN/`: an administrator, with a fingerprint of the address and the expiry.
    Password,
    /// `/resume/TOKEN/`: one address of a contact.
    Resume,
    /// `/confirm/TOKEN/` and `confirm+TOKEN@D`: one request that must be confirmed.
    Confirm,
    /// The form for joining: when it was shown, and the account.
    Form,
    /// The cookie of somebody who gave the password of an archive: the list, with a fingerprint of the password and the
    /// expiry.
    Archive,
    /// The form in which a member writes to a list: the contact, and a random number.
    Writing,
    /// The form in which an administrator writes to a list: the administrator, and the number of the form.
    Composing,
    /// A form that is shown to somebody who is signed in: the person, and the hour in which it was made.
    Typing,
    /// `/login/unlock/TOKEN/`: an administrator, and the end of the lock.
    Unlock,
    /// The cookie of somebody who gave the right password and has yet to give a code: an administrator, with the expiry
    /// and a fingerprint of the password's hash.
    SecondStep,
    /// `/login/unlock/TOKEN/` that works for a time, whatever is locked: an administrator, with the expiry and a
    /// fingerprint of the address.
    UnlockUntil,
    /// The cookie of a browser in which an administrator signed in before: the administrator, with the expiry, the
    /// browser's number and a fingerprint of the address.
    KnownBrowser,
}

impl Purpose {
    fn letter(self) -> u8 {
        match self {
            Purpose::Bounce => b'b',
            Purpose::Unsubscribe => b'u',
            Purpose::Moderate => b'm',
            Purpose::Approve => b'a',
            Purpose::Password => b'p',
            Purpose::Resume => b'r',
            Purpose::Confirm => b'c',
            Purpose::Form => b'f',
            Purpose::Archive => b'l',
            Purpose::Writing => b'w',
            Purpose::Composing => b'x',
            Purpose::Typing => b't',
            Purpose::Unlock => b'k',
            Purpose::SecondStep => b's',
            Purpose::UnlockUntil => b'd',
            Purpose::KnownBrowser => b'n',
        }
    }
}

/// Bytes of the signature that a token carries: 80 bits, beyond guessing over a network.
const SIGNATURE_BYTES: usize = 10;

impl Signer {
    /// A signer with the server's secrets.
    #[must_use]
    pub fn new(secrets: LinkSecrets) -> Signer {
        Signer(Arc::new(RwLock::new(SignerKeys::new(secrets))))
    }

    /// Signs with other secrets from now on, unless newer ones are in use already.
    pub fn install(&self, secrets: &LinkSecrets) {
        let mut keys = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if !secrets.is_before(&keys.secrets) {
            *keys = SignerKeys::new(secrets.clone());
        }
    }

    /// Stops accepting tokens that were signed with expired old secrets.
    pub fn forget_ended(&self, now_ms: i64) {
        let mut keys = self.0.write().unwrap_or_else(PoisonError::into_inner);
        *keys = SignerKeys::new(keys.secrets.without_ended(now_ms));
    }

    /// A token for two numbers: 26 bytes as 42 lower-case characters of base32, which survive a mail system
    /// that folds the case of local parts.
    #[must_use]
    pub fn token(&self, purpose: Purpose, numbers: [u64; 2]) -> String {
        let payload = payload(purpose, numbers);
        let tag = hmac::sign(&self.0.read().unwrap_or_else(PoisonError::into_inner).current, &payload);
        let mut bytes = payload[1..].to_vec();
        bytes.extend_from_slice(&tag.as_ref()[..SIGNATURE_BYTES]);
        data_encoding::BASE32_NOPAD.encode(&bytes).to_ascii_lowercase()
    }

    /// The numbers of a token that this server signed for this purpose, with its present secret or an old one.
    #[must_use]
    pub fn open(&self, purpose: Purpose, token: &str) -> Option<[u64; 2]> {
        let bytes = data_encoding::BASE32_NOPAD.decode(token.to_ascii_uppercase().as_bytes()).ok()?;
        let (numbers, tag) = bytes.split_at_checked(16)?;
        let first = u64::from_be_bytes(numbers[..8].try_into().ok()?);
        let second = u64::from_be_bytes(numbers[8..].try_into().ok()?);
        let payload = payload(purpose, [first, second]);
        let is_signed_with = |key: &hmac::Key| {
            let expected = hmac::sign(key, &payload);
            let expected = &expected.as_ref()[..SIGNATURE_BYTES];
            aws_lc_rs::constant_time::verify_slices_are_equal(tag, expected).is_ok()
        };
        let keys = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let is_signed = is_signed_with(&keys.current) || keys.old.iter().any(is_signed_with);
        is_signed.then_some([first, second])
    }
}

/// Bytes of the number that makes each sealing different.
pub const SEAL_NONCE_BYTES: usize = aead::NONCE_LEN;
/// The text that the key for sealing is made of, beside the secret; no token has this form.
const SEAL_LABEL: &[u8] = b"the key that seals the originals of messages";

impl Signer {
    /// Encrypts `bytes` for this server alone (AES-256-GCM); `nonce` is random. They open only for the same `about`.
    ///
    /// # Panics
    /// Never: the cipher takes every length that a message can have.
    #[must_use]
    pub fn seal(&self, nonce: [u8; SEAL_NONCE_BYTES], about: &[u8], mut bytes: Vec<u8>) -> Vec<u8> {
        let keys = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let key = seal_key(&keys.current);
        let sealed =
            key.seal_in_place_append_tag(Nonce::assume_unique_for_key(nonce), Aad::from(about), &mut bytes);
        sealed.expect("a message is shorter than what the cipher takes");
        bytes.splice(0..0, nonce);
        bytes
    }

    /// The bytes that [`seal`](Signer::seal) encrypted with the present secret or an old one; `None` if they were
    /// changed, are about something else, or their secret is gone.
    #[must_use]
    pub fn unseal(&self, about: &[u8], sealed: &[u8]) -> Option<Vec<u8>> {
        let (nonce, sealed) = sealed.split_first_chunk::<SEAL_NONCE_BYTES>()?;
        let keys = self.0.read().unwrap_or_else(PoisonError::into_inner);
        std::iter::once(&keys.current).chain(&keys.old).find_map(|key| {
            let mut bytes = sealed.to_vec();
            let nonce = Nonce::assume_unique_for_key(*nonce);
            let length = seal_key(key).open_in_place(nonce, Aad::from(about), &mut bytes).ok()?.len();
            bytes.truncate(length);
            Some(bytes)
        })
    }
}

/// The key for sealing that belongs to a secret.
fn seal_key(secret: &hmac::Key) -> LessSafeKey {
    let key = hmac::sign(secret, SEAL_LABEL);
    let key = UnboundKey::new(&aead::AES_256_GCM, key.as_ref());
    LessSafeKey::new(key.expect("the hash has the length of a key"))
}

fn payload(purpose: Purpose, numbers: [u64; 2]) -> [u8; 17] {
    let mut bytes = [purpose.letter(); 17];
    bytes[1..9].copy_from_slice(&numbers[0].to_be_bytes());
    bytes[9..].copy_from_slice(&numbers[1].to_be_bytes());
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_has_32_characters_of_the_alphabet() {
        let key = Secrets::system().api_key();
        assert_eq!(key.len(), API_KEY_LEN);
        assert!(key.bytes().all(|byte| ALPHABET.contains(&byte)), "{key}");
    }

    #[test]
    fn a_password_is_hashed_with_a_salt_of_its_own() {
        let secrets = Secrets::seeded(7);
        let (first, second) = (secrets.hash_password("open"), secrets.hash_password("open"));
        assert_ne!(first, second);
        assert!(first.starts_with("$argon2id$"), "{first}");
        assert!(is_password_of(&first, "open") && !is_password_of(&first, "Open"));
        assert!(!is_password_of("open", "open"), "a text that is no hash");
    }

    #[test]
    fn codes_are_those_of_the_standard() {
        // RFC 6238, appendix B, of which six digits are asked for.
        for (time, code) in [
            (59, "287082"),
            (1_111_111_109, "081804"),
            (1_111_111_111, "050471"),
            (1_234_567_890, "005924"),
            (2_000_000_000, "279037"),
            (20_000_000_000, "353130"),
        ] {
            assert_eq!(totp_code(b"12345678901234567890", time / 30), code);
        }
    }

    #[test]
    fn random_digits_are_digits() {
        let digits = Secrets::seeded(7).digits(1000);
        assert!(digits.len() == 1000 && (b'0'..=b'9').all(|digit| digits.as_bytes().contains(&digit)));
    }

    #[test]
    fn a_seed_gives_the_same_secrets_again() {
        let draw = |seed| {
            let secrets = Secrets::seeded(seed);
            (secrets.token(40), secrets.token(3))
        };
        assert_eq!(draw(7), draw(7));
        assert_ne!(draw(7), draw(8));
    }

    #[test]
    fn a_token_opens_for_its_purpose_alone_and_in_any_case() {
        let signer = Signer::new(LinkSecrets::new([7; 32]));
        let token = signer.token(Purpose::Bounce, [1, u64::MAX]);
        assert_eq!(token.len(), 42);
        assert_eq!(signer.open(Purpose::Bounce, &token.to_uppercase()), Some([1, u64::MAX]));
        assert_eq!(signer.open(Purpose::Unsubscribe, &token), None);
        assert_eq!(Signer::new(LinkSecrets::new([8; 32])).open(Purpose::Bounce, &token), None);
    }

    #[test]
    fn a_token_of_an_old_secret_opens_until_its_end() {
        let first = LinkSecrets::new([1; 32]);
        let signer = Signer::new(first.clone());
        let token = signer.token(Purpose::Bounce, [1, 2]);
        let second = first.rotated([2; 32], 1000).unwrap();
        let third = second.rotated([3; 32], 2000).unwrap();
        signer.clone().install(&third);
        assert_ne!(signer.token(Purpose::Bounce, [1, 2]), token);
        signer.install(&second);
        let newest = Signer::new(third.clone()).token(Purpose::Bounce, [1, 2]);
        assert_eq!(signer.token(Purpose::Bounce, [1, 2]), newest, "what was before is not installed");
        let between = Signer::new(second).token(Purpose::Bounce, [1, 2]);
        let opened = |now_ms: i64| {
            signer.forget_ended(now_ms);
            [&token, &between, &newest].map(|token| signer.open(Purpose::Bounce, token).is_some())
        };
        assert_eq!(opened(999), [true, true, true]);
        assert_eq!(opened(1000), [false, true, true]);
        assert_eq!(opened(2000), [false, false, true]);
        let stored = LinkSecrets::from_bytes(&third.current_bytes(), &third.old_bytes());
        assert!(stored.is_some_and(|stored| stored == third));
        assert!(LinkSecrets::from_bytes(&[1; 31], &[]).is_none());
        assert!(LinkSecrets::from_bytes(&[1; 32], &[1; 39]).is_none());
    }

    #[test]
    fn what_is_sealed_opens_with_the_secret_it_was_sealed_with_and_not_when_it_was_changed() {
        let first = LinkSecrets::new([1; 32]);
        let signer = Signer::new(first.clone());
        let sealed = signer.seal([9; SEAL_NONCE_BYTES], b"one", b"secret words".to_vec());
        assert!(!sealed.windows(6).any(|window| window == b"secret"));
        assert_eq!(signer.unseal(b"one", &sealed).as_deref(), Some(b"secret words".as_slice()));
        assert_eq!(signer.unseal(b"two", &sealed), None);
        for position in 0..sealed.len() {
            let mut damaged = sealed.clone();
            damaged[position] ^= 1;
            assert_eq!(signer.unseal(b"one", &damaged), None, "{position}");
        }
        signer.install(&first.rotated([2; 32], 1000).unwrap());
        assert!(signer.unseal(b"one", &sealed).is_some(), "old secrets open for a while");
        signer.forget_ended(1000);
        assert_eq!(signer.unseal(b"one", &sealed), None);
        assert_eq!(signer.unseal(b"one", &[]), None);
    }

    #[test]
    fn a_damaged_token_opens_nothing() {
        let signer = Signer::new(LinkSecrets::new([7; 32]));
        let token = signer.token(Purpose::Bounce, [1, 2]);
        for position in 0..token.len() {
            let mut damaged = token.clone().into_bytes();
            damaged[position] = if damaged[position] == b'a' { b'b' } else { b'a' };
            assert_eq!(signer.open(Purpose::Bounce, &String::from_utf8(damaged).unwrap()), None);
        }
        for text in ["", "a", "é", &token[1..], &format!("{token}a")] {
            assert_eq!(signer.open(Purpose::Bounce, text), None, "{text}");
        }
    }
}
