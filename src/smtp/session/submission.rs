//! What a session of submission has beside the others: nobody sends who did not prove who it is.

use super::{Protocol, Recipient, Session, Step};
use crate::smtp::auth::{self, Turn};
use crate::smtp::reply::Reply;

/// Where a client stands that has to prove who it is.
#[derive(Debug, Default)]
pub(super) enum AuthState {
    #[default]
    Missing,
    /// It was asked for another line.
    Begun(auth::Exchange),
    /// The rest of the server looks at what it showed.
    Asked,
    Given,
}

impl<R: Recipient> Session<R> {
    /// The answer to [`Step::Authenticate`]: what the client is told. A 421 ends the session.
    ///
    /// # Panics
    /// When nobody was asked about.
    pub fn authenticated(&mut self, answer: Result<(), Reply>) -> Reply {
        assert!(self.awaits_proof(), "a client is asked about");
        match answer {
            Ok(()) => {
                self.proof = AuthState::Given;
                Reply::new(235, "2.7.0", "Authenticated")
            }
            Err(reply) => {
                self.proof = AuthState::Missing;
                self.count_error(reply)
            }
        }
    }

    pub(super) fn awaits_proof(&self) -> bool {
        matches!(self.proof, AuthState::Asked)
    }

    /// Whether the next line belongs to AUTH. What comes of it is settled by then: an error ends the exchange.
    pub(super) fn take_exchange(&mut self) -> Option<auth::Exchange> {
        match std::mem::take(&mut self.proof) {
            AuthState::Begun(exchange) => Some(exchange),
            other => {
                self.proof = other;
                None
            }
        }
    }

    /// AUTH as `smtp-proto` read it.
    pub(super) fn auth(&mut self, mechanism: u64, initial: &str) -> Step<R> {
        if !self.helo.as_ref().is_some_and(|helo| helo.extended) {
            return self.refuse(Reply::new(503, "5.5.1", "EHLO first"));
        }
        if matches!(self.proof, AuthState::Given) || self.mail.is_some() {
            return self.refuse(Reply::new(503, "5.5.1", "AUTH comes once, and before MAIL"));
        }
        self.turn(auth::begin(mechanism, initial))
    }

    /// The client's answer to a challenge.
    pub(super) fn go_on(&mut self, exchange: auth::Exchange, line: &[u8]) -> Step<R> {
        let line = std::str::from_utf8(line).unwrap_or_default();
        self.turn(auth::go_on(exchange, line))
    }

    /// Whether mail may be sent: where it is submitted, by somebody who is known.
    pub(super) fn may_send(&self) -> bool {
        self.limits.protocol != Protocol::Submission || matches!(self.proof, AuthState::Given)
    }

    fn turn(&mut self, turn: Turn) -> Step<R> {
        match turn {
            Turn::Ask(challenge, exchange) => {
                self.proof = AuthState::Begun(exchange);
                Step::Reply(Reply::new(334, "", challenge))
            }
            Turn::Done(credentials) => {
                self.proof = AuthState::Asked;
                Step::Authenticate(credentials)
            }
            Turn::Refuse(reply) => self.refuse(reply),
        }
    }
}
