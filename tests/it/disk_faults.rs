//! The whole life of posts on a disk that fails once, at any write or flush of it.
//!
//! A life: a post comes in by SMTP, is decided, stored, put into batches, claimed, sent and settled; one copy is deferred
//! and tried again, one refused; another post is held, its sender and a moderator are told, and it is approved; a third
//! is held and its time runs out; mail to an alias is passed on. At one write or flush, the disk reports an error, or the
//! power fails, with nothing, everything or some of what was under way on the disk, or the write itself by half. Then
//! everything is sent again that was not answered 250, as mail servers do, and the life goes on to its end.
//!
//! Whatever fails: nothing that was accepted is lost, nobody is skipped, the file is without fault, and a copy comes
//! again only if it was in flight when the power failed.
//!
//! # The tests of faults, and where each stands
//!
//! | what fails | test |
//! |---|---|
//! | any write or flush of the data file, once, in the whole life of posts | this one |
//! | a disk that is full, or fails for a while, in the running server | `disk` |
//! | the store alone: a power cut at every write, and what stays of jobs | `store_crash` |
//! | the process: SIGKILL at random moments of a storm of mail | `crash` |
//! | the DNS: it fails, is silent, or is not there | `outage` |
//! | a relay that never answers the end of a copy | `lost_replies` |
//! | a server that breaks off in the middle of a batch | `connection_loss` |
//! | a sender that never hears that its mail was taken | `redelivery` |
//! | the server itself, on one message | `quarantine` |
//! | the clock: it jumps | `clock` |
//!
//! `cargo test` tries some of the places. `CRIER_FAULTS=7 cargo test --test it disk_faults` tries others, chosen by any
//! number, and `CRIER_FAULTS=all` every one, with all that a power cut may leave.

use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crier::app::{self, Running};
use crier::clock::Clock;
use crier::config::Config;
use crier::ops::queue::fan_out::EXPAND_MEMBERS;
use crier::ops::queue::pauses::Pauses;
use crier::secret::Secrets;
use crier::store::fault::{DiskControl, Fault, Survives};
use crier::store::{Disk, Store, StoreOptions};
use tokio::runtime::Runtime;

use crate::harness::TestApp;
use crate::harness::data::{self, Copy};
use crate::harness::http::Client;
use crate::harness::sink::Sink;
use crate::harness::smtp::send_mail;

/// Two batches.
const MEMBERS: usize = 70;
/// Two steps of the expansion, and many batches.
const MANY: usize = EXPAND_MEMBERS + 70;
/// Its copies are deferred once.
const SLOW: &str = "member2@example.org";
/// Its copies are refused.
const GONE: &str = "member3@example.org";
/// Whose posts are held.
const STRANGER: &str = "eve@example.net";
const MODERATOR: &str = "ada@example.org";
/// To whom an alias leads.
const OUTSIDE: &str = "outside@example.net";
/// Lives that `cargo test` tries, and most there may be where it is to try all.
const SAMPLE: (usize, usize) = (48, usize::MAX);
/// The same for those with many members, which take longer.
const SAMPLE_OF_MANY: (usize, usize) = (5, 200);

/// What every life begins with: a stopped server with its lists and members.
struct Base {
    members: usize,
    app: TestApp,
    config: Config,
}

impl Base {
    async fn new(members: usize) -> Base {
        // A stranger whose domain proves its mail is told of each message.
        let proof = "example.net TXT v=spf1 ip4:127.0.0.1 -all";
        let mut app = TestApp::builder().without_dkim().dns(proof).start().await;
        app.list("news").with("send_hold_message", "1").members(members).create().await;
        let alias = [("source", "friend"), ("destination", OUTSIDE)];
        app.admin.post("/api/2/aliases/", &alias).await.good();
        let moderator = [
            ("username", MODERATOR),
            ("permissions", "approve_messages"),
            ("notifications", "held_message"),
            ("welcome_email", "0"),
        ];
        app.admin.post("/api/2/admins/", &moderator).await.good();
        let config = app.halt().await;
        Base { members, app, config }
    }
}

/// One life.
struct Life<'base> {
    base: &'base Base,
    folder: tempfile::TempDir,
    disk: DiskControl,
    clock: Clock,
    sink: Sink,
    server: Option<Server>,
    tally: Tally,
    /// What was sent again, since it was not accepted, by subject.
    resent: BTreeMap<String, usize>,
    /// What was in flight when the power failed.
    in_flight: BTreeSet<Copy>,
}

/// A running server, whose threads can be ended at any moment.
struct Server {
    running: Running,
    runtime: Runtime,
}

/// What came of lives.
#[derive(Debug, Default)]
struct Tally {
    lives: usize,
    power_cuts: usize,
    copies: usize,
    in_flight: usize,
    /// Copies that came again.
    repeats: usize,
    /// Messages that were refused for now, and sent again.
    resent: usize,
}

impl<'base> Life<'base> {
    async fn begin(base: &'base Base, fault: Fault) -> Life<'base> {
        let folder = tempfile::tempdir().unwrap();
        std::fs::copy(data_file(&base.config.data_dir), data_file(folder.path())).unwrap();
        let disk = DiskControl::new();
        disk.plan(fault);
        let sink = Sink::start().await;
        sink.defer(SLOW, 1);
        sink.refuse(GONE);
        let mut life = Life {
            base,
            folder,
            disk,
            clock: Clock::manual(base.app.clock.now()),
            sink,
            server: None,
            tally: Tally::default(),
            resent: BTreeMap::new(),
            in_flight: BTreeSet::new(),
        };
        life.start().await;
        life
    }

    /// Starts the server, as often as it takes.
    async fn start(&mut self) {
        while self.server.is_none() {
            let mut config = self.base.config.clone();
            self.folder.path().clone_into(&mut config.data_dir);
            config.relays[0].port = self.sink.addr().port();
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
            let runtime = runtime.unwrap();
            let disk = Disk::rehearsed(&self.disk);
            let starting = app::start_on(disk, config, self.clock.clone(), Secrets::seeded(2));
            if let Ok(running) = runtime.spawn(starting).await.unwrap() {
                self.server = Some(Server { running, runtime });
                return;
            }
            runtime.shutdown_background();
            if self.disk.is_frozen() {
                self.move_to_good_disk();
            }
        }
    }

    fn running(&self) -> &Running {
        &self.server.as_ref().expect("it runs").running
    }

    fn client(&self) -> Client {
        self.base.app.admin.at(self.running().http_addr)
    }

    /// Looks at what a power cut has left, which must be without fault, and goes on with that on another disk.
    fn move_to_good_disk(&mut self) {
        self.tally.power_cuts += 1;
        let folder = tempfile::tempdir().unwrap();
        std::fs::copy(data_file(self.folder.path()), data_file(folder.path())).unwrap();
        self.folder = folder;
        self.disk = DiskControl::new();
        let in_flight = look_into(self.folder.path(), |store| {
            let tx = store.read().unwrap();
            assert_eq!(data::disagreements(&tx), [""; 0]);
            data::in_flight(&tx)
        });
        self.in_flight.extend(in_flight);
    }

    /// Ends the server in the middle of whatever it does, if the power has failed, and starts it again.
    async fn restart_if_cut(&mut self) -> bool {
        let is_cut = self.disk.is_frozen();
        if is_cut {
            let Server { running, runtime } = self.server.take().expect("it runs");
            drop(running);
            runtime.shutdown_background();
            self.move_to_good_disk();
            self.start().await;
        }
        is_cut
    }

    /// Waits for something, or for a power cut, after which it may never come.
    async fn until_cut(&self, work: impl Future<Output = ()>) {
        let mut conditions = self.running().core.store.conditions();
        let cut = async {
            while !self.disk.is_frozen() && conditions.changed().await.is_ok() {}
            if !self.disk.is_frozen() {
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            () = work => {}
            () = cut => {}
        }
    }

    /// Goes on when the server does: at once after a power cut, or when the disk has recovered.
    async fn wait_until_writable(&mut self) {
        self.until_cut(self.running().core.store.wait_until_writable()).await;
        self.restart_if_cut().await;
    }

    /// Lets everything happen that is due.
    async fn settle(&mut self) {
        loop {
            let Running { core, scheduler, .. } = self.running();
            let settled = async {
                core.store.wait_until_writable().await;
                scheduler.settle().await;
                scheduler.finish_search().await;
            };
            self.until_cut(settled).await;
            if !self.restart_if_cut().await {
                return;
            }
        }
    }

    async fn advance(&mut self, duration: Duration) {
        self.clock.advance(duration);
        self.running().core.wake.notify_one();
        self.settle().await;
    }

    /// Sends a message until it is accepted.
    async fn send(&mut self, from: &str, to: &str, subject: &str) {
        let message = format!("Subject: {subject}\nMessage-ID: <{subject}@example.org>\n\nhi");
        loop {
            let reply = send_mail(self.running().smtp_addr, from, &[to], &message).await;
            // What a server says after the power has failed, nobody hears.
            if !self.disk.is_frozen() && reply.code == 250 {
                return self.settle().await;
            }
            assert!([250, 451].contains(&reply.code), "{reply}");
            *self.resent.entry(subject.to_owned()).or_default() += 1;
            self.wait_until_writable().await;
        }
    }

    /// Approves what is held with this subject.
    async fn approve(&mut self, subject: &str) {
        loop {
            let listing = self.client().get("/api/2/held/").await;
            let mut is_done = listing.status == 200;
            let held = if is_done { listing.value()["data"].clone() } else { serde_json::json!([]) };
            for held in held.as_array().unwrap().iter().filter(|held| held["subject"] == subject) {
                let path = format!("/api/2/held/{}/", held["id"]);
                let answer = self.client().put(&path, &[("action", "approve")]).await;
                is_done &= [200, 409].contains(&answer.status);
            }
            if is_done && !self.disk.is_frozen() {
                return self.settle().await;
            }
            self.wait_until_writable().await;
        }
    }

    async fn live(mut self) -> Tally {
        self.send("member1@example.org", "news@lists.example.org", "plain").await;
        self.send(STRANGER, "news@lists.example.org", "held").await;
        self.send(STRANGER, "friend@lists.example.org", "alias").await;
        self.approve("held").await;
        // What was deferred, and what was claimed when nobody could say whether that was written.
        self.advance(Duration::from_mins(6)).await;
        self.send(STRANGER, "news@lists.example.org", "expired").await;
        self.advance(Duration::from_mins(6)).await;
        self.advance(Duration::from_hours(31 * 24)).await;
        // What failed in the one before is done in this one.
        self.settle().await;
        self.stop().await;
        let now = self.clock.now();
        look_into(self.folder.path(), |store| {
            assert_eq!(data::problems(store, &Pauses::default(), now), [""; 0]);
        });
        self.judge()
    }

    async fn stop(&mut self) {
        loop {
            let Server { running, runtime } = self.server.take().expect("it runs");
            runtime.spawn(running.stop()).await.unwrap();
            runtime.shutdown_background();
            if !self.disk.is_frozen() {
                return;
            }
            self.move_to_good_disk();
            self.start().await;
            self.settle().await;
        }
    }

    /// Everything must have come, and nothing again without a reason.
    fn judge(mut self) -> Tally {
        let mut times: BTreeMap<Copy, usize> = BTreeMap::new();
        for mail in self.sink.mails() {
            let subject = mail.header("Subject").unwrap_or_default();
            let is_post = ["plain", "held", "expired"].contains(&subject.as_str());
            for to in mail.to {
                *times
                    .entry((if is_post { subject.clone() } else { "letter".to_owned() }, to))
                    .or_default() += 1;
            }
        }
        let mut expected: BTreeMap<Copy, usize> = BTreeMap::new();
        for member in (1..=self.base.members).map(|number| format!("member{number}@example.org")) {
            if member != GONE {
                expected.insert(("plain".to_owned(), member.clone()), 1);
                expected.insert(("held".to_owned(), member), 1);
            }
        }
        for (to, system_mails) in [(OUTSIDE, 1), (STRANGER, 2), (MODERATOR, 2)] {
            expected.insert(("letter".to_owned(), to.to_owned()), system_mails);
        }
        for (copy, expected) in &expected {
            let times = times.get(copy).copied().unwrap_or(0);
            assert!(*expected <= times, "{copy:?} came {times} times, not {expected}");
        }
        for (copy, times) in &times {
            let expected = expected.get(copy).copied().unwrap_or(0);
            let may = expected + usize::from(self.in_flight.contains(copy));
            assert!(*times <= may, "{copy:?} came {times} times, and may come {may} times");
            self.tally.repeats += times - expected;
        }
        assert_eq!(self.sink.violations(), [""; 0]);
        let resent = self.resent.values().sum();
        Tally {
            lives: 1,
            copies: times.values().sum(),
            in_flight: self.in_flight.len(),
            resent,
            ..self.tally
        }
    }
}

fn data_file(folder: &Path) -> PathBuf {
    folder.join("crier.redb")
}

/// Opens the file of a server that does not run, on a thread that may block.
fn look_into<T: Send>(folder: &Path, look: impl FnOnce(&Store) -> T + Send) -> T {
    let look = || {
        let store = Store::open(&data_file(folder), StoreOptions::default()).unwrap();
        let found = look(&store);
        store.close_blocking();
        found
    };
    std::thread::scope(|scope| scope.spawn(look).join()).unwrap()
}

/// Every fault there can be among so many writes and syncs.
fn every_fault(writes: u64, syncs: u64) -> Vec<Fault> {
    let mut faults = Vec::new();
    for write in 1..=writes {
        faults.push(Fault::FailWrite(write));
        faults.push(Fault::TearWrite { write, seed: write });
    }
    for sync in 1..=syncs {
        faults.push(Fault::FailSync(sync));
        for survives in [Survives::Nothing, Survives::Everything, Survives::Some(sync), Survives::Some(!sync)]
        {
            faults.push(Fault::CutAtSync { sync, survives });
        }
    }
    faults
}

/// Those of the faults that this run tries: one of each stretch of them.
fn sample(faults: &[Fault], (some, all): (usize, usize)) -> Vec<Fault> {
    let wanted = std::env::var("CRIER_FAULTS").unwrap_or_default();
    let chance = Secrets::seeded(wanted.parse().unwrap_or(20_261_121));
    let stride = faults.len().div_ceil(if wanted == "all" { all } else { some });
    let pick = |part: &[Fault]| {
        let mut bytes = [0; 2];
        chance.fill(&mut bytes);
        part[usize::from(u16::from_be_bytes(bytes)) % part.len()]
    };
    faults.chunks(stride).map(pick).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whatever_write_or_flush_fails_no_post_is_lost_and_only_what_was_in_flight_comes_again() {
    let total = live_with_faults(MEMBERS, SAMPLE).await;
    assert!(0 < total.power_cuts && 0 < total.resent, "nothing was met: {total:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_list_whose_posts_are_expanded_step_by_step_skips_nobody_either() {
    let total = live_with_faults(MANY, SAMPLE_OF_MANY).await;
    assert!(0 < total.power_cuts, "nothing was met: {total:?}");
}

/// Lives once without a fault, and then with some.
async fn live_with_faults(members: usize, lives: (usize, usize)) -> Tally {
    let base = Base::new(members).await;
    let life = Life::begin(&base, Fault::None).await;
    let disk = life.disk.clone();
    let undisturbed = life.live().await;
    assert_eq!((undisturbed.repeats, undisturbed.resent), (0, 0), "{undisturbed:?}");
    let mut total = Tally::default();
    for fault in sample(&every_fault(disk.writes(), disk.syncs()), lives) {
        // A test that fails shows the last of these.
        say(format_args!("{fault:?}"));
        let Tally { lives, power_cuts, copies, in_flight, repeats, resent } =
            Life::begin(&base, fault).await.live().await;
        total.lives += lives;
        total.power_cuts += power_cuts;
        total.copies += copies;
        total.in_flight += in_flight;
        total.repeats += repeats;
        total.resent += resent;
    }
    say(format_args!("of {} writes and {} syncs: {total:?}", disk.writes(), disk.syncs()));
    total
}

#[expect(clippy::print_stdout, reason = "how much was repeated is what this test measures")]
fn say(text: std::fmt::Arguments<'_>) {
    println!("{text}");
}
