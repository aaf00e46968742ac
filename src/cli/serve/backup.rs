//! The flags of the backups that a running server makes by itself.

use std::time::Duration;

use clap::Args;

use crate::cli::s3::S3Args;
use crate::cli::values::{Problems, parse_duration, parse_file};
use crate::config::backup::{BackupConfig, Keep};

/// The shortest time between two backups.
const EVERY_MIN: Duration = Duration::from_secs(1);
/// The longest time between two backups.
const EVERY_MAX: Duration = Duration::from_hours(366 * 24);

/// Backups that the server makes by itself.
#[derive(Debug, Args)]
#[command(next_help_heading = "Backups")]
pub(super) struct BackupArgs {
    /// Back up by itself to this folder (a path that ends with / or is a folder), file, or `s3://BUCKET/PREFIX`: at the
    /// start if one is due, and then on the clock. Mail goes on meanwhile. Administrators are mailed when three in a row
    /// fail [default: no backups]
    #[arg(long, env = "CRIER_BACKUP_TO", value_name = "TARGET")]
    backup_to: Option<String>,
    /// How often: a number with s, m, h or d behind it
    #[arg(long, env = "CRIER_BACKUP_EVERY", value_name = "TIME", default_value = "1h")]
    backup_every: String,
    /// Which backups of a folder or bucket are kept: the newest of each of the last 24 hours, 7 days, 4 weeks and 12
    /// months that have one; the newest of all is never deleted
    #[arg(long, env = "CRIER_BACKUP_KEEP", value_name = "COUNTS", default_value = "24h,7d,4w,12m")]
    backup_keep: String,
    /// File with the age recipient for whom backups are encrypted [default: they are not]
    #[arg(long, env = "CRIER_BACKUP_KEY_FILE", value_name = "FILE")]
    backup_key_file: Option<String>,
    #[command(flatten)]
    s3: S3Args,
}

impl BackupArgs {
    /// The backups to make; `None` if none are, or a flag is wrong.
    pub(super) fn parse(&self, problems: &mut Problems) -> Option<BackupConfig> {
        let every = problems.read("--backup-every", &self.backup_every, parse_every);
        let keep = problems.read("--backup-keep", &self.backup_keep, parse_keep);
        let key_file = problems.read_option("--backup-key-file", self.backup_key_file.as_deref(), parse_file);
        let target = self.backup_to.as_deref().filter(|target| !target.trim().is_empty())?;
        let place = self.s3.place("--backup-to", target, problems);
        Some(BackupConfig { place: place?, every: every?, keep: keep?, key_file })
    }
}

fn parse_every(text: &str) -> Result<Duration, String> {
    let every = parse_duration(text)?;
    if (EVERY_MIN..=EVERY_MAX).contains(&every) {
        Ok(every)
    } else {
        Err("must be from 1s to 366d, such as 1h".to_owned())
    }
}

/// Parses `24h,7d,4w,12m`.
fn parse_keep(text: &str) -> Result<Keep, String> {
    let right = || {
        "must be counts of hours, days, weeks and months such as 24h,7d,4w,12m; what is left out counts as 0"
            .to_owned()
    };
    let mut keep = Keep { hours: 0, days: 0, weeks: 0, months: 0 };
    for part in text.split(',').map(str::trim) {
        let unit = part.chars().next_back().ok_or_else(right)?;
        let count: u32 = part[..part.len() - unit.len_utf8()].parse().map_err(|_| right())?;
        let field = match unit {
            'h' => &mut keep.hours,
            'd' => &mut keep.days,
            'w' => &mut keep.weeks,
            'm' => &mut keep.months,
            _ => return Err(right()),
        };
        if *field != 0 {
            return Err(right());
        }
        *field = count;
    }
    Ok(keep)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_is_a_count_of_hours_days_weeks_and_months() {
        assert_eq!(parse_keep("24h,7d,4w,12m"), Ok(Keep::default()));
        assert_eq!(parse_keep("3d"), Ok(Keep { hours: 0, days: 3, weeks: 0, months: 0 }));
        for wrong in ["", "24", "h", "24h,", "24h,12h", "1y", "-1d", "24é"] {
            assert!(parse_keep(wrong).unwrap_err().contains("24h,7d,4w,12m"), "{wrong}");
        }
        assert_eq!(parse_every("30s"), Ok(Duration::from_secs(30)));
        assert!(parse_every("0s").is_err() && parse_every("500d").is_err() && parse_every("often").is_err());
    }
}
