//! Digests against a model: people switch between digests and single messages, pause, leave and come back, the clock is
//! set, and the server is stopped in the middle of it. Each message reaches each address of a member exactly once.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crier::secret::Secrets;
use serde_json::json;

use crate::digests::messages_in;
use crate::harness::TestApp;
use crate::harness::http::encode;
use crate::harness::sink::Mail;

const STEPS: usize = 120;
const HOUR: Duration = Duration::from_hours(1);

/// The form in which a member takes the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Taken {
    Single,
    Digest,
    Nothing,
}

/// A member as the model knows it: one address each.
#[derive(Debug, Clone)]
struct Member {
    address: String,
    is_on_list: bool,
    membership_digest: Option<bool>,
    is_membership_paused: bool,
    email_digest: bool,
    is_email_paused: bool,
}

impl Member {
    fn new(number: usize) -> Member {
        Member {
            address: format!("member{number}@example.org"),
            is_on_list: true,
            membership_digest: None,
            is_membership_paused: false,
            email_digest: false,
            is_email_paused: false,
        }
    }

    fn taken(&self) -> Taken {
        if !self.is_on_list || self.is_membership_paused || self.is_email_paused {
            Taken::Nothing
        } else if self.membership_digest.unwrap_or(self.email_digest) {
            Taken::Digest
        } else {
            Taken::Single
        }
    }
}

/// The copies that the model expects for each address and message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Expected {
    /// Exactly one copy.
    Once(Taken),
    /// One copy, or none: the member left or paused before it was sent.
    AtMostOnce(Taken),
    Never,
}

struct Model {
    app: TestApp,
    chance: Secrets,
    members: Vec<Member>,
    expected: BTreeMap<(String, String), Expected>,
    posts: usize,
    mails: Vec<Mail>,
    log: Vec<String>,
}

impl Model {
    /// A list of `count` members; the first one posts.
    async fn start(seed: u64, count: usize) -> Model {
        let app = TestApp::start().await;
        app.list("news").open().members(count).create().await;
        let members = (1..=count).map(Member::new).collect();
        Model {
            app,
            chance: Secrets::seeded(seed),
            members,
            expected: BTreeMap::new(),
            posts: 0,
            mails: Vec::new(),
            log: Vec::new(),
        }
    }

    fn draw(&self, below: usize) -> usize {
        let mut bytes = [0; 4];
        self.chance.fill(&mut bytes);
        u32::from_le_bytes(bytes) as usize % below
    }

    async fn step(&mut self) {
        let place = self.draw(self.members.len());
        let address = self.members[place].address.clone();
        let action = self.draw(20);
        self.log.push(format!("{action} {address} {}", self.app.clock.now()));
        match action {
            0..=5 => self.post().await,
            6..=8 => {
                let digest = [None, Some(true), Some(false)][self.draw(3)];
                if self.members[place].is_on_list {
                    self.members[place].membership_digest = digest;
                    self.app.set_membership(&address, "news", json!({"digest": digest.map(u8::from)})).await;
                }
            }
            9 | 10 => {
                let digest = self.draw(2) == 0;
                self.members[place].email_digest = digest;
                self.app.set_email(&address, json!({"digest": digest})).await;
            }
            11 => {
                let paused = self.draw(2) == 0;
                if self.members[place].is_on_list {
                    self.members[place].is_membership_paused = paused;
                    self.app.set_membership(&address, "news", json!({"paused": paused})).await;
                    self.note_stop(place, paused);
                }
            }
            12 => {
                let paused = self.draw(2) == 0;
                self.members[place].is_email_paused = paused;
                self.app.set_email(&address, json!({"paused": paused})).await;
                self.note_stop(place, paused);
            }
            13 => self.leave_or_come_back(place).await,
            14 => self.app.advance(Duration::from_mins(self.draw(90) as u64)).await,
            15 | 16 => self.app.advance(HOUR * u32::try_from(1 + self.draw(20)).unwrap()).await,
            17 => {
                // The clock is set, without time passing, by up to a day and a half.
                let by = Duration::from_mins(self.draw(36 * 60) as u64);
                let now = self.app.clock.now();
                let to = if self.draw(2) == 0 { now + by } else { now.before(by) };
                self.app.clock.set(to);
            }
            18 => self.restart().await,
            _ => self.app.settle().await,
        }
    }

    /// Stops the server, whatever it is doing, and starts it again, sometimes after six the next morning.
    async fn restart(&mut self) {
        let later = HOUR * u32::try_from(self.draw(30)).unwrap();
        let clock = self.app.clock.clone();
        self.app.restart_after(|_| clock.advance(later)).await;
    }

    async fn post(&mut self) {
        self.posts += 1;
        let subject = format!("m{}", self.posts);
        let post = format!(
            "From: Eve <eve@example.net>\nSubject: {subject}\nMessage-ID: <{subject}@example.net>\n\nhi\n"
        );
        let reply = self.app.send_mail("eve@example.net", "news@lists.example.org", &post).await;
        assert_eq!(reply.code, 250, "{reply}");
        for member in &self.members {
            let expected = match member.taken() {
                Taken::Nothing => Expected::Never,
                taken => Expected::Once(taken),
            };
            self.expected.insert((member.address.clone(), subject.clone()), expected);
        }
    }

    /// A member who stops taking mail may miss what is on the way.
    fn note_stop(&mut self, place: usize, stops: bool) {
        let address = &self.members[place].address;
        for ((to, _), expected) in &mut self.expected {
            if to == address
                && stops
                && let Expected::Once(taken) = *expected
            {
                *expected = Expected::AtMostOnce(taken);
            }
        }
    }

    async fn leave_or_come_back(&mut self, place: usize) {
        let address = self.members[place].address.clone();
        if !self.members[place].is_on_list {
            self.app.join(&address, "news").await;
            let member = &mut self.members[place];
            (member.is_on_list, member.membership_digest, member.is_membership_paused) = (true, None, false);
            return;
        }
        let contact = self.app.email(&address).await["contact"].clone();
        let path = format!("/api/2/membership/?contact={contact}&list={}", encode("news"));
        let id = self.app.admin.get(&path).await.good()["data"][0]["id"].clone();
        self.app.admin.delete(&format!("/api/2/membership/{id}/")).await.good();
        self.members[place].is_on_list = false;
        self.note_stop(place, true);
    }

    /// Lets all digests go out, and compares.
    async fn end(mut self) {
        for _ in 0..5 {
            self.app.advance(HOUR * 24).await;
        }
        self.mails = self.app.sink.mails();
        let mut came: BTreeMap<(String, String), Vec<Taken>> = BTreeMap::new();
        for mail in &self.mails {
            let inner = messages_in(mail);
            let (how, subjects) = match inner.as_slice() {
                [] => (Taken::Single, vec![mail.header("Subject").unwrap_or_default()]),
                _ => (Taken::Digest, inner),
            };
            for to in &mail.to {
                for subject in &subjects {
                    came.entry((to.clone(), subject.clone())).or_default().push(how);
                }
            }
        }
        let log = self.log.join("\n");
        for (key, expected) in &self.expected {
            let got = came.remove(key).unwrap_or_default();
            match expected {
                Expected::Once(taken) => assert_eq!(got, [*taken], "{key:?}\n{log}"),
                Expected::AtMostOnce(taken) => {
                    assert!(got.is_empty() || got == [*taken], "{key:?} {got:?}, expected {taken:?}\n{log}");
                }
                Expected::Never => assert!(got.is_empty(), "{key:?} {got:?}\n{log}"),
            }
        }
        let known: BTreeSet<&str> = self.members.iter().map(|member| member.address.as_str()).collect();
        came.retain(|(to, _), _| known.contains(to.as_str()));
        assert!(came.is_empty(), "{came:?}\n{log}");
        for table in ["digest_post", "digest_fan_out", "digest_switch"] {
            assert_eq!(self.app.dump(table).lines().filter(|line| line.contains("MessageId(")).count(), 0);
        }
        let digests = self.expected.values().filter(|is| **is == Expected::Once(Taken::Digest)).count();
        assert!(10 < digests, "the run has digests: {digests}");
    }
}

async fn run(seed: u64, members: usize) {
    let mut model = Model::start(seed, members).await;
    for _ in 0..STEPS {
        model.step().await;
    }
    model.end().await;
}

#[tokio::test]
async fn each_message_reaches_each_member_of_a_small_list_exactly_once() {
    for seed in [1, 2, 3] {
        run(seed, 6).await;
    }
}

/// Posts to lists of more members are put into batches outside of the job that accepts them.
#[tokio::test]
async fn each_message_reaches_each_member_of_a_larger_list_exactly_once() {
    for seed in [11, 12] {
        run(seed, 24).await;
    }
}
