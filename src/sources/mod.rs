//! Lists of other list servers, as their files and answers say what they are.
//!
//! A reader here turns what another program kept into a [`SourceList`]: settings under the names of this server's API,
//! people with what they decided, and by name whatever has no place here. It reads files and nothing else: no store, no
//! network. `crier import …` shows and takes in what a reader found.
//!
//! Files come from strangers, so a reader bounds what it reads in size, count and depth, and executes nothing.

pub mod mailman2;
pub mod mailman3;

use std::net::IpAddr;
use std::path::PathBuf;

use serde_json::{Map, Value};

use crate::clock::Timestamp;
use crate::mail::mbox::Quoting;
use crate::model::contact::JoinWay;
use crate::params::columns;

/// In `reply_to`, the address that the list has here.
pub const OWN_ADDRESS: &str = "@";
/// Most people of a list that is read.
pub const PEOPLE_MAX: usize = 1_000_000;

/// A list of another list server.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SourceList {
    /// The program that it comes from, such as `Mailman 2`.
    pub program: &'static str,
    /// Its name there, the local part of its address.
    pub name: String,
    /// The domain of its address there; empty where that is not known.
    pub domain: String,
    /// What it is made with: fields of lists under the names of the API. `restrict_post_lists` is left out where it is
    /// the list itself. A field that is missing gets this server's default.
    pub settings: Map<String, Value>,
    /// Each setting there and what it becomes, for people to read.
    pub mapped: Vec<MappedSetting>,
    /// Members, and people of whom it is known that they must not be members.
    pub people: Vec<SourcePerson>,
    /// Who runs it.
    pub administrators: Vec<SourceAdministrator>,
    /// Addresses that must not be put on the list, and are no people of it.
    pub kept_out: Vec<String>,
    /// Its messages.
    pub archives: Vec<SourceArchive>,
    /// Folders of the pages of its archive, for links to them.
    pub old_pages: Vec<PathBuf>,
    /// What has no place here.
    pub left_behind: Vec<LeftBehind>,
}

/// A setting of another list server, and what it becomes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MappedSetting {
    /// Its name there.
    pub name: String,
    /// Its value there, shortened to one line.
    pub value: String,
    /// What it becomes, in words or as `field: value`; `nothing: …` where it has no place.
    pub becomes: String,
}

/// Somebody on a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourcePerson {
    /// The address, as it is written there.
    pub address: String,
    /// The person's name; empty where it is not known.
    pub name: String,
    /// Whether the person takes digests of the list; `None` for what the address has here.
    pub digest: Option<bool>,
    /// What was decided of mail to the person.
    pub standing: SourceStanding,
    /// How and when the person joined, as far as the source knows it.
    pub joined: Option<SourceStep>,
}

/// What another list server says of mail to somebody.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum SourceStanding {
    /// A member who gets mail.
    #[default]
    Active,
    /// A member who gets no mail of the list for now.
    Paused,
    /// A member who gets no mail until a time.
    PausedUntil(Timestamp),
    /// A member at whose address mail fails.
    Bouncing {
        /// Since when; `None` where that is not known.
        since: Option<Timestamp>,
    },
    /// No member: never confirmed, or waits for approval.
    Unconfirmed,
    /// No member: opted out, or was taken out for good.
    OptedOut {
        /// When; `None` where that is not known.
        when: Option<Timestamp>,
    },
}

/// When, from where and how something was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceStep {
    /// When.
    pub when: Timestamp,
    /// From which network address.
    pub from: Option<IpAddr>,
    /// How.
    pub way: JoinWay,
}

/// Who runs a list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceAdministrator {
    /// The address, as it is written there.
    pub email: String,
    /// The person's name; empty where it is not known.
    pub name: String,
    /// What the person may do.
    pub role: SourceRole,
}

/// What somebody may do who runs a list. The greater role comes last.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum SourceRole {
    /// Decide on held messages and requests.
    #[default]
    Moderator,
    /// Everything with the list.
    Owner,
}

/// Messages of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceArchive {
    /// A mailbox, or a folder of mailboxes or messages.
    pub path: PathBuf,
    /// How lines that begin with From are quoted in it.
    pub quoting: Quoting,
}

/// Something that has no place here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftBehind {
    /// What it is, in words.
    pub what: String,
    /// How many people it concerns; 0 where it is about the list itself.
    pub people: u64,
    /// What is done in its place.
    pub instead: String,
}

impl SourceList {
    /// The address of the list there, or its name where the domain is not known.
    #[must_use]
    pub fn address(&self) -> String {
        if self.domain.is_empty() { self.name.clone() } else { format!("{}@{}", self.name, self.domain) }
    }

    /// Notes that something has no place here, which concerns this number of people more.
    pub fn leave_behind(&mut self, what: &str, people: u64, instead: &str) {
        let is_it = |left: &&mut LeftBehind| left.what == what && left.instead == instead;
        if let Some(left) = self.left_behind.iter_mut().find(is_it) {
            left.people += people;
        } else {
            let (what, instead) = (what.to_owned(), instead.to_owned());
            self.left_behind.push(LeftBehind { what, people, instead });
        }
    }

    /// Notes a setting and what it becomes.
    pub fn map(&mut self, name: &str, value: &str, becomes: &str) {
        let (name, value, becomes) = (name.to_owned(), value.to_owned(), becomes.to_owned());
        self.mapped.push(MappedSetting { name, value, becomes });
    }
}

/// Splits a person's name into first name and surname.
#[must_use]
pub fn split_name(name: &str) -> (String, String) {
    columns::split_name(name)
}

/// Whether a text is a regular expression as the patterns of lists are.
#[must_use]
pub fn is_pattern(text: &str) -> bool {
    regex_automata::util::syntax::parse(text).is_ok()
}
