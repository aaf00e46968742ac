//! Mail addresses and domains: parsed once, safe ever after.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Longest local part in octets (RFC 5321 4.5.3.1.1).
const LOCAL_BYTES_MAX: usize = 64;
/// Longest domain in octets (RFC 5321 4.5.3.1.2).
const DOMAIN_BYTES_MAX: usize = 255;
/// Longest address in octets: a path has 256 with its angle brackets (RFC 5321 4.5.3.1.3).
const ADDRESS_BYTES_MAX: usize = 254;

/// Why a text is no address or domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// Nothing was given.
    #[error("an address is needed, for example ada@example.org")]
    Empty,
    /// No `@`, or nothing on one side of it.
    #[error("must be one address of the form name@domain")]
    Form,
    /// A character that RFC 5321 or 6531 does not allow in that place.
    #[error("has a character that an address cannot have")]
    Character,
    /// A domain whose labels are empty, too long or begin or end with a hyphen.
    #[error("has a domain that is not valid")]
    Domain,
    /// Longer than RFC 5321 allows.
    #[error("is longer than an address can be (64 octets before the @, 254 in all)")]
    Length,
}

/// A mailbox address that is safe inside an SMTP command, a header and an index key.
///
/// Invariant: a dot-atom local part (RFC 5321 4.1.2, RFC 6531 3.3) of at most 64 octets, one `@`, a valid
/// domain in lower case; at most 254 octets in all. [`EmailAddress::parse`] is the only way to make one.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct EmailAddress(String);

impl EmailAddress {
    /// Reads `name@domain`; blanks around it are passed over. Display names, comments, quoted local parts and
    /// address literals are refused.
    pub fn parse(text: &str) -> Result<EmailAddress, AddressError> {
        let text = text.trim_matches([' ', '\t']);
        if text.is_empty() {
            return Err(AddressError::Empty);
        }
        let (local, domain) = text.rsplit_once('@').ok_or(AddressError::Form)?;
        if local.is_empty() || domain.is_empty() {
            return Err(AddressError::Form);
        }
        if !local.chars().all(is_local_char) {
            return Err(AddressError::Character);
        }
        if local.split('.').any(str::is_empty) {
            return Err(AddressError::Form);
        }
        let domain = Domain::parse(domain)?;
        if local.len() > LOCAL_BYTES_MAX || local.len() + 1 + domain.0.len() > ADDRESS_BYTES_MAX {
            return Err(AddressError::Length);
        }
        Ok(EmailAddress(format!("{local}@{}", domain.0)))
    }

    /// The address as it was written, its domain in lower case.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The part before the `@`.
    #[must_use]
    pub fn local(&self) -> &str {
        self.0.rsplit_once('@').map_or("", |(local, _)| local)
    }

    /// The part after the `@`, in lower case.
    #[must_use]
    pub fn domain(&self) -> &str {
        self.0.rsplit_once('@').map_or("", |(_, domain)| domain)
    }

    /// The form under which addresses are compared: lower case, the domain in A-label form
    /// (`spec/api.md` 4).
    #[must_use]
    pub fn folded(&self) -> String {
        let domain = idna::domain_to_ascii(self.domain()).unwrap_or_else(|_| self.domain().to_owned());
        format!("{}@{domain}", self.local().to_lowercase())
    }
}

/// A domain name in lower case, in A-label or U-label form.
///
/// Invariant: labels of 1 to 63 octets without a hyphen at either end, 255 octets in all.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Domain(String);

impl Domain {
    /// Reads a domain name; a final dot is dropped.
    pub fn parse(text: &str) -> Result<Domain, AddressError> {
        let text = text.trim_matches([' ', '\t']);
        let name = text.strip_suffix('.').unwrap_or(text).to_lowercase();
        if name.is_empty() {
            return Err(AddressError::Domain);
        }
        if name.len() > DOMAIN_BYTES_MAX {
            return Err(AddressError::Length);
        }
        if !name.chars().all(|c| is_domain_char(c) || c == '.') {
            return Err(AddressError::Character);
        }
        let label_is_valid = |label: &str| {
            !label.is_empty() && label.len() <= 63 && !label.starts_with('-') && !label.ends_with('-')
        };
        // No top-level domain is a number: that would be an IP address (RFC 3696 2).
        let top_level = name.rsplit('.').next().unwrap_or_default();
        let is_number = top_level.bytes().all(|byte| byte.is_ascii_digit());
        if name.split('.').all(label_is_valid) && !is_number {
            Ok(Domain(name))
        } else {
            Err(AddressError::Domain)
        }
    }

    /// The name, in lower case.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// `atext` of RFC 5322 3.2.3 or a printable character beyond ASCII (RFC 6531 3.3), and the dot.
fn is_local_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~.".contains(c) || is_international(c)
}

fn is_domain_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '-' || c == '_' || is_international(c)
}

fn is_international(c: char) -> bool {
    // U+2028 and U+2029 are line separators; U+FEFF and the bidirectional marks are invisible.
    let invisible =
        matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}');
    !c.is_ascii() && !c.is_control() && !c.is_whitespace() && !invisible
}

impl fmt::Display for EmailAddress {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl fmt::Display for Domain {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::str::FromStr for EmailAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<EmailAddress, AddressError> {
        EmailAddress::parse(text)
    }
}

impl std::str::FromStr for Domain {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Domain, AddressError> {
        Domain::parse(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<&str, AddressError>) {
        assert_eq!(
            EmailAddress::parse(text).as_ref().map(EmailAddress::as_str).map_err(|e| *e),
            expected,
            "{text}"
        );
    }

    #[test]
    fn an_address_keeps_its_local_part_and_lowers_its_domain() {
        check(" Ada.L+x@Example.ORG ", Ok("Ada.L+x@example.org"));
        check("pelé@exämple.org", Ok("pelé@exämple.org"));
        check("o'hara/x=1@sub.example.org.", Ok("o'hara/x=1@sub.example.org"));
    }

    #[test]
    fn what_could_break_an_smtp_command_or_a_header_is_refused() {
        check("a@x.org>\r\nRCPT TO:<b@x.org", Err(AddressError::Character));
        check("a b@x.org", Err(AddressError::Character));
        check("\"a b\"@x.org", Err(AddressError::Character));
        check("a@b@x.org", Err(AddressError::Character));
        check("Ada <a@x.org>", Err(AddressError::Character));
        check("a\u{2028}b@x.org", Err(AddressError::Character));
        check("a@[127.0.0.1]", Err(AddressError::Character));
    }

    #[test]
    fn addresses_compare_with_case_folded_and_the_domain_as_a_labels() {
        let folded = |text| EmailAddress::parse(text).unwrap().folded();
        assert_eq!(folded("ADA@exämple.org"), folded("ada@xn--exmple-cua.ORG"));
    }

    #[test]
    fn a_missing_part_is_refused() {
        check("", Err(AddressError::Empty));
        check("ada", Err(AddressError::Form));
        check("@x.org", Err(AddressError::Form));
        check("ada@", Err(AddressError::Form));
        check(".ada@x.org", Err(AddressError::Form));
        check("a..b@x.org", Err(AddressError::Form));
        check("ada@x..org", Err(AddressError::Domain));
        check("ada@-x.org", Err(AddressError::Domain));
        check("ada@127.0.0.1", Err(AddressError::Domain));
    }

    #[test]
    fn lengths_are_those_of_rfc_5321() {
        check(&format!("{}@x.org", "a".repeat(65)), Err(AddressError::Length));
        assert!(EmailAddress::parse(&format!("{}@x.org", "a".repeat(64))).is_ok());
        let long_domain = format!("{}.org", ["b".repeat(63), "c".repeat(63), "d".repeat(63)].join("."));
        check(&format!("{}@{long_domain}", "a".repeat(64)), Err(AddressError::Length));
    }
}
