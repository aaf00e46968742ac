//! A client of storage services that speak S3: it puts, gets, lists and deletes the objects of a bucket.
//!
//! Requests are signed by `sign`, answers read by `answer`; [`objects`] is what backups see. The connection is that of requests to servers that the operator names ([`net::https`](crate::net::https)). Objects of backups are
//! small enough for one request each, so there are no uploads in parts. What fails in passing is tried again.

mod answer;
pub mod objects;
mod sign;

use std::time::Duration;

use crate::clock::Clock;
use crate::config::Config;
use crate::config::backup::{S3Credentials, S3Settings};
use crate::net::https::{Exchange, Exchanged, OperatorClient};
use answer::{Page, Refusal};
use sign::{Unsigned, sign};

/// Waits between the tries of one request.
const WAITS: [Duration; 5] = [
    Duration::from_millis(250),
    Duration::from_millis(500),
    Duration::from_secs(1),
    Duration::from_secs(2),
    Duration::from_secs(4),
];
/// How long a small request and its answer may take, with all tries.
const PATIENCE: Duration = Duration::from_mins(1);
/// The slowest transfer that is waited for, in octets per second.
const SLOWEST: u64 = 16 * 1024;
/// The largest object that is read.
const OBJECT_BYTES_MAX: usize = 512 << 20;
/// The largest page of a listing.
const PAGE_BYTES_MAX: usize = 8 << 20;
/// The size of a page for which is waited: a thousand objects.
const PAGE_BYTES: u64 = 1 << 20;

/// The reason why a storage service did not do what it was asked for.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum S3Error {
    /// There is no such object.
    #[error("there is no such object")]
    NotFound,
    /// The service refused, or was not reached; in words for the operator.
    #[error("{0}")]
    Failed(String),
}

/// An object in a listing.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct S3Object {
    /// Its name behind the prefix.
    pub name: String,
    /// Its size.
    pub size_bytes: u64,
}

/// The objects of a bucket below a prefix.
#[derive(Debug, Clone)]
pub struct S3Client {
    https: OperatorClient,
    /// Signatures carry the real time, also in rehearsals of another.
    clock: Clock,
    settings: S3Settings,
    credentials: S3Credentials,
    /// The URL of the bucket without a final slash, its host, and the beginning of all paths.
    origin: String,
    host: String,
    base_path: String,
}

/// What is asked of a service.
struct Request<'a> {
    method: &'static str,
    name: Option<&'a str>,
    query: Vec<(&'static str, String)>,
    body: &'a [u8],
    /// The size of the body or of the answer that is expected at most, by which the time for it is reckoned.
    transfer_bytes: u64,
    answer_bytes_max: usize,
}

impl Request<'_> {
    /// How long it may take, all its tries together and each of them.
    fn patience(&self) -> Duration {
        PATIENCE + Duration::from_secs(self.transfer_bytes / SLOWEST)
    }

    /// Whether an answer 404 to it means that there is no such object, and nothing else.
    fn may_miss(&self) -> bool {
        self.name.is_some() && ["GET", "DELETE"].contains(&self.method)
    }
}

impl S3Client {
    /// A client that finds servers as `config` says.
    pub fn new(settings: S3Settings, config: &Config) -> Result<S3Client, S3Error> {
        let failed = |problem: String| S3Error::Failed(problem);
        let credentials = settings.credentials.clone().ok_or_else(|| {
            failed(
                "there is no key: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or name a file with \
                 --s3-credentials-file"
                    .to_owned(),
            )
        })?;
        let mut config = config.clone();
        config.trust.authorities.extend(settings.authorities.iter().cloned());
        let https = OperatorClient::new(&config).map_err(|error| failed(error.to_string()))?;
        let (origin, base_path) = place_of(&settings);
        let host = origin.split("://").nth(1).unwrap_or_default().to_owned();
        Ok(S3Client { https, clock: Clock::system(), settings, credentials, origin, host, base_path })
    }

    /// Writes an object, whole or not at all.
    ///
    /// # Errors
    /// If the service does not take it.
    pub async fn put(&self, name: &str, body: &[u8]) -> Result<(), S3Error> {
        let request = Request {
            method: "PUT",
            name: Some(name),
            query: Vec::new(),
            body,
            transfer_bytes: body.len() as u64,
            answer_bytes_max: 1 << 20,
        };
        self.ask(request).await.map(drop)
    }

    /// Reads a whole object, in the time that one of `expected_bytes` may take.
    ///
    /// # Errors
    /// `NotFound` if there is none.
    pub async fn get(&self, name: &str, expected_bytes: u64) -> Result<Vec<u8>, S3Error> {
        let request = Request {
            method: "GET",
            name: Some(name),
            query: Vec::new(),
            body: &[],
            transfer_bytes: expected_bytes,
            answer_bytes_max: OBJECT_BYTES_MAX,
        };
        self.ask(request).await
    }

    /// Deletes an object. One that does not exist is no error.
    ///
    /// # Errors
    /// If the service does not delete it.
    pub async fn delete(&self, name: &str) -> Result<(), S3Error> {
        let request = Request {
            method: "DELETE",
            name: Some(name),
            query: Vec::new(),
            body: &[],
            transfer_bytes: 0,
            answer_bytes_max: 1 << 20,
        };
        match self.ask(request).await {
            Ok(_) | Err(S3Error::NotFound) => Ok(()),
            Err(error) => Err(error),
        }
    }

    /// All objects whose names begin with `prefix`, in order.
    ///
    /// # Errors
    /// If the service does not list them.
    pub async fn list(&self, prefix: &str) -> Result<Vec<S3Object>, S3Error> {
        let (mut objects, mut next) = (Vec::new(), None);
        let whole = self.key(prefix);
        loop {
            let mut query = vec![
                ("list-type", "2".to_owned()),
                ("encoding-type", "url".to_owned()),
                ("prefix", whole.clone()),
            ];
            query.extend(next.take().map(|next| ("continuation-token", next)));
            let request = Request {
                method: "GET",
                name: None,
                query,
                body: &[],
                transfer_bytes: PAGE_BYTES,
                answer_bytes_max: PAGE_BYTES_MAX,
            };
            let body = self.ask(request).await?;
            let page = Page::parse(&String::from_utf8_lossy(&body));
            let page = page.ok_or_else(|| S3Error::Failed("the answer is no listing of S3".to_owned()))?;
            let behind = self.key("");
            objects.extend(page.objects.into_iter().filter_map(|(key, size_bytes)| {
                Some(S3Object { name: key.strip_prefix(&behind)?.to_owned(), size_bytes })
            }));
            match page.next {
                Some(token) => next = Some(token),
                None => break,
            }
        }
        objects.sort();
        Ok(objects)
    }

    /// The key of an object.
    fn key(&self, name: &str) -> String {
        match self.settings.prefix.as_str() {
            "" => name.to_owned(),
            prefix => format!("{prefix}/{name}"),
        }
    }

    /// Sends a request, again if it fails in passing; returns the body of the answer.
    async fn ask(&self, request: Request<'_>) -> Result<Vec<u8>, S3Error> {
        let mut waits = WAITS.iter();
        let begun = self.clock.steady();
        loop {
            let problem = match self.ask_once(&request).await {
                Ok(Exchanged { status: 200..=299, body, .. }) => return Ok(body),
                Ok(Exchanged { status, body, .. }) => {
                    let refusal = Refusal::parse(status, &body);
                    if status == 404 && request.may_miss() && refusal.code != "NoSuchBucket" {
                        return Err(S3Error::NotFound);
                    }
                    let words = refusal.words(&self.settings);
                    if !refusal.is_passing() {
                        return Err(S3Error::Failed(words));
                    }
                    words
                }
                Err(problem) => problem,
            };
            // A service that says nothing has had all its time.
            match waits.next().filter(|_| self.clock.steady().saturating_sub(begun) < request.patience()) {
                Some(wait) => tokio::time::sleep(*wait).await,
                None => return Err(S3Error::Failed(problem)),
            }
        }
    }

    async fn ask_once(&self, request: &Request<'_>) -> Result<Exchanged, String> {
        let Request { method, name, query, body, transfer_bytes: _, answer_bytes_max } = request;
        let path = match name {
            Some(name) => format!("{}/{}", self.base_path, sign::path(&self.key(name))),
            None => format!("{}/", self.base_path),
        };
        let header = vec![("host", self.host.clone())];
        let unsigned = Unsigned { method, path: &path, query, header, body };
        let header = sign(unsigned, &self.settings.region, &self.credentials, self.clock.now());
        let query = if query.is_empty() { String::new() } else { format!("?{}", sign::query(query)) };
        let exchange = Exchange {
            method,
            url: format!("{}{path}{query}", self.origin),
            header,
            body: body.to_vec(),
            patience: request.patience(),
            answer_bytes_max: *answer_bytes_max,
        };
        self.https.exchange(exchange).await.map_err(|error| format!("{} was not reached: {error}", self.host))
    }
}

/// The origin of the URLs of a bucket, and the beginning of their paths. An endpoint with `{bucket}` in its host, and
/// AWS itself, have the bucket in the host; others have it in the path.
fn place_of(settings: &S3Settings) -> (String, String) {
    let S3Settings { bucket, endpoint, region, .. } = settings;
    let own = format!("https://s3.{region}.amazonaws.com");
    let endpoint = endpoint.as_deref().unwrap_or(&own).trim_end_matches('/');
    let origin_end = endpoint.find("://").map_or(0, |at| at + 3);
    let path_start = endpoint[origin_end..].find('/').map_or(endpoint.len(), |at| origin_end + at);
    let (origin, path) = endpoint.split_at(path_start);
    if origin.contains("{bucket}") {
        return (origin.replace("{bucket}", bucket), path.to_owned());
    }
    // A certificate for `*.s3…` is for one label in front.
    if origin.ends_with(".amazonaws.com") && !bucket.contains('.') {
        return (origin.replacen("://", &format!("://{bucket}."), 1), path.to_owned());
    }
    (origin.to_owned(), format!("{path}/{}", sign::path(bucket)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(endpoint: Option<&str>, bucket: &str, expected: (&str, &str)) {
        let settings = S3Settings {
            bucket: bucket.to_owned(),
            prefix: String::new(),
            endpoint: endpoint.map(str::to_owned),
            region: "eu-west-3".to_owned(),
            credentials: None,
            authorities: Vec::new(),
        };
        let (origin, path) = place_of(&settings);
        assert_eq!((origin.as_str(), path.as_str()), expected, "{endpoint:?}");
    }

    #[test]
    fn a_bucket_stands_in_the_host_or_in_the_path() {
        check(None, "b", ("https://b.s3.eu-west-3.amazonaws.com", ""));
        check(None, "b.example.org", ("https://s3.eu-west-3.amazonaws.com", "/b.example.org"));
        check(Some("http://127.0.0.1:9000/"), "b", ("http://127.0.0.1:9000", "/b"));
        check(Some("https://x.org/s3"), "b", ("https://x.org", "/s3/b"));
        check(Some("https://{bucket}.x.org"), "b", ("https://b.x.org", ""));
    }

    #[test]
    fn only_what_asks_for_an_object_may_find_none_and_no_request_takes_an_hour() {
        let request = |method, name| Request {
            method,
            name,
            query: Vec::new(),
            body: &[],
            transfer_bytes: 20 << 20,
            answer_bytes_max: 1,
        };
        let misses = |method, name| request(method, name).may_miss();
        assert!(misses("GET", Some("locks/a")) && misses("DELETE", Some("locks/a")));
        assert!(!misses("GET", None) && !misses("PUT", Some("locks/a")));
        assert!(request("GET", None).patience() < Duration::from_mins(30));
    }
}
