//! `crier import server`: an account taken over from another running server, which answers as it should and as it should
//! not.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};

use super::objects::{shown, told, words};
use super::{Server, bad, crier, folder, good, set_up};

const FIXTURES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/mailboxes");
const KINDS: [&str; 6] = ["fields", "lists", "contacts", "aliases", "administrators", "messages"];

/// What stands between the two servers does with a request.
enum Act {
    Pass,
    Answer(Vec<u8>),
    /// It never answers.
    Hang,
}

/// A server that passes requests on to another one, or answers in its place. It is told the path of each request.
struct Between {
    url: String,
    paths: Arc<Mutex<Vec<String>>>,
    hung: Receiver<()>,
}

impl Between {
    fn start(server: &Server, act: impl Fn(usize, &str) -> Act + Send + Sync + 'static) -> Between {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let paths: Arc<Mutex<Vec<String>>> = Arc::default();
        let (hanging, hung) = channel();
        let (act, upstream, seen) = (Arc::new(act), server.http.clone(), Arc::clone(&paths));
        std::thread::spawn(move || {
            for client in listener.incoming() {
                let (act, upstream) = (Arc::clone(&act), upstream.clone());
                let (seen, hanging) = (Arc::clone(&seen), hanging.clone());
                std::thread::spawn(move || pass(client.unwrap(), &upstream, &seen, &hanging, &*act));
            }
        });
        Between { url, paths, hung }
    }
}

fn pass(
    mut client: TcpStream,
    upstream: &str,
    seen: &Mutex<Vec<String>>,
    hanging: &Sender<()>,
    act: &dyn Fn(usize, &str) -> Act,
) {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if client.read(&mut byte).unwrap_or(0) == 0 {
            return;
        }
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap();
    let path = head.split(' ').nth(1).unwrap().to_owned();
    let number = {
        let mut seen = seen.lock().unwrap();
        seen.push(path.clone());
        seen.len() - 1
    };
    match act(number, &path) {
        Act::Answer(answer) => {
            // Whoever asked may have hung up.
            let _ = client.write_all(&answer);
        }
        Act::Hang => {
            hanging.send(()).unwrap();
            let _ = client.read(&mut byte);
        }
        Act::Pass => {
            let mut server = TcpStream::connect(upstream).unwrap();
            let head = format!("{}\r\nConnection: close\r\n\r\n", head.trim_end());
            server.write_all(head.as_bytes()).unwrap();
            let _ = std::io::copy(&mut server, &mut client);
        }
    }
}

fn answer(status: &str, header: &str, body: &str) -> Act {
    let length = body.len();
    Act::Answer(format!("HTTP/1.1 {status}\r\nContent-Length: {length}\r\n{header}\r\n{body}").into_bytes())
}

/// An account with something of everything that the API shows, and a key of it in a file.
fn fill(data: &str) -> String {
    let made = set_up(data);
    for line in [
        "list create news --description 'What is new; 100 %'",
        "list create choir --archive-protected true --subject-prefix [choir]",
        "list set choir --restrict-post-lists news --restrict-post-lists choir --moderate 6",
        "field add 'Shoe size' --id shoe",
        "field add Voice",
        "account set example --language de --ccid true",
        "contact create ada@example.org ada@home.example --firstname Ada --surname Lovelace --list choir --ccid c-1 \
         --notes '=1+1 is \"two\"' --custom-field 'Shoe size=39' --custom-field Voice=-alto",
        "contact create bob@example.org --list choir --list news",
        "contact create eve@example.org --firstname Eve",
        "member set choir bob@example.org --paused true",
        "member set news bob@example.org --digest 1",
        "email set ada@home.example --digest true --ceid second",
        "alias create board --destination bob@example.org",
        "alias create all --destination board@lists.example.org",
        "admin create chair@example.org --firstname Chair --limit-list choir --permission approve_messages \
         --notification held_message --welcome-email false",
    ] {
        told(data, line);
    }
    told(data, &format!("import mbox --list choir {FIXTURES}/python.mbox {FIXTURES}/takeout.mbox"));
    let path = Path::new(data).join("key");
    std::fs::write(&path, format!("{}\n", made["api_key"].as_str().unwrap())).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Everything that the API shows of people, but for numbers.
fn people(data: &str) -> Vec<Value> {
    let all = shown(data, "contact list");
    let mut people: Vec<Value> = all["data"].as_array().unwrap().clone();
    for person in &mut people {
        for name in ["id", "contact"] {
            person.as_object_mut().unwrap().remove(name);
        }
        for part in ["emails", "lists"] {
            for object in person[part].as_array_mut().unwrap() {
                for name in ["id", "contact"] {
                    object.as_object_mut().unwrap().remove(name);
                }
            }
        }
        // The full name of this field is told by no server.
        let shoe = person.as_object_mut().unwrap().remove("shoe");
        person["shoe"] = shoe.unwrap_or_else(|| json!(""));
    }
    people.sort_by_key(|person| person["description"].as_str().unwrap().to_owned());
    people
}

/// The files of an export that are the same at both servers but for numbers.
fn exported(data: &str, name: &str) -> Vec<(String, String)> {
    let out = Path::new(data).join(name);
    told(data, &format!("export {}", out.display()));
    let files =
        ["lists.json", "aliases.json", "administrators.json", "archives/choir.mbox", "archives/news.mbox"];
    let read = |file: &str| {
        let text = String::from_utf8_lossy(&std::fs::read(out.join(file)).unwrap()).into_owned();
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("\"id\": "));
        (file.to_owned(), lines.collect::<Vec<_>>().join("\n"))
    };
    files.into_iter().map(read).collect()
}

#[track_caller]
fn check_same(source: &str, target: &str, name: &str) {
    for (here, there) in exported(source, &format!("{name}-source")).iter().zip(&exported(target, name)) {
        assert_eq!(here, there);
    }
    assert_eq!(people(source), people(target));
}

#[test]
fn an_account_comes_over_and_a_second_import_changes_nothing() {
    let (_source, source) = folder();
    let key = fill(&source);
    let from = Server::start(&source);
    for runs in [true, false] {
        let (_target, target) = folder();
        set_up(&target);
        // These would mail everybody who is added.
        told(&target, "account set example --send-welcome-message-contacts true");
        let server = runs.then(|| Server::start(&target));
        let line = format!("import server http://{} --key-file {key}", from.http);
        let dry = shown(&target, &format!("{line} --dry-run"));
        assert_eq!(shown(&target, "contact list")["count"], 0, "a dry run keeps nothing");
        let done = shown(&target, &line);
        for kind in KINDS {
            assert_eq!(dry[kind], done[kind], "{kind}");
        }
        assert_eq!(done["contacts"], json!({"created": 3, "skipped": 0, "rejected": 0}), "{done}");
        assert_eq!(done["messages"], json!({"created": 8, "skipped": 0, "rejected": 0}), "{done}");
        assert_eq!(done["administrators"], json!({"created": 1, "skipped": 1, "rejected": 0}), "{done}");
        check_same(&source, &target, if runs { "running" } else { "stopped" });
        let again = shown(&target, &line);
        for kind in KINDS {
            assert_eq!(again[kind]["created"], 0, "{kind} again: {again}");
            assert_eq!(again[kind]["rejected"], 0, "{kind} again: {again}");
        }
        assert_eq!(shown(&target, "queue list")["data"], json!([]), "nobody is mailed");
        if let Some(server) = server {
            assert_eq!(server.stop().code(), Some(0));
        }
        assert!(good(&["verify", "--data", &target]).starts_with("All is well"));
    }
}

#[test]
fn what_the_api_does_not_tell_is_named() {
    let (_source, source) = folder();
    let key = fill(&source);
    let from = Server::start(&source);
    let (_target, target) = folder();
    set_up(&target);
    let report = Path::new(&target).join("report.csv");
    let line = format!("import server http://{} --key-file {key} --report {}", from.http, report.display());
    let said = told(&target, &line);
    for part in ["1 keys of the API", "2 protected archives", "1 account", "2 full names of custom fields"] {
        assert!(said.contains(part), "{part} in {said}");
    }
    assert_eq!(shown(&target, "account show example")["language"], "en");
    let said = told(&target, &format!("{line} --account-id 1"));
    assert!(said.contains("1 domains"), "{said}");
    assert_eq!(shown(&target, "account show example")["language"], "de");
    assert!(std::fs::read_to_string(report).unwrap().contains("protected archives"));
}

#[test]
fn one_list_comes_alone_with_its_members() {
    let (_source, source) = folder();
    let key = fill(&source);
    let from = Server::start(&source);
    let (_target, target) = folder();
    set_up(&target);
    let line = format!("import server http://{} --key-file {key}", from.http);
    let (_, told) = bad(&words(&format!("{line} --list none"), &target));
    assert!(told.contains("the server has no list none"), "{told}");
    let done = shown(&target, &format!("{line} --list news"));
    assert_eq!(done["lists"]["created"], 1, "{done}");
    assert_eq!(done["contacts"]["created"], 1, "{done}");
    assert_eq!(done["aliases"]["created"], 0, "{done}");
    let lists = shown(&target, "contact show bob@example.org")["lists"].clone();
    assert_eq!(lists.as_array().unwrap().len(), 1, "{lists}");
}

#[test]
fn a_server_that_asks_to_wait_is_asked_again() {
    let (_source, source) = folder();
    let key = fill(&source);
    let from = Server::start(&source);
    // Every third request is one too many.
    let between = Between::start(&from, |number, _| {
        let refusal = || answer("429 Too Many Requests", "Retry-After: 0\r\n", "{\"is_error\": true}");
        if number % 3 == 1 { refusal() } else { Act::Pass }
    });
    let (_target, target) = folder();
    set_up(&target);
    let done = shown(&target, &format!("import server {} --key-file {key}", between.url));
    assert_eq!(done["messages"], json!({"created": 8, "skipped": 0, "rejected": 0}), "{done}");
    check_same(&source, &target, "out");
    let paths = between.paths.lock().unwrap();
    assert_eq!(paths[1], paths[2], "the same request came again");
}

#[test]
fn an_import_that_was_killed_is_finished_without_doubles() {
    let (_source, source) = folder();
    let key = fill(&source);
    let from = Server::start(&source);
    // Lists and people have come when it is killed, and the rest has not.
    let between =
        Between::start(&from, |_, path| if path.contains("/aliases/") { Act::Hang } else { Act::Pass });
    let (_target, target) = folder();
    set_up(&target);
    let server = Server::start(&target);
    let line = format!("import server {} --key-file {key}", between.url);
    let mut child = crier(&words(&line, &target)).spawn().unwrap();
    between.hung.recv().unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(shown(&target, "contact list")["count"], 3, "the people had come");
    let done = shown(&target, &format!("import server http://{} --key-file {key}", from.http));
    assert_eq!(done["contacts"], json!({"created": 0, "skipped": 3, "rejected": 0}), "{done}");
    assert_eq!(done["lists"]["created"], 0, "{done}");
    check_same(&source, &target, "out");
    assert_eq!(server.stop().code(), Some(0));
}

#[test]
fn messages_that_are_here_are_not_read_again() {
    let (_source, source) = folder();
    let key = fill(&source);
    let from = Server::start(&source);
    let (_target, target) = folder();
    set_up(&target);
    told(&target, "list create choir");
    let known = shown(&target, &format!("import mbox --list choir {FIXTURES}/python.mbox"));
    let known = known["created"].as_u64().unwrap();
    let between = Between::start(&from, |_, _| Act::Pass);
    let done = shown(&target, &format!("import server {} --key-file {key}", between.url));
    assert_eq!(done["messages"], json!({"created": 8 - known, "skipped": known, "rejected": 0}), "{done}");
    let read = between.paths.lock().unwrap().iter().filter(|path| path.contains("/raw/")).count();
    assert_eq!(read as u64, 8 - known);
}

#[test]
fn a_server_without_whole_mails_gives_what_it_shows() {
    let (_source, source) = folder();
    let key = fill(&source);
    let from = Server::start(&source);
    let between = Between::start(&from, |_, path| {
        if path.contains("/raw/") { answer("404 Not Found", "", "{\"is_error\": true}") } else { Act::Pass }
    });
    let (_target, target) = folder();
    set_up(&target);
    let done = shown(&target, &format!("import server {} --key-file {key}", between.url));
    assert_eq!(done["messages"], json!({"created": 8, "skipped": 0, "rejected": 0}), "{done}");
    let there = messages(&from, &std::fs::read_to_string(&key).unwrap());
    let server = Server::start(&target);
    let own = shown(&target, "key create --permission account_admin");
    assert_eq!(there, messages(&server, own["api_key"].as_str().unwrap()));
    assert_eq!(there.len(), 8);
}

/// Message-IDs, subjects, senders and times of a list.
fn messages(server: &Server, key: &str) -> Vec<String> {
    let answer = server.get("/api/2/messages/?list=choir", Some(key.trim()));
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    let shown: Value = serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"));
    let facts = ["message_id", "subject", "from_address", "time"];
    let of = |message: &Value| facts.map(|fact| message[fact].to_string()).join(" ");
    let mut all: Vec<String> = shown["data"].as_array().unwrap().iter().map(of).collect();
    all.sort();
    all
}

#[track_caller]
fn check_refused(act: impl Fn(usize, &str) -> Act + Send + Sync + 'static, expected: &str) {
    let (_source, source) = folder();
    let key = fill(&source);
    let from = Server::start(&source);
    let between = Between::start(&from, act);
    let (_target, target) = folder();
    set_up(&target);
    let (code, told) = bad(&words(&format!("import server {} --key-file {key}", between.url), &target));
    assert_eq!(code, 1, "{told}");
    assert!(told.contains(expected), "{told}");
    assert_eq!(shown(&target, "contact list")["count"], 0);
}

#[test]
fn the_key_goes_to_no_other_server() {
    let elsewhere = TcpListener::bind("127.0.0.1:0").unwrap();
    elsewhere.set_nonblocking(true).unwrap();
    let location = format!("Location: http://{}/\r\n", elsewhere.local_addr().unwrap());
    check_refused(
        move |_, _| answer("308 Permanent Redirect", &location, ""),
        "name the address that answers without a redirect",
    );
    assert!(elsewhere.accept().is_err(), "nobody came");
}

#[test]
fn an_answer_without_an_end_is_refused() {
    let endless = format!("HTTP/1.1 200 OK\r\n\r\n{}", " ".repeat(9 << 20));
    check_refused(move |_, _| Act::Answer(endless.clone().into_bytes()), "is larger than 8388608 bytes");
}

#[test]
fn pages_that_never_end_are_not_read_for_ever() {
    // The same page for ever, as of a server that heeds neither way of paging.
    let page = r#"{"data": [{"id": 1, "emails": ["ada@example.org"], "lists": []}], "count": 1000000}"#;
    let (_source, source) = folder();
    let key = fill(&source);
    let from = Server::start(&source);
    let between = Between::start(&from, move |_, path| {
        if path.contains("/contacts/") { answer("200 OK", "", page) } else { Act::Pass }
    });
    let (_target, target) = folder();
    set_up(&target);
    let done = shown(&target, &format!("import server {} --key-file {key}", between.url));
    assert_eq!(done["contacts"]["created"], 1, "{done}");
}

#[test]
fn a_wrong_key_is_told() {
    let (_source, source) = folder();
    fill(&source);
    let from = Server::start(&source);
    let (_target, target) = folder();
    set_up(&target);
    let key = Path::new(&target).join("wrong");
    std::fs::write(&key, "0".repeat(32)).unwrap();
    let line = format!("import server http://{} --key-file {}", from.http, key.display());
    let (code, told) = bad(&words(&line, &target));
    assert_eq!(code, 1);
    assert!(told.contains("Authentication failed. Is the key right"), "{told}");
    let (code, told) = bad(&words("import server http://lists.example.org --key-file key", &target));
    assert_eq!(code, 2);
    assert!(told.contains("must begin with https://"), "{told}");
}
