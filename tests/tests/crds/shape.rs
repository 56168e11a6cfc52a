//! What a type wants to read, found out by letting it read.
//!
//! serde tells a deserializer what a type expects, field names included. [`Shape::of`] hands the type a
//! deserializer that writes that down and answers with any value of the right kind, field by field.

use std::collections::BTreeMap;

use serde::de::value::{Error, StrDeserializer};
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

/// What a type reads.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Shape {
    /// Whatever is there.
    Anything,
    Text,
    Boolean,
    Integer,
    Number,
    /// One of these words.
    OneOf(Vec<String>),
    List(Box<Shape>),
    /// An object with keys of the user's choice.
    Map(Box<Shape>),
    /// An object with these keys.
    Object(BTreeMap<String, Shape>),
}

impl Shape {
    /// The shape of `T`. An optional value has the shape of the value.
    ///
    /// # Panics
    /// If `T` refuses a sample value before all of it was seen; then its checks belong behind the reading
    /// (`#[serde(try_from = ...)]` on the outermost type).
    pub(crate) fn of<T: DeserializeOwned>() -> Self {
        let (mut seen, mut open) = (None, 0);
        let read = T::deserialize(Recorder { seen: &mut seen, open: &mut open }).map(drop);
        // What fails after everything was read is a check of the values.
        assert_eq!(open, 0, "{}: not all of it was read: {read:?}", std::any::type_name::<T>());
        seen.expect("the type reads something")
    }
}

struct Recorder<'a> {
    seen: &'a mut Option<Shape>,
    /// Objects and lists that were begun and not ended.
    open: &'a mut usize,
}

impl Recorder<'_> {
    fn saw(self, shape: Shape) {
        *self.seen = Some(shape);
    }
}

/// The methods that note a shape and hand the visitor one value.
macro_rules! scalars {
    ($($method:ident => $shape:ident, $visit:ident($($value:expr)?);)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
            self.saw(Shape::$shape);
            visitor.$visit($($value)?)
        }
    )*};
}

impl<'de> Deserializer<'de> for Recorder<'_> {
    type Error = Error;

    scalars! {
        deserialize_any => Anything, visit_unit();
        deserialize_ignored_any => Anything, visit_unit();
        deserialize_unit => Anything, visit_unit();
        deserialize_bool => Boolean, visit_bool(true);
        deserialize_i8 => Integer, visit_i8(1);
        deserialize_i16 => Integer, visit_i16(1);
        deserialize_i32 => Integer, visit_i32(1);
        deserialize_i64 => Integer, visit_i64(1);
        deserialize_u8 => Integer, visit_u8(1);
        deserialize_u16 => Integer, visit_u16(1);
        deserialize_u32 => Integer, visit_u32(1);
        deserialize_u64 => Integer, visit_u64(1);
        deserialize_f32 => Number, visit_f32(1.0);
        deserialize_f64 => Number, visit_f64(1.0);
        deserialize_char => Text, visit_char('x');
        deserialize_str => Text, visit_str("x");
        deserialize_string => Text, visit_str("x");
        deserialize_bytes => Text, visit_bytes(b"x");
        deserialize_byte_buf => Text, visit_bytes(b"x");
        deserialize_identifier => Text, visit_str("x");
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_unit(visitor)
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let mut item = None;
        *self.open += 1;
        let value = visitor.visit_seq(Items { item: &mut item, open: self.open, left: 1 });
        *self.open -= usize::from(item.is_some());
        self.saw(Shape::List(Box::new(item.unwrap_or(Shape::Anything))));
        value
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: usize,
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.deserialize_seq(visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let mut fields = BTreeMap::new();
        let value = visitor.visit_map(Fields { names: &["x"], fields: &mut fields, open: self.open });
        self.saw(Shape::Map(Box::new(fields.remove("x").unwrap_or(Shape::Anything))));
        value
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        names: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let mut fields = BTreeMap::new();
        *self.open += 1;
        let value = visitor.visit_map(Fields { names, fields: &mut fields, open: self.open });
        *self.open -= usize::from(fields.len() == names.len());
        self.saw(Shape::Object(fields));
        value
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.saw(Shape::OneOf(variants.iter().map(|&word| word.to_owned()).collect()));
        visitor.visit_enum(Word(variants[0]))
    }
}

struct Items<'a> {
    item: &'a mut Option<Shape>,
    open: &'a mut usize,
    left: usize,
}

impl<'de> SeqAccess<'de> for Items<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        self.left -= 1;
        seed.deserialize(Recorder { seen: self.item, open: self.open }).map(Some)
    }
}

struct Fields<'a> {
    names: &'a [&'static str],
    fields: &'a mut BTreeMap<String, Shape>,
    open: &'a mut usize,
}

impl<'de> MapAccess<'de> for Fields<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let name: Option<&&str> = self.names.first();
        name.map(|&name| seed.deserialize(IntoDeserializer::<Error>::into_deserializer(name))).transpose()
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Error> {
        let (name, rest) = self.names.split_first().expect("a value follows a key");
        self.names = rest;
        let mut seen = None;
        let value = seed.deserialize(Recorder { seen: &mut seen, open: self.open });
        self.fields.insert((*name).to_owned(), seen.unwrap_or(Shape::Anything));
        value
    }
}

/// A variant without content.
struct Word(&'static str);

impl<'de> EnumAccess<'de> for Word {
    type Error = Error;
    type Variant = Self;

    fn variant_seed<V: DeserializeSeed<'de>>(self, seed: V) -> Result<(V::Value, Self), Error> {
        let name: StrDeserializer<'de, Error> = self.0.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de> VariantAccess<'de> for Word {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        Ok(())
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(Recorder { seen: &mut None, open: &mut 0 })
    }

    fn tuple_variant<V: Visitor<'de>>(self, _: usize, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        visitor.visit_unit()
    }
}

#[test]
fn a_type_tells_its_shape() {
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "lowercase")]
    #[allow(dead_code, reason = "only read")]
    enum Colour {
        Red,
        Blue,
    }
    #[derive(serde::Deserialize)]
    #[allow(dead_code, reason = "only read")]
    struct Inner {
        on: Option<bool>,
        free: serde_json::Map<String, serde_json::Value>,
    }
    #[derive(serde::Deserialize)]
    #[serde(rename_all = "camelCase")]
    #[allow(dead_code, reason = "only read")]
    struct Outer {
        first_name: String,
        size: u8,
        colour: Colour,
        list: Vec<Inner>,
    }
    let object = |fields: &[(&str, Shape)]| {
        Shape::Object(fields.iter().map(|(name, shape)| ((*name).to_owned(), shape.clone())).collect())
    };
    let inner = object(&[("on", Shape::Boolean), ("free", Shape::Map(Box::new(Shape::Anything)))]);
    assert_eq!(
        Shape::of::<Outer>(),
        object(&[
            ("firstName", Shape::Text),
            ("size", Shape::Integer),
            ("colour", Shape::OneOf(vec!["red".into(), "blue".into()])),
            ("list", Shape::List(Box::new(inner))),
        ])
    );
}
