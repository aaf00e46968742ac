//! Checks every invariant of a data file: `crier verify`, and the check of a file that was upgraded or restored.
//!
//! It changes nothing.

use std::collections::BTreeSet;

use crate::ops::archive::{indexing, threads};
use crate::schema::{BLOCK_TABLES, ENTITIES};
use crate::store::{self, ReadTx, StoreError};

/// Kinds of records between two progress lines.
const KINDS_PER_WORD: usize = 10;

/// Recomputes every index row, count and reference from the records, and compares them with the stored ones. Returns
/// the differences in words: none if all is well. Blocks; `progress` is told how far it is.
pub fn differences(tx: &ReadTx, progress: &mut dyn FnMut(String)) -> Result<Vec<String>, StoreError> {
    let mut differences = Vec::new();
    for (checked, entity) in ENTITIES.iter().enumerate() {
        if checked % KINDS_PER_WORD == 0 {
            progress(format!("Checking records: {checked} of {} kinds are done", ENTITIES.len()));
        }
        differences.extend((entity.check)(tx)?.iter().map(ToString::to_string));
    }
    progress("Checking the bytes of messages".to_owned());
    differences.extend(store::check_shared(tx, ENTITIES)?.iter().map(ToString::to_string));
    progress("Checking the search in the archive".to_owned());
    differences.extend(indexing::problems(tx)?);
    differences.extend(threads::problems(tx)?);
    differences.extend(unknown_tables(tx)?);
    Ok(differences)
}

/// Names the tables of the file that this program does not have.
fn unknown_tables(tx: &ReadTx) -> Result<Vec<String>, StoreError> {
    let mut known: BTreeSet<&str> = store::ENGINE_TABLES.iter().copied().collect();
    known.extend(BLOCK_TABLES.iter().map(|table| table.name()));
    let names = tx.table_names()?;
    let strays = names.iter().filter(|name| !known.contains(name.as_str()));
    Ok(strays.map(|name| format!("{name}: no entity has this table")).collect())
}
