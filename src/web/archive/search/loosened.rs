//! Asks less where a query finds nothing: its last word as the beginning of a word, then nothing of its last word.

use crate::locale::text;
use crate::model::Language;
use crate::ops::archive::find::{self, SearchScope};
use crate::ops::archive::query::Query;
use crate::store::{ReadTx, StoreError};

/// A query that is put to the archive.
pub(super) struct Asked {
    pub(super) query: Query,
    /// How that differs from what was asked for; blank if it does not.
    pub(super) told: String,
    /// Whether words of it are left out, or it finds nothing.
    pub(super) is_less: bool,
}

/// A query as it is, or with less in it if it finds nothing as it is.
pub(super) fn of(
    language: Language,
    tx: &ReadTx,
    scope: &SearchScope<'_>,
    query: &Query,
) -> Result<Asked, StoreError> {
    if find::is_any(tx, scope, query)? {
        return Ok(Asked { query: query.clone(), told: String::new(), is_less: false });
    }
    if let Some((begun, word)) = query.with_last_as_beginning()
        && find::is_any(tx, scope, &begun)?
    {
        let told = text!(language, "search-as-beginning", word = word);
        return Ok(Asked { query: begun, told, is_less: false });
    }
    if let Some((shorter, word)) = query.without_last()
        && find::is_any(tx, scope, &shorter)?
    {
        let told = text!(language, "search-without", word = word);
        return Ok(Asked { query: shorter, told, is_less: true });
    }
    Ok(Asked { query: query.clone(), told: String::new(), is_less: true })
}
