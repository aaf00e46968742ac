//! Collects everything that is kept about a person, for the file that the person downloads.
//!
//! It holds what the person gave, what was noted of it, and the evidence of what it asked for. What is of other people
//! stays out: who administers, what others wrote, and who did what is told as "somebody else".

use serde::Serialize;

use crate::model::{
    Account, ActorKind, AuditEntry, AuditObject, Confirmation, Consent, Contact, ContactId, Departure, Draft,
    Email, EmailPause, Held, Joined, List, ListId, MemberVisit, Membership, OptOut, Pending, Person,
    RequestedChange, Session, SignInLink,
};
use crate::ops::OpError;
use crate::ops::people::contacts::emails_of;
use crate::ops::people::opt_outs;
use crate::schema::{
    AUDIT_BY_OBJECT, CONFIRMATION_BY_ADDRESS, CONFIRMATION_BY_CONTACT, CONSENT_BY_ADDRESS,
    DEPARTURE_BY_CONTACT, DRAFT_BY_CONTACT, HELD_WAITING_BY_SENDER, MEMBERSHIP_BY_CONTACT,
    PENDING_BY_ADDRESS, SESSION_BY_PERSON, SIGN_IN_LINK_BY_CONTACT, audit_object, session_person,
};
use crate::store::{Entity, Index, IndexRange, Key, Read, StoreError};

/// Entries of one kind in the file; of longer lists, such as what was done within a year, it has the newest.
const ENTRIES_MAX: usize = 10_000;

/// Everything that is kept about a person.
#[derive(Debug, Serialize)]
pub struct Kept {
    account: String,
    contact: KeptContact,
    addresses: Vec<KeptAddress>,
    memberships: Vec<KeptMembership>,
    left_lists: Vec<KeptDeparture>,
    opted_out: Vec<KeptOptOut>,
    consents: Vec<KeptConsent>,
    requests: Vec<KeptRequest>,
    waiting_for_approval: Vec<KeptPending>,
    waiting_messages: Vec<KeptHeld>,
    sessions: Vec<KeptSession>,
    visit: Option<KeptVisit>,
    sign_in_links: Vec<KeptLink>,
    drafts: Vec<KeptDraft>,
    log: Vec<KeptEntry>,
}

#[derive(Debug, Serialize)]
struct KeptContact {
    id: u64,
    ccid: Option<String>,
    firstname: String,
    surname: String,
    notes: String,
    fields: Vec<KeptField>,
    created: String,
}

#[derive(Debug, Serialize)]
struct KeptField {
    name: String,
    value: String,
}

#[derive(Debug, Serialize)]
struct KeptAddress {
    email: String,
    digest: bool,
    paused: bool,
    /// When a pause ends that the person set.
    paused_until: Option<String>,
    confirmed: bool,
    ceid: Option<String>,
    trouble: Option<KeptTrouble>,
}

#[derive(Debug, Serialize)]
struct KeptTrouble {
    reported: Option<String>,
    paused_since: Option<String>,
    reason: String,
}

#[derive(Debug, Serialize)]
struct KeptMembership {
    list: String,
    digest: Option<bool>,
    paused: bool,
    joined: KeptJoined,
}

/// When, from where and how something was asked for.
#[derive(Debug, Serialize)]
struct KeptJoined {
    time: String,
    client: Option<String>,
    way: String,
}

#[derive(Debug, Serialize)]
struct KeptDeparture {
    list: String,
    time: String,
    way: String,
    reason: Option<String>,
    joined: KeptJoined,
}

/// What the person opted out of: a list, or everything.
#[derive(Debug, Serialize)]
struct KeptOptOut {
    list: Option<String>,
    time: String,
    way: &'static str,
}

#[derive(Debug, Serialize)]
struct KeptConsent {
    list: String,
    email: String,
    name: String,
    digest: Option<bool>,
    requested: KeptJoined,
    confirmed: KeptJoined,
    agreed: String,
}

#[derive(Debug, Serialize)]
struct KeptRequest {
    email: String,
    name: String,
    changes: Vec<String>,
    requested: KeptJoined,
    agreed: String,
    confirmed: Option<String>,
}

#[derive(Debug, Serialize)]
struct KeptPending {
    kind: &'static str,
    list: String,
    email: Option<String>,
    name: String,
    requested: String,
    state: &'static str,
}

#[derive(Debug, Serialize)]
struct KeptHeld {
    list: String,
    subject: String,
    received: String,
    size_bytes: u64,
}

#[derive(Debug, Serialize)]
struct KeptSession {
    device: String,
    client: Option<String>,
    made: String,
    last_use: String,
    until: String,
}

/// When the pages were used last, and in the visit before.
#[derive(Debug, Serialize)]
struct KeptVisit {
    last: String,
    before: Option<String>,
}

#[derive(Debug, Serialize)]
struct KeptLink {
    email: String,
    until: String,
    used: Option<String>,
}

#[derive(Debug, Serialize)]
struct KeptDraft {
    list: String,
    subject: String,
    text: String,
    kept: String,
}

#[derive(Debug, Serialize)]
struct KeptEntry {
    time: String,
    action: &'static str,
    by: &'static str,
    via: &'static str,
    client: Option<String>,
    detail: String,
}

/// Gathers everything that is kept about a contact.
pub fn everything(tx: &impl Read, contact: ContactId) -> Result<Kept, OpError> {
    let missing = OpError::NotFound { what: "contact" };
    let Some(contact) = tx.get::<Contact>(contact.0)? else { return Err(missing) };
    let Some(account) = tx.get::<Account>(contact.account.0)? else { return Err(missing) };
    let emails = emails_of(tx, &contact)?;
    let reading = Reading { tx, contact: &contact, emails: &emails };
    let (memberships, left_lists) = (reading.memberships()?, reading.departures()?);
    let (consents, requests) = (reading.consents()?, reading.requests()?);
    let (waiting_for_approval, waiting_messages) = (reading.pendings()?, reading.held()?);
    let (sessions, sign_in_links) = (reading.sessions()?, reading.links()?);
    let (drafts, log) = (reading.drafts()?, reading.log()?);
    Ok(Kept {
        account: account.name.clone(),
        contact: of_contact(&account, &contact),
        addresses: emails.iter().map(|email| reading.address(email)).collect::<Result<_, StoreError>>()?,
        memberships,
        left_lists,
        opted_out: reading.opt_outs()?,
        consents,
        requests,
        waiting_for_approval,
        waiting_messages,
        sessions,
        visit: reading.visit()?,
        sign_in_links,
        drafts,
        log,
    })
}

fn of_contact(account: &Account, contact: &Contact) -> KeptContact {
    // No `..`: a new field is told or left out on purpose.
    let Contact { id, account: _, ccid, firstname, surname, notes, custom, created } = contact;
    let field = |(id, value): (&crate::model::CustomFieldId, &String)| {
        let field = account.custom_fields.iter().find(|field| field.id == *id)?;
        Some(KeptField { name: field.name.clone(), value: value.clone() })
    };
    KeptContact {
        id: id.0,
        ccid: ccid.clone(),
        firstname: firstname.clone(),
        surname: surname.clone(),
        notes: notes.clone(),
        fields: custom.iter().filter_map(field).collect(),
        created: created.rfc3339(),
    }
}

fn of_joined(joined: &Joined) -> KeptJoined {
    let Joined { when, from, way } = joined;
    KeptJoined {
        time: when.rfc3339(),
        client: from.map(|client| client.to_string()),
        way: format!("{way:?}").to_lowercase(),
    }
}

/// Reads what belongs to one contact.
struct Reading<'a, T> {
    tx: &'a T,
    contact: &'a Contact,
    emails: &'a [Email],
}

impl<T: Read> Reading<'_, T> {
    fn key(&self) -> Key {
        Key::new().u64(self.contact.account.0)
    }

    /// The records of the contact in an index that has its number behind the account's.
    fn of_contact<E: Entity>(&self, index: &Index<E>) -> Result<Vec<E>, StoreError> {
        self.tx.page(index, &IndexRange::prefix(self.key().u64(self.contact.id.0)), ENTRIES_MAX)
    }

    /// The records of the contact's addresses in an index that has them behind the account.
    fn of_addresses<E: Entity>(&self, index: &Index<E>) -> Result<Vec<E>, StoreError> {
        let mut found = Vec::new();
        for email in self.emails {
            let range = IndexRange::prefix(self.key().text(&email.address.folded()));
            found.extend(self.tx.page(index, &range, ENTRIES_MAX)?);
        }
        Ok(found)
    }

    /// The name of a list; its number once it is deleted.
    fn list(&self, id: ListId) -> Result<String, StoreError> {
        Ok(self.tx.get::<List>(id.0)?.map_or_else(|| id.to_string(), |list| list.name.to_string()))
    }

    fn address(&self, email: &Email) -> Result<KeptAddress, StoreError> {
        let Email { id, account: _, contact: _, address, digest, paused, confirmed, ceid, evidence } = email;
        let pause: Option<EmailPause> = self.tx.get(id.0)?;
        Ok(KeptAddress {
            email: address.to_string(),
            digest: *digest,
            paused: *paused,
            paused_until: pause.map(|pause| pause.until.rfc3339()),
            confirmed: *confirmed,
            ceid: ceid.clone(),
            trouble: evidence.as_ref().map(|known| KeptTrouble {
                reported: known.reported.map(crate::clock::Timestamp::rfc3339),
                paused_since: known.pause.as_ref().map(|pause| pause.since.rfc3339()),
                reason: known.reason.clone(),
            }),
        })
    }

    fn memberships(&self) -> Result<Vec<KeptMembership>, StoreError> {
        let found: Vec<Membership> = self.of_contact(&MEMBERSHIP_BY_CONTACT)?;
        let told = |membership: Membership| {
            let Membership { id: _, account: _, contact: _, list, digest, paused, joined } = membership;
            Ok(KeptMembership { list: self.list(list)?, digest, paused, joined: of_joined(&joined) })
        };
        found.into_iter().map(told).collect()
    }

    fn departures(&self) -> Result<Vec<KeptDeparture>, StoreError> {
        let found: Vec<Departure> = self.of_contact(&DEPARTURE_BY_CONTACT)?;
        let told = |left: Departure| {
            let (list, time) = (self.list(left.list)?, left.time.rfc3339());
            let way = format!("{:?}", left.way).to_lowercase();
            Ok(KeptDeparture { list, time, way, reason: left.reason, joined: of_joined(&left.joined) })
        };
        found.into_iter().map(told).collect()
    }

    fn opt_outs(&self) -> Result<Vec<KeptOptOut>, StoreError> {
        let told = |opt_out: OptOut| {
            let list = opt_out.list.map(|list| self.list(list)).transpose()?;
            Ok(KeptOptOut { list, time: opt_out.time.rfc3339(), way: opt_out.way.word() })
        };
        opt_outs::of_contact(self.tx, self.contact)?.into_iter().map(told).collect()
    }

    fn consents(&self) -> Result<Vec<KeptConsent>, StoreError> {
        let found: Vec<Consent> = self.of_addresses(&CONSENT_BY_ADDRESS)?;
        let told = |consent: Consent| {
            let Consent { id: _, account: _, address, list, name, digest, requested, confirmed, agreed } =
                consent;
            Ok(KeptConsent {
                list: self.list(list)?,
                email: address.to_string(),
                name,
                digest,
                requested: of_joined(&requested),
                confirmed: of_joined(&confirmed),
                agreed,
            })
        };
        found.into_iter().map(told).collect()
    }

    fn requests(&self) -> Result<Vec<KeptRequest>, StoreError> {
        let mut found: Vec<Confirmation> = self.of_addresses(&CONFIRMATION_BY_ADDRESS)?;
        found.extend(self.of_contact(&CONFIRMATION_BY_CONTACT)?);
        found.sort_by_key(|request| request.id);
        found.dedup_by_key(|request| request.id);
        let told = |request: Confirmation| {
            let Confirmation {
                id: _,
                account: _,
                address,
                name,
                changes,
                requested,
                client,
                way,
                agreed,
                done,
            } = request;
            let changes =
                changes.iter().map(|change| self.change(change)).collect::<Result<_, StoreError>>()?;
            let requested = of_joined(&Joined { when: requested, from: client, way });
            let confirmed = done.map(crate::clock::Timestamp::rfc3339);
            Ok(KeptRequest { email: address.to_string(), name, changes, requested, agreed, confirmed })
        };
        found.into_iter().map(told).collect()
    }

    fn change(&self, change: &RequestedChange) -> Result<String, StoreError> {
        let verb = match change {
            RequestedChange::Join { .. } => "join",
            RequestedChange::Leave { .. } => "leave",
            RequestedChange::Digest { .. } => "digest",
            RequestedChange::Pause => "pause",
            RequestedChange::Resume => "resume",
            RequestedChange::AddAddress { .. } => "add address",
            RequestedChange::ReplaceAddress { .. } => "replace address",
        };
        Ok(match change.list() {
            Some(list) => format!("{verb}: {}", self.list(list)?),
            None => verb.to_owned(),
        })
    }

    fn pendings(&self) -> Result<Vec<KeptPending>, StoreError> {
        let found: Vec<Pending> = self.of_addresses(&PENDING_BY_ADDRESS)?;
        let told = |pending: Pending| KeptPending {
            kind: pending.kind.word(),
            list: pending.list_name,
            email: pending.email.map(|email| email.to_string()),
            name: pending.name,
            requested: pending.requested.rfc3339(),
            state: pending.state.word(),
        };
        Ok(found.into_iter().map(told).collect())
    }

    /// The messages of the contact that wait for a decision and whose author is proven: others write under any name.
    fn held(&self) -> Result<Vec<KeptHeld>, StoreError> {
        let mut told = Vec::new();
        for email in self.emails {
            let range = IndexRange::prefix(self.key().u8(1).text(&email.address.as_str().to_lowercase()));
            for held in self.tx.page::<Held>(&HELD_WAITING_BY_SENDER, &range, ENTRIES_MAX)? {
                told.push(KeptHeld {
                    list: self.list(held.list)?,
                    subject: held.subject,
                    received: held.received.rfc3339(),
                    size_bytes: held.size_bytes,
                });
            }
        }
        Ok(told)
    }

    fn sessions(&self) -> Result<Vec<KeptSession>, StoreError> {
        let key = session_person(self.contact.account, Person::Member(self.contact.id));
        let found: Vec<Session> = self.tx.page(&SESSION_BY_PERSON, &IndexRange::prefix(key), ENTRIES_MAX)?;
        let told = |session: Session| KeptSession {
            made: session.made.rfc3339(),
            last_use: session.last_use.rfc3339(),
            until: session.due().rfc3339(),
            client: session.client.map(|client| client.to_string()),
            device: session.device,
        };
        Ok(found.into_iter().map(told).collect())
    }

    fn visit(&self) -> Result<Option<KeptVisit>, StoreError> {
        let visit: Option<MemberVisit> = self.tx.get(self.contact.id.0)?;
        Ok(visit.map(|visit| KeptVisit {
            last: visit.last.rfc3339(),
            before: visit.before.map(crate::clock::Timestamp::rfc3339),
        }))
    }

    fn drafts(&self) -> Result<Vec<KeptDraft>, StoreError> {
        let found: Vec<Draft> = self.of_contact(&DRAFT_BY_CONTACT)?;
        let told = |draft: Draft| {
            Ok(KeptDraft {
                list: self.list(draft.list)?,
                subject: draft.subject,
                text: draft.text,
                kept: draft.kept.rfc3339(),
            })
        };
        found.into_iter().map(told).collect()
    }

    fn links(&self) -> Result<Vec<KeptLink>, StoreError> {
        let found: Vec<SignInLink> = self.of_contact(&SIGN_IN_LINK_BY_CONTACT)?;
        let told = |link: SignInLink| KeptLink {
            email: link.address.to_string(),
            until: link.expiry.rfc3339(),
            used: link.used.map(crate::clock::Timestamp::rfc3339),
        };
        Ok(found.into_iter().map(told).collect())
    }

    /// What was done to the contact, newest first; where somebody else did it, only that.
    fn log(&self) -> Result<Vec<KeptEntry>, StoreError> {
        let range =
            IndexRange::prefix(self.key().u64(audit_object(AuditObject::Contact)).u64(self.contact.id.0));
        let found: Vec<AuditEntry> = self.tx.page(&AUDIT_BY_OBJECT, &range.backward(), ENTRIES_MAX)?;
        let told = |entry: AuditEntry| {
            let is_own = entry.actor.kind == ActorKind::Member(self.contact.id);
            KeptEntry {
                time: entry.time().rfc3339(),
                action: entry.action.word(),
                by: if is_own { "you" } else { "somebody else" },
                via: entry.actor.via.word(),
                client: entry.actor.client.filter(|_| is_own).map(|client| client.to_string()),
                detail: entry.detail,
            }
        };
        Ok(found.into_iter().map(told).collect())
    }
}
