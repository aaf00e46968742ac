//! The real executable is killed while a digest is on its way to the members, and started again.
//!
//! It crosses six in the morning with a clock that is put forward. Every member who takes digests gets all messages; a
//! copy comes twice only if it was in flight when the process died, which is read from the file that it left.

use std::collections::BTreeMap;

use crier::secret::Secrets;

use crate::crash::in_flight;
use crate::digests::messages_in;
use crate::harness::data::Copy;
use crate::harness::program::{Program, setup, verify};
use crate::harness::sink::Sink;
use crate::harness::smtp::send_mail;

const MEMBERS: usize = 60;
const POSTS: usize = 3;
const KILLS: usize = 6;

fn member(number: usize) -> String {
    format!("member{number}@example.org")
}

/// Every third member gets each message by itself.
fn takes_digests(number: usize) -> bool {
    !number.is_multiple_of(3)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_digest_reaches_everybody_over_any_number_of_crashes() {
    let folder = tempfile::tempdir().expect("a temporary folder can be made");
    let sink = Sink::start().await;
    let key = setup(folder.path(), "news");
    let program = Program::start(folder.path(), sink.addr(), &[]);
    let client = program.client(&key);
    for number in 1..=MEMBERS {
        let (address, digest) = (member(number), u8::from(takes_digests(number)).to_string());
        let made = client.post("/api/2/contacts/", &[("emails", &address), ("lists", "news")]).await.good();
        let email = made["emails"][0]["id"].to_string();
        client.put(&format!("/api/2/emails/{email}/"), &[("digest", &digest)]).await.good();
    }
    for post in 1..=POSTS {
        let text =
            format!("From: {}\r\nSubject: m{post}\r\nMessage-ID: <{post}@x.org>\r\n\r\nhi\r\n", member(1));
        let reply = send_mail(program.smtp_addr, &member(1), &["news@lists.example.org"], &text).await;
        assert_eq!(reply.code, 250, "{reply}");
    }
    let singles = (1..=MEMBERS).filter(|number| !takes_digests(*number)).count();
    sink.wait_for(singles * POSTS).await;
    program.stop();
    assert_eq!(sink.copies(), singles * POSTS);

    let chance = Secrets::seeded(20_261_122);
    let mut may_repeat: BTreeMap<Copy, usize> = BTreeMap::new();
    for round in 0..KILLS {
        // After several crashes a batch waits its retry time, which is over at the next start.
        let offset = format!("{}h", 30 + 5 * round);
        let mut program = Program::start(folder.path(), sink.addr(), &["--clock-offset", &offset]);
        let mut byte = [0];
        chance.fill(&mut byte);
        // Some die before the first copy, others among them.
        let more = usize::from(byte[0]) % 6;
        sink.wait_for(sink.copies() + more).await;
        program.kill();
        for copy in in_flight(folder.path()) {
            *may_repeat.entry(copy).or_default() += 1;
        }
        verify(folder.path());
    }
    let program = Program::start(folder.path(), sink.addr(), &["--clock-offset", "65h"]);
    let all = |times: &BTreeMap<String, usize>| {
        (1..=MEMBERS)
            .filter(|number| takes_digests(*number))
            .all(|number| times.contains_key(&member(number)))
    };
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    sink.wait_until(|mails| {
        times.clear();
        for mail in mails.iter().filter(|mail| !messages_in(mail).is_empty()) {
            assert_eq!(messages_in(mail), ["m1", "m2", "m3"]);
            mail.to.iter().for_each(|to| *times.entry(to.clone()).or_default() += 1);
        }
        all(&times)
    })
    .await;
    program.stop();
    verify(folder.path());
    for (address, times) in times {
        assert!((1..=MEMBERS).any(|number| takes_digests(number) && member(number) == address), "{address}");
        let may = may_repeat.get(&("digest".to_owned(), address.clone())).copied().unwrap_or(0);
        assert!(times <= 1 + may, "{address} got {times} digests, {may} of them in flight in a crash");
    }
    assert_eq!(sink.violations(), [""; 0]);
}
