//! The answer to "does this person get mail, and why not" at the top of a person's page: a sentence about all of it, then
//! what holds for each address and what each list sends where.

use crate::locale::{Locale, text};
use crate::model::digest::{Taken, TakenSettings};
use crate::model::{Email, Language};
use crate::ops::people::memberships::Member;
use crate::ops::people::person::Person;
use crate::web::admin::parts::words;

/// The sentences of the answer.
pub(super) struct MailAnswer {
    /// The class of the note: whether mail goes out to all, some or none of the lists.
    pub(super) class: &'static str,
    pub(super) verdict: String,
    pub(super) addresses: Vec<AddressAnswer>,
    pub(super) lists: Vec<String>,
}

/// The state of one address.
pub(super) struct AddressAnswer {
    pub(super) address: String,
    pub(super) sentences: Vec<String>,
}

impl MailAnswer {
    pub(super) fn of(locale: &Locale, person: &Person) -> MailAnswer {
        let (language, emails) = (locale.language, person.detail.emails.as_slice());
        let addresses = emails.iter().zip(&person.until).map(|(email, until)| AddressAnswer {
            address: email.address.to_string(),
            sentences: words::address(locale, email, *until),
        });
        let lists = &person.detail.members;
        let reached = lists.iter().filter(|member| emails.iter().any(|email| takes(member, email))).count();
        let (class, verdict) = if lists.is_empty() {
            ("", text!(language, "admin-mail-no-lists"))
        } else if reached == lists.len() {
            ("good", text!(language, "admin-mail-all"))
        } else if reached == 0 {
            ("bad", text!(language, "admin-mail-none"))
        } else {
            let all = lists.len() as u64;
            ("warn", text!(language, "admin-mail-some", some = reached as u64, all = all))
        };
        MailAnswer {
            class,
            verdict,
            addresses: addresses.collect(),
            lists: lists.iter().map(|member| of_list(language, member, emails)).collect(),
        }
    }
}

fn taken(member: &Member, email: &Email) -> Taken {
    Taken::of(TakenSettings::of_membership(&member.membership), TakenSettings::of_email(email))
}

fn takes(member: &Member, email: &Email) -> bool {
    taken(member, email) != Taken::Nothing
}

/// The mail that a list sends to the person, and to which addresses.
fn of_list(language: Language, member: &Member, emails: &[Email]) -> String {
    let list = member.list.as_str();
    if member.membership.paused {
        return text!(language, "admin-mail-web-only", list = list);
    }
    let at = |form: Taken| {
        let there = emails.iter().filter(|email| taken(member, email) == form);
        there.map(|email| email.address.as_str()).collect::<Vec<_>>().join(", ")
    };
    let (single, digest) = (at(Taken::Single), at(Taken::Digest));
    match (single.is_empty(), digest.is_empty()) {
        (true, true) => text!(language, "admin-mail-all-paused", list = list),
        (false, true) => text!(language, "admin-mail-single", list = list, at = single),
        (true, false) => text!(language, "admin-mail-digest", list = list, at = digest),
        (false, false) => text!(language, "admin-mail-both", list = list, at = single, digest_at = digest),
    }
}
