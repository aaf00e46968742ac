//! The flags that name a storage service that speaks S3, and its key.

use std::path::{Path, PathBuf};

use clap::Args;
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;

use super::values::Problems;
use crate::config::backup::{BackupPlace, S3Credentials, S3Settings};

/// The beginning of the name of a place in a storage service.
const SCHEME: &str = "s3://";
/// The region of services that know none.
const REGION_DEFAULT: &str = "us-east-1";
const ENDPOINT_HELP: &str = "URL of the storage service for s3:// targets, such as https://s3.example.org; with {bucket} in \
     its host, buckets are asked for by name there, else in the path [default: AWS's of the region]";

/// Which storage service, and by which key.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Storage service (S3)")]
#[expect(clippy::struct_field_names, reason = "the fields have the names of their flags")]
pub(super) struct S3Args {
    #[arg(long, env = "CRIER_S3_ENDPOINT", value_name = "URL", help = ENDPOINT_HELP)]
    s3_endpoint: Option<String>,
    /// Region of the bucket [default: `AWS_REGION`, else us-east-1]
    #[arg(long, env = "CRIER_S3_REGION", value_name = "REGION")]
    s3_region: Option<String>,
    /// File with the key, in the form of ~/.aws/credentials; the profile is `AWS_PROFILE`, else default. `%d/NAME` is the
    /// credential NAME of a systemd service [default: `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_SESSION_TOKEN`]
    #[arg(long, env = "CRIER_S3_CREDENTIALS_FILE", value_name = "FILE")]
    s3_credentials_file: Option<String>,
    /// File with certificates of authorities, PEM, that are trusted for the storage service beside the public ones
    #[arg(long, env = "CRIER_S3_CA", value_name = "FILE")]
    s3_ca: Option<String>,
}

/// A variable of the environment that is not blank.
fn variable(name: &str) -> Option<String> {
    std::env::var(name).ok().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

impl S3Args {
    /// The place that a target names. Without the scheme of S3 it is one of this machine, and these flags are not read.
    pub(super) fn place(&self, flag: &str, target: &str, problems: &mut Problems) -> Option<BackupPlace> {
        let target = target.trim();
        if target.is_empty() {
            problems.note(format!("{flag} must be a folder, a file, or s3://BUCKET/PREFIX"));
            return None;
        }
        if !target.get(..SCHEME.len()).is_some_and(|scheme| scheme.eq_ignore_ascii_case(SCHEME)) {
            return Some(BackupPlace::Local(target.to_owned()));
        }
        let (bucket, prefix) = problems.read(flag, target, parse_bucket)?;
        let endpoint = problems.read_option("--s3-endpoint", self.s3_endpoint.as_deref(), parse_endpoint);
        let folder = std::env::var_os("CREDENTIALS_DIRECTORY").map(PathBuf::from);
        let profile = variable("AWS_PROFILE").unwrap_or_else(|| "default".to_owned());
        let read = |file: &str| {
            parse_credentials(&super::values::read_credential(file, folder.as_deref())?, &profile)
        };
        let in_file =
            problems.read_option("--s3-credentials-file", self.s3_credentials_file.as_deref(), read);
        let credentials = in_file.or_else(|| {
            Some(S3Credentials {
                access_key: variable("AWS_ACCESS_KEY_ID")?,
                secret_key: variable("AWS_SECRET_ACCESS_KEY")?,
                session_token: variable("AWS_SESSION_TOKEN"),
            })
        });
        if credentials.is_none() && problems.is_empty() {
            problems.note(format!(
                "{flag} {target} needs a key: --s3-credentials-file, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in \
                 the environment"
            ));
        }
        let authorities = problems.read_option("--s3-ca", self.s3_ca.as_deref(), parse_authorities);
        let region = self.s3_region.clone().filter(|region| !region.trim().is_empty());
        Some(BackupPlace::S3(S3Settings {
            bucket,
            prefix,
            endpoint,
            region: region.or_else(|| variable("AWS_REGION")).unwrap_or_else(|| REGION_DEFAULT.to_owned()),
            credentials,
            authorities: authorities.unwrap_or_default(),
        }))
    }
}

/// Parses `s3://bucket/prefix` into the bucket and the prefix.
fn parse_bucket(text: &str) -> Result<(String, String), String> {
    let right = || "must be s3://BUCKET or s3://BUCKET/PREFIX, such as s3://backups/crier".to_owned();
    let rest = &text[SCHEME.len()..];
    let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    if !(3..=63).contains(&bucket.len()) || !bucket.chars().all(is_plain) || prefix.contains(['?', '#']) {
        return Err(right());
    }
    Ok((bucket.to_owned(), prefix.trim_matches('/').to_owned()))
}

fn parse_endpoint(text: &str) -> Result<String, String> {
    let text = text.trim();
    let rest =
        ["https://", "http://"].iter().find_map(|scheme| text.strip_prefix(scheme)).unwrap_or_default();
    let host = rest.split('/').next().unwrap_or_default();
    let is_plain = |c: char| c.is_ascii_graphic() && !matches!(c, '@' | '?' | '#' | '"' | '<' | '>');
    if host.is_empty() || !rest.chars().all(is_plain) {
        return Err("must be a URL such as https://s3.example.org".to_owned());
    }
    Ok(text.to_owned())
}

/// Reads the key of a profile from a file of AWS's form.
fn parse_credentials(text: &str, profile: &str) -> Result<S3Credentials, String> {
    let (mut is_profile, mut is_found) = (false, false);
    let (mut access_key, mut secret_key, mut session_token) = (None, None, None);
    for line in text.lines().map(str::trim).filter(|line| !line.starts_with(['#', ';'])) {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            is_profile = name.trim() == profile;
            is_found |= is_profile;
            continue;
        }
        let Some((name, value)) = line.split_once('=').filter(|_| is_profile) else { continue };
        let value = Some(value.trim().to_owned()).filter(|value| !value.is_empty());
        match name.trim() {
            "aws_access_key_id" => access_key = value,
            "aws_secret_access_key" => secret_key = value,
            "aws_session_token" => session_token = value,
            _ => {}
        }
    }
    match (access_key, secret_key) {
        (Some(access_key), Some(secret_key)) => Ok(S3Credentials { access_key, secret_key, session_token }),
        _ if !is_found => Err(format!("has no profile [{profile}]")),
        _ => Err(format!("must have aws_access_key_id and aws_secret_access_key below [{profile}]")),
    }
}

/// Reads certificates from a file.
fn parse_authorities(file: &str) -> Result<Vec<Vec<u8>>, String> {
    let certificates =
        CertificateDer::pem_file_iter(Path::new(file)).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    match certificates {
        Ok(certificates) if certificates.is_empty() => Err("has no certificate".to_owned()),
        Ok(certificates) => Ok(certificates.into_iter().map(|certificate| certificate.to_vec()).collect()),
        Err(error) => Err(format!("cannot be read: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_a_bucket_and_a_prefix_or_of_this_machine() {
        assert_eq!(parse_bucket("s3://backups/a/b/"), Ok(("backups".to_owned(), "a/b".to_owned())));
        assert_eq!(parse_bucket("S3://backups"), Ok(("backups".to_owned(), String::new())));
        for wrong in ["s3://", "s3://a/b", "s3:///x", "s3://b ckets/x", "s3://backups/x?y"] {
            assert!(parse_bucket(wrong).unwrap_err().contains("s3://BUCKET/PREFIX"), "{wrong}");
        }
        let mut problems = Problems::default();
        // The last two have a character where the scheme would end.
        for local in ["/srv/backups/", "/b", "/srvé/", "/srv€"] {
            let place = S3Args::default().place("--backup-to", local, &mut problems);
            assert_eq!(place, Some(BackupPlace::Local(local.to_owned())));
        }
        assert!(problems.is_empty());
        assert_eq!(S3Args::default().place("TARGET", " ", &mut problems), None);
        assert_eq!(problems.to_string(), "TARGET must be a folder, a file, or s3://BUCKET/PREFIX");
    }

    #[test]
    fn a_key_is_read_from_a_file_of_the_usual_form() {
        let text = "# keys\n[other]\naws_access_key_id = X\n\n[default]\naws_access_key_id=A\n\
                    aws_secret_access_key = hunter2=\naws_session_token = T\n";
        let found = parse_credentials(text, "default").unwrap();
        assert_eq!((found.access_key.as_str(), found.secret_key.as_str()), ("A", "hunter2="));
        assert_eq!(found.session_token.as_deref(), Some("T"));
        assert!(!format!("{found:?}").contains("hunter2"));
        assert!(parse_credentials(text, "other").unwrap_err().contains("aws_secret_access_key"));
        assert_eq!(parse_credentials(text, "third").unwrap_err(), "has no profile [third]");
    }

    #[test]
    fn an_endpoint_is_a_url() {
        for right in ["https://s3.example.org", "http://127.0.0.1:9000", "https://{bucket}.x.org/a"] {
            assert_eq!(parse_endpoint(right), Ok(right.to_owned()));
        }
        for wrong in ["s3.example.org", "https://", "https://u:p@x.org", "ftp://x.org"] {
            assert!(parse_endpoint(wrong).is_err(), "{wrong}");
        }
    }
}
