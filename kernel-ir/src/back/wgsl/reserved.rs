//! Reserved names: the keywords and reserved words of WGSL, and the names of types.

use crate::back::names::WordSet;
use crate::ir::Type;
use std::sync::LazyLock;

/// Whether no item of a text may have the name. Functions of the language are not in the list: a name hides one of
/// them, and the writer chooses others where the text calls the function.
pub(super) fn is_word(name: &str) -> bool {
    static SET: LazyLock<WordSet> =
        LazyLock::new(|| WordSet::new([WORDS, TYPES].into_iter().flat_map(str::split_ascii_whitespace)));
    name.starts_with("__") || name == "_" || SET.contains(name) || Type::from_name(name).is_some()
}

/// The keywords, and the words that WGSL reserves.
const WORDS: &str = "
    alias break case const const_assert continue continuing default diagnostic discard else enable false fn for if let
    loop override requires return struct switch true var while
    NULL Self abstract active alignas alignof as asm asm_fragment async attribute auto await become cast catch class
    co_await co_return co_yield coherent column_major common compile compile_fragment concept const_cast consteval
    constexpr constinit crate debugger decltype delete demote demote_to_helper do dynamic_cast enum explicit export
    extends extern external fallthrough filter final finally friend from fxgroup get goto groupshared highp impl
    implements import inline instanceof interface layout lowp macro macro_rules match mediump meta mod module move mut
    mutable namespace new nil noexcept noinline nointerpolation non_coherent noncoherent noperspective null nullptr of
    operator package packoffset partition pass patch pixelfragment precise precision premerge priv protected pub public
    readonly ref regardless register reinterpret_cast require resource restrict self set shared sizeof smooth snorm
    static static_assert static_cast std subroutine super target template this thread_local throw trait try type
    typedef typeid typename typeof union unless unorm unsafe unsized use using varying virtual volatile wgsl where with
    writeonly yield
";

/// The names of types, and what stands where a type may.
const TYPES: &str = "
    bool i32 u32 f32 f16 i64 u64 f64 array atomic ptr sampler vec2 vec3 vec4 vec2f vec3f vec4f vec2i vec3i vec4i vec2u
    vec3u vec4u vec2h vec3h vec4h mat2x2 mat2x3 mat2x4 mat3x2 mat3x3 mat3x4 mat4x2 mat4x3 mat4x4 read write read_write
    function private workgroup uniform storage args Args
";
