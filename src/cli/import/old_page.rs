//! Reads a page of a message in an archive of pipermail: whose page it is.

use percent_encoding::percent_decode_str;

use crate::clock::Timestamp;
use crate::mail::html::{Tag, Token, resolved, tokens};

/// The facts on a page of a message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct OldPage {
    /// The Message-ID of the message, without angle brackets, if the page names it.
    pub(super) message_id: Option<String>,
    /// The subject.
    pub(super) subject: String,
    /// The name of the author.
    pub(super) author: String,
    /// The address of the author; blank if there is none.
    pub(super) author_address: String,
    /// When it was written, by the clock of some zone, as if that were UTC.
    pub(super) written: Option<Timestamp>,
}

/// The element whose text is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum In {
    Nothing,
    Subject,
    Author,
    Address,
    Date,
}

/// Reads a page. The message itself, which begins with a line across the page, is not looked at: it may have any links.
pub(super) fn read(html: &str) -> OldPage {
    let (mut page, mut within, mut date) = (OldPage::default(), In::Nothing, String::new());
    for token in tokens(html) {
        match token {
            Token::Open(tag) => {
                if matches!(tag.name.as_ref(), "link" | "a") && page.message_id.is_none() {
                    page.message_id = answered(&tag);
                }
                within = match tag.name.as_ref() {
                    "h1" if page.subject.is_empty() => In::Subject,
                    "b" if page.author.is_empty() => In::Author,
                    "a" if page.author_address.is_empty() && is_mailto(&tag) => In::Address,
                    "i" if date.is_empty() => In::Date,
                    "hr" | "pre" => break,
                    _ => within,
                };
            }
            Token::Close(name) if matches!(name.as_ref(), "h1" | "b" | "a" | "i") => within = In::Nothing,
            Token::Text(text) => {
                let place = match within {
                    In::Subject => &mut page.subject,
                    In::Author => &mut page.author,
                    In::Address => &mut page.author_address,
                    In::Date => &mut date,
                    In::Nothing => continue,
                };
                place.push_str(&resolved(text));
            }
            Token::Close(_) | Token::Raw(_) | Token::Unseen { .. } => {}
        }
    }
    let OldPage { message_id, subject, author, author_address, written: _ } = page;
    let address = words(&author_address).replacen(" at ", "@", 1);
    OldPage {
        message_id,
        subject: words(&subject),
        author: words(&author),
        // What has no sign of an address is a word for it.
        author_address: if address.contains('@') && !address.contains(' ') { address } else { String::new() },
        written: moment(&date),
    }
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_mailto(tag: &Tag<'_>) -> bool {
    tag.get("href").is_some_and(|href| href.to_ascii_lowercase().starts_with("mailto:"))
}

/// The Message-ID that a link to answer a message names.
fn answered(tag: &Tag<'_>) -> Option<String> {
    let href = tag.get("href")?;
    let (_, query) = href.split_once('?').filter(|_| is_mailto(tag))?;
    let mut fields = query.split('&').filter_map(|field| field.split_once('='));
    let (_, value) = fields.find(|(name, _)| name.eq_ignore_ascii_case("in-reply-to"))?;
    let value = percent_decode_str(value).decode_utf8_lossy();
    let value = value.trim();
    let value = value.strip_prefix('<').unwrap_or(value);
    let value = value.strip_suffix('>').unwrap_or(value).trim();
    (!value.is_empty()).then(|| value.to_owned())
}

/// The time of `Mon Apr  6 10:23:11 CEST 2015`, whatever its zone is called.
fn moment(text: &str) -> Option<Timestamp> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let parts: Vec<&str> = text.split_whitespace().collect();
    let clock = parts.iter().position(|part| part.bytes().filter(|byte| *byte == b':').count() == 2)?;
    let day: u8 = parts.get(clock.checked_sub(1)?)?.parse().ok()?;
    let name = parts.get(clock.checked_sub(2)?)?.to_lowercase();
    let month = MONTHS.iter().position(|month| name.starts_with(month))? + 1;
    let year = parts.last().filter(|year| year.len() == 4)?;
    Timestamp::parse_rfc3339(&format!("{year}-{month:02}-{day:02}T{}Z", parts[clock]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = r##"<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN">
<HTML>
 <HEAD>
   <TITLE> [Choir] Tea &amp; cake
   </TITLE>
   <LINK REL="Index" HREF="index.html" >
   <LINK REL="made" HREF="mailto:choir%40lists.old.example?Subject=Re%3A%20%5BChoir%5D%20Tea&In-Reply-To=%3Ca%2Bb%25c%40mail.example%3E">
   <META NAME="robots" CONTENT="index,nofollow">
 </HEAD>
 <BODY BGCOLOR="#ffffff">
   <H1>[Choir] Tea &amp; cake</H1>
    <B>Ada L&#246;wen</B>
    <A HREF="mailto:choir%40lists.old.example?Subject=Re%3A%20%5BChoir%5D%20Tea&In-Reply-To=%3Ca%2Bb%25c%40mail.example%3E"
       TITLE="[Choir] Tea &amp; cake">ada at example.org
       </A><BR>
    <I>Mon Apr  6 10:23:11 CEST 2015</I>
    <P><UL>
        <LI>Previous message: <A HREF="000001.html">before</A></li>
       </UL>
    <HR>
<!--beginarticle-->
<PRE>See <A HREF="mailto:x%40y?In-Reply-To=%3Cother%40mail.example%3E">x</A> <B>bold</B> <I>Tue Apr 7 10:00:00 2015</I></PRE>
"##;

    #[test]
    fn a_page_names_its_message() {
        let page = read(PAGE);
        assert_eq!(page.message_id.as_deref(), Some("a+b%c@mail.example"));
        assert_eq!((page.subject.as_str(), page.author.as_str()), ("[Choir] Tea & cake", "Ada Löwen"));
        assert_eq!(page.author_address, "ada@example.org");
        assert_eq!(page.written.unwrap().rfc3339(), "2015-04-06T10:23:11Z");
    }

    #[test]
    fn a_page_that_names_none_is_known_by_the_rest() {
        let page = read(&PAGE.replace("&In-Reply-To=%3Ca%2Bb%25c%40mail.example%3E", "&In-Reply-To="));
        assert_eq!(page.message_id, None);
        assert_eq!(page.written.unwrap().rfc3339(), "2015-04-06T10:23:11Z");
        assert_eq!(read("<html>nothing").written, None);
    }
}
