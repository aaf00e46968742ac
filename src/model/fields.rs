//! Settings: each is one row of a table beside its record, and everything that knows a setting is made of its row.
//!
//! A table is a macro, such as `list_fields!` of lists, which hands its rows to the macro that it is called with:
//! `record!` makes the record, the changes of a call and the values of them, `params` the reader of calls and forms,
//! `api` the members of the object with their description, and `web` the rows of the page of settings. The command line
//! makes its flags of the API's description. A row reads:
//!
//! ```text
//! /// Whether replies to mail of the list are held.
//! hold_replies: bool = false, by boolean(), in Holding, on holding 2;
//! ```
//!
//! * The comment is the description in the API and the help of the flag.
//! * The name is that of the record, the API, the flag and the texts of the page: of a row `NAME` in a table whose `texts`
//!   begin with `PREFIX`, the label is the text `PREFIXNAME`, and `PREFIXNAME-help` says what follows from it.
//! * The type says how the value is stored and shown ([`Value`]), and the expression is that of a new record.
//! * `by` names the method that reads it from parameters, without its first argument, the name.
//! * `in` names its topic. Calls are read topic by topic, and flags have the heading of their topic.
//! * `on` is its place on the page: a group, and a number in it; a control of the page may stand behind.
//!
//! Words of a row mean what they mean in the layer that makes something of them: the methods of `by` are those of
//! `params`, the controls of `on` those of `web`. Rows of `kept` are stored and are no settings.

use std::borrow::Cow;

use super::EmailAddress;

/// The value of a setting as plain data, of which the API makes JSON, and a page its controls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Plain<'a> {
    /// There is none.
    Null,
    /// True or false.
    Truth(bool),
    /// A whole number.
    Number(u64),
    /// A text.
    Text(Cow<'a, str>),
    /// Several texts.
    Texts(Vec<Cow<'a, str>>),
}

/// A type of settings.
pub trait Value {
    /// An unset value, for settings that may have none.
    const UNSET: Plain<'static> = Plain::Null;

    /// The value as plain data.
    fn plain(&self) -> Plain<'_>;
}

impl Value for bool {
    fn plain(&self) -> Plain<'_> {
        Plain::Truth(*self)
    }
}

impl Value for u64 {
    fn plain(&self) -> Plain<'_> {
        Plain::Number(*self)
    }
}

impl Value for u32 {
    fn plain(&self) -> Plain<'_> {
        Plain::Number(u64::from(*self))
    }
}

impl Value for u8 {
    fn plain(&self) -> Plain<'_> {
        Plain::Number(u64::from(*self))
    }
}

impl Value for String {
    fn plain(&self) -> Plain<'_> {
        Plain::Text(Cow::Borrowed(self))
    }
}

impl Value for EmailAddress {
    fn plain(&self) -> Plain<'_> {
        Plain::Text(Cow::Borrowed(self.as_str()))
    }
}

impl<T: Value> Value for Option<T> {
    fn plain(&self) -> Plain<'_> {
        self.as_ref().map_or(T::UNSET, Value::plain)
    }
}

impl<T: Value> Value for Vec<T> {
    fn plain(&self) -> Plain<'_> {
        Plain::Texts(self.iter().flat_map(|value| value.plain().into_texts()).collect())
    }
}

impl<'a> Plain<'a> {
    /// A word; null for none.
    #[must_use]
    pub const fn of_word(word: Option<&'static str>) -> Plain<'static> {
        match word {
            Some(word) => Plain::Text(Cow::Borrowed(word)),
            None => Plain::Null,
        }
    }

    /// The texts that a form has for it: none for an unset value and for false.
    #[must_use]
    pub fn into_texts(self) -> Vec<Cow<'a, str>> {
        match self {
            Plain::Null | Plain::Truth(false) => Vec::new(),
            Plain::Truth(true) => vec![Cow::Borrowed("1")],
            Plain::Number(number) => vec![Cow::Owned(number.to_string())],
            Plain::Text(text) => vec![text],
            Plain::Texts(texts) => texts,
        }
    }
}

/// A setting of a record with its value; `T` are the topics of the record's table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setting<'a, T> {
    /// Its name.
    pub name: &'static str,
    /// Its topic.
    pub topic: T,
    /// Its value.
    pub value: Plain<'a>,
}

/// Declares the topics of a table, in the order in which calls are read.
macro_rules! topics {
    ($(#[doc = $about:literal])+ $name:ident { $($(#[doc = $doc:literal])+ $topic:ident,)+ }) => {
        $(#[doc = $about])+
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name {
            $($(#[doc = $doc])+ $topic,)+
        }

        impl $name {
            /// Every topic, in the order in which calls are read.
            pub const ALL: &'static [$name] = &[$($name::$topic),+];
        }
    };
}
pub(crate) use topics;

/// Makes of the rows of a table the record, the changes of a call, and the values of the settings.
macro_rules! record {
    (
        [$(#[doc = $about:literal])+ $record:ident, $changes:ident]
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
        $(#[doc = $about])+
        #[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
        pub struct $record {
            $(
                $($(#[doc = $kept_doc])+ pub $kept: $kept_type,)*
                $($(#[doc = $doc])+ pub $field: $type,)*
            )+
        }

        impl $record {
            /// A new one, with the defaults of its settings.
            #[must_use]
            pub fn new($($given: $given_type),*) -> $record {
                $record { $($($kept: $kept_default,)* $($field: $default,)*)+ }
            }

            /// Its settings with their values, in their order.
            #[must_use]
            pub fn values(&self) -> Vec<$crate::model::fields::Setting<'_, $topics>> {
                use $crate::model::fields::{Setting, Value as _};
                vec![$($(Setting {
                    name: stringify!($field),
                    topic: $topics::$topic,
                    value: self.$field.plain(),
                },)*)+]
            }

            /// The values of the rows of `kept`, in their order, block by block.
            #[must_use]
            pub fn kept(&self) -> ($(($(&$kept_type,)*),)+) {
                ($(($(&self.$kept,)*),)+)
            }

            /// This record without what a change made of `before` to `after`; `None` if a value that the change set is
            /// another one by now.
            #[must_use]
            pub fn without(&self, before: &$record, after: &$record) -> Option<$record> {
                let mut record = self.clone();
                $($(if before.$kept != after.$kept {
                    (record.$kept == after.$kept).then(|| record.$kept.clone_from(&before.$kept))?;
                })*
                $(if before.$field != after.$field {
                    (record.$field == after.$field).then(|| record.$field.clone_from(&before.$field))?;
                })*)+
                Some(record)
            }

            /// The topic of a setting; `None` if there is no setting of this name.
            #[must_use]
            pub fn topic_of(name: &str) -> Option<$topics> {
                let all = [$($((stringify!($field), $topics::$topic),)*)+];
                all.into_iter().find(|(field, _)| *field == name).map(|(_, topic)| topic)
            }
        }

        #[doc = concat!("New values of the settings of a [`", stringify!($record), "`]; an unset one does not change.")]
        #[derive(Debug, Clone, Default, PartialEq, Eq)]
        pub struct $changes {
            $($(
                #[doc = concat!("New value of [`", stringify!($record), "::", stringify!($field), "`].")]
                pub $field: Option<$type>,
            )*)+
        }

        impl $changes {
            /// Makes the changes.
            pub fn apply(self, record: &mut $record) {
                $($(if let Some(value) = self.$field {
                    record.$field = value;
                })*)+
            }

            /// The settings that it changes, with their new values, in their order.
            #[must_use]
            pub fn given(&self) -> Vec<$crate::model::fields::Setting<'_, $topics>> {
                use $crate::model::fields::{Setting, Value as _};
                let given = [$($(self.$field.as_ref().map(|value| Setting {
                    name: stringify!($field),
                    topic: $topics::$topic,
                    value: value.plain(),
                }),)*)+];
                given.into_iter().flatten().collect()
            }
        }
    };
}
pub(crate) use record;
