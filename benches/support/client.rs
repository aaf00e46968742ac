//! An SMTP client for load: no more work per message than the protocol asks for.

use std::io::{self, BufRead, BufReader, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use super::{LIST_ADDRESS, member_address};

/// How long the other side may take for anything.
const TIMEOUT: Duration = Duration::from_mins(1);
/// Recipients that leave in one write: their answers fit into the socket's buffer.
const RCPTS_PER_WRITE: usize = 200;

/// A connection that has said EHLO.
pub(crate) struct SmtpClient {
    stream: TcpStream,
    replies: BufReader<TcpStream>,
    line: Vec<u8>,
}

impl SmtpClient {
    pub(crate) fn connect(address: SocketAddr) -> io::Result<SmtpClient> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(TIMEOUT))?;
        let replies = BufReader::new(stream.try_clone()?);
        let mut client = SmtpClient { stream, replies, line: Vec::new() };
        client.expect(220)?;
        client.command(b"EHLO load.example.org\r\n", 250)?;
        Ok(client)
    }

    /// Posts to the list as member 0, command by command: each waits for its reply.
    pub(crate) fn post(&mut self, text: &[u8]) -> io::Result<()> {
        self.command(format!("MAIL FROM:<{}>\r\n", member_address(0)).as_bytes(), 250)?;
        self.command(format!("RCPT TO:<{LIST_ADDRESS}>\r\n").as_bytes(), 250)?;
        self.command(b"DATA\r\n", 354)?;
        self.command(&[text, b".\r\n"].concat(), 250)
    }

    /// Hands a Postfix one message for so many members, who are to get a copy each, with an envelope sender of its own.
    pub(crate) fn post_with_verp(&mut self, members: usize, text: &[u8]) -> io::Result<()> {
        self.command(format!("MAIL FROM:<{LIST_ADDRESS}> XVERP=+=\r\n").as_bytes(), 250)?;
        for first in (0..members).step_by(RCPTS_PER_WRITE) {
            let numbers = first..members.min(first + RCPTS_PER_WRITE);
            let commands = numbers.clone().map(|number| format!("RCPT TO:<{}>\r\n", member_address(number)));
            self.stream.write_all(commands.collect::<String>().as_bytes())?;
            numbers.into_iter().try_for_each(|_| self.expect(250))?;
        }
        self.command(b"DATA\r\n", 354)?;
        self.command(&[text, b".\r\n"].concat(), 250)
    }

    /// Sends `text` to each of `members` with its own envelope sender, in the way of crier's own client: the
    /// text of one copy and the envelope of the next leave in one write.
    pub(crate) fn blast(&mut self, members: impl Iterator<Item = usize>, text: &[u8]) -> io::Result<()> {
        let mut out = Vec::new();
        let mut is_first = true;
        for member in members {
            if !is_first {
                out.extend_from_slice(text);
                out.extend_from_slice(b".\r\n");
            }
            let to = member_address(member);
            write!(out, "MAIL FROM:<bounces+{member}@load.example.org>\r\nRCPT TO:<{to}>\r\nDATA\r\n")?;
            self.stream.write_all(&out)?;
            out.clear();
            if !is_first {
                self.expect(250)?;
            }
            is_first = false;
            self.expect(250)?;
            self.expect(250)?;
            self.expect(354)?;
        }
        if !is_first {
            self.command(&[text, b".\r\n"].concat(), 250)?;
        }
        Ok(())
    }

    fn command(&mut self, bytes: &[u8], code: u16) -> io::Result<()> {
        self.stream.write_all(bytes)?;
        self.expect(code)
    }

    /// Reads one reply, which must have this code.
    fn expect(&mut self, code: u16) -> io::Result<()> {
        loop {
            self.line.clear();
            if self.replies.read_until(b'\n', &mut self.line)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if self.line.get(3) != Some(&b'-') {
                break;
            }
        }
        if self.line.starts_with(code.to_string().as_bytes()) {
            Ok(())
        } else {
            let told = String::from_utf8_lossy(&self.line);
            Err(io::Error::other(format!("expected {code}, was told {told}")))
        }
    }
}
