//! A crawl of administrators' pages. Somebody who may do everything finds every page and every form; whoever may do
//! less, is of another account or sends no token of the page, sees and changes nothing that the API would not allow.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crier::model::Permission;
use crier::web::csrf_token;
use crier::web::page::{Page, Verb};
use crier::web::table::pages;
use serde_json::json;

use crate::harness::TestApp;
use crate::harness::http::{Client, Response};
use crate::harness::visitor::Visitor;

/// Pages that one crawl opens; far more than there are in a small account.
const PAGES_MAX: usize = 600;

/// The name of the list that limited administrators do not see, of its member and of its post.
const HIDDEN: [&str; 3] = ["hushhush", "hidden-member", "hidden-subject"];

/// Tables whose records nobody may have changed.
const TABLES: [&str; 13] = [
    "account",
    "domain",
    "contact",
    "email",
    "list",
    "alias",
    "membership",
    "message",
    "held",
    "pending",
    "admin",
    "api_key",
    "batch",
];

/// A form of a page.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct PageForm {
    /// The path that it is sent to, without a query.
    action: String,
    fields: Vec<(String, String)>,
    /// The names and values of its buttons.
    buttons: Vec<(String, String)>,
}

/// What a crawl found.
#[derive(Debug, Default)]
struct Site {
    paths: BTreeSet<String>,
    forms: BTreeSet<PageForm>,
    /// Links that lead nowhere.
    broken: Vec<String>,
}

/// The value of an attribute in a tag, with its entities read.
fn attribute(tag: &str, name: &str) -> Option<String> {
    let rest = tag.split(&format!(" {name}=\"")).nth(1)?;
    Some(text_of(rest.split('"').next()?))
}

fn text_of(html: &str) -> String {
    let pairs =
        [("&#34;", "\""), ("&#39;", "'"), ("&#60;", "<"), ("&#62;", ">"), ("&lt;", "<"), ("&gt;", ">")];
    let text = pairs.iter().fold(html.to_owned(), |text, (entity, sign)| text.replace(entity, sign));
    text.replace("&#38;", "&").replace("&amp;", "&")
}

/// The tags of this name in a piece of HTML, each without its brackets.
fn tags<'h>(html: &'h str, name: &'h str) -> impl Iterator<Item = &'h str> {
    let opening = format!("<{name}");
    let starts: Vec<usize> = html.match_indices(&opening).map(|(at, _)| at + opening.len()).collect();
    starts
        .into_iter()
        .filter_map(|at| html[at..].split('>').next())
        .filter(|tag| tag.is_empty() || tag.starts_with([' ', '\n']))
}

fn forms(page: &str, body: &str) -> Vec<PageForm> {
    let pieces = body.split("<form ").skip(1).filter_map(|rest| rest.split("</form>").next());
    let mut found = Vec::new();
    for html in pieces {
        let head = format!(" {}", html.split('>').next().unwrap_or_default());
        if attribute(&head, "method").as_deref() != Some("post") {
            continue;
        }
        let action = attribute(&head, "action").unwrap_or_else(|| page.to_owned());
        let mut fields = Vec::new();
        for tag in tags(html, "input") {
            let (Some(name), kind) = (attribute(tag, "name"), attribute(tag, "type").unwrap_or_default())
            else {
                continue;
            };
            let is_box = kind == "checkbox" || kind == "radio";
            if name != "csrf" && kind != "file" && (!is_box || tag.contains(" checked")) {
                fields.push((name, attribute(tag, "value").unwrap_or_default()));
            }
        }
        for piece in html.split("<textarea").skip(1) {
            let Some((tag, rest)) = piece.split_once('>') else { continue };
            let text = rest.split("</textarea>").next().unwrap_or_default();
            fields.extend(attribute(tag, "name").map(|name| (name, text_of(text.trim_start_matches('\n')))));
        }
        for piece in html.split("<select").skip(1) {
            let Some((tag, rest)) = piece.split_once('>') else { continue };
            let options = rest.split("</select>").next().unwrap_or_default();
            let chosen = tags(options, "option").find(|option| option.contains(" selected"));
            let chosen = chosen.or_else(|| tags(options, "option").next());
            let value = chosen.and_then(|option| attribute(option, "value")).unwrap_or_default();
            fields.extend(attribute(tag, "name").map(|name| (name, value)));
        }
        let buttons = tags(html, "button");
        let mut buttons: Vec<_> = buttons
            .filter_map(|tag| Some((attribute(tag, "name")?, attribute(tag, "value").unwrap_or_default())))
            .collect();
        if buttons.is_empty() {
            buttons.push((String::new(), String::new()));
        }
        found.push(PageForm {
            action: action.split(['?', '#']).next().unwrap_or_default().to_owned(),
            fields,
            buttons,
        });
    }
    found
}

/// Follows every link below `/admin/`, once a message waits for its time.
async fn crawl(visitor: &mut Visitor, start: &str) -> Site {
    let new = "/admin/messages/new/";
    let shown = visitor.get(new).await;
    let form = Visitor::form(&shown, new, &["name=\"content_plain\""]);
    let fields = [
        ("list", "tea"),
        ("subject", "Later"),
        ("content_plain", "Tea."),
        ("send_at", "2026-12-24T12:00"),
        ("action", "send"),
    ];
    let answer = visitor.submit(&form, &fields).await;
    assert_eq!(answer.status, 303, "{}", answer.body);
    let mut site = Site::default();
    let mut waiting: VecDeque<String> = [start.to_owned()].into();
    while let Some(path) = waiting.pop_front() {
        if !site.paths.insert(path.clone()) {
            continue;
        }
        assert!(site.paths.len() <= PAGES_MAX, "the crawl does not end: {:#?}", site.paths);
        let page = visitor.get(&path).await;
        if page.status != 200 {
            site.broken.push(format!("{path}: {}", page.status));
            continue;
        }
        if !page.header("content-type").unwrap_or_default().starts_with("text/html") {
            continue;
        }
        site.forms.extend(forms(&path, &page.body));
        let body = page.body.split("<main").nth(1).map_or(page.body.as_str(), |_| page.body.as_str());
        for tag in tags(body, "a") {
            let Some(href) = attribute(tag, "href") else { continue };
            // Filters, orders and positions of listings lead to the same page.
            let path = href.split(['?', '#']).next().unwrap_or_default();
            if path.starts_with("/admin/") {
                waiting.push_back(path.to_owned());
            }
        }
    }
    site
}

/// Whether a path is one of a page, whose variable parts stand in braces.
fn is_of(page: &Page, path: &str) -> bool {
    let (pattern, path): (Vec<&str>, Vec<&str>) = (page.path.split('/').collect(), path.split('/').collect());
    let is_same =
        |(part, given): (&&str, &&str)| part == given || (part.starts_with('{') && !given.is_empty());
    pattern.len() == path.len() && pattern.iter().zip(&path).all(is_same)
}

/// The page of a path: one without variable parts goes before one with them, as in the router.
fn page_of(path: &str, verb: Verb) -> Option<&'static Page> {
    let mut of_path: Vec<&Page> = pages()
        .filter(|page| (page.verb == Verb::Show) == (verb == Verb::Show) && is_of(page, path))
        .collect();
    of_path.sort_by_key(|page| page.path.matches('{').count());
    of_path.first().copied()
}

/// The call of the API that shows the same as a page, if there is one.
fn api_of(path: &str) -> Option<String> {
    let parts: Vec<&str> = path.trim_matches('/').split('/').skip(1).collect();
    Some(match parts.as_slice() {
        ["people"] => "/api/2/contacts/".to_owned(),
        ["people", id] if id.parse::<u64>().is_ok() => format!("/api/2/contacts/{id}/"),
        ["lists"] => "/api/2/lists/".to_owned(),
        ["lists", name, ..] if *name != "new" => format!("/api/2/lists/{name}/"),
        ["approvals"] => "/api/2/held/".to_owned(),
        ["approvals", id] if id.parse::<u64>().is_ok() => format!("/api/2/held/{id}/"),
        ["messages"] => "/api/2/messages/".to_owned(),
        ["messages", id] if id.parse::<u64>().is_ok() => format!("/api/2/messages/{id}/"),
        ["aliases"] => "/api/2/aliases/".to_owned(),
        ["aliases", source] if *source != "new" => format!("/api/2/aliases/{source}/"),
        ["administrators", id] if id.parse::<u64>().is_ok() => format!("/api/2/admins/{id}/"),
        ["audit"] => "/api/2/audit/".to_owned(),
        _ => return None,
    })
}

/// The permission that a form needs, by the call of the API that does the same; `None` for what everybody may do.
fn needed(form: &PageForm) -> Option<Permission> {
    let parts: Vec<&str> = form.action.trim_matches('/').split('/').skip(1).collect();
    match parts.as_slice() {
        ["lists"] | ["approvals", ..] => Some(Permission::ApproveMessages),
        ["people", ..] | ["lists", _, "members"] => Some(Permission::ManageMembers),
        ["lists" | "aliases", ..] => Some(Permission::ManageSettings),
        ["messages"] | ["messages", "new"] => Some(Permission::SendMessages),
        ["messages", _] => Some(Permission::ApproveMessages),
        ["me", ..] => None,
        _ => Some(Permission::AccountAdmin),
    }
}

/// Somebody who opens pages, with the key of an administrator who holds the same.
struct Kind {
    name: &'static str,
    permissions: Vec<Permission>,
    is_limited: bool,
    visitor: Visitor,
    token: String,
    key: Client,
}

impl Kind {
    fn holds(&self, permission: Permission) -> bool {
        let has = |permission| self.permissions.contains(&permission);
        has(permission) || has(Permission::AccountAdmin)
    }
}

/// An administrator with these permissions, limited to the list `tea` if `is_limited`.
async fn kind(app: &TestApp, name: &'static str, permissions: &[Permission], is_limited: bool) -> Kind {
    let account = crier::model::AccountId(app.account_id());
    let mut words: Vec<&str> = permissions.iter().map(|permission| permission.word()).collect();
    let mut fields = json!({});
    if is_limited {
        words.push("limit_lists");
        fields["limit_lists"] = json!(["tea"]);
    }
    fields["permissions"] = json!(words);
    let username = format!("{name}@example.org");
    let person = app.new_admin(account, &username).await;
    app.admin.put_json(&format!("/api/2/admins/{username}/"), &fields).await.good();
    fields["api"] = json!(2);
    fields["description"] = json!(format!("key of {name}"));
    let holder = app.admin.post_json("/api/2/admins/", &fields).await.good()["id"].as_u64().unwrap();
    let key = app.admin.put_json(&format!("/api/2/admins/{holder}/"), &json!({"get_key": 1})).await.good();
    let key = Client::with_key(app.running().http_addr, key["key"].as_str().unwrap());
    let token = app.sign_in(person).await;
    let mut visitor = Visitor::new(app);
    visitor.set_cookie("__Host-admin", &token);
    Kind { name, permissions: permissions.to_vec(), is_limited, visitor, token, key }
}

/// An account with something of every kind.
async fn furnished() -> TestApp {
    let app = TestApp::builder().without_dkim().start().await;
    let tea = app.list("tea").member("ada@example.org").member("bob@example.org").create().await;
    let [hidden, member, subject] = HIDDEN;
    let other = app.list(hidden).member(&format!("{member}@example.org")).create().await;
    let post = |from: &str, list: &str, subject: &str| {
        format!("From: {from}\nTo: {list}\nSubject: {subject}\n\nSome words.")
    };
    for (from, list, subject) in [
        ("ada@example.org", &tea.address, "Leaves"),
        (&format!("{member}@example.org"), &other.address, subject),
        ("stranger@example.net", &tea.address, "May I"),
        ("stranger@example.net", &other.address, &format!("{subject} too")),
    ] {
        assert_eq!(app.send_mail(from, list, &post(from, list, subject)).await.code, 250);
    }
    let with_file = format!(
        "From: stranger@example.net\nTo: {}\nSubject: A plan\nMIME-Version: 1.0\n\
         Content-Type: multipart/mixed; boundary=x\n\n--x\n\nSee.\n--x\n\
         Content-Type: application/pdf; name=plan.pdf\nContent-Disposition: attachment; filename=plan.pdf\n\n%PDF\n--x--\n",
        tea.address
    );
    assert_eq!(app.send_mail("stranger@example.net", &tea.address, &with_file).await.code, 250);
    let id = app.account_id();
    app.admin
        .put_json(&format!("/api/2/accounts/{id}/"), &json!({"require_list_approval": true}))
        .await
        .good();
    let maker = app.key_with([Permission::ManageSettings]).await;
    maker.post_json("/api/2/lists/", &json!({"name": "waiting"})).await.good();
    let alias = json!({"source": "kettle", "destination": ["ada@example.org"]});
    app.admin.post_json("/api/2/aliases/", &alias).await.good();
    app.settle().await;
    app
}

/// All records that matter, as text.
fn state(app: &TestApp) -> BTreeMap<&'static str, String> {
    TABLES.iter().map(|table| (*table, app.dump(table))).collect()
}

async fn send(kind: &mut Kind, form: &PageForm, button: &(String, String), csrf: &str) -> Response {
    let mut fields: Vec<(&str, &str)> = vec![("csrf", csrf)];
    fields.extend(form.fields.iter().map(|(name, value)| (name.as_str(), value.as_str())));
    if !button.0.is_empty() {
        fields.push((&button.0, &button.1));
    }
    kind.visitor.post(&form.action, &fields).await
}

#[tokio::test]
async fn somebody_who_may_do_everything_finds_every_page_and_form() {
    let app = furnished().await;
    let mut head = kind(&app, "head", &[Permission::AccountAdmin], false).await;
    let site = crawl(&mut head.visitor, "/admin/").await;
    // An import leads to its pages, a form that searches to what it finds, what was done or typed to its own; only the
    // server's administrators see the server.
    let elsewhere = [
        "/admin/people/import/{",
        "/admin/lists/{name}/settings/",
        "/admin/typed/",
        "/admin/undo/",
        "/admin/server/",
    ];
    let is_theirs = |page: &&Page| {
        page.path.starts_with("/admin/") && !elsewhere.iter().any(|start| page.path.starts_with(start))
    };
    let is_found = |page: &&Page| match page.verb {
        Verb::Show => site
            .paths
            .iter()
            .any(|path| page_of(path, Verb::Show).is_some_and(|found| found.path == page.path)),
        _ => site
            .forms
            .iter()
            .any(|form| page_of(&form.action, Verb::Act).is_some_and(|found| found.path == page.path)),
    };
    let missing = pages().filter(is_theirs).filter(|page| !is_found(page));
    let missing: Vec<String> = missing.map(|page| format!("{:?} {}", page.verb, page.path)).collect();
    assert_eq!((missing, site.broken), (Vec::<String>::new(), Vec::<String>::new()), "{:#?}", site.paths);
}

#[tokio::test]
#[expect(clippy::too_many_lines, reason = "one crawl is replayed in three ways")]
async fn no_page_shows_or_changes_what_the_api_would_not() {
    let app = furnished().await;
    let mut head = kind(&app, "head", &[Permission::AccountAdmin], false).await;
    let site = crawl(&mut head.visitor, "/admin/").await;
    let mut kinds = vec![
        kind(&app, "settings", &[Permission::ManageSettings], false).await,
        kind(&app, "members", &[Permission::ManageMembers], false).await,
        kind(&app, "approver", &[Permission::ApproveMessages], false).await,
        kind(&app, "sender", &[Permission::SendMessages], false).await,
        kind(&app, "limited", &[Permission::ManageMembers, Permission::ApproveMessages], true).await,
        kind(&app, "keeper", &[Permission::ManageSettings, Permission::SendMessages], true).await,
        kind(&app, "limitedhead", &[Permission::AccountAdmin], true).await,
        kind(&app, "nobody", &[], false).await,
    ];
    let mut wrong = Vec::new();
    for kind in &mut kinds {
        for path in &site.paths {
            let page = kind.visitor.get(path).await;
            // Who may do nothing is led from the overview to the own page.
            let leads_on = page.status == 303 && page.header("location") == Some("/admin/me/");
            assert!(
                [200, 403, 404].contains(&page.status) || leads_on,
                "{} {path}: {} {}",
                kind.name,
                page.status,
                page.body
            );
            if page.status == 200
                && let Some(call) = api_of(path)
            {
                let answer = kind.key.get(&call).await;
                assert_eq!(
                    answer.status, 200,
                    "{} opens {path}, and {call} answers {}",
                    kind.name, answer.body
                );
            }
            if kind.is_limited {
                for word in HIDDEN {
                    if page.body.contains(word) {
                        wrong.push(format!("{} sees {word} on {path}", kind.name));
                    }
                }
            }
        }
    }
    let before = state(&app);
    for kind in &mut kinds {
        for form in &site.forms {
            let is_outside = HIDDEN.iter().any(|word| form.action.contains(word));
            let may = needed(form).is_none_or(|permission| kind.holds(permission));
            if may && !(kind.is_limited && is_outside) {
                continue;
            }
            for button in &form.buttons {
                let token = csrf_token(&kind.token);
                let answer = send(kind, form, button, &token).await;
                let what = format!("{} sends {} {button:?}", kind.name, form.action);
                assert!(
                    [400, 403, 404].contains(&answer.status),
                    "{what}: {} {}",
                    answer.status,
                    answer.body
                );
            }
        }
        if state(&app) != before {
            wrong.push(format!("{} changed something", kind.name));
        }
    }
    for form in &site.forms {
        for button in &form.buttons {
            let answer = send(&mut head, form, button, &csrf_token("of somebody else")).await;
            if answer.status != 403 {
                wrong.push(format!(
                    "{} {button:?} without a token is answered {}",
                    form.action, answer.status
                ));
            }
        }
    }
    assert_eq!(wrong, Vec::<String>::new());
    assert_eq!(state(&app), before, "forms without a token changed something");
}

#[tokio::test]
async fn nobody_opens_the_pages_of_another_account_or_without_signing_in() {
    let app = furnished().await;
    let mut head = kind(&app, "head", &[Permission::AccountAdmin], false).await;
    let site = crawl(&mut head.visitor, "/admin/").await;
    let mut stranger = Visitor::new(&app);
    for path in &site.paths {
        let answer = stranger.get(path).await;
        let leads = answer.header("location").unwrap_or_default();
        assert!(
            answer.status == 303 && leads.starts_with("/login/?next="),
            "{path}: {} {leads}",
            answer.status
        );
    }
    let account = json!({"name": "other", "domain": "other.example", "administrator": "eve@other.example"});
    let other =
        app.global().await.post_json("/api/2/accounts/", &account).await.good()["id"].as_u64().unwrap();
    let other = crier::model::AccountId(other);
    let spy = app.new_admin(other, "spy@other.example").await;
    let token = app.sign_in_to(other, spy, crier::ops::sessions::Stay::Usual).await;
    let mut spy = Visitor::new(&app);
    spy.set_cookie("__Host-admin", &token);
    let before = state(&app);
    for path in &site.paths {
        // Where several accounts live, each has its pages below its name.
        let answer = spy.get(&format!("/~test{path}")).await;
        assert!([303, 403, 404].contains(&answer.status), "{path}: {} {}", answer.status, answer.body);
    }
    for form in &site.forms {
        for (name, value) in &form.buttons {
            let csrf = csrf_token(&token);
            let action = format!("/~test{}", form.action);
            let answer = spy.post(&action, &[("csrf", &csrf), (name, value)]).await;
            assert!([303, 403, 404].contains(&answer.status), "{action}: {} {}", answer.status, answer.body);
        }
    }
    assert_eq!(state(&app), before, "somebody of another account changed something");
}
