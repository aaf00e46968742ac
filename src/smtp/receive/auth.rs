//! AUTH (RFC 4954): PLAIN (RFC 4616) and LOGIN, as exchanges of lines without a socket.
//!
//! Both send the secret in readable form, so they are offered on encrypted connections only.

use data_encoding::BASE64;
use smtp_proto::{AUTH_LOGIN, AUTH_PLAIN};

use super::reply::Reply;

/// The mechanisms announced in EHLO.
pub(super) const MECHANISMS: &str = "AUTH PLAIN LOGIN";
/// The client's text for an empty initial response (RFC 4954 4).
const EMPTY: &str = "=";
/// The client's text for cancelling (RFC 4954 4).
const CANCEL: &str = "*";
/// The challenges of LOGIN, in base64: `Username:` and `Password:`.
const NAME_CHALLENGE: &str = "VXNlcm5hbWU6";
const PASSWORD_CHALLENGE: &str = "UGFzc3dvcmQ6";

/// The credentials that a client sends.
#[derive(Clone, PartialEq, Eq)]
pub struct Credentials {
    /// Its user name.
    pub name: String,
    /// Its secret.
    pub password: String,
}

impl std::fmt::Debug for Credentials {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Neither is logged: people type their secret into the wrong field.
        out.write_str("Credentials")
    }
}

/// The line that the client is to send next.
#[derive(Clone, PartialEq, Eq)]
pub(super) enum Exchange {
    Plain,
    LoginName,
    LoginPassword { name: String },
}

impl std::fmt::Debug for Exchange {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("Exchange")
    }
}

/// The result of a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Turn {
    Ask(&'static str, Exchange),
    Done(Credentials),
    Refuse(Reply),
}

/// Handles the AUTH command, whose mechanism is one of `smtp-proto`'s bits.
pub(super) fn begin(mechanism: u64, initial: &str) -> Turn {
    let exchange = match mechanism {
        AUTH_PLAIN => Exchange::Plain,
        AUTH_LOGIN => Exchange::LoginName,
        _ => return Turn::Refuse(unknown_mechanism()),
    };
    match (initial, exchange) {
        ("", Exchange::Plain) => Turn::Ask("", Exchange::Plain),
        ("", exchange) => Turn::Ask(NAME_CHALLENGE, exchange),
        (EMPTY, exchange) => take(exchange, String::new()),
        (line, exchange) => go_on(exchange, line),
    }
}

/// Handles the client's response to a challenge.
pub(super) fn go_on(exchange: Exchange, line: &str) -> Turn {
    if line == CANCEL {
        return Turn::Refuse(Reply::new(501, "5.7.0", "Authentication is given up"));
    }
    let text = BASE64.decode(line.as_bytes()).ok().and_then(|octets| String::from_utf8(octets).ok());
    match text {
        Some(text) => take(exchange, text),
        None => Turn::Refuse(Reply::new(501, "5.5.2", "The answer must be text in base64")),
    }
}

pub(super) fn unknown_mechanism() -> Reply {
    Reply::new(504, "5.5.4", "The mechanisms are PLAIN and LOGIN")
}

fn take(exchange: Exchange, text: String) -> Turn {
    match exchange {
        Exchange::LoginName => Turn::Ask(PASSWORD_CHALLENGE, Exchange::LoginPassword { name: text }),
        Exchange::LoginPassword { name } => Turn::Done(Credentials { name, password: text }),
        Exchange::Plain => {
            let parts: Vec<&str> = text.split('\0').collect();
            match parts.as_slice() {
                // No client may act for another user.
                [actor, name, password] if actor.is_empty() || actor == name => {
                    Turn::Done(Credentials { name: (*name).to_owned(), password: (*password).to_owned() })
                }
                [_, _, _] => Turn::Refuse(Reply::new(535, "5.7.8", "Nobody may act for somebody else")),
                _ => Turn::Refuse(Reply::new(501, "5.5.2", "PLAIN has an actor, a name and a password")),
            }
        }
    }
}

/// The state of the authentication of a client.
#[derive(Debug, Default)]
pub(super) enum AuthState {
    #[default]
    Missing,
    /// The client was asked for another line.
    Begun(Exchange),
    /// The rest of the server checks the credentials.
    Asked,
    Given,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encode(text: &str) -> String {
        BASE64.encode(text.as_bytes())
    }

    fn credentials(name: &str, password: &str) -> Turn {
        Turn::Done(Credentials { name: name.to_owned(), password: password.to_owned() })
    }

    fn refused(turn: &Turn) -> Option<u16> {
        if let Turn::Refuse(reply) = turn { Some(reply.code) } else { None }
    }

    #[test]
    fn plain_comes_in_one_line_or_two() {
        assert_eq!(begin(AUTH_PLAIN, &encode("\0ada\0secret")), credentials("ada", "secret"));
        assert_eq!(begin(AUTH_PLAIN, &encode("ada\0ada\0secret")), credentials("ada", "secret"));
        assert_eq!(begin(AUTH_PLAIN, ""), Turn::Ask("", Exchange::Plain));
        assert_eq!(go_on(Exchange::Plain, &encode("\0ada\0")), credentials("ada", ""));
    }

    #[test]
    fn login_asks_for_a_name_and_a_password() {
        let password = |name: &str| Exchange::LoginPassword { name: name.to_owned() };
        assert_eq!(begin(AUTH_LOGIN, ""), Turn::Ask(NAME_CHALLENGE, Exchange::LoginName));
        assert_eq!(begin(AUTH_LOGIN, &encode("ada")), Turn::Ask(PASSWORD_CHALLENGE, password("ada")));
        assert_eq!(go_on(password("ada"), &encode("secret")), credentials("ada", "secret"));
        let challenges =
            [NAME_CHALLENGE, PASSWORD_CHALLENGE].map(|text| BASE64.decode(text.as_bytes()).unwrap());
        assert_eq!(challenges, [b"Username:", b"Password:"]);
    }

    #[test]
    fn what_makes_no_sense_is_refused() {
        for (line, code) in [("*", 501), ("?", 501), ("YQ", 501), ("/w==", 501), (&*encode("a\0b"), 501)] {
            assert_eq!(refused(&go_on(Exchange::Plain, line)), Some(code), "{line}");
        }
        assert_eq!(refused(&begin(AUTH_PLAIN, &encode("eve\0ada\0secret"))), Some(535));
        assert_eq!(refused(&begin(AUTH_PLAIN, "=")), Some(501));
        assert_eq!(refused(&begin(smtp_proto::AUTH_CRAM_MD5, "")), Some(504));
    }

    #[test]
    fn no_secret_is_shown() {
        let shown =
            format!("{:?}{:?}", credentials("ada", "secret"), Exchange::LoginPassword { name: "ada".into() });
        assert!(!shown.contains("ada") && !shown.contains("secret"), "{shown}");
    }
}
