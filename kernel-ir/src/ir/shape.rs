//! How the scalars of a value are arranged: shapes, and patterns of them whose sizes are open.

/// How the scalars of a value are arranged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// One number or truth value.
    Scalar,
    /// So many components.
    Vector(u8),
    /// So many rows and so many columns; stored column by column.
    Matrix(u8, u8),
    /// A quaternion: the components x, y, z, w.
    Quat,
}

/// Shapes of one kind; a size that is `None` is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShapePattern {
    /// Single values.
    Scalar,
    /// Vectors of so many components.
    Vector(Option<u8>),
    /// Matrices of so many rows and so many columns.
    Matrix(Option<u8>, Option<u8>),
    /// Quaternions.
    Quat,
}

/// The size that is both; `None` if there is none.
fn common(a: Option<u8>, b: Option<u8>) -> Option<Option<u8>> {
    match (a, b) {
        (Some(a), Some(b)) => (a == b).then_some(Some(a)),
        (a, b) => Some(a.or(b)),
    }
}

impl ShapePattern {
    /// Only this shape.
    pub(super) fn only(shape: Shape) -> ShapePattern {
        match shape {
            Shape::Scalar => ShapePattern::Scalar,
            Shape::Vector(n) => ShapePattern::Vector(Some(n)),
            Shape::Matrix(rows, columns) => ShapePattern::Matrix(Some(rows), Some(columns)),
            Shape::Quat => ShapePattern::Quat,
        }
    }

    /// The shape of that kind and of size `n`.
    pub(super) fn of_size(self, n: u8) -> Shape {
        match self {
            ShapePattern::Scalar => Shape::Scalar,
            ShapePattern::Vector(_) => Shape::Vector(n),
            ShapePattern::Matrix(..) => Shape::Matrix(n, n),
            ShapePattern::Quat => Shape::Quat,
        }
    }

    /// The shapes of both patterns.
    pub(super) fn and(self, other: ShapePattern) -> Option<ShapePattern> {
        match (self, other) {
            (ShapePattern::Vector(n), ShapePattern::Vector(m)) => Some(ShapePattern::Vector(common(n, m)?)),
            (ShapePattern::Matrix(rows, columns), ShapePattern::Matrix(other_rows, other_columns)) => {
                // The language has square matrices only: each extent tells the other.
                let n = common(common(rows, other_rows)?, common(columns, other_columns)?)?;
                Some(ShapePattern::Matrix(n, n))
            }
            (a, b) => (a == b).then_some(a),
        }
    }

    /// The size, if it has one that is not open.
    pub(super) fn size(self) -> Option<u8> {
        match self {
            ShapePattern::Scalar | ShapePattern::Quat => None,
            ShapePattern::Vector(n) | ShapePattern::Matrix(_, n) => n,
        }
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
        }
    }
}
