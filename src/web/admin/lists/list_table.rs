//! The fields of a list as its page shows them: their groups, their choices, and their values.

use crate::locale::text;
use crate::model::List;
use crate::ops::lists::ListDetail;
use crate::web::admin::account::settings;
use crate::web::admin::parts::fields::{Choice, Group, Row, Values};

/// The values of every field of the table. The password of the archive is never shown.
#[expect(clippy::too_many_lines, reason = "a line for each field")]
pub(super) fn values_of(detail: &ListDetail) -> Values {
    // No `..`: a new field is shown or left out on purpose.
    let List {
        id: _,
        account: _,
        name,
        description,
        clid,
        notes,
        created: _,
        pending: _,
        maxlength,
        truncate,
        subject_prefix,
        moderator,
        memberview,
        message_footer,
        message_footer_html,
        message_fronter,
        message_fronter_html,
        taboo_headers,
        taboo_body,
        reply_to,
        strip_attachments,
        subscriptions,
        unsubscriptions,
        rewrite_sender,
        original_sender_mode,
        hold_automated,
        hold_replies,
        restrict_post_allowed_emails,
        restrict_post_banned_emails,
        restrict_post_lists: _,
        moderate,
        message_rejections,
        notify_approval,
        welcome_message: _,
        welcome_message_subject: _,
        confirmation_subject: _,
        confirmation_message: _,
        hold_message: _,
        hold_subject: _,
        send_hold_message,
        reject_message: _,
        reject_subject: _,
        send_reject_message,
        merge_tags_enabled,
        merge_tags_default_name,
        archive_enabled,
        archive_spammode,
        archive_protected,
        archive_password_hash: _,
        archive_memberview,
        archive_index_noshow,
    } = &detail.list;
    let mut values = Values::default();
    values.text("name", name);
    values.text("description", description);
    values.maybe("clid", clid.as_ref());
    values.text("notes", notes);
    values.text("maxlength", maxlength);
    values.maybe("truncate", truncate.as_ref());
    values.text("subject_prefix", subject_prefix);
    values.maybe("moderator", moderator.as_ref());
    values.maybe_word("memberview", *memberview);
    values.text("message_footer", message_footer);
    values.text("message_footer_html", message_footer_html);
    values.text("message_fronter", message_fronter);
    values.text("message_fronter_html", message_fronter_html);
    values.many("taboo_headers", taboo_headers);
    values.many("taboo_body", taboo_body);
    values.maybe("reply_to", reply_to.as_ref());
    values.flag("strip_attachments", *strip_attachments);
    values.maybe_word("subscriptions", *subscriptions);
    values.maybe_word("unsubscriptions", *unsubscriptions);
    values.flag("rewrite_sender", *rewrite_sender);
    values.word("original_sender_mode", *original_sender_mode);
    values.flag("hold_automated", *hold_automated);
    values.flag("hold_replies", *hold_replies);
    values.many("restrict_post_allowed_emails", restrict_post_allowed_emails);
    values.many("restrict_post_banned_emails", restrict_post_banned_emails);
    values.many("restrict_post_lists", &detail.restrict_post_lists);
    values.text("moderate", &moderate.bits());
    values.word("message_rejections", *message_rejections);
    values.maybe_word("notify_approval", *notify_approval);
    values.flag("send_hold_message", *send_hold_message);
    values.flag("send_reject_message", *send_reject_message);
    values.flag("merge_tags_enabled", *merge_tags_enabled);
    values.text("merge_tags_default_name", merge_tags_default_name);
    values.flag("archive_enabled", *archive_enabled);
    values.flag("archive_spammode", *archive_spammode);
    values.flag("archive_protected", *archive_protected);
    values.flag("archive_memberview", *archive_memberview);
    values.flag("archive_index_noshow", *archive_index_noshow);
    notices(&detail.list, &mut values);
    values
}

/// The texts of the mails that the list writes itself.
fn notices(list: &List, values: &mut Values) {
    for (name, text) in [
        ("welcome_message", &list.welcome_message),
        ("welcome_message_subject", &list.welcome_message_subject),
        ("confirmation_subject", &list.confirmation_subject),
        ("confirmation_message", &list.confirmation_message),
        ("hold_message", &list.hold_message),
        ("hold_subject", &list.hold_subject),
        ("reject_message", &list.reject_message),
        ("reject_subject", &list.reject_subject),
    ] {
        values.maybe(name, text.as_ref());
    }
}

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

/// The fields of a list.
pub(super) const TABLE: &[Group] = &[
    Group {
        id: "name",
        title: |language| text!(language, "set-lg-name"),
        hint: |language| text!(language, "set-lg-name-hint"),
        fields: &[
            Row::new(
                "description",
                |language| text!(language, "set-list-description"),
                |language| text!(language, "set-list-description-help"),
            ),
            Row::new(
                "name",
                |language| text!(language, "set-list-name"),
                |language| text!(language, "set-list-name-help"),
            ),
            Row::new(
                "subject_prefix",
                |language| text!(language, "set-list-subject-prefix"),
                |language| text!(language, "set-list-subject-prefix-help"),
            ),
            Row::new(
                "clid",
                |language| text!(language, "set-list-clid"),
                |language| text!(language, "set-list-clid-help"),
            ),
            Row::new(
                "notes",
                |language| text!(language, "set-list-notes"),
                |language| text!(language, "set-list-notes-help"),
            )
            .lines(3),
        ],
    },
    Group {
        id: "joining",
        title: |language| text!(language, "set-lg-joining"),
        hint: |language| text!(language, "set-lg-joining-hint"),
        fields: &[
            Row::new(
                "subscriptions",
                |language| text!(language, "set-list-subscriptions"),
                |language| text!(language, "set-list-subscriptions-help"),
            )
            .choices(JOINING),
            Row::new(
                "unsubscriptions",
                |language| text!(language, "set-list-unsubscriptions"),
                |language| text!(language, "set-list-unsubscriptions-help"),
            )
            .choices(LEAVING),
            Row::new(
                "memberview",
                |language| text!(language, "set-list-memberview"),
                |language| text!(language, "set-list-memberview-help"),
            )
            .choices(MEMBERVIEW),
        ],
    },
    Group {
        id: "posting",
        title: |language| text!(language, "set-lg-posting"),
        hint: |language| text!(language, "set-lg-posting-hint"),
        fields: &[
            Row::new(
                "moderate",
                |language| text!(language, "set-list-moderate"),
                |language| text!(language, "set-list-moderate-help"),
            )
            .sum(BITS),
            Row::new(
                "restrict_post_lists",
                |language| text!(language, "set-list-restrict-lists"),
                |language| text!(language, "set-list-restrict-lists-help"),
            ),
            Row::new(
                "restrict_post_allowed_emails",
                |language| text!(language, "set-list-allowed"),
                |language| text!(language, "set-list-allowed-help"),
            ),
            Row::new(
                "restrict_post_banned_emails",
                |language| text!(language, "set-list-banned"),
                |language| text!(language, "set-list-banned-help"),
            ),
            Row::new(
                "message_rejections",
                |language| text!(language, "set-list-rejections"),
                |language| text!(language, "set-list-rejections-help"),
            )
            .choices(REJECTIONS),
        ],
    },
    Group {
        id: "holding",
        title: |language| text!(language, "set-lg-holding"),
        hint: |language| text!(language, "set-lg-holding-hint"),
        fields: &[
            Row::new(
                "hold_automated",
                |language| text!(language, "set-list-hold-automated"),
                |language| text!(language, "set-list-hold-automated-help"),
            ),
            Row::new(
                "hold_replies",
                |language| text!(language, "set-list-hold-replies"),
                |language| text!(language, "set-list-hold-replies-help"),
            ),
            Row::new(
                "taboo_headers",
                |language| text!(language, "set-list-taboo-headers"),
                |language| text!(language, "set-list-taboo-headers-help"),
            ),
            Row::new(
                "taboo_body",
                |language| text!(language, "set-list-taboo-body"),
                |language| text!(language, "set-list-taboo-body-help"),
            ),
            Row::new(
                "moderator",
                |language| text!(language, "set-list-moderator"),
                |language| text!(language, "set-list-moderator-help"),
            ),
            Row::new(
                "notify_approval",
                |language| text!(language, "set-list-notify"),
                |language| text!(language, "set-list-notify-help"),
            )
            .choices(NOTICES),
        ],
    },
    Group {
        id: "content",
        title: |language| text!(language, "set-lg-content"),
        hint: |language| text!(language, "set-lg-content-hint"),
        fields: &[
            Row::new(
                "maxlength",
                |language| text!(language, "set-list-maxlength"),
                |language| text!(language, "set-list-maxlength-help"),
            ),
            Row::new(
                "truncate",
                |language| text!(language, "set-list-truncate"),
                |language| text!(language, "set-list-truncate-help"),
            ),
            Row::new(
                "strip_attachments",
                |language| text!(language, "set-list-strip"),
                |language| text!(language, "set-list-strip-help"),
            ),
            Row::new(
                "reply_to",
                |language| text!(language, "set-list-reply-to"),
                |language| text!(language, "set-list-reply-to-help"),
            ),
            Row::new(
                "rewrite_sender",
                |language| text!(language, "set-list-rewrite"),
                |language| text!(language, "set-list-rewrite-help"),
            ),
            Row::new(
                "original_sender_mode",
                |language| text!(language, "set-list-original-sender"),
                |language| text!(language, "set-list-original-sender-help"),
            )
            .choices(SENDER_MODES),
            Row::new(
                "merge_tags_enabled",
                |language| text!(language, "set-list-merge"),
                |language| text!(language, "set-list-merge-help"),
            ),
            Row::new(
                "merge_tags_default_name",
                |language| text!(language, "set-list-merge-default"),
                |language| text!(language, "set-list-merge-default-help"),
            ),
        ],
    },
    Group {
        id: "footers",
        title: |language| text!(language, "set-lg-footers"),
        hint: |language| text!(language, "set-lg-footers-hint"),
        fields: &[
            Row::new(
                "message_fronter",
                |language| text!(language, "set-list-fronter"),
                |language| text!(language, "set-list-fronter-help"),
            )
            .lines(3),
            Row::new(
                "message_fronter_html",
                |language| text!(language, "set-list-fronter-html"),
                |language| text!(language, "set-list-fronter-html-help"),
            )
            .lines(3),
            Row::new(
                "message_footer",
                |language| text!(language, "set-list-footer"),
                |language| text!(language, "set-list-footer-help"),
            )
            .lines(4),
            Row::new(
                "message_footer_html",
                |language| text!(language, "set-list-footer-html"),
                |language| text!(language, "set-list-footer-html-help"),
            )
            .lines(4),
        ],
    },
    Group {
        id: "archive",
        title: |language| text!(language, "set-lg-archive"),
        hint: |language| text!(language, "set-lg-archive-hint"),
        fields: &[
            Row::new(
                "archive_enabled",
                |language| text!(language, "set-list-archive-enabled"),
                |language| text!(language, "set-list-archive-enabled-help"),
            ),
            Row::new(
                "archive_protected",
                |language| text!(language, "set-list-archive-protected"),
                |language| text!(language, "set-list-archive-protected-help"),
            ),
            Row::new(
                "archive_memberview",
                |language| text!(language, "set-list-archive-memberview"),
                |language| text!(language, "set-list-archive-memberview-help"),
            ),
            Row::new(
                "archive_password",
                |language| text!(language, "set-list-archive-password"),
                |language| text!(language, "set-list-archive-password-help"),
            )
            .secret(),
            Row::new(
                "archive_spammode",
                |language| text!(language, "set-list-archive-spammode"),
                |language| text!(language, "set-list-archive-spammode-help"),
            ),
            Row::new(
                "archive_index_noshow",
                |language| text!(language, "set-list-archive-noshow"),
                |language| text!(language, "set-list-archive-noshow-help"),
            ),
        ],
    },
    Group {
        id: "notices",
        title: |language| text!(language, "set-lg-notices"),
        hint: |language| text!(language, "set-lg-notices-hint"),
        fields: &[
            Row::new(
                "welcome_message_subject",
                |language| text!(language, "set-list-welcome-subject"),
                |language| text!(language, "set-list-welcome-subject-help"),
            ),
            Row::new(
                "welcome_message",
                |language| text!(language, "set-list-welcome"),
                |language| text!(language, "set-list-welcome-help"),
            )
            .lines(5),
            Row::new(
                "confirmation_subject",
                |language| text!(language, "set-list-confirmation-subject"),
                |language| text!(language, "set-list-confirmation-subject-help"),
            ),
            Row::new(
                "confirmation_message",
                |language| text!(language, "set-list-confirmation"),
                |language| text!(language, "set-list-confirmation-help"),
            )
            .lines(5),
            Row::new(
                "send_hold_message",
                |language| text!(language, "set-list-send-hold"),
                |language| text!(language, "set-list-send-hold-help"),
            ),
            Row::new(
                "hold_subject",
                |language| text!(language, "set-list-hold-subject"),
                |language| text!(language, "set-list-hold-subject-help"),
            ),
            Row::new(
                "hold_message",
                |language| text!(language, "set-list-hold"),
                |language| text!(language, "set-list-hold-help"),
            )
            .lines(5),
            Row::new(
                "send_reject_message",
                |language| text!(language, "set-list-send-reject"),
                |language| text!(language, "set-list-send-reject-help"),
            ),
            Row::new(
                "reject_subject",
                |language| text!(language, "set-list-reject-subject"),
                |language| text!(language, "set-list-reject-subject-help"),
            ),
            Row::new(
                "reject_message",
                |language| text!(language, "set-list-reject"),
                |language| text!(language, "set-list-reject-help"),
            )
            .lines(5),
        ],
    },
];
