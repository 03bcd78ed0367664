//! Constant tables: `#[device] const WEIGHTS: [f32; 3] = …;`.
//!
//! A function that names a table gets it as a constant of its own body, which the language has anyway. The names in the
//! table are those of its own item, so the function gets these links, too.

use super::binders::Binders;
use super::items::{Known, Table};
use super::links::link_name;
use crate::diag::Diagnostic;
use crate::ir::SpanTable;
use std::collections::HashMap;
use syn::visit_mut::{VisitMut, visit_expr_path_mut};

/// The body of `function` with the tables that it names, and the items that this body names. `None` if it names no
/// table.
///
/// # Errors
/// A table whose name the function gives to something of its own, and one whose items it names by the same paths as other
/// items. The list is empty if a table has mistakes, which are reported at its definition.
pub(super) fn with_tables(
    function: &syn::ItemFn,
    known: &Known,
    spans: &mut SpanTable,
) -> Result<Option<(syn::Block, Known)>, Vec<Diagnostic>> {
    let tables = known.tables();
    if tables.is_empty() {
        return Ok(None);
    }
    if !tables.iter().flat_map(|table| &table.paths).all(|path| known.is_sound_table(path, spans)) {
        return Err(Vec::new());
    }
    let (mut known, own) = (known.clone(), Binders::of(function));
    let mut names = HashMap::new();
    let mut consts: Vec<syn::Stmt> = Vec::new();
    for Table { paths, name, item, links } in tables {
        let ident = syn::Ident::new(&name, item.ident.span());
        if own.has(&ident) {
            let message = format!("the function has a `{name}` of its own beside the table");
            let diagnostic = Diagnostic::new(spans.insert_tokens(&function.sig.ident), message);
            return Err(vec![diagnostic.help("give one of them another name")]);
        }
        if let Err(other) = known.add(&links) {
            let message = format!("the table `{}` and this function name different items `{other}`", item.ident);
            let diagnostic = Diagnostic::new(spans.insert_tokens(&item.ident), message);
            return Err(vec![diagnostic.help("give one of the items another name")]);
        }
        names.extend(paths.into_iter().map(|path| (path, ident.clone())));
        let item = syn::ItemConst { attrs: Vec::new(), vis: syn::Visibility::Inherited, ident, ..item };
        consts.push(syn::Stmt::Item(syn::Item::Const(item)));
    }
    let mut block = (*function.block).clone();
    Rename { names }.visit_block_mut(&mut block);
    block.stmts.splice(0..0, consts);
    Ok(Some((block, known)))
}

/// Gives tables the names of the constants in the body.
struct Rename {
    /// The names by the paths of the tables.
    names: HashMap<String, syn::Ident>,
}

impl VisitMut for Rename {
    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        if let Some(name) = self.names.get(&link_name(&path.path)).filter(|_| path.qself.is_none()) {
            let span = path.path.segments.last().map_or(name.span(), |last| last.ident.span());
            path.path = syn::Ident::new(&name.to_string(), span).into();
        }
        visit_expr_path_mut(self, path);
    }
}
