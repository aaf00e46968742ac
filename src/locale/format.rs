//! Writes days, times, spans of time, sizes and numbers as a language writes them. Pages and system mail call it;
//! catalogues use it for the numbers in texts. It reads no clock: instants and zones are arguments.

use std::time::Duration;

use jiff::tz::TimeZone;

use super::text;
use crate::clock::Timestamp;
use crate::model::Language;

const MINUTE_SECS: u64 = 60;
const HOUR_SECS: u64 = 60 * MINUTE_SECS;
const DAY_SECS: u64 = 24 * HOUR_SECS;

/// The day of an instant in a time zone: "20 November 2026".
#[must_use]
pub fn day(language: Language, instant: Timestamp, zone: &TimeZone) -> String {
    let date = instant.in_zone(zone.clone()).date();
    // The year is no number that thousands are told apart in.
    text!(language, "date-day", day = date.day(), month = date.month(), year = date.year().to_string())
}

/// The day and time of an instant in a time zone, with the zone's abbreviation: "20 November 2026, 16:20 CET".
#[must_use]
pub fn moment(language: Language, instant: Timestamp, zone: &TimeZone) -> String {
    let time = instant.in_zone(zone.clone()).strftime("%H:%M %Z").to_string();
    text!(language, "date-moment", day = day(language, instant, zone), time = time)
}

/// The day and time of an instant in a time zone that its reader knows: "20 November 2026, 16:20".
#[must_use]
pub fn local_moment(language: Language, instant: Timestamp, zone: &TimeZone) -> String {
    let time = instant.in_zone(zone.clone()).strftime("%H:%M").to_string();
    text!(language, "date-moment", day = day(language, instant, zone), time = time)
}

/// An instant beside `now`, in a time zone: "today, 20:59", "yesterday", "tomorrow, 20:59", the day without its year in the
/// same year, and the whole day otherwise. Where it is shown, the exact time stands beside it ([`moment`]).
#[must_use]
pub fn near(language: Language, instant: Timestamp, now: Timestamp, zone: &TimeZone) -> String {
    let (then, today) = (instant.in_zone(zone.clone()), now.in_zone(zone.clone()).date());
    let (date, time) = (then.date(), then.strftime("%H:%M").to_string());
    if date == today {
        text!(language, "date-today", time = time)
    } else if today.yesterday().is_ok_and(|yesterday| date == yesterday) {
        text!(language, "date-yesterday")
    } else if today.tomorrow().is_ok_and(|tomorrow| date == tomorrow) {
        text!(language, "date-tomorrow", time = time)
    } else if date.year() == today.year() {
        text!(language, "date-this-year", day = date.day(), month = date.month())
    } else {
        day(language, instant, zone)
    }
}

/// A span of time in days, rounded up, at least one: 50 hours are "3 days".
#[must_use]
pub fn days_of(language: Language, duration: Duration) -> String {
    text!(language, "duration-days", count = duration.as_secs().div_ceil(DAY_SECS).max(1))
}

/// A span of time in its largest whole unit: "90 minutes", "2 hours", "7 days".
#[must_use]
pub fn duration(language: Language, duration: Duration) -> String {
    let secs = duration.as_secs();
    match secs {
        0 => text!(language, "duration-seconds", count = 0),
        secs if secs % DAY_SECS == 0 => text!(language, "duration-days", count = secs / DAY_SECS),
        secs if secs % HOUR_SECS == 0 => text!(language, "duration-hours", count = secs / HOUR_SECS),
        secs if secs % MINUTE_SECS == 0 => text!(language, "duration-minutes", count = secs / MINUTE_SECS),
        secs => text!(language, "duration-seconds", count = secs),
    }
}

/// A size of mail in whole kilobytes or megabytes, rounded up: "2 KB".
#[must_use]
pub fn size(language: Language, bytes: u64) -> String {
    let kilobytes = bytes.div_ceil(1024);
    if kilobytes < 10 * 1024 {
        text!(language, "size-kb", count = kilobytes)
    } else {
        text!(language, "size-mb", count = kilobytes.div_ceil(1024))
    }
}

/// A number with separators between its thousands: "12,345".
#[must_use]
pub fn number(language: Language, number: u64) -> String {
    text!(language, "number", number = number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(show: impl Fn(Language) -> String) -> Vec<String> {
        Language::ALL.iter().map(|language| show(*language)).collect()
    }

    #[test]
    fn days_and_times_are_those_of_the_zone_in_the_words_of_the_language() {
        let instant = Timestamp::parse_rfc3339("2026-11-30T23:30:00Z").unwrap();
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        assert_eq!(
            all(|language| day(language, instant, &zone)),
            ["1 December 2026", "1. Dezember 2026", "1er décembre 2026", "1 de diciembre de 2026"]
        );
        assert_eq!(local_moment(Language::English, instant, &zone), "1 December 2026, 00:30");
        assert_eq!(
            all(|language| moment(language, instant, &TimeZone::UTC)),
            [
                "30 November 2026, 23:30 UTC",
                "30. November 2026, 23:30 UTC",
                "30 novembre 2026 à 23:30 UTC",
                "30 de noviembre de 2026, 23:30 UTC"
            ]
        );
    }

    #[test]
    fn times_near_to_now_are_told_by_the_day_of_the_zone() {
        let now = Timestamp::parse_rfc3339("2026-11-30T23:30:00Z").unwrap();
        let zone = TimeZone::get("Europe/Berlin").unwrap();
        let told = |instant: &str| {
            all(|language| near(language, Timestamp::parse_rfc3339(instant).unwrap(), now, &zone))
        };
        // In Berlin it is the first of December.
        assert_eq!(
            told("2026-12-01T07:05:00Z"),
            ["today, 08:05", "heute, 08:05", "aujourd’hui, 08:05", "hoy, 08:05"]
        );
        assert_eq!(told("2026-11-30T22:59:00Z"), ["yesterday", "gestern", "hier", "ayer"]);
        assert_eq!(told("2026-12-02T00:00:00Z")[0], "tomorrow, 01:00");
        assert_eq!(
            told("2026-11-20T00:00:00Z"),
            ["20 November", "20. November", "20 novembre", "20 de noviembre"]
        );
        assert_eq!(told("2025-12-01T07:05:00Z")[0], "1 December 2025");
    }

    #[test]
    fn every_month_has_a_name_of_its_own_in_every_language() {
        for language in Language::ALL {
            let of_month = |month: i8| {
                text!(*language, "date-day", day = 2, month = month, year = "2026").to_lowercase()
            };
            let mut names: Vec<String> = (1..=12).map(of_month).collect();
            names.dedup();
            assert_eq!(names.len(), 12, "{names:?}");
        }
    }

    #[test]
    fn spans_of_time_are_told_in_the_largest_whole_unit() {
        let spans = [0, 1, 90, 120, 3600, 5400, 86_400 * 7];
        let told = |language| spans.map(|secs| duration(language, Duration::from_secs(secs))).join(", ");
        assert_eq!(
            told(Language::English),
            "0 seconds, 1 second, 90 seconds, 2 minutes, 1 hour, 90 minutes, 7 days"
        );
        assert_eq!(
            told(Language::German),
            "0 Sekunden, 1 Sekunde, 90 Sekunden, 2 Minuten, 1 Stunde, 90 Minuten, 7 Tage"
        );
        assert_eq!(days_of(Language::French, Duration::from_hours(25)), "2 jours");
        assert_eq!(days_of(Language::Spanish, Duration::ZERO), "1 día");
    }

    #[test]
    fn thousands_are_told_apart_as_each_language_does() {
        assert_eq!(all(|language| number(language, 999)), ["999"; 4]);
        assert_eq!(all(|language| number(language, 1234)), ["1,234", "1.234", "1\u{202f}234", "1234"]);
        assert_eq!(
            all(|language| number(language, 12_345_678)),
            ["12,345,678", "12.345.678", "12\u{202f}345\u{202f}678", "12.345.678"]
        );
        assert_eq!(
            all(|language| size(language, 2_000_000)),
            ["1,954 KB", "1.954 KB", "1\u{202f}954 Ko", "1954 kB"]
        );
        assert_eq!(all(|language| size(language, 52_428_800)), ["50 MB", "50 MB", "50 Mo", "50 MB"]);
    }
}
