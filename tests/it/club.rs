//! Some days of a club: 300 people come in by every way, and what becomes of each is what a model says. Some confirm
//! late or never, some addresses do not exist, some leave and come back, two have themselves forgotten.

use std::collections::BTreeMap;
use std::time::Duration;

use crier::model::{ContactId, Person as SignedInPerson};

use crate::harness::data::disagreements;
use crate::harness::sink::Mail;
use crate::harness::visitor::Visitor;
use crate::harness::{TestApp, program};

const PEOPLE: usize = 300;
const HOUR: Duration = Duration::from_hours(1);
const DAY: Duration = Duration::from_hours(24);
const CLUB: &str = "club@lists.example.org";

/// How a person comes to the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Way {
    Form,
    Mail,
    Api,
    Import,
}

/// When a person confirms a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Confirms {
    WithinHours,
    AfterSixDays,
    AfterEightDays,
    Never,
}

/// What becomes of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fate {
    Stays,
    Bounces,
    Leaves,
    LeavesAndReturns,
    IsForgotten { posts: &'static str },
}

#[derive(Debug, Clone)]
struct Person {
    address: String,
    way: Way,
    confirms: Confirms,
    fate: Fate,
}

impl Person {
    fn of(number: usize) -> Person {
        let way = [Way::Form, Way::Mail, Way::Api, Way::Import][number % 4];
        let confirms = match (number / 4) % 10 {
            7 => Confirms::AfterSixDays,
            8 => Confirms::AfterEightDays,
            9 => Confirms::Never,
            _ => Confirms::WithinHours,
        };
        let fate = match number {
            // Both came in by the form and confirmed at once.
            40 => Fate::IsForgotten { posts: "keep" },
            80 => Fate::IsForgotten { posts: "remove" },
            _ => match number % 23 {
                3 => Fate::Bounces,
                7 => Fate::Leaves,
                11 => Fate::LeavesAndReturns,
                _ => Fate::Stays,
            },
        };
        Person { address: format!("p{number:03}@club{}.example.org", number % 7), way, confirms, fate }
    }

    /// Whether an administrator added this person, who has nothing to confirm.
    fn was_added(&self) -> bool {
        matches!(self.way, Way::Api | Way::Import)
    }

    fn is_early(&self) -> bool {
        self.was_added() || self.confirms == Confirms::WithinHours
    }

    /// Whether the person is in the list in the end.
    fn stays(&self) -> bool {
        let came = self.is_early() || self.confirms == Confirms::AfterSixDays;
        let goes = self.is_early() && matches!(self.fate, Fate::Leaves | Fate::IsForgotten { .. });
        came && !goes
    }

    /// Whether the person's address was found not to exist.
    fn is_paused(&self) -> bool {
        self.is_early() && self.fate == Fate::Bounces
    }
}

fn people() -> Vec<Person> {
    (0..PEOPLE).map(Person::of).collect()
}

fn post(number: u8, from: &str) -> String {
    format!("From: {from}\nSubject: Post {number}\nMessage-ID: <post{number}@example.net>\n\nHello\n")
}

/// The people of the form, of mail, of the API and of a file come in the order of their numbers.
async fn all_come(app: &TestApp, people: &[Person]) {
    let page = app.anon.at_host("lists.example.org");
    let mut file = String::from("email,lists\n");
    for person in people {
        let address = person.address.as_str();
        match person.way {
            Way::Form => {
                let fields = [("list", "club"), ("email", address), ("name", "A Person")];
                assert_eq!(page.post("/subscribe/", &fields).await.status, 200);
            }
            Way::Mail => {
                let mail = format!(
                    "From: A Person <{address}>\nSubject: hello\nMessage-ID: <{address}>\n\nI would like to join\n"
                );
                let reply = app.send_mail(address, "club-subscribe@lists.example.org", &mail).await;
                assert_eq!(reply.code, 250, "{reply:?}");
            }
            Way::Api => drop(app.join(address, "club").await),
            Way::Import => file.extend([address, ",club\n"]),
        }
    }
    let path = app.folder().join("people.csv");
    std::fs::write(&path, file).unwrap();
    let path = path.to_str().unwrap().to_owned();
    let folder = app.folder().to_owned();
    let importing = move || program::run(&["import", "contacts", &path], &folder);
    tokio::task::spawn_blocking(importing).await.unwrap();
    app.settle().await;
}

/// The mail that asks a person to confirm.
#[track_caller]
fn asking<'m>(mails: &'m [Mail], person: &Person) -> &'m Mail {
    let to_them = |mail: &&Mail| mail.to == [person.address.as_str()] && mail.text().contains("/confirm/");
    let mut asking = mails.iter().filter(to_them);
    let first = asking.next().unwrap_or_else(|| panic!("nobody asked {person:?}"));
    assert!(asking.next().is_none(), "{person:?} was asked twice");
    first
}

/// Confirms as a person does: by the page of the link, and of those who came by mail every second by a reply.
async fn confirm(app: &TestApp, person: &Person, number: usize, status: u16) {
    let mails = app.sink.mails();
    let mail = asking(&mails, person);
    if person.way == Way::Mail && number % 8 < 4 && status == 200 {
        let to = mail.header("Reply-To").unwrap();
        let reply = format!(
            "From: {address}\nSubject: Re: your request\nMessage-ID: <yes-{address}>\n\nYes\n",
            address = person.address
        );
        let answer = app.send_mail(&person.address, to.trim_matches(['<', '>']), &reply).await;
        assert_eq!(answer.code, 250, "{answer:?}");
        return;
    }
    let text = mail.text().replace("=\n", "");
    let (_, path) = text.split_once("https://lists.example.org/confirm/").unwrap();
    let path = format!("/confirm/{}", path.split_whitespace().next().unwrap());
    let page = app.anon.at_host("lists.example.org");
    assert_eq!(page.get(&path).await.status, status, "{person:?}");
    assert_eq!(page.post(&path, &[("action", "confirm")]).await.status, status, "{person:?}");
}

async fn confirm_all(app: &TestApp, people: &[Person], when: Confirms, status: u16) {
    for (number, person) in people.iter().enumerate() {
        if !person.was_added() && person.confirms == when {
            confirm(app, person, number, status).await;
        }
    }
    app.settle().await;
}

/// Leaves by the button of a mail program.
async fn leave(app: &TestApp, person: &Person) -> String {
    let mails = app.sink.mails();
    let copy = mails.iter().find(|mail| {
        mail.to == [person.address.as_str()] && mail.header("Subject").as_deref() == Some("Post 1")
    });
    let field = copy.unwrap_or_else(|| panic!("{person:?} has no copy")).header("List-Unsubscribe").unwrap();
    let (_, path) = field.split_once("<https://lists.example.org").unwrap();
    let path = path.split('>').next().unwrap().to_owned();
    let page = app.anon.at_host("lists.example.org");
    assert_eq!(page.post(&path, &[("List-Unsubscribe", "One-Click")]).await.status, 200);
    path
}

async fn be_forgotten(app: &TestApp, person: &Person, posts: &str) {
    let contact = app.email(&person.address).await["contact"].as_u64().unwrap();
    let token = app.sign_in(SignedInPerson::Member(ContactId(contact))).await;
    let mut visitor = Visitor::new(app);
    visitor.set_cookie("__Host-member", &token);
    let page = visitor.get("/members/erase/").await;
    let form = Visitor::form(&page, "/members/erase/", &["erase"]);
    let done = visitor.submit(&form, &[("action", "erase"), ("posts", posts)]).await;
    assert!([200, 303].contains(&done.status), "{}", done.body);
}

/// How many copies of each post came to each address.
fn copies(app: &TestApp) -> BTreeMap<(String, String), usize> {
    let mut copies = BTreeMap::new();
    for mail in app.sink.mails() {
        let subject = mail.header("Subject").unwrap_or_default();
        if subject.starts_with("Post ") {
            *copies.entry((subject, mail.to[0].clone())).or_default() += 1;
        }
    }
    copies
}

/// The copies that the model expects: everybody gets each post once whose mail works and who is a member at that time.
fn expected_copies(people: &[Person]) -> BTreeMap<(String, String), usize> {
    let mut copies = BTreeMap::new();
    for person in people.iter().filter(|person| !person.is_paused()) {
        let stays_early = person.is_early() && person.fate != Fate::Leaves;
        let was_forgotten_first = person.fate == Fate::IsForgotten { posts: "keep" };
        for (subject, gets) in [
            ("Post 1", person.is_early()),
            ("Post 2", stays_early),
            ("Post 3", stays_early && !was_forgotten_first),
            ("Post 4", person.stays()),
        ] {
            if gets {
                copies.insert((subject.to_owned(), person.address.clone()), 1);
            }
        }
    }
    copies
}

async fn assert_is_as_the_model_says(app: &TestApp, people: &[Person]) {
    let mut members: Vec<String> =
        people.iter().filter(|person| person.stays()).map(|person| person.address.clone()).collect();
    members.sort();
    assert_eq!(app.members("club").await, members);
    let club = app.admin.get("/api/2/lists/club/").await.good();
    assert_eq!(club["contacts"].as_array().unwrap().len(), members.len());
    let rows = app.dump("membership");
    for (way, word) in [(Way::Form, "way: Web"), (Way::Mail, "way: Mail"), (Way::Api, "way: Api")] {
        let expected = people.iter().filter(|person| person.way == way && person.stays()).count();
        assert_eq!(rows.matches(word).count(), expected, "{way:?}");
    }
    let confirmed = |person: &&Person| {
        let came = matches!(person.confirms, Confirms::WithinHours | Confirms::AfterSixDays);
        !person.was_added() && came && !matches!(person.fate, Fate::IsForgotten { .. })
    };
    assert_eq!(app.dump("consent").matches("Consent {").count(), people.iter().filter(confirmed).count());
    for person in people {
        let response = app.admin.get(&format!("/api/2/emails/{}/", person.address)).await;
        let is_known =
            person.was_added() || matches!(person.confirms, Confirms::WithinHours | Confirms::AfterSixDays);
        if !is_known || matches!(person.fate, Fate::IsForgotten { .. }) {
            assert_eq!(response.status, 404, "{person:?}");
            continue;
        }
        let email = response.good();
        assert_eq!(email["paused"], person.is_paused(), "{person:?}");
        assert_eq!(email["confirmed"], !person.was_added(), "{person:?}");
    }
    assert_eq!(disagreements(&app.core().store.read().unwrap()), [""; 0]);
}

#[tokio::test]
async fn three_hundred_people_come_and_go_and_everything_is_as_a_model_says() {
    let people = people();
    let mut app = TestApp::builder().without_dkim().start().await;
    app.list("club").open().create().await;
    all_come(&app, &people).await;
    app.advance(HOUR).await;
    confirm_all(&app, &people, Confirms::WithinHours, 200).await;
    for person in people.iter().filter(|person| person.fate == Fate::Bounces) {
        app.sink.refuse(&person.address);
    }
    assert_eq!(app.send_mail("ann@example.net", CLUB, &post(1, "ann@example.net")).await.code, 250);
    app.settle().await;
    app.restart().await;

    app.advance(DAY).await;
    let mut links = Vec::new();
    for person in people.iter().filter(|person| person.is_early()) {
        match person.fate {
            Fate::Leaves => drop(leave(&app, person).await),
            Fate::LeavesAndReturns => links.push(leave(&app, person).await),
            Fate::Stays | Fate::Bounces | Fate::IsForgotten { .. } => {}
        }
    }
    app.advance(DAY).await;
    for link in links {
        let page = app.anon.at_host("lists.example.org");
        assert_eq!(page.post(&link, &[("action", "rejoin")]).await.status, 200);
    }
    let forgotten = |person: &Person| match person.fate {
        Fate::IsForgotten { posts } => Some((person.clone(), posts)),
        _ => None,
    };
    for (number, (person, posts)) in (2..).zip(people.iter().filter_map(forgotten)) {
        app.send_mail(&person.address, CLUB, &post(number, &person.address)).await;
        app.settle().await;
        be_forgotten(&app, &person, posts).await;
    }

    app.advance(4 * DAY).await;
    confirm_all(&app, &people, Confirms::AfterSixDays, 200).await;
    app.advance(2 * DAY).await;
    confirm_all(&app, &people, Confirms::AfterEightDays, 410).await;
    assert_eq!(app.send_mail("ann@example.net", CLUB, &post(4, "ann@example.net")).await.code, 250);
    app.settle().await;
    assert_is_as_the_model_says(&app, &people).await;
    app.restart().await;
    assert_is_as_the_model_says(&app, &people).await;
    assert_eq!(copies(&app), expected_copies(&people));
}
