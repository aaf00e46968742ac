//! The tunables of mlmmj, which are files of `control`: what each becomes here, after its TUNABLES.
//!
//! Of a boolean the presence counts, of most others the first line, of texts and lists the whole file.

use std::collections::BTreeMap;

use serde_json::Value;

use super::access;
use crate::model::EmailAddress;
use crate::model::account::Subscriptions;
use crate::model::list::{MessageRejections, Moderate, WhoWrites};
use crate::sources::folder::Folder;
use crate::sources::mapping::{Mapping, kilobytes, literal, one_line};
use crate::sources::{OWN_ADDRESS, SourceAdministrator, SourceRole};

/// Most addresses of a tunable that has several.
const ADDRESSES_MAX: usize = 1000;

/// How a tunable is treated.
#[derive(Debug, Clone, Copy)]
enum Treatment {
    /// By code of its own below.
    Read,
    /// This server has no need of it.
    Unneeded,
    /// It has no place here; what is done in its place.
    Instead(&'static str),
}

use Treatment::{Instead, Read, Unneeded};

/// Every tunable of mlmmj, and of the programs around it that keep files there.
const TUNABLES: &[(&str, Treatment)] = &[
    ("listaddress", Read),
    ("closedlist", Read),
    ("closedlistsub", Read),
    ("moderated", Read),
    ("moderators", Read),
    ("submod", Read),
    ("tocc", Read),
    ("subonlypost", Read),
    ("modonlypost", Read),
    ("modnonsubposts", Read),
    ("modreqlife", Instead("what waits for approval is kept as this server says")),
    ("prefix", Read),
    ("owner", Read),
    ("customheaders", Read),
    ("delheaders", Instead("this server takes away the header fields that it replaces")),
    ("access", Read),
    ("memorymailsize", Unneeded),
    ("addtohdr", Instead("To keeps the address of the list")),
    ("relayhost", Instead("where mail goes is said once, when this server is started")),
    ("notifysub", Instead("administrators see who joins and leaves in the audit log")),
    ("notifymod", Read),
    ("digestinterval", Instead("digests come once a day")),
    ("digestmaxmails", Instead("digests come once a day")),
    ("bouncelife", Instead("addresses that bounce are paused and asked again by rules of this server")),
    ("noarchive", Read),
    ("nosubconfirm", Instead("whoever joins by himself confirms it")),
    ("noget", Read),
    ("subonlyget", Read),
    ("verp", Unneeded),
    ("maxverprecips", Unneeded),
    ("notoccdenymails", Unneeded),
    ("noaccessdenymails", Unneeded),
    ("nosubonlydenymails", Read),
    ("nomodonlydenymails", Read),
    ("nosubmodmails", Instead("whoever asks to join is told that it waits for approval")),
    ("smtpport", Unneeded),
    ("delimiter", Instead("commands go to the addresses of this server, such as LIST-subscribe")),
    ("nodigesttext", Instead("digests begin with their contents")),
    ("nodigestsub", Instead("members may choose digests")),
    ("nonomailsub", Instead("members may pause")),
    ("maxmailsize", Read),
    ("nomaxmailsizedenymails", Unneeded),
    ("nolistsubsemail", Unneeded),
    ("staticbounceaddr", Unneeded),
    ("ifmodsendonlymodmoderate", Unneeded),
    ("footer", Read),
    ("footer-text", Read),
    ("footer-html", Read),
    ("notmetoo", Instead("members get their own posts, too")),
    ("smtphelo", Unneeded),
];

/// What the settings say beside the fields of a list.
#[derive(Debug, Default)]
pub(super) struct Settings {
    /// The addresses of the list, the main one first.
    pub(super) addresses: Vec<EmailAddress>,
    /// The owners, moderators and those who approve who joins.
    pub(super) administrators: Vec<SourceAdministrator>,
}

/// The files of `control`, by their names.
struct Control<'a> {
    files: BTreeMap<String, String>,
    mapping: &'a mut Mapping,
}

impl Control<'_> {
    fn has(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }

    fn text(&self, name: &str) -> Option<&str> {
        self.files.get(name).map(String::as_str)
    }

    /// The first line of a tunable.
    fn line(&self, name: &str) -> Option<String> {
        Some(self.text(name)?.lines().next().unwrap_or_default().trim_end().to_owned())
    }

    /// The addresses of a tunable; what is none is named.
    fn addresses(&mut self, name: &str) -> Vec<EmailAddress> {
        let lines: Vec<String> =
            self.text(name).unwrap_or_default().lines().map(str::trim).map(str::to_owned).collect();
        let mut found: Vec<EmailAddress> = Vec::new();
        for line in lines.iter().filter(|line| !line.is_empty()) {
            match EmailAddress::parse(line) {
                Ok(_) if ADDRESSES_MAX <= found.len() => {
                    self.mapping.behind(name, 0, "it has too many addresses; the first ones are taken");
                }
                Ok(address) if !found.contains(&address) => found.push(address),
                Ok(_) => {}
                Err(_) => self.mapping.leave(name, line, "this is no address, and is passed over"),
            }
        }
        found
    }

    /// Sets a field for a boolean that is there.
    fn set(&mut self, name: &str, field: &str, value: impl Into<Value>) {
        self.mapping.set(name, "", field, value);
    }
}

/// Reads all tunables.
///
/// # Errors
/// In words, if a file cannot be read or is too large.
pub(super) fn read(folder: &Folder, mapping: &mut Mapping) -> Result<Settings, String> {
    let mut files = BTreeMap::new();
    for name in folder.files()? {
        match TUNABLES.iter().find(|(known, _)| *known == name) {
            Some((_, Read)) => {
                let text = folder.text(&name)?.unwrap_or_default();
                files.insert(name, text);
            }
            Some((_, Unneeded)) => mapping.row(&name, "", "this server does without"),
            Some((_, Instead(instead))) => {
                let text = folder.text(&name)?.unwrap_or_default();
                mapping.leave(&name, text.lines().next().unwrap_or_default(), instead);
            }
            None => mapping.leave(&name, "", "this setting is not known here"),
        }
    }
    let mut control = Control { files, mapping };
    let addresses = control.addresses("listaddress");
    if addresses.is_empty() {
        control.mapping.behind("listaddress is missing", 0, "the list is called as its folder");
    }
    for also in addresses.iter().skip(1) {
        let instead = "make an alias of it: crier alias create";
        control.mapping.leave("listaddress", also.as_str(), instead);
    }
    joining(&mut control);
    let moderators = control.addresses("moderators");
    posting(&mut control, &moderators);
    content(&mut control, &addresses);
    archive(&mut control);
    let administrators = administrators(&mut control, &moderators);
    Ok(Settings { addresses, administrators })
}

fn joining(control: &mut Control<'_>) {
    let closed = Subscriptions::Closed.word();
    if control.has("closedlist") || control.has("closedlistsub") {
        let name = if control.has("closedlist") { "closedlist" } else { "closedlistsub" };
        control.set(name, "subscriptions", closed);
    } else if control.has("submod") {
        control.set("submod", "subscriptions", Subscriptions::OpenConfirm.word());
    } else {
        control.mapping.set("no closedlist", "", "subscriptions", Subscriptions::Open.word());
    }
    // Whoever gets mail can leave.
    control.mapping.set("members", "", "unsubscriptions", Subscriptions::Open.word());
    if control.has("closedlist") {
        control.mapping.behind("closedlist: nobody leaves by mail", 0, "members can leave here");
    }
}

/// Who may post, and what becomes of the posts of others.
fn posting(control: &mut Control<'_>, moderators: &[EmailAddress]) {
    let mut bits = 0;
    let (mut name, mut value) = ("everybody posts", "");
    if control.has("modonlypost") {
        (name, value) = ("modonlypost", "moderators");
        if moderators.is_empty() {
            control.mapping.behind("modonlypost without moderators", 0, "every message is held");
            bits |= Moderate::HOLD_ALL;
        } else {
            bits |= Moderate::of(WhoWrites::Addresses, false).bits();
            let addresses: Vec<Value> = moderators.iter().map(|address| address.as_str().into()).collect();
            control.mapping.set("moderators", "", "restrict_post_allowed_emails", addresses);
        }
    } else if control.has("subonlypost") || control.has("modnonsubposts") {
        (name, value) = ("subonlypost", "members");
        bits |= Moderate::of(WhoWrites::Members, false).bits();
    }
    if control.has("moderated") {
        value = "moderated";
        bits |= Moderate::HOLD_ALL;
    }
    let rules = control.text("access").map(ToOwned::to_owned);
    if let Some(rules) = rules {
        let access = access::read(&rules, control.mapping);
        if access.holds_all {
            bits |= Moderate::HOLD_ALL;
        }
        if !access.patterns.is_empty() {
            control.mapping.settings.insert("taboo_headers".to_owned(), access.patterns.into());
        }
    }
    control.mapping.set(name, value, "moderate", bits);
    others(control);
    if !control.has("tocc") {
        let instead = "posts are taken wherever they name the list";
        control.mapping.behind(
            "no tocc: posts that do not name the list in To or Cc are refused",
            0,
            instead,
        );
    }
}

fn others(control: &mut Control<'_>) {
    let is_silent =
        control.has(if control.has("modonlypost") { "nomodonlydenymails" } else { "nosubonlydenymails" });
    let (name, rejections) = match () {
        () if control.has("modnonsubposts") => ("modnonsubposts", MessageRejections::Hold),
        () if is_silent => ("nosubonlydenymails", MessageRejections::Discard),
        () => ("posts of others are refused", MessageRejections::Reject),
    };
    control.set(name, "message_rejections", rejections.word());
    let tells = rejections == MessageRejections::Reject;
    control.mapping.set("others are told", "", "send_reject_message", tells);
    let tells = control.has("notifymod");
    control.mapping.set("notifymod", if tells { "" } else { "no" }, "send_hold_message", tells);
}

/// What is put into messages, and how large they may be.
fn content(control: &mut Control<'_>, addresses: &[EmailAddress]) {
    if let Some(prefix) = control.line("prefix").map(|line| one_line(&line)).filter(|line| !line.is_empty()) {
        control.mapping.set("prefix", &prefix, "subject_prefix", prefix.as_str());
    }
    for (name, field) in [
        ("footer", "message_footer"),
        ("footer-text", "message_footer"),
        ("footer-html", "message_footer_html"),
    ] {
        if let Some(text) = control.text(name).map(literal).filter(|text| !text.is_empty()) {
            control.mapping.set(name, &text, field, text.as_str());
        }
    }
    match control.line("maxmailsize") {
        None => {
            control.mapping.behind(
                "no maxmailsize",
                0,
                "messages may have 4096 KB; maxlength says otherwise",
            );
        }
        Some(line) => match line.trim().parse::<u64>() {
            Ok(bytes) if 0 < bytes => {
                let (kilobytes, is_beyond) = kilobytes(bytes);
                control.mapping.set("maxmailsize", &line, "maxlength", kilobytes);
                if is_beyond {
                    control.mapping.behind("maxmailsize", 0, "no message can be larger here than 51200 KB");
                }
            }
            _ => control.mapping.leave("maxmailsize", &line, "this is no size; messages may have 4096 KB"),
        },
    }
    let lines: Vec<String> =
        control.text("customheaders").unwrap_or_default().lines().map(str::to_owned).collect();
    for line in lines.iter().filter(|line| !line.trim().is_empty()) {
        header(control.mapping, line, addresses);
    }
}

/// A header field that is added to every message.
fn header(mapping: &mut Mapping, line: &str, addresses: &[EmailAddress]) {
    let (name, value) = line.split_once(':').unwrap_or((line, ""));
    let name = name.trim().to_ascii_lowercase();
    let value = value.trim();
    let address = value.rsplit_once('<').map_or(value, |(_, behind)| behind.trim_end_matches('>'));
    match name.as_str() {
        "reply-to" => match EmailAddress::parse(address) {
            Ok(address) if addresses.contains(&address) => {
                mapping.set("customheaders", line, "reply_to", OWN_ADDRESS);
            }
            Ok(address) => mapping.set("customheaders", line, "reply_to", address.as_str()),
            Err(_) => mapping.leave("customheaders", line, "replies go to the sender"),
        },
        "precedence" | "list-id" | "list-post" | "list-help" | "list-unsubscribe" | "list-subscribe"
        | "list-owner" | "list-archive" | "errors-to" | "sender" | "x-mailinglist" => {
            mapping.row("customheaders", line, "this server writes its own");
        }
        "to" if addresses.iter().any(|known| known.as_str().eq_ignore_ascii_case(address)) => {
            mapping.row("customheaders", line, "this server writes its own");
        }
        _ => mapping.leave("customheaders", line, "no fields are added to messages here"),
    }
}

/// Whether there is an archive, and who reads it. mlmmj sends messages of it by mail alone, so it is opened to nobody
/// who could not get them, and not to search engines.
fn archive(control: &mut Control<'_>) {
    let keeps = !control.has("noarchive");
    control.set(if keeps { "no noarchive" } else { "noarchive" }, "archive_enabled", keeps);
    let members_read = !control.has("noget");
    control.mapping.set("archive", "", "archive_protected", true);
    control.set(if members_read { "no noget" } else { "noget" }, "archive_memberview", members_read);
    if keeps && members_read && !control.has("subonlyget") {
        let instead = "members alone read the archive; archive_protected opens it to all";
        control.mapping.behind("everybody can get messages of the archive by mail", 0, instead);
    }
}

fn administrators(control: &mut Control<'_>, moderators: &[EmailAddress]) -> Vec<SourceAdministrator> {
    let owners = control.addresses("owner");
    let gatekeepers = control.addresses("submod");
    let mut found: Vec<SourceAdministrator> =
        owners.iter().map(|owner| administrator(owner, SourceRole::Owner)).collect();
    for address in moderators.iter().chain(&gatekeepers) {
        if !found.iter().any(|known| known.email.eq_ignore_ascii_case(address.as_str())) {
            found.push(administrator(address, SourceRole::Moderator));
        }
    }
    found
}

/// An administrator by the address alone.
fn administrator(address: &EmailAddress, role: SourceRole) -> SourceAdministrator {
    SourceAdministrator { email: address.to_string(), name: String::new(), role }
}
