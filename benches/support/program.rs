//! The built executable in a process of its own, as operators run it.

use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use super::member_address;

/// Runs a command on a data file, which must succeed; answers what it prints.
pub(crate) fn crier(data: &Path, line: &str) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_crier"));
    command.args(line.split_whitespace()).arg("--data").arg(data).arg("--json");
    let done = command.stdin(Stdio::null()).stderr(Stdio::inherit()).output().expect("the executable runs");
    assert!(done.status.success(), "crier {line}: {}", done.status);
    serde_json::from_slice(&done.stdout).expect("commands print JSON")
}

/// Imports so many contacts as members of a list of an account; answers how many a second.
pub(crate) fn import_members(data: &Path, account: &str, list: &str, size: usize) -> f64 {
    let path = data.join("contacts.csv");
    let mut file = BufWriter::new(std::fs::File::create(&path).expect("the folder can be written"));
    writeln!(file, "email,firstname,surname").expect("written");
    for number in 0..size {
        let firstname = ["Ada", "Grace", "Edsger", "Barbara", "Donald"][number % 5];
        writeln!(file, "{},{firstname},Member{number:07}", member_address(number)).expect("written");
    }
    file.into_inner().expect("written");
    let line = format!("import contacts --account {account} --list {list} {}", path.display());
    let done = crier(data, &line);
    assert_eq!(done["created"], size, "every row is a contact");
    done["contacts_per_second"].as_f64().expect("a rate")
}

/// The executable as a server; it ends with the bench.
pub(crate) struct Program {
    child: Child,
    /// Where it answers HTTP.
    pub(crate) http_addr: SocketAddr,
    /// Where it takes mail.
    pub(crate) smtp_addr: SocketAddr,
}

impl Program {
    /// Starts it on free ports, with more flags in one line.
    pub(crate) fn start(data: &Path, flags: &str) -> Program {
        let mut command = Command::new(env!("CARGO_BIN_EXE_crier"));
        command.args(["serve", "--hostname", "mx.example.org", "--log-level", "error"]);
        // Nobody answers there: nothing depends on the DNS of the machine.
        command.args([
            "--http-listen",
            "127.0.0.1:0",
            "--smtp-listen",
            "127.0.0.1:0",
            "--dns-server",
            "127.0.0.1:9",
        ]);
        command.args(flags.split_whitespace()).arg("--data").arg(data);
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the executable runs");
        let mut lines = BufReader::new(child.stdout.take().expect("it was piped")).lines();
        // It prints a few lines more, which the pipe holds.
        let [http_addr, smtp_addr] = ["http", "smtp"].map(|protocol| {
            let line = lines.next().expect("it tells where it listens").expect("a line");
            let address = line.rsplit([' ', '/']).next().and_then(|address| address.parse().ok());
            address.filter(|_| line.starts_with(protocol)).expect("HTTP's address stands first, then SMTP's")
        });
        Program { child, http_addr, smtp_addr }
    }

    /// A line of the kernel's account of its memory, in MiB: `VmRSS` now, `VmHWM` at most.
    pub(crate) fn memory_mib(&self, line: &str) -> f64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).expect("it runs");
        let found = status.lines().find_map(|text| text.strip_prefix(line)?.strip_prefix(':'));
        let kib = found.and_then(|text| text.trim().trim_end_matches("kB").trim().parse::<f64>().ok());
        kib.expect("the kernel tells it") / 1024.0
    }

    /// Stops it, which must go well.
    pub(crate) fn stop(mut self) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &id]).status().is_ok_and(|done| done.success()));
        assert!(self.child.wait().is_ok_and(|status| status.success()), "it stops cleanly");
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It has ended already where it was stopped.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
