//! Device functions, structs, constants and aliases that a function may use, and the paths by which it refers to them.

use super::binders::Binders;
use super::methods::Method;
use super::syntax::plain_name;
use crate::ir::{Function, Kernel, Param, ParamKind, SizeExpr, Type};
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::collections::HashSet;
use std::sync::Arc;

/// A device item as tokens.
#[derive(Clone, Debug)]
pub struct Source {
    /// A unique identifier of the item.
    pub id: String,
    /// The arguments of `#[device]`.
    pub attr: TokenStream,
    /// The item itself.
    pub item: TokenStream,
    /// The items to which it refers. They come earlier in the list of sources.
    pub links: Vec<Link>,
}

/// The device items that an annotated item uses.
#[derive(Clone, Debug, Default)]
pub struct Devices {
    /// The items that it uses directly or indirectly. An item comes after those that it uses.
    pub sources: Vec<Source>,
    /// The paths by which it refers to some of them directly.
    pub links: Vec<Link>,
}

impl Devices {
    /// The name of each source in the IR of a function called `name`: its own name, with a number appended if the name
    /// is taken.
    pub fn names(&self, name: &str) -> Vec<String> {
        let mut taken = HashSet::from([name.to_owned()]);
        let name_of = |source: &Source| {
            let own = DeviceItem::parse(source.item.clone()).map(|item| plain_name(item.ident())).unwrap_or_default();
            let mut names = std::iter::once(own.clone()).chain((1..).map(|number| format!("{own}_{number}")));
            names.find(|name| taken.insert(name.clone())).expect("the numbers do not end")
        };
        self.sources.iter().map(name_of).collect()
    }
}

/// The syntax of an item under `#[device]`.
#[derive(Clone, Debug)]
pub enum DeviceItem {
    /// A function.
    Function(Box<syn::ItemFn>),
    /// A struct.
    Struct(Box<syn::ItemStruct>),
    /// An enum.
    Enum(Box<syn::ItemEnum>),
    /// A constant.
    Const(Box<syn::ItemConst>),
    /// Another name of a type.
    Alias(Box<syn::ItemType>),
    /// A method or constant of a struct: an `impl` block with one function or constant.
    Method(Box<Method>),
    /// A module, whose items are device items.
    Module(Box<syn::ItemMod>),
}

impl DeviceItem {
    /// Parses an item; `None` if it is of another kind.
    pub fn parse(tokens: TokenStream) -> Option<DeviceItem> {
        DeviceItem::of(syn::parse2(tokens).ok()?)
    }

    /// The item; `None` if it is of another kind.
    #[expect(
        clippy::wildcard_enum_match_arm,
        reason = "syn's enums are open: what is not listed is refused, or left as it is"
    )]
    pub(super) fn of(item: syn::Item) -> Option<DeviceItem> {
        match item {
            syn::Item::Fn(function) => Some(DeviceItem::Function(Box::new(function))),
            syn::Item::Struct(item) => Some(DeviceItem::Struct(Box::new(item))),
            syn::Item::Enum(item) => Some(DeviceItem::Enum(Box::new(item))),
            syn::Item::Const(item) => Some(DeviceItem::Const(Box::new(item))),
            syn::Item::Type(item) => Some(DeviceItem::Alias(Box::new(item))),
            syn::Item::Impl(item) => Some(DeviceItem::Method(Box::new(Method::of(item)?))),
            syn::Item::Mod(item) => Some(DeviceItem::Module(Box::new(item))),
            _ => None,
        }
    }

    /// The name of the item.
    pub fn ident(&self) -> &syn::Ident {
        match self {
            DeviceItem::Function(function) => &function.sig.ident,
            DeviceItem::Struct(item) => &item.ident,
            DeviceItem::Enum(item) => &item.ident,
            DeviceItem::Const(item) => &item.ident,
            DeviceItem::Alias(item) => &item.ident,
            DeviceItem::Method(method) => &method.ident,
            DeviceItem::Module(item) => &item.ident,
        }
    }

    /// The names that the item binds itself.
    pub fn binders(&self) -> Binders {
        match self {
            DeviceItem::Function(function) => Binders::of(function),
            DeviceItem::Method(method) => Binders::of(&method.function),
            DeviceItem::Struct(_)
            | DeviceItem::Enum(_)
            | DeviceItem::Const(_)
            | DeviceItem::Alias(_)
            | DeviceItem::Module(_) => Binders::default(),
        }
    }

    /// The attributes of the item; of a method those of its block.
    pub fn attrs(&self) -> &[syn::Attribute] {
        match self {
            DeviceItem::Function(function) => &function.attrs,
            DeviceItem::Struct(item) => &item.attrs,
            DeviceItem::Enum(item) => &item.attrs,
            DeviceItem::Const(item) => &item.attrs,
            DeviceItem::Alias(item) => &item.attrs,
            DeviceItem::Method(method) => &method.item.attrs,
            DeviceItem::Module(item) => &item.attrs,
        }
    }

    /// The attributes of the item; of a method its own.
    pub fn attrs_mut(&mut self) -> &mut Vec<syn::Attribute> {
        match self {
            DeviceItem::Function(function) => &mut function.attrs,
            DeviceItem::Struct(item) => &mut item.attrs,
            DeviceItem::Enum(item) => &mut item.attrs,
            DeviceItem::Const(item) => &mut item.attrs,
            DeviceItem::Alias(item) => &mut item.attrs,
            DeviceItem::Method(method) => method.attrs_mut(),
            DeviceItem::Module(item) => &mut item.attrs,
        }
    }
}

impl From<DeviceItem> for syn::Item {
    fn from(item: DeviceItem) -> syn::Item {
        match item {
            DeviceItem::Function(function) => syn::Item::Fn(*function),
            DeviceItem::Struct(item) => syn::Item::Struct(*item),
            DeviceItem::Enum(item) => syn::Item::Enum(*item),
            DeviceItem::Const(item) => syn::Item::Const(*item),
            DeviceItem::Alias(item) => syn::Item::Type(*item),
            DeviceItem::Method(method) => syn::Item::Impl(method.item),
            DeviceItem::Module(item) => syn::Item::Mod(*item),
        }
    }
}

impl ToTokens for DeviceItem {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match self {
            DeviceItem::Function(function) => function.to_tokens(tokens),
            DeviceItem::Struct(item) => item.to_tokens(tokens),
            DeviceItem::Enum(item) => item.to_tokens(tokens),
            DeviceItem::Const(item) => item.to_tokens(tokens),
            DeviceItem::Alias(item) => item.to_tokens(tokens),
            DeviceItem::Method(method) => method.to_tokens(tokens),
            DeviceItem::Module(item) => item.to_tokens(tokens),
        }
    }
}

/// A path, and the device item to which it refers.
#[derive(Clone, Debug)]
pub struct Link {
    /// The path as text, as [`link_name`] makes it.
    pub path: String,
    /// The [id](Source::id) of the item.
    pub id: String,
}

/// The code of a device function.
#[derive(Clone, Debug)]
pub(super) enum DeviceCode {
    /// A function without effects, which the IR calls.
    Function(Arc<Function>),
    /// A function that changes arrays. Its code takes the place of its calls, so that every stage sees the changes.
    Procedure(Arc<Procedure>),
}

/// A device function that changes arrays.
#[derive(Clone, Debug)]
pub(super) struct Procedure {
    /// Its code. It has no launch axes.
    pub(super) code: Kernel,
    /// The type of its result, if it has one.
    pub(super) ret: Option<Type>,
}

impl DeviceCode {
    /// The code under this name.
    pub(super) fn named(mut self, name: String) -> DeviceCode {
        match &mut self {
            DeviceCode::Function(function) => Arc::make_mut(function).code.name = name,
            DeviceCode::Procedure(procedure) => Arc::make_mut(procedure).code.name = name,
        }
        self
    }

    pub(super) fn code(&self) -> &Kernel {
        match self {
            DeviceCode::Function(function) => &function.code,
            DeviceCode::Procedure(procedure) => &procedure.code,
        }
    }

    pub(super) fn ret(&self) -> Option<Type> {
        match self {
            DeviceCode::Function(function) => Some(function.ret),
            DeviceCode::Procedure(procedure) => procedure.ret,
        }
    }
}

/// The path without the arguments of its last name: `lerp` of `lerp::<f32>`.
pub fn without_arguments(path: &syn::Path) -> syn::Path {
    let mut path = path.clone();
    if let Some(last) = path.segments.last_mut() {
        last.arguments = syn::PathArguments::None;
    }
    path
}

/// The path as text, without spaces.
pub fn link_name(path: &syn::Path) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}

/// The prototype of a function, in Rust.
pub(super) fn prototype(function: &DeviceCode) -> String {
    let code = function.code();
    let params: Vec<String> = code.params.iter().map(|param| format!("{}: {}", param.name, type_of(param))).collect();
    let ret = function.ret().map_or_else(String::new, |ret| format!(" -> {}", ret.rust_name()));
    format!("fn {}({}){ret}", code.name, params.join(", "))
}

/// The type of a parameter of a function, in Rust.
pub(super) fn type_of(param: &Param) -> String {
    let ParamKind::Array { elem, mutable, shape, .. } = &param.kind else { return param.rust_type() };
    let (reference, elem) = (if *mutable { "&mut " } else { "&" }, elem.rust_name());
    match shape.as_slice() {
        [] => format!("{reference}{elem}"),
        [SizeExpr::Literal(len @ 1..)] => format!("{reference}[{elem}; {len}]"),
        _ => param.rust_type(),
    }
}

/// Whether calls can pass an array of a kernel. Code that takes something else is inserted.
pub(super) fn is_of_kernels(param: &Param) -> bool {
    match &param.kind {
        ParamKind::Value(_) => true,
        ParamKind::Array { elem, shape, .. } => {
            elem.layout().is_some() && !shape.is_empty() && shape.iter().all(|extent| *extent == Param::NO_EXTENT)
        }
    }
}
