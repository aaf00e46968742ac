//! The secret of an authenticator app as a QR code, and as letters to be typed.

use std::fmt::Write as _;

use qrcode::{Color, EcLevel, QrCode};

use crate::model::TotpSecret;

/// Modules of the light border, which readers need (ISO/IEC 18004 9.1).
const BORDER: usize = 4;

/// A picture made of one path.
pub(super) struct Picture {
    /// Modules on each side.
    pub(super) size: usize,
    /// The dark modules, as the `d` of a path.
    pub(super) path: String,
}

/// The URI by which authenticator apps take a secret.
pub(super) fn uri(secret: TotpSecret, issuer: &str, username: &str) -> String {
    let encode = |text| percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC);
    let (issuer, username, secret) = (encode(issuer), encode(username), base32(secret));
    format!(
        "otpauth://totp/{issuer}:{username}?secret={secret}&issuer={issuer}&algorithm=SHA1&digits=6&period=30"
    )
}

fn base32(secret: TotpSecret) -> String {
    data_encoding::BASE32_NOPAD.encode(&secret.0)
}

/// The secret in groups of four letters.
pub(super) fn letters(secret: TotpSecret) -> String {
    let text = base32(secret);
    let groups: Vec<&str> =
        (0..text.len()).step_by(4).map(|start| &text[start..text.len().min(start + 4)]).collect();
    groups.join(" ")
}

/// The QR code of a text; `None` if it is too long for one.
pub(super) fn picture(text: &str) -> Option<Picture> {
    let code = QrCode::with_error_correction_level(text, EcLevel::M).ok()?;
    let width = code.width();
    let mut path = String::new();
    for (row, colors) in code.to_colors().chunks(width).enumerate() {
        let mut column = 0;
        while column < width {
            let length = colors[column..].iter().take_while(|color| **color == Color::Dark).count();
            if 0 < length {
                // Writing to a `String` cannot fail.
                let _ = write!(path, "M{} {}h{length}v1h-{length}z", column + BORDER, row + BORDER);
            }
            column += length.max(1);
        }
    }
    Some(Picture { size: width + 2 * BORDER, path })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_is_shown_in_groups_and_in_a_uri_that_apps_read() {
        let secret = TotpSecret(*b"12345678901234567890");
        assert_eq!(letters(secret), "GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ");
        let uri = uri(secret, "Alder Bay", "ruth@alderbay.example.org");
        assert_eq!(
            uri,
            "otpauth://totp/Alder%20Bay:ruth%40alderbay%2Eexample%2Eorg?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ\
             &issuer=Alder%20Bay&algorithm=SHA1&digits=6&period=30"
        );
        let picture = picture(&uri).unwrap();
        assert!(picture.path.starts_with("M4 4h7v1h-7z"), "the first finder is in the corner");
        assert!((21 + 8..=177 + 8).contains(&picture.size));
    }
}
