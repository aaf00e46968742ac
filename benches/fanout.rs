//! How fast one post reaches every member, each with a copy and an envelope sender of its own, and what the
//! machine would allow.
//!
//! Run with `cargo bench --bench fanout`. In turn: the server unsigned, the sink fed with ready-made copies of
//! the same octets over as many connections and with the same pipelining, the server signing, and signing
//! alone on every core. Medians are printed, and ratios of medians. All of them share one machine: the sink
//! takes its part of the processors from the server too.
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
    Delivery, Outward, Server, end_after, forget_peak_memory, median, memory_mib, post_text, rate, report,
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
/// Turns of each measure.
const TURNS: usize = 5;
/// How long one turn of signing alone goes on.
const SIGNING_TIME: Duration = Duration::from_secs(1);
/// Whatever happens, the bench ends after this.
const LIMIT: Duration = Duration::from_mins(10);

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
    let mut rates = [const { Vec::new() }; 4];
    for turn in 1..=TURNS {
        rates[0].push(fan_out(&unsigned, MEMBERS, turn));
        rates[1].push(blast(&sink, &copy));
        rates[2].push(fan_out(&signed, MEMBERS, turn));
        rates[3].push(sign_alone());
    }
    runtime.block_on(unsigned.stop());
    runtime.block_on(signed.stop());
    report_rates(rates.map(median));
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
    let address = sink.address;
    let started = Instant::now();
    let threads: Vec<_> = (0..CONNECTIONS)
        .map(|connection| {
            let copy = copy.clone();
            std::thread::spawn(move || {
                let mut client = SmtpClient::connect(address).expect("the sink answers");
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

fn report_rates([unsigned, raw, signed, signing]: [f64; 4]) {
    report(&format!("(a) fan-out unsigned, {MEMBERS} members"), unsigned, "/s");
    report(&format!("(b) fan-out signed, {MEMBERS} members"), signed, "/s");
    report(&format!("(c) sink alone, {CONNECTIONS} connections"), raw, "/s");
    report("(d) RSA-2048 signing alone, every core", signing, "/s");
    report("a/c", unsigned / raw, "");
    report("b/d", signed / signing, "");
    // The sink needs its part of the same cores: this is what signing and the sink leave together.
    let both = 1.0 / (1.0 / raw + 1.0 / signing);
    report("(e) signing and sink on the same cores", both, "/s");
    report("b/e", signed / both, "");
}
