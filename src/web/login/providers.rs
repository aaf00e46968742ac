//! Signing in at a provider of identities (`OpenID` Connect): the links on the login page, the way there, and the way
//! back.
//!
//! Nothing is stored of a sign-in that has begun. The browser keeps a secret in a cookie, and all that is not to be
//! guessed is made from it: the state, which also holds where the sign-in leads, the nonce and the verifier. So an
//! answer works in the browser alone that asked for it.

use std::sync::Arc;
use std::time::Duration;

use askama::Template;
use axum::http::{StatusCode, header};
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use super::session::signed_in;
use crate::clock::Timestamp;
use crate::locale::text;
use crate::oidc::{Answer, Begin, ProviderError};
use crate::ops::accounts::{providers, sign_in};
use crate::ops::sessions;
use crate::secret::sha256_text;
use crate::web::context::Context;
use crate::web::cookies::Cookie;
use crate::web::error::{PageError, PageResult};
use crate::web::frame::Frame;
use crate::web::paths::{LOGIN, next_path};

/// The folder of the pages of all providers.
const FOLDER: &str = "/login/provider/";
/// Characters of the secret in the cookie.
const SECRET_LEN: usize = 40;
/// How long a sign-in may take.
const WITHIN: Duration = Duration::from_mins(30);

/// A link by which a visitor signs in at a provider.
pub(in crate::web) struct ProviderButton {
    /// The path of the page that leads there.
    pub(in crate::web) href: String,
    /// The name of the provider.
    pub(in crate::web) name: String,
}

/// The links to all providers; `next` is the path to which signing in leads, or blank.
pub(in crate::web) fn buttons(context: &Context, next: &str) -> Vec<ProviderButton> {
    let button = |name: &String| ProviderButton { href: path_to(context, name, next), name: name.clone() };
    context.core.config.oidc.iter().map(|provider| button(&provider.name)).collect()
}

/// The path of the page that leads to a provider.
pub(in crate::web) fn path_to(context: &Context, name: &str, next: &str) -> String {
    let next = utf8_percent_encode(next, NON_ALPHANUMERIC);
    context.href(&format!("{FOLDER}{name}/?next={next}"))
}

#[derive(Template)]
#[template(path = "provider_problem.html", config = "src/web/askama.toml")]
struct ProblemPage {
    frame: Frame,
    title: String,
    advice: String,
    login: String,
}

/// Why nobody is signed in.
#[derive(Clone, Copy)]
enum Problem {
    /// The provider cannot be reached.
    Down,
    /// The answer is wrong, or not this browser's.
    Wrong,
    /// The person said no, or the provider did.
    Refused,
    /// The provider's word lets nobody in here.
    Nobody,
}

/// The sign-in that was begun, as the state keeps it.
struct Begun {
    /// When, in seconds since the epoch.
    secs: i64,
    /// Whether the person was to prove the identity again.
    is_again: bool,
    /// Where it leads, or blank.
    next: String,
}

/// The values that follow from a state and the secret of the browser.
struct Derived {
    mark: String,
    nonce: String,
    verifier: String,
}

impl Derived {
    fn of(secret: &str, provider: &str, payload: &str) -> Derived {
        let make = |what: &str| {
            let hash = sha256_text(format_args!("{what} {secret} {provider} {payload}"));
            // Twice, so that nothing can be appended to what is hashed.
            data_encoding::BASE64URL_NOPAD.encode(&crate::secret::sha256(&hash))
        };
        Derived { mark: make("mark"), nonce: make("nonce"), verifier: make("verifier") }
    }
}

/// `GET /login/provider/{name}/`, with `next`, and `again` to prove the identity once more.
pub(in crate::web) async fn begin(context: Arc<Context>) -> PageResult {
    let core = &context.core;
    let name = context.param("name");
    let provider = core.config.oidc.iter().find(|provider| provider.name == name);
    let provider = provider.ok_or(PageError::NotFound)?;
    let kept = context.cookie(Cookie::Provider).filter(|secret| secret.len() == SECRET_LEN);
    let secret = kept.unwrap_or_else(|| core.secrets.token(SECRET_LEN));
    let again = u8::from(!context.query.get("again").is_empty());
    let random = core.secrets.token(SECRET_LEN);
    let payload = format!("{random}~{}~{again}~{}", core.now().secs(), next_path(context.query.get("next")));
    let Derived { mark, nonce, verifier } = Derived::of(&secret, name, &payload);
    let state = data_encoding::BASE64URL_NOPAD.encode(format!("{mark}~{payload}").as_bytes());
    let redirect_uri = redirect_uri(&context, name)?;
    let (redirect_uri, is_again) = (redirect_uri.as_str(), again == 1);
    let begin = Begin { redirect_uri, state: &state, nonce: &nonce, verifier: &verifier, is_again };
    match core.providers.begin(provider, &begin).await {
        Ok(url) => {
            let mut response = context.lead_to(&url);
            let cookie = context.set_cookie(Cookie::Provider, &secret, WITHIN);
            response.headers_mut().append(header::SET_COOKIE, cookie);
            Ok(response)
        }
        Err(error) => problem(&context, name, told(name, &error)),
    }
}

/// `GET /login/provider/{name}/back/`: the provider's answer.
pub(in crate::web) async fn finish(context: Arc<Context>) -> PageResult {
    let core = &context.core;
    let name = context.param("name");
    let provider = core.config.oidc.iter().find(|provider| provider.name == name);
    let provider = provider.ok_or(PageError::NotFound)?;
    let secret = context.cookie(Cookie::Provider).unwrap_or_default();
    let Some((begun, derived)) = begun(context.query.get("state"), &secret, name, core.now()) else {
        return problem(&context, name, Problem::Wrong);
    };
    let given = context.query.get("code");
    if given.is_empty() {
        return problem(&context, name, Problem::Refused);
    }
    let redirect_uri = redirect_uri(&context, name)?;
    let answer = Answer {
        code: given,
        issuer: context.query.get("iss"),
        redirect_uri: &redirect_uri,
        nonce: &derived.nonce,
        verifier: &derived.verifier,
        proven_since: begun.is_again.then(|| Timestamp::from_ms(begun.secs * 1000)),
    };
    let identity = match core.providers.identity(provider, &answer).await {
        Ok(identity) => identity,
        Err(error) => return problem(&context, name, told(name, &error)),
    };
    let (token, token_hash) = sessions::new_token(&core.secrets);
    let (site, device, provider) = (context.site.clone(), context.device().clone(), name.to_owned());
    let former = context.admin_anywhere(&context.read()?)?.map(|(session, _)| session);
    let visitor = sign_in::visitor(&context.site);
    let entering = core.perform_reserved(&visitor, move |tx, by| {
        let session = providers::enter(tx, by, &site, &provider, &identity, device, token_hash)?;
        // A browser has one session: the proof renews it, and the former one is nobody's any more.
        if let (Some(former), Some(_)) = (&former, &session) {
            sessions::revoke(tx, former, former.id)?;
        }
        Ok::<_, crate::ops::OpError>(session)
    });
    match entering.await? {
        Some(session) => signed_in(&context, &session, &token, &begun.next),
        None => problem(&context, name, Problem::Nobody),
    }
}

/// The sign-in that was begun with a state, if it was in the browser with this secret and not long ago.
fn begun(state: &str, secret: &str, provider: &str, now: Timestamp) -> Option<(Begun, Derived)> {
    let text = data_encoding::BASE64URL_NOPAD.decode(state.as_bytes()).ok()?;
    let text = String::from_utf8(text).ok().filter(|_| secret.len() == SECRET_LEN)?;
    let (mark, payload) = text.split_once('~')?;
    let derived = Derived::of(secret, provider, payload);
    // Hashes are compared, so the time that takes reveals nothing about the mark.
    if crate::secret::sha256(mark.as_bytes()) != crate::secret::sha256(derived.mark.as_bytes()) {
        return None;
    }
    let mut parts = payload.splitn(4, '~').skip(1);
    let secs: i64 = parts.next()?.parse().ok()?;
    let is_again = parts.next()? == "1";
    let begun = Begun { secs, is_again, next: next_path(parts.next()?) };
    let is_recent = now < Timestamp::from_ms(secs * 1000) + WITHIN;
    is_recent.then_some((begun, derived))
}

/// Where a provider sends the browser back to: the page of this site, at the host that the links of the site have. The
/// operator makes it known to the provider.
fn redirect_uri(context: &Context, name: &str) -> Result<String, PageError> {
    let (core, tx) = (&context.core, context.read()?);
    let links = match context.site.account {
        Some(account) => core.links.of(&tx, account)?,
        None => core.links.of_server(&tx)?,
    };
    let host = context.header(&header::HOST).unwrap_or_default().to_ascii_lowercase();
    // A site may be reached at more than one host. The cookie is that of the host in the request.
    let is_here = |base: &&String| {
        let rest = base.split_once("://").map_or("", |(_, rest)| rest);
        let (at, root) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        at.eq_ignore_ascii_case(&host) && root == context.site.root
    };
    let base = links.known_bases().iter().find(is_here).map_or(links.base(), String::as_str);
    Ok(format!("{base}{FOLDER}{name}/back/"))
}

/// The problem that the visitor is told; the log gets the cause.
fn told(name: &str, error: &ProviderError) -> Problem {
    tracing::warn!(provider.name = name, error = %error, "Nobody signs in at the provider {name}: {error}");
    match error {
        ProviderError::Down(_) => Problem::Down,
        ProviderError::Wrong(_) => Problem::Wrong,
    }
}

fn problem(context: &Context, name: &str, problem: Problem) -> PageResult {
    let language = context.language;
    let (status, title, advice) = match problem {
        Problem::Down => (
            StatusCode::BAD_GATEWAY,
            text!(language, "provider-down", name = name),
            text!(language, "provider-down-next"),
        ),
        Problem::Wrong => (
            StatusCode::BAD_REQUEST,
            text!(language, "provider-wrong", name = name),
            text!(language, "provider-wrong-next"),
        ),
        Problem::Refused => (
            StatusCode::FORBIDDEN,
            text!(language, "provider-refused", name = name),
            text!(language, "provider-refused-next"),
        ),
        Problem::Nobody => (
            StatusCode::FORBIDDEN,
            text!(language, "provider-nobody", name = name),
            text!(language, "provider-nobody-next"),
        ),
    };
    let page = ProblemPage { frame: Frame::of(context), title, advice, login: context.href(LOGIN) };
    context.html(status, &page)
}
