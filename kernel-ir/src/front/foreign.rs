//! Names from CUDA and Warp that people try in kernels, and the help texts for them.

/// Each row has names with the same purpose, and the way to express it in a kernel. No device function may have such a
/// name.
const WORDS: [(&[&str], &str); 8] = [
    (
        &["threadIdx", "thread_idx", "global_idx", "get_global_id"],
        "`let i = tid();` gives the index of the thread in the whole launch",
    ),
    (
        &["blockIdx", "block_idx", "blockDim", "block_dim", "gridDim", "grid_dim", "laneid", "lane_id", "warp_id"],
        "a launch has threads and no blocks: `let i = tid();` gives the index of the thread in the whole launch",
    ),
    (
        &["__syncthreads", "syncthreads", "sync_threads", "__syncwarp", "syncwarp", "sync_warp", "__threadfence"],
        "threads cannot wait for each other: write a kernel for each step, and launch one after the other",
    ),
    (
        &[
            "tile_load",
            "tile_store",
            "tile_zeros",
            "tile_ones",
            "tile_sum",
            "tile_reduce",
            "tile_matmul",
            "tile_atomic_add",
            "__shared__",
            "shared_array",
        ],
        "threads share only arrays: read and write elements of array parameters",
    ),
    (
        &["__shfl_sync", "__shfl_down_sync", "__shfl_xor_sync", "shfl_down", "shfl_xor", "__ballot_sync"],
        "a thread cannot read the variables of another thread: add values up with `atomic_add(&mut out[k], v)`",
    ),
    (
        &["atomicAdd", "atomicSub", "atomicMin", "atomicMax"],
        "write `atomic_add(&mut out[k], v)`; there are also `atomic_sub`, `atomic_min` and `atomic_max`",
    ),
    (
        &["atomicCAS", "atomicExch"],
        "write `atomic_cas(&mut out[k], compare, v)` or `atomic_exch(&mut out[k], v)`; no thread can wait for another one",
    ),
    (&["printf", "print"], "write `kernel_print!(\"x = {x}\")`"),
];

/// The help text for `word`, if it is a name from CUDA or Warp.
pub(super) fn instead_of(word: &str) -> Option<&'static str> {
    WORDS.iter().find(|(words, _)| words.contains(&word)).map(|(_, help)| *help)
}
