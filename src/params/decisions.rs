//! Reads from the cells of an imported row what its person decided elsewhere: unsubscribed, not confirmed, bouncing, on
//! holiday.
//!
//! Such columns are never passed over, whatever else of a file is, and a value that is not known refuses its row: no
//! guess makes somebody a member.

use crate::ops::people::imports::Standing;

/// What the values of a column say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decision {
    /// A state in a word: subscribed, unsubscribed, pending.
    State,
    /// Something, such as yes or a time, for people who opted out.
    OptedOut,
    /// Something for addresses that another system took out because mail failed.
    Cleaned,
    /// Something for people who are disabled.
    Disabled,
    /// Something for people who confirmed.
    Confirmed,
    /// Something for addresses at which mail fails.
    Bouncing,
    /// Something for people who get no mail for now, or their addresses that do not.
    Paused,
    /// How mail comes, in a word; one of them is not at all.
    Delivery,
}

/// The words that stand for the kinds where the columns of an import are kept.
const WORDS: &[(Decision, &str)] = &[
    (Decision::State, "decision-state"),
    (Decision::OptedOut, "decision-opted-out"),
    (Decision::Cleaned, "decision-cleaned"),
    (Decision::Disabled, "decision-disabled"),
    (Decision::Confirmed, "decision-confirmed"),
    (Decision::Bouncing, "decision-bouncing"),
    (Decision::Paused, "decision-paused"),
    (Decision::Delivery, "decision-delivery"),
];

const STATES: &[&str] = &[
    "status",
    "state",
    "emailstatus",
    "userstatus",
    "groupstatus",
    "memberstatus",
    "membershipstatus",
    "subscriberstatus",
    "subscriptionstatus",
    "substatus",
    "contactstatus",
    "liststatus",
    "marketingstatus",
    "emailmarketingstatus",
    "abostatus",
    "anmeldestatus",
    "statut",
    "estado",
];
const OPTED_OUT: &[&str] = &[
    "optout",
    "optedout",
    "optouttime",
    "emailoptout",
    "hasoptedoutofemail",
    "blacklisted",
    "blacklist",
    "blocklisted",
    "blocklist",
    "blocked",
    "donotemail",
    "donotmail",
    "abgemeldet",
    "desabonne",
    "dadodebaja",
];
const DISABLED: &[&str] = &["disabled", "isdisabled", "inactive", "deaktiviert"];
const CONFIRMED: &[&str] = &[
    "confirmed",
    "isconfirmed",
    "subscribed",
    "issubscribed",
    "active",
    "isactive",
    "enabled",
    "optin",
    "optedin",
    "acceptsmarketing",
    "acceptsemailmarketing",
    "bestatigt",
    "confirme",
    "confirmado",
];
const BOUNCING: &[&str] = &["bouncing", "isbouncing", "bounced", "hardbounced"];
const PAUSED: &[&str] = &["paused", "holiday", "vacation", "onvacation", "nomail", "suspended", "suspend"];
const DELIVERY: &[&str] =
    &["emailpreference", "emaildelivery", "deliverymode", "deliverystatus", "reception"];

const IS_ACTIVE: &[&str] = &[
    "active",
    "subscribed",
    "enabled",
    "confirmed",
    "member",
    "owner",
    "manager",
    "moderator",
    "nominal",
    "normal",
    "ok",
    "valid",
    "regular",
    "aktiv",
    "abonniert",
    "abonne",
    "activo",
    "suscrito",
    "subscriber",
    "optedin",
];
const IS_OPTED_OUT: &[&str] = &[
    "unsubscribed",
    "unsubscribe",
    "unsub",
    "optedout",
    "optout",
    "blocklisted",
    "blacklisted",
    "blocked",
    "banned",
    "complained",
    "complaint",
    "spam",
    "spamreported",
    "reportedspam",
    "abuse",
    "suppressed",
    "removed",
    "left",
    "abgemeldet",
    "desabonne",
    "dadodebaja",
    "desuscrito",
];
const IS_CLEANED: &[&str] = &["cleaned", "clean", "deleted", "invalid"];
const IS_UNCONFIRMED: &[&str] = &[
    "invited",
    "pending",
    "unconfirmed",
    "notconfirmed",
    "nonsubscribed",
    "notsubscribed",
    "nonmember",
    "transactional",
    "waiting",
    "awaitingconfirmation",
    "archived",
    "inactive",
    "disabled",
    "new",
    "inaktiv",
    "unbestatigt",
];
const IS_BOUNCING: &[&str] =
    &["bouncing", "bounced", "bounce", "hardbounced", "softbounced", "undeliverable", "unreachable"];
const IS_PAUSED: &[&str] = &[
    "holiday",
    "vacation",
    "onvacation",
    "nomail",
    "noemail",
    "none",
    "paused",
    "suspended",
    "web",
    "webonly",
    "special",
];
/// The prefixes of values of Groups.io.
const PREFIXES: &[&str] = &["substatus", "userstatus", "emaildelivery"];
const IS_DIGEST: &[&str] = &[
    "digest",
    "digests",
    "dailydigest",
    "htmldigest",
    "fulldigest",
    "digestplain",
    "plaintextdigests",
    "mimedigests",
    "summarydigests",
    "abridged",
    "abridgedemail",
    "summary",
    "daily",
];
/// Forms of delivery that become others here, and what those are.
const IN_PLACE: &[(&[&str], &str)] = &[
    (&["abridged", "abridgedemail", "summary", "summarydigests"], "the daily digest in its place"),
    (&["special"], "paused in its place"),
    (&["notice", "txt", "html", "urlize", "notme"], "every message in its place"),
];
const IS_DELIVERY: &[&str] = &[
    "",
    "email",
    "allemail",
    "everyemail",
    "eachemail",
    "singleemails",
    "single",
    "htmldigest",
    "emailforeverymessage",
    "mail",
    "digest",
    "digests",
    "dailydigest",
    "abridged",
    "abridgedemail",
    "summary",
    "digestplain",
    "plaintextdigests",
    "mimedigests",
    "summarydigests",
    "regular",
    "daily",
    "full",
    "fulldigest",
    "notice",
    "txt",
    "html",
    "urlize",
    "notme",
    "nominal",
    "enabled",
    "byuser",
];
const IS_NO: &[&str] = &["", "0", "no", "n", "false", "f", "nein", "non", "null", "off", "never"];
const IS_YES: &[&str] = &["1", "yes", "y", "true", "t", "x", "ja", "oui", "si", "on"];

impl Decision {
    /// The kind of a column whose name was folded.
    pub(crate) fn of_column(folded: &str) -> Option<Decision> {
        let is_one_of = |names: &[&str]| names.contains(&folded);
        match () {
            () if is_one_of(STATES) => Some(Decision::State),
            () if is_one_of(OPTED_OUT) || folded.starts_with("unsub") => Some(Decision::OptedOut),
            () if folded.starts_with("clean") => Some(Decision::Cleaned),
            () if is_one_of(DISABLED) => Some(Decision::Disabled),
            () if is_one_of(CONFIRMED) => Some(Decision::Confirmed),
            () if is_one_of(BOUNCING) => Some(Decision::Bouncing),
            () if is_one_of(PAUSED) => Some(Decision::Paused),
            () if is_one_of(DELIVERY) => Some(Decision::Delivery),
            () => None,
        }
    }

    /// The word that stands for the kind where columns are kept.
    pub(crate) fn word(self) -> &'static str {
        WORDS.iter().find(|(kind, _)| *kind == self).map_or("", |(_, word)| word)
    }

    /// The kind of a word.
    pub(crate) fn from_word(word: &str) -> Option<Decision> {
        WORDS.iter().find(|(_, known)| *known == word).map(|(kind, _)| *kind)
    }

    /// Whether a cell of a column that says how mail comes says: in digests.
    pub(crate) fn is_digest(cell: &str) -> bool {
        IS_DIGEST.contains(&value_of(cell).as_str())
    }

    /// What a form of delivery becomes that there is not here.
    pub(crate) fn in_place_of(value: &str) -> Option<&'static str> {
        IN_PLACE.iter().find(|(values, _)| values.contains(&value)).map(|(_, instead)| *instead)
    }

    /// What a cell says. `name` is that of its column, for the reason of a refusal; a column that the account keeps as a
    /// field of its own may have values that say nothing of mail.
    pub(crate) fn standing(self, name: &str, cell: &str, is_field: bool) -> Standing {
        let folded = value_of(cell);
        let is_one_of = |words: &[&str]| words.contains(&folded.as_str());
        let said = || format!("{name}: {}", cell.trim().chars().take(60).collect::<String>());
        let unknown = || if is_field { Standing::Active } else { Standing::Unknown { said: said() } };
        let if_said = |standing: Standing| if is_one_of(IS_NO) { Standing::Active } else { standing };
        match self {
            Decision::State if folded.is_empty() || is_one_of(IS_ACTIVE) => Standing::Active,
            Decision::State if is_one_of(IS_OPTED_OUT) => Standing::OptedOut { said: said() },
            Decision::State if is_one_of(IS_CLEANED) => Standing::Cleaned { said: said() },
            Decision::State if is_one_of(IS_UNCONFIRMED) => Standing::Unconfirmed { said: said() },
            Decision::State | Decision::Delivery if is_one_of(IS_BOUNCING) => {
                Standing::Bouncing { said: said() }
            }
            Decision::State | Decision::Delivery if is_one_of(IS_PAUSED) => Standing::Paused,
            Decision::Delivery if is_one_of(IS_DELIVERY) => Standing::Active,
            Decision::OptedOut => if_said(Standing::OptedOut { said: said() }),
            Decision::Cleaned => if_said(Standing::Cleaned { said: said() }),
            Decision::Disabled => if_said(Standing::Unconfirmed { said: said() }),
            Decision::Bouncing => if_said(Standing::Bouncing { said: said() }),
            // The addresses of a download are paused one by one.
            Decision::Paused if cell.contains('@') => Standing::Active,
            Decision::Paused => if_said(Standing::Paused),
            Decision::Confirmed if is_one_of(IS_NO) || is_one_of(IS_UNCONFIRMED) => {
                Standing::Unconfirmed { said: said() }
            }
            Decision::Confirmed if is_one_of(IS_OPTED_OUT) => Standing::OptedOut { said: said() },
            Decision::Confirmed if is_one_of(IS_YES) || is_one_of(IS_ACTIVE) || is_time(cell) => {
                Standing::Active
            }
            Decision::State | Decision::Delivery | Decision::Confirmed => unknown(),
        }
    }
}

/// A cell in small letters, without the prefix that values of Groups.io have.
pub(crate) fn value_of(cell: &str) -> String {
    let folded = super::pasted::fold(cell);
    let rest = PREFIXES.iter().find_map(|prefix| folded.strip_prefix(prefix)).filter(|rest| !rest.is_empty());
    rest.map_or(folded.clone(), str::to_owned)
}

/// Whether a cell has a day or a time, such as that of a confirmation.
fn is_time(cell: &str) -> bool {
    let is_part = |c: char| c.is_ascii_digit() || " -/.:TZ+".contains(c);
    8 <= cell.chars().filter(char::is_ascii_digit).count() && cell.trim().chars().all(is_part)
}
