//! How many posts the server accepts in a second, and how many Postfix: each is durable before its 250.
//!
//! Run with `cargo bench --bench accept`. Every connection posts one message after the other, command by
//! command, so that nothing is sent before the last reply: EHLO once, then MAIL, RCPT, DATA and the text for
//! each message, four round trips. The data file lies in `CRIER_BENCH_DIR`, which should be on the disk of
//! interest, else in the target directory.
//!
//! Postfix, where it is installed and this is run as root, gets the same from the same client in the same round. It
//! holds everything in its queue, so it has nothing to do but to accept.
//!
//! So does, over one connection, a server that writes the message behind the last one, flushes it and does nothing else:
//! what the round trips and the disk of this machine leave to any server. Over more connections one flush serves
//! several, and there is no such limit.
//!
//! The members of the list are paused, so that nothing is delivered. That this is so still has to be found out
//! for every post, beside accepting; the second figure counts until that is done.

#[expect(dead_code, reason = "a sink that counts is for another bench")]
mod support;

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use support::client::SmtpClient;
use support::postfix::Postfix;
use support::sink::Sink;
use support::{Delivery, Outward, Server, end_after, post_text, rate, report_spread, report_spread_head};
use tokio::runtime::Runtime;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Connections that post at the same time.
const CONNECTIONS: [usize; 3] = [1, 10, 50];
/// How long each of them goes on.
const BENCH_TIME: Duration = Duration::from_secs(3);
/// Rounds of each number of connections.
const ROUNDS: usize = 3;
/// Posts after which one stops early.
const POSTS_MAX: usize = 200_000;
/// Octets of a post.
const POST_BYTES: usize = 4096;
/// Members of the list, who get nothing.
const MEMBERS: usize = 10;
/// Whatever happens, the bench ends after this.
const LIMIT: Duration = Duration::from_mins(5);

fn main() {
    end_after(LIMIT);
    let runtime = Runtime::new().expect("a runtime starts");
    let postfix = Postfix::that_holds();
    let keeper = Sink::that_keeps();
    for connections in CONNECTIONS {
        report_spread_head(&format!("{connections} connections"), ROUNDS);
        let rounds: Vec<_> =
            (0..ROUNDS).map(|_| Round::measure(&runtime, postfix.as_ref(), &keeper, connections)).collect();
        let spread =
            |name, unit, of: fn(&Round) -> f64| report_spread(name, rounds.iter().map(of).collect(), unit);
        spread("accepted posts", "/s", |round| round.accepted);
        spread("  and put through to the members", "/s", |round| round.settled);
        if postfix.is_some() {
            spread("accepted by Postfix", "/s", |round| round.postfix);
            spread("times as many as Postfix", "", |round| round.accepted / round.postfix);
        }
        if connections == 1 {
            spread("written behind the last one and flushed", "/s", |round| round.keeper);
            spread("part of that which the server reaches", "", |round| round.accepted / round.keeper);
            if postfix.is_some() {
                spread("times as many as Postfix that would be", "", |round| round.keeper / round.postfix);
            }
        }
    }
}

/// What one round measured, in posts a second.
struct Round {
    accepted: f64,
    settled: f64,
    postfix: f64,
    keeper: f64,
}

impl Round {
    fn measure(runtime: &Runtime, postfix: Option<&Postfix>, keeper: &Sink, connections: usize) -> Round {
        let outward = Outward { relay: None, dkim_sign: false };
        // A fresh server for each, so that none inherits another's queue.
        let server = runtime.block_on(Server::start(outward, MEMBERS, Delivery::Paused));
        // The first message waits until the server knows that its DNS does not answer here.
        post_first(server.smtp_addr());
        let started = Instant::now();
        let (accepted, elapsed) = post_from(server.smtp_addr(), connections);
        runtime.block_on(server.settle());
        let settled = rate(accepted, started.elapsed());
        let posts = usize::try_from(server.posts()).expect("a small number");
        assert_eq!(posts, accepted + 1, "every post that was answered 250 is there, and no other");
        runtime.block_on(server.stop());
        let rate_of = |peer| {
            let (accepted, elapsed) = post_from(peer, connections);
            rate(accepted, elapsed)
        };
        let postfix = postfix.map_or(f64::NAN, |postfix| rate_of(postfix.address));
        let keeper = if connections == 1 { rate_of(keeper.address) } else { f64::NAN };
        Round { accepted: rate(accepted, elapsed), settled, postfix, keeper }
    }
}

/// Posts one message, whose number no other has.
fn post_first(server: SocketAddr) {
    let mut client = SmtpClient::connect(server).expect("the server answers");
    client.post(&post_text(POSTS_MAX, POST_BYTES)).expect("the post is taken");
}

/// Posts over so many connections; answers how many posts in what time.
fn post_from(server: SocketAddr, connections: usize) -> (usize, Duration) {
    let started = Instant::now();
    let threads: Vec<_> = (0..connections)
        .map(|connection| std::thread::spawn(move || post_until(server, connection, connections, started)))
        .collect();
    let accepted = threads.into_iter().map(|thread| thread.join().expect("every post is taken")).sum();
    (accepted, started.elapsed())
}

/// Posts numbers `first`, `first + step` and so on until the time is up; answers how many.
fn post_until(server: SocketAddr, first: usize, step: usize, started: Instant) -> usize {
    let mut client = SmtpClient::connect(server).expect("the server answers");
    let mut accepted = 0;
    for number in (first..POSTS_MAX).step_by(step) {
        if BENCH_TIME <= started.elapsed() {
            break;
        }
        client.post(&post_text(number, POST_BYTES)).expect("the post is taken");
        accepted += 1;
    }
    accepted
}
