//! Parses the texts of flags and environment into values, and gathers every problem before any is reported.
//!
//! A parser here returns in words what would be right, to stand after the flag's name and the wrong text.

use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::path::{Path, PathBuf};
use std::time::Duration;

use jiff::tz::TimeZone;

use crate::clock::Timestamp;
use crate::config::{Delivery, ListenAddr, Rate, Relay, WebhookUrl};
use crate::model::list::MAXLENGTH_KB_MAX;
use crate::model::{Cidr, Domain};
use crate::smtp::send::relay;

/// Everything that is wrong with a command line.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Problems(Vec<String>);

impl Problems {
    /// Reads the value of a flag; `None` with a recorded problem if it is wrong.
    pub(super) fn read<T>(
        &mut self,
        flag: &str,
        text: &str,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        parse(text).map_err(|right| self.note(format!("{flag} {text:?} {right}"))).ok()
    }

    /// Reads the value of a flag that may be left out or empty; also `None` if it is wrong.
    pub(super) fn read_option<T>(
        &mut self,
        flag: &str,
        text: Option<&str>,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> Option<T> {
        self.read(flag, text.filter(|text| !text.trim().is_empty())?, parse)
    }

    /// Reads the values of a flag that may be repeated, without those that are wrong.
    pub(super) fn read_all<T>(
        &mut self,
        flag: &str,
        texts: &[String],
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Vec<T> {
        given(texts).filter_map(|text| self.read(flag, text, &parse)).collect()
    }

    /// The same for a flag whose text is not shown in problems, since it may hold a password.
    pub(super) fn read_all_secret<T>(
        &mut self,
        flag: &str,
        texts: &[String],
        parse: impl Fn(&str) -> Result<T, String>,
    ) -> Vec<T> {
        let read = |text: &str| parse(text).map_err(|right| self.note(format!("{flag} {right}"))).ok();
        given(texts).filter_map(read).collect()
    }

    /// Records a problem that is about more than one flag.
    pub(super) fn note(&mut self, problem: String) {
        self.0.push(problem);
    }

    /// Whether there is no problem.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.as_slice() {
            [only] => out.write_str(only),
            many => {
                write!(out, "{} settings are wrong:", many.len())?;
                many.iter().try_for_each(|problem| write!(out, "\n  {problem}"))
            }
        }
    }
}

/// The texts that are not blank: an empty variable in the environment counts as absent.
fn given(texts: &[String]) -> impl Iterator<Item = &str> {
    texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty())
}

/// Smallest and largest page cache.
const CACHE_BYTES: std::ops::RangeInclusive<u64> = 1 << 20..=1 << 40;

/// Parses a size such as `64M`: a number of bytes, alone or followed by K, M or G for powers of 1024.
pub(super) fn parse_size(text: &str) -> Result<u64, String> {
    let right = || "must be a size in bytes such as 67108864, or with K, M or G such as 64M".to_owned();
    let text = text.trim();
    let digits_end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, unit) = text.split_at(digits_end);
    let shift = match unit.trim().to_ascii_uppercase().as_str() {
        "" | "B" => 0,
        "K" | "KB" | "KIB" => 10,
        "M" | "MB" | "MIB" => 20,
        "G" | "GB" | "GIB" => 30,
        _ => return Err(right()),
    };
    let number: u64 = digits.parse().map_err(|_| right())?;
    number.checked_mul(1 << shift).ok_or_else(right)
}

/// Parses the size of the largest message of a list, in KB: a number of them, or with a unit such as `5MB`.
pub(super) fn parse_kb(text: &str) -> Result<u64, String> {
    let right = || {
        format!(
            "must be a number of KB, or a size such as 5MB, from 1 to {MAXLENGTH_KB_MAX} KB (which are 50MB)"
        )
    };
    let number = text.trim().parse().ok();
    let kb = number.or_else(|| parse_size(text).ok().map(|bytes| bytes.div_ceil(1024)));
    kb.filter(|kb| (1..=u64::from(MAXLENGTH_KB_MAX)).contains(kb)).ok_or_else(right)
}

/// Parses the size of the page cache.
pub(super) fn parse_cache_size(text: &str) -> Result<usize, String> {
    let bytes = parse_size(text)?;
    if !CACHE_BYTES.contains(&bytes) {
        return Err("must be from 1M to 1024G".to_owned());
    }
    usize::try_from(bytes).map_err(|_| "is more memory than this machine can address".to_owned())
}

/// Parses a duration such as `25h`: a number followed by s, m, h or d.
pub(super) fn parse_duration(text: &str) -> Result<Duration, String> {
    let right = || "must be a number with s, m, h or d behind it, such as 25h".to_owned();
    let text = text.trim();
    let unit = text.chars().next_back().ok_or_else(right)?;
    let seconds = match unit {
        's' => 1,
        'm' => 60,
        'h' => 3600,
        'd' => 86_400,
        _ => return Err(right()),
    };
    let number: u64 = text[..text.len() - 1].parse().map_err(|_| right())?;
    number.checked_mul(seconds).map(Duration::from_secs).ok_or_else(right)
}

const DAY: Duration = Duration::from_hours(24);

/// Parses a time that has passed, as people write it: a day, an instant, `today`, `yesterday`, or so long ago, such as `2d`.
/// Days begin at 00:00 in UTC, in which the log shows its times.
pub(super) fn parse_past(text: &str, now: Timestamp) -> Result<Timestamp, String> {
    let right = || {
        "must be a day such as 2026-11-20, a time such as 2026-11-20T15:04:05Z, today, yesterday, or so long ago \
         such as 90m, 12h, 2d or 3w"
            .to_owned()
    };
    let day_of = |instant: Timestamp| {
        let day: String = instant.rfc3339().chars().take_while(|c| *c != 'T').collect();
        Timestamp::start_of_day(&day, TimeZone::UTC)
    };
    let text = text.trim();
    let found = match text.to_ascii_lowercase().as_str() {
        "today" => day_of(now),
        "yesterday" => day_of(now.before(DAY)),
        ago if ago.ends_with('w') => {
            ago.trim_end_matches('w').parse::<u32>().ok().map(|weeks| now.before(DAY * 7 * weeks))
        }
        ago => parse_duration(ago).ok().map(|ago| now.before(ago)),
    };
    let found = found.or_else(|| Timestamp::start_of_day(text, TimeZone::UTC));
    found.or_else(|| Timestamp::parse_rfc3339(text)).ok_or_else(right)
}

/// Largest offset of the clock for rehearsals: a hundred years.
const CLOCK_OFFSET_MAX: Duration = Duration::from_hours(100 * 365 * 24);

/// Parses the offset by which the clock is put forward.
pub(super) fn parse_clock_offset(text: &str) -> Result<Duration, String> {
    let offset = parse_duration(text)?;
    if CLOCK_OFFSET_MAX < offset {
        Err("must be a hundred years at most, 36500d".to_owned())
    } else {
        Ok(offset)
    }
}

/// Parses an address and port to listen on.
pub(super) fn parse_listen(text: &str) -> Result<SocketAddr, String> {
    text.trim().parse().map_err(|_| {
        "must be an address with a port such as 127.0.0.1:8080 or [::]:25; port 0 takes any that is free"
            .to_owned()
    })
}

/// Parses the listener of LMTP: an address and port, or a socket of this machine.
pub(super) fn parse_lmtp_listen(text: &str) -> Result<ListenAddr, String> {
    let listen = match text.trim().strip_prefix("unix:") {
        Some(path) => Some(ListenAddr::Unix(path.into())).filter(|_| path.starts_with('/')),
        None => parse_listen(text).ok().map(ListenAddr::Tcp),
    };
    listen.ok_or_else(|| {
        "must be an address with a port such as 127.0.0.1:24, or unix:/path/to/socket".to_owned()
    })
}

/// Parses the listener of HTTP: an address and port, or a socket of this machine.
pub(super) fn parse_http_listen(text: &str) -> Result<ListenAddr, String> {
    let right =
        |_| "must be an address with a port such as 127.0.0.1:8080, or unix:/path/to/socket".to_owned();
    parse_lmtp_listen(text).map_err(right)
}

/// Parses the form of delivery: a copy for each member, or shared copies.
pub(super) fn parse_delivery(text: &str) -> Result<Delivery, String> {
    match text.trim() {
        "individual" => Ok(Delivery::Individual),
        "batched" => Ok(Delivery::Batched),
        _ => Err("must be individual or batched".to_owned()),
    }
}

/// Parses the address of a resolver, with a port if that is not 53.
pub(super) fn parse_dns_server(text: &str) -> Result<SocketAddr, String> {
    let text = text.trim();
    let with_port = text.parse::<SocketAddr>().ok().filter(|server| server.port() != 0);
    with_port
        .or_else(|| text.parse::<IpAddr>().ok().map(|ip| SocketAddr::new(ip, 53)))
        .ok_or_else(|| "must be an address such as 9.9.9.9, with a port such as 127.0.0.1:5353".to_owned())
}

/// Most connections to one destination: most servers would refuse more.
const CONNECTIONS_MAX: usize = 100;

/// Most days for which anything is kept: a thousand years.
const DAYS_MAX: u32 = 365_000;

/// For how many days something is kept; 0 for ever.
pub(super) fn parse_days(text: &str) -> Result<u32, String> {
    let days = text.trim().parse().ok().filter(|days| *days <= DAYS_MAX);
    days.ok_or_else(|| format!("must be a number of days up to {DAYS_MAX}, or 0 for ever"))
}

/// Parses a number of connections.
pub(super) fn parse_connections(text: &str) -> Result<usize, String> {
    let connections =
        text.trim().parse().ok().filter(|connections| (1..=CONNECTIONS_MAX).contains(connections));
    connections.ok_or_else(|| format!("must be a number from 1 to {CONNECTIONS_MAX}"))
}

/// Parses a rate such as `14/s`: copies per second, minute, hour or day; `none` for no limit.
pub(super) fn parse_rate(text: &str) -> Result<Option<Rate>, String> {
    if text.trim() == "none" {
        return Ok(None);
    }
    let (copies, unit) = text.trim().split_once('/').unwrap_or_default();
    let per = parse_duration(&format!("1{unit}")).ok();
    let rate = copies.parse().ok().zip(per).map(|(copies, per)| Rate { copies, per });
    rate.map(Some).ok_or_else(|| {
        "must be a number of copies a second, minute, hour or day, such as 14/s, 300/m or 500/h, or none"
            .to_owned()
    })
}

/// Parses a port of other servers.
pub(super) fn parse_port(text: &str) -> Result<u16, String> {
    let port = text.trim().parse::<u16>().ok().filter(|port| *port != 0);
    port.ok_or_else(|| "must be a port from 1 to 65535".to_owned())
}

/// Parses an address without a port.
pub(super) fn parse_ip(text: &str) -> Result<IpAddr, String> {
    text.trim().parse().map_err(|_| "must be an address such as 192.0.2.1 or 2001:db8::1".to_owned())
}

/// Parses an address with or without a prefix length.
pub(super) fn parse_network(text: &str) -> Result<Cidr, String> {
    Cidr::parse(text.trim()).map_err(|_| "must be a network such as 192.0.2.0/28 or 2001:db8::/64".to_owned())
}

/// Parses a host name into its A-label form.
pub(super) fn parse_hostname(text: &str) -> Result<String, String> {
    let right = "must be a host name such as mx.example.org";
    if text.trim().parse::<IpAddr>().is_ok() {
        return Err(format!("{right}, not an address"));
    }
    let domain = Domain::parse(text).map_err(|_| right.to_owned())?;
    idna::domain_to_ascii(domain.as_str()).map_err(|_| right.to_owned())
}

/// Parses the base of links.
pub(super) fn parse_base_url(text: &str) -> Result<String, String> {
    let right = || "must be a URL such as https://lists.example.org".to_owned();
    let text = text.trim().trim_end_matches('/');
    let (scheme, rest) = text.split_once("://").ok_or_else(right)?;
    let known = scheme.eq_ignore_ascii_case("https") || scheme.eq_ignore_ascii_case("http");
    let plain = |c: char| c.is_ascii_graphic() && !"?#@\"<>\\^`{|}".contains(c);
    let authority = rest.split('/').next().unwrap_or_default();
    if !known || !rest.chars().all(plain) || split_authority(authority).is_none() {
        return Err(right());
    }
    Ok(text.to_owned())
}

/// Parses the URL of a service of HTTP, which may contain a secret.
pub(super) fn parse_webhook(text: &str) -> Result<WebhookUrl, String> {
    let url = text.trim();
    let rest = ["https://", "http://"].iter().find_map(|scheme| url.strip_prefix(scheme)).unwrap_or_default();
    let authority = rest.split(['/', '?']).next().unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    if split_authority(host).is_none() || !url.chars().all(|c| c.is_ascii_graphic()) {
        return Err("must be a URL such as https://sms.example.org/send".to_owned());
    }
    Ok(WebhookUrl(url.to_owned()))
}

/// Splits `host`, `host:port` or `[::1]:port` into host and port.
fn split_authority(text: &str) -> Option<(String, Option<u16>)> {
    let (host, port) = if let Some(rest) = text.strip_prefix('[') {
        let (address, port) = rest.split_once(']')?;
        address.parse::<std::net::Ipv6Addr>().ok()?;
        (address.to_owned(), port)
    } else {
        let port_start = text.find(':').unwrap_or(text.len());
        let (host, port) = text.split_at(port_start);
        let is_address = host.parse::<std::net::Ipv4Addr>().is_ok();
        let name = if is_address { host.to_owned() } else { Domain::parse(host).ok()?.as_str().to_owned() };
        (idna::domain_to_ascii(&name).ok()?, port)
    };
    match port.strip_prefix(':') {
        Some(digits) => parse_port(digits).ok().map(|port| (host, Some(port))),
        None => port.is_empty().then_some((host, None)),
    }
}

/// Parses the URL of a relay.
pub(super) fn parse_relay(text: &str) -> Result<Relay, String> {
    relay::parse_relay(text).map_err(|problem| problem.to_string())
}

/// Reads the relays in a file: one URL per line; blank lines and lines that begin with `#` are skipped. `%d` at the
/// beginning of the file's name stands for `credentials`, the folder in which systemd keeps a service's secrets.
/// Problems never show the file's content.
pub(super) fn parse_relay_file(text: &str, credentials: Option<&Path>) -> Result<Vec<Relay>, String> {
    let urls = read_credential(text, credentials)?;
    let lines = urls.lines().map(str::trim).enumerate();
    let relays: Vec<Relay> = lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(at, line)| parse_relay(line).map_err(|right| format!("line {} {right}", at + 1)))
        .collect::<Result<_, _>>()?;
    if relays.is_empty() {
        return Err(
            "must hold the URL of a relay, such as smtp://user:password@relay.example.net:587".to_owned()
        );
    }
    Ok(relays)
}

/// Reads the secret in a file, without the blanks around it.
pub(super) fn parse_secret_file(text: &str, credentials: Option<&Path>) -> Result<String, String> {
    let secret = read_credential(text, credentials)?.trim().to_owned();
    if secret.is_empty() { Err("must hold a secret".to_owned()) } else { Ok(secret) }
}

/// The text of a file. `%d` at the beginning of its name stands for `credentials`.
pub(super) fn read_credential(text: &str, credentials: Option<&Path>) -> Result<String, String> {
    let path = match (text.strip_prefix("%d/"), credentials) {
        (Some(name), Some(folder)) => folder.join(name),
        (Some(_), None) => {
            let problem = "begins with %d, which stands for $CREDENTIALS_DIRECTORY, and that is not set: systemd sets \
                           it for a service with LoadCredential=";
            return Err(problem.to_owned());
        }
        (None, _) => PathBuf::from(text),
    };
    std::fs::read_to_string(parse_file_at(&path)?)
        .map_err(|error| format!("must be a file that can be read ({error})"))
}

/// Parses the path of a file, which must exist and be readable.
pub(super) fn parse_file(text: &str) -> Result<PathBuf, String> {
    parse_file_at(Path::new(text))
}

fn parse_file_at(path: &Path) -> Result<PathBuf, String> {
    let opened = std::fs::File::open(path).and_then(|file| file.metadata());
    match opened {
        Ok(metadata) if metadata.is_file() => Ok(path.to_owned()),
        Ok(_) => Err("must be a file, not a folder".to_owned()),
        Err(error) => Err(format!("must be a file that can be read ({error})")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_message_is_a_number_of_kb_or_has_a_unit() {
        assert_eq!((parse_kb("77"), parse_kb("5MB"), parse_kb(" 5 m ")), (Ok(77), Ok(5120), Ok(5120)));
        assert_eq!((parse_kb("512KB"), parse_kb("1b")), (Ok(512), Ok(1)));
        for wrong in ["0", "51201", "1G", "many", "-5", ""] {
            assert!(parse_kb(wrong).is_err_and(|right| right.contains("KB")), "{wrong}");
        }
    }

    #[test]
    fn a_time_that_has_passed_is_written_as_people_do() {
        let now = Timestamp::parse_rfc3339("2026-11-28T15:04:05Z").unwrap();
        let read = |text: &str| parse_past(text, now).map(Timestamp::rfc3339);
        for (text, expected) in [
            ("today", "2026-11-28T00:00:00Z"),
            ("Yesterday", "2026-11-27T00:00:00Z"),
            ("2d", "2026-11-26T15:04:05Z"),
            ("90m", "2026-11-28T13:34:05Z"),
            ("3w", "2026-11-07T15:04:05Z"),
            (" 2026-11-20 ", "2026-11-20T00:00:00Z"),
            ("2026-11-20T16:04:05+01:00", "2026-11-20T15:04:05Z"),
        ] {
            assert_eq!(read(text).as_deref(), Ok(expected), "{text}");
        }
        for wrong in ["", "tomorrow", "20.11.2026", "2026-13-01", "d", "w", "-2d"] {
            assert!(read(wrong).is_err_and(|right| right.contains("yesterday")), "{wrong}");
        }
    }

    #[test]
    fn sizes_have_units_of_1024() {
        assert_eq!(parse_size("0"), Ok(0));
        assert_eq!(parse_size("67108864"), Ok(64 << 20));
        assert_eq!(parse_size(" 64M "), Ok(64 << 20));
        assert_eq!(parse_size("512 kib"), Ok(512 << 10));
        assert_eq!(parse_size("2G"), Ok(2 << 30));
        for text in ["", "M", "-1", "1.5G", "64Q", "99999999999G", "64 M B"] {
            assert!(parse_size(text).unwrap_err().contains("64M"), "{text}");
        }
        assert!(parse_cache_size("10").unwrap_err().contains("from 1M"));
    }

    #[test]
    fn durations_name_their_unit() {
        assert_eq!(parse_duration("25h"), Ok(Duration::from_hours(25)));
        assert_eq!(parse_duration("3d"), Ok(Duration::from_hours(72)));
        for text in ["", "25", "h", "1w", "2é", "-1h", "99999999999999999999d"] {
            assert!(parse_duration(text).is_err(), "{text}");
        }
    }

    #[test]
    fn a_base_url_loses_its_final_slash_and_has_no_query() {
        assert_eq!(parse_base_url("https://lists.example.org/"), Ok("https://lists.example.org".to_owned()));
        assert_eq!(parse_base_url("http://127.0.0.1:8080"), Ok("http://127.0.0.1:8080".to_owned()));
        assert_eq!(parse_base_url("http://[::1]:8080/crier"), Ok("http://[::1]:8080/crier".to_owned()));
        for text in
            ["", "lists.example.org", "ftp://x.org", "https://", "https://x.org/?a", "https://a b.org"]
        {
            assert!(parse_base_url(text).is_err(), "{text}");
        }
    }

    #[test]
    fn addresses_and_names_are_told_apart() {
        assert!(parse_listen("127.0.0.1").is_err());
        assert!(parse_listen("localhost:25").is_err());
        assert!(parse_listen("[::]:0").is_ok());
        assert_eq!(parse_lmtp_listen("[::1]:24"), Ok(ListenAddr::Tcp("[::1]:24".parse().unwrap())));
        assert_eq!(parse_lmtp_listen("unix:/run/lmtp"), Ok(ListenAddr::Unix("/run/lmtp".into())));
        assert!(parse_lmtp_listen("unix:lmtp").is_err() && parse_lmtp_listen("/run/lmtp").is_err());
        assert_eq!(parse_dns_server("9.9.9.9"), Ok("9.9.9.9:53".parse().unwrap()));
        assert_eq!(parse_dns_server("[::1]:5353"), Ok("[::1]:5353".parse().unwrap()));
        assert!(parse_dns_server("9.9.9.9:0").is_err());
        assert!(parse_port("0").is_err());
        assert_eq!(parse_hostname("MX.Exämple.org."), Ok("mx.xn--exmple-cua.org".to_owned()));
        assert!(parse_hostname("192.0.2.1").unwrap_err().contains("not an address"));
    }

    #[test]
    fn relays_stand_in_a_file_that_may_be_a_credential() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("relay");
        let read = |text: &str| {
            std::fs::write(&file, text).unwrap();
            let found = parse_relay_file("%d/relay", Some(folder.path()));
            assert_eq!(found, parse_relay_file(file.to_str().unwrap(), None), "{text:?}");
            found.map(|relays| relays.into_iter().map(|relay| relay.host).collect::<Vec<_>>())
        };
        assert_eq!(read("smtp://u:p@a.example:587\n").unwrap(), ["a.example"]);
        assert_eq!(
            read("# first\n\nsmtps://u:p@a.example\n smtp://b.example \n").unwrap(),
            ["a.example", "b.example"]
        );
        assert!(read("\n").unwrap_err().contains("must hold the URL of a relay"));
        let told = read("smtp://a.example\nhttp://u:secret@b.example").unwrap_err();
        assert!(told.starts_with("line 2 must be smtp://") && !told.contains("secret"), "{told}");
        assert!(parse_relay_file("%d/relay", None).unwrap_err().contains("$CREDENTIALS_DIRECTORY"));
        let folder = folder.path().to_str().unwrap();
        assert!(parse_relay_file(folder, None).unwrap_err().contains("not a folder"));
        assert!(parse_relay_file(&format!("{folder}/none"), None).unwrap_err().contains("can be read"));
    }

    #[test]
    fn problems_are_told_together() {
        let mut problems = Problems::default();
        assert_eq!(problems.read("--mx-port", "25", parse_port), Some(25));
        assert!(problems.is_empty());
        problems.read("--mx-port", "x", parse_port);
        assert_eq!(problems.to_string(), "--mx-port \"x\" must be a port from 1 to 65535");
        problems.read_all_secret("--relay", &["smtp://u:secret@".to_owned(), String::new()], parse_relay);
        assert!(problems.to_string().starts_with("2 settings are wrong:\n  --mx-port"));
        assert!(!problems.to_string().contains("secret"));
    }
}
