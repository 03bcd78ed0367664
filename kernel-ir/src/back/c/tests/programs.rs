//! Programs around a kernel, on the host: they take what a GPU takes, whoever wrote it, and no more.

use super::run::output;
use crate::back::c::{RecordedLaunch, write_program};
use crate::data::{Arg, Data};
use crate::interp;
use crate::ir::Type;
use crate::text::parse;
use crate::verify::{VerifiedKernel, verify};

const KERNEL: &str = "#[kernel(family = \"test\", dim = 1)]
fn squares(x: &[f32; dim(0)], y: &mut [f32; dim(0)], sum: &mut [f32; 1],) {
    let i.0: usize = tid(0);
    y[i.0] = x[i.0] * x[i.0];
    atomic_add(sum[0usize], x[i.0]);
}
";

/// What the program says about a kernel with that body, launched over 40 threads and over 300.
fn verdict(test: &str, body: &str) -> Option<String> {
    let kernel: VerifiedKernel = verify(parse(KERNEL).unwrap_or_else(|error| panic!("{error}"))).unwrap();
    let arg = |data: Vec<f32>| Arg { ty: Type::F32, shape: vec![data.len()], data: Data::F32(data) };
    let launches = [40, 300].map(|n: usize| {
        // Every sum of these is exact.
        let x = (0..n).map(|i| (i % 7) as f32 - 2.5).collect();
        let before = vec![arg(x), arg(vec![0.0; n]), arg(vec![1.0])];
        let mut after = before.clone();
        interp::run(&kernel, &[n], &mut after).unwrap();
        let allowed: Vec<Arg> = after.iter().map(|arg| Arg::zeros(arg.ty, &arg.shape)).collect();
        ([n], before, after, allowed)
    });
    let launches: Vec<RecordedLaunch<'_>> =
        launches.iter().map(|(dim, before, after, allowed)| RecordedLaunch { dim, before, after, allowed }).collect();
    let cuda = format!(
        "using index_t = unsigned int;\n\nextern \"C\" __global__ void squares(const float* __restrict__ x, float* \
         __restrict__ y, float* __restrict__ sum, index_t dim) {{\n{}\n}}\n",
        // g++ warns of a line that looks like one statement and is two.
        body.replace("; ", ";\n")
    );
    let text = write_program(&kernel, &cuda, &launches, "squares");
    output(test, &format!("#define WEFT_HOST\n{text}"))
}

/// The index of the thread.
const INDEX: &str = "const index_t i = blockIdx.x * blockDim.x + threadIdx.x;";

/// What a thread adds, added up in its warp.
const SHUFFLE: &str = "for (int step = 16; step > 0; step /= 2) v += __shfl_down_sync(0xffffffff, v, step);";

#[test]
fn what_runs_on_a_gpu_passes() {
    let answers = [
        // Threads stride.
        "for (index_t i = blockIdx.x * blockDim.x + threadIdx.x; i < dim; i += gridDim.x * blockDim.x) {
            y[i] = x[i] * x[i]; atomicAdd(sum, x[i]); }"
            .to_owned(),
        // One index for each thread; some leave.
        format!("{INDEX} if (i < dim) {{ y[i] = x[i] * x[i]; atomicAdd(&sum[0], x[i]); }}"),
        format!("{INDEX} if (i >= dim) return; y[i] = x[i] * x[i]; atomicAdd(sum, x[i]);"),
        // Some leave in front of a barrier.
        format!(
            "__shared__ float all; {INDEX} if (threadIdx.x == 0) all = 0; __syncthreads(); if (i >= dim) return;
             y[i] = x[i] * x[i]; atomicAdd(&all, x[i]); __syncthreads(); if (threadIdx.x == 0) atomicAdd(sum, all);"
        ),
        // Warps of 32, and shared memory between them.
        format!(
            "__shared__ float warps[4]; {INDEX} float v = 0; if (i < dim) {{ v = x[i]; y[i] = v * v; }} {SHUFFLE}
             if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = v; __syncthreads();
             if (threadIdx.x < 32) {{ v = threadIdx.x < 4 ? warps[threadIdx.x] : 0; {SHUFFLE}
             if (threadIdx.x == 0) atomicAdd(sum, v); }}"
        ),
        // Votes, and a butterfly.
        format!(
            "{INDEX} float v = i < dim ? x[i] : 0; const unsigned int there = __ballot_sync(0xffffffff, i < dim);
             if (i < dim) y[i] = max(v * v, 0.0f);
             for (int lanes = 1; lanes < 32; lanes *= 2) v += __shfl_xor_sync(0xffffffff, v, lanes);
             if (there != 0 && threadIdx.x % 32 == 0) atomicAdd(sum, v);"
        ),
        // A lock, with fences.
        format!(
            "__shared__ int lock; {INDEX} if (threadIdx.x == 0) lock = 0; __syncthreads(); if (i >= dim) return;
             y[i] = x[i] * x[i]; while (atomicCAS(&lock, 0, 1) != 0) {{}} __threadfence(); sum[0] += x[i];
             __threadfence(); atomicExch(&lock, 0);"
        ),
    ];
    for body in answers {
        let Some(said) = verdict("answers", &body) else { return };
        assert_eq!(said, "PASS\n", "{body}");
    }
}

#[test]
fn what_does_not_fails() {
    let answers = [
        // Plain sums: most threads lose what they add.
        format!("{INDEX} if (i < dim) {{ y[i] = x[i] * x[i]; sum[0] += x[i]; }}"),
        // One thread of a block.
        "if (threadIdx.x == 0) { y[0] = x[0] * x[0]; atomicAdd(sum, x[0]); }".to_owned(),
        // Blocks mistaken for threads.
        "const index_t i = blockIdx.x + threadIdx.x; if (i < dim) { y[i] = x[i] * x[i]; atomicAdd(sum, x[i]); }"
            .to_owned(),
        // What other threads store, without a barrier.
        format!(
            "__shared__ float all[128]; {INDEX} if (i < dim) {{ y[i] = x[i] * x[i]; atomicAdd(sum, x[i]); }}
             all[threadIdx.x] = 1; if (i < dim && all[127] != 1) y[i] = 0; __syncthreads(); all[threadIdx.x] = 0;"
        ),
        // A shuffle with threads that are not there.
        format!(
            "{INDEX} if (i < dim) {{ float v = x[i]; y[i] = v * v; {SHUFFLE} if (threadIdx.x % 32 == 0) atomicAdd(sum, v); }}"
        ),
    ];
    for body in answers {
        let Some(said) = verdict("mistakes", &body) else { return };
        assert_ne!(said, "PASS\n", "{body}");
    }
}
