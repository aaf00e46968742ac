//! Recognizes and reads the lines that separate the messages of a mailbox: `From ada@x.org Mon Jan  1 00:00:00 2001`.
//!
//! Every program writes the date a little differently, and some leave it out.

use crate::clock::Timestamp;

/// How a line begins that separates messages.
pub(super) const FROM: &[u8] = b"From ";
/// Octets of the longest line that may be a separator.
pub(super) const LINE_BYTES_MAX: usize = 1000;

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
/// Header fields that stand first in mails.
const MAIL_FIELDS: [&[u8]; 14] = [
    b"content-type",
    b"date",
    b"delivered-to",
    b"from",
    b"message-id",
    b"mime-version",
    b"organization",
    b"received",
    b"reply-to",
    b"return-path",
    b"sender",
    b"status",
    b"subject",
    b"to",
];
const WEEKDAYS: [&str; 7] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];

/// The facts of a line that separates messages.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Separator {
    /// The envelope sender as it stands there; pipermail writes ` at ` for the `@`.
    pub sender: String,
    /// When the message was delivered.
    pub time: Option<Timestamp>,
}

impl Separator {
    /// Reads a line that begins with `From `.
    pub(super) fn parse(line: &[u8]) -> Separator {
        let text = String::from_utf8_lossy(line.get(FROM.len()..).unwrap_or_default());
        let words: Vec<&str> = text.split_whitespace().collect();
        let start = (0..words.len()).find(|start| Date::read(&words[*start..]).is_some());
        let time = start.and_then(|start| Date::read(&words[start..])).and_then(|date| date.time());
        Separator { sender: words[..start.unwrap_or(words.len())].join(" "), time }
    }
}

/// Whether a line separates messages, by the lines around it: whether the one before is blank or missing, and the one
/// after, if there is one.
pub(super) fn is_separator(after_blank: bool, line: &[u8], next: Option<&[u8]>) -> bool {
    if LINE_BYTES_MAX <= line.len() || !line.starts_with(FROM) {
        return false;
    }
    let begins_header = next.is_some_and(|next| is_header_field(next) || next.starts_with(b">From "));
    if !after_blank && !begins_header {
        return false;
    }
    // Mozilla's mark, which names nobody: some of its files have neither a date nor an empty line before it.
    if line.trim_ascii_end() == b"From -" && next.is_some_and(is_mail_field) {
        return true;
    }
    let Separator { sender, time } = Separator::parse(line);
    let is_dated = time.is_some();
    // A line of prose has more than one word, and no date; a line without a date has a sender.
    let names_sender = !sender.contains(' ') && (sender.contains('@') || !sender.contains([':', ',']));
    is_dated || (after_blank && begins_header && names_sender)
}

/// Whether a line may separate messages although it is not taken for that: a header seems to follow, but no empty line
/// stands before it.
pub(super) fn is_doubtful(line: &[u8], next: Option<&[u8]>) -> bool {
    line.len() < LINE_BYTES_MAX && next.is_some_and(is_mail_field) && is_separator(true, line, next)
}

/// Whether a line is the first one of a header field that mails begin with.
fn is_mail_field(line: &[u8]) -> bool {
    let name = line.split(|byte| *byte == b':').next().unwrap_or_default().to_ascii_lowercase();
    is_header_field(line) && (MAIL_FIELDS.contains(&name.as_slice()) || name.starts_with(b"x-"))
}

/// Whether a line is the first one of a header field.
pub(super) fn is_header_field(line: &[u8]) -> bool {
    let name = line.iter().take_while(|byte| (33..127).contains(*byte) && **byte != b':').count();
    0 < name && line.get(name) == Some(&b':')
}

/// A date as separators have it: `Mon Jan  1 00:00:00 2001`, or in the order of RFC 5322, each with a zone or without.
#[derive(Debug, Default)]
struct Date<'a> {
    weekday: Option<&'a str>,
    year: Option<u16>,
    month: Option<usize>,
    day: Option<u8>,
    clock: Option<(u8, u8, u8)>,
    /// The offset of the zone, `+01:00`.
    zone: Option<String>,
}

impl<'a> Date<'a> {
    /// Reads words that are a date and nothing else, but for the path of UUCP behind it.
    fn read(words: &[&'a str]) -> Option<Date<'a>> {
        let mut date = Date::default();
        for (place, word) in words.iter().enumerate() {
            if *word == "remote" && words.get(place + 1) == Some(&"from") {
                break;
            }
            date.take(word)?;
        }
        let is_whole =
            date.month.is_some() && date.day.is_some() && date.clock.is_some() && date.year.is_some();
        is_whole.then_some(date)
    }

    fn take(&mut self, word: &'a str) -> Option<()> {
        let plain = word.trim_end_matches(',');
        let short = plain.get(..3).unwrap_or_default().to_ascii_lowercase();
        let is_number = !plain.is_empty() && plain.bytes().all(|byte| byte.is_ascii_digit());
        if let Some(month) = MONTHS.iter().position(|month| *month == short && plain.len() == 3) {
            put(&mut self.month, month + 1)
        } else if WEEKDAYS.contains(&short.as_str()) && plain.len() == 3 {
            put(&mut self.weekday, plain)
        } else if is_number && plain.len() <= 2 {
            put(&mut self.day, plain.parse().ok().filter(|day| (1..=31).contains(day))?)
        } else if is_number && plain.len() == 4 {
            put(&mut self.year, plain.parse().ok()?)
        } else if plain.contains(':') {
            put(&mut self.clock, clock(plain)?)
        } else if self.clock.is_some() && !is_number {
            put(&mut self.zone, zone(plain)?)
        } else {
            None
        }
    }

    fn time(&self) -> Option<Timestamp> {
        let (hour, minute, second) = self.clock?;
        let zone = self.zone.as_deref().unwrap_or("Z");
        let (year, month, day) = (self.year?, self.month?, self.day?);
        // A leap second counts as the one before it.
        let second = second.min(59);
        Timestamp::parse_rfc3339(&format!(
            "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}{zone}"
        ))
    }
}

/// Sets a value that was not there yet.
fn put<T>(place: &mut Option<T>, value: T) -> Option<()> {
    let is_first = place.is_none();
    *place = Some(value);
    is_first.then_some(())
}

/// `15:04` or `15:04:05`.
fn clock(text: &str) -> Option<(u8, u8, u8)> {
    let mut parts = text.split(':').map(|part| part.parse::<u8>().ok().filter(|_| part.len() <= 2));
    let (hour, minute) = (parts.next()??, parts.next()??);
    let second = parts.next().unwrap_or(Some(0))?;
    (parts.next().is_none() && hour < 24 && minute < 60 && second <= 60).then_some((hour, minute, second))
}

/// The offset of a zone, `+0100` or `EST`. The names of other zones are not unique, and count as UTC.
fn zone(text: &str) -> Option<String> {
    if let Some(digits) = text.strip_prefix(['+', '-']) {
        let (hours, minutes) = digits.split_at_checked(2)?;
        let is_sound = digits.len() == 4
            && hours.parse::<u8>().is_ok_and(|hours| hours < 24)
            && minutes.parse::<u8>().is_ok_and(|minutes| minutes < 60);
        return is_sound.then(|| format!("{}{hours}:{minutes}", &text[..1]));
    }
    let is_name = (1..=5).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_uppercase());
    let offset = match text {
        "EDT" => "-04:00",
        "EST" | "CDT" => "-05:00",
        "CST" | "MDT" => "-06:00",
        "MST" | "PDT" => "-07:00",
        "PST" => "-08:00",
        "MET" | "CET" => "+01:00",
        "MEST" | "CEST" => "+02:00",
        _ => "Z",
    };
    is_name.then(|| offset.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, sender: &str, time: Option<&str>) {
        let found = Separator::parse(line.as_bytes());
        let shown = found.time.map(Timestamp::rfc3339);
        assert_eq!((found.sender.as_str(), shown.as_deref()), (sender, time), "{line}");
    }

    #[test]
    fn dates_of_every_program_are_read() {
        let new_year = Some("2001-01-01T15:04:05Z");
        check("From a@x.org Mon Jan  1 15:04:05 2001", "a@x.org", new_year);
        check("From a@x.org  Mon Jan 1 16:04:05 2001 +0100\r", "a@x.org", new_year);
        check("From 1234@xxx Mon Jan 01 15:04:05 +0000 2001", "1234@xxx", new_year);
        check("From a@x.org Mon Jan  1 10:04:05 EST 2001", "a@x.org", new_year);
        check("From a@x.org Mon, 1 Jan 2001 15:04:05 +0000", "a@x.org", new_year);
        check("From ada at x.org  Mon Jan  1 15:04:05 2001", "ada at x.org", new_year);
        check("From a!b Mon Jan  1 15:04:05 2001 remote from c", "a!b", new_year);
        check("From - Mon Jan  1 15:04 2001", "-", Some("2001-01-01T15:04:00Z"));
        check("From  Mon Jan  1 15:04:05 2001", "", new_year);
        check("From MAILER-DAEMON", "MAILER-DAEMON", None);
        check("From a@x.org Mon Feb 30 15:04:05 2001", "a@x.org", None);
        check("From a@x.org Mon Jan 1 25:04:05 2001", "a@x.org Mon Jan 1 25:04:05 2001", None);
    }

    #[test]
    fn prose_separates_no_messages() {
        let dated: &[u8] = b"From a@x.org Mon Jan  1 15:04:05 2001";
        assert!(is_separator(true, dated, Some(b"Subject: a")));
        assert!(is_separator(true, dated, Some(b"")));
        assert!(is_separator(true, dated, None));
        assert!(is_separator(false, dated, Some(b"Subject: a")), "some writers forget the blank line");
        assert!(!is_separator(false, dated, Some(b"and so on")));
        assert!(is_separator(true, b"From a@x.org", Some(b"Subject: a")));
        assert!(is_separator(true, b"From ???@???", Some(b"Subject: a")));
        assert!(!is_separator(true, b"From a@x.org", Some(b"hello")));
        assert!(!is_separator(false, b"From a@x.org", Some(b"Subject: a")));
        assert!(is_separator(false, b"From - ", Some(b"X-Mozilla-Status: 0001")));
        assert!(is_separator(false, b"From -", Some(b"Return-Path: <a@x.org>")));
        assert!(!is_separator(false, b"From -", Some(b"Note: it rains")));
        assert!(!is_separator(false, b"From - to -", Some(b"Subject: a")));
        assert!(is_doubtful(b"From a@x.org", Some(b"Subject: a")));
        assert!(!is_doubtful(b"From a@x.org", Some(b"Note: it rains")));
        assert!(!is_separator(true, b"From time to time", Some(b"Note: it rains")));
        assert!(!is_separator(true, b"From May 1 2001 at 10:00 on it rained", Some(b"")));
        assert!(!is_separator(true, b"From: a@x.org", Some(b"Subject: a")));
    }
}
