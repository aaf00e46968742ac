//! The tables of the kinds of objects that commands manage through the API: the command of each, the fields that are
//! flags, and the members that are printed.
//!
//! A new command is a row in one of the tables below. A row never repeats the API's description of a field, unless a
//! command line needs other words.

mod accounts;
mod lists;
mod people;
mod posting;

use super::kind::Kind;

/// Every kind, in the order of the help.
pub(in crate::cli) const KINDS: &[Kind] = &[
    lists::LISTS,
    people::MEMBERS,
    people::CONTACTS,
    people::EMAILS,
    posting::HELD,
    posting::PENDING,
    lists::ALIASES,
    accounts::ADMINS,
    accounts::KEYS,
    accounts::ACCOUNTS,
];
