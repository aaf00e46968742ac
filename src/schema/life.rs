//! What ends the records of each entity, and where the people whom they are about read them.
//!
//! Declarations only: `ops` visits the entities ([`visit_entities`](super::visit_entities)) and does what they say. Each
//! entity answers all six questions, so that a new one that forgets one does not compile. Where more is needed than to
//! delete records, or somebody has to be told, an operation does it, and the declaration says why.

use crate::model::{AccountId, ContactId};
use crate::store::{Entity, Index, Key};

/// An entity that says what becomes of its records.
pub trait HasLife: Entity {
    /// What becomes of them.
    const LIFE: Life<Self>;
}

/// What becomes of the records of an entity.
pub struct Life<E: 'static> {
    /// When their account is deleted.
    pub with_account: WithAccount<E>,
    /// When a contact that they name is deleted.
    pub with_contact: WithContact<E>,
    /// When a list that they name is deleted.
    pub with_list: WithList<E>,
    /// When their account moves to another server.
    pub with_move: WithMove<E>,
    /// As time passes.
    pub in_time: InTime<E>,
    /// In the file with everything that is kept about a person.
    pub in_download: InDownload,
}

/// What becomes of records when their account is deleted.
pub enum WithAccount<E: 'static> {
    /// They go at once, by this index, whose keys begin with the account.
    AtOnce(&'static Index<E>),
    /// The one that has the account's number goes at once.
    AtOnceByNumber,
    /// They go in bounded steps, by these indexes, whose keys begin with the account.
    InSteps(&'static [&'static Index<E>]),
    /// `ops::accounts::account_deletion` has an operation for them, for this reason.
    ByOperation(&'static str),
    /// They belong to no account, for this reason.
    Stays(&'static str),
}

/// What becomes of records when a contact that they name is deleted.
pub enum WithContact<E: 'static> {
    /// They name no contact. What they have of a person's address goes with the address (`ops::people::emails`).
    NamesNone,
    /// The one that has the contact's number goes.
    GoesByNumber,
    /// Those go whose keys in this index begin with the key of the contact.
    Goes(&'static Index<E>, fn(AccountId, ContactId) -> Key),
    /// `ops::people::contacts` has an operation for them, for this reason.
    ByOperation(&'static str),
    /// They stay, for this reason.
    Stays(&'static str),
}

/// What becomes of records when a list that they name is deleted.
pub enum WithList<E: 'static> {
    /// They name no list.
    NamesNone,
    /// The one that has the list's number goes.
    GoesByNumber,
    /// Those that this index has go in bounded steps; its keys begin with the account and the list.
    Goes(&'static Index<E>),
    /// `ops::lists` has an operation for them, for this reason.
    ByOperation(&'static str),
    /// They stay, for this reason.
    Stays(&'static str),
}

/// What becomes of records when their account moves to another server.
pub enum WithMove<E: 'static> {
    /// They go along. Until the account is there, nothing reads them.
    Goes,
    /// They go along; those for which this holds come in the one job with which the account begins at the other server,
    /// since time or a stranger sets them off.
    GoesLast(fn(&E) -> bool),
    /// They stay behind, for this reason.
    Stays(&'static str),
}

/// What becomes of records as time passes.
pub enum InTime<E: 'static> {
    /// Nothing: they are kept until somebody deletes them, or what they belong to.
    Kept,
    /// Upkeep deletes them by this index of the time when they are over; under this name in the log.
    Forgotten(&'static str, &'static Index<E>),
    /// The kind of upkeep of this name ends them (`ops::server::upkeep`).
    ByUpkeep(&'static str),
    /// Another operation ends them: when.
    ByOperation(&'static str),
}

/// Where a person reads what records keep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InDownload {
    /// In this field of the file (`ops::people::download`).
    As(&'static str),
    /// Nowhere, for this reason.
    Not(&'static str),
    /// Nowhere: they are about no person.
    NotOfAPerson,
}

impl<E> InTime<E> {
    /// The name and the index by which upkeep deletes records; `None` if it does not.
    #[must_use]
    pub const fn forgotten(&self) -> Option<(&'static str, &'static Index<E>)> {
        match self {
            InTime::Forgotten(name, by_time) => Some((name, by_time)),
            InTime::Kept | InTime::ByUpkeep(_) | InTime::ByOperation(_) => None,
        }
    }
}

/// Does something for each entity.
pub trait EntityVisitor {
    /// The error that ends the visit.
    type Error;

    /// Does it for one entity.
    fn visit<E: HasLife>(&mut self) -> Result<(), Self::Error>;
}

/// The key of a contact in indexes that have it after the account.
pub(super) fn contact_key(account: AccountId, contact: ContactId) -> Key {
    Key::new().u64(account.0).u64(contact.0)
}
