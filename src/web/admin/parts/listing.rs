//! The common parts of administrators' listings: a search, filters, an order and a position in its address, links to
//! the neighbouring pages, selected rows, and the same rows as a CSV file.
//!
//! A page says in a [`Listing`] what can be asked of it, reads the [`Asked`] of a request, calls its operation, and hands
//! what it found to [`Asked::view`], which `admin_listing_search.html` and `admin_listing_pager.html` show. Nothing here
//! reads storage.

use std::fmt::Write as _;

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::locale::text;
use crate::model::Language;
use crate::ops::PageRequest;
use crate::ops::paging::{Seek, Sought, Start};
use crate::web::context::Context;
use crate::web::error::PageError;

/// Rows on a page.
pub(in crate::web) const ROWS_PER_PAGE: usize = 50;
/// Characters of a search, and of a filter, that are looked at.
const TEXT_CHARS_MAX: usize = 200;

/// The filters and orders of a listing.
#[derive(Debug, Clone, Copy)]
pub(in crate::web) struct Listing {
    /// The names of its filters, as they stand in the address.
    pub(in crate::web) filters: &'static [&'static str],
    /// What it can be sorted by, in the order in which the rows come: `since`, or `-since` for the last first. The first
    /// is the order where none is asked for.
    pub(in crate::web) sorts: &'static [&'static str],
}

/// The request for a listing in the address.
#[derive(Debug, Clone)]
pub(in crate::web) struct Asked {
    listing: Listing,
    /// The words that are searched for; blank if none are.
    pub(in crate::web) search: String,
    filters: Vec<(&'static str, String)>,
    /// The order of the rows, without its sign.
    pub(in crate::web) sort: &'static str,
    /// Whether the last comes first.
    pub(in crate::web) is_descending: bool,
    /// Where the page begins.
    pub(in crate::web) start: Start,
    /// Whether the rows are asked for as a CSV file.
    pub(in crate::web) is_csv: bool,
}

/// The order of a column, as its head says it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::web) struct SortHead {
    /// The address of the same listing in the other order of this column.
    pub(in crate::web) href: String,
    /// The value of `aria-sort`: `ascending`, `descending` or `none`.
    pub(in crate::web) aria: &'static str,
}

/// A filter with its choices.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::web) struct Filter {
    /// Its name in the address.
    pub(in crate::web) name: &'static str,
    /// Its subject, in words.
    pub(in crate::web) label: String,
    /// Whether it takes a day in place of one of the choices.
    pub(in crate::web) is_day: bool,
    /// The choices, each a value and its words. The first is that of no filter, whose value is blank.
    pub(in crate::web) choices: Vec<(String, String)>,
    /// The value that is chosen.
    pub(in crate::web) chosen: String,
}

/// The values that the templates of a listing show.
#[derive(Debug, Clone, Default)]
pub(in crate::web) struct ListingView {
    /// The path of the page.
    pub(in crate::web) action: String,
    /// The words that are searched for.
    pub(in crate::web) search: String,
    /// The label of the search; blank if there is none.
    pub(in crate::web) search_label: String,
    /// The filters.
    pub(in crate::web) filters: Vec<Filter>,
    /// The order that a search keeps; blank for the usual one.
    pub(in crate::web) sort: String,
    /// Whether something is searched for or filtered.
    pub(in crate::web) is_narrowed: bool,
    /// The address of the same rows as a CSV file; blank where there is none.
    pub(in crate::web) csv: String,
    /// The addresses of the neighbouring pages.
    pub(in crate::web) before: Option<String>,
    pub(in crate::web) after: Option<String>,
}

impl Listing {
    /// Reads the address of a request. An order that the listing does not have is the usual one.
    pub(in crate::web) fn read(&self, context: &Context) -> Result<Asked, PageError> {
        let query = &context.query;
        let text = |name: &str| query.get(name).trim().chars().take(TEXT_CHARS_MAX).collect::<String>();
        let number = |name: &str| -> Result<Option<u64>, PageError> {
            let text = Some(query.get(name)).filter(|text| !text.is_empty());
            text.map(|text| text.parse().map_err(|_| PageError::BadRequest)).transpose()
        };
        let start = match (number("after")?, number("before")?, number("page")?) {
            (Some(at), _, _) => Start::After(at),
            (None, Some(at), _) => Start::Before(at),
            (None, None, Some(0)) => return Err(PageError::BadRequest),
            (None, None, Some(page)) if 1 < page => Start::Page(page),
            (None, None, _) => Start::First,
        };
        let (wanted, usual) = (query.get("sort"), self.sorts.first().copied().unwrap_or_default());
        let bare = |sort: &'static str| sort.strip_prefix('-').unwrap_or(sort);
        let known = self.sorts.iter().copied().find(|sort| bare(sort) == wanted.trim_start_matches('-'));
        let (sort, is_descending) = match known {
            Some(sort) => (bare(sort), wanted.starts_with('-')),
            None => (bare(usual), usual.starts_with('-')),
        };
        Ok(Asked {
            listing: *self,
            search: text("search"),
            filters: self.filters.iter().map(|name| (*name, text(name))).collect(),
            sort,
            is_descending,
            start,
            is_csv: query.get("format") == "csv",
        })
    }
}

impl Asked {
    /// The value of a filter; blank if it is not used.
    pub(in crate::web) fn filter(&self, name: &str) -> &str {
        let found = self.filters.iter().find(|(filter, _)| *filter == name);
        found.map_or("", |(_, value)| value)
    }

    /// The page that is asked for, of a listing that is read by positions.
    pub(in crate::web) fn seek(&self) -> Seek {
        Seek { start: self.start, is_descending: self.is_descending, limit: ROWS_PER_PAGE }
    }

    /// The page that is asked for, of a listing that is read by the numbers of its pages or from the first row on.
    pub(in crate::web) fn window(&self) -> PageRequest {
        match self.start {
            Start::After(after) => PageRequest::After { after, limit: ROWS_PER_PAGE },
            Start::Page(page) => PageRequest::Page { page, limit: ROWS_PER_PAGE },
            Start::First | Start::Before(_) => PageRequest::Page { page: 1, limit: ROWS_PER_PAGE },
        }
    }

    /// The order as it stands in the address; blank for the usual one.
    fn sort_word(&self) -> String {
        let word = format!("{}{}", if self.is_descending { "-" } else { "" }, self.sort);
        if self.listing.sorts.first().is_some_and(|usual| *usual == word) { String::new() } else { word }
    }

    /// The query of the same search, filters and order, with these fields besides; a field that is blank is left out.
    pub(in crate::web) fn query(&self, besides: &[(&str, &str)]) -> String {
        let sort = self.sort_word();
        let own = std::iter::once(("search", self.search.as_str()))
            .chain(self.filters.iter().map(|(name, value)| (*name, value.as_str())))
            .chain(std::iter::once(("sort", sort.as_str())));
        let own = own.filter(|(name, _)| !besides.iter().any(|(other, _)| other == name));
        let mut query = String::from("?");
        for (name, value) in own.chain(besides.iter().copied()).filter(|(_, value)| !value.is_empty()) {
            let separator = if query.len() == 1 { "" } else { "&" };
            // Writing to a `String` cannot fail.
            let _ = write!(query, "{separator}{name}={}", utf8_percent_encode(value, NON_ALPHANUMERIC));
        }
        query
    }

    /// The head of a column by which the listing can be sorted.
    pub(in crate::web) fn head(&self, sort: &str) -> SortHead {
        let is_this = self.sort == sort;
        let other = if is_this && !self.is_descending { format!("-{sort}") } else { sort.to_owned() };
        let aria = match (is_this, self.is_descending) {
            (false, _) => "none",
            (true, false) => "ascending",
            (true, true) => "descending",
        };
        // The usual order is asked for by name, since the other one is the usual one of its column.
        SortHead { href: self.query(&[("sort", &other)]), aria }
    }

    /// The view of a page that was read by positions.
    pub(in crate::web) fn view<T>(&self, context: &Context, found: &Sought<T>) -> ListingView {
        let at = |name: &str, position: Option<u64>| {
            position.map(|position| self.query(&[(name, &position.to_string())]))
        };
        ListingView {
            before: at("before", found.before),
            after: at("after", found.after),
            ..self.bare_view(context)
        }
    }

    /// The view of a page that was read by its number, of `count` rows in all.
    pub(in crate::web) fn view_by_number(&self, context: &Context, count: u64) -> ListingView {
        let page = if let Start::Page(page) = self.start { page } else { 1 };
        let shown = page.saturating_mul(u64::try_from(ROWS_PER_PAGE).unwrap_or(u64::MAX));
        let to = |page: u64| self.query(&[("page", &page.to_string())]);
        ListingView {
            before: (1 < page).then(|| to(page - 1)),
            after: (shown < count).then(|| to(page + 1)),
            ..self.bare_view(context)
        }
    }

    fn bare_view(&self, context: &Context) -> ListingView {
        let is_filtered = self.filters.iter().any(|(_, value)| !value.is_empty());
        ListingView {
            action: context.href(&context.path),
            search: self.search.clone(),
            sort: self.sort_word(),
            is_narrowed: is_filtered || !self.search.is_empty(),
            csv: self.query(&[("format", "csv")]),
            ..ListingView::default()
        }
    }

    /// A filter of this listing, with its choices but the one of no filter, whose words are `all`.
    pub(in crate::web) fn filter_view(
        &self,
        name: &'static str,
        label: String,
        all: String,
        choices: impl IntoIterator<Item = (String, String)>,
    ) -> Filter {
        let choices = std::iter::once((String::new(), all)).chain(choices).collect();
        Filter { name, label, is_day: false, choices, chosen: self.filter(name).to_owned() }
    }

    /// A filter that takes a day.
    pub(in crate::web) fn day_view(&self, name: &'static str, label: String) -> Filter {
        Filter { name, label, is_day: true, choices: Vec::new(), chosen: self.filter(name).to_owned() }
    }
}

/// People to whom one press of a button does something.
pub(in crate::web) const AT_ONCE_MAX: usize = 1000;

/// The words for an action on all people that a listing finds, unless one page has them all.
pub(in crate::web) fn all_words(
    language: Language,
    count: Option<u64>,
    view: &ListingView,
) -> Option<String> {
    let most = u64::try_from(AT_ONCE_MAX).unwrap_or(u64::MAX);
    if view.before.is_none() && view.after.is_none() {
        return None;
    }
    Some(match count.filter(|count| *count <= most) {
        Some(count) => text!(language, "listing-all-found", count = count),
        None => text!(language, "listing-first-found", most = most),
    })
}

/// The number of the newest record when the page was made whose form this is: an action on all that are found leaves
/// alone what came later, which nobody has seen.
pub(in crate::web) fn newest_shown(context: &Context) -> Result<u64, PageError> {
    context.form.get("newest").parse().map_err(|_| PageError::BadRequest)
}

/// The numbers of the rows that a form has selected, each once.
pub(in crate::web) fn selected(context: &Context) -> Result<Vec<u64>, PageError> {
    let mut ids = Vec::new();
    for text in context.form.all("id") {
        let id = text.parse().map_err(|_| PageError::BadRequest)?;
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    Ok(ids)
}
