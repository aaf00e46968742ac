//! Mail to the addresses of a list that take requests: `L-subscribe`, `L-unsubscribe`, `L-request`, `L-help`; and
//! replies that confirm a request.
//!
//! The person is the address in From, believed as the author of a post is; nothing is answered to anybody else. Mail of
//! machines is dropped: two servers that answer each other would never stop. Nothing that a mail asks for is done
//! before its link is opened or a reply to it comes, so that a forged mail does nothing.

mod answer;
pub(crate) mod confirming;

use std::net::IpAddr;
use std::sync::Arc;

use answer::Answer;

use super::{Envelope, Refusal, Route, find_list_behind};
use crate::mail::Inbound;
use crate::mail::commands::{Command, Commands};
use crate::mail::envelope::{CommandAddress, Origin};
use crate::model::account::Subscriptions;
use crate::model::contact::JoinWay;
use crate::model::{Account, AccountId, BatchId, DedupScope, EmailAddress, List, ListId};
use crate::ops::allowances::{self, ANSWERS_TO_ADDRESS, Subject};
use crate::ops::notices::backscatter::{self, Cause, SenderProof};
use crate::ops::patterns::Permit;
use crate::ops::people::requests::{self, NewRequest, Recorded};
use crate::ops::posting::seen_mail;
use crate::ops::{OpContext, OpError, Wrong};
use crate::store::{Read, StoreError, WriteTx};

/// The suffixes of a list's name in these addresses.
const SUFFIXES: [(&str, CommandAddress); 7] = [
    ("-subscribe", CommandAddress::Subscribe),
    ("-join", CommandAddress::Subscribe),
    ("-unsubscribe", CommandAddress::Unsubscribe),
    ("-leave", CommandAddress::Unsubscribe),
    ("-request", CommandAddress::Request),
    ("-help", CommandAddress::Help),
    // Mailman's, which confirms a request there. What it asked for is answered with what can be asked here.
    ("-confirm", CommandAddress::Help),
];
/// Characters of the longest name that a request keeps.
pub(crate) const NAME_CHARS_MAX: usize = 200;

/// The list and the request that a local part addresses; `None` if it is no such address.
fn addressed(
    tx: &impl Read,
    account: AccountId,
    local: &str,
) -> Result<Option<(List, CommandAddress)>, StoreError> {
    for (suffix, request) in SUFFIXES {
        let Some(name) = local.strip_suffix(suffix) else { continue };
        // No suffix is the end of another.
        return Ok(find_list_behind(tx, account, name)?.map(|list| (list, request)));
    }
    Ok(None)
}

/// The end of the senders of Mailman's copies, behind the name of the list.
const BOUNCE_SUFFIX: &str = "-bounces";

/// The route to an address that another server gave out, of which something stands behind a `+`: a report on a copy that
/// it sent, which is read and forgotten, or a reply that confirms a request of it. Reports come to the same address
/// without a `+` as well.
pub(crate) fn route_elsewhere(
    tx: &impl Read,
    account: AccountId,
    name: &str,
) -> Result<Option<Route>, Refusal> {
    let list = match name.strip_suffix(BOUNCE_SUFFIX) {
        Some(list) => find_list_behind(tx, account, list)?,
        None if name.ends_with("-confirm") => return route_command(tx, account, name),
        None => None,
    };
    // No delivery has this number, so that nothing follows from the report.
    Ok(list.map(|_| Route::Bounce { batch: BatchId(0), place: 0 }))
}

/// The route to such an address, or the refusal of a list that lets nobody join or leave on their own.
pub(crate) fn route_command(
    tx: &impl Read,
    account: AccountId,
    local: &str,
) -> Result<Option<Route>, Refusal> {
    let Some((list, request)) = addressed(tx, account, local)? else { return Ok(None) };
    if is_closed(tx, &list, request)? {
        let leaves = request == CommandAddress::Unsubscribe;
        return Err(if leaves { Refusal::LeavingClosed } else { Refusal::JoiningClosed });
    }
    Ok(Some(Route::Command { list: list.id, request }))
}

/// Whether a list lets nobody do on their own what an address asks for.
fn is_closed(tx: &impl Read, list: &List, request: CommandAddress) -> Result<bool, StoreError> {
    let Some(account) = tx.get::<Account>(list.account.0)? else { return Ok(true) };
    Ok(match request {
        CommandAddress::Subscribe => requests::subscriptions(&account, list) == Subscriptions::Closed,
        CommandAddress::Unsubscribe => requests::unsubscriptions(&account, list) == Subscriptions::Closed,
        CommandAddress::Request | CommandAddress::Help => false,
    })
}

/// What becomes of mail to such an address, as the simulator explains it, and its list.
pub(in crate::ops::posting) fn described(
    tx: &impl Read,
    account: AccountId,
    local: &str,
) -> Result<Option<(ListId, Wrong)>, StoreError> {
    let local = local.to_lowercase();
    let Some((list, request)) = addressed(tx, account, &local)? else { return Ok(None) };
    let name = list.name.clone();
    let taken = match (is_closed(tx, &list, request)?, request) {
        (true, CommandAddress::Unsubscribe) => Wrong::LeavingRefused { local, list: name },
        (true, _) => Wrong::JoiningRefused { local, list: name },
        (false, CommandAddress::Subscribe) => Wrong::TakesJoining { local, list: name },
        (false, CommandAddress::Unsubscribe) => Wrong::TakesLeaving { local, list: name },
        (false, CommandAddress::Request) => Wrong::TakesCommands { local, list: name },
        (false, CommandAddress::Help) => Wrong::AnswersHelp { local, list: name },
    };
    Ok(Some((list.id, taken)))
}

/// The proof that a mail comes from the address in its From.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Proof {
    /// A key, or its domain by SPF or DKIM.
    Proven,
    /// Nothing, but it comes from this machine or a front server.
    Local,
    /// Nothing.
    Nothing,
}

impl Proof {
    /// `None` where SPF of the domain disproves the sender: nothing may go there.
    pub(crate) fn of(envelope: &Envelope, from: &EmailAddress) -> Option<Proof> {
        let authentication = &envelope.authentication;
        let domain = domain_of(from);
        let is_senders = envelope.reverse_path.address().is_some_and(|sender| domain_of(sender) == domain);
        if envelope.origin == Origin::Trusted
            || authentication.has_proven_author()
            || authentication.is_signed_by_author
            || envelope.proven_domains.contains(&domain)
        {
            return Some(Proof::Proven);
        }
        let sender = envelope.reverse_path.address().filter(|_| is_senders);
        let is_disproven = sender.is_some_and(|sender| {
            SenderProof::of(authentication, sender, Some(from)) == SenderProof::Disproven
        });
        if is_disproven {
            return None;
        }
        Some(if authentication.is_local { Proof::Local } else { Proof::Nothing })
    }
}

/// The domain of an address in A-label form.
fn domain_of(address: &EmailAddress) -> String {
    let domain = address.domain();
    idna::domain_to_ascii(domain).unwrap_or_else(|_| domain.to_owned())
}

/// The author of a mail to such an address.
#[derive(Debug, Clone)]
pub(crate) struct Requester {
    pub(crate) address: EmailAddress,
    pub(crate) name: String,
    pub(crate) proof: Proof,
    pub(crate) client: IpAddr,
    /// Whether its client is known, and not a front server or a program of the operator's.
    pub(crate) has_own_client: bool,
    /// The allowance that an answer uses up, if nothing proves its author.
    pub(crate) cause: Cause,
}

/// A mail to such an address.
pub(crate) struct CommandMail {
    pub(crate) inbound: Arc<Inbound>,
    pub(crate) requester: Requester,
    pub(crate) list: ListId,
    pub(crate) request: CommandAddress,
    /// Whether the address may join, by the account's patterns.
    pub(crate) permit: Permit,
}

impl CommandMail {
    pub(crate) fn carry_out(&self, tx: &mut WriteTx<'_>, by: &OpContext) -> Result<(), Refusal> {
        let Some(list) = tx.get::<List>(self.list.0)?.filter(|list| !list.pending) else { return Ok(()) };
        let Some(account) = tx.get::<Account>(list.account.0)? else { return Ok(()) };
        if !seen_mail::is_new(tx, account.id, DedupScope::Commands(list.id), &self.inbound, by.now)? {
            return Ok(());
        }
        let to = Subject::mailbox(&self.requester.address);
        if !allowances::is_left(tx, ANSWERS_TO_ADDRESS, &to, by.now)? {
            tracing::info!(list.name = list.name.as_str(), "An address has got all answers of its day");
            return Ok(());
        }
        let Commands { mut commands, has_other_lines } = self.commands(&list);
        // What is said of digests holds for whoever joins by the same mail.
        commands.sort_by_key(|command| !matches!(command, Command::Subscribe { .. }));
        let mut answer = Answer::new(&account, &list, &self.requester.address, self.permit);
        for command in commands {
            answer.handle_command(tx, command)?;
        }
        answer.has_other_lines = has_other_lines;
        if !answer.changes.is_empty() {
            let client = Some(self.requester.client).filter(|_| self.requester.has_own_client);
            if requests::count_client(tx, by, client)?.is_some() {
                return Err(Refusal::TooManyRequests);
            }
        }
        self.reply(tx, by, &answer)
    }

    fn commands(&self, list: &List) -> Commands {
        let alone = |command| Commands { commands: vec![command], has_other_lines: false };
        match self.request {
            CommandAddress::Subscribe => alone(Command::Subscribe { digest: None }),
            CommandAddress::Unsubscribe => alone(Command::Unsubscribe),
            CommandAddress::Help => alone(Command::Help),
            CommandAddress::Request => Commands::read(&self.inbound, list.name.as_str()),
        }
    }

    /// Mails the results of the commands, with the link that confirms the changes.
    fn reply(&self, tx: &mut WriteTx<'_>, by: &OpContext, answer: &Answer<'_>) -> Result<(), Refusal> {
        if !answer.changes.is_empty() && self.request != CommandAddress::Request {
            // The same as by the form, with the texts of the list and the account.
            let asked = requests::ask(tx, by, self.new_request(answer)).map_err(refusal_of)?;
            tracing::info!(list.name = answer.list.name.as_str(), "A request came by mail: {asked:?}");
            return Ok(());
        }
        let recorded = if answer.changes.is_empty() {
            None
        } else {
            requests::record(tx, by, self.new_request(answer)).map_err(refusal_of)?
        };
        if recorded.is_none() && !self.may_answer(tx, by, answer)? {
            tracing::info!(
                list.name = answer.list.name.as_str(),
                "A mail with commands is not answered: too much was mailed to its author"
            );
            return Ok(());
        }
        self.mail(tx, by, answer, recorded.as_ref())
    }

    /// Whether an answer without a link may go out. One that says only that a link was mailed before goes to its proven
    /// author alone: others could be flooded with it.
    fn may_answer(
        &self,
        tx: &mut WriteTx<'_>,
        by: &OpContext,
        answer: &Answer<'_>,
    ) -> Result<bool, StoreError> {
        let Requester { address, proof, cause, .. } = &self.requester;
        match proof {
            Proof::Local | Proof::Nothing if answer.has_changes_alone() => Ok(false),
            Proof::Proven | Proof::Local => Ok(true),
            Proof::Nothing => backscatter::take(tx, address, SenderProof::AuthError, cause, by.now),
        }
    }

    fn mail(
        &self,
        tx: &mut WriteTx<'_>,
        by: &OpContext,
        answer: &Answer<'_>,
        recorded: Option<&Recorded>,
    ) -> Result<(), Refusal> {
        let to = Subject::mailbox(&self.requester.address);
        if allowances::take(tx, ANSWERS_TO_ADDRESS, &to, by.now)?.is_err() {
            return Ok(());
        }
        answer.mail(tx, by, recorded, self.inbound.message_id.as_deref())?;
        Ok(())
    }

    fn new_request(&self, answer: &Answer<'_>) -> NewRequest {
        let Requester { address, name, client, .. } = &self.requester;
        // A name that is an advertisement is none.
        let name = if name.contains("://") { String::new() } else { name.clone() };
        NewRequest {
            account: answer.account.id,
            address: address.clone(),
            name,
            changes: answer.changes.clone(),
            agreed: String::new(),
            way: JoinWay::Mail,
            client: Some(*client),
        }
    }
}

/// The refusal of a mail whose request could not be stored.
pub(crate) fn refusal_of(error: OpError) -> Refusal {
    match error {
        OpError::Store(error) => error.into(),
        error => {
            tracing::warn!(error = %error, "A request that came by mail could not be stored");
            Refusal::Internal
        }
    }
}
