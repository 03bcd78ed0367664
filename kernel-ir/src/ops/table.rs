//! The table as data, expanded from `operations.rs`, which explains the columns.

use super::build::Operand;
use super::declare::{rule, rules, table};
use super::def::Accuracy::{EitherZero, Exact, Ulp, UlpWithinOne};
use super::def::Spelling::{Call, Construct, First, Helper, Infix, Math, Prefix};
use super::def::{OpDef, Overload, Syntax};
use super::gradient::matrix::{
    at_row, axial, cofactors, diagonal, inner, on_diagonal, outer, pure, rotated_back, transform,
};
use super::gradient::scalar::{atan2_slope, div_euclid, ln_of, none, powi_slope, sign, uniform};
use super::gradient::vector::{
    at_first, mirrored, normalized, products_of_others, signs, turned, unless_equal, where_equal,
};
use super::gradient::{Rule, Symbols, unless, when};
use super::pattern::Class::*;
use super::pattern::Pat::{Col, Is, Longer, Right, Row, S, Shorter, T, Transposed, V3, With};
use crate::ir::{Op, Type};

const BOOL: super::pattern::Pat = Is(Type::BOOL);
const I32: super::pattern::Pat = Is(Type::I32);
const U32: super::pattern::Pat = Is(Type::U32);
const F32: super::pattern::Pat = Is(Type::F32);

/// glibc and CUDA each keep these functions within 2 ulp over their usual range, so two libraries differ by at most 4.
const LIBM: super::def::Accuracy = Ulp(4);

/// The same, for functions whose results stay between -1 and 1 in every library.
const LIBM_WITHIN_ONE: super::def::Accuracy = UlpWithinOne(4);

operations!(table);
