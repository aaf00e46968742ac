//! Facts about the running server, one module a subject.

#![expect(clippy::unwrap_used, reason = "a test ends where something unexpected happens")]

mod again;
mod api;
mod batched;
mod bounce_forms;
mod bounces;
mod certificate;
mod cli;
mod clock;
mod crash;
mod crowd;
mod delivery;
mod disk;
mod dns;
mod harness;
mod inject;
mod invitations;
mod licences;
mod life;
mod lmtp;
mod mail;
mod mail_props;
mod metrics;
mod moderation;
mod outage;
mod pace;
mod posting;
mod quarantine;
mod queue;
mod regrouped;
mod reports;
mod roles;
mod rotation;
mod sealing;
mod senders;
mod simulate;
mod smtp_props;
mod store_crash;
mod store_model;
mod submission;
mod tarpit;
mod tidy;
mod tls;
mod transformation;
mod welcome;
