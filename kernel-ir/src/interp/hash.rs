//! The hash that decides the signs of perturbations.

/// A step of a hash, with the multipliers of the finaliser of SplitMix64.
pub(super) fn mix(hash: u64, word: u64) -> u64 {
    let z = (hash ^ word).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (z ^ (z >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb) ^ (z >> 32)
}
