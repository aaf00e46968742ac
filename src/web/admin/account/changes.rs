//! What a change of settings was, for the overview and the audit log: each setting by its label, with its value before and
//! afterwards in the words of the page of settings.

use crate::locale::text;
use crate::model::audit::ToldValue;
use crate::model::{AuditAction, Language};
use crate::ops::audit::log::ShownEntry;
use crate::web::admin::account::settings;
use crate::web::admin::lists::list_table::Part;
use crate::web::admin::parts::fields::{Table, label_in, told_in};

/// Settings that a line names.
const NAMED_MAX: usize = 3;

/// The settings that an entry changed, each as a sentence; at most `limit` of them, and how many more there are.
fn sentences(language: Language, shown: &ShownEntry, limit: usize) -> Vec<String> {
    let tables: Vec<Table> = match shown.entry.action {
        AuditAction::ListUpdated => Part::ALL.iter().map(|part| part.table()).collect(),
        AuditAction::AccountUpdated => vec![settings::TABLE],
        _ => Vec::new(),
    };
    let told = |name: &str, value: &ToldValue| {
        let value = tables.iter().find_map(|table| told_in(table, language, name, value));
        value.unwrap_or_else(|| text!(language, "set-nothing"))
    };
    let label = |name: &str| {
        let labels = tables.iter().map(|table| label_in(table, language, name));
        labels.into_iter().find(|label| label != name).unwrap_or_else(|| name.to_owned())
    };
    let changes = shown.changes.iter().take(limit);
    let mut sentences: Vec<String> = changes
        .map(|change| {
            let (before, after) = (told(&change.field, &change.before), told(&change.field, &change.after));
            text!(language, "audit-changed", label = label(&change.field), before = before, after = after)
        })
        .collect();
    if limit < shown.changes.len() {
        sentences.push(text!(language, "audit-changed-more", count = shown.changes.len() - limit));
    }
    sentences
}

/// The first settings that an entry changed, for a line of the overview.
pub(super) fn first(language: Language, shown: &ShownEntry) -> Vec<String> {
    sentences(language, shown, NAMED_MAX)
}

/// All settings that an entry changed.
pub(super) fn all(language: Language, shown: &ShownEntry) -> Vec<String> {
    sentences(language, shown, usize::MAX)
}
