//! What SIGHUP has read again: the certificates, and the level of the log.
//!
//! A process cannot see how its environment would look today, so the level is read from the file that the environment
//! came from, if one is named.

use std::path::PathBuf;

use clap::Args;

use crate::cli::logging::{LevelFilter, LogLevel, parse_level};

/// The variable of the log's level.
const LEVEL: &str = "CRIER_LOG_LEVEL";

/// Where settings are read again.
#[derive(Debug, Clone, Args)]
pub(super) struct ReloadArgs {
    /// File of lines such as `CRIER_LOG_LEVEL=debug`, as systemd's `EnvironmentFile`: on SIGHUP, which also reads the
    /// certificates again, the level of the log is read from it. Only then: the settings of the start come from the
    /// environment and the flags [default: none]
    #[arg(long, env = "CRIER_ENV_FILE", value_name = "FILE", help_heading = "Logs")]
    env_file: Option<PathBuf>,
}

impl ReloadArgs {
    /// Sets the level that the file says now. Without a line for it, that is the default if the level came from the
    /// environment, and stays as it is if it came from a flag. A file that cannot be used is logged and changes
    /// nothing.
    pub(super) fn set_level(&self, log: &LogLevel) {
        let otherwise = std::env::var_os(LEVEL).map_or(log.at_start(), |_| LevelFilter::INFO);
        let Some(path) = self.env_file.as_ref().filter(|path| !path.as_os_str().is_empty()) else { return };
        let level = std::fs::read_to_string(path)
            .map_err(|error| error.to_string())
            .and_then(|text| level_in(&text).map_or(Ok(otherwise), parse_level));
        match level {
            Ok(level) => {
                log.set(level);
                tracing::info!("The level of the log is {level}, by {}", path.display());
            }
            Err(problem) => {
                tracing::error!("The level of the log stays: {LEVEL} of {}: {problem}", path.display());
            }
        }
    }
}

/// The level that an environment file sets; as with systemd, the last line counts.
fn level_in(text: &str) -> Option<&str> {
    let mut values = text.lines().filter_map(|line| line.trim_start().strip_prefix(LEVEL)?.strip_prefix('='));
    let value = values.next_back()?.trim().trim_matches(['"', '\'']);
    Some(value).filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_line_that_sets_the_level_counts() {
        assert_eq!(level_in("CRIER_LOG_LEVEL=info\n  CRIER_LOG_LEVEL=\"debug\"\n"), Some("debug"));
        assert_eq!(level_in("#CRIER_LOG_LEVEL=debug\nCRIER_LOG_FORMAT=json\nCRIER_LOG_LEVELS=x\n"), None);
        assert_eq!(level_in("CRIER_LOG_LEVEL=\n"), None, "an empty value is none");
    }
}
