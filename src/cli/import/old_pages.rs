//! `crier import pipermail-links`: reads which message each page of an old archive showed, and has the pages' addresses
//! lead to the messages here.
//!
//! Numbers are read from the names of the pages and never counted, since an archive may have been made anew without some
//! messages. Sympa's pages do not stand by themselves, so theirs follow the order of the messages in its folder.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Args;
use clap::builder::BoolishValueParser;
use serde::Serialize;

use super::old_page::{self, OldPage};
use super::progress::Progress;
use super::report::ImportReport;
use super::words::refusal_of;
use crate::cli::manage::{AccountArgs, say_json};
use crate::cli::terminal::{say, tell};
use crate::cli::{Absent, DataArgs, Failure, carry_out, unexpected};
use crate::clock::Timestamp;
use crate::control::old_links::{OldArchive, OldLinksAction, OldLinksReply, OldLinksRequest, OldPageRow};
use crate::control::{Reply, Request};
use crate::model::OldAddress;
use crate::ops::archive::old_links::sympa_pages;

pub(super) const AFTER_HELP: &str = "\
DIR is the folder of the list's pages: of Mailman 2 archives/private/LIST, of Sympa arc/LIST@HOST. Import the \
messages first, with crier import mbox; the order does not matter, though. Each page of pipermail names its message \
by the link to answer it, else by its date, subject and author. A page whose message is not here leads to the search.

HyperKitty's addresses are known by themselves. Running it again changes nothing.";

/// Pages that are sent together.
const PAGES_PER_REQUEST: usize = 5000;
/// Bytes at the beginning of a page or of a message that are read.
const HEAD_BYTES: u64 = 64 << 10;
/// Missing messages that are told one by one.
const MISSING_TOLD: usize = 20;

/// The flag that names the old server.
#[derive(Debug, Default, Args)]
pub(super) struct OldUrlArgs {
    /// Address under which the source answered, as a URL, so that its links lead here; may be repeated
    #[arg(long = "old-url", env = "CRIER_OLD_URL", value_name = "URL", value_delimiter = ',')]
    old_urls: Vec<String>,
}

impl OldUrlArgs {
    /// Notes where the source answered; a dry run only checks it.
    pub(super) fn note(
        &self,
        data: &DataArgs,
        account: &AccountArgs,
        list: &str,
        dry_run: bool,
    ) -> Result<(), Failure> {
        if self.old_urls.is_empty() {
            return Ok(());
        }
        let (list, urls) = (Some(list.to_owned()), self.old_urls.clone());
        let noted = ask(data, account, OldLinksAction::Source { list, urls, dry_run })?;
        noted.notes.iter().for_each(tell);
        Ok(())
    }
}

fn ask(data: &DataArgs, account: &AccountArgs, action: OldLinksAction) -> Result<OldLinksReply, Failure> {
    let request = Request::OldLinks(OldLinksRequest { account: account.clone().name(), action });
    match carry_out(&data.data, &request, Absent::Refuse)? {
        Reply::OldLinks(reply) => Ok(*reply),
        refusal @ (Reply::Invalid { .. } | Reply::Missing { .. } | Reply::Failed { .. }) => {
            Err(refusal_of(refusal))
        }
        other => Err(unexpected(&other)),
    }
}

/// The flags of `import pipermail-links` as they are typed.
#[derive(Debug, Args)]
pub(in crate::cli) struct OldPagesArgs {
    #[command(flatten)]
    data: DataArgs,
    #[command(flatten)]
    account: AccountArgs,
    /// Folder of the pages of the list's old archive
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// List whose archive has the messages
    #[arg(long, env = "CRIER_LIST", value_name = "LIST")]
    list: String,
    #[command(flatten)]
    old_urls: OldUrlArgs,
    /// Write the pages whose messages are missing to this CSV file
    #[arg(long, env = "CRIER_REPORT", value_name = "FILE")]
    report: Option<PathBuf>,
    /// Print the numbers as one JSON object
    #[arg(long, env = "CRIER_JSON", value_parser = BoolishValueParser::new())]
    json: bool,
}

/// The results.
#[derive(Debug, Default, Serialize)]
struct Summary {
    pages: u64,
    by_message_id: u64,
    by_date_and_author: u64,
    missing: u64,
}

/// A page, and its file for the report.
type Placed = (OldPageRow, String);

/// Runs the command.
pub(super) fn run(args: OldPagesArgs) -> Result<ExitCode, Failure> {
    let OldPagesArgs { data, account, folder, list, old_urls, report, json } = args;
    let folders = folders_of(&folder)?;
    old_urls.note(&data, &account, &list, false)?;
    let mut report = report.map(|path| ImportReport::create(&path)).transpose()?;
    let summary = take(&data, &account, folders, &list, &mut report)?;
    report.map_or(Ok(()), ImportReport::finish)?;
    print(&summary, json)
}

/// Has the pages of the archive of a list lead to its messages here, and says so.
pub(super) fn lead(
    data: &DataArgs,
    account: &AccountArgs,
    (folder, list): (&Path, &str),
    report: &mut Option<ImportReport>,
) -> Result<(), Failure> {
    let Summary { pages, by_message_id, by_date_and_author, missing: _ } =
        take(data, account, folders_of(folder)?, list, report)?;
    tell(format_args!("{} of {pages} old pages lead to their messages", by_message_id + by_date_and_author));
    Ok(())
}

fn take(
    data: &DataArgs,
    account: &AccountArgs,
    folders: Vec<Folder>,
    list: &str,
    report: &mut Option<ImportReport>,
) -> Result<Summary, Failure> {
    let mut summary = Summary::default();
    let mut progress = Progress::start("pages", None);
    let mut waiting: Vec<Placed> = Vec::new();
    let mut goes_on = false;
    let mut all = folders.into_iter().peekable();
    while let Some(found) = all.next() {
        waiting.extend(found.pages()?);
        while PAGES_PER_REQUEST <= waiting.len() || (all.peek().is_none() && !waiting.is_empty()) {
            let step: Vec<Placed> = waiting.drain(..PAGES_PER_REQUEST.min(waiting.len())).collect();
            let (pages, files): (Vec<OldPageRow>, Vec<String>) = step.into_iter().unzip();
            let sent = pages.len() as u64;
            let subjects: Vec<String> = pages.iter().map(|page| page.subject.clone()).collect();
            let reply = ask(data, account, OldLinksAction::Pages { list: list.to_owned(), goes_on, pages })?;
            goes_on = true;
            summary.pages += sent;
            summary.by_message_id += reply.by_id;
            summary.by_date_and_author += reply.by_facts;
            for place in reply.missing {
                let (file, subject) = (&files[place], &subjects[place]);
                if summary.missing < MISSING_TOLD as u64 {
                    progress.tell(&format!("{file}: its message is not here: {subject}"));
                }
                summary.missing += 1;
                report.as_mut().map_or(Ok(()), |report| report.add([file, "", "missing", subject]))?;
            }
            progress.at(0, summary.pages);
        }
    }
    progress.finish();
    Ok(summary)
}

fn print(summary: &Summary, json: bool) -> Result<ExitCode, Failure> {
    if json {
        return say_json(summary);
    }
    let Summary { pages, by_message_id, by_date_and_author, missing } = summary;
    say(format_args!("{} of {pages} pages lead to their messages", by_message_id + by_date_and_author));
    if 0 < *by_date_and_author {
        say(format_args!("{by_date_and_author} of them were found by date, subject and author"));
    }
    if 0 < *missing {
        say(format_args!(
            "{missing} lead to the search: their messages are not in the archive; --report FILE names them"
        ));
    }
    Ok(ExitCode::SUCCESS)
}

/// A folder of an archive with the files that are read.
#[derive(Debug)]
enum Folder {
    /// A volume of pipermail, and its pages by their numbers.
    Volume(String, Vec<(u32, PathBuf)>),
    /// A month of Sympa, and its messages in their order.
    Month(String, Vec<(u32, PathBuf)>),
}

impl Folder {
    fn pages(self) -> Result<Vec<Placed>, Failure> {
        match self {
            Folder::Volume(volume, files) => {
                files.into_iter().map(|(number, path)| pipermail_page(&volume, number, &path)).collect()
            }
            Folder::Month(month, files) => {
                let heads = files.iter().map(|(_, path)| head(path));
                let ids =
                    heads.map(|head| head.map(|head| message_id(&head))).collect::<Result<Vec<_>, _>>()?;
                let rows = sympa_pages(&month, ids).into_iter().zip(files);
                Ok(rows
                    .filter_map(|(page, (_, path))| sympa_row(page.address, page.message_id, &path))
                    .collect())
            }
        }
    }
}

fn pipermail_page(volume: &str, number: u32, path: &Path) -> Result<Placed, Failure> {
    let OldPage { message_id, subject, author, author_address, written } = old_page::read(&head(path)?);
    let row = OldPageRow {
        archive: OldArchive::Pipermail,
        folder: volume.to_owned(),
        number,
        message_id,
        subject,
        author,
        author_address,
        written_ms: written.map(Timestamp::ms),
    };
    Ok((row, path.display().to_string()))
}

fn sympa_row(address: OldAddress, message_id: Option<String>, path: &Path) -> Option<Placed> {
    let OldAddress::Sympa { month, number } = address else { return None };
    let row = OldPageRow {
        archive: OldArchive::Sympa,
        folder: month,
        number,
        message_id,
        subject: String::new(),
        author: String::new(),
        author_address: String::new(),
        written_ms: None,
    };
    Some((row, path.display().to_string()))
}

/// The beginning of a file as text; pages without UTF-8 are nearly all in Latin-1.
fn head(path: &Path) -> Result<String, Failure> {
    let unreadable = |error| Failure::Failed(format!("{} cannot be read: {error}", path.display()));
    let mut bytes = Vec::new();
    File::open(path).map_err(unreadable)?.take(HEAD_BYTES).read_to_end(&mut bytes).map_err(unreadable)?;
    Ok(match std::str::from_utf8(&bytes) {
        Ok(text) => text.to_owned(),
        // The last character may be cut.
        Err(error) if error.error_len().is_none() => String::from_utf8_lossy(&bytes).into_owned(),
        Err(_) => bytes.iter().map(|byte| char::from(*byte)).collect(),
    })
}

/// The Message-ID in the header of a message, without angle brackets.
pub(super) fn message_id(head: &str) -> Option<String> {
    let header = head.replace("\r\n", "\n");
    let header = header.split("\n\n").next().unwrap_or_default().replace("\n ", " ").replace("\n\t", " ");
    let field = header.lines().find_map(|line| {
        let (name, value) = line.split_once(':')?;
        name.trim().eq_ignore_ascii_case("message-id").then(|| value.trim().to_owned())
    })?;
    let id = field.split_once('<').map_or(field.as_str(), |(_, behind)| behind);
    let id = id.split('>').next().unwrap_or_default().trim();
    (!id.is_empty()).then(|| id.to_owned())
}

/// The folders of an archive that have pages, in the order of their names.
fn folders_of(folder: &Path) -> Result<Vec<Folder>, Failure> {
    let mut found = Vec::new();
    for (name, path) in entries(folder)? {
        if !path.is_dir() {
            continue;
        }
        let arctxt = path.join("arctxt");
        if arctxt.is_dir() {
            let files = numbered(&arctxt, |name| name.strip_suffix(".eml").unwrap_or(name).parse().ok())?;
            found.push(Folder::Month(name, files));
        } else {
            let files = numbered(&path, |name| name.strip_suffix(".html")?.parse().ok())?;
            if !files.is_empty() {
                found.push(Folder::Volume(name, files));
            }
        }
    }
    if found.is_empty() {
        let text = format!(
            "{} has no pages of an archive: folders such as 2015-April with 000001.html, or 2015-04 with arctxt",
            folder.display()
        );
        return Err(Failure::Failed(text));
    }
    Ok(found)
}

/// The files of a folder whose names are numbers, in the order of these.
fn numbered(folder: &Path, number: impl Fn(&str) -> Option<u32>) -> Result<Vec<(u32, PathBuf)>, Failure> {
    let files = entries(folder)?.into_iter().filter_map(|(name, path)| Some((number(&name)?, path)));
    let mut files: Vec<(u32, PathBuf)> = files.filter(|(_, path)| path.is_file()).collect();
    files.sort();
    Ok(files)
}

fn entries(folder: &Path) -> Result<Vec<(String, PathBuf)>, Failure> {
    let unreadable = |error| Failure::Failed(format!("{} cannot be read: {error}", folder.display()));
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        if let Some(name) = path.file_name().and_then(|name| name.to_str()) {
            found.push((name.to_owned(), path.clone()));
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_id_stands_in_the_header_alone() {
        let with =
            "Subject: a\r\nMessage-Id:\r\n <a@b.example>\r\nFrom: x\r\n\r\nMessage-ID: <other@b.example>";
        assert_eq!(message_id(with).as_deref(), Some("a@b.example"));
        assert_eq!(message_id("Subject: a\n\nMessage-ID: <other@b.example>"), None);
        assert_eq!(message_id("Message-ID: <>\n\n"), None);
    }
}
