//! The author's source, formatted.

use kernel_ir::front::{
    Binders, DeviceItem, Devices, Link, is_constant_name, link_name, visit_values, without_arguments,
};
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote};
use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use syn::parse_quote;
use syn::visit_mut::{
    VisitMut, visit_expr_call_mut, visit_expr_path_mut, visit_expr_struct_mut, visit_item_impl_mut,
    visit_pat_struct_mut, visit_type_path_mut,
};

/// The annotated kernel as a formatted source file, after the device functions and structs that it needs. The attributes of the
/// kernel and of its parameters are kept. Empty if `item` is not a function.
pub(super) fn format(attr: TokenStream, item: TokenStream, devices: &Devices) -> String {
    let Ok(kernel) = syn::parse2::<syn::ItemFn>(item) else { return String::new() };
    let names = devices.names(&kernel.sig.ident.to_string());
    let names: HashMap<&str, Ident> = devices
        .sources
        .iter()
        .zip(&names)
        .map(|(source, name)| (source.id.as_str(), Ident::new(name, Span::call_site())))
        .collect();
    let (mut items, mut has_methods) = (Vec::new(), false);
    for source in &devices.sources {
        let name = names[source.id.as_str()].clone();
        let Some(mut item) = DeviceItem::parse(source.item.clone()) else { continue };
        let mut rename = Rename { names: &names, links: &source.links, bound: item.binders() };
        let attr = rename.attribute(source.attr.clone());
        match &mut item {
            DeviceItem::Function(function) => {
                function.sig.ident = name;
                rename.visit_signature_mut(&mut function.sig);
                rename.visit_block_mut(&mut function.block);
            }
            DeviceItem::Struct(of) => {
                of.ident = name;
                rename.visit_fields_mut(&mut of.fields);
            }
            DeviceItem::Enum(of) => of.ident = name,
            DeviceItem::Const(of) => {
                of.ident = name;
                rename.visit_item_const_mut(of);
            }
            DeviceItem::Alias(of) => {
                of.ident = name;
                rename.visit_type_mut(&mut of.ty);
            }
            DeviceItem::Method(method) => {
                has_methods = true;
                rename.visit_item_impl_mut(&mut method.item);
            }
            DeviceItem::Module(_) => continue,
        }
        items.push((attr, item));
    }
    let bound = Binders::of(&kernel);
    let kernel = function_text(attr, kernel, &mut Rename { names: &names, links: &devices.links, bound });
    match has_methods {
        true => module_text(items) + &kernel,
        false => items.into_iter().map(|(attr, item)| item_text(&attr, item) + "\n").collect::<String>() + &kernel,
    }
}

/// A device item under its attribute.
fn item_text(attr: &TokenStream, mut item: DeviceItem) -> String {
    annotate(item.attrs_mut(), attribute("device", attr));
    formatted(item.into())
}

/// A module with all device items: methods are known to kernels only with their struct.
fn module_text(items: Vec<(TokenStream, DeviceItem)>) -> String {
    let item = |(attr, mut item): (TokenStream, DeviceItem)| {
        if !attr.is_empty() {
            annotate(item.attrs_mut(), attribute("device", &attr));
        }
        let mut item = syn::Item::from(item);
        Public.visit_item_mut(&mut item);
        item
    };
    let operators: BTreeSet<Ident> = items.iter().filter_map(|(_, item)| operator(item)).collect();
    let operators = (!operators.is_empty()).then(|| {
        let operators = operators.iter();
        quote!(use std::ops::{#(#operators),*};)
    });
    let items = items.into_iter().map(item);
    let module: syn::Item = parse_quote! {
        #[device]
        mod items {
            use super::*;
            #operators

            #(#items)*
        }
    };
    formatted(module)
        + "\n"
        + &formatted(parse_quote!(
            use items::*;
        ))
        + "\n"
}

/// The trait of an operator, if the author has imported it.
fn operator(item: &DeviceItem) -> Option<Ident> {
    let DeviceItem::Method(method) = item else { return None };
    method.item.trait_.as_ref()?.0.get_ident().cloned()
}

/// `#[name]`, or `#[name(attr)]`.
fn attribute(name: &str, attr: &TokenStream) -> syn::Attribute {
    let name = Ident::new(name, Span::call_site());
    match attr.is_empty() {
        true => parse_quote!(#[#name]),
        false => parse_quote!(#[#name(#attr)]),
    }
}

/// Makes items public, because the kernel stands outside of the module.
struct Public;

impl VisitMut for Public {
    fn visit_visibility_mut(&mut self, vis: &mut syn::Visibility) {
        *vis = parse_quote!(pub);
    }

    fn visit_block_mut(&mut self, _: &mut syn::Block) {}

    /// The functions of a trait have its visibility.
    fn visit_item_impl_mut(&mut self, item: &mut syn::ItemImpl) {
        if item.trait_.is_none() {
            visit_item_impl_mut(self, item);
        }
    }
}

fn function_text(attr: TokenStream, mut function: syn::ItemFn, rename: &mut Rename<'_>) -> String {
    rename.visit_signature_mut(&mut function.sig);
    rename.visit_block_mut(&mut function.block);
    annotate(&mut function.attrs, attribute("kernel", &attr));
    formatted(syn::Item::Fn(function))
}

/// Inserts an attribute below the documentation.
fn annotate(attrs: &mut Vec<syn::Attribute>, attribute: syn::Attribute) {
    let docs = attrs.iter().take_while(|attr| attr.path().is_ident("doc")).count();
    attrs.insert(docs, attribute);
}

fn formatted(item: syn::Item) -> String {
    let items = vec![item];
    let text = prettyplease::unparse(&syn::File { shebang: None, frontmatter: None, attrs: Vec::new(), items });
    text.split_inclusive('\n').map(without_space_in_range).collect()
}

/// The line as rustfmt has it: prettyplease writes `#[domain(0..= 9)]`. Only the signature has domains.
fn without_space_in_range(line: &str) -> Cow<'_, str> {
    let is_comment = line.trim_start().starts_with("//");
    match !is_comment && line.contains("#[domain(") {
        true => line.replace("..= ", "..=").into(),
        false => line.into(),
    }
}

/// Renames device functions and structs to plain names, because they are in the same file as the kernel in this text. A name
/// that the function binds itself gets the prefix `self::`.
struct Rename<'a> {
    names: &'a HashMap<&'a str, Ident>,
    links: &'a [Link],
    bound: Binders,
}

impl Rename<'_> {
    /// Renames the path of a device function.
    fn rename(&self, expr: &mut syn::Expr) {
        if let syn::Expr::Path(path) = expr {
            self.rename_path(&mut path.path);
        }
    }

    fn rename_path(&self, path: &mut syn::Path) {
        let written = link_name(&without_arguments(path));
        if let Some(link) = self.links.iter().find(|link| link.path == written) {
            let name = &self.names[link.id.as_str()];
            let mut last = syn::PathSegment::from(name.clone());
            last.arguments = path.segments.last().map(|last| last.arguments.clone()).unwrap_or_default();
            *path = match self.bound.has(name) {
                true => parse_quote!(self::#last),
                false => last.into(),
            };
        }
    }

    /// Renames the type in the path of a method, constant or variant, such as `Shape` in `geometry::Shape::Box`.
    fn rename_owner(&self, path: &mut syn::Path) {
        let mut owner = path.clone();
        let Some(last) = owner.segments.pop() else { return };
        owner.segments.pop_punct();
        let before = link_name(&owner);
        self.rename_path(&mut owner);
        if link_name(&owner) != before {
            owner.segments.push(last);
            *path = owner;
        }
    }

    /// Renames the derivatives in the arguments of `#[device]`.
    fn attribute(&self, attr: TokenStream) -> TokenStream {
        let parser = syn::punctuated::Punctuated::<syn::Meta, syn::Token![,]>::parse_terminated;
        let Ok(mut metas) = syn::parse::Parser::parse2(parser, attr.clone()) else { return attr };
        for meta in &mut metas {
            let syn::Meta::List(list) = meta else { continue };
            let parser = syn::punctuated::Punctuated::<syn::MetaNameValue, syn::Token![,]>::parse_terminated;
            let Ok(mut parts) = list.parse_args_with(parser) else { continue };
            for part in &mut parts {
                self.rename(&mut part.value);
            }
            list.tokens = parts.into_token_stream();
        }
        metas.into_token_stream()
    }
}

impl VisitMut for Rename<'_> {
    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        visit_values(mac, |value| self.visit_expr_mut(value));
    }

    fn visit_expr_call_mut(&mut self, call: &mut syn::ExprCall) {
        self.rename(&mut call.func);
        // A function may be an argument.
        call.args.iter_mut().for_each(|arg| self.rename(arg));
        visit_expr_call_mut(self, call);
    }

    /// A function as a value is no path of a device item, but a constant is.
    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        if path.path.segments.last().is_some_and(|last| is_constant_name(&last.ident.to_string())) {
            self.rename_path(&mut path.path);
        }
        self.rename_owner(&mut path.path);
        visit_expr_path_mut(self, path);
    }

    fn visit_type_path_mut(&mut self, ty: &mut syn::TypePath) {
        self.rename_path(&mut ty.path);
        visit_type_path_mut(self, ty);
    }

    fn visit_pat_struct_mut(&mut self, pattern: &mut syn::PatStruct) {
        self.rename_path(&mut pattern.path);
        visit_pat_struct_mut(self, pattern);
    }

    fn visit_expr_struct_mut(&mut self, value: &mut syn::ExprStruct) {
        self.rename_path(&mut value.path);
        visit_expr_struct_mut(self, value);
    }
}
