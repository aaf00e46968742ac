//! Simulates the posting of a message to a list (`spec/mail.md` 10), for the API and the command line.
//!
//! It uses the same functions as a real post: all of [`acceptance`], the transformation, the expansion into recipients.
//! Nothing is sent, nothing is stored, no number is used.

use std::iter;
use std::net::{IpAddr, Ipv4Addr};

use crate::clock::Timestamp;
use crate::config::Delivery;
use crate::mail::envelope::{DsnOptions, Envelope, Notify, Origin, ReversePath, Route};
use crate::mail::submission::read_sender;
use crate::mail::taboo::TabooText;
use crate::mail::{self, Inbound, ParseError, Personal, RULES, Verdict};
use crate::model::{AccountId, Authentication, Domain, List, ListId, MessageId, Permission};
use crate::ops::delivery::outgoing::{DmarcExposure, Outgoing, outgoing};
use crate::ops::domains::links::ServerLinks;
use crate::ops::limits::Limits;
use crate::ops::patterns::Judge;
use crate::ops::posting::acceptance::{self, Acceptance, MailToList};
use crate::ops::posting::inbound::{Refusal, commands};
use crate::ops::queue::fan_out::{Reach, reach};
use crate::ops::{Caller, OpError, Wrong, domains, lists};
use crate::schema::{ACCOUNT_ALL, LIST_BY_NAME};
use crate::store::{Condition, Key, Read, StoreError};

/// A number that no message has, in place of the real one in links.
const NO_MESSAGE: MessageId = MessageId(0);
/// The placeholder for a member's token in links and envelope senders.
const TOKEN: &str = "TOKEN";
/// The recipient of the copy.
const MEMBER: &str = "member@example.org";

/// The result of a simulation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Simulation {
    /// Name of the list.
    pub list: String,
    /// Every rule in order, with its verdict if it has one. No rule is applied to a message that cannot be parsed.
    pub rules: Vec<(&'static str, Option<Verdict>)>,
    /// The evidence for its author that the message carries.
    pub authentication: Authentication,
    /// The decision, for mail that comes from a server in the network.
    pub acceptance: Acceptance,
    /// The number of addresses that would get a copy, and of those that are paused.
    pub reach: Reach,
    /// The copy of a member; `None` for a message that cannot be parsed.
    pub copy: Option<CopyOfMember>,
}

/// The copy that a member would get.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CopyOfMember {
    /// Header fields in order, each value on one line as it is sent. Signatures are missing, since they are made when a
    /// copy is sent.
    pub headers: Vec<(String, String)>,
    /// The changes that the list makes, in words.
    pub changes: Vec<String>,
    /// Its size.
    pub size_bytes: u64,
}

/// A message to simulate.
#[derive(Debug)]
pub struct Sample {
    /// The parsed message.
    message: Result<Inbound, ParseError>,
    /// The envelope that SMTP would have.
    envelope: Envelope,
}

impl Sample {
    /// Parses a message. `from` is its envelope sender, with a blank text or `<>` for the empty one; if unset, the
    /// author is the sender. `authentication` is the proof that its signatures give
    /// ([`DnsChecker::authenticate`](crate::net::dns_checker::DnsChecker::authenticate)).
    #[must_use]
    pub fn new(raw: Vec<u8>, from: Option<&str>, authentication: Authentication) -> Sample {
        let size_bytes = raw.len() as u64;
        let message = mail::parse(raw);
        let author = message.as_ref().ok().and_then(|inbound| inbound.from.as_ref());
        let reverse_path = match (from, author) {
            (Some(from), _) => read_sender(from).unwrap_or_else(|| ReversePath::Other(from.to_owned())),
            (None, Some(author)) => ReversePath::Address(author.address.clone()),
            (None, None) => ReversePath::Other(String::new()),
        };
        let envelope = Envelope {
            client: IpAddr::V4(Ipv4Addr::LOCALHOST),
            helo: String::new(),
            tls: false,
            reverse_path,
            recipients: Vec::new(),
            smtputf8: false,
            requires_tls: false,
            authentication,
            dsn_options: DsnOptions::default(),
            origin: Origin::Relay,
            proven_domains: Vec::new(),
            size_bytes,
        };
        Sample { message, envelope }
    }
}

/// The list of this name, for a caller who may change its rules or decide about its held messages.
pub fn list_for(tx: &impl Read, caller: &Caller, name: &str) -> Result<ListId, OpError> {
    require(caller)?;
    match lists::id_of(tx, caller, name) {
        Err(OpError::NotFound { what }) => match commands::described(tx, caller.account, name)? {
            Some((list, taken)) if caller.limits.sees_list(list) => Err(OpError::invalid("list", taken)),
            _ => Err(OpError::NotFound { what }),
        },
        found => found,
    }
}

/// Passes if the caller may simulate posts to lists that it sees.
pub fn require(caller: &Caller) -> Result<(), OpError> {
    if caller.holds(Permission::ManageSettings) {
        return Ok(());
    }
    caller.require(Permission::ApproveMessages)
}

/// The list that an operator names: by its address, or by its name if only one account has such a list.
pub fn find_list(tx: &impl Read, name: &str) -> Result<List, OpError> {
    let invalid = |problem: Wrong| OpError::invalid("list", problem);
    let missing = || Wrong::NoList { name: name.to_owned() };
    if let Some((local, at)) = name.rsplit_once('@') {
        let unknown = || invalid(Wrong::NoDomainHere { name: at.to_owned() });
        let domain = Domain::parse(at).map_err(|_| unknown())?;
        let domain = domains::find(tx, &domain)?.ok_or_else(unknown)?;
        let key = Key::new().u64(domain.account.0).text(&local.to_lowercase());
        return match tx.find(&LIST_BY_NAME, &key)? {
            Some(list) => Ok(list),
            None => Err(no_list(tx, [domain.account], local, missing())?),
        };
    }
    let mut found = Vec::new();
    let accounts = tx.ids(&ACCOUNT_ALL, &Key::new().into(), usize::MAX)?;
    for account in &accounts {
        found.extend(tx.find(&LIST_BY_NAME, &Key::new().u64(*account).text(&name.to_lowercase()))?);
    }
    match found.len() {
        0 => {
            let accounts = accounts.into_iter().map(AccountId);
            Err(no_list(tx, accounts, name, missing())?)
        }
        1 => Ok(found.remove(0)),
        count => Err(invalid(Wrong::SeveralLists { count, name: name.to_owned() })),
    }
}

/// An account's list by its name.
pub fn find_list_of(tx: &impl Read, account: AccountId, name: &str) -> Result<List, OpError> {
    match tx.find(&LIST_BY_NAME, &Key::new().u64(account.0).text(&name.to_lowercase()))? {
        Some(list) => Ok(list),
        None => Err(no_list(tx, [account], name, Wrong::NoListOfAccount { name: name.to_owned() })?),
    }
}

/// The error for a name that is no list's. For an address that takes commands, it says how mail to it is handled.
fn no_list(
    tx: &impl Read,
    accounts: impl IntoIterator<Item = AccountId>,
    name: &str,
    problem: Wrong,
) -> Result<OpError, StoreError> {
    for account in accounts {
        if let Some((_, taken)) = commands::described(tx, account, name)? {
            return Ok(OpError::invalid("list", taken));
        }
    }
    Ok(OpError::invalid("list", problem))
}

/// Simulates a message at a list now, with the store in `condition`. Blocks while `patterns` are matched.
///
/// Lists that `limits` hide are left out of `restrict_post_lists`, so the result reveals nothing about their members.
pub fn simulate(
    (tx, condition): (&impl Read, Condition),
    patterns: &Judge<'_>,
    list: ListId,
    limits: &Limits,
    sample: Sample,
    links: &ServerLinks,
    now: Timestamp,
) -> Result<Simulation, OpError> {
    let mut list: List = tx.get(list.0)?.ok_or(OpError::NotFound { what: "list" })?;
    list.restrict_post_lists.retain(|restricted| limits.sees_list(*restricted));
    let Sample { message, envelope } = sample;
    let early = refusal_before_reading(&list, &condition, &envelope);
    let route = Route::List { list: list.id, limit_bytes: list.maxlength_bytes() };
    let reach = reach(tx, &list, now)?;
    let readable = message.map_err(Refusal::Malformed).and_then(|inbound| {
        acceptance::check_form(&inbound, iter::once(route))?;
        Ok(inbound)
    });
    let name = list.name.as_str().to_owned();
    let authentication = envelope.authentication.clone();
    let inbound = match readable {
        Ok(inbound) => inbound,
        Err(malformed) => {
            let (rules, acceptance) = (Vec::new(), Acceptance::Refused(early.unwrap_or(malformed)));
            return Ok(Simulation { list: name, rules, authentication, acceptance, reach, copy: None });
        }
    };
    let taboo = patterns.taboo(&list, &TabooText::new(&inbound));
    let notify = Notify::DEFAULT;
    let mail = MailToList { envelope: &envelope, inbound: &inbound, notify, taboo: taboo.as_ref(), now };
    let rules = acceptance::with_posting(tx, &list, &mail, |posting| {
        RULES.iter().map(|(name, rule)| (*name, rule(posting))).collect()
    })?;
    let acceptance = match early {
        Some(refusal) => Acceptance::Refused(refusal),
        None => acceptance::at_list(tx, &list, &mail)?.acceptance,
    };
    let exposure = exposure_of(tx, &list, &inbound, &authentication)?;
    let copy = copy_of_member(tx, &list, &inbound, exposure, links, now)?;
    Ok(Simulation { list: name, rules, authentication, acceptance, reach, copy })
}

/// The refusal of a message before its text is read.
fn refusal_before_reading(list: &List, condition: &Condition, envelope: &Envelope) -> Option<Refusal> {
    if let Some(refusal) = acceptance::refusal_of_disk(condition) {
        return Some(refusal);
    }
    match acceptance::route_to(list, Some(envelope.size_bytes)) {
        Ok(route) => acceptance::refusal_of_author(&envelope.authentication, iter::once(route)),
        Err(refusal) => Some(refusal),
    }
}

/// The exposure of the author's name. An author at one of the account's own domains has none.
fn exposure_of(
    tx: &impl Read,
    list: &List,
    inbound: &Inbound,
    found: &Authentication,
) -> Result<DmarcExposure, StoreError> {
    let Some(from) = &inbound.from else { return Ok(DmarcExposure::Free) };
    let domains = domains::of_account(tx, list.account)?;
    if domains::signing_domain(&domains, from.address.as_str()).is_some() {
        return Ok(DmarcExposure::Free);
    }
    Ok(DmarcExposure::of(found.policy, from.address.domain(), found.is_signed_by_author))
}

/// The copy for a recipient of whom nothing is known.
fn copy_of_member(
    tx: &impl Read,
    list: &List,
    inbound: &Inbound,
    exposure: DmarcExposure,
    links: &ServerLinks,
    now: Timestamp,
) -> Result<Option<CopyOfMember>, StoreError> {
    let domain = domains::main_domain(tx, list.account)?.name;
    let links = links.of(tx, list.account)?;
    let (post, own) = ((NO_MESSAGE, now), Delivery::Individual);
    let Some(Outgoing { shared, .. }) = outgoing(tx, list, inbound, post, exposure, &links, own)? else {
        return Ok(None);
    };
    let unsubscribe_url = links.unsubscribe(TOKEN);
    let members = links.members();
    let personal = Personal {
        email: MEMBER,
        first_name: "",
        surname: "",
        unsubscribe_url: &unsubscribe_url,
        unsubscribe_mailto: &format!("mailto:confirm+{TOKEN}@{domain}"),
        manage_url: members.as_ref().unwrap_or(&unsubscribe_url),
        envelope_sender: &format!("bounces+{TOKEN}@{domain}"),
        custom: &[],
    };
    let mut copy = Vec::new();
    let body_start = shared.render(&personal, &mut copy);
    Ok(Some(CopyOfMember {
        headers: mail::header_fields(&copy[..body_start]),
        changes: shared.changes.iter().map(ToString::to_string).collect(),
        size_bytes: u64::try_from(copy.len()).unwrap_or(u64::MAX),
    }))
}
