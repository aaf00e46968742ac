//! The table of pages: each with its path, its method and the authority that it requires.
//!
//! Routing, navigation and the checks before a handler are made from [`PAGES`]; tests walk it. A page that is not in
//! the table does not exist.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use axum::http::Method;
use axum::response::Response;

use super::admin::{account, approvals, lists, messages, people, server};
use super::context::Context;
use super::error::PageError;
use super::{
    archive, assets, banner, confirm, devices, home, join, leaving, list, login, me, me_admin, moderation,
    oauth, password, resume,
};
use crate::http::bodies::STRANGER_BYTES_MAX;
use crate::locale::text;
use crate::model::{Language, Permission};

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
    /// The path of the page on which people with this authority sign in, once it is in the table.
    #[must_use]
    pub fn sign_in_path(self) -> Option<&'static str> {
        match self {
            Authority::Anyone | Authority::Link => None,
            Authority::Member => Some("/members/"),
            _ => Some("/login/"),
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
    /// Handles the request.
    pub handler: Handler,
    /// The largest form that it takes, in bytes.
    pub form_bytes_max: usize,
    /// Keeps a form that is sent after the session has ended.
    pub keep: Option<Keep>,
    /// Whether the address of a form says whose it is, so that a large one is read although nobody is signed in.
    pub knows_writer: Option<fn(&Context) -> bool>,
    /// Whether it takes much of the processor, so that an account or a client has a few at a time.
    pub is_costly: bool,
    /// Whether it is a file of many rows whatever the query says.
    pub is_export: bool,
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
            knows_writer: None,
            is_costly: false,
            is_export: false,
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

    /// The same page for larger forms, which are read for those who may open the page.
    const fn large(self, form_bytes_max: usize) -> Page {
        Page { form_bytes_max, ..self }
    }

    /// The same page, whose form is kept when the session has ended.
    const fn kept(self, keep: Keep, knows_writer: fn(&Context) -> bool) -> Page {
        Page { keep: Some(keep), knows_writer: Some(knows_writer), ..self }
    }

    /// The same page, of which an account and a client have a few at a time.
    const fn export(self) -> Page {
        Page { is_export: true, ..self }
    }

    const fn costly(self) -> Page {
        Page { is_costly: true, ..self }
    }

    const fn nav(self, nav: Nav) -> Page {
        Page { nav, ..self }
    }
}

/// The largest form with a text that somebody writes, in bytes.
pub(super) const TEXT_BYTES_MAX: usize = 512 << 10;

/// Who decides about what waits.
const APPROVER: Authority = Authority::Holder(Permission::ApproveMessages);

/// Who sends messages to lists.
const SENDER: Authority = Authority::Holder(Permission::SendMessages);

/// The largest form with the settings of a list, which has many texts and arrays, in bytes.
const SETTINGS_BYTES_MAX: usize = 1 << 20;

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
        Box::pin(archive::mbox::file(context))
    }),
    Page::show("write", "/lists/{name}/write/", Authority::Member, |context| {
        Box::pin(archive::write::page(context))
    }),
    Page::act("write", "/lists/{name}/write/", Authority::Member, |context| {
        Box::pin(archive::write::act(context))
    })
    .long(TEXT_BYTES_MAX, archive::write::keep),
    Page::show("assets", "/assets/{file}", Authority::Anyone, |context| {
        Box::pin(async move { assets::file(&context) })
    }),
    Page::show("assets", "/favicon.ico", Authority::Anyone, |_| Box::pin(async { Ok(assets::icon()) })),
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
        Box::pin(async move { me_admin::page(&context) })
    })
    .nav(Nav::Menu(MenuGroup::Person, |language| text!(language, "own-title"))),
    Page::act("me", "/admin/me/", Authority::Administrator, |context| {
        Box::pin(me_admin::actions::act(context))
    }),
    // Signing in.
    Page::show("login", "/login/", Authority::Anyone, |context| {
        Box::pin(async move { login::page(&context) })
    })
    .nav(Nav::Footer(|language| text!(language, "nav-login"))),
    Page::act("login", "/login/", Authority::Anyone, |context| Box::pin(login::act(context))),
    Page::show("login-code", "/login/code/", Authority::Anyone, |context| {
        Box::pin(async move { login::code::page(&context) })
    }),
    Page::act("login-code", "/login/code/", Authority::Anyone, |context| Box::pin(login::code::act(context))),
    Page::show("login-again", "/login/again/", Authority::Administrator, |context| {
        Box::pin(async move { login::again::page(&context) })
    }),
    Page::act("login-again", "/login/again/", Authority::Administrator, |context| {
        Box::pin(login::again::act(context))
    }),
    Page::show("forgotten", "/login/forgotten/", Authority::Anyone, |context| {
        Box::pin(async move { login::forgotten::page(&context) })
    }),
    Page::act("forgotten", "/login/forgotten/", Authority::Anyone, |context| {
        Box::pin(login::forgotten::act(context))
    }),
    Page::show("unlock", "/login/unlock/{token}/", Authority::Link, |context| {
        Box::pin(async move { login::unlock::page(&context) })
    }),
    Page::act_by_link("unlock", "/login/unlock/{token}/", |context| Box::pin(login::unlock::act(context))),
    // Applications and providers.
    Page::show("consent", "/api/2/oauth/authorize/", Authority::Anyone, |context| {
        Box::pin(async move { oauth::consent::page(&context) })
    }),
    Page::act("consent", "/api/2/oauth/authorize/", Authority::Anyone, |context| {
        Box::pin(oauth::consent::act(context))
    }),
    Page::show("oauth-clients", "/admin/server/oauth-clients/", Authority::ServerAdministrator, |context| {
        Box::pin(async move { oauth::clients::page(&context) })
    })
    .nav(Nav::Menu(MenuGroup::Server, |language| text!(language, "nav-oauth-clients"))),
    Page::act("oauth-clients", "/admin/server/oauth-clients/", Authority::ServerAdministrator, |context| {
        Box::pin(oauth::clients::act(context))
    }),
    Page::show("provider", "/login/provider/{name}/", Authority::Anyone, |context| {
        Box::pin(login::providers::begin(context))
    }),
    Page::show("provider-back", "/login/provider/{name}/back/", Authority::Anyone, |context| {
        Box::pin(login::providers::finish(context))
    }),
    // People and the overview.
    Page::show("admin", "/admin/", Authority::Administrator, |context| {
        Box::pin(account::overview::page(context))
    })
    .nav(Nav::Menu(MenuGroup::Daily, |language| text!(language, "nav-overview"))),
    Page::show("admin-people", "/admin/people/", Authority::Reader, |context| {
        Box::pin(people::index::page(context))
    })
    .nav(Nav::Menu(MenuGroup::Objects, |language| text!(language, "nav-people"))),
    Page::act("admin-people", "/admin/people/", Authority::Holder(Permission::ManageMembers), |context| {
        Box::pin(people::index::act(context))
    }),
    Page::show(
        "admin-person-new",
        "/admin/people/new/",
        Authority::Holder(Permission::ManageMembers),
        |context| Box::pin(people::person::new_page(context)),
    ),
    Page::act(
        "admin-person-new",
        "/admin/people/new/",
        Authority::Holder(Permission::ManageMembers),
        |context| Box::pin(people::person::create(context)),
    ),
    Page::show(
        "admin-import",
        "/admin/people/import/",
        Authority::Holder(Permission::ManageMembers),
        |context| Box::pin(async move { people::imports::page(&context) }),
    )
    .nav(Nav::Menu(MenuGroup::Objects, |language| text!(language, "nav-import"))),
    Page::act(
        "admin-import",
        "/admin/people/import/",
        Authority::Holder(Permission::ManageMembers),
        |context| Box::pin(people::imports::send(context)),
    )
    .large(people::imports::FORM_BYTES_MAX)
    .costly(),
    Page::show(
        "admin-import-task",
        "/admin/people/import/{id}/",
        Authority::Holder(Permission::ManageMembers),
        |context| Box::pin(people::imports::task(context)),
    ),
    Page::act(
        "admin-import-task",
        "/admin/people/import/{id}/",
        Authority::Holder(Permission::ManageMembers),
        |context| Box::pin(people::imports::act(context)),
    ),
    Page::show(
        "admin-import-refused",
        "/admin/people/import/{id}/refused/",
        Authority::Holder(Permission::ManageMembers),
        |context| Box::pin(people::imports::refused(context)),
    )
    .export(),
    Page::show("admin-person", "/admin/people/{id}/", Authority::Reader, |context| {
        Box::pin(people::person::page(context))
    }),
    Page::act(
        "admin-person",
        "/admin/people/{id}/",
        Authority::Holder(Permission::ManageMembers),
        |context| Box::pin(people::person::act(context)),
    ),
    Page::show(
        "admin-person-export",
        "/admin/people/{id}/export/",
        Authority::Holder(Permission::ManageMembers),
        |context| Box::pin(people::person::export(context)),
    ),
    // Lists, settings, administrators.
    Page::show(
        "settings",
        "/admin/settings/",
        Authority::UnlimitedHolder(Permission::AccountAdmin),
        |context| Box::pin(async move { account::settings::page(&context) }),
    )
    .nav(Nav::Menu(MenuGroup::Account, |language| text!(language, "nav-settings"))),
    Page::act(
        "settings",
        "/admin/settings/",
        Authority::UnlimitedHolder(Permission::AccountAdmin),
        |context| Box::pin(account::settings::act(context)),
    )
    .large(TEXT_BYTES_MAX),
    Page::show("admin-lists", "/admin/lists/", Authority::Reader, |context| {
        Box::pin(lists::index::page(context))
    })
    .nav(Nav::Menu(MenuGroup::Objects, |language| text!(language, "nav-admin-lists"))),
    Page::act("admin-lists", "/admin/lists/", Authority::Holder(Permission::AccountAdmin), |context| {
        Box::pin(lists::index::act(context))
    }),
    Page::show(
        "admin-list-new",
        "/admin/lists/new/",
        Authority::UnlimitedHolder(Permission::ManageSettings),
        |context| Box::pin(async move { lists::index::new_page(&context) }),
    ),
    Page::act(
        "admin-list-new",
        "/admin/lists/new/",
        Authority::UnlimitedHolder(Permission::ManageSettings),
        |context| Box::pin(lists::index::make(context)),
    ),
    Page::show("admin-list", "/admin/lists/{name}/", Authority::Reader, |context| {
        Box::pin(async move { lists::list::page(&context) })
    }),
    Page::act("admin-list", "/admin/lists/{name}/", Authority::Reader, |context| {
        Box::pin(lists::list::act(context))
    })
    .large(SETTINGS_BYTES_MAX),
    Page::show("admin-list-members", "/admin/lists/{name}/members/", Authority::Reader, |context| {
        Box::pin(lists::list_members::page(context))
    }),
    Page::act(
        "admin-list-members",
        "/admin/lists/{name}/members/",
        Authority::Holder(Permission::ManageMembers),
        |context| Box::pin(lists::list_members::act(context)),
    )
    .large(TEXT_BYTES_MAX),
    Page::show("aliases", "/admin/aliases/", Authority::UnlimitedReader, |context| {
        Box::pin(lists::aliases::page(context))
    })
    .nav(Nav::Menu(MenuGroup::Objects, |language| text!(language, "nav-aliases"))),
    Page::act(
        "aliases",
        "/admin/aliases/",
        Authority::UnlimitedHolder(Permission::ManageSettings),
        |context| Box::pin(lists::aliases::make(context)),
    ),
    Page::show("alias", "/admin/aliases/{source}/", Authority::UnlimitedReader, |context| {
        Box::pin(async move { lists::aliases::one(&context) })
    }),
    Page::act(
        "alias",
        "/admin/aliases/{source}/",
        Authority::UnlimitedHolder(Permission::ManageSettings),
        |context| Box::pin(lists::aliases::act(context)),
    ),
    Page::show(
        "settings-fields",
        "/admin/settings/fields/",
        Authority::UnlimitedHolder(Permission::AccountAdmin),
        |context| Box::pin(async move { account::custom_fields::page(&context) }),
    ),
    Page::act(
        "settings-fields",
        "/admin/settings/fields/",
        Authority::UnlimitedHolder(Permission::AccountAdmin),
        |context| Box::pin(account::custom_fields::act(context)),
    ),
    Page::show(
        "settings-domains",
        "/admin/settings/domains/",
        Authority::UnlimitedHolder(Permission::AccountAdmin),
        |context| Box::pin(account::domains::page(context)),
    ),
    Page::act(
        "settings-domains",
        "/admin/settings/domains/",
        Authority::UnlimitedHolder(Permission::AccountAdmin),
        |context| Box::pin(account::domains::act(context)),
    ),
    Page::show(
        "administrators",
        "/admin/administrators/",
        Authority::Holder(Permission::AccountAdmin),
        |context| Box::pin(account::administrators::page(context)),
    )
    .nav(Nav::Menu(MenuGroup::Account, |language| text!(language, "nav-administrators"))),
    Page::act(
        "administrators",
        "/admin/administrators/",
        Authority::Holder(Permission::AccountAdmin),
        |context| Box::pin(account::administrators::make(context)),
    ),
    Page::show(
        "administrator",
        "/admin/administrators/{id}/",
        Authority::Holder(Permission::AccountAdmin),
        |context| Box::pin(async move { account::administrators::one(&context) }),
    ),
    Page::act(
        "administrator",
        "/admin/administrators/{id}/",
        Authority::Holder(Permission::AccountAdmin),
        |context| Box::pin(account::administrators::act(context)),
    ),
    // Approvals, messages, the audit log, the server.
    Page::show("approvals", "/admin/approvals/", APPROVER, |context| {
        Box::pin(approvals::index::page(context))
    })
    .nav(Nav::Menu(MenuGroup::Daily, |language| text!(language, "desk-approvals"))),
    Page::act("approvals", "/admin/approvals/", APPROVER, |context| Box::pin(approvals::index::act(context))),
    Page::show("held", "/admin/approvals/{id}/", APPROVER, |context| {
        Box::pin(approvals::held::page(context))
    }),
    Page::act("held", "/admin/approvals/{id}/", APPROVER, |context| Box::pin(approvals::held::act(context))),
    Page::show("held-part", "/admin/approvals/{id}/parts/{part}/{file}", APPROVER, |context| {
        Box::pin(approvals::held::file(context))
    }),
    Page::show("messages", "/admin/messages/", Authority::Reader, |context| {
        Box::pin(messages::index::page(context))
    })
    .nav(Nav::Menu(MenuGroup::Daily, |language| text!(language, "desk-messages"))),
    Page::act("messages", "/admin/messages/", SENDER, |context| Box::pin(messages::index::act(context))),
    Page::show("compose", "/admin/messages/new/", SENDER, |context| {
        Box::pin(async move { messages::compose::page(&context) })
    }),
    Page::act("compose", "/admin/messages/new/", SENDER, |context| Box::pin(messages::compose::act(context)))
        .large(messages::compose::FORM_BYTES_MAX)
        .kept(messages::compose_draft::keep_lost, messages::compose_draft::knows_writer)
        .costly(),
    Page::show("trace", "/admin/messages/{id}/", Authority::Reader, |context| {
        Box::pin(messages::message::page(context))
    }),
    Page::act("trace", "/admin/messages/{id}/", APPROVER, |context| {
        Box::pin(messages::message::act(context))
    }),
    Page::show("audit", "/admin/audit/", Authority::UnlimitedHolder(Permission::AccountAdmin), |context| {
        Box::pin(account::audit::page(context))
    })
    .nav(Nav::Menu(MenuGroup::Account, |language| text!(language, "desk-audit"))),
    Page::show("server", "/admin/server/", Authority::ServerAdministrator, |context| {
        Box::pin(server::overview::page(context))
    })
    .nav(Nav::Menu(MenuGroup::Server, |language| text!(language, "desk-server"))),
    Page::show("accounts", "/admin/server/accounts/", Authority::ServerAdministrator, |context| {
        Box::pin(server::accounts::page(context))
    })
    .nav(Nav::Menu(MenuGroup::Server, |language| text!(language, "desk-accounts"))),
    Page::act("accounts", "/admin/server/accounts/", Authority::ServerAdministrator, |context| {
        Box::pin(server::accounts::create(context))
    }),
    Page::show("account", "/admin/server/accounts/{id}/", Authority::ServerAdministrator, |context| {
        Box::pin(server::accounts::one(context))
    }),
    Page::act("account", "/admin/server/accounts/{id}/", Authority::ServerAdministrator, |context| {
        Box::pin(server::accounts::act(context))
    }),
    Page::show("server-keys", "/admin/server/keys/", Authority::ServerAdministrator, |context| {
        Box::pin(async move { server::server_keys::page(&context) })
    })
    .nav(Nav::Menu(MenuGroup::Server, |language| text!(language, "desk-keys"))),
    Page::act("server-keys", "/admin/server/keys/", Authority::ServerAdministrator, |context| {
        Box::pin(server::server_keys::act(context))
    }),
    Page::show("queue", "/admin/server/queue/", Authority::ServerAdministrator, |context| {
        Box::pin(server::queue::page(context))
    })
    .nav(Nav::Menu(MenuGroup::Server, |language| text!(language, "desk-queue"))),
    Page::act("queue", "/admin/server/queue/", Authority::ServerAdministrator, |context| {
        Box::pin(server::queue::act(context))
    }),
];
