//! `/contacts/`

use serde_json::{Value, json};

use super::{column, each, wrong_fields};
use crate::harness::TestApp;

const CONTACTS: &str = "/api/2/contacts/";

async fn create(app: &TestApp, body: Value) -> Value {
    app.admin.post_json(CONTACTS, &body).await.good()
}

fn path_of(contact: &Value) -> String {
    format!("{CONTACTS}{}/", contact["id"])
}

#[tokio::test]
async fn a_contact_needs_nothing_but_an_address() {
    let app = TestApp::start().await;
    let contact = app.admin.post(CONTACTS, &[("emails", "Ada@Example.org")]).await.good();
    let (id, email) = (&contact["id"], &contact["emails"][0]);
    let expected = json!({
        "id": id, "ccid": null, "firstname": "", "surname": "", "created": "2026-11-20T12:00:00Z",
        "description": "Ada@Example.org", "notes": "", "lists": [],
        "emails": [{
            "id": email["id"], "contact": id, "email": "Ada@Example.org", "digest": false,
            "paused": false, "confirmed": false, "ceid": null,
        }],
    });
    assert_eq!(contact, expected);
    assert!(id.is_u64() && email["id"].is_u64());
    assert_eq!(app.admin.get(&path_of(&contact)).await.good(), expected);
}

#[tokio::test]
async fn every_wrong_field_of_a_contact_is_named() {
    let app = TestApp::start().await;
    let body = json!({"ccid": "a/b", "emails": ["x"], "lists": ["nothing"], "firstname": []});
    let response = app.admin.post_json(CONTACTS, &body).await;
    assert_eq!(wrong_fields(&response), ["ccid", "emails", "firstname", "lists"]);
    assert_eq!(app.admin.get(CONTACTS).await.good()["count"], 0);
    for body in
        [json!({"firstname": "Ada"}), json!({"emails": [{}]}), json!({"emails": ["a@x.org", {"id": 1}]})]
    {
        assert_eq!(wrong_fields(&app.admin.post_json(CONTACTS, &body).await), ["emails"], "{body}");
    }
}

#[tokio::test]
async fn an_address_that_another_contact_has_is_a_conflict_in_any_spelling() {
    let app = TestApp::start().await;
    create(&app, json!({"emails": ["ada@exämple.org", "b@x.org"]})).await;
    for address in ["ADA@exämple.org", "ada@XN--EXMPLE-CUA.org", "B@X.ORG"] {
        app.admin.post(CONTACTS, &[("emails", "new@x.org"), ("emails", address)]).await.error(409, "taken");
    }
    assert_eq!(app.admin.get(CONTACTS).await.good()["count"], 1, "nothing is half-written");
    app.admin.get("/api/2/emails/new%40x.org/").await.error(404, "");
}

#[tokio::test]
async fn emails_are_replaced_and_what_stays_keeps_its_id_and_flags() {
    let app = TestApp::start().await;
    let body = json!({"emails": [{"email": "a@x.org", "digest": true, "ceid": "7"}, "b@x.org"]});
    let before = create(&app, body).await;
    let after =
        app.admin.put(&path_of(&before), &[("emails", "c@x.org"), ("emails", "A@x.org")]).await.good();
    let emails = after["emails"].as_array().unwrap();
    assert_eq!(emails.len(), 2);
    let kept = &emails[0];
    assert_eq!(
        (&kept["id"], &kept["email"], &kept["digest"], &kept["ceid"]),
        (&before["emails"][0]["id"], &json!("A@x.org"), &json!(true), &json!("7")),
    );
    assert_eq!(emails[1]["email"], "c@x.org");
    app.admin.get("/api/2/emails/b%40x.org/").await.error(404, "");
}

#[tokio::test]
async fn an_address_is_renamed_where_its_object_has_its_id() {
    let app = TestApp::start().await;
    let before = create(&app, json!({"emails": ["a@x.org", "b@x.org"]})).await;
    let id = &before["emails"][1]["id"];
    let body = json!({"emails": ["a@x.org", {"id": id, "email": "c@x.org", "paused": true}]});
    let after = app.admin.put_json(&path_of(&before), &body).await.good();
    assert_eq!(after["emails"][1]["id"], *id);
    assert_eq!(after["emails"][1]["email"], "c@x.org");
    assert_eq!(after["emails"][1]["paused"], true);
}

#[tokio::test]
async fn a_contact_must_keep_an_address() {
    let app = TestApp::start().await;
    let contact = create(&app, json!({"emails": ["a@x.org"]})).await;
    let response = app.admin.put(&path_of(&contact), &[("emails", "")]).await;
    assert_eq!(wrong_fields(&response), ["emails"]);
}

#[tokio::test]
async fn lists_are_replaced_and_what_stays_keeps_its_membership() {
    let app = TestApp::start().await;
    for name in ["one", "two", "three"] {
        app.list(name).create().await;
    }
    let body = json!({"emails": ["a@x.org"], "lists": [{"list": "One", "digest": 1}, "two"]});
    let before = create(&app, body).await;
    assert_eq!(each(&before["lists"], "list"), ["one", "two"]);
    assert_eq!(each(&before["lists"], "digest"), [json!(1), json!(null)]);
    assert_eq!(before["lists"][0]["contact"], before["id"]);
    let after = app.admin.put(&path_of(&before), &[("lists", "three,one")]).await.good();
    assert_eq!(each(&after["lists"], "list"), ["one", "three"]);
    assert_eq!(after["lists"][0], before["lists"][0]);
    let response = app.admin.put(&path_of(&before), &[("lists", "one,nothing")]).await;
    assert_eq!(wrong_fields(&response), ["lists"]);
    let none = app.admin.put(&path_of(&before), &[("lists", "")]).await.good();
    assert_eq!(none["lists"], json!([]), "a blank value leaves every list");
}

#[tokio::test]
async fn what_a_change_leaves_out_stays_as_it_is() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let body =
        json!({"firstname": "Ada", "surname": "L", "notes": "n", "emails": ["a@x.org"], "lists": ["news"]});
    let mut expected = create(&app, body).await;
    let after = app.admin.put(&path_of(&expected), &[("surname", "Lovelace")]).await.good();
    expected["surname"] = json!("Lovelace");
    expected["description"] = json!("Ada Lovelace <a@x.org>");
    assert_eq!(after, expected);
}

#[tokio::test]
async fn an_object_that_was_read_can_be_put_back() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let contact = create(&app, json!({"firstname": "A", "emails": ["a@x.org"], "lists": ["news"]})).await;
    let response = app.admin.put_json(&path_of(&contact), &contact).await;
    assert_eq!(response.good(), contact);
    assert_eq!(response.header("x-ignored-parameters"), None);
}

#[tokio::test]
async fn the_description_is_made_of_the_name_and_the_addresses() {
    let app = TestApp::start().await;
    let named = json!({"firstname": "Ada", "surname": "Lovelace", "emails": ["ada@x.org", "ada@y.org"]});
    assert_eq!(create(&app, named).await["description"], "Ada Lovelace <ada@x.org>, <ada@y.org>");
    let unnamed = json!({"emails": ["b@x.org", "b@y.org"]});
    assert_eq!(create(&app, unnamed).await["description"], "b@x.org, b@y.org");
}

#[tokio::test]
async fn custom_fields_are_set_by_identifier_or_name_and_shown_by_identifier() {
    let app = TestApp::start().await;
    app.add_field("Shoe size", Some("shoe")).await;
    app.add_field("Colour", None).await;
    let contact = create(&app, json!({"emails": ["a@x.org"], "Shoe size": 38, "Colour": "red"})).await;
    assert_eq!((&contact["shoe"], &contact["Colour"]), (&json!("38"), &json!("red")));
    let contact = app.admin.put(&path_of(&contact), &[("shoe", "39"), ("Colour", "")]).await.good();
    assert_eq!((&contact["shoe"], &contact["Colour"]), (&json!("39"), &json!("")));
}

#[tokio::test]
async fn a_custom_identifier_is_unique_and_changes_nothing_where_it_is_not_enabled() {
    let app = TestApp::start().await;
    let contact = create(&app, json!({"emails": ["a@x.org"], "ccid": "c-1"})).await;
    assert_eq!(contact["ccid"], "c-1");
    app.admin.get("/api/2/contacts/c-1/").await.error(404, "contact");
    app.admin.post(CONTACTS, &[("emails", "b@x.org"), ("ccid", "c-1")]).await.error(409, "ccid");
    let contact = app.admin.put_json(&path_of(&contact), &json!({"ccid": null})).await.good();
    assert_eq!(contact["ccid"], json!(null));
    for ccid in ["~1", "batch", "a/b", &"x".repeat(65)] {
        let response = app.admin.put(&path_of(&contact), &[("ccid", ccid)]).await;
        assert_eq!(wrong_fields(&response), ["ccid"], "{ccid}");
    }
}

#[tokio::test]
async fn where_custom_identifiers_are_enabled_they_name_contacts_everywhere() {
    let app = TestApp::start().await;
    app.change_account(|account| account.ccid_enabled = true).await;
    app.list("news").create().await;
    let body = json!({"emails": ["a@x.org"], "ccid": "c 1", "lists": ["news"]});
    let contact = create(&app, body).await;
    assert!(contact["id"].is_u64());
    assert_eq!(contact["emails"][0]["contact"], "c 1");
    assert_eq!(contact["lists"][0]["contact"], "c 1");
    assert_eq!(app.admin.get("/api/2/contacts/c%201/").await.good(), contact);
    assert_eq!(app.admin.get("/api/2/lists/news/").await.good()["contacts"], json!(["c 1"]));
    assert_eq!(app.email("a@x.org").await["contact"], "c 1");
    app.admin.get(&path_of(&contact)).await.error(404, "contact");
    let other = create(&app, json!({"emails": ["b@x.org"]})).await;
    let tilde = format!("~{}", other["id"]);
    assert_eq!(other["emails"][0]["contact"], tilde.as_str());
    assert_eq!(app.admin.get(&format!("{CONTACTS}{tilde}/")).await.good(), other);
    let email = [("contact", "c 1"), ("email", "c@x.org")];
    assert_eq!(app.admin.post("/api/2/emails/", &email).await.good()["contact"], "c 1");
    app.admin.delete("/api/2/contacts/c%201/").await.good();
}

#[tokio::test]
async fn where_custom_identifiers_are_enabled_put_creates_and_post_conflicts() {
    let app = TestApp::start().await;
    app.change_account(|account| account.ccid_enabled = true).await;
    let contact = app.admin.put("/api/2/contacts/c-1/", &[("emails", "a@x.org")]).await.good();
    assert_eq!(contact["ccid"], "c-1");
    let again = app.admin.put("/api/2/contacts/c-1/", &[("firstname", "Ada")]).await.good();
    assert_eq!((&again["id"], &again["firstname"]), (&contact["id"], &json!("Ada")));
    app.admin.post(CONTACTS, &[("ccid", "c-1"), ("emails", "b@x.org")]).await.error(409, "ccid");
    app.admin.put("/api/2/contacts/~999/", &[("emails", "b@x.org")]).await.error(404, "contact");
    let response = app.admin.put(&format!("{CONTACTS}{}/", "x".repeat(65)), &[("emails", "b@x.org")]).await;
    assert_eq!(wrong_fields(&response), ["ccid"]);
    app.admin.put("/api/2/contacts/batch/", &[("emails", "b@x.org")]).await.error(405, "POST");
    app.admin.put("/api/2/contacts/c-2/", &[("firstname", "No address")]).await.error(400, "emails");
}

#[tokio::test]
async fn filters_of_the_listing_combine() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    app.list("other").create().await;
    let ada = create(&app, json!({"emails": ["ada@x.org"], "ccid": "1", "lists": ["news"]})).await;
    let bob = create(&app, json!({"emails": ["bob@x.org"], "ccid": "2", "lists": ["news"]})).await;
    create(&app, json!({"emails": ["eve@x.org"]})).await;
    for (query, expected) in [
        ("email=ADA%40x.org", vec![&ada]),
        ("list=News", vec![&ada, &bob]),
        ("ccid=2", vec![&bob]),
        ("ccid=2&email=ada%40x.org", vec![]),
        ("ccid=1&email=ada%40x.org&list=news", vec![&ada]),
        ("ccid=1&list=other", vec![]),
        ("list=news&after=0&limit=1", vec![&ada]),
        ("email=nobody%40x.org", vec![]),
        ("email=nonsense", vec![]),
    ] {
        let listing = app.admin.get(&format!("{CONTACTS}?{query}")).await.good();
        assert_eq!(listing["data"].as_array().unwrap().iter().collect::<Vec<_>>(), expected, "{query}");
    }
    assert_eq!(app.admin.get(&format!("{CONTACTS}?list=news&limit=1")).await.good()["count"], 2);
    app.admin.get(&format!("{CONTACTS}?list=nothing")).await.error(404, "list");
}

#[tokio::test]
async fn a_listing_shows_each_contact_as_its_own_object_does() {
    let app = TestApp::start().await;
    for list in ["news", "other"] {
        app.admin.post("/api/2/lists/", &[("name", list)]).await.good();
    }
    for number in 0..30 {
        let lists = match number % 7 {
            0 => json!([]),
            1 => json!(["news"]),
            2 => json!(["other", "news"]),
            _ => json!(["other"]),
        };
        let emails: Vec<_> = (0..=number % 3).map(|place| format!("m{number}@x{place}.org")).collect();
        let ada = create(&app, json!({"emails": emails, "lists": lists})).await;
        // An address that came later stands apart from its contact's others; some contacts are gone.
        if number % 5 == 4 {
            app.admin.delete(&format!("{CONTACTS}{}/", ada["id"])).await.good();
        } else if number % 10 == 7 {
            let earlier = number - 1;
            let contact = app.admin.get(&format!("/api/2/emails/m{earlier}@x0.org/")).await.good();
            let form = [("contact", contact["contact"].to_string()), ("email", format!("l{number}@x.org"))];
            let form = form.each_ref().map(|(name, value)| (*name, value.as_str()));
            app.admin.post("/api/2/emails/", &form).await.good();
        }
    }
    for (query, count) in [("", 24), ("?list=news", 7), ("?list=other", 16)] {
        let listing = app.admin.get(&format!("{CONTACTS}{query}")).await.good();
        assert_eq!(listing["data"].as_array().unwrap().len(), count, "{query}");
        for contact in listing["data"].as_array().unwrap() {
            let alone = app.admin.get(&format!("{CONTACTS}{}/", contact["id"])).await.good();
            assert_eq!(contact, &alone, "{query}");
        }
    }
}

#[tokio::test]
async fn pages_and_positions_walk_the_whole_listing_in_order() {
    let app = TestApp::start().await;
    let mut ids = Vec::new();
    for number in 0..7 {
        ids.push(create(&app, json!({"emails": [format!("m{number}@x.org")]})).await["id"].clone());
    }
    let mut paged = Vec::new();
    for page in 1..=4 {
        let listing = app.admin.get(&format!("{CONTACTS}?page={page}&limit=2")).await.good();
        assert_eq!(
            (&listing["count"], &listing["page"], &listing["limit"]),
            (&json!(7), &json!(page), &json!(2))
        );
        paged.extend(column(&listing, "id"));
    }
    assert_eq!(paged, ids);
    let mut walked: Vec<Value> = Vec::new();
    while let Some(after) = walked.last().map_or(Some(json!(0)), |id| Some(id.clone())) {
        let listing = app.admin.get(&format!("{CONTACTS}?after={after}&limit=3")).await.good();
        let rows = column(&listing, "id");
        if rows.is_empty() {
            break;
        }
        walked.extend(rows);
    }
    assert_eq!(walked, ids);
    assert_eq!(app.admin.get(&format!("{CONTACTS}?page=9")).await.good()["data"], json!([]));
}

#[tokio::test]
async fn a_full_address_book_takes_no_more() {
    let app = TestApp::start().await;
    app.change_account(|account| account.contacts_max = 1).await;
    let contact = create(&app, json!({"emails": ["a@x.org"]})).await;
    app.admin.post(CONTACTS, &[("emails", "b@x.org")]).await.error(403, "1 contacts");
    app.admin.delete(&path_of(&contact)).await.good();
    create(&app, json!({"emails": ["b@x.org"]})).await;
}

#[tokio::test]
async fn restrict_contact_is_applied_on_every_way_in() {
    let app = TestApp::start().await;
    let contact = create(&app, json!({"emails": ["old@y.org"]})).await;
    app.change_account(|account| {
        account.settings.restrict_contact = vec!["@x\\.org$".to_owned(), "^boss@".to_owned()];
    })
    .await;
    create(&app, json!({"emails": ["Ada@X.org", "boss@anywhere.org"]})).await;
    let id = contact["id"].to_string();
    app.admin.post(CONTACTS, &[("emails", "a@y.org")]).await.error(400, "restrict_contact");
    app.admin.put(&path_of(&contact), &[("emails", "b@y.org")]).await.error(400, "restrict_contact");
    let email = [("contact", id.as_str()), ("email", "a@y.org")];
    app.admin.post("/api/2/emails/", &email).await.error(400, "restrict_contact");
    let path = format!("/api/2/emails/{}/", contact["emails"][0]["id"]);
    app.admin.put(&path, &[("email", "b@y.org")]).await.error(400, "restrict_contact");
    // What was there before stays.
    app.admin.put(&path_of(&contact), &[("emails", "OLD@y.org"), ("emails", "new@x.org")]).await.good();
}

#[tokio::test]
async fn deleting_a_contact_deletes_its_addresses_and_memberships() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let contact = create(&app, json!({"emails": ["a@x.org"], "lists": ["news"]})).await;
    assert_eq!(app.admin.delete(&path_of(&contact)).await.good(), json!({"success": true}));
    app.admin.get(&path_of(&contact)).await.error(404, "contact");
    app.admin.get("/api/2/emails/a%40x.org/").await.error(404, "email");
    app.admin.get(&format!("/api/2/membership/{}/", contact["lists"][0]["id"])).await.error(404, "");
    assert_eq!(app.admin.get("/api/2/lists/news/").await.good()["contacts"], json!([]));
    app.admin.delete(&path_of(&contact)).await.error(404, "contact");
}

#[tokio::test]
async fn ids_are_never_used_again() {
    let app = TestApp::start().await;
    let first = create(&app, json!({"emails": ["a@x.org"]})).await;
    app.admin.delete(&path_of(&first)).await.good();
    let second = create(&app, json!({"emails": ["a@x.org"]})).await;
    assert!(first["id"].as_u64() < second["id"].as_u64());
}

#[tokio::test]
async fn no_answer_is_older_than_an_acknowledged_change() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let contact = create(&app, json!({"emails": ["a@x.org"]})).await;
    let (path, id) = (path_of(&contact), contact["id"].to_string());
    for number in 0..20 {
        let name = number.to_string();
        app.admin.put(&path, &[("firstname", &name)]).await.good();
        assert_eq!(app.admin.get(&path).await.good()["firstname"], name.as_str());
        assert_eq!(app.admin.get(&path).await.good()["firstname"], name.as_str());
        assert_eq!(app.admin.get(CONTACTS).await.good()["data"][0]["firstname"], name.as_str());
    }
    app.admin.post("/api/2/membership/", &[("contact", &id), ("list", "news")]).await.good();
    assert_eq!(each(&app.admin.get(&path).await.good()["lists"], "list"), ["news"]);
    app.admin.put("/api/2/lists/news/", &[("name", "letters")]).await.good();
    assert_eq!(each(&app.admin.get(&path).await.good()["lists"], "list"), ["letters"]);
}

#[tokio::test]
async fn only_the_fields_that_are_wanted_are_shown() {
    let app = TestApp::start().await;
    let contact = create(&app, json!({"emails": ["a@x.org"], "firstname": "Ada"})).await;
    let path = format!("{}?fields=id,firstname", path_of(&contact));
    assert_eq!(app.admin.get(&path).await.good(), json!({"id": contact["id"], "firstname": "Ada"}));
    let listing = app.admin.get(&format!("{CONTACTS}?fields=firstname")).await.good();
    assert_eq!(listing, json!({"data": [{"firstname": "Ada"}], "count": 1, "page": 1, "limit": 100}));
}

#[tokio::test]
async fn names_are_one_line_of_255_characters_and_texts_hold_no_control_characters() {
    let app = TestApp::start().await;
    let long = "é".repeat(256);
    for (field, value, problem) in [
        ("firstname", "Ada\r\nBcc: x@example.org", "one line"),
        ("surname", long.as_str(), "255 characters"),
        ("notes", "a\0b", "control character"),
    ] {
        let fields = [("emails", "ada@example.org"), (field, value)];
        let refused = app.admin.post("/api/2/contacts/", &fields).await.error(400, field);
        assert!(refused["errors"][field].as_str().unwrap().contains(problem), "{refused}");
    }
    let notes = "two\nlines\tand a tab";
    let kept =
        app.admin.post("/api/2/contacts/", &[("emails", "ada@example.org"), ("notes", notes)]).await.good();
    assert_eq!(kept["notes"], notes);
}
