//! The settings of a list as its page shows them: their groups and their choices. The settings themselves stand in
//! `list_fields!` of `model`.

use crate::locale::text;
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

/// The fields of a list.
pub(super) const TABLE: Table = Table { groups: GROUPS, rows: &[SETTINGS, &[PASSWORD]] };

const GROUPS: &[Group] = &[
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
    Group {
        id: "footers",
        title: |language| text!(language, "set-lg-footers"),
        hint: |language| text!(language, "set-lg-footers-hint"),
    },
    Group {
        id: "archive",
        title: |language| text!(language, "set-lg-archive"),
        hint: |language| text!(language, "set-lg-archive-hint"),
    },
    Group {
        id: "notices",
        title: |language| text!(language, "set-lg-notices"),
        hint: |language| text!(language, "set-lg-notices-hint"),
    },
];

#[cfg(test)]
mod tests {
    #[test]
    fn every_setting_has_a_place_on_the_page() {
        super::TABLE.check();
    }
}
