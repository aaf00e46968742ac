//! The public descriptions of the API, for which no key is needed: `/`, `/docs/` and `/openapi.json`.
//!
//! The router of [`api`](super) answers these paths itself; this module only declares them and the links of `/`.

use super::operation::{Operation, ResponseKind};
use super::shape::{View as _, view};
use crate::ops::domains::links::ServerLinks;

/// `/docs/`
pub(super) const PAGE: &[Operation] =
    &[Operation::get("Shows this description to people", ResponseKind::Page)];
/// `/`
pub(super) const ENTRY: &[Operation] =
    &[Operation::get("Names the descriptions of the API", ResponseKind::Entry(EntryView::object))];
/// `/openapi.json`
pub(super) const DOCUMENT: &[Operation] =
    &[Operation::get("Shows this description to programs, as OpenAPI 3.1", ResponseKind::Document)];

view! {
    /// Where the API is described.
    pub(super) struct EntryView<'a> as "Entry" {
        /// The name of the API.
        name: &'a str,
        /// Web address of the description for people.
        documentation: String,
        /// Web address of the description for programs.
        openapi: String,
    }
}

impl EntryView<'_> {
    /// The descriptions of a server with these links.
    pub(super) fn new(links: &ServerLinks) -> EntryView<'static> {
        EntryView { name: "Crier API 2", documentation: links.api_docs(), openapi: links.api_description() }
    }
}
