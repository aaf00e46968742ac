//! `search` on contacts and lists.

use serde_json::{Value, json};

use super::{column, wrong_fields};
use crate::harness::TestApp;
use crate::harness::http::encode;

const CONTACTS: &str = "/api/2/contacts/";

async fn create(app: &TestApp, body: Value) -> u64 {
    app.admin.post_json(CONTACTS, &body).await.good()["id"].as_u64().expect("an id")
}

/// The ids that a search finds; the count must agree.
async fn found(app: &TestApp, question: &str) -> Vec<u64> {
    let listing = app.admin.get(&format!("{CONTACTS}?search={}", encode(question))).await.good();
    let ids: Vec<u64> = column(&listing, "id").iter().filter_map(Value::as_u64).collect();
    assert_eq!(listing["count"], ids.len(), "{question}");
    ids
}

#[tokio::test]
async fn a_contact_is_found_by_the_words_of_everything_that_describes_it() {
    let app = TestApp::start().await;
    app.add_field("Favourite colour", Some("colour")).await;
    let ada = create(
        &app,
        json!({
            "emails": ["countess.ada@analytical.example.org", "a1@xn--exmple-cua.org"], "firstname": "Ada",
            "surname": "Lovelace-King", "notes": "Likes engines, not horses", "ccid": "C-42/7".replace('/', "."),
            "colour": "Dark green",
        }),
    )
    .await;
    let zoe =
        create(&app, json!({"emails": ["zoe@example.com"], "firstname": "Zoë", "notes": "École"})).await;
    for question in [
        "ada",
        "ADA love",
        "king",
        "countess",
        "analytical",
        "example.org ada",
        "exämple org",
        "engines horses",
        "42",
        "c 7",
        "green",
        "dark ada org",
        "countess.ada@analytical.example.org",
    ] {
        assert_eq!(found(&app, question).await, [ada], "{question}");
    }
    for question in ["zoe", "ZOË", "ecole", "écol", "e\u{301}cole com"] {
        assert_eq!(found(&app, question).await, [zoe], "{question}");
    }
    for question in ["", "example", "- .", "e ex"] {
        assert_eq!(found(&app, question).await, [ada, zoe], "{question}");
    }
    for question in ["reen", "ada zoe", "lovelaces", "greens", "colour"] {
        assert_eq!(found(&app, question).await, [0u64; 0], "{question}");
    }
}

#[tokio::test]
async fn a_search_knows_every_change_at_once() {
    let app = TestApp::start().await;
    app.add_field("Colour", None).await;
    let body = json!({"emails": ["old@x.org", "second@x.org"], "firstname": "Before", "Colour": "red"});
    let id = create(&app, body).await;
    let path = format!("{CONTACTS}{id}/");
    let change = json!({"firstname": "After", "Colour": "blue", "emails": ["new@x.org", "second@x.org"]});
    app.admin.put_json(&path, &change).await.good();
    for (question, is_found) in [
        ("before", false),
        ("after", true),
        ("red", false),
        ("blue", true),
        ("old", false),
        ("new", true),
        ("second", true),
    ] {
        assert_eq!(!found(&app, question).await.is_empty(), is_found, "{question}");
    }
    let second = app.email("second@x.org").await["id"].to_string();
    app.admin.put(&format!("/api/2/emails/{second}/"), &[("email", "third@y.org")]).await.good();
    assert!(found(&app, "second").await.is_empty());
    assert_eq!(found(&app, "third y").await, [id]);
    app.admin.delete(&format!("/api/2/emails/{second}/")).await.good();
    assert!(found(&app, "third").await.is_empty());
    app.admin.delete(&path).await.good();
    for question in ["after", "new", "org"] {
        assert!(found(&app, question).await.is_empty(), "{question}");
    }
}

#[tokio::test]
async fn a_search_combines_with_the_other_filters() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let ada = create(&app, json!({"emails": ["ada@x.org"], "lists": ["news"], "ccid": "c1"})).await;
    let adam = create(&app, json!({"emails": ["adam@x.org"]})).await;
    let bob = create(&app, json!({"emails": ["bob@x.org"], "lists": ["news"]})).await;
    for (query, expected) in [
        ("search=ada", vec![ada, adam]),
        ("search=x&list=news", vec![ada, bob]),
        ("search=ada&list=news", vec![ada]),
        ("search=ada&email=adam%40x.org", vec![adam]),
        ("search=bob&email=adam%40x.org", vec![]),
        ("search=ada&email=adam%40x.org&list=news", vec![]),
        ("search=ada&ccid=c1&list=news", vec![ada]),
        ("search=bob&ccid=c1", vec![]),
        ("search=-&list=news", vec![ada, bob]),
    ] {
        let listing = app.admin.get(&format!("{CONTACTS}?{query}")).await.good();
        assert_eq!(column(&listing, "id"), expected, "{query}");
        assert_eq!(listing["count"], expected.len(), "{query}");
    }
    app.admin.get(&format!("{CONTACTS}?search=ada&list=nothing")).await.error(404, "no such list");
}

#[tokio::test]
async fn a_search_is_paged_by_number_and_by_position() {
    let app = TestApp::start().await;
    let mut ids = Vec::new();
    for number in 0..7 {
        ids.push(create(&app, json!({"emails": [format!("ada{number}@x.org")]})).await);
        create(&app, json!({"emails": [format!("bob{number}@x.org")]})).await;
    }
    let after = ids[2];
    for (query, expected) in [
        ("limit=3".to_owned(), &ids[..3]),
        ("limit=3&page=3".to_owned(), &ids[6..]),
        ("limit=3&page=4".to_owned(), &[]),
        (format!("limit=3&after={after}"), &ids[3..6]),
        (format!("limit=3&after={}", after + 1), &ids[3..6]),
    ] {
        let listing = app.admin.get(&format!("{CONTACTS}?search=ada&{query}")).await.good();
        assert_eq!(column(&listing, "id"), expected, "{query}");
        assert_eq!(listing["count"], 7, "{query}");
    }
}

#[tokio::test]
async fn words_that_many_contacts_have_are_found_as_well() {
    let app = TestApp::start().await;
    app.list("all").create().await;
    app.fill("all", 2500).await;
    let listing = app.admin.get(&format!("{CONTACTS}?search=member+example&limit=1&page=2500")).await.good();
    assert_eq!((&listing["count"], column(&listing, "id").len()), (&json!(2500), 1));
    // One that few have beside others that all have.
    let one = app.email("member1234@example.org").await["contact"].as_u64().expect("a contact");
    for question in ["member1234", "member1234 org", "member1234 example or"] {
        assert_eq!(found(&app, question).await, [one], "{question}");
    }
    assert!(found(&app, "member1234 com").await.is_empty());
}

#[tokio::test]
async fn nothing_of_another_account_is_found() {
    let app = TestApp::start().await;
    let other = app.other_account().await;
    create(&app, json!({"emails": ["ada@x.org"], "firstname": "Ada"})).await;
    assert_eq!(other.get(&format!("{CONTACTS}?search=ada")).await.good()["count"], 0);
    other.post(CONTACTS, &[("emails", "ada@x.org")]).await.good();
    assert_eq!(other.get(&format!("{CONTACTS}?search=ada")).await.good()["count"], 1);
    assert_eq!(found(&app, "ada").await.len(), 1);
}

#[tokio::test]
async fn a_search_text_has_at_most_200_characters() {
    let app = TestApp::start().await;
    for path in [CONTACTS, "/api/2/lists/"] {
        app.admin.get(&format!("{path}?search={}", "a".repeat(200))).await.good();
        let response = app.admin.get(&format!("{path}?search={}", "a".repeat(201))).await;
        assert_eq!(wrong_fields(&response), ["search"]);
    }
}

#[tokio::test]
async fn notes_of_any_size_can_be_kept_and_their_first_words_be_found() {
    let app = TestApp::start().await;
    let notes: Vec<String> = (0..100_000).map(|number| format!("w{number}")).collect();
    let id = create(&app, json!({"emails": ["ada@x.org"], "notes": notes.join(" ")})).await;
    for question in ["w0", "w500", "ada w1999"] {
        assert_eq!(found(&app, question).await, [id], "{question}");
    }
    app.admin.delete(&format!("{CONTACTS}{id}/")).await.good();
    assert!(found(&app, "w0").await.is_empty());
}

#[tokio::test]
async fn a_list_is_found_by_its_name_and_description() {
    let app = TestApp::start().await;
    for (name, description) in
        [("news.weekly", "Was gibt's Neues"), ("staff", "Everyone in Zürich"), ("NEWS-daily", "")]
    {
        app.list(name).with("description", description).with("clid", name).create().await;
    }
    for (query, expected) in [
        ("search=news", vec!["news.weekly", "NEWS-daily"]),
        ("search=DAIL+news", vec!["NEWS-daily"]),
        ("search=zurich", vec!["staff"]),
        ("search=neues", vec!["news.weekly"]),
        ("search=eekly", vec![]),
        ("search=", vec!["news.weekly", "staff", "NEWS-daily"]),
        ("search=news&limit=1&page=2", vec!["NEWS-daily"]),
        ("search=news&name=staff", vec![]),
        ("search=news&clid=NEWS-daily", vec!["NEWS-daily"]),
    ] {
        let listing = app.admin.get(&format!("/api/2/lists/?{query}")).await.good();
        assert_eq!(column(&listing, "name"), expected, "{query}");
        let count = if query.contains("limit") { 2 } else { expected.len() };
        assert_eq!(listing["count"], count, "{query}");
    }
}
