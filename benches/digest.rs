//! How fast a digest of 50 messages reaches every member, beside a post of as many octets to the same members.
//!
//! Run with `cargo bench --bench digest`; `CRIER_BENCH_MEMBERS` sets another number of members. Each round measures, one
//! behind the other, a small post, a post that is as large as the digest, and the digest, all signed: a digest is
//! mostly octets, so its rate is held against that of the large post. Of the digest, the time until its first copy is
//! due is in it: its 50 messages are read, shortened and put together once. All of it shares one machine with the sink.
//!
//! The data file lies in `CRIER_BENCH_DIR`, else in the target directory.

#[expect(dead_code, reason = "the parts for the HTTP API and other servers are for other benches")]
mod support;

use std::time::{Duration, Instant};

use support::client::SmtpClient;
use support::sink::Sink;
use support::{
    Delivery, Outward, Server, end_after, post_text, rate, report, report_spread, report_spread_head,
};
use tokio::runtime::Runtime;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Members of the list.
const MEMBERS: usize = 100_000;
/// Messages of the digest.
const MESSAGES: usize = 50;
/// Octets of each.
const MESSAGE_BYTES: usize = 4096;
/// Rounds of all three.
const ROUNDS: usize = 3;
/// The bench ends after this time, also if it hangs.
const LIMIT: Duration = Duration::from_mins(40);

/// The copies a second of one round.
struct Round {
    small: f64,
    large: f64,
    digest: f64,
}

fn main() {
    end_after(LIMIT);
    let asked = std::env::var("CRIER_BENCH_MEMBERS").ok().and_then(|text| text.parse().ok());
    let members = asked.unwrap_or(MEMBERS);
    let runtime = Runtime::new().expect("a runtime starts");
    let sink = Sink::start(members);
    let outward = Outward { relay: Some(sink.address), dkim_sign: true };
    let singly = runtime.block_on(Server::start(outward, members, Delivery::Active));
    let in_digests = runtime.block_on(Server::start(outward, members, Delivery::Digest));
    let mut rounds = Vec::new();
    for round in 0..ROUNDS {
        rounds.push(measure(&runtime, &sink, (&singly, &in_digests), members, round));
    }
    report("members", f64::from(u32::try_from(members).expect("a small number")), "");
    report_spread_head("copies", rounds.len());
    let spread = |name: &str, of: fn(&Round) -> f64, unit| {
        report_spread(name, rounds.iter().map(of).collect(), unit);
    };
    spread(&format!("(a) post of {MESSAGE_BYTES} octets"), |round| round.small, "/s");
    spread("(b) post as large as the digest", |round| round.large, "/s");
    spread(&format!("(c) digest of {MESSAGES} such messages"), |round| round.digest, "/s");
    spread("(c) / (b)", |round| round.digest / round.large, "");
    runtime.block_on(singly.stop());
    runtime.block_on(in_digests.stop());
}

fn measure(
    runtime: &Runtime,
    sink: &Sink,
    (singles, in_digests): (&Server, &Server),
    members: usize,
    round: usize,
) -> Round {
    let number = |place: usize| round * 1000 + place;
    for place in 0..MESSAGES {
        post(in_digests, number(place), MESSAGE_BYTES);
    }
    runtime.block_on(in_digests.settle());
    sink.expect(members);
    let begun = Instant::now();
    runtime.block_on(in_digests.begin_digest());
    let digest = rate(members, sink.wait().duration_since(begun));
    runtime.block_on(in_digests.settle());
    sink.check();
    let octets = sink.sample().len();
    let single = |place: usize, octets: usize| {
        sink.expect(members);
        post(singles, number(place), octets);
        let accepted = Instant::now();
        let rate = rate(members, sink.wait().duration_since(accepted));
        runtime.block_on(singles.settle());
        sink.check();
        rate
    };
    let small = single(0, MESSAGE_BYTES);
    Round { small, large: single(1, octets), digest }
}

fn post(server: &Server, number: usize, octets: usize) {
    let mut client = SmtpClient::connect(server.smtp_addr()).expect("the server answers");
    client.post(&post_text(number, octets)).expect("the post is taken");
}
