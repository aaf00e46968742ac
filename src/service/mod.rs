//! The service as its edges reach it: what all of them share, and the procedures that wait.
//!
//! [`Core`] holds the shared state and carries operations out; it is the only way to write. What takes more than one
//! transaction, a look-up in the DNS, a hash or a place in a queue is a procedure here: it waits outside of the writer,
//! and what it decides about the data is an operation of [`ops`](crate::ops), in one job. No job waits for a network.

mod core;
pub mod inspect;
pub mod memory;
pub mod passwords;

pub use self::core::Core;
