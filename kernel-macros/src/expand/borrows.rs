//! Statements that read an array and change one of its elements.
//!
//! `y[y.len() - 1] = 1.0` and `v[i] += v[j]` are valid Rust for slices, because the built-in index borrows the element
//! last. In an emitted thread function they may be views, and `IndexMut` borrows a view as a whole before the index or
//! the right-hand side is evaluated. This pass therefore evaluates both first, in Rust's order. All other statements
//! stay unchanged.

use super::aliases::Arrays;
use super::names::ours;
use kernel_ir::ir::Type;
use kernel_ir::verify::VerifiedKernel;
use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::visit::Visit;
use syn::visit_mut::{VisitMut, visit_expr_mut};
use syn::{Expr, UnOp};

/// Rewrites these statements in the body of `kernel`.
pub(super) fn separate(kernel: &VerifiedKernel, body: &mut syn::Block) {
    Borrows { arrays: Arrays::of(kernel, body) }.visit_block_mut(body);
}

struct Borrows<'a> {
    arrays: Arrays<'a>,
}

impl VisitMut for Borrows<'_> {
    fn visit_expr_mut(&mut self, expr: &mut Expr) {
        visit_expr_mut(self, expr);
        if let Some(update) = self.update(expr) {
            *expr = update;
        }
        match expr {
            Expr::Assign(assign) => self.separate_index(&mut assign.left),
            Expr::Binary(binary) if is_update(&binary.op) => self.separate_index(&mut binary.left),
            Expr::Reference(reference) if reference.mutability.is_some() => self.separate_index(&mut reference.expr),
            _ => {}
        }
    }
}

impl Borrows<'_> {
    /// Rewrites `place` so that the index of its element is evaluated before the array is borrowed.
    fn separate_index(&self, place: &mut Expr) {
        let Some(element) = element_of(place) else { return };
        let Some((array, index)) = self.parts(element) else { return };
        if mentions(index, array) {
            let (index, name) = (index.clone(), Ident::new("index", ours()));
            let element_at = at(element, &name);
            *element = syn::parse_quote_spanned!(ours()=> (*match #index { #name => &mut #element_at }));
        }
    }

    /// The rewritten update of a vector or matrix element that reads its own array. For overloaded `+=`, Rust evaluates
    /// the place first and the right-hand side second, so the borrow must be ended early. For numbers the order is the
    /// reverse, so no rewriting is needed.
    fn update(&self, expr: &Expr) -> Option<Expr> {
        let Expr::Binary(binary) = expr else { return None };
        let mut place = (*binary.left).clone();
        let element = element_of(&mut place).filter(|_| is_update(&binary.op))?;
        let (array, index) = self.parts(element)?;
        let elem = self.arrays.get(array)?.elem();
        if type_of(&binary.left, elem)?.is_scalar() || !mentions(&binary.right, array) {
            return None;
        }
        let (index, right, op) = (index.clone(), &binary.right, &binary.op);
        let (name, value) = (Ident::new("index", ours()), Ident::new("value", ours()));
        let element_at = at(element, &name);
        *element = element_at.clone();
        Some(syn::parse_quote_spanned! {ours()=>
            match #index {
                #name => {
                    let _ = &#element_at;
                    match #right {
                        #value => #place #op #value,
                    }
                }
            }
        })
    }

    /// The mutable array and the index of an element.
    fn parts<'e>(&self, element: &'e Expr) -> Option<(&'e Ident, &'e Expr)> {
        let Expr::Index(element) = element else { return None };
        let Expr::Path(path) = &*element.expr else { return None };
        let array = path.path.get_ident()?;
        self.arrays.get(array).filter(|param| param.is_mutable()).map(|_| (array, &*element.index))
    }
}

/// The element of a named array that contains a place.
fn element_of(place: &mut Expr) -> Option<&mut Expr> {
    if matches!(place, Expr::Index(index) if matches!(*index.expr, Expr::Path(_))) {
        return Some(place);
    }
    match place {
        Expr::Index(index) => element_of(&mut index.expr),
        Expr::Field(field) => element_of(&mut field.base),
        Expr::Paren(paren) => element_of(&mut paren.expr),
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => element_of(&mut unary.expr),
        Expr::MethodCall(call) => element_of(&mut call.receiver),
        _ => None,
    }
}

/// The type of a place in an element of type `elem`; `None` if it is no such place.
fn type_of(place: &Expr, elem: Type) -> Option<Type> {
    match place {
        Expr::Index(index) if matches!(*index.expr, Expr::Path(_)) => Some(elem),
        // A component, or a column.
        Expr::Index(index) => Some(type_of(&index.expr, elem)?.part()),
        Expr::Field(field) => {
            let whole = type_of(&field.base, elem)?;
            let syn::Member::Named(name) = &field.member else { return None };
            match whole.as_struct() {
                Some(of) => Some(of.field(&name.unraw().to_string())?.1.ty),
                None => Some(whole.part()),
            }
        }
        Expr::Paren(paren) => type_of(&paren.expr, elem),
        // `*m[i].col_mut(1)`
        Expr::Unary(unary) if matches!(unary.op, UnOp::Deref(_)) => type_of(&unary.expr, elem),
        Expr::MethodCall(call) => Some(type_of(&call.receiver, elem)?.part()),
        _ => None,
    }
}

/// The element with `index` as its index.
fn at(element: &Expr, index: &Ident) -> Expr {
    let mut element = element.clone();
    if let Expr::Index(element) = &mut element {
        *element.index = syn::parse_quote!(#index);
    }
    element
}

fn mentions(expr: &Expr, array: &Ident) -> bool {
    struct Mentions<'a>(&'a Ident, bool);

    impl<'ast> Visit<'ast> for Mentions<'_> {
        fn visit_path(&mut self, path: &'ast syn::Path) {
            self.1 |= path.is_ident(self.0);
        }
    }

    let mut mentions = Mentions(array, false);
    mentions.visit_expr(expr);
    mentions.1
}

/// Whether an operator is a compound assignment.
fn is_update(op: &syn::BinOp) -> bool {
    use syn::BinOp::{
        AddAssign, BitAndAssign, BitOrAssign, BitXorAssign, DivAssign, MulAssign, RemAssign, ShlAssign, ShrAssign,
        SubAssign,
    };
    let is_arithmetic = matches!(op, AddAssign(_) | SubAssign(_) | MulAssign(_) | DivAssign(_) | RemAssign(_));
    is_arithmetic || matches!(op, BitXorAssign(_) | BitAndAssign(_) | BitOrAssign(_) | ShlAssign(_) | ShrAssign(_))
}
