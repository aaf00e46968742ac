//! The frame around every page: the account's name, the links to other pages, and the choice of language. `context`
//! makes it for each page; it decides nothing about access, since it reads the table of pages.

use std::fmt::Write as _;

use super::context::Context;
use super::cookies::csrf_token;
use super::heading::title_of;
use super::page::{Authority, MenuGroup, Nav, Page, Verb};
use super::{assets, banner, paths};
use crate::locale::{self, text};
use crate::model::Language;
use crate::ops::moderation::waiting;

/// The values of the base template.
pub(super) struct Frame {
    /// The language of the page.
    pub(super) language: Language,
    /// The account's title, or a name of the server if there is no account.
    pub(super) site: String,
    /// The image of the account.
    pub(super) banner: Option<BannerView>,
    /// The path of the site's first page.
    pub(super) home: String,
    /// The stylesheet.
    pub(super) style: &'static str,
    /// The pages at the top.
    pub(super) header: Vec<Link>,
    /// The links at the foot.
    pub(super) footer: Vec<Link>,
    /// The groups of the menu of administrators' pages; empty on all other pages.
    pub(super) menu: Vec<Vec<Link>>,
    /// The links to this page in the other languages.
    pub(super) languages: Vec<Choice>,
    /// The form to sign out, for visitors who are signed in.
    pub(super) sign_out: Option<SignOut>,
}

/// The image at the top of the pages of an account.
pub(super) struct BannerView {
    pub(super) src: String,
    pub(super) alt: String,
    pub(super) width: u32,
    pub(super) height: u32,
}

/// A link to a page.
pub(super) struct Link {
    pub(super) href: String,
    pub(super) words: String,
    pub(super) is_current: bool,
    /// How many things wait on the page, if any do: the number, and as words.
    pub(super) waiting: Option<(u64, String)>,
}

/// A link to this page in another language.
pub(super) struct Choice {
    pub(super) tag: &'static str,
    pub(super) name: String,
    pub(super) href: String,
    pub(super) is_current: bool,
}

/// The form that signs out.
pub(super) struct SignOut {
    pub(super) action: String,
    pub(super) csrf: String,
}

impl Frame {
    /// The frame of the requested page.
    pub(super) fn of(context: &Context) -> Frame {
        let language = context.language;
        let name = context.account.as_ref().map(title_of);
        Frame {
            language,
            site: name.unwrap_or_else(|| text!(language, "frame-server")),
            banner: banner_of(context),
            home: context.href("/"),
            style: assets::style_path(),
            header: header(context),
            footer: footer(context),
            menu: menu(context),
            languages: Language::ALL.iter().map(|other| choice(context, *other)).collect(),
            sign_out: sign_out(context),
        }
    }

    /// The frame of the answer to a request by which a member was signed in, with the token of the new session.
    pub(super) fn of_new_member(context: &Context, token: &str) -> Frame {
        let sign_out = SignOut { action: context.href(paths::DEVICES), csrf: csrf_token(token) };
        Frame { sign_out: Some(sign_out), ..Frame::of(context) }
    }

    /// The BCP 47 tag of the language.
    pub(super) fn tag(&self) -> &'static str {
        self.language.word()
    }
}

fn banner_of(context: &Context) -> Option<BannerView> {
    let account = context.account.as_ref()?;
    let image = context.banner.as_ref()?.image.as_ref()?;
    let alt = text!(context.language, "frame-banner", account = title_of(account));
    let (width, height) = (image.width, image.height);
    Some(BannerView { src: context.href(&banner::path(image)), alt, width, height })
}

/// The links at the foot: the way in for administrators leads none of them anywhere who is signed in.
fn footer(context: &Context) -> Vec<Link> {
    if context.admin().is_some() {
        return Vec::new();
    }
    links(context, |nav| if let Nav::Footer(words) = nav { Some(words) } else { None })
}

/// The links at the top: for administrators, one that leads to their pages besides.
fn header(context: &Context) -> Vec<Link> {
    let mut header = links(context, |nav| if let Nav::Header(words) = nav { Some(words) } else { None });
    let own = context.offered(paths::ADMINISTRATION);
    header.extend(own.filter(|_| !context.page.is_some_and(|page| page.authority.is_administrators())).map(
        |href| {
            let words = text!(context.language, "nav-administration");
            Link { href, words, is_current: false, waiting: None }
        },
    ));
    header
}

/// The words of a link, in a language.
type Words = fn(Language) -> String;

/// The menu of the administrators' page that is shown; empty if another page is.
fn menu(context: &Context) -> Vec<Vec<Link>> {
    if !context.page.is_some_and(|page| page.authority.is_administrators()) {
        return Vec::new();
    }
    let of_group = |group| {
        links(context, |nav| match nav {
            Nav::Menu(of, words) if of == group => Some(words),
            _ => None,
        })
    };
    MenuGroup::ALL.into_iter().map(of_group).filter(|links| !links.is_empty()).collect()
}

fn links(context: &Context, words_of: impl Fn(Nav) -> Option<Words>) -> Vec<Link> {
    let link = |page: &Page| {
        // The server's own host has no members and nothing of an account.
        let is_here = context.account.is_some()
            || (page.authority.is_administrators() && !page.authority.needs_account());
        let words = words_of(page.nav).filter(|_| is_here && context.holds(page.authority))?;
        // Of nested pages, the menu marks the nearest that it has.
        let is_current = match page.nav {
            Nav::Menu(..) => context.page.is_some_and(|current| is_nearest(context, page, current)),
            _ => context.page.is_some_and(|current| current.path == page.path),
        };
        let waiting = (page.name == "approvals").then(|| waiting(context)).flatten();
        Some(Link { href: context.href(page.path), words: words(context.language), is_current, waiting })
    };
    context.pages.iter().copied().filter_map(link).collect()
}

/// The number of things that wait for a decision of the administrator. A menu that cannot count is shown without it.
fn waiting(context: &Context) -> Option<(u64, String)> {
    let caller = context.administrator().ok()?;
    let count = waiting::count(&context.read().ok()?, caller).ok()?;
    (0 < count).then(|| (count, text!(context.language, "desk-menu-waiting", count = count)))
}

/// Whether a page of the menu is the one that the current page belongs to.
fn is_nearest(context: &Context, page: &Page, current: &Page) -> bool {
    let is_around = |page: &Page| matches!(page.nav, Nav::Menu(..)) && current.path.starts_with(page.path);
    let longest = context.pages.iter().filter(|page| is_around(page)).map(|page| page.path.len()).max();
    is_around(page) && Some(page.path.len()) == longest
}

/// The path of this page in another language, with the rest of its query.
fn choice(context: &Context, language: Language) -> Choice {
    let mut href = format!("?lang={}", language.word());
    for (name, value) in context.query.without("lang") {
        let encode = |text| percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC);
        // Writing to a `String` cannot fail.
        let _ = write!(href, "&{}={}", encode(name), encode(value));
    }
    let is_current = language == context.language;
    Choice { tag: language.word(), name: locale::name(language), href, is_current }
}

/// The pages that sign out.
const SIGN_OUT: [&str; 2] = ["devices", "me"];

/// The path that the sign-out form is sent to: the page of the person's own sessions.
fn sign_out(context: &Context) -> Option<SignOut> {
    let cookie = context.signed_in()?;
    let authority = Authority::of(cookie.session.person);
    let is_its = |page: &&&Page| {
        page.verb == Verb::Act && page.authority == authority && SIGN_OUT.contains(&page.name)
    };
    let page = context.pages.iter().find(is_its)?;
    Some(SignOut { action: context.href(page.path), csrf: context.csrf() })
}
