//! Reads the settings of accounts, and the domains of an account.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::ops::{Deref, DerefMut};

use super::fields::reader;
use super::parse::{As, as_it_is, integer, word};
use super::shape::Shaped as _;
use super::{Item, Params, ReadError};
use crate::model::account::{SettingsChanges, Topic, account_fields};
use crate::model::ranges::is_public;
use crate::model::{Domain, EmailAddress, Permission};
use crate::ops::accounts::manage::{self as ops, AccountInput, DomainInput, NewDomain, NewDomains};
use crate::ops::domains::check_domain;
use crate::ops::domains::new_dkim_keys;
use crate::ops::patterns::PatternField;
use crate::ops::{Caller, Change, Wrong};
use crate::service::Core;

/// Records the problems of the image and the patterns of a new account, or of the account called `name`, if the caller may set
/// patterns.
pub(crate) async fn check_patterns(
    core: &Core,
    caller: &Caller,
    name: Option<&str>,
    input: &mut AccountInput,
) -> Result<(), ReadError> {
    check_image(core, input);
    let settings = &input.settings;
    let (contact, subscription) =
        (settings.restrict_contact.clone(), settings.restrict_contact_subscription.clone());
    if (contact.is_none() && subscription.is_none()) || !caller.holds(Permission::AccountAdmin) {
        return Ok(());
    }
    let (old_contact, old_subscription) = match name {
        Some(name) => ops::restrictions_of(&core.store.read()?, caller, name)?,
        None => (Vec::new(), Vec::new()),
    };
    let fields = [
        PatternField { name: "restrict_contact", new: contact, old: old_contact },
        PatternField { name: "restrict_contact_subscription", new: subscription, old: old_subscription },
    ];
    core.check_patterns(caller.account, fields, &mut input.problems).await;
    Ok(())
}

/// Generates what the domains of a call need and the account does not have yet: keys for those that the operator
/// adds, and verification texts for those that the account adds itself.
pub(crate) async fn new_domains(
    core: &Core,
    caller: &Caller,
    name: &str,
    input: &AccountInput,
) -> Result<NewDomains, ReadError> {
    let own_names = core.own_names();
    let names = ops::new_domains(&core.store.read()?, caller, name, input)?;
    let is_refused = ops::DOMAINS_MAX < names.len()
        || input.problems.names("domains")
        || names.iter().any(|name| check_domain(name).is_err());
    if names.is_empty() || is_refused {
        return Ok(NewDomains { own_names, ..NewDomains::default() });
    }
    let bases: BTreeMap<Domain, NewDomain> = if caller.is_global {
        let make = || names.into_iter().map(|name| (name, NewDomain::Made(new_dkim_keys()))).collect();
        core.passwords.compute(make).await?
    } else {
        names.into_iter().map(|name| (name, NewDomain::Claimed(core.new_verification()))).collect()
    };
    Ok(NewDomains { bases, own_names })
}

/// Reads the fields of a new account.
pub(crate) fn new(params: &mut Params, caller: &Caller) -> AccountInput {
    params.read_only(&["domains"]);
    let domain = params.parsed("domain", Domain::parse);
    let administrator = params.parsed("administrator", EmailAddress::parse);
    AccountInput { domain, administrator, ..input(params, caller) }
}

/// Reads the fields of an existing account.
pub(crate) fn changes(params: &mut Params, caller: &Caller) -> AccountInput {
    params.read_only(&["administrator", "domain"]);
    let domains = params.items("domains", Domain::shape, domain_fields);
    let domains = domains.map(|items| domain_inputs(items, params));
    // Commands change single domains of those that they have read.
    let seen =
        if caller.is_operator() { params.items("seen_domains", Domain::shape, domain_fields) } else { None };
    let seen_domains = seen.map(|items| domain_inputs(items, params));
    AccountInput { domains, seen_domains, ..input(params, caller) }
}

fn input(params: &mut Params, caller: &Caller) -> AccountInput {
    params.read_only(&["id", "lists", "admins"]);
    AccountInput {
        name: params.text("name"),
        description: params.text("description"),
        domain: None,
        administrator: None,
        domains: None,
        seen_domains: None,
        settings: settings(params, caller),
        ccid_enabled: if caller.is_operator() { params.boolean("ccid") } else { None },
        contacts_max: if caller.is_operator() {
            params.parsed("contacts_max", integer(1, ops::CONTACTS_MAX))
        } else {
            None
        },
        problems: params.take_problems(),
    }
}

fn settings(params: &mut Params, caller: &Caller) -> SettingsChanges {
    let mut reader = Reader { params, is_grouped: is_grouped(caller) };
    let mut changes = SettingsChanges::default();
    for topic in Topic::ALL {
        read_topic(&mut reader, *topic, &mut changes);
    }
    changes
}

account_fields! { reader fn read_topic(Reader<'_>) -> SettingsChanges }

/// Reads parameters in the ways that the rows of accounts name: those of [`Params`], and one of its own.
struct Reader<'a> {
    params: &'a mut Params,
    is_grouped: bool,
}

impl Deref for Reader<'_> {
    type Target = Params;

    fn deref(&self) -> &Params {
        self.params
    }
}

impl DerefMut for Reader<'_> {
    fn deref_mut(&mut self) -> &mut Params {
        self.params
    }
}

impl Reader<'_> {
    /// Reads the address of an image; accounts of a group show the group's.
    fn image(&mut self, name: &str) -> Change<Option<String>> {
        if self.is_grouped { None } else { self.nullable(name, web_address) }
    }
}

/// Whether the caller holds a global key, for which accounts form a group.
pub(crate) fn is_grouped(caller: &Caller) -> bool {
    caller.is_global && !caller.is_operator()
}

/// The name of a timezone as the IANA writes it.
fn timezone(text: &str) -> Result<String, Wrong> {
    let zone = jiff::tz::db().get(text.trim()).map_err(|_| Wrong::Timezone)?;
    zone.iana_name().map(str::to_owned).ok_or(Wrong::Timezone)
}

fn web_address(text: &str) -> Result<String, Wrong> {
    let is_address = ["https://", "http://"].iter().any(|scheme| text.starts_with(scheme))
        && !text.chars().any(|c| c.is_control() || c.is_whitespace());
    if is_address { Ok(text.to_owned()) } else { Err(Wrong::Image) }
}

/// Records the problem of an image at an address that this server will not fetch it from, since the network of the
/// server is nobody's but the operator's.
fn check_image(core: &Core, input: &mut AccountInput) {
    let Some(Some(url)) = &input.settings.custom_image else { return };
    if !core.config.allow_private_mx && url_host(url).is_some_and(is_of_own_network) {
        input.problems.add("custom_image", Wrong::ImagePrivate);
    }
}

/// The host in an address of the web; `None` if it has none.
fn url_host(url: &str) -> Option<&str> {
    let rest = url.split_once("://")?.1;
    let authority = rest.split(['/', '?', '#', '\\']).next()?;
    let host = authority.rsplit('@').next()?;
    match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next(),
        None => host.split(':').next(),
    }
}

/// Whether a host is named by an address that is not public, or by the name of the machine itself.
fn is_of_own_network(host: &str) -> bool {
    let host = host.trim_end_matches('.').to_ascii_lowercase();
    let is_local = host == "localhost" || host.ends_with(".localhost");
    is_local || host.parse::<IpAddr>().is_ok_and(|address| !is_public(address))
}

/// The fields of a domain in a call.
#[derive(Default)]
struct DomainFields {
    name: String,
    is_main: Option<bool>,
    is_web: Option<bool>,
    verified: Option<bool>,
}

fn domain_fields(object: &mut Params) -> DomainFields {
    DomainFields {
        name: object.parsed("name", As(Domain::shape, as_it_is)).unwrap_or_default(),
        is_main: object.boolean("is_main"),
        is_web: object.boolean("is_web"),
        verified: object.boolean("verified"),
    }
}

fn domain_inputs(items: Vec<Item>, params: &mut Params) -> Vec<DomainInput> {
    let mut inputs = Vec::with_capacity(items.len());
    for item in items {
        let DomainFields { name, is_main, is_web, verified } = match item {
            Item::Text(name) => DomainFields { name, ..DomainFields::default() },
            Item::Object(mut object) => domain_fields(&mut object),
        };
        match Domain::parse(&name) {
            Ok(name) => inputs.push(DomainInput { name, is_main, is_web, verified }),
            Err(error) => params.problem("domains", Wrong::about(name, error)),
        }
    }
    inputs
}
