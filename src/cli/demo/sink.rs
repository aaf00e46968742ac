//! A small SMTP server that receives all mail of a demo and keeps it in memory.
//!
//! It implements as much of RFC 5321 as a relay's receiving side needs, and refuses only what is malformed.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use crate::clock::{Clock, Timestamp};
use crate::config::MESSAGE_BYTES_MAX;

/// Most mails that are kept; older ones are dropped.
const MAILS_MAX: usize = 1000;
/// Most bytes of mails that are kept.
const MAILS_BYTES_MAX: usize = 64 << 20;
/// Longest line of a command or of data.
const LINE_BYTES_MAX: u64 = 1 << 20;

/// A mail as it arrived for one recipient.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct SinkMail {
    /// Number of the mail, counted from 1.
    pub(super) number: u64,
    /// When it arrived.
    pub(super) time: Timestamp,
    /// Envelope sender.
    pub(super) from: String,
    /// Envelope recipient.
    pub(super) to: String,
    /// Headers and body.
    pub(super) raw: Arc<Vec<u8>>,
}

/// The mails that arrived and are still kept.
#[derive(Debug, Clone)]
pub(super) struct Mailbox {
    mails: Arc<Mutex<SinkMails>>,
    clock: Clock,
}

#[derive(Debug, Default)]
struct SinkMails {
    kept: VecDeque<SinkMail>,
    kept_bytes: usize,
    arrived: u64,
}

impl Mailbox {
    pub(super) fn new(clock: Clock) -> Mailbox {
        Mailbox { mails: Arc::default(), clock }
    }

    /// Number of mails that ever arrived.
    pub(super) fn arrived(&self) -> u64 {
        self.lock().arrived
    }

    /// The newest mails.
    pub(super) fn newest(&self, limit: usize) -> Vec<SinkMail> {
        self.lock().kept.iter().rev().take(limit).cloned().collect()
    }

    /// Finds a mail by its number.
    pub(super) fn find(&self, number: u64) -> Option<SinkMail> {
        self.lock().kept.iter().find(|mail| mail.number == number).cloned()
    }

    fn add(&self, from: &str, recipients: &[String], raw: Vec<u8>) {
        let time = self.clock.now();
        let raw = Arc::new(raw);
        let mails = &mut *self.lock();
        for to in recipients {
            mails.arrived += 1;
            mails.kept_bytes += raw.len();
            let (number, from, to) = (mails.arrived, from.to_owned(), to.clone());
            mails.kept.push_back(SinkMail { number, time, from, to, raw: Arc::clone(&raw) });
        }
        while MAILS_MAX < mails.kept.len() || MAILS_BYTES_MAX < mails.kept_bytes {
            let Some(oldest) = mails.kept.pop_front() else { break };
            mails.kept_bytes -= oldest.raw.len();
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, SinkMails> {
        // No panic can separate two changes that belong together.
        self.mails.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Receives mail on `listener` until `stop` turns true.
pub(super) async fn serve(listener: TcpListener, mailbox: Mailbox, mut stop: watch::Receiver<bool>) {
    loop {
        let accepted = tokio::select! {
            _ = stop.wait_for(|stop| *stop) => return,
            accepted = listener.accept() => accepted,
        };
        match accepted {
            Ok((stream, _)) => {
                let mailbox = mailbox.clone();
                tokio::spawn(async move {
                    if let Err(error) = converse(stream, &mailbox).await {
                        tracing::debug!(error = %error, "A connection to the mail sink broke");
                    }
                });
            }
            Err(error) => tracing::warn!(error = %error, "The mail sink could not take a connection"),
        }
    }
}

/// The envelope of the mail that a client is about to send.
#[derive(Default)]
struct Envelope {
    from: Option<String>,
    recipients: Vec<String>,
}

async fn converse(stream: TcpStream, mailbox: &Mailbox) -> io::Result<()> {
    stream.set_nodelay(true)?;
    let (read, mut write) = stream.into_split();
    let mut read = BufReader::new(read);
    write.write_all(b"220 sink.invalid ESMTP: mail ends here\r\n").await?;
    let mut envelope = Envelope::default();
    let mut replies = Vec::new();
    while let Some(line) = read_line(&mut read).await? {
        let line = String::from_utf8_lossy(&line).trim_end().to_owned();
        let verb = line.split([' ', ':']).next().unwrap_or_default().to_ascii_uppercase();
        if verb == "DATA" && !envelope.recipients.is_empty() {
            replies.extend_from_slice(b"354 Go on\r\n");
            flush(&mut write, &mut replies).await?;
            let Some(raw) = read_data(&mut read).await? else { return Ok(()) };
            let Envelope { from, recipients } = std::mem::take(&mut envelope);
            mailbox.add(&from.unwrap_or_default(), &recipients, raw);
            replies.extend_from_slice(b"250 2.0.0 Kept\r\n");
        } else {
            replies.extend_from_slice(answer(&verb, &line, &mut envelope).as_bytes());
        }
        // Pipelined commands are answered together.
        if read.buffer().is_empty() || verb == "QUIT" {
            flush(&mut write, &mut replies).await?;
        }
        if verb == "QUIT" {
            break;
        }
    }
    Ok(())
}

/// Replies to any command but a DATA that has recipients.
fn answer(verb: &str, line: &str, envelope: &mut Envelope) -> &'static str {
    match verb {
        "EHLO" => {
            *envelope = Envelope::default();
            "250-sink.invalid\r\n250-PIPELINING\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 ENHANCEDSTATUSCODES\r\n"
        }
        "HELO" | "RSET" => {
            *envelope = Envelope::default();
            "250 2.0.0 OK\r\n"
        }
        "MAIL" => match path_of(line) {
            Some(from) => {
                *envelope = Envelope { from: Some(from), recipients: Vec::new() };
                "250 2.1.0 OK\r\n"
            }
            None => "501 5.5.4 MAIL FROM:<address> is needed\r\n",
        },
        "RCPT" if envelope.from.is_none() => "503 5.5.1 MAIL first\r\n",
        "RCPT" => match path_of(line) {
            Some(to) if !to.is_empty() => {
                envelope.recipients.push(to);
                "250 2.1.5 OK\r\n"
            }
            _ => "501 5.5.4 RCPT TO:<address> is needed\r\n",
        },
        "DATA" => "503 5.5.1 RCPT first\r\n",
        "NOOP" => "250 2.0.0 OK\r\n",
        "QUIT" => "221 2.0.0 Bye\r\n",
        _ => "500 5.5.1 Not known here\r\n",
    }
}

/// Returns the text between the angle brackets.
fn path_of(line: &str) -> Option<String> {
    let (_, rest) = line.split_once('<')?;
    rest.split_once('>').map(|(path, _)| path.to_owned())
}

async fn flush(write: &mut OwnedWriteHalf, replies: &mut Vec<u8>) -> io::Result<()> {
    write.write_all(replies).await?;
    replies.clear();
    Ok(())
}

/// Reads a line with its end; `None` if the client has disconnected.
async fn read_line(read: &mut BufReader<OwnedReadHalf>) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    read.take(LINE_BYTES_MAX).read_until(b'\n', &mut line).await?;
    Ok(line.ends_with(b"\n").then_some(line))
}

/// Reads the lines up to the lone dot and undoes dot-stuffing (RFC 5321 4.5.2).
async fn read_data(read: &mut BufReader<OwnedReadHalf>) -> io::Result<Option<Vec<u8>>> {
    let mut raw = Vec::new();
    while let Some(line) = read_line(read).await? {
        if line == b".\r\n" {
            return Ok(Some(raw));
        }
        raw.extend_from_slice(line.strip_prefix(b".").unwrap_or(&line));
        if MESSAGE_BYTES_MAX * 2 < raw.len() {
            return Ok(None);
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn talk(words: &str) -> (String, Mailbox) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let mailbox = Mailbox::new(Clock::manual(Timestamp::from_ms(5)));
        let (stop, stopping) = watch::channel(false);
        let serving = tokio::spawn(serve(listener, mailbox.clone(), stopping));
        let mut stream = TcpStream::connect(address).await.unwrap();
        stream.write_all(words.as_bytes()).await.unwrap();
        let mut replies = String::new();
        stream.read_to_string(&mut replies).await.unwrap();
        stop.send_replace(true);
        serving.await.unwrap();
        (replies, mailbox)
    }

    #[tokio::test]
    async fn a_pipelined_mail_is_kept_for_each_recipient() {
        let (replies, mailbox) = talk(
            "EHLO x\r\nMAIL FROM:<a@x.org> BODY=8BITMIME\r\nRCPT TO:<b@x.org>\r\nRCPT TO:<c@x.org>\r\nDATA\r\n\
             Subject: hello\r\n\r\n..dot\r\n.\r\nQUIT\r\n",
        )
        .await;
        let codes: Vec<&str> = replies.lines().map(|line| &line[..3]).collect();
        let expected = ["220", "250", "250", "250", "250", "250", "250", "250", "250", "354", "250", "221"];
        assert_eq!(codes, expected, "{replies}");
        assert_eq!(mailbox.arrived(), 2);
        let newest = &mailbox.newest(1)[0];
        assert_eq!((newest.number, newest.from.as_str(), newest.to.as_str()), (2, "a@x.org", "c@x.org"));
        assert_eq!(newest.raw.as_slice(), b"Subject: hello\r\n\r\n.dot\r\n");
        assert_eq!(mailbox.find(1).map(|mail| mail.to), Some("b@x.org".to_owned()));
    }

    #[tokio::test]
    async fn commands_out_of_order_are_refused() {
        let (replies, mailbox) = talk("DATA\r\nRCPT TO:<a@x.org>\r\nMAIL FROM\r\nVRFY a\r\nQUIT\r\n").await;
        let codes: Vec<&str> = replies.lines().map(|line| &line[..3]).collect();
        assert_eq!(codes, ["220", "503", "503", "501", "500", "221"]);
        assert_eq!(mailbox.arrived(), 0);
    }

    #[test]
    fn old_letters_make_room() {
        let mailbox = Mailbox::new(Clock::system());
        for _ in 0..MAILS_MAX + 5 {
            mailbox.add("a@x.org", &["b@x.org".to_owned()], vec![0; 100]);
        }
        assert_eq!(mailbox.newest(usize::MAX).len(), MAILS_MAX);
        assert_eq!(mailbox.find(5), None);
        assert!(mailbox.find(6).is_some());
    }
}
