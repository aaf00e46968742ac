//! The table of pages: each with its path, its method and the authority that it requires.
//!
//! Routing, navigation and the checks before a handler are made from [`PAGES`]; tests walk it. A page that is not in
//! the table does not exist.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use axum::http::Method;
use axum::response::Response;

use super::context::Context;
use super::error::PageError;
use super::{
    archive, assets, banner, confirm, devices, home, join, leaving, list, me, moderation, password, resume,
};
use crate::http::bodies::STRANGER_BYTES_MAX;
use crate::locale::text;
use crate::model::Language;

/// A rendered page, or the error that takes its place.
pub type PageResult = Result<Response, PageError>;

/// A handler: answers a request whose method, authority and CSRF token were checked.
pub type Handler = fn(Arc<Context>) -> Pin<Box<dyn Future<Output = PageResult> + Send>>;

/// Keeps what a form has that no handler gets to see, since the session of its sender has ended.
pub type Keep = for<'c> fn(&'c Context) -> Pin<Box<dyn Future<Output = ()> + Send + 'c>>;

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
}

impl Authority {
    /// The path of the page on which people with this authority sign in, once it is in the table.
    #[must_use]
    pub fn sign_in_path(self) -> Option<&'static str> {
        match self {
            Authority::Anyone | Authority::Link => None,
            Authority::Member => Some("/members/"),
            Authority::Administrator => Some("/login/"),
        }
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
    /// Handles the request.
    pub handler: Handler,
    /// The largest form that it takes, in bytes.
    pub form_bytes_max: usize,
    /// Keeps a form that is sent after the session has ended.
    pub keep: Option<Keep>,
}

impl Page {
    /// A page that shows something.
    #[must_use]
    pub const fn show(
        name: &'static str,
        path: &'static str,
        authority: Authority,
        handler: Handler,
    ) -> Page {
        Page {
            name,
            path,
            verb: Verb::Show,
            authority,
            nav: Nav::Hidden,
            handler,
            form_bytes_max: STRANGER_BYTES_MAX,
            keep: None,
        }
    }

    /// A form that carries a CSRF token.
    #[must_use]
    pub const fn act(name: &'static str, path: &'static str, authority: Authority, handler: Handler) -> Page {
        Page { verb: Verb::Act, ..Page::show(name, path, authority, handler) }
    }

    /// A form whose link is the proof.
    #[must_use]
    pub const fn act_by_link(name: &'static str, path: &'static str, handler: Handler) -> Page {
        Page { verb: Verb::ActByLink, ..Page::show(name, path, Authority::Link, handler) }
    }

    /// A form that everybody may send without a CSRF token, since it acts on nobody's behalf.
    #[must_use]
    pub const fn act_openly(name: &'static str, path: &'static str, handler: Handler) -> Page {
        Page { verb: Verb::ActByLink, ..Page::show(name, path, Authority::Anyone, handler) }
    }

    /// The same page for longer texts, which are not lost when the session has ended.
    const fn long(self, form_bytes_max: usize, keep: Keep) -> Page {
        Page { form_bytes_max, keep: Some(keep), ..self }
    }

    const fn nav(self, nav: Nav) -> Page {
        Page { nav, ..self }
    }
}

/// The largest form with a text that somebody writes, in bytes.
const TEXT_BYTES_MAX: usize = 512 << 10;

/// The table of all pages.
pub const PAGES: &[Page] = &[
    Page::show("home", "/", Authority::Anyone, |context| Box::pin(async move { home::page(&context) }))
        .nav(Nav::Header(|language| text!(language, "nav-lists"))),
    Page::show("banner", "/banner/{file}", Authority::Anyone, |context| {
        Box::pin(async move { banner::file(&context) })
    }),
    Page::show("list", "/lists/{name}/", Authority::Anyone, |context| Box::pin(list::page(context))),
    Page::show("month", "/lists/{name}/months/{month}/", Authority::Anyone, |context| {
        Box::pin(async move { archive::months::page(&context) })
    }),
    Page::show("archive-password", "/lists/{name}/password/", Authority::Anyone, |context| {
        Box::pin(async move { archive::password::page(&context) })
    }),
    Page::act("archive-password", "/lists/{name}/password/", Authority::Anyone, |context| {
        Box::pin(archive::password::open(context))
    }),
    Page::show("thread", "/lists/{name}/threads/{id}/", Authority::Anyone, |context| {
        Box::pin(archive::threads::page(context))
    }),
    Page::act("thread", "/lists/{name}/threads/{id}/", Authority::Anyone, |context| {
        Box::pin(archive::moderate::thread(context))
    }),
    Page::show("find-message", "/lists/{name}/messages/", Authority::Anyone, |context| {
        Box::pin(async move { archive::message::find(&context) })
    }),
    Page::show("message", "/lists/{name}/messages/{id}/", Authority::Anyone, |context| {
        Box::pin(archive::message::page(context))
    }),
    Page::act("message", "/lists/{name}/messages/{id}/", Authority::Anyone, |context| {
        Box::pin(archive::moderate::message(context))
    }),
    Page::show("raw", "/lists/{name}/messages/{id}/raw", Authority::Anyone, |context| {
        Box::pin(archive::raw::file(context))
    }),
    Page::show("part", "/lists/{name}/messages/{id}/parts/{part}/{file}", Authority::Anyone, |context| {
        Box::pin(archive::part::file(context))
    }),
    Page::show("search", "/lists/{name}/search/", Authority::Anyone, |context| {
        Box::pin(archive::search::page(context))
    }),
    Page::show("feed", "/lists/{name}/feed.atom", Authority::Anyone, |context| {
        Box::pin(archive::feed::of_list(context))
    }),
    Page::show("thread-feed", "/lists/{name}/threads/{id}/feed.atom", Authority::Anyone, |context| {
        Box::pin(archive::feed::of_thread(context))
    }),
    Page::show("sitemap", "/sitemap.xml", Authority::Anyone, |context| {
        Box::pin(archive::sitemap::index(context))
    }),
    Page::show("sitemap", "/sitemap/{file}", Authority::Anyone, |context| {
        Box::pin(archive::sitemap::file(context))
    }),
    Page::show("robots", "/robots.txt", Authority::Anyone, |context| {
        Box::pin(async move { archive::sitemap::robots(&context) })
    }),
    Page::show("mbox", "/lists/{name}/{file}", Authority::Anyone, |context| {
        Box::pin(async move { archive::mbox::file(&context) })
    }),
    Page::show("write", "/lists/{name}/write/", Authority::Member, |context| {
        Box::pin(async move { archive::write::page(&context) })
    }),
    Page::act("write", "/lists/{name}/write/", Authority::Member, |context| {
        Box::pin(archive::write::act(context))
    })
    .long(TEXT_BYTES_MAX, archive::write::keep),
    Page::show("assets", "/assets/{file}", Authority::Anyone, |context| {
        Box::pin(async move { assets::file(&context) })
    }),
    Page::show("join", "/join/", Authority::Anyone, |context| Box::pin(async move { join::page(&context) })),
    Page::act_openly("join", "/join/", |context| Box::pin(join::send(context))),
    Page::show("join-list", "/lists/{name}/join/", Authority::Anyone, |context| {
        Box::pin(async move { join::page(&context) })
    }),
    Page::act_openly("join-list", "/lists/{name}/join/", |context| Box::pin(join::send(context))),
    Page::show("join", "/subscribe/", Authority::Anyone, |context| {
        Box::pin(async move { join::elsewhere_page(&context) })
    }),
    Page::act_openly("join", "/subscribe/", |context| Box::pin(join::send_from_elsewhere(context))),
    Page::show("join", "/subscribe.php", Authority::Anyone, |context| {
        Box::pin(async move { join::elsewhere_page(&context) })
    }),
    Page::act_openly("join", "/subscribe.php", |context| Box::pin(join::send_from_elsewhere(context))),
    Page::show("unsubscribe", "/unsubscribe/{token}/", Authority::Link, |context| {
        Box::pin(async move { leaving::unsubscribe_page(&context) })
    }),
    Page::act_by_link("unsubscribe", "/unsubscribe/{token}/", |context| {
        Box::pin(leaving::unsubscribe(context))
    }),
    Page::show("confirm", "/confirm/{token}/", Authority::Link, |context| {
        Box::pin(async move { confirm::confirm_page(&context) })
    }),
    Page::act_by_link("confirm", "/confirm/{token}/", |context| Box::pin(confirm::confirm(context))),
    Page::show("resume", "/resume/{token}/", Authority::Link, |context| {
        Box::pin(async move { resume::resume_page(&context) })
    }),
    Page::act_by_link("resume", "/resume/{token}/", |context| Box::pin(resume::resume(context))),
    Page::show("moderate", "/moderate/{token}/", Authority::Link, |context| {
        Box::pin(moderation::moderation_page(context))
    }),
    Page::act_by_link("moderate", "/moderate/{token}/", |context| Box::pin(moderation::moderate(context))),
    Page::show("password", "/password/{token}/", Authority::Link, |context| {
        Box::pin(async move { password::choose_page(&context) })
    }),
    Page::act_by_link("password", "/password/{token}/", |context| Box::pin(password::choose(context))),
    Page::show("members", "/members/", Authority::Anyone, |context| {
        Box::pin(async move { me::page(&context) })
    })
    .nav(Nav::Header(|language| text!(language, "nav-members"))),
    Page::act("members", "/members/", Authority::Anyone, |context| Box::pin(me::act(context))),
    Page::show("sign-in", "/members/in/{token}/", Authority::Link, |context| {
        Box::pin(async move { me::sign_in::link_page(&context) })
    }),
    Page::act_by_link("sign-in", "/members/in/{token}/", |context| Box::pin(me::sign_in::open(context))),
    Page::show("devices", "/members/devices/", Authority::Member, |context| {
        Box::pin(async move { devices::page(&context) })
    })
    .nav(Nav::Header(|language| text!(language, "nav-devices"))),
    Page::act("devices", "/members/devices/", Authority::Member, |context| Box::pin(devices::act(context))),
    Page::show("people", "/members/people/", Authority::Member, |context| {
        Box::pin(me::people::page(context))
    }),
    Page::show("people-of-list", "/members/lists/{name}/people/", Authority::Member, |context| {
        Box::pin(me::people::page(context))
    }),
    Page::show("download", "/members/download/", Authority::Member, |context| {
        Box::pin(me::download::file(context))
    }),
    Page::show("erase", "/members/erase/", Authority::Member, |context| {
        Box::pin(async move { me::erase::page(&context) })
    }),
    Page::act("erase", "/members/erase/", Authority::Member, |context| Box::pin(me::erase::act(context))),
    Page::show("erased", "/members/erased/", Authority::Anyone, |context| {
        Box::pin(async move { me::erase::erased(&context) })
    }),
    Page::show("me", "/admin/me/", Authority::Administrator, |context| {
        Box::pin(async move { devices::page(&context) })
    })
    .nav(Nav::Header(|language| text!(language, "nav-me"))),
    Page::act("me", "/admin/me/", Authority::Administrator, |context| Box::pin(devices::act(context))),
];
