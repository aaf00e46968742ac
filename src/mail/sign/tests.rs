//! Checks signatures with `mail-auth`'s verifier against the published records.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Instant;

use mail_auth::common::parse::TxtRecordParser;
use mail_auth::common::verify::DomainKey;
use mail_auth::{AuthenticatedMessage, DkimResult, MessageAuthenticator, Parameters, ResolverCache, Txt};

use super::*;
use crate::secret;

/// Answers DNS look-ups from memory, so that no test uses the network.
struct Memory<K, V>(Mutex<HashMap<K, V>>);

impl<K: Hash + Eq, V: Clone> ResolverCache<K, V> for Memory<K, V> {
    fn get<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.0.lock().unwrap().get(key).cloned()
    }

    fn remove<Q: Hash + Eq + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.0.lock().unwrap().remove(key)
    }

    fn insert(&self, key: K, value: V, _: Instant) {
        self.0.lock().unwrap().insert(key, value);
    }
}

static KEYS: LazyLock<DkimKeys> = LazyLock::new(|| DkimKeys {
    selector: "s1".to_owned(),
    rsa_pkcs8: secret::rsa_2048_key(),
    ed25519_pkcs8: secret::ed25519_key(),
});

fn signed(message: &str) -> Vec<u8> {
    let signer = DkimSigner::new("example.org", &KEYS, true).unwrap();
    let mut out = Vec::new();
    signer.sign(message.as_bytes(), Timestamp::from_ms(1_700_000_000_000), &mut out);
    out.extend_from_slice(message.as_bytes());
    out
}

/// Whether each of the signatures of `message` is valid.
async fn verify(message: &[u8]) -> Vec<bool> {
    let records: HashMap<Box<str>, Txt> = dns_records(&KEYS)
        .unwrap()
        .into_iter()
        .map(|(selector, text)| {
            let key = DomainKey::parse(text.as_bytes()).unwrap();
            (format!("{selector}._domainkey.example.org.").into_boxed_str(), Txt::DomainKey(Arc::new(key)))
        })
        .collect();
    let records = Memory(Mutex::new(records));
    let resolver = MessageAuthenticator::new_google().unwrap();
    let message = AuthenticatedMessage::parse(message).unwrap();
    let parameters = Parameters {
        params: &message,
        cache_txt: Some(&records),
        cache_mx: None::<&Memory<_, _>>,
        cache_ptr: None::<&Memory<_, _>>,
        cache_ipv4: None::<&Memory<_, _>>,
        cache_ipv6: None::<&Memory<_, _>>,
    };
    resolver.verify_dkim(parameters).await.iter().map(|output| *output.result() == DkimResult::Pass).collect()
}

#[track_caller]
fn check(message: &str, change: impl FnOnce(String) -> String, expected: bool) {
    let signed = String::from_utf8(signed(message)).unwrap();
    let changed = change(signed);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    assert_eq!(runtime.block_on(verify(changed.as_bytes())), [expected, expected], "{changed}");
}

const MESSAGE: &str = "From: Ada <ada@example.org>\r\nSubject:  Tea\r\n\t at   five \r\nTo: a@x.org\r\nTo: b@x.org\r\n\
    X-Other: x\r\nList-Id: <news.example.org>\r\n\r\nHello  \t world \r\n\r\n\tend\r\n\r\n\r\n";

#[test]
fn a_signed_message_verifies_with_both_keys() {
    check(MESSAGE, |signed| signed, true);
    check("From: a@example.org\r\n\r\n", |signed| signed, true);
    check("From: a@example.org\r\n\r\nno line end", |signed| signed, true);
}

#[test]
fn a_body_is_hashed_in_its_relaxed_form() {
    let of = |body: &[u8]| data_encoding::HEXLOWER.encode(body_hash(body).as_bytes());
    let plain = |canonical: &[u8]| data_encoding::HEXLOWER.encode(&secret::sha256(canonical));
    for (body, canonical) in [
        ("", ""),
        ("\r\n\r\n", ""),
        ("a\r\n\r\n\r\n", "a\r\n"),
        ("a\r\n\r\nb", "a\r\n\r\nb\r\n"),
        (" \r\n\r\na\r\n", "\r\n\r\na\r\n"),
        ("a\r\n\t \r\nb\r\nc  d\r\n\r\ne\tf \r\n  \r\n", "a\r\n\r\nb\r\nc d\r\n\r\ne f\r\n"),
        (" a\r\n  b\r\n", " a\r\n b\r\n"),
    ] {
        assert_eq!(of(body.as_bytes()), plain(canonical.as_bytes()), "{body:?}");
    }
}

/// The relaxed form as RFC 6376 3.4.4 words it, a byte at a time.
fn relaxed(body: &str) -> String {
    let lines = body.split_inclusive('\n').map(|line| {
        let text = line.strip_suffix('\n').unwrap_or(line);
        let text = text.strip_suffix('\r').unwrap_or(text).trim_end_matches([' ', '\t']);
        let mut canonical = String::new();
        for c in text.chars() {
            match c {
                ' ' | '\t' if canonical.ends_with(' ') => {}
                ' ' | '\t' => canonical.push(' '),
                c => canonical.push(c),
            }
        }
        canonical
    });
    let mut lines: Vec<String> = lines.collect();
    while lines.last().is_some_and(String::is_empty) {
        lines.pop();
    }
    lines.iter().flat_map(|line| [line.as_str(), "\r\n"]).collect()
}

proptest::proptest! {
    #[test]
    fn every_body_is_hashed_as_the_standard_says(body in "(  |\t|a|b |\r\n|\n|\r| ){0,40}") {
        let (found, right) = (body_hash(body.as_bytes()), secret::sha256(relaxed(&body).as_bytes()));
        proptest::prop_assert_eq!(found.as_bytes(), &right);
    }
}

#[test]
fn what_relaxed_canonicalisation_passes_over_may_change_on_the_way() {
    check(
        MESSAGE,
        |signed| signed.replace("at   five", "at five").replace("Hello  \t world \r\n", "Hello world\r\n"),
        true,
    );
    check(MESSAGE, |signed| signed.replace("X-Other: x", "X-Other: y"), true);
}

#[test]
fn a_covered_change_breaks_the_signature() {
    check(MESSAGE, |signed| signed.replace("five", "six"), false);
    check(MESSAGE, |signed| signed.replace("world", "World"), false);
    check(MESSAGE, |signed| signed.replace("List-Id: <news", "List-Id: <olds"), false);
    check(MESSAGE, |signed| format!("From: Eve <eve@example.org>\r\n{signed}"), false);
}

#[test]
fn what_answers_go_to_and_every_list_field_is_covered() {
    let names = "Reply-To Cc In-Reply-To References List-Id List-Post List-Help List-Owner List-Subscribe \
        List-Unsubscribe List-Unsubscribe-Post List-Archive Archived-At";
    for name in names.split(' ') {
        let message = format!("From: a@example.org\r\n{name}: <x@y>\r\n\r\nhi\r\n");
        check(&message, |signed| signed, true);
        check(&message, |signed| signed.replace("<x@y>", "<z@y>"), false);
    }
}

#[test]
fn no_line_of_a_signature_is_longer_than_78_characters() {
    for line in String::from_utf8(signed(MESSAGE)).unwrap().split("\r\n") {
        assert!(line.len() <= 78, "{line}");
    }
}

#[test]
fn a_key_that_is_none_is_refused() {
    let broken = DkimKeys { rsa_pkcs8: vec![1, 2, 3], ..KEYS.clone() };
    assert_eq!(DkimSigner::new("example.org", &broken, false).unwrap_err(), DkimSignerError::Rsa);
    let broken = DkimKeys { ed25519_pkcs8: vec![1, 2, 3], ..KEYS.clone() };
    assert_eq!(DkimSigner::new("example.org", &broken, true).unwrap_err(), DkimSignerError::Ed25519);
}

#[test]
fn a_published_key_is_compared_whatever_stands_around_it() {
    let key = public_key_of(b"v=DKIM1; k=rsa; p=MIIB\r\n IjAN; t=s");
    assert_eq!(key.as_deref(), Some("MIIBIjAN"));
    assert_eq!(public_key_of(b"p=MIIBIjAN"), key);
    assert_eq!(public_key_of(b"v=DKIM1; p="), None, "a key that was revoked");
}

proptest::proptest! {
    #[test]
    fn a_copy_is_hashed_alike_whatever_its_share_of_common_lines(
        front in "(  |a|\r\n|\n| ){0,12}",
        personal in "(  |b|\r\n|\n| ){0,12}",
        back in "(  |c|\r\n|\n| ){0,12}",
    ) {
        let body = format!("{front}{personal}{back}");
        let hasher = BodyHasher::new(front.as_bytes(), back.as_bytes());
        let (found, right) = (hasher.hash(body.as_bytes()), body_hash(body.as_bytes()));
        proptest::prop_assert_eq!(found.as_bytes(), right.as_bytes());
    }
}
