//! The people of an export as a CSV file.
//!
//! The first columns are for every program; those behind them have everything in JSON, and the last are custom fields
//! under their names. No cell is one that a spreadsheet would take for a formula.

use std::collections::BTreeMap;

use csv::{StringRecord, Terminator, WriterBuilder};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::model::Account;
use crate::ops::people::whole::WholeContact;
use crate::params::sheet::unguarded;

/// The columns before those of custom fields.
const COLUMNS: [&str; 11] = [
    "emails",
    "firstname",
    "surname",
    "lists",
    "ccid",
    "notes",
    "created",
    "addresses",
    "memberships",
    "consents",
    "opted_out",
];

/// The first line.
pub(super) fn head(account: &Account) -> Result<Vec<u8>, String> {
    let fields = account.custom_fields.iter().map(|field| guarded(&field.name));
    written([COLUMNS.map(str::to_owned).into_iter().chain(fields).collect()])
}

/// The lines of people.
pub(super) fn rows(account: &Account, people: &[WholeContact]) -> Result<Vec<u8>, String> {
    let rows: Vec<Vec<String>> = people.iter().map(|whole| row(account, whole)).collect::<Result<_, _>>()?;
    written(rows)
}

fn written(rows: impl IntoIterator<Item = Vec<String>>) -> Result<Vec<u8>, String> {
    let mut writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(Vec::new());
    for row in rows {
        writer.write_record(row).map_err(|error| error.to_string())?;
    }
    writer.into_inner().map_err(|error| error.to_string())
}

fn row(account: &Account, whole: &WholeContact) -> Result<Vec<String>, String> {
    // No `..`: a further fact gets a column.
    let WholeContact {
        ccid,
        firstname,
        surname,
        notes,
        created,
        fields,
        addresses,
        memberships,
        consents,
        opted_out,
    } = whole;
    let (emails, lists) = names(whole);
    let mut row = vec![
        emails,
        firstname.clone(),
        surname.clone(),
        lists,
        ccid.clone().unwrap_or_default(),
        notes.clone(),
        created.clone(),
        json(addresses)?,
        json(memberships)?,
        json(consents)?,
        json(opted_out)?,
    ];
    row.extend(
        account.custom_fields.iter().map(|field| fields.get(&field.name).cloned().unwrap_or_default()),
    );
    Ok(row.iter().map(|cell| guarded(cell)).collect())
}

/// The cells for every program: the addresses, and the lists.
fn names(whole: &WholeContact) -> (String, String) {
    let emails: Vec<&str> = whole.addresses.iter().map(|address| address.email.as_str()).collect();
    let lists: Vec<&str> = whole.memberships.iter().map(|membership| membership.list.as_str()).collect();
    (emails.join(", "), lists.join(", "))
}

/// A list in JSON; blank for none.
fn json<T: Serialize>(values: &[T]) -> Result<String, String> {
    if values.is_empty() {
        return Ok(String::new());
    }
    serde_json::to_string(values).map_err(|error| error.to_string())
}

/// A cell that no spreadsheet takes for a formula; [`unguarded`] takes the apostrophe off again.
fn guarded(cell: &str) -> String {
    let is_guarded = cell.starts_with(['=', '+', '-', '@', '\t', '\r']) || unguarded(cell) != cell;
    if is_guarded { format!("'{cell}") } else { cell.to_owned() }
}

/// The custom fields that the first line names.
///
/// # Errors
/// The reason in words, if it is none of an export.
pub fn fields_of(head: &StringRecord) -> Result<Vec<String>, String> {
    let mut cells = head.iter();
    for column in COLUMNS {
        if cells.next() != Some(column) {
            return Err(format!(
                "its first line is none of an export, which has a column {column} there; crier import contacts takes \
                 other files"
            ));
        }
    }
    Ok(cells.map(|cell| unguarded(cell).to_owned()).collect())
}

/// The person of a line.
///
/// # Errors
/// The reason in words, if it is none of an export.
pub fn person(fields: &[String], row: &StringRecord) -> Result<WholeContact, String> {
    let cell = |place: usize| unguarded(row.get(place).unwrap_or_default()).to_owned();
    let custom = fields.iter().enumerate().map(|(place, name)| (name.clone(), cell(COLUMNS.len() + place)));
    let custom: BTreeMap<String, String> = custom.filter(|(_, value)| !value.is_empty()).collect();
    let whole = WholeContact {
        firstname: cell(1),
        surname: cell(2),
        ccid: Some(cell(4)).filter(|ccid| !ccid.is_empty()),
        notes: cell(5),
        created: cell(6),
        fields: custom,
        addresses: values("addresses", &cell(7))?,
        memberships: values("memberships", &cell(8))?,
        consents: values("consents", &cell(9))?,
        opted_out: values("opted_out", &cell(10))?,
    };
    let (emails, lists) = names(&whole);
    for (column, told, meant) in [("emails", cell(0), emails), ("lists", cell(3), lists)] {
        if told != meant {
            return Err(format!(
                "its column {column} says {told:?} and the columns in JSON say {meant:?}: change both, or none"
            ));
        }
    }
    Ok(whole)
}

fn values<T: DeserializeOwned>(column: &str, cell: &str) -> Result<Vec<T>, String> {
    if cell.is_empty() {
        return Ok(Vec::new());
    }
    serde_json::from_str(cell)
        .map_err(|error| format!("its column {column} is not as an export writes it: {error}"))
}
