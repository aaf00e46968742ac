//! Puts the next members of posts into batches: reads them from a snapshot, and writes them in one job.

use crate::config::Routing;
use crate::ops::queue::fan_out::{self, EXPAND_MEMBERS, Expansion};
use crate::service::Core;
use crate::store::{ReadTx, StoreError};

/// Posts that one step of the expansion takes if their lists are small.
const EXPAND_POSTS: usize = 64;

/// Puts the next members of the oldest waiting posts into batches; returns whether there were any posts.
pub(super) async fn step(core: &Core, routing: Routing) -> Result<bool, StoreError> {
    // After most posts there is nothing to do; checking that here is faster than waking another thread.
    if fan_out::next_fan_outs(&core.store.read()?, 1)?.is_empty() {
        return Ok(false);
    }
    let store = core.store.clone();
    let reading = tokio::task::spawn_blocking(move || next_expansions(&store.read()?, routing));
    let expansions = reading.await.map_err(|_| StoreError::Panicked)??;
    if expansions.is_empty() {
        return Ok(false);
    }
    let now = core.now();
    let put = core.store.write_reserved(move |tx| {
        expansions.into_iter().try_for_each(|expansion| fan_out::put_batches(tx, expansion, now))
    });
    put.await?;
    Ok(true)
}

/// The next page of the oldest post; if that is short, also those of the posts after it, which share its commit.
fn next_expansions(tx: &ReadTx, routing: Routing) -> Result<Vec<Expansion>, StoreError> {
    let (mut expansions, mut members) = (Vec::new(), 0);
    for fan_out in fan_out::next_fan_outs(tx, EXPAND_POSTS)? {
        let expansion = fan_out::expand(tx, fan_out, routing)?;
        members += expansion.members;
        expansions.push(expansion);
        if EXPAND_MEMBERS <= members {
            break;
        }
    }
    Ok(expansions)
}
