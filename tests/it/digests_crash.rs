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
use crate::harness::sink::{Mail, Sink};
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

/// How many digests each member got.
fn digests(mails: &[Mail]) -> BTreeMap<String, usize> {
    let mut times = BTreeMap::new();
    for mail in mails.iter().filter(|mail| !messages_in(mail).is_empty()) {
        assert_eq!(messages_in(mail), ["m1", "m2", "m3"]);
        mail.to.iter().for_each(|to| *times.entry(to.clone()).or_default() += 1);
    }
    times
}

/// Whether all who take digests have got one.
fn is_everybody_in(times: &BTreeMap<String, usize>) -> bool {
    let mut numbers = (1..=MEMBERS).filter(|number| takes_digests(*number));
    numbers.all(|number| times.contains_key(&member(number)))
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
        let until = sink.copies() + more;
        // On a busy machine the first rounds may have brought all of them.
        sink.wait_until(|mails| {
            let copies: usize = mails.iter().map(|mail| mail.to.len()).sum();
            until <= copies || is_everybody_in(&digests(mails))
        })
        .await;
        program.kill();
        for copy in in_flight(folder.path()) {
            *may_repeat.entry(copy).or_default() += 1;
        }
        verify(folder.path());
    }
    let program = Program::start(folder.path(), sink.addr(), &["--clock-offset", "65h"]);
    sink.wait_until(|mails| is_everybody_in(&digests(mails))).await;
    program.stop();
    verify(folder.path());
    let times = digests(&sink.mails());
    for (address, times) in times {
        assert!((1..=MEMBERS).any(|number| takes_digests(number) && member(number) == address), "{address}");
        let may = may_repeat.get(&("digest".to_owned(), address.clone())).copied().unwrap_or(0);
        assert!(times <= 1 + may, "{address} got {times} digests, {may} of them in flight in a crash");
    }
    assert_eq!(sink.violations(), [""; 0]);
}
