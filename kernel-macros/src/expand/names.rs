//! The paths that emitted code names. They are absolute and lead through one hidden module, so that the code means the
//! same whatever the user's module has in scope.

use kernel_ir::ir::Type;
use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;

/// The span of everything that the macro itself writes: its local names do not meet the author's.
pub(super) fn ours() -> Span {
    Span::mixed_site()
}

/// The module of the runtime that holds everything that emitted code needs.
pub(super) fn runtime() -> TokenStream {
    runtime_at(ours())
}

/// The same, as if it were written at `span`: what rustc says about it points there.
pub(super) fn runtime_at(span: Span) -> TokenStream {
    quote_spanned!(span=> ::kernel_rt::__private)
}

/// The Rust type of that IR type.
pub(super) fn rust_type(ty: Type) -> TokenStream {
    let name = Ident::new(&ty.rust_name(), ours());
    let rt = runtime();
    quote_spanned!(ours()=> #rt::types::#name)
}
