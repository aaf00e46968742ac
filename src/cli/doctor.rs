//! `crier doctor`: examines the server and its machine, and prints what is wrong.
//!
//! The checks are in `app::doctor`; this module finds the settings, of the running server or of the stopped one.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{ArgAction, Args, CommandFactory as _, Parser};
use serde_json::json;

use super::manage::{CommonArgs, say_json};
use super::serve::{self, ServeArgs};
use super::terminal::{say, say_prose, tell};
use super::{ENVIRONMENT_FILE, Failure, folder, unexpected, unreachable};
use crate::app;
use crate::app::doctor::{self, Check, Subject};
use crate::clock::Clock;
use crate::config::Config;
use crate::control::client::{self, Asked};
use crate::control::execute::execute;
use crate::control::publish::{PublishAction, PublishRequest, PublishedReply};
use crate::control::standing::StandingReply;
use crate::control::{Reply, Request};
use crate::store::StoreError;

/// Shown at the end of `crier doctor --help`.
const AFTER_HELP: &str = "\
It checks ports, DNS records, the certificate, relays, the clock, the disk, permissions, the backups that the server
makes, the certificates that it orders and the reverse name, and changes nothing. A running server is asked for its
settings; of a stopped one they are read from CRIER_… in the environment and from /etc/crier/crier.env. The exit code
is 1 if anything is wrong.";

/// `crier doctor`
#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct DoctorArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// Server to compare the clock with (SNTP), such as pool.ntp.org [default: none; the clock is not compared]
    #[arg(long, env = "CRIER_TIME_SERVER", value_name = "HOST")]
    time_server: Option<String>,
}

/// The flags of `serve` alone.
#[derive(Debug, Parser)]
#[command(name = "serve")]
struct Settings {
    #[command(flatten)]
    serve: ServeArgs,
}

/// Runs `crier doctor`.
pub(super) fn run(args: &DoctorArgs) -> Result<ExitCode, Failure> {
    let time_server = args.time_server.clone().filter(|server| !server.trim().is_empty());
    let is_compared = time_server.is_some();
    let checks = checks(args, time_server)?;
    let is_well = checks.iter().all(|check| check.ok);
    if args.common.json {
        say_json(&json!({"checks": checks}))?;
    } else if is_well {
        let name = |check: &Check| match check.check {
            "clock" if !is_compared => "clock (not compared)",
            name => name,
        };
        let names: Vec<&str> = checks.iter().map(name).collect();
        say_prose(&format!("All is well: {}", names.join(", ").replace('_', " ")));
    } else {
        for check in checks.iter().filter(|check| !check.ok) {
            for fault in check.message.lines() {
                say_prose(&format!("{}: {fault}", check.check.replace('_', " ")));
            }
        }
        let faulty = checks.iter().filter(|check| !check.ok).count();
        say(format_args!("{faulty} of {} checks found something", checks.len()));
    }
    Ok(if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn checks(args: &DoctorArgs, time_server: Option<String>) -> Result<Vec<Check>, Failure> {
    let data_dir = args.common.data_dir();
    let runtime = serve::runtime()?;
    let ask = |request: &Request| client::ask(data_dir, request, &mut |_| ());
    match ask(&Request::Settings) {
        Err(error) => {
            let (Failure::Failed(text) | Failure::Usage(text)) = unreachable(data_dir, &error);
            Ok(vec![Check::of("permissions", &[text], "")])
        }
        Ok(Asked::Server(Reply::Settings(settings))) => {
            let subject = Subject::running(&settings, data_dir, time_server);
            let domains = match ask(&records_of_all()) {
                Ok(Asked::Server(reply)) => published(reply),
                Ok(Asked::Nobody) => Err("the server stopped meanwhile: run this again".to_owned()),
                Err(error) => Err(format!("the server does not answer: {error}")),
            };
            Ok(runtime.block_on(doctor::examine(&subject, domains, &Clock::system())))
        }
        Ok(Asked::Server(other)) => Err(unexpected(&other)),
        Ok(Asked::Nobody) => Ok(of_stopped(data_dir, time_server, &runtime)),
    }
}

fn records_of_all() -> Request {
    Request::Publish(PublishRequest { action: PublishAction::Show, domain: None })
}

fn published(reply: Reply) -> Result<Vec<PublishedReply>, String> {
    match reply {
        Reply::Published { domains } => Ok(domains),
        Reply::Failed { text } | Reply::Missing { text } => Err(text),
        other => Err(format!("an answer that this version does not know: {other:?}")),
    }
}

/// Examines a stopped server.
fn of_stopped(data_dir: &Path, time_server: Option<String>, runtime: &tokio::runtime::Runtime) -> Vec<Check> {
    let mut checks = Vec::new();
    let file = match std::fs::read_to_string(ENVIRONMENT_FILE) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => Err(error.to_string()),
        file => Ok(file.unwrap_or_default()),
    };
    let config = match file.and_then(|file| settings(data_dir, &file)) {
        Ok(config) => config,
        Err(problems) => {
            let told = format!(
                "the server is stopped, and the settings in the environment and in {ENVIRONMENT_FILE} are not those of a \
                 server: {}",
                problems.replace("\n  ", "; ")
            );
            checks.push(Check::of("settings", &[told], ""));
            Config::on_loopback(data_dir.to_owned())
        }
    };
    let is_known = checks.is_empty();
    let mut subject = Subject::stopped(config.clone(), time_server);
    let domains = match folder::check(data_dir) {
        Err(problem) => Err(problem.text),
        Ok(()) if !is_known => Err("not asked, since the server's name is not known".to_owned()),
        Ok(()) => {
            let _inside = runtime.enter();
            of_file(config).map(|(domains, standing)| {
                subject.standing = Some(standing);
                domains
            })
        }
    };
    checks.extend(runtime.block_on(doctor::examine(&subject, domains, &Clock::system())));
    checks
}

/// The records of all domains, and how things stand with what the server does by itself; or why they cannot be read.
fn of_file(config: Config) -> Result<(Vec<PublishedReply>, StandingReply), String> {
    let host = app::open_to_examine(config, &mut |text| tell(&text)).map_err(|error| error.to_string())?;
    let records = || {
        let command = records_of_all().parse().map_err(|_| "the request is wrong".to_owned())?;
        published(execute(&host, command, &mut |_| ()))
    };
    let standing = || StandingReply::read(&host.core.store.read()?, &host.core);
    let found = records()
        .and_then(|records| Ok((records, standing().map_err(|error: StoreError| error.to_string())?)));
    host.core.store.close_blocking();
    found
}

/// The configuration with which a server would start: of the environment, and of a file for it.
fn settings(data_dir: &Path, file: &str) -> Result<Config, String> {
    let command = Settings::command();
    let mut line = vec!["serve".to_owned()];
    for (name, value) in variables(file) {
        // The environment of this process comes first.
        if std::env::var_os(&name).is_some() || name == "CRIER_DATA" || value.is_empty() {
            continue;
        }
        // Credentials are there for the service alone.
        if value.starts_with("%d/") {
            continue;
        }
        let known = command.get_arguments().find(|arg| arg.get_env().is_some_and(|known| *known == *name));
        let Some(flag) = known.and_then(|arg| Some((arg.get_long()?, arg.get_action()))) else { continue };
        match flag {
            (long, ArgAction::SetTrue) => {
                let is_on =
                    matches!(value.to_ascii_lowercase().as_str(), "1" | "true" | "yes" | "on" | "y" | "t");
                line.extend(is_on.then(|| format!("--{long}")));
            }
            (long, _) => line.push(format!("--{long}={value}")),
        }
    }
    let told = |error: clap::Error| error.to_string().lines().next().unwrap_or_default().to_owned();
    let settings = Settings::try_parse_from(line).map_err(told)?;
    let config = settings.serve.config().map_err(|problems| problems.to_string())?;
    Ok(Config { data_dir: PathBuf::from(data_dir), ..config })
}

/// The variables of a file as systemd reads it: `NAME=value` lines, values perhaps in quotes, and comments.
fn variables(file: &str) -> Vec<(String, String)> {
    let lines = file.lines().map(str::trim).filter(|line| !line.starts_with(['#', ';']));
    let pairs = lines.filter_map(|line| line.split_once('='));
    pairs
        .map(|(name, value)| {
            let value = value.trim();
            let quoted =
                ['"', '\''].iter().find_map(|quote| value.strip_prefix(*quote)?.strip_suffix(*quote));
            (name.trim().to_owned(), quoted.unwrap_or(value).to_owned())
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_settings_of_the_service_are_read_as_systemd_reads_them() {
        let file = "# comment\n;CRIER_HOSTNAME=no.example.org\nCRIER_HOSTNAME='mx.example.org'\n\
                    CRIER_ALLOW_PRIVATE_MX=true\nCRIER_WEB_DOMAIN_TLS=false\nCRIER_MX_PORT=\n\
                    CRIER_SMTP_LISTEN=\"127.0.0.1:2525\"\nCRIER_RELAY_FILE=%d/relay\nOTHER=1\n\
                    CRIER_PUBLIC_IP=192.0.2.1,192.0.2.2\nCRIER_DISK_RESERVE=1G\n";
        let config = settings(Path::new("/srv/crier"), file).unwrap();
        assert_eq!((config.hostname.as_str(), config.mx_port), ("mx.example.org", 25));
        assert!(config.allow_private_mx && !config.web_domain_tls && config.relays.is_empty());
        assert_eq!((config.public_ips.len(), config.disk_reserve_bytes), (2, 1 << 30));
        assert_eq!(config.data_dir, Path::new("/srv/crier"));
        assert!(settings(Path::new("/"), "CRIER_MX_PORT=x").unwrap_err().contains("--mx-port"));
    }
}
