//! The part of a session that only submission has: authentication before sending.
//!
//! Credentials leave the session as a step, and the rest of the server checks them.

use super::{Protocol, Recipient, Session, Step};
use crate::smtp::receive::auth::{self, AuthState, Turn};
use crate::smtp::receive::reply::Reply;

impl<R: Recipient> Session<R> {
    /// Takes the answer to [`Step::Authenticate`]; returns the reply for the client. A 421 ends the session.
    ///
    /// # Panics
    /// If no client was being checked.
    pub fn authenticated(&mut self, answer: Result<(), Reply>) -> Reply {
        assert!(self.awaits_authentication(), "a client is asked about");
        match answer {
            Ok(()) => {
                self.auth = AuthState::Given;
                Reply::new(235, "2.7.0", "Authenticated")
            }
            Err(reply) => {
                self.auth = AuthState::Missing;
                self.count_error(reply)
            }
        }
    }

    pub(super) fn awaits_authentication(&self) -> bool {
        matches!(self.auth, AuthState::Asked)
    }

    /// Takes the exchange out if the next line belongs to AUTH. A line that does not continue it ends it, as an error
    /// does.
    pub(super) fn take_exchange(&mut self) -> Option<auth::Exchange> {
        match std::mem::take(&mut self.auth) {
            AuthState::Begun(exchange) => Some(exchange),
            other => {
                self.auth = other;
                None
            }
        }
    }

    /// Handles AUTH as `smtp-proto` parsed it.
    pub(super) fn auth(&mut self, mechanism: u64, initial: &str) -> Step<R> {
        if !self.helo.as_ref().is_some_and(|helo| helo.extended) {
            return self.refuse(Reply::new(503, "5.5.1", "EHLO first"));
        }
        if matches!(self.auth, AuthState::Given) || self.mail.is_some() {
            return self.refuse(Reply::new(503, "5.5.1", "AUTH comes once, and before MAIL"));
        }
        self.turn(auth::begin(mechanism, initial))
    }

    /// Handles the client's response to a challenge.
    pub(super) fn go_on(&mut self, exchange: auth::Exchange, line: &[u8]) -> Step<R> {
        let line = std::str::from_utf8(line).unwrap_or_default();
        self.turn(auth::go_on(exchange, line))
    }

    /// Whether mail may be sent: always, except that submission needs an authenticated client.
    pub(super) fn may_send(&self) -> bool {
        self.limits.protocol != Protocol::Submission || matches!(self.auth, AuthState::Given)
    }

    fn turn(&mut self, turn: Turn) -> Step<R> {
        match turn {
            Turn::Ask(challenge, exchange) => {
                self.auth = AuthState::Begun(exchange);
                Step::Reply(Reply::new(334, "", challenge))
            }
            Turn::Done(credentials) => {
                self.auth = AuthState::Asked;
                Step::Authenticate(credentials)
            }
            Turn::Refuse(reply) => self.refuse(reply),
        }
    }
}
