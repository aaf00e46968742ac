//! One copy being sent: its envelope, its bytes as `DATA` needs them, and its outcome.
//!
//! The delivery worker fills the buffers and receives the outcomes; the client sends them. Nothing here touches a
//! socket.

use std::borrow::Cow;

use memchr::memmem;
use smtp_proto::{EXT_8BIT_MIME, EXT_PIPELINING, EXT_REQUIRE_TLS, EXT_SIZE, EXT_SMTP_UTF8};

use super::hello::Hello;
pub use super::hello::Limits;
pub use super::remote_reply::RemoteReply;
use crate::model::EmailAddress;

/// The protection of an open connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protection {
    /// No encryption.
    Clear,
    /// TLS with a server whose identity is unknown.
    Encrypted,
    /// TLS with the intended server, verified by public authorities.
    Verified,
    /// TLS with the intended server, verified by the DNS.
    Dane,
}

impl Protection {
    /// Whether the server's identity is proven.
    #[must_use]
    pub fn is_authenticated(self) -> bool {
        match self {
            Protection::Clear | Protection::Encrypted => false,
            Protection::Verified | Protection::Dane => true,
        }
    }
}

/// The outcome of one copy.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReplyOutcome {
    /// The other server accepted it.
    Delivered(RemoteReply),
    /// It was refused for now; another attempt may succeed.
    Deferred(RemoteReply),
    /// It was refused for good.
    Failed(RemoteReply),
}

impl ReplyOutcome {
    /// The outcome of the reply to the whole message.
    pub(super) fn of_message(reply: RemoteReply) -> ReplyOutcome {
        if reply.is_positive() { ReplyOutcome::Delivered(reply) } else { ReplyOutcome::of_refusal(reply) }
    }

    /// The outcome of a reply that prevented sending the message, whatever its code.
    pub(super) fn of_refusal(reply: RemoteReply) -> ReplyOutcome {
        if (500..600).contains(&reply.code) {
            ReplyOutcome::Failed(reply)
        } else {
            ReplyOutcome::Deferred(reply)
        }
    }
}

/// The copies of a batch, as a connection asks for them. They are numbered from 0 in the order in which they are handed
/// out; at most two are unanswered at a time: one whose text is being sent, and the next.
pub trait Outgoing: Send {
    /// Fills the buffer with the next copy; false if none is left. Called ahead, while the previous copy is being sent.
    fn next(&mut self, copy: &mut CopyBuffer) -> bool;

    /// Whether the other server takes too long. Called after each reply while no text is unanswered; if true, the
    /// connection is given up.
    fn is_stalled(&self) -> bool;

    /// Notes that the envelope of a copy was sent and everything before it was answered: if the connection breaks now,
    /// this copy may be the cause.
    fn asked(&mut self, index: usize);

    /// Notes that the text of a copy is about to be sent: without a reply, nobody knows whether it arrived. A copy that
    /// was handed out and not begun did not arrive.
    fn begun(&mut self, index: usize);

    /// Notes that one of several recipients of a copy, the `recipient`-th in the buffer, was refused; the copy goes to
    /// the others.
    fn refused(&mut self, index: usize, recipient: usize, outcome: ReplyOutcome);

    /// Notes the outcome of a copy for all its recipients that were not refused before, as soon as the reply comes.
    fn answered(&mut self, index: usize, outcome: ReplyOutcome);
}

/// The capabilities of the other server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Peer {
    /// Commands may be sent without waiting for replies (RFC 2920).
    pub pipelining: bool,
    /// Text beyond ASCII is accepted (RFC 6152).
    pub eight_bit: bool,
    /// Addresses and headers beyond ASCII are accepted (RFC 6531).
    pub smtputf8: bool,
    /// The size may be declared (RFC 1870).
    pub size: bool,
    /// REQUIRETLS is offered, over authenticated TLS (RFC 8689).
    pub requiretls: bool,
    /// The largest message in octets; `None` if nothing was announced.
    pub size_max_bytes: Option<usize>,
    /// The limits that it announced.
    pub limits: Limits,
}

impl Peer {
    pub(super) fn new(hello: &Hello, protection: Protection) -> Peer {
        let Hello { extensions: response, limits } = hello;
        Peer {
            requiretls: response.has_capability(EXT_REQUIRE_TLS) && protection.is_authenticated(),
            pipelining: response.has_capability(EXT_PIPELINING),
            eight_bit: response.has_capability(EXT_8BIT_MIME),
            smtputf8: response.has_capability(EXT_SMTP_UTF8),
            size: response.has_capability(EXT_SIZE),
            size_max_bytes: Some(response.size).filter(|size| *size > 0),
            limits: *limits,
        }
    }
}

/// A copy to be sent, in buffers that are reused for one copy after another.
#[derive(Debug, Default)]
pub struct CopyBuffer {
    from: String,
    /// The RCPT commands.
    rcpt: String,
    recipients: usize,
    is_international: bool,
    requires_tls: bool,
    /// Whether the other server takes ASCII alone.
    is_for_ascii: bool,
    /// Whether the copy cannot be converted to ASCII.
    is_fixed: bool,
    data: Vec<u8>,
}

impl CopyBuffer {
    /// Says whether the copy is for a server without 8BITMIME. Before it is rendered.
    pub(super) fn set_peer(&mut self, peer: Peer) {
        self.is_for_ascii = !peer.eight_bit;
    }

    /// Whether the copy must be ASCII, if it can be.
    #[must_use]
    pub fn is_for_ascii(&self) -> bool {
        self.is_for_ascii
    }

    /// Notes that the copy cannot be converted for this server.
    pub fn set_fixed(&mut self) {
        self.is_fixed = true;
    }

    /// Sets the envelope: the sender (`None` for `<>`) and the recipient. The type [`EmailAddress`] makes sure that
    /// nothing in them can end the command.
    pub fn set_envelope(&mut self, from: Option<&EmailAddress>, to: &EmailAddress) {
        self.from.clear();
        if let Some(from) = from {
            self.from.push_str(&wire_form(from));
        }
        self.rcpt.clear();
        self.recipients = 0;
        self.is_international = !self.from.is_ascii();
        self.add_recipient(to);
    }

    /// Adds a recipient that shares the copy. One whose address [is international](is_international) may not: a server
    /// that cannot accept it would have to refuse all.
    pub fn add_recipient(&mut self, to: &EmailAddress) {
        let to = wire_form(to);
        self.is_international |= !to.is_ascii();
        self.rcpt.push_str("RCPT TO:<");
        self.rcpt.push_str(&to);
        self.rcpt.push_str(">\r\n");
        self.recipients += 1;
    }

    /// The number of recipients of the copy.
    pub(super) fn recipients(&self) -> usize {
        self.recipients
    }

    /// Demands that the message be sent on over authenticated TLS only (RFC 8689).
    pub fn require_tls(&mut self) {
        self.requires_tls = true;
    }

    /// The message: lines that end in CR LF, dots not stuffed.
    pub fn data_mut(&mut self) -> &mut Vec<u8> {
        &mut self.data
    }

    pub(super) fn clear(&mut self) {
        self.from.clear();
        self.rcpt.clear();
        self.recipients = 0;
        self.is_international = false;
        self.requires_tls = false;
        self.is_for_ascii = false;
        self.is_fixed = false;
        self.data.clear();
    }

    /// The reason why this peer can never accept the copy, if there is one.
    pub(super) fn refusal(&self, peer: Peer) -> Option<RemoteReply> {
        let (code, enhanced, text) = if self.requires_tls && !peer.requiretls {
            (
                550,
                [5, 7, 30],
                "The message asks for TLS all the way, which the server does not take (no REQUIRETLS)",
            )
        } else if self.is_international && !peer.smtputf8 {
            (553, [5, 6, 7], "The server takes no addresses beyond ASCII (no SMTPUTF8)")
        } else if self.is_fixed {
            (
                554,
                [5, 6, 3],
                "The server takes ASCII alone (no 8BITMIME), and what is signed or encrypted cannot be converted",
            )
        } else {
            return None;
        };
        Some(RemoteReply { code, enhanced, text: text.to_owned(), is_about_sender: true })
    }

    /// Appends `MAIL`. Copies for a peer without 8BITMIME were converted; what may be left beyond ASCII in their headers
    /// goes undeclared, as practically every server accepts it.
    pub(super) fn render_mail(&self, peer: Peer, out: &mut Vec<u8>) {
        out.extend_from_slice(b"MAIL FROM:<");
        out.extend_from_slice(self.from.as_bytes());
        out.push(b'>');
        if peer.size {
            out.extend_from_slice(format!(" SIZE={}", self.data.len()).as_bytes());
        }
        let is_ascii = self.data.is_ascii();
        if peer.eight_bit && !is_ascii {
            out.extend_from_slice(b" BODY=8BITMIME");
        }
        if peer.smtputf8 && (self.is_international || !is_ascii && !head(&self.data).is_ascii()) {
            out.extend_from_slice(b" SMTPUTF8");
        }
        if self.requires_tls {
            out.extend_from_slice(b" REQUIRETLS");
        }
        out.extend_from_slice(b"\r\n");
    }

    pub(super) fn render_rcpt(&self, out: &mut Vec<u8>) {
        out.extend_from_slice(self.rcpt.as_bytes());
    }

    /// Appends the RCPT command of one of the recipients.
    pub(super) fn render_one_rcpt(&self, recipient: usize, out: &mut Vec<u8>) {
        let command = self.rcpt.split_inclusive('\n').nth(recipient).unwrap_or_default();
        out.extend_from_slice(command.as_bytes());
    }

    /// Appends the message and its end.
    pub(super) fn render_data(&self, out: &mut Vec<u8>) {
        stuff(&self.data, out);
    }
}

/// The header fields of a message.
fn head(data: &[u8]) -> &[u8] {
    memmem::find(data, b"\r\n\r\n").map_or(data, |end| &data[..end])
}

/// Whether an address is accepted only by servers with SMTPUTF8.
#[must_use]
pub fn is_international(address: &EmailAddress) -> bool {
    !wire_form(address).is_ascii()
}

/// The address as it is written in commands: in ASCII if its local part allows.
fn wire_form(address: &EmailAddress) -> Cow<'_, str> {
    if address.as_str().is_ascii() || !address.local().is_ascii() {
        return Cow::Borrowed(address.as_str());
    }
    match idna::domain_to_ascii(address.domain()) {
        Ok(domain) => Cow::Owned(format!("{}@{domain}", address.local())),
        Err(_) => Cow::Borrowed(address.as_str()),
    }
}

/// Appends `data` with its dots stuffed, and the final dot (RFC 5321 4.5.2).
fn stuff(data: &[u8], out: &mut Vec<u8>) {
    const END: &[u8] = b"\r\n.\r\n";
    out.reserve(data.len() + data.len() / 64 + END.len());
    if data.starts_with(b".") {
        out.push(b'.');
    }
    let mut from = 0;
    for line_end in memmem::find_iter(data, b"\n.") {
        out.extend_from_slice(&data[from..=line_end]);
        out.push(b'.');
        from = line_end + 1;
    }
    out.extend_from_slice(&data[from..]);
    let has_line_end = data.is_empty() || data.ends_with(b"\r\n");
    out.extend_from_slice(if has_line_end { &END[2..] } else { END });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_stuffed(data: &str, expected: &str) {
        let mut out = Vec::new();
        stuff(data.as_bytes(), &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }

    #[test]
    fn dots_at_line_starts_are_doubled() {
        check_stuffed("a\r\n", "a\r\n.\r\n");
        check_stuffed("a", "a\r\n.\r\n");
        check_stuffed("", ".\r\n");
        check_stuffed(".\r\n.\r\n..b\r\nc.\r\n", "..\r\n..\r\n...b\r\nc.\r\n.\r\n");
    }

    #[track_caller]
    fn check_mail(to: &str, data: &str, peer: Peer, expected: &str) {
        let mut copy = CopyBuffer::default();
        copy.set_envelope(None, &EmailAddress::parse(to).unwrap());
        copy.data_mut().extend_from_slice(data.as_bytes());
        let mut out = Vec::new();
        copy.render_mail(peer, &mut out);
        copy.render_rcpt(&mut out);
        assert_eq!(String::from_utf8(out).unwrap(), expected.replace('|', "\r\n"));
    }

    #[test]
    fn parameters_say_what_the_peer_can_read() {
        let able = Peer { pipelining: true, eight_bit: true, smtputf8: true, size: true, ..Peer::default() };
        let plain = Peer::default();
        check_mail("a@x.org", "A: b\r\n\r\né", plain, "MAIL FROM:<>|RCPT TO:<a@x.org>|");
        check_mail("a@x.org", "A: b\r\n\r\nc", able, "MAIL FROM:<> SIZE=9|RCPT TO:<a@x.org>|");
        check_mail("a@x.org", "A: b\r\n\r\né", able, "MAIL FROM:<> SIZE=10 BODY=8BITMIME|RCPT TO:<a@x.org>|");
        check_mail(
            "a@x.org",
            "A: é\r\n\r\n",
            able,
            "MAIL FROM:<> SIZE=9 BODY=8BITMIME SMTPUTF8|RCPT TO:<a@x.org>|",
        );
        check_mail("é@x.org", "", able, "MAIL FROM:<> SIZE=0 SMTPUTF8|RCPT TO:<é@x.org>|");
        check_mail("a@exämple.org", "", plain, "MAIL FROM:<>|RCPT TO:<a@xn--exmple-cua.org>|");
    }

    #[test]
    fn an_international_address_needs_a_peer_that_takes_it() {
        let mut copy = CopyBuffer::default();
        copy.set_envelope(None, &EmailAddress::parse("é@x.org").unwrap());
        assert_eq!(copy.refusal(Peer::default()).unwrap().code, 553);
        assert_eq!(copy.refusal(Peer { smtputf8: true, ..Peer::default() }), None);
    }

    #[test]
    fn a_reply_reads_as_one_line() {
        let reply = RemoteReply {
            code: 550,
            enhanced: [5, 1, 1],
            text: "No\nsuch".to_owned(),
            is_about_sender: false,
        };
        assert_eq!(reply.to_string(), "550 5.1.1 No such");
        assert_eq!(RemoteReply { enhanced: [0; 3], ..reply }.to_string(), "550 No such");
    }
}
