//! The frame around every page: the account's name, the links to other pages, and the choice of language. `context`
//! makes it for each page; it decides nothing about access, since it reads the table of pages.

use std::fmt::Write as _;

use super::context::Context;
use super::directory::title_of;
use super::table::{Authority, Nav, Page, Verb};
use super::{assets, banner};
use crate::locale::{self, text};
use crate::model::Language;

/// The values of the base template.
pub(super) struct Frame {
    /// The language of the page.
    pub(super) language: Language,
    /// The account's name, or a name of the server if there is no account.
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
        let name = context.account.as_ref().map(|account| account.name.clone());
        Frame {
            language,
            site: name.unwrap_or_else(|| text!(language, "frame-server")),
            banner: banner_of(context),
            home: context.href("/"),
            style: assets::style_path(),
            header: links(context, |nav| if let Nav::Header(words) = nav { Some(words) } else { None }),
            footer: links(context, |nav| if let Nav::Footer(words) = nav { Some(words) } else { None }),
            languages: Language::ALL.iter().map(|other| choice(context, *other)).collect(),
            sign_out: sign_out(context),
        }
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

/// The words of a link, in a language.
type Words = fn(Language) -> String;

fn links(context: &Context, words_of: fn(Nav) -> Option<Words>) -> Vec<Link> {
    let link = |page: &Page| {
        // The server's own host has no members.
        let is_here = context.account.is_some() || page.authority == Authority::Administrator;
        let words = words_of(page.nav).filter(|_| is_here && context.holds(page.authority))?;
        let is_current = context.page.is_some_and(|current| current.path == page.path);
        Some(Link { href: context.href(page.path), words: words(context.language), is_current })
    };
    context.pages.iter().filter_map(link).collect()
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

/// The path that the sign-out form is sent to: the page of the person's own sessions.
fn sign_out(context: &Context) -> Option<SignOut> {
    let cookie = context.signed_in()?;
    let authority = super::devices::authority_of(cookie.session.person);
    let is_its =
        |page: &&Page| page.verb == Verb::Act && page.authority == authority && !page.path.contains('{');
    let page = context.pages.iter().find(is_its)?;
    Some(SignOut { action: context.href(page.path), csrf: context.csrf() })
}
