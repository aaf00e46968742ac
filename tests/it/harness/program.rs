//! The real executable: set up, served, killed, checked.

use std::fs::File;
use std::io::{BufRead, BufReader, Write as _};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use super::http::Client;

/// The executable with a clean environment.
pub(crate) fn crier() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crier"));
    command.env_clear().env("RUST_BACKTRACE", "1").stdin(Stdio::null());
    command
}

/// Runs a command to its end; answers what it printed.
#[track_caller]
pub(crate) fn run(command: &[&str], data: &Path) -> String {
    let output = crier().args(command).arg("--data").arg(data).output().expect("the executable runs");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}: {}\n{out}{err}", output.status);
    out.into_owned()
}

/// Runs a command with `input` as its standard input; answers what it printed.
#[track_caller]
pub(crate) fn run_with(command: &[&str], data: &Path, input: &[u8]) -> String {
    let mut process = crier();
    process.args(command).arg("--data").arg(data).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = process.stderr(Stdio::piped()).spawn().expect("the executable runs");
    // It may have ended before everything is there.
    let _ = child.stdin.take().expect("it was piped").write_all(input);
    let output = child.wait_with_output().expect("it ends");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{command:?}: {}\n{out}{err}", output.status);
    out.into_owned()
}

/// Runs a command that must fail; answers its exit code and what it printed.
#[track_caller]
pub(crate) fn fail(command: &[&str], data: &Path) -> (i32, String) {
    let output = crier().args(command).arg("--data").arg(data).output().expect("the executable runs");
    assert!(!output.status.success(), "{command:?} succeeded");
    let told = [output.stdout, output.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    (output.status.code().expect("it ends by itself"), told.concat())
}

/// What takes from the list of a setup what it has beside its members' mail.
const PLAINLY: &str = "--subscriptions open --archive-protected false --message-footer= --reply-to= --hold-automated false \
    --send-hold-message false --send-reject-message false";

/// Makes the data file with an account, a domain and a plain list that is open to everybody; answers its key.
#[track_caller]
pub(crate) fn setup(data: &Path, list: &str) -> String {
    let command =
        ["setup", "--domain", "lists.example.org", "--admin", "you@example.org", "--list", list, "--json"];
    let printed: Value = serde_json::from_str(&run(&command, data)).expect("setup --json prints JSON");
    let plainly: Vec<&str> = ["list", "set", list].into_iter().chain(PLAINLY.split_whitespace()).collect();
    run(&plainly, data);
    printed["api_key"].as_str().expect("setup prints a key").to_owned()
}

/// Hands a message over with `crier inject`; answers the exit code and what was complained of.
pub(crate) fn inject(data: &Path, arguments: &[&str], message: &[u8]) -> (i32, String) {
    let mut command = crier();
    command.arg("inject").arg("--data").arg(data).args(arguments);
    feed(command, message)
}

/// Runs a command that prints nothing with `input` as its standard input.
pub(crate) fn feed(mut command: Command, input: &[u8]) -> (i32, String) {
    let (stdin, out) = (Stdio::piped(), Stdio::piped());
    let mut child = command.stdin(stdin).stdout(out).stderr(Stdio::piped()).spawn().expect("it runs");
    // A command that needs no input may have ended before it is there.
    let _ = child.stdin.take().expect("it was piped").write_all(input);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "", "nothing is printed");
    (output.status.code().expect("no signal ended it"), String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The file must be without fault.
#[track_caller]
pub(crate) fn verify(data: &Path) {
    run(&["verify"], data);
}

/// A running `crier serve`; it is killed when it is dropped.
pub(crate) struct Program {
    child: Child,
    /// Where it answers HTTP.
    pub(crate) http_addr: SocketAddr,
    /// Where it takes mail.
    pub(crate) smtp_addr: SocketAddr,
    log: PathBuf,
}

impl Program {
    /// Starts it on free ports, with `relay` for its mail, and waits until it listens.
    pub(crate) fn start(data: &Path, relay: SocketAddr, flags: &[&str]) -> Program {
        Program::start_by(crier(), data, &["--relay", &format!("smtp://{relay}")], flags)
    }

    /// Starts it with the relay that the credential `relay` in `credentials` names.
    pub(crate) fn start_with_credentials(data: &Path, credentials: &Path) -> Program {
        let mut command = crier();
        command.env("CREDENTIALS_DIRECTORY", credentials);
        Program::start_by(command, data, &["--relay-file", "%d/relay"], &[])
    }

    /// Starts it so that no file of it can grow beyond this size, in units of 512 bytes, until
    /// [`lift_limit`](Program::lift_limit).
    pub(crate) fn start_limited(data: &Path, relay: SocketAddr, blocks: u64) -> Program {
        let mut shell = Command::new("sh");
        // A signal that is ignored stays so in what is executed: writes beyond the limit fail, and no more.
        let script = "trap '' XFSZ; ulimit -S -f \"$0\"; exec \"$@\"";
        shell.args(["-c", script, &blocks.to_string(), env!("CARGO_BIN_EXE_crier")]).stdin(Stdio::null());
        Program::start_by(shell, data, &["--relay", &format!("smtp://{relay}")], &[])
    }

    /// Starts it with limits of open files, as `ulimit` takes them.
    pub(crate) fn start_with_files(data: &Path, relay: SocketAddr, limits: &str) -> Program {
        let mut shell = Command::new("sh");
        let script = "ulimit $0; exec \"$@\"";
        shell.args(["-c", script, limits, env!("CARGO_BIN_EXE_crier")]).stdin(Stdio::null());
        Program::start_by(shell, data, &["--relay", &format!("smtp://{relay}")], &[])
    }

    /// How many files it may open now, and at most.
    pub(crate) fn files_max(&self) -> [u64; 2] {
        let limits = std::fs::read_to_string(format!("/proc/{}/limits", self.child.id()));
        let limits = limits.expect("the program runs");
        let line = limits.lines().find_map(|line| line.strip_prefix("Max open files"));
        let mut numbers = line.expect("it is there").split_whitespace().map_while(|word| word.parse().ok());
        [numbers.next(), numbers.next()].map(|number| number.expect("a number"))
    }

    /// Lets the files of a limited program grow.
    pub(crate) fn lift_limit(&self) {
        let pid = self.child.id().to_string();
        let lifted = Command::new("prlimit").args(["--fsize=unlimited", "--pid", &pid]).status();
        assert!(lifted.is_ok_and(|status| status.success()), "the limit could not be lifted");
    }

    fn start_by(mut command: Command, data: &Path, relay: &[&str], flags: &[&str]) -> Program {
        let log = data.join("serve.log");
        let mut child = command
            .args(["serve", "--hostname", "mx.example.org", "--base-url", "https://lists.example.org"])
            .args(["--http-listen", "127.0.0.1:0", "--smtp-listen", "127.0.0.1:0"])
            // Nobody answers there: no test depends on the DNS of the machine it runs on.
            .args(["--dns-server", "127.0.0.1:9"])
            .args(relay)
            .arg("--data")
            .arg(data)
            .args(flags)
            .stdout(Stdio::piped())
            .stderr(File::create(&log).expect("the folder can be written"))
            .spawn()
            .expect("the executable runs");
        let mut lines =
            BufReader::new(child.stdout.take().expect("it was piped")).lines().map_while(Result::ok);
        let (mut http, mut smtp) = (None, None);
        while let (None, _) | (_, None) = (http, smtp) {
            let Some(line) = lines.next() else {
                let log = std::fs::read_to_string(&log).unwrap_or_default();
                panic!("the server ended at its start:\n{log}");
            };
            let addr = line.split(|c: char| c.is_whitespace() || c == '/').find_map(|word| word.parse().ok());
            match line.to_ascii_lowercase() {
                line if line.contains("http") => http = http.or(addr),
                line if line.contains("smtp") => smtp = smtp.or(addr),
                _ => {}
            }
        }
        // What it prints later must not fill the pipe.
        std::thread::spawn(move || lines.for_each(drop));
        let (http_addr, smtp_addr) = (http.expect("found"), smtp.expect("found"));
        Program { child, http_addr, smtp_addr, log }
    }

    /// The holder of `key`.
    pub(crate) fn client(&self, key: &str) -> Client {
        Client::with_key(self.http_addr, key)
    }

    /// What it has written to its log.
    pub(crate) fn log(&self) -> String {
        std::fs::read_to_string(&self.log).unwrap_or_default()
    }

    /// SIGKILL: the process ends between two instructions.
    pub(crate) fn kill(&mut self) {
        let ended = self.child.try_wait().expect("a child can be asked");
        let log = std::fs::read_to_string(&self.log).unwrap_or_default();
        assert!(ended.is_none(), "the server ended by itself: {ended:?}\n{log}");
        self.child.kill().expect("a child can be killed");
        self.child.wait().expect("a killed child ends");
    }

    /// Sends it a signal, such as `-HUP`.
    pub(crate) fn signal(&self, signal: &str) {
        let kill = Command::new("kill").arg(signal).arg(self.child.id().to_string()).status();
        assert!(kill.is_ok_and(|status| status.success()), "the signal could not be sent");
    }

    /// SIGTERM: it must stop cleanly.
    pub(crate) fn stop(mut self) {
        self.signal("-TERM");
        let status = self.child.wait().expect("a child ends");
        let log = std::fs::read_to_string(&self.log).unwrap_or_default();
        assert!(status.success(), "the server stopped with {status}\n{log}");
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
