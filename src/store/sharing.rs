//! Brings the rows of a file that has a table for each name into the one that all of them share.
//!
//! A migration calls it, on a copy that nobody else uses. When it is stopped, it does the rest the next time: a table is
//! removed only when all its rows are copied, and the file counts as one with separate tables until the last is gone.

use super::check::{ENGINE_TABLES, EntityInfo};
use super::tx::NUMBER_TABLE;
use super::{Store, StoreError};

/// Moves all records and numbers, and removes the tables of indexes, whose rows must be rebuilt afterwards. Tables that
/// belong to no entity stay as they are.
///
/// # Panics
/// In asynchronous code, which must not block.
pub fn share_rows(store: &Store, entities: &[EntityInfo]) -> Result<(), StoreError> {
    let mut names = store.read()?.table_names()?;
    names.retain(|name| {
        let is_moved = name == NUMBER_TABLE || entities.iter().any(|entity| entity.name == name);
        !ENGINE_TABLES.contains(&name.as_str()) && (is_moved || is_index(name))
    });
    // By the numbers, a file is known for one with separate tables.
    names.sort_by_key(|name| name == NUMBER_TABLE);
    for name in names {
        let mut after = (!is_index(&name)).then(Vec::new);
        while let Some(last) = after {
            let name = name.clone();
            after = store.write_blocking(move |tx| tx.share_rows(&name, &last))?;
        }
        store.write_blocking(move |tx| tx.remove_table(&name))?;
    }
    Ok(())
}

/// Whether a name is that of an index: `entity.by_field`.
fn is_index(name: &str) -> bool {
    name.contains('.')
}
