//! What `tests/browser/` needs: a list of views that forgets no page, and people who are signed in.

use std::collections::BTreeSet;
use std::path::Path;

use crier::app;
use crier::model::{AccountId, Contact, EmailAddress, Person};
use crier::ops::accounts::admins::{self, Kind, NewAdmin};
use crier::ops::sessions::{self, Device, NewSession, Stay};
use crier::store::Read as _;
use crier::web::page::Verb;
use crier::web::table::pages;
use serde_json::{Value, json};

fn views() -> Vec<Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/browser/pages.json");
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn every_page_is_looked_at_in_a_browser() {
    let views = views();
    let names = |does: fn(&Value) -> bool| -> BTreeSet<String> {
        let named = views.iter().filter(|view| does(view)).filter_map(|view| view["page"].as_str());
        named.map(str::to_owned).collect()
    };
    let shown = names(|view| view["path"].is_string());
    let sent = names(|view| view["press"].is_string() || view["submit"].is_boolean());
    // The stylesheet and the banner are parts of pages, and the others are files and show nothing.
    let files = [
        "assets",
        "banner",
        "download",
        "feed",
        "held-part",
        "thread-feed",
        "mbox",
        "part",
        "raw",
        "robots",
        "sitemap",
        "admin-person-export",
        "admin-import-refused",
    ];
    // Their forms show nothing of their own; `typed_forms` sends them.
    let led_on = ["typed", "typed-member"];
    for page in pages().filter(|page| !files.contains(&page.name)) {
        if page.verb != Verb::Show && led_on.contains(&page.name) {
            continue;
        }
        let looked_at = if page.verb == Verb::Show { &shown } else { &sent };
        assert!(looked_at.contains(page.name), "tests/browser/pages.json has no view of {}", page.name);
    }
    let known: BTreeSet<&str> = pages().map(|page| page.name).chain(["docs", "error"]).collect();
    for name in shown.union(&sent) {
        assert!(known.contains(name.as_str()), "there is no page {name}");
    }
}

/// Signs the first contact, the first administrator and one of the server in, in the file of a stopped server: no page does that yet.
#[tokio::test]
#[ignore = "tests/browser/browser.py runs it, on a data folder that it makes"]
async fn people_are_signed_in() {
    let folder = std::env::var_os("CRIER_BROWSER_DATA").expect("the data folder of a stopped server");
    let core = app::open_stopped(Path::new(&folder), &mut |_| ()).unwrap().core;
    let tx = core.store.read().unwrap();
    let contact = tx.all::<Contact>(0, 1).unwrap().pop().unwrap();
    let account = contact.account;
    let admin =
        admins::of_account(&tx, Some(account)).unwrap().into_iter().find(|admin| admin.api == 0).unwrap();
    drop(tx);
    let username = EmailAddress::parse("root@example.org").unwrap();
    let new = NewAdmin::new(None, Kind::Person { username }, admins::all_grants());
    let now = core.now();
    let server = core.store.write(move |tx| admins::create(tx, new, now)).await.unwrap();
    let mut tokens = Vec::new();
    let devices = ["Firefox, Android", "Chrome, Windows"];
    let people = [
        (account, Person::Member(contact.id)),
        (account, Person::Admin(admin.id)),
        (AccountId::SERVER, Person::Admin(server.id)),
    ];
    for (account, person) in people {
        for words in devices {
            let (token, token_hash) = sessions::new_token(&core.secrets);
            let client = Some("192.0.2.17".parse().unwrap());
            let device = Device { words: words.to_owned(), client };
            let new = NewSession { account, person, device, stay: Stay::Long, token_hash };
            // The clock of the server that follows is days ahead.
            let now = core.now() + std::time::Duration::from_hours(73);
            core.store.write(move |tx| sessions::begin(tx, new, now)).await.unwrap();
            tokens.push(token);
        }
    }
    let tokens = json!({"member": tokens[0], "admin": tokens[2], "server": tokens[4]});
    std::fs::write(Path::new(&folder).join("browser.json"), tokens.to_string()).unwrap();
    core.store.close().await;
}
