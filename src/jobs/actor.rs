//! Who acts where time alone makes something due.

use std::sync::Arc;

use crate::ops::Caller;

/// The server itself, on whose behalf work runs that time makes due.
pub(super) fn server() -> Arc<Caller> {
    Caller::of_server()
}
