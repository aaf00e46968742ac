//! The facts about one request that its page may need: the site, the visitor, the language, the form. `serve` makes one
//! [`Context`] per request before the handler runs; handlers read it and never look at the request itself.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::extract::RawPathParams;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::{Html, IntoResponse as _, Response};

use super::cookies::{Cookie, Cookies, VISIT_TOKEN_LEN, csrf_token, session_cookie};
use super::error::{PageError, PageResult};
use super::form::Form;
use super::page::{Authority, Page, Verb};
use super::user_agent;
use crate::http::budget::Share;
use crate::http::costly::Permit;
use crate::http::{client_addr, request_id};
use crate::locale::{self, Locale, Preferences, text};
use crate::model::{Account, AccountId, Admin, Banner, Language, List, ListId, Person, Session, Via};
use crate::ops::Caller;
use crate::ops::accounts::sign_in::{SECOND_STEP_WITHIN, browsers};
use crate::ops::accounts::{self, banners, factors, suspension};
use crate::ops::archive::access::Reader;
use crate::ops::archive::passwords::{self, Pass};
use crate::ops::domains::sites::Site;
use crate::ops::locales::locale_of;
use crate::ops::server::typed_forms;
use crate::ops::sessions::{self, Device};
use crate::secret::sha256;
use crate::service::Core;
use crate::service::memory::Owners;
use crate::store::{ReadTx, StoreError};

/// A session of the visitor, and the token that proves it.
#[derive(Debug, Clone)]
pub(super) struct SignedIn {
    /// The session.
    pub(super) session: Session,
    /// The token from the cookie.
    token: String,
}

/// All pages of the table, without what answers them.
pub(super) type Pages = Arc<[&'static Page]>;

/// A request for a page.
pub struct Context {
    /// The state that all requests share.
    pub(super) core: Core,
    /// All pages.
    pub(super) pages: Pages,
    /// The page that was requested; `None` if there is none at this path, or none for this method.
    pub(super) page: Option<&'static Page>,
    /// The site that the page belongs to, and the client that asks for it.
    pub(super) site: Site,
    /// The account of the site.
    pub(super) account: Option<Account>,
    /// Whether the account of the site is suspended.
    pub(super) is_suspended: bool,
    /// The banner of the account.
    pub(super) banner: Option<Banner>,
    /// The language of the answer.
    pub(super) language: Language,
    /// Identifies the request in its response and in the log.
    pub(super) request_id: String,
    /// The fields of the query.
    pub(super) query: Form,
    /// The query as it was sent.
    pub(super) raw_query: Option<String>,
    /// The fields of the form in the request's body.
    pub(super) form: Form,
    /// The path below the root of the site.
    pub(super) path: String,
    /// Whether only the head of the response is wanted.
    pub(super) is_head: bool,
    /// The variable parts of the path.
    params: Vec<(String, String)>,
    headers: HeaderMap,
    member: Option<SignedIn>,
    admin: Option<SignedIn>,
    /// The administrator of the session, who acts in the account of the site.
    administrator: Option<Arc<Caller>>,
    /// Whether that administrator has yet to set up the second factor that somebody asks for.
    needs_factor: bool,
    cookies: Cookies,
    visit: Visit,
    device: Device,
    /// The tokens by which the browser shows that it gave the passwords of archives.
    passes: Vec<String>,
    /// Keeps the memory of the form's body accounted for until the request is answered.
    share: Option<Share>,
    /// Counts a costly page until its calculation has ended.
    permit: Option<Arc<Permit>>,
}

/// The cookie's secret of a visitor who is not signed in.
struct Visit {
    token: String,
    /// Whether the secret is new, so that a response with a form of this visitor must set its cookie.
    is_new: bool,
    /// Whether the page shows a CSRF token, which proves nothing without the cookie.
    is_shown: AtomicBool,
}

impl Visit {
    fn new(token: String, is_new: bool) -> Visit {
        Visit { token, is_new, is_shown: AtomicBool::new(false) }
    }
}

impl Context {
    /// Reads the head of a request alone; [`load`](Self::load) adds the facts from storage.
    pub(super) fn of_head(core: &Core, pages: &Pages, parts: &Parts) -> Context {
        let client = client_addr(&parts.extensions);
        let nobodys = || Site { account: None, root: String::new(), client, is_shared: false };
        let site = parts.extensions.get::<Site>().cloned().unwrap_or_else(nobodys);
        let cookies = Cookies::for_base(core.links.base_url());
        let visit =
            cookies.read(&parts.headers, Cookie::Visit).filter(|token| token.len() == VISIT_TOKEN_LEN);
        let visit = match visit {
            Some(token) => Visit::new(token, false),
            None => Visit::new(core.secrets.token(VISIT_TOKEN_LEN), true),
        };
        let user_agent = parts.headers.get(header::USER_AGENT).and_then(|field| field.to_str().ok());
        let device =
            Device { words: user_agent::in_words(user_agent.unwrap_or_default()), client: Some(client) };
        let query = Form::urlencoded(parts.uri.query().unwrap_or_default().as_bytes()).unwrap_or_default();
        let mut context = Context {
            pages: Arc::clone(pages),
            page: None,
            site,
            account: None,
            is_suspended: false,
            banner: None,
            language: Language::default(),
            request_id: request_id(&parts.extensions),
            query,
            raw_query: parts.uri.query().map(str::to_owned),
            form: Form::default(),
            path: parts.uri.path().to_owned(),
            is_head: parts.method == Method::HEAD,
            params: Vec::new(),
            headers: parts.headers.clone(),
            member: None,
            admin: None,
            administrator: None,
            needs_factor: false,
            cookies,
            visit,
            device,
            passes: cookies.read_passes(&parts.headers),
            share: None,
            permit: None,
            core: core.clone(),
        };
        context.language = context.negotiate(&parts.headers, Language::default());
        context
    }

    fn negotiate(&self, headers: &HeaderMap, account: Language) -> Language {
        let kept = self.cookies.read(headers, Cookie::Language);
        let accepted = headers.get(header::ACCEPT_LANGUAGE).and_then(|field| field.to_str().ok());
        let asked = Some(self.query.get("lang"));
        locale::negotiate(Preferences { asked, kept: kept.as_deref(), accepted }, account)
    }

    /// Passes if a link that belongs to this account works here: it is of this site, and the account is not suspended.
    /// At the server's own host a link may belong to any account.
    pub(super) fn check_link(&self, tx: &ReadTx, account: AccountId) -> Result<(), PageError> {
        if !self.site.answers_for(Some(account)) {
            return Err(PageError::DeadLink);
        }
        if suspension::of(tx, account)?.is_some() { Err(PageError::Suspended) } else { Ok(()) }
    }

    /// Reads the account of the site and the visitor's sessions from storage.
    pub(super) fn load(&mut self, headers: &HeaderMap) -> Result<(), StoreError> {
        let tx = self.read()?;
        self.account = match self.site.account {
            Some(account) => accounts::of_id(&tx, account)?,
            None => None,
        };
        self.is_suspended = match self.site.account {
            Some(account) => suspension::of(&tx, account)?.is_some(),
            None => false,
        };
        self.banner = match self.site.account {
            Some(account) => banners::find(&tx, account)?,
            None => None,
        };
        let find = |cookie| -> Result<Option<SignedIn>, StoreError> {
            let Some(token) = self.cookies.read(headers, cookie) else { return Ok(None) };
            let session = sessions::find(&tx, &token, self.core.now())?;
            let is_its = |session: &Session| {
                let is_here =
                    session.account == AccountId::SERVER || Some(session.account) == self.site.account;
                is_here && Cookie::of(session.person) == cookie
            };
            Ok(session.filter(is_its).map(|session| SignedIn { session, token }))
        };
        let (member, admin) = (find(Cookie::Member)?, find(Cookie::Admin)?);
        let by = |session: &Session, admin: &Admin| {
            let account = self.site.account.unwrap_or(session.account);
            Arc::new(Caller::admin(admin, account, Via::Page, Some(self.site.client)))
        };
        if let Some(session) = admin.as_ref().map(|signed_in| &signed_in.session) {
            let admin = sessions::admin_of(&tx, session)?;
            self.needs_factor = admin.as_ref().map_or(Ok(false), |admin| factors::is_missing(&tx, admin))?;
            self.administrator = admin.map(|admin| by(session, &admin));
        }
        (self.member, self.admin) = (member, admin);
        if let Some(account) = &self.account {
            self.language = self.negotiate(headers, account.settings.language);
        }
        Ok(())
    }

    /// A snapshot of the data, of which functions of [`ops`](crate::ops) read what a page shows.
    pub(super) fn read(&self) -> Result<ReadTx, StoreError> {
        self.core.store.read()
    }

    /// Sets the page that was found and the variable parts of its path.
    pub(super) fn set_page(&mut self, page: &'static Page, params: &RawPathParams) {
        self.page = Some(page);
        self.params = params.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
    }

    /// Sets the form that was sent.
    pub(super) fn set_form(&mut self, form: Form, share: Option<Share>) {
        self.form = form;
        self.share = share;
    }

    /// Keeps the turn of a costly page until the request is answered.
    pub(super) fn set_permit(&mut self, permit: Permit) {
        self.permit = Some(Arc::new(permit));
    }

    /// The turn of a costly page, for whatever goes on after the answer has begun.
    pub(super) fn permit(&self) -> Option<Arc<Permit>> {
        self.permit.clone()
    }

    /// A variable part of the path; blank if the path has none of this name.
    pub(super) fn param(&self, name: &str) -> &str {
        let found = self.params.iter().find(|(param, _)| param == name);
        found.map_or("", |(_, value)| value)
    }

    /// A field of the request's header; `None` if it is missing or no text.
    pub(super) fn header(&self, name: &HeaderName) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The token in the path of a link.
    pub(super) fn token(&self) -> &str {
        self.param("token")
    }

    /// The visitor's session, of the kind that the page asks for; of any kind if the page asks for none.
    pub(super) fn signed_in(&self) -> Option<&SignedIn> {
        match self.page.map(|page| page.authority) {
            Some(Authority::Member) => self.member.as_ref(),
            Some(Authority::Anyone | Authority::Link) | None => self.member.as_ref().or(self.admin.as_ref()),
            Some(_) => self.admin.as_ref(),
        }
    }

    /// The member who is signed in, also on a page that requires nobody to be.
    pub(super) fn member(&self) -> Option<&Session> {
        self.member.as_ref().map(|signed_in| &signed_in.session)
    }

    /// Whether the page may differ from the one that somebody else gets at this address.
    pub(super) fn is_personal(&self) -> bool {
        let is_known = self.member.is_some() || self.admin.is_some() || !self.passes.is_empty();
        // A choice of language is kept by a cookie that the response sets.
        let sets_cookie = locale::from_tag(self.query.get("lang")).is_some();
        is_known || sets_cookie || self.visit.is_shown.load(Ordering::Relaxed)
    }

    /// Whether the browser keeps this version of the page already.
    pub(super) fn has_version(&self, etag: &str) -> bool {
        let known = self.header(&header::IF_NONE_MATCH).unwrap_or_default().split(',').map(str::trim);
        known
            .map(|known| known.strip_prefix("W/").unwrap_or(known))
            .any(|known| known == etag || known == "*")
    }

    /// The administrator who is signed in, also on a page that requires nobody to be.
    pub(super) fn admin(&self) -> Option<&Session> {
        self.admin.as_ref().map(|signed_in| &signed_in.session)
    }

    /// The administrator whose session the browser shows, with the session: of the account of the site, or of the
    /// server; at the server's own host, where no account is named, of any account.
    pub(super) fn admin_anywhere(&self, tx: &ReadTx) -> Result<Option<(Session, Admin)>, StoreError> {
        let Some(token) = self.cookies.read(&self.headers, Cookie::Admin) else { return Ok(None) };
        let Some(session) = sessions::find(tx, &token, self.core.now())? else { return Ok(None) };
        let is_here = session.account == AccountId::SERVER
            || self.site.account.is_none_or(|account| account == session.account);
        let admin = sessions::admin_of(tx, &session)?;
        Ok(admin.filter(|_| is_here).map(|admin| (session, admin)))
    }

    /// The browser of the visitor.
    pub(super) fn device(&self) -> &Device {
        &self.device
    }

    /// The session of a page that requires signing in.
    pub(super) fn session(&self) -> Result<&Session, PageError> {
        self.signed_in().map(|signed_in| &signed_in.session).ok_or(PageError::SignInNeeded)
    }

    /// Whether the visitor has this authority.
    pub(super) fn holds(&self, authority: Authority) -> bool {
        match authority {
            Authority::Anyone | Authority::Link => true,
            Authority::Member => self.member.is_some(),
            Authority::Administrator => self.administrator.is_some(),
            Authority::Reader => self.administrator.as_ref().is_some_and(|by| by.require_read().is_ok()),
            Authority::UnlimitedReader => {
                self.holds(Authority::Reader) && self.administrator.as_ref().is_some_and(sees_all_lists)
            }
            Authority::Holder(permission) => {
                self.administrator.as_ref().is_some_and(|by| by.holds(permission))
            }
            Authority::UnlimitedHolder(permission) => {
                self.holds(Authority::Holder(permission))
                    && self.administrator.as_ref().is_some_and(sees_all_lists)
            }
            Authority::ServerAdministrator => {
                self.holds(Authority::Reader) && self.administrator.as_ref().is_some_and(|by| by.is_global)
            }
        }
    }

    /// Whether somebody of the kind that may open such a page is signed in, with or without the permission.
    pub(super) fn is_signed_in_for(&self, authority: Authority) -> bool {
        if authority.is_administrators() { self.administrator.is_some() } else { self.holds(authority) }
    }

    /// Whether the administrator who is signed in has yet to set up the second factor that somebody asks for.
    pub(super) fn needs_factor(&self) -> bool {
        self.needs_factor
    }

    /// The administrator who is signed in, as the actor of operations in the account of the site.
    pub(super) fn administrator(&self) -> Result<&Arc<Caller>, PageError> {
        self.administrator.as_ref().ok_or(PageError::SignInNeeded)
    }

    /// The CSRF token that a form on this page must carry.
    pub(super) fn csrf(&self) -> String {
        self.visit.is_shown.store(true, Ordering::Relaxed);
        match self.signed_in() {
            // With it, what is typed into the form is not lost when the session ends before it is sent.
            Some(signed_in) => {
                let proof = typed_forms::proof(&self.core.signer, signed_in.session.person, self.core.now());
                format!("{}-{proof}", self.own_csrf())
            }
            None => self.own_csrf(),
        }
    }

    /// The person to whom the form was shown that came; `None` if that is long ago, or it was nobody who was signed in.
    pub(super) fn form_person(&self) -> Option<Person> {
        let (_, proof) = self.form.get("csrf").split_once('-')?;
        typed_forms::person_of(&self.core.signer, proof, self.core.now())
    }

    fn own_csrf(&self) -> String {
        csrf_token(self.signed_in().map_or(&self.visit.token, |signed_in| &signed_in.token))
    }

    /// Whether the form carries the CSRF token of this browser.
    pub(super) fn is_csrf_right(&self) -> bool {
        // Hashes are compared, so the time that takes reveals nothing about the token.
        let sent = self.form.get("csrf").split('-').next().unwrap_or_default();
        let is_equal = sha256(sent.as_bytes()) == sha256(self.own_csrf().as_bytes());
        is_equal && (self.signed_in().is_some() || !self.visit.is_new)
    }

    /// The caller for operations on the visitor's own sessions, which need no permission.
    pub(super) fn caller(&self) -> Arc<Caller> {
        let account = self.site.account.unwrap_or(AccountId::SERVER);
        Arc::new(Caller::anonymous(account, Via::Page, Some(self.site.client)))
    }

    /// The signed-in person as the actor of operations.
    pub(super) fn person(&self) -> Result<Arc<Caller>, PageError> {
        let session = self.session()?;
        let (tx, client) = (self.read()?, Some(self.site.client));
        let caller = match session.person {
            Person::Member(_) => {
                sessions::member_of(&tx, session)?.map(|contact| Caller::member(&contact, Via::Page, client))
            }
            Person::Admin(_) => sessions::admin_of(&tx, session)?
                .map(|admin| Caller::admin(&admin, session.account, Via::Page, client)),
        };
        caller.map(Arc::new).ok_or(PageError::SignInNeeded)
    }

    /// The visitor as a reader of archives: with the sessions of both kinds that the browser shows.
    pub(super) fn reader(&self, tx: &ReadTx) -> Result<Reader, StoreError> {
        let mut reader = Reader::default();
        if let Some(Person::Member(contact)) = self.member.as_ref().map(|member| member.session.person) {
            reader.member = Some(contact);
        }
        if let Some(session) = self.admin()
            && let Some(admin) = sessions::admin_of(tx, session)?
        {
            reader = reader.with_admin(&admin);
        }
        for pass in &self.passes {
            reader.opened.extend(passwords::open(tx, &self.core.signer, pass, self.core.now())?);
        }
        Ok(reader)
    }

    /// The owners to whom the reading of stored mail is charged: the visitor's address, and the account of the site.
    pub(super) fn owners(&self) -> Owners {
        Owners::of(self.site.client, self.site.account.unwrap_or(AccountId::SERVER))
    }

    /// Waits for the memory to read a stored message of this size. The share is kept until the work ends, even if the
    /// visitor does not wait for it any more.
    pub(super) async fn reading(&self, size_bytes: u64) -> Result<Share, PageError> {
        Ok(self.core.reading_memory.take(self.owners(), size_bytes).await?)
    }

    /// The language of the answer, with the time zone of the account.
    pub(super) fn locale(&self) -> Locale {
        let of_account = self.account.as_ref().map(locale_of).unwrap_or_default();
        Locale { language: self.language, ..of_account }
    }

    /// The account of the site, or the page that there is nothing at this address.
    pub(super) fn site_account(&self) -> Result<&Account, PageError> {
        self.account.as_ref().ok_or(PageError::NotFound)
    }

    /// The address of a page, if there is one at this path that the visitor may open here.
    pub(super) fn offered(&self, path: &str) -> Option<String> {
        let page = self.pages.iter().find(|page| page.path == path && page.verb == Verb::Show)?;
        let is_here = self.account.is_some() || !page.authority.needs_account();
        (is_here && self.holds(page.authority)).then(|| self.href(path))
    }

    /// A path of this site as browsers must request it.
    pub(super) fn href(&self, path: &str) -> String {
        format!("{}{path}", self.site.root)
    }

    /// The path of a list's page, as browsers must request it.
    pub(super) fn list_path(&self, list: &List) -> String {
        self.href(&format!("/lists/{}/", list.name))
    }

    /// Notes that the session is in use, if the last note is old enough. Returns the cookie of a session that the browser
    /// keeps longer by that. A failure is ignored: nothing depends on it but how long the session lasts.
    pub(super) async fn note_use(&self) -> Option<HeaderValue> {
        let SignedIn { session, token } = self.signed_in()?;
        if !sessions::is_use_news(session, &self.device, self.core.now()) {
            return None;
        }
        let (id, device) = (session.id, self.device.clone());
        let job = self
            .core
            .perform(&self.caller(), move |tx, by| sessions::note_use(tx, id, &device, by.now))
            .await;
        match job {
            Ok(noted) => {
                let session = noted.filter(sessions::stays)?;
                Some(session_cookie(self.core.links.base_url(), &session, token, self.core.now()))
            }
            Err(error) => {
                tracing::debug!(error = %error, "The use of a session is not noted");
                None
            }
        }
    }

    /// Renders a page as the response with this status.
    pub(super) fn html(&self, status: StatusCode, template: &impl askama::Template) -> PageResult {
        let mut html = template.render().map_err(|error| PageError::Internal(error.to_string()))?;
        // A form that comes back wrong says so in its title, which is what a screen reader reads first.
        if status.is_client_error() && html.contains("role=\"alert\"") {
            let title = format!("<title>{} ", text!(self.language, "form-wrong-title"));
            html = html.replacen("<title>", &title, 1);
        }
        Ok((status, Html(html)).into_response())
    }

    /// A response with a page and status 200.
    pub(super) fn show(&self, template: &impl askama::Template) -> PageResult {
        self.html(StatusCode::OK, template)
    }

    /// Redirects the browser to another page of this site.
    pub(super) fn see_other(&self, path: &str) -> Response {
        self.lead_to(&self.href(path))
    }

    /// Redirects the browser to a path of this host.
    #[expect(clippy::unused_self, reason = "pages answer their request in one way")]
    pub(super) fn lead_to(&self, path: &str) -> Response {
        (StatusCode::SEE_OTHER, [(header::LOCATION, path)]).into_response()
    }

    /// The `Set-Cookie` field by which the browser shows from now on that it gave the password of a list's archive.
    pub(super) fn set_pass(&self, list: ListId, pass: &Pass) -> HeaderValue {
        self.cookies.set_pass(list, &pass.token, pass.expiry.since(self.core.now()))
    }

    /// The tokens by which the browser is known as one in which administrators signed in before.
    pub(super) fn known_as(&self) -> Vec<String> {
        self.cookies.read_known(&self.headers)
    }

    /// The `Set-Cookie` field by which the browser is known from now on as one of an administrator's: it keeps its
    /// number, so that a sign-in gives it no other count of errors.
    pub(super) fn set_known(&self, admin: &Admin) -> HeaderValue {
        let (signer, now) = (&self.core.signer, self.core.now());
        let number = browsers::number_of(signer, &self.known_as(), admin, now);
        let number = number.unwrap_or_else(|| browsers::new_number(&self.core.secrets));
        let token = browsers::token(signer, admin, number, now);
        self.cookies.set_known(admin.id, &token, browsers::KNOWN_FOR)
    }

    /// The proof that the visitor gave the right password of an administrator.
    pub(super) fn second_step(&self) -> Option<String> {
        self.cookies.read(&self.headers, Cookie::SecondStep)
    }

    /// The `Set-Cookie` field that keeps that proof for a few minutes, or removes it.
    pub(super) fn set_second_step(&self, token: Option<&str>) -> HeaderValue {
        match token {
            Some(token) => self.cookies.set(Cookie::SecondStep, token, Some(SECOND_STEP_WITHIN)),
            None => self.cookies.clear(Cookie::SecondStep),
        }
    }

    /// The value of a cookie that the browser keeps.
    pub(super) fn cookie(&self, cookie: Cookie) -> Option<String> {
        self.cookies.read(&self.headers, cookie)
    }

    /// The `Set-Cookie` field by which the browser keeps a cookie for this long.
    pub(super) fn set_cookie(&self, cookie: Cookie, value: &str, lasts: Duration) -> HeaderValue {
        self.cookies.set(cookie, value, Some(lasts))
    }

    /// The `Set-Cookie` field that removes the session's cookie.
    pub(super) fn clear_session(&self, session: &Session) -> HeaderValue {
        self.cookies.clear(Cookie::of(session.person))
    }

    /// The header fields that every page's response has.
    pub(super) fn finish(&self, response: &mut Response) {
        let headers = response.headers_mut();
        if self.cookies.is_secure() {
            const YEAR: HeaderValue = HeaderValue::from_static("max-age=31536000");
            headers.insert(header::STRICT_TRANSPORT_SECURITY, YEAR);
        }
        if locale::from_tag(self.query.get("lang")).is_some() {
            headers.append(header::SET_COOKIE, self.cookies.set_language(self.language));
        }
        let is_shown = self.visit.is_shown.load(Ordering::Relaxed);
        if self.visit.is_new && self.signed_in().is_none() && is_shown {
            headers.append(header::SET_COOKIE, self.cookies.set(Cookie::Visit, &self.visit.token, None));
        }
    }
}

fn sees_all_lists(by: &Arc<Caller>) -> bool {
    by.limits.lists().is_none()
}

/// Runs a read of much data on a thread where it blocks no other request.
pub(super) async fn blocking<T: Send + 'static>(
    context: &Arc<Context>,
    work: impl FnOnce(&Context) -> Result<T, PageError> + Send + 'static,
) -> Result<T, PageError> {
    let context = Arc::clone(context);
    let span = tracing::Span::current();
    let working = tokio::task::spawn_blocking(move || span.in_scope(|| work(&context)));
    working.await.unwrap_or_else(|error| Err(PageError::Internal(error.to_string())))
}
