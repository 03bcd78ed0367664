//! Patterns of shapes, whose sizes may be open.

use super::ty::{Shape, StructId};

/// The shapes of one kind. A size of `None` is open: it stands for every size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapePattern {
    /// Scalars.
    Scalar,
    /// Vectors with this many components.
    Vector(Option<u8>),
    /// Matrices with these numbers of rows and columns.
    Matrix(Option<u8>, Option<u8>),
    /// Quaternions.
    Quat,
    /// Structs; this struct.
    Struct(Option<StructId>),
    /// Tiles with these numbers of rows and columns.
    Tile(u16, u16),
}

/// The intersection of two sizes or structs; the outer `None` means that it is empty.
fn common<T: PartialEq>(a: Option<T>, b: Option<T>) -> Option<Option<T>> {
    match (a, b) {
        (Some(a), Some(b)) => (a == b).then_some(Some(a)),
        (a, b) => Some(a.or(b)),
    }
}

impl ShapePattern {
    /// The pattern that only `shape` matches.
    pub(super) fn only(shape: Shape) -> ShapePattern {
        match shape {
            Shape::Scalar => ShapePattern::Scalar,
            Shape::Vector(n) => ShapePattern::Vector(Some(n)),
            Shape::Matrix(rows, columns) => ShapePattern::Matrix(Some(rows), Some(columns)),
            Shape::Quat => ShapePattern::Quat,
            Shape::Struct(id) => ShapePattern::Struct(Some(id)),
            Shape::Tile(rows, columns) => ShapePattern::Tile(rows, columns),
        }
    }

    /// The intersection of two patterns; `None` if it is empty.
    pub(super) fn and(self, other: ShapePattern) -> Option<ShapePattern> {
        match (self, other) {
            (ShapePattern::Vector(n), ShapePattern::Vector(m)) => Some(ShapePattern::Vector(common(n, m)?)),
            (ShapePattern::Matrix(rows, columns), ShapePattern::Matrix(other_rows, other_columns)) => {
                Some(ShapePattern::Matrix(common(rows, other_rows)?, common(columns, other_columns)?))
            }
            (ShapePattern::Struct(a), ShapePattern::Struct(b)) => Some(ShapePattern::Struct(common(a, b)?)),
            (a, b) => (a == b).then_some(a),
        }
    }

    /// The sizes that are known.
    pub(super) fn sizes(self) -> impl Iterator<Item = u8> {
        let sizes = match self {
            ShapePattern::Scalar | ShapePattern::Quat | ShapePattern::Struct(_) | ShapePattern::Tile(..) => {
                [None, None]
            }
            ShapePattern::Vector(n) => [n, None],
            ShapePattern::Matrix(rows, columns) => [rows, columns],
        };
        sizes.into_iter().flatten()
    }

    pub(super) fn covers(self, other: ShapePattern) -> bool {
        self.and(other) == Some(other)
    }

    pub(super) fn single(self) -> Option<Shape> {
        match self {
            ShapePattern::Scalar => Some(Shape::Scalar),
            ShapePattern::Vector(n) => n.map(Shape::Vector),
            ShapePattern::Matrix(rows, columns) => Some(Shape::Matrix(rows?, columns?)),
            ShapePattern::Quat => Some(Shape::Quat),
            ShapePattern::Struct(id) => id.map(Shape::Struct),
            ShapePattern::Tile(rows, columns) => Some(Shape::Tile(rows, columns)),
        }
    }
}
