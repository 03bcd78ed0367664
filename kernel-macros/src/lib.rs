//! The attribute macro `#[kernel]`.

use proc_macro::TokenStream;

/// Makes a kernel of a function.
#[proc_macro_attribute]
pub fn kernel(_attr: TokenStream, item: TokenStream) -> TokenStream {
    item
}
