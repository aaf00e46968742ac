//! Keys of backups: recipients and identities of age, as the tool `age-keygen` writes them.
//!
//! The key of a target is encrypted as a file of age (`age-encryption.org/v1`, X25519), so that a server that backs up
//! needs no secret: whoever has the identity can open it, with this program or with age. The chunks are encrypted with
//! the key of the target ([`super::seal`]).

use std::fmt;
use std::path::Path;

use aws_lc_rs::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};
use aws_lc_rs::agreement::{PrivateKey, UnparsedPublicKey, X25519, agree};
use aws_lc_rs::{hkdf, hmac};
use data_encoding::BASE64_NOPAD;

use super::error::BackupError;
use crate::secret::Secrets;

const VERSION: &str = "age-encryption.org/v1";
const RECIPIENT: &str = "age";
const IDENTITY: &str = "age-secret-key-";
/// The characters of Bech32, by their values.
const BECH32: &[u8; 32] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";
/// Bytes of a key of X25519.
const POINT_BYTES: usize = 32;
/// Bytes of the key of a file.
const FILE_KEY_BYTES: usize = 16;
/// Bytes of the number that makes the keys of two files different.
const NONCE_BYTES: usize = 16;
/// Columns of a line of base64.
const COLUMNS: usize = 64;

type Point = [u8; POINT_BYTES];

/// The recipients and identities of a key file.
#[derive(Clone, PartialEq, Eq)]
pub struct KeyFile {
    recipients: Vec<Point>,
    identities: Vec<Point>,
}

impl fmt::Debug for KeyFile {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "KeyFile({})", self.recipients().join(", "))
    }
}

impl KeyFile {
    /// Reads a key file.
    pub fn read(path: &Path) -> Result<KeyFile, BackupError> {
        let text = std::fs::read_to_string(path).map_err(BackupError::file(path))?;
        KeyFile::parse(&text).map_err(|reason| BackupError::Key(format!("{}: {reason}", path.display())))
    }

    /// Parses the text of a key file: a recipient (`age1…`) or an identity (`AGE-SECRET-KEY-1…`) on each line; lines
    /// that begin with `#` are comments. Whoever has an identity is a recipient, too.
    pub fn parse(text: &str) -> Result<KeyFile, String> {
        let mut keys = KeyFile { recipients: Vec::new(), identities: Vec::new() };
        let lines = text.lines().map(str::trim).enumerate();
        for (number, line) in lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#')) {
            match decode_bech32(line) {
                Some((kind, recipient)) if kind == RECIPIENT => keys.recipients.push(recipient),
                Some((kind, identity)) if kind == IDENTITY => {
                    keys.recipients.push(public_of(&identity).ok_or("it has a weak identity")?);
                    keys.identities.push(identity);
                }
                // The line may be a secret, so it is not shown.
                _ => return Err(format!("line {} is neither age1… nor AGE-SECRET-KEY-1…", number + 1)),
            }
        }
        if keys.recipients.is_empty() {
            return Err(
                "it holds no key: write a recipient (age1…) or an identity (AGE-SECRET-KEY-1…)".to_owned()
            );
        }
        keys.recipients.sort_unstable();
        keys.recipients.dedup();
        Ok(keys)
    }

    /// The recipients as texts.
    #[must_use]
    pub fn recipients(&self) -> Vec<String> {
        self.recipients.iter().map(|recipient| encode_bech32(RECIPIENT, recipient)).collect()
    }

    /// Encrypts a key for all recipients, as a file of age.
    pub(super) fn encrypt(&self, secret: &[u8], secrets: &Secrets) -> Result<Vec<u8>, BackupError> {
        let mut file_key = [0; FILE_KEY_BYTES];
        secrets.fill(&mut file_key);
        let mut header = format!("{VERSION}\n");
        for recipient in &self.recipients {
            let stanza = wrap(&file_key, recipient, secrets);
            let (share, wrapped) =
                stanza.ok_or_else(|| BackupError::Key("a recipient of the key file is weak".to_owned()))?;
            let stanza =
                ["-> X25519 ", &BASE64_NOPAD.encode(&share), "\n", &BASE64_NOPAD.encode(&wrapped), "\n"];
            header.push_str(&stanza.concat());
        }
        header += "---";
        let mac = BASE64_NOPAD.encode(hmac::sign(&header_key(&file_key), header.as_bytes()).as_ref());
        let mut nonce = [0; NONCE_BYTES];
        secrets.fill(&mut nonce);
        let mut file = format!("{header} {mac}\n").into_bytes();
        file.extend_from_slice(&nonce);
        let mut payload = secret.to_vec();
        let sealed =
            payload_key(&file_key, &nonce).seal_in_place_append_tag(last_chunk(), Aad::empty(), &mut payload);
        sealed.expect("a key is shorter than what the cipher takes");
        file.extend_from_slice(&payload);
        Ok(file)
    }

    /// Decrypts a short file of age with one of the identities; `None` if none of them fits or the file was changed.
    pub(super) fn decrypt(&self, file: &[u8]) -> Option<Vec<u8>> {
        let end = memchr::memmem::find(file, b"\n--- ")? + b"\n---".len();
        let (header, rest) = file.split_at(end);
        let line_end = memchr::memchr(b'\n', rest)?;
        let mac = BASE64_NOPAD.decode(rest.get(1..line_end)?).ok()?;
        let header_text = std::str::from_utf8(header).ok()?;
        let mut lines = header_text.lines();
        if lines.next() != Some(VERSION) {
            return None;
        }
        let file_key = self.file_key(lines)?;
        hmac::verify(&header_key(&file_key), header, &mac).ok()?;
        let (nonce, payload) = rest[line_end + 1..].split_first_chunk::<NONCE_BYTES>()?;
        let mut payload = payload.to_vec();
        let opened = payload_key(&file_key, nonce).open_in_place(last_chunk(), Aad::empty(), &mut payload);
        opened.ok().map(|opened| opened.to_vec())
    }

    fn file_key<'a>(&self, lines: impl Iterator<Item = &'a str>) -> Option<[u8; FILE_KEY_BYTES]> {
        let mut lines = lines;
        while let Some(line) = lines.next() {
            let Some(share) = line.strip_prefix("-> X25519 ") else { continue };
            let share: Point = BASE64_NOPAD.decode(share.as_bytes()).ok()?.try_into().ok()?;
            let wrapped = BASE64_NOPAD.decode(lines.next()?.as_bytes()).ok()?;
            let found = self.identities.iter().find_map(|identity| unwrap(&wrapped, &share, identity));
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

/// The public key of an identity.
fn public_of(identity: &Point) -> Option<Point> {
    let private = PrivateKey::from_private_key(&X25519, identity).ok()?;
    private.compute_public_key().ok()?.as_ref().try_into().ok()
}

/// Encrypts the key of a file for a recipient: the sender's share and the wrapped key.
fn wrap(file_key: &[u8; FILE_KEY_BYTES], recipient: &Point, secrets: &Secrets) -> Option<(Point, Vec<u8>)> {
    let mut ephemeral = [0; POINT_BYTES];
    secrets.fill(&mut ephemeral);
    let share = public_of(&ephemeral)?;
    let key = wrap_key(&ephemeral, recipient, &share, recipient)?;
    let mut wrapped = file_key.to_vec();
    key.seal_in_place_append_tag(first_nonce(), Aad::empty(), &mut wrapped).ok()?;
    Some((share, wrapped))
}

fn unwrap(wrapped: &[u8], share: &Point, identity: &Point) -> Option<[u8; FILE_KEY_BYTES]> {
    let key = wrap_key(identity, share, share, &public_of(identity)?)?;
    let mut wrapped = wrapped.to_vec();
    (&*key.open_in_place(first_nonce(), Aad::empty(), &mut wrapped).ok()?).try_into().ok()
}

/// The key that a private key and the public key of the peer agree on, for this share and this recipient.
fn wrap_key(private: &Point, peer: &Point, share: &Point, recipient: &Point) -> Option<LessSafeKey> {
    let private = PrivateKey::from_private_key(&X25519, private).ok()?;
    let peer = UnparsedPublicKey::new(&X25519, peer);
    let salt = [*share, *recipient].concat();
    let derive = |shared: &[u8]| Ok(derived(shared, &salt, b"age-encryption.org/v1/X25519"));
    agree(&private, peer, (), derive).ok().map(|key| chacha(&key))
}

/// The first 32 bytes of HKDF-SHA-256.
fn derived(secret: &[u8], salt: &[u8], label: &[u8]) -> [u8; 32] {
    let label = [label];
    let random = hkdf::Salt::new(hkdf::HKDF_SHA256, salt).extract(secret);
    let mut key = [0; 32];
    let filled = random.expand(&label, hkdf::HKDF_SHA256).and_then(|expanded| expanded.fill(&mut key));
    filled.expect("32 bytes are what one round gives");
    key
}

fn chacha(key: &[u8; 32]) -> LessSafeKey {
    LessSafeKey::new(UnboundKey::new(&CHACHA20_POLY1305, key).expect("the key has the cipher's length"))
}

fn header_key(file_key: &[u8]) -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, &derived(file_key, b"", b"header"))
}

fn payload_key(file_key: &[u8], nonce: &[u8; NONCE_BYTES]) -> LessSafeKey {
    chacha(&derived(file_key, nonce, b"payload"))
}

/// The nonce of a wrapped key, which is encrypted with a key of its own.
fn first_nonce() -> Nonce {
    Nonce::assume_unique_for_key([0; 12])
}

/// The nonce of the first chunk of a payload that is also its last.
fn last_chunk() -> Nonce {
    let mut nonce = [0; 12];
    nonce[11] = 1;
    Nonce::assume_unique_for_key(nonce)
}

/// The kind and the bytes of a key in Bech32; `None` for any other text.
fn decode_bech32(text: &str) -> Option<(String, Point)> {
    let is_mixed =
        text.contains(|c: char| c.is_ascii_lowercase()) && text.contains(|c: char| c.is_ascii_uppercase());
    let text = text.to_ascii_lowercase();
    let (kind, data) = text.rsplit_once('1').filter(|_| !is_mixed)?;
    let value = |byte: u8| BECH32.iter().position(|c| *c == byte).and_then(|at| u8::try_from(at).ok());
    let values: Vec<u8> = data.bytes().map(value).collect::<Option<_>>()?;
    if checksum(kind, &values) != 1 {
        return None;
    }
    let values = values.get(..values.len().checked_sub(6)?)?;
    let (mut bits, mut count, mut bytes) = (0_u32, 0, Vec::with_capacity(POINT_BYTES));
    for value in values {
        bits = (bits << 5 | u32::from(*value)) & 0xfff;
        count += 5;
        if 8 <= count {
            count -= 8;
            bytes.push(u8::try_from(bits >> count & 0xff).ok()?);
        }
    }
    Some((kind.to_owned(), bytes.try_into().ok()?))
}

fn encode_bech32(kind: &str, bytes: &Point) -> String {
    let (mut bits, mut count, mut values) = (0_u32, 0, Vec::with_capacity(COLUMNS));
    for byte in bytes {
        bits = (bits << 8 | u32::from(*byte)) & 0xfff;
        count += 8;
        while 5 <= count {
            count -= 5;
            values.push(u8::try_from(bits >> count & 31).unwrap_or(0));
        }
    }
    if 0 < count {
        values.push(u8::try_from(bits << (5 - count) & 31).unwrap_or(0));
    }
    let sum = checksum(kind, &[values.as_slice(), &[0; 6]].concat()) ^ 1;
    values.extend((0..6).map(|place| u8::try_from(sum >> (5 * (5 - place)) & 31).unwrap_or(0)));
    let data: String = values.iter().map(|value| char::from(BECH32[usize::from(*value)])).collect();
    format!("{kind}1{data}")
}

/// The checksum of Bech32 (BIP 173); 1 for a text with the right one.
fn checksum(kind: &str, values: &[u8]) -> u32 {
    const GENERATOR: [u32; 5] = [0x3b6a_57b2, 0x2650_8e6d, 0x1ea1_19fa, 0x3d42_33dd, 0x2a14_62b3];
    let high = kind.bytes().map(|byte| byte >> 5);
    let low = kind.bytes().map(|byte| byte & 31);
    let all = high.chain([0]).chain(low).chain(values.iter().copied());
    all.fold(1, |sum, value| {
        let next = (sum & 0x01ff_ffff) << 5 ^ u32::from(value);
        let chosen = GENERATOR.iter().enumerate().filter(|(bit, _)| sum >> (25 + bit) & 1 == 1);
        chosen.fold(next, |next, (_, generator)| next ^ generator)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    // Made by age-keygen.
    const PUBLIC: &str = "age10jpd9eryphpfwf4z67wugdl4ntp3vxpc8uc96new83qupmqmfezsef69np";
    const SECRET: &str = "AGE-SECRET-KEY-1ZEJTEQC8NYCZHDEVKZ6ZS2ZXLR4F9M7LTZQ8UQQH5GVD69FL0DASW6U7TC";
    // The text "of the old server" encrypted by age for PUBLIC.
    const BY_AGE: &str = "YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSAwK2x2bzJOOHRGaGNLdFlacVNOVGhrazNGTUVPekc1QW9ES2doK1FPb1FZClZsYVBrQ1dpdDlLM0h4MWg0NEwveFBHd1FQMTBpMGFSa2JtRGllUWs5SDgKLS0tIDNOTCtUWnpYUXNYNlozZDRXRzJ5dHNrNFNXM3BxN1BreTViYmZtZWZWNDgKTLmUPEDmFN+DXffwSnNptuS3hPP9D5dPz6P4zPuPt/PFhzVT7zArXh9+qKEBqDHhNA==";

    #[test]
    fn keys_read_as_age_writes_them_and_an_identity_is_its_recipient() {
        let public = KeyFile::parse(&format!("# a comment\n{PUBLIC}\n")).unwrap();
        let secret = KeyFile::parse(SECRET).unwrap();
        assert_eq!(public.recipients(), [PUBLIC]);
        assert_eq!(secret.recipients(), [PUBLIC]);
        assert!(KeyFile::parse("").is_err());
        assert!(KeyFile::parse(&PUBLIC.replace('q', "p")).is_err());
        let told = KeyFile::parse(&format!("{SECRET}x")).unwrap_err();
        assert_eq!(told, "line 1 is neither age1… nor AGE-SECRET-KEY-1…");
    }

    #[test]
    fn a_key_opens_with_the_identity_of_a_recipient_alone() {
        let secrets = Secrets::seeded(1);
        let public = KeyFile::parse(PUBLIC).unwrap();
        let mut file = public.encrypt(b"the key", &secrets).unwrap();
        let secret = KeyFile::parse(SECRET).unwrap();
        assert_eq!(secret.decrypt(&file).as_deref(), Some(b"the key".as_slice()));
        assert_eq!(public.decrypt(&file), None);
        let mut other = [7; POINT_BYTES];
        other[3] = 9;
        let other = KeyFile::parse(&encode_bech32(IDENTITY, &other).to_ascii_uppercase()).unwrap();
        assert_eq!(other.decrypt(&file), None);
        for at in 0..file.len() {
            file[at] ^= 1;
            assert_ne!(secret.decrypt(&file).as_deref(), Some(b"the key".as_slice()), "byte {at}");
            file[at] ^= 1;
        }
    }

    #[test]
    fn a_file_of_age_opens() {
        let file = data_encoding::BASE64.decode(BY_AGE.as_bytes()).unwrap();
        let secret = KeyFile::parse(SECRET).unwrap();
        assert_eq!(secret.decrypt(&file).as_deref(), Some(b"of the old server".as_slice()));
    }
}
