//! The people of a list of Sympa: members with what they decided, owners and moderators, and who was excluded.

use std::collections::{BTreeMap, HashSet};

use super::config::{self, Paragraph};
use crate::clock::Timestamp;
use crate::model::EmailAddress;
use crate::model::contact::JoinWay;
use crate::sources::folder::{Folder, seconds};
use crate::sources::mapping::{Mapping, one_line, shown};
use crate::sources::{PEOPLE_MAX, SourceAdministrator, SourcePerson, SourceRole, SourceStanding, SourceStep};

/// Most owners and moderators of a list.
const ADMINISTRATORS_MAX: usize = 1000;
/// The dump of members under its names of today and of earlier versions.
const MEMBER_DUMPS: [&str; 2] = ["member.dump", "subscribers.db.dump"];
/// Files with the addresses of Sympa's table of exclusions, which somebody wrote beside the dumps.
const EXCLUDED: [&str; 3] = ["exclude", "exclude.dump", "exclusion.dump"];

/// Forms of delivery that this server has not, and what is done in their place.
const RECEPTIONS: &[(&str, &str)] = &[
    ("digestplain", "the person gets digests, with HTML beside the text"),
    ("summary", "the person gets digests"),
    ("notice", "the person gets each mail"),
    ("txt", "the person gets each mail whole"),
    ("html", "the person gets each mail whole"),
    ("urlize", "the person gets each mail with its attachments"),
    ("not_me", "the person gets the own posts, too"),
];

/// The members of a list.
#[derive(Debug, Default)]
pub(super) struct Members {
    pub(super) people: Vec<SourcePerson>,
    /// How many do not want to be seen by others.
    pub(super) concealed: u64,
}

/// What a dump says of somebody.
#[derive(Debug, Default)]
struct Facts<'a>(Vec<(&'a str, &'a str)>);

impl<'a> Facts<'a> {
    fn get(&self, key: &str) -> Option<&'a str> {
        let found = self.0.iter().find(|(name, _)| *name == key).map(|(_, value)| *value);
        found.filter(|value| !value.is_empty())
    }

    fn is(&self, key: &str) -> bool {
        self.get(key).is_some_and(|value| value != "0")
    }
}

/// Whether Sympa wrote the members.
pub(super) fn is_there(folder: &Folder) -> bool {
    MEMBER_DUMPS.iter().any(|name| folder.has_file(name))
}

/// Reads the members; `None` if Sympa was not told to write them.
///
/// # Errors
/// In words, if the file cannot be read or has too many people.
pub(super) fn members(
    folder: &Folder,
    now: Timestamp,
    mapping: &mut Mapping,
) -> Result<Option<Members>, String> {
    let Some(dump) = MEMBER_DUMPS.into_iter().find(|name| folder.has_file(name)) else { return Ok(None) };
    let text = folder.people(dump)?.unwrap_or_default();
    let mut members = Members::default();
    let (mut seen, mut wrong) = (HashSet::new(), Vec::new());
    for facts in config::dump(&text).map(Facts) {
        let Some(email) = facts.get("email") else {
            mapping.behind("paragraphs without an address", 1, "they are passed over");
            continue;
        };
        let Ok(address) = EmailAddress::parse(email) else {
            wrong.push(shown(email));
            continue;
        };
        if !seen.insert(address.folded()) {
            continue;
        }
        if PEOPLE_MAX <= members.people.len() {
            return Err(format!("{} has more than {PEOPLE_MAX} members", folder.path().display()));
        }
        members.concealed += u64::from(facts.get("visibility") == Some("conceal"));
        members.people.push(member(&address, &facts, now, mapping));
    }
    if let Some(first) = wrong.first() {
        let what = format!("members whose address is none, such as {first}");
        mapping.behind(&what, wrong.len() as u64, "they are passed over");
    }
    Ok(Some(members))
}

fn member(address: &EmailAddress, facts: &Facts<'_>, now: Timestamp, mapping: &mut Mapping) -> SourcePerson {
    let reception = facts.get("reception").unwrap_or("mail");
    let digest = matches!(reception, "digest" | "digestplain" | "summary");
    match RECEPTIONS.iter().find(|(name, _)| *name == reception) {
        Some((_, instead)) => mapping.behind(&format!("reception {reception}"), 1, instead),
        None if matches!(reception, "mail" | "digest" | "nomail") => {}
        None => mapping.behind(&format!("reception {reception}"), 1, "the person gets each mail"),
    }
    left_behind(facts, mapping);
    let standing = if reception == "nomail" {
        SourceStanding::Paused
    } else {
        suspended(facts, now, mapping).or_else(|| bouncing(facts)).unwrap_or_default()
    };
    let joined = facts.get("date").and_then(seconds).filter(|when| *when <= now);
    SourcePerson {
        address: address.to_string(),
        name: facts.get("gecos").map(one_line).unwrap_or_default(),
        digest: Some(digest),
        standing,
        joined: joined.map(|when| SourceStep { when, from: None, way: JoinWay::Command }),
    }
}

/// Names what a dump says of somebody and what has no place here.
fn left_behind(facts: &Facts<'_>, mapping: &mut Mapping) {
    if facts.get("custom_attribute").is_some() {
        let instead = "they stay there: export them as CSV for crier import contacts";
        mapping.behind("attributes of members of your own", 1, instead);
    }
    if facts.get("topics").is_some_and(|topics| topics != "other") {
        mapping.behind("topics that a member chose", 1, "the person gets the mails of all topics");
    }
    let is_included = facts.is("included") || facts.is("inclusion");
    if is_included && !facts.is("subscribed") {
        let instead =
            "they are members as of now; crier import contacts --sync keeps a list in step with a file";
        mapping.behind("members that come from a data source", 1, instead);
    }
}

/// The pause of somebody on holiday. One that has not begun begins at once, so that none of it is lost.
fn suspended(facts: &Facts<'_>, now: Timestamp, mapping: &mut Mapping) -> Option<SourceStanding> {
    if !facts.is("suspend") {
        return None;
    }
    let (start, end) = (facts.get("startdate").and_then(seconds), facts.get("enddate").and_then(seconds));
    if end.is_some_and(|end| end <= now) {
        return None;
    }
    if start.is_some_and(|start| now < start) {
        mapping.behind("holidays that have not begun", 1, "the pause begins at once");
    }
    Some(end.map_or(SourceStanding::Paused, SourceStanding::PausedUntil))
}

/// The pause of an address that bounces: `bounce` has the times of the first and last failure, their number and the last
/// status.
fn bouncing(facts: &Facts<'_>) -> Option<SourceStanding> {
    let bounce = facts.get("bounce")?;
    Some(SourceStanding::Bouncing { since: bounce.split_whitespace().next().and_then(seconds) })
}

/// The owners and moderators, from their dumps and from the settings of earlier versions.
///
/// # Errors
/// In words, if a file cannot be read.
pub(super) fn administrators(
    folder: &Folder,
    config: &[Paragraph],
    mapping: &mut Mapping,
) -> Result<Vec<SourceAdministrator>, String> {
    let mut found: Vec<SourceAdministrator> = Vec::new();
    for (kind, role) in [("owner", SourceRole::Owner), ("editor", SourceRole::Moderator)] {
        let text = folder.people(&format!("{kind}.dump"))?.unwrap_or_default();
        let of_dump = config::dump(&text).map(Facts);
        let of_config = config.iter().filter(|paragraph| paragraph.name == kind).map(|paragraph| {
            let entries = paragraph.entries.iter();
            Facts(entries.map(|(key, value)| (key.as_str(), value.as_str())).collect())
        });
        for facts in of_dump.chain(of_config).take(ADMINISTRATORS_MAX) {
            let Some(address) = facts.get("email").and_then(|email| EmailAddress::parse(email).ok()) else {
                mapping.behind(&format!("{kind} without an address"), 1, "it is passed over");
                continue;
            };
            if found.iter().any(|known| known.email.eq_ignore_ascii_case(address.as_str())) {
                continue;
            }
            if facts.get("reception") == Some("nomail") {
                mapping.behind(
                    "owners and moderators without mail",
                    1,
                    "notices are chosen by each administrator",
                );
            }
            let name = facts.get("gecos").map(one_line).unwrap_or_default();
            found.push(SourceAdministrator { email: address.to_string(), name, role });
        }
    }
    Ok(found)
}

/// The addresses of people who were taken out and must not come back: an address a line, at its beginning or behind
/// `email`. By the folded form of each.
///
/// # Errors
/// In words, if the file cannot be read.
pub(super) fn excluded(folder: &Folder) -> Result<BTreeMap<String, String>, String> {
    let mut found = BTreeMap::new();
    for name in EXCLUDED {
        let text = folder.people(name)?.unwrap_or_default();
        for line in text.lines() {
            let words = line.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|' | '"' | '\''));
            let address =
                words.filter(|word| word.contains('@')).find_map(|word| EmailAddress::parse(word).ok());
            if let Some(address) = address
                && found.len() < PEOPLE_MAX
            {
                found.entry(address.folded()).or_insert_with(|| address.to_string());
            }
        }
    }
    Ok(found)
}
