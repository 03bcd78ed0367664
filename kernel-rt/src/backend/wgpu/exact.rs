//! Exact arithmetic in SPIR-V. WGSL lets a driver reorder sums and fuse a product with a sum: `(a + b) - b` may become `a`.
//! SPIR-V has a decoration that forbids it, for each instruction, and WGSL has no word for it. So the backend changes the
//! SPIR-V that `naga` writes:
//!
//! - Every arithmetic instruction on floats gets the decoration `NoContraction`.
//! - The product of a vector and a scalar becomes that of two vectors, because Mesa ignores the decoration of the former.

use std::collections::HashMap;

/// The length of the header of a module in words.
const HEADER: usize = 5;

/// The word of the header with the bound of all ids.
const BOUND: usize = 3;

/// The decoration `NoContraction`.
const NO_CONTRACTION: u32 = 42;

/// Opcodes.
const TYPE_VECTOR: u32 = 23;
const DECORATE: u32 = 71;
const COMPOSITE_CONSTRUCT: u32 = 80;
const F_MUL: u32 = 133;
const VECTOR_TIMES_SCALAR: u32 = 142;

/// The instructions that declare types, of which the first one ends the section of decorations.
const TYPES: std::ops::RangeInclusive<u32> = 19..=33;

/// The arithmetic instructions on floats: `OpFNegate`, `OpFAdd`, `OpFSub`, `OpFMul`, `OpFDiv`, `OpFRem`, `OpFMod`, and the
/// products of vectors and matrices.
const ARITHMETIC: [u32; 14] = [127, 129, 131, F_MUL, 136, 140, 141, VECTOR_TIMES_SCALAR, 143, 144, 145, 146, 147, 148];

/// The module with exact arithmetic.
pub(super) fn with_exact_arithmetic(module: &[u32]) -> Vec<u32> {
    let (mut header, mut decorations, mut code) = (module[..HEADER].to_vec(), Vec::new(), Vec::new());
    let mut first_type = None;
    let mut sizes: HashMap<u32, u32> = HashMap::new();
    for instruction in instructions(module) {
        let opcode = instruction[0] & 0xffff;
        if TYPES.contains(&opcode) {
            first_type.get_or_insert(code.len());
        }
        match *instruction {
            [_, ty, _, size] if opcode == TYPE_VECTOR => {
                sizes.insert(ty, size);
            }
            [_, ty, result, vector, scalar] if opcode == VECTOR_TIMES_SCALAR && sizes.contains_key(&ty) => {
                let splat = header[BOUND];
                header[BOUND] += 1;
                code.extend([(3 + sizes[&ty]) << 16 | COMPOSITE_CONSTRUCT, ty, splat]);
                code.extend((0..sizes[&ty]).map(|_| scalar));
                code.extend([5 << 16 | F_MUL, ty, result, vector, splat]);
                decorations.extend([3 << 16 | DECORATE, result, NO_CONTRACTION]);
                continue;
            }
            [_, _, result, ..] if ARITHMETIC.contains(&opcode) => {
                decorations.extend([3 << 16 | DECORATE, result, NO_CONTRACTION]);
            }
            _ => {}
        }
        code.extend(instruction);
    }
    let (before, after) = code.split_at(first_type.unwrap_or(code.len()));
    [&header, before, &decorations, after].concat()
}

/// The instructions of a module. The upper half of the first word of each is its length.
fn instructions(module: &[u32]) -> impl Iterator<Item = &[u32]> {
    let mut at = HEADER;
    std::iter::from_fn(move || {
        let length = (module.get(at)? >> 16) as usize;
        let instruction = module.get(at..at + length.max(1))?;
        at += length.max(1);
        Some(instruction)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const VERSION: [u32; 5] = [0x0723_0203, 0x1_0300, 0, 9, 0];
    const CAPABILITY: [u32; 2] = [2 << 16 | 17, 1];
    const FLOAT: [u32; 3] = [3 << 16 | 22, 1, 32];

    #[test]
    fn arithmetic_is_decorated_before_the_first_type() {
        let sum = [5 << 16 | 129, 1, 7, 5, 6];
        let module = [&VERSION[..], &CAPABILITY, &FLOAT, &sum].concat();
        let decoration = [3 << 16 | DECORATE, 7, NO_CONTRACTION];
        assert_eq!(with_exact_arithmetic(&module), [&VERSION[..], &CAPABILITY, &decoration, &FLOAT, &sum].concat());
    }

    #[test]
    fn the_product_of_a_vector_and_a_scalar_is_one_of_vectors() {
        let vector = [4 << 16 | TYPE_VECTOR, 2, 1, 3];
        let product = [5 << 16 | VECTOR_TIMES_SCALAR, 2, 7, 5, 6];
        let module = [&VERSION[..], &CAPABILITY, &FLOAT, &vector, &product].concat();
        let header = [0x0723_0203, 0x1_0300, 0, 10, 0];
        let decoration = [3 << 16 | DECORATE, 7, NO_CONTRACTION];
        let splat = [6 << 16 | COMPOSITE_CONSTRUCT, 2, 9, 6, 6, 6];
        let product = [5 << 16 | F_MUL, 2, 7, 5, 9];
        let expected = [&header[..], &CAPABILITY, &decoration, &FLOAT, &vector, &splat, &product].concat();
        assert_eq!(with_exact_arithmetic(&module), expected);
    }
}
