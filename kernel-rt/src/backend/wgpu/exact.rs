//! Exact arithmetic in SPIR-V. WGSL lets a driver reorder sums and fuse a product with a sum: `(a + b) - b` may become `a`.
//! SPIR-V has a decoration that forbids it, for each instruction, and WGSL has no word for it. So the backend decorates
//! the SPIR-V that `naga` writes.

/// The length of the header of a module in words.
const HEADER: usize = 5;

/// `OpDecorate`.
const DECORATE: u32 = 71;

/// The decoration `NoContraction`.
const NO_CONTRACTION: u32 = 42;

/// The instructions that declare types, of which the first one ends the section of decorations.
const TYPES: std::ops::RangeInclusive<u32> = 19..=33;

/// The arithmetic instructions on floats: `OpFNegate`, `OpFAdd`, `OpFSub`, `OpFMul`, `OpFDiv`, `OpFRem`, `OpFMod`, and the
/// products of vectors and matrices.
const ARITHMETIC: [u32; 14] = [127, 129, 131, 133, 136, 140, 141, 142, 143, 144, 145, 146, 147, 148];

/// The module with every arithmetic instruction on floats decorated as `NoContraction`.
pub(super) fn without_contraction(module: &[u32]) -> Vec<u32> {
    let mut first_type = module.len();
    let mut results = Vec::new();
    for (at, instruction) in instructions(module) {
        let opcode = instruction[0] & 0xffff;
        if TYPES.contains(&opcode) {
            first_type = first_type.min(at);
        }
        if let (true, Some(result)) = (ARITHMETIC.contains(&opcode), instruction.get(2)) {
            results.push(*result);
        }
    }
    let mut decorated = Vec::with_capacity(module.len() + 3 * results.len());
    decorated.extend(&module[..first_type]);
    decorated.extend(results.into_iter().flat_map(|result| [3 << 16 | DECORATE, result, NO_CONTRACTION]));
    decorated.extend(&module[first_type..]);
    decorated
}

/// The instructions of a module, with their positions. The upper half of the first word of each is its length.
fn instructions(module: &[u32]) -> impl Iterator<Item = (usize, &[u32])> {
    let mut at = HEADER;
    std::iter::from_fn(move || {
        let length = (module.get(at)? >> 16) as usize;
        let start = at;
        at += length.max(1);
        Some((start, module.get(start..start + length)?))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arithmetic_is_decorated_before_the_first_type() {
        let header = [0x0723_0203, 0x1_0300, 0, 9, 0];
        let capability = [2 << 16 | 17, 1];
        let float = [3 << 16 | 22, 1, 32];
        let sum = [5 << 16 | 129, 1, 7, 5, 6];
        let module = [&header[..], &capability, &float, &sum].concat();
        let decoration = [3 << 16 | DECORATE, 7, NO_CONTRACTION];
        assert_eq!(without_contraction(&module), [&header[..], &capability, &decoration, &float, &sum].concat());
    }
}
