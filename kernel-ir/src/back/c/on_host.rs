//! Headers that give CUDA a meaning on the host, so that a C++ compiler takes emitted CUDA text as it stands.

/// Memory as the threads of a GPU see it. Stands first, where there is one.
pub const MEMORY: &str = include_str!("on_host/memory.h");
/// The scheduler of a block: `weft_block::run` runs a kernel for all threads of a block side by side.
pub const BLOCK: &str = include_str!("on_host/block.h");
/// The words of CUDA for threads that wait for each other, over the namespace `weft_block`.
pub const BLOCK_WORDS: &str = include_str!("on_host/block_words.h");
/// The words of CUDA for one thread.
pub const WORDS: &str = include_str!("on_host/words.h");
/// Waves of blocks, over [`MEMORY`] and [`BLOCK`].
pub const GRID: &str = include_str!("on_host/grid.h");
/// CUDA's runtime as far as exported programs call it.
pub(super) const RUNTIME: &str = include_str!("on_host/runtime.h");

/// CUDA's keywords and functions, with one thread at a time. Emitted CUDA text compiles and runs behind it, if
/// [`BLOCK_ON_HOST`] stands between the header and the text.
pub const CUDA_ON_HOST: &str = concat!(include_str!("on_host/threads.h"), include_str!("on_host/words.h"));

/// The second part of [`CUDA_ON_HOST`]: the threads of a block.
pub const BLOCK_ON_HOST: &str = concat!(include_str!("on_host/block.h"), include_str!("on_host/block_words.h"));
