//! Reads the commands in a mail to `L-request@D`, and tells mail of machines from mail of people.
//!
//! `ops::posting::inbound` carries the commands out. A line is a command only if it says nothing else, so that prose is
//! never mistaken for one. What the author quotes, and what stands below a signature's `-- `, is not read. The words
//! are English, whatever the language of the account; case and punctuation do not matter.

use super::parse::Inbound;
use super::visible::unquoted_text;

/// Encoded octets of a text that are read.
const ENCODED_BYTES_MAX: usize = 64 * 1024;
/// Lines of a text that are read.
const LINES_MAX: usize = 500;
/// Words of the longest line that can be a command: a list's name has up to 64 characters.
const WORDS_MAX: usize = 40;
/// The prefixes that mail programs put before the subject of an answer, in the languages that people use.
const REPLY_PREFIXES: [&str; 14] =
    ["re", "aw", "antw", "antwort", "sv", "vs", "odp", "ynt", "rif", "res", "fw", "fwd", "wg", "tr"];
/// The beginnings of lines that phones and mail programs add below a mail without a signature's `-- `.
const DEVICE_LINES: [&str; 8] = [
    "sent from my ",
    "get outlook for ",
    "von meinem ",
    "gesendet von ",
    "holen sie sich outlook für ",
    "envoyé de mon ",
    "envoyé depuis ",
    "enviado desde ",
];

/// A command in a mail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// `help`: what can be asked.
    Help,
    /// `subscribe`: to join the list.
    Subscribe {
        /// Whether as a digest, where that is said.
        digest: Option<bool>,
    },
    /// `unsubscribe`: to leave the list.
    Unsubscribe,
    /// `digest on` and `digest off`: how mail of the list comes.
    Digest {
        /// Whether as a digest.
        digest: bool,
    },
    /// `pause`: no mail to the address for now.
    Pause,
    /// `resume`: mail to the address again.
    Resume,
    /// `which`: the lists that the person is on.
    Which,
}

/// The topic of a command: of several commands about the same one, the last counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Topic {
    Help,
    Membership,
    Form,
    Address,
    Which,
}

impl Command {
    fn topic(self) -> Topic {
        match self {
            Command::Help => Topic::Help,
            Command::Subscribe { .. } | Command::Unsubscribe => Topic::Membership,
            Command::Digest { .. } => Topic::Form,
            Command::Pause | Command::Resume => Topic::Address,
            Command::Which => Topic::Which,
        }
    }
}

/// The commands of a mail.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Commands {
    /// The commands in their order. Of those that repeat or contradict one another the last stands, so there are few,
    /// however long the mail is.
    pub commands: Vec<Command>,
    /// Whether other lines were passed over.
    pub has_other_lines: bool,
}

impl Commands {
    /// The commands in the text of a mail to the commands' address of `list`; in the subject, if the text is blank.
    #[must_use]
    pub fn read(inbound: &Inbound, list: &str) -> Commands {
        let (text, _) = inbound.unquoted_text();
        let mut lines = own_lines(&text).peekable();
        if lines.peek().is_none() {
            return Commands::of_lines(std::iter::once(without_prefixes(&inbound.subject)), list);
        }
        Commands::of_lines(lines, list)
    }

    fn of_lines<'t>(lines: impl Iterator<Item = &'t str>, list: &str) -> Commands {
        let mut read = Commands::default();
        for line in lines {
            match parse_line(line, list) {
                Some(command) => {
                    read.commands.retain(|earlier| earlier.topic() != command.topic());
                    read.commands.push(command);
                }
                None => read.has_other_lines |= !line.is_empty(),
            }
        }
        read
    }
}

impl Inbound {
    /// The beginning of its first text as a reader sees it; of HTML, without quotes. And whether it is plain text, which
    /// has its quotes.
    pub(super) fn unquoted_text(&self) -> (String, bool) {
        let first = |media_type: &str| {
            self.parts.iter().find(|part| {
                part.media_type == media_type && !part.is_attachment && !self.is_inside_message(part)
            })
        };
        let plain = first("text/plain").map(|part| self.beginning(part, ENCODED_BYTES_MAX));
        if let Some(plain) = plain.filter(|plain| !plain.trim().is_empty()) {
            return (plain, true);
        }
        let html = first("text/html").map(|part| unquoted_text(&self.beginning(part, ENCODED_BYTES_MAX)));
        (html.unwrap_or_default(), false)
    }
}

/// The lines that the author of a text wrote: without blank and quoted ones, up to a signature or to a mail below.
fn own_lines(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().take(LINES_MAX).map(str::trim);
    lines.take_while(|line| !ends_text(line)).filter(|line| !line.is_empty() && !line.starts_with(['>', '|']))
}

/// Whether the author's own text ends before this line.
pub(super) fn ends_text(line: &str) -> bool {
    if line == "--" {
        return true;
    }
    // Outlook sets a mail that is answered below such a line, or below its header, and quotes nothing.
    if line.starts_with("_____") || (line.starts_with("-----") && !line.contains("BEGIN PGP SIGNED")) {
        return true;
    }
    let line = line.to_lowercase();
    let is_header = ["from:", "von:", "de:", "de :"].iter().any(|name| line.starts_with(name));
    (is_header && line.contains('@')) || DEVICE_LINES.iter().any(|start| line.starts_with(start))
}

/// A subject without `Re:` and the names of lists in brackets.
fn without_prefixes(subject: &str) -> &str {
    let mut rest = subject.trim();
    loop {
        let tag = rest.strip_prefix('[').and_then(|tag| tag.split_once(']')).map(|(_, behind)| behind);
        let reply = rest.split_once(':').filter(|(word, _)| {
            let word = word.trim_end_matches(|c: char| c.is_ascii_digit() || " []()".contains(c));
            REPLY_PREFIXES.iter().any(|prefix| word.eq_ignore_ascii_case(prefix))
        });
        match tag.or(reply.map(|(_, behind)| behind)) {
            Some(behind) => rest = behind.trim_start(),
            None => return rest,
        }
    }
}

/// The words of a line in lower case; what separates them is left out.
fn words_of(line: &str) -> Vec<String> {
    let words = line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.take(WORDS_MAX + 1).map(str::to_lowercase).collect()
}

/// The command that a line is, if it is one. It may say "please", and name the list.
fn parse_line(line: &str, list: &str) -> Option<Command> {
    let words = words_of(line);
    if WORDS_MAX < words.len() {
        return None;
    }
    let words: Vec<&str> = words.iter().map(String::as_str).filter(|word| *word != "please").collect();
    let words = words.strip_suffix(&["me"]).unwrap_or(&words);
    let list = words_of(list);
    let list: Vec<&str> = list.iter().map(String::as_str).collect();
    let without_list = || match words {
        [command, rest @ ..] => rest.strip_prefix(list.as_slice()).map(|rest| [&[*command], rest].concat()),
        [] => None,
    };
    let behind_all = || words.strip_suffix(list.as_slice()).and_then(command);
    command(words).or_else(|| without_list().and_then(|words| command(&words))).or_else(behind_all)
}

fn command(words: &[&str]) -> Option<Command> {
    Some(match words {
        ["help"] => Command::Help,
        ["subscribe" | "join"] => Command::Subscribe { digest: None },
        ["subscribe" | "join", "digest"] => Command::Subscribe { digest: Some(true) },
        ["subscribe" | "join", "nodigest"] | ["subscribe" | "join", "no", "digest"] => {
            Command::Subscribe { digest: Some(false) }
        }
        ["unsubscribe" | "leave"] => Command::Unsubscribe,
        ["digest", "on" | "yes" | "1"] => Command::Digest { digest: true },
        ["digest", "off" | "no" | "0"] | ["nodigest"] => Command::Digest { digest: false },
        ["pause"] => Command::Pause,
        ["resume"] => Command::Resume,
        ["which"] => Command::Which,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::mail::parse;

    fn inbound(message: &str) -> Inbound {
        parse(message.replace('\n', "\r\n").into_bytes()).unwrap()
    }

    #[track_caller]
    fn check(message: &str, expected: &str) {
        let read = Commands::read(&inbound(message), "news");
        let mut words: Vec<String> = read.commands.iter().map(|command| format!("{command:?}")).collect();
        if read.has_other_lines {
            words.push("…".to_owned());
        }
        assert_eq!(words.join("; "), expected, "{message}");
    }

    #[track_caller]
    fn check_line(line: &str, expected: Option<Command>) {
        assert_eq!(parse_line(line, "old-news"), expected, "{line}");
    }

    #[test]
    fn a_line_is_a_command_in_any_case_and_with_any_punctuation() {
        let subscribe = |digest| Some(Command::Subscribe { digest });
        for line in ["help", "HELP!", " * Help.", "“help”", "Help me, please", "help?"] {
            check_line(line, Some(Command::Help));
        }
        for line in
            ["Subscribe", "join", "please subscribe me", "- subscribe old-news;", "SUBSCRIBE Old-News"]
        {
            check_line(line, subscribe(None));
        }
        check_line("subscribe digest", subscribe(Some(true)));
        check_line("subscribe old-news digest", subscribe(Some(true)));
        check_line("subscribe nodigest", subscribe(Some(false)));
        for line in ["unsubscribe", "LEAVE", "Unsubscribe me from old-news"] {
            let expected = (!line.contains("from")).then_some(Command::Unsubscribe);
            check_line(line, expected);
        }
        for line in ["digest on", "Digest: ON", "digest=on", "set digest on"] {
            let expected = (!line.contains("set")).then_some(Command::Digest { digest: true });
            check_line(line, expected);
        }
        check_line("digest off", Some(Command::Digest { digest: false }));
        check_line("Pause", Some(Command::Pause));
        check_line("resume.", Some(Command::Resume));
        check_line("which?", Some(Command::Which));
    }

    #[test]
    fn prose_is_no_command_and_neither_is_another_list() {
        for line in [
            "I need help",
            "subscribe other-news",
            "subscribe ada@example.org",
            "digest",
            "do not unsubscribe",
            "which list is this",
            "news",
            "old news",
            "…",
        ] {
            check_line(line, None);
        }
    }

    #[test]
    fn several_commands_stand_in_one_mail_and_the_last_of_two_counts() {
        check("Subject: x\n\nwhich\n\nPAUSE\nhello\ndigest on\n", "Which; Pause; Digest { digest: true }; …");
        check("Subject: x\n\nsubscribe\nunsubscribe\nsubscribe\n", "Subscribe { digest: None }");
        check(
            "Subject: x\n\nresume\npause\ndigest off\nhelp\ndigest on\n",
            "Pause; Help; Digest { digest: true }",
        );
        check(&format!("Subject: x\n\n{}", "help\n".repeat(300)), "Help");
    }

    #[test]
    fn the_subject_is_read_where_the_text_is_blank() {
        check("Subject: subscribe\n\n", "Subscribe { digest: None }");
        check("Subject: Re: AW: [news] Re[2]: unsubscribe\n\n \n\n-- \nAda\n", "Unsubscribe");
        check("Subject: which\n\nSent from my phone\n", "Which");
        check("Subject: subscribe\n\n> help\n", "Subscribe { digest: None }");
        check("Subject: subscribe\n\nhelp\n", "Help");
        check("Subject: subscribe\n\nhello\n", "…");
        check("Subject: Re:\n\n", "");
        check("\n", "");
    }

    #[test]
    fn what_is_quoted_or_below_a_signature_is_not_read() {
        check("Subject: x\n\nhelp\n> pause\n > pause\n| pause\n-- \nwhich\n", "Help");
        check("Subject: x\n\npause\n-----Original Message-----\nFrom: x\n\nhelp\n", "Pause");
        check("Subject: x\n\npause\n\nVon: News <news@x.org>\nhelp\n", "Pause");
        check("Subject: x\n\npause\n________________________________\nhelp\n", "Pause");
        let signed = "Subject: x\n\n-----BEGIN PGP SIGNED MESSAGE-----\n\npause\n-----BEGIN PGP SIGNATURE-----\nhelp\n";
        check(signed, "Pause; …");
    }

    #[test]
    fn the_first_text_counts_and_html_as_it_is_seen() {
        let part = |media_type: &str, text: &str| format!("--b\nContent-Type: {media_type}\n\n{text}\n");
        let mixed = |parts: &[String]| {
            format!("Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n{}--b--\n", parts.concat())
        };
        check(
            &mixed(&[part("text/html", "pause"), part("text/plain", "help"), part("text/plain", "which")]),
            "Help",
        );
        check(&mixed(&[part("text/plain", " "), part("text/html", "<p>pau<b>se</b></p>")]), "Pause");
        let file = part("text/plain\nContent-Disposition: attachment", "help");
        check(&mixed(&[file, part("message/rfc822", "Subject: y\n\nhelp")]), "…");
        let html = "<style>help</style><div>un<i>sub</i>scribe</div>which&nbsp;<br>\n<blockquote>help</blockquote>\
                    <p>-- </p>pause";
        check(&format!("Subject: x\nContent-Type: text/html\n\n{html}\n"), "Unsubscribe; Which");
        let base64 = "Subject: x\nContent-Type: text/plain; charset=utf-16le\nContent-Transfer-Encoding: base64\n\n\
                      aABlAGwAcAA=\n";
        check(base64, "Help");
    }

    #[test]
    fn odd_forms_are_read_as_mail_programs_show_them() {
        // Parts in parts, with a preamble, and a signature over all.
        let nested = "Subject: x\nContent-Type: multipart/signed; boundary=s\n\nhelp\n--s\n\
            Content-Type: multipart/mixed; boundary=m\n\nhelp\n--m\n\
            Content-Type: multipart/alternative; boundary=a\n\nhelp\n--a\n\
            Content-Type: text/plain; format=flowed; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n\
            pa=75se =\n\n>help\n--a\nContent-Type: text/html\n\n<p>which</p>\n--a--\n--m--\n--s\n\
            Content-Type: application/pgp-signature\n\nhelp\n--s--\nhelp\n";
        check(nested, "Pause");
        let latin = "Subject: x\nContent-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: 8bit\n\n\
            which\n\u{fc}\u{fc}\n";
        check(latin, "Which; …");
        // Base64 with a line that a gateway added, and one that is cut.
        let base64 = |body: &str| format!("Subject: x\nContent-Transfer-Encoding: base64\n\n{body}\n");
        check(&base64("aGVscA0KcGF1c2U=\n\n-- added by a gateway"), "Help; Pause");
        check(&base64("d2hpY2gKaGVsc"), "Which; …");
        // A character set that nobody knows, a boundary that never comes, no end of the last part.
        check("Subject: x\nContent-Type: text/plain; charset=x-none\n\nhelp\n", "Help");
        check("Subject: help\nContent-Type: multipart/mixed; boundary=b\n\nwhich\n", "Help");
        check("Subject: x\nContent-Type: multipart/mixed; boundary=b\n\n--b\n\nwhich\n", "Which");
        // Blanks that are none, marks of direction, a byte order mark.
        check(
            "Subject: x\nContent-Type: text/plain; charset=utf-8\n\n\u{feff}help\n\u{a0}which\u{200e}\n",
            "Help; Which",
        );
        check("Subject: =?utf-8?q?sub?= =?utf-8?q?scribe?=\n\n", "Subscribe { digest: None }");
        // Nothing to read: a calendar, a picture, an encrypted mail.
        for media_type in ["text/calendar", "image/png", "application/pgp-encrypted"] {
            check(&format!("Subject: which\nContent-Type: {media_type}\n\nhelp\n"), "Which");
        }
    }

    #[test]
    fn automatic_answers_are_recognised_without_their_field() {
        for header in [
            "Subject: Automatic reply: Please confirm",
            "Subject: Out-of-Office: away",
            "Subject: Abwesenheitsnotiz",
            "X-Vacation: yes",
            "Precedence: junk",
            "List-Id: <x.y>",
            "Auto-Submitted: auto-generated",
        ] {
            assert!(inbound(&format!("{header}\n\nsubscribe\n")).looks_automatic(), "{header}");
        }
        for header in ["Subject: Re: Please confirm", "Auto-Submitted: no", "Subject: office"] {
            assert!(!inbound(&format!("{header}\n\nsubscribe\n")).looks_automatic(), "{header}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_and_gives_one_command_about_each_matter(text in "(?s).{0,300}", subject in "[^\r\n]{0,60}") {
            let text = text.replace(['\0', '\r'], " ");
            let Ok(inbound) = parse(format!("Subject: {subject}\r\n\r\n{text}").into_bytes()) else { return Ok(()) };
            let Commands { commands, .. } = Commands::read(&inbound, "news");
            for (place, command) in commands.iter().enumerate() {
                prop_assert!(commands[..place].iter().all(|earlier| earlier.topic() != command.topic()));
            }
        }

        #[test]
        fn any_structure_is_read(pieces in prop::collection::vec(prop::sample::select(vec![
            "--b\n", "--b--\n", "--c\n", "\n", "help\n", "> which\n", "-- \n", "PGI+aGVscDwvYj4=\n", "=70ause\n", "<br>", "</",
            "Content-Type: multipart/mixed; boundary=b\n", "Content-Type: multipart/alternative; boundary=\"c\"\n",
            "Content-Type: text/html\n", "Content-Type: text/plain; charset=utf-16\n", "Content-Type: message/rfc822\n",
            "Content-Transfer-Encoding: base64\n", "Content-Transfer-Encoding: quoted-printable\n",
            "Content-Disposition: attachment\n", "<blockquote>", "</blockquote>", "\u{fc}", "pause me\n", "digest on\n",
        ]), 0..40)) {
            let message = format!("Subject: x\n{}", pieces.concat());
            let Ok(inbound) = parse(message.replace('\n', "\r\n").into_bytes()) else { return Ok(()) };
            let Commands { commands, .. } = Commands::read(&inbound, "news");
            prop_assert!(commands.len() <= 5);
            prop_assert!(!inbound.looks_automatic());
        }

        #[test]
        fn commands_are_found_among_any_lines_and_never_in_quoted_ones(
            lines in prop::collection::vec((prop::sample::select(vec!["help", "pause", "which"]), "[ *.!-]{0,3}", any::<bool>()), 0..20),
            prose in "[A-Z][a-z]{0,9} says so",
        ) {
            let line = |(word, noise, is_quoted): &(&str, String, bool)| {
                let text = format!("{}{noise} {word}{noise}", if *is_quoted { ">" } else { "" });
                // Dashes alone would end the text.
                if text.trim() == "--" { String::new() } else { text }
            };
            let text: Vec<String> = lines.iter().map(line).collect();
            let message = format!("Subject: {prose}\n\n{prose}\n{}\n", text.join("\n"));
            let read = Commands::read(&inbound(&message), "news");
            let own = |word: &str| lines.iter().any(|(other, _, is_quoted)| *other == word && !is_quoted);
            for (word, command) in [("help", Command::Help), ("pause", Command::Pause), ("which", Command::Which)] {
                prop_assert_eq!(read.commands.contains(&command), own(word), "{}", message);
            }
            prop_assert!(read.has_other_lines);
        }
    }
}
