//! How fast one post reaches every member, each with a copy and an envelope sender of its own, and what the
//! machine would allow.
//!
//! Run with `cargo bench --bench fanout`. Each round measures, one behind the other, the server unsigned, the
//! sink alone, the server signing, and signing alone. The sink alone is fed with ready-made copies of the same
//! octets, by as many connections as the server has, open already and with the same pipelining; signing alone
//! is RSA-2048 on every core at nothing else. Ratios are made of neighbours in one round: what disturbs the
//! machine for long disturbs both. Of everything the median of the rounds is printed, and the least and the
//! most. All of it shares one machine: the sink takes its part of the processors from the server too.
//!
//! The data file lies in `CRIER_BENCH_DIR`, else in the target directory. With `CRIER_BENCH_LARGE` set, a
//! larger list is measured as well.

mod support;

use std::sync::Arc;
use std::time::{Duration, Instant};

use aws_lc_rs::rand::SystemRandom;
use aws_lc_rs::signature::{RSA_PKCS1_SHA256, RsaKeyPair};
use support::client::SmtpClient;
use support::sink::Sink;
use support::{
    Delivery, Outward, Server, end_after, forget_peak_memory, memory_mib, post_text, processor_time, rate,
    report, report_spread, report_spread_head,
};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Members of the list.
const MEMBERS: usize = 10_000;
/// Members where a larger list is asked for.
const MEMBERS_LARGE: usize = 100_000;
/// Octets of the post.
const POST_BYTES: usize = 4096;
/// Connections of the blaster: as many as the server has to a relay.
const CONNECTIONS: usize = crier::config::CONNECTIONS_TO_RELAY;
/// Rounds that count, behind one that does not.
const ROUNDS: usize = 9;
/// How long signing alone goes on in a round.
const SIGNING_TIME: Duration = Duration::from_secs(1);
/// Whatever happens, the bench ends after this.
const LIMIT: Duration = Duration::from_mins(10);

/// What one round measured.
struct Round {
    unsigned: Copies,
    sink: Copies,
    signed: Copies,
    /// Signatures a second.
    signing: f64,
}

/// Copies of one post that came to the sink.
struct Copies {
    /// How many a second.
    rate: f64,
    /// Processor time of each, of everything in this process.
    cost_us: f64,
}

impl Copies {
    /// Runs what sends a copy to every member and answers the rate.
    fn measure(send: impl FnOnce() -> f64) -> Copies {
        let before = processor_time();
        let rate = send();
        let cost = processor_time().saturating_sub(before) / u32::try_from(MEMBERS).expect("a small number");
        Copies { rate, cost_us: cost.as_secs_f64() * 1e6 }
    }
}

fn main() {
    end_after(LIMIT);
    let runtime = tokio::runtime::Runtime::new().expect("a runtime starts");
    let sink = Sink::start(MEMBERS_LARGE);
    let start = |members, dkim_sign| {
        let outward = Outward { relay: Some(sink.address), dkim_sign };
        runtime.block_on(Server::start(outward, members, Delivery::Active))
    };
    let unsigned = start(MEMBERS, false);
    let fan_out = |server: &Server, members, turn| fan_out(&runtime, &sink, server, members, turn);
    report_memory(MEMBERS, || fan_out(&unsigned, MEMBERS, 0));
    if std::env::var_os("CRIER_BENCH_LARGE").is_some() {
        let large = start(MEMBERS_LARGE, false);
        report_memory(MEMBERS_LARGE, || fan_out(&large, MEMBERS_LARGE, 0));
        runtime.block_on(large.stop());
    }
    let signed = start(MEMBERS, true);
    let copy: Arc<[u8]> = sink.sample().into();
    let copy_bytes = u32::try_from(copy.len()).expect("a small number");
    report("size of an unsigned copy", f64::from(copy_bytes), " octets");
    let mut rounds = Vec::new();
    for turn in 1..=1 + ROUNDS {
        let round = Round {
            unsigned: Copies::measure(|| fan_out(&unsigned, MEMBERS, turn)),
            sink: Copies::measure(|| blast(&sink, &copy)),
            signed: Copies::measure(|| fan_out(&signed, MEMBERS, turn)),
            signing: sign_alone(),
        };
        if 1 < turn {
            rounds.push(round);
        }
    }
    runtime.block_on(unsigned.stop());
    runtime.block_on(signed.stop());
    report_rounds(&rounds);
}

/// Sends one post to all members; answers copies a second from its 250 to the last copy.
fn fan_out(
    runtime: &tokio::runtime::Runtime,
    sink: &Sink,
    server: &Server,
    members: usize,
    turn: usize,
) -> f64 {
    let posts = server.posts();
    sink.expect(members);
    let mut client = SmtpClient::connect(server.smtp_addr()).expect("the server answers");
    client.post(&post_text(turn, POST_BYTES)).expect("the post is taken");
    let accepted = Instant::now();
    let elapsed = sink.wait().duration_since(accepted);
    runtime.block_on(server.settle());
    // Only now: a copy that is sent twice would come late.
    sink.check();
    assert_eq!(server.posts(), posts + 1, "the post was published once");
    assert_eq!(server.delivered_of_newest_post(), members, "every copy is on record as delivered");
    rate(members, elapsed)
}

/// Sends a ready-made copy to every member; answers copies a second.
fn blast(sink: &Sink, copy: &Arc<[u8]>) -> f64 {
    sink.expect(MEMBERS);
    let connect = |_| SmtpClient::connect(sink.address).expect("the sink answers");
    let clients: Vec<SmtpClient> = (0..CONNECTIONS).map(connect).collect();
    let started = Instant::now();
    let threads: Vec<_> = clients
        .into_iter()
        .enumerate()
        .map(|(connection, mut client)| {
            let copy = copy.clone();
            std::thread::spawn(move || {
                client.blast((connection..MEMBERS).step_by(CONNECTIONS), &copy).expect("the sink takes all");
            })
        })
        .collect();
    let elapsed = sink.wait().duration_since(started);
    for thread in threads {
        thread.join().expect("the sink takes all");
    }
    sink.check();
    rate(MEMBERS, elapsed)
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

/// Prints the memory of this process while `measured` runs: server, sink and bench together.
fn report_memory(members: usize, measured: impl FnOnce() -> f64) {
    forget_peak_memory();
    report(&format!("resident memory before, {members} members"), memory_mib("VmRSS"), " MiB");
    let rate = measured();
    report(&format!("fan-out unsigned, {members} members, first post"), rate, "/s");
    report("resident memory at most", memory_mib("VmHWM"), " MiB");
    report("resident memory after", memory_mib("VmRSS"), " MiB");
}

fn report_rounds(rounds: &[Round]) {
    let spread = |name: &str, unit, of: fn(&Round) -> f64| {
        report_spread(name, rounds.iter().map(of).collect(), unit);
    };
    report_spread_head(rounds.len());
    spread(&format!("(a) fan-out unsigned, {MEMBERS} members"), "/s", |round| round.unsigned.rate);
    spread(&format!("(b) sink alone, {CONNECTIONS} connections"), "/s", |round| round.sink.rate);
    spread("(a) / (b)", "", |round| round.unsigned.rate / round.sink.rate);
    spread(&format!("(c) fan-out signed, {MEMBERS} members"), "/s", |round| round.signed.rate);
    spread("(d) RSA-2048 signing alone, every core", "/s", |round| round.signing);
    spread("(c) / (d)", "", |round| round.signed.rate / round.signing);
    // Beside others on the machine it says more than the rates: what they take is not in it.
    spread("processor time of a copy, unsigned", " us", |round| round.unsigned.cost_us);
    spread("processor time of a copy, sink alone", " us", |round| round.sink.cost_us);
    spread("processor time of a copy, signed", " us", |round| round.signed.cost_us);
}
