//! The role addresses of lists and accounts, and the limits of mail to them.
//!
//! Anybody may write to these addresses (RFC 5321 4.5.1, RFC 2142), and the mail is passed on to people's own
//! mailboxes. So it has a size limit, and each client sends at most a hundred a day (`spec/mail.md` 11, "Held").

use super::{Distribution, Refusal, find_list_behind};
use crate::mail::Inbound;
use crate::mail::envelope::{Origin, Route};
use crate::model::AccountDomain;
use crate::ops::allowances::{self, ROLE_MAIL, Subject};
use crate::ops::moderation::notices;
use crate::store::{Read, StoreError, WriteTx};

/// Suffixes of a list's name that address its moderators (`spec/mail.md` 1).
const LIST_ROLES: [&str; 2] = ["-owner", "-manager"];
/// The addresses of an account's administrators.
pub(crate) const ACCOUNT_ROLES: [&str; 2] = ["postmaster", "abuse"];
/// Octets of one message to any of them.
pub(super) const ROLE_BYTES_MAX: u64 = 1024 * 1024;
/// Octets that the trace fields of this server may add to a message.
const TRACE_BYTES_MAX: u64 = 4096;

/// Whether a message is too large for a role address. It arrives where another recipient has a higher limit.
pub(crate) fn is_too_large(inbound: &Inbound) -> bool {
    ROLE_BYTES_MAX + TRACE_BYTES_MAX < inbound.raw.len() as u64
}

impl Route {
    /// The largest message that is taken for this address, in octets; `None` if only the server's limit applies.
    #[must_use]
    pub fn limit_bytes(self) -> Option<u64> {
        match self {
            Route::List { limit_bytes, .. } => Some(limit_bytes),
            Route::Owner { .. } | Route::Postmaster { .. } | Route::Command { .. } => Some(ROLE_BYTES_MAX),
            Route::Bounce { .. }
            | Route::Alias(_)
            | Route::Confirmation(_)
            | Route::ModerationReply(_)
            | Route::Unsubscribe { .. } => None,
        }
    }

    /// Whether mail for this address is only read, and never sent on: it may have any form.
    #[must_use]
    pub fn is_only_read(self) -> bool {
        matches!(self, Route::Bounce { .. })
    }
}

/// The addresses behind a role of a list or an account; empty if it has nobody.
pub(crate) fn route_role(
    tx: &impl Read,
    domain: &AccountDomain,
    local: &str,
) -> Result<Option<Route>, StoreError> {
    if ACCOUNT_ROLES.contains(&local) {
        return Ok(Some(Route::Postmaster { account: domain.account }));
    }
    for suffix in LIST_ROLES {
        let Some(name) = local.strip_suffix(suffix) else { continue };
        let Some(list) = find_list_behind(tx, domain.account, name)? else { continue };
        if !notices::moderators_of(tx, &list, None)?.is_empty() {
            return Ok(Some(Route::Owner { list: list.id }));
        }
    }
    Ok(None)
}

impl Distribution<'_> {
    /// Whether the message may be passed on to role addresses. It is counted once, however many of them it is for.
    pub(super) fn admits_role_mail(&mut self, tx: &mut WriteTx) -> Result<bool, Refusal> {
        if let Some(is_admitted) = self.is_role_mail_admitted {
            return Ok(is_admitted);
        }
        let is_too_large = is_too_large(self.inbound);
        let is_admitted = !is_too_large && self.takes_role_allowance(tx)?;
        if is_too_large {
            tracing::info!(
                client.address = %self.envelope.client,
                "A message is too large for the people who look after a list, and is not passed on to them"
            );
        } else if !is_admitted {
            self.put_off(Refusal::TooMuchRoleMail)?;
        }
        self.is_role_mail_admitted = Some(is_admitted);
        Ok(is_admitted)
    }

    fn takes_role_allowance(&self, tx: &mut WriteTx) -> Result<bool, StoreError> {
        let client = self.envelope.client;
        let subject = match self.envelope.origin {
            Origin::Trusted => return Ok(true),
            Origin::Client => Subject::client(client),
            Origin::Relay => Subject::sender_behind(client, self.envelope.reverse_path.as_str()),
        };
        Ok(allowances::take(tx, ROLE_MAIL, &subject, self.now)?.is_ok())
    }
}
