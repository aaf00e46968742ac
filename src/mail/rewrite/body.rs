//! Plans the changes in the body of a message: texts with fronter, footer, merge tags and without our own links or
//! their end, attachments without our own links or taken off, and parts that are put beside what cannot be changed.
//!
//! The plan is a list of splices: ranges of the original, and what stands in their place. Everything else goes out
//! byte for byte.

use std::ops::Range;

use super::RewriteContext;
use super::attached::{self, Replaced};
use super::attachments;
use super::content::{Label, PartSegment, own_part};
use super::fields;
use super::form::SharedForm;
use super::header_footer::{Decorations, HeaderFooter};
use super::links::OwnLinks;
use super::plan::{Plan, Root, Splice};
use super::structure::{End, Side, Structure, delimiter_start};
use super::text_part::TextPart;
use crate::mail::mime::Part;
use crate::mail::parse::Inbound;
use crate::model::Change;

/// Decides what changes, and how it is encoded.
pub(super) fn plan(inbound: &Inbound, context: &RewriteContext<'_>, changes: &mut Vec<Change>) -> Plan {
    let structure = Structure::of(inbound, context.list.strip_attachments);
    let mut planner = Planner {
        inbound,
        context,
        header_footers: Decorations::of(inbound, context),
        links: OwnLinks::of(context),
        changes,
        plan: Plan { splices: Vec::new(), root: Root::Kept },
    };
    planner.plan(&structure);
    let mut plan = planner.plan;
    plan.splices.sort_by_key(|splice| splice.range.start);
    plan
}

/// Where the additions of a message go.
struct Ends {
    first: End,
    last: End,
}

impl Ends {
    fn has_text(&self, side: Side, index: usize) -> bool {
        let end = self.of(side);
        matches!(end, End::Texts(texts) if texts.contains(&index))
    }

    fn is_stripped(&self, side: Side, index: usize) -> bool {
        *self.of(side) == End::Stripped(index)
    }

    fn of(&self, side: Side) -> &End {
        match side {
            Side::First => &self.first,
            Side::Last => &self.last,
        }
    }
}

struct Planner<'a> {
    inbound: &'a Inbound,
    context: &'a RewriteContext<'a>,
    header_footers: Decorations,
    links: OwnLinks<'a>,
    changes: &'a mut Vec<Change>,
    plan: Plan,
}

impl Planner<'_> {
    fn plan(&mut self, structure: &Structure<'_>) {
        let ends = Ends { first: structure.end(Side::First), last: structure.end(Side::Last) };
        let texts = structure.body_texts();
        for index in &texts {
            if let Some(decoded) = structure.text(*index) {
                self.plan_text(*index, decoded, &ends);
            }
        }
        if self.context.list.strip_attachments {
            self.strip(structure, &texts, &ends);
        }
        self.put_beside(structure, &ends);
        self.scrub_attached(&texts);
    }

    /// Takes personal links out of attachments, but for those that are taken off.
    fn scrub_attached(&mut self, texts: &[usize]) {
        let inbound = self.inbound;
        let found = attached::scrubbed(inbound, &self.links, texts);
        if found.is_empty() {
            return;
        }
        let written: Vec<Range<usize>> =
            self.plan.splices.iter().map(|splice| splice.range.clone()).collect();
        for (index, replaced) in found {
            let is_off = replaced.first().is_some_and(|first| {
                written.iter().any(|range| range.start <= first.range.start && first.range.end <= range.end)
            });
            if is_off {
                continue;
            }
            let part = &inbound.parts[index];
            self.changes.push(Change::LinksRemoved(part.media_type.clone()));
            let splices = replaced
                .into_iter()
                .map(|Replaced { range, bytes }| Splice { range, segments: vec![PartSegment::Made(bytes)] });
            self.plan.splices.extend(splices);
        }
    }

    /// One text of the message.
    fn plan_text(&mut self, index: usize, decoded: &[u8], ends: &Ends) {
        let part = &self.inbound.parts[index];
        let is_html = part.media_type == "text/html";
        let adapted = |header_footer: &HeaderFooter, side: Side| {
            let is_flowed = part.is_flowed && !is_html;
            match ends.has_text(side, index) {
                false => HeaderFooter::default(),
                true if is_flowed => header_footer.flowed(),
                true => header_footer.clone(),
            }
        };
        let fronter = adapted(self.header_footers.fronter(is_html), Side::First);
        let footer = adapted(self.header_footers.footer(is_html), Side::Last);
        let text =
            TextPart { inbound: self.inbound, context: self.context, links: &self.links, part, decoded };
        let mut changes = Vec::new();
        let Some(content) = text.content(fronter, footer, &mut changes) else { return };
        let written = content.write();
        if written.label.is_some() {
            changes.push(Change::Reencoded(part.media_type.clone()));
        }
        self.changes.append(&mut changes);
        self.splice_part(index, written.label, written.segments);
    }

    /// Puts `segments` into the place of a part's body, and a new label into its header.
    fn splice_part(&mut self, index: usize, label: Option<Label>, mut segments: Vec<PartSegment>) {
        let part = &self.inbound.parts[index];
        let range = match label {
            Some(label) if index == 0 => {
                self.plan.root = Root::Relabelled(label);
                part.body.clone()
            }
            None if index != 0 && !has_empty_line(&self.inbound.raw[..part.body.start]) => {
                // Nothing ends its header, which is where the text would stand.
                segments.insert(0, PartSegment::Made(b"\r\n".to_vec()));
                part.body.clone()
            }
            Some(label) => {
                let mut with_header = fields::relabelled(self.inbound, part, label);
                with_header.append(&mut segments);
                segments = with_header;
                part.header.start..part.body.end
            }
            None => part.body.clone(),
        };
        self.plan.splices.push(Splice { range, segments });
    }

    /// Takes the attachments off and puts lines into their places.
    fn strip(&mut self, structure: &Structure<'_>, texts: &[usize], ends: &Ends) {
        for index in attachments::stripped(structure, texts) {
            let part = &self.inbound.parts[index];
            let line = attachments::line(&self.inbound.raw, part, self.context.language);
            self.changes.push(Change::AttachmentRemoved(line.literals().collect()));
            if structure.is_alternative(index) && has_text_beside(structure, index) {
                // In its place, a line would be shown instead of the text.
                let range = self.with_delimiter(part);
                self.plan.splices.push(Splice { range, segments: Vec::new() });
                continue;
            }
            let mut text = HeaderFooter::default();
            if ends.is_stripped(Side::First, index) && !self.header_footers.text_fronter.is_empty() {
                text.append(&self.header_footers.text_fronter);
                text.push("\r\n\r\n");
                self.changes.push(Change::Fronter(OWN_PART.to_owned()));
            }
            text.append(&line);
            if ends.is_stripped(Side::Last, index) && !self.header_footers.text_footer.is_empty() {
                text.push("\r\n\r\n");
                text.append(&self.header_footers.text_footer);
                self.changes.push(Change::Footer(OWN_PART.to_owned()));
            }
            self.replace_part(index, &text);
        }
    }

    /// Puts a text of our own into the place of a part.
    fn replace_part(&mut self, index: usize, text: &HeaderFooter) {
        let part = &self.inbound.parts[index];
        let mut segments = own_part(text);
        if index != 0 {
            self.plan.splices.push(Splice { range: part.header.start..part.body.end, segments });
            return;
        }
        let PartSegment::Made(mut header) = segments.remove(0) else { return };
        // The empty line behind it ends the header of the whole message.
        header.truncate(header.len() - 2);
        self.plan.root = Root::Described(header);
        self.plan.splices.push(Splice { range: part.body.clone(), segments });
    }

    /// Puts fronter and footer beside what cannot take them inside.
    fn put_beside(&mut self, structure: &Structure<'_>, ends: &Ends) {
        let mut wrapping = (None, None);
        for side in [Side::First, Side::Last] {
            let header_footer = match side {
                Side::First => &self.header_footers.text_fronter,
                Side::Last => &self.header_footers.text_footer,
            };
            if header_footer.is_empty() {
                continue;
            }
            let text = header_footer.clone();
            match ends.of(side) {
                End::Texts(_) | End::Stripped(_) | End::Nowhere => continue,
                End::Beside(container) => {
                    if !self.insert(structure, *container, side, &text) {
                        continue;
                    }
                }
                End::Around if side == Side::First => wrapping.0 = Some(text),
                End::Around => wrapping.1 = Some(text),
            }
            self.changes.push(match side {
                Side::First => Change::Fronter(OWN_PART.to_owned()),
                Side::Last => Change::Footer(OWN_PART.to_owned()),
            });
        }
        if let (Some(_), _) | (_, Some(_)) = wrapping {
            self.wrap(wrapping.0.as_ref(), wrapping.1.as_ref());
        }
    }

    /// Puts a text of our own as the first or last part into a multipart.
    fn insert(
        &mut self,
        structure: &Structure<'_>,
        container: usize,
        side: Side,
        text: &HeaderFooter,
    ) -> bool {
        let children: Vec<usize> = structure.children(container).collect();
        let (Some(&first), Some(&last)) = (children.first(), children.last()) else { return false };
        let raw = &self.inbound.raw;
        let (first, last) = (&self.inbound.parts[first], &self.inbound.parts[last]);
        let delimiter_start = delimiter_start(raw, first);
        let delimiter = raw[delimiter_start..first.header.start].trim_ascii_end().to_vec();
        let line = [delimiter.as_slice(), b"\r\n"].concat();
        let mut segments = Vec::new();
        let at = match side {
            Side::First => {
                segments.push(PartSegment::Made(line));
                segments.extend(own_part(text));
                segments.push(PartSegment::Made(b"\r\n".to_vec()));
                delimiter_start
            }
            Side::Last => {
                let end = last.body.end;
                segments.push(PartSegment::Made([b"\r\n".as_slice(), &line].concat()));
                segments.extend(own_part(text));
                if !raw[end..].trim_ascii_start().starts_with(b"--") {
                    // It was never closed; now it is.
                    segments.push(PartSegment::Made([b"\r\n", delimiter.as_slice(), b"--\r\n"].concat()));
                }
                end
            }
        };
        self.plan.splices.push(Splice { range: at..at, segments });
        true
    }

    /// Makes the whole content the part of a new multipart, with texts of our own beside it.
    fn wrap(&mut self, fronter: Option<&HeaderFooter>, footer: Option<&HeaderFooter>) {
        let root = &self.inbound.parts[0];
        let boundary = self.boundary();
        let line = format!("--{boundary}\r\n").into_bytes();
        let mut before = Vec::new();
        if let Some(fronter) = fronter {
            before.push(PartSegment::Made(line.clone()));
            before.extend(own_part(fronter));
            before.push(PartSegment::Made(b"\r\n".to_vec()));
        }
        before.push(PartSegment::Made(line.clone()));
        before.extend(fields::content_fields_of(self.inbound, root));
        before.push(PartSegment::Made(b"\r\n".to_vec()));
        let mut behind = Vec::new();
        if let Some(footer) = footer {
            behind.push(PartSegment::Made([b"\r\n".as_slice(), &line].concat()));
            behind.extend(own_part(footer));
        }
        behind.push(PartSegment::Made(format!("\r\n--{boundary}--\r\n").into_bytes()));
        let end = self.inbound.raw.len();
        self.plan.splices.push(Splice { range: root.body.start..root.body.start, segments: before });
        self.plan.splices.push(Splice { range: end..end, segments: behind });
        let described = format!("Content-Type: multipart/mixed; boundary=\"{boundary}\"\r\n");
        self.plan.root = Root::Described(described.into_bytes());
    }

    /// A boundary that stands nowhere in the message.
    fn boundary(&self) -> String {
        let base = format!("=_crier_{}_{}", self.context.message, self.context.accepted.ms());
        let is_free =
            |boundary: &String| memchr::memmem::find(&self.inbound.raw, boundary.as_bytes()).is_none();
        let numbered = (1_u64..).map(|number| format!("{base}_{number}"));
        std::iter::once(base.clone()).chain(numbered).find(is_free).unwrap_or(base)
    }

    /// A part with the delimiter line in front of it, up to the delimiter behind it.
    fn with_delimiter(&self, part: &Part) -> Range<usize> {
        let raw = &self.inbound.raw;
        let line_end = if raw[part.body.end..].starts_with(b"\r\n") { 2 } else { 0 };
        delimiter_start(raw, part)..part.body.end + line_end
    }
}

/// How parts of our own are named in the record of changes.
const OWN_PART: &str = "a part of its own";

/// Whether the body behind `before` stands behind an empty line that ends the header of its part.
fn has_empty_line(before: &[u8]) -> bool {
    let line = before
        .strip_suffix(b"\n")
        .map(|rest| memchr::memrchr(b'\n', rest).map_or(rest, |at| &rest[at + 1..]));
    line.is_some_and(|line| line.trim_ascii().is_empty())
}

/// Whether one of the other forms of an alternative can be read.
fn has_text_beside(structure: &Structure<'_>, index: usize) -> bool {
    let parts = &structure.inbound.parts;
    let siblings = parts[index].parent.map(|parent| structure.children(parent).collect::<Vec<_>>());
    siblings.unwrap_or_default().into_iter().any(|sibling| {
        sibling != index && (parts[sibling].media_type.starts_with("text/") || parts[sibling].is_multipart())
    })
}

/// Writes the body with all splices, everything else as it is.
pub(super) fn write(inbound: &Inbound, plan: Plan, form: &mut SharedForm) {
    let mut position = inbound.parts[0].body.start;
    for splice in plan.splices {
        form.push_original(position..splice.range.start);
        for segment in splice.segments {
            form.push(segment);
        }
        position = splice.range.end;
    }
    form.push_original(position..inbound.raw.len());
    form.end_line();
}
