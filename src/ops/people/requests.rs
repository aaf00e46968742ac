//! Requests that the owner of an address must confirm: how they are taken, limited, mailed and looked up.
//!
//! Every way in ends here: the join form, forms of other sites, mail to a list's addresses, members' own pages. A
//! request changes nothing but what waits to be confirmed. Limits that concern the address are silent, so that nobody
//! learns from an answer whether an address is known, or was asked already. `carry_out` does what was confirmed.

mod asking;
mod carry_out;

pub use asking::{change_in_words, outcome_in_words};
pub use carry_out::{Join, Outcome, Refusal, carry_out_join, confirm, join_as_contact};

use std::net::IpAddr;

use crate::clock::Timestamp;
use crate::config::HttpLimits;
use crate::model::account::Subscriptions;
use crate::model::contact::JoinWay;
use crate::model::{
    Account, AccountId, Confirmation, ConfirmationId, Consent, Domain, EmailAddress, List, ListId,
    RequestedChange,
};
use crate::ops::allowances::{
    self, CONFIRMATIONS_OF_CHANGE, CONFIRMATIONS_TO_ADDRESS, REQUESTS_OF_CLIENT, Subject,
};
use crate::ops::domains;
use crate::ops::notices::system_mails::{confirm_address, is_a_person};
use crate::ops::people::{memberships, subscribe};
use crate::ops::{OpContext, OpError};
use crate::schema::{
    CONFIRMATION_BY_ADDRESS, CONFIRMATION_BY_LIST, CONSENT_BY_ADDRESS, LIST_BY_ACCOUNT, Listed,
};
use crate::secret::{Purpose, Signer};
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

/// A request that somebody makes for an address.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewRequest {
    /// The account of the lists.
    pub account: AccountId,
    /// The address whose owner must confirm.
    pub address: EmailAddress,
    /// The name of the person; blank if the request gives none.
    pub name: String,
    /// The changes.
    pub changes: Vec<RequestedChange>,
    /// The words that the person agreed to; blank if none were shown.
    pub agreed: String,
    /// The way in which the request came.
    pub way: JoinWay,
    /// The network address from which it came, if a network was involved.
    pub client: Option<IpAddr>,
}

/// The result of a request. The person who asked is told the same for both.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// The owner of the address is asked to confirm.
    Mailed,
    /// The owner of the address was asked often enough.
    Withheld,
}

/// A request that was stored, with what a mail about it must contain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recorded {
    /// The request, with the changes that the limits leave.
    pub confirmation: Confirmation,
    /// The link that confirms it.
    pub link: String,
    /// The address to which a reply confirms it.
    pub reply_to: EmailAddress,
}

/// The state of a request whose link was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It can be confirmed.
    Waiting,
    /// It was confirmed.
    Used,
    /// Nobody confirmed it in time.
    Expired,
}

/// A request whose link was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Opened {
    /// The request.
    pub confirmation: Confirmation,
    /// Its state.
    pub state: State,
}

/// The direction of a request: to join, or to leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// Into a list.
    Join,
    /// Out of a list.
    Leave,
}

impl Direction {
    /// The rule for requests in this direction: open, with approval, or closed.
    #[must_use]
    pub fn how(self, account: &Account, list: &List) -> Subscriptions {
        match self {
            Direction::Join => subscriptions(account, list),
            Direction::Leave => unsubscriptions(account, list),
        }
    }

    /// Whether people can ask to go this way.
    #[must_use]
    pub fn is_open(self, account: &Account, list: &List) -> bool {
        !list.pending && self.how(account, list) != Subscriptions::Closed
    }
}

/// The list of an account by its name in any case, or by its address.
pub fn find_list(tx: &impl Read, account: &Account, text: &str) -> Result<Option<List>, StoreError> {
    let name = match text.rsplit_once('@') {
        None => text,
        Some((local, domain)) => {
            let Ok(domain) = Domain::parse(domain) else { return Ok(None) };
            let found = domains::find(tx, &domain)?;
            if found.is_none_or(|domain| domain.account != account.id) {
                return Ok(None);
            }
            local
        }
    };
    memberships::find_list_known_as(tx, account.id, name)
}

/// Lists among which one form lets people choose, at most.
pub const OPEN_LISTS_MAX: usize = 200;
/// Lists that are looked at for that, the oldest first.
const LISTS_READ_MAX: usize = 1000;
/// Lists that are read at a time to see whether any is open.
const LISTS_READ_AT_A_TIME: usize = 20;

/// The lists of an account that people can ask to join or to leave and that its directory shows to everybody, by title;
/// of an account with many lists, the first ones.
pub fn open_lists(tx: &impl Read, account: &Account, direction: Direction) -> Result<Vec<List>, StoreError> {
    let of_account = Key::new().u64(account.id.0);
    let mut lists: Vec<List> = tx.page(&LIST_BY_ACCOUNT, &of_account.into(), LISTS_READ_MAX)?;
    lists.retain(|list| is_offered(account, list, direction));
    lists.truncate(OPEN_LISTS_MAX);
    lists.sort_by_cached_key(|list| list.title().to_lowercase());
    Ok(lists)
}

/// Whether [`open_lists`] has any list; ends with the first.
pub fn is_any_open(tx: &impl Read, account: &Account, direction: Direction) -> Result<bool, StoreError> {
    let of_account = IndexRange::prefix(Key::new().u64(account.id.0));
    let (mut after, mut looked_at) = (0, 0);
    while looked_at < LISTS_READ_MAX {
        let lists: Vec<List> =
            tx.page(&LIST_BY_ACCOUNT, &of_account.clone().after_id(after), LISTS_READ_AT_A_TIME)?;
        if lists.iter().any(|list| is_offered(account, list, direction)) {
            return Ok(true);
        }
        let Some(last) = lists.last() else { break };
        after = last.id.0;
        looked_at += lists.len();
    }
    Ok(false)
}

fn is_offered(account: &Account, list: &List, direction: Direction) -> bool {
    direction.is_open(account, list) && is_listed(account, list)
}

/// Whether the directory shows a list to everybody.
fn is_listed(account: &Account, list: &List) -> bool {
    match Listed::of(list) {
        Some(Listed::ToAll) => true,
        Some(Listed::IfJoinable | Listed::IfJoinableOrReadable) => {
            account.settings.subscriptions != Subscriptions::Closed
        }
        Some(Listed::IfReadable) | None => false,
    }
}

/// Whether an address may be asked to confirm something. Those of machines may not, nor those at which this server
/// itself takes mail: a list would send the link to its members.
pub fn can_be_asked(tx: &impl Read, address: &EmailAddress) -> Result<bool, StoreError> {
    let domain = Domain::parse(address.domain()).ok();
    let is_ours = match domain {
        Some(domain) => domains::find(tx, &domain)?.is_some(),
        None => false,
    };
    Ok(is_a_person(address) && !is_ours)
}

/// How people join a list on their own.
#[must_use]
pub fn subscriptions(account: &Account, list: &List) -> Subscriptions {
    list.subscriptions.unwrap_or(account.settings.subscriptions)
}

/// How people leave a list on their own.
#[must_use]
pub fn unsubscriptions(account: &Account, list: &List) -> Subscriptions {
    list.unsubscriptions.unwrap_or(account.settings.unsubscriptions)
}

/// Whether requests of a client are counted. Those of this machine are not, unless a proxy on it passes on requests of
/// others.
fn is_counted(client: IpAddr, limits: &HttpLimits) -> bool {
    let is_proxy = || limits.trusted_proxies.iter().any(|network| network.contains(client));
    !client.is_loopback() || is_proxy()
}

/// When a client that has made too many requests that cause mail may make the next one; `None` if it may now.
pub fn stopped_until(
    tx: &impl Read,
    limits: &HttpLimits,
    client: IpAddr,
    now: Timestamp,
) -> Result<Option<Timestamp>, StoreError> {
    if !is_counted(client, limits) {
        return Ok(None);
    }
    allowances::used_up_until(tx, REQUESTS_OF_CLIENT, &Subject::client(client), now)
}

/// Counts a request that causes mail to an address that its client names. Returns when the client may make the next
/// one, if it has made too many.
pub fn count_client(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    client: Option<IpAddr>,
) -> Result<Option<Timestamp>, StoreError> {
    let limits = &by.mail_context.config.http;
    let Some(client) = client.filter(|client| is_counted(*client, limits)) else { return Ok(None) };
    Ok(allowances::take(tx, REQUESTS_OF_CLIENT, &Subject::client(client), by.now)?.err())
}

/// The limit of one mail a day for a kind of change of a list; `None` for changes that no list has.
fn daily_subject(address: &EmailAddress, change: &RequestedChange) -> Option<Subject> {
    let (list, kind) = match change {
        RequestedChange::Join { list, .. } => (*list, 0),
        RequestedChange::Leave { list } => (*list, 1),
        RequestedChange::Digest { list, .. } => (*list, 2),
        RequestedChange::Pause
        | RequestedChange::Resume
        | RequestedChange::AddAddress { .. }
        | RequestedChange::ReplaceAddress { .. } => return None,
    };
    Some(Subject::change(address, list, kind))
}

/// The changes for which the address may be written to today, each counted.
fn within_limits(
    tx: &mut WriteTx<'_>,
    address: &EmailAddress,
    changes: Vec<RequestedChange>,
    now: Timestamp,
) -> Result<Vec<RequestedChange>, StoreError> {
    let of_address = Subject::mailbox(address);
    if !allowances::is_left(tx, CONFIRMATIONS_TO_ADDRESS, &of_address, now)? {
        return Ok(Vec::new());
    }
    let mut left = Vec::with_capacity(changes.len());
    for change in changes {
        let is_left = match daily_subject(address, &change) {
            Some(subject) => allowances::take(tx, CONFIRMATIONS_OF_CHANGE, &subject, now)?.is_ok(),
            None => true,
        };
        if is_left {
            left.push(change);
        }
    }
    if !left.is_empty() {
        let taken = allowances::take(tx, CONFIRMATIONS_TO_ADDRESS, &of_address, now)?;
        debug_assert!(taken.is_ok(), "one was left");
    }
    Ok(left)
}

/// Stores a request within the limits of its address, without writing a mail. `None` if the limits leave nothing of it.
/// A caller that answers with a mail of its own names the link there.
pub fn record(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    request: NewRequest,
) -> Result<Option<Recorded>, OpError> {
    let NewRequest { account, address, name, changes, agreed, way, client } = request;
    let changes = within_limits(tx, &address, changes, by.now)?;
    if changes.is_empty() {
        return Ok(None);
    }
    let id = ConfirmationId(tx.next_id::<Confirmation>()?);
    let requested = by.now;
    let confirmation =
        Confirmation { id, account, address, name, changes, requested, client, way, agreed, done: None };
    tx.put(&confirmation)?;
    let token = token(&by.mail_context.signer, id);
    let links = by.mail_context.links.of(tx, account)?;
    let link = links.confirm(&token).unwrap_or_default();
    let reply_to = confirm_address(&token, &domains::main_domain(tx, account)?)?;
    Ok(Some(Recorded { confirmation, link, reply_to }))
}

/// Takes a request: asks the owner of its address to confirm it, as far as the limits of the address allow. One request
/// is one mail, for all its lists. Nobody is asked to leave a list of which the address is no member: a stranger could
/// have mail sent to anybody so.
pub fn ask(tx: &mut WriteTx<'_>, by: &OpContext, mut request: NewRequest) -> Result<Asked, OpError> {
    let account: Account = tx.get(request.account.0)?.ok_or(OpError::NotFound { what: "account" })?;
    if !can_be_asked(tx, &request.address)? {
        return Ok(Asked::Withheld);
    }
    let owner = carry_out::find_owner(tx, &account, &request.address)?.map(|(contact, _)| contact);
    let mut changes = Vec::with_capacity(request.changes.len());
    for change in request.changes {
        let is_member = match (&change, &owner) {
            (RequestedChange::Leave { list }, Some(owner)) => {
                subscribe::find_member(tx, owner, *list)?.is_some()
            }
            (RequestedChange::Leave { .. }, None) => false,
            _ => true,
        };
        if is_member {
            changes.push(change);
        }
    }
    request.changes = changes;
    let Some(recorded) = record(tx, by, request)? else { return Ok(Asked::Withheld) };
    asking::write(tx, by, &account, &recorded)?;
    Ok(Asked::Mailed)
}

/// The token of a request in its link and its address for replies.
fn token(signer: &Signer, id: ConfirmationId) -> String {
    signer.token(Purpose::Confirm, [id.0, 0])
}

/// The request that a token names, in any state.
pub fn open(tx: &impl Read, signer: &Signer, token: &str, now: Timestamp) -> Result<Opened, OpError> {
    match signer.open(Purpose::Confirm, token) {
        Some([id, 0]) => find(tx, ConfirmationId(id), now),
        _ => Err(OpError::NotFound { what: "request" }),
    }
}

/// The request with this number, in any state.
pub fn find(tx: &impl Read, id: ConfirmationId, now: Timestamp) -> Result<Opened, OpError> {
    let confirmation: Confirmation = tx.get(id.0)?.ok_or(OpError::NotFound { what: "request" })?;
    let state = state_of(&confirmation, now);
    Ok(Opened { confirmation, state })
}

fn state_of(confirmation: &Confirmation, now: Timestamp) -> State {
    if confirmation.done.is_some() {
        State::Used
    } else if confirmation.ends() <= now {
        State::Expired
    } else {
        State::Waiting
    }
}

/// The newest evidence that the owner of an address wanted to join a list.
pub fn consent(tx: &impl Read, list: &List, address: &EmailAddress) -> Result<Option<Consent>, StoreError> {
    tx.find(&CONSENT_BY_ADDRESS, &consent_key(list.account, address).u64(list.id.0))
}

fn consent_key(account: AccountId, address: &EmailAddress) -> Key {
    Key::new().u64(account.0).text(&address.folded())
}

/// Deletes the evidence of an address for a list, after its request to join was refused.
pub fn forget_consent(
    tx: &mut WriteTx<'_>,
    account: AccountId,
    address: &EmailAddress,
    list: ListId,
) -> Result<(), StoreError> {
    if let Some(id) = tx.find_id(&CONSENT_BY_ADDRESS, &consent_key(account, address).u64(list.0))? {
        tx.delete::<Consent>(id)?;
    }
    Ok(())
}

/// Deletes the requests and the evidence of an address that an account no longer has.
pub(in crate::ops) fn forget_address(
    tx: &mut WriteTx<'_>,
    account: AccountId,
    address: &EmailAddress,
) -> Result<(), StoreError> {
    let of_address = IndexRange::prefix(consent_key(account, address));
    tx.delete_range(&CONFIRMATION_BY_ADDRESS, &of_address, usize::MAX)?;
    tx.delete_range(&CONSENT_BY_ADDRESS, &of_address, usize::MAX)?;
    Ok(())
}

/// Takes a list out of at most `limit` requests. Returns whether more may be left.
pub(in crate::ops) fn forget_list(
    tx: &mut WriteTx<'_>,
    list: &List,
    limit: usize,
) -> Result<bool, StoreError> {
    let of_list = IndexRange::prefix(Key::new().u64(list.account.0).u64(list.id.0));
    let requests = tx.ids(&CONFIRMATION_BY_LIST, &of_list, limit)?;
    for id in &requests {
        let Some(mut request) = tx.get::<Confirmation>(*id)? else { continue };
        request.changes.retain(|change| change.list() != Some(list.id));
        if request.changes.is_empty() {
            tx.delete::<Confirmation>(*id)?;
        } else {
            tx.put(&request)?;
        }
    }
    Ok(requests.len() == limit)
}
