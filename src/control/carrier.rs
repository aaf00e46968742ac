//! The command's side of an import: sends rows to a running server, or into the store of a stopped one.
//!
//! `cli::import` drives it. Parsing and checking of rows are in `import`.

use std::collections::VecDeque;
use std::io;
use std::os::unix::net::UnixStream;
use std::path::Path;

use super::client::{connect, read_reply, write_line};
use super::host::Host;
use super::import::{Frame, Import, ImportRequest, RowsDone};
use super::protocol::{Reply, Request};

/// An import from the side of the command.
pub enum Carrier {
    /// A running server takes the rows through its socket.
    Server {
        /// The server's answers.
        replies: io::BufReader<UnixStream>,
    },
    /// No server runs, so the rows go into the file directly.
    File {
        /// The import that takes the rows.
        import: Box<Import>,
        /// The runtime that carries its work.
        runtime: tokio::runtime::Runtime,
        /// Frames in progress, the earliest first.
        pending: VecDeque<RowsDone>,
    },
}

/// An import that has begun, with the origin of its file, if that is known; or the reply that refuses it.
pub type Begun = Result<(Carrier, Option<String>), Box<Reply>>;

impl Carrier {
    /// Begins an import on the server that runs on `data_dir`; returns `None` if no server does.
    pub fn to_server(data_dir: &Path, request: &ImportRequest) -> io::Result<Option<Begun>> {
        let Some(stream) = connect(data_dir)? else { return Ok(None) };
        write_line(&stream, &Request::Import(request.clone()))?;
        let mut replies = io::BufReader::new(stream);
        match read_reply(&mut replies)? {
            Reply::Ready { origin } => Ok(Some(Ok((Carrier::Server { replies }, origin)))),
            refusal => Ok(Some(Err(Box::new(refusal)))),
        }
    }

    /// Begins an import into a file that this process has open.
    pub fn to_file(host: &Host, request: &ImportRequest, runtime: tokio::runtime::Runtime) -> Begun {
        let import = Import::begin(host, request).map_err(|error| Box::new(Reply::from(error)))?;
        let origin = import.origin();
        Ok((Carrier::File { import: Box::new(import), runtime, pending: VecDeque::new() }, origin))
    }

    /// Sends a frame. At most [`FRAMES_MAX`](super::import::FRAMES_MAX) frames may be in progress.
    pub fn send(&mut self, frame: Frame) -> io::Result<()> {
        match self {
            Carrier::Server { replies } => write_line(replies.get_mut(), &frame),
            Carrier::File { import, runtime, pending } => {
                let done = runtime.block_on(import.submit(frame));
                pending.push_back(done);
                Ok(())
            }
        }
    }

    /// Waits for the result of the earliest frame in progress.
    pub fn receive(&mut self) -> io::Result<Reply> {
        match self {
            Carrier::Server { replies } => read_reply(replies),
            Carrier::File { import: _, runtime, pending } => {
                let frame = pending.pop_front().ok_or_else(|| io::Error::other("no rows are under way"))?;
                Ok(Reply::of_rows(runtime.block_on(frame)))
            }
        }
    }

    /// Ends the import; the file is closed when this returns.
    pub fn finish(self) {
        if let Carrier::File { import, runtime: _, pending: _ } = self {
            import.close();
        }
    }
}
