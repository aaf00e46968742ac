//! The operator's settings for backups: where they go, how often they are made, and how long they are kept.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;

/// Where backups go.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BackupPlace {
    /// A file or a folder of this machine, as it was named.
    Local(String),
    /// A bucket of a storage service.
    S3(S3Settings),
}

impl fmt::Display for BackupPlace {
    /// The place in words, without secrets.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BackupPlace::Local(path) => write!(out, "{path}"),
            BackupPlace::S3(settings) => write!(out, "{settings}"),
        }
    }
}

/// A part of a bucket that keeps objects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct S3Settings {
    /// The bucket.
    pub bucket: String,
    /// The beginning of the keys of all objects, without slashes at its ends; may be blank.
    pub prefix: String,
    /// The URL of the service; AWS's of the region if unset.
    pub endpoint: Option<String>,
    /// The region.
    pub region: String,
    /// The key, if one was given.
    pub credentials: Option<S3Credentials>,
    /// Certificates of authorities that are trusted beside the public ones, DER.
    pub authorities: Vec<Vec<u8>>,
}

impl fmt::Display for S3Settings {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let S3Settings { bucket, prefix, .. } = self;
        write!(out, "{}", format_args!("s3://{bucket}/{prefix}").to_string().trim_end_matches('/'))
    }
}

/// A key of a storage service.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct S3Credentials {
    /// Its name.
    pub access_key: String,
    /// Its secret.
    pub secret_key: String,
    /// The token that goes with a key that is valid for a while.
    pub session_token: Option<String>,
}

impl fmt::Debug for S3Credentials {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Nothing of it is ever logged.
        out.write_str("S3Credentials")
    }
}

/// How many backups are kept: the newest of each of the last hours, days, weeks and months, as many of each as are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keep {
    /// Hours.
    pub hours: u32,
    /// Days.
    pub days: u32,
    /// Weeks.
    pub weeks: u32,
    /// Months.
    pub months: u32,
}

impl Default for Keep {
    fn default() -> Keep {
        Keep { hours: 24, days: 7, weeks: 4, months: 12 }
    }
}

impl Keep {
    /// The points that are not kept: none of them is the newest of an hour, day, week or month that counts. Hours, days,
    /// weeks and months are those of UTC, and only those with a point are counted, so that a server that was off for long
    /// loses nothing. The newest point is always kept.
    #[must_use]
    pub fn doomed(&self, points: &[Timestamp]) -> Vec<Timestamp> {
        let mut newest_first = points.to_vec();
        newest_first.sort_unstable_by(|a, b| b.cmp(a));
        newest_first.dedup();
        let mut kept: BTreeSet<Timestamp> = newest_first.first().copied().into_iter().collect();
        for (count, period) in [
            (self.hours, hour_of as fn(Timestamp) -> i64),
            (self.days, day_of),
            (self.weeks, week_of),
            (self.months, month_of),
        ] {
            let (mut seen, mut last) = (0, None);
            for point in &newest_first {
                let of = period(*point);
                if last == Some(of) {
                    continue;
                }
                if seen == count {
                    break;
                }
                (seen, last) = (seen + 1, Some(of));
                kept.insert(*point);
            }
        }
        newest_first.reverse();
        newest_first.retain(|point| !kept.contains(point));
        newest_first
    }
}

const HOUR_SECS: i64 = 3600;
const DAY_SECS: i64 = 24 * HOUR_SECS;

fn hour_of(time: Timestamp) -> i64 {
    time.secs().div_euclid(HOUR_SECS)
}

fn day_of(time: Timestamp) -> i64 {
    time.secs().div_euclid(DAY_SECS)
}

/// Weeks begin on Mondays; the first day of 1970 was a Thursday.
fn week_of(time: Timestamp) -> i64 {
    (day_of(time) + 3).div_euclid(7)
}

fn month_of(time: Timestamp) -> i64 {
    i64::try_from(time.month()).unwrap_or(i64::MAX)
}

/// The backups that a running server makes by itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BackupConfig {
    /// Where they go.
    pub place: BackupPlace,
    /// How often one is made.
    pub every: Duration,
    /// Which are kept.
    pub keep: Keep,
    /// The file with the key that encrypts them; they are not encrypted if unset.
    pub key_file: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn time(text: &str) -> Timestamp {
        Timestamp::parse_rfc3339(text).unwrap()
    }

    #[test]
    fn the_newest_of_each_hour_day_week_and_month_is_kept() {
        let points = [
            "2026-09-15T00:00:00Z",
            "2026-10-31T23:00:00Z",
            "2026-11-15T12:00:00Z",
            "2026-11-20T09:00:00Z",
            "2026-11-20T10:00:00Z",
            "2026-11-20T10:30:00Z",
            "2026-11-20T11:00:00Z",
        ]
        .map(time);
        let doomed = |hours, days, weeks, months| Keep { hours, days, weeks, months }.doomed(&points);
        let kept = |doomed: &[Timestamp]| points.iter().filter(|point| !doomed.contains(point)).count();
        assert_eq!(doomed(2, 0, 0, 0), points[..5], "11:00 and 10:30");
        assert_eq!(doomed(0, 2, 0, 0), [&points[..2], &points[3..6]].concat());
        // The 15th was a Sunday, and the 20th is in the week after.
        assert_eq!(doomed(0, 0, 2, 0), [&points[..2], &points[3..6]].concat());
        assert_eq!(doomed(0, 0, 0, 2), [&points[..1], &points[2..6]].concat());
        assert_eq!(kept(&doomed(0, 0, 0, 0)), 1, "the newest is always kept");
        assert_eq!(doomed(24, 7, 4, 12), [points[4]]);
    }

    proptest! {
        #[test]
        fn thinning_keeps_the_newest_is_stable_and_keeps_more_if_more_is_asked_for(
            minutes in proptest::collection::vec(0_i64..600_000, 0..80),
            (hours, days, weeks, months) in (0_u32..30, 0_u32..10, 0_u32..6, 0_u32..14),
        ) {
            let points: Vec<Timestamp> = minutes.iter().map(|m| Timestamp::from_ms(m * 60_000)).collect();
            let keep = Keep { hours, days, weeks, months };
            let doomed = keep.doomed(&points);
            let kept: Vec<Timestamp> =
                points.iter().copied().filter(|point| !doomed.contains(point)).collect();
            prop_assert_eq!(points.iter().max(), kept.iter().max());
            prop_assert!(doomed.iter().all(|point| points.contains(point)));
            prop_assert_eq!(keep.doomed(&kept), Vec::new(), "a second time nothing goes");
            let distinct: BTreeSet<Timestamp> = kept.iter().copied().collect();
            prop_assert!(distinct.len() as u64 <= u64::from((hours + days + weeks + months).max(1)));
            let more = Keep { hours: hours + 1, days: days + 1, weeks: weeks + 1, months: months + 1 };
            prop_assert!(more.doomed(&points).iter().all(|point| doomed.contains(point)));
            // What is kept does not depend on whether it was thinned before.
            let newest = Timestamp::from_ms(700_000 * 60_000);
            let with_newest = |mut points: Vec<Timestamp>| { points.push(newest); points };
            let at_once = with_newest(points.clone());
            let in_steps = with_newest(kept);
            let survive = |points: &[Timestamp]| -> BTreeSet<Timestamp> {
                let doomed = keep.doomed(points);
                points.iter().copied().filter(|point| !doomed.contains(point)).collect()
            };
            prop_assert_eq!(survive(&at_once), survive(&in_steps));
        }
    }
}
