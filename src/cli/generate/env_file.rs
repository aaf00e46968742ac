//! `packaging/crier.env`, which packages install as `/etc/crier/crier.env`: a line for each flag of `crier serve`, with
//! its help and its default.
//!
//! The file is made of the flags. `CRIER_FREEZE=1 cargo test --lib env_file` writes it again after a flag has changed.

use clap::{Arg, Command};

use crate::cli::help;
use std::fmt::Write as _;
use std::path::PathBuf;

const COLUMNS_MAX: usize = 80;

const HEAD: &str = "\
# Settings of the Crier mailing-list server, read when it starts. Each line is a
# flag of `crier serve`, which crier-serve(1) describes. A line that begins with
# # is not read: it shows the default, or nothing where there is none.
#
#   systemctl restart crier      after a change
#   systemctl reload crier       enough after a change of CRIER_LOG_LEVEL
#   journalctl -u crier          what the server says, also why it does not start
";

/// The heading of the flags that every server needs or is asked about, and the flags.
const FIRST: (&str, &[&str]) = (
    "What a server needs",
    &[
        "hostname",
        "base-url",
        "public-ip",
        "https-listen",
        "acme",
        "acme-contact",
        "trusted-proxy",
        "relay-file",
        "backup-to",
    ],
);

/// Flags that stand in the unit: where the file itself is.
const IN_UNIT: &[&str] = &["env-file"];

fn long(arg: &Arg) -> &str {
    arg.get_long().unwrap_or_default()
}

/// Flags of `serve` that a variable sets, in the order of the help.
fn flags(serve: &Command) -> Vec<&Arg> {
    let known = serve.get_arguments().filter(|arg| arg.get_env().is_some());
    known.filter(|arg| !IN_UNIT.contains(&long(arg))).collect()
}

fn commented(text: &str) -> String {
    let mut lines = vec!["#".to_owned()];
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= COLUMNS_MAX => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(format!("# {word}")),
        }
    }
    lines.join("\n")
}

/// The lines of a flag: its help, and its variable with the default.
fn lines(arg: &Arg) -> String {
    let help = arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
    let variable = arg.get_env().unwrap().to_str().unwrap();
    let defaults = arg.get_default_values().iter().map(|value| value.to_str().unwrap());
    let default = match (arg.get_num_args(), defaults.collect::<Vec<_>>().join(",")) {
        (Some(values), _) if !values.takes_values() => "false".to_owned(),
        (_, default) => default,
    };
    format!("{}\n#{variable}={default}\n", commented(&help))
}

fn env_file() -> String {
    let mut command = help::command();
    command.build();
    let serve = command.find_subcommand("serve").unwrap();
    let flags = flags(serve);
    let (first, names) = FIRST;
    let mut text = HEAD.to_owned();
    let mut section = |heading: &str, flags: &[&Arg]| {
        let _ = write!(text, "\n# ===== {heading} =====\n");
        for arg in flags {
            let _ = write!(text, "\n{}", lines(arg));
        }
    };
    let needed = names.iter().filter_map(|name| flags.iter().find(|arg| long(arg) == *name).copied());
    section(first, &needed.collect::<Vec<_>>());
    let others: Vec<&Arg> = flags.iter().copied().filter(|arg| !names.contains(&long(arg))).collect();
    let mut headings: Vec<Option<&str>> = Vec::new();
    for arg in &others {
        if !headings.contains(&arg.get_help_heading()) {
            headings.push(arg.get_help_heading());
        }
    }
    for heading in headings {
        let of_it: Vec<&Arg> =
            others.iter().copied().filter(|arg| arg.get_help_heading() == heading).collect();
        section(heading.unwrap_or("Data"), &of_it);
    }
    text
}

#[test]
fn the_file_of_settings_has_every_flag_of_serve_with_its_default() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("packaging/crier.env");
    let expected = env_file();
    if std::env::var_os("CRIER_FREEZE").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    let found = std::fs::read_to_string(&path).unwrap();
    let missing: Vec<&str> =
        expected.lines().filter(|line| !found.lines().any(|known| known == *line)).collect();
    assert!(
        found == expected,
        "packaging/crier.env is not what the flags say: run CRIER_FREEZE=1 cargo test --lib env_file. Missing: {missing:#?}"
    );
}

#[test]
fn every_default_of_the_file_is_understood() {
    // The environment of this process must not be changed, so the lines become flags.
    let mut words = vec!["crier".to_owned(), "serve".to_owned()];
    let text = env_file();
    let mut command = help::command();
    command.build();
    let serve = command.find_subcommand("serve").unwrap();
    for line in text.lines().filter_map(|line| line.strip_prefix("#CRIER_")) {
        let (name, value) = line.split_once('=').unwrap();
        let variable = format!("CRIER_{name}");
        let arg = flags(serve).into_iter().find(|arg| arg.get_env().unwrap() == variable.as_str()).unwrap();
        if !value.is_empty() && value != "false" {
            words.push(format!("--{}={value}", long(arg)));
        }
    }
    assert!(words.iter().any(|word| word == "--smtp-listen=0.0.0.0:25"), "{words:?}");
    help::command().try_get_matches_from(words).unwrap();
}
