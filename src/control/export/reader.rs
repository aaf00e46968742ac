//! The command's side of an export: takes the pieces from a running server, or makes them of the store of a stopped one.
//!
//! `cli::export` drives it.

use std::io::{self, Read as _};
use std::os::unix::net::UnixStream;
use std::path::Path;

use super::exporter::Exporter;
use super::{ExportCounts, ExportRequest, PieceHead};
use crate::control::client::{connect, read_reply, write_line};
use crate::control::host::Host;
use crate::control::protocol::{Reply, Request};
use crate::service::exports::Piece;

/// An export from the side of the command.
pub enum Reader {
    /// A running server makes it.
    Server {
        /// The server's answers.
        replies: io::BufReader<UnixStream>,
    },
    /// No server runs, so it is made here.
    File {
        /// The export.
        exporter: Box<Exporter>,
        /// The runtime that carries its work.
        runtime: tokio::runtime::Runtime,
    },
}

/// What comes next.
pub enum Next {
    /// A piece, and how much was exported so far.
    Piece(Piece, ExportCounts),
    /// The end.
    End(ExportCounts),
    /// A reply that refuses it.
    Refused(Box<Reply>),
}

impl Reader {
    /// Begins an export on the server that runs on `data_dir`; returns `None` if no server does.
    pub fn of_server(data_dir: &Path, request: &ExportRequest) -> io::Result<Option<Reader>> {
        let Some(stream) = connect(data_dir)? else { return Ok(None) };
        write_line(&stream, &Request::Export(request.clone()))?;
        Ok(Some(Reader::Server { replies: io::BufReader::new(stream) }))
    }

    /// Begins an export of a file that this process has open.
    pub fn of_file(
        host: &Host,
        request: &ExportRequest,
        runtime: tokio::runtime::Runtime,
    ) -> Result<Reader, Box<Reply>> {
        let exporter = Exporter::begin(host, request).map_err(|error| Box::new(Reply::from(error)))?;
        Ok(Reader::File { exporter: Box::new(exporter), runtime })
    }

    /// Waits for what comes next.
    pub fn receive(&mut self) -> io::Result<Next> {
        match self {
            Reader::Server { replies } => match read_reply(replies)? {
                Reply::Piece(PieceHead { file, size_bytes, is_last, so_far }) => {
                    let mut bytes = vec![0; size_bytes];
                    replies.read_exact(&mut bytes)?;
                    Ok(Next::Piece(Piece { file, bytes, is_last }, so_far))
                }
                Reply::Exported { counts } => Ok(Next::End(counts)),
                other => Ok(Next::Refused(Box::new(other))),
            },
            Reader::File { exporter, runtime } => {
                // The API's work is asynchronous.
                let _inside = runtime.enter();
                Ok(match exporter.next_piece() {
                    Ok(Some(piece)) => Next::Piece(piece, exporter.counts()),
                    Ok(None) => Next::End(exporter.counts()),
                    Err(error) => Next::Refused(Box::new(Reply::from(error))),
                })
            }
        }
    }

    /// Ends the export; the file is closed when this returns.
    pub fn finish(self) {
        if let Reader::File { exporter, runtime: _ } = self {
            exporter.close();
        }
    }
}
