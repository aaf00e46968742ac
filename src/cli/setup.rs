//! `crier setup`: takes values from flags or asks for them, has the first account made, and prints the next steps.
//!
//! The account itself is made by `control::setup`, in the server or on the store of a stopped one.

use std::path::Path;
use std::process::ExitCode;

use clap::Args;
use clap::builder::BoolishValueParser;
use serde::Serialize;

use super::manage::say_json;
use super::records;
use super::terminal::{ask, can_ask, complain, say, say_prose, tell};
use super::{Absent, DataArgs, ENVIRONMENT_FILE, Failure, perform, unexpected};
use crate::control::publish::DnsReply;
use crate::control::setup::{SetupReply, SetupRequest};
use crate::control::{Reply, Request};
use crate::model::{Domain, EmailAddress, ListName};
use crate::ops::domains;

/// The flags of `setup` as they are typed.
#[derive(Debug, Args)]
pub(super) struct SetupArgs {
    #[command(flatten)]
    data: DataArgs,
    /// Domain of the lists' addresses, such as lists.example.org; asked for on a terminal
    #[arg(long, env = "CRIER_DOMAIN", value_name = "DOMAIN")]
    domain: Option<String>,
    /// Address of the first administrator, who gets the notices; asked for on a terminal
    #[arg(long, env = "CRIER_ADMIN", value_name = "EMAIL")]
    admin: Option<String>,
    /// Name of the account [default: made of the domain]
    #[arg(long, env = "CRIER_ACCOUNT", value_name = "NAME")]
    account: Option<String>,
    /// Name of a first list
    #[arg(long, env = "CRIER_LIST", value_name = "NAME")]
    list: Option<String>,
    /// Several organizations share this server: make a global key too, which makes and manages their accounts by
    /// the API
    #[arg(long, env = "CRIER_GROUPED", value_parser = BoolishValueParser::new())]
    grouped: bool,
    /// Let programs name contacts by identifiers of their own (ccid) in place of the server's numbers
    #[arg(long, env = "CRIER_CCID", value_parser = BoolishValueParser::new())]
    ccid: bool,
    /// Name of this mail server for the MX record [default: the running server's, else the domain]
    #[arg(long, env = "CRIER_HOSTNAME", value_name = "HOST")]
    hostname: Option<String>,
    /// What links begin with [default: the running server's, else https:// and the domain]
    #[arg(long, env = "CRIER_BASE_URL", value_name = "URL")]
    base_url: Option<String>,
    /// Public address of this server for its A and AAAA records; may be repeated
    #[arg(long = "public-ip", env = "CRIER_PUBLIC_IP", value_name = "IP", value_delimiter = ',')]
    public_ips: Vec<String>,
    /// Print one JSON object, for scripts; nothing is asked then
    #[arg(long, env = "CRIER_JSON", value_parser = BoolishValueParser::new())]
    json: bool,
}

/// The folder that the service of a package serves, its unit where distributions keep it, and a folder that is there as
/// long as systemd runs.
const DATA_OF_PACKAGE: &str = "/var/lib/crier";
const UNITS: [&str; 2] = ["/usr/lib/systemd/system/crier.service", "/lib/systemd/system/crier.service"];
const SYSTEMD: &str = "/run/systemd/system";

/// The JSON of `setup --json`.
#[derive(Debug, Serialize)]
struct SetupJson<'a> {
    account: u64,
    created: bool,
    #[serde(flatten)]
    secrets: Option<SetupSecrets<'a>>,
    dns: Vec<&'a DnsReply>,
}

/// Secrets, which are shown only once.
#[derive(Debug, Serialize)]
struct SetupSecrets<'a> {
    api_key: &'a str,
    global_key: Option<&'a str>,
    /// The link by which the administrator chooses a password.
    admin_link: Option<&'a str>,
}

pub(super) fn run(args: SetupArgs) -> Result<ExitCode, Failure> {
    let SetupArgs { data, domain, admin, account, list, grouped, ccid, hostname, base_url, public_ips, json } =
        args;
    let asks = !json && can_ask() && (domain.is_none() || admin.is_none());
    let answered =
        |answer: Option<String>| answer.ok_or_else(|| Failure::Failed("setup was left".to_owned()));
    let domain = match domain {
        None if asks => Some(answered(ask("Domain of the lists, such as lists.example.org:", check_domain))?),
        given => given,
    };
    let admin = match admin {
        None if asks => Some(answered(ask("Your address, as the first administrator:", check_admin))?),
        given => given,
    };
    let list = match list {
        None if asks => Some(answered(ask("Name of a first list (Enter for none):", check_list))?),
        given => given,
    };
    let given = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
    let base_url = given(base_url);
    let request = Request::Setup(SetupRequest {
        domain: domain.unwrap_or_default(),
        admin: admin.unwrap_or_default(),
        account: given(account),
        list: given(list),
        grouped,
        ccid,
        hostname: given(hostname),
        public_ips,
        base_url: base_url.clone(),
    });
    let done = match perform(&data.data, &request, Absent::Create)? {
        Reply::Setup(done) => done,
        other => return Err(unexpected(&other)),
    };
    if let Some(list) = &done.list_not_made {
        complain(format_args!(
            "Note: the list {list} was not made, since setup had been run before. Make it with: crier list create {list}"
        ));
    }
    if let Some(admin) = &done.admin_not_made {
        complain(format_args!(
            "Note: {admin} was not made an administrator, since setup had been run before. Make one with: crier admin \
             create {admin}"
        ));
    }
    if json {
        return print_json(&done);
    }
    print(&done, &data, base_url);
    Ok(ExitCode::SUCCESS)
}

fn check_domain(text: &str) -> Result<String, String> {
    let domain = Domain::parse(text).map_err(|problem| problem.to_string())?;
    domains::check_domain(&domain).map_err(|problem| problem.to_string())?;
    Ok(domain.to_string())
}

fn check_admin(text: &str) -> Result<String, String> {
    EmailAddress::parse(text).map(|address| address.to_string()).map_err(|problem| problem.to_string())
}

fn check_list(text: &str) -> Result<String, String> {
    match text {
        "" => Ok(String::new()),
        name => ListName::parse(name).map(|name| name.to_string()).map_err(|problem| problem.to_string()),
    }
}

fn print_json(done: &SetupReply) -> Result<ExitCode, Failure> {
    let secrets = done.api_key.as_deref().map(|api_key| SetupSecrets {
        api_key,
        global_key: done.global_key.as_deref(),
        admin_link: done.admin_link.as_deref(),
    });
    // Scripts publish these records as they are.
    let dns = done.dns.iter().filter(|record| !record.value.is_empty()).collect();
    say_json(&SetupJson { account: done.account, created: done.created, secrets, dns })
}

fn print(done: &SetupReply, data: &DataArgs, base_url: Option<String>) {
    let SetupReply {
        account: _,
        name,
        created,
        api_key,
        global_key,
        domain,
        hostname,
        admin_link,
        list,
        list_not_made: _,
        admin_not_made: _,
        dns,
        notes,
    } = done;
    if *created {
        say(format_args!("Account {name} is ready for lists at {domain}."));
    } else {
        say(format_args!("Account {name} was set up before for {domain}; nothing was changed."));
    }
    if let Some(list) = list {
        say(format_args!("Mail to {list} reaches its members."));
    }
    say_prose(
        "\nPublish these DNS records; crier dns --zone prints them for a file, to keep or to import at the provider:\n",
    );
    records::say_all(dns.iter());
    for note in notes {
        say_prose(&format!("\n{note}"));
    }
    let Some(api_key) = api_key else {
        tell("\nKeys are shown once, when they are made; crier key create makes another.");
        return;
    };
    say(format_args!(
        "\nAPI key, which may do everything in this account; it is not shown again:\n\n  {api_key}"
    ));
    if let Some(global_key) = global_key {
        say(format_args!(
            "\nGlobal key, for every account of this server (with account_id):\n\n  {global_key}"
        ));
    }
    if let Some(link) = admin_link {
        say(format_args!(
            "\nChoose your password here once the server runs; the link works once, for 7 days:\n\n  {link}"
        ));
    }
    let folder = data.data.display();
    let base_url = base_url.unwrap_or_else(|| format!("https://{domain}"));
    let is_packaged = is_packaged(&data.data);
    let elsewhere = if is_packaged { String::new() } else { format!(" --data {folder}") };
    say("\nWhat to do next:\n");
    say("  Publish the DNS records above: mail and certificates need them.");
    say(format_args!("  crier dns --zone{elsewhere} > {domain}.zone"));
    if is_packaged {
        say(format_args!("  editor {ENVIRONMENT_FILE}, with these lines among others:"));
        say(format_args!("    CRIER_HOSTNAME={hostname}\n    CRIER_BASE_URL={base_url}"));
        say("  systemctl enable --now crier");
    } else {
        say(format_args!("  crier serve --data {folder} --hostname {hostname} --base-url {base_url}"));
    }
    let news = list.as_deref().and_then(|list| list.split('@').next()).unwrap_or("news");
    if list.is_none() {
        say(format_args!("  crier list create {news}{elsewhere}"));
    }
    say(format_args!("  crier member add {news} ada@example.org{elsewhere}"));
}

/// Whether the service of a package serves this folder: `crier serve` by hand would run as root beside it.
fn is_packaged(folder: &Path) -> bool {
    let has_unit = UNITS.iter().any(|unit| Path::new(unit).exists());
    let is_there = has_unit || Path::new(ENVIRONMENT_FILE).exists();
    folder == Path::new(DATA_OF_PACKAGE) && is_there && Path::new(SYSTEMD).exists()
}
