//! The command's side of an import of messages: sends them to a running server, or into the store of a stopped one.
//!
//! `cli::import` drives it. What is done with the messages is in `mails`.

use std::collections::VecDeque;
use std::io::{self, Write as _};
use std::os::unix::net::UnixStream;
use std::path::Path;

use super::mails::{FrameDone, MailFrame, MailImport, MailsDone, MailsRequest};
use crate::control::client::{connect, read_reply, write_line};
use crate::control::host::Host;
use crate::control::protocol::{Reply, Request};

/// An import from the side of the command.
pub enum MailCarrier {
    /// A running server takes the messages through its socket.
    Server {
        /// The server's answers.
        replies: io::BufReader<UnixStream>,
    },
    /// No server runs, so the messages go into the file directly.
    File {
        /// The import that takes them.
        import: Box<MailImport>,
        /// The runtime that carries its work.
        runtime: tokio::runtime::Runtime,
        /// Frames in progress, the earliest first.
        pending: VecDeque<FrameDone>,
    },
}

/// An import that has begun, with words for the operator; or the reply that refuses it.
pub type Begun = Result<(MailCarrier, Vec<String>), Box<Reply>>;

impl MailCarrier {
    /// Begins an import on the server that runs on `data_dir`; returns `None` if no server does.
    pub fn to_server(data_dir: &Path, request: &MailsRequest) -> io::Result<Option<Begun>> {
        let Some(stream) = connect(data_dir)? else { return Ok(None) };
        write_line(&stream, &Request::ImportMails(request.clone()))?;
        let mut replies = io::BufReader::new(stream);
        match read_reply(&mut replies)? {
            Reply::MailsReady { notes } => Ok(Some(Ok((MailCarrier::Server { replies }, notes)))),
            refusal => Ok(Some(Err(Box::new(refusal)))),
        }
    }

    /// Begins an import into a file that this process has open.
    pub fn to_file(host: &Host, request: &MailsRequest, runtime: tokio::runtime::Runtime) -> Begun {
        let import = MailImport::begin(host, request).map_err(|error| Box::new(Reply::from(error)))?;
        let notes = import.notes();
        Ok((MailCarrier::File { import: Box::new(import), runtime, pending: VecDeque::new() }, notes))
    }

    /// Sends a frame with the bytes of its messages. At most [`FRAMES_MAX`](super::FRAMES_MAX) frames may be in
    /// progress.
    pub fn send(&mut self, frame: MailFrame, bytes: Vec<u8>) -> io::Result<()> {
        match self {
            MailCarrier::Server { replies } => {
                write_line(replies.get_mut(), &frame)?;
                replies.get_mut().write_all(&bytes)
            }
            MailCarrier::File { import, runtime, pending } => {
                pending.push_back(runtime.block_on(import.submit(frame, bytes)).map_err(io::Error::other)?);
                Ok(())
            }
        }
    }

    /// Waits for the result of the earliest frame in progress.
    pub fn receive(&mut self) -> io::Result<Reply> {
        match self {
            MailCarrier::Server { replies } => read_reply(replies),
            MailCarrier::File { import: _, runtime, pending } => {
                let frame =
                    pending.pop_front().ok_or_else(|| io::Error::other("no messages are under way"))?;
                Ok(runtime.block_on(frame).map_or_else(Reply::refusal, Reply::Mails))
            }
        }
    }

    /// Has the replies put into their threads when all frames are answered; `progress` gets the number of those that
    /// are done.
    pub fn end(&mut self, progress: &mut dyn FnMut(String)) -> io::Result<Reply> {
        match self {
            MailCarrier::Server { replies } => {
                write_line(replies.get_mut(), &MailFrame::default())?;
                loop {
                    match read_reply(replies)? {
                        Reply::Progress { text } => progress(text),
                        reply => return Ok(reply),
                    }
                }
            }
            MailCarrier::File { import, runtime, pending: _ } => {
                let mut joined = 0;
                while let Some(now) = runtime.block_on(import.join_step()).map_err(io::Error::other)? {
                    joined = now;
                }
                runtime.block_on(import.settle());
                Ok(Reply::MailsDone(MailsDone { joined }))
            }
        }
    }

    /// Ends the import; the file is closed when this returns.
    pub fn finish(self) {
        if let MailCarrier::File { import, runtime: _, pending: _ } = self {
            import.close();
        }
    }
}
