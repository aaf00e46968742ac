//! The values of variables in templates: facts about a list, and about the person to whom a mail is written.

use crate::clock::Timestamp;
use crate::mail::notice::Values;
use crate::model::{Account, AccountId, Contact, EmailAddress, Links, List};
use crate::ops::context::MailContext;
use crate::ops::domains;
use crate::schema::EMAIL_BY_ADDRESS;
use crate::secret::{Purpose, Signer};
use crate::store::{Key, Read, StoreError};
/// The values of a list's variables.
pub(in crate::ops) struct ListFacts {
    /// The links of its account.
    pub(in crate::ops) links: Links,
    address: String,
    archive: String,
    date: String,
}

impl ListFacts {
    pub(in crate::ops) fn of(
        tx: &impl Read,
        mail_context: &MailContext,
        list: &List,
        now: Timestamp,
    ) -> Result<ListFacts, StoreError> {
        let domain = domains::main_domain(tx, list.account)?;
        let address = format!("{}@{}", list.name, domain.name);
        let links = mail_context.links.of(tx, list.account)?;
        let archive = links.archive(list).unwrap_or_default();
        Ok(ListFacts { links, address, archive, date: now.rfc3339().chars().take(10).collect() })
    }

    pub(in crate::ops) fn values<'a>(&'a self, list: &'a List) -> Values<'a> {
        Values {
            default_name: &list.merge_tags_default_name,
            list: list.name.as_str(),
            title: list.title(),
            list_address: &self.address,
            description: &list.description,
            archive: &self.archive,
            date: &self.date,
            ..Values::default()
        }
    }
}

/// The recipient of a notice, as far as the address book has it.
pub(in crate::ops) struct Person {
    pub(in crate::ops) first_name: String,
    pub(in crate::ops) surname: String,
    contact: Option<Contact>,
    fields: Vec<(String, String)>,
}

impl Person {
    /// The contact with this address, else an unknown person with this name.
    pub(in crate::ops) fn find(
        tx: &impl Read,
        account: AccountId,
        address: &EmailAddress,
        name: &str,
    ) -> Result<Person, StoreError> {
        let key = Key::new().u64(account.0).text(&address.folded());
        let email = tx.find(&EMAIL_BY_ADDRESS, &key)?;
        let contact = match email {
            Some(email) => tx.get::<Contact>(email.contact.0)?,
            None => None,
        };
        match contact {
            Some(contact) => Person::of(tx, contact),
            None => Ok(Person {
                first_name: name.to_owned(),
                surname: String::new(),
                contact: None,
                fields: Vec::new(),
            }),
        }
    }

    /// A contact with its custom fields.
    pub(in crate::ops) fn of(tx: &impl Read, contact: Contact) -> Result<Person, StoreError> {
        let fields = tx.get::<Account>(contact.account.0)?.map(|account| account.custom_fields);
        let value = |id| contact.custom.get(&id).cloned().unwrap_or_default();
        let fields = fields.unwrap_or_default().into_iter().map(|field| (field.name, value(field.id)));
        Ok(Person {
            first_name: contact.firstname.clone(),
            surname: contact.surname.clone(),
            fields: fields.collect(),
            contact: Some(contact),
        })
    }

    /// The links by which a contact leaves a list and manages its subscriptions; blank for an unknown person.
    pub(in crate::ops) fn own_links(&self, signer: &Signer, links: &Links, list: &List) -> [String; 2] {
        let Some(contact) = &self.contact else { return [const { String::new() }; 2] };
        let leave = links.unsubscribe(&signer.token(Purpose::Unsubscribe, [contact.id.0, list.id.0]));
        let manage = links.members().unwrap_or_else(|| leave.clone());
        [leave, manage]
    }

    /// Custom fields with their names.
    pub(in crate::ops) fn custom(&self) -> Vec<(&str, &str)> {
        self.fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
    }
}
