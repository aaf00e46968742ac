//! The words for an action that can be undone, with its button: behind the action, and on the page of the action.

use crate::locale::text;
use crate::model::{Language, UndoId};
use crate::ops::undo::{self, Action, UndoKind};
use crate::store::ReadTx;
use crate::web::context::Context;
use crate::web::error::PageError;

/// The path below which the pages of actions are.
const PATH: &str = "/admin/undo/";

/// The values of `admin_undo.html`.
pub(in crate::web::admin) struct UndoView {
    pub(in crate::web::admin) csrf: String,
    /// The path of the action.
    pub(in crate::web::admin) href: String,
    /// What was done, and to whom.
    pub(in crate::web::admin) words: String,
    /// Until when it can be undone.
    pub(in crate::web::admin) until: String,
}

/// The path of an action.
pub(in crate::web::admin) fn path_of(id: UndoId) -> String {
    format!("{PATH}{id}/")
}

/// A new action whose changes are made in several jobs.
pub(in crate::web::admin) fn of_press(context: &Context) -> UndoId {
    let mut random = [0; 8];
    context.core.secrets.fill(&mut random);
    UndoId::of_press(random)
}

/// The field of the address that names an action behind another field; blank if there is none.
pub(in crate::web::admin) fn field(action: Option<UndoId>) -> String {
    action.map(|id| format!("&undo={id}")).unwrap_or_default()
}

impl UndoView {
    /// The action that the address of the page names.
    pub(in crate::web::admin) fn read(context: &Context, tx: &ReadTx) -> Result<Option<UndoView>, PageError> {
        let Ok(id) = context.query.get("undo").parse().map(UndoId) else { return Ok(None) };
        UndoView::find(context, tx, id)
    }

    /// The action of a number.
    pub(in crate::web::admin) fn find(
        context: &Context,
        tx: &ReadTx,
        id: UndoId,
    ) -> Result<Option<UndoView>, PageError> {
        let found = undo::action(tx, context.administrator()?, id, context.core.now())?;
        Ok(found.map(|action| UndoView::of(context, &action)))
    }

    /// An action with its button.
    pub(in crate::web::admin) fn of(context: &Context, action: &Action) -> UndoView {
        let (language, locale) = (context.language, context.locale());
        let until = locale.near(action.until, context.core.now());
        UndoView {
            csrf: context.csrf(),
            href: context.href(&path_of(action.id)),
            words: words(language, action),
            until: text!(language, "undo-until", time = until),
        }
    }
}

/// What was done, and to whom.
fn words(language: Language, action: &Action) -> String {
    let who = who(language, &action.names, action.count);
    let list = action.list.clone().unwrap_or_default();
    match action.kind {
        UndoKind::Removed => text!(language, "undo-removed", list = list, who = who),
        UndoKind::Added => text!(language, "undo-added", list = list, who = who),
        UndoKind::Set => text!(language, "undo-set", list = list, who = who),
        UndoKind::Resumed => text!(language, "undo-resumed", who = who),
        UndoKind::Deleted => text!(language, "undo-deleted", who = who),
        UndoKind::Imported => text!(language, "undo-imported", who = who),
        UndoKind::AliasDeleted => text!(language, "undo-alias-deleted", who = who),
        UndoKind::ListSet => text!(language, "undo-list-set", list = list),
        UndoKind::AccountSet => text!(language, "undo-account-set"),
        UndoKind::Banned => text!(language, "undo-banned", who = who, list = list),
        UndoKind::Allowed => text!(language, "undo-allowed", who = who, list = list),
    }
}

/// Names in a row, and how many more there are.
pub(in crate::web::admin) fn who(language: Language, names: &[String], count: usize) -> String {
    let shown = |name: &String| {
        if name.is_empty() { text!(language, "undo-nameless") } else { name.clone() }
    };
    let names: Vec<String> = names.iter().map(shown).collect();
    let (more, names) = (count.saturating_sub(names.len()), names.join(", "));
    if more == 0 { names } else { text!(language, "undo-more", names = names, count = more) }
}
