//! Attachments and whole messages of an archive as files: ranges, names, types that no browser takes for a page, and
//! who gets them.

use std::time::Duration;

use crier::model::{AccountId, ContactId, Person};

use crate::harness::http::{Client, Response};
use crate::harness::{DOMAIN, TestApp};

const ADA: &str = "ada@example.org";
/// The least that is a PNG to whoever looks at its first bytes.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR not much of an image\xff\xfe";

/// A client in front of the pages of the account.
fn anon(app: &TestApp) -> Client {
    app.anon.at_host(DOMAIN)
}

async fn get(app: &TestApp, path: &str, fields: &[(&str, &str)]) -> Response {
    anon(app).request("GET", path, fields, b"").await
}

/// A message with attachments: the fields of each part's header, and its content as base64.
fn mail(subject: &str, parts: &[(&str, &[u8])]) -> String {
    let mut mail = format!(
        "From: Ada Lind <{ADA}>\nTo: tea@{DOMAIN}\nSubject: {subject}\nMIME-Version: 1.0\n\
         Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nSee the files.\n"
    );
    for (fields, content) in parts {
        let text = data_encoding::BASE64.encode(content);
        let lines: Vec<&str> =
            text.as_bytes().chunks(76).map(|line| std::str::from_utf8(line).unwrap()).collect();
        let lines = lines.join("\n");
        mail.extend(["--b\n", fields, "\nContent-Transfer-Encoding: base64\n\n", &lines, "\n"]);
    }
    mail.push_str("--b--\n");
    mail
}

async fn post(app: &TestApp, list: &str, mail: &str) {
    let reply = app.send_mail(ADA, &format!("{list}@{DOMAIN}"), mail).await;
    assert_eq!(reply.code, 250, "{reply:?}");
    app.settle().await;
}

/// A list of which everybody sees everything, but for these fields.
async fn list(app: &TestApp, name: &str, fields: &[(&str, &str)]) {
    let mut list = app.list(name).with("archive_spammode", "0").member(ADA);
    for (field, value) in fields {
        list = list.with(field, value);
    }
    list.create().await;
}

async fn cookie_of(app: &TestApp, address: &str) -> String {
    let contact = app.email(address).await["contact"].as_u64().unwrap();
    format!("__Host-member={}", app.sign_in(Person::Member(ContactId(contact))).await)
}

#[tokio::test]
async fn an_image_is_sent_as_it_is_and_every_other_file_is_only_stored() {
    let app = TestApp::start().await;
    list(&app, "tea", &[]).await;
    let file = |kind: &str, name: &str| {
        format!("Content-Type: {kind}; name=\"{name}\"\nContent-Disposition: attachment")
    };
    let fields = [
        file("image/png", "pot.png"),
        file("text/html", "page.html"),
        file("image/svg+xml", "pot.svg"),
        file("application/pdf", "plan.pdf"),
        file("application/xhtml+xml", "page.xhtml"),
        file("text/plain", "notes.txt"),
        file("text/javascript", "run.js"),
    ];
    let html = b"<script>alert(1)</script>";
    let parts: Vec<(&str, &[u8])> = fields
        .iter()
        .enumerate()
        .map(|(n, fields)| (fields.as_str(), if n == 0 { PNG } else { html }))
        .collect();
    post(&app, "tea", &mail("Files", &parts)).await;
    let shown = [
        ("pot.png", "image/png", "inline"),
        ("page.html", "application/octet-stream", "attachment"),
        ("pot.svg", "application/octet-stream", "attachment"),
        ("plan.pdf", "application/pdf", "inline"),
        ("page.xhtml", "application/octet-stream", "attachment"),
        ("notes.txt", "application/octet-stream", "attachment"),
        ("run.js", "application/octet-stream", "attachment"),
    ];
    for (place, (name, kind, disposition)) in shown.into_iter().enumerate() {
        let number = place + 2;
        let response = get(&app, &format!("/lists/tea/messages/1/parts/{number}/{name}"), &[]).await;
        assert_eq!(response.status, 200, "{name}: {}", response.body);
        assert_eq!(response.header("content-type"), Some(kind), "{name}");
        let expected = format!("{disposition}; filename=\"{name}\"");
        assert_eq!(response.header("content-disposition"), Some(expected.as_str()));
        assert_eq!(response.header("x-content-type-options"), Some("nosniff"), "{name}");
        let policy = response.header("content-security-policy").unwrap();
        assert!(policy.contains("sandbox") && policy.contains("default-src 'none'"), "{policy}");
        assert_eq!(response.bytes, parts[place].1, "{name}");
        let length = parts[place].1.len().to_string();
        assert_eq!(response.header("content-length"), Some(length.as_str()));
        let head = anon(&app)
            .request("HEAD", &format!("/lists/tea/messages/1/parts/{number}/{name}"), &[], b"")
            .await;
        assert_eq!((head.status, head.bytes.len()), (200, 0));
        assert_eq!(head.header("content-length"), Some(length.as_str()));
        assert_eq!(head.header("content-type"), Some(kind));
    }
    for path in ["parts/0/x", "parts/99/x", "parts/02/x", "parts/-1/x", "parts/x/x", "parts/2/"] {
        assert_eq!(get(&app, &format!("/lists/tea/messages/1/{path}"), &[]).await.status, 404, "{path}");
    }
    for path in
        ["/lists/tea/messages/2/parts/2/x", "/lists/other/messages/1/parts/2/x", "/lists/tea/messages/2/raw"]
    {
        assert_eq!(get(&app, path, &[]).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn a_range_of_a_file_is_sent() {
    let app = TestApp::start().await;
    list(&app, "tea", &[]).await;
    let bytes: Vec<u8> = (0..300_000_u32).map(|n| u8::try_from(n * 7 % 251).unwrap()).collect();
    let plain = "Content-Type: application/zip; name=a.zip\nContent-Disposition: attachment";
    post(&app, "tea", &mail("Files", &[(plain, &bytes)])).await;
    let path = "/lists/tea/messages/1/parts/2/a.zip";
    let whole = get(&app, path, &[]).await;
    assert_eq!((whole.status, whole.header("accept-ranges")), (200, Some("bytes")));
    assert!(whole.bytes == bytes);
    for (range, span) in [
        ("bytes=0-9", 0..10),
        ("bytes=1000-1000", 1000..1001),
        ("bytes=131071-262145", 131_071..262_146),
        ("bytes=299990-", 299_990..300_000),
        ("bytes=-5", 299_995..300_000),
        ("bytes=-999999", 0..300_000),
        ("bytes=299999-400000", 299_999..300_000),
    ] {
        let part = get(&app, path, &[("Range", range)]).await;
        assert_eq!(part.status, 206, "{range}");
        let expected = format!("bytes {}-{}/300000", span.start, span.end - 1);
        assert_eq!(part.header("content-range"), Some(expected.as_str()), "{range}");
        assert!(part.bytes == bytes[span], "{range}");
    }
    for range in ["bytes=300000-", "bytes=-0", "bytes=999999999999999999999999-"] {
        let none = get(&app, path, &[("Range", range)]).await;
        assert_eq!((none.status, none.bytes.len()), (416, 0), "{range}");
        assert_eq!(none.header("content-range"), Some("bytes */300000"));
    }
    for range in ["bytes=0-1,5-6", "bytes=9-1", "bytes=x", "lines=0-1"] {
        let whole = get(&app, path, &[("Range", range)]).await;
        assert_eq!((whole.status, whole.bytes.len()), (200, 300_000), "{range}");
    }
    let etag = whole.header("etag").unwrap();
    let same = get(&app, path, &[("Range", "bytes=0-0"), ("If-Range", etag)]).await;
    assert_eq!(same.status, 206);
    let other = get(&app, path, &[("Range", "bytes=0-0"), ("If-Range", "\"other\"")]).await;
    assert_eq!((other.status, other.bytes.len()), (200, 300_000));
    let known = get(&app, path, &[("If-None-Match", etag)]).await;
    assert_eq!((known.status, known.bytes.len()), (304, 0));
    let head = anon(&app).request("HEAD", path, &[("Range", "bytes=0-9")], b"").await;
    assert_eq!((head.status, head.header("content-length")), (200, Some("300000")));
}

#[tokio::test]
async fn every_transfer_encoding_is_read_in_ranges() {
    let app = TestApp::start().await;
    list(&app, "tea", &[]).await;
    let message = format!(
        "From: {ADA}\nTo: tea@{DOMAIN}\nSubject: Files\nMIME-Version: 1.0\n\
         Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nHi\n\
         --b\nContent-Type: text/csv; name=a.csv\nContent-Disposition: attachment\n\
         Content-Transfer-Encoding: quoted-printable\n\nGr=C3=BC=C3=9Fe, =\nsoft\n\
         --b\nContent-Type: text/csv; name=b.csv\nContent-Disposition: attachment\n\n0123456789\nabc\n\
         --b\nContent-Type: application/x-y; name=c\nContent-Disposition: attachment\n\
         Content-Transfer-Encoding: x-uuencode\n\nbegin 644 c\n`\nend\n--b--\n"
    );
    post(&app, "tea", &message).await;
    let part = |number: u8, range: &'static str| {
        let path = format!("/lists/tea/messages/1/parts/{number}/x");
        let app = &app;
        async move { get(app, &path, &[("Range", range)]).await.bytes }
    };
    assert_eq!(part(2, "bytes=0-").await, "Grüße, soft".as_bytes());
    assert_eq!(part(2, "bytes=2-5").await, "üß".as_bytes());
    assert_eq!(part(3, "bytes=0-").await, b"0123456789\r\nabc");
    assert_eq!(part(3, "bytes=8-12").await, b"89\r\na");
    assert_eq!(
        part(4, "bytes=0-").await,
        b"begin 644 c\r\n`\r\nend",
        "what cannot be decoded stays as it is"
    );
}

#[tokio::test]
async fn names_of_files_are_safe_in_headers_and_on_disks() {
    let app = TestApp::start().await;
    list(&app, "tea", &[]).await;
    let of_zip =
        |name: &str| format!("Content-Type: application/zip\nContent-Disposition: attachment; {name}");
    let names = [
        (of_zip("filename=\"../../etc/passwd\""), "attachment; filename=\"passwd\""),
        (of_zip("filename=\"C:\\\\temp\\\\plan.zip\""), "attachment; filename=\"plan.zip\""),
        (
            of_zip("filename=\"say \\\"hi\\\".zip\""),
            "attachment; filename=\"say _hi_.zip\"; filename*=UTF-8''say%20%22hi%22.zip",
        ),
        (
            of_zip("filename*=utf-8''Gr%C3%BC%C3%9Fe.zip"),
            "attachment; filename=\"Gr__e.zip\"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.zip",
        ),
        (of_zip("filename*=utf-8''a%0D%0AX-Evil%3A%201.zip"), "attachment; filename=\"aX-Evil: 1.zip\""),
        (of_zip("filename*=utf-8''txt.%E2%80%AEpiz.exe"), "attachment; filename=\"txt.piz.exe\""),
        (of_zip("x=y"), "attachment"),
    ];
    let parts: Vec<(&str, &[u8])> = names.iter().map(|(fields, _)| (fields.as_str(), &b"zip"[..])).collect();
    post(&app, "tea", &mail("Names", &parts)).await;
    for (place, (fields, expected)) in names.iter().enumerate() {
        let response = get(&app, &format!("/lists/tea/messages/1/parts/{}/any%20name", place + 2), &[]).await;
        assert_eq!(response.header("content-disposition"), Some(*expected), "{fields}");
        assert_eq!((response.status, response.header("x-evil")), (200, None));
    }
}

#[tokio::test]
async fn files_of_archives_that_nobody_may_read_are_nowhere() {
    let app = TestApp::start().await;
    let paths = |name: &str, message: u64| {
        [
            format!("/lists/{name}/messages/{message}/parts/2/pot.png"),
            format!("/lists/{name}/messages/{message}/raw"),
            format!("/lists/{name}/2026-11.mbox.gz"),
        ]
    };
    let closed: [(&str, &[(&str, &str)]); 3] = [
        ("none", &[("archive_enabled", "0")]),
        ("shut", &[("archive_protected", "1")]),
        ("circle", &[("archive_protected", "1"), ("archive_memberview", "1")]),
    ];
    let png = "Content-Type: image/png; name=pot.png\nContent-Disposition: attachment";
    for (place, (name, fields)) in closed.into_iter().enumerate() {
        list(&app, name, fields).await;
        post(&app, name, &mail("Files", &[(png, PNG)]).replace("tea@", &format!("{name}@"))).await;
        for path in paths(name, place as u64 + 1) {
            let response = get(&app, &path, &[]).await;
            assert_eq!(response.status, 404, "{path}");
            assert!(!response.body.contains("PNG"), "{}", response.body);
        }
    }
    let ada = cookie_of(&app, ADA).await;
    let admin = app.new_admin(AccountId(app.account_id()), "eve@example.org").await;
    let eve = format!("__Host-admin={}", app.sign_in(admin).await);
    for (name, message, cookie, status) in [
        ("none", 1, &ada, 404),
        ("shut", 2, &ada, 404),
        ("circle", 3, &ada, 200),
        ("none", 1, &eve, 404),
        ("shut", 2, &eve, 200),
        ("circle", 3, &eve, 200),
    ] {
        for path in paths(name, message) {
            let response = get(&app, &path, &[("Cookie", cookie)]).await;
            assert_eq!(response.status, status, "{path}");
            let cached = response.header("cache-control").unwrap();
            assert!(!cached.contains("public"), "{path}: {cached}");
        }
    }
}

#[tokio::test]
async fn files_of_a_message_that_was_taken_out_are_gone() {
    let app = TestApp::start().await;
    list(&app, "tea", &[]).await;
    let png = "Content-Type: image/png; name=pot.png\nContent-Disposition: attachment";
    post(&app, "tea", &mail("Files", &[(png, PNG)])).await;
    for (path, status) in [("parts/2/pot.png", 200), ("raw", 200)] {
        assert_eq!(get(&app, &format!("/lists/tea/messages/1/{path}"), &[]).await.status, status);
    }
    assert_eq!(app.admin.delete("/api/2/messages/1/").await.status, 200);
    for path in ["messages/1/parts/2/pot.png", "messages/1/raw", "2026-11.mbox.gz"] {
        assert_eq!(get(&app, &format!("/lists/tea/{path}"), &[]).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn where_addresses_are_hidden_files_do_not_tell_them() {
    let app = TestApp::start().await;
    list(&app, "tea", &[("archive_spammode", "1")]).await;
    let parts: [(&str, &[u8]); 4] = [
        (
            "Content-Type: text/vcard; name=\"bob@secret.example.vcf\"\nContent-Disposition: attachment",
            b"MAIL:bob@secret.example\r\n",
        ),
        ("Content-Type: image/png; name=pot.png\nContent-Disposition: attachment", PNG),
        (
            "Content-Type: application/json; name=a.json\nContent-Disposition: attachment",
            b"{\"a\": \"bob@secret.example\"}",
        ),
        (
            "Content-Type: message/external-body; name=m.eml\nContent-Disposition: attachment",
            b"From: bob@secret.example\r\n\r\nhi\r\n",
        ),
    ];
    post(&app, "tea", &mail("Files", &parts)).await;
    let part = |number: usize| format!("/lists/tea/messages/1/parts/{number}/x");
    let card = get(&app, &part(2), &[]).await;
    assert_eq!((card.status, card.body.trim_end()), (200, "MAIL:bob@…"));
    let name = card.header("content-disposition").unwrap().to_owned();
    assert!(!name.contains("secret"), "{name}");
    assert_eq!(get(&app, &part(3), &[]).await.bytes, PNG);
    assert_eq!(get(&app, &part(4), &[]).await.body, "{\"a\": \"bob@…\"}");
    assert_eq!(get(&app, &part(5), &[]).await.status, 404, "a whole message is full of addresses");
    assert_eq!(get(&app, "/lists/tea/messages/1/raw", &[]).await.status, 404);
    let ada = cookie_of(&app, ADA).await;
    for (place, (_, content)) in parts.iter().enumerate() {
        let response = get(&app, &part(place + 2), &[("Cookie", &ada)]).await;
        assert_eq!((response.status, response.bytes.as_slice()), (200, *content));
    }
    let raw = get(&app, "/lists/tea/messages/1/raw", &[("Cookie", &ada)]).await;
    assert_eq!((raw.status, raw.header("content-type")), (200, Some("message/rfc822")));
    assert!(raw.body.contains(&format!("From: Ada Lind <{ADA}>")), "{}", raw.body);
}

#[tokio::test]
async fn a_large_file_is_sent_whole_to_a_slow_client_while_others_are_served() {
    let app = TestApp::start().await;
    list(&app, "tea", &[("maxlength", "40000")]).await;
    let bytes: Vec<u8> = (0..20_000_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let zip = "Content-Type: application/zip; name=a.zip\nContent-Disposition: attachment";
    post(&app, "tea", &mail("Large", &[(zip, &bytes)])).await;
    let path = "/lists/tea/messages/1/parts/2/a.zip";
    let head = format!("GET {path} HTTP/1.1\r\nHost: {DOMAIN}\r\nConnection: close\r\n\r\n");
    // These take nothing of what they asked for.
    let mut slow = Vec::new();
    for _ in 0..20 {
        slow.push(anon(&app).open(head.as_bytes()).await);
    }
    let whole = tokio::time::timeout(Duration::from_mins(1), get(&app, path, &[])).await.unwrap();
    assert!(whole.bytes == bytes, "{} bytes", whole.bytes.len());
    let end = get(&app, path, &[("Range", "bytes=-3")]).await;
    assert_eq!(end.bytes, &bytes[bytes.len() - 3..]);
}
