//! [`Inbound`] → what members receive (`spec/mail.md` 4 and 5).
//!
//! One pass that builds a [`SharedForm`]: untouched bytes are ranges of the original, what the list adds is made
//! once, and what is personal is a place that is filled in as each copy is rendered. Signed and encrypted
//! content is never changed.
//!
//! Reads no storage and no clock, looks nothing up: whether From has to be rewritten is an argument.

mod attached;
mod attachments;
mod body;
mod content;
mod context;
mod fields;
mod form;
mod header_footer;
mod links;
mod merge_tags;
mod plan;
mod present;
mod shorten;
mod slot;
mod structure;
mod text_part;
mod utf16;

use super::parse::Inbound;

pub use context::{ContentAuthor, RewriteContext, list_id, made_message_id};
pub use form::{Personal, SharedForm};

/// Builds the form that all members' copies share.
#[must_use]
pub fn rewrite(inbound: &Inbound, context: &RewriteContext<'_>) -> SharedForm {
    let default_name = context.list.merge_tags_default_name.clone();
    let mut form = SharedForm::new(inbound.raw.clone(), default_name);
    let plan = body::plan(inbound, context, &mut form.changes);
    fields::write(inbound, context, &plan, &mut form);
    form.end_header();
    body::write(inbound, plan, &mut form);
    form
}

#[cfg(test)]
mod tests;
