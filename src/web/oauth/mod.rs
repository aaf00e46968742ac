//! Pages about applications: the one on which an administrator allows an application something, and the one on which
//! global administrators make applications known.

pub(super) mod clients;
pub(super) mod consent;

use crate::locale::text;
use crate::model::{Language, OauthScope};

/// The rights of a scope, in words that follow "It could".
pub(super) fn scope_words(language: Language, scope: OauthScope) -> String {
    match scope {
        OauthScope::Read => text!(language, "scope-read"),
        OauthScope::ManageMembers => text!(language, "scope-manage-members"),
        OauthScope::ManageSettings => text!(language, "scope-manage-settings"),
        OauthScope::ApproveMessages => text!(language, "scope-approve-messages"),
        OauthScope::SendMessages => text!(language, "scope-send-messages"),
        OauthScope::AccountAdmin => text!(language, "scope-account-admin"),
    }
}
