//! An administrator's own page: the password, the sessions, and what is asked for again.

use std::time::Duration;

use super::factors::press;
use super::*;

const ME: &str = "/admin/me/";

async fn change(visitor: &mut Visitor, present: &str, new: &str) -> Response {
    press(visitor, "password", &[("password", present), ("new_password", new)]).await
}

#[tokio::test]
async fn a_password_is_changed_with_the_present_one_and_ends_other_sessions() {
    let app = TestApp::start().await;
    let person = boss(&app).await;
    let (mut here, mut there) = (Visitor::new(&app), Visitor::new(&app));
    log_in(&mut here, BOSS, PASSWORD).await;
    log_in(&mut there, BOSS, PASSWORD).await;
    let link = link_of(&app, person, app.clock.now() + invite::LINK_WORKS_FOR);
    page(&change(&mut here, "wrong", "another horse").await, 400, "href=\"#password\"");
    page(&change(&mut here, "", "another horse").await, 400, "href=\"#password\"");
    page(&change(&mut here, PASSWORD, "short").await, 400, "href=\"#new_password\"");
    page(&change(&mut here, PASSWORD, BOSS).await, 400, "href=\"#new_password\"");
    assert_eq!(there.get(ME).await.status, 200);
    let changed = change(&mut here, PASSWORD, "another horse").await;
    assert_eq!(changed.header("location"), Some("/admin/me/?done=password"), "{}", changed.body);
    page(&here.get("/admin/me/?done=password").await, 200, "role=\"status\"");
    assert_eq!(there.get(ME).await.status, 303);
    page(&there.get(&link).await, 410, "class=\"meta\">Error");
    assert_eq!(log_in(&mut there, BOSS, PASSWORD).await.status, 400);
    assert_eq!(log_in(&mut there, BOSS, "another horse").await.status, 303);
}

#[tokio::test]
async fn wrong_present_passwords_lock_the_address_like_any_others() {
    let app = TestApp::start().await;
    boss(&app).await;
    let mut visitor = Visitor::new(&app);
    log_in(&mut visitor, BOSS, PASSWORD).await;
    for _ in 0..8 {
        assert_eq!(change(&mut visitor, "wrong", "another horse").await.status, 400);
    }
    assert_eq!(change(&mut visitor, PASSWORD, "another horse").await.status, 400);
    assert_eq!(log_in(&mut Visitor::new(&app), BOSS, PASSWORD).await.status, 400);
}

#[tokio::test]
async fn after_a_quarter_of_an_hour_the_password_is_asked_for_again() {
    let app = TestApp::start().await;
    boss(&app).await;
    let mut visitor = Visitor::new(&app);
    log_in(&mut visitor, BOSS, PASSWORD).await;
    app.advance(Duration::from_mins(14)).await;
    assert_eq!(press(&mut visitor, "otp", &[]).await.header("location"), Some("/admin/me/#setup"));
    press(&mut visitor, "cancel", &[]).await;
    app.advance(Duration::from_mins(1)).await;
    let asked = press(&mut visitor, "otp", &[]).await;
    let again = "/login/again/?next=%2Fadmin%2Fme%2F";
    assert_eq!((asked.status, asked.header("location")), (303, Some(again)));
    let shown = visitor.get(again).await;
    page(&shown, 200, "autocomplete=\"current-password\"");
    let form = Visitor::form(&shown, again, &["name=\"password\""]);
    page(&visitor.submit(&form, &[("password", "wrong")]).await, 400, "role=\"alert\"");
    assert!(press(&mut visitor, "otp", &[]).await.header("location").unwrap().starts_with("/login/again/"));
    let right = visitor.submit(&form, &[("password", PASSWORD)]).await;
    assert_eq!((right.status, right.header("location")), (303, Some(ME)));
    assert_eq!(press(&mut visitor, "otp", &[]).await.header("location"), Some("/admin/me/#setup"));
}

#[tokio::test]
async fn sessions_are_listed_and_end_one_by_one_and_all_at_once() {
    let app = TestApp::start().await;
    boss(&app).await;
    let mut visitors = [Visitor::new(&app), Visitor::new(&app), Visitor::new(&app)];
    for visitor in &mut visitors {
        log_in(visitor, BOSS, PASSWORD).await;
    }
    let [here, there, third] = &mut visitors;
    let shown = here.get(ME).await;
    assert_eq!(shown.body.matches("value=\"revoke\"").count(), 2);
    page(&shown, 200, "This session");
    page(&shown, 200, "127.0.0.1");
    let ended = press(here, "revoke", &[]).await;
    assert_eq!(ended.header("location"), Some("/admin/me/?done=revoke"));
    let left = [there.get(ME).await.status, third.get(ME).await.status];
    assert_eq!(left.iter().filter(|status| **status == 200).count(), 1, "{left:?}");
    assert_eq!(press(here, "signout-all", &[]).await.status, 303);
    for visitor in [here, there, third] {
        assert_eq!(visitor.get(ME).await.status, 303);
    }
    let noted = log(&app, &["session.ended"]).await;
    assert_eq!(noted.len(), 2, "{noted:?}");
}
