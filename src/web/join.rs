//! The form by which people join and leave lists, and the addresses at which forms of other sites ask for the same.
//!
//! The page after a form is the same whether the address is known or not: the rest is in a mail to the address
//! (`ops::people::requests`). The form needs no CSRF token, since it acts on nobody's behalf; it carries a signed token
//! of its own that says when it was shown, and one that is sent at once comes back. Forms of other sites carry none,
//! and are limited like everything else.

use std::sync::Arc;

use askama::Template;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse as _;

use super::context::Context;
use super::error::{PageError, PageResult};
use super::form::FieldProblems;
use super::frame::Frame;
use super::paths::MEMBERS;
use crate::clock::Timestamp;
use crate::locale::{self, text};
use crate::model::account::Subscriptions;
use crate::model::contact::JoinWay;
use crate::model::{Account, EmailAddress, Language, List, RequestedChange};
use crate::ops::OpError;
use crate::ops::patterns::Permit;
use crate::ops::people::own::lists as own;
use crate::ops::people::requests::{self, Direction, NewRequest, OPEN_LISTS_MAX};
use crate::params::is_true;
use crate::secret::Purpose;
use crate::store::StoreError;

/// The least age of a form in milliseconds: a form that is sent sooner was not read by a person.
const FORM_AGE_MIN_MS: u64 = 2_000;
/// The greatest age of a form in milliseconds: a week.
const FORM_AGE_MAX_MS: u64 = 7 * 24 * 3_600_000;
/// Longest name of a person, in characters.
const NAME_CHARS_MAX: usize = 200;
/// Lists of one request.
const LISTS_MAX: usize = 100;
/// Seconds after which an address that could not be judged may be tried again.
const RETRY_SECS: u64 = 60;

#[derive(Template)]
#[template(path = "join.html", config = "src/web/askama.toml")]
struct JoinPage {
    frame: Frame,
    problems: FieldProblems,
    direction: Direction,
    title: String,
    lede: String,
    /// The path that the form is sent to.
    action: String,
    /// The signed token that says when the form was shown.
    token: String,
    name: String,
    email: String,
    /// The lists to choose from; none if the form is for one list.
    lists: Vec<Choice>,
    /// The path of the page with all lists, if the form cannot name them all.
    all_lists: Option<String>,
    /// A hint about the list of the form, such as that joining needs approval.
    hint: String,
    digest: bool,
    button: String,
    /// The words beside the button that a person agrees to.
    agreed: String,
    /// The button of a member who is signed in.
    own: Option<OwnJoin>,
    /// The path and the words of the form for the other direction.
    other: Option<(String, String)>,
}

/// The form by which a member who is signed in joins at once, since the address is confirmed already.
struct OwnJoin {
    action: String,
    csrf: String,
    list: u64,
    address: String,
}

/// A list to choose.
struct Choice {
    name: String,
    title: String,
    hint: String,
    is_chosen: bool,
}

#[derive(Template)]
#[template(path = "asked.html", config = "src/web/askama.toml")]
struct AskedPage {
    frame: Frame,
    address: String,
}

/// Where a form was sent from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// The form of this server.
    Own,
    /// A form of another site.
    Elsewhere,
}

/// The form that a request is about: for one list, or for all of an account.
struct JoinForm<'a> {
    context: &'a Context,
    account: &'a Account,
    direction: Direction,
    /// The list of the path.
    only: Option<List>,
}

/// The request of a form, checked.
struct Wish {
    address: EmailAddress,
    name: String,
    lists: Vec<List>,
    digest: Option<bool>,
}

/// `GET /join/` and `GET /lists/{name}/join/`
pub(super) fn page(context: &Context) -> PageResult {
    let form = JoinForm::of(context, context.query.get("action"))?;
    if let Some(list) = &form.only
        && list.name.as_str() != context.param("name")
    {
        return Ok(to_canonical(context, list));
    }
    form.show(StatusCode::OK, FieldProblems::default())
}

/// `GET /subscribe/` and `GET /subscribe.php`: the form, filled in as the address says. It changes nothing.
pub(super) fn elsewhere_page(context: &Context) -> PageResult {
    let form = JoinForm::of(context, context.query.get("action"))?;
    form.chosen(Source::Elsewhere)?;
    form.show(StatusCode::OK, FieldProblems::default())
}

/// Redirects to the path of a list as its name is written.
fn to_canonical(context: &Context, list: &List) -> axum::response::Response {
    let mut location = context.href(&format!("/lists/{}/join/", list.name));
    if let Some(query) = &context.raw_query {
        location.extend(["?", query]);
    }
    (StatusCode::MOVED_PERMANENTLY, [(header::LOCATION, location)]).into_response()
}

/// `POST /join/` and `POST /lists/{name}/join/`
pub(super) async fn send(context: Arc<Context>) -> PageResult {
    ask(context, Source::Own).await
}

/// `POST /subscribe/` and `POST /subscribe.php`: from forms of other sites.
pub(super) async fn send_from_elsewhere(context: Arc<Context>) -> PageResult {
    ask(context, Source::Elsewhere).await
}

async fn ask(context: Arc<Context>, source: Source) -> PageResult {
    let form = JoinForm::of(&context, context.form.get("action"))?;
    let core = &context.core;
    let (client, now) = (context.site.client, core.now());
    let stopped = requests::stopped_until(&context.read()?, &core.config.http, client, now)?;
    if let Some(until) = stopped {
        return Err(too_many(until, now));
    }
    let wish = match form.read(source)? {
        Ok(wish) => wish,
        Err(problems) => return form.show(StatusCode::BAD_REQUEST, problems),
    };
    if form.direction == Direction::Join {
        match core.may_subscribe(form.account.id, &wish.address).await? {
            Permit::Granted => {}
            Permit::Refused => {
                let problem = text!(context.language, "join-email-refused");
                return form.show(StatusCode::BAD_REQUEST, FieldProblems::one("email", problem));
            }
            Permit::Unjudged(_) => return Err(PageError::Busy { retry_secs: RETRY_SECS }),
        }
    }
    let agreed = match source {
        Source::Own => agreed_words(shown_language(&context), form.direction),
        // What the other site has shown is not known.
        Source::Elsewhere => String::new(),
    };
    let request = form.request(&wish, agreed);
    let caller = context.caller();
    let asking = core.perform(&caller, move |tx, by| {
        if let Some(until) = requests::count_client(tx, by, Some(client))? {
            return Ok::<_, OpError>(Some(until));
        }
        requests::ask(tx, by, request)?;
        Ok(None)
    });
    if let Some(until) = asking.await? {
        return Err(too_many(until, now));
    }
    let address = wish.address.as_str().to_owned();
    context.show(&AskedPage { frame: Frame::of(&context), address })
}

fn too_many(until: Timestamp, now: Timestamp) -> PageError {
    PageError::TooMany { retry_secs: until.key().saturating_sub(now.key()).div_ceil(1000).max(1) }
}

/// The language in which the form was shown.
fn shown_language(context: &Context) -> Language {
    locale::from_tag(context.form.get("shown")).unwrap_or(context.language)
}

/// The words beside the button, to which a person agrees by pressing it.
fn agreed_words(language: Language, direction: Direction) -> String {
    match direction {
        Direction::Join => text!(language, "join-agreed"),
        Direction::Leave => text!(language, "join-agreed-leave"),
    }
}

impl<'a> JoinForm<'a> {
    /// The form at the path of the request, for this action. A list that does not exist, or that nobody can join or
    /// leave in this way, has no form.
    fn of(context: &'a Context, action: &str) -> Result<JoinForm<'a>, PageError> {
        let account = context.account.as_ref().ok_or(PageError::NotFound)?;
        let direction = if action == "unsubscribe" { Direction::Leave } else { Direction::Join };
        let only = match context.param("name") {
            "" => None,
            name => {
                let list = requests::find_list(&context.read()?, account, name)?;
                let list = list.filter(|list| direction.is_open(account, list));
                Some(list.ok_or(PageError::NotFound)?)
            }
        };
        Ok(JoinForm { context, account, direction, only })
    }

    /// The values that were sent: by the form, else by the address.
    fn values(&self, field: &'a str) -> Vec<&'a str> {
        let sent = self.context.form.all(field);
        let sent = if self.context.form.is_empty() { self.context.query.all(field) } else { sent };
        sent.map(str::trim).filter(|value| !value.is_empty()).collect()
    }

    fn value(&self, field: &'a str) -> &'a str {
        self.values(field).first().copied().unwrap_or_default()
    }

    /// The lists that were chosen, each once, and the first name that is none that can be chosen. From elsewhere that
    /// is an error.
    fn chosen(&self, source: Source) -> Result<(Vec<List>, Option<&'a str>), PageError> {
        if let Some(list) = &self.only {
            return Ok((vec![list.clone()], None));
        }
        let names = self.values("list");
        if LISTS_MAX < names.len() {
            return Err(PageError::BadRequest);
        }
        let tx = self.context.read()?;
        let mut lists: Vec<List> = Vec::with_capacity(names.len());
        for name in names {
            let list = requests::find_list(&tx, self.account, name)?;
            match list.filter(|list| self.direction.is_open(self.account, list)) {
                Some(list) if lists.iter().any(|other| other.id == list.id) => {}
                Some(list) => lists.push(list),
                None if source == Source::Elsewhere => return Err(PageError::NotFound),
                None => return Ok((lists, Some(name))),
            }
        }
        Ok((lists, None))
    }

    /// The request of the form, or what is wrong with it.
    fn read(&self, source: Source) -> Result<Result<Wish, FieldProblems>, PageError> {
        let (context, language) = (self.context, self.context.language);
        let (lists, unknown) = self.chosen(source)?;
        let mut problems = FieldProblems::default();
        let name = self.value("name").split_whitespace().collect::<Vec<_>>().join(" ");
        if NAME_CHARS_MAX < name.chars().count() {
            problems.add("name", text!(language, "join-name-long", count = NAME_CHARS_MAX));
        } else if name.contains("://") || name.chars().any(char::is_control) {
            problems.add("name", text!(language, "join-name-link"));
        }
        let address = self.address(&mut problems)?;
        if let Some(unknown) = unknown {
            problems.add("lists", text!(language, "join-list-unknown", list = unknown));
        } else if lists.is_empty() {
            problems.add("lists", text!(language, "join-list-missing"));
        }
        // Forms of other sites send whatever their boxes are called, so this is read as the API reads booleans. What is
        // left open follows the address.
        let digest = Some(self.value("digest")).filter(|sent| !sent.is_empty()).map(is_true);
        if !matches!(context.form.get("action"), "" | "subscribe" | "unsubscribe") {
            problems.add("buttons", text!(language, "problem-no-button"));
        }
        if problems.all().is_empty() && source == Source::Own {
            match self.form_age_ms() {
                None => problems.add("buttons", text!(language, "join-form-old")),
                Some(age_ms) if age_ms < FORM_AGE_MIN_MS => {
                    problems.add("buttons", text!(language, "join-form-young"));
                }
                Some(_) => {}
            }
        }
        match address {
            Some(address) if problems.all().is_empty() => Ok(Ok(Wish { address, name, lists, digest })),
            _ => Ok(Err(problems)),
        }
    }

    /// The address of the form, if a mail can be sent there.
    fn address(&self, problems: &mut FieldProblems) -> Result<Option<EmailAddress>, StoreError> {
        let language = self.context.language;
        let typed = self.value("email");
        let problem = match EmailAddress::parse(typed) {
            Ok(address) if requests::can_be_asked(&self.context.read()?, &address)? => {
                return Ok(Some(address));
            }
            Ok(_) => text!(language, "join-email-machine"),
            Err(_) if typed.is_empty() => text!(language, "join-email-missing"),
            Err(_) if !typed.contains('@') => text!(language, "join-email-without-at"),
            Err(_) => text!(language, "join-email-wrong"),
        };
        problems.add("email", problem);
        Ok(None)
    }

    /// How long ago the form was shown, by its token; `None` if it has none, or one that is too old.
    fn form_age_ms(&self) -> Option<u64> {
        let signer = &self.context.core.signer;
        let [shown_ms, account] = signer.open(Purpose::Form, self.context.form.get("token"))?;
        let age_ms = self.context.core.now().key().checked_sub(shown_ms)?;
        (account == self.account.id.0 && age_ms <= FORM_AGE_MAX_MS).then_some(age_ms)
    }

    /// The token of a form that is shown: one that comes back filled in stays as old as it is.
    fn token(&self) -> String {
        if self.form_age_ms().is_some() {
            return self.context.form.get("token").to_owned();
        }
        let core = &self.context.core;
        core.signer.token(Purpose::Form, [core.now().key(), self.account.id.0])
    }

    fn request(&self, wish: &Wish, agreed: String) -> NewRequest {
        let change = |list: &List| match self.direction {
            Direction::Join => RequestedChange::Join { list: list.id, digest: wish.digest },
            Direction::Leave => RequestedChange::Leave { list: list.id },
        };
        NewRequest {
            account: self.account.id,
            address: wish.address.clone(),
            name: wish.name.clone(),
            changes: wish.lists.iter().map(change).collect(),
            agreed,
            way: JoinWay::Web,
            client: Some(self.context.site.client),
        }
    }

    /// Shows the form with what was sent, or empty.
    fn show(&self, status: StatusCode, problems: FieldProblems) -> PageResult {
        let (context, language) = (self.context, self.context.language);
        let path = match &self.only {
            Some(list) => format!("/lists/{}/join/", list.name),
            None => "/join/".to_owned(),
        };
        let (title, lede, button) = match (self.direction, &self.only) {
            (Direction::Join, Some(list)) => (
                text!(language, "join-title-list", list = list.title()),
                text!(language, "join-lede"),
                text!(language, "join-button"),
            ),
            (Direction::Join, None) => {
                (text!(language, "join-title"), text!(language, "join-lede"), text!(language, "join-button"))
            }
            (Direction::Leave, Some(list)) => (
                text!(language, "join-title-leave-list", list = list.title()),
                text!(language, "join-lede"),
                text!(language, "join-button-leave"),
            ),
            (Direction::Leave, None) => (
                text!(language, "join-title-leave"),
                text!(language, "join-lede"),
                text!(language, "join-button-leave"),
            ),
        };
        let lists = self.choices()?;
        let page = JoinPage {
            frame: Frame::of(context),
            problems,
            direction: self.direction,
            title,
            lede,
            action: context.href(&path),
            token: self.token(),
            name: self.value("name").to_owned(),
            email: self.value("email").to_owned(),
            all_lists: (OPEN_LISTS_MAX <= lists.len()).then(|| context.href("/")),
            lists,
            hint: self.only.as_ref().map(|list| self.hint(list)).unwrap_or_default(),
            digest: is_true(self.value("digest")),
            button,
            agreed: agreed_words(language, self.direction),
            own: self.own()?,
            other: self.other(&path)?,
        };
        context.html(status, &page)
    }

    /// A hint about a list for a person who joins or leaves it.
    fn hint(&self, list: &List) -> String {
        if self.direction.how(self.account, list) == Subscriptions::OpenConfirm {
            text!(self.context.language, "join-hint-approval")
        } else {
            String::new()
        }
    }

    /// The lists of the account to choose from, unless the form is for one.
    fn choices(&self) -> Result<Vec<Choice>, PageError> {
        if self.only.is_some() {
            return Ok(Vec::new());
        }
        let (chosen, _) = self.chosen(Source::Own)?;
        let mut open = requests::open_lists(&self.context.read()?, self.account, self.direction)?;
        // A link may choose a list that the form would not name.
        let unnamed = chosen.iter().filter(|list| !open.iter().any(|other| other.id == list.id));
        let unnamed: Vec<List> = unnamed.cloned().collect();
        open.extend(unnamed);
        let choice = |list: List| Choice {
            hint: self.hint(&list),
            is_chosen: chosen.iter().any(|other| other.id == list.id),
            title: list.title().to_owned(),
            name: list.name.to_string(),
        };
        Ok(open.into_iter().map(choice).collect())
    }

    /// The button by which a member who is signed in joins the list of the form.
    fn own(&self) -> Result<Option<OwnJoin>, PageError> {
        let (Direction::Join, Some(list), Some(_)) = (self.direction, &self.only, self.context.member())
        else {
            return Ok(None);
        };
        let (context, tx) = (self.context, self.context.read()?);
        let address = own::joining_address(&tx, &*context.person()?)?.to_string();
        let (action, csrf) = (context.href(MEMBERS), context.csrf());
        Ok(Some(OwnJoin { action, csrf, list: list.id.0, address }))
    }

    /// The form for the other direction, if there is one.
    fn other(&self, path: &str) -> Result<Option<(String, String)>, PageError> {
        let (context, language) = (self.context, self.context.language);
        let (other, query, words) = match self.direction {
            Direction::Join => {
                (Direction::Leave, "?action=unsubscribe", text!(language, "join-instead-leave"))
            }
            Direction::Leave => (Direction::Join, "", text!(language, "join-instead-join")),
        };
        let is_there = match &self.only {
            Some(list) => other.is_open(self.account, list),
            None => requests::is_any_open(&context.read()?, self.account, other)?,
        };
        Ok(is_there.then(|| (format!("{}{query}", context.href(path)), words)))
    }
}
