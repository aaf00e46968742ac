//! What becomes of texts, attachments and sealed content.

use super::*;

const TOKEN: &str = "aaaaabbbbbcccccdddddeeeeefffffggggghhhhhii";

fn with_footer(list: &mut List) {
    list.message_footer = "Leave: $UNSUBSCRIBE".into();
}

const FOOTER: &str = "Leave: https://lists.example.org/unsubscribe/tok=en/";

/// Rewrites a message twice, as a list does that is a member of itself by way of another; the second copy must
/// be the first but for what stands in the header.
#[track_caller]
fn check_twice(change: impl Fn(&mut List), message: &str) -> String {
    let once = copy(&change, message);
    let twice = copy(&change, &once);
    assert_eq!(body_of(&twice), body_of(&once));
    once
}

const SIGNED: &str = "--b\n\ntext\n--b\nContent-Type: application/pgp-signature\n\nsig\n--b--\n";

#[test]
fn signed_content_stays_and_the_footer_stands_beside_it() {
    let message = format!(
        "From: a@x.org\nMessage-ID: <1@x>\nContent-Type: multipart/signed; boundary=b;\n micalg=pgp-sha256\nDate: x\n\n{SIGNED}"
    );
    let found = check_twice(with_footer, &message);
    assert_eq!(
        header_of(&found, "Content-Type"),
        "Content-Type: multipart/mixed; boundary=\"=_crier_17_1795187045000\""
    );
    assert_eq!(header_of(&found, "MIME-Version"), "MIME-Version: 1.0");
    let boundary = "--=_crier_17_1795187045000";
    let expected = format!(
        "{boundary}\nContent-Type: multipart/signed; boundary=b;\n micalg=pgp-sha256\n\n{SIGNED}\n{boundary}\n\
         Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 7bit\nContent-Disposition: inline\n\n\
         {FOOTER}\n\n{boundary}--\n"
    );
    assert_eq!(body_of(&found), expected);
}

#[test]
fn encrypted_content_reports_and_invitations_stay_as_they_are() {
    for kind in [
        "multipart/encrypted; boundary=b",
        "multipart/report; boundary=b",
        "application/pkcs7-mime",
        "text/calendar",
    ] {
        let message = format!("From: a@x.org\nContent-Type: {kind}\n\n{SIGNED}");
        assert_eq!(body_of(&copy(with_footer, &message)), SIGNED, "{kind}");
    }
}

#[test]
fn text_with_openpgp_in_it_is_sealed() {
    let message =
        |kind: &str| format!("From: a@x.org\nMessage-ID: <1@x>\n\nhi\n-----BEGIN PGP {kind}-----\nx\n");
    assert_eq!(body_of(&copy(with_footer, &message("MESSAGE"))), "hi\n-----BEGIN PGP MESSAGE-----\nx\n");
    let signed = check_twice(with_footer, &message("SIGNED MESSAGE"));
    assert!(signed.contains("\n\nhi\n-----BEGIN PGP SIGNED MESSAGE-----\nx\n\n--=_crier"), "{signed}");
    assert!(signed.contains(FOOTER));
    let key = copy(with_footer, &message("PUBLIC KEY BLOCK"));
    assert!(key.ends_with(&format!("x\n\n{FOOTER}\n")), "{key}");
}

#[test]
fn a_signature_inside_a_mixed_message_gets_its_footer_beside_it() {
    let message = format!(
        "From: a@x.org\nMessage-ID: <1@x>\nContent-Type: multipart/mixed; boundary=o\n\npre\n--o\nContent-Type: multipart/signed; boundary=b\n\n{SIGNED}\n--o--\nepilogue\n"
    );
    let both = |list: &mut List| {
        with_footer(list);
        list.message_fronter = "Front".into();
    };
    let found = check_twice(both, &message);
    let part = "--o\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 7bit\nContent-Disposition: inline\n\n";
    assert_eq!(
        body_of(&found),
        format!(
            "pre\n{part}Front\n\n--o\nContent-Type: multipart/signed; boundary=b\n\n{SIGNED}\n{part}{FOOTER}\n\n--o--\nepilogue\n"
        )
    );
}

#[test]
fn a_picture_alone_gets_a_text_beside_it() {
    let message = "From: a@x.org\nMessage-ID: <1@x>\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBO\n";
    let found = check_twice(with_footer, message);
    assert!(header_of(&found, "Content-Type").contains("multipart/mixed"));
    assert!(
        body_of(&found)
            .contains("\nContent-Type: image/png\nContent-Transfer-Encoding: base64\n\niVBO\n\n--=_"),
        "{found}"
    );
}

const TEXT_PICTURE_TEXT: &str = "From: a@x.org\nMessage-ID: <1@x>\nContent-Type: multipart/mixed; boundary=o\n\n--o\n\nbefore\n--o\n\
    Content-Type: image/png; name=a.png\nContent-Disposition: inline\nContent-Transfer-Encoding: base64\n\niVBO\n--o\n\nbehind\n--o--\n";

#[test]
fn a_fronter_stands_before_the_first_text_and_a_footer_behind_the_last() {
    let both = |list: &mut List| {
        with_footer(list);
        list.message_fronter = "Front $LIST".into();
    };
    let found = check_twice(both, TEXT_PICTURE_TEXT);
    assert!(found.contains("--o\n\nFront news\n\nbefore\n--o\n"), "{found}");
    assert!(found.ends_with(&format!("--o\n\nbehind\n\n{FOOTER}\n\n--o--\n")), "{found}");
}

#[test]
fn attachments_are_replaced_by_lines() {
    let strip = |list: &mut List| {
        with_footer(list);
        list.strip_attachments = true;
    };
    let found = check_twice(strip, TEXT_PICTURE_TEXT);
    assert!(
        found.contains("\n\n[Attachment removed: a.png (image/png, 1 KB)]\n\n--o\n\nbehind\n"),
        "{found}"
    );
    assert!(!found.contains("iVBO"));
    let message = "From: a@x.org\nMessage-ID: <1@x>\nContent-Type: application/pdf; name=\"=?utf-8?q?R=C3=A9sum=C3=A9=2Epdf?=\"\nContent-Disposition: attachment\n\nx\n";
    let alone = check_twice(strip, message);
    assert_eq!(header_of(&alone, "Content-Type"), "Content-Type: text/plain; charset=utf-8");
    assert!(
        body_of(&alone).starts_with("[Attachment removed: R=C3=A9sum=C3=A9.pdf (application/pdf, 1 KB)]\n\n"),
        "{alone}"
    );
}

#[test]
fn pictures_that_the_html_shows_stay_when_attachments_go() {
    let related = "From: a@x.org\nContent-Type: multipart/related; boundary=r\n\n--r\nContent-Type: text/html\n\n<img src=\"cid:in@x\">\n\
        --r\nContent-Type: image/png\nContent-ID: <in@x>\n\nINSIDE\n--r\nContent-Type: image/png\nContent-ID: <out@x>\n\nOUTSIDE\n\
        --r\nContent-Type: message/rfc822\n\nSubject: s\n\nNESTED\n--r--\n";
    let found = copy(|list| list.strip_attachments = true, related);
    assert!(found.contains("INSIDE") && !found.contains("OUTSIDE") && !found.contains("NESTED"), "{found}");
    assert!(found.contains("[Attachment removed: without a name (message/rfc822, 1 KB)]"), "{found}");
}

#[test]
fn a_text_under_a_name_goes_and_the_footer_stands_behind_its_line() {
    let strip = |list: &mut List| {
        with_footer(list);
        list.strip_attachments = true;
    };
    let message = "From: a@x.org\nMessage-ID: <1@x>\nContent-Type: multipart/mixed; boundary=o\n\n--o\n\nsee\n--o\nContent-Type: text/plain; name=log.txt\nContent-Disposition: inline\n\nlog\n--o--\n";
    let found = check_twice(strip, message);
    assert!(
        found.contains(&format!("[Attachment removed: log.txt (text/plain, 1 KB)]\n\n{FOOTER}\n")),
        "{found}"
    );
    let kept = check_twice(with_footer, message);
    assert!(kept.contains(&format!("\n\nsee\n\n{FOOTER}\n\n--o\n")), "{kept}");
}

#[test]
fn an_alternative_that_is_no_text_goes_without_a_line() {
    let message = "From: a@x.org\nContent-Type: multipart/alternative; boundary=a\n\n--a\n\ntext\n--a\nContent-Type: application/x\n\nX\n--a\nContent-Type: text/calendar\n\nCAL\n--a--\n";
    let found = copy(|list| list.strip_attachments = true, message);
    assert_eq!(body_of(&found), "--a\n\ntext\n--a\nContent-Type: text/calendar\n\nCAL\n--a--\n");
}

#[test]
fn long_texts_are_cut_and_footers_do_not_count() {
    let truncate = |list: &mut List| {
        with_footer(list);
        list.truncate = Some(10);
    };
    let found = check_twice(truncate, "From: a@x.org\nMessage-ID: <1@x>\n\n123456789 123456789\n");
    let note = "[This message was cut off here by the mailing list.]";
    assert_eq!(body_of(&found), format!("123456789\n\n{note}\n\n{FOOTER}\n"));
    let html = "From: a@x.org\nMessage-ID: <1@x>\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: base64\n\n\
        PGh0bWw+PGJvZHk+PHA+w7zDvMO8w7zDvDwvcD48L2JvZHk+PC9odG1sPg==\n";
    let found = copy(|list| list.truncate = Some(40), html);
    let content = parse(found.replace('\n', "\r\n").into_bytes()).unwrap().content().html.unwrap();
    assert_eq!(content, format!("<html><body><p>\u{fc}\u{fc}\u{fc}</p>\n<p>{note}</p>\n</body></html>"));
}

#[test]
fn our_own_links_in_quoted_text_lose_their_token_in_every_encoding() {
    let link = format!("https://lists.example.org/unsubscribe/{TOKEN}/");
    let plain = format!("From: a@x.org\n\n> {link}\n");
    assert_eq!(body_of(&copy(|_| {}, &plain)), "> https://lists.example.org/unsubscribe/removed/\n");
    let (start, end) = TOKEN.split_at(9);
    let qp = format!(
        "From: a@x.org\nContent-Transfer-Encoding: quoted-printable\nContent-Type: text/html\n\n<a href=3D\"https://lists=\n.example.org/unsubscribe/{start}=\n{end}/\">\n"
    );
    let found = copy(|_| {}, &qp);
    assert_eq!(body_of(&found), "<a href=3D\"https://lists.example.org/unsubscribe/removed/\">\n");
    let base64 = data_encoding::BASE64.encode(link.as_bytes());
    let message = format!("From: a@x.org\nContent-Transfer-Encoding: base64\n\n{base64}\n");
    let found = copy(|_| {}, &message);
    let content = parse(found.replace('\n', "\r\n").into_bytes()).unwrap().content().plain.unwrap();
    assert_eq!(content, "https://lists.example.org/unsubscribe/removed/");
}

#[test]
fn a_footer_that_another_members_copy_had_is_put_on_anew() {
    let answer = format!(
        "From: a@x.org\nMessage-ID: <1@x>\n\nyes\n\nFrom: x\nhello\n\nLeave: https://lists.example.org/unsubscribe/{TOKEN}/\n"
    );
    let found = check_twice(with_footer, &answer);
    assert_eq!(body_of(&found), format!("yes\n\nFrom: x\nhello\n\n{FOOTER}\n"));
}

fn with_tags(list: &mut List) {
    list.merge_tags_enabled = true;
}

fn by_key(context: &mut RewriteContext<'_>) {
    context.author = ContentAuthor::Key { custom_fields: &["Shoe size"] };
}

#[test]
fn links_and_fields_are_shown_by_content_of_the_api_alone() {
    let message = "From: a@x.org\nContent-Type: text/html\n\n<a href=\"$UNSUBSCRIBE\">$MANAGE</a> ${NAME} ${Shoe size}\n";
    let by_key =
        copy_in(with_tags, by_key, message).replace("=\n", "").replace("=20", " ").replace("=3D", "=");
    assert_eq!(
        body_of(&by_key),
        "<a href=\"https://lists.example.org/unsubscribe/tok=en/\">https://lists.example.org/members/</a> \
         B&#248;b &lt;Builder&gt; 44\n"
    );
    let of_sender = copy(with_tags, message);
    assert_eq!(body_of(&of_sender), body_of(message));
    let hidden = |context: &mut RewriteContext<'_>| {
        context.author = ContentAuthor::Key { custom_fields: &[] };
    };
    assert!(copy_in(with_tags, hidden, message).contains("${Shoe size}"));
}

#[test]
fn a_senders_merge_tags_stand_in_text_and_in_no_tag_or_address() {
    let html = "From: a@x.org\nContent-Type: text/html\n\n<p title=\"$EMAIL\">$EMAIL <img src='https://x/?> $EMAIL'> x.org/?$EMAIL</p>\n";
    assert_eq!(
        body_of(&copy(with_tags, html)),
        "<p title=\"$EMAIL\">bob@y.org <img src='https://x/?> $EMAIL'> x.org/?$EMAIL</p>\n"
    );
    // The visible part seems to begin within a tag.
    let split = "From: a@x.org\nContent-Type: text/html\n\n<img src='<body>https://x/? $EMAIL'> $LIST\n";
    assert_eq!(body_of(&copy(with_tags, split)), "<img src='<body>https://x/? $EMAIL'> news\n");
    let text = "From: a@x.org\nSubject: https://x.org/$EMAIL $LIST\n\nhttps://x.org/$EMAIL $LIST\n";
    let found = copy(with_tags, text);
    assert_eq!(body_of(&found), "https://x.org/$EMAIL news\n");
    assert_eq!(header_of(&found, "Subject"), "Subject: https://x.org/$EMAIL news");
}

#[test]
fn links_are_taken_out_of_attached_messages_and_texts() {
    let link = format!("https://LISTS.example.org/unsubscribe/{TOKEN}/");
    let base64 = |text: &str| {
        let encoded = data_encoding::BASE64.encode(text.as_bytes());
        let lines = encoded.as_bytes().chunks(76).map(String::from_utf8_lossy);
        lines.collect::<Vec<_>>().join("\n")
    };
    let message = |link: &str, text: &str, soft: &str| {
        format!(
            "From: a@x.org\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=o\n\n--o\n\nsee below\n\
             --o\nContent-Type: message/rfc822\n\nSubject: a copy\nList-Unsubscribe:\n <{link}>\n\
             Content-Type: multipart/alternative; boundary=i\n\n\
             --i\nContent-Transfer-Encoding: quoted-printable\n\nGr=C3=BC=C3=9Fe {soft} x=3D\n\
             --i\nContent-Type: text/html\nContent-Transfer-Encoding: base64\n\n{}\n--i--\n\
             --o\nContent-Type: text/plain; name=notes.txt\nContent-Disposition: attachment\n\n{link}\n\
             --o\nContent-Type: message/rfc822\nContent-Transfer-Encoding: base64\n\n{}\n\
             --o\nContent-Type: image/png\n\n{}\n--o--\n",
            base64(text),
            base64(text),
            "confirm+aaaaabbbbbcccccddddd",
        )
    };
    let (first, second) = link.split_at(20);
    let found =
        copy(|_| {}, &message(&link, &format!("Subject: x\r\n\r\n{link}"), &format!("{first}=\n{second}")));
    let clean = link.replace(TOKEN, "removed");
    let (first, second) = clean.split_at(20);
    let expected = message(&clean, &format!("Subject: x\r\n\r\n{clean}"), &format!("{first}=\n{second}"));
    assert_eq!(body_of(&found), body_of(&expected));
}

/// A message with one attachment, its content encoded in base64.
fn with_attached(kind: &str, content: &[u8]) -> String {
    let encoded = data_encoding::BASE64.encode(content);
    let lines: Vec<_> = encoded.as_bytes().chunks(76).map(String::from_utf8_lossy).collect();
    with_part(kind, "base64", &lines.join("\n"))
}

fn with_part(kind: &str, encoding: &str, body: &str) -> String {
    format!(
        "From: a@x.org\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=o\n\n--o\n\nhi\n--o\n\
         Content-Type: {kind}\nContent-Disposition: attachment; filename=a\nContent-Transfer-Encoding: {encoding}\n\n\
         {body}\n--o--\n"
    )
}

/// Writes a text in a charset.
type Encode<'a> = &'a dyn Fn(&str) -> Vec<u8>;

#[test]
fn links_are_taken_out_of_attached_texts_of_utf_16() {
    let text = |token: &str| format!("\u{fc}: https://lists.example.org/unsubscribe/{token}/ \u{1f600}\r\n");
    let little = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let big = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
    let marked = |text: &str| little(&format!("\u{feff}{text}"));
    let encoders: [(&str, Encode<'_>); 4] = [
        ("text/plain; charset=UTF-16", &marked),
        ("text/csv; charset=utf-16le", &little),
        ("text/plain; charset=utf-16be", &big),
        ("application/octet-stream", &marked),
    ];
    for (kind, encode) in encoders {
        let message = with_attached(kind, &encode(&text(TOKEN)));
        let expected = with_attached(kind, &encode(&text("removed")));
        assert_eq!(body_of(&copy(|_| {}, &message)), body_of(&expected), "{kind}");
    }
    let escaped = |text: &str| {
        let bytes = little(text);
        bytes
            .iter()
            .map(|byte| format!("={byte:02X}"))
            .collect::<Vec<_>>()
            .chunks(20)
            .map(<[_]>::concat)
            .collect::<Vec<_>>()
            .join("=\n")
    };
    let message = with_part("text/plain; charset=utf-16le", "quoted-printable", &escaped(&text(TOKEN)));
    let found = copy(|_| {}, &message);
    let inbound = parse(found.replace('\n', "\r\n").into_bytes()).unwrap();
    let decoded = crate::mail::text::decode_part(&inbound.raw, &inbound.parts[2]);
    assert_eq!(decoded, text("removed"));
}

#[test]
fn links_are_taken_out_of_files_of_an_unknown_kind_that_are_text() {
    let kind = "application/octet-stream; name=notes.txt";
    let text =
        |token: &str| format!("Gr\u{fc}\u{df}e\r\n> https://lists.example.org/unsubscribe/{token}/\r\n");
    let found = copy(|_| {}, &with_attached(kind, text(TOKEN).as_bytes()));
    assert_eq!(body_of(&found), body_of(&with_attached(kind, text("removed").as_bytes())));
    let plain = |token: &str| with_part(kind, "7bit", &format!("https://lists.example.org/members/{token}"));
    assert_eq!(body_of(&copy(|_| {}, &plain(TOKEN))), body_of(&plain("removed")));
    // What is no text would be broken by a change of its length.
    let long = format!("{}\0{}", "x".repeat(5000), text(TOKEN));
    for binary in [format!("PK\x03\x04{}", text(TOKEN)), long] {
        let message = with_attached(kind, binary.as_bytes());
        assert_eq!(body_of(&copy(|_| {}, &message)), body_of(&message));
    }
}

#[test]
fn links_with_tags_in_them_are_taken_out_of_html() {
    let link = |token: &str| format!("<p>http://lists.example.org/<b>unsub</b>scribe/{token}/</p>");
    let html = |token: &str| format!("From: a@x.org\nContent-Type: text/html\n\n{}\n", link(token));
    assert_eq!(body_of(&copy(|_| {}, &html(TOKEN))), body_of(&html("removed")));
    let attached = |token: &str| with_attached("text/html", link(token).as_bytes());
    assert_eq!(body_of(&copy(|_| {}, &attached(TOKEN))), body_of(&attached("removed")));
    let in_place =
        |token: &str| with_part("text/html", "quoted-printable", &link(token).replace("<b>", "<b=\n>"));
    assert_eq!(body_of(&copy(|_| {}, &in_place(TOKEN))), body_of(&in_place("removed")));
}

#[test]
fn links_in_signed_and_encrypted_attachments_stay() {
    let link = format!("https://lists.example.org/unsubscribe/{TOKEN}/");
    let text = format!("Content-Type: text/plain; name=a.txt\nContent-Disposition: attachment\n\n{link}");
    let signed = format!(
        "Content-Type: multipart/signed; boundary=s\n\n--s\n{text}\n--s\nContent-Type: application/pgp-signature\n\nx\n--s--"
    );
    let inline = format!("{}\n", text.replace(&link, &format!("-----BEGIN PGP SIGNED MESSAGE-----\n\n{link}\n-----BEGIN PGP SIGNATURE-----\n\nx\n-----END PGP SIGNATURE-----")));
    for part in [signed.clone(), format!("Content-Type: message/rfc822\n\nFrom: b@x.org\n{signed}"), inline] {
        let message = format!(
            "From: a@x.org\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=o\n\n--o\n\nhi\n--o\n{part}\n--o--\n"
        );
        assert_eq!(body_of(&copy(|_| {}, &message)), body_of(&message));
    }
}

#[test]
fn an_attachment_that_is_taken_off_takes_its_links_with_it() {
    let link = format!("https://lists.example.org/unsubscribe/{TOKEN}/");
    for attached in ["text/plain; name=a.txt", "message/rfc822"] {
        let message = format!(
            "From: a@x.org\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=o\n\n--o\n\nhi\n\
             --o\nContent-Type: {attached}\nContent-Disposition: attachment\n\nSubject: {link}\n\n{link}\n--o--\n"
        );
        let found = copy(|list| list.strip_attachments = true, &message);
        assert!(found.contains("Attachment removed") && !found.contains("unsubscribe/aaaa"), "{found}");
    }
    let alone = format!(
        "From: a@x.org\nMIME-Version: 1.0\nContent-Type: text/csv\nContent-Disposition: attachment\n\n{link}\n"
    );
    let found = copy(|list| list.strip_attachments = true, &alone);
    assert!(!body_of(&found).contains(TOKEN), "{found}");
    let found = copy(with_footer, &alone);
    assert!(body_of(&found).contains("unsubscribe/removed/\n"), "{found}");
}

#[test]
fn merge_tags_are_filled_in_where_the_list_wants_it() {
    let message = "From: a@x.org\nSubject: Hi $FIRSTNAME $SURNAME\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n\
        <title>$LIST</title><body>Dear $NAME, ${Shoe size} $$ $5 $REASON \u{fc}</body>\n";
    let found = copy_in(with_tags, by_key, message);
    assert_eq!(
        body_of(&found),
        "<title>news</title><body>Dear B&#248;b &lt;Builder&gt;, 44 $$ $5 $REASON \u{fc}</body>\n"
    );
    assert_eq!(header_of(&found, "Subject"), "Subject: =?utf-8?Q?Hi_B=C3=B8b_=3CBuilder=3E?=");
    let of_sender = copy(with_tags, message);
    assert_eq!(
        body_of(&of_sender),
        "<title>$LIST</title><body>Dear B&#248;b &lt;Builder&gt;, ${Shoe size} $$ $5 $REASON \u{fc}</body>\n"
    );
    assert_eq!(header_of(&of_sender, "Subject"), header_of(&found, "Subject"));
    let without = copy(|_| {}, message);
    assert!(
        without.contains("Subject: Hi $FIRSTNAME $SURNAME\n") && without.contains("Dear $NAME"),
        "{without}"
    );
}

#[test]
fn merge_tags_in_base64_and_other_character_sets_find_a_place() {
    let base64 = data_encoding::BASE64.encode("Gr\u{fc}\u{df}e $FIRSTNAME!\r\n".as_bytes());
    let message = format!(
        "From: a@x.org\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: base64\n\n{base64}\n"
    );
    let found = copy(with_tags, &message);
    assert_eq!(header_of(&found, "Content-Transfer-Encoding"), "Content-Transfer-Encoding: quoted-printable");
    assert_eq!(body_of(&found), "Gr=C3=BC=C3=9Fe=20=\nB=C3=B8b=\n!\n");
    let latin = "From: a@x.org\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nGr=FC=DFe $FIRSTNAME\n";
    let found = copy(with_tags, latin);
    assert_eq!(header_of(&found, "Content-Type"), "Content-Type: text/plain; charset=utf-8");
    assert_eq!(body_of(&found), "Gr=C3=BC=C3=9Fe=20=\nB=C3=B8b=\n\n");
}

#[test]
fn a_subject_with_merge_tags_has_its_prefix_once_and_no_line_breaks() {
    let tagged = |list: &mut List| {
        with_tags(list);
        list.subject_prefix = "[news]".into();
        list.merge_tags_default_name = "you".into();
    };
    let found = copy(tagged, "From: a@x.org\nSubject: for $EMAIL\n\nhi\n");
    assert_eq!(header_of(&found, "Subject"), "Subject: [news] for bob@y.org");
    let found = copy(tagged, "From: a@x.org\nSubject: [news] $LIST\n\nhi\n");
    assert_eq!(header_of(&found, "Subject"), "Subject: [news] news");
}

#[test]
fn text_keeps_its_character_set_where_the_footer_fits_it() {
    // An ASCII footer under Japanese text that ends unshifted, as it should.
    let japanese = "Content-Type: text/plain; charset=iso-2022-jp\n\n\u{1b}$B4A;z\u{1b}(B\n";
    check_footer("Bye", japanese, "\u{1b}$B4A;z\u{1b}(B\n\nBye\n");
    check_footer("\u{65e5}\u{672c}", japanese, "\u{1b}$B4A;z\u{1b}(B\n\n\u{1b}$BF|K\\\u{1b}(B\n");
    check_footer("\u{fc}", japanese, "=E6=BC=A2=E5=AD=97\n\n=C3=BC\n");
    let chinese =
        "Content-Type: text/plain; charset=gb18030\nContent-Transfer-Encoding: quoted-printable\n\n=BA=BA\n";
    check_footer("\u{5b57}", chinese, "=BA=BA\n\n=D7=D6\n");
    // UTF-16 is no text that lines can be put under.
    let wide = "Content-Type: text/plain; charset=utf-16\nContent-Transfer-Encoding: base64\n\n//5oAGkA\n";
    check_footer("Bye", wide, "aGkNCg0KQnllDQo=\n");
    let unknown = "Content-Type: text/plain; charset=x-mystery\nContent-Transfer-Encoding: quoted-printable\n\n=BA=BA\n";
    let found = copy(
        |list| list.message_footer = "Bye".into(),
        &format!("From: a@x.org\nMIME-Version: 1.0\n{unknown}"),
    );
    assert!(body_of(&found).contains("quoted-printable\n\n=BA=BA\n\n--=_crier"), "{found}");
    assert!(body_of(&found).contains("\n\nBye\n\n--=_crier"), "{found}");
}

#[test]
fn encodings_that_are_not_sound_are_made_so_with_the_footer() {
    let broken = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n50% of a==b=C\n";
    check_footer("Bye", broken, "50% of a=3D=3Db=3DC\n\nBye\n");
}

#[test]
fn flowed_text_that_ends_in_a_soft_line_is_ended_before_the_footer() {
    let content = "Content-Type: text/plain; format=flowed; delsp=yes\n\nflows \n";
    check_footer("Bye", content, "flows \n\n\nBye\n");
    check_footer("Bye", "Content-Type: text/plain; format=flowed\n\nhi\n-- \n", "hi\n-- \n\nBye\n");
}

#[test]
fn a_prefix_is_set_literally_and_old_subjects_are_read() {
    check_subject("[a  b] ", "Subject: Tea", "Subject: [a  b] Tea");
    let long = format!("[{}]", "prefix ".repeat(12).trim());
    let subject = copy(|list| list.subject_prefix.clone_from(&long), "From: a@x.org\nSubject: Tea\n\nhi\n");
    assert!(header_of(&subject, "Subject").lines().all(|line| line.len() <= 78), "{subject}");
    let raw = [&b"From: a@x.org\r\nSubject: Gr\xfc\xdfe\r\n\r\nhi\r\n"[..]].concat();
    let mut list =
        List::new(ListId(1), AccountId(1), ListName::parse("news").unwrap(), Timestamp::from_ms(0));
    list.subject_prefix = "[n]".into();
    let address = EmailAddress::parse("news@example.org").unwrap();
    let mut out = Vec::new();
    let context = context_of(&list, &address);
    rewrite(&parse(raw).unwrap(), &context).render(&PERSONAL, &mut out);
    let out = String::from_utf8(out).unwrap();
    assert!(out.contains("Subject: =?utf-8?B?W25dIEdyw7zDn2U=?=\r\n"), "{out}");
}

#[test]
fn what_was_changed_is_recorded() {
    let mut list =
        List::new(ListId(1), AccountId(1), ListName::parse("news").unwrap(), Timestamp::from_ms(0));
    list.strip_attachments = true;
    list.message_footer = "Bye \u{fc}".into();
    list.subject_prefix = "[n]".into();
    let address = EmailAddress::parse("news@example.org").unwrap();
    let inbound = parse(TEXT_PICTURE_TEXT.replace('\n', "\r\n").into_bytes()).unwrap();
    let changes: Vec<String> =
        rewrite(&inbound, &context_of(&list, &address)).changes.iter().map(ToString::to_string).collect();
    assert_eq!(
        changes,
        [
            "footer: text/plain",
            "encoded anew: text/plain",
            "Attachment removed: a.png (image/png, 1 KB)",
            "subject prefix",
            "header added: Date",
        ]
    );
}
