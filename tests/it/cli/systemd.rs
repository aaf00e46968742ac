//! The real executable under a service manager: what it tells of itself, the sockets that it takes from it, and what
//! it reads again.

use std::net::{TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixDatagram;
use std::time::Duration;

use super::*;

/// What a service manager hears.
struct Manager {
    _folder: TempDir,
    socket: UnixDatagram,
    path: String,
}

impl Manager {
    fn new() -> Manager {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("notify").to_str().unwrap().to_owned();
        let socket = UnixDatagram::bind(&path).unwrap();
        socket.set_read_timeout(Some(Duration::from_mins(1))).unwrap();
        Manager { _folder: folder, socket, path }
    }

    /// The next message with a line of it, and all its lines.
    fn hear(&self, line: &str) -> Vec<String> {
        loop {
            let mut message = [0; 4096];
            let bytes = self.socket.recv(&mut message).unwrap_or_else(|error| panic!("no {line}: {error}"));
            let lines: Vec<String> = text(&message[..bytes]).lines().map(str::to_owned).collect();
            if lines.iter().any(|known| known == line) {
                return lines;
            }
        }
    }
}

/// `serve` in an environment that is not this process's.
fn serve(data: &str, more: &[&str]) -> Command {
    let ports = ["--http-listen", "127.0.0.1:0", "--smtp-listen", "127.0.0.1:0"];
    crier(&[&["serve", "--data", data, "--hostname", "mx.example.org"], ports.as_slice(), more].concat())
}

/// Ends a server that a failed test leaves behind.
struct Killed(Child);

impl Killed {
    fn signal(&self, name: &str) {
        let id = self.0.id().to_string();
        assert!(Command::new("kill").args([name, &id]).status().unwrap().success());
    }
}

impl Drop for Killed {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn a_service_manager_hears_that_the_server_is_ready_alive_reloading_and_stopping() {
    let (_folder, data) = folder();
    set_up(&data);
    let manager = Manager::new();
    let mut command = serve(&data, &["--log-level", "error"]);
    command.env("NOTIFY_SOCKET", &manager.path).env("WATCHDOG_USEC", "200000").stdout(Stdio::piped());
    let mut server = Killed(command.spawn().unwrap());
    let ready = manager.hear("READY=1");
    let mut first = String::new();
    BufReader::new(server.0.stdout.take().unwrap()).read_line(&mut first).unwrap();
    let address = first.trim().strip_prefix("http: ").unwrap();
    let status = ready.iter().find_map(|line| line.strip_prefix("STATUS=")).unwrap();
    assert!(status.starts_with(&format!("HTTP on {address}, SMTP on 127.0.0.1:")), "{status}");
    assert!(status.ends_with("; nothing waits to be delivered"), "{status}");
    TcpStream::connect(address).expect("it is ready once its listeners answer");
    manager.hear("WATCHDOG=1");
    manager.hear("WATCHDOG=1");
    server.signal("-HUP");
    let reloading = manager.hear("RELOADING=1");
    assert!(reloading.iter().any(|line| line.starts_with("MONOTONIC_USEC=")), "{reloading:?}");
    manager.hear("READY=1");
    server.signal("-TERM");
    manager.hear("STOPPING=1");
    assert!(server.0.wait().unwrap().success());
}

#[test]
fn a_server_without_a_watchdog_says_only_that_it_is_ready() {
    let (_folder, data) = folder();
    set_up(&data);
    let manager = Manager::new();
    let mut command = serve(&data, &["--log-level", "error"]);
    command.env("NOTIFY_SOCKET", &manager.path).stdout(Stdio::null());
    let mut server = Killed(command.spawn().unwrap());
    manager.hear("READY=1");
    server.signal("-TERM");
    let mut message = [0; 4096];
    loop {
        let bytes = manager.socket.recv(&mut message).unwrap();
        let lines = text(&message[..bytes]);
        assert!(!lines.contains("WATCHDOG"), "{lines}");
        if lines.contains("STOPPING=1") {
            break;
        }
    }
    assert!(server.0.wait().unwrap().success());
}

#[test]
fn sighup_reads_the_level_of_the_log_from_the_file_of_the_environment() {
    let (_folder, data) = folder();
    set_up(&data);
    let settings = format!("{data}/crier.env");
    std::fs::write(&settings, "CRIER_LOG_LEVEL=error\n").unwrap();
    let manager = Manager::new();
    let mut command = serve(&data, &["--env-file", &settings, "--log-format", "text"]);
    command.env("NOTIFY_SOCKET", &manager.path).env("CRIER_LOG_LEVEL", "error");
    let log = std::fs::File::create(format!("{data}/log")).unwrap();
    let mut server = Killed(command.stdout(Stdio::null()).stderr(log).spawn().unwrap());
    manager.hear("READY=1");
    let reload = |text: &str| {
        std::fs::write(&settings, text).unwrap();
        server.signal("-HUP");
        manager.hear("RELOADING=1");
        manager.hear("READY=1");
    };
    reload("# nothing but a remark\n");
    reload("CRIER_LOG_LEVEL=loud\n");
    reload("CRIER_LOG_LEVEL=error\n");
    server.signal("-TERM");
    assert!(server.0.wait().unwrap().success());
    let log = std::fs::read_to_string(format!("{data}/log")).unwrap();
    assert!(!log.contains("Crier is ready"), "{log}");
    assert!(log.contains("The level of the log is info"), "without a line it is the default: {log}");
    assert!(log.contains("must be error, warn, info, debug or trace"), "{log}");
    assert!(!log.contains("Stopping"), "{log}");
}

/// The executable with two sockets passed, as systemd does: the numbers 3 and 4, and the number of the process.
fn with_sockets(sockets: [TcpListener; 2], names: &str, arguments: &[&str]) -> Command {
    let [first, second] = sockets.map(|socket| Stdio::from(OwnedFd::from(socket)));
    let mut command = Command::new("/bin/sh");
    let script = "exec 3<&0 4>&2 0</dev/null 2>&1; export LISTEN_PID=$$; exec \"$0\" \"$@\"";
    command.args(["-c", script, env!("CARGO_BIN_EXE_crier")]).args(arguments).env_clear();
    command.env("LISTEN_FDS", "2").env("LISTEN_FDNAMES", names).stdin(first).stderr(second);
    command
}

fn bound() -> ([TcpListener; 2], [String; 2]) {
    let sockets = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    let addresses = [0, 1].map(|place: usize| sockets[place].local_addr().unwrap().to_string());
    (sockets, addresses)
}

#[test]
fn listeners_are_taken_from_the_sockets_that_were_passed() {
    let (_folder, data) = folder();
    set_up(&data);
    let (sockets, [smtp, http]) = bound();
    // The addresses of the flags are in use, so that binding them would fail.
    let flags = ["--http-listen", &http, "--smtp-listen", &smtp, "--log-level", "error"];
    let serve = [&["serve", "--data", &data, "--hostname", "mx.example.org"], flags.as_slice()].concat();
    let mut command = with_sockets(sockets, "smtp:http", &serve);
    let mut server = Killed(command.stdout(Stdio::piped()).spawn().unwrap());
    let mut lines = BufReader::new(server.0.stdout.take().unwrap()).lines();
    assert_eq!(lines.next().unwrap().unwrap(), format!("http: {http}"));
    assert_eq!(lines.next().unwrap().unwrap(), format!("smtp: {smtp}"));
    let mut greeting = String::new();
    BufReader::new(TcpStream::connect(&smtp).unwrap()).read_line(&mut greeting).unwrap();
    assert!(greeting.starts_with("220 mx.example.org"), "{greeting}");
    let mut stream = TcpStream::connect(&http).unwrap();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    server.signal("-TERM");
    assert!(server.0.wait().unwrap().success());
}

#[test]
fn sockets_without_a_listener_are_refused_before_anything_starts() {
    let (_folder, data) = folder();
    let (sockets, _) = bound();
    let flags =
        ["--http-listen", "127.0.0.1:0", "--smtp-listen", "127.0.0.1:0", "--hostname", "mx.example.org"];
    let mut command =
        with_sockets(sockets, "smtp:imap", &[&["serve", "--data", &data], flags.as_slice()].concat());
    let Output { status, stdout, .. } = command.stdout(Stdio::piped()).output().unwrap();
    let told = text(&stdout);
    assert_eq!(status.code(), Some(1), "{told}");
    assert!(told.contains("\"imap\"") && told.contains("FileDescriptorName="), "{told}");
    assert!(!Path::new(&data).join(FILE_NAME).exists());
}
