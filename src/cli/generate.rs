//! `crier completions` and `crier man`: what packages install beside the executable.
//!
//! Both are made of the whole tree of commands, as `help` builds it, so no command is missing in them.

#[cfg(test)]
mod env_file;

use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Command, ValueEnum};
use clap_complete::Shell;
use clap_mangen::Man;

use super::Failure;
use super::terminal::say;

/// The name of the executable.
const NAME: &str = "crier";
/// Begins the examples at the end of a command's help.
const EXAMPLES: &str = "Examples:\n";

/// `crier completions`
#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: KnownShell,
}

/// The shells whose completions packages install.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum KnownShell {
    Bash,
    Zsh,
    Fish,
}

/// `crier man`
#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// Folder for the pages, made if it is missing: crier.1, crier-serve.1 and so on
    #[arg(value_name = "DIRECTORY")]
    directory: PathBuf,
}

/// Prints the completions of a shell for the tree of all commands.
pub(super) fn run_completions(args: &CompletionsArgs, tree: Command) -> Result<ExitCode, Failure> {
    let completions = completions(args.shell, tree);
    io::Write::write_all(&mut io::stdout().lock(), &completions).map_err(Failure::failed)?;
    Ok(ExitCode::SUCCESS)
}

fn completions(shell: KnownShell, mut tree: Command) -> Vec<u8> {
    let shell = match shell {
        KnownShell::Bash => Shell::Bash,
        KnownShell::Zsh => Shell::Zsh,
        KnownShell::Fish => Shell::Fish,
    };
    let mut completions = Vec::new();
    clap_complete::generate(shell, &mut tree, NAME, &mut completions);
    completions
}

/// Writes the pages of the manual of the tree of all commands.
pub(super) fn run_man(args: &ManArgs, tree: Command) -> Result<ExitCode, Failure> {
    let folder = &args.directory;
    let failed = |path: &Path, error: io::Error| Failure::Failed(format!("{}: {error}", path.display()));
    std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
    let pages = pages(tree).map_err(Failure::failed)?;
    for (name, text) in &pages {
        let path = folder.join(name);
        std::fs::write(&path, text).map_err(|error| failed(&path, error))?;
    }
    let shown = folder.join(format!("{NAME}.1"));
    say(format_args!("{} pages; to read the first one: man -l {}", pages.len(), shown.display()));
    Ok(ExitCode::SUCCESS)
}

/// Every page of the manual, with the name of its file.
fn pages(tree: Command) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut command = tree.disable_help_subcommand(true);
    command.build();
    let mut waiting = vec![command];
    let mut pages = Vec::new();
    while let Some(command) = waiting.pop() {
        waiting.extend(command.get_subcommands().filter(|below| !below.is_hide_set()).cloned());
        let name = format!("{}.1", command.get_display_name().unwrap_or(NAME));
        pages.push((name, page(command)?));
    }
    pages.sort();
    Ok(pages)
}

/// One page of the manual. It names no day, so that the same program always makes the same pages.
fn page(command: Command) -> io::Result<Vec<u8>> {
    let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let (has_arguments, has_below) =
        (command.get_arguments().next().is_some(), command.get_subcommands().next().is_some());
    let man = Man::new(command)
        .source(format!("{NAME} {}", env!("CARGO_PKG_VERSION")))
        .manual("Crier, a mailing-list server");
    let mut page = Vec::new();
    man.render_title(&mut page)?;
    man.render_name_section(&mut page)?;
    man.render_synopsis_section(&mut page)?;
    man.render_description_section(&mut page)?;
    if has_arguments {
        man.render_options_section(&mut page)?;
    }
    if has_below {
        man.render_subcommands_section(&mut page)?;
    }
    page.extend(after_help(&after).into_bytes());
    Ok(page)
}

/// The sections that the text at the end of a command's help makes: its examples, and what else is to be known.
fn after_help(text: &str) -> String {
    let (before, examples, rest) = match text.split_once(EXAMPLES) {
        None => (text, "", ""),
        Some((before, after)) => {
            let (examples, rest) = after.split_once("\n\n").unwrap_or((after, ""));
            (before, examples, rest)
        }
    };
    let mut page = String::new();
    for (heading, text) in [("EXAMPLES", examples), ("NOTES", before), ("NOTES", rest)] {
        if !text.trim().is_empty() {
            // Lines stay as they are: they have been joined where they may be.
            let _ = writeln!(page, ".SH {heading}");
            for line in text.lines() {
                page.push_str(&roff_line(line));
            }
        }
    }
    page
}

/// A line of the manual. One that begins with blanks is kept apart from its neighbours.
fn roff_line(line: &str) -> String {
    let text = line.trim_start();
    if text.is_empty() {
        return ".PP\n".to_owned();
    }
    let escaped = text.replace('\\', "\\e").replace('-', "\\-");
    let escaped = if escaped.starts_with(['.', '\'']) { format!("\\&{escaped}") } else { escaped };
    if text.len() < line.len() {
        format!(".RS 4\n.nf\n{escaped}\n.fi\n.RE\n")
    } else {
        format!("{escaped}\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::help;
    use clap::ArgAction;

    /// Paths of all commands, in the words of a page's name: `crier-list-create`.
    fn all(command: &Command, path: &str) -> Vec<String> {
        let below = command.get_subcommands().filter(|known| known.get_name() != "help");
        let below = below.flat_map(|known| all(known, &format!("{path}-{}", known.get_name())));
        std::iter::once(path.to_owned()).chain(below).collect()
    }

    fn text_of(name: &str) -> String {
        let pages = pages(help::command()).unwrap();
        let (_, text) = pages.iter().find(|(known, _)| known == name).unwrap();
        String::from_utf8(text.clone()).unwrap()
    }

    #[test]
    fn every_command_has_its_page() {
        let mut expected = all(&help::command(), NAME);
        expected.sort();
        let pages = pages(help::command()).unwrap().into_iter();
        let mut found: Vec<String> = pages.map(|(name, _)| name.trim_end_matches(".1").to_owned()).collect();
        found.sort();
        assert_eq!(found, expected);
        assert!(found.contains(&"crier-serve".to_owned()) && found.contains(&"crier-list-create".to_owned()));
    }

    #[test]
    fn a_page_has_every_flag_its_variable_and_the_examples() {
        let page = text_of("crier-serve.1");
        let mut command = help::command();
        command.build();
        for arg in command.find_subcommand("serve").unwrap().get_arguments() {
            let long = arg.get_long().unwrap().replace('-', "\\-");
            assert!(page.contains(&format!("\\-\\-{long}")), "{long}");
            if let Some(variable) = arg.get_env() {
                assert!(page.contains(variable.to_str().unwrap()), "{variable:?}");
            }
        }
        assert!(
            page.contains(".SH EXAMPLES\n.RS 4\n.nf\ncrier serve \\-\\-hostname mx.example.org"),
            "{page}"
        );
        assert!(page.starts_with(".ie"), "the title comes first");
        assert!(page.contains(".TH crier-serve 1  \"crier 0"), "{page}");
    }

    #[test]
    fn completions_know_every_command_and_flag() {
        for shell in [KnownShell::Bash, KnownShell::Zsh, KnownShell::Fish] {
            let text = String::from_utf8(completions(shell, help::command())).unwrap();
            let mut command = help::command();
            command.build();
            for known in command.get_subcommands() {
                assert!(text.contains(known.get_name()), "{shell:?}: {}", known.get_name());
            }
            let serve = command.find_subcommand("serve").unwrap();
            for arg in serve.get_arguments().filter(|arg| !matches!(arg.get_action(), ArgAction::Help)) {
                assert!(text.contains(arg.get_long().unwrap()), "{shell:?}: {:?}", arg.get_long());
            }
        }
    }

    #[test]
    fn nothing_in_a_text_is_taken_for_a_request_of_the_typesetter() {
        assert_eq!(roff_line(".TH x"), "\\&.TH x\n");
        assert_eq!(roff_line("a\\b --c"), "a\\eb \\-\\-c\n");
        assert_eq!(roff_line("  crier x"), ".RS 4\n.nf\ncrier x\n.fi\n.RE\n");
        assert_eq!(
            after_help("Examples:\n  crier x\n\nMore."),
            ".SH EXAMPLES\n.RS 4\n.nf\ncrier x\n.fi\n.RE\n.SH NOTES\nMore.\n"
        );
    }
}
