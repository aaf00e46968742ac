//! Writes the answer to a mail with commands: the result of each, in the language of the account, with one link for all
//! that must be confirmed.
//!
//! It repeats no word of the mail that it answers: a stranger must not write to others through it.

use std::fmt::Write;

use crate::locale::text;
use crate::mail::commands::Command;
use crate::mail::notice::indented;
use crate::mail::{Button, Wording};
use crate::model::account::Subscriptions;
use crate::model::{
    Account, Contact, Email, EmailAddress, Language, List, Membership, RequestedChange, SystemMailKind,
};
use crate::ops::archive::access::Reader;
use crate::ops::lists::directory;
use crate::ops::locales::locale_of;
use crate::ops::notices::system_mails::{self, NewNotice, local_of, owner_local};
use crate::ops::patterns::Permit;
use crate::ops::people::requests::{Recorded, subscriptions, unsubscriptions};
use crate::ops::{OpContext, domains};
use crate::schema::{EMAIL_BY_ADDRESS, MEMBERSHIP_BY_CONTACT};
use crate::store::{IndexRange, Key, Read, StoreError, WriteTx};

/// Characters of a line of an answer, if its words allow that.
const LINE_CHARS_MAX: usize = 76;
/// Lists that `which` names.
const LISTS_MAX: usize = 200;
/// Width of the column of commands.
const COMMAND_CHARS: usize = 18;

/// The result of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
enum CommandResult {
    /// It changes something once it is confirmed: the place of that in the changes.
    Asked(usize),
    /// Sentences or lines.
    Told(String),
    /// What can be asked.
    Help,
}

/// The answer to the commands of one mail.
#[derive(Debug)]
pub(super) struct Answer<'a> {
    pub(super) account: &'a Account,
    pub(super) list: &'a List,
    address: &'a EmailAddress,
    permit: Permit,
    said: Vec<(Command, CommandResult)>,
    /// The changes that must be confirmed.
    pub(super) changes: Vec<RequestedChange>,
    /// Whether the mail had lines that are no commands.
    pub(super) has_other_lines: bool,
}

/// The person, as far as the address book has it.
struct Known {
    email: Email,
    membership: Option<Membership>,
}

impl<'a> Answer<'a> {
    pub(super) fn new(
        account: &'a Account,
        list: &'a List,
        address: &'a EmailAddress,
        permit: Permit,
    ) -> Answer<'a> {
        let (said, changes) = (Vec::new(), Vec::new());
        Answer { account, list, address, permit, said, changes, has_other_lines: false }
    }

    /// Whether it says nothing but that changes must be confirmed.
    pub(super) fn has_changes_alone(&self) -> bool {
        !self.said.is_empty() && self.said.iter().all(|(_, said)| matches!(said, CommandResult::Asked(_)))
    }

    fn language(&self) -> Language {
        self.account.settings.language
    }

    fn known(&self, tx: &impl Read) -> Result<Option<Known>, StoreError> {
        let of_account = Key::new().u64(self.account.id.0);
        let key = of_account.clone().text(&self.address.folded());
        let Some(email): Option<Email> = tx.find(&EMAIL_BY_ADDRESS, &key)? else { return Ok(None) };
        if tx.get::<Contact>(email.contact.0)?.is_none() {
            return Ok(None);
        }
        let membership = of_account.u64(email.contact.0).u64(self.list.id.0);
        let membership = tx.find(&MEMBERSHIP_BY_CONTACT, &membership)?;
        Ok(Some(Known { email, membership }))
    }

    /// Finds the result of a command.
    pub(super) fn handle_command(&mut self, tx: &impl Read, command: Command) -> Result<(), StoreError> {
        let known = self.known(tx)?;
        let membership = known.as_ref().and_then(|known| known.membership.as_ref());
        let email = known.as_ref().map(|known| &known.email);
        let said = match command {
            Command::Help => CommandResult::Help,
            Command::Subscribe { digest } => self.subscribe(membership, digest),
            Command::Unsubscribe => self.unsubscribe(membership),
            Command::Digest { digest } => self.digest(membership, email, digest),
            Command::Pause => self.pause(email, true),
            Command::Resume => self.pause(email, false),
            Command::Which => CommandResult::Told(self.which(tx, email)?),
        };
        self.said.push((command, said));
        Ok(())
    }

    fn ask(&mut self, change: RequestedChange) -> CommandResult {
        self.changes.push(change);
        CommandResult::Asked(self.changes.len() - 1)
    }

    fn subscribe(&mut self, membership: Option<&Membership>, digest: Option<bool>) -> CommandResult {
        let (language, list) = (self.language(), self.list.title());
        if let Some(membership) = membership {
            return match digest {
                Some(_) if membership.digest != digest => {
                    self.ask(RequestedChange::Digest { list: self.list.id, digest })
                }
                _ => CommandResult::Told(text!(language, "command-member-already", list = list)),
            };
        }
        if subscriptions(self.account, self.list) == Subscriptions::Closed {
            return CommandResult::Told(text!(language, "command-join-closed", list = list));
        }
        if self.permit != Permit::Granted {
            let address = self.address.as_str();
            return CommandResult::Told(text!(
                language,
                "command-not-permitted",
                address = address,
                list = list
            ));
        }
        self.ask(RequestedChange::Join { list: self.list.id, digest })
    }

    fn no_member(&self) -> CommandResult {
        let (address, list) = (self.address.as_str(), self.list.title());
        CommandResult::Told(text!(self.language(), "command-no-member", address = address, list = list))
    }

    fn unsubscribe(&mut self, membership: Option<&Membership>) -> CommandResult {
        if membership.is_none() {
            return self.no_member();
        }
        if unsubscriptions(self.account, self.list) == Subscriptions::Closed {
            let list = self.list.title();
            return CommandResult::Told(text!(self.language(), "command-leave-closed", list = list));
        }
        self.ask(RequestedChange::Leave { list: self.list.id })
    }

    fn digest(
        &mut self,
        membership: Option<&Membership>,
        email: Option<&Email>,
        digest: bool,
    ) -> CommandResult {
        let list = self.list.id;
        let Some(membership) = membership else {
            // Whoever asks to join in the same mail joins with this setting.
            for (place, change) in self.changes.iter_mut().enumerate() {
                if let RequestedChange::Join { digest: asked, .. } = change {
                    *asked = Some(digest);
                    return CommandResult::Asked(place);
                }
            }
            return self.no_member();
        };
        if membership.digest.or(email.map(|email| email.digest)) == Some(digest) {
            let (language, list) = (self.language(), self.list.title());
            return CommandResult::Told(if digest {
                text!(language, "command-digest-already", list = list)
            } else {
                text!(language, "command-singly-already", list = list)
            });
        }
        self.ask(RequestedChange::Digest { list, digest: Some(digest) })
    }

    fn pause(&mut self, email: Option<&Email>, pauses: bool) -> CommandResult {
        let (language, address) = (self.language(), self.address.as_str());
        match email {
            None => CommandResult::Told(text!(language, "command-unknown", address = address)),
            Some(email) if email.paused == pauses && pauses => {
                CommandResult::Told(text!(language, "command-paused-already", address = address))
            }
            Some(email) if email.paused == pauses => {
                CommandResult::Told(text!(language, "command-not-paused", address = address))
            }
            Some(_) if pauses => self.ask(RequestedChange::Pause),
            Some(_) => self.ask(RequestedChange::Resume),
        }
    }

    /// The lists of the person, with how their mail comes.
    fn which(&self, tx: &impl Read, email: Option<&Email>) -> Result<String, StoreError> {
        let (language, address) = (self.language(), self.address.as_str());
        let unknown = || text!(language, "command-unknown", address = address);
        let Some(email) = email else { return Ok(unknown()) };
        let of_contact = Key::new().u64(self.account.id.0).u64(email.contact.0);
        let ids = tx.ids(&MEMBERSHIP_BY_CONTACT, &IndexRange::prefix(of_contact), LISTS_MAX)?;
        let mut lines = Vec::new();
        for membership in tx.records::<Membership>(&ids)?.into_iter().flatten() {
            let Some(list) = tx.get::<List>(membership.list.0)? else { continue };
            let (name, title) = (list.name.as_str(), list.title());
            lines.push(if membership.paused {
                text!(language, "command-which-web", name = name, title = title)
            } else if membership.digest.unwrap_or(email.digest) {
                text!(language, "command-which-digest", name = name, title = title)
            } else {
                text!(language, "command-which-singly", name = name, title = title)
            });
        }
        if lines.is_empty() {
            return Ok(unknown());
        }
        if email.paused {
            lines.push(text!(language, "command-which-paused", address = address));
        }
        Ok(lines.join("\n"))
    }

    /// Writes the mail and queues it.
    pub(super) fn mail(
        &self,
        tx: &mut WriteTx<'_>,
        by: &OpContext,
        recorded: Option<&Recorded>,
        in_reply_to: Option<&str>,
    ) -> Result<(), StoreError> {
        let language = self.language();
        let page = self.page(tx, by)?;
        let text = self.text(tx, recorded, page.as_deref())?;
        let mut buttons: Vec<Button> =
            page.into_iter().map(|page| Button::new(page, text!(language, "mail-button-list"))).collect();
        buttons.extend(recorded.map(|recorded| {
            Button::new(&recorded.link, text!(language, "mail-button-confirm")) //
        }));
        let notice = NewNotice {
            kind: SystemMailKind::Answer,
            from_phrase: self.list.title(),
            from_local: &local_of(self.list, "request"),
            to: self.address,
            reply_to: recorded.map(|recorded| &recorded.reply_to),
            subject: &text!(language, "command-subject", list = self.list.title()),
            text: &text,
            buttons: &buttons,
            wording: Wording::BuiltIn,
            in_reply_to,
        };
        system_mails::write(tx, &by.mail_context, self.account.id, &notice, by.now)
    }

    fn text(
        &self,
        tx: &impl Read,
        recorded: Option<&Recorded>,
        page: Option<&str>,
    ) -> Result<String, StoreError> {
        let language = self.language();
        let mut paragraphs = Vec::new();
        let results: Vec<String> =
            self.said.iter().filter_map(|(command, said)| self.result(*command, said, recorded)).collect();
        if !results.is_empty() {
            paragraphs.push(text!(language, "command-results"));
            paragraphs.extend(results);
        }
        if let Some(Recorded { confirmation, link, .. }) = recorded {
            let until = locale_of(self.account).day(confirmation.ends());
            paragraphs.push(text!(language, "command-confirm", link = indented(link), until = until));
        }
        let has_nothing = self.said.is_empty();
        if has_nothing {
            paragraphs.push(folded(&text!(language, "command-none"), ""));
        } else if self.has_other_lines {
            paragraphs.push(folded(&text!(language, "command-other-lines"), ""));
        }
        if has_nothing || self.said.iter().any(|(_, said)| *said == CommandResult::Help) {
            paragraphs.push(self.help(tx, page)?);
        }
        Ok(paragraphs.join("\n\n") + "\n")
    }

    /// A command with its result; `None` for the help, which stands at the end.
    fn result(&self, command: Command, said: &CommandResult, recorded: Option<&Recorded>) -> Option<String> {
        let language = self.language();
        let told = match said {
            CommandResult::Help => return None,
            CommandResult::Told(told) => told.clone(),
            CommandResult::Asked(place) => {
                let change = self.changes.get(*place)?;
                if recorded.is_some_and(|recorded| recorded.confirmation.changes.contains(change)) {
                    text!(language, "command-to-confirm")
                } else {
                    text!(language, "command-mailed-before")
                }
            }
        };
        let lines: Vec<String> = told.lines().map(|line| folded(line, "        ")).collect();
        Some(format!("{}\n{}", indented(word_of(command)), lines.join("\n")))
    }

    /// The page of the list, if the directory shows it to everybody.
    fn page(&self, tx: &impl Read, by: &OpContext) -> Result<Option<String>, StoreError> {
        let links = by.mail_context.links.of(tx, self.account.id)?;
        let name = self.list.name.as_str();
        let is_shown = directory::find(tx, self.account, name, &Reader::default())?.is_some();
        Ok(links.list(self.list).filter(|_| is_shown))
    }

    /// What can be asked.
    fn help(&self, tx: &impl Read, page: Option<&str>) -> Result<String, StoreError> {
        let (language, list) = (self.language(), self.list);
        let domain = domains::main_domain(tx, self.account.id)?.name;
        let at = |local: &str| format!("{local}@{domain}");
        let is_open = |subscriptions| subscriptions != Subscriptions::Closed;
        let request = at(&local_of(list, "request"));
        let mut help = text!(language, "command-help", list = list.title(), address = request);
        help.push_str("\n\n");
        let mut line = |command: &str, words: String| {
            // Writing into a String cannot fail.
            let _ = writeln!(help, "    {command:<COMMAND_CHARS$}{words}");
        };
        line("help", text!(language, "command-help-help"));
        if is_open(subscriptions(self.account, list)) {
            line("subscribe", text!(language, "command-help-subscribe"));
            line("subscribe digest", text!(language, "command-help-subscribe-digest"));
        }
        if is_open(unsubscriptions(self.account, list)) {
            line("unsubscribe", text!(language, "command-help-unsubscribe"));
        }
        line("digest on", text!(language, "command-help-digest-on"));
        line("digest off", text!(language, "command-help-digest-off"));
        line("pause", text!(language, "command-help-pause"));
        line("resume", text!(language, "command-help-resume"));
        line("which", text!(language, "command-help-which"));
        help.push('\n');
        help.push_str(&text!(language, "command-help-end", owner = at(&owner_local(list))));
        if let Some(page) = page {
            help.extend(["\n\n", &text!(language, "command-help-page"), "\n\n", &indented(page)]);
        }
        Ok(help)
    }
}

/// A command as it is written.
fn word_of(command: Command) -> &'static str {
    match command {
        Command::Help => "help",
        Command::Subscribe { digest: Some(true) } => "subscribe digest",
        Command::Subscribe { .. } => "subscribe",
        Command::Unsubscribe => "unsubscribe",
        Command::Digest { digest: true } => "digest on",
        Command::Digest { digest: false } => "digest off",
        Command::Pause => "pause",
        Command::Resume => "resume",
        Command::Which => "which",
    }
}

/// A line of text in as many lines as every mail program shows whole, each behind `indent`.
pub(super) fn folded(line: &str, indent: &str) -> String {
    let mut lines: Vec<String> = Vec::new();
    for word in line.split(' ') {
        let length = word.chars().count();
        match lines.last_mut().filter(|line| line.chars().count() + 1 + length <= LINE_CHARS_MAX) {
            Some(line) => line.extend([" ", word]),
            None => lines.push(format!("{indent}{word}")),
        }
    }
    lines.join("\n")
}
