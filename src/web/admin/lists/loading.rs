//! The list that a page is about.

use std::sync::Arc;

use crate::ops::Caller;
use crate::ops::lists::{self as ops, ListDetail, Members};
use crate::web::context::Context;
use crate::web::error::PageError;

/// The list of the path, as far as the reader may see it.
pub(super) fn load(context: &Context) -> Result<(ListDetail, &Arc<Caller>), PageError> {
    let caller = context.administrator()?;
    let tx = context.read()?;
    Ok((ops::get(&tx, caller, context.param("name"), Members::Skip)?, caller))
}
