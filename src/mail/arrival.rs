//! What the header of a message gains and loses as it comes in.
//!
//! Our own trace field goes in front. `Authentication-Results` that carry our name and are not ours are taken
//! out (RFC 8601 5): whoever reads ours later, here or at a member, could not tell them apart.

use super::header::{self, Field};

/// Puts `received` in front of `raw` and takes out the results that pretend to be those of `hostname`. In
/// place: a large message is not held twice.
pub fn receive_with(raw: &mut Vec<u8>, received: &str, hostname: &str) {
    let header_end = header::block_end(raw, 0);
    let mut head = received.as_bytes().to_vec();
    let mut kept_to = 0;
    for field in header::fields(&raw[..header_end]).filter(|field| claims(field, hostname)) {
        head.extend_from_slice(&raw[kept_to..field.start]);
        kept_to = field.start + field.raw.len();
    }
    raw.splice(..kept_to, head);
}

/// Whether a field says that it has the results of `hostname`.
fn claims(field: &Field<'_>, hostname: &str) -> bool {
    let is_ours = |id: &str| id.trim_end_matches('.').eq_ignore_ascii_case(hostname);
    field.is("Authentication-Results") && is_ours(&service_id(&field.text()))
}

/// The `authserv-id`: a word or a quoted string, behind comments.
fn service_id(text: &str) -> String {
    let mut rest = text.trim_start();
    while rest.starts_with('(') {
        rest = behind_comment(rest).trim_start();
    }
    let Some(quoted) = rest.strip_prefix('"') else {
        let ends = |c: char| c.is_whitespace() || matches!(c, ';' | '(');
        return rest.split(ends).next().unwrap_or_default().to_owned();
    };
    let mut id = String::new();
    let mut chars = quoted.chars();
    while let Some(c) = chars.next().filter(|c| *c != '"') {
        id.extend(if c == '\\' { chars.next() } else { Some(c) });
    }
    id
}

/// What follows the comment that `text` begins with; comments may hold comments (RFC 5322 3.2.2).
fn behind_comment(text: &str) -> &str {
    let mut depth = 0_usize;
    let mut is_escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '(' => depth += 1,
            ')' if depth == 1 => return &text[at + 1..],
            ')' => depth -= 1,
            _ => {}
        }
    }
    ""
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(message: &str, expected: &str) {
        let mut raw = message.replace('\n', "\r\n").into_bytes();
        receive_with(&mut raw, "Received: here\r\n", "mx.lists.test");
        assert_eq!(
            String::from_utf8(raw).unwrap().replace("\r\n", "\n"),
            format!("Received: here\n{expected}")
        );
    }

    #[test]
    fn results_that_carry_our_name_are_taken_out() {
        for forged in [
            "Authentication-Results: mx.lists.test; spf=pass",
            "authentication-results:\n\tMX.Lists.Test.;\n dkim=pass",
            "Authentication-Results : (a (b\\)) c) (d) mx.lists.test 1; dmarc=pass",
            "Authentication-Results: \"mx\\.lists.test\"; dmarc=pass",
            "Authentication-Results: mx.lists.test(x); none",
        ] {
            check(&format!("A: b\n{forged}\nFrom: a@x.org\n{forged}\n\nhi\n"), "A: b\nFrom: a@x.org\n\nhi\n");
        }
    }

    #[test]
    fn everything_else_stays() {
        for message in [
            "Authentication-Results: mx.else.test; spf=pass\nFrom: a@x.org\n\nhi\n",
            "Authentication-Results: (mx.lists.test) a.mx.lists.test; spf=pass\n\nhi\n",
            "A: b\n\nAuthentication-Results: mx.lists.test; spf=pass\n",
            "Authentication-Results: (mx.lists.test",
            "",
        ] {
            check(message, message);
        }
    }
}
