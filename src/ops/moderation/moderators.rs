//! Moderators' decisions by signed link, or by reply to the request to decide: on held messages, and on requests that
//! wait for approval.
//!
//! A token names what is decided and one moderator, and is signed, so nobody can make one up. It stops working when the
//! message or request is forgotten, or when the moderator loses the right to decide. Decisions take the same path as
//! those of API calls, so the first of two wins.

pub(crate) mod advice;

use std::net::IpAddr;

use crate::locale::text;
use crate::mail::AnswerLine;
use crate::mail::envelope::{CaseId, ModerationToken};
use crate::model::pending::PendingKind;
use crate::model::search::fold;
use crate::model::{
    AccountId, Admin, AdminId, EmailAddress, Held, HeldAction, HeldId, Language, List, ListId, Pending,
    PendingId, Permission, Via,
};
use crate::ops::authority::holds_for;
use crate::ops::moderation::notices::Moderator;
use crate::ops::{Caller, OpError};
use crate::secret::{Purpose, Signer, sha256};
use crate::store::{Read, StoreError};

/// Longest reason that a moderator can give, in characters.
pub const REASON_CHARS_MAX: usize = 1000;
/// A bit in the numbers of moderators by address, which no administrator's id has.
const BY_ADDRESS: u64 = 1 << 63;

impl ModerationToken {
    /// The moderation token of a moderator for a held message or a request.
    #[must_use]
    pub fn of(case: CaseId, moderator: &Moderator) -> ModerationToken {
        let moderator = moderator.admin.map_or_else(|| number_of(&moderator.address), |AdminId(id)| id);
        ModerationToken { case, moderator }
    }

    /// The signed form for links and reply addresses.
    #[must_use]
    pub fn token(self, signer: &Signer) -> String {
        match self.case {
            CaseId::Held(id) => signer.token(Purpose::Moderate, [id.0, self.moderator]),
            CaseId::Pending(id) => signer.token(Purpose::Approve, [id.0, self.moderator]),
        }
    }

    /// The moderation token in a text that this server signed.
    #[must_use]
    pub fn open(signer: &Signer, token: &str) -> Option<ModerationToken> {
        if let Some([held, moderator]) = signer.open(Purpose::Moderate, token) {
            return Some(ModerationToken { case: CaseId::Held(HeldId(held)), moderator });
        }
        let [pending, moderator] = signer.open(Purpose::Approve, token)?;
        Some(ModerationToken { case: CaseId::Pending(PendingId(pending)), moderator })
    }
}

/// The number for the address of a list's own moderator. When the list gets another moderator, old tokens stop working.
fn number_of(address: &EmailAddress) -> u64 {
    let hash = sha256(address.folded().as_bytes());
    let (first, _) = hash.split_first_chunk::<8>().expect("a hash has 32 bytes");
    u64::from_be_bytes(*first) | BY_ADDRESS
}

/// The object of a moderator's decision, decided or not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Case {
    /// A held message.
    Held(Box<Held>),
    /// A request that waits for approval.
    Pending(Box<Pending>),
}

impl Case {
    /// The account that it belongs to.
    #[must_use]
    pub fn account(&self) -> AccountId {
        match self {
            Case::Held(held) => held.account,
            Case::Pending(pending) => pending.account,
        }
    }

    fn list(&self) -> ListId {
        match self {
            Case::Held(held) => held.list,
            Case::Pending(pending) => pending.list,
        }
    }

    /// The permission that deciding needs.
    fn permission(&self) -> Permission {
        match self {
            Case::Pending(pending) if pending.kind == PendingKind::List => Permission::AccountAdmin,
            Case::Held(_) | Case::Pending(_) => Permission::ApproveMessages,
        }
    }
}

/// The right that a moderation token grants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModerationGrant {
    /// The message or the request.
    pub case: Case,
    /// Its list; `None` if it is a list that was refused, and is gone.
    pub list: Option<List>,
    /// The caller who decides; the list's own moderator is limited to the list.
    pub caller: Caller,
    /// The address at which the holder is told of the result.
    pub address: EmailAddress,
}

/// The right that a moderation token grants to a holder who used it by `via` from `client`; `None` if the message or
/// request is forgotten, the list of a message is gone, or the moderator may not decide any more.
pub fn moderation_grant(
    tx: &impl Read,
    moderation_token: ModerationToken,
    (via, client): (Via, Option<IpAddr>),
) -> Result<Option<ModerationGrant>, StoreError> {
    let case = match moderation_token.case {
        CaseId::Held(id) => tx.get::<Held>(id.0)?.map(|held| Case::Held(Box::new(held))),
        CaseId::Pending(id) => tx.get::<Pending>(id.0)?.map(|pending| Case::Pending(Box::new(pending))),
    };
    let Some(case) = case else { return Ok(None) };
    let list = tx.get::<List>(case.list().0)?;
    if list.is_none() && matches!(case, Case::Held(_)) {
        return Ok(None);
    }
    if moderation_token.moderator & BY_ADDRESS != 0 {
        let Some(list) = list.filter(|_| case.permission() == Permission::ApproveMessages) else {
            return Ok(None);
        };
        let moderator =
            list.moderator.clone().filter(|address| number_of(address) == moderation_token.moderator);
        return Ok(moderator.map(|address| {
            let caller = Caller::moderator(&list, address.clone(), via, client);
            ModerationGrant { case, list: Some(list), caller, address }
        }));
    }
    let admin = tx.get::<Admin>(moderation_token.moderator)?.filter(|admin| {
        admin.account == Some(case.account()) && holds_for(admin, case.permission(), case.list())
    });
    let Some(admin) = admin else { return Ok(None) };
    let caller = Caller::admin(&admin, case.account(), via, client);
    let Some(address) = admin.username else { return Ok(None) };
    Ok(Some(ModerationGrant { case, list, caller, address }))
}

/// The same, or an error that there is no such message or request.
pub(crate) fn granted(
    tx: &impl Read,
    moderation_token: ModerationToken,
    source: (Via, Option<IpAddr>),
) -> Result<ModerationGrant, OpError> {
    let found = moderation_grant(tx, moderation_token, source)?;
    found.ok_or(OpError::NotFound {
        what: match moderation_token.case {
            CaseId::Held(_) => "held message",
            CaseId::Pending(_) => "pending request",
        },
    })
}

/// The reason that a moderator gave; `None` if it is blank.
#[must_use]
pub fn reason_of(text: &str) -> Option<String> {
    let reason: String = text.chars().take(REASON_CHARS_MAX).collect();
    Some(reason).filter(|reason| !reason.is_empty())
}

/// The decision in a moderator's reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Order {
    /// To decide so, with a reason.
    Decide(HeldAction, Option<String>),
    /// The reply names two decisions.
    Contradictory,
    /// The reply names none.
    Unknown,
}

impl Order {
    /// The decision in the author's own lines of a reply: a first line, above or below what is quoted, that is an order,
    /// as long as no other line is another one.
    pub(crate) fn of(lines: &[AnswerLine]) -> Order {
        let orders: Vec<(bool, (HeldAction, Option<String>))> =
            lines.iter().filter_map(|line| Some((line.is_first, parse_order(&line.text)?))).collect();
        let Some((_, (action, reason))) = orders.iter().find(|(is_first, _)| *is_first) else {
            return Order::Unknown;
        };
        if orders.iter().any(|(_, (other, _))| other != action) {
            return Order::Contradictory;
        }
        Order::Decide(*action, reason.clone())
    }
}

/// The decision that a word stands for: what the buttons say in any language of the interface, and other words for it.
fn decision_of(word: &str) -> Option<HeldAction> {
    let word = fold(word);
    let buttons = |language: Language| {
        [
            (HeldAction::Approve, text!(language, "moderate-approve")),
            (HeldAction::Reject, text!(language, "moderate-reject")),
            (HeldAction::Discard, text!(language, "moderate-discard")),
        ]
    };
    let others = [
        (HeldAction::Approve, &["approve", "annehmen", "genehmigen", "accepter", "aceptar"][..]),
        (HeldAction::Reject, &["reject", "zurueckweisen", "rejeter"]),
        (HeldAction::Discard, &["discard", "ecarter", "supprimer", "descartar"]),
    ];
    let other = others.iter().find(|(_, words)| words.contains(&word.as_str())).map(|(action, _)| *action);
    other.or_else(|| {
        let mut buttons = Language::ALL.iter().flat_map(|language| buttons(*language));
        buttons.find(|(_, button)| fold(button) == word).map(|(action, _)| action)
    })
}

/// The decision in a line: `approve`, `reject [reason]` or `discard`, or the same in another language of the interface.
fn parse_order(line: &str) -> Option<(HeldAction, Option<String>)> {
    // A word in bold, as programs write it in plain text.
    let marks = ['*', '_', '"', '\'', '“', '”', '„', '«', '»', ' ', '\u{a0}', '\u{202f}'];
    let line = line.trim_matches(marks);
    // The words of a button may be several.
    if let Some(action) = decision_of(line.trim_end_matches(['.', ',', ':', '!', ';', '*', '_', ' '])) {
        return Some((action, None));
    }
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let word = word.trim_end_matches(['.', ',', ':', '!', ';', '*', '_']);
    let rest = rest.trim_start_matches([' ', '\u{a0}', '\u{202f}', ':', '!', '.']).trim();
    match decision_of(word)? {
        HeldAction::Reject => Some((HeldAction::Reject, reason_of(rest))),
        // "approve it not" is no approval.
        action => rest.is_empty().then_some((action, None)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secret::LinkSecrets;

    #[track_caller]
    fn check(line: &str, expected: Option<(HeldAction, Option<&str>)>) {
        let expected = expected.map(|(action, reason)| (action, reason.map(str::to_owned)));
        assert_eq!(parse_order(line), expected, "{line}");
    }

    #[test]
    fn a_line_is_an_order_if_it_is_nothing_else() {
        check("approve", Some((HeldAction::Approve, None)));
        check("Approve.", Some((HeldAction::Approve, None)));
        check("DISCARD", Some((HeldAction::Discard, None)));
        check("reject", Some((HeldAction::Reject, None)));
        for line in ["*Approve*", "“approve”", "freigeben", "Approuver !", "aprobar."] {
            check(line, Some((HeldAction::Approve, None)));
        }
        check("*Ablehnen:* keine Werbung", Some((HeldAction::Reject, Some("keine Werbung"))));
        for line in [
            "Écarter",
            "ECARTER",
            "supprimer.",
            "Verwerfen",
            "descartar",
            "E\u{301}carter !",
            "Supprimer sans prévenir.",
        ] {
            check(line, Some((HeldAction::Discard, None)));
        }
        check("Reject: no  advertisements", Some((HeldAction::Reject, Some("no  advertisements"))));
        for line in ["", "yes", "approved", "approve it not", "discard?", "I approve", "rejected"] {
            check(line, None);
        }
    }

    #[test]
    fn the_words_of_the_buttons_are_orders_in_every_language() {
        for language in Language::ALL {
            check(&text!(*language, "moderate-approve").to_uppercase(), Some((HeldAction::Approve, None)));
            check(&text!(*language, "moderate-reject").to_lowercase(), Some((HeldAction::Reject, None)));
            check(&text!(*language, "moderate-discard").to_lowercase(), Some((HeldAction::Discard, None)));
        }
    }

    #[test]
    fn of_several_lines_a_first_one_decides_unless_another_contradicts() {
        let order = |lines: &[(&str, bool)]| {
            let line = |(text, is_first): &(&str, bool)| AnswerLine {
                text: (*text).to_owned(),
                is_first: *is_first,
            };
            Order::of(&lines.iter().map(line).collect::<Vec<_>>())
        };
        let approved = Order::Decide(HeldAction::Approve, None);
        assert_eq!(order(&[("approve", true), ("Thanks, Ruth", false)]), approved);
        assert_eq!(order(&[("See below.", true), ("approve", true)]), approved);
        assert_eq!(order(&[("I will not", true), ("approve", false)]), Order::Unknown);
        assert_eq!(order(&[("approve", true), ("Freigeben", true)]), approved);
        assert_eq!(order(&[("approve", true), ("discard", false)]), Order::Contradictory);
        assert_eq!(order(&[("verwerfen", true), ("approve", true)]), Order::Contradictory);
        assert_eq!(order(&[]), Order::Unknown);
    }

    #[test]
    fn a_ticket_is_bound_to_its_moderator() {
        let signer = Signer::new(LinkSecrets::new([7; 32]));
        let moderator = |address: &str, admin: Option<u64>| Moderator {
            address: EmailAddress::parse(address).unwrap(),
            admin: admin.map(AdminId),
        };
        let moderation_token = ModerationToken::of(CaseId::Held(HeldId(5)), &moderator("ada@x.org", None));
        assert_eq!(ModerationToken::open(&signer, &moderation_token.token(&signer)), Some(moderation_token));
        assert_eq!(
            moderation_token,
            ModerationToken::of(CaseId::Held(HeldId(5)), &moderator("ADA@X.org", None))
        );
        assert_ne!(
            moderation_token,
            ModerationToken::of(CaseId::Held(HeldId(5)), &moderator("eve@x.org", None))
        );
        let request = ModerationToken::of(CaseId::Pending(PendingId(5)), &moderator("ada@x.org", None));
        assert_ne!(request.token(&signer), moderation_token.token(&signer), "each is for one thing alone");
        assert_eq!(ModerationToken::open(&signer, &request.token(&signer)), Some(request));
        assert_ne!(
            moderation_token,
            ModerationToken::of(CaseId::Held(HeldId(5)), &moderator("ada@x.org", Some(1)))
        );
        assert_eq!(
            ModerationToken::open(&Signer::new(LinkSecrets::new([8; 32])), &moderation_token.token(&signer)),
            None
        );
    }
}
