//! The device items that a function or struct names.
//!
//! A macro sees the tokens of its own item only, so it asks for the others by these paths.

use super::arguments::derivatives;
use super::binders::Binders;
use super::links::{DeviceItem, link_name, without_arguments};
use super::syntax::{plain_name, table_type, ungrouped};
use super::{consts, foreign, messages, module, type_syntax, types};
use crate::ir::{AtomicOp, Type};
use crate::ops::{Syntax, TABLE};
use proc_macro2::TokenStream;
use std::collections::HashSet;
use syn::visit::{
    Visit, visit_expr_call, visit_expr_path, visit_expr_struct, visit_local, visit_pat_struct, visit_type_path,
};

/// The paths by which a kernel refers to items outside of the language, without duplicates.
pub fn named_in_kernel(item: &syn::ItemFn) -> Vec<syn::Path> {
    named_in_function(&TokenStream::new(), item)
}

/// The number of launch axes of the kernel with this body: that of the `tid` function that it calls.
pub fn launch_axes(body: &syn::Block) -> u8 {
    struct Axes(u8);

    impl Visit<'_> for Axes {
        fn visit_macro(&mut self, mac: &syn::Macro) {
            messages::message_values(mac).iter().for_each(|value| self.visit_expr(value));
        }

        fn visit_expr_call(&mut self, call: &syn::ExprCall) {
            if let syn::Expr::Path(path) = ungrouped(&call.func) {
                let name = path.path.segments.last().map(|last| plain_name(&last.ident)).unwrap_or_default();
                let axes = name.strip_prefix("tid").and_then(|axes| axes.parse().ok());
                self.0 = axes.filter(|axes| (2..=4).contains(axes)).unwrap_or(self.0);
            }
            visit_expr_call(self, call);
        }
    }

    let mut axes = Axes(1);
    axes.visit_block(body);
    axes.0
}

impl DeviceItem {
    /// The paths by which the item under `#[device(attr)]` refers to items outside of the language, without duplicates.
    pub fn named_items(&self, attr: &TokenStream) -> Vec<syn::Path> {
        match self {
            DeviceItem::Function(item) => named_in_function(attr, item),
            DeviceItem::Struct(item) => named_in_struct(item),
            // The numbers of the variants are literals.
            DeviceItem::Enum(_) => Vec::new(),
            DeviceItem::Const(item) => named_in_function(attr, &as_function(item)),
            DeviceItem::Alias(item) => named_in_alias(item),
            DeviceItem::Method(method) => {
                let mut paths = named_in_function(attr, &method.function);
                paths.extend(method.owner().filter(|owner| may_be_struct(owner) && !paths.contains(owner)).cloned());
                paths
            }
            DeviceItem::Module(item) => module::named_outside(item),
        }
    }
}

/// The paths in the signature, in the body, and in the arguments `attr` of `#[device]`, as derivatives.
fn named_in_function(attr: &TokenStream, item: &syn::ItemFn) -> Vec<syn::Path> {
    let bound = Binders::of(item);
    let mut params = Binders::default();
    params.visit_signature(&item.sig);
    let mut found = Named { own: plain_name(&item.sig.ident), bound, values: params, ..Named::default() };
    found.visit_signature(&item.sig);
    found.visit_block(&item.block);
    derivatives(attr).iter().for_each(|path| found.add(path));
    let is_parameter = |path: &syn::Path| item.sig.generics.params.iter().any(|param| is_name_of(param, path));
    found.paths.retain(|path| !is_parameter(path));
    found.paths
}

/// Whether `path` is the name of the generic parameter.
fn is_name_of(param: &syn::GenericParam, path: &syn::Path) -> bool {
    match param {
        syn::GenericParam::Type(param) => path.is_ident(&param.ident),
        syn::GenericParam::Const(param) => path.is_ident(&param.ident),
        syn::GenericParam::Lifetime(_) => false,
    }
}

/// The constant as a function without parameters, which gives its value. For a table it gives the first element,
/// because an array is no value.
pub fn as_function(item: &syn::ItemConst) -> syn::ItemFn {
    let syn::ItemConst { attrs, vis, ident, ty, expr, .. } = item;
    let docs = attrs.iter().filter(|attr| attr.path().is_ident("doc"));
    if let Some(syn::TypeArray { elem, .. }) = table_type(item) {
        return syn::parse_quote!(#(#docs)* #vis fn #ident() -> #elem { const #ident: #ty = #expr; #ident[0] });
    }
    syn::parse_quote!(#(#docs)* #vis fn #ident() -> #ty { #expr })
}

/// Whether the name is written as that of a constant: in capital letters.
pub fn is_constant_name(name: &str) -> bool {
    name.contains(char::is_uppercase) && !name.contains(char::is_lowercase)
}

/// The paths of the types of the fields. Empty for a generic struct, which the language does not have; a struct that holds
/// arrays has a lifetime.
fn named_in_struct(item: &syn::ItemStruct) -> Vec<syn::Path> {
    let mut found = Named::default();
    if item.generics.params.iter().any(|param| !matches!(param, syn::GenericParam::Lifetime(_))) {
        return found.paths;
    }
    item.fields.iter().for_each(|field| found.visit_type(&field.ty));
    // A struct in itself is reported where the struct is read.
    found.paths.retain(|path| !path.is_ident(&item.ident));
    found.paths
}

/// The paths in the type that has another name. Empty for a generic alias, which the language does not have.
fn named_in_alias(item: &syn::ItemType) -> Vec<syn::Path> {
    let mut found = Named::default();
    if item.generics.params.is_empty() {
        found.visit_type(&item.ty);
    }
    // rustc reports an alias of itself.
    found.paths.retain(|path| !path.is_ident(&item.ident));
    found.paths
}

#[derive(Default)]
struct Named {
    /// The name of the function itself.
    own: String,
    /// The names that it binds.
    bound: Binders,
    paths: Vec<syn::Path>,
    names: HashSet<String>,
    /// Parameters, which may be functions, and locals that are closures, which a later stage refuses. A call of one is not
    /// that of a device function.
    values: Binders,
}

impl Named {
    fn add(&mut self, path: &syn::Path) {
        if self.names.insert(link_name(path)) {
            self.paths.push(path.clone());
        }
    }
}

impl Visit<'_> for Named {
    fn visit_macro(&mut self, mac: &syn::Macro) {
        messages::message_values(mac).iter().for_each(|value| self.visit_expr(value));
    }

    fn visit_local(&mut self, local: &syn::Local) {
        visit_local(self, local);
        if let (syn::Pat::Ident(name), Some(init)) = (&local.pat, &local.init)
            && let syn::Expr::Closure(_) = ungrouped(&init.expr)
        {
            self.values.add(&name.ident);
        }
    }

    fn visit_expr_call(&mut self, call: &syn::ExprCall) {
        if let syn::Expr::Path(path) = ungrouped(&call.func)
            && may_be_device(path)
            && !path.path.is_ident(&self.own)
            && !path.path.get_ident().is_some_and(|name| self.values.has(name))
        {
            self.add(&without_arguments(&path.path));
        }
        visit_expr_call(self, call);
    }

    fn visit_expr_path(&mut self, path: &syn::ExprPath) {
        let is_bound = path.path.get_ident().is_some_and(|name| self.bound.has(name));
        if !is_bound && may_be_constant(path) && !path.path.is_ident(&self.own) {
            self.add(&path.path);
        }
        if let Some(owner) = owner(path)
            && may_be_struct(&owner)
        {
            self.add(&owner);
        }
        visit_expr_path(self, path);
    }

    fn visit_type_path(&mut self, ty: &syn::TypePath) {
        if ty.qself.is_none() && may_be_struct(&ty.path) {
            self.add(&without_arguments(&ty.path));
        }
        visit_type_path(self, ty);
    }

    fn visit_pat_struct(&mut self, pattern: &syn::PatStruct) {
        if pattern.qself.is_none() && may_be_struct(&pattern.path) {
            self.add(&pattern.path);
        }
        visit_pat_struct(self, pattern);
    }

    fn visit_expr_struct(&mut self, value: &syn::ExprStruct) {
        if value.qself.is_none() && may_be_struct(&value.path) {
            self.add(&value.path);
        }
        visit_expr_struct(self, value);
    }
}

/// The path before the last name of `path`, such as `Ray` of `Ray::at`.
pub fn owner(path: &syn::ExprPath) -> Option<syn::Path> {
    let mut owner = path.path.clone();
    owner.segments.pop()?;
    owner.segments.pop_punct();
    (path.qself.is_none() && !owner.segments.is_empty()).then_some(owner)
}

/// Whether an expression of this path can only be a device constant.
fn may_be_constant(path: &syn::ExprPath) -> bool {
    let names = type_syntax::path_names(path, &|_| None);
    let Some((name, owners)) = names.split_last() else { return false };
    let plain = path.qself.is_none() && path.path.segments.iter().all(|segment| segment.arguments.is_none());
    // `f32::MAX`, `Vec3::ZERO` and `f32::consts::PI` belong to the language.
    let is_owned = owners.last().is_some_and(|owner| {
        owner == "consts" || owner.starts_with(char::is_uppercase) || Type::from_rust_name(owner).is_some()
    });
    let is_known = owners.is_empty() && (consts::mathematical(name).is_some() || foreign::instead_of(name).is_some());
    plain && is_constant_name(name) && !is_owned && !is_known
}

/// Whether a type with this path can only be a device struct.
fn may_be_struct(path: &syn::Path) -> bool {
    let Some(name) = path.segments.last().map(|last| plain_name(&last.ident)) else { return false };
    // A struct that holds arrays is written with a lifetime.
    let is_lifetime = |arg: &syn::GenericArgument| matches!(arg, syn::GenericArgument::Lifetime(_));
    let is_plain = |segment: &syn::PathSegment| match &segment.arguments {
        syn::PathArguments::None => true,
        syn::PathArguments::AngleBracketed(args) => args.args.iter().all(is_lifetime),
        syn::PathArguments::Parenthesized(_) => false,
    };
    path.segments.iter().all(is_plain)
        && name.starts_with(char::is_uppercase)
        && name != "Self"
        && Type::from_rust_name(&name).is_none()
        && types::substitute(&name).is_none()
}

/// Whether a call by this path can only mean a device function.
fn may_be_device(path: &syn::ExprPath) -> bool {
    let names = type_syntax::path_names(path, &|_| None);
    let Some(name) = path.path.segments.last().map(|last| plain_name(&last.ident)) else { return false };
    // Module names are in lower case, and so is a scalar type such as `f32`.
    let is_type = |owner: &String| owner.starts_with(char::is_uppercase) || Type::from_rust_name(owner).is_some();
    let owned = names.len() > 1 && is_type(&names[names.len() - 2]);
    // The name of a generic function may have arguments.
    let before = path.path.segments.iter().rev().skip(1);
    let plain = path.qself.is_none() && before.into_iter().all(|segment| segment.arguments.is_none());
    // `block::<256>()` and `shared::<f32, 64>()`.
    let has_arguments = path.path.segments.last().is_some_and(|last| !last.arguments.is_none());
    let of_block = has_arguments && matches!(name.as_str(), "block" | "shared");
    plain
        && !owned
        && !of_block
        && !is_of_the_language(&name)
        && foreign::instead_of(&name).is_none()
        && name.starts_with(|c: char| c.is_lowercase() || c == '_')
}

/// Whether the language has a function, method or operation with this name.
pub(super) fn is_of_the_language(name: &str) -> bool {
    let is_word = |def: &crate::ops::OpDef| {
        def.name == name || matches!(def.rust, Syntax::Method(own) | Syntax::Assoc(own) if own == name)
    };
    let is_launch = matches!(name, "tid" | "tid2" | "tid3" | "tid4");
    is_launch || AtomicOp::ALL.iter().any(|op| op.name() == name) || TABLE.iter().any(is_word)
}
