//! `crier inject`: takes a message from a program of this machine.
//!
//! Its exit codes are those of `sysexits.h`, by which mail servers and cron decide: see [`AFTER_HELP`].

use std::io::{self, Read as _};
use std::path::Path;
use std::process::ExitCode;

use clap::Args;

use super::folder::{self, FolderProblem};
use super::terminal::{complain, tell_waiting};
use super::{Absent, DataArgs, Failure, File, open_file};
use crate::config::MESSAGE_BYTES_MAX;
use crate::control::Reply;
use crate::control::client;
use crate::control::inject::{self, InjectRequest, Obstacle, Uninjected};

/// The arguments make no sense (`EX_USAGE`).
const USAGE: u8 = 64;
/// The message cannot be accepted (`EX_DATAERR`).
const DATA: u8 = 65;
/// The recipient does not exist here (`EX_NOUSER`).
const NO_USER: u8 = 67;
/// The message may be accepted later (`EX_TEMPFAIL`).
const TEMPORARY: u8 = 75;
/// The program may not hand over mail, or the sender may not post (`EX_NOPERM`).
const NO_PERMISSION: u8 = 77;

/// Shown at the end of `crier inject --help`.
const AFTER_HELP: &str = "\
The message is decided like one that came by SMTP, without the checks of SPF, DKIM and DMARC. It is taken \
for all recipients or for none, by the running server, or into the file of a stopped one, which delivers it \
after its next start. Once the command ends with 0, the message is on the disk. Lines may end in LF; a line \
From … of a mailbox file on top is passed over; a missing From becomes the sender's address.

Exit codes (sysexits.h):
  0   the message is on the disk
  64  the command makes no sense, or names no recipient or no sender
  65  the message cannot be taken: NUL octets, a long line, too large
  67  there is no such recipient; standard error names each
  75  not now: the server or its data file cannot be reached, or is full
  77  no permission to reach the server, or the rules of the list refuse it

Post what a job prints, from the crontab of the user that crier runs as:
  0 6 * * * (echo Subject: Report; echo; report) | crier inject n@x.org

Take the lists' mail from Postfix, in its master.cf (the user is the one that crier runs as), with \
lists.example.org crier: in its transport_maps:
  crier unix - n n - 4 pipe user=crier null_sender=
    argv=/usr/bin/crier inject --from ${sender} -- ${recipient}";

/// `crier inject`
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct InjectArgs {
    #[command(flatten)]
    data: DataArgs,
    /// Envelope sender, which learns what becomes of the message; <> for none [default: its author]
    #[arg(long, env = "CRIER_FROM", value_name = "ADDR")]
    from: Option<String>,
    /// Address of a list of this server, or another of its addresses; several are allowed
    #[arg(value_name = "RECIPIENT")]
    recipients: Vec<String>,
}

/// Whether this process was started as `inject`, even if its arguments are wrong.
pub(super) fn is_meant() -> bool {
    std::env::args_os().nth(1).is_some_and(|command| command == "inject")
}

/// Prints the error of arguments that were not understood, and returns the exit code.
pub(super) fn misunderstood(error: &clap::Error) -> ExitCode {
    // If standard error cannot be written, the error has no other place.
    let _ = error.print();
    ExitCode::from(USAGE)
}

/// The refusal of a message: the exit code, and the reasons.
type Refused = (u8, Vec<String>);

/// Runs the command.
pub(super) fn run(args: InjectArgs) -> ExitCode {
    match hand_over(args) {
        Ok(()) => ExitCode::SUCCESS,
        Err((code, texts)) => {
            for text in texts {
                complain(format_args!("error: {text}"));
            }
            ExitCode::from(code)
        }
    }
}

fn hand_over(args: InjectArgs) -> Result<(), Refused> {
    let InjectArgs { data: DataArgs { data }, from, recipients } = args;
    if recipients.is_empty() {
        let text = "there is no recipient: crier inject [--from ADDR] RECIPIENT… < message";
        return Err((USAGE, vec![text.to_owned()]));
    }
    let text = read_message()?;
    let request = InjectRequest { from, recipients, size_bytes: text.len() };
    let unreachable = |error: io::Error| {
        let code = code_of(&error);
        match super::unreachable(&data, &error) {
            Failure::Usage(text) | Failure::Failed(text) => (code, vec![text]),
        }
    };
    let reply = match client::inject(&data, &request, &text).map_err(unreachable)? {
        Some(reply) => reply,
        None => keep_in_file(&data, request, text)?,
    };
    match reply {
        Reply::Injected => Ok(()),
        Reply::Uninjected(Uninjected { obstacle, texts }) => Err((code(obstacle), texts)),
        Reply::Failed { text } => Err((TEMPORARY, vec![text])),
        other => Err((
            TEMPORARY,
            vec![format!("the server gave an answer that this version does not know: {other:?}")],
        )),
    }
}

/// Reads all of standard input, unless it is larger than the largest message.
fn read_message() -> Result<Vec<u8>, Refused> {
    tell_waiting("crier inject RECIPIENT");
    let mut text = Vec::new();
    // One byte beyond the limit shows that the message is too large.
    let limit = u64::try_from(MESSAGE_BYTES_MAX).unwrap_or(u64::MAX).saturating_add(1);
    let read = io::stdin().take(limit).read_to_end(&mut text);
    read.map_err(|error| (TEMPORARY, vec![format!("standard input cannot be read: {error}")]))?;
    if MESSAGE_BYTES_MAX < text.len() {
        return Err((DATA, vec![format!("a message may have at most {MESSAGE_BYTES_MAX} bytes")]));
    }
    if text.is_empty() {
        return Err((DATA, vec!["there is no message on standard input".to_owned()]));
    }
    Ok(text)
}

/// Writes the message into the store of a stopped server.
fn keep_in_file(data: &Path, request: InjectRequest, text: Vec<u8>) -> Result<Reply, Refused> {
    if let Err(FolderProblem { text, is_forbidden }) = folder::check(data) {
        let code = if is_forbidden { NO_PERMISSION } else { TEMPORARY };
        return Err((code, vec![format!("no server runs, and {text}")]));
    }
    let later = |failure: Failure| match failure {
        Failure::Usage(text) | Failure::Failed(text) => (TEMPORARY, vec![text]),
    };
    let File { host, runtime } = open_file(data, Absent::Refuse).map_err(later)?;
    let reply = runtime.block_on(inject::inject(&host, request, text, folder::own_user()));
    host.core.store.close_blocking();
    Ok(Reply::injected(reply))
}

fn code_of(error: &io::Error) -> u8 {
    if error.kind() == io::ErrorKind::PermissionDenied { NO_PERMISSION } else { TEMPORARY }
}

fn code(obstacle: Obstacle) -> u8 {
    match obstacle {
        Obstacle::Usage => USAGE,
        Obstacle::Message => DATA,
        Obstacle::Recipient => NO_USER,
        Obstacle::Rules => NO_PERMISSION,
        Obstacle::Temporary => TEMPORARY,
    }
}
