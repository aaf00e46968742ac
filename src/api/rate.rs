//! Charges requests for the objects that they read or change, up to the account's limit per hour.
//!
//! A request is charged before it is carried out, so that concurrent requests never exceed the limit together; an
//! error gives the charge back.

use std::sync::atomic::{AtomicU64, Ordering};

use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Response};

use super::auth::Principal;
use super::error::ApiError;
use crate::clock::Timestamp;
use crate::ops::server::usage::{Meter, Standing};

const LIMIT: HeaderName = HeaderName::from_static("ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("ratelimit-remaining");
const RESET: HeaderName = HeaderName::from_static("ratelimit-reset");

/// The charge of one request.
#[derive(Debug)]
pub(super) struct Rate<'call> {
    meter: &'call Meter,
    limit: u64,
    now: Timestamp,
    taken: AtomicU64,
}

impl<'call> Rate<'call> {
    /// A request that arrives now, not charged yet.
    pub(super) fn of(principal: &'call Principal, now: Timestamp) -> Rate<'call> {
        Rate { meter: &principal.meter, limit: principal.limit, now, taken: AtomicU64::new(0) }
    }

    /// Charges objects before they are read or changed.
    pub(super) fn take(&self, objects: u64) -> Result<(), ApiError> {
        if self.meter.take(objects, self.limit, self.now).is_err() {
            let Standing { limit, remaining: _, reset_secs } = self.standing();
            let message =
                format!("The account may read and change {limit} objects an hour: wait for the next");
            return Err(ApiError::too_many(message, reset_secs));
        }
        self.taken.fetch_add(objects, Ordering::Relaxed);
        Ok(())
    }

    /// Charges the objects of an answer in place of the one that was charged beforehand.
    pub(super) fn settle(&self, objects: u64) -> Result<(), ApiError> {
        match objects.checked_sub(1) {
            Some(0) => Ok(()),
            Some(more) => self.take(more),
            None => {
                self.give_back();
                Ok(())
            }
        }
    }

    /// Gives the whole charge back: errors cost nothing.
    pub(super) fn give_back(&self) {
        self.meter.give_back(self.taken.swap(0, Ordering::Relaxed), self.now);
    }

    /// Adds header fields to an answer: the account's limit, the remaining objects and the time until the hour ends.
    pub(super) fn show(&self, mut response: Response<Body>) -> Response<Body> {
        let Standing { limit, remaining, reset_secs } = self.standing();
        let headers = response.headers_mut();
        headers.insert(LIMIT, HeaderValue::from(limit));
        headers.insert(REMAINING, HeaderValue::from(remaining));
        headers.insert(RESET, HeaderValue::from(reset_secs));
        response
    }

    fn standing(&self) -> Standing {
        self.meter.standing(self.limit, self.now)
    }
}
