//! The small picture beside the name of an author: initials on one of a few colours, which the stylesheet has. The same
//! author has the same colour everywhere; it is made of nothing but the name and a hash of the address.

use crate::secret::sha256;

/// The colours that the stylesheet has.
const COLOURS: u8 = 8;

/// A picture of an author.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::web) struct Face {
    /// One or two letters; blank for a name without any.
    pub(in crate::web) initials: String,
    /// The class of its colour.
    pub(in crate::web) class: String,
}

impl Face {
    /// The picture of an author with this name; `key` is what tells the author from others, such as an address.
    pub(in crate::web) fn of(name: &str, key: &str) -> Face {
        let hash = sha256(key.trim().to_lowercase().as_bytes());
        Face { initials: initials(name), class: format!("face f{}", hash[0] % COLOURS) }
    }
}

/// The first letters of the first and the last word of a name; of an address, the first letter.
fn initials(name: &str) -> String {
    let name = name.split('@').next().unwrap_or_default();
    let words = name.split(|c: char| !c.is_alphanumeric() && !matches!(c, '\'' | '’'));
    let mut letters = words.filter_map(|word| word.chars().find(|c| c.is_alphanumeric()));
    let first = letters.next();
    // One sign of a writing without capital letters says enough.
    let last = letters
        .next_back()
        .filter(|_| first.is_some_and(|first| first.is_lowercase() || first.is_uppercase()));
    first.into_iter().chain(last).flat_map(char::to_uppercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_face_has_the_letters_with_which_first_and_last_word_begin() {
        for (name, expected) in [
            ("Ada Quill", "AQ"),
            ("ada", "A"),
            ("Jean-Luc van der Berg", "JB"),
            ("Conan O’Brien", "CO"),
            ("émile zola", "ÉZ"),
            ("ada.lovelace@example.org", "AL"),
            ("ada@…", "A"),
            ("長谷川 ゆき", "長"),
            ("“Tom” (choir)", "TC"),
            ("…", ""),
            ("", ""),
        ] {
            assert_eq!(Face::of(name, "x").initials, expected, "{name}");
        }
    }

    #[test]
    fn an_author_keeps_the_colour_under_any_name() {
        let one = Face::of("Ada", "Ada@example.org");
        assert_eq!(one.class, Face::of("Ada Quill", " ada@EXAMPLE.org").class);
        let classes: std::collections::BTreeSet<String> =
            (0..200).map(|number| Face::of("", &format!("{number}@example.org")).class).collect();
        assert_eq!(classes.len(), usize::from(COLOURS));
        let style = include_str!("../assets/style.css");
        for class in classes {
            let class = class.replace("face ", ".");
            assert_eq!(style.matches(&format!("{class} {{")).count(), 2, "{class}, in light and in dark");
        }
    }
}
