//! Paths in emitted code. They are absolute and go through one hidden module, so that they do not depend on the names
//! in the user's scope.

use kernel_ir::ir::{Shape, Type};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote_spanned;

/// The span of all code that the macro writes. Its hygiene keeps local names apart from the author's.
pub(super) fn ours() -> Span {
    Span::mixed_site()
}

/// The module of the runtime with all names for emitted code.
pub(super) fn runtime() -> TokenStream {
    runtime_at(ours())
}

/// The same path with the span `span`, so that rustc reports errors there.
pub(super) fn runtime_at(span: Span) -> TokenStream {
    quote_spanned!(span=> ::kernel_rt::__private)
}

/// The Rust type of an IR type.
pub(super) fn rust_type(ty: Type) -> TokenStream {
    let rt = runtime();
    let scalar = Ident::new(ty.scalar().name(), ours());
    let scalar = quote_spanned!(ours()=> #rt::types::#scalar);
    let size = |n: u8| Literal::usize_unsuffixed(n.into());
    match ty.shape {
        Shape::Scalar => scalar,
        Shape::Vector(n) => {
            let n = size(n);
            quote_spanned!(ours()=> #rt::types::Vector<#scalar, #n>)
        }
        Shape::Matrix(rows, columns) => {
            let (rows, columns) = (size(rows), size(columns));
            quote_spanned!(ours()=> #rt::types::Matrix<#scalar, #rows, #columns>)
        }
        Shape::Quat => quote_spanned!(ours()=> #rt::types::Quaternion<#scalar>),
        // No parameter of a kernel is a struct or a tile.
        Shape::Struct(_) | Shape::Tile(..) => scalar,
    }
}
