//! Carries out what the owner of an address confirmed, change by change.
//!
//! [`carry_out_join`] is the one way in which somebody becomes a member by a request: at once on an open list, and
//! after an administrator's approval elsewhere. Patterns of `restrict_contact` are matched before the write job; the
//! job compares that they have not changed since.

use super::{State, consent, state_of, subscriptions};
use crate::clock::Timestamp;
use crate::locale::text;
use crate::mail::Wording;
use crate::model::account::Subscriptions;
use crate::model::contact::JoinWay;
use crate::model::pending::PendingKind;
use crate::model::{
    Account, ActorKind, AuditAction, Confirmation, ConfirmationId, Consent, ConsentId, Contact, ContactId,
    Email, EmailAddress, EmailId, EmailPause, FirstEmail, Joined, List, ListId, Membership, RequestedChange,
    SystemMailKind, Via,
};
use crate::ops::audit::{self, Note};
use crate::ops::notices::system_mails::{self, NewNotice, is_a_person};
use crate::ops::patterns::{AddressJudgement, Permit};
use crate::ops::people::announcements;
use crate::ops::people::approval::{self, NewRequest};
use crate::ops::people::emails::EmailInput;
use crate::ops::people::memberships::MemberSettings;
use crate::ops::people::subscribe::{self, Leaving, masked};
use crate::ops::people::{contacts, emails, memberships, opt_outs, welcome};
use crate::ops::{Caller, OpContext, OpError, Wrong};
use crate::schema::EMAIL_BY_ADDRESS;
use crate::store::{Key, Read, StoreError, WriteTx};

/// The result of one change that was confirmed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// The person is a member now.
    Joined,
    /// An administrator decides.
    WaitsForApproval,
    /// The person was a member already.
    AlreadyMember,
    /// The person has left.
    Left,
    /// The person was no member.
    WasNoMember,
    /// The setting or the address is changed.
    Changed,
    /// Nothing has changed.
    Refused(Refusal),
}

/// The reason why a confirmed change is not carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// Nobody can join or leave the list on their own any more.
    Closed,
    /// The list or the contact does not exist any more.
    Gone,
    /// The account does not take addresses like this one.
    Address,
    /// The address belongs to somebody else.
    Taken,
    /// The address is in no address book.
    Unknown,
    /// The account's address book, or the contact, has room for no more.
    Full,
}

/// A person who is to become a member of a list.
pub struct Join<'a> {
    /// The list.
    pub list: &'a List,
    /// The address, which its owner confirmed.
    pub address: &'a EmailAddress,
    /// The person's name; used where the address book has none.
    pub name: &'a str,
    /// The digest setting of the membership.
    pub digest: Option<bool>,
    /// The evidence of the membership.
    pub joined: Joined,
    /// Whether `restrict_contact` permits the address, if it is new to the address book.
    pub judgement: &'a AddressJudgement,
}

/// Makes the owner of an address a member. The contact is made if there is none, and named if it has no name.
pub fn carry_out_join(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    join: Join<'_>,
    now: Timestamp,
) -> Result<Outcome, OpError> {
    let Join { list, address, name, digest, joined, judgement } = join;
    let account: Account = tx.get(list.account.0)?.ok_or(OpError::NotFound { what: "account" })?;
    let contact = match find_owner(tx, &account, address)? {
        Some((contact, email)) => known(tx, caller, contact, email, name, now)?,
        None => match make(tx, caller, &account, address, name, judgement, now)? {
            Ok(contact) => contact,
            Err(refusal) => return Ok(Outcome::Refused(refusal)),
        },
    };
    welcome::confirmed(tx, &contact, &account)?;
    if subscribe::find_member(tx, &contact, list.id)?.is_some() {
        return Ok(Outcome::AlreadyMember);
    }
    opt_outs::end(tx, &contact, list.id)?;
    let member = memberships::add(
        tx,
        &contact,
        list.clone(),
        MemberSettings { digest: Some(digest), paused: None },
        joined,
    )?;
    announcements::joined(tx, &acting(caller, &contact), list.id, contact.id, now)?;
    let made = memberships::noted(AuditAction::MembershipCreated, &member.membership);
    audit::note(tx, &acting(caller, &contact), made.detail(member.list.as_str()), now)?;
    Ok(Outcome::Joined)
}

/// Makes a contact that is signed in, and so has confirmed `address` already, a member of one more list: at once, or
/// after an administrator's approval, as the list says.
pub fn join_as_contact(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    contact: &Contact,
    address: &EmailAddress,
    list: &List,
) -> Result<Outcome, OpError> {
    let account: Account = tx.get(contact.account.0)?.ok_or(OpError::NotFound { what: "account" })?;
    if list.account != account.id || list.pending {
        return Ok(Outcome::Refused(Refusal::Gone));
    }
    if subscribe::find_member(tx, contact, list.id)?.is_some() {
        return Ok(Outcome::AlreadyMember);
    }
    let joined = Joined { when: by.now, from: by.caller.actor().client, way: JoinWay::Web };
    let evidence = Consent {
        id: ConsentId(0),
        account: account.id,
        address: address.clone(),
        list: list.id,
        name: contact.name(),
        digest: None,
        requested: joined.clone(),
        confirmed: joined.clone(),
        agreed: String::new(),
    };
    match subscriptions(&account, list) {
        Subscriptions::Closed => Ok(Outcome::Refused(Refusal::Closed)),
        Subscriptions::Open => {
            let (name, judgement) = ("", &AddressJudgement::default());
            let join = Join { list, address, name, digest: None, joined, judgement };
            let outcome = carry_out_join(tx, &by.caller, join, by.now)?;
            keep_evidence(tx, list, evidence)?;
            Ok(outcome)
        }
        Subscriptions::OpenConfirm => {
            let name = contact.name();
            keep_evidence(tx, list, evidence)?;
            let request = NewRequest { kind: PendingKind::Subscription, list, address, name: &name };
            approval::ask(tx, &by.caller, request, by.now)?;
            Ok(Outcome::WaitsForApproval)
        }
    }
}

/// Stores evidence in place of what the address had for the list.
fn keep_evidence(tx: &mut WriteTx<'_>, list: &List, evidence: Consent) -> Result<(), OpError> {
    let id = match consent(tx, list, &evidence.address)? {
        Some(old) => old.id,
        None => ConsentId(tx.next_id::<Consent>()?),
    };
    Ok(tx.put(&Consent { id, ..evidence })?)
}

/// The caller to note: a person who is proven to be the contact acts as the contact.
fn acting(caller: &Caller, contact: &Contact) -> Caller {
    let actor = caller.actor();
    match actor.kind {
        ActorKind::Anonymous => Caller::member(contact, actor.via, actor.client),
        _ => caller.clone(),
    }
}

/// The contact that has an address, with the record of the address.
pub(super) fn find_owner(
    tx: &impl Read,
    account: &Account,
    address: &EmailAddress,
) -> Result<Option<(Contact, Email)>, StoreError> {
    let key = Key::new().u64(account.id.0).text(&address.folded());
    let Some(email): Option<Email> = tx.find(&EMAIL_BY_ADDRESS, &key)? else { return Ok(None) };
    Ok(tx.get::<Contact>(email.contact.0)?.map(|contact| (contact, email)))
}

/// A contact whose address is confirmed now; it gets the name if it has none.
fn known(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    mut contact: Contact,
    mut email: Email,
    name: &str,
    now: Timestamp,
) -> Result<Contact, OpError> {
    if contact.name().is_empty() && !name.trim().is_empty() {
        (contact.firstname, contact.surname) = split_name(name);
        tx.put(&contact)?;
        let named = Note::new(AuditAction::ContactUpdated, contact.id.0).about(contact.id);
        audit::note(tx, &acting(caller, &contact), named.fields(&["firstname", "surname"]), now)?;
    }
    if !email.confirmed {
        email.confirmed = true;
        note_email(tx, &acting(caller, &contact), &email, "confirmed", now)?;
    }
    Ok(contact)
}

/// Stores an address with a changed field, and notes that.
fn note_email(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    email: &Email,
    field: &str,
    now: Timestamp,
) -> Result<(), OpError> {
    tx.put(email)?;
    let changed = Note::new(AuditAction::EmailUpdated, email.id.0).about(email.contact);
    audit::note(tx, caller, changed.fields(&[field]), now)?;
    Ok(())
}

/// Whether `restrict_contact` permits an address. If its patterns were changed since they were matched, that is a
/// conflict.
fn is_permitted(account: &Account, judgement: &AddressJudgement) -> Result<bool, OpError> {
    let AddressJudgement { patterns, permit } = judgement;
    if account.settings.restrict_contact != **patterns {
        return Err(OpError::conflict("email", Wrong::PatternsChanged));
    }
    Ok(*permit == Permit::Granted)
}

/// A new contact with this address, confirmed.
fn make(
    tx: &mut WriteTx<'_>,
    caller: &Caller,
    account: &Account,
    address: &EmailAddress,
    name: &str,
    judgement: &AddressJudgement,
    now: Timestamp,
) -> Result<Result<Contact, Refusal>, OpError> {
    if !is_permitted(account, judgement)? {
        return Ok(Err(Refusal::Address));
    }
    let contact = match contacts::make(tx, account, split_name(name), now) {
        Ok(contact) => contact,
        Err(OpError::AddressBookFull { .. }) => return Ok(Err(Refusal::Full)),
        Err(error) => return Err(error),
    };
    let mut email = emails::add(tx, &contact, address.clone(), EmailInput::default(), "email")?;
    email.confirmed = true;
    tx.put(&email)?;
    let made = Note::new(AuditAction::ContactCreated, contact.id.0).about(contact.id);
    audit::note(tx, &acting(caller, &contact), made, now)?;
    welcome::added(tx, &contact, account)?;
    Ok(Ok(contact))
}

/// First name and surname of a name: the surname is its last word, if it has several.
fn split_name(name: &str) -> (String, String) {
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    match name.rsplit_once(' ') {
        Some((first, last)) => (first.to_owned(), last.to_owned()),
        None => (name, String::new()),
    }
}

/// Carries out every change of a request, in their order, and marks the request as used.
///
/// # Errors
/// `Conflict` if it was used or has expired meanwhile, or if the patterns behind `judgement` have changed since.
pub fn confirm(
    tx: &mut WriteTx<'_>,
    by: &OpContext,
    id: ConfirmationId,
    judgement: &AddressJudgement,
) -> Result<Vec<Outcome>, OpError> {
    let mut request: Confirmation = tx.get(id.0)?.ok_or(OpError::NotFound { what: "request" })?;
    if state_of(&request, by.now) != State::Waiting {
        return Err(OpError::conflict("request", Wrong::RequestOver));
    }
    let account: Account = tx.get(request.account.0)?.ok_or(OpError::NotFound { what: "account" })?;
    request.done = Some(by.now);
    tx.put(&request)?;
    let confirming = Confirming { by, account: &account, request: &request, judgement };
    confirming.restore(tx)?;
    request.changes.iter().map(|change| confirming.carry_out(tx, change)).collect()
}

/// A request that is being carried out.
struct Confirming<'a> {
    by: &'a OpContext,
    account: &'a Account,
    request: &'a Confirmation,
    judgement: &'a AddressJudgement,
}

impl Confirming<'_> {
    /// A person who confirms has read mail at the address, so a pause that the server made because mail failed ends.
    fn restore(&self, tx: &mut WriteTx<'_>) -> Result<(), OpError> {
        let Some((contact, mut email)) = self.owner(tx)? else { return Ok(()) };
        if email.evidence.as_ref().is_some_and(|evidence| evidence.pause.is_some()) {
            email.restore();
            tx.put(&email)?;
            let resumed = Note::new(AuditAction::EmailResumed, email.id.0).about(email.contact);
            audit::note(tx, &acting(&self.by.caller, &contact), resumed, self.by.now)?;
        }
        Ok(())
    }

    fn owner(&self, tx: &impl Read) -> Result<Option<(Contact, Email)>, StoreError> {
        find_owner(tx, self.account, &self.request.address)
    }

    fn carry_out(&self, tx: &mut WriteTx<'_>, change: &RequestedChange) -> Result<Outcome, OpError> {
        match change {
            RequestedChange::Join { list, digest } => self.join(tx, *list, *digest),
            RequestedChange::Leave { list } => self.leave(tx, *list),
            RequestedChange::Digest { list, digest } => self.digest(tx, *list, *digest),
            RequestedChange::Pause => self.pause(tx, true),
            RequestedChange::Resume => self.pause(tx, false),
            RequestedChange::AddAddress { contact } => self.add_address(tx, *contact),
            RequestedChange::ReplaceAddress { contact, email } => self.replace_address(tx, *contact, *email),
        }
    }

    /// The list of a change, unless it is gone.
    fn list(&self, tx: &impl Read, id: ListId) -> Result<Option<List>, StoreError> {
        let list = tx.get::<List>(id.0)?;
        Ok(list.filter(|list| list.account == self.account.id && !list.pending))
    }

    /// How the request was made, as evidence.
    fn requested(&self) -> Joined {
        let Confirmation { requested, client, way, .. } = self.request;
        Joined { when: *requested, from: *client, way: *way }
    }

    /// How it was confirmed, as evidence.
    fn confirmed(&self) -> Joined {
        let actor = self.by.caller.actor();
        let way = if actor.via == Via::Mail { JoinWay::Mail } else { JoinWay::Web };
        Joined { when: self.by.now, from: actor.client, way }
    }

    fn join(&self, tx: &mut WriteTx<'_>, list: ListId, digest: Option<bool>) -> Result<Outcome, OpError> {
        let Some(list) = self.list(tx, list)? else { return Ok(Outcome::Refused(Refusal::Gone)) };
        let owner = self.owner(tx)?;
        if let Some((contact, _)) = &owner
            && subscribe::find_member(tx, contact, list.id)?.is_some()
        {
            self.note_confirmed(tx)?;
            return Ok(Outcome::AlreadyMember);
        }
        match subscriptions(self.account, &list) {
            Subscriptions::Closed => Ok(Outcome::Refused(Refusal::Closed)),
            Subscriptions::Open => {
                let joined = Joined {
                    when: self.by.now,
                    from: self.confirmed().from.or(self.request.client),
                    way: self.request.way,
                };
                let Confirmation { address, name, .. } = self.request;
                let join = Join { list: &list, address, name, digest, joined, judgement: self.judgement };
                let outcome = carry_out_join(tx, &self.by.caller, join, self.by.now)?;
                if outcome == Outcome::Joined {
                    self.keep_evidence(tx, &list, digest)?;
                }
                Ok(outcome)
            }
            Subscriptions::OpenConfirm => {
                if owner.is_none() && !is_permitted(self.account, self.judgement)? {
                    return Ok(Outcome::Refused(Refusal::Address));
                }
                self.keep_evidence(tx, &list, digest)?;
                self.wait_for_approval(tx, &list)?;
                Ok(Outcome::WaitsForApproval)
            }
        }
    }

    /// Marks the address as confirmed, if the address book has it.
    fn note_confirmed(&self, tx: &mut WriteTx<'_>) -> Result<(), OpError> {
        if let Some((contact, email)) = self.owner(tx)? {
            let contact = known(tx, &self.by.caller, contact, email, &self.request.name, self.by.now)?;
            welcome::confirmed(tx, &contact, self.account)?;
        }
        Ok(())
    }

    fn keep_evidence(&self, tx: &mut WriteTx<'_>, list: &List, digest: Option<bool>) -> Result<(), OpError> {
        let Confirmation { account, address, name, agreed, .. } = self.request.clone();
        let (requested, confirmed) = (self.requested(), self.confirmed());
        let (id, list_id) = (ConsentId(0), list.id);
        let evidence =
            Consent { id, account, address, list: list_id, name, digest, requested, confirmed, agreed };
        keep_evidence(tx, list, evidence)
    }

    /// Stores the request that an administrator decides.
    fn wait_for_approval(&self, tx: &mut WriteTx<'_>, list: &List) -> Result<(), OpError> {
        let Confirmation { address, name, .. } = self.request;
        let request = NewRequest { kind: PendingKind::Subscription, list, address, name };
        approval::ask(tx, &self.by.caller, request, self.by.now)?;
        Ok(())
    }

    fn leave(&self, tx: &mut WriteTx<'_>, list: ListId) -> Result<Outcome, OpError> {
        let Some(list) = self.list(tx, list)? else { return Ok(Outcome::Refused(Refusal::Gone)) };
        let Some((contact, _)) = self.owner(tx)? else { return Ok(Outcome::WasNoMember) };
        let caller = acting(&self.by.caller, &contact);
        Ok(match subscribe::ask_to_leave(tx, &caller, list.id, self.by.now)? {
            Leaving::Left => Outcome::Left,
            Leaving::Waits => Outcome::WaitsForApproval,
            Leaving::NoMember => Outcome::WasNoMember,
            Leaving::Closed => Outcome::Refused(Refusal::Closed),
        })
    }

    fn digest(&self, tx: &mut WriteTx<'_>, list: ListId, digest: Option<bool>) -> Result<Outcome, OpError> {
        let Some(list) = self.list(tx, list)? else { return Ok(Outcome::Refused(Refusal::Gone)) };
        let Some((contact, _)) = self.owner(tx)? else { return Ok(Outcome::WasNoMember) };
        let Some(id) = subscribe::find_member(tx, &contact, list.id)? else {
            return Ok(Outcome::WasNoMember);
        };
        let Some(mut membership) = tx.get::<Membership>(id)? else { return Ok(Outcome::WasNoMember) };
        let caller = acting(&self.by.caller, &contact);
        let settings = MemberSettings { digest: Some(digest), paused: None };
        memberships::set(tx, &caller, &mut membership, &list.name, settings, self.by.now)?;
        Ok(Outcome::Changed)
    }

    fn pause(&self, tx: &mut WriteTx<'_>, pause: bool) -> Result<Outcome, OpError> {
        let Some((contact, mut email)) = self.owner(tx)? else {
            return Ok(Outcome::Refused(Refusal::Unknown));
        };
        if email.paused != pause {
            if pause {
                email.pause_by_hand();
            } else {
                email.restore();
            }
            // It lasts until the person says otherwise.
            tx.delete::<EmailPause>(email.id.0)?;
            note_email(tx, &acting(&self.by.caller, &contact), &email, "paused", self.by.now)?;
        }
        Ok(Outcome::Changed)
    }

    fn add_address(&self, tx: &mut WriteTx<'_>, contact: ContactId) -> Result<Outcome, OpError> {
        match self.may_have(tx, contact)? {
            MayHave::No(refusal) => Ok(Outcome::Refused(refusal)),
            MayHave::Already => Ok(Outcome::Changed),
            MayHave::New(contact) => self.give_address(tx, &contact),
        }
    }

    /// Gives a contact the address of the request.
    fn give_address(&self, tx: &mut WriteTx<'_>, contact: &Contact) -> Result<Outcome, OpError> {
        if contacts::emails_of(tx, contact)?.len() == contacts::EMAILS_PER_CONTACT_MAX {
            return Ok(Outcome::Refused(Refusal::Full));
        }
        let address = self.request.address.clone();
        let mut email = emails::add(tx, contact, address, EmailInput::default(), "email")?;
        email.confirmed = true;
        tx.put(&email)?;
        let made = Note::new(AuditAction::EmailCreated, email.id.0).about(contact.id);
        audit::note(tx, &acting(&self.by.caller, contact), made, self.by.now)?;
        Ok(Outcome::Changed)
    }

    /// Puts the address of the request in the place of another one of a contact, which goes: whatever is set for that
    /// one stays, and it stays first if it was. If the contact has the new one already, the old one goes alone.
    fn replace_address(
        &self,
        tx: &mut WriteTx<'_>,
        contact: ContactId,
        email: EmailId,
    ) -> Result<Outcome, OpError> {
        let may_have = self.may_have(tx, contact)?;
        if let MayHave::No(refusal) = may_have {
            return Ok(Outcome::Refused(refusal));
        }
        let old = tx.get::<Email>(email.0)?.filter(|old| old.contact == contact);
        match (may_have, old) {
            (MayHave::New(contact), Some(old)) => {
                let changed = Note::new(AuditAction::EmailUpdated, old.id.0).about(contact.id);
                emails::replace_address(tx, &old, self.request.address.clone())?;
                let caller = acting(&self.by.caller, &contact);
                audit::note(tx, &caller, changed.fields(&["email"]), self.by.now)?;
                self.tell(tx, &old.address)?;
            }
            // Somebody removed the old one meanwhile.
            (MayHave::New(contact), None) => return self.give_address(tx, &contact),
            (_, Some(old)) if old.address.folded() != self.request.address.folded() => {
                self.remove_for_own(tx, &old)?;
                self.tell(tx, &old.address)?;
            }
            _ => {}
        }
        Ok(Outcome::Changed)
    }

    /// Tells an address that mail no longer goes there: whoever has the session of a member can move it, so its owner
    /// hears of it.
    fn tell(&self, tx: &mut WriteTx<'_>, old: &EmailAddress) -> Result<(), StoreError> {
        if !is_a_person(old) {
            return Ok(());
        }
        let (account, title) = (self.account, self.account.title());
        let language = account.settings.language;
        let (address, new) = (old.as_str(), masked(&self.request.address));
        let text = text!(language, "moved-mail-text", address = address, new = new, account = title);
        let notice = NewNotice {
            kind: SystemMailKind::News,
            from_phrase: title,
            // Answers reach the account's administrators.
            from_local: "postmaster",
            to: old,
            reply_to: None,
            subject: &text!(language, "moved-mail-subject", account = title),
            text: &(text + "\n"),
            buttons: &[],
            wording: Wording::BuiltIn,
            in_reply_to: None,
        };
        system_mails::write(tx, &self.by.mail_context, account.id, &notice, self.by.now)
    }

    /// Removes an address whose contact has the one of the request as well, which takes its place.
    fn remove_for_own(&self, tx: &mut WriteTx<'_>, old: &Email) -> Result<(), OpError> {
        let Some((contact, new)) = self.owner(tx)? else { return Ok(()) };
        let is_first = contacts::emails_of(tx, &contact)?.first().is_some_and(|first| first.id == old.id);
        emails::remove(tx, old)?;
        if is_first {
            tx.put(&FirstEmail { contact: contact.id, account: contact.account, email: new.id })?;
        }
        let deleted = Note::new(AuditAction::EmailDeleted, old.id.0).about(contact.id);
        audit::note(tx, &acting(&self.by.caller, &contact), deleted, self.by.now)?;
        Ok(())
    }

    /// Whether a contact may have the address of the request, which is confirmed if it has it already.
    fn may_have(&self, tx: &mut WriteTx<'_>, contact: ContactId) -> Result<MayHave, OpError> {
        let contact = tx.get::<Contact>(contact.0)?.filter(|contact| contact.account == self.account.id);
        let Some(contact) = contact else { return Ok(MayHave::No(Refusal::Gone)) };
        if let Some((owner, email)) = self.owner(tx)? {
            if owner.id != contact.id {
                return Ok(MayHave::No(Refusal::Taken));
            }
            known(tx, &self.by.caller, owner, email, "", self.by.now)?;
            return Ok(MayHave::Already);
        }
        if !is_permitted(self.account, self.judgement)? {
            return Ok(MayHave::No(Refusal::Address));
        }
        Ok(MayHave::New(contact))
    }
}

/// Whether a contact may have an address.
enum MayHave {
    /// It has it.
    Already,
    /// It may, and nobody has it.
    New(Contact),
    /// It may not.
    No(Refusal),
}
