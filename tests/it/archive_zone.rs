//! Months and days of an archive are those of the zone in which its dates are shown.

use std::time::Duration;

use crier::ops::archive::months::Month;
use jiff::tz::TimeZone;

use crate::harness::TestApp;
use crate::harness::http::encode;
use crate::harness::visitor::Visitor;

const MEMBER: &str = "member1@example.org";

#[tokio::test]
async fn a_message_is_filed_and_found_in_the_month_that_its_page_shows() {
    for (zone, minutes) in [("Europe/Berlin", -30), ("America/New_York", 30), ("UTC", -30)] {
        let app = TestApp::start().await;
        app.change_account(move |account| account.settings.timezone = zone.to_owned()).await;
        let list = app.list("news").open().with("archive_protected", "0").with("archive_spammode", "0");
        let list = list.member(MEMBER).create().await;
        let now = app.core().now();
        let next = Month::of(now, &TimeZone::UTC).next();
        let wait = next.start(&TimeZone::UTC).since(now);
        let half_an_hour = Duration::from_mins(30);
        app.advance(if minutes < 0 { wait.saturating_sub(half_an_hour) } else { wait + half_an_hour }).await;
        let mail = format!("From: {MEMBER}\nSubject: Barnacles\nMessage-ID: <1@x.org>\n\nMind them.\n");
        assert_eq!(app.send_mail(MEMBER, &list.address, &mail).await.code, 250);
        app.settle().await;
        let (right, wrong) =
            if zone == "Europe/Berlin" { (next, next.previous()) } else { (next.previous(), next) };
        let mut anyone = Visitor::new(&app);
        let page = anyone.get(&format!("/lists/news/months/{right}/")).await;
        assert!(page.status == 200 && page.body.contains("Barnacles"), "{zone}: {}", page.body);
        assert_eq!(anyone.get(&format!("/lists/news/months/{wrong}/")).await.status, 404, "{zone}");
        assert_eq!(anyone.get(&format!("/lists/news/{right}.mbox.gz")).await.status, 200, "{zone}");
        assert_eq!(anyone.get(&format!("/lists/news/{wrong}.mbox.gz")).await.status, 404, "{zone}");
        let listed = anyone.get("/lists/news/").await.body;
        assert!(listed.contains(&format!("months/{right}/")), "{zone}: {listed}");
        for (question, finds) in [
            (format!("after:{right}"), true),
            (format!("before:{right}"), false),
            (format!("after:{}", right.next()), false),
            (format!("before:{}", right.next()), true),
        ] {
            let found = anyone.get(&format!("/lists/news/search/?q={}", encode(&question))).await;
            assert_eq!(found.body.contains("<li id=\"m"), finds, "{zone}: {question}: {}", found.body);
        }
    }
}
