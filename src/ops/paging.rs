//! Cuts pages out of listings whose rows are all in memory.

use super::PageRequest;

/// The number of rows before page `page`.
#[must_use]
pub fn skipped(page: u64, limit: usize) -> u64 {
    page.saturating_sub(1).saturating_mul(u64::try_from(limit).unwrap_or(u64::MAX))
}

/// The requested page of rows that are all in memory, in the order of the numbers that `id` gives.
pub fn window_of<T>(mut rows: Vec<T>, window: PageRequest, id: impl Fn(&T) -> u64) -> Vec<T> {
    match window {
        PageRequest::All => rows,
        PageRequest::After { after, limit } => {
            rows.retain(|row| after < id(row));
            rows.truncate(limit);
            rows
        }
        PageRequest::Page { page, limit } => {
            let skipped = usize::try_from(skipped(page, limit)).unwrap_or(usize::MAX);
            rows.into_iter().skip(skipped).take(limit).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_and_a_position_name_the_same_rows() {
        let rows = || (1..=10u64).collect::<Vec<_>>();
        let part = |window| window_of(rows(), window, |row| *row);
        assert_eq!(part(PageRequest::Page { page: 2, limit: 3 }), [4, 5, 6]);
        assert_eq!(part(PageRequest::After { after: 3, limit: 3 }), [4, 5, 6]);
        assert_eq!(part(PageRequest::Page { page: 4, limit: 3 }), [10]);
        assert_eq!(part(PageRequest::Page { page: u64::MAX, limit: 1000 }), [0u64; 0]);
        assert_eq!(part(PageRequest::All).len(), 10);
    }
}
