//! The head of every page of a list: where it stands, its name, and the tabs, which are the same on each of them.

use super::paths;
use crate::locale::text;
use crate::model::{List, Permission};
use crate::ops::OpError;
use crate::ops::accounts::admins::delegation;
use crate::ops::lists::{self, Members};
use crate::ops::posting::simulate;
use crate::store::ReadTx;
use crate::web::context::Context;
use crate::web::error::PageError;

/// A tab of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::web::admin) enum Tab {
    Members,
    Approvals,
    Messages,
    Settings,
    Trial,
    Helpers,
    Public,
}

/// A tab as a page shows it.
pub(in crate::web::admin) struct TabView {
    pub(in crate::web::admin) href: String,
    pub(in crate::web::admin) label: String,
    pub(in crate::web::admin) is_current: bool,
}

/// The head of a page.
pub(in crate::web::admin) struct Head {
    /// The page of all lists, and the first page of this one.
    pub(in crate::web::admin) lists: String,
    pub(in crate::web::admin) home: String,
    pub(in crate::web::admin) title: String,
    pub(in crate::web::admin) name: String,
    /// The tab on which the page is, in words.
    pub(in crate::web::admin) here: String,
    pub(in crate::web::admin) is_pending: bool,
    pub(in crate::web::admin) tabs: Vec<TabView>,
}

/// The head of a page of the account that is narrowed to a list by its name; `None` if it is not, or there is no such
/// list for the administrator.
pub(in crate::web::admin) fn of_filter(
    context: &Context,
    tx: &ReadTx,
    name: &str,
    current: Tab,
) -> Result<Option<Head>, PageError> {
    if name.is_empty() {
        return Ok(None);
    }
    match lists::get(tx, context.administrator()?, name, Members::Skip) {
        Ok(detail) => of(context, &detail.list, current).map(Some),
        Err(OpError::NotFound { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// The head of a page of a list, on a tab.
pub(in crate::web::admin) fn of(context: &Context, list: &List, current: Tab) -> Result<Head, PageError> {
    let (caller, language) = (context.administrator()?, context.language);
    let path = paths::path_of(list.name.as_str());
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
        lists: context.href(paths::PATH),
        home: context.href(&paths::home_of(caller, list.name.as_str())),
        title: list.title().to_owned(),
        name: list.name.to_string(),
        here: here.unwrap_or_default(),
        is_pending: list.pending,
        tabs,
    })
}
