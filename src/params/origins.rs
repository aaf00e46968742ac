//! The services and programs whose exports of people are known by the names of their columns.
//!
//! A file of a known origin is read without flags: columns that have no place here are passed over, and the import tells
//! for how many people they say something. A file of no known origin must have columns that are all understood.

use super::decisions::Decision;
use super::pasted::fold;

/// The service or program from which a file comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// The members of a group of Google Groups.
    GoogleGroups,
    /// The members of a group of Groups.io, as CSV or as the JSON of its API.
    GroupsIo,
    /// Subscribers of listmonk.
    Listmonk,
    /// Subscribers of phpList.
    PhpList,
    /// An audience of Mailchimp.
    Mailchimp,
    /// Contacts of Keila.
    Keila,
    /// A list of Mailtrain.
    Mailtrain,
}

impl Origin {
    /// The origin of a file with columns of these names, if it is known.
    #[must_use]
    pub fn of(names: &[String]) -> Option<Origin> {
        let names: Vec<String> = names.iter().map(|name| fold(name)).collect();
        let has = |wanted: &str| names.iter().any(|name| name == wanted);
        let has_phplist = || names.iter().any(|name| phplist_question(name).is_some());
        match () {
            () if has("groupstatus") && (has("emailstatus") || has("emailpreference")) => {
                Some(Origin::GoogleGroups)
            }
            () if has("emaildelivery") && (has("modstatus") || has("poststatus") || has("userstatus")) => {
                Some(Origin::GroupsIo)
            }
            () if has("uuid") && (has("attributes") || has("attribs")) => Some(Origin::Listmonk),
            () if has_phplist() || has("listmembership") || has("bouncecount") && has("htmlemail") => {
                Some(Origin::PhpList)
            }
            () if has("memberrating") || has("leid") && has("euid") => Some(Origin::Mailchimp),
            () if has("data") && (has("externalid") || has("status") && has("lastname")) => {
                Some(Origin::Keila)
            }
            () if has("cid") && has("hashemail") => Some(Origin::Mailtrain),
            () => None,
        }
    }

    /// Its name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Origin::GoogleGroups => "Google Groups",
            Origin::GroupsIo => "Groups.io",
            Origin::Listmonk => "listmonk",
            Origin::PhpList => "phpList",
            Origin::Mailchimp => "Mailchimp",
            Origin::Keila => "Keila",
            Origin::Mailtrain => "Mailtrain",
        }
    }

    /// The meaning that a column has in files of this origin alone; `None` if it means what it does in others.
    pub(super) fn meaning(self, name: &str) -> Option<Meaning> {
        let folded = fold(name);
        match (self, folded.as_str()) {
            (Origin::GoogleGroups, "joinyear") => Some(Meaning::JoinedPart(0)),
            (Origin::GoogleGroups, "joinmonth") => Some(Meaning::JoinedPart(1)),
            (Origin::GoogleGroups, "joinday") => Some(Meaning::JoinedPart(2)),
            (Origin::GoogleGroups, "joinhour") => Some(Meaning::JoinedPart(3)),
            (Origin::GoogleGroups, "joinminute") => Some(Meaning::JoinedPart(4)),
            (Origin::GoogleGroups, "joinsecond") => Some(Meaning::JoinedPart(5)),
            (Origin::GoogleGroups, "postingpermissions") | (Origin::GroupsIo, "poststatus") => {
                Some(Meaning::Posting)
            }
            (Origin::GroupsIo, "created" | "joined" | "joindate" | "datejoined")
            | (Origin::Listmonk, "createdat")
            | (Origin::PhpList, "entered") => Some(Meaning::JoinedAt),
            (Origin::GroupsIo, "modstatus" | "moderatorstatus" | "role") => Some(Meaning::Role),
            (Origin::GroupsIo, "username" | "displayname") => Some(Meaning::OtherName),
            (Origin::Listmonk, "attribs") | (Origin::Keila, "data") => Some(Meaning::Attributes),
            // It says how somebody came to be confirmed, and nothing against mail.
            (Origin::PhpList, "optedin") => Some(Meaning::Nothing),
            // Mailtrain names fields by their tags, such as MERGE_FIRST_NAME.
            (Origin::Mailtrain, tag) => Some(Meaning::LikeNamed(tag.strip_prefix("merge")?.to_owned())),
            (Origin::PhpList, question) => phplist_question(question),
            _ => None,
        }
    }
}

/// What a column means in files of one origin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Meaning {
    /// When the person joined.
    JoinedAt,
    /// A part of that time, from the year to the second.
    JoinedPart(usize),
    /// Whether the person may post.
    Posting,
    /// The person's part in running the list.
    Role,
    /// A name for a person without a whole one.
    OtherName,
    /// An object in JSON with further fields.
    Attributes,
    /// What somebody decided.
    Decides(Decision),
    /// What a column of this name means in any file.
    LikeNamed(String),
    /// Nothing that has a place here.
    Nothing,
}

/// The decision in a column of phpList whose name is a question, such as `Is this user blacklisted`; `Nothing` if it
/// decides nothing, `None` if the name is no such question.
fn phplist_question(folded: &str) -> Option<Meaning> {
    let rest = ["isthe", "isthis", "didthis"].iter().find_map(|start| folded.strip_prefix(start))?;
    match () {
        () if rest.ends_with("manuallyconfirm") => Some(Meaning::Nothing),
        () if rest.ends_with("blacklisted") => Some(Meaning::Decides(Decision::OptedOut)),
        () if rest.ends_with("confirmed") => Some(Meaning::Decides(Decision::Confirmed)),
        () if rest.ends_with("disabled") => Some(Meaning::Decides(Decision::Disabled)),
        () => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_origin_is_known_by_its_columns_and_a_plain_file_has_none() {
        let of = |names: &str| {
            let names: Vec<String> = names.split(',').map(str::to_owned).collect();
            Origin::of(&names).map(Origin::name)
        };
        for (names, expected) in [
            ("Email address,Nickname,Group status,Email status,Email preference", Some("Google Groups")),
            ("email,full_name,status,email_delivery,mod_status,created", Some("Groups.io")),
            ("uuid,email,name,attributes,status,created_at,updated_at", Some("listmonk")),
            ("Email,Is this user blacklisted,Entered,List Membership", Some("phpList")),
            ("Email Address,First Name,MEMBER_RATING,OPTIN_TIME", Some("Mailchimp")),
            ("Email,First name,Last name,Data,Status,External ID", Some("Keila")),
            ("cid,status,HASH_EMAIL,EMAIL,MERGE_FIRST_NAME", Some("Mailtrain")),
            ("id,ccid,firstname,surname,emails,lists,notes", None),
            ("email,status", None),
        ] {
            assert_eq!(of(names), expected, "{names}");
        }
    }
}
