//! The head of every page of a list: where it stands, its name, and the tabs, which are the same on each of them.

use super::index;
use crate::locale::text;
use crate::model::{List, Permission};
use crate::ops::accounts::admins::delegation;
use crate::ops::posting::simulate;
use crate::web::context::Context;
use crate::web::error::PageError;

/// A tab of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tab {
    Members,
    Approvals,
    Messages,
    Settings,
    Trial,
    Helpers,
    Public,
}

/// A tab as a page shows it.
pub(super) struct TabView {
    pub(super) href: String,
    pub(super) label: String,
    pub(super) is_current: bool,
}

/// The head of a page.
pub(super) struct Head {
    /// The page of all lists, and the first page of this one.
    pub(super) lists: String,
    pub(super) home: String,
    pub(super) title: String,
    pub(super) name: String,
    /// The tab on which the page is, in words.
    pub(super) here: String,
    pub(super) is_pending: bool,
    pub(super) tabs: Vec<TabView>,
}

/// The head of a page of a list, on a tab.
pub(super) fn of(context: &Context, list: &List, current: Tab) -> Result<Head, PageError> {
    let (caller, language) = (context.administrator()?, context.language);
    let path = index::path_of(list.name.as_str());
    let is_offered = |tab: Tab| {
        Ok::<_, PageError>(match tab {
            Tab::Members | Tab::Messages | Tab::Settings | Tab::Public => true,
            Tab::Approvals => caller.holds(Permission::ApproveMessages),
            Tab::Trial => simulate::require(caller).is_ok(),
            Tab::Helpers => delegation::may_delegate(context.site_account()?, caller),
        })
    };
    let view = |tab: Tab| {
        let (path, label) = match tab {
            Tab::Members => (format!("{path}members/"), text!(language, "lists-members")),
            Tab::Approvals => {
                (format!("/admin/approvals/?list={}", list.name), text!(language, "desk-approvals"))
            }
            Tab::Messages => {
                (format!("/admin/messages/?list={}", list.name), text!(language, "desk-messages"))
            }
            Tab::Settings => (path.clone(), text!(language, "nav-settings")),
            Tab::Trial => (format!("{path}try/"), text!(language, "sim-title")),
            Tab::Helpers => (format!("{path}helpers/"), text!(language, "list-helpers")),
            Tab::Public => (format!("/lists/{}/", list.name), text!(language, "list-public")),
        };
        TabView { href: context.href(&path), label, is_current: tab == current }
    };
    let mut tabs = Vec::new();
    for tab in
        [Tab::Members, Tab::Approvals, Tab::Messages, Tab::Settings, Tab::Trial, Tab::Helpers, Tab::Public]
    {
        if is_offered(tab)? {
            tabs.push(view(tab));
        }
    }
    let here = tabs.iter().find(|tab| tab.is_current).map(|tab| tab.label.clone());
    Ok(Head {
        lists: context.href(index::PATH),
        home: context.href(&index::home_of(caller, list.name.as_str())),
        title: list.title().to_owned(),
        name: list.name.to_string(),
        here: here.unwrap_or_default(),
        is_pending: list.pending,
        tabs,
    })
}
