//! `/lists/{name}/simulate/`: what would become of a message, without anything happening (`spec/mail.md` 10).

use std::sync::Arc;

use axum::body::Bytes;
use serde::Serialize;

use super::Writing;
use super::error::ApiError;
use super::view;
use crate::mail::Verdict;
use crate::ops::simulate::{self as ops, CopyOfMember, Sample, Simulation};

/// `POST /lists/{name}/simulate/`
///
/// The message is the body, as `message/rfc822`, or the parameter `message`; `from` is its envelope sender.
pub(super) async fn create(call: Writing<'_>, name: &str) -> Result<Bytes, ApiError> {
    let Writing { core, principal, params, rate: _, repeatable: _ } = call;
    // There being no such list, or no right to ask about it, comes before wrong values.
    let list = ops::list_for(&core.store.read()?, &principal.caller, name)?;
    let raw = match params.take_mail() {
        Some(mail) => mail.to_vec(),
        None => params.text("message").unwrap_or_default().into_bytes(),
    };
    if raw.is_empty() {
        params.problem("message", "is needed: a whole message, its header first");
    }
    let from = params.text("from");
    ApiError::check(params.take_problems())?;
    let (store, base_url, now) = (core.store.clone(), Arc::clone(&core.base_url), core.now());
    let simulating = tokio::task::spawn_blocking(move || -> Result<Simulation, ApiError> {
        let sample = Sample::new(raw, from.as_deref());
        Ok(ops::simulate(&store.read()?, list, &sample, Some(&base_url), now)?)
    });
    let simulation = simulating.await.map_err(|_| ApiError::internal())??;
    view::object(&SimulationView::of(&simulation), None)
}

/// A simulation as JSON.
#[derive(Serialize)]
struct SimulationView<'a> {
    list: &'a str,
    verdict: &'static str,
    reason: Option<String>,
    rules: Vec<RuleView>,
    recipients: u64,
    size: Option<u64>,
    headers: Vec<HeaderView<'a>>,
    changes: &'a [String],
}

#[derive(Serialize)]
struct RuleView {
    rule: &'static str,
    verdict: Option<&'static str>,
    reason: Option<String>,
}

#[derive(Serialize)]
struct HeaderView<'a> {
    name: &'a str,
    value: &'a str,
}

impl<'a> SimulationView<'a> {
    fn of(simulation: &'a Simulation) -> SimulationView<'a> {
        let Simulation { list, rules, decision, recipients, copy } = simulation;
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
            verdict: decision.word(),
            reason: decision.reason(),
            rules: rules.iter().map(rule).collect(),
            recipients: *recipients,
            size: copy.is_some().then_some(*size_bytes),
            headers: headers.iter().map(|(name, value)| HeaderView { name, value }).collect(),
            changes,
        }
    }
}
