//! The pages about the server, for its administrators: its figures, accounts, keys and queue.

pub(in crate::web) mod accounts;
pub(in crate::web) mod overview;
pub(in crate::web) mod queue;
pub(in crate::web) mod server_keys;
