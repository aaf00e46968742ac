//! The pages of a large archive: a list of a million messages that an import brought, over HTTP.
//!
//! Run with `cargo bench --bench archive_pages`. The built executable is the server, in a process of its own; a mailbox of
//! made-up messages (see `archive`) is imported with `crier import mbox` while the server indexes what comes. Then one
//! client opens pages from all over the archive, one behind the other, over one kept connection. Printed are the rate of
//! the import, alone and with the end of the indexing, the median and the slowest of a hundred of each kind of page, and
//! the server's memory. `CRIER_BENCH_MESSAGES` makes the list another size; the data file lies in `CRIER_BENCH_DIR`, else in
//! the target directory.

#[path = "support/http.rs"]
#[expect(dead_code, reason = "loads by many connections are for the other benches")]
mod http;
#[expect(dead_code, reason = "the parts for mail are for the other benches")]
mod support;
#[path = "support/words.rs"]
mod words;

use std::io::{BufWriter, Write as _};
use std::net::SocketAddr;
use std::path::Path;
use std::time::{Duration, Instant};

use crier::clock::Timestamp;
use http::{ANSWER_BYTES_MAX, ask};
use support::program::{Program, crier};
use support::{bench_dir, end_after, rate, report};
use tokio::net::TcpStream;
use words::{Random, VOCABULARY, WORDS, Zipf, word, words_of};

/// Messages, unless the environment says otherwise.
const MESSAGES: usize = 1_000_000;
/// Messages of a thread, which stand one behind the other and answer one another in turn.
const THREAD: usize = 8;
/// Messages of a day.
const PER_DAY: usize = 300;
/// When the first message was written, in milliseconds.
const BEGINNING_MS: i64 = 1_400_000_000_000;
/// How often each kind of page is opened.
const ROUNDS: usize = 300;
/// The bench ends after this time, also if it hangs.
const LIMIT: Duration = Duration::from_hours(1);

fn main() {
    end_after(LIMIT);
    let asked = std::env::var("CRIER_BENCH_MESSAGES").ok().and_then(|number| number.parse().ok());
    let messages = asked.unwrap_or(MESSAGES);
    let folder = tempfile::tempdir_in(bench_dir()).expect("the bench directory can be written");
    let data = folder.path();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");

    crier(data, "setup --domain example.org --admin a@example.org --account bench --list news");
    crier(data, "list set news --archive-protected false");
    let zipf = Zipf::new(VOCABULARY);
    let mailbox = data.join("news.mbox");
    write_mailbox(&mailbox, messages, &zipf);
    let server = Program::start(data, "");
    let started = Instant::now();
    let done = crier(data, &format!("import mbox --list news {}", mailbox.display()));
    report(&format!("import of {messages} messages"), rate(messages, started.elapsed()), "messages/s");
    assert_eq!(done["created"], messages, "every message is stored: {done}");
    let mut client = runtime.block_on(Client::connect(server.http_addr));
    let last = format!("/lists/news/search/?q=number{}", messages - 1);
    while !runtime.block_on(client.get(&last)).contains("<mark>") {
        std::thread::yield_now();
    }
    report("until all of it is found", rate(messages, started.elapsed()), "messages/s");
    report("server after the import", server.memory_mib("VmRSS"), "MiB");
    for (name, path) in PAGES {
        runtime.block_on(open(&mut client, name, *path, &zipf, messages));
    }
    runtime.block_on(deep_hits(&mut client));
    report("server after everything", server.memory_mib("VmRSS"), "MiB");
    report("server at its most", server.memory_mib("VmHWM"), "MiB");
    server.stop();
    let bytes = std::fs::metadata(data.join("crier.redb")).expect("the file is there").len();
    report("data file", f64::from(u32::try_from(bytes >> 20).expect("below 4 PiB")), "MiB");
}

/// Writes a mailbox of so many messages.
fn write_mailbox(path: &Path, messages: usize, zipf: &Zipf) {
    let mut file = BufWriter::new(std::fs::File::create(path).expect("the folder can be written"));
    for number in 0..messages {
        let mut random = Random(number as u64);
        let subject = words_of(&mut random, zipf, 5);
        let length = WORDS.0 + random.below(WORDS.1);
        let text = words_of(&mut random, zipf, length);
        let sender = random.below(2000);
        let reply = if number % THREAD == 0 {
            String::new()
        } else {
            format!("In-Reply-To: <{}@senders.example.org>\n", number - 1)
        };
        let date = date_of(number);
        write!(
            file,
            "From s{sender}@senders.example.org Fri Nov 20 12:00:00 2026\n\
             From: Sender Number{sender} <s{sender}@senders.example.org>\nTo: news@example.org\n\
             Subject:{subject}\nMessage-ID: <{number}@senders.example.org>\n{reply}Date: {date}\n\nnumber{number}\n{}\n\n",
            text.replace('\r', "")
        )
        .expect("written");
    }
    file.into_inner().expect("written");
}

/// When a message was written.
fn time_of(number: usize) -> Timestamp {
    let steps = i64::try_from(number).expect("fits");
    Timestamp::from_ms(BEGINNING_MS + steps * (24 * 60 * 60 * 1000 / i64::try_from(PER_DAY).expect("fits")))
}

/// The same as the field `Date` has it.
fn date_of(number: usize) -> String {
    let zoned = time_of(number).in_zone(jiff::tz::TimeZone::UTC);
    jiff::fmt::rfc2822::to_string(&zoned).expect("a date of this century")
}

/// The path of a page that a number stands for.
type PathOf = fn(&mut Random, &Zipf, usize) -> String;

/// The pages that are opened. Numbers of messages begin with 1.
const PAGES: &[(&str, PathOf)] = &[
    ("list page", |_, _, _| "/lists/news/".to_owned()),
    ("month", |random, _, messages| {
        let day = time_of(random.below(messages)).rfc3339();
        format!("/lists/news/months/{}/", &day[..7])
    }),
    ("thread", |random, _, messages| {
        format!("/lists/news/threads/{}/", random.below(messages) / THREAD * THREAD + 1)
    }),
    ("message", |random, _, messages| format!("/lists/news/messages/{}/", random.below(messages) + 1)),
    ("search, a rare word", |random, _, messages| search(&format!("number{}", random.below(messages)))),
    ("search, a common word", |random, _, _| search(&word(random.below(20)))),
    ("search, two common words", |random, _, _| {
        search(&format!("{} {}", word(random.below(20)), word(20 + random.below(20))))
    }),
    ("search, a phrase", |random, _, _| {
        search(&format!("\"{} {}\"", word(random.below(10)), word(random.below(10))))
    }),
    ("search, from: an address", |random, _, _| {
        search(&format!("from:number{} {}", random.below(2000), word(random.below(10))))
    }),
    ("search, dates", |random, _, messages| {
        let day = time_of(random.below(messages)).rfc3339();
        search(&format!("{} after:{} before:{}-12", word(random.below(20)), &day[..7], &day[..4]))
    }),
    ("feed", |_, _, _| "/lists/news/feed.atom".to_owned()),
];

fn search(words: &str) -> String {
    let asked = percent_encoding::utf8_percent_encode(words, percent_encoding::NON_ALPHANUMERIC);
    format!("/lists/news/search/?q={asked}")
}

/// Opens pages of one kind, and prints how long they take.
async fn open(client: &mut Client, name: &str, path: PathOf, zipf: &Zipf, messages: usize) {
    let mut random = Random(5);
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let path = path(&mut random, zipf, messages);
        let started = Instant::now();
        client.get(&path).await;
        times.push(started.elapsed());
    }
    report_times(name, times);
}

/// Turns the pages of hits of a common word.
async fn deep_hits(client: &mut Client) {
    let mut path = search(&word(0));
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let started = Instant::now();
        let page = client.get(&path).await;
        times.push(started.elapsed());
        let next = page.split("rel=\"next\" href=\"").nth(1).and_then(|rest| rest.split('"').next());
        let Some(next) = next else { break };
        let next = next.replace("&amp;", "&").replace("&#38;", "&");
        path = if next.starts_with('?') { format!("/lists/news/search/{next}") } else { next };
    }
    report(&format!("pages of hits, to the {}th", times.len()), 0.0, "");
    report_times("search, the next page", times);
}

fn report_times(name: &str, mut times: Vec<Duration>) {
    times.sort_unstable();
    let ms = |at: usize| times[at.min(times.len() - 1)].as_secs_f64() * 1000.0;
    report(&format!("{name}: median"), ms(times.len() / 2), "ms");
    report(&format!("{name}: p99"), ms(times.len() * 99 / 100), "ms");
}

/// A browser with one kept connection.
struct Client {
    stream: TcpStream,
    answer: Vec<u8>,
}

impl Client {
    async fn connect(address: SocketAddr) -> Client {
        let stream = TcpStream::connect(address).await.expect("the server listens");
        stream.set_nodelay(true).expect("a fresh connection");
        Client { stream, answer: vec![0; ANSWER_BYTES_MAX] }
    }

    /// The page of a path.
    async fn get(&mut self, path: &str) -> String {
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
        let body = ask(&mut self.stream, request.as_bytes(), &mut self.answer).await;
        String::from_utf8_lossy(&self.answer[body]).into_owned()
    }
}
