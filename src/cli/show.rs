//! Prints JSON for people: tables, and objects line by line.

use serde_json::{Value, json};

use super::terminal::say;

/// Makes a stranger's text of several lines safe for a terminal: it keeps no characters that move the cursor.
pub(super) fn text(text: &str) -> String {
    text.chars().filter(|c| !c.is_control() || matches!(c, '\n' | '\t')).collect()
}

/// Renders a value on one line.
pub(super) fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(true) => "yes".to_owned(),
        Value::Bool(false) => "no".to_owned(),
        Value::Number(number) => number.to_string(),
        // Strangers write subjects and names, so characters that move a terminal's cursor are removed.
        Value::String(text) => text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect(),
        Value::Array(values) => values.iter().map(cell).collect::<Vec<_>>().join(", "),
        // An object inside another is shown by its name.
        Value::Object(object) => {
            let name = ["name", "username", "email", "list", "id"].iter().find_map(|name| object.get(*name));
            name.map(cell).unwrap_or_default()
        }
    }
}

/// Prints rows in columns below their names; prints only `none` if there are no rows.
pub(super) fn table(columns: &[&str], rows: &[Vec<String>], none: &str) {
    if rows.is_empty() {
        say(none);
        return;
    }
    let header: Vec<String> = columns.iter().map(|column| column.to_uppercase()).collect();
    let width = |column: usize| {
        let cells = rows.iter().chain([&header]).filter_map(|row| row.get(column));
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns.len()).map(width).collect();
    for row in [&header].into_iter().chain(rows) {
        let cells = row.iter().zip(&widths).map(|(cell, width)| format!("{cell:<width$}"));
        say(cells.collect::<Vec<_>>().join("  ").trim_end());
    }
}

/// Prints a listing of the API as a table of some of its members.
pub(super) fn listing(answer: &Value, columns: &[&str], none: &str) {
    let rows = answer["data"].as_array().map(Vec::as_slice).unwrap_or_default();
    let cells = |row: &Value| columns.iter().map(|column| cell(&row[*column])).collect();
    table(columns, &rows.iter().map(cells).collect::<Vec<Vec<String>>>(), none);
}

/// Prints an object's members, those of `first` before the others; blank ones are left out.
pub(super) fn object(value: &Value, first: &[&str]) {
    let Value::Object(members) = value else { return };
    let rest = members.keys().map(String::as_str).filter(|name| !first.contains(name));
    let names: Vec<&str> = first.iter().copied().chain(rest).collect();
    let width = names.iter().map(|name| name.len()).max().unwrap_or(0);
    for name in names {
        let text = members.get(name).map(cell).unwrap_or_default();
        if !text.is_empty() {
            say(format_args!("{name:<width$}  {text}"));
        }
    }
}

/// Renders rows in the API's form of listings.
pub(super) fn envelope<T: serde::Serialize>(rows: &[T]) -> Value {
    json!({"data": rows, "count": rows.len(), "page": 1, "limit": rows.len()})
}

/// `1 contact`, `2 contacts`.
pub(super) fn counted(number: u64, noun: &str) -> String {
    format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
}
