//! Reads `control/access` of mlmmj: rules for header lines, of which the first that matches decides.
//!
//! Here a pattern for headers holds a message, and nothing lets one pass. So a rule that refuses becomes one that holds;
//! what cannot be said so never opens a list more than it was: then everything is held.

use crate::mail::pattern::PatternPair;
use crate::sources::mapping::Mapping;

/// Most rules that are read.
const RULES_MAX: usize = 1000;
/// Most patterns of a list here.
const PATTERNS_MAX: usize = 100;
/// Longest pattern here, in characters.
const PATTERN_CHARS_MAX: usize = 1000;
/// The name of the file.
const FILE: &str = "access";

/// What the rules become.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Access {
    /// Patterns that hold messages.
    pub(super) patterns: Vec<String>,
    /// Whether every message is held.
    pub(super) holds_all: bool,
}

/// What a rule does with a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Action {
    Pass,
    Deny,
    Discard,
    Moderate,
}

impl Action {
    fn parse(word: &str) -> Option<Action> {
        match word {
            "allow" | "send" => Some(Action::Pass),
            "deny" => Some(Action::Deny),
            "discard" => Some(Action::Discard),
            "moderate" => Some(Action::Moderate),
            _ => None,
        }
    }
}

/// Reads the rules.
pub(super) fn read(text: &str, mapping: &mut Mapping) -> Access {
    let mut access = Access::default();
    for (number, line) in text.lines().enumerate() {
        let rule = line.trim();
        if rule.is_empty() {
            continue;
        }
        if RULES_MAX <= number {
            hold_all(&mut access, mapping, rule, "too many rules: every message is held");
            break;
        }
        let (word, pattern) = rule.split_once([' ', '\t']).unwrap_or((rule, ""));
        let Some(action) = Action::parse(word) else {
            mapping.leave(FILE, rule, "this is no rule, and is passed over");
            continue;
        };
        let pattern = pattern.trim_start();
        if pattern.is_empty() {
            match action {
                Action::Pass => mapping.row(FILE, rule, "all others may post as the other settings say"),
                _ => last(&mut access, mapping, rule, action),
            }
            return access;
        }
        match action {
            Action::Pass => mapping.leave(FILE, rule, "no pattern lets a message pass here"),
            _ => holding(&mut access, mapping, rule, action, pattern),
        }
    }
    hold_all(&mut access, mapping, "no rule matches", "refused there; here every message is held");
    access
}

/// A rule for everything that no rule before it matched.
fn last(access: &mut Access, mapping: &mut Mapping, rule: &str, action: Action) {
    if action == Action::Moderate {
        access.holds_all = true;
        mapping.row(FILE, rule, "every message is held");
    } else {
        hold_all(access, mapping, rule, "refused there; here every message is held");
    }
}

fn holding(access: &mut Access, mapping: &mut Mapping, rule: &str, action: Action, pattern: &str) {
    if pattern.starts_with('!') {
        return hold_all(
            access,
            mapping,
            rule,
            "no pattern holds what it does not match: every message is held",
        );
    }
    let text = pattern.to_owned();
    let is_long = PATTERN_CHARS_MAX < text.chars().count() || PATTERNS_MAX <= access.patterns.len();
    let new = [text];
    let wrong = PatternPair::check(access.patterns.iter(), [("taboo_headers", new.as_slice())].into_iter());
    if is_long || !wrong.is_empty() {
        return hold_all(access, mapping, rule, "this pattern cannot be kept: every message is held");
    }
    access.patterns.extend(new);
    match action {
        Action::Moderate => mapping.row(FILE, rule, "taboo_headers: such messages are held"),
        _ => mapping.leave(FILE, rule, "refused there; here such messages are held (taboo_headers)"),
    }
}

fn hold_all(access: &mut Access, mapping: &mut Mapping, rule: &str, instead: &str) {
    access.holds_all = true;
    mapping.leave(FILE, rule, instead);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, patterns: &[&str], holds_all: bool, left: usize) {
        let mut mapping = Mapping::default();
        let access = read(text, &mut mapping);
        assert_eq!(
            (access.patterns.iter().map(String::as_str).collect::<Vec<_>>(), access.holds_all),
            (patterns.to_vec(), holds_all)
        );
        assert_eq!(mapping.left.len(), left, "{:?}", mapping.left);
    }

    #[test]
    fn an_empty_file_refuses_all_so_all_is_held() {
        check("", &[], true, 1);
        check("\n  \n", &[], true, 1);
    }

    #[test]
    fn rules_that_refuse_or_hold_become_patterns_that_hold() {
        check("moderate ^Subject:.*sale\nallow\n", &["^Subject:.*sale"], false, 0);
        check(
            "deny ^Subject:.*sale\r\ndiscard ^X-Spam: yes\nsend",
            &["^Subject:.*sale", "^X-Spam: yes"],
            false,
            2,
        );
    }

    #[test]
    fn what_stands_behind_a_rule_for_all_is_not_reached() {
        check("allow\ndeny ^From: a", &[], false, 0);
        check("moderate\nallow", &[], true, 0);
        check("deny\nallow", &[], true, 1);
    }

    #[test]
    fn a_rule_that_cannot_be_said_here_opens_nothing() {
        check("deny !^From: boss@example.org\nallow", &[], true, 1);
        check("allow ^From: Morten\n", &[], true, 2);
        check("deny (\nallow", &[], true, 1);
        check(&format!("deny {}\nallow", "x".repeat(1001)), &[], true, 1);
        check(&"deny ^X: y\n".repeat(101), &["^X: y"; 100], true, 3);
        check("frobnicate ^X\nallow", &[], false, 1);
    }
}
