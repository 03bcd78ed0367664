//! Resolution of enums without data: a variant is a literal, and comparisons, casts and `match` read the number.

use super::super::hir;
use super::super::infer::TypeVar;
use super::super::links::link_name;
use super::super::named::owner;
use super::super::syntax::plain_name;
use super::Resolver;
use crate::diag::{Diagnostic, nearest};
use crate::ir::{Span, StructId, Type};

impl Resolver<'_> {
    /// The variant that a path such as `Shape::Box` names; `None` if the path does not go through an enum.
    pub(super) fn variant(&mut self, path: &syn::ExprPath, span: Span) -> Option<hir::Expr> {
        let of = self.known.structure(&link_name(&owner(path)?))??;
        if !of.is_enum() {
            return None;
        }
        let name = plain_name(&path.path.segments.last()?.ident);
        let Some((_, number)) = of.variants.iter().find(|(own, _)| *own == name) else {
            return Some(self.error(no_variant(of, &name, span)));
        };
        let number =
            hir::Expr { kind: hir::ExprKind::Int((*number).into()), ty: Some(self.infer.known(of.repr())), span };
        let kind = hir::ExprKind::Struct { of, fields: vec![(0, number)], base: None };
        Some(hir::Expr { kind, ty: Some(self.infer.known(Type::of_struct(of))), span })
    }

    /// The enum that one of the types is.
    pub(super) fn enum_of(&mut self, types: &[TypeVar]) -> Option<StructId> {
        if !self.known.has_enums() {
            return None;
        }
        types.iter().find_map(|ty| self.settled(*ty)?.as_enum())
    }

    /// The number of a value of the enum `of`, with its type.
    #[expect(clippy::wildcard_enum_match_arm, reason = "only a variant has a number that is known")]
    pub(super) fn number_of(&mut self, value: hir::Expr, of: StructId) -> (hir::Expr, TypeVar) {
        let (ty, span) = (self.infer.known(of.repr()), value.span);
        let kind = match value.kind {
            hir::ExprKind::Struct { mut fields, base: None, .. } if fields.len() == 1 => {
                return (hir::Expr { span, ..fields.swap_remove(0).1 }, ty);
            }
            kind => {
                let base = Box::new(hir::Expr { kind, ..value });
                hir::ExprKind::Field { base, name: of.fields[0].name.clone() }
            }
        };
        (hir::Expr { kind, ty: Some(ty), span }, ty)
    }

    /// The operands of a comparison; their numbers, if they are values of an enum.
    pub(super) fn comparable(
        &mut self,
        symbol: &str,
        left: (hir::Expr, TypeVar),
        right: (hir::Expr, TypeVar),
    ) -> Vec<(hir::Expr, TypeVar)> {
        // As for rustc, an enum has no order.
        let found = if matches!(symbol, "==" | "!=") { self.enum_of(&[left.1, right.1]) } else { None };
        let Some(of) = found else { return vec![left, right] };
        let wanted = self.infer.known(Type::of_struct(of));
        for (operand, ty) in [&left, &right] {
            self.equate(wanted, *ty, operand.span);
        }
        vec![self.number_of(left.0, of), self.number_of(right.0, of)]
    }
}

/// The mistake of a variant that the enum does not have.
fn no_variant(of: StructId, name: &str, span: Span) -> Diagnostic {
    let diagnostic = Diagnostic::new(span, format!("`{}` has no variant `{name}`", of.name));
    let names: Vec<&str> = of.variants.iter().map(|(name, _)| name.as_str()).collect();
    match nearest(name, names.iter().copied()) {
        Some(near) => diagnostic.help(format!("did you mean `{near}`?")),
        None => diagnostic.help(format!("its variants are `{}`", names.join("`, `"))),
    }
}
