//! Signing in as an administrator: the form for address and password, and what comes before and after it.
//!
//! The answer to a wrong password is the same whatever is wrong ([`sign_in`](crate::ops::accounts::sign_in)). Nothing that a visitor types stands in a
//! URL, and the page repeats the address alone.

pub(super) mod again;
pub(super) mod code;
pub(super) mod first_step;
pub(super) mod forgotten;
pub(super) mod form;
pub(super) mod providers;
mod session;
pub(super) mod unlock;
