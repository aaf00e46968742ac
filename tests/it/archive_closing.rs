//! Threads that moderators close: replies wait for approval, and the simulator says so.

use crier::model::{AccountId, AdminId, List, MessageId, Permission, Via};
use crier::ops::archive::import::joining::{self, Progress, Step};
use crier::ops::archive::import::reading::{self, MailboxMail};
use crier::ops::archive::{closing, import};
use crier::ops::{Caller, OpError};
use crier::store::Read as _;
use serde_json::{Value, json};

use crate::harness::TestApp;
use crate::harness::data::TestList;

const MEMBER: &str = "member1@example.org";
const FIRST: &str = "Subject: Cake\nMessage-ID: <1@x.org>\n\nThere is cake.\n";
const REPLY: &str =
    "Subject: Re: Cake\nMessage-ID: <2@x.org>\nIn-Reply-To: <1@x.org>\n\nThank you for the cake.\n";
const FAR_REPLY: &str =
    "Subject: Plums\nMessage-ID: <3@x.org>\nReferences: <1@x.org> <gone@x.org>\n\nOr plums.\n";
const OTHER: &str = "Subject: Re: Tea\nMessage-ID: <4@x.org>\nIn-Reply-To: <gone@x.org>\n\nTea.\n";

async fn post(app: &TestApp, list: &TestList, mail: &str) {
    let reply = app.send_mail(MEMBER, &list.address, mail).await;
    assert_eq!(reply.code, 250, "{reply}");
    app.settle().await;
}

async fn count(app: &TestApp, listing: &str) -> u64 {
    app.admin.get(&format!("/api/2/{listing}/")).await.good()["count"].as_u64().unwrap()
}

async fn messages(app: &TestApp) -> Vec<Value> {
    app.admin.get("/api/2/messages/").await.good()["data"].as_array().unwrap().clone()
}

/// Closes or opens a thread as an operator does.
async fn set_closed(app: &TestApp, name: &str, thread: u64, closed: bool) -> Result<(), OpError> {
    let caller = std::sync::Arc::new(Caller::operator(AccountId(app.account_id())));
    set_closed_by(app, caller, name, thread, closed).await
}

async fn set_closed_by(
    app: &TestApp,
    caller: std::sync::Arc<Caller>,
    name: &str,
    thread: u64,
    closed: bool,
) -> Result<(), OpError> {
    let id = app.admin.get(&format!("/api/2/lists/{name}/")).await.good()["id"].as_u64().unwrap();
    let core = app.core();
    let list: List = core.store.read().unwrap().get(id).unwrap().unwrap();
    let closing = core.perform(&caller, move |tx, by| {
        closing::set(tx, &by.caller, &list, MessageId(thread), closed, by.now)
    });
    closing.await
}

async fn simulate(app: &TestApp, mail: &str) -> Value {
    let call = json!({"message": format!("From: {MEMBER}\n{mail}")});
    app.admin.post_json("/api/2/lists/news/simulate/", &call).await.good()
}

#[tokio::test]
async fn replies_to_a_closed_thread_wait_and_others_go_on() {
    let app = TestApp::start().await;
    let list = app.list("news").members(2).create().await;
    post(&app, &list, FIRST).await;
    let thread = messages(&app).await[0]["id"].as_u64().unwrap();
    set_closed(&app, "news", thread, true).await.unwrap();
    for (number, reply) in [REPLY, FAR_REPLY].into_iter().enumerate() {
        let said = simulate(&app, reply).await;
        let reason = json!("the conversation that it replies to is closed");
        assert_eq!((&said["verdict"], &said["reason"]), (&json!("hold"), &reason), "{said:#}");
        let rule = json!({"rule": "closed_thread", "verdict": "hold", "reason": reason});
        assert!(said["rules"].as_array().unwrap().contains(&rule), "{said:#}");
        post(&app, &list, reply).await;
        assert_eq!((count(&app, "messages").await, count(&app, "held").await), (1, number as u64 + 1));
        let held = app.admin.get("/api/2/held/").await.good();
        assert_eq!(held["data"][0]["reason"], reason, "{held:#}");
    }
    // A reply to what this list never had, and a message that answers nothing.
    post(&app, &list, OTHER).await;
    post(&app, &list, "Subject: Cake\nMessage-ID: <5@x.org>\n\nA new thread about cake.\n").await;
    assert_eq!((count(&app, "messages").await, count(&app, "held").await), (3, 2));
    // What a moderator approves goes into the thread although it is closed.
    let held = app.admin.get("/api/2/held/").await.good()["data"][0]["id"].to_string();
    app.admin.put_json(&format!("/api/2/held/{held}/"), &json!({"action": "approve"})).await.good();
    app.settle().await;
    let approved = messages(&app).await;
    assert_eq!(approved.iter().filter(|message| message["thread_id"] == thread).count(), 2, "{approved:#?}");

    set_closed(&app, "news", thread, false).await.unwrap();
    assert_eq!(simulate(&app, &REPLY.replace("<2@", "<6@")).await["verdict"], "post");
    post(&app, &list, &REPLY.replace("<2@", "<6@")).await;
    assert_eq!(count(&app, "messages").await, 5);
    let log = app.admin.get("/api/2/audit/").await.good();
    let of_thread =
        log["data"].as_array().unwrap().iter().filter(|entry| entry["object"]["kind"] == "thread");
    let noted: Vec<_> =
        of_thread.map(|entry| (entry["action"].clone(), entry["object"]["name"].clone())).collect();
    assert_eq!(noted, [(json!("thread.opened"), json!("Cake")), (json!("thread.closed"), json!("Cake"))]);
}

#[tokio::test]
async fn only_moderators_of_the_list_close_its_threads() {
    let app = TestApp::start().await;
    let list = app.list("news").members(2).create().await;
    app.list("tea").create().await;
    post(&app, &list, FIRST).await;
    let thread = messages(&app).await[0]["id"].as_u64().unwrap();
    let missing = Err(OpError::NotFound { what: "thread" });
    assert_eq!(set_closed(&app, "tea", thread, true).await, missing, "it is in another list");
    assert_eq!(set_closed(&app, "news", thread + 1, true).await, missing);
    let sender = app.new_admin(AccountId(app.account_id()), "boss@example.org").await;
    let crier::model::Person::Admin(AdminId(id)) = sender else { panic!("{sender:?}") };
    let path = format!("/api/2/admins/{id}/");
    let rows: [(&[&str], Option<OpError>); 3] = [
        (&["send_messages"], Some(OpError::Forbidden { permission: Permission::ApproveMessages })),
        (&["approve_messages", "limit_lists"], Some(OpError::NotFound { what: "thread" })),
        (&["approve_messages"], None),
    ];
    for (permissions, refused) in rows {
        app.admin.put_json(&path, &json!({"permissions": permissions})).await.good();
        let core = app.core();
        let admin = core.store.read().unwrap().get(id).unwrap().unwrap();
        let caller = Caller::admin(&admin, AccountId(app.account_id()), Via::Page, None);
        let done = set_closed_by(&app, std::sync::Arc::new(caller), "news", thread, true).await;
        assert_eq!(done.err(), refused, "{permissions:?}");
    }
}

#[tokio::test]
async fn a_reply_to_a_message_that_was_taken_out_waits_if_its_thread_became_part_of_a_closed_one() {
    let app = TestApp::start().await;
    let list = app.list("news").members(2).create().await;
    post(&app, &list, REPLY).await;
    post(&app, &list, &REPLY.replace("<1@", "<2@").replace("Message-ID: <2@", "Message-ID: <7@")).await;
    let both = messages(&app).await;
    assert_eq!(both[0]["thread_id"], both[1]["id"], "{both:#?}");
    app.admin.delete(&format!("/api/2/messages/{}/", both[0]["id"])).await.good();
    // The message that both reply to comes with an import.
    let first = format!("From: {MEMBER}\nDate: Fri, 20 Nov 2026 09:00:00 +0000\n{FIRST}");
    let mail = MailboxMail { bytes: first.into_bytes(), delivered: None, sender: String::new() };
    let core = app.core();
    let mails = reading::read(vec![mail], &mut None, app.clock.now());
    let id = app.admin.get("/api/2/lists/news/").await.good()["id"].as_u64().unwrap();
    let stored = core.store.write(move |tx| -> Result<(), OpError> {
        let list: List = tx.get(id)?.unwrap();
        import::store(tx, &list, mails)?;
        assert_eq!(joining::join(tx, &list, &mut Progress::default())?, Step::Done);
        Ok(())
    });
    stored.await.unwrap();
    let joined = messages(&app).await;
    assert_eq!(joined[0]["thread_id"], joined[1]["id"], "{joined:#?}");
    set_closed(&app, "news", joined[1]["id"].as_u64().unwrap(), true).await.unwrap();
    post(&app, &list, "Subject: Re: Cake\nMessage-ID: <8@x.org>\nIn-Reply-To: <7@x.org>\n\nMore.\n").await;
    assert_eq!((count(&app, "messages").await, count(&app, "held").await), (2, 1));
}
