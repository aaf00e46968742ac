//! An SMTP server that takes everything, throws it away, and knows whether each member got exactly one copy
//! with an envelope sender of its own. Or it keeps each message in a file, and does nothing else with it.

use std::collections::HashSet;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{self, BufRead, BufReader, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// Octets that one read takes at most.
const READ_BYTES: usize = 64 * 1024;
/// Octets of the file that keeps messages; it is filled again and again.
const KEPT_BYTES: u64 = 64 * 1024 * 1024;
/// How long the copies of one post may take.
const TIMEOUT: Duration = Duration::from_mins(5);

/// A listening sink. It ends with the process.
pub(crate) struct Sink {
    /// Where it listens.
    pub(crate) address: SocketAddr,
    tally: Arc<Tally>,
}

/// What came since the last [`Sink::expect`].
struct Tally {
    /// Copies that each member got, and the envelope sender of the last as a hash.
    members: Vec<(AtomicU32, AtomicU64)>,
    expected: AtomicUsize,
    copies: AtomicUsize,
    /// When the last expected copy was taken.
    complete: Mutex<Option<Instant>>,
    completed: Condvar,
    sample: Mutex<Option<Vec<u8>>>,
    keeper: Option<Keeper>,
}

/// Where messages are made durable before they are answered.
struct Keeper {
    file: File,
    next: AtomicU64,
}

impl Sink {
    /// Listens on a free port, for members numbered below `members_max`.
    pub(crate) fn start(members_max: usize) -> Sink {
        Sink::listen(members_max, None)
    }

    /// Listens on a free port, and has each message on the disk before it is answered: written behind the one before,
    /// to a file of which every octet has its place on the disk, and flushed. No server that promises to keep a message
    /// does less.
    pub(crate) fn that_keeps() -> Sink {
        let file = tempfile::tempfile_in(super::bench_dir()).expect("the bench directory can be written");
        let zeros = vec![0; READ_BYTES];
        for start in (0..KEPT_BYTES).step_by(READ_BYTES) {
            file.write_all_at(&zeros, start).expect("room for the messages");
        }
        file.sync_all().expect("room for the messages");
        Sink::listen(1, Some(Keeper { file, next: AtomicU64::new(0) }))
    }

    fn listen(members_max: usize, keeper: Option<Keeper>) -> Sink {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let address = listener.local_addr().expect("a bound address");
        let tally = Arc::new(Tally {
            members: (0..members_max).map(|_| (AtomicU32::new(0), AtomicU64::new(0))).collect(),
            expected: AtomicUsize::new(0),
            copies: AtomicUsize::new(0),
            complete: Mutex::default(),
            completed: Condvar::new(),
            sample: Mutex::default(),
            keeper,
        });
        let shared = tally.clone();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let tally = shared.clone();
                // A connection that breaks is seen in the copies that are missing.
                std::thread::spawn(move || {
                    drop(Session::new(stream).and_then(|session| session.run(&tally)));
                });
            }
        });
        Sink { address, tally }
    }

    /// Begins to count anew: each of `members` members is to get one copy.
    pub(crate) fn expect(&self, members: usize) {
        for (copies, sender) in &self.tally.members {
            copies.store(0, Ordering::Relaxed);
            sender.store(0, Ordering::Relaxed);
        }
        self.tally.copies.store(0, Ordering::Relaxed);
        *self.tally.complete.lock().expect("no holder panics") = None;
        self.tally.expected.store(members, Ordering::SeqCst);
    }

    /// Waits for as many copies as are expected; answers when the last came.
    pub(crate) fn wait(&self) -> Instant {
        let complete = self.tally.complete.lock().expect("no holder panics");
        let waited =
            self.tally.completed.wait_timeout_while(complete, TIMEOUT, |complete| complete.is_none());
        let complete = *waited.expect("no holder panics").0;
        let copies = self.tally.copies.load(Ordering::SeqCst);
        complete.unwrap_or_else(|| panic!("only {copies} copies came in {} s", TIMEOUT.as_secs()))
    }

    /// Fails unless every expected member, and nobody else, got one copy with an envelope sender of its own.
    pub(crate) fn check(&self) {
        let expected = self.tally.expected.load(Ordering::SeqCst);
        let mut senders = HashSet::with_capacity(expected);
        for (number, (copies, sender)) in self.tally.members.iter().enumerate() {
            let copies = copies.load(Ordering::SeqCst);
            assert_eq!(copies, u32::from(number < expected), "copies that member {number} got");
            let is_new = copies == 0 || senders.insert(sender.load(Ordering::SeqCst));
            assert!(is_new, "the envelope sender of member {number} had been used");
        }
    }

    /// The last expected copy, as it came, without the final dot.
    pub(crate) fn sample(&self) -> Vec<u8> {
        self.tally.sample.lock().expect("no holder panics").clone().expect("a copy came")
    }
}

impl Keeper {
    fn keep(&self, text: &[u8]) -> io::Result<()> {
        let start = self.next.fetch_add(text.len() as u64, Ordering::Relaxed);
        self.file.write_all_at(text, start % (KEPT_BYTES - text.len() as u64))?;
        self.file.sync_data()
    }
}

impl Tally {
    fn note(&self, from: &[u8], member: usize, text: &[u8]) {
        let mut hasher = DefaultHasher::new();
        from.hash(&mut hasher);
        let (copies, sender) = &self.members[member];
        copies.fetch_add(1, Ordering::Relaxed);
        sender.store(hasher.finish(), Ordering::Relaxed);
        if self.copies.fetch_add(1, Ordering::SeqCst) + 1 == self.expected.load(Ordering::SeqCst) {
            *self.sample.lock().expect("no holder panics") = Some(text.to_vec());
            *self.complete.lock().expect("no holder panics") = Some(Instant::now());
            self.completed.notify_all();
        }
    }
}

/// One connection.
struct Session {
    input: BufReader<TcpStream>,
    output: TcpStream,
    replies: Vec<u8>,
}

impl Session {
    fn new(stream: TcpStream) -> io::Result<Session> {
        stream.set_nodelay(true)?;
        let output = stream.try_clone()?;
        Ok(Session { input: BufReader::with_capacity(READ_BYTES, stream), output, replies: Vec::new() })
    }

    fn run(mut self, tally: &Tally) -> io::Result<()> {
        let (mut line, mut text, mut from) = (Vec::new(), Vec::new(), Vec::new());
        let mut member = 0;
        self.replies.extend_from_slice(b"220 sink ESMTP\r\n");
        loop {
            line.clear();
            self.flush_before_waiting()?;
            if self.input.read_until(b'\n', &mut line)? == 0 {
                return Ok(());
            }
            let reply: &[u8] = match line.get(..4).unwrap_or_default() {
                b"EHLO" => {
                    b"250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250-SMTPUTF8\r\n250 SIZE 104857600\r\n"
                }
                b"MAIL" => {
                    from.clear();
                    from.extend_from_slice(path(&line));
                    b"250 2.1.0 Ok\r\n"
                }
                b"RCPT" => {
                    member = member_number(path(&line));
                    b"250 2.1.5 Ok\r\n"
                }
                b"DATA" => {
                    self.replies.extend_from_slice(b"354 Go on\r\n");
                    self.read_text(&mut text)?;
                    if let Some(keeper) = &tally.keeper {
                        keeper.keep(&text)?;
                    }
                    tally.note(&from, member, &text);
                    b"250 2.0.0 Ok: queued\r\n"
                }
                b"QUIT" => {
                    self.replies.extend_from_slice(b"221 2.0.0 Bye\r\n");
                    return self.output.write_all(&self.replies);
                }
                _ => b"250 2.0.0 Ok\r\n",
            };
            self.replies.extend_from_slice(reply);
        }
    }

    /// Reads up to the final dot.
    fn read_text(&mut self, text: &mut Vec<u8>) -> io::Result<()> {
        text.clear();
        loop {
            self.flush_before_waiting()?;
            let start = text.len();
            if self.input.read_until(b'\n', text)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            if &text[start..] == b".\r\n" {
                text.truncate(start);
                return Ok(());
            }
        }
    }

    /// The replies to commands that came together leave together.
    fn flush_before_waiting(&mut self) -> io::Result<()> {
        if self.input.buffer().is_empty() && !self.replies.is_empty() {
            self.output.write_all(&self.replies)?;
            self.replies.clear();
        }
        Ok(())
    }
}

/// What stands between the angle brackets of a command.
fn path(line: &[u8]) -> &[u8] {
    let start = line.iter().position(|byte| *byte == b'<').map_or(0, |at| at + 1);
    let end = line.iter().position(|byte| *byte == b'>').unwrap_or(line.len());
    line.get(start..end).unwrap_or_default()
}

/// The number in the address of a member.
fn member_number(address: &[u8]) -> usize {
    let digits = address.iter().skip(1).take_while(|byte| byte.is_ascii_digit());
    digits.fold(0, |number, digit| number * 10 + usize::from(digit - b'0'))
}
