//! Enums. The texts of authors have them as Rust does. A body knows only the enums of its parameters, whose names it does
//! not know: its own values are structs with a number.

use super::code::Code;
use super::names::spelled;
use super::writer::{Enums, Writer};
use crate::back::parts::root_type;
use crate::ir::{Expr, ExprKind, Place, PlaceRoot, Projection, StructId};

impl Writer<'_> {
    /// The value of an enum whose number `expr` is, if it is an enum in the text.
    pub(super) fn enum_read<'e>(&self, expr: &'e Expr) -> Option<(&'e Expr, StructId)> {
        let ExprKind::Field(base, _) = &expr.kind else { return None };
        let of = base.ty.as_enum()?;
        let is_enum = match self.enums {
            Enums::All => true,
            Enums::OfParameters => is_of_parameter(base),
            Enums::None => false,
        };
        is_enum.then_some((&**base, of))
    }

    /// The variant with the number `value`.
    pub(super) fn variant(&self, of: StructId, value: &Expr) -> Option<Code> {
        let name = of.variant(value.as_integer()?)?;
        Some(Code::atom(format!("{}::{}", spelled(&of.name), spelled(name))))
    }

    /// The value of the enum `of` in the text of an author, with the number `value`.
    pub(super) fn enum_value(&mut self, of: StructId, value: &Expr) -> Code {
        if let Some(variant) = self.variant(of, value) {
            return variant;
        }
        let (subject, name) = (self.open_expr(value).text, spelled(&of.name));
        let last = of.variants.len() - 1;
        let arms = of.variants.iter().enumerate().map(|(place, (variant, number))| {
            let number = if place == last { "_".to_owned() } else { number.to_string() };
            format!("{number} => {name}::{}", spelled(variant))
        });
        Code::braced(format!("match {subject} {{ {} }}", arms.collect::<Vec<_>>().join(", ")))
    }

    /// `a sign b` for the numbers `a` and `b` of values of one enum, by these values.
    pub(super) fn enum_comparison(&mut self, sign: &str, a: &Expr, b: &Expr) -> Option<Code> {
        // Only the author's text knows the names of variants, and that rustc can compare them.
        if self.enums != Enums::All || !matches!(sign, "==" | "!=") {
            return None;
        }
        let (of_a, of_b) = (self.enum_read(a), self.enum_read(b));
        let of = of_a.or(of_b)?.1;
        let mut side = |read: Option<(&Expr, StructId)>, number: &Expr| match read {
            Some((value, own)) if own == of => Some(self.open_expr(value)),
            Some(_) => None,
            None => self.variant(of, number),
        };
        let (left, right) = (side(of_a, a)?, side(of_b, b)?);
        Some(Code::infix(sign, left, right))
    }

    /// The enum of which an assignment changes the number, with its place, if it is an enum in the text.
    pub(super) fn assigned_enum(&self, place: &Place) -> Option<(Place, StructId)> {
        let (Projection::Field(_), before) = place.path.split_last()? else { return None };
        let mut ty = root_type(self.kernel, place);
        for step in before {
            ty = match step {
                Projection::Field(number) => ty.field(*number),
                Projection::Component(_) | Projection::Column(_) => return None,
            };
        }
        let of = ty.as_enum()?;
        let is_enum = match self.enums {
            Enums::All => true,
            Enums::OfParameters => matches!(place.root, PlaceRoot::Element { .. }),
            Enums::None => false,
        };
        is_enum.then(|| (Place { path: before.to_vec(), ty, ..place.clone() }, of))
    }

    /// The value of an assigned enum with the number `value`.
    pub(super) fn assigned_value(&mut self, of: StructId, value: &Expr) -> Code {
        match self.enums {
            Enums::All => self.enum_value(of, value),
            Enums::OfParameters | Enums::None => {
                Code::atom(format!("::kernel_rt::__private::variant({})", self.typed(value).text))
            }
        }
    }
}

/// Whether the value is a parameter or an element, or a part of one.
fn is_of_parameter(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Param(_) | ExprKind::Load { .. } => true,
        ExprKind::Field(base, _) => is_of_parameter(base),
        ExprKind::Literal(_)
        | ExprKind::Local(_)
        | ExprKind::LocalElement { .. }
        | ExprKind::Tid(_)
        | ExprKind::Extent { .. }
        | ExprKind::Present(_)
        | ExprKind::Op(..)
        | ExprKind::Call(..)
        | ExprKind::Cast(_)
        | ExprKind::Component(..)
        | ExprKind::Column(..)
        | ExprKind::Tile(..)
        | ExprKind::Struct(_)
        | ExprKind::Select { .. } => false,
    }
}
