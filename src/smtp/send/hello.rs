//! Greets a server with EHLO, and reads the extensions that it announces.
//!
//! `connect` calls it before and after TLS is established, as the answers may differ.

use mail_send::SmtpClient;
use smtp_proto::EhloResponse;
use tokio::io::{AsyncRead, AsyncWrite};

use super::errors::ConnectError;

/// The server's answer to EHLO.
#[derive(Debug, Default)]
pub(super) struct Hello {
    pub(super) extensions: EhloResponse<String>,
    pub(super) limits: Limits,
}

/// The limits that a server announces (RFC 9422); `None` if it announces none, else at least 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Limits {
    /// Recipients in one transaction, including refused ones.
    pub recipients_max: Option<usize>,
    /// Transactions on one connection, including refused ones.
    pub mails_max: Option<usize>,
}

/// Sends EHLO, and HELO to a server that does not know it (RFC 5321 3.2).
pub(super) async fn hello<S: AsyncRead + AsyncWrite + Unpin>(
    client: &mut SmtpClient<S>,
    hostname: &str,
) -> Result<Hello, ConnectError> {
    let reply = client.cmd(format!("EHLO {hostname}\r\n")).await?;
    match reply.code {
        250 => Hello::read(&reply.message).ok_or(ConnectError::NotSmtp),
        421 => Err(ConnectError::Refused(reply.into())),
        _ => {
            let reply = client.cmd(format!("HELO {hostname}\r\n")).await?;
            if reply.code == 250 { Ok(Hello::default()) } else { Err(ConnectError::Refused(reply.into())) }
        }
    }
}

impl Hello {
    /// Reads the lines of the answer, without their codes. smtp-proto ignores unknown lines.
    fn read(lines: &str) -> Option<Hello> {
        // A final line is appended, so that no other line needs special treatment as the last.
        let reply = format!("250-{}\r\n250 \r\n", lines.replace('\n', "\r\n250-"));
        let extensions = EhloResponse::parse(&mut reply.as_bytes().iter()).ok()?;
        // The first line is the server's name.
        Some(Hello { extensions, limits: Limits::read(lines.lines().skip(1)) })
    }
}

impl Limits {
    fn read<'l>(lines: impl Iterator<Item = &'l str>) -> Limits {
        let mut limits = Limits::default();
        for line in lines {
            let mut words = line.split_ascii_whitespace();
            if !words.next().is_some_and(|keyword| keyword.eq_ignore_ascii_case("LIMITS")) {
                continue;
            }
            for (name, value) in words.filter_map(|limit| limit.split_once('=')) {
                // 0 is none that the RFC allows.
                let value = value.parse().ok().filter(|value| 0 < *value);
                match name.to_ascii_uppercase().as_str() {
                    "RCPTMAX" => limits.recipients_max = value,
                    "MAILMAX" => limits.mails_max = value,
                    _ => {}
                }
            }
        }
        limits
    }
}

#[cfg(test)]
mod tests {
    use smtp_proto::{EXT_8BIT_MIME, EXT_PIPELINING, EXT_SIZE};

    use super::*;

    #[track_caller]
    fn check(lines: &str, recipients_max: Option<usize>, mails_max: Option<usize>) {
        let hello = Hello::read(lines).unwrap();
        assert_eq!(hello.limits, Limits { recipients_max, mails_max }, "{lines}");
    }

    #[test]
    fn limits_are_read_and_what_is_no_limit_is_passed_over() {
        check("mx.test LIMITS RCPTMAX=9\nSIZE", None, None);
        check("mx.test\nLIMITS MAILMAX=1000 RCPTMAX=100\nHELP", Some(100), Some(1000));
        check("mx.test\nlimits rcptdomainmax=1 rcptmax=5 OTHER", Some(5), None);
        check("mx.test\nLIMITS RCPTMAX=0 MAILMAX=-1", None, None);
        check("mx.test\nLIMITS RCPTMAX MAILMAX=\nXLIMITS RCPTMAX=1", None, None);
    }

    #[test]
    fn extensions_are_those_of_every_line() {
        let Hello { extensions, .. } =
            Hello::read("mx.test at your service\nPIPELINING\n8BITMIME\nSIZE 99").unwrap();
        assert!([EXT_PIPELINING, EXT_8BIT_MIME, EXT_SIZE].iter().all(|it| extensions.has_capability(*it)));
        assert_eq!((extensions.size, extensions.hostname.as_str()), (99, "mx.test"));
        assert!(Hello::read("mx.test").is_some());
        assert!(Hello::read("").is_some());
    }
}
