//! The functions that a function passes to others, which are device items that it names.

use super::binders::Binders;
use super::generics::function_params;
use super::links::{Devices, link_name, without_arguments};
use super::syntax::ungrouped;
use syn::visit::{Visit, visit_expr_call};

impl Devices {
    /// The paths of the functions that `item` passes to others, as far as they are not among the direct links.
    pub fn passed_by(&self, item: &syn::ItemFn) -> Vec<syn::Path> {
        let function = |path: &str| {
            let link = self.links.iter().find(|link| link.path == path)?;
            let source = self.sources.iter().find(|source| source.id == link.id)?;
            syn::parse2::<syn::ItemFn>(source.item.clone()).ok()
        };
        let mut passed = passed(item, &function);
        passed.retain(|path| self.links.iter().all(|link| link.path != link_name(path)));
        passed
    }
}

/// The paths of the functions that `item` passes to those that `function` finds by their paths.
pub(super) fn passed(item: &syn::ItemFn, function: &dyn Fn(&str) -> Option<syn::ItemFn>) -> Vec<syn::Path> {
    let mut passed = Passed { bound: Binders::of(item), function, paths: Vec::new() };
    passed.visit_block(&item.block);
    passed.paths
}

struct Passed<'a> {
    bound: Binders,
    function: &'a dyn Fn(&str) -> Option<syn::ItemFn>,
    paths: Vec<syn::Path>,
}

impl Visit<'_> for Passed<'_> {
    fn visit_expr_call(&mut self, call: &syn::ExprCall) {
        visit_expr_call(self, call);
        let syn::Expr::Path(path) = ungrouped(&call.func) else { return };
        let Some(callee) = (self.function)(&link_name(&without_arguments(&path.path))) else { return };
        for param in function_params(&callee) {
            let Some(syn::Expr::Path(arg)) = call.args.iter().nth(param.position).map(ungrouped) else { continue };
            let (path, is_bound) =
                (without_arguments(&arg.path), arg.path.get_ident().is_some_and(|name| self.bound.has(name)));
            if !is_bound && arg.qself.is_none() && !self.paths.contains(&path) {
                self.paths.push(path);
            }
        }
    }
}
