//! Threads of posts as they arrive: those that name a common ancestor are together, whatever the order, and a message
//! that comes after its answers stands above them. A plain model of JWZ threading says which threads there are.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crier::model::{Message, MissingParents};
use crier::store::Read as _;

use crate::harness::TestApp;
use crate::harness::data::TestList;
use crate::harness::visitor::Visitor;

const MEMBER: &str = "member1@example.org";

async fn post(app: &TestApp, list: &TestList, id: &str, references: &[&str]) {
    let references: Vec<String> = references.iter().map(|id| format!("<{id}@x.org>")).collect();
    let references =
        if references.is_empty() { String::new() } else { format!("References: {}\n", references.join(" ")) };
    let mail = format!(
        "From: {MEMBER}\nSubject: about {id}\nMessage-ID: <{id}@x.org>\n{references}\nThe text of {id}.\n"
    );
    let reply = app.send_mail(MEMBER, &list.address, &mail).await;
    assert_eq!(reply.code, 250, "{reply}");
}

async fn open(app: &TestApp, name: &str) -> TestList {
    let list = app.list(name).open().with("archive_protected", "0").with("archive_enabled", "1");
    list.member(MEMBER).create().await
}

/// The messages of a list.
fn messages(app: &TestApp, list: &str) -> Vec<Message> {
    let list = app.list_record(list).id;
    let mut messages: Vec<Message> = app.core().store.read().unwrap().all(0, usize::MAX).unwrap();
    messages.retain(|message| message.list == list);
    messages
}

/// The parent of each message of a list, and its threads, by the names of the messages.
fn tree(app: &TestApp, list: &str) -> (BTreeMap<String, String>, BTreeSet<BTreeSet<String>>) {
    let messages = messages(app, list);
    let name = |message: &Message| message.message_id.replace("@x.org", "");
    let mut threads: BTreeMap<u64, BTreeSet<String>> = BTreeMap::new();
    let mut parents = BTreeMap::new();
    for message in &messages {
        threads.entry(message.thread.0).or_default().insert(name(message));
        let parent = messages.iter().find(|other| Some(other.id) == message.parent);
        parents.insert(name(message), parent.map_or_else(|| "-".to_owned(), name));
    }
    (parents, threads.into_values().collect())
}

fn parents(expected: &[(&str, &str)]) -> BTreeMap<String, String> {
    expected.iter().map(|(id, parent)| ((*id).to_owned(), (*parent).to_owned())).collect()
}

#[tokio::test]
async fn answers_of_a_missing_message_are_one_thread_and_it_stands_above_them_when_it_comes() {
    let app = TestApp::start().await;
    let list = open(&app, "news").await;
    post(&app, &list, "b", &["gone"]).await;
    post(&app, &list, "c", &["gone"]).await;
    post(&app, &list, "d", &["gone", "c"]).await;
    let (_, threads) = tree(&app, "news");
    assert_eq!(threads.len(), 1, "{threads:?}");
    let first = messages(&app, "news")[0].thread;
    post(&app, &list, "gone", &[]).await;
    app.settle().await;
    let (found, threads) = tree(&app, "news");
    assert_eq!(threads.len(), 1, "{threads:?}");
    assert_eq!(found, parents(&[("b", "gone"), ("c", "gone"), ("d", "c"), ("gone", "-")]));
    assert!(!app.dump("missing_parents").contains("MissingParents {"), "nothing is waited for any more");
    let mut anyone = Visitor::new(&app);
    let page = anyone.get(&format!("/lists/news/threads/{first}/")).await;
    assert_eq!(page.status, 200, "{}", page.body);
    let place = |words: &str| page.body.find(words).unwrap_or_else(|| panic!("{words}: {}", page.body));
    assert!(place("The text of gone.") < place("The text of b."), "{}", page.body);
    assert!(anyone.get("/lists/news/").await.body.contains("about gone"), "the list names the first message");
}

#[tokio::test]
async fn a_post_that_shows_two_threads_to_be_one_joins_them_and_old_links_lead_on() {
    let app = TestApp::start().await;
    let list = open(&app, "news").await;
    post(&app, &list, "a", &["root"]).await;
    post(&app, &list, "b", &["a"]).await;
    post(&app, &list, "c", &["other"]).await;
    assert_eq!(tree(&app, "news").1.len(), 2);
    let old = messages(&app, "news")[2].thread;
    // It names an ancestor of each.
    post(&app, &list, "d", &["root", "other"]).await;
    app.settle().await;
    assert_eq!(tree(&app, "news").1.len(), 1, "{:?}", tree(&app, "news"));
    let mut anyone = Visitor::new(&app);
    let to = messages(&app, "news")[0].thread;
    for rest in ["", "feed.atom"] {
        let led = anyone.get(&format!("/lists/news/threads/{old}/{rest}")).await;
        assert_eq!(
            (led.status, led.header("location")),
            (301, Some(format!("/lists/news/threads/{to}/{rest}").as_str())),
            "{}",
            led.body
        );
    }
    let problems = crier::ops::archive::threads::problems(&app.core().store.read().unwrap()).unwrap();
    assert_eq!(problems, [""; 0]);
}

#[tokio::test]
async fn a_post_without_references_writes_nothing_about_threads_that_wait() {
    let app = TestApp::start().await;
    let list = open(&app, "news").await;
    post(&app, &list, "a", &[]).await;
    post(&app, &list, "b", &["a"]).await;
    app.settle().await;
    let rows: Vec<MissingParents> = app.core().store.read().unwrap().all(0, 10).unwrap();
    assert_eq!(rows, []);
}

/// A linear congruential generator: the same numbers in every run.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).unwrap() % end
    }
}

/// A message of the model: its name, and the names of its ancestors, the farthest first.
type Mail = (String, Vec<String>);

/// Conversations of which some messages never come, and of which each message names its last ancestors alone.
fn conversations(numbers: &mut Numbers) -> Vec<Mail> {
    let mut chains: Vec<Vec<String>> = Vec::new();
    let mut mails = Vec::new();
    for number in 0..14 {
        let name = format!("m{number}");
        let mut chain = match chains.len() {
            0 => Vec::new(),
            _ if numbers.below(5) == 0 => Vec::new(),
            count => chains[numbers.below(count)].clone(),
        };
        let named = if chain.is_empty() { 0 } else { 1 + numbers.below(chain.len()) };
        if numbers.below(3) != 0 {
            mails.push((name.clone(), chain[chain.len() - named..].to_vec()));
        }
        chain.push(name);
        chains.push(chain);
    }
    mails
}

/// The threads of mails as JWZ threading has them: the children of each container, from the root.
fn jwz(mails: &[Mail]) -> BTreeSet<BTreeSet<String>> {
    let mut parents: BTreeMap<String, String> = BTreeMap::new();
    let root = |parents: &BTreeMap<String, String>, name: &str| {
        let mut name = name.to_owned();
        while let Some(parent) = parents.get(&name) {
            name.clone_from(parent);
        }
        name
    };
    for (name, references) in mails {
        let chain: Vec<&String> = references.iter().chain([name]).collect();
        for pair in chain.windows(2) {
            if !parents.contains_key(pair[1]) && root(&parents, pair[0]) != *pair[1] {
                parents.insert(pair[1].clone(), pair[0].clone());
            }
        }
    }
    let mut threads: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (name, _) in mails {
        threads.entry(root(&parents, name)).or_default().insert(name.clone());
    }
    threads.into_values().collect()
}

#[tokio::test]
async fn threads_are_those_of_jwz_in_whatever_order_messages_arrive() {
    let app = TestApp::builder().without_dkim().start().await;
    let mut numbers = Numbers(7);
    for conversation in 0..6 {
        let mut mails = conversations(&mut numbers);
        let expected = jwz(&mails);
        let mut before = None;
        for order in 0..4 {
            for at in (1..mails.len()).rev() {
                mails.swap(at, numbers.below(at + 1));
            }
            let name = format!("list{conversation}-{order}");
            let list = open(&app, &name).await;
            for (id, references) in &mails {
                let references: Vec<&str> = references.iter().map(String::as_str).collect();
                post(&app, &list, id, &references).await;
            }
            let (parents, threads) = tree(&app, &name);
            assert_eq!(threads, expected, "{mails:?}");
            for (id, references) in &mails {
                let named = references.iter().rev().find(|other| parents.contains_key(*other));
                assert!(named.is_none_or(|named| parents[id] == *named), "{id} in {mails:?}: {parents:?}");
            }
            assert!(before.is_none_or(|before| before == parents), "{mails:?}: {parents:?}");
            before = Some(parents);
        }
    }
    app.advance(Duration::from_secs(1)).await;
    let problems = crier::ops::archive::threads::problems(&app.core().store.read().unwrap()).unwrap();
    assert_eq!(problems, [""; 0]);
}
