//! Moves an account whole to another server: [`leaving`] reads everything that belongs to it, [`arriving`] writes it.
//!
//! Records keep their numbers, since links, tokens and envelope senders name them; only the bytes of messages get new
//! ones. Which tables go along, each entity declares ([`WithMove`](crate::schema::WithMove)). The link secrets of the
//! server, the salt of the hashes of who opted out, and the applications that people allowed something go along beside.
//! How the items become a file is the business of the edge.

pub mod arriving;
pub mod leaving;

use serde::{Deserialize, Serialize};

use crate::clock::Timestamp;
use crate::model::AccountId;

/// The beginning of a move.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The schema of the data file that it was read from.
    pub schema: u32,
    /// The account.
    pub account: AccountId,
    /// Its name.
    pub name: String,
    /// When it was read.
    pub time: Timestamp,
    /// The last number that the server drew for each table.
    pub last_ids: Vec<(String, u64)>,
    /// The secret that signs links, as the file keeps it.
    pub secret: Vec<u8>,
    /// Earlier ones that are still accepted.
    pub old_secrets: Vec<u8>,
    /// The salt of the hashes of addresses that opted out.
    pub opt_out_salt: Option<Vec<u8>>,
}

/// One item of a move, in this order: the head; records, each behind the messages to which it refers and that did not
/// come before; the end.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Item {
    /// The beginning.
    Head(Head),
    /// The next bytes of a raw message.
    Blob {
        /// Its number at the old server.
        id: u64,
        /// The bytes.
        bytes: Vec<u8>,
        /// Whether it is whole behind them.
        is_last: bool,
    },
    /// A record.
    Record {
        /// Its table.
        table: String,
        /// Its stored form.
        bytes: Vec<u8>,
    },
    /// An application that people of the account allowed something; applications belong to the whole server.
    Client {
        /// Its stored form.
        bytes: Vec<u8>,
    },
    /// A block of the search index, behind the record of its segment.
    Block {
        /// Its key.
        key: Vec<u8>,
        /// Its content.
        bytes: Vec<u8>,
    },
    /// The end.
    End {
        /// How many records there are.
        records: u64,
    },
}
