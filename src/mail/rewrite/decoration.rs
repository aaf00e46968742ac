//! Fronters and footers: from the list's templates to what is put into one part.

use std::ops::Range;

use super::form::Slot;
use super::{ContentAuthor, RewriteContext};
use crate::mail::parse::Inbound;
use crate::mail::template::{Segment, Template, Variable};
use crate::mail::text;
use crate::model::list::OriginalSenderMode;

/// One stretch of a fronter or footer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Stretch {
    /// Text of the template and values that are the same for all members; line ends are CRLF.
    Literal(String),
    /// A value of the member.
    Personal(Slot),
}

/// A fronter or footer for text or HTML, without line ends around it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Decoration {
    pub(super) stretches: Vec<Stretch>,
}

impl Decoration {
    pub(super) fn is_empty(&self) -> bool {
        self.stretches.is_empty()
    }

    /// Text that is the same in every copy.
    pub(super) fn of_text(text: &str) -> Decoration {
        let mut decoration = Decoration::default();
        if !text.is_empty() {
            decoration.push(text);
        }
        decoration
    }

    /// Content of a message, its merge tags as personal values where the list fills them in: those of senders only
    /// in the words `open`.
    pub(super) fn of_content(
        text: &str,
        is_html: bool,
        open: &[Range<usize>],
        inbound: &Inbound,
        context: &RewriteContext<'_>,
    ) -> Decoration {
        if !context.list.merge_tags_enabled {
            return Decoration::of_text(text);
        }
        let template = match context.author {
            ContentAuthor::Sender => Template::parse_senders_content(text, open),
            ContentAuthor::Key { custom_fields } => Template::parse_content(text, custom_fields),
        };
        Decoration { stretches: stretches(&template, String::new(), is_html, inbound, context) }
    }

    /// Whether anything in `text` was filled in, or is yet to be.
    pub(super) fn differs_from(&self, text: &str) -> bool {
        match self.stretches.as_slice() {
            [] => !text.is_empty(),
            [Stretch::Literal(literal)] => literal != text,
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
        self.stretches.iter().filter_map(|stretch| match stretch {
            Stretch::Literal(text) => Some(text.as_str()),
            Stretch::Personal(_) => None,
        })
    }

    pub(super) fn slots(&self) -> impl Iterator<Item = &Slot> {
        self.stretches.iter().filter_map(|stretch| match stretch {
            Stretch::Literal(_) => None,
            Stretch::Personal(slot) => Some(slot),
        })
    }

    pub(super) fn append(&mut self, other: &Decoration) {
        for stretch in &other.stretches {
            match stretch {
                Stretch::Literal(text) => self.push(text),
                Stretch::Personal(_) => self.stretches.push(stretch.clone()),
            }
        }
    }

    /// Characters of its longest line, a personal value counted as `value_chars`.
    pub(super) fn longest_line(&self, value_chars: usize) -> usize {
        let mut longest = 0;
        let mut line = 0;
        for stretch in &self.stretches {
            let Stretch::Literal(text) = stretch else {
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
    fn in_html(&self) -> Decoration {
        let mut html = Decoration::default();
        if self.is_empty() {
            return html;
        }
        html.push("<p>");
        for stretch in &self.stretches {
            match stretch {
                Stretch::Literal(text) => html.push(&text::html_in_ascii(&text::html_lines(text))),
                Stretch::Personal(slot) if slot.is_link() => {
                    html.push("<a href=\"");
                    html.stretches.push(stretch.clone());
                    html.push("\">");
                    html.stretches.push(stretch.clone());
                    html.push("</a>");
                }
                Stretch::Personal(_) => html.stretches.push(stretch.clone()),
            }
        }
        html.push("</p>");
        html
    }

    pub(super) fn push(&mut self, text: &str) {
        match self.stretches.last_mut() {
            Some(Stretch::Literal(last)) => last.push_str(text),
            _ => self.stretches.push(Stretch::Literal(text.to_owned())),
        }
    }

    /// With the line conventions of `format=flowed` (RFC 3676 4): no line flows into the next, and lines that
    /// look like quotes are stuffed.
    pub(super) fn flowed(&self) -> Decoration {
        let mut at_line_start = true;
        let mut flow = |stretch: &Stretch| {
            let Stretch::Literal(text) = stretch else {
                at_line_start = false;
                return stretch.clone();
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
            Stretch::Literal(flowed)
        };
        Decoration { stretches: self.stretches.iter().map(&mut flow).collect() }
    }
}

/// Everything that is put around the content of a message.
#[derive(Debug)]
pub(super) struct Decorations {
    pub(super) text_fronter: Decoration,
    pub(super) text_footer: Decoration,
    pub(super) html_fronter: Decoration,
    pub(super) html_footer: Decoration,
}

impl Decorations {
    pub(super) fn fronter(&self, is_html: bool) -> &Decoration {
        if is_html { &self.html_fronter } else { &self.text_fronter }
    }

    pub(super) fn footer(&self, is_html: bool) -> &Decoration {
        if is_html { &self.html_footer } else { &self.text_footer }
    }

    pub(super) fn of(inbound: &Inbound, context: &RewriteContext<'_>) -> Decorations {
        let list = context.list;
        let notice = notice(inbound, context).unwrap_or_default();
        let build = |text: &str, html: &str, notice: &str| {
            let derived_text = if text.trim().is_empty() { text_template(html) } else { text.to_owned() };
            let text_form = decoration(&derived_text, notice, false, inbound, context);
            if html.trim().is_empty() {
                let html_form = text_form.in_html();
                return (text_form, html_form);
            }
            let html_notice = if notice.is_empty() { String::new() } else { text::html_from_text(notice) };
            (text_form, decoration(html, &html_notice, true, inbound, context))
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
fn decoration(
    template: &str,
    before: &str,
    is_html: bool,
    inbound: &Inbound,
    context: &RewriteContext<'_>,
) -> Decoration {
    let template = Template::parse_leniently(template, context.custom_fields);
    let mut literal = before.to_owned();
    if !before.is_empty() && !is_html && !template.segments().is_empty() {
        literal.push_str("\r\n\r\n");
    }
    let stretches = stretches(&template, literal, is_html, inbound, context);
    Decoration { stretches: trimmed(stretches, is_html) }
}

/// What a template is made of behind `literal`, with all values filled in that are the same for every member.
fn stretches(
    template: &Template,
    mut literal: String,
    is_html: bool,
    inbound: &Inbound,
    context: &RewriteContext<'_>,
) -> Vec<Stretch> {
    let mut stretches = Vec::new();
    for segment in template.segments() {
        match segment {
            Segment::Text(text) => literal.push_str(text),
            Segment::Variable(variable) => {
                if let Some(slot) = Slot::of(variable).filter(|slot| !(context.batched && slot.is_link())) {
                    if !literal.is_empty() {
                        stretches.push(Stretch::Literal(std::mem::take(&mut literal)));
                    }
                    stretches.push(Stretch::Personal(slot));
                } else {
                    let value = shared_value(variable, inbound, context);
                    literal.push_str(&if is_html { text::escape_html(&value) } else { value });
                }
            }
        }
    }
    if !literal.is_empty() {
        stretches.push(Stretch::Literal(literal));
    }
    stretches
}

/// Without line ends around it, with CRLF inside, and HTML in ASCII.
fn trimmed(mut stretches: Vec<Stretch>, is_html: bool) -> Vec<Stretch> {
    for stretch in &mut stretches {
        if let Stretch::Literal(text) = stretch {
            *text = text::with_crlf(text);
            if is_html {
                *text = text::html_in_ascii(text).into_owned();
            }
        }
    }
    if let Some(Stretch::Literal(first)) = stretches.first_mut() {
        *first = first.trim_start_matches(['\r', '\n']).to_owned();
    }
    if let Some(Stretch::Literal(last)) = stretches.last_mut() {
        *last = last.trim_end().to_owned();
    }
    stretches.retain(|stretch| !matches!(stretch, Stretch::Literal(text) if text.is_empty()));
    stretches
}

/// The value of a variable that is the same for every member.
fn shared_value(variable: &Variable, inbound: &Inbound, context: &RewriteContext<'_>) -> String {
    match variable {
        Variable::List => context.list.name.to_string(),
        Variable::ListAddress => context.list_address.to_string(),
        Variable::Description => context.list.description.clone(),
        Variable::Archive => context.archive_url(),
        Variable::MessageUrl => context.message_url(),
        Variable::Subject => inbound.subject.clone(),
        Variable::Sender => sender(inbound, context),
        Variable::Date => context.accepted.rfc3339().chars().take(10).collect(),
        Variable::Unsubscribe | Variable::Manage if context.batched => context.leave_url(),
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
