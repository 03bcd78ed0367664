//! `#[domain(…)]` and `#[shape(…)]` on parameters.

use crate::diag::Diagnostic;
use crate::ir::{Span, SpanTable, Structure};
use syn::punctuated::Punctuated;

/// The attributes of a parameter, still as syntax.
#[derive(Debug, Default)]
pub(super) struct ParamAttributes {
    pub(super) domain: Option<DomainSyntax>,
    pub(super) shape: Option<(Vec<syn::Expr>, Span)>,
}

/// The arguments of `#[domain(…)]`: a range, a structure, or both.
#[derive(Debug)]
pub(super) struct DomainSyntax {
    pub(super) range: Option<syn::ExprRange>,
    pub(super) structure: Option<Structure>,
    pub(super) span: Span,
}

impl DomainSyntax {
    /// Reads the arguments of `attr`, whose position is `span`.
    fn parse(attr: &syn::Attribute, span: Span) -> Result<DomainSyntax, Diagnostic> {
        let wrong = |message: &str| {
            let names = Structure::ALL.map(Structure::name).join("`, `");
            Diagnostic::new(span, message)
                .help(format!("write `#[domain(-1.0..1.0)]`; a structure may follow the range: `{names}`"))
        };
        let parts = attr
            .parse_args_with(Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated)
            .map_err(|_| wrong("a domain is a range of values"))?;
        let mut found = DomainSyntax { range: None, structure: None, span };
        for part in parts {
            let structure = structure_of(&part);
            match (part, structure) {
                (syn::Expr::Range(range), _) if found.range.is_none() && found.structure.is_none() => {
                    found.range = Some(range);
                }
                (_, Some(structure)) if found.structure.is_none() => found.structure = Some(structure),
                _ => return Err(wrong("a domain is a range and at most one structure after it")),
            }
        }
        match (&found.range, found.structure) {
            (None, None) => Err(wrong("a domain is a range of values")),
            _ => Ok(found),
        }
    }
}

/// The structure that `expr` names.
fn structure_of(expr: &syn::Expr) -> Option<Structure> {
    let syn::Expr::Path(path) = expr else { return None };
    Structure::of_name(&path.path.get_ident()?.to_string())
}

/// Removes Weft's attributes from `attrs` and reads them. Other attributes stay, for rustc to check.
pub(super) fn take_param_attributes(
    attrs: &mut Vec<syn::Attribute>,
    spans: &mut SpanTable,
    diagnostics: &mut Vec<Diagnostic>,
) -> ParamAttributes {
    let mut taken = ParamAttributes::default();
    attrs.retain(|attr| {
        let span = spans.insert_tokens(attr);
        if attr.path().is_ident("domain") {
            match DomainSyntax::parse(attr, span) {
                Ok(_) if taken.domain.is_some() => {
                    diagnostics.push(Diagnostic::new(span, "`#[domain]` is given twice").help("keep one of the two"))
                }
                Ok(domain) => taken.domain = Some(domain),
                Err(wrong) => diagnostics.push(wrong),
            }
            false
        } else if attr.path().is_ident("shape") {
            match attr.parse_args_with(Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated) {
                Ok(_) if taken.shape.is_some() => {
                    diagnostics.push(Diagnostic::new(span, "`#[shape]` is given twice").help("keep one of the two"))
                }
                Ok(extents) => taken.shape = Some((extents.into_iter().collect(), span)),
                Err(_) => diagnostics
                    .push(Diagnostic::new(span, "a shape is a list of extents").help("write `#[shape(dim0, 16)]`")),
            }
            false
        } else {
            true
        }
    });
    taken
}
