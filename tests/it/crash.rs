//! The real executable is killed at random moments of a storm of mail, and started again.
//!
//! The storm has posts of a member, posts that are held and approved, mail to an alias, a member whose copies are deferred
//! and one whose copies are refused. What was not answered when the process died is sent again, as mail servers do. What
//! was answered with 250 reaches everybody. A copy comes twice only if it was in flight when the process died: what was
//! in flight is read from the file that it left.
//!
//! `cargo test` kills it some times; `CRIER_FAULTS=all cargo test --test it crash` kills it 200 times.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Mutex, MutexGuard};
use std::task::Poll;

use crier::secret::Secrets;
use crier::store::{Store, StoreOptions};
use tokio::sync::Notify;

use crate::harness::data::{self, Copy};
use crate::harness::http::Client;
use crate::harness::program::{Program, setup, verify};
use crate::harness::sink::{Mail, Sink};
use crate::harness::smtp::{Dialogue, send_mail, wire_form};

const MEMBERS: usize = 20;
const KILLS: usize = 6;
/// With `CRIER_FAULTS=all`.
const KILLS_OF_ALL: usize = 200;
const CONNECTIONS: usize = 4;
/// Most posts that are answered before a kill.
const POSTS_MAX: usize = 24;
/// Its first copies are deferred.
const SLOW: usize = 19;
/// Its copies are refused.
const GONE: usize = 20;
/// To whom the alias leads.
const OUTSIDE: &str = "outside@example.net";

/// When the process is killed.
enum Moment {
    /// After so many more answers to posts.
    Posts(usize),
    /// After so many more copies at the relay.
    Copies(usize),
}

impl Moment {
    /// Moments of both kinds in turn, drawn from `chance`.
    fn draw(chance: &Secrets, round: usize) -> Moment {
        let mut byte = [0];
        chance.fill(&mut byte);
        let number = usize::from(byte[0]);
        if round.is_multiple_of(2) {
            Moment::Posts(1 + number % POSTS_MAX)
        } else {
            Moment::Copies(1 + number)
        }
    }
}

/// What was sent, by subject.
#[derive(Default)]
struct Storm {
    /// What was answered 250.
    accepted: Mutex<BTreeSet<String>>,
    /// What was not answered, with its sender and its recipient.
    unanswered: Mutex<BTreeMap<String, (&'static str, &'static str)>>,
    /// Rung by each that was held.
    held: Notify,
}

/// What is sent over a connection in turn: the first word of the subject, the sender and the recipient.
const KINDS: [(&str, &str, &str); 4] = [
    ("post", "member1@example.org", "news@lists.example.org"),
    ("held", "eve@example.net", "news@lists.example.org"),
    ("post", "member2@example.org", "news@lists.example.org"),
    ("alias", "eve@example.net", "friend@lists.example.org"),
];

impl Storm {
    fn accepted(&self) -> BTreeSet<String> {
        self.accepted.lock().expect("no holder of this lock panics").clone()
    }

    /// Posts over several connections until the moment has come, then kills the process.
    async fn run(&self, program: &mut Program, key: &str, sink: &Sink, round: usize, moment: Moment) {
        let client = program.client(key);
        let accepted_max = match moment {
            Moment::Posts(posts) => self.accepted().len() + posts,
            Moment::Copies(_) => usize::MAX,
        };
        let connection = |number| self.post(program.smtp_addr, format!("{round}.{number}"), accepted_max);
        let mut connections: Vec<_> = (0..CONNECTIONS).map(|number| Box::pin(connection(number))).collect();
        let mut moderating = Box::pin(async {
            loop {
                self.held.notified().await;
                approve_all(&client).await;
            }
        });
        // The first that ends has seen enough answers; the others are cut off wherever they are.
        let posted = std::future::poll_fn(|context| {
            let _: Poll<()> = moderating.as_mut().poll(context);
            let is_over =
                connections.iter_mut().any(|connection| connection.as_mut().poll(context).is_ready());
            if is_over { Poll::Ready(()) } else { Poll::Pending }
        });
        match moment {
            Moment::Posts(_) => posted.await,
            Moment::Copies(copies) => tokio::select! {
                () = posted => {}
                () = sink.wait_for(sink.copies() + copies) => {}
            },
        }
        program.kill();
    }

    /// Posts over one connection until `accepted_max` posts of all connections were answered.
    async fn post(&self, addr: SocketAddr, name: String, accepted_max: usize) {
        let mut client = Dialogue::connect(addr).await;
        client.expect(220).await;
        client.say("EHLO client.example.org", 250).await;
        for post in 0.. {
            let (kind, from, to) = KINDS[post % KINDS.len()];
            let subject = format!("{kind} {name}.{post}");
            client.send(format!("MAIL FROM:<{from}>\r\nRCPT TO:<{to}>\r\nDATA\r\n").as_bytes()).await;
            for code in [250, 250, 354] {
                client.expect(code).await;
            }
            self.unanswered().insert(subject.clone(), (from, to));
            client.send(&wire_form(from, &message(from, &subject))).await;
            client.expect(250).await;
            self.unanswered().remove(&subject);
            if kind == "held" {
                self.held.notify_one();
            }
            let mut accepted = self.accepted.lock().expect("no holder of this lock panics");
            accepted.insert(subject);
            if accepted_max <= accepted.len() {
                return;
            }
        }
    }

    fn unanswered(&self) -> MutexGuard<'_, BTreeMap<String, (&'static str, &'static str)>> {
        self.unanswered.lock().expect("no holder of this lock panics")
    }

    /// Sends again what was not answered; answers how much that was.
    async fn send_again(&self, addr: SocketAddr) -> usize {
        let unanswered = std::mem::take(&mut *self.unanswered());
        for (subject, (from, to)) in &unanswered {
            let reply = send_mail(addr, from, &[to], &message(from, subject)).await;
            assert_eq!(reply.code, 250, "{reply}");
        }
        let count = unanswered.len();
        self.accepted.lock().expect("no holder of this lock panics").extend(unanswered.into_keys());
        count
    }
}

fn message(from: &str, subject: &str) -> String {
    let id = subject.replace(' ', "-");
    format!("From: {from}\r\nSubject: {subject}\r\nMessage-ID: <{id}@example.org>\r\n\r\nhi\r\n")
}

/// Approves everything that waits.
async fn approve_all(client: &Client) {
    let held = client.get("/api/2/held/?limit=1000").await.good();
    for held in held["data"].as_array().expect("a listing has data") {
        client.put(&format!("/api/2/held/{}/", held["id"]), &[("action", "approve")]).await.good();
    }
}

fn member(number: usize) -> String {
    format!("member{number}@example.org")
}

/// Who gets what has this subject.
fn recipients(subject: &str) -> Vec<Copy> {
    let to = if subject.starts_with("alias") {
        vec![OUTSIDE.to_owned()]
    } else {
        (1..=MEMBERS).filter(|number| *number != GONE).map(member).collect()
    };
    to.into_iter().map(|to| (subject.to_owned(), to)).collect()
}

/// The copies that the dead process was sending.
pub(crate) fn in_flight(data: &Path) -> BTreeSet<Copy> {
    let store =
        Store::open(&data.join("crier.redb"), StoreOptions::default()).expect("the file can be opened");
    let tx = store.read().expect("the file is open");
    let copies = data::in_flight(&tx);
    drop(tx);
    std::thread::scope(|scope| scope.spawn(|| store.close_blocking()).join()).expect("a file can be closed");
    copies
}

/// How often each copy arrived.
#[derive(Default)]
struct Arrivals {
    times: BTreeMap<Copy, usize>,
    /// Messages that were counted.
    counted: usize,
}

impl Arrivals {
    fn count(&mut self, mails: &[Mail]) {
        for mail in &mails[self.counted..] {
            let subject = mail.header("Subject").expect("a message has a subject");
            // What administrators are told has the same subject again and again.
            for to in mail.to.iter().filter(|to| *to == OUTSIDE || to.starts_with("member")) {
                *self.times.entry((subject.clone(), to.clone())).or_default() += 1;
            }
        }
        self.counted = mails.len();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_post_that_was_answered_reaches_every_member_over_any_number_of_crashes() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let sink = Sink::start().await;
    let key = setup(folder.path(), "news");
    let mut program = Program::start(folder.path(), sink.addr(), &[]);
    for number in 1..=MEMBERS {
        let fields = [("emails", member(number)), ("lists", "news".to_owned())];
        let fields = fields.each_ref().map(|(name, value)| (*name, value.as_str()));
        program.client(&key).post("/api/2/contacts/", &fields).await.good();
    }
    let alias = [("source", "friend"), ("destination", OUTSIDE)];
    program.client(&key).post("/api/2/aliases/", &alias).await.good();
    sink.defer(&member(SLOW), 5);
    sink.refuse(&member(GONE));

    let storm = Storm::default();
    let chance = Secrets::seeded(20_261_120);
    let (mut may_repeat, mut sent_again): (BTreeMap<Copy, usize>, usize) = Default::default();
    let kills =
        if std::env::var("CRIER_FAULTS").is_ok_and(|faults| faults == "all") { KILLS_OF_ALL } else { KILLS };
    for round in 0..kills {
        storm.run(&mut program, &key, &sink, round, Moment::draw(&chance, round)).await;
        for copy in in_flight(folder.path()) {
            *may_repeat.entry(copy).or_default() += 1;
        }
        verify(folder.path());
        // Whatever waits its retry time after several crashes is due an hour later.
        let last = round + 1 == kills;
        program =
            Program::start(folder.path(), sink.addr(), if last { &["--clock-offset", "1h"] } else { &[] });
        // So many of one author may wait for approval.
        approve_all(&program.client(&key)).await;
        sent_again += storm.send_again(program.smtp_addr).await;
    }

    approve_all(&program.client(&key)).await;
    let accepted = storm.accepted();
    let expected: Vec<Copy> = accepted.iter().flat_map(|subject| recipients(subject)).collect();
    let mut arrivals = Arrivals::default();
    sink.wait_until(|mails| {
        arrivals.count(mails);
        expected.iter().all(|copy| arrivals.times.contains_key(copy))
    })
    .await;
    program.stop();
    verify(folder.path());

    arrivals.count(&sink.mails());
    let repeated: BTreeMap<&Copy, usize> =
        arrivals.times.iter().filter(|(_, times)| 1 < **times).map(|(copy, times)| (copy, *times)).collect();
    for (copy @ (_, to), times) in &repeated {
        let in_flight = if to == OUTSIDE { ("letter".to_owned(), to.clone()) } else { (*copy).clone() };
        let may = may_repeat.get(&in_flight).copied().unwrap_or(0);
        assert!(*times <= 1 + may, "{copy:?} came {times} times and was in flight in {may} crashes");
    }
    assert_eq!(sink.violations(), [""; 0]);
    #[expect(clippy::print_stdout, reason = "how much was repeated is what this test measures")]
    {
        println!(
            "{} messages were answered, {sent_again} of them sent again, {} copies arrived, {} of them again after {kills} kills ({} were in flight)",
            accepted.len(),
            arrivals.times.len(),
            repeated.len(),
            may_repeat.len(),
        );
    }
}
