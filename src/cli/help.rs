//! Builds the whole command line as one tree, with the help of every command at 80 columns.
//!
//! Each command has examples in one table here. Help texts are written in paragraphs whose lines are joined before
//! they are wrapped, so that a line break in the source never shows. A line that begins with blanks stays as it is.

use clap::error::{ContextKind, ContextValue};
use clap::{Arg, Command, CommandFactory as _};

use super::commands::Cli;
use super::manage::COMMON;
use super::objects;
use super::terminal::COLUMNS_MAX;

/// Every command, in the order in which the help names them.
const ORDER: &[&str] = &[
    "demo",
    "setup",
    "serve",
    "list",
    "member",
    "contact",
    "email",
    "import",
    "export",
    "held",
    "pending",
    "alias",
    "admin",
    "key",
    "domain",
    "dns",
    "dkim",
    "link",
    "links",
    "account",
    "field",
    "oauth-client",
    "audit",
    "events",
    "queue",
    "simulate",
    "inject",
    "status",
    "doctor",
    "backup",
    "restore",
    "drill",
    "verify",
    "completions",
    "man",
];

const COMMON_HEADING: &str = "Common options";

/// Examples of each command that is not a group of others, without those that are made of the API's description.
const EXAMPLES: &[(&str, &[&str])] = &[
    ("demo", &["crier demo", "crier demo --data ~/crier-demo"]),
    ("setup", &["crier setup", "crier setup --domain lists.example.org --admin you@example.org --list news"]),
    ("events", &["crier events --follow", "crier events --type message.held --type contact.created --json"]),
    ("serve", &["crier serve --hostname mx.example.org --base-url https://lists.example.org"]),
    (
        "import auto",
        &[
            "crier import auto members.csv --list news --dry-run",
            "crier import auto takeout.zip --list choir",
        ],
    ),
    (
        "import contacts",
        &[
            "crier import contacts members.csv --list news --dry-run",
            "crier import contacts members.csv --list news --rejects refused.csv",
            "crier import contacts subscribed.csv --list news --opted-out unsubscribed.csv cleaned.csv",
            "crier import contacts --sync --list staff staff.csv --report report.csv",
        ],
    ),
    (
        "import mbox",
        &[
            "crier import mbox choir.mbox.gz --list choir --dry-run",
            "crier import mbox pipermail/choir --list choir --report report.csv",
            "crier import mbox takeout.zip --list choir --group choir@googlegroups.com",
            "crier import mbox a.mbox --list choir --old-url https://lists.old.example/",
        ],
    ),
    (
        "import mailman2",
        &[
            "crier import mailman2 /var/lib/mailman --dry-run",
            "crier import mailman2 lists/choir/config.pck --settings",
            "crier import mailman2 /var/lib/mailman --list choir=singers --administrators --report report.csv",
        ],
    ),
    (
        "import mlmmj",
        &[
            "crier import mlmmj /var/spool/mlmmj --settings",
            "crier import mlmmj /var/spool/mlmmj --dry-run",
            "crier import mlmmj /var/spool/mlmmj/choir --administrators",
        ],
    ),
    (
        "import sympa",
        &[
            "crier import sympa /var/lib/sympa/list_data/lists.example.org --settings",
            "crier import sympa /var/lib/sympa/list_data/lists.example.org --dry-run",
            "crier import sympa /var/lib/sympa/list_data --old-url https://lists.old.example/sympa/",
        ],
    ),
    (
        "import crier",
        &["crier import crier /srv/export --dry-run", "crier import crier /srv/export --report report.csv"],
    ),
    ("export", &["crier export /srv/export", "crier export /srv/choir --list choir"]),
    (
        "import mailman3",
        &[
            "crier import mailman3 http://127.0.0.1:8001/3.1 --password-file password --settings",
            "crier import mailman3 http://127.0.0.1:8001/3.1 --password-file password --list choir --administrators",
        ],
    ),
    (
        "import server",
        &[
            "crier import server https://lists.example.org --key-file key --dry-run",
            "crier import server https://lists.example.org --key-file key --report report.csv",
        ],
    ),
    ("import pipermail-links", &["crier import pipermail-links archives/private/choir --list choir"]),
    ("admin link", &["crier admin link you@example.org"]),
    ("admin unlock", &["crier admin unlock you@example.org"]),
    (
        "account export",
        &[
            "crier account export choir choir.account --passphrase-file passphrase",
            "crier account export choir choir.account --key-file recipient.txt",
        ],
    ),
    ("account import", &["crier account import choir.account --passphrase-file passphrase"]),
    ("domain create", &["crier domain create lists.example.com"]),
    ("domain list", &["crier domain list"]),
    ("domain show", &["crier domain show lists.example.org"]),
    ("domain set", &["crier domain set lists.example.com --main"]),
    ("domain delete", &["crier domain delete lists.example.com"]),
    (
        "dns",
        &["crier dns", "crier dns --domain lists.example.org", "crier dns --zone > lists.example.org.zone"],
    ),
    ("dkim rotate", &["crier dkim rotate --domain lists.example.org", "crier dkim rotate --all"]),
    (
        "link add",
        &[
            "crier link add https://lists.old.example/about.html /lists/choir/",
            "crier link add /news/2015.html https://www.example.org/news/",
        ],
    ),
    ("link import", &["crier link import addresses.csv"]),
    ("link list", &["crier link list"]),
    ("link delete", &["crier link delete https://lists.old.example/about.html"]),
    ("link rebuild", &["crier link rebuild --list choir"]),
    ("links rotate", &["crier links rotate"]),
    ("field add", &["crier field add 'Shoe size' --id shoe"]),
    ("field list", &["crier field list"]),
    ("field show", &["crier field show shoe"]),
    ("field set", &["crier field set shoe --rename 'Size of shoes'"]),
    ("field delete", &["crier field delete shoe"]),
    (
        "oauth-client create",
        &["crier oauth-client create --name 'School diary' --redirect-uri https://diary.example.org/back"],
    ),
    ("oauth-client list", &["crier oauth-client list"]),
    ("oauth-client delete", &["crier oauth-client delete q3JmW0bTn8sVd2LxYk5RaZ7c"]),
    ("queue list", &["crier queue list --list news", "crier queue list --summary"]),
    ("queue show", &["crier queue show 17"]),
    ("queue retry", &["crier queue retry 17", "crier queue retry --destination example.org"]),
    ("queue hold", &["crier queue hold --list news"]),
    ("queue release", &["crier queue release --all"]),
    ("queue drop", &["crier queue drop 17"]),
    ("simulate", &["crier simulate --list news < message.eml"]),
    ("inject", &["crier inject news@lists.example.org --from ada@example.org < message.eml"]),
    ("status", &["crier status"]),
    ("doctor", &["crier doctor", "crier doctor --time-server pool.ntp.org --json"]),
    ("backup", &["crier backup /srv/backups/", "crier backup crier.backup"]),
    ("restore", &["crier restore /srv/backups/ --list", "crier restore --previous"]),
    ("drill", &["crier drill /srv/backups/"]),
    ("verify", &["crier verify"]),
    ("completions", &["crier completions bash > /etc/bash_completion.d/crier"]),
    ("man", &["crier man /usr/local/share/man/man1"]),
];

/// Usages that replace clap's own, which would name every flag of a group on one line.
const USAGES: &[(&str, &str)] = &[
    ("queue retry", "crier queue retry [ID]... [FILTERS] [--all]"),
    ("queue hold", "crier queue hold [ID]... [FILTERS] [--all]"),
    ("queue release", "crier queue release [ID]... [FILTERS] [--all]"),
    ("queue drop", "crier queue drop [ID]... [FILTERS] [--all] [--yes]"),
];

/// The command line with all its commands.
pub(super) fn command() -> Command {
    let mut command = Cli::command().max_term_width(COLUMNS_MAX).subcommands(objects::commands());
    let names: Vec<String> = command.get_subcommands().map(|known| known.get_name().to_owned()).collect();
    for name in names {
        let place = ORDER.iter().position(|known| *known == name).unwrap_or(ORDER.len());
        command = command.mut_subcommand(&name, |known| dress(known, &name).display_order(place));
    }
    let after = command.get_after_help().map(|text| joined(&text.to_string())).unwrap_or_default();
    command.after_help(after)
}

/// Replaces the usage in an error, so that flags set by the environment do not show as arguments, and a tip that is
/// wrong.
pub(super) fn with_plain_usage(mut error: clap::Error) -> clap::Error {
    let typed: Vec<String> = std::env::args().skip(1).collect();
    mend_tip(&mut error, &typed);
    if error.get(ContextKind::Usage).is_none() {
        return error;
    }
    let mut meant = command();
    meant.build();
    let (mut path, mut as_typed) = ("crier".to_owned(), "crier".to_owned());
    for word in typed {
        let Some(below) = meant.find_subcommand(&word).cloned() else { break };
        path = format!("{path} {}", below.get_name());
        as_typed = format!("{as_typed} {word}");
        meant = below;
    }
    let usage = meant.render_usage();
    // A command that has two names is told by the one that was typed.
    let usage = if path == as_typed { usage } else { usage.to_string().replacen(&path, &as_typed, 1).into() };
    error.insert(ContextKind::Usage, ContextValue::StyledStr(usage));
    error
}

/// Replaces the tip to write a value behind `--`, which is right for an argument without a flag alone: the value of a flag
/// that begins with a hyphen is joined to the flag.
fn mend_tip(error: &mut clap::Error, typed: &[String]) {
    let Some(ContextValue::String(wrong)) = error.get(ContextKind::InvalidArg).cloned() else { return };
    let before = typed.iter().position(|word| *word == wrong).and_then(|place| place.checked_sub(1));
    let Some(flag) = before.map(|place| &typed[place]) else { return };
    if flag.starts_with("--") && flag != "--" && !flag.contains('=') {
        let tip = format!("a value that begins with a hyphen is joined to its flag: '{flag}={wrong}'");
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![tip.into()]));
    }
}

/// Gives a command and its subcommands their examples and the common form of help.
fn dress(mut command: Command, path: &str) -> Command {
    let below: Vec<String> = command.get_subcommands().map(|known| known.get_name().to_owned()).collect();
    for name in &below {
        let path = format!("{path} {name}");
        command = command.mut_subcommand(name, |known| dress(known, &path));
    }
    let mut after = examples(path, !below.is_empty());
    if let Some(text) = command.get_after_help() {
        after.push_str(&joined(&text.to_string()));
    }
    if let Some((_, usage)) = USAGES.iter().find(|(known, _)| *known == path) {
        command = command.override_usage(*usage);
    }
    let is_reference = path == "serve";
    command = command.after_help(after.trim_end().to_owned()).next_line_help(below.is_empty());
    command.mut_args(|arg| if is_reference { arg } else { group(arg.hide_env(true)) })
}

/// Puts a flag that most commands share into the group at the end.
fn group(arg: Arg) -> Arg {
    if COMMON.contains(&arg.get_id().as_str()) { arg.help_heading(COMMON_HEADING) } else { arg }
}

/// The examples of every command, with its path.
fn all_examples() -> Vec<(String, &'static [&'static str])> {
    let own = EXAMPLES.iter().map(|(path, lines)| ((*path).to_owned(), *lines));
    objects::examples().chain(own).collect()
}

/// The examples of a command; for a group, the first example of each of its subcommands.
fn examples(path: &str, has_below: bool) -> String {
    let below = format!("{path} ");
    let all = all_examples();
    let lines: Vec<&str> = if has_below {
        let of_below = all.iter().filter(|(known, _)| known.starts_with(&below));
        of_below.filter_map(|(_, lines)| lines.first().copied()).collect()
    } else {
        let own = all.iter().filter(|(known, _)| *known == path);
        own.flat_map(|(_, lines)| lines.iter().copied()).collect()
    };
    if lines.is_empty() {
        return String::new();
    }
    let lines: Vec<String> = lines.iter().map(|line| format!("  {line}")).collect();
    format!("Examples:\n{}\n\n", lines.join("\n"))
}

/// Joins the lines of each paragraph; lines that begin with blanks stay.
fn joined(text: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    let mut is_open = false;
    for line in text.lines() {
        let is_prose = !line.is_empty() && !line.starts_with(' ');
        match lines.last_mut() {
            Some(last) if is_open && is_prose => {
                last.push(' ');
                last.push_str(line);
            }
            _ => lines.push(line.to_owned()),
        }
        is_open = is_prose;
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every command with its path, also groups.
    fn all() -> Vec<(String, Command)> {
        let mut command = command();
        command.build();
        let mut found = vec![(String::new(), command)];
        let mut at = 0;
        while at < found.len() {
            let (path, command) = &found[at];
            let below = command.get_subcommands().filter(|known| known.get_name() != "help");
            let below: Vec<(String, Command)> = below
                .map(|known| (format!("{path} {}", known.get_name()).trim().to_owned(), known.clone()))
                .collect();
            found.extend(below);
            at += 1;
        }
        found
    }

    fn helps(command: &mut Command) -> [String; 2] {
        [command.render_help().to_string(), command.render_long_help().to_string()]
    }

    /// The words of an example, without the parts that the shell interprets.
    fn words(example: &str) -> Vec<String> {
        let example = example.split(" < ").next().unwrap().split(" > ").next().unwrap();
        let parts = example.split('\'').enumerate();
        let words = parts.flat_map(|(place, part)| match place % 2 {
            1 => vec![part.to_owned()],
            _ => part.split_whitespace().map(str::to_owned).collect(),
        });
        words.collect()
    }

    #[test]
    fn no_line_of_help_is_longer_than_80_columns() {
        for (path, mut command) in all() {
            for help in helps(&mut command) {
                let long: Vec<&str> =
                    help.lines().filter(|line| COLUMNS_MAX < line.chars().count()).collect();
                assert!(long.is_empty(), "crier {path}: {long:#?}");
            }
        }
    }

    #[test]
    fn no_sentence_of_help_breaks_before_a_word_that_fits() {
        for (path, mut command) in all() {
            for help in helps(&mut command) {
                let lines: Vec<&str> = help.lines().collect();
                for pair in lines.windows(2) {
                    let [line, next] = pair else { continue };
                    let indent = |line: &str| line.len() - line.trim_start().len();
                    let word = next.trim_start().split(' ').next().unwrap_or_default();
                    let fits = line.chars().count() + 1 + word.chars().count() <= COLUMNS_MAX;
                    let goes_on = word.starts_with(|c: char| c.is_lowercase() && c.is_ascii_alphabetic());
                    let is_prose = !line.is_empty() && indent(line) == indent(next) && word != "crier";
                    // Lists of commands, codes and words have two columns.
                    let is_table = next.trim_start().contains("  ") || line.trim_start().contains("  ");
                    assert!(!(fits && goes_on && is_prose && !is_table), "crier {path}: {line:?} {next:?}");
                }
            }
        }
    }

    #[test]
    fn every_command_says_what_it_does_and_has_an_example() {
        for (path, mut command) in all().into_iter().skip(1) {
            assert!(command.get_about().is_some(), "crier {path} says nothing");
            let help = command.render_help().to_string();
            assert!(help.contains("Examples:\n  crier "), "crier {path} has no example");
            let silent = command.get_arguments().filter(|arg| arg.get_help().is_none());
            let silent: Vec<&str> = silent.map(|arg| arg.get_id().as_str()).collect();
            assert!(silent.is_empty(), "crier {path}: {silent:?}");
        }
    }

    #[test]
    fn every_example_is_understood() {
        let paths: Vec<String> = all().into_iter().map(|(path, _)| path).collect();
        for (path, examples) in all_examples() {
            assert!(paths.contains(&path), "there is no crier {path}");
            for example in examples {
                assert!(example.starts_with(&format!("crier {path}")), "{example} is none of {path}");
                let matches = command().try_get_matches_from(words(example));
                assert!(matches.is_ok(), "{example}: {}", matches.unwrap_err());
            }
        }
    }

    #[test]
    fn a_tip_joins_a_value_with_a_hyphen_to_its_flag() {
        let typed: Vec<String> =
            ["queue", "list", "--limit", "-5"].iter().map(|&word| word.to_owned()).collect();
        let line = std::iter::once("crier".to_owned()).chain(typed.clone());
        let mut error = command().try_get_matches_from(line).unwrap_err();
        mend_tip(&mut error, &typed);
        let told = error.to_string();
        assert!(told.contains("joined to its flag: '--limit=-5'") && !told.contains("'-- -5'"), "{told}");
    }

    #[test]
    fn every_command_has_its_place() {
        let command = command();
        for known in command.get_subcommands() {
            assert!(ORDER.contains(&known.get_name()), "{}", known.get_name());
        }
    }

    #[test]
    fn paragraphs_are_joined_and_indented_lines_stay() {
        assert_eq!(joined("a\nb\n\n  c\n  d\ne\nf"), "a b\n\n  c\n  d\ne f");
    }
}
