//! The step to schema 8: the rows of all entities are in one table of the engine underneath.

use super::{META_CONVERSION, META_INDEXES, META_SCHEMA, Position};
use crate::schema::ENTITIES;
use crate::store::{self, Store, StoreError};

/// Moves the rows. The file is noted as one that is being converted until the last of them has moved.
pub(super) fn share_rows(store: &Store, to: u32) -> Result<(), StoreError> {
    store.write_blocking(move |tx| {
        tx.set_meta(META_CONVERSION, Some(&Position::default().to_bytes()))?;
        tx.set_meta(META_SCHEMA, Some(&to.to_be_bytes()))
    })?;
    store::share_rows(store, ENTITIES)?;
    store.write_blocking(|tx| {
        // Index rows did not move: they are rebuilt.
        tx.set_meta(META_INDEXES, None)?;
        tx.set_meta(META_CONVERSION, None)
    })
}
