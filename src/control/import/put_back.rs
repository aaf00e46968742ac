//! Puts people of an export back, some at a time, and dates the lists that were made for them.

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::control::error::CommandError;
use crate::control::export::CONTACTS_FILE;
use crate::control::host::{Host, find_account, operator_of};
use crate::model::AuditId;
use crate::ops::audit;
use crate::ops::people::whole::WholeContact;
use crate::ops::people::whole::taking::{self, PutBack};
use crate::ops::{Caller, OpError};
use crate::store::StoreError;

/// Most people of a request.
pub const PEOPLE_MAX: usize = 250;
/// Most people of a write job, so that nobody waits for long.
const PEOPLE_PER_JOB: usize = 50;

/// The next people of `crier import crier`, or the end.
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
    /// A list that was made for them, and when it was made where it comes from.
    pub dated: Option<(String, String)>,
    /// Where they come from, for the audit log.
    #[serde(default)]
    pub source: Option<String>,
}

/// The results of the people of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PutBackReply {
    /// People who were put back.
    pub created: u64,
    /// People who are contacts already.
    pub known: u64,
    /// People who were refused: their rows and the reasons.
    pub refused: Vec<(u64, String)>,
    /// The entry of the audit log.
    pub noted: Option<u64>,
}

/// Carries a request out.
pub(in crate::control) fn run(host: &Host, request: PutBackRequest) -> Result<PutBackReply, CommandError> {
    let PutBackRequest { account, people, rehearsal, noted, result, dated, source } = request;
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
    let mut reply = PutBackReply { noted, ..PutBackReply::default() };
    if let Some((lists, fields)) = rehearsal {
        let tx = core.store.read()?;
        for (row, whole) in &people {
            let done = taking::rehearse(&tx, &caller, whole, (&lists, &fields), core.now());
            reply.add(*row, done)?;
        }
        return Ok(reply);
    }
    if !people.is_empty() && reply.noted.is_none() {
        let source = source.unwrap_or_else(|| CONTACTS_FILE.to_owned());
        let begun =
            core.perform_blocking(&caller, move |tx, by| taking::begin(tx, &by.caller, &source, by.now))?;
        reply.noted = Some(begun.0);
    }
    let mut people = people.into_iter();
    loop {
        let part: Vec<(u64, WholeContact)> = people.by_ref().take(PEOPLE_PER_JOB).collect();
        if part.is_empty() {
            break;
        }
        let caller = Caller::operator(account.id);
        // The audit log gets one entry for all people, so they are put back in the server's name.
        let done = core.perform_blocking(&Caller::of_server(), move |tx, by| {
            let mut done = Vec::with_capacity(part.len());
            for (row, whole) in &part {
                match taking::put_back(tx, &caller, whole, by.now) {
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
    if let (Some(noted), Some(result)) = (reply.noted, result) {
        let settled: Result<(), StoreError> = core
            .perform_blocking(&Caller::of_server(), move |tx, _| audit::settle(tx, AuditId(noted), &result));
        settled?;
    }
    Ok(reply)
}

impl PutBackReply {
    fn add(&mut self, row: u64, done: Result<PutBack, OpError>) -> Result<(), CommandError> {
        match done {
            Ok(PutBack::Created) => self.created += 1,
            Ok(PutBack::Known) => self.known += 1,
            Err(OpError::Store(error)) => return Err(error.into()),
            Err(refusal) => self.refused.push((row, refusal.to_string())),
        }
        Ok(())
    }
}
