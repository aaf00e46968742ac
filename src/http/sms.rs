//! The body in which the service of `--sms-webhook` is told what to send. `web` sends it.

use serde::Serialize;

/// A text message to a telephone.
#[derive(Serialize)]
struct TextMessage<'a> {
    to: &'a str,
    text: &'a str,
}

/// The JSON of a text message to a number in E.164 form.
#[must_use]
pub fn text_message(to: &str, text: &str) -> String {
    // Two texts are always JSON.
    serde_json::to_string(&TextMessage { to, text }).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_message_is_json() {
        let expected = r#"{"to":"+4915112345678","text":"Your \"code\": 123456\n"}"#;
        assert_eq!(text_message("+4915112345678", "Your \"code\": 123456\n"), expected);
    }
}
