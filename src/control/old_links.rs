//! Keeps where the addresses lead that the pages of lists had on another server.
//!
//! `execute` calls it for `crier link …`, for `crier import pipermail-links` and for `--old-url` of imports.

use std::sync::Arc;

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use serde::{Deserialize, Serialize};

use super::error::CommandError;
use super::host::{Host, find_account, operator_of};
use crate::clock::Timestamp;
use crate::model::{Account, Domain, List, ListName, OldAddress};
use crate::ops::archive::import::target;
use crate::ops::archive::old_links::{self, Matched, PAGES_PER_STEP, PageFacts, list_of, written};
use crate::ops::domains::old_names::{self, host_name};
use crate::ops::domains::sites::{OwnHost, is_web_domain};
use crate::ops::lists::earlier_names;
use crate::ops::{Caller, OpError};

/// Addresses that one answer lists.
const LISTED_MAX: usize = 1000;
/// The characters that stand encoded in an address.
const ENCODED: &AsciiSet = &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>');

/// The actions on old addresses.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OldLinksAction {
    /// Has addresses lead elsewhere: each with the line of a file in which it stands, the old one and the new one.
    Add {
        /// The addresses.
        links: Vec<(u64, String, String)>,
    },
    /// Lists the old hosts, and the next addresses that were given by hand.
    List {
        /// The last address of the answer before.
        after: Option<String>,
    },
    /// Forgets an address that was given by hand, or an old host.
    Delete {
        /// The address, or the host.
        old: String,
    },
    /// Notes the addresses under which another server answered.
    Source {
        /// The list that was there.
        list: Option<String>,
        /// Their URLs.
        urls: Vec<String>,
        /// Whether they are only checked.
        dry_run: bool,
    },
    /// Keeps where pages of an old archive lead.
    Pages {
        /// The list.
        list: String,
        /// Whether more was sent before these.
        goes_on: bool,
        /// The pages.
        pages: Vec<OldPageRow>,
    },
    /// Notes the hashes by which `HyperKitty` names the messages of a list.
    Rebuild {
        /// The list.
        list: String,
    },
}

/// `crier link …`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OldLinksRequest {
    /// Name of the account; the server's only one if unset.
    pub account: Option<String>,
    /// The action.
    pub action: OldLinksAction,
}

/// The program that made the pages of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OldArchive {
    /// Pipermail, of Mailman 2.
    Pipermail,
    /// Sympa.
    Sympa,
}

/// A page of an old archive.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OldPageRow {
    /// The program that made it.
    pub archive: OldArchive,
    /// Its folder: a volume of pipermail such as `2015-April`, a month of Sympa such as `2015-04`.
    pub folder: String,
    /// The number in its name.
    pub number: u32,
    /// The Message-ID that it names, without angle brackets.
    pub message_id: Option<String>,
    /// The subject.
    pub subject: String,
    /// The name of the author.
    pub author: String,
    /// The address of the author; blank if the page has none.
    pub author_address: String,
    /// When it was written, by a clock of some zone, as milliseconds since 1970 as if that were UTC.
    pub written_ms: Option<i64>,
}

impl From<OldPageRow> for PageFacts {
    fn from(row: OldPageRow) -> PageFacts {
        let OldPageRow { archive, folder, number, message_id, subject, author, author_address, written_ms } =
            row;
        let address = match archive {
            OldArchive::Pipermail => OldAddress::Pipermail { volume: folder, number },
            OldArchive::Sympa => OldAddress::Sympa { month: folder, number },
        };
        let written = written_ms.map(Timestamp::from_ms);
        PageFacts { address, message_id, subject, author, author_address, written }
    }
}

/// The answer to a request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OldLinksReply {
    /// Addresses that lead somewhere now and were unknown before; messages whose hashes were noted.
    pub made: u64,
    /// Addresses that lead elsewhere now, or were forgotten.
    pub changed: u64,
    /// The old hosts of the account, if they were asked for.
    pub hosts: Vec<String>,
    /// Addresses that were given by hand, each with where it leads.
    pub links: Vec<(String, String)>,
    /// Whether there are more.
    pub is_more: bool,
    /// Addresses that were refused: their lines and the reasons.
    pub refused: Vec<(u64, String)>,
    /// Pages whose message was found by its Message-ID.
    pub by_id: u64,
    /// Pages whose message was found by its time, subject and author.
    pub by_facts: u64,
    /// Pages whose message is not there, by their places in the request.
    pub missing: Vec<usize>,
    /// Words for the operator.
    pub notes: Vec<String>,
}

/// Carries a request out.
pub(super) fn run(
    host: &Host,
    request: OldLinksRequest,
    progress: &mut dyn FnMut(String),
) -> Result<OldLinksReply, CommandError> {
    let OldLinksRequest { account, action } = request;
    let account = find_account(&host.core.store.read()?, account.as_deref())?;
    match action {
        OldLinksAction::Add { links } => add(host, &account, links),
        OldLinksAction::List { after } => list(host, &account, after.as_deref()),
        OldLinksAction::Delete { old } => delete(host, &account, &old),
        OldLinksAction::Source { list, urls, dry_run } => {
            source(host, &account, list.as_deref(), &urls, dry_run)
        }
        OldLinksAction::Pages { list, goes_on, pages } => note_pages(host, &account, &list, goes_on, pages),
        OldLinksAction::Rebuild { list } => rebuild(host, &account, &list, progress),
    }
}

/// An old address as it was typed: its host, if it names one, and the form in which it is kept.
fn read_old(text: &str) -> Result<(Option<Domain>, String), String> {
    let wrong = || format!("{text:?} must be a URL, or a path such as /news/2015.html");
    let bare = text.trim().split('#').next().unwrap_or_default();
    let scheme = ["https://", "http://"].iter().find_map(|scheme| bare.strip_prefix(scheme));
    let (host, rest) = match scheme {
        Some(rest) => {
            let (authority, rest) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
            (Some(host_name(authority).ok_or_else(wrong)?), rest)
        }
        None if bare.starts_with('/') => (None, bare),
        None => return Err(wrong()),
    };
    let (path, query) = match rest.split_once('?') {
        Some((path, query)) => (path, Some(query)),
        None => (rest, None),
    };
    let address = written(host.as_ref().map_or("", Domain::as_str), path, query);
    Ok((host, address))
}

/// Where an address leads, as it was typed: a path of the account's pages, a URL, or the name of a list.
fn read_new(host: &Host, account: &Account, text: &str) -> Result<String, CommandError> {
    let (tx, text) = (host.core.store.read()?, text.trim());
    let encoded = || utf8_percent_encode(text, ENCODED).to_string();
    if text.starts_with('/') && !text.starts_with("//") {
        return Ok(encoded());
    }
    if text.starts_with("https://") || text.starts_with("http://") {
        let links = host.core.links.of(&tx, account.id)?;
        let url = encoded();
        let bases = links.known_bases().iter().filter(|base| !base.is_empty());
        let below =
            bases.filter_map(|base| url.strip_prefix(base.as_str())).find(|path| path.starts_with('/'));
        return Ok(below.map_or_else(|| url.clone(), str::to_owned));
    }
    let named = ListName::parse(text).ok().map(|_| target(&tx, &Caller::operator(account.id), text));
    match named {
        Some(Ok(list)) => Ok(format!("/lists/{}/", list.name)),
        Some(Err(OpError::Store(error))) => Err(error.into()),
        Some(Err(_)) | None => Err(CommandError::Told(format!(
            "{text:?} must be a path such as /lists/news/, a URL, or the name of a list"
        ))),
    }
}

fn add(
    host: &Host,
    account: &Account,
    links: Vec<(u64, String, String)>,
) -> Result<OldLinksReply, CommandError> {
    let (caller, mut reply) = (operator_of(account.id), OldLinksReply::default());
    let mut good = Vec::with_capacity(links.len());
    for (line, old, new) in links {
        match read_pair(host, account, &caller, (&old, &new), &mut reply) {
            Ok(pair) => good.push(pair),
            Err(CommandError::Op(OpError::Store(error))) => return Err(error.into()),
            Err(CommandError::Op(error)) => reply.refused.push((line, error.to_string())),
            Err(CommandError::Told(text)) => reply.refused.push((line, text)),
            Err(error) => return Err(error),
        }
    }
    for step in good.chunks(PAGES_PER_STEP) {
        let links = step.to_vec();
        let made = host
            .core
            .perform_blocking(&caller, move |tx, by| old_links::add_by_hand(tx, &by.caller, links, by.now))?;
        reply.made += made;
        reply.changed += step.len() as u64 - made;
    }
    Ok(reply)
}

/// Reads an old address and where it leads; the host of the old one is led on from then on.
fn read_pair(
    host: &Host,
    account: &Account,
    caller: &Arc<Caller>,
    (old, new): (&str, &str),
    reply: &mut OldLinksReply,
) -> Result<(String, String), CommandError> {
    let (old_host, old) = read_old(old).map_err(CommandError::Told)?;
    let new = read_new(host, account, new)?;
    old_links::check_by_hand(&old, &new)?;
    if let Some(name) = old_host {
        reply.notes.extend(add_host(host, caller, &name)?);
    }
    Ok((old, new))
}

/// Has requests at a host led on; returns words for the operator, if that is news.
fn add_host(host: &Host, caller: &Arc<Caller>, name: &Domain) -> Result<Option<String>, CommandError> {
    let tx = host.core.store.read()?;
    let is_own = OwnHost::of(&host.core.config).is_domain(name) || is_web_domain(&tx, name)?;
    let is_known = old_names::find(&tx, name)?.is_some_and(|known| known.account == caller.account);
    drop(tx);
    if is_own || is_known {
        return Ok(None);
    }
    let added = name.clone();
    let is_new =
        host.core.perform_blocking(caller, move |tx, by| old_names::add(tx, &by.caller, &added, by.now))?;
    Ok(is_new.then(|| {
        format!(
            "Requests at {name} are led on to the account's pages as soon as its DNS leads to this server"
        )
    }))
}

fn list(host: &Host, account: &Account, after: Option<&str>) -> Result<OldLinksReply, CommandError> {
    let tx = host.core.store.read()?;
    let mut links = old_links::given_by_hand(&tx, account.id, after, LISTED_MAX + 1)?;
    let is_more = LISTED_MAX < links.len();
    links.truncate(LISTED_MAX);
    let names = old_names::of_account(&tx, account.id)?.into_iter().map(|name| name.host.to_string());
    let hosts = if after.is_none() { names.collect() } else { Vec::new() };
    Ok(OldLinksReply { hosts, links, is_more, ..OldLinksReply::default() })
}

fn delete(host: &Host, account: &Account, old: &str) -> Result<OldLinksReply, CommandError> {
    let caller = operator_of(account.id);
    let is_known = match (Domain::parse(old.trim()), read_old(old)) {
        (Ok(name), _) => host
            .core
            .perform_blocking(&caller, move |tx, by| old_names::remove(tx, &by.caller, &name, by.now))?,
        (Err(_), Ok((_, address))) => host.core.perform_blocking(&caller, move |tx, by| {
            old_links::delete_by_hand(tx, &by.caller, &address, by.now)
        })?,
        (Err(_), Err(problem)) => return Err(CommandError::Told(problem)),
    };
    if !is_known {
        return Err(CommandError::Told(format!("no such old address is known: {old}")));
    }
    Ok(OldLinksReply { changed: 1, ..OldLinksReply::default() })
}

fn find_target(host: &Host, account: &Account, name: &str) -> Result<List, CommandError> {
    Ok(target(&host.core.store.read()?, &Caller::operator(account.id), name)?)
}

/// Notes the addresses under which another server answered: its hosts, and the name that a list had there.
fn source(
    host: &Host,
    account: &Account,
    list: Option<&str>,
    urls: &[String],
    dry_run: bool,
) -> Result<OldLinksReply, CommandError> {
    let list = list.map(|name| find_target(host, account, name)).transpose()?;
    let mut read = Vec::new();
    for url in urls {
        let wrong =
            || CommandError::Told(format!("{url:?} must be a URL such as https://lists.old.example/"));
        let (name, address) = read_old(url).map_err(|_| wrong())?;
        let name = name.ok_or_else(wrong)?;
        let path = address.strip_prefix(name.as_str()).unwrap_or_default().to_owned();
        read.push((name, path));
    }
    let (caller, mut reply) = (operator_of(account.id), OldLinksReply::default());
    if dry_run {
        return Ok(reply);
    }
    for (name, path) in read {
        reply.notes.extend(add_host(host, &caller, &name)?);
        let earlier = list_of(&host.core.store.read()?, account.id, &path)?;
        let (Some(list), Some(earlier)) = (&list, earlier) else { continue };
        let (list, known) = (list.clone(), earlier.clone());
        let is_its = host.core.perform_blocking(&caller, move |tx, by| {
            earlier_names::note_elsewhere(tx, &by.caller, &list, &known, by.now)
        })?;
        if !is_its {
            reply.notes.push(format!(
                "Another list has, or had, the name {earlier}: old addresses with this name lead there"
            ));
        }
    }
    Ok(reply)
}

fn note_pages(
    host: &Host,
    account: &Account,
    name: &str,
    goes_on: bool,
    pages: Vec<OldPageRow>,
) -> Result<OldLinksReply, CommandError> {
    let list = find_target(host, account, name)?;
    if !goes_on {
        let begun = list.clone();
        host.core.perform_blocking(&operator_of(account.id), move |tx, by| {
            old_links::begin(tx, &by.caller, &begun, by.now)
        })?;
    }
    let mut reply = OldLinksReply::default();
    let mut pages = pages.into_iter().map(PageFacts::from).enumerate().peekable();
    while pages.peek().is_some() {
        let (places, step): (Vec<usize>, Vec<PageFacts>) = pages.by_ref().take(PAGES_PER_STEP).unzip();
        let leads = old_links::match_pages(&host.core.store.read()?, &list, step)?;
        for (place, lead) in places.into_iter().zip(&leads) {
            match lead.matched {
                Matched::ById => reply.by_id += 1,
                Matched::ByFacts => reply.by_facts += 1,
                Matched::Missing => reply.missing.push(place),
            }
        }
        let list = list.clone();
        // The audit log has one entry for all pages, so they are noted in the server's name.
        host.core
            .perform_blocking(&Caller::of_server(), move |tx, _| old_links::note_pages(tx, &list, leads))?;
    }
    Ok(reply)
}

fn rebuild(
    host: &Host,
    account: &Account,
    name: &str,
    progress: &mut dyn FnMut(String),
) -> Result<OldLinksReply, CommandError> {
    let list = find_target(host, account, name)?;
    let begun = list.clone();
    host.core.perform_blocking(&operator_of(account.id), move |tx, by| {
        old_links::begin(tx, &by.caller, &begun, by.now)
    })?;
    let (mut after, mut made) = (None::<String>, 0_u64);
    loop {
        let (list, behind) = (list.clone(), after.take());
        let (noted, newest) = host.core.perform_blocking(&Caller::of_server(), move |tx, _| {
            old_links::note_messages(tx, &list, behind.as_deref())
        })?;
        made += noted;
        let Some(newest) = newest else { break };
        progress(format!("{made} messages"));
        after = Some(newest);
    }
    Ok(OldLinksReply { made, ..OldLinksReply::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_old_address_is_a_url_or_a_path() {
        let read =
            |text: &str| read_old(text).map(|(host, address)| (host.map(|host| host.to_string()), address));
        let host = || Some("old.example".to_owned());
        for (text, expected) in [
            ("https://Old.Example:8443/a%20b/?x=1#c", (host(), "old.example/a b?x=1")),
            ("http://old.example", (host(), "old.example/")),
            ("/news/2015.html", (None, "/news/2015.html")),
            ("/", (None, "/")),
        ] {
            assert_eq!(read(text), Ok((expected.0, expected.1.to_owned())), "{text}");
        }
        for text in ["", "news", "ftp://old.example/", "https://", "https://127.0.0.1/"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
