//! `limit_lists` and `limit_metadata`: what is outside them is as if it were not there, on every route.

use serde_json::{Value, json};

use super::{column, each, key_holder, wrong_fields};
use crate::harness::TestApp;
use crate::harness::http::{Client, Response};

/// A server with lists that are seen and hidden, and the holder of a key that is limited to `news` and `team`.
struct Limited {
    app: TestApp,
    /// May do everything within its limits.
    client: Client,
    /// In `news` alone.
    inside: Value,
    /// In `news` and in `secret`.
    shared: Value,
    /// In `secret` alone.
    hidden: Value,
    /// Messages of both lists.
    messages: [Value; 2],
}

impl Limited {
    async fn start() -> Limited {
        let app = TestApp::start().await;
        app.add_field("team", None).await;
        app.add_field("salary", None).await;
        app.list("news").create().await;
        app.list("secret").with("clid", "s-1").create().await;
        let mut contacts = Vec::new();
        for (name, lists) in
            [("inside", "news"), ("shared", "news,secret"), ("hidden", "secret"), ("alone", "")]
        {
            let fields = json!({
                "emails": [format!("{name}@x.org")], "firstname": name, "lists": lists,
                "ccid": format!("c-{name}"), "team": "red", "salary": "7",
            });
            contacts.push(app.admin.post_json("/api/2/contacts/", &fields).await.good());
        }
        let mut messages = Vec::new();
        for list in ["news", "secret"] {
            let fields = [("list", list), ("content_plain", "x"), ("subject", "About us")];
            messages.push(app.admin.post("/api/2/messages/", &fields).await.good());
        }
        app.settle().await;
        let client = key_holder(&app, limits()).await;
        let [inside, shared, hidden, _] = contacts.try_into().unwrap();
        Limited { app, client, inside, shared, hidden, messages: messages.try_into().unwrap() }
    }

    /// Asks the same of what is hidden and of what is not there; both names are taken out of the answers.
    async fn twins(&self, method: &str, path: &str, body: &str, hidden: &str, absent: &str) -> Response {
        let ask = async |name: &str| {
            let (path, body) = (path.replace("{}", name), body.replace("{}", name));
            let mut response = self.client.request(method, &path, &[], body.as_bytes()).await;
            response.body = response.body.replace(name, "{}");
            for (_, value) in &mut response.headers {
                *value = value.replace(name, "{}");
            }
            response
        };
        let (first, second) = (ask(hidden).await, ask(absent).await);
        let call = format!("{method} {path} {body}: {hidden} against {absent}");
        assert_eq!((first.status, &first.body), (second.status, &second.body), "{call}");
        let ignored = |response: &Response| response.header("x-ignored-parameters").map(str::to_owned);
        assert_eq!(ignored(&first), ignored(&second), "{call}");
        first
    }
}

fn limits() -> Value {
    json!({
        "permissions": [
            "manage_settings", "manage_members", "approve_messages", "send_messages", "limit_lists",
            "limit_metadata",
        ],
        "limit_lists": ["news"],
        "limit_metadata": ["team"],
    })
}

#[tokio::test]
async fn no_route_tells_a_hidden_object_from_an_absent_one() {
    let limited = Limited::start().await;
    let (hidden, message) = (&limited.hidden, limited.messages[1]["id"].to_string());
    let (id, email) = (hidden["id"].to_string(), hidden["emails"][0]["id"].to_string());
    let membership = hidden["lists"][0]["id"].to_string();
    let shared = limited.shared["lists"][1]["id"].to_string();
    let alone = (id.parse::<u64>().unwrap() + 1).to_string();
    for (path, name, absent, body) in [
        ("/api/2/contacts/{}/", id.as_str(), "99999", "firstname=x"),
        ("/api/2/contacts/{}/", alone.as_str(), "99999", "lists=news"),
        ("/api/2/emails/{}/", email.as_str(), "99999", "paused=1"),
        ("/api/2/emails/{}/", "hidden%40x.org", "nobody%40x.org", "paused=1"),
        ("/api/2/membership/{}/", membership.as_str(), "99999", "digest=1"),
        ("/api/2/membership/{}/", shared.as_str(), "99999", "digest=1"),
        ("/api/2/lists/{}/", "secret", "nothing", "notes=x"),
        ("/api/2/messages/{}/", message.as_str(), "99999", ""),
        ("/api/2/messages/{}/raw/", message.as_str(), "99999", ""),
        ("/api/2/messages/{}/deliveries/", message.as_str(), "99999", ""),
    ] {
        for method in ["GET", "HEAD", "PUT", "DELETE"] {
            let status = limited.twins(method, path, body, name, absent).await.status;
            assert!([404, 405].contains(&status), "{method} {path}: {status}");
        }
    }
    assert_eq!(limited.app.members("secret").await, ["hidden@x.org", "shared@x.org"], "nothing was done");
}

#[tokio::test]
async fn no_filter_tells_a_hidden_object_from_an_absent_one() {
    let limited = Limited::start().await;
    let (id, thread) = (limited.hidden["id"].to_string(), limited.messages[1]["id"].to_string());
    for (path, name, absent, status) in [
        ("/api/2/contacts/?list={}", "secret", "nothing", 404),
        ("/api/2/contacts/?email={}", "hidden%40x.org", "nobody%40x.org", 200),
        ("/api/2/contacts/?email={}", "alone%40x.org", "nobody%40x.org", 200),
        ("/api/2/contacts/?ccid={}", "c-hidden", "c-nobody", 200),
        ("/api/2/contacts/?list=news&email={}", "hidden%40x.org", "nobody%40x.org", 200),
        ("/api/2/membership/?list={}", "secret", "nothing", 404),
        ("/api/2/membership/?contact={}", &id, "99999", 404),
        ("/api/2/membership/?email={}", "hidden%40x.org", "nobody%40x.org", 404),
        ("/api/2/lists/?name={}", "secret", "nothing", 200),
        ("/api/2/lists/?clid={}", "s-1", "s-2", 200),
        ("/api/2/messages/?list={}", "secret", "nothing", 404),
        ("/api/2/messages/?thread={}", &thread, "99999", 404),
        ("/api/2/contacts/?search={}", "hidden", "nobody", 200),
        ("/api/2/contacts/?search=inside+{}", "hidden", "nobody", 200),
        ("/api/2/lists/?search={}", "secret", "nothing", 200),
        ("/api/2/messages/?search={}", "secret", "nothing", 200),
    ] {
        let response = limited.twins("GET", path, "", name, absent).await;
        assert_eq!(response.status, status, "{path}");
        if status == 200 {
            let listing = response.good();
            assert_eq!((&listing["data"], &listing["count"]), (&json!([]), &json!(0)), "{path}");
        }
    }
}

#[tokio::test]
async fn no_value_tells_a_hidden_object_from_an_absent_one() {
    let limited = Limited::start().await;
    let (id, inside) = (limited.hidden["id"].to_string(), limited.inside["id"].to_string());
    let contact = format!("/api/2/contacts/{inside}/");
    for (method, path, body, name, absent, status) in [
        ("POST", "/api/2/contacts/", "emails=n@x.org&lists={}".to_owned(), "secret", "nothing", 400),
        ("PUT", contact.as_str(), "lists=news,{}".to_owned(), "secret", "nothing", 400),
        ("PUT", contact.as_str(), "lists=news&{}=9".to_owned(), "salary", "wealth", 200),
        ("POST", "/api/2/emails/", "email=n@x.org&contact={}".to_owned(), &id, "99999", 400),
        ("POST", "/api/2/membership/", "list=news&contact={}".to_owned(), &id, "99999", 400),
        ("POST", "/api/2/membership/", format!("contact={inside}&list={{}}"), "secret", "nothing", 400),
        ("POST", "/api/2/messages/", "content_plain=x&list={}".to_owned(), "secret", "nothing", 404),
        ("PUT", "/api/2/lists/news/", "restrict_post_lists={}".to_owned(), "secret", "nothing", 400),
        ("PUT", "/api/2/lists/news/", "hold_subject=%24%7B{}%7D".to_owned(), "salary", "wealth", 400),
    ] {
        let response = limited.twins(method, path, &body, name, absent).await;
        assert_eq!(response.status, status, "{method} {path} {body}: {}", response.body);
    }
    let kept = limited.app.admin.get(&contact).await.good();
    assert_eq!(kept["salary"], "7", "a hidden field keeps its value");
}

#[tokio::test]
async fn no_row_of_a_batch_tells_a_hidden_object_from_an_absent_one() {
    let limited = Limited::start().await;
    let post = async |name: &str, row: Value| {
        let made = limited.client.post_json("/api/2/contacts/batch/", &json!([row])).await;
        let ignored = made.header("x-ignored-parameters").map(|names| names.replace(name, "{}"));
        (made.good()["data"][0].to_string().replace(name, "{}"), ignored)
    };
    for lists in ["{}", "news,{}"] {
        let of = async |name: &str| {
            post(name, json!({"emails": "n@x.org", "lists": lists.replace("{}", name)})).await
        };
        let hidden = of("secret").await;
        assert_eq!(hidden, of("nothing").await);
        assert!(hidden.0.contains("400"), "{hidden:?}");
    }
    let of = async |name: &str, address: &str| {
        post(name, json!({"emails": address, "lists": "news", name: "9", "team": "blue"})).await.1
    };
    assert_eq!(of("salary", "m1@x.org").await, of("wealth", "m2@x.org").await);
    let taken = post("hidden", json!({"emails": "hidden@x.org", "lists": "news"})).await;
    let seen = post("inside", json!({"emails": "inside@x.org", "lists": "news"})).await;
    assert_eq!(taken, seen, "a taken address says no more");
}

#[tokio::test]
async fn listings_and_counts_hold_what_is_seen_alone() {
    let limited = Limited::start().await;
    let client = &limited.client;
    let seen = [limited.inside["id"].clone(), limited.shared["id"].clone()];
    let contacts = client.get("/api/2/contacts/").await.good();
    assert_eq!((column(&contacts, "id"), &contacts["count"]), (seen.to_vec(), &json!(2)));
    for (query, expected) in [
        ("limit=1&page=2".to_owned(), vec![seen[1].clone()]),
        (format!("after={}", seen[0]), vec![seen[1].clone()]),
        ("list=news".to_owned(), seen.to_vec()),
        ("email=shared%40x.org".to_owned(), vec![seen[1].clone()]),
    ] {
        let contacts = client.get(&format!("/api/2/contacts/?{query}")).await.good();
        assert_eq!(column(&contacts, "id"), expected, "{query}");
    }
    for query in ["", "?list=news", "?limit=1000"] {
        let memberships = client.get(&format!("/api/2/membership/{query}")).await.good();
        assert_eq!(
            (column(&memberships, "list"), &memberships["count"]),
            (vec![json!("news"); 2], &json!(2))
        );
    }
    let of_shared = client.get(&format!("/api/2/membership/?contact={}", seen[1])).await.good();
    assert_eq!((column(&of_shared, "list"), &of_shared["count"]), (vec![json!("news")], &json!(1)));
    let lists = client.get("/api/2/lists/").await.good();
    assert_eq!((column(&lists, "name"), &lists["count"]), (vec![json!("news")], &json!(1)));
    assert_eq!(lists["data"][0]["contacts"], json!(seen));
    let messages = client.get("/api/2/messages/").await.good();
    let expected = (vec![limited.messages[0]["id"].clone()], json!(1));
    assert_eq!((column(&messages, "id"), messages["count"].clone()), expected);
    for query in ["subject=about", "since=0", "list=news"] {
        let messages = client.get(&format!("/api/2/messages/?{query}")).await.good();
        assert_eq!((column(&messages, "id"), messages["count"].clone()), expected, "{query}");
    }
    let id = &limited.messages[0]["id"];
    assert_eq!(client.get(&format!("/api/2/messages/?after={id}")).await.good()["data"], json!([]));
}

#[tokio::test]
async fn a_contact_that_is_elsewhere_too_shows_and_changes_the_seen_memberships_alone() {
    let limited = Limited::start().await;
    let (client, shared) = (&limited.client, &limited.shared);
    let path = format!("/api/2/contacts/{}/", shared["id"]);
    let seen = client.get(&path).await.good();
    assert_eq!(each(&seen["lists"], "list"), ["news"]);
    assert_eq!(client.put_json(&path, &seen).await.good(), seen, "what was read can be put back");
    for body in [json!({"firstname": "x"}), json!({"emails": ["y@x.org"]}), json!({"team": "blue"})] {
        client.put_json(&path, &body).await.error(403, "limits");
    }
    client.delete(&path).await.error(403, "limits");
    let email = format!("/api/2/emails/{}/", shared["emails"][0]["id"]);
    client.put(&email, &[("paused", "1")]).await.error(403, "limits");
    client.delete(&email).await.error(403, "limits");
    let more = [("contact", shared["id"].to_string()), ("email", "more@x.org".to_owned())];
    let more = more.each_ref().map(|(name, value)| (*name, value.as_str()));
    client.post("/api/2/emails/", &more).await.error(403, "limits");
    let changed = client.put_json(&path, &json!({"lists": [{"list": "news", "digest": 1}]})).await.good();
    assert_eq!(each(&changed["lists"], "digest"), [1]);
    client.put(&path, &[("lists", "")]).await.good();
    client.get(&path).await.error(404, "contact");
    let left = limited.app.admin.get(&path).await.good();
    assert_eq!((each(&left["lists"], "list"), &left["firstname"]), (vec![json!("secret")], &json!("shared")));
}

#[tokio::test]
async fn a_contact_of_seen_lists_alone_is_managed_in_full() {
    let limited = Limited::start().await;
    let client = &limited.client;
    let path = format!("/api/2/contacts/{}/", limited.inside["id"]);
    let fields = json!({"firstname": "New", "emails": ["inside@x.org", "second@x.org"], "team": "blue"});
    let changed = client.put_json(&path, &fields).await.good();
    assert_eq!((&changed["firstname"], &changed["team"]), (&json!("New"), &json!("blue")));
    client.delete(&path).await.good();
    let made = client.post("/api/2/contacts/", &[("emails", "n@x.org"), ("lists", "news")]).await.good();
    client.delete(&format!("/api/2/emails/{}/", made["emails"][0]["id"])).await.good();
}

#[tokio::test]
async fn a_new_contact_joins_a_seen_list_and_a_taken_address_says_no_more() {
    let limited = Limited::start().await;
    let post = async |address| {
        limited.client.post("/api/2/contacts/", &[("emails", address), ("lists", "news")]).await
    };
    let lonely = limited.client.post("/api/2/contacts/", &[("emails", "n@x.org")]).await;
    assert_eq!(wrong_fields(&lonely), ["lists"]);
    let (hidden, seen) = (post("hidden@x.org").await, post("inside@x.org").await);
    hidden.error(409, "taken");
    assert_eq!(hidden.body.replace("hidden", "inside"), seen.body);
    let ccid = [("emails", "n@x.org"), ("lists", "news"), ("ccid", "c-hidden")];
    limited.client.post("/api/2/contacts/", &ccid).await.error(409, "another contact has it");
}

#[tokio::test]
async fn where_custom_identifiers_name_contacts_a_hidden_one_is_taken_and_no_more() {
    let limited = Limited::start().await;
    limited.app.change_account(|account| account.ccid_enabled = true).await;
    let client = &limited.client;
    assert_eq!(limited.twins("GET", "/api/2/contacts/{}/", "", "c-hidden", "c-nobody").await.status, 404);
    assert_eq!(limited.twins("DELETE", "/api/2/contacts/{}/", "", "c-hidden", "c-nobody").await.status, 404);
    let fields = [("emails", "n@x.org"), ("lists", "news")];
    client.put("/api/2/contacts/c-hidden/", &fields).await.error(409, "another contact has it");
    client.put("/api/2/contacts/c-nobody/", &fields).await.good();
    assert_eq!(client.get("/api/2/lists/news/").await.good()["contacts"].as_array().unwrap().len(), 3);
}

#[tokio::test]
async fn lists_are_not_made_and_hidden_names_are_kept() {
    let limited = Limited::start().await;
    let (client, admin) = (&limited.client, &limited.app.admin);
    client.post("/api/2/lists/", &[("name", "more")]).await.error(403, "limits");
    let path = "/api/2/lists/news/";
    admin.put(path, &[("restrict_post_lists", "news,secret")]).await.good();
    assert_eq!(client.get(path).await.good()["restrict_post_lists"], json!(["news"]));
    assert_eq!(
        client.put(path, &[("restrict_post_lists", "")]).await.good()["restrict_post_lists"],
        json!([])
    );
    assert_eq!(admin.get(path).await.good()["restrict_post_lists"], json!(["secret"]));
    client.put(path, &[("name", "secret")]).await.error(409, "taken");
    client.put(path, &[("name", "renamed")]).await.good();
    assert_eq!(column(&client.get("/api/2/lists/").await.good(), "name"), ["renamed"]);
}

#[tokio::test]
async fn custom_fields_outside_the_limits_are_not_there() {
    let limited = Limited::start().await;
    let path = format!("/api/2/contacts/{}/", limited.inside["id"]);
    let seen = limited.client.get(&path).await.good();
    assert_eq!((seen.get("team"), seen.get("salary")), (Some(&json!("red")), None));
    let changed = limited.client.put(&path, &[("salary", "9"), ("team", "blue")]).await;
    assert_eq!(changed.header("x-ignored-parameters"), Some("salary"));
    assert_eq!(changed.good().get("salary"), None);
    let whole = limited.app.admin.get(&path).await.good();
    assert_eq!((&whole["team"], &whole["salary"]), (&json!("blue"), &json!("7")));
}

#[tokio::test]
async fn an_answer_that_was_given_to_one_is_not_given_to_another() {
    let limited = Limited::start().await;
    for path in ["/api/2/contacts/", "/api/2/lists/", "/api/2/membership/", "/api/2/messages/"] {
        for _ in 0..2 {
            let whole = limited.app.admin.get(path).await.good()["count"].clone();
            assert_ne!(limited.client.get(path).await.good()["count"], whole, "{path}");
        }
    }
}

#[tokio::test]
async fn limits_by_themselves_grant_nothing() {
    let limited = Limited::start().await;
    let fields = json!({"permissions": ["limit_lists", "limit_metadata"], "limit_lists": ["news"]});
    let client = key_holder(&limited.app, fields).await;
    client.get("/api/2/lists/").await.error(403, "permission");
    client.post("/api/2/contacts/", &[("emails", "n@x.org")]).await.error(403, "permission");
    // Nor do lists limit whose permission is not active.
    let fields = json!({"permissions": ["manage_members"], "limit_lists": ["news"]});
    let client = key_holder(&limited.app, fields).await;
    assert_eq!(client.get("/api/2/lists/").await.good()["count"], 2);
}

#[tokio::test]
async fn a_search_finds_nothing_by_what_is_hidden() {
    let limited = Limited::start().await;
    for (question, inside, all) in [
        ("x", 2, 4),
        ("x org", 2, 4),
        ("inside", 1, 1),
        ("hidden", 0, 1),
        ("alone", 0, 1),
        ("c hidden", 0, 1),
        ("red", 2, 4),
        // The salary.
        ("7", 0, 4),
        ("inside 7", 0, 1),
    ] {
        let path = format!("/api/2/contacts/?search={}", question.replace(' ', "+"));
        assert_eq!(limited.app.admin.get(&path).await.good()["count"], all, "{question}");
        let seen = limited.client.get(&path).await.good();
        assert_eq!((&seen["count"], column(&seen, "id").len()), (&json!(inside), inside), "{question}");
        let by_address = format!("{path}&email=inside%40x.org");
        let expected = u64::from(inside != 0 && all != 1 || question == "inside");
        assert_eq!(limited.client.get(&by_address).await.good()["count"], expected, "{question}");
    }
    for (question, expected) in [("secret", 0), ("news", 1)] {
        let path = format!("/api/2/lists/?search={question}");
        assert_eq!(limited.client.get(&path).await.good()["count"], expected, "{question}");
        assert_eq!(limited.app.admin.get(&path).await.good()["count"], 1, "{question}");
    }
}

#[tokio::test]
async fn held_messages_of_hidden_lists_are_not_there_and_aliases_are_out_of_reach() {
    let Limited { app, client, .. } = Limited::start().await;
    let to = ["news@lists.example.org", "secret@lists.example.org"];
    app.send_mail_to("eve@x.org", &to, "From: eve@x.org\nSubject: hi\n\nhi\n").await;
    assert_eq!(app.admin.get("/api/2/held/").await.good()["count"], 2);
    let seen = client.get("/api/2/held/").await.good();
    assert_eq!((column(&seen, "list"), &seen["count"]), (vec![json!("news")], &json!(1)));
    let all = app.admin.get("/api/2/held/?fields=id,list").await.good();
    let hidden = all["data"].as_array().unwrap().iter().find(|held| held["list"] == "secret").unwrap();
    let path = format!("/api/2/held/{}/", hidden["id"]);
    client.get(&path).await.error(404, "held message");
    client.put(&path, &[("action", "approve")]).await.error(404, "held message");
    client.get("/api/2/aliases/").await.error(403, "limits");
    client.post("/api/2/aliases/", &[("source", "x"), ("destination", "a@x.org")]).await.error(403, "limits");

    app.change_account(|account| account.settings.require_list_approval = true).await;
    let maker = app.key_with([crier::model::Permission::ManageSettings]).await;
    maker.post("/api/2/lists/", &[("name", "wanted")]).await.good();
    let id = app.admin.get("/api/2/pending/").await.good()["data"][0]["id"].clone();
    assert_eq!(client.get("/api/2/pending/").await.good()["count"], 0);
    client.get(&format!("/api/2/pending/{id}/")).await.error(404, "pending request");
}

#[tokio::test]
async fn the_simulator_does_not_tell_who_is_a_member_of_a_hidden_list() {
    let limited = Limited::start().await;
    let (client, admin) = (&limited.client, &limited.app.admin);
    let simulate = async |client: &Client, from: &str| {
        let message = format!("From: {from}\nSubject: x\n\nhi\n");
        let fields = json!({"message": message, "from": from});
        let said = client.post_json("/api/2/lists/news/simulate/", &fields).await.good();
        (said["verdict"].clone(), said["reason"].clone(), said["rules"].clone())
    };
    for restricted in ["news,secret", "secret"] {
        admin.put("/api/2/lists/news/", &[("restrict_post_lists", restricted)]).await.good();
        let nobody = simulate(client, "nobody@x.org").await;
        assert_eq!(simulate(client, "hidden@x.org").await, nobody, "{restricted}");
        assert_eq!(nobody.1, "the sender may not post to this list", "{restricted}");
        assert_ne!(simulate(admin, "hidden@x.org").await, nobody, "{restricted}");
    }
    admin.put("/api/2/lists/news/", &[("restrict_post_lists", "news")]).await.good();
    assert_ne!(simulate(client, "inside@x.org").await, simulate(client, "nobody@x.org").await);
}
