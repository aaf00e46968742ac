//! A load client for HTTP/1.1 that costs little: it shares the processors with the server it measures.
//!
//! Connections are kept alive, and each sends its next request only after the whole answer to the last one.
//! They share two threads of their own, named [`THREAD`], so that what the server uses can be told apart.

use std::net::SocketAddr;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// The name of the client's threads.
const THREAD: &str = "load";
/// Threads that the connections share.
const THREADS: usize = 2;
/// Longest answer, head and body.
pub(crate) const ANSWER_BYTES_MAX: usize = 1 << 20;

/// Writes the request of a number.
pub(crate) type Requests = Arc<dyn Fn(usize, &mut Vec<u8>) + Send + Sync>;

/// When a load ends.
#[derive(Debug, Clone, Copy)]
pub(crate) enum End {
    /// After this long.
    Time(Duration),
    /// After so many requests.
    Requests(usize),
}

/// What a load came to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outcome {
    /// Answers, all of them good.
    pub(crate) answers: usize,
    /// From the first request to the last answer.
    pub(crate) elapsed: Duration,
    /// Processor time that all threads but the client's took.
    pub(crate) server_time: Duration,
}

/// Sends requests over `connections`, numbered from `first` on, and waits for the last answer.
pub(crate) fn load(
    address: SocketAddr,
    connections: usize,
    first: usize,
    end: End,
    requests: &Requests,
) -> Outcome {
    let streams: Vec<_> = (0..connections).map(|_| connect(address)).collect();
    let (server_before, started) = (server_time(), Instant::now());
    let turn = Arc::new(Turn { first, next: AtomicUsize::new(0), started, end, requests: requests.clone() });
    let mut shares: Vec<Vec<_>> = (0..THREADS.min(connections)).map(|_| Vec::new()).collect();
    let count = shares.len();
    for (number, stream) in streams.into_iter().enumerate() {
        shares[number % count].push(stream);
    }
    let run = |share| {
        let turn = turn.clone();
        let thread = std::thread::Builder::new().name(THREAD.to_owned());
        thread.spawn(move || drive(share, &turn)).expect("a thread starts")
    };
    let threads: Vec<_> = shares.into_iter().map(run).collect();
    let answers = threads.into_iter().map(|thread| thread.join().expect("every answer is good")).sum();
    Outcome { answers, elapsed: started.elapsed(), server_time: server_time().saturating_sub(server_before) }
}

/// Sends one request; answers where in `answer` the body of what came back is: the head is before it.
pub(crate) async fn ask(stream: &mut TcpStream, request: &[u8], answer: &mut [u8]) -> Range<usize> {
    stream.write_all(request).await.expect("the server reads");
    read_answer(stream, answer).await
}

/// What the connections of one load share.
struct Turn {
    first: usize,
    next: AtomicUsize,
    started: Instant,
    end: End,
    requests: Requests,
}

impl Turn {
    fn next(&self) -> Option<usize> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let goes_on = match self.end {
            End::Time(time) => self.started.elapsed() < time,
            End::Requests(requests) => number < requests,
        };
        goes_on.then_some(self.first + number)
    }
}

fn connect(address: SocketAddr) -> std::net::TcpStream {
    let stream = std::net::TcpStream::connect(address).expect("the server listens");
    stream.set_nodelay(true).expect("a fresh connection");
    stream.set_nonblocking(true).expect("a fresh connection");
    stream
}

/// Drives connections on this thread until the load ends; answers how many answers they got.
fn drive(streams: Vec<std::net::TcpStream>, turn: &Arc<Turn>) -> usize {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build();
    runtime.expect("a runtime starts").block_on(async {
        let mut clients = JoinSet::new();
        for stream in streams {
            let stream = TcpStream::from_std(stream).expect("a fresh connection");
            clients.spawn(call(stream, turn.clone()));
        }
        clients.join_all().await.into_iter().sum()
    })
}

async fn call(mut stream: TcpStream, turn: Arc<Turn>) -> usize {
    let (mut request, mut answer) = (Vec::new(), vec![0; ANSWER_BYTES_MAX]);
    let mut answers = 0;
    while let Some(number) = turn.next() {
        request.clear();
        (turn.requests)(number, &mut request);
        ask(&mut stream, &request, &mut answer).await;
        answers += 1;
    }
    answers
}

/// Reads one good answer and nothing more; answers where its body is.
async fn read_answer(stream: &mut TcpStream, answer: &mut [u8]) -> Range<usize> {
    let mut filled = 0;
    let mut body: Option<Range<usize>> = None;
    loop {
        let bytes = stream.read(&mut answer[filled..]).await.expect("the server answers");
        assert!(0 < bytes, "the server has closed the connection");
        filled += bytes;
        body = body.or_else(|| body_of(&answer[..filled]));
        if let Some(body) = body.clone().filter(|body| body.end <= filled) {
            assert_eq!(filled, body.end, "more than was asked for");
            return body;
        }
    }
}

/// Where the body of the answer is, once its head is whole.
fn body_of(answer: &[u8]) -> Option<Range<usize>> {
    let start = memchr::memmem::find(answer, b"\r\n\r\n")? + 4;
    let head = std::str::from_utf8(&answer[..start]).expect("a head is text");
    assert!(head.starts_with("HTTP/1.1 200 "), "{head}{}", String::from_utf8_lossy(&answer[start..]));
    let length = head.split_once("content-length: ").and_then(|(_, rest)| rest.split("\r\n").next());
    let length: usize = length.and_then(|digits| digits.parse().ok()).expect("answers tell their length");
    assert!(start + length <= ANSWER_BYTES_MAX, "an answer past its limit");
    Some(start..start + length)
}

/// Processor time of all threads of this process but the client's.
fn server_time() -> Duration {
    let threads = std::fs::read_dir("/proc/self/task").expect("Linux tells");
    let time_of = |thread: std::io::Result<std::fs::DirEntry>| {
        let path = thread.ok()?.path();
        if std::fs::read_to_string(path.join("comm")).ok()?.trim() == THREAD {
            return None;
        }
        let times = std::fs::read_to_string(path.join("schedstat")).ok()?;
        times.split(' ').next()?.parse().ok().map(Duration::from_nanos)
    };
    // A thread that ends meanwhile counts no more; the server's own stay.
    threads.filter_map(time_of).sum()
}
