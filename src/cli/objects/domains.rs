//! `crier domain …`: manages the domains of an account, which the API shows and changes as one of its fields.

use std::process::ExitCode;

use clap::builder::BoolishValueParser;
use clap::{Args, Subcommand};
use serde_json::{Map, Value, json};

use super::calls::{Refused, call, try_call};
use crate::cli::Failure;
use crate::cli::manage::{AccountArgs, CommonArgs, YesArgs, dns, say_json};
use crate::cli::records::say_state;
use crate::cli::show::{self, cell};
use crate::cli::terminal::say;
use crate::control::calls::Verb;
use crate::control::publish::{PublishAction, PublishedReply, RecordReply};
use crate::control::scope::Scope;
use crate::model::Domain;

/// How often a command starts again because others have changed the domains that it has read.
const ATTEMPTS_MAX: usize = 20;

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
    one: ShowArgs,
    #[command(flatten)]
    account: AccountArgs,
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
    /// The domain, such as lists.example.org
    #[arg(value_name = "DOMAIN")]
    domain: String,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct SetArgs {
    #[command(flatten)]
    one: ShowArgs,
    #[command(flatten)]
    uses: UseArgs,
}

#[derive(Debug, Args)]
pub(in crate::cli) struct DeleteArgs {
    #[command(flatten)]
    one: ShowArgs,
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

/// An account's domains, with the flags of the command.
struct Domains {
    common: CommonArgs,
    scope: Scope,
    /// The domains as the API shows them.
    all: Vec<Value>,
    account: u64,
}

impl Domains {
    fn of(common: CommonArgs, scope: Scope) -> Result<Domains, Failure> {
        let mut domains = Domains { common, scope, all: Vec::new(), account: 0 };
        domains.read()?;
        Ok(domains)
    }

    fn read(&mut self) -> Result<(), Failure> {
        let fields = json!({"fields": "id,domains"});
        let answer = call(&self.common, Verb::Get, &["accounts"], &self.scope, &fields)?;
        self.take(&answer);
        Ok(())
    }

    /// Reads the domains of the account that has the given domain, and returns that domain's name as it is stored.
    fn with(ShowArgs { common, domain }: ShowArgs) -> Result<(Domains, String), Failure> {
        let name = parse(&domain)?;
        let domains = Domains::of(common, Scope::Domain(name.to_string()))?;
        Ok((domains, kept(&name)))
    }

    fn take(&mut self, answer: &Value) {
        self.account = answer["id"].as_u64().unwrap_or_default();
        self.all = answer["domains"].as_array().cloned().unwrap_or_default();
    }

    fn find(&self, name: &str) -> Option<&Value> {
        self.all.iter().find(|domain| domain["name"] == name)
    }

    /// Replaces the account's domains by what `change` makes of them. If others have changed them since they were read,
    /// it is asked again: what it has not seen must not be lost.
    fn put(&mut self, change: impl Fn(&Domains) -> Result<Vec<Value>, Failure>) -> Result<(), Failure> {
        let is_late =
            |problems: &[(String, String)]| problems.iter().any(|(field, _)| field == "seen_domains");
        for _ in 0..ATTEMPTS_MAX {
            let params = Map::from_iter([
                ("domains".to_owned(), change(self)?.into()),
                ("seen_domains".to_owned(), self.all.clone().into()),
            ]);
            match try_call(&self.common, Verb::Put, &["accounts"], &self.scope, params)? {
                Ok(answer) => {
                    self.take(&answer);
                    return Ok(());
                }
                Err(Refused::Invalid(problems)) if is_late(&problems) => self.read()?,
                Err(refused) => return Err(refused.into_failure()),
            }
        }
        let text = "others are changing the domains of the account all the time: try it again later";
        Err(Failure::Failed(text.to_owned()))
    }

    /// The account's domains once `name` has these uses too. Each use belongs to a single domain, so it moves away from
    /// the others.
    fn with_uses(&self, name: &str, UseArgs { main, web }: &UseArgs) -> Vec<Value> {
        let mut wanted: Vec<Value> =
            self.all.iter().filter(|domain| domain["name"] != name).cloned().collect();
        for domain in &mut wanted {
            for (has, takes) in [("is_main", *main), ("is_web", *web)] {
                domain[has] = (domain[has] == true && !takes).into();
            }
        }
        let is = |member: &str| self.find(name).is_some_and(|domain| domain[member] == true);
        wanted.push(json!({"name": name, "is_main": *main || is("is_main"), "is_web": *web || is("is_web")}));
        wanted
    }

    /// Prints a domain, with the records to publish for it.
    fn print(&self, name: &str) -> Result<ExitCode, Failure> {
        let Some(domain) = self.find(name) else { return Ok(ExitCode::SUCCESS) };
        let wanted = dns::published(&self.common, PublishAction::List, Some(name.to_owned()))?;
        let mine = |published: &PublishedReply| {
            published.account == self.account && domain["verified"] == published.verified
        };
        let records = wanted.into_iter().find(mine).map(|published| published.records).unwrap_or_default();
        if self.common.json {
            let mut domain = domain.clone();
            domain["account"] = self.account.into();
            // Scripts publish these records as they are.
            let records = records.iter().filter(|record| !record.value.is_empty());
            let shown = |RecordReply { kind, name, value, .. }: &RecordReply| json!({"type": kind, "name": name, "value": value});
            domain["dns"] = records.map(shown).collect::<Vec<_>>().into();
            return say_json(&domain);
        }
        say(format_args!("{name}: {}\n\nRecords to publish:\n", use_of(domain)));
        for record in &records {
            say_state(record, false);
        }
        Ok(ExitCode::SUCCESS)
    }
}

fn use_of(domain: &Value) -> &'static str {
    match (domain["is_main"] == true, domain["is_web"] == true) {
        _ if domain["verified"] == false => {
            "it takes no mail yet: the account has added it, and the\nDNS does not prove that it is its own. One of \
             these records does; crier domain add\nmakes it a domain without proof"
        }
        (true, true) => "list addresses are made with it, links lead to it",
        (true, false) => "list addresses are made with it",
        (false, true) => "links lead to it",
        (false, false) => "it takes mail for the lists",
    }
}

fn parse(text: &str) -> Result<Domain, Failure> {
    let right = |_| Failure::Usage(format!("{text:?} must be a domain such as lists.example.org"));
    Domain::parse(text).map_err(right)
}

/// Renders a name as the API shows it.
fn kept(name: &Domain) -> String {
    crate::ops::domains::kept_name(name).to_string()
}

/// Runs the command.
pub(in crate::cli) fn run(command: DomainCommand) -> Result<ExitCode, Failure> {
    match command {
        DomainCommand::Create(CreateArgs { one: ShowArgs { common, domain }, account, uses }) => {
            let name = kept(&parse(&domain)?);
            let mut domains = Domains::of(common, account.scope())?;
            domains.put(|domains| {
                if domains.find(&name).is_some_and(|domain| domain["verified"] == true) {
                    return Err(Failure::Failed(format!("the account has {name} already")));
                }
                Ok(domains.with_uses(&name, &uses))
            })?;
            domains.print(&name)
        }
        DomainCommand::List(ListArgs { common, account }) => {
            let domains = Domains::of(common, account.scope())?;
            if domains.common.json {
                return say_json(&show::envelope(&domains.all));
            }
            let row = |domain: &Value| {
                let uses =
                    ["is_main", "is_web"].map(|member| if domain[member] == true { "yes" } else { "" });
                let [main, web] = uses.map(str::to_owned);
                vec![cell(&domain["name"]), main, web, cell(&domain["verified"])]
            };
            let rows: Vec<Vec<String>> = domains.all.iter().map(row).collect();
            show::table(&["name", "main", "web", "verified"], &rows, "The account has no domain");
            Ok(ExitCode::SUCCESS)
        }
        DomainCommand::Show(args) => {
            let (domains, name) = Domains::with(args)?;
            domains.print(&name)
        }
        DomainCommand::Set(SetArgs { one, uses }) => {
            if !uses.main && !uses.web {
                return Err(Failure::Usage("nothing to change: give --main, --web or both".to_owned()));
            }
            let (mut domains, name) = Domains::with(one)?;
            domains.put(|domains| {
                if domains.find(&name).is_some_and(|domain| domain["verified"] == false) {
                    let text =
                        format!("{name} is not verified yet: add it as its operator, or wait for its proof");
                    return Err(Failure::Failed(text));
                }
                Ok(domains.with_uses(&name, &uses))
            })?;
            domains.print(&name)
        }
        DomainCommand::Delete(DeleteArgs { one, yes }) => {
            let (mut domains, name) = Domains::with(one)?;
            if domains.find(&name).is_some_and(|domain| domain["is_main"] == true) {
                let text = format!("{name} is the main domain: make another one the main domain first");
                return Err(Failure::Failed(text));
            }
            yes.confirm(&format!("Delete {name}? Mail to its addresses is refused, its keys are lost."))?;
            domains.put(|domains| {
                let others = domains.all.iter().filter(|domain| domain["name"] != name.as_str());
                Ok(others.cloned().collect())
            })?;
            if domains.common.json {
                return say_json(&json!({"success": true}));
            }
            say(format_args!("The domain {name} is gone"));
            Ok(ExitCode::SUCCESS)
        }
    }
}
