//! Serves the banner of an account, which the server fetched and encoded itself. Its name changes with its content, so
//! browsers cache it for good.

use axum::http::{HeaderValue, header};
use axum::response::IntoResponse as _;

use super::context::Context;
use super::error::{PageError, PageResult};
use crate::model::banner::BannerImage;
use crate::ops::accounts::banners;

/// The path of an image below the root of the site.
pub(super) fn path(image: &BannerImage) -> String {
    format!("/banner/{}.png", image.hash)
}

/// `GET /banner/{file}`
pub(super) fn file(context: &Context) -> PageResult {
    const FOR_GOOD: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");
    const PNG: HeaderValue = HeaderValue::from_static("image/png");
    let image = context.banner.as_ref().and_then(|banner| banner.image.as_ref());
    let image = image.filter(|image| path(image).strip_prefix("/banner/") == Some(context.param("file")));
    let image = image.ok_or(PageError::NotFound)?;
    let png = banners::file(&context.read()?, image)?;
    Ok(([(header::CONTENT_TYPE, PNG), (header::CACHE_CONTROL, FOR_GOOD)], png).into_response())
}
