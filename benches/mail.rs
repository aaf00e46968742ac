//! What one message costs: parsing, deciding, rewriting, rendering a copy, signing it.
//!
//! One core, operations per second. `cargo bench --bench mail`

#![expect(clippy::unwrap_used, reason = "a bench ends where something unexpected happens")]
#![expect(clippy::print_stdout, reason = "its table is what a bench is for")]

use std::hint::black_box;
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use crier::clock::Timestamp;
use crier::mail::policy::Posting;
use crier::mail::{
    ArcSealer, ContentAuthor, DkimSigner, Inbound, Personal, RewriteContext, SenderFacts, Verdict, body_hash,
    decide, parse, rewrite, split,
};
use crier::model::account::Subscriptions;
use crier::model::{
    AccountId, Authentication, CheckResult, DkimKeys, EmailAddress, Language, Links, List, ListId, ListName,
    MessageId,
};
use crier::secret;

/// Bytes of a usual post.
const SMALL_BYTES: usize = 4 * 1024;
/// Bytes of a post with a picture.
const LARGE_BYTES: usize = 1024 * 1024;
/// How long each row is measured.
const ROW_TIME: Duration = Duration::from_secs(2);
const SENDER_FACTS: SenderFacts = SenderFacts {
    is_member_of_restricted_lists: true,
    from_is_proven: true,
    is_duplicate: false,
    has_known_id: false,
    has_report_sender: false,
    replies_to_closed_thread: false,
};
const PERSONAL: Personal<'static> = Personal {
    email: "member12345@example.net",
    first_name: "Ada",
    surname: "Lovelace",
    unsubscribe_url: "https://lists.example.org/unsubscribe/aaaabbbbccccddddeeeeffffgggghhhhiiiijjjjkk/",
    unsubscribe_mailto: "mailto:news-unsubscribe@example.org",
    manage_url: "https://lists.example.org/members/",
    envelope_sender: "bounces+aaaabbbbccccddddeeeeffffgggghhhhiiiijjjjkk@example.org",
    custom: &[],
};

fn main() {
    let small: Arc<[u8]> = message(SMALL_BYTES).into();
    let large: Arc<[u8]> = message(LARGE_BYTES).into();
    let long: Arc<[u8]> = long_text(LARGE_BYTES).into();
    let list = list();
    println!("{:<44} {:>12}", "one core", "per second");

    row("parse 4 KiB", || assert!(parse(Arc::clone(&small)).unwrap().from.is_some()));
    row("parse, decide and rewrite 4 KiB", || whole(&list, &small));
    row("parse, decide and rewrite 1 MiB", || whole(&list, &large));
    row("parse, decide and rewrite 1 MiB of text", || whole(&list, &long));

    let address = EmailAddress::parse("news@example.org").unwrap();
    let inbound = parse(Arc::clone(&small)).unwrap();
    let form = rewrite(&inbound, &context(&list, &address));
    let mut copy = Vec::new();
    row("render one copy of 4 KiB", || {
        copy.clear();
        form.render(&PERSONAL, &mut copy);
        assert!(SMALL_BYTES <= copy.len());
    });
    sign(&copy);
    let mut copy = Vec::new();
    let large = rewrite(&parse(large).unwrap(), &context(&list, &address));
    row("render one copy of 1 MiB", || {
        copy.clear();
        large.render(&PERSONAL, &mut copy);
    });
    row("hash a body of 1 MiB", || {
        black_box(body_hash(&copy));
    });
}

fn sign(copy: &[u8]) {
    let keys = DkimKeys {
        selector: "s1".to_owned(),
        rsa_pkcs8: secret::rsa_2048_key(),
        ed25519_pkcs8: secret::ed25519_key(),
    };
    let now = Timestamp::from_ms(0);
    let mut out = Vec::new();
    for (name, with_ed25519) in
        [("sign a copy of 4 KiB, RSA", false), ("sign a copy of 4 KiB, RSA and Ed25519", true)]
    {
        let signer = DkimSigner::new("example.org", &keys, with_ed25519).unwrap();
        row(name, || {
            out.clear();
            signer.sign(copy, now, &mut out);
            assert!(out.starts_with(b"DKIM-Signature"));
        });
    }
    seal(copy, &keys);
    let key = aws_lc_rs::signature::RsaKeyPair::from_pkcs8(&keys.rsa_pkcs8).unwrap();
    let digest = aws_lc_rs::digest::digest(&aws_lc_rs::digest::SHA256, copy);
    let mut signature = vec![0; key.public_modulus_len()];
    row("RSA-2048 alone", || {
        key.sign_digest(&aws_lc_rs::signature::RSA_PKCS1_SHA256, &digest, &mut signature).unwrap();
    });
}

fn whole(list: &List, raw: &Arc<[u8]>) {
    let address = EmailAddress::parse("news@example.org").unwrap();
    let inbound: Inbound = parse(Arc::clone(raw)).unwrap();
    let posting = Posting {
        list,
        list_id: "news.example.org",
        taboo: None,
        sender_facts: &SENDER_FACTS,
        message: &inbound,
        size_bytes: raw.len() as u64,
    };
    assert_eq!(decide(&posting), Verdict::Post);
    assert!(!rewrite(&inbound, &context(list, &address)).changes.is_empty());
}

fn list() -> List {
    let name = ListName::parse("news").unwrap();
    let mut list = List::new(ListId(1), AccountId(1), name, Timestamp::from_ms(0));
    list.subject_prefix = "[news]".into();
    list.message_footer = "Sent to $EMAIL through $LIST\nLeave: $UNSUBSCRIBE".into();
    list
}

/// The links of the account.
static LINKS: LazyLock<Links> = LazyLock::new(|| Links::new("https://lists.example.org".to_owned(), []));

fn context<'a>(list: &'a List, list_address: &'a EmailAddress) -> RewriteContext<'a> {
    RewriteContext {
        list,
        list_address,
        account: "acme",
        links: &LINKS,
        message: MessageId(17),
        rewrite_from: false,
        from_is_ours: false,
        batched: false,
        custom_fields: &[],
        author: ContentAuthor::Sender,
        subscriptions: Subscriptions::Open,
        unsubscriptions: Subscriptions::Open,
        language: Language::English,
        accepted: Timestamp::from_ms(0),
    }
}

/// What a copy with a seal of its own costs beside its signatures.
fn seal(copy: &[u8], keys: &DkimKeys) {
    let passed = Authentication {
        dmarc: CheckResult::Pass,
        results: "dmarc=pass header.from=example.net".to_owned(),
        ..Authentication::unchecked()
    };
    let (head, body) = split(copy);
    let sealer = ArcSealer::of("example.org", keys, "mx.example.org", &passed, head).unwrap().unwrap();
    let hash = body_hash(body);
    row("seal a copy of 4 KiB (ARC)", || {
        let seal = sealer.seal(head, &hash, Timestamp::from_ms(0)).unwrap();
        assert!(seal.starts_with(b"ARC-Seal"));
    });
}

/// Text and HTML as alternatives, beside an attachment that makes up the size.
fn message(bytes: usize) -> Vec<u8> {
    let head = "Received: from mx.example.net (mx.example.net [192.0.2.1]) by mx.example.org; Fri, 20 Nov 2026 15:04:06 +0000\r\n\
        From: Ada Lovelace <ada@example.net>\r\nTo: news@example.org\r\nSubject: Re: =?utf-8?q?Gr=C3=BC=C3=9Fe?= at five\r\n\
        Date: Fri, 20 Nov 2026 15:04:05 +0000\r\nMessage-ID: <1@example.net>\r\nIn-Reply-To: <0@example.net>\r\n\
        References: <00@example.net> <0@example.net>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=\"o\"\r\n\r\n\
        --o\r\nContent-Type: multipart/alternative; boundary=\"i\"\r\n\r\n--i\r\nContent-Type: text/plain; charset=utf-8\r\n\
        Content-Transfer-Encoding: quoted-printable\r\n\r\nGr=C3=BC=C3=9Fe\r\n--i\r\nContent-Type: text/html; charset=utf-8\r\n\
        Content-Transfer-Encoding: quoted-printable\r\n\r\n<html><body><p>Gr=C3=BC=C3=9Fe</p></body></html>\r\n--i--\r\n\
        --o\r\nContent-Type: image/png\r\nContent-Disposition: attachment; filename=a.png\r\nContent-Transfer-Encoding: base64\r\n\r\n";
    let line = format!("{}\r\n", "iVBORw0KGgoAAAANSUhEUgAA".repeat(3));
    let mut raw = head.as_bytes().to_vec();
    while raw.len() < bytes {
        raw.extend_from_slice(line.as_bytes());
    }
    raw.extend_from_slice(b"--o--\r\n");
    raw
}

/// Nothing but text, in quoted-printable.
fn long_text(bytes: usize) -> Vec<u8> {
    let head = "From: Ada Lovelace <ada@example.net>\r\nTo: news@example.org\r\nSubject: the whole book\r\n\
        Date: Fri, 20 Nov 2026 15:04:05 +0000\r\nMessage-ID: <2@example.net>\r\nMIME-Version: 1.0\r\n\
        Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n";
    let line = "Gr=C3=BC=C3=9Fe from https://www.example.net/ and from a long line that flow=\r\ns on\r\n";
    let mut raw = head.as_bytes().to_vec();
    while raw.len() < bytes {
        raw.extend_from_slice(line.as_bytes());
    }
    raw
}

fn row(name: &str, mut work: impl FnMut()) {
    work();
    let start = Instant::now();
    let mut count = 0_u32;
    while start.elapsed() < ROW_TIME {
        work();
        count += 1;
    }
    println!("{name:<44} {:>12.0}", f64::from(count) / start.elapsed().as_secs_f64());
}
