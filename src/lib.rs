//! Crier, a mailing-list server in one executable.

pub mod clock;
pub mod model;
pub mod secret;
pub mod store;
