//! The table of pages: each with its path, its method, the authority that it requires, and the handler that answers it.
//!
//! Routing, navigation and the checks before a handler are made from [`PAGES`]; tests walk it. A page that is not in
//! the table does not exist. The table names every handler, and no handler the table.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use super::admin::lists::list_table::Part;
use super::admin::{account, approvals, lists, messages, people, server};
use super::context::{Context, Pages};
use super::error::PageResult;
use super::page::{Authority, MenuGroup, Nav, Page, TEXT_BYTES_MAX, Verb};
use super::{
    archive, assets, banner, confirm, devices, home, join, leaving, list, login, me, me_admin, moderation,
    oauth, password, resume, typed,
};
use crate::locale::text;
use crate::model::Permission;

/// A handler: answers a request whose method, authority and CSRF token were checked.
pub type Handler = fn(Arc<Context>) -> Pin<Box<dyn Future<Output = PageResult> + Send>>;

/// Keeps what a form has that no handler gets to see, since the session of its sender has ended.
pub type Keep = for<'c> fn(&'c Context) -> Pin<Box<dyn Future<Output = ()> + Send + 'c>>;

/// A page of the table, and what answers it.
#[derive(Debug, Clone, Copy)]
pub struct Route {
    /// The page.
    pub page: Page,
    /// Handles the request.
    pub handler: Handler,
    /// Keeps a form that is sent after the session has ended.
    pub keep: Option<Keep>,
    /// Whether the address of a form says whose it is, so that a large one is read although nobody is signed in.
    pub knows_writer: Option<fn(&Context) -> bool>,
}

impl Route {
    const fn new(page: Page, handler: Handler) -> Route {
        Route { page, handler, keep: None, knows_writer: None }
    }

    /// A page that shows something.
    #[must_use]
    pub const fn show(
        name: &'static str,
        path: &'static str,
        authority: Authority,
        handler: Handler,
    ) -> Route {
        Route::new(Page::new(name, path, Verb::Show, authority), handler)
    }

    /// A form that carries a CSRF token.
    #[must_use]
    pub const fn act(
        name: &'static str,
        path: &'static str,
        authority: Authority,
        handler: Handler,
    ) -> Route {
        Route::new(Page::new(name, path, Verb::Act, authority), handler)
    }

    /// A form whose link is the proof.
    #[must_use]
    pub const fn act_by_link(name: &'static str, path: &'static str, handler: Handler) -> Route {
        Route::new(Page::new(name, path, Verb::ActByLink, Authority::Link), handler)
    }

    /// A form that everybody may send without a CSRF token, since it acts on nobody's behalf.
    #[must_use]
    pub const fn act_openly(name: &'static str, path: &'static str, handler: Handler) -> Route {
        Route::new(Page::new(name, path, Verb::ActByLink, Authority::Anyone), handler)
    }

    /// The same page for longer texts, which are not lost when the session has ended.
    const fn long(self, form_bytes_max: usize, keep: Keep) -> Route {
        Route { keep: Some(keep), ..self.large(form_bytes_max) }
    }

    /// The same page for larger forms, which are read for those who may open the page.
    const fn large(self, form_bytes_max: usize) -> Route {
        Route { page: Page { form_bytes_max, ..self.page }, ..self }
    }

    /// The same page, whose form is kept when the session has ended.
    const fn kept(self, keep: Keep, knows_writer: fn(&Context) -> bool) -> Route {
        Route { keep: Some(keep), knows_writer: Some(knows_writer), ..self }
    }

    /// The same page, of which an account and a client have a few at a time.
    const fn export(self) -> Route {
        Route { page: Page { is_export: true, ..self.page }, ..self }
    }

    const fn costly(self) -> Route {
        Route { page: Page { is_costly: true, ..self.page }, ..self }
    }

    const fn nav(self, nav: Nav) -> Route {
        Route { page: Page { nav, ..self.page }, ..self }
    }
}

/// Every page of the table, without what answers it.
pub fn pages() -> impl Iterator<Item = &'static Page> {
    PAGES.iter().map(|route| &route.page)
}

/// The pages of any table, without what answers them.
pub(super) fn pages_of(routes: &'static [Route]) -> Pages {
    routes.iter().map(|route| &route.page).collect()
}

/// Who decides about what waits.
const APPROVER: Authority = Authority::Holder(Permission::ApproveMessages);

/// Who sends messages to lists.
const SENDER: Authority = Authority::Holder(Permission::SendMessages);

/// Who sets up lists.
const SETTER: Authority = Authority::Holder(Permission::ManageSettings);

/// The largest form with the settings of a list, which has many texts and arrays, in bytes.
const SETTINGS_BYTES_MAX: usize = 1 << 20;

/// The table of all pages.
pub const PAGES: &[Route] = &[
    Route::show("home", "/", Authority::Anyone, |context| Box::pin(async move { home::page(&context) }))
        .nav(Nav::Header(|language| text!(language, "nav-lists"))),
    Route::show("banner", "/banner/{file}", Authority::Anyone, |context| {
        Box::pin(async move { banner::file(&context) })
    }),
    Route::show("list", "/lists/{name}/", Authority::Anyone, |context| Box::pin(list::page(context))),
    Route::show("month", "/lists/{name}/months/{month}/", Authority::Anyone, |context| {
        Box::pin(async move { archive::months::page(&context) })
    }),
    Route::show("archive-password", "/lists/{name}/password/", Authority::Anyone, |context| {
        Box::pin(async move { archive::password::page(&context) })
    }),
    Route::act("archive-password", "/lists/{name}/password/", Authority::Anyone, |context| {
        Box::pin(archive::password::open(context))
    }),
    Route::show("thread", "/lists/{name}/threads/{id}/", Authority::Anyone, |context| {
        Box::pin(archive::threads::page(context))
    }),
    Route::act("thread", "/lists/{name}/threads/{id}/", Authority::Anyone, |context| {
        Box::pin(archive::moderate::thread(context))
    }),
    Route::show("find-message", "/lists/{name}/messages/", Authority::Anyone, |context| {
        Box::pin(async move { archive::message::find(&context) })
    }),
    Route::show("message", "/lists/{name}/messages/{id}/", Authority::Anyone, |context| {
        Box::pin(archive::message::page(context))
    }),
    Route::act("message", "/lists/{name}/messages/{id}/", Authority::Anyone, |context| {
        Box::pin(archive::moderate::message(context))
    }),
    Route::show("raw", "/lists/{name}/messages/{id}/raw", Authority::Anyone, |context| {
        Box::pin(archive::raw::file(context))
    }),
    Route::show("part", "/lists/{name}/messages/{id}/parts/{part}/{file}", Authority::Anyone, |context| {
        Box::pin(archive::part::file(context))
    }),
    Route::show("search", "/lists/{name}/search/", Authority::Anyone, |context| {
        Box::pin(archive::search::page(context))
    }),
    Route::show("search-all", "/search/", Authority::Member, |context| {
        Box::pin(archive::search::all::page(context))
    }),
    Route::show("feed", "/lists/{name}/feed.atom", Authority::Anyone, |context| {
        Box::pin(archive::feed::of_list(context))
    }),
    Route::show("thread-feed", "/lists/{name}/threads/{id}/feed.atom", Authority::Anyone, |context| {
        Box::pin(archive::feed::of_thread(context))
    }),
    Route::show("sitemap", "/sitemap.xml", Authority::Anyone, |context| {
        Box::pin(archive::sitemap::index(context))
    }),
    Route::show("sitemap", "/sitemap/{file}", Authority::Anyone, |context| {
        Box::pin(archive::sitemap::file(context))
    }),
    Route::show("robots", "/robots.txt", Authority::Anyone, |context| {
        Box::pin(async move { archive::sitemap::robots(&context) })
    }),
    Route::show("mbox", "/lists/{name}/{file}", Authority::Anyone, |context| {
        Box::pin(archive::mbox::file(context))
    }),
    Route::show("write", "/lists/{name}/write/", Authority::Member, |context| {
        Box::pin(archive::write::page(context))
    }),
    Route::act("write", "/lists/{name}/write/", Authority::Member, |context| {
        Box::pin(archive::write::act(context))
    })
    .long(TEXT_BYTES_MAX, archive::write::keep),
    Route::show("assets", "/assets/{file}", Authority::Anyone, |context| {
        Box::pin(async move { assets::file(&context) })
    }),
    Route::show("assets", "/favicon.ico", Authority::Anyone, |_| Box::pin(async { Ok(assets::icon()) })),
    Route::show("join", "/join/", Authority::Anyone, |context| Box::pin(async move { join::page(&context) })),
    Route::act_openly("join", "/join/", |context| Box::pin(join::send(context))),
    Route::show("join-list", "/lists/{name}/join/", Authority::Anyone, |context| {
        Box::pin(async move { join::page(&context) })
    }),
    Route::act_openly("join-list", "/lists/{name}/join/", |context| Box::pin(join::send(context))),
    Route::show("join", "/subscribe/", Authority::Anyone, |context| {
        Box::pin(async move { join::elsewhere_page(&context) })
    }),
    Route::act_openly("join", "/subscribe/", |context| Box::pin(join::send_from_elsewhere(context))),
    Route::show("join", "/subscribe.php", Authority::Anyone, |context| {
        Box::pin(async move { join::elsewhere_page(&context) })
    }),
    Route::act_openly("join", "/subscribe.php", |context| Box::pin(join::send_from_elsewhere(context))),
    Route::show("unsubscribe", "/unsubscribe/{token}/", Authority::Link, |context| {
        Box::pin(async move { leaving::unsubscribe_page(&context) })
    }),
    Route::act_by_link("unsubscribe", "/unsubscribe/{token}/", |context| {
        Box::pin(leaving::unsubscribe(context))
    }),
    Route::show("confirm", "/confirm/{token}/", Authority::Link, |context| {
        Box::pin(async move { confirm::confirm_page(&context) })
    }),
    Route::act_by_link("confirm", "/confirm/{token}/", |context| Box::pin(confirm::confirm(context))),
    Route::show("resume", "/resume/{token}/", Authority::Link, |context| {
        Box::pin(async move { resume::resume_page(&context) })
    }),
    Route::act_by_link("resume", "/resume/{token}/", |context| Box::pin(resume::resume(context))),
    Route::show("moderate", "/moderate/{token}/", Authority::Link, |context| {
        Box::pin(moderation::moderation_page(context))
    }),
    Route::act_by_link("moderate", "/moderate/{token}/", |context| Box::pin(moderation::moderate(context))),
    Route::show("password", "/password/{token}/", Authority::Link, |context| {
        Box::pin(async move { password::choose_page(&context) })
    }),
    Route::act_by_link("password", "/password/{token}/", |context| Box::pin(password::choose(context))),
    Route::show("members", "/members/", Authority::Anyone, |context| {
        Box::pin(async move { me::page(&context) })
    })
    .nav(Nav::Header(|language| text!(language, "nav-members"))),
    Route::act("members", "/members/", Authority::Anyone, |context| Box::pin(me::act(context))),
    Route::show("sign-in", "/members/in/{token}/", Authority::Link, |context| {
        Box::pin(async move { me::sign_in::link_page(&context) })
    }),
    Route::act_by_link("sign-in", "/members/in/{token}/", |context| Box::pin(me::sign_in::open(context))),
    Route::show("devices", "/members/devices/", Authority::Member, |context| {
        Box::pin(async move { devices::page(&context) })
    })
    .nav(Nav::Header(|language| text!(language, "nav-devices"))),
    Route::act("devices", "/members/devices/", Authority::Member, |context| Box::pin(devices::act(context))),
    Route::show("typed-member", "/members/typed/{id}/", Authority::Member, |context| {
        Box::pin(async move { typed::page(&context) })
    }),
    Route::act("typed-member", "/members/typed/{id}/", Authority::Member, |context| {
        Box::pin(typed::act(context))
    }),
    Route::show("people", "/members/people/", Authority::Member, |context| {
        Box::pin(me::people::page(context))
    }),
    Route::show("people-of-list", "/members/lists/{name}/people/", Authority::Member, |context| {
        Box::pin(me::people::page(context))
    }),
    Route::show("download", "/members/download/", Authority::Member, |context| {
        Box::pin(me::download::file(context))
    }),
    Route::show("erase", "/members/erase/", Authority::Member, |context| {
        Box::pin(async move { me::erase::page(&context) })
    }),
    Route::act("erase", "/members/erase/", Authority::Member, |context| Box::pin(me::erase::act(context))),
    Route::show("erased", "/members/erased/", Authority::Anyone, |context| {
        Box::pin(async move { me::erase::erased(&context) })
    }),
    Route::show("me", "/admin/me/", Authority::Administrator, |context| {
        Box::pin(async move { me_admin::page(&context) })
    })
    .nav(Nav::Menu(MenuGroup::Person, |language| text!(language, "own-title"))),
    Route::act("me", "/admin/me/", Authority::Administrator, |context| {
        Box::pin(me_admin::actions::act(context))
    }),
    // Signing in.
    Route::show("login", "/login/", Authority::Anyone, |context| {
        Box::pin(async move { login::form::page(&context) })
    })
    .nav(Nav::Footer(|language| text!(language, "nav-login"))),
    Route::act("login", "/login/", Authority::Anyone, |context| Box::pin(login::first_step::act(context))),
    Route::show("login-code", "/login/code/", Authority::Anyone, |context| {
        Box::pin(async move { login::code::page(&context) })
    }),
    Route::act("login-code", "/login/code/", Authority::Anyone, |context| {
        Box::pin(login::code::act(context))
    }),
    Route::show("login-again", "/login/again/", Authority::Administrator, |context| {
        Box::pin(async move { login::again::page(&context) })
    }),
    Route::act("login-again", "/login/again/", Authority::Administrator, |context| {
        Box::pin(login::again::act(context))
    }),
    Route::show("forgotten", "/login/forgotten/", Authority::Anyone, |context| {
        Box::pin(async move { login::forgotten::page(&context) })
    }),
    Route::act("forgotten", "/login/forgotten/", Authority::Anyone, |context| {
        Box::pin(login::forgotten::act(context))
    }),
    Route::show("unlock", "/login/unlock/{token}/", Authority::Link, |context| {
        Box::pin(async move { login::unlock::page(&context) })
    }),
    Route::act_by_link("unlock", "/login/unlock/{token}/", |context| Box::pin(login::unlock::act(context))),
    // Applications and providers.
    Route::show("consent", "/api/2/oauth/authorize/", Authority::Anyone, |context| {
        Box::pin(async move { oauth::consent::page(&context) })
    }),
    Route::act("consent", "/api/2/oauth/authorize/", Authority::Anyone, |context| {
        Box::pin(oauth::consent::act(context))
    }),
    Route::show("oauth-clients", "/admin/server/oauth-clients/", Authority::ServerAdministrator, |context| {
        Box::pin(async move { oauth::clients::page(&context) })
    })
    .nav(Nav::Menu(MenuGroup::Server, |language| text!(language, "nav-oauth-clients"))),
    Route::act("oauth-clients", "/admin/server/oauth-clients/", Authority::ServerAdministrator, |context| {
        Box::pin(oauth::clients::act(context))
    }),
    Route::show("provider", "/login/provider/{name}/", Authority::Anyone, |context| {
        Box::pin(login::providers::begin(context))
    }),
    Route::show("provider-back", "/login/provider/{name}/back/", Authority::Anyone, |context| {
        Box::pin(login::providers::finish(context))
    }),
    // People and the overview.
    Route::show("admin", "/admin/", Authority::Administrator, |context| {
        Box::pin(account::overview::page(context))
    })
    .nav(Nav::Menu(MenuGroup::Daily, |language| text!(language, "nav-overview"))),
    Route::show("admin-people", "/admin/people/", Authority::Reader, |context| {
        Box::pin(people::index::page(context))
    })
    .nav(Nav::Menu(MenuGroup::Objects, |language| text!(language, "nav-people"))),
    Route::act("admin-people", "/admin/people/", Authority::Holder(Permission::ManageMembers), |context| {
        Box::pin(people::index::act(context))
    }),
    Route::show(
        "admin-person-new",
        "/admin/people/new/",
        Authority::Holder(Permission::ManageMembers),
        |context| Box::pin(people::person::new_page(context)),
    ),
    Route::act(
        "admin-person-new",
        "/admin/people/new/",
        Authority::Holder(Permission::ManageMembers),
        |context| Box::pin(people::person::create(context)),
    ),
    Route::show(
        "admin-import",
        "/admin/people/import/",
        Authority::Holder(Permission::ManageMembers),
        |context| Box::pin(async move { people::imports::page(&context) }),
    )
    .nav(Nav::Menu(MenuGroup::Objects, |language| text!(language, "nav-import"))),
    Route::act(
        "admin-import",
        "/admin/people/import/",
        Authority::Holder(Permission::ManageMembers),
        |context| Box::pin(people::imports::send(context)),
    )
    .large(people::imports::FORM_BYTES_MAX)
    .costly(),
    Route::show(
        "admin-import-task",
        "/admin/people/import/{id}/",
        Authority::Holder(Permission::ManageMembers),
        |context| Box::pin(people::imports::task(context)),
    ),
    Route::act(
        "admin-import-task",
        "/admin/people/import/{id}/",
        Authority::Holder(Permission::ManageMembers),
        |context| Box::pin(people::imports::act(context)),
    ),
    Route::show(
        "admin-import-refused",
        "/admin/people/import/{id}/refused/",
        Authority::Holder(Permission::ManageMembers),
        |context| Box::pin(people::imports::refused(context)),
    )
    .export(),
    Route::show("admin-person", "/admin/people/{id}/", Authority::Reader, |context| {
        Box::pin(people::person::page(context))
    }),
    Route::act(
        "admin-person",
        "/admin/people/{id}/",
        Authority::Holder(Permission::ManageMembers),
        |context| Box::pin(people::person::act(context)),
    ),
    Route::show(
        "admin-person-export",
        "/admin/people/{id}/export/",
        Authority::Holder(Permission::ManageMembers),
        |context| Box::pin(people::person::export(context)),
    ),
    // Lists, settings, administrators.
    Route::show(
        "settings",
        "/admin/settings/",
        Authority::UnlimitedHolder(Permission::AccountAdmin),
        |context| Box::pin(async move { account::settings::page(&context) }),
    )
    .nav(Nav::Menu(MenuGroup::Account, |language| text!(language, "nav-settings"))),
    Route::act(
        "settings",
        "/admin/settings/",
        Authority::UnlimitedHolder(Permission::AccountAdmin),
        |context| Box::pin(account::settings::act(context)),
    )
    .large(TEXT_BYTES_MAX),
    Route::show("admin-lists", "/admin/lists/", Authority::Reader, |context| {
        Box::pin(lists::index::page(context))
    })
    .nav(Nav::Menu(MenuGroup::Objects, |language| text!(language, "nav-admin-lists"))),
    Route::act("admin-lists", "/admin/lists/", Authority::Holder(Permission::AccountAdmin), |context| {
        Box::pin(lists::index::act(context))
    }),
    Route::show(
        "admin-list-new",
        "/admin/lists/new/",
        Authority::UnlimitedHolder(Permission::ManageSettings),
        |context| Box::pin(async move { lists::index::new_page(&context) }),
    ),
    Route::act(
        "admin-list-new",
        "/admin/lists/new/",
        Authority::UnlimitedHolder(Permission::ManageSettings),
        |context| Box::pin(lists::index::make(context)),
    ),
    Route::show("admin-list", "/admin/lists/{name}/", Authority::Reader, |context| {
        Box::pin(lists::list::page(context, Part::Basics))
    }),
    Route::act("admin-list", "/admin/lists/{name}/", SETTER, |context| {
        Box::pin(lists::list_forms::act(context, Part::Basics))
    })
    .large(SETTINGS_BYTES_MAX),
    Route::show("admin-list-writing", "/admin/lists/{name}/writing/", Authority::Reader, |context| {
        Box::pin(lists::list::page(context, Part::Writing))
    }),
    Route::act("admin-list-writing", "/admin/lists/{name}/writing/", SETTER, |context| {
        Box::pin(lists::list_forms::act(context, Part::Writing))
    })
    .large(SETTINGS_BYTES_MAX),
    Route::show("admin-list-texts", "/admin/lists/{name}/texts/", Authority::Reader, |context| {
        Box::pin(lists::list::page(context, Part::Texts))
    }),
    Route::act("admin-list-texts", "/admin/lists/{name}/texts/", SETTER, |context| {
        Box::pin(lists::list_forms::act(context, Part::Texts))
    })
    .large(SETTINGS_BYTES_MAX),
    Route::show("admin-list-archive", "/admin/lists/{name}/archive/", Authority::Reader, |context| {
        Box::pin(lists::list::page(context, Part::Archive))
    }),
    Route::act("admin-list-archive", "/admin/lists/{name}/archive/", SETTER, |context| {
        Box::pin(lists::list_forms::act(context, Part::Archive))
    })
    .large(SETTINGS_BYTES_MAX),
    Route::show("admin-list-advanced", "/admin/lists/{name}/advanced/", Authority::Reader, |context| {
        Box::pin(lists::list::page(context, Part::Advanced))
    }),
    Route::act("admin-list-advanced", "/admin/lists/{name}/advanced/", SETTER, |context| {
        Box::pin(lists::list_forms::act(context, Part::Advanced))
    })
    .large(SETTINGS_BYTES_MAX),
    Route::show("admin-list-delete", "/admin/lists/{name}/delete/", SETTER, |context| {
        Box::pin(async move { lists::deletion::page(&context) })
    }),
    Route::act("admin-list-delete", "/admin/lists/{name}/delete/", SETTER, |context| {
        Box::pin(lists::deletion::act(context))
    }),
    Route::show("admin-list-settings", "/admin/lists/{name}/settings/", Authority::Reader, |context| {
        Box::pin(async move { lists::settings_search::page(&context) })
    }),
    Route::show("admin-list-try", "/admin/lists/{name}/try/", Authority::Reader, |context| {
        Box::pin(async move { lists::trial::page(&context) })
    }),
    Route::act("admin-list-try", "/admin/lists/{name}/try/", Authority::Reader, |context| {
        Box::pin(lists::trial::act(context))
    })
    .large(SETTINGS_BYTES_MAX),
    Route::show("admin-list-helpers", "/admin/lists/{name}/helpers/", Authority::Reader, |context| {
        Box::pin(async move { lists::helpers::page(&context) })
    }),
    Route::act("admin-list-helpers", "/admin/lists/{name}/helpers/", Authority::Reader, |context| {
        Box::pin(lists::delegation::act(context))
    }),
    Route::show("admin-list-members", "/admin/lists/{name}/members/", Authority::Reader, |context| {
        Box::pin(lists::list_members::page(context))
    }),
    Route::act(
        "admin-list-members",
        "/admin/lists/{name}/members/",
        Authority::Holder(Permission::ManageMembers),
        |context| Box::pin(lists::list_members::act(context)),
    )
    .large(TEXT_BYTES_MAX),
    Route::show("aliases", "/admin/aliases/", Authority::UnlimitedReader, |context| {
        Box::pin(lists::aliases::page(context))
    })
    .nav(Nav::Menu(MenuGroup::Objects, |language| text!(language, "nav-aliases"))),
    Route::act(
        "aliases",
        "/admin/aliases/",
        Authority::UnlimitedHolder(Permission::ManageSettings),
        |context| Box::pin(lists::aliases::make(context)),
    ),
    Route::show("alias", "/admin/aliases/{source}/", Authority::UnlimitedReader, |context| {
        Box::pin(async move { lists::aliases::one(&context) })
    }),
    Route::act(
        "alias",
        "/admin/aliases/{source}/",
        Authority::UnlimitedHolder(Permission::ManageSettings),
        |context| Box::pin(lists::aliases::act(context)),
    ),
    Route::show(
        "settings-fields",
        "/admin/settings/fields/",
        Authority::UnlimitedHolder(Permission::AccountAdmin),
        |context| Box::pin(async move { account::custom_fields::page(&context) }),
    ),
    Route::act(
        "settings-fields",
        "/admin/settings/fields/",
        Authority::UnlimitedHolder(Permission::AccountAdmin),
        |context| Box::pin(account::custom_fields::act(context)),
    ),
    Route::show(
        "settings-domains",
        "/admin/settings/domains/",
        Authority::UnlimitedHolder(Permission::AccountAdmin),
        |context| Box::pin(account::domains::page(context)),
    ),
    Route::act(
        "settings-domains",
        "/admin/settings/domains/",
        Authority::UnlimitedHolder(Permission::AccountAdmin),
        |context| Box::pin(account::domains::act(context)),
    ),
    Route::show(
        "administrators",
        "/admin/administrators/",
        Authority::Holder(Permission::AccountAdmin),
        |context| Box::pin(account::administrators::page(context)),
    )
    .nav(Nav::Menu(MenuGroup::Account, |language| text!(language, "nav-administrators"))),
    Route::act(
        "administrators",
        "/admin/administrators/",
        Authority::Holder(Permission::AccountAdmin),
        |context| Box::pin(account::administrators::make(context)),
    ),
    Route::show(
        "administrator",
        "/admin/administrators/{id}/",
        Authority::Holder(Permission::AccountAdmin),
        |context| Box::pin(async move { account::administrators::one(&context) }),
    ),
    Route::act(
        "administrator",
        "/admin/administrators/{id}/",
        Authority::Holder(Permission::AccountAdmin),
        |context| Box::pin(account::administrators::act(context)),
    ),
    Route::show("typed", "/admin/typed/{id}/", Authority::Administrator, |context| {
        Box::pin(async move { typed::page(&context) })
    }),
    Route::act("typed", "/admin/typed/{id}/", Authority::Administrator, |context| {
        Box::pin(typed::act(context))
    }),
    // Approvals, messages, the audit log, the server.
    Route::show("approvals", "/admin/approvals/", APPROVER, |context| {
        Box::pin(approvals::index::page(context))
    })
    .nav(Nav::Menu(MenuGroup::Daily, |language| text!(language, "desk-approvals"))),
    Route::act("approvals", "/admin/approvals/", APPROVER, |context| {
        Box::pin(approvals::index::act(context))
    }),
    Route::show("held", "/admin/approvals/{id}/", APPROVER, |context| {
        Box::pin(approvals::held::page(context))
    }),
    Route::act("held", "/admin/approvals/{id}/", APPROVER, |context| Box::pin(approvals::held::act(context))),
    Route::show("held-part", "/admin/approvals/{id}/parts/{part}/{file}", APPROVER, |context| {
        Box::pin(approvals::held::file(context))
    }),
    Route::show("messages", "/admin/messages/", Authority::Reader, |context| {
        Box::pin(messages::index::page(context))
    })
    .nav(Nav::Menu(MenuGroup::Daily, |language| text!(language, "desk-messages"))),
    Route::act("messages", "/admin/messages/", SENDER, |context| Box::pin(messages::index::act(context))),
    Route::show("compose", "/admin/messages/new/", SENDER, |context| {
        Box::pin(async move { messages::compose::page(&context) })
    }),
    Route::act("compose", "/admin/messages/new/", SENDER, |context| {
        Box::pin(messages::compose::act(context))
    })
    .large(messages::compose_draft::FORM_BYTES_MAX)
    .kept(messages::compose_draft::keep_lost, messages::compose_draft::knows_writer)
    .costly(),
    Route::show("trace", "/admin/messages/{id}/", Authority::Reader, |context| {
        Box::pin(messages::message::page(context))
    }),
    Route::act("trace", "/admin/messages/{id}/", APPROVER, |context| {
        Box::pin(messages::message::act(context))
    }),
    Route::show("audit", "/admin/audit/", Authority::UnlimitedHolder(Permission::AccountAdmin), |context| {
        Box::pin(account::audit::page(context))
    })
    .nav(Nav::Menu(MenuGroup::Account, |language| text!(language, "desk-audit"))),
    Route::show("undo", "/admin/undo/{id}/", Authority::Reader, |context| {
        Box::pin(async move { account::undo::page(&context) })
    }),
    Route::act("undo", "/admin/undo/{id}/", Authority::Reader, |context| {
        Box::pin(account::undo::act(context))
    }),
    Route::show("server", "/admin/server/", Authority::ServerAdministrator, |context| {
        Box::pin(server::overview::page(context))
    })
    .nav(Nav::Menu(MenuGroup::Server, |language| text!(language, "desk-server"))),
    Route::show("accounts", "/admin/server/accounts/", Authority::ServerAdministrator, |context| {
        Box::pin(server::accounts::page(context))
    })
    .nav(Nav::Menu(MenuGroup::Server, |language| text!(language, "desk-accounts"))),
    Route::act("accounts", "/admin/server/accounts/", Authority::ServerAdministrator, |context| {
        Box::pin(server::accounts::create(context))
    }),
    Route::show("account", "/admin/server/accounts/{id}/", Authority::ServerAdministrator, |context| {
        Box::pin(server::accounts::one(context))
    }),
    Route::act("account", "/admin/server/accounts/{id}/", Authority::ServerAdministrator, |context| {
        Box::pin(server::accounts::act(context))
    }),
    Route::show("server-keys", "/admin/server/keys/", Authority::ServerAdministrator, |context| {
        Box::pin(async move { server::server_keys::page(&context) })
    })
    .nav(Nav::Menu(MenuGroup::Server, |language| text!(language, "desk-keys"))),
    Route::act("server-keys", "/admin/server/keys/", Authority::ServerAdministrator, |context| {
        Box::pin(server::server_keys::act(context))
    }),
    Route::show("queue", "/admin/server/queue/", Authority::ServerAdministrator, |context| {
        Box::pin(server::queue::page(context))
    })
    .nav(Nav::Menu(MenuGroup::Server, |language| text!(language, "desk-queue"))),
    Route::act("queue", "/admin/server/queue/", Authority::ServerAdministrator, |context| {
        Box::pin(server::queue::act(context))
    }),
];
