//! The fate of a simulated mail at a list, in words.

use std::sync::Arc;

use crate::locale::text;
use crate::mail::policy::DiscardReason;
use crate::model::{Language, List};
use crate::ops::OpError;
use crate::ops::posting::acceptance::Acceptance;
use crate::ops::posting::inbound::Refusal;
use crate::ops::posting::simulate::{self, Sample, Simulation};
use crate::service::patterns::Turn;
use crate::web::context::Context;
use crate::web::error::PageError;
use crate::web::form::FieldProblems;

/// The fate of a mail.
pub(super) struct Outcome {
    /// The decision, as a sentence.
    pub(super) verdict: String,
    /// The kind of note that it is: `good`, `warn` or `bad`.
    pub(super) tone: &'static str,
    /// The consequences, as sentences.
    pub(super) follows: Vec<String>,
    /// The list's changes to it.
    pub(super) changes: Vec<String>,
    /// The header of a copy, a line each.
    pub(super) header: Vec<String>,
}

/// Tries the mail of the form at a list, or says what is wrong with the form.
pub(super) async fn run(context: &Context, list: &List) -> Result<Result<Outcome, FieldProblems>, PageError> {
    let (core, caller, language) = (&context.core, context.administrator()?, context.language);
    let id = simulate::list_for(&context.read()?, caller, list.name.as_str())?;
    let message = context.form.get("message");
    if message.trim().is_empty() {
        return Ok(Err(FieldProblems::one("message", text!(language, "sim-missing"))));
    }
    // Mail has CR LF at the ends of its lines, whatever a browser sends.
    let raw = message.replace("\r\n", "\n").trim_start_matches('\n').replace('\n', "\r\n").into_bytes();
    let from = Some(context.form.get("from").trim().to_owned()).filter(|from| !from.is_empty());
    let authentication = core.dns.authenticate(&raw).await;
    let (store, links, now) = (core.store.clone(), Arc::clone(&core.links), core.now());
    let limits = caller.limits.clone();
    let simulating = core.patterns.run(caller.account, Turn::Call, move |patterns| {
        let sample = Sample::new(raw, from.as_deref(), authentication);
        let tx = store.read()?;
        let at = (&tx, store.condition());
        simulate::simulate(at, &patterns.judge(), id, &limits, sample, &links, now)
    });
    let simulated: Result<Simulation, OpError> =
        simulating.await.ok_or_else(|| PageError::Internal("a simulation panicked".to_owned()))?;
    Ok(Ok(told(language, &simulated?)))
}

fn told(language: Language, simulation: &Simulation) -> Outcome {
    let Simulation { acceptance, reach, copy, list: _, rules: _, authentication: _ } = simulation;
    let (verdict, tone) = verdict(language, acceptance);
    let mut follows = Vec::new();
    if matches!(acceptance, Acceptance::Posted | Acceptance::Held(_)) {
        follows.push(match acceptance {
            Acceptance::Posted => text!(language, "sim-recipients", count = reach.recipients),
            _ => text!(language, "sim-recipients-later", count = reach.recipients),
        });
        if 0 < reach.paused {
            follows.push(text!(language, "sim-paused", count = reach.paused));
        }
    }
    follows.push(text!(language, "sim-answer", answer = acceptance.reply().to_string()));
    let (changes, header) = match copy {
        Some(copy) => (
            copy.changes.clone(),
            copy.headers.iter().map(|(name, value)| format!("{name}: {value}")).collect(),
        ),
        None => (Vec::new(), Vec::new()),
    };
    Outcome { verdict, tone, follows, changes, header }
}

fn verdict(language: Language, acceptance: &Acceptance) -> (String, &'static str) {
    match acceptance {
        Acceptance::Posted => (text!(language, "sim-posted"), "good"),
        Acceptance::Held(reason) => (text!(language, "sim-held", reason = reason.told(language)), "warn"),
        Acceptance::Discarded(reason) => {
            (text!(language, "sim-discarded", reason = discarded(language, reason)), "bad")
        }
        Acceptance::Returned(reason) => {
            (text!(language, "sim-returned", reason = reason.told(language)), "bad")
        }
        Acceptance::Refused(Refusal::Rejected(reason)) => {
            (text!(language, "sim-refused", reason = reason.told(language)), "bad")
        }
        Acceptance::Refused(refusal) if refusal.reply().is_temporary() => {
            (text!(language, "sim-deferred", reason = refusal.reason()), "warn")
        }
        Acceptance::Refused(refusal) => (text!(language, "sim-refused", reason = refusal.reason()), "bad"),
    }
}

fn discarded(language: Language, reason: &DiscardReason) -> String {
    match reason {
        DiscardReason::Loop => text!(language, "sim-loop"),
        DiscardReason::TooManyHops => text!(language, "sim-hops"),
        DiscardReason::Duplicate => text!(language, "sim-duplicate"),
        DiscardReason::AutomaticReply => text!(language, "sim-automatic"),
        DiscardReason::Banned => text!(language, "reason-banned"),
        DiscardReason::SenderNotAllowed => text!(language, "reason-not-allowed"),
        DiscardReason::SenderNotProven => text!(language, "reason-not-proven"),
    }
}
