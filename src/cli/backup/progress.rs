//! Shows how much of a data file is restored: a bar on a terminal, otherwise a line now and then.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::backup::Progress;
use crate::cli::terminal::{is_watched, tell};

/// Time between two lines.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// The display of the progress.
pub(super) struct Display {
    bar: Option<ProgressBar>,
    told: Instant,
}

impl Display {
    pub(super) fn start() -> Display {
        let style = ProgressStyle::with_template("{wide_bar} {percent}% {msg}");
        let bar = is_watched()
            .then(|| ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar())));
        Display { bar, told: Instant::now() }
    }

    pub(super) fn at(&mut self, Progress { done_bytes, file_bytes, .. }: Progress) {
        if let Some(bar) = &self.bar {
            bar.set_length(file_bytes);
            bar.set_position(done_bytes);
            bar.set_message(size(file_bytes));
        } else if LINE_EVERY <= self.told.elapsed() {
            tell(format_args!("{} of {} are restored", size(done_bytes), size(file_bytes)));
            self.told = Instant::now();
        }
    }

    /// Removes the bar; other lines follow.
    pub(super) fn end(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

/// A number of bytes for people.
pub(super) fn size(bytes: u64) -> String {
    let units = [("GiB", 1_u64 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
    match units.into_iter().find(|(_, unit)| *unit <= bytes) {
        Some((name, unit)) => format!("{}.{} {name}", bytes / unit, bytes % unit * 10 / unit),
        None => format!("{bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_a_unit_and_a_digit() {
        let sizes =
            [(999, "999 bytes"), (1536, "1.5 KiB"), (1 << 20, "1.0 MiB"), (u64::MAX, "17179869183.9 GiB")];
        for (bytes, expected) in sizes {
            assert_eq!(size(bytes), expected);
        }
    }
}
