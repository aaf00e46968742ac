//! Fronters and footers: from the list's templates to what is put into one part.

use std::ops::Range;

use super::slot::Slot;
use super::{ContentAuthor, RewriteContext};
use crate::mail::parse::Inbound;
use crate::mail::template::{Segment, Template, Variable};
use crate::mail::text;
use crate::model::list::OriginalSenderMode;

/// One stretch of a fronter or footer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum TextSegment {
    /// Text of the template and values that are the same for all members; line ends are CRLF.
    Literal(String),
    /// A value of the member.
    Personal(Slot),
}

/// A fronter or footer for text or HTML, without line ends around it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct HeaderFooter {
    pub(super) text_segments: Vec<TextSegment>,
}

impl HeaderFooter {
    pub(super) fn is_empty(&self) -> bool {
        self.text_segments.is_empty()
    }

    /// Text that is the same in every copy.
    pub(super) fn of_text(text: &str) -> HeaderFooter {
        let mut header_footer = HeaderFooter::default();
        if !text.is_empty() {
            header_footer.push(text);
        }
        header_footer
    }

    /// Content of a message, its merge tags as personal values where the list fills them in: those of senders only
    /// in the words `open`.
    pub(super) fn of_content(
        text: &str,
        is_html: bool,
        open: &[Range<usize>],
        inbound: &Inbound,
        context: &RewriteContext<'_>,
    ) -> HeaderFooter {
        if !context.fills_merge_tags() {
            return HeaderFooter::of_text(text);
        }
        let template = match context.author {
            ContentAuthor::Sender => Template::parse_senders_content(text, open),
            ContentAuthor::Key { custom_fields } => Template::parse_content(text, custom_fields),
            ContentAuthor::Digest => Template::parse_leniently(text, &[]),
        };
        HeaderFooter { text_segments: text_segments(&template, String::new(), is_html, inbound, context) }
    }

    /// Whether anything in `text` was filled in, or is yet to be.
    pub(super) fn differs_from(&self, text: &str) -> bool {
        match self.text_segments.as_slice() {
            [] => !text.is_empty(),
            [TextSegment::Literal(literal)] => literal != text,
            _ => true,
        }
    }

    /// Whether a reader sees nothing of it.
    pub(super) fn is_blank(&self) -> bool {
        !self.is_personal() && self.literals().all(|text| text.trim().is_empty())
    }

    pub(super) fn is_personal(&self) -> bool {
        self.slots().next().is_some()
    }

    pub(super) fn literals(&self) -> impl Iterator<Item = &str> {
        self.text_segments.iter().filter_map(|text_segment| match text_segment {
            TextSegment::Literal(text) => Some(text.as_str()),
            TextSegment::Personal(_) => None,
        })
    }

    pub(super) fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.text_segments.iter().filter_map(|text_segment| match text_segment {
            TextSegment::Literal(_) => None,
            TextSegment::Personal(slot) => Some(slot),
        })
    }

    pub(super) fn append(&mut self, other: &HeaderFooter) {
        for text_segment in &other.text_segments {
            match text_segment {
                TextSegment::Literal(text) => self.push(text),
                TextSegment::Personal(_) => self.text_segments.push(text_segment.clone()),
            }
        }
    }

    /// Characters of its longest line, a personal value counted as `value_chars`.
    pub(super) fn longest_line(&self, value_chars: usize) -> usize {
        let mut longest = 0;
        let mut line = 0;
        for text_segment in &self.text_segments {
            let TextSegment::Literal(text) = text_segment else {
                line += value_chars;
                continue;
            };
            for (index, piece) in text.split("\r\n").enumerate() {
                if index != 0 {
                    longest = longest.max(line);
                    line = 0;
                }
                line += piece.len();
            }
        }
        longest.max(line)
    }

    /// The same in HTML, for a list that has none of its own: paragraphs, line breaks and links.
    fn in_html(&self) -> HeaderFooter {
        let mut html = HeaderFooter::default();
        if self.is_empty() {
            return html;
        }
        html.push("<p>");
        for text_segment in &self.text_segments {
            match text_segment {
                TextSegment::Literal(text) => html.push(&text::html_in_ascii(&text::html_lines(text))),
                TextSegment::Personal(slot) if slot.is_link() => {
                    html.push("<a href=\"");
                    html.text_segments.push(text_segment.clone());
                    html.push("\">");
                    html.text_segments.push(text_segment.clone());
                    html.push("</a>");
                }
                TextSegment::Personal(_) => html.text_segments.push(text_segment.clone()),
            }
        }
        html.push("</p>");
        html
    }

    pub(super) fn push(&mut self, text: &str) {
        match self.text_segments.last_mut() {
            Some(TextSegment::Literal(last)) => last.push_str(text),
            _ => self.text_segments.push(TextSegment::Literal(text.to_owned())),
        }
    }

    /// With the line conventions of `format=flowed` (RFC 3676 4): no line flows into the next, and lines that
    /// look like quotes are stuffed.
    pub(super) fn flowed(&self) -> HeaderFooter {
        let mut at_line_start = true;
        let mut flow = |text_segment: &TextSegment| {
            let TextSegment::Literal(text) = text_segment else {
                at_line_start = false;
                return text_segment.clone();
            };
            let lines: Vec<String> = text
                .split("\r\n")
                .enumerate()
                .map(|(index, line)| {
                    let starts = index != 0 || at_line_start;
                    let stuffed = starts && [" ", ">", "From "].iter().any(|start| line.starts_with(start));
                    if stuffed { format!(" {line}") } else { line.to_owned() }
                })
                .collect();
            let last = lines.len() - 1;
            let trim = |(index, line): (usize, &String)| {
                let keeps = index == last || line == "-- ";
                if keeps { line.clone() } else { line.trim_end_matches(' ').to_owned() }
            };
            let flowed = lines.iter().enumerate().map(trim).collect::<Vec<_>>().join("\r\n");
            at_line_start = flowed.ends_with('\n');
            TextSegment::Literal(flowed)
        };
        HeaderFooter { text_segments: self.text_segments.iter().map(&mut flow).collect() }
    }
}

/// Everything that is put around the content of a message.
#[derive(Debug)]
pub(super) struct Decorations {
    pub(super) text_fronter: HeaderFooter,
    pub(super) text_footer: HeaderFooter,
    pub(super) html_fronter: HeaderFooter,
    pub(super) html_footer: HeaderFooter,
}

impl Decorations {
    pub(super) fn fronter(&self, is_html: bool) -> &HeaderFooter {
        if is_html { &self.html_fronter } else { &self.text_fronter }
    }

    pub(super) fn footer(&self, is_html: bool) -> &HeaderFooter {
        if is_html { &self.html_footer } else { &self.text_footer }
    }

    pub(super) fn of(inbound: &Inbound, context: &RewriteContext<'_>) -> Decorations {
        let list = context.list;
        let notice = notice(inbound, context).unwrap_or_default();
        let build = |text: &str, html: &str, notice: &str| {
            let derived_text = if text.trim().is_empty() { text_template(html) } else { text.to_owned() };
            let text_form = header_footer(&derived_text, notice, false, inbound, context);
            if html.trim().is_empty() {
                let html_form = text_form.in_html();
                return (text_form, html_form);
            }
            let html_notice = if notice.is_empty() { String::new() } else { text::html_from_text(notice) };
            (text_form, header_footer(html, &html_notice, true, inbound, context))
        };
        let (text_fronter, html_fronter) = build(&list.message_fronter, &list.message_fronter_html, &notice);
        let (text_footer, html_footer) = build(&list.message_footer, &list.message_footer_html, "");
        Decorations { text_fronter, text_footer, html_fronter, html_footer }
    }
}

/// The line that names the author where From is rewritten and `original_sender_mode` is `notice`.
fn notice(inbound: &Inbound, context: &RewriteContext<'_>) -> Option<String> {
    let from = inbound.from.as_ref()?;
    let wanted =
        context.list.original_sender_mode == OriginalSenderMode::Notice && context.rewrites_from(inbound);
    let name = if from.name.is_empty() { String::new() } else { format!("{} ", from.name) };
    wanted.then(|| format!("From: {name}<{}>", from.address))
}

/// The text of an HTML template, for a list that has no other; links that only stand in attributes follow it.
fn text_template(html: &str) -> String {
    let mut text = text::text_from_html(html);
    for link in ["$UNSUBSCRIBE", "$MANAGE", "$ARCHIVE", "$MESSAGE_URL"] {
        if html.contains(link) && !text.contains(link) {
            text.push('\n');
            text.push_str(link);
        }
    }
    text
}

/// A template with all values filled in that are the same for every member.
fn header_footer(
    template: &str,
    before: &str,
    is_html: bool,
    inbound: &Inbound,
    context: &RewriteContext<'_>,
) -> HeaderFooter {
    let template = Template::parse_leniently(template, context.custom_fields);
    let mut literal = before.to_owned();
    if !before.is_empty() && !is_html && !template.segments().is_empty() {
        literal.push_str("\r\n\r\n");
    }
    let text_segments = text_segments(&template, literal, is_html, inbound, context);
    HeaderFooter { text_segments: trimmed(text_segments, is_html) }
}

/// The segments of a template after `literal`, with all values filled in that are the same for every member.
fn text_segments(
    template: &Template,
    mut literal: String,
    is_html: bool,
    inbound: &Inbound,
    context: &RewriteContext<'_>,
) -> Vec<TextSegment> {
    let mut text_segments = Vec::new();
    for segment in template.segments() {
        match segment {
            Segment::Text(text) => literal.push_str(text),
            Segment::Variable(variable) => {
                if let Some(slot) = Slot::of(variable).filter(|slot| !(context.batched && slot.is_link())) {
                    if !literal.is_empty() {
                        text_segments.push(TextSegment::Literal(std::mem::take(&mut literal)));
                    }
                    text_segments.push(TextSegment::Personal(slot));
                } else {
                    let value = shared_value(variable, inbound, context);
                    literal.push_str(&if is_html { text::escape_html(&value) } else { value });
                }
            }
        }
    }
    if !literal.is_empty() {
        text_segments.push(TextSegment::Literal(literal));
    }
    text_segments
}

/// Without line ends around it, with CRLF inside, and HTML in ASCII.
fn trimmed(mut text_segments: Vec<TextSegment>, is_html: bool) -> Vec<TextSegment> {
    for text_segment in &mut text_segments {
        if let TextSegment::Literal(text) = text_segment {
            *text = text::with_crlf(text);
            if is_html {
                *text = text::html_in_ascii(text).into_owned();
            }
        }
    }
    if let Some(TextSegment::Literal(first)) = text_segments.first_mut() {
        *first = first.trim_start_matches(['\r', '\n']).to_owned();
    }
    if let Some(TextSegment::Literal(last)) = text_segments.last_mut() {
        *last = last.trim_end().to_owned();
    }
    text_segments
        .retain(|text_segment| !matches!(text_segment, TextSegment::Literal(text) if text.is_empty()));
    text_segments
}

/// The value of a variable that is the same for every member.
fn shared_value(variable: &Variable, inbound: &Inbound, context: &RewriteContext<'_>) -> String {
    match variable {
        Variable::List => context.list.name.to_string(),
        Variable::ListAddress => context.list_address.to_string(),
        Variable::Description => context.list.description.clone(),
        Variable::Archive => context.links.archive(context.list).unwrap_or_default(),
        Variable::MessageUrl => {
            context.permalink().or_else(|| context.links.archive(context.list)).unwrap_or_default()
        }
        Variable::Subject => inbound.subject.clone(),
        Variable::Sender => sender(inbound, context),
        Variable::Date => context.accepted.rfc3339().chars().take(10).collect(),
        Variable::Unsubscribe | Variable::Manage if context.batched => context.ways_to_leave().swap_remove(0),
        // The first two belong to notices and say nothing in a member's copy; the others have slots.
        Variable::Reason
        | Variable::Confirm
        | Variable::Name
        | Variable::FirstName
        | Variable::Surname
        | Variable::Email
        | Variable::Unsubscribe
        | Variable::Manage
        | Variable::Custom(_) => String::new(),
    }
}

/// The author's name, and the address unless the list hides it.
fn sender(inbound: &Inbound, context: &RewriteContext<'_>) -> String {
    let Some(from) = &inbound.from else { return String::new() };
    let hides =
        context.list.original_sender_mode == OriginalSenderMode::Hide && context.rewrites_from(inbound);
    match (from.name.is_empty(), hides) {
        (false, _) => from.name.clone(),
        (true, true) => String::new(),
        (true, false) => from.address.to_string(),
    }
}
