//! Parses `$VARIABLES` in texts of administrators (`spec/mail.md` 8) once, and expands them per member.
//!
//! A template is checked when it is saved: an unknown variable is an error that names it. Expansion never fails.

use std::borrow::Cow;
use std::ops::Range;

use super::{header, text};

/// Characters of a custom field's name in `${…}`.
const FIELD_NAME_CHARS_MAX: usize = 200;

/// A variable that a template can contain.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Variable {
    /// The member's full name.
    Name,
    /// The member's first name.
    FirstName,
    /// The member's surname.
    Surname,
    /// The member's address.
    Email,
    /// Name of the list.
    List,
    /// Address of the list.
    ListAddress,
    /// Description of the list.
    Description,
    /// The member's own link to leave.
    Unsubscribe,
    /// The member's own link to its settings.
    Manage,
    /// The list's archive.
    Archive,
    /// The message in the archive.
    MessageUrl,
    /// The message's subject.
    Subject,
    /// The message's author.
    Sender,
    /// The reason why a message was held or rejected.
    Reason,
    /// The link that confirms a request.
    Confirm,
    /// The day on which the message is sent.
    Date,
    /// `${Custom field}` of the member.
    Custom(String),
}

const NAMED: [(&str, Variable); 16] = [
    ("NAME", Variable::Name),
    ("FIRSTNAME", Variable::FirstName),
    ("SURNAME", Variable::Surname),
    ("EMAIL", Variable::Email),
    ("LIST", Variable::List),
    ("LISTADDRESS", Variable::ListAddress),
    ("DESCRIPTION", Variable::Description),
    ("UNSUBSCRIBE", Variable::Unsubscribe),
    ("MANAGE", Variable::Manage),
    ("ARCHIVE", Variable::Archive),
    ("MESSAGE_URL", Variable::MessageUrl),
    ("SUBJECT", Variable::Subject),
    ("SENDER", Variable::Sender),
    ("REASON", Variable::Reason),
    ("CONFIRM", Variable::Confirm),
    ("DATE", Variable::Date),
];

impl Variable {
    /// Whether its value differs from member to member.
    #[must_use]
    pub fn is_personal(&self) -> bool {
        match self {
            Variable::Name
            | Variable::FirstName
            | Variable::Surname
            | Variable::Email
            | Variable::Unsubscribe
            | Variable::Manage
            | Variable::Custom(_) => true,
            Variable::List
            | Variable::ListAddress
            | Variable::Description
            | Variable::Archive
            | Variable::MessageUrl
            | Variable::Subject
            | Variable::Sender
            | Variable::Reason
            | Variable::Confirm
            | Variable::Date => false,
        }
    }

    /// Whether content written by a member or a stranger may contain it: only the names of the reader and of the list
    /// may be.
    fn is_for_senders(&self) -> bool {
        match self {
            Variable::Name
            | Variable::FirstName
            | Variable::Surname
            | Variable::Email
            | Variable::List
            | Variable::ListAddress
            | Variable::Description => true,
            Variable::Unsubscribe
            | Variable::Manage
            | Variable::Archive
            | Variable::MessageUrl
            | Variable::Subject
            | Variable::Sender
            | Variable::Reason
            | Variable::Confirm
            | Variable::Date
            | Variable::Custom(_) => false,
        }
    }

    fn from_name(name: &str) -> Option<Variable> {
        NAMED.iter().find(|(known, _)| *known == name).map(|(_, variable)| variable.clone())
    }
}

/// The reason why a text is no template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// A variable or custom field that does not exist.
    #[error("unknown variable {0}; a dollar sign by itself is written $$")]
    Unknown(String),
    /// `${` without `}`.
    #[error("a ${{ without its closing brace")]
    Unclosed,
}

/// A part of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment {
    /// Literal text.
    Text(String),
    /// A variable to be filled in.
    Variable(Variable),
}

/// A parsed text with variables.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Template {
    segments: Vec<Segment>,
}

/// The kind of text that an expanded value goes into.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Plain text.
    Text,
    /// HTML: values are escaped.
    Html,
    /// A header: values lose their line breaks.
    Header,
}

impl Template {
    /// Parses a template; `custom_fields` are the names and identifiers allowed in `${…}`.
    pub fn parse(text: &str, custom_fields: &[&str]) -> Result<Template, TemplateError> {
        let is_custom = |name: &str| custom_fields.contains(&name);
        read(text, &is_custom, Reading::Strict).map(|segments| Template { segments })
    }

    /// Parses a template that was saved: the name of a field that was removed since is text.
    #[must_use]
    pub fn parse_leniently(text: &str, custom_fields: &[&str]) -> Template {
        Template::parse(text, custom_fields)
            .unwrap_or_else(|_| Template::parse_as(text, custom_fields, Reading::Lenient))
    }

    /// Parses the content or subject of a message that was posted over the API. Its author may know nothing about
    /// variables: only known names are variables, and everything else is text, including `$$` and variables that have a
    /// value only in notices.
    #[must_use]
    pub fn parse_content(text: &str, custom_fields: &[&str]) -> Template {
        Template::parse_as(text, custom_fields, Reading::Content)
    }

    /// Parses the content or subject of a message that a member or a stranger wrote. Only variables that every sender
    /// may use are variables, without braces, and only in the ranges `open` of the text.
    #[must_use]
    pub fn parse_senders_content(text: &str, open: &[Range<usize>]) -> Template {
        let mut segments = Vec::new();
        let mut read_to = 0;
        for range in open {
            push_text(&mut segments, &text[read_to..range.start]);
            for segment in Template::parse_as(&text[range.clone()], &[], Reading::Sender).segments {
                match segment {
                    Segment::Text(text) => push_text(&mut segments, &text),
                    Segment::Variable(_) => segments.push(segment),
                }
            }
            read_to = range.end;
        }
        push_text(&mut segments, &text[read_to..]);
        Template { segments }
    }

    fn parse_as(text: &str, custom_fields: &[&str], reading: Reading) -> Template {
        let is_custom = |name: &str| custom_fields.contains(&name);
        let segments = read(text, &is_custom, reading);
        Template { segments: segments.unwrap_or_else(|_| vec![Segment::Text(text.to_owned())]) }
    }

    /// Whether it contains any variable.
    #[must_use]
    pub fn has_variables(&self) -> bool {
        self.segments.iter().any(|segment| matches!(segment, Segment::Variable(_)))
    }

    /// The parts of the template, in order.
    #[must_use]
    pub fn segments(&self) -> &[Segment] {
        &self.segments
    }

    /// The template with its values filled in.
    pub fn expand<'v>(&self, place: Place, value: impl Fn(&Variable) -> Cow<'v, str>) -> String {
        self.expand_up_to(usize::MAX, place, value)
    }

    /// The first `bytes_max` bytes of the template with its values filled in. A small template can contain a large
    /// value many times.
    pub fn expand_up_to<'v>(
        &self,
        bytes_max: usize,
        place: Place,
        value: impl Fn(&Variable) -> Cow<'v, str>,
    ) -> String {
        let mut expanded = String::new();
        for segment in &self.segments {
            match segment {
                Segment::Text(text) => expanded.push_str(text),
                Segment::Variable(variable) => match place {
                    Place::Text => expanded.push_str(&value(variable)),
                    Place::Html => text::escape_html_into(&value(variable), &mut expanded),
                    Place::Header => expanded.push_str(&header::one_line(&value(variable))),
                },
            }
            if bytes_max < expanded.len() {
                expanded.truncate(expanded.floor_char_boundary(bytes_max));
                break;
            }
        }
        if place == Place::Header { header::one_line(&expanded) } else { expanded }
    }
}

/// Appends literal text to the segments.
fn push_text(segments: &mut Vec<Segment>, text: &str) {
    match segments.last_mut() {
        _ if text.is_empty() => {}
        Some(Segment::Text(last)) => last.push_str(text),
        Some(Segment::Variable(_)) | None => segments.push(Segment::Text(text.to_owned())),
    }
}

/// How strictly a text with variables is read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// An unknown name is an error.
    Strict,
    /// An unknown name is text.
    Lenient,
    /// Like `Lenient`, and `$$` and variables of notices are text too.
    Content,
    /// Like `Content`, and so are all variables except those that every sender may use.
    Sender,
}

impl Reading {
    /// Whether a known variable with this name after the dollar sign is text.
    fn is_text(self, variable: &Variable, name: &str) -> bool {
        match self {
            Reading::Strict | Reading::Lenient => false,
            Reading::Content => matches!(variable, Variable::Reason | Variable::Confirm),
            Reading::Sender => name.starts_with('{') || !variable.is_for_senders(),
        }
    }

    /// Whether `$$` stands for one dollar sign.
    fn joins_dollars(self) -> bool {
        match self {
            Reading::Strict | Reading::Lenient => true,
            Reading::Content | Reading::Sender => false,
        }
    }
}

/// The segments of `text`; only strict reading fails.
fn read(
    text: &str,
    is_custom: &dyn Fn(&str) -> bool,
    reading: Reading,
) -> Result<Vec<Segment>, TemplateError> {
    let strict = reading == Reading::Strict;
    let mut segments = Vec::new();
    let mut literal = String::new();
    let mut rest = text;
    while let Some(dollar) = rest.find('$') {
        literal.push_str(&rest[..dollar]);
        let tail = &rest[dollar + 1..];
        let (variable, length) = match token(tail, is_custom) {
            Token::Variable(variable, length) if reading.is_text(&variable, tail) => {
                literal.push('$');
                literal.push_str(&tail[..length]);
                rest = &tail[length..];
                continue;
            }
            Token::Variable(variable, length) => (variable, length),
            Token::Dollar => {
                literal.push_str(if reading.joins_dollars() { "$" } else { "$$" });
                rest = &tail[1..];
                continue;
            }
            Token::Unknown(name) if strict => return Err(TemplateError::Unknown(name)),
            Token::Unclosed if strict => return Err(TemplateError::Unclosed),
            Token::Plain | Token::Unknown(_) | Token::Unclosed => {
                literal.push('$');
                rest = tail;
                continue;
            }
        };
        if !literal.is_empty() {
            segments.push(Segment::Text(std::mem::take(&mut literal)));
        }
        segments.push(Segment::Variable(variable));
        rest = &tail[length..];
    }
    literal.push_str(rest);
    if !literal.is_empty() {
        segments.push(Segment::Text(literal));
    }
    Ok(segments)
}

/// The text after a dollar sign.
enum Token {
    Dollar,
    /// A variable, and the length of its name with any braces.
    Variable(Variable, usize),
    Unknown(String),
    Unclosed,
    /// No name, for example a price.
    Plain,
}

fn token(tail: &str, is_custom: &dyn Fn(&str) -> bool) -> Token {
    if tail.starts_with('$') {
        return Token::Dollar;
    }
    if let Some(braced) = tail.strip_prefix('{') {
        // A name is short: in a text full of braces that never close, only its length is searched for each.
        let near = &braced[..braced.floor_char_boundary(FIELD_NAME_CHARS_MAX * 4 + 1)];
        let Some((name, _)) = near.split_once('}') else { return Token::Unclosed };
        let length = name.len() + 2;
        return match Variable::from_name(name) {
            Some(variable) => Token::Variable(variable, length),
            None if is_custom(name) => Token::Variable(Variable::Custom(name.to_owned()), length),
            None => Token::Unknown(format!(
                "${{{}}}",
                name.chars().take(FIELD_NAME_CHARS_MAX).collect::<String>()
            )),
        };
    }
    let length = tail.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(tail.len());
    let name = &tail[..length];
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return Token::Plain;
    }
    match Variable::from_name(name) {
        Some(variable) => Token::Variable(variable, length),
        None => Token::Unknown(format!("${}", name.chars().take(FIELD_NAME_CHARS_MAX).collect::<String>())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<&str, &str>) {
        let value = |variable: &Variable| match variable {
            Variable::FirstName => Cow::Borrowed("<Ada>\r\nX"),
            Variable::Custom(name) => Cow::Owned(format!("[{name}]")),
            other => Cow::Owned(format!("{other:?}")),
        };
        let expanded = Template::parse(text, &["Shoe size"])
            .map(|template| template.expand(Place::Html, value))
            .map_err(|error| error.to_string());
        assert_eq!(expanded.as_deref().map_err(String::as_str), expected, "{text}");
    }

    #[test]
    fn variables_are_filled_in_and_escaped() {
        check("Hi $FIRSTNAME, <b>$LIST</b>", Ok("Hi &lt;Ada&gt;\r\nX, <b>List</b>"));
        check("${Shoe size}/${NAME}.$LISTADDRESS", Ok("[Shoe size]/Name.ListAddress"));
        check("", Ok(""));
    }

    #[test]
    fn two_dollars_are_one_and_a_price_is_a_price() {
        check("$$NAME costs $5 or $", Ok("$NAME costs $5 or $"));
    }

    #[test]
    fn an_unknown_variable_is_named() {
        check("Hi $NMAE!", Err("unknown variable $NMAE; a dollar sign by itself is written $$"));
        check("${Hat size}", Err("unknown variable ${Hat size}; a dollar sign by itself is written $$"));
        check("${Hat", Err("a ${ without its closing brace"));
        check(&"${".repeat(500_000), Err("a ${ without its closing brace"));
    }

    #[test]
    fn a_header_has_no_line_breaks() {
        let template = Template::parse("a\n$NAME", &[]).unwrap();
        assert_eq!(template.expand(Place::Header, |_| Cow::Borrowed("b\r\nBcc: c")), "a b Bcc: c");
    }

    #[test]
    fn content_is_touched_where_it_names_a_variable_alone() {
        let expand = |template: Template| template.expand(Place::Text, |_| Cow::Borrowed("Ada"));
        let text = "$$ $NMAE $NAME ${x $5 $$NAME $REASON ${CONFIRM} $";
        assert_eq!(
            expand(Template::parse_content(text, &[])),
            "$$ $NMAE Ada ${x $5 $$NAME $REASON ${CONFIRM} $"
        );
        let braces = "${".repeat(500_000);
        assert_eq!(expand(Template::parse_content(&braces, &[])), braces);
        assert!(Template::parse_content("$NAME", &[]).has_variables());
        assert!(!Template::parse_content("$REASON $5", &[]).has_variables());
    }

    #[test]
    fn content_of_senders_shows_what_its_reader_and_the_list_are_called_in_open_places() {
        let value = |variable: &Variable| Cow::Owned(format!("<{variable:?}>"));
        let text = "$NAME $UNSUBSCRIBE ${EMAIL} $DATE $$LIST ${x} $LIST";
        let expand =
            |open: &[Range<usize>]| Template::parse_senders_content(text, open).expand(Place::Text, value);
        assert_eq!(
            expand(std::slice::from_ref(&(0..text.len()))),
            "<Name> $UNSUBSCRIBE ${EMAIL} $DATE $$LIST ${x} <List>"
        );
        assert_eq!(expand(&[0..3, text.len() - 5..text.len()]), format!("{}<List>", &text[..text.len() - 5]));
        assert_eq!(expand(&[]), text);
    }

    #[test]
    fn a_template_outlives_the_field_it_names() {
        let template = Template::parse_leniently("$$5 ${Gone} $NAME", &[]);
        assert_eq!(template.expand(Place::Text, |_| Cow::Borrowed("Ada")), "$5 ${Gone} Ada");
    }
}
