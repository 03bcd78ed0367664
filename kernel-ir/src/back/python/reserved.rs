//! Reserved names: the keywords of Python and C++, and the helpers of the module.

use super::prelude::Helpers;
use super::types::definition;
use crate::back::names::WordSet;
use crate::ir::Type;
use std::sync::LazyLock;

/// Python's keywords, and the built-in names that emitted code calls.
const PYTHON: &str = "
    False None True and as assert async await break class continue def del elif else except finally for from global
    if import in is lambda nonlocal not or pass raise return try while with yield Any bool float int range wp
";

/// C++'s keywords, because Warp generates C++ with the names of the parameters.
const CPP: &str = "
    alignas alignof asm auto case catch char concept const consteval constexpr constinit decltype default delete do
    double enum explicit export extern false friend goto inline long mutable namespace new noexcept nullptr
    operator private protected public register requires short signed sizeof static struct switch template this
    throw true typedef typeid typename union unsigned using virtual void volatile wchar_t xor
";

/// Whether `name` is unavailable in a module with these helpers.
pub(super) fn is_reserved(name: &str, helpers: &Helpers) -> bool {
    static WORDS: LazyLock<WordSet> =
        LazyLock::new(|| WordSet::new([PYTHON, CPP].into_iter().flat_map(str::split_ascii_whitespace)));
    WORDS.contains(name) || helpers.has(name) || Type::from_name(name).is_some_and(|ty| definition(ty).is_some())
}
