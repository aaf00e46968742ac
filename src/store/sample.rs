//! Makes sample records of any entity from its type alone.
//!
//! A record's type says how its fields are read ([`serde::Deserialize`]); a [`Sampler`] answers each of these reads
//! with a made-up value. The samples are the same in every build as long as the type is the same. They have two uses:
//! the fingerprint of the indexes (`check`) is taken over the rows that samples give, so an index whose meaning changes
//! is rebuilt although nobody raised a version; and tests freeze their bytes, so a record cannot change without a new
//! version. No sample is ever stored by the server.

use serde::de::value::U64Deserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

use super::StoreError;

/// Chooses a sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Draw {
    /// Samples of different rounds have other variants of enums, and other optional fields present.
    pub round: u64,
    /// The account that the record belongs to.
    pub account: u64,
    /// The blob to which the record refers, wherever it refers to one.
    pub blob: u64,
}

impl Draw {
    /// Rounds after which nearly every variant of every field has occurred.
    pub const ROUNDS: u64 = 64;

    /// The sample of a round, for account 1.
    #[must_use]
    pub fn of_round(round: u64) -> Draw {
        Draw { round, account: 1, blob: 1 }
    }
}

/// A made-up record of a table, by the struct of any version.
pub(super) fn sample_of<R: DeserializeOwned>(table: &'static str, draw: Draw) -> Result<R, StoreError> {
    // Ids of different rounds differ, so that their records can be stored side by side.
    let mut sampler = Sampler { draw, counter: draw.round * 1000, state: draw.round };
    R::deserialize(&mut sampler)
        .map_err(|error| StoreError::corrupt(table, format_args!("has no samples: {error}")))
}

/// Elements of a sequence, at most.
const ELEMENTS_MAX: u64 = 2;

/// The source of all values.
struct Sampler {
    draw: Draw,
    /// Numbers, and the numbers in texts, are different for each field.
    counter: u64,
    /// State of the random choices.
    state: u64,
}

impl Sampler {
    fn next(&mut self) -> u64 {
        self.counter += 1;
        self.counter
    }

    /// One of `choices`, spread evenly (`SplitMix64`).
    fn choose(&mut self, choices: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % choices.max(1)
    }

    /// A text that is a valid address, and whose part after the `@` is a valid domain.
    fn text(&mut self) -> String {
        let number = self.next();
        format!("name{number}@part{number}.example")
    }
}

/// Why a type has no samples.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
struct Unsampled(String);

impl de::Error for Unsampled {
    fn custom<T: std::fmt::Display>(message: T) -> Unsampled {
        Unsampled(message.to_string())
    }
}

macro_rules! numbers {
    ($($read:ident $visit:ident $number:ty, $fits:expr;)*) => {$(
        fn $read<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unsampled> {
            let number = self.next() % $fits;
            visitor.$visit(<$number>::try_from(number).unwrap_or_default())
        }
    )*};
}

impl<'de> de::Deserializer<'de> for &mut Sampler {
    type Error = Unsampled;

    numbers! {
        deserialize_u8 visit_u8 u8, 251;
        deserialize_u16 visit_u16 u16, 60_000;
        deserialize_u32 visit_u32 u32, u64::from(u32::MAX);
        deserialize_u64 visit_u64 u64, u64::MAX;
        deserialize_i8 visit_i8 i8, 127;
        deserialize_i16 visit_i16 i16, 30_000;
        deserialize_i32 visit_i32 i32, 2_000_000_000;
        deserialize_i64 visit_i64 i64, u64::MAX / 2;
    }

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Unsampled> {
        Err(Unsampled("a field does not say what it is".to_owned()))
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unsampled> {
        visitor.visit_unit()
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unsampled> {
        visitor.visit_bool(self.choose(2) == 1)
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unsampled> {
        visitor.visit_f32(f32::from(u8::try_from(self.next() % 100).unwrap_or_default()))
    }

    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unsampled> {
        visitor.visit_f64(f64::from(u8::try_from(self.next() % 100).unwrap_or_default()))
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unsampled> {
        visitor.visit_char('c')
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unsampled> {
        visitor.visit_string(self.text())
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unsampled> {
        visitor.visit_string(self.text())
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unsampled> {
        visitor.visit_byte_buf(self.text().into_bytes())
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unsampled> {
        visitor.visit_byte_buf(self.text().into_bytes())
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unsampled> {
        if self.choose(3) == 0 { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unsampled> {
        visitor.visit_unit()
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Unsampled> {
        visitor.visit_unit()
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Unsampled> {
        match name {
            "AccountId" => visitor.visit_newtype_struct(U64Deserializer::new(self.draw.account)),
            "BlobId" => visitor.visit_newtype_struct(U64Deserializer::new(self.draw.blob)),
            _ => visitor.visit_newtype_struct(self),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unsampled> {
        let left = self.choose(ELEMENTS_MAX + 1);
        visitor.visit_seq(Elements { sampler: self, left })
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Unsampled> {
        visitor.visit_seq(Elements { sampler: self, left: length as u64 })
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        length: usize,
        visitor: V,
    ) -> Result<V::Value, Unsampled> {
        self.deserialize_tuple(length, visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unsampled> {
        let left = self.choose(ELEMENTS_MAX + 1);
        visitor.visit_map(Elements { sampler: self, left })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unsampled> {
        self.deserialize_tuple(fields.len(), visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unsampled> {
        let variant = self.choose(variants.len() as u64);
        visitor.visit_enum(Variant { sampler: self, variant })
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unsampled> {
        self.deserialize_any(visitor)
    }

    // As in the stored form: types that have another form for people are not sampled by it.
    fn is_human_readable(&self) -> bool {
        false
    }
}

/// The elements of a sequence, a tuple or a map, or the fields of a struct.
struct Elements<'s> {
    sampler: &'s mut Sampler,
    left: u64,
}

impl<'de> SeqAccess<'de> for Elements<'_> {
    type Error = Unsampled;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Unsampled> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(&mut *self.sampler).map(Some)
    }
}

impl<'de> MapAccess<'de> for Elements<'_> {
    type Error = Unsampled;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Unsampled> {
        self.next_element_seed(seed)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Unsampled> {
        seed.deserialize(&mut *self.sampler)
    }
}

/// One variant of an enum.
struct Variant<'s> {
    sampler: &'s mut Sampler,
    variant: u64,
}

impl<'de> EnumAccess<'de> for Variant<'_> {
    type Error = Unsampled;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Unsampled> {
        let variant = seed.deserialize(self.variant.into_deserializer())?;
        Ok((variant, self))
    }
}

impl<'de> VariantAccess<'de> for Variant<'_> {
    type Error = Unsampled;

    fn unit_variant(self) -> Result<(), Unsampled> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Unsampled> {
        seed.deserialize(self.sampler)
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Unsampled> {
        de::Deserializer::deserialize_tuple(self.sampler, length, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unsampled> {
        de::Deserializer::deserialize_tuple(self.sampler, fields.len(), visitor)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use serde::{Deserialize, Serialize};

    use super::*;

    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    struct AccountId(u64);

    #[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
    enum Shape {
        Point,
        Circle(u32),
        Box { width: u8, height: u8 },
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Note {
        id: u64,
        account: AccountId,
        shape: Shape,
        words: Vec<String>,
        seen: Option<bool>,
        digest: [u8; 4],
        by_name: BTreeMap<String, i64>,
    }

    #[test]
    fn samples_repeat_and_rounds_differ_in_every_choice() {
        let draws = (0..Draw::ROUNDS).map(|round| Draw { round, account: 7, blob: 1 });
        let notes: Vec<Note> = draws.clone().map(|draw| sample_of("note", draw).unwrap()).collect();
        let again: Vec<Note> = draws.map(|draw| sample_of("note", draw).unwrap()).collect();
        assert_eq!(notes, again);
        assert!(notes.iter().all(|note| note.account == AccountId(7)));
        let ids: BTreeSet<u64> = notes.iter().map(|note| note.id).collect();
        assert_eq!(ids.len(), notes.len());
        let has = |found: fn(&Note) -> bool| notes.iter().any(found);
        assert!(has(|note| note.shape == Shape::Point) && has(|note| matches!(note.shape, Shape::Circle(_))));
        assert!(has(|note| matches!(note.shape, Shape::Box { .. })));
        assert!(has(|note| note.words.is_empty()) && has(|note| note.words.len() == 2));
        assert!(has(|note| note.seen.is_none()) && has(|note| note.seen == Some(true)));
    }
}
