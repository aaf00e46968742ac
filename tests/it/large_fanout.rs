//! One post to a very large list, while everything fails at once.
//!
//! The process is killed while it expands the post and while it delivers, the relay refuses some members, puts others off
//! and stalls at some, and a disk that takes no more comes in between. In the end every member has it whom the relay
//! takes mail for, and a copy comes again only if it was in flight when the process died.
//!
//! `cargo test` takes a list that is large enough for all of that. `CRIER_FAULTS=all cargo test --test it large_fanout` takes
//! one of 100,000.

use std::time::Instant;

use crate::crash;
use crate::harness::program::{Program, run, setup, verify};
use crate::harness::sink::{Act, Sink};
use crate::harness::smtp::send_mail;

/// Members that `cargo test` takes, and those where it is to take all.
const MEMBERS: (usize, usize) = (3_000, 100_000);
/// The relay has no mailbox for one in so many.
const GONE_EVERY: usize = 1_000;
/// The relay puts off one in so many once.
const SLOW_EVERY: usize = 300;
/// Members at whom the relay stalls once.
const STALLS: usize = 5;
/// What the file may grow by on the disk that takes no more, in units of 512 bytes: 1 MiB.
const GROWTH_BLOCKS: u64 = 2048;
/// Parts of the list after each of which a wait begins anew.
const STEPS: usize = 20;

/// What came of one post.
struct Crowd {
    members: usize,
    folder: tempfile::TempDir,
    sink: Sink,
    /// How often each member got it, by number.
    arrived: Vec<u32>,
    /// How often each member's copy was in flight when the process died.
    in_flight: Vec<u32>,
    /// Mails of the sink that are counted in there.
    counted: usize,
    kills: usize,
}

impl Crowd {
    /// Sets a list of so many members up, and a relay that makes trouble with some of them.
    async fn new(members: usize) -> Crowd {
        let (folder, sink) = (tempfile::tempdir().unwrap(), Sink::start().await);
        setup(folder.path(), "news");
        run(&["account", "set", "example", "--contacts-max", &members.to_string()], folder.path());
        let lines: String = (1..=members).map(|number| member(number) + "\n").collect();
        let file = folder.path().join("members.csv");
        std::fs::write(&file, format!("email\n{lines}")).unwrap();
        let file = file.to_str().unwrap();
        run(&["import", "contacts", "--account", "example", "--list", "news", file], folder.path());
        let arrived = vec![0; members + 1];
        Crowd { members, folder, sink, in_flight: arrived.clone(), arrived, counted: 0, kills: 0 }
    }

    /// What the relay does with its share of the members the next time, if it `makes_trouble`.
    fn script(&self, makes_trouble: bool) {
        let times = u32::from(makes_trouble);
        for number in (SLOW_EVERY..=self.members).step_by(SLOW_EVERY) {
            self.sink.defer(&member(number), times);
        }
        for stall in 1..=STALLS {
            self.sink.script(&member(stall * self.members / (STALLS + 2)), Act::Stall, times);
        }
        for number in (GONE_EVERY..=self.members).step_by(GONE_EVERY) {
            self.sink.refuse(&member(number));
        }
    }

    fn start(&self, flags: &[&str]) -> Program {
        Program::start(self.folder.path(), self.sink.addr(), flags)
    }

    /// Kills the process after so many more copies, and notes what it was sending.
    async fn kill_after(&mut self, copies: usize, mut program: Program) {
        let until = self.sink.copies() + copies;
        self.sink.wait_until(|mails| until <= mails.len()).await;
        program.kill();
        self.kills += 1;
        for (_, to) in crash::in_flight(self.folder.path()) {
            self.in_flight[number(&to).unwrap()] += 1;
        }
    }

    /// Delivers on a disk that takes no more after a while; the process is killed when it has found that out.
    async fn meet_a_full_disk(&mut self) {
        let size = self.folder.path().join("crier.redb").metadata().unwrap().len();
        let path = self.folder.path();
        let program = Program::start_limited(path, self.sink.addr(), size / 512 + GROWTH_BLOCKS);
        // A stranger's posts are held, and grow the file.
        let body = "0123456789abcdef\n".repeat(50_000);
        let mut sent = 0;
        let refusal = loop {
            let message = format!("Subject: {sent}\nMessage-ID: <{sent}@example.net>\n\n{body}");
            let reply = send_mail(program.smtp_addr, "eve@example.net", &[LIST], &message).await;
            if reply.code != 250 {
                break reply;
            }
            sent += 1;
            assert!(sent < 2000, "the limit is never met");
        };
        assert_eq!(refusal.code, 451, "{refusal}");
        self.kill_after(0, program).await;
    }

    /// Waits until everybody has it whom the relay takes mail for; answers how many those are.
    async fn wait_for_everybody(&mut self) -> usize {
        let wanted = self.members - self.members / GONE_EVERY;
        let Crowd { sink, arrived, counted, .. } = self;
        let mut reached = 0;
        for step in 1..=STEPS {
            sink.wait_until(|mails| {
                for number in mails[*counted..].iter().flat_map(|mail| &mail.to).filter_map(|to| number(to)) {
                    reached += usize::from(arrived[number] == 0);
                    arrived[number] += 1;
                }
                *counted = mails.len();
                step * wanted / STEPS <= reached
            })
            .await;
        }
        wanted
    }

    /// Counts what came behind the last that somebody waited for.
    async fn count_the_rest(&mut self) {
        let Crowd { sink, arrived, counted, .. } = self;
        sink.wait_until(|mails| {
            for number in mails[*counted..].iter().flat_map(|mail| &mail.to).filter_map(|to| number(to)) {
                arrived[number] += 1;
            }
            *counted = mails.len();
            true
        })
        .await;
    }
}

const LIST: &str = "news@lists.example.org";

fn member(number: usize) -> String {
    format!("member{number}@example.org")
}

/// The number of a member; none of an address that is another's.
fn number(address: &str) -> Option<usize> {
    address.strip_prefix("member")?.strip_suffix("@example.org")?.parse().ok()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_post_to_a_very_large_list_reaches_everybody_whatever_fails_meanwhile() {
    let is_all = std::env::var("CRIER_FAULTS").is_ok_and(|wanted| wanted == "all");
    let members = if is_all { MEMBERS.1 } else { MEMBERS.0 };
    let mut crowd = Crowd::new(members).await;
    crowd.script(true);
    let begun = Instant::now();
    let program = crowd.start(&[]);
    let post = "Subject: crowd\nMessage-ID: <crowd@example.org>\n\nhi";
    assert_eq!(send_mail(program.smtp_addr, &member(1), &[LIST], post).await.code, 250);
    // While it is expanded, and again.
    crowd.kill_after(0, program).await;
    for parts in [100, 10] {
        crowd.kill_after(members / parts, crowd.start(&[])).await;
    }
    crowd.meet_a_full_disk().await;
    crowd.kill_after(members / 5, crowd.start(&[])).await;
    verify(crowd.folder.path());
    // What was put off, and what waits its retry time after several crashes, is due an hour later.
    crowd.script(false);
    let program = crowd.start(&["--clock-offset", "1h"]);
    let wanted = crowd.wait_for_everybody().await;
    let seconds = begun.elapsed().as_secs_f64();
    program.stop();
    verify(crowd.folder.path());

    crowd.count_the_rest().await;
    let Crowd { sink, arrived, in_flight, kills, .. } = &crowd;
    let mut repeats = 0;
    for number in 1..=members {
        let (times, may) = (arrived[number], in_flight[number]);
        let least = u32::from(!number.is_multiple_of(GONE_EVERY));
        let most = least * (1 + may);
        assert!((least..=most).contains(&times), "{number} got it {times} times, in flight in {may} crashes");
        repeats += times.saturating_sub(1);
    }
    assert_eq!(sink.violations(), [""; 0]);
    let in_flight: u32 = in_flight.iter().sum();
    #[expect(clippy::print_stdout, reason = "how much was repeated is what this test measures")]
    {
        println!(
            "{wanted} of {members} members got it in {seconds:.1} s, over {kills} kills and a full disk; {repeats} copies \
             came again, of {in_flight} that were in flight"
        );
    }
}
