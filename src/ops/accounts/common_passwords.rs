//! Recognizes passwords that many people choose and that are tried first (NIST SP 800-63B-4, 3.1.1.2).
//!
//! The lists of leaked passwords are mostly short; those of twelve characters and more are made in a few ways, and so
//! they are recognized by rule: common words, the person's own address and the name of this service, rows of keys,
//! digits and repeated characters, alone or a few of them together. Letters count in any case, and digits and signs that
//! stand for letters as those. A passphrase of unusual words is none of these.

use crate::model::EmailAddress;

/// Common words that one password is made of at most; with more it is a passphrase, unless they are the same.
const WORDS_MAX: usize = 2;
/// Characters of a row of keys, or of a repeated character, that count as such a part.
const ROW_CHARS_MIN: usize = 3;
/// Characters of a unit whose repetition is recognized, whatever it is.
const UNIT_CHARS_MAX: usize = 6;
/// Characters that are looked at: what is longer is not on such lists.
const CHARS_MAX: usize = 64;
/// Characters beside digits and one common word that make nothing of it, such as signs at the end.
const OTHERS_MAX: usize = 2;

/// Rows of keys, read in both directions; a row may be left and entered anywhere.
const ROWS: &[&str] = &[
    "abcdefghijklmnopqrstuvwxyz",
    "01234567890123456789",
    "qwertyuiop",
    "qwertzuiop",
    "azertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "yxcvbnm",
    "1qaz2wsx3edc4rfv5tgb6yhn7ujm8ik",
    "qazwsxedcrfvtgbyhnujmik",
    "1q2w3e4r5t6y7u8i9o0p",
    "q1w2e3r4t5y6u7i8o9p0",
    "qweasdzxc",
    "147258369",
    "!@#$%^&*()_+",
    "!\"§$%&/()=",
];

/// Words that the lists of leaked passwords are full of, in the languages of the interface, and those of a service like
/// this one.
const WORDS: &[&str] = &[
    "password",
    "passwort",
    "motdepasse",
    "contraseña",
    "contrasena",
    "passw",
    "passwd",
    "pass",
    "kennwort",
    "geheim",
    "secret",
    "secreto",
    "letmein",
    "welcome",
    "willkommen",
    "bienvenue",
    "bienvenido",
    "administrator",
    "administrador",
    "administrateur",
    "admin",
    "root",
    "user",
    "guest",
    "test",
    "testing",
    "default",
    "changeme",
    "change",
    "login",
    "access",
    "master",
    "hello",
    "hallo",
    "bonjour",
    "hola",
    "iloveyou",
    "ichliebedich",
    "jetaime",
    "teamo",
    "tequiero",
    "loveyou",
    "lovely",
    "love",
    "liebe",
    "amour",
    "amor",
    "sunshine",
    "princess",
    "prinzessin",
    "princesse",
    "princesa",
    "football",
    "fussball",
    "fußball",
    "futbol",
    "baseball",
    "basketball",
    "softball",
    "hockey",
    "soccer",
    "monkey",
    "dragon",
    "superman",
    "batman",
    "spiderman",
    "pokemon",
    "starwars",
    "trustno",
    "shadow",
    "michael",
    "michelle",
    "jennifer",
    "jessica",
    "jordan",
    "thomas",
    "daniel",
    "charlie",
    "ashley",
    "nicole",
    "andrew",
    "anthony",
    "matthew",
    "christopher",
    "christian",
    "elizabeth",
    "alexander",
    "alexandra",
    "sebastian",
    "samantha",
    "stephanie",
    "victoria",
    "valentina",
    "alejandro",
    "alejandra",
    "francisco",
    "guillaume",
    "chocolate",
    "schokolade",
    "chocolat",
    "butterfly",
    "schmetterling",
    "papillon",
    "mariposa",
    "computer",
    "internet",
    "killer",
    "hunter",
    "ranger",
    "buster",
    "tigger",
    "liverpool",
    "arsenal",
    "chelsea",
    "barcelona",
    "realmadrid",
    "madrid",
    "manchester",
    "united",
    "juventus",
    "bayern",
    "summer",
    "sommer",
    "winter",
    "spring",
    "autumn",
    "herbst",
    "verano",
    "monday",
    "friday",
    "january",
    "february",
    "september",
    "october",
    "november",
    "december",
    "samsung",
    "google",
    "facebook",
    "microsoft",
    "windows",
    "apple",
    "android",
    "linux",
    "freedom",
    "freiheit",
    "whatever",
    "nothing",
    "jesus",
    "jesuschrist",
    "blessed",
    "heaven",
    "angel",
    "angels",
    "family",
    "familia",
    "forever",
    "friends",
    "flower",
    "flowers",
    "purple",
    "orange",
    "silver",
    "golden",
    "diamond",
    "mustang",
    "ferrari",
    "corvette",
    "mercedes",
    "porsche",
    "thunder",
    "lightning",
    "qwerty",
    "qwertz",
    "azerty",
    "asdf",
    "zxcv",
    "abc",
    "xyz",
    "my",
    "mein",
    "meine",
    "mon",
    "the",
    "is",
    "this",
    "new",
    "neu",
    "crier",
    "mailinglist",
    "mailinglists",
    "mailing",
    "mailingliste",
    "list",
    "lists",
    "listen",
    "listes",
    "listas",
    "newsletter",
    "mail",
    "email",
    "server",
    "example",
    "unbelievable",
    "masterofpuppets",
    "metallica",
    "blink",
    "correcthorsebatterystaple",
    "tobeornottobe",
    "administration",
];

/// Whether a password of at least twelve characters is one of the common ones.
pub(super) fn is_common(text: &str, username: Option<&EmailAddress>) -> bool {
    let letters: Vec<char> = text.trim().to_lowercase().chars().collect();
    let names = username.map(names_of).unwrap_or_default();
    letters.len() <= CHARS_MAX && (is_repeated(&letters) || is_composed(&letters, &names))
}

/// The parts of an address that others know: its local part, the words of that, and the labels of its domain.
fn names_of(username: &EmailAddress) -> Vec<Vec<char>> {
    let address = username.folded();
    let (local, domain) = address.split_once('@').unwrap_or((address.as_str(), ""));
    let words = local.split(|sign: char| !sign.is_alphanumeric()).chain(domain.split('.'));
    let words = std::iter::once(local).chain(std::iter::once(domain)).chain(words);
    words.filter(|word| ROW_CHARS_MIN <= word.chars().count()).map(|word| word.chars().collect()).collect()
}

/// The letter for which a digit or a sign stands.
fn letter_for(sign: char) -> char {
    match sign {
        '0' => 'o',
        '1' | '!' | '|' => 'i',
        '3' | '€' => 'e',
        '4' | '@' => 'a',
        '5' | '$' => 's',
        '7' => 't',
        other => other,
    }
}

/// Whether a text is a short unit over and over, the last one perhaps cut off.
fn is_repeated(letters: &[char]) -> bool {
    let mut units = 1..=UNIT_CHARS_MAX.min(letters.len() / 2);
    units.any(|unit| letters.iter().zip(&letters[unit..]).all(|(one, other)| one == other))
}

/// Whether a text begins with a word, whose letters other signs may stand for.
fn begins_with(letters: &[char], word: &[char]) -> bool {
    let is_same = |(sign, letter): (&char, &char)| sign == letter || letter_for(*sign) == *letter;
    word.len() <= letters.len() && letters.iter().zip(word).all(is_same)
}

/// A way to read the beginning of a text as common parts: the words used, and the other characters.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Reading<'w> {
    words: Vec<&'w [char]>,
    others: usize,
}

/// Whether a whole text is made of common parts.
fn is_composed(letters: &[char], names: &[Vec<char>]) -> bool {
    let common: Vec<Vec<char>> = WORDS.iter().map(|word| word.chars().collect()).collect();
    let words: Vec<&[char]> = common.iter().chain(names).map(Vec::as_slice).collect();
    let mut readings: Vec<Vec<Reading<'_>>> = vec![Vec::new(); letters.len() + 1];
    readings[0].push(Reading { words: Vec::new(), others: 0 });
    for at in 0..letters.len() {
        let rest = &letters[at..];
        for reading in std::mem::take(&mut readings[at]) {
            for word in words.iter().filter(|word| begins_with(rest, word)) {
                let mut longer = reading.clone();
                if !longer.words.contains(word) {
                    longer.words.push(word);
                }
                add(&mut readings[at + word.len()], longer);
            }
            let row = row_length(rest);
            for length in ROW_CHARS_MIN..=row {
                add(&mut readings[at + length], reading.clone());
            }
            // Digits behind words are years and counts.
            let is_digit = rest[0].is_ascii_digit();
            let others = reading.others + usize::from(!is_digit);
            add(&mut readings[at + 1], Reading { others, ..reading });
        }
    }
    !readings[letters.len()].is_empty()
}

/// Keeps a reading unless it has too much of its own, or is there already.
fn add<'w>(readings: &mut Vec<Reading<'w>>, reading: Reading<'w>) {
    // Several words with signs between them are a passphrase.
    let words_max = if reading.others == 0 { WORDS_MAX } else { 1 };
    let is_common = reading.words.len() <= words_max && reading.others <= OTHERS_MAX;
    if is_common && !readings.contains(&reading) {
        readings.push(reading);
    }
}

/// The length of the row of keys, or of one repeated character, with which a text begins.
fn row_length(letters: &[char]) -> usize {
    let same = letters.iter().take_while(|letter| **letter == letters[0]).count();
    let of_row = |row: &[char]| {
        let starts = (0..row.len()).filter(|start| row[*start] == letters[0]);
        let length = |start: usize| letters.iter().zip(&row[start..]).take_while(|(a, b)| a == b).count();
        starts.map(length).max().unwrap_or(0)
    };
    let rows = ROWS.iter().flat_map(|row| {
        let forwards: Vec<char> = row.chars().collect();
        let backwards: Vec<char> = row.chars().rev().collect();
        [of_row(&forwards), of_row(&backwards)]
    });
    rows.max().unwrap_or(0).max(same)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_common_of_boss(text: &str) -> bool {
        is_common(text, Some(&EmailAddress::parse("big.boss@choir.example.org").unwrap()))
    }

    #[test]
    fn what_lists_of_leaked_passwords_have_is_common() {
        for common in [
            "password1234",
            "Password123!",
            "PasswordPassword",
            "P@ssw0rd2024!",
            "passwort12345",
            "motdepasse123",
            "contraseña2026",
            "123456789012",
            "987654321098",
            "qwertyuiop12",
            "qwertyuiopasdfghjkl",
            "1q2w3e4r5t6y",
            "1qaz2wsx3edc",
            "zaq12wsxcde3",
            "aaaaaaaaaaaa",
            "abababababab",
            "abcabcabcabc",
            "abcdefghijkl",
            "letmeinletmein",
            "iloveyou1234",
            "iloveyouiloveyou",
            "administrator",
            "Administrator1",
            "welcome12345",
            "changeme1234",
            "sunshine2024!",
            "football1234",
            "unbelievable",
            "mailinglists",
            "crier-crier-crier",
            "qwerty123456",
            "asdfghjkl123",
            "000000000000",
            "correcthorsebatterystaple",
            "liverpool1892",
            "bigboss12345",
            "big.boss2026",
            "choir.example.org",
            "choirchoir2026",
            "trustno1trustno1",
            "111111222222",
            "Summer2026!!",
        ] {
            assert!(is_common_of_boss(common), "{common}");
        }
    }

    #[test]
    fn unusual_words_and_random_letters_are_not() {
        for good in [
            "a horse, of course",
            "another horse",
            "horse-battery",
            "another-secret",
            "the password of root",
            "ostrich violin teapot",
            "k7#vPq2!mZx9",
            "meine Katze heißt Ölbild",
            "tangerine lamppost",
            " öäü 日本 ßéñ x",
            "glockenspiel 4 oboes",
            "vaporoso enjambre",
            "long long winding road home",
            "the password of eve",
        ] {
            assert!(!is_common_of_boss(good), "{good}");
        }
        assert!(!is_common("choirchoir-tenor-row", None));
    }
}
