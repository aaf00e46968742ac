//! The form of settings: groups of controls made of a table of fields, of what a reader of [`params`](crate::params)
//! says of them, and of their values.
//!
//! A page names its fields in a [`Table`] of groups and rows; `rows!` makes these of a table of settings in `model`. A
//! [`Sheet`] asks the reader which of them it takes and what each
//! may be, so that a form and a call of the API set the same fields in the same way. It shows them with the object's
//! values, or with what was sent where that has problems, and turns what was sent into [`Params`] for the reader.

use std::collections::BTreeMap;

use axum::http::StatusCode;

use crate::http::reference::{Field, Shape};
use crate::locale::text;
use crate::model::audit::ToldValue;
use crate::model::fields::Setting;
use crate::model::{Language, Words as WordsOf};
use crate::ops::{OpError, Problem, Problems};
use crate::params::Params;
use crate::web::error::PageError;
use crate::web::form::{FieldProblems, Form};

use super::field_views::ANY;
pub(in crate::web) use super::field_views::ONE;
pub(in crate::web) use super::field_views::{ControlView, FieldView, Fold, GroupView, LimitView, OptionView};

/// A text in the language of a page.
pub(in crate::web) type Words = fn(Language) -> String;

/// Most characters of a field that is shown as a short one.
const SHORT_CHARS_MAX: usize = 48;
/// Most values of a field that are offered as boxes; more are typed.
pub(in crate::web) const BOXES_MAX: usize = 60;

/// The fields of a form in their groups.
#[derive(Debug, Clone, Copy)]
pub(in crate::web) struct Table {
    /// The groups, in their order.
    pub(in crate::web) groups: &'static [Group],
    /// The rows of the groups; those of other groups are no part of the form.
    pub(in crate::web) rows: &'static [&'static [Row]],
}

impl Table {
    fn rows(&self) -> impl Iterator<Item = &'static Row> {
        self.rows.iter().flat_map(|rows| rows.iter()).filter(|row| !row.is_without_effect)
    }

    /// The rows of a group, in their order.
    fn rows_of(&self, group: &Group) -> Vec<&'static Row> {
        let mut rows: Vec<&Row> = self.rows().filter(|row| row.group == group.id).collect();
        rows.sort_by_key(|row| row.place);
        rows
    }

    /// The fields whose label, help, choices or name have a word for each word of `question`, in the order of the page.
    pub(in crate::web) fn search(&self, language: Language, question: &WordsOf) -> Vec<Found> {
        let rows =
            self.groups.iter().flat_map(|group| self.rows_of(group).into_iter().map(move |row| (group, row)));
        let found = rows.filter_map(|(group, row)| {
            let (label, help) = ((row.label)(language), (row.help)(language));
            let mut words = WordsOf::of(&format!("{label} {help} {}", (group.title)(language)));
            words.extend(WordsOf::of(&row.name.replace('_', " ")));
            if let Control::Choices(choices) | Control::Select(choices) | Control::Sum(choices) = row.control
            {
                for choice in choices {
                    words.extend(WordsOf::of(&(choice.label)(language)));
                }
            }
            words.answer(question).then_some(Found { group: group.id, name: row.name, label, help })
        });
        found.collect()
    }

    /// Fails unless each row has a group of the table, and a place there that no other row has.
    #[cfg(test)]
    pub(in crate::web) fn check(&self) {
        for row in self.rows() {
            let has_place = |other: &&Row| (other.group, other.place) == (row.group, row.place);
            assert!(self.groups.iter().any(|group| group.id == row.group), "{}", row.name);
            assert_eq!(self.rows().filter(has_place).count(), 1, "{}", row.name);
        }
    }
}

/// A field that a search found.
#[derive(Debug, Clone)]
pub(in crate::web) struct Found {
    /// The `id` of its group.
    pub(in crate::web) group: &'static str,
    /// Its name, which is its `id` on the page.
    pub(in crate::web) name: &'static str,
    /// Its label.
    pub(in crate::web) label: String,
    /// What follows from it.
    pub(in crate::web) help: String,
}

/// A group of fields with a heading.
#[derive(Debug, Clone, Copy)]
pub(in crate::web) struct Group {
    /// The `id` of its section.
    pub(in crate::web) id: &'static str,
    /// The heading.
    pub(in crate::web) title: Words,
    /// A sentence below the heading.
    pub(in crate::web) hint: Words,
}

/// A field of a form.
#[derive(Debug, Clone, Copy)]
pub(in crate::web) struct Row {
    /// The `id` of its group, and its place among the fields of the group.
    group: &'static str,
    place: u8,
    /// Its name in the API.
    pub(in crate::web) name: &'static str,
    /// Its label.
    label: Words,
    /// A sentence that says what follows from it.
    help: Words,
    control: Control,
    limit: Option<Limit>,
    /// Whether the value is only kept, so that nobody is asked for it.
    is_without_effect: bool,
}

/// A box above the values of an array: whether there is a limit to these, or none.
#[derive(Debug, Clone, Copy)]
pub(in crate::web) struct Limit {
    /// The field whose value switches the limit on.
    pub(in crate::web) name: &'static str,
    /// That value.
    pub(in crate::web) value: &'static str,
    /// The label of the box.
    pub(in crate::web) words: Words,
}

/// The control of a field, as far as its shape does not say it.
#[derive(Debug, Clone, Copy)]
enum Control {
    /// The one that the shape asks for.
    OfShape,
    /// A text of several lines.
    Lines(u8),
    /// One of these words, or some of them, each with its label and a hint; a blank word is null.
    Choices(&'static [Choice]),
    /// One of these words in a list that opens, where there is little room.
    Select(&'static [Choice]),
    /// A number that is the sum of these.
    Sum(&'static [Choice]),
    /// A text that is never shown; one that is left blank does not change.
    Secret,
    /// A text on one line with suggestions.
    Suggested(fn() -> Vec<String>),
}

/// A value that a field may have.
#[derive(Debug, Clone, Copy)]
pub(in crate::web) struct Choice {
    /// The value.
    pub(in crate::web) value: &'static str,
    /// Its name.
    pub(in crate::web) label: Words,
    /// The consequence; `None` if the name says it.
    pub(in crate::web) hint: Option<Words>,
}

impl Row {
    /// A field whose control is the one that its shape asks for.
    pub(in crate::web) const fn new(
        (group, place): (&'static str, u8),
        name: &'static str,
        label: Words,
        help: Words,
    ) -> Row {
        Row {
            group,
            place,
            name,
            label,
            help,
            control: Control::OfShape,
            limit: None,
            is_without_effect: false,
        }
    }

    /// The same field, which no form shows: its value is kept, and changes nothing in this version.
    pub(in crate::web) const fn without_effect(self) -> Row {
        Row { is_without_effect: true, ..self }
    }

    /// The same field as a text of several lines.
    pub(in crate::web) const fn lines(self, rows: u8) -> Row {
        Row { control: Control::Lines(rows), ..self }
    }

    /// The same field as a choice.
    pub(in crate::web) const fn choices(self, choices: &'static [Choice]) -> Row {
        Row { control: Control::Choices(choices), ..self }
    }

    /// The same field as a choice in a list that opens.
    pub(in crate::web) const fn select(self, choices: &'static [Choice]) -> Row {
        Row { control: Control::Select(choices), ..self }
    }

    /// The same field as boxes whose values are added up.
    pub(in crate::web) const fn sum(self, choices: &'static [Choice]) -> Row {
        Row { control: Control::Sum(choices), ..self }
    }

    /// The same field as a limit that can be off.
    pub(in crate::web) const fn limit(self, limit: Limit) -> Row {
        Row { limit: Some(limit), ..self }
    }

    /// The same field as a password.
    pub(in crate::web) const fn secret(self) -> Row {
        Row { control: Control::Secret, ..self }
    }

    /// The same field with suggestions.
    pub(in crate::web) const fn suggested(self, all: fn() -> Vec<String>) -> Row {
        Row { control: Control::Suggested(all), ..self }
    }
}

/// Makes of the rows of a table of settings those of the page: `rows NAME`. Labels and helps are the texts that the names
/// of the settings lead to.
macro_rules! rows {
    (
        [$rows:ident]
        new($($given:ident: $given_type:ty),*) texts $prefix:literal topics $topics:ident
        $(
            kept { $($(#[doc = $kept_doc:literal])+ $kept:ident: $kept_type:ty = $kept_default:expr;)* }
            set { $(
                $(#[doc = $doc:literal])+
                $field:ident: $type:ty = $default:expr, by $read:ident($($with:tt)*), in $topic:ident,
                on $group:ident $place:literal $(.$control:ident($($of:tt)*))?;
            )* }
        )+
    ) => {
        const $rows: &[$crate::web::admin::parts::fields::Row] = &[$($(
            $crate::web::admin::parts::fields::Row::new(
                (stringify!($group), $place),
                stringify!($field),
                |language| $crate::locale::lookup(language, concat!($prefix, stringify!($field)), &[]),
                |language| $crate::locale::lookup(language, concat!($prefix, stringify!($field), "-help"), &[]),
            )$(.$control($($of)*))?,
        )*)+];
    };
}
pub(in crate::web) use rows;

/// The values of fields by their names: one text, or several of an array.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::web) struct Values(BTreeMap<&'static str, Vec<String>>);

impl Values {
    /// The values of settings.
    pub(in crate::web) fn of<T>(settings: Vec<Setting<'_, T>>) -> Values {
        let mut values = Values::default();
        for Setting { name, topic: _, value } in settings {
            values.many(name, value.into_texts());
        }
        values
    }

    /// Sets a text or a number.
    pub(in crate::web) fn text(&mut self, name: &'static str, value: &(impl ToString + ?Sized)) {
        self.0.insert(name, vec![value.to_string()]);
    }

    /// Sets a text that may be null, which is a blank one on a page.
    pub(in crate::web) fn maybe(&mut self, name: &'static str, value: Option<impl ToString>) {
        self.0.insert(name, value.map(|value| value.to_string()).into_iter().collect());
    }

    /// Sets a boolean.
    pub(in crate::web) fn flag(&mut self, name: &'static str, value: bool) {
        self.0.insert(name, value.then(|| "1".to_owned()).into_iter().collect());
    }

    /// Sets an array.
    pub(in crate::web) fn many(&mut self, name: &'static str, values: impl IntoIterator<Item: ToString>) {
        self.0.insert(name, values.into_iter().map(|value| value.to_string()).collect());
    }

    fn all(&self, name: &str) -> &[String] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }

    fn one(&self, name: &str) -> &str {
        self.all(name).first().map_or("", String::as_str)
    }
}

/// The form of the fields that a reader takes.
#[derive(Debug)]
pub(in crate::web) struct Sheet {
    /// The beginning of the `id`s of its fields if a page has several forms.
    prefix: &'static str,
    groups: Vec<(Group, Vec<Entry>)>,
}

/// A field of the table that the reader takes.
#[derive(Debug)]
struct Entry {
    row: Row,
    shape: Shape,
    /// The values that this object may choose from, with their labels, where they are not fixed.
    offered: Option<Vec<(String, String)>>,
}

impl Sheet {
    /// The fields of a table that `reader` takes, in the order of the table.
    pub(in crate::web) fn new(table: &Table, reader: impl FnOnce(&mut Params)) -> Sheet {
        let mut params = Params::recording();
        reader(&mut params);
        let asked = params.into_asked();
        let entries = |group: &Group| {
            let taken = table.rows_of(group).into_iter().filter_map(|row| {
                let Field { shape, .. } = asked.iter().find(|field| field.name == row.name)?;
                Some(Entry { row: *row, shape: shape.clone(), offered: None })
            });
            taken.collect::<Vec<_>>()
        };
        let groups = table.groups.iter().map(|group| (*group, entries(group)));
        Sheet { prefix: "", groups: groups.filter(|(_, entries)| !entries.is_empty()).collect() }
    }

    /// The same form beside another one on its page.
    pub(in crate::web) fn prefixed(self, prefix: &'static str) -> Sheet {
        Sheet { prefix, ..self }
    }

    /// Offers the values of an array as boxes, each with its label; too many are typed, one a line.
    pub(in crate::web) fn offer(&mut self, name: &str, offered: Vec<(String, String)>) {
        if offered.len() <= BOXES_MAX
            && let Some(entry) = self.entries_mut().find(|entry| entry.row.name == name)
        {
            entry.offered = Some(offered);
        }
    }

    /// Leaves out a field that this object does not have.
    pub(in crate::web) fn leave_out(&mut self, name: &str) {
        for (_, entries) in &mut self.groups {
            entries.retain(|entry| entry.row.name != name);
        }
        self.groups.retain(|(_, entries)| !entries.is_empty());
    }

    fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.groups.iter().flat_map(|(_, entries)| entries)
    }

    fn entries_mut(&mut self) -> impl Iterator<Item = &mut Entry> {
        self.groups.iter_mut().flat_map(|(_, entries)| entries)
    }

    /// The names and values that a sent form has for the reader. Boxes that are not ticked are false, or not in the array;
    /// a text that the form does not have does not change.
    pub(in crate::web) fn pairs(&self, form: &Form) -> Vec<(String, String)> {
        let mut pairs = Vec::new();
        for entry in self.entries() {
            entry.read(form, &mut |name, value: String| pairs.push((name.to_owned(), value)));
        }
        pairs
    }

    /// The same as the parameters of a call.
    pub(in crate::web) fn params(&self, form: &Form) -> Result<Params, PageError> {
        Params::from_pairs(self.pairs(form)).map_err(|_| PageError::BadRequest)
    }

    /// Whether a form has none of the fields, so that it is no form of this page: all boxes would be taken for empty.
    pub(in crate::web) fn is_missing(&self, form: &Form) -> bool {
        !self.entries().any(|entry| form.has(entry.row.name))
    }

    /// The values as they were sent, to be shown again.
    pub(in crate::web) fn sent(&self, form: &Form) -> Values {
        let mut values = Values::default();
        for entry in self.entries() {
            let name = entry.row.name;
            let sent = form.all(name).map(unix_lines);
            match entry.kind() {
                Kind::Sum(_) => values.text(name, &sum(form, name)),
                Kind::Secret => {}
                _ => values.many(name, sent.filter(|value| !value.is_empty())),
            }
        }
        values
    }

    /// The problems that a reader or an operation found, in the order of the form, each named by its field's label.
    pub(in crate::web) fn problems(&self, language: Language, problems: &Problems) -> FieldProblems {
        let mut shown = FieldProblems::default();
        for Entry { row, .. } in self.entries() {
            for Problem { problem, .. } in problems.iter().filter(|problem| problem.field == row.name) {
                let label = (row.label)(language);
                shown.add_named(language, format!("{}{}", self.prefix, row.name), label, problem);
            }
        }
        let is_known = |field: &str| self.entries().any(|entry| entry.row.name == field);
        for Problem { field, problem } in problems.iter().filter(|problem| !is_known(&problem.field)) {
            // A field of another form is named as the API names it.
            shown.add_named(language, "fields", field, problem);
        }
        shown
    }

    /// The groups with the values that the object has, or that were sent.
    pub(in crate::web) fn view(
        &self,
        language: Language,
        values: &Values,
        problems: &FieldProblems,
    ) -> Vec<GroupView> {
        let group = |(group, entries): &(Group, Vec<Entry>)| GroupView {
            id: format!("{}{}", self.prefix, group.id),
            title: (group.title)(language),
            hint: (group.hint)(language),
            fields: entries.iter().map(|entry| entry.view(self.prefix, language, values, problems)).collect(),
            fold: Fold::Never,
        };
        self.groups.iter().map(group).collect()
    }
}

/// The kind of a field's control.
enum Kind<'a> {
    Line { is_number: bool, is_short: bool, suggestions: Option<fn() -> Vec<String>> },
    Text(u8),
    Array,
    Truth,
    One(&'static [Choice]),
    Select(&'static [Choice]),
    Some(&'static [Choice]),
    Offered(&'a [(String, String)]),
    Sum(&'static [Choice]),
    Secret,
}

impl Entry {
    fn kind(&self) -> Kind<'_> {
        if let Some(offered) = &self.offered {
            return Kind::Offered(offered);
        }
        let shape = match &self.shape {
            Shape::Nullable(shape) => shape,
            shape => shape,
        };
        let is_array = |shape: &Shape| matches!(shape, Shape::Many { .. });
        match (self.row.control, shape) {
            (Control::Sum(choices), _) => Kind::Sum(choices),
            (Control::Secret, _) => Kind::Secret,
            (Control::Choices(choices), Shape::Many { .. }) => Kind::Some(choices),
            (Control::Choices(choices), _) => Kind::One(choices),
            (Control::Select(choices), _) => Kind::Select(choices),
            (Control::Suggested(all), _) => {
                Kind::Line { is_number: false, is_short: false, suggestions: Some(all) }
            }
            (_, Shape::Truth) => Kind::Truth,
            (_, Shape::Many { .. }) => Kind::Array,
            (_, Shape::Either(shapes)) if shapes.iter().any(is_array) => Kind::Array,
            (Control::Lines(rows), _) => Kind::Text(rows),
            (_, shape) => {
                let is_number = matches!(shape, Shape::Whole { .. } | Shape::Number(_));
                let chars_max = if let Shape::Text { chars_max, .. } = shape { *chars_max } else { None };
                let is_short = is_number || chars_max.is_some_and(|chars| chars <= SHORT_CHARS_MAX);
                Kind::Line { is_number, is_short, suggestions: None }
            }
        }
    }

    /// Whether its values are texts of any form, whose spaces are kept as they are typed.
    fn is_plain(&self) -> bool {
        fn is_plain(shape: &Shape) -> bool {
            match shape {
                Shape::Text { format: None, pattern: None, .. } => true,
                Shape::Nullable(of) | Shape::Many { of, .. } => is_plain(of),
                _ => false,
            }
        }
        is_plain(&self.shape)
    }

    /// Reads the field from a form as the parameters that a call would have.
    fn read(&self, form: &Form, add: &mut dyn FnMut(&'static str, String)) {
        let name = self.row.name;
        match self.kind() {
            // A box that is not ticked is not sent.
            Kind::Truth => add(name, form.get(name).to_owned()),
            Kind::Sum(_) => add(name, sum(form, name)),
            Kind::Some(_) | Kind::Offered(_) => array(form.all(name).map(str::to_owned), name, add),
            _ if !form.has(name) => {}
            Kind::Array => {
                let lines = form.all(name).flat_map(str::lines);
                let trimmed = |line: &str| if self.is_plain() { line } else { line.trim() }.to_owned();
                array(lines.map(trimmed), name, add);
            }
            Kind::Secret => {
                let secret = form.get(name);
                if !secret.is_empty() {
                    add(name, secret.to_owned());
                }
            }
            Kind::Line { .. } if !self.is_plain() => add(name, form.get(name).trim().to_owned()),
            Kind::Line { .. } | Kind::Text(_) | Kind::One(_) | Kind::Select(_) => {
                add(name, unix_lines(form.get(name)));
            }
        }
    }

    fn view(&self, prefix: &str, language: Language, values: &Values, problems: &FieldProblems) -> FieldView {
        let name = self.row.name;
        let id = format!("{prefix}{name}");
        let option = |choice: &Choice, is_chosen: bool| OptionView {
            value: choice.value.to_owned(),
            label: (choice.label)(language),
            hint: choice.hint.map(|hint| hint(language)).unwrap_or_default(),
            is_chosen,
        };
        let one_of = |choices: &[Choice]| {
            choices.iter().map(|choice| option(choice, choice.value == values.one(name))).collect()
        };
        let has = |value: &str| values.all(name).iter().any(|other| other == value);
        let control = match self.kind() {
            Kind::Truth => ControlView::Check { is_on: !values.one(name).is_empty() },
            Kind::Secret => ControlView::Secret,
            Kind::Text(rows) => ControlView::Text { value: values.one(name).to_owned(), rows },
            Kind::Array => {
                let value = values.all(name).join("\n");
                let rows = u8::try_from(value.lines().count()).unwrap_or(u8::MAX).clamp(2, 10);
                ControlView::Text { value, rows }
            }
            Kind::Line { is_number, is_short, suggestions } => ControlView::Line {
                value: values.one(name).to_owned(),
                mode: if is_number { "numeric" } else { "text" },
                is_short,
                suggestions: suggestions.map(|all| all()).unwrap_or_default(),
            },
            Kind::One(choices) => ControlView::Choices { kind: ONE, options: one_of(choices) },
            Kind::Select(choices) => ControlView::Select { options: one_of(choices) },
            Kind::Some(choices) => ControlView::Choices {
                kind: ANY,
                options: choices.iter().map(|choice| option(choice, has(choice.value))).collect(),
            },
            Kind::Sum(choices) => {
                let bits: u64 = values.one(name).parse().unwrap_or(0);
                let is_in = |value: &str| value.parse::<u64>().is_ok_and(|bit| bits & bit != 0);
                let options = choices.iter().map(|choice| option(choice, is_in(choice.value)));
                ControlView::Choices { kind: ANY, options: options.collect() }
            }
            Kind::Offered(offered) => {
                let option = |(value, label): &(String, String)| OptionView {
                    is_chosen: has(value),
                    value: value.clone(),
                    label: label.clone(),
                    hint: String::new(),
                };
                ControlView::Choices { kind: ANY, options: offered.iter().map(option).collect() }
            }
        };
        let limit = self.row.limit.map(|limit| LimitView {
            name: limit.name,
            value: limit.value,
            words: (limit.words)(language),
            // Something that is ticked is meant.
            is_on: values.all(limit.name).iter().any(|value| value == limit.value)
                || !values.all(name).is_empty(),
        });
        FieldView {
            limit,
            name,
            label: (self.row.label)(language),
            help: (self.row.help)(language),
            problem: problems.of(&id).map(str::to_owned),
            id,
            control,
        }
    }
}

/// Adds the values of an array; an empty one is a blank value.
fn array(
    values: impl Iterator<Item = String>,
    name: &'static str,
    add: &mut dyn FnMut(&'static str, String),
) {
    let mut is_empty = true;
    for value in values.filter(|value| !value.trim().is_empty()) {
        is_empty = false;
        add(name, value);
    }
    if is_empty {
        add(name, String::new());
    }
}

/// The sum of the boxes that were ticked; what is no number is kept for the reader to refuse.
fn sum(form: &Form, name: &str) -> String {
    let mut bits: u64 = 0;
    for value in form.all(name).map(str::trim).filter(|value| !value.is_empty()) {
        match value.parse::<u64>() {
            Ok(bit) => bits |= bit,
            Err(_) => return value.to_owned(),
        }
    }
    bits.to_string()
}

/// A text with LF at the ends of its lines, where browsers send CR LF.
fn unix_lines(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// The label of a field of a table, or its name if no row is about it.
pub(in crate::web) fn label_in(table: &Table, language: Language, name: &str) -> String {
    let row = table.rows().find(|row| row.name == name);
    row.map_or_else(|| name.to_owned(), |row| (row.label)(language))
}

/// A value of a field of a table, as the audit log keeps it, in the words of the page; `None` if no row is about it.
pub(in crate::web) fn told_in(
    table: &Table,
    language: Language,
    name: &str,
    value: &ToldValue,
) -> Option<String> {
    let row = table.rows().find(|row| row.name == name)?;
    let word = match value {
        ToldValue::None => String::new(),
        ToldValue::Truth(true) => return Some(text!(language, "set-yes")),
        ToldValue::Truth(false) => return Some(text!(language, "set-no")),
        ToldValue::Several(count) => return Some(text!(language, "audit-several", count = *count)),
        ToldValue::Number(number) => number.to_string(),
        ToldValue::Text(text) => text.clone(),
    };
    let chosen: Vec<String> = match row.control {
        Control::Choices(choices) | Control::Select(choices) => {
            let chosen = choices.iter().filter(|choice| choice.value == word);
            chosen.map(|choice| (choice.label)(language)).collect()
        }
        Control::Sum(choices) => {
            let bits: u64 = word.parse().unwrap_or(0);
            let is_in = |choice: &&Choice| choice.value.parse::<u64>().is_ok_and(|bit| bits & bit != 0);
            choices.iter().filter(is_in).map(|choice| (choice.label)(language)).collect()
        }
        Control::Secret => return None,
        Control::OfShape | Control::Lines(_) | Control::Suggested(_) => vec![word.clone()],
    };
    let told = if chosen.is_empty() { word } else { chosen.join("; ") };
    Some(if told.trim().is_empty() { text!(language, "set-nothing") } else { told })
}

/// The answer to a form whose values an operation refused: the status, and the problems of its fields. Every other
/// error has a page of its own.
pub(in crate::web) fn refusal(error: OpError) -> Result<(StatusCode, Problems), PageError> {
    let mut found = Problems::default();
    match error {
        OpError::Invalid { problems } => {
            for Problem { field, problem } in problems {
                found.add(&field, problem);
            }
            Ok((StatusCode::BAD_REQUEST, found))
        }
        OpError::Conflict { field, problem } => {
            found.add(field, problem);
            Ok((StatusCode::CONFLICT, found))
        }
        other => Err(other.into()),
    }
}
