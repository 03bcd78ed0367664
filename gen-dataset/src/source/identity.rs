//! What identifies a kernel and its record: ids, seeds, and hashes that ignore names or constants.

use crate::synth;
use kernel_ir::ir::Kernel;
use kernel_ir::text;

/// The id of a record: 32 hexadecimal digits of the BLAKE3 hash over IR, seed and launch size. The example follows
/// from these three, so that equal ids mean equal kernels with equal examples.
pub(crate) fn id(ir: &str, seed: u64, dim: &[usize]) -> String {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"weft record\0");
    hasher.update(&seed.to_le_bytes());
    hasher.update(&(dim.len() as u64).to_le_bytes());
    for extent in dim {
        hasher.update(&(*extent as u64).to_le_bytes());
    }
    hasher.update(ir.as_bytes());
    hasher.finalize().to_hex()[..32].to_owned()
}

/// What the inputs of a kernel's example are drawn from, the `draw`-th time: the run's seed and the kernel itself, so
/// that an example does not depend on which other kernels are written.
pub(crate) fn example_seed(ir: &str, seed: u64, draw: u64) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"weft example\0").update(&seed.to_le_bytes()).update(&draw.to_le_bytes()).update(ir.as_bytes());
    let mut first = [0; 8];
    hasher.finalize_xof().fill(&mut first);
    u64::from_le_bytes(first)
}

/// The [`structure_hash`] of the kernel with the same constants everywhere and without domains.
pub(crate) fn skeleton_id(kernel: &Kernel) -> String {
    structure_hash(&synth::without_constants(kernel))
}

/// The BLAKE3 hash of the IR without what does not change what it computes: family, doc comment, and every name of
/// kernel, parameters and locals.
pub(crate) fn structure_hash(kernel: &Kernel) -> String {
    let mut bare = kernel.clone();
    bare.family = "family".to_owned();
    bare.change_functions(&mut |place, code| rename(code, format!("f{place}")));
    rename(&mut bare, "kernel".to_owned());
    blake3::hash(text::print(&bare).as_bytes()).to_hex().to_string()
}

/// Gives the code, its parameters and its locals names that say nothing, and removes the doc comment.
fn rename(code: &mut Kernel, name: String) {
    code.name = name;
    code.doc.clear();
    for (index, param) in code.params.iter_mut().enumerate() {
        param.name = format!("p{index}");
    }
    for (index, local) in code.locals.iter_mut().enumerate() {
        local.name = format!("v{index}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_id_depends_on_all_that_it_stands_for() {
        let ids = [id("a", 0, &[16]), id("b", 0, &[16]), id("a", 1, &[16]), id("a", 0, &[17]), id("a", 0, &[16, 1])];
        for (place, one) in ids.iter().enumerate() {
            assert_eq!(one.len(), 32);
            assert!(!ids[..place].contains(one));
        }
    }
}
