//! Takes a message from a program on this machine (`crier inject`): checks it, then receives it like any other.
//!
//! A program that can submit here could also write to the data file, so its sender is not verified and nothing is
//! counted. The message is taken for all of its recipients or for none: after an error the program can submit it again,
//! and nobody gets it twice.

use std::net::{IpAddr, Ipv4Addr};

use crate::mail::envelope::{DsnOptions, Envelope, Origin, ReversePath, Route};
use crate::mail::submission::{author, local_fields, message_of_text, read_sender};
use crate::mail::trace_headers::receive_with;
use crate::model::{Authentication, EmailAddress};
use crate::ops::posting::inbound::Refusal;
use crate::service::Core;

/// Recipients of one message; the same as over SMTP.
pub const RECIPIENTS_MAX: usize = 100;
/// Characters of a message's id in its trace.
const ID_CHARS: usize = 12;
/// A submitted message, with arguments as the program gave them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// Envelope sender: blank, `<>` or `MAILER-DAEMON` for the empty one; the author if unset.
    pub from: Option<String>,
    /// The recipients.
    pub recipients: Vec<String>,
    /// The message, with line ends of Unix or of mail.
    pub text: Vec<u8>,
    /// The user id of the submitting program, if it is known.
    pub user: Option<u32>,
    /// The name of this server in the trace; the first recipient's domain if unset.
    pub hostname: Option<String>,
}

/// The reason why a message is not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unsubmitted {
    /// It has no recipient.
    #[error("there is no recipient")]
    NoRecipient,
    /// It has too many recipients.
    #[error("there are more than {RECIPIENTS_MAX} recipients")]
    TooManyRecipients,
    /// A recipient is no address.
    #[error("the recipient {0:?} is no address such as news@lists.example.org")]
    NoAddress(String),
    /// The envelope sender is no address.
    #[error("the sender {0:?} must be an address such as you@example.org, or <> for none")]
    NoSender(String),
    /// There is neither an envelope sender nor an author.
    #[error("the message has no author with an address, so it needs a sender: --from ADDR, or --from <>")]
    SenderNeeded,
    /// There is neither an author nor an address to make one from.
    #[error("the message has no From field, and no sender that could stand there")]
    AuthorNeeded,
    /// Recipients are refused, each for a reason.
    #[error("recipients are refused")]
    Recipients(Vec<(EmailAddress, Refusal)>),
    /// The message is refused.
    #[error("the message is refused: {0:?}")]
    Message(Refusal),
}

impl Core {
    /// Takes a message from a program on this machine; it is durable when this returns.
    pub async fn submit(&self, submission: Submission) -> Result<(), Unsubmitted> {
        let Submission { from, recipients, text, user, hostname } = submission;
        let addresses = read_recipients(&recipients)?;
        let hostname = hostname.unwrap_or_else(|| addresses[0].domain().to_owned());
        let mut raw = message_of_text(&text);
        drop(text);
        let author = author(&raw);
        let reverse_path = match (from, &author) {
            (Some(from), _) => read_sender(&from).ok_or(Unsubmitted::NoSender(from))?,
            (None, Some(Some(author))) => ReversePath::Address(author.clone()),
            (None, _) => return Err(Unsubmitted::SenderNeeded),
        };
        let missing_author = match author {
            Some(_) => None,
            None => Some(reverse_path.address().ok_or(Unsubmitted::AuthorNeeded)?),
        };
        let recipients = self.route_all(addresses, raw.len())?;
        let size_bytes = raw.len() as u64;
        let id = self.secrets.token(ID_CHARS);
        let ours = local_fields(&hostname, user, &id, missing_author, self.now());
        receive_with(&mut raw, &ours, &hostname);
        let smtputf8 = !recipients.iter().all(|(address, _)| address.as_str().is_ascii());
        let envelope = Envelope {
            client: IpAddr::V4(Ipv4Addr::LOCALHOST),
            helo: String::new(),
            tls: false,
            reverse_path,
            recipients,
            smtputf8,
            requires_tls: false,
            authentication: Authentication::unchecked(),
            dsn_options: DsnOptions::default(),
            origin: Origin::Trusted,
            proven_domains: Vec::new(),
            size_bytes,
        };
        self.receive(envelope, raw).await.map_err(Unsubmitted::Message)
    }

    /// The meanings of all recipients' addresses, or all recipients that are refused.
    fn route_all(
        &self,
        addresses: Vec<EmailAddress>,
        size_bytes: usize,
    ) -> Result<Vec<(EmailAddress, Route)>, Unsubmitted> {
        let mut routes = Vec::with_capacity(addresses.len());
        let mut refused = Vec::new();
        for address in addresses {
            match self.route(&address, Some(size_bytes)) {
                Ok(route) => routes.push((address, route)),
                Err(refusal) => refused.push((address, refusal)),
            }
        }
        if refused.is_empty() { Ok(routes) } else { Err(Unsubmitted::Recipients(refused)) }
    }
}

/// The recipients' addresses, each once; at least one.
fn read_recipients(texts: &[String]) -> Result<Vec<EmailAddress>, Unsubmitted> {
    let mut addresses: Vec<EmailAddress> = Vec::with_capacity(texts.len());
    for text in texts {
        let address = EmailAddress::parse(text).map_err(|_| Unsubmitted::NoAddress(text.clone()))?;
        if !addresses.contains(&address) {
            addresses.push(address);
        }
    }
    match addresses.len() {
        0 => Err(Unsubmitted::NoRecipient),
        count if RECIPIENTS_MAX < count => Err(Unsubmitted::TooManyRecipients),
        _ => Ok(addresses),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recipients_are_addresses_each_once() {
        let read = |texts: &[&str]| {
            let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
            read_recipients(&texts).map(|addresses| addresses.len())
        };
        assert_eq!(read(&["a@x.org", "b@x.org", "a@X.ORG"]), Ok(2));
        assert_eq!(read(&[]), Err(Unsubmitted::NoRecipient));
        assert_eq!(read(&["a@x.org", "news"]), Err(Unsubmitted::NoAddress("news".to_owned())));
        let many: Vec<String> = (0..=RECIPIENTS_MAX).map(|number| format!("a{number}@x.org")).collect();
        assert_eq!(read_recipients(&many), Err(Unsubmitted::TooManyRecipients));
    }
}
