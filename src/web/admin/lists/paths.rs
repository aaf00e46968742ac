//! The paths of the pages of lists.

use crate::model::Permission;
use crate::ops::Caller;

/// The path of the page of all lists.
pub(super) const PATH: &str = "/admin/lists/";

/// The page of a list.
pub(super) fn path_of(name: &str) -> String {
    let name = percent_encoding::utf8_percent_encode(name, percent_encoding::NON_ALPHANUMERIC);
    format!("{PATH}{name}/")
}

/// The page of a list to which somebody comes first: settings are of little use to those who may only look at them.
pub(super) fn home_of(caller: &Caller, name: &str) -> String {
    let path = path_of(name);
    if caller.holds(Permission::ManageSettings) { path } else { format!("{path}members/") }
}
