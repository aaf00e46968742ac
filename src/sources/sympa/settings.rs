//! The settings of a list of Sympa, and what each becomes here, after its list of parameters.

use serde_json::Value;

use super::config::{self, Paragraph};
use super::scenarios::{self, Become, Posts, Send};
use super::texts;
use crate::model::EmailAddress;
use crate::model::account::Subscriptions;
use crate::model::list::{Memberview, MessageRejections, Moderate, OriginalSenderMode, WhoWrites};
use crate::sources::folder::Folder;
use crate::sources::mapping::{Mapping, kilobytes, one_line};
use crate::sources::{OWN_ADDRESS, SourceAdministrator, SourceRole};

/// Most addresses that a list refuses.
const BANNED_MAX: usize = 10_000;
/// Files with addresses whose posts are refused.
const BLOCKED: [&str; 2] = ["blocklist.txt", "blacklist.txt"];
/// What is done with the settings of data sources.
const SOURCES: &str =
    "members are those of now; crier import contacts --sync keeps a list in step with a file";
/// What is done with the rights of owners and moderators.
const RIGHTS: &str = "administrators of this server have rights of their own";

/// How a parameter is treated.
#[derive(Debug, Clone, Copy)]
enum Treatment {
    /// By code of its own below, or with the people.
    Read,
    /// This server has no need of it.
    Unneeded,
    /// It has no place here; what is done in its place. Its value is not shown: it may have passwords.
    Instead(&'static str),
}

use Treatment::{Instead, Read, Unneeded};

/// Every parameter of a list.
const PARAMETERS: &[(&str, Treatment)] = &[
    ("subject", Read),
    ("visibility", Read),
    ("owner", Read),
    ("editor", Read),
    ("host", Read),
    ("status", Read),
    ("send", Read),
    ("subscribe", Read),
    ("unsubscribe", Read),
    ("review", Read),
    ("reply_to_header", Read),
    ("reply_to", Read),
    ("forced_reply_to", Read),
    ("custom_subject", Read),
    ("max_size", Read),
    ("anonymous_sender", Read),
    ("process_archive", Read),
    ("web_archive", Read),
    ("archive", Read),
    ("web_archive_spam_protection", Read),
    ("reject_mail_from_automates_feature", Read),
    ("digest", Instead("digests come once a day")),
    ("digest_max_size", Instead("digests come once a day")),
    ("delivery_time", Instead("mail is sent when it comes")),
    ("topics", Instead("lists have no topics here")),
    ("lang", Instead("pages and mails come in the language of each reader")),
    ("msg_topic", Instead("the mails of a list have no topics")),
    ("msg_topic_keywords_apply_on", Unneeded),
    ("msg_topic_tagging", Unneeded),
    ("custom_header", Instead("no fields are added to messages here")),
    ("remove_headers", Instead("this server takes away the header fields that it replaces")),
    ("remove_outgoing_headers", Instead("this server takes away the header fields that it replaces")),
    ("anonymous_header_fields", Unneeded),
    ("default_user_options", Instead("new members get each mail")),
    ("available_user_options", Instead("members may choose digests, and may pause")),
    ("default_owner_options", Unneeded),
    ("default_editor_options", Unneeded),
    ("footer_type", Unneeded),
    ("personalization_feature", Instead("merge_tags_enabled does the like")),
    ("merge_feature", Instead("merge_tags_enabled does the like")),
    ("personalization", Unneeded),
    ("message_hook", Instead("no program of your own changes messages here")),
    ("max_list_members", Instead("the account has a limit of contacts")),
    ("info", Unneeded),
    ("add", Instead(RIGHTS)),
    ("del", Instead(RIGHTS)),
    ("invite", Instead(RIGHTS)),
    ("remind", Unneeded),
    ("move_user", Unneeded),
    ("shared_doc", Instead("its documents stay there")),
    ("custom_attribute", Instead("custom fields of the account: crier field add")),
    ("custom_vars", Unneeded),
    ("pictures_feature", Unneeded),
    ("loop_prevention_regex", Unneeded),
    ("custom_archiver", Unneeded),
    ("archive_crypted_msg", Unneeded),
    ("ignore_x_no_archive_header_feature", Unneeded),
    ("inclusion_notification_feature", Unneeded),
    ("member_include", Instead(SOURCES)),
    ("owner_include", Instead("administrators are those of now")),
    ("editor_include", Instead("administrators are those of now")),
    ("include_file", Instead(SOURCES)),
    ("include_remote_file", Instead(SOURCES)),
    ("include_list", Instead(SOURCES)),
    ("include_sympa_list", Instead(SOURCES)),
    ("include_remote_sympa_list", Instead(SOURCES)),
    ("include_ldap_query", Instead(SOURCES)),
    ("include_ldap_2level_query", Instead(SOURCES)),
    ("include_sql_query", Instead(SOURCES)),
    ("include_admin", Instead(SOURCES)),
    ("include_voot_group", Instead(SOURCES)),
    ("include_ldap_ca", Unneeded),
    ("include_ldap_2level_ca", Unneeded),
    ("include_sql_ca", Unneeded),
    ("user_data_source", Unneeded),
    ("ttl", Unneeded),
    ("distribution_ttl", Unneeded),
    ("sql_fetch_timeout", Unneeded),
    ("rfc2369_header_fields", Unneeded),
    ("urlize_min_size", Unneeded),
    ("allowed_external_origin", Unneeded),
    ("priority", Unneeded),
    ("sympa_priority", Unneeded),
    ("bounce", Unneeded),
    ("bouncers_level1", Unneeded),
    ("bouncers_level2", Unneeded),
    ("verp_rate", Unneeded),
    ("tracking", Unneeded),
    ("welcome_return_path", Unneeded),
    ("remind_return_path", Unneeded),
    ("remind_task", Unneeded),
    ("expire_task", Unneeded),
    ("clean_delay_queuemod", Unneeded),
    ("dkim_feature", Unneeded),
    ("dkim_parameters", Unneeded),
    ("dkim_signature_apply_on", Unneeded),
    ("arc_feature", Unneeded),
    ("arc_parameters", Unneeded),
    ("dmarc_protection", Unneeded),
    ("spam_status", Unneeded),
    ("use_blacklist", Unneeded),
    ("use_blocklist", Unneeded),
    ("account", Unneeded),
    ("family_name", Instead("lists belong to no family here")),
    ("family_signoff", Unneeded),
    ("latest_instantiation", Unneeded),
    ("cookie", Unneeded),
    ("creation", Unneeded),
    ("update", Unneeded),
    ("serial", Unneeded),
];

/// What is known of a list beside its settings.
#[derive(Debug, Clone, Copy)]
pub(super) struct ListFacts<'a> {
    pub(super) name: &'a str,
    pub(super) administrators: &'a [SourceAdministrator],
    /// How many members do not want to be seen by others.
    pub(super) concealed: u64,
}

/// Whether a list runs: Sympa writes the people of no other.
pub(super) fn is_open(config: &[Paragraph]) -> bool {
    config::value(config, "status").is_none_or(|status| status == "open")
}

/// Reads all settings.
///
/// # Errors
/// In words, if a file cannot be read.
pub(super) fn read(
    folder: &Folder,
    config: &[Paragraph],
    list: &ListFacts<'_>,
    mapping: &mut Mapping,
) -> Result<(), String> {
    for paragraph in config {
        let name = paragraph.name.as_str();
        match PARAMETERS.iter().find(|(known, _)| *known == name) {
            Some((_, Read)) => {}
            Some((_, Unneeded)) => mapping.row(name, "", "this server does without"),
            Some((_, Instead(instead))) => mapping.leave(name, "", instead),
            None => mapping.leave(name, "", "this setting is not known here"),
        }
    }
    if let Some(subject) = config::value(config, "subject").map(one_line).filter(|text| !text.is_empty()) {
        mapping.set("subject", &subject, "description", subject.as_str());
    }
    let own = folder.folder("scenari").map_or(Ok(Vec::new()), |own| own.files())?;
    let scenarios = Scenarios { config, own };
    joining(&scenarios, list, mapping);
    posting(&scenarios, list, mapping);
    blocked(folder, mapping)?;
    content(config, list, mapping);
    archive(&scenarios, mapping);
    if !is_open(config) {
        let status = config::value(config, "status").unwrap_or_default();
        mapping.set("status", status, "subscriptions", Subscriptions::Closed.word());
        let bits = mapping.settings.get("moderate").and_then(Value::as_u64).unwrap_or_default();
        mapping.set("status", status, "moderate", bits | u64::from(Moderate::HOLD_ALL));
        mapping.behind(&format!("status {status}"), 0, "nobody joins, and every message is held");
    }
    Ok(())
}

/// The scenarios that the settings name.
struct Scenarios<'a> {
    config: &'a [Paragraph],
    /// The scenarios that somebody wrote for this list, as `send.private`.
    own: Vec<String>,
}

impl<'a> Scenarios<'a> {
    /// The scenario for an action; `None` if the list says nothing of it.
    fn named(&self, action: &str) -> Option<&'a str> {
        self.config.iter().find(|paragraph| paragraph.name == action).map(|paragraph| {
            if paragraph.value.is_empty() {
                paragraph.get("name").unwrap_or_default()
            } else {
                &paragraph.value
            }
        })
    }

    /// What the scenario for an action becomes; `default` is Sympa's own, and `least` what opens least.
    fn read<T: Copy>(
        &self,
        action: &str,
        (named, default): (Option<&str>, &str),
        known: impl Fn(&str) -> Option<Become<T>>,
        least: T,
        mapping: &mut Mapping,
    ) -> (T, String) {
        let scenario = scenario(named.unwrap_or(default));
        if named.is_none() {
            let what = format!("{action} is not set for the list");
            mapping.behind(&what, 0, "Sympa's own default is taken; your server may have another");
        }
        let is_own = self.own.contains(&format!("{action}.{scenario}"));
        match known(&scenario).filter(|_| !is_own) {
            Some((becomes, "")) => (becomes, scenario),
            Some((becomes, instead)) => {
                mapping.behind(&format!("{action} {scenario}"), 0, instead);
                (becomes, scenario)
            }
            None => {
                let instead = "this scenario is not known here, and becomes what opens least";
                mapping.behind(&format!("{action} {}", one_line(&scenario)), 0, instead);
                (least, scenario)
            }
        }
    }
}

/// The name of a scenario: `open,notify` is one of today's `open_notify`.
fn scenario(value: &str) -> String {
    value.split_whitespace().next().unwrap_or_default().replace(',', "_")
}

fn joining(scenarios: &Scenarios<'_>, list: &ListFacts<'_>, mapping: &mut Mapping) {
    let named = |action| scenarios.named(action);
    let (joins, name) = scenarios.read(
        "subscribe",
        (named("subscribe"), "open"),
        scenarios::subscribe,
        Subscriptions::OpenConfirm,
        mapping,
    );
    mapping.set("subscribe", &name, "subscriptions", joins.word());
    let (leaves, name) = scenarios.read(
        "unsubscribe",
        (named("unsubscribe"), "open"),
        scenarios::unsubscribe,
        Subscriptions::Open,
        mapping,
    );
    mapping.set("unsubscribe", &name, "unsubscriptions", leaves.word());
    let (sees, name) = scenarios.read("review", (named("review"), "owner"), scenarios::review, None, mapping);
    if sees.is_some() && 0 < list.concealed {
        let instead = "members do not see each other, since nobody can hide from the others alone";
        mapping.behind("members who conceal themselves", list.concealed, instead);
    }
    let sees = sees.filter(|_| list.concealed == 0).map_or("", Memberview::word);
    mapping.set("review", &name, "memberview", sees);
    let (is_hidden, name) =
        scenarios.read("visibility", (named("visibility"), "conceal"), scenarios::visibility, true, mapping);
    mapping.set("visibility", &name, "archive_index_noshow", is_hidden);
}

/// Who may post.
fn posting(scenarios: &Scenarios<'_>, list: &ListFacts<'_>, mapping: &mut Mapping) {
    let known = |name: &str| scenarios::send(name).map(|send| (send, send.instead));
    let least = scenarios::SEND_UNKNOWN;
    let (send, name) = scenarios.read("send", (scenarios.named("send"), "private"), known, least, mapping);
    let Send { posts, holds, others, held, instead: _ } = send;
    let of_role = |role: Option<SourceRole>| -> Vec<Value> {
        let wanted = list.administrators.iter().filter(|who| role.is_none_or(|role| who.role == role));
        wanted.map(|who| Value::from(who.email.as_str())).collect()
    };
    let moderators = of_role(Some(SourceRole::Moderator));
    let allowed = match posts {
        Posts::All | Posts::Members | Posts::Nobody => Vec::new(),
        Posts::MembersAndAdministrators => of_role(None),
        // Where nobody is a moderator, owners are.
        Posts::Moderators if moderators.is_empty() => of_role(Some(SourceRole::Owner)),
        Posts::Moderators => moderators,
        Posts::Owners => of_role(Some(SourceRole::Owner)),
    };
    let who = match posts {
        Posts::All => WhoWrites::Everybody,
        Posts::Members => WhoWrites::Members,
        Posts::MembersAndAdministrators if allowed.is_empty() => WhoWrites::Members,
        Posts::MembersAndAdministrators => WhoWrites::MembersAndAddresses,
        Posts::Moderators | Posts::Owners if allowed.is_empty() => WhoWrites::Moderators,
        Posts::Moderators | Posts::Owners => WhoWrites::Addresses,
        Posts::Nobody => WhoWrites::Moderators,
    };
    let bits = Moderate::of(who, false).bits() | if holds { Moderate::HOLD_ALL } else { 0 };
    mapping.set("send", &name, "moderate", bits);
    if !allowed.is_empty() {
        mapping.set("send", &name, "restrict_post_allowed_emails", allowed);
    }
    mapping.set("send", &name, "message_rejections", others.word());
    mapping.set("send", &name, "send_reject_message", others == MessageRejections::Reject);
    if !held.is_empty() {
        mapping.set("send", &name, "taboo_headers", held.to_vec());
    }
    let holds_machines = config::value(scenarios.config, "reject_mail_from_automates_feature") != Some("off");
    let setting = if holds_machines { "on" } else { "off" };
    mapping.set("reject_mail_from_automates_feature", setting, "hold_automated", holds_machines);
}

/// The addresses whose posts are refused; patterns among them are named.
fn blocked(folder: &Folder, mapping: &mut Mapping) -> Result<(), String> {
    let Some(filters) = folder.folder("search_filters") else { return Ok(()) };
    let mut banned: Vec<Value> = Vec::new();
    for name in BLOCKED {
        let text = filters.text(name)?.unwrap_or_default();
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
        for line in lines {
            match EmailAddress::parse(line).ok().filter(|_| !line.contains('*')) {
                Some(address) if banned.len() < BANNED_MAX => {
                    let address = Value::from(address.as_str());
                    if !banned.contains(&address) {
                        banned.push(address);
                    }
                }
                Some(_) => mapping.behind(name, 1, "it has too many addresses; the first ones are taken"),
                None => mapping.leave(name, line, "addresses are refused here, and no patterns of them"),
            }
        }
    }
    if !banned.is_empty() {
        let count = format!("{} addresses", banned.len());
        mapping.set("blocklist", &count, "restrict_post_banned_emails", banned);
        let bits = mapping.settings.get("moderate").and_then(Value::as_u64).unwrap_or_default();
        mapping.set("blocklist", &count, "moderate", bits | u64::from(Moderate::BANNED_EMAILS));
    }
    Ok(())
}

/// What is put into messages, and how large they may be.
fn content(config: &[Paragraph], list: &ListFacts<'_>, mapping: &mut Mapping) {
    if let Some(tag) = config::value(config, "custom_subject").filter(|tag| !tag.is_empty()) {
        prefix(tag, list, mapping);
    }
    let size = config::value(config, "max_size").unwrap_or("5242880");
    match size.trim().parse::<u64>() {
        Ok(bytes) if 0 < bytes => {
            let (kilobytes, is_beyond) = kilobytes(bytes);
            mapping.set("max_size", size, "maxlength", kilobytes);
            if is_beyond {
                mapping.behind("max_size", 0, "no message can be larger here than 51200 KB");
            }
        }
        _ => mapping.leave("max_size", size, "this is no size; messages may have 4096 KB"),
    }
    replies(config, mapping);
    if let Some(sender) = config::value(config, "anonymous_sender").filter(|sender| !sender.is_empty()) {
        mapping.set("anonymous_sender", sender, "rewrite_sender", true);
        let hides = OriginalSenderMode::Hide.word();
        mapping.set("anonymous_sender", sender, "original_sender_mode", hides);
    }
}

/// The tag of subjects: Sympa puts it in brackets. The number of the message has no like here.
fn prefix(tag: &str, list: &ListFacts<'_>, mapping: &mut Mapping) {
    let (template, unknown) = texts::template(&one_line(tag));
    // The prefix is no template here.
    let words = template.replace("${LIST}", list.name).replace("$$", "$");
    let words = words.trim().trim_start_matches('[').trim_end_matches(']').trim().to_owned();
    for variable in unknown {
        mapping.behind(&format!("custom_subject: [% {variable} %]"), 0, "nothing stands in its place");
    }
    if words.is_empty() {
        return mapping.leave("custom_subject", tag, "subjects have no tag");
    }
    mapping.set("custom_subject", tag, "subject_prefix", one_line(&format!("[{words}]")));
}

/// Where replies go.
fn replies(config: &[Paragraph], mapping: &mut Mapping) {
    let header = config::find(config, "reply_to_header");
    let earlier = config::value(config, "forced_reply_to").or_else(|| config::value(config, "reply_to"));
    let value = header.and_then(|header| header.get("value")).or(earlier).unwrap_or("sender");
    let other = header.and_then(|header| header.get("other_email")).unwrap_or(value);
    match value {
        "sender" => mapping.row("reply_to_header", value, "replies go to the sender"),
        "list" | "all" => {
            mapping.set("reply_to_header", value, "reply_to", OWN_ADDRESS);
            if value == "all" {
                mapping.behind("reply_to_header all", 0, "replies go to the list");
            }
        }
        _ => match EmailAddress::parse(other) {
            Ok(address) => mapping.set("reply_to_header", other, "reply_to", address.as_str()),
            Err(_) => mapping.leave("reply_to_header", other, "replies go to the sender"),
        },
    }
}

/// Whether there is an archive, and who reads it.
fn archive(scenarios: &Scenarios<'_>, mapping: &mut Mapping) {
    let paragraph = |name: &str, key: &str| {
        let found = scenarios.config.iter().find(|paragraph| paragraph.name == name);
        found.and_then(|paragraph| paragraph.get(key))
    };
    let access = paragraph("archive", "web_access").or_else(|| paragraph("web_archive", "access"));
    // Before 6.2 a list had an archive if it had one of these paragraphs.
    let keeps = match config::value(scenarios.config, "process_archive") {
        Some(value) => value == "on",
        None => access.is_some() || paragraph("archive", "period").is_some(),
    };
    mapping.set("process_archive", if keeps { "on" } else { "off" }, "archive_enabled", keeps);
    let least = (false, false);
    let named = access.or((!keeps).then_some("closed"));
    let ((all_read, members_read), name) =
        scenarios.read("archive_web_access", (named, "closed"), scenarios::archive, least, mapping);
    mapping.set("archive.web_access", &name, "archive_protected", !all_read);
    mapping.set("archive.web_access", &name, "archive_memberview", members_read);
    let protection = config::value(scenarios.config, "web_archive_spam_protection").unwrap_or("cookie");
    mapping.set("web_archive_spam_protection", protection, "archive_spammode", protection != "none");
}
