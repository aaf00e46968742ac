//! The real executable: its commands, what they print, and how they end.

mod audit;
mod daily;
mod export;
mod import;
mod import_mailman2;
mod import_mailman3;
mod import_mbox;
mod import_server;
mod list_folders;
mod lists;
mod oauth_clients;
mod objects;
mod systemd;
mod told;

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};

use crier::migrate::FILE_NAME;
use crier::model::Account;
use crier::store::{Read as _, StoreError};
use tempfile::TempDir;

/// The executable with these arguments, without anything that this process's environment says to it.
fn crier(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crier"));
    command.env_clear().env("PATH", std::env::var("PATH").unwrap_or_default());
    command.args(arguments).stdin(Stdio::null());
    command
}

fn run(arguments: &[&str]) -> Output {
    crier(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Standard output of a command that must succeed.
#[track_caller]
fn good(arguments: &[&str]) -> String {
    let Output { status, stdout, stderr } = run(arguments);
    assert!(status.success(), "{status}: {}", text(&stderr));
    text(&stdout)
}

/// Exit code and standard error of a command that must fail.
#[track_caller]
fn bad(arguments: &[&str]) -> (i32, String) {
    let Output { status, stdout, stderr } = run(arguments);
    assert!(!status.success(), "{}", text(&stdout));
    (status.code().unwrap(), text(&stderr))
}

fn json(line: &str) -> serde_json::Value {
    serde_json::from_str(line).unwrap()
}

fn folder() -> (TempDir, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_str().unwrap().to_owned();
    (folder, path)
}

fn set_up(data: &str) -> serde_json::Value {
    let flags = ["--domain", "lists.example.org", "--admin", "you@example.org", "--json"];
    json(&good(&[&["setup", "--data", data], flags.as_slice()].concat()))
}

/// A running `crier serve`; killed where a test ends without stopping it.
struct Server {
    child: Child,
    http: String,
    smtp: String,
}

impl Server {
    fn start(data: &str) -> Server {
        let ports = ["--http-listen", "127.0.0.1:0", "--smtp-listen", "127.0.0.1:0"];
        let flags = ["serve", "--data", data, "--hostname", "mx.example.org", "--log-level", "error"];
        let mut child = crier(&[flags.as_slice(), &ports].concat()).stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut address = |name: &str| {
            let line = lines.next().unwrap().unwrap();
            line.strip_prefix(name).unwrap_or_else(|| panic!("{line}")).to_owned()
        };
        let (http, smtp) = (address("http: "), address("smtp: "));
        Server { child, http, smtp }
    }

    fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }

    fn stop(mut self) -> ExitStatus {
        self.signal("-TERM");
        self.child.wait().unwrap()
    }

    /// Status line and body of a GET, with a key where one is given.
    fn get(&self, path: &str, key: Option<&str>) -> String {
        let mut stream = TcpStream::connect(&self.http).unwrap();
        let bearer = key.map(|key| format!("Authorization: Bearer {key}\r\n")).unwrap_or_default();
        let request = format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n{bearer}\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    }

    /// Posts a form, which must be taken.
    #[track_caller]
    fn post(&self, path: &str, key: &str, form: &str) {
        let mut stream = TcpStream::connect(&self.http).unwrap();
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {key}\r\n"
        );
        let request = format!("{head}Content-Length: {}\r\n\r\n{form}", form.len());
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Fails where it has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn setup_prints_what_scripts_need() {
    let (_folder, data) = folder();
    let done = set_up(&data);
    assert_eq!((&done["account"], &done["created"]), (&1.into(), &true.into()));
    assert_eq!(done["api_key"].as_str().unwrap().len(), 32);
    assert!(done["global_key"].is_null());
    let expected = [
        ("MX", "lists.example.org", "10 lists.example.org."),
        ("TXT", "lists.example.org", "v=spf1 mx ~all"),
        ("TXT", "crier1._domainkey.lists.example.org", "v=DKIM1; k=rsa; p=MII"),
        ("TXT", "crier1-ed._domainkey.lists.example.org", "v=DKIM1; k=ed25519; p="),
        ("TXT", "_dmarc.lists.example.org", "v=DMARC1; p=none"),
    ];
    let records = done["dns"].as_array().unwrap();
    assert_eq!(records.len(), expected.len());
    for (record, (kind, name, value)) in records.iter().zip(expected) {
        assert_eq!((&record["type"], &record["name"]), (&kind.into(), &name.into()));
        assert!(record["value"].as_str().unwrap().starts_with(value), "{record}");
    }
}

#[test]
fn a_second_setup_changes_nothing_and_shows_no_key() {
    let (_folder, data) = folder();
    let first = set_up(&data);
    let second = set_up(&data);
    assert_eq!((&second["created"], &second["account"]), (&false.into(), &first["account"]));
    assert_eq!(second["dns"], first["dns"]);
    assert!(second.get("api_key").is_none());
    let (code, told) =
        bad(&["setup", "--data", &data, "--domain", "other.example.org", "--admin", "a@example.org"]);
    assert_eq!(code, 1);
    assert!(told.contains("set up already for lists.example.org"), "{told}");
    assert!(told.contains("crier domain create other.example.org"), "{told}");
    assert!(told.contains("crier account create"), "{told}");
    let output =
        run(&["setup", "--data", &data, "--domain", "lists.example.org", "--admin", "eve@example.org"]);
    assert!(text(&output.stderr).contains("eve@example.org was not made an administrator"));
}

#[test]
fn setup_gives_the_link_by_which_the_administrator_chooses_a_password() {
    let (_folder, data) = folder();
    let link = set_up(&data)["admin_link"].as_str().unwrap().to_owned();
    let path = link.strip_prefix("https://lists.example.org").unwrap();
    let server = Server::start(&data);
    let page = server.get(path, None);
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("you@example.org"), "{page}");
    let again = set_up(&data);
    assert!(again.get("admin_link").is_none(), "it is shown once: {again}");

    let (_folder, data) = folder();
    let flags = ["--domain", "lists.example.org", "--admin", "you@example.org"];
    let told =
        good(&[&["setup", "--data", &data, "--base-url", "https://x.org/l/"], flags.as_slice()].concat());
    assert!(told.contains("Choose your password here"), "{told}");
    assert!(told.contains("https://x.org/l/password/"), "{told}");
    let told = good(&["admin", "link", "--data", &data, "you@example.org"]);
    assert!(told.starts_with("https://lists.example.org/password/"), "{told}");
    let server = Server::start(&data);
    let shown = json(&good(&["admin", "link", "--data", &data, "you@example.org", "--json"]));
    let link = shown["link"].as_str().unwrap();
    assert!(link.starts_with(&format!("http://{}/password/", server.http)), "{link}");
    let (code, told) = bad(&["admin", "link", "--data", &data, "2"]);
    assert_eq!(code, 1);
    assert!(told.contains("is the holder of a key"), "{told}");
}

#[test]
fn a_setup_that_is_run_again_says_that_it_makes_no_further_list() {
    let (_folder, data) = folder();
    let setup = |list: &str| {
        let flags = ["--domain", "lists.example.org", "--admin", "you@example.org", "--list", list];
        run(&[&["setup", "--data", &data], flags.as_slice()].concat())
    };
    assert!(text(&setup("news").stdout).contains("Mail to news@lists.example.org"));
    let Output { status, stdout, stderr } = setup("staff");
    assert!(status.success());
    assert!(text(&stdout).contains("nothing was changed"), "{}", text(&stdout));
    assert!(text(&stderr).contains("list staff was not made"), "{}", text(&stderr));
    assert!(text(&stderr).contains("crier list create staff"), "{}", text(&stderr));
    assert!(!text(&setup("news").stderr).contains("was not made"), "it is there");
}

#[test]
fn a_wrong_folder_is_told_apart_from_a_server_that_does_not_answer() {
    let (folder, data) = folder();
    let (code, told) = bad(&["key", "list", "--data", &data]);
    assert_eq!(code, 1);
    assert!(told.contains("there is no data file (crier.redb) in") && told.contains("crier setup"), "{told}");
    let (code, told) = bad(&["key", "list", "--data", &format!("{data}/nowhere")]);
    assert_eq!(code, 1);
    assert!(told.contains("nowhere does not exist"), "{told}");
    let file = folder.path().join("file");
    std::fs::write(&file, "x").unwrap();
    for command in [["key", "list"].as_slice(), &["setup", "--domain", "x.org", "--admin", "a@x.org"]] {
        let (code, told) = bad(&[command, &["--data", file.to_str().unwrap()]].concat());
        assert_eq!(code, 1);
        assert!(told.contains("is not a folder"), "{told}");
    }
}

#[test]
fn a_file_that_is_no_data_file_is_refused_with_advice_and_kept() {
    let (folder, data) = folder();
    let file = folder.path().join(FILE_NAME);
    for (content, reason) in
        [("hello", "it is no data file, or its beginning is damaged"), ("", "it is empty")]
    {
        std::fs::write(&file, content).unwrap();
        for command in [["serve", "--hostname", "mx.example.org"].as_slice(), &["verify"]] {
            let (code, told) = bad(&[command, &["--data", &data]].concat());
            assert_eq!(code, 1);
            assert!(told.contains(reason) && told.contains("restore"), "{command:?}: {told}");
            assert_eq!(std::fs::read_to_string(&file).unwrap(), content);
        }
    }
}

#[test]
fn a_folder_of_somebody_else_says_whose_it_is() {
    use std::os::unix::fs::{MetadataExt as _, PermissionsExt};
    use std::os::unix::process::CommandExt as _;

    let (folder, data) = folder();
    set_up(&data);
    let is_root = folder.path().metadata().unwrap().uid() == 0;
    if is_root {
        // Somebody else runs a copy that everybody may run.
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o700)).unwrap();
        let (elsewhere, _) = self::folder();
        let copy = elsewhere.path().join("crier");
        std::fs::copy(env!("CARGO_BIN_EXE_crier"), &copy).unwrap();
        std::fs::set_permissions(elsewhere.path(), PermissionsExt::from_mode(0o755)).unwrap();
        let output = Command::new(&copy).args(["list", "list", "--data", &data]).uid(65534).output().unwrap();
        let told = text(&output.stderr);
        assert!(told.contains("it belongs to user root; use sudo -u root"), "{told}");
    } else {
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o000)).unwrap();
        let (_, told) = bad(&["list", "list", "--data", &data]);
        std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o700)).unwrap();
        assert!(told.contains("although it is yours"), "{told}");
    }
}

#[test]
fn a_command_that_reads_a_message_says_on_a_terminal_that_it_waits() {
    let (_folder, data) = folder();
    set_up(&data);
    for line in ["simulate --list news", "inject news@lists.example.org"] {
        // `script` gives the command a terminal, which ends at once: its input is empty.
        let crier = format!("{} {line} --data {data}", env!("CARGO_BIN_EXE_crier"));
        let output = Command::new("script").args(["-qec", &crier, "/dev/null"]).stdin(Stdio::null()).output();
        let told = text(&output.unwrap().stdout);
        assert!(told.contains("Waiting for a message on standard input"), "{told}");
        assert!(told.contains("< message.eml"), "{told}");
        let without =
            text(&run(&[line.split(' ').collect::<Vec<_>>(), vec!["--data", &data]].concat()).stderr);
        assert!(!without.contains("Waiting for"), "{without}");
    }
}

#[test]
fn dkim_rotate_and_its_older_name_are_the_same() {
    let (_folder, data) = folder();
    set_up(&data);
    let rotate = |command: &str| {
        let done = json(&good(&[command, "rotate", "--data", &data, "--all", "--json"]));
        done["domains"][0]["next_selector"].clone()
    };
    let next = rotate("dkim");
    assert_eq!(next, "crier2");
    assert_eq!(rotate("keys"), next, "run again it shows the keys that wait");
}

#[test]
fn a_grouped_setup_makes_a_global_key_and_a_first_list() {
    let (_folder, data) = folder();
    let told = good(&[
        "setup",
        "--data",
        &data,
        "--domain",
        "lists.example.org",
        "--admin",
        "you@example.org",
        "--grouped",
        "--list",
        "news",
        "--hostname",
        "mx.example.org",
        "--public-ip",
        "192.0.2.1",
    ]);
    for part in [
        "Mail to news@lists.example.org",
        "10 mx.example.org.",
        "192.0.2.1",
        "Global key",
        "crier serve --data",
    ] {
        assert!(told.contains(part), "{part} in {told}");
    }
}

#[test]
fn setup_without_a_terminal_says_all_that_is_missing_or_wrong() {
    let (folder, data) = folder();
    let (code, told) = bad(&["setup", "--data", &data]);
    assert_eq!(code, 2);
    assert!(told.contains("--domain is missing") && told.contains("--admin is missing"), "{told}");
    let (code, told) =
        bad(&["setup", "--data", &data, "--domain", "a b", "--admin", "you", "--list", "root"]);
    assert_eq!(code, 2);
    assert!(told.contains("3 settings are wrong"), "{told}");
    assert!(!folder.path().join(FILE_NAME).exists(), "a wrong command touches nothing");
}

#[test]
fn each_wrong_flag_of_serve_says_what_is_right() {
    let right = [
        ("--hostname", "192.0.2.1", "a host name such as mx.example.org, not an address"),
        ("--http-listen", "8080", "an address with a port such as 127.0.0.1:8080"),
        ("--smtp-listen", "localhost", "an address with a port"),
        ("--base-url", "lists.example.org", "a URL such as https://lists.example.org"),
        ("--relay", "mail.example.org", "smtp://host:port"),
        ("--relay-file", "/nowhere/relay", "a file that can be read"),
        ("--dns-server", "resolver", "an address such as 9.9.9.9"),
        ("--mx-port", "99999", "a port from 1 to 65535"),
        ("--public-ip", "here", "an address such as 192.0.2.1"),
        ("--cache-size", "big", "a size in bytes such as 67108864, or with K, M or G such as 64M"),
        ("--tls-cert", "/nowhere.pem", "a file that can be read"),
        ("--clock-offset", "tomorrow", "a number with s, m, h or d behind it, such as 25h"),
        ("--log-format", "xml", "text, json or journald"),
        ("--log-level", "loud", "error, warn, info, debug or trace"),
    ];
    let mut all = vec!["serve"];
    for (flag, value, _) in right {
        all.extend([flag, value]);
    }
    let (code, told) = bad(&all);
    assert_eq!(code, 2);
    for (flag, value, right) in right {
        assert!(told.contains(flag) && told.contains(right), "{flag} {value}: {told}");
    }
    let (code, told) = bad(&["serve", "--htp-listen", "x"]);
    assert_eq!(code, 2);
    assert!(told.contains("--http-listen"), "a similar flag is named: {told}");
}

#[test]
fn flags_are_read_from_the_environment_too() {
    let told = crier(&["serve"]).env("CRIER_MX_PORT", "none").env("CRIER_HOSTNAME", "x y").output().unwrap();
    let told = text(&told.stderr);
    assert!(told.contains("--mx-port \"none\"") && told.contains("--hostname \"x y\""), "{told}");
    let (_folder, data) = folder();
    let flags =
        [("DATA", data.as_str()), ("DOMAIN", "l.example.org"), ("ADMIN", "a@example.org"), ("JSON", "1")];
    let flags = flags.map(|(name, value)| (format!("CRIER_{name}"), value));
    let done = crier(&["setup"]).envs(flags).output().unwrap();
    assert_eq!(json(&text(&done.stdout))["created"], true);
}

#[test]
fn serve_without_a_name_says_where_its_links_lead_and_listens_on_loopback_alone() {
    let (_folder, data) = folder();
    let serve = ["serve", "--data", &data, "--http-listen", "127.0.0.1:0", "--dns-server", "127.0.0.1:9"];
    let (code, told) = bad(&[serve.as_slice(), &["--smtp-listen", "0.0.0.0:0"]].concat());
    assert_eq!(code, 2);
    assert!(told.contains("Add --base-url https://lists.example.org and --hostname"), "{told}");
    let flags = [serve.as_slice(), &["--smtp-listen", "127.0.0.1:0"]].concat();
    let mut child = crier(&flags).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let lines: Vec<String> = lines.take(3).collect();
    assert!(lines[2].starts_with("warning: links in mails begin with http://127.0.0.1:"), "{lines:?}");
    assert!(lines[2].contains("--base-url"), "{lines:?}");
    child.kill().unwrap();
    let log = child.wait_with_output().unwrap().stderr;
    assert!(String::from_utf8_lossy(&log).contains("There is no --base-url"), "it is in the log too");
}

#[test]
fn setup_takes_no_single_word_for_a_domain() {
    let (folder, data) = folder();
    let (code, told) = bad(&["setup", "--data", &data, "--domain", "lists", "--admin", "you@example.org"]);
    assert_eq!(code, 2);
    assert!(told.contains("lists is one word: give the whole domain, such as lists.example.org"), "{told}");
    assert!(!folder.path().join(FILE_NAME).exists());
    good(&["setup", "--data", &data, "--domain", "localhost", "--admin", "you@example.org"]);
}

#[test]
fn serve_answers_and_stops_on_sigterm() {
    let (folder, data) = folder();
    let server = Server::start(&data);
    assert!(server.get("/healthz", None).starts_with("HTTP/1.1 200"));
    let mut greeting = [0; 4];
    TcpStream::connect(&server.smtp).unwrap().read_exact(&mut greeting).unwrap();
    assert_eq!(&greeting, b"220 ");
    assert!(folder.path().join("crier.sock").exists());
    assert_eq!(server.stop().code(), Some(0));
    let left: Vec<String> = std::fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    assert_eq!(left, [FILE_NAME], "beside the data file nothing stays");
}

#[test]
fn every_listen_address_in_use_is_reported() {
    let (_folder, data) = folder();
    let server = Server::start(&data);
    let (_other, elsewhere) = self::folder();
    let flags = ["serve", "--data", &elsewhere, "--hostname", "mx.example.org"];
    let (code, told) =
        bad(&[flags.as_slice(), &["--http-listen", &server.http, "--smtp-listen", &server.smtp]].concat());
    assert_eq!(code, 1);
    assert!(told.contains(&format!("--http-listen {}", server.http)), "{told}");
    assert!(told.contains(&format!("--smtp-listen {}", server.smtp)), "{told}");

    let (code, told) =
        bad(&["serve", "--data", &data, "--http-listen", "127.0.0.1:0", "--smtp-listen", "127.0.0.1:0"]);
    assert_eq!(code, 1);
    assert!(told.contains("in use by another process"), "{told}");
}

#[test]
fn commands_work_on_a_running_server_and_on_a_stopped_one() {
    let (_folder, data) = folder();
    let server = Server::start(&data);
    let done = set_up(&data);
    assert_eq!(done["created"], true);
    assert!(done["dns"][0]["value"].as_str().unwrap().contains("mx.example.org"), "the server's own name");
    let key = good(&["key", "create", "--data", &data, "--account", "example"]);
    let lists = |server: &Server, key: &str| server.get("/api/2/lists/", Some(key.trim()));
    assert!(lists(&server, &key).starts_with("HTTP/1.1 200"), "{}", lists(&server, &key));
    assert!(lists(&server, "x").starts_with("HTTP/1.1 401"));
    let set = ["account", "set", "--data", &data, "example", "--contacts-max", "5", "--ccid", "true"];
    assert_eq!(good(&set), "Account example is changed\n");
    assert_eq!(server.stop().code(), Some(0));

    let elsewhere = good(&[
        "key",
        "create",
        "--data",
        &data,
        "--account",
        "example",
        "--cidr",
        "192.0.2.0/24",
        "--expiry-months",
        "1",
        "--json",
    ]);
    let elsewhere = json(&elsewhere);
    assert!(elsewhere["expiry"].as_str().unwrap().ends_with('Z'));
    let field = good(&[
        "field",
        "add",
        "--data",
        &data,
        "--account",
        "example",
        "Shoe size",
        "--id",
        "shoe",
        "--json",
    ]);
    assert_eq!(json(&field), serde_json::json!({"name": "Shoe size", "key": "shoe", "members_edit": false}));
    let set = |value: &[&str]| {
        let line =
            ["field", "set", "--data", &data, "--account", "example", "shoe", "--json", "--members-edit"];
        json(&good(&[&line, value].concat()))["members_edit"].clone()
    };
    assert_eq!((set(&[]), set(&["false"]), set(&["true"])), (true.into(), false.into(), true.into()));
    let listed = good(&["field", "list", "--data", &data, "--account", "example"]);
    assert!(listed.contains("MEMBERS EDIT") && listed.contains("yes"), "{listed}");

    let server = Server::start(&data);
    assert!(lists(&server, &key).starts_with("HTTP/1.1 200"));
    let refused = lists(&server, elsewhere["api_key"].as_str().unwrap());
    assert!(refused.starts_with("HTTP/1.1 401"), "a key from outside its network: {refused}");
}

#[test]
fn a_command_that_names_a_missing_object_lists_existing_ones() {
    let (_folder, data) = folder();
    let (code, told) = bad(&["key", "create", "--data", &data, "--account", "example"]);
    assert_eq!(code, 1);
    assert!(told.contains("there is no data file (crier.redb) in") && told.contains("crier setup"), "{told}");
    set_up(&data);
    let (code, told) = bad(&["key", "create", "--data", &data, "--account", "exmple"]);
    assert_eq!(code, 1);
    assert!(told.contains("there is no account \"exmple\"; there is example"), "{told}");
    let (code, told) = bad(&["field", "add", "--data", &data, "--account", "example", "notes"]);
    assert_eq!(code, 1);
    assert!(told.contains("notes is a field that every contact has"), "{told}");
    let wrong =
        ["key", "create", "--data", &data, "--account", "example", "--permission", "all", "--cidr", "x"];
    let (code, told) = bad(&wrong);
    assert_eq!(code, 1);
    assert!(told.contains("one of account_admin") && told.contains("a network such as"), "{told}");
}

#[test]
fn the_socket_of_a_killed_server_blocks_no_command() {
    let (folder, data) = folder();
    let mut server = Server::start(&data);
    server.child.kill().unwrap();
    server.child.wait().unwrap();
    assert!(folder.path().join("crier.sock").exists());
    set_up(&data);
    let server = Server::start(&data);
    assert!(!good(&["key", "create", "--data", &data, "--account", "example"]).is_empty());
    assert_eq!(server.stop().code(), Some(0));
}

#[test]
fn the_certificate_of_the_first_start_is_kept() {
    let (folder, data) = folder();
    let certificate = || {
        assert_eq!(Server::start(&data).stop().code(), Some(0));
        let opened = crate::harness::data::open(folder.path());
        let kept = opened.store.read().unwrap().meta("tls mx.example.org").unwrap();
        opened.store.close_blocking();
        text(&kept.unwrap())
    };
    let first = certificate();
    assert!(first.contains("BEGIN CERTIFICATE") && first.contains("PRIVATE KEY"), "both in one text");
    assert_eq!(certificate(), first);
}

#[test]
fn verify_reports_every_difference() {
    let (folder, data) = folder();
    set_up(&data);
    assert!(good(&["verify", "--data", &data]).starts_with("All is well"));
    assert_eq!(json(&good(&["verify", "--data", &data, "--json"]))["differences"], serde_json::json!([]));
    damage(folder.path());
    let Output { status, stdout, .. } = run(&["verify", "--data", &data]);
    assert_eq!(status.code(), Some(1));
    assert!(text(&stdout).contains("account.by_name"), "{}", text(&stdout));
    let Output { status, stdout, .. } = run(&["verify", "--data", &data, "--json"]);
    assert_eq!(status.code(), Some(1));
    assert!(!json(&text(&stdout))["differences"].as_array().unwrap().is_empty());
}

/// Renames the account without its index rows.
fn damage(data: &Path) {
    let opened = crate::harness::data::open(data);
    let done = opened.store.write_blocking(|tx| {
        let mut account: Account = tx.all(0, 1)?.remove(0);
        "other".clone_into(&mut account.name);
        tx.overwrite(&account)?;
        Ok::<(), StoreError>(())
    });
    done.unwrap();
    opened.store.close_blocking();
}

#[test]
fn a_demo_delivers_its_post_to_every_member() {
    let ports =
        ["--http-listen", "127.0.0.1:0", "--smtp-listen", "127.0.0.1:0", "--page-listen", "127.0.0.1:0"];
    let told = good(&[["demo", "--once"].as_slice(), &ports].concat());
    assert!(told.contains("news: \"Welcome to the demo\": 25 copies delivered, 0 waiting"), "{told}");
    assert_eq!(told.matches("\n  curl ").count(), 3, "{told}");
    assert_eq!(told.matches("\n  swaks ").count(), 1, "{told}");
}

#[test]
fn a_demo_refuses_the_data_folder_of_a_server() {
    let (_folder, data) = folder();
    set_up(&data);
    let ports =
        ["--http-listen", "127.0.0.1:0", "--smtp-listen", "127.0.0.1:0", "--page-listen", "127.0.0.1:0"];
    let (code, told) = bad(&[["demo", "--once", "--data", &data].as_slice(), &ports].concat());
    assert_eq!(code, 1);
    assert!(told.contains("the data of another server (account example)"), "{told}");
}

#[test]
fn help_names_every_flag_with_its_variable_and_default() {
    let help = good(&["serve", "--help"]);
    assert!(help.starts_with("A server that others reach needs four settings"), "{help}");
    for part in ["CRIER_HTTP_LISTEN", "127.0.0.1:8080", "CRIER_RELAY", "[default: 64M]", "Sending:", "Logs:"]
    {
        assert!(help.contains(part), "{part} in {help}");
    }
}

/// What a command prints that reads this from standard input.
#[track_caller]
fn good_with_input(arguments: &[&str], input: &str) -> String {
    let mut child = crier(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", output.status);
    text(&output.stdout)
}

#[test]
fn simulate_says_the_same_on_a_running_server_and_on_a_stopped_one() {
    let (_folder, data) = folder();
    good(&[
        "setup",
        "--data",
        &data,
        "--domain",
        "lists.example.org",
        "--admin",
        "you@example.org",
        "--list",
        "news",
    ]);
    // Else whatever machines send waits for approval.
    good(&["list", "set", "news", "--hold-automated", "false", "--data", &data]);
    let command = ["simulate", "--data", &data, "--list", "news", "--json"];
    let message = "From: eve@x.org\nSubject: hello\n\nhi\n";
    let stopped = json(&good_with_input(&command, message));
    assert_eq!((&stopped["verdict"], &stopped["recipients"]), (&"hold".into(), &0.into()));
    let by_address = [&command[..4], &["News@lists.example.org", "--json"]].concat();
    let server = Server::start(&data);
    let running = json(&good_with_input(&by_address, message));
    for member in ["list", "verdict", "reason", "rules", "recipients", "changes"] {
        assert_eq!(running[member], stopped[member], "{member}");
    }
    let told = good_with_input(&["simulate", "--data", &data, "--list", "news", "--from", "<>"], message);
    let lines: Vec<&str> = told.lines().collect();
    assert_eq!(lines[0], "news: discard: the message is an automatic reply or a delivery report");
    assert!(lines.contains(&"Recipients: 0") && lines.contains(&"  Subject: hello"), "{told}");
    server.stop();
    let (code, problem) = bad(&["simulate", "--data", &data, "--list", "news"]);
    assert_eq!((code, problem.contains("standard input")), (2, true), "{problem}");
}
