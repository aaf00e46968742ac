//! How fast the API answers, beside a bare handler that answers the same bytes.
//!
//! Run with `cargo bench --bench api`. The real server and an axum router that only looks the answer up run in
//! this process, in the same runtime, and are asked in turn by the same client over kept connections, one
//! request at a time on each. Medians are printed, and ratios of medians; the client has its part of the same
//! processors, so the processor time that each server takes for an answer is printed as well.
//!
//! "kept" asks for one answer again and again, which the server keeps in memory. "made anew" goes through more
//! answers than it keeps, in the same order each time, so that every one is made from the data file.
//!
//! The data file lies in `CRIER_BENCH_DIR`, else in the target directory.

#[path = "support/http.rs"]
mod http;
#[expect(dead_code, reason = "the parts for mail are for the other benches")]
mod support;

use std::collections::HashMap;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::Request;
use axum::http::{HeaderValue, Method, header};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use axum::serve::ListenerExt;
use crier::app::{self, Running};
use crier::clock::Clock;
use crier::config::Config;
use crier::model::account::DkimKeys;
use crier::model::{AccountId, Domain, EmailAddress, List, ListId, ListName};
use crier::ops::accounts::admins;
use crier::ops::people::contacts::{self, ContactInput};
use crier::ops::people::emails::EmailInput;
use crier::ops::people::memberships::{MemberInput, MemberSettings};
use crier::ops::{Caller, OpError, accounts};
use crier::schema::{CONTACT_BY_ACCOUNT, CONTACT_COUNT};
use crier::secret::{self, Secrets};
use crier::store::{IndexRange, Key, Read};
use http::{ANSWER_BYTES_MAX, End, Outcome, Requests, ask, load};
use support::{end_after, median, rate};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Contacts of the account: with their answers twice what the server keeps.
const CONTACTS: usize = 30_000;
/// Contacts of a page.
const PAGE: usize = 100;
/// Contacts of the list that is read.
const LIST_CONTACTS: usize = 1000;
/// The list that is read. Names have no case: each way to write it is an answer of its own.
const LIST: &str = "announcements";
/// Ways in which its name is written.
const LIST_SPELLINGS: usize = 2048;
/// The list that all other contacts are in.
const OTHERS: &str = "others";
/// Contacts that a job of the preparation writes.
const CONTACTS_PER_JOB: usize = 1000;
/// Memory that the server has for answers: what is to be made anew each time is more than that.
const KEPT_BYTES: usize = 8 << 20;
/// Connections that read.
const READERS: usize = 16;
/// How long each turn of reading goes on.
const READ_TIME: Duration = Duration::from_secs(1);
/// Connections that write, with the number of contacts they make in a turn.
const WRITERS: [(usize, usize); 3] = [(1, 1000), (8, 6000), (64, 20_000)];
/// Turns of each measure.
const TURNS: usize = 5;
/// Octets of the field that tells the time.
const DATE_BYTES: usize = "date: Mon, 05 Jan 2026 10:00:00 GMT".len();
/// Random bytes are the same in every run.
const SEED: u64 = 7;
/// Whatever happens, the bench ends after this.
const LIMIT: Duration = Duration::from_mins(10);

fn main() {
    end_after(LIMIT);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");
    let (server, reads) = runtime.block_on(async {
        let server = Server::start().await;
        let reads = server.reads();
        (server, reads)
    });
    // First the contact, which changes the counts in other answers.
    let mut answers = HashMap::from([(POST_PATH.to_owned(), runtime.block_on(server.post_answer()))]);
    for read in &reads {
        answers.extend(runtime.block_on(server.answers(read)));
    }
    let bare = runtime.block_on(serve_bare(answers));
    let wanted = std::env::var("CRIER_BENCH_ONLY").unwrap_or_default();
    let mut results = Vec::new();
    for read in reads.iter().filter(|read| read.name.contains(&wanted)) {
        runtime.block_on(server.compare(bare, read));
        let requests = server.read_requests(&read.paths);
        let read_from = |address| load(address, READERS, 0, End::Time(READ_TIME), &requests);
        results.push(measure(read.name.clone(), || read_from(server.address()), || read_from(bare)));
    }
    let mut first = 1;
    for (writers, posts) in WRITERS {
        let name = format!("POST contact, clients: {writers}");
        if !name.contains(&wanted) {
            continue;
        }
        let requests = server.post_requests();
        let post = || {
            let before = server.contacts();
            let outcome = load(server.address(), writers, first, End::Requests(posts), &requests);
            first += posts;
            assert_eq!(outcome.answers, posts, "every request was answered");
            assert_eq!(server.contacts(), before + posts, "every contact is there");
            outcome
        };
        let post_bare = || load(bare, writers, 0, End::Time(READ_TIME), &requests);
        results.push(measure(name, post, post_bare));
    }
    runtime.block_on(server.running.stop());
    print_table(&results);
}

/// Answers of which a measure asks for one after the other.
struct Reading {
    name: String,
    paths: Vec<String>,
}

/// Medians of answers a second, and of microseconds of a processor for each.
struct Measured {
    name: String,
    rates: [f64; 2],
    server_us: [f64; 2],
}

/// Where contacts are made.
const POST_PATH: &str = "/api/2/contacts/";

/// The server with its data, in a folder that goes with it.
struct Server {
    running: Running,
    account: AccountId,
    key: String,
    _folder: tempfile::TempDir,
}

impl Server {
    async fn start() -> Server {
        let folder = std::env::var_os("CRIER_BENCH_DIR")
            .map_or_else(|| PathBuf::from(env!("CARGO_TARGET_TMPDIR")), PathBuf::from);
        let folder = tempfile::tempdir_in(folder).expect("the bench directory can be written");
        let config = Config::for_tests(folder.path().to_owned());
        let secrets = Secrets::seeded(SEED);
        let key = secrets.api_key();
        let started = Box::pin(app::start(config, Clock::system(), secrets)).await;
        let running = started.unwrap_or_else(|error| panic!("the server does not start: {error}"));
        let account = create_account(&running, &key).await;
        let server = Server { running, account, key, _folder: folder };
        server.add_contacts(LIST, 0, LIST_CONTACTS).await;
        server.add_contacts(OTHERS, LIST_CONTACTS, CONTACTS).await;
        server
    }

    async fn add_contacts(&self, list: &'static str, first: usize, end: usize) {
        let now = self.running.core.now();
        for start in (first..end).step_by(CONTACTS_PER_JOB) {
            let caller = Caller::operator(self.account);
            let job = self.running.core.store.write(move |tx| {
                for number in start..end.min(start + CONTACTS_PER_JOB) {
                    let address = EmailAddress::parse(&format!("m{number}@members.example.org")).ok();
                    let input = ContactInput {
                        firstname: Some("Ada".to_owned()),
                        surname: Some(format!("Member{number}")),
                        emails: Some(vec![EmailInput { address, ..EmailInput::default() }]),
                        lists: Some(vec![MemberInput {
                            list: list.to_owned(),
                            settings: MemberSettings::default(),
                        }]),
                        ..ContactInput::default()
                    };
                    contacts::add(tx, &caller, input, now)?;
                }
                Ok(())
            });
            job.await.unwrap_or_else(|error: OpError| panic!("contacts cannot be made: {error}"));
        }
    }

    fn address(&self) -> SocketAddr {
        self.running.http_addr
    }

    fn contacts(&self) -> usize {
        let tx = self.running.core.store.read().expect("the file is open");
        let count = tx.count(&CONTACT_COUNT, &Key::new().u64(self.account.0)).expect("a count");
        usize::try_from(count).expect("a small number")
    }

    /// Everything that is read.
    fn reads(&self) -> Vec<Reading> {
        let tx = self.running.core.store.read().expect("the file is open");
        let all = IndexRange::prefix(Key::new().u64(self.account.0));
        let ids = tx.ids(&CONTACT_BY_ACCOUNT, &all, CONTACTS).expect("readable");
        assert_eq!(ids.len(), CONTACTS, "every contact is there");
        let contacts: Vec<_> = ids.iter().map(|id| format!("/api/2/contacts/{id}/")).collect();
        let page = |after: &u64| format!("/api/2/contacts/?limit={PAGE}&after={after}");
        let pages: Vec<_> = ids[PAGE - 1..CONTACTS - PAGE].iter().step_by(PAGE).map(page).collect();
        let lists: Vec<_> =
            (0..LIST_SPELLINGS).map(|number| format!("/api/2/lists/{}/", spelt(number))).collect();
        let mut reads = Vec::new();
        for (name, paths) in
            [("contact", contacts), ("page of 100 contacts", pages), ("list of 1,000", lists)]
        {
            reads.push(Reading { name: format!("GET {name}, kept"), paths: vec![paths[0].clone()] });
            reads.push(Reading { name: format!("GET {name}, made anew"), paths });
        }
        reads
    }

    /// What the server answers to each request of a measure.
    async fn answers(&self, read: &Reading) -> HashMap<String, Bytes> {
        let mut stream = connect(self.address()).await;
        let requests = self.read_requests(&read.paths);
        let mut answers = HashMap::new();
        let (mut request, mut answer) = (Vec::new(), vec![0; ANSWER_BYTES_MAX]);
        let mut bytes = 0;
        for (number, path) in read.paths.iter().enumerate() {
            request.clear();
            requests(number, &mut request);
            let body = ask(&mut stream, &request, &mut answer).await;
            bytes += body.len();
            answers.insert(path.clone(), Bytes::copy_from_slice(&answer[body]));
        }
        let is_kept = read.paths.len() == 1;
        assert!(is_kept || KEPT_BYTES < bytes, "{}: {bytes} octets may be kept", read.name);
        answers
    }

    /// What it answers to a contact that is made.
    async fn post_answer(&self) -> Bytes {
        let mut request = Vec::new();
        self.post_requests()(0, &mut request);
        let mut answer = vec![0; ANSWER_BYTES_MAX];
        let body = ask(&mut connect(self.address()).await, &request, &mut answer).await;
        Bytes::copy_from_slice(&answer[body])
    }

    /// Makes sure that the bare handler answers what the server does, octet by octet.
    async fn compare(&self, bare: SocketAddr, read: &Reading) {
        let mut request = Vec::new();
        self.read_requests(&read.paths)(read.paths.len() - 1, &mut request);
        let mut answers = [const { Vec::new() }; 2];
        for (answer, address) in answers.iter_mut().zip([self.address(), bare]) {
            answer.resize(ANSWER_BYTES_MAX, 0);
            let body = ask(&mut connect(address).await, &request, answer).await;
            answer.truncate(body.end);
            leave_out_rate(answer);
            // The moment is another one, at the same place.
            let date = memchr::memmem::find(answer, b"date: ").expect("answers tell the time");
            answer[date..date + DATE_BYTES].fill(b' ');
        }
        let [server, bare] = answers;
        assert!(server == bare, "{}: the bare handler answers something else", read.name);
    }

    fn read_requests(&self, paths: &[String]) -> Requests {
        let head = self.head();
        let requests: Vec<_> =
            paths.iter().map(|path| format!("GET {path}{head}\r\n").into_bytes()).collect();
        Arc::new(move |number, out| out.extend_from_slice(&requests[number % requests.len()]))
    }

    fn post_requests(&self) -> Requests {
        let kind = "Content-Type: application/x-www-form-urlencoded";
        let head = format!("POST {POST_PATH}{}{kind}\r\nContent-Length: ", self.head());
        Arc::new(move |number, out| {
            let body = format!(
                "firstname=Ada&surname=Reader{number}&emails=r{number}%40readers.example.org&lists={OTHERS}"
            );
            out.extend_from_slice(head.as_bytes());
            out.extend_from_slice(format!("{}\r\n\r\n{body}", body.len()).as_bytes());
        })
    }

    /// What every request says after its path.
    fn head(&self) -> String {
        format!(" HTTP/1.1\r\nHost: bench.example.org\r\nAuthorization: Bearer {}\r\n", self.key)
    }
}

async fn connect(address: SocketAddr) -> tokio::net::TcpStream {
    tokio::net::TcpStream::connect(address).await.expect("the server listens")
}

/// The list's name in capitals where `number` has bits.
fn spelt(number: usize) -> String {
    let system_mail = |(place, system_mail): (usize, char)| {
        if number >> place & 1 == 1 { system_mail.to_ascii_uppercase() } else { system_mail }
    };
    LIST.chars().enumerate().map(system_mail).collect()
}

/// Makes an account with two lists, and somebody who may do everything in it.
async fn create_account(running: &Running, key: &str) -> AccountId {
    let (now, hash) = (running.core.now(), secret::sha256(key.as_bytes()));
    let made = running.core.store.write(move |tx| {
        let input = accounts::NewAccount {
            name: "bench".to_owned(),
            description: String::new(),
            domain: Domain::parse("lists.example.org").expect("a constant"),
            // Nothing is sent.
            dkim: DkimKeys { selector: "bench".to_owned(), rsa_pkcs8: Vec::new(), ed25519_pkcs8: Vec::new() },
            ccid_enabled: false,
        };
        let (mut account, _) = accounts::create(tx, input, now)?;
        account.contacts_max = u64::MAX;
        tx.put(&account)?;
        let account = account.id;
        for name in [LIST, OTHERS] {
            let list = ListId(tx.next_id::<List>()?);
            tx.put(&List::new(list, account, ListName::parse(name).expect("a constant"), now))?;
        }
        let kind = admins::Kind::Program { description: "bench".to_owned(), cidr: Vec::new() };
        let input = admins::NewAdmin::new(Some(account), kind, admins::all_grants());
        let admin = admins::create(tx, input, now)?;
        admins::create_key(tx, &admin, hash, None, now)?;
        Ok(account)
    });
    made.await.unwrap_or_else(|error: OpError| panic!("the account cannot be made: {error}"))
}

/// Starts a server in this runtime that looks each answer up by its path and does nothing else.
async fn serve_bare(answers: HashMap<String, Bytes>) -> SocketAddr {
    let answers = Arc::new(answers);
    let answer = any(move |request: Request| {
        let answers = answers.clone();
        async move { answer_bare(&answers, request).await }
    });
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
    let address = listener.local_addr().expect("it is bound");
    let listener = listener.tap_io(|stream| drop(stream.set_nodelay(true)));
    let router = Router::new().route("/api/{*path}", answer);
    tokio::spawn(async move { axum::serve(listener, router).await });
    address
}

/// Takes out the header fields that say what is left of the account's hour: no two answers have the same.
fn leave_out_rate(answer: &mut Vec<u8>) {
    while let Some(start) = memchr::memmem::find(answer, b"ratelimit-") {
        let line = memchr::memmem::find(&answer[start..], b"\r\n").expect("a header field ends") + 2;
        answer.drain(start..start + line);
    }
}

async fn answer_bare(answers: &HashMap<String, Bytes>, request: Request) -> Response {
    let path = request.uri().path_and_query().map_or("", |path| path.as_str());
    let answer = answers[path].clone();
    if request.method() == Method::POST {
        let body = axum::body::to_bytes(request.into_body(), usize::MAX).await;
        assert!(body.is_ok_and(|body| !body.is_empty()), "a contact was sent");
    }
    let head = [
        (header::CONTENT_TYPE, HeaderValue::from_static("application/json")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    ];
    (head, answer).into_response()
}

/// Measures the server and the bare handler in turn.
fn measure(name: String, mut server: impl FnMut() -> Outcome, mut bare: impl FnMut() -> Outcome) -> Measured {
    let (mut rates, mut times) = ([const { Vec::new() }; 2], [const { Vec::new() }; 2]);
    for _ in 0..TURNS {
        for (place, outcome) in [server(), bare()].into_iter().enumerate() {
            assert!(0 < outcome.answers, "{name}: nothing was answered");
            rates[place].push(rate(outcome.answers, outcome.elapsed));
            times[place].push(1e6 / rate(outcome.answers, outcome.server_time));
        }
    }
    Measured { name, rates: rates.map(median), server_us: times.map(median) }
}

#[expect(clippy::print_stdout, reason = "printing results is what a bench is for")]
fn print_table(results: &[Measured]) {
    println!(
        "{:<36} {:>9} {:>9} {:>6} {:>10} {:>10}",
        "", "server/s", "bare/s", "ratio", "server µs", "bare µs"
    );
    for Measured { name, rates: [server, bare], server_us: [server_us, bare_us] } in results {
        let ratio = server / bare;
        println!("{name:<36} {server:>9.0} {bare:>9.0} {ratio:>6.2} {server_us:>10.1} {bare_us:>10.1}");
    }
}
