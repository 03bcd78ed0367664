//! Reads structs under `#[device]`.

use super::items::Known;
use super::signature::read_doc;
use super::syntax::{plain_name, ungrouped_type};
use super::types;
use crate::diag::Diagnostic;
use crate::ir::{Field, SpanTable, Struct, StructId, Type};
use quote::ToTokens;

/// Reads a struct, whose fields may have the types in `known`. The list of mistakes is empty if all of them are there.
pub(super) fn read(item: &syn::ItemStruct, known: &Known, spans: &mut SpanTable) -> Result<StructId, Vec<Diagnostic>> {
    let mut reader = Reader { known, spans, diagnostics: Vec::new() };
    let has_parameters = reader.head(item);
    // A parameter is no type of the language, which would be reported at each field.
    let fields = if has_parameters { Vec::new() } else { reader.fields(item) };
    if !reader.diagnostics.is_empty() || known.has_mistakes() {
        return Err(reader.diagnostics);
    }
    Ok(Struct { name: plain_name(&item.ident), doc: read_doc(&item.attrs), fields, variants: Vec::new(), warp: None }
        .intern())
}

/// The mistake in the name of `kind`, such as "a struct", by which kernels tell it from others.
pub(super) fn name_mistake(ident: &syn::Ident, kind: &str, spans: &mut SpanTable) -> Option<Diagnostic> {
    let name = plain_name(ident);
    let is_of_the_language =
        Type::from_rust_name(&name).is_some() || Type::from_name(&name).is_some() || types::substitute(&name).is_some();
    let (message, help) = if is_of_the_language {
        (format!("`{name}` is a type of the kernel language"), "give it another name")
    } else if !name.starts_with(char::is_uppercase) {
        (
            format!("the name `{name}` of {kind} must start with a capital letter"),
            "kernels tell types from functions by the first letter",
        )
    } else {
        return None;
    };
    Some(Diagnostic::new(spans.insert_tokens(ident), message).help(help))
}

struct Reader<'a> {
    known: &'a Known,
    spans: &'a mut SpanTable,
    diagnostics: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn report(&mut self, at: &dyn ToTokens, message: impl Into<String>, help: &str) {
        let span = self.spans.insert_tokens(at);
        self.diagnostics.push(Diagnostic::new(span, message).help(help));
    }

    /// Checks the name, and reports generic parameters. Returns whether there are any.
    fn head(&mut self, item: &syn::ItemStruct) -> bool {
        self.diagnostics.extend(name_mistake(&item.ident, "a struct", self.spans));
        let is_other = |attr: &&syn::Attribute| {
            attr.path().is_ident("repr") && !attr.parse_args::<syn::Ident>().is_ok_and(|repr| repr == "C")
        };
        if let Some(repr) = item.attrs.iter().find(is_other) {
            let help = "remove it: a device struct has the layout of C, as on every target";
            self.report(repr, "a device struct cannot have another layout", help);
        }
        if !item.generics.params.is_empty() {
            let help = "write one struct for each type, for example with a `macro_rules!` around it";
            self.report(&item.generics, "a device struct cannot be generic", help);
        }
        !item.generics.params.is_empty()
    }

    fn fields(&mut self, item: &syn::ItemStruct) -> Vec<Field> {
        let syn::Fields::Named(named) = &item.fields else {
            let help = "give every field a name: `struct Ray { from: Vec3, to: Vec3 }`";
            self.report(&item.ident, "the fields of a device struct have names", help);
            return Vec::new();
        };
        if named.named.is_empty() || named.named.len() > Struct::MOST_FIELDS {
            let message = format!("a device struct has 1 to {} fields", Struct::MOST_FIELDS);
            self.report(&item.ident, message, "group fields in structs of their own, or pass nothing instead");
        }
        named.named.iter().filter_map(|field| self.field(&item.ident, field)).collect()
    }

    /// Reads a field of the struct `of`.
    fn field(&mut self, of: &syn::Ident, field: &syn::Field) -> Option<Field> {
        let name = plain_name(field.ident.as_ref()?);
        if let Some(attr) = field.attrs.iter().find(|attr| !is_harmless(attr)) {
            let help = "remove it: the macro reads the struct before rustc applies attributes";
            self.report(attr, "a field of a device struct cannot have this attribute", help);
        }
        if matches!(ungrouped_type(&field.ty), syn::Type::Path(path) if path.path.is_ident(of)) {
            self.report(&field.ty, format!("`{of}` cannot contain itself"), "keep an index into an array instead");
            return None;
        }
        let ty = types::read(&field.ty, self.known, self.spans, &mut self.diagnostics)?;
        if ty.is_tuple() {
            self.report(&field.ty, "a field cannot be a tuple", "use a device struct");
            return None;
        }
        Some(Field { name, ty })
    }
}

/// Whether a field or variant may have the attribute: it does not decide whether there is a field or variant.
pub(super) fn is_harmless(attr: &syn::Attribute) -> bool {
    ["doc", "allow", "expect", "warn", "deny"].iter().any(|known| attr.path().is_ident(known))
}
