//! The pages about people: the address book, one person, and imports.

mod import_sheet;
pub(in crate::web) mod imports;
pub(in crate::web) mod index;
pub(in crate::web) mod person;
mod person_mail;
