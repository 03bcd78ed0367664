//! Sizes that depend on a launch: the expressions in `#[shape(…)]` and `#[domain(…)]`.

use super::ParamId;

/// An integer that is determined by the launch size, the scalar arguments and the array extents.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SizeExpr {
    /// A constant.
    Literal(i64),
    /// The launch size along an axis: `dim0` to `dim3`.
    Dim(u8),
    /// The value of an earlier integer parameter.
    Param(ParamId),
    /// The extent of an earlier array parameter along an axis: `x.len()`, `a.shape()[1]`.
    Extent(ParamId, u8),
    /// A sum.
    Add(Box<SizeExpr>, Box<SizeExpr>),
    /// A difference.
    Sub(Box<SizeExpr>, Box<SizeExpr>),
    /// A product.
    Mul(Box<SizeExpr>, Box<SizeExpr>),
    /// A quotient, rounded towards zero.
    Div(Box<SizeExpr>, Box<SizeExpr>),
}

impl SizeExpr {
    /// The parameters that occur in the expression.
    pub fn params(&self) -> Vec<ParamId> {
        match self {
            SizeExpr::Literal(_) | SizeExpr::Dim(_) => Vec::new(),
            SizeExpr::Param(id) | SizeExpr::Extent(id, _) => vec![*id],
            SizeExpr::Add(a, b) | SizeExpr::Sub(a, b) | SizeExpr::Mul(a, b) | SizeExpr::Div(a, b) => {
                let mut params = a.params();
                params.extend(b.params());
                params
            }
        }
    }

    /// Renumbers the parameters in the expression.
    pub fn rename_params(&mut self, name: &impl Fn(ParamId) -> ParamId) {
        match self {
            SizeExpr::Literal(_) | SizeExpr::Dim(_) => {}
            SizeExpr::Param(id) | SizeExpr::Extent(id, _) => *id = name(*id),
            SizeExpr::Add(a, b) | SizeExpr::Sub(a, b) | SizeExpr::Mul(a, b) | SizeExpr::Div(a, b) => {
                a.rename_params(name);
                b.rename_params(name);
            }
        }
    }

    /// Evaluates the expression for a launch size and the values of parameters and extents. `None` if a value is
    /// missing, on overflow, and on division by zero.
    pub fn eval(
        &self,
        dim: &[usize],
        param: &dyn Fn(ParamId) -> Option<i64>,
        extent: &dyn Fn(ParamId, u8) -> Option<usize>,
    ) -> Option<i64> {
        let both = |a: &SizeExpr, b: &SizeExpr| Some((a.eval(dim, param, extent)?, b.eval(dim, param, extent)?));
        match self {
            SizeExpr::Literal(value) => Some(*value),
            SizeExpr::Dim(axis) => i64::try_from(*dim.get(usize::from(*axis))?).ok(),
            SizeExpr::Param(id) => param(*id),
            SizeExpr::Extent(id, axis) => i64::try_from(extent(*id, *axis)?).ok(),
            SizeExpr::Add(a, b) => both(a, b).and_then(|(a, b)| a.checked_add(b)),
            SizeExpr::Sub(a, b) => both(a, b).and_then(|(a, b)| a.checked_sub(b)),
            SizeExpr::Mul(a, b) => both(a, b).and_then(|(a, b)| a.checked_mul(b)),
            SizeExpr::Div(a, b) => both(a, b).and_then(|(a, b)| a.checked_div(b)),
        }
    }
}
