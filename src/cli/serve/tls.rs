//! The flags of TLS: HTTPS, certificates in files, and certificates that the server orders itself.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::BoolishValueParser;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;

use crate::cli::values::{Problems, parse_file, parse_listen};
use crate::config::{ACME_DIRECTORY, AcmeConfig, TlsConfig};
use crate::model::EmailAddress;

/// Certificates, and HTTPS.
#[derive(Debug, Args)]
#[command(next_help_heading = "TLS")]
pub(super) struct TlsArgs {
    /// Address and port of the API and pages by HTTPS, such as `[::]:443`. Plain HTTP then leads there, and answers
    /// only /healthz, /readyz and what an authority asks [default: none]
    #[arg(long, env = "CRIER_HTTPS_LISTEN", value_name = "ADDR")]
    https_listen: Option<String>,
    /// Certificate chain for HTTPS and mail's TLS, PEM; may be repeated, each with its --tls-key. Clients get the one
    /// for the host that they name, or the first. Changed files are read within a minute, or on SIGHUP [default: a
    /// self-signed one, made at the first start]
    #[arg(long = "tls-cert", env = "CRIER_TLS_CERT", value_name = "FILE", value_delimiter = ',')]
    certs: Vec<String>,
    /// Private key of the certificate, PEM; repeated in the order of --tls-cert
    #[arg(long = "tls-key", env = "CRIER_TLS_KEY", value_name = "FILE", value_delimiter = ',')]
    keys: Vec<String>,
    /// Order certificates of an authority, agreeing to its terms, and renew them: for --hostname, the host of --base-url
    /// and every account's web domain whose address is right. The authority asks at port 80 (--http-listen) or 443
    /// (--https-listen) of each name
    #[arg(long, env = "CRIER_ACME", value_parser = BoolishValueParser::new())]
    acme: bool,
    /// Directory of the authority
    #[arg(long, env = "CRIER_ACME_DIRECTORY", value_name = "URL", default_value = ACME_DIRECTORY)]
    acme_directory: String,
    /// Mail address that the authority may write to; may be repeated
    #[arg(long = "acme-contact", env = "CRIER_ACME_CONTACT", value_name = "ADDRESS", value_delimiter = ',')]
    acme_contacts: Vec<String>,
    /// Certificates, PEM, by which the server of a private authority is trusted beside the public ones
    #[arg(long, env = "CRIER_ACME_CA", value_name = "FILE")]
    acme_ca: Option<String>,
}

impl TlsArgs {
    /// The address of HTTPS, as far as it is right: for comparisons with other listeners.
    pub(super) fn https_listen(&self) -> Option<SocketAddr> {
        parse_listen(self.https_listen.as_deref()?).ok()
    }

    /// The settings, without those that are wrong.
    pub(super) fn parse(&self, problems: &mut Problems) -> TlsConfig {
        let https_listen = problems.read_option("--https-listen", self.https_listen.as_deref(), parse_listen);
        TlsConfig { files: self.parse_files(problems), https_listen, acme: self.parse_acme(problems) }
    }

    fn parse_files(&self, problems: &mut Problems) -> Vec<(PathBuf, PathBuf)> {
        let given = |texts: &[String]| texts.iter().filter(|text| !text.trim().is_empty()).count();
        let (certs, keys) = (given(&self.certs), given(&self.keys));
        let read = |flag, texts, problems: &mut Problems| problems.read_all(flag, texts, parse_file);
        let (cert_files, key_files) =
            (read("--tls-cert", &self.certs, problems), read("--tls-key", &self.keys, problems));
        if keys < certs {
            problems.note("--tls-cert needs --tls-key, the file of its private key".to_owned());
        } else if certs < keys {
            problems.note("--tls-key needs --tls-cert, the file of its certificate chain".to_owned());
        }
        cert_files.into_iter().zip(key_files).collect()
    }

    fn parse_acme(&self, problems: &mut Problems) -> Option<AcmeConfig> {
        let directory = problems.read("--acme-directory", &self.acme_directory, parse_directory);
        let contacts = problems.read_all("--acme-contact", &self.acme_contacts, parse_contact);
        let authorities = problems.read_option("--acme-ca", self.acme_ca.as_deref(), parse_authorities);
        if !self.acme {
            return None;
        }
        let authorities = authorities.unwrap_or_default();
        Some(AcmeConfig { directory: directory?, contacts, authorities })
    }
}

/// Parses the URL of a directory: authorities speak HTTPS alone.
fn parse_directory(text: &str) -> Result<String, String> {
    let host = text.trim().strip_prefix("https://").and_then(|rest| rest.split(['/', '?']).next());
    let is_url =
        host.is_some_and(|host| !host.is_empty()) && text.trim().chars().all(|c| c.is_ascii_graphic());
    let right = || format!("must be a URL of HTTPS such as {ACME_DIRECTORY}");
    is_url.then(|| text.trim().to_owned()).ok_or_else(right)
}

/// Parses an address to write to, with or without `mailto:` in front of it.
fn parse_contact(text: &str) -> Result<String, String> {
    let address = text.trim().strip_prefix("mailto:").unwrap_or(text.trim());
    let right = |_| "must be a mail address such as admin@example.org".to_owned();
    EmailAddress::parse(address).map(|address| address.to_string()).map_err(right)
}

/// Reads the certificates of a file.
fn parse_authorities(text: &str) -> Result<Vec<Vec<u8>>, String> {
    let pem = std::fs::read(Path::new(text))
        .map_err(|error| format!("must be a file that can be read ({error})"))?;
    let certificates: Result<Vec<CertificateDer<'_>>, _> = CertificateDer::pem_slice_iter(&pem).collect();
    match certificates {
        Ok(certificates) if !certificates.is_empty() => {
            Ok(certificates.iter().map(|certificate| certificate.as_ref().to_vec()).collect())
        }
        _ => Err("must be a file with certificates, PEM".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Only {
        #[command(flatten)]
        args: TlsArgs,
    }

    fn parse(flags: &[&str]) -> (TlsConfig, String) {
        let only = Only::try_parse_from(["serve"].iter().chain(flags)).unwrap();
        let mut problems = Problems::default();
        (only.args.parse(&mut problems), problems.to_string())
    }

    #[test]
    fn certificates_and_keys_are_pairs_in_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let paths = ["a", "b", "c", "d"].map(|name| folder.path().join(name));
        for path in &paths {
            std::fs::write(path, "x").unwrap();
        }
        let [a, b, c, d] = paths.each_ref().map(|path| path.to_str().unwrap());
        let (config, problems) = parse(&["--tls-cert", a, "--tls-key", b, "--tls-cert", c, "--tls-key", d]);
        let [a, b, c, d] = paths;
        assert_eq!(config.files, [(a.clone(), b), (c, d)]);
        assert!(config.acme.is_none() && config.https_listen.is_none(), "{problems}");
        let (_, problems) = parse(&["--tls-cert", a.to_str().unwrap()]);
        assert_eq!(problems, "--tls-cert needs --tls-key, the file of its private key");
    }

    #[test]
    fn an_authority_is_lets_encrypt_unless_another_is_named() {
        let (config, _) = parse(&["--acme", "--acme-contact", "mailto:ops@example.org"]);
        let acme = config.acme.unwrap();
        assert_eq!(acme.directory, ACME_DIRECTORY);
        assert_eq!(acme.contacts, ["ops@example.org"]);
        let wrong = [
            ("--acme-directory", "http://ca.example.org/dir"),
            ("--acme-contact", "ops"),
            ("--acme-ca", "/nowhere"),
            ("--https-listen", "443"),
        ];
        for (flag, value) in wrong {
            let (_, problems) = parse(&["--acme", flag, value]);
            assert!(problems.starts_with(&format!("{flag} {value:?} must be")), "{problems}");
        }
    }
}
