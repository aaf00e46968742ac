//! The MTA-STS policy of another domain: its rules for servers that send mail to it (RFC 8461).
//!
//! Parses policy files and says which hosts a policy allows and when it is stale. `net::sts` fetches policies, `jobs`
//! keeps and applies them.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{StsPolicyId, words};
use crate::clock::Timestamp;

/// Longest time for which a policy is trusted: the most that a policy may say (RFC 8461 3.2), a year.
const MAX_AGE_MAX: Duration = Duration::from_hours(8_766);
/// Host patterns that a policy may have; a file with more is refused as no policy of mail servers.
const PATTERNS_MAX: usize = 100;
/// Age at which a policy is fetched again, so that one in use never expires (RFC 8461 3.3).
const REFRESH_AFTER: Duration = Duration::from_hours(24);
/// Longest id of a policy (RFC 8461 3.1).
const VERSION_BYTES_MAX: usize = 32;

words! {
    /// The treatment of mail that cannot be sent as the policy demands.
    StsMode {
        /// It is not delivered.
        Enforce = "enforce",
        /// It is delivered, and the fault is reported.
        Testing = "testing",
        /// There is no policy any more.
        None = "none",
    }
}

/// The rules in a domain's policy file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StsRules {
    /// How strictly they apply.
    pub mode: StsMode,
    /// The hosts that mail may go to, in lower case; `*.` stands for exactly one label.
    pub hosts: Vec<String>,
    /// How long they hold.
    pub max_age: Duration,
}

impl StsRules {
    /// Parses a policy file (RFC 8461 3.2); `None` if the text is no policy. Unknown fields are ignored, and of a field
    /// that may occur only once the first counts.
    #[must_use]
    pub fn parse(text: &str) -> Option<StsRules> {
        let (mut version, mut mode, mut max_age, mut hosts) = (None, None, None, Vec::new());
        for line in text.lines() {
            let Some((name, value)) = line.split_once(':') else { continue };
            let value = value.trim();
            match name.trim() {
                "version" => drop(version.get_or_insert(value)),
                "mode" => drop(mode.get_or_insert(value)),
                "max_age" => drop(max_age.get_or_insert(value)),
                "mx" => hosts.push(host_form(value)?),
                _ => {}
            }
        }
        let mode = StsMode::from_word(mode?)?;
        let max_age = max_age.filter(|digits| digits.len() <= 10 && is_number(digits))?.parse().ok()?;
        let has_hosts = (1..=PATTERNS_MAX).contains(&hosts.len()) || mode == StsMode::None;
        (version == Some("STSv1") && has_hosts).then(|| StsRules {
            mode,
            hosts,
            max_age: Duration::from_secs(max_age).min(MAX_AGE_MAX),
        })
    }

    /// Whether mail may go to `host`, a name in A-label form and lower case without a final dot (RFC 8461 4.1).
    #[must_use]
    pub fn allows(&self, host: &str) -> bool {
        self.hosts.iter().any(|pattern| match pattern.strip_prefix("*.") {
            Some(parent) => {
                host.split_once('.').is_some_and(|(label, rest)| !label.is_empty() && rest == parent)
            }
            None => pattern == host,
        })
    }
}

/// The policy of a domain, as it was last fetched. It outlives restarts: an attacker who could make a server forget it
/// could take the protection away (RFC 8461 10.2).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct StsPolicy {
    /// Service identifier.
    pub id: StsPolicyId,
    /// The domain, in A-label form and lower case.
    pub domain: String,
    /// The `id` that the domain's TXT record had for it.
    pub version: String,
    /// Its rules.
    pub rules: StsRules,
    /// When it was fetched.
    pub fetched: Timestamp,
}

impl StsPolicy {
    /// When it expires and is deleted.
    #[must_use]
    pub fn due(&self) -> Timestamp {
        self.fetched + self.rules.max_age
    }

    /// Whether it is still valid.
    #[must_use]
    pub fn holds(&self, now: Timestamp) -> bool {
        now < self.due()
    }

    /// Whether it is to be fetched again, given the `version` that the domain's TXT record announces, if any.
    #[must_use]
    pub fn is_stale(&self, version: Option<&str>, now: Timestamp) -> bool {
        version.is_some_and(|version| version != self.version || self.fetched + REFRESH_AFTER <= now)
    }
}

/// The id of the policy that the TXT records of `_mta-sts.DOMAIN` announce; `None` unless exactly one of them announces
/// a policy (RFC 8461 3.1).
#[must_use]
pub fn announced_version(records: &[String]) -> Option<String> {
    let mut announcing = records.iter().filter_map(|record| record.trim_end().strip_prefix("v=STSv1"));
    let (Some(fields), None) = (announcing.next(), announcing.next()) else { return None };
    let mut fields = fields.trim_start().strip_prefix(';')?.split(';');
    let version = fields.find_map(|field| field.trim().strip_prefix("id="))?;
    let is_valid = (1..=VERSION_BYTES_MAX).contains(&version.len())
        && version.bytes().all(|byte| byte.is_ascii_alphanumeric());
    is_valid.then(|| version.to_owned())
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// The form in which hosts are compared; `None` if the text is no host name.
fn host_form(text: &str) -> Option<String> {
    let name = text.strip_prefix("*.").unwrap_or(text);
    let is_label = |label: &str| {
        let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        !label.is_empty() && label.bytes().all(is_sign)
    };
    name.split('.').all(is_label).then(|| text.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    const POLICY: &str = "version: STSv1\r\nmode: enforce\r\nmx: Mail.example.com\r\nmx: *.example.net\r\n\
                          max_age: 604800\r\n";

    #[test]
    fn a_policy_is_read_with_either_line_end() {
        let rules = StsRules {
            mode: StsMode::Enforce,
            hosts: vec!["mail.example.com".to_owned(), "*.example.net".to_owned()],
            max_age: Duration::from_hours(168),
        };
        assert_eq!(StsRules::parse(POLICY), Some(rules.clone()));
        assert_eq!(StsRules::parse(&POLICY.replace('\r', "")), Some(rules.clone()));
        let long = POLICY.replace("604800", "9999999999");
        assert_eq!(StsRules::parse(&long), Some(StsRules { max_age: MAX_AGE_MAX, ..rules.clone() }));
        let more = format!("new: field\r\n{POLICY}mode: none\r\nno field\r\n");
        assert_eq!(StsRules::parse(&more), Some(rules), "unknown fields, and a second mode");
    }

    #[test]
    fn what_lacks_a_field_is_no_policy() {
        for (part, instead) in [
            ("STSv1", "STSv2"),
            ("version: STSv1\r\n", ""),
            ("mode: enforce\r\n", ""),
            ("enforce", "strict"),
            ("max_age: 604800\r\n", ""),
            ("604800", "-1"),
            ("604800", "60480000000"),
            ("604800", ""),
            ("mx: Mail.example.com\r\nmx: *.example.net\r\n", ""),
            ("Mail.example.com", "mail..com"),
            ("*.example.net", "a.*.net"),
        ] {
            assert_eq!(StsRules::parse(&POLICY.replace(part, instead)), None, "{part} -> {instead}");
        }
        let none = StsRules::parse("version: STSv1\nmode: none\nmax_age: 1\n").map(|rules| rules.mode);
        assert_eq!(none, Some(StsMode::None), "needs no hosts");
    }

    #[test]
    fn a_wildcard_stands_for_one_label() {
        let rules = StsRules::parse(POLICY).unwrap();
        for (host, expected) in [
            ("mail.example.com", true),
            ("a.mail.example.com", false),
            ("a.example.net", true),
            ("a.b.example.net", false),
            ("example.net", false),
            (".example.net", false),
        ] {
            assert_eq!(rules.allows(host), expected, "{host}");
        }
    }

    #[test]
    fn one_record_announces_a_policy() {
        let check = |records: &[&str], expected: Option<&str>| {
            let records: Vec<String> = records.iter().map(|record| (*record).to_owned()).collect();
            assert_eq!(announced_version(&records).as_deref(), expected, "{records:?}");
        };
        check(&["v=STSv1; id=20160831085700Z;"], Some("20160831085700Z"));
        check(&["other", "v=STSv1;id=1; new=field"], Some("1"));
        check(&["v=STSv1 ; new=field; id=1"], Some("1"));
        check(&["v=STSv1; id=1", "v=STSv1; id=2"], None);
        check(&["v=STSv10; id=1"], None);
        check(&["v=STSv1; id=a-b"], None);
        check(&["v=STSv1; id="], None);
        check(&["v=STSv1"], None);
        check(&[], None);
        check(&[&format!("v=STSv1; id={}", "a".repeat(33))], None);
    }
}
