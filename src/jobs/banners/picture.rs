//! Decodes an image from a stranger's server and encodes it again, smaller if it is large. Only the pixels are kept.

use std::io::Cursor;

use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder as _, ImageFormat, ImageReader, Limits};

use crate::model::BannerProblem;
use crate::ops::accounts::banners::Picture;

/// The largest banner in pixels.
const WIDTH_MAX: u32 = 1200;
const HEIGHT_MAX: u32 = 300;
/// The largest image that is decoded, in pixels: a small file can claim any size.
const PIXELS_MAX: u64 = 24_000_000;
const SIDE_MAX: u32 = 12_000;
/// Memory of one decoding.
const DECODING_BYTES_MAX: u64 = 128 * 1024 * 1024;

/// Decodes an image, turns it as it says, scales it down to the size of a banner, and encodes it anew. It takes up to a
/// second.
pub(super) fn make(bytes: &[u8]) -> Result<Picture, BannerProblem> {
    let image = decode(bytes)?;
    let is_large = WIDTH_MAX < image.width() || HEIGHT_MAX < image.height();
    let image = if is_large { image.thumbnail(WIDTH_MAX, HEIGHT_MAX) } else { image };
    let image = if image.color().has_alpha() {
        DynamicImage::from(image.into_rgba8())
    } else {
        DynamicImage::from(image.into_rgb8())
    };
    let mut png = Cursor::new(Vec::new());
    image.write_to(&mut png, ImageFormat::Png).map_err(|_| BannerProblem::NoImage)?;
    Ok(Picture { png: png.into_inner(), width: image.width(), height: image.height() })
}

fn decode(bytes: &[u8]) -> Result<DynamicImage, BannerProblem> {
    let format = image::guess_format(bytes).map_err(|_| BannerProblem::NoImage)?;
    let is_known =
        matches!(format, ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::Gif | ImageFormat::WebP);
    if !is_known {
        return Err(BannerProblem::NoImage);
    }
    let mut reader = ImageReader::with_format(Cursor::new(bytes), format);
    let mut limits = Limits::default();
    limits.max_image_width = Some(SIDE_MAX);
    limits.max_image_height = Some(SIDE_MAX);
    limits.max_alloc = Some(DECODING_BYTES_MAX);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(problem)?;
    let (width, height) = decoder.dimensions();
    let is_huge = PIXELS_MAX < u64::from(width) * u64::from(height);
    if is_huge || DECODING_BYTES_MAX < decoder.total_bytes() {
        return Err(BannerProblem::TooManyPixels);
    }
    let orientation = decoder.orientation().unwrap_or(Orientation::NoTransforms);
    let mut image = DynamicImage::from_decoder(decoder).map_err(problem)?;
    image.apply_orientation(orientation);
    Ok(image)
}

#[expect(clippy::needless_pass_by_value, reason = "it maps an error")]
fn problem(error: image::ImageError) -> BannerProblem {
    match error {
        image::ImageError::Limits(_) => BannerProblem::TooManyPixels,
        _ => BannerProblem::NoImage,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encoded(width: u32, height: u32, format: ImageFormat) -> Vec<u8> {
        let mut bytes = Cursor::new(Vec::new());
        DynamicImage::new_rgb8(width, height).write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    }

    fn size(bytes: &[u8]) -> Result<(u32, u32), BannerProblem> {
        let picture = make(bytes)?;
        let again = image::load_from_memory_with_format(&picture.png, ImageFormat::Png).unwrap();
        assert_eq!((again.width(), again.height()), (picture.width, picture.height));
        Ok((picture.width, picture.height))
    }

    #[test]
    fn an_image_is_scaled_down_and_never_up() {
        for format in [ImageFormat::Png, ImageFormat::Jpeg, ImageFormat::Gif, ImageFormat::WebP] {
            assert_eq!(size(&encoded(1, 1, format)), Ok((1, 1)), "{format:?}");
            assert_eq!(size(&encoded(1200, 300, format)), Ok((1200, 300)), "{format:?}");
            assert_eq!(size(&encoded(2400, 300, format)), Ok((1200, 150)), "{format:?}");
            assert_eq!(size(&encoded(300, 600, format)), Ok((150, 300)), "{format:?}");
        }
    }

    #[test]
    fn what_is_no_image_or_too_large_a_one_is_refused() {
        let png = encoded(40, 40, ImageFormat::Png);
        for bytes in
            [&b""[..], b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>", b"GIF89a", &png[..png.len() / 2]]
        {
            assert_eq!(make(bytes), Err(BannerProblem::NoImage), "{bytes:?}");
        }
        assert_eq!(make(&encoded(5000, 5000, ImageFormat::Jpeg)), Err(BannerProblem::TooManyPixels));
        assert_eq!(make(&encoded(12_001, 1, ImageFormat::Png)), Err(BannerProblem::TooManyPixels));
    }

    #[test]
    fn nothing_but_the_pixels_of_the_file_remains() {
        let mut png = encoded(3, 2, ImageFormat::Png);
        png.extend_from_slice(b"<script>alert(1)</script>");
        let made = make(&png).unwrap().png;
        assert!(!made.windows(6).any(|window| window == b"script"));
    }
}
