//! The TLS that a message asks for on its way: safe or not at all, or delivered in any case.

use crate::mail;

/// The TLS that a message demands on its way (RFC 8689).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TlsRequirement {
    /// No demand: the rules of the recipients' domain apply.
    Usual,
    /// Only to authenticated servers that promise the same (REQUIRETLS), or not at all.
    Required,
    /// Delivery comes first, whatever the recipients' domain demands (`TLS-Required: No`).
    Waived,
}

impl TlsRequirement {
    /// The demand of a message. One that came under REQUIRETLS cannot waive it by its header (RFC 8689 4.1).
    pub(super) fn of(requires_tls: bool, message: &[u8]) -> TlsRequirement {
        match (requires_tls, mail::waives_tls(message)) {
            (true, _) => TlsRequirement::Required,
            (false, true) => TlsRequirement::Waived,
            (false, false) => TlsRequirement::Usual,
        }
    }
}
