//! Asks less where a query finds nothing: its last word as the beginning of a word, then nothing of its last word; and
//! finds the words of the archive that are spelled nearly like those that it does not have.

use super::{Hit, Show};
use crate::locale::text;
use crate::model::Language;
use crate::ops::archive::browse;
use crate::ops::archive::excerpt::Marks;
use crate::ops::archive::find::{self, Order, SearchScope};
use crate::ops::archive::query::{self, Query};
use crate::ops::archive::spelling::{self, Correction};
use crate::store::{ReadTx, StoreError};
use crate::web::error::PageError;

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

/// The query in words that the archive has, as it would be written.
pub(super) fn meant(
    tx: &ReadTx,
    scope: &SearchScope<'_>,
    (query, q): (&Query, &str),
    show: &Show<'_>,
) -> Result<Option<String>, PageError> {
    let Some((corrected, corrections)) = spelling::corrected(tx, scope, query)? else { return Ok(None) };
    let first = find::find(tx, scope, &corrected, Order::Newest, None, 1)?.ids.pop();
    let message = match first {
        Some(id) => browse::message_of_lists(tx, scope.lists, id)?,
        None => None,
    };
    let hit = message.map(|message| show(&message, &Marks::of(&corrected))).transpose()?;
    let mut text = q.to_owned();
    for Correction { word, instead } in corrections {
        let written = hit.as_ref().and_then(|hit| as_written(hit, &instead));
        text = query::rewritten(&text, &word, &written.unwrap_or(instead));
    }
    Ok(Some(text))
}

/// A folded word as a message that has it writes it.
fn as_written(hit: &Hit, word: &str) -> Option<String> {
    let stretches = hit.subject.iter().chain(&hit.author).chain(&hit.excerpt);
    let mut marked = stretches.filter(|stretch| stretch.is_marked).map(|stretch| &stretch.text);
    // Case and accents are what they may differ in, so that the number of their letters is the same.
    let is_it = |text: &&String| {
        let beginning = |text: &str| text.chars().next().map(char::to_lowercase).into_iter().flatten().next();
        text.chars().count() == word.chars().count() && beginning(text) == beginning(word)
    };
    marked.find(is_it).cloned()
}
