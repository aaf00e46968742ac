//! One text of a message: what changes in it beside the fronter and footer around it.

use super::RewriteContext;
use super::content::{Changed, Content, visible};
use super::header_footer::HeaderFooter;
use super::links::OwnLinks;
use super::merge_tags::open_words;
use super::present::{find_footer, find_fronter};
use super::shorten::{shortened_html, shortened_text};
use super::structure::delimiters_around;
use crate::mail::charset;
use crate::mail::mime::Part;
use crate::mail::parse::Inbound;
use crate::mail::text;
use crate::model::Change;

/// A text part, and what its list does to texts.
pub(super) struct TextPart<'a, 'p> {
    pub(super) inbound: &'a Inbound,
    pub(super) context: &'p RewriteContext<'p>,
    pub(super) links: &'p OwnLinks<'p>,
    pub(super) part: &'a Part,
    /// Its content without its transfer encoding.
    pub(super) decoded: &'a [u8],
}

/// Where fronter and footer stand in a text already.
struct Present {
    front: Option<usize>,
    back: Option<usize>,
}

impl Present {
    fn find(seen: &[u8], fronter: &HeaderFooter, footer: &HeaderFooter, charset: Option<&str>) -> Present {
        let front = find_fronter(seen, fronter, charset);
        let back = find_footer(seen, footer, charset).filter(|back| front.unwrap_or(0) <= *back);
        Present { front, back }
    }

    /// Whether one is there that says what another member may do: it is taken off, and put on anew.
    fn is_stale(&self, fronter: &HeaderFooter, footer: &HeaderFooter) -> bool {
        (self.front.is_some() && fronter.is_personal()) || (self.back.is_some() && footer.is_personal())
    }
}

impl<'a> TextPart<'a, '_> {
    fn is_html(&self) -> bool {
        self.part.media_type == "text/html"
    }

    /// The part with everything that changes in it and around it; none where nothing does.
    pub(super) fn content(
        self,
        fronter: HeaderFooter,
        footer: HeaderFooter,
        record: &mut Vec<Change>,
    ) -> Option<Content<'a>> {
        let charset = self.part.charset.as_deref();
        let (start, end) = visible(self.decoded, self.is_html());
        let present = Present::find(&self.decoded[start..end], &fronter, &footer, charset);
        let changed = if self.may_change() || present.is_stale(&fronter, &footer) {
            self.changed(&fronter, &footer, record)
        } else {
            None
        };
        let missing = |header_footer: HeaderFooter, is_present: bool| {
            if is_present && changed.is_none() { HeaderFooter::default() } else { header_footer }
        };
        let fronter = missing(fronter, present.front.is_some());
        let footer = missing(footer, present.back.is_some());
        if changed.is_none() && fronter.is_empty() && footer.is_empty() {
            return None;
        }
        if !fronter.is_empty() {
            record.push(Change::Fronter(self.part.media_type.clone()));
        }
        if !footer.is_empty() {
            record.push(Change::Footer(self.part.media_type.clone()));
        }
        let raw = &self.inbound.raw[self.part.body.clone()];
        let (part, is_html, decoded) = (self.part, self.is_html(), self.decoded);
        let delimiters = delimiters_around(self.inbound, part);
        Some(Content { part, raw, is_html, decoded, changed, fronter, footer, delimiters })
    }

    /// Whether the text has to be looked at as text; for most posts it has not.
    fn may_change(&self) -> bool {
        let list = self.context.list;
        let is_compatible = text::is_ascii_compatible(self.part.charset.as_deref());
        list.truncate.is_some()
            || (self.context.fills_merge_tags() && memchr::memchr(b'$', self.decoded).is_some())
            || self.links.may_be_in(self.decoded, self.is_html(), is_compatible)
    }

    /// The text with all changes; none where there are none.
    fn changed(
        &self,
        fronter: &HeaderFooter,
        footer: &HeaderFooter,
        record: &mut Vec<Change>,
    ) -> Option<Changed> {
        let whole = charset::read_with_mark(self.decoded, self.part.charset.as_deref(), self.is_html());
        let scrubbed = self.links.scrubbed(&whole, self.is_html());
        let is_scrubbed = scrubbed != whole;
        let (start, end) = visible(scrubbed.as_bytes(), self.is_html());
        let (mut head, seen, mut tail) = (&scrubbed[..start], &scrubbed[start..end], &scrubbed[end..]);
        let present = Present::find(seen.as_bytes(), fronter, footer, Some("utf-8"));
        let own = own_text(seen, &present);
        let short = self.shortened(&mut head, own, &mut tail);
        let is_short = short.is_some();
        let body = short.as_deref().unwrap_or(own);
        let own = [head, body, tail].map(text::with_crlf);
        let (head, body, tail) = self.filled(&own, fronter, footer);
        let changed = Changed { head, body, tail };
        let is_filled = [&changed.head, &changed.body, &changed.tail]
            .into_iter()
            .zip(&own)
            .any(|(filled, text)| filled.differs_from(text));
        for (did, change) in [
            (is_scrubbed, Change::LinksRemoved(self.part.media_type.clone())),
            (is_short, Change::Truncated(self.part.media_type.clone())),
            (is_filled, Change::MergeTags(self.part.media_type.clone())),
        ] {
            if did {
                record.push(change);
            }
        }
        let is_changed = is_scrubbed || is_short || is_filled || present.is_stale(fronter, footer);
        is_changed.then_some(changed)
    }

    /// The text before, in and after its visible part, with its merge tags as personal values.
    fn filled(
        &self,
        [head, body, tail]: &[String; 3],
        fronter: &HeaderFooter,
        footer: &HeaderFooter,
    ) -> (HeaderFooter, HeaderFooter, HeaderFooter) {
        // The visible part is found by its tags alone, and may begin within another: so the text is looked at as a
        // reader's program has it, with what the list puts between.
        let [front, foot] = [fronter, footer].map(|added| added.literals().collect::<String>());
        let open = open_words(&[head, &front, body, &foot, tail], self.is_html());
        let filled = |text, place: usize| {
            HeaderFooter::of_content(text, self.is_html(), &open[place], self.inbound, self.context)
        };
        (filled(head, 0), filled(body, 2), filled(tail, 4))
    }

    /// The list's own limit on a text. What stands around the visible part of HTML counts too, and goes where
    /// it leaves no room for anything else.
    fn shortened(&self, head: &mut &str, own: &str, tail: &mut &str) -> Option<String> {
        let limit = usize::try_from(self.context.list.truncate?).unwrap_or(usize::MAX);
        let language = self.context.language;
        if !self.is_html() {
            return shortened_text(own, limit, language);
        }
        let around = head.len() + tail.trim_end().len();
        let short = shortened_html(own, limit.saturating_sub(around), language)?;
        if limit < around {
            (*head, *tail) = ("", "");
            return Some(shortened_html(own, limit, language).unwrap_or_else(|| own.to_owned()));
        }
        Some(short)
    }
}

/// The text between a fronter and a footer that are there already.
fn own_text<'t>(seen: &'t str, present: &Present) -> &'t str {
    let own = &seen[present.front.unwrap_or(0)..present.back.unwrap_or(seen.len())];
    let own = if present.front.is_some() { own.trim_start_matches(['\r', '\n']) } else { own };
    if present.back.is_none() {
        return own;
    }
    // The line end of the text itself stays.
    let bare = own.trim_end_matches(['\r', '\n']);
    let line_end = own[bare.len()..].starts_with("\r\n");
    &own[..bare.len() + if line_end { 2 } else { 0 }]
}
