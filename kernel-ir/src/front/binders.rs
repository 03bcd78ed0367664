//! The names that a function binds.

use super::syntax::plain_name;
use std::collections::HashSet;
use syn::visit::{Visit, visit_item_const, visit_pat_ident};

/// The names that a function binds: parameters, variables, and its own constants.
#[derive(Default)]
pub struct Binders(HashSet<String>);

impl Binders {
    /// The names that `function` binds.
    pub fn of(function: &syn::ItemFn) -> Binders {
        let mut names = Binders::default();
        names.visit_item_fn(function);
        names
    }

    /// Whether the function binds the name.
    pub fn has(&self, name: &syn::Ident) -> bool {
        self.0.contains(&plain_name(name))
    }

    /// Adds a name.
    pub(super) fn add(&mut self, name: &syn::Ident) {
        self.0.insert(plain_name(name));
    }
}

impl Visit<'_> for Binders {
    fn visit_const_param(&mut self, param: &syn::ConstParam) {
        self.add(&param.ident);
    }

    fn visit_pat_ident(&mut self, pattern: &syn::PatIdent) {
        self.add(&pattern.ident);
        visit_pat_ident(self, pattern);
    }

    fn visit_item_const(&mut self, item: &syn::ItemConst) {
        self.add(&item.ident);
        visit_item_const(self, item);
    }
}
