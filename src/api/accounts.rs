//! Accounts and their settings: `/accounts/`.
//!
//! `dispatch` calls it. It parses parameters, calls `ops::accounts::manage` and shows the result; what a caller may
//! do is decided there.

use axum::body::Bytes;
use serde::Serialize;

use super::auth::Principal;
use super::error::ApiError;
use super::operation::{Operation, ResponseKind};
use super::request::{GetRequest, Kind, WriteRequest};
use super::shape::{Shaped, View as _, settings, view};
use super::view::{self, Answer, Unpaged};
use crate::http::reference::Shape;
use crate::model::account::{NotifyApproval, Subscriptions, Topic, account_fields};
use crate::model::{
    Account, AccountDomain, Domain, DomainClaim, EmailAddress, Language, ListName, Permission,
};
use crate::net::dns_checker::{DnsStatus, DnsStatuses};
use crate::ops::accounts::manage::{self as ops, AccountDetail};
use crate::ops::domains::new_dkim_keys;
use crate::ops::{Caller, PageRequest};
use crate::params::Params;
use crate::params::accounts::{changes, check_patterns, is_grouped, new, new_domains};
use crate::store::{ReadTx, StoreError};

/// `/accounts/`
pub(super) const ALL: &[Operation] = &[
    Operation::get("Lists accounts; for global keys", ResponseKind::Listing(AccountView::object)),
    Operation::post(
        "Makes an account; for global keys",
        |params| {
            new(params, &own_key());
        },
        ResponseKind::One(WholeView::object),
    )
    .required(&["name", "domain", "administrator"])
    .about(&[("domain", "Its first domain."), ("administrator", "Address of its first administrator.")]),
];
/// `/accounts/{id}/`
pub(super) const ONE: &[Operation] = &[
    Operation::get("Shows an account", ResponseKind::One(WholeView::object)),
    Operation::put(
        "Changes an account",
        |params| {
            changes(params, &own_key());
        },
        ResponseKind::One(WholeView::object),
    )
    .about(&[(
        "domains",
        "All its domains, as names or objects, one of them the main one. One that the account's own key adds takes no \
         mail until the DNS proves it: by a TXT record of _crier. and the name that is the domain's verification, or by \
         an MX record that names this server while no other account adds the same. One that a global key adds needs \
         no proof, unless its verified is false and it was added by the account.",
    )]),
    Operation::delete("Deletes an account with everything in it; for global keys"),
];

/// `GET /accounts/` or `GET /accounts/{id}/`
pub(super) struct GetParams {
    what: What,
    fields: Option<Vec<String>>,
    statuses: DnsStatuses,
}

enum What {
    One(String),
    Page(PageRequest),
}

pub(super) fn get_params(object: Option<&str>, params: &mut Params) -> Result<GetParams, ApiError> {
    let what = match object {
        Some(name) => What::One(name.to_owned()),
        None => What::Page(view::window(params, Unpaged::FirstPage)),
    };
    let fields = view::fields(params);
    ApiError::check(params.take_problems())?;
    Ok(GetParams { what, fields, statuses: DnsStatuses::new() })
}

impl GetRequest for GetParams {
    fn answer(&self, tx: &ReadTx, principal: &Principal) -> Result<Answer, ApiError> {
        let (caller, fields) = (&principal.caller, self.fields.as_deref());
        match &self.what {
            What::One(name) => {
                let detail = ops::get(tx, caller, name)?;
                view::object(&WholeView::new(caller, &detail, &self.statuses), fields).map(Answer::one)
            }
            What::Page(window) => {
                let page = ops::list(tx, caller, *window)?;
                view::listing(&page, *window, fields, |detail| AccountView::new(caller, detail))
            }
        }
    }

    fn is_long(&self, _: &ReadTx, _: &Principal) -> Result<bool, StoreError> {
        // The answer names all lists of an account, or of many accounts.
        Ok(true)
    }

    fn domains(&self, tx: &ReadTx, principal: &Principal) -> Result<Vec<AccountDomain>, ApiError> {
        match &self.what {
            What::One(name) if view::wants(self.fields.as_deref(), "domains") => {
                let (domains, claims) = ops::domains_of(tx, &principal.caller, name)?;
                Ok(looked_at(&domains, &claims))
            }
            What::One(_) | What::Page(_) => Ok(Vec::new()),
        }
    }

    fn claims(&self, tx: &ReadTx, principal: &Principal) -> Result<Vec<DomainClaim>, ApiError> {
        match &self.what {
            What::One(name) if view::wants(self.fields.as_deref(), "domains") => {
                Ok(ops::domains_of(tx, &principal.caller, name)?.1)
            }
            What::One(_) | What::Page(_) => Ok(Vec::new()),
        }
    }

    fn set_dns(&mut self, statuses: DnsStatuses) {
        self.statuses = statuses;
    }

    fn kind(&self) -> Kind {
        // A global key reads accounts whose changes its own generation does not count.
        Kind::Fresh
    }
}

/// The domains whose DNS status is shown: a domain that is not proven yet has no keys.
fn looked_at(domains: &[AccountDomain], claims: &[DomainClaim]) -> Vec<AccountDomain> {
    domains.iter().cloned().chain(claims.iter().map(DomainClaim::unsigned)).collect()
}

/// `POST /accounts/`
pub(super) async fn create(call: WriteRequest<'_>) -> Result<Bytes, ApiError> {
    let WriteRequest { core, principal, params, rate: _, repeatable: _ } = call;
    let caller = &principal.caller;
    // Callers who may not create accounts are refused before any key is generated.
    ops::require_global(caller)?;
    caller.require(Permission::AccountAdmin)?;
    let mut input = new(params, caller);
    check_patterns(core, caller, None, &mut input).await?;
    let dkim = core.passwords.compute(new_dkim_keys).await?;
    let creating = core
        .perform(caller, move |tx, by| ops::create(tx, &by.caller, input, dkim, &by.mail_context, by.now));
    let detail = creating.await?;
    let statuses = core.dns.statuses(&detail.domains).await;
    view::object(&WholeView::new(caller, &detail, &statuses), None)
}

/// `PUT /accounts/{id}/`
pub(super) async fn update(call: WriteRequest<'_>, name: &str) -> Result<Bytes, ApiError> {
    let WriteRequest { core, principal, params, rate: _, repeatable: _ } = call;
    let caller = &principal.caller;
    let mut input = changes(params, caller);
    check_patterns(core, caller, Some(name), &mut input).await?;
    let says_domains = input.domains.is_some();
    let new = new_domains(core, caller, name, &input).await?;
    let changing = name.to_owned();
    let updating =
        core.perform(caller, move |tx, by| ops::update(tx, &by.caller, &changing, input, new, by.now));
    let detail = updating.await?;
    let detail = if says_domains {
        // A domain that was just added may be proven already, here or by the upkeep, which looks at the same time.
        core.check_claims_anew(detail.claims).await;
        ops::get(&core.store.read()?, caller, name)?
    } else {
        detail
    };
    let statuses = core.dns.statuses(&looked_at(&detail.domains, &detail.claims)).await;
    view::object(&WholeView::new(caller, &detail, &statuses), None)
}

/// `DELETE /accounts/{id}/`
pub(super) async fn delete(call: WriteRequest<'_>, name: &str) -> Result<Bytes, ApiError> {
    let name = name.to_owned();
    call.perform_reserved(move |tx, by| ops::delete(tx, &by.caller, &name, by.now)).await?;
    // The account's remaining data is deleted in the background.
    tokio::spawn(call.core.clone().remove_accounts());
    Ok(view::deleted())
}

/// The caller whose fields the description lists: an account's own key may set the most that HTTP accepts.
fn own_key() -> Caller {
    Caller::example_of_key()
}

view! {
    /// An administrator of an account.
    pub(super) struct AdminName<'a> as "AdminName" {
        /// Service identifier.
        id: u64,
        /// Its address.
        username: Option<&'a EmailAddress>,
    }
}

view! {
    /// An account, in a listing.
    struct AccountView<'a> as "AccountSummary" {
        /// Service identifier.
        id: u64,
        /// Unique name; the rules of a list's name hold.
        name: &'a str,
        /// Free text.
        description: &'a str,
        /// Address of its first administrator; null where it has none.
        administrator: Option<&'a EmailAddress>,
        /// Names of its lists. Read-only.
        lists: Vec<&'a ListName>,
        /// Its administrators who are people. Read-only.
        admins: Vec<AdminName<'a>>,
        /// Further fields that only the operator's commands show.
        #[serde(flatten)]
        operated: Option<OperatedView>,
    }
}

/// Fields of an account that only the operator sets, and only the operator's commands show.
#[derive(Serialize)]
struct OperatedView {
    ccid: bool,
    contacts_max: u64,
    contacts: u64,
}

impl Shaped for OperatedView {
    fn shape() -> Shape {
        // Not shown to any key, so the description of the API lists none of its fields.
        Shape::Fields(Vec::new())
    }
}

impl<'a> AccountView<'a> {
    fn new(caller: &Caller, detail: &'a AccountDetail) -> AccountView<'a> {
        let AccountDetail { account, lists, admins, domains: _, proofs: _, claims: _, contacts } = detail;
        // No `..`: a new field is shown or left out on purpose.
        let Account {
            id,
            name,
            description,
            created: _,
            settings: _,
            ccid_enabled,
            contacts_max,
            custom_fields: _,
            fields_made: _,
            leaving_fields: _,
        } = account;
        let admins: Vec<AdminName<'_>> = admins
            .iter()
            .map(|admin| AdminName { id: admin.id.0, username: admin.username.as_ref() })
            .collect();
        AccountView {
            id: id.0,
            name,
            description,
            administrator: admins.first().and_then(|first| first.username),
            lists: lists.iter().collect(),
            admins,
            operated: caller.is_operator().then_some(OperatedView {
                ccid: *ccid_enabled,
                contacts_max: *contacts_max,
                contacts: *contacts,
            }),
        }
    }
}

view! {
    /// A domain of an account.
    pub(super) struct DomainView<'a> as "Domain" {
        /// Its name.
        name: &'a Domain,
        /// Whether lists have their addresses there; it is true of one domain alone.
        is_main: bool,
        /// Whether the account's pages are there.
        is_web: bool,
        /// Whether it receives mail and signs: the operator made it, or the DNS has proven that it is the account's.
        verified: bool,
        /// Text of the TXT record of _crier. and the name that proves it; null where the operator made it. Read-only.
        verification: Option<&'a str>,
        /// Which of its DNS records are right. Read-only.
        dns_status: StatusView,
    }
}

view! {
    /// Which DNS records of a domain are right.
    pub(super) struct StatusView as "DnsStatus" {
        /// Whether mail for the domain comes here.
        mx: bool,
        /// Whether the name leads here.
        a: bool,
        /// Whether its SPF policy lets this server send.
        spf: bool,
        /// Whether its published key is the one that messages are signed with.
        dkim: bool,
    }
}

impl From<DnsStatus> for StatusView {
    fn from(status: DnsStatus) -> StatusView {
        let DnsStatus { mx, a, spf, dkim } = status;
        StatusView { mx, a, spf, dkim }
    }
}

view! {
    /// An account with its settings.
    struct WholeView<'a> as "Account" {
        /// Everything that a listing shows.
        #[serde(flatten)]
        account: AccountView<'a>,
        /// Its settings.
        #[serde(flatten)]
        settings: Settings<'a>,
        /// Its domains, followed by those that it has not proven yet.
        domains: Vec<DomainView<'a>>,
    }
}

account_fields! { settings Settings, |_| true, optional "custom_image" }

impl<'a> WholeView<'a> {
    fn new(caller: &Caller, detail: &'a AccountDetail, statuses: &DnsStatuses) -> WholeView<'a> {
        let mut settings = detail.account.settings.values();
        // Accounts of a group show the group's image.
        settings.retain(|setting| setting.name != "custom_image" || !is_grouped(caller));
        // A domain that was added while the others were looked up has no status yet.
        let status = |name: &Domain| statuses.get(name).copied().unwrap_or_default().into();
        let domain = |domain: &'a AccountDomain| DomainView {
            name: &domain.name,
            is_main: domain.is_main,
            is_web: domain.is_web,
            verified: true,
            verification: detail.proofs.get(&domain.id).map(|proof| proof.verification.as_str()),
            dns_status: status(&domain.name),
        };
        let claim = |claim: &'a DomainClaim| DomainView {
            name: &claim.name,
            is_main: false,
            is_web: false,
            verified: false,
            verification: Some(&claim.verification),
            dns_status: status(&claim.name),
        };
        WholeView {
            account: AccountView::new(caller, detail),
            settings: Settings(settings),
            domains: detail.domains.iter().map(domain).chain(detail.claims.iter().map(claim)).collect(),
        }
    }
}
