//! Finds the parts of mail addresses in a text that archives hide from strangers: their domains.
//!
//! Pages hide by it (`mail::reading`), and the index of archives tells by it what strangers do not find. An address is
//! a local part, an at sign, and a domain with a dot whose last label begins with a letter: `react@18.2.0`, `5@3.50`
//! and `@media` are none. In a link, addresses stand among the values of its query alone, since hiding a part of its
//! path would break it; and `git@host:path/repo` names a repository.

use std::ops::Range;

/// Longest domain, in bytes (RFC 1035).
const DOMAIN_BYTES_MAX: usize = 253;
/// Bytes of a link; what is beyond is text.
const LINK_BYTES_MAX: usize = 2000;
/// The schemes of links that have a path.
const SCHEMES: [&str; 7] = ["https", "http", "ftp", "ssh", "git", "git+ssh", "svn+ssh"];
/// The forms of an at sign: itself, its wide forms, and percent-encoded once or twice.
const AT_SIGNS: [&str; 5] = ["@", "\u{ff20}", "\u{fe6b}", "%40", "%2540"];
/// The names by which servers of repositories are spoken to.
const REPOSITORY_USERS: [&str; 3] = ["git", "hg", "svn"];

/// The domains of the addresses in a text, in order.
#[must_use]
pub fn hidden_domains(text: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut links = Links::of(text);
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(next) = bytes[at..].iter().position(|byte| matches!(byte, b'@' | b'%' | 0xef)) {
        let sign = at + next;
        at = sign + 1;
        let Some(length) = at_sign(text, sign) else { continue };
        at = sign + length;
        if !has_local_part(&text[..sign]) {
            continue;
        }
        let Some(domain) = domain_len(&text[at..]) else { continue };
        if links.is_in_path(sign) || names_repository(&text[..sign], &text[at + domain..]) {
            continue;
        }
        found.push(at..at + domain);
        at += domain;
    }
    found
}

/// The length of the at sign at this place.
fn at_sign(text: &str, place: usize) -> Option<usize> {
    let rest = text.get(place..)?;
    AT_SIGNS.into_iter().find(|sign| rest.starts_with(sign)).map(str::len)
}

/// Whether a text ends with what can be the local part of an address.
fn has_local_part(before: &str) -> bool {
    before.chars().next_back().is_some_and(|c| is_of_local(c) && !matches!(c, '/' | '=' | '&' | '?'))
}

fn is_of_local(c: char) -> bool {
    c.is_alphanumeric() || "!#$%&'*+-/=?^_`{|}~.\"".contains(c)
}

/// The length of the domain with which a text begins; `None` if it begins with none.
fn domain_len(text: &str) -> Option<usize> {
    // RFC 5321 4.1.3: an address in brackets instead of a domain.
    if let Some(literal) = text.strip_prefix('[') {
        let end = literal.find(|c: char| !c.is_ascii_alphanumeric() && !matches!(c, '.' | ':'))?;
        let is_literal = literal[end..].starts_with(']') && literal[..end].contains(['.', ':']);
        return is_literal.then_some(end + 2);
    }
    let (mut labels, mut at, mut length) = (0, 0, None);
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let label = rest.find(|c: char| !is_of_label(c)).unwrap_or(rest.len());
        let name = rest[..label].trim_end_matches('-');
        if name.is_empty() || DOMAIN_BYTES_MAX < at + label {
            break;
        }
        labels += 1;
        if 1 < labels && name.starts_with(char::is_alphabetic) {
            length = Some(at + name.len());
        }
        at += label;
        let dot = [".", "%2E", "%2e"].into_iter().find(|dot| text[at..].starts_with(dot));
        match dot.filter(|_| name.len() == label) {
            Some(dot) => at += dot.len(),
            None => break,
        }
    }
    length
}

/// Whether a character can stand in a label of a domain.
fn is_of_label(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_')
}

/// Whether an address is the place of a repository, as in `git@github.com:org/repo.git`.
fn names_repository(before: &str, behind: &str) -> bool {
    let is_user = |user: &&str| {
        let around = before.strip_suffix(*user);
        around.is_some_and(|around| !around.ends_with(is_of_local))
    };
    let path = behind.strip_prefix(':').map_or("", |path| {
        let is_of_path = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '/' | '~');
        &path[..path.find(|c| !is_of_path(c)).unwrap_or(path.len())]
    });
    path.contains('/') && REPOSITORY_USERS.iter().any(is_user)
}

/// Finds the links of a text, from front to back.
struct Links<'a> {
    text: &'a str,
    /// The link that was found last.
    current: Range<usize>,
    /// The part of it outside of its query.
    path: Range<usize>,
    /// The next place that may be the end of a scheme, if there is one.
    next: Option<usize>,
}

impl Links<'_> {
    fn of(text: &str) -> Links<'_> {
        Links { text, current: 0..0, path: 0..0, next: text.find("://") }
    }

    /// Whether a place behind those that were asked for before stands in a link, but not in its query.
    fn is_in_path(&mut self, place: usize) -> bool {
        while let Some(colon) = self.next.filter(|colon| *colon < place) {
            let behind = colon + 3;
            self.next = self.text[behind..].find("://").map(|next| behind + next);
            if self.has_scheme(colon) {
                self.begin(colon);
            }
        }
        self.current.contains(&place) && !self.query().contains(&place)
    }

    /// Whether the scheme of a link ends here.
    fn has_scheme(&self, colon: usize) -> bool {
        let before = &self.text.as_bytes()[..colon];
        let is_of_scheme = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'+';
        SCHEMES.iter().any(|known| {
            let (around, scheme) = before.split_at(before.len().saturating_sub(known.len()));
            scheme.eq_ignore_ascii_case(known.as_bytes()) && !around.last().is_some_and(is_of_scheme)
        })
    }

    /// Takes in the link whose scheme ends here. One inside of another is a part of that.
    fn begin(&mut self, colon: usize) {
        if self.current.contains(&colon) {
            return;
        }
        let behind = &self.text[colon..];
        let near = &behind[..behind.floor_char_boundary(LINK_BYTES_MAX)];
        let ends =
            |c: char| c.is_whitespace() || c.is_control() || "<>\"`{}|\\^“”«»「」『』。，、（）".contains(c);
        let length = near.find(ends).unwrap_or(near.len());
        self.current = colon..colon + length;
        self.path = colon..colon + near[..length].find(['?', '#']).unwrap_or(length);
    }

    /// The query of the current link.
    fn query(&self) -> Range<usize> {
        let rest = &self.text[self.path.end..self.current.end];
        match rest.strip_prefix('?') {
            Some(query) => self.path.end..self.path.end + 1 + query.find('#').unwrap_or(query.len()),
            None => self.path.end..self.path.end,
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = hidden_domains(text).into_iter().map(|range| &text[range]).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn addresses_have_a_local_part_and_a_domain_with_letters() {
        check("Ada <ada@example.org> wrote", &["example.org"]);
        check("ada@example.org, bob.b@sub.example-two.co.uk: hi", &["example.org", "sub.example-two.co.uk"]);
        check("mail ada@example.org.", &["example.org"]);
        check("ada@example.org...", &["example.org"]);
        check("as ada@example.org.2 says", &["example.org"]);
        check("ada@[192.0.2.1] ada@[IPv6:2001:db8::1]", &["[192.0.2.1]", "[IPv6:2001:db8::1]"]);
        check("ada\u{ff20}example.org süß@exämple.example", &["example.org", "exämple.example"]);
        check("\"ada l\"@example.org mailto:ada@x.org?cc=bob@y.org", &["example.org", "x.org", "y.org"]);
        check("a@b@c.org xmpp:ada@x.org", &["c.org", "x.org"]);
    }

    #[test]
    fn other_words_with_at_signs_are_no_addresses() {
        for text in [
            "npm i react@18.2.0 vue@3.0.0-rc1 @scope/pkg@1.2",
            "5@3.50 each, 10@10:30, 3 @ 4",
            "git clone git@github.com:org/repo.git",
            "@media print, Twitter @carl, HEAD@{1}, a@b, x@ y, a@",
            "ada@localhost flickr 12345678@N00/99",
            "100%4050 /@name.example",
        ] {
            check(text, &[]);
        }
        check("git@github.com and ada@host.org:8080/x", &["github.com", "host.org"]);
    }

    #[test]
    fn links_hide_addresses_in_their_queries_alone() {
        for text in [
            "https://www.youtube.com/@channelname",
            "https://www.google.com/maps/@52.5200,13.4050,12z",
            "https://mastodon.social/@user@other.example",
            "https://www.npmjs.com/package/@scope/pkg https://unpkg.com/lit@2.0.0/index.js",
            "https://lists.other.example/msg/CAF=abc+def@mail.gmail.com/",
            "HTTPS://x.org/a%40b.org/#ada@x.org ssh://git@github.com/org/repo.git",
        ] {
            check(text, &[]);
        }
        check("https://x.org/?u=ada%40example.org&x=1", &["example.org"]);
        check("https://x.org/@a?to=ada@x.org#bob@y.org, ada@z.org", &["x.org", "z.org"]);
        check("https://x.org/?u=ada%40example%2Eorg", &["example%2Eorg"]);
        check("see https://x.org/a then ada@z.org", &["z.org"]);
        check("https://x.org/?r=https://y.org/@b&u=a@x.org", &["x.org"]);
    }

    proptest! {
        #[test]
        fn every_address_in_text_is_found(
            before in "[a-z0-9<(, ]{0,8}", local in "[a-z0-9.+_-]{0,8}[a-z0-9]",
            domain in "[a-z0-9]{1,6}(\\.[a-z0-9]{1,5}){0,2}\\.[a-z]{2,6}", behind in "([ ,>):;!?][a-z0-9 ]{0,6})?",
        ) {
            let text = format!("{before} {local}@{domain}{behind}");
            let found: Vec<&str> = hidden_domains(&text).into_iter().map(|range| &text[range]).collect();
            prop_assert_eq!(found, [domain.as_str()]);
        }

        #[test]
        fn links_keep_their_paths(
            path in "[a-z0-9@./_=+-]{0,30}", before in "[a-z ]{0,5}", version in "[0-9]{1,3}(\\.[0-9]{1,3}){1,3}",
        ) {
            let text = format!("{before} https://host.example/{path}@{version} x@{version}");
            prop_assert!(hidden_domains(&text).is_empty(), "{text}");
        }

        #[test]
        fn any_text_is_looked_through(text in "([a-z@./:%?#=& ü。<>-]|https://|%40|\u{ff20}){0,60}") {
            let mut end = 0;
            for range in hidden_domains(&text) {
                prop_assert!(end <= range.start && text.get(range.clone()).is_some());
                end = range.end;
            }
        }
    }
}
