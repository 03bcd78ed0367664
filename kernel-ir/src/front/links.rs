//! Device functions that a function may call, and the paths by which it refers to them.

use super::syntax::plain_name;
use crate::ir::Function;
use proc_macro2::TokenStream;
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// A device function as tokens.
#[derive(Clone, Debug)]
pub struct Source {
    /// A unique identifier of the function.
    pub id: String,
    /// The arguments of `#[device]`.
    pub attr: TokenStream,
    /// The function.
    pub item: TokenStream,
    /// The functions to which it refers. They come earlier in the list of sources.
    pub links: Vec<Link>,
}

/// The device functions that an annotated function uses.
#[derive(Clone, Debug, Default)]
pub struct Devices {
    /// The functions that it uses directly or indirectly, callees before callers.
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
            let own = syn::parse2::<syn::ItemFn>(source.item.clone()).map(|item| plain_name(&item.sig.ident));
            let own = own.unwrap_or_default();
            let mut names = std::iter::once(own.clone()).chain((1..).map(|number| format!("{own}_{number}")));
            names.find(|name| taken.insert(name.clone())).expect("the numbers do not end")
        };
        self.sources.iter().map(name_of).collect()
    }
}

/// A path, and the device function to which it refers.
#[derive(Clone, Debug)]
pub struct Link {
    /// The path as text, as [`link_name`] makes it.
    pub path: String,
    /// The [id](Source::id) of the function.
    pub id: String,
}

/// The functions that may be called, by their paths as text. `None` is a function with mistakes, which are reported at
/// its definition.
pub(super) type Callees = HashMap<String, Option<Arc<Function>>>;

/// The path as text, without spaces.
pub fn link_name(path: &syn::Path) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}

/// The prototype of a function, in Rust.
pub(super) fn prototype(function: &Function) -> String {
    let params = function.code.params.iter().map(|param| format!("{}: {}", param.name, param.rust_type()));
    let params: Vec<String> = params.collect();
    format!("fn {}({}) -> {}", function.name(), params.join(", "), function.ret.rust_name())
}
