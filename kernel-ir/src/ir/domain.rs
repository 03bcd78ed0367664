//! Domains of parameters: the range of the components, and a structure of the whole.
//!
//! Domains do not affect the code of a kernel. [`sample`](crate::sample) draws arguments from them. Where a proof about
//! indices rests on the structure of an array, a launch checks it (see [`Promise`](crate::analysis::Promise)).

use super::{Domain, ParamKind, Relation, Shape, SizeExpr, Structure, Type, ValueRange};

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

    /// Both values of `bool`.
    pub fn bools() -> Domain {
        Domain { range: ValueRange::Bool, structure: None }
    }

    /// The same range with a structure.
    pub fn with(self, structure: Structure) -> Domain {
        Domain { structure: Some(structure), ..self }
    }

    /// The mutable sizes in the bounds.
    pub fn sizes_mut(&mut self) -> impl Iterator<Item = &mut SizeExpr> {
        match &mut self.range {
            ValueRange::Bool | ValueRange::Float { .. } => [None, None],
            ValueRange::Int { low, high } => [Some(low), Some(high)],
        }
        .into_iter()
        .flatten()
    }
}

impl Structure {
    /// All structures.
    pub const ALL: [Structure; 7] = [
        Structure::Sorted,
        Structure::Offsets,
        Structure::Permutation,
        Structure::Distinct,
        Structure::Unit,
        Structure::Probability,
        Structure::PositiveDefinite,
    ];

    /// The name in `#[domain(…)]` and in the text form of the IR.
    pub fn name(self) -> &'static str {
        match self {
            Structure::Sorted => "sorted",
            Structure::Offsets => "offsets",
            Structure::Permutation => "permutation",
            Structure::Distinct => "distinct",
            Structure::Unit => "unit",
            Structure::Probability => "probability",
            Structure::PositiveDefinite => "positive_definite",
        }
    }

    /// How the elements of a row relate; `None` if nothing follows for indices.
    pub fn relation(self) -> Option<Relation> {
        match self {
            Structure::Permutation | Structure::Distinct => Some(Relation::Differ),
            Structure::Sorted | Structure::Offsets => Some(Relation::Ascend),
            Structure::Unit | Structure::Probability | Structure::PositiveDefinite => None,
        }
    }

    /// The structure with this name.
    pub fn of_name(name: &str) -> Option<Structure> {
        Structure::ALL.into_iter().find(|structure| structure.name() == name)
    }

    /// The types that can have the structure, for messages.
    pub fn subject(self) -> &'static str {
        match self {
            Structure::Sorted => "arrays of numbers",
            Structure::Offsets | Structure::Permutation | Structure::Distinct => "arrays of integers",
            Structure::Unit => "vectors and quaternions of floats, and arrays of them",
            Structure::Probability => "arrays of floats, and vectors of floats",
            Structure::PositiveDefinite => "matrices, arrays of matrices, and arrays of floats with two axes or more",
        }
    }

    /// Whether a parameter of this kind can have the structure.
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
            Structure::Offsets | Structure::Permutation | Structure::Distinct => is_array_of(ty.scalar().is_integer()),
            Structure::Unit => is_vector_of_floats || (ty.is_float() && matches!(ty.shape, Shape::Quat)),
            Structure::Probability => is_vector_of_floats || is_array_of(ty.is_float()),
            Structure::PositiveDefinite => {
                matches!(ty.shape, Shape::Matrix(rows, columns) if rows == columns)
                    || (is_array_of(ty.is_float()) && rank > 1)
            }
        }
    }

    /// The range that the structure implies for a parameter of this kind; `None` if the author must give one.
    pub fn own_range(self, kind: &ParamKind) -> Option<ValueRange> {
        let own = match self {
            Structure::Sorted | Structure::Offsets | Structure::Distinct | Structure::PositiveDefinite => return None,
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
