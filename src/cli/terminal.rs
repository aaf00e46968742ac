//! Prints lines for people: results on standard output, everything else on standard error.
//!
//! A reader that has gone away is no reason to fail, so write errors are ignored.

use std::fmt::Display;
use std::io::{self, BufRead as _, IsTerminal as _, Write as _};
use std::time::{Duration, Instant};

/// Prints a line of a result.
pub(super) fn say(line: impl Display) {
    let mut out = io::stdout().lock();
    let _ = writeln!(out, "{line}").and_then(|()| out.flush());
}

/// Prints a line of progress.
pub(super) fn tell(line: impl Display) {
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Work that takes no longer is done before anybody wonders, and says nothing of its progress.
const PATIENCE: Duration = Duration::from_secs(3);

/// Prints lines of progress of work that takes a while; none of what is done in a moment.
pub(super) struct Patient(Instant);

impl Patient {
    /// For work that begins now.
    pub(super) fn start() -> Patient {
        Patient(Instant::now())
    }

    /// Prints a line, if the work takes a while already.
    pub(super) fn tell(&self, line: impl Display) {
        if PATIENCE <= self.0.elapsed() {
            tell(line);
        }
    }
}

/// Prints an error; on a terminal in lines that break between words.
pub(super) fn complain(line: impl Display) {
    let text = without_numbers(&line.to_string());
    tell(if io::stderr().is_terminal() { wrapped(&text) } else { text });
}

/// A text without the numbers that the system puts behind the words of its errors, `(os error 2)`.
fn without_numbers(text: &str) -> String {
    const MARK: &str = " (os error ";
    let mut parts = text.split(MARK);
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
        if let Some(rest) = rest.strip_prefix(')') {
            plain.push_str(rest);
        } else {
            plain.push_str(MARK);
            plain.push_str(part);
        }
    }
    plain
}

/// Prints sentences of a result, in lines that break between words.
pub(super) fn say_prose(text: &str) {
    say(wrapped(text));
}

/// Most columns of a line for people.
pub(super) const COLUMNS_MAX: usize = 80;

/// Wraps a text into lines of at most [`COLUMNS_MAX`] columns, if its words allow it. Existing line breaks stay.
fn wrapped(text: &str) -> String {
    let mut lines = Vec::new();
    for line in text.split('\n') {
        let rest = line.trim_start_matches(' ');
        let indent = &line[..line.len() - rest.len()];
        let mut current = indent.to_owned();
        let mut is_begun = false;
        for word in rest.split(' ') {
            if is_begun && COLUMNS_MAX < current.chars().count() + 1 + word.chars().count() {
                lines.push(std::mem::replace(&mut current, format!("{indent}{word}")));
            } else {
                current.push_str(if is_begun { " " } else { "" });
                current.push_str(word);
                is_begun = true;
            }
        }
        lines.push(current);
    }
    lines.join("\n")
}

/// Whether a person can answer questions: standard input and standard error are terminals.
pub(super) fn can_ask() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Whether a person watches standard error.
pub(super) fn is_watched() -> bool {
    io::stderr().is_terminal()
}

/// Prints that the command waits for a message, if a person would have to type it.
pub(super) fn tell_waiting(command: &str) {
    if io::stdin().is_terminal() {
        tell(format_args!(
            "Waiting for a message on standard input: type or paste one and end it with Ctrl-D,\n\
             or leave with Ctrl-C and give a file: {command} < message.eml"
        ));
    }
}

/// Asks until `accept` takes the answer; returns `None` at the end of input.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_an_error_of_the_system_is_left_out() {
        let text = "/nope: No such file or directory (os error 2); /b: (os error x) (os error 13)";
        assert_eq!(without_numbers(text), "/nope: No such file or directory; /b: (os error x)");
    }

    #[test]
    fn an_error_breaks_between_words() {
        let long = format!("error: {}", ["word"; 40].join(" "));
        assert!(wrapped(&long).lines().all(|line| line.len() <= COLUMNS_MAX));
        assert_eq!(wrapped(&long).replace('\n', " "), long);
        assert_eq!(wrapped("error: 2 are wrong:\n  --a b\n\nMore"), "error: 2 are wrong:\n  --a b\n\nMore");
        let indented = format!("  {}", ["word"; 30].join(" "));
        assert!(wrapped(&indented).lines().all(|line| line.starts_with("  word")));
    }
}
