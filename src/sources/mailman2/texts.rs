//! Texts of Mailman 2 with variables such as `%(real_name)s`, written with ours.

/// Longer texts are cut: nobody writes them as a footer.
const TEXT_BYTES_MAX: usize = 100_000;

/// Several variables that mean one of ours together: these stand before those that they contain.
const TOGETHER: [(&str, &str); 5] = [
    ("%(real_name)s@%(host_name)s", "$LISTADDRESS"),
    ("%(_internal_name)s@%(host_name)s", "$LISTADDRESS"),
    ("%(list_name)s@%(host_name)s", "$LISTADDRESS"),
    ("%(web_page_url)slistinfo%(cgiext)s/%(_internal_name)s", "$ARCHIVE"),
    ("%(web_page_url)slistinfo%(cgiext)s/%(list_name)s", "$ARCHIVE"),
];
/// Variables, and what they become.
const VARIABLES: [(&str, &str); 12] = [
    ("real_name", "$LIST"),
    ("list_name", "$LIST"),
    ("_internal_name", "$LIST"),
    ("listname", "$LIST"),
    ("description", "$DESCRIPTION"),
    ("list_description", "$DESCRIPTION"),
    ("user_address", "$EMAIL"),
    ("user_delivered_to", "$EMAIL"),
    ("user_name", "$NAME"),
    ("user_optionsurl", "$MANAGE"),
    ("unsubscribe_url", "$UNSUBSCRIBE"),
    ("list_requests", "$LISTADDRESS"),
];

/// A text with our variables, and the names of variables that have none here, which are left out.
pub(super) fn with_variables(text: &str, is_dollar: bool, fixed: &[(&str, &str)]) -> (String, Vec<String>) {
    let mut end = text.len().min(TEXT_BYTES_MAX);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let text = text[..end].replace("\r\n", "\n");
    let text = if is_dollar { percent_of_dollar(&text) } else { text };
    let (mut out, mut unknown) = (String::with_capacity(text.len()), Vec::new());
    let mut rest = text.as_str();
    while let Some(at) = rest.find(['%', '$']) {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some((found, ours)) = TOGETHER.iter().find(|(found, _)| rest.starts_with(found)) {
            out.push_str(ours);
            rest = &rest[found.len()..];
            // What follows would belong to the name of the variable.
            continue;
        }
        if let Some(behind) = rest.strip_prefix('$') {
            out.push_str("$$");
            rest = behind;
        } else if let Some(behind) = rest.strip_prefix("%%") {
            out.push('%');
            rest = behind;
        } else if let Some((name, behind)) = variable(rest) {
            let ours = VARIABLES.iter().find(|(known, _)| *known == name).map(|(_, ours)| *ours);
            let fixed =
                fixed.iter().find(|(known, _)| *known == name).map(|(_, value)| value.replace('$', "$$"));
            match ours.map(str::to_owned).or(fixed) {
                Some(ours) => out.push_str(&ours),
                None => unknown.push(name.to_owned()),
            }
            rest = behind;
        } else {
            out.push('%');
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    (out, unknown)
}

/// The name in `%(name)s` at the beginning of a text, and what follows.
fn variable(text: &str) -> Option<(&str, &str)> {
    let (name, behind) = text.strip_prefix("%(")?.split_once(')')?;
    let is_name = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    let behind = behind.strip_prefix(['s', 'd'])?;
    (is_name && !name.is_empty()).then_some((name, behind))
}

/// A text with `$name` and `${name}` in the other form.
fn percent_of_dollar(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['$', '%']) {
        out.push_str(&rest[..at]);
        let (sign, behind) = rest[at..].split_at(1);
        if sign == "%" {
            out.push_str("%%");
            rest = behind;
            continue;
        }
        if let Some(behind) = behind.strip_prefix('$') {
            out.push('$');
            rest = behind;
            continue;
        }
        let (is_braced, inner) = behind.strip_prefix('{').map_or((false, behind), |inner| (true, inner));
        let length = inner.bytes().take_while(|byte| byte.is_ascii_alphanumeric() || *byte == b'_').count();
        let (name, after) = inner.split_at(length);
        let after = if is_braced { after.strip_prefix('}') } else { Some(after) };
        if let Some(after) = after.filter(|_| !name.is_empty()) {
            out.push_str("%(");
            out.push_str(name);
            out.push_str(")s");
            rest = after;
        } else {
            out.push('$');
            rest = behind;
        }
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mail::template::Template;

    #[track_caller]
    fn check(text: &str, is_dollar: bool, expected: &str, unknown: &[&str]) {
        let (ours, left) = with_variables(text, is_dollar, &[("host_name", "old.example")]);
        assert_eq!(
            (ours.as_str(), left.iter().map(String::as_str).collect::<Vec<_>>()),
            (expected, unknown.to_vec())
        );
        assert!(Template::parse(&ours, &[]).is_ok(), "{ours}");
    }

    #[test]
    fn variables_become_ours() {
        check(
            "%(real_name)s mailing list\n%(real_name)s@%(host_name)s\n%(web_page_url)slistinfo%(cgiext)s/%(_internal_name)s",
            false,
            "$LIST mailing list\n$LISTADDRESS\n$ARCHIVE",
            &[],
        );
        check(
            "100%% for $5 to %(user_name)s at %(host_name)s",
            false,
            "100% for $$5 to $NAME at old.example",
            &[],
        );
        check("50% off, %(user_password)s, %(", false, "50% off, , %(", &["user_password"]);
        check(
            "${real_name} costs $$5 or 5% $ %(x)s $host_name",
            true,
            "$LIST costs $$5 or 5% $$ %(x)s old.example",
            &[],
        );
    }
}
