//! Reads the subject of a conversation out of the subjects of its messages.

/// The prefixes that mail programs put before the subject of a reply, in the languages that people use.
const REPLY_PREFIXES: [&str; 12] =
    ["re", "aw", "antw", "antwort", "sv", "vs", "odp", "ynt", "rif", "ref", "回复", "答复"];

/// The subject of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BaseSubject {
    /// It without the prefixes of replies and the tags of lists, in lower case, with single blanks.
    pub text: String,
    /// Whether it had the prefix of a reply.
    pub is_reply: bool,
}

/// The subject of the conversation to which a message with this subject belongs.
#[must_use]
pub fn base_subject(subject: &str) -> BaseSubject {
    let (mut rest, mut is_reply) = (subject.trim(), false);
    loop {
        if let Some(behind) = without_tag(rest) {
            rest = behind;
        } else if let Some(behind) = without_reply_prefix(rest) {
            rest = behind;
            is_reply = true;
        } else {
            break;
        }
    }
    let words: Vec<&str> = rest.split_whitespace().collect();
    BaseSubject { text: words.join(" ").to_lowercase(), is_reply }
}

/// The text behind the tag of a list, `[news]`, if something stands there.
fn without_tag(text: &str) -> Option<&str> {
    let (_, behind) = text.strip_prefix('[')?.split_once(']')?;
    Some(behind.trim_start()).filter(|behind| !behind.is_empty())
}

/// The text behind `Re:`, `Re[2]:` or `AW :`.
fn without_reply_prefix(text: &str) -> Option<&str> {
    let (word, behind) = text.split_once([':', '：'])?;
    let word = word.trim_end_matches(|c: char| c.is_ascii_digit() || " []()^*".contains(c));
    let is_prefix = REPLY_PREFIXES.iter().any(|prefix| word.eq_ignore_ascii_case(prefix));
    is_prefix.then(|| behind.trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(subject: &str, text: &str, is_reply: bool) {
        assert_eq!(base_subject(subject), BaseSubject { text: text.to_owned(), is_reply }, "{subject}");
    }

    #[test]
    fn replies_have_the_subject_of_what_they_reply_to() {
        check("Tea at five", "tea at five", false);
        check("Re: Tea  at five", "tea at five", true);
        check("AW: [news] Re[2]: tea at five ", "tea at five", true);
        check("[news] Tea", "tea", false);
        check("[news]", "[news]", false);
        check("回复：茶", "茶", true);
        check("Fwd: Tea", "fwd: tea", false);
        check("Remember: tea", "remember: tea", false);
        check("Re:", "", true);
        check("", "", false);
    }
}
