//! The pages on which administrators decide: everything that waits, and one held message.

mod decided;
pub(in crate::web) mod held;
pub(in crate::web) mod index;
mod sender;
