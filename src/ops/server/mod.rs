//! The server as a whole: what time alone brings about, what callers used up, and names for metrics.

pub mod auth_failures;
pub mod saved_answers;
pub mod upkeep;
pub mod usage;
