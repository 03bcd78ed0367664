//! Lists of types as keys of hash maps.

use crate::ir::Type;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// The largest number of operands of an operation.
pub(crate) const MOST_OPERANDS: usize = Type::MOST_PARTS as usize;

/// The types of operands and of a result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Key {
    types: [Type; MOST_OPERANDS],
    operands: u8,
    ret: Type,
}

impl Key {
    /// The key of these types.
    ///
    /// # Panics
    /// If there are more than [`MOST_OPERANDS`] operands.
    pub(crate) fn new(operands: impl Iterator<Item = Type>, ret: Type) -> Key {
        let mut key = Key { types: [ret; MOST_OPERANDS], operands: 0, ret };
        for ty in operands {
            key.types[usize::from(key.operands)] = ty;
            key.operands += 1;
        }
        key
    }

    fn operands(&self) -> &[Type] {
        &self.types[..usize::from(self.operands)]
    }
}

impl PartialEq for Key {
    fn eq(&self, other: &Key) -> bool {
        self.ret == other.ret && self.operands() == other.operands()
    }
}

impl Eq for Key {}

impl Hash for Key {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.ret.hash(state);
        self.operands().iter().for_each(|ty| ty.hash(state));
    }
}

/// A map from such keys. The keys come from the program and not from an adversary, so a multiplicative hash suffices.
pub(crate) type KeyMap<K, T> = HashMap<K, T, BuildHasherDefault<KeyHasher>>;

/// The hash function of a [`KeyMap`].
#[derive(Default)]
pub(crate) struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u64(u64::from(*byte)));
    }

    fn write_u32(&mut self, key: u32) {
        self.write_u64(key.into());
    }

    fn write_isize(&mut self, key: isize) {
        self.write_u64(key as u64);
    }

    fn write_u64(&mut self, key: u64) {
        // `HashMap` uses the highest and the lowest bits of a hash. Both halves of the product, combined, depend on all
        // bits of the key. The constant is 2⁶⁴ divided by the golden ratio.
        let product = u128::from(self.0 ^ key) * 0x9E37_79B9_7F4A_7C15;
        self.0 = product as u64 ^ (product >> 64) as u64;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}
