//! Reads what storage services answer: listings, and errors, which are put into words.

use percent_encoding::percent_decode_str;

use crate::config::backup::S3Settings;

/// A page of a listing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Page {
    /// The keys of the objects and their sizes.
    pub(super) objects: Vec<(String, u64)>,
    /// What asks for the next page; `None` on the last one.
    pub(super) next: Option<String>,
}

impl Page {
    /// Reads an answer to `list-type=2`; `None` if it is none.
    pub(super) fn parse(xml: &str) -> Option<Page> {
        let listing = texts(xml, "ListBucketResult").next()?;
        let is_encoded = texts(listing, "EncodingType").any(|kind| kind == "url");
        let decode = |text: String| {
            if is_encoded {
                percent_decode_str(&text.replace('+', " ")).decode_utf8_lossy().into_owned()
            } else {
                text
            }
        };
        let mut objects = Vec::new();
        for object in texts(listing, "Contents") {
            let key = decode(unescape(texts(object, "Key").next()?));
            objects.push((key, texts(object, "Size").next()?.trim().parse().ok()?));
        }
        let is_more = texts(listing, "IsTruncated").any(|text| text.trim() == "true");
        let next = texts(listing, "NextContinuationToken").next().map(unescape).filter(|_| is_more);
        Some(Page { objects, next })
    }
}

/// The texts of all elements of this name, as they stand there. These answers neither nest elements of one name nor
/// have comments or other markup.
fn texts<'xml>(xml: &'xml str, name: &str) -> impl Iterator<Item = &'xml str> + use<'xml> {
    let (open, close) = (format!("<{name}"), format!("</{name}>"));
    let mut rest = xml;
    std::iter::from_fn(move || {
        loop {
            let begin = rest.find(&open)? + open.len();
            rest = &rest[begin..];
            // `<KeyCount>` is no `<Key>`.
            if rest.starts_with(['>', ' ']) {
                break;
            }
        }
        let text = &rest[rest.find('>')? + 1..];
        let end = text.find(&close)?;
        rest = &text[end + close.len()..];
        Some(&text[..end])
    })
}

fn unescape(text: &str) -> String {
    let text = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    text.replace("&#34;", "\"").replace("&apos;", "'").replace("&#39;", "'").replace("&amp;", "&")
}

/// The error that a service answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    /// The status of HTTP.
    pub(super) status: u16,
    /// The word of the service for it; blank if there is none.
    pub(super) code: String,
    message: String,
    region: Option<String>,
}

impl Refusal {
    /// Reads an answer that is no success.
    pub(super) fn parse(status: u16, body: &[u8]) -> Refusal {
        let xml = String::from_utf8_lossy(body);
        let one = |name: &str| texts(&xml, name).next().map(unescape);
        let code = one("Code").unwrap_or_default();
        Refusal { status, code, message: one("Message").unwrap_or_default(), region: one("Region") }
    }

    /// Whether the same request may succeed a moment later.
    pub(super) fn is_passing(&self) -> bool {
        (500..600).contains(&self.status)
            || self.status == 429
            || ["SlowDown", "RequestTimeout", "InternalError"].contains(&self.code.as_str())
    }

    /// What is wrong and how to mend it.
    pub(super) fn words(&self, settings: &S3Settings) -> String {
        let Refusal { status, code, message, region } = self;
        match code.as_str() {
            "SignatureDoesNotMatch" => {
                "the secret key is not that of the access key (SignatureDoesNotMatch)".to_owned()
            }
            "InvalidAccessKeyId" => {
                "the service does not know the access key (InvalidAccessKeyId)".to_owned()
            }
            "ExpiredToken" | "InvalidToken" => {
                format!("the session token is over or wrong ({code}): fetch new credentials")
            }
            "AccessDenied" => format!(
                "the key may not do this (AccessDenied): it needs to list {}, and to get, put and delete its objects",
                settings.bucket
            ),
            "NoSuchBucket" => format!("there is no bucket {} (NoSuchBucket): make it first", settings.bucket),
            "RequestTimeTooSkewed" => {
                "the clock of this machine is wrong by more than a quarter of an hour (RequestTimeTooSkewed)"
                    .to_owned()
            }
            "PermanentRedirect" | "AuthorizationHeaderMalformed" | "IllegalLocationConstraintException" => {
                let right = region.as_ref().map(|region| format!(": --s3-region {region}"));
                format!(
                    "the bucket is in another region than {} ({code}){}",
                    settings.region,
                    right.unwrap_or_default()
                )
            }
            "" if *status == 404 => "the service answered 404: is --s3-endpoint right?".to_owned(),
            "" => format!("the service answered {status}"),
            _ => format!("the service answered {status} {code}: {message}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_of_a_listing_is_read() {
        let xml = "<?xml version=\"1.0\"?>\n<ListBucketResult xmlns=\"http://s3.amazonaws.com/doc/2006-03-01/\">\
            <Name>b</Name><KeyCount>2</KeyCount><EncodingType>url</EncodingType><IsTruncated>true</IsTruncated>\
            <Contents><Key>a/%C3%BC+1</Key><Size>7</Size></Contents>\
            <Contents><Key>b&amp;c</Key><Size>0</Size></Contents>\
            <NextContinuationToken>x&amp;y=</NextContinuationToken></ListBucketResult>";
        let page = Page::parse(xml).unwrap();
        assert_eq!(page.objects, [("a/ü 1".to_owned(), 7), ("b&c".to_owned(), 0)]);
        assert_eq!(page.next.as_deref(), Some("x&y="));
        let empty = "<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>";
        assert_eq!(Page::parse(empty), Some(Page { objects: Vec::new(), next: None }));
        assert_eq!(Page::parse("<html>sign in</html>"), None);
        assert_eq!(
            Page::parse("<ListBucketResult><Contents><Key>a</Key></Contents></ListBucketResult>"),
            None
        );
    }

    #[test]
    fn errors_say_how_to_mend_them() {
        let settings = S3Settings {
            bucket: "b".to_owned(),
            prefix: String::new(),
            endpoint: None,
            region: "us-east-1".to_owned(),
            credentials: None,
            authorities: Vec::new(),
        };
        let words = |status, body: &str| Refusal::parse(status, body.as_bytes()).words(&settings);
        let told = words(404, "<Error><Code>NoSuchBucket</Code><Message>x</Message></Error>");
        assert_eq!(told, "there is no bucket b (NoSuchBucket): make it first");
        let told = words(
            400,
            "<Error><Code>AuthorizationHeaderMalformed</Code><Message>x</Message><Region>eu-west-3</Region></Error>",
        );
        assert!(told.ends_with("--s3-region eu-west-3"), "{told}");
        assert_eq!(words(502, "bad gateway"), "the service answered 502");
        assert_eq!(words(404, "<html>"), "the service answered 404: is --s3-endpoint right?");
        let odd = words(400, "<Error><Code>Odd</Code><Message>say &quot;a&quot;</Message></Error>");
        assert_eq!(odd, "the service answered 400 Odd: say \"a\"");
        assert!(Refusal::parse(503, b"<Error><Code>SlowDown</Code></Error>").is_passing());
        assert!(!Refusal::parse(403, b"<Error><Code>AccessDenied</Code></Error>").is_passing());
    }
}
