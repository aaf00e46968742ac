//! The header of what members receive: what is kept, changed, removed and added.

use mail_parser::{ContentType, HeaderValue};

use super::content::{Label, PartSegment};
use super::form::{SharedForm, Subject};
use super::header_footer::HeaderFooter;
use super::merge_tags::open_words;
use super::plan::{Plan, Root};
use super::slot::{Context, Slot};
use super::{RewriteContext, made_message_id};
use crate::mail::header::{self, Field, Form};
use crate::mail::mime::{Encoding, Part};
use crate::mail::parse::{Inbound, Mailbox};
use crate::model::account::Subscriptions;
use crate::model::list::OriginalSenderMode;
use crate::model::{Change, Place};

/// Characters of an author's name that are shown in a rewritten From.
const NAME_CHARS_MAX: usize = 200;
/// Octets of the first line of a subject that a prefix is put on (RFC 5322 2.1.1).
const SUBJECT_LINE_CHARS: usize = 78;
/// Fields that are ours to set, or that a list must not pass on. `list-*` are removed beside them.
const REPLACED: [&str; 10] = [
    "archived-at",
    "bcc",
    "cfbl-address",
    "cfbl-feedback-id",
    "disposition-notification-to",
    "feedback-id",
    "precedence",
    "return-path",
    "return-receipt-to",
    "sender",
];
/// Fields of the way in, which may name an author who is to be hidden.
const WAY_IN: [&str; 6] = [
    "received",
    "authentication-results",
    "received-spf",
    "arc-authentication-results",
    "arc-message-signature",
    "arc-seal",
];

/// A field that is written instead of, or beside, those of the original.
struct NewField {
    name: &'static str,
    /// The whole field with its line end.
    bytes: Vec<u8>,
}

impl NewField {
    fn text(name: &'static str, value: &str) -> NewField {
        let mut bytes = Vec::new();
        header::write_text(&mut bytes, name, value);
        NewField { name, bytes }
    }

    fn words(name: &'static str, words: &[String]) -> NewField {
        let mut bytes = format!("{name}:").into_bytes();
        header::write_words(&mut bytes, name.len() + 1, words);
        bytes.extend_from_slice(b"\r\n");
        NewField { name, bytes }
    }

    /// Links in the order of preference (RFC 2369 2); `None` if there are none.
    fn links(name: &'static str, links: impl IntoIterator<Item = String>) -> Option<NewField> {
        let mut words: Vec<String> = links.into_iter().map(|link| format!("<{link}>,")).collect();
        // No comma behind the last.
        words.last_mut()?.pop();
        Some(NewField::words(name, &words))
    }

    fn mailboxes(name: &'static str, mailboxes: &[(&str, &str)]) -> NewField {
        let mut bytes = Vec::new();
        header::write_mailboxes(&mut bytes, name, mailboxes);
        NewField { name, bytes }
    }
}

/// Writes the header and the empty line behind it.
pub(super) fn write(inbound: &Inbound, context: &RewriteContext<'_>, plan: &Plan, form: &mut SharedForm) {
    let subject = personal_subject(inbound, context);
    let replaced = replacements(inbound, context, plan, subject.is_some(), &mut form.changes);
    let added = additions(context);
    let personal: &[&str] = if context.is_one_click() {
        &["List-Unsubscribe", "List-Unsubscribe-Post"]
    } else {
        &["List-Unsubscribe"]
    };
    let names_of =
        |fields: &[NewField]| fields.iter().map(|field| field.name.to_ascii_lowercase()).collect::<Vec<_>>();
    let mut touched = names_of(&replaced);
    touched.extend(names_of(&added));
    touched.extend(personal.iter().map(|name| name.to_ascii_lowercase()));
    touched.extend(["cfbl-address".to_owned()]);
    touched.extend(subject.is_some().then(|| "subject".to_owned()));
    touched.extend(dropped(inbound, context, form));

    form.hides_author = context.hides_author(inbound);
    form.is_of_others = !context.from_is_ours && !context.rewrites_from(inbound) && inbound.from.is_some();

    let described = matches!(plan.root, Root::Described(_));
    let mut written = vec![false; replaced.len()];
    for field in inbound.fields() {
        let name = field.folded_name();
        if let Some(index) = replaced.iter().position(|new| new.name.eq_ignore_ascii_case(&name)) {
            if !std::mem::replace(&mut written[index], true) {
                form.push_made(&replaced[index].bytes);
            }
        } else if name == "dkim-signature" && is_broken(&field, &touched, plan.changes_body()) {
            form.changes.push(Change::Removed("DKIM-Signature".to_owned()));
        } else if !(is_dropped(&name, &field, inbound, context)
            || (described && name.starts_with("content-"))
            || (subject.is_some() && name == "subject"))
        {
            // Lines that are no field are never reached. One that old mail may have is written as it should be:
            // without it, a message could lose its From.
            let value_start = if field.has_blank_before_colon() { field.colon() } else { field.start };
            if field.start < value_start {
                form.push_made(field.name());
            }
            for line in field.sound_lines() {
                form.push_original(line.start.max(value_start)..line.end);
            }
            form.end_header_line(&field);
            if name == "dkim-signature" {
                form.kept_signers.push(field.tag("d=").to_ascii_lowercase());
            }
        }
    }
    for (new, written) in replaced.iter().zip(written) {
        if !written {
            form.push_made(&new.bytes);
        }
    }
    if let Root::Described(fields) = &plan.root {
        form.push_made(fields);
    }
    if let Some(subject) = subject {
        form.changes.push(Change::MergeTags("Subject".to_owned()));
        form.push_subject(subject);
    }
    for new in &added {
        form.push_made(&new.bytes);
    }
    write_personal(context, form);
    form.push_made(b"\r\n");
}

/// The names of all fields that are removed.
fn dropped(inbound: &Inbound, context: &RewriteContext<'_>, form: &mut SharedForm) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for field in inbound.fields() {
        let name = field.folded_name();
        if is_dropped(&name, &field, inbound, context) && !names.contains(&name) {
            form.changes.push(Change::Removed(String::from_utf8_lossy(field.name()).into_owned()));
            names.push(name);
        }
    }
    if header::has_stray_lines(&inbound.raw[inbound.parts[0].header.clone()]) {
        form.changes.push(Change::Removed("a line that is no field".to_owned()));
    }
    names
}

fn is_dropped(name: &str, field: &Field<'_>, inbound: &Inbound, context: &RewriteContext<'_>) -> bool {
    if REPLACED.contains(&name) || name.starts_with("list-") {
        return true;
    }
    let hides = context.hides_author(inbound);
    let names_author = || {
        let Some(from) = &inbound.from else { return false };
        let author = from.address.as_str().to_lowercase();
        name != "from" && name != "subject" && field.text().to_lowercase().contains(&author)
    };
    hides && (WAY_IN.contains(&name) || names_author())
}

/// Whether a signature covers something that is changed (RFC 6376 3.5).
fn is_broken(field: &Field<'_>, touched: &[String], changes_body: bool) -> bool {
    if changes_body {
        return true;
    }
    field.tag("h=").split(':').any(|name| touched.iter().any(|touched| touched.eq_ignore_ascii_case(name)))
}

/// Fields that take the place of the original's, or are added where it has none.
fn replacements(
    inbound: &Inbound,
    context: &RewriteContext<'_>,
    plan: &Plan,
    has_personal_subject: bool,
    changes: &mut Vec<Change>,
) -> Vec<NewField> {
    let mut new = Vec::new();
    if prefix(inbound, context).is_some() {
        changes.push(Change::SubjectPrefix);
    }
    if !has_personal_subject {
        new.extend(subject(inbound, context));
    }
    let rewrites_from = context.rewrites_from(inbound);
    if rewrites_from || inbound.from.is_none() {
        changes.push(Change::FromRewritten);
        new.push(rewritten_from(inbound, context));
    }
    new.extend(reply_to(inbound, context, rewrites_from).inspect(|_| changes.push(Change::ReplyTo)));
    if rewrites_from && context.list.original_sender_mode == OriginalSenderMode::Cc {
        new.extend(cc_with_author(inbound));
    }
    let has = |name: &str| inbound.fields().any(|field| field.is(name));
    // One that says nothing is replaced: the archive knows the message by the same id as its members.
    if inbound.message_id.is_none() {
        changes.push(Change::Added("Message-ID".to_owned()));
        let id = made_message_id(context.message, context.accepted, context.list_address.domain());
        new.push(NewField::words("Message-ID", &[format!("<{id}>")]));
    }
    if !has("Date") {
        changes.push(Change::Added("Date".to_owned()));
        new.push(NewField::words("Date", &[context.accepted.rfc2822()]));
    }
    if let Root::Relabelled(label) = &plan.root {
        new.extend(content_fields(inbound, &inbound.parts[0], *label));
    }
    if !matches!(plan.root, Root::Kept) && !has("MIME-Version") {
        new.push(NewField::words("MIME-Version", &["1.0".to_owned()]));
    }
    new
}

/// The subject of the message, decoded.
fn decoded_subject(inbound: &Inbound) -> String {
    let field = inbound.fields().find(|field| field.is("Subject"));
    header::one_line(&field.map(|field| field.decoded(inbound.header_hint())).unwrap_or_default())
}

/// Whether a decoded text has a character that could not be read, so that the original must stand for it.
fn is_damaged(text: &str) -> bool {
    text.contains(char::REPLACEMENT_CHARACTER)
}

/// The list's prefix with the blank behind it, where the subject has to get it: not if it holds it already.
fn prefix(inbound: &Inbound, context: &RewriteContext<'_>) -> Option<String> {
    let literal: String = context.list.subject_prefix.chars().filter(|c| !c.is_control()).collect();
    let literal = literal.trim_start();
    let joined = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let wanted = joined(literal);
    if wanted.is_empty() || joined(&decoded_subject(inbound)).contains(&wanted) {
        return None;
    }
    Some(if literal.ends_with(' ') { literal.to_owned() } else { format!("{literal} ") })
}

/// The subject with the prefix in front of everything; none where nothing is to be put there.
fn subject(inbound: &Inbound, context: &RewriteContext<'_>) -> Option<NewField> {
    let prefix = prefix(inbound, context)?;
    let decoded = decoded_subject(inbound);
    let original = inbound.fields().find(|field| field.is("Subject")).map_or(&b""[..], |field| field.value());
    let original = original.trim_ascii();
    let is_short = prefix.len() + "Subject: ".len() <= SUBJECT_LINE_CHARS;
    if is_damaged(&decoded) {
        return Some(before_damaged(&prefix, original));
    }
    if !header::is_plain(&prefix) || !is_short || !original.is_ascii() || decoded.is_empty() {
        return Some(NewField::text("Subject", format!("{prefix}{decoded}").trim_end()));
    }
    // Its own folding and encoded words are kept; the blank between is where the line may be folded.
    let first_line = original.split(|byte| *byte == b'\r').next().map_or(0, <[u8]>::len);
    let mut bytes = format!("Subject: {prefix}").into_bytes();
    if SUBJECT_LINE_CHARS < bytes.len() + first_line {
        bytes.truncate(bytes.len() - 1);
        bytes.extend_from_slice(b"\r\n ");
    }
    bytes.extend_from_slice(original);
    bytes.extend_from_slice(b"\r\n");
    Some(NewField { name: "Subject", bytes })
}

/// A prefix before a subject that cannot be read, which stays as it is.
fn before_damaged(prefix: &str, original: &[u8]) -> NewField {
    let words = if header::is_plain(prefix) {
        vec![prefix.trim_end().to_owned()]
    } else {
        // The blank between two encoded words is no text.
        header::encoded_words(if original.starts_with(b"=?") { prefix } else { prefix.trim_end() })
    };
    let mut bytes = b"Subject:".to_vec();
    header::write_words(&mut bytes, "Subject:".len(), &words);
    bytes.extend_from_slice(b"\r\n ");
    bytes.extend_from_slice(original);
    bytes.extend_from_slice(b"\r\n");
    NewField { name: "Subject", bytes }
}

/// The subject with its merge tags; none where the list fills in none, or there are none.
fn personal_subject(inbound: &Inbound, context: &RewriteContext<'_>) -> Option<Subject> {
    if !context.fills_merge_tags() {
        return None;
    }
    let decoded = decoded_subject(inbound);
    let open = open_words(&[&decoded], false);
    let filled = HeaderFooter::of_content(&decoded, false, &open[0], inbound, context);
    if !filled.differs_from(&decoded) || is_damaged(&decoded) {
        return None;
    }
    let mut subject = HeaderFooter::of_text(&prefix(inbound, context).unwrap_or_default());
    subject.append(&filled);
    Some(Subject(subject.text_segments))
}

/// `"Name (via L list)" <L@D>`.
fn rewritten_from(inbound: &Inbound, context: &RewriteContext<'_>) -> NewField {
    let address = context.address();
    let via = format!("(via {} list)", context.list.name);
    let hides = context.list.original_sender_mode == OriginalSenderMode::Hide;
    let shown = match &inbound.from {
        Some(from) if is_damaged(&from.name) => {
            if let Some(field) = damaged_from(inbound, &via, &address).filter(|_| !hides) {
                return field;
            }
            String::new()
        }
        Some(from) => match (from.name.trim(), hides) {
            ("", false) => from.address.local().to_owned(),
            // A name that is the address would show what is to be hidden.
            (name, true) if name.is_empty() || name.contains('@') => String::new(),
            (name, _) => name.to_owned(),
        },
        None => {
            let name = nameless_sender(inbound).filter(|name| !(hides && name.contains('@')));
            let Some(name) = name else {
                return NewField::mailboxes("From", &[(context.list.title(), &address)]);
            };
            name
        }
    };
    let name: String = shown.chars().take(NAME_CHARS_MAX).collect();
    let phrase = if name.is_empty() { via } else { format!("{name} {via}") };
    NewField::mailboxes("From", &[(&phrase, &address)])
}

/// A name that cannot be read as it stands before the author's address, beside the list's name.
fn damaged_from(inbound: &Inbound, via: &str, address: &str) -> Option<NewField> {
    let field = inbound.fields().find(|field| field.is("From"))?;
    let value = field.value();
    let name = value[..memchr::memrchr(b'<', value)?].trim_ascii();
    let mut bytes = b"From: ".to_vec();
    bytes.extend_from_slice(name);
    bytes.extend_from_slice(format!("\r\n \"{via}\" <{address}>\r\n").as_bytes());
    (!name.is_empty() && !name.contains(&b'<')).then_some(NewField { name: "From", bytes })
}

/// The From field of an author without an address.
fn nameless_sender(inbound: &Inbound) -> Option<String> {
    let text = inbound.sender_text();
    let text = text.replace("<>", "");
    let name = text.trim_matches(['"', ' ', '<', '>', ',', ';']).to_owned();
    (!name.is_empty() && !is_damaged(&name)).then_some(name)
}

/// The author's name where it can be read, and address.
fn mailbox(author: &Mailbox) -> (&str, &str) {
    let name = if is_damaged(&author.name) { "" } else { author.name.as_str() };
    (name, author.address.as_str())
}

/// The list's `reply_to` first, the author beside it where the mode says so (`spec/mail.md` 11).
fn reply_to(inbound: &Inbound, context: &RewriteContext<'_>, rewrites_from: bool) -> Option<NewField> {
    let wants_author = rewrites_from && context.list.original_sender_mode == OriginalSenderMode::ReplyTo;
    let author = inbound.from.as_ref().filter(|_| wants_author);
    let author = author.map(mailbox);
    if let Some(reply_to) = &context.list.reply_to {
        let mailboxes: Vec<(&str, &str)> = std::iter::once(("", reply_to.as_str()))
            .chain(author.filter(|(_, a)| *a != reply_to.as_str()))
            .collect();
        return Some(NewField::mailboxes("Reply-To", &mailboxes));
    }
    let has_own = inbound.fields().any(|field| field.is("Reply-To") && !field.text().is_empty());
    author.filter(|_| !has_own).map(|author| NewField::mailboxes("Reply-To", &[author]))
}

/// Cc with the author behind those who are there.
fn cc_with_author(inbound: &Inbound) -> Option<NewField> {
    let from = inbound.from.as_ref()?;
    let author = [mailbox(from)];
    let Some(field) = inbound.fields().find(|field| field.is("Cc") && !field.text().is_empty()) else {
        return Some(NewField::mailboxes("Cc", &author));
    };
    if field.text().to_lowercase().contains(&from.address.as_str().to_lowercase()) {
        return None;
    }
    let mut bytes = b"Cc: ".to_vec();
    bytes.extend_from_slice(field.value().trim_ascii().trim_ascii_end());
    bytes.extend_from_slice(b",\r\n ");
    let mut last = Vec::new();
    header::write_mailboxes(&mut last, "", &author);
    bytes.extend_from_slice(last.strip_prefix(b": ").unwrap_or(&last));
    Some(NewField { name: "Cc", bytes })
}

/// The fields of the list that are the same in all copies.
fn additions(context: &RewriteContext<'_>) -> Vec<NewField> {
    let RewriteContext { list, account, .. } = context;
    let mut list_id =
        if list.description.is_empty() { Vec::new() } else { header::phrase(&list.description) };
    list_id.push(format!("<{}>", context.list_id()));
    let mailto = |suffix: &str| format!("mailto:{}", context.address_for(suffix));
    let links = context.links;
    let mut new = vec![NewField::words("List-Id", &list_id)];
    new.extend(NewField::links("List-Post", [format!("mailto:{}", context.address())]));
    new.extend(NewField::links("List-Help", context.mailto(Place::HelpAddress, &["help"])));
    new.extend(NewField::links("List-Owner", [mailto("owner")]));
    new.extend(NewField::links("List-Subscribe", context.ways_to_join()));
    new.extend(NewField::links("List-Archive", links.archive(list)));
    new.extend(NewField::links("Archived-At", context.permalink()));
    if !context.from_is_ours {
        new.push(NewField::words("Sender", &[format!("<{}>", context.address_for("owner"))]));
    }
    new.push(NewField::words("Precedence", &["list".to_owned()]));
    new.push(NewField::words("Feedback-ID", &[format!("{}:{account}:crier", list.name)]));
    new
}

/// The fields that differ from copy to copy; of shared ones, from batch to batch.
fn write_personal(context: &RewriteContext<'_>, form: &mut SharedForm) {
    if context.batched {
        if let Some(field) = NewField::links("List-Unsubscribe", context.ways_to_leave()) {
            form.push_made(&field.bytes);
        }
    } else {
        form.push_made(b"List-Unsubscribe: <");
        form.push_personal(Slot::UnsubscribeUrl, Context::Header);
        // A list that is closed for leaving refuses such mail.
        if context.unsubscriptions != Subscriptions::Closed {
            form.push_made(b">,\r\n <");
            form.push_personal(Slot::UnsubscribeMailto, Context::Header);
        }
        form.push_made(b">\r\n");
    }
    if context.is_one_click() {
        form.push_made(b"List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n");
    }
    form.push_made(b"CFBL-Address: ");
    form.push_personal(Slot::EnvelopeSender, Context::Header);
    form.push_made(b"; report=arf\r\n");
}

/// `Content-Type` and `Content-Transfer-Encoding` of a part that was encoded anew.
fn content_fields(inbound: &Inbound, part: &Part, label: Label) -> Vec<NewField> {
    let encoding = match label.encoding {
        Encoding::SevenBit => "7bit",
        Encoding::EightBit | Encoding::Other => "8bit",
        Encoding::QuotedPrintable => "quoted-printable",
        Encoding::Base64 => "base64",
    };
    let mut new = vec![NewField::words("Content-Transfer-Encoding", &[encoding.to_owned()])];
    if label.utf8 {
        new.push(NewField::words("Content-Type", &content_type_in_utf8(inbound, part)));
    }
    new
}

/// The part's `Content-Type` with all its parameters but the character set.
fn content_type_in_utf8(inbound: &Inbound, part: &Part) -> Vec<String> {
    let mut fields = header::fields(&inbound.raw[part.header.clone()]);
    let parsed = fields.find(|field| field.is("Content-Type")).map(|f| f.parsed(Form::ContentType, None));
    let attributes = match parsed {
        Some(HeaderValue::ContentType(ContentType { attributes: Some(attributes), .. })) => attributes,
        _ => Vec::new(),
    };
    let mut words = vec![format!("{};", part.media_type), "charset=utf-8".to_owned()];
    for attribute in attributes.iter().filter(|attribute| attribute.name != "charset") {
        let is_sound = attribute.name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
            && attribute.value.bytes().all(|byte| (32..127).contains(&byte))
            && attribute.value.len() <= 200;
        if is_sound {
            if let Some(last) = words.last_mut() {
                last.push(';');
            }
            let value = attribute.value.replace('\\', "\\\\").replace('"', "\\\"");
            let is_token = !value.is_empty()
                && value.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
            words.push(if is_token {
                format!("{}={value}", attribute.name)
            } else {
                format!("{}=\"{value}\"", attribute.name)
            });
        }
    }
    words
}

/// The header of an inner part that was encoded anew.
pub(super) fn relabelled(inbound: &Inbound, part: &Part, label: Label) -> Vec<PartSegment> {
    let new = content_fields(inbound, part, label);
    let mut written = vec![false; new.len()];
    let mut segments = Vec::new();
    for field in header::fields(&inbound.raw[part.header.clone()]) {
        match new.iter().position(|new| field.is(new.name)) {
            Some(index) if std::mem::replace(&mut written[index], true) => {}
            Some(index) => segments.push(PartSegment::Made(new[index].bytes.clone())),
            None => push_field(part, &field, &mut segments),
        }
    }
    let missing = new.into_iter().zip(written).filter(|(_, written)| !written);
    segments.extend(missing.map(|(new, _)| PartSegment::Made(new.bytes)));
    segments.push(PartSegment::Made(b"\r\n".to_vec()));
    segments
}

/// The fields of a message that describe its content, as they are.
pub(super) fn content_fields_of(inbound: &Inbound, root: &Part) -> Vec<PartSegment> {
    let mut segments = Vec::new();
    for field in inbound.fields().filter(|field| field.folded_name().starts_with("content-")) {
        push_field(root, &field, &mut segments);
    }
    segments
}

/// A field as it stands in the header of `part`.
fn push_field(part: &Part, field: &Field<'_>, segments: &mut Vec<PartSegment>) {
    let start = part.header.start + field.start;
    segments.push(PartSegment::Original(start..start + field.raw.len()));
    if !field.raw.ends_with(b"\n") {
        segments.push(PartSegment::Made(b"\r\n".to_vec()));
    }
}
