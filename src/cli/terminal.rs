//! Lines for people: results on standard output, everything else on standard error.
//!
//! A reader that has gone away is no reason to fail, so errors of writing are passed over.

use std::fmt::Display;
use std::io::{self, BufRead as _, IsTerminal as _, Write as _};

/// Prints a line of a result.
pub(super) fn say(line: impl Display) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// Prints a line of progress.
pub(super) fn tell(line: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Prints why something was not done.
pub(super) fn complain(line: impl Display) {
    tell(line);
}

/// Whether a person can be asked.
pub(super) fn can_ask() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Whether a person watches what is told.
pub(super) fn is_watched() -> bool {
    io::stderr().is_terminal()
}

/// Asks until `accept` takes the answer; none at the end of input.
pub(super) fn ask<T>(question: &str, accept: impl Fn(&str) -> Result<T, String>) -> Option<T> {
    loop {
        let _ = write!(io::stderr().lock(), "{question} ");
        let mut answer = String::new();
        let read = io::stdin().lock().read_line(&mut answer);
        if !matches!(read, Ok(bytes) if 0 < bytes) {
            return None;
        }
        match accept(answer.trim()) {
            Ok(value) => return Some(value),
            Err(problem) => tell(format_args!("  {problem}")),
        }
    }
}
