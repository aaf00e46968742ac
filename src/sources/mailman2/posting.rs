//! Who may post to a list of Mailman 2, and what becomes of the posts of others.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use super::config::Config;
use crate::model::EmailAddress;
use crate::model::list::Moderate;
use crate::sources::{SourceList, SourceStanding};

/// Patterns of headers that a list may have, and their longest.
const PATTERNS_MAX: usize = 100;
const PATTERN_CHARS_MAX: usize = 1000;
/// What `header_filter_rules` do: let a message through.
const ACCEPT: i64 = 6;
/// Let a rule stand without effect.
const DEFER: i64 = 0;

/// Addresses, names of other lists, and patterns of a setting.
#[derive(Default)]
struct Senders {
    emails: Vec<String>,
    lists: Vec<String>,
    patterns: u64,
}

fn senders(config: &Config<'_>, name: &str) -> Senders {
    let mut found = Senders::default();
    for text in config.texts(name) {
        if text.starts_with('^') {
            found.patterns += 1;
        } else if let Some(list) = text.strip_prefix('@') {
            found.lists.push(list.to_owned());
        } else if EmailAddress::parse(&text).is_ok() {
            found.emails.push(text);
        }
    }
    found
}

/// Sets who may post. `moderated` are the addresses of members whose posts wait for approval.
pub(super) fn rules(config: &Config<'_>, list: &mut SourceList, moderated: &BTreeSet<String>) {
    let is_on = |name: &str| config.number(name).is_some_and(|number| number != 0);
    let accepted = senders(config, "accept_these_nonmembers");
    let mut allowed = accepted.emails;
    let is_announcing =
        is_on("default_member_moderation") || !moderated.is_empty() && moderated.len() == active(list);
    let nonmembers = config.number("generic_nonmember_action").unwrap_or(1);
    let mut others = vec![list.name.clone()];
    others.extend(accepted.lists.iter().map(|other| other.split('@').next().unwrap_or(other).to_owned()));
    let (bits, rejections) = if is_announcing {
        // Members write with approval, or not at all; those who are not moderated are the writers.
        let writers = list.people.iter().map(|person| person.address.clone());
        allowed.extend(writers.filter(|address| !moderated.contains(&address.trim().to_lowercase())));
        let rejections = match config.number("member_moderation_action") {
            Some(1) => "reject",
            Some(2) => "discard",
            _ => "hold",
        };
        let bits = Moderate::SPECIFIC_SENDERS | Moderate::ALLOWED_EMAILS;
        (if allowed.is_empty() { Moderate::HOLD_ALL } else { bits }, rejections)
    } else {
        tell_moderated(list, moderated);
        let rejections = match nonmembers {
            2 => "reject",
            3 => "discard",
            _ => "hold",
        };
        let members = Moderate::SPECIFIC_SENDERS | Moderate::LISTS;
        let with_others = if allowed.is_empty() { members } else { members | Moderate::ALLOWED_EMAILS };
        (if nonmembers == 0 { 0 } else { with_others }, rejections)
    };
    let bits = if is_on("emergency") { bits | Moderate::HOLD_ALL } else { bits };
    let banned = refused(config, list);
    let bits = if banned.is_empty() { bits } else { bits | Moderate::BANNED_EMAILS };
    set(list, "moderate", Json::from(bits));
    set(list, "message_rejections", Json::from(rejections));
    if !allowed.is_empty() {
        set(list, "restrict_post_allowed_emails", Json::from(allowed));
    }
    if !banned.is_empty() {
        set(list, "restrict_post_banned_emails", Json::from(banned));
    }
    if 1 < others.len() && bits & Moderate::LISTS != 0 {
        set(list, "restrict_post_lists", Json::from(others));
    }
    list.map(
        "who may post",
        "as these say together",
        &format!("moderate: {bits}, message_rejections: {rejections}"),
    );
    if 0 < accepted.patterns {
        list.leave_behind(
            "patterns in accept_these_nonmembers",
            0,
            "posts of senders whom they mean are treated as those of others",
        );
    }
    kept_out(config, list);
    patterns(config, list);
    visible(config, list);
}

fn set(list: &mut SourceList, field: &str, value: Json) {
    list.settings.insert(field.to_owned(), value);
}

fn active(list: &SourceList) -> usize {
    let is_member = |standing: &SourceStanding| {
        !matches!(standing, SourceStanding::OptedOut { .. } | SourceStanding::Unconfirmed)
    };
    list.people.iter().filter(|person| is_member(&person.standing)).count()
}

fn tell_moderated(list: &mut SourceList, moderated: &BTreeSet<String>) {
    if !moderated.is_empty() {
        list.leave_behind(
            "members whose posts wait for approval",
            moderated.len() as u64,
            "they post like others; restrict_post_banned_emails refuses them",
        );
    }
}

/// The addresses whose posts are refused or dropped.
fn refused(config: &Config<'_>, list: &mut SourceList) -> Vec<String> {
    let mut banned: Vec<String> = Vec::new();
    for name in ["reject_these_nonmembers", "discard_these_nonmembers"] {
        let Senders { emails, lists, patterns } = senders(config, name);
        banned.extend(emails);
        let rest = patterns + lists.len() as u64;
        if 0 < rest {
            let instead = "posts of senders whom they mean are treated as those of others";
            list.leave_behind(&format!("patterns and lists in {name}"), 0, instead);
        }
    }
    banned.sort();
    banned.dedup();
    let held = senders(config, "hold_these_nonmembers");
    let is_held = list_holds_others(config);
    if !is_held && 0 < held.patterns + (held.emails.len() + held.lists.len()) as u64 {
        let instead = "posts of these senders are treated as those of others";
        list.leave_behind("hold_these_nonmembers", 0, instead);
    }
    banned
}

fn list_holds_others(config: &Config<'_>) -> bool {
    config.number("generic_nonmember_action").unwrap_or(1) == 1
}

/// Addresses that must not become members, unless they are members.
fn kept_out(config: &Config<'_>, list: &mut SourceList) {
    let Senders { emails, lists: _, patterns } = senders(config, "ban_list");
    let members: BTreeSet<String> =
        list.people.iter().map(|person| person.address.trim().to_lowercase()).collect();
    list.kept_out = emails.into_iter().filter(|email| !members.contains(&email.to_lowercase())).collect();
    if 0 < patterns {
        let instead = "addresses that they mean may ask to join";
        list.leave_behind("patterns in ban_list", 0, instead);
    }
}

/// Patterns of headers that hold messages.
fn patterns(config: &Config<'_>, list: &mut SourceList) {
    let (mut taken, mut passed) = (Vec::new(), 0_u64);
    for rule in config.items("header_filter_rules") {
        let (texts, numbers) = config.fields(*rule);
        let action = numbers.get(1).copied().flatten().unwrap_or(DEFER);
        for pattern in texts.first().map(String::as_str).unwrap_or_default().lines().map(str::trim) {
            if pattern.is_empty() || action == DEFER {
                continue;
            }
            let fits = pattern.chars().count() <= PATTERN_CHARS_MAX && taken.len() < PATTERNS_MAX;
            let is_sound = crate::sources::is_pattern(pattern);
            if action == ACCEPT || !fits || !is_sound {
                passed += 1;
            } else {
                taken.push(pattern.to_owned());
            }
        }
    }
    if 0 < passed {
        let instead = "rules that let messages through, or that are no pattern here, have no effect";
        list.leave_behind("rules in header_filter_rules", 0, instead);
    }
    if !taken.is_empty() {
        list.map(
            "header_filter_rules",
            &format!("{} patterns", taken.len()),
            "taboo_headers, which hold messages",
        );
        set(list, "taboo_headers", Json::from(taken));
    }
}

/// Who sees the members: administrators alone, or members if nobody of them is concealed.
fn visible(config: &Config<'_>, list: &mut SourceList) {
    if config.number("private_roster") == Some(2) {
        set(list, "memberview", Json::from(""));
    }
}
