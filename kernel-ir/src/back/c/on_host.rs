//! Headers that give CUDA a meaning on the host, so that a C++ compiler takes emitted CUDA text as it stands.

/// `halves.h` with functions that no other text shares, as those of `words.h`.
macro_rules! halves {
    () => {
        concat!("#define inline static inline\n", include_str!("halves.h"), "\n#undef inline\n")
    };
}

/// Memory as the threads of a GPU see it. Stands first, where there is one.
pub const MEMORY: &str = include_str!("on_host/memory.h");
/// The scheduler of a block: `weft_block::run` runs a kernel for all threads of a block side by side.
pub const BLOCK: &str = include_str!("on_host/block.h");
/// The words of CUDA for threads that wait for each other, over the namespace `weft_block`.
pub const BLOCK_WORDS: &str = include_str!("on_host/block_words.h");
/// The words of CUDA for one thread. They include those of the headers for floats of 16 bits.
pub const WORDS: &str = concat!(halves!(), include_str!("on_host/words.h"));
/// Waves of blocks, over [`MEMORY`] and [`BLOCK`].
pub const GRID: &str = include_str!("on_host/grid.h");
/// CUDA's runtime as far as exported programs call it.
pub(super) const RUNTIME: &str = include_str!("on_host/runtime.h");

/// CUDA's keywords and functions, with one thread at a time. Emitted CUDA text compiles and runs behind it, if
/// [`BLOCK_ON_HOST`] stands between the header and the text.
pub const CUDA_ON_HOST: &str = concat!(include_str!("on_host/threads.h"), halves!(), include_str!("on_host/words.h"));

/// The headers of CUDA that emitted text may include. Behind [`CUDA_ON_HOST`] they are empty.
pub const HEADERS: [&str; 2] = ["cuda_fp16.h", "cuda_bf16.h"];

/// Splits CUDA text into its includes of headers, which stand at its start, and the rest.
pub fn split_includes(text: &str) -> (&str, &str) {
    let is_include = |line: &&str| line.starts_with("#include <") || line.trim().is_empty();
    let length = text.split_inclusive('\n').take_while(is_include).map(str::len).sum();
    text.split_at(length)
}

/// The second part of [`CUDA_ON_HOST`]: the threads of a block.
pub const BLOCK_ON_HOST: &str = concat!(include_str!("on_host/block.h"), include_str!("on_host/block_words.h"));
