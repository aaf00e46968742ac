//! Puts the next members of a digest into batches, and builds the digests that they get.
//!
//! Reading and building happen outside of write jobs. A digest is built once, by the first page with a member who gets
//! it; what [`ops::digests::expand`](crate::ops::digests::expand) writes says so, so a crash builds at most one anew.

use crate::config::Routing;
use crate::ops::digests::build::{Built, build};
use crate::ops::digests::expand::{self, DigestPage};
use crate::service::Core;
use crate::store::StoreError;

/// A page with the digests that were built for it.
type Made = (DigestPage, Vec<(Vec<u32>, Option<Built>)>);

/// Expands the next page of the oldest digest; returns whether there was one.
pub(super) async fn step(core: &Core, routing: Routing) -> Result<bool, StoreError> {
    if expand::next(&core.store.read()?)?.is_none() {
        return Ok(false);
    }
    let making = {
        let core = core.clone();
        tokio::task::spawn_blocking(move || make(&core, routing))
    };
    let Some((page, built)) = making.await.map_err(|_| StoreError::Panicked)?? else { return Ok(false) };
    let now = core.now();
    core.store.write_reserved(move |tx| expand::put_page(tx, page, built, now)).await?;
    Ok(true)
}

fn make(core: &Core, routing: Routing) -> Result<Option<Made>, StoreError> {
    let tx = core.store.read()?;
    let Some(fan_out) = expand::next(&tx)? else { return Ok(None) };
    let page = expand::read_page(&tx, fan_out, routing)?;
    let links = core.links.of(&tx, page.fan_out().account)?;
    let mut made = Vec::new();
    for places in page.missing() {
        let built = build(&tx, &links, page.fan_out(), &places)?;
        made.push((places, built));
    }
    Ok(Some((page, made)))
}
