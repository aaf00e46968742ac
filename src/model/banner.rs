//! The image that an account shows on its pages, fetched from the address that its `custom_image` names.
//!
//! `ops::accounts::banners` writes these records, beside the account's own; `jobs` fetches.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{AccountId, BlobId, words};
use crate::clock::Timestamp;

/// The number of attempts to fetch an image before the server gives up.
const TRIES_MAX: u32 = 8;
/// The pause after the first failure; each further one is four times as long.
const PAUSE_MIN: Duration = Duration::from_mins(1);
const PAUSE_MAX: Duration = Duration::from_hours(24);

words! {
    /// The reason why an image could not be fetched.
    BannerProblem {
        /// No server answered at the address, or not in time.
        Unreachable = "unreachable",
        /// The server has no such file.
        Missing = "missing",
        /// The file is too large.
        TooLarge = "too_large",
        /// It is no image of a kind that is shown.
        NoImage = "no_image",
        /// It has too many pixels.
        TooManyPixels = "too_many_pixels",
    }
}

/// An image as it is served.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BannerImage {
    /// The PNG file.
    pub blob: BlobId,
    /// The beginning of its SHA-256 hash in hexadecimal, which names it.
    pub hash: String,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// The banner of an account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Banner {
    /// The account, which has one such record at most.
    pub account: AccountId,
    /// The address of the image: the account's `custom_image`.
    pub url: String,
    /// The image, once it was fetched.
    pub image: Option<BannerImage>,
    /// The result of the last try that failed.
    pub problem: Option<BannerProblem>,
    /// Tries that failed.
    pub tries: u32,
    /// When it is fetched; unset once it was, or was given up.
    pub due: Option<Timestamp>,
}

impl Banner {
    /// A banner that is to be fetched.
    #[must_use]
    pub fn new(account: AccountId, url: String, now: Timestamp) -> Banner {
        Banner { account, url, image: None, problem: None, tries: 0, due: Some(now) }
    }

    /// Notes a try that failed at `now`.
    pub fn note_failure(&mut self, problem: BannerProblem, now: Timestamp) {
        let pause = PAUSE_MIN.saturating_mul(4_u32.saturating_pow(self.tries)).min(PAUSE_MAX);
        self.problem = Some(problem);
        self.tries += 1;
        self.due = (self.tries < TRIES_MAX).then(|| now + pause);
    }
}
