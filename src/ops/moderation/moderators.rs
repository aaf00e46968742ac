//! Moderators' decisions by signed link, or by reply to the request to decide.
//!
//! A token names a held message and one moderator, and is signed, so nobody can make one up. It stops working when the
//! message is forgotten, or when the moderator loses the right to approve for the list. Decisions take the same path as
//! those of API calls, so the first of two wins.

use std::net::IpAddr;
use std::sync::Arc;

use crate::clock::Timestamp;
use crate::locale::text;
use crate::mail::Inbound;
use crate::model::{
    Admin, AdminId, EmailAddress, Held, HeldAction, HeldId, HeldState, List, Permission, SystemMailKind, Via,
};
use crate::ops::authority::holds_for;
use crate::ops::domains;
use crate::ops::envelope::ModerationToken;
use crate::ops::moderation::notices::Moderator;
use crate::ops::moderation::{self, Choice, ModerationDecision};
use crate::ops::notices::system_mails::{self, MailContext, NewNotice};
use crate::ops::{Caller, Core, OpError, locales};
use crate::secret::{Purpose, Signer, sha256};
use crate::store::{Read, StoreError, WriteTx};

/// Longest reason that a moderator can give, in characters.
pub const REASON_CHARS_MAX: usize = 1000;
/// A bit in the numbers of moderators by address, which no administrator's id has.
const BY_ADDRESS: u64 = 1 << 63;

impl ModerationToken {
    /// The moderation token of a moderator for a held message.
    #[must_use]
    pub fn of(held: HeldId, moderator: &Moderator) -> ModerationToken {
        let moderator = moderator.admin.map_or_else(|| number_of(&moderator.address), |AdminId(id)| id);
        ModerationToken { held, moderator }
    }

    /// The signed form for links and reply addresses.
    #[must_use]
    pub fn token(self, signer: &Signer) -> String {
        signer.token(Purpose::Moderate, [self.held.0, self.moderator])
    }

    /// The moderation token in a text that this server signed.
    #[must_use]
    pub fn open(signer: &Signer, token: &str) -> Option<ModerationToken> {
        let [held, moderator] = signer.open(Purpose::Moderate, token)?;
        Some(ModerationToken { held: HeldId(held), moderator })
    }
}

/// The number for the address of a list's own moderator. When the list gets another moderator, old tokens stop working.
fn number_of(address: &EmailAddress) -> u64 {
    let hash = sha256(address.folded().as_bytes());
    let (first, _) = hash.split_first_chunk::<8>().expect("a hash has 32 bytes");
    u64::from_be_bytes(*first) | BY_ADDRESS
}

/// The right that a moderation token grants.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModerationGrant {
    /// The message, decided or not.
    pub held: Held,
    /// Its list.
    pub list: List,
    /// The caller who decides, limited to this message's list.
    pub caller: Caller,
    /// The address at which the holder is told of the result.
    pub address: EmailAddress,
}

/// The right that a moderation token grants to a holder who used it by `via` from `client`; `None` if the message is
/// forgotten, the list is gone, or the moderator may not approve for it any more.
pub fn moderation_grant(
    tx: &impl Read,
    moderation_token: ModerationToken,
    (via, client): (Via, Option<IpAddr>),
) -> Result<Option<ModerationGrant>, StoreError> {
    let Some(held) = tx.get::<Held>(moderation_token.held.0)? else { return Ok(None) };
    let Some(list) = tx.get::<List>(held.list.0)? else { return Ok(None) };
    if moderation_token.moderator & BY_ADDRESS != 0 {
        let moderator =
            list.moderator.clone().filter(|address| number_of(address) == moderation_token.moderator);
        return Ok(moderator.map(|address| {
            let caller = Caller::moderator(&list, address.clone(), via, client);
            ModerationGrant { held, list, caller, address }
        }));
    }
    let admin = tx.get::<Admin>(moderation_token.moderator)?.filter(|admin| {
        admin.account == Some(held.account) && holds_for(admin, Permission::ApproveMessages, list.id)
    });
    let Some(admin) = admin else { return Ok(None) };
    let caller = Caller::admin(&admin, held.account, via, client);
    let Some(address) = admin.username else { return Ok(None) };
    Ok(Some(ModerationGrant { held, list, caller, address }))
}

/// The same, or an error that there is no such message.
fn granted(
    tx: &impl Read,
    moderation_token: ModerationToken,
    source: (Via, Option<IpAddr>),
) -> Result<ModerationGrant, OpError> {
    let found = moderation_grant(tx, moderation_token, source)?;
    found.ok_or(OpError::NotFound { what: "held message" })
}

/// The reason that a moderator gave; `None` if it is blank.
#[must_use]
pub fn reason_of(text: &str) -> Option<String> {
    let reason: String = text.chars().take(REASON_CHARS_MAX).collect();
    Some(reason).filter(|reason| !reason.is_empty())
}

/// The command in the first line of a moderator's reply: `approve`, `reject [reason]` or `discard`.
fn parse_order(line: &str) -> Option<(HeldAction, Option<String>)> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let word = word.trim_end_matches(['.', ',', ':', '!', ';']).to_lowercase();
    let rest = rest.trim();
    match HeldAction::from_word(&word)? {
        HeldAction::Reject => Some((HeldAction::Reject, reason_of(rest))),
        // "approve it not" is no approval.
        action => rest.is_empty().then_some((action, None)),
    }
}

impl Core {
    /// Carries out the decision of a moderation token's holder, who came by `source`. It is durable when this returns.
    pub async fn moderate(
        &self,
        moderation_token: ModerationToken,
        source: (Via, Option<IpAddr>),
        action: HeldAction,
        reason: Option<String>,
    ) -> Result<Held, OpError> {
        let choice = match action {
            HeldAction::Reject => Choice::Reject,
            HeldAction::Discard => Choice::Discard,
            // A message is parsed outside of the write job, so that others need not wait.
            HeldAction::Approve => {
                let store = self.store.clone();
                let parsing = tokio::task::spawn_blocking(move || -> Result<_, OpError> {
                    let tx = store.read()?;
                    let ModerationGrant { held, caller, .. } = granted(&tx, moderation_token, source)?;
                    moderation::approval(&tx, &caller, held.id)
                });
                parsing.await.map_err(|_| StoreError::Panicked)??
            }
        };
        let caller = Arc::new(granted(&self.store.read()?, moderation_token, source)?.caller);
        // A decision ends a wait, so it is carried out while the disk is nearly full too, as by the API.
        self.perform_reserved(&caller, move |tx, act| {
            // The right to decide may have been lost meanwhile.
            let ModerationGrant { held, caller, .. } = granted(tx, moderation_token, source)?;
            let decision_made = ModerationDecision { choice, reason };
            moderation::decide(tx, &caller, held.id, decision_made, &act.mail_context, act.now)
        })
        .await
    }

    /// Carries out a moderator's reply to the request to decide. Replies by machines are ignored.
    pub(in crate::ops) async fn take_moderation_reply(
        &self,
        moderation_token: ModerationToken,
        inbound: &Inbound,
        client: IpAddr,
    ) -> Result<(), StoreError> {
        if inbound.is_automated() {
            tracing::info!(
                held.id = moderation_token.held.0,
                "An automatic answer to a request to decide is dropped"
            );
            return Ok(());
        }
        let order = inbound.first_line().and_then(|line| parse_order(&line));
        let told = match order {
            None => None,
            Some((action, reason)) => {
                match self.moderate(moderation_token, (Via::Mail, Some(client)), action, reason).await {
                    Ok(_) => return Ok(()),
                    Err(OpError::Conflict { field: _, problem }) => Some(problem),
                    Err(OpError::Store(error)) => return Err(error),
                    Err(error) => {
                        tracing::info!(held.id = moderation_token.held.0, error = %error, "A moderator's answer came too late");
                        return Ok(());
                    }
                }
            }
        };
        let about = inbound.message_id.clone();
        self.perform(&Caller::of_server(), move |tx, by| {
            advise(tx, &by.mail_context, moderation_token, told.as_deref(), about.as_deref(), by.now)
        })
        .await
    }
}

/// Answers a command that could not be carried out: with the earlier decision, or, once, with instructions.
fn advise(
    tx: &mut WriteTx<'_>,
    mail_context: &MailContext,
    moderation_token: ModerationToken,
    told: Option<&str>,
    about: Option<&str>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let source = (Via::Mail, None);
    let Some(ModerationGrant { mut held, list, address, .. }) =
        moderation_grant(tx, moderation_token, source)?
    else {
        return Ok(());
    };
    let locale = locales::locale(tx, list.account)?;
    let (language, list_name) = (locale.language, list.name.as_str());
    let mut text =
        text!(language, "moderate-answer-about", subject = &held.subject, list = list_name) + "\n\n";
    match told {
        Some(problem) => {
            let decided = moderation::decided(tx, &locale, &held)?;
            let problem = decided.unwrap_or_else(|| problem.to_owned());
            text += &text!(language, "moderate-answer-unchanged", problem = problem);
        }
        None if held.advised.contains(&moderation_token.moderator) => return Ok(()),
        None => {
            text += &text!(language, "moderate-answer-unknown");
            held.advised.push(moderation_token.moderator);
            tx.put(&held)?;
        }
    }
    text.push('\n');
    let domain = domains::main_domain(tx, list.account)?;
    let reply_to = system_mails::confirm_address(&moderation_token.token(&mail_context.signer), &domain)?;
    let notice = NewNotice {
        kind: SystemMailKind::Answer,
        from_phrase: list.title(),
        from_local: &system_mails::owner_local(&list),
        to: &address,
        reply_to: Some(&reply_to).filter(|_| held.state == HeldState::Held),
        subject: &text!(language, "moderate-answer-subject", list = list_name, subject = &held.subject),
        text: &text,
        in_reply_to: about,
    };
    system_mails::write(tx, mail_context, list.account, &notice, now)?;
    Ok(())
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
        check("Reject: no  advertisements", Some((HeldAction::Reject, Some("no  advertisements"))));
        for line in ["", "yes", "approved", "approve it not", "discard?", "I approve", "rejected"] {
            check(line, None);
        }
    }

    #[test]
    fn a_ticket_is_bound_to_its_moderator() {
        let signer = Signer::new(LinkSecrets::new([7; 32]));
        let moderator = |address: &str, admin: Option<u64>| Moderator {
            address: EmailAddress::parse(address).unwrap(),
            admin: admin.map(AdminId),
        };
        let moderation_token = ModerationToken::of(HeldId(5), &moderator("ada@x.org", None));
        assert_eq!(ModerationToken::open(&signer, &moderation_token.token(&signer)), Some(moderation_token));
        assert_eq!(moderation_token, ModerationToken::of(HeldId(5), &moderator("ADA@X.org", None)));
        assert_ne!(moderation_token, ModerationToken::of(HeldId(5), &moderator("eve@x.org", None)));
        assert_ne!(moderation_token, ModerationToken::of(HeldId(5), &moderator("ada@x.org", Some(1))));
        assert_eq!(
            ModerationToken::open(&Signer::new(LinkSecrets::new([8; 32])), &moderation_token.token(&signer)),
            None
        );
    }
}
