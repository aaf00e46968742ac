//! A personal value in a message, and how it is written where it stands.

use crate::mail::template::Variable;

/// Longest value that is filled into one place, so that no line grows past what SMTP carries.
pub(super) const VALUE_BYTES_MAX: usize = 300;

/// A personal value in a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Slot {
    Name,
    FirstName,
    Surname,
    Email,
    UnsubscribeUrl,
    UnsubscribeMailto,
    ManageUrl,
    EnvelopeSender,
    Custom(String),
}

impl Slot {
    /// The slot of a variable, if its value differs from member to member.
    pub(super) fn of(variable: &Variable) -> Option<Slot> {
        match variable {
            Variable::Name => Some(Slot::Name),
            Variable::FirstName => Some(Slot::FirstName),
            Variable::Surname => Some(Slot::Surname),
            Variable::Email => Some(Slot::Email),
            Variable::Unsubscribe => Some(Slot::UnsubscribeUrl),
            Variable::Manage => Some(Slot::ManageUrl),
            Variable::Custom(name) => Some(Slot::Custom(name.clone())),
            Variable::List
            | Variable::ListAddress
            | Variable::Description
            | Variable::Archive
            | Variable::MessageUrl
            | Variable::Subject
            | Variable::Sender
            | Variable::Reason
            | Variable::Confirm
            | Variable::Date => None,
        }
    }

    /// Whether it leads to a page.
    pub(super) fn is_link(&self) -> bool {
        matches!(self, Slot::UnsubscribeUrl | Slot::ManageUrl)
    }

    /// Whether its values are ASCII for every member.
    pub(super) fn is_ascii(&self) -> bool {
        match self {
            Slot::UnsubscribeUrl | Slot::UnsubscribeMailto | Slot::ManageUrl => true,
            Slot::Name
            | Slot::FirstName
            | Slot::Surname
            | Slot::Email
            | Slot::EnvelopeSender
            | Slot::Custom(_) => false,
        }
    }
}

/// Where a personal value stands, which decides how it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Context {
    /// A header field: the URL, without anything that could end it.
    Header,
    /// Plain UTF-8 text that is not encoded.
    Text,
    /// HTML that is not encoded; beyond ASCII as numeric references.
    Html,
    /// Plain UTF-8 text in quoted-printable.
    TextQp,
    /// HTML in quoted-printable.
    HtmlQp,
}

impl Context {
    /// The context of a text part.
    pub(super) fn of_body(is_html: bool, is_qp: bool) -> Context {
        match (is_html, is_qp) {
            (true, true) => Context::HtmlQp,
            (true, false) => Context::Html,
            (false, true) => Context::TextQp,
            (false, false) => Context::Text,
        }
    }
}
