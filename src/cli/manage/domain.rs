//! `crier domain …`

use std::process::ExitCode;

use clap::builder::BoolishValueParser;
use clap::{Args, Subcommand};

use super::{AccountArgs, CommonArgs, YesArgs, request, say_json, show};
use crate::cli::terminal::say;
use crate::cli::{Failure, unexpected};
use crate::control::objects::{DomainAction, DomainReply, DomainsRequest};
use crate::control::{DnsReply, Reply, Request};

/// `crier domain …`
#[derive(Debug, Subcommand)]
pub(in crate::cli) enum DomainCommand {
    /// Give an account one more domain, which needs no proof, and print the DNS records it needs
    #[command(visible_alias = "add")]
    Create(CreateArgs),
    /// List the domains of an account
    List(ListArgs),
    /// Show a domain and the DNS records to publish for it
    Show(ShowArgs),
    /// Make a domain the main one, or the one that links lead to
    Set(SetArgs),
    /// Delete a domain: mail to its addresses is refused from then on
    Delete(DeleteArgs),
}

#[derive(Debug, Args)]
pub(in crate::cli) struct CreateArgs {
    #[command(flatten)]
    common: CommonArgs,
    #[command(flatten)]
    account: AccountArgs,
    /// The domain, such as lists.example.org
    #[arg(value_name = "DOMAIN")]
    domain: String,
    #[command(flatten)]
    uses: UseArgs,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ListArgs {
    #[command(flatten)]
    common: CommonArgs,
    #[command(flatten)]
    account: AccountArgs,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct ShowArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// The domain
    #[arg(value_name = "DOMAIN")]
    domain: String,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct SetArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// The domain
    #[arg(value_name = "DOMAIN")]
    domain: String,
    #[command(flatten)]
    uses: UseArgs,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct DeleteArgs {
    #[command(flatten)]
    common: CommonArgs,
    /// The domain
    #[arg(value_name = "DOMAIN")]
    domain: String,
    #[command(flatten)]
    yes: YesArgs,
}

/// What a domain is for.
#[derive(Debug, Args)]
struct UseArgs {
    /// Make it the main domain: list addresses end in it from now on
    #[arg(long, env = "CRIER_MAIN", value_parser = BoolishValueParser::new())]
    main: bool,
    /// Make it the web domain: links in mail lead to it from now on
    #[arg(long, env = "CRIER_WEB", value_parser = BoolishValueParser::new())]
    web: bool,
}

fn about(action: DomainAction, domain: &str) -> DomainsRequest {
    DomainsRequest { action, account: None, domain: Some(domain.to_owned()), is_main: None, is_web: None }
}

fn domains(common: &CommonArgs, wanted: DomainsRequest) -> Result<Vec<DomainReply>, Failure> {
    match request(common, &Request::Domains(wanted))? {
        Reply::Domains { domains } => Ok(domains),
        other => Err(unexpected(&other)),
    }
}

/// Runs the command.
pub(in crate::cli) fn run(command: DomainCommand) -> Result<ExitCode, Failure> {
    match command {
        DomainCommand::Create(CreateArgs { common, account, domain, uses }) => {
            let wanted = DomainsRequest {
                account: account.name(),
                is_main: uses.main.then_some(true),
                is_web: uses.web.then_some(true),
                ..about(DomainAction::Add, &domain)
            };
            print(&common, &domains(&common, wanted)?)
        }
        DomainCommand::List(ListArgs { common, account }) => {
            let all =
                DomainsRequest { account: account.name(), domain: None, ..about(DomainAction::Show, "") };
            let found = domains(&common, all)?;
            if common.json {
                return say_json(&show::envelope(&found));
            }
            let yes = |is: bool| if is { "yes" } else { "" }.to_owned();
            let row = |domain: &DomainReply| {
                let verified = if domain.verified { "yes" } else { "no" }.to_owned();
                vec![domain.name.clone(), yes(domain.is_main), yes(domain.is_web), verified]
            };
            let rows: Vec<Vec<String>> = found.iter().map(row).collect();
            show::table(&["name", "main", "web", "verified"], &rows, "The account has no domain");
            Ok(ExitCode::SUCCESS)
        }
        DomainCommand::Show(ShowArgs { common, domain }) => {
            print(&common, &domains(&common, about(DomainAction::Show, &domain))?)
        }
        DomainCommand::Set(SetArgs { common, domain, uses }) => {
            if !uses.main && !uses.web {
                let text = "nothing to change: give --main, --web or both";
                return Err(Failure::Usage(text.to_owned()));
            }
            let wanted = DomainsRequest {
                is_main: uses.main.then_some(true),
                is_web: uses.web.then_some(true),
                ..about(DomainAction::Set, &domain)
            };
            print(&common, &domains(&common, wanted)?)
        }
        DomainCommand::Delete(DeleteArgs { common, domain, yes }) => {
            domains(&common, about(DomainAction::Show, &domain))?;
            yes.confirm(&format!("Delete {domain}? Mail to its addresses is refused, its keys are lost."))?;
            domains(&common, about(DomainAction::Delete, &domain))?;
            if common.json {
                return say_json(&serde_json::json!({"success": true}));
            }
            say(format_args!("The domain {domain} is gone"));
            Ok(ExitCode::SUCCESS)
        }
    }
}

fn print(common: &CommonArgs, found: &[DomainReply]) -> Result<ExitCode, Failure> {
    let Some(domain) = found.first() else { return Ok(ExitCode::SUCCESS) };
    if common.json {
        let mut domain = domain.clone();
        // Scripts publish what stands here.
        domain.dns.retain(|record| !record.value.is_empty());
        return say_json(&domain);
    }
    let DomainReply { name, is_main, is_web, account: _, verified, verification: _, dns } = domain;
    let uses = match (is_main, is_web) {
        _ if !verified => {
            "it takes no mail yet: the account has added it, and the DNS does not prove that it is its own. One of \
             these records does; crier domain add makes it a domain without proof"
        }
        (true, true) => "list addresses are made with it, links lead to it",
        (true, false) => "list addresses are made with it",
        (false, true) => "links lead to it",
        (false, false) => "it takes mail for the lists",
    };
    say(format_args!("{name}: {uses}\n\nRecords to publish:\n"));
    let row =
        |record: &DnsReply| vec![record.kind.clone(), record.name.clone(), record.shown_value().to_owned()];
    show::table(&["type", "name", "value"], &dns.iter().map(row).collect::<Vec<Vec<String>>>(), "");
    Ok(ExitCode::SUCCESS)
}
