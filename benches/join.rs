//! How many people join a list in a second: each sends a form, and presses the button of the mailed link.
//!
//! Run with `cargo bench --bench join`. The real server runs in this process, with its data file in `CRIER_BENCH_DIR`,
//! else in the target directory. Clients over kept connections send the forms of as many people, then confirm all of
//! them; every answer comes behind its commit. The mails are written and queued, and no server takes them. The time of a
//! person is that of both requests.

#[expect(dead_code, reason = "other benches measure more")]
#[path = "support/http.rs"]
mod http;
#[expect(dead_code, reason = "the parts for mail are for the other benches")]
mod support;

use std::sync::Arc;
use std::time::Duration;

use crier::app::{self, Running};
use crier::clock::Clock;
use crier::config::Config;
use crier::model::account::DkimKeys;
use crier::model::{AccountId, Domain, List, ListId, ListName};
use crier::ops::{OpError, accounts};
use crier::schema::MEMBERSHIP_COUNT;
use crier::secret::{Purpose, Secrets};
use crier::store::{Key, Read};
use http::{End, Requests, load};
use support::{bench_dir, end_after, median, rate, report};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Connections at a time.
const CLIENTS: usize = 64;
/// People who join in a turn.
const PEOPLE: usize = 5_000;
/// Turns.
const TURNS: usize = 5;
/// Random bytes are the same in every run.
const SEED: u64 = 7;
/// Whatever happens, the bench ends after this.
const LIMIT: Duration = Duration::from_mins(5);

fn main() {
    end_after(LIMIT);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");
    let folder = tempfile::tempdir_in(bench_dir()).expect("the bench directory can be written");
    let config = Config::for_tests(folder.path().to_owned());
    let started = runtime.block_on(Box::pin(app::start(config, Clock::system(), Secrets::seeded(SEED))));
    let running = started.unwrap_or_else(|error| panic!("the server does not start: {error}"));
    let account = runtime.block_on(create_account(&running));
    let results: Vec<[f64; 3]> = (0..TURNS).map(|turn| turn_of(&running, account, turn)).collect();
    let of = |place: usize| median(results.iter().map(|result| result[place]).collect());
    report("forms", of(0), " a second");
    report("confirmations", of(1), " a second");
    report("people who join by both", of(2), " a second");
    runtime.block_on(running.stop());
}

/// Has people send the form and confirm; answers a second of each, and people a second.
fn turn_of(running: &Running, account: AccountId, turn: usize) -> [f64; 3] {
    let first = turn * PEOPLE;
    let forms = load(running.http_addr, CLIENTS, first, End::Requests(PEOPLE), &forms());
    let confirmed = load(running.http_addr, CLIENTS, first, End::Requests(PEOPLE), &buttons(running));
    let tx = running.core.store.read().expect("the file is open");
    let members = tx.count(&MEMBERSHIP_COUNT, &Key::new().u64(account.0)).expect("a count");
    assert_eq!(usize::try_from(members).ok(), Some(first + PEOPLE), "everybody has joined");
    let both = forms.elapsed + confirmed.elapsed;
    [rate(PEOPLE, forms.elapsed), rate(PEOPLE, confirmed.elapsed), rate(PEOPLE, both)]
}

fn forms() -> Requests {
    Arc::new(move |number, out| {
        let body = format!("name=Ada+Reader{number}&email=r{number}%40readers.example.org&list=news");
        write_post("/subscribe/", &body, out);
    })
}

/// The buttons of the mailed links: requests are numbered from 1.
fn buttons(running: &Running) -> Requests {
    let signer = running.core.signer.clone();
    Arc::new(move |number, out| {
        let id = u64::try_from(number).expect("a small number") + 1;
        let token = signer.token(Purpose::Confirm, [id, 0]);
        write_post(&format!("/confirm/{token}/"), "action=confirm", out);
    })
}

fn write_post(path: &str, body: &str, out: &mut Vec<u8>) {
    let head = format!(
        "POST {path} HTTP/1.1\r\nHost: lists.example.org\r\nContent-Type: application/x-www-form-urlencoded\r\n\
         Content-Length: {}\r\n\r\n",
        body.len()
    );
    out.extend_from_slice(head.as_bytes());
    out.extend_from_slice(body.as_bytes());
}

/// Makes an account with an open list.
async fn create_account(running: &Running) -> AccountId {
    let now = running.core.now();
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
        let list = ListId(tx.next_id::<List>()?);
        tx.put(&List::new(list, account.id, ListName::parse("news").expect("a constant"), now))?;
        Ok(account.id)
    });
    made.await.unwrap_or_else(|error: OpError| panic!("the account cannot be made: {error}"))
}
