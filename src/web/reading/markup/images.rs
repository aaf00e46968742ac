//! Images in HTML of others: those of the mail, those of other servers if they are asked for, and words for the rest.

use super::Writer;
use crate::mail::html::Tag;
use crate::mail::reading::{clean_name, hide_addresses};
use crate::web::reading::style::Style;
use crate::web::reading::{escape, links};

/// Width and height up to which an image is no picture.
const PIXEL_MAX: u32 = 3;
/// Greatest width and height that an image may ask for.
const LENGTH_MAX: u32 = 4096;

impl Writer<'_> {
    pub(super) fn image(&mut self, tag: &Tag<'_>, style: &Style) {
        let length = |name: &str| {
            let value = tag.get(name)?;
            let digits = value.trim().trim_end_matches("px");
            digits.parse::<u32>().ok().filter(|length| *length <= LENGTH_MAX)
        };
        let (width, height) = (length("width"), length("height"));
        let is_pixel = |length: Option<u32>| length.is_some_and(|length| length <= PIXEL_MAX);
        let is_tracker = is_pixel(width) && is_pixel(height);
        if is_tracker || style.is_hidden {
            return;
        }
        let src = tag.get("src").unwrap_or_default();
        let alt = clean_name(&tag.get("alt").unwrap_or_default());
        let alt = if self.options.hides_addresses { hide_addresses(&alt) } else { alt };
        let (address, is_remote) = match links::image(&src) {
            links::ImageSource::Part(id) => (self.part_of(&id), false),
            links::ImageSource::Remote(url) => {
                self.markup.has_remote_images = true;
                (self.options.remote_images.then_some(url), true)
            }
            links::ImageSource::None => (None, false),
        };
        self.make_room_for_text();
        let Some(address) = address else { return self.placeholder(&alt) };
        if !is_remote {
            self.markup.own.insert(address.clone());
        }
        self.note_shown(1);
        self.out.push_str("<img src=\"");
        escape(&address, &mut self.out);
        self.out.push_str("\" alt=\"");
        escape(&alt, &mut self.out);
        self.out.push('"');
        for (name, length) in [("width", width), ("height", height)] {
            if let Some(length) = length.filter(|length| *length != 0) {
                self.out.extend([" ", name, "=\"", &length.to_string(), "\""]);
            }
        }
        self.out.push_str(" loading=\"lazy\" referrerpolicy=\"no-referrer\">");
    }

    /// The text in the place of an image that is not shown: its words, if it has any.
    fn placeholder(&mut self, alt: &str) {
        if alt.is_empty() {
            return;
        }
        self.note_shown(1);
        self.out.push_str("<span class=\"no-image\">");
        escape(alt, &mut self.out);
        self.out.push_str("</span>");
    }

    /// The address of the part with this Content-ID.
    fn part_of(&self, id: &str) -> Option<String> {
        let image = self.images.iter().find(|image| image.content_id.as_deref() == Some(id))?;
        let name =
            if self.options.hides_addresses { hide_addresses(&image.name) } else { image.name.clone() };
        Some((self.options.part_href)(image.number, &name))
    }
}
