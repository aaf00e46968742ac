//! Lists of mlmmj, read from their folders.
//!
//! Members stand in `subscribers.d`, `digesters.d` and `nomailsubs.d`, an address a line; the settings are files of
//! `control`, see [`settings`]; the archive has a file a message. Addresses in `bounce` have failed lately, and those in
//! `subconf` and `moderation` wait to be confirmed or approved: they are no members.

mod access;
mod settings;

use std::collections::BTreeMap;
use std::path::Path;

use encoding_rs::Encoding;

use super::folder::{Folder, seconds};
use super::mapping::{Mapping, shown};
use super::{PEOPLE_MAX, SourceList, SourcePerson, SourceStanding};
use crate::clock::Timestamp;
use crate::model::EmailAddress;

/// Most lists of a folder.
const LISTS_MAX: usize = 10_000;
/// Most files of a list that are read to tell who bounces or waits.
const FILES_MAX: usize = 200_000;
/// Largest file about one address that bounces or waits, in bytes.
const NOTE_BYTES_MAX: u64 = 64 << 10;

/// The folders of the lists at a path: the path itself, or the folders in it.
///
/// # Errors
/// In words, if there is none.
pub fn folders(path: &Path) -> Result<Vec<std::path::PathBuf>, String> {
    let folder = Folder::open(path, None)?;
    if is_list(&folder) {
        return Ok(vec![path.to_owned()]);
    }
    let names = folder.folders()?;
    let is_list = |name: &String| folder.folder(name).is_some_and(|folder| is_list(&folder));
    let found: Vec<_> = names.into_iter().filter(is_list).map(|name| path.join(name)).collect();
    match found.len() {
        0 => Err(format!(
            "{} has no list of mlmmj: a folder with subscribers.d and control, or a folder of such folders",
            path.display()
        )),
        1..=LISTS_MAX => Ok(found),
        _ => Err(format!("{} has more than {LISTS_MAX} lists", path.display())),
    }
}

fn is_list(folder: &Folder) -> bool {
    folder.has_folder("subscribers.d") && folder.has_folder("control")
}

/// Reads the list in a folder.
///
/// # Errors
/// In words, if a file of it cannot be read or is too large.
pub fn read(path: &Path, charset: Option<&'static Encoding>) -> Result<SourceList, String> {
    let folder = Folder::open(path, charset)?;
    if !is_list(&folder) {
        return Err(format!("{} is no list of mlmmj: subscribers.d and control are missing", path.display()));
    }
    let mut mapping = Mapping::default();
    let control = folder.folder("control").ok_or("control cannot be read")?;
    let settings = settings::read(&control, &mut mapping)?;
    let people = people(&folder, &mut mapping)?;
    waiting(&folder, &mut mapping)?;
    let (name, domain) = match settings.addresses.first() {
        Some(address) => (address.local().to_owned(), address.domain().to_owned()),
        None => (folder.name(), String::new()),
    };
    let archives = folder.folder("archive").map(|archive| archive.messages()).transpose()?;
    if folder.folder("text").is_some() {
        mapping.behind(
            "text: the texts of the mails that mlmmj writes",
            0,
            "the texts of this server are used",
        );
    }
    let Mapping { settings: fields, rows, left } = mapping;
    Ok(SourceList {
        program: "mlmmj",
        name,
        domain,
        settings: fields,
        mapped: rows,
        people,
        administrators: settings.administrators,
        archives: archives.unwrap_or_default(),
        left_behind: left,
        ..SourceList::default()
    })
}

/// The ways in which an address is subscribed.
#[derive(Debug, Default)]
struct Subscribed {
    address: String,
    normal: bool,
    digest: bool,
    nomail: bool,
}

/// The members, in the order of their addresses.
fn people(folder: &Folder, mapping: &mut Mapping) -> Result<Vec<SourcePerson>, String> {
    let mut found: BTreeMap<String, Subscribed> = BTreeMap::new();
    let mut wrong: Vec<String> = Vec::new();
    for kind in ["subscribers.d", "digesters.d", "nomailsubs.d"] {
        let Some(files) = folder.folder(kind) else { continue };
        for file in files.files()? {
            for line in files.people(&file)?.unwrap_or_default().lines().map(str::trim) {
                if line.is_empty() {
                    continue;
                }
                let Ok(address) = EmailAddress::parse(line) else {
                    wrong.push(shown(line));
                    continue;
                };
                if PEOPLE_MAX <= found.len() {
                    return Err(format!("{} has more than {PEOPLE_MAX} members", folder.path().display()));
                }
                let subscribed = found
                    .entry(address.folded())
                    .or_insert_with(|| Subscribed { address: address.to_string(), ..Subscribed::default() });
                match kind {
                    "subscribers.d" => subscribed.normal = true,
                    "digesters.d" => subscribed.digest = true,
                    _ => subscribed.nomail = true,
                }
            }
        }
    }
    if let Some(first) = wrong.first() {
        let what = format!("lines of members that are no addresses, such as {first}");
        mapping.behind(&what, wrong.len() as u64, "they are passed over");
    }
    let bouncing = bouncing(folder)?;
    Ok(found.into_iter().map(|(folded, how)| person(how, bouncing.get(&folded), mapping)).collect())
}

fn person(how: Subscribed, bounce: Option<&Option<Timestamp>>, mapping: &mut Mapping) -> SourcePerson {
    let Subscribed { address, normal, digest, nomail } = how;
    if normal && digest {
        mapping.behind("single mails and digests for the same address", 1, "the person gets single mails");
    }
    if nomail && (normal || digest) {
        mapping.behind(
            "subscribed with and without mail",
            1,
            "the membership is not paused, as mlmmj sends mail",
        );
    }
    let standing = match bounce {
        _ if nomail && !normal && !digest => SourceStanding::Paused,
        Some(since) => SourceStanding::Bouncing { since: *since },
        None => SourceStanding::Active,
    };
    SourcePerson { address, name: String::new(), digest: Some(digest && !normal), standing, joined: None }
}

/// The addresses to which mail failed, by their folded form, each with its first failure. A file is named by its address
/// with = for @, and has a line a failure: the number of the message, a colon and the time.
fn bouncing(folder: &Folder) -> Result<BTreeMap<String, Option<Timestamp>>, String> {
    let mut found = BTreeMap::new();
    let Some(bounces) = folder.folder("bounce") else { return Ok(found) };
    for file in bounces.files()?.into_iter().take(FILES_MAX) {
        // Beside the file of an address lie the last bounce and the mark of a probe.
        let is_beside = file.ends_with("-probe") || matches!(file.rsplit_once('.'), Some((_, "lastmsg")));
        let Some((local, domain)) = file.rsplit_once('=').filter(|_| !is_beside) else { continue };
        let Ok(address) = EmailAddress::from_parts(local, domain) else { continue };
        let text = bounces.bytes(&file, NOTE_BYTES_MAX).ok().flatten().unwrap_or_default();
        let text = bounces.decode(&text);
        let since = text.lines().find_map(|line| {
            let (_, behind) = line.split_once(':')?;
            let digits = behind.trim_start().split(|c: char| !c.is_ascii_digit()).next()?;
            seconds(digits)
        });
        found.insert(address.folded(), since);
    }
    Ok(found)
}

/// Names who waits, and which messages wait: none of them is taken along.
fn waiting(folder: &Folder, mapping: &mut Mapping) -> Result<(), String> {
    let count = |name: &str| -> Result<Vec<String>, String> {
        folder.folder(name).map_or(Ok(Vec::new()), |folder| folder.files())
    };
    let joining = count("subconf")?.len() as u64;
    if 0 < joining {
        mapping.behind("subconf: requests to join that are not confirmed", joining, "they are no members");
    }
    let leaving = count("unsubconf")?.len() as u64;
    if 0 < leaving {
        let instead = "they stay members until they confirm it or leave here";
        mapping.behind("unsubconf: requests to leave that are not confirmed", leaving, instead);
    }
    let (asked, held): (Vec<String>, Vec<String>) =
        count("moderation")?.into_iter().partition(|name| name.starts_with("subscribe"));
    if !asked.is_empty() {
        let instead = "they are no members: let them ask again, or decide there first";
        mapping.behind("moderation: requests to join that wait for approval", asked.len() as u64, instead);
    }
    let held = held.iter().filter(|name| !name.contains('.')).count();
    if 0 < held {
        let what = format!("moderation: {held} messages that wait for approval");
        mapping.behind(&what, 0, "decide them there first, or give them to crier inject");
    }
    Ok(())
}

#[cfg(test)]
mod tests;
