//! Names from CUDA and Warp that people try in kernels, and the help texts for them.

/// Each row has names with the same purpose, and the way to express it in a kernel. No device function may have such a
/// name.
const WORDS: [(&[&str], &str); 9] = [
    (
        &["threadIdx", "thread_idx", "global_idx", "get_global_id"],
        "`let i = tid();` gives the index of the thread in the whole launch; in a block kernel, the argument of a phase is the thread",
    ),
    (
        &["blockIdx", "block_idx", "blockDim", "block_dim", "gridDim", "grid_dim", "laneid", "lane_id", "warp_id"],
        "`let block = block::<256>();` at the start of a kernel launches it over blocks; `block.index` and `block.size` are theirs",
    ),
    (
        &["__syncthreads", "syncthreads", "sync_threads", "__syncwarp", "syncwarp", "sync_warp", "__threadfence"],
        "the threads of a block wait for each other at the end of `block.phase(|t| …)`, in a kernel with `let block = block::<256>();`",
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
        ],
        "write `let t: Tile<f32, 16, 16> = x.load_tile([i, k]);` in a kernel with `let block = block::<256>();`",
    ),
    (
        &["__shared__", "shared_array"],
        "the threads of a block share an array: `let mut a = shared::<f32, 256>();`, in a kernel with `let block = block::<256>();`",
    ),
    (
        &[
            "__shfl_sync",
            "__shfl_down_sync",
            "__shfl_xor_sync",
            "__shfl_up_sync",
            "shfl_down",
            "shfl_up",
            "shfl_xor",
            "__ballot_sync",
            "__any_sync",
            "__all_sync",
        ],
        "the threads of a block exchange values between phases: `let w = v.shuffle_xor(1);`, `let sums = v.warp_sum();`",
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
