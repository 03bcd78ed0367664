//! Reads enums under `#[device]`. The variants have no data, so a value is a number.

use super::signature::read_doc;
use super::structs::{is_harmless, name_mistake};
use super::syntax::{plain_name, ungrouped};
use crate::diag::Diagnostic;
use crate::ir::{Scalar, SpanTable, Struct, StructId, Type};
use quote::ToTokens;

/// The types that a number of a variant can have.
const REPRS: [Scalar; 6] = [Scalar::I8, Scalar::U8, Scalar::I16, Scalar::U16, Scalar::I32, Scalar::U32];

/// Reads an enum.
pub(super) fn read(item: &syn::ItemEnum, spans: &mut SpanTable) -> Result<StructId, Vec<Diagnostic>> {
    let mut reader = Reader { spans, diagnostics: Vec::new() };
    reader.diagnostics.extend(name_mistake(&item.ident, "an enum", reader.spans));
    reader.head(item);
    let repr = reader.repr(&item.attrs);
    let variants = reader.variants(item, repr);
    if !reader.diagnostics.is_empty() {
        return Err(reader.diagnostics);
    }
    Ok(Struct::of_variants(plain_name(&item.ident), read_doc(&item.attrs), repr, variants).intern())
}

struct Reader<'a> {
    spans: &'a mut SpanTable,
    diagnostics: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn report(&mut self, at: &dyn ToTokens, message: impl Into<String>, help: impl Into<String>) {
        let span = self.spans.insert_tokens(at);
        self.diagnostics.push(Diagnostic::new(span, message).help(help));
    }

    fn head(&mut self, item: &syn::ItemEnum) {
        if !item.generics.params.is_empty() {
            let help = "remove the parameters: an enum without data needs none";
            self.report(&item.generics, "a device enum cannot be generic", help);
        }
        if item.variants.is_empty() {
            let help = "give it variants: `enum Shape { Sphere, Box }`";
            self.report(&item.ident, "a device enum has at least one variant", help);
        }
    }

    /// The type of the numbers.
    fn repr(&mut self, attrs: &[syn::Attribute]) -> Scalar {
        let mut found = Scalar::I32;
        for attr in attrs.iter().filter(|attr| attr.path().is_ident("repr")) {
            let of_name = |name: syn::Ident| REPRS.into_iter().find(|repr| name == Type::of(*repr).rust_name());
            match attr.parse_args().ok().and_then(of_name) {
                Some(repr) => found = repr,
                None => {
                    let help = "write `#[repr(i32)]`, or `u8 i8 u16 i16 u32`; without `repr`, it is `i32`";
                    self.report(attr, "a device enum cannot have this representation", help);
                }
            }
        }
        found
    }

    /// The variants with their numbers: the given one, or one more than that of the variant before.
    fn variants(&mut self, item: &syn::ItemEnum, repr: Scalar) -> Vec<(String, i64)> {
        let mut variants = Vec::new();
        let mut next = 0_i64;
        for variant in &item.variants {
            if let Some(attr) = variant.attrs.iter().find(|attr| !is_harmless(attr) && !attr.path().is_ident("default"))
            {
                let help = "remove it: the macro reads the enum before rustc applies attributes";
                self.report(attr, "a variant of a device enum cannot have this attribute", help);
            }
            if !matches!(variant.fields, syn::Fields::Unit) {
                let name = &item.ident;
                let help = format!(
                    "write a device struct with a field for each value, and one for an enum without data: \
                     `struct {name} {{ kind: {name}Kind, … }}`"
                );
                self.report(&variant.fields, "a device enum has no fields in its variants", help);
            }
            if let Some((_, value)) = &variant.discriminant {
                match integer(value) {
                    Some(value) => next = value,
                    None => {
                        let help = format!("write the number: `{} = 4`", variant.ident);
                        self.report(value, "the number of a variant is a literal integer", help);
                    }
                }
            }
            let (low, high) = repr.limits().unwrap_or_default();
            if !(low..=high).contains(&i128::from(next)) {
                let (name, repr) = (plain_name(&variant.ident), Type::of(repr).rust_name());
                let help = "give it a smaller number, or the enum another `#[repr(…)]`";
                self.report(&variant.ident, format!("the number of `{name}` is {next}, which is no `{repr}`"), help);
            }
            variants.push((plain_name(&variant.ident), next));
            next = next.saturating_add(1);
        }
        variants
    }
}

/// The value of a literal, which may have a minus sign.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "syn's enums are open: what is not listed is refused, or left as it is"
)]
fn integer(value: &syn::Expr) -> Option<i64> {
    match ungrouped(value) {
        syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(number), .. }) => number.base10_parse().ok(),
        syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), expr, .. }) => integer(expr)?.checked_neg(),
        _ => None,
    }
}
