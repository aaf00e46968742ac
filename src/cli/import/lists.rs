//! Takes lists of other list servers in, as a reader of [`sources`](crate::sources) found them: the common end of
//! `crier import mailman2` and its likes.
//!
//! Lists that are missing are made, then people are merged by their addresses, administrators are made on request, and
//! archives come last. What is there already stays as it is, so an import that was cut short is finished by running it
//! again. Nobody is mailed. The steps are those of [`crier`](super::crier).

mod choice;
mod making;
mod people;

use std::collections::BTreeMap;
use std::process::ExitCode;

use clap::Args;
use clap::builder::BoolishValueParser;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::common::CommonArgs;
use super::crier::{Count, Reached, Run, code_of, say_counts, say_end};
use super::old_pages::{self, OldUrlArgs};
use super::report::ImportReport;
use crate::cli::manage::{AccountArgs, say_json};
use crate::cli::terminal::say;
use crate::cli::{DataArgs, Failure};
use crate::sources::{LeftBehind, SourceAdministrator, SourceList, SourceRole};
use choice::Chosen;

/// What an owner of one list and a moderator of another does not get, and why.
const MODERATES_TOO: &str = "moderators of a list who own another list";

/// The flags of every import of lists as they are typed.
#[derive(Debug, Args)]
pub(in crate::cli) struct ListsArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// Take this list alone; OLD=NEW takes it under another name; may be repeated
    #[arg(long = "list", env = "CRIER_LIST", value_name = "NAME", value_delimiter = ',')]
    names: Vec<String>,
    /// Take only the lists of this domain
    #[arg(long, env = "CRIER_DOMAIN", value_name = "DOMAIN")]
    domain: Option<String>,
    /// Character set of names and texts where the source does not say it, or says it wrongly
    #[arg(long, env = "CRIER_CHARSET", value_name = "NAME")]
    charset: Option<String>,
    /// Make owners and moderators administrators of their lists; nobody is mailed
    #[arg(long, env = "CRIER_ADMINISTRATORS", value_parser = BoolishValueParser::new())]
    administrators: bool,
    /// Add people who left a list here, too
    #[arg(long, env = "CRIER_OVERRIDE_OPT_OUT", value_parser = BoolishValueParser::new())]
    override_opt_out: bool,
    /// Print each setting and what it becomes, and import nothing
    #[arg(long, env = "CRIER_SETTINGS", value_parser = BoolishValueParser::new())]
    settings: bool,
    #[command(flatten)]
    old_urls: OldUrlArgs,
}

impl ListsArgs {
    /// The flags of an import of which only the common ones, and names of lists, were typed.
    pub(super) fn of(common: CommonArgs, names: Vec<String>) -> ListsArgs {
        ListsArgs {
            common,
            names,
            domain: None,
            charset: None,
            administrators: false,
            override_opt_out: false,
            settings: false,
            old_urls: OldUrlArgs::default(),
        }
    }

    /// Whether lists were named.
    pub(super) fn names_lists(&self) -> bool {
        !self.names.is_empty()
    }

    /// Whether a list is named.
    pub(super) fn names(&self, list: &str) -> bool {
        self.names.iter().any(|name| name.split('=').next().is_some_and(|name| name == list))
    }

    /// Whether lists with this address there may be among those that are taken.
    pub(super) fn wants(&self, address: &str) -> bool {
        let (name, domain) = address.split_once('@').unwrap_or((address, ""));
        let is_named = |wanted: &String| {
            let old = wanted.split_once('=').map_or(wanted.as_str(), |(old, _)| old);
            old.eq_ignore_ascii_case(name) || old.eq_ignore_ascii_case(address)
        };
        (self.names.is_empty() || self.names.iter().any(is_named))
            && self.domain.as_ref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(domain))
    }

    /// The character set that was named.
    pub(super) fn charset(&self) -> Option<&str> {
        self.charset.as_deref()
    }
}

/// The results of an import.
#[derive(Debug, Default, Serialize)]
struct Summary {
    lists: Count,
    /// People as contacts. Those who get memberships and were contacts before are among the skipped.
    contacts: Count,
    memberships: Count,
    /// Addresses that are kept off lists from now on.
    kept_out: Count,
    administrators: Count,
    messages: Count,
    left_behind: Vec<Left>,
    dry_run: bool,
}

/// Something that was left behind.
#[derive(Debug, Serialize)]
struct Left {
    list: String,
    what: String,
    people: u64,
    instead: String,
}

/// Takes lists in.
pub(super) fn take(args: ListsArgs, lists: Vec<SourceList>) -> Result<ExitCode, Failure> {
    let ListsArgs { common, names, domain, charset: _, administrators, override_opt_out, settings, old_urls } =
        args;
    let CommonArgs { data, account, dry_run, report, json } = common;
    let chosen = choice::choose(lists, &names, domain.as_deref())?;
    if settings {
        return preview(&chosen, json);
    }
    let report = report.map(|path| ImportReport::create(&path)).transpose()?;
    let run = Run::new(Reached::open(&data.data)?, account.clone().name(), report, dry_run);
    let summary = Summary { dry_run, ..Summary::default() };
    let mut taking = Taking { run, summary, overrides: override_opt_out, coming: Vec::new() };
    let done = taking.all(chosen, administrators);
    let Taking { run, mut summary, coming, .. } = taking;
    let Run { reached, mut report, summary: counted, .. } = run;
    reached.close();
    let done =
        done.and_then(|chosen| links(&data, &account, &chosen, &old_urls, (&mut report, &coming, dry_run)));
    report.map_or(Ok(()), ImportReport::finish)?;
    done?;
    (summary.lists, summary.administrators, summary.messages) =
        (counted.lists, counted.administrators, counted.messages);
    print(&summary, json)
}

/// Has addresses of old pages lead here. A dry run only looks at the flags of lists that are there.
fn links(
    data: &DataArgs,
    account: &AccountArgs,
    chosen: &[Chosen],
    old_urls: &OldUrlArgs,
    (report, coming, dry_run): (&mut Option<ImportReport>, &[String], bool),
) -> Result<(), Failure> {
    for Chosen { name, list, .. } in chosen {
        if !(dry_run && coming.contains(name)) {
            old_urls.note(data, account, name, dry_run)?;
        }
        for folder in list.old_pages.iter().filter(|_| !dry_run) {
            old_pages::lead(data, account, (folder, name), report)?;
        }
    }
    Ok(())
}

/// Prints what the settings become.
fn preview(chosen: &[Chosen], json: bool) -> Result<ExitCode, Failure> {
    if json {
        let shown = |Chosen { name, list, .. }: &Chosen| {
            let settings: Vec<Value> = list
                .mapped
                .iter()
                .map(|it| json!({"name": it.name, "value": it.value, "becomes": it.becomes}))
                .collect();
            json!({"list": name, "from": list.address(), "settings": settings})
        };
        return say_json(&chosen.iter().map(shown).collect::<Vec<_>>());
    }
    for Chosen { name, list, .. } in chosen {
        say(format_args!("{} becomes the list {name}", list.address()));
        for setting in &list.mapped {
            say(format_args!("  {} = {}  ->  {}", setting.name, setting.value, setting.becomes));
        }
        for LeftBehind { what, people, instead } in &list.left_behind {
            say(format_args!("  {}: {instead}", concerning(what, *people)));
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn concerning(what: &str, people: u64) -> String {
    match people {
        0 => what.to_owned(),
        1 => format!("{what} (1 person)"),
        people => format!("{what} ({people} people)"),
    }
}

fn print(summary: &Summary, json: bool) -> Result<ExitCode, Failure> {
    let Summary { lists, contacts, memberships, kept_out, administrators, messages, left_behind, dry_run } =
        summary;
    let kinds = [
        ("lists", lists),
        ("people", contacts),
        ("memberships", memberships),
        ("kept off lists", kept_out),
        ("administrators", administrators),
        ("messages", messages),
    ];
    let code = code_of(&kinds);
    if json {
        say_json(summary)?;
        return Ok(code);
    }
    say_counts(&kinds);
    for Left { list, what, people, instead } in left_behind {
        say(format_args!("{list}: {}: {instead}", concerning(what, *people)));
    }
    say_end(*dry_run, administrators);
    Ok(code)
}

/// An import in progress.
struct Taking {
    run: Run,
    summary: Summary,
    /// Whether people are added who left a list here.
    overrides: bool,
    /// The lists that were made, or would have been.
    coming: Vec<String>,
}

impl Taking {
    /// Takes everything in; returns the lists that are there now.
    fn all(&mut self, chosen: Vec<Chosen>, administrators: bool) -> Result<Vec<Chosen>, Failure> {
        let mut chosen = self.make(chosen)?;
        self.people(&mut chosen)?;
        self.administrators(&mut chosen, administrators)?;
        for Chosen { name, list, .. } in &chosen {
            let is_coming = self.run.is_rehearsed && self.coming.contains(name);
            // Messages of one archive, of which each may be a file, are one import.
            for archives in list.archives.chunk_by(|one, next| one.quoting == next.quoting) {
                let paths: Vec<_> = archives.iter().map(|archive| archive.path.clone()).collect();
                let quoting = archives.first().map(|archive| archive.quoting).unwrap_or_default();
                self.run.archive(&paths, quoting, name, (is_coming, false))?;
            }
        }
        for Chosen { list, .. } in &mut chosen {
            let address = list.address();
            for LeftBehind { what, people, instead } in std::mem::take(&mut list.left_behind) {
                let reason = format!("{people} people; {instead}");
                self.run.note(&address, &what, "left behind", &reason)?;
                self.summary.left_behind.push(Left { list: address.clone(), what, people, instead });
            }
        }
        Ok(chosen)
    }

    /// Makes owners and moderators administrators of their lists, if that is wanted.
    fn administrators(&mut self, chosen: &mut [Chosen], wanted: bool) -> Result<(), Failure> {
        let mut all: BTreeMap<String, (SourceAdministrator, Vec<String>)> = BTreeMap::new();
        for chosen in chosen.iter_mut() {
            if !wanted {
                let count = chosen.list.administrators.len() as u64;
                if 0 < count {
                    let instead = "nobody becomes an administrator without --administrators";
                    chosen.list.leave_behind("owners and moderators", count, instead);
                }
                continue;
            }
            for admin in &chosen.list.administrators {
                let list = chosen.name.clone();
                let (known, lists) = all
                    .entry(admin.email.to_ascii_lowercase())
                    .or_insert_with(|| (admin.clone(), Vec::new()));
                if known.role < admin.role {
                    // Rights are those of all lists of an administrator, so the lists that are only moderated fall out.
                    lists.clear();
                    known.role = admin.role;
                }
                if known.role == admin.role && !lists.contains(&list) {
                    lists.push(list);
                }
            }
        }
        let mut made = Vec::with_capacity(all.len());
        for (admin, lists) in all.values() {
            for chosen in chosen.iter_mut().filter(|chosen| !lists.contains(&chosen.name)) {
                let is_of = |it: &SourceAdministrator| it.email.eq_ignore_ascii_case(&admin.email);
                if chosen.list.administrators.iter().any(is_of) {
                    let instead = "they become administrators of the lists that they own";
                    chosen.list.leave_behind(MODERATES_TOO, 1, instead);
                }
            }
            made.push(administrator(admin, lists));
        }
        self.run.admins("administrators", made)
    }
}

/// An administrator as a call of the API makes one.
fn administrator(admin: &SourceAdministrator, lists: &[String]) -> Map<String, Value> {
    let SourceAdministrator { email, name, role } = admin;
    let permissions: &[&str] = match role {
        SourceRole::Owner => {
            &["manage_settings", "manage_members", "approve_messages", "send_messages", "limit_lists"]
        }
        SourceRole::Moderator => &["approve_messages", "limit_lists"],
    };
    let (firstname, surname) = crate::sources::split_name(name);
    let made = json!({
        "username": email,
        "firstname": firstname,
        "surname": surname,
        "permissions": permissions,
        "limit_lists": lists,
        "notifications": ["held_message", "pending_member"],
    });
    match made {
        Value::Object(made) => made,
        _ => Map::new(),
    }
}
