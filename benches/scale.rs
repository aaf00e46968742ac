//! What a million contacts cost: the same calls on a large account and on a small one, in one run.
//!
//! Run with `cargo bench --bench scale`. The built executable is the server, in a process of its own; a file of
//! contacts is loaded into it with `crier import contacts`, another into a second account. Then the same client
//! asks both in turn over kept connections, and the medians and their ratio are printed. Answers that the server
//! keeps would flatter it, so each measure but the one that says so asks with a parameter that nobody knows:
//! such answers are never kept, and are made anew from the data file.
//!
//! Printed as well: the rate of the import, the server's memory, and the time from its start with the large file
//! until it answers. `CRIER_BENCH_CONTACTS` makes the large account another size; the data file lies in
//! `CRIER_BENCH_DIR`, else in the target directory.

#[path = "support/http.rs"]
#[expect(dead_code, reason = "the server's processor time is told of servers in the same process")]
mod http;
#[expect(dead_code, reason = "the parts for mail are for the other benches")]
mod support;

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crier::app;
use crier::model::{Contact, EmailAddress, Person};
use crier::ops::accounts::admins;
use crier::ops::sessions::{self, Device, NewSession, Stay};
use crier::store::Read as _;
use crier::web::csrf_token;
use http::{ANSWER_BYTES_MAX, End, Requests, ask, load};
use serde_json::Value;
use support::program::{Program, crier, import_members};
use support::{bench_dir, end_after, median, rate, report};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

/// Contacts of the large account, unless the environment says otherwise.
const LARGE: usize = 1_000_000;
/// Contacts of the small account.
const SMALL: usize = 1000;
/// Pages of the data file that the server keeps in memory: for an account of this size an operator grants more
/// than the 64 MiB of a small server. It is a seventh of the file, and the calls go all over it.
const CACHE: &str = "--cache-size 128M";
/// Contacts of a page.
const PAGE: usize = 100;
/// Memberships that are changed.
const MEMBERSHIPS: usize = 1000;
/// Connections that read.
const READERS: usize = 16;
/// Connections that write.
const WRITERS: usize = 16;
/// How long each turn goes on.
const TURN_TIME: Duration = Duration::from_secs(1);
/// Contacts that a turn of POST makes: few beside the small account.
const POSTS: usize = 500;
/// Turns of each measure.
const TURNS: usize = 5;
/// What lies between the numbers of two requests: neighbours in the file are not read one after the other.
const STRIDE: usize = 7919;
/// Members who open their page.
const VISITORS: usize = 100;
/// Whatever happens, the bench ends after this.
const LIMIT: Duration = Duration::from_mins(20);

fn main() {
    end_after(LIMIT);
    let contacts = std::env::var("CRIER_BENCH_CONTACTS").ok().and_then(|number| number.parse().ok());
    let folder = tempfile::tempdir_in(bench_dir()).expect("the bench directory can be written");
    let data = folder.path();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");

    let (large_key, small_key) = set_up(data);
    let server = Program::start(data, CACHE);
    report("server idle", server.memory_mib("VmRSS"), "MiB");
    let sizes = [("large", contacts.unwrap_or(LARGE)), ("small", SMALL)];
    let list = "POST /api/2/lists/ HTTP/1.1";
    runtime.block_on(call(server.http_addr, list, &small_key, "name=members"));
    for (account, size) in sizes {
        let rate = import_members(data, account, "members", size);
        report(&format!("import of {size} contacts"), rate, "contacts/s");
    }
    report("server after the import", server.memory_mib("VmRSS"), "MiB");
    let [large, small] = [(&large_key, sizes[0].1), (&small_key, sizes[1].1)]
        .map(|(key, size)| runtime.block_on(Account::look_at(server.http_addr, key, size)));
    report_pair("a second, of contacts:", [small.size, large.size].map(|size| size.to_string()), "ratio");
    for measure in MEASURES {
        compare(server.http_addr, measure, &small, &large);
    }
    report("server after everything", server.memory_mib("VmRSS"), "MiB");
    report("server at its most", server.memory_mib("VmHWM"), "MiB");
    server.stop();

    let started = Instant::now();
    let server = Program::start(data, CACHE);
    runtime.block_on(get(server.http_addr, "/healthz", ""));
    report("start with the large file", started.elapsed().as_secs_f64() * 1000.0, "ms");
    report("server after the start", server.memory_mib("VmRSS"), "MiB");
    server.stop();

    let visitors = [("small", &small), ("large", &large)]
        .map(|(name, account)| (name, runtime.block_on(sign_in(data, account))));
    let admins = [("small", &small), ("large", &large)]
        .map(|(name, account)| (name, account.size, runtime.block_on(sign_in_admin(data, account))));
    let server = Program::start(data, CACHE);
    let [small, large] = visitors.map(|(name, tokens)| member_page(server.http_addr, name, tokens));
    let ratio = format!("{:.2}", large / small);
    report_pair("a member's page, in ms", [small, large].map(|ms| format!("{ms:.2}")), &ratio);
    people_pages(server.http_addr, &admins);
    let [_, (name, _, token)] = &admins;
    runtime.block_on(import_on_page(server.http_addr, name, token));
    server.stop();
    let bytes = std::fs::metadata(data.join("crier.redb")).expect("the file is there").len();
    report("data file", f64::from(u32::try_from(bytes >> 20).expect("below 4 PiB")), "MiB");
}

/// Prints what came of the small account and of the large one, and how they compare.
#[expect(clippy::print_stdout, reason = "a bench tells its results")]
fn report_pair(name: &str, [small, large]: [String; 2], ratio: &str) {
    println!("{name:<36} {small:>10} {large:>10} {ratio:>6}");
}

/// What is asked of both accounts.
struct Measure {
    name: &'static str,
    connections: usize,
    end: End,
    /// Writes the request of a number.
    write: fn(&Account, usize, &mut String),
}

const fn reading(name: &'static str, write: fn(&Account, usize, &mut String)) -> Measure {
    Measure { name, connections: READERS, end: End::Time(TURN_TIME), write }
}

const MEASURES: &[Measure] = &[
    reading("GET by id, again", |account, _, out| account.get(out, &format!("contacts/{}/", account.first))),
    reading("GET by id", |account, number, out| {
        let id = account.first + account.spread(number);
        account.get(out, &format!("contacts/{id}/?n=1"));
    }),
    reading("GET by address", |account, number, out| {
        account.get(out, &format!("contacts/?n=1&email=m{}%40members.example.org", account.spread(number)));
    }),
    reading("search", |account, number, out| {
        account.get(out, &format!("contacts/?n=1&search=member{:07}", account.spread(number)));
    }),
    reading("page of 100, the first", |account, _, out| {
        account.get(out, &format!("contacts/?n=1&limit={PAGE}"));
    }),
    reading("page of 100, after nine tenths", |account, _, out| {
        let after = account.first + account.size * 9 / 10 - PAGE;
        account.get(out, &format!("contacts/?n=1&limit={PAGE}&after={after}"));
    }),
    Measure {
        name: "membership change",
        connections: WRITERS,
        end: End::Time(TURN_TIME),
        write: |account, number, out| {
            let id = account.memberships[number % account.memberships.len()];
            account.send(
                out,
                "PUT",
                &format!("membership/{id}/"),
                &format!("digest={}", number / MEMBERSHIPS % 2),
            );
        },
    },
    Measure {
        name: "POST contact",
        connections: WRITERS,
        end: End::Requests(POSTS),
        write: |account, number, out| {
            let form = format!("firstname=Ada&surname=Reader{number}&emails=r{number}%40readers.example.org");
            account.send(out, "POST", "contacts/", &form);
        },
    },
];

/// Has both accounts asked in turn, and prints what came of it.
fn compare(address: SocketAddr, measure: &Measure, small: &Arc<Account>, large: &Arc<Account>) {
    let mut first = 0;
    let mut rates = [Vec::new(), Vec::new()];
    for _ in 0..TURNS {
        for (rates, account) in rates.iter_mut().zip([small, large]) {
            let (account, write) = (Arc::clone(account), measure.write);
            let requests: Requests = Arc::new(move |number, out| {
                let mut text = String::new();
                write(&account, number, &mut text);
                out.extend_from_slice(text.as_bytes());
            });
            let outcome = load(address, measure.connections, first, measure.end, &requests);
            rates.push(rate(outcome.answers, outcome.elapsed));
        }
        first += POSTS;
    }
    let [small, large] = rates.map(median);
    let ratio = format!("{:.2}", small / large);
    report_pair(measure.name, [small, large].map(|rate| format!("{rate:.0}")), &ratio);
}

/// Signs members from all over an account in, in the file of the stopped server; answers their cookies' tokens.
async fn sign_in(data: &Path, account: &Account) -> Vec<String> {
    let core = app::open_stopped(data, &mut |_| ()).expect("the file can be opened").core;
    let mut tokens = Vec::with_capacity(VISITORS);
    for number in 0..VISITORS {
        let contact = u64::try_from(account.first + account.spread(number)).expect("a small number");
        let found = core.store.read().and_then(|tx| tx.get::<Contact>(contact));
        let Contact { id, account, .. } = found.expect("the file can be read").expect("a contact");
        let (token, token_hash) = sessions::new_token(&core.secrets);
        let device = Device { words: String::new(), client: None };
        let person = Person::Member(id);
        let new = NewSession { account, person, device, stay: Stay::Usual, token_hash };
        let now = core.now();
        core.store.write(move |tx| sessions::begin(tx, new, now)).await.expect("a session begins");
        tokens.push(token);
    }
    core.store.close().await;
    tokens
}

/// Has members open their first page, one after the other; answers how many milliseconds it takes.
fn member_page(address: SocketAddr, account: &str, tokens: Vec<String>) -> f64 {
    let account = account.to_owned();
    let requests: Requests = Arc::new(move |number, out| {
        let token = &tokens[number % tokens.len()];
        let head =
            format!("GET /~{account}/members/ HTTP/1.1\r\nHost: localhost\r\nCookie: member={token}\r\n\r\n");
        out.extend_from_slice(head.as_bytes());
    });
    let turns = (0..TURNS).map(|_| {
        let outcome = load(address, 1, 0, End::Time(TURN_TIME), &requests);
        1000.0 / rate(outcome.answers, outcome.elapsed)
    });
    median(turns.collect())
}

/// Signs a new administrator of an account in, in the file of the stopped server; answers the cookie's token.
async fn sign_in_admin(data: &Path, account: &Account) -> String {
    let core = app::open_stopped(data, &mut |_| ()).expect("the file can be opened").core;
    let contact = u64::try_from(account.first).expect("a small number");
    let found = core.store.read().and_then(|tx| tx.get::<Contact>(contact));
    let account = found.expect("the file can be read").expect("a contact").account;
    let (token, token_hash) = sessions::new_token(&core.secrets);
    let now = core.now();
    let username = EmailAddress::parse(&format!("boss{account}@example.org")).expect("an address");
    let made = core.store.write(move |tx| {
        let kind = admins::Kind::Person { username };
        let admin =
            admins::create(tx, admins::NewAdmin::new(Some(account), kind, admins::all_grants()), now)?;
        let device = Device { words: String::new(), client: None };
        let person = Person::Admin(admin.id);
        let new = NewSession { account, person, device, stay: Stay::Usual, token_hash };
        sessions::begin(tx, new, now)
    });
    made.await.expect("a session begins");
    core.store.close().await;
    token
}

/// What administrators ask of the page of people, in an account of so many.
type PeopleQuery = fn(usize, usize) -> String;

const PEOPLE_PAGES: &[(&str, PeopleQuery)] = &[
    ("people: the first page", |_, _| String::new()),
    ("people: a search", |size, number| format!("?search=member{:07}", number.wrapping_mul(STRIDE) % size)),
    ("people: a search that all match", |_, _| "?search=member".to_owned()),
    ("people: a list", |_, _| "?list=members".to_owned()),
    ("people: the last first", |_, _| "?sort=-since".to_owned()),
    ("people: behind nine tenths", |size, _| format!("?after={}", size * 9 / 10)),
    ("people: a list, behind nine tenths", |size, _| format!("?list=members&after={}", size * 9 / 10)),
    ("people: page by number, the middle", |size, _| format!("?page={}", size / 100)),
    ("the overview", |_, _| "../".to_owned()),
];

/// Has administrators open the page of people, one after the other; tells how many milliseconds it takes.
fn people_pages(address: SocketAddr, admins: &[(&'static str, usize, String); 2]) {
    for (name, query) in PEOPLE_PAGES {
        let both = admins.clone().map(|(account, size, token)| {
            let query = *query;
            let requests: Requests = Arc::new(move |number, out| {
                let path = match query(size, number).as_str() {
                    "../" => "/admin/".to_owned(),
                    query => format!("/admin/people/{query}"),
                };
                let head = format!(
                    "GET /~{account}{path} HTTP/1.1\r\nHost: localhost\r\nCookie: admin={token}\r\n\r\n"
                );
                out.extend_from_slice(head.as_bytes());
            });
            let turns = (0..TURNS).map(|_| {
                let outcome = load(address, 1, 0, End::Time(TURN_TIME), &requests);
                1000.0 / rate(outcome.answers, outcome.elapsed)
            });
            median(turns.collect())
        });
        let ratio = format!("{:.2}", both[1] / both[0]);
        report_pair(&format!("{name}, in ms"), both.map(|ms| format!("{ms:.2}")), &ratio);
    }
}

/// People that are imported on the page.
const IMPORTED: usize = 100_000;

/// Imports people on the page, as pasted rows; tells how long the preview takes, and how many rows a second follow.
async fn import_on_page(address: SocketAddr, account: &str, token: &str) {
    let mut rows = String::from("email%2Cfirstname%2Csurname%0A");
    for number in 0..IMPORTED {
        let _ = write!(rows, "imported{number}%40import.example.org%2CAda%2CReader{number}%0A");
    }
    let path = format!("/~{account}/admin/people/import/");
    let csrf = csrf_token(token);
    let sent = Instant::now();
    let preview =
        page(address, "POST", &path, token, &format!("csrf={csrf}&action=preview&csv={rows}")).await;
    report("preview of 100000 rows", sent.elapsed().as_secs_f64(), "s");
    let marker = "/admin/people/import/";
    let task = preview.split(&format!("action=\"/~{account}{marker}")).nth(1).expect("a preview");
    let task = format!("{path}{}", task.split('"').next().expect("the address of a task"));
    let started = Instant::now();
    page(address, "POST", &task, token, &format!("csrf={csrf}&action=import")).await;
    loop {
        let shown = page(address, "GET", &task, token, "").await;
        if shown.contains("The import is done.") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    report("import of 100000 rows on a page", rate(IMPORTED, started.elapsed()), "rows/s");
}

/// One request for a page; answers what came, head and body.
async fn page(address: SocketAddr, method: &str, path: &str, token: &str, form: &str) -> String {
    let mut stream = tokio::net::TcpStream::connect(address).await.expect("the server listens");
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nCookie: admin={token}\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nContent-Length: {}\r\n\r\n",
        form.len()
    );
    stream.write_all(head.as_bytes()).await.expect("the server reads");
    stream.write_all(form.as_bytes()).await.expect("the server reads");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("the server answers");
    String::from_utf8_lossy(&answer).into_owned()
}

/// An account that is asked.
struct Account {
    key: String,
    size: usize,
    /// The number of its first contact; the others follow.
    first: usize,
    /// Memberships from all over the account.
    memberships: Vec<u64>,
}

impl Account {
    async fn look_at(address: SocketAddr, key: &str, size: usize) -> Arc<Account> {
        let first = get(address, "/api/2/contacts/?limit=1", key).await;
        assert_eq!(first["count"], size, "every contact is there");
        let mut memberships = Vec::new();
        let start = get(address, "/api/2/membership/?limit=1", key).await["data"][0]["id"].as_u64();
        let start = start.expect("members were imported");
        for part in 0..10 {
            let after = start - 1 + part * size as u64 / 10;
            let path = format!("/api/2/membership/?limit={}&after={after}", MEMBERSHIPS / 10);
            let page = get(address, &path, key).await;
            let rows = page["data"].as_array().expect("a listing");
            memberships.extend(rows.iter().filter_map(|row| row["id"].as_u64()));
        }
        assert_eq!(memberships.len(), MEMBERSHIPS, "there are enough members");
        let first = first["data"][0]["id"].as_u64().and_then(|id| usize::try_from(id).ok());
        Arc::new(Account { key: key.to_owned(), size, first: first.expect("a contact"), memberships })
    }

    /// One of its contacts, by numbers from 0 on that jump about.
    fn spread(&self, number: usize) -> usize {
        number.wrapping_mul(STRIDE) % self.size
    }

    fn get(&self, out: &mut String, path: &str) {
        let _ = write!(out, "GET /api/2/{path} HTTP/1.1\r\n{}\r\n", head(&self.key));
    }

    fn send(&self, out: &mut String, method: &str, path: &str, form: &str) {
        let (head, length) = (head(&self.key), form.len());
        let _ =
            write!(out, "{method} /api/2/{path} HTTP/1.1\r\n{head}Content-Length: {length}\r\n\r\n{form}");
    }
}

fn head(key: &str) -> String {
    format!("Host: bench.example.org\r\nAuthorization: Bearer {key}\r\n")
}

async fn get(address: SocketAddr, path: &str, key: &str) -> Value {
    call(address, &format!("GET {path} HTTP/1.1"), key, "").await
}

/// Sends one request; answers the JSON that comes back, if it is some.
async fn call(address: SocketAddr, line: &str, key: &str, form: &str) -> Value {
    let mut stream = tokio::net::TcpStream::connect(address).await.expect("the server listens");
    let mut answer = vec![0; ANSWER_BYTES_MAX];
    let request = format!("{line}\r\n{}Content-Length: {}\r\n\r\n{form}", head(key), form.len());
    let body = ask(&mut stream, request.as_bytes(), &mut answer).await;
    serde_json::from_slice(&answer[body]).unwrap_or_default()
}

/// Makes both accounts with a list each; answers their keys.
fn set_up(data: &Path) -> (String, String) {
    let made =
        crier(data, "setup --domain large.example.org --admin a@example.org --account large --list members");
    crier(data, "account create small --domain small.example.org --admin a@example.org");
    for account in ["large", "small"] {
        crier(data, &format!("account set {account} --contacts-max 1000000000"));
    }
    let key = |value: &Value| value["api_key"].as_str().expect("a key").to_owned();
    (key(&made), key(&crier(data, "key create --account small")))
}
