//! Merges the people of several lists by their addresses, and has them taken in.

use std::collections::HashMap;

use super::Taking;
use super::choice::Chosen;
use crate::cli::import::progress::Progress;
use crate::cli::{Failure, told, unexpected};
use crate::clock::{Clock, Timestamp};
use crate::control::import::put_back::{KeepOut, Merging, PEOPLE_MAX, PutBackReply, PutBackRequest};
use crate::control::{Reply, Request};
use crate::model::PauseCause;
use crate::model::contact::JoinWay;
use crate::ops::people::whole::{
    WholeAddress, WholeBounces, WholeConsent, WholeContact, WholeMembership, WholePause, WholeStep,
};
use crate::sources::{SourceList, SourcePerson, SourceStanding, SourceStep, split_name};

/// A person of several lists.
struct Person {
    whole: WholeContact,
    /// Where the person was first, for reports.
    source: String,
    /// Whether the pause of each membership so far ends, and when the last one does.
    paused_until: Option<Timestamp>,
}

/// An address that is kept off a list, and the list's address in the source.
type Out = (KeepOut, String);

impl Taking {
    /// Takes the people of all lists in.
    pub(super) fn people(&mut self, chosen: &mut [Chosen]) -> Result<(), Failure> {
        let now = Clock::system().now();
        let (mut people, mut places) = (Vec::new(), HashMap::new());
        let mut kept_out: Vec<Out> = Vec::new();
        let program = chosen.first().map_or("", |chosen| chosen.list.program);
        for Chosen { name, list } in chosen.iter_mut() {
            let address = list.address();
            for person in std::mem::take(&mut list.people) {
                match person.standing {
                    SourceStanding::Unconfirmed => {
                        self.summary.memberships.rejected += 1;
                        let reason = "is not confirmed, so nobody is added";
                        self.run.refuse(&address, &person.address, reason)?;
                    }
                    SourceStanding::OptedOut { when } => {
                        let time = when.map(Timestamp::rfc3339);
                        let out = KeepOut { email: person.address, list: name.clone(), time };
                        kept_out.push((out, address.clone()));
                    }
                    _ => add(&mut people, &mut places, (list, name), person, now),
                }
            }
            for email in std::mem::take(&mut list.kept_out) {
                kept_out.push((KeepOut { email, list: name.clone(), time: None }, address.clone()));
            }
        }
        let people = people.into_iter().map(|person| finished(person, now)).collect();
        self.send_people(program, people, kept_out)
    }

    fn send_people(
        &mut self,
        program: &str,
        people: Vec<(WholeContact, String)>,
        kept_out: Vec<Out>,
    ) -> Result<(), Failure> {
        let names: Vec<(String, String)> = people
            .iter()
            .map(|(whole, source)| {
                let address = whole.addresses.first().map(|address| address.email.clone());
                (source.clone(), address.unwrap_or_default())
            })
            .collect();
        let outs: Vec<(String, String)> =
            kept_out.iter().map(|(out, source)| (source.clone(), out.email.clone())).collect();
        let mut sending = Sending { source: program.to_owned(), noted: None };
        let mut progress = Progress::start("people", None);
        let mut people = (0..).zip(people.into_iter().map(|(whole, _)| whole));
        loop {
            let part: Vec<(u64, WholeContact)> = people.by_ref().take(PEOPLE_MAX).collect();
            if part.is_empty() {
                break;
            }
            let at = part.last().map_or(0, |(number, _)| *number);
            let reply =
                self.ask(&mut sending, PutBackRequest { people: part, ..PutBackRequest::default() })?;
            self.count_people(&reply);
            for (number, reason) in reply.refused {
                let (source, address) = name_of(&names, number);
                self.summary.memberships.rejected += 1;
                self.run.refuse(source, address, &reason)?;
            }
            progress.at(at, self.summary.contacts.created);
        }
        progress.finish();
        let mut kept_out = (0..).zip(kept_out.into_iter().map(|(out, _)| out));
        loop {
            let part: Vec<(u64, KeepOut)> = kept_out.by_ref().take(PEOPLE_MAX).collect();
            if part.is_empty() {
                break;
            }
            for (number, _) in &part {
                let (source, address) = name_of(&outs, *number);
                self.run.note(
                    source,
                    address,
                    "kept off the list",
                    "opted out, or was taken out for good",
                )?;
            }
            let reply =
                self.ask(&mut sending, PutBackRequest { kept_out: part, ..PutBackRequest::default() })?;
            self.summary.kept_out.created += reply.kept_out.0;
            self.summary.kept_out.skipped += reply.kept_out.1;
            for (number, reason) in reply.refused {
                let (source, address) = name_of(&outs, number);
                self.summary.kept_out.rejected += 1;
                self.run.refuse(source, address, &reason)?;
            }
        }
        let contacts = &self.summary.contacts;
        let result = format!("{} made, {} skipped", contacts.created, contacts.skipped);
        if sending.noted.is_some() {
            self.ask(&mut sending, PutBackRequest { result: Some(result), ..PutBackRequest::default() })?;
        }
        Ok(())
    }

    fn ask(&mut self, sending: &mut Sending, request: PutBackRequest) -> Result<PutBackReply, Failure> {
        let merging = Merging { source: sending.source.clone(), override_opt_out: self.overrides };
        let request = PutBackRequest {
            account: self.run.account.clone(),
            rehearsal: self.run.is_rehearsed.then(|| (self.coming.clone(), Vec::new())),
            noted: sending.noted,
            merging: Some(merging),
            ..request
        };
        match told(self.run.reached.ask(Request::PutBack(request))?)? {
            Reply::PutBack(reply) => {
                sending.noted = reply.noted;
                Ok(reply)
            }
            other => Err(unexpected(&other)),
        }
    }

    fn count_people(&mut self, reply: &PutBackReply) {
        let PutBackReply { created, known, updated, joined, there, .. } = reply;
        self.summary.contacts.created += created;
        self.summary.contacts.skipped += known + updated;
        self.summary.memberships.created += joined;
        self.summary.memberships.skipped += there;
    }
}

/// What all requests of people have in common.
struct Sending {
    source: String,
    noted: Option<u64>,
}

fn name_of(names: &[(String, String)], number: u64) -> (&str, &str) {
    let place = usize::try_from(number).unwrap_or(usize::MAX);
    names.get(place).map_or(("", ""), |(source, address)| (source, address))
}

/// Adds a person of a list to the people so far.
fn add(
    people: &mut Vec<Person>,
    places: &mut HashMap<String, usize>,
    (list, name): (&SourceList, &str),
    person: SourcePerson,
    now: Timestamp,
) {
    let SourcePerson { address, name: called, digest, standing, joined } = person;
    let place = *places.entry(address.trim().to_lowercase()).or_insert_with(|| {
        people.push(Person {
            whole: WholeContact { addresses: vec![plain_address(&address)], ..WholeContact::default() },
            source: list.address(),
            paused_until: None,
        });
        people.len() - 1
    });
    let Person { whole, source: _, paused_until } = &mut people[place];
    if whole.memberships.iter().any(|membership| membership.list == name) {
        return;
    }
    if whole.firstname.is_empty() && whole.surname.is_empty() {
        (whole.firstname, whole.surname) = split_name(&called);
    }
    let mut paused = standing == SourceStanding::Paused;
    match standing {
        SourceStanding::PausedUntil(until) if now < until => {
            *paused_until = (*paused_until).max(Some(until));
            paused = true;
        }
        SourceStanding::Bouncing { since } => {
            if let Some(address) = whole.addresses.first_mut() {
                address.paused = true;
                address.bounces = Some(bounces(list, since.unwrap_or(now)));
            }
        }
        _ => {}
    }
    let (is_known, step) = (joined.is_some(), step(joined, now));
    whole.consents.push(consent(list, (name, &address), digest, (is_known, &step)));
    let list = name.to_owned();
    whole.memberships.push(WholeMembership { list, digest, paused, joined: step });
}

fn plain_address(address: &str) -> WholeAddress {
    WholeAddress {
        email: address.trim().to_owned(),
        digest: false,
        paused: false,
        paused_until: None,
        confirmed: true,
        ceid: None,
        bounces: None,
    }
}

fn step(joined: Option<SourceStep>, now: Timestamp) -> WholeStep {
    let SourceStep { when, from, way } =
        joined.unwrap_or(SourceStep { when: now, from: None, way: JoinWay::Command });
    let way = match way {
        JoinWay::Api => "api",
        JoinWay::Command => "command",
        JoinWay::Web => "web",
        JoinWay::Mail => "mail",
    };
    WholeStep { time: when.rfc3339(), from, way: way.to_owned() }
}

/// The evidence that the person was a member elsewhere.
fn consent(
    list: &SourceList,
    (name, address): (&str, &str),
    digest: Option<bool>,
    (is_known, step): (bool, &WholeStep),
) -> WholeConsent {
    let (program, there) = (list.program, list.address());
    let agreed = if is_known {
        format!("Imported from {program}, where this address joined {there} then")
    } else {
        format!("Imported from {program}, where this address was a member of {there}")
    };
    WholeConsent {
        email: address.trim().to_owned(),
        list: name.to_owned(),
        name: String::new(),
        digest,
        requested: step.clone(),
        confirmed: step.clone(),
        agreed,
    }
}

fn bounces(list: &SourceList, since: Timestamp) -> WholeBounces {
    WholeBounces {
        reason: format!("mail to it failed in {}", list.program),
        reported: None,
        failing: None,
        pause: Some(WholePause {
            since: since.rfc3339(),
            cause: PauseCause::Dead.word().to_owned(),
            probes: 0,
            is_probe_out: false,
            next_probe: Some(since.rfc3339()),
        }),
    }
}

/// The person with what only all lists together tell: a pause that ends is one of the address, which has an end, if all
/// memberships are paused. Otherwise the memberships are paused, which have none.
fn finished(person: Person, now: Timestamp) -> (WholeContact, String) {
    let Person { mut whole, source, paused_until } = person;
    let is_paused_everywhere = whole.memberships.iter().all(|membership| membership.paused);
    if let (Some(until), true, Some(address)) =
        (paused_until, is_paused_everywhere, whole.addresses.first_mut())
        && address.bounces.is_none()
    {
        address.paused = true;
        address.paused_until = Some(until.rfc3339());
        for membership in &mut whole.memberships {
            membership.paused = false;
        }
    }
    let joined = whole.memberships.iter().map(|membership| membership.joined.time.clone());
    whole.created = joined.min().unwrap_or_else(|| now.rfc3339());
    (whole, source)
}
