//! Types of values. A type is a scalar and a shape, where a shape may be a struct.

use super::scalar::Scalar;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    /// The scalar that the value consists of. For a struct, the first float in it, or its first scalar if it has none.
    pub scalar: Scalar,
    /// The arrangement of the scalars.
    pub shape: Shape,
}

/// The arrangement of the scalars of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One number or `bool`.
    Scalar,
    /// A vector with this many components.
    Vector(u8),
    /// A matrix with these numbers of rows and columns, stored column by column.
    Matrix(u8, u8),
    /// A quaternion with the components x, y, z, w.
    Quat,
    /// A struct.
    Struct(StructId),
    /// A tile: a value of a whole block with these numbers of rows and columns, stored row by row. See
    /// [`TileOp`](super::TileOp).
    Tile(u16, u16),
}

/// The definition of a struct, or of an enum without data.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Struct {
    /// The name of the struct, which is unique in a kernel and its functions. Empty for a tuple, which is the result of
    /// a function with several results.
    pub name: String,
    /// The lines of the doc comment, without the leading space.
    pub doc: Vec<String>,
    /// The fields, in order; at least one.
    pub fields: Vec<Field>,
    /// The variants of an enum with their numbers, in order; empty for a struct. The only field of an enum is its number.
    pub variants: Vec<(String, i64)>,
    /// The type of Warp that has the same fields, by its name in the module `wp`. The Python text uses it instead.
    pub warp: Option<String>,
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
pub struct StructId(pub(super) &'static Struct);

impl Type {
    /// The largest number of components of a vector, and of rows and columns of a matrix.
    pub const MOST_PARTS: u8 = 16;

    /// Why writers and the interpreter meet no tiles.
    pub(crate) const NO_TILES: &str = "tiles have become phases";

    /// `bool`.
    pub const BOOL: Type = Type::of(Scalar::Bool);
    /// `i8`.
    pub const I8: Type = Type::of(Scalar::I8);
    /// `u8`.
    pub const U8: Type = Type::of(Scalar::U8);
    /// `i16`.
    pub const I16: Type = Type::of(Scalar::I16);
    /// `u16`.
    pub const U16: Type = Type::of(Scalar::U16);
    /// `i32`.
    pub const I32: Type = Type::of(Scalar::I32);
    /// `u32`.
    pub const U32: Type = Type::of(Scalar::U32);
    /// `i64`.
    pub const I64: Type = Type::of(Scalar::I64);
    /// `u64`.
    pub const U64: Type = Type::of(Scalar::U64);
    /// `usize`.
    pub const INDEX: Type = Type::of(Scalar::Index);
    /// `f16`.
    pub const F16: Type = Type::of(Scalar::F16);
    /// `bf16`.
    pub const BF16: Type = Type::of(Scalar::BF16);
    /// `f32`.
    pub const F32: Type = Type::of(Scalar::F32);
    /// `f64`.
    pub const F64: Type = Type::of(Scalar::F64);

    /// The type of values of `scalar` in the arrangement `shape`.
    pub const fn new(scalar: Scalar, shape: Shape) -> Type {
        Type { scalar, shape }
    }

    /// The scalar type of `scalar`.
    pub const fn of(scalar: Scalar) -> Type {
        Type::new(scalar, Shape::Scalar)
    }

    /// The type of vectors with `n` components.
    pub const fn vector(scalar: Scalar, n: u8) -> Type {
        Type::new(scalar, Shape::Vector(n))
    }

    /// The type of matrices with these numbers of rows and columns.
    pub const fn matrix(scalar: Scalar, rows: u8, columns: u8) -> Type {
        Type::new(scalar, Shape::Matrix(rows, columns))
    }

    /// The type of quaternions.
    pub const fn quat(scalar: Scalar) -> Type {
        Type::new(scalar, Shape::Quat)
    }

    /// The type of a struct.
    pub fn of_struct(id: StructId) -> Type {
        let scalars = || id.fields.iter().map(|field| field.ty.scalar);
        let scalar = scalars().find(|scalar| scalar.is_float()).or_else(|| scalars().next()).unwrap_or(Scalar::Bool);
        Type::new(scalar, Shape::Struct(id))
    }

    /// The scalar that the value consists of; for a struct, see the field [`scalar`](Type::scalar).
    pub const fn scalar(self) -> Scalar {
        self.scalar
    }

    /// The number of scalars in the value.
    pub fn components(self) -> usize {
        match self.shape {
            Shape::Scalar => 1,
            Shape::Vector(n) => n.into(),
            Shape::Matrix(rows, columns) => usize::from(rows) * usize::from(columns),
            Shape::Quat => 4,
            Shape::Struct(id) => id.fields.iter().map(|field| field.ty.components()).sum(),
            Shape::Tile(rows, columns) => usize::from(rows) * usize::from(columns),
        }
    }

    /// The types of the value without structs: of its fields and those of structs inside, in order; the type itself
    /// if it is no struct.
    pub fn leaves(self) -> Vec<Type> {
        match self.shape {
            Shape::Struct(id) => id.fields.iter().flat_map(|field| field.ty.leaves()).collect(),
            Shape::Scalar | Shape::Vector(_) | Shape::Matrix(..) | Shape::Quat | Shape::Tile(..) => vec![self],
        }
    }

    /// The scalar of each component, in order.
    pub fn scalars(self) -> impl Iterator<Item = Scalar> {
        self.leaves().into_iter().flat_map(|leaf| std::iter::repeat_n(leaf.scalar, leaf.components()))
    }

    /// The fields, in order; empty if the type is no struct.
    pub fn fields(self) -> &'static [Field] {
        if let Shape::Struct(id) = self.shape { &id.0.fields } else { &[] }
    }

    /// The struct, if the type is one.
    pub fn as_struct(self) -> Option<StructId> {
        if let Shape::Struct(id) = self.shape { Some(id) } else { None }
    }

    /// The enum, if the type is one.
    pub fn as_enum(self) -> Option<StructId> {
        self.as_struct().filter(|id| id.is_enum())
    }

    /// The first enum in the type whose numbers are not 0, 1, 2 and so on. Such a type is not in arrays.
    pub fn enum_with_gaps(self) -> Option<StructId> {
        match self.as_enum() {
            Some(id) => (!id.is_contiguous()).then_some(id),
            None => self.fields().iter().find_map(|field| field.ty.enum_with_gaps()),
        }
    }

    /// The type of the field with this number.
    ///
    /// # Panics
    /// If the type has no such field.
    pub fn field(self, number: u8) -> Type {
        self.fields()[usize::from(number)].ty
    }

    /// The number of components before the field with this number.
    pub fn field_offset(self, number: u8) -> usize {
        self.fields()[..usize::from(number)].iter().map(|field| field.ty.components()).sum()
    }

    /// The type of a part: of a column for a matrix, of a component otherwise; the type itself for a struct, whose parts
    /// are its [`fields`](Type::fields), and for a tile, which has no parts.
    pub fn part(self) -> Type {
        match self.shape {
            Shape::Matrix(rows, _) => Type::vector(self.scalar, rows),
            Shape::Scalar | Shape::Vector(_) | Shape::Quat => Type::of(self.scalar),
            Shape::Struct(_) | Shape::Tile(..) => self,
        }
    }

    /// The number of [`part`](Type::part)s: columns of a matrix, components otherwise; 1 for a scalar, struct or tile.
    pub fn parts(self) -> u8 {
        match self.shape {
            Shape::Scalar | Shape::Struct(_) | Shape::Tile(..) => 1,
            Shape::Vector(n) | Shape::Matrix(_, n) => n,
            Shape::Quat => 4,
        }
    }

    /// Whether the value is a single scalar.
    pub fn is_scalar(self) -> bool {
        self.shape == Shape::Scalar
    }

    /// Whether the value is a vector.
    pub fn is_vector(self) -> bool {
        matches!(self.shape, Shape::Vector(_))
    }

    /// Whether the value is a matrix.
    pub fn is_matrix(self) -> bool {
        matches!(self.shape, Shape::Matrix(..))
    }

    /// Whether the value is a quaternion.
    pub fn is_quat(self) -> bool {
        self.shape == Shape::Quat
    }

    /// Whether the value is a struct.
    pub fn is_struct(self) -> bool {
        matches!(self.shape, Shape::Struct(_))
    }

    /// The numbers of rows and columns, if the value is a tile.
    pub fn as_tile(self) -> Option<(u16, u16)> {
        if let Shape::Tile(rows, columns) = self.shape { Some((rows, columns)) } else { None }
    }

    /// Whether the value is a tile.
    pub fn is_tile(self) -> bool {
        self.as_tile().is_some()
    }

    /// The type of an element of a tile; the type itself for any other value.
    pub fn element(self) -> Type {
        if self.is_tile() { Type::of(self.scalar) } else { self }
    }

    /// Whether the value is a tuple, the result of a function with several results.
    pub fn is_tuple(self) -> bool {
        self.as_struct().is_some_and(|id| id.is_tuple())
    }

    /// Whether the value has floats, and so carries a derivative. All scalars of a value are floats, or none, except in
    /// a struct.
    pub fn is_float(self) -> bool {
        self.scalar.is_float()
    }

    /// An encoding of the type, injective except for structs and tiles, which also defines the order: by shape, then by
    /// scalar, then by size.
    fn bits(self) -> u32 {
        let (family, rows, columns) = match self.shape {
            Shape::Scalar => (0, 0, 0),
            Shape::Vector(n) => (1, n, 0),
            Shape::Matrix(rows, columns) => (2, rows, columns),
            Shape::Quat => (3, 0, 0),
            Shape::Struct(_) => (4, 0, 0),
            Shape::Tile(..) => (5, 0, 0),
        };
        u32::from_be_bytes([family, self.scalar as u8, rows, columns])
    }
}

impl Ord for Type {
    fn cmp(&self, other: &Type) -> Ordering {
        let order = self.bits().cmp(&other.bits());
        order.then_with(|| (self.as_struct(), self.as_tile()).cmp(&(other.as_struct(), other.as_tile())))
    }
}

impl PartialOrd for Type {
    fn partial_cmp(&self, other: &Type) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Hash for Type {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u32(self.bits());
        self.as_struct().hash(state);
        if let Some(size) = self.as_tile() {
            size.hash(state);
        }
    }
}

impl From<Scalar> for Type {
    fn from(scalar: Scalar) -> Type {
        Type::of(scalar)
    }
}
