//! Reads which terms a segment has, without the messages that have them.

use crate::model::SegmentId;
use crate::store::{IndexRange, Read, StoreError};

use super::merge::first_page;
use super::page::{PageReader, page_key};
use super::{BlockKind, of_kind};

/// Tells `each` the terms of a segment that begin so, in order, each with a number of messages that have it: a term of very
/// many messages comes several times. Takes the pages that it reads off `pages`, and stops when there are none.
pub(in crate::ops::archive) fn each_term(
    tx: &impl Read,
    segment: SegmentId,
    beginning: &str,
    pages: &mut usize,
    mut each: impl FnMut(&str, usize),
) -> Result<(), StoreError> {
    let of_segment = IndexRange::prefix(of_kind(segment, BlockKind::Postings));
    let key = page_key(segment, beginning.as_bytes(), 0);
    let mut next = first_page(tx, &of_segment.clone().backward().from(key))?;
    if next.is_none() {
        next = first_page(tx, &of_segment)?;
    }
    while let Some((key, page)) = next {
        if *pages == 0 {
            return Ok(());
        }
        *pages -= 1;
        let mut reader = PageReader::default();
        while let Some(entry) = reader.next(&page)? {
            let term = reader.term();
            if term.starts_with(beginning.as_bytes()) {
                if let Ok(term) = std::str::from_utf8(term) {
                    each(term, entry.messages());
                }
            } else if beginning.as_bytes() < term {
                return Ok(());
            }
        }
        next = first_page(tx, &of_segment.clone().after(key))?;
    }
    Ok(())
}
