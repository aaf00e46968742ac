//! The groups, fields and controls of a form as its page shows them, made by [`fields`](super::fields) of a table and the
//! values of an object.

use crate::locale::text;
use crate::model::Language;

/// A group of fields as the page shows it.
pub(in crate::web) struct GroupView {
    pub(in crate::web) id: String,
    pub(in crate::web) title: String,
    pub(in crate::web) hint: String,
    pub(in crate::web) fields: Vec<FieldView>,
    /// How the page folds it.
    pub(in crate::web) fold: Fold,
}

/// How a page folds a group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::web) enum Fold {
    /// Not at all.
    #[default]
    Never,
    /// It is folded away.
    Closed,
    /// It can be folded away.
    Open,
}

impl GroupView {
    /// Whether the page folds it.
    pub(in crate::web) fn is_folded(&self) -> bool {
        self.fold != Fold::Never
    }

    /// Whether it is shown unfolded, so that what somebody looks for is seen.
    pub(in crate::web) fn is_open(&self) -> bool {
        self.fold == Fold::Open || self.fields.iter().any(|field| field.problem.is_some())
    }

    /// Whether a text, a box or a choice of it is set.
    pub(in crate::web) fn is_set(&self) -> bool {
        self.fields.iter().any(|field| field.control.is_set())
    }
}

/// A field as the page shows it.
pub(in crate::web) struct FieldView {
    pub(in crate::web) id: String,
    pub(in crate::web) name: &'static str,
    pub(in crate::web) label: String,
    pub(in crate::web) help: String,
    pub(in crate::web) problem: Option<String>,
    pub(in crate::web) control: ControlView,
    /// The box that switches its limit on or off, if it has one.
    pub(in crate::web) limit: Option<LimitView>,
}

/// The box of a limit as the page shows it.
pub(in crate::web) struct LimitView {
    pub(in crate::web) name: &'static str,
    pub(in crate::web) value: &'static str,
    pub(in crate::web) words: String,
    pub(in crate::web) is_on: bool,
}

impl FieldView {
    /// The `aria-describedby` of the control: the problem, and the help.
    pub(in crate::web) fn described(&self) -> String {
        let name = &self.id;
        match (self.problem.is_some(), self.help.is_empty()) {
            (true, false) => format!("{name}-error {name}-hint"),
            (true, true) => format!("{name}-error"),
            (false, _) => format!("{name}-hint"),
        }
    }
}

/// The inputs of which one can be chosen, and those of which any can.
pub(in crate::web) const ONE: &str = "radio";
pub(in crate::web) const ANY: &str = "checkbox";

/// A control with its value.
pub(in crate::web) enum ControlView {
    /// A text on one line.
    Line { value: String, mode: &'static str, is_short: bool, suggestions: Vec<String> },
    /// A text of several lines.
    Text { value: String, rows: u8 },
    /// A single check box.
    Check { is_on: bool },
    /// One of several, in a list that opens.
    Select { options: Vec<OptionView> },
    /// One of several, or any of several, by the `type` of its inputs.
    Choices { kind: &'static str, options: Vec<OptionView> },
    /// A text that is never shown.
    Secret,
}

impl ControlView {
    /// Whether it has another value than blank and off.
    fn is_set(&self) -> bool {
        match self {
            ControlView::Line { value, .. } | ControlView::Text { value, .. } => !value.is_empty(),
            ControlView::Check { is_on } => *is_on,
            ControlView::Select { options } | ControlView::Choices { options, .. } => {
                options.iter().any(|option| option.is_chosen && !option.value.is_empty())
            }
            ControlView::Secret => false,
        }
    }

    /// Its value for somebody who may only look; `None` for what nobody sees.
    pub(in crate::web) fn told(&self, language: Language) -> Option<String> {
        let or_nothing = |text: String| {
            if text.trim().is_empty() { text!(language, "set-nothing") } else { text }
        };
        match self {
            ControlView::Line { value, .. } | ControlView::Text { value, .. } => {
                Some(or_nothing(value.clone()))
            }
            ControlView::Check { is_on: true } => Some(text!(language, "set-yes")),
            ControlView::Check { is_on: false } => Some(text!(language, "set-no")),
            ControlView::Select { options } | ControlView::Choices { options, .. } => {
                let chosen = options.iter().filter(|option| option.is_chosen);
                let chosen: Vec<&str> = chosen.map(|option| option.label.as_str()).collect();
                Some(or_nothing(chosen.join("; ")))
            }
            ControlView::Secret => None,
        }
    }
}

/// A value of a choice.
pub(in crate::web) struct OptionView {
    pub(in crate::web) value: String,
    pub(in crate::web) label: String,
    pub(in crate::web) hint: String,
    pub(in crate::web) is_chosen: bool,
}
