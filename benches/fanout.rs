//! How fast one post reaches every member, each with a copy and an envelope sender of its own, what the machine
//! would allow, and what Postfix does.
//!
//! Run with `cargo bench --bench fanout`. Each round measures, one behind the other, the server unsigned, the
//! sink alone, the server signing, signing alone, and Postfix expanding the same recipients with VERP into the same
//! sink, where it is installed and this is run as root. The sink alone is fed with ready-made copies of the same
//! octets, by as many connections as the server has, open already and with the same pipelining; signing alone
//! is RSA-2048 on every core at nothing else. Ratios are made of neighbours in one round: what disturbs the
//! machine for long disturbs both. A round begins with copies to the sink that do not count: whoever came first would
//! pay for what Postfix, or a second of signing, has driven out of the caches. Of everything the median of the rounds
//! is printed, and the least and the most. All of it shares one machine: the sink takes its part of the processors
//! from the server too.
//!
//! Last, the built executable takes a post to the largest list in a process of its own, and its memory is printed.
//!
//! The data file lies in `CRIER_BENCH_DIR`, else in the target directory.

#[expect(dead_code, reason = "a Postfix that only accepts is for another bench")]
mod support;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{RSA_PKCS1_SHA256, RsaKeyPair};
use support::client::SmtpClient;
use support::postfix::Postfix;
use support::program::{Program, crier, import_members};
use support::sink::Sink;
use support::{
    Delivery, Outward, Server, bench_dir, end_after, post_text, processor_time, rate, report, report_spread,
    report_spread_head,
};
use tokio::runtime::Runtime;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Members of the lists, and rounds that count, behind one that does not.
const SIZES: [(usize, usize); 2] = [(10_000, 9), (100_000, 3)];
/// Members of the largest list.
const MEMBERS_MAX: usize = SIZES[1].0;
/// Octets of the post.
const POST_BYTES: usize = 4096;
/// Connections of the blaster: as many as the server has to a relay.
const CONNECTIONS: usize = crier::config::CONNECTIONS_TO_RELAY;
/// How long signing alone goes on in a round.
const SIGNING_TIME: Duration = Duration::from_secs(1);
/// Whatever happens, the bench ends after this.
const LIMIT: Duration = Duration::from_mins(20);

fn main() {
    end_after(LIMIT);
    let runtime = Runtime::new().expect("a runtime starts");
    let sink = Sink::start(MEMBERS_MAX);
    let postfix = Postfix::that_sends_to(sink.address);
    for (members, rounds) in SIZES {
        let sides = Sides::start(&runtime, &sink, postfix.as_ref(), members);
        let rounds: Vec<_> = (0..=rounds).map(|turn| sides.round(turn)).skip(1).collect();
        sides.stop();
        report_rounds(members, &rounds, postfix.is_some());
    }
    report_memory(&sink);
}

/// What is compared.
struct Sides<'a> {
    runtime: &'a Runtime,
    members: usize,
    sink: &'a Sink,
    postfix: Option<&'a Postfix>,
    unsigned: Server,
    signed: Server,
}

/// What one round measured.
struct Round {
    unsigned: Copies,
    sink: Copies,
    signed: Copies,
    /// Signatures a second.
    signing: f64,
    postfix: Copies,
}

/// Copies of one post that came to the sink.
struct Copies {
    /// How many a second.
    rate: f64,
    /// Processor time of each, of everything in this process.
    cost_us: f64,
}

impl<'a> Sides<'a> {
    fn start(
        runtime: &'a Runtime,
        sink: &'a Sink,
        postfix: Option<&'a Postfix>,
        members: usize,
    ) -> Sides<'a> {
        let start = |dkim_sign| {
            let outward = Outward { relay: Some(sink.address), dkim_sign };
            runtime.block_on(Server::start(outward, members, Delivery::Active))
        };
        Sides { runtime, members, sink, postfix, unsigned: start(false), signed: start(true) }
    }

    fn round(&self, turn: usize) -> Round {
        if 0 < turn {
            self.blast(&self.sink.sample().into());
        }
        let unsigned = self.measure(|| self.fan_out(&self.unsigned, turn));
        let copy: Arc<[u8]> = self.sink.sample().into();
        Round {
            unsigned,
            sink: self.measure(|| self.blast(&copy)),
            signed: self.measure(|| self.fan_out(&self.signed, turn)),
            signing: sign_alone(),
            postfix: self.measure(|| self.postfix.map_or(f64::NAN, |postfix| self.expand(postfix))),
        }
    }

    /// Runs what sends a copy to every member and answers the rate.
    fn measure(&self, send: impl FnOnce() -> f64) -> Copies {
        let before = processor_time();
        let rate = send();
        let cost =
            processor_time().saturating_sub(before) / u32::try_from(self.members).expect("a small number");
        Copies { rate, cost_us: cost.as_secs_f64() * 1e6 }
    }

    /// Sends one post to all members; answers copies a second from its 250 to the last copy.
    fn fan_out(&self, server: &Server, turn: usize) -> f64 {
        let posts = server.posts();
        self.sink.expect(self.members);
        let accepted = post(server.smtp_addr(), turn);
        let elapsed = self.sink.wait().duration_since(accepted);
        self.runtime.block_on(server.settle());
        // Only now: a copy that is sent twice would come late.
        self.sink.check();
        assert_eq!(server.posts(), posts + 1, "the post was published once");
        assert_eq!(server.delivered_of_newest_post(), self.members, "every copy is on record as delivered");
        rate(self.members, elapsed)
    }

    /// Sends a ready-made copy to every member; answers copies a second.
    fn blast(&self, copy: &Arc<[u8]>) -> f64 {
        let (sink, members) = (self.sink, self.members);
        sink.expect(members);
        let connect = |_| SmtpClient::connect(sink.address).expect("the sink answers");
        let clients: Vec<SmtpClient> = (0..CONNECTIONS).map(connect).collect();
        let started = Instant::now();
        let send = |(connection, mut client): (usize, SmtpClient)| {
            let copy = copy.clone();
            std::thread::spawn(move || {
                client.blast((connection..members).step_by(CONNECTIONS), &copy).expect("the sink takes all");
            })
        };
        let threads: Vec<_> = clients.into_iter().enumerate().map(send).collect();
        let elapsed = sink.wait().duration_since(started);
        for thread in threads {
            thread.join().expect("the sink takes all");
        }
        sink.check();
        rate(members, elapsed)
    }

    /// Has Postfix send the post to every member; answers copies a second from its 250 to the last copy.
    fn expand(&self, postfix: &Postfix) -> f64 {
        self.sink.expect(self.members);
        let mut client = SmtpClient::connect(postfix.address).expect("Postfix answers");
        client.post_with_verp(self.members, &post_text(0, POST_BYTES)).expect("Postfix takes it");
        let accepted = Instant::now();
        let elapsed = self.sink.wait().duration_since(accepted);
        self.sink.check();
        postfix.settle();
        rate(self.members, elapsed)
    }

    fn stop(self) {
        self.runtime.block_on(self.unsigned.stop());
        self.runtime.block_on(self.signed.stop());
    }
}

/// Posts to the list; answers when it was accepted.
fn post(server: SocketAddr, number: usize) -> Instant {
    let mut client = SmtpClient::connect(server).expect("the server answers");
    client.post(&post_text(number, POST_BYTES)).expect("the post is taken");
    Instant::now()
}

/// RSA signatures a second with every core at nothing else.
fn sign_alone() -> f64 {
    let key = RsaKeyPair::from_pkcs8(&crier::secret::rsa_2048_key()).expect("a key");
    let key = Arc::new(key);
    let cores = std::thread::available_parallelism().expect("Linux tells").get();
    let started = Instant::now();
    let threads: Vec<_> = (0..cores)
        .map(|_| {
            let key = key.clone();
            std::thread::spawn(move || sign_until(&key, started + SIGNING_TIME))
        })
        .collect();
    let signatures = threads.into_iter().map(|thread| thread.join().expect("signing works")).sum();
    rate(signatures, started.elapsed())
}

fn sign_until(key: &RsaKeyPair, end: Instant) -> usize {
    let (random, mut signature) = (SystemRandom::new(), vec![0; key.public_modulus_len()]);
    let mut signatures = 0;
    while Instant::now() < end {
        let text = [b'x'; 1024];
        key.sign(&RSA_PKCS1_SHA256, &random, &text, &mut signature).expect("a key that was read can sign");
        signatures += 1;
    }
    signatures
}

/// Prints the memory of the executable, in a process of its own, while a signed post goes to the largest list.
fn report_memory(sink: &Sink) {
    let folder = tempfile::tempdir_in(bench_dir()).expect("the bench directory can be written");
    let data = folder.path();
    crier(data, "setup --domain lists.example.org --admin you@example.org --account bench --list news");
    crier(data, "list set news --message-footer= --reply-to= --hold-automated false");
    crier(data, &format!("account set bench --contacts-max {MEMBERS_MAX}"));
    import_members(data, "bench", "news", MEMBERS_MAX);
    let server = Program::start(data, &format!("--relay smtp://{}", sink.address));
    report("resident memory of the executable at its start", server.memory_mib("VmRSS"), " MiB");
    sink.expect(MEMBERS_MAX);
    post(server.smtp_addr, 0);
    sink.wait();
    sink.check();
    report(&format!("at most, signed post to {MEMBERS_MAX} members"), server.memory_mib("VmHWM"), " MiB");
    server.stop();
}

fn report_rounds(members: usize, rounds: &[Round], has_postfix: bool) {
    let spread = |name: &str, unit, of: fn(&Round) -> f64| {
        report_spread(name, rounds.iter().map(of).collect(), unit);
    };
    report_spread_head(&format!("{members} members"), rounds.len());
    spread("(a) fan-out unsigned", "/s", |round| round.unsigned.rate);
    spread(&format!("(b) sink alone, {CONNECTIONS} connections"), "/s", |round| round.sink.rate);
    spread("(a) / (b)", "", |round| round.unsigned.rate / round.sink.rate);
    spread("(c) fan-out signed", "/s", |round| round.signed.rate);
    spread("(d) RSA-2048 signing alone, every core", "/s", |round| round.signing);
    spread("(c) / (d)", "", |round| round.signed.rate / round.signing);
    if has_postfix {
        spread("(e) Postfix with VERP, unsigned", "/s", |round| round.postfix.rate);
        spread("(a) / (e)", "", |round| round.unsigned.rate / round.postfix.rate);
        spread("(c) / (e)", "", |round| round.signed.rate / round.postfix.rate);
    }
    // Beside others on the machine it says more than the rates: what they take is not in it.
    spread("processor time of a copy, unsigned", " us", |round| round.unsigned.cost_us);
    spread("processor time of a copy, sink alone", " us", |round| round.sink.cost_us);
    spread("processor time of a copy, signed", " us", |round| round.signed.cost_us);
}
