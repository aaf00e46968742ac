//! A server that backs itself up: on the clock, thinned out, with one alert for each outage, and ended by a stop.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crier::backup::{self, Target};
use crier::clock::Timestamp;
use crier::config::backup::{BackupConfig, BackupPlace, Keep, S3Credentials, S3Settings};
use crier::ops::server::backups::{self, BackupStanding};
use crier::secret::Secrets;
use tokio::net::TcpListener;

use crate::harness::TestApp;

const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);

/// Hourly backups to a place, all of which are kept for a day.
fn hourly(place: BackupPlace) -> BackupConfig {
    let keep = Keep { hours: 24, days: 0, weeks: 0, months: 0 };
    BackupConfig { place, every: HOUR, keep, key_file: None }
}

/// A server that backs up to a folder that is not there yet.
async fn start(folder: &Path, keep: Keep) -> TestApp {
    let place = BackupPlace::Local(format!("{}/", folder.display()));
    let config = BackupConfig { keep, ..hourly(place) };
    let app = TestApp::builder().config(move |settings| settings.backup = Some(config)).start().await;
    app.running().backups.settle().await;
    app
}

impl TestApp {
    /// Moves time, and lets every backup be made that is due then.
    async fn advance_backups(&self, duration: Duration) {
        self.clock.advance(duration);
        self.running().backups.settle().await;
        self.settle().await;
    }

    fn backup_standing(&self) -> BackupStanding {
        let core = self.core();
        let tx = core.store.read().expect("the file is open");
        backups::find(&tx).expect("the file can be read").expect("backups were tried")
    }
}

fn points(folder: &Path) -> Vec<Timestamp> {
    let points = backup::points(&Target::of_path(folder)).expect("the folder can be read");
    points.into_iter().map(|point| point.time).collect()
}

#[tokio::test]
async fn a_backup_is_made_at_the_start_if_one_is_due_and_then_on_the_clock() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("backups");
    let mut app = start(&target, hourly(BackupPlace::Local(String::new())).keep).await;
    let first = app.clock.now();
    assert_eq!(points(&target), [first]);
    app.advance_backups(59 * MINUTE).await;
    app.restart().await;
    app.advance_backups(Duration::ZERO).await;
    assert_eq!(points(&target), [first], "none is due");
    app.advance_backups(MINUTE).await;
    assert_eq!(points(&target), [first, first + HOUR]);
    let clock = app.clock.clone();
    app.restart_after(|_| clock.advance(3 * HOUR)).await;
    app.advance_backups(Duration::ZERO).await;
    assert_eq!(points(&target), [first, first + HOUR, first + 4 * HOUR], "one that was missed is made once");
    let standing = app.backup_standing();
    assert_eq!((standing.newest, standing.failures), (Some(first + 4 * HOUR), 0));
    assert_eq!(standing.next(HOUR, app.clock.now()), first + 5 * HOUR);
    let metrics = app.core().metrics.text();
    assert!(metrics.contains("crier_backups_total{outcome=\"made\"} 1"), "{metrics}");
    assert!(metrics.contains("crier_backup_duration_seconds_count 1"), "{metrics}");
    let newest = format!("crier_backup_newest_timestamp_seconds {}", (first + 4 * HOUR).secs());
    assert!(metrics.contains(&newest), "{metrics}");
}

#[tokio::test]
async fn old_backups_are_thinned_out_and_the_newest_restores() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("backups");
    let app = start(&target, Keep { hours: 2, days: 3, weeks: 0, months: 0 }).await;
    let first = app.clock.now();
    for _ in 0..40 {
        app.advance_backups(HOUR).await;
    }
    // It began at noon: the last two hours, and the last ones of the two days before.
    let last = first + 40 * HOUR;
    assert_eq!(points(&target), [first + 11 * HOUR, first + 35 * HOUR, first + 39 * HOUR, last]);
    let point = backup::find_point(&Target::of_path(&target), None).unwrap();
    assert_eq!(point.time, last);
    let restored = folder.path().join("restored.redb");
    let restoring = std::thread::spawn(move || {
        backup::restore(&Target::of_path(&target), &point, &restored, &Secrets::seeded(2), &mut |_| ())
    });
    restoring.join().unwrap().unwrap();
}

#[tokio::test]
async fn administrators_are_told_once_of_an_outage_after_three_failures() {
    let folder = tempfile::tempdir().unwrap();
    let target: PathBuf = folder.path().join("backups");
    std::fs::write(&target, "a file is in the way").unwrap();
    let app = start(&target.join("below"), Keep::default()).await;
    app.new_server_admin("root@example.org").await;
    assert_eq!((app.backup_standing().failures, app.sink.copies()), (1, 0));
    let tries = [10, 10, 10, 10].map(|minutes| minutes * MINUTE);
    let mut told = Vec::new();
    for wait in tries {
        app.advance_backups(wait).await;
        told.push((app.backup_standing().failures, app.sink.copies()));
    }
    assert_eq!(told, [(2, 0), (3, 1), (4, 1), (5, 1)]);
    let mail = app.sink.mail_to("root@example.org");
    assert_eq!(mail.header("Subject").as_deref(), Some("Backups of mx.example.org fail"));
    let text = mail.text();
    assert!(text.contains("The last 3 backups to") && text.contains("No backup has been made"), "{text}");
    let metrics = app.core().metrics.text();
    assert!(metrics.contains("crier_backups_total{outcome=\"failed\"} 5"), "{metrics}");

    std::fs::remove_file(&target).unwrap();
    app.advance_backups(10 * MINUTE).await;
    let made = app.clock.now();
    let standing = app.backup_standing();
    assert_eq!((standing.newest, standing.failures, standing.failed), (Some(made), 0, None));
    // The next outage is another one.
    std::fs::remove_dir_all(&target).unwrap();
    std::fs::write(&target, "again").unwrap();
    for wait in [60, 10, 10, 10].map(|minutes| minutes * MINUTE) {
        app.advance_backups(wait).await;
    }
    assert_eq!(app.sink.copies(), 2);
    let text = app.sink.mails()[1].text();
    assert!(text.contains("The newest backup was made"), "{text}");
}

#[tokio::test]
async fn a_server_without_administrators_of_its_own_tells_those_of_its_account() {
    let folder = tempfile::tempdir().unwrap();
    let target = folder.path().join("backups");
    std::fs::write(&target, "a file is in the way").unwrap();
    let app = start(&target.join("below"), Keep::default()).await;
    for (address, notification) in [("ada@example.org", "delivery_problem"), ("bob@example.org", "bounce")] {
        let fields =
            [("username", address), ("permissions", "account_admin"), ("notifications", notification)];
        app.admin.post("/api/2/admins/", &fields).await.good();
    }
    app.settle().await;
    app.sink.clear();
    for _ in 0..2 {
        app.advance_backups(10 * MINUTE).await;
    }
    assert_eq!(app.sink.to_members(), ["ada@example.org"]);
}

#[tokio::test]
async fn a_stop_ends_a_backup_under_way_without_counting_it_as_a_failure() {
    let service = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let endpoint = format!("http://{}", service.local_addr().unwrap());
    let credentials =
        S3Credentials { access_key: "key".to_owned(), secret_key: "secret".to_owned(), session_token: None };
    let place = BackupPlace::S3(S3Settings {
        bucket: "backups".to_owned(),
        prefix: "crier".to_owned(),
        endpoint: Some(endpoint),
        region: "us-east-1".to_owned(),
        credentials: Some(credentials),
        authorities: Vec::new(),
    });
    let mut app = TestApp::builder().config(|config| config.backup = Some(hourly(place))).start().await;
    // It takes the connection and says nothing.
    let (_connection, _) = service.accept().await.unwrap();
    let list = app.list("news").members(1).create().await;
    app.send_mail("member1@example.org", &list.address, "Subject: hello\n\nhi").await;
    app.settle().await;
    assert_eq!(app.sink.copies(), 1, "mail goes on meanwhile");
    tokio::time::timeout(Duration::from_mins(1), app.halt())
        .await
        .expect("the stop does not wait for the service");
    let store =
        crier::store::Store::open(&app.folder().join("crier.redb"), crier::store::StoreOptions::default());
    let store = store.unwrap();
    let standing = backups::find(&store.read().unwrap()).unwrap();
    assert_eq!(standing, None);
    store.close().await;
}
