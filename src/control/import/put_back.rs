//! Puts people of an export back, or merges those of another list server, some at a time; dates the lists that were made
//! for them.

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::control::error::CommandError;
use crate::control::export::CONTACTS_FILE;
use crate::control::host::{Host, find_account, operator_of};
use crate::model::{AccountId, AuditId};
use crate::ops::audit;
use crate::ops::domains::main_domain;
use crate::ops::people::whole::WholeContact;
use crate::ops::people::whole::merging::{self, KeptOut, Merged};
use crate::ops::people::whole::taking::{self, PutBack};
use crate::ops::{Caller, OpError};
use crate::store::StoreError;

/// Most people of a request.
pub const PEOPLE_MAX: usize = 250;
/// Most people of a write job, so that nobody waits for long.
const PEOPLE_PER_JOB: usize = 50;

/// How people are taken who may be there already.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Merging {
    /// The program that they come from, as the audit log names it.
    pub source: String,
    /// Whether people are added who opted out of a list here.
    pub override_opt_out: bool,
}

/// An address that is to be kept off a list.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeepOut {
    /// The address.
    pub email: String,
    /// Name of the list.
    pub list: String,
    /// When its owner opted out (RFC 3339); now if unset.
    pub time: Option<String>,
}

/// The next people of an import of an export or of another list server, or the end.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PutBackRequest {
    /// Name of the account; the server's only one if unset.
    pub account: Option<String>,
    /// The people, each with the number of its row; at most [`PEOPLE_MAX`].
    pub people: Vec<(u64, WholeContact)>,
    /// Whether they are only checked; then the lists and fields that would be made first.
    pub rehearsal: Option<(Vec<String>, Vec<String>)>,
    /// The entry of the audit log that the first reply told.
    pub noted: Option<u64>,
    /// The numbers of all people, behind the last.
    pub result: Option<String>,
    /// Whether people who are contacts already get the memberships that are missing; otherwise they stay as they are.
    #[serde(default)]
    pub merging: Option<Merging>,
    /// Addresses that are kept off lists, each with its number; at most [`PEOPLE_MAX`]. They need `merging`.
    #[serde(default)]
    pub kept_out: Vec<(u64, KeepOut)>,
    /// A list that was made for them, and when it was made where it comes from.
    pub dated: Option<(String, String)>,
    /// Where they come from, for the audit log.
    #[serde(default)]
    pub source: Option<String>,
}

/// The results of the people of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PutBackReply {
    /// People who were made.
    pub created: u64,
    /// People who are contacts already, and got nothing.
    pub known: u64,
    /// People who are contacts already, and got memberships.
    #[serde(default)]
    pub updated: u64,
    /// Memberships that were made by merging.
    #[serde(default)]
    pub joined: u64,
    /// Memberships that merging found there.
    #[serde(default)]
    pub there: u64,
    /// Addresses that are kept off lists now, and those that were before.
    #[serde(default)]
    pub kept_out: (u64, u64),
    /// People who were refused, with merging a list each: their rows and the reasons.
    pub refused: Vec<(u64, String)>,
    /// The entry of the audit log.
    pub noted: Option<u64>,
    /// The domain with which addresses of lists are made.
    #[serde(default)]
    pub domain: String,
}

/// Carries a request out.
pub(in crate::control) fn run(host: &Host, request: PutBackRequest) -> Result<PutBackReply, CommandError> {
    let PutBackRequest { account, people, rehearsal, noted, result, merging, kept_out, dated, source } =
        request;
    let core = &host.core;
    let account = find_account(&core.store.read()?, account.as_deref())?;
    let caller = operator_of(account.id);
    if let Some((list, created)) = dated {
        let unreadable =
            || CommandError::Told(format!("the list {list} has no time that can be read: {created}"));
        let created = Timestamp::parse_rfc3339(&created).ok_or_else(unreadable)?;
        core.perform_blocking(&caller, move |tx, by| {
            taking::date_list(tx, &by.caller, &list, created, by.now)
        })?;
    }
    let domain = main_domain(&core.store.read()?, account.id)?.name.to_string();
    let mut reply = PutBackReply { noted, domain, ..PutBackReply::default() };
    let work = Work { host, account: account.id, merging };
    if let Some(coming) = rehearsal {
        work.rehearse(&people, &kept_out, (&coming.0, &coming.1), &mut reply)?;
        return Ok(reply);
    }
    if !(people.is_empty() && kept_out.is_empty()) && reply.noted.is_none() {
        let source = work.merging.as_ref().map(|merging| merging.source.clone()).or(source);
        let source = source.unwrap_or_else(|| CONTACTS_FILE.to_owned());
        let begun =
            core.perform_blocking(&caller, move |tx, by| taking::begin(tx, &by.caller, &source, by.now))?;
        reply.noted = Some(begun.0);
    }
    work.people(people, &mut reply)?;
    work.keep_out(kept_out, &mut reply)?;
    if let (Some(noted), Some(result)) = (reply.noted, result) {
        let settled: Result<(), StoreError> = core
            .perform_blocking(&Caller::of_server(), move |tx, _| audit::settle(tx, AuditId(noted), &result));
        settled?;
    }
    Ok(reply)
}

/// The result for a person.
enum Taken {
    PutBack(PutBack),
    Merged(Merged),
}

/// The work of a request.
struct Work<'a> {
    host: &'a Host,
    account: AccountId,
    merging: Option<Merging>,
}

impl Work<'_> {
    fn rehearse(
        &self,
        people: &[(u64, WholeContact)],
        kept_out: &[(u64, KeepOut)],
        coming: (&[String], &[String]),
        reply: &mut PutBackReply,
    ) -> Result<(), CommandError> {
        let core = &self.host.core;
        let (tx, caller, now) = (core.store.read()?, operator_of(self.account), core.now());
        for (row, whole) in people {
            let done = match &self.merging {
                None => taking::rehearse(&tx, &caller, whole, coming, now).map(Taken::PutBack),
                Some(merging) => {
                    merging::rehearse(&tx, &caller, whole, coming, (merging.override_opt_out, now))
                        .map(Taken::Merged)
                }
            };
            reply.add(*row, done)?;
        }
        for (row, KeepOut { email, list, time: _ }) in kept_out {
            reply.keep_out(*row, merging::rehearse_keeping_out(&tx, &caller, (email, list), coming.0))?;
        }
        Ok(())
    }

    /// Takes people in, a few in a job.
    fn people(&self, people: Vec<(u64, WholeContact)>, reply: &mut PutBackReply) -> Result<(), CommandError> {
        let mut people = people.into_iter();
        loop {
            let part: Vec<(u64, WholeContact)> = people.by_ref().take(PEOPLE_PER_JOB).collect();
            if part.is_empty() {
                return Ok(());
            }
            let caller = Caller::operator(self.account);
            let overrides = self.merging.as_ref().map(|merging| merging.override_opt_out);
            // The audit log gets one entry for all people, so they are put back in the server's name.
            let done = self.host.core.perform_blocking(&Caller::of_server(), move |tx, by| {
                let mut done = Vec::with_capacity(part.len());
                for (row, whole) in &part {
                    let taken = match overrides {
                        None => taking::put_back(tx, &caller, whole, by.now).map(Taken::PutBack),
                        Some(overrides) => {
                            merging::take(tx, &caller, whole, overrides, by.now).map(Taken::Merged)
                        }
                    };
                    match taken {
                        Err(OpError::Store(error)) => return Err(error),
                        result => done.push((*row, result)),
                    }
                }
                Ok(done)
            });
            for (row, result) in done? {
                reply.add(row, result)?;
            }
        }
    }

    /// Notes who is kept off lists, a few in a job.
    fn keep_out(&self, kept_out: Vec<(u64, KeepOut)>, reply: &mut PutBackReply) -> Result<(), CommandError> {
        let mut kept_out = kept_out.into_iter();
        loop {
            let part: Vec<(u64, KeepOut)> = kept_out.by_ref().take(PEOPLE_PER_JOB).collect();
            if part.is_empty() {
                return Ok(());
            }
            let caller = Caller::operator(self.account);
            let done = self.host.core.perform_blocking(&Caller::of_server(), move |tx, by| {
                let mut done = Vec::with_capacity(part.len());
                for (row, KeepOut { email, list, time }) in &part {
                    let time = time.as_deref().and_then(Timestamp::parse_rfc3339).unwrap_or(by.now);
                    match merging::keep_out(tx, &caller, (email, list), time) {
                        Err(OpError::Store(error)) => return Err(error),
                        result => done.push((*row, result)),
                    }
                }
                Ok(done)
            });
            for (row, result) in done? {
                reply.keep_out(row, result)?;
            }
        }
    }
}

impl PutBackReply {
    fn add(&mut self, row: u64, done: Result<Taken, OpError>) -> Result<(), CommandError> {
        match done {
            Ok(Taken::PutBack(PutBack::Created)) => self.created += 1,
            Ok(Taken::PutBack(PutBack::Known)) => self.known += 1,
            Ok(Taken::Merged(Merged { is_new, joined, there, refused })) => {
                match (is_new, joined, refused.as_slice()) {
                    (true, ..) => self.created += 1,
                    (false, 1.., _) => self.updated += 1,
                    (false, 0, []) => self.known += 1,
                    // Everything of the person was refused; that is told below.
                    (false, 0, _) if there == 0 => {}
                    (false, 0, _) => self.known += 1,
                }
                self.joined += joined;
                self.there += there;
                self.refused.extend(refused.into_iter().map(|refusal| (row, refusal.to_string())));
            }
            Err(OpError::Store(error)) => return Err(error.into()),
            Err(refusal) => self.refused.push((row, refusal.to_string())),
        }
        Ok(())
    }

    fn keep_out(&mut self, row: u64, done: Result<KeptOut, OpError>) -> Result<(), CommandError> {
        match done {
            Ok(KeptOut::Noted) => self.kept_out.0 += 1,
            Ok(KeptOut::Known) => self.kept_out.1 += 1,
            Ok(KeptOut::Member) => {
                self.refused.push((row, "is a member here, and stays one".to_owned()));
            }
            Err(OpError::Store(error)) => return Err(error.into()),
            Err(refusal) => self.refused.push((row, refusal.to_string())),
        }
        Ok(())
    }
}
