//! Lists of Sympa, read from their folders.
//!
//! A list's folder has its settings in `config` (see [`settings`]) and, once Sympa was told to write them, its people in
//! `member.dump`, `owner.dump` and `editor.dump` (see [`people`]). Its archive lies in `arc/LIST@HOST` beside the folder
//! of all lists.

mod config;
mod people;
mod scenarios;
mod settings;
mod texts;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use encoding_rs::Encoding;

use super::folder::Folder;
use super::mapping::Mapping;
use super::{SourceArchive, SourceList, SourcePerson, SourceStanding};
use crate::clock::Timestamp;
use crate::model::{Domain, EmailAddress};

/// Most lists of a folder.
const LISTS_MAX: usize = 10_000;
/// Most months of an archive.
const MONTHS_MAX: usize = 2_000;
/// How far above a list's folder the archives of all lists are looked for.
const LEVELS_ABOVE: usize = 4;

/// The folders of the lists at a path: the path itself, the folders in it, or those in folders of robots.
///
/// # Errors
/// In words, if there is none.
pub fn folders(path: &Path) -> Result<Vec<PathBuf>, String> {
    let folder = Folder::open(path, None)?;
    if is_list(&folder) {
        return Ok(vec![path.to_owned()]);
    }
    let mut found = Vec::new();
    for name in folder.folders()? {
        let Some(inner) = folder.folder(&name) else { continue };
        if is_list(&inner) {
            found.push(path.join(&name));
            continue;
        }
        for list in inner.folders()? {
            if inner.folder(&list).is_some_and(|list| is_list(&list)) {
                found.push(path.join(&name).join(list));
            }
        }
        if LISTS_MAX < found.len() {
            return Err(format!("{} has more than {LISTS_MAX} lists", path.display()));
        }
    }
    if found.is_empty() {
        return Err(format!(
            "{} has no list of Sympa: a folder with the file config, or a folder of such folders",
            path.display()
        ));
    }
    Ok(found)
}

fn is_list(folder: &Folder) -> bool {
    folder.has_file("config") && !folder.has_file("config.pck")
}

/// Whether Sympa wrote the members of a list into its folder.
#[must_use]
pub fn has_people(path: &Path) -> bool {
    Folder::open(path, None).is_ok_and(|folder| people::is_there(&folder))
}

/// Reads the list in a folder.
///
/// # Errors
/// In words, if a file of it cannot be read or is too large, or if its members were not written into it.
pub fn read(path: &Path, charset: Option<&'static Encoding>, now: Timestamp) -> Result<SourceList, String> {
    let folder = Folder::open(path, charset)?;
    let text = folder.text("config")?;
    let text = text.ok_or_else(|| format!("{} is no list of Sympa: config is missing", path.display()))?;
    let name = folder.name();
    let mut mapping = Mapping::default();
    let config = config::parse(&text);
    let domain = domain(&folder, &config);
    let members = people::members(&folder, now, &mut mapping)?;
    if members.is_none() && settings::is_open(&config) {
        let address = domain.as_ref().map_or_else(|| name.clone(), |domain| format!("{name}@{domain}"));
        return Err(format!(
            "{} has no members: Sympa keeps them in its database. Have it write them with sympa dump \
             --roles=member,owner,editor {address} (before Sympa 6.2.70: sympa.pl --dump_users --list={address} \
             --role=member, and so on; before 6.2.31: sympa.pl --dump={address})",
            path.display()
        ));
    }
    let administrators = people::administrators(&folder, &config, &mut mapping)?;
    let list = settings::ListFacts {
        name: &name,
        administrators: &administrators,
        concealed: members.as_ref().map_or(0, |members| members.concealed),
    };
    settings::read(&folder, &config, &list, &mut mapping)?;
    texts::read(&folder, &mut mapping)?;
    let mut people = members.map(|members| members.people).unwrap_or_default();
    let kept_out = keep_out(people::excluded(&folder)?, &mut people);
    let (archives, old_pages) = archive(&folder, &name, domain.as_deref())?;
    let Mapping { settings: fields, rows, left } = mapping;
    Ok(SourceList {
        program: "Sympa",
        name,
        domain: domain.unwrap_or_default(),
        settings: fields,
        mapped: rows,
        people,
        administrators,
        kept_out,
        archives,
        old_pages,
        left_behind: left,
    })
}

/// Has nobody be a member who was excluded; returns the excluded addresses that no member has.
fn keep_out(mut excluded: BTreeMap<String, String>, people: &mut [SourcePerson]) -> Vec<String> {
    for person in people {
        let folded = EmailAddress::parse(&person.address).map(|address| address.folded());
        if folded.is_ok_and(|folded| excluded.remove(&folded).is_some()) {
            person.standing = SourceStanding::OptedOut { when: None };
        }
    }
    excluded.into_values().collect()
}

/// The domain of a list: that of its robot, whose folder it is in, else the host of its settings.
fn domain(folder: &Folder, config: &[config::Paragraph]) -> Option<String> {
    let is_domain = |name: &str| name.contains('.') && Domain::parse(name).is_ok();
    let robot = folder.parent()?.file_name()?.to_str().filter(|name| is_domain(name));
    let host = || config::value(config, "host").filter(|name| is_domain(name));
    robot.or_else(host).map(str::to_ascii_lowercase)
}

/// The messages of the archive in their order, and the folder of the archive.
fn archive(
    folder: &Folder,
    name: &str,
    domain: Option<&str>,
) -> Result<(Vec<SourceArchive>, Vec<PathBuf>), String> {
    let nothing = (Vec::new(), Vec::new());
    let Some(domain) = domain else { return Ok(nothing) };
    let mut above = folder.parent();
    for _ in 0..LEVELS_ABOVE {
        let Some(path) = above else { break };
        let pages = path.join("arc").join(format!("{name}@{domain}"));
        if pages.is_dir() {
            let found = messages(&Folder::open(&pages, None)?)?;
            return Ok((found, vec![pages]));
        }
        above = path.parent();
    }
    Ok(nothing)
}

fn messages(archive: &Folder) -> Result<Vec<SourceArchive>, String> {
    let mut found = Vec::new();
    for month in archive.folders()?.into_iter().filter(|name| is_month(name)).take(MONTHS_MAX) {
        let texts = archive.folder(&month).and_then(|month| month.folder("arctxt"));
        if let Some(texts) = texts {
            found.extend(texts.messages()?);
        }
    }
    Ok(found)
}

/// Whether a folder is named as a month: `2015-04`.
fn is_month(name: &str) -> bool {
    let is_number = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    name.split_once('-').is_some_and(|(year, month)| {
        year.len() == 4 && month.len() == 2 && is_number(year) && is_number(month)
    })
}

#[cfg(test)]
mod tests;
