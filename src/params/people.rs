//! Reads the rows of imports of people by their columns, for the command line and for imports that are stored.

use super::Params;
use super::columns::{Column, pairs, row};
use super::contacts;
use super::sheet;
use crate::model::Account;
use crate::model::import::ImportSheet;
use crate::ops::Wrong;
use crate::ops::people::contacts::ContactInput;
use crate::ops::people::imports::Row;
use crate::service::rows::stored::{Reading, SheetReader};

/// The person in a row, who joins the lists besides.
pub(crate) fn person(
    columns: &[Column],
    cells: &[String],
    (account, lists): (&Account, &[String]),
    overrides_opt_out: bool,
) -> Result<Row, Wrong> {
    let pairs = pairs(columns, cells.to_vec(), lists, &account.custom_fields);
    let mut params = Params::from_pairs(pairs).map_err(|_| Wrong::TooManyValues)?;
    let contact = contacts::input(&mut params, account);
    Ok(row(columns, cells, ContactInput { overrides_opt_out, ..contact }))
}

/// Reads imports that are stored with their text.
#[derive(Debug)]
pub struct Sheets;

/// The reader of every import.
pub static SHEETS: &Sheets = &Sheets;

impl SheetReader for Sheets {
    fn rows<'a>(
        &self,
        sheet: &ImportSheet,
        text: &'a str,
    ) -> Box<dyn Iterator<Item = Vec<String>> + Send + 'a> {
        Box::new(sheet::rows(text, sheet.separator))
    }

    fn people(&self, reading: &Reading, rows: &[Vec<String>]) -> Vec<Result<Row, Wrong>> {
        let Reading { account, columns, lists, overrides_opt_out, existing: _ } = reading;
        let column =
            |word: &String| Column::from_word(word, &account.custom_fields).unwrap_or(Column::Ignored);
        let columns: Vec<Column> = columns.iter().map(column).collect();
        let read = |cells: &Vec<String>| {
            let (has, wanted) = (cells.len(), columns.len());
            if wanted < has && cells.iter().skip(wanted).any(|cell| !cell.is_empty()) {
                return Err(Wrong::TooManyCells { has, wanted });
            }
            person(&columns, cells, (account, lists), *overrides_opt_out)
        };
        rows.iter().map(read).collect()
    }
}
