//! What a member sees, keeps and ends of its own: pauses of lists, other members, the download, the erasure.

use serde_json::json;

use crate::harness::TestApp;
use crate::harness::data::TestList;
use crate::harness::sink::Act;

const SECOND: &str = "member2@example.org";
const MINUTE: std::time::Duration = std::time::Duration::from_mins(1);

/// Pauses or resumes a member of the list `news`.
async fn set_paused(app: &TestApp, address: &str, paused: bool) {
    let query = format!("/api/2/membership/?list=news&email={}", address.replace('@', "%40"));
    let id = app.admin.get(&query).await.good()["data"][0]["id"].to_string();
    app.admin.put_json(&format!("/api/2/membership/{id}/"), &json!({"paused": paused})).await.good();
}

async fn post(app: &TestApp, list: &TestList, from: &str) {
    let reply = app.send_mail(from, &list.address, "Subject: hello\n\nhi").await;
    assert_eq!(reply.code, 250, "{reply}");
    app.settle().await;
}

/// A list of few members, whose posts are expanded at once, and one of more, whose posts a task expands.
const SIZES: [usize; 2] = [3, 20];

#[tokio::test]
async fn a_paused_member_gets_no_copies_and_stays_a_member() {
    for members in SIZES {
        let app = TestApp::start().await;
        let list = app.list("news").open().members(members).create().await;
        set_paused(&app, SECOND, true).await;
        let call = json!({"message": "From: a@x.org\nSubject: a\n\nb"});
        let simulated = app.admin.post_json("/api/2/lists/news/simulate/", &call).await.good();
        assert_eq!((&simulated["recipients"], &simulated["paused"]), (&json!(members - 1), &json!(1)));
        post(&app, &list, SECOND).await;
        assert_eq!(app.sink.to_members().len(), members - 1);
        assert!(!app.sink.to_members().iter().any(|to| to == SECOND), "{members}");
        assert_eq!(app.members("news").await.len(), members);
        set_paused(&app, SECOND, false).await;
        post(&app, &list, SECOND).await;
        assert_eq!(app.sink.to_members().len(), 2 * members - 1, "resumed");
    }
}

#[tokio::test]
async fn who_pauses_a_list_before_the_own_copy_began_gets_none_of_it() {
    let app = TestApp::start().await;
    let list = app.list("news").members(3).create().await;
    app.sink.script("member1@example.org", Act::AtData("451 4.3.0 Later"), 1);
    app.sink.script(SECOND, Act::AtData("451 4.3.0 Later"), 1);
    post(&app, &list, "member1@example.org").await;
    set_paused(&app, SECOND, true).await;
    app.advance(5 * MINUTE).await;
    assert!(!app.sink.to_members().iter().any(|to| to == SECOND));
    assert_eq!(app.trace(SECOND).await["state"], "skipped");
}
