//! The form by which a moderator decides, on the pages of held messages and of requests.

use super::context::Context;
use crate::ops::moderation::moderators::REASON_CHARS_MAX;

/// The form by which a moderator decides.
pub(super) struct DecisionForm {
    pub(super) reason: String,
    pub(super) reason_chars_max: usize,
    pub(super) reason_label: String,
    /// A sentence that says who reads the reason.
    pub(super) reason_hint: String,
    /// A sentence that says what each button does.
    pub(super) next: String,
}

impl DecisionForm {
    /// The form of a request, filled in as it was sent.
    pub(super) fn of(context: &Context, [reason_label, reason_hint, next]: [String; 3]) -> DecisionForm {
        let reason = context.form.get("reason").to_owned();
        DecisionForm { reason, reason_chars_max: REASON_CHARS_MAX, reason_label, reason_hint, next }
    }
}
