//! Finds the fields in which two records differ. It compares the records' stored forms, so no list of field names has
//! to be maintained.

use std::fmt;

use serde::Serialize;
use serde::ser::{Impossible, SerializeStruct, Serializer};

/// The names of the fields in which two records of a kind differ, in their order.
pub fn changed_fields<T: Serialize>(before: &T, after: &T) -> Vec<&'static str> {
    let (Ok(before), Ok(after)) = (before.serialize(Fields), after.serialize(Fields)) else {
        return Vec::new();
    };
    let pairs = before.into_iter().zip(after);
    pairs.filter(|((_, before), (_, after))| before != after).map(|((name, _), _)| name).collect()
}

/// Splits a record into its fields, each in its stored form; fails for anything but a record.
struct Fields;

/// The fields that were read so far.
struct Taken(Vec<(&'static str, Vec<u8>)>);

impl SerializeStruct for Taken {
    type Ok = Vec<(&'static str, Vec<u8>)>;
    type Error = fmt::Error;

    fn serialize_field<T: Serialize + ?Sized>(
        &mut self,
        name: &'static str,
        value: &T,
    ) -> Result<(), fmt::Error> {
        let stored = bincode::serde::encode_to_vec(value, bincode::config::standard());
        self.0.push((name, stored.map_err(|_| fmt::Error)?));
        Ok(())
    }

    fn end(self) -> Result<Self::Ok, fmt::Error> {
        Ok(self.0)
    }
}

macro_rules! refuse {
    ($($method:ident($($type:ty),*) -> $given:ty;)*) => {
        $(fn $method(self, $(_: $type),*) -> Result<$given, fmt::Error> {
            Err(fmt::Error)
        })*
    };
}

type Fail = Impossible<Vec<(&'static str, Vec<u8>)>, fmt::Error>;

impl Serializer for Fields {
    type Ok = Vec<(&'static str, Vec<u8>)>;
    type Error = fmt::Error;
    type SerializeSeq = Fail;
    type SerializeTuple = Fail;
    type SerializeTupleStruct = Fail;
    type SerializeTupleVariant = Fail;
    type SerializeMap = Fail;
    type SerializeStruct = Taken;
    type SerializeStructVariant = Fail;

    fn serialize_struct(self, _: &'static str, fields: usize) -> Result<Taken, fmt::Error> {
        Ok(Taken(Vec::with_capacity(fields)))
    }

    refuse! {
        serialize_bool(bool) -> Self::Ok;
        serialize_i8(i8) -> Self::Ok;
        serialize_i16(i16) -> Self::Ok;
        serialize_i32(i32) -> Self::Ok;
        serialize_i64(i64) -> Self::Ok;
        serialize_u8(u8) -> Self::Ok;
        serialize_u16(u16) -> Self::Ok;
        serialize_u32(u32) -> Self::Ok;
        serialize_u64(u64) -> Self::Ok;
        serialize_f32(f32) -> Self::Ok;
        serialize_f64(f64) -> Self::Ok;
        serialize_char(char) -> Self::Ok;
        serialize_str(&str) -> Self::Ok;
        serialize_bytes(&[u8]) -> Self::Ok;
        serialize_none() -> Self::Ok;
        serialize_unit() -> Self::Ok;
        serialize_unit_struct(&'static str) -> Self::Ok;
        serialize_unit_variant(&'static str, u32, &'static str) -> Self::Ok;
        serialize_seq(Option<usize>) -> Fail;
        serialize_tuple(usize) -> Fail;
        serialize_tuple_struct(&'static str, usize) -> Fail;
        serialize_tuple_variant(&'static str, u32, &'static str, usize) -> Fail;
        serialize_map(Option<usize>) -> Fail;
        serialize_struct_variant(&'static str, u32, &'static str, usize) -> Fail;
    }

    fn serialize_some<T: Serialize + ?Sized>(self, _: &T) -> Result<Self::Ok, fmt::Error> {
        Err(fmt::Error)
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: &T,
    ) -> Result<Self::Ok, fmt::Error> {
        Err(fmt::Error)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _: &'static str,
        _: u32,
        _: &'static str,
        _: &T,
    ) -> Result<Self::Ok, fmt::Error> {
        Err(fmt::Error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock::Timestamp;
    use crate::model::{AccountId, List, ListId, ListName};

    #[test]
    fn the_fields_that_differ_are_named_and_no_others() {
        let name = ListName::parse("news").unwrap();
        let list = List::new(ListId(1), AccountId(1), name, Timestamp::default());
        assert!(changed_fields(&list, &list).is_empty());
        let other = List { description: "News".to_owned(), maxlength: 7, ..list.clone() };
        assert_eq!(changed_fields(&list, &other), ["description", "maxlength"]);
    }
}
