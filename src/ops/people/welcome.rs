//! Welcome messages: recorded in the job in which somebody joins, and written soon after by the upkeep, a few at a
//! time, so that a thousand new members delay nobody.

use crate::clock::Timestamp;
use crate::mail::Wording;
use crate::mail::notice::{BuiltIn, Values};
use crate::model::welcome::{Greeting, Welcome, WelcomeCause};
use crate::model::{Account, Contact, EmailAddress, List, SystemMailKind, WelcomeId};
use crate::ops::context::MailContext;
use crate::ops::locales;
use crate::ops::notices::system_mails::{NewNotice, owner_local, write};
use crate::ops::notices::template_values::{ListFacts, Person};
use crate::ops::people::first_email;
use crate::ops::queue::restored;
use crate::store::{Read, StoreError, WriteTx};

/// Records that a contact joined a list, if the list welcomes its members.
pub(in crate::ops) fn joined(tx: &mut WriteTx<'_>, contact: &Contact, list: &List) -> Result<(), StoreError> {
    if list.welcome_message.is_none() {
        return Ok(());
    }
    note(tx, contact, WelcomeCause::Joined(list.id))
}

/// Records that a contact was added, if its account welcomes them.
pub(in crate::ops) fn added(
    tx: &mut WriteTx<'_>,
    contact: &Contact,
    account: &Account,
) -> Result<(), StoreError> {
    if !account.settings.send_welcome_message_contacts {
        return Ok(());
    }
    greet(tx, contact)
}

/// Records that a contact has confirmed an address, if its account welcomes them then.
pub(in crate::ops) fn confirmed(
    tx: &mut WriteTx<'_>,
    contact: &Contact,
    account: &Account,
) -> Result<(), StoreError> {
    if !account.settings.send_welcome_message_confirmation {
        return Ok(());
    }
    greet(tx, contact)
}

/// Records that a contact gets the welcome message of its account, which it gets once.
fn greet(tx: &mut WriteTx<'_>, contact: &Contact) -> Result<(), StoreError> {
    if tx.get::<Greeting>(contact.id.0)?.is_some() {
        return Ok(());
    }
    tx.put(&Greeting { contact: contact.id, account: contact.account })?;
    note(tx, contact, WelcomeCause::Added)
}

fn note(tx: &mut WriteTx<'_>, contact: &Contact, cause: WelcomeCause) -> Result<(), StoreError> {
    let id = WelcomeId(tx.next_id::<Welcome>()?);
    tx.put(&Welcome { id, account: contact.account, contact: contact.id, cause })
}

/// Whether welcome messages wait to be written that are not held.
pub(in crate::ops) fn is_due(tx: &impl Read) -> Result<bool, StoreError> {
    Ok(!next(tx, 1)?.is_empty())
}

fn next(tx: &impl Read, limit: usize) -> Result<Vec<Welcome>, StoreError> {
    tx.all::<Welcome>(restored::bounds(tx)?.welcome, limit)
}

/// Writes the first `limit` welcome messages.
pub(in crate::ops) fn write_due(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    now: Timestamp,
    limit: usize,
) -> Result<(), StoreError> {
    for welcome in next(tx, limit)? {
        send(tx, mail_context, &welcome, now)?;
        tx.delete::<Welcome>(welcome.id.0)?;
    }
    Ok(())
}

/// Writes one welcome message, unless the contact, its address or the list is gone meanwhile.
fn send(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    welcome: &Welcome,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(contact) = tx.get::<Contact>(welcome.contact.0)? else { return Ok(()) };
    let Some(account) = tx.get::<Account>(welcome.account.0)? else { return Ok(()) };
    let Some(address) = first_address(tx, &contact)? else { return Ok(()) };
    let person = Person::of(tx, contact)?;
    match welcome.cause {
        WelcomeCause::Joined(list) => match tx.get::<List>(list.0)? {
            Some(list) => to_list(tx, mail_context, &list, &person, &address, now),
            None => Ok(()),
        },
        WelcomeCause::Added => to_account(tx, mail_context, &account, &person, &address, now),
    }
}

/// The first address of a contact that takes mail.
fn first_address(tx: &impl Read, contact: &Contact) -> Result<Option<EmailAddress>, StoreError> {
    let emails = first_email::emails_in_order(tx, contact)?;
    Ok(emails.into_iter().find(|email| !email.paused).map(|email| email.address))
}

fn to_list(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    list: &List,
    person: &Person,
    address: &EmailAddress,
    now: Timestamp,
) -> Result<(), StoreError> {
    let Some(text) = &list.welcome_message else { return Ok(()) };
    let (facts, custom) = (ListFacts::of(tx, mail_context, list, now)?, person.custom());
    let [leave, manage] = person.own_links(&mail_context.signer, &facts.links, list);
    let values = Values {
        first_name: &person.first_name,
        surname: &person.surname,
        email: address.as_str(),
        unsubscribe: &leave,
        manage: &manage,
        custom: &custom,
        ..facts.values(list)
    };
    let subject = list.welcome_message_subject.as_ref().map(|template| values.fill_header(template));
    let language = locales::locale(tx, list.account)?.language;
    let notice = NewNotice {
        kind: SystemMailKind::Welcome,
        from_phrase: list.title(),
        from_local: &owner_local(list),
        to: address,
        reply_to: None,
        subject: &subject.unwrap_or_else(|| BuiltIn::welcome(language, &values).subject),
        text: &values.fill_text(text),
        buttons: &values.buttons(language),
        wording: Wording::Own,
        in_reply_to: None,
    };
    write(tx, mail_context, list.account, &notice, now)
}

fn to_account(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    account: &Account,
    person: &Person,
    address: &EmailAddress,
    now: Timestamp,
) -> Result<(), StoreError> {
    let BuiltIn { subject, text } = filled(account, person, address, now);
    let notice = NewNotice {
        kind: SystemMailKind::Welcome,
        from_phrase: account.title(),
        from_local: "postmaster",
        to: address,
        reply_to: None,
        subject: &subject,
        text: &text,
        buttons: &[],
        wording: if account.settings.welcome_message.is_some() { Wording::Own } else { Wording::BuiltIn },
        in_reply_to: None,
    };
    write(tx, mail_context, account.id, &notice, now)
}

/// The account's own welcome message for a person who has just confirmed an address; `None` if the account has none.
pub fn of_account(
    tx: &impl Read,
    account: &Account,
    address: &EmailAddress,
    now: Timestamp,
) -> Result<Option<String>, StoreError> {
    if account.settings.welcome_message.is_none() {
        return Ok(None);
    }
    let person = Person::find(tx, account.id, address, "")?;
    Ok(Some(filled(account, &person, address, now).text))
}

/// The welcome message of an account for a person: the account's own text if it has one, else the built-in one.
fn filled(account: &Account, person: &Person, address: &EmailAddress, now: Timestamp) -> BuiltIn {
    let custom = person.custom();
    let date: String = now.rfc3339().chars().take(10).collect();
    let values = Values {
        first_name: &person.first_name,
        surname: &person.surname,
        email: address.as_str(),
        list: account.title(),
        title: account.title(),
        description: &account.description,
        date: &date,
        custom: &custom,
        ..Values::default()
    };
    let mut welcome = BuiltIn::welcome(account.settings.language, &values);
    if let Some(template) = &account.settings.welcome_message {
        welcome.text = values.fill_text(template);
    }
    welcome
}
