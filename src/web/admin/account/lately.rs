//! What happened lately in an account, as people would tell it: "Ruth removed Dmitri from news", with a button that undoes
//! what can be undone. What one person did to several in a row is one line.

use super::changes;
use crate::locale::text;
use crate::model::{ActorKind, AuditAction, Language, Permission, UndoId};
use crate::ops::audit::log::{self, AuditFilter, ShownEntry};
use crate::ops::undo;
use crate::store::ReadTx;
use crate::web::admin::parts::audit_words;
use crate::web::admin::parts::undo::{path_of, who};
use crate::web::context::Context;
use crate::web::error::PageError;

/// Lines that are shown.
const LINES: usize = 10;
/// Entries of the audit log that they are made of at most.
const ENTRIES_MAX: usize = 60;
/// People whom a line names.
const NAMED_MAX: usize = 3;

/// Something that happened.
pub(super) struct Line {
    pub(super) machine: String,
    /// The exact time, for whoever points at it.
    pub(super) exact: String,
    pub(super) time: String,
    pub(super) words: String,
    /// The settings that it changed, with their values before and afterwards.
    pub(super) changes: Vec<String>,
    /// The path of the page that undoes it, if that is possible.
    pub(super) undo: Option<String>,
}

/// Entries of one actor, who did the same to several.
struct Group {
    first: ShownEntry,
    list: String,
    names: Vec<String>,
    count: usize,
    undo: Option<UndoId>,
    /// Whether there are more than `count`, which nobody counted.
    is_cut: bool,
}

/// The newest lines, for whoever may read the audit log.
pub(super) fn lines(context: &Context, tx: &ReadTx) -> Result<Vec<Line>, PageError> {
    let caller = context.administrator()?;
    let reads = caller.holds(Permission::AccountAdmin)
        && caller.limits.lists().is_none()
        && !caller.limits.hide_fields();
    if !reads {
        return Ok(Vec::new());
    }
    let (locale, now) = (context.locale(), context.core.now());
    let mut groups: Vec<Group> = Vec::new();
    let entries = log::entries(tx, caller, &AuditFilter::default(), None, ENTRIES_MAX)?;
    let mut is_cut = entries.len() == ENTRIES_MAX;
    for shown in entries {
        let undo = undo::of_entry(tx, caller, &shown.entry, now)?;
        let (undo, undone) = undo.map_or((None, String::new()), |(id, name)| (Some(id), name));
        let name = name_of(&shown, &undone);
        let list = list_of(&shown);
        let is_full = groups.len() == LINES;
        match groups.last_mut() {
            Some(group) if group.takes(&shown, &list, undo) => group.add(name),
            _ if is_full => {
                is_cut = false;
                break;
            }
            _ => groups.push(Group { first: shown, list, names: vec![name], count: 1, undo, is_cut: false }),
        }
    }
    // The last line may be about more than the entries that were read.
    if let Some(last) = groups.last_mut().filter(|last| is_cut && 1 < last.count) {
        match last.undo {
            Some(id) => last.count = last.count.max(undo::count(tx, caller, id)?),
            None => last.is_cut = true,
        }
    }
    let line = |group: &Group| {
        let time = group.first.entry.time();
        Line {
            machine: time.rfc3339(),
            exact: locale.moment(time),
            time: locale.near(time, now),
            words: words(locale.language, group),
            changes: changes::first(locale.language, &group.first),
            undo: group.undo.map(|id| context.href(&path_of(id))),
        }
    };
    Ok(groups.iter().map(line).collect())
}

impl Group {
    fn takes(&self, shown: &ShownEntry, list: &str, undo: Option<UndoId>) -> bool {
        let (one, other) = (&self.first.entry, &shown.entry);
        let is_several = matches!(
            other.action,
            AuditAction::MembershipCreated
                | AuditAction::MembershipUpdated
                | AuditAction::MembershipDeleted
                | AuditAction::ContactCreated
                | AuditAction::ContactDeleted
        );
        is_several
            && one.action == other.action
            && one.actor == other.actor
            && self.list == list
            && self.undo == undo
            && is_undone(&self.first) == is_undone(shown)
    }

    fn add(&mut self, name: String) {
        self.count += 1;
        if self.names.len() < NAMED_MAX && !self.names.contains(&name) {
            self.names.push(name);
        }
    }
}

/// To whom or what it was done.
fn name_of(shown: &ShownEntry, undone: &str) -> String {
    let names = [shown.person.as_str(), shown.object.as_str(), undone];
    names.into_iter().find(|name| !name.is_empty()).unwrap_or_default().to_owned()
}

/// The list that an entry about a membership names in its detail.
fn list_of(shown: &ShownEntry) -> String {
    let detail = shown.entry.detail.as_str();
    let list = detail.split([',', ':']).next().unwrap_or_default();
    match shown.entry.action {
        AuditAction::MembershipCreated | AuditAction::MembershipUpdated | AuditAction::MembershipDeleted => {
            list.to_owned()
        }
        _ => String::new(),
    }
}

fn is_undone(shown: &ShownEntry) -> bool {
    shown.entry.detail.ends_with("undone")
}

/// The line about a group.
fn words(language: Language, group: &Group) -> String {
    let shown = &group.first;
    let actor = if shown.actor.is_empty() { text!(language, "lately-somebody") } else { shown.actor.clone() };
    let is_nameless = group.names.iter().all(String::is_empty) && group.count == 1;
    let name = match (is_nameless, group.is_cut) {
        (true, _) => text!(language, "lately-person"),
        (false, true) => text!(language, "lately-others", names = group.names.join(", ")),
        (false, false) => who(language, &group.names, group.count),
    };
    let is_own = matches!(shown.entry.actor.kind, ActorKind::Member(_));
    let told = Told { language, who: &actor, name: &name, list: &group.list };
    told.about_people(shown, is_own).or_else(|| told.about_things(shown.entry.action)).unwrap_or_else(|| {
        let what = audit_words::action_words(language, shown.entry.action);
        text!(language, "audit-line", actor = actor, what = what)
    })
}

/// The values of a line.
struct Told<'a> {
    language: Language,
    who: &'a str,
    name: &'a str,
    list: &'a str,
}

impl Told<'_> {
    fn about_people(&self, shown: &ShownEntry, is_own: bool) -> Option<String> {
        let Told { language, who, name, list } = *self;
        Some(match shown.entry.action {
            AuditAction::MembershipCreated if is_own => {
                text!(language, "lately-joined", who = who, list = list)
            }
            AuditAction::MembershipDeleted if is_own => {
                text!(language, "lately-left", who = who, list = list)
            }
            AuditAction::MembershipCreated => {
                text!(language, "lately-member-added", who = who, name = name, list = list)
            }
            AuditAction::MembershipDeleted => {
                text!(language, "lately-member-removed", who = who, name = name, list = list)
            }
            AuditAction::MembershipUpdated => {
                text!(language, "lately-member-changed", who = who, name = name, list = list)
            }
            AuditAction::ContactCreated if is_undone(shown) => {
                text!(language, "lately-contact-restored", who = who, name = name)
            }
            AuditAction::ContactCreated => text!(language, "lately-contact-created", who = who, name = name),
            AuditAction::ContactUpdated => text!(language, "lately-contact-updated", who = who, name = name),
            AuditAction::ContactDeleted => text!(language, "lately-contact-deleted", who = who, name = name),
            AuditAction::ContactImported => match counts(&shown.entry.detail) {
                Some((made, changed)) => {
                    text!(language, "lately-imported", who = who, made = made, changed = changed)
                }
                None => text!(language, "lately-import-begun", who = who),
            },
            // People have an address; keys have their own name at most.
            AuditAction::AdminCreated if shown.object.is_empty() => {
                text!(language, "lately-key-created-nameless", who = who)
            }
            AuditAction::AdminCreated if !shown.object.contains('@') => {
                text!(language, "lately-key-created", who = who, name = name)
            }
            AuditAction::EmailUpdated | AuditAction::EmailResumed => {
                text!(language, "lately-email-updated", who = who, name = name)
            }
            _ => return None,
        })
    }

    fn about_things(&self, action: AuditAction) -> Option<String> {
        let Told { language, who, name, list: _ } = *self;
        Some(match action {
            AuditAction::ListCreated => text!(language, "lately-list-created", who = who, name = name),
            AuditAction::ListUpdated => text!(language, "lately-list-updated", who = who, name = name),
            AuditAction::ListDeleted => text!(language, "lately-list-deleted", who = who, name = name),
            AuditAction::AliasCreated => text!(language, "lately-alias-created", who = who, name = name),
            AuditAction::AliasDeleted => text!(language, "lately-alias-deleted", who = who, name = name),
            AuditAction::MessagePublished | AuditAction::MessageWritten => {
                text!(language, "lately-published", who = who, name = name)
            }
            AuditAction::MessageApproved => text!(language, "lately-approved", who = who, name = name),
            AuditAction::MessageRejected => text!(language, "lately-rejected", who = who, name = name),
            AuditAction::MessageDiscarded => text!(language, "lately-discarded", who = who, name = name),
            AuditAction::MessageDeleted => text!(language, "lately-taken-out", who = who, name = name),
            AuditAction::AdminCreated => text!(language, "lately-admin-created", who = who, name = name),
            AuditAction::AdminUpdated => text!(language, "lately-admin-updated", who = who, name = name),
            AuditAction::SignIn | AuditAction::SessionStarted => {
                text!(language, "lately-signed-in", who = who)
            }
            AuditAction::Exported => text!(language, "lately-exported", who = who),
            _ => return None,
        })
    }
}

/// How many people an import made and changed, of the detail of its entry; `None` while it runs.
fn counts(detail: &str) -> Option<(u64, u64)> {
    let mut parts = detail.split(", ").map(|part| part.split_once(' '));
    let mut next = |word: &str| {
        let (count, of) = parts.next()??;
        (of == word).then(|| count.parse().ok())?
    };
    Some((next("made")?, next("changed")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counts_of_an_import_are_read_off_its_entry() {
        assert_eq!(counts("195 made, 2 changed, 0 skipped, 5 refused"), Some((195, 2)));
        assert_eq!(counts("200 rows"), None);
        assert_eq!(counts(""), None);
    }
}
