//! The texts that Sympa puts below and above messages, and the description of a list.

use crate::sources::folder::Folder;
use crate::sources::mapping::{Mapping, literal};

/// Files with texts, and the fields that they become. Sympa takes the first of two names.
const TEXTS: &[(&[&str], &str)] = &[
    (&["message_footer", "message.footer"], "message_footer"),
    (&["message_header", "message.header"], "message_fronter"),
];
/// Files with texts that have no place here.
const LEFT: &[(&str, &str)] = &[
    ("message.footer.mime", "write it as message_footer_html"),
    ("message_footer.mime", "write it as message_footer_html"),
    ("message.header.mime", "write it as message_fronter_html"),
    ("message_header.mime", "write it as message_fronter_html"),
    ("message_global_footer", "put it into the footer of each list"),
    ("welcome.tpl", "write it as welcome_message"),
    ("bye.tpl", "this server writes its own"),
    ("removed.tpl", "this server writes its own"),
    ("reject.tpl", "write it as reject_message"),
    ("remind.tpl", "this server sends no reminders"),
    ("invite.tpl", "this server writes its own"),
    ("homepage", "the page of the list has its description"),
];
/// Folders that have no place here.
const FOLDERS: &[(&str, &str)] = &[
    ("mail_tt2", "the texts of this server are used; welcome_message and others can be set"),
    ("web_tt2", "the pages of this server are used"),
    ("scenari", "the list's own scenarios are not known here"),
    ("shared", "its documents stay there"),
    ("pictures", "the pictures of members stay there"),
    ("archives", "import the mails of the earlier form of archive as an mbox"),
];
/// Variables that have a like here; where both forms of a name are used, each is given.
const VARIABLES: &[(&str, &str)] = &[
    ("list.name", "${LIST}"),
    ("listname", "${LIST}"),
    ("list", "${LIST}"),
    ("list.address", "${LISTADDRESS}"),
    ("list_address", "${LISTADDRESS}"),
    ("list.subject", "${DESCRIPTION}"),
    ("user.email", "${EMAIL}"),
    ("user.gecos", "${NAME}"),
];

/// Reads the texts of a list.
pub(super) fn read(folder: &Folder, mapping: &mut Mapping) -> Result<(), String> {
    for (names, field) in TEXTS {
        let Some(name) = names.iter().find(|name| folder.has_file(name)) else { continue };
        let text = folder.text(name)?.unwrap_or_default();
        let (template, unknown) = template(&text);
        if template.is_empty() {
            continue;
        }
        mapping.set(name, &text, field, template.as_str());
        for variable in unknown {
            mapping.behind(&format!("{name}: [% {variable} %]"), 0, "nothing stands in its place");
        }
    }
    let info = folder.text("info")?.map(|text| text.trim().to_owned()).unwrap_or_default();
    if !info.is_empty() {
        mapping.set("info", &info, "notes", info.as_str());
    }
    for (name, instead) in LEFT.iter().filter(|(name, _)| folder.has_file(name)) {
        mapping.leave(name, "", instead);
    }
    for (name, instead) in FOLDERS {
        let has_files = folder.folder(name).is_some_and(|inner| {
            inner.files().is_ok_and(|files| !files.is_empty())
                || inner.folders().is_ok_and(|folders| !folders.is_empty())
        });
        if has_files {
            mapping.leave(name, "", instead);
        }
    }
    Ok(())
}

/// A text with Sympa's variables as a template of this server, and the variables that it has not.
pub(super) fn template(text: &str) -> (String, Vec<String>) {
    let mut unknown = Vec::new();
    let mut made = String::new();
    let escaped = literal(text);
    let mut rest = escaped.as_str();
    while let Some((before, behind)) = rest.split_once("[%") {
        made.push_str(before);
        let Some((inside, after)) = behind.split_once("%]") else {
            rest = &rest[before.len()..];
            break;
        };
        let variable = inside.trim_matches(|c: char| c == '-' || c.is_whitespace());
        match VARIABLES.iter().find(|(name, _)| *name == variable) {
            Some((_, ours)) => made.push_str(ours),
            None => unknown.push(variable.to_owned()),
        }
        rest = after;
    }
    made.push_str(rest);
    (made, unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_become_those_of_this_server_and_dollars_stay() {
        let (text, unknown) = template("$5 for [% list.name %]: [%- user.email -%]\n[% conf.title %]!\n");
        assert_eq!(text, "$$5 for ${LIST}: ${EMAIL}\n!");
        assert_eq!(unknown, ["conf.title"]);
        assert_eq!(template("a [% b").0, "a [% b");
    }
}
