//! The receiving side of SMTP and LMTP as a state machine: octets in, [`Step`]s out.
//!
//! It touches no socket and no storage and knows no time. [`Session::step`] takes octets off its input until the
//! connection has something to do. Questions to the rest of the server (is this a recipient?) leave as steps, and their
//! answers come back by calls. Any split of the same octets gives the same steps. `connection` runs it.
//!
//! Decisions (RFC 5321 unless noted):
//!
//! * Commands end in CR LF. One with a bare CR, a bare LF or a NUL is refused, as is text that has one
//!   (see [`content`](super::content)); nothing but CR LF `.` CR LF ends the data.
//! * A recipient must be an address that [`EmailAddress`] can hold. Address literals are legal, but nobody with one
//!   could be a member: 553, and the session goes on. As senders they are accepted ([`ReversePath::Other`]).
//! * A `BDAT` that cannot be parsed closes the connection: the end of its chunk is unknown, and its content would be
//!   taken for commands. So does a chunk with a bare CR or LF: its sender builds a text that other servers may read as
//!   several messages.
//! * Parameters of extensions that are not announced are refused (555), so that nothing is promised silently.
//! * Submission (RFC 6409) is SMTP that requires AUTH (RFC 4954); its connections are encrypted from their first octet
//!   (RFC 8314). AUTH is not offered anywhere else.
//! * REQUIRETLS is offered over TLS, and elsewhere refused with 530: a later encryption cannot protect what was already
//!   sent in clear (RFC 8689 2).
//! * LMTP (RFC 2033) differs in two ways: the client says LHLO, and the end of the data is answered once for
//!   every accepted recipient.

use memchr::{memchr, memchr2};
use smtp_proto::{Error, MAIL_REQUIRETLS, MAIL_SMTPUTF8, MailFrom, RcptTo, Request};

mod data;
mod replies;
mod submission;

use super::auth::{AuthState, Credentials, MECHANISMS, unknown_mechanism};
use super::budget::{ContentBudget, Share};
use super::content::{Content, DataReader};
use super::parameters::{
    asks_for_what_is_not_announced, chunk_size_in, declared_size, dsn_request, envelope_id, has_parameters,
    without_original,
};
use super::path::{PathError, mail_with_literal, other_path, read_path, with_quoted_dots};
use super::reply::Reply;
use crate::mail::envelope::{DsnOptions, DsnRequest, ReversePath};
use crate::mail::smtp_reply::SmtpReply;
use crate::model::EmailAddress;
use replies::too_large_reply;
use replies::{international_reply, syntax_reply};

/// Longest line of MAIL and RCPT in octets: the 512 of 4.5.3.1.4 and the additions of extensions, with room to spare.
const COMMAND_BYTES_MAX: usize = 4096;

/// Longest line of a command that no extension makes longer (4.5.3.1.4), with its CR LF.
const PLAIN_COMMAND_BYTES_MAX: usize = 512;

/// The protocol of a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// RFC 5321.
    Smtp,
    /// RFC 2033: from a mail server in front of this one.
    Lmtp,
    /// RFC 6409 over TLS: from clients with a key.
    Submission,
}

impl Protocol {
    /// Its name in metrics.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Protocol::Smtp => "smtp",
            Protocol::Lmtp => "lmtp",
            Protocol::Submission => "submission",
        }
    }
}

/// The limits that a session announces and enforces.
#[derive(Debug, Clone)]
pub struct SessionLimits {
    /// The protocol.
    pub protocol: Protocol,
    /// The name of this server.
    pub hostname: String,
    /// Largest message in octets, announced as SIZE.
    pub size_max_bytes: usize,
    /// Most recipients of one message.
    pub recipients_max: usize,
    /// Refused commands after which the session ends; an accepted message begins the count again.
    pub errors_max: usize,
    /// The memory that the messages of all sessions may take together.
    pub content_budget: ContentBudget,
}

/// An accepted recipient, as far as the session needs to know it.
pub trait Recipient {
    /// The largest message in octets that the recipient accepts, if it has a limit.
    fn limit_bytes(&self) -> Option<usize> {
        None
    }

    /// Whether messages to it are only read, and never sent on.
    fn is_only_read(&self) -> bool {
        false
    }
}

/// The connection's next task. `R` stands for an accepted recipient in the rest of the server.
#[derive(Debug, PartialEq, Eq)]
pub enum Step<R> {
    /// The input is used up.
    NeedMore,
    /// Send the reply; go on.
    Reply(Reply),
    /// Send the replies, one for each recipient of the message; go on. LMTP only.
    Replies(Vec<Reply>),
    /// Find out whether mail is accepted for this address; answer with [`Session::recipient`].
    CheckRecipient {
        /// The forward path.
        address: EmailAddress,
        /// The size that MAIL declared.
        declared_size_bytes: Option<usize>,
    },
    /// Check these credentials; answer with [`Session::authenticated`]. Submission only.
    Authenticate(Credentials),
    /// Deliver the message; answer with [`Session::received`], in LMTP once for each recipient in their order.
    Receive(Transaction<R>),
    /// Send the reply, discard input that was read beyond it, negotiate TLS, then call [`Session::tls_started`].
    StartTls(Reply),
    /// Send the reply and close the connection.
    Close(Reply),
}

/// One message with its envelope.
#[derive(Debug, PartialEq, Eq)]
pub struct Transaction<R> {
    /// The sender, to whom failures are reported.
    pub reverse_path: ReversePath,
    /// The accepted recipients in their order, each once.
    pub recipients: Vec<(EmailAddress, R)>,
    /// Whether MAIL asked for SMTPUTF8 (RFC 6531).
    pub smtputf8: bool,
    /// Whether MAIL asked for REQUIRETLS (RFC 8689).
    pub requires_tls: bool,
    /// The reports that the sender requests (RFC 3461).
    pub dsn_options: DsnOptions,
    /// The message, dots unstuffed.
    pub raw: Vec<u8>,
    /// Keeps the message counted in the budget until it is dropped.
    pub share: Share,
}

/// A session from the greeting to its end.
#[derive(Debug)]
pub struct Session<R> {
    limits: SessionLimits,
    offers_tls: bool,
    tls: bool,
    helo: Option<Helo>,
    mail: Option<Mail<R>>,
    reading: Reading,
    auth: AuthState,
    errors: usize,
}

#[derive(Debug)]
struct Helo {
    host: String,
    extended: bool,
}

/// A transaction that MAIL began.
#[derive(Debug)]
struct Mail<R> {
    reverse_path: ReversePath,
    declared_size_bytes: Option<usize>,
    smtputf8: bool,
    requires_tls: bool,
    dsn_options: DsnOptions,
    recipients: Vec<(EmailAddress, R)>,
    /// The recipient being checked, with the reports requested about it.
    asked: Option<(EmailAddress, Option<DsnRequest>)>,
    /// The content of the chunks so far; `None` before the first BDAT.
    chunks: Option<Content>,
}

#[derive(Debug)]
enum Reading {
    /// A command line, of which this part has come.
    Command(Vec<u8>),
    /// The rest of a command line that is too long.
    LongCommand {
        /// Whether a chunk follows it.
        announces_chunk: bool,
    },
    Data(DataReader, Content),
    Chunk {
        left_bytes: usize,
        last: bool,
        /// The reply to a chunk that is read only to be discarded.
        refusal: Option<Reply>,
    },
    /// The replies of LMTP to a last chunk are being sent; then the connection ends.
    Ending,
    Nothing,
}

impl<R: Recipient> Session<R> {
    /// A session before its greeting. `offers_tls`: whether STARTTLS can be carried out.
    ///
    /// # Panics
    /// If the limits allow no recipient.
    #[must_use]
    pub fn new(limits: SessionLimits, offers_tls: bool) -> Session<R> {
        assert!(limits.recipients_max >= 1, "a server that takes no recipient takes no mail");
        let reading = Reading::Command(Vec::new());
        let auth = AuthState::default();
        Session { limits, offers_tls, tls: false, helo: None, mail: None, reading, auth, errors: 0 }
    }

    /// The first reply, before anything is read.
    #[must_use]
    pub fn greeting(&self) -> Reply {
        let protocol = match self.limits.protocol {
            Protocol::Smtp | Protocol::Submission => "ESMTP",
            Protocol::Lmtp => "LMTP",
        };
        Reply::new(220, "", format!("{} {protocol} crier", self.limits.hostname))
    }

    /// The name by which the client introduced itself; empty before HELO.
    #[must_use]
    pub fn helo(&self) -> &str {
        self.helo.as_ref().map_or("", |helo| &helo.host)
    }

    /// Whether the connection is encrypted.
    #[must_use]
    pub fn is_tls(&self) -> bool {
        self.tls
    }

    /// Whether a message is coming in, so that the connection should not be closed without need.
    #[must_use]
    pub fn is_in_data(&self) -> bool {
        let in_chunks = self.mail.as_ref().is_some_and(|mail| mail.chunks.is_some());
        in_chunks || matches!(self.reading, Reading::Data(..) | Reading::Chunk { .. })
    }

    /// Bytes of messages in memory.
    #[must_use]
    pub fn stored_bytes(&self) -> usize {
        let chunks = self.mail.as_ref().and_then(|mail| mail.chunks.as_ref());
        match &self.reading {
            Reading::Data(_, content) => content.stored_bytes(),
            Reading::Command(_)
            | Reading::LongCommand { .. }
            | Reading::Chunk { .. }
            | Reading::Ending
            | Reading::Nothing => chunks.map_or(0, Content::stored_bytes),
        }
    }

    /// Takes octets off `input` up to the next thing to do.
    ///
    /// # Panics
    /// If a recipient or a client is being checked and was not answered.
    pub fn step(&mut self, input: &mut &[u8]) -> Step<R> {
        assert!(!self.awaits_authentication(), "a client awaits its answer");
        assert!(self.mail.as_ref().is_none_or(|mail| mail.asked.is_none()), "a recipient awaits its answer");
        match std::mem::replace(&mut self.reading, Reading::Nothing) {
            Reading::Command(begun) => self.read_command(begun, input),
            Reading::LongCommand { announces_chunk } => self.read_long_command(announces_chunk, input),
            Reading::Data(reader, content) => self.read_data(reader, content, input),
            Reading::Chunk { left_bytes, last, refusal } => self.read_chunk(left_bytes, last, refusal, input),
            Reading::Ending => {
                Step::Close(Reply::new(421, "4.7.0", "A chunk with a CR or LF alone ends the connection"))
            }
            Reading::Nothing => {
                // After QUIT nothing is read any more; after STARTTLS no unencrypted command is.
                *input = &[];
                Step::NeedMore
            }
        }
    }

    /// Takes the answer to [`Step::CheckRecipient`]; returns the reply for the client. A 421 ends the session.
    ///
    /// # Panics
    /// If no recipient was being checked.
    pub fn recipient(&mut self, answer: Result<R, Reply>) -> Reply {
        let mail = self.mail.as_mut().expect("a recipient is asked about within a transaction");
        let (address, dsn_request) = mail.asked.take().expect("a recipient was asked about");
        match answer {
            Ok(route) => {
                mail.dsn_options
                    .recipients
                    .extend(dsn_request.map(|dsn_request| (address.clone(), dsn_request)));
                mail.recipients.push((address, route));
                Reply::new(250, "2.1.5", "Recipient OK")
            }
            Err(reply) => self.count_error(reply),
        }
    }

    /// Takes the answer to [`Step::Receive`]; returns the reply for the client. A 421 ends the session.
    pub fn received(&mut self, answer: Result<(), Reply>) -> Reply {
        match answer {
            Ok(()) => {
                self.errors = 0;
                SmtpReply::ACCEPTED.into()
            }
            // A 421 for one of several recipients is no reason to leave the others without their replies.
            Err(reply) if self.limits.protocol == Protocol::Lmtp => reply,
            Err(reply) => self.count_error(reply),
        }
    }

    /// Notes that TLS was negotiated: everything said before is forgotten (RFC 3207 4.2).
    pub fn tls_started(&mut self) {
        self.tls = true;
        self.helo = None;
        self.mail = None;
        self.reading = Reading::Command(Vec::new());
    }

    fn read_command(&mut self, mut begun: Vec<u8>, input: &mut &[u8]) -> Step<R> {
        let Some(end) = memchr(b'\n', input) else {
            begun.extend_from_slice(input);
            self.reading = if begun.len() > COMMAND_BYTES_MAX {
                Reading::LongCommand { announces_chunk: is_verb(&begun, "BDAT") }
            } else {
                Reading::Command(begun)
            };
            *input = &[];
            return Step::NeedMore;
        };
        let (line, rest) = input.split_at(end + 1);
        *input = rest;
        self.reading = Reading::Command(Vec::new());
        if begun.is_empty() && line.len() <= COMMAND_BYTES_MAX {
            return self.handle_command(line, input);
        }
        begun.extend_from_slice(line);
        if begun.len() > COMMAND_BYTES_MAX {
            return self.too_long(is_verb(&begun, "BDAT"));
        }
        self.handle_command(&begun, input)
    }

    fn read_long_command(&mut self, announces_chunk: bool, input: &mut &[u8]) -> Step<R> {
        let Some(end) = memchr(b'\n', input) else {
            self.reading = Reading::LongCommand { announces_chunk };
            *input = &[];
            return Step::NeedMore;
        };
        *input = &input[end + 1..];
        self.reading = Reading::Command(Vec::new());
        self.too_long(announces_chunk)
    }

    fn too_long(&mut self, announces_chunk: bool) -> Step<R> {
        if announces_chunk {
            return self.close(Reply::new(500, "5.5.2", "Line too long"));
        }
        // AUTH has a code of its own for this (RFC 4954 4).
        let enhanced = if self.take_exchange().is_some() { "5.5.6" } else { "5.5.2" };
        self.refuse(Reply::new(500, enhanced, "Line too long"))
    }

    fn close(&mut self, reply: Reply) -> Step<R> {
        self.reading = Reading::Nothing;
        self.mail = None;
        Step::Close(reply)
    }

    /// Carries out one command line, which ends in LF.
    fn handle_command(&mut self, line: &[u8], input: &mut &[u8]) -> Step<R> {
        let exchange = self.take_exchange();
        let command = match command_of(line) {
            Ok(command) => command,
            Err(reply) if is_verb(line, "BDAT") => return self.close(reply),
            Err(reply) => return self.refuse(reply),
        };
        if let Some(exchange) = exchange {
            return self.go_on(exchange, command);
        }
        let knows_auth = self.limits.protocol == Protocol::Submission;
        let may_be_long = ["BDAT", "MAIL", "RCPT"].iter().any(|verb| is_verb(command, verb))
            || (knows_auth && is_verb(command, "AUTH"));
        if PLAIN_COMMAND_BYTES_MAX < line.len() && !may_be_long {
            return self.too_long(false);
        }
        match Request::parse(&mut line.iter()) {
            Err(error) => self.handle_parse_error(&error, line),
            Ok(Request::Auth { mechanism, initial_response }) if knows_auth => {
                self.auth(mechanism, &initial_response)
            }
            Ok(Request::Helo { .. } | Request::Ehlo { .. }) if self.limits.protocol == Protocol::Lmtp => {
                self.refuse(Reply::new(500, "5.5.1", "This is LMTP, which begins with LHLO"))
            }
            Ok(Request::Helo { host }) => self.handle_ehlo(&host, false),
            Ok(Request::Ehlo { host }) => self.handle_ehlo(&host, true),
            Ok(Request::Lhlo { host }) if self.limits.protocol == Protocol::Lmtp => {
                self.handle_ehlo(&host, true)
            }
            Ok(Request::Mail { from }) => self.mail(&from, line),
            Ok(Request::Rcpt { to }) => self.rcpt(&to, line),
            Ok(Request::Data) => self.data(),
            Ok(Request::Bdat { chunk_size, is_last: _ }) if chunk_size_in(command) != Some(chunk_size) => {
                self.close(Reply::new(501, "5.5.4", "The chunk is larger than any"))
            }
            Ok(Request::Bdat { chunk_size, is_last }) => self.bdat(chunk_size, is_last, input),
            Ok(Request::Rset) => {
                self.mail = None;
                Step::Reply(Reply::new(250, "2.0.0", "OK"))
            }
            Ok(Request::Noop { .. }) => Step::Reply(Reply::new(250, "2.0.0", "OK")),
            Ok(Request::Vrfy { .. }) => Step::Reply(Reply::new(252, "2.5.0", "Send mail and see")),
            Ok(Request::Help { .. }) => {
                Step::Reply(Reply::new(214, "2.0.0", "This is a mailing-list server"))
            }
            Ok(Request::StartTls) if command.trim_ascii().contains(&b' ') => {
                self.refuse(Reply::new(501, "5.5.4", "STARTTLS takes no parameter"))
            }
            Ok(Request::StartTls) => self.start_tls(input),
            Ok(Request::Quit) => self.close(Reply::new(221, "2.0.0", "Bye")),
            Ok(
                Request::Lhlo { .. }
                | Request::Auth { .. }
                | Request::Expn { .. }
                | Request::Etrn { .. }
                | Request::Atrn { .. }
                | Request::Burl { .. },
            ) => self.refuse(Reply::new(502, "5.5.1", "Command not implemented")),
        }
    }

    /// Handles a line that smtp-proto cannot parse.
    fn handle_parse_error(&mut self, error: &Error, line: &[u8]) -> Step<R> {
        match error {
            error if is_verb(line, "BDAT") => self.close(syntax_reply(error)),
            Error::InvalidParameter { param: "SIZE" } if self.is_over_size(line) => {
                self.refuse(too_large_reply(self.limits.size_max_bytes))
            }
            Error::InvalidSenderAddress => match mail_with_literal(line) {
                Some(from) => self.mail(&from, line),
                None => self.handle_dotted(error, line),
            },
            Error::InvalidRecipientAddress => self.handle_dotted(error, line),
            Error::InvalidParameter { param: "ORCPT" } => {
                let rest = without_original(line).unwrap_or_default();
                match Request::parse(&mut rest.iter()) {
                    Ok(Request::Rcpt { to }) => self.rcpt(&to, line),
                    _ => self.refuse(syntax_reply(error)),
                }
            }
            // An unknown mechanism.
            _ if self.limits.protocol == Protocol::Submission && is_verb(line, "AUTH ") => {
                self.refuse(unknown_mechanism())
            }
            error => self.refuse(syntax_reply(error)),
        }
    }

    /// Handles a command whose address may lack its quotes.
    fn handle_dotted(&mut self, error: &Error, line: &[u8]) -> Step<R> {
        let Some(quoted) = with_quoted_dots(line) else { return self.refuse(syntax_reply(error)) };
        match Request::parse(&mut quoted.iter()) {
            Ok(Request::Mail { from }) => self.mail(&from, &quoted),
            Ok(Request::Rcpt { to }) => self.rcpt(&to, &quoted),
            _ => self.refuse(syntax_reply(error)),
        }
    }

    /// Whether MAIL declares more than is accepted.
    fn is_over_size(&self, line: &[u8]) -> bool {
        declared_size(line).is_some_and(|size| self.limits.size_max_bytes < size)
    }

    fn handle_ehlo(&mut self, host: &str, extended: bool) -> Step<R> {
        self.mail = None;
        self.helo = Some(Helo { host: host.to_owned(), extended });
        let SessionLimits { protocol: _, hostname, size_max_bytes, recipients_max, .. } = &self.limits;
        if !extended {
            return Step::Reply(Reply::new(250, "", hostname.clone()));
        }
        // Each is offered where it can be used (RFC 3207 4.2, RFC 8689 2).
        let tls = match (self.tls, self.offers_tls) {
            (true, _) => "REQUIRETLS\n",
            (false, true) => "STARTTLS\n",
            (false, false) => "",
        };
        let auth = if self.limits.protocol == Protocol::Submission { MECHANISMS } else { "" };
        let auth_end = if auth.is_empty() { "" } else { "\n" };
        Step::Reply(Reply::new(
            250,
            "",
            format!(
                "{hostname}\nPIPELINING\nSIZE {size_max_bytes}\n{tls}8BITMIME\nSMTPUTF8\nCHUNKING\n\
                 ENHANCEDSTATUSCODES\nDSN\n{auth}{auth_end}LIMITS RCPTMAX={recipients_max}\nHELP"
            ),
        ))
    }

    fn start_tls(&mut self, input: &mut &[u8]) -> Step<R> {
        if self.tls || !self.offers_tls {
            return self.refuse(Reply::new(503, "5.5.1", "STARTTLS is not offered now"));
        }
        // Commands pipelined after STARTTLS could come from a man in the middle (RFC 3207 6).
        *input = &[];
        self.reading = Reading::Nothing;
        Step::StartTls(Reply::new(220, "2.0.0", "Go ahead"))
    }

    fn mail<T: AsRef<str>>(&mut self, from: &MailFrom<T>, line: &[u8]) -> Step<R> {
        let Some(helo) = &self.helo else {
            let first = if self.limits.protocol == Protocol::Lmtp { "LHLO first" } else { "EHLO first" };
            return self.refuse(Reply::new(503, "5.5.1", first));
        };
        if !self.may_send() {
            return self.refuse(Reply::new(530, "5.7.0", "AUTH first, with an API key as the password"));
        }
        if self.mail.is_some() {
            return self.refuse(Reply::new(503, "5.5.1", "A message was begun already; RSET takes it back"));
        }
        if has_parameters(line) && !helo.extended {
            return self.refuse(Reply::new(555, "5.5.4", "Parameters need EHLO"));
        }
        if asks_for_what_is_not_announced(from) {
            return self.refuse(Reply::new(555, "5.5.4", "MAIL has a parameter that was not announced"));
        }
        if self.is_over_size(line) {
            return self.refuse(too_large_reply(self.limits.size_max_bytes));
        }
        let (smtputf8, requires_tls) = (from.flags & MAIL_SMTPUTF8 != 0, from.flags & MAIL_REQUIRETLS != 0);
        if requires_tls && !self.tls {
            return self.refuse(Reply::new(530, "5.7.10", "REQUIRETLS needs TLS"));
        }
        let reverse_path = match read_path(from.address.as_ref(), line, &self.limits.hostname, smtputf8) {
            Ok(path) => path.map_or(ReversePath::Empty, ReversePath::Address),
            Err(PathError::International) => return self.refuse(international_reply()),
            Err(PathError::Form) => match other_path(from.address.as_ref()) {
                Some(path) => path,
                None => return self.refuse(syntax_reply(&Error::InvalidSenderAddress)),
            },
        };
        let dsn_options = match envelope_id(from) {
            Ok(envelope_id) => DsnOptions { envelope_id, recipients: Vec::new() },
            Err(reply) => return self.refuse(reply),
        };
        let declared_size_bytes = declared_size(line).filter(|size| *size > 0);
        let recipients = Vec::new();
        let (asked, chunks) = (None, None);
        self.mail = Some(Mail {
            reverse_path,
            declared_size_bytes,
            smtputf8,
            requires_tls,
            dsn_options,
            recipients,
            asked,
            chunks,
        });
        Step::Reply(Reply::new(250, "2.1.0", "Sender OK"))
    }

    fn rcpt(&mut self, to: &RcptTo<std::borrow::Cow<'_, str>>, line: &[u8]) -> Step<R> {
        let Some(mail) = self.mail.as_mut().filter(|mail| mail.chunks.is_none()) else {
            return self.refuse(Reply::new(503, "5.5.1", "MAIL first"));
        };
        if has_parameters(line) && !self.helo.as_ref().is_some_and(|helo| helo.extended) {
            return self.refuse(Reply::new(555, "5.5.4", "Parameters need EHLO"));
        }
        let dsn_request = match dsn_request(to, line) {
            Ok(dsn_request) => dsn_request,
            Err(reply) => return self.refuse(reply),
        };
        let address = match read_path(&to.address, line, &self.limits.hostname, mail.smtputf8) {
            Ok(Some(address)) => address,
            Err(PathError::International) => return self.refuse(international_reply()),
            Ok(None) | Err(PathError::Form) => {
                return self.refuse(Reply::new(
                    553,
                    "5.1.3",
                    "A recipient must be of the form <name@domain>",
                ));
            }
        };
        if mail.recipients.iter().any(|(known, _)| *known == address) {
            return Step::Reply(Reply::new(250, "2.1.5", "Recipient OK"));
        }
        if mail.recipients.len() >= self.limits.recipients_max {
            // Not an error of the client: it sends the rest in another transaction (4.5.3.1.10).
            return Step::Reply(Reply::new(452, "4.5.3", "Too many recipients"));
        }
        mail.asked = Some((address.clone(), dsn_request));
        Step::CheckRecipient { address, declared_size_bytes: mail.declared_size_bytes }
    }

    fn refuse(&mut self, reply: Reply) -> Step<R> {
        let reply = self.count_error(reply);
        if reply.code == 421 { Step::Close(reply) } else { Step::Reply(reply) }
    }

    /// Counts an error; returns the given reply, or the last one that this client gets.
    fn count_error(&mut self, reply: Reply) -> Reply {
        self.errors += usize::from(reply.blames_client());
        if self.errors <= self.limits.errors_max {
            return reply;
        }
        self.reading = Reading::Nothing;
        self.mail = None;
        Reply::new(421, "4.7.0", format!("Too many errors, the last: {}", reply.text))
    }
}

/// The command on a line that ends in LF.
fn command_of(line: &[u8]) -> Result<&[u8], Reply> {
    let command =
        line.strip_suffix(b"\r\n").ok_or_else(|| Reply::new(500, "5.5.2", "Commands end with CR LF"))?;
    if memchr2(b'\r', 0, command).is_some() || std::str::from_utf8(command).is_err() {
        return Err(Reply::new(500, "5.5.2", "Commands are lines of text"));
    }
    Ok(command)
}

/// Whether a line begins with `verb`, after blanks that smtp-proto skips.
fn is_verb(command: &[u8], verb: &str) -> bool {
    let command = command.trim_ascii_start();
    command.get(..verb.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(verb.as_bytes()))
}

#[cfg(test)]
mod tests;
