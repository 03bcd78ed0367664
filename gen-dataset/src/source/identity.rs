//! Identity of kernels and records: ids, seeds, and hashes that ignore names or constants.
//!
//! Each hash starts with a tag of its own, so that hashes of different purposes are independent.

use crate::synth;
use kernel_ir::ir::Kernel;
use kernel_ir::{sample, text};

/// The id of a record: 32 hexadecimal digits of the BLAKE3 hash over seed, launch size and IR. The example follows from
/// these three, so equal ids mean equal kernels with equal examples.
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

/// The seed of the inputs of a kernel's example at the `draw`-th draw. It depends on the run's seed and the kernel
/// alone, so an example does not depend on the other kernels of the dataset. `kernel` is that of `ir`.
pub(crate) fn example_seed(kernel: &Kernel, ir: &str, seed: u64, draw: u64) -> u64 {
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"weft example\0").update(&seed.to_le_bytes()).update(&draw.to_le_bytes()).update(ir.as_bytes());
    let mut first = [0; 8];
    hasher.finalize_xof().fill(&mut first);
    // The numbers of the example, the round and the draw, or of the trial and the round, count the launches.
    let number = [0, 8, 32, 40].iter().map(|place| draw >> place & 0xff).sum();
    sample::numbered(kernel, u64::from_le_bytes(first), number)
}

/// The [`structure_hash`] of the kernel with all constants made equal and all domains removed.
pub(crate) fn skeleton_id(kernel: &Kernel) -> String {
    structure_hash(&synth::without_constants(kernel))
}

/// The BLAKE3 hash of the IR without the parts that do not affect its results: the family, the doc comment, and the
/// names of kernel, functions, parameters and locals.
pub(crate) fn structure_hash(kernel: &Kernel) -> String {
    let mut bare = kernel.clone();
    bare.family = "family".to_owned();
    bare.change_functions(&mut |place, code| rename(code, format!("f{place}")));
    rename(&mut bare, "kernel".to_owned());
    blake3::hash(text::print(&bare).as_bytes()).to_hex().to_string()
}

/// Replaces all names by numbered ones, and removes the doc comment.
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
