//! Shows the progress of an import: a bar on a terminal, otherwise a line now and then.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use super::words::rate;
use crate::cli::terminal::{is_watched, tell};

/// Time between two lines.
const LINE_EVERY: Duration = Duration::from_secs(5);

/// The display of the progress.
pub(in crate::cli) struct Progress {
    noun: &'static str,
    bar: Option<ProgressBar>,
    started: Instant,
    told: Instant,
}

impl Progress {
    /// Begins the display for a source of this size, if it is known, of things that are called `noun`.
    pub(in crate::cli) fn start(noun: &'static str, size_bytes: Option<u64>) -> Progress {
        let bar = is_watched().then(|| match size_bytes {
            Some(size_bytes) => ProgressBar::new(size_bytes).with_style(style("{wide_bar} {percent}% {msg}")),
            None => ProgressBar::new_spinner().with_style(style("{spinner} {msg}")),
        });
        let now = Instant::now();
        Progress { noun, bar, started: now, told: now }
    }

    /// Shows how far the source has been read, and how many things were taken so far.
    pub(in crate::cli) fn at(&mut self, position_bytes: u64, taken: u64) {
        let noun = self.noun;
        let speed = || rate(taken, self.started.elapsed());
        if let Some(bar) = &self.bar {
            bar.set_position(position_bytes);
            bar.set_message(format!("{taken} {noun}, {} a second", speed()));
        } else if LINE_EVERY <= self.told.elapsed() {
            tell(format_args!("{taken} {noun} so far, {} a second", speed()));
            self.told = Instant::now();
        }
    }

    /// Shows what is done now that the source has been read; short imports are done before anybody reads it.
    pub(in crate::cli) fn turn_to(&self, work: &str) {
        if let Some(bar) = &self.bar {
            bar.set_message(work.to_owned());
        } else if LINE_EVERY <= self.started.elapsed() {
            tell(format_args!("Everything is read; {work}"));
        }
    }

    /// Prints a line beside the bar.
    pub(in crate::cli) fn tell(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.suspend(|| tell(line)),
            None => tell(line),
        }
    }

    /// Removes the bar.
    pub(in crate::cli) fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template).expect("the template is a constant, and tried by its test")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_templates_of_the_bar_are_well_formed() {
        for template in ["{wide_bar} {percent}% {msg}", "{spinner} {msg}"] {
            let _ = style(template);
        }
    }
}
