//! The settings of a list as its five pages show them: their groups and their choices. The settings themselves stand in
//! `list_fields!` of `model`.

use crate::locale::text;
use crate::model::Language;
use crate::model::list::list_fields;
use crate::web::admin::account::settings;
use crate::web::admin::parts::fields::{Choice, Group, Row, Table, rows};

/// The account's setting.
const AS_ACCOUNT: Choice =
    Choice { value: "", label: |language| text!(language, "set-as-account"), hint: None };

const JOINING: &[Choice] = &[AS_ACCOUNT, settings::JOINING[0], settings::JOINING[1], settings::JOINING[2]];
const LEAVING: &[Choice] = &[AS_ACCOUNT, settings::LEAVING[0], settings::LEAVING[1], settings::LEAVING[2]];
const NOTICES: &[Choice] = &[AS_ACCOUNT, settings::NOTICES[0], settings::NOTICES[1], settings::NOTICES[2]];

const MEMBERVIEW: &[Choice] = &[
    Choice { value: "", label: |language| text!(language, "set-view-nobody"), hint: None },
    Choice { value: "noemail", label: |language| text!(language, "set-view-noemail"), hint: None },
    Choice { value: "withemail", label: |language| text!(language, "set-view-withemail"), hint: None },
    Choice { value: "all-noemail", label: |language| text!(language, "set-view-all-noemail"), hint: None },
    Choice {
        value: "all-withemail",
        label: |language| text!(language, "set-view-all-withemail"),
        hint: None,
    },
];

const BITS: &[Choice] = &[
    Choice { value: "1", label: |language| text!(language, "set-bit-1"), hint: None },
    Choice { value: "2", label: |language| text!(language, "set-bit-2"), hint: None },
    Choice { value: "4", label: |language| text!(language, "set-bit-4"), hint: None },
    Choice { value: "8", label: |language| text!(language, "set-bit-8"), hint: None },
    Choice { value: "16", label: |language| text!(language, "set-bit-16"), hint: None },
];

const REJECTIONS: &[Choice] = &[
    Choice {
        value: "hold",
        label: |language| text!(language, "set-rejections-hold"),
        hint: Some(|language| text!(language, "set-rejections-hold-hint")),
    },
    Choice {
        value: "reject",
        label: |language| text!(language, "set-rejections-reject"),
        hint: Some(|language| text!(language, "set-rejections-reject-hint")),
    },
    Choice {
        value: "discard",
        label: |language| text!(language, "set-rejections-discard"),
        hint: Some(|language| text!(language, "set-rejections-discard-hint")),
    },
];

const SENDER_MODES: &[Choice] = &[
    Choice { value: "reply_to", label: |language| text!(language, "set-sender-reply-to"), hint: None },
    Choice { value: "cc", label: |language| text!(language, "set-sender-cc"), hint: None },
    Choice { value: "notice", label: |language| text!(language, "set-sender-notice"), hint: None },
    Choice {
        value: "hide",
        label: |language| text!(language, "set-sender-hide"),
        hint: Some(|language| text!(language, "set-sender-hide-hint")),
    },
];

list_fields! { rows SETTINGS }

/// A password, of which only a hash is stored; it is never shown.
const PASSWORD: Row = Row::new(
    ("archive", 4),
    "archive_password",
    |language| text!(language, "set-list-archive_password"),
    |language| text!(language, "set-list-archive_password-help"),
)
.secret();

/// A page of the settings of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::web) enum Part {
    /// What the list is called, who may join, write and read.
    Basics,
    /// What happens to mail, and what the list makes of it.
    Writing,
    /// The texts around messages, and those of the list's own mails.
    Texts,
    /// The archive.
    Archive,
    /// Patterns, sizes, single switches and numbers of other systems.
    Advanced,
}

impl Part {
    /// Every page, in their order.
    pub(in crate::web) const ALL: [Part; 5] =
        [Part::Basics, Part::Writing, Part::Texts, Part::Archive, Part::Advanced];

    /// The end of its path, below that of the list.
    pub(super) const fn path(self) -> &'static str {
        match self {
            Part::Basics => "",
            Part::Writing => "writing/",
            Part::Texts => "texts/",
            Part::Archive => "archive/",
            Part::Advanced => "advanced/",
        }
    }

    /// Its name.
    pub(super) fn title(self, language: Language) -> String {
        match self {
            Part::Basics => text!(language, "set-part-basics"),
            Part::Writing => text!(language, "set-part-writing"),
            Part::Texts => text!(language, "set-part-texts"),
            Part::Archive => text!(language, "set-part-archive"),
            Part::Advanced => text!(language, "set-part-advanced"),
        }
    }

    /// Its fields.
    pub(in crate::web) const fn table(self) -> Table {
        let groups = match self {
            Part::Basics => BASICS,
            Part::Writing => WRITING,
            Part::Texts => TEXTS,
            Part::Archive => ARCHIVE,
            Part::Advanced => ADVANCED,
        };
        Table { groups, rows: ROWS }
    }
}

/// The rows of all pages.
const ROWS: &[&[Row]] = &[SETTINGS, &[PASSWORD]];

/// Groups of texts that few lists need, and that are folded away.
pub(super) const FOLDED: [&str; 6] = ["html", "names", "welcome", "asking", "held", "rejected"];

const BASICS: &[Group] = &[
    Group {
        id: "name",
        title: |language| text!(language, "set-lg-name"),
        hint: |language| text!(language, "set-lg-name-hint"),
    },
    Group {
        id: "joining",
        title: |language| text!(language, "set-lg-joining"),
        hint: |language| text!(language, "set-lg-joining-hint"),
    },
    Group {
        id: "posting",
        title: |language| text!(language, "set-lg-posting"),
        hint: |language| text!(language, "set-lg-posting-hint"),
    },
];

const WRITING: &[Group] = &[
    Group {
        id: "others",
        title: |language| text!(language, "set-lg-others"),
        hint: |language| text!(language, "set-lg-others-hint"),
    },
    Group {
        id: "holding",
        title: |language| text!(language, "set-lg-holding"),
        hint: |language| text!(language, "set-lg-holding-hint"),
    },
    Group {
        id: "content",
        title: |language| text!(language, "set-lg-content"),
        hint: |language| text!(language, "set-lg-content-hint"),
    },
];

const TEXTS: &[Group] = &[
    Group {
        id: "footers",
        title: |language| text!(language, "set-lg-footers"),
        hint: |language| text!(language, "set-lg-footers-hint"),
    },
    Group {
        id: "html",
        title: |language| text!(language, "set-lg-html"),
        hint: |language| text!(language, "set-lg-html-hint"),
    },
    Group {
        id: "names",
        title: |language| text!(language, "set-lg-names"),
        hint: |language| text!(language, "set-lg-names-hint"),
    },
    Group {
        id: "welcome",
        title: |language| text!(language, "set-lg-welcome"),
        hint: |language| text!(language, "set-lg-welcome-hint"),
    },
    Group {
        id: "asking",
        title: |language| text!(language, "set-lg-asking"),
        hint: |language| text!(language, "set-lg-asking-hint"),
    },
    Group {
        id: "held",
        title: |language| text!(language, "set-lg-held"),
        hint: |language| text!(language, "set-lg-held-hint"),
    },
    Group {
        id: "rejected",
        title: |language| text!(language, "set-lg-rejected"),
        hint: |language| text!(language, "set-lg-rejected-hint"),
    },
];

const ARCHIVE: &[Group] = &[Group {
    id: "archive",
    title: |language| text!(language, "set-lg-archive"),
    hint: |language| text!(language, "set-lg-archive-hint"),
}];

const ADVANCED: &[Group] = &[
    Group {
        id: "bits",
        title: |language| text!(language, "set-lg-bits"),
        hint: |language| text!(language, "set-lg-bits-hint"),
    },
    Group {
        id: "patterns",
        title: |language| text!(language, "set-lg-patterns"),
        hint: |language| text!(language, "set-lg-patterns-hint"),
    },
    Group { id: "sizes", title: |language| text!(language, "set-lg-sizes"), hint: |_| String::new() },
    Group { id: "ids", title: |language| text!(language, "set-lg-ids"), hint: |_| String::new() },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_has_a_place_on_one_page() {
        let groups: Vec<Group> =
            Part::ALL.into_iter().flat_map(|part| part.table().groups).copied().collect();
        Table { groups: groups.leak(), rows: ROWS }.check();
        let is_known = |id: &str| Part::Texts.table().groups.iter().any(|group| group.id == id);
        assert!(FOLDED.into_iter().all(is_known));
    }
}
