//! Signs requests to storage services: AWS Signature Version 4, with a signed hash of the body.

use aws_lc_rs::hmac;
use data_encoding::HEXLOWER;
use jiff::tz::TimeZone;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::clock::Timestamp;
use crate::config::backup::S3Credentials;
use crate::secret::sha256;

/// The characters that stand for themselves in canonical requests are letters, digits and these.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
const ENCODED_BUT_SLASHES: &AsciiSet = &ENCODED.remove(b'/');

/// The fields of a request that are signed.
#[derive(Debug, Clone)]
pub(super) struct Unsigned<'a> {
    /// Its method.
    pub(super) method: &'a str,
    /// The path as it is sent, percent-encoded.
    pub(super) path: &'a str,
    /// The query, by name, not encoded.
    pub(super) query: &'a [(&'a str, String)],
    /// The fields of the header, by names in lower case, in their order; `host` is among them.
    pub(super) header: Vec<(&'static str, String)>,
    /// The body.
    pub(super) body: &'a [u8],
}

/// A path as it is sent: every octet but those of plain names is encoded, and slashes stay.
pub(super) fn path(text: &str) -> String {
    utf8_percent_encode(text, ENCODED_BUT_SLASHES).to_string()
}

/// A query as it is sent and signed: encoded, and in the order of the names.
pub(super) fn query(pairs: &[(&str, String)]) -> String {
    let encode = |text: &str| utf8_percent_encode(text, ENCODED).to_string();
    let mut pairs: Vec<String> =
        pairs.iter().map(|(name, value)| format!("{}={}", encode(name), encode(value))).collect();
    pairs.sort();
    pairs.join("&")
}

/// Adds the fields that prove the sender to the header of a request.
pub(super) fn sign(
    mut request: Unsigned<'_>,
    region: &str,
    credentials: &S3Credentials,
    now: Timestamp,
) -> Vec<(&'static str, String)> {
    let time = now.in_zone(TimeZone::UTC).strftime("%Y%m%dT%H%M%SZ").to_string();
    let body_hash = HEXLOWER.encode(&sha256(request.body));
    request.header.push(("x-amz-content-sha256", body_hash.clone()));
    request.header.push(("x-amz-date", time.clone()));
    if let Some(token) = &credentials.session_token {
        request.header.push(("x-amz-security-token", token.clone()));
    }
    request.header.sort_by_key(|(name, _)| *name);
    let scope = format!("{}/{region}/s3/aws4_request", &time[..8]);
    let signed: Vec<&str> = request.header.iter().map(|(name, _)| *name).collect();
    let signed = signed.join(";");
    let canonical = canonical_request(&request, &signed, &body_hash);
    let to_sign =
        format!("AWS4-HMAC-SHA256\n{time}\n{scope}\n{}", HEXLOWER.encode(&sha256(canonical.as_bytes())));
    let signature = HEXLOWER
        .encode(hmac::sign(&signing_key(&credentials.secret_key, &scope), to_sign.as_bytes()).as_ref());
    let authorization = format!(
        "AWS4-HMAC-SHA256 Credential={}/{scope}, SignedHeaders={signed}, Signature={signature}",
        credentials.access_key
    );
    request.header.push(("authorization", authorization));
    request.header
}

fn canonical_request(request: &Unsigned<'_>, signed: &str, body_hash: &str) -> String {
    let Unsigned { method, path, query: pairs, header, body: _ } = request;
    let fields: String = header.iter().flat_map(|(name, value)| [*name, ":", value.trim(), "\n"]).collect();
    format!("{method}\n{path}\n{}\n{fields}\n{signed}\n{body_hash}", query(pairs))
}

/// The key of a day, a region and a service: each part of the scope is signed with the key of those before it.
fn signing_key(secret: &str, scope: &str) -> hmac::Key {
    let first = hmac::Key::new(hmac::HMAC_SHA256, format!("AWS4{secret}").as_bytes());
    scope.split('/').fold(first, |key, part| {
        hmac::Key::new(hmac::HMAC_SHA256, hmac::sign(&key, part.as_bytes()).as_ref())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Signs as the examples of the documentation of S3 are signed ("Authenticating Requests: Using the Authorization
    /// Header"), and compares the signature.
    #[track_caller]
    fn check(
        (method, at): (&str, &str),
        query: &[(&str, &str)],
        fields: &[(&'static str, &str)],
        body: &str,
        signature: &str,
    ) {
        let credentials = S3Credentials {
            access_key: "AKIAIOSFODNN7EXAMPLE".to_owned(),
            secret_key: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY".to_owned(),
            session_token: None,
        };
        let mut header = vec![("host", "examplebucket.s3.amazonaws.com".to_owned())];
        header.extend(fields.iter().map(|(name, value)| (*name, (*value).to_owned())));
        let query: Vec<(&str, String)> =
            query.iter().map(|(name, value)| (*name, (*value).to_owned())).collect();
        let request = Unsigned { method, path: &path(at), query: &query, header, body: body.as_bytes() };
        let now = Timestamp::parse_rfc3339("2013-05-24T00:00:00Z").unwrap();
        let header = sign(request, "us-east-1", &credentials, now);
        let (_, authorization) = header.last().unwrap();
        assert!(authorization.starts_with(
            "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders="
        ));
        assert!(authorization.ends_with(&format!("Signature={signature}")), "{method} {at}: {authorization}");
    }

    #[test]
    fn requests_are_signed_as_the_examples_of_the_documentation_are() {
        check(
            ("GET", "/test.txt"),
            &[],
            &[("range", "bytes=0-9")],
            "",
            "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41",
        );
        check(
            ("PUT", "/test$file.text"),
            &[],
            &[("date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")],
            "Welcome to Amazon S3.",
            "98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd",
        );
        check(
            ("GET", "/"),
            &[("lifecycle", "")],
            &[],
            "",
            "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543",
        );
        check(
            ("GET", "/"),
            &[("prefix", "J"), ("max-keys", "2")],
            &[],
            "",
            "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7",
        );
    }

    #[test]
    fn names_are_encoded_as_they_are_signed() {
        assert_eq!(path("/a b/ü+c~d"), "/a%20b/%C3%BC%2Bc~d");
        assert_eq!(query(&[("prefix", "a/b".to_owned()), ("max", "1".to_owned())]), "max=1&prefix=a%2Fb");
    }
}
