//! The price of the operations that a server does most: what each writes to the data file.
//!
//! Bytes and writes hardly vary from run to run, as times do. Small commits write what they change into a log, so a further
//! index costs some bytes of a page that is written anyway, and pages when the log is merged; a further commit costs six
//! pages in each of these operations, for ever: the bounds here show it where it is made. If an operation has to write
//! more, raise its bound and say in the commit what the pages are for; if it writes less, lower it.

use std::collections::BTreeSet;
use std::fmt::{self, Display, Formatter};
use std::pin::pin;
use std::sync::Arc;

use crier::clock::Timestamp;
use crier::model::welcome::WelcomeCause;
use crier::model::{Account, AccountDeletion, AccountId, ContactId, Message, Welcome, WelcomeId};
use crier::ops::Caller;
use crier::schema::ENTITIES;
use crier::service::{Core, Shared};
use crier::store::fault::DiskControl;
use crier::store::{Read as _, StoreError, WriteTx};
use tokio::sync::Notify;

use crate::harness::TestApp;

/// Operations that are not counted: the trees of a file that is nearly empty have fewer levels.
const BEFORE: usize = 200;
/// Operations that are counted: enough for the log to be merged in most cases, so that its share is in the price.
const COUNTED: usize = 200;

/// The price of an operation.
struct Price {
    /// Bytes that it writes on average.
    bytes: u64,
    /// Calls that write, on average.
    writes: u64,
    /// The rows that the last one added (`+`) and took away (`-`), to see where its price comes from.
    rows: Vec<String>,
}

impl Display for Price {
    fn fmt(&self, out: &mut Formatter<'_>) -> fmt::Result {
        writeln!(out, "{} bytes in {} calls for these rows:", self.bytes, self.writes)?;
        self.rows.iter().try_for_each(|row| writeln!(out, "{row}"))
    }
}

/// All rows of the data file, as text.
fn rows(app: &TestApp) -> BTreeSet<String> {
    let dumps = ENTITIES.iter().map(|entity| app.dump(entity.name));
    dumps.flat_map(|dump| dump.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

/// Does an operation again and again, each time until nothing is left to do, and returns what it writes.
async fn price(app: &TestApp, disk: &DiskControl, operation: impl AsyncFn(usize)) -> Price {
    for number in 0..BEFORE {
        operation(number).await;
    }
    app.settle().await;
    let (bytes, writes) = (disk.bytes_written(), disk.writes());
    let mut before = BTreeSet::new();
    for number in BEFORE..BEFORE + COUNTED {
        if number + 1 == BEFORE + COUNTED {
            before = rows(app);
        }
        operation(number).await;
        app.settle().await;
    }
    let (counted, after) = (COUNTED as u64, rows(app));
    let added = after.difference(&before).map(|row| format!("+{row}"));
    Price {
        bytes: (disk.bytes_written() - bytes) / counted,
        writes: (disk.writes() - writes) / counted,
        rows: added.chain(before.difference(&after).map(|row| format!("-{row}"))).collect(),
    }
}

/// Passes if an operation writes as much as is known of it: not more, and so little less that the next table shows.
#[track_caller]
fn check(found: &Price, bytes_max: u64, writes_max: u64) {
    assert!(found.bytes <= bytes_max && found.writes <= writes_max, "more than it was: {found}");
    let is_close = bytes_max * 94 < found.bytes * 100;
    assert!(is_close, "less than it was, lower the bound: {found}");
}

async fn post(app: &TestApp, from: &str, list: &str, number: usize) {
    let text = "A line of a message that is as long as most are.\r\n".repeat(80);
    let message = format!("Subject: post {number}\nMessage-ID: <{number}.{list}@example.org>\n\n{text}");
    let reply = app.send_mail(from, &format!("{list}@lists.example.org"), &message).await;
    assert_eq!(reply.code, 250, "{reply:?}");
}

async fn server() -> (TestApp, DiskControl) {
    let disk = DiskControl::new();
    (TestApp::builder().without_dkim().disk(&disk).start().await, disk)
}

#[tokio::test]
async fn a_post_writes_no_more_than_it_did() {
    let (app, disk) = server().await;
    app.list("news").open().create().await;
    let found = price(&app, &disk, async |number| post(&app, "ann@example.net", "news", number).await).await;
    check(&found, 68_000, 17);
}

#[tokio::test]
async fn a_post_with_a_delivered_copy_writes_no_more_than_it_did() {
    let (app, disk) = server().await;
    app.list("news").members(1).create().await;
    let found =
        price(&app, &disk, async |number| post(&app, "member1@example.org", "news", number).await).await;
    check(&found, 90_500, 23);
}

#[tokio::test]
async fn a_contact_writes_no_more_than_it_did() {
    let (app, disk) = server().await;
    app.list("news").create().await;
    let add = async |number: usize| {
        app.join(&format!("person{number}@example.net"), "news").await;
    };
    check(&price(&app, &disk, add).await, 24_200, 6);
}

#[tokio::test]
async fn a_join_writes_no_more_than_it_did() {
    let (app, disk) = server().await;
    app.list("news").create().await;
    for number in 0..BEFORE + COUNTED {
        let email = format!("person{number}@example.net");
        app.admin.post("/api/2/contacts/", &[("emails", &email)]).await.good();
    }
    let join = async |number: usize| {
        let contact = (number + 1).to_string();
        app.admin.post("/api/2/membership/", &[("contact", &contact), ("list", "news")]).await.good();
    };
    check(&price(&app, &disk, join).await, 22_200, 6);
}

/// Who is woken by a change of the data file looks through many tables: nobody is woken for nothing.
#[tokio::test]
async fn a_change_wakes_only_those_for_whom_there_is_work() {
    let app = TestApp::start().await;
    app.list("news").open().create().await;
    post(&app, "ann@example.net", "news", 1).await;
    let mut shared = Shared::clone(&app.core());
    let wakes = [(); 3].map(|()| Arc::new(Notify::new()));
    [shared.wake, shared.banner_wanted, shared.upkeep_wanted] = wakes.clone();
    let core = Core::new(shared);
    let is_woken = || wakes.each_ref().map(|wake| pin!(wake.notified()).enable());
    let account = AccountId(app.account_id());
    let store_account = move |tx: &mut WriteTx<'_>, _: &_| -> Result<(), StoreError> {
        let record = tx.get::<Account>(account.0)?.expect("the account is there");
        tx.put(&record)
    };
    core.perform(&Caller::of_server(), store_account).await.expect("the file takes it");
    assert_eq!(is_woken(), [false; 3]);
    let store_message = move |tx: &mut WriteTx<'_>, _: &_| -> Result<(), StoreError> {
        let message = tx.all::<Message>(0, 1)?.pop().expect("one was posted");
        tx.put(&message)
    };
    core.perform(&Caller::of_server(), store_message).await.expect("the file takes it");
    assert_eq!(is_woken(), [true, false, false], "search has something to read");
    let welcome = move |tx: &mut WriteTx<'_>, _: &_| -> Result<(), StoreError> {
        let (id, contact) = (WelcomeId(tx.next_id::<Welcome>()?), ContactId(1));
        tx.put(&Welcome { id, account, contact, cause: WelcomeCause::Added })?;
        tx.delete::<Welcome>(id.0).map(drop)
    };
    core.perform(&Caller::of_server(), welcome).await.expect("the file takes it");
    assert_eq!(is_woken(), [false, false, true]);
    let deletion = move |tx: &mut WriteTx<'_>, _: &_| -> Result<(), StoreError> {
        tx.put(&AccountDeletion { account: AccountId(u64::MAX), since: Timestamp::default() })?;
        tx.delete::<AccountDeletion>(u64::MAX).map(drop)
    };
    core.perform(&Caller::of_server(), deletion).await.expect("the file takes it");
    assert_eq!(is_woken(), [false, false, true]);
}
