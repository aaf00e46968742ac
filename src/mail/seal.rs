//! Makes ARC seals (RFC 8617) for outgoing messages: the results of the checks at arrival, signed by the list's domain,
//! for receivers who can no longer make these checks.
//!
//! One seal serves all copies of a message with the same body: fields that differ from member to member are not
//! covered, and neither is the list's own DKIM signature, which every copy has for itself. The list's fields that are
//! the same in all copies, and the authors' signatures that were kept, are covered.
//!
//! A chain that came in broken is marked so once, by a seal over its own set alone (5.1.2), and is never continued
//! after that. A chain longer than the limit is left as it is: it was not checked.
//!
//! This module looks nothing up: the results of the checks are an argument.

use aws_lc_rs::digest::{Context, SHA256};
use aws_lc_rs::signature::RsaKeyPair;

use super::header;
use super::sign::{BodyHash, Covered, SIGNED, canonical_field, rsa_signature, write_signature};
use super::trace_headers::results_in_lines;
use crate::clock::Timestamp;
use crate::model::{Authentication, CheckResult, DkimKeys};

/// Sets of a chain that are checked, of the 50 that RFC 8617 4.2.1 allows: longer chains are not continued.
pub const ARC_SETS_MAX: usize = 20;
/// The fields of one set in the order in which they are sealed (RFC 8617 5.1.1).
const SET: [&str; 3] = ["ARC-Authentication-Results", "ARC-Message-Signature", "ARC-Seal"];
/// Signed fields that differ from copy to copy, or depend on one that does.
const PERSONAL: [&str; 3] = ["List-Unsubscribe", "List-Unsubscribe-Post", "CFBL-Address"];

/// The reason why a message that should be sealed cannot be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// The RSA key is no PKCS#8 key, or cannot sign.
    #[error("the RSA key cannot sign")]
    Key,
    /// A chain passed the check but its sets are incomplete.
    #[error("its ARC chain is incomplete")]
    Incomplete,
}

/// Seals the copies of one message.
#[derive(Debug)]
pub struct ArcSealer {
    domain: String,
    selector: String,
    key: RsaKeyPair,
    chain: Chain,
    /// `ARC-Authentication-Results` of the new set.
    results: String,
}

/// The input of a new set that comes from the older ones.
#[derive(Debug, PartialEq, Eq)]
struct Chain {
    /// The number of the new set.
    instance: usize,
    /// The validation result (`cv=`) of the new set for the older ones.
    validation: &'static str,
    /// The older sets in canonical form, as far as the new one seals them.
    sealed: Vec<u8>,
}

impl ArcSealer {
    /// Prepares to seal for `domain` (A-label form); `None` if there is nothing to state: no check passed, or the chain
    /// is already marked as broken. `hostname` is the server's name, `head` the header of any copy.
    pub fn of(
        domain: &str,
        keys: &DkimKeys,
        hostname: &str,
        authentication: &Authentication,
        head: &[u8],
    ) -> Result<Option<ArcSealer>, SealError> {
        let Some(chain) = Chain::of(head, authentication)? else { return Ok(None) };
        let key = RsaKeyPair::from_pkcs8(&keys.rsa_pkcs8).map_err(|_| SealError::Key)?;
        let results = results_in_lines(authentication);
        Ok(Some(ArcSealer {
            domain: domain.to_owned(),
            selector: keys.selector.clone(),
            key,
            results: format!("{}: i={}; {hostname};\r\n\t{results}\r\n", SET[0], chain.instance),
            chain,
        }))
    }

    /// The three fields in front of a copy that already has its DKIM signatures.
    pub fn seal(&self, head: &[u8], body_hash: &BodyHash, now: Timestamp) -> Result<Vec<u8>, SealError> {
        let signature = self.message_signature(head, body_hash, now)?;
        let mut sealed = self.chain.sealed.clone();
        canonical_field(self.results.as_bytes(), &mut sealed);
        canonical_field(&signature, &mut sealed);
        let mut context = Context::new(&SHA256);
        context.update(&sealed);
        let (Chain { instance, validation, .. }, name) = (&self.chain, SET[2]);
        let (domain, selector, time) = (&self.domain, &self.selector, now.secs());
        let seal = format!(
            "{name}: i={instance}; a=rsa-sha256; cv={validation};\r\n\td={domain}; s={selector}; t={time};"
        );
        let mut out = seal.into_bytes();
        let digest = Covered::behind(context).digest(&mut out, 0);
        write_signature(&mut out, &rsa_signature(&self.key, &digest).ok_or(SealError::Key)?);
        out.extend_from_slice(&signature);
        out.extend_from_slice(self.results.as_bytes());
        Ok(out)
    }

    fn message_signature(
        &self,
        head: &[u8],
        body_hash: &BodyHash,
        now: Timestamp,
    ) -> Result<Vec<u8>, SealError> {
        let shared = SIGNED.iter().filter(|name| !PERSONAL.contains(name));
        let names: Vec<&'static str> = shared.copied().chain(["DKIM-Signature"]).collect();
        let covered = Covered::of(head, &names);
        let (instance, name, body_hash) = (self.chain.instance, SET[1], body_hash.base64());
        let (domain, selector, time) = (&self.domain, &self.selector, now.secs());
        let start = format!(
            "{name}: i={instance}; a=rsa-sha256; c=relaxed/relaxed;\r\n\td={domain}; s={selector};\r\n\tt={time}; bh={body_hash};\r\n\th="
        );
        let mut out = start.into_bytes();
        covered.write_names(&mut out);
        out.push(b';');
        let digest = covered.digest(&mut out, 0);
        write_signature(&mut out, &rsa_signature(&self.key, &digest).ok_or(SealError::Key)?);
        Ok(out)
    }
}

impl Chain {
    /// The chain that a new set continues; `None` if it must not be continued, or the set would prove nothing.
    fn of(head: &[u8], authentication: &Authentication) -> Result<Option<Chain>, SealError> {
        let fields: Vec<ArcField<'_>> = header::fields(head).filter_map(ArcField::of).collect();
        let last = fields.iter().map(|field| field.instance).max().unwrap_or(0);
        let Authentication { spf, dkim, dmarc, arc, .. } = authentication;
        let has_passed = [spf, dkim, dmarc].contains(&&CheckResult::Pass);
        if ARC_SETS_MAX < last {
            return Ok(None);
        }
        let is_closed =
            |field: &ArcField<'_>| (field.kind, field.instance) == (2, last) && field.tag("cv=") == "fail";
        let chain = |validation, sealed| Ok(Some(Chain { instance: last + 1, validation, sealed }));
        match arc {
            CheckResult::Pass => chain("pass", canonical_sets(&fields, last)?),
            CheckResult::None if fields.is_empty() && has_passed => chain("none", Vec::new()),
            // It is unknown whether the chain is valid.
            CheckResult::TempError => Ok(None),
            _ if fields.is_empty() || !has_passed || fields.iter().any(is_closed) => Ok(None),
            // This includes fragments of sets.
            _ => chain("fail", Vec::new()),
        }
    }
}

/// A field of a set.
struct ArcField<'h> {
    /// Its place in [`SET`].
    kind: usize,
    /// The number of its set; 0 if it has none that can be read.
    instance: usize,
    field: header::Field<'h>,
}

impl<'h> ArcField<'h> {
    fn of(field: header::Field<'h>) -> Option<ArcField<'h>> {
        let kind = SET.iter().position(|name| field.is(name))?;
        let unnumbered = ArcField { kind, instance: 0, field };
        Some(ArcField { instance: unnumbered.tag("i=").parse().unwrap_or(0), ..unnumbered })
    }

    fn tag(&self, name: &str) -> String {
        self.field.tag(name)
    }
}

/// The sets 1 to `last` in canonical form; each must be complete and occur once.
fn canonical_sets(fields: &[ArcField<'_>], last: usize) -> Result<Vec<u8>, SealError> {
    let mut sets = Vec::new();
    if last == 0 || fields.len() != last * SET.len() {
        return Err(SealError::Incomplete);
    }
    for instance in 1..=last {
        for kind in 0..SET.len() {
            let found = fields.iter().find(|field| (field.kind, field.instance) == (kind, instance));
            canonical_field(found.ok_or(SealError::Incomplete)?.field.raw, &mut sets);
        }
    }
    Ok(sets)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `kind-instance` of each field, with `!` behind a seal that says that the chain is broken.
    fn head(fields: &str) -> String {
        let field = |text: &str| {
            let (kind, instance) = text.split_once('-').unwrap();
            let name = SET[["r", "m", "s"].iter().position(|known| *known == kind).unwrap()];
            match instance.strip_suffix('!') {
                Some(instance) => format!("{name}: i={instance}; cv=fail\r\n"),
                None => format!("{name}: i = {instance}; cv=none\r\n"),
            }
        };
        fields.split_whitespace().map(field).collect::<String>() + "From: a@x.org\r\n\r\n"
    }

    #[track_caller]
    fn check(fields: &str, arc: CheckResult, dkim: CheckResult, expected: &str) {
        let authentication = Authentication { dkim, arc, ..Authentication::unchecked() };
        let found = match Chain::of(head(fields).as_bytes(), &authentication) {
            Ok(Some(chain)) => format!("{} {} {}", chain.instance, chain.validation, chain.sealed.len()),
            Ok(None) => "none".to_owned(),
            Err(error) => error.to_string(),
        };
        assert_eq!(found, expected, "{fields}");
    }

    const SET_1: &str = "s-1 m-1 r-1";

    #[test]
    fn what_passed_begins_a_chain_or_continues_it() {
        use CheckResult::{Fail, None, Pass};
        check("", None, Pass, "1 none 0");
        check("", None, Fail, "none");
        check(SET_1, Pass, Fail, "2 pass 106");
        check("r-2 s-1 m-1 s-2 r-1 m-2", Pass, None, "3 pass 212");
    }

    #[test]
    fn a_broken_chain_is_told_so_once() {
        use CheckResult::{Fail, Neutral, None, Pass, PermError, TempError};
        for arc in [Fail, Neutral, PermError] {
            check(SET_1, arc, Pass, "2 fail 0");
            check(SET_1, arc, None, "none");
        }
        check("s-2! m-2 r-2 s-1 m-1 r-1", Fail, Pass, "none");
        check("r-3", None, Pass, "4 fail 0");
        check(SET_1, TempError, Pass, "none");
    }

    #[test]
    fn a_chain_that_is_not_there_is_an_error_and_a_long_one_is_left_alone() {
        use CheckResult::{Fail, Pass};
        check("", Pass, Pass, "its ARC chain is incomplete");
        check("s-1 m-1 r-1 r-1", Pass, Pass, "its ARC chain is incomplete");
        check("s-2 m-2 r-2", Pass, Pass, "its ARC chain is incomplete");
        check("s-1 m-1 r-20", Fail, Pass, "21 fail 0");
        check("s-1 m-1 r-21", Fail, Pass, "none");
    }
}
