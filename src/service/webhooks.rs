//! Sends one event to a webhook, signed as the Standard Webhooks specification says, and reads what its receiver answers.
//!
//! `jobs` sends events by it, and `api` tries a hook out.

use std::time::Duration;

use crate::clock::Timestamp;
use crate::model::Webhook;
use crate::net::hooks::{HookAnswer, KeptConnection};
use crate::ops::webhooks::Failure;
use crate::secret::hmac_sha256_base64;
use crate::service::Core;

/// Characters of an answer's body that a reply shows.
const BODY_CHARS_MAX: usize = 120;

/// The value of `webhook-signature`: a signature of each secret that signs at `now`.
#[must_use]
pub fn signatures(hook: &Webhook, id: &str, body: &str, now: Timestamp) -> String {
    let signed = format!("{id}.{}.{body}", now.ms() / 1000);
    let old = hook.old_secret.as_ref().filter(|(_, until)| now < *until).map(|(secret, _)| secret);
    let keys = std::iter::once(&hook.secret).chain(old);
    let signatures = keys.map(|key| format!("v1,{}", hmac_sha256_base64(key, signed.as_bytes())));
    signatures.collect::<Vec<_>>().join(" ")
}

impl Core {
    /// Makes one attempt to send a body to a hook; returns the status by which its receiver took it.
    ///
    /// # Errors
    /// If there was no answer, or none that takes it.
    pub async fn send_to_hook(
        &self,
        kept: &mut Option<KeptConnection>,
        hook: &Webhook,
        id: &str,
        body: &str,
    ) -> Result<u16, Failure> {
        let none = |reply: String| Failure { status: None, reply, retry_after: None };
        let Some(client) = &self.hook_client else { return Err(none("the server does not run".to_owned())) };
        let now = self.now();
        let header = [
            ("webhook-id", id.to_owned()),
            ("webhook-timestamp", (now.ms() / 1000).to_string()),
            ("webhook-signature", signatures(hook, id, body, now)),
        ];
        let answer = client.post(kept, &hook.url, &header, body).await.map_err(none)?;
        let HookAnswer { status, retry_after, text } = answer;
        if (200..300).contains(&status) {
            return Ok(status);
        }
        let words: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let words: String = words.chars().take(BODY_CHARS_MAX).collect();
        let reply = match status {
            300..400 => format!("{status}: redirects are not followed"),
            _ if words.is_empty() => status.to_string(),
            _ => format!("{status} {words}"),
        };
        let is_heeded = matches!(status, 429 | 502 | 503 | 504);
        let retry_after = retry_after.filter(|_| is_heeded).and_then(|text| wait_of(&text, now));
        Err(Failure { status: Some(status), reply, retry_after })
    }
}

/// The wait that a `Retry-After` asks for: seconds, or a date of HTTP.
fn wait_of(text: &str, now: Timestamp) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = jiff::fmt::rfc2822::parse(text).ok()?;
    Some(Timestamp::from_ms(date.timestamp().as_millisecond()).since(now))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{AccountId, WebhookId};

    fn hook(secret: &str) -> Webhook {
        Webhook {
            id: WebhookId(1),
            account: AccountId(1),
            url: String::new(),
            types: Vec::new(),
            description: String::new(),
            active: true,
            secret: data_encoding::BASE64.decode(secret.as_bytes()).unwrap(),
            old_secret: None,
            created: Timestamp::default(),
        }
    }

    /// The vector that all libraries of Standard Webhooks share.
    #[test]
    fn the_common_vector_is_signed_as_every_library_signs_it() {
        let hook = hook("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
        let now = Timestamp::from_ms(1_614_265_330_000);
        let found = signatures(&hook, "msg_p5jXN8AQM9LWM0D4loKWxJek", r#"{"test": 2432232314}"#, now);
        assert_eq!(found, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        let rotated =
            Webhook { old_secret: Some((hook.secret.clone(), now + Duration::from_secs(1))), ..hook };
        let both = signatures(&rotated, "msg_1", "{}", now);
        assert_eq!(both.split(' ').count(), 2);
        assert_eq!(signatures(&rotated, "msg_1", "{}", now + Duration::from_secs(1)).split(' ').count(), 1);
    }

    #[test]
    fn a_receiver_asks_for_a_wait_in_seconds_or_by_a_date() {
        let now = Timestamp::from_ms(784_111_777_000);
        assert_eq!(wait_of("120", now), Some(Duration::from_mins(2)));
        assert_eq!(wait_of("Sun, 06 Nov 1994 08:50:37 GMT", now), Some(Duration::from_mins(1)));
        assert_eq!(wait_of("soon", now), None);
    }
}
