//! What becomes of the settings of a list of Mailman 2: a table with a row for each, and the people.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde_json::Value as Json;

use super::config::{Config, number_of};
use super::pickle::Value;
use super::posting;
use super::texts::with_variables;
use crate::clock::Timestamp;
use crate::mail::template::Template;
use crate::model::list::MAXLENGTH_KB_MAX;
use crate::sources::{
    OWN_ADDRESS, PEOPLE_MAX, SourceAdministrator, SourceList, SourcePerson, SourceRole, SourceStanding,
};

/// Characters of a setting that is one line.
const LINE_CHARS_MAX: usize = 255;

/// What becomes of a setting.
#[derive(Debug, Clone, Copy)]
pub(super) enum Becomes {
    /// One line of text.
    Line(&'static str),
    /// Any text.
    Text(&'static str),
    /// A text with variables.
    Template(&'static str),
    /// For each number the field and its value.
    Choice(&'static [(i64, &'static str, Const)]),
    /// Something that several settings say together.
    Together(&'static str),
    /// Nothing; it is named where the value is none of these, with what is done in its place.
    Nothing(&'static [i64], &'static str),
    /// Nothing, which nobody misses.
    Dropped,
}

/// A value of a field.
#[derive(Debug, Clone, Copy)]
pub(super) enum Const {
    Yes,
    No,
    Word(&'static str),
}

impl Const {
    fn json(self) -> Json {
        match self {
            Const::Yes => Json::Bool(true),
            Const::No => Json::Bool(false),
            Const::Word(word) => Json::from(word),
        }
    }
}

use Becomes::{Choice, Dropped, Line, Nothing, Together};

/// The settings, by their names in Mailman 2.1.
const SETTINGS: &[(&str, Becomes)] = &[
    ("real_name", Together("the name")),
    ("host_name", Together("the old address")),
    ("description", Line("description")),
    ("info", Becomes::Text("notes")),
    ("subject_prefix", Line("subject_prefix")),
    ("msg_header", Becomes::Template("message_fronter")),
    ("msg_footer", Becomes::Template("message_footer")),
    ("welcome_msg", Becomes::Template("welcome_message")),
    ("goodbye_msg", Together("nothing: no text is sent to whoever leaves")),
    ("max_message_size", Together("maxlength")),
    ("reply_goes_to_list", Together("reply_to")),
    ("reply_to_address", Together("reply_to")),
    ("first_strip_reply_to", Dropped),
    (
        "anonymous_list",
        Choice(&[(1, "rewrite_sender", Const::Yes), (1, "original_sender_mode", Const::Word("hide"))]),
    ),
    ("from_is_list", Choice(&[(1, "rewrite_sender", Const::Yes), (2, "rewrite_sender", Const::Yes)])),
    (
        "dmarc_moderation_action",
        Nothing(
            &[0, 1, 2],
            "the sender is replaced by the list's address where DMARC needs it; nothing is refused for that",
        ),
    ),
    (
        "subscribe_policy",
        Choice(&[
            (0, "subscriptions", Const::Word("open")),
            (1, "subscriptions", Const::Word("open")),
            (2, "subscriptions", Const::Word("open+confirm")),
            (3, "subscriptions", Const::Word("open+confirm")),
        ]),
    ),
    (
        "unsubscribe_policy",
        Choice(&[
            (0, "unsubscriptions", Const::Word("open")),
            (1, "unsubscriptions", Const::Word("open+confirm")),
        ]),
    ),
    ("private_roster", Together("memberview")),
    ("archive", Choice(&[(0, "archive_enabled", Const::No), (1, "archive_enabled", Const::Yes)])),
    (
        "archive_private",
        Choice(&[
            (0, "archive_protected", Const::No),
            (1, "archive_protected", Const::Yes),
            (1, "archive_memberview", Const::Yes),
        ]),
    ),
    (
        "advertised",
        Choice(&[(0, "archive_index_noshow", Const::Yes), (1, "archive_index_noshow", Const::No)]),
    ),
    (
        "respond_to_post_requests",
        Choice(&[(0, "send_hold_message", Const::No), (1, "send_hold_message", Const::Yes)]),
    ),
    (
        "admin_immed_notify",
        Choice(&[(0, "notify_approval", Const::Word("daily")), (1, "notify_approval", Const::Word("each"))]),
    ),
    ("emergency", Together("moderate")),
    ("default_member_moderation", Together("moderate")),
    ("member_moderation_action", Together("message_rejections")),
    ("generic_nonmember_action", Together("moderate and message_rejections")),
    ("accept_these_nonmembers", Together("restrict_post_allowed_emails")),
    ("hold_these_nonmembers", Together("moderate")),
    ("reject_these_nonmembers", Together("restrict_post_banned_emails")),
    ("discard_these_nonmembers", Together("restrict_post_banned_emails")),
    ("ban_list", Together("addresses that are kept off the list")),
    ("header_filter_rules", Together("taboo_headers")),
    ("filter_content", Together("strip_attachments")),
    ("owner", Together("administrators, with --administrators")),
    ("moderator", Together("administrators, with --administrators")),
    ("preferred_language", Nothing(&[], "pages and mails speak the language of their reader")),
    ("topics", Together("nothing: there are no topics")),
    ("gateway_to_mail", Nothing(&[0], "there is no gateway to news groups")),
    ("gateway_to_news", Nothing(&[0], "there is no gateway to news groups")),
    ("umbrella_list", Nothing(&[0], "notices go to the members themselves")),
    ("autorespond_postings", Nothing(&[0], "posts are not answered")),
    ("autorespond_requests", Nothing(&[0], "requests are answered by the server's own texts")),
    ("autorespond_admin", Nothing(&[0], "mail to owners is not answered")),
    ("personalize", Nothing(&[0, 1, 2], "copies are personal where a text or link needs it")),
    ("scrub_nondigest", Nothing(&[0], "attachments stay in messages")),
    ("convert_html_to_plaintext", Dropped),
    ("digestable", Dropped),
    ("nondigestable", Nothing(&[1], "members may choose single messages")),
    ("digest_is_default", Nothing(&[0], "new members get single messages; digests come once a day")),
    ("digest_footer", Dropped),
    ("digest_header", Dropped),
    ("bounce_matching_headers", Dropped),
    ("news_moderation", Nothing(&[0], "there is no gateway to news groups")),
];

/// A list as its attributes say what it is.
pub(super) fn list(config: &Config<'_>, folder: &str) -> SourceList {
    let mut list = SourceList { program: "Mailman 2", ..SourceList::default() };
    list.name = name(config, folder);
    list.domain = config.text("host_name").trim().to_lowercase();
    let moderated = people(config, &mut list);
    for (name, becomes) in SETTINGS {
        if config.get(name).is_some() {
            setting(config, &mut list, name, *becomes);
        }
    }
    together(config, &mut list);
    posting::rules(config, &mut list, &moderated);
    administrators(config, &mut list);
    for setting in &mut list.mapped {
        if let Some(value) = list.settings.get(&setting.becomes) {
            setting.becomes = format!("{}: {value}", setting.becomes);
        }
    }
    list
}

/// The name of the list. Mailman keeps it as the name of the folder, and the name that is shown differs in large and
/// small letters alone; a file that stands elsewhere has only the latter.
fn name(config: &Config<'_>, folder: &str) -> String {
    let (internal, shown) = (config.text("_internal_name"), config.text("real_name"));
    let known = [internal.trim(), shown.trim(), folder].into_iter().find(|name| !name.is_empty());
    let name = known.unwrap_or_default();
    if shown.trim().eq_ignore_ascii_case(name) { shown.trim().to_owned() } else { name.to_owned() }
}

/// Takes one setting over.
fn setting(config: &Config<'_>, list: &mut SourceList, name: &str, becomes: Becomes) {
    let shown = config.shown(name);
    let told = match becomes {
        Line(field) => {
            let text = line(&config.text(name));
            if name == "subject_prefix" && text.contains('%') {
                list.leave_behind(
                    "numbers of messages in subject_prefix",
                    0,
                    "the subject has the text alone",
                );
            }
            let text = if name == "subject_prefix" { without_numbers(&text) } else { text };
            let told = format!("{field}: {text:?}");
            list.settings.insert(field.to_owned(), Json::from(text));
            told
        }
        Becomes::Text(field) => {
            list.settings.insert(field.to_owned(), Json::from(config.text(name)));
            format!("{field}, as it is")
        }
        Becomes::Template(field) => template(config, list, (name, field)),
        Choice(choices) => {
            let number = config.number(name);
            let chosen: Vec<_> = choices.iter().filter(|(of, ..)| Some(*of) == number).collect();
            let mut told = Vec::new();
            for (_, field, value) in chosen {
                told.push(format!("{field}: {}", value.json()));
                list.settings.insert((*field).to_owned(), value.json());
            }
            if told.is_empty() { "nothing: it is as usual here".to_owned() } else { told.join(", ") }
        }
        Together(what) => what.to_owned(),
        Nothing(usual, instead) => {
            let number = config.number(name);
            if !usual.is_empty() && number.is_some_and(|number| !usual.contains(&number)) {
                list.leave_behind(&format!("{name} = {shown}"), 0, instead);
            }
            format!("nothing: {instead}")
        }
        Dropped => "nothing".to_owned(),
    };
    list.map(name, &shown, &told);
}

/// A text with variables.
fn template(config: &Config<'_>, list: &mut SourceList, (name, field): (&str, &'static str)) -> String {
    let text = config.text(name);
    if text.trim().is_empty() {
        return "nothing: it is empty".to_owned();
    }
    let host = config.text("host_name");
    let is_dollar = config.number("use_dollar_strings").is_some_and(|number| number != 0);
    let (ours, unknown) = with_variables(&text, is_dollar, &[("host_name", &host)]);
    for variable in unknown {
        list.leave_behind(&format!("the variable {variable} in {name}"), 0, "the text is without it");
    }
    if let Err(error) = Template::parse(&ours, &[]) {
        list.leave_behind(name, 0, &format!("the text is left out: {error}"));
        return format!("nothing: {error}");
    }
    list.settings.insert(field.to_owned(), Json::from(ours.trim_end_matches('\n')));
    format!("{field}: {:?}", ours.trim_end_matches('\n'))
}

/// The settings that are no single row.
fn together(config: &Config<'_>, list: &mut SourceList) {
    let mut set = |field: &str, value: Json| drop(list.settings.insert(field.to_owned(), value));
    if let Some(limit_kb) = config.number("max_message_size") {
        let limit_kb = u32::try_from(limit_kb).unwrap_or(0).min(MAXLENGTH_KB_MAX);
        set("maxlength", Json::from(if limit_kb == 0 { MAXLENGTH_KB_MAX } else { limit_kb }));
    }
    match config.number("reply_goes_to_list") {
        Some(1) => set("reply_to", Json::from(OWN_ADDRESS)),
        Some(2) if config.text("reply_to_address").contains('@') => {
            set("reply_to", Json::from(config.text("reply_to_address").trim()));
        }
        _ => {}
    }
    if config.number("max_message_size") == Some(0) {
        list.leave_behind("max_message_size = 0", 0, &format!("messages may have {MAXLENGTH_KB_MAX} KB"));
    }
    if config.number("filter_content").is_some_and(|number| number != 0) {
        let passed = config.texts("pass_mime_types");
        let is_text = |kind: &String| ["text", "multipart", "message"].iter().any(|it| kind.starts_with(it));
        if !passed.is_empty() && passed.iter().all(is_text) {
            list.settings.insert("strip_attachments".to_owned(), Json::Bool(true));
        } else {
            let instead = "no part is taken out; strip_attachments takes all attachments off";
            list.leave_behind("filter_content", 0, instead);
        }
    }
    for (name, instead) in [
        ("topics", "everybody gets all messages"),
        ("goodbye_msg", "whoever leaves gets the server's own text"),
    ] {
        if !config.items(name).is_empty() || !config.text(name).trim().is_empty() {
            list.leave_behind(name, 0, instead);
        }
    }
}

/// Members with what they chose and what was decided of them; returns who is moderated.
fn people(config: &Config<'_>, list: &mut SourceList) -> BTreeSet<String> {
    let (names, options) = (config.by_address("usernames"), config.by_address("user_options"));
    let (statuses, languages) = (config.by_address("delivery_status"), config.by_address("language"));
    let bounced = config.by_address("bounce_info");
    let usual_language = config.text("preferred_language");
    let mut left = LeftOptions::default();
    let (mut seen, mut moderated) = (BTreeSet::new(), BTreeSet::new());
    for (field, is_digest) in [("members", false), ("digest_members", true)] {
        for address in config.members(field) {
            let folded = address.trim().to_lowercase();
            if PEOPLE_MAX <= list.people.len() || !seen.insert(folded.clone()) {
                continue;
            }
            let bits = options.get(&folded).and_then(|value| number_of(value)).unwrap_or(0);
            left.count(bits, is_digest);
            if bits & MODERATED != 0 {
                moderated.insert(folded.clone());
            }
            let language = config.text_in(&languages, &folded);
            if !language.is_empty() && !usual_language.is_empty() && language != usual_language {
                left.languages += 1;
            }
            let status = statuses.get(&folded).copied();
            let standing = standing(config, status, bits);
            left.bouncing += u64::from(bounced.contains_key(&folded) && standing == SourceStanding::Active);
            list.people.push(SourcePerson {
                name: config.text_in(&names, &folded).trim().to_owned(),
                address,
                digest: is_digest.then_some(true),
                standing,
                joined: None,
            });
        }
    }
    left.tell(list);
    moderated
}

/// The option of a member that everything from it waits for approval.
const MODERATED: i64 = 128;
/// The option of a member of old versions to get no mail.
const NO_MAIL: i64 = 1;
/// Options of members that have no place here, and what is done in their place.
const OPTIONS: [(i64, &str, &str); 6] = [
    (2, "members who do not get their own posts", "everybody gets a copy of an own post"),
    (4, "members who get an acknowledgement of their posts", "nobody gets one"),
    (8, "members who take digests as plain text", "digests have text and HTML"),
    (16, "members who are not shown in the list of members", "members do not see each other on this list"),
    (64, "members who chose topics", "everybody gets all messages"),
    (
        256,
        "members who get no second copy where they are addressed directly",
        "everybody gets the list's copy",
    ),
];
/// The bit of members who are concealed.
pub(super) const CONCEALED: i64 = 16;

#[derive(Default)]
struct LeftOptions {
    by_bit: BTreeMap<i64, u64>,
    languages: u64,
    bouncing: u64,
}

impl LeftOptions {
    fn count(&mut self, bits: i64, is_digest: bool) {
        for (bit, ..) in OPTIONS {
            // The form of digests is chosen by everybody, and matters to those who take them.
            if bits & bit != 0 && (bit != 8 || is_digest) {
                *self.by_bit.entry(bit).or_default() += 1;
            }
        }
    }

    fn tell(&self, list: &mut SourceList) {
        for (bit, what, instead) in OPTIONS {
            if let Some(people) = self.by_bit.get(&bit) {
                list.leave_behind(what, *people, instead);
            }
        }
        if 0 < self.languages {
            let instead = "pages and mails speak the language of their reader";
            list.leave_behind("members with a language of their own", self.languages, instead);
        }
        if 0 < self.bouncing {
            let instead = "their addresses get mail, and their failures are counted anew";
            list.leave_behind("members whose mail failed now and then", self.bouncing, instead);
        }
        let is_concealed = self.by_bit.contains_key(&CONCEALED);
        list.settings
            .insert("memberview".to_owned(), Json::from(if is_concealed { "" } else { "withemail" }));
    }
}

/// What the state of delivery says: 1 to 3 are nobody's, the member's and an administrator's decision, 4 is bounces.
fn standing(config: &Config<'_>, status: Option<&Value>, bits: i64) -> SourceStanding {
    let (status, seconds) = status.map_or((0, None), |value| config.status(value));
    match status {
        0 if bits & NO_MAIL == 0 => SourceStanding::Active,
        4 => SourceStanding::Bouncing { since: seconds.and_then(time) },
        _ => SourceStanding::Paused,
    }
}

fn time(seconds: f64) -> Option<Timestamp> {
    // Times before the list server was written, and far in the future, are none.
    #[expect(clippy::cast_possible_truncation, reason = "the range is checked")]
    let time = (8.0e8..5.0e9).contains(&seconds).then(|| Timestamp::from_ms((seconds * 1000.0) as i64));
    time
}

fn administrators(config: &Config<'_>, list: &mut SourceList) {
    let names: HashMap<String, String> =
        list.people.iter().map(|person| (person.address.to_lowercase(), person.name.clone())).collect();
    for (field, role) in [("owner", SourceRole::Owner), ("moderator", SourceRole::Moderator)] {
        let mut emails = config.texts(field);
        // Old versions had one owner, as a text.
        emails.extend(Some(config.text(field)).filter(|email| email.contains('@')));
        for email in emails {
            let is_there = |it: &SourceAdministrator| it.email.eq_ignore_ascii_case(&email);
            if !list.administrators.iter().any(is_there) {
                let name = names.get(&email.to_lowercase()).cloned().unwrap_or_default();
                list.administrators.push(SourceAdministrator { email, name, role });
            }
        }
    }
}

/// A text on one line.
fn line(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    text.chars().filter(|c| !c.is_control()).take(LINE_CHARS_MAX).collect()
}

/// A prefix of subjects without the number of the message, such as `%05d`.
fn without_numbers(prefix: &str) -> String {
    let mut out = String::with_capacity(prefix.len());
    let mut rest = prefix;
    while let Some(at) = rest.find('%') {
        out.push_str(&rest[..at]);
        let behind = rest[at + 1..].trim_start_matches(|c: char| c.is_ascii_digit());
        rest = if let Some(behind) = behind.strip_prefix('d') {
            behind
        } else {
            out.push('%');
            &rest[at + 1..]
        };
    }
    out.push_str(rest);
    // A blank stood before the number.
    out.replace(" ]", "]").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_prefix_loses_its_number_alone() {
        assert_eq!(without_numbers("[choir %05d] "), "[choir]");
        assert_eq!(without_numbers("[100% choir]"), "[100% choir]");
    }
}
