//! Right answers of other shapes: the reference, rewritten.

use crate::fixtures::reassociated;
use crate::score::scorer::Prepared;
use kernel_ir::back::c::{self, Dialect};

/// Rewrites of the reference, each with what was done.
pub(super) fn all(prepared: &Prepared) -> Vec<(&'static str, String)> {
    let text = prepared.text();
    let mut all = vec![
        ("as it is", text.clone()),
        ("in a block of Markdown", format!("Here it is:\n\n```cuda\n{text}\n```\n\nIt strides through the grid.")),
        ("behind a header of CUDA", format!("#include <cuda_runtime.h>\n#include <math.h>\n{text}")),
        ("in a namespace", in_a_namespace(&text)),
        ("with blocks in another order", indexed(&text, "weft_swapped_block", SWAPPED)),
        ("with indices in shared memory", indexed(&text, "weft_shared_index", SHARED)),
        ("with neighbouring blocks exchanged", indexed(&text, "weft_exchanged", EXCHANGED)),
    ];
    let reordered = reassociated(prepared.kernel()).map(|kernel| c::write(&kernel, Dialect::Cuda));
    all.extend(reordered.map(|text| ("with sums in another order", text)));
    all.retain(|(what, answer)| *what == "as it is" || *answer != text);
    all
}

/// Everything but the kernel in a namespace. A `min` of vectors there would hide that of numbers.
fn in_a_namespace(text: &str) -> String {
    let (before, kernel) = text.split_at(text.find("extern \"C\" __global__").unwrap_or(0));
    format!("namespace answer {{\nusing ::min;\nusing ::max;\n{before}\n}}\nusing namespace answer;\n{kernel}")
}

/// Blocks are numbered from the end of the grid.
const SWAPPED: &str = "
__device__ static uint3 weft_swapped_block() {
    const uint3 other = {gridDim.x - 1 - blockIdx.x, gridDim.y - 1 - blockIdx.y, gridDim.z - 1 - blockIdx.z};
    return other;
}
";

/// Threads find their block's number in shared memory, which the first one has put there.
const SHARED: &str = "
__device__ static uint3 weft_shared_index() {
    __shared__ uint3 index[1];
    if (threadIdx.x + threadIdx.y + threadIdx.z == 0) index[0] = blockIdx;
    __syncthreads();
    const uint3 own = index[0];
    __syncthreads();
    return own;
}
";

/// Neighbouring blocks are exchanged.
const EXCHANGED: &str = "
__device__ static uint3 weft_exchanged() {
    uint3 other = blockIdx;
    if ((blockIdx.x ^ 1) < gridDim.x) other.x = blockIdx.x ^ 1;
    return other;
}
";

/// The reference with the result of a function in the place of `blockIdx`, read once at the start of the kernel.
fn indexed(text: &str, function: &str, definition: &str) -> String {
    let Some(place) = text.find("extern \"C\" __global__") else { return text.to_owned() };
    let (before, kernel) = text.split_at(place);
    let Some((head, body)) = kernel.split_once(") {\n") else { return text.to_owned() };
    let body = body.replace("blockIdx", "weft_block_index");
    format!("{before}{definition}\n{head}) {{\n    const uint3 weft_block_index = {function}();\n{body}")
}
