//! Lists of Mailman 3, as its REST API tells of them (`remote::mailman3` reads it): settings become ours by a table, and
//! what has no place here is named.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{SourceAdministrator, SourceList, SourcePerson, SourceRole, SourceStanding};

/// An object of the API.
pub type Object = Map<String, Value>;

/// Senders that a list may have by name, of each kind.
const SENDERS_MAX: usize = 10_000;
/// Patterns of headers that a list may have, and their longest.
const PATTERNS_MAX: usize = 100;
const PATTERN_CHARS_MAX: usize = 1000;
/// Smallest and largest size of messages, in KB.
const MAXLENGTH_KB: (u64, u64) = (1, 51_200);

/// What was read of a list.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Found {
    /// Its settings.
    pub config: Object,
    /// Its members.
    pub members: Vec<FoundMember>,
    /// Who runs it.
    pub owners: Vec<Object>,
    /// Who decides on messages and requests.
    pub moderators: Vec<Object>,
    /// Senders who are no members, with what is done with their posts.
    pub nonmembers: Vec<Object>,
    /// Addresses and patterns that may not join or post.
    pub bans: Vec<Object>,
    /// Patterns of headers.
    pub header_matches: Vec<Object>,
    /// Who asked to join or leave.
    pub requests: Vec<Object>,
    /// Names of texts that the list has of its own.
    pub templates: Vec<String>,
    /// Messages that wait for a decision.
    pub held: u64,
}

/// A member with the preferences of the membership.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct FoundMember {
    /// The membership.
    pub member: Object,
    /// Its preferences; those that are not there have their default.
    pub preferences: Object,
}

/// What a value of a setting becomes: fields with their values.
type Choices = &'static [(&'static str, &'static [(&'static str, &'static str)])];

/// Settings with few values, by their names in Mailman 3. Fields that are `true` or `false` here are so there.
const CHOICES: &[(&str, Choices)] = &[
    (
        "subscription_policy",
        &[
            ("open", &[("subscriptions", "open")]),
            ("confirm", &[("subscriptions", "open")]),
            ("moderate", &[("subscriptions", "open+confirm")]),
            ("confirm_then_moderate", &[("subscriptions", "open+confirm")]),
        ],
    ),
    (
        "unsubscription_policy",
        &[
            ("open", &[("unsubscriptions", "open")]),
            ("confirm", &[("unsubscriptions", "open")]),
            ("moderate", &[("unsubscriptions", "open+confirm")]),
            ("confirm_then_moderate", &[("unsubscriptions", "open+confirm")]),
        ],
    ),
    (
        "archive_policy",
        &[
            ("never", &[("archive_enabled", "false")]),
            (
                "private",
                &[("archive_enabled", "true"), ("archive_protected", "true"), ("archive_memberview", "true")],
            ),
            ("public", &[("archive_enabled", "true"), ("archive_protected", "false")]),
        ],
    ),
    (
        "advertised",
        &[("true", &[("archive_index_noshow", "false")]), ("false", &[("archive_index_noshow", "true")])],
    ),
    ("anonymous_list", &[("true", &[("rewrite_sender", "true"), ("original_sender_mode", "hide")])]),
    ("dmarc_mitigate_unconditionally", &[("true", &[("rewrite_sender", "true")])]),
    (
        "member_roster_visibility",
        &[
            ("moderators", &[("memberview", "")]),
            ("members", &[("memberview", "withemail")]),
            ("public", &[("memberview", "withemail")]),
        ],
    ),
    (
        "respond_to_post_requests",
        &[("true", &[("send_hold_message", "true")]), ("false", &[("send_hold_message", "false")])],
    ),
    (
        "admin_immed_notify",
        &[("true", &[("notify_approval", "each")]), ("false", &[("notify_approval", "daily")])],
    ),
];

/// Settings that have an effect there, and none here, with the values that have none there.
const WITHOUT: &[(&str, &[&str], &str)] = &[
    ("filter_content", &["false"], "attachments stay in messages"),
    ("convert_html_to_plaintext", &["false"], "messages keep their HTML"),
    ("autorespond_owner", &["none"], "mail to owners is not answered"),
    ("autorespond_postings", &["none"], "posts are not answered"),
    ("autorespond_requests", &["none"], "requests are answered by the server's own texts"),
    ("digests_enabled", &["true"], "members may take digests"),
    ("gateway_to_news", &["false"], "there is no gateway to news groups"),
    ("gateway_to_mail", &["false"], "there is no gateway to news groups"),
    ("send_goodbye_message", &["true", "false"], "no text is sent to whoever leaves"),
];

/// The list of what was read.
#[must_use]
pub fn list_of(found: &Found) -> SourceList {
    let config = &found.config;
    let mut list = SourceList {
        program: "Mailman 3",
        name: text(config, "list_name"),
        domain: text(config, "mail_host").to_lowercase(),
        ..SourceList::default()
    };
    people(found, &mut list);
    texts(config, &mut list);
    choices(config, &mut list);
    rules(found, &mut list);
    patterns(found, &mut list);
    administrators(found, &mut list);
    rest(found, &mut list);
    list
}

/// A member of an object as text; true, false and numbers as they are written.
fn text(object: &Object, name: &str) -> String {
    match object.get(name) {
        None | Some(Value::Null) => String::new(),
        Some(Value::String(text)) => text.clone(),
        Some(value) => value.to_string(),
    }
}

fn line(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .chars()
        .filter(|c| !c.is_control())
        .take(200)
        .collect()
}

fn people(found: &Found, list: &mut SourceList) {
    let (mut digests, mut hidden, mut own) = (0, 0, 0);
    for FoundMember { member, preferences } in &found.members {
        let mode = text(member, "delivery_mode");
        let is_digest = mode.ends_with("_digests");
        digests += u64::from(is_digest && mode != "mime_digests");
        hidden += u64::from(text(preferences, "hide_address") == "true");
        own += u64::from(text(preferences, "receive_own_postings") == "false");
        let standing = match text(preferences, "delivery_status").as_str() {
            "" | "enabled" | "unknown" => SourceStanding::Active,
            "by_bounces" => SourceStanding::Bouncing { since: None },
            _ => SourceStanding::Paused,
        };
        list.people.push(SourcePerson {
            address: text(member, "email"),
            name: text(member, "display_name"),
            digest: is_digest.then_some(true),
            standing,
            joined: None,
        });
    }
    list.leave_behind_some("members who take digests of another form", digests, "digests have text and HTML");
    list.leave_behind_some(
        "members who do not get their own posts",
        own,
        "everybody gets a copy of an own post",
    );
    list.leave_behind_some(
        "members who are not shown in the list of members",
        hidden,
        "members do not see each other on this list",
    );
    if 0 < hidden {
        list.settings.insert("memberview".to_owned(), json!(""));
    }
    for request in &found.requests {
        let email = text(request, "email");
        if text(request, "type") != "unsubscription" && !email.is_empty() {
            let name = text(request, "display_name");
            let standing = SourceStanding::Unconfirmed;
            list.people.push(SourcePerson { address: email, name, standing, ..SourcePerson::default() });
        }
    }
}

fn texts(config: &Object, list: &mut SourceList) {
    let mut set = |from: &str, field: &str, value: Value| {
        let shown = line(&text(config, from));
        list.map(from, &shown, &format!("{field}: {}", line(value.as_str().unwrap_or(&value.to_string()))));
        list.settings.insert(field.to_owned(), value);
    };
    set("description", "description", json!(line(&text(config, "description"))));
    set("info", "notes", json!(text(config, "info")));
    set("subject_prefix", "subject_prefix", json!(text(config, "subject_prefix").trim()));
    let size = config.get("max_message_size").and_then(Value::as_u64).unwrap_or_default();
    let (least, most) = MAXLENGTH_KB;
    // 0 means no limit there.
    set("max_message_size", "maxlength", json!(if size == 0 { most } else { size.clamp(least, most) }));
    let reply_to = match text(config, "reply_goes_to_list").as_str() {
        "point_to_list" => Value::from(text(config, "fqdn_listname")),
        "explicit_header" | "explicit_header_only" => Value::from(text(config, "reply_to_address")),
        _ => Value::Null,
    };
    set("reply_goes_to_list", "reply_to", if reply_to == "" { Value::Null } else { reply_to });
}

fn choices(config: &Object, list: &mut SourceList) {
    for (name, choices) in CHOICES {
        let value = text(config, name);
        let Some((_, fields)) = choices.iter().find(|(known, _)| *known == value) else { continue };
        for (field, to) in *fields {
            let to = match *to {
                "true" => Value::from(true),
                "false" => Value::from(false),
                word => Value::from(word),
            };
            list.map(name, &value, &format!("{field}: {to}"));
            // Somebody who is hidden there is not shown here, whoever else may be.
            if *field != "memberview" || !list.settings.contains_key("memberview") {
                list.settings.insert((*field).to_owned(), to);
            }
        }
    }
    for (name, without, instead) in WITHOUT {
        let value = text(config, name);
        if !value.is_empty() && !without.contains(&value.as_str()) {
            list.map(name, &value, &format!("nothing: {instead}"));
            list.leave_behind(name, 0, instead);
        }
    }
}

/// The addresses of a setting, and how many patterns it has.
fn senders(config: &Object, name: &str) -> (Vec<String>, u64) {
    let texts: Vec<String> = match config.get(name) {
        Some(Value::Array(values)) => {
            values.iter().filter_map(Value::as_str).take(SENDERS_MAX).map(str::to_owned).collect()
        }
        _ => Vec::new(),
    };
    let (patterns, emails): (Vec<String>, Vec<String>) =
        texts.into_iter().partition(|text| text.starts_with(['^', '@']));
    (emails, patterns.len() as u64)
}

/// Sets who may post.
fn rules(found: &Found, list: &mut SourceList) {
    let config = &found.config;
    let (mut allowed, mut unclear) = senders(config, "accept_these_nonmembers");
    let mut banned = Vec::new();
    for name in ["reject_these_nonmembers", "discard_these_nonmembers"] {
        let (emails, patterns) = senders(config, name);
        banned.extend(emails);
        unclear += patterns;
    }
    for nonmember in &found.nonmembers {
        match text(nonmember, "moderation_action").as_str() {
            "accept" => allowed.push(text(nonmember, "email")),
            "reject" | "discard" => banned.push(text(nonmember, "email")),
            _ => {}
        }
    }
    for ban in &found.bans {
        let email = text(ban, "email");
        if email.starts_with('^') {
            unclear += 1;
        } else {
            banned.push(email.clone());
            list.kept_out.push(email);
        }
    }
    let moderated = found.members.iter().filter(|it| is_moderated(&it.member)).count() as u64;
    let default = text(config, "default_member_action");
    let is_announcing = ["hold", "reject", "discard"].contains(&default.as_str());
    let others = text(config, "default_nonmember_action");
    let (mut bits, action) = if is_announcing {
        let free =
            |it: &&FoundMember| ["accept", "defer"].contains(&text(&it.member, "moderation_action").as_str());
        allowed.extend(found.members.iter().filter(free).map(|it| text(&it.member, "email")));
        (if allowed.is_empty() { 1 } else { 2 | 8 }, default)
    } else {
        let members = if allowed.is_empty() { 2 | 4 } else { 2 | 4 | 8 };
        let is_open = others == "accept" || others == "defer";
        list.leave_behind_some(
            "members whose posts wait for approval",
            moderated,
            "they post like others; restrict_post_banned_emails refuses them",
        );
        (if is_open { 0 } else { members }, others)
    };
    if text(config, "emergency") == "true" {
        bits |= 1;
    }
    tidy(&mut allowed);
    tidy(&mut banned);
    bits |= if banned.is_empty() { 0 } else { 16 };
    let rejections = if ["reject", "discard"].contains(&action.as_str()) { action.as_str() } else { "hold" };
    list.map("who may post", &action, &format!("moderate: {bits}, message_rejections: {rejections}"));
    list.settings.insert("moderate".to_owned(), json!(bits));
    list.settings.insert("message_rejections".to_owned(), json!(rejections));
    for (field, emails) in
        [("restrict_post_allowed_emails", allowed), ("restrict_post_banned_emails", banned)]
    {
        if !emails.is_empty() {
            list.settings.insert(field.to_owned(), json!(emails));
        }
    }
    if 0 < unclear {
        let instead = "senders whom they mean are treated as all others";
        list.leave_behind("patterns of addresses that may or may not post or join", 0, instead);
    }
}

fn is_moderated(member: &Object) -> bool {
    ["hold", "reject", "discard"].contains(&text(member, "moderation_action").as_str())
}

fn tidy(emails: &mut Vec<String>) {
    emails.retain(|email| crate::model::EmailAddress::parse(email).is_ok());
    emails.sort();
    emails.dedup();
}

/// Patterns of headers hold messages here, whatever they do there, but for those that let messages through.
fn patterns(found: &Found, list: &mut SourceList) {
    let (mut taken, mut passed) = (Vec::new(), 0_u64);
    for rule in &found.header_matches {
        let (header, pattern) = (text(rule, "header"), text(rule, "pattern"));
        let is_name =
            !header.is_empty() && header.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
        let whole = format!("(?i)^{}:.*(?:{pattern})", header.replace('_', "-"));
        let fits = whole.chars().count() <= PATTERN_CHARS_MAX && taken.len() < PATTERNS_MAX;
        let is_refusing = !["accept", "defer"].contains(&text(rule, "action").as_str());
        if is_name && fits && is_refusing && super::is_pattern(&whole) {
            taken.push(whole);
        } else {
            passed += 1;
        }
    }
    if !taken.is_empty() {
        list.map(
            "header_matches",
            &format!("{} patterns", taken.len()),
            "taboo_headers, which hold messages",
        );
        list.settings.insert("taboo_headers".to_owned(), json!(taken));
    }
    if 0 < passed {
        let instead = "rules that let messages through, or that are no pattern here, have no effect";
        list.leave_behind("rules in header_matches", 0, instead);
    }
}

fn administrators(found: &Found, list: &mut SourceList) {
    let mut roles: BTreeMap<String, SourceAdministrator> = BTreeMap::new();
    let owners = found.owners.iter().map(|owner| (owner, SourceRole::Owner));
    for (object, role) in owners.chain(found.moderators.iter().map(|it| (it, SourceRole::Moderator))) {
        let (email, name) = (text(object, "email"), text(object, "display_name"));
        if !email.is_empty() {
            roles.entry(email.to_lowercase()).or_insert(SourceAdministrator { email, name, role });
        }
    }
    list.administrators = roles.into_values().collect();
}

fn rest(found: &Found, list: &mut SourceList) {
    let leaving = found.requests.iter().filter(|it| text(it, "type") == "unsubscription").count() as u64;
    list.leave_behind_some("members who asked to leave", leaving, "decide about them there before the move");
    list.leave_behind_some("held messages", found.held, "decide about them there, and run this once more");
    if !found.templates.is_empty() {
        let names: Vec<String> = found.templates.iter().map(|name| line(name)).collect();
        list.leave_behind(&format!("texts {}", names.join(", ")), 0, "set them here: crier list set --help");
    }
    list.leave_behind(
        "archive",
        0,
        "import its mailbox: crier import mbox, from HyperKitty or, better, Mailman's own",
    );
}

impl SourceList {
    fn leave_behind_some(&mut self, what: &str, people: u64, instead: &str) {
        if 0 < people {
            self.leave_behind(what, people, instead);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn object(value: Value) -> Object {
        let Value::Object(object) = value else { panic!("no object") };
        object
    }

    fn member(email: &str, mode: &str, preferences: Value) -> FoundMember {
        let member = object(json!({"email": email, "display_name": "", "delivery_mode": mode}));
        FoundMember { member, preferences: object(preferences) }
    }

    #[track_caller]
    fn check_setting(config: Value, field: &str, expected: &Value) {
        let list = list_of(&Found { config: object(config), ..Found::default() });
        assert_eq!(list.settings.get(field), Some(expected));
    }

    #[test]
    fn settings_become_fields() {
        check_setting(
            json!({"subscription_policy": "confirm_then_moderate"}),
            "subscriptions",
            &json!("open+confirm"),
        );
        check_setting(json!({"archive_policy": "private"}), "archive_protected", &json!(true));
        check_setting(json!({"max_message_size": 0}), "maxlength", &json!(51_200));
        check_setting(json!({"advertised": false}), "archive_index_noshow", &json!(true));
        check_setting(
            json!({"reply_goes_to_list": "point_to_list", "fqdn_listname": "a@x.org"}),
            "reply_to",
            &json!("a@x.org"),
        );
    }

    #[test]
    fn who_may_post_follows_the_default_actions() {
        check_setting(json!({"default_nonmember_action": "hold"}), "moderate", &json!(6));
        check_setting(json!({"default_nonmember_action": "accept"}), "moderate", &json!(0));
        check_setting(
            json!({"default_nonmember_action": "discard"}),
            "message_rejections",
            &json!("discard"),
        );
        check_setting(json!({"default_member_action": "hold"}), "moderate", &json!(1));
        check_setting(json!({"emergency": true, "default_nonmember_action": "hold"}), "moderate", &json!(7));
        check_setting(
            json!({"default_nonmember_action": "hold", "accept_these_nonmembers": ["a@x.org", "^b"]}),
            "moderate",
            &json!(14),
        );
    }

    #[test]
    fn nobody_becomes_a_member_who_only_asked() {
        let requests = vec![object(json!({"email": "wait@x.org", "type": "subscription"}))];
        let list = list_of(&Found { requests, ..Found::default() });
        assert_eq!(list.people[0].standing, SourceStanding::Unconfirmed);
    }

    #[test]
    fn members_keep_what_they_decided() {
        let members = vec![
            member("a@x.org", "regular", json!({})),
            member("b@x.org", "mime_digests", json!({"delivery_status": "by_user", "hide_address": true})),
            member("c@x.org", "plaintext_digests", json!({"delivery_status": "by_bounces"})),
        ];
        let list = list_of(&Found { members, ..Found::default() });
        let told: Vec<(Option<bool>, &SourceStanding)> =
            list.people.iter().map(|person| (person.digest, &person.standing)).collect();
        assert_eq!(
            told,
            [
                (None, &SourceStanding::Active),
                (Some(true), &SourceStanding::Paused),
                (Some(true), &SourceStanding::Bouncing { since: None }),
            ]
        );
        assert_eq!(list.settings["memberview"], json!(""));
    }

    #[test]
    fn a_ban_keeps_out_and_a_pattern_is_named() {
        let bans = vec![object(json!({"email": "bad@x.org"})), object(json!({"email": "^spam.*@x.org"}))];
        let list = list_of(&Found { bans, ..Found::default() });
        assert_eq!(list.kept_out, ["bad@x.org"]);
        assert!(list.left_behind.iter().any(|left| left.what.starts_with("patterns of addresses")));
    }
}
