//! The cookies of pages, and the CSRF token that forms carry.
//!
//! Every cookie is `HttpOnly` and `SameSite=Lax`. If links begin with `https://`, it is also `Secure` and has the
//! prefix `__Host-`, so that no other host and no plain connection can set it. A CSRF token is a hash of the secret in
//! a cookie: only this server and that browser can make it, and pages of other sites cannot read it.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderValue, header};

use crate::clock::Timestamp;
use crate::model::{AdminId, Language, ListId, MEMBER_SESSION_MAX, Person, Session};
use crate::secret::sha256_text;

/// How long a visitor's choice of language is kept.
const LANGUAGE_KEPT: Duration = Duration::from_hours(365 * 24);
/// Characters of the token of a visitor who is not signed in; as hard to guess as a session's.
pub(super) const VISIT_TOKEN_LEN: usize = 40;

/// Archives, and administrators, whose cookies are looked at in one request; browsers keep hundreds for a host.
const PASSES_MAX: usize = 50;

/// The cookies that pages read and set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cookie {
    /// The session of a member.
    Member,
    /// The session of an administrator.
    Admin,
    /// A secret for the CSRF tokens of a visitor who is not signed in.
    Visit,
    /// A secret for a sign-in at a provider that has begun.
    Provider,
    /// The language that the visitor chose.
    Language,
    /// The proof that the visitor gave the right password of an administrator, who has yet to give a code.
    SecondStep,
}

impl Cookie {
    fn bare_name(self) -> &'static str {
        match self {
            Cookie::Member => "member",
            Cookie::Admin => "admin",
            Cookie::Visit => "visit",
            Cookie::Provider => "provider",
            Cookie::Language => "lang",
            Cookie::SecondStep => "step",
        }
    }

    /// The cookie for the session of this kind of person.
    pub(super) fn of(person: Person) -> Cookie {
        match person {
            Person::Member(_) => Cookie::Member,
            Person::Admin(_) => Cookie::Admin,
        }
    }
}

/// Reads and writes cookies with the attributes that the scheme of links requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cookies {
    is_secure: bool,
}

impl Cookies {
    /// Cookies for links that begin with `base_url`.
    pub(super) fn for_base(base_url: &str) -> Cookies {
        Cookies { is_secure: base_url.starts_with("https://") }
    }

    /// Whether links begin with `https://`.
    pub(super) fn is_secure(self) -> bool {
        self.is_secure
    }

    fn name(self, cookie: Cookie) -> String {
        let prefix = if self.is_secure { "__Host-" } else { "" };
        format!("{prefix}{}", cookie.bare_name())
    }

    /// The value of a cookie in a request.
    pub(super) fn read(self, headers: &HeaderMap, cookie: Cookie) -> Option<String> {
        let name = self.name(cookie);
        let fields = headers.get_all(header::COOKIE).into_iter().filter_map(|field| field.to_str().ok());
        let pairs = fields.flat_map(|field| field.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let value = pairs.filter(|(found, _)| *found == name).map(|(_, value)| value.to_owned()).next();
        value.filter(|value| !value.is_empty())
    }

    /// The tokens of all archives that the browser has opened with a password.
    pub(super) fn read_passes(self, headers: &HeaderMap) -> Vec<String> {
        self.read_all(headers, &self.pass_name(""))
    }

    /// The tokens of all administrators as whose the browser is known.
    pub(super) fn read_known(self, headers: &HeaderMap) -> Vec<String> {
        self.read_all(headers, &self.known_name(""))
    }

    /// The values of the cookies whose names begin with `prefix`.
    #[expect(clippy::unused_self, reason = "cookies are read and written in one way")]
    fn read_all(self, headers: &HeaderMap, prefix: &str) -> Vec<String> {
        let fields = headers.get_all(header::COOKIE).into_iter().filter_map(|field| field.to_str().ok());
        let pairs = fields.flat_map(|field| field.split(';')).filter_map(|pair| pair.trim().split_once('='));
        let passes = pairs.filter(|(name, value)| name.starts_with(prefix) && !value.is_empty());
        passes.take(PASSES_MAX).map(|(_, value)| value.to_owned()).collect()
    }

    /// The `Set-Cookie` field by which a browser shows that it gave the password of a list's archive.
    pub(super) fn set_pass(self, list: ListId, token: &str, lasts: Duration) -> HeaderValue {
        self.set_named(&self.pass_name(&list.to_string()), token, Some(lasts))
    }

    /// The name of the cookie of an archive, so that each has one of its own.
    fn pass_name(self, list: &str) -> String {
        let prefix = if self.is_secure { "__Host-" } else { "" };
        format!("{prefix}archive-{list}")
    }

    /// The `Set-Cookie` field by which a browser is known as one of an administrator's.
    pub(super) fn set_known(self, admin: AdminId, token: &str, lasts: Duration) -> HeaderValue {
        self.set_named(&self.known_name(&admin.to_string()), token, Some(lasts))
    }

    /// The name of the cookie of an administrator, so that several people can share a browser.
    fn known_name(self, admin: &str) -> String {
        let prefix = if self.is_secure { "__Host-" } else { "" };
        format!("{prefix}known-{admin}")
    }

    /// The `Set-Cookie` field of a cookie, which lasts until the browser closes if `lasts` is `None`.
    pub(super) fn set(self, cookie: Cookie, value: &str, lasts: Option<Duration>) -> HeaderValue {
        self.set_named(&self.name(cookie), value, lasts)
    }

    fn set_named(self, name: &str, value: &str, lasts: Option<Duration>) -> HeaderValue {
        let secure = if self.is_secure { "; Secure" } else { "" };
        let lasts = lasts.map(|lasts| format!("; Max-Age={}", lasts.as_secs())).unwrap_or_default();
        let field = format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax{secure}{lasts}");
        // Tokens and names of languages are visible ASCII.
        HeaderValue::from_str(&field).unwrap_or(HeaderValue::from_static(""))
    }

    /// The `Set-Cookie` field that removes a cookie.
    pub(super) fn clear(self, cookie: Cookie) -> HeaderValue {
        self.set(cookie, "", Some(Duration::ZERO))
    }

    /// The `Set-Cookie` field that keeps a choice of language.
    pub(super) fn set_language(self, language: Language) -> HeaderValue {
        self.set(Cookie::Language, language.word(), Some(LANGUAGE_KEPT))
    }
}

/// The `Set-Cookie` field by which a browser keeps the token of a session that began at `now`, for links that begin
/// with `base_url`. Unless the person asked to stay signed in, the browser forgets it when it closes.
#[must_use]
pub fn session_cookie(base_url: &str, session: &Session, token: &str, now: Timestamp) -> HeaderValue {
    let lasts = session.expiry.since(now);
    let stays = matches!(session.person, Person::Member(_)) && MEMBER_SESSION_MAX < lasts;
    Cookies::for_base(base_url).set(Cookie::of(session.person), token, stays.then_some(lasts))
}

/// The CSRF token that belongs to the secret in a cookie.
#[must_use]
pub fn csrf_token(cookie_token: &str) -> String {
    let hash = sha256_text(format_args!("csrf of {cookie_token}"));
    data_encoding::BASE32_NOPAD.encode(&hash[..20]).to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cookies_follow_the_scheme_of_links() {
        let secure = Cookies::for_base("https://x.org").set(Cookie::Member, "abc", None);
        assert_eq!(secure, "__Host-member=abc; Path=/; HttpOnly; SameSite=Lax; Secure");
        let plain = Cookies::for_base("http://127.0.0.1:8080").set(
            Cookie::Admin,
            "abc",
            Some(Duration::from_secs(9)),
        );
        assert_eq!(plain, "admin=abc; Path=/; HttpOnly; SameSite=Lax; Max-Age=9");
    }

    #[test]
    fn the_first_cookie_of_the_whole_name_counts() {
        let mut headers = HeaderMap::new();
        headers.append(header::COOKIE, HeaderValue::from_static("a=1; __Host-member=x; member=y"));
        headers.append(header::COOKIE, HeaderValue::from_static("__Host-member=z; __Host-lang="));
        let secure = Cookies::for_base("https://x.org");
        assert_eq!(secure.read(&headers, Cookie::Member).as_deref(), Some("x"));
        assert_eq!(Cookies::for_base("http://x").read(&headers, Cookie::Member).as_deref(), Some("y"));
        assert_eq!(secure.read(&headers, Cookie::Language), None);
        assert_eq!(secure.read(&headers, Cookie::Admin), None);
    }

    #[test]
    fn a_csrf_token_tells_nothing_of_its_cookie() {
        assert_ne!(csrf_token("a"), csrf_token("b"));
        assert_eq!(csrf_token("a").len(), 32);
    }
}
