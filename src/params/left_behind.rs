//! Finds what the row of an import says that has no place here: columns that are passed over, attributes without a
//! custom field, who may post, forms of delivery that become others, and roles.
//!
//! An import names each of these once, with the number of people.

use super::columns::{Column, attribute_names};
use super::decisions::{Decision, value_of};
use crate::model::CustomField;

/// Longest value that is named, in characters.
const VALUE_CHARS_MAX: usize = 60;
/// Values that say that somebody posts like others.
const POSTS_LIKE_OTHERS: &[&str] = &["", "allowed", "default", "subpostdefault", "yes", "true"];
/// Values that say that somebody has no part in running a list.
const NO_ROLE: &[&str] = &["", "none", "member", "no", "false", "0"];

/// What a row says that is not taken over.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct LeftBehind {
    /// Each in words, without the value of the person where that is the person's alone.
    pub(crate) said: Vec<String>,
    /// The person's part in running the list, such as `owner`.
    pub(crate) role: Option<String>,
}

/// What a row leaves behind. `names` are those of the columns.
pub(crate) fn of_row(
    columns: &[Column],
    names: &[String],
    cells: &[String],
    custom: &[CustomField],
) -> LeftBehind {
    let mut left = LeftBehind::default();
    for ((column, name), cell) in columns.iter().zip(names).zip(cells) {
        let (name, cell) = (name.trim(), cell.trim());
        if cell.is_empty() {
            continue;
        }
        let value = value_of(cell);
        let shown = || cell.chars().take(VALUE_CHARS_MAX).collect::<String>();
        match column {
            Column::Ignored if name != super::columns::REASON_COLUMN => left.said.push(name.to_owned()),
            Column::Attributes => {
                let unknown = attribute_names(cell, custom).into_iter();
                left.said.extend(unknown.map(|attribute| format!("{name}: {attribute}")));
            }
            Column::Posting if !POSTS_LIKE_OTHERS.contains(&value.as_str()) => {
                left.said.push(format!("{name}: {} (they post like others)", shown()));
            }
            Column::Role => left.role = role_of(&value),
            Column::Decision { kind: Decision::State, .. } if is_role(&value) => left.role = Some(value),
            Column::Decision { kind: Decision::Delivery, .. } => {
                let instead = Decision::in_place_of(&value);
                left.said.extend(instead.map(|instead| format!("{name}: {} ({instead})", shown())));
            }
            _ => {}
        }
    }
    left
}

fn is_role(value: &str) -> bool {
    ["owner", "manager", "moderator"].contains(&value)
}

/// The role in a value such as `sub_modstatus_owner`, if it is one; a yes in a column of its own is a moderator.
fn role_of(value: &str) -> Option<String> {
    match value.strip_prefix("submodstatus").unwrap_or(value) {
        none if NO_ROLE.contains(&none) => None,
        "1" | "yes" | "true" => Some("moderator".to_owned()),
        role => Some(role.to_owned()),
    }
}
