//! Resolution of random numbers: `rand_init(seed, i)`, and draws such as `randf(&mut rng)`.
//!
//! A draw gives a number and advances the state, a variable of type `u32` or a parameter `&mut u32`. The number is an operation on the state, and
//! [`lower`](super::super::lower) puts the statement that advances the state behind it. So an expression of the IR has no
//! effect.

use super::super::hir::{self, ViewRoot};
use super::super::infer::About;
use super::super::signature::FunctionKind;
use super::super::syntax::ungrouped;
use super::Resolver;
use crate::diag::Diagnostic;
use crate::ir::Span;
use crate::ops::{OpDef, Syntax, TABLE};

/// The operation on random generators with this name.
pub(super) fn called(name: &str) -> Option<&'static OpDef> {
    TABLE.iter().find(|def| matches!(def.rust, Syntax::Function(own) | Syntax::Draw(own) if own == name))
}

impl Resolver<'_> {
    pub(super) fn random(&mut self, def: &OpDef, call: &syn::ExprCall, span: Span) -> hir::Expr {
        let name = def.rust.word();
        let wanted = def.overloads[0].args.len();
        if call.args.len() != wanted {
            return self.other_arity(def, call.args.len(), span);
        }
        let about = || About::Assoc(name.to_owned());
        if !def.op.is_draw() {
            let operands = self.operands(call.args.iter());
            return self.op(def.rust, about(), operands, span);
        }
        let copied = copied(&call.args[0]);
        let lent = match copied {
            Some(copy) => Some(self.expr(copy)),
            None => self.lent_place(&call.args[0]),
        };
        let Some(state) = lent else {
            let at = self.span(&call.args[0]);
            return self.error(
                Diagnostic::new(at, format!("`{name}` takes the state of the random generator by `&mut`"))
                    .note("each draw advances the state, so that the next draw gives another number")
                    .help(draw_of(name, wanted, self.signature.kind)),
            );
        };
        let state_ty = self.value(&state);
        let variable = if let hir::ExprKind::Local(local) = &state.kind {
            Some(ViewRoot::Variable(*local))
        } else if let hir::ExprKind::Element { array, index } = &state.kind {
            // A parameter `&mut u32` is an array without axes.
            index.is_empty().then_some(ViewRoot::Array(*array))
        } else {
            None
        };
        if copied.is_none() && variable.is_none() && !self.infer.is_broken(state_ty) {
            return self.error(
                Diagnostic::new(state.span, format!("`{name}` draws from a variable"))
                    .help("copy the state: `let mut rng = …;`, and store it behind the last draw"),
            );
        }
        let mut operands = vec![(state, state_ty)];
        operands.extend(self.operands(call.args.iter().skip(1)));
        let value = self.op(def.rust, about(), operands, span);
        let Some(state) = variable.filter(|_| copied.is_none()) else { return value };
        hir::Expr { ty: value.ty, kind: hir::ExprKind::Draw { state, value: Box::new(value) }, span }
    }

    /// Reports a wrong number of arguments. Warp has functions of one name for several numbers.
    fn other_arity(&mut self, def: &OpDef, found: usize, span: Span) -> hir::Expr {
        let (name, wanted) = (def.rust.word(), def.overloads[0].args.len());
        let alike = match (name, name.strip_suffix("_range")) {
            ("rand_init", _) => "rand_seed".to_owned(),
            ("rand_seed", _) => "rand_init".to_owned(),
            (_, Some(plain)) => plain.to_owned(),
            (_, None) => format!("{name}_range"),
        };
        if called(&alike).is_none_or(|alike| alike.overloads[0].args.len() != found) {
            return self.wrong_arity(name, wanted, found, span);
        }
        let noun = if wanted == 1 { "argument" } else { "arguments" };
        self.error(
            Diagnostic::new(span, format!("`{name}` takes {wanted} {noun}, found {found}"))
                .help(format!("with {found}, the function is `{alike}`")),
        )
    }
}

/// The block of `&mut { rng }`, a reference to a copy, which nothing reads afterwards.
fn copied(state: &syn::Expr) -> Option<&syn::Expr> {
    let syn::Expr::Reference(syn::ExprReference { mutability: Some(_), expr, .. }) = ungrouped(state) else {
        return None;
    };
    matches!(ungrouped(expr), syn::Expr::Block(_)).then_some(&**expr)
}

/// The way to write a draw.
fn draw_of(name: &str, operands: usize, within: FunctionKind) -> String {
    let bounds = if operands > 1 { ", low, high" } else { "" };
    match within {
        FunctionKind::Kernel => {
            format!("write `{name}(&mut rng{bounds})`, for a variable `let mut rng = rand_init(seed, i as i32);`")
        }
        FunctionKind::Device => format!("write `{name}(rng{bounds})`, for a parameter `rng: &mut u32`"),
    }
}
