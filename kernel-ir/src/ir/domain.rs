//! Which values a parameter is meant for: a range of its components, and what all of them are together.
//!
//! Domains change nothing in the code of a kernel. [`sample`](crate::sample) draws arguments from them.

use super::{ParamKind, Shape, SizeExpr, Type};

/// The values that a parameter is meant for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Domain {
    /// The range of a component; of the eigenvalues, if the structure is [`Structure::PositiveDefinite`].
    pub range: ValueRange,
    /// What the components are together; `None` if each is drawn by itself.
    pub structure: Option<Structure>,
}

/// A range of values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum ValueRange {
    /// Floats from `low` to below `high`, as bits of `f64`.
    Float {
        /// The bits of the smallest value.
        low: u64,
        /// The bits of the upper bound.
        high: u64,
    },
    /// Integers from `low` to below `high`.
    Int {
        /// The smallest value.
        low: SizeExpr,
        /// The upper bound, itself not included.
        high: SizeExpr,
    },
}

/// What the elements of an array, or the components of a value, are together. A *row* is what lies along the last axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Structure {
    /// Each row ascends.
    Sorted,
    /// Each row ascends from the lowest to the highest integer of the range: row `r` of a matrix in CSR form has the
    /// entries from `offsets[r]` to below `offsets[r + 1]`.
    Offsets,
    /// Each row has the integers from 0 to below its length, each once.
    Permutation,
    /// Each vector or quaternion has length 1.
    Unit,
    /// No number of a row, or of a vector, is negative, and the sum is 1.
    Probability,
    /// Each matrix, or array along the last two axes, is symmetric, with eigenvalues of the range.
    PositiveDefinite,
}

impl Domain {
    /// Integers from `low` to below `high`, both constant.
    pub fn ints(low: i64, high: i64) -> Domain {
        Domain::sizes(SizeExpr::Literal(low), SizeExpr::Literal(high))
    }

    /// Integers from `low` to below `high`.
    pub fn sizes(low: SizeExpr, high: SizeExpr) -> Domain {
        Domain { range: ValueRange::Int { low, high }, structure: None }
    }

    /// Floats from `low` to below `high`.
    pub fn floats(low: f64, high: f64) -> Domain {
        Domain { range: ValueRange::Float { low: low.to_bits(), high: high.to_bits() }, structure: None }
    }

    /// The same range with a structure.
    pub fn with(self, structure: Structure) -> Domain {
        Domain { structure: Some(structure), ..self }
    }

    /// The sizes in its bounds.
    pub fn sizes_mut(&mut self) -> impl Iterator<Item = &mut SizeExpr> {
        match &mut self.range {
            ValueRange::Float { .. } => [None, None],
            ValueRange::Int { low, high } => [Some(low), Some(high)],
        }
        .into_iter()
        .flatten()
    }
}

impl Structure {
    /// All of them.
    pub const ALL: [Structure; 6] = [
        Structure::Sorted,
        Structure::Offsets,
        Structure::Permutation,
        Structure::Unit,
        Structure::Probability,
        Structure::PositiveDefinite,
    ];

    /// The word for it in `#[domain(…)]` and in the text form of the IR.
    pub fn name(self) -> &'static str {
        match self {
            Structure::Sorted => "sorted",
            Structure::Offsets => "offsets",
            Structure::Permutation => "permutation",
            Structure::Unit => "unit",
            Structure::Probability => "probability",
            Structure::PositiveDefinite => "positive_definite",
        }
    }

    /// The structure of that name.
    pub fn of_name(name: &str) -> Option<Structure> {
        Structure::ALL.into_iter().find(|structure| structure.name() == name)
    }

    /// What can have it, in words.
    pub fn subject(self) -> &'static str {
        match self {
            Structure::Sorted => "arrays of numbers",
            Structure::Offsets | Structure::Permutation => "arrays of integers",
            Structure::Unit => "vectors and quaternions of floats, and arrays of them",
            Structure::Probability => "arrays of floats, and vectors of floats",
            Structure::PositiveDefinite => "matrices, arrays of matrices, and arrays of floats with two axes or more",
        }
    }

    /// Whether a parameter of this kind can have it.
    pub fn fits(self, kind: &ParamKind) -> bool {
        let (ty, rank) = match kind {
            ParamKind::Value(ty) => (*ty, 0),
            ParamKind::Array { elem, shape, .. } => (*elem, shape.len()),
        };
        let is_vector = matches!(ty.shape, Shape::Vector(_));
        let is_vector_of_floats = ty.is_float() && is_vector;
        let is_array_of = |numbers: bool| rank > 0 && ty.is_scalar() && numbers;
        match self {
            Structure::Sorted => is_array_of(ty != Type::BOOL),
            Structure::Offsets | Structure::Permutation => is_array_of(ty.scalar().is_integer()),
            Structure::Unit => is_vector_of_floats || (ty.is_float() && matches!(ty.shape, Shape::Quat)),
            Structure::Probability => is_vector_of_floats || is_array_of(ty.is_float()),
            Structure::PositiveDefinite => {
                matches!(ty.shape, Shape::Matrix(rows, columns) if rows == columns)
                    || (is_array_of(ty.is_float()) && rank > 1)
            }
        }
    }

    /// The range that it has by itself for a parameter of this kind; `None` if the author gives one.
    pub fn own_range(self, kind: &ParamKind) -> Option<ValueRange> {
        let own = match self {
            Structure::Sorted | Structure::Offsets | Structure::PositiveDefinite => return None,
            Structure::Permutation => {
                let last = match kind {
                    ParamKind::Value(_) => None,
                    ParamKind::Array { shape, .. } => shape.last().cloned(),
                };
                Domain::sizes(SizeExpr::Literal(0), last.unwrap_or(SizeExpr::Literal(1)))
            }
            Structure::Unit => Domain::floats(-1.0, 1.0),
            Structure::Probability => Domain::floats(0.0, 1.0),
        };
        Some(own.range)
    }
}
