//! Maps the columns of an imported file to fields of a contact, by their names.
//!
//! The names are those of the API, of the account's custom fields, and those under which common address books and
//! mailing services export: Google, Outlook, Thunderbird and Mailchimp, in several languages. An unknown column is
//! reported and never guessed.

use std::borrow::Cow;
use std::net::IpAddr;

use super::decisions::Decision;
use super::origins::{Meaning, Origin};
use super::pasted::{fold, visible};
use crate::clock::Timestamp;
use crate::model::{Account, CustomField, EmailAddress};
use crate::ops::people::contacts::ContactInput;
use crate::ops::people::imports::{Row, Standing};

/// Most columns of a file.
const COLUMNS_MAX: usize = 200;

/// The meaning of a column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Column {
    /// One field of the API.
    Field(String),
    /// Addresses, with commas or semicolons between them.
    Emails,
    /// Further addresses: the second or third of an address book.
    MoreEmails,
    /// A first name and a surname in one text.
    FullName,
    /// Names of lists, with commas or semicolons between them.
    Lists,
    /// What somebody decided elsewhere; kept as a field as well, if the account has one of this name.
    Decision {
        /// What the values say.
        kind: Decision,
        /// The name of the column.
        name: String,
        /// The field.
        field: Option<String>,
    },
    /// An object in JSON, whose members fill custom fields of their names.
    Attributes,
    /// When the person joined in another system, as Mailchimp writes it.
    JoinedAt,
    /// A part of that time, from the year to the second, as Google Groups writes it.
    JoinedPart(usize),
    /// From which network address.
    JoinedFrom,
    /// A name for a person without a whole one.
    OtherName,
    /// Whether the person may post; only told.
    Posting,
    /// The person's part in running a list; only told.
    Role,
    /// Nothing.
    Ignored,
}

/// The columns of a file, and where it comes from, if that is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Columns {
    pub(crate) columns: Vec<Column>,
    pub(crate) origin: Option<Origin>,
}

/// The additional column in files of refused rows.
pub const REASON_COLUMN: &str = "reject_reason";

/// Names of columns as [`fold`] makes them, by their meaning.
const EMAILS: &[&str] = &[
    "email",
    "emails",
    "emailaddress",
    "emailaddresses",
    "mail",
    "mails",
    "mailaddress",
    "mailadresse",
    "primaryemail",
    "email1value",
    "email1address",
    "emailadresse",
    "emailadressen",
    "adresseemail",
    "adressemail",
    "adressedemessagerie",
    "courriel",
    "correo",
    "correoelectronico",
    "emailadres",
    "direcciondecorreo",
    "direcciondecorreoelectronico",
    "indirizzoemail",
    "enderecodeemail",
    "epost",
];
const MORE_EMAILS: &[&str] = &[
    "secondaryemail",
    "additionalemail",
    "email2value",
    "email3value",
    "email4value",
    "email5value",
    "email2address",
    "email3address",
    "emailadresse2",
    "emailadresse3",
    "email2",
    "email3",
];
const LISTS: &[&str] = &["list", "lists"];
const FIRST_NAMES: &[&str] = &[
    "firstname",
    "first",
    "givenname",
    "forename",
    "fname",
    "vorname",
    "prenom",
    "nombre",
    "nombres",
    "nome",
    "voornaam",
    "fornavn",
    "fornamn",
    "imie",
];
const SURNAMES: &[&str] = &[
    "surname",
    "lastname",
    "last",
    "familyname",
    "lname",
    "nachname",
    "familienname",
    "zuname",
    "nom",
    "nomdefamille",
    "apellido",
    "apellidos",
    "cognome",
    "sobrenome",
    "achternaam",
    "etternavn",
    "efternamn",
    "nazwisko",
];
const FULL_NAMES: &[&str] = &[
    "name",
    "fullname",
    "displayname",
    "contactname",
    "anzeigename",
    "nomcomplet",
    "nomprenom",
    "nomaffiche",
    "nombrecompleto",
    "nombremostrado",
    "nomecompleto",
    "nickname",
];
/// Columns of exports that have no place here: passed over, and named.
const PASSED_OVER: &[&str] = &[
    // The downloads of this server's pages.
    "id",
    "created",
    "digest",
    // Google Groups.
    "postingpermissions",
    "joinyear",
    "joinmonth",
    "joinday",
    "joinhour",
    "joinminute",
    "joinsecond",
    // Groups.io.
    "poststatus",
    "modstatus",
    // Mailchimp.
    "memberrating",
    "latitude",
    "longitude",
    "gmtoff",
    "dstoff",
    "timezone",
    "cc",
    "region",
    "lastchanged",
    "leid",
    "euid",
    "tags",
    // listmonk.
    "uuid",
    "createdat",
    "updatedat",
];
const NOTES: &[&str] = &["notes", "note", "notizen", "remarques", "notas"];

impl Column {
    /// The meaning that the name of a column has in a file of an origin; `None` if it is not known.
    pub(crate) fn of(name: &str, fields: &[CustomField], origin: Option<Origin>) -> Option<Column> {
        let name = name.trim();
        if name == REASON_COLUMN {
            return Some(Column::Ignored);
        }
        let field = |name: &str| Some(Column::Field(name.to_owned()));
        let is_meant = |field: &&CustomField| field.key() == name || field.name.eq_ignore_ascii_case(name);
        if let Some(custom) = fields.iter().find(is_meant) {
            let key = custom.key();
            return match Decision::of_column(&fold(name)) {
                Some(kind) => {
                    Some(Column::Decision { kind, name: name.to_owned(), field: Some(key.to_owned()) })
                }
                None => field(key),
            };
        }
        if let Some(meaning) = origin.and_then(|origin| origin.meaning(name)) {
            return Column::of_meaning(meaning, name);
        }
        let folded = fold(name);
        if let Some(kind) = Decision::of_column(&folded) {
            return Some(Column::Decision { kind, name: name.to_owned(), field: None });
        }
        let is_one_of = |names: &[&str]| names.contains(&folded.as_str());
        match () {
            () if is_one_of(EMAILS) => Some(Column::Emails),
            () if is_one_of(MORE_EMAILS) => Some(Column::MoreEmails),
            () if is_one_of(LISTS) => Some(Column::Lists),
            () if is_one_of(FIRST_NAMES) => field("firstname"),
            () if is_one_of(SURNAMES) => field("surname"),
            () if is_one_of(FULL_NAMES) => Some(Column::FullName),
            () if is_one_of(NOTES) => field("notes"),
            () if folded == "ccid" => field("ccid"),
            () if folded == "attributes" => Some(Column::Attributes),
            () if is_one_of(&["confirmtime", "optintime"]) => Some(Column::JoinedAt),
            () if is_one_of(&["confirmip", "optinip"]) => Some(Column::JoinedFrom),
            () if is_one_of(PASSED_OVER) => Some(Column::Ignored),
            () => None,
        }
    }
}

impl Column {
    /// The column of a meaning that files of one origin have.
    fn of_meaning(meaning: Meaning, name: &str) -> Option<Column> {
        match meaning {
            Meaning::JoinedAt => Some(Column::JoinedAt),
            Meaning::JoinedPart(part) => Some(Column::JoinedPart(part)),
            Meaning::Posting => Some(Column::Posting),
            Meaning::Role => Some(Column::Role),
            Meaning::OtherName => Some(Column::OtherName),
            Meaning::Attributes => Some(Column::Attributes),
            Meaning::Decides(kind) => Some(Column::Decision { kind, name: name.to_owned(), field: None }),
            Meaning::LikeNamed(name) => Column::of(&name, &[], None),
            Meaning::Nothing => Some(Column::Ignored),
        }
    }

    /// The word that stands for the meaning where somebody chooses it: that of the API's field, `name` for a whole name,
    /// and a blank one for nothing.
    pub(crate) fn word(&self) -> Cow<'_, str> {
        let word = match self {
            Column::Field(name) => name,
            Column::Emails | Column::MoreEmails => "emails",
            Column::FullName => "name",
            Column::Lists => "lists",
            Column::Decision { kind, field: Some(field), .. } => {
                return Cow::Owned(format!("{}={field}", kind.word()));
            }
            Column::Decision { kind, field: None, .. } => kind.word(),
            Column::Attributes => "attributes",
            Column::JoinedAt => "joined-at",
            Column::JoinedPart(part) => return Cow::Owned(format!("joined-part-{part}")),
            Column::JoinedFrom => "joined-from",
            Column::OtherName => "other-name",
            Column::Posting | Column::Role | Column::Ignored => "",
        };
        Cow::Borrowed(word)
    }

    /// The meaning of a word that somebody chose; `None` if the account has no such field.
    pub(crate) fn from_word(word: &str, fields: &[CustomField]) -> Option<Column> {
        match word {
            "" => Some(Column::Ignored),
            "emails" => Some(Column::Emails),
            "name" => Some(Column::FullName),
            "lists" => Some(Column::Lists),
            "attributes" => Some(Column::Attributes),
            "joined-at" => Some(Column::JoinedAt),
            "joined-from" => Some(Column::JoinedFrom),
            "other-name" => Some(Column::OtherName),
            "firstname" | "surname" | "notes" | "ccid" => Some(Column::Field(word.to_owned())),
            other => {
                if let Some(part) = other.strip_prefix("joined-part-") {
                    return part.parse().ok().filter(|part| *part < 6).map(Column::JoinedPart);
                }
                let is_field = |key: &&str| fields.iter().any(|field| field.key() == *key);
                let (kind, key) = other.split_once('=').unwrap_or((other, ""));
                let field = Some(key).filter(is_field).map(str::to_owned);
                match Decision::from_word(kind) {
                    Some(kind) => Some(Column::Decision { kind, name: "it says".to_owned(), field }),
                    None => Some(other).filter(is_field).map(|key| Column::Field(key.to_owned())),
                }
            }
        }
    }
}

/// The fields of the contact in a row, as the API names them; blank cells are left out. The contact joins the `lists`
/// besides.
pub(crate) fn pairs(
    columns: &[Column],
    cells: Vec<String>,
    lists: &[String],
    custom: &[CustomField],
) -> Vec<(String, String)> {
    let mut fields: Vec<(String, String)> = Vec::with_capacity(cells.len() + lists.len());
    for list in lists {
        fields.push(("lists".to_owned(), list.clone()));
    }
    let (mut full_name, mut other_name) = (None, None);
    for (column, cell) in columns.iter().zip(cells) {
        match column {
            Column::Field(name) if !cell.trim().is_empty() => fields.push((name.clone(), cell)),
            Column::Emails | Column::MoreEmails => match mailbox(&visible(&cell)) {
                Some((name, address)) => {
                    full_name = full_name.or_else(|| Some(name.to_owned()));
                    fields.push(("emails".to_owned(), address.to_owned()));
                }
                None => fields.extend(parts(&visible(&cell)).map(|part| ("emails".to_owned(), part))),
            },
            Column::FullName => full_name = Some(cell).filter(|cell| !cell.trim().is_empty()),
            Column::Lists => fields.extend(parts(&cell).map(|part| ("lists".to_owned(), part))),
            Column::Decision { field: Some(field), .. } if !cell.trim().is_empty() => {
                fields.push((field.clone(), cell));
            }
            Column::Attributes => fields.extend(attributes(&cell, custom)),
            Column::OtherName if !cell.trim().is_empty() => other_name = Some(cell),
            Column::Field(_)
            | Column::Decision { .. }
            | Column::JoinedAt
            | Column::JoinedPart(_)
            | Column::JoinedFrom
            | Column::OtherName
            | Column::Posting
            | Column::Role
            | Column::Ignored => {}
        }
    }
    let full_name = full_name.or(other_name);
    let has_name = fields.iter().any(|(name, _)| name == "firstname" || name == "surname");
    if let Some(name) = full_name.filter(|_| !has_name) {
        let (firstname, surname) = split_name(&name);
        let named = [("firstname", firstname), ("surname", surname)];
        let named = named.into_iter().filter(|(_, value)| !value.is_empty());
        fields.extend(named.map(|(name, value)| (name.to_owned(), value)));
    }
    fields
}

/// What the cells of a row say of the person's mail: the gravest of what its columns say.
fn standing(columns: &[Column], cells: &[String]) -> Standing {
    let said = columns.iter().zip(cells).filter_map(|(column, cell)| match column {
        Column::Decision { kind, name, field } => Some(kind.standing(name, cell, field.is_some())),
        _ => None,
    });
    said.max_by_key(Standing::gravity).unwrap_or_default()
}

/// A row: the contact, and what its cells say of mail to it.
pub(crate) fn row(columns: &[Column], cells: &[String], mut contact: ContactInput) -> Row {
    let standing = standing(columns, cells);
    for (column, cell) in columns.iter().zip(cells) {
        // Downloads of this server's pages name the addresses that are paused.
        if matches!(column, Column::Decision { kind: Decision::Paused, .. }) {
            let paused: Vec<EmailAddress> =
                parts(cell).filter_map(|part| EmailAddress::parse(&part).ok()).collect();
            for email in contact.emails.iter_mut().flatten() {
                let is_it = |address: &EmailAddress| Some(address) == email.address.as_ref();
                if paused.iter().any(is_it) {
                    email.paused = Some(true);
                }
            }
        }
    }
    let takes_digest = columns.iter().zip(cells).any(|(column, cell)| match column {
        Column::Decision { kind: Decision::Delivery, .. } => Decision::is_digest(cell),
        _ => false,
    });
    if takes_digest {
        take_digest(&mut contact);
    }
    contact.joined = joined_elsewhere(columns, cells);
    Row { contact, standing }
}

/// Has a row's person get the daily digest: of the lists of the row, or at the addresses if it names none.
fn take_digest(contact: &mut ContactInput) {
    match contact.lists.as_deref_mut() {
        Some(lists) if !lists.is_empty() => {
            for list in lists {
                list.settings.digest = Some(Some(true));
            }
        }
        _ => {
            for email in contact.emails.iter_mut().flatten() {
                email.digest = Some(true);
            }
        }
    }
}

/// When and from where the person joined elsewhere: the later time, which is that of a confirmation.
fn joined_elsewhere(columns: &[Column], cells: &[String]) -> Option<(Timestamp, Option<IpAddr>)> {
    let of = |wanted: Column| {
        columns.iter().zip(cells).filter(move |(column, _)| **column == wanted).map(|(_, cell)| cell.trim())
    };
    let time = |cell: &str| {
        let whole = cell.replacen(' ', "T", 1);
        let forms = [whole.clone(), format!("{whole}Z"), format!("{whole}T00:00:00Z")];
        forms.iter().find_map(|form| Timestamp::parse_rfc3339(form))
    };
    let when =
        of(Column::JoinedAt).filter_map(time).max().or_else(|| time(&time_of_parts(columns, cells)?))?;
    Some((when, of(Column::JoinedFrom).rev().find_map(|cell| cell.parse().ok())))
}

/// A time whose parts stand in cells of their own; `None` if the day is not whole.
fn time_of_parts(columns: &[Column], cells: &[String]) -> Option<String> {
    let mut parts: [Option<u32>; 6] = [None; 6];
    for (column, cell) in columns.iter().zip(cells) {
        if let Column::JoinedPart(part) = column {
            *parts.get_mut(*part)? = cell.trim().parse().ok();
        }
    }
    let [year, month, day, hour, minute, second] = parts;
    let (hour, minute, second) = (hour.unwrap_or(0), minute.unwrap_or(0), second.unwrap_or(0));
    Some(format!("{:04}-{:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", year?, month?, day?))
}

/// The names of the members of an object in JSON that say something and have no custom field.
pub(super) fn attribute_names(cell: &str, custom: &[CustomField]) -> Vec<String> {
    let Ok(serde_json::Value::Object(object)) = serde_json::from_str(cell) else { return Vec::new() };
    let is_blank = |value: &serde_json::Value| value.is_null() || value.as_str() == Some("");
    let said = object.into_iter().filter(|(_, value)| !is_blank(value)).map(|(name, _)| name);
    said.filter(|name| !custom.iter().any(|field| is_called(field, name))).collect()
}

fn is_called(field: &CustomField, name: &str) -> bool {
    field.key() == name || field.name.eq_ignore_ascii_case(name)
}

/// The members of an object in JSON that have the names of custom fields.
fn attributes(cell: &str, custom: &[CustomField]) -> Vec<(String, String)> {
    let Ok(serde_json::Value::Object(object)) = serde_json::from_str(cell) else { return Vec::new() };
    let mut found = Vec::new();
    for (name, value) in object {
        let Some(field) = custom.iter().find(|field| is_called(field, &name)) else { continue };
        let text = match value {
            serde_json::Value::Null => continue,
            serde_json::Value::String(text) => text,
            other => other.to_string(),
        };
        found.push((field.key().to_owned(), text));
    }
    found
}

/// Splits a cell that holds several values.
fn parts(cell: &str) -> impl Iterator<Item = String> {
    cell.split([',', ';']).map(str::trim).filter(|part| !part.is_empty()).map(str::to_owned)
}

/// Finds the meaning of each column of a file, or returns the problems of its first line.
pub(crate) fn columns(names: &[String], ignore_unknown: bool, account: &Account) -> Result<Columns, String> {
    let mut unknown = Vec::new();
    let mut columns: Vec<Column> = Vec::with_capacity(names.len());
    let origin = Origin::of(names);
    for name in names {
        match Column::of(name, &account.custom_fields, origin) {
            // Spreadsheets write columns that have neither a name nor cells.
            None if name.trim().is_empty() || ignore_unknown || origin.is_some() => {
                columns.push(Column::Ignored);
            }
            None => unknown.push(format!("{name:?}")),
            Some(
                column @ (Column::MoreEmails
                | Column::Decision { .. }
                | Column::JoinedAt
                | Column::JoinedFrom
                | Column::OtherName
                | Column::Posting
                | Column::Role
                | Column::Ignored),
            ) => columns.push(column),
            Some(column) if columns.contains(&column) => {
                return Err(format!(
                    "the column {name:?} holds what an earlier column holds already: delete or rename one of them"
                ));
            }
            Some(column) => columns.push(column),
        }
    }
    if COLUMNS_MAX < names.len() {
        return Err(format!("the file has more than {COLUMNS_MAX} columns"));
    }
    let has_emails = columns.iter().any(|column| matches!(column, Column::Emails | Column::MoreEmails));
    let keys: Vec<&str> = account.custom_fields.iter().map(CustomField::key).collect();
    let custom = if keys.is_empty() { String::new() } else { format!(", {}", keys.join(", ")) };
    if !has_emails {
        let found = match unknown.as_slice() {
            [] => String::new(),
            names => format!("; it names {}", names.join(", ")),
        };
        return Err(format!(
            "the first line must name the columns, and one of them must be email{found}; the others may be name, \
             firstname, surname, lists, ccid, notes{custom}"
        ));
    }
    if !unknown.is_empty() {
        return Err(format!(
            "these columns are not understood: {}; known are email, name, firstname, surname, lists, ccid, \
             notes{custom}; pass over the others with --ignore-unknown, or keep them with crier field add",
            unknown.join(", ")
        ));
    }
    Ok(Columns { columns, origin })
}

/// Returns the address in a text such as `Ada Lovelace <ada@example.org>`, and the name before it.
pub(crate) fn mailbox(text: &str) -> Option<(&str, &str)> {
    let (name, address) = text.trim().strip_suffix('>')?.rsplit_once('<')?;
    EmailAddress::parse(address).ok()?;
    Some((name.trim().trim_matches(['"', '\'']).trim(), address.trim()))
}

/// Splits a name into first name and surname.
///
/// The surname is the last word, with the particles before it (`van`, `de la`) and a suffix behind it; in a name with
/// a comma it is the part before the comma. A single word is a first name.
pub(crate) fn split_name(name: &str) -> (String, String) {
    if let Some((surname, first)) = name.split_once(',')
        && !is_suffix(first.trim())
    {
        return (joined(first), joined(surname));
    }
    let words: Vec<&str> = name.split_whitespace().collect();
    let mut start = words.len().saturating_sub(1);
    if words.last().is_some_and(|word| is_suffix(word)) {
        start = start.saturating_sub(1);
    }
    let is_particle = |word: &&str| word.chars().next().is_some_and(char::is_lowercase);
    while 1 < start && words.get(start - 1).is_some_and(is_particle) {
        start -= 1;
    }
    // A single word is a first name.
    let start = start.max(1).min(words.len());
    (words[..start].join(" "), words[start..].join(" "))
}

fn joined(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_suffix(word: &str) -> bool {
    ["jr", "sr", "ii", "iii", "iv"]
        .iter()
        .any(|suffix| word.trim_end_matches('.').eq_ignore_ascii_case(suffix))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::AccountId;

    fn read(names: &str) -> Result<Vec<Column>, String> {
        let account = Account::new(AccountId(1), "example".to_owned(), Timestamp::default());
        let names: Vec<String> = names.split(',').map(str::to_owned).collect();
        columns(&names, false, &account).map(|columns| columns.columns)
    }

    #[track_caller]
    fn check(names: &str, expected: &str) {
        let word = |column: &Column| match column {
            Column::Field(name) => name.clone(),
            Column::Emails => "emails".to_owned(),
            Column::MoreEmails => "more".to_owned(),
            Column::FullName => "name".to_owned(),
            Column::Lists => "lists".to_owned(),
            Column::Decision { kind, .. } => kind.word().to_owned(),
            Column::Attributes => "attributes".to_owned(),
            Column::JoinedAt => "joined-at".to_owned(),
            Column::JoinedFrom => "joined-from".to_owned(),
            Column::JoinedPart(part) => format!("joined-{part}"),
            Column::OtherName => "other".to_owned(),
            Column::Posting => "posting".to_owned(),
            Column::Role => "role".to_owned(),
            Column::Ignored => "-".to_owned(),
        };
        let columns = read(names).map(|columns| columns.iter().map(word).collect::<Vec<_>>().join(" "));
        assert_eq!(columns.as_deref(), Ok(expected), "{names}");
    }

    #[test]
    fn heads_of_common_exports_are_understood() {
        check(
            "First Name,Last Name,Notes,E-mail 1 - Value,E-mail 2 - Value",
            "firstname surname notes emails more",
        );
        check("Name,Given Name,Family Name,E-mail 1 - Value", "name firstname surname emails");
        check("Vorname,Nachname,E-Mail-Adresse,E-Mail-Adresse 2", "firstname surname emails more");
        check(
            "First Name,Last Name,Display Name,Primary Email,Secondary Email",
            "firstname surname name emails more",
        );
        check("Email Address,First Name,Last Name,", "emails firstname surname -");
        check("Prénom,Nom,Adresse de messagerie", "firstname surname emails");
        check("Nombre,Apellidos,Correo electrónico", "firstname surname emails");
        check("Mail,NAME", "emails name");
        check("E-Mail,FNAME,LNAME,reject_reason", "emails firstname surname -");
    }

    #[test]
    fn a_column_that_is_not_understood_is_named() {
        let told = read("email,Phone,Fax").unwrap_err();
        assert!(told.contains("not understood: \"Phone\", \"Fax\""), "{told}");
        let told = read("Phone,Fax").unwrap_err();
        assert!(told.contains("one of them must be email; it names \"Phone\", \"Fax\""), "{told}");
        let told = read("email,Vorname,First Name").unwrap_err();
        assert!(told.contains("\"First Name\" holds what an earlier column"), "{told}");
    }

    #[test]
    fn a_name_is_split_before_its_surname() {
        for (name, first, surname) in [
            ("Ada Lovelace", "Ada", "Lovelace"),
            ("Lovelace, Ada", "Ada", "Lovelace"),
            ("Ada", "Ada", ""),
            ("Anna Maria  Schmidt", "Anna Maria", "Schmidt"),
            ("Ludwig van Beethoven", "Ludwig", "van Beethoven"),
            ("Charles de la Vallée Poussin", "Charles de la Vallée", "Poussin"),
            ("María de la Cruz", "María", "de la Cruz"),
            ("Martin Luther King Jr.", "Martin Luther", "King Jr."),
            ("de Gaulle", "de", "Gaulle"),
            ("", "", ""),
        ] {
            assert_eq!(split_name(name), (first.to_owned(), surname.to_owned()), "{name}");
        }
    }

    #[test]
    fn a_mailbox_is_an_address_with_a_name_before_it() {
        assert_eq!(mailbox("Ada Lovelace <ada@x.org>"), Some(("Ada Lovelace", "ada@x.org")));
        assert_eq!(mailbox("\"Lovelace, Ada\" <ada@x.org>"), Some(("Lovelace, Ada", "ada@x.org")));
        assert_eq!(mailbox("<ada@x.org>"), Some(("", "ada@x.org")));
        assert_eq!(mailbox("ada@x.org"), None);
        assert_eq!(mailbox("Ada <ada>"), None);
    }
}
