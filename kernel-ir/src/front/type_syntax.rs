//! Types as they are written.

use super::syntax::{plain_name, ungrouped_type};
use crate::ir::Type;

/// The types of the items that kernels name by paths.
pub(super) type Aliases<'a> = &'a dyn Fn(&syn::Path) -> Option<Type>;

/// The type of the language with this name. Only the last segment of a path counts.
pub(super) fn known(ty: &syn::Type) -> Option<Type> {
    known_among(ty, &|_| None)
}

/// The type of the language with this name, whose arguments may be `aliases`.
pub(super) fn known_among(ty: &syn::Type, aliases: Aliases<'_>) -> Option<Type> {
    let syn::Type::Path(path) = ungrouped_type(ty) else { return None };
    let last = path.path.segments.last()?;
    if path.qself.is_some() {
        return None;
    }
    Type::from_rust_name(&segment_name(last, aliases))
}

/// The type that is one of `aliases`, or of the language.
fn aliased_or_known(ty: &syn::Type, aliases: Aliases<'_>) -> Option<Type> {
    let syn::Type::Path(path) = ungrouped_type(ty) else { return None };
    aliases(&path.path).or_else(|| known_among(ty, aliases))
}

/// The name in a segment of a path, with its generic arguments as [`Type::rust_name`] writes them.
fn segment_name(segment: &syn::PathSegment, aliases: Aliases<'_>) -> String {
    let name = plain_name(&segment.ident);
    let syn::PathArguments::AngleBracketed(args) = &segment.arguments else { return name };
    let args: Vec<String> = args.args.iter().map(|arg| argument_name(arg, aliases)).collect();
    format!("{name}<{}>", args.join(", "))
}

/// The names in a path, with types in the place of `aliases`. `<T>::MAX`, to which `$t::MAX` in `macro_rules!` expands,
/// counts as `T::MAX`.
pub(super) fn path_names(path: &syn::ExprPath, aliases: Aliases<'_>) -> Vec<String> {
    let owner = path.qself.as_ref().and_then(|owner| aliased_or_known(&owner.ty, aliases));
    let names = path.path.segments.iter().map(|segment| segment_name(segment, aliases));
    owner.map(Type::rust_name).into_iter().chain(names).collect()
}

/// The text of a generic argument: a type of the language or a size; `_` for anything else.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "syn's enums are open: what is not listed is no type of the language"
)]
fn argument_name(argument: &syn::GenericArgument, aliases: Aliases<'_>) -> String {
    let name = match argument {
        syn::GenericArgument::Type(ty) => aliased_or_known(ty, aliases).map(Type::rust_name),
        syn::GenericArgument::Const(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(size), .. })) => {
            Some(size.base10_digits().to_owned())
        }
        _ => None,
    };
    name.unwrap_or_else(|| "_".to_owned())
}

/// The element type of `Vec<T>`, `Array1<T>` and `[T; n]`, for the hint to use a slice.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "syn's enums are open: what is not listed is refused, or left as it is"
)]
pub(super) fn one_axis(ty: &syn::Type) -> Option<&syn::Type> {
    match ungrouped_type(ty) {
        syn::Type::Array(array) => Some(&array.elem),
        syn::Type::Path(path) => {
            let last = path.path.segments.last().filter(|last| last.ident == "Vec" || last.ident == "Array1")?;
            only_argument(last)
        }
        _ => None,
    }
}

/// The type `T` in `Name<T>`.
fn only_argument(segment: &syn::PathSegment) -> Option<&syn::Type> {
    let syn::PathArguments::AngleBracketed(args) = &segment.arguments else { return None };
    match args.args.first() {
        Some(syn::GenericArgument::Type(elem)) if args.args.len() == 1 => Some(elem),
        _ => None,
    }
}

/// The type `T` in `Option<T>`.
pub(super) fn optional(ty: &syn::Type) -> Option<&syn::Type> {
    let syn::Type::Path(path) = ungrouped_type(ty) else { return None };
    only_argument(path.path.segments.last().filter(|last| last.ident == "Option")?)
}

/// The element type and the number of axes of `[T]` and of `Array2<T>` to `Array4<T>`.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "syn's enums are open: what is not listed is refused, or left as it is"
)]
pub(super) fn array_of(ty: &syn::Type) -> Option<(&syn::Type, u8)> {
    match ungrouped_type(ty) {
        syn::Type::Slice(slice) => Some((&slice.elem, 1)),
        syn::Type::Path(path) => {
            let last = path.path.segments.last()?;
            let rank = match last.ident.to_string().as_str() {
                "Array2" => 2,
                "Array3" => 3,
                "Array4" => 4,
                _ => return None,
            };
            Some((only_argument(last)?, rank))
        }
        _ => None,
    }
}
