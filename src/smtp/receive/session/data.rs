//! Reads the text of a message in a session, after DATA or in chunks, and replies at its end.
//!
//! Part of the session's state machine: it touches no socket and does not deliver.

use super::{Mail, Protocol, Reading, Recipient, Session, Step, Transaction};
use crate::smtp::receive::content::{Content, DataReader, Fault};
use crate::smtp::receive::reply::Reply;
use crate::smtp::receive::session::replies::fault_reply;

impl<R: Recipient> Session<R> {
    pub(super) fn read_data(
        &mut self,
        mut reader: DataReader,
        mut content: Content,
        input: &mut &[u8],
    ) -> Step<R> {
        if !reader.read(input, &mut content) {
            self.reading = Reading::Data(reader, content);
            return Step::NeedMore;
        }
        self.reading = Reading::Command(Vec::new());
        self.finish(content)
    }

    pub(super) fn read_chunk(
        &mut self,
        left: usize,
        last: bool,
        refusal: Option<Reply>,
        input: &mut &[u8],
    ) -> Step<R> {
        let (bytes, rest) = input.split_at(input.len().min(left));
        *input = rest;
        if let Some(content) = self.mail.as_mut().and_then(|mail| mail.chunks.as_mut()) {
            content.push(bytes);
        }
        if bytes.len() < left {
            self.reading = Reading::Chunk { left_bytes: left - bytes.len(), last, refusal };
            return Step::NeedMore;
        }
        self.reading = Reading::Command(Vec::new());
        if let Some(reply) = refusal {
            return self.refuse(reply);
        }
        let content = self.mail.as_ref().and_then(|mail| mail.chunks.as_ref());
        if let Some(fault) = content.and_then(Content::fault) {
            // A refusal is sent at once: the client need not send the rest (RFC 3030 2).
            let recipients = self.mail.take().map_or(0, |mail| mail.recipients.len());
            let step = self.fail(fault, if last { recipients } else { 1 });
            return if fault == Fault::BareLineEnd { self.close_after(step) } else { step };
        }
        if !last {
            return Step::Reply(Reply::new(250, "2.0.0", "Chunk taken"));
        }
        let content = self.mail.as_mut().and_then(|mail| mail.chunks.take());
        let content = content.expect("a chunk that is not refused belongs to a transaction");
        let is_cut = content.ends_within_line_end();
        let step = self.finish(content);
        if is_cut { self.close_after(step) } else { step }
    }

    /// Ends the connection after the replies of `step`.
    fn close_after(&mut self, step: Step<R>) -> Step<R> {
        match step {
            Step::Reply(reply) => self.close(reply),
            step => {
                self.reading = Reading::Ending;
                step
            }
        }
    }

    /// Handles the end of the message.
    fn finish(&mut self, content: Content) -> Step<R> {
        let mail = self.mail.take().expect("data is read within a transaction");
        match content.finish() {
            Ok((raw, share)) => {
                let Mail { reverse_path, smtputf8, requires_tls, dsn_options, recipients, .. } = mail;
                Step::Receive(Transaction {
                    reverse_path,
                    recipients,
                    smtputf8,
                    requires_tls,
                    dsn_options,
                    raw,
                    share,
                })
            }
            Err(fault) => self.fail(fault, mail.recipients.len()),
        }
    }

    /// The replies to a message that cannot be accepted, for this number of recipients.
    fn fail(&mut self, fault: Fault, recipients: usize) -> Step<R> {
        match (self.limits.protocol, self.refuse(fault_reply(fault))) {
            (Protocol::Lmtp, Step::Reply(reply)) => Step::Replies(vec![reply; recipients]),
            (_, step) => step,
        }
    }

    pub(super) fn data(&mut self) -> Step<R> {
        if let Err(reply) = self.may_send_content() {
            return self.refuse(reply);
        }
        if self.mail.as_ref().is_some_and(|mail| mail.chunks.is_some()) {
            return self.refuse(Reply::new(503, "5.5.1", "BDAT was begun; DATA cannot follow"));
        }
        self.reading = Reading::Data(DataReader::new(), self.new_content());
        Step::Reply(Reply::new(354, "", "End with CR LF . CR LF"))
    }

    pub(super) fn bdat(&mut self, left_bytes: usize, last: bool, input: &mut &[u8]) -> Step<R> {
        // The client sends the chunk in any case (RFC 3030 2), so a refusal waits until it was read.
        let refusal = self.may_send_content().err();
        let begun = self.new_content();
        match self.mail.as_mut() {
            Some(mail) if refusal.is_none() => drop(mail.chunks.get_or_insert(begun)),
            _ => self.mail = None,
        }
        self.read_chunk(left_bytes, last, refusal, input)
    }

    /// Content with the largest limit of the recipients: the smaller limit of another recipient is checked for it
    /// alone, and no bytes are kept that no recipient would accept.
    fn new_content(&self) -> Content {
        let size_max_bytes = self.limits.size_max_bytes;
        let recipients = self.mail.iter().flat_map(|mail| &mail.recipients);
        let limits = recipients.map(|(_, route)| route.limit_bytes().unwrap_or(size_max_bytes));
        let limit_bytes = limits.max().unwrap_or(size_max_bytes).min(size_max_bytes);
        let content = Content::new(limit_bytes, self.limits.content_budget.share());
        let are_only_read = self.mail.as_ref().is_some_and(|mail| {
            !mail.recipients.is_empty() && mail.recipients.iter().all(|(_, route)| route.is_only_read())
        });
        if are_only_read { content.only_read() } else { content }
    }

    fn may_send_content(&self) -> Result<(), Reply> {
        match &self.mail {
            None => Err(Reply::new(503, "5.5.1", "MAIL first")),
            Some(mail) if mail.recipients.is_empty() => Err(Reply::new(554, "5.5.1", "No valid recipients")),
            Some(_) => Ok(()),
        }
    }
}
