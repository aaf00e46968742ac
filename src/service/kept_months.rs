//! Notes and keeps the mailbox files of months; see [`kept_months`](crate::ops::archive::kept_months).

use jiff::tz::TimeZone;

use crate::model::{Links, List};
use crate::ops::archive::kept_months::{keep, note};
use crate::ops::archive::months::Month;
use crate::service::Core;

/// Notes that the file of a month is being made; returns the number under which it is kept when it is whole. `None` while
/// nothing can be written: then it is made anew each time.
pub async fn begin(core: &Core, links: Links, list: List, (month, zone): (Month, TimeZone)) -> Option<u64> {
    core.store.write(move |tx| note(tx, &links, &list, (month, &zone))).await.ok()
}

/// Keeps a file that was made, unless something of its month changed meanwhile.
pub async fn finish(core: &Core, id: u64, bytes: Vec<u8>) {
    if let Err(error) = core.store.write(move |tx| keep(tx, id, &bytes)).await {
        tracing::debug!(error = %error, "The file of a month is not kept");
    }
}
