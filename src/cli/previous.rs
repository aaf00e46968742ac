//! `crier restore --previous`: goes back to the data file as it was before the last upgrade.
//!
//! The work is done by `migrate::previous`; this module says what is lost, and asks where somebody can answer.

use std::path::Path;
use std::process::ExitCode;

use super::Failure;
use super::terminal::{ask, can_ask, say_prose};
use crate::migrate::previous::{self, Previous};

/// Goes back. On a terminal it asks first, unless it is forced.
pub(super) fn run(data_dir: &Path, force: bool) -> Result<ExitCode, Failure> {
    let found = previous::find(data_dir).map_err(Failure::failed)?;
    say_prose(&told(&found));
    if !force && can_ask() {
        let accept = |text: &str| match text.to_ascii_lowercase().as_str() {
            "yes" => Ok(true),
            "" | "n" | "no" => Ok(false),
            _ => Err("answer yes or no".to_owned()),
        };
        if ask("Go back to the older file? Type yes to go on:", accept) != Some(true) {
            return Err(Failure::failed("nothing was changed"));
        }
    }
    found.take_back().map_err(Failure::failed)?;
    say_prose(
        "The data file is as it was before the upgrade. Install the version before, then start the server: this \
         version would upgrade the file again.",
    );
    Ok(ExitCode::SUCCESS)
}

/// Says what going back loses.
fn told(found: &Previous) -> String {
    let since = found.upgraded.map_or_else(|| "since the upgrade".to_owned(), |time| format!("since {time}"));
    let schema =
        found.schema.map_or_else(|| "an older schema".to_owned(), |schema| format!("schema {schema}"));
    let lost = match found.lost.as_deref() {
        None => format!("everything that changed {since}; how much, the newer file no longer says"),
        Some([]) => format!(
            "everything that changed {since}: no record more than before, but changes of those there are"
        ),
        Some(lost) => {
            let lost: Vec<String> = lost.iter().map(|(more, word)| format!("{more} {word}")).collect();
            format!(
                "everything that changed {since}: {}, and changes of what was there before",
                lost.join(", ")
            )
        }
    };
    format!("The file before the upgrade has {schema}. Going back to it loses {lost}.")
}
