//! Requests of commands and the replies to them, as they are sent through the socket: a line of JSON each.
//!
//! `client` and `socket` write and read them. A command on a stopped server makes the same requests and gets the same
//! replies, without a socket.

use serde::{Deserialize, Serialize};

use super::admin_link::{AdminLinkRequest, AdminUnlockRequest};
use super::backup::{BackupReply, BackupRequest};
use super::calls::CallRequest;
use super::error::CommandError;
use super::export::{ExportCounts, ExportRequest, PieceHead};
use super::fields::{FieldReply, FieldsRequest};
use super::import::mails::{MailsDone, MailsReply, MailsRequest};
use super::import::put_back::{PutBackReply, PutBackRequest};
use super::import::{FrameReply, ImportRequest};
use super::inject::{InjectRequest, Uninjected};
use super::moving::{MoveRequest, MovedReply};
use super::oauth_clients::{OauthClientReply, OauthClientsRequest};
use super::old_links::{OldLinksReply, OldLinksRequest};
use super::publish::{Publish, PublishRequest, PublishedReply};
use super::queue::{Queue, QueueReply, QueueRequest};
use super::settings::SettingsReply;
use super::setup::{Setup, SetupReply, SetupRequest};
use super::status::StatusReply;
use super::values::Problem;
use crate::api::operator::Refusal;
use crate::ops::OpError;

/// The API's status for an object that does not exist, which has a reply of its own here.
const NOT_FOUND: u16 = 404;

/// A command as it was typed and as it is sent through the socket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "command", rename_all = "snake_case")]
pub enum Request {
    /// Creates the first account, its domain, administrator and key.
    Setup(SetupRequest),
    /// Makes a call of the API.
    Call(CallRequest),
    /// Makes the link by which an administrator chooses a password.
    AdminLink(AdminLinkRequest),
    /// Ends the lock of an administrator's address.
    AdminUnlock(AdminUnlockRequest),
    /// Shows or changes the custom fields of an account's contacts.
    Fields(FieldsRequest),
    /// Shows or changes the applications that may ask people for permission.
    OauthClients(OauthClientsRequest),
    /// Shows or changes where addresses of another server lead.
    OldLinks(OldLinksRequest),
    /// Imports contacts, whose rows follow.
    Import(ImportRequest),
    /// Imports messages, which follow.
    ImportMails(MailsRequest),
    /// Shows or changes the queue of deliveries.
    Queue(QueueRequest),
    /// Shows the DNS records of domains, or changes their DKIM keys.
    Publish(PublishRequest),
    /// Signs links with a new secret from now on.
    LinksRotate,
    /// Checks every invariant of the data file.
    Verify,
    /// Makes a backup of the data file.
    Backup(BackupRequest),
    /// Says how the server is.
    Status,
    /// Tells the settings of the running server, to examine it.
    Settings,
    /// Accepts a message, whose bytes follow.
    Inject(InjectRequest),
    /// Exports an account or a list, whose files follow the replies.
    Export(ExportRequest),
    /// Puts people of an export back.
    PutBack(PutBackRequest),
    /// Moves an account into a file, or from one.
    MoveAccount(MoveRequest),
}

/// The result of a check of the data file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct VerifyReply {
    /// Kinds of records that were checked.
    pub entities: usize,
    /// Differences between stored and recomputed data; empty if all is well.
    pub differences: Vec<String>,
}

/// One line of an answer: any number of `Progress`, then one of the others.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "reply", rename_all = "snake_case")]
pub enum Reply {
    /// The progress of long work.
    Progress {
        /// In words.
        text: String,
    },
    /// To `setup`.
    Setup(Box<SetupReply>),
    /// To `admin link`.
    AdminLink {
        /// A URL.
        link: String,
    },
    /// To `admin unlock`.
    AdminUnlocked {
        /// The administrator's address.
        username: String,
    },
    /// The answer of the API to a call.
    Answer {
        /// Its JSON.
        answer: serde_json::Value,
    },
    /// Custom fields.
    Fields {
        /// Oldest first.
        fields: Vec<FieldReply>,
    },
    /// Applications.
    OauthClients {
        /// Oldest first.
        clients: Vec<OauthClientReply>,
    },
    /// To `link`.
    OldLinks(Box<OldLinksReply>),
    /// To `import`: the rows can be sent now.
    Ready {
        /// The service or program that the file comes from, if its columns tell.
        origin: Option<String>,
    },
    /// To rows of an import.
    Rows(FrameReply),
    /// To `import mbox`: the messages can be sent now.
    MailsReady {
        /// Words for the operator.
        notes: Vec<String>,
    },
    /// To messages of an import.
    Mails(MailsReply),
    /// To the end of an import of messages.
    MailsDone(MailsDone),
    /// To `queue`.
    Queue {
        /// The requested part of the queue.
        answer: QueueReply,
    },
    /// To `dns` and `dkim rotate`.
    Published {
        /// Oldest first.
        domains: Vec<PublishedReply>,
    },
    /// To `links rotate`.
    LinksRotated {
        /// The time until which links with older signatures work (RFC 3339).
        old_links_until: String,
        /// Number of secrets that are accepted beside the new one.
        old_secrets: usize,
    },
    /// To `verify`.
    Verify(VerifyReply),
    /// To `backup`.
    BackedUp(BackupReply),
    /// To `status`.
    Status(Box<StatusReply>),
    /// To `doctor`.
    Settings(Box<SettingsReply>),
    /// To `inject`: the message is durable.
    Injected,
    /// To `inject`: the message is refused.
    Uninjected(Uninjected),
    /// To `export`: the bytes of a file follow.
    Piece(PieceHead),
    /// To `export`: every file is whole.
    Exported {
        /// What was exported.
        counts: ExportCounts,
    },
    /// To people of an export.
    PutBack(PutBackReply),
    /// To `account export` and `account import`.
    AccountMoved(MovedReply),
    /// The call names an object that does not exist.
    Missing {
        /// In words.
        text: String,
    },
    /// Values that are not accepted.
    Invalid {
        /// Field and problem.
        problems: Vec<(String, String)>,
    },
    /// The command could not be carried out.
    Failed {
        /// In words.
        text: String,
    },
}

impl Reply {
    /// The reply to a frame of rows.
    pub(super) fn of_rows(done: Result<FrameReply, String>) -> Reply {
        done.map_or_else(|text| Reply::Failed { text }, Reply::Rows)
    }
}

impl Reply {
    /// Makes the reply to `inject`.
    #[must_use]
    pub fn injected(done: Result<(), Uninjected>) -> Reply {
        done.map_or_else(Reply::Uninjected, |()| Reply::Injected)
    }

    /// Makes the reply for a command that was not carried out.
    #[must_use]
    pub fn refusal(error: OpError) -> Reply {
        match error {
            OpError::Invalid { problems } => {
                Reply::invalid(problems.into_iter().map(Problem::from).collect())
            }
            other => Reply::Failed { text: other.to_string() },
        }
    }

    /// Makes the reply that lists every wrong value with its problem.
    #[must_use]
    pub fn invalid(problems: Vec<Problem>) -> Reply {
        let pair = |Problem { field, problem }| (field, problem);
        Reply::Invalid { problems: problems.into_iter().map(pair).collect() }
    }
}

/// A command whose every value has been checked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// See [`SetupRequest`].
    Setup(Setup),
    /// See [`CallRequest`].
    Call(CallRequest),
    /// See [`AdminLinkRequest`].
    AdminLink(AdminLinkRequest),
    /// See [`AdminUnlockRequest`].
    AdminUnlock(AdminUnlockRequest),
    /// See [`FieldsRequest`].
    Fields(FieldsRequest),
    /// See [`OauthClientsRequest`].
    OauthClients(OauthClientsRequest),
    /// See [`OldLinksRequest`].
    OldLinks(OldLinksRequest),
    /// See [`QueueRequest`].
    Queue(Queue),
    /// See [`PublishRequest`].
    Publish(Publish),
    /// Signs links with a new secret from now on.
    LinksRotate,
    /// Checks the data file.
    Verify,
    /// See [`BackupRequest`].
    Backup(BackupRequest),
    /// Says how the server is.
    Status,
    /// Tells the settings.
    Settings,
    /// See [`PutBackRequest`].
    PutBack(PutBackRequest),
    /// See [`MoveRequest`].
    MoveAccount(MoveRequest),
}

impl Request {
    /// Checks every value; each problem names its field.
    pub fn parse(self) -> Result<Command, Vec<Problem>> {
        match self {
            Request::Setup(request) => request.parse().map(Command::Setup),
            Request::Call(request) => Ok(Command::Call(request)),
            Request::AdminLink(request) => request.parse().map(Command::AdminLink),
            Request::AdminUnlock(request) => Ok(Command::AdminUnlock(request)),
            Request::Fields(request) => Ok(Command::Fields(request)),
            Request::OauthClients(request) => Ok(Command::OauthClients(request)),
            Request::OldLinks(request) => Ok(Command::OldLinks(request)),
            Request::Queue(request) => request.parse().map(Command::Queue),
            Request::Publish(request) => request.parse().map(Command::Publish),
            // More follows their lines, which the caller has to read from the socket.
            Request::Import(_) | Request::ImportMails(_) => Err(vec![made_of_more("import")]),
            Request::Inject(_) => Err(vec![made_of_more("inject")]),
            Request::Export(_) => Err(vec![made_of_more("export")]),
            Request::PutBack(request) => Ok(Command::PutBack(request)),
            Request::MoveAccount(request) => Ok(Command::MoveAccount(request)),
            Request::LinksRotate => Ok(Command::LinksRotate),
            Request::Verify => Ok(Command::Verify),
            Request::Backup(request) => Ok(Command::Backup(request)),
            Request::Status => Ok(Command::Status),
            Request::Settings => Ok(Command::Settings),
        }
    }
}

fn made_of_more(command: &str) -> Problem {
    Problem { field: command.to_owned(), problem: "is made of more than one line".to_owned() }
}

impl From<CommandError> for Reply {
    fn from(undone: CommandError) -> Reply {
        match undone {
            CommandError::Op(error @ OpError::NotFound { .. }) => Reply::Missing { text: error.to_string() },
            CommandError::Op(error) => Reply::refusal(error),
            CommandError::Call(Refusal { status: NOT_FOUND, message: text, problems: _ }) => {
                Reply::Missing { text }
            }
            CommandError::Call(Refusal { status: _, message, problems }) if problems.is_empty() => {
                Reply::Failed { text: message }
            }
            CommandError::Call(Refusal { status: _, message: _, problems }) => {
                Reply::invalid(problems.into_iter().map(Problem::from).collect())
            }
            CommandError::Invalid(problems) => Reply::invalid(problems),
            CommandError::Told(text) => Reply::Failed { text },
        }
    }
}
