//! Writes the archive of the demo's choir: two years of conversations, in several languages, with files.
//!
//! The conversations stand in `archive/conversations.txt`; what a choir writes every week is put together of sentences.
//! A fixed seed makes the same archive each time. It comes in as the archive of any other program does: by the import.

use std::fmt::Write as _;
use std::time::Duration;

use data_encoding::BASE64;
use jiff::tz::TimeZone;

use super::sample::{self, CHOIR, MEMBERS};
use crate::clock::Timestamp;
use crate::model::List;
use crate::ops::OpError;
use crate::ops::archive::import::reading::{self, MailboxMail};
use crate::ops::archive::import::{self, MESSAGES_PER_STEP};
use crate::service::Core;

/// Conversations: `== days-ago subject`, then messages: `# author parent`, with `q` if the parent is quoted.
const CONVERSATIONS: &str = include_str!("archive/conversations.txt");
const NEWSLETTER: &str = include_str!("archive/newsletter.html");
const PATCH: &str = include_str!("archive/score.patch");
const POSTER: &[u8] = include_bytes!("archive/poster.png");
const PROGRAMME: &[u8] = include_bytes!("archive/programme.pdf");

const DAY: Duration = Duration::from_hours(24);
/// Rehearsals of which the archive knows.
const WEEKS: u32 = 100;
/// Messages of the longest conversation.
const LONG_THREAD: usize = 70;

const PIECES: [&str; 12] = [
    "Fauré, Cantique de Jean Racine",
    "Byrd, Ave verum corpus",
    "Pärt, Da pacem Domine",
    "Brahms, Waldesnacht",
    "Poulenc, Litanies",
    "Hensel, Gartenlieder",
    "Purcell, Hear my prayer",
    "Rheinberger, Abendlied",
    "Josquin, Mille regretz",
    "Holst, Ave Maria",
    "Victoria, O magnum mysterium",
    "a canon that nobody knows",
];
const OPENINGS: [&str; 6] = [
    "On Monday we work on the second half, so please look at it before.",
    "We begin with breathing, and then straight from the top. Bring a pencil.",
    "The hall is cold at the moment: bring something warm, the heating comes on at eight.",
    "We sing in the side room, since the hall is let to the chess club until nine.",
    "Sopranos come at seven, all others at half past.",
    "This time without the piano. Whoever has a tuning fork brings it.",
];
const ANSWERS: [&str; 14] = [
    "I come.",
    "I am away this week, see you the week after.",
    "Half an hour late, the train has its own tempo.",
    "Could somebody bring my folder? It is on the radiator again.",
    "I bring tea.",
    "Is bar 41 with or without the breath? We did both last time.",
    "With. Whoever breathes in 42 buys the cake.",
    "My voice is gone, but I listen and turn pages.",
    "I can take two people from the station.",
    "Can we do the end first? I must leave at nine.",
    "Thank you for the copies!",
    "The key is with Greta.",
    "Room 12 then?",
    "Yes, room 12.",
];
const PLACES: [&str; 8] = [
    "the monastery on the hill",
    "Ghent, where Wim knows a church with eight seconds of echo",
    "the lake, in tents",
    "Kaunas: I have family there, and they sing",
    "the old swimming hall, which is empty in August",
    "Trieste",
    "nowhere, for once, and rest",
    "the village of my grandmother, who is 91 and a bass",
];
const VOICES: [&str; 12] = [
    "I like it. How long is the way?",
    "Too far for a weekend, too near for a week.",
    "Only if there are beds. I am not twenty any more.",
    "I can ask for prices, if three others say yes.",
    "Yes.",
    "The last time we had rain for four days, and it was the best trip that we ever made.",
    "Who cooks?",
    "Can children come along? Mine sing too, in their way.",
    "August is impossible for everybody who has a garden.",
    "I asked: 34 a night, with breakfast, and we may sing in the yard.",
    "That is less than I pay for strings.",
    "Let us vote on Monday, then.",
];

/// Signatures of those who have one.
const SIGNATURES: [(&str, &str); 3] = [
    ("Greta", "Greta Gruber\nAlto, and keeper of the keys"),
    ("Mateo", "Mateo Morales\nhttps://sound.example.net"),
    ("Wim", "Wim Willems\n\"Piano is a dynamic, not an instrument.\""),
];

/// Fills the archive of the list, in jobs of bounded size.
pub(super) async fn fill(core: &Core, list: List) -> Result<(), OpError> {
    let now = core.now();
    let mut neighbour = None;
    let mut mails = mails(now);
    while !mails.is_empty() {
        let rest = mails.split_off(mails.len().min(MESSAGES_PER_STEP));
        let read = reading::read(std::mem::replace(&mut mails, rest), &mut neighbour, now);
        let list = list.clone();
        core.store.write(move |tx| import::store(tx, &list, read)).await?;
    }
    Ok(())
}

/// All messages, the oldest first.
fn mails(now: Timestamp) -> Vec<MailboxMail> {
    let mut archive = Archive { now, mails: Vec::new(), draw: Draw(0x9e37_79b9_7f4a_7c15) };
    archive.conversations();
    archive.rehearsals();
    archive.long_thread();
    archive.files();
    archive.mails.sort_by_key(|(time, _)| *time);
    let mail = |(_, text): (Timestamp, String)| MailboxMail {
        bytes: text.replace('\n', "\r\n").into_bytes(),
        delivered: None,
        sender: String::new(),
    };
    archive.mails.into_iter().map(mail).collect()
}

/// Numbers that look random and are the same each time (xorshift).
struct Draw(u64);

impl Draw {
    /// A number below `end`.
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 33).unwrap_or_default() % end
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }
}

/// A message that was written, as far as replies to it need it.
#[derive(Clone)]
struct Written {
    id: String,
    /// The Message-IDs above it, the first one first.
    above: Vec<String>,
    time: Timestamp,
    author: &'static str,
    text: String,
}

/// The header and the body of a message beside what all messages have.
struct Body {
    fields: String,
    text: String,
}

impl Body {
    fn plain(text: &str) -> Body {
        let fields = "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n".to_owned();
        Body { fields, text: text.to_owned() }
    }
}

struct Archive {
    now: Timestamp,
    mails: Vec<(Timestamp, String)>,
    draw: Draw,
}

impl Archive {
    /// Writes a message; its header says what it replies to.
    fn add(
        &mut self,
        time: Timestamp,
        author: &'static str,
        subject: &str,
        parent: Option<&Written>,
        body: &Body,
    ) -> Written {
        let id = format!("archive.{}@example.net", self.mails.len());
        let surname = MEMBERS.iter().find(|(first, _)| *first == author).map_or("", |(_, surname)| surname);
        let mut above = parent.map(|parent| parent.above.clone()).unwrap_or_default();
        above.extend(parent.map(|parent| parent.id.clone()));
        let prefix = if parent.is_some() { "Re: " } else { "" };
        let mut mail = format!(
            "From: {author} {surname} <{}@example.net>\nTo: {CHOIR}@{}\nSubject: {prefix}{subject}\nDate: {}\n\
             Message-ID: <{id}>\n",
            author.to_lowercase(),
            sample::DOMAIN,
            time.rfc2822(),
        );
        if let Some(parent) = parent {
            let references: Vec<String> = above.iter().map(|id| format!("<{id}>")).collect();
            // Writing into a string does not fail.
            let _ = write!(mail, "In-Reply-To: <{}>\nReferences: {}\n", parent.id, references.join("\n "));
        }
        let Body { fields, text } = body;
        let _ = write!(mail, "MIME-Version: 1.0\n{fields}\n{text}");
        self.mails.push((time, mail));
        Written { id, above, time, author, text: text.clone() }
    }

    fn add_text(
        &mut self,
        time: Timestamp,
        author: &'static str,
        subject: &str,
        parent: Option<&Written>,
        text: &str,
    ) -> Written {
        let mut text = format!("{}\n", text.trim());
        if let Some((_, signature)) = SIGNATURES.iter().find(|(name, _)| *name == author) {
            let _ = write!(text, "\n-- \n{signature}\n");
        }
        self.add(time, author, subject, parent, &Body::plain(&text))
    }

    /// Some time behind another one, but not in the future.
    fn after(&mut self, time: Timestamp, minutes: usize) -> Timestamp {
        let minutes = 3 + self.draw.below(minutes);
        (time + Duration::from_secs(60 * minutes as u64)).min(self.now.before(Duration::from_mins(1)))
    }

    fn evening(&self, days_ago: u32) -> Timestamp {
        self.now.before(DAY * days_ago)
    }

    fn conversations(&mut self) {
        for conversation in CONVERSATIONS.split("== ").skip(1) {
            let (head, rest) = conversation.split_once('\n').unwrap_or_default();
            let (days, subject) = head.split_once(' ').unwrap_or_default();
            let mut time = self.evening(days.parse().unwrap_or_default());
            let mut written: Vec<Written> = Vec::new();
            for message in rest.split("# ").skip(1) {
                let (head, text) = message.split_once('\n').unwrap_or_default();
                let mut words = head.split_whitespace();
                let author = member(words.next().unwrap_or_default());
                let parent = words.next().and_then(|number| number.parse::<usize>().ok());
                let parent = parent.and_then(|number| written.get(number.checked_sub(1)?)).cloned();
                let text = match &parent {
                    Some(parent) if words.next().is_some() => quoting(parent, text),
                    _ => text.to_owned(),
                };
                written.push(self.add_text(time, author, subject, parent.as_ref(), &text));
                time = self.after(time, 400);
            }
        }
    }

    /// The messages that are written every week.
    fn rehearsals(&mut self) {
        for week in 1..=WEEKS {
            let some_day = self.evening(week * 7);
            let weekday = some_day.in_zone(TimeZone::UTC).weekday().to_monday_zero_offset();
            let monday = some_day.before(DAY * u32::from(weekday.unsigned_abs()));
            let time = monday.before(DAY * 2);
            let piece = self.draw.one(&PIECES);
            let subject =
                format!("Rehearsal on {}: {piece}", monday.in_zone(TimeZone::UTC).strftime("%-d %B"));
            let text = format!("Dear all,\n\n{}\n\nAda", self.draw.one(&OPENINGS));
            let mut last = self.add_text(time, "Ada", &subject, None, &text);
            let first = last.clone();
            for _ in 0..self.draw.below(4) {
                let (time, author) = (self.after(last.time, 900), self.somebody());
                let parent = if self.draw.below(3) == 0 { last.clone() } else { first.clone() };
                let answer = self.draw.one(&ANSWERS);
                last = self.add_text(time, author, &subject, Some(&parent), answer);
            }
        }
    }

    /// A conversation that many have a word in.
    fn long_thread(&mut self) {
        let subject = "Where do we sing next summer?";
        let text = "Dear all,\n\nit is early, but places fill up. Where do we go next summer? Everything is allowed.";
        let mut written = vec![self.add_text(self.evening(120), "Tala", subject, None, text)];
        while written.len() < LONG_THREAD {
            let newest = written.len() - 1;
            let parent = match self.draw.below(4) {
                0 => written[0].clone(),
                1 => written[self.draw.below(newest + 1)].clone(),
                _ => written[newest].clone(),
            };
            let text = if parent.above.is_empty() {
                format!("I propose {}.", self.draw.one(&PLACES))
            } else {
                self.draw.one(&VOICES).to_owned()
            };
            let text = if self.draw.below(3) == 0 { quoting(&parent, &text) } else { text };
            let (time, author) = (self.after(written[newest].time, 240), self.somebody());
            written.push(self.add_text(time, author, subject, Some(&parent), &text));
        }
    }

    /// Messages with other things than plain text in them.
    fn files(&mut self) {
        let newsletter = newsletter();
        let spring = self.add(self.evening(251), "Hugo", "The choir's letter: spring", None, &newsletter);
        let time = self.after(spring.time, 300);
        self.add_text(
            time,
            "Lena",
            "The choir's letter: spring",
            Some(&spring),
            "What a poster! Who drew it?",
        );

        let flowed = Body {
            fields:
                "Content-Type: text/plain; charset=utf-8; format=flowed\nContent-Transfer-Encoding: 8bit\n"
                    .to_owned(),
            text: FLOWED.to_owned(),
        };
        let programme =
            with_file(&flowed.fields, &flowed.text, "application/pdf", "programme.pdf", PROGRAMME);
        let sent = self.add(self.evening(40), "Quentin", "The programme, for a last look", None, &programme);
        let time = self.after(sent.time, 300);
        let text = quoting(
            &sent,
            "Poulenc's first name has an apostrophe too many on the second page. Else perfect.",
        );
        self.add_text(time, "Ines", "The programme, for a last look", Some(&sent), &text);

        let subject = "[PATCH] Let the altos breathe before bar 41";
        let body = PATCH.split_once("\n\n").map_or("", |(_, body)| body);
        let patch = self.add(self.evening(260), "Priya", subject, None, &Body::plain(body));
        let time = self.after(patch.time, 300);
        let text = format!(
            "{}\n> -  ees2.) | r4 f ges |\n> +  ees2) r4 | r4 f ges |\n\nYes. In the print it is wrong as well.\n",
            attribution(&patch)
        );
        self.add_text(time, "Dmitri", subject, Some(&patch), &text);

        let photo = with_file(
            "Content-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n",
            "The poster hangs at the bakery now, and at the school.\n",
            "image/png",
            "poster.png",
            POSTER,
        );
        self.add(self.evening(246), "Nadia", "Posters", None, &photo);
    }

    fn somebody(&mut self) -> &'static str {
        MEMBERS[self.draw.below(MEMBERS.len())].0
    }
}

/// The member of this first name.
fn member(name: &str) -> &'static str {
    MEMBERS.iter().find(|(first, _)| *first == name).map_or(MEMBERS[0].0, |(first, _)| first)
}

fn attribution(parent: &Written) -> String {
    let day = parent.time.in_zone(TimeZone::UTC).strftime("%-d %B %Y");
    format!("On {day}, {} wrote:", parent.author)
}

/// A text below the first paragraphs of what it answers.
fn quoting(parent: &Written, text: &str) -> String {
    let quoted = parent.text.split("\n-- \n").next().unwrap_or_default().trim();
    let quoted = quoted.split("\n\n").filter(|paragraph| 30 < paragraph.len()).take(2);
    let quoted: Vec<String> = quoted.map(|paragraph| paragraph.replace('\n', "\n> ")).collect();
    if quoted.is_empty() {
        return text.to_owned();
    }
    format!("{}\n> {}\n\n{}", attribution(parent), quoted.join("\n>\n> "), text.trim())
}

/// Text that flows (RFC 3676): a blank at the end of a line joins it to the next one.
const FLOWED: &str = "Dear all,\n\nthis is the programme as it goes to the printer on Thursday. Please look at your own \n\
    names and at the accents: last year we had a Faure without one, and two people \nsang from it as if it were \
    somebody else.\n\nIf I hear nothing by Wednesday night, it is right.\n\n> one question from the last time:\n\
    > do we name those who carried the chairs?\n\nYes, on the back, and first.\n\nQuentin\n";

/// A newsletter as shops and clubs send them: HTML with a picture in it, and a text for those who want none.
fn newsletter() -> Body {
    let text = "Dear friends,\n\nspring is coming, and so are we: with Fauré, Byrd, and a Poulenc that took us all winter.\n";
    let fields = "Content-Type: multipart/alternative; boundary=\"letter-a\"\n".to_owned();
    let text = format!(
        "--letter-a\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{text}\n\
         --letter-a\nContent-Type: multipart/related; boundary=\"letter-r\"\n\n\
         --letter-r\nContent-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n{NEWSLETTER}\n\
         --letter-r\nContent-Type: image/png; name=\"poster.png\"\nContent-Transfer-Encoding: base64\n\
         Content-ID: <poster@example.net>\nContent-Disposition: inline; filename=\"poster.png\"\n\n{}\n\
         --letter-r--\n\n--letter-a--\n",
        base64(POSTER)
    );
    Body { fields, text }
}

/// A text with a file.
fn with_file(fields: &str, text: &str, media_type: &str, name: &str, bytes: &[u8]) -> Body {
    let body = format!(
        "--file\n{fields}\n{text}\n--file\nContent-Type: {media_type}; name=\"{name}\"\n\
         Content-Transfer-Encoding: base64\nContent-Disposition: attachment; filename=\"{name}\"\n\n{}\n--file--\n",
        base64(bytes)
    );
    Body { fields: "Content-Type: multipart/mixed; boundary=\"file\"\n".to_owned(), text: body }
}

fn base64(bytes: &[u8]) -> String {
    let lines: Vec<String> = bytes.chunks(57).map(|line| BASE64.encode(line)).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::mail::parse;

    #[test]
    fn the_archive_is_the_same_each_time_and_of_sound_messages() {
        let now = Timestamp::from_ms(1_795_176_000_000);
        let all = mails(now);
        assert_eq!(mails(now), all);
        assert!((300..600).contains(&all.len()), "{}", all.len());
        let mut ids = BTreeSet::new();
        let mut subjects = BTreeSet::new();
        let mut last = now.before(DAY * 730);
        for mail in all {
            let inbound = parse(mail.bytes).unwrap();
            let date = inbound.date.unwrap();
            assert!(last <= date && date < now, "{}", inbound.subject);
            last = date;
            // What a message replies to came before it.
            assert!(inbound.references.iter().all(|id| ids.contains(id)), "{:?}", inbound.references);
            assert!(ids.insert(inbound.message_id.clone().unwrap()));
            assert!(inbound.from.is_some());
            subjects.insert(inbound.subject);
        }
        for subject in
            ["Noten für das Weihnachtskonzert", "موعد التدريب الجديد", "春の合宿について", "Re: Chairs"]
        {
            assert!(subjects.contains(subject), "{subject}");
        }
    }

    #[test]
    fn files_and_flowing_text_are_in_it() {
        let read = |mail: MailboxMail| parse(mail.bytes).unwrap();
        let all: Vec<_> = mails(Timestamp::from_ms(1_795_176_000_000)).into_iter().map(read).collect();
        let files: BTreeSet<String> =
            all.iter().flat_map(|mail| mail.content().attachments).map(|file| file.media_type).collect();
        assert_eq!(files.iter().map(String::as_str).collect::<Vec<_>>(), ["application/pdf", "image/png"]);
        let html = all.iter().filter_map(|mail| mail.content().html).collect::<String>();
        assert!(html.contains("cid:poster@example.net"));
        let texts = all.iter().filter_map(|mail| mail.content().plain).collect::<String>();
        assert!(
            texts.contains("\n+  ees2) r4 | r4 f ges |\n")
                && texts.contains("> ")
                && texts.contains("\n-- \n")
        );
    }
}
