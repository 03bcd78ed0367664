//! The interning of structs, and enums as structs.
//!
//! A struct has one address in a program, so a type stays a small value that is copied and compared at once. Two structs with the same
//! name, documentation and fields are one type of the IR; rustc tells them apart where the author's code mixes them.

use super::scalar::Scalar;
use super::ty::{Field, Struct, StructId, Type};
use std::collections::HashSet;
use std::fmt;
use std::ops::Deref;
use std::sync::{LazyLock, RwLock};

impl Struct {
    /// The largest number of fields.
    pub const MOST_FIELDS: usize = 255;

    /// A tuple of values of these types.
    pub fn tuple(types: impl IntoIterator<Item = Type>) -> StructId {
        let fields = types.into_iter().enumerate().map(|(number, ty)| Field { name: number.to_string(), ty });
        Struct { name: String::new(), doc: Vec::new(), fields: fields.collect(), variants: Vec::new(), warp: None }
            .intern()
    }

    /// An enum whose number has the type `repr`.
    pub fn of_variants(name: String, doc: Vec<String>, repr: Scalar, variants: Vec<(String, i64)>) -> Struct {
        let number = Field { name: "value".to_owned(), ty: Type::of(repr) };
        Struct { name, doc, fields: vec![number], variants, warp: None }
    }

    /// The struct as a type. The memory is never freed, because a program uses few structs.
    pub fn intern(self) -> StructId {
        static KNOWN: LazyLock<RwLock<HashSet<&'static Struct>>> = LazyLock::new(RwLock::default);
        if let Some(known) = KNOWN.read().expect("nobody panics with the structs").get(&self) {
            return StructId(known);
        }
        let mut known = KNOWN.write().expect("nobody panics with the structs");
        // Another thread may have added it in between.
        if let Some(known) = known.get(&self) {
            return StructId(known);
        }
        let made: &'static Struct = Box::leak(Box::new(self));
        known.insert(made);
        StructId(made)
    }

    /// Whether the struct is a tuple.
    pub fn is_tuple(&self) -> bool {
        self.name.is_empty()
    }

    /// Whether the struct is an enum.
    pub fn is_enum(&self) -> bool {
        !self.variants.is_empty()
    }

    /// The type of the number of an enum; of a struct that of its first field.
    pub fn repr(&self) -> Type {
        self.fields[0].ty
    }

    /// The variant with this number.
    pub fn variant(&self, number: i128) -> Option<&str> {
        self.variants.iter().find(|(_, own)| i128::from(*own) == number).map(|(name, _)| name.as_str())
    }

    /// Whether the numbers of the variants are 0, 1, 2 and so on. Their order does not matter.
    pub fn is_contiguous(&self) -> bool {
        (0..self.variants.len() as i128).all(|number| self.variant(number).is_some())
    }

    /// The number and the field with this name.
    pub fn field(&self, name: &str) -> Option<(u8, &Field)> {
        (0..).zip(&self.fields).find(|(_, field)| field.name == name)
    }
}

impl Deref for StructId {
    type Target = Struct;

    fn deref(&self) -> &Struct {
        self.0
    }
}

impl PartialEq for StructId {
    fn eq(&self, other: &StructId) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}

impl Eq for StructId {}

impl std::hash::Hash for StructId {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl fmt::Debug for StructId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.is_tuple() { "tuple" } else { &self.name })
    }
}
