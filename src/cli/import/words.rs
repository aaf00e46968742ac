//! What imports of contacts and of messages say in the same way: their speed, refusals, and that they were cut short.

use std::time::Duration;

use crate::cli::{Failure, told, unexpected};
use crate::control::Reply;

/// Imports of fewer contacts do not report their speed.
pub(super) const SPEED_TOLD_FROM: u64 = 1000;
/// Most refused rows that are printed one by one; the file of refused rows has all.
pub(super) const REJECTS_TOLD: u64 = 20;

/// Contacts or messages per second, rounded to whole ones.
#[expect(clippy::cast_precision_loss, reason = "nobody has so many")]
pub(super) fn rate(taken: u64, took: Duration) -> f64 {
    (taken as f64 / took.as_secs_f64().max(0.001)).round()
}

/// Words the reply that refuses an import.
pub(super) fn refusal_of(reply: Reply) -> Failure {
    told(reply).map_or_else(|failure| failure, |reply| unexpected(&reply))
}

/// Words the error of an import that did not come to its end.
pub(super) fn cut_short(error: impl std::fmt::Display) -> Failure {
    Failure::Failed(format!("the import was cut short: {error}; run it again to go on"))
}
