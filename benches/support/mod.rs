//! What the benches of the whole server share: a server with a list, the executable in a process of its own, an
//! SMTP sink, an SMTP load client, Postfix as a peer, and how results are printed.
//!
//! The sink and the client use threads and blocking sockets, so that they take nothing from the server's runtime
//! but their share of the processors.

#![expect(clippy::print_stdout, reason = "printing results is what a bench is for")]

pub(crate) mod client;
pub(crate) mod postfix;
pub(crate) mod program;
pub(crate) mod sink;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use crier::app::{self, Running};
use crier::clock::{Clock, Timestamp};
use crier::config::{Config, Relay};
use crier::model::account::DkimKeys;
use crier::model::contact::{JoinWay, Joined};
use crier::model::message::BATCH_RECIPIENTS_MAX;
use crier::model::{
    AccountId, Batch, Contact, ContactId, DigestSchedule, Domain, Email, EmailAddress, EmailId, List, ListId,
    ListName, Membership, MembershipId, Message, RecipientState,
};
use crier::ops::accounts::{self, NewAccount};
use crier::ops::digests::begin;
use crier::schema::{BATCH_BY_MESSAGE, MESSAGE_BY_TIME, MESSAGE_COUNT_BY_LIST};
use crier::secret::{self, Secrets};
use crier::store::{IndexRange, Key, Read, StoreError, WriteTx};

/// The list of every bench.
pub(crate) const LIST_ADDRESS: &str = "news@lists.example.org";
/// Random bytes are the same in every run.
const SEED: u64 = 7;
/// Members that a job of the preparation writes.
const MEMBERS_PER_JOB: u64 = 2_000;
/// Octets of a line of a post's text, with its line end.
const LINE_BYTES: usize = 72;

/// Where data files and queues lie, which should be on the disk of interest.
pub(crate) fn bench_dir() -> PathBuf {
    std::env::var_os("CRIER_BENCH_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_TARGET_TMPDIR")), PathBuf::from)
}

/// The address of a member by its number, from 0. The sink reads the number out of it.
pub(crate) fn member_address(number: usize) -> String {
    format!("m{number}@members.example.org")
}

/// What the members of a list get.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Delivery {
    /// A copy of each post.
    Active,
    /// A digest a day.
    Digest,
    /// Nothing.
    Paused,
}

/// Where a server sends, and how.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Outward {
    /// The relay that takes everything; nothing can be sent where there is none.
    pub(crate) relay: Option<SocketAddr>,
    /// Whether copies are signed.
    pub(crate) dkim_sign: bool,
}

/// A server with one account and one list, in a folder that goes with it.
pub(crate) struct Server {
    running: Running,
    account: AccountId,
    list: ListId,
    _folder: tempfile::TempDir,
}

impl Server {
    /// Starts a server whose list has `members` members.
    pub(crate) async fn start(outward: Outward, members: usize, delivery: Delivery) -> Server {
        let folder = tempfile::tempdir_in(bench_dir()).expect("the bench directory can be written");
        let relay = |address: SocketAddr| Relay {
            host: address.ip().to_string(),
            port: address.port(),
            implicit_tls: false,
            credentials: None,
        };
        let config = Config {
            relays: outward.relay.map(relay).into_iter().collect(),
            dkim_sign: outward.dkim_sign,
            ..Config::for_tests(folder.path().to_owned())
        };
        let started = Box::pin(app::start(config, Clock::system(), Secrets::seeded(SEED))).await;
        let running = started.unwrap_or_else(|error| panic!("the server does not start: {error}"));
        let (account, list) = create_list(&running).await;
        let server = Server { running, account, list, _folder: folder };
        server.add_members(members as u64, delivery).await;
        server
    }

    /// Where it takes mail.
    pub(crate) fn smtp_addr(&self) -> SocketAddr {
        self.running.smtp_addr
    }

    async fn add_members(&self, members: u64, delivery: Delivery) {
        let (account, list, now) = (self.account, self.list, self.running.core.now());
        let mut first = 0;
        while first < members {
            let end = members.min(first + MEMBERS_PER_JOB);
            let job = self.running.core.store.write(move |tx| {
                (first..end).try_for_each(|number| add_member(tx, account, list, number, delivery, now))
            });
            job.await.unwrap_or_else(|error: StoreError| panic!("members cannot be added: {error}"));
            first = end;
        }
    }

    /// Waits until every copy of every post was tried and what became of it is written.
    pub(crate) async fn settle(&self) {
        self.running.scheduler.settle().await;
    }

    /// Begins the digest of the list with the posts that wait, whatever time it is.
    pub(crate) async fn begin_digest(&self) {
        let (list, core) = (self.list, &self.running.core);
        let now = core.now();
        let begun = core.store.write(move |tx| {
            let schedule: Option<DigestSchedule> = tx.get(list.0)?;
            let schedule = schedule.expect("posts wait");
            // Each round is another day.
            tx.put(&DigestSchedule { due: Some(now), last: None, ..schedule })?;
            begin::begin_due(tx, now, 1)
        });
        begun.await.unwrap_or_else(|error: StoreError| panic!("the digest does not begin: {error}"));
        core.wake.notify_one();
    }

    /// Posts that were accepted.
    pub(crate) fn posts(&self) -> u64 {
        let tx = self.running.core.store.read().expect("the file is open");
        tx.count(&MESSAGE_COUNT_BY_LIST, &self.key()).expect("a count")
    }

    /// Copies of the newest post that are on record as delivered.
    pub(crate) fn delivered_of_newest_post(&self) -> usize {
        let tx = self.running.core.store.read().expect("the file is open");
        let newest = IndexRange::prefix(self.key()).backward();
        let post: Message = tx.page(&MESSAGE_BY_TIME, &newest, 1).expect("readable").remove(0);
        let key = Key::new().u64(self.account.0).u64(post.id.0);
        let ids = tx.ids(&BATCH_BY_MESSAGE, &IndexRange::prefix(key), usize::MAX).expect("readable");
        let delivered_of = |id: u64| {
            let batch: Batch = tx.get(id).expect("readable").expect("an id of an index");
            assert!(batch.recipients.len() <= BATCH_RECIPIENTS_MAX, "a batch past its limit");
            batch.recipients.iter().filter(|recipient| recipient.state == RecipientState::Delivered).count()
        };
        ids.into_iter().map(delivered_of).sum()
    }

    /// Stops it and removes its data. What still waits for delivery is dropped.
    pub(crate) async fn stop(self) {
        self.running.stop().await;
    }

    fn key(&self) -> Key {
        Key::new().u64(self.account.0).u64(self.list.0)
    }
}

/// Makes an account with one list, to which members may post.
async fn create_list(running: &Running) -> (AccountId, ListId) {
    let dkim = DkimKeys {
        selector: "bench".to_owned(),
        rsa_pkcs8: secret::rsa_2048_key(),
        ed25519_pkcs8: secret::ed25519_key(),
    };
    let (local, domain) = LIST_ADDRESS.split_once('@').expect("a constant");
    let input = NewAccount {
        name: "bench".to_owned(),
        description: String::new(),
        domain: Domain::parse(domain).expect("a constant"),
        dkim,
        ccid_enabled: false,
    };
    let name = ListName::parse(local).expect("a constant");
    let now = running.core.now();
    let made = running.core.store.write(move |tx| {
        let (account, _) = accounts::create(tx, input, now)?;
        let list = ListId(tx.next_id::<List>()?);
        tx.put(&List::new(list, account.id, name, now))?;
        Ok((account.id, list))
    });
    made.await.unwrap_or_else(|error: crier::ops::OpError| panic!("the list cannot be made: {error}"))
}

fn add_member(
    tx: &mut WriteTx<'_>,
    account: AccountId,
    list: ListId,
    number: u64,
    delivery: Delivery,
    now: Timestamp,
) -> Result<(), StoreError> {
    let contact = ContactId(tx.next_id::<Contact>()?);
    let email = EmailId(tx.next_id::<Email>()?);
    let membership = MembershipId(tx.next_id::<Membership>()?);
    tx.put(&Contact {
        id: contact,
        account,
        ccid: None,
        firstname: "Ada".to_owned(),
        surname: format!("Member{number}"),
        notes: String::new(),
        custom: std::collections::BTreeMap::new(),
        created: now,
    })?;
    let address = member_address(usize::try_from(number).expect("members fit into memory"));
    tx.put(&Email {
        id: email,
        account,
        contact,
        address: EmailAddress::parse(&address).expect("a valid address"),
        digest: delivery == Delivery::Digest,
        paused: delivery == Delivery::Paused,
        confirmed: true,
        ceid: None,
        evidence: None,
    })?;
    tx.put(&Membership {
        id: membership,
        account,
        contact,
        list,
        digest: None,
        paused: false,
        joined: Joined { when: now, from: None, way: JoinWay::Command },
    })
}

/// The octets of a post of member 0 as `DATA` wants them, but for the final dot: about `size_bytes` of them.
pub(crate) fn post_text(number: usize, size_bytes: usize) -> Vec<u8> {
    let mut text = format!(
        "From: Ada Member0 <{}>\r\nTo: <{LIST_ADDRESS}>\r\nSubject: Post number {number}\r\n\
         Date: Mon, 05 Jan 2026 10:00:00 +0000\r\nMessage-ID: <post{number:08}@members.example.org>\r\n\
         MIME-Version: 1.0\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n",
        member_address(0)
    )
    .into_bytes();
    let line = [&[b'x'; 7][..], b" "].concat().repeat(LINE_BYTES / 8);
    while text.len() + LINE_BYTES <= size_bytes {
        text.extend_from_slice(&line[..LINE_BYTES - 3]);
        text.extend_from_slice(b"y\r\n");
    }
    text
}

/// How many a second.
#[expect(clippy::cast_precision_loss, reason = "a rate has no use for the last digits")]
pub(crate) fn rate(operations: usize, elapsed: Duration) -> f64 {
    operations as f64 / elapsed.as_secs_f64()
}

/// Prints a result on a line of its own.
pub(crate) fn report(name: &str, value: f64, unit: &str) {
    let digits = if unit.is_empty() { 2 } else { 0 };
    println!("{name:<52} {value:>12.digits$}{unit}");
}

/// Prints what stands above the columns of [`report_spread`].
pub(crate) fn report_spread_head(name: &str, rounds: usize) {
    let name = format!("{name}, of {rounds} rounds");
    println!("{name:<52} {:>12} {:>12} {:>12}", "median", "least", "most");
}

/// Prints the middle one, the least and the most of some results on one line.
pub(crate) fn report_spread(name: &str, results: Vec<f64>, unit: &str) {
    let digits = if unit.is_empty() { 2 } else { 0 };
    let shown = |result: f64| format!("{result:.digits$}{unit}");
    let least = shown(results.iter().copied().fold(f64::INFINITY, f64::min));
    let most = shown(results.iter().copied().fold(f64::NEG_INFINITY, f64::max));
    println!("{name:<52} {:>12} {least:>12} {most:>12}", shown(median(results)));
}

/// The middle one of some results.
pub(crate) fn median(mut results: Vec<f64>) -> f64 {
    assert!(!results.is_empty(), "nothing was measured");
    results.sort_by(f64::total_cmp);
    results[results.len() / 2]
}

/// Stops a bench that hangs: it must end by itself wherever it is run.
pub(crate) fn end_after(limit: Duration) {
    std::thread::spawn(move || {
        std::thread::sleep(limit);
        println!("this bench took longer than {} s", limit.as_secs());
        std::process::exit(1);
    });
}

/// Processor time that this process has spent, in user and kernel mode, to a hundredth of a second.
pub(crate) fn processor_time() -> Duration {
    let stat = std::fs::read_to_string("/proc/self/stat").expect("Linux tells");
    // Behind the name, which may have blanks in it: utime and stime are the 14th and 15th field of proc(5).
    let (_, fields) = stat.rsplit_once(')').expect("a name in brackets");
    let ticks =
        fields.split_whitespace().skip(11).take(2).map(|ticks| ticks.parse::<u64>().expect("a number"));
    Duration::from_millis(ticks.sum::<u64>() * 10)
}
