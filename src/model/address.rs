//! Parses mail addresses and domains into types that are safe to use everywhere.
//!
//! Every layer above takes these types instead of texts. Nothing here asks the DNS: a valid domain need not exist.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Longest local part in octets (RFC 5321 4.5.3.1.1).
pub const LOCAL_BYTES_MAX: usize = 64;
/// Longest domain in octets (RFC 5321 4.5.3.1.2).
const DOMAIN_BYTES_MAX: usize = 255;
/// Longest address in octets: a path has 256 with its angle brackets (RFC 5321 4.5.3.1.3).
const ADDRESS_BYTES_MAX: usize = 254;

/// The reason why a text is no address or domain.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// The text is empty.
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
/// Invariant: a local part of at most 64 octets, one `@`, a valid domain; at most 254 octets in all; no control
/// character. The local part is a dot-atom if possible, else a quoted string with no needless backslashes
/// (RFC 5321 4.1.2, RFC 6531 3.3). [`EmailAddress::parse`] and [`EmailAddress::from_parts`] are the only ways to make
/// one.
///
/// The domain is kept as it was written. Two addresses are equal if only the letter case of their domains differs.
#[derive(Clone)]
pub struct EmailAddress {
    text: String,
    /// The domain in lower case, unless it was written so.
    lower_domain: Option<Box<str>>,
}

impl EmailAddress {
    /// Reads `name@domain` or `"any name"@domain`; blanks around it are ignored, and `na..me.@domain` gets its quotes. Display names, comments and address
    /// literals are refused.
    pub fn parse(text: &str) -> Result<EmailAddress, AddressError> {
        let text = text.trim_matches([' ', '\t']);
        if text.is_empty() {
            return Err(AddressError::Empty);
        }
        let (local, domain) = text.rsplit_once('@').ok_or(AddressError::Form)?;
        if local.is_empty() || domain.is_empty() {
            return Err(AddressError::Form);
        }
        if let Some(quoted) = local.strip_prefix('"') {
            return EmailAddress::from_parts(&unquote(quoted)?, domain);
        }
        if !local.chars().all(is_local_char) {
            return Err(AddressError::Character);
        }
        if local.starts_with('.') {
            return Err(AddressError::Form);
        }
        // Japanese providers gave out addresses with dots in a row or at the end; only a quoted string may have them.
        EmailAddress::from_parts(local, domain)
    }

    /// The address with this local part, given without quotes and backslashes; it is quoted if it must be.
    pub fn from_parts(local: &str, domain: &str) -> Result<EmailAddress, AddressError> {
        if local.is_empty() || domain.is_empty() {
            return Err(AddressError::Form);
        }
        if local.chars().all(is_local_char) && !local.split('.').any(str::is_empty) {
            return EmailAddress::checked(local, domain);
        }
        if !local.chars().all(is_quotable) {
            return Err(AddressError::Character);
        }
        let escaped = local.replace('\\', "\\\\").replace('"', "\\\"");
        EmailAddress::checked(&format!("\"{escaped}\""), domain)
    }

    /// The address of a valid local part.
    fn checked(local: &str, domain: &str) -> Result<EmailAddress, AddressError> {
        let lower = Domain::parse(domain)?;
        let domain = Domain::name_in(domain);
        let domain_bytes = domain.len().max(lower.0.len());
        if LOCAL_BYTES_MAX < local.len() || ADDRESS_BYTES_MAX < local.len() + 1 + domain_bytes {
            return Err(AddressError::Length);
        }
        Ok(EmailAddress::of_text(format!("{local}@{domain}")))
    }

    /// The address of a valid text.
    fn of_text(text: String) -> EmailAddress {
        let domain = domain_of(&text);
        let is_lower = domain.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase());
        let lower = if is_lower { None } else { Some(domain.to_lowercase()) };
        let lower_domain = lower.filter(|lower| lower != domain).map(String::into_boxed_str);
        EmailAddress { text, lower_domain }
    }

    /// The address as it was written, its local part without needless quotes.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The part before the `@`, with its quotes if it has any.
    #[must_use]
    pub fn local(&self) -> &str {
        self.text.rsplit_once('@').map_or("", |(local, _)| local)
    }

    /// The part after the `@`, in lower case.
    #[must_use]
    pub fn domain(&self) -> &str {
        self.lower_domain.as_deref().unwrap_or_else(|| domain_of(&self.text))
    }

    /// The form in which addresses are compared: lower case, the domain in A-label form (`spec/api.md` 4).
    #[must_use]
    pub fn folded(&self) -> String {
        let domain = idna::domain_to_ascii(self.domain()).unwrap_or_else(|_| self.domain().to_owned());
        format!("{}@{domain}", self.local().to_lowercase())
    }

    fn parts(&self) -> (&str, &str) {
        (self.local(), self.domain())
    }
}

impl PartialEq for EmailAddress {
    fn eq(&self, other: &EmailAddress) -> bool {
        self.parts() == other.parts()
    }
}

impl Eq for EmailAddress {}

impl Hash for EmailAddress {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.parts().hash(state);
    }
}

impl PartialOrd for EmailAddress {
    fn partial_cmp(&self, other: &EmailAddress) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for EmailAddress {
    fn cmp(&self, other: &EmailAddress) -> Ordering {
        self.parts().cmp(&other.parts())
    }
}

impl fmt::Debug for EmailAddress {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("EmailAddress").field(&self.text).finish()
    }
}

impl Serialize for EmailAddress {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.text)
    }
}

impl<'de> Deserialize<'de> for EmailAddress {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<EmailAddress, D::Error> {
        String::deserialize(deserializer).map(EmailAddress::of_text)
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
        let name = Domain::name_in(text).to_lowercase();
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

    /// The name as it was written, without blanks around it and a final dot.
    fn name_in(text: &str) -> &str {
        let text = text.trim_matches([' ', '\t']);
        text.strip_suffix('.').unwrap_or(text)
    }

    /// The name, in lower case.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn domain_of(text: &str) -> &str {
    text.rsplit_once('@').map_or("", |(_, domain)| domain)
}

/// The content of a quoted string from which only the first quote was taken off.
fn unquote(text: &str) -> Result<String, AddressError> {
    let mut content = String::with_capacity(text.len());
    let mut chars = text.chars();
    loop {
        match chars.next() {
            Some('"') if chars.as_str().is_empty() => return Ok(content),
            Some('\\') => content.push(chars.next().ok_or(AddressError::Form)?),
            Some('"') => return Err(AddressError::Character),
            Some(c) => content.push(c),
            None => return Err(AddressError::Form),
        }
    }
}

/// `qtextSMTP` of RFC 5321 4.1.2, a character that a backslash can quote, or a printable character beyond ASCII.
fn is_quotable(c: char) -> bool {
    matches!(c, ' '..='~') || is_international(c)
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
        out.write_str(&self.text)
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
    fn an_address_is_kept_as_it_was_written() {
        check(" Ada.L+x@Example.ORG ", Ok("Ada.L+x@Example.ORG"));
        check("pelé@EXÄMPLE.org", Ok("pelé@EXÄMPLE.org"));
        check("pelé@exämple.org", Ok("pelé@exämple.org"));
        check("o'hara/x=1@sub.example.org.", Ok("o'hara/x=1@sub.example.org"));
    }

    #[test]
    fn what_could_break_an_smtp_command_or_a_header_is_refused() {
        check("a@x.org>\r\nRCPT TO:<b@x.org", Err(AddressError::Character));
        check("a b@x.org", Err(AddressError::Character));
        check("\"a\tb\"@x.org", Err(AddressError::Character));
        check("\"a\\\r\n\"@x.org", Err(AddressError::Character));
        check("\"a\"b\"@x.org", Err(AddressError::Character));
        check("a\"b\"@x.org", Err(AddressError::Character));
        check("Ada \"a b\"@x.org", Err(AddressError::Character));
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
    fn a_local_part_is_quoted_where_it_must_be_and_nowhere_else() {
        check("\"ann lee\"@x.org", Ok("\"ann lee\"@x.org"));
        check("\"ann\"@x.org", Ok("ann@x.org"));
        check("\"a\\n\\n.b\"@x.org", Ok("ann.b@x.org"));
        check("\"a@b,<c>\"@x.org", Ok("\"a@b,<c>\"@x.org"));
        check("\"a\\\"b\\\\c\\ d\"@x.org", Ok("\"a\\\"b\\\\c d\"@x.org"));
        check("\"a..b\"@x.org", Ok("\"a..b\"@x.org"));
        check("\"pelé z\"@x.org", Ok("\"pelé z\"@x.org"));
        check("a..b@docomo.example", Ok("\"a..b\"@docomo.example"));
        check("ab.@docomo.example", Ok("\"ab.\"@docomo.example"));
        check("\"\"@x.org", Err(AddressError::Form));
        check("\"ann@x.org", Err(AddressError::Form));
        check("\"ann\\\"@x.org", Err(AddressError::Form));
        let parts = |local| EmailAddress::from_parts(local, "x.org").map(|address| address.to_string());
        assert_eq!(parts("ann"), Ok("ann@x.org".to_owned()));
        assert_eq!(parts("\"ann\""), Ok("\"\\\"ann\\\"\"@x.org".to_owned()));
        assert_eq!(parts("a\0"), Err(AddressError::Character));
    }

    #[test]
    fn addresses_are_equal_whatever_the_case_of_their_domains() {
        let address = |text| EmailAddress::parse(text).unwrap();
        let (written, lower) = (address("Ada@EXÄMPLE.ORG"), address("Ada@exämple.org"));
        assert_eq!(written, lower);
        assert_eq!(written.cmp(&lower), Ordering::Equal);
        assert_eq!(std::collections::HashSet::from([written.clone(), lower]).len(), 1);
        assert_eq!((written.local(), written.domain()), ("Ada", "exämple.org"));
        assert_ne!(written, address("ada@exämple.org"), "local parts are the receiver's to compare");
        assert_eq!(address("\"ann\"@x.org"), address("ann@X.org"));
    }

    #[test]
    fn an_address_is_stored_as_its_text() {
        let config = bincode::config::standard();
        let address = EmailAddress::parse("Ada@Example.ORG").unwrap();
        let bytes = bincode::serde::encode_to_vec(&address, config).unwrap();
        assert_eq!(bytes, bincode::serde::encode_to_vec("Ada@Example.ORG", config).unwrap());
        let (read, _): (EmailAddress, usize) = bincode::serde::decode_from_slice(&bytes, config).unwrap();
        assert_eq!((read.as_str(), read.domain()), ("Ada@Example.ORG", "example.org"));
    }

    #[test]
    fn a_missing_part_is_refused() {
        check("", Err(AddressError::Empty));
        check("ada", Err(AddressError::Form));
        check("@x.org", Err(AddressError::Form));
        check("ada@", Err(AddressError::Form));
        check(".ada@x.org", Err(AddressError::Form));
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
