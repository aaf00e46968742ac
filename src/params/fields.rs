//! Makes readers of the tables of settings in `model`.

/// Makes of the rows of a table a function that reads the settings of one topic: `reader fn NAME(READER) -> CHANGES`. The
/// reader has the methods that the rows name.
macro_rules! reader {
    (
        [fn $name:ident($reader:ty) -> $changes:ty]
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
        fn $name(reader: &mut $reader, topic: $topics, changes: &mut $changes) {
            $($(if topic == $topics::$topic {
                changes.$field = reader.$read(stringify!($field), $($with)*);
            })*)+
        }
    };
}
pub(super) use reader;
