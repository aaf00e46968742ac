//! Holds at the start what a backup saw as waiting, if the data file was restored from it.

use crate::ops::queue::restored;
use crate::service::Core;
use crate::store::StoreError;

/// Holds the mail of a restored file before anything is sent, and says in the log how old its queue is.
pub(super) async fn hold_queue(core: &Core) -> Result<(), StoreError> {
    let store = core.store.clone();
    let held = tokio::task::spawn_blocking(move || restored::hold(&store));
    let Some(queue) = held.await.map_err(|_| StoreError::Panicked)?? else { return Ok(()) };
    let hours = core.now().since(queue.point).as_secs() / 3600;
    tracing::warn!(
        restored.point = %queue.point,
        "The queue is {hours} hours old: it came from a backup of {}. What waited then is held until \
         `crier queue release --all`, since it may have been sent after the backup; new mail is sent",
        queue.point
    );
    Ok(())
}
