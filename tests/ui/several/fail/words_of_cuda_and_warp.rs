use kernel_rt::prelude::*;

#[kernel]
fn indices(out: &mut [f32]) {
    let i = (blockIdx.x * blockDim.x + threadIdx.x) as usize;
    let j = block_idx() * block_dim() + thread_idx();
    out[i + j] = 1.0;
}

#[kernel]
fn blocks(out: &mut [f32]) {
    let i = tid();
    sync_threads();
    let tile = tile_load(out, 64);
    out[i] = tile[i] + shfl_down(out[i], 1);
}

#[kernel]
fn effects(lock: &mut [u32], out: &mut [f32]) {
    let i = tid();
    let free = atomicCAS(&mut lock[0], 0, 1);
    atomicAdd(&mut out[0], 1.0);
    printf(free);
}

fn main() {}
