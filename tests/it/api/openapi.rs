//! The description of the API, held against the seed, the routes and what it says of itself. Every answer of
//! every test is held against it too: see `harness::contract`.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::rules::routes;
use crate::harness::TestApp;
use crate::harness::contract::document;

/// The endpoints, as the seed has them.
const SEED_ENDPOINTS: &[(&str, &[&str])] = &[
    ("/api/2/contacts/{id}/", &["get", "put", "delete"]),
    ("/api/2/contacts/", &["get", "post"]),
    ("/api/2/emails/{id}/", &["get", "put", "delete"]),
    ("/api/2/emails/", &["post"]),
    ("/api/2/membership/{id}/", &["get", "put", "delete"]),
    ("/api/2/membership/", &["post"]),
    ("/api/2/lists/", &["get", "post"]),
    ("/api/2/lists/{name}/", &["get", "put", "delete"]),
    ("/api/2/aliases/", &["get", "post"]),
    ("/api/2/aliases/{source}/", &["get", "put", "delete"]),
    ("/api/2/messages/", &["get", "post"]),
    ("/api/2/messages/{id}/", &["get", "delete"]),
    ("/api/2/admins/", &["get", "post"]),
    ("/api/2/admins/{id}/", &["get", "put", "delete"]),
    ("/api/2/accounts/{id}/", &["get", "put", "delete"]),
    ("/api/2/accounts/", &["get", "post"]),
];

/// Where the seed has fields: an endpoint, the fields that it shows and the fields that it takes. What is only
/// for version 1 of the API (`password`, `can_write`) is left out, as `spec/api.md` 7 says.
struct SeedFields {
    path: &'static str,
    create: &'static str,
    update: &'static str,
    /// Shown alone, set alone, or both.
    shown: &'static str,
    set: &'static str,
    both: &'static str,
}

const SEED_FIELDS: &[SeedFields] = &[
    SeedFields {
        path: "/api/2/contacts/{id}/",
        create: "/api/2/contacts/",
        update: "put",
        shown: "id created description",
        set: "",
        both: "ccid firstname surname notes emails lists",
    },
    SeedFields {
        path: "/api/2/emails/{id}/",
        create: "/api/2/emails/",
        update: "put",
        shown: "id confirmed",
        set: "",
        both: "contact email digest paused ceid",
    },
    SeedFields {
        path: "/api/2/membership/{id}/",
        create: "/api/2/membership/",
        update: "put",
        shown: "id",
        set: "",
        both: "contact list digest",
    },
    SeedFields {
        path: "/api/2/lists/{name}/",
        create: "/api/2/lists/",
        update: "put",
        shown: "id created contacts",
        set: "archive_password",
        both: "name description clid notes maxlength truncate subject_prefix moderator memberview message_footer \
               message_footer_html message_fronter message_fronter_html taboo_headers taboo_body reply_to \
               strip_attachments subscriptions unsubscriptions rewrite_sender original_sender_mode hold_automated \
               hold_replies restrict_post_allowed_emails restrict_post_banned_emails restrict_post_lists moderate \
               message_rejections notify_approval welcome_message welcome_message_subject confirmation_subject \
               confirmation_message hold_message hold_subject send_hold_message reject_message reject_subject \
               send_reject_message merge_tags_enabled merge_tags_default_name archive_enabled archive_spammode \
               archive_protected archive_memberview archive_index_noshow",
    },
    SeedFields {
        path: "/api/2/aliases/{source}/",
        create: "/api/2/aliases/",
        update: "put",
        shown: "",
        set: "",
        both: "source destination",
    },
    SeedFields {
        path: "/api/2/messages/{id}/",
        create: "/api/2/messages/",
        update: "",
        shown: "id time datetime message_id thread_id",
        set: "",
        both: "subject from_phrase from_address list content_plain content_html parent",
    },
    SeedFields {
        path: "/api/2/admins/{id}/",
        create: "/api/2/admins/",
        update: "put",
        shown: "id",
        set: "welcome_email",
        both: "username description surname firstname cidr custom_image mfa_type api authn_provider notifications \
               permissions limit_metadata limit_lists",
    },
    SeedFields {
        path: "/api/2/accounts/{id}/",
        create: "/api/2/accounts/",
        update: "put",
        shown: "id lists admins administrator domains",
        set: "",
        both: "name description language confirmation_message confirmation_subject welcome_message \
               send_welcome_message_confirmation send_welcome_message_contacts timezone custom_image notify_approval \
               subscriptions unsubscriptions unsubscribe_confirm list_delegation restrict_contact \
               restrict_contact_subscription require_list_approval",
    },
];

/// What hangs on no single endpoint: a path, a method and a field of its body.
const SEED_INPUTS: &[(&str, &str, &str)] = &[
    ("/api/2/admins/{id}/", "put", "get_key"),
    ("/api/2/admins/{id}/", "put", "expiry_months"),
    ("/api/2/accounts/", "post", "domain"),
    ("/api/2/accounts/", "post", "administrator"),
    ("/api/2/accounts/{id}/", "put", "domains"),
];

fn at(pointer: &str) -> &'static Value {
    document().pointer(pointer).unwrap_or_else(|| panic!("there is no {pointer}"))
}

/// A path as it stands in a JSON pointer.
fn operation(path: &str, method: &str) -> &'static Value {
    at(&format!("/paths/{}/{method}", path.replace('/', "~1")))
}

fn schema_of(value: &'static Value) -> &'static Value {
    match value.get("$ref").and_then(Value::as_str) {
        Some(path) => at(path.trim_start_matches('#')),
        None => value,
    }
}

fn properties(schema: &'static Value) -> BTreeSet<&'static str> {
    let schema = schema.get("anyOf").map_or(schema, |schemas| &schemas[0]);
    let members = schema_of(schema)["properties"].as_object().expect("it describes an object");
    members.keys().map(String::as_str).collect()
}

/// The names in a body of each of the three kinds.
fn inputs(path: &str, method: &str) -> Vec<BTreeSet<&'static str>> {
    let content = operation(path, method)["requestBody"]["content"].as_object().expect("it takes a body");
    assert_eq!(content.len(), 3, "{method} {path}");
    content.values().map(|kind| properties(&kind["schema"])).collect()
}

#[tokio::test]
async fn the_description_is_shown_to_everybody() {
    let app = TestApp::start().await;
    let response = app.anon.get("/api/2/openapi.json").await;
    assert_eq!(&response.good(), document());
    assert_eq!(response.header("content-type"), Some("application/json"));
    assert_eq!(document()["openapi"], "3.1.0");
    assert_eq!(app.anon.request("HEAD", "/api/2/openapi.json", &[], b"").await.status, 200);
    app.anon.post("/api/2/openapi.json", &[]).await.error(405, "GET, HEAD");
}

#[test]
fn every_endpoint_of_the_seed_document_is_described() {
    for (path, methods) in SEED_ENDPOINTS {
        for method in *methods {
            assert!(operation(path, method)["summary"].is_string(), "{method} {path}");
        }
    }
}

#[test]
fn every_field_of_the_seed_document_is_described() {
    for SeedFields { path, create, update, shown, set, both } in SEED_FIELDS {
        let schema = &operation(path, "get")["responses"]["200"]["content"]["application/json"]["schema"];
        let described = properties(schema);
        for name in shown.split_whitespace().chain(both.split_whitespace()) {
            assert!(described.contains(name), "GET {path}: {name}");
        }
        let calls =
            [(*create, "post"), (*path, *update)].into_iter().filter(|(_, method)| !method.is_empty());
        for (path, method) in calls {
            for described in inputs(path, method) {
                for name in set.split_whitespace().chain(both.split_whitespace()) {
                    assert!(described.contains(name), "{method} {path}: {name}");
                }
            }
        }
    }
    for (object, names) in
        [("Domain", "name is_main is_web verified verification dns_status"), ("DnsStatus", "mx a spf dkim")]
    {
        let described = properties(at(&format!("/components/schemas/{object}")));
        assert_eq!(described, names.split(' ').collect(), "{object}");
    }
    for (path, method, name) in SEED_INPUTS {
        assert!(
            inputs(path, method).iter().all(|described| described.contains(name)),
            "{method} {path}: {name}"
        );
    }
}

#[test]
fn paging_errors_headers_and_keys_are_described() {
    let takes = |method: &'static str| {
        let is_one = move |(path, methods): &(String, Vec<String>)| {
            !path.contains('{') && methods.iter().any(|taken| taken == method)
        };
        routes().into_iter().filter(is_one).map(|(path, _)| path)
    };
    for path in takes("GET") {
        let parameters = operation(&path, "get")["parameters"].as_array().expect("it takes parameters");
        let names: Vec<&str> = parameters.iter().filter_map(|parameter| parameter["name"].as_str()).collect();
        for name in ["page", "limit", "after", "fields", "account_id"] {
            assert!(names.contains(&name), "{path} {name}");
        }
        let limit = parameters.iter().find(|parameter| parameter["name"] == "limit").unwrap();
        assert_eq!((&limit["schema"]["minimum"], &limit["schema"]["maximum"]), (&json!(1), &json!(1000)));
    }
    for path in takes("POST") {
        let parameters = operation(&path, "post")["parameters"].to_string();
        assert!(parameters.contains("Idempotency-Key"), "{path}");
    }
    let schema = "/content/application~1json/schema/$ref";
    for code in ["400", "401", "403", "404", "405", "408", "409", "413", "415", "429", "500", "503"] {
        assert_eq!(at(&format!("/components/responses/{code}{schema}")), "#/components/schemas/Error");
    }
    assert_eq!(
        properties(at("/components/schemas/Error")),
        BTreeSet::from(["errors", "is_error", "message"])
    );
    for (code, header) in [
        ("429", "Retry-After"),
        ("401", "WWW-Authenticate"),
        ("405", "Allow"),
        ("400", "X-Ignored-Parameters"),
        ("400", "RateLimit-Limit"),
        ("400", "RateLimit-Remaining"),
        ("400", "RateLimit-Reset"),
    ] {
        at(&format!("/components/responses/{code}/headers/{header}"));
        assert!(at(&format!("/components/headers/{header}"))["description"].is_string());
    }
    let schemes = at("/components/securitySchemes").as_object().unwrap();
    let schemes: Vec<&Value> = schemes.values().map(|scheme| &scheme["type"]).collect();
    assert_eq!(schemes, ["http", "http", "oauth2"]);
    assert_eq!(at("/security").as_array().unwrap().len(), 2, "either will do");
}

#[test]
fn every_reference_leads_somewhere_and_names_are_given_once() {
    fn walk(value: &'static Value, found: &mut usize) {
        if let Some(path) = value.get("$ref").and_then(Value::as_str) {
            at(path.trim_start_matches('#'));
            *found += 1;
        }
        match value {
            Value::Array(values) => values.iter().for_each(|value| walk(value, found)),
            Value::Object(members) => members.values().for_each(|value| walk(value, found)),
            _ => {}
        }
    }
    let mut found = 0;
    walk(document(), &mut found);
    assert!(100 < found, "{found}");
    let ids: Vec<&str> = at("/paths")
        .as_object()
        .unwrap()
        .values()
        .flat_map(|methods| methods.as_object().unwrap().values())
        .filter_map(|operation| operation["operationId"].as_str())
        .collect();
    assert_eq!(ids.iter().collect::<BTreeSet<_>>().len(), ids.len());
}

#[tokio::test]
async fn people_read_the_same_on_one_page_that_loads_nothing_from_elsewhere() {
    let app = TestApp::start().await;
    let response = app.anon.get("/api/2/docs/").await;
    assert_eq!(response.status, 200);
    assert_eq!(response.header("content-type"), Some("text/html; charset=utf-8"));
    let policy = response.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'none'; style-src 'self'"), "{policy}");
    for word in ["src=", "\"http", "url(", "<script", "style="] {
        assert!(!response.body.contains(word), "{word}");
    }
    // Where a long path may be broken.
    let body = response.body.replace("<wbr>", "");
    for (path, methods) in routes() {
        for method in methods.iter().filter(|method| *method != "HEAD") {
            let id = format!("<h3><code>{method} {}", path.split('{').next().unwrap());
            assert!(body.contains(&id), "{method} {path}");
        }
    }
    for name in ["archive_password", "thread_id", "expiry_months", "RateLimit-Reset", "429"] {
        assert!(body.contains(name), "{name}");
    }
    app.anon.post("/api/2/docs/", &[]).await.error(405, "GET, HEAD");
    assert_eq!(app.anon.get("/api/2/docs").await.status, 308);
}

#[tokio::test]
async fn the_address_of_the_api_names_its_descriptions() {
    let app = TestApp::start().await;
    let entry = app.anon.get("/api/2/").await.good();
    let base_url = entry["documentation"].as_str().unwrap().strip_suffix("/api/2/docs/").unwrap();
    assert_eq!(
        entry,
        json!({
            "name": "Crier API 2",
            "documentation": format!("{base_url}/api/2/docs/"),
            "openapi": format!("{base_url}/api/2/openapi.json"),
        })
    );
    assert_eq!(app.anon.get("/api/2").await.header("location"), Some("/api/2/"));
    app.anon.post("/api/2/", &[]).await.error(405, "GET, HEAD");
    app.anon.get("/api/").await.error(404, "/api/2/docs/ shows every path");
}

/// The fields of a shell command of the docs page: the path, whether it is a form, and what `-d` has.
fn parse_command(command: &str) -> (String, Vec<(String, String)>) {
    let mut words = Vec::new();
    for (number, part) in command.replace("\\\n", " ").split('\'').enumerate() {
        match number % 2 {
            0 => words.extend(part.split_whitespace().map(str::to_owned)),
            _ => words.push(part.to_owned()),
        }
    }
    assert_eq!(words[0], "curl");
    let after = |flag: &'static str| {
        words
            .iter()
            .zip(words.iter().skip(1))
            .filter(move |(word, _)| *word == flag)
            .map(|(_, next)| next.clone())
    };
    let shows_key =
        after("-u").any(|key| key == "KEY:") || after("-H").any(|field| field == "Authorization: Bearer KEY");
    assert!(shows_key, "{command}");
    let url = words.iter().find_map(|word| word.strip_prefix("https://lists.example.org")).unwrap();
    let fields = after("-d").map(|field| {
        let (name, value) = field.split_once('=').unwrap();
        (name.to_owned(), value.to_owned())
    });
    (url.to_owned(), fields.collect())
}

#[tokio::test]
async fn the_example_calls_of_the_docs_page_work() {
    let app = TestApp::start().await;
    app.list("news").create().await;
    let page = app.anon.get("/api/2/docs/").await.body;
    let commands: Vec<String> = page
        .split("<pre class=\"call\" tabindex=\"0\">")
        .skip(1)
        .filter_map(|rest| rest.split_once("</pre>"))
        .map(|(command, _)| command.replace("&#39;", "'").replace("&#38;", "&"))
        .collect();
    assert_eq!(commands.len(), 3, "{page}");
    for command in commands {
        let (path, fields) = parse_command(&command);
        let fields: Vec<(&str, &str)> =
            fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        if command.contains(" -G ") {
            let query: Vec<String> = fields.iter().map(|(name, value)| format!("{name}={value}")).collect();
            let listing = app.admin.get(&format!("{path}?{}", query.join("&"))).await.good();
            assert_eq!(listing["data"], json!([{"description": "Ada <ada@example.org>"}]));
        } else {
            app.admin.post(&path, &fields).await.good();
        }
    }
    app.settle().await;
    assert_eq!(app.sink.mail_to("ada@example.org").header("Subject").as_deref(), Some("Hello"));
    for permission in
        ["account_admin", "manage_settings", "manage_members", "approve_messages", "send_messages"]
    {
        assert!(page.contains(&format!("<code>{permission}</code>")), "{permission}");
    }
}
