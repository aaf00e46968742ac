//! Providers that refuse mail from their own domains that they did not sign, whatever DMARC policy they publish.
//!
//! Delivery treats posts of their users like those of domains with a strict policy.

/// Their domains.
const DOMAINS: [&str; 7] =
    ["gmail.com", "googlemail.com", "aol.com", "outlook.com", "msn.com", "ymail.com", "rocketmail.com"];
/// Second-level names that they use in many countries: `yahoo.fr`, `hotmail.co.uk`.
const NAMES: [&str; 4] = ["yahoo", "hotmail", "live", "outlook"];

/// Whether `domain` is one of them (`spec/mail.md` 5).
#[must_use]
pub fn refuses_regardless(domain: &str) -> bool {
    let domain = domain.to_ascii_lowercase();
    if DOMAINS.contains(&domain.as_str()) {
        return true;
    }
    let labels: Vec<&str> = domain.split('.').collect();
    match labels.as_slice() {
        [name, _country] => NAMES.contains(name),
        [name, "co" | "com", country] => NAMES.contains(name) && country.len() == 2,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn providers_are_known_in_every_country_and_others_are_not_taken_for_them() {
        for domain in ["gmail.com", "Yahoo.FR", "yahoo.co.uk", "hotmail.com", "live.com.au", "msn.com"] {
            assert!(refuses_regardless(domain), "{domain}");
        }
        for domain in ["example.org", "live.example.org", "yahoo.com.example.org", "mail.gmail.com", "yahoo"]
        {
            assert!(!refuses_regardless(domain), "{domain}");
        }
    }
}
