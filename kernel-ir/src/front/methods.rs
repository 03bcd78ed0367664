//! Reads the methods of device structs: the functions and constants of `impl` blocks, and operators.
//!
//! A method is a device function whose first parameter is `self`, or whose path starts with the struct. As such a function
//! it is called `ray_at`, where `at` is a method of `Ray`, and `self` is called `this`.

use super::messages::visit_values;
use super::syntax::{plain_name, ungrouped_type};
use quote::ToTokens;
use syn::visit_mut::{
    VisitMut, visit_expr_mut, visit_expr_path_mut, visit_expr_struct_mut, visit_pat_struct_mut, visit_type_mut,
};

/// The traits that are operators between two values, with their symbols.
const INFIX: [(&str, &str); 10] = [
    ("Add", "+"),
    ("Sub", "-"),
    ("Mul", "*"),
    ("Div", "/"),
    ("Rem", "%"),
    ("AddAssign", "+="),
    ("SubAssign", "-="),
    ("MulAssign", "*="),
    ("DivAssign", "/="),
    ("RemAssign", "%="),
];

/// An `impl` block with one function or constant.
#[derive(Clone, Debug)]
pub struct Method {
    /// The block.
    pub item: syn::ItemImpl,
    /// The name of the method as a device function.
    pub ident: syn::Ident,
    /// How the method is called.
    pub(super) role: Role,
    /// The function. A constant is a function without parameters.
    pub(super) function: syn::ItemFn,
}

/// How a method is called.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Role {
    /// By its name, behind a value or the name of the struct.
    Named(String),
    /// By an operator between two values. The second has the given type; without one, that of the first.
    Infix(&'static str, Option<Box<syn::Type>>),
    /// By a minus sign.
    Negation,
}

impl Method {
    /// The methods of a block, each in a block of its own; `None` for a trait that means nothing to kernels.
    pub fn all_of(item: &syn::ItemImpl) -> Option<Vec<Method>> {
        let (members, others): (Vec<_>, Vec<_>) = item
            .items
            .iter()
            .cloned()
            .partition(|member| matches!(member, syn::ImplItem::Fn(_) | syn::ImplItem::Const(_)));
        let alone = |member: syn::ImplItem| {
            let items = others.iter().cloned().chain([member]).collect();
            Method::of(syn::ItemImpl { items, ..item.clone() })
        };
        members.into_iter().map(alone).collect()
    }

    /// The method in a block with one function or constant.
    pub(super) fn of(item: syn::ItemImpl) -> Option<Method> {
        let syn::Type::Path(owner) = ungrouped_type(&item.self_ty) else { return None };
        let mut function = item.items.iter().find_map(as_function)?;
        let name = plain_name(&function.sig.ident);
        let role = match &item.trait_ {
            None => Role::Named(name.clone()),
            Some((path, _)) => operator(path)?,
        };
        let owner_name = plain_name(&owner.path.segments.last()?.ident);
        let ident = syn::Ident::new(&format!("{}_{name}", snake_case(&owner_name)), function.sig.ident.span());
        function.sig.ident = ident.clone();
        let mut changes_self = false;
        if let Some(first) = function.sig.inputs.first_mut()
            && let syn::FnArg::Receiver(receiver) = first
        {
            let this = syn::Ident::new("this", receiver.self_token.span);
            let ty = &item.self_ty;
            changes_self = matches!(receiver.kind, syn::ReceiverKind::Reference(_, _, Some(_)));
            *first = if changes_self { syn::parse_quote!(#this: &mut #ty) } else { syn::parse_quote!(#this: #ty) };
        }
        Renamed { owner: &owner.path, ty: &item.self_ty, changes_self }.visit_item_fn_mut(&mut function);
        Some(Method { item, ident, role, function })
    }

    /// The path of the type that has the method.
    pub(super) fn owner(&self) -> Option<&syn::Path> {
        let syn::Type::Path(owner) = ungrouped_type(&self.item.self_ty) else { return None };
        Some(&owner.path)
    }

    /// The attributes of the function or constant in the block.
    pub(super) fn attrs_mut(&mut self) -> &mut Vec<syn::Attribute> {
        match self.item.items.iter_mut().find_map(attrs_of) {
            Some(attrs) => attrs,
            None => &mut self.item.attrs,
        }
    }

    /// The name or the first sign by which code calls the method.
    pub(super) fn word(&self) -> &str {
        match &self.role {
            Role::Named(name) => name,
            Role::Infix(symbol, _) => symbol.trim_end_matches('='),
            Role::Negation => "-",
        }
    }
}

/// The attributes of a function or constant.
pub(super) fn attrs_of(member: &mut syn::ImplItem) -> Option<&mut Vec<syn::Attribute>> {
    if let syn::ImplItem::Fn(function) = member {
        Some(&mut function.attrs)
    } else if let syn::ImplItem::Const(constant) = member {
        Some(&mut constant.attrs)
    } else {
        None
    }
}

/// The function or constant as a function.
fn as_function(member: &syn::ImplItem) -> Option<syn::ItemFn> {
    if let syn::ImplItem::Fn(syn::ImplItemFn { attrs, vis, sig, block, .. }) = member {
        let mut function: syn::ItemFn = syn::parse_quote!(#vis #sig {});
        function.attrs.clone_from(attrs);
        *function.block = block.clone();
        return Some(function);
    }
    let syn::ImplItem::Const(syn::ImplItemConst { attrs, vis, ident, ty, expr, .. }) = member else { return None };
    let docs = attrs.iter().filter(|attr| attr.path().is_ident("doc"));
    Some(syn::parse_quote!(#(#docs)* #vis fn #ident() -> #ty { #expr }))
}

/// The operator of a trait.
fn operator(path: &syn::Path) -> Option<Role> {
    let last = path.segments.last()?;
    let name = plain_name(&last.ident);
    if name == "Neg" {
        return Some(Role::Negation);
    }
    let (_, symbol) = INFIX.into_iter().find(|(known, _)| *known == name)?;
    let right = match &last.arguments {
        syn::PathArguments::AngleBracketed(args) => args.args.iter().find_map(|arg| {
            let syn::GenericArgument::Type(ty) = arg else { return None };
            Some(Box::new(ty.clone()))
        }),
        syn::PathArguments::None | syn::PathArguments::Parenthesized(_) => None,
    };
    Some(Role::Infix(symbol, right))
}

/// `rigid_body` for `RigidBody`.
fn snake_case(name: &str) -> String {
    let mut out = String::new();
    for (place, letter) in name.chars().enumerate() {
        if letter.is_uppercase() && place > 0 && !out.ends_with('_') {
            out.push('_');
        }
        out.extend(letter.to_lowercase());
    }
    out
}

/// Replaces `self` by `this`, and `Self` by the struct.
struct Renamed<'a> {
    owner: &'a syn::Path,
    ty: &'a syn::Type,
    /// Whether the receiver is `&mut self`.
    changes_self: bool,
}

impl Renamed<'_> {
    /// Replaces `Self` at the start of a path.
    fn rename(&self, path: &mut syn::Path) {
        if path.segments.first().is_some_and(|first| first.ident == "Self") {
            let rest = path.segments.iter().skip(1).cloned();
            path.segments = self.owner.segments.iter().cloned().chain(rest).collect();
            path.leading_colon = self.owner.leading_colon;
        }
    }
}

impl VisitMut for Renamed<'_> {
    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        visit_values(mac, |value| self.visit_expr_mut(value));
    }

    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        // A method by `&self` reads the value: `*self` is `self`.
        if !self.changes_self
            && let syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), expr: inner, .. }) = expr
            && let syn::Expr::Path(path) = &**inner
            && path.path.is_ident("self")
        {
            *expr = (**inner).clone();
        }
        visit_expr_mut(self, expr);
    }

    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        if let Some(first) = path.path.segments.first_mut()
            && first.ident == "self"
            && path.qself.is_none()
        {
            first.ident = syn::Ident::new("this", first.ident.span());
        }
        self.rename(&mut path.path);
        visit_expr_path_mut(self, path);
    }

    fn visit_expr_struct_mut(&mut self, value: &mut syn::ExprStruct) {
        self.rename(&mut value.path);
        visit_expr_struct_mut(self, value);
    }

    fn visit_pat_struct_mut(&mut self, pattern: &mut syn::PatStruct) {
        self.rename(&mut pattern.path);
        visit_pat_struct_mut(self, pattern);
    }

    fn visit_type_mut(&mut self, ty: &mut syn::Type) {
        if let syn::Type::Path(path) = ty
            && path.path.is_ident("Self")
        {
            *ty = self.ty.clone();
        }
        visit_type_mut(self, ty);
    }
}

impl ToTokens for Method {
    fn to_tokens(&self, tokens: &mut proc_macro2::TokenStream) {
        self.item.to_tokens(tokens);
    }
}
