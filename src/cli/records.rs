//! Prints DNS records for people: on one line if that is wide enough, else with the value on a line of its own, from
//! which it can be copied.

use super::terminal::{COLUMNS_MAX, say};
use crate::control::publish::{DnsReply, OWN_ADDRESS, RecordReply};

/// Prints records to publish.
pub(super) fn say_all<'a>(records: impl Iterator<Item = &'a DnsReply>) {
    for DnsReply { kind, name, value } in records {
        say_record("", kind, name, value);
    }
}

/// Prints the state of a record; a right one without its value.
pub(super) fn say_state(record: &RecordReply, is_checked: bool) {
    let RecordReply { kind, name, value, state, found, until } = record;
    match (state.as_str(), until) {
        ("right", _) => say(format_args!("  {state:<8} {kind:<4}  {name}")),
        (_, Some(until)) => say(format_args!("  {state:<8} {kind:<4}  {name}  keep until {until}")),
        _ if is_checked => say_record(&format!("{state:<8} "), kind, name, value),
        _ => say_record("", kind, name, value),
    }
    if let Some(found) = found {
        let doubt = if state == "unknown" { ", which this server cannot judge" } else { "" };
        say(format_args!("           found: {found}{doubt}"));
    }
}

fn say_record(state: &str, kind: &str, name: &str, value: &str) {
    let value = if value.is_empty() { OWN_ADDRESS } else { value };
    let head = format!("  {state}{kind:<4}  {name}");
    if head.chars().count() + 2 + value.chars().count() <= COLUMNS_MAX {
        say(format_args!("{head}  {value}"));
    } else {
        say(format_args!("{head}\n{value}"));
    }
}
