//! Reads the types that a kernel may name.

use super::items::Known;
use super::links::link_name;
use super::syntax::ungrouped_type;
use super::type_syntax::known_among;
use crate::diag::Diagnostic;
use crate::ir::{SpanTable, Struct, Type};

/// The type of the language or the device struct that `ty` names, perhaps by an alias. A diagnostic if there is none,
/// unless it is an item with mistakes.
pub(super) fn read(
    ty: &syn::Type,
    items: &Known,
    spans: &mut SpanTable,
    diagnostics: &mut Vec<Diagnostic>,
) -> Option<Type> {
    let mut is_reported = false;
    let mut named = || {
        let syn::Type::Path(path) = ungrouped_type(ty) else { return None };
        let found = items.named_type(&link_name(&path.path)).filter(|_| path.qself.is_none())?;
        is_reported = found.is_none();
        found
    };
    let alias = |path: &syn::Path| items.named_type(&link_name(path)).flatten();
    let found = named().or_else(|| known_among(ty, &alias)).or_else(|| {
        let syn::Type::Tuple(tuple) = ungrouped_type(ty) else { return None };
        // A tuple of one value would be a struct of its own.
        let types = tuple.elems.iter().map(|ty| read(ty, items, spans, diagnostics));
        let types = types.collect::<Option<Vec<Type>>>().filter(|types| types.len() > 1)?;
        Some(Type::of_struct(Struct::tuple(types)))
    });
    if found.is_none() && !is_reported {
        let span = spans.insert_tokens(ty);
        diagnostics
            .push(Diagnostic::new(span, "this type is not in the kernel language").help(substitute_of(ty).unwrap_or(
            "use `f16 bf16 f32 f64 i8 u8 i16 u16 i32 u32 i64 u64 bool usize`, a vector, matrix or quaternion such as `Vec3`, \
                 a struct under `#[device]`, or an array of those",
        )));
    }
    found
}

/// The help text for a type outside of the language.
#[expect(
    clippy::wildcard_enum_match_arm,
    reason = "syn's enums are open: what is not listed is refused, or left as it is"
)]
fn substitute_of(ty: &syn::Type) -> Option<&'static str> {
    let path = match ungrouped_type(ty) {
        syn::Type::Path(path) => path,
        syn::Type::Array(_) | syn::Type::Slice(_) => return Some("a kernel takes its arrays as `&[T]` or `&mut [T]`"),
        syn::Type::Reference(_) => return Some("use the type of the value itself; arrays of arrays are `&Array2<T>`"),
        syn::Type::Tuple(tuple) => {
            return Some(match tuple.elems.len() {
                0 => "remove it: a function without a result has no `->`",
                1 => "write the type without the comma",
                _ => "a tuple consists of the types of the language, and of device structs",
            });
        }
        syn::Type::Infer(_) => return Some("write the type"),
        syn::Type::FnPtr(_) | syn::Type::ImplTrait(_) => {
            return Some("a device function takes a function as `f: impl Fn(f32) -> f32`");
        }
        _ => return None,
    };
    substitute(&path.path.segments.last()?.ident.to_string())
}

/// The help text for a type name outside of the language.
pub(super) fn substitute(name: &str) -> Option<&'static str> {
    match name {
        "isize" => Some("use `i32`"),
        "i128" => Some("use `i64`"),
        "u128" => Some("use `u64`"),
        "Vec3A" => Some("use `Vec3`"),
        "Quaternion" => Some("use `Quat` or `DQuat`"),
        _ if name.starts_with("Vector") || is_sized(name, "Vec") => Some(
            "a vector is `Vector<T, N>`: `T` is one of `f32 f64 i32 u32 i64 u64`, and `N` is a number from 1 to 16, such as \
             `Vector<f32, 6>`",
        ),
        _ if name.starts_with("Matrix") || is_sized(name, "Mat") => Some(
            "a matrix is `Matrix<T, R, C>`: `T` is `f32` or `f64`, and the numbers of rows and columns are from 1 to 16, such \
             as `Matrix<f32, 6, 6>`",
        ),
        "Affine2" => Some("use `Mat3`"),
        "Affine3A" => Some("use `Mat4`"),
        "Vec" | "Box" => Some("a kernel takes its arrays as `&[T]` or `&mut [T]`"),
        "String" | "str" => Some("the kernel language has no strings"),
        _ => None,
    }
}

/// Whether the name is like `DVec5` or `Mat2x3`.
fn is_sized(name: &str, family: &str) -> bool {
    let rest = name.find(family).map(|place| &name[place + family.len()..]);
    rest.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()))
}
