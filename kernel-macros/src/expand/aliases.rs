//! The names under which a body uses the optional arrays that it has unwrapped.

use kernel_ir::ir::Param;
use kernel_ir::verify::VerifiedKernel;
use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::visit::{Visit, visit_expr_let, visit_local};
use syn::{Expr, Pat};

/// The arrays of a kernel by the names in its body.
pub(super) struct Arrays<'a> {
    kernel: &'a VerifiedKernel,
    /// The name in each pattern `Some(name)`, and the array.
    unwrapped: Vec<(String, &'a Param)>,
}

impl<'a> Arrays<'a> {
    pub(super) fn of(kernel: &'a VerifiedKernel, body: &syn::Block) -> Arrays<'a> {
        let mut arrays = Arrays { kernel, unwrapped: Vec::new() };
        arrays.visit_block(body);
        arrays
    }

    /// The array with this name. A name that a pattern binds may also be that of a parameter, which it hides.
    pub(super) fn get(&self, name: &Ident) -> Option<&'a Param> {
        let name = name.unraw().to_string();
        let unwrapped = self.unwrapped.iter().find(|(unwrapped, _)| *unwrapped == name);
        unwrapped.map(|(_, param)| *param).or_else(|| self.param(&name))
    }

    fn param(&self, name: &str) -> Option<&'a Param> {
        self.kernel.params.iter().find(|param| param.name.trim_start_matches("r#") == name)
    }

    fn add(&mut self, pat: &Pat, value: &Expr) {
        let Pat::TupleStruct(some) = pat else { return };
        let Some(Pat::Ident(name)) = some.elems.first() else { return };
        let Some(array) = named(value).and_then(|array| self.param(&array)) else { return };
        self.unwrapped.push((name.ident.unraw().to_string(), array));
    }
}

impl<'ast> Visit<'ast> for Arrays<'_> {
    fn visit_expr_let(&mut self, test: &'ast syn::ExprLet) {
        self.add(&test.pat, &test.expr);
        visit_expr_let(self, test);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        if let Some(init) = &local.init {
            self.add(&local.pat, &init.expr);
        }
        visit_local(self, local);
    }
}

/// The name in `z`, `&mut z`, `z.as_deref_mut()` and the like.
fn named(value: &Expr) -> Option<String> {
    match value {
        Expr::Path(path) => Some(path.path.get_ident()?.unraw().to_string()),
        Expr::Paren(inner) => named(&inner.expr),
        Expr::Group(inner) => named(&inner.expr),
        Expr::Reference(reference) => named(&reference.expr),
        Expr::MethodCall(call) => named(&call.receiver),
        _ => None,
    }
}
