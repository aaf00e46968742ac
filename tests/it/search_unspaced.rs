//! Search in Chinese, Japanese, Thai and others, which are written without blanks: a plain look into each text says what it must find.

use crier::model::terms::Terms;
use crier::model::{AccountId, List, Message, RecentTerms};
use crier::ops::archive::find::{Order, SearchScope};
use crier::ops::archive::indexing;
use crier::ops::archive::query::Query;
use crier::store::{Read as _, StoreError};

use crate::harness::TestApp;
use crate::harness::data::TestList;
use crate::harness::http::encode;
use crate::harness::visitor::Visitor;
use crate::search_oracle::all_pages;

const LETTERS: [char; 5] = ['東', '京', '都', 'タ', 'ー'];
/// What stands between stretches of letters.
const BETWEEN: [&str; 6] = ["、", "。\n", " ", "x", "2", "「"];
const ADA: &str = "ada@example.org";

/// Texts in which every short row of letters stands somewhere, and is missing somewhere.
fn texts() -> Vec<String> {
    // A linear congruential generator: the same texts in every run.
    let mut state = 11_u64;
    let mut below = |end: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap() % end
    };
    let mut text = || {
        let mut text = String::new();
        for _ in 0..=below(4) {
            for _ in 0..=below(6) {
                text.push(LETTERS[below(LETTERS.len())]);
            }
            text.push_str(BETWEEN[below(BETWEEN.len())]);
        }
        text
    };
    (0..150).map(|_| text()).collect()
}

/// All rows of one to three letters, and some longer ones.
fn questions() -> Vec<String> {
    let mut questions: Vec<String> = LETTERS.iter().map(char::to_string).collect();
    let mut begin = 0;
    while questions[begin].chars().count() < 3 {
        let longer = LETTERS.iter().map(|letter| format!("{}{letter}", questions[begin]));
        questions.extend(longer.collect::<Vec<_>>());
        begin += 1;
    }
    questions.extend(["東京都タ", "都2", "x東", "京x都", "タ2ー"].map(str::to_owned));
    questions
}

async fn post(app: &TestApp, list: &TestList, subject: &str, text: &str) {
    let mail = format!(
        "From: {ADA}\nSubject: {subject}\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8\n\
         Content-Transfer-Encoding: 8bit\n\n{text}\n"
    );
    assert_eq!(app.send_mail(ADA, &list.address, &mail).await.code, 250);
}

#[tokio::test]
async fn any_part_of_a_text_without_blanks_is_found() {
    let app = TestApp::builder().without_dkim().start().await;
    let list = app.list("news").open().with("archive_enabled", "true").member(ADA).create().await;
    let texts = texts();
    for (number, text) in texts.iter().enumerate() {
        post(&app, &list, &number.to_string(), text).await;
    }
    app.settle().await;
    let tx = app.core().store.read().unwrap();
    let lists: Vec<_> = tx.all::<List>(0, 10).unwrap().iter().map(|list| list.id).collect();
    let account = AccountId(app.account_id());
    let scope = SearchScope { account, lists: &lists, shows_addresses: true, hidden_authors: &[] };
    let mut hits = 0;
    for question in questions() {
        let query = Query::parse(&question, &jiff::tz::TimeZone::UTC).unwrap();
        let (ids, _, _) = all_pages(&tx, &scope, &query, Order::Newest, 1000);
        let number = |id: u64| tx.get::<Message>(id).unwrap().unwrap().subject.parse().unwrap();
        let mut found: Vec<usize> = ids.into_iter().map(number).collect();
        found.sort_unstable();
        let expected: Vec<usize> =
            (0..texts.len()).filter(|number| texts[*number].contains(&question)).collect();
        assert_eq!(found, expected, "{question}");
        hits += found.len();
    }
    assert!(1000 < hits, "{hits} hits are no test");
}

/// The messages that the words of an older version are kept of are looked at once more, and none is found twice.
#[tokio::test]
async fn a_file_of_an_older_version_is_indexed_anew() {
    let mut app = TestApp::builder().without_dkim().start().await;
    let list = app.list("news").open().with("archive_enabled", "true").member(ADA).create().await;
    // More than stay outside of a segment.
    for number in 0..140 {
        post(&app, &list, &number.to_string(), if number % 2 == 0 { "会場は東京都庁です。" } else { "tea" })
            .await;
    }
    app.settle().await;
    // And one that does.
    post(&app, &list, "140", "都庁").await;
    app.settle().await;
    let found = async |app: &TestApp, word: &str| {
        let path = format!("/api/2/messages/?search={}&limit=200", encode(word));
        app.admin.get(&path).await.good()["count"].as_u64().unwrap()
    };
    assert_eq!((found(&app, "都庁").await, found(&app, "tea").await), (71, 70));
    // As a version before left it: nothing says that pairs were looked for, and a message has none.
    let store = app.core().store.clone();
    let before: Result<(), StoreError> = store
        .write(|tx| {
            tx.set_meta("message pairs of all writings", None)?;
            let recent = tx.all::<RecentTerms>(0, 200)?.pop().unwrap();
            let message: Message = tx.get(recent.id.0)?.unwrap();
            let old = Terms::of_message(&message, "会場は", false);
            tx.put(&RecentTerms::new(&message, &old))
        })
        .await;
    before.unwrap();
    drop(store);
    assert_eq!(found(&app, "都庁").await, 70);
    app.restart().await;
    app.settle().await;
    assert_eq!((found(&app, "都庁").await, found(&app, "tea").await), (71, 70));
    let problems = indexing::problems(&app.core().store.read().unwrap()).unwrap();
    assert_eq!(problems, [""; 0]);
    // What comes later is indexed beside, once.
    post(&app, &list, "200", "東京都庁").await;
    app.settle().await;
    assert_eq!(found(&app, "都庁").await, 72);
    app.restart().await;
    app.settle().await;
    assert_eq!(found(&app, "都庁").await, 72);
}

/// A version before did Chinese and Japanese alone, and was done with them.
#[tokio::test]
async fn thai_messages_of_an_older_version_are_indexed_anew_once() {
    let mut app = TestApp::builder().without_dkim().start().await;
    let list = app.list("news").open().with("archive_enabled", "true").member(ADA).create().await;
    post(&app, &list, "1", "การประชุมครั้งแรก").await;
    post(&app, &list, "2", "東京").await;
    app.settle().await;
    let store = app.core().store.clone();
    let before: Result<(), StoreError> = store
        .write(|tx| {
            tx.set_meta("message pairs of all writings", None)?;
            tx.set_meta("message pairs", Some(&[2_u64.to_be_bytes(); 2].concat()))?;
            for message in tx.all::<Message>(0, 10)? {
                tx.put(&RecentTerms::new(&message, &Terms::of_message(&message, "", false)))?;
            }
            Ok(())
        })
        .await;
    before.unwrap();
    drop(store);
    app.restart().await;
    app.settle().await;
    let found = async |word: &str| {
        let path = format!("/api/2/messages/?search={}", encode(word));
        app.admin.get(&path).await.good()["count"].as_u64().unwrap()
    };
    assert_eq!(found("ประชุม").await, 1);
    assert_eq!(found("東京").await, 0, "the version before had done it");
    let problems = indexing::problems(&app.core().store.read().unwrap()).unwrap();
    assert_eq!(problems, [""; 0]);
}

#[tokio::test]
async fn thai_lao_khmer_burmese_and_korean_words_are_found_on_the_page() {
    let app = TestApp::builder().without_dkim().start().await;
    let list = app.list("news").open().with("archive_enabled", "true").with("archive_protected", "false");
    let list = list.member(ADA).create().await;
    for (subject, text) in [
        ("Thai", "การประชุมครั้งแรกเป็นวันจันทร์ น้ำใจ"),
        ("Lao", "ກອງປະຊຸມຄັ້ງທຳອິດ"),
        ("Khmer", "ការប្រជុំលើកដំបូង"),
        ("Burmese", "ပထမအစည်းအဝေး"),
        ("Korean", "서울에서 만나요"),
    ] {
        post(&app, &list, subject, text).await;
    }
    app.settle().await;
    let mut anyone = Visitor::new(&app);
    for (question, marked) in [
        ("ประชุม", Some("<mark>ประชุม</mark>ครั้งแรก")),
        ("เป็น", Some("<mark>เป็น</mark>วัน")),
        ("น้ำ", Some("<mark>น้ำ</mark>ใจ")),
        ("ประจุม", None),
        ("ປະຊຸມ", Some("<mark>ປະຊຸມ</mark>")),
        ("ប្រជុំ", Some("<mark>ប្រជុំ</mark>")),
        ("အစည်းအဝေး", Some("<mark>အစည်းအဝေး</mark>")),
        ("서울", Some("<mark>서울에서</mark>")),
        ("울에", None),
    ] {
        let page = anyone.get(&format!("/lists/news/search/?q={}", encode(question))).await.body;
        match marked {
            Some(marked) => assert!(page.contains(marked), "{question}: {page}"),
            None => assert!(!page.contains("<mark>"), "{question}: {page}"),
        }
    }
}

#[tokio::test]
async fn the_page_marks_the_letters_that_were_asked_for() {
    let app = TestApp::builder().without_dkim().start().await;
    let list = app.list("news").open().with("archive_enabled", "true").with("archive_protected", "false");
    let list = list.member(ADA).create().await;
    post(&app, &list, "第2回定期演奏会", "会場は東京都庁です。").await;
    app.settle().await;
    let mut anyone = Visitor::new(&app);
    for (question, shown) in [
        ("京都", "会場は東<mark>京都</mark>庁です"),
        ("演奏会", "第2回定期<mark>演奏会</mark>"),
        ("第2回", "<mark>第</mark><mark>2</mark><mark>回</mark>定期演奏会"),
        ("庁", "会場は東京都<mark>庁</mark>です"),
    ] {
        let path = format!("/lists/news/search/?q={}", encode(question));
        let page = anyone.get(&path).await.body;
        assert!(page.contains(shown), "{question}: {page}");
    }
    let path = format!("/lists/news/search/?q={}", encode("東都"));
    assert!(!anyone.get(&path).await.body.contains("<mark>"), "letters that stand apart");
}
