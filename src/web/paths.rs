//! Paths of pages to which others lead, and paths in the query of others. No handler is named here.

/// The first page of administrators.
pub(super) const ADMINISTRATION: &str = "/admin/";
/// An administrator's own page.
pub(super) const OWN_PAGE: &str = "/admin/me/";
/// The form by which administrators sign in.
pub(super) const LOGIN: &str = "/login/";
/// The page for administrators who have forgotten the password.
pub(super) const FORGOTTEN: &str = "/login/forgotten/";
/// The page that asks an administrator for the password again.
pub(super) const AGAIN: &str = "/login/again/";
/// The first page of members, and the form by which they sign in.
pub(super) const MEMBERS: &str = "/members/";
/// The page of a member's sessions, by which members sign out.
pub(super) const DEVICES: &str = "/members/devices/";
/// The search of all archives that a member may read.
pub(super) const SEARCH: &str = "/search/";
/// Characters of a path to which signing in leads back.
///
/// An application's request for permission is the longest of them.
const NEXT_CHARS_MAX: usize = 8000;

/// A path of this host to which signing in may lead; blank for any other text.
pub(super) fn next_path(text: &str) -> String {
    let is_path = text.starts_with('/') && !text.starts_with("//") && !text.contains('\\');
    let is_plain = text.len() <= NEXT_CHARS_MAX && text.bytes().all(|byte| byte.is_ascii_graphic());
    if is_path && is_plain { text.to_owned() } else { String::new() }
}

/// A path with a query in which another path stands.
pub(super) fn with_next(path: &str, next: &str) -> String {
    if next.is_empty() {
        return path.to_owned();
    }
    let next = percent_encoding::utf8_percent_encode(next, percent_encoding::NON_ALPHANUMERIC);
    format!("{path}?next={next}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signing_in_leads_to_no_other_host() {
        assert_eq!(next_path("/members/devices/?a=b%26c"), "/members/devices/?a=b%26c");
        for other in ["", "x", "//eve.example/", "/\\eve.example", "https://eve.example/", "/a b", "/\r\nx"] {
            assert_eq!(next_path(other), "", "{other}");
        }
        assert_eq!(next_path(&format!("/{}", "x".repeat(NEXT_CHARS_MAX))), "");
    }
}
