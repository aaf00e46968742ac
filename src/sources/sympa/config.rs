//! Parses the files of Sympa that consist of paragraphs of `key value`: the settings of a list, and dumps of people.

/// Most lines of a paragraph.
const LINES_MAX: usize = 500;
/// Most paragraphs of settings.
const PARAGRAPHS_MAX: usize = 2000;

/// A paragraph of settings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Paragraph {
    /// The name, with underscores for hyphens.
    pub(super) name: String,
    /// What stands behind the name; blank if settings follow on lines of their own.
    pub(super) value: String,
    /// The settings of the lines below.
    pub(super) entries: Vec<(String, String)>,
}

impl Paragraph {
    /// A setting of the lines below.
    pub(super) fn get(&self, key: &str) -> Option<&str> {
        self.entries.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str())
    }
}

/// Names that were used earlier, and those of today.
const EARLIER: &[(&str, &str)] = &[
    ("subscription", "subscribe"),
    ("unsubscription", "unsubscribe"),
    ("replyto", "reply_to"),
    ("forced_replyto", "forced_reply_to"),
    ("spam_protection", "web_archive_spam_protection"),
];

/// Parses settings. A line that begins with # is a comment; a paragraph that begins with no name is passed over.
pub(super) fn parse(text: &str) -> Vec<Paragraph> {
    paragraphs(text)
        .filter_map(|lines| {
            let mut lines = lines.filter(|line| !line.trim_start().starts_with('#')).map(pair);
            let (name, value) = lines.next().flatten()?;
            let name = name.replace('-', "_");
            let today = EARLIER.iter().find(|(earlier, _)| *earlier == name).map(|(_, today)| *today);
            let name = today.map_or(name, ToOwned::to_owned);
            Some(Paragraph { name, value, entries: lines.flatten().take(LINES_MAX).collect() })
        })
        .take(PARAGRAPHS_MAX)
        .collect()
}

/// The people of a dump: for each the keys and values.
pub(super) fn dump(text: &str) -> impl Iterator<Item = Vec<(&str, &str)>> {
    paragraphs(text).map(|lines| {
        let pairs = lines.filter_map(|line| {
            let (key, value) = line.trim().split_once([' ', '\t'])?;
            Some((key, value.trim()))
        });
        pairs.take(LINES_MAX).collect()
    })
}

/// The value of the first paragraph of a name.
pub(super) fn value<'a>(config: &'a [Paragraph], name: &str) -> Option<&'a str> {
    find(config, name).map(|paragraph| paragraph.value.as_str())
}

/// The first paragraph of a name.
pub(super) fn find<'a>(config: &'a [Paragraph], name: &str) -> Option<&'a Paragraph> {
    config.iter().find(|paragraph| paragraph.name == name)
}

/// The lines of each paragraph; blank lines stand between them.
fn paragraphs(text: &str) -> impl Iterator<Item = impl Iterator<Item = &str>> {
    let mut lines = text.lines().peekable();
    std::iter::from_fn(move || {
        while lines.next_if(|line| line.trim().is_empty()).is_some() {}
        let mut found = Vec::new();
        while let Some(line) = lines.next_if(|line| !line.trim().is_empty()) {
            found.push(line);
        }
        (!found.is_empty()).then(|| found.into_iter())
    })
}

/// The name at the beginning of a line, and what stands behind it; `None` if it begins with no name.
fn pair(line: &str) -> Option<(String, String)> {
    let line = line.trim();
    let end = line.find(char::is_whitespace).unwrap_or(line.len());
    let (name, value) = line.split_at(end);
    let is_name = name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'));
    (is_name && !name.is_empty()).then(|| (name.to_owned(), value.trim().to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_stand_in_paragraphs() {
        let text = "# made by hand\nsubject A list\n\n\nowner\n  email a@x.org\n# no\n  gecos Ada  L\n\n*bad\n\nreply-to\tlist\n";
        let config = parse(text);
        let names: Vec<&str> = config.iter().map(|paragraph| paragraph.name.as_str()).collect();
        assert_eq!(names, ["subject", "owner", "reply_to"]);
        assert_eq!(value(&config, "subject"), Some("A list"));
        assert_eq!(find(&config, "owner").and_then(|owner| owner.get("gecos")), Some("Ada  L"));
        assert_eq!(value(&config, "reply_to"), Some("list"));
    }

    #[test]
    fn a_dump_has_a_paragraph_a_person() {
        let people: Vec<_> = dump("email a@x.org\ngecos Ada\n\nemail b@x.org\r\n\r\n").collect();
        assert_eq!(people, [vec![("email", "a@x.org"), ("gecos", "Ada")], vec![("email", "b@x.org")]]);
    }
}
