//! The fields of administrators and keys as their pages show them: their groups, their choices, and their values.

use crate::locale::text;
use crate::model::admin::Notification;
use crate::model::{Admin, Language, Permission};
use crate::ops::Right;
use crate::ops::accounts::admins::manage::AdminDetail;
use crate::web::admin::parts::fields::{Choice, Group, Limit, Row, Table, Values};

/// The rights, each with what its holder may do.
pub(in crate::web::admin) const fn permission_choices() -> &'static [Choice] {
    PERMISSIONS
}

/// A right in words.
pub(in crate::web::admin) fn permission_words(language: Language, permission: Permission) -> String {
    Right(permission).say(language)
}

/// The values of every field of the tables.
pub(in crate::web::admin) fn values_of(detail: &AdminDetail) -> Values {
    let AdminDetail { admin, limit_metadata, limit_lists } = detail;
    // No `..`: a new field is shown or left out on purpose.
    let Admin {
        id: _,
        account: _,
        username,
        description,
        firstname,
        surname,
        password_hash: _,
        cidr,
        custom_image,
        mfa_type: _,
        api: _,
        authn_provider,
        notifications,
        permissions,
        limit_metadata: _,
        limit_lists: _,
        created: _,
    } = admin;
    let mut values = Values::default();
    values.maybe("username", username.as_ref());
    values.text("description", description);
    values.text("firstname", firstname);
    values.text("surname", surname);
    values.many("cidr", cidr);
    values.flag("custom_image", *custom_image);
    values.maybe("authn_provider", authn_provider.as_ref());
    values.many("notifications", notifications.iter().map(|notification| notification.word()));
    values.many("permissions", permissions.iter().map(|permission| permission.word()));
    // What does not limit is not shown as if it did: a form that came back would switch the limit on.
    if permissions.contains(&Permission::LimitMetadata) {
        values.many("limit_metadata", limit_metadata);
    }
    if permissions.contains(&Permission::LimitLists) {
        values.many("limit_lists", limit_lists);
    }
    values
}

/// The rights, each with what its holder may do.
const PERMISSIONS: &[Choice] = &[
    Choice {
        value: Permission::AccountAdmin.word(),
        label: |language| text!(language, "right-account-admin"),
        hint: Some(|language| text!(language, "right-account-admin-hint")),
    },
    Choice {
        value: Permission::ManageSettings.word(),
        label: |language| text!(language, "right-manage-settings"),
        hint: None,
    },
    Choice {
        value: Permission::ManageMembers.word(),
        label: |language| text!(language, "right-manage-members"),
        hint: None,
    },
    Choice {
        value: Permission::ApproveMessages.word(),
        label: |language| text!(language, "right-approve-messages"),
        hint: None,
    },
    Choice {
        value: Permission::SendMessages.word(),
        label: |language| text!(language, "right-send-messages"),
        hint: None,
    },
];

/// The events of which a person may be told.
const NOTIFICATIONS: &[Choice] = &[
    Choice {
        value: Notification::HeldMessage.word(),
        label: |language| text!(language, "tell-held-message"),
        hint: None,
    },
    Choice {
        value: Notification::PendingMember.word(),
        label: |language| text!(language, "tell-pending-member"),
        hint: None,
    },
    Choice {
        value: Notification::PendingList.word(),
        label: |language| text!(language, "tell-pending-list"),
        hint: None,
    },
    Choice {
        value: Notification::MemberJoined.word(),
        label: |language| text!(language, "tell-member-joined"),
        hint: None,
    },
    Choice {
        value: Notification::MemberLeft.word(),
        label: |language| text!(language, "tell-member-left"),
        hint: None,
    },
    Choice {
        value: Notification::Bounce.word(),
        label: |language| text!(language, "tell-bounce"),
        hint: None,
    },
    Choice {
        value: Notification::Complaint.word(),
        label: |language| text!(language, "tell-complaint"),
        hint: None,
    },
    Choice {
        value: Notification::DeliveryProblem.word(),
        label: |language| text!(language, "tell-delivery-problem"),
        hint: None,
    },
    Choice {
        value: Notification::Security.word(),
        label: |language| text!(language, "tell-security"),
        hint: None,
    },
];

/// The fields of people and keys.
const ROWS: &[Row] = &[
    Row::new(
        ("person", 1),
        "username",
        |language| text!(language, "admins-username"),
        |language| text!(language, "admins-username-help"),
    ),
    Row::new(
        ("person", 2),
        "firstname",
        |language| text!(language, "helpers-firstname"),
        |language| text!(language, "admins-firstname-help"),
    ),
    Row::new(
        ("person", 3),
        "surname",
        |language| text!(language, "helpers-surname"),
        |language| text!(language, "admins-surname-help"),
    ),
    Row::new(
        ("key", 1),
        "description",
        |language| text!(language, "admins-description"),
        |language| text!(language, "admins-description-help"),
    ),
    Row::new(
        ("key", 2),
        "cidr",
        |language| text!(language, "admins-cidr"),
        |language| text!(language, "admins-cidr-help"),
    ),
    Row::new(
        ("person", 5),
        "custom_image",
        |language| text!(language, "admins-image"),
        |language| text!(language, "admins-image-help"),
    ),
    Row::new(
        ("person", 4),
        "authn_provider",
        |language| text!(language, "admins-provider"),
        |language| text!(language, "admins-provider-help"),
    ),
    Row::new(
        ("notifications", 1),
        "notifications",
        |language| text!(language, "admins-notifications"),
        |language| text!(language, "admins-notifications-help"),
    )
    .choices(NOTIFICATIONS),
    Row::new(
        ("rights", 2),
        "limit_lists",
        |language| text!(language, "admins-limit-lists"),
        |language| text!(language, "admins-limit-lists-help"),
    )
    .limit(Limit {
        name: "permissions",
        value: Permission::LimitLists.word(),
        words: |language| text!(language, "admins-limit-lists-only"),
    }),
    Row::new(
        ("rights", 3),
        "limit_metadata",
        |language| text!(language, "admins-limit-metadata"),
        |language| text!(language, "admins-limit-metadata-help"),
    )
    .limit(Limit {
        name: "permissions",
        value: Permission::LimitMetadata.word(),
        words: |language| text!(language, "admins-limit-metadata-only"),
    }),
];

/// The rights of a person.
const PERSON_RIGHTS: Row = Row::new(
    ("rights", 1),
    "permissions",
    |language| text!(language, "admins-allowed"),
    |language| text!(language, "admins-permissions-help"),
)
.choices(PERMISSIONS);

/// The rights of a key.
const KEY_RIGHTS: Row = Row::new(
    ("rights", 1),
    "permissions",
    |language| text!(language, "admins-allowed"),
    |language| text!(language, "admins-key-allowed-help"),
)
.choices(PERMISSIONS);

/// The heading of the rights of a person or a key.
const RIGHTS_GROUP: Group = Group {
    id: "rights",
    title: |language| text!(language, "admins-group-rights"),
    hint: |language| text!(language, "admins-group-rights-hint"),
};

/// The fields of a person.
pub(super) const PERSON: Table = Table {
    groups: &[
        Group {
            id: "person",
            title: |language| text!(language, "admins-group-person"),
            hint: |language| text!(language, "admins-group-person-hint"),
        },
        RIGHTS_GROUP,
        Group {
            id: "notifications",
            title: |language| text!(language, "admins-group-mail"),
            hint: |language| text!(language, "admins-group-mail-hint"),
        },
    ],
    rows: &[ROWS, &[PERSON_RIGHTS]],
};

/// The fields of a key.
pub(super) const KEY: Table = Table {
    groups: &[
        Group {
            id: "key",
            title: |language| text!(language, "admins-group-key"),
            hint: |language| text!(language, "admins-group-key-hint"),
        },
        RIGHTS_GROUP,
    ],
    rows: &[ROWS, &[KEY_RIGHTS]],
};
