//! Reads the addresses of pages that other servers of mailing lists have: Mailman 2 with pipermail, Mailman 3 with
//! Postorius and `HyperKitty`, Sympa.
//!
//! The words of an address are looked for at its beginning, and behind a prefix of a few parts, under which such a
//! server may have been installed. Nothing is looked up here.

use std::borrow::Cow;

use data_encoding::BASE32_NOPAD;

use super::OldAddress;
use super::list::check_name;

/// Parts of a path in front of the words by which an address is known.
const PREFIX_PARTS_MAX: usize = 3;
/// Parts of a path that are read.
const PARTS_MAX: usize = 16;
/// Bytes of a path that is read.
const PATH_BYTES_MAX: usize = 2000;

/// The page that an old address means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OldPlace {
    /// The first page, which names the lists.
    Home,
    /// The page on which members manage themselves.
    Members,
    /// A page of a list that anybody may ask for.
    List {
        /// The name of the list, or what stands for it.
        list: OldList,
        /// Which of its pages.
        page: ListPage,
    },
    /// A page of the archive of a list.
    Archive {
        /// The name of the list.
        list: String,
        /// Which page.
        page: ArchivePage,
    },
}

/// How an old address names a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OldList {
    /// By its name.
    Name(String),
    /// By its name and its host with a dot between them.
    Dotted(String),
}

/// A page of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListPage {
    /// The page of the list itself, with its archive.
    First,
    /// The form to join it.
    Join,
    /// The form to leave it.
    Leave,
    /// The search of its archive.
    Search,
    /// Its newest messages for feed readers.
    Feed,
    /// Its settings.
    Settings,
}

/// A page of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ArchivePage {
    /// A month, as `2015-04`.
    Month(String),
    /// A message, and the month that its address names.
    Message {
        /// The message.
        address: OldAddress,
        /// The month, as `2015-04`.
        month: Option<String>,
    },
    /// The thread that begins with a message.
    Thread(OldAddress),
    /// The message with this Message-ID.
    MessageId(String),
}

/// The page that the path of an old address means; `None` if it is no such address.
#[must_use]
pub fn read(path: &str) -> Option<OldPlace> {
    if PATH_BYTES_MAX < path.len() {
        return None;
    }
    let parts: Vec<Cow<'_, str>> = path.split('/').filter(|part| !part.is_empty()).map(decoded).collect();
    if PARTS_MAX < parts.len() {
        return None;
    }
    let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).collect();
    (0..=PREFIX_PARTS_MAX.min(parts.len())).find_map(|start| read_parts(&parts[start..]))
}

fn decoded(part: &str) -> Cow<'_, str> {
    percent_encoding::percent_decode_str(part).decode_utf8_lossy()
}

fn read_parts(parts: &[&str]) -> Option<OldPlace> {
    match parts {
        ["pipermail" | "private" | "archives" | "hyperkitty"] => Some(OldPlace::Home),
        ["pipermail" | "private", list, rest @ ..] => pipermail(list, rest),
        ["mailman", rest @ ..] => mailman(rest),
        ["archives" | "hyperkitty", "list", list, rest @ ..] => hyperkitty(list, rest),
        ["postorius" | "mailman3", "lists", rest @ ..] => postorius(rest),
        ["sympa" | "wws", rest @ ..] => sympa(rest),
        _ => None,
    }
}

/// The name of a list, if that may be one. Of an address, its local part is the name.
fn list_name(text: &str) -> Option<String> {
    let name = text.split_once('@').map_or(text, |(local, _)| local);
    // Pipermail has the raw mail of a list under this name.
    let name = name.strip_suffix(".mbox").unwrap_or(name);
    check_name(name).ok().map(|()| name.to_owned())
}

fn page_of(list: &str, page: ListPage) -> Option<OldPlace> {
    Some(OldPlace::List { list: OldList::Name(list_name(list)?), page })
}

fn archive(list: &str, page: ArchivePage) -> Option<OldPlace> {
    Some(OldPlace::Archive { list: list_name(list)?, page })
}

/// `/pipermail/LIST/…`, the pages of an archive of Mailman 2.
fn pipermail(list: &str, rest: &[&str]) -> Option<OldPlace> {
    match rest {
        // A day of pages with attachments stands above the messages that had them.
        ["attachments", day, ..] => match volume_month(day) {
            Some(month) => archive(list, ArchivePage::Month(month)),
            None => page_of(list, ListPage::First),
        },
        [file] => match volume_month(file.split('.').next().unwrap_or_default()) {
            Some(month) => archive(list, ArchivePage::Month(month)),
            None => page_of(list, ListPage::First),
        },
        [volume, page] => {
            let month = volume_month(volume);
            let number = page.strip_suffix(".html").filter(|number| is_number(number));
            match (number.and_then(|number| number.parse().ok()), month) {
                (Some(number), month) => {
                    let address = OldAddress::Pipermail { volume: (*volume).to_owned(), number };
                    archive(list, ArchivePage::Message { address, month })
                }
                (None, Some(month)) => archive(list, ArchivePage::Month(month)),
                (None, None) => page_of(list, ListPage::First),
            }
        }
        _ => page_of(list, ListPage::First),
    }
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// English names of months, as pipermail has them whatever language its lists speak.
pub const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// The month, as `2015-04`, with which a volume of pipermail begins: `2015-April`, `2015q2`, `Week-of-Mon-20150406`,
/// `20150406`. A year has none.
#[must_use]
pub fn volume_month(volume: &str) -> Option<String> {
    let volume = volume.to_lowercase();
    let day = volume.strip_prefix("week-of-mon-").unwrap_or(&volume);
    if day.len() == 8 && is_number(day) {
        return month_of(&day[..4], &day[4..6]);
    }
    if let Some((year, quarter)) = volume.split_once('q') {
        let first = match quarter {
            "1" => "01",
            "2" => "04",
            "3" => "07",
            "4" => "10",
            _ => return None,
        };
        return month_of(year, first);
    }
    let (year, name) = volume.split_once('-')?;
    let place = MONTHS.iter().position(|month| *month == name)?;
    month_of(year, &(place + 1).to_string())
}

/// A month of a year as `2015-04`.
fn month_of(year: &str, month: &str) -> Option<String> {
    let is_year = year.len() == 4 && is_number(year);
    let month: u8 = month.parse().ok().filter(|month| (1..=12).contains(month))?;
    is_year.then(|| format!("{year}-{month:02}"))
}

/// `/mailman/…`, the forms of Mailman 2.
fn mailman(rest: &[&str]) -> Option<OldPlace> {
    match rest {
        ["private", list, rest @ ..] => pipermail(list, rest),
        ["subscribe", list, ..] => page_of(list, ListPage::Join),
        ["options", ..] => Some(OldPlace::Members),
        ["admin" | "admindb" | "edithtml", list, ..] => page_of(list, ListPage::Settings),
        ["listinfo" | "roster" | "confirm", list, ..] => page_of(list, ListPage::First),
        [] | ["listinfo" | "private" | "admin" | "create" | "subscribe"] => Some(OldPlace::Home),
        _ => None,
    }
}

/// `/archives/list/LIST@HOST/…`, the archive of Mailman 3.
fn hyperkitty(list: &str, rest: &[&str]) -> Option<OldPlace> {
    match rest {
        ["message", hash, ..] if mail_hash(hash).is_some() => {
            archive(list, ArchivePage::Message { address: mail_hash(hash)?, month: None })
        }
        ["thread", hash, ..] if mail_hash(hash).is_some() => {
            archive(list, ArchivePage::Thread(mail_hash(hash)?))
        }
        [year, month, ..] if is_number(year) => match month_of(year, month) {
            Some(month) => archive(list, ArchivePage::Month(month)),
            None => page_of(list, ListPage::First),
        },
        ["search"] => page_of(list, ListPage::Search),
        ["feed"] => page_of(list, ListPage::Feed),
        _ => page_of(list, ListPage::First),
    }
}

/// The hash by which `HyperKitty` names a message, in base32.
fn mail_hash(text: &str) -> Option<OldAddress> {
    let hash = BASE32_NOPAD.decode(text.to_ascii_uppercase().as_bytes()).ok()?;
    Some(OldAddress::MailHash(hash.try_into().ok()?))
}

/// `/postorius/lists/LIST.HOST/…`, the forms of Mailman 3.
fn postorius(rest: &[&str]) -> Option<OldPlace> {
    let [list, rest @ ..] = rest else { return Some(OldPlace::Home) };
    let list = match list.split_once('@') {
        Some((name, _)) => OldList::Name(list_name(name)?),
        None => OldList::Dotted(list_name(list)?),
    };
    let page = match rest {
        ["subscribe" | "anonymous_subscribe", ..] => ListPage::Join,
        ["unsubscribe", ..] => ListPage::Leave,
        ["settings" | "held_messages" | "members" | "mass_subscribe", ..] => ListPage::Settings,
        _ => ListPage::First,
    };
    Some(OldPlace::List { list, page })
}

/// `/sympa/…`, also as `/wws/…`.
fn sympa(rest: &[&str]) -> Option<OldPlace> {
    match rest {
        [] | ["home" | "lists" | "lists_categories" | "latest_lists" | "active_lists", ..] => {
            Some(OldPlace::Home)
        }
        ["pref" | "my" | "suboptions" | "login" | "renewpasswd" | "firstpasswd", ..] => {
            Some(OldPlace::Members)
        }
        ["subscribe" | "subrequest", list, ..] => page_of(list, ListPage::Join),
        ["signoff" | "sigrequest" | "auto_signoff", list, ..] => page_of(list, ListPage::Leave),
        ["admin" | "edit_list_request" | "modindex" | "review", list, ..] => {
            page_of(list, ListPage::Settings)
        }
        ["arcsearch_form", list, ..] => page_of(list, ListPage::Search),
        ["rss", _, list, ..] => page_of(list, ListPage::Feed),
        ["arcsearch_id", list, _, message_id @ ..] if !message_id.is_empty() => {
            archive(list, ArchivePage::MessageId(message_id.join("/")))
        }
        ["arc", list, month, rest @ ..] => sympa_archive(list, month, rest),
        ["info" | "arc", list, ..] => page_of(list, ListPage::First),
        _ => None,
    }
}

fn sympa_archive(list: &str, month: &str, rest: &[&str]) -> Option<OldPlace> {
    let Some(month) = month.split_once('-').and_then(|(year, month)| month_of(year, month)) else {
        return page_of(list, ListPage::First);
    };
    let number = rest.first().and_then(|page| page.strip_prefix("msg")?.strip_suffix(".html"));
    let number = number.filter(|number| is_number(number)).and_then(|number| number.parse().ok());
    archive(
        list,
        match number {
            Some(number) => ArchivePage::Message {
                address: OldAddress::Sympa { month: month.clone(), number },
                month: Some(month),
            },
            None => ArchivePage::Month(month),
        },
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(path: &str, expected: Option<OldPlace>) {
        assert_eq!((path, read(path)), (path, expected));
    }

    fn list(page: ListPage) -> Option<OldPlace> {
        page_of("choir", page)
    }

    fn month(month: &str) -> Option<OldPlace> {
        archive("choir", ArchivePage::Month(month.to_owned()))
    }

    #[test]
    fn addresses_of_mailman_2_are_read() {
        let of_pipermail = |volume: &str, month: Option<&str>| {
            let address = OldAddress::Pipermail { volume: volume.to_owned(), number: 17 };
            archive("choir", ArchivePage::Message { address, month: month.map(str::to_owned) })
        };
        for (path, volume, month) in [
            ("/pipermail/choir/2015-April/000017.html", "2015-April", Some("2015-04")),
            ("/private/choir/2015q2/000017.html", "2015q2", Some("2015-04")),
            (
                "/mailman/private/choir/Week-of-Mon-20150406/000017.html",
                "Week-of-Mon-20150406",
                Some("2015-04"),
            ),
            ("/pipermail/choir/2015/000017.html", "2015", None),
            ("/old/lists/pipermail/choir/20150406/000017.html", "20150406", Some("2015-04")),
        ] {
            check(path, of_pipermail(volume, month));
        }
        for path in [
            "/pipermail/choir/2015-April/thread.html",
            "/pipermail/choir/2015-April/",
            "/pipermail/choir/2015-April.txt.gz",
            "/pipermail/choir/attachments/20150406/abcd/attachment.html",
        ] {
            check(path, month("2015-04"));
        }
        for path in
            ["/pipermail/choir/", "/pipermail/choir", "/mailman/listinfo/choir", "/mailman/roster/choir"]
        {
            check(path, list(ListPage::First));
        }
        check("/pipermail/choir.mbox/choir.mbox", list(ListPage::First));
        check("/cgi-bin/mailman/subscribe/choir", list(ListPage::Join));
        check("/mailman/options/choir/ada--at--example.org", Some(OldPlace::Members));
        check("/mailman/admin/choir/members", list(ListPage::Settings));
        check("/mailman/listinfo", Some(OldPlace::Home));
    }

    #[test]
    fn addresses_of_mailman_3_are_read() {
        let hash = "XZ3DGG4V37BZTTLXNUX4NABB4DNQHTCP";
        let address = mail_hash(hash).unwrap();
        for front in ["/archives", "/hyperkitty", "/mailman3/hyperkitty", "/mailman3/archives"] {
            let at = |rest: &str| format!("{front}/list/choir@old.example/{rest}");
            let message = ArchivePage::Message { address: address.clone(), month: None };
            check(&at(&format!("message/{hash}/")), archive("choir", message.clone()));
            check(
                &at(&format!("message/{}/attachment/2/a.pdf", hash.to_lowercase())),
                archive("choir", message),
            );
            check(&at(&format!("thread/{hash}/")), archive("choir", ArchivePage::Thread(address.clone())));
            check(&at("2015/4/"), month("2015-04"));
            check(&at("2015/13/"), list(ListPage::First));
            check(&at("latest"), list(ListPage::First));
            check(&at("message/short/"), list(ListPage::First));
        }
        check("/archives/list/choir%40old.example/", list(ListPage::First));
        let dotted =
            |page| Some(OldPlace::List { list: OldList::Dotted("choir.old.example".to_owned()), page });
        check("/postorius/lists/choir.old.example/", dotted(ListPage::First));
        check("/mailman3/lists/choir.old.example/anonymous_subscribe", dotted(ListPage::Join));
        check("/postorius/lists/", Some(OldPlace::Home));
    }

    #[test]
    fn addresses_of_sympa_are_read() {
        for front in ["/sympa", "/wws"] {
            let address = OldAddress::Sympa { month: "2015-04".to_owned(), number: 3 };
            let message = ArchivePage::Message { address, month: Some("2015-04".to_owned()) };
            check(&format!("{front}/arc/choir/2015-04/msg00003.html"), archive("choir", message));
            check(&format!("{front}/arc/choir/2015-04/thrd1.html"), month("2015-04"));
            check(&format!("{front}/arc/choir/2015-04"), month("2015-04"));
            check(&format!("{front}/arc/choir"), list(ListPage::First));
            check(&format!("{front}/info/choir"), list(ListPage::First));
            check(&format!("{front}/subscribe/choir"), list(ListPage::Join));
            check(&format!("{front}/signoff/choir"), list(ListPage::Leave));
            let by_id = archive("choir", ArchivePage::MessageId("a/b@c.example".to_owned()));
            check(&format!("{front}/arcsearch_id/choir/2015-04/a%2Fb@c.example"), by_id);
            check(front, Some(OldPlace::Home));
        }
    }

    #[test]
    fn other_addresses_are_none() {
        for path in [
            "/",
            "",
            "/lists/choir/",
            "/pipermail/a b/",
            "/pipermail/%2e%2e/",
            "/pipermail/%22%3E/",
            "/a/b/c/d/pipermail/choir/",
            "/mailman/nothing",
            "/sympa/nothing/choir",
        ] {
            check(path, None);
        }
        check(&format!("/pipermail/{}", "x".repeat(3000)), None);
    }
}
