//! The domains of an account, each with the DNS records that it needs and whether the DNS has them:
//! `/admin/settings/domains/`.

use std::sync::Arc;

use askama::Template;
use axum::http::StatusCode;

use crate::locale::text;
use crate::model::{AccountDomain, Domain, DomainClaim, Language};
use crate::ops::accounts::manage::{self as ops, AccountInput, DomainInput};
use crate::ops::domains::records::{DnsRecord, Purpose, ServerNames, claim_records, dns_records};
use crate::ops::{Caller, OpError, Said};
use crate::params::{ReadError, accounts};
use crate::service::inspect::{State, states};
use crate::web::admin::parts::fields::refusal;
use crate::web::assets;
use crate::web::context::Context;
use crate::web::error::{PageError, PageResult};
use crate::web::form::FieldProblems;
use crate::web::frame::Frame;

/// The path of the page.
const PATH: &str = "/admin/settings/domains/";

#[derive(Template)]
#[template(path = "admin_domains.html", config = "src/web/askama.toml")]
struct DomainsPage {
    frame: Frame,
    csrf: String,
    action: String,
    settings: String,
    fields: String,
    problems: FieldProblems,
    told: Option<String>,
    domains: Vec<DomainView>,
    /// The name that was typed.
    name: String,
}

struct DomainView {
    name: String,
    /// The `id` of its section.
    id: String,
    is_main: bool,
    is_web: bool,
    is_proven: bool,
    /// How many of the records are right, in words.
    caption: String,
    records: Vec<RecordView>,
}

struct RecordView {
    purpose: String,
    kind: &'static str,
    /// The name and the value in pieces, between which a line may end.
    name: Vec<String>,
    value: Vec<String>,
    /// Whether the value is words about a value that this server does not know.
    is_words: bool,
    state: String,
    /// The class of the state's badge.
    tone: &'static str,
    /// The value in the DNS, where it is another.
    found: String,
}

/// `GET /admin/settings/domains/`
pub(in crate::web) async fn page(context: Arc<Context>) -> PageResult {
    let language = context.language;
    let told = match context.query.get("done") {
        "added" => Some(text!(language, "domains-added")),
        "main" => Some(text!(language, "domains-main-done")),
        "web" => Some(text!(language, "domains-web-done")),
        "removed" => Some(text!(language, "domains-removed")),
        "checked" => Some(text!(language, "domains-checked")),
        _ => None,
    };
    show(&context, StatusCode::OK, told, FieldProblems::default()).await
}

/// `POST /admin/settings/domains/`
pub(in crate::web) async fn act(context: Arc<Context>) -> PageResult {
    let name = context.form.get("name").trim().to_owned();
    let name = match Domain::parse(&name) {
        _ if context.form.get("action") == "check" => return check(&context).await,
        Ok(name) => name,
        Err(problem) => {
            let label = text!(context.language, "domains-name");
            let mut problems = FieldProblems::default();
            problems.add_named(context.language, "name", label, &problem);
            return show(&context, StatusCode::BAD_REQUEST, None, problems).await;
        }
    };
    let mut domains = present(&context)?;
    let is_known = domains.iter().any(|domain| domain.name == name);
    let done = match context.form.get("action") {
        "" | "add" if is_known => {
            let words = text!(context.language, "domains-there", name = name.to_string());
            return show(&context, StatusCode::CONFLICT, None, FieldProblems::one("name", words)).await;
        }
        "" | "add" => {
            domains.push(DomainInput::named(name));
            "added"
        }
        _ if !is_known => return Err(PageError::NotFound),
        "main" => {
            for domain in &mut domains {
                domain.is_main = Some(domain.name == name);
            }
            "main"
        }
        "web" => {
            for domain in &mut domains {
                domain.is_web = Some(domain.name == name);
            }
            "web"
        }
        "remove" => {
            domains.retain(|domain| domain.name != name);
            "removed"
        }
        _ => return Err(PageError::BadRequest),
    };
    match set(&context, domains).await {
        Ok(()) => Ok(context.see_other(&format!("{PATH}?done={done}"))),
        Err(ReadError::Op(error)) => {
            let (status, found) = refusal(error)?;
            let mut problems = FieldProblems::default();
            for problem in found.iter() {
                problems.add("name", problem.problem.say(context.language));
            }
            show(&context, status, None, problems).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Looks for the proofs of claimed domains once more.
async fn check(context: &Context) -> PageResult {
    let (_, claims) = holdings(context)?;
    context.core.check_claims_anew(claims).await;
    Ok(context.see_other(&format!("{PATH}?done=checked")))
}

fn holdings(context: &Context) -> Result<(Vec<AccountDomain>, Vec<DomainClaim>), PageError> {
    let caller = context.administrator()?;
    Ok(ops::domains_of(&context.read()?, caller, &account_name(caller))?)
}

fn account_name(caller: &Caller) -> String {
    caller.account.0.to_string()
}

/// The domains as a call would name them.
fn present(context: &Context) -> Result<Vec<DomainInput>, PageError> {
    let (domains, claims) = holdings(context)?;
    let domains = domains.into_iter().map(|domain| DomainInput {
        is_main: Some(domain.is_main),
        is_web: Some(domain.is_web),
        ..DomainInput::named(domain.name)
    });
    let claims = claims
        .into_iter()
        .map(|claim| DomainInput { verified: Some(false), ..DomainInput::named(claim.name) });
    Ok(domains.chain(claims).collect())
}

/// Gives the account these domains, as a call of the API does.
async fn set(context: &Context, domains: Vec<DomainInput>) -> Result<(), ReadError> {
    let caller = context.administrator().map_err(|_| OpError::NotFound { what: "account" })?;
    let (core, name) = (&context.core, account_name(caller));
    let input = AccountInput { domains: Some(domains), ..AccountInput::default() };
    let new = accounts::new_domains(core, caller, &name, &input).await?;
    let job = core.perform(caller, move |tx, by| ops::update(tx, &by.caller, &name, input, new, by.now));
    let detail = job.await?;
    // A domain that was just added may be proven already.
    core.check_claims_anew(detail.claims).await;
    Ok(())
}

async fn show(
    context: &Context,
    status: StatusCode,
    told: Option<String>,
    problems: FieldProblems,
) -> PageResult {
    let language = context.language;
    let (domains, claims) = holdings(context)?;
    let server = ServerNames::of(&context.core.config, context.core.links.base_url());
    let mut views = Vec::with_capacity(domains.len() + claims.len());
    for domain in &domains {
        let records = look(context, dns_records(domain, &server), &server).await;
        let AccountDomain { name, is_main, is_web, .. } = domain;
        views.push(view(language, name, (*is_main, *is_web, true), records));
    }
    for claim in &claims {
        let records = look(context, claim_records(claim, &server), &server).await;
        views.push(view(language, &claim.name, (false, false, false), records));
    }
    let is_adding = matches!(context.form.get("action"), "" | "add");
    let page = DomainsPage {
        frame: Frame::of(context),
        csrf: context.csrf(),
        action: context.href(PATH),
        settings: context.href("/admin/settings/"),
        fields: context.href("/admin/settings/fields/"),
        problems,
        told,
        domains: views,
        name: if is_adding { context.form.get("name").to_owned() } else { String::new() },
    };
    context.html(status, &page).map(assets::with_script)
}

/// Asks the DNS for records.
async fn look(context: &Context, records: Vec<DnsRecord>, server: &ServerNames) -> Vec<(DnsRecord, State)> {
    let states = states(Arc::clone(&context.core.dns), server.clone(), &records).await;
    records.into_iter().zip(states).collect()
}

fn view(
    language: Language,
    name: &Domain,
    (is_main, is_web, is_proven): (bool, bool, bool),
    records: Vec<(DnsRecord, State)>,
) -> DomainView {
    let right = records.iter().filter(|(_, state)| *state == State::Right).count();
    DomainView {
        id: format!("d-{}", name.as_str().replace('.', "-")),
        name: name.to_string(),
        is_main,
        is_web,
        is_proven,
        caption: text!(language, "domains-right", right = right, count = records.len()),
        records: records.into_iter().map(|(record, state)| record_view(language, record, state)).collect(),
    }
}

fn record_view(language: Language, record: DnsRecord, state: State) -> RecordView {
    let DnsRecord { purpose, kind, name, value } = record;
    let (words, tone) = match &state {
        State::Right => (text!(language, "dns-right"), "good"),
        State::Missing => (text!(language, "dns-missing"), "bad"),
        State::Wrong(_) => (text!(language, "dns-wrong"), "bad"),
        State::Unknown(_) => (text!(language, "dns-unknown"), "warn"),
    };
    let is_words = value.is_empty();
    let value = if is_words { text!(language, "dns-own-address") } else { value };
    RecordView {
        purpose: purpose_words(language, purpose),
        kind,
        name: pieces(&name),
        value: pieces(&value),
        is_words,
        state: words,
        tone,
        found: state.found().unwrap_or_default(),
    }
}

fn pieces(text: &str) -> Vec<String> {
    text.split_inclusive(['.', '=', ':', ';']).map(str::to_owned).collect()
}

fn purpose_words(language: Language, purpose: Purpose) -> String {
    match purpose {
        Purpose::Mail => text!(language, "dns-mail"),
        Purpose::HostAddress => text!(language, "dns-host"),
        Purpose::WebAddress => text!(language, "dns-web"),
        Purpose::Sending => text!(language, "dns-sending"),
        Purpose::Signature => text!(language, "dns-signature"),
        Purpose::NextSignature => text!(language, "dns-next-signature"),
        Purpose::Policy => text!(language, "dns-policy"),
        Purpose::Reverse => text!(language, "dns-reverse"),
        Purpose::Proof => text!(language, "dns-proof"),
    }
}
