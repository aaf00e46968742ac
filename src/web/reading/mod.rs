//! Makes a mail readable on a page: its text with quotes folded and addresses linked, its HTML cleaned and in the
//! page's own style, its images, and the list of its files.
//!
//! Pages, feeds and whatever else shows mail in HTML call [`Body::of`]. What it returns is safe to be put into a page
//! as it is: it has no scripts, no styles, no forms and no frames, it loads nothing from other servers unless it is told
//! to, and every element that it begins it ends.

mod bounded;
mod clean;
mod elements;
mod escape;
mod links;
mod markup;
mod options;
mod plain;
mod style;
#[cfg(test)]
mod tests;

use crate::locale::text;
use crate::mail::Inbound;
use crate::mail::reading::{self, Fact, Image, Reading, Section, ShownPart};

pub(in crate::web) use bounded::clean_own;
pub use options::{Quotes, ReadingOptions};

use escape::escape;
use options::ReadingOptions as Options;

/// The Content-Security-Policy of an answer that shows images of other servers.
pub const IMAGES_POLICY: &str = "default-src 'none'; style-src 'self'; img-src 'self' https: http:; form-action 'self'; \
                                 base-uri 'none'; frame-ancestors 'none'";

/// A mail as a page shows it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Body {
    /// The text, as safe HTML.
    pub html: String,
    /// The files.
    pub attachments: Vec<ShownPart>,
    /// Whether it has images on other servers, shown or not.
    pub has_remote_images: bool,
}

impl Body {
    /// The body of a mail.
    #[must_use]
    pub fn of(mail: &Inbound, options: &ReadingOptions<'_>) -> Body {
        let Reading { sections, mut attachments, images, is_cut, is_forward } =
            mail.reading(options.bytes_max);
        if options.hides_addresses {
            for attachment in &mut attachments {
                attachment.name = reading::hide_addresses(&attachment.name);
            }
        }
        let mut writer = Writer {
            options,
            images: &images,
            is_forward,
            out: String::new(),
            has_remote_images: false,
            is_cut,
        };
        writer.sections(&sections);
        let Writer { mut out, has_remote_images, is_cut, .. } = writer;
        if is_cut {
            cut_note(options, &mut out);
        }
        if has_remote_images && !options.remote_images && !options.images_href.is_empty() {
            out.insert_str(0, &images_note(options));
        }
        Body { html: out, attachments, has_remote_images }
    }
}

struct Writer<'a> {
    options: &'a Options<'a>,
    images: &'a [Image],
    is_forward: bool,
    out: String,
    has_remote_images: bool,
    is_cut: bool,
}

impl Writer<'_> {
    fn sections(&mut self, sections: &[Section]) {
        for section in sections {
            match section {
                Section::Text(blocks) => plain::write(blocks, self.options, &mut self.out),
                Section::File { name, blocks } => {
                    self.out.push_str("<p class=\"file-name\"><bdi>");
                    self.shown(name);
                    self.out.push_str("</bdi></p>");
                    plain::write(blocks, self.options, &mut self.out);
                }
                Section::Html(html) => self.html(html),
                Section::Image(image) => self.image(image),
                Section::Message { facts, sections } => self.message(facts, sections),
                Section::Encrypted => {
                    let words = text!(self.options.language, "reading-encrypted");
                    self.note(&words);
                }
            }
        }
    }

    fn html(&mut self, html: &str) {
        let fitted = markup::fit(html, self.images, self.is_forward, self.options);
        self.has_remote_images |= fitted.has_remote_images;
        self.is_cut |= fitted.is_cut;
        self.out.push_str("<div class=\"of-mail\">");
        let html = clean::clean(&fitted.html, &fitted.own);
        // Written as in plain text. Text has no `<`, so these are elements.
        self.out
            .push_str(&html.replace("<details class=\"quote\" open=\"\">", "<details class=\"quote\" open>"));
        self.out.push_str("</div>");
    }

    fn image(&mut self, image: &Image) {
        let name = if self.options.hides_addresses {
            reading::hide_addresses(&image.name)
        } else {
            image.name.clone()
        };
        self.out.push_str("<p class=\"picture\"><img src=\"");
        escape(&(self.options.part_href)(image.number, &name), &mut self.out);
        self.out.push_str("\" alt=\"");
        escape(&name, &mut self.out);
        self.out.push_str("\" loading=\"lazy\"></p>");
    }

    fn message(&mut self, facts: &[(Fact, String)], sections: &[Section]) {
        self.out.push_str("<div class=\"forwarded\"><dl class=\"facts\">");
        for (fact, value) in facts {
            let language = self.options.language;
            let name = match fact {
                Fact::From => text!(language, "reading-fact-from"),
                Fact::To => text!(language, "reading-fact-to"),
                Fact::Cc => text!(language, "reading-fact-cc"),
                Fact::Date => text!(language, "reading-fact-date"),
                Fact::Subject => text!(language, "reading-fact-subject"),
            };
            self.out.push_str("<dt>");
            escape(&name, &mut self.out);
            self.out.push_str("</dt><dd dir=\"auto\">");
            self.shown(value);
            self.out.push_str("</dd>");
        }
        self.out.push_str("</dl>");
        let was_forward = std::mem::replace(&mut self.is_forward, false);
        self.sections(sections);
        self.is_forward = was_forward;
        self.out.push_str("</div>");
    }

    /// Writes text of others.
    fn shown(&mut self, text: &str) {
        if self.options.hides_addresses {
            escape(&reading::hide_addresses(text), &mut self.out);
        } else {
            escape(text, &mut self.out);
        }
    }

    fn note(&mut self, words: &str) {
        self.out.push_str("<p class=\"meta\">");
        escape(words, &mut self.out);
        self.out.push_str("</p>");
    }
}

/// Says that the end is left out, and where the whole message is.
fn cut_note(options: &Options<'_>, out: &mut String) {
    out.push_str("<p class=\"cut\">");
    escape(&text!(options.language, "reading-cut"), out);
    if !options.raw_href.is_empty() {
        out.push_str(" <a href=\"");
        escape(options.raw_href, out);
        out.push_str("\">");
        escape(&text!(options.language, "reading-cut-whole"), out);
        out.push_str("</a>");
    }
    out.push_str("</p>");
}

/// Says that images are not shown, and offers them.
fn images_note(options: &Options<'_>) -> String {
    let mut note = "<p class=\"images-off\">".to_owned();
    escape(&text!(options.language, "reading-images-off"), &mut note);
    note.push_str(" <a href=\"");
    escape(options.images_href, &mut note);
    note.push_str("\" rel=\"nofollow\">");
    escape(&text!(options.language, "reading-images-show"), &mut note);
    note.push_str("</a></p>");
    note
}
