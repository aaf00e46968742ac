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
    core.store.write(move |tx| upkeep::step(tx, now)).await?;
    Ok(true)
}
