//! Does what time alone has made due.

use crate::ops::Core;
use crate::ops::upkeep::{KINDS, Kind};
use crate::store::StoreError;

/// Does one step of each kind of work that is due; says whether there may be more to do. What fails is tried again
/// with the next step, and holds up nothing else.
pub(super) async fn step(core: &Core) -> Result<bool, StoreError> {
    let now = core.now();
    let mut is_more = false;
    for Kind { name, is_due, step } in &KINDS {
        // A job that finds nothing would cost a commit.
        if !is_due(&core.store.read()?, now)? {
            continue;
        }
        let office = core.office();
        match core.store.write(move |tx| step(tx, &office, now)).await {
            Ok(()) => is_more = true,
            Err(error @ (StoreError::Closed | StoreError::Fatal { .. })) => return Err(error),
            Err(error) => tracing::error!(error = %error, "The upkeep of {name} failed"),
        }
    }
    Ok(is_more)
}
