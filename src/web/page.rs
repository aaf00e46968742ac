//! A page as the frame around it and the checks before it see it: its path, its method, the authority that it requires, its
//! place in the navigation. What answers it is bound to it in [`table`](super::table).

use axum::http::Method;

use super::paths::{LOGIN, MEMBERS};
use crate::http::bodies::STRANGER_BYTES_MAX;
use crate::model::{Language, Permission, Person};

/// The effect of a request for a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verb {
    /// GET and HEAD: shows something and changes nothing.
    Show,
    /// POST of a form that carries a CSRF token.
    Act,
    /// POST of a form without a CSRF token: the link, or the effect of the form, makes one unnecessary.
    ActByLink,
}

impl Verb {
    /// The HTTP method of the request; HEAD counts as GET.
    #[must_use]
    pub fn method(self) -> Method {
        match self {
            Verb::Show => Method::GET,
            Verb::Act | Verb::ActByLink => Method::POST,
        }
    }
}

/// The authority that a page requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Authority {
    /// Everybody may open it.
    Anyone,
    /// Everybody who has the link may open it; the handler checks the `{token}` of the path.
    Link,
    /// A signed-in member of the account may open it.
    Member,
    /// A signed-in administrator of the account, or of the server, may open it.
    Administrator,
    /// A signed-in administrator with any permission that grants something may open it, where there is an account.
    Reader,
    /// A signed-in administrator with any permission that grants something, who sees all lists of the account.
    UnlimitedReader,
    /// A signed-in administrator with this permission may open it, where there is an account.
    Holder(Permission),
    /// A signed-in administrator with this permission, who sees all lists of the account.
    UnlimitedHolder(Permission),
    /// A signed-in administrator of the server with any permission that grants something may open it.
    ServerAdministrator,
}

impl Authority {
    /// The authority that a person gets by signing in.
    pub(super) fn of(person: Person) -> Authority {
        match person {
            Person::Member(_) => Authority::Member,
            Person::Admin(_) => Authority::Administrator,
        }
    }

    /// The path of the page on which people with this authority sign in, once it is in the table.
    #[must_use]
    pub fn sign_in_path(self) -> Option<&'static str> {
        match self {
            Authority::Anyone | Authority::Link => None,
            Authority::Member => Some(MEMBERS),
            _ => Some(LOGIN),
        }
    }

    /// Whether it is an administrator's.
    #[must_use]
    pub fn is_administrators(self) -> bool {
        !matches!(self, Authority::Anyone | Authority::Link | Authority::Member)
    }

    /// Whether the page is about an account, and not about a person or the server.
    #[must_use]
    pub fn needs_account(self) -> bool {
        matches!(
            self,
            Authority::Reader
                | Authority::UnlimitedReader
                | Authority::Holder(_)
                | Authority::UnlimitedHolder(_)
        )
    }
}

/// The place of a link to a page, and its words.
#[derive(Debug, Clone, Copy)]
pub enum Nav {
    /// Nowhere.
    Hidden,
    /// At the top of every page, for everybody who may open the page.
    Header(fn(Language) -> String),
    /// At the foot of every page, for everybody who may open the page.
    Footer(fn(Language) -> String),
    /// In the menu of administrators' pages, for everybody who may open the page.
    Menu(MenuGroup, fn(Language) -> String),
}

/// The groups of links in the menu of administrators' pages, in the order of the menu.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum MenuGroup {
    /// What needs somebody now, and mail.
    Daily,
    /// People and lists.
    Objects,
    /// Settings, administrators and records.
    Account,
    /// The whole server.
    Server,
    /// The person who is signed in.
    Person,
}

impl MenuGroup {
    /// Every group, in the order of the menu.
    pub const ALL: [MenuGroup; 5] =
        [MenuGroup::Daily, MenuGroup::Objects, MenuGroup::Account, MenuGroup::Server, MenuGroup::Person];
}

/// One page with one method.
#[derive(Debug, Clone, Copy)]
pub struct Page {
    /// Its name in tests and the log; a page that also takes a form has the same name twice.
    pub name: &'static str,
    /// Its path below the account's root, in the router's syntax.
    pub path: &'static str,
    /// The effect of the request.
    pub verb: Verb,
    /// The authority that it requires.
    pub authority: Authority,
    /// The place of links to it.
    pub nav: Nav,
    /// The largest form that it takes, in bytes.
    pub form_bytes_max: usize,
    /// Whether it takes much of the processor, so that an account or a client has a few at a time.
    pub is_costly: bool,
    /// Whether it is a file of many rows whatever the query says.
    pub is_export: bool,
}

impl Page {
    /// A page without a place in the navigation, which takes forms of the usual size.
    #[must_use]
    pub const fn new(name: &'static str, path: &'static str, verb: Verb, authority: Authority) -> Page {
        Page {
            name,
            path,
            verb,
            authority,
            nav: Nav::Hidden,
            form_bytes_max: STRANGER_BYTES_MAX,
            is_costly: false,
            is_export: false,
        }
    }
}

/// The largest form with a text that somebody writes, in bytes.
pub(super) const TEXT_BYTES_MAX: usize = 512 << 10;
