//! The flag that names providers of identities (`OpenID` Connect).

use std::path::PathBuf;

use clap::Args;

use super::values::{Problems, parse_secret_file};
use crate::config::OidcProvider;

/// The parts of a provider, for problems.
const RIGHT: &str =
    "must be name=NAME,issuer=URL,client-id=ID,client-secret-file=FILE, with an issuer of https";
/// The help of the flag.
const OIDC_HELP: &str = "Provider by which administrators may sign in (OpenID Connect), \
    name=NAME,issuer=URL,client-id=ID,client-secret-file=FILE; may be repeated. Make known to it the address \
    BASE/login/provider/NAME/back/ for each site. %d/NAME is the credential NAME of a systemd service";
/// Most characters of a provider's name.
const NAME_CHARS_MAX: usize = 64;

/// Providers of identities.
#[derive(Debug, Args)]
#[command(next_help_heading = "Signing in")]
pub(super) struct OidcArgs {
    #[arg(long = "oidc", env = "CRIER_OIDC", value_name = "KEY=VALUE,…", value_delimiter = ';', help = OIDC_HELP)]
    providers: Vec<String>,
}

impl OidcArgs {
    /// The providers, without those that are wrong.
    pub(super) fn parse(&self, problems: &mut Problems) -> Vec<OidcProvider> {
        let credentials = std::env::var_os("CREDENTIALS_DIRECTORY").map(PathBuf::from);
        let parse =
            |text: &str| parse_provider(text, &|file| parse_secret_file(file, credentials.as_deref()));
        let providers: Vec<OidcProvider> = problems.read_all_secret("--oidc", &self.providers, parse);
        for (at, provider) in providers.iter().enumerate() {
            if providers[..at].iter().any(|other| other.name == provider.name) {
                problems.note(format!("--oidc names {} twice", provider.name));
            }
        }
        providers
    }
}

/// Parses a provider; `read` gives the secret in a file.
fn parse_provider(text: &str, read: &dyn Fn(&str) -> Result<String, String>) -> Result<OidcProvider, String> {
    let (mut name, mut issuer, mut client_id, mut client_secret) = (None, None, None, None);
    for part in text.split(',').filter(|part| !part.trim().is_empty()) {
        let (key, value) = part.split_once('=').ok_or(RIGHT)?;
        let value = value.trim().to_owned();
        match key.trim() {
            "name" => name = Some(value),
            "issuer" => issuer = Some(value),
            "client-id" => client_id = Some(value),
            "client-secret-file" => {
                client_secret =
                    Some(read(&value).map_err(|problem| format!("client-secret-file {problem}"))?);
            }
            other => return Err(format!("{RIGHT}; it has no {other}")),
        }
    }
    let is_name = |name: &String| {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        !name.is_empty() && name.len() <= NAME_CHARS_MAX && name.chars().all(is_plain)
    };
    Ok(OidcProvider {
        name: name
            .filter(is_name)
            .ok_or("must have a name of letters, digits, period, hyphen or underscore")?,
        issuer: issuer.filter(|issuer| is_issuer(issuer)).ok_or(RIGHT)?,
        client_id: client_id.filter(|id| !id.is_empty()).ok_or("must have a client-id")?,
        client_secret,
    })
}

/// Whether a text is the URL of an issuer. Plain HTTP is taken on this machine, for tests.
fn is_issuer(text: &str) -> bool {
    let is_plain = |c: char| c.is_ascii_graphic() && !"?#@\"<>\\^`{|}".contains(c);
    let Some((scheme, rest)) = text.split_once("://") else { return false };
    let authority = rest.split('/').next().unwrap_or_default();
    let host = match authority.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    let is_here =
        host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|host| host.is_loopback());
    rest.chars().all(is_plain) && !host.is_empty() && (scheme == "https" || scheme == "http" && is_here)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<OidcProvider, String> {
        parse_provider(text, &|file| {
            if file == "f" { Ok("hunter2".to_owned()) } else { Err("is not there".to_owned()) }
        })
    }

    #[test]
    fn a_provider_has_a_name_an_issuer_and_what_it_knows_this_server_by() {
        let found =
            parse("name=work,issuer=https://id.example.org/a/,client-id=lists,client-secret-file=f").unwrap();
        assert_eq!((found.name.as_str(), found.issuer.as_str()), ("work", "https://id.example.org/a/"));
        assert_eq!((found.client_id.as_str(), found.client_secret.as_deref()), ("lists", Some("hunter2")));
        assert!(!format!("{found:?}").contains("hunter2"));
        for here in ["http://127.0.0.1:9", "http://localhost:9/x", "http://[::1]:9"] {
            assert!(parse(&format!("name=a,issuer={here},client-id=b")).is_ok(), "{here}");
        }
        for wrong in [
            "",
            "work",
            "name=work",
            "name=a/b,issuer=https://x.org,client-id=b",
            "name=a,issuer=http://id.example.org,client-id=b",
            "name=a,issuer=https://x.org?a=b,client-id=b",
            "name=a,issuer=https://x.org",
            "name=a,issuer=https://x.org,client-id=b,client-secret-file=g",
            "name=a,issuer=https://x.org,client-id=b,client-secret=hunter2",
        ] {
            let told = parse(wrong).unwrap_err();
            assert!(!told.contains("hunter2"), "{told}");
        }
    }
}
