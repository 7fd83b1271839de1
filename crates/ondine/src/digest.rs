//! A digest of anything that can be written, and whether all its numbers are finite: to look into what others keep to themselves.

use crate::hash::StateHash;
use serde::de::value::Error;
use serde::ser::{self, Serialize, Serializer};

/// What a value amounts to.
#[derive(Debug, Default)]
pub struct Digest {
    hash: StateHash,
    /// Whether a number is infinite, or none.
    broken: bool,
    /// Whether a number is none.
    wrong: bool,
}

impl Digest {
    /// The digest of a value; none of what cannot be written.
    fn of(value: &impl Serialize) -> Option<Self> {
        let mut digest = Self::default();
        value.serialize(&mut digest).ok().map(|()| digest)
    }

    fn add(&mut self, bits: u64) -> Result<(), Error> {
        self.hash.add(bits);
        Ok(())
    }

    fn number(&mut self, x: f64) -> Result<(), Error> {
        self.broken |= !x.is_finite();
        self.wrong |= x.is_nan();
        self.add(x.to_bits())
    }
}

/// A hash of all that would be written of a value; 0 of what cannot be.
pub fn hash(value: &impl Serialize) -> u64 {
    Digest::of(value).map_or(0, |digest| digest.hash.finish())
}

/// Whether two values are written alike.
pub fn same<T: Serialize>(a: &T, b: &T) -> bool {
    hash(a) != 0 && hash(a) == hash(b)
}

/// Whether all numbers in a value are finite.
pub fn is_finite(value: &impl Serialize) -> bool {
    Digest::of(value).is_some_and(|digest| !digest.broken)
}

/// Whether all numbers in a value are numbers, though some may be infinite.
pub fn is_number(value: &impl Serialize) -> bool {
    Digest::of(value).is_some_and(|digest| !digest.wrong)
}

type Done = Result<(), Error>;

macro_rules! whole {
    ($($of:ty, $method:ident;)*) => {$(
        fn $method(self, v: $of) -> Done {
            self.add(v as u64)
        }
    )*};
}

impl Serializer for &mut Digest {
    type Ok = ();
    type Error = Error;
    type SerializeSeq = Self;
    type SerializeTuple = Self;
    type SerializeTupleStruct = Self;
    type SerializeTupleVariant = Self;
    type SerializeMap = Self;
    type SerializeStruct = Self;
    type SerializeStructVariant = Self;

    fn is_human_readable(&self) -> bool {
        false
    }

    whole! {
        bool, serialize_bool;
        i8, serialize_i8;
        i16, serialize_i16;
        i32, serialize_i32;
        i64, serialize_i64;
        u8, serialize_u8;
        u16, serialize_u16;
        u32, serialize_u32;
        u64, serialize_u64;
        char, serialize_char;
    }

    fn serialize_u128(self, v: u128) -> Done {
        self.add(v as u64)?;
        self.add((v >> 64) as u64)
    }

    fn serialize_f32(self, v: f32) -> Done {
        self.number(v as f64)
    }

    fn serialize_f64(self, v: f64) -> Done {
        self.number(v)
    }

    fn serialize_str(self, v: &str) -> Done {
        self.serialize_bytes(v.as_bytes())
    }

    fn serialize_bytes(self, v: &[u8]) -> Done {
        self.add(v.len() as u64)?;
        v.iter().try_for_each(|&byte| self.add(byte as u64))
    }

    fn serialize_none(self) -> Done {
        self.add(0)
    }

    fn serialize_some<T: ?Sized + Serialize>(self, value: &T) -> Done {
        self.add(1)?;
        value.serialize(self)
    }

    fn serialize_unit(self) -> Done {
        Ok(())
    }

    fn serialize_unit_struct(self, _: &'static str) -> Done {
        Ok(())
    }

    fn serialize_unit_variant(self, _: &'static str, index: u32, _: &'static str) -> Done {
        self.add(index as u64)
    }

    fn serialize_newtype_struct<T: ?Sized + Serialize>(self, _: &'static str, value: &T) -> Done {
        value.serialize(self)
    }

    fn serialize_newtype_variant<T: ?Sized + Serialize>(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        value: &T,
    ) -> Done {
        self.add(index as u64)?;
        value.serialize(self)
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Self, Error> {
        self.add(len.unwrap_or_default() as u64)?;
        Ok(self)
    }

    fn serialize_tuple(self, _: usize) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_tuple_struct(self, _: &'static str, _: usize) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_tuple_variant(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, Error> {
        self.add(index as u64)?;
        Ok(self)
    }

    fn serialize_map(self, len: Option<usize>) -> Result<Self, Error> {
        self.serialize_seq(len)
    }

    fn serialize_struct(self, _: &'static str, _: usize) -> Result<Self, Error> {
        Ok(self)
    }

    fn serialize_struct_variant(
        self,
        _: &'static str,
        index: u32,
        _: &'static str,
        _: usize,
    ) -> Result<Self, Error> {
        self.add(index as u64)?;
        Ok(self)
    }
}

macro_rules! parts {
    ($($of:ident, $method:ident;)*) => {$(
        impl ser::$of for &mut Digest {
            type Ok = ();
            type Error = Error;

            fn $method<T: ?Sized + Serialize>(&mut self, value: &T) -> Done {
                value.serialize(&mut **self)
            }

            fn end(self) -> Done {
                Ok(())
            }
        }
    )*};
}

parts! {
    SerializeSeq, serialize_element;
    SerializeTuple, serialize_element;
    SerializeTupleStruct, serialize_field;
    SerializeTupleVariant, serialize_field;
}

macro_rules! fields {
    ($($of:ident;)*) => {$(
        impl ser::$of for &mut Digest {
            type Ok = ();
            type Error = Error;

            fn serialize_field<T: ?Sized + Serialize>(&mut self, _: &'static str, value: &T) -> Done {
                value.serialize(&mut **self)
            }

            fn end(self) -> Done {
                Ok(())
            }
        }
    )*};
}

fields! {
    SerializeStruct;
    SerializeStructVariant;
}

impl ser::SerializeMap for &mut Digest {
    type Ok = ();
    type Error = Error;

    fn serialize_key<T: ?Sized + Serialize>(&mut self, key: &T) -> Done {
        key.serialize(&mut **self)
    }

    fn serialize_value<T: ?Sized + Serialize>(&mut self, value: &T) -> Done {
        value.serialize(&mut **self)
    }

    fn end(self) -> Done {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_values_and_finite_ones_are_known() {
        let value =
            |x: f32| (vec![Some(x), None], "text", [1u8, 2], std::collections::BTreeMap::from([(1, 'a')]));
        assert!(same(&value(1.0), &value(1.0)));
        assert!(!same(&value(1.0), &value(2.0)));
        assert!(is_finite(&value(1.0)));
        assert!(is_number(&value(f32::INFINITY)) && !is_number(&value(f32::NAN)));
        assert!(!is_finite(&value(f32::NAN)) && !is_finite(&value(f32::INFINITY)));
    }
}
