//! Names a browser and its system in a few words, so that people recognise their devices. Called for every request of a
//! page; nothing is decided by it.

/// Browsers by a part of their `User-Agent`, the more specific first: most claim to be the others too.
const BROWSERS: [(&str, &str); 9] = [
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chrome/", "Chrome"),
    ("Safari/", "Safari"),
    ("curl/", "curl"),
];

/// Systems, the more specific first.
const SYSTEMS: [(&str, &str); 7] = [
    ("Android", "Android"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("Windows", "Windows"),
    ("Mac OS X", "Mac"),
    ("CrOS", "Chromebook"),
    ("Linux", "Linux"),
];

/// The browser and system in a `User-Agent`, in names that need no translation; blank if neither is known.
pub(super) fn in_words(user_agent: &str) -> String {
    let find = |names: &[(&str, &'static str)]| {
        names.iter().find(|(mark, _)| user_agent.contains(mark)).map(|(_, name)| *name)
    };
    let found = [find(&BROWSERS), find(&SYSTEMS)];
    found.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn browsers_are_known_by_what_only_they_say() {
        let chrome = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36";
        assert_eq!(in_words(chrome), "Chrome, Linux");
        assert_eq!(in_words(&chrome.replace("X11; Linux x86_64", "Linux; Android 16")), "Chrome, Android");
        assert_eq!(in_words(&format!("{chrome} Edg/156.0")), "Edge, Linux");
        let safari =
            "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile/15E148 Safari/604.1";
        assert_eq!(in_words(safari), "Safari, iPhone");
        assert_eq!(
            in_words("Mozilla/5.0 (Windows NT 10.0; rv:145.0) Gecko/20100101 Firefox/145.0"),
            "Firefox, Windows"
        );
        assert_eq!(in_words("w3m"), "");
    }
}
