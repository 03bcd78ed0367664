//! Modules under `#[device]`: their functions, structs, enums, constants, aliases and methods are device items.

use super::arguments::derivatives;
use super::links::{DeviceItem, link_name};
use super::methods::{Method, attrs_of};
use super::passed::passed;
use super::syntax::{plain_name, take_attribute};
use proc_macro2::TokenStream;

/// An item of a device module.
#[derive(Clone, Debug)]
pub struct Part {
    /// The arguments of its own `#[device(…)]`, if it has one.
    pub attr: TokenStream,
    /// The item, without that attribute.
    pub item: DeviceItem,
}

/// The contents of a device module.
#[derive(Debug, Default)]
pub struct Contents {
    /// The device items.
    pub parts: Vec<Part>,
    /// The blocks of the methods among them, as the author wrote them.
    pub blocks: Vec<syn::ItemImpl>,
    /// Items that mean nothing to kernels: imports, and implementations of other traits.
    pub others: Vec<syn::Item>,
}

impl Contents {
    /// The contents of a module. A module in another file has none.
    pub fn of(module: &syn::ItemMod) -> Contents {
        let mut contents = Contents::default();
        for item in module.content.iter().flat_map(|(_, items)| items) {
            contents.add(item.clone());
        }
        contents
    }

    fn add(&mut self, item: syn::Item) {
        if let syn::Item::Impl(mut block) = item {
            let attrs = take_attributes(&mut block);
            match Method::all_of(&block) {
                Some(methods) => {
                    let part = |(method, attr)| Part { attr, item: DeviceItem::Method(Box::new(method)) };
                    self.parts.extend(methods.into_iter().zip(attrs).map(part));
                    self.blocks.push(block);
                }
                None => self.others.push(syn::Item::Impl(block)),
            }
            return;
        }
        match DeviceItem::of(item.clone()) {
            Some(
                mut item @ (DeviceItem::Function(_)
                | DeviceItem::Struct(_)
                | DeviceItem::Enum(_)
                | DeviceItem::Const(_)
                | DeviceItem::Alias(_)),
            ) => {
                let attr = take_attribute(item.attrs_mut(), "device").unwrap_or_default();
                self.parts.push(Part { attr, item });
            }
            Some(DeviceItem::Method(_) | DeviceItem::Module(_)) | None => self.others.push(item),
        }
    }
}

/// Removes `#[device(…)]` from the functions and constants of a block, and returns the arguments for each of them.
fn take_attributes(block: &mut syn::ItemImpl) -> Vec<TokenStream> {
    let attrs = block.items.iter_mut().filter_map(attrs_of);
    attrs.map(|attrs| take_attribute(attrs, "device").unwrap_or_default()).collect()
}

impl Part {
    /// The paths by which the item refers to items outside of the language.
    pub fn named(&self) -> Vec<syn::Path> {
        self.item.named_items(&self.attr)
    }

    /// The function among `parts` with this path.
    pub fn function(parts: &[Part], path: &str) -> Option<syn::ItemFn> {
        let name = path.strip_prefix("self::").unwrap_or(path);
        let part = parts.iter().find(|part| part.name().as_deref() == Some(name))?;
        match &part.item {
            DeviceItem::Function(function) => Some((**function).clone()),
            DeviceItem::Struct(_)
            | DeviceItem::Enum(_)
            | DeviceItem::Const(_)
            | DeviceItem::Alias(_)
            | DeviceItem::Method(_)
            | DeviceItem::Module(_) => None,
        }
    }

    /// The paths of the functions that the item passes to those that `function` finds by their paths.
    pub fn passed(&self, function: &dyn Fn(&str) -> Option<syn::ItemFn>) -> Vec<syn::Path> {
        match &self.item {
            DeviceItem::Function(item) => passed(item, function),
            DeviceItem::Method(method) => passed(&method.function, function),
            DeviceItem::Struct(_)
            | DeviceItem::Enum(_)
            | DeviceItem::Const(_)
            | DeviceItem::Alias(_)
            | DeviceItem::Module(_) => Vec::new(),
        }
    }

    /// The name by which the items of the module refer to the item; `None` for a method.
    pub fn name(&self) -> Option<String> {
        match &self.item {
            DeviceItem::Method(_) => None,
            DeviceItem::Function(_)
            | DeviceItem::Struct(_)
            | DeviceItem::Enum(_)
            | DeviceItem::Const(_)
            | DeviceItem::Alias(_)
            | DeviceItem::Module(_) => Some(plain_name(self.item.ident())),
        }
    }

    /// The derivatives that the arguments name.
    pub fn derivatives(&self) -> Vec<syn::Path> {
        derivatives(&self.attr)
    }
}

/// The paths by which the items of a device module refer to items outside of the language and of the module, without
/// duplicates.
pub(super) fn named_outside(module: &syn::ItemMod) -> Vec<syn::Path> {
    let parts = Contents::of(module).parts;
    let own: Vec<String> = parts.iter().filter_map(Part::name).collect();
    let mut found: Vec<syn::Path> = Vec::new();
    for path in parts.iter().flat_map(Part::named) {
        let written = link_name(&path);
        let is_own = own.iter().any(|name| written.strip_prefix("self::").unwrap_or(&written) == name);
        if !is_own && found.iter().all(|known| link_name(known) != written) {
            found.push(path);
        }
    }
    found
}
