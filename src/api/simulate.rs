//! Simulates the outcome of a message to a list, without any effect (`spec/mail.md` 10): `/lists/{name}/simulate/`.
//!
//! `dispatch` calls it, for HTTP and for the operator's commands. The decision is made by the code that decides real
//! mail.

use std::sync::Arc;

use axum::body::Bytes;

use super::error::ApiError;
use super::operation::{Mail, Operation, ResponseKind};
use super::request::WriteRequest;
use super::shape::{View as _, view};
use super::view;
use crate::mail::Verdict;
use crate::ops::posting::simulate::{self as ops, CopyOfMember, Sample, Simulation};
use crate::ops::{Caller, Wrong};
use crate::params::Params;
use crate::service::patterns::Turn;

/// `/lists/{name}/simulate/`
pub(super) const PART: &[Operation] = &[Operation::post_mail(
    "Tells what would become of a message; nothing happens",
    Mail { reader: fields, message: MESSAGE },
    ResponseKind::One(SimulationView::object),
)
.required(&[MESSAGE])
.about(&[(MESSAGE, "The whole message, its header first."), ("from", "Its envelope sender.")])];
/// The parameter that holds the message.
const MESSAGE: &str = "message";

/// Whether a caller may simulate for any list; the list's own permission is checked later.
pub(super) fn is_allowed(caller: &Caller) -> bool {
    ops::require(caller).is_ok()
}

/// `POST /lists/{name}/simulate/`
///
/// The message is the body, as `message/rfc822`, or the parameter `message`; `from` is its envelope sender.
pub(super) async fn create(call: WriteRequest<'_>, name: &str) -> Result<Bytes, ApiError> {
    let WriteRequest { core, principal, params, rate: _, repeatable: _ } = call;
    // A missing list, or a missing permission for it, is reported before wrong values.
    let list = ops::list_for(&core.store.read()?, &principal.caller, name)?;
    let mail = params.take_mail();
    let (text, from) = fields_of(params, mail.is_none());
    let raw = mail.map_or_else(|| text.unwrap_or_default().into_bytes(), |mail| mail.to_vec());
    if raw.is_empty() {
        params.problem(MESSAGE, Wrong::WholeMessage);
    }
    ApiError::check(params.take_problems())?;
    let authentication = core.dns.authenticate(&raw).await;
    let (store, links, now) = (core.store.clone(), Arc::clone(&core.links), core.now());
    let limits = principal.caller.limits.clone();
    let simulating = core.patterns.run(
        principal.account.id,
        Turn::Call,
        move |patterns| -> Result<Simulation, ApiError> {
            let sample = Sample::new(raw, from.as_deref(), authentication);
            let (tx, judge) = (store.read()?, patterns.judge());
            let now_at = (&tx, store.condition());
            Ok(ops::simulate(now_at, &judge, list, &limits, sample, &links, now)?)
        },
    );
    let simulation = simulating.await.ok_or_else(ApiError::internal)??;
    view::object(&SimulationView::of(&simulation), None)
}

fn fields(params: &mut Params) {
    fields_of(params, true);
}

/// Reads the message, unless it is the body itself, and its envelope sender.
fn fields_of(params: &mut Params, has_message: bool) -> (Option<String>, Option<String>) {
    let message = has_message.then(|| params.text(MESSAGE)).flatten();
    (message, params.text("from"))
}

view! {
    /// The simulated outcome of a message.
    struct SimulationView<'a> as "Simulation" {
        /// Name of the list.
        list: &'a str,
        /// The decision on the message.
        verdict: &'static str,
        /// The reason; null where it would be sent.
        reason: Option<String>,
        /// The reply that its sender would get over SMTP.
        answer: String,
        /// The result of each rule, in the order in which they are applied.
        rules: Vec<RuleView>,
        /// The result of its DKIM signatures.
        dkim: &'static str,
        /// The result of DMARC, which here depends on the signatures only.
        dmarc: &'static str,
        /// The policy that the author's domain publishes for DMARC.
        dmarc_policy: &'static str,
        /// Number of copies that would be sent.
        recipients: u64,
        /// Number of members' addresses that would get no copy, since they are paused or their membership is.
        paused: u64,
        /// Bytes of a copy; null where none would be sent.
        size: Option<u64>,
        /// Header fields of a copy.
        headers: Vec<HeaderView<'a>>,
        /// Changes that would be made to the message, in words.
        changes: &'a [String],
    }
}

view! {
    /// The result of one rule.
    pub(super) struct RuleView as "Rule" {
        /// The rule.
        rule: &'static str,
        /// Its decision; null where it makes none.
        verdict: Option<&'static str>,
        /// The reason; null where the rule makes no decision, or gives none.
        reason: Option<String>,
    }
}

view! {
    /// A header field of a message.
    pub(super) struct HeaderView<'a> as "HeaderField" {
        /// Its name.
        name: &'a str,
        /// Its value.
        value: &'a str,
    }
}

impl<'a> SimulationView<'a> {
    fn of(simulation: &'a Simulation) -> SimulationView<'a> {
        let Simulation { list, rules, authentication, acceptance, reach, copy } = simulation;
        let rule = |(rule, verdict): &(&'static str, Option<Verdict>)| RuleView {
            rule,
            verdict: verdict.as_ref().map(Verdict::word),
            reason: verdict.as_ref().and_then(Verdict::reason),
        };
        let CopyOfMember { headers, changes, size_bytes } = match copy {
            Some(copy) => copy,
            None => const { &CopyOfMember { headers: Vec::new(), changes: Vec::new(), size_bytes: 0 } },
        };
        SimulationView {
            list,
            verdict: acceptance.word(),
            reason: acceptance.reason(),
            answer: acceptance.reply().to_string(),
            rules: rules.iter().map(rule).collect(),
            dkim: authentication.dkim.word(),
            dmarc: authentication.dmarc.word(),
            dmarc_policy: authentication.policy.word(),
            recipients: reach.recipients,
            paused: reach.paused,
            size: copy.is_some().then_some(*size_bytes),
            headers: headers.iter().map(|(name, value)| HeaderView { name, value }).collect(),
            changes,
        }
    }
}
