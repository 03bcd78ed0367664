//! Structs that hold arrays, such as `struct Contacts<'a> { normals: &'a [Vec3], count: &'a mut [u32] }`.
//!
//! They are parameters only, and stand for their fields. Before a function is compiled, a parameter `contacts: Contacts<'_>`
//! becomes one for each field, `contacts.normals` becomes `contacts_normals`, and an argument `&mut contacts` becomes all
//! fields. What comes after sees plain arrays and values, and a launch passes the fields in their order.

use super::binders::Binders;
use super::items::Known;
use super::links::{DeviceItem, Devices, Link, Source, link_name, without_arguments};
use super::messages::visit_values;
use super::syntax::{plain_name, ungrouped, ungrouped_type};
use super::{type_syntax, types};
use crate::diag::Diagnostic;
use crate::ir::SpanTable;
use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use syn::visit::Visit;
use syn::visit_mut::{VisitMut, visit_expr_mut, visit_type_mut};

/// Whether the struct may hold arrays: it has a lifetime.
pub fn is_array_struct(item: &syn::ItemStruct) -> bool {
    item.generics.lifetimes().next().is_some()
}

/// The struct as rustc takes it: without Weft's attributes on its fields.
pub fn without_attributes(item: &syn::ItemStruct) -> syn::ItemStruct {
    let mut item = item.clone();
    item.fields.iter_mut().for_each(|field| field.attrs.retain(|attr| !is_of_parameter(attr)));
    item
}

/// Whether the attribute belongs to the parameter that a field becomes.
fn is_of_parameter(attr: &syn::Attribute) -> bool {
    attr.path().is_ident("domain") || attr.path().is_ident("shape")
}

/// The mistakes in a struct that holds arrays, whose fields may have the types in `known`.
pub(super) fn mistakes(item: &syn::ItemStruct, known: &Known, spans: &mut SpanTable) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    if item.generics.params.len() > 1 {
        let at = spans.insert_tokens(&item.generics);
        let diagnostic = Diagnostic::new(at, "a struct that holds arrays has one lifetime, and no other parameter");
        found.push(diagnostic.help(format!("write `struct {}<'a> {{ … }}`", item.ident)));
        return found;
    }
    let syn::Fields::Named(fields) = &item.fields else {
        let at = spans.insert_tokens(&item.ident);
        let diagnostic = Diagnostic::new(at, "the fields of a device struct have names");
        found.push(diagnostic.help("give every field a name: `struct Cloud<'a> { points: &'a [Vec3] }`"));
        return found;
    };
    for field in &fields.named {
        let array = type_syntax::optional(&field.ty).unwrap_or(&field.ty);
        let mut ty = &field.ty;
        if let syn::Type::Reference(reference) = ungrouped_type(array) {
            let Some((elem, _)) = type_syntax::array_of(&reference.elem) else {
                let at = spans.insert_tokens(&field.ty);
                let diagnostic = Diagnostic::new(at, "a field by reference is an array");
                found.push(diagnostic.help("write `&'a [T]`, `&'a mut [T]` or `&'a Array2<T>`, or the value itself"));
                continue;
            };
            ty = elem;
        }
        types::read(ty, known, spans, &mut found);
    }
    found
}

impl Devices {
    /// Puts the fields of structs that hold arrays in the place of the parameters of `item`, which is a kernel or not, and of
    /// the functions among the sources. Returns the sources that remain.
    pub(super) fn flatten(
        &self,
        item: &mut syn::ItemFn,
        is_kernel: bool,
        spans: &mut SpanTable,
    ) -> Result<Devices, Vec<Diagnostic>> {
        let structs: Vec<ArrayStruct> = self.sources.iter().filter_map(ArrayStruct::of).collect();
        if structs.is_empty() {
            return Ok(self.clone());
        }
        let mut flat = Flat { structs, used: HashMap::new() };
        let mut devices = Devices { sources: Vec::new(), links: self.links.clone() };
        for source in &self.sources {
            devices.sources.extend(flat.source(source));
        }
        let Changed { mistakes, .. } =
            flat.function(&mut item.sig, &mut item.block, &mut devices.links, is_kernel, spans);
        if mistakes.is_empty() { Ok(devices) } else { Err(mistakes) }
    }
}

/// A struct that holds arrays.
struct ArrayStruct {
    id: String,
    item: syn::ItemStruct,
    links: Vec<Link>,
}

impl ArrayStruct {
    fn of(source: &Source) -> Option<ArrayStruct> {
        // Parsing every item would take long.
        let is_likely = |token: TokenTree| matches!(token, TokenTree::Punct(sign) if sign.as_char() == '\'');
        if !source.item.clone().into_iter().any(is_likely) {
            return None;
        }
        match DeviceItem::parse(source.item.clone())? {
            DeviceItem::Struct(item) if is_array_struct(&item) => {
                Some(ArrayStruct { id: source.id.clone(), item: *item, links: source.links.clone() })
            }
            DeviceItem::Function(_)
            | DeviceItem::Struct(_)
            | DeviceItem::Enum(_)
            | DeviceItem::Const(_)
            | DeviceItem::Alias(_)
            | DeviceItem::Method(_)
            | DeviceItem::Module(_) => None,
        }
    }
}

/// The structs, and what the functions take of them.
struct Flat {
    structs: Vec<ArrayStruct>,
    /// For each parameter of a function the fields that take its place, if it is such a struct. By the ids of the functions.
    used: HashMap<String, Vec<Option<Vec<String>>>>,
}

/// What became of a function.
struct Changed {
    /// As in [`Flat::used`].
    used: Vec<Option<Vec<String>>>,
    mistakes: Vec<Diagnostic>,
}

impl Flat {
    /// The source of an item with plain parameters; `None` for a struct. Mistakes are reported where an item is defined.
    fn source(&mut self, source: &Source) -> Option<Source> {
        if self.structs.iter().any(|of| of.id == source.id) {
            return None;
        }
        let names_one = source.links.iter().any(|link| self.structs.iter().any(|of| of.id == link.id));
        let mut source = source.clone();
        if names_one && let Some(DeviceItem::Function(mut function)) = DeviceItem::parse(source.item.clone()) {
            let spans = &mut SpanTable::forgetful();
            let changed = self.function(&mut function.sig, &mut function.block, &mut source.links, false, spans);
            self.used.insert(source.id.clone(), changed.used);
            source.item = function.into_token_stream();
        }
        Some(source)
    }

    /// Flattens the parameters of a function. The types of the fields become direct `links` of it. A kernel takes all fields,
    /// so that its launch does not depend on the body; a function those that it uses.
    fn function(
        &self,
        sig: &mut syn::Signature,
        block: &mut syn::Block,
        links: &mut Vec<Link>,
        is_kernel: bool,
        spans: &mut SpanTable,
    ) -> Changed {
        let params: Vec<Option<Param>> = sig.inputs.iter().map(|input| self.param(input, links)).collect();
        let mut body = Body {
            params: params.iter().flatten().collect(),
            flat: self,
            links,
            is_kernel,
            spans,
            mistakes: Vec::new(),
        };
        let mut bound = Binders::default();
        bound.visit_block(block);
        for param in params.iter().flatten().filter(|param| bound.has(&param.name)) {
            let (name, of) = (&param.name, &param.of.item.ident);
            body.report(
                name,
                format!("a variable has the name of the parameter `{name}`, which is a `{of}`"),
                "rename it",
            );
        }
        body.visit_block_mut(block);
        let mistakes = body.mistakes;
        let fields = |param: &Param| -> Vec<String> {
            let used = param.used.borrow();
            param.names().filter(|field| is_kernel || used.contains(field)).collect()
        };
        let used: Vec<Option<Vec<String>>> = params.iter().map(|param| param.as_ref().map(fields)).collect();
        let inputs = std::mem::take(&mut sig.inputs).into_iter().zip(&params).zip(&used);
        sig.inputs = inputs
            .flat_map(|((input, param), used)| match (param, used) {
                (Some(param), Some(used)) => used.iter().map(|field| param.input(field, is_kernel)).collect(),
                _ => vec![input],
            })
            .collect();
        self.replace_links(links);
        Changed { used, mistakes }
    }

    /// Puts the types of the fields in the place of the structs.
    fn replace_links(&self, links: &mut Vec<Link>) {
        let is_one = |link: &Link| self.structs.iter().any(|of| of.id == link.id);
        let (of_structs, mut kept): (Vec<Link>, Vec<Link>) = links.drain(..).partition(is_one);
        let named = self.structs.iter().filter(|of| of_structs.iter().any(|link| link.id == of.id));
        for link in named.flat_map(|of| &of.links) {
            if kept.iter().all(|known| known.path != link.path) {
                kept.push(link.clone());
            }
        }
        *links = kept;
    }

    /// The parameter, if it is a struct that holds arrays.
    fn param(&self, input: &syn::FnArg, links: &[Link]) -> Option<Param<'_>> {
        let syn::FnArg::Typed(syn::PatType { pat, ty, .. }) = input else { return None };
        let syn::Pat::Ident(syn::PatIdent { ident: name, .. }) = &**pat else { return None };
        let (mut ty, mut is_shared) = (ungrouped_type(ty), false);
        if let syn::Type::Reference(reference) = ty {
            (ty, is_shared) = (ungrouped_type(&reference.elem), reference.mutability.is_none());
        }
        let syn::Type::Path(path) = ty else { return None };
        let written = link_name(&without_arguments(&path.path));
        let id = &links.iter().find(|link| link.path == written)?.id;
        let of = self.structs.iter().find(|of| of.id == *id)?;
        Some(Param { name: name.clone(), of, is_shared, used: RefCell::default() })
    }
}

/// A parameter that is a struct of arrays.
struct Param<'a> {
    name: Ident,
    of: &'a ArrayStruct,
    /// Whether it stands behind a shared reference.
    is_shared: bool,
    /// The fields that the body uses.
    used: RefCell<HashSet<String>>,
}

impl Param<'_> {
    /// The names of the fields.
    fn names(&self) -> impl Iterator<Item = String> {
        self.of.item.fields.iter().filter_map(|field| field.ident.as_ref()).map(plain_name)
    }

    /// Whether the field is an optional array.
    fn is_optional(&self, field: &str) -> bool {
        let is_it = |found: &syn::Field| found.ident.as_ref().is_some_and(|name| plain_name(name) == field);
        self.of.item.fields.iter().any(|found| is_it(found) && type_syntax::optional(&found.ty).is_some())
    }

    /// The parameter that the field becomes, at the place of `at`.
    fn ident(&self, field: &str, at: &Ident) -> Ident {
        Ident::new(&format!("{}_{field}", plain_name(&self.name)), at.span())
    }

    /// The parameter that the field becomes.
    fn input(&self, field: &str, is_kernel: bool) -> syn::FnArg {
        let is_it = |found: &&syn::Field| found.ident.as_ref().is_some_and(|name| plain_name(name) == field);
        let found = self.of.item.fields.iter().find(is_it);
        let mut ty = found.map_or_else(|| syn::parse_quote!(()), |field| field.ty.clone());
        Unnamed { is_shared: self.is_shared }.visit_type_mut(&mut ty);
        let attrs = found.into_iter().flat_map(|field| &field.attrs).filter(|attr| is_kernel && is_of_parameter(attr));
        let (attrs, ident) = (attrs.map(|attr| self.renamed(attr)), self.ident(field, &self.name));
        // Not every kernel needs all fields.
        let unused = is_kernel.then(|| -> syn::Attribute { syn::parse_quote!(#[allow(unused_variables)]) });
        syn::parse_quote!(#(#attrs)* #unused #ident: #ty)
    }

    /// The attribute of a field, with the parameters for the fields that it names.
    fn renamed(&self, attr: &syn::Attribute) -> syn::Attribute {
        let mut attr = attr.clone();
        if let syn::Meta::List(list) = &mut attr.meta {
            list.tokens = self.renamed_tokens(list.tokens.clone());
        }
        attr
    }

    fn renamed_tokens(&self, tokens: TokenStream) -> TokenStream {
        let renamed = |token| match token {
            TokenTree::Ident(name) if self.names().any(|field| field == plain_name(&name)) => {
                TokenTree::Ident(self.ident(&plain_name(&name), &name))
            }
            TokenTree::Group(group) => {
                TokenTree::Group(Group::new(group.delimiter(), self.renamed_tokens(group.stream())))
            }
            other @ (TokenTree::Ident(_) | TokenTree::Punct(_) | TokenTree::Literal(_)) => other,
        };
        tokens.into_iter().map(renamed).collect()
    }
}

/// Removes lifetimes from references, and `mut` from those that are behind a shared one.
struct Unnamed {
    is_shared: bool,
}

impl VisitMut for Unnamed {
    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        if let syn::Type::Reference(reference) = ty {
            reference.lifetime = None;
            reference.mutability = reference.mutability.filter(|_| !self.is_shared);
        }
        visit_type_mut(self, ty);
    }
}

/// Puts parameters in the place of fields.
struct Body<'a> {
    params: Vec<&'a Param<'a>>,
    flat: &'a Flat,
    /// The links of the function.
    links: &'a [Link],
    is_kernel: bool,
    spans: &'a mut SpanTable,
    mistakes: Vec<Diagnostic>,
}

impl<'a> Body<'a> {
    fn report(&mut self, at: &dyn ToTokens, message: String, help: &str) {
        let span = self.spans.insert_tokens(at);
        self.mistakes.push(Diagnostic::new(span, message).help(help));
    }

    /// The parameter that `expr` names, and the name as it is written.
    fn named(&self, expr: &syn::Expr) -> Option<(&'a Param<'a>, Ident)> {
        let syn::Expr::Path(path) = ungrouped(expr) else { return None };
        let name = path.path.get_ident()?;
        let param = self.params.iter().find(|param| plain_name(&param.name) == plain_name(name))?;
        Some((param, name.clone()))
    }

    /// The fields that a function takes in the place of its argument number `position`.
    fn taken(&self, function: &syn::Expr, position: usize) -> Option<&'a Vec<String>> {
        let syn::Expr::Path(path) = ungrouped(function) else { return None };
        let written = link_name(&without_arguments(&path.path));
        let id = &self.links.iter().find(|link| link.path == written)?.id;
        self.flat.used.get(id)?.get(position)?.as_ref()
    }
}

impl VisitMut for Body<'_> {
    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        visit_values(mac, |value| self.visit_expr_mut(value));
    }

    fn visit_expr_call_mut(&mut self, call: &mut syn::ExprCall) {
        for (position, mut arg) in std::mem::take(&mut call.args).into_iter().enumerate() {
            let mut lent = ungrouped(&arg);
            if let syn::Expr::Reference(reference) = lent {
                lent = &reference.expr;
            }
            if let Some((param, name)) = self.named(lent)
                && let Some(fields) = self.taken(&call.func, position)
            {
                param.used.borrow_mut().extend(fields.iter().cloned());
                let field = |field: &String| -> syn::Expr {
                    let ident = param.ident(field, &name);
                    syn::parse_quote!(#ident)
                };
                call.args.extend(fields.iter().map(field));
                continue;
            }
            self.visit_expr_mut(&mut arg);
            call.args.push(arg);
        }
        self.visit_expr_mut(&mut call.func);
    }

    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        if let syn::Expr::Field(syn::ExprField { base, member: syn::Member::Named(field), .. }) = expr
            && let Some((param, name)) = self.named(base)
        {
            let plain = plain_name(field);
            if !self.is_kernel && param.is_optional(&plain) {
                let help = "pass the array where it is present: `if let Some(z) = cloud.z { f(z) }`";
                let (message, field) =
                    (format!("a device function cannot read `{plain}`, which may be absent"), field.clone());
                self.report(&field, message, help);
                return;
            }
            if param.names().any(|own| own == plain) {
                let ident = param.ident(&plain, &name);
                param.used.borrow_mut().insert(plain);
                *expr = syn::parse_quote!(#ident);
                return;
            }
            let names: Vec<String> = param.names().map(|own| format!("`{own}`")).collect();
            let (message, field) = (format!("`{}` has no field `{plain}`", param.of.item.ident), field.clone());
            self.report(&field, message, &format!("it has {}", names.join(", ")));
            return;
        }
        if let Some((param, name)) = self.named(expr) {
            let help = format!(
                "use its fields, such as `{name}.{}`, or pass it to a device function that takes `&{}<'_>`",
                param.names().next().unwrap_or_default(),
                param.of.item.ident
            );
            self.report(&name, format!("`{name}` holds arrays, so it is no value"), &help);
            return;
        }
        visit_expr_mut(self, expr);
    }
}
