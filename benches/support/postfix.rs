//! A Postfix in a folder of its own, as the peer that a user would pick instead.
//!
//! It listens on a free port of loopback; no service of the system and no file elsewhere is touched. Its master
//! must start as root, and Debian's package `postfix` must be there: where either is missing there is nothing to
//! compare with, which is said. Settings are Postfix's own but where named here.

use std::fs;
use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use super::bench_dir;

/// How long it may take to start or to stop.
const TIMEOUT: Duration = Duration::from_secs(15);
/// How long it may take to tidy up.
const SETTLE_MAX: Duration = Duration::from_mins(1);
/// What a master.cf needs to take mail in and to send it on; nothing runs in a chroot.
const SERVICES: &str = "\
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
tlsmgr unix - - n 1000? 1 tlsmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
smtp unix - - n - - smtp
relay unix - - n - - smtp
error unix - - n - - error
retry unix - - n - - error
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
postlog unix-dgram n - n - 1 postlogd
";
const SETTINGS: &str = "\
compatibility_level = 3.6
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.example.test
mydestination =
mynetworks = 127.0.0.0/8
local_transport = error:none
alias_maps =
alias_database =
disable_dns_lookups = yes
smtpd_client_connection_count_limit = 0
smtpd_recipient_limit = 100000
message_size_limit = 104857600
smtpd_recipient_restrictions = permit_mynetworks, reject
";
/// Every message is durable in the queue and stays there: the price of accepting alone.
const HOLD: &str = "smtpd_sender_restrictions = check_sender_access static:HOLD\n";
/// One copy for each recipient, with an envelope sender of its own, over as many connections as it likes.
const VERP: &str = "\
smtp_destination_recipient_limit = 1
smtpd_authorized_verp_clients = 127.0.0.1
default_destination_concurrency_limit = 20
";

/// A running Postfix; it ends with the bench.
pub(crate) struct Postfix {
    /// Where it takes mail.
    pub(crate) address: SocketAddr,
    folder: TempDir,
}

impl Postfix {
    /// One that accepts and keeps.
    pub(crate) fn that_holds() -> Option<Postfix> {
        Postfix::start(HOLD)
    }

    /// One that sends everything on to `sink`.
    pub(crate) fn that_sends_to(sink: SocketAddr) -> Option<Postfix> {
        Postfix::start(&format!("{VERP}relayhost = [{}]:{}\n", sink.ip(), sink.port()))
    }

    #[expect(clippy::print_stdout, reason = "the results say what they lack")]
    fn start(settings: &str) -> Option<Postfix> {
        match Postfix::try_start(settings) {
            Ok(postfix) => Some(postfix),
            Err(error) => {
                println!("not compared with Postfix, which must be installed and started as root: {error}");
                None
            }
        }
    }

    fn try_start(settings: &str) -> io::Result<Postfix> {
        let folder = tempfile::tempdir_in(bench_dir())?;
        // Its own users have to reach what lies below.
        fs::set_permissions(folder.path(), std::os::unix::fs::PermissionsExt::from_mode(0o755))?;
        let port = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr()?.port();
        let path = folder.path().display();
        for name in ["etc", "spool", "data"] {
            fs::create_dir(folder.path().join(name))?;
        }
        let places = format!(
            "queue_directory = {path}/spool\ndata_directory = {path}/data\nmaillog_file = {path}/log\n\
             maillog_file_prefixes = {path}\n"
        );
        fs::write(folder.path().join("etc/main.cf"), [SETTINGS, &places, settings].concat())?;
        let listener = format!("127.0.0.1:{port} inet n - n - - smtpd\n");
        fs::write(folder.path().join("etc/master.cf"), [&listener, SERVICES].concat())?;
        run("chown", &["postfix".as_ref(), folder.path().join("data").as_ref()])?;
        let postfix = Postfix { address: SocketAddr::from((Ipv4Addr::LOCALHOST, port)), folder };
        postfix.command("start")?;
        let deadline = Instant::now() + TIMEOUT;
        while TcpStream::connect(postfix.address).is_err() {
            if deadline < Instant::now() {
                return Err(io::ErrorKind::TimedOut.into());
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        Ok(postfix)
    }

    /// Waits until it has nothing left to do: what it tidies up behind a message would slow down what is next.
    pub(crate) fn settle(&self) {
        let deadline = Instant::now() + SETTLE_MAX;
        let queues = ["incoming", "active"].map(|queue| self.folder.path().join("spool").join(queue));
        while queues.iter().any(|queue| fs::read_dir(queue).is_ok_and(|mut files| files.next().is_some())) {
            assert!(Instant::now() < deadline, "Postfix has nothing to do but to end");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn command(&self, command: &str) -> io::Result<()> {
        let configuration = self.folder.path().join("etc");
        run(program(), &["-c".as_ref(), configuration.as_ref(), command.as_ref()])
    }
}

impl Drop for Postfix {
    fn drop(&mut self) {
        // Its processes end with its master; the folder must not go before them.
        let _ = self.command("stop");
    }
}

/// Where Debian has it, which need not be in the path.
fn program() -> PathBuf {
    let usual = Path::new("/usr/sbin/postfix");
    if usual.exists() { usual.to_owned() } else { "postfix".into() }
}

fn run(program: impl AsRef<std::ffi::OsStr>, words: &[&std::ffi::OsStr]) -> io::Result<()> {
    let done = Command::new(program).args(words).output()?;
    if done.status.success() {
        Ok(())
    } else {
        Err(io::Error::other(String::from_utf8_lossy(&done.stderr).trim().to_owned()))
    }
}
