//! Structs: types that consist of named fields.
//!
//! Structs are interned, so a type stays a small value that is copied and compared at once. Two structs with the same
//! name, documentation and fields are one type of the IR; rustc tells them apart where the author's code mixes them.

use super::{ExprKind, Kernel, Type};
use std::collections::HashSet;
use std::fmt;
use std::ops::Deref;
use std::sync::{LazyLock, RwLock};

/// The definition of a struct.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Struct {
    /// The name of the struct, which is unique in a kernel and its functions. Empty for a tuple, which is the result of
    /// a function with several results.
    pub name: String,
    /// The lines of the doc comment, without the leading space.
    pub doc: Vec<String>,
    /// The fields, in order; at least one.
    pub fields: Vec<Field>,
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Field {
    /// The name of the field; its number for a tuple.
    pub name: String,
    /// The type of the field.
    pub ty: Type,
}

/// An interned [`Struct`].
#[derive(Clone, Copy, PartialOrd, Ord)]
pub struct StructId(&'static Struct);

impl Struct {
    /// The largest number of fields.
    pub const MOST_FIELDS: usize = 255;

    /// A tuple of values of these types.
    pub fn tuple(types: impl IntoIterator<Item = Type>) -> StructId {
        let fields = types.into_iter().enumerate().map(|(number, ty)| Field { name: number.to_string(), ty });
        Struct { name: String::new(), doc: Vec::new(), fields: fields.collect() }.intern()
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

    /// The number and the field with this name.
    pub fn field(&self, name: &str) -> Option<(u8, &Field)> {
        (0..).zip(&self.fields).find(|(_, field)| field.name == name)
    }
}

impl StructId {
    /// The fields, in order.
    pub(super) fn all(self) -> &'static [Field] {
        &self.0.fields
    }
}

impl Kernel {
    /// The structs and tuples that the kernel and its functions use, without duplicates. A struct comes after those of
    /// its fields.
    pub fn structs(&self) -> Vec<StructId> {
        let mut found = Vec::new();
        for function in self.functions() {
            collect(function.ret, &mut found);
            collect_from(&function.code, &mut found);
        }
        collect_from(self, &mut found);
        found
    }
}

fn collect_from(code: &Kernel, found: &mut Vec<StructId>) {
    code.params.iter().for_each(|param| collect(param.elem(), found));
    code.locals.iter().for_each(|local| collect(local.ty, found));
    code.walk_exprs(&mut |expr| {
        if let ExprKind::Struct(_) = expr.kind {
            collect(expr.ty, found);
        }
    });
}

fn collect(ty: Type, found: &mut Vec<StructId>) {
    let Some(id) = ty.as_struct().filter(|id| !found.contains(id)) else { return };
    id.fields.iter().for_each(|field| collect(field.ty, found));
    found.push(id);
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
