//! The author's source, formatted.

use proc_macro2::TokenStream;
use syn::parse_quote;

/// The annotated function as a source file, the way rustfmt lays it out; its attributes and those of its parameters
/// stay. Empty if `item` is not a function.
pub(super) fn format(attr: TokenStream, item: TokenStream) -> String {
    let Ok(mut function) = syn::parse2::<syn::ItemFn>(item) else { return String::new() };
    let kernel: syn::Attribute = match attr.is_empty() {
        true => parse_quote!(#[kernel]),
        false => parse_quote!(#[kernel(#attr)]),
    };
    let docs = function.attrs.iter().take_while(|attr| attr.path().is_ident("doc")).count();
    function.attrs.insert(docs, kernel);
    let items = vec![syn::Item::Fn(function)];
    prettyplease::unparse(&syn::File { shebang: None, frontmatter: None, attrs: Vec::new(), items })
}
