//! The scenarios of Sympa, as far as it brings them along: who may join, leave, post, see members and read the archive.
//!
//! A scenario that somebody wrote for the list or the server is not known here. It becomes what opens least.

use crate::model::account::Subscriptions;
use crate::model::list::{Memberview, MessageRejections};

/// What a scenario becomes, and what of it has no place here; blank if all of it has.
pub(super) type Become<T> = (T, &'static str);

/// Who may join.
pub(super) fn subscribe(name: &str) -> Option<Become<Subscriptions>> {
    Some(match name {
        "open" | "open_notify" | "open_quiet" | "auth" | "auth_notify" | "auth_notifydkim" | "authdkim" => {
            (Subscriptions::Open, "")
        }
        "owner" | "auth_owner" | "auth_ownerdkim" => (Subscriptions::OpenConfirm, ""),
        "smime" | "smimeorowner" => (Subscriptions::OpenConfirm, "no signature stands for an approval here"),
        "closed" => (Subscriptions::Closed, ""),
        _ => return None,
    })
}

/// Who may leave.
pub(super) fn unsubscribe(name: &str) -> Option<Become<Subscriptions>> {
    Some(match name {
        "open" | "open_notify" | "auth" | "auth_notify" | "auth_notifydkim" | "authdkim" => {
            (Subscriptions::Open, "")
        }
        "owner" => (Subscriptions::OpenConfirm, "the link in each mail leaves without approval"),
        "closed" => (Subscriptions::Closed, "the link in each mail leaves all the same"),
        _ => return None,
    })
}

/// Who sees the members.
pub(super) fn review(name: &str) -> Option<Become<Option<Memberview>>> {
    Some(match name {
        "closed" | "owner" | "listmaster" => (None, ""),
        "private" => (Some(Memberview::WithEmail), ""),
        "public" => (Some(Memberview::WithEmail), "members alone see them"),
        _ => return None,
    })
}

/// Whether the list stays out of the public index.
pub(super) fn visibility(name: &str) -> Option<Become<bool>> {
    Some(match name {
        "noconceal" | "public" => (false, ""),
        "conceal" | "private" => (true, ""),
        "secret" => (true, "members see the list on their page"),
        _ => return None,
    })
}

/// Who reads the archive: everybody, or members.
pub(super) fn archive(name: &str) -> Option<Become<(bool, bool)>> {
    Some(match name {
        "public" => ((true, true), ""),
        "private" => ((false, true), ""),
        "owner" | "closed" | "listmaster" => ((false, false), ""),
        _ => return None,
    })
}

/// Who posts without approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Posts {
    /// Everybody.
    All,
    /// Members.
    Members,
    /// Members, moderators and owners.
    MembersAndAdministrators,
    /// Moderators.
    Moderators,
    /// Owners.
    Owners,
    /// Nobody.
    Nobody,
}

/// Who may post.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Send {
    /// Who posts.
    pub(super) posts: Posts,
    /// Whether their posts wait for approval, too.
    pub(super) holds: bool,
    /// What becomes of the posts of others.
    pub(super) others: MessageRejections,
    /// A pattern that holds messages with such a header line.
    pub(super) held: &'static [&'static str],
    /// What of it has no place here.
    pub(super) instead: &'static str,
}

/// Senders whom Sympa asks to confirm each post.
const NOT_ASKED: &str = "senders are not asked to confirm a post; SPF and DKIM prove them here";
/// Posts of others whom Sympa asks to confirm each post.
const HELD_NOT_ASKED: &str = "others are not asked to confirm a post: their posts are held";
/// A message of several parts.
const MULTIPART: &str = r"^Content-Type:\s*multipart/";

/// Who may post.
pub(super) fn send(name: &str) -> Option<Send> {
    use MessageRejections::{Discard, Hold, Reject};
    use Posts::{All, Members, MembersAndAdministrators, Moderators, Nobody, Owners};
    let send = |posts, holds, others, instead| Send { posts, holds, others, held: &[], instead };
    Some(match name {
        "public" => send(All, false, Reject, ""),
        "public_nobcc" => send(All, false, Reject, "posts are taken wherever they name the list"),
        "publickey" | "privateorpublickey" => send(Members, false, Hold, HELD_NOT_ASKED),
        "publicnoattachment" => Send {
            held: &[r"^Content-Type:\s*multipart/mixed", r"^Content-Disposition:\s*attachment"],
            ..send(All, false, Reject, "")
        },
        "publicnomultipart" => {
            let instead = "mails of several parts are held, not refused";
            Send { held: &[MULTIPART], ..send(All, false, Reject, instead) }
        }
        "confidential" => send(MembersAndAdministrators, false, Discard, ""),
        "private" => send(MembersAndAdministrators, false, Reject, ""),
        "private_smime" => send(MembersAndAdministrators, false, Reject, "no signature is asked for"),
        "privatekey" => send(Members, false, Reject, NOT_ASKED),
        "privateoreditorkey" => send(MembersAndAdministrators, false, Hold, ""),
        "privateandnomultipartoreditorkey" => Send { held: &[MULTIPART], ..send(Members, false, Hold, "") },
        "privateandeditorkey" => send(Members, true, Reject, "posts of moderators are held, too"),
        "privatekeyandeditorkeyonly" => send(Members, true, Reject, NOT_ASKED),
        "editorkey" => send(Moderators, false, Hold, ""),
        "editordkim" => send(Moderators, false, Hold, NOT_ASKED),
        "editorkeyonly" => send(Nobody, true, Hold, ""),
        "editorkeyonlyauth" => send(Nobody, true, Hold, NOT_ASKED),
        "newsletter" => send(Moderators, false, Reject, ""),
        "newsletterkey" | "newsletterkeyonly" => send(Moderators, true, Reject, NOT_ASKED),
        "owner" => send(Owners, false, Reject, ""),
        "ownerauth" => send(Owners, false, Reject, NOT_ASKED),
        "closed" => send(Nobody, true, Reject, "nobody posts there; here every message is held"),
        _ => return None,
    })
}

/// What a scenario for posting becomes that is not known.
pub(super) const SEND_UNKNOWN: Send = Send {
    posts: Posts::Members,
    holds: true,
    others: MessageRejections::Hold,
    held: &[],
    instead: "this scenario is not known here: every message is held",
};
