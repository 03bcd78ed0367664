//! Device functions that a function may call, and the paths that lead to them.

use super::syntax::plain_name;
use crate::ir::Function;
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A device function as its author wrote it.
#[derive(Clone, Debug)]
pub struct Source {
    /// What tells it from all others.
    pub id: String,
    /// The arguments of `#[device]`.
    pub attr: TokenStream,
    /// The function.
    pub item: TokenStream,
    /// The functions that it names. They stand before it.
    pub links: Vec<Link>,
}

/// The device functions around an annotated function.
#[derive(Clone, Debug, Default)]
pub struct Devices {
    /// The functions that it needs, callees before their callers.
    pub sources: Vec<Source>,
    /// The paths by which it names some of them.
    pub links: Vec<Link>,
}

impl Devices {
    /// The name of each source in the IR of a function called `name`: its own, with a number where it is not the first.
    pub fn names(&self, name: &str) -> Vec<String> {
        let mut taken = HashSet::from([name.to_owned()]);
        let name_of = |source: &Source| {
            let own = syn::parse2::<syn::ItemFn>(source.item.clone()).map(|item| plain_name(&item.sig.ident));
            let own = own.unwrap_or_default();
            let mut names = std::iter::once(own.clone()).chain((1..).map(|number| format!("{own}_{number}")));
            names.find(|name| taken.insert(name.clone())).expect("the numbers do not end")
        };
        self.sources.iter().map(name_of).collect()
    }
}

/// A path and the device function that it leads to.
#[derive(Clone, Debug)]
pub struct Link {
    /// The path as it is written, by [`link_name`].
    pub path: String,
    /// The [id](Source::id) of the function.
    pub id: String,
}

/// The functions that may be called, by [`link_name`]; `None` is one with mistakes, which are reported where it is defined.
pub(super) type Callees = HashMap<String, Option<Arc<Function>>>;

/// A path as text.
pub fn link_name(path: &syn::Path) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}

/// The head of a function, as Rust has it.
pub(super) fn prototype(function: &Function) -> String {
    let params = function.code.params.iter().map(|param| format!("{}: {}", param.name, param.elem().rust_name()));
    let params: Vec<String> = params.collect();
    format!("fn {}({}) -> {}", function.name(), params.join(", "), function.ret.rust_name())
}
