//! Questions on the pages of a list's settings whose answers stand for several settings: who writes, where answers go, who
//! reads the archive, and whether banned addresses are refused.
//!
//! An answer that is left as it was changes nothing. So a combination that none of the answers says, such as calls of
//! the API make, stays as it is.

use super::list_table::Part;
use crate::locale::text;
use crate::model::list::WhoWrites;
use crate::model::{EmailAddress, Language, List, Moderate};
use crate::web::admin::parts::fields::{
    Choice, ControlView, FieldView, Fold, GroupView, ONE, OptionView, Words,
};
use crate::web::form::{FieldProblems, Form};

/// The names of the questions in the form.
const WHO_WRITES: &str = "who_writes";
const ANSWERS: &str = "answers";
const ARCHIVE_FOR: &str = "archive_for";
const REFUSE_BANNED: &str = "refuse_banned";

/// Answers that are shown where they are true alone: what "always allow the sender" makes of another one.
const RARE: [&str; 1] = [WhoWrites::ApprovedMembersAndAddresses.word()];

/// The field with another address for answers, and the one with the addresses that are banned.
const REPLY_TO: &str = "reply_to";
const BANNED: &str = "restrict_post_banned_emails";

/// The places to which answers go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Answers {
    List,
    Author,
    Other,
}

/// Those who read an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Readers {
    Everybody,
    Members,
    /// There is no archive.
    Nobody,
}

/// A list, and what its answers are held against.
pub(super) struct Asked<'a> {
    pub(super) list: &'a List,
    /// Its address, which is the address for answers of a discussion.
    pub(super) address: Option<EmailAddress>,
}

impl Asked<'_> {
    pub(super) fn answers(&self) -> Answers {
        match &self.list.reply_to {
            None => Answers::Author,
            to if *to == self.address => Answers::List,
            Some(_) => Answers::Other,
        }
    }

    /// Those who read the archive; `None` if no answer says it.
    pub(super) fn readers(&self) -> Option<Readers> {
        let List { archive_enabled, archive_protected, archive_memberview, .. } = self.list;
        match (archive_enabled, archive_protected, archive_memberview) {
            (false, _, _) => Some(Readers::Nobody),
            (true, false, _) => Some(Readers::Everybody),
            (true, true, true) => Some(Readers::Members),
            (true, true, false) => None,
        }
    }
}

impl Answers {
    fn word(self) -> &'static str {
        match self {
            Answers::List => "list",
            Answers::Author => "author",
            Answers::Other => "other",
        }
    }
}

impl Readers {
    const ALL: [Readers; 3] = [Readers::Members, Readers::Everybody, Readers::Nobody];

    fn word(self) -> &'static str {
        match self {
            Readers::Everybody => "everybody",
            Readers::Members => "members",
            Readers::Nobody => "nobody",
        }
    }
}

/// A question with its answers.
struct Question {
    name: &'static str,
    label: Words,
    help: Words,
    choices: &'static [Choice],
    /// The words of the answer that leaves all as it is, where none of the others is right.
    otherwise: Words,
}

const WHO: Question = Question {
    name: WHO_WRITES,
    label: |language| text!(language, "set-who"),
    help: |language| text!(language, "set-who-help"),
    choices: &[
        Choice {
            value: WhoWrites::Members.word(),
            label: |language| text!(language, "set-who-members"),
            hint: None,
        },
        Choice {
            value: WhoWrites::ApprovedMembers.word(),
            label: |language| text!(language, "set-who-approved"),
            hint: Some(|language| text!(language, "set-who-approved-hint")),
        },
        Choice {
            value: WhoWrites::Addresses.word(),
            label: |language| text!(language, "set-who-addresses"),
            hint: None,
        },
        Choice {
            value: WhoWrites::MembersAndAddresses.word(),
            label: |language| text!(language, "set-who-members-addresses"),
            hint: None,
        },
        Choice {
            value: WhoWrites::ApprovedMembersAndAddresses.word(),
            label: |language| text!(language, "set-who-members-addresses-approved"),
            hint: Some(|language| text!(language, "set-who-approved-hint")),
        },
        Choice {
            value: WhoWrites::Moderators.word(),
            label: |language| text!(language, "set-who-moderators"),
            hint: None,
        },
        Choice {
            value: WhoWrites::Everybody.word(),
            label: |language| text!(language, "set-who-everybody"),
            hint: Some(|language| text!(language, "set-who-everybody-hint")),
        },
    ],
    otherwise: |language| text!(language, "set-single"),
};

const WHERE_ANSWERS_GO: Question = Question {
    name: ANSWERS,
    label: |language| text!(language, "set-answers"),
    help: |language| text!(language, "set-answers-help"),
    choices: &[
        Choice { value: "list", label: |language| text!(language, "set-answers-list"), hint: None },
        Choice { value: "author", label: |language| text!(language, "set-answers-author"), hint: None },
        Choice { value: "other", label: |language| text!(language, "set-answers-other"), hint: None },
    ],
    otherwise: |language| text!(language, "set-single"),
};

const WHO_READS: Question = Question {
    name: ARCHIVE_FOR,
    label: |language| text!(language, "set-archive-for"),
    help: |language| text!(language, "set-archive-for-help"),
    choices: &[
        Choice { value: "members", label: |language| text!(language, "set-archive-for-members"), hint: None },
        Choice {
            value: "everybody",
            label: |language| text!(language, "set-archive-for-everybody"),
            hint: Some(|language| text!(language, "set-archive-for-everybody-hint")),
        },
        Choice { value: "nobody", label: |language| text!(language, "set-archive-for-nobody"), hint: None },
    ],
    otherwise: |language| text!(language, "set-single-archive"),
};

impl Question {
    /// The question with the answer that was sent, or else the one that is true.
    fn view(&self, language: Language, form: &Form, answer: Option<&str>) -> FieldView {
        let chosen = if form.has(self.name) { Some(form.get(self.name)) } else { answer };
        let option = |choice: &Choice| OptionView {
            value: choice.value.to_owned(),
            label: (choice.label)(language),
            hint: choice.hint.map(|hint| hint(language)).unwrap_or_default(),
            is_chosen: chosen == Some(choice.value),
        };
        let is_offered = |choice: &&Choice| !RARE.contains(&choice.value) || chosen == Some(choice.value);
        let mut options: Vec<OptionView> = self.choices.iter().filter(is_offered).map(option).collect();
        if answer.is_none() {
            options.push(OptionView {
                value: String::new(),
                label: (self.otherwise)(language),
                hint: String::new(),
                is_chosen: chosen.is_none_or(str::is_empty),
            });
        }
        FieldView {
            id: self.name.to_owned(),
            name: self.name,
            label: (self.label)(language),
            help: (self.help)(language),
            problem: None,
            control: ControlView::Choices { kind: ONE, options },
            limit: None,
        }
    }
}

/// The questions of a page, each as a search shows it: its name, its label, its help, and all its words.
pub(super) fn all(part: Part, language: Language) -> Vec<(&'static str, String, String, String)> {
    let questions: &[Question] = match part {
        Part::Basics => &[WHO, WHERE_ANSWERS_GO, WHO_READS],
        Part::Writing | Part::Texts | Part::Archive | Part::Advanced => &[],
    };
    let of = |question: &Question| {
        let (label, help) = ((question.label)(language), (question.help)(language));
        let answers: Vec<String> = question.choices.iter().map(|choice| (choice.label)(language)).collect();
        let words = format!("{label} {help} {}", answers.join(" "));
        (question.name, label, help, words)
    };
    let mut found: Vec<_> = questions.iter().map(of).collect();
    if part == Part::Writing {
        let (label, help) = (text!(language, "set-refuse-banned"), text!(language, "set-refuse-banned-help"));
        let words = format!("{label} {help}");
        found.push((REFUSE_BANNED, label, help, words));
    }
    found
}

/// Puts the questions of a page into its groups.
pub(super) fn add(
    part: Part,
    language: Language,
    form: &Form,
    asked: &Asked<'_>,
    groups: &mut Vec<GroupView>,
) {
    match part {
        Part::Basics => {
            if let Some(group) = groups.iter_mut().find(|group| group.id == "posting") {
                let who = asked.list.who_writes().map(WhoWrites::word);
                group.fields.insert(0, WHO.view(language, form, who));
                let reply_to = group.fields.iter_mut().find(|field| field.name == REPLY_TO);
                if let Some(FieldView { control: ControlView::Line { value, .. }, .. }) = reply_to
                    && !form.has(ANSWERS)
                    && asked.answers() != Answers::Other
                {
                    value.clear();
                }
                let place = group.fields.iter().position(|field| field.name == REPLY_TO).unwrap_or(0);
                let answers = WHERE_ANSWERS_GO.view(language, form, Some(asked.answers().word()));
                group.fields.insert(place, answers);
            }
            groups.push(GroupView {
                id: "reading".to_owned(),
                title: text!(language, "set-lg-archive"),
                hint: text!(language, "set-lg-archive-hint"),
                fields: vec![WHO_READS.view(language, form, asked.readers().map(Readers::word))],
                fold: Fold::Never,
            });
        }
        Part::Writing => {
            if let Some(group) = groups.iter_mut().find(|group| group.id == "others") {
                let is_sent = form.has(BANNED);
                let is_on = if is_sent { form.has(REFUSE_BANNED) } else { is_banning(asked.list) };
                group.fields.insert(
                    0,
                    FieldView {
                        id: REFUSE_BANNED.to_owned(),
                        name: REFUSE_BANNED,
                        label: text!(language, "set-refuse-banned"),
                        help: text!(language, "set-refuse-banned-help"),
                        problem: None,
                        control: ControlView::Check { is_on },
                        limit: None,
                    },
                );
            }
        }
        Part::Texts | Part::Archive | Part::Advanced => {}
    }
}

fn is_banning(list: &List) -> bool {
    list.moderate.has(Moderate::BANNED_EMAILS)
}

/// The problem of an answer that needs a field beside it.
pub(super) fn problem(language: Language, form: &Form) -> Option<FieldProblems> {
    let is_missing = form.get(ANSWERS) == Answers::Other.word() && form.get(REPLY_TO).trim().is_empty();
    is_missing.then(|| FieldProblems::one(REPLY_TO, text!(language, "set-answers-missing")))
}

/// Puts the settings for which the answers of a sent form stand in place of those that the form has.
pub(super) fn carry_over(part: Part, form: &Form, asked: &Asked<'_>, pairs: &mut Vec<(String, String)>) {
    let mut set = |name: &str, value: String| {
        pairs.retain(|(other, _)| other != name);
        pairs.push((name.to_owned(), value));
    };
    match part {
        Part::Basics => {
            let who = WhoWrites::from_word(form.get(WHO_WRITES));
            if let Some(who) = who.filter(|who| asked.list.who_writes() != Some(*who)) {
                let moderate = Moderate::of(who, is_banning(asked.list));
                set("moderate", moderate.bits().to_string());
                if moderate.has(Moderate::LISTS) {
                    set("restrict_post_lists", asked.list.name.to_string());
                }
            }
            if form.has(ANSWERS) {
                set(REPLY_TO, reply_to(form, asked));
            }
            let readers = Readers::ALL.into_iter().find(|readers| readers.word() == form.get(ARCHIVE_FOR));
            match readers.filter(|readers| asked.readers() != Some(*readers)) {
                None => {}
                Some(Readers::Nobody) => set("archive_enabled", String::new()),
                Some(Readers::Everybody) => {
                    set("archive_enabled", "1".to_owned());
                    set("archive_protected", String::new());
                }
                Some(Readers::Members) => {
                    for name in ["archive_enabled", "archive_protected", "archive_memberview"] {
                        set(name, "1".to_owned());
                    }
                }
            }
        }
        Part::Writing if form.has(BANNED) => {
            let typed: Vec<&str> =
                form.get(BANNED).lines().map(str::trim).filter(|line| !line.is_empty()).collect();
            let stored: Vec<&str> =
                asked.list.restrict_post_banned_emails.iter().map(EmailAddress::as_str).collect();
            let was_on = is_banning(asked.list);
            // Whoever types addresses to be banned means it.
            let is_meant = !was_on && !typed.is_empty() && typed != stored;
            let is_on = form.has(REFUSE_BANNED) || is_meant;
            if is_on != was_on {
                set("moderate", asked.list.moderate.banning(is_on).bits().to_string());
            }
        }
        Part::Writing | Part::Texts | Part::Archive | Part::Advanced => {}
    }
}

/// The address for answers of a sent form; blank for the author's.
fn reply_to(form: &Form, asked: &Asked<'_>) -> String {
    let typed = form.get(REPLY_TO).trim();
    let stored = asked.list.reply_to.as_ref().map_or("", EmailAddress::as_str);
    let address = asked.address.as_ref().map(EmailAddress::to_string).unwrap_or_default();
    match form.get(ANSWERS) {
        // Whoever types another address means it.
        _ if !typed.is_empty() && typed != stored => typed.to_owned(),
        "list" => address,
        "other" => typed.to_owned(),
        _ => String::new(),
    }
}
