//! Numbers for lists of types, and maps by them.

use crate::ir::Type;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// How many operands an operation has at most.
pub(super) const MOST_OPERANDS: usize = 4;

/// How many bits of a key a type has.
const TYPE_BITS: u32 = 10;

/// How many bits a key has.
pub(super) const KEY_BITS: u32 = 1 + TYPE_BITS * (MOST_OPERANDS as u32 + 1);

/// A number that only these types of operands and result have.
pub(crate) fn key(args: impl Iterator<Item = Type>, ret: Type) -> u64 {
    operands_key(args) << TYPE_BITS | type_key(ret)
}

/// The number that only these types of operands have.
fn operands_key(args: impl Iterator<Item = Type>) -> u64 {
    args.fold(1, |key, ty| {
        debug_assert!(key < 1 << (KEY_BITS - 2 * TYPE_BITS), "there is no room for so many operands");
        key << TYPE_BITS | type_key(ty)
    })
}

/// The keys of these operands with every result.
pub(super) fn keys_of_operands(args: impl Iterator<Item = Type>) -> std::ops::Range<u64> {
    let operands = operands_key(args);
    operands << TYPE_BITS..(operands + 1) << TYPE_BITS
}

fn type_key(ty: Type) -> u64 {
    let kind = match ty {
        Type::Scalar(_) => 0,
        Type::Vector(..) => 1,
        Type::Matrix(..) => 2,
        Type::Quat(_) => 3,
    };
    // Of a size that no type has, it says no more than that.
    let size = match ty {
        Type::Vector(_, size) | Type::Matrix(_, size) => size.min(31),
        Type::Scalar(_) | Type::Quat(_) => 0,
    };
    kind << 8 | (ty.scalar() as u64) << 5 | u64::from(size)
}

/// A map by keys. What is asked of it comes from the program, never from elsewhere, so a product spreads it well enough.
pub(crate) type KeyMap<T> = HashMap<u64, T, BuildHasherDefault<KeyHasher>>;

/// The hash function of a [`KeyMap`].
#[derive(Default)]
pub(crate) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u64(&mut self, key: u64) {
        // A map looks at the highest bits and at the lowest: both halves of the product depend on all of the key together.
        let product = u128::from(self.0 ^ key) * 0x9E37_79B9_7F4A_7C15;
        self.0 = product as u64 ^ (product >> 64) as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
