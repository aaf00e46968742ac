//! Does what time alone has made due.

use crate::ops::{Core, upkeep};
use crate::store::StoreError;

/// Does one step; says whether there may be more to do.
pub(super) async fn step(core: &Core) -> Result<bool, StoreError> {
    let now = core.now();
    // A job that finds nothing would cost a commit.
    if !upkeep::is_due(&core.store.read()?, now)? {
        return Ok(false);
    }
    let office = core.office();
    core.store.write(move |tx| upkeep::step(tx, &office, now)).await?;
    Ok(true)
}
